/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/**
 * SECTION:element-slitscan
 * @title: slitscan
 *
 * Takes each pixel of the output from another earlier frame. #GstSlitScan:map
 * gives each pixel a map value from 0 to 1, the time at which the slit visits
 * it, and #GstSlitScan:mode uses it: as a delay (`displace`), for a slit that
 * freezes what it has passed (`sweep`), or for a line of pixels that is appended
 * to a canvas (`strip`).
 *
 * Frames are copied into a history of the element's own; no upstream buffer is
 * held. Only with #GstSlitScan:now does the element add latency: by so many frames
 * the picture is ahead of the time that its buffer has.
 *
 * The map can also be an image file (#GstSlitScan:map-location), the luma or
 * the motion of the input, or a second video: the request pad `map` takes raw
 * video of any size and rate, synchronized with the input by running time.
 *
 * With #GstSlitScan:mix at 0, input buffers are passed on unchanged while
 * history continues to fill, so that the effect can be faded in at any time.
 *
 * ## Messages
 *
 * Element messages on the bus:
 *
 * * `slitscan-complete`, when a sweep or a canvas is full: `running-time`
 *   (#guint64) of the frame that completed it, in nanoseconds.
 * * `slitscan-depth-limited`, when #GstSlitScan:max-memory, or
 *   #GstSlitScan:max-disk and the disk, allow fewer frames than are asked for:
 *   `depth` and `wanted` (#guint), in frames.
 * * `slitscan-history-late`, at most once a second, when frames wait long for the
 *   disk of #GstSlitScan:history-location: `late-frames` that did and their
 *   `waiting-time` in nanoseconds since the last message; the bytes a second
 *   that the stream needs, `needed-rate`, and has had, `rate` (all #guint64).
 * * `slitscan-canvas-limited`, when it allows fewer lines of the canvas of a
 *   strip than that has: `lines` and `wanted` (#guint).
 * * `slitscan-map-loaded`, when the image at #GstSlitScan:map-location has
 *   become the map: `location` (#gchararray).
 *
 * A map without a source (`image` without #GstSlitScan:map-location, `live`
 * without a linked pad `map`) is 0 everywhere; the element posts a warning.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 v4l2src ! slitscan ! autovideosink
 * ]|
 * Every row of the camera's video is older than the one above.
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
 * |[
 * gst-launch-1.0 v4l2src ! slitscan map=image map-location=clouds.png ! autovideosink
 * ]|
 * The brighter the image, the longer the delay.
 * |[
 * gst-launch-1.0 v4l2src ! slitscan name=scan map=live ! autovideosink videotestsrc is-live=true pattern=ball ! scan.map
 * ]|
 * A second video as the map: inside the white ball, the video is delayed.
 * |[
 * gst-launch-1.0 v4l2src ! slitscan map=radial pointer=true ! autovideosink
 * ]|
 * Rings around the mouse pointer.
 * |[
 * gst-launch-1.0 filesrc location=clip.mp4 ! decodebin ! videoconvert ! slitscan drain=true ! autovideosink
 * ]|
 * The last frame reaches every pixel before the stream ends.
 * |[
 * gst-launch-1.0 v4l2src ! slitscan @preset=NAME ! autovideosink
 * ]|
 * A preset: one of those that come with the element, or one of the user's own,
 * see #GstPreset.
 *
 * Since: 0.1
 */

/* The element: its type, its properties and signals, and what comes to it
 * besides frames. */

#include "gstslitscan.h"

#include <string.h>

#include "gstslitscanformat.h"
#include "gstslitscanprivate.h"

GST_DEBUG_CATEGORY (gst_slit_scan_debug);
#define GST_CAT_DEFAULT gst_slit_scan_debug

enum
{
  SIGNAL_RESET,
  SIGNAL_SNAPSHOT,
  SIGNAL_INPUT_FRAME,
  SIGNAL_SETTLED_DELAYS,
  LAST_SIGNAL
};

static guint signals[LAST_SIGNAL];

#define gst_slit_scan_parent_class parent_class
G_DEFINE_TYPE_WITH_CODE (GstSlitScan, gst_slit_scan, GST_TYPE_VIDEO_FILTER,
    G_IMPLEMENT_INTERFACE (GST_TYPE_PRESET, gst_slit_scan_preset_init));
GstBaseTransformClass *gst_slit_scan_base_class;
GST_ELEMENT_REGISTER_DEFINE (slitscan, "slitscan", GST_RANK_NONE,
    GST_TYPE_SLIT_SCAN);

/* -- properties and signals ----------------------------------------------- */

