/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The values of a map, line by line in tile order. */
#pragma once

#include "tiles.h"

/* Tiles whose g is made at a time: so few that it stays in the nearest cache. */
#define TILES_AT_ONCE 16

/* The values of the bytes of a few tiles, in the order of their lines; `size` is
 * that of a value. */
SLIT_SCAN_INLINE void
gather_tiles (int32_t cell_bytes, int32_t row_bytes, int32_t tile_rows,
    const SlitScanMapping * plane, const void *values, size_t size,
    size_t tile_x, size_t tile_y, size_t tile_count, uint8_t * bytes)
{
  size_t cells = (size_t) (row_bytes / cell_bytes);

  if (size == 1 && cell_bytes == 1
      && (tile_y + 1) * (size_t) tile_rows <= plane->cells_high
      && (tile_x + tile_count) * cells <= plane->cells_wide
      && tile_count % MOST_AT_ONCE == 0) {
    const uint8_t *from = (const uint8_t *) values
        + tile_y * (size_t) tile_rows * plane->cells_wide + tile_x * cells;

    for (size_t tile = 0; tile < tile_count; tile += MOST_AT_ONCE) {
      Words rows[MOST_AT_ONCE];

      for (size_t row = 0; row < MOST_AT_ONCE; row++)
        memcpy (&rows[row], from + row * plane->cells_wide + tile * cells,
            LINE_BYTES);
      transpose (rows, 8);
      memcpy (bytes + tile * LINE_BYTES, rows, sizeof rows);
    }
    return;
  }
  for (size_t row = 0; row < (size_t) tile_rows; row++) {
    size_t y = tile_y * (size_t) tile_rows + row;
    const uint8_t *from = (const uint8_t *) values
        + (y < plane->cells_high ? y : plane->cells_high - 1)
        * plane->cells_wide * size;

    for (size_t tile = 0; tile < tile_count; tile++) {
      size_t first = (tile_x + tile) * cells;
      uint8_t *to = bytes + (tile * (size_t) (row_bytes * tile_rows)
          + row * (size_t) row_bytes) * size;

      if (first + cells > plane->cells_wide) {
        for (size_t i = 0; i < (size_t) row_bytes; i++) {
          size_t x = first + i / (size_t) cell_bytes;

          x = x < plane->cells_wide ? x : plane->cells_wide - 1;
          memcpy (to + i * size, from + x * size, size);
        }
      } else if (cell_bytes == 1) {
        memcpy (to, from + first * size, cells * size);
      } else {
        for (size_t i = 0; i < (size_t) row_bytes; i++)
          memcpy (to + i * size,
              from + (first + i / (size_t) cell_bytes) * size, size);
      }
    }
  }
}

/* The same for the shapes of TileShape, as constants. */
SLIT_SCAN_INLINE void
gather_shape (const SlitScanMapping * plane, const void *values, size_t size,
    size_t tile_x, size_t tile_y, size_t tile_count, uint8_t * bytes)
{
  switch (plane->cell_bytes) {
    case 1:
      gather_tiles (1, 8, 8, plane, values, size, tile_x, tile_y, tile_count,
          bytes);
      break;
    case 2:
      gather_tiles (2, 16, 4, plane, values, size, tile_x, tile_y, tile_count,
          bytes);
      break;
    case 3:
      gather_tiles (3, 24, 8, plane, values, size, tile_x, tile_y, tile_count,
          bytes);
      break;
    case 4:
      gather_tiles (4, 16, 4, plane, values, size, tile_x, tile_y, tile_count,
          bytes);
      break;
    default:
      gather_tiles (8, 32, 2, plane, values, size, tile_x, tile_y, tile_count,
          bytes);
      break;
  }
}

/* f of a line's bytes. */
SLIT_SCAN_INLINE void
values_of_line (const SlitScanMapping * plane, bool has_samples,
    const uint8_t * bytes, Floats * f)
{
  Bytes samples;

  if (!has_samples) {
    memcpy (f, bytes, sizeof *f);
    return;
  }
  memcpy (&samples, bytes, sizeof samples);
  *f = (__builtin_convertvector (samples, Floats) - plane->black)
      * plane->scale;
}

/* From f to g: curve_value() of curve.c, for a line at once. */
SLIT_SCAN_INLINE void
bend (const SlitScanCurve * curve, Floats * values)
{
  Floats f = __builtin_elementwise_min (__builtin_elementwise_max (*values,
          (Floats) 0.0f), (Floats) 1.0f);
  Floats g = (curve->inverts ? 1.0f - f : f) * curve->gain + curve->offset;

  if (curve->edge == SLIT_SCAN_CURVE_CLAMP) {
    g = __builtin_elementwise_max (g, (Floats) 0.0f);
    *values = __builtin_elementwise_min (g, (Floats) 1.0f);
  } else {
    bool wraps = curve->edge == SLIT_SCAN_CURVE_WRAP;
    Floats turns = wraps ? g : g / 2.0f;
    Floats whole = __builtin_convertvector (__builtin_convertvector (turns,
            Levels), Floats);
    Levels is_inside = g >= 0.0f & g <= 1.0f;
    Floats folded;

    /* A comparison that holds is -1. */
    whole += __builtin_convertvector (whole > turns, Floats);
    if (wraps) {
      folded = g - whole;
    } else {
      folded = g - 2.0f * whole;
      folded = folded > 1.0f ? 2.0f - folded : folded;
    }
    *values = is_inside ? g : folded;
  }
}
