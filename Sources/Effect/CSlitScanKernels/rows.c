/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels for rows that are kept as they came, where delays are the same
 * along each: rows are copied or blended whole. */

#include "history.h"

/* Bytes of history that are fetched into the caches ahead of their use: the rows
 * of the next delay lie elsewhere, where the processor does not expect it. Line
 * by line as others are read: all at once, they would wait for each other. */
#define FETCHED_BYTES 4096

/* -- into rows ------------------------------------------------------------ */

SLIT_SCAN_INLINE void
put_words (const uint8_t * from, size_t count, bool streams, uint8_t * to)
{
  Words words = { 0 };

  memcpy (&words, from, count);
  store_line (&words, streams, to);
}

SLIT_SCAN_INLINE void
store_row (const uint8_t * row, size_t count, bool streams, uint8_t * to)
{
  size_t i = 0;

  for (; i + LINE_BYTES <= count; i += LINE_BYTES)
    put_words (row + i, LINE_BYTES, streams, to + i);
  if (i < count)
    put_words (row + i, count - i, streams, to + i);
}

SLIT_SCAN_ROWS (, slit_scan_store_rows, SlitScanSource, SlitScanSlot)
{
  const SlitScanTiling *tiling = &plane->tiling;
  size_t tile_rows = (size_t) tiling->rows;
  size_t end_row = end * tile_rows;

  end_row = end_row < tiling->plane_rows ? end_row : tiling->plane_rows;
  for (size_t row = first * tile_rows; row < end_row; row++) {
    uint8_t *to = line_of_slot (context, true, tiling->first_row + row);
    const uint8_t *from = plane->rows + row * plane->stride;

    if (context->streams)
      store_row (from, tiling->plane_row_bytes, true, to);
    else
      store_row (from, tiling->plane_row_bytes, false, to);
  }
  finish_stores ();
}

/* -- out of rows ---------------------------------------------------------- */

/* As merge_bytes() of history.c, for one weight. */
SLIT_SCAN_INLINE void
blend_line_of_bytes (const uint8_t * newer, const uint8_t * older,
    uint32_t weight, Bytes * out)
{
  Halves full = (Halves) (uint16_t) (1 << NARROW_FRACTION);
  Halves second = (Halves) (uint16_t) weight;
  Halves half = (Halves) (uint16_t) (1 << (NARROW_FRACTION - 1));
  Halves sum = (full - second)
      * __builtin_convertvector (*(const Bytes *) (const void *) newer, Halves)
      + second
      * __builtin_convertvector (*(const Bytes *) (const void *) older, Halves)
      + half;

  *out = __builtin_convertvector (sum >> (Halves) NARROW_FRACTION, Bytes);
}

/* As merge_words(), for one weight. */
SLIT_SCAN_INLINE void
blend_line_of_words (const uint8_t * newer, const uint8_t * older,
    uint32_t weight, bool is_big_endian, uint32_t unused_bits, Bytes * out)
{
  uint32_t full = 1u << WIDE_FRACTION;
  Samples one, other, result;
  Sums sum;

  memcpy (&one, newer, sizeof one);
  memcpy (&other, older, sizeof other);
  swap_samples (&one, is_big_endian);
  swap_samples (&other, is_big_endian);
  sum = __builtin_convertvector (one, Sums) * (full - weight)
      + __builtin_convertvector (other, Sums) * weight
      + (full << unused_bits) / 2;
  sum = sum >> (Sums) (WIDE_FRACTION + unused_bits) << (Sums) unused_bits;
  result = __builtin_convertvector (sum, Samples);
  swap_samples (&result, is_big_endian);
  memcpy (out, &result, sizeof result);
}

/* The rows of history that a row is made of; one and the same without a
 * weight. */
typedef struct
{
  const uint8_t *newer;
  const uint8_t *older;
  uint32_t weight;
} Row;

/* A row of a frame of history, in an era that has rows. */
SLIT_SCAN_INLINE const uint8_t *
row_of_level (const SlitScanHistoryFrames * history, size_t row, uint32_t level)
{
  uint32_t frame;
  const SlitScanEra *era = era_of_level (history, level, &frame);

  return line_of_era (era, true, row, frame);
}

SLIT_SCAN_INLINE Row
row_of_history (const SlitScanHistoryFrames * history,
    const SlitScanReading * plane, size_t row)
{
  SlitScanRowDelay delay = plane->rows[row];
  size_t number = plane->target.tiling.first_row + row;
  bool is_late = delay.level >= history->oldest;
  const uint8_t *newer = row_of_level (history, number,
      is_late ? history->oldest : delay.level);
  Row made = { newer, newer, is_late ? 0 : delay.weight };

  if (made.weight > 0)
    made.older = row_of_level (history, number, delay.level + 1);
  return made;
}

