/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Creates and frees elements over and over, each after another short life, and
 * checks that nothing of them is left.
 *
 *   ElementProgram lifecycle [COUNT]
 *
 * It fails where an element has more than one reference at its end or outlives
 * that, or where each further one costs memory. GST_TRACERS=leaks looks for the rest. */

#include "program.h"

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <malloc.h>
#include <stdlib.h>

#define CAPS "video/x-raw,format=GRAY8,width=32,height=32,framerate=25/1"

/* Gives an element up, and says whether it was the last to have it. */
static gboolean
bury (GstElement * element)
{
  GWeakRef grave;
  GstElement *left;
  gboolean is_gone = GST_OBJECT_REFCOUNT_VALUE (element) == 1;

  if (!is_gone)
    g_printerr ("FAILED: %d references at the end\n",
        GST_OBJECT_REFCOUNT_VALUE (element));
  g_weak_ref_init (&grave, element);
  gst_object_unref (element);
  left = g_weak_ref_get (&grave);
  if (left != NULL) {
    g_printerr ("FAILED: something has it still\n");
    gst_object_unref (left);
    is_gone = FALSE;
  }
  g_weak_ref_clear (&grave);
  return is_gone;
}

static GstElement *
make (void)
{
  return gst_object_ref_sink (gst_element_factory_make ("slitscan", NULL));
}

/* Made, and not used at all. */
static gboolean
live_unused (void)
{
  return bury (make ());
}

/* Up and down through all states, without a neighbour. */
static gboolean
live_alone (void)
{
  GstElement *element = make ();

  gst_element_set_state (element, GST_STATE_PLAYING);
  gst_element_set_state (element, GST_STATE_READY);
  gst_element_set_state (element, GST_STATE_PAUSED);
  gst_element_set_state (element, GST_STATE_NULL);
  return bury (element);
}

/* With a pad that is released, and one that is not. */
static gboolean
live_with_map_pads (void)
{
  GstElement *element = make ();
  GstPad *pad = gst_element_request_pad_simple (element, "map");
  GstPad *branch = gst_pad_new ("branch", GST_PAD_SRC);

  gst_pad_link (branch, pad);
  gst_element_set_state (element, GST_STATE_PLAYING);
  gst_element_release_request_pad (element, pad);
  gst_object_unref (pad);
  gst_object_unref (branch);
  pad = gst_element_request_pad_simple (element, "map");
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (pad);
  return bury (element);
}

/* Linked to the wrong things, which it refuses. */
static gboolean
live_misused (void)
{
  GstElement *pipeline = gst_pipeline_new (NULL);
  GstElement *element = make (), *other = make ();
  GstPad *source, *sink, *other_source;
  gboolean is_well;

  gst_bin_add_many (GST_BIN (pipeline), element, other, NULL);
  source = gst_element_get_static_pad (element, "src");
  sink = gst_element_get_static_pad (element, "sink");
  other_source = gst_element_get_static_pad (other, "src");
  is_well = gst_pad_link (source, sink) == GST_PAD_LINK_WRONG_HIERARCHY
      && gst_pad_link (other_source, sink) == GST_PAD_LINK_OK
      && gst_pad_link (other_source, sink) == GST_PAD_LINK_WAS_LINKED
      && !gst_element_link (element, element);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  gst_object_unref (source);
  gst_object_unref (sink);
  gst_object_unref (other_source);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  if (!is_well)
    g_printerr ("FAILED: a link is not what it should be\n");
  return bury (element) & bury (other) & is_well;
}

