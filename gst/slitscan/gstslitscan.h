/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The element's type, and what a subclass for another kind of memory than the
 * system's sets in its class struct. A subclass may be in another plugin: it
 * reaches everything by that struct. */
#pragma once

#include <gst/video/gstvideofilter.h>
#include <gst/video/video.h>

#include "slitscan-engine.h"

G_BEGIN_DECLS

typedef struct _GstSlitScan GstSlitScan;

/* A buffer and the description of its frame. */
typedef struct
{
  GstBuffer *buffer;
  const GstVideoInfo *info;
} GstSlitScanFrame;

typedef enum
{
  GST_SLIT_SCAN_DONE,
  /* The error says why. */
  GST_SLIT_SCAN_FAILED,
  /* The source, or the target, cannot be mapped as its caps say. */
  GST_SLIT_SCAN_UNREADABLE,
  GST_SLIT_SCAN_UNWRITABLE,
} GstSlitScanOutcome;

/* The effect on frames in one kind of memory. Its functions do what those of
 * slitscan-engine.h do that have the same names, may be called from any thread,
 * and are passed what create returned. */
typedef struct
{
  gpointer (*create) (GstSlitScan * element);
  void (*free) (gpointer engine);
  gboolean (*configure) (gpointer engine, const GstVideoInfo * info,
      gint output_width, gint output_height, const SlitScanSettings * settings,
      SlitScanError * error);
  /* Without a source, repeats. Without a target, only takes in. */
  GstSlitScanOutcome (*process) (gpointer engine,
      const GstSlitScanFrame * source, const GstSlitScanFrame * target,
      guint64 time, const SlitScanSettings * settings, SlitScanReport * report,
      SlitScanError * error);
  /* The image is in system memory or in that of the frames. */
  gboolean (*set_map) (gpointer engine, SlitScanMap map,
      const GstSlitScanFrame * image, SlitScanError * error);
  /* Into a buffer of the engine's own, in its kind of memory. NULL if there is
   * none of this kind. */
  GstBuffer *(*redraw) (gpointer engine, const GstVideoInfo * info,
      guint64 * time);
  /* Into a frame of GRAY16_LE in system memory. */
  GstSlitScanOutcome (*draw_ages) (gpointer engine,
      const GstSlitScanFrame * target, SlitScanError * error);
  /* A folder, or NULL for memory; NULL where history is in memory alone. */
  void (*set_history_location) (gpointer engine, const gchar * folder);
  void (*forget) (gpointer engine);
  void (*release) (gpointer engine);
} GstSlitScanEngineClass;

typedef struct
{
  GstVideoFilterClass parent_class;

  /* That of the plugin which has this class: SLITSCAN_VERSION. */
  const gchar *version;
  const GstSlitScanEngineClass *engine_class;
  /* Whether the output may have another format than the input. */
  gboolean converts;
  /* Advice for a person where a neighbour has other caps. */
  const gchar *input_advice;
  const gchar *output_advice;

  /* For subclasses: describe frames, and the planes of a mapped one. */
  void (*describe_layout) (const GstVideoInfo * info, SlitScanLayout * layout);
  void (*describe_planes) (const GstVideoFrame * frame, SlitScanFrame * planes);
} GstSlitScanClass;

GType gst_slit_scan_get_type (void);
#define GST_TYPE_SLIT_SCAN (gst_slit_scan_get_type ())

#define GST_SLIT_SCAN(element) \
    G_TYPE_CHECK_INSTANCE_CAST (element, GST_TYPE_SLIT_SCAN, GstSlitScan)
#define GST_SLIT_SCAN_GET_CLASS(element) \
    G_TYPE_INSTANCE_GET_CLASS (element, GST_TYPE_SLIT_SCAN, GstSlitScanClass)

GST_ELEMENT_REGISTER_DECLARE (slitscan);

G_END_DECLS
