/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The reader of map images: PNG, JPEG and PGM. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Reads the image in a local file, a path or a file URI, while the caller
 * waits, and maps it in a format that the element scans. Else, there is an error
 * of the domain GST_RESOURCE_ERROR or GST_STREAM_ERROR, whose message is for a
 * person. */
gboolean gst_slit_scan_map_file_read (const gchar * location,
    GstVideoFrame * frame, GError ** error);

G_END_DECLS
