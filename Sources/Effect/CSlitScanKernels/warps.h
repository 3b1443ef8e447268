/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Samples between two frames of history along the motion from one to the other:
 * planes of frames, the motion between the nodes of its field, and single
 * samples. */
#pragma once

#include <stdlib.h>

#include "flow.h"
#include "lines.h"
#include "samples.h"

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

/* -- samples -------------------------------------------------------------- */

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
  int32_t samples;              /* their kind */
  uint32_t level;
  const uint8_t *tiles;         /* of HISTORY_WHOLE */
} Frame;

/* The kind of a plane's samples, of so many bytes. */
SLIT_SCAN_INLINE int32_t
samples_of (const Reader * reader, int32_t sample_bytes)
{
  if (sample_bytes == 1)
    return SLIT_SCAN_SAMPLES_BYTES;
  return reader->plane->reading.kind == SLIT_SCAN_READ_BLEND_BIG_WORDS
      ? SLIT_SCAN_SAMPLES_BIG_WORDS : SLIT_SCAN_SAMPLES_LITTLE_WORDS;
}

SLIT_SCAN_INLINE Frame
frame_of (const Reader * reader, HistoryKind kind, int32_t sample_bytes,
    uint32_t level)
{
  return (Frame) {
  .reader = reader,.kind = kind,.samples =
        samples_of (reader, sample_bytes),.level = level,.tiles =
        kind == HISTORY_WHOLE ? line_of_era (reader->history->eras, false,
        reader->plane->reading.target.tiling.first_line, level) : NULL};
}

/* The sample that lies at a byte of a plane's tiles. */
SLIT_SCAN_INLINE uint32_t
sample_of_frame (const Frame * frame, size_t byte)
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
  return sample_at (sample, frame->samples);
}

/* The places of a column and a row of a component's samples in the plane's
 * tiles; their sum is that of the sample. */
SLIT_SCAN_INLINE size_t
column_of (const Reader * reader, const SlitScanLane * lane, int32_t x)
{
  uint32_t column = (uint32_t) within (x, 0, lane->samples_wide - 1);
  uint32_t cell = column >> lane->count_shift;

  return (cell >> reader->cell_bits) * reader->tile_bytes
      + (cell & ((1u << reader->cell_bits) - 1))
      * (uint32_t) reader->plane->cell_bytes + (uint32_t) lane->first
      + (column & ((1u << lane->count_shift) - 1)) * (uint32_t) lane->step;
}

