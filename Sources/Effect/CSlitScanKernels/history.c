/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels that read history: each line of output from the lines of many
 * frames. */

#include "gathers.h"
#include "lines.h"

/* Lines that are fetched into the caches ahead of their use. */
#define AHEAD 24
/* The same where every byte may need another line. */
#define BYTES_AHEAD 4

/* -- lines of history ----------------------------------------------------- */

/* Fetches what a line will be made of. */
SLIT_SCAN_INLINE void
prefetch_line (const SlitScanHistoryFrames * history, HistoryKind kind,
    const LinePosition * position, const SlitScanLineDelay * delay)
{
  uint32_t level = delay->base;
  uint32_t last = delay->base + delay->reach;

  last = last < history->oldest ? last : history->oldest;
  level = level < last ? level : last;
  if (delay->reach > NARROW_REACH)
    return;
  for (; level <= last; level++)
    fetch_line (history, kind, position, level);
}

/* The same for a line that is read byte by byte. */
SLIT_SCAN_INLINE void
prefetch_bytes (const SlitScanHistoryFrames * history, HistoryKind kind,
    const LinePosition * position, const uint32_t * wide, size_t count,
    uint32_t fraction)
{
  for (size_t i = 0; i < count; i++) {
    uint32_t level = wide[i] >> fraction;

    level = level < history->oldest ? level : history->oldest;
    __builtin_prefetch (byte_of_history (history, kind, position, level, 0), 0,
        2);
    if (fraction > 0 && level < history->oldest)
      __builtin_prefetch (byte_of_history (history, kind, position, level + 1,
              0), 0, 2);
  }
}

/* -- nearest -------------------------------------------------------------- */

/* Level by level: the bytes whose level it is are taken. */
SLIT_SCAN_INLINE void
merge_nearest (const SlitScanHistoryFrames * history, HistoryKind kind,
    const LinePosition * position, SlitScanLineDelay delay, uint32_t last,
    const uint8_t * levels, Bytes * out)
{
  Bytes wanted = *(const Bytes *) (const void *) levels;
  Bytes result;

  wanted = __builtin_elementwise_min (wanted, (Bytes) (uint8_t) last);
  get_line (history, kind, position, delay.base, &result);
  for (uint32_t level = 1; level <= last; level++) {
    Bytes source;
    Bytes taken = (Bytes) (wanted == (Bytes) (uint8_t) level);

    get_line (history, kind, position, delay.base + level, &source);
    result = (source & taken) | (result & ~taken);
  }
  *out = result;
}

/* -- linear --------------------------------------------------------------- */

/* Level by level: each weighs in by the hat 1 - |delay - level|, in 1/256. */
SLIT_SCAN_INLINE void
merge_bytes (const SlitScanHistoryFrames * history, HistoryKind kind,
    const LinePosition * position, SlitScanLineDelay delay, uint32_t last,
    const uint16_t * narrow, Bytes * out)
{
  SignedHalves delays = *(const SignedHalves *) (const void *) narrow;
  /* Half a step, so that the sum is rounded when its fraction is dropped. */
  Halves sum = (Halves) (uint16_t) (1 << (NARROW_FRACTION - 1));
  SignedHalves full = (SignedHalves) (int16_t) (1 << NARROW_FRACTION);

  delays = __builtin_elementwise_min (delays,
      (SignedHalves) (int16_t) (last << NARROW_FRACTION));
  for (uint32_t level = 0; level <= last; level++) {
    Bytes source;
    SignedHalves distance;

    get_line (history, kind, position, delay.base + level, &source);
    distance = __builtin_elementwise_abs (delays
        - (SignedHalves) (int16_t) (level << NARROW_FRACTION));
    sum += (Halves) (full - __builtin_elementwise_min (distance, full))
        * __builtin_convertvector (source, Halves);
  }
  *out = __builtin_convertvector (sum >> (Halves) NARROW_FRACTION, Bytes);
}

