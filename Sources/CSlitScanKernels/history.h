/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Code shared by the kernels that read history: where a line of a frame is,
 * what is shown of frames that have not come yet, and how lines become a
 * plane. */
#pragma once

#include "tiles.h"

/* Bits of the fraction of narrow and of wide delays, see DelayMap. */
#define NARROW_FRACTION SLIT_SCAN_NARROW_FRACTION
#define WIDE_FRACTION SLIT_SCAN_WIDE_FRACTION
/* Lines whose levels are this far apart are read byte by byte. */
#define NARROW_REACH SLIT_SCAN_NARROW_REACH

/* -- where a line is ------------------------------------------------------ */

/* Whether all frames are of one era, and whether that has rings. */
typedef enum
{
  HISTORY_WHOLE,
  HISTORY_RINGS,
  HISTORY_ERAS,
} HistoryKind;

SLIT_SCAN_INLINE const uint8_t *
line_of_era (const SlitScanEra * era, bool has_rings, size_t line,
    uint32_t frame)
{
  const SlitScanPlace *place;
  const SlitScanRing *ring;
  uint32_t slot;

  if (!has_rings)
    return era->memory + era->starts[frame] + line * LINE_BYTES;
  place = &era->rings->places[line];
  ring = &era->rings->rings[place->ring];
  /* What has been let go of shows the oldest that has not. */
  frame = frame < ring->length ? frame : ring->length - 1;
  slot = ring->newest - frame;
  slot += frame > ring->newest ? ring->length : 0;
  return era->memory + era->rings->slots[slot] + ring->start
      + (size_t) place->index * LINE_BYTES;
}

SLIT_SCAN_INLINE const uint8_t *
line_of_history (const SlitScanHistoryFrames * history, HistoryKind kind,
    size_t line, uint32_t level)
{
  const SlitScanEra *era = history->eras;
  uint32_t first = 0;

  if (kind == HISTORY_WHOLE)
    return line_of_era (era, false, line, level);
  if (kind == HISTORY_RINGS)
    return line_of_era (era, true, line, level);
  for (; level >= era->end; era++)
    first = era->end;
  return line_of_era (era, era->rings != NULL, line, level - first);
}

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
  size_t first_line = plane->target.tiling.first_line;
  size_t tile_lines = lines_of_tile (plane->target.tiling.row_bytes);

  for (size_t i = 0; i < count; i++) {
    SlitScanLineDelay delay = plane->delays[line + i];
    uint8_t *out = (void *) &lines[i];
    const uint8_t *other;

    if (delay.base + delay.reach <= history->oldest)
      continue;
    other = plane->late == SLIT_SCAN_LATE_NEWEST
        ? line_of_history (history, HISTORY_ERAS, first_line + line + i, 0)
        : plane->colour + (line + i) % tile_lines * LINE_BYTES;
    for (size_t byte = 0; byte < LINE_BYTES; byte++)
      if (is_late (plane, delay, history->oldest, line + i, byte))
        out[byte] = other[byte];
  }
}

/* -- into a plane --------------------------------------------------------- */

/* Puts tiles side by side into the plane. */
SLIT_SCAN_INLINE void
put_tiles (int32_t row_bytes, int32_t tile_rows, const Bytes * lines,
    const SlitScanTarget * target, size_t tile_x, size_t tile_y, size_t count)
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
      memcpy (rows + i * stride, &words[i], LINE_BYTES);
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
