/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The element's caps: its answers to caps queries, and what it sets up when
 * caps are set. */

#include "gstslitscanformat.h"
#include "gstslitscannegotiation.h"
#include "gstslitscanprivate.h"

#define GST_CAT_DEFAULT gst_slit_scan_debug

static void
gst_slit_scan_get_output_size (GstSlitScan * self, gint * width, gint * height)
{
  GST_OBJECT_LOCK (self);
  *width = self->output_width;
  *height = self->output_height;
  GST_OBJECT_UNLOCK (self);
}

GstCaps *
gst_slit_scan_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  GstCaps *result;
  gint width, height;

  gst_slit_scan_get_output_size (self, &width, &height);
  result = gst_slit_scan_negotiation_transform (direction, caps, width, height,
      GST_SLIT_SCAN_GET_CLASS (self)->converts);
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

GstCaps *
gst_slit_scan_fixate_caps (GstBaseTransform * trans, GstPadDirection direction,
    GstCaps * caps, GstCaps * othercaps)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  gint width, height;

  if (direction == GST_PAD_SINK) {
    gst_slit_scan_get_output_size (self, &width, &height);
    return gst_slit_scan_negotiation_fixate (caps, othercaps, width, height);
  }
  return gst_slit_scan_base_class->fixate_caps (trans, direction, caps,
      othercaps);
}

gboolean
gst_slit_scan_set_caps (GstBaseTransform * trans, GstCaps * incaps,
    GstCaps * outcaps)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  GstStructure *output = gst_caps_get_structure (outcaps, 0);
  GstVideoInfo in_info;
  SlitScanError error;
  gint width, height;

  if (!gst_video_info_from_caps (&in_info, incaps)
      || !gst_structure_get_int (output, "width", &width)
      || !gst_structure_get_int (output, "height", &height))
    return FALSE;

  gst_slit_scan_snapshot_before_change (self);
  if (!self->engine_class->configure (self->engine, &in_info, width, height,
          &self->stream.settings, &error)) {
    gst_slit_scan_post_error (self, &error);
    return FALSE;
  }
  if (!gst_slit_scan_base_class->set_caps (trans, incaps, outcaps))
    return FALSE;
  /* Without transform_frame, GstVideoFilter has the element work in place. */
  gst_base_transform_set_in_place (trans, FALSE);
  self->stream.has_same_caps = gst_caps_is_equal (incaps, outcaps);
  self->stream.error_is_posted = FALSE;
  return TRUE;
}

gboolean
gst_slit_scan_set_info (GstVideoFilter * filter, GstCaps * incaps,
    GstVideoInfo * in_info, GstCaps * outcaps, GstVideoInfo * out_info)
{
  GstSlitScan *self = GST_SLIT_SCAN (filter);
  GstVideoInfo scan_info;

  /* Frames that are held stay what they are if only their rate or their aspect
   * ratio is another. */
  if (filter->negotiated && !gst_slit_scan_format_has_same_pixels (in_info,
          &filter->in_info))
    gst_slit_scan_forget (self);

  if (GST_VIDEO_INFO_MULTIVIEW_MODE (in_info) ==
      GST_VIDEO_MULTIVIEW_MODE_SEPARATED) {
    self->stream.error_is_posted = TRUE;
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("The two views of stereoscopic video must be in one image. Put "
            "glviewconvert before the effect."), ("%" GST_PTR_FORMAT, incaps));
    return FALSE;
  }
  if (!gst_slit_scan_output_describe (in_info, out_info, &scan_info)
      || !gst_slit_scan_output_prepare (&self->stream.output, &scan_info,
          out_info)) {
    self->stream.error_is_posted = TRUE;
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("slitscan cannot convert %s to %s. Put videoconvert after it.",
            GST_VIDEO_INFO_NAME (in_info), GST_VIDEO_INFO_NAME (out_info)),
        ("%" GST_PTR_FORMAT " to %" GST_PTR_FORMAT, incaps, outcaps));
    return FALSE;
  }
  GST_OBJECT_LOCK (self);
  self->scan_info = scan_info;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}
