/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels that draw what lies between two frames of history along the
 * motion from one to the other, sample by sample. */

#include <stdlib.h>

#include "past.h"
#include "slitscan-flow.h"

/* Bits of a place between two samples, and of the weight of the motion. */
#define PLACE_BITS 8
#define WEIGHT_BITS 13
/* How much more the moved samples may differ than the standing ones, of 255,
 * and how much more than that leaves nothing of the motion. */
#define TOLERANCE 4
#define TOLERANCE_RANGE 32

/* The place of each sample in a tile of a plane. */
typedef struct
{
  uint8_t row;
  uint8_t cell;
  uint8_t lane;
} Spot;

/* A plane of one part of the past. */
typedef struct
{
  const SlitScanPast *past;
  const SlitScanFlows *flows;
  const SlitScanWarping *plane;
  size_t tile_bytes;
  size_t row_of_tiles;          /* in bytes */
  uint32_t cell_bits;           /* of the number of a cell in a row of a tile */
  uint32_t row_bits;            /* of the number of a row in a tile */
  Spot spots[TILE_BYTES];
} Reader;

static uint32_t
bits_of (uint32_t power)
{
  return (uint32_t) __builtin_ctz (power);
}

static void
set_up (Reader * reader, const SlitScanPast * past,
    const SlitScanFlows * flows, const SlitScanWarping * plane)
{
  const SlitScanTiling *tiling = &plane->reading.target.tiling;
  uint32_t row_bytes = (uint32_t) tiling->row_bytes;
  uint32_t cell_bytes = (uint32_t) plane->cell_bytes;
  uint32_t sample_bytes = (uint32_t) plane->sample_bytes;

  reader->past = past;
  reader->flows = flows;
  reader->plane = plane;
  reader->tile_bytes = row_bytes * (size_t) tiling->rows;
  reader->row_of_tiles = reader->tile_bytes * tiling->tiles_wide;
  reader->cell_bits = bits_of (row_bytes / cell_bytes);
  reader->row_bits = bits_of ((uint32_t) tiling->rows);
  for (uint32_t i = 0; i < reader->tile_bytes / sample_bytes; i++) {
    uint32_t byte = i * sample_bytes;

    reader->spots[i] = (Spot) {
    .row = (uint8_t) (byte / row_bytes),.cell =
          (uint8_t) (byte % row_bytes / cell_bytes),.lane =
          (uint8_t) (byte % row_bytes % cell_bytes / sample_bytes)};
  }
}

/* -- samples -------------------------------------------------------------- */

SLIT_SCAN_INLINE int32_t
clamp (int32_t value, int32_t least, int32_t most)
{
  return value < least ? least : value > most ? most : value;
}

/* A plane of one frame of the past. */
typedef struct
{
  const Reader *reader;
  PastKind kind;
  int32_t sample_bytes;
  bool is_big_endian;
  uint32_t level;
  const uint8_t *tiles;         /* of PAST_WHOLE */
} Frame;

SLIT_SCAN_INLINE Frame
frame_of (const Reader * reader, PastKind kind, int32_t sample_bytes,
    uint32_t level)
{
  const SlitScanReading *plane = &reader->plane->reading;

  return (Frame) {
  .reader = reader,.kind = kind,.sample_bytes = sample_bytes,.is_big_endian =
        plane->kind == SLIT_SCAN_READ_BLEND_BIG_WORDS,.level = level,.tiles =
        kind == PAST_WHOLE ? line_of_past (reader->past, kind,
        plane->target.tiling.first_line, level) : NULL};
}

/* The sample that lies at a byte of a plane's tiles. */
SLIT_SCAN_INLINE uint32_t
sample_at (const Frame * frame, size_t byte)
{
  const Reader *reader = frame->reader;
  const uint8_t *sample = frame->kind == PAST_WHOLE ? frame->tiles + byte
      : line_of_past (reader->past, frame->kind,
      reader->plane->reading.target.tiling.first_line + byte / LINE_BYTES,
      frame->level) + byte % LINE_BYTES;

  if (frame->sample_bytes == 1)
    return sample[0];
  return frame->is_big_endian ? (uint32_t) sample[0] << 8 | sample[1]
      : (uint32_t) sample[1] << 8 | sample[0];
}

/* Where a column and a row of a component's samples lie in the plane's tiles;
 * their sum is where the sample lies. */
