/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The way of a frame: from the sink pad to the effect, and to the output. No
 * pixel is touched here. */

#include "gstslitscanformat.h"
#include "gstslitscanlock.h"
#include "gstslitscanprivate.h"

#define GST_CAT_DEFAULT gst_slit_scan_debug

static GstBaseTransformClass *parent_class;

gboolean
gst_slit_scan_latch (GstSlitScan * self)
{
  gint width, height;
  gboolean changes;

  GST_SLIT_SCAN_LOCK (self);
  self->frame_settings = self->values.settings;
  GST_SLIT_SCAN_UNLOCK (self);

  slit_scan_output_size (&self->frame_settings, &width, &height);

  GST_SLIT_SCAN_LOCK (self);
  changes = width != self->output_width || height != self->output_height;
  self->output_width = width;
  self->output_height = height;
  GST_SLIT_SCAN_UNLOCK (self);

  /* Else the base class would ask upstream for pictures of the canvas's size,
   * since downstream takes those. */
  gst_base_transform_set_prefer_passthrough (GST_BASE_TRANSFORM (self),
      width == 0 && height == 0);
  return changes;
}

static GstClockTime
gst_slit_scan_running_time (GstSlitScan * self, GstBuffer * buffer)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  const GstVideoInfo *info = &GST_VIDEO_FILTER (self)->in_info;
  GstClockTime time = GST_CLOCK_TIME_NONE;

  if (trans->segment.format == GST_FORMAT_TIME)
    time = gst_segment_to_running_time (&trans->segment, GST_FORMAT_TIME,
        GST_BUFFER_PTS (buffer));
  if (GST_CLOCK_TIME_IS_VALID (time))
    return time;
  if (GST_VIDEO_INFO_FPS_N (info) <= 0)
    return self->frame_time;
  return self->frame_time + gst_util_uint64_scale_int (GST_SECOND,
      GST_VIDEO_INFO_FPS_D (info), GST_VIDEO_INFO_FPS_N (info));
}

/* First thing with every frame: its settings. */
static void
gst_slit_scan_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  GstClockTime stream_time = GST_CLOCK_TIME_NONE;

  if (trans->segment.format == GST_FORMAT_TIME)
    stream_time = gst_segment_to_stream_time (&trans->segment, GST_FORMAT_TIME,
        GST_BUFFER_TIMESTAMP (buffer));
  if (GST_CLOCK_TIME_IS_VALID (stream_time))
    gst_object_sync_values (GST_OBJECT (self), stream_time);

  if (gst_slit_scan_latch (self))
    gst_base_transform_reconfigure_src (trans);

  if (self->new_segment && GST_BUFFER_IS_DISCONT (buffer))
    slit_scan_engine_forget (self->engine);
  self->new_segment = FALSE;
  self->frame_time = gst_slit_scan_running_time (self, buffer);
}

/* Gives a frame to the effect. */
static GstFlowReturn
gst_slit_scan_process (GstSlitScan * self, const GstVideoFrame * in_frame,
    const GstVideoFrame * out_frame)
{
  SlitScanPicture source, target;
  SlitScanReport report;
  SlitScanError error;

  gst_slit_scan_format_picture (in_frame, &source);
  if (out_frame != NULL)
    gst_slit_scan_format_picture (out_frame, &target);

  if (!slit_scan_engine_process (self->engine, &source,
          out_frame != NULL ? &target : NULL, self->frame_time,
          &self->frame_settings, &report, &error)) {
    gst_slit_scan_post_error (self, &error);
    return GST_FLOW_ERROR;
  }
  gst_slit_scan_publish (self, in_frame->buffer, &report);
  return GST_FLOW_OK;
}

static GstFlowReturn
gst_slit_scan_transform_frame (GstVideoFilter * filter,
    GstVideoFrame * in_frame, GstVideoFrame * out_frame)
{
  GstSlitScan *self = GST_SLIT_SCAN (filter);
  GstVideoFrame scan_frame;
  GstFlowReturn flow;

  if (self->output.converter == NULL)
    return gst_slit_scan_process (self, in_frame, out_frame);

  if (!gst_video_frame_map (&scan_frame, &self->output.scan_info,
          self->output.buffer, GST_MAP_READWRITE)) {
    GST_ELEMENT_ERROR (self, RESOURCE, FAILED,
        ("The picture could not be mapped for conversion."), (NULL));
    return GST_FLOW_ERROR;
  }
  flow = gst_slit_scan_process (self, in_frame, &scan_frame);
  if (flow == GST_FLOW_OK)
    gst_video_converter_frame (self->output.converter, &scan_frame, out_frame);
  gst_video_frame_unmap (&scan_frame);
  return flow;
}

/* A frame that is too late to be shown is still a part of the past. */
static GstFlowReturn
gst_slit_scan_submit_input_buffer (GstBaseTransform * trans, gboolean discont,
    GstBuffer * buffer)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  GstBuffer *kept = gst_buffer_ref (buffer);
  GstFlowReturn flow;
  GstVideoFrame frame;

  flow = parent_class->submit_input_buffer (trans, discont, buffer);
  if (flow == GST_BASE_TRANSFORM_FLOW_DROPPED
      && gst_video_frame_map (&frame, &GST_VIDEO_FILTER (self)->in_info, kept,
          GST_MAP_READ)) {
    GstFlowReturn absorbed = gst_slit_scan_process (self, &frame, NULL);

    gst_video_frame_unmap (&frame);
    if (absorbed != GST_FLOW_OK)
      flow = absorbed;
  }
  gst_buffer_unref (kept);
  if (flow == GST_FLOW_NOT_NEGOTIATED)
    gst_slit_scan_post_not_negotiated (self);
  return flow;
}

void
gst_slit_scan_frame_class_init (GstSlitScanClass * klass)
{
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstVideoFilterClass *filter_class = GST_VIDEO_FILTER_CLASS (klass);

  parent_class = g_type_class_peek_parent (klass);
  trans_class->before_transform =
      GST_DEBUG_FUNCPTR (gst_slit_scan_before_transform);
  trans_class->submit_input_buffer =
      GST_DEBUG_FUNCPTR (gst_slit_scan_submit_input_buffer);
  filter_class->transform_frame =
      GST_DEBUG_FUNCPTR (gst_slit_scan_transform_frame);
}
