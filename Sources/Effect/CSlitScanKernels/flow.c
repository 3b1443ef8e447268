/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels that find the motion between two frames: a search over patches
 * in a pyramid, from coarse to fine, each refined by least squares. After dense
 * inverse search (Kroeger, Timofte, Dai, Van Gool 2016), but symmetric: a node
 * belongs to the moment between the two frames. */

#include <stdlib.h>
#include <string.h>

#include "flow.h"

/* Pixels of a patch's side, and of a patch. */
#define SIDE 8
#define AREA (SIDE * SIDE)
/* A patch with a pixel around it, in rows of PITCH. */
#define FRAMED (SIDE + 2)
#define UNIT 16
/* The farthest motion, of one refinement, and of a whole search: in units. */
#define FARTHEST_STEP (2 * UNIT)
#define FARTHEST 1023
/* Pixels that the wide search goes to each side, and the finest level that has
 * one: small objects that move otherwise than what is around them are lost on
 * the way from coarse to fine. */
#define WIDE_REACH 2
#define FINEST_WIDE_LEVEL 2
#define REFINEMENTS 4
/* A weight that keeps patches without texture where they are. */
#define DAMPING 2000
/* The greatest distance of two patches that show whether the video repeats
 * itself, how much they differ at least in between, and the share of that by
 * which they may differ, in tenths. */
#define LONGEST_PERIOD SIDE
#define LEAST_CHANGE AREA
#define REPETITION 3

/* -- patches -------------------------------------------------------------- */

/* A patch of both images, with a pixel around it, in 1/4 of a level; and what
 * the older is brighter than the newer. */
typedef struct
{
  int16_t newer[FRAMED * PITCH];
  int16_t older[FRAMED * PITCH];
  int32_t offset;
} Pair;

typedef struct
{
  const uint8_t *pixels;
  int32_t width;
  int32_t height;
} Image;

/* A patch of one image at (x, y), in units, between pixels. */
SLIT_SCAN_INLINE void
take_patch (const Image * image, int32_t x, int32_t y, int16_t * patch)
{
  int32_t left = (x >> 4) - 1;
  int32_t top = (y >> 4) - 1;
  int32_t right_weight = x & (UNIT - 1);
  int32_t lower_weight = y & (UNIT - 1);
  uint16_t weights[4] = {
    (uint16_t) ((UNIT - right_weight) * (UNIT - lower_weight)),
    (uint16_t) (right_weight * (UNIT - lower_weight)),
    (uint16_t) ((UNIT - right_weight) * lower_weight),
    (uint16_t) (right_weight * lower_weight),
  };
  uint8_t edge[(FRAMED + 1) * (PITCH + 1)] = { 0 };
  const uint8_t *from = image->pixels + top * image->width + left;
  int32_t stride = image->width;

  if (left < 0 || top < 0 || left + FRAMED >= image->width
      || top + FRAMED >= image->height) {
    for (int32_t i = 0; i <= FRAMED; i++)
      for (int32_t j = 0; j <= FRAMED; j++)
        edge[i * (PITCH + 1) + j] =
            image->pixels[within (top + i, 0, image->height - 1)
            * image->width + within (left + j, 0, image->width - 1)];
    from = edge;
    stride = PITCH + 1;
  }
  for (int32_t i = 0; i < FRAMED; i++) {
    const uint8_t *row = from + i * stride;
    const uint8_t *next = row + stride;

    for (int32_t j = 0; j < PITCH; j++) {
      /* At most 255 * 256: two bytes without a sign. */
      uint16_t sum = (uint16_t) (weights[0] * row[j] + weights[1] * row[j + 1]
          + weights[2] * next[j] + weights[3] * next[j + 1] + 32);

      patch[i * PITCH + j] = (int16_t) (sum >> 6);
    }
  }
}

/* Places in a patch, without the pixel around it. */
#define FOR_PIXELS(at)                                                        \
  for (int32_t row_ = 1; row_ <= SIDE; row_++)                                \
    for (int32_t at = row_ * PITCH + 1; at <= row_ * PITCH + SIDE; at++)

/* The patches that a motion leads to from a node; returns how much they
 * differ. */
