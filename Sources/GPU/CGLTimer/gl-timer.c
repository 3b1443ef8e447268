/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Pad probes put timer queries around what an element does in between. All of them
 * are called on the streaming thread, and go to the GL thread from there. */

#include "gl-timer.h"

#include <dlfcn.h>

/* The parts of GStreamer's OpenGL library, and of OpenGL, that are used. */
typedef struct _GstGLContext GstGLContext;
typedef void (*ContextFunction) (GstGLContext * context, gpointer data);

#define TIME_ELAPSED 1          /* GST_GL_QUERY_TIME_ELAPSED */
#define TARGET_2D 1             /* GST_GL_TEXTURE_TARGET_2D */

#define FUNCTIONS(FUNCTION) \
  FUNCTION (gboolean, is_gl_memory, (GstMemory *)) \
  FUNCTION (gboolean, gl_query_local_gl_context, \
      (GstElement *, GstPadDirection, GstGLContext **)) \
  FUNCTION (void, gl_context_thread_add, \
      (GstGLContext *, ContextFunction, gpointer)) \
  FUNCTION (gpointer, gl_context_get_proc_address, \
      (GstGLContext *, const gchar *)) \
  FUNCTION (gpointer, gl_query_new, (GstGLContext *, gint)) \
  FUNCTION (void, gl_query_free, (gpointer)) \
  FUNCTION (void, gl_query_start, (gpointer)) \
  FUNCTION (void, gl_query_end, (gpointer)) \
  FUNCTION (guint64, gl_query_result, (gpointer)) \
  FUNCTION (gint, gl_memory_get_texture_width, (GstMemory *)) \
  FUNCTION (gint, gl_memory_get_texture_height, (GstMemory *)) \
  FUNCTION (guint, gl_memory_get_texture_format, (GstMemory *)) \
  FUNCTION (gboolean, gl_memory_copy_into, \
      (GstMemory *, guint, gint, guint, gint, gint))

struct _GLTimer
{
#define MEMBER(RESULT, name, ARGUMENTS) RESULT (*name) ARGUMENTS;
  FUNCTIONS (MEMBER)
#undef MEMBER
  void *library;
  GstElement *element;
  GstPad *pads[2];
  gulong probes[2];
  gboolean copies;
  gboolean is_software;

  /* Of the streaming thread and, while that waits, the GL thread. */
  GstGLContext *context;
  gpointer query;
  gboolean is_running;
  GstClockTime start;
  void (*finish) (void);
  GstBuffer *buffer;
  guint texture;

  GMutex lock;
  guint64 frames;
  guint64 nanoseconds;
};

static void
begin_on_gl_thread (GstGLContext * context, gpointer data)
{
  GLTimer *self = data;

  if (self->finish == NULL)
    self->finish = (void (*)(void)) self->gl_context_get_proc_address (context,
        "glFinish");
  if (self->query == NULL)
    self->query = self->gl_query_new (context, TIME_ELAPSED);
  self->is_running = TRUE;
  if (self->is_software) {
    self->finish ();
    self->start = gst_util_get_timestamp ();
  } else {
    self->gl_query_start (self->query);
  }
}

/* Waits for the GPU: no frame is drawn while another one is timed. */
static GstClockTime
stop (GLTimer * self)
{
  self->is_running = FALSE;
  if (self->is_software) {
    self->finish ();
    return gst_util_get_timestamp () - self->start;
  }
  self->gl_query_end (self->query);
  return self->gl_query_result (self->query);
}

static void
end_on_gl_thread (GstGLContext * context, gpointer data)
{
  GLTimer *self = data;
  GstClockTime time;

  if (!self->is_running)
    return;
  time = stop (self);
  g_mutex_lock (&self->lock);
  self->frames++;
  self->nanoseconds += time;
  g_mutex_unlock (&self->lock);
}

