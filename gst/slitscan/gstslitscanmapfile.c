/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The reader of map images: it opens a file, checks its header, and pushes all
 * of it into the decoder of its format as one frame. The element scans what the
 * decoder returns. The only thread is the caller's.
 *
 * Data after the image in its file is ignored, and so is the orientation that a
 * camera writes. A JPEG file that is damaged in its middle is decoded as far as
 * possible: no decoder reports the damage. */

#include "gstslitscanmapfile.h"

#include "gstslitscanfileheader.h"
#include "gstslitscanformat.h"
#include "gstslitscanlocation.h"

#include <string.h>

/* Pixels. Decoders take memory for whole images, and a file of a few
 * kilobytes can claim any size. */
#define LARGEST_SIDE 16384

/* Bytes, as many as such an image can have. */
#define LARGEST_FILE (8L * LARGEST_SIDE * LARGEST_SIDE)

static gboolean
check_header (const GstSlitScanFileHeader * header, const gchar * name,
    GError ** error)
{
  if (header->decoder == NULL)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
        "%s is not a PNG, JPEG or PGM file. Convert it, for example with "
        "`convert image.webp map.png`, or link a video to the pad `map`.",
        name);
  else if (header->width > LARGEST_SIDE || header->height > LARGEST_SIDE)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "The image %s has %u×%u pixels; a map can have up to %d×%d. Make it "
        "smaller; it is scaled to the video anyway.", name, header->width,
        header->height, LARGEST_SIDE, LARGEST_SIDE);
  else if (header->is_cut_short)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
        "The image %s is cut short. Copy or save it again.", name);
  else if (header->is_cmyk)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
        "%s is a JPEG for print (CMYK), which GStreamer does not decode. Save "
        "it in grey or RGB.", name);
  else
    return TRUE;
  return FALSE;
}

/* The whole file; NULL and an error if that is not to be had. */
static GstBuffer *
read_file (FILE * file, const gchar * name, GError ** error)
{
  guint8 *bytes = NULL;
  glong size;

  fseek (file, 0, SEEK_END);
  size = ftell (file);
  rewind (file);
  if (size <= LARGEST_FILE)
    bytes = g_try_malloc (size);
  if (bytes == NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
        "The file %s is too large to be read. Save the image again as PNG.",
        name);
    return NULL;
  }
  return gst_buffer_new_wrapped (bytes, fread (bytes, 1, size, file));
}

/* Takes one image and no other. */
static GstFlowReturn
take_image (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstBuffer **image = gst_pad_get_element_private (pad);

  if (*image == NULL && !GST_BUFFER_FLAG_IS_SET (buffer,
          GST_BUFFER_FLAG_CORRUPTED))
    *image = gst_buffer_ref (buffer);
  gst_buffer_unref (buffer);
  return GST_FLOW_EOS;
}

/* A pad that is linked with one of the decoder's. */
static GstPad *
new_pad (GstElement * decoder, const gchar * name, GstPadDirection direction)
{
  GstPad *other = gst_element_get_static_pad (decoder, name);
  GstPad *pad = gst_object_ref_sink (gst_pad_new (NULL, direction));

  if (direction == GST_PAD_SRC)
    gst_pad_link (pad, other);
  else
    gst_pad_link (other, pad);
  gst_pad_set_active (pad, TRUE);
  gst_object_unref (other);
  return pad;
}

/* The image in a file; NULL if there is none. Takes the file.
 *
 * In a segment of time, a decoder takes the file for one frame; in one of bytes,
 * it looks for where frames begin and end. There, jpegdec goes round in circles
 * where one begins twice; and of a frame without an end, pngdec never lets
 * go. */
static GstBuffer *
decode (GstElement * decoder, GstFormat format, GstBuffer * file,
    GstVideoInfo * info)
{
  GstBuffer *image = NULL;
  GstPad *start = new_pad (decoder, "sink", GST_PAD_SRC);
  GstPad *end = new_pad (decoder, "src", GST_PAD_SINK);
  GstSegment segment;
  GstCaps *caps;

  gst_pad_set_element_private (end, &image);
  gst_pad_set_chain_function (end, take_image);
  gst_element_set_state (decoder, GST_STATE_PAUSED);
  gst_segment_init (&segment, format);
  gst_pad_push_event (start, gst_event_new_stream_start ("map"));
  gst_pad_push_event (start, gst_event_new_segment (&segment));
  gst_pad_push (start, file);
  gst_pad_push_event (start, gst_event_new_eos ());

  caps = gst_pad_get_current_caps (end);
  if (image != NULL && (!gst_video_info_from_caps (info, caps)
          || !gst_slit_scan_format_is_supported (info->finfo)))
    gst_clear_buffer (&image);
  gst_clear_caps (&caps);
  gst_element_set_state (decoder, GST_STATE_NULL);
  gst_pad_set_active (start, FALSE);
  gst_pad_set_active (end, FALSE);
  gst_object_unref (start);
  gst_object_unref (end);
  return image;
}

/* pngdec of GStreamer 1.22 writes pixels A R G B of 16-bit RGB without alpha to
 * where R belongs: everything is one sample too late, and B of the very last
 * pixel is lost. It is taken to be like the G beside it. Later versions write
 * R G B A there, so that A, which is full, is where it belongs in all pixels
 * but the first. */
static void
correct_rgb16 (guint8 * data, gsize size)
{
  for (gsize offset = 8; offset < size; offset += 8) {
    if (GST_READ_UINT16_LE (data + offset) != 0xFFFF) {
      memmove (data, data + 2, size - 2);
      return;
    }
  }
}

static gboolean
read_image (FILE * file, const gchar * name, GstVideoFrame * frame,
    GError ** error)
{
  GstSlitScanFileHeader header;
  GstElement *decoder;
  GstBuffer *buffer;
  GstVideoInfo info;
  gboolean is_mapped;

  gst_slit_scan_file_header_read (file, &header);
  if (!check_header (&header, name, error))
    return FALSE;
  buffer = read_file (file, name, error);
  if (buffer == NULL)
    return FALSE;
  decoder = gst_element_factory_make (header.decoder, NULL);
  if (decoder == NULL) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_CODEC_NOT_FOUND,
        "GStreamer cannot decode %s without the element %s. Install the "
        "package %s.", name, header.decoder, header.package);
    gst_buffer_unref (buffer);
    return FALSE;
  }
  gst_object_ref_sink (decoder);
  buffer = decode (decoder, header.is_jpeg ? GST_FORMAT_TIME
      : GST_FORMAT_BYTES, buffer, &info);
  gst_object_unref (decoder);
  if (buffer != NULL)
    buffer = gst_buffer_make_writable (buffer);
  is_mapped = buffer != NULL
      && gst_video_frame_map (frame, &info, buffer, GST_MAP_READWRITE);
  gst_clear_buffer (&buffer);
  if (!is_mapped)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
        "The image %s cannot be decoded: it is damaged, cut short, or of a rare "
        "kind. Save it again as PNG.", name);
  else if (header.is_rgb16
      && GST_VIDEO_FRAME_FORMAT (frame) == GST_VIDEO_FORMAT_ARGB64)
    correct_rgb16 (frame->map[0].data, frame->map[0].size);
  return is_mapped;
}

gboolean
gst_slit_scan_map_file_read (const gchar * location, GstVideoFrame * frame,
    GError ** error)
{
  gboolean is_read = FALSE;
  gchar *name;
  FILE *file = gst_slit_scan_location_open (location, &name, error);

  if (file != NULL) {
    is_read = read_image (file, name, frame, error);
    fclose (file);
  }
  g_free (name);
  return is_read;
}
