/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The video formats for the effect: GStreamer's table of formats, corrected
 * where it leaves something out, and colours in them. */

#include "gstslitscanformat.h"

#include <math.h>
#include <string.h>

/* Some samples have places in the table of GStreamer 1.22 that are not those
 * its own pack functions use: VYUY has U and V the other way round, the
 * offsets of P010, P012 and P016 count samples, and those of Y210, Y212 and
 * Y412 are all 0. */
typedef struct
{
  GstVideoFormat format;
  gint offset[GST_VIDEO_MAX_COMPONENTS];
  gint shift;
} FormatCorrection;

static const FormatCorrection corrections[] = {
  {GST_VIDEO_FORMAT_VYUY, {1, 2, 0}, 0},
  {GST_VIDEO_FORMAT_P010_10BE, {0, 0, 2}, 6},
  {GST_VIDEO_FORMAT_P010_10LE, {0, 0, 2}, 6},
  {GST_VIDEO_FORMAT_P012_BE, {0, 0, 2}, 4},
  {GST_VIDEO_FORMAT_P012_LE, {0, 0, 2}, 4},
  {GST_VIDEO_FORMAT_P016_BE, {0, 0, 2}, 0},
  {GST_VIDEO_FORMAT_P016_LE, {0, 0, 2}, 0},
  {GST_VIDEO_FORMAT_Y210, {0, 2, 6}, 6},
  {GST_VIDEO_FORMAT_Y212_BE, {0, 2, 6}, 4},
  {GST_VIDEO_FORMAT_Y212_LE, {0, 2, 6}, 4},
  {GST_VIDEO_FORMAT_Y412_BE, {2, 0, 4, 6}, 4},
  {GST_VIDEO_FORMAT_Y412_LE, {2, 0, 4, 6}, 4},
};

static const FormatCorrection *
find_correction (GstVideoFormat format)
{
  for (gsize i = 0; i < G_N_ELEMENTS (corrections); i++) {
    if (corrections[i].format == format)
      return &corrections[i];
  }
  return NULL;
}

static void
describe_component (const GstVideoFormatInfo * finfo, guint component,
    SlitScanComponent * description)
{
  const FormatCorrection *correction =
      find_correction (GST_VIDEO_FORMAT_INFO_FORMAT (finfo));

  memset (description, 0, sizeof (*description));
  description->plane = GST_VIDEO_FORMAT_INFO_PLANE (finfo, component);
  description->offset = correction ? correction->offset[component]
      : GST_VIDEO_FORMAT_INFO_POFFSET (finfo, component);
  description->step = GST_VIDEO_FORMAT_INFO_PSTRIDE (finfo, component);
  description->bytes =
      GST_VIDEO_FORMAT_INFO_DEPTH (finfo, component) > 8 ? 2 : 1;
  description->x_shift = GST_VIDEO_FORMAT_INFO_W_SUB (finfo, component);
  description->y_shift = GST_VIDEO_FORMAT_INFO_H_SUB (finfo, component);
  description->unused_bits = correction ? correction->shift
      : GST_VIDEO_FORMAT_INFO_SHIFT (finfo, component);
  /* Not all formats with a fourth component have the alpha flag. */
  description->is_alpha = component == GST_VIDEO_COMP_A;
}

gboolean
gst_slit_scan_format_is_supported (const GstVideoFormatInfo * finfo)
{
  if (finfo == NULL || GST_VIDEO_FORMAT_INFO_IS_COMPLEX (finfo)
      || GST_VIDEO_FORMAT_INFO_IS_TILED (finfo)
      || GST_VIDEO_FORMAT_INFO_HAS_PALETTE (finfo)
      || GST_VIDEO_FORMAT_INFO_N_COMPONENTS (finfo) == 0)
    return FALSE;

  for (guint i = 0; i < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (finfo); i++) {
    guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (finfo, i);
    SlitScanComponent component;

    describe_component (finfo, i, &component);
    if (depth < 8 || depth > 16 || component.step < component.bytes)
      return FALSE;
    /* Samples that share bytes are parts of a larger word. */
    for (guint j = 0; j < i; j++) {
      SlitScanComponent other;

      describe_component (finfo, j, &other);
      if (component.plane == other.plane
          && ABS (component.offset - other.offset) < component.bytes)
        return FALSE;
    }
  }
  return TRUE;
}

