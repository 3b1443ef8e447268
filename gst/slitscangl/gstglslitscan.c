/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/**
 * SECTION:element-glslitscan
 * @title: glslitscan
 *
 * Takes each pixel of the output from another earlier frame, on the GPU. It has
 * the properties, presets, signals, messages and pads of #GstSlitScan; frames
 * come, stay and go as textures.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 v4l2src ! glupload ! glslitscan map=radial depth=240 ! glimagesink
 * ]|
 * Time runs outwards in rings.
 *
 * Since: 0.1
 */

/* The element: its type, its caps, its buffers, and what it asks of and answers
 * to neighbours with GL contexts. */

#include "gstglslitscan.h"

#include <gst/gl/gstglfuncs.h>

#include "slitscan-plugin.h"

GST_DEBUG_CATEGORY (gst_gl_slit_scan_debug);
#define GST_CAT_DEFAULT gst_gl_slit_scan_debug

static GstSlitScanClass *parent_class;
static gint private_offset;

static GstGLSlitScanContexts **
contexts_of (gpointer element)
{
  return G_STRUCT_MEMBER_P (element, private_offset);
}

void
gst_gl_slit_scan_set_contexts (gpointer element,
    GstGLSlitScanContexts * contexts)
{
  *contexts_of (element) = contexts;
}

/* -- contexts ------------------------------------------------------------- */

static void
gst_gl_slit_scan_set_context (GstElement * element, GstContext * context)
{
  gst_gl_slit_scan_contexts_offer (*contexts_of (element), element, context);
  GST_ELEMENT_CLASS (parent_class)->set_context (element, context);
}

static GstStateChangeReturn
gst_gl_slit_scan_change_state (GstElement * element, GstStateChange transition)
{
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY
      && !gst_gl_slit_scan_contexts_open (*contexts_of (element), element)) {
    GST_ELEMENT_ERROR (element, RESOURCE, NOT_FOUND,
        ("There is no OpenGL display. Use slitscan in the place of glupload, "
            "glslitscan and gldownload."), (NULL));
    return GST_STATE_CHANGE_FAILURE;
  }
  result = GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    gst_gl_slit_scan_contexts_close (*contexts_of (element));
  return result;
}

static gboolean
gst_gl_slit_scan_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT
      && gst_gl_slit_scan_contexts_answer (*contexts_of (trans),
          GST_ELEMENT (trans), query))
    return TRUE;
  return GST_BASE_TRANSFORM_CLASS (parent_class)->query (trans, direction,
      query);
}

/* -- the pad map ---------------------------------------------------------- */

/* An element that uploads the map asks for the context here, and must get that
 * of the video. */
static gboolean
gst_gl_slit_scan_map_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstPadQueryFunction inherited =
      (GstPadQueryFunction) g_object_get_data (G_OBJECT (pad),
      "slitscan-query");

  if (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT && parent != NULL)
    return gst_gl_slit_scan_contexts_answer (*contexts_of (parent),
        GST_ELEMENT (parent), query);
  return inherited (pad, parent, query);
}

static GstPad *
gst_gl_slit_scan_request_new_pad (GstElement * element,
    GstPadTemplate * template, const gchar * name, const GstCaps * caps)
{
  GstPad *pad;

  /* A link that names no pad means the video. Where glupload is forgotten, it
   * must fail, and not become the map's, for only that takes system memory. */
  if (name == NULL
      && !gst_pad_is_linked (GST_BASE_TRANSFORM_SINK_PAD (element))) {
    GST_WARNING_OBJECT (element, "the pad map is to be asked for by its name "
        "as long as no video is linked");
    return NULL;
  }
  pad = GST_ELEMENT_CLASS (parent_class)->request_new_pad (element, template,
      name, caps);
  if (pad != NULL) {
    g_object_set_data (G_OBJECT (pad), "slitscan-query",
        (gpointer) GST_PAD_QUERYFUNC (pad));
    gst_pad_set_query_function (pad, gst_gl_slit_scan_map_query);
  }
  return pad;
}

/* -- buffers -------------------------------------------------------------- */

/* A pool of textures for frames of these caps. */
static GstBufferPool *
new_pool (GstGLContext * context, GstCaps * caps, guint size, guint min,
    guint max)
{
  GstBufferPool *pool = gst_gl_buffer_pool_new (context);
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, size, min, max);
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_GL_SYNC_META);
  gst_buffer_pool_set_config (pool, config);
  return pool;
}

static gboolean
gst_gl_slit_scan_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query)
{
  GstGLContext *context = gst_gl_slit_scan_contexts_ref (*contexts_of (trans));
  GstBufferPool *pool;
  GstVideoInfo info;
  GstCaps *caps;
  gboolean needs_pool;

  gst_query_parse_allocation (query, &caps, &needs_pool);
  if (context == NULL || caps == NULL
      || !gst_video_info_from_caps (&info, caps)) {
    gst_clear_object (&context);
    return FALSE;
  }
  if (needs_pool) {
    pool = new_pool (context, caps, GST_VIDEO_INFO_SIZE (&info), 0, 0);
    gst_query_add_allocation_pool (query, pool, GST_VIDEO_INFO_SIZE (&info), 0,
        0);
    gst_object_unref (pool);
  }
  if (context->gl_vtable->FenceSync != NULL)
    gst_query_add_allocation_meta (query, GST_GL_SYNC_META_API_TYPE, NULL);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_object_unref (context);
  return TRUE;
}

/* Downstream's pool if it is one of textures, else one of this context. What
 * the parent class finds in the query, it uses. */