static void
copy_on_gl_thread (GstGLContext * context, gpointer data)
{
  GLTimer *self = data;

  if (self->texture == 0) {
    void (*generate) (gint, guint *) =
        (void (*)(gint, guint *)) self->gl_context_get_proc_address (context,
        "glGenTextures");

    generate (1, &self->texture);
  }
  begin_on_gl_thread (context, data);
  for (guint i = 0; i < gst_buffer_n_memory (self->buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (self->buffer, i);

    self->gl_memory_copy_into (memory, self->texture, TARGET_2D,
        self->gl_memory_get_texture_format (memory),
        self->gl_memory_get_texture_width (memory),
        self->gl_memory_get_texture_height (memory));
  }
  end_on_gl_thread (context, data);
}

static void
delete_on_gl_thread (GstGLContext * context, gpointer data)
{
  GLTimer *self = data;

  if (self->is_running)
    stop (self);
  if (self->query != NULL)
    self->gl_query_free (self->query);
  self->query = NULL;
  if (self->texture != 0) {
    void (*delete) (gint, const guint *) =
        (void (*)(gint, const guint *)) self->gl_context_get_proc_address
        (context, "glDeleteTextures");

    delete (1, &self->texture);
  }
  self->texture = 0;
}

static GstPadProbeReturn
take_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GLTimer *self = data;

  self->buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  if (gst_buffer_n_memory (self->buffer) == 0
      || !self->is_gl_memory (gst_buffer_peek_memory (self->buffer, 0)))
    return GST_PAD_PROBE_OK;
  if (self->context == NULL)
    self->gl_query_local_gl_context (self->element, GST_PAD_SINK,
        &self->context);
  if (self->context != NULL)
    self->gl_context_thread_add (self->context,
        self->copies ? copy_on_gl_thread : begin_on_gl_thread, self);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
give_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GLTimer *self = data;

  if (self->query != NULL && !self->copies)
    self->gl_context_thread_add (self->context, end_on_gl_thread, self);
  return GST_PAD_PROBE_OK;
}

static gboolean
load (GLTimer * self)
{
  self->library = dlopen ("libgstgl-1.0.so.0", RTLD_NOW | RTLD_LOCAL);
  if (self->library == NULL)
    return FALSE;
#define LOAD(RESULT, name, ARGUMENTS) \
  self->name = (RESULT (*) ARGUMENTS) dlsym (self->library, "gst_" #name);
#define IS_THERE(RESULT, name, ARGUMENTS) && self->name != NULL
  FUNCTIONS (LOAD);
  return TRUE FUNCTIONS (IS_THERE);
}

GLTimer *
gl_timer_new (GstElement * element, gboolean copies, gboolean is_software)
{
  GLTimer *self = g_new0 (GLTimer, 1);

  g_mutex_init (&self->lock);
  if (!load (self)) {
    gl_timer_free (self);
    return NULL;
  }
  self->element = element;
  self->copies = copies;
  self->is_software = is_software;
  self->pads[0] = gst_element_get_static_pad (element, "sink");
  self->pads[1] = gst_element_get_static_pad (element, "src");
  self->probes[0] = gst_pad_add_probe (self->pads[0],
      GST_PAD_PROBE_TYPE_BUFFER, take_frame, self, NULL);
  self->probes[1] = gst_pad_add_probe (self->pads[1],
      GST_PAD_PROBE_TYPE_BUFFER, give_frame, self, NULL);
  return self;
}

void
gl_timer_take (GLTimer * self, guint64 * frames, guint64 * nanoseconds)
{
  g_mutex_lock (&self->lock);
  *frames = self->frames;
  *nanoseconds = self->nanoseconds;
  self->frames = 0;
  self->nanoseconds = 0;
  g_mutex_unlock (&self->lock);
}

void
gl_timer_free (GLTimer * self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->pads); i++) {
    if (self->pads[i] != NULL)
      gst_pad_remove_probe (self->pads[i], self->probes[i]);
    gst_clear_object (&self->pads[i]);
  }
  if (self->context != NULL) {
    self->gl_context_thread_add (self->context, delete_on_gl_thread, self);
    gst_object_unref (self->context);
  }
  if (self->library != NULL)
    dlclose (self->library);
  g_mutex_clear (&self->lock);
  g_free (self);
}
