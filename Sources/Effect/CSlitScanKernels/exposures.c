/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The shutter: frames of history from a later one on, and the sums of frames
 * that are shown as their mean. */

#include "history.h"
#include "samples.h"

const SlitScanHistoryFrames *
slit_scan_part_of (const SlitScanHistoryFrames * history, HistoryPart * part)
{
  uint32_t skipped = history->skipped < history->oldest ? history->skipped
      : history->oldest;
  uint32_t start = 0;
  size_t count = 0;

  if (skipped == 0)
    return history;
  for (size_t i = 0; i < history->era_count && count < SLIT_SCAN_MOST_ERAS; i++) {
    SlitScanEra era = history->eras[i];

    if (era.end > skipped && era.end > start) {
      uint32_t left_out = start < skipped ? skipped - start : 0;

      if (era.rings == NULL)
        era.starts += left_out;
      else
        era.skipped += left_out;
      start = era.end;
      era.end -= skipped;
      part->eras[count++] = era;
    } else {
      start = era.end > start ? era.end : start;
    }
  }
  part->frames = *history;
  part->frames.eras = part->eras;
  part->frames.era_count = count;
  part->frames.oldest -= skipped;
  part->frames.whole = history;
  return &part->frames;
}

/* -- sums ----------------------------------------------------------------- */

/* A row of a plane, whose samples start at `first`. */
SLIT_SCAN_INLINE void
expose_row (int32_t kind, const SlitScanExposing * plane,
    SlitScanExposure exposure, bool removes, bool develops, size_t first,
    size_t count, uint8_t * out)
{
  size_t bytes = bytes_of (kind);
  const uint8_t *added = plane->added + first * bytes;
  const uint8_t *removed = plane->removed + first * bytes;
  uint32_t *sums = plane->sums + first;
  uint32_t unused = plane->samples.unused_bits;
  float share = exposure.share / (float) (1u << unused);
  float rest = exposure.rest / (float) (1u << unused);

  for (size_t i = 0; i < count; i++) {
    size_t at = i * bytes;
    uint32_t last = removes || develops ? sample_at (removed + at, kind) : 0;
    uint32_t sum = sums[i] * exposure.keeps
        + (uint32_t) exposure.times * sample_at (added + at, kind)
        - (removes ? last : 0);

    sums[i] = sum;
    if (develops) {
      /* Sums are below 2^31, which vectors convert faster. */
      float mean =
          (float) (int32_t) sum * share + (float) (int32_t) last * rest;

      put_sample ((uint32_t) (int32_t) (mean + 0.5f) << unused, kind, out + at);
    }
  }
}

SLIT_SCAN_INLINE void
expose_kind (int32_t kind, const SlitScanExposing * plane,
    SlitScanExposure exposure, size_t first, size_t count, uint8_t * out)
{
  if (!exposure.develops && !exposure.removes)
    expose_row (kind, plane, exposure, false, false, first, count, out);
  else if (!exposure.develops)
    expose_row (kind, plane, exposure, true, false, first, count, out);
  else if (!exposure.removes)
    expose_row (kind, plane, exposure, false, true, first, count, out);
  else
    expose_row (kind, plane, exposure, true, true, first, count, out);
}

SLIT_SCAN_ROWS (static, expose_rows, SlitScanExposing, SlitScanExposure)
{
  const SlitScanExposure exposure = *context;
  const SlitScanTiling *tiling = &plane->target.tiling;
  size_t row = first * (size_t) tiling->rows;
  size_t end_row = end * (size_t) tiling->rows;
  size_t count = tiling->plane_row_bytes / bytes_of (plane->samples.kind);

  end_row = end_row < tiling->plane_rows ? end_row : tiling->plane_rows;
  for (; row < end_row; row++) {
    uint8_t *out = plane->target.rows + row * plane->target.stride;

    FOR_KIND (plane->samples.kind, expose_kind, plane, exposure, row * count,
        count, out);
  }
}

void
slit_scan_expose (const SlitScanExposing * planes, size_t plane_count,
    SlitScanExposure exposure, WorkerPool * pool)
{
  DO_ROWS (SlitScanExposing, target.tiling, planes, plane_count, expose_rows,
      &exposure, pool);
}

/* -- lengths that follow the map ------------------------------------------ */

/* A frame, in the steps that lengths are counted in. */
#define FRAME_STEPS 64

/* The samples whose lengths are made at a time. */
#define SAMPLES_AT_ONCE 256

/* Gives each sample what its cell has. */
SLIT_SCAN_INLINE void
spread (const uint32_t * cells, size_t per_cell, size_t count,
    uint32_t * samples)
{
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < per_cell; k++)
      samples[i * per_cell + k] = cells[i];
}

