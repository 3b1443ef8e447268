/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The way of a frame from the sink pad to the effect, and from there to the
 * output. No pixel is touched here. */

#include "gstslitscanformat.h"
#include "gstslitscanprivate.h"

/* As GstAllocationParams counts: bits that addresses do not have. */
#define CACHE_LINE_ALIGN 63

#define GST_CAT_DEFAULT gst_slit_scan_debug

/* Which flags of the last frame hold for its pixels, and not only for the
 * buffer that it came in: those of the video. */
#define VIDEO_FLAGS (~(GST_BUFFER_FLAG_LAST - 1))

/* -- settings ------------------------------------------------------------- */

gboolean
gst_slit_scan_follow_properties (GstSlitScan * self, SlitScanSettings * latched)
{
  SlitScanSize former, size;

  GST_OBJECT_LOCK (self);
  former = self->output_size;
  /* While a preset is loaded, frames go on with the old look. */
  if (latched == NULL || !self->is_loading_preset) {
    if (latched != NULL)
      *latched = self->values.settings;
    /* Arithmetic: the effect itself is not asked. */
    self->output_size = slit_scan_output_size (self->values.settings);
  }
  size = self->output_size;
  GST_OBJECT_UNLOCK (self);
  /* Else the base class would ask upstream for frames of the canvas's size,
   * since downstream takes those. */
  gst_base_transform_set_prefer_passthrough (GST_BASE_TRANSFORM (self),
      size.width == 0 && size.height == 0);
  return size.width != former.width || size.height != former.height;
}

void
gst_slit_scan_latch_at (GstSlitScan * self, GstClockTime timestamp)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstClockTime stream_time = GST_CLOCK_TIME_NONE;

  if (trans->segment.format == GST_FORMAT_TIME)
    stream_time = gst_segment_to_stream_time (&trans->segment, GST_FORMAT_TIME,
        timestamp);
  if (GST_CLOCK_TIME_IS_VALID (stream_time))
    gst_object_sync_values (GST_OBJECT (self), stream_time);
  if (gst_slit_scan_follow_properties (self, &self->stream.settings))
    gst_base_transform_reconfigure_src (trans);
  gst_slit_scan_now_settle (self);
  gst_slit_scan_disk_follow (self);
}

static GstClockTime
running_time (GstSlitScan * self, GstClockTime timestamp)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  const GstVideoInfo *info = &GST_VIDEO_FILTER (self)->in_info;
  GstClockTime time = GST_CLOCK_TIME_NONE;

  if (trans->segment.format == GST_FORMAT_TIME)
    time = gst_segment_to_running_time (&trans->segment, GST_FORMAT_TIME,
        timestamp);
  if (GST_CLOCK_TIME_IS_VALID (time))
    return time;
  if (GST_VIDEO_INFO_FPS_N (info) <= 0)
    return self->stream.time;
  return self->stream.time + gst_util_uint64_scale_int (GST_SECOND,
      GST_VIDEO_INFO_FPS_D (info), GST_VIDEO_INFO_FPS_N (info));
}

void
gst_slit_scan_set_time (GstSlitScan * self, GstClockTime timestamp)
{
  const GstClockTime time = running_time (self, timestamp);

  self->stream.time = time;
  self->stream.effect_time = gst_slit_scan_effect_time (time);
}

void
gst_slit_scan_forget_map (GstSlitScan * self, SlitScanMap map)
{
  SlitScanError error;

  self->engine_class->set_map (self->engine, map, NULL, &error);
}

void
gst_slit_scan_forget (GstSlitScan * self)
{
  self->engine_class->forget (self->engine);
  self->stream.last_frame.is_known = FALSE;
}

/* TRUE if a frame is over before its segment begins. */
static gboolean
is_before_segment (GstSlitScan * self, GstBuffer * buffer)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  const GstClockTime pts = GST_BUFFER_PTS (buffer);

  if (segment->format != GST_FORMAT_TIME || segment->rate < 0
      || !GST_CLOCK_TIME_IS_VALID (pts) || pts >= segment->start)
    return FALSE;
  return !GST_BUFFER_DURATION_IS_VALID (buffer)
      || GST_BUFFER_DURATION (buffer) <= segment->start - pts;
}

/* First thing with every frame. */
static void
before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  GstClockTime before;

  gst_slit_scan_latch_at (self, GST_BUFFER_TIMESTAMP (buffer));
  gst_slit_scan_set_time (self, GST_BUFFER_PTS (buffer));
  if (is_before_segment (self, buffer)
      && gst_segment_to_running_time_full (&trans->segment, GST_FORMAT_TIME,
          GST_BUFFER_PTS (buffer), &before) == -1) {
    self->stream.time = 0;
    self->stream.effect_time = GST_SLIT_SCAN_EPOCH - MIN (before,
        GST_SLIT_SCAN_EPOCH);
  }
}

