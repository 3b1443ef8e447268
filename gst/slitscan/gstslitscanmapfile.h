/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Picture files as maps: decoded by GStreamer's own elements, on a thread of
 * its own. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct _GstSlitScanMapFile GstSlitScanMapFile;

/* What became of a location, on the loader's thread: a frame in a format that
 * the element scans, mapped for reading until func returns, or an error whose
 * message is for a person, of the domain GST_RESOURCE_ERROR or
 * GST_STREAM_ERROR. func may load another location. */
typedef void (*GstSlitScanMapFileFunc) (const gchar * location,
    const GstVideoFrame * frame, const GError * error, gpointer user_data);

/* A loader that calls func when it has loaded something, or could not. */
GstSlitScanMapFile *gst_slit_scan_map_file_new (GstSlitScanMapFileFunc func,
    gpointer user_data);

/* Ends the loader, within a quarter of a second besides a call of func that
 * has begun; func is not called any more when this returns. Must not be called
 * by func. */
void gst_slit_scan_map_file_free (GstSlitScanMapFile * self);

/* Starts loading a file, a path or a file URI, and returns at once. What is
 * being loaded is given up: func is called only for the newest location,
 * though a call that has begun goes on. NULL and "" only give up, and wait for
 * a call that has begun; func must not give them. */
void gst_slit_scan_map_file_load (GstSlitScanMapFile * self,
    const gchar * location);

/* Waits, at most so long, until func has returned for the newest location, or
 * there is none; FALSE if that takes longer. Must not be called by func. */
gboolean gst_slit_scan_map_file_wait (GstSlitScanMapFile * self,
    GstClockTime timeout);

G_END_DECLS
