/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* A writer of PNG files of any size, row by row. libpng reports errors by
 * longjmp: here it jumps over C frames only. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/* The most pixels that a side can have. */
#define PNG_WRITER_LONGEST_SIDE 0x7FFFFFFF

typedef struct _PngWriter PngWriter;

/* The pixels of rows, and what is written of them. */
typedef struct
{
  /* 1 for grey, 3 for RGB, 4 for RGBA. */
  int channels;
  /* Of a sample: 8, or 16 with the higher byte first. */
  int bits;
  /* Whether alpha is left out. */
  int is_opaque;
} PngWriterPixels;

/* Creates a file, over what is there. NULL if there is no memory; else
 * png_writer_error() says whether the file can be written. */
PngWriter *_Nullable png_writer_open (const char *path, uint32_t width,
    uint32_t height, PngWriterPixels pixels);

/* Writes the next row. Returns 0 if that failed. */
int png_writer_row (PngWriter * self, const uint8_t * pixels);

/* Writes what is left, once all rows are. Returns 0 if that failed. */
int png_writer_finish (PngWriter * self);

/* The number of the system's error, 0 if there was none. */
int png_writer_error_number (const PngWriter * self);

/* The error message, NULL if there is none; owned by the writer. */
const char *_Nullable png_writer_error (const PngWriter * self);

/* Closes the file, complete or not. */
void png_writer_free (PngWriter * self);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
