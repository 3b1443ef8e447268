/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The clocks of the bridge benchmark: when buffers leave and arrive, and the
 * CPU time used. */

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

  if (clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time) != 0)
    return 0;
  return time.tv_sec * (gint64) GST_SECOND + time.tv_nsec;
}

/* -- stamps --------------------------------------------------------------- */

static GstPadProbeReturn
stamp (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER
      (info));

  GST_BUFFER_PTS (buffer) = now ();
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return GST_PAD_PROBE_OK;
}

static gint64
age (GstBuffer * buffer)
{
  return buffer != NULL ? now () - (gint64) GST_BUFFER_PTS (buffer) : 0;
}

void
bridge_stamp (GstElement * source)
{
  GstPad *pad = gst_element_get_static_pad (source, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, stamp, NULL, NULL);
  gst_object_unref (pad);
}

/* -- meter ---------------------------------------------------------------- */

struct _BridgeMeter
{
  GstPad *pad;
  gulong probe;
  guint64 warm_up, count, seen;
  gint64 wall_start, wall_end, cpu_start, cpu_end;
  gint64 *ages;
};

static GstPadProbeReturn
meter_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  BridgeMeter *meter = data;
  guint64 number = meter->seen++;

  if (number > meter->warm_up && number <= meter->warm_up + meter->count)
    meter->ages[number - meter->warm_up - 1] =
        age (GST_PAD_PROBE_INFO_BUFFER (info));
  if (number == meter->warm_up) {
    meter->wall_start = now ();
    meter->cpu_start = cpu_now ();
  } else if (number == meter->warm_up + meter->count) {
    meter->wall_end = now ();
    meter->cpu_end = cpu_now ();
  }
  return GST_PAD_PROBE_OK;
}

BridgeMeter *
bridge_meter_new (GstElement * sink, guint64 warm_up, guint64 count)
{
  BridgeMeter *meter = g_new0 (BridgeMeter, 1);

  meter->warm_up = warm_up;
  meter->count = count;
  meter->ages = g_new0 (gint64, count);
  meter->pad = gst_element_get_static_pad (sink, "sink");
  meter->probe = gst_pad_add_probe (meter->pad, GST_PAD_PROBE_TYPE_BUFFER,
      meter_buffer, meter, NULL);
  return meter;
}

void
bridge_meter_free (BridgeMeter * meter)
{
  gst_pad_remove_probe (meter->pad, meter->probe);
  gst_object_unref (meter->pad);
  g_free (meter->ages);
  g_free (meter);
}

gboolean
bridge_meter_is_complete (const BridgeMeter * meter)
{
  return meter->seen > meter->warm_up + meter->count;
}

gint64
bridge_meter_wall_time (const BridgeMeter * meter)
{
  return meter->wall_end - meter->wall_start;
}

gint64
bridge_meter_cpu_time (const BridgeMeter * meter)
{
  return meter->cpu_end - meter->cpu_start;
}

gint64
bridge_meter_age (const BridgeMeter * meter, guint64 index)
{
  return index < meter->count ? meter->ages[index] : 0;
}
