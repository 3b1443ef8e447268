/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Scans a long video as fast as possible, with another preset every few frames.
 * No frame may be lost, none may have another time than it came with, and
 * memory may change by two in a hundred at most.
 *
 *   ElementProgram soak [MINUTES]     of video, at 30 frames a second */

#include "program.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>

#define RATE 30
#define WIDTH 320
#define HEIGHT 180
/* The number of lines of the curve. */
#define LINES 30
/* The length of a preset in frames. */
#define FRAMES_OF_PRESET 7

/* The property that a preset sets. History is as deep in all of them,
 * so that they need the same memory. */
static const gchar *presets[][2] = {
  {"mode", "displace"}, {"map", "radial"}, {"map", "angular"},
  {"interpolation", "linear"}, {"map", "spiral"}, {"mode", "sweep"},
  {"map", "linear"}, {"angle", "33.5"}, {"mode", "displace"},
  {"map", "grid"}, {"component-spread", "0.2"}, {"map", "random"},
  {"mode", "strip"}, {"slit-width", "3"}, {"mode", "displace"},
  {"map", "luma"}, {"interpolation", "nearest"}, {"map", "motion"},
  {"feedback", "0.3"}, {"map", "linear"}, {"feedback", "0"},
  {"freeze", "true"}, {"freeze", "false"}, {"edge", "mirror"},
  {"gain", "2.5"}, {"offset", "0.25"}, {"edge", "clamp"}, {"gain", "1"},
  {"angle", "90"}, {"component-spread", "0"}, {"offset", "0.1"},
  {"mix", "0.5"}, {"offset", "0"}, {"mix", "1"}, {"slit-width", "1"},
};

static int
compare (const void *left, const void *right)
{
  gsize a = *(const gsize *) left, b = *(const gsize *) right;

  return a < b ? -1 : a > b;
}

static gsize
median (const gsize * sizes, guint count)
{
  gsize sorted[LINES];

  memcpy (sorted, sizes, count * sizeof (gsize));
  qsort (sorted, count, sizeof (gsize), compare);
  return sorted[count / 2];
}

int
soak (int argc, char **argv)
{
  gdouble minutes = argc > 1 ? g_ascii_strtod (argv[1], NULL) : 2;
  guint64 total = MAX (LINES * 2, (guint64) (minutes * 60 * RATE));
  guint64 number, lost = 0, moved = 0;
  gsize curve[LINES] = { 0, };
  guint lines = 0;
  gsize before, after;
  Scan scan;

  program_begin ();
  scan_begin (&scan, GST_VIDEO_FORMAT_I420, WIDTH, HEIGHT, RATE, 1, "depth=60");
  g_print ("  minutes of video resident MB\n");
  for (number = 0; number < total; number++) {
    GstClockTime time = gst_util_uint64_scale (number, GST_SECOND, RATE);
    GstBuffer *buffer;

    if (number % FRAMES_OF_PRESET == 0) {
      const gchar **preset =
          presets[number / FRAMES_OF_PRESET % G_N_ELEMENTS (presets)];

      scan_set (&scan, preset[0], preset[1]);
    }
    if (scan_push (&scan, scan_make_frame (&scan, number % 251), time,
            GST_SECOND / RATE) != GST_FLOW_OK) {
      g_printerr ("FAILED: frame %" G_GUINT64_FORMAT " was refused\n", number);
      return 1;
    }
    buffer = scan_pull (&scan);
    if (buffer == NULL) {
      lost++;
    } else {
      if (GST_BUFFER_PTS (buffer) != time)
        moved++;
      gst_buffer_unref (buffer);
    }
    if ((number + 1) * LINES / total > lines) {
      curve[lines++] = program_bytes (TRUE) / 1024;
      g_print ("  %15.1f  %11.1f\n", number / (gdouble) RATE / 60,
          curve[lines - 1] / 1024.0);
    }
  }
  /* Each preset has been there in the first tenth. */
  before = median (curve + LINES / 10, LINES / 3);
  after = median (curve + LINES - LINES / 3, LINES / 3);
  g_print ("%" G_GUINT64_FORMAT " frames, %" G_GUINT64_FORMAT " lost, %"
      G_GUINT64_FORMAT " with another time; memory %.1f MB, then %.1f MB\n",
      total, lost, moved, before / 1024.0, after / 1024.0);
  scan_end (&scan);
  if (lost > 0 || moved > 0 || after > before * 1.02) {
    g_printerr ("FAILED: a frame was lost or moved, or memory grew\n");
    return 1;
  }
  return 0;
}
