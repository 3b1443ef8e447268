/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The shutter: frames of history from a later one on, and the sums of frames
 * that are shown as their mean. */

#include "history.h"

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

SLIT_SCAN_INLINE uint32_t
sample_at (const uint8_t * row, size_t i, int32_t kind)
{
  if (kind == SLIT_SCAN_SAMPLES_BYTES)
    return row[i];
  if (kind == SLIT_SCAN_SAMPLES_BIG_WORDS)
    return (uint32_t) row[2 * i] << 8 | row[2 * i + 1];
  return (uint32_t) row[2 * i + 1] << 8 | row[2 * i];
}

SLIT_SCAN_INLINE void
put_sample_at (uint8_t * row, size_t i, int32_t kind, uint32_t sample)
{
  if (kind == SLIT_SCAN_SAMPLES_BYTES) {
    row[i] = (uint8_t) sample;
  } else if (kind == SLIT_SCAN_SAMPLES_BIG_WORDS) {
    row[2 * i] = (uint8_t) (sample >> 8);
    row[2 * i + 1] = (uint8_t) sample;
  } else {
    row[2 * i] = (uint8_t) sample;
    row[2 * i + 1] = (uint8_t) (sample >> 8);
  }
}

/* A row of a plane, whose samples start at `first`. */
SLIT_SCAN_INLINE void
expose_row (const SlitScanExposing * plane, int32_t kind,
    SlitScanExposure exposure, bool removes, bool develops, size_t first,
    size_t count, uint8_t * out)
{
  size_t bytes = kind == SLIT_SCAN_SAMPLES_BYTES ? 1 : 2;
  const uint8_t *added = plane->added + first * bytes;
  const uint8_t *removed = plane->removed + first * bytes;
  uint32_t *sums = plane->sums + first;
  uint32_t unused = plane->samples.unused_bits;
  float share = exposure.share / (float) (1u << unused);
  float rest = exposure.rest / (float) (1u << unused);

  for (size_t i = 0; i < count; i++) {
    uint32_t last = removes || develops ? sample_at (removed, i, kind) : 0;
    uint32_t sum = sums[i] * exposure.keeps
        + (uint32_t) exposure.times * sample_at (added, i, kind)
        - (removes ? last : 0);

    sums[i] = sum;
    if (develops) {
      /* Sums are below 2^31, which vectors convert faster. */
      float mean =
          (float) (int32_t) sum * share + (float) (int32_t) last * rest;

      put_sample_at (out, i, kind,
          (uint32_t) (int32_t) (mean + 0.5f) << unused);
    }
  }
}

SLIT_SCAN_INLINE void
expose_kind (const SlitScanExposing * plane, int32_t kind,
    SlitScanExposure exposure, size_t first, size_t count, uint8_t * out)
{
  if (!exposure.develops && !exposure.removes)
    expose_row (plane, kind, exposure, false, false, first, count, out);
  else if (!exposure.develops)
    expose_row (plane, kind, exposure, true, false, first, count, out);
  else if (!exposure.removes)
    expose_row (plane, kind, exposure, false, true, first, count, out);
  else
    expose_row (plane, kind, exposure, true, true, first, count, out);
}

SLIT_SCAN_INLINE void
expose_rows_body (const SlitScanExposing * plane, SlitScanExposure exposure,
    size_t first, size_t end)
{
  const SlitScanTiling *tiling = &plane->target.tiling;
  size_t row = first * (size_t) tiling->rows;
  size_t end_row = end * (size_t) tiling->rows;
  int32_t kind = plane->samples.kind;
  size_t count = tiling->plane_row_bytes
      / (kind == SLIT_SCAN_SAMPLES_BYTES ? 1 : 2);

  end_row = end_row < tiling->plane_rows ? end_row : tiling->plane_rows;
  for (; row < end_row; row++) {
    uint8_t *out = plane->target.rows + row * plane->target.stride;

    if (kind == SLIT_SCAN_SAMPLES_BYTES)
      expose_kind (plane, SLIT_SCAN_SAMPLES_BYTES, exposure, row * count,
          count, out);
    else if (kind == SLIT_SCAN_SAMPLES_LITTLE_WORDS)
      expose_kind (plane, SLIT_SCAN_SAMPLES_LITTLE_WORDS, exposure,
          row * count, count, out);
    else
      expose_kind (plane, SLIT_SCAN_SAMPLES_BIG_WORDS, exposure, row * count,
          count, out);
  }
}

SLIT_SCAN_WIDE_VARIANTS (static, void, expose_rows,
    (const SlitScanExposing * plane, SlitScanExposure exposure, size_t first,
        size_t end), (plane, exposure, first, end));

static void
expose_plane (const void *plane, size_t first, size_t end, void *context)
{
  const SlitScanExposure *exposure = context;

  expose_rows (plane, *exposure, first, end);
}

void
slit_scan_expose (const SlitScanExposing * planes, size_t plane_count,
    SlitScanExposure exposure, WorkerPool * pool)
{
  DO_ROWS (SlitScanExposing, target.tiling, planes, plane_count, expose_plane,
      &exposure, pool);
}
