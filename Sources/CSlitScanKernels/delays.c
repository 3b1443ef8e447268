/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* From the values of a map to delays, in the order of tiles. */

#include <stdatomic.h>

#include "curve.h"
#include "tiles.h"

#define NARROW_REACH SLIT_SCAN_NARROW_REACH
/* Tiles whose g is made at a time: so few that it stays in the nearest cache. */
#define TILES_AT_ONCE 16

/* -- one line ------------------------------------------------------------- */

/* The delay in frames for an age: between the two frames around it, or beyond
 * the oldest. *guess is a level to start at, and becomes the one found. */
static float
frames_of_age (double age, const SlitScanDelayRule * rule, size_t *guess)
{
  const double *ages = rule->ages;
  size_t count = rule->age_count;
  size_t level = *guess < count ? *guess : count - 1;

  if (age > ages[count - 1] + rule->age_slack)
    return (float) count;
  while (level > 0 && ages[level] > age)
    level--;
  while (level + 1 < count && ages[level + 1] <= age)
    level++;
  *guess = level;
  if (level + 1 == count)
    return (float) level;
  return (float) ((double) level
      + (age - ages[level]) / (ages[level + 1] - ages[level]));
}

/* From f to g: curve_value() of curve.h, for a line at once. */
SLIT_SCAN_INLINE void
bend (const SlitScanCurve * curve, Floats * values)
{
  Floats f = __builtin_elementwise_min (__builtin_elementwise_max (*values,
          (Floats) 0.0f), (Floats) 1.0f);
  Floats g = (curve->inverts ? 1.0f - f : f) * curve->gain + curve->offset;

  if (curve->edge == SLIT_SCAN_CURVE_CLAMP) {
    g = __builtin_elementwise_max (g, (Floats) 0.0f);
    *values = __builtin_elementwise_min (g, (Floats) 1.0f);
  } else {
    bool wraps = curve->edge == SLIT_SCAN_CURVE_WRAP;
    Floats turns = wraps ? g : g / 2.0f;
    Floats whole = __builtin_convertvector (__builtin_convertvector (turns,
            Levels), Floats);
    Levels is_inside = g >= 0.0f & g <= 1.0f;
    Floats folded;

    /* A comparison that holds is -1. */
    whole += __builtin_convertvector (whole > turns, Floats);
    if (wraps) {
      folded = g - whole;
    } else {
      folded = g - 2.0f * whole;
      folded = folded > 1.0f ? 2.0f - folded : folded;
    }
    *values = is_inside ? g : folded;
  }
}

/* From g to delays in frames. */
SLIT_SCAN_INLINE void
byte_delays (const SlitScanDelayRule * rule, const Floats * extra,
    Floats * values)
{
  Floats delays = *values * rule->deepest + *extra;

  delays = __builtin_elementwise_max (delays, (Floats) 0.0f);
  *values = __builtin_elementwise_min (delays, (Floats) rule->deepest);
}

/* The same, where frames have ages. */
SLIT_SCAN_APART void
delays_of_ages (const SlitScanDelayRule * rule, float *delays)
{
  size_t guess = 0;

  for (size_t i = 0; i < LINE_BYTES; i++)
    delays[i] = frames_of_age (delays[i], rule, &guess);
}

SLIT_SCAN_INLINE void
nearest_line (const Floats * delays, SlitScanLineDelay * line,
    uint8_t * levels, uint32_t * wide)
{
  Levels numbers = __builtin_convertvector (*delays + 0.5f, Levels);
  int32_t base, last;

  base = __builtin_reduce_min (numbers);
  last = __builtin_reduce_max (numbers);
  line->base = (uint32_t) base;
  line->reach = (uint32_t) (last - base);
  if (line->reach <= NARROW_REACH) {
    Bytes narrow = __builtin_convertvector (numbers - base, Bytes);

    memcpy (levels, &narrow, sizeof narrow);
  } else {
    memcpy (wide, &numbers, sizeof numbers);
  }
}

