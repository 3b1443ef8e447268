/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Runs the element at its limits: no memory, vast frames, a hundred thousand
 * frames of history, all frame rates, impossible times, slow decoders.
 *
 *   ElementProgram limits [CASE]
 *
 * Each case has a process of its own, which may be short of memory, and which
 * nothing may end. It fails where an element crashes, loses a frame without a
 * word, or shows something else than it should. */

#include "limits.h"
#include "program.h"
#include "scan.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEGABYTE (1024 * 1024)

/* -- memory --------------------------------------------------------------- */

/* The system gives no more than so many bytes from now on. */
static void
limit_memory (gsize bytes)
{
  struct rlimit limit;

  limit.rlim_cur = limit.rlim_max = program_bytes (FALSE) + bytes;
  setrlimit (RLIMIT_AS, &limit);
}

/* TRUE in a new process, for what may take it with it; FALSE once that has
 * ended, with its status. GLib ends a process that has no memory for it, by
 * SIGTRAP and with a word: -1. Nothing of ours does. */
static gboolean
is_new_process (const gchar * what, gint * status)
{
  pid_t process;

  fflush (stdout);
  process = fork ();
  if (process == 0) {
    failures = 0;
    return TRUE;
  }
  waitpid (process, status, 0);
  if (WIFSIGNALED (*status) && WTERMSIG (*status) == SIGTRAP) {
    *status = -1;
  } else {
    CHECK (WIFEXITED (*status), "%s: ended by signal %d", what,
        WTERMSIG (*status));
    *status = WEXITSTATUS (*status);
  }
  return FALSE;
}

/* History grows until the system has no more: what there is goes on. */
static void
memory_ends_in_the_middle (void)
{
  const gchar *presets[] = {
    "duration=100000000000", "duration=100000000000 history=whole threads=1",
    "duration=100000000000 map=motion threads=2",
    "duration=100000000000 map=radial interpolation=linear",
  };
  guint index, number;

  for (index = 0; index < G_N_ELEMENTS (presets); index++) {
    GstBuffer *frame;
    guint frames;
    gint status;
    Scan scan;

    if (!is_new_process (presets[index], &status)) {
      CHECK (status == 0, "%s: status %d", presets[index], status);
      continue;
    }
    scan_begin (&scan, GST_VIDEO_FORMAT_I420, 640, 360, 25, 1, presets[index]);
    scan_set (&scan, "max-memory", "9007199254740992");
    frame = scan_make_frame (&scan, 100);
    for (number = 0; number < 600; number++) {
      if (number == 20)
        limit_memory (64 * MEGABYTE);
      if (scan_pass (&scan, gst_buffer_copy (frame),
              number * 40 * GST_MSECOND) != GST_FLOW_OK)
        break;
    }
    scan_check (&scan, presets[index]);
    g_object_get (scan.harness->element, "history-frames", &frames, NULL);
    printf ("  %s: %u of 600 frames, %u of history: %s\n", presets[index],
        scan.out, frames, scan.words != NULL ? scan.words : "not a word");
    CHECK (!scan.has_failed && scan.warnings == 1, "%u warnings",
        scan.warnings);
    CHECK (scan.words != NULL && strstr (scan.words, "system") != NULL, "%s",
        scan.words);
    /* More than there would be if frames had been freed. */
    CHECK (frames > 64 * MEGABYTE / (640 * 360 * 3 / 2) / 2, "%u", frames);
    fflush (stdout);
    _exit (failures > 0);
  }
}

