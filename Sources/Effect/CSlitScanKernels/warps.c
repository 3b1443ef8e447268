/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels that draw what lies between two frames of history along the
 * motion from one to the other, line by line. */

#include "warps.h"

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
load_line (const uint8_t * from, int32_t kind, int32_t * to)
{
  size_t bytes = bytes_of (kind);

  for (size_t i = 0; i < LINE_BYTES / bytes; i++)
    to[i] = (int32_t) sample_at (from + i * bytes, kind);
}

SLIT_SCAN_INLINE void
set_motion (Line * line, int32_t i, Motion motion)
{
  line->motion_x[i] = motion.x;
  line->motion_y[i] = motion.y;
  line->trust[i] = motion.trust;
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
  int32_t bits = node_bits (plan);
  int32_t to_x[LINE_BYTES], to_y[LINE_BYTES];
  int32_t x_shift[LINE_BYTES], y_shift[LINE_BYTES];
  int32_t left = INT32_MAX, right = INT32_MIN;
  int32_t upper = INT32_MAX, lower = INT32_MIN;
  int32_t any = 0;

  for (int32_t i = 0; i < count; i++) {
    const SlitScanLane *lane = &reader->plane->lanes[spots[i].lane];

    x_shift[i] = lane->x_shift;
    y_shift[i] = lane->y_shift;
  }
  for (int32_t i = 0; i < count; i++) {
    to_x[i] = among_nodes (plan, line->x[i], x_shift[i]);
    to_y[i] = among_nodes (plan, line->y[i], y_shift[i]);
    left = least (left, to_x[i] >> bits);
    right = most (right, to_x[i] >> bits);
    upper = least (upper, to_y[i] >> bits);
    lower = most (lower, to_y[i] >> bits);
  }
  /* Trusted motion somewhere around? */
  for (int32_t row = upper; row <= lower + 1; row++)
    for (int32_t column = left; column <= right + 1; column++) {
      SlitScanFlowNode node = field[(size_t) within (row, 0, last_y)
          * (size_t) wide + (size_t) within (column, 0, last_x)];

      any |= node.trust;
    }
  if (any == 0)
    return false;
  if (left == right && upper == lower) {
    Nodes nodes = nodes_around (plan, field, left, upper);

    for (int32_t i = 0; i < count; i++)
      set_motion (line, i, motion_between (plan, nodes, to_x[i], to_y[i],
              x_shift[i], y_shift[i]));
  } else {
    for (int32_t i = 0; i < count; i++)
      set_motion (line, i, motion_between (plan, nodes_around (plan, field,
                  to_x[i] >> bits, to_y[i] >> bits), to_x[i], to_y[i],
              x_shift[i], y_shift[i]));
  }
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
      uint32_t sample = sample_of_frame (frame, at + columns[0]);

      for (int32_t i = 0; i < wide; i++) {
        uint32_t next = sample_of_frame (frame, at + columns[i + 1]);

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
  const size_t first_line = plane->target.tiling.first_line + number;
  const int32_t kind = samples_of (reader, sample_bytes);
  const int32_t count = LINE_BYTES / sample_bytes;
  const int32_t lane_count = reader->plane->cell_bytes / sample_bytes;
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
    const SlitScanFlowNode *field = field_of (reader->flows, level);
    bool moves;

    load_line (line_of_era (reader->history->eras, false, first_line, level),
        kind, line->newer);
    load_line (line_of_era (reader->history->eras, false, first_line,
            level < oldest ? level + 1 : oldest), kind, line->older);
    moves = field != NULL
        && find_motion (reader, spots, field, level, count, line);
    if (moves
        && !follow_motion (reader, spots, lane_count, count, sample_bytes,
            level, line))
      return false;
    for (int32_t i = 0; i < count; i++) {
      int32_t weight = line->weight[i];
      uint32_t sample = moves
          ? along_motion (line->newer[i], line->older[i], line->moved[i],
          line->met[i], weight, line->trust[i], range_shift, unused)
          : rounded_mean (line->newer[i], line->older[i], weight, unused);

      sample = weight == 0 ? (uint32_t) line->newer[i] : sample;
      samples[i] = line->level[i] == level ? (uint16_t) sample : samples[i];
    }
  }
  return true;
}

/* -- lines ---------------------------------------------------------------- */

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
    put_sample (samples[i], samples_of (reader, sample_bytes),
        out + i * (size_t) sample_bytes);
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
