/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The textures of a frame: whether a context can use them, and their mapping. */

#include <gst/gl/gstglfuncs.h>
#include <string.h>

#include "gstglslitscan.h"

void
gst_gl_slit_scan_textures_unmap (GstGLSlitScanTextures * mapped)
{
  for (guint i = 0; i < mapped->count; i++)
    gst_memory_unmap (mapped->maps[i].memory, &mapped->maps[i]);
}

/* The sized format of a texture: formats of bytes are often named without. */
static guint
sized_format (GstGLContext * context, GstGLFormat format)
{
  switch (format) {
    case GST_GL_RED:
    case GST_GL_RG:
    case GST_GL_RGB:
    case GST_GL_RGBA:
      return gst_gl_sized_gl_format_from_gl_format_type (context, format,
          GL_UNSIGNED_BYTE);
    default:
      return format;
  }
}

/* TRUE if the memory is a texture of a frame like this that a context can
 * use. */
static gboolean
is_usable (GstMemory * memory, const GstVideoInfo * info,
    GstGLContext * context)
{
  const GstGLMemory *texture = (const GstGLMemory *) memory;

  return gst_is_gl_memory (memory)
      && texture->tex_target == GST_GL_TEXTURE_TARGET_2D
      && GST_VIDEO_INFO_FORMAT (&texture->info) == GST_VIDEO_INFO_FORMAT (info)
      && GST_VIDEO_INFO_WIDTH (&texture->info) == GST_VIDEO_INFO_WIDTH (info)
      && GST_VIDEO_INFO_HEIGHT (&texture->info) == GST_VIDEO_INFO_HEIGHT (info)
      && (texture->mem.context == context
      || gst_gl_context_can_share (texture->mem.context, context));
}

gboolean
gst_gl_slit_scan_has_textures (const GstSlitScanFrame * frame,
    GstGLContext * context)
{
  guint count = GST_VIDEO_INFO_N_PLANES (frame->info);

  if (gst_buffer_n_memory (frame->buffer) != count)
    return FALSE;
  for (guint i = 0; i < count; i++) {
    if (!is_usable (gst_buffer_peek_memory (frame->buffer, i), frame->info,
            context))
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_gl_slit_scan_textures_map (GstGLSlitScanTextures * mapped,
    GstGLContext * context, const GstSlitScanFrame * frame, GstMapFlags flags)
{
  SlitScanTextures *textures = &mapped->textures;

  memset (textures, 0, sizeof (*textures));
  mapped->count = 0;
  if (!gst_gl_slit_scan_has_textures (frame, context))
    return FALSE;
  if (flags & GST_MAP_READ) {
    GstGLSyncMeta *sync = gst_buffer_get_gl_sync_meta (frame->buffer);

    if (sync != NULL)
      gst_gl_sync_meta_wait (sync, context);
  }
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (frame->info); i++) {
    GstMemory *memory = gst_buffer_peek_memory (frame->buffer, i);
    GstGLMemory *texture = (GstGLMemory *) memory;

    if (!gst_memory_map (memory, &mapped->maps[i], flags | GST_MAP_GL)) {
      gst_gl_slit_scan_textures_unmap (mapped);
      return FALSE;
    }
    mapped->count++;
    textures->names[i] = gst_gl_memory_get_texture_id (texture);
    textures->formats[i] = sized_format (context, texture->tex_format);
    textures->widths[i] = gst_gl_memory_get_texture_width (texture);
    textures->heights[i] = gst_gl_memory_get_texture_height (texture);
  }
  return TRUE;
}

GstBuffer *
gst_gl_slit_scan_textures_new (GstGLContext * context,
    const GstVideoInfo * info)
{
  GstBufferPool *pool = gst_gl_buffer_pool_new (context);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstCaps *caps = gst_video_info_to_caps (info);
  GstBuffer *buffer = NULL;

  gst_caps_set_features_simple (caps,
      gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_GL_MEMORY, NULL));
  gst_buffer_pool_config_set_params (config, caps, GST_VIDEO_INFO_SIZE (info),
      0, 0);
  gst_caps_unref (caps);
  if (gst_buffer_pool_set_config (pool, config)
      && gst_buffer_pool_set_active (pool, TRUE))
    gst_buffer_pool_acquire_buffer (pool, &buffer, NULL);
  /* The buffer keeps the pool. */
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  return buffer;
}