/* There is no memory from the beginning. */
static void
memory_is_refused (void)
{
  const gchar *presets[] = {
    "depth=500 max-memory=9007199254740992 history=whole",
    "mode=sweep map=spiral", "mode=strip canvas-length=4000 angle=90",
    "map=radial interpolation=linear map-smoothing=20", "map=luma depth=100",
    "map=motion depth=100", "mix=0.5 feedback=0.5 depth=60",
    "component-spread=0.3 map=random depth=60",
  };
  const gsize rooms[] = { 0, 1, 2, 3, 4, 6, 8, 12, 16, 24 };
  guint preset, room, ended = 0, limited = 0, refused = 0, unharmed = 0;

  for (preset = 0; preset < G_N_ELEMENTS (presets); preset++) {
    for (room = 0; room < G_N_ELEMENTS (rooms); room++) {
      GstBuffer *frames[8];
      guint number;
      gint status;
      Scan scan;

      if (!is_new_process (presets[preset], &status)) {
        CHECK (status < 3, "%s with %" G_GSIZE_FORMAT " MB: status %d",
            presets[preset], rooms[room], status);
        ended += status < 0;
        limited += status == 2;
        refused += status == 1;
        unharmed += status == 0;
        continue;
      }
      scan_begin (&scan, GST_VIDEO_FORMAT_I420, 640, 360, 25, 1,
          presets[preset]);
      /* What GLib and GStreamer need by themselves is there: frames, and
       * memory that has been given back. */
      for (number = 0; number < G_N_ELEMENTS (frames); number++)
        frames[number] = scan_make_frame (&scan, number);
      g_free (g_malloc (100000));
      limit_memory (rooms[room] * MEGABYTE);
      for (number = 0; number < G_N_ELEMENTS (frames); number++)
        scan_pass (&scan, frames[number], number * 40 * GST_MSECOND);
      scan_check (&scan, presets[preset]);
      fflush (stdout);
      _exit (failures > 0 ? 3 : scan.has_failed ? 1 : scan.warnings ? 2 : 0);
    }
  }
  printf ("  %u as if nothing were, %u with less history, %u ended with an "
      "error, %u by GLib\n", unharmed, limited, refused, ended);
  CHECK (refused > 0 && unharmed > 0, "no limit was met");
}

static void
memory_that_is_allowed_is_tiny (void)
{
  const gchar *presets[] = {
    "depth=100", "map=radial interpolation=linear depth=50", "map=luma",
    "map=motion", "mode=sweep", "mode=strip", "mode=strip canvas=wrap",
    "map=random component-spread=0.2", "mix=0.5 feedback=0.5", "drain=true",
  };
  const gchar *sizes[] = { "1", "100", "4096", "10000", "100000" };
  guint preset, size;

  for (preset = 0; preset < G_N_ELEMENTS (presets); preset++) {
    for (size = 0; size < G_N_ELEMENTS (sizes); size++) {
      gchar *properties =
          g_strdup_printf ("%s max-memory=%s", presets[preset], sizes[size]);
      Scan scan;

      scan_begin (&scan, GST_VIDEO_FORMAT_I420, 64, 48, 25, 1, properties);
      scan_run (&scan, 20);
      scan_check (&scan, properties);
      /* A canvas of its own is what a sweep always has, as a history has a
       * frame. */
      CHECK (scan.has_failed || scan.warnings > 0 || size > 0
          || strstr (presets[preset], "sweep") != NULL,
          "%s, and nothing was said", properties);
      scan_end (&scan);
      g_free (properties);
    }
  }
}

/* -- frames --------------------------------------------------------------- */

/* One after the other along a line of the frame; TRUE if that is what the
 * map makes of solid frames. */
static void
check_lines (const Scan * scan, GstBuffer * output, guint newest, guint depth,
    const gchar * what)
{
  GstVideoFrame frame;
  gint width = GST_VIDEO_INFO_WIDTH (&scan->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&scan->info);
  gint x, y, wrong = 0;
  gsize stride;

  if (!gst_video_frame_map (&frame, &scan->info, output, GST_MAP_READ)) {
    CHECK (FALSE, "%s: no frame", what);
    return;
  }
  stride = GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);
  for (y = 0; y < height; y++) {
    const guint8 *row =
        (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0) + y * stride;
    /* The middle of a row, and the delay to the nearest frame. */
    gdouble delay = (y + 0.5) / height * (depth - 1);
    gint low = newest - (gint) (delay + 0.52);
    gint high = newest - (gint) (delay + 0.48);

    for (x = 0; x < width; x += MAX (1, width / 7))
      wrong += row[x] != (guint8) low && row[x] != (guint8) high;
  }
  CHECK (wrong == 0, "%s: %d samples are of another moment", what, wrong);
  gst_video_frame_unmap (&frame);
}