static gboolean
gst_gl_slit_scan_decide_allocation (GstBaseTransform * trans, GstQuery * query)
{
  GstGLContext *context = gst_gl_slit_scan_contexts_ref (*contexts_of (trans));
  GstBufferPool *pool = NULL;
  GstVideoInfo info;
  GstCaps *caps;
  guint size = 0, min = 0, max = 0;
  gboolean is_there;

  gst_query_parse_allocation (query, &caps, NULL);
  if (context == NULL || caps == NULL
      || !gst_video_info_from_caps (&info, caps)) {
    gst_clear_object (&context);
    return FALSE;
  }
  is_there = gst_query_get_n_allocation_pools (query) > 0;
  if (is_there)
    gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &min, &max);
  if (pool == NULL || !GST_IS_GL_BUFFER_POOL (pool)
      || GST_GL_BUFFER_POOL (pool)->context != context) {
    gst_clear_object (&pool);
    size = GST_VIDEO_INFO_SIZE (&info);
    pool = new_pool (context, caps, size, min, max);
  }
  if (is_there)
    gst_query_set_nth_allocation_pool (query, 0, pool, size, min, max);
  else
    gst_query_add_allocation_pool (query, pool, size, min, max);
  /* An allocator of other memory is none for textures. */
  while (gst_query_get_n_allocation_params (query) > 0)
    gst_query_remove_nth_allocation_param (query, 0);
  /* Textures have no strides that could be misread. */
  if (!gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL))
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_object_unref (pool);
  gst_object_unref (context);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->decide_allocation (trans,
      query);
}

/* -- type ----------------------------------------------------------------- */

/* Formats of textures that the effect scans, in textures. */
static GstCaps *
texture_caps (void)
{
  GstCaps *all = gst_caps_from_string (GST_VIDEO_CAPS_MAKE
      (GST_GL_MEMORY_VIDEO_FORMATS_STR));
  GstPadTemplate *scanned =
      gst_element_class_get_pad_template (GST_ELEMENT_CLASS (parent_class),
      "sink");
  GstCaps *scanned_caps = gst_pad_template_get_caps (scanned);
  GstCaps *caps = gst_caps_intersect (all, scanned_caps);

  gst_caps_unref (all);
  gst_caps_unref (scanned_caps);
  gst_caps_set_features_simple (caps,
      gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_GL_MEMORY, NULL));
  gst_caps_set_simple (caps, "texture-target", G_TYPE_STRING,
      GST_GL_TEXTURE_TARGET_2D_STR, NULL);
  return caps;
}

static void
add_templates (GstElementClass * element_class)
{
  GstPadTemplate *map =
      gst_element_class_get_pad_template (GST_ELEMENT_CLASS (parent_class),
      "map");
  GstCaps *caps = texture_caps ();

  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  caps = gst_caps_merge (caps, gst_pad_template_get_caps (map));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new_with_gtype ("map", GST_PAD_SINK, GST_PAD_REQUEST,
          caps, GST_PAD_TEMPLATE_GTYPE (map)));
  gst_caps_unref (caps);
}

static void
gst_gl_slit_scan_class_init (gpointer class, gpointer data)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (class);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (class);
  GstSlitScanClass *klass = class;

  GST_DEBUG_CATEGORY_INIT (gst_gl_slit_scan_debug, "glslitscan", 0,
      "slit-scan effect on the GPU");
  g_type_class_adjust_private_offset (class, &private_offset);
  parent_class = g_type_class_peek_parent (class);

  gst_element_class_set_static_metadata (element_class,
      "Slit-scan on the GPU", "Filter/Effect/Video",
      "Takes each pixel from another earlier frame, as selected by a map",
      "The slitscan authors");
  add_templates (element_class);

  klass->engine_class = &gst_gl_slit_scan_engine_class;
  klass->converts = FALSE;
  klass->input_advice =
      "glslitscan needs video in textures. Put glupload before it.";
  klass->output_advice =
      "The downstream element does not accept glslitscan's textures. "
      "Put gldownload and videoconvert after glslitscan.";
  element_class->set_context = GST_DEBUG_FUNCPTR (gst_gl_slit_scan_set_context);
  element_class->change_state =
      GST_DEBUG_FUNCPTR (gst_gl_slit_scan_change_state);
  element_class->request_new_pad =
      GST_DEBUG_FUNCPTR (gst_gl_slit_scan_request_new_pad);
  trans_class->query = GST_DEBUG_FUNCPTR (gst_gl_slit_scan_query);
  trans_class->propose_allocation =
      GST_DEBUG_FUNCPTR (gst_gl_slit_scan_propose_allocation);
  trans_class->decide_allocation =
      GST_DEBUG_FUNCPTR (gst_gl_slit_scan_decide_allocation);
}

/* TRUE if a class is what this code takes it for. */
static gboolean
is_same_version (GType parent, guint class_size)
{
  GstSlitScanClass *class;
  gboolean is_same;

  if (class_size != sizeof (GstSlitScanClass))
    return FALSE;
  class = g_type_class_ref (parent);
  is_same = g_strcmp0 (class->version, SLITSCAN_VERSION) == 0;
  g_type_class_unref (class);
  return is_same;
}

GType
gst_gl_slit_scan_get_type (GType parent)
{
  GType type = g_type_from_name ("GstGLSlitScan");
  GTypeQuery query;

  if (type != G_TYPE_INVALID)
    return type;
  g_type_query (parent, &query);
  if (!is_same_version (parent, query.class_size))
    return G_TYPE_INVALID;
  /* The instance struct of the parent is its own. */
  type = g_type_register_static_simple (parent, "GstGLSlitScan",
      query.class_size, gst_gl_slit_scan_class_init, query.instance_size, NULL,
      0);
  private_offset =
      g_type_add_instance_private (type, sizeof (GstGLSlitScanContexts *));
  return type;
}
