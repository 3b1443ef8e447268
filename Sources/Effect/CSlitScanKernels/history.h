/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Code shared by the kernels that read history: where a line of a frame is. */
#pragma once

#include "tiles.h"

/* Bits of the fraction of narrow and of wide delays, see DelayMap. */
#define NARROW_FRACTION SLIT_SCAN_NARROW_FRACTION
#define WIDE_FRACTION SLIT_SCAN_WIDE_FRACTION
/* Lines whose levels are this far apart are read byte by byte. */
#define NARROW_REACH SLIT_SCAN_NARROW_REACH

/* -- where a line is ------------------------------------------------------ */

/* Whether all frames are of one era in memory, and whether that has rings of lines;
 * whether all are on disk, as lines; or any, and then whether what is read may still
 * be on disk. */
typedef enum
{
  HISTORY_WHOLE,
  HISTORY_RINGS,
  HISTORY_DISK,
  HISTORY_ERAS,
  HISTORY_PAGED,
} HistoryKind;

/* A line of a frame, and where its bytes are among the plane's rows. */
typedef struct
{
  size_t number;                /* in a slot */
  size_t first_row;             /* of its tile, in a frame */
  size_t last_row;              /* of the plane, in a frame */
  size_t left;                  /* of its tile, in bytes of a row */
  size_t skipped;               /* bytes of its tile in lines before */
  size_t row_bytes;             /* of its tile */
} LinePosition;

/* The position of a line that is counted from the plane's first. */
SLIT_SCAN_INLINE LinePosition
position_of (HistoryKind kind, const SlitScanTiling * tiling, size_t line)
{
  size_t tile_lines = lines_of_tile (tiling->row_bytes);
  size_t row_bytes = (size_t) tiling->row_bytes;
  size_t tile = line / tile_lines;
  LinePosition position = {.number = tiling->first_line + line };

  /* Only there may rows be. */
  if (kind < HISTORY_ERAS)
    return position;
  position.first_row = tiling->first_row
      + tile / tiling->tiles_wide * (size_t) tiling->rows;
  position.last_row = tiling->first_row + tiling->plane_rows - 1;
  position.left = tile % tiling->tiles_wide * row_bytes;
  position.skipped = line % tile_lines * LINE_BYTES;
  position.row_bytes = row_bytes;
  return position;
}

/* A line, or a row, of a frame in its ring. */
SLIT_SCAN_INLINE const uint8_t *
line_of_ring (const SlitScanEra * era, bool is_on_disk, size_t piece,
    uint32_t frame)
{
  const SlitScanRings *rings = era->rings;
  const SlitScanPlace *place = &rings->places[piece];
  const SlitScanRing *ring = &rings->rings[place->ring];
  uint32_t length = is_on_disk ? rings->lengths[piece] : ring->length;
  uint32_t slot;

  frame += era->skipped;
  /* In the place of a frame that is gone, the oldest that is held. */
  frame = frame < length ? frame : length - 1;
  slot = ring->newest - frame;
  slot += frame > ring->newest ? ring->slots : 0;
  if (is_on_disk)
    return era->memory + ring->start
        + (slot >> rings->group_shift) * rings->group_bytes
        + (slot & ((1u << rings->group_shift) - 1)) * rings->slot_step
        + place->index * rings->line_step;
  return era->memory + ring->start + rings->slots[slot]
      + (size_t) place->index * LINE_BYTES;
}

/* A line, or a row of an era that has rows. */
SLIT_SCAN_INLINE const uint8_t *
line_of_era (const SlitScanEra * era, bool has_rings, size_t line,
    uint32_t frame)
{
  if (!has_rings)
    return era->memory + era->starts[frame] + line * LINE_BYTES;
  return line_of_ring (era, era->pages != NULL, line, frame);
}

SLIT_SCAN_INLINE bool
has_rows (const SlitScanEra * era)
{
  return era->rings != NULL && era->rings->has_rows;
}

/* The era of a level, and the frame of that. */
SLIT_SCAN_INLINE const SlitScanEra *
era_of_level (const SlitScanHistoryFrames * history, uint32_t level,
    uint32_t * frame)
{
  const SlitScanEra *era = history->eras;

  *frame = level;
  for (; level >= era->end; era++)
    *frame = level - era->end;
  return era;
}