SLIT_SCAN_INLINE size_t
column_of (const Reader * reader, const SlitScanLane * lane, int32_t x)
{
  uint32_t column = (uint32_t) clamp (x, 0, lane->samples_wide - 1);
  uint32_t cell = column >> lane->count_shift;

  return (cell >> reader->cell_bits) * reader->tile_bytes
      + (cell & ((1u << reader->cell_bits) - 1))
      * (uint32_t) reader->plane->cell_bytes + (uint32_t) lane->first
      + (column & ((1u << lane->count_shift) - 1)) * (uint32_t) lane->step;
}

SLIT_SCAN_INLINE size_t
row_of (const Reader * reader, const SlitScanLane * lane, int32_t y)
{
  uint32_t row = (uint32_t) clamp (y, 0, lane->samples_high - 1);

  return (row >> reader->row_bits) * reader->row_of_tiles
      + (row & ((1u << reader->row_bits) - 1))
      * (uint32_t) reader->plane->reading.target.tiling.row_bytes;
}

/* What a frame has between samples of a component. */
SLIT_SCAN_INLINE int32_t
between_samples (const Frame * frame, const SlitScanLane * lane, int32_t x,
    int32_t y)
{
  const Reader *reader = frame->reader;
  uint32_t across = (uint32_t) x & ((1u << PLACE_BITS) - 1);
  uint32_t down = (uint32_t) y & ((1u << PLACE_BITS) - 1);
  uint32_t full = 1u << PLACE_BITS;
  size_t left = column_of (reader, lane, x >> PLACE_BITS);
  size_t right = column_of (reader, lane, (x >> PLACE_BITS) + 1);
  size_t upper = row_of (reader, lane, y >> PLACE_BITS);
  size_t lower = row_of (reader, lane, (y >> PLACE_BITS) + 1);
  uint32_t above = sample_at (frame, upper + left)
      * (full - across)
      + sample_at (frame, upper + right) * across;
  uint32_t below = sample_at (frame, lower + left)
      * (full - across)
      + sample_at (frame, lower + right) * across;
  uint64_t sum = (uint64_t) above * (full - down) + (uint64_t) below * down;

  return (int32_t) ((sum + (1u << (2 * PLACE_BITS - 1))) >> (2 * PLACE_BITS));
}

/* -- motion --------------------------------------------------------------- */

typedef struct
{
  int32_t x;                    /* in 1/256 of a component's samples */
  int32_t y;
  int32_t trust;
} Motion;

/* The motion at a sample of a component, between the nodes of a field. */
SLIT_SCAN_INLINE Motion
motion_at (const SlitScanFlowPlan * plan, const SlitScanFlowNode * field,
    const SlitScanLane * lane, int32_t x, int32_t y)
{
  const SlitScanFlowLevel *level = plan->levels;
  /* Between nodes, in halves of a pixel. */
  uint32_t bits = (uint32_t) plan->shift + 3;
  int32_t full = 1 << bits;
  int32_t to_x = (2 * x + 1) * (1 << lane->x_shift) - full / 2;
  int32_t to_y = (2 * y + 1) * (1 << lane->y_shift) - full / 2;
  int32_t right = to_x & (full - 1);
  int32_t lower = to_y & (full - 1);
  int32_t left = full - right;
  int32_t upper = full - lower;
  int32_t last_x = level->nodes_wide - 1;
  int32_t last_y = level->nodes_high - 1;
  int32_t first = clamp (to_x >> bits, 0, last_x);
  int32_t next = clamp ((to_x >> bits) + 1, 0, last_x);
  const SlitScanFlowNode *row = field
      + (size_t) clamp (to_y >> bits, 0, last_y) * (size_t) level->nodes_wide;
  const SlitScanFlowNode *below = field
      + (size_t) clamp ((to_y >> bits) + 1, 0, last_y)
      * (size_t) level->nodes_wide;
  SlitScanFlowNode a = row[first], b = row[next];
  SlitScanFlowNode c = below[first], d = below[next];
  int32_t x_sum = (a.x * left + b.x * right) * upper
      + (c.x * left + d.x * right) * lower;
  int32_t y_sum = (a.y * left + b.y * right) * upper
      + (c.y * left + d.y * right) * lower;
  int32_t trust = (a.trust * left + b.trust * right) * upper
      + (c.trust * left + d.trust * right) * lower;
  Motion motion;

  /* In 1/256 pixel of the first level, then of the frame, then of samples. */
  motion.x = (x_sum + (1 << (2 * bits - 5))) >> (2 * bits - 4);
  motion.y = (y_sum + (1 << (2 * bits - 5))) >> (2 * bits - 4);
  motion.x = motion.x * (2 << plan->shift) >> lane->x_shift;
  motion.y = motion.y * (2 << plan->shift) >> lane->y_shift;
  motion.trust = trust >> (2 * bits);
  return motion;
}

