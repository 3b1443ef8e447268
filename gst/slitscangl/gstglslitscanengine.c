/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The effect on frames in textures: every call goes to the GL thread, where
 * buffers are mapped, too, so that a frame changes thread once. */

#include <gst/gl/gstglfuncs.h>

#include "gstglslitscan.h"
#include "slitscan-engine.h"

#define GST_CAT_DEFAULT gst_gl_slit_scan_debug

#define CONTEXT_IS_LOST \
    "The OpenGL context is lost. Set the pipeline to READY and play again."

typedef struct
{
  GstSlitScan *element;         /* owns this */
  GstGLSlitScanContexts contexts;

  /* Written on the GL thread of that context, with the lock of contexts. */
  SlitScanGLEngine *effect;
  GstGLContext *context;
  /* The image of a file, which may come before there is a context. */
  GstBuffer *image;
  GstVideoInfo image_info;
  /* What to say of the context; NULL if that is said. */
  GstStructure *news;
} Engine;

typedef struct _Call Call;

/* Does a call on the GL thread, with the effect of its context. */
typedef void (*CallFunction) (Call * call, GstGLContext * context,
    SlitScanGLEngine * effect);

/* A call on its way to the GL thread, and its answer. */
struct _Call
{
  Engine *engine;
  CallFunction function;
  gboolean makes_effect;        /* where there is none */
  const GstSlitScanFrame *source;
  const GstSlitScanFrame *target;
  const GstVideoInfo *info;
  gint output_width;
  gint output_height;
  guint64 time;
  guint64 *input_time;          /* what is redrawn; NULL for the last output */
  SlitScanMap map;
  const SlitScanFrame *planes;
  const SlitScanSettings *settings;
  SlitScanReport *report;
  SlitScanError *error;
  GstSlitScanOutcome outcome;
};

static void
describe_layout (Engine * self, const GstVideoInfo * info,
    SlitScanLayout * layout)
{
  GST_SLIT_SCAN_GET_CLASS (self->element)->describe_layout (info, layout);
}

static void
set_error (SlitScanError * error, gint code, const gchar * message)
{
  error->code = code;
  g_strlcpy (error->message, message, sizeof (error->message));
}

static void
set_effect (Engine * self, GstGLContext * context, SlitScanGLEngine * effect)
{
  g_mutex_lock (&self->contexts.lock);
  self->effect = effect;
  self->context = context;
  g_mutex_unlock (&self->contexts.lock);
}

static void
call_on_gl_thread (GstGLContext * context, gpointer data)
{
  Call *call = data;
  Engine *self = call->engine;
  SlitScanGLEngine *effect;

  g_mutex_lock (&self->contexts.lock);
  effect = self->context == context ? self->effect : NULL;
  g_mutex_unlock (&self->contexts.lock);
  if (effect != NULL || call->makes_effect)
    call->function (call, context, effect);
}

/* Calls on the GL thread, if there is one and it has the effect. */
static void
call (Engine * self, CallFunction function, Call * call)
{
  GstGLContext *context = gst_gl_slit_scan_contexts_ref (&self->contexts);

  call->engine = self;
  call->function = function;
  if (context == NULL)
    return;
  gst_gl_context_thread_add (context, call_on_gl_thread, call);
  gst_object_unref (context);
}

/* -- on the GL thread ----------------------------------------------------- */

static gboolean
give_planes (Engine * self, SlitScanGLEngine * effect, SlitScanMap map,
    const GstVideoInfo * info, const SlitScanFrame * planes,
    SlitScanError * error)
{
  SlitScanLayout layout;

  describe_layout (self, info, &layout);
  return slit_scan_gl_engine_set_map (effect, map, &layout, planes, error);
}

static gboolean
give_image (Engine * self, SlitScanGLEngine * effect, SlitScanError * error)
{
  GstVideoFrame frame;
  SlitScanFrame planes;
  gboolean is_given;

  if (self->image == NULL
      || !gst_video_frame_map (&frame, &self->image_info, self->image,
          GST_MAP_READ))
    return TRUE;
  GST_SLIT_SCAN_GET_CLASS (self->element)->describe_planes (&frame, &planes);
  is_given = give_planes (self, effect, SLIT_SCAN_MAP_IMAGE, &self->image_info,
      &planes, error);
  gst_video_frame_unmap (&frame);
  return is_given;
}

