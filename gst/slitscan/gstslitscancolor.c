/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The conversion of a colour to the samples of a video format, by the matrix
 * and the range of its caps. GstVideoConverter would be off by a step or two,
 * and leaves the range of RGB alone. */

#include "gstslitscancolor.h"

#include <math.h>

#include "gstslitscanformat.h"

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
  for (gint i = 0; i < GST_VIDEO_MAX_COMPONENTS; i++) {
    const SlitScanComponent *component = &layout.components[i];
    gint largest, sample;

    if (i >= layout.component_count)
      break;
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
