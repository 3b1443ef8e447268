/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The interface between the elements (C, gst/slitscan and gst/slitscangl) and
 * the effect (Swift, SlitScanElement and SlitScanGL). The functions are
 * implemented in Swift; a signature that differs from the one here does not
 * compile. */
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

/* The planes of one frame as textures of the target GL_TEXTURE_2D, as
 * GstGLMemory has them. */
typedef struct
{
  uint32_t names[4];            /* 0: unused */
  uint32_t formats[4];          /* the sized internal format, such as GL_R8 */
  int32_t widths[4];            /* of the texture, in texels */
  int32_t heights[4];
} SlitScanTextures;

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

/* The memory or disk that limits a history. */
typedef enum
{
  SLIT_SCAN_LIMIT_MAX_MEMORY,
  SLIT_SCAN_LIMIT_MEMORY,       /* what the system has */
  SLIT_SCAN_LIMIT_MAX_DISK,
  SLIT_SCAN_LIMIT_DISK,         /* what is free on the disk */
} SlitScanLimit;

/* The action that failed on the disk; history goes on in memory. */
typedef enum
{
  SLIT_SCAN_DISK_FINE,
  SLIT_SCAN_DISK_OPEN,          /* no file could be made in the folder */
  SLIT_SCAN_DISK_WRITE,
  SLIT_SCAN_DISK_READ,          /* frames are lost */
} SlitScanDiskFailure;

/* The state after a frame, see FrameReport. */
typedef struct
{
  double progress;
  long history_frames;          /* a long, as values of properties are */
  uint64_t history_bytes;
  bool completes;
  uint32_t limited_depth;       /* 0: as many frames as the delays ask for */
  uint32_t limited_history;     /* 0: as many as these and the reserve do */
  SlitScanLimit history_limit;  /* what these follow from */
  uint32_t limited_lines;       /* 0: as many as the canvas of a strip has */
  bool are_lines_refused;       /* the system has memory for no more of them */
  uint32_t wanted_depth;        /* the frames that the delays ask for, */
  uint32_t wanted_history;      /* and with the reserve */
  uint32_t wanted_lines;        /* the lines of the canvas of a strip */
  bool has_caught_up;           /* the last frame is all there is to be seen */
  uint64_t mean_delay;          /* how old the output is, in nanoseconds, */
  uint64_t center_delay;        /* and how old its centre */
  uint64_t disk_bytes;          /* of history on the disk */
  uint64_t disk_bytes_read;     /* since the history began there */
  uint64_t disk_bytes_written;
  uint64_t disk_late_frames;    /* frames that waited for the disk, */
  uint64_t disk_waiting_time;   /* and for how many nanoseconds */
  SlitScanDiskFailure disk_failure;
  int32_t disk_error;           /* the errno of that */
} SlitScanReport;

/* -- the effect ----------------------------------------------------------- */

/* The functions of an effect whose frames are of type Frame. TIME is the running
 * time in nanoseconds.
 *
 * free: Gives its memory back, textures and programs too.
 *
 * configure: Announces the layout of the frames and the size of the output.
 *
 * process: Takes a frame in and, unless TARGET is NULL, draws the output. Where
 * SOURCE is NULL, goes on without a new frame, as if the last one came again.
 *
 * set_map: Gives the image for SLIT_SCAN_MAP_IMAGE or SLIT_SCAN_MAP_LIVE, in
 * memory of the system; a copy of its luma is kept. Without an image, forgets
 * the one there is.
 *
 * redraw: Draws the output of the last frame again, whether it was drawn before
 * or the frame was only taken in; or, unless TIME is NULL, the oldest frame of the
 * input that history holds whole and that came then or later, and sets TIME to
 * when it came. False, and nothing drawn, if there is none or it has another
 * layout.
 *
 * draw_ages: Draws how old each pixel of the last output is into memory of the
 * system, 16 bits a pixel, the low byte first; see age-unit.
 *
 * forget: Forgets all frames; their memory stays for the next ones. */
#define SLIT_SCAN_ENGINE_FUNCTIONS(prefix, Engine, Frame)                     \
  void prefix##_free (Engine * engine);                                       \
  bool prefix##_configure (Engine * engine, const SlitScanLayout * layout,    \
      int32_t output_width, int32_t output_height,                            \
      const SlitScanSettings * settings, SlitScanError * error);              \
  bool prefix##_process (Engine * engine,                                     \
      const Frame * SLIT_SCAN_NULLABLE source,                                \
      const Frame * SLIT_SCAN_NULLABLE target, uint64_t time,                 \
      const SlitScanSettings * settings, SlitScanReport * report,             \
      SlitScanError * error);                                                 \
  bool prefix##_set_map (Engine * engine, SlitScanMap map,                    \
      const SlitScanLayout * SLIT_SCAN_NULLABLE layout,                       \
      const SlitScanFrame * SLIT_SCAN_NULLABLE image, SlitScanError * error); \
  bool prefix##_redraw (Engine * engine, const SlitScanLayout * layout,       \
      uint64_t * SLIT_SCAN_NULLABLE time, const Frame * target);              \
  bool prefix##_draw_ages (Engine * engine, const SlitScanFrame * target,     \
      SlitScanError * error);                                                 \
  void prefix##_forget (Engine * engine);

/* The effect of one element, on frames in memory of the system. All functions
 * may be called from any thread, and wait for each other. */
typedef struct _SlitScanEngine SlitScanEngine;

SlitScanEngine *slit_scan_engine_new (void);

SLIT_SCAN_ENGINE_FUNCTIONS (slit_scan_engine, SlitScanEngine, SlitScanFrame)

/* Forgets all frames and the layout, and gives the memory back. */
void slit_scan_engine_release (SlitScanEngine * engine);

/* Keeps history that does not fit into memory in a folder; in memory where
 * FOLDER is NULL or "". A change takes effect, and empties the history, with the
 * next frame. */
void slit_scan_engine_set_history_location (SlitScanEngine * engine,
    const char *SLIT_SCAN_NULLABLE folder);

/* Says how old the output is once history is full of frames that come INTERVAL
 * nanoseconds apart: the delays of the report, and nothing else in it. */
bool slit_scan_engine_settle (SlitScanEngine * engine, uint64_t interval,
    const SlitScanSettings * settings, SlitScanReport * report,
    SlitScanError * error);

/* The effect of one element, on frames in textures. All functions are called
 * on the GL thread of one context, with that context current. */
typedef struct _SlitScanGLEngine SlitScanGLEngine;

/* NULL, and an error, where the GstGLContext is older than OpenGL 3.3 or
 * OpenGL ES 3.0, or too small. */
SlitScanGLEngine *SLIT_SCAN_NULLABLE slit_scan_gl_engine_new
    (void *gst_gl_context, SlitScanError * error);

SLIT_SCAN_ENGINE_FUNCTIONS (slit_scan_gl_engine, SlitScanGLEngine,
    SlitScanTextures)

/* As set_map, of an image in textures. */
bool slit_scan_gl_engine_set_map_textures (SlitScanGLEngine * engine,
    SlitScanMap map, const SlitScanLayout * layout,
    const SlitScanTextures * image, SlitScanError * error);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
