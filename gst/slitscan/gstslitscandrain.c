/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The drain: after the end of the stream, the element sends frames at the
 * frame rate, as if the last frame came again, until every pixel shows it.
 *
 * These frames come after the end of the stream's own segment, which is
 * extended for them, but not after the end that a seek has asked for. The
 * duration reported downstream includes them, so that no position exceeds
 * it. */

#include "gstslitscanprivate.h"

#define GST_CAT_DEFAULT gst_slit_scan_debug

/* Feedback decays ever more slowly: the longest time that it is awaited after
 * the longest delay. */
#define LONGEST_ECHO (60 * GST_SECOND)

/* -- seeks and queries ---------------------------------------------------- */

GstSlitScanSeek
gst_slit_scan_drain_seek (GstSlitScan * self, GstEvent * event)
{
  GstSlitScanSeek before;
  GstSeekType stop_type;
  gint64 stop;

  gst_event_parse_seek (event, NULL, NULL, NULL, NULL, NULL, &stop_type, &stop);
  GST_OBJECT_LOCK (self);
  before = self->seek;
  self->seek.seqnum = gst_event_get_seqnum (event);
  /* Else the stop stays as it is. */
  if (stop_type != GST_SEEK_TYPE_NONE)
    self->seek.has_stop = stop_type == GST_SEEK_TYPE_END || stop != -1;
  GST_OBJECT_UNLOCK (self);
  return before;
}

void
gst_slit_scan_drain_set_end (GstSlitScan * self, GstClockTime end)
{
  GST_OBJECT_LOCK (self);
  self->drained_until = end;
  GST_OBJECT_UNLOCK (self);
}

gboolean
gst_slit_scan_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  GstFormat format;
  GstClockTime end;
  gint64 duration;

  if (!gst_slit_scan_base_class->query (trans, direction, query))
    return FALSE;
  if (direction != GST_PAD_SRC || GST_QUERY_TYPE (query) != GST_QUERY_DURATION)
    return TRUE;

  GST_OBJECT_LOCK (self);
  end = self->drained_until;
  GST_OBJECT_UNLOCK (self);
  gst_query_parse_duration (query, &format, &duration);
  if (format == GST_FORMAT_TIME && duration >= 0
      && GST_CLOCK_TIME_IS_VALID (end) && (GstClockTime) duration < end)
    gst_query_set_duration (query, format, end);
  return TRUE;
}

/* -- drained frames ------------------------------------------------------- */

/* TRUE if there is more to come. What is frozen does not move on, what is fed
 * back whole does not fade, and without any of the effect, the last frame is
 * all there is to be seen. */
static gboolean
goes_on (GstSlitScan * self)
{
  const SlitScanSettings *settings = &self->stream.settings;

  return settings->drain && settings->mode == SLIT_SCAN_MODE_DISPLACE
      && !settings->freeze && settings->feedback < 1 && settings->mix > 0
      && !self->stream.has_caught_up;
}

/* The time from the last frame to a drained frame; 0 if nothing is known of
 * the frame rate. */
static GstClockTime
elapsed_after (const GstVideoInfo * info, const GstSlitScanLastFrame * last,
    guint64 count)
{
  if (GST_VIDEO_INFO_FPS_N (info) > 0)
    return gst_util_uint64_scale (count,
        GST_VIDEO_INFO_FPS_D (info) * GST_SECOND, GST_VIDEO_INFO_FPS_N (info));
  if (GST_CLOCK_TIME_IS_VALID (last->duration) && last->duration > 0)
    return count * last->duration;
  return count * last->interval;
}

/* The time from the last frame to the last possible drained frame. */
static GstClockTime
longest_drain (GstSlitScan * self, const GstVideoInfo * info,
    const GstSlitScanLastFrame * last)
{
  /* Only this thread writes it. */
  guint depth = self->values.readings.depth;

  if (self->stream.settings.feedback == 0)
    return GST_CLOCK_TIME_NONE;
  return elapsed_after (info, last, MAX (depth, 1) - 1) + LONGEST_ECHO;
}

/* Tells downstream that the segment goes on: what lies beyond its end would be
 * clipped. */
static void
open_segment (GstSlitScan * self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  g_autoptr (GstEvent) current =
      gst_pad_get_sticky_event (trans->srcpad, GST_EVENT_SEGMENT, 0);
  GstEvent *event;

  if (!GST_CLOCK_TIME_IS_VALID (trans->segment.stop))
    return;
  trans->segment.stop = GST_CLOCK_TIME_NONE;
  event = gst_event_new_segment (&trans->segment);
  if (current != NULL)
    gst_event_set_seqnum (event, gst_event_get_seqnum (current));
  gst_pad_push_event (trans->srcpad, event);
}