static void
gst_slit_scan_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstSlitScan *self = GST_SLIT_SCAN (object);
  gboolean is_set, is_streaming;

  GST_OBJECT_LOCK (self);
  is_set = gst_slit_scan_values_set (&self->values, id, value);
  is_streaming = self->is_streaming;
  GST_OBJECT_UNLOCK (self);

  /* Pads are linked, and caps asked for, before anything streams. */
  if (!is_streaming)
    gst_slit_scan_follow_properties (self, NULL);
  if (!is_set)
    GST_WARNING_OBJECT (self, "ignoring a value of %s that is not a number",
        pspec->name);
}

static void
gst_slit_scan_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstSlitScan *self = GST_SLIT_SCAN (object);

  GST_OBJECT_LOCK (self);
  gst_slit_scan_values_get (&self->values, id, value);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_slit_scan_reset (GstSlitScan * self)
{
  GST_OBJECT_LOCK (self);
  self->values.settings.reset_count++;
  GST_OBJECT_UNLOCK (self);
}

/* -- stream --------------------------------------------------------------- */

/* Upstream may push already: nothing here is the streaming thread's. */
static gboolean
gst_slit_scan_start (GstBaseTransform * trans)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);

  gst_slit_scan_follow_properties (self, NULL);
  gst_slit_scan_live_forget_liveness (self);
  gst_slit_scan_drain_set_end (self, GST_CLOCK_TIME_NONE);
  GST_OBJECT_LOCK (self);
  self->is_streaming = TRUE;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static gboolean
gst_slit_scan_stop (GstBaseTransform * trans)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);

  gst_slit_scan_live_stop (self);

  /* No frame is under way, but upstream may ask for memory: the base class
   * then negotiates, whether the pad is active or not. */
  GST_PAD_STREAM_LOCK (trans->sinkpad);
  self->stream.time = 0;
  self->stream.last_frame.is_known = FALSE;
  self->stream.limited_history = 0;
  self->stream.limited_lines = 0;
  self->stream.outputs_to_copy = 0;
  self->stream.error_is_posted = FALSE;
  self->stream.lack = SLIT_SCAN_SOURCE_FORMULA;
  gst_slit_scan_now_clear (self);
  self->stream.held.frames = 0;
  gst_slit_scan_disk_clear (self);
  self->engine_class->release (self->engine);
  gst_slit_scan_output_clear (&self->stream.output);
  gst_slit_scan_snapshot_clear (self);
  GST_OBJECT_LOCK (self);
  memset (&self->values.readings, 0, sizeof (self->values.readings));
  self->is_streaming = FALSE;
  gst_video_info_init (&self->scan_info);
  gst_video_info_init (&self->input_info);
  GST_OBJECT_UNLOCK (self);
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  return TRUE;
}

/* The base class activates the pads, and with them the streaming thread, on the
 * way up, and waits for that thread on the way down. So the map file belongs to
 * the streaming thread inside of the base class's part, and to this one outside
 * of it; and on the way down, the streaming thread must no longer wait for the
 * live map. */
static GstStateChangeReturn
gst_slit_scan_change_state (GstElement * element, GstStateChange transition)
{
  GstSlitScan *self = GST_SLIT_SCAN (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    gst_slit_scan_live_set_pause (self, ~0, FALSE);
    gst_slit_scan_image_start (self);
  } else if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    gst_slit_scan_live_set_pause (self, GST_SLIT_SCAN_PAUSE_STOPPED, TRUE);
  }
  result = GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED
          && result == GST_STATE_CHANGE_FAILURE))
    gst_slit_scan_image_stop (self);
  return result;
}

