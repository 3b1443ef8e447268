/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The bridges out of a pipeline that a program in C can use. */

#include <gst/app/app.h>
#include <gst/video/video.h>

#include "bridge-peer.h"

typedef struct
{
  /* NULL for a probe. */
  GstAppSrc *source;
  gboolean looks, has_info;
  GstVideoInfo info;
  /* Written so that the compiler does not leave out what is read. */
  volatile guint8 seen;
} Peer;

static void
peer_free (gpointer data)
{
  Peer *peer = data;

  gst_clear_object (&peer->source);
  g_free (peer);
}

/* Caps do not change here. */
static void
peer_look (Peer * peer, GstBuffer * buffer, GstCaps * caps)
{
  GstVideoFrame frame;

  if (!peer->has_info && caps != NULL)
    peer->has_info = gst_video_info_from_caps (&peer->info, caps);
  if (!peer->has_info || buffer == NULL ||
      !gst_video_frame_map (&frame, &peer->info, buffer, GST_MAP_READ))
    return;
  peer->seen = *(guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0);
  gst_video_frame_unmap (&frame);
}

/* -- pad probe ------------------------------------------------------------ */

static GstPadProbeReturn
probe_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Peer *peer = data;
  GstCaps *caps;

  if (!peer->looks)
    return GST_PAD_PROBE_OK;
  caps = peer->has_info ? NULL : gst_pad_get_current_caps (pad);
  peer_look (peer, GST_PAD_PROBE_INFO_BUFFER (info), caps);
  gst_clear_caps (&caps);
  return GST_PAD_PROBE_OK;
}

void
bridge_probe (GstElement * source, gboolean looks)
{
  GstPad *pad = gst_element_get_static_pad (source, "src");
  Peer *peer = g_new0 (Peer, 1);

  peer->looks = looks;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, probe_buffer, peer,
      peer_free);
  gst_object_unref (pad);
}

/* -- appsink to appsrc ---------------------------------------------------- */

static GstFlowReturn
relay_sample (GstAppSink * sink, gpointer data)
{
  Peer *peer = data;
  GstSample *sample = gst_app_sink_pull_sample (sink);
  GstFlowReturn flow;

  if (sample == NULL)
    return GST_FLOW_EOS;
  if (peer->looks)
    peer_look (peer, gst_sample_get_buffer (sample),
        gst_sample_get_caps (sample));
  flow = gst_app_src_push_sample (peer->source, sample);
  gst_sample_unref (sample);
  return flow;
}

static void
relay_end (GstAppSink * sink, gpointer data)
{
  Peer *peer = data;

  gst_app_src_end_of_stream (peer->source);
}

void
bridge_relay (GstElement * sink, GstElement * source, gboolean looks)
{
  GstAppSinkCallbacks callbacks = { NULL };
  Peer *peer = g_new0 (Peer, 1);

  peer->source = gst_object_ref (GST_APP_SRC (source));
  peer->looks = looks;
  callbacks.eos = relay_end;
  callbacks.new_sample = relay_sample;
  gst_app_sink_set_callbacks (GST_APP_SINK (sink), &callbacks, peer, peer_free);
}