SLIT_SCAN_INLINE int32_t
take_pair (const Image * newer, const Image * older, int32_t x, int32_t y,
    SlitScanFlowNode motion, Pair * pair)
{
  int32_t difference = 0;
  int32_t sum = 0;

  x = (x * SPACING + SPACING / 2 - SIDE / 2) * UNIT;
  y = (y * SPACING + SPACING / 2 - SIDE / 2) * UNIT;
  take_patch (newer, x - motion.x, y - motion.y, pair->newer);
  take_patch (older, x + motion.x, y + motion.y, pair->older);
  FOR_PIXELS (at)
      difference += pair->older[at] - pair->newer[at];
  pair->offset = (difference + AREA / 2) >> 6;
  FOR_PIXELS (at) {
    int32_t rest = pair->older[at] - pair->newer[at] - pair->offset;

    sum += rest < 0 ? -rest : rest;
  }
  return sum;
}

/* The difference of a pair's mean from its own mean. */
SLIT_SCAN_INLINE int32_t
activity (const Pair * pair)
{
  int32_t sum = 0;
  int32_t result = 0;

  FOR_PIXELS (at)
      sum += pair->newer[at] + pair->older[at];
  sum >>= 7;
  FOR_PIXELS (at) {
    int32_t rest = (pair->newer[at] + pair->older[at]) / 2 - sum;

    result += rest < 0 ? -rest : rest;
  }
  return result;
}

/* A quotient, rounded to the nearest and brought within a step. */
static int16_t
step_by (int64_t number, int64_t by)
{
  int64_t half = number + by / 2;
  int64_t whole = half / by;

  whole -= whole * by > half;
  return (int16_t) (whole < -FARTHEST_STEP ? -FARTHEST_STEP
      : whole > FARTHEST_STEP ? FARTHEST_STEP : whole);
}

/* The step that least squares say leads to where a pair is alike. */
SLIT_SCAN_INLINE SlitScanFlowNode
step_of (const Pair * pair)
{
  int32_t xx = DAMPING, xy = 0, yy = DAMPING, x = 0, y = 0;
  SlitScanFlowNode step = { 0 };
  int64_t determinant;

  FOR_PIXELS (at) {
    int32_t across = pair->newer[at + 1] - pair->newer[at - 1]
        + pair->older[at + 1] - pair->older[at - 1];
    int32_t down = pair->newer[at + PITCH] - pair->newer[at - PITCH]
        + pair->older[at + PITCH] - pair->older[at - PITCH];
    int32_t rest = pair->older[at] - pair->newer[at] - pair->offset;

    xx += across * across;
    xy += across * down;
    yy += down * down;
    x += across * rest;
    y += down * rest;
  }
  determinant = (int64_t) xx *yy - (int64_t) xy *xy;
  step.x = step_by (-2 * UNIT * ((int64_t) yy * x - (int64_t) xy * y),
      determinant);
  step.y = step_by (-2 * UNIT * ((int64_t) xx * y - (int64_t) xy * x),
      determinant);
  return step;
}

/* -- repetition ----------------------------------------------------------- */

/* Whether the video around a node repeats itself along an axis: patches a period
 * apart are alike, and nearer ones are not. Its motion is any number of periods,
 * then. */
SLIT_SCAN_INLINE bool
repeats_along (const Image * image, int32_t x, int32_t y, bool is_down)
{
  /* The area of the patches, as rows across the axis. */
  uint8_t rows[SIDE + LONGEST_PERIOD][SIDE];
  int32_t most = LEAST_CHANGE;

  x = x * SPACING + SPACING / 2 - SIDE / 2;
  y = y * SPACING + SPACING / 2 - SIDE / 2;
  for (int32_t i = 0; i < SIDE + LONGEST_PERIOD; i++)
    for (int32_t j = 0; j < SIDE; j++) {
      int32_t along = i - LONGEST_PERIOD / 2;

      rows[i][j] = image->pixels[within (y + (is_down ? along : j), 0,
              image->height - 1) * image->width
          + within (x + (is_down ? j : along), 0, image->width - 1)];
    }
  for (int32_t period = 1; period <= LONGEST_PERIOD; period++) {
    const uint8_t *one = rows[LONGEST_PERIOD / 2 - period / 2];
    const uint8_t *other = one + period * SIDE;
    int32_t sum = 0;

    for (int32_t at = 0; at < AREA; at++)
      sum += abs (one[at] - other[at]);
    if (most > LEAST_CHANGE && 10 * sum < REPETITION * most)
      return true;
    most = sum > most ? sum : most;
  }
  return false;
}

/* -- fields --------------------------------------------------------------- */

/* The differences of a node's patches, standing and moved, and how much there
 * is to differ. */
typedef struct
{
  int32_t standing;
  int32_t moved;
  int32_t activity;
} Judgement;