/* -- the effect ----------------------------------------------------------- */

/* Keeps what the drained frames follow from. */
static void
remember (GstSlitScan * self, const GstBuffer * buffer)
{
  GstSlitScanLastFrame *last = &self->stream.last_frame;
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

/* Calls the effect: with a source, to take it in; with a target, to draw. */
static GstFlowReturn
process (GstSlitScan * self, const GstSlitScanFrame * source,
    const GstSlitScanFrame * target, GstSlitScanFate fate)
{
  GstSlitScanOutcome outcome;
  SlitScanReport report;
  SlitScanError error;
  GstClockTime start;

  gst_slit_scan_image_follow (self);
  gst_slit_scan_live_follow (self);
  gst_slit_scan_warn_of_lack (self);
  if (self->stream.settings.mode == SLIT_SCAN_MODE_SWEEP)
    self->stream.settings.line_samples =
        gst_slit_scan_color_samples (self->stream.settings.line_color,
        &GST_VIDEO_FILTER (self)->in_info);

  start = gst_util_get_timestamp ();
  outcome = self->engine_class->process (self->engine, source, target,
      self->stream.effect_time, &self->stream.settings, &report, &error);
  switch (outcome) {
    case GST_SLIT_SCAN_DONE:
      break;
    case GST_SLIT_SCAN_FAILED:
      gst_slit_scan_post_error (self, &error);
      return GST_FLOW_ERROR;
    case GST_SLIT_SCAN_UNREADABLE:
      gst_slit_scan_post_unreadable (self, source->buffer);
      return GST_FLOW_ERROR;
    case GST_SLIT_SCAN_UNWRITABLE:
      gst_slit_scan_post_unwritable (self);
      return GST_FLOW_ERROR;
  }
  if (source != NULL)
    remember (self, source->buffer);
  gst_slit_scan_publish (self, fate, &report,
      gst_util_get_timestamp () - start);
  if (GST_SLIT_SCAN_FRAME_LEAVES (fate))
    gst_slit_scan_snapshot_follow (self,
        (target != NULL ? target : source)->buffer);
  return GST_FLOW_OK;
}

/* Converts the scanned frame to the output's format. */
static GstFlowReturn
convert (GstSlitScan * self, GstBuffer * output)
{
  GstVideoFrame scan_frame, out_frame;
  GstFlowReturn flow = GST_FLOW_ERROR;

  if (!gst_video_frame_map (&scan_frame, &self->stream.output.scan_info,
          self->stream.output.buffer, GST_MAP_READ)) {
    GST_ELEMENT_ERROR (self, RESOURCE, FAILED,
        ("The frame could not be mapped for conversion."), (NULL));
    return GST_FLOW_ERROR;
  }
  if (gst_video_frame_map (&out_frame, &GST_VIDEO_FILTER (self)->out_info,
          output, GST_MAP_WRITE | GST_VIDEO_FRAME_MAP_FLAG_NO_REF)) {
    gst_video_converter_frame (self->stream.output.converter, &scan_frame,
        &out_frame);
    gst_video_frame_unmap (&out_frame);
    flow = GST_FLOW_OK;
  } else {
    gst_slit_scan_post_unwritable (self);
  }
  gst_video_frame_unmap (&scan_frame);
  return flow;
}

GstFlowReturn
gst_slit_scan_draw (GstSlitScan * self, GstBuffer * buffer, GstBuffer * output,
    GstSlitScanFate fate)
{
  const GstVideoFilter *filter = GST_VIDEO_FILTER (self);
  const gboolean converts = self->stream.output.converter != NULL;
  const GstSlitScanFrame source = { buffer, &filter->in_info };
  const GstSlitScanFrame target = {
    converts ? self->stream.output.buffer : output,
    converts ? &self->stream.output.scan_info : &filter->out_info
  };
  GstFlowReturn flow =
      process (self, buffer != NULL ? &source : NULL, &target, fate);

  if (flow == GST_FLOW_OK && converts)
    flow = convert (self, output);
  return flow;
}

/* Gives a frame to the effect that nothing is drawn of. */
static GstFlowReturn
absorb (GstSlitScan * self, GstBuffer * buffer, GstSlitScanFate fate)
{
  const GstSlitScanFrame source = { buffer, &GST_VIDEO_FILTER (self)->in_info };

  return process (self, &source, NULL, fate);
}

/* -- the base class ------------------------------------------------------- */

/* A frame that is too late to be shown, or from before its segment, still becomes
 * a part of history, and so does one before which others leave. */
GstFlowReturn
submit_input_buffer (GstBaseTransform * trans, gboolean discont,
    GstBuffer * buffer)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  g_autoptr (GstBuffer) kept = gst_buffer_ref (buffer);
  const gboolean is_early = is_before_segment (self, kept);
  const gboolean holds = gst_slit_scan_now_holds (self);
  GstSlitScanFate fate = GST_SLIT_SCAN_FRAME_LATE;
  GstFlowReturn flow;

  gst_clear_buffer (&self->stream.held.header);
  if (holds) {
    gst_buffer_unref (buffer);
    buffer = gst_slit_scan_now_turn (self, is_early ? NULL : kept);
  }
  flow = gst_slit_scan_base_class->submit_input_buffer (trans, discont, buffer);
  if (flow == GST_FLOW_OK && holds) {
    gst_buffer_replace (&trans->queued_buf, kept);
    if (self->stream.held.header == NULL) {
      gst_clear_buffer (&trans->queued_buf);
      gst_slit_scan_snapshot_before_change (self);
      flow = absorb (self, kept, GST_SLIT_SCAN_FRAME_HELD);
    }
  } else if (flow == GST_FLOW_OK && is_early) {
    gst_clear_buffer (&trans->queued_buf);
    flow = GST_BASE_TRANSFORM_FLOW_DROPPED;
    fate = GST_SLIT_SCAN_FRAME_EARLY;
  }
  if (flow == GST_BASE_TRANSFORM_FLOW_DROPPED) {
    gst_slit_scan_snapshot_before_late (self);
    if (absorb (self, kept, fate) != GST_FLOW_OK)
      flow = GST_FLOW_ERROR;
  }
  if (flow == GST_FLOW_NOT_NEGOTIATED)
    gst_slit_scan_post_not_negotiated (self);
  return flow;
}