SLIT_SCAN_INLINE void
blend_line (const Floats * delays, int32_t kind, SlitScanLineDelay * line,
    uint16_t * narrow, uint32_t * wide)
{
  Floats exact = *delays;
  Levels floors = __builtin_convertvector (exact, Levels);
  /* A comparison that holds is -1. */
  Levels ceilings = floors - (exact > __builtin_convertvector (floors, Floats));
  int32_t base;

  base = __builtin_reduce_min (floors);
  line->base = (uint32_t) base;
  line->reach = (uint32_t) (__builtin_reduce_max (ceilings) - base);
  if (kind == SLIT_SCAN_DELAYS_BLEND_BYTES && line->reach <= NARROW_REACH) {
    Floats above = (exact - (float) base)
        * (float) (1 << SLIT_SCAN_NARROW_FRACTION) + 0.5f;
    Halves fractions =
        __builtin_convertvector (__builtin_convertvector (above, Levels),
        Halves);

    memcpy (narrow, &fractions, sizeof fractions);
  } else {
    /* In two parts, as the whole has more bits than a float. */
    Floats rest = (exact - __builtin_convertvector (floors, Floats))
        * (float) (1 << SLIT_SCAN_WIDE_FRACTION) + 0.5f;
    Levels fractions = (floors << SLIT_SCAN_WIDE_FRACTION)
        + __builtin_convertvector (rest, Levels);

    if (kind == SLIT_SCAN_DELAYS_BLEND_BYTES)
      memcpy (wide, &fractions, sizeof fractions);
    else
      for (int i = 0; i < LINE_BYTES / 2; i++)
        wide[i] = (uint32_t) fractions[2 * i];
  }
}

/* -- rows of tiles -------------------------------------------------------- */

/* f of the bytes of a few tiles, in the order of their lines. */
SLIT_SCAN_INLINE void
gather_tiles (const SlitScanMapping * plane, int32_t cell_bytes,
    int32_t row_bytes, int32_t tile_rows, size_t tile_x, size_t tile_y,
    size_t tile_count, float *bytes)
{
  size_t cells = (size_t) (row_bytes / cell_bytes);

  for (size_t row = 0; row < (size_t) tile_rows; row++) {
    size_t y = tile_y * (size_t) tile_rows + row;
    const float *f = plane->f
        + (y < plane->cells_high ? y : plane->cells_high - 1)
        * plane->cells_wide;

    for (size_t tile = 0; tile < tile_count; tile++) {
      size_t first = (tile_x + tile) * cells;
      float *to = bytes + tile * (size_t) (row_bytes * tile_rows)
          + row * (size_t) row_bytes;

      if (first + cells > plane->cells_wide) {
        for (size_t i = 0; i < (size_t) row_bytes; i++) {
          size_t x = first + i / (size_t) cell_bytes;

          to[i] = f[x < plane->cells_wide ? x : plane->cells_wide - 1];
        }
      } else if (cell_bytes == 1) {
        memcpy (to, f + first, cells * sizeof (float));
      } else {
        for (size_t i = 0; i < cells; i++)
          for (size_t byte = 0; byte < (size_t) cell_bytes; byte++)
            to[i * (size_t) cell_bytes + byte] = f[first + i];
      }
    }
  }
}

/* f for the shapes of TileShape, as constants. */
SLIT_SCAN_INLINE void
gather_shape (const SlitScanMapping * plane, size_t tile_x, size_t tile_y,
    size_t tile_count, float *bytes)
{
  switch (plane->cell_bytes) {
    case 1:
      gather_tiles (plane, 1, 8, 8, tile_x, tile_y, tile_count, bytes);
      break;
    case 2:
      gather_tiles (plane, 2, 16, 4, tile_x, tile_y, tile_count, bytes);
      break;
    case 3:
      gather_tiles (plane, 3, 24, 8, tile_x, tile_y, tile_count, bytes);
      break;
    case 4:
      gather_tiles (plane, 4, 16, 4, tile_x, tile_y, tile_count, bytes);
      break;
    default:
      gather_tiles (plane, 8, 32, 2, tile_x, tile_y, tile_count, bytes);
      break;
  }
}

