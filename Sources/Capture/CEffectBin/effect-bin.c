/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The bin keeps errors of the GPU to itself, and looks after each frame whether
 * there was one. */

#include "effect-bin.h"

#include <gst/video/video.h>

typedef struct
{
  GstBin parent;

  GstElement *on_gpu;
  GstElement *on_cpu;
  GstPad *sink;
  GstPad *src;
  GstPad *map;                  /* NULL until it is asked for */

  /* With the object lock. */
  gboolean has_fallen_back;
  gboolean is_settled;          /* it has, and the other element is linked */
  gchar *reason;                /* why not the GPU; NULL where nothing failed */
} EffectBin;

typedef struct
{
  GstBinClass parent_class;
} EffectBinClass;

static GType effect_bin_get_type (void);

G_DEFINE_TYPE (EffectBin, effect_bin, GST_TYPE_BIN);

static GstStaticPadTemplate map_template = GST_STATIC_PAD_TEMPLATE ("map",
    GST_PAD_SINK, GST_PAD_REQUEST, GST_STATIC_CAPS_ANY);

/* -- what fails ----------------------------------------------------------- */

static gboolean
is_on_gpu (EffectBin * self)
{
  gboolean result;

  GST_OBJECT_LOCK (self);
  result = !self->has_fallen_back;
  GST_OBJECT_UNLOCK (self);
  return result;
}

/* Whether an element of the GPU has posted an error, or its answer ends the
 * stream. */
static gboolean
has_failed (EffectBin * self, GstFlowReturn flow)
{
  gboolean result;

  GST_OBJECT_LOCK (self);
  result = !self->has_fallen_back && self->reason != NULL;
  GST_OBJECT_UNLOCK (self);
  return result || flow == GST_FLOW_ERROR || flow == GST_FLOW_NOT_NEGOTIATED;
}

/* Whether a pad should take frames, and is not being stopped. */
static gboolean
should_flow (EffectBin * self)
{
  return GST_STATE_TARGET (self) >= GST_STATE_PAUSED;
}

static void
handle_message (GstBin * bin, GstMessage * message)
{
  EffectBin *self = (EffectBin *) bin;
  gboolean is_kept = FALSE;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    GError *error = NULL;

    gst_message_parse_error (message, &error, NULL);
    GST_OBJECT_LOCK (self);
    is_kept = !self->has_fallen_back;
    if (is_kept && self->reason == NULL)
      self->reason = g_strdup (error->message);
    GST_OBJECT_UNLOCK (self);
    g_error_free (error);
  }
  if (is_kept)
    gst_message_unref (message);
  else
    GST_BIN_CLASS (effect_bin_parent_class)->handle_message (bin, message);
}

/* The GPU has no history on disk. */
static void
notice_history_location (GObject * on_gpu, GParamSpec * spec, gpointer data)
{
  EffectBin *self = data;
  gchar *location = NULL;

  g_object_get (on_gpu, "history-location", &location, NULL);
  if (location != NULL && *location != '\0') {
    GST_OBJECT_LOCK (self);
    if (!self->has_fallen_back && self->reason == NULL)
      self->reason = g_strdup ("It keeps no history in history-location.");
    GST_OBJECT_UNLOCK (self);
  }
  g_free (location);
}

/* -- the other element ---------------------------------------------------- */

/* Properties of the effect alone, not those of every element. */
static void
copy_properties (GstElement * from, GstElement * to)
{
  guint count;
  GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (to), &count);

  for (guint i = 0; i < count; i++) {
    GValue value = G_VALUE_INIT;

    if (specs[i]->owner_type != G_OBJECT_TYPE (to)
        || (specs[i]->flags & G_PARAM_READWRITE) != G_PARAM_READWRITE)
      continue;
    g_value_init (&value, specs[i]->value_type);
    g_object_get_property (G_OBJECT (from), specs[i]->name, &value);
    g_object_set_property (G_OBJECT (to), specs[i]->name, &value);
    g_value_unset (&value);
  }
  g_free (specs);
}

static void
show (GstPad * ghost, GstPad * target)
{
  gst_ghost_pad_set_target (GST_GHOST_PAD (ghost), target);
  gst_clear_object (&target);
}

