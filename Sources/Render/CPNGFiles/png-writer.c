/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The writer of PNG files, on libpng. */

#include "png-writer.h"
#include "png-error.h"

#include <setjmp.h>
#include <stdlib.h>

/* The compression level of zlib, of 9: more takes much longer and saves little. */
#define COMPRESSION 5

struct _PngWriter
{
  FILE *file;
  png_structp png;
  png_infop info;
  PngError error;
};

/* Writes what comes before the rows. */
static void
write_header (PngWriter * self, uint32_t width, uint32_t height,
    PngWriterPixels pixels)
{
  int has_alpha = pixels.channels == 4 && !pixels.is_opaque;
  int type = pixels.channels == 1 ? PNG_COLOR_TYPE_GRAY
      : has_alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB;

  if (setjmp (png_jmpbuf (self->png)))
    return;
  png_init_io (self->png, self->file);
  /* A strip of some hours is longer than what libpng takes for a mistake. */
  png_set_user_limits (self->png, PNG_WRITER_LONGEST_SIDE,
      PNG_WRITER_LONGEST_SIDE);
  png_set_IHDR (self->png, self->info, width, height, pixels.bits, type,
      PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
      PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB (self->png, self->info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_compression_level (self->png, COMPRESSION);
  errno = 0;
  png_write_info (self->png, self->info);
  if (pixels.channels == 4 && pixels.is_opaque)
    png_set_filler (self->png, 0, PNG_FILLER_AFTER);
}

PngWriter *
png_writer_open (const char *path, uint32_t width, uint32_t height,
    PngWriterPixels pixels)
{
  PngWriter *self = calloc (1, sizeof (PngWriter));

  if (self == NULL)
    return NULL;
  self->png = png_create_write_struct (PNG_LIBPNG_VER_STRING, &self->error,
      png_error_fail, png_error_ignore);
  if (self->png != NULL)
    self->info = png_create_info_struct (self->png);
  if (self->info == NULL) {
    png_writer_free (self);
    return NULL;
  }
  self->file = fopen (path, "wbe");
  if (self->file == NULL)
    png_error_of_system (&self->error);
  else
    write_header (self, width, height, pixels);
  return self;
}

int
png_writer_row (PngWriter * self, const uint8_t * pixels)
{
  if (self->error.text[0] != '\0' || setjmp (png_jmpbuf (self->png)))
    return 0;
  errno = 0;
  png_write_row (self->png, pixels);
  return 1;
}

int
png_writer_finish (PngWriter * self)
{
  if (self->error.text[0] != '\0' || setjmp (png_jmpbuf (self->png)))
    return 0;
  errno = 0;
  png_write_end (self->png, self->info);
  if (fflush (self->file) != 0)
    png_error (self->png, strerror (errno));
  return 1;
}

int
png_writer_error_number (const PngWriter * self)
{
  return self->error.number;
}

const char *
png_writer_error (const PngWriter * self)
{
  return self->error.text[0] == '\0' ? NULL : self->error.text;
}

void
png_writer_free (PngWriter * self)
{
  if (self->file != NULL)
    fclose (self->file);
  png_destroy_write_struct (&self->png, &self->info);
  free (self);
}
