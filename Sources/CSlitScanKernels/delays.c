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

/* Whether a line's numbers are those of another. */
SLIT_SCAN_INLINE bool
are_same (const void *numbers, const void *others, size_t size)
{
  Words differences = { 0 };

  for (size_t i = 0; i < size; i += LINE_BYTES) {
    Words one, other;

    memcpy (&one, (const char *) numbers + i, sizeof one);
    memcpy (&other, (const char *) others + i, sizeof other);
    differences |= one ^ other;
  }
  return __builtin_reduce_or (differences) == 0;
}

/* The lines whose numbers a line may share: to its left and above, as far as
 * they were made by the same thread. */
typedef struct
{
  size_t first;                 /* the thread's first line */
  size_t left;                  /* lines back */
  size_t above;
} Neighbours;

/* Keeps a line's narrow numbers, unless a neighbour has the same. */
SLIT_SCAN_INLINE void
keep_narrow (const void *numbers, size_t size, void *kept,
    const SlitScanLineDelay * lines, size_t line, Neighbours neighbours,
    SlitScanLineDelay * delay)
{
  char *all = kept;

  if (line >= neighbours.first + neighbours.left) {
    uint32_t pattern = lines[line - neighbours.left].pattern;

    if (are_same (numbers, all + pattern * size, size)) {
      delay->pattern = pattern;
      return;
    }
  }
  if (line >= neighbours.first + neighbours.above) {
    uint32_t pattern = lines[line - neighbours.above].pattern;

    if (are_same (numbers, all + pattern * size, size)) {
      delay->pattern = pattern;
      return;
    }
  }
  memcpy (all + line * size, numbers, size);
}

SLIT_SCAN_INLINE void
nearest_line (const Floats * delays, const SlitScanMapping * plane,
    size_t line, Neighbours neighbours, SlitScanLineDelay * delay)
{
  Levels numbers = __builtin_convertvector (*delays + 0.5f, Levels);
  int32_t base = __builtin_reduce_min (numbers);

  delay->base = (uint32_t) base;
  delay->reach = (uint32_t) (__builtin_reduce_max (numbers) - base);
  if (delay->reach <= NARROW_REACH) {
    Bytes narrow = __builtin_convertvector (numbers - base, Bytes);

    keep_narrow (&narrow, sizeof narrow, plane->levels, plane->lines, line,
        neighbours, delay);
  } else {
    memcpy (plane->wide + line * LINE_BYTES, &numbers, sizeof numbers);
  }
}

SLIT_SCAN_INLINE void
blend_line (const Floats * delays, const SlitScanMapping * plane,
    int32_t kind, size_t line, Neighbours neighbours, SlitScanLineDelay * delay)
{
  Floats exact = *delays;
  Levels floors = __builtin_convertvector (exact, Levels);
  /* A comparison that holds is -1. */
  Levels ceilings = floors - (exact > __builtin_convertvector (floors, Floats));
  int32_t base = __builtin_reduce_min (floors);

  delay->base = (uint32_t) base;
  delay->reach = (uint32_t) (__builtin_reduce_max (ceilings) - base);
  if (kind == SLIT_SCAN_DELAYS_BLEND_BYTES && delay->reach <= NARROW_REACH) {
    Floats steps = (exact - (float) base)
        * (float) (1 << SLIT_SCAN_NARROW_FRACTION) + 0.5f;
    Halves narrow =
        __builtin_convertvector (__builtin_convertvector (steps, Levels),
        Halves);

    keep_narrow (&narrow, sizeof narrow, plane->narrow, plane->lines, line,
        neighbours, delay);
  } else {
    /* In two parts, as the whole has more bits than a float. */
    Floats rest = (exact - __builtin_convertvector (floors, Floats))
        * (float) (1 << SLIT_SCAN_WIDE_FRACTION) + 0.5f;
    Levels fractions = (floors << SLIT_SCAN_WIDE_FRACTION)
        + __builtin_convertvector (rest, Levels);

    if (kind == SLIT_SCAN_DELAYS_BLEND_BYTES)
      memcpy (plane->wide + line * LINE_BYTES, &fractions, sizeof fractions);
    else
      for (size_t i = 0; i < LINE_BYTES / 2; i++)
        plane->wide[line * LINE_BYTES / 2 + i] = (uint32_t) fractions[2 * i];
  }
}

