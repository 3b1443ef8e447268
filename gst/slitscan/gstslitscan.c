/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/**
 * SECTION:element-slitscan
 * @title: slitscan
 *
 * Turns time into space: every pixel of the picture is taken from a different
 * moment. A #GstSlitScan:map says when the slit visits each pixel, and
 * #GstSlitScan:mode what that means: a delay (`displace`), a slit that freezes
 * what it has passed (`sweep`), or a line that is appended to a canvas
 * (`strip`).
 *
 * Frames are copied into a history of the element's own; no upstream buffer is
 * held. The element adds no latency.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 v4l2src ! slitscan ! autovideosink
 * ]|
 * Every row of the camera's picture is older than the one above.
 * |[
 * gst-launch-1.0 v4l2src ! slitscan map=radial interpolation=linear ! autovideosink
 * ]|
 * Time runs outwards in rings.
 * |[
 * gst-launch-1.0 v4l2src ! slitscan mode=sweep angle=90 sweep-loop=loop ! autovideosink
 * ]|
 * Time warp scan: a slit moves to the right and freezes what it has passed.
 * |[
 * gst-launch-1.0 v4l2src ! slitscan mode=strip angle=90 ! autovideosink
 * ]|
 * Photo finish: the column in the middle of every frame, side by side.
 *
 * Since: 0.1
 */

/* The element: pads, negotiation, and the way of a frame to the effect. No
 * pixel is touched here.
 *
 * Threads and locks: `settings` and `readings` are guarded by the object lock,
 * which is never held while the effect is called. Everything else belongs to
 * the streaming thread. */

#include "gstslitscan.h"

#include <string.h>

#include "gstslitscanformat.h"
#include "gstslitscanlock.h"
#include "gstslitscannegotiation.h"
#include "gstslitscanoutput.h"
#include "gstslitscanproperties.h"

GST_DEBUG_CATEGORY_STATIC (gst_slit_scan_debug);
#define GST_CAT_DEFAULT gst_slit_scan_debug

enum
{
  SIGNAL_RESET,
  SIGNAL_SNAPSHOT,
  LAST_SIGNAL
};

static guint signals[LAST_SIGNAL];

struct _GstSlitScan
{
  GstVideoFilter parent;

  SlitScanEngine *engine;

  /* Guarded by the object lock. */
  SlitScanSettings settings;
  GstSlitScanReadings readings;
  gboolean is_streaming;
  /* The size of the output, 0 where it is the picture's. While streaming, only
   * the streaming thread writes it, so that negotiation and frames agree. */
  gint output_width;
  gint output_height;
  /* For snapshots: the scanned picture's kind and time. */
  GstVideoInfo scan_info;
  GstClockTime last_pts;

  /* Streaming thread. */
  SlitScanSettings frame_settings;
  GstClockTime frame_time;
  guint limited_depth;
  gboolean new_segment;
  gboolean error_is_posted;
  GstSlitScanOutput output;
};

#define gst_slit_scan_parent_class parent_class
G_DEFINE_TYPE (GstSlitScan, gst_slit_scan, GST_TYPE_VIDEO_FILTER);
GST_ELEMENT_REGISTER_DEFINE (slitscan, "slitscan", GST_RANK_NONE,
    GST_TYPE_SLIT_SCAN);

/* -- settings ------------------------------------------------------------- */

/* Takes the settings for what comes next; TRUE if the output's size changes
 * with them. */
static gboolean
gst_slit_scan_latch (GstSlitScan * self)
{
  gint width, height;
  gboolean changes;

  GST_SLIT_SCAN_LOCK (self);
  self->frame_settings = self->settings;
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

static void
gst_slit_scan_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstSlitScan *self = GST_SLIT_SCAN (object);
  gboolean is_set, is_streaming;

  GST_SLIT_SCAN_LOCK (self);
  is_set = gst_slit_scan_properties_set (&self->settings, id, value);
  is_streaming = self->is_streaming;
  GST_SLIT_SCAN_UNLOCK (self);

  /* Pads are linked, and caps asked for, before anything streams. */
  if (!is_streaming)
    gst_slit_scan_latch (self);
  if (!is_set)
    GST_WARNING_OBJECT (self, "ignoring a value of %s that is not a number",
        pspec->name);
}

