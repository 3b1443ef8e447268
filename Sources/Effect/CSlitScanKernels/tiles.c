/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels that convert frames to tiles, and single frames of tiles
 * back. */

#include "tiles.h"

/* Bytes of a row that are fetched into the caches ahead of their use, where tiles
 * below each other are stored one after another. */
#define FETCHED_BYTES 128

/* -- into tiles ----------------------------------------------------------- */

/* Stores tiles side by side. */
SLIT_SCAN_INLINE void
store_group (int32_t row_bytes, int32_t tile_rows, const SlitScanSource * plane,
    size_t tile, size_t tile_y, const SlitScanSlot * slot, bool has_rings,
    bool streams)
{
  const SlitScanTiling *tiling = &plane->tiling;
  size_t tile_lines = lines_of_tile (row_bytes);
  size_t at_once = tiles_at_once (row_bytes);
  size_t line = tiling->first_line
      + (tile_y * tiling->tiles_wide + tile) * tile_lines;
  size_t whole = whole_tiles (tiling, row_bytes, tile_rows, tile_y);
  const uint8_t *rows = plane->rows
      + tile_y * (size_t) tile_rows * plane->stride;

  /* Nearly all: in lines of their own, which stay in registers. */
  if (row_bytes != 24 && tile + at_once <= whole) {
    Words lines[MOST_AT_ONCE];

    for (size_t i = 0; i < at_once; i++) {
      const uint8_t *from = rows + i * plane->stride
          + tile * (size_t) row_bytes;

      if (has_rings)
        __builtin_prefetch (from + FETCHED_BYTES);
      memcpy (&lines[i], from, LINE_BYTES);
    }
    transpose (lines, row_bytes);
    for (size_t i = 0; i < at_once; i++)
      store_line (&lines[i], streams, line_of_slot (slot, has_rings, line++));
  } else {
    size_t rest = tiling->tiles_wide - tile;
    size_t count = rest < at_once ? rest : at_once;
    Words lines[MOST_AT_ONCE];

    take_tiles (row_bytes, tile_rows, plane, tile, tile_y, count, lines);
    for (size_t i = 0; i < count * tile_lines; i++)
      store_line (&lines[i], streams, line_of_slot (slot, has_rings, line++));
  }
}

/* Stores rows of tiles. */
SLIT_SCAN_INLINE void
store_band (int32_t row_bytes, int32_t tile_rows, const SlitScanSource * plane,
    size_t first, size_t end, const SlitScanSlot * slot, bool has_rings,
    bool streams)
{
  for (size_t tile = 0; tile < plane->tiling.tiles_wide;
      tile += tiles_at_once (row_bytes))
    for (size_t tile_y = first; tile_y < end; tile_y++)
      store_group (row_bytes, tile_rows, plane, tile, tile_y, slot, has_rings,
          streams);
}

SLIT_SCAN_ROWS (static, store_rows, SlitScanSource, SlitScanSlot)
{
  const SlitScanSlot *slot = context;
  bool has_rings = slot->rings != NULL;

  while (first < end) {
    size_t next = end_of_band (&plane->tiling, has_rings, first, end);

    if (has_rings && slot->streams)
      FOR_SHAPE (&plane->tiling, store_band, plane, first, next, slot, true,
          true);
    else if (has_rings)
      FOR_SHAPE (&plane->tiling, store_band, plane, first, next, slot, true,
          false);
    else if (slot->streams)
      FOR_SHAPE (&plane->tiling, store_band, plane, first, next, slot, false,
          true);
    else
      FOR_SHAPE (&plane->tiling, store_band, plane, first, next, slot, false,
          false);
    first = next;
  }
  finish_stores ();
}

void
slit_scan_store (const SlitScanSource * planes, size_t plane_count,
    SlitScanSlot slot, WorkerPool * pool)
{
  bool has_rows = slot.rings != NULL && slot.rings->has_rows;

  DO_ROWS (SlitScanSource, tiling, planes, plane_count,
      has_rows ? slit_scan_store_rows : store_rows, &slot, pool);
}

/* -- out of tiles --------------------------------------------------------- */

SLIT_SCAN_INLINE void
load_row (int32_t row_bytes, int32_t tile_rows,
    const SlitScanTarget * plane, size_t tile_y, const uint8_t * frame)
{
  const SlitScanTiling *tiling = &plane->tiling;
  uint8_t *rows = plane->rows + tile_y * (size_t) tile_rows * plane->stride;
  size_t at_once = (size_t) (LINE_BYTES / row_bytes);
  size_t whole = whole_tiles (tiling, row_bytes, tile_rows, tile_y);
  size_t tile_bytes = lines_of_tile (row_bytes) * LINE_BYTES;
  const uint8_t *lines = frame + tiling->first_line * LINE_BYTES
      + tile_y * tiling->tiles_wide * tile_bytes;
  size_t tile = 0;

  if (row_bytes != 24) {
    for (; tile + at_once <= whole; tile += at_once) {
      Words words[MOST_AT_ONCE];

      memcpy (words, lines + tile * LINE_BYTES, at_once * LINE_BYTES);
      transpose (words, row_bytes);
      for (size_t i = 0; i < at_once; i++)
        memcpy (rows + i * plane->stride + tile * (size_t) row_bytes,
            &words[i], LINE_BYTES);
    }
  }
  for (; tile < tiling->tiles_wide; tile++) {
    size_t byte_count = bytes_inside (tiling, row_bytes, tile);

    for (size_t row = 0; row < rows_inside (tiling, tile_rows, tile_y); row++)
      memcpy (rows + row * plane->stride + tile * (size_t) row_bytes,
          lines + tile * tile_bytes + row * (size_t) row_bytes, byte_count);
  }
}

SLIT_SCAN_ROWS (static, load_rows, SlitScanTarget, uint8_t)
{
  for (size_t tile_y = first; tile_y < end; tile_y++)
    FOR_SHAPE (&plane->tiling, load_row, plane, tile_y, context);
}

void
slit_scan_load (const uint8_t * lines, const SlitScanTarget * planes,
    size_t plane_count, WorkerPool * pool)
{
  DO_ROWS (SlitScanTarget, tiling, planes, plane_count, load_rows, lines, pool);
}
