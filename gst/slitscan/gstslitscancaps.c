/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The element's caps: the output caps for given input caps and the reverse, and
 * what it sets up when caps are set. */

#include "gstslitscanformat.h"
#include "gstslitscanprivate.h"

#define GST_CAT_DEFAULT gst_slit_scan_debug

static SlitScanSize
get_output_size (GstSlitScan * self)
{
  SlitScanSize size;

  GST_OBJECT_LOCK (self);
  size = self->output_size;
  GST_OBJECT_UNLOCK (self);
  return size;
}

/* -- possible caps -------------------------------------------------------- */

/* Turns one side of the frame into that on the other pad; FALSE if a frame of
 * this structure cannot come out. The strip's canvas has a length of its own,
 * which says nothing about the frame that comes in; 0 is the frame's. */
static gboolean
turn_side (GstStructure * structure, GstPadDirection direction,
    const gchar * side, gint output_length)
{
  const GValue *value = gst_structure_get_value (structure, side);
  GValue length = G_VALUE_INIT;
  gboolean is_possible;

  if (output_length == 0)
    return TRUE;
  g_value_init (&length, G_TYPE_INT);
  g_value_set_int (&length, output_length);
  is_possible = direction == GST_PAD_SINK || value == NULL
      || gst_value_can_intersect (value, &length);
  if (direction == GST_PAD_SINK)
    gst_structure_set_value (structure, side, &length);
  else
    gst_structure_set (structure, side, GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
  return is_possible;
}

/* The caps possible on one pad for those on the other, best first: the same
 * format, then, where the element converts, any other. */
static GstCaps *
transform_caps (GstBaseTransform * trans, GstPadDirection direction,
    GstCaps * caps, GstCaps * filter)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  SlitScanSize size = get_output_size (self);
  GstCaps *result = gst_caps_new_empty ();
  GstCaps *converted = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *structure =
        gst_structure_copy (gst_caps_get_structure (caps, i));
    GstCapsFeatures *features = gst_caps_get_features (caps, i);

    if (!turn_side (structure, direction, "width", size.width)
        || !turn_side (structure, direction, "height", size.height)) {
      gst_structure_free (structure);
      continue;
    }
    result = gst_caps_merge_structure_full (result,
        gst_structure_copy (structure), gst_caps_features_copy (features));
    /* GstVideoConverter makes any format out of any other. */
    gst_structure_remove_fields (structure, "format", "colorimetry",
        "chroma-site", NULL);
    converted = gst_caps_merge_structure_full (converted, structure,
        gst_caps_features_copy (features));
  }
  if (GST_SLIT_SCAN_GET_CLASS (self)->converts)
    result = gst_caps_merge (result, converted);
  else
    gst_caps_unref (converted);
  if (filter != NULL) {
    g_autoptr (GstCaps) all = result;

    result = gst_caps_intersect_full (filter, all, GST_CAPS_INTERSECT_FIRST);
  }
  GST_DEBUG_OBJECT (self, "%" GST_PTR_FORMAT " on the %s pad allows %"
      GST_PTR_FORMAT, caps, direction == GST_PAD_SINK ? "sink" : "source",
      result);
  return result;
}

/* -- choice of caps ------------------------------------------------------- */

/* The format of a structure that loses least, if less than known. */
static const gchar *
best_format (const GstStructure * structure, const GstVideoFormatInfo * from,
    gint * least)
{
  const GValue *formats = gst_structure_get_value (structure, "format");
  const gboolean is_list = formats != NULL && GST_VALUE_HOLDS_LIST (formats);
  guint count = is_list ? gst_value_list_get_size (formats) : 1;
  const gchar *best = NULL;

  if (formats == NULL || !(is_list || G_VALUE_HOLDS_STRING (formats)))
    return NULL;
  for (guint i = 0; i < count; i++) {
    const gchar *name = g_value_get_string (is_list
        ? gst_value_list_get_value (formats, i) : formats);
    GstVideoFormat format = gst_video_format_from_string (name);
    gint loss;

    if (format == GST_VIDEO_FORMAT_UNKNOWN
        || format == GST_VIDEO_FORMAT_ENCODED)
      continue;
    loss = gst_slit_scan_format_loss (from, gst_video_format_get_info (format));
    if (loss < *least) {
      *least = loss;
      best = name;
    }
  }
  return best;
}