/* -- rows of tiles -------------------------------------------------------- */

/* The values of the bytes of a few tiles, in the order of their lines; `size` is
 * that of a value. */
SLIT_SCAN_INLINE void
gather_tiles (int32_t cell_bytes, int32_t row_bytes, int32_t tile_rows,
    const SlitScanMapping * plane, const void *values, size_t size,
    size_t tile_x, size_t tile_y, size_t tile_count, uint8_t * bytes)
{
  size_t cells = (size_t) (row_bytes / cell_bytes);

  if (size == 1 && cell_bytes == 1
      && (tile_y + 1) * (size_t) tile_rows <= plane->cells_high
      && (tile_x + tile_count) * cells <= plane->cells_wide
      && tile_count % MOST_AT_ONCE == 0) {
    const uint8_t *from = (const uint8_t *) values
        + tile_y * (size_t) tile_rows * plane->cells_wide + tile_x * cells;

    for (size_t tile = 0; tile < tile_count; tile += MOST_AT_ONCE) {
      Words rows[MOST_AT_ONCE];

      for (size_t row = 0; row < MOST_AT_ONCE; row++)
        memcpy (&rows[row], from + row * plane->cells_wide + tile * cells,
            LINE_BYTES);
      transpose (rows, 8);
      memcpy (bytes + tile * LINE_BYTES, rows, sizeof rows);
    }
    return;
  }
  for (size_t row = 0; row < (size_t) tile_rows; row++) {
    size_t y = tile_y * (size_t) tile_rows + row;
    const uint8_t *from = (const uint8_t *) values
        + (y < plane->cells_high ? y : plane->cells_high - 1)
        * plane->cells_wide * size;

    for (size_t tile = 0; tile < tile_count; tile++) {
      size_t first = (tile_x + tile) * cells;
      uint8_t *to = bytes + (tile * (size_t) (row_bytes * tile_rows)
          + row * (size_t) row_bytes) * size;

      if (first + cells > plane->cells_wide) {
        for (size_t i = 0; i < (size_t) row_bytes; i++) {
          size_t x = first + i / (size_t) cell_bytes;

          x = x < plane->cells_wide ? x : plane->cells_wide - 1;
          memcpy (to + i * size, from + x * size, size);
        }
      } else if (cell_bytes == 1) {
        memcpy (to, from + first * size, cells * size);
      } else {
        for (size_t i = 0; i < (size_t) row_bytes; i++)
          memcpy (to + i * size,
              from + (first + i / (size_t) cell_bytes) * size, size);
      }
    }
  }
}

/* The same for the shapes of TileShape, as constants. */
SLIT_SCAN_INLINE void
gather_shape (const SlitScanMapping * plane, const void *values, size_t size,
    size_t tile_x, size_t tile_y, size_t tile_count, uint8_t * bytes)
{
  switch (plane->cell_bytes) {
    case 1:
      gather_tiles (1, 8, 8, plane, values, size, tile_x, tile_y, tile_count,
          bytes);
      break;
    case 2:
      gather_tiles (2, 16, 4, plane, values, size, tile_x, tile_y, tile_count,
          bytes);
      break;
    case 3:
      gather_tiles (3, 24, 8, plane, values, size, tile_x, tile_y, tile_count,
          bytes);
      break;
    case 4:
      gather_tiles (4, 16, 4, plane, values, size, tile_x, tile_y, tile_count,
          bytes);
      break;
    default:
      gather_tiles (8, 32, 2, plane, values, size, tile_x, tile_y, tile_count,
          bytes);
      break;
  }
}

