/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Runs the element at its limits: no memory, vast and tiny frames, a hundred
 * thousand frames of history, all frame rates, impossible times, slow
 * decoders.
 *
 *   ElementProgram limits [CASE]
 *
 * Each case has a process of its own, which may be short of memory, and which
 * nothing may end. It fails where an element crashes, loses a frame without a
 * word, or shows something else than it should. */

#include "program.h"

#include <glib/gstdio.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEGABYTE (1024 * 1024)

/* An element, and what came of it. */
typedef struct
{
  GstHarness *harness;
  GstBus *bus;
  GstVideoInfo info;
  guint in;
  guint out;
  guint warnings;
  /* What it said last: a warning or an error. */
  gchar *words;
  gboolean has_failed;
} Scan;

static guint failures;

#define CHECK(condition, ...)                           \
  G_STMT_START {                                        \
    if (!(condition)) {                                 \
      printf ("FAILED, %d: %s: ", __LINE__, #condition); \
      printf (__VA_ARGS__);                             \
      printf ("\n");                                    \
      failures++;                                       \
    }                                                   \
  } G_STMT_END

/* -- one element ---------------------------------------------------------- */

static void
scan_set (Scan * scan, const gchar * name, const gchar * value)
{
  gst_util_set_object_arg (G_OBJECT (scan->harness->element), name, value);
}

/* properties: names and values, as `depth=3 map=radial`. The element starts with
 * them. */
static void
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
static GstBuffer *
scan_make_frame (Scan * scan, guint8 value)
{
  GstBuffer *buffer =
      gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&scan->info), NULL);

  gst_buffer_memset (buffer, 0, value, -1);
  return buffer;
}

/* Takes the buffer. */
static GstFlowReturn
scan_push (Scan * scan, GstBuffer * buffer, GstClockTime time,
    GstClockTime duration)
{
  GST_BUFFER_PTS (buffer) = time;
  GST_BUFFER_DURATION (buffer) = duration;
  scan->in++;
  return gst_harness_push (scan->harness, buffer);
}

static GstBuffer *
scan_pull (Scan * scan)
{
  GstBuffer *buffer = gst_harness_try_pull (scan->harness);

  if (buffer != NULL)
    scan->out++;
  return buffer;
}