/* As merge_bytes(), for samples of two bytes, in 1/4096. */
SLIT_SCAN_INLINE void
merge_words (const SlitScanHistoryFrames * history, HistoryKind kind,
    const LinePosition * position, SlitScanLineDelay delay, uint32_t last,
    const uint32_t * wide, bool is_big_endian, uint32_t unused_bits,
    Bytes * out)
{
  SignedSums delays = *(const SignedSums *) (const void *) wide;
  SignedSums full = (SignedSums) (1 << WIDE_FRACTION);
  Sums sum = (Sums) ((1u << WIDE_FRACTION << unused_bits) / 2);
  Samples result;

  delays = __builtin_elementwise_min (delays,
      (SignedSums) (int32_t) ((delay.base + last) << WIDE_FRACTION));
  for (uint32_t level = delay.base; level <= delay.base + last; level++) {
    Bytes bytes;
    Samples source;
    SignedSums distance;

    get_line (history, kind, position, level, &bytes);
    memcpy (&source, &bytes, sizeof source);
    swap_samples (&source, is_big_endian);
    distance = __builtin_elementwise_abs (delays
        - (SignedSums) (int32_t) (level << WIDE_FRACTION));
    sum += (Sums) (full - __builtin_elementwise_min (distance, full))
        * __builtin_convertvector (source, Sums);
  }
  sum = sum >> (Sums) (WIDE_FRACTION + unused_bits) << (Sums) unused_bits;
  result = __builtin_convertvector (sum, Samples);
  swap_samples (&result, is_big_endian);
  memcpy (out, &result, sizeof result);
}

/* Byte by byte, or sample by sample: what gains nothing from wider vectors. */
SLIT_SCAN_INLINE void
gather_kind (const SlitScanHistoryFrames * history, HistoryKind history_kind,
    const SlitScanReading * plane, size_t line, Bytes * out)
{
  const SlitScanTiling *tiling = &plane->target.tiling;
  LinePosition position = position_of (history_kind, tiling, line);
  size_t ahead = line + BYTES_AHEAD;

  if (ahead < lines_of_plane (tiling)
      && plane->delays[ahead].reach > NARROW_REACH) {
    bool is_words = plane->kind >= SLIT_SCAN_READ_BLEND_LITTLE_WORDS;
    size_t count = is_words ? LINE_BYTES / 2 : LINE_BYTES;
    LinePosition next = position_of (history_kind, tiling, ahead);

    prefetch_bytes (history, history_kind, &next,
        plane->wide + ahead * count, count,
        plane->kind == SLIT_SCAN_READ_NEAREST ? 0 : WIDE_FRACTION);
  }
  switch (plane->kind) {
    case SLIT_SCAN_READ_NEAREST:
      gather_nearest (history, history_kind, &position,
          plane->wide + line * LINE_BYTES, out);
      break;
    case SLIT_SCAN_READ_BLEND_BYTES:
      gather_bytes (history, history_kind, &position,
          plane->wide + line * LINE_BYTES, out);
      break;
    default:
      gather_words (history, history_kind, &position,
          plane->wide + line * LINE_BYTES / 2,
          plane->kind == SLIT_SCAN_READ_BLEND_BIG_WORDS, plane->unused_bits,
          out);
      break;
  }
}

SLIT_SCAN_APART void
gather_whole (const SlitScanHistoryFrames * history,
    const SlitScanReading * plane, size_t line, Bytes * out)
{
  gather_kind (history, HISTORY_WHOLE, plane, line, out);
}

SLIT_SCAN_APART void
gather_eras (const SlitScanHistoryFrames * history,
    const SlitScanReading * plane, size_t line, Bytes * out)
{
  gather_kind (history, HISTORY_ERAS, plane, line, out);
}

SLIT_SCAN_APART void
gather_disk (const SlitScanHistoryFrames * history,
    const SlitScanReading * plane, size_t line, Bytes * out)
{
  gather_kind (history, HISTORY_DISK, plane, line, out);
}

/* -- lines and rows of tiles ---------------------------------------------- */

/* One line of output; lines are counted from the plane's first. */
SLIT_SCAN_INLINE void
read_line (const SlitScanHistoryFrames * history, HistoryKind history_kind,
    const SlitScanReading * plane, int32_t kind, size_t line, Bytes * out)
{
  SlitScanLineDelay delay = plane->delays[line];
  LinePosition position =
      position_of (history_kind, &plane->target.tiling, line);
  uint32_t oldest = history->oldest;
  uint32_t last;

  if (delay.base >= oldest || delay.reach == 0) {
    get_line (history, history_kind, &position,
        delay.base < oldest ? delay.base : oldest, out);
    return;
  }
  last = oldest - delay.base;
  last = last < delay.reach ? last : delay.reach;
  if (delay.reach > NARROW_REACH) {
    if (history_kind == HISTORY_WHOLE)
      gather_whole (history, plane, line, out);
    else if (history_kind == HISTORY_DISK)
      gather_disk (history, plane, line, out);
    else
      gather_eras (history, plane, line, out);
  } else if (kind == SLIT_SCAN_READ_NEAREST) {
    merge_nearest (history, history_kind, &position, delay, last,
        plane->levels + (size_t) delay.pattern * LINE_BYTES, out);
  } else if (kind == SLIT_SCAN_READ_BLEND_BYTES) {
    merge_bytes (history, history_kind, &position, delay, last,
        plane->narrow + (size_t) delay.pattern * LINE_BYTES, out);
  } else {
    merge_words (history, history_kind, &position, delay, last,
        plane->wide + line * LINE_BYTES / 2,
        plane->kind == SLIT_SCAN_READ_BLEND_BIG_WORDS, plane->unused_bits, out);
  }
}