/* The era of the newest frame; others before it are empty. */
SLIT_SCAN_INLINE const SlitScanEra *
newest_era (const SlitScanHistoryFrames * history)
{
  uint32_t frame;

  return era_of_level (history, 0, &frame);
}

/* A byte of a line in an era that has rows. */
SLIT_SCAN_INLINE const uint8_t *
byte_of_rows (const SlitScanEra * era, const LinePosition * position, uint32_t frame,
    size_t byte)
{
  /* Few bits, as longer divisions take longer. */
  uint32_t place = (uint32_t) (position->skipped + byte);
  uint32_t row_bytes = (uint32_t) position->row_bytes;
  size_t row = position->first_row + place / row_bytes;

  /* Tiles may go on below the plane. */
  row = row < position->last_row ? row : position->last_row;
  return line_of_era (era, true, row, frame) + position->left
      + place % row_bytes;
}

/* Brings bytes that may still be on disk into memory. */
SLIT_SCAN_INLINE const uint8_t *
in_memory (const SlitScanEra * era, HistoryKind kind, const uint8_t * bytes)
{
  if (kind == HISTORY_PAGED && era->pages != NULL)
    paged_memory_fetch (era->pages, (size_t) (bytes - era->memory));
  return bytes;
}

/* A byte of a line. */
SLIT_SCAN_INLINE const uint8_t *
byte_of_history (const SlitScanHistoryFrames * history, HistoryKind kind,
    const LinePosition * position, uint32_t level, size_t byte)
{
  const SlitScanEra *era = history->eras;
  uint32_t frame;

  if (kind == HISTORY_WHOLE)
    return line_of_era (era, false, position->number, level) + byte;
  if (kind == HISTORY_RINGS)
    return line_of_ring (era, false, position->number, level) + byte;
  era = era_of_level (history, level, &frame);
  if (kind == HISTORY_DISK)
    return line_of_ring (era, true, position->number, frame) + byte;
  if (has_rows (era))
    return in_memory (era, kind, byte_of_rows (era, position, frame, byte));
  return in_memory (era, kind, line_of_era (era, era->rings != NULL,
          position->number, frame)) + byte;
}

/* The rows that a line has a part of, one after another, in an era that has
 * rows. */
typedef struct
{
  const SlitScanEra *era;
  uint32_t frame;
  size_t row;
  size_t skipped;               /* bytes of the tile's row in the line before */
} LineRows;

SLIT_SCAN_INLINE LineRows
rows_of_line (const SlitScanEra * era, const LinePosition * position,
    uint32_t frame)
{
  LineRows rows = {.era = era,.frame = frame,.row = position->first_row };

  if (position->skipped > 0) {
    rows.row += position->skipped / position->row_bytes;
    rows.skipped = position->skipped % position->row_bytes;
  }
  return rows;
}

/* The next part, of *count bytes; the line has `rest` bytes more. */
SLIT_SCAN_INLINE const uint8_t *
next_row (LineRows * rows, const LinePosition * position, size_t rest,
    size_t * count)
{
  /* Tiles may go on below the plane. */
  size_t row = rows->row < position->last_row ? rows->row : position->last_row;
  size_t left = position->left + rows->skipped;

  *count = position->row_bytes - rows->skipped;
  *count = *count < rest ? *count : rest;
  rows->row++;
  rows->skipped = 0;
  return line_of_era (rows->era, true, row, rows->frame) + left;
}

/* A line, made of rows where the era has those. */
SLIT_SCAN_INLINE void
get_line (const SlitScanHistoryFrames * history, HistoryKind kind,
    const LinePosition * position, uint32_t level, Bytes * bytes)
{
  if (kind >= HISTORY_ERAS) {
    uint32_t frame;
    const SlitScanEra *era = era_of_level (history, level, &frame);

    if (has_rows (era)) {
      LineRows rows = rows_of_line (era, position, frame);
      uint64_t words[LINE_BYTES / sizeof (uint64_t)];
      size_t count;

      /* The rows of tiles are whole words. */
      for (size_t i = 0; i < LINE_BYTES; i += count) {
        const uint8_t *part = in_memory (era, kind, next_row (&rows, position,
                LINE_BYTES - i, &count));

        for (size_t byte = 0; byte < count; byte += sizeof (uint64_t))
          memcpy (&words[(i + byte) / sizeof (uint64_t)], part + byte,
              sizeof (uint64_t));
      }
      memcpy (bytes, words, sizeof words);
      return;
    }
  }
  *bytes = *(const Bytes *) (const void *) byte_of_history (history, kind,
      position, level, 0);
}

