/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The queue of the pad `map` holds its buffers until the video has reached
 * their time, and decides which side waits for the other. Nothing here blocks
 * or locks: the caller holds the pad's lock. */
#pragma once

#include "gstslitscanmappad.h"

G_BEGIN_DECLS

/* A buffer that waits for the video. */
typedef struct
{
  GstBuffer *buffer;
  /* That of the caps it came with; of an unknown format if it cannot be a
   * map. */
  GstVideoInfo info;
  /* Running times; untimed buffers are from 0 to GST_CLOCK_TIME_NONE. */
  GstClockTime start;
  GstClockTime end;
} GstSlitScanMapBuffer;

/* The running times of a stretch of a segment; FALSE if it lies outside. It
 * starts where a frame of the video of the same time does, also backwards. */
gboolean gst_slit_scan_map_buffer_running_times (const GstSegment * segment,
    GstClockTime pts, GstClockTime duration, GstClockTime * start,
    GstClockTime * end);

/* Takes over a buffer of these caps. NULL if it lies outside the segment. */
GstSlitScanMapBuffer *gst_slit_scan_map_buffer_new (GstBuffer * buffer,
    const GstVideoInfo * info, const GstSegment * segment);

void gst_slit_scan_map_buffer_free (gpointer map);

typedef struct
{
  /* In order of their starts, each after the one before. */
  GQueue waiting;
  /* The position of the branch: nothing that starts before can still arrive. */
  GstClockTime reached;
  gboolean is_live;
  gboolean has_ended;
  /* Whether the branch has been as far as the video, or further, since it
   * began or last fell back. */
  gboolean keeps_step;
  /* The thread of the last buffer or event, NULL if nothing came yet. Owned, so
   * that no thread begins where one has ended. */
  GThread *branch_thread;

  /* The last frame's running time, 0 before the first, and who came for its
   * map. */
  GstClockTime frame_time;
  GThread *frame_thread;
  /* Whether the video has gone on with a frame since it began. */
  gboolean has_gone_on;

  /* The limit of the next wait, and whether the last was in vain and nothing has
   * come since. */
  GstClockTime patience;
  gboolean has_given_up;

  GstSlitScanMapPadCounts counts;
} GstSlitScanMapQueue;

/* Empties the queue. Here as below, what is dropped goes to another queue, to
 * be freed when the lock is not held. */
GQueue gst_slit_scan_map_queue_drop (GstSlitScanMapQueue * queue);

/* Another branch may come than the one known, or none: as at first. */
void gst_slit_scan_map_queue_forget_branch (GstSlitScanMapQueue * queue);

/* Another stream of the branch may come. */
void gst_slit_scan_map_queue_forget_stream (GstSlitScanMapQueue * queue);

/* The video begins anew. */
void gst_slit_scan_map_queue_forget_frame (GstSlitScanMapQueue * queue);

/* -- the branch, by its streaming thread -- */

/* The branch has been heard of. */
void gst_slit_scan_map_queue_note_arrival (GstSlitScanMapQueue * queue);

/* Whether a buffer must wait for room. */
gboolean gst_slit_scan_map_queue_is_full (const GstSlitScanMapQueue * queue,
    const GstSlitScanMapBuffer * map);

/* The branch is as far as this, in running time. */
void gst_slit_scan_map_queue_reach (GstSlitScanMapQueue * queue,
    GstClockTime running_time);

/* Takes over a buffer, full or not. */
void gst_slit_scan_map_queue_push (GstSlitScanMapQueue * queue,
    GstSlitScanMapBuffer * map, GQueue * dropped);

/* -- the video, by its streaming thread -- */

/* The video has got to a frame. */
void gst_slit_scan_map_queue_note_frame (GstSlitScanMapQueue * queue,
    GstClockTime running_time);

/* Takes out what the video has reached. Returns the newest of that and of the
 * one given, which may be NULL. */
GstSlitScanMapBuffer *gst_slit_scan_map_queue_pop (GstSlitScanMapQueue * queue,
    GstSlitScanMapBuffer * newest, GQueue * dropped);

/* Whether the frame should wait for what may still come. */
gboolean gst_slit_scan_map_queue_is_uncertain (
    const GstSlitScanMapQueue * queue);

/* A wait was in vain. TRUE if it was the first. */
gboolean gst_slit_scan_map_queue_give_up (GstSlitScanMapQueue * queue);

/* The video goes on with the frame, after a wait or not. */
void gst_slit_scan_map_queue_end_frame (GstSlitScanMapQueue * queue,
    gboolean has_waited);

G_END_DECLS
