/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The element's type, and the functions that its files share.
 *
 * Threads: the streaming thread finds the GL context. The effect is only used
 * on that context's GL thread. Lock: that of the context is held for a moment,
 * never while something is called. */
#pragma once

#include <gst/gl/gl.h>

#include "gstslitscan.h"
#include "slitscan-engine.h"

G_BEGIN_DECLS

GST_DEBUG_CATEGORY_EXTERN (gst_gl_slit_scan_debug);

/* The GL display and context of an element. */
typedef struct
{
  GMutex lock;
  GstGLDisplay *display;
  GstGLContext *other;          /* of the application, to share with */
  GstGLContext *context;
} GstGLSlitScanContexts;

/* The type, with this parent: the one of the element slitscan. Invalid if that
 * is of another version. */
GType gst_gl_slit_scan_get_type (GType parent);

/* -- gstglslitscan.c ------------------------------------------------------ */

/* Says which contexts are the element's. They live as long as it does. */
void gst_gl_slit_scan_set_contexts (gpointer element,
    GstGLSlitScanContexts * contexts);

/* -- gstglslitscancontext.c ----------------------------------------------- */

/* Gives all of them up. */
void gst_gl_slit_scan_contexts_close (GstGLSlitScanContexts * contexts);

/* The context, or NULL. */
GstGLContext *gst_gl_slit_scan_contexts_ref (GstGLSlitScanContexts * contexts);

/* The same on the streaming thread: finds the context of a neighbour, or makes
 * one. */
GstGLContext *gst_gl_slit_scan_contexts_find (GstGLSlitScanContexts * contexts,
    GstElement * element, GError ** error);

/* Takes this context in the place of the present one. */
void gst_gl_slit_scan_contexts_set (GstGLSlitScanContexts * contexts,
    GstGLContext * context);

/* Finds the display. */
gboolean gst_gl_slit_scan_contexts_open (GstGLSlitScanContexts * contexts,
    GstElement * element);

/* Takes what the application or a neighbour offers. */
void gst_gl_slit_scan_contexts_offer (GstGLSlitScanContexts * contexts,
    GstElement * element, GstContext * context);

/* Answers a query for a context; FALSE if there is no answer. */
gboolean gst_gl_slit_scan_contexts_answer (GstGLSlitScanContexts * contexts,
    GstElement * element, GstQuery * query);

/* -- gstglslitscantextures.c ---------------------------------------------- */

/* The textures of a frame's planes while they are mapped. */
typedef struct
{
  guint count;
  GstMapInfo maps[GST_VIDEO_MAX_PLANES];
  SlitScanTextures textures;
} GstGLSlitScanTextures;

/* Whether a frame has textures that a context can use. */
gboolean gst_gl_slit_scan_has_textures (const GstSlitScanFrame * frame,
    GstGLContext * context);

/* On the GL thread of the context; FALSE if there are none. */
gboolean gst_gl_slit_scan_textures_map (GstGLSlitScanTextures * mapped,
    GstGLContext * context, const GstSlitScanFrame * frame, GstMapFlags flags);
void gst_gl_slit_scan_textures_unmap (GstGLSlitScanTextures * mapped);

/* A buffer of textures that is used once; NULL if there can be none. */
GstBuffer *gst_gl_slit_scan_textures_new (GstGLContext * context,
    const GstVideoInfo * info);

/* -- gstglslitscanengine.c ------------------------------------------------ */

/* The effect on frames in textures. */
extern const GstSlitScanEngineClass gst_gl_slit_scan_engine_class;

G_END_DECLS
