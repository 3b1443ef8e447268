/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels of sweeps: the pixels that the slit has not passed, and the line
 * that marks the slit. */

#include "values.h"

/* -- the canvas ----------------------------------------------------------- */

/* Takes over the bytes of a line whose g is greater than frozen. */
SLIT_SCAN_INLINE void
sweep_line (const SlitScanMapping * map, const uint8_t * values, float frozen,
    const Words * line, uint8_t * memory)
{
  Bytes *canvas = (Bytes *) (void *) memory;
  Floats g;
  Bytes is_live, new;

  values_of_line (map, false, values, &g);
  bend (&map->curve, &g);
  is_live = __builtin_convertvector (g > frozen, Bytes);
  memcpy (&new, line, sizeof new);
  *canvas = (new & is_live) | (*canvas & ~is_live);
}

SLIT_SCAN_INLINE void
sweep_row (int32_t row_bytes, int32_t tile_rows,
    const SlitScanSweeping * plane, size_t tile_y, float frozen,
    uint8_t * memory)
{
  const SlitScanTiling *tiling = &plane->source.tiling;
  size_t tile_lines = lines_of_tile (row_bytes);
  size_t at_once = tiles_at_once (row_bytes);
  uint8_t *canvas = memory + (tiling->first_line
      + tile_y * tiling->tiles_wide * tile_lines) * LINE_BYTES;

  for (size_t tile = 0; tile < tiling->tiles_wide; tile += at_once) {
    _Alignas (LINE_BYTES)
    uint8_t values[MOST_AT_ONCE * LINE_BYTES * sizeof (float)];
    size_t rest = tiling->tiles_wide - tile;
    size_t count = rest < at_once ? rest : at_once;
    Words lines[MOST_AT_ONCE];

    gather_shape (&plane->map, plane->map.f, sizeof (float), tile, tile_y,
        count, values);
    take_tiles (row_bytes, tile_rows, &plane->source, tile, tile_y, count,
        lines);
    for (size_t i = 0; i < count * tile_lines; i++, canvas += LINE_BYTES)
      sweep_line (&plane->map, values + i * LINE_BYTES * sizeof (float),
          frozen, &lines[i], canvas);
  }
}

typedef struct
{
  float frozen;
  uint8_t *memory;
} Canvas;

SLIT_SCAN_ROWS (static, sweep_rows, SlitScanSweeping, Canvas)
{
  /* A copy that nothing else can change, so that it stays in registers. */
  const SlitScanSweeping copy = *plane;

  for (size_t tile_y = first; tile_y < end; tile_y++)
    FOR_SHAPE (&copy.source.tiling, sweep_row, &copy, tile_y,
        context->frozen, context->memory);
}

void
slit_scan_sweep (const SlitScanSweeping * planes, size_t plane_count,
    float frozen, uint8_t * memory, WorkerPool * pool)
{
  Canvas canvas = {.frozen = frozen,.memory = memory };

  DO_ROWS (SlitScanSweeping, source.tiling, planes, plane_count, sweep_rows,
      &canvas, pool);
}

/* -- the line ------------------------------------------------------------- */

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

SLIT_SCAN_VARIANTS (void, slit_scan_line_row,
    (const float *above, const float *g, const float *below, size_t count,
        float p, float half_across, float half_down, uint8_t * mask),
    (above, g, below, count, p, half_across, half_down, mask))
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