/* Pushes and forgets; counts what comes out. */
static GstFlowReturn
scan_pass (Scan * scan, GstBuffer * buffer, GstClockTime time)
{
  GstFlowReturn flow = scan_push (scan, buffer, time, 40 * GST_MSECOND);
  GstBuffer *output;

  while ((output = scan_pull (scan)) != NULL)
    gst_buffer_unref (output);
  return flow;
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

static void
scan_end (Scan * scan)
{
  gst_element_set_bus (scan->harness->element, NULL);
  gst_bus_set_flushing (scan->bus, TRUE);
  gst_object_unref (scan->bus);
  gst_harness_teardown (scan->harness);
  g_free (scan->words);
}

/* All frames came out, or it was said why not. */
static void
scan_check (Scan * scan, const gchar * what)
{
  scan_listen (scan);
  if (scan->has_failed)
    CHECK (scan->words != NULL && *scan->words != '\0', "%s", what);
  else
    CHECK (scan->out == scan->in, "%s: of %u frames came %u", what, scan->in,
        scan->out);
}

/* The system gives no more than so many bytes from now on. */
static void
limit_memory (gsize bytes)
{
  struct rlimit limit;
  unsigned long pages = 0;
  FILE *file = fopen ("/proc/self/statm", "r");

  if (file == NULL || fscanf (file, "%lu", &pages) != 1)
    exit (2);
  fclose (file);
  limit.rlim_cur = limit.rlim_max = pages * sysconf (_SC_PAGESIZE) + bytes;
  setrlimit (RLIMIT_AS, &limit);
}

/* -- memory --------------------------------------------------------------- */

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
    /* More than there would be if frames had been let go of. */
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
  guint preset, size, number;

  for (preset = 0; preset < G_N_ELEMENTS (presets); preset++) {
    for (size = 0; size < G_N_ELEMENTS (sizes); size++) {
      gchar *properties =
          g_strdup_printf ("%s max-memory=%s", presets[preset], sizes[size]);
      Scan scan;

      scan_begin (&scan, GST_VIDEO_FORMAT_I420, 64, 48, 25, 1, properties);
      for (number = 0; number < 20; number++)
        scan_pass (&scan, scan_make_frame (&scan, number),
            number * 40 * GST_MSECOND);
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
    for (number = 0; number < 3; number++)
      scan_pass (&scan, scan_make_frame (&scan, number),
          number * 40 * GST_MSECOND);
    scan_check (&scan, presets[preset]);
    CHECK (!scan.has_failed, "%s: %s", presets[preset], scan.words);
    scan_end (&scan);
  }
}

/* All formats that the element takes, in frames of which little is left. */
static void
frames_are_a_pixel_wide (void)
{
  const gint sizes[][2] = { {1, 1}, {1, 37}, {37, 1}, {2, 1}, {1, 2}, {3, 3} };
  const gchar *presets[] = {
    "depth=7", "depth=7 angle=45 interpolation=linear",
    "map=radial gain=-3 edge=wrap", "map=angular depth=5", "map=spiral turns=9",
    "map=grid depth=5", "map=random block-size=1 depth=5", "map=luma depth=5",
    "map=motion depth=5", "map-smoothing=1000 depth=5",
    "component-spread=1 depth=9 mix=0.3 feedback=0.9", "mode=sweep map=spiral",
    "mode=strip", "mode=strip angle=90 slit-width=9 canvas=wrap",
    "mode=strip canvas-length=1", "freeze=true", "depth=3 drain=true"
  };
  GstElement *element = gst_element_factory_make ("slitscan", NULL);
  GstPad *pad = gst_element_get_static_pad (element, "sink");
  GstCaps *caps = gst_pad_get_pad_template_caps (pad);
  const GValue *formats =
      gst_structure_get_value (gst_caps_get_structure (caps, 0), "format");
  guint format, size, preset, number, runs = 0;

  for (format = 0; format < gst_value_list_get_size (formats); format++) {
    GstVideoFormat it =
        gst_video_format_from_string (g_value_get_string
        (gst_value_list_get_value (formats, format)));

    for (size = 0; size < G_N_ELEMENTS (sizes); size++) {
      for (preset = 0; preset < G_N_ELEMENTS (presets); preset++) {
        Scan scan;

        scan_begin (&scan, it, sizes[size][0], sizes[size][1], 25, 1,
            presets[preset]);
        for (number = 0; number < 9; number++)
          scan_pass (&scan, scan_make_frame (&scan, number * 29),
              number * 40 * GST_MSECOND);
        scan_check (&scan, presets[preset]);
        CHECK (!scan.has_failed, "%s, %dx%d, %s: %s",
            gst_video_format_to_string (it), sizes[size][0], sizes[size][1],
            presets[preset], scan.words);
        scan_end (&scan);
        runs++;
      }
    }
  }
  printf ("  %u streams, %u formats\n", runs,
      gst_value_list_get_size (formats));
  CHECK (runs > 1000, "few formats");
  gst_caps_unref (caps);
  gst_object_unref (pad);
  gst_object_unref (element);
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

/* -- decoders ------------------------------------------------------------- */

/* A decoder that takes as long as the test wants. */
typedef GstElement Slow;
typedef GstElementClass SlowClass;

GType slow_get_type (void);
G_DEFINE_TYPE (Slow, slow, GST_TYPE_ELEMENT);

/* How many are at work, and whether they may end. */
static gint slow_count;
static gint slow_may_end;

/* Caps come before a segment. */
static gboolean
slow_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT)
    return gst_pad_event_default (pad, parent, event);
  gst_event_unref (event);
  return TRUE;
}

/* Draws a grey image. */
static GstFlowReturn
slow_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstPad *source = gst_element_get_static_pad (GST_ELEMENT (parent), "src");
  GstBuffer *image = gst_buffer_new_allocate (NULL, 16 * 16, NULL);
  GstFlowReturn flow;
  GstSegment segment;

  gst_buffer_unref (buffer);
  gst_buffer_memset (image, 0, 0x80, -1);
  g_atomic_int_inc (&slow_count);
  while (!g_atomic_int_get (&slow_may_end))
    g_usleep (1000);
  gst_pad_push_event (source, gst_event_new_caps (gst_caps_new_simple
          ("video/x-raw", "format", G_TYPE_STRING, "GRAY8", "width",
              G_TYPE_INT, 16, "height", G_TYPE_INT, 16, "framerate",
              GST_TYPE_FRACTION, 0, 1, NULL)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (source, gst_event_new_segment (&segment));
  flow = gst_pad_push (source, image);
  gst_object_unref (source);
  return flow;
}

static GstStaticPadTemplate slow_sink = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("image/png"));
static GstStaticPadTemplate slow_src = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw"));

static void
slow_class_init (SlowClass * klass)
{
  gst_element_class_add_static_pad_template (klass, &slow_sink);
  gst_element_class_add_static_pad_template (klass, &slow_src);
  gst_element_class_set_static_metadata (klass, "Slow", "Codec/Decoder/Image",
      "Takes its time", "slitscan");
}

static void
slow_init (Slow * self)
{
  GstPad *pad = gst_pad_new_from_static_template (&slow_sink, "sink");

  gst_pad_set_event_function (pad, slow_event);
  gst_pad_set_chain_function (pad, slow_chain);
  gst_element_add_pad (self, pad);
  gst_element_add_pad (self, gst_pad_new_from_static_template (&slow_src,
          "src"));
}

/* From now on, this decodes PNG. */
static void
register_slow (void)
{
  gst_element_register (NULL, "pngdec", GST_RANK_PRIMARY, slow_get_type ());
}

