/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Pads that are requested and released in the middle of everything. */

#include "stress.h"

/* A map comes by a pad, and goes, in the middle of everything. */
void
stress_map_pad (gpointer thread, gpointer data)
{
  Hand *hand = data;
  GstHarness *harness = hand->stress->harness;
  GRand *dice = hand->dice;
  GstPad *pad, *peer;
  GstVideoInfo info;
  GstSegment segment;
  gint count;

  pad = gst_element_request_pad_simple (harness->element, "map");
  if (pad == NULL)
    return;
  peer = gst_pad_new ("branch", GST_PAD_SRC);
  gst_pad_set_active (peer, TRUE);
  gst_pad_set_active (pad, TRUE);
  if (!chance (dice, 10) && gst_pad_link (peer, pad) == GST_PAD_LINK_OK) {
    GstCaps *caps;

    gst_video_info_set_format (&info, chance (dice,
            2) ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_GRAY16_LE,
        g_rand_int_range (dice, 1, 64), g_rand_int_range (dice, 1, 64));
    caps = gst_video_info_to_caps (&info);
    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_pad_push_event (peer, gst_event_new_stream_start ("map"));
    gst_pad_push_event (peer, gst_event_new_caps (caps));
    gst_pad_push_event (peer, gst_event_new_segment (&segment));
    gst_caps_unref (caps);
    for (count = g_rand_int_range (dice, 0, 3); count > 0; count--) {
      GstBuffer *buffer = gst_buffer_new_allocate (NULL, chance (dice, 20) ? 1 :
          GST_VIDEO_INFO_SIZE (&info), NULL);

      gst_buffer_memset (buffer, 0, g_rand_int_range (dice, 0, 256), -1);
      GST_BUFFER_PTS (buffer) = 0;
      gst_pad_push (peer, buffer);
    }
    if (chance (dice, 3))
      gst_pad_push_event (peer, gst_event_new_eos ());
    gst_pad_unlink (peer, pad);
  }
  gst_pad_set_active (peer, FALSE);
  gst_object_unref (peer);
  gst_element_release_request_pad (harness->element, pad);
  gst_object_unref (pad);
}

static GstFlowReturn
drop (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* Ages go by a pad for a while, in the middle of everything. */
void
stress_age_pad (gpointer thread, gpointer data)
{
  Hand *hand = data;
  GstElement *element = hand->stress->harness->element;
  GstPad *pad, *peer;

  pad = gst_element_request_pad_simple (element, "age");
  if (pad == NULL)
    return;
  peer = gst_pad_new ("branch", GST_PAD_SINK);
  gst_pad_set_chain_function (peer, drop);
  gst_pad_set_active (peer, TRUE);
  if (!chance (hand->dice, 10) && gst_pad_link (pad, peer) == GST_PAD_LINK_OK) {
    gint64 duration;

    g_usleep (g_rand_int_range (hand->dice, 0, 30000));
    gst_pad_push_event (peer, gst_event_new_reconfigure ());
    gst_pad_peer_query_duration (peer, GST_FORMAT_TIME, &duration);
    g_usleep (g_rand_int_range (hand->dice, 0, 30000));
    gst_pad_unlink (pad, peer);
  }
  gst_pad_set_active (peer, FALSE);
  gst_object_unref (peer);
  gst_element_release_request_pad (element, pad);
  gst_object_unref (pad);
}
