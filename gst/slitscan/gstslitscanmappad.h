/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The request pad `map` takes raw video of any size and rate, synchronized
 * with the video by running time. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

#define GST_TYPE_SLIT_SCAN_MAP_PAD (gst_slit_scan_map_pad_get_type ())
G_DECLARE_FINAL_TYPE (GstSlitScanMapPad, gst_slit_scan_map_pad, GST,
    SLIT_SCAN_MAP_PAD, GstPad)

/* The state of the video. */
typedef enum
{
  GST_SLIT_SCAN_MAIN_STREAM_CONTINUES,
  /* It will start anew: until then, nothing is taken or waited for, and what
   * arrives waits. */
  GST_SLIT_SCAN_MAIN_STREAM_IS_FLUSHED,
  /* Nothing is waited for, and who brings more is told that it is the end. */
  GST_SLIT_SCAN_MAIN_STREAM_IS_OVER,
  /* Nothing is waited for, and who brings more is told to flush, as by every
   * pad of an element that stops: it may play into another one next. */
  GST_SLIT_SCAN_MAIN_STREAM_IS_STOPPED,
} GstSlitScanMainStream;

/* Counts of buffers since the pad was activated. */
typedef struct
{
  guint64 buffers;              /* all that arrived */
  guint64 late;                 /* superseded before the video reached them */
} GstSlitScanMapPadCounts;

/* Called with every frame of the video, by its streaming thread: replaces the
 * buffer by the newest whose running time is not after the frame's, unless that
 * was taken before. Sets the counts.
 *
 * If may_wait, waits until it is certain which buffer that is: until a buffer
 * that covers or passes running_time has arrived, the branch has ended, or the
 * pad or the video is flushed; and a while at most, so that a branch that
 * hangs does not hang the video. Never waits for a live branch, nor for one
 * that is not linked, that comes by the calling thread itself, or that began in
 * the earlier part of a video that was going on and has not caught up. */
void gst_slit_scan_map_pad_take (GstSlitScanMapPad * pad,
    GstClockTime running_time, gboolean may_wait, GstBuffer ** buffer,
    GstVideoInfo * info, GstSlitScanMapPadCounts * counts);

/* Says what the video does now. IS_OVER must be said before its pads are
 * deactivated, or these would wait for a frame that waits for its map. */
void gst_slit_scan_map_pad_set_main_stream (GstSlitScanMapPad * pad,
    GstSlitScanMainStream main_stream);

/* Asks upstream of a pad whether it is live; FALSE without an answer. */
gboolean gst_slit_scan_map_pad_query_liveness (GstPad * pad,
    gboolean * is_live);

G_END_DECLS
