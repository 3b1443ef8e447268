/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* From the values of a map to delays, in the order of tiles. */

#include "slitscan-kernels.h"

#include "variants.h"

#define LINE_BYTES 64
/* The largest tile: 8x8 cells of three bytes. */
#define TILE_BYTES 192

/* -- curve ---------------------------------------------------------------- */

/* The whole number below; values are far from the ends of an int32_t. */
SLIT_SCAN_INLINE float
whole_below (float value)
{
  float whole = (float) (int32_t) value;

  return whole > value ? whole - 1 : whole;
}

SLIT_SCAN_INLINE float
curve_value (float f, bool inverts, float gain, float offset, int32_t edge)
{
  float g;

  /* Smoothing may leave 0 to 1 by a rounding, which must not wrap. */
  f = f < 0 ? 0 : f;
  f = f > 1 ? 1 : f;
  g = (inverts ? 1 - f : f) * gain + offset;

  if (edge == SLIT_SCAN_CURVE_CLAMP) {
    g = g < 0 ? 0 : g;
    return g > 1 ? 1 : g;
  } else if (edge == SLIT_SCAN_CURVE_WRAP) {
    float wrapped = g - whole_below (g);

    return g >= 0 && g <= 1 ? g : wrapped;
  } else {
    float folded = g - 2 * whole_below (g / 2);

    folded = folded > 1 ? 2 - folded : folded;
    return g >= 0 && g <= 1 ? g : folded;
  }
}

SLIT_SCAN_INLINE void
slit_scan_curve_row_body (const float *f, float *g, size_t count,
    const SlitScanCurve * curve)
{
  bool inverts = curve->inverts;
  float gain = curve->gain;
  float offset = curve->offset;

  /* One loop each, so that each is free of choices. */
  if (curve->edge == SLIT_SCAN_CURVE_CLAMP) {
    for (size_t i = 0; i < count; i++)
      g[i] = curve_value (f[i], inverts, gain, offset, SLIT_SCAN_CURVE_CLAMP);
  } else if (curve->edge == SLIT_SCAN_CURVE_WRAP) {
    for (size_t i = 0; i < count; i++)
      g[i] = curve_value (f[i], inverts, gain, offset, SLIT_SCAN_CURVE_WRAP);
  } else {
    for (size_t i = 0; i < count; i++)
      g[i] = curve_value (f[i], inverts, gain, offset, SLIT_SCAN_CURVE_MIRROR);
  }
}

SLIT_SCAN_VARIANTS (void, slit_scan_curve_row,
    (const float *f, float *g, size_t count, const SlitScanCurve * curve),
    (f, g, count, curve));

/* -- delays --------------------------------------------------------------- */

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

/* The delay of each byte of a tile, in frames. */
SLIT_SCAN_INLINE void
byte_delays (const float *g, size_t stride, int32_t cell_bytes,
    int32_t cells_wide, int32_t rows, const SlitScanDelayRule * rule,
    float *delays)
{
  float deepest = rule->deepest;

  for (int32_t row = 0; row < rows; row++) {
    const float *cells = g + (size_t) row * stride;
    float *bytes = delays + row * cells_wide * cell_bytes;

    for (int32_t cell = 0; cell < cells_wide; cell++)
      for (int32_t byte = 0; byte < cell_bytes; byte++) {
        float delay = cells[cell] * deepest + rule->extra[byte];

        delay = delay < 0 ? 0 : delay;
        bytes[cell * cell_bytes + byte] = delay > deepest ? deepest : delay;
      }
  }
  if (rule->ages != NULL) {
    size_t guess = 0;

    for (int32_t i = 0; i < rows * cells_wide * cell_bytes; i++)
      delays[i] = frames_of_age (delays[i], rule, &guess);
  }
}

/* The smallest and largest of 64 numbers. */
SLIT_SCAN_INLINE void
find_ends (const int32_t * numbers, int32_t * smallest, int32_t * largest)
{
  int32_t low = numbers[0];
  int32_t high = numbers[0];

  for (size_t i = 0; i < LINE_BYTES; i++) {
    low = numbers[i] < low ? numbers[i] : low;
    high = numbers[i] > high ? numbers[i] : high;
  }
  *smallest = low;
  *largest = high;
}

SLIT_SCAN_INLINE void
nearest_line (const float *delays, const SlitScanDelayRule * rule,
    SlitScanLineDelay * line, uint8_t * levels, uint32_t * wide,
    size_t *wide_count)
{
  int32_t numbers[LINE_BYTES];
  int32_t base, last;

  for (size_t i = 0; i < LINE_BYTES; i++)
    numbers[i] = (int32_t) (delays[i] + 0.5f);
  find_ends (numbers, &base, &last);
  line->base = (uint32_t) base;
  line->reach = (uint32_t) (last - base);
  line->wide_start = -1;
  if (line->reach <= rule->narrow_reach) {
    for (size_t i = 0; i < LINE_BYTES; i++)
      levels[i] = (uint8_t) (numbers[i] - base);
  } else {
    line->wide_start = (int64_t) wide_count[0];
    for (size_t i = 0; i < LINE_BYTES; i++)
      wide[*wide_count + i] = (uint32_t) numbers[i];
    *wide_count += LINE_BYTES;
  }
}

