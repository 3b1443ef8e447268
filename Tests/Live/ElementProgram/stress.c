/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Does everything to an element at once: frames of all formats and sizes with
 * any times, properties of all kinds, flushes, seeks, states, pads that come
 * and go, snapshots and queries.
 *
 *   ElementProgram stress [SECONDS [SEED]]
 *
 * Threads make every run another, whatever the seed. It fails where the
 * element does not do its work afterwards; sanitizers and GST_TRACERS=leaks
 * look for the rest. */

#include "program.h"
#include "stress.h"

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const gchar *formats[] = {
  "I420", "YV12", "NV12", "Y42B", "Y444", "YUY2", "UYVY", "AYUV", "RGB", "BGR",
  "RGBA", "BGRx", "ARGB", "GRAY8", "GRAY16_LE", "I420_10LE", "RGBP", "v308"
};

static void
push_caps (GstHarness * harness, GstCaps * caps)
{
  gst_harness_push_event (harness, gst_event_new_caps (caps));
  gst_caps_unref (caps);
}

static GstCaps *
random_caps (GRand * dice, GstVideoInfo * info)
{
  GstVideoFormat format;
  GstCaps *caps;

  do {
    format = gst_video_format_from_string (formats[g_rand_int_range (dice, 0,
                G_N_ELEMENTS (formats))]);
  } while (format == GST_VIDEO_FORMAT_UNKNOWN);
  gst_video_info_set_format (info, format, g_rand_int_range (dice, 1, 200),
      g_rand_int_range (dice, 1, 120));
  GST_VIDEO_INFO_FPS_N (info) = g_rand_int_range (dice, 0, 61);
  GST_VIDEO_INFO_FPS_D (info) = 1;
  caps = gst_video_info_to_caps (info);
  return caps;
}

/* The events that a stream begins with, also after a flush. */
static void
begin_stream (Stress * stress, GRand * dice)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  if (chance (dice, 5))
    segment.start = g_rand_int_range (dice, 0, 1000) * GST_MSECOND;
  if (chance (dice, 8))
    segment.rate = chance (dice, 2) ? -1.0 : 2.0;
  /* Backwards there is a first frame, which is the last. */
  if (segment.rate < 0)
    segment.stop = GST_SECOND * 3600;
  gst_harness_push_event (stress->harness,
      gst_event_new_stream_start ("stress"));
  push_caps (stress->harness, random_caps (dice, &stress->info));
  gst_harness_push_event (stress->harness, gst_event_new_segment (&segment));
}

static GstClockTime
random_time (Stress * stress, GRand * dice)
{
  stress->next += 33 * GST_MSECOND;
  switch (g_rand_int_range (dice, 0, 40)) {
    case 0:
      return GST_CLOCK_TIME_NONE;
    case 1:
      return 0;
    case 2:
      stress->next += 5 * GST_SECOND * 3600;
      break;
    case 3:
      return G_MAXUINT64 - 2;
    case 4:
      return (GstClockTime) 1 << 63;
    default:
      break;
  }
  return stress->next;
}

static void
push_frames (gpointer thread, gpointer data)
{
  Hand *hand = data;
  GstHarness *harness = hand->stress->harness;
  Stress *stress = hand->stress;
  GstBuffer *buffer;

  g_mutex_lock (&stress->stream);
  if (chance (hand->dice, 60))
    push_caps (harness, random_caps (hand->dice, &stress->info));
  /* Now and then too small for what the caps say. */
  buffer = gst_buffer_new_allocate (NULL, chance (hand->dice, 200) ? 1 :
      GST_VIDEO_INFO_SIZE (&stress->info), NULL);
  gst_buffer_memset (buffer, 0, g_rand_int_range (hand->dice, 0, 256), -1);
  GST_BUFFER_PTS (buffer) = random_time (stress, hand->dice);
  GST_BUFFER_DURATION (buffer) = chance (hand->dice, 10) ?
      GST_CLOCK_TIME_NONE : 33 * GST_MSECOND;
  if (chance (hand->dice, 50))
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  gst_harness_push (harness, buffer);
  g_atomic_int_inc (&stress->frames);
  if (chance (hand->dice, 100)) {
    gst_harness_push_event (harness, chance (hand->dice, 2) ?
        gst_event_new_gap (stress->next, 33 * GST_MSECOND) :
        gst_event_new_eos ());
    /* After an end, only a new stream goes on. */
    gst_harness_push_event (harness, gst_event_new_flush_start ());
    gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE));
    begin_stream (stress, hand->dice);
  }
  g_mutex_unlock (&stress->stream);
  while ((buffer = gst_harness_try_pull (harness)) != NULL) {
    g_atomic_int_inc (&stress->taken);
    gst_buffer_unref (buffer);
  }
}

