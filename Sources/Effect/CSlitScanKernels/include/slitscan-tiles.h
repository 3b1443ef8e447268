/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The loops that every pixel passes: frames to tiles, and tiles of many frames
 * to output frames. Tiles are TileShape's: lines of 64 bytes, each aligned to
 * 64. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "paged-memory.h"
#include "slitscan-kernels.h"
#include "worker-pool.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

#define SLIT_SCAN_MOST_PLANES 4

/* The division of a plane into tiles. */
typedef struct
{
  int32_t row_bytes;            /* of a tile: 8, 16, 24 or 32 */
  int32_t rows;                 /* of a tile: 8, 4, 8 or 2 */
  size_t tiles_wide;
  size_t tiles_high;
  size_t plane_row_bytes;
  size_t plane_rows;
  size_t first_line;            /* the number of the plane's first line */
  size_t first_row;             /* the number of the plane's first row */
} SlitScanTiling;

/* -- from values of a map to delays --------------------------------------- */

/* The delays of one line. */
typedef struct
{
  uint32_t base;                /* the smallest level that it shows something of */
  uint32_t reach;               /* from there to the largest */
  uint32_t pattern;             /* the line of its plane whose numbers it has */
} SlitScanLineDelay;

/* Lines that reach no farther keep small numbers above their base, one for
 * each byte, and are read level by level; the others keep whole numbers, and
 * are read byte by byte. A line whose small numbers are those of its neighbour
 * keeps none of its own: in a ramp, nearly all are alike. */
#define SLIT_SCAN_NARROW_REACH 24u
/* Bits of the fraction of narrow and of wide delays between frames. */
#define SLIT_SCAN_NARROW_FRACTION 8
#define SLIT_SCAN_WIDE_FRACTION 12

enum
{
  SLIT_SCAN_DELAYS_NEAREST,     /* whole levels */
  SLIT_SCAN_DELAYS_BLEND_BYTES, /* between levels */
  SLIT_SCAN_DELAYS_BLEND_WORDS, /* likewise, for samples of two bytes: wide */
};

/* The rule by which delays follow from map values g. */
typedef struct
{
  int32_t kind;
  float deepest;                /* delay for g = 1: frames, or 1 with ages */
  /* Ages of the frames held, as parts of the longest delay, rising from 0;
   * NULL if delays count frames. */
  const double *_Nullable ages;
  size_t age_count;
  double age_slack;             /* what an age may be off by */
  /* For each byte of a cell, what is added to its delay, as deepest is. */
  float extra[8];
} SlitScanDelayRule;

/* A plane whose delays are wanted. The arrays begin with the plane's first
 * line: levels has 64 numbers a line, narrow likewise; wide has 64, or 32 for
 * BLEND_WORDS. Of levels and narrow, the one that the kind does not ask for may
 * be NULL. */
typedef struct
{
  /* f of each cell, row by row: as it is, or, if there are samples, as
   * (sample - black) * scale within 0 to 1. */
  const float *_Nullable f;
  const uint8_t *_Nullable samples;
  float black;
  float scale;
  size_t cells_wide;
  size_t cells_high;
  int32_t cell_bytes;
  SlitScanTiling tiling;
  SlitScanCurve curve;
  SlitScanDelayRule rule;
  SlitScanLineDelay *_Nullable lines;
  uint8_t *_Nullable levels;
  uint16_t *_Nullable narrow;
  uint32_t *_Nullable wide;
} SlitScanMapping;

/* Makes the delays of planes, in the order of tiles; beyond the frame the
 * last column and row are repeated, so that padding does not widen a line's
 * reach. Returns the largest level that any line shows something of. */
uint32_t slit_scan_map (const SlitScanMapping * planes, size_t plane_count,
    WorkerPool * _Nullable pool);

/* The delay of a row, where it is the same all along. */
typedef struct
{
  uint32_t level;
  /* Of the level after that: in 1/256 for samples of one byte, in 1/4096 for
   * those of two. */
  uint32_t weight;
} SlitScanRowDelay;

/* Rows of tiles that are stored and drawn together where history is in rings, with
 * tiles of one line: tiles that make a line of output, from top to bottom, then
 * those to the right of them. The lines of a ring lie in the same order, so that
 * neighbours in memory are asked for together. */
#define SLIT_SCAN_BAND 4