/* With frames of a mode, and whatever is said of them. */
static gboolean
live_with_frames (const gchar * mode)
{
  GstElement *element = make ();
  GstHarness *harness;
  GstBuffer *buffer;
  GstSample *sample = NULL;
  GstStructure *stats = NULL;
  GstCaps *caps = gst_caps_new_empty_simple ("timestamp/x-test");
  gint number, taken = 0;

  gst_util_set_object_arg (G_OBJECT (element), "mode", mode);
  g_object_set (element, "depth", 4, "drain", TRUE, NULL);
  harness = gst_harness_new_with_element (element, "sink", "src");
  gst_harness_set_src_caps_str (harness, CAPS);
  for (number = 0; number < 6; number++) {
    buffer = gst_buffer_new_allocate (NULL, 32 * 32, NULL);
    gst_buffer_memset (buffer, 0, number, -1);
    GST_BUFFER_PTS (buffer) = number * 40 * GST_MSECOND;
    gst_buffer_add_reference_timestamp_meta (buffer, caps, number, 1);
    gst_buffer_add_video_region_of_interest_meta (buffer, "part", 0, 0, 1, 1);
    gst_harness_push (harness, buffer);
  }
  gst_caps_unref (caps);
  g_signal_emit_by_name (element, "snapshot", &sample);
  g_clear_pointer (&sample, gst_sample_unref);
  g_object_get (element, "stats", &stats, NULL);
  g_clear_pointer (&stats, gst_structure_free);
  /* Not enough for what the caps say. */
  gst_harness_push (harness, gst_buffer_new_allocate (NULL, 1, NULL));
  gst_harness_push_event (harness, gst_event_new_eos ());
  while ((buffer = gst_harness_try_pull (harness)) != NULL) {
    gst_buffer_unref (buffer);
    taken++;
  }
  gst_harness_teardown (harness);
  if (taken < 6)
    g_printerr ("FAILED: of 6 frames, %d came out\n", taken);
  return bury (element) & (taken >= 6);
}

/* With no downstream element to take its frames. */
static gboolean
live_unheard (void)
{
  GstElement *element = make ();
  GstHarness *harness = gst_harness_new_with_element (element, "sink", NULL);
  gint number, refused = 0;

  gst_harness_set_src_caps_str (harness, CAPS);
  for (number = 0; number < 6; number++)
    refused += gst_harness_push (harness, gst_buffer_new_allocate (NULL,
            32 * 32, NULL)) == GST_FLOW_NOT_LINKED;
  gst_harness_push_event (harness, gst_event_new_eos ());
  gst_harness_teardown (harness);
  if (refused < 6)
    g_printerr ("FAILED: of 6 frames, %d were refused\n", refused);
  return bury (element) & (refused == 6);
}

static gboolean
live_many_lives (void)
{
  static guint round = 0;

  switch (round++ % 8) {
    case 0:
      return live_with_frames ("displace");
    case 1:
      return live_with_frames ("sweep");
    case 2:
      return live_with_frames ("strip");
    case 3:
      return live_with_map_pads ();
    case 4:
      return live_misused ();
    case 5:
      return live_alone ();
    case 6:
      return live_unheard ();
    default:
      return live_unused ();
  }
}

/* The bytes that are allocated in the whole process. */
static gssize
used_bytes (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

int
lifecycle (int argc, char **argv)
{
  gint count = argc > 1 ? atoi (argv[1]) : 10000, index;
  gssize used = 0, resident = 0;
  gboolean is_well = TRUE;

  program_begin ();
  for (index = 0; index < count && is_well; index++) {
    /* By then, everything is there that is made once. */
    if (index == count / 4) {
      used = used_bytes ();
      resident = program_bytes (TRUE);
    }
    is_well = live_many_lives ();
  }
  used = used_bytes () - used;
  resident = program_bytes (TRUE) - resident;
  g_print ("%d elements; from the first quarter on, %" G_GSSIZE_FORMAT
      " bytes more allocated, %" G_GSSIZE_FORMAT " more in memory\n", index,
      used, resident);
  /* What GLib and malloc keep for themselves; the least that can be allocated,
   * once in each round of lives, would be more. */
  if (is_well && (used > 16 * 1024 || resident > 4 * 1024 * 1024)) {
    g_printerr ("FAILED: memory grows with each element\n");
    is_well = FALSE;
  }
  gst_deinit ();
  return is_well ? 0 : 1;
}