static void
flush (gpointer thread, gpointer data)
{
  Hand *hand = data;
  GstHarness *harness = hand->stress->harness;

  gst_harness_push_event (harness, gst_event_new_flush_start ());
  g_mutex_lock (&hand->stress->stream);
  gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE));
  begin_stream (hand->stress, hand->dice);
  g_mutex_unlock (&hand->stress->stream);
}

/* Lets frames through again. A pad that is not active refuses the end of a
 * flush, so that what is downstream would go on flushing. */
static void
play (GstHarness * harness)
{
  gst_element_set_state (harness->element, GST_STATE_PLAYING);
  gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE));
}

static void
change_state (gpointer thread, gpointer data)
{
  Hand *hand = data;
  GstHarness *harness = hand->stress->harness;

  gst_element_set_state (harness->element,
      chance (hand->dice, 2) ? GST_STATE_NULL : GST_STATE_READY);
  g_mutex_lock (&hand->stress->stream);
  play (harness);
  begin_stream (hand->stress, hand->dice);
  g_mutex_unlock (&hand->stress->stream);
}

/* Any value of a property that does not ask for gigabytes. */
static void
set_property (gpointer thread, gpointer data)
{
  Hand *hand = data;
  GstHarness *harness = hand->stress->harness;
  GRand *dice = hand->dice;
  GObject *element = G_OBJECT (harness->element);
  guint count;
  GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &count);
  GParamSpec *spec = specs[g_rand_int_range (dice, 0, count)];
  GValue value = G_VALUE_INIT;

  g_free (specs);
  if (spec->owner_type != G_OBJECT_TYPE (element)
      || !(spec->flags & G_PARAM_WRITABLE))
    return;
  g_value_init (&value, spec->value_type);
  if (G_IS_PARAM_SPEC_BOOLEAN (spec)) {
    g_value_set_boolean (&value, chance (dice, 2));
  } else if (G_IS_PARAM_SPEC_DOUBLE (spec)) {
    GParamSpecDouble *range = G_PARAM_SPEC_DOUBLE (spec);
    gdouble low = MAX (range->minimum, -1000), high =
        MIN (range->maximum, 1000);

    g_value_set_double (&value, chance (dice, 20) ? range->maximum :
        g_rand_double_range (dice, low, high));
  } else if (G_IS_PARAM_SPEC_ENUM (spec)) {
    GEnumClass *kinds = G_PARAM_SPEC_ENUM (spec)->enum_class;

    g_value_set_enum (&value,
        kinds->values[g_rand_int_range (dice, 0, kinds->n_values)].value);
  } else if (G_IS_PARAM_SPEC_INT (spec)) {
    GParamSpecInt *range = G_PARAM_SPEC_INT (spec);

    g_value_set_int (&value, g_rand_int_range (dice,
            MAX (range->minimum, -500), MIN (range->maximum, 500)));
  } else if (G_IS_PARAM_SPEC_UINT (spec)) {
    GParamSpecUInt *range = G_PARAM_SPEC_UINT (spec);

    g_value_set_uint (&value, range->minimum + g_rand_int_range (dice, 0,
            MIN (range->maximum - range->minimum, 60) + 1));
  } else if (G_IS_PARAM_SPEC_UINT64 (spec)) {
    GParamSpecUInt64 *range = G_PARAM_SPEC_UINT64 (spec);
    guint64 number = (guint64) g_rand_int_range (dice, 0, 100) * 10000000;

    g_value_set_uint64 (&value, MAX (range->minimum, number));
  } else if (G_IS_PARAM_SPEC_STRING (spec)) {
    const gchar *words[] =
        { NULL, "", "/nowhere.png", "/etc/passwd", "/dev/zero",
      "/proc/self/exe", hand->stress->image
    };

    g_value_set_string (&value,
        words[g_rand_int_range (dice, 0, G_N_ELEMENTS (words))]);
  } else {
    g_value_unset (&value);
    return;
  }
  g_object_set_property (element, spec->name, &value);
  g_value_unset (&value);
}

