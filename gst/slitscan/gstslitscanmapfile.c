/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The reader of map images: it opens the file of `map-location`, checks its
 * header, and pushes all of it into the decoder of its format as one frame. The
 * element scans what the decoder returns. The only thread is the caller's.
 *
 * Data after the image in its file is ignored, and so is the orientation that a
 * camera writes. A JPEG file that is damaged in its middle is decoded as far as
 * possible: no decoder reports the damage. */

#include "gstslitscanmapfile.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "gstslitscanformat.h"

/* Pixels. Decoders take memory for whole images, and a file of a few
 * kilobytes can claim any size. */
#define LARGEST_SIDE 16384

/* Bytes, as many as such an image can have. */
#define LARGEST_FILE (8L * LARGEST_SIDE * LARGEST_SIDE)

/* -- location ------------------------------------------------------------- */

/* The path that a location means, or NULL and an error. A name like `12:30.png`
 * is a path, too. */
static gchar *
get_path (const gchar * location, GError ** error)
{
  g_autofree gchar *name = g_filename_display_name (location);
  g_autofree gchar *host = NULL;
  g_autofree gchar *path = NULL;

  if (g_ascii_strncasecmp (location, "file:/", 6) == 0) {
    path = g_filename_from_uri (location, &host, NULL);
    if (path == NULL) {
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
          "%s is not a valid file URI. Set map-location to the path of an "
          "image file.", name);
      return NULL;
    }
    if (host == NULL || *host == '\0'
        || g_ascii_strcasecmp (host, "localhost") == 0)
      return g_steal_pointer (&path);
  } else if (!gst_uri_is_valid (location) || strstr (location, "://") == NULL) {
    return g_canonicalize_filename (location, NULL);
  }
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "%s is not on this machine. Copy the image to a local file, and set "
      "map-location to that.", name);
  return NULL;
}

/* Says by errno why a file cannot be read. */
static void
set_open_error (GError ** error, const gchar * name)
{
  const gint reason = errno;

  if (reason == ENOENT || reason == ENOTDIR)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "There is no file %s. Set map-location to an image file.", name);
  else if (reason == EACCES || reason == EPERM)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "The file %s may not be read. Change its permissions, or set "
        "map-location to another image file.", name);
  else
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "The file %s cannot be read (%s). Set map-location to another image "
        "file.", name, g_strerror (reason));
}

/* Opens a regular file. Pipes and devices are not even tried: that could wait
 * for ever, or start something. */
static FILE *
open_file (const gchar * path, const gchar * name, GError ** error)
{
  GStatBuf status;
  FILE *file = NULL;
  gint fd = -1;

  if (g_stat (path, &status) != 0) {
    set_open_error (error, name);
  } else if (S_ISDIR (status.st_mode)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "%s is a folder. Set map-location to an image file in it.", name);
  } else if (!S_ISREG (status.st_mode)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "%s is a device or a pipe. Set map-location to an image file, or link "
        "a video to the pad `map`.", name);
  } else if ((fd = g_open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0)) < 0) {
    set_open_error (error, name);
  } else if (status.st_size == 0) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
        "The file %s is empty. Save the image again, or set map-location to "
        "another one.", name);
  } else if ((file = fdopen (fd, "rb")) == NULL) {
    set_open_error (error, name);
  }
  if (file == NULL && fd >= 0)
    close (fd);
  return file;
}

/* -- header --------------------------------------------------------------- */

/* A decoder reads headers too, but some things go wrong before that, as of
 * GStreamer 1.22:
 *
 * - jpegdec first allocates memory for all of a progressive image.
 * - jpegdec fills the missing part of a truncated file with grey and reports
 *   nothing.
 * - pngdec crashes on sizes that overflow GStreamer's arithmetic, and pnmdec on
 *   a header without an end.
 *
 * The structure of a PNG file is that of ISO/IEC 15948, clause 5; the markers
 * of a JPEG file are those of ITU-T T.81, annex B; PGM and PPM are Netpbm's. */

/* The signature, and the start of the chunk that must come first. */
static const guint8 png_start[] = {
  0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'
};

enum
{
  JPEG_TEM = 0x01,
  JPEG_SOF0 = 0xC0,
  JPEG_DHT = 0xC4,
  JPEG_JPG = 0xC8,
  JPEG_DAC = 0xCC,
  JPEG_SOF15 = 0xCF,
  JPEG_RST0 = 0xD0,
  JPEG_RST7 = 0xD7,
  JPEG_SOI = 0xD8,
  JPEG_EOI = 0xD9
};

/* A number of so many bytes, the highest first. */
static guint32
read_number (FILE * file, gint bytes)
{
  guint32 number = 0;

  while (bytes-- > 0)
    number = number << 8 | (getc_unlocked (file) & 0xFF);
  return number;
}

/* Goes to the next marker, over coded samples if they are there: after 0xFF,
 * these have a 0. EOF at the end of the file. */
static gint
next_marker (FILE * file)
{
  gint byte = getc_unlocked (file);

  while (byte != EOF) {
    if (byte != 0xFF) {
      byte = getc_unlocked (file);
      continue;
    }
    byte = getc_unlocked (file);
    if (byte != 0 && byte != 0xFF)
      return byte;
  }
  return EOF;
}

