/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The properties: one table, read by everything that sets, gets or shows
 * them. To add one, add a field to SlitScanSettings and a row here; what else
 * it takes is in .github/CONTRIBUTING.md. */

#include "gstslitscanproperties.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* -- enum types ----------------------------------------------------------- */

#define DEFINE_ENUM(Name, name, ...)                                          \
static GType                                                                  \
gst_slit_scan_##name##_get_type (void)                                        \
{                                                                             \
  static const GEnumValue values[] = { __VA_ARGS__, {0, NULL, NULL} };        \
  static gsize type = 0;                                                      \
                                                                              \
  if (g_once_init_enter (&type)) {                                            \
    GType new_type = g_enum_register_static ("GstSlitScan" Name, values);     \
                                                                              \
    gst_type_mark_as_plugin_api (new_type, 0);                                \
    g_once_init_leave (&type, new_type);                                      \
  }                                                                           \
  return type;                                                                \
}

/* *INDENT-OFF* */
DEFINE_ENUM ("Mode", mode,
    {SLIT_SCAN_MODE_DISPLACE, "Every pixel is delayed by what the map says",
        "displace"},
    {SLIT_SCAN_MODE_SWEEP,
        "A slit moves over the picture and freezes what it has passed",
        "sweep"},
    {SLIT_SCAN_MODE_STRIP,
        "A line of pixels of every frame is appended to a canvas", "strip"})

DEFINE_ENUM ("Map", map,
    {SLIT_SCAN_MAP_LINEAR, "Grows along a direction, see angle", "linear"},
    {SLIT_SCAN_MAP_RADIAL, "Grows with the distance from the centre",
        "radial"},
    {SLIT_SCAN_MAP_ANGULAR,
        "Grows with the clockwise turn around the centre, from 12 o'clock",
        "angular"},
    {SLIT_SCAN_MAP_SPIRAL, "Grows with the turn and the distance, see turns",
        "spiral"},
    {SLIT_SCAN_MAP_GRID, "Rectangles in reading order, see columns and rows",
        "grid"},
    {SLIT_SCAN_MAP_RANDOM, "Random blocks, see block-size and seed",
        "random"},
    {SLIT_SCAN_MAP_IMAGE, "The luma of a picture file, see map-location",
        "image"},
    {SLIT_SCAN_MAP_LUMA, "The luma of the frame itself", "luma"},
    {SLIT_SCAN_MAP_MOTION,
        "What has moved, which spreads and fades, see motion-decay", "motion"},
    {SLIT_SCAN_MAP_LIVE, "The luma of the video on the pad map", "live"})

DEFINE_ENUM ("Edge", edge,
    {SLIT_SCAN_EDGE_CLAMP, "Values beyond 0 and 1 stop there", "clamp"},
    {SLIT_SCAN_EDGE_WRAP, "They start again at the other end", "wrap"},
    {SLIT_SCAN_EDGE_MIRROR, "They turn back", "mirror"})

DEFINE_ENUM ("Interpolation", interpolation,
    {SLIT_SCAN_INTERPOLATION_NEAREST, "The nearest frame", "nearest"},
    {SLIT_SCAN_INTERPOLATION_LINEAR, "A blend of the two neighbours",
        "linear"})

DEFINE_ENUM ("Warmup", warmup,
    {SLIT_SCAN_WARMUP_HOLD, "The oldest frame there is", "hold"},
    {SLIT_SCAN_WARMUP_LIVE, "The newest frame", "live"},
    {SLIT_SCAN_WARMUP_BLACK, "Black", "black"},
    {SLIT_SCAN_WARMUP_TRANSPARENT,
        "Nothing, where the format has alpha; else black", "transparent"})

DEFINE_ENUM ("SweepLoop", sweep_loop,
    {SLIT_SCAN_SWEEP_LOOP_ONCE, "The finished picture stays", "once"},
    {SLIT_SCAN_SWEEP_LOOP_LOOP, "It starts again with a live picture",
        "loop"},
    {SLIT_SCAN_SWEEP_LOOP_PING_PONG,
        "The slit goes back and sets free what it passes", "ping-pong"})

DEFINE_ENUM ("Canvas", canvas,
    {SLIT_SCAN_CANVAS_SCROLL, "The newest line is always at the far end",
        "scroll"},
    {SLIT_SCAN_CANVAS_WRAP,
        "Lines stay; when full, it starts again at the near end", "wrap"})