/* The name that the driver gives the GPU, or itself where there is none. */
static GstStructure *
describe_context (GstGLContext * context)
{
  const gchar *renderer =
      (const gchar *) context->gl_vtable->GetString (GL_RENDERER);
  const gchar *version =
      (const gchar *) context->gl_vtable->GetString (GL_VERSION);

  return gst_structure_new ("slitscan-gl",
      "renderer", G_TYPE_STRING, renderer != NULL ? renderer : "",
      "version", G_TYPE_STRING, version != NULL ? version : "", NULL);
}

static void
configure_on_gl_thread (Call * call, GstGLContext * context,
    SlitScanGLEngine * effect)
{
  Engine *self = call->engine;
  SlitScanLayout layout;

  if (effect == NULL) {
    self->news = describe_context (context);
    effect = slit_scan_gl_engine_new (context, call->error);
    if (effect == NULL)
      return;
    set_effect (self, context, effect);
    if (!give_image (self, effect, call->error))
      return;
  }
  describe_layout (self, call->info, &layout);
  if (slit_scan_gl_engine_configure (effect, &layout, call->output_width,
          call->output_height, call->settings, call->error))
    call->outcome = GST_SLIT_SCAN_DONE;
}

static void
process_on_gl_thread (Call * call, GstGLContext * context,
    SlitScanGLEngine * effect)
{
  GstGLSlitScanTextures in, out;
  GstGLSyncMeta *sync;
  gboolean is_done;

  if (call->source != NULL
      && !gst_gl_slit_scan_textures_map (&in, context, call->source,
          GST_MAP_READ)) {
    call->outcome = GST_SLIT_SCAN_UNREADABLE;
    return;
  }
  if (call->target != NULL
      && !gst_gl_slit_scan_textures_map (&out, context, call->target,
          GST_MAP_WRITE)) {
    if (call->source != NULL)
      gst_gl_slit_scan_textures_unmap (&in);
    call->outcome = GST_SLIT_SCAN_UNWRITABLE;
    return;
  }
  is_done = slit_scan_gl_engine_process (effect,
      call->source != NULL ? &in.textures : NULL,
      call->target != NULL ? &out.textures : NULL, call->time, call->settings,
      call->report, call->error);
  if (call->target != NULL) {
    gst_gl_slit_scan_textures_unmap (&out);
    sync = gst_buffer_get_gl_sync_meta (call->target->buffer);
    if (sync != NULL)
      gst_gl_sync_meta_set_sync_point (sync, context);
  }
  if (call->source != NULL)
    gst_gl_slit_scan_textures_unmap (&in);
  if (is_done)
    call->outcome = GST_SLIT_SCAN_DONE;
}

static void
set_map_on_gl_thread (Call * call, GstGLContext * context,
    SlitScanGLEngine * effect)
{
  Engine *self = call->engine;
  GstGLSlitScanTextures mapped;
  gboolean is_set = FALSE;

  if (call->source == NULL) {
    is_set = slit_scan_gl_engine_set_map (effect, call->map, NULL, NULL,
        call->error);
  } else if (call->planes != NULL) {
    is_set = give_planes (self, effect, call->map, call->source->info,
        call->planes, call->error);
  } else if (gst_gl_slit_scan_textures_map (&mapped, context, call->source,
          GST_MAP_READ)) {
    SlitScanLayout layout;

    describe_layout (self, call->source->info, &layout);
    is_set = slit_scan_gl_engine_set_map_textures (effect, call->map, &layout,
        &mapped.textures, call->error);
    gst_gl_slit_scan_textures_unmap (&mapped);
  } else {
    set_error (call->error, SLIT_SCAN_ERROR_FRAME_TOO_SMALL,
        "A frame of the map does not match its caps.");
  }
  call->outcome = is_set ? GST_SLIT_SCAN_DONE : GST_SLIT_SCAN_FAILED;
}