GstCaps *
gst_slit_scan_format_caps (void)
{
  g_autoptr (GArray) formats =
      g_array_new (FALSE, FALSE, sizeof (GstVideoFormat));
  guint count;
  const GstVideoFormat *all = gst_video_formats_raw (&count);

  for (guint i = 0; i < count; i++) {
    if (gst_slit_scan_format_is_supported (gst_video_format_get_info (all[i])))
      g_array_append_val (formats, all[i]);
  }
  return gst_video_make_raw_caps ((const GstVideoFormat *) formats->data,
      formats->len);
}

void
gst_slit_scan_format_layout (const GstVideoInfo * info, SlitScanLayout * layout)
{
  const GstVideoFormatInfo *finfo = info->finfo;
  gint black[GST_VIDEO_MAX_COMPONENTS];
  gint scale[GST_VIDEO_MAX_COMPONENTS];

  memset (layout, 0, sizeof (*layout));
  layout->width = GST_VIDEO_INFO_WIDTH (info);
  layout->height = GST_VIDEO_INFO_HEIGHT (info);
  /* Y210 and v216 have no byte order in their names, but one everywhere. */
  layout->is_big_endian = !GST_VIDEO_FORMAT_INFO_IS_LE (finfo)
      && GST_VIDEO_INFO_FORMAT (info) != GST_VIDEO_FORMAT_Y210
      && GST_VIDEO_INFO_FORMAT (info) != GST_VIDEO_FORMAT_v216;
  layout->is_rgb = GST_VIDEO_FORMAT_INFO_IS_RGB (finfo);
  layout->component_count = GST_VIDEO_FORMAT_INFO_N_COMPONENTS (finfo);
  gst_video_color_range_offsets (info->colorimetry.range, finfo, black, scale);
  for (gint i = 0; i < layout->component_count; i++) {
    SlitScanComponent *component = &layout->components[i];

    /* Black and white differ in what makes brightness: not in the chroma, and
     * not in the alpha, as both are opaque. */
    gboolean is_bright = i == 0 || layout->is_rgb;

    describe_component (finfo, i, component);
    if (component->is_alpha) {
      black[i] = (1 << GST_VIDEO_FORMAT_INFO_DEPTH (finfo, i)) - 1;
      is_bright = FALSE;
    }
    component->black = black[i] << component->unused_bits;
    component->white = (black[i] + (is_bright ? scale[i] : 0))
        << component->unused_bits;
  }
}

gboolean
gst_slit_scan_format_has_same_pixels (const GstVideoInfo * info,
    const GstVideoInfo * other)
{
  return GST_VIDEO_INFO_FORMAT (info) == GST_VIDEO_INFO_FORMAT (other)
      && GST_VIDEO_INFO_WIDTH (info) == GST_VIDEO_INFO_WIDTH (other)
      && GST_VIDEO_INFO_HEIGHT (info) == GST_VIDEO_INFO_HEIGHT (other)
      && info->colorimetry.range == other->colorimetry.range;
}

/* Bytes from a plane's start to the end of the memory it lies in. A buffer
 * without video meta is one map; with it, every plane has a map of its own,
 * and nothing has compared its size with the caps yet. */
static gsize
plane_bytes (const GstVideoFrame * frame, guint plane)
{
  const guint8 *start = GST_VIDEO_FRAME_PLANE_DATA (frame, plane);

  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++) {
    const GstMapInfo *map = &frame->map[i];

    if (map->data != NULL && start >= map->data
        && start < map->data + map->size)
      return map->data + map->size - start;
  }
  return 0;
}

void
gst_slit_scan_format_planes (const GstVideoFrame * frame,
    SlitScanFrame * planes)
{
  memset (planes, 0, sizeof (*planes));
  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (frame); i++) {
    planes->planes[i] = GST_VIDEO_FRAME_PLANE_DATA (frame, i);
    planes->byte_counts[i] = plane_bytes (frame, i);
    planes->strides[i] = GST_VIDEO_FRAME_PLANE_STRIDE (frame, i);
  }
}