static gboolean
gst_slit_scan_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  gboolean is_caps = GST_EVENT_TYPE (event) == GST_EVENT_CAPS;
  gboolean handled;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      gst_slit_scan_live_set_pause (self, GST_SLIT_SCAN_PAUSE_ENDED, FALSE);
      break;
    case GST_EVENT_CAPS:
      gst_slit_scan_drain_before_caps (self, event);
      gst_slit_scan_follow_properties (self, &self->stream.settings);
      gst_slit_scan_live_forget_liveness (self);
      break;
    case GST_EVENT_SEGMENT:
      self->stream.segment_seqnum = gst_event_get_seqnum (event);
      gst_slit_scan_drain_set_end (self, GST_CLOCK_TIME_NONE);
      gst_slit_scan_live_forget_liveness (self);
      break;
    case GST_EVENT_FLUSH_START:
      gst_slit_scan_live_set_pause (self, GST_SLIT_SCAN_PAUSE_FLUSHING, TRUE);
      break;
    case GST_EVENT_FLUSH_STOP:
      gst_slit_scan_now_clear (self);
      gst_slit_scan_forget (self);
      /* Running time begins anew. A frame that begins before the segment has
       * none of its own. */
      self->stream.time = 0;
      gst_slit_scan_snapshot_clear (self);
      gst_slit_scan_drain_set_end (self, GST_CLOCK_TIME_NONE);
      gst_slit_scan_live_set_pause (self, GST_SLIT_SCAN_PAUSE_FLUSHING
          | GST_SLIT_SCAN_PAUSE_SEEKING | GST_SLIT_SCAN_PAUSE_ENDED, FALSE);
      break;
    case GST_EVENT_EOS:
      gst_slit_scan_drain (self);
      gst_slit_scan_live_set_pause (self, GST_SLIT_SCAN_PAUSE_ENDED, TRUE);
      break;
    default:
      break;
  }
  if (gst_slit_scan_now_hold_event (self, event))
    return TRUE;
  handled = GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
  if (is_caps && handled)
    gst_slit_scan_now_settle (self);
  else if (is_caps)
    gst_slit_scan_post_not_negotiated (self);
  return handled;
}

static gboolean
gst_slit_scan_src_event (GstBaseTransform * trans, GstEvent * event)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  gboolean is_seek = GST_EVENT_TYPE (event) == GST_EVENT_SEEK;
  GstSlitScanSeek seek_before = { 0, };
  gboolean handled;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_NAVIGATION:
      gst_slit_scan_pointer_follow (self, event);
      break;
    case GST_EVENT_SEEK:
      seek_before = gst_slit_scan_drain_seek (self, event);
      gst_slit_scan_live_seek (self, event);
      break;
    case GST_EVENT_LATENCY:
      gst_slit_scan_live_forget_liveness (self);
      break;
    default:
      break;
  }
  handled = GST_BASE_TRANSFORM_CLASS (parent_class)->src_event (trans, event);
  /* Nothing was flushed if the video did not seek after all. */
  if (is_seek)
    gst_slit_scan_live_set_pause (self, GST_SLIT_SCAN_PAUSE_SEEKING, FALSE);
  if (is_seek && !handled) {
    GST_OBJECT_LOCK (self);
    self->seek = seek_before;
    GST_OBJECT_UNLOCK (self);
  }
  return handled;
}

/* -- type ----------------------------------------------------------------- */

/* Only now is the class that of a subclass, too. */
static void
gst_slit_scan_constructed (GObject * object)
{
  GstSlitScan *self = GST_SLIT_SCAN (object);

  G_OBJECT_CLASS (parent_class)->constructed (object);
  self->engine_class = GST_SLIT_SCAN_GET_CLASS (self)->engine_class;
  self->engine = self->engine_class->create (self);
}