/* Asks for buffers that begin with a cache line, which the effect stores past the
 * caches as a whole. */
static void
align_allocation (GstQuery * query)
{
  g_autoptr (GstAllocator) allocator = NULL;
  GstAllocationParams params;

  gst_allocation_params_init (&params);
  if (gst_query_get_n_allocation_params (query) == 0)
    gst_query_add_allocation_param (query, NULL, &params);
  gst_query_parse_nth_allocation_param (query, 0, &allocator, &params);
  params.align |= CACHE_LINE_ALIGN;
  gst_query_set_nth_allocation_param (query, 0, allocator, &params);
}

static gboolean
decide_allocation (GstBaseTransform * trans, GstQuery * query)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);

  self->stream.downstream_takes_meta = gst_query_find_allocation_meta (query,
      GST_VIDEO_META_API_TYPE, NULL);
  align_allocation (query);
  return gst_slit_scan_base_class->decide_allocation (trans, query);
}

/* TRUE if the planes lie where the caps alone say. */
static gboolean
is_plain (GstBuffer * buffer, const GstVideoInfo * info)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  if (meta == NULL)
    return TRUE;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    if (meta->offset[i] != GST_VIDEO_INFO_PLANE_OFFSET (info, i)
        || meta->stride[i] != GST_VIDEO_INFO_PLANE_STRIDE (info, i))
      return FALSE;
  }
  return TRUE;
}

/* TRUE if the output is the frame as it came, so that its buffer can go on.
 *
 * The base class's own passthrough would do the same, but take the pool away
 * and ask upstream to use downstream's: too much for a fader that touches 0.
 * With feedback, the effect must know what has left. */
static gboolean
passes (GstSlitScan * self, GstBuffer * buffer)
{
  return self->stream.held.header == NULL
      && self->stream.settings.feedback == 0
      && slit_scan_shows_frame (self->stream.settings)
      && self->stream.has_same_caps && (self->stream.downstream_takes_meta
      || is_plain (buffer, &GST_VIDEO_FILTER (self)->out_info));
}

static GstFlowReturn
prepare_output_buffer (GstBaseTransform * trans, GstBuffer * buffer,
    GstBuffer ** output)
{
  if (!passes (GST_SLIT_SCAN (trans), buffer))
    return gst_slit_scan_base_class->prepare_output_buffer (trans, buffer,
        output);
  *output = buffer;
  return GST_FLOW_OK;
}

/* In the place of GstVideoFilter's, which would only warn of a buffer that
 * cannot be mapped, and send a frame that was not drawn. */
static GstFlowReturn
transform (GstBaseTransform * trans, GstBuffer * buffer, GstBuffer * output)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);

  if (output == buffer)
    return absorb (self, buffer, GST_SLIT_SCAN_FRAME_PASSED);
  return gst_slit_scan_draw (self, buffer, output, GST_SLIT_SCAN_FRAME_DRAWN);
}

void
gst_slit_scan_frame_class_init (GstBaseTransformClass * klass)
{
  klass->before_transform = GST_DEBUG_FUNCPTR (before_transform);
  klass->submit_input_buffer = GST_DEBUG_FUNCPTR (submit_input_buffer);
  klass->decide_allocation = GST_DEBUG_FUNCPTR (decide_allocation);
  klass->prepare_output_buffer = GST_DEBUG_FUNCPTR (prepare_output_buffer);
  klass->transform = GST_DEBUG_FUNCPTR (transform);
}
