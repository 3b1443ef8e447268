/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* What goes on when the stream has ended: pictures at the frame rate, as if the
 * last frame came again, until every pixel shows it. */

#include "gstslitscanprivate.h"

#define GST_CAT_DEFAULT gst_slit_scan_debug

/* Which flags of the last frame hold for its picture, and not only for the
 * buffer that it came in: those of the video. */
#define VIDEO_FLAGS (~(GST_BUFFER_FLAG_LAST - 1))

void
gst_slit_scan_drain_remember (GstSlitScan * self, const GstBuffer * buffer)
{
  GstSlitScanLastFrame *last = &self->last_frame;
  GstClockTime pts = GST_BUFFER_PTS (buffer);

  last->interval = 0;
  if (last->is_known && GST_CLOCK_TIME_IS_VALID (pts)
      && GST_CLOCK_TIME_IS_VALID (last->pts) && pts > last->pts)
    last->interval = pts - last->pts;
  last->is_known = TRUE;
  last->pts = pts;
  last->duration = GST_BUFFER_DURATION (buffer);
  last->offset = GST_BUFFER_OFFSET (buffer);
  last->offset_end = GST_BUFFER_OFFSET_END (buffer);
  last->flags = GST_BUFFER_FLAGS (buffer) & VIDEO_FLAGS;
}

/* Whether it is wanted now, though no frame may have come since. */
static gboolean
gst_slit_scan_drain_is_wanted (GstSlitScan * self)
{
  gboolean is_wanted;

  GST_OBJECT_LOCK (self);
  is_wanted = self->values.settings.drain;
  GST_OBJECT_UNLOCK (self);
  return is_wanted;
}

/* Whether there is more to come. What is frozen does not move on, what is fed
 * back whole does not fade, and without any of the effect, the last frame is
 * all there is to be seen. */
static gboolean
gst_slit_scan_drain_goes_on (GstSlitScan * self)
{
  const SlitScanSettings *settings = &self->frame_settings;

  return settings->drain && settings->mode == SLIT_SCAN_MODE_DISPLACE
      && !settings->freeze && settings->feedback < 1 && settings->mix > 0
      && !self->has_caught_up;
}

/* The time from the last frame to a picture after it; 0 if nothing is known of
 * the frame rate. */
static GstClockTime
gst_slit_scan_drain_elapsed (const GstVideoInfo * info,
    const GstSlitScanLastFrame * last, guint64 count)
{
  if (GST_VIDEO_INFO_FPS_N (info) > 0)
    return gst_util_uint64_scale (count,
        GST_VIDEO_INFO_FPS_D (info) * GST_SECOND, GST_VIDEO_INFO_FPS_N (info));
  if (GST_CLOCK_TIME_IS_VALID (last->duration) && last->duration > 0)
    return count * last->duration;
  return count * last->interval;
}

/* Tells downstream that the segment goes on: what lies beyond its end would be
 * clipped. */
static void
gst_slit_scan_drain_open_segment (GstSlitScan * self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstEvent *event, *current;

  if (!GST_CLOCK_TIME_IS_VALID (trans->segment.stop))
    return;
  trans->segment.stop = GST_CLOCK_TIME_NONE;
  event = gst_event_new_segment (&trans->segment);
  current = gst_pad_get_sticky_event (trans->srcpad, GST_EVENT_SEGMENT, 0);
  if (current != NULL) {
    gst_event_set_seqnum (event, gst_event_get_seqnum (current));
    gst_event_unref (current);
  }
  gst_pad_push_event (trans->srcpad, event);
}

/* A buffer for the output, as the base class gets its own. */
static GstFlowReturn
gst_slit_scan_drain_allocate (GstSlitScan * self, GstBuffer ** buffer)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstBufferPool *pool = gst_base_transform_get_buffer_pool (trans);
  GstFlowReturn flow;

  if (pool == NULL) {
    GstAllocator *allocator;
    GstAllocationParams params;

    gst_base_transform_get_allocator (trans, &allocator, &params);
    *buffer = gst_buffer_new_allocate (allocator,
        GST_VIDEO_INFO_SIZE (&GST_VIDEO_FILTER (self)->out_info), &params);
    gst_clear_object (&allocator);
    return *buffer != NULL ? GST_FLOW_OK : GST_FLOW_ERROR;
  }
  /* Where every frame has passed as it came, nobody has used it yet. */
  gst_buffer_pool_set_active (pool, TRUE);
  flow = gst_buffer_pool_acquire_buffer (pool, buffer, NULL);
  gst_object_unref (pool);
  return flow;
}

/* Draws and sends one picture. */
static GstFlowReturn
gst_slit_scan_drain_send (GstSlitScan * self, GstClockTime duration)
{
  const GstSlitScanLastFrame *last = &self->last_frame;
  GstBuffer *buffer;
  GstVideoFrame frame;
  GstFlowReturn flow = gst_slit_scan_drain_allocate (self, &buffer);

  if (flow != GST_FLOW_OK)
    return flow;
  if (gst_video_frame_map (&frame, &GST_VIDEO_FILTER (self)->out_info, buffer,
          GST_MAP_WRITE | GST_VIDEO_FRAME_MAP_FLAG_NO_REF)) {
    flow = gst_slit_scan_draw (self, NULL, &frame);
    gst_video_frame_unmap (&frame);
  } else {
    flow = GST_FLOW_ERROR;
  }
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
  GstSlitScanLastFrame *last = &self->last_frame;
  const GstSlitScanLastFrame first = *last;
  guint32 reset_count = self->frame_settings.reset_count;
  GstClockTime elapsed = 0;

  if (!last->is_known || trans->segment.rate < 0
      || !gst_slit_scan_drain_is_wanted (self))
    return;
  for (guint64 count = 1;; count++) {
    GstClockTime next = gst_slit_scan_drain_elapsed (info, &first, count);

    if (GST_CLOCK_TIME_IS_VALID (first.pts))
      last->pts = first.pts + next;
    if (first.offset != GST_BUFFER_OFFSET_NONE)
      last->offset = first.offset + count;
    if (first.offset_end != GST_BUFFER_OFFSET_NONE)
      last->offset_end = first.offset_end + count;

    /* No time passes where no rate is known: that has no end. */
    if (next == elapsed)
      return;
    if (count == 1)
      gst_slit_scan_drain_open_segment (self);
    gst_slit_scan_latch_at (self, last->pts);
    self->frame_time = gst_slit_scan_running_time (self, last->pts);
    if (!gst_slit_scan_drain_goes_on (self)
        || self->frame_settings.reset_count != reset_count
        || !gst_base_transform_reconfigure (trans)
        || gst_slit_scan_drain_send (self, next - elapsed) != GST_FLOW_OK)
      return;
    if (GST_CLOCK_TIME_IS_VALID (last->pts))
      trans->segment.position = last->pts + (next - elapsed);
    elapsed = next;
  }
}
