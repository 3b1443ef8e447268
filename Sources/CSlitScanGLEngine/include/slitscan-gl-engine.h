/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The interface between the element on the GPU (C, gst/slitscangl) and the
 * effect (Swift, Sources/SlitScanGL). The functions are implemented in Swift;
 * a signature that differs from the one here does not compile. Each does what
 * the function of the same name in slitscan-engine.h does. */
#pragma once

#include "slitscan-engine.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/* The planes of one frame as textures of the target GL_TEXTURE_2D, as
 * GstGLMemory has them. */
typedef struct
{
  uint32_t names[4];            /* 0: unused */
  uint32_t formats[4];          /* the sized internal format, such as GL_R8 */
  int32_t widths[4];            /* of the texture, in texels */
  int32_t heights[4];
} SlitScanTextures;

/* The effect of one element. All functions are called on the GL thread of one
 * context, with that context current. */
typedef struct _SlitScanGLEngine SlitScanGLEngine;

/* NULL, and an error, where the GstGLContext is older than OpenGL 3.3 or
 * OpenGL ES 3.0, or too small. */
SlitScanGLEngine *SLIT_SCAN_NULLABLE slit_scan_gl_engine_new
    (void *gst_gl_context, SlitScanError * error);
/* Deletes the textures and programs, too. */
void slit_scan_gl_engine_free (SlitScanGLEngine * engine);

bool slit_scan_gl_engine_configure (SlitScanGLEngine * engine,
    const SlitScanLayout * layout, int32_t output_width, int32_t output_height,
    const SlitScanSettings * settings, SlitScanError * error);

bool slit_scan_gl_engine_process (SlitScanGLEngine * engine,
    const SlitScanTextures * source,
    const SlitScanTextures * SLIT_SCAN_NULLABLE target, uint64_t time,
    const SlitScanSettings * settings, SlitScanReport * report,
    SlitScanError * error);

bool slit_scan_gl_engine_repeat (SlitScanGLEngine * engine,
    const SlitScanTextures * target, uint64_t time,
    const SlitScanSettings * settings, SlitScanReport * report,
    SlitScanError * error);

/* The image in system memory. */
bool slit_scan_gl_engine_set_map (SlitScanGLEngine * engine, SlitScanMap map,
    const SlitScanLayout * SLIT_SCAN_NULLABLE layout,
    const SlitScanFrame * SLIT_SCAN_NULLABLE image, SlitScanError * error);

/* The image in textures. */
bool slit_scan_gl_engine_set_map_textures (SlitScanGLEngine * engine,
    SlitScanMap map, const SlitScanLayout * layout,
    const SlitScanTextures * image, SlitScanError * error);

bool slit_scan_gl_engine_redraw (SlitScanGLEngine * engine,
    const SlitScanLayout * layout, const SlitScanTextures * target);

bool slit_scan_gl_engine_settle (SlitScanGLEngine * engine, uint64_t interval,
    const SlitScanSettings * settings, SlitScanReport * report,
    SlitScanError * error);

void slit_scan_gl_engine_forget (SlitScanGLEngine * engine);

void slit_scan_gl_engine_release (SlitScanGLEngine * engine);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