DEFINE_ENUM ("History", history,
    {SLIT_SCAN_HISTORY_NEEDED,
        "What a map that stands still shows; all of it once the map moves",
        "needed"},
    {SLIT_SCAN_HISTORY_WHOLE,
        "All of it, so that any other map shows the whole past at once",
        "whole"})
/* *INDENT-ON* */

/* -- the table ------------------------------------------------------------ */

typedef enum
{
  KIND_ENUM,
  KIND_BOOLEAN,
  KIND_DOUBLE,
  KIND_UINT,
  KIND_UINT64,
  KIND_STRING,
  KIND_STRUCTURE,
} PropertyKind;

typedef GType (*EnumTypeFunction) (void);
typedef GstStructure *(*StructureFunction) (const GstSlitScanReadings *);

typedef struct
{
  const gchar *name;
  const gchar *nick;
  const gchar *blurb;
  PropertyKind kind;
  /* In GstSlitScanValues. */
  gsize offset;
  gboolean is_read_only;
  /* Whether a preset leaves it alone, as it is not a part of the look. */
  gboolean is_no_look;
  EnumTypeFunction enum_type;
  StructureFunction structure;
  gdouble minimum;
  gdouble maximum;
  gdouble standard;
} Property;

#define SETTING(field) .offset = offsetof (GstSlitScanValues, settings.field)
#define TEXT(field) .offset = offsetof (GstSlitScanValues, field), \
  .kind = KIND_STRING
#define READING(field) .is_read_only = TRUE, \
  .offset = offsetof (GstSlitScanValues, readings.field)
#define STRUCTURE(function) .kind = KIND_STRUCTURE, .is_read_only = TRUE, \
  .structure = (function)
#define NO_LOOK .is_no_look = TRUE
#define ENUM(name, value) .kind = KIND_ENUM, \
  .enum_type = gst_slit_scan_##name##_get_type, .standard = (value)
#define BOOLEAN(value) .kind = KIND_BOOLEAN, .standard = (value)
#define NUMBER(KIND, least, most, value) .kind = KIND_##KIND, \
  .minimum = (least), .maximum = (most), .standard = (value)

/* Whole numbers up to this are exact in the table; it is 104 days in
 * nanoseconds, and 9 petabytes. */
#define LARGEST_WHOLE 9007199254740992.0

static GstStructure *
make_stats (const GstSlitScanReadings * readings)
{
  return gst_structure_new ("slitscan-stats",
      "frames", G_TYPE_UINT64, readings->frames,
      "drawn", G_TYPE_UINT64, readings->drawn,
      "passed", G_TYPE_UINT64, readings->passed,
      "late", G_TYPE_UINT64, readings->late,
      "drained", G_TYPE_UINT64, readings->drained,
      "depth", G_TYPE_UINT, readings->depth,
      "wanted-depth", G_TYPE_UINT, readings->wanted_depth,
      "history-frames", G_TYPE_UINT, readings->history_frames,
      "history-bytes", G_TYPE_UINT64, readings->history_bytes,
      "map-buffers", G_TYPE_UINT64, readings->map_buffers,
      "map-late", G_TYPE_UINT64, readings->map_late,
      "average-time", G_TYPE_UINT64, readings->average_time,
      "mean-delay", G_TYPE_UINT64, readings->mean_delay,
      "center-delay", G_TYPE_UINT64, readings->center_delay, NULL);
}

/* A preset is a look, to be had on any machine and at any moment. So it is
 * without what belongs to the machine (files, memory, pointer) and what is
 * done at one moment of a stream (freeze, drain).
 *
 * A controller moves a property from one end of its range to the other, so the
 * ranges are those worth moving over. */
