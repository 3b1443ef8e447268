/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* What a picture file says of itself before it is decoded. */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

typedef struct
{
  guint32 width;                /* pixels; 0 is unknown */
  guint32 height;
  gboolean is_cmyk;
  gboolean is_rgb16;            /* 16 bits a sample, without alpha */
  gboolean is_cut_short;        /* the file ends before the picture */
  gboolean begins_twice;        /* and no decoder gets beyond that */
} GstSlitScanFileHeader;

/* Reads a file from its start. Knows PNG and JPEG, and nothing of others. */
void gst_slit_scan_file_header_read (FILE * file,
    GstSlitScanFileHeader * header);

G_END_DECLS
