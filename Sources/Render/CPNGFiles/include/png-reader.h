/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* A reader of PNG files, with all bits that they have: pngdec of GStreamer
 * 1.22 puts 16-bit colours into the wrong samples, and the last one outside of
 * its frame. libpng reports errors by longjmp: here it jumps over C frames
 * only. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

typedef struct _PngReader PngReader;

/* The pixels of a file. */
typedef struct
{
  uint32_t width;
  uint32_t height;
  /* Whether there is more than grey: a palette counts as colours. */
  int is_colour;
  /* Whether pixels may be transparent. */
  int has_alpha;
  /* Whether samples have 16 bits. */
  int is_deep;
} PngReaderLayout;

/* Opens a file and reads its header. NULL if there is no memory; else
 * png_reader_error() says whether the file can be read. */
PngReader *_Nullable png_reader_open (const char *path);

/* The pixels that the file has. */
PngReaderLayout png_reader_layout (const PngReader * self);

/* Reads all rows, once, as pixels that have at least what the file has: grey,
 * RGB, RGBA, or for colours of 16 bits ARGB. Samples of 16 bits are
 * little-endian; each row begins STRIDE bytes after the one before. Returns 0
 * if that failed. */
int png_reader_rows (PngReader * self, const PngReaderLayout * wanted,
    uint8_t * pixels, size_t stride);

/* The error message, NULL if there is none; owned by the reader. */
const char *_Nullable png_reader_error (const PngReader * self);

void png_reader_free (PngReader * self);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