/* Sets a field to a value, unless downstream wants another. */
static void
set_if_possible (GstStructure * chosen, const gchar * field,
    const gchar * value)
{
  const GValue *wanted = gst_structure_get_value (chosen, field);
  g_auto (GValue) string = G_VALUE_INIT;

  if (value == NULL)
    return;
  g_value_init (&string, G_TYPE_STRING);
  g_value_set_string (&string, value);
  if (wanted == NULL || gst_value_can_intersect (wanted, &string))
    gst_structure_set_value (chosen, field, &string);
}

/* Colours keep their meaning where the format allows it. What the caps leave
 * out follows from the height, so a canvas of another height must say it. */
static void
keep_colours (GstStructure * chosen, const GstVideoInfo * info,
    const GstStructure * input, const gchar * format, gboolean is_resized)
{
  const GstVideoFormatInfo *to =
      gst_video_format_get_info (gst_video_format_from_string (format));

  if (GST_VIDEO_FORMAT_INFO_IS_YUV (to) != GST_VIDEO_INFO_IS_YUV (info))
    return;
  if (is_resized || gst_structure_has_field (input, "colorimetry")) {
    g_autofree gchar *colorimetry =
        gst_video_colorimetry_to_string (&info->colorimetry);

    set_if_possible (chosen, "colorimetry", colorimetry);
  }
  if (GST_VIDEO_FORMAT_INFO_IS_YUV (to)
      && (is_resized || gst_structure_has_field (input, "chroma-site")))
    set_if_possible (chosen, "chroma-site",
        gst_video_chroma_to_string (info->chroma_site));
}

/* Chooses output caps, for fixed input caps, out of those that downstream
 * takes: the format that loses least, of several the one that downstream
 * prefers. */
static GstCaps *
fixate_caps (GstBaseTransform * trans, GstPadDirection direction,
    GstCaps * caps, GstCaps * othercaps)
{
  SlitScanSize size;
  GstVideoInfo info;
  gint least = G_MAXINT;
  guint chosen_index = 0;
  const gchar *format = NULL;
  GstCaps *chosen;
  GstStructure *structure;

  if (direction != GST_PAD_SINK)
    return gst_slit_scan_base_class->fixate_caps (trans, direction, caps,
        othercaps);
  if (gst_caps_is_empty (othercaps) || !gst_video_info_from_caps (&info, caps))
    return gst_caps_fixate (othercaps);

  for (guint i = 0; i < gst_caps_get_size (othercaps); i++) {
    const gchar *best = best_format (gst_caps_get_structure (othercaps, i),
        info.finfo, &least);

    if (best != NULL) {
      format = best;
      chosen_index = i;
    }
  }
  if (format == NULL)
    return gst_caps_fixate (othercaps);

  size = get_output_size (GST_SLIT_SCAN (trans));
  chosen = gst_caps_copy_nth (othercaps, chosen_index);
  gst_caps_set_simple (chosen, "format", G_TYPE_STRING, format, NULL);
  structure = gst_caps_get_structure (chosen, 0);
  /* Without a neighbour to ask, the candidates are just the input's caps. */
  turn_side (structure, GST_PAD_SINK, "width", size.width);
  turn_side (structure, GST_PAD_SINK, "height", size.height);
  keep_colours (structure, &info, gst_caps_get_structure (caps, 0), format,
      size.width != 0 || size.height != 0);
  /* Of a range, gst_caps_fixate takes the least. */
  if (gst_structure_has_field (structure, "pixel-aspect-ratio"))
    gst_structure_fixate_field_nearest_fraction (structure,
        "pixel-aspect-ratio", info.par_n, info.par_d);
  gst_caps_unref (othercaps);
  return gst_caps_fixate (chosen);
}

