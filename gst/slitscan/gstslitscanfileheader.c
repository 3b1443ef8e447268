/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The reader of image file headers. A decoder reads them too, but some things
 * go wrong before that, as of GStreamer 1.22:
 *
 * - jpegdec first allocates memory for all of a progressive image.
 * - jpegdec fills the missing part of a truncated file with grey and reports
 *   nothing.
 * - pngdec crashes on sizes that overflow GStreamer's arithmetic, and pnmdec on
 *   a header without an end.
 *
 * The structure of a PNG file is that of ISO/IEC 15948, clause 5; the markers
 * of a JPEG file are those of ITU-T T.81, annex B; PGM and PPM are Netpbm's. */

#include "gstslitscanfileheader.h"

#include <string.h>

/* The signature, and the start of the chunk that must come first. */
static const guint8 png_start[] = {
  0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'
};

enum
{
  JPEG_TEM = 0x01,
  JPEG_SOF0 = 0xC0,
  JPEG_DHT = 0xC4,
  JPEG_JPG = 0xC8,
  JPEG_DAC = 0xCC,
  JPEG_SOF15 = 0xCF,
  JPEG_RST0 = 0xD0,
  JPEG_RST7 = 0xD7,
  JPEG_SOI = 0xD8,
  JPEG_EOI = 0xD9
};

/* A number of so many bytes, the highest first. */
static guint32
read_number (FILE * file, gint bytes)
{
  guint32 number = 0;

  while (bytes-- > 0)
    number = number << 8 | (getc_unlocked (file) & 0xFF);
  return number;
}

/* Goes to the next marker, over coded samples if they are there: after 0xFF,
 * these have a 0. EOF at the end of the file. */
static gint
next_marker (FILE * file)
{
  gint byte = getc_unlocked (file);

  while (byte != EOF) {
    if (byte != 0xFF) {
      byte = getc_unlocked (file);
      continue;
    }
    byte = getc_unlocked (file);
    if (byte != 0 && byte != 0xFF)
      return byte;
  }
  return EOF;
}

static gboolean
has_segment (gint marker)
{
  return marker != JPEG_TEM && marker != JPEG_SOI
      && (marker < JPEG_RST0 || marker > JPEG_RST7);
}

static gboolean
is_frame_header (gint marker)
{
  return marker >= JPEG_SOF0 && marker <= JPEG_SOF15
      && marker != JPEG_DHT && marker != JPEG_JPG && marker != JPEG_DAC;
}

/* From behind the first marker to the end of the first image. */
static void
read_jpeg (FILE * file, GstSlitScanFileHeader * header)
{
  gint marker;

  while ((marker = next_marker (file)) != JPEG_EOI) {
    gint rest;

    if (marker == EOF) {
      header->is_cut_short = TRUE;
      return;
    }
    if (!has_segment (marker))
      continue;
    rest = read_number (file, 2) - 2;
    if (is_frame_header (marker) && rest >= 6) {
      guint32 height, width;

      read_number (file, 1);    /* bits of a sample */
      height = read_number (file, 2);
      width = read_number (file, 2);
      /* A damaged file may have several. */
      header->height = MAX (header->height, height);
      header->width = MAX (header->width, width);
      header->is_cmyk = read_number (file, 1) == 4;
      rest -= 6;
    }
    /* Also over thumbnails, which have ends of their own. */
    while (rest-- > 0 && getc_unlocked (file) != EOF);
  }
}

/* A number in digits, after white space and comments. */
static guint32
read_text_number (FILE * file)
{
  guint64 number = 0;
  gint byte = getc_unlocked (file);

  while (g_ascii_isspace (byte) || byte == '#') {
    gboolean is_comment = byte == '#';

    do
      byte = getc_unlocked (file);
    while (is_comment && byte != '\n' && byte != EOF);
  }
  for (; g_ascii_isdigit (byte); byte = getc_unlocked (file))
    number = MIN (10 * number + byte - '0', G_MAXUINT32);
  return number;
}

void
gst_slit_scan_file_header_read (FILE * file, GstSlitScanFileHeader * header)
{
  guint8 start[sizeof (png_start)] = { 0, };

  memset (header, 0, sizeof (*header));
  header->package = "gstreamer1.0-plugins-good";
  rewind (file);
  if (fread (start, 1, sizeof (start), file) == sizeof (start)
      && memcmp (start, png_start, sizeof (start)) == 0) {
    header->decoder = "pngdec";
    header->width = read_number (file, 4);
    header->height = read_number (file, 4);
    /* The bits of a sample, and the type of colour. */
    header->is_rgb16 = read_number (file, 1) == 16
        && read_number (file, 1) == 2;
  } else if (start[0] == 0xFF && start[1] == JPEG_SOI && start[2] == 0xFF) {
    header->decoder = "jpegdec";
    header->is_jpeg = TRUE;
    fseek (file, 2, SEEK_SET);
    read_jpeg (file, header);
  } else if (start[0] == 'P' && start[1] != '\0'
      && strchr ("2356", start[1]) != NULL && (g_ascii_isspace (start[2])
          || start[2] == '#')) {
    header->decoder = "pnmdec";
    header->package = "gstreamer1.0-plugins-bad";
    fseek (file, 2, SEEK_SET);
    header->width = read_text_number (file);
    header->height = read_text_number (file);
    read_text_number (file);    /* white */
    header->is_cut_short = feof (file);
  }
}
