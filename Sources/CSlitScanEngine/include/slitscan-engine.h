/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The interface between the element (C, gst/slitscan) and the effect (Swift,
 * Sources/SlitScanElement). The functions are implemented in Swift; a
 * signature that differs from the one here does not compile. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slitscan-settings.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define SLIT_SCAN_NULLABLE _Nullable
#else
#define SLIT_SCAN_NULLABLE
#endif

/* -- frames --------------------------------------------------------------- */

/* One component of a video format, see FrameLayout.Component. */
typedef struct
{
  int32_t plane;
  int32_t offset;               /* bytes to the first sample of a row */
  int32_t step;                 /* bytes from one sample to the next */
  int32_t bytes;                /* bytes of a sample, 1 or 2 */
  int32_t x_shift;              /* pixels a sample, as a power of two, across */
  int32_t y_shift;              /* and down */
  int32_t unused_bits;          /* unused low bits of a sample */
  bool is_alpha;
  uint16_t black;               /* the sample in a black, opaque frame */
  uint16_t white;               /* in a white one */
} SlitScanComponent;

typedef struct
{
  int32_t width;
  int32_t height;
  bool is_big_endian;
  bool is_rgb;                  /* else the first component is the luma */
  int32_t component_count;      /* 1 to 4 */
  SlitScanComponent components[4];
} SlitScanLayout;

/* The planes of one frame; unused ones are NULL and 0. */
typedef struct
{
  void *SLIT_SCAN_NULLABLE planes[4];
  size_t byte_counts[4];        /* bytes from the plane's start that are ours */
  ptrdiff_t strides[4];         /* bytes from one row to the next */
} SlitScanFrame;

/* -- answers -------------------------------------------------------------- */

/* Kinds of errors: ScanError.Code of the effect. */
#define SLIT_SCAN_ERROR_UNSUPPORTED_FORMAT 1
#define SLIT_SCAN_ERROR_FRAME_TOO_SMALL 2
#define SLIT_SCAN_ERROR_OUT_OF_MEMORY 3
#define SLIT_SCAN_ERROR_NOT_CONFIGURED 4

typedef struct
{
  int32_t code;
  char message[384];            /* UTF-8, for a person */
} SlitScanError;

/* The state after a frame, see FrameReport. */
typedef struct
{
  double progress;
  uint32_t history_frames;
  uint64_t history_bytes;
  bool completes;
  uint32_t limited_depth;       /* 0: as many frames as the delays ask for */
  uint32_t limited_history;     /* 0: as many as these and the reserve do */
  bool is_memory_refused;       /* the system has memory for no more of them */
  uint32_t limited_lines;       /* 0: as many as the canvas of a strip has */
  bool are_lines_refused;       /* the system has memory for no more of them */
  uint32_t wanted_depth;        /* the frames that the delays ask for, */
  uint32_t wanted_history;      /* and with the reserve */
  uint32_t wanted_lines;        /* the lines of the canvas of a strip */
  bool has_caught_up;           /* the last frame is all there is to be seen */
  uint64_t mean_delay;          /* how old the output is, in nanoseconds, */
  uint64_t center_delay;        /* and how old its centre */
} SlitScanReport;

/* -- the effect ----------------------------------------------------------- */

/* The effect of one element. All functions may be called from any thread, and
 * wait for each other. */
typedef struct _SlitScanEngine SlitScanEngine;

SlitScanEngine *slit_scan_engine_new (void);
void slit_scan_engine_free (SlitScanEngine * engine);

/* Announces the layout of the frames and the size of the output. */
bool slit_scan_engine_configure (SlitScanEngine * engine,
    const SlitScanLayout * layout, int32_t output_width, int32_t output_height,
    const SlitScanSettings * settings, SlitScanError * error);

/* Takes a frame in and, unless target is NULL, draws the output. Time is the
 * running time in nanoseconds. */
bool slit_scan_engine_process (SlitScanEngine * engine,
    const SlitScanFrame * source,
    const SlitScanFrame * SLIT_SCAN_NULLABLE target, uint64_t time,
    const SlitScanSettings * settings, SlitScanReport * report,
    SlitScanError * error);

/* Goes on without a new frame, as if the last one came again, and draws the
 * output. */
bool slit_scan_engine_repeat (SlitScanEngine * engine,
    const SlitScanFrame * target, uint64_t time,
    const SlitScanSettings * settings, SlitScanReport * report,
    SlitScanError * error);

/* Gives the image for SLIT_SCAN_MAP_IMAGE or SLIT_SCAN_MAP_LIVE; a copy of
 * its luma is kept. Without an image, forgets the one there is. */
bool slit_scan_engine_set_map (SlitScanEngine * engine, SlitScanMap map,
    const SlitScanLayout * SLIT_SCAN_NULLABLE layout,
    const SlitScanFrame * SLIT_SCAN_NULLABLE image, SlitScanError * error);

/* Draws the output of the last frame again, whether it was drawn before or the
 * frame was only taken in; false, and nothing drawn, if there is none or it has
 * another layout. */
bool slit_scan_engine_redraw (SlitScanEngine * engine,
    const SlitScanLayout * layout, const SlitScanFrame * target);

/* Says how old the output is once history is full of frames that come INTERVAL
 * nanoseconds apart: the delays of the report, and nothing else in it. */
bool slit_scan_engine_settle (SlitScanEngine * engine, uint64_t interval,
    const SlitScanSettings * settings, SlitScanReport * report,
    SlitScanError * error);

/* Forgets all frames; their memory stays for the next ones. */
void slit_scan_engine_forget (SlitScanEngine * engine);

/* Forgets all frames and the layout, and gives the memory back. */
void slit_scan_engine_release (SlitScanEngine * engine);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