SLIT_SCAN_INLINE uint32_t
map_line (const SlitScanMapping * plane, const float *f, const Floats * extra,
    size_t line)
{
  SlitScanLineDelay *delay = &plane->lines[line];
  Floats delays;

  memcpy (&delays, f, sizeof delays);
  bend (&plane->curve, &delays);
  byte_delays (&plane->rule, extra, &delays);
  if (plane->rule.ages != NULL)
    delays_of_ages (&plane->rule, (float *) &delays);
  if (plane->rule.kind == SLIT_SCAN_DELAYS_NEAREST)
    nearest_line (&delays, delay, plane->levels + line * LINE_BYTES,
        plane->wide + line * LINE_BYTES);
  else if (plane->rule.kind == SLIT_SCAN_DELAYS_BLEND_BYTES)
    blend_line (&delays, SLIT_SCAN_DELAYS_BLEND_BYTES, delay,
        plane->narrow + line * LINE_BYTES, plane->wide + line * LINE_BYTES);
  else
    blend_line (&delays, SLIT_SCAN_DELAYS_BLEND_WORDS, delay, NULL,
        plane->wide + line * LINE_BYTES / 2);
  return delay->base + delay->reach;
}

SLIT_SCAN_INLINE uint32_t
map_rows_body (const SlitScanMapping * plane, size_t first, size_t end)
{
  const SlitScanTiling *tiling = &plane->tiling;
  size_t tile_lines = lines_of_tile (tiling->row_bytes);
  size_t line = first * tiling->tiles_wide * tile_lines;
  uint32_t deepest = 0;
  Floats extra[TILE_BYTES / LINE_BYTES];

  for (size_t i = 0; i < tile_lines * LINE_BYTES; i++)
    ((float *) extra)[i] = plane->rule.extra[i % (size_t) plane->cell_bytes];
  for (size_t y = first; y < end; y++) {
    for (size_t tile = 0; tile < tiling->tiles_wide; tile += TILES_AT_ONCE) {
      _Alignas (LINE_BYTES) float bytes[TILES_AT_ONCE * TILE_BYTES];
      size_t rest = tiling->tiles_wide - tile;
      size_t count = rest < TILES_AT_ONCE ? rest : TILES_AT_ONCE;

      gather_shape (plane, tile, y, count, bytes);
      for (size_t i = 0; i < count * tile_lines; i++, line++) {
        uint32_t last = map_line (plane, bytes + i * LINE_BYTES,
            &extra[tile_lines == 1 ? 0 : i % tile_lines], line);

        deepest = last > deepest ? last : deepest;
      }
    }
  }
  return deepest;
}

SLIT_SCAN_WIDE_VARIANTS (static, uint32_t, map_rows,
    (const SlitScanMapping * plane, size_t first, size_t end),
    (plane, first, end));

typedef struct
{
  const SlitScanMapping *planes;
  size_t plane_count;
  Shares shares;
  _Atomic uint32_t deepest;
} Mapping;

static void
map_part (void *context, size_t part)
{
  Mapping *mapping = context;
  size_t before = 0;

  for (size_t i = 0; i < mapping->plane_count; i++) {
    const SlitScanMapping *plane = &mapping->planes[i];
    uint32_t last, known;
    size_t first, end;

    rows_of_part (mapping->shares, part, &plane->tiling, &before, &first, &end);
    if (first >= end)
      continue;
    last = map_rows (plane, first, end);
    known = atomic_load (&mapping->deepest);
    while (known < last
        && !atomic_compare_exchange_weak (&mapping->deepest, &known, last));
  }
}

uint32_t
slit_scan_map (const SlitScanMapping * planes, size_t plane_count,
    WorkerPool * pool)
{
  Mapping mapping = {
    .planes = planes,
    .plane_count = plane_count,
    .shares = slit_scan_share (&planes->tiling, sizeof *planes, plane_count,
        pool),
  };

  worker_pool_run (pool, map_part, &mapping, mapping.shares.part_count);
  return atomic_load (&mapping.deepest);
}
