/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels that make the pyramid of a frame's luma: images that are each half
 * the size of the one before. */

#include "flow.h"

/* The longest side of the first level, which is no coarser than this. */
#define LONGEST_SIDE 480
#define LARGEST_SHIFT 7
/* A level with a side as short as this is the last one. */
#define SHORTEST_SIDE 12

SlitScanFlowPlan
slit_scan_flow_plan (size_t width, size_t height)
{
  SlitScanFlowPlan plan = { 0 };
  size_t longest = width > height ? width : height;
  size_t size;

  while (longest >> plan.shift > LONGEST_SIDE && plan.shift < LARGEST_SHIFT)
    plan.shift++;
  size = (size_t) 1 << plan.shift;
  width = (width + size - 1) / size;
  height = (height + size - 1) / size;
  for (;;) {
    SlitScanFlowLevel *level = &plan.levels[plan.level_count++];

    level->width = (int32_t) width;
    level->height = (int32_t) height;
    level->nodes_wide = (int32_t) ((width + SPACING - 1) / SPACING);
    level->nodes_high = (int32_t) ((height + SPACING - 1) / SPACING);
    level->start = plan.pyramid_bytes;
    plan.pyramid_bytes += width * height;
    if (width <= SHORTEST_SIDE || height <= SHORTEST_SIDE
        || plan.level_count == SLIT_SCAN_FLOW_MOST_LEVELS)
      break;
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  /* Patches are read in whole rows. */
  plan.pyramid_bytes += PITCH;
  plan.node_count = (size_t) plan.levels[0].nodes_wide
      * (size_t) plan.levels[0].nodes_high;
  return plan;
}

typedef struct
{
  const SlitScanFlowPlan *plan;
  const SlitScanFlowPart *parts;
  size_t part_count;
  size_t width;
  size_t height;
  uint8_t *pyramid;
  uint32_t share_count;
} Making;

SLIT_SCAN_INLINE uint32_t
luma_sample (const SlitScanFlowPart * part, size_t x, size_t y)
{
  const uint8_t *sample = part->rows + y * part->stride + x * part->step;
  uint32_t word = sample[0];
  uint32_t byte;

  if (part->bytes == 2)
    word = part->is_big_endian ? word << 8 | sample[1]
        : word | (uint32_t) sample[1] << 8;
  byte = word >> part->shift;
  return byte < 255 ? byte : 255;
}

/* The luma of a pixel of 0 to 255. */
SLIT_SCAN_INLINE uint32_t
luma_of (const Making * making, size_t x, size_t y)
{
  uint32_t luma = 0;

  for (size_t i = 0; i < making->part_count; i++)
    luma += making->parts[i].weight * luma_sample (&making->parts[i], x, y);
  return luma >> 8;
}

/* Sums of blocks of `size` pixels of a plane of bytes, all inside it. */
SLIT_SCAN_INLINE void
sum_bytes (const SlitScanFlowPart * part, size_t y, size_t size,
    uint32_t shift, uint8_t * out, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    const uint8_t *block = part->rows + y * part->stride + i * size;
    uint32_t sum = 0;

    for (size_t row = 0; row < size; row++)
      for (size_t x = 0; x < size; x++)
        sum += block[row * part->stride + x];
    out[i] = (uint8_t) ((sum + (1u << shift >> 1)) >> shift);
  }
}

/* A row of the first level: the mean of each block of pixels. */
SLIT_SCAN_WIDE_VARIANTS (static, void, make_row,
    (const Making * making, size_t row), (making, row))
{
  const SlitScanFlowLevel *level = making->plan->levels;
  const SlitScanFlowPart *part = making->parts;
  size_t size = (size_t) 1 << making->plan->shift;
  uint32_t shift = 2 * (uint32_t) making->plan->shift;
  uint8_t *out = making->pyramid + row * (size_t) level->width;
  size_t done = 0;

  if (making->part_count == 1 && part->bytes == 1 && part->step == 1
      && part->shift == 0 && (row + 1) * size <= making->height) {
    done = making->width / size;
    switch (size) {
      case 1:
        sum_bytes (part, row, 1, 0, out, done);
        break;
      case 2:
        sum_bytes (part, row * 2, 2, 2, out, done);
        break;
      case 4:
        sum_bytes (part, row * 4, 4, 4, out, done);
        break;
      default:
        sum_bytes (part, row * size, size, shift, out, done);
        break;
    }
  }
  for (size_t i = done; i < (size_t) level->width; i++) {
    uint32_t sum = 0;

    for (size_t y = row * size; y < (row + 1) * size; y++)
      for (size_t x = i * size; x < (i + 1) * size; x++)
        sum += luma_of (making, x < making->width ? x : making->width - 1,
            y < making->height ? y : making->height - 1);
    out[i] = (uint8_t) ((sum + (1u << shift >> 1)) >> shift);
  }
}

static void
make_share (void *context, size_t share)
{
  const Making *making = context;
  size_t height = (size_t) making->plan->levels->height;

  for (size_t row = height * share / making->share_count;
      row < height * (share + 1) / making->share_count; row++)
    make_row (making, row);
}

/* A level at half the size of the one before. */
static void
halve (const SlitScanFlowLevel * from, const SlitScanFlowLevel * to,
    uint8_t * pyramid)
{
  for (int32_t y = 0; y < to->height; y++) {
    int32_t below = 2 * y + 1 < from->height ? 2 * y + 1 : 2 * y;
    const uint8_t *row = pyramid + from->start + 2 * y * from->width;
    const uint8_t *next = pyramid + from->start + below * from->width;
    uint8_t *out = pyramid + to->start + y * to->width;

    for (int32_t x = 0; x < to->width; x++) {
      int32_t right = 2 * x + 1 < from->width ? 2 * x + 1 : 2 * x;

      out[x] = (uint8_t) ((row[2 * x] + row[right] + next[2 * x] + next[right]
              + 2) >> 2);
    }
  }
}

void
slit_scan_make_pyramid (const SlitScanFlowPlan * plan,
    const SlitScanFlowPart * parts, size_t part_count, size_t width,
    size_t height, uint8_t * pyramid, WorkerPool * pool)
{
  Making making = {
    .plan = plan,
    .parts = parts,
    .part_count = part_count,
    .width = width,
    .height = height,
    .pyramid = pyramid,
    .share_count = shares (plan->node_count, pool),
  };

  worker_pool_run (pool, make_share, &making, making.share_count);
  slit_scan_finish_pyramid (plan, pyramid);
}

void
slit_scan_finish_pyramid (const SlitScanFlowPlan * plan, uint8_t * pyramid)
{
  for (int32_t i = 1; i < plan->level_count; i++)
    halve (&plan->levels[i - 1], &plan->levels[i], pyramid);
}
