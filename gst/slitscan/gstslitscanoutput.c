/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The conversion of the scanned frame from the input to the output format. */

#include "gstslitscanoutput.h"

gboolean
gst_slit_scan_output_describe (const GstVideoInfo * in_info,
    const GstVideoInfo * out_info, GstVideoInfo * scan_info)
{
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
  return TRUE;
}

gboolean
gst_slit_scan_output_prepare (GstSlitScanOutput * output,
    const GstVideoInfo * scan_info, const GstVideoInfo * out_info)
{
  gst_slit_scan_output_clear (output);
  output->scan_info = *scan_info;
  if (GST_VIDEO_INFO_FORMAT (scan_info) == GST_VIDEO_INFO_FORMAT (out_info)
      && gst_video_colorimetry_is_equal (&scan_info->colorimetry,
          &out_info->colorimetry))
    return TRUE;

  output->converter = gst_video_converter_new (&output->scan_info, out_info,
      NULL);
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
