/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* A canvas of lines in perspective: as walls that lead to a vanishing point,
 * or in rings around it. */
#pragma once

#include "slitscan-kernels.h"

#include "worker-pool.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/* The most lines that are read for one sample. */
#define SLIT_SCAN_VIEW_MOST_LINES 128
/* The age in lines at which a footprint ends. */
#define SLIT_SCAN_VIEW_FARTHEST 4194304

/* The perspective, in pixels of the output. */
typedef struct
{
  int32_t walls;                /* 0 for rings */
  float x;                      /* the vanishing point */
  float y;
  float width;
  float height;
  float depth;                  /* lines from the viewer to distance 1 */
} SlitScanView;

/* One component of a canvas, and where it is drawn. */
typedef struct
{
  const uint8_t *samples;
  size_t line_step;             /* bytes from one line to the next */
  size_t point_step;            /* bytes from one point to the next */
  size_t point_count;
  float slit;                   /* points from one end of the slit to the other */
  size_t kept_count;            /* lines in memory, as a ring */
  size_t held_count;            /* the newest of them that were drawn */
  size_t newest_place;
  int32_t substitute;           /* age of what older lines show, or negative */
  float colour;                 /* what they show where that is negative */
  SlitScanSamples kind;

  size_t columns;               /* samples of the output */
  size_t rows;
  float cell_width;             /* pixels of each */
  float cell_height;
  size_t step;                  /* bytes from one to the next */
  size_t stride;                /* bytes from row to row */
} SlitScanSheet;

/* The sums that drawing lines of so many points needs. */
size_t slit_scan_view_sums (size_t points, WorkerPool * _Nullable pool);

/* Draws a sheet; out has its first sample. Threads of pool share the work. */
void slit_scan_draw_view (const SlitScanSheet * sheet,
    const SlitScanView * view, float *sums, uint8_t * out,
    WorkerPool * _Nullable pool);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