/* *INDENT-OFF* */
static const Property properties[] = {
  /* what */
  {"mode", "Mode", "What the map does to the picture",
      SETTING (mode), ENUM (mode, SLIT_SCAN_MODE_DISPLACE)},
  {"map", "Map", "When the slit visits each pixel, from 0, first, to 1, last",
      SETTING (map), ENUM (map, SLIT_SCAN_MAP_LINEAR)},
  {"angle", "Angle", "Direction in which the linear map grows, in degrees: "
        "0 is down, 90 right",
      SETTING (angle), NUMBER (DOUBLE, -360, 360, 0)},
  {"center-x", "Center X", "Centre of the radial, angular and spiral maps, as "
        "a fraction of the width",
      SETTING (center_x), NUMBER (DOUBLE, -1, 2, 0.5)},
  {"center-y", "Center Y", "Centre of the radial, angular and spiral maps, as "
        "a fraction of the height",
      SETTING (center_y), NUMBER (DOUBLE, -1, 2, 0.5)},
  {"turns", "Turns", "Turns of the spiral from the centre to the farthest "
        "corner; negative ones turn the other way",
      SETTING (turns), NUMBER (DOUBLE, -30, 30, 3)},
  {"columns", "Columns", "Rectangles of the grid in a row",
      SETTING (columns), NUMBER (UINT, 1, 65536, 8)},
  {"rows", "Rows", "Rows of rectangles of the grid",
      SETTING (rows), NUMBER (UINT, 1, 65536, 6)},
  {"block-size", "Block size", "Side of a random block, in pixels",
      SETTING (block_size), NUMBER (UINT, 1, 65536, 16)},
  {"seed", "Seed", "What the random values follow from",
      SETTING (seed), NUMBER (UINT, 0, G_MAXUINT, 0)},
  {"map-location", "Map location", "The picture file of the image map: PNG, "
        "JPEG or PGM",
      TEXT (map_location), NO_LOOK},
  {"motion-threshold", "Motion threshold", "What a pixel's luma must change by "
        "to count as moved, as a fraction of full scale",
      SETTING (motion_threshold), NUMBER (DOUBLE, 0, 1, 0.1)},
  {"motion-decay", "Motion decay", "What motion fades by with each frame",
      SETTING (motion_decay), NUMBER (DOUBLE, 0, 1, 0.02)},
  {"map-smoothing", "Map smoothing", "Standard deviation of the Gaussian that "
        "smooths the map, in pixels",
      SETTING (map_smoothing), NUMBER (DOUBLE, 0, 1000, 0)},
  {"invert", "Invert", "Turn the map round: what was first is last",
      SETTING (invert), BOOLEAN (FALSE)},
  {"gain", "Gain", "Factor for the map's values (strips do not use it)",
      SETTING (gain), NUMBER (DOUBLE, -10, 10, 1)},
  {"offset", "Offset", "Added to the map's values after gain (strips do not "
        "use it)",
      SETTING (offset), NUMBER (DOUBLE, -10, 10, 0)},
  {"edge", "Edge", "What brings the map's values back to 0 to 1 after gain "
        "and offset",
      SETTING (edge), ENUM (edge, SLIT_SCAN_EDGE_CLAMP)},

  /* time */
  {"depth", "Depth", "Frames of history: the longest delay and the frame "
        "itself",
      SETTING (depth), NUMBER (UINT, 1, 100000, 120)},
  {"duration", "Duration", "The longest delay, in nanoseconds of running time "
        "(0 = use depth)",
      SETTING (duration), NUMBER (UINT64, 0, LARGEST_WHOLE, 0)},
  {"interpolation", "Interpolation", "What to show of delays between two "
        "frames",
      SETTING (interpolation),
      ENUM (interpolation, SLIT_SCAN_INTERPOLATION_NEAREST)},
  {"warmup", "Warm-up", "What to show where the delay is older than what has "
        "arrived, or a strip is still empty",
      SETTING (warmup), ENUM (warmup, SLIT_SCAN_WARMUP_HOLD)},
  {"freeze", "Freeze", "Stop taking frames in; the map may still move over "
        "what is held",
      SETTING (freeze), BOOLEAN (FALSE), NO_LOOK},
  {"drain", "Drain", "When the stream ends, go on until every pixel shows the "
        "last frame (displace alone; feedback adds at most a minute)",
      SETTING (drain), BOOLEAN (FALSE), NO_LOOK},

  /* look */
  {"mix", "Mix", "How much of the effect is seen: 0 the frame as it is, 1 the "
        "effect alone (strips do not use it)",
      SETTING (mix), NUMBER (DOUBLE, 0, 1, 1)},
  {"feedback", "Feedback", "How much of the last output enters history with "
        "the next frame (displace alone)",
      SETTING (feedback), NUMBER (DOUBLE, 0, 1, 0)},
  {"component-spread", "Component spread", "Delay added from the first to the "
        "last component, such as R to B, as a fraction of the longest delay",
      SETTING (component_spread), NUMBER (DOUBLE, -1, 1, 0)},

  /* sweep */
  {"sweep-duration", "Sweep duration", "Time the slit of a sweep takes, in "
        "nanoseconds",
      SETTING (sweep_duration), NUMBER (UINT64, 1, LARGEST_WHOLE, 5e9)},
  {"sweep-loop", "Sweep loop", "What a sweep does when the slit has passed "
        "everything",
      SETTING (sweep_loop), ENUM (sweep_loop, SLIT_SCAN_SWEEP_LOOP_ONCE)},
  {"line-width", "Line width", "Width of the line that shows the slit of a "
        "sweep, in pixels (0 = no line)",
      SETTING (line_width), NUMBER (DOUBLE, 0, 1000, 0)},
  {"line-color", "Line color", "Colour of the line that shows the slit of a "
        "sweep, 0xAARRGGBB",
      SETTING (line_color), NUMBER (UINT, 0, G_MAXUINT, 0xffffffff)},
  {"progress", "Progress", "Where the slit of a sweep is: 0 start, 1 end",
      READING (progress), NUMBER (DOUBLE, 0, 1, 0)},

  /* strip */
  {"position", "Position", "Where the slit of a strip is: the map's value "
        "there",
      SETTING (position), NUMBER (DOUBLE, 0, 1, 0.5)},
  {"slit-width", "Slit width", "Lines a strip takes from every frame, in "
        "pixels",
      SETTING (slit_width), NUMBER (UINT, 1, 65536, 1)},
  {"canvas-length", "Canvas length", "Length of a strip's canvas along its "
        "growth, in pixels (0 = as long as the picture); a change empties it",
      SETTING (canvas_length), NUMBER (UINT, 0, G_MAXINT, 0)},
  {"canvas", "Canvas", "What a strip does when its canvas is full",
      SETTING (canvas), ENUM (canvas, SLIT_SCAN_CANVAS_SCROLL)},

  /* control */
  {"pointer", "Pointer", "Let the mouse pointer over the output move the "
        "centre, or the slit of a strip",
      SETTING (pointer), BOOLEAN (FALSE), NO_LOOK},

  /* cost */
  {"max-memory", "Maximum memory", "Bytes that history or a canvas may take "
        "(0 = a quarter of the machine's, or the container's)",
      SETTING (max_memory), NUMBER (UINT64, 0, LARGEST_WHOLE, 0), NO_LOOK},
  {"history", "History", "What of the past to keep while the map stands still",
      SETTING (history), ENUM (history, SLIT_SCAN_HISTORY_NEEDED), NO_LOOK},
  {"threads", "Threads", "Threads that share the work of a frame (0 = one for "
        "each core, at most 16)",
      SETTING (threads), NUMBER (UINT, 0, 16, 0), NO_LOOK},
  {"history-bytes", "History bytes", "Bytes of memory that history and "
        "canvases take",
      READING (history_bytes), NUMBER (UINT64, 0, LARGEST_WHOLE, 0)},
  {"history-frames", "History frames", "Frames that history holds",
      READING (history_frames), NUMBER (UINT, 0, 100000, 0)},
  {"stats", "Statistics", "What has come, gone and been drawn since the stream "
        "started; the time a frame takes, and how old what it shows is, in "
        "nanoseconds",
      STRUCTURE (make_stats)},
};
/* *INDENT-ON* */