static void
redraw_on_gl_thread (Call * call, GstGLContext * context,
    SlitScanGLEngine * effect)
{
  GstGLSlitScanTextures mapped;
  SlitScanLayout layout;

  if (!gst_gl_slit_scan_textures_map (&mapped, context, call->target,
          GST_MAP_WRITE))
    return;
  describe_layout (call->engine, call->target->info, &layout);
  if (slit_scan_gl_engine_redraw (effect, &layout, call->input_time,
          &mapped.textures))
    call->outcome = GST_SLIT_SCAN_DONE;
  gst_gl_slit_scan_textures_unmap (&mapped);
}

static void
draw_ages_on_gl_thread (Call * call, GstGLContext * context,
    SlitScanGLEngine * effect)
{
  if (slit_scan_gl_engine_draw_ages (effect, call->planes, call->error))
    call->outcome = GST_SLIT_SCAN_DONE;
}

static void
forget_on_gl_thread (Call * call, GstGLContext * context,
    SlitScanGLEngine * effect)
{
  slit_scan_gl_engine_forget (effect);
}

static void
release_on_gl_thread (Call * call, GstGLContext * context,
    SlitScanGLEngine * effect)
{
  set_effect (call->engine, NULL, NULL);
  slit_scan_gl_engine_free (effect);
}

/* -- on other threads ----------------------------------------------------- */

static gpointer
create (GstSlitScan * element)
{
  Engine *self = g_new0 (Engine, 1);

  self->element = element;
  g_mutex_init (&self->contexts.lock);
  gst_gl_slit_scan_set_contexts (element, &self->contexts);
  return self;
}

static void
release (gpointer engine)
{
  Engine *self = engine;
  Call release = { 0, };

  call (self, release_on_gl_thread, &release);
  gst_gl_slit_scan_contexts_set (&self->contexts, NULL);
}

static void
free_engine (gpointer engine)
{
  Engine *self = engine;

  release (self);
  gst_gl_slit_scan_contexts_close (&self->contexts);
  g_mutex_clear (&self->contexts.lock);
  gst_clear_buffer (&self->image);
  g_free (self);
}

static gboolean
configure (gpointer engine, const GstVideoInfo * info, gint output_width,
    gint output_height, const SlitScanSettings * settings,
    SlitScanError * error)
{
  Engine *self = engine;
  Call configure = { 0, };
  GError *failure = NULL;
  GstGLContext *context = gst_gl_slit_scan_contexts_find (&self->contexts,
      GST_ELEMENT (self->element), &failure);

  if (context == NULL) {
    gchar *message = g_strdup_printf ("There is no OpenGL: %s Use slitscan in "
        "the place of glupload, glslitscan and gldownload.",
        failure != NULL ? failure->message : "no context.");

    set_error (error, SLIT_SCAN_ERROR_NOT_CONFIGURED, message);
    g_free (message);
    g_clear_error (&failure);
    return FALSE;
  }
  gst_object_unref (context);
  set_error (error, SLIT_SCAN_ERROR_NOT_CONFIGURED,
      "The OpenGL context does not answer.");
  configure.info = info;
  configure.output_width = output_width;
  configure.output_height = output_height;
  configure.settings = settings;
  configure.error = error;
  configure.makes_effect = TRUE;
  configure.outcome = GST_SLIT_SCAN_FAILED;
  call (self, configure_on_gl_thread, &configure);
  if (self->news != NULL)
    gst_element_post_message (GST_ELEMENT (self->element),
        gst_message_new_element (GST_OBJECT (self->element),
            g_steal_pointer (&self->news)));
  return configure.outcome == GST_SLIT_SCAN_DONE;
}

static GstSlitScanOutcome
process (gpointer engine, const GstSlitScanFrame * source,
    const GstSlitScanFrame * target, guint64 time,
    const SlitScanSettings * settings, SlitScanReport * report,
    SlitScanError * error)
{
  Call process = { 0, };

  set_error (error, SLIT_SCAN_ERROR_NOT_CONFIGURED, CONTEXT_IS_LOST);
  process.source = source;
  process.target = target;
  process.time = time;
  process.settings = settings;
  process.report = report;
  process.error = error;
  process.outcome = GST_SLIT_SCAN_FAILED;
  call (engine, process_on_gl_thread, &process);
  return process.outcome;
}