SLIT_SCAN_INLINE void
expose_samples (int32_t kind, const SlitScanExposing * plane, bool is_first,
    bool is_last, const uint32_t * weights, const uint32_t * lengths,
    size_t first, size_t count, uint8_t * out)
{
  size_t bytes = bytes_of (kind);
  const uint8_t *added = plane->added + first * bytes;
  uint32_t *sums = plane->sums + first;
  uint32_t unused = plane->samples.unused_bits;

  for (size_t i = 0; i < count; i++) {
    uint32_t sum = (is_first ? 0 : sums[i])
        + weights[i] * sample_at (added + i * bytes, kind);

    sums[i] = sum;
    if (is_last) {
      float mean = (float) sum / (float) (lengths[i] << unused) + 0.5f;

      put_sample ((uint32_t) (int32_t) mean << unused, kind, out + i * bytes);
    }
  }
}

SLIT_SCAN_INLINE void
expose_row_by_map (int32_t kind, const SlitScanExposing * plane,
    size_t per_cell, SlitScanMapExposure exposure, size_t row, uint8_t * out)
{
  size_t bytes = bytes_of (kind);
  size_t count = plane->target.tiling.plane_row_bytes / bytes;
  size_t cells = (count + per_cell - 1) / per_cell;
  size_t at_once = SAMPLES_AT_ONCE / per_cell;
  const uint8_t *values = plane->removed + row * cells * sizeof (uint16_t);
  float scale = exposure.growth * FRAME_STEPS / UINT16_MAX;
  uint32_t start = exposure.level * FRAME_STEPS;
  uint32_t most = exposure.is_last ? UINT32_MAX : FRAME_STEPS;
  uint32_t of_cells[SAMPLES_AT_ONCE];
  uint32_t lengths[SAMPLES_AT_ONCE];
  uint32_t weights[SAMPLES_AT_ONCE];

  for (size_t cell = 0; cell < cells; cell += at_once) {
    size_t first = cell * per_cell;
    size_t rest = count - first;
    size_t chunk = cells - cell < at_once ? cells - cell : at_once;
    uint8_t *target = out + first * bytes;

    rest = rest < chunk * per_cell ? rest : chunk * per_cell;
    first += row * count;
    for (size_t i = 0; i < chunk; i++) {
      float value = (float) (int32_t)
          sample_at (values + (cell + i) * sizeof (uint16_t),
          SLIT_SCAN_SAMPLES_LITTLE_WORDS);

      of_cells[i] = FRAME_STEPS + (uint32_t) (int32_t) (value * scale + 0.5f);
    }
    spread (of_cells, per_cell, chunk, lengths);
    for (size_t i = 0; i < chunk * per_cell; i++) {
      uint32_t weight = lengths[i] > start ? lengths[i] - start : 0;

      weights[i] = weight < most ? weight : most;
    }
    /* One loop each, so that each is free of choices. */
    if (exposure.is_last)
      expose_samples (kind, plane, start == 0, true, weights, lengths, first,
          rest, target);
    else if (start == 0)
      expose_samples (kind, plane, true, false, weights, lengths, first, rest,
          target);
    else
      expose_samples (kind, plane, false, false, weights, lengths, first,
          rest, target);
  }
}

SLIT_SCAN_INLINE void
expose_cells_by_map (int32_t kind, const SlitScanExposing * plane,
    SlitScanMapExposure exposure, size_t row, uint8_t * out)
{
  switch (plane->cell_samples) {
    case 1:
      expose_row_by_map (kind, plane, 1, exposure, row, out);
      break;
    case 2:
      expose_row_by_map (kind, plane, 2, exposure, row, out);
      break;
    case 3:
      expose_row_by_map (kind, plane, 3, exposure, row, out);
      break;
    case 4:
      expose_row_by_map (kind, plane, 4, exposure, row, out);
      break;
    default:
      expose_row_by_map (kind, plane, (size_t) plane->cell_samples, exposure,
          row, out);
      break;
  }
}

SLIT_SCAN_ROWS (static, expose_rows_by_map, SlitScanExposing,
    SlitScanMapExposure)
{
  const SlitScanMapExposure exposure = *context;
  const SlitScanTiling *tiling = &plane->target.tiling;
  size_t row = first * (size_t) tiling->rows;
  size_t end_row = end * (size_t) tiling->rows;

  end_row = end_row < tiling->plane_rows ? end_row : tiling->plane_rows;
  for (; row < end_row; row++) {
    uint8_t *out = plane->target.rows + row * plane->target.stride;

    FOR_KIND (plane->samples.kind, expose_cells_by_map, plane, exposure, row,
        out);
  }
}

void
slit_scan_expose_by_map (const SlitScanExposing * planes, size_t plane_count,
    SlitScanMapExposure exposure, WorkerPool * pool)
{
  DO_ROWS (SlitScanExposing, target.tiling, planes, plane_count,
      expose_rows_by_map, &exposure, pool);
}
