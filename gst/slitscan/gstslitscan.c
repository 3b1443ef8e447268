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

/* The element: its type, its properties and signals, and what comes to it
 * besides frames. */

#include "gstslitscan.h"

#include <string.h>

#include "gstslitscanformat.h"
#include "gstslitscanlock.h"
#include "gstslitscanprivate.h"

GST_DEBUG_CATEGORY (gst_slit_scan_debug);
#define GST_CAT_DEFAULT gst_slit_scan_debug

enum
{
  SIGNAL_RESET,
  SIGNAL_SNAPSHOT,
  LAST_SIGNAL
};

static guint signals[LAST_SIGNAL];

#define gst_slit_scan_parent_class parent_class
G_DEFINE_TYPE (GstSlitScan, gst_slit_scan, GST_TYPE_VIDEO_FILTER);
GST_ELEMENT_REGISTER_DEFINE (slitscan, "slitscan", GST_RANK_NONE,
    GST_TYPE_SLIT_SCAN);

/* -- settings ------------------------------------------------------------- */

static void
gst_slit_scan_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstSlitScan *self = GST_SLIT_SCAN (object);
  gboolean is_set, is_streaming;

  GST_SLIT_SCAN_LOCK (self);
  is_set = gst_slit_scan_values_set (&self->values, id, value);
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
  is_known = gst_slit_scan_values_get (&self->values, id, value);
  GST_SLIT_SCAN_UNLOCK (self);

  if (!is_known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_slit_scan_reset (GstSlitScan * self)
{
  GST_SLIT_SCAN_LOCK (self);
  self->values.settings.reset_count++;
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
  memset (&self->values.readings, 0, sizeof (self->values.readings));
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

/* -- type ----------------------------------------------------------------- */

static void
gst_slit_scan_finalize (GObject * object)
{
  GstSlitScan *self = GST_SLIT_SCAN (object);

  gst_slit_scan_output_clear (&self->output);
  slit_scan_engine_free (self->engine);
  gst_slit_scan_values_clear (&self->values);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_slit_scan_class_init (GstSlitScanClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
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

  trans_class->start = GST_DEBUG_FUNCPTR (gst_slit_scan_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_slit_scan_stop);
  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_slit_scan_sink_event);
  gst_slit_scan_caps_class_init (klass);
  gst_slit_scan_frame_class_init (klass);
}

static void
gst_slit_scan_init (GstSlitScan * self)
{
  self->engine = slit_scan_engine_new ();
  gst_slit_scan_values_init (&self->values);
  gst_video_info_init (&self->scan_info);
  self->frame_settings = self->values.settings;
}