gint
gst_slit_scan_format_loss (const GstVideoFormatInfo * from,
    const GstVideoFormatInfo * to)
{
  const GstVideoFormatFlags kinds = GST_VIDEO_FORMAT_FLAG_YUV
      | GST_VIDEO_FORMAT_FLAG_RGB | GST_VIDEO_FORMAT_FLAG_GRAY;
  const gboolean chroma = !GST_VIDEO_FORMAT_INFO_IS_GRAY (from);
  /* Every conversion costs something, even one that keeps all. */
  gint loss = 1;

  if (from == to)
    return 0;
  if (chroma && GST_VIDEO_FORMAT_INFO_IS_GRAY (to))
    loss += 64;
  if (GST_VIDEO_FORMAT_INFO_HAS_PALETTE (to))
    loss += 32;
  if (GST_VIDEO_FORMAT_INFO_HAS_ALPHA (from)
      && !GST_VIDEO_FORMAT_INFO_HAS_ALPHA (to))
    loss += 16;
  if (GST_VIDEO_FORMAT_INFO_DEPTH (to, 0) <
      GST_VIDEO_FORMAT_INFO_DEPTH (from, 0))
    loss += 8;
  if ((GST_VIDEO_FORMAT_INFO_FLAGS (from) ^ GST_VIDEO_FORMAT_INFO_FLAGS (to))
      & kinds)
    loss += 2;
  if (chroma && GST_VIDEO_FORMAT_INFO_N_COMPONENTS (to) > 1) {
    if (GST_VIDEO_FORMAT_INFO_W_SUB (to, 1) >
        GST_VIDEO_FORMAT_INFO_W_SUB (from, 1))
      loss += 4;
    if (GST_VIDEO_FORMAT_INFO_H_SUB (to, 1) >
        GST_VIDEO_FORMAT_INFO_H_SUB (from, 1))
      loss += 4;
  }
  return loss;
}

/* -- colours -------------------------------------------------------------- */

/* R, G and B as the components of the format, each a fraction of its scale:
 * from 0 to 1, but chroma from -1/2 to 1/2. */
static void
to_components (const GstVideoInfo * info, const gdouble rgb[3],
    gdouble components[3])
{
  gdouble kr, kb, luma;

  if (GST_VIDEO_INFO_IS_RGB (info)) {
    for (guint i = 0; i < 3; i++)
      components[i] = rgb[i];
    return;
  }
  if (!gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix, &kr, &kb))
    gst_video_color_matrix_get_Kr_Kb (GST_VIDEO_COLOR_MATRIX_BT601, &kr, &kb);
  luma = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2];
  components[0] = luma;
  components[1] = (rgb[2] - luma) / (2 * (1 - kb));
  components[2] = (rgb[0] - luma) / (2 * (1 - kr));
}

/* By the matrix and the range of the caps. GstVideoConverter would be off by a
 * step or two, and leaves the range of RGB alone. */
guint64
gst_slit_scan_color_samples (guint32 argb, const GstVideoInfo * info)
{
  const gdouble rgb[] = {
    (argb >> 16 & 0xff) / 255.0, (argb >> 8 & 0xff) / 255.0,
    (argb & 0xff) / 255.0
  };
  gint zero[GST_VIDEO_MAX_COMPONENTS], scale[GST_VIDEO_MAX_COMPONENTS];
  gdouble components[3];
  SlitScanLayout layout;
  guint64 samples = 0;

  gst_slit_scan_format_layout (info, &layout);
  gst_video_color_range_offsets (info->colorimetry.range, info->finfo, zero,
      scale);
  to_components (info, rgb, components);
  for (gint i = 0; i < layout.component_count; i++) {
    const SlitScanComponent *component = &layout.components[i];
    gint largest, sample;

    if (component->is_alpha) {
      sample = component->white;
    } else {
      /* Half of full-range chroma is beyond the largest sample. */
      largest = (1 << GST_VIDEO_INFO_COMP_DEPTH (info, i)) - 1;
      sample = (gint) floor (zero[i] + components[i] * scale[i] + 0.5);
      sample = CLAMP (sample, 0, largest) << component->unused_bits;
    }
    samples |= (guint64) sample << (16 * i);
  }
  return samples;
}