/* The positions of what is kept in rings: lines, or rows as they came, where delays
 * are the same along each. A ring has a slot for each frame. In memory, slot n of all
 * rings that have one lies in one piece, so that memory is taken up frame by frame. On
 * disk, the slots of a ring lie one after another, in groups: rows lie there frame by
 * frame, and lines, several frames of which are read together, line by line. */
typedef struct
{
  uint32_t ring;
  uint32_t index;               /* in a slot of the ring, in lines */
} SlitScanPlace;

typedef struct
{
  size_t start;                 /* of the first slot, or its part of one, in bytes */
  size_t slot_bytes;
  uint32_t slots;
  uint32_t length;              /* frames that are kept, at most as many as slots */
  uint32_t newest;              /* the slot of the newest frame; older ones before */
  size_t newest_start;          /* and where that is, in bytes */
} SlitScanRing;

typedef struct
{
  const SlitScanPlace *places;  /* of each line of a frame, or each row */
  bool has_rows;
  const SlitScanRing *rings;
  /* Where each slot of all begins, in bytes; NULL on disk. */
  const size_t *_Nullable slots;
  /* The rest is for disk. The frames that each piece is kept for, where those of a
   * ring differ. */
  const uint32_t *_Nullable lengths;
  size_t group_bytes;
  uint32_t group_shift;         /* a group has 2^group_shift slots */
  size_t slot_step;             /* in a group, bytes from one slot to the next, */
  /* and from one line of a slot to the next; also that of slots in memory. */
  size_t line_step;
} SlitScanRings;

/* -- into tiles ----------------------------------------------------------- */

/* A plane to read. */
typedef struct
{
  const uint8_t *rows;
  size_t stride;
  SlitScanTiling tiling;
} SlitScanSource;

/* The destination of the lines of one frame: memory, one after another; or, if
 * there are rings, the newest slot of those. */
typedef struct
{
  uint8_t *memory;
  const SlitScanRings *_Nullable rings;
  bool streams;                 /* past the caches, as it is read much later */
} SlitScanSlot;

/* Stores planes as tiles; what tiles have beyond the frame becomes 0. */
void slit_scan_store (const SlitScanSource * planes, size_t plane_count,
    SlitScanSlot slot, WorkerPool * _Nullable pool);

/* A plane of a sweep: the frame, and the map's values, of which only f and curve
 * are used. */
typedef struct
{
  SlitScanSource source;
  SlitScanMapping map;
} SlitScanSweeping;

/* Takes over the bytes whose g is greater than frozen into the lines at
 * memory. */
void slit_scan_sweep (const SlitScanSweeping * planes, size_t plane_count,
    float frozen, uint8_t * memory, WorkerPool * _Nullable pool);

/* -- out of tiles --------------------------------------------------------- */

/* A plane to write. */
typedef struct
{
  uint8_t *rows;
  size_t stride;
  SlitScanTiling tiling;
} SlitScanTarget;

/* Copies the lines of one frame into planes. */
void slit_scan_load (const uint8_t * lines, const SlitScanTarget * planes,
    size_t plane_count, WorkerPool * _Nullable pool);

/* Some frames of history, in one order of lines. */
typedef struct
{
  const uint8_t *memory;
  uint32_t end;                 /* the level after the last of these frames */
  /* The start of each frame; unused if there are rings. */
  const ptrdiff_t *_Nullable starts;
  const SlitScanRings *_Nullable rings;
  /* The blocks of memory, if it is kept on disk; has rings then. */
  PagedMemory *_Nullable pages;
  uint32_t skipped;             /* newest frames of the rings that are left out */
} SlitScanEra;

/* The most eras that a history has. */
#define SLIT_SCAN_MOST_ERAS 17

/* The history: at least one frame. */
typedef struct _SlitScanHistoryFrames SlitScanHistoryFrames;

struct _SlitScanHistoryFrames
{
  const SlitScanEra *eras;      /* the newest first */
  size_t era_count;
  uint32_t oldest;              /* the last level that there is */
  /* Levels that are added to each delay; what is late does not depend on them. */
  uint32_t skipped;
  /* The history that this is a part of, if it is one. */
  const SlitScanHistoryFrames *_Nullable whole;
  /* Whether what is drawn goes past the caches, which history does not fit. */
  bool streams;
  /* The pager of eras that are on disk, and the levels ahead of those shown that are
   * read from there. */
  Pager *_Nullable pager;
  uint32_t ahead;
};

