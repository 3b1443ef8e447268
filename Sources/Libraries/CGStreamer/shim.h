/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The headers of GStreamer and its video library, for Swift and for the
 * plugin's C. */
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>
#include <gst/video/gstvideofilter.h>
#include <gst/video/navigation.h>
#include <gst/video/videooverlay.h>

/* Wrappers of macros and of functions with variable arguments, which Swift
 * cannot call. */

static inline gboolean
cgst_is_a (gconstpointer instance, GType type)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (instance, type);
}

static inline GType
cgst_type_of (gconstpointer instance)
{
  return G_TYPE_FROM_INSTANCE (instance);
}

static inline GType
cgst_fundamental (GType type)
{
  return G_TYPE_FUNDAMENTAL (type);
}

/* The name of a factory, which never changes. */
static inline const gchar *
cgst_object_name (gconstpointer object)
{
  return GST_OBJECT_NAME (object);
}

static inline GParamSpec *
cgst_find_property (gpointer object, const gchar * name)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (object), name);
}

/* All of them; for g_free (). */
static inline GParamSpec **
cgst_list_properties (gpointer object, guint * count)
{
  return g_object_class_list_properties (G_OBJECT_GET_CLASS (object), count);
}

static const gint CGST_PARAM_CONTROLLABLE = GST_PARAM_CONTROLLABLE;
static const gint64 CGST_FORMAT_PERCENT_MAX = GST_FORMAT_PERCENT_MAX;

/* The range of a number, as each of the kinds of numbers. */
typedef struct
{
  gint64 whole_minimum, whole_maximum;
  guint64 natural_minimum, natural_maximum;
  gdouble real_minimum, real_maximum;
} cgst_range;

/* FALSE where the property is no number. */
static inline gboolean
cgst_get_range (GParamSpec * spec, cgst_range * range)
{
#define CGST_RANGE(KIND, Kind, field) \
  if (G_IS_PARAM_SPEC_##KIND (spec)) { \
    range->field##_minimum = ((GParamSpec##Kind *) spec)->minimum; \
    range->field##_maximum = ((GParamSpec##Kind *) spec)->maximum; \
    return TRUE; \
  }
  CGST_RANGE (CHAR, Char, whole)
  CGST_RANGE (INT, Int, whole)
  CGST_RANGE (LONG, Long, whole)
  CGST_RANGE (INT64, Int64, whole)
  CGST_RANGE (UCHAR, UChar, natural)
  CGST_RANGE (UINT, UInt, natural)
  CGST_RANGE (ULONG, ULong, natural)
  CGST_RANGE (UINT64, UInt64, natural)
  CGST_RANGE (FLOAT, Float, real)
  CGST_RANGE (DOUBLE, Double, real)
#undef CGST_RANGE
  return FALSE;
}

/* GStreamer declares gst_video_format_from_string () as reading no memory, which it does: a compiler that
 * believes it gives the string back before the call. It believes nothing of a volatile pointer. */
static inline GstVideoFormat
cgst_video_format_from_string (const gchar * name)
{
  GstVideoFormat (*volatile from_string) (const gchar *) =
      gst_video_format_from_string;

  return from_string (name);
}

/* The part of the types of GLib that are macros. */
static const GType CGST_TYPE_BOOLEAN = G_TYPE_BOOLEAN;
static const GType CGST_TYPE_CHAR = G_TYPE_CHAR;
static const GType CGST_TYPE_UCHAR = G_TYPE_UCHAR;
static const GType CGST_TYPE_INT = G_TYPE_INT;
static const GType CGST_TYPE_UINT = G_TYPE_UINT;
static const GType CGST_TYPE_LONG = G_TYPE_LONG;
static const GType CGST_TYPE_ULONG = G_TYPE_ULONG;
static const GType CGST_TYPE_INT64 = G_TYPE_INT64;
static const GType CGST_TYPE_UINT64 = G_TYPE_UINT64;
static const GType CGST_TYPE_FLOAT = G_TYPE_FLOAT;
static const GType CGST_TYPE_DOUBLE = G_TYPE_DOUBLE;
static const GType CGST_TYPE_STRING = G_TYPE_STRING;
static const GType CGST_TYPE_ENUM = G_TYPE_ENUM;
static const GType CGST_TYPE_FLAGS = G_TYPE_FLAGS;
static const GType CGST_TYPE_OBJECT = G_TYPE_OBJECT;
static const GType CGST_TYPE_NONE = G_TYPE_NONE;

/* Bytes that one row of a plane uses, 0 where its pixels are in no simple order. */
static inline gsize
cgst_plane_row_bytes (const GstVideoInfo * info, guint plane)
{
  const GstVideoFormatInfo *format = info->finfo;
  gsize bytes = 0;

  for (guint c = 0; c < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (format); c++) {
    gsize width, step;

    if (GST_VIDEO_FORMAT_INFO_PLANE (format, c) != plane)
      continue;
    step = GST_VIDEO_FORMAT_INFO_PSTRIDE (format, c);
    if (step == 0 || GST_VIDEO_FORMAT_INFO_IS_TILED (format))
      return 0;
    width = GST_VIDEO_FORMAT_INFO_SCALE_WIDTH (format, c, info->width);
    bytes = MAX (bytes, width * step);
  }
  return bytes;
}