/* From behind the first marker to the end of the first image. */
static void
read_jpeg (FILE * file, GstSlitScanFileHeader * header)
{
  gint marker;

  while ((marker = next_marker (file)) != JPEG_EOI) {
    gint rest;

    if (marker == EOF) {
      header->is_cut_short = TRUE;
      return;
    }
    /* These have no segment. */
    if (marker == JPEG_TEM || marker == JPEG_SOI
        || (marker >= JPEG_RST0 && marker <= JPEG_RST7))
      continue;
    rest = read_number (file, 2) - 2;
    if (marker >= JPEG_SOF0 && marker <= JPEG_SOF15 && marker != JPEG_DHT
        && marker != JPEG_JPG && marker != JPEG_DAC && rest >= 6) {
      guint32 height, width;

      read_number (file, 1);    /* bits of a sample */
      height = read_number (file, 2);
      width = read_number (file, 2);
      /* A damaged file may have several. */
      header->height = MAX (header->height, height);
      header->width = MAX (header->width, width);
      header->is_cmyk = read_number (file, 1) == 4;
      rest -= 6;
    }
    /* Also over thumbnails, which have ends of their own. */
    while (rest-- > 0 && getc_unlocked (file) != EOF);
  }
}

/* A number in digits, after white space and comments. */
static guint32
read_text_number (FILE * file)
{
  guint64 number = 0;
  gint byte = getc_unlocked (file);

  while (g_ascii_isspace (byte) || byte == '#') {
    gboolean is_comment = byte == '#';

    do
      byte = getc_unlocked (file);
    while (is_comment && byte != '\n' && byte != EOF);
  }
  for (; g_ascii_isdigit (byte); byte = getc_unlocked (file))
    number = MIN (10 * number + byte - '0', G_MAXUINT32);
  return number;
}

void
gst_slit_scan_file_header_read (FILE * file, GstSlitScanFileHeader * header)
{
  guint8 start[sizeof (png_start)] = { 0, };

  memset (header, 0, sizeof (*header));
  header->package = "gstreamer1.0-plugins-good";
  rewind (file);
  if (fread (start, 1, sizeof (start), file) == sizeof (start)
      && memcmp (start, png_start, sizeof (start)) == 0) {
    header->decoder = "pngdec";
    header->width = read_number (file, 4);
    header->height = read_number (file, 4);
    /* The bits of a sample, and the type of colour. */
    header->is_rgb16 = read_number (file, 1) == 16
        && read_number (file, 1) == 2;
  } else if (start[0] == 0xFF && start[1] == JPEG_SOI && start[2] == 0xFF) {
    header->decoder = "jpegdec";
    header->is_jpeg = TRUE;
    fseek (file, 2, SEEK_SET);
    read_jpeg (file, header);
  } else if (start[0] == 'P' && start[1] != '\0'
      && strchr ("2356", start[1]) != NULL && (g_ascii_isspace (start[2])
          || start[2] == '#')) {
    header->decoder = "pnmdec";
    header->package = "gstreamer1.0-plugins-bad";
    fseek (file, 2, SEEK_SET);
    header->width = read_text_number (file);
    header->height = read_text_number (file);
    read_text_number (file);    /* white */
    header->is_cut_short = feof (file);
  }
}

/* -- image ---------------------------------------------------------------- */

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
  g_autoptr (GstPad) other = gst_element_get_static_pad (decoder, name);
  GstPad *pad = gst_object_ref_sink (gst_pad_new (NULL, direction));

  if (direction == GST_PAD_SRC)
    gst_pad_link (pad, other);
  else
    gst_pad_link (other, pad);
  gst_pad_set_active (pad, TRUE);
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
  g_autoptr (GstPad) start = new_pad (decoder, "sink", GST_PAD_SRC);
  g_autoptr (GstPad) end = new_pad (decoder, "src", GST_PAD_SINK);
  g_autoptr (GstCaps) caps = NULL;
  GstSegment segment;

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
  gst_element_set_state (decoder, GST_STATE_NULL);
  gst_pad_set_active (start, FALSE);
  gst_pad_set_active (end, FALSE);
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
  g_autoptr (GstElement) decoder = NULL;
  g_autoptr (GstBuffer) buffer = NULL;
  GstSlitScanFileHeader header;
  GstVideoInfo info;

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
    return FALSE;
  }
  gst_object_ref_sink (decoder);
  buffer = decode (decoder, header.is_jpeg ? GST_FORMAT_TIME
      : GST_FORMAT_BYTES, buffer, &info);
  if (buffer != NULL)
    buffer = gst_buffer_make_writable (buffer);
  if (buffer == NULL
      || !gst_video_frame_map (frame, &info, buffer, GST_MAP_READWRITE)) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
        "The image %s cannot be decoded: it is damaged, cut short, or of a rare "
        "kind. Save it again as PNG.", name);
    return FALSE;
  }
  if (header.is_rgb16
      && GST_VIDEO_FRAME_FORMAT (frame) == GST_VIDEO_FORMAT_ARGB64)
    correct_rgb16 (frame->map[0].data, frame->map[0].size);
  return TRUE;
}

gboolean
gst_slit_scan_map_file_read (const gchar * location, GstVideoFrame * frame,
    GError ** error)
{
  g_autofree gchar *path = get_path (location, error);
  g_autofree gchar *name = NULL;
  FILE *file;
  gboolean is_read;

  if (path == NULL)
    return FALSE;
  name = g_filename_display_name (path);
  file = open_file (path, name, error);
  if (file == NULL)
    return FALSE;
  is_read = read_image (file, name, frame, error);
  fclose (file);
  return is_read;
}
