/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* One element in a harness, and the checks of what comes of it. */

#include "scan.h"

#include <string.h>

guint failures;

void
scan_set (Scan * scan, const gchar * name, const gchar * value)
{
  gst_util_set_object_arg (G_OBJECT (scan->harness->element), name, value);
}

/* properties: names and values, as `depth=3 map=radial`. The element starts with
 * them. */
void
scan_begin (Scan * scan, GstVideoFormat format, gint width, gint height,
    gint fps_n, gint fps_d, const gchar * properties)
{
  gchar **words = g_strsplit (properties, " ", -1), **word;
  GstElement *element = gst_element_factory_make ("slitscan", NULL);

  gst_object_ref_sink (element);
  memset (scan, 0, sizeof (*scan));
  scan->bus = gst_bus_new ();
  gst_element_set_bus (element, scan->bus);
  for (word = words; *word != NULL; word++) {
    gchar *equals = strchr (*word, '=');

    if (equals == NULL)
      continue;
    *equals = '\0';
    gst_util_set_object_arg (G_OBJECT (element), *word, equals + 1);
  }
  g_strfreev (words);
  scan->harness = gst_harness_new_with_element (element, "sink", "src");
  gst_object_unref (element);
  gst_video_info_set_format (&scan->info, format, width, height);
  scan->info.fps_n = fps_n;
  scan->info.fps_d = fps_d;
  gst_harness_set_src_caps (scan->harness,
      gst_video_info_to_caps (&scan->info));
}

/* A frame whose bytes all have one value. */
GstBuffer *
scan_make_frame (Scan * scan, guint8 value)
{
  GstBuffer *buffer =
      gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&scan->info), NULL);

  gst_buffer_memset (buffer, 0, value, -1);
  return buffer;
}

/* Takes the buffer. */
GstFlowReturn
scan_push (Scan * scan, GstBuffer * buffer, GstClockTime time,
    GstClockTime duration)
{
  GST_BUFFER_PTS (buffer) = time;
  GST_BUFFER_DURATION (buffer) = duration;
  scan->in++;
  return gst_harness_push (scan->harness, buffer);
}

GstBuffer *
scan_pull (Scan * scan)
{
  GstBuffer *buffer = gst_harness_try_pull (scan->harness);

  if (buffer != NULL)
    scan->out++;
  return buffer;
}

/* Pushes and forgets; counts what comes out. */
GstFlowReturn
scan_pass (Scan * scan, GstBuffer * buffer, GstClockTime time)
{
  GstFlowReturn flow = scan_push (scan, buffer, time, 40 * GST_MSECOND);
  GstBuffer *output;

  while ((output = scan_pull (scan)) != NULL)
    gst_buffer_unref (output);
  return flow;
}

/* Passes so many frames, 40 ms apart, each with a value of its own. */
void
scan_run (Scan * scan, guint frames)
{
  for (guint number = 0; number < frames; number++)
    scan_pass (scan, scan_make_frame (scan, number * 29),
        number * 40 * GST_MSECOND);
}

static void
scan_listen (Scan * scan)
{
  GstMessage *message;

  while ((message = gst_bus_pop (scan->bus)) != NULL) {
    GError *error = NULL;

    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
      gst_message_parse_warning (message, &error, NULL);
      scan->warnings++;
    } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
      gst_message_parse_error (message, &error, NULL);
      scan->has_failed = TRUE;
    }
    if (error != NULL) {
      g_free (scan->words);
      scan->words = g_strdup (error->message);
      g_error_free (error);
    }
    gst_message_unref (message);
  }
}

void
scan_end (Scan * scan)
{
  gst_element_set_bus (scan->harness->element, NULL);
  gst_bus_set_flushing (scan->bus, TRUE);
  gst_object_unref (scan->bus);
  gst_harness_teardown (scan->harness);
  g_free (scan->words);
}

/* All frames came out, or it was said why not. */
void
scan_check (Scan * scan, const gchar * what)
{
  scan_listen (scan);
  if (scan->has_failed)
    CHECK (scan->words != NULL && *scan->words != '\0', "%s", what);
  else
    CHECK (scan->out == scan->in, "%s: of %u frames came %u", what, scan->in,
        scan->out);
}