/* A new file with some bytes. */
static gchar *
write_file (const gchar * bytes, gsize count)
{
  gchar *path = NULL;
  gint file = g_file_open_tmp ("limits-XXXXXX", &path, NULL);

  if (file < 0 || write (file, bytes, count) != (gssize) count)
    exit (2);
  close (file);
  return path;
}

/* A new file with an image of one grey. */
static gchar *
write_grey (guint8 grey)
{
  gchar image[13 + 256] = "P5 16 16 255\n";

  memset (image + 13, grey, 256);
  return write_file (image, sizeof (image));
}

/* A new file with a PNG of one white pixel. */
static gchar *
write_png (void)
{
  gsize count;
  const gchar *text = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQV"
      "R4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==";
  guchar *bytes = g_base64_decode (text, &count);
  gchar *path = write_file ((const gchar *) bytes, count);

  g_free (bytes);
  return path;
}

/* The next frame, whose value is its number; how much older it is shown. */
static gint
pass_numbered (Scan * scan)
{
  guint8 number = scan->in, shown = number;
  GstBuffer *output;

  scan_push (scan, scan_make_frame (scan, number),
      scan->in * 40 * GST_MSECOND, 40 * GST_MSECOND);
  output = scan_pull (scan);
  if (output != NULL) {
    gst_buffer_extract (output, 0, &shown, 1);
    gst_buffer_unref (output);
  }
  return (guint8) (number - shown);
}

/* Images come, go and are replaced while a decoder is at work: no frame waits
 * for it, other images are read meanwhile, and an image that was replaced is
 * not shown. */
static void
a_decoder_takes_its_time (void)
{
  gchar *slow = write_png ();
  gchar *white = write_grey (0xFF);
  gint number, delay;
  Scan scan;

  register_slow ();
  scan_begin (&scan, GST_VIDEO_FORMAT_GRAY8, 16, 16, 25, 1,
      "depth=3 map=image");
  /* Far more than it may take. */
  alarm (100);
  for (number = 0; number < 10; number++)
    CHECK (pass_numbered (&scan) == 0, "there is no map");
  for (number = 1; number <= 2; number++) {
    scan_set (&scan, "map-location", slow);
    while (g_atomic_int_get (&slow_count) < number) {
      CHECK (pass_numbered (&scan) == 0, "a map came of a decoder at work");
      g_usleep (1000);
    }
    if (number == 2)
      break;
    scan_set (&scan, "map-location", white);
    while ((delay = pass_numbered (&scan)) != 2) {
      CHECK (delay == 0, "a map came of a decoder at work");
      g_usleep (1000);
    }
    scan_set (&scan, "map-location", "");
    CHECK (pass_numbered (&scan) == 0, "the map stays");
  }
  for (number = 0; number < 1000; number++) {
    scan_set (&scan, "map-location", number % 2 == 0 ? "" : number % 3 == 0
        ? white : slow);
    delay = pass_numbered (&scan);
    CHECK (delay == 0 || (number % 2 == 1 && delay == 2), "delay %d", delay);
  }
  scan_set (&scan, "map-location", white);
  g_atomic_int_set (&slow_may_end, TRUE);
  while ((delay = pass_numbered (&scan)) != 2) {
    CHECK (delay == 0, "a replaced map was shown");
    g_usleep (1000);
  }
  for (number = 0; number < 100; number++) {
    CHECK (pass_numbered (&scan) == 2, "a replaced map was shown");
    g_usleep (1000);
  }
  scan_set (&scan, "map-location", slow);
  while ((delay = pass_numbered (&scan)) != 1) {
    CHECK (delay == 2, "the map has gone");
    g_usleep (1000);
  }
  scan_check (&scan, "slow");
  CHECK (!scan.has_failed, "%s", scan.words);
  scan_end (&scan);
  g_unlink (slow);
  g_unlink (white);
  g_free (slow);
  g_free (white);
}

/* Longer than a test may wait. */
static gpointer
let_slow_end (gpointer data)
{
  g_usleep (7 * G_USEC_PER_SEC);
  g_atomic_int_set (&slow_may_end, TRUE);
  return NULL;
}

/* The first frame has its map, however long that takes. */
static void
a_stream_starts_with_its_map (void)
{
  gchar *slow = write_png ();
  gchar *properties = g_strdup_printf ("depth=3 map=image map-location=%s",
      slow);
  GThread *thread;
  gint number;
  Scan scan;

  register_slow ();
  thread = g_thread_new ("let-slow-end", let_slow_end, NULL);
  scan_begin (&scan, GST_VIDEO_FORMAT_GRAY8, 16, 16, 25, 1, properties);
  for (number = 0; number < 10; number++)
    CHECK (pass_numbered (&scan) == MIN (number, 1), "frame %d", number);
  scan_end (&scan);
  g_thread_join (thread);
  g_unlink (slow);
  g_free (slow);
  g_free (properties);
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
  {"frames-are-a-pixel-wide", frames_are_a_pixel_wide},
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