static void
ask (gpointer thread, gpointer data)
{
  Hand *hand = data;
  GstHarness *harness = hand->stress->harness;
  GstElement *element = harness->element;

  switch (g_rand_int_range (hand->dice, 0, 7)) {
    case 0:{
      GstSample *sample = NULL;

      g_signal_emit_by_name (element, "snapshot", &sample);
      g_clear_pointer (&sample, gst_sample_unref);
      g_signal_emit_by_name (element, "input-frame",
          (guint64) g_rand_int (hand->dice), &sample);
      g_clear_pointer (&sample, gst_sample_unref);
      break;
    }
    case 1:{
      GstStructure *stats = NULL;

      g_object_get (element, "stats", &stats, NULL);
      g_clear_pointer (&stats, gst_structure_free);
      break;
    }
    case 2:{
      GstVideoInfo info;
      GstCaps *caps = random_caps (hand->dice, &info);
      GstQuery *query = gst_query_new_allocation (caps, chance (hand->dice, 2));

      gst_pad_peer_query (harness->srcpad, query);
      gst_query_unref (query);
      query = gst_query_new_accept_caps (caps);
      gst_pad_peer_query (harness->srcpad, query);
      gst_query_unref (query);
      gst_caps_unref (caps);
      break;
    }
    case 3:{
      GstCaps *caps = gst_pad_peer_query_caps (harness->srcpad, NULL);

      gst_caps_unref (caps);
      break;
    }
    case 4:
      gst_harness_push_upstream_event (harness, gst_event_new_reconfigure ());
      break;
    case 5:
      gst_harness_push_upstream_event (harness,
          gst_event_new_seek (chance (hand->dice, 2) ? 1.0 : -2.0,
              GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET,
              g_rand_int_range (hand->dice, 0, 1000) * GST_MSECOND,
              GST_SEEK_TYPE_NONE, 0));
      break;
    default:
      gst_harness_push_upstream_event (harness, chance (hand->dice, 2) ?
          gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 2.0, 50 * GST_MSECOND,
              g_rand_int_range (hand->dice, 0, 100000) * GST_MSECOND) :
          gst_event_new_navigation (gst_structure_new
              ("application/x-gst-navigation", "event", G_TYPE_STRING,
                  "mouse-move", "pointer_x", G_TYPE_DOUBLE,
                  g_rand_double_range (hand->dice, -10, 500), "pointer_y",
                  G_TYPE_DOUBLE, g_rand_double_range (hand->dice, -10, 500),
                  NULL)));
  }
}

/* Writes an image that takes a while to load. */
static gchar *
write_image (GRand * dice)
{
  const gchar header[] = "P5 640 480 255\n";
  gsize length = strlen (header), size = length + 640 * 480;
  gchar *bytes = g_malloc (size);
  gchar *path = NULL;
  gint file = g_file_open_tmp ("stress-XXXXXX.pgm", &path, NULL);

  memcpy (bytes, header, length);
  for (; length < size; length++)
    bytes[length] = g_rand_int_range (dice, 0, 256);
  if (file >= 0)
    close (file);
  if (path == NULL || !g_file_set_contents (path, bytes, size, NULL))
    g_error ("no image can be written to %s", g_get_tmp_dir ());
  g_free (bytes);
  return path;
}