/* Rows of a plane. */
static inline gsize
cgst_plane_rows (const GstVideoInfo * info, guint plane)
{
  const GstVideoFormatInfo *format = info->finfo;
  gsize rows = 0;

  for (guint c = 0; c < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (format); c++)
    if (GST_VIDEO_FORMAT_INFO_PLANE (format, c) == plane)
      rows = MAX (rows,
          (gsize) GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (format, c,
              GST_VIDEO_INFO_FIELD_HEIGHT (info)));
  return rows;
}

/* Bytes up to the last sample of the planes that META describes, 0 where it cannot be the
 * description of frames of INFO. */
static inline gsize
cgst_video_meta_bytes (const GstVideoInfo * info, const GstVideoMeta * meta)
{
  GstVideoInfo own = *info;
  gsize bytes = 1;

  if (meta->format != GST_VIDEO_INFO_FORMAT (info)
      || meta->width < (guint) info->width || meta->height < (guint) info->height
      || meta->width > G_MAXINT || meta->height > G_MAXINT)
    return 0;
  own.width = meta->width;
  own.height = meta->height;
  for (guint plane = 0; plane < GST_VIDEO_INFO_N_PLANES (info); plane++) {
    gsize row_bytes = cgst_plane_row_bytes (&own, plane);
    gsize rows = cgst_plane_rows (&own, plane);
    gsize end;

    /* Where pixels are in no simple order, only where a plane begins is known. */
    if (rows == 0 || row_bytes == 0)
      row_bytes = rows = 1;
    else if (meta->stride[plane] < 0 || (gsize) meta->stride[plane] < row_bytes)
      return 0;
    end = (rows - 1) * (gsize) MAX (meta->stride[plane], 0) + row_bytes;
    if (!g_size_checked_add (&end, end, meta->offset[plane]))
      return 0;
    bytes = MAX (bytes, end);
  }
  return bytes;
}

/* Whether the processor can read what fixed caps describe. */
static inline gboolean
cgst_caps_are_in_memory (const GstCaps * caps)
{
  const GstCapsFeatures *features = gst_caps_get_features (caps, 0);

  if (features == NULL || gst_caps_features_is_any (features))
    return FALSE;
  for (guint i = 0; i < gst_caps_features_get_size (features); i++) {
    const gchar *feature = gst_caps_features_get_nth (features, i);

    if (g_str_has_prefix (feature, "memory:")
        && !g_str_equal (feature, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY))
      return FALSE;
  }
  return TRUE;
}

/* The same media as bytes. Textures of GStreamer's OpenGL library can be mapped as bytes, and are so under
 * caps of system memory, as gldownload leaves them. */
static inline GstCaps *
cgst_caps_in_memory (const GstCaps * caps)
{
  GstCaps *copy = gst_caps_copy (caps);

  gst_caps_set_features_simple (copy, NULL);
  for (guint i = 0; i < gst_caps_get_size (copy); i++)
    gst_structure_remove_field (gst_caps_get_structure (copy, i),
        "texture-target");
  return copy;
}

/* Makes a frame that is mapped for writing black and opaque, in the range of its caps. */
static inline void
cgst_paint_black (GstVideoFrame * frame)
{
  const GstVideoInfo *info = &frame->info;
  const GstVideoFormatInfo *format = info->finfo;
  /* One of four: opacity and three components, of 8 or 16 bits. */
  const GstVideoFormatInfo *plain =
      gst_video_format_get_info (format->unpack_format);
  gboolean is_deep = GST_VIDEO_FORMAT_INFO_DEPTH (plain, 0) > 8;
  gint width = GST_VIDEO_INFO_WIDTH (info);
  /* Some formats pack several pixels at a time. */
  gsize count = 4 * ((gsize) width + 16);
  gint black[GST_VIDEO_MAX_COMPONENTS], scale[GST_VIDEO_MAX_COMPONENTS];
  guint16 *line = g_new (guint16, count);

  gst_video_color_range_offsets (info->colorimetry.range, plain, black, scale);
  for (gsize i = 0; i < count; i++) {
    guint16 sample = i % 4 == 0 ? G_MAXUINT16 : black[i % 4 - 1];

    if (is_deep)
      line[i] = sample;
    else
      ((guint8 *) line)[i] = sample;
  }
  for (gint y = 0; y < GST_VIDEO_INFO_FIELD_HEIGHT (info);
      y += format->pack_lines)
    format->pack_func (format, GST_VIDEO_PACK_FLAG_NONE, line, 0, frame->data,
        info->stride, info->chroma_site, y, width);
  g_free (line);
}

/* The mapped bytes from the start of a plane on. */
static inline gsize
cgst_plane_bytes (const GstVideoFrame * frame, guint plane)
{
  /* Without a GstVideoMeta there is one mapping for all planes. */
  const GstMapInfo *map = &frame->map[frame->meta != NULL ? plane : 0];
  const guint8 *start = frame->data[plane];

  if (start == NULL || map->data == NULL || start < map->data
      || start > map->data + map->size)
    return 0;
  return map->size - (start - map->data);
}