/* Tiles side by side that make lines of output, one after the other in the order in
 * which they are drawn: band by band, in each column by column. */
typedef struct
{
  const SlitScanTiling *tiling;
  bool has_rings;
  size_t tile;                  /* the first of them */
  size_t tile_y;
  size_t first;                 /* row of tiles of the band */
  size_t next;                  /* row of tiles after the band */
  size_t end;                   /* row of tiles after the last band */
} Group;

SLIT_SCAN_INLINE Group
first_group (const SlitScanTiling * tiling, bool has_rings, size_t first,
    size_t end)
{
  size_t next = end_of_band (tiling, has_rings, first, end);
  Group group = { tiling, has_rings, 0, first, first, next, end };

  return group;
}

SLIT_SCAN_INLINE bool
is_group (const Group * group)
{
  return group->tile_y < group->end;
}

SLIT_SCAN_INLINE void
go_to_next_group (Group * group)
{
  group->tile_y++;
  if (group->tile_y < group->next)
    return;
  group->tile += tiles_at_once (group->tiling->row_bytes);
  if (group->tile >= group->tiling->tiles_wide) {
    group->tile = 0;
    group->first = group->next;
    group->next = end_of_band (group->tiling, group->has_rings, group->first,
        group->end);
  }
  group->tile_y = group->first;
}

SLIT_SCAN_INLINE size_t
tiles_of_group (const Group * group)
{
  size_t rest = group->tiling->tiles_wide - group->tile;
  size_t at_once = tiles_at_once (group->tiling->row_bytes);

  return rest < at_once ? rest : at_once;
}

SLIT_SCAN_INLINE size_t
first_line_of_group (const Group * group)
{
  return (group->tile_y * group->tiling->tiles_wide + group->tile)
      * lines_of_tile (group->tiling->row_bytes);
}

/* A few lines of output, while others are fetched for later. */
SLIT_SCAN_INLINE void
read_lines (const SlitScanReading * plane, int32_t kind,
    const SlitScanHistoryFrames * history, HistoryKind history_kind,
    size_t line, size_t count, size_t ahead, size_t ahead_count, Bytes * lines)
{
  for (size_t i = 0; i < count; i++) {
    if (i < ahead_count) {
      LinePosition position =
          position_of (history_kind, &plane->target.tiling, ahead + i);

      prefetch_line (history, history_kind, &position,
          &plane->delays[ahead + i]);
    }
    read_line (history, history_kind, plane, kind, line + i, &lines[i]);
  }
}

SLIT_SCAN_INLINE void
read_rows (const SlitScanHistoryFrames * history, HistoryKind history_kind,
    const SlitScanReading * plane, size_t first, size_t end)
{
  const SlitScanTiling *tiling = &plane->target.tiling;
  size_t tile_lines = lines_of_tile (tiling->row_bytes);
  Group group = first_group (tiling, history_kind == HISTORY_RINGS, first, end);
  Group ahead = group;
  bool streams = streams_into (history, &plane->target);

  for (size_t lines = 0; lines < AHEAD && is_group (&ahead);) {
    lines += tiles_of_group (&ahead) * tile_lines;
    go_to_next_group (&ahead);
  }
  for (; is_group (&group); go_to_next_group (&group)) {
    size_t tiles = tiles_of_group (&group);
    size_t line = first_line_of_group (&group);
    size_t count = tiles * tile_lines;
    size_t ahead_line = 0, ahead_count = 0;
    Bytes lines[MOST_AT_ONCE];

    if (is_group (&ahead)) {
      ahead_line = first_line_of_group (&ahead);
      ahead_count = tiles_of_group (&ahead) * tile_lines;
      go_to_next_group (&ahead);
    }
    FOR_READING (plane, read_lines, history, history_kind, line, count,
        ahead_line, ahead_count, lines);
    if (plane->late != SLIT_SCAN_LATE_OLDEST)
      replace_late (history, plane, line, count, lines);
    FOR_SHAPE (tiling, put_tiles, lines, &plane->target, group.tile,
        group.tile_y, tiles, streams);
  }
  finish_stores ();
}