static void
frames_are_vast (void)
{
  const gint sizes[][2] = { {7680, 4320}, {15360, 8640}, {32768, 1024},
  {1024, 32768}
  };
  const gchar *presets[] = {
    "map=radial interpolation=linear depth=3", "map=luma depth=2",
    "mode=sweep map=spiral", "mode=strip", "mode=strip angle=90 canvas=wrap",
    "map=grid component-spread=0.4 mix=0.7 feedback=0.2 depth=2"
  };
  guint size, preset, number;

  for (size = 0; size < G_N_ELEMENTS (sizes); size++) {
    const gint *it = sizes[size];
    Scan scan;

    scan_begin (&scan, GST_VIDEO_FORMAT_GRAY8, it[0], it[1], 25, 1, "depth=4");
    for (number = 0; number < 6; number++) {
      GstBuffer *output;

      scan_push (&scan, scan_make_frame (&scan, 10 + number),
          number * 40 * GST_MSECOND, 40 * GST_MSECOND);
      output = scan_pull (&scan);
      CHECK (output != NULL, "no frame %u of %dx%d", number, it[0], it[1]);
      if (output == NULL)
        break;
      if (number >= 3)
        check_lines (&scan, output, 10 + number, 4, "lines");
      gst_buffer_unref (output);
    }
    scan_check (&scan, "vast");
    CHECK (!scan.has_failed && scan.warnings == 0, "%s", scan.words);
    scan_end (&scan);
    printf ("  %dx%d\n", it[0], it[1]);
    fflush (stdout);
  }
  for (preset = 0; preset < G_N_ELEMENTS (presets); preset++) {
    Scan scan;

    scan_begin (&scan, GST_VIDEO_FORMAT_I420, 7680, 4320, 25, 1,
        presets[preset]);
    scan_run (&scan, 3);
    scan_check (&scan, presets[preset]);
    CHECK (!scan.has_failed, "%s: %s", presets[preset], scan.words);
    scan_end (&scan);
  }
}

/* -- history and time ----------------------------------------------------- */

static void
history_is_a_hundred_thousand_frames (void)
{
  const guint depth = 100000;
  guint number;
  Scan scan;

  scan_begin (&scan, GST_VIDEO_FORMAT_GRAY8, 16, 16, 60, 1,
      "depth=100000 history=whole");
  for (number = 0; number < depth + 500; number++) {
    GstBuffer *output;

    scan_push (&scan, scan_make_frame (&scan, number),
        gst_util_uint64_scale (number, GST_SECOND, 60), GST_SECOND / 60);
    output = scan_pull (&scan);
    if (output == NULL)
      break;
    if (number >= depth - 1 && number % 100 == 0)
      check_lines (&scan, output, number, depth, "lines");
    gst_buffer_unref (output);
  }
  scan_check (&scan, "depth");
  CHECK (!scan.has_failed && scan.warnings == 0, "%s", scan.words);
  scan_end (&scan);
}

/* Times come out as they went in, whatever they are. */
static void
check_times (gint fps_n, gint fps_d, const gchar * properties,
    const GstClockTime * times, guint count)
{
  guint number, moved = 0;
  Scan scan;

  scan_begin (&scan, GST_VIDEO_FORMAT_GRAY8, 16, 16, fps_n, fps_d, properties);
  for (number = 0; number < count; number++) {
    GstBuffer *output;

    CHECK (scan_push (&scan, scan_make_frame (&scan, number), times[number],
            GST_CLOCK_TIME_NONE) == GST_FLOW_OK, "%s: frame %u", properties,
        number);
    while ((output = scan_pull (&scan)) != NULL) {
      moved += GST_BUFFER_PTS (output) != times[number];
      gst_buffer_unref (output);
    }
  }
  scan_check (&scan, properties);
  CHECK (!scan.has_failed && moved == 0, "%s at %d/%d: %u moved; %s",
      properties, fps_n, fps_d, moved, scan.words);
  scan_end (&scan);
}

static const gchar *timed[] = {
  "depth=20", "duration=500000000", "duration=9007199254740992",
  "mode=sweep sweep-duration=300000000 sweep-loop=loop",
  "mode=sweep sweep-duration=1 sweep-loop=ping-pong", "mode=strip",
  "map=motion motion-decay=0.5", "duration=100000000 interpolation=linear",
  "map=radial feedback=0.5 mix=0.5",
};