/* Fetches a line into the caches. */
SLIT_SCAN_INLINE void
fetch_line (const SlitScanHistoryFrames * history, HistoryKind kind,
    const LinePosition * position, uint32_t level)
{
  if (kind >= HISTORY_ERAS) {
    uint32_t frame;
    const SlitScanEra *era = era_of_level (history, level, &frame);

    if (has_rows (era)) {
      LineRows rows = rows_of_line (era, position, frame);
      size_t count;

      for (size_t i = 0; i < LINE_BYTES; i += count)
        __builtin_prefetch (next_row (&rows, position, LINE_BYTES - i, &count));
      return;
    }
  }
  __builtin_prefetch (byte_of_history (history, kind, position, level, 0));
}

/* Calls a function with a plane and its kind, which is a constant there: that of
 * little words also for big ones, which lines alone tell apart. */
#define FOR_READING(plane, function, ...)                                     \
  do {                                                                        \
    switch ((plane)->kind) {                                                  \
      case SLIT_SCAN_READ_NEAREST:                                            \
        function (plane, SLIT_SCAN_READ_NEAREST, __VA_ARGS__);                \
        break;                                                                \
      case SLIT_SCAN_READ_BLEND_BYTES:                                        \
        function (plane, SLIT_SCAN_READ_BLEND_BYTES, __VA_ARGS__);            \
        break;                                                                \
      default:                                                                \
        function (plane, SLIT_SCAN_READ_BLEND_LITTLE_WORDS, __VA_ARGS__);     \
        break;                                                                \
    }                                                                         \
  } while (0)

/* Whether lines of output may be stored past the caches: the history is, and
 * they are whole lines there. */
SLIT_SCAN_INLINE bool
streams_into (const SlitScanHistoryFrames * history,
    const SlitScanTarget * target)
{
  return history->streams
      && ((uintptr_t) target->rows | target->stride) % LINE_BYTES == 0;
}

/* A history without its newest frames. */
typedef struct
{
  SlitScanHistoryFrames frames;
  SlitScanEra eras[SLIT_SCAN_MOST_ERAS];
} HistoryPart;

/* The history that is read where levels are skipped: a part of it, or itself. */
const SlitScanHistoryFrames *slit_scan_part_of (const SlitScanHistoryFrames *
    history, HistoryPart * part);

/* The history that decides whether a delay is late. */
SLIT_SCAN_INLINE const SlitScanHistoryFrames *
whole_history (const SlitScanHistoryFrames * history)
{
  return history->whole != NULL ? history->whole : history;
}

/* Reads a plane that has the delays of its rows, from history whose newest
 * frames are kept as rows. */
void slit_scan_read_rows (const SlitScanHistoryFrames * history,
    const SlitScanReading * plane, size_t first, size_t end);

/* Whether all that some rows of a plane show is kept as rows. */
bool slit_scan_has_rows (const SlitScanHistoryFrames * history,
    const SlitScanReading * plane, size_t first, size_t end);

/* Reads a plane from history of any kind. */
void slit_scan_read_eras (const SlitScanHistoryFrames * history,
    const SlitScanReading * plane, size_t first, size_t end);

/* Marks what planes show of a history that is on disk, from a row of tiles of the first
 * plane on and as far as memory reaches. Returns the row after the last one, and sets
 * `band` to the part of the planes that can be read. */
size_t slit_scan_mark_band (const SlitScanHistoryFrames * history,
    const SlitScanReading * planes, size_t plane_count, size_t first,
    SlitScanReading * band);

/* -- samples -------------------------------------------------------------- */

/* The samples of a line from memory order, and back. */
SLIT_SCAN_INLINE void
swap_samples (Samples * samples, bool is_big_endian)
{
  if (is_big_endian)
    *samples = *samples >> (Samples) 8 | *samples << (Samples) 8;
}
