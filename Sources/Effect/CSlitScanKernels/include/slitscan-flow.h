/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Motion between two frames, and frames drawn between them along it, as
 * Sources/Effect/Definitions.md says. All of it is in whole numbers, so that
 * processors and threads change nothing. */
#pragma once

#include "slitscan-tiles.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/* -- motion --------------------------------------------------------------- */

/* The motion around one node of a field. */
typedef struct
{
  int16_t x;                    /* half of it, in 1/16 pixel of the first level */
  int16_t y;
  int16_t trust;                /* 0 to SLIT_SCAN_FLOW_TRUST */
  int16_t repeats;              /* whether the video around it repeats itself */
} SlitScanFlowNode;

#define SLIT_SCAN_FLOW_TRUST 256
#define SLIT_SCAN_FLOW_SCRATCH 5
#define SLIT_SCAN_FLOW_MOST_LEVELS 24

/* One image of a pyramid, and its nodes. */
typedef struct
{
  int32_t width;
  int32_t height;
  int32_t nodes_wide;
  int32_t nodes_high;
  size_t start;                 /* in the pyramid */
} SlitScanFlowLevel;

/* The pyramids and fields of frames of one size. */
typedef struct
{
  int32_t shift;                /* pixels of the first level are 2^shift wide */
  int32_t level_count;
  SlitScanFlowLevel levels[SLIT_SCAN_FLOW_MOST_LEVELS];
  size_t pyramid_bytes;
  size_t node_count;            /* of the field: those of the first level */
} SlitScanFlowPlan;

SlitScanFlowPlan slit_scan_flow_plan (size_t width, size_t height);

/* A component of the luma, sample by sample. */
typedef struct
{
  const uint8_t *rows;
  size_t stride;
  size_t step;                  /* bytes from one sample to the next */
  int32_t bytes;                /* of a sample */
  bool is_big_endian;
  int32_t shift;                /* to 8 bits */
  uint32_t weight;              /* in 1/256 */
} SlitScanFlowPart;

/* The pyramid of a frame of 1 or 3 components. */
void slit_scan_make_pyramid (const SlitScanFlowPlan * plan,
    const SlitScanFlowPart * parts, size_t part_count, size_t width,
    size_t height, uint8_t * pyramid, WorkerPool * _Nullable pool);

/* The other levels of a pyramid whose first one is there. */
void slit_scan_finish_pyramid (const SlitScanFlowPlan * plan,
    uint8_t * pyramid);

/* The motion from a newer frame to an older; scratch has room for
 * SLIT_SCAN_FLOW_SCRATCH fields and field for one. */
void slit_scan_flow_find (const SlitScanFlowPlan * plan, const uint8_t * newer,
    const uint8_t * older, SlitScanFlowNode * scratch,
    SlitScanFlowNode * field, WorkerPool * _Nullable pool);

/* -- frames between two --------------------------------------------------- */

/* The component that a sample of a cell belongs to. */
typedef struct
{
  int32_t first;                /* bytes from the start of the cell */
  int32_t step;                 /* bytes to the next sample in the cell */
  int32_t number;               /* of the sample in the cell */
  int32_t count_shift;          /* a cell has 2^count_shift of them */
  int32_t x_shift;              /* as in FrameLayout */
  int32_t y_shift;
  int32_t samples_wide;
  int32_t samples_high;
  int32_t range_shift;          /* to 8 bits */
} SlitScanLane;

/* A plane that is read along the motion; its kind is one that blends. */
typedef struct
{
  SlitScanReading reading;
  int32_t cell_bytes;
  int32_t sample_bytes;
  SlitScanLane lanes[8];        /* of each sample in a cell */
} SlitScanWarping;

/* The motion fields of history: that of level k is from there to level k + 1;
 * its start is negative where there is none. */
typedef struct
{
  const SlitScanFlowPlan *plan;
  const SlitScanFlowNode *nodes;
  const ptrdiff_t *starts;      /* of each level's field in nodes */
  size_t count;                 /* of levels that starts has */
} SlitScanFlows;

/* Draws planes as slit_scan_read() does, but with frames between two of
 * history synthesized along their motion. */
void slit_scan_warp (const SlitScanHistoryFrames * history,
    const SlitScanFlows * flows, const SlitScanWarping * planes,
    size_t plane_count, WorkerPool * _Nullable pool);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