/* -- caps that are set ---------------------------------------------------- */

static gboolean
set_caps (GstBaseTransform * trans, GstCaps * incaps, GstCaps * outcaps)
{
  GstSlitScan *self = GST_SLIT_SCAN (trans);
  GstStructure *output = gst_caps_get_structure (outcaps, 0);
  GstVideoInfo in_info;
  SlitScanError error;
  gint width, height;

  if (!gst_video_info_from_caps (&in_info, incaps)
      || !gst_structure_get (output, "width", G_TYPE_INT, &width, "height",
          G_TYPE_INT, &height, NULL))
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

/* Prepares the way from the scanned frame, in the format that comes in and the
 * size that goes out, to the output; FALSE if there is none. */
static gboolean
prepare_output (GstSlitScanOutput * output, const GstVideoInfo * in_info,
    const GstVideoInfo * out_info)
{
  GstVideoInfo *scan_info = &output->scan_info;

  gst_slit_scan_output_clear (output);
  gst_video_info_init (scan_info);
  if (!gst_video_info_set_interlaced_format (scan_info,
          GST_VIDEO_INFO_FORMAT (in_info),
          GST_VIDEO_INFO_INTERLACE_MODE (in_info),
          GST_VIDEO_INFO_WIDTH (out_info), GST_VIDEO_INFO_HEIGHT (out_info)))
    return FALSE;
  scan_info->colorimetry = in_info->colorimetry;
  scan_info->chroma_site = in_info->chroma_site;
  scan_info->par_n = out_info->par_n;
  scan_info->par_d = out_info->par_d;
  scan_info->fps_n = out_info->fps_n;
  scan_info->fps_d = out_info->fps_d;
  if (GST_VIDEO_INFO_FORMAT (scan_info) == GST_VIDEO_INFO_FORMAT (out_info)
      && gst_video_colorimetry_is_equal (&scan_info->colorimetry,
          &out_info->colorimetry))
    return TRUE;

  output->converter = gst_video_converter_new (scan_info, out_info, NULL);
  if (output->converter != NULL)
    output->buffer = gst_buffer_new_allocate (NULL,
        GST_VIDEO_INFO_SIZE (scan_info), NULL);
  return output->buffer != NULL;
}

void
gst_slit_scan_output_clear (GstSlitScanOutput * output)
{
  g_clear_pointer (&output->converter, gst_video_converter_free);
  gst_clear_buffer (&output->buffer);
}

static gboolean
set_info (GstVideoFilter * filter, GstCaps * incaps,
    GstVideoInfo * in_info, GstCaps * outcaps, GstVideoInfo * out_info)
{
  GstSlitScan *self = GST_SLIT_SCAN (filter);

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
  if (!prepare_output (&self->stream.output, in_info, out_info)) {
    self->stream.error_is_posted = TRUE;
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("slitscan cannot convert %s to %s. Put videoconvert after it.",
            GST_VIDEO_INFO_NAME (in_info), GST_VIDEO_INFO_NAME (out_info)),
        ("%" GST_PTR_FORMAT " to %" GST_PTR_FORMAT, incaps, outcaps));
    return FALSE;
  }
  GST_OBJECT_LOCK (self);
  self->scan_info = self->stream.output.scan_info;
  self->input_info = *in_info;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

void
gst_slit_scan_caps_class_init (GstVideoFilterClass * klass)
{
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  trans_class->transform_caps = GST_DEBUG_FUNCPTR (transform_caps);
  trans_class->fixate_caps = GST_DEBUG_FUNCPTR (fixate_caps);
  trans_class->set_caps = GST_DEBUG_FUNCPTR (set_caps);
  klass->set_info = GST_DEBUG_FUNCPTR (set_info);
}
