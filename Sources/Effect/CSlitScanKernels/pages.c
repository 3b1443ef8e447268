/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Marks the blocks that a frame shows of a history on disk, which are to be in memory
 * when it is drawn. */

#include "history.h"

/* One of so many rows of tiles looks ahead, in turn. */
#define TURNS 8

/* A pass over the history that marks what is read in it. */
typedef struct
{
  const SlitScanHistoryFrames *history;
  size_t block_bytes;
  uint32_t ahead;               /* of the row of tiles */
  bool must;                    /* even if memory has no room */
} Marking;

/* Marks the slots of a ring from `first` to `last`, one or more, without a wrap. */
static bool
mark_slots (const Marking * marking, const SlitScanEra * era,
    const SlitScanRing * ring, size_t first, size_t last, bool is_ahead)
{
  size_t block = (ring->start + first * ring->slot_bytes)
      / marking->block_bytes;
  size_t last_block = (ring->start + last * ring->slot_bytes)
      / marking->block_bytes;

  for (; block <= last_block; block++) {
    if (is_ahead)
      paged_memory_mark_ahead (era->pages, block, TURNS);
    else if (!paged_memory_mark (era->pages, block, marking->must))
      return false;
  }
  return true;
}

/* Marks a line, or a row, of the frames from `first` to `last` of its era. */
static bool
mark_frames (const Marking * marking, const SlitScanEra * era, size_t number,
    uint32_t first, uint32_t last, bool is_ahead)
{
  const SlitScanPlace *place = &era->rings->places[number];
  const SlitScanRing *ring = &era->rings->rings[place->ring];
  uint32_t length = era->rings->lengths[number];
  size_t newest = ring->newest;

  first += era->skipped;
  last += era->skipped;
  first = first < length ? first : length - 1;
  last = last < length ? last : length - 1;
  if (last <= newest)
    return mark_slots (marking, era, ring, newest - last, newest - first,
        is_ahead);
  if (first > newest)
    return mark_slots (marking, era, ring, newest + ring->slots - last,
        newest + ring->slots - first, is_ahead);
  return mark_slots (marking, era, ring, newest + ring->slots - last,
      ring->slots - 1, is_ahead)
      && mark_slots (marking, era, ring, 0, newest - first, is_ahead);
}

/* Marks the levels from `first` to `last` of a line, or of a row of those eras that
 * have rows. */
static bool
mark_levels (const Marking * marking, const LinePosition * position,
    bool is_row, size_t row, uint32_t first, uint32_t last, bool is_ahead)
{
  const SlitScanHistoryFrames *history = marking->history;
  const SlitScanEra *era = history->eras;
  uint32_t start = 0;

  for (; first <= last; era++) {
    uint32_t end = last < era->end ? last + 1 : era->end;
    size_t piece = position->number, last_piece = piece;

    if (has_rows (era) && is_row) {
      piece = last_piece = row;
    } else if (has_rows (era)) {
      /* The rows that a line has a part of; tiles may go on below the plane. */
      piece = position->first_row + position->skipped / position->row_bytes;
      last_piece = position->first_row
          + (position->skipped + LINE_BYTES - 1) / position->row_bytes;
      piece = piece < position->last_row ? piece : position->last_row;
      last_piece = last_piece < position->last_row ? last_piece
          : position->last_row;
    }
    if (first < end) {
      for (; piece <= last_piece; piece++)
        if (!mark_frames (marking, era, piece, first - start, end - 1 - start,
                is_ahead))
          return false;
      first = end;
    }
    start = era->end;
  }
  return true;
}

/* Marks what is shown, and then what will be shown next. */
static bool
mark_shown (const Marking * marking, const LinePosition * position, bool is_row,
    size_t row, uint32_t first, uint32_t last)
{
  uint32_t oldest = marking->history->oldest;
  uint32_t ahead = marking->ahead;

  first = first < oldest ? first : oldest;
  last = last < oldest ? last : oldest;
  if (!mark_levels (marking, position, is_row, row, first, last, false))
    return false;
  if (ahead > 0 && first > 0)
    mark_levels (marking, position, is_row, row,
        first > ahead ? first - ahead : 0, first - 1, true);
  return true;
}