/* -- lines ---------------------------------------------------------------- */

/* A sample's delay, in wide units. */
SLIT_SCAN_INLINE uint32_t
delay_of (const SlitScanReading * plane, SlitScanLineDelay delay,
    int32_t sample_bytes, size_t line, size_t sample)
{
  if (sample_bytes == 2)
    return plane->wide[line * LINE_BYTES / 2 + sample];
  if (delay.reach > NARROW_REACH)
    return plane->wide[line * LINE_BYTES + sample];
  return (delay.base << WIDE_FRACTION)
      + ((uint32_t) plane->narrow[(size_t) delay.pattern * LINE_BYTES + sample]
      << (WIDE_FRACTION - NARROW_FRACTION));
}

/* The sample at (x, y) of its component. */
SLIT_SCAN_INLINE uint32_t
warp_sample (const Reader * reader, PastKind kind, int32_t sample_bytes,
    const SlitScanLane * lane, uint32_t delay, int32_t x, int32_t y)
{
  const SlitScanFlows *flows = reader->flows;
  uint32_t oldest = reader->past->oldest;
  uint32_t level = delay >> WIDE_FRACTION;
  int32_t weight = (int32_t) (delay & ((1u << WIDE_FRACTION) - 1));
  int32_t full = 1 << WIDE_FRACTION;
  uint32_t unused = reader->plane->reading.unused_bits;
  const SlitScanFlowNode *field;
  size_t byte = column_of (reader, lane, x) + row_of (reader, lane, y);
  Frame first, second;
  int32_t newer, older;
  int64_t linear;
  Motion motion = { 0 };

  first = frame_of (reader, kind, sample_bytes,
      level < oldest ? level : oldest);
  newer = (int32_t) sample_at (&first, byte);
  if (weight == 0 || level >= oldest)
    return (uint32_t) newer;
  second = frame_of (reader, kind, sample_bytes, level + 1);
  older = (int32_t) sample_at (&second, byte);
  linear = (int64_t) newer *(full - weight) + (int64_t) older *weight;
  field = level < flows->count && flows->starts[level] >= 0
      ? flows->nodes + flows->starts[level] : NULL;
  if (field != NULL)
    motion = motion_at (flows->plan, field, lane, x, y);
  /* Where nothing moves, both are the same. */
  if (motion.trust > 0 && (motion.x | motion.y) != 0) {
    int32_t back_x = -(int32_t) (((int64_t) motion.x * weight + full / 2)
        >> WIDE_FRACTION);
    int32_t back_y = -(int32_t) (((int64_t) motion.y * weight + full / 2)
        >> WIDE_FRACTION);
    int32_t at_x = x * (1 << PLACE_BITS) + back_x;
    int32_t at_y = y * (1 << PLACE_BITS) + back_y;
    int32_t moved = between_samples (&first, lane, at_x, at_y);
    int32_t met = between_samples (&second, lane, at_x + motion.x,
        at_y + motion.y);
    int32_t worse = (abs (moved - met) - abs (newer - older))
        >> lane->range_shift;
    int32_t share = motion.trust
        * clamp (TOLERANCE + TOLERANCE_RANGE - worse, 0, TOLERANCE_RANGE);
    int64_t warped = (int64_t) moved * (full - weight) + (int64_t) met * weight;

    linear = linear * (1 << WEIGHT_BITS) + (warped - linear) * share;
  } else {
    linear *= 1 << WEIGHT_BITS;
  }
  unused += WIDE_FRACTION + WEIGHT_BITS;
  return (uint32_t) ((linear + ((int64_t) 1 << (unused - 1))) >> unused)
      << reader->plane->reading.unused_bits;
}

SLIT_SCAN_INLINE void
put_sample (uint8_t * out, uint32_t sample, int32_t sample_bytes,
    bool is_big_endian)
{
  if (sample_bytes == 1) {
    out[0] = (uint8_t) sample;
  } else {
    out[is_big_endian ? 1 : 0] = (uint8_t) sample;
    out[is_big_endian ? 0 : 1] = (uint8_t) (sample >> 8);
  }
}

