/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The bridges out of a pipeline that a program in C can use, and clocks. */

#include <gst/app/app.h>
#include <time.h>

#include "bridge-peer.h"

static gint64
now (void)
{
  return gst_util_get_timestamp ();
}

static gint64
cpu_now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return GST_TIMESPEC_TO_TIME (time);
}

static void
add_probe (GstElement * element, const gchar * pad_name,
    GstPadProbeCallback callback, gpointer data)
{
  GstPad *pad = gst_element_get_static_pad (element, pad_name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, data, g_free);
  gst_object_unref (pad);
}

static GstPadProbeReturn
stamp (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER
      (info));

  GST_BUFFER_PTS (buffer) = now ();
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return GST_PAD_PROBE_OK;
}

void
bridge_stamp (GstElement * source)
{
  add_probe (source, "src", stamp, NULL);
}

static GstPadProbeReturn
meter_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  BridgeMeter *meter = data;
  guint64 number = meter->seen++;

  if (number == meter->warm_up) {
    meter->wall_time = -now ();
    meter->cpu_time = -cpu_now ();
  } else if (number == meter->warm_up + meter->count) {
    meter->wall_time += now ();
    meter->cpu_time += cpu_now ();
  }
  return GST_PAD_PROBE_OK;
}

const BridgeMeter *
bridge_meter (GstElement * sink, guint64 warm_up, guint64 count)
{
  BridgeMeter *meter = g_new0 (BridgeMeter, 1);

  meter->warm_up = warm_up;
  meter->count = count;
  add_probe (sink, "sink", meter_buffer, meter);
  return meter;
}

static GstFlowReturn
relay_sample (GstAppSink * sink, gpointer source)
{
  GstSample *sample = gst_app_sink_pull_sample (sink);
  GstFlowReturn flow;

  if (sample == NULL)
    return GST_FLOW_EOS;
  flow = gst_app_src_push_sample (source, sample);
  gst_sample_unref (sample);
  return flow;
}

static void
relay_end (GstAppSink * sink, gpointer source)
{
  gst_app_src_end_of_stream (source);
}

void
bridge_relay (GstElement * sink, GstElement * source)
{
  GstAppSinkCallbacks callbacks = { NULL };

  callbacks.eos = relay_end;
  callbacks.new_sample = relay_sample;
  gst_app_sink_set_callbacks (GST_APP_SINK (sink), &callbacks,
      gst_object_ref (source), gst_object_unref);
}

guint64
bridge_read (GstElement * sink, guint64 busy, gint64 * ages, guint64 most)
{
  guint64 count = 0;
  GstSample *sample;

  while ((sample = gst_app_sink_pull_sample (GST_APP_SINK (sink))) != NULL) {
    if (count < most)
      ages[count] =
          now () - (gint64) GST_BUFFER_PTS (gst_sample_get_buffer (sample));
    count++;
    gst_sample_unref (sample);
    g_usleep (busy / 1000);
  }
  return count;
}