static void
gst_slit_scan_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstSlitScan *self = GST_SLIT_SCAN (object);
  gboolean is_known;

  GST_SLIT_SCAN_LOCK (self);
  is_known = gst_slit_scan_properties_get (&self->settings, &self->readings,
      id, value);
  GST_SLIT_SCAN_UNLOCK (self);

  if (!is_known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_slit_scan_reset (GstSlitScan * self)
{
  GST_SLIT_SCAN_LOCK (self);
  self->settings.reset_count++;
  GST_SLIT_SCAN_UNLOCK (self);
}

static GstSample *
gst_slit_scan_snapshot (GstSlitScan * self)
{
  GstVideoInfo scan_info;
  GstClockTime pts;

  GST_SLIT_SCAN_LOCK (self);
  scan_info = self->scan_info;
  pts = self->last_pts;
  GST_SLIT_SCAN_UNLOCK (self);
  return gst_slit_scan_output_redraw (self->engine, &scan_info, pts);
}

/* -- negotiation ---------------------------------------------------------- */

static void
gst_slit_scan_get_output_size (GstSlitScan * self, gint * width, gint * height)
{
  GST_SLIT_SCAN_LOCK (self);
  *width = self->output_width;
  *height = self->output_height;
  GST_SLIT_SCAN_UNLOCK (self);
}

static GstCaps *
gst_slit_scan_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  GstCaps *result;
  gint width, height;

  gst_slit_scan_get_output_size (self, &width, &height);
  result = gst_slit_scan_negotiation_transform (direction, caps, width, height);
  if (filter != NULL) {
    GstCaps *filtered = gst_caps_intersect_full (filter, result,
        GST_CAPS_INTERSECT_FIRST);

    gst_caps_unref (result);
    result = filtered;
  }
  GST_DEBUG_OBJECT (self, "%" GST_PTR_FORMAT " on the %s pad allows %"
      GST_PTR_FORMAT, caps, direction == GST_PAD_SINK ? "sink" : "source",
      result);
  return result;
}

static GstCaps *
gst_slit_scan_fixate_caps (GstBaseTransform * trans, GstPadDirection direction,
    GstCaps * caps, GstCaps * othercaps)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  gint width, height;

  if (direction == GST_PAD_SINK) {
    gst_slit_scan_get_output_size (self, &width, &height);
    return gst_slit_scan_negotiation_fixate (caps, othercaps, width, height);
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)->fixate_caps (trans,
      direction, caps, othercaps);
}

/* Says why nothing can be scanned; once, though upstream may try again. */
static void
gst_slit_scan_post_error (GstSlitScan * self, const SlitScanError * error)
{
  if (self->error_is_posted)
    return;
  self->error_is_posted = TRUE;
  if (error->code == SLIT_SCAN_ERROR_OUT_OF_MEMORY)
    GST_ELEMENT_ERROR (self, RESOURCE, NO_SPACE_LEFT, ("%s", error->message),
        (NULL));
  else
    GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("%s", error->message), (NULL));
}

/* A failed negotiation ends the stream; the element before this one would
 * report it without knowing why. */
static void
gst_slit_scan_post_not_negotiated (GstSlitScan * self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstCaps *caps;

  if (self->error_is_posted || GST_PAD_IS_FLUSHING (trans->sinkpad)
      || GST_PAD_IS_FLUSHING (trans->srcpad))
    return;
  self->error_is_posted = TRUE;
  caps = gst_pad_get_current_caps (trans->sinkpad);
  if (caps == NULL)
    GST_ELEMENT_ERROR (self, STREAM, WRONG_TYPE,
        ("slitscan scans raw video. Put decodebin and videoconvert before it."),
        ("a buffer came without caps"));
  else
    GST_ELEMENT_ERROR (self, CORE, NEGOTIATION,
        ("What slitscan makes of this video, the element after it does not "
            "take. Put videoconvert and videoscale after slitscan."),
        ("input is %" GST_PTR_FORMAT, caps));
  gst_clear_caps (&caps);
}

/* The effect is told first: it knows why a size is impossible, where the caps
 * can only be called invalid. */
