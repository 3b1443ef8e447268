/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Code shared by the kernels that draw line by line: what is shown of frames
 * that have not come yet, and how lines become a plane. */
#pragma once

#include "history.h"

/* -- late bytes ----------------------------------------------------------- */

/* Whether a byte's delay is greater than the oldest level. */
SLIT_SCAN_INLINE bool
is_late (const SlitScanReading * plane, SlitScanLineDelay delay,
    uint32_t oldest, size_t line, size_t byte)
{
  bool is_wide = delay.reach > NARROW_REACH;
  size_t pattern = (size_t) delay.pattern * LINE_BYTES + byte;

  if (delay.base > oldest)
    return true;
  if (plane->kind == SLIT_SCAN_READ_NEAREST)
    return is_wide ? plane->wide[line * LINE_BYTES + byte] > oldest
        : plane->levels[pattern] > oldest - delay.base;
  if (plane->kind == SLIT_SCAN_READ_BLEND_BYTES)
    return is_wide ? plane->wide[line * LINE_BYTES + byte]
        > oldest << WIDE_FRACTION : plane->narrow[pattern]
        > (oldest - delay.base) << NARROW_FRACTION;
  return plane->wide[line * LINE_BYTES / 2 + byte / 2]
      > oldest << WIDE_FRACTION;
}

/* Puts what warm-up shows where delays are greater than the oldest level. */
SLIT_SCAN_APART void
replace_late (const SlitScanHistoryFrames * history,
    const SlitScanReading * plane, size_t line, size_t count, Bytes * lines)
{
  size_t tile_lines = lines_of_tile (plane->target.tiling.row_bytes);

  history = whole_history (history);
  for (size_t i = 0; i < count; i++) {
    SlitScanLineDelay delay = plane->delays[line + i];
    uint8_t *out = (void *) &lines[i];
    const uint8_t *other = plane->colour;
    Bytes newest;

    if (delay.base + delay.reach <= history->oldest)
      continue;
    if (plane->late == SLIT_SCAN_LATE_NEWEST) {
      LinePosition position = position_of (HISTORY_ERAS, &plane->target.tiling, line + i);

      get_line (history, HISTORY_ERAS, &position, 0, &newest);
      other = (const void *) &newest;
    } else {
      other += (line + i) % tile_lines * LINE_BYTES;
    }
    for (size_t byte = 0; byte < LINE_BYTES; byte++)
      if (is_late (plane, delay, history->oldest, line + i, byte))
        out[byte] = other[byte];
  }
}

/* -- into a plane --------------------------------------------------------- */

/* Puts tiles side by side into the plane. */
SLIT_SCAN_INLINE void
put_tiles (int32_t row_bytes, int32_t tile_rows, const Bytes * lines,
    const SlitScanTarget * target, size_t tile_x, size_t tile_y, size_t count,
    bool streams)
{
  const SlitScanTiling *tiling = &target->tiling;
  size_t stride = target->stride;
  uint8_t *rows = target->rows + tile_y * (size_t) tile_rows * stride
      + tile_x * (size_t) row_bytes;
  size_t at_once = (size_t) (LINE_BYTES / row_bytes);
  size_t whole = whole_tiles (tiling, row_bytes, tile_rows, tile_y);

  if (row_bytes != 24 && count == at_once && tile_x + at_once <= whole) {
    Words words[MOST_AT_ONCE];

    memcpy (words, lines, at_once * LINE_BYTES);
    transpose (words, row_bytes);
    for (size_t i = 0; i < at_once; i++)
      store_line (&words[i], streams, rows + i * stride);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const uint8_t *from = (const void *) &lines[i * lines_of_tile (row_bytes)];
    uint8_t *to = rows + i * (size_t) row_bytes;

    if (tile_x + i < whole) {
      for (int32_t row = 0; row < tile_rows; row++)
        memcpy (to + (size_t) row * stride, from + row * row_bytes,
            (size_t) row_bytes);
    } else {
      size_t byte_count = bytes_inside (tiling, row_bytes, tile_x + i);

      for (size_t row = 0; row < rows_inside (tiling, tile_rows, tile_y); row++)
        memcpy (to + row * stride, from + row * (size_t) row_bytes, byte_count);
    }
  }
}
