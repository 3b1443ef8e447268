/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* PNG files of 16-bit RGB without alpha, which GStreamer 1.22 decodes wrong. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Takes what such a file was decoded to, and gives it as it should be; NULL if
 * there is no memory for that. */
GstSample *gst_slit_scan_png16_correct (GstSample * sample);

G_END_DECLS