SLIT_SCAN_WIDE_VARIANTS (static, void, read_whole,
    (const SlitScanHistoryFrames * history, const SlitScanReading * plane,
        size_t first, size_t end), (history, plane, first, end))
{
  read_rows (history, HISTORY_WHOLE, plane, first, end);
}

SLIT_SCAN_WIDE_VARIANTS (static, void, read_rings,
    (const SlitScanHistoryFrames * history, const SlitScanReading * plane,
        size_t first, size_t end), (history, plane, first, end))
{
  read_rows (history, HISTORY_RINGS, plane, first, end);
}

SLIT_SCAN_WIDE_VARIANTS (static, void, read_disk,
    (const SlitScanHistoryFrames * history, const SlitScanReading * plane,
        size_t first, size_t end), (history, plane, first, end))
{
  read_rows (history, HISTORY_DISK, plane, first, end);
}

/* Only while a map that stood still has begun to move. */
SLIT_SCAN_VARIANTS (void, slit_scan_read_eras,
    (const SlitScanHistoryFrames * history, const SlitScanReading * plane,
        size_t first, size_t end), (history, plane, first, end))
{
  read_rows (history, HISTORY_ERAS, plane, first, end);
}

/* Whether all frames are on disk, as lines. */
static bool
is_on_disk (const SlitScanHistoryFrames * history)
{
  for (size_t i = 0; i < history->era_count; i++)
    if (history->eras[i].pages == NULL || has_rows (&history->eras[i]))
      return false;
  return true;
}

static void
read_plane (const void *plane, size_t first, size_t end, const void *context)
{
  const SlitScanHistoryFrames *history = context;
  const SlitScanReading *reading = plane;

  if (reading->rows != NULL && has_rows (newest_era (history)))
    slit_scan_read_rows (history, plane, first, end);
  else if (is_on_disk (history))
    read_disk (history, plane, first, end);
  else if (history->era_count > 1 || has_rows (history->eras))
    slit_scan_read_eras (history, plane, first, end);
  else if (history->eras->rings != NULL)
    read_rings (history, plane, first, end);
  else
    read_whole (history, plane, first, end);
}

void
slit_scan_copy_newest (const SlitScanHistoryFrames * history,
    const SlitScanTiling * tilings, size_t plane_count, uint8_t * memory)
{
  for (size_t plane = 0; plane < plane_count; plane++) {
    for (size_t line = 0; line < lines_of_plane (&tilings[plane]); line++) {
      LinePosition position = position_of (HISTORY_ERAS, &tilings[plane], line);
      Bytes bytes;

      get_line (history, HISTORY_ERAS, &position, 0, &bytes);
      memcpy (memory + position.number * LINE_BYTES, &bytes, sizeof bytes);
    }
  }
}

static void
read_all (const SlitScanHistoryFrames * history, const SlitScanReading * planes,
    size_t plane_count, WorkerPool * pool)
{
  DO_ROWS (SlitScanReading, target.tiling, planes, plane_count, read_plane,
      history, pool);
}

bool
slit_scan_read (const SlitScanHistoryFrames * history,
    const SlitScanReading * planes, size_t plane_count, WorkerPool * pool)
{
  SlitScanReading band[SLIT_SCAN_MOST_PLANES];
  HistoryPart part;
  size_t row = 0;

  history = slit_scan_part_of (history, &part);
  if (history->pager == NULL) {
    read_all (history, planes, plane_count, pool);
    return true;
  }
  while (row < planes->target.tiling.tiles_high) {
    row = slit_scan_mark_band (history, planes, plane_count, row, band);
    if (!pager_wait (history->pager))
      return false;
    read_all (history, band, plane_count, pool);
  }
  return true;
}

bool
slit_scan_page_in (const SlitScanHistoryFrames * history,
    const SlitScanReading * planes, size_t plane_count)
{
  SlitScanReading band[SLIT_SCAN_MOST_PLANES];
  HistoryPart part;

  if (history->pager == NULL)
    return true;
  history = slit_scan_part_of (history, &part);
  /* Blocks that do not fit, or lie around these, are fetched when they are read. */
  slit_scan_mark_band (history, planes, plane_count, 0, band);
  return pager_wait (history->pager);
}
