/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The queue of the pad `map`: which buffer counts, and which side waits. */

#include "gstslitscanmapqueue.h"

/* The maximum number of buffers that wait for the video. Few, as they may belong
 * to a small pool; more than one, so that the two threads need not take turns. */
#define MAX_WAITING 4

/* The longest wait of a frame for its map. */
#define PATIENCE (5 * GST_SECOND)

/* -- buffers -------------------------------------------------------------- */

gboolean
gst_slit_scan_map_buffer_running_times (const GstSegment * segment,
    GstClockTime pts, GstClockTime duration, GstClockTime * start,
    GstClockTime * end)
{
  GstClockTime stop = GST_CLOCK_TIME_NONE;

  if (segment->format != GST_FORMAT_TIME || !GST_CLOCK_TIME_IS_VALID (pts)) {
    *start = 0;
    *end = GST_CLOCK_TIME_NONE;
    return TRUE;
  }
  if (GST_CLOCK_TIME_IS_VALID (duration)
      && duration < GST_CLOCK_TIME_NONE - pts)
    stop = pts + duration;
  if (!gst_segment_clip (segment, GST_FORMAT_TIME, pts, stop, &pts, &stop))
    return FALSE;

  *start = gst_segment_to_running_time (segment, GST_FORMAT_TIME, pts);
  if (!GST_CLOCK_TIME_IS_VALID (*start))
    return FALSE;
  *end = gst_segment_to_running_time (segment, GST_FORMAT_TIME, stop);
  if (!GST_CLOCK_TIME_IS_VALID (stop) || !GST_CLOCK_TIME_IS_VALID (*end))
    *end = *start;
  else if (*end < *start)
    *end = *start + (*start - *end);
  return TRUE;
}

GstSlitScanMapBuffer *
gst_slit_scan_map_buffer_new (GstBuffer * buffer, const GstVideoInfo * info,
    const GstSegment * segment)
{
  GstClockTime duration = GST_BUFFER_DURATION (buffer);
  GstSlitScanMapBuffer *map = g_new (GstSlitScanMapBuffer, 1);

  map->buffer = buffer;
  map->info = *info;
  if (!GST_CLOCK_TIME_IS_VALID (duration) && GST_VIDEO_INFO_FPS_N (info) > 0)
    duration = gst_util_uint64_scale_int (GST_SECOND,
        GST_VIDEO_INFO_FPS_D (info), GST_VIDEO_INFO_FPS_N (info));
  if (!gst_slit_scan_map_buffer_running_times (segment,
          GST_BUFFER_PTS (buffer), duration, &map->start, &map->end))
    g_clear_pointer (&map, gst_slit_scan_map_buffer_free);
  return map;
}

void
gst_slit_scan_map_buffer_free (gpointer data)
{
  GstSlitScanMapBuffer *map = data;

  gst_buffer_unref (map->buffer);
  g_free (map);
}

/* -- queue ---------------------------------------------------------------- */

/* Sets who was last here. */
static void
set_thread (GThread ** thread, GThread * newest)
{
  if (*thread == newest)
    return;
  g_clear_pointer (thread, g_thread_unref);
  if (newest != NULL)
    *thread = g_thread_ref (newest);
}

GQueue
gst_slit_scan_map_queue_drop (GstSlitScanMapQueue * queue)
{
  GQueue dropped = queue->waiting;

  g_queue_init (&queue->waiting);
  return dropped;
}

void
gst_slit_scan_map_queue_forget_stream (GstSlitScanMapQueue * queue)
{
  queue->reached = 0;
  queue->is_live = FALSE;
  queue->has_ended = FALSE;
  queue->keeps_step = FALSE;
  queue->has_given_up = FALSE;
  set_thread (&queue->branch_thread, NULL);
}

void
gst_slit_scan_map_queue_forget_branch (GstSlitScanMapQueue * queue)
{
  gst_slit_scan_map_queue_forget_stream (queue);
  queue->patience = PATIENCE;
}

void
gst_slit_scan_map_queue_forget_frame (GstSlitScanMapQueue * queue)
{
  queue->frame_time = 0;
  queue->has_gone_on = FALSE;
  set_thread (&queue->frame_thread, NULL);
}

/* -- branch --------------------------------------------------------------- */

void
gst_slit_scan_map_queue_note_arrival (GstSlitScanMapQueue * queue)
{
  set_thread (&queue->branch_thread, g_thread_self ());
  queue->has_given_up = FALSE;
}

