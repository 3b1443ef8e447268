/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The GL context of an element: that of a neighbour, or one of its own. */

#include "gstglslitscan.h"

#define GST_CAT_DEFAULT gst_gl_slit_scan_debug

#define SUPPORTED_APIS (GST_GL_API_OPENGL3 | GST_GL_API_OPENGL | GST_GL_API_GLES2)

/* Sets one of the references. */
static void
replace (GstGLSlitScanContexts * contexts, gpointer * place, gpointer object)
{
  gpointer former;

  g_mutex_lock (&contexts->lock);
  former = *place;
  *place = object;
  g_mutex_unlock (&contexts->lock);
  gst_clear_object (&former);
}

static gpointer
ref (GstGLSlitScanContexts * contexts, gpointer * place)
{
  gpointer object;

  g_mutex_lock (&contexts->lock);
  object = *place != NULL ? gst_object_ref (*place) : NULL;
  g_mutex_unlock (&contexts->lock);
  return object;
}

void
gst_gl_slit_scan_contexts_close (GstGLSlitScanContexts * contexts)
{
  replace (contexts, (gpointer *) & contexts->context, NULL);
  replace (contexts, (gpointer *) & contexts->other, NULL);
  replace (contexts, (gpointer *) & contexts->display, NULL);
}

GstGLContext *
gst_gl_slit_scan_contexts_ref (GstGLSlitScanContexts * contexts)
{
  return ref (contexts, (gpointer *) & contexts->context);
}

void
gst_gl_slit_scan_contexts_set (GstGLSlitScanContexts * contexts,
    GstGLContext * context)
{
  replace (contexts, (gpointer *) & contexts->context,
      context != NULL ? gst_object_ref (context) : NULL);
}

/* The context of a neighbour on this display. */
static GstGLContext *
find_local (GstElement * element, GstGLDisplay * display)
{
  const GstPadDirection directions[] = { GST_PAD_SRC, GST_PAD_SINK };

  for (guint i = 0; i < G_N_ELEMENTS (directions); i++) {
    GstGLContext *context = NULL;

    if (gst_gl_query_local_gl_context (element, directions[i], &context)
        && context != NULL && context->display == display)
      return context;
    gst_clear_object (&context);
  }
  return NULL;
}

/* A context that the display has, or a new one. */
static GstGLContext *
make (GstGLDisplay * display, GstGLContext * other, GError ** error)
{
  GstGLContext *context = NULL;

  GST_OBJECT_LOCK (display);
  do {
    gst_clear_object (&context);
    context = gst_gl_display_get_gl_context_for_thread (display, NULL);
    if (context == NULL
        && !gst_gl_display_create_context (display, other, &context, error))
      break;
  } while (!gst_gl_display_add_context (display, context));
  GST_OBJECT_UNLOCK (display);
  return context;
}

GstGLContext *
gst_gl_slit_scan_contexts_find (GstGLSlitScanContexts * contexts,
    GstElement * element, GError ** error)
{
  GstGLContext *context = gst_gl_slit_scan_contexts_ref (contexts);
  GstGLContext *other;
  GstGLDisplay *display;

  if (context != NULL)
    return context;
  display = ref (contexts, (gpointer *) & contexts->display);
  if (display == NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "There is no GL display.");
    return NULL;
  }
  /* A neighbour may ask this element at the same time: no lock is held. */
  context = find_local (element, display);
  if (context == NULL) {
    other = ref (contexts, (gpointer *) & contexts->other);
    context = make (display, other, error);
    gst_clear_object (&other);
  }
  gst_object_unref (display);
  if (context != NULL)
    gst_gl_slit_scan_contexts_set (contexts, context);
  return context;
}

gboolean
gst_gl_slit_scan_contexts_open (GstGLSlitScanContexts * contexts,
    GstElement * element)
{
  /* An element that has a display offers it meanwhile: look for it here. */
  if (!gst_gl_ensure_element_data (element, &contexts->display,
          &contexts->other))
    return FALSE;
  gst_gl_display_filter_gl_api (contexts->display, SUPPORTED_APIS);
  return TRUE;
}

void
gst_gl_slit_scan_contexts_offer (GstGLSlitScanContexts * contexts,
    GstElement * element, GstContext * context)
{
  GstGLDisplay *display = ref (contexts, (gpointer *) & contexts->display);
  GstGLContext *other = ref (contexts, (gpointer *) & contexts->other);

  gst_gl_handle_set_context (element, context, &display, &other);
  if (display != NULL)
    gst_gl_display_filter_gl_api (display, SUPPORTED_APIS);
  replace (contexts, (gpointer *) & contexts->display, display);
  replace (contexts, (gpointer *) & contexts->other, other);
}

gboolean
gst_gl_slit_scan_contexts_answer (GstGLSlitScanContexts * contexts,
    GstElement * element, GstQuery * query)
{
  GstGLDisplay *display = ref (contexts, (gpointer *) & contexts->display);
  GstGLContext *other = ref (contexts, (gpointer *) & contexts->other);
  GstGLContext *context = gst_gl_slit_scan_contexts_ref (contexts);
  gboolean is_answered = gst_gl_handle_context_query (element, query, display,
      context, other);

  gst_clear_object (&context);
  gst_clear_object (&other);
  gst_clear_object (&display);
  return is_answered;
}
