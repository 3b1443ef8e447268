/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The conversion of a colour to the samples of a video format. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* The samples of a colour, 0xAARRGGBB, made opaque, in frames of this kind:
 * the words that lie in memory, as numbers of 16 bits, the first one lowest.
 * Unused ones are 0. */
guint64 gst_slit_scan_color_samples (guint32 argb, const GstVideoInfo * info);

G_END_DECLS