/* Takes everything of the GPU out. */
static void
remove_gpu (EffectBin * self)
{
  GList *elements;

  GST_OBJECT_LOCK (self);
  elements =
      g_list_copy_deep (GST_BIN_CHILDREN (self), (GCopyFunc) gst_object_ref,
      NULL);
  GST_OBJECT_UNLOCK (self);
  for (GList * each = elements; each != NULL; each = each->next) {
    gst_element_set_locked_state (each->data, TRUE);
    gst_element_set_state (each->data, GST_STATE_NULL);
    gst_bin_remove (GST_BIN (self), each->data);
  }
  g_list_free_full (elements, gst_object_unref);
}

/* Called on the thread of the frames, while none is under way, or on that which
 * changes the state. FALSE where it has been done. */
static gboolean
fall_back (EffectBin * self)
{
  gchar *reason;

  GST_OBJECT_LOCK (self);
  if (self->has_fallen_back) {
    GST_OBJECT_UNLOCK (self);
    return FALSE;
  }
  self->has_fallen_back = TRUE;
  reason = g_steal_pointer (&self->reason);
  GST_OBJECT_UNLOCK (self);

  copy_properties (self->on_gpu, self->on_cpu);
  remove_gpu (self);
  gst_bin_add (GST_BIN (self), self->on_cpu);
  gst_element_sync_state_with_parent (self->on_cpu);
  show (self->src, gst_element_get_static_pad (self->on_cpu, "src"));
  show (self->sink, gst_element_get_static_pad (self->on_cpu, "sink"));
  if (self->map != NULL)
    show (self->map, gst_element_request_pad_simple (self->on_cpu, "map"));
  GST_OBJECT_LOCK (self);
  self->is_settled = TRUE;
  GST_OBJECT_UNLOCK (self);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new ("slitscan-fallback", "reason", G_TYPE_STRING,
              reason != NULL ? reason : "The GPU does not take this video.",
              NULL)));
  g_free (reason);
  return TRUE;
}

/* Whether the other element has taken the place of the GPU just now. */
static gboolean
falls_back (EffectBin * self, GstFlowReturn flow)
{
  return has_failed (self, flow) && should_flow (self) && fall_back (self);
}

/* -- frames --------------------------------------------------------------- */

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  EffectBin *self = (EffectBin *) parent;
  GstFlowReturn flow;

  if (!is_on_gpu (self) || falls_back (self, GST_FLOW_OK))
    return gst_proxy_pad_chain_default (pad, parent, buffer);
  flow = gst_proxy_pad_chain_default (pad, parent, gst_buffer_ref (buffer));
  if (falls_back (self, flow) && flow != GST_FLOW_OK)
    return gst_proxy_pad_chain_default (pad, parent, buffer);
  gst_buffer_unref (buffer);
  return flow;
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstFlowReturn flow = GST_FLOW_OK;

  for (guint i = 0; i < gst_buffer_list_length (list) && flow == GST_FLOW_OK;
      i++)
    flow = chain (pad, parent, gst_buffer_ref (gst_buffer_list_get (list, i)));
  gst_buffer_list_unref (list);
  return flow;
}

static gboolean
handle_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  EffectBin *self = (EffectBin *) parent;
  gboolean is_taken;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS || !is_on_gpu (self))
    return gst_pad_event_default (pad, parent, event);
  is_taken = gst_pad_event_default (pad, parent, gst_event_ref (event));
  if (!is_taken && should_flow (self) && fall_back (self))
    return gst_pad_event_default (pad, parent, event);
  gst_event_unref (event);
  return is_taken;
}

/* glupload would give its own textures to be filled, which nothing could read
 * without the GPU. */
static gboolean
handle_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION
      && is_on_gpu ((EffectBin *) parent)) {
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
    return TRUE;
  }
  return gst_pad_query_default (pad, parent, query);
}

/* The frames of the map come on another thread, also while one element takes
 * the place of the other. What fails there until that is done must not stop the
 * branch: the frame is lost, and the next one goes to the other element. */
