/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels that draw what lies between two frames of history along the
 * motion from one to the other, sample by sample. */

#include <stdlib.h>

#include "lines.h"
#include "slitscan-flow.h"

/* Bits of a place between two samples, and of the weight of the motion. */
#define PLACE_BITS 8
#define WEIGHT_BITS 13
/* The difference of the moved samples beyond that of the standing ones, of 255,
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

/* A plane of one part of history. */
typedef struct
{
  const SlitScanHistoryFrames *history;
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
set_up (Reader * reader, const SlitScanHistoryFrames * history,
    const SlitScanFlows * flows, const SlitScanWarping * plane)
{
  const SlitScanTiling *tiling = &plane->reading.target.tiling;
  uint32_t row_bytes = (uint32_t) tiling->row_bytes;
  uint32_t cell_bytes = (uint32_t) plane->cell_bytes;
  uint32_t sample_bytes = (uint32_t) plane->sample_bytes;

  reader->history = history;
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

SLIT_SCAN_INLINE int32_t
least (int32_t one, int32_t other)
{
  return one < other ? one : other;
}

SLIT_SCAN_INLINE int32_t
most (int32_t one, int32_t other)
{
  return one > other ? one : other;
}

/* A plane of one frame of history. */
typedef struct
{
  const Reader *reader;
  HistoryKind kind;
  int32_t sample_bytes;
  bool is_big_endian;
  uint32_t level;
  const uint8_t *tiles;         /* of HISTORY_WHOLE */
} Frame;

SLIT_SCAN_INLINE Frame
frame_of (const Reader * reader, HistoryKind kind, int32_t sample_bytes,
    uint32_t level)
{
  const SlitScanReading *plane = &reader->plane->reading;

  return (Frame) {
  .reader = reader,.kind = kind,.sample_bytes = sample_bytes,.is_big_endian =
        plane->kind == SLIT_SCAN_READ_BLEND_BIG_WORDS,.level = level,.tiles =
        kind == HISTORY_WHOLE ? line_of_era (reader->history->eras, false,
        plane->target.tiling.first_line, level) : NULL};
}

/* The sample that lies at a byte of a plane's tiles. */
SLIT_SCAN_INLINE uint32_t
sample_at (const Frame * frame, size_t byte)
{
  const uint8_t *sample;

  if (frame->kind == HISTORY_WHOLE) {
    sample = frame->tiles + byte;
  } else {
    const Reader *reader = frame->reader;
    LinePosition position = position_of (frame->kind,
        &reader->plane->reading.target.tiling, byte / LINE_BYTES);

    sample = byte_of_history (reader->history, frame->kind, &position,
        frame->level, byte % LINE_BYTES);
  }
  if (frame->sample_bytes == 1)
    return sample[0];
  return frame->is_big_endian ? (uint32_t) sample[0] << 8 | sample[1]
      : (uint32_t) sample[1] << 8 | sample[0];
}

/* The places of a column and a row of a component's samples in the plane's
 * tiles; their sum is that of the sample. */
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

/* The value of a frame between samples of a component. */
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

/* -- samples between two frames -------------------------------------------- */

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
warp_sample (const Reader * reader, HistoryKind kind, int32_t sample_bytes,
    const SlitScanLane * lane, uint32_t delay, int32_t x, int32_t y)
{
  const SlitScanFlows *flows = reader->flows;
  uint32_t oldest = reader->history->oldest;
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

/* -- lines whose frames are whole ----------------------------------------- */

/* Pairs of neighbours of all components that a line reads of one frame, and
 * the most levels from one sample's to another's: where there are more, as in a
 * random map, each sample by itself is faster. */
#define MOST_PAIRS 2048
#define FARTHEST_LEVEL 4

/* The samples of a line, each with its place in its component and what is known
 * of its motion. */
typedef struct
{
  int32_t x[LINE_BYTES];
  int32_t y[LINE_BYTES];
  uint32_t level[LINE_BYTES];   /* the newer frame's */
  int32_t weight[LINE_BYTES];   /* of the older frame */
  int32_t newer[LINE_BYTES];
  int32_t older[LINE_BYTES];
  int32_t moved[LINE_BYTES];    /* the newer frame's sample along the motion */
  int32_t met[LINE_BYTES];      /* the older's */
  int32_t motion_x[LINE_BYTES];
  int32_t motion_y[LINE_BYTES];
  int32_t trust[LINE_BYTES];
} Line;

/* The samples that a line reads of a frame: of each component a rectangle, row
 * by row, each sample with the one to its right. */
typedef struct
{
  int32_t start[LINE_BYTES];    /* of the sample's rectangle, less its origin */
  int32_t wide[LINE_BYTES];
  uint32_t pairs[MOST_PAIRS];
} Window;

SLIT_SCAN_INLINE void
load_line (const uint8_t * from, int32_t sample_bytes, bool is_big_endian,
    int32_t * to)
{
  for (int32_t i = 0; i < LINE_BYTES / sample_bytes; i++) {
    const uint8_t *sample = from + i * sample_bytes;

    to[i] = sample_bytes == 1 ? sample[0]
        : is_big_endian ? sample[0] << 8 | sample[1]
        : sample[1] << 8 | sample[0];
  }
}

/* The motion at the samples between levels `level` and level + 1, and whether
 * there is any. */
SLIT_SCAN_INLINE bool
find_motion (const Reader * reader, const Spot * spots,
    const SlitScanFlowNode * field, uint32_t level, int32_t count, Line * line)
{
  const SlitScanFlowPlan *plan = reader->flows->plan;
  int32_t wide = plan->levels->nodes_wide;
  int32_t last_x = wide - 1;
  int32_t last_y = plan->levels->nodes_high - 1;
  int32_t bits = plan->shift + 3;
  int32_t full = 1 << bits;
  int32_t to_x[LINE_BYTES], to_y[LINE_BYTES];
  int32_t x_shift[LINE_BYTES], y_shift[LINE_BYTES];
  int32_t left = INT32_MAX, right = INT32_MIN;
  int32_t upper = INT32_MAX, lower = INT32_MIN;
  int32_t any = 0;
  SlitScanFlowNode corners[4];
  bool is_one_cell;

  for (int32_t i = 0; i < count; i++) {
    const SlitScanLane *lane = &reader->plane->lanes[spots[i].lane];

    x_shift[i] = lane->x_shift;
    y_shift[i] = lane->y_shift;
  }
  for (int32_t i = 0; i < count; i++) {
    to_x[i] = ((2 * line->x[i] + 1) << x_shift[i]) - full / 2;
    to_y[i] = ((2 * line->y[i] + 1) << y_shift[i]) - full / 2;
    left = least (left, to_x[i] >> bits);
    right = most (right, to_x[i] >> bits);
    upper = least (upper, to_y[i] >> bits);
    lower = most (lower, to_y[i] >> bits);
  }
  /* Trusted motion somewhere around? */
  for (int32_t row = upper; row <= lower + 1; row++)
    for (int32_t column = left; column <= right + 1; column++) {
      SlitScanFlowNode node = field[(size_t) clamp (row, 0, last_y)
          * (size_t) wide + (size_t) clamp (column, 0, last_x)];

      any |= node.trust;
    }
  if (any == 0)
    return false;
  is_one_cell = left == right && upper == lower;
  for (int32_t i = 0; i < 4; i++)
    corners[i] = field[(size_t) clamp (upper + i / 2, 0, last_y)
        * (size_t) wide + (size_t) clamp (left + i % 2, 0, last_x)];
#define BETWEEN(field)                                                        \
  ((a.field * west + b.field * east) * north                                  \
      + (c.field * west + d.field * east) * south)
#define SET_MOTION(i)                                                         \
  do {                                                                        \
    int32_t east = to_x[i] & (full - 1);                                      \
    int32_t south = to_y[i] & (full - 1);                                     \
    int32_t west = full - east;                                               \
    int32_t north = full - south;                                             \
    int32_t half = 1 << (2 * bits - 5);                                       \
                                                                              \
    line->motion_x[i] = ((BETWEEN (x) + half) >> (2 * bits - 4))              \
        * (2 << plan->shift) >> x_shift[i];                                   \
    line->motion_y[i] = ((BETWEEN (y) + half) >> (2 * bits - 4))              \
        * (2 << plan->shift) >> y_shift[i];                                   \
    line->trust[i] = BETWEEN (trust) >> (2 * bits);                           \
  } while (0)
  if (is_one_cell) {
    SlitScanFlowNode a = corners[0], b = corners[1];
    SlitScanFlowNode c = corners[2], d = corners[3];

    for (int32_t i = 0; i < count; i++)
      SET_MOTION (i);
  } else {
    for (int32_t i = 0; i < count; i++) {
      const SlitScanFlowNode *row = field
          + (size_t) clamp (to_y[i] >> bits, 0, last_y) * (size_t) wide;
      const SlitScanFlowNode *below = field
          + (size_t) clamp ((to_y[i] >> bits) + 1, 0, last_y) * (size_t) wide;
      int32_t first = clamp (to_x[i] >> bits, 0, last_x);
      int32_t next = clamp ((to_x[i] >> bits) + 1, 0, last_x);
      SlitScanFlowNode a = row[first], b = row[next];
      SlitScanFlowNode c = below[first], d = below[next];

      SET_MOTION (i);
    }
  }
#undef SET_MOTION
#undef BETWEEN
  any = 0;
  for (int32_t i = 0; i < count; i++) {
    bool moves = (line->motion_x[i] | line->motion_y[i]) != 0
        && line->level[i] == level && line->weight[i] != 0;

    line->trust[i] = moves ? line->trust[i] : 0;
    any |= line->trust[i];
  }
  return any != 0;
}

/* Copies what the samples with trusted motion need of a frame around the places
 * (x, y), in 1/256 of samples; false where that is too much. */
SLIT_SCAN_INLINE bool
take_window (const Frame * frame, const Spot * spots, int32_t lane_count,
    int32_t count, const Line * line, const int32_t * x, const int32_t * y,
    Window * window)
{
  const Reader *reader = frame->reader;
  int32_t used = 0;

  for (int32_t number = 0; number < lane_count; number++) {
    const SlitScanLane *lane = &reader->plane->lanes[number];
    int32_t left = INT32_MAX, right = INT32_MIN;
    int32_t upper = INT32_MAX, lower = INT32_MIN;
    int32_t wide, high, start;
    size_t columns[LINE_BYTES + 1];

    for (int32_t i = 0; i < count; i++) {
      bool counts = (line->trust[i] != 0)
          & ((lane_count == 1) | (spots[i].lane == number));
      int32_t column = x[i] >> PLACE_BITS;
      int32_t row = y[i] >> PLACE_BITS;

      left = least (left, counts ? column : INT32_MAX);
      right = most (right, counts ? column : INT32_MIN);
      upper = least (upper, counts ? row : INT32_MAX);
      lower = most (lower, counts ? row : INT32_MIN);
    }
    if (left > right)
      continue;
    wide = right - left + 1;
    high = lower - upper + 2;
    if (wide > LINE_BYTES || high > LINE_BYTES
        || used + wide * high > MOST_PAIRS)
      return false;
    for (int32_t i = 0; i <= wide; i++)
      columns[i] = column_of (reader, lane, left + i);
    start = used;
    for (int32_t row = 0; row < high; row++) {
      size_t at = row_of (reader, lane, upper + row);
      uint32_t sample = sample_at (frame, at + columns[0]);

      for (int32_t i = 0; i < wide; i++) {
        uint32_t next = sample_at (frame, at + columns[i + 1]);

        window->pairs[used++] = sample | next << 16;
        sample = next;
      }
    }
    for (int32_t i = 0; i < count; i++) {
      bool is_its = lane_count == 1 || spots[i].lane == number;

      window->start[i] = is_its ? start - upper * wide - left
          : window->start[i];
      window->wide[i] = is_its ? wide : window->wide[i];
    }
  }
  return true;
}

/* The samples of a window at places between samples. */
SLIT_SCAN_INLINE void
read_window (const Window * window, int32_t count, int32_t sample_bytes,
    const Line * line, const int32_t * x, const int32_t * y, int32_t * to)
{
  int32_t full = 1 << PLACE_BITS;

  for (int32_t i = 0; i < count; i++) {
    int32_t wide = line->trust[i] != 0 ? window->wide[i] : 0;
    int32_t at = line->trust[i] != 0 ? window->start[i]
        + (y[i] >> PLACE_BITS) * wide + (x[i] >> PLACE_BITS) : 0;
    uint32_t pair = window->pairs[at];
    uint32_t next = window->pairs[at + wide];
    uint32_t across = (uint32_t) (x[i] & (full - 1));
    uint32_t down = (uint32_t) (y[i] & (full - 1));
    uint32_t above = (pair & 0xffff) * ((uint32_t) full - across)
        + (pair >> 16) * across;
    uint32_t below = (next & 0xffff) * ((uint32_t) full - across)
        + (next >> 16) * across;

    if (sample_bytes == 1)
      to[i] = (int32_t) ((above * ((uint32_t) full - down) + below * down
              + (1u << (2 * PLACE_BITS - 1))) >> (2 * PLACE_BITS));
    else
      to[i] = (int32_t) (((uint64_t) above * ((uint32_t) full - down)
              + (uint64_t) below * down
              + (1u << (2 * PLACE_BITS - 1))) >> (2 * PLACE_BITS));
  }
}

/* Sets `moved` and `met` where motion is trusted; false where they lie too far
 * apart. */
SLIT_SCAN_INLINE bool
follow_motion (const Reader * reader, const Spot * spots, int32_t lane_count,
    int32_t count, int32_t sample_bytes, uint32_t level, Line * line)
{
  Frame newer = frame_of (reader, HISTORY_WHOLE, sample_bytes, level);
  Frame older = frame_of (reader, HISTORY_WHOLE, sample_bytes, level + 1);
  int32_t half = 1 << (WIDE_FRACTION - 1);
  int32_t x[LINE_BYTES], y[LINE_BYTES];
  Window window;

  for (int32_t i = 0; i < count; i++) {
    x[i] = line->x[i] * (1 << PLACE_BITS)
        - (int32_t) (((int64_t) line->motion_x[i] * line->weight[i] + half)
        >> WIDE_FRACTION);
    y[i] = line->y[i] * (1 << PLACE_BITS)
        - (int32_t) (((int64_t) line->motion_y[i] * line->weight[i] + half)
        >> WIDE_FRACTION);
  }
  if (!take_window (&newer, spots, lane_count, count, line, x, y, &window))
    return false;
  read_window (&window, count, sample_bytes, line, x, y, line->moved);
  for (int32_t i = 0; i < count; i++) {
    x[i] += line->motion_x[i];
    y[i] += line->motion_y[i];
  }
  if (!take_window (&older, spots, lane_count, count, line, x, y, &window))
    return false;
  read_window (&window, count, sample_bytes, line, x, y, line->met);
  return true;
}

/* The samples of a line, as warp_sample() has each, of frames that are whole;
 * false where that should have them. */
SLIT_SCAN_INLINE bool
warp_whole_line (const Reader * reader, int32_t sample_bytes, size_t number,
    const Spot * spots, Line * line, uint16_t * samples)
{
  const SlitScanReading *plane = &reader->plane->reading;
  const SlitScanFlows *flows = reader->flows;
  const size_t first_line = plane->target.tiling.first_line + number;
  const bool is_big_endian = plane->kind == SLIT_SCAN_READ_BLEND_BIG_WORDS;
  const int32_t count = LINE_BYTES / sample_bytes;
  const int32_t lane_count = reader->plane->cell_bytes / sample_bytes;
  const int32_t full = 1 << WIDE_FRACTION;
  const uint32_t oldest = reader->history->oldest;
  const uint32_t unused = plane->unused_bits;
  const int32_t range_shift = reader->plane->lanes[0].range_shift;
  uint32_t first = UINT32_MAX, last = 0;

  for (int32_t i = 0; i < count; i++) {
    bool is_late = line->level[i] >= oldest;

    line->level[i] = is_late ? oldest : line->level[i];
    line->weight[i] = is_late ? 0 : line->weight[i];
    first = line->level[i] < first ? line->level[i] : first;
    last = line->level[i] > last ? line->level[i] : last;
  }
  if (last - first > FARTHEST_LEVEL)
    return false;
  for (uint32_t level = first; level <= last; level++) {
    const SlitScanFlowNode *field = level < flows->count
        && flows->starts[level] >= 0 ? flows->nodes + flows->starts[level]
        : NULL;
    bool moves;

    load_line (line_of_era (reader->history->eras, false, first_line, level),
        sample_bytes, is_big_endian, line->newer);
    load_line (line_of_era (reader->history->eras, false, first_line,
            level < oldest ? level + 1 : oldest), sample_bytes, is_big_endian,
        line->older);
    moves = field != NULL
        && find_motion (reader, spots, field, level, count, line);
    if (moves
        && !follow_motion (reader, spots, lane_count, count, sample_bytes,
            level, line))
      return false;
    for (int32_t i = 0; i < count; i++) {
      int32_t weight = line->weight[i];
      int32_t blend = line->newer[i] * (full - weight)
          + line->older[i] * weight;
      uint32_t sample;

      if (moves) {
        int32_t warped = line->moved[i] * (full - weight)
            + line->met[i] * weight;
        int32_t worse = (abs (line->moved[i] - line->met[i])
            - abs (line->newer[i] - line->older[i])) >> range_shift;
        int32_t share = line->trust[i]
            * clamp (TOLERANCE + TOLERANCE_RANGE - worse, 0, TOLERANCE_RANGE);
        int64_t sum = (int64_t) blend * (1 << WEIGHT_BITS)
            + (int64_t) (share != 0 ? warped - blend : 0) * share;

        sample = (uint32_t) ((sum + ((int64_t) 1
                    << (unused + WIDE_FRACTION + WEIGHT_BITS - 1)))
            >> (unused + WIDE_FRACTION + WEIGHT_BITS)) << unused;
      } else {
        sample = (uint32_t) (blend + (1 << (unused + WIDE_FRACTION - 1)))
            >> (unused + WIDE_FRACTION) << unused;
      }
      sample = weight == 0 ? (uint32_t) line->newer[i] : sample;
      samples[i] = line->level[i] == level ? (uint16_t) sample : samples[i];
    }
  }
  return true;
}

/* -- lines ---------------------------------------------------------------- */

/* A line of a tile; lines are counted from the plane's first. */
SLIT_SCAN_INLINE void
warp_line (const Reader * reader, HistoryKind kind, int32_t sample_bytes,
    size_t number, size_t tile_x, size_t tile_y, size_t line_of_tile,
    uint8_t * out)
{
  const SlitScanReading *plane = &reader->plane->reading;
  SlitScanLineDelay delay = plane->delays[number];
  uint32_t oldest = reader->history->oldest;
  size_t count = LINE_BYTES / (size_t) sample_bytes;
  const Spot *spots = reader->spots + line_of_tile * count;
  int32_t first_cell = (int32_t) (tile_x << reader->cell_bits);
  int32_t first_row = (int32_t) (tile_y << reader->row_bits);
  uint16_t samples[LINE_BYTES];
  Line line;

  if (delay.base >= oldest || delay.reach == 0) {
    LinePosition position = position_of (kind, &plane->target.tiling, number);
    Bytes bytes;

    get_line (reader->history, kind, &position,
        delay.base < oldest ? delay.base : oldest, &bytes);
    memcpy (out, &bytes, sizeof bytes);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const SlitScanLane *lane = &reader->plane->lanes[spots[i].lane];
    uint32_t wide = delay_of (plane, delay, sample_bytes, number, i);

    line.x[i] = (first_cell + spots[i].cell) * (1 << lane->count_shift)
        + lane->number;
    line.y[i] = first_row + spots[i].row;
    line.level[i] = wide >> WIDE_FRACTION;
    line.weight[i] = (int32_t) (wide & ((1u << WIDE_FRACTION) - 1));
  }
  if (kind != HISTORY_WHOLE || !warp_whole_line (reader, sample_bytes, number,
          spots, &line, samples))
    for (size_t i = 0; i < count; i++)
      samples[i] = (uint16_t) warp_sample (reader, kind, sample_bytes,
          &reader->plane->lanes[spots[i].lane],
          delay_of (plane, delay, sample_bytes, number, i), line.x[i],
          line.y[i]);
  for (size_t i = 0; i < count; i++)
    put_sample (out + i * (size_t) sample_bytes, samples[i], sample_bytes,
        plane->kind == SLIT_SCAN_READ_BLEND_BIG_WORDS);
}

SLIT_SCAN_INLINE void
warp_row (const Reader * reader, HistoryKind kind, int32_t sample_bytes,
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
      replace_late (reader->history, plane, line, count, lines);
    FOR_SHAPE (tiling, put_tiles, lines, &plane->target, tile, tile_y, tiles,
        false);
    line += count;
  }
}

typedef struct
{
  SlitScanHistoryFrames history;
  SlitScanFlows flows;
} Warp;

SLIT_SCAN_ROWS (static, warp_rows, SlitScanWarping, Warp)
{
  const SlitScanHistoryFrames *history = &context->history;
  bool is_whole = history->era_count == 1 && history->eras->rings == NULL;
  Reader reader;

  set_up (&reader, history, &context->flows, plane);
  for (size_t tile_y = first; tile_y < end; tile_y++) {
    if (history->pager != NULL)
      warp_row (&reader, HISTORY_PAGED, plane->sample_bytes, tile_y);
    else if (!is_whole)
      warp_row (&reader, HISTORY_ERAS, plane->sample_bytes, tile_y);
    else if (plane->sample_bytes == 1)
      warp_row (&reader, HISTORY_WHOLE, 1, tile_y);
    else
      warp_row (&reader, HISTORY_WHOLE, 2, tile_y);
  }
}

void
slit_scan_warp (const SlitScanHistoryFrames * history,
    const SlitScanFlows * flows, const SlitScanWarping * planes,
    size_t plane_count, WorkerPool * pool)
{
  HistoryPart part;
  Warp warp = {.history = *slit_scan_part_of (history, &part),.flows = *flows };
  size_t skipped = history->oldest - warp.history.oldest;

  skipped = skipped < flows->count ? skipped : flows->count;
  warp.flows.starts += skipped;
  warp.flows.count -= skipped;

  DO_ROWS (SlitScanWarping, reading.target.tiling, planes, plane_count,
      warp_rows, &warp, pool);
}