typedef struct
{
  Image newer;
  Image older;
  const SlitScanFlowLevel *level;
  bool is_wide;                 /* whether to search around no motion */
  bool is_first;                /* whether it is the finest level */
  const SlitScanFlowLevel *coarser;     /* NULL for the last level */
  const SlitScanFlowNode *start;        /* the field of the coarser level */
  SlitScanFlowNode *found;
  SlitScanFlowNode *smoothed;
  Judgement *judgements;
  uint32_t share_count;
} Search;

SLIT_SCAN_INLINE SlitScanFlowNode
node_at (const SlitScanFlowLevel * level, const SlitScanFlowNode * field,
    int32_t x, int32_t y)
{
  return field[within (y, 0, level->nodes_high - 1) * level->nodes_wide
      + within (x, 0, level->nodes_wide - 1)];
}

typedef struct
{
  SlitScanFlowNode motion;
  int32_t cost;
  Pair pair;
} Best;

SLIT_SCAN_INLINE bool
try_motion (const Search * search, int32_t x, int32_t y, int32_t to_x,
    int32_t to_y, Best * best)
{
  SlitScanFlowNode motion = {
    .x = (int16_t) within (to_x, -FARTHEST, FARTHEST),
    .y = (int16_t) within (to_y, -FARTHEST, FARTHEST),
  };
  Pair pair;
  int32_t cost;

  if (motion.x == best->motion.x && motion.y == best->motion.y)
    return false;
  cost = take_pair (&search->newer, &search->older, x, y, motion, &pair);
  if (cost >= best->cost)
    return false;
  best->cost = cost;
  best->motion = motion;
  best->pair = pair;
  return true;
}

SLIT_SCAN_INLINE SlitScanFlowNode
search_node (const Search * search, int32_t x, int32_t y)
{
  Best best = { 0 };
  bool repeats = !search->is_first
      && (repeats_along (&search->newer, x, y, false)
      || repeats_along (&search->newer, x, y, true));

  best.cost = take_pair (&search->newer, &search->older, x, y, best.motion,
      &best.pair);
  if (search->is_wide) {
    for (int32_t down = -WIDE_REACH; down <= WIDE_REACH; down++)
      for (int32_t across = -WIDE_REACH; across <= WIDE_REACH; across++)
        try_motion (search, x, y, across * UNIT, down * UNIT, &best);
  }
  if (search->coarser != NULL) {
    int32_t across = x % 2 == 1 ? 1 : -1;
    int32_t down = y % 2 == 1 ? 1 : -1;
    /* The four nearest nodes, and two more. */
    int32_t steps[6][2] = { {0, 0}, {across, 0}, {0, down}, {across, down},
    {-across, 0}, {0, -down}
    };

    for (int32_t i = 0; i < 6; i++) {
      SlitScanFlowNode node = node_at (search->coarser, search->start,
          x / 2 + steps[i][0], y / 2 + steps[i][1]);

      try_motion (search, x, y, 2 * node.x, 2 * node.y, &best);
      repeats |= i < 4 && node.repeats != 0;
    }
  }
  for (int32_t i = 0; i < REFINEMENTS; i++) {
    SlitScanFlowNode step = step_of (&best.pair);

    if (!try_motion (search, x, y, best.motion.x + step.x,
            best.motion.y + step.y, &best))
      break;
  }
  best.motion.repeats = repeats;
  return best.motion;
}

SLIT_SCAN_WIDE_VARIANTS (static, void, search_row,
    (const Search * search, int32_t y), (search, y))
{
  int32_t wide = search->level->nodes_wide;

  for (int32_t x = 0; x < wide; x++)
    search->found[y * wide + x] = search_node (search, x, y);
}

static int16_t
median (int16_t * values)
{
  for (int i = 1; i < 9; i++) {
    int16_t value = values[i];
    int at = i;

    for (; at > 0 && values[at - 1] > value; at--)
      values[at] = values[at - 1];
    values[at] = value;
  }
  return values[4];
}

static void
smooth_row (const Search * search, int32_t y)
{
  int32_t wide = search->level->nodes_wide;

  for (int32_t x = 0; x < wide; x++) {
    int16_t across[9], down[9];
    SlitScanFlowNode *node = &search->smoothed[y * wide + x];

    for (int32_t i = 0; i < 9; i++) {
      SlitScanFlowNode near = node_at (search->level, search->found,
          x + i % 3 - 1, y + i / 3 - 1);

      across[i] = near.x;
      down[i] = near.y;
    }
    *node = (SlitScanFlowNode) {
    .x = median (across),.y = median (down),.repeats =
          search->found[y * wide + x].repeats};
  }
}