static gboolean
gst_slit_scan_set_caps (GstBaseTransform * trans, GstCaps * incaps,
    GstCaps * outcaps)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  GstStructure *output = gst_caps_get_structure (outcaps, 0);
  GstVideoInfo in_info;
  SlitScanLayout layout;
  SlitScanError error;
  gint width, height;

  if (!gst_video_info_from_caps (&in_info, incaps)
      || !gst_structure_get_int (output, "width", &width)
      || !gst_structure_get_int (output, "height", &height))
    return FALSE;

  gst_slit_scan_format_layout (&in_info, &layout);
  if (!slit_scan_engine_configure (self->engine, &layout, width, height,
          &self->frame_settings, &error)) {
    gst_slit_scan_post_error (self, &error);
    return FALSE;
  }
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->set_caps (trans, incaps,
          outcaps))
    return FALSE;
  self->error_is_posted = FALSE;
  return TRUE;
}

static gboolean
gst_slit_scan_set_info (GstVideoFilter * filter, GstCaps * incaps,
    GstVideoInfo * in_info, GstCaps * outcaps, GstVideoInfo * out_info)
{
  GstSlitScan *self = GST_SLIT_SCAN (filter);
  GstVideoInfo scan_info;

  /* Other pictures than before, though they may look alike. */
  if (filter->negotiated && !gst_video_info_is_equal (in_info,
          &filter->in_info))
    slit_scan_engine_forget (self->engine);

  if (!gst_slit_scan_output_describe (in_info, out_info, &scan_info)
      || !gst_slit_scan_output_prepare (&self->output, &scan_info, out_info)) {
    self->error_is_posted = TRUE;
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("slitscan cannot convert %s to %s. Put videoconvert after it.",
            GST_VIDEO_INFO_NAME (in_info), GST_VIDEO_INFO_NAME (out_info)),
        ("%" GST_PTR_FORMAT " to %" GST_PTR_FORMAT, incaps, outcaps));
    return FALSE;
  }
  GST_SLIT_SCAN_LOCK (self);
  self->scan_info = scan_info;
  GST_SLIT_SCAN_UNLOCK (self);
  return TRUE;
}

/* -- stream --------------------------------------------------------------- */

static gboolean
gst_slit_scan_start (GstBaseTransform * trans)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);

  self->frame_time = 0;
  self->limited_depth = 0;
  self->new_segment = FALSE;
  self->error_is_posted = FALSE;
  gst_slit_scan_latch (self);
  GST_SLIT_SCAN_LOCK (self);
  self->is_streaming = TRUE;
  GST_SLIT_SCAN_UNLOCK (self);
  return TRUE;
}

static gboolean
gst_slit_scan_stop (GstBaseTransform * trans)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);

  slit_scan_engine_release (self->engine);
  gst_slit_scan_output_clear (&self->output);

  GST_SLIT_SCAN_LOCK (self);
  memset (&self->readings, 0, sizeof (self->readings));
  self->is_streaming = FALSE;
  gst_video_info_init (&self->scan_info);
  GST_SLIT_SCAN_UNLOCK (self);
  return TRUE;
}

static gboolean
gst_slit_scan_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  gboolean is_caps = GST_EVENT_TYPE (event) == GST_EVENT_CAPS;
  gboolean handled;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_slit_scan_latch (self);
      break;
    case GST_EVENT_FLUSH_STOP:
      slit_scan_engine_forget (self->engine);
      break;
    case GST_EVENT_SEGMENT:
      self->new_segment = TRUE;
      break;
    default:
      break;
  }
  handled = GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
  if (is_caps && !handled)
    gst_slit_scan_post_not_negotiated (self);
  return handled;
}

/* The frame's running time. Where it has none, the last frame's goes on at the
 * frame rate. */
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

