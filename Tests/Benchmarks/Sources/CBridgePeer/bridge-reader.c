/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* A reader that is slower than its stream. */

#include <gst/app/app.h>

#include "bridge-peer.h"

struct _BridgeReader
{
  GstAppSink *sink;
  GThread *thread;
  guint64 busy, most, count;
  gint64 *ages;
};

static gpointer
read_samples (gpointer data)
{
  BridgeReader *reader = data;
  GstSample *sample;

  while ((sample = gst_app_sink_pull_sample (reader->sink)) != NULL) {
    GstBuffer *buffer = gst_sample_get_buffer (sample);

    if (reader->count < reader->most && buffer != NULL)
      reader->ages[reader->count] =
          (gint64) gst_util_get_timestamp () - (gint64) GST_BUFFER_PTS (buffer);
    reader->count++;
    gst_sample_unref (sample);
    g_usleep (reader->busy / 1000);
  }
  return NULL;
}

BridgeReader *
bridge_reader_new (GstElement * sink, guint64 busy, guint64 most)
{
  BridgeReader *reader = g_new0 (BridgeReader, 1);

  reader->sink = gst_object_ref (GST_APP_SINK (sink));
  reader->busy = busy;
  reader->most = most;
  reader->ages = g_new0 (gint64, most);
  reader->thread = g_thread_new ("bridge-reader", read_samples, reader);
  return reader;
}

guint64
bridge_reader_wait (BridgeReader * reader)
{
  if (reader->thread != NULL)
    g_thread_join (reader->thread);
  reader->thread = NULL;
  return reader->count;
}

gint64
bridge_reader_age (const BridgeReader * reader, guint64 index)
{
  return index < MIN (reader->count, reader->most) ? reader->ages[index] : 0;
}

void
bridge_reader_free (BridgeReader * reader)
{
  bridge_reader_wait (reader);
  gst_object_unref (reader->sink);
  g_free (reader->ages);
  g_free (reader);
}