SLIT_SCAN_INLINE void
blend_line (const float *delays, const SlitScanDelayRule * rule,
    SlitScanLineDelay * line, uint16_t * narrow, uint32_t * wide,
    size_t *wide_count)
{
  int32_t floors[LINE_BYTES];
  int32_t ceilings[LINE_BYTES];
  int32_t base, last, unused;
  size_t step = rule->kind == SLIT_SCAN_DELAYS_BLEND_WORDS ? 2 : 1;

  for (size_t i = 0; i < LINE_BYTES; i++) {
    floors[i] = (int32_t) delays[i];
    ceilings[i] = floors[i] + (delays[i] > (float) floors[i]);
  }
  find_ends (floors, &base, &unused);
  find_ends (ceilings, &unused, &last);
  line->base = (uint32_t) base;
  line->reach = (uint32_t) (last - base);
  line->wide_start = -1;
  if (step == 1 && line->reach <= rule->narrow_reach) {
    for (size_t i = 0; i < LINE_BYTES; i++)
      narrow[i] = (uint16_t) (int32_t) ((delays[i] - (float) base) * 256
          + 0.5f);
  } else {
    float scale = (float) (1u << rule->wide_fraction);

    line->wide_start = (int64_t) wide_count[0];
    for (size_t i = 0; i < LINE_BYTES; i += step) {
      /* In two parts, as the whole has more bits than a float. */
      uint32_t fraction =
          (uint32_t) ((delays[i] - (float) floors[i]) * scale + 0.5f);

      wide[(*wide_count)++] =
          ((uint32_t) floors[i] << rule->wide_fraction) + fraction;
    }
  }
}

SLIT_SCAN_INLINE uint32_t
delay_lines (const float *g, size_t stride, int32_t cell_bytes,
    int32_t cells_wide, int32_t rows, size_t tile_count,
    const SlitScanDelayRule * rule, SlitScanLineDelay * lines,
    uint8_t * levels, uint16_t * narrow, uint32_t * wide, size_t *wide_count)
{
  int32_t line_count = cell_bytes * cells_wide * rows / LINE_BYTES;
  float delays[TILE_BYTES];
  uint32_t deepest = 0;
  size_t line = 0;

  for (size_t tile = 0; tile < tile_count; tile++) {
    byte_delays (g + tile * (size_t) cells_wide, stride, cell_bytes,
        cells_wide, rows, rule, delays);
    for (int32_t part = 0; part < line_count; part++, line++) {
      const float *bytes = delays + part * LINE_BYTES;

      if (rule->kind == SLIT_SCAN_DELAYS_NEAREST)
        nearest_line (bytes, rule, &lines[line], levels + line * LINE_BYTES,
            wide, wide_count);
      else
        blend_line (bytes, rule, &lines[line], narrow + line * LINE_BYTES,
            wide, wide_count);
      if (lines[line].base + lines[line].reach > deepest)
        deepest = lines[line].base + lines[line].reach;
    }
  }
  return deepest;
}

SLIT_SCAN_INLINE uint32_t
slit_scan_delay_lines_body (const float *g, size_t stride,
    SlitScanTileRow tiles, const SlitScanDelayRule * rule,
    SlitScanLineDelay * lines, uint8_t * levels, uint16_t * delays,
    uint32_t * wide, size_t *wide_count)
{
  /* The shapes of TileShape, as constants. */
  switch (tiles.cell_bytes) {
    case 1:
      return delay_lines (g, stride, 1, 8, 8, tiles.tile_count, rule, lines,
          levels, delays, wide, wide_count);
    case 2:
      return delay_lines (g, stride, 2, 8, 4, tiles.tile_count, rule, lines,
          levels, delays, wide, wide_count);
    case 3:
      return delay_lines (g, stride, 3, 8, 8, tiles.tile_count, rule, lines,
          levels, delays, wide, wide_count);
    case 4:
      return delay_lines (g, stride, 4, 4, 4, tiles.tile_count, rule, lines,
          levels, delays, wide, wide_count);
    default:
      return delay_lines (g, stride, 8, 4, 2, tiles.tile_count, rule, lines,
          levels, delays, wide, wide_count);
  }
}

SLIT_SCAN_VARIANTS (uint32_t, slit_scan_delay_lines,
    (const float *g, size_t stride, SlitScanTileRow tiles,
        const SlitScanDelayRule * rule, SlitScanLineDelay * lines,
        uint8_t * levels, uint16_t * delays, uint32_t * wide,
        size_t *wide_count),
    (g, stride, tiles, rule, lines, levels, delays, wide, wide_count));
