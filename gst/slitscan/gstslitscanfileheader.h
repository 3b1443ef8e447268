/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The reader of image file headers, for use before a file is decoded. */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

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

G_END_DECLS