/* Keeps an image, or forgets it. The effect may be made only later. */
static void
keep_image (Engine * self, const GstSlitScanFrame * image)
{
  gst_buffer_replace (&self->image, image != NULL ? image->buffer : NULL);
  if (image != NULL)
    self->image_info = *image->info;
}

static gboolean
set_map (gpointer engine, SlitScanMap map, const GstSlitScanFrame * image,
    SlitScanError * error)
{
  Engine *self = engine;
  Call set = { 0, };
  GstGLContext *context = gst_gl_slit_scan_contexts_ref (&self->contexts);
  GstVideoFrame frame;
  SlitScanFrame planes;

  if (map == SLIT_SCAN_MAP_IMAGE)
    keep_image (self, image);
  if (context == NULL)
    return TRUE;
  set.source = image;
  set.map = map;
  set.error = error;
  set.outcome = GST_SLIT_SCAN_DONE;
  /* Textures of a context that does not share with this one are downloaded, by
   * the thread of that context. */
  if (image != NULL && !gst_gl_slit_scan_has_textures (image, context)) {
    if (gst_video_frame_map (&frame, image->info, image->buffer, GST_MAP_READ)) {
      GST_SLIT_SCAN_GET_CLASS (self->element)->describe_planes (&frame,
          &planes);
      set.planes = &planes;
    }
  }
  call (self, set_map_on_gl_thread, &set);
  if (set.planes != NULL)
    gst_video_frame_unmap (&frame);
  gst_object_unref (context);
  return set.outcome == GST_SLIT_SCAN_DONE;
}

static GstBuffer *
redraw (gpointer engine, const GstVideoInfo * info, guint64 * time)
{
  Engine *self = engine;
  Call redraw = { 0, };
  GstGLContext *context = gst_gl_slit_scan_contexts_ref (&self->contexts);
  GstSlitScanFrame target = { NULL, info };

  if (context == NULL)
    return NULL;
  target.buffer = gst_gl_slit_scan_textures_new (context, info);
  gst_object_unref (context);
  if (target.buffer == NULL)
    return NULL;
  redraw.target = &target;
  redraw.input_time = time;
  redraw.outcome = GST_SLIT_SCAN_FAILED;
  call (self, redraw_on_gl_thread, &redraw);
  if (redraw.outcome != GST_SLIT_SCAN_DONE)
    gst_clear_buffer (&target.buffer);
  return target.buffer;
}

static GstSlitScanOutcome
draw_ages (gpointer engine, const GstSlitScanFrame * target,
    SlitScanError * error)
{
  Engine *self = engine;
  Call draw = { 0, };
  GstVideoFrame frame;
  SlitScanFrame planes;

  if (!gst_video_frame_map (&frame, target->info, target->buffer,
          GST_MAP_WRITE | GST_VIDEO_FRAME_MAP_FLAG_NO_REF))
    return GST_SLIT_SCAN_UNWRITABLE;
  GST_SLIT_SCAN_GET_CLASS (self->element)->describe_planes (&frame, &planes);
  set_error (error, SLIT_SCAN_ERROR_NOT_CONFIGURED, CONTEXT_IS_LOST);
  draw.planes = &planes;
  draw.error = error;
  draw.outcome = GST_SLIT_SCAN_FAILED;
  call (self, draw_ages_on_gl_thread, &draw);
  gst_video_frame_unmap (&frame);
  return draw.outcome;
}

static void
forget (gpointer engine)
{
  Call forget = { 0, };

  call (engine, forget_on_gl_thread, &forget);
}

const GstSlitScanEngineClass gst_gl_slit_scan_engine_class = {
  .create = create,
  .free = free_engine,
  .configure = configure,
  .process = process,
  .set_map = set_map,
  .redraw = redraw,
  .draw_ages = draw_ages,
  .forget = forget,
  .release = release,
};