SLIT_SCAN_WIDE_VARIANTS (static, void, judge_row,
    (const Search * search, int32_t y), (search, y))
{
  int32_t wide = search->level->nodes_wide;
  SlitScanFlowNode standing = { 0 };

  for (int32_t x = 0; x < wide; x++) {
    Judgement *judgement = &search->judgements[y * wide + x];
    Pair pair;

    judgement->standing = take_pair (&search->newer, &search->older, x, y,
        standing, &pair);
    judgement->moved = take_pair (&search->newer, &search->older, x, y,
        search->smoothed[y * wide + x], &pair);
    judgement->activity = activity (&pair);
  }
}

/* Does a share of the rows of nodes. */
#define DO_SHARE(name, row)                                                   \
  static void                                                                 \
  name (void *context, size_t share)                                          \
  {                                                                           \
    const Search *search = context;                                           \
    size_t rows = (size_t) search->level->nodes_high;                         \
                                                                              \
    for (size_t y = rows * share / search->share_count;                       \
        y < rows * (share + 1) / search->share_count; y++)                    \
      row (search, (int32_t) y);                                              \
  }                                                                           \
  _Static_assert (true, "")

DO_SHARE (search_share, search_row);
DO_SHARE (smooth_share, smooth_row);
DO_SHARE (judge_share, judge_row);

/* -- trust ---------------------------------------------------------------- */

/* (most - value) / (most - least) of full trust, within 0 to 1; all in 1/100
 * of `unit`. */
static int64_t
trust_between (int64_t value, int64_t unit, int64_t least, int64_t most)
{
  int64_t trust = SLIT_SCAN_FLOW_TRUST * (most * unit - 100 * value)
      / ((most - least) * unit);

  return trust < 0 ? 0
      : trust > SLIT_SCAN_FLOW_TRUST ? SLIT_SCAN_FLOW_TRUST : trust;
}

/* The trust in the motion of the whole frame: none where the frames
 * have little in common, as at a cut. */
static int64_t
trust_of_frame (const Judgement * judgements, size_t count)
{
  int64_t standing = 0, moved = 0, active = 1, matched, similar;

  for (size_t i = 0; i < count; i++) {
    standing += judgements[i].standing;
    moved += judgements[i].moved;
    active += judgements[i].activity;
  }
  matched = trust_between (moved, active, 30, 38);
  similar = trust_between (standing, active, 110, 135);
  return matched > similar ? matched : similar;
}

void
slit_scan_flow_find (const SlitScanFlowPlan * plan, const uint8_t * newer,
    const uint8_t * older, SlitScanFlowNode * scratch,
    SlitScanFlowNode * field, WorkerPool * pool)
{
  size_t count = plan->node_count;
  Search search = {
    .found = scratch,
    .smoothed = scratch + count,
    .judgements = (Judgement *) (void *) (scratch + 3 * count),
  };
  SlitScanFlowNode *other = scratch + 2 * count;
  int64_t trust;

  for (int32_t i = plan->level_count - 1; i >= 0; i--) {
    const SlitScanFlowLevel *level = &plan->levels[i];

    search.level = level;
    search.is_first = i == 0;
    search.is_wide = i >= FINEST_WIDE_LEVEL || i == plan->level_count - 1;
    search.newer = (Image) {
    newer + level->start, level->width, level->height};
    search.older = (Image) {
    older + level->start, level->width, level->height};
    search.share_count = shares ((size_t) level->nodes_wide
        * (size_t) level->nodes_high, pool);
    worker_pool_run (pool, search_share, &search, search.share_count);
    worker_pool_run (pool, smooth_share, &search, search.share_count);
    if (i == 0)
      break;
    search.coarser = level;
    search.start = search.smoothed;
    search.smoothed = other;
    other = (SlitScanFlowNode *) search.start;
  }
  worker_pool_run (pool, judge_share, &search, search.share_count);
  trust = trust_of_frame (search.judgements, count);
  for (size_t i = 0; i < count; i++) {
    const Judgement *judgement = &search.judgements[i];
    int64_t standing = judgement->standing + 1;
    int64_t better = trust_between (judgement->moved, standing, 50, 100);

    field[i] = search.smoothed[i];
    field[i].trust = field[i].repeats ? 0
        : (int16_t) (better * trust / SLIT_SCAN_FLOW_TRUST);
  }
}