/* What the application should know after a frame. */
static void
gst_slit_scan_publish (GstSlitScan * self, const GstBuffer * buffer,
    const SlitScanReport * report)
{
  GST_SLIT_SCAN_LOCK (self);
  self->last_pts = GST_BUFFER_PTS (buffer);
  self->readings.progress = report->progress;
  self->readings.history_bytes = report->history_bytes;
  self->readings.history_frames = report->history_frames;
  GST_SLIT_SCAN_UNLOCK (self);

  if (report->completes)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_element (GST_OBJECT (self),
            gst_structure_new ("slitscan-complete",
                "running-time", G_TYPE_UINT64, self->frame_time, NULL)));

  if (report->limited_depth != self->limited_depth
      && report->limited_depth != 0) {
    GST_ELEMENT_WARNING (self, RESOURCE, NO_SPACE_LEFT,
        ("Only %u of %u frames of history fit into max-memory; the effect goes "
            "on with these. Set a smaller depth, or raise max-memory.",
            report->limited_depth, self->frame_settings.depth), (NULL));
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_element (GST_OBJECT (self),
            gst_structure_new ("slitscan-depth-limited",
                "depth", G_TYPE_UINT, report->limited_depth,
                "wanted", G_TYPE_UINT, self->frame_settings.depth, NULL)));
  }
  self->limited_depth = report->limited_depth;
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

  flow = GST_BASE_TRANSFORM_CLASS (parent_class)->submit_input_buffer (trans,
      discont, buffer);
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

/* -- type ----------------------------------------------------------------- */

static void
gst_slit_scan_finalize (GObject * object)
{
  GstSlitScan *self = GST_SLIT_SCAN (object);

  gst_slit_scan_output_clear (&self->output);
  slit_scan_engine_free (self->engine);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_slit_scan_class_init (GstSlitScanClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstVideoFilterClass *filter_class = GST_VIDEO_FILTER_CLASS (klass);
  GstCaps *caps;

  GST_DEBUG_CATEGORY_INIT (gst_slit_scan_debug, "slitscan", 0,
      "slit-scan effect");

  object_class->set_property = gst_slit_scan_set_property;
  object_class->get_property = gst_slit_scan_get_property;
  object_class->finalize = gst_slit_scan_finalize;
  gst_slit_scan_properties_install (object_class);

  /**
   * GstSlitScan::reset:
   *
   * Forget all frames: history is empty and a sweep starts again with the next
   * frame.
   *
   * Since: 0.1
   */
  signals[SIGNAL_RESET] = g_signal_new_class_handler ("reset",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (gst_slit_scan_reset), NULL, NULL, NULL, G_TYPE_NONE, 0);

  /**
   * GstSlitScan::snapshot:
   *
   * Draw the last output again, in the format that comes in. Waits for a frame
   * that is being made.
   *
   * Returns: (transfer full) (nullable): the picture with its caps and its
   * presentation time; %NULL before the first frame
   *
   * Since: 0.1
   */
  signals[SIGNAL_SNAPSHOT] = g_signal_new_class_handler ("snapshot",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (gst_slit_scan_snapshot), NULL, NULL, NULL, GST_TYPE_SAMPLE,
      0);

  gst_element_class_set_static_metadata (element_class, "Slit-scan",
      "Filter/Effect/Video",
      "Turns time into space: every pixel from a different moment",
      "The slitscan authors");

  caps = gst_slit_scan_format_caps ();
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
  /* Whatever is scanned can be converted to anything. */
  caps = gst_caps_from_string (GST_VIDEO_CAPS_MAKE (GST_VIDEO_FORMATS_ALL));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);

  trans_class->transform_caps =
      GST_DEBUG_FUNCPTR (gst_slit_scan_transform_caps);
  trans_class->fixate_caps = GST_DEBUG_FUNCPTR (gst_slit_scan_fixate_caps);
  trans_class->set_caps = GST_DEBUG_FUNCPTR (gst_slit_scan_set_caps);
  trans_class->start = GST_DEBUG_FUNCPTR (gst_slit_scan_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_slit_scan_stop);
  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_slit_scan_sink_event);
  trans_class->before_transform =
      GST_DEBUG_FUNCPTR (gst_slit_scan_before_transform);
  trans_class->submit_input_buffer =
      GST_DEBUG_FUNCPTR (gst_slit_scan_submit_input_buffer);
  filter_class->set_info = GST_DEBUG_FUNCPTR (gst_slit_scan_set_info);
  filter_class->transform_frame =
      GST_DEBUG_FUNCPTR (gst_slit_scan_transform_frame);
}

static void
gst_slit_scan_init (GstSlitScan * self)
{
  self->engine = slit_scan_engine_new ();
  gst_slit_scan_properties_init (&self->settings);
  gst_video_info_init (&self->scan_info);
  self->frame_settings = self->settings;
}
