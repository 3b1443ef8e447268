/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The reader of map images: PNG, JPEG and PGM. */
#pragma once

#include <gst/video/video.h>
#include <stdio.h>

G_BEGIN_DECLS

/* The header of an image file, read before the image is decoded. */
typedef struct
{
  const gchar *decoder;         /* the element; NULL for any other file */
  const gchar *package;         /* that has it, in Debian */
  guint32 width;                /* pixels; 0 is unknown */
  guint32 height;
  gboolean is_jpeg;
  gboolean is_cmyk;
  gboolean is_rgb16;            /* 16 bits a sample, without alpha */
  gboolean is_cut_short;        /* the file ends before the image */
} GstSlitScanFileHeader;

/* Reads a file from its start. Knows PNG, JPEG, and PGM and PPM. */
void gst_slit_scan_file_header_read (FILE * file,
    GstSlitScanFileHeader * header);

/* Reads the image in a local file, a path or a file URI, while the caller
 * waits, and maps it in a format that the element scans. Else, there is an error
 * of the domain GST_RESOURCE_ERROR or GST_STREAM_ERROR, whose message is for a
 * person. */
gboolean gst_slit_scan_map_file_read (const gchar * location,
    GstVideoFrame * frame, GError ** error);

G_END_DECLS