SLIT_SCAN_INLINE void
draw_line (const SlitScanReading * plane, int32_t kind, const Row * row,
    size_t byte, Bytes * out)
{
  const uint8_t *newer = row->newer + byte;
  const uint8_t *older = row->older + byte;

  if (kind == SLIT_SCAN_READ_NEAREST || row->weight == 0)
    memcpy (out, newer, sizeof *out);
  else if (kind == SLIT_SCAN_READ_BLEND_BYTES)
    blend_line_of_bytes (newer, older, row->weight, out);
  else
    blend_line_of_words (newer, older, row->weight,
        plane->kind == SLIT_SCAN_READ_BLEND_BIG_WORDS, plane->unused_bits, out);
}

/* Draws a row, and fetches another. */
SLIT_SCAN_INLINE void
draw_row (const SlitScanReading * plane, int32_t kind, const Row * row,
    const Row * fetched, bool streams, uint8_t * out)
{
  size_t count = plane->target.tiling.plane_row_bytes;
  size_t i = 0;
  Bytes bytes;

  for (; i + LINE_BYTES <= count; i += LINE_BYTES) {
    Words words;

    __builtin_prefetch (fetched->newer + i);
    if (kind != SLIT_SCAN_READ_NEAREST)
      __builtin_prefetch (fetched->older + i);
    draw_line (plane, kind, row, i, &bytes);
    memcpy (&words, &bytes, sizeof words);
    store_line (&words, streams, out + i);
  }
  /* Rows of history are whole lines. */
  if (i < count) {
    draw_line (plane, kind, row, i, &bytes);
    memcpy (out + i, &bytes, count - i);
  }
}

bool
slit_scan_has_rows (const SlitScanHistoryFrames * history,
    const SlitScanReading * plane, size_t first, size_t end)
{
  uint32_t frame;

  if (plane->rows == NULL)
    return false;
  for (size_t row = first; row < end; row++) {
    uint32_t level = plane->rows[row].level;
    uint32_t next = level + (plane->rows[row].weight > 0);

    if (next > whole_history (history)->oldest
        && plane->late != SLIT_SCAN_LATE_OLDEST)
      return false;
    level = level < history->oldest ? level : history->oldest;
    next = next < history->oldest ? next : history->oldest;
    if (!has_rows (era_of_level (history, level, &frame))
        || !has_rows (era_of_level (history, next, &frame)))
      return false;
  }
  return true;
}

/* The same of a row of tiles. */
static bool
rows_are_kept (const SlitScanHistoryFrames * history,
    const SlitScanReading * plane, size_t tile_y)
{
  const SlitScanTiling *tiling = &plane->target.tiling;
  size_t row = tile_y * (size_t) tiling->rows;

  return slit_scan_has_rows (history, plane, row,
      row + rows_inside (tiling, tiling->rows, tile_y));
}

SLIT_SCAN_WIDE_VARIANTS (, void, slit_scan_read_rows,
    (const SlitScanHistoryFrames * history, const SlitScanReading * plane,
        size_t first, size_t end), (history, plane, first, end))
{
  const SlitScanTiling *tiling = &plane->target.tiling;
  size_t ahead = FETCHED_BYTES / tiling->plane_row_bytes + 1;
  bool streams = streams_into (history, &plane->target);

  bool has_rows = rows_are_kept (history, plane, first);

  for (size_t tile_y = first; tile_y < end; tile_y++) {
    size_t row = tile_y * (size_t) tiling->rows;
    size_t end_row = row + rows_inside (tiling, tiling->rows, tile_y);
    bool next_has_rows = tile_y + 1 < end
        && rows_are_kept (history, plane, tile_y + 1);
    size_t end_fetched = next_has_rows ? end_row + (size_t) tiling->rows
        : end_row;
    bool is_kept = has_rows;

    has_rows = next_has_rows;
    end_fetched = end_fetched < tiling->plane_rows ? end_fetched
        : tiling->plane_rows;
    /* The others come from before the map stood still. */
    if (!is_kept) {
      slit_scan_read_eras (history, plane, tile_y, tile_y + 1);
      continue;
    }
    for (; row < end_row; row++) {
      size_t next = row + ahead < end_fetched ? row + ahead : row;
      Row drawn = row_of_history (history, plane, row);
      Row fetched = row_of_history (history, plane, next);
      uint8_t *out = plane->target.rows + row * plane->target.stride;

      FOR_READING (plane, draw_row, &drawn, &fetched, streams, out);
    }
  }
  finish_stores ();
}
