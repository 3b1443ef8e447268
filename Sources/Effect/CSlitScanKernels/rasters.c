/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels for rasters of map values: luma of frames, scaling, smoothing,
 * motion. */

#include <string.h>

#include "slitscan-kernels.h"

#include "variants.h"

/* -- luma ----------------------------------------------------------------- */

SLIT_SCAN_INLINE float
within_one (float value)
{
  value = value < 0 ? 0 : value;
  return value > 1 ? 1 : value;
}

SLIT_SCAN_INLINE void
luma_row (const uint8_t * row, const SlitScanLumaPart part, bool adds,
    float *luma, size_t count)
{
  const uint8_t *sample = row + part.offset;
  float range = part.white - part.black;
  size_t high = part.is_big_endian ? 0 : 1;

  for (size_t i = 0; i < count; i++) {
    float word = part.bytes == 1 ? (float) sample[i * (size_t) part.step]
        : (float) (sample[i * (size_t) part.step + high] << 8
        | sample[i * (size_t) part.step + 1 - high]);
    float value = within_one ((word - part.black) / range) * part.weight;

    luma[i] = adds ? luma[i] + value : value;
  }
}

SLIT_SCAN_VARIANTS (void, slit_scan_luma_row,
    (const uint8_t * row, SlitScanLumaPart part, bool adds, float *luma,
        size_t count), (row, part, adds, luma, count))
{
  /* The compiler makes vectors of the common kinds, as their steps are
   * constants here. */
  if (part.bytes == 1 && part.step == 1 && !adds) {
    part.bytes = part.step = 1;
    luma_row (row, part, false, luma, count);
  } else if (part.bytes == 1 && part.step == 2 && !adds) {
    part.bytes = 1;
    part.step = 2;
    luma_row (row, part, false, luma, count);
  } else if (part.bytes == 1 && part.step == 4) {
    part.bytes = 1;
    part.step = 4;
    luma_row (row, part, adds, luma, count);
  } else if (part.bytes == 2 && part.step == 2 && !part.is_big_endian && !adds) {
    part.bytes = part.step = 2;
    part.is_big_endian = false;
    luma_row (row, part, false, luma, count);
  } else {
    luma_row (row, part, adds, luma, count);
  }
}

SLIT_SCAN_VARIANTS (void, slit_scan_pick_row,
    (const uint8_t * row, size_t step, uint8_t * samples, size_t count),
    (row, step, samples, count))
{
  if (step == 1)
    memcpy (samples, row, count);
  else if (step == 2)
    for (size_t i = 0; i < count; i++)
      samples[i] = row[2 * i];
  else
    for (size_t i = 0; i < count; i++)
      samples[i] = row[step * i];
}

SLIT_SCAN_VARIANTS (void, slit_scan_value_row,
    (const uint8_t * samples, float black, float scale, float *values,
        size_t count), (samples, black, scale, values, count))
{
  for (size_t i = 0; i < count; i++)
    values[i] = within_one (((float) samples[i] - black) * scale);
}

/* -- scaling -------------------------------------------------------------- */

SLIT_SCAN_VARIANTS (void, slit_scan_sample_row,
    (const float *row, size_t row_count, const SlitScanTap * taps, float *out,
        size_t count), (row, row_count, taps, out, count))
{
  for (size_t i = 0; i < count; i++) {
    size_t left = (size_t) taps[i].left;
    float before = row[left];
    float after = row[left + 1 < row_count ? left + 1 : left];

    out[i] = before + taps[i].weight * (after - before);
  }
}

SLIT_SCAN_VARIANTS (void, slit_scan_halve_row,
    (const float *row, float *out, size_t count), (row, out, count))
{
  for (size_t i = 0; i < count; i++)
    out[i] = row[2 * i] + 0.5f * (row[2 * i + 1] - row[2 * i]);
}

SLIT_SCAN_VARIANTS (void, slit_scan_halve_samples,
    (const uint8_t * samples, float black, float scale, float *out,
        size_t count), (samples, black, scale, out, count))
{
  for (size_t i = 0; i < count; i++) {
    float before = within_one (((float) samples[2 * i] - black) * scale);
    float after = within_one (((float) samples[2 * i + 1] - black) * scale);

    out[i] = before + 0.5f * (after - before);
  }
}

SLIT_SCAN_VARIANTS (void, slit_scan_between_rows,
    (const float *upper, const float *lower, float weight, float *out,
        size_t count), (upper, lower, weight, out, count))
{
  for (size_t i = 0; i < count; i++)
    out[i] = upper[i] + weight * (lower[i] - upper[i]);
}