void
gst_slit_scan_map_queue_reach (GstSlitScanMapQueue * queue,
    GstClockTime running_time)
{
  if (running_time > queue->frame_time)
    queue->keeps_step = TRUE;
  else if (running_time < queue->reached)
    queue->keeps_step = FALSE;
  queue->reached = running_time;
}

/* None has to wait once the video has reached it, since it supersedes the
 * others; and none by the thread that also brings the video, which then would
 * never get there. Untimed buffers of a branch that is not live would come as
 * fast as they can; there is one for each frame instead. */
gboolean
gst_slit_scan_map_queue_is_full (const GstSlitScanMapQueue * queue,
    const GstSlitScanMapBuffer * map)
{
  const GList *tail = queue->waiting.tail;
  const GstSlitScanMapBuffer *last = tail != NULL ? tail->data : NULL;

  if (last == NULL || queue->frame_thread == g_thread_self ())
    return FALSE;
  if (!GST_CLOCK_TIME_IS_VALID (map->end))
    return !queue->is_live;
  return queue->waiting.length >= MAX_WAITING && map->start > last->start
      && map->start > queue->frame_time;
}

/* When the queue is full, keep the oldest entries, one of which the video will
 * reach, and replace the newest with what has just come. */
void
gst_slit_scan_map_queue_push (GstSlitScanMapQueue * queue,
    GstSlitScanMapBuffer * map, GQueue * dropped)
{
  const GstSlitScanMapBuffer *last;

  while ((last = g_queue_peek_tail (&queue->waiting)) != NULL
      && (last->start >= map->start || map->start <= queue->frame_time
          || queue->waiting.length >= MAX_WAITING)) {
    queue->counts.late++;
    g_queue_push_tail (dropped, g_queue_pop_tail (&queue->waiting));
  }
  g_queue_push_tail (&queue->waiting, map);
  gst_slit_scan_map_queue_reach (queue, map->end);
}

/* -- video ---------------------------------------------------------------- */

void
gst_slit_scan_map_queue_note_frame (GstSlitScanMapQueue * queue,
    GstClockTime running_time)
{
  queue->frame_time = running_time;
  set_thread (&queue->frame_thread, g_thread_self ());
}

GstSlitScanMapBuffer *
gst_slit_scan_map_queue_pop (GstSlitScanMapQueue * queue,
    GstSlitScanMapBuffer * newest, GQueue * dropped)
{
  GstSlitScanMapBuffer *map;

  while ((map = g_queue_peek_head (&queue->waiting)) != NULL
      && map->start <= queue->frame_time) {
    g_queue_pop_head (&queue->waiting);
    if (GST_VIDEO_INFO_FORMAT (&map->info) == GST_VIDEO_FORMAT_UNKNOWN) {
      g_queue_push_tail (dropped, map);
      continue;
    }
    if (newest != NULL) {
      queue->counts.late++;
      g_queue_push_tail (dropped, newest);
    }
    newest = map;
  }
  return newest;
}

/* Video that is going on does not stand still for a branch that begins at
 * an earlier time, as one that is added later does: it waits from where that has
 * caught up. Where one thread brings both video and map, as behind a tee without
 * queues, nothing comes while it waits. A live branch brings its buffers at
 * their running time or later: who waits for them is late at the sink. */
gboolean
gst_slit_scan_map_queue_is_uncertain (const GstSlitScanMapQueue * queue)
{
  return queue->reached <= queue->frame_time
      && (queue->keeps_step || !queue->has_gone_on)
      && !queue->has_ended && !queue->is_live && !queue->has_given_up
      && queue->branch_thread != g_thread_self ();
}

/* There is no other wait before something has arrived, and the next is eight
 * times shorter: there are pipelines in which all would be in vain. Where a tee
 * feeds the video directly, and then the map through a queue, the map of a
 * frame is not even sent before the frame is done; so such a pipeline loses six
 * seconds in all. */
gboolean
gst_slit_scan_map_queue_give_up (GstSlitScanMapQueue * queue)
{
  gboolean is_first = queue->patience == PATIENCE;

  queue->has_given_up = TRUE;
  queue->patience /= 8;
  return is_first;
}

/* Patience is back once the branch turns out to be ahead of the video, or to
 * come while it is waited for. Neither can happen where all waits are in
 * vain. */
void
gst_slit_scan_map_queue_end_frame (GstSlitScanMapQueue * queue,
    gboolean has_waited)
{
  if (queue->reached > queue->frame_time
      && (has_waited || !g_queue_is_empty (&queue->waiting)))
    queue->patience = PATIENCE;
  queue->has_gone_on = TRUE;
}