/* Marks what a row of tiles shows. */
static bool
mark_row (Marking * marking, const SlitScanReading * plane, size_t tile_y)
{
  const SlitScanTiling *tiling = &plane->target.tiling;
  size_t row = tile_y * (size_t) tiling->rows;
  size_t end_row = row + (size_t) tiling->rows;
  size_t row_lines = tiling->tiles_wide * lines_of_tile (tiling->row_bytes);

  end_row = end_row < tiling->plane_rows ? end_row : tiling->plane_rows;
  marking->ahead = (tile_y + pager_pass (marking->history->pager)) % TURNS == 0
      ? marking->history->ahead : 0;
  if (slit_scan_has_rows (marking->history, plane, row, end_row)) {
    LinePosition position = { 0 };

    for (; row < end_row; row++) {
      SlitScanRowDelay delay = plane->rows[row];

      if (!mark_shown (marking, &position, true, tiling->first_row + row,
              delay.level, delay.level + (delay.weight > 0)))
        return false;
    }
    return true;
  }
  for (size_t line = tile_y * row_lines; line < (tile_y + 1) * row_lines;
      line++) {
    LinePosition position = position_of (HISTORY_ERAS, tiling, line);
    const SlitScanLineDelay *delay = &plane->delays[line];

    if (!mark_shown (marking, &position, false, 0, delay->base,
            delay->base + delay->reach))
      return false;
  }
  return true;
}

/* The row of tiles of a plane that a row of the first plane comes to. */
static size_t
row_of_plane (const SlitScanReading * planes, size_t plane, size_t row)
{
  return row * planes[plane].target.tiling.tiles_high
      / planes->target.tiling.tiles_high;
}

/* Some rows of tiles of a plane, as a plane. */
static SlitScanReading
rows_of_plane (const SlitScanReading * plane, size_t first, size_t end)
{
  SlitScanReading part = *plane;
  SlitScanTiling *tiling = &part.target.tiling;
  size_t row = first * (size_t) tiling->rows;
  size_t end_row = end * (size_t) tiling->rows;
  size_t line = first * tiling->tiles_wide * lines_of_tile (tiling->row_bytes);

  end_row = end_row < tiling->plane_rows ? end_row : tiling->plane_rows;
  part.target.rows += row * part.target.stride;
  tiling->tiles_high = end - first;
  tiling->plane_rows = end_row - row;
  tiling->first_line += line;
  tiling->first_row += row;
  part.delays += line;
  part.wide += line * (plane->kind >= SLIT_SCAN_READ_BLEND_LITTLE_WORDS
      ? LINE_BYTES / 2 : LINE_BYTES);
  if (part.rows != NULL)
    part.rows += row;
  return part;
}

size_t
slit_scan_mark_band (const SlitScanHistoryFrames * history,
    const SlitScanReading * planes, size_t plane_count, size_t first,
    SlitScanReading * band)
{
  Marking marking = {
    .history = history,
    .block_bytes = pager_block_bytes (history->pager),
    .must = true,
  };
  size_t row = first;
  bool is_marked = true;

  /* The pass of the frame has begun when it was taken in. */
  if (first > 0)
    pager_begin_pass (history->pager);
  for (; is_marked && row < planes->target.tiling.tiles_high; row++) {
    for (size_t plane = 0; is_marked && plane < plane_count; plane++) {
      size_t end = row_of_plane (planes, plane, row + 1);

      for (size_t tile_y = row_of_plane (planes, plane, row); tile_y < end
          && is_marked; tile_y++)
        is_marked = mark_row (&marking, &planes[plane], tile_y);
    }
    /* One row of tiles has to be read in any case. */
    marking.must = false;
  }
  row -= !is_marked;
  for (size_t plane = 0; plane < plane_count; plane++)
    band[plane] = rows_of_plane (&planes[plane],
        row_of_plane (planes, plane, first), row_of_plane (planes, plane, row));
  return row;
}
