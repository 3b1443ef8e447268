/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The conversion of the scanned frame from the input to the output format. */
#pragma once

#include <gst/video/video.h>

#include "slitscan-engine.h"

G_BEGIN_DECLS

/* All zero is an output that nothing is known of yet. */
typedef struct
{
  /* The scanned frame: the format that came in, the size that goes out. */
  GstVideoInfo scan_info;
  /* The target of the scan and the conversion from there, or
   * NULL when the output is just that. */
  GstVideoConverter *converter;
  GstBuffer *buffer;
} GstSlitScanOutput;

/* Describes the scanned frame of these caps. */
gboolean gst_slit_scan_output_describe (const GstVideoInfo * in_info,
    const GstVideoInfo * out_info, GstVideoInfo * scan_info);

/* Prepares the way from the scanned frame; FALSE if there is none. */
gboolean gst_slit_scan_output_prepare (GstSlitScanOutput * output,
    const GstVideoInfo * scan_info, const GstVideoInfo * out_info);

/* Gives everything back. */
void gst_slit_scan_output_clear (GstSlitScanOutput * output);

G_END_DECLS