/* Property ids are places in the table, counted from 1 as GObject wants. */
static const Property *
find_property (guint id)
{
  return id >= 1 && id <= G_N_ELEMENTS (properties) ? &properties[id - 1]
      : NULL;
}

static GParamSpec *
make_spec (const Property * p)
{
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  if (!p->is_read_only)
    flags |= G_PARAM_WRITABLE | GST_PARAM_MUTABLE_PLAYING;
  /* There is nothing between two texts. */
  if (!p->is_read_only && p->kind != KIND_STRING)
    flags |= GST_PARAM_CONTROLLABLE;

  switch (p->kind) {
    case KIND_ENUM:
      return g_param_spec_enum (p->name, p->nick, p->blurb, p->enum_type (),
          (gint) p->standard, flags);
    case KIND_BOOLEAN:
      return g_param_spec_boolean (p->name, p->nick, p->blurb,
          p->standard != 0, flags);
    case KIND_DOUBLE:
      return g_param_spec_double (p->name, p->nick, p->blurb, p->minimum,
          p->maximum, p->standard, flags);
    case KIND_UINT:
      return g_param_spec_uint (p->name, p->nick, p->blurb,
          (guint) p->minimum, (guint) p->maximum, (guint) p->standard, flags);
    case KIND_UINT64:
      return g_param_spec_uint64 (p->name, p->nick, p->blurb,
          (guint64) p->minimum, (guint64) p->maximum, (guint64) p->standard,
          flags);
    case KIND_STRING:
      return g_param_spec_string (p->name, p->nick, p->blurb, NULL, flags);
    case KIND_STRUCTURE:
    default:
      return g_param_spec_boxed (p->name, p->nick, p->blurb,
          GST_TYPE_STRUCTURE, flags);
  }
}