static GstFlowReturn
chain_map (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  EffectBin *self = (EffectBin *) parent;
  GstFlowReturn flow;
  gboolean was_settled;

  GST_OBJECT_LOCK (self);
  was_settled = self->is_settled;
  GST_OBJECT_UNLOCK (self);
  flow = gst_proxy_pad_chain_default (pad, parent, buffer);
  return was_settled || flow == GST_FLOW_EOS || !should_flow (self) ? flow
      : GST_FLOW_OK;
}

static GstPad *
request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * name, const GstCaps * caps)
{
  EffectBin *self = (EffectBin *) element;
  GstPad *target;

  if (self->map != NULL)
    return NULL;
  target = gst_element_request_pad_simple (is_on_gpu (self) ? self->on_gpu
      : self->on_cpu, "map");
  self->map = gst_ghost_pad_new_from_template ("map", target, template);
  gst_object_unref (target);
  gst_pad_set_chain_function (self->map, chain_map);
  gst_pad_set_active (self->map, TRUE);
  gst_element_add_pad (element, self->map);
  return self->map;
}

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  GstStateChangeReturn result =
      GST_ELEMENT_CLASS (effect_bin_parent_class)->change_state (element,
      transition);

  if (result == GST_STATE_CHANGE_FAILURE
      && GST_STATE_TRANSITION_NEXT (transition) >
      GST_STATE_TRANSITION_CURRENT (transition)
      && fall_back ((EffectBin *) element))
    result =
        GST_ELEMENT_CLASS (effect_bin_parent_class)->change_state (element,
        transition);
  return result;
}

/* -- type ----------------------------------------------------------------- */

static void
finalize (GObject * object)
{
  EffectBin *self = (EffectBin *) object;

  gst_clear_object (&self->on_gpu);
  gst_clear_object (&self->on_cpu);
  g_free (self->reason);
  G_OBJECT_CLASS (effect_bin_parent_class)->finalize (object);
}

static void
effect_bin_class_init (EffectBinClass * class)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (class);

  gst_element_class_add_static_pad_template (element_class, &map_template);
  gst_element_class_set_static_metadata (element_class, "Slit-scan",
      "Filter/Effect/Video", "The effect on the GPU as long as it has one",
      "The slitscan authors");
  element_class->change_state = change_state;
  element_class->request_new_pad = request_new_pad;
  GST_BIN_CLASS (class)->handle_message = handle_message;
  G_OBJECT_CLASS (class)->finalize = finalize;
}

static void
effect_bin_init (EffectBin * self)
{
}

static GstPad *
add_ghost (EffectBin * self, GstElement * element, const gchar * name)
{
  GstPad *target = gst_element_get_static_pad (element, name);
  GstPad *ghost = gst_ghost_pad_new (name, target);

  gst_object_unref (target);
  gst_element_add_pad (GST_ELEMENT (self), ghost);
  return ghost;
}

GstElement *
effect_bin_new (const gchar * name, GstElement * on_gpu, GstElement * on_cpu)
{
  GstElement *upload = gst_element_factory_make ("glupload", NULL);
  GstElement *convert = gst_element_factory_make ("glcolorconvert", NULL);
  EffectBin *self;

  if (upload == NULL || convert == NULL) {
    gst_clear_object (&upload);
    gst_clear_object (&convert);
    return NULL;
  }
  self = g_object_new (effect_bin_get_type (), "name", name, NULL);
  self->on_gpu = gst_object_ref_sink (on_gpu);
  self->on_cpu = gst_object_ref_sink (on_cpu);
  g_signal_connect_object (on_gpu, "notify::history-location",
      G_CALLBACK (notice_history_location), self, 0);
  /* Else it would keep late frames to itself, which belong to history. */
  g_object_set (upload, "qos", FALSE, NULL);
  g_object_set (convert, "qos", FALSE, NULL);
  gst_bin_add_many (GST_BIN (self), upload, convert, on_gpu, NULL);
  gst_element_link_many (upload, convert, on_gpu, NULL);
  self->sink = add_ghost (self, upload, "sink");
  self->src = add_ghost (self, on_gpu, "src");
  gst_pad_set_chain_function (self->sink, chain);
  gst_pad_set_chain_list_function (self->sink, chain_list);
  gst_pad_set_event_function (self->sink, handle_event);
  gst_pad_set_query_function (self->sink, handle_query);
  return GST_ELEMENT (self);
}