/* A line of a tile; lines are counted from the plane's first. */
SLIT_SCAN_INLINE void
warp_line (const Reader * reader, PastKind kind, int32_t sample_bytes,
    size_t line, size_t tile_x, size_t tile_y, size_t line_of_tile,
    uint8_t * out)
{
  const SlitScanReading *plane = &reader->plane->reading;
  SlitScanLineDelay delay = plane->delays[line];
  uint32_t oldest = reader->past->oldest;
  size_t count = LINE_BYTES / (size_t) sample_bytes;
  const Spot *spots = reader->spots + line_of_tile * count;
  int32_t first_cell = (int32_t) (tile_x << reader->cell_bits);
  int32_t first_row = (int32_t) (tile_y << reader->row_bits);
  uint16_t samples[LINE_BYTES];

  if (delay.base >= oldest || delay.reach == 0) {
    memcpy (out, line_of_past (reader->past, kind,
            plane->target.tiling.first_line + line,
            delay.base < oldest ? delay.base : oldest), LINE_BYTES);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const SlitScanLane *lane = &reader->plane->lanes[spots[i].lane];
    int32_t x = (first_cell + spots[i].cell) * (1 << lane->count_shift)
        + lane->number;
    int32_t y = first_row + spots[i].row;

    samples[i] = (uint16_t) warp_sample (reader, kind, sample_bytes, lane,
        delay_of (plane, delay, sample_bytes, line, i), x, y);
  }
  for (size_t i = 0; i < count; i++)
    put_sample (out + i * (size_t) sample_bytes, samples[i], sample_bytes,
        plane->kind == SLIT_SCAN_READ_BLEND_BIG_WORDS);
}

SLIT_SCAN_INLINE void
warp_row (const Reader * reader, PastKind kind, int32_t sample_bytes,
    size_t tile_y)
{
  const SlitScanReading *plane = &reader->plane->reading;
  const SlitScanTiling *tiling = &plane->target.tiling;
  size_t tile_lines = lines_of_tile (tiling->row_bytes);
  size_t at_once = tiles_at_once (tiling->row_bytes);
  size_t line = tile_y * tiling->tiles_wide * tile_lines;

  for (size_t tile = 0; tile < tiling->tiles_wide; tile += at_once) {
    size_t rest = tiling->tiles_wide - tile;
    size_t tiles = rest < at_once ? rest : at_once;
    size_t count = tiles * tile_lines;
    Bytes lines[MOST_AT_ONCE];

    for (size_t i = 0; i < count; i++)
      warp_line (reader, kind, sample_bytes, line + i, tile + i / tile_lines,
          tile_y, i % tile_lines, (uint8_t *) & lines[i]);
    if (plane->late != SLIT_SCAN_LATE_OLDEST)
      replace_late (reader->past, plane, line, count, lines);
    FOR_SHAPE (tiling, put_tiles, lines, &plane->target, tile, tile_y, tiles);
    line += count;
  }
}

SLIT_SCAN_INLINE void
warp_rows_body (const Reader * reader, size_t first, size_t end)
{
  bool is_whole = reader->past->era_count == 1
      && reader->past->eras->rings == NULL;
  bool is_bytes = reader->plane->sample_bytes == 1;

  for (size_t tile_y = first; tile_y < end; tile_y++) {
    if (!is_whole)
      warp_row (reader, PAST_ERAS, reader->plane->sample_bytes, tile_y);
    else if (is_bytes)
      warp_row (reader, PAST_WHOLE, 1, tile_y);
    else
      warp_row (reader, PAST_WHOLE, 2, tile_y);
  }
}

SLIT_SCAN_WIDE_VARIANTS (static, void, warp_rows,
    (const Reader * reader, size_t first, size_t end), (reader, first, end));

typedef struct
{
  SlitScanPast past;
  const SlitScanFlows *flows;
} Warp;

static void
warp_plane (const void *plane, size_t first, size_t end, void *context)
{
  const Warp *warp = context;
  Reader reader;

  set_up (&reader, &warp->past, warp->flows, plane);
  warp_rows (&reader, first, end);
}

void
slit_scan_warp (const SlitScanPast * past, const SlitScanFlows * flows,
    const SlitScanWarping * planes, size_t plane_count, WorkerPool * pool)
{
  Warp warp = {.past = *past,.flows = flows };

  DO_ROWS (SlitScanWarping, reading.target.tiling, planes, plane_count,
      warp_plane, &warp, pool);
}
