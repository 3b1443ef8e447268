/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The reader of PNG files, on libpng. */

#include "png-reader.h"
#include "png-error.h"

#include <setjmp.h>
#include <stdlib.h>

struct _PngReader
{
  FILE *file;
  png_structp png;
  png_infop info;
  PngReaderLayout layout;
  PngError error;
};

static void
read_header (PngReader * self)
{
  int type;

  if (setjmp (png_jmpbuf (self->png)))
    return;
  png_init_io (self->png, self->file);
  png_read_info (self->png, self->info);
  type = png_get_color_type (self->png, self->info);
  self->layout.width = png_get_image_width (self->png, self->info);
  self->layout.height = png_get_image_height (self->png, self->info);
  self->layout.is_colour = (type & PNG_COLOR_MASK_COLOR) != 0;
  self->layout.has_alpha = (type & PNG_COLOR_MASK_ALPHA) != 0
      || png_get_valid (self->png, self->info, PNG_INFO_tRNS) != 0;
  self->layout.is_deep = png_get_bit_depth (self->png, self->info) == 16;
}

PngReader *
png_reader_open (const char *path)
{
  PngReader *self = calloc (1, sizeof (PngReader));

  if (self == NULL)
    return NULL;
  self->png = png_create_read_struct (PNG_LIBPNG_VER_STRING, &self->error,
      png_error_fail, png_error_ignore);
  if (self->png != NULL)
    self->info = png_create_info_struct (self->png);
  if (self->info == NULL) {
    png_reader_free (self);
    return NULL;
  }
  self->file = fopen (path, "rbe");
  if (self->file == NULL)
    png_error_of_system (&self->error);
  else
    read_header (self);
  return self;
}

PngReaderLayout
png_reader_layout (const PngReader * self)
{
  return self->layout;
}

/* Has libpng bring pixels to what is wanted. Returns the number of passes. */
static int
convert (PngReader * self, const PngReaderLayout * wanted)
{
  int is_argb = wanted->is_deep && (wanted->is_colour || wanted->has_alpha);

  /* Palettes, fewer than 8 bits, and transparent colours. */
  png_set_expand (self->png);
  if (wanted->is_deep) {
    png_set_expand_16 (self->png);
    png_set_swap (self->png);
  }
  if (wanted->is_colour || wanted->has_alpha)
    png_set_gray_to_rgb (self->png);
  if (is_argb && self->layout.has_alpha)
    png_set_swap_alpha (self->png);
  else if (is_argb)
    png_set_add_alpha (self->png, 0xFFFF, PNG_FILLER_BEFORE);
  else if (wanted->has_alpha && !self->layout.has_alpha)
    png_set_add_alpha (self->png, 0xFF, PNG_FILLER_AFTER);
  return png_set_interlace_handling (self->png);
}

int
png_reader_rows (PngReader * self, const PngReaderLayout * wanted,
    uint8_t * pixels, size_t stride)
{
  int passes;

  if (self->error.text[0] != '\0' || setjmp (png_jmpbuf (self->png)))
    return 0;
  passes = convert (self, wanted);
  png_read_update_info (self->png, self->info);
  if (png_get_rowbytes (self->png, self->info) > stride)
    png_error (self->png, "The rows are longer than expected.");
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t row = 0; row < self->layout.height; row++)
      png_read_row (self->png, pixels + row * stride, NULL);
  }
  /* Checks what follows the pixels: a file that is cut short lacks its end. */
  png_read_end (self->png, NULL);
  return 1;
}

const char *
png_reader_error (const PngReader * self)
{
  return self->error.text[0] == '\0' ? NULL : self->error.text;
}

void
png_reader_free (PngReader * self)
{
  if (self->file != NULL)
    fclose (self->file);
  png_destroy_read_struct (&self->png, &self->info, NULL);
  free (self);
}