SLIT_SCAN_INLINE size_t
row_of (const Reader * reader, const SlitScanLane * lane, int32_t y)
{
  uint32_t row = (uint32_t) within (y, 0, lane->samples_high - 1);

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
  uint32_t above = sample_of_frame (frame, upper + left)
      * (full - across)
      + sample_of_frame (frame, upper + right) * across;
  uint32_t below = sample_of_frame (frame, lower + left)
      * (full - across)
      + sample_of_frame (frame, lower + right) * across;
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

/* The nodes around a place: left and right above, left and right below. */
typedef struct
{
  SlitScanFlowNode a, b, c, d;
} Nodes;

SLIT_SCAN_INLINE Nodes
nodes_around (const SlitScanFlowPlan * plan, const SlitScanFlowNode * field,
    int32_t column, int32_t row)
{
  const SlitScanFlowLevel *level = plan->levels;
  int32_t last_x = level->nodes_wide - 1;
  int32_t last_y = level->nodes_high - 1;
  int32_t left = within (column, 0, last_x);
  int32_t right = within (column + 1, 0, last_x);
  const SlitScanFlowNode *above = field
      + (size_t) within (row, 0, last_y) * (size_t) level->nodes_wide;
  const SlitScanFlowNode *below = field
      + (size_t) within (row + 1, 0, last_y) * (size_t) level->nodes_wide;

  return (Nodes) { above[left], above[right], below[left], below[right] };
}

/* Bits of a place between nodes, in halves of a pixel. */
SLIT_SCAN_INLINE int32_t
node_bits (const SlitScanFlowPlan * plan)
{
  return plan->shift + 3;
}

/* The place of a sample of a component among the nodes, along one axis. */
SLIT_SCAN_INLINE int32_t
among_nodes (const SlitScanFlowPlan * plan, int32_t sample, int32_t shift)
{
  return (2 * sample + 1) * (1 << shift) - (1 << node_bits (plan)) / 2;
}

/* The motion at a place of a component between nodes. */
SLIT_SCAN_INLINE Motion
motion_between (const SlitScanFlowPlan * plan, Nodes nodes, int32_t to_x,
    int32_t to_y, int32_t x_shift, int32_t y_shift)
{
  int32_t bits = node_bits (plan);
  int32_t full = 1 << bits;
  int32_t half = 1 << (2 * bits - 5);
  int32_t right = to_x & (full - 1);
  int32_t lower = to_y & (full - 1);
  int32_t left = full - right;
  int32_t upper = full - lower;
#define BETWEEN(field)                                                        \
  ((nodes.a.field * left + nodes.b.field * right) * upper                     \
      + (nodes.c.field * left + nodes.d.field * right) * lower)

  /* In 1/256 pixel of the first level, then of the frame, then of samples. */
  return (Motion) {
  .x = ((BETWEEN (x) + half) >> (2 * bits - 4)) * (2 << plan->shift)
        >> x_shift,.y = ((BETWEEN (y) + half) >> (2 * bits - 4))
        * (2 << plan->shift) >> y_shift,.trust = BETWEEN (trust) >> (2 * bits)};
#undef BETWEEN
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

/* The mean of two samples, times 2^WIDE_FRACTION. */
SLIT_SCAN_INLINE int32_t
mean_of (int32_t newer, int32_t older, int32_t weight)
{
  return newer * ((1 << WIDE_FRACTION) - weight) + older * weight;
}

/* The same, rounded to the bits that are used. */
SLIT_SCAN_INLINE uint32_t
rounded_mean (int32_t newer, int32_t older, int32_t weight,
    uint32_t unused_bits)
{
  uint32_t bits = WIDE_FRACTION + unused_bits;

  return (uint32_t) (mean_of (newer, older, weight) + (1 << (bits - 1)))
      >> bits << unused_bits;
}

/* The sample between a newer and an older frame's, and those that motion leads
 * to, as far as that is trusted. */
SLIT_SCAN_INLINE uint32_t
along_motion (int32_t newer, int32_t older, int32_t moved, int32_t met,
    int32_t weight, int32_t trust, int32_t range_shift, uint32_t unused_bits)
{
  int32_t standing = mean_of (newer, older, weight);
  int32_t worse = (abs (moved - met) - abs (newer - older)) >> range_shift;
  int32_t share = trust
      * within (TOLERANCE + TOLERANCE_RANGE - worse, 0, TOLERANCE_RANGE);
  int32_t change = share != 0 ? mean_of (moved, met, weight) - standing : 0;

  int64_t sum = (int64_t) standing * (1 << WEIGHT_BITS)
      + (int64_t) change * share;
  uint32_t bits = WIDE_FRACTION + WEIGHT_BITS + unused_bits;

  return (uint32_t) ((sum + ((int64_t) 1 << (bits - 1))) >> bits)
      << unused_bits;
}

/* The field of the motion from a level to the next; NULL if there is none. */
SLIT_SCAN_INLINE const SlitScanFlowNode *
field_of (const SlitScanFlows * flows, uint32_t level)
{
  return level < flows->count && flows->starts[level] >= 0
      ? flows->nodes + flows->starts[level] : NULL;
}

/* The sample at (x, y) of its component. */
SLIT_SCAN_INLINE uint32_t
warp_sample (const Reader * reader, HistoryKind kind, int32_t sample_bytes,
    const SlitScanLane * lane, uint32_t delay, int32_t x, int32_t y)
{
  const SlitScanFlowPlan *plan = reader->flows->plan;
  uint32_t oldest = reader->history->oldest;
  uint32_t level = delay >> WIDE_FRACTION;
  int32_t weight = (int32_t) (delay & ((1u << WIDE_FRACTION) - 1));
  int32_t half = 1 << (WIDE_FRACTION - 1);
  uint32_t unused = reader->plane->reading.unused_bits;
  const SlitScanFlowNode *field;
  size_t byte = column_of (reader, lane, x) + row_of (reader, lane, y);
  Frame first, second;
  int32_t newer, older, at_x, at_y;
  Motion motion = { 0 };

  first = frame_of (reader, kind, sample_bytes,
      level < oldest ? level : oldest);
  newer = (int32_t) sample_of_frame (&first, byte);
  if (weight == 0 || level >= oldest)
    return (uint32_t) newer;
  second = frame_of (reader, kind, sample_bytes, level + 1);
  older = (int32_t) sample_of_frame (&second, byte);
  field = field_of (reader->flows, level);
  if (field != NULL) {
    int32_t to_x = among_nodes (plan, x, lane->x_shift);
    int32_t to_y = among_nodes (plan, y, lane->y_shift);

    motion = motion_between (plan, nodes_around (plan, field,
            to_x >> node_bits (plan), to_y >> node_bits (plan)), to_x, to_y,
        lane->x_shift, lane->y_shift);
  }
  /* Where nothing moves, both are the same. */
  if (motion.trust <= 0 || (motion.x | motion.y) == 0)
    return rounded_mean (newer, older, weight, unused);
  at_x = x * (1 << PLACE_BITS)
      - (int32_t) (((int64_t) motion.x * weight + half) >> WIDE_FRACTION);
  at_y = y * (1 << PLACE_BITS)
      - (int32_t) (((int64_t) motion.y * weight + half) >> WIDE_FRACTION);
  return along_motion (newer, older,
      between_samples (&first, lane, at_x, at_y),
      between_samples (&second, lane, at_x + motion.x, at_y + motion.y),
      weight, motion.trust, lane->range_shift, unused);
}