static GstHarnessThread *
start (Stress * stress, GFunc act, gulong pause)
{
  Hand *hand = g_new (Hand, 1);

  hand->stress = stress;
  hand->dice = g_rand_new_with_seed (g_rand_int (stress->seeds));
  return gst_harness_stress_custom_start (stress->harness, NULL, (GFunc) act,
      hand, pause);
}

/* After all of that, frames go through the element as if nothing had been. */
static gboolean
works (Stress * stress)
{
  GstHarness *harness = stress->harness;
  GstSegment segment;
  GstVideoInfo info;
  GstBuffer *buffer;
  GParamSpec **specs;
  guint index, count;
  gint number, got = 0;

  gst_element_set_state (harness->element, GST_STATE_NULL);
  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (harness->element),
      &count);
  for (index = 0; index < count; index++) {
    if (specs[index]->owner_type != G_OBJECT_TYPE (harness->element)
        || !(specs[index]->flags & G_PARAM_WRITABLE))
      continue;
    g_object_set_property (G_OBJECT (harness->element), specs[index]->name,
        g_param_spec_get_default_value (specs[index]));
  }
  g_free (specs);
  play (harness);
  while ((buffer = gst_harness_try_pull (harness)) != NULL)
    gst_buffer_unref (buffer);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 64, 48);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (harness, gst_event_new_stream_start ("after"));
  push_caps (harness, gst_video_info_to_caps (&info));
  gst_harness_push_event (harness, gst_event_new_segment (&segment));
  for (number = 0; number < 100; number++) {
    buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
    gst_buffer_memset (buffer, 0, number, -1);
    GST_BUFFER_PTS (buffer) = number * 33 * GST_MSECOND;
    if (gst_harness_push (harness, buffer) != GST_FLOW_OK)
      break;
  }
  while ((buffer = gst_harness_try_pull (harness)) != NULL) {
    got++;
    gst_buffer_unref (buffer);
  }
  if (got == 100)
    return TRUE;
  g_printerr ("FAILED: of 100 frames, %d came out afterwards\n", got);
  return FALSE;
}

int
stress (int argc, char **argv)
{
  gdouble seconds = argc > 1 ? g_ascii_strtod (argv[1], NULL) : 10;
  guint32 seed = argc > 2 ? strtoul (argv[2], NULL, 10) : 1;
  GstHarnessThread *hands[9];
  Stress stress = { NULL, };
  guint index = 0;
  gboolean is_well;

  program_begin ();
  stress.seeds = g_rand_new_with_seed (seed);
  g_mutex_init (&stress.stream);
  stress.image = write_image (stress.seeds);
  stress.harness = gst_harness_new ("slitscan");
  begin_stream (&stress, stress.seeds);

  hands[index++] = start (&stress, push_frames, 100);
  hands[index++] = start (&stress, push_frames, 300);
  hands[index++] = start (&stress, set_property, 200);
  hands[index++] = start (&stress, set_property, 1000);
  hands[index++] = start (&stress, flush, 20000);
  hands[index++] = start (&stress, change_state, 50000);
  hands[index++] = start (&stress, ask, 500);
  hands[index++] = start (&stress, stress_map_pad, 3000);
  hands[index++] = start (&stress, stress_age_pad, 3000);
  g_usleep (seconds * G_USEC_PER_SEC);
  while (index > 0)
    gst_harness_stress_thread_stop (hands[--index]);

  is_well = works (&stress);
  g_print ("%d frames in, %d out, in %g seconds, seed %u\n", stress.frames,
      stress.taken, seconds, seed);
  gst_harness_teardown (stress.harness);
  g_remove (stress.image);
  g_free (stress.image);
  g_rand_free (stress.seeds);
  g_mutex_clear (&stress.stream);
  gst_deinit ();
  return is_well ? 0 : 1;
}
