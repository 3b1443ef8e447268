/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Caps negotiation: the output caps for given input caps, and the input caps
 * for given output caps. */

#include "gstslitscannegotiation.h"

#include <gst/video/video.h>

#include "gstslitscanformat.h"

/* One side of the frame: the strip's canvas has a length of its own, which
 * says nothing about the frame that comes in. */
static void
set_side (GstStructure * structure, GstPadDirection direction,
    const gchar * side, gint output_length)
{
  if (output_length == 0)
    return;
  if (direction == GST_PAD_SINK)
    gst_structure_set (structure, side, G_TYPE_INT, output_length, NULL);
  else
    gst_structure_set (structure, side, GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
}

/* TRUE if a frame of this structure can come out at all. */
static gboolean
side_is_possible (const GstStructure * structure, GstPadDirection direction,
    const gchar * side, gint output_length)
{
  const GValue *value = gst_structure_get_value (structure, side);
  GValue length = G_VALUE_INIT;
  gboolean possible;

  if (output_length == 0 || direction == GST_PAD_SINK || value == NULL)
    return TRUE;
  g_value_init (&length, G_TYPE_INT);
  g_value_set_int (&length, output_length);
  possible = gst_value_can_intersect (value, &length);
  g_value_unset (&length);
  return possible;
}

GstCaps *
gst_slit_scan_negotiation_transform (GstPadDirection direction, GstCaps * caps,
    gint output_width, gint output_height, gboolean converts)
{
  GstCaps *same = gst_caps_new_empty ();
  GstCaps *converted = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *structure = gst_caps_get_structure (caps, i);
    GstCapsFeatures *features = gst_caps_get_features (caps, i);

    if (!side_is_possible (structure, direction, "width", output_width)
        || !side_is_possible (structure, direction, "height", output_height))
      continue;

    structure = gst_structure_copy (structure);
    set_side (structure, direction, "width", output_width);
    set_side (structure, direction, "height", output_height);
    same = gst_caps_merge_structure_full (same, gst_structure_copy (structure),
        gst_caps_features_copy (features));
    if (!converts) {
      gst_structure_free (structure);
      continue;
    }
    /* GstVideoConverter makes any format out of any other. */
    gst_structure_remove_fields (structure, "format", "colorimetry",
        "chroma-site", NULL);
    converted = gst_caps_merge_structure_full (converted, structure,
        gst_caps_features_copy (features));
  }
  return gst_caps_merge (same, converted);
}

/* The format of a structure that loses least, for a format that comes in. */
static const gchar *
best_format (const GstStructure * structure, const GstVideoFormatInfo * from,
    gint * least)
{
  const GValue *formats = gst_structure_get_value (structure, "format");
  guint count = 0;
  const gchar *best = NULL;

  if (formats == NULL)
    return NULL;
  if (G_VALUE_HOLDS_STRING (formats))
    count = 1;
  else if (GST_VALUE_HOLDS_LIST (formats))
    count = gst_value_list_get_size (formats);

  for (guint i = 0; i < count; i++) {
    const GValue *value = G_VALUE_HOLDS_STRING (formats) ? formats
        : gst_value_list_get_value (formats, i);
    const gchar *name = g_value_get_string (value);
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
  GValue string = G_VALUE_INIT;

  if (value == NULL)
    return;
  g_value_init (&string, G_TYPE_STRING);
  g_value_set_string (&string, value);
  if (wanted == NULL || gst_value_can_intersect (wanted, &string))
    gst_structure_set_value (chosen, field, &string);
  g_value_unset (&string);
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
    gchar *colorimetry = gst_video_colorimetry_to_string (&info->colorimetry);

    set_if_possible (chosen, "colorimetry", colorimetry);
    g_free (colorimetry);
  }
  if (GST_VIDEO_FORMAT_INFO_IS_YUV (to)
      && (is_resized || gst_structure_has_field (input, "chroma-site")))
    set_if_possible (chosen, "chroma-site",
        gst_video_chroma_to_string (info->chroma_site));
}

GstCaps *
gst_slit_scan_negotiation_fixate (GstCaps * input, GstCaps * candidates,
    gint output_width, gint output_height)
{
  GstVideoInfo info;
  gint least = G_MAXINT;
  guint chosen_index = 0;
  const gchar *format = NULL;
  GstCaps *chosen;
  GstStructure *structure;

  if (gst_caps_is_empty (candidates)
      || !gst_video_info_from_caps (&info, input))
    return gst_caps_fixate (candidates);

  for (guint i = 0; i < gst_caps_get_size (candidates); i++) {
    const gchar *best = best_format (gst_caps_get_structure (candidates, i),
        info.finfo, &least);

    if (best != NULL) {
      format = best;
      chosen_index = i;
    }
  }
  if (format == NULL)
    return gst_caps_fixate (candidates);

  chosen = gst_caps_copy_nth (candidates, chosen_index);
  gst_caps_set_simple (chosen, "format", G_TYPE_STRING, format, NULL);
  structure = gst_caps_get_structure (chosen, 0);
  /* Without a neighbour to ask, the candidates are just the input's caps. */
  set_side (structure, GST_PAD_SINK, "width", output_width);
  set_side (structure, GST_PAD_SINK, "height", output_height);
  keep_colours (structure, &info, gst_caps_get_structure (input, 0), format,
      output_width != 0 || output_height != 0);
  /* Of a range, gst_caps_fixate takes the least. */
  if (gst_structure_has_field (structure, "pixel-aspect-ratio"))
    gst_structure_fixate_field_nearest_fraction (structure,
        "pixel-aspect-ratio", info.par_n, info.par_d);
  gst_caps_unref (candidates);
  return gst_caps_fixate (chosen);
}