/* -- smoothing ------------------------------------------------------------ */

/* Rows that are smoothed side by side: each value waits for the one before it
 * in its row, so several rows at once keep the processor busy. */
#define ROWS_AT_ONCE 8

SLIT_SCAN_INLINE size_t
clamped (ptrdiff_t index, size_t count)
{
  if (index < 0)
    return 0;
  return (size_t) index < count ? (size_t) index : count - 1;
}

SLIT_SCAN_INLINE void
smooth_rows (const float *in, float *out, size_t width, size_t row_count,
    SlitScanBox box)
{
  float sums[ROWS_AT_ONCE];
  float scale = 1 / (2 * box.end_weight + 2 * (float) box.radius + 1);

  for (size_t row = 0; row < row_count; row++) {
    const float *values = in + row * width;

    sums[row] = 0;
    for (ptrdiff_t k = -box.radius; k <= box.radius; k++)
      sums[row] += values[clamped (k, width)];
  }
  for (size_t x = 0; x < width; x++) {
    size_t before = clamped ((ptrdiff_t) x - box.radius - 1, width);
    size_t first = clamped ((ptrdiff_t) x - box.radius, width);
    size_t after = clamped ((ptrdiff_t) x + box.radius + 1, width);

    for (size_t row = 0; row < row_count; row++) {
      const float *values = in + row * width;

      out[row * width + x] = scale * (sums[row]
          + box.end_weight * (values[before] + values[after]));
      sums[row] += values[after] - values[first];
    }
  }
}

SLIT_SCAN_VARIANTS (void, slit_scan_smooth_across,
    (const float *in, float *out, size_t width, size_t height,
        SlitScanBox box), (in, out, width, height, box))
{
  size_t y = 0;

  for (; y + ROWS_AT_ONCE <= height; y += ROWS_AT_ONCE)
    smooth_rows (in + y * width, out + y * width, width, ROWS_AT_ONCE, box);
  if (y < height)
    smooth_rows (in + y * width, out + y * width, width, height - y, box);
}

SLIT_SCAN_VARIANTS (void, slit_scan_smooth_down,
    (const float *in, float *out, size_t width, size_t height, SlitScanBox box,
        float *sums), (in, out, width, height, box, sums))
{
  float scale = 1 / (2 * box.end_weight + 2 * (float) box.radius + 1);

  for (size_t x = 0; x < width; x++)
    sums[x] = 0;
  for (ptrdiff_t k = -box.radius; k <= box.radius; k++) {
    const float *row = in + clamped (k, height) * width;

    for (size_t x = 0; x < width; x++)
      sums[x] += row[x];
  }
  for (size_t y = 0; y < height; y++) {
    const float *before = in
        + clamped ((ptrdiff_t) y - box.radius - 1, height) * width;
    const float *first = in
        + clamped ((ptrdiff_t) y - box.radius, height) * width;
    const float *after = in
        + clamped ((ptrdiff_t) y + box.radius + 1, height) * width;
    float *target = out + y * width;

    for (size_t x = 0; x < width; x++) {
      target[x] = scale * (sums[x]
          + box.end_weight * (before[x] + after[x]));
      sums[x] += after[x] - first[x];
    }
  }
}

/* -- motion --------------------------------------------------------------- */

SLIT_SCAN_INLINE float
motion_value (float change, float sum, float threshold, float decay)
{
  float spread = sum / 4 - decay;

  spread = spread < 0 ? 0 : spread;
  change = change < 0 ? -change : change;
  return change > threshold ? 1 : spread;
}

SLIT_SCAN_VARIANTS (void, slit_scan_motion_row,
    (const float *luma, const float *before, const float *above,
        const float *row, const float *below, float threshold, float decay,
        float *out, size_t count),
    (luma, before, above, row, below, threshold, decay, out, count))
{
  for (size_t i = 1; i + 1 < count; i++)
    out[i] = motion_value (luma[i] - before[i],
        row[i - 1] + row[i + 1] + above[i] + below[i], threshold, decay);

  for (size_t i = 0; i < count; i += count > 1 ? count - 1 : 1) {
    float left = row[i > 0 ? i - 1 : i];
    float right = row[i + 1 < count ? i + 1 : i];

    out[i] = motion_value (luma[i] - before[i],
        left + right + above[i] + below[i], threshold, decay);
  }
}
