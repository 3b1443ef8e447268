/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The element from inside: its state, and what its files do for each other.
 *
 * Threads and locks: the object lock guards what says so below, and is never
 * held while the effect is called. Everything else belongs to the streaming
 * thread. */
#pragma once

#include "gstslitscan.h"
#include "gstslitscanoutput.h"
#include "gstslitscanproperties.h"

G_BEGIN_DECLS

GST_DEBUG_CATEGORY_EXTERN (gst_slit_scan_debug);

struct _GstSlitScan
{
  GstVideoFilter parent;

  SlitScanEngine *engine;

  /* Guarded by the object lock. */
  GstSlitScanValues values;
  gboolean is_streaming;
  /* The size of the output, 0 where it is the picture's. While streaming, only
   * the streaming thread writes it, so that negotiation and frames agree. */
  gint output_width;
  gint output_height;
  /* For snapshots: the scanned picture's kind and time. */
  GstVideoInfo scan_info;
  GstClockTime last_pts;

  /* Streaming thread. */
  SlitScanSettings frame_settings;
  GstClockTime frame_time;
  guint limited_depth;
  gboolean new_segment;
  gboolean error_is_posted;
  GstSlitScanOutput output;
};

/* -- gstslitscancaps.c ---------------------------------------------------- */

void gst_slit_scan_caps_class_init (GstSlitScanClass * klass);

/* -- gstslitscanframe.c --------------------------------------------------- */

void gst_slit_scan_frame_class_init (GstSlitScanClass * klass);

/* Takes the settings for what comes next; TRUE if the output's size changes
 * with them. */
gboolean gst_slit_scan_latch (GstSlitScan * self);

/* -- gstslitscanreport.c -------------------------------------------------- */

/* Says why nothing can be scanned; once, though upstream may try again. */
void gst_slit_scan_post_error (GstSlitScan * self, const SlitScanError * error);

/* A failed negotiation ends the stream; the element before this one would
 * report it without knowing why. */
void gst_slit_scan_post_not_negotiated (GstSlitScan * self);

/* What the application should know after a frame. */
void gst_slit_scan_publish (GstSlitScan * self, const GstBuffer * buffer,
    const SlitScanReport * report);

G_END_DECLS