static void
rates_are_anything (void)
{
  const gint rates[][2] = { {1000, 1}, {G_MAXINT, 1}, {1, G_MAXINT}, {0, 1},
  {1, 1}, {30000, 1001}, {G_MAXINT, G_MAXINT - 1}
  };
  GstClockTime times[400];
  guint rate, preset, number;

  for (rate = 0; rate < G_N_ELEMENTS (rates); rate++) {
    gint n = MAX (1, rates[rate][0]), d = rates[rate][1];

    for (number = 0; number < G_N_ELEMENTS (times); number++)
      times[number] = gst_util_uint64_scale (number, GST_SECOND * d, n);
    for (preset = 0; preset < G_N_ELEMENTS (timed); preset++)
      check_times (rates[rate][0], d, timed[preset], times,
          G_N_ELEMENTS (times));
  }
}

static void
times_are_impossible (void)
{
  GstClockTime times[8][120];
  GRand *dice = g_rand_new_with_seed (7);
  guint scenario, preset, number;

  for (number = 0; number < 120; number++) {
    GstClockTime time = number * 40 * GST_MSECOND;

    times[0][number] = GST_CLOCK_TIME_NONE;
    times[1][number] = number % 3 == 0 ? GST_CLOCK_TIME_NONE : time;
    times[2][number] = (120 - number) * 40 * GST_MSECOND;
    times[3][number] = time + number / 10 * 5 * 3600 * GST_SECOND;
    times[4][number] = 0;
    times[5][number] = ((GstClockTime) 1 << 63) + time;
    times[6][number] = G_MAXUINT64 - 1 - (120 - number);
    times[7][number] =
        ((guint64) g_rand_int (dice) << 32 | g_rand_int (dice)) >>
        g_rand_int_range (dice, 0, 64);
  }
  g_rand_free (dice);
  for (scenario = 0; scenario < G_N_ELEMENTS (times); scenario++)
    for (preset = 0; preset < G_N_ELEMENTS (timed); preset++)
      check_times (25, 1, timed[preset], times[scenario], 120);
}

/* -- all of them ---------------------------------------------------------- */

static const struct
{
  const gchar *name;
  void (*run) (void);
} cases[] = {
  {"memory-ends-in-the-middle", memory_ends_in_the_middle},
  {"memory-is-refused", memory_is_refused},
  {"memory-that-is-allowed-is-tiny", memory_that_is_allowed_is_tiny},
  {"frames-are-vast", frames_are_vast},
  {"history-is-a-hundred-thousand-frames",
      history_is_a_hundred_thousand_frames},
  {"rates-are-anything", rates_are_anything},
  {"times-are-impossible", times_are_impossible},
  {"a-decoder-takes-its-time", a_decoder_takes_its_time},
  {"a-stream-starts-with-its-map", a_stream_starts_with_its_map},
};

static gboolean
run (guint index)
{
  int status;
  pid_t process;

  printf ("%s\n", cases[index].name);
  fflush (stdout);
  process = fork ();
  if (process == 0) {
    program_begin ();
    cases[index].run ();
    fflush (stdout);
    _exit (failures > 0);
  }
  waitpid (process, &status, 0);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return TRUE;
  printf ("FAILED: %s ended with status %x\n", cases[index].name, status);
  return FALSE;
}

int
limits (int argc, char **argv)
{
  gboolean is_well = TRUE, is_known = argc < 2;
  guint index;

  for (index = 0; index < G_N_ELEMENTS (cases); index++) {
    if (argc > 1 && strcmp (argv[1], cases[index].name) != 0)
      continue;
    is_known = TRUE;
    is_well = run (index) && is_well;
  }
  if (!is_known) {
    fprintf (stderr, "There is no case %s. There are:\n", argv[1]);
    for (index = 0; index < G_N_ELEMENTS (cases); index++)
      fprintf (stderr, "  %s\n", cases[index].name);
    return 2;
  }
  return is_well ? 0 : 1;
}
