/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* One picture file, decoded while the caller waits. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct _GstSlitScanMapDecoder GstSlitScanMapDecoder;

/* A decoder of the one picture in a local file, for one use. The location is a
 * path or a file URI. */
GstSlitScanMapDecoder *gst_slit_scan_map_decoder_new (const gchar * location);

void gst_slit_scan_map_decoder_free (GstSlitScanMapDecoder * self);

/* The picture, in a format that the element scans; or NULL and an error of the
 * domain GST_RESOURCE_ERROR or GST_STREAM_ERROR, whose message is for a
 * person. After an interruption, either is worth nothing. */
GstSample *gst_slit_scan_map_decoder_decode (GstSlitScanMapDecoder * self,
    GError ** error);

/* Makes the decoding end as soon as it can: before the next picture or piece
 * of the file, but not within one. From any thread. */
void gst_slit_scan_map_decoder_interrupt (GstSlitScanMapDecoder * self);

G_END_DECLS
