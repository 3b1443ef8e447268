/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Sweeps: what the slit has not passed, and the line that shows it. */

#include "slitscan-kernels.h"

#include "variants.h"

SLIT_SCAN_INLINE int32_t
live_bytes (const float *g, size_t stride, int32_t cell_bytes,
    int32_t cells_wide, int32_t rows, float frozen, uint8_t * mask)
{
  int32_t count = 0;

  for (int32_t row = 0; row < rows; row++)
    for (int32_t cell = 0; cell < cells_wide; cell++) {
      bool is_live = g[(size_t) row * stride + (size_t) cell] > frozen;

      for (int32_t byte = 0; byte < cell_bytes; byte++)
        *mask++ = is_live ? 255 : 0;
      count += is_live ? cell_bytes : 0;
    }
  return count;
}

SLIT_SCAN_INLINE int32_t
slit_scan_live_bytes_body (const float *g, size_t stride, int32_t cell_bytes,
    int32_t cells_wide, int32_t rows, float frozen, uint8_t * mask)
{
  if (cell_bytes == 1)
    return live_bytes (g, stride, 1, 8, 8, frozen, mask);
  return live_bytes (g, stride, cell_bytes, cells_wide, rows, frozen, mask);
}

SLIT_SCAN_VARIANTS (int32_t, slit_scan_live_bytes,
    (const float *g, size_t stride, int32_t cell_bytes, int32_t cells_wide,
        int32_t rows, float frozen, uint8_t * mask),
    (g, stride, cell_bytes, cells_wide, rows, frozen, mask));

SLIT_SCAN_INLINE float
size_of (float value)
{
  return value < 0 ? -value : value;
}

/* The smaller step to the two neighbours. */
SLIT_SCAN_INLINE float
smaller_step (float before, float value, float after)
{
  float back = size_of (value - before);
  float forth = size_of (after - value);

  return back < forth ? back : forth;
}

SLIT_SCAN_INLINE uint8_t
on_line (float value, float p, float across, float down, float half_across,
    float half_down)
{
  float distance = value - p;

  across *= half_across;
  down *= half_down;
  return distance * distance <= across * across + down * down ? 255 : 0;
}

SLIT_SCAN_INLINE void
slit_scan_line_row_body (const float *above, const float *g,
    const float *below, size_t count, float p, float half_across,
    float half_down, uint8_t * mask)
{
  /* At the border the one neighbour stands for both, or the cell itself. */
  const float *up = above != NULL ? above : below != NULL ? below : g;
  const float *down = below != NULL ? below : above != NULL ? above : g;

  for (size_t i = 1; i + 1 < count; i++)
    mask[i] = on_line (g[i], p, smaller_step (g[i - 1], g[i], g[i + 1]),
        smaller_step (up[i], g[i], down[i]), half_across, half_down);

  for (size_t i = 0; i < count; i += count > 1 ? count - 1 : 1) {
    float side = count == 1 ? g[i] : g[i == 0 ? 1 : i - 1];

    mask[i] = on_line (g[i], p, size_of (g[i] - side),
        smaller_step (up[i], g[i], down[i]), half_across, half_down);
  }
}

SLIT_SCAN_VARIANTS (void, slit_scan_line_row,
    (const float *above, const float *g, const float *below, size_t count,
        float p, float half_across, float half_down, uint8_t * mask),
    (above, g, below, count, p, half_across, half_down, mask));