/* A buffer for the output, as the base class gets its own. */
static GstFlowReturn
allocate (GstSlitScan * self, GstBuffer ** buffer)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  g_autoptr (GstBufferPool) pool = gst_base_transform_get_buffer_pool (trans);
  g_autoptr (GstAllocator) allocator = NULL;
  GstAllocationParams params;

  if (pool != NULL) {
    /* Where every frame has passed as it came, it has not been used yet. */
    gst_buffer_pool_set_active (pool, TRUE);
    return gst_buffer_pool_acquire_buffer (pool, buffer, NULL);
  }
  gst_base_transform_get_allocator (trans, &allocator, &params);
  *buffer = gst_buffer_new_allocate (allocator,
      GST_VIDEO_INFO_SIZE (&GST_VIDEO_FILTER (self)->out_info), &params);
  return *buffer != NULL ? GST_FLOW_OK : GST_FLOW_ERROR;
}

/* Draws and sends one drained frame. */
static GstFlowReturn
send (GstSlitScan * self, GstClockTime duration)
{
  const GstSlitScanLastFrame *last = &self->stream.last_frame;
  GstBuffer *buffer;
  GstFlowReturn flow = allocate (self, &buffer);

  if (flow != GST_FLOW_OK)
    return flow;
  flow = gst_slit_scan_draw (self, NULL, buffer);
  if (flow != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return flow;
  }
  GST_BUFFER_PTS (buffer) = last->pts;
  GST_BUFFER_DURATION (buffer) = duration;
  GST_BUFFER_OFFSET (buffer) = last->offset;
  GST_BUFFER_OFFSET_END (buffer) = last->offset_end;
  GST_BUFFER_FLAG_SET (buffer, last->flags);
  return gst_pad_push (GST_BASE_TRANSFORM (self)->srcpad, buffer);
}

void
gst_slit_scan_drain (GstSlitScan * self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  const GstVideoInfo *info = &GST_VIDEO_FILTER (self)->out_info;
  GstSlitScanLastFrame *last = &self->stream.last_frame;
  const GstSlitScanLastFrame first = *last;
  GstClockTime stop = GST_CLOCK_TIME_NONE;
  guint32 reset_count = self->stream.settings.reset_count;
  GstClockTime elapsed = 0;
  gboolean is_wanted;

  /* Now, though no frame may have come since. */
  GST_OBJECT_LOCK (self);
  is_wanted = self->values.settings.drain;
  /* A segment that a seek has led to has the number of its event. */
  if (self->seek.has_stop && self->seek.seqnum == self->stream.segment_seqnum)
    stop = trans->segment.stop;
  GST_OBJECT_UNLOCK (self);
  if (!is_wanted || !last->is_known || trans->segment.rate < 0)
    return;
  for (guint64 count = 1;; count++) {
    GstClockTime next = elapsed_after (info, &first, count);
    GstClockTime duration = next - elapsed;

    if (GST_CLOCK_TIME_IS_VALID (first.pts))
      last->pts = first.pts + next;
    if (first.offset != GST_BUFFER_OFFSET_NONE)
      last->offset = first.offset + count;
    if (first.offset_end != GST_BUFFER_OFFSET_NONE)
      last->offset_end = first.offset_end + count;

    /* No time passes where no rate is known: that has no end. */
    if (next == elapsed)
      break;
    if (GST_CLOCK_TIME_IS_VALID (stop) && GST_CLOCK_TIME_IS_VALID (last->pts)) {
      if (last->pts >= stop)
        break;
      duration = MIN (duration, stop - last->pts);
    } else if (count == 1) {
      open_segment (self);
    }
    gst_slit_scan_latch_at (self, last->pts);
    gst_slit_scan_set_time (self, last->pts);
    if (!goes_on (self)
        || next > longest_drain (self, info, &first)
        || self->stream.settings.reset_count != reset_count
        || !gst_base_transform_reconfigure (trans))
      break;
    if (GST_CLOCK_TIME_IS_VALID (last->pts)) {
      trans->segment.position = last->pts + duration;
      gst_slit_scan_drain_set_end (self,
          gst_segment_to_stream_time (&trans->segment, GST_FORMAT_TIME,
              trans->segment.position));
    }
    if (send (self, duration) != GST_FLOW_OK)
      break;
    elapsed = next;
  }
  if (elapsed > 0)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_duration_changed (GST_OBJECT (self)));
}