enum
{
  SLIT_SCAN_READ_NEAREST,
  SLIT_SCAN_READ_BLEND_BYTES,
  SLIT_SCAN_READ_BLEND_LITTLE_WORDS,
  SLIT_SCAN_READ_BLEND_BIG_WORDS,
};

enum
{
  SLIT_SCAN_LATE_OLDEST,
  SLIT_SCAN_LATE_NEWEST,
  SLIT_SCAN_LATE_COLOUR,
};

/* The mapping of a plane: the delays of its lines, and their meaning. */
typedef struct
{
  SlitScanTarget target;
  /* As slit_scan_map() makes them. */
  const SlitScanLineDelay *delays;
  const uint8_t *_Nullable levels;
  const uint16_t *_Nullable narrow;
  const uint32_t *wide;
  int32_t kind;
  uint32_t unused_bits;         /* low bits that stay 0 in two-byte samples */
  int32_t late;                 /* what is shown of frames older than the oldest */
  const uint8_t *_Nullable colour;      /* a tile of it */
  /* The same delays, where they are the same along each row. */
  const SlitScanRowDelay *_Nullable rows;
} SlitScanReading;

/* Copies the newest frame into lines, one after another. */
void slit_scan_copy_newest (const SlitScanHistoryFrames * history,
    const SlitScanTiling * tilings, size_t plane_count, uint8_t * memory);

/* Draws planes: each byte from the frame, or between the two, of its delay. False
 * if the history is on a disk that fails. */
bool slit_scan_read (const SlitScanHistoryFrames * history,
    const SlitScanReading * planes, size_t plane_count,
    WorkerPool * _Nullable pool);

/* Brings what planes show from disk into memory, as far as there is room. False if
 * the disk fails. */
bool slit_scan_page_in (const SlitScanHistoryFrames * history,
    const SlitScanReading * planes, size_t plane_count);

/* -- exposures ------------------------------------------------------------ */

/* A plane whose frames are added up. */
typedef struct
{
  SlitScanTarget target;
  uint32_t *sums;               /* of each sample, row by row without gaps */
  const uint8_t *added;         /* rows without gaps */
  const uint8_t *removed;       /* or the map's values, of 16 bits for each cell */
  SlitScanSamples samples;
  int32_t cell_samples;         /* the samples of a cell */
} SlitScanExposing;

/* The sums become keeps * sums + times * added - (removes ? removed : 0). If it
 * develops, the target becomes share * sums + rest * removed. */
typedef struct
{
  uint32_t keeps;               /* 1 or 0 */
  int32_t times;
  bool removes;
  bool develops;
  float share;
  float rest;
} SlitScanExposure;

void slit_scan_expose (const SlitScanExposing * planes, size_t plane_count,
    SlitScanExposure exposure, WorkerPool * _Nullable pool);

/* One of the levels of an exposure that follows the map, the first of which is
 * 0: each cell is exposed for 1 + value * growth frames, in 1/64. The last one
 * stands for those before it, and the target becomes the mean. */
typedef struct
{
  uint32_t level;
  bool is_last;
  float growth;
} SlitScanMapExposure;

void slit_scan_expose_by_map (const SlitScanExposing * planes,
    size_t plane_count, SlitScanMapExposure exposure,
    WorkerPool * _Nullable pool);

/* -- feedback that moves -------------------------------------------------- */

/* A component of two frames of one layout, or some that lie side by side in
 * cells. The other frame is moved and blended into the first: in it, sample
 * (i, j) lies at (column_x[i] + row_x[j], column_y[i] + row_y[j]), in 1/256 of
 * samples. The numbers of columns only rise, or only fall, and none reaches
 * 2^30. */
typedef struct
{
  SlitScanTiling tiling;        /* of its plane */
  uint8_t *into;                /* the first sample */
  const uint8_t *other;
  size_t stride;                /* of both */
  size_t step;                  /* bytes from one sample to the next */
  size_t bytes;                 /* of the samples side by side, at most 8 */
  uint32_t kept;                /* a bit for each byte of padding, which stays */
  int32_t samples_wide;
  int32_t samples_high;
  const int32_t *column_x;
  const int32_t *column_y;
  const int32_t *row_x;
  const int32_t *row_y;
  SlitScanSamples samples;
} SlitScanFeeding;

/* Blends components as slit_scan_feed(), with the other frame's samples at their
 * places, bilinear; a sample whose place is outside of the other frame stays. */
void slit_scan_feed_moved (const SlitScanFeeding * components, size_t count,
    uint32_t weight, WorkerPool * _Nullable pool);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
