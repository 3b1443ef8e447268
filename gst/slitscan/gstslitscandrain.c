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

#include "gstslitscanformat.h"
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
  if (direction == GST_PAD_SRC && GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    gst_slit_scan_now_add_latency (self, query);
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

/* The time from a frame to the one that comes so many after it; 0 if nothing is
 * known of the frame rate. */
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

GstClockTime
gst_slit_scan_elapsed_after (GstSlitScan * self, guint64 count)
{
  return elapsed_after (&GST_VIDEO_FILTER (self)->out_info,
      &self->stream.last_frame, count);
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

/* Draws a frame as if the last one came again, at the time that is set. */
static GstFlowReturn
draw_again (GstSlitScan * self, GstBuffer ** buffer, GstSlitScanFate fate)
{
  GstFlowReturn flow = GST_FLOW_NOT_NEGOTIATED;

  if (gst_base_transform_reconfigure (GST_BASE_TRANSFORM (self)))
    flow = allocate (self, buffer);
  if (flow == GST_FLOW_OK)
    flow = gst_slit_scan_draw (self, NULL, *buffer, fate);
  if (flow != GST_FLOW_OK)
    gst_clear_buffer (buffer);
  return flow;
}

/* Sets the time at which the last frame comes again, and takes the settings for
 * that. */
static void
turn_to (GstSlitScan * self, const GstSlitScanLastFrame * last,
    GstClockTime elapsed)
{
  GstClockTime pts = last->pts;

  if (GST_CLOCK_TIME_IS_VALID (pts)) {
    if (GST_BASE_TRANSFORM (self)->segment.rate < 0)
      pts -= MIN (elapsed, pts);
    else
      pts += elapsed;
  }
  gst_slit_scan_latch_at (self, pts);
  gst_slit_scan_set_time (self, pts);
}

guint64
gst_slit_scan_drain_held (GstSlitScan * self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstSlitScanHeld *held = &self->stream.held;
  const GstSlitScanLastFrame last = self->stream.last_frame;
  /* So many more are the future of the first one. */
  const guint missing = held->frames - MIN (held->count, held->frames);
  GstFlowReturn flow = GST_FLOW_OK;
  guint64 count = 0;

  gst_clear_buffer (&held->header);
  while (flow == GST_FLOW_OK && held->count > 0) {
    GstBuffer *buffer = NULL;

    count++;
    if (count > missing)
      gst_slit_scan_now_next (self);
    turn_to (self, &last, gst_slit_scan_elapsed_after (self, count));
    flow = draw_again (self, &buffer, held->header != NULL
        ? GST_SLIT_SCAN_FRAME_DRAWN : GST_SLIT_SCAN_FRAME_HELD);
    if (flow == GST_FLOW_OK && held->header != NULL) {
      gst_slit_scan_base_class->copy_metadata (trans, held->header, buffer);
      flow = gst_pad_push (trans->srcpad, g_steal_pointer (&buffer));
    }
    gst_clear_buffer (&buffer);
  }
  /* Events after the last one. */
  if (flow == GST_FLOW_OK)
    gst_slit_scan_now_next (self);
  gst_slit_scan_now_clear (self);
  return count;
}

void
gst_slit_scan_drain_before_caps (GstSlitScan * self, GstEvent * event)
{
  GstCaps *caps;
  GstVideoInfo info;

  if (self->stream.held.count == 0)
    return;
  gst_event_parse_caps (event, &caps);
  if (!gst_video_info_from_caps (&info, caps)
      || !gst_slit_scan_format_has_same_pixels (&info,
          &GST_VIDEO_FILTER (self)->in_info))
    gst_slit_scan_drain_held (self);
}

/* Draws and sends one drained frame. */
static GstFlowReturn
send (GstSlitScan * self, GstClockTime duration)
{
  const GstSlitScanLastFrame *last = &self->stream.last_frame;
  GstBuffer *buffer = NULL;
  GstFlowReturn flow = draw_again (self, &buffer, GST_SLIT_SCAN_FRAME_DRAINED);

  if (flow != GST_FLOW_OK)
    return flow;
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
  const guint64 held = gst_slit_scan_drain_held (self);
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
    /* Frames that are drawn are the future of these, too. */
    turn_to (self, &first, elapsed_after (info, &first, held + count));
    if (!goes_on (self)
        || next > longest_drain (self, info, &first)
        || self->stream.settings.reset_count != reset_count)
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