static void
gst_slit_scan_finalize (GObject * object)
{
  GstSlitScan *self = GST_SLIT_SCAN (object);

  gst_slit_scan_now_clear (self);
  gst_slit_scan_output_clear (&self->stream.output);
  gst_slit_scan_snapshot_clear (self);
  gst_slit_scan_disk_clear (self);
  g_mutex_clear (&self->map.lock);
  self->engine_class->free (self->engine);
  gst_slit_scan_values_clear (&self->values);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_slit_scan_class_init (GstSlitScanClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  g_autoptr (GstCaps) scanned = NULL;
  g_autoptr (GstCaps) any = NULL;
  g_autoptr (GstCaps) ages = NULL;
  const GstVideoFormat age_formats[] = { GST_VIDEO_FORMAT_GRAY16_LE };

  klass->version = SLITSCAN_VERSION;
  klass->engine_class = &gst_slit_scan_system_engine_class;
  klass->converts = TRUE;
  klass->describe_layout = gst_slit_scan_format_layout;
  klass->describe_planes = gst_slit_scan_format_planes;
  klass->input_advice =
      "slitscan needs raw video. Put decodebin and videoconvert before it.";
  klass->output_advice =
      "The downstream element does not accept slitscan's output format. "
      "Put videoconvert and videoscale after slitscan.";

  GST_DEBUG_CATEGORY_INIT (gst_slit_scan_debug, "slitscan", 0,
      "slit-scan effect");

  object_class->set_property = gst_slit_scan_set_property;
  object_class->get_property = gst_slit_scan_get_property;
  object_class->constructed = gst_slit_scan_constructed;
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
   * Return the last output that left, in the format that came in. Frames that
   * QoS has dropped since do not change it. Waits for a frame that is being
   * made.
   *
   * Returns: (transfer full) (nullable): the frame with its caps and its
   * presentation time; %NULL before the first output
   *
   * Since: 0.1
   */
  signals[SIGNAL_SNAPSHOT] = g_signal_new_class_handler ("snapshot",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (gst_slit_scan_snapshot), NULL, NULL, NULL, GST_TYPE_SAMPLE,
      0);

  /**
   * GstSlitScan::input-frame:
   * @from: a running time, in nanoseconds
   *
   * Return the oldest frame of the input in the history that came at a running
   * time or later: from 0 on, and then from a nanosecond after the last one, all
   * that is still there. Frames are whole, those of #GstSlitScan:reserve where
   * history is thinned out, and have no #GstSlitScan:feedback in them. Sweeps and
   * strips need a reserve. Holds the stream up for the copy of one frame.
   *
   * Returns: (transfer full) (nullable): the frame as it came, its running time as
   * its presentation time; %NULL if there is none
   *
   * Since: 0.2
   */
  signals[SIGNAL_INPUT_FRAME] = g_signal_new_class_handler ("input-frame",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (gst_slit_scan_input_frame), NULL, NULL, NULL,
      GST_TYPE_SAMPLE, 1, G_TYPE_UINT64);

  /**
   * GstSlitScan::settled-delays:
   * @caps: what the frames will be
   * @interval: the time from one frame to the next, in nanoseconds
   *
   * Say how old the output will be once history is full, with the properties as
   * they are. No frame has to have come. Reads the map from its file and waits
   * for that.
   *
   * Returns: (transfer full) (nullable): a structure with the `latency` that
   * #GstSlitScan:now adds (#guint64), and, unless the delay moves with the
   * frames, `mean-delay` and `center-delay`, counted from the present and
   * negative in its future (#gint64), all in nanoseconds; %NULL where the caps
   * are not scanned
   *
   * Since: 0.1
   */
  signals[SIGNAL_SETTLED_DELAYS] = g_signal_new_class_handler ("settled-delays",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (gst_slit_scan_settled_delays), NULL, NULL, NULL,
      GST_TYPE_STRUCTURE, 2, GST_TYPE_CAPS, G_TYPE_UINT64);

  gst_element_class_set_static_metadata (element_class, "Slit-scan",
      "Filter/Effect/Video",
      "Takes each pixel from another earlier frame, as selected by a map",
      "The slitscan authors");

  scanned = gst_slit_scan_format_caps ();
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, scanned));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new_with_gtype ("map", GST_PAD_SINK, GST_PAD_REQUEST,
          scanned, GST_TYPE_SLIT_SCAN_MAP_PAD));
  /* What is scanned can be converted to anything: to the formats of the GStreamer
   * that runs, which may be newer than its headers. */
  any = gst_video_make_raw_caps (NULL, 0);
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, any));
  ages = gst_video_make_raw_caps (age_formats, G_N_ELEMENTS (age_formats));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("age", GST_PAD_SRC, GST_PAD_REQUEST, ages));
  gst_type_mark_as_plugin_api (GST_TYPE_SLIT_SCAN_MAP_PAD, 0);

  gst_slit_scan_base_class = parent_class;
  element_class->change_state = GST_DEBUG_FUNCPTR (gst_slit_scan_change_state);
  element_class->request_new_pad =
      GST_DEBUG_FUNCPTR (gst_slit_scan_request_new_pad);
  element_class->release_pad = GST_DEBUG_FUNCPTR (gst_slit_scan_release_pad);
  trans_class->start = GST_DEBUG_FUNCPTR (gst_slit_scan_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_slit_scan_stop);
  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_slit_scan_sink_event);
  trans_class->src_event = GST_DEBUG_FUNCPTR (gst_slit_scan_src_event);
  trans_class->query = GST_DEBUG_FUNCPTR (gst_slit_scan_query);
  gst_slit_scan_caps_class_init (GST_VIDEO_FILTER_CLASS (klass));
  gst_slit_scan_frame_class_init (trans_class);
  gst_slit_scan_now_class_init (trans_class);
}

static void
gst_slit_scan_init (GstSlitScan * self)
{
  gst_slit_scan_values_init (&self->values);
  gst_slit_scan_now_init (self);
  gst_video_info_init (&self->scan_info);
  gst_video_info_init (&self->input_info);
  self->stream.settings = self->values.settings;
  g_mutex_init (&self->map.lock);
  self->map.pause = GST_SLIT_SCAN_PAUSE_STOPPED;
  self->drained_until = GST_CLOCK_TIME_NONE;
}