void
gst_slit_scan_properties_install (GObjectClass * klass)
{
  for (guint id = 1; id <= G_N_ELEMENTS (properties); id++)
    g_object_class_install_property (klass, id, make_spec (find_property (id)));
}

gchar **
gst_slit_scan_properties_of_presets (void)
{
  GStrvBuilder *names = g_strv_builder_new ();
  gchar **result;

  for (guint id = 1; id <= G_N_ELEMENTS (properties); id++) {
    const Property *p = find_property (id);

    if (!p->is_read_only && !p->is_no_look)
      g_strv_builder_add (names, p->name);
  }
  result = g_strv_builder_end (names);
  g_strv_builder_unref (names);
  return result;
}

void
gst_slit_scan_values_init (GstSlitScanValues * values)
{
  memset (values, 0, sizeof (*values));
  for (guint id = 1; id <= G_N_ELEMENTS (properties); id++) {
    const Property *p = find_property (id);
    GParamSpec *spec;

    if (p->is_read_only)
      continue;
    spec = g_param_spec_ref_sink (make_spec (p));
    gst_slit_scan_values_set (values, id,
        g_param_spec_get_default_value (spec));
    g_param_spec_unref (spec);
  }
}

void
gst_slit_scan_values_clear (GstSlitScanValues * values)
{
  for (guint id = 1; id <= G_N_ELEMENTS (properties); id++) {
    const Property *p = find_property (id);

    if (p->kind == KIND_STRING)
      g_clear_pointer ((gchar **) ((guint8 *) values + p->offset), g_free);
  }
}

gboolean
gst_slit_scan_values_set (GstSlitScanValues * values, guint id,
    const GValue * value)
{
  const Property *p = find_property (id);
  guint8 *field;

  if (p == NULL || p->is_read_only)
    return FALSE;
  field = (guint8 *) values + p->offset;

  switch (p->kind) {
    case KIND_ENUM:
      *(gint *) field = g_value_get_enum (value);
      break;
    case KIND_BOOLEAN:
      *(bool *) field = g_value_get_boolean (value);
      break;
    case KIND_DOUBLE:
      /* GObject's range check lets NaN pass. */
      if (isnan (g_value_get_double (value)))
        return FALSE;
      *(gdouble *) field = g_value_get_double (value);
      break;
    case KIND_UINT:
      *(guint32 *) field = g_value_get_uint (value);
      break;
    case KIND_UINT64:
      *(guint64 *) field = g_value_get_uint64 (value);
      break;
    case KIND_STRING:
      g_free (*(gchar **) field);
      *(gchar **) field = g_value_dup_string (value);
      values->text_count++;
      break;
    case KIND_STRUCTURE:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_slit_scan_values_get (const GstSlitScanValues * values, guint id,
    GValue * value)
{
  const Property *p = find_property (id);
  const guint8 *field;

  if (p == NULL)
    return FALSE;
  field = (const guint8 *) values + p->offset;

  switch (p->kind) {
    case KIND_ENUM:
      g_value_set_enum (value, *(const gint *) field);
      break;
    case KIND_BOOLEAN:
      g_value_set_boolean (value, *(const bool *) field);
      break;
    case KIND_DOUBLE:
      g_value_set_double (value, *(const gdouble *) field);
      break;
    case KIND_UINT:
      g_value_set_uint (value, *(const guint32 *) field);
      break;
    case KIND_UINT64:
      g_value_set_uint64 (value, *(const guint64 *) field);
      break;
    case KIND_STRING:
      g_value_set_string (value, *(gchar * const *) field);
      break;
    case KIND_STRUCTURE:
      g_value_take_boxed (value, p->structure (&values->readings));
      break;
  }
  return TRUE;
}
