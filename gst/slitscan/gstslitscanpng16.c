/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* PNG files of 16-bit RGB without alpha. pngdec of GStreamer 1.22 has libpng
 * make pixels A R G B of them, and puts the first where R belongs: everything
 * is one sample too late, and B of the very last pixel is lost. Later versions
 * have libpng make R G B A, so that all but alpha is right. */

#include "gstslitscanpng16.h"

#include <string.h>

/* Bytes of a sample and of a pixel, and what is in a sample at full scale. */
#define SAMPLE 2
#define PIXEL 8
#define FULL 0xFFFF

/* Alpha, where libpng adds it, is full everywhere; the first place for it is
 * left as it was in memory in any version. */
static gboolean
is_late (const GstVideoFrame * frame)
{
  gboolean has_alpha_in_place = TRUE;

  for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT (frame); y++) {
    const guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0)
        + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0);

    for (gint x = 0; x < GST_VIDEO_FRAME_WIDTH (frame); x++) {
      const guint8 *pixel = row + PIXEL * x;

      if (GST_READ_UINT16_LE (pixel + SAMPLE) != FULL)
        return FALSE;
      if ((x > 0 || y > 0) && GST_READ_UINT16_LE (pixel) != FULL)
        has_alpha_in_place = FALSE;
    }
  }
  return !has_alpha_in_place;
}

/* The buffer with everything one sample earlier. */
static GstBuffer *
move_forward (const GstVideoFrame * frame)
{
  const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (frame, 0);
  gsize size = GST_VIDEO_FRAME_SIZE (frame);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);

  if (buffer == NULL)
    return NULL;
  gst_buffer_fill (buffer, 0, data + SAMPLE, size - SAMPLE);
  /* The lost B is taken to be like the G beside it. */
  gst_buffer_fill (buffer, size - SAMPLE, data + size - SAMPLE, SAMPLE);
  return buffer;
}

GstSample *
gst_slit_scan_png16_correct (GstSample * sample)
{
  GstCaps *caps = gst_sample_get_caps (sample);
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  GstBuffer *corrected = NULL;
  gboolean is_wrong;
  GstVideoInfo info;
  GstVideoFrame frame;

  /* Another decoder, or other lines than pngdec's. */
  if (!gst_video_info_from_caps (&info, caps)
      || GST_VIDEO_INFO_FORMAT (&info) != GST_VIDEO_FORMAT_ARGB64
      || GST_VIDEO_INFO_PLANE_STRIDE (&info, 0)
      != PIXEL * GST_VIDEO_INFO_WIDTH (&info)
      || gst_buffer_get_video_meta (buffer) != NULL
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ))
    return sample;

  is_wrong = is_late (&frame);
  if (is_wrong)
    corrected = move_forward (&frame);
  gst_video_frame_unmap (&frame);
  if (!is_wrong)
    return sample;

  gst_caps_ref (caps);
  gst_sample_unref (sample);
  sample = corrected != NULL ? gst_sample_new (corrected, caps, NULL, NULL)
      : NULL;
  gst_clear_buffer (&corrected);
  gst_caps_unref (caps);
  return sample;
}