/* f of a line's bytes. */
SLIT_SCAN_INLINE void
values_of_line (const SlitScanMapping * plane, bool has_samples,
    const uint8_t * bytes, Floats * f)
{
  Bytes samples;

  if (!has_samples) {
    memcpy (f, bytes, sizeof *f);
    return;
  }
  memcpy (&samples, bytes, sizeof samples);
  *f = (__builtin_convertvector (samples, Floats) - plane->black)
      * plane->scale;
}

SLIT_SCAN_INLINE uint32_t
map_line (const SlitScanMapping * plane, const SlitScanDelayRule * ages,
    bool has_samples, const uint8_t * bytes, const Floats * extra,
    size_t line, Neighbours neighbours)
{
  SlitScanLineDelay delay = {.pattern = (uint32_t) line };
  Floats delays;

  values_of_line (plane, has_samples, bytes, &delays);
  bend (&plane->curve, &delays);
  byte_delays (&plane->rule, extra, &delays);
  if (ages != NULL) {
    /* A copy, so that the delays need no memory elsewhere. */
    float copy[LINE_BYTES];

    memcpy (copy, &delays, sizeof copy);
    delays_of_ages (ages, copy);
    memcpy (&delays, copy, sizeof copy);
  }
  if (plane->rule.kind == SLIT_SCAN_DELAYS_NEAREST)
    nearest_line (&delays, plane, line, neighbours, &delay);
  else if (plane->rule.kind == SLIT_SCAN_DELAYS_BLEND_BYTES)
    blend_line (&delays, plane, SLIT_SCAN_DELAYS_BLEND_BYTES, line,
        neighbours, &delay);
  else
    blend_line (&delays, plane, SLIT_SCAN_DELAYS_BLEND_WORDS, line,
        neighbours, &delay);
  plane->lines[line] = delay;
  return delay.base + delay.reach;
}

SLIT_SCAN_INLINE uint32_t
map_tile_rows (const SlitScanMapping * mapping, bool has_samples,
    size_t first, size_t end)
{
  /* A copy that nothing else can change, so that it stays in registers. */
  const SlitScanMapping copy = *mapping;
  const SlitScanMapping *plane = &copy;
  const SlitScanDelayRule *ages =
      plane->rule.ages != NULL ? &mapping->rule : NULL;
  const SlitScanTiling *tiling = &plane->tiling;
  size_t tile_lines = lines_of_tile (tiling->row_bytes);
  size_t line = first * tiling->tiles_wide * tile_lines;
  Neighbours neighbours = {
    .first = line,
    .left = tile_lines,
    .above = tiling->tiles_wide * tile_lines,
  };
  size_t size = has_samples ? 1 : sizeof (float);
  const void *values = has_samples ? (const void *) plane->samples : plane->f;
  uint32_t deepest = 0;
  float shares[TILE_BYTES];
  Floats extra[TILE_BYTES / LINE_BYTES];

  for (size_t i = 0; i < tile_lines * LINE_BYTES; i++)
    shares[i] = plane->rule.extra[i % (size_t) plane->cell_bytes];
  memcpy (extra, shares, tile_lines * sizeof (Floats));
  for (size_t y = first; y < end; y++) {
    for (size_t tile = 0; tile < tiling->tiles_wide; tile += TILES_AT_ONCE) {
      _Alignas (LINE_BYTES)
      uint8_t bytes[TILES_AT_ONCE * TILE_BYTES * sizeof (float)];
      size_t rest = tiling->tiles_wide - tile;
      size_t count = rest < TILES_AT_ONCE ? rest : TILES_AT_ONCE;

      gather_shape (plane, values, size, tile, y, count, bytes);
      for (size_t i = 0; i < count * tile_lines; i++, line++) {
        uint32_t last = map_line (plane, ages, has_samples,
            bytes + i * LINE_BYTES * size,
            &extra[tile_lines == 1 ? 0 : i % tile_lines], line, neighbours);

        deepest = last > deepest ? last : deepest;
      }
    }
  }
  return deepest;
}

SLIT_SCAN_INLINE uint32_t
map_rows_body (const SlitScanMapping * plane, size_t first, size_t end)
{
  return plane->samples != NULL ? map_tile_rows (plane, true, first, end)
      : map_tile_rows (plane, false, first, end);
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
