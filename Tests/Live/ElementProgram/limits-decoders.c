/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The cases of slow decoders of map images. */

#include "limits.h"
#include "scan.h"

#include <glib/gstdio.h>

#include <string.h>
#include <unistd.h>

/* A decoder that takes as long as the test wants. */
typedef GstElement Slow;
typedef GstElementClass SlowClass;

GType slow_get_type (void);
G_DEFINE_TYPE (Slow, slow, GST_TYPE_ELEMENT);

/* The number at work, and whether they may end. */
static gint slow_count;
static gint slow_may_end;

/* Caps come before a segment. */
static gboolean
slow_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT)
    return gst_pad_event_default (pad, parent, event);
  gst_event_unref (event);
  return TRUE;
}

/* Draws a grey image. */
static GstFlowReturn
slow_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstPad *source = gst_element_get_static_pad (GST_ELEMENT (parent), "src");
  GstBuffer *image = gst_buffer_new_allocate (NULL, 16 * 16, NULL);
  GstFlowReturn flow;
  GstSegment segment;

  gst_buffer_unref (buffer);
  gst_buffer_memset (image, 0, 0x80, -1);
  g_atomic_int_inc (&slow_count);
  while (!g_atomic_int_get (&slow_may_end))
    g_usleep (1000);
  gst_pad_push_event (source, gst_event_new_caps (gst_caps_new_simple
          ("video/x-raw", "format", G_TYPE_STRING, "GRAY8", "width",
              G_TYPE_INT, 16, "height", G_TYPE_INT, 16, "framerate",
              GST_TYPE_FRACTION, 0, 1, NULL)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (source, gst_event_new_segment (&segment));
  flow = gst_pad_push (source, image);
  gst_object_unref (source);
  return flow;
}

static GstStaticPadTemplate slow_sink = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("image/png"));
static GstStaticPadTemplate slow_src = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw"));

static void
slow_class_init (SlowClass * klass)
{
  gst_element_class_add_static_pad_template (klass, &slow_sink);
  gst_element_class_add_static_pad_template (klass, &slow_src);
  gst_element_class_set_static_metadata (klass, "Slow", "Codec/Decoder/Image",
      "Takes its time", "slitscan");
}

static void
slow_init (Slow * self)
{
  GstPad *pad = gst_pad_new_from_static_template (&slow_sink, "sink");

  gst_pad_set_event_function (pad, slow_event);
  gst_pad_set_chain_function (pad, slow_chain);
  gst_element_add_pad (self, pad);
  gst_element_add_pad (self, gst_pad_new_from_static_template (&slow_src,
          "src"));
}

/* From now on, this decodes PNG. */
static void
register_slow (void)
{
  gst_element_register (NULL, "pngdec", GST_RANK_PRIMARY, slow_get_type ());
}

/* A new file with some bytes. */
static gchar *
write_file (const gchar * bytes, gsize count)
{
  gchar *path = NULL;
  gint file = g_file_open_tmp ("limits-XXXXXX", &path, NULL);

  if (file < 0 || write (file, bytes, count) != (gssize) count)
    exit (2);
  close (file);
  return path;
}

/* A new file with an image of one grey. */
static gchar *
write_grey (guint8 grey)
{
  gchar image[13 + 256] = "P5 16 16 255\n";

  memset (image + 13, grey, 256);
  return write_file (image, sizeof (image));
}

/* A new file with a PNG of one white pixel. */
static gchar *
write_png (void)
{
  gsize count;
  const gchar *text = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQV"
      "R4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==";
  guchar *bytes = g_base64_decode (text, &count);
  gchar *path = write_file ((const gchar *) bytes, count);

  g_free (bytes);
  return path;
}

/* The next frame, whose value is its number; how much older it is shown. */
static gint
pass_numbered (Scan * scan)
{
  guint8 number = scan->in, shown = number;
  GstBuffer *output;

  scan_push (scan, scan_make_frame (scan, number),
      scan->in * 40 * GST_MSECOND, 40 * GST_MSECOND);
  output = scan_pull (scan);
  if (output != NULL) {
    gst_buffer_extract (output, 0, &shown, 1);
    gst_buffer_unref (output);
  }
  return (guint8) (number - shown);
}

/* Images come, go and are replaced while a decoder is at work: no frame waits
 * for it, other images are read meanwhile, and an image that was replaced is
 * not shown. */
void
a_decoder_takes_its_time (void)
{
  gchar *slow = write_png ();
  gchar *white = write_grey (0xFF);
  gint number, delay;
  Scan scan;

  register_slow ();
  scan_begin (&scan, GST_VIDEO_FORMAT_GRAY8, 16, 16, 25, 1,
      "depth=3 map=image");
  /* Far more than it may take. */
  alarm (100);
  for (number = 0; number < 10; number++)
    CHECK (pass_numbered (&scan) == 0, "there is no map");
  for (number = 1; number <= 2; number++) {
    scan_set (&scan, "map-location", slow);
    while (g_atomic_int_get (&slow_count) < number) {
      CHECK (pass_numbered (&scan) == 0, "a map came of a decoder at work");
      g_usleep (1000);
    }
    if (number == 2)
      break;
    scan_set (&scan, "map-location", white);
    while ((delay = pass_numbered (&scan)) != 2) {
      CHECK (delay == 0, "a map came of a decoder at work");
      g_usleep (1000);
    }
    scan_set (&scan, "map-location", "");
    CHECK (pass_numbered (&scan) == 0, "the map stays");
  }
  for (number = 0; number < 1000; number++) {
    scan_set (&scan, "map-location", number % 2 == 0 ? "" : number % 3 == 0
        ? white : slow);
    delay = pass_numbered (&scan);
    CHECK (delay == 0 || (number % 2 == 1 && delay == 2), "delay %d", delay);
  }
  scan_set (&scan, "map-location", white);
  g_atomic_int_set (&slow_may_end, TRUE);
  while ((delay = pass_numbered (&scan)) != 2) {
    CHECK (delay == 0, "a replaced map was shown");
    g_usleep (1000);
  }
  for (number = 0; number < 100; number++) {
    CHECK (pass_numbered (&scan) == 2, "a replaced map was shown");
    g_usleep (1000);
  }
  scan_set (&scan, "map-location", slow);
  while ((delay = pass_numbered (&scan)) != 1) {
    CHECK (delay == 2, "the map has gone");
    g_usleep (1000);
  }
  scan_check (&scan, "slow");
  CHECK (!scan.has_failed, "%s", scan.words);
  scan_end (&scan);
  g_unlink (slow);
  g_unlink (white);
  g_free (slow);
  g_free (white);
}

/* Longer than a test may wait. */
static gpointer
let_slow_end (gpointer data)
{
  g_usleep (7 * G_USEC_PER_SEC);
  g_atomic_int_set (&slow_may_end, TRUE);
  return NULL;
}

/* The first frame has its map, however long that takes. */
void
a_stream_starts_with_its_map (void)
{
  gchar *slow = write_png ();
  gchar *properties = g_strdup_printf ("depth=3 map=image map-location=%s",
      slow);
  GThread *thread;
  gint number;
  Scan scan;

  register_slow ();
  thread = g_thread_new ("let-slow-end", let_slow_end, NULL);
  scan_begin (&scan, GST_VIDEO_FORMAT_GRAY8, 16, 16, 25, 1, properties);
  for (number = 0; number < 10; number++)
    CHECK (pass_numbered (&scan) == MIN (number, 1), "frame %d", number);
  scan_end (&scan);
  g_thread_join (thread);
  g_unlink (slow);
  g_free (slow);
  g_free (properties);
}
