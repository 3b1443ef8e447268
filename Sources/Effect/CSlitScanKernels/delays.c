/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels that convert map values to delays, in tile order. */

#include <stdatomic.h>

#include "values.h"

#define NARROW_REACH SLIT_SCAN_NARROW_REACH
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

/* The largest level so far. */
typedef struct
{
  _Atomic uint32_t *level;
} Deepest;

SLIT_SCAN_ROWS (static, map_rows, SlitScanMapping, Deepest)
{
  uint32_t last = plane->samples != NULL
      ? map_tile_rows (plane, true, first, end)
      : map_tile_rows (plane, false, first, end);
  uint32_t known = atomic_load (context->level);

  while (known < last
      && !atomic_compare_exchange_weak (context->level, &known, last));
}

uint32_t
slit_scan_map (const SlitScanMapping * planes, size_t plane_count,
    WorkerPool * pool)
{
  _Atomic uint32_t level = 0;
  Deepest deepest = { &level };

  DO_ROWS (SlitScanMapping, tiling, planes, plane_count, map_rows, &deepest,
      pool);
  return atomic_load (&level);
}
