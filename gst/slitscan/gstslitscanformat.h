/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The video formats for the effect. */
#pragma once

#include <gst/video/video.h>

#include "slitscan-engine.h"

G_BEGIN_DECLS

/* Whether samples of the format are whole bytes in a regular order. */
gboolean gst_slit_scan_format_is_supported (const GstVideoFormatInfo * finfo);

/* The caps of every supported format, of any size and frame rate. */
GstCaps *gst_slit_scan_format_caps (void);

/* Describes frames of the caps that info was made from. */
void gst_slit_scan_format_layout (const GstVideoInfo * info,
    SlitScanLayout * layout);

/* Whether frames of two caps have the same layout. They may differ in rate,
 * aspect ratio, colours, fields and views. */
gboolean gst_slit_scan_format_has_same_pixels (const GstVideoInfo * info,
    const GstVideoInfo * other);

/* The planes of a mapped frame. */
void gst_slit_scan_format_planes (const GstVideoFrame * frame,
    SlitScanFrame * planes);

/* The loss of a conversion from one format to another; 0 is none. */
gint gst_slit_scan_format_loss (const GstVideoFormatInfo * from,
    const GstVideoFormatInfo * to);

/* The samples of a colour, 0xAARRGGBB, made opaque, in frames of this kind:
 * the words that lie in memory, as numbers of 16 bits, the first one lowest.
 * Unused ones are 0. */
guint64 gst_slit_scan_color_samples (guint32 argb, const GstVideoInfo * info);

G_END_DECLS
