/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The registration of the properties with GObject, from
 * slitscan-properties.def. .github/CONTRIBUTING.md says how to add one. */

#include "gstslitscanproperties.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* -- enum types ----------------------------------------------------------- */

/* *INDENT-OFF* */
#define CHOICES(Type)                                                         \
static GType                                                                  \
Type##_get_type (void)                                                        \
{                                                                             \
  static const GEnumValue values[] = {
#define CHOICE_VALUE(value, nick, blurb) {value, blurb, nick},
#define CHOICES_END(Type)                                                     \
    {0, NULL, NULL}                                                           \
  };                                                                          \
  static gsize type = 0;                                                      \
                                                                              \
  if (g_once_init_enter (&type)) {                                            \
    GType new_type = g_enum_register_static ("Gst" #Type, values);            \
                                                                              \
    gst_type_mark_as_plugin_api (new_type, 0);                                \
    g_once_init_leave (&type, new_type);                                      \
  }                                                                           \
  return type;                                                                \
}
#include "slitscan-properties.def"
/* *INDENT-ON* */

/* -- the table ------------------------------------------------------------ */

typedef enum
{
  KIND_CHOICE,
  KIND_SWITCH,
  KIND_NUMBER,
  KIND_WHOLE,
  KIND_LARGE,
  KIND_TEXT,
  KIND_STRUCTURE,
} PropertyKind;

typedef GType (*ChoiceTypeFunction) (void);
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
  /* Whether presets hold it. */
  gboolean is_in_presets;
  ChoiceTypeFunction choice_type;
  StructureFunction make_structure;
  gdouble minimum;
  gdouble maximum;
  gdouble default_value;
  /* Text that is kept with the GParamSpec; NULL or "" for nothing. */
  const gchar *unit;
  const gchar *fader;
  const gchar *group;
  const gchar *used_by;
} Property;

/* A delay, counted from what is the present; 0 in its future. */
static guint64
before_present (const GstSlitScanReadings * readings, guint64 delay)
{
  return delay > readings->latency ? delay - readings->latency : 0;
}

static GstStructure *
make_stats (const GstSlitScanReadings * readings)
{
  const SlitScanReport *report = &readings->report;
  const guint64 *frames = readings->frames;
  const guint64 drawn = frames[GST_SLIT_SCAN_FRAME_DRAWN];
  const guint64 passed = frames[GST_SLIT_SCAN_FRAME_PASSED];
  const guint64 late = frames[GST_SLIT_SCAN_FRAME_LATE];

  return gst_structure_new ("slitscan-stats",
      "frames", G_TYPE_UINT64, drawn + passed + late,
      "drawn", G_TYPE_UINT64, drawn,
      "passed", G_TYPE_UINT64, passed,
      "late", G_TYPE_UINT64, late,
      "drained", G_TYPE_UINT64, frames[GST_SLIT_SCAN_FRAME_DRAINED],
      "depth", G_TYPE_UINT, readings->depth,
      "wanted-depth", G_TYPE_UINT, report->wanted_depth,
      "lines", G_TYPE_UINT, report->limited_lines != 0 ? report->limited_lines
      : report->wanted_lines,
      "wanted-lines", G_TYPE_UINT, report->wanted_lines,
      "history-frames", G_TYPE_UINT, (guint) report->history_frames,
      "history-bytes", G_TYPE_UINT64, report->history_bytes,
      "map-buffers", G_TYPE_UINT64, readings->map_buffers,
      "map-late", G_TYPE_UINT64, readings->map_late,
      "average-time", G_TYPE_UINT64, readings->average_time,
      "mean-delay", G_TYPE_UINT64,
      before_present (readings, report->mean_delay),
      "center-delay", G_TYPE_UINT64,
      before_present (readings, report->center_delay),
      "disk-bytes-read", G_TYPE_UINT64, report->disk_bytes_read,
      "disk-bytes-written", G_TYPE_UINT64, report->disk_bytes_written,
      "disk-late", G_TYPE_UINT64, report->disk_late_frames,
      "disk-waiting-time", G_TYPE_UINT64, report->disk_waiting_time, NULL);
}

/* The expansion of the columns of the table. */
#define IN_PRESETS TRUE
#define NOT_IN_PRESETS FALSE
#define EVERYTHING NULL
#define WHOLE_RANGE NULL
#define FADER(from, to) #from " " #to
#define LOG_FADER(from, to) #from " " #to " logarithmic"
#define SCAN "Scan"
#define PLAY "Play"
#define MAP "Map"
#define TIME "Time"
#define SWEEP "Sweep"
#define STRIP "Strip"
#define MORE "More"

/* *INDENT-OFF* */
static const Property properties[] = {
#define SETTING(Kind, field, Unit, Fader, Group, presets, part, users, Nick,   \
    Blurb)                                                                    \
  .name = #field, .nick = Nick, .blurb = Blurb, .kind = KIND_##Kind,          \
  .offset = offsetof (GstSlitScanValues, settings.field),                     \
  .is_in_presets = presets, .unit = Unit, .fader = Fader, .group = Group,     \
  .used_by = users
#define READING(Kind, field, Unit, Group, Nick, Blurb)                        \
  .name = #field, .nick = Nick, .blurb = Blurb, .kind = KIND_##Kind,          \
  .offset = offsetof (GstSlitScanValues, readings.report.field),              \
  .is_read_only = TRUE, .unit = Unit, .group = Group
#define RANGE(least, most, value)                                             \
  .minimum = least, .maximum = most, .default_value = value

#define CHOICE(Type, field, value, ...)                                       \
  {SETTING (CHOICE, field, NULL, NULL, __VA_ARGS__),                          \
      .choice_type = Type##_get_type, .default_value = value},
#define SWITCH(field, value, ...)                                             \
  {SETTING (SWITCH, field, NULL, NULL, __VA_ARGS__),                          \
      .default_value = value},
#define NUMBER(field, least, most, value, ...)                                \
  {SETTING (NUMBER, field, __VA_ARGS__), RANGE (least, most, value)},
#define WHOLE(field, least, most, value, ...)                                 \
  {SETTING (WHOLE, field, __VA_ARGS__), RANGE (least, most, value)},
#define LARGE(field, least, most, value, ...)                                 \
  {SETTING (LARGE, field, __VA_ARGS__), RANGE (least, most, value)},
#define TEXT(field, Group, presets, users, Nick, Blurb)                       \
  {.name = #field, .nick = Nick, .blurb = Blurb, .kind = KIND_TEXT,           \
      .offset = offsetof (GstSlitScanValues, field),                          \
      .is_in_presets = presets, .group = Group, .used_by = users},
#define READING_NUMBER(field, least, most, ...)                               \
  {READING (NUMBER, field, __VA_ARGS__), RANGE (least, most, 0)},
#define READING_WHOLE(field, least, most, ...)                                \
  {READING (WHOLE, field, __VA_ARGS__), RANGE (least, most, 0)},
#define READING_LARGE(field, least, most, ...)                                \
  {READING (LARGE, field, __VA_ARGS__), RANGE (least, most, 0)},
#define READING_STRUCTURE(field, Group, Nick, Blurb)                          \
  {.name = #field, .nick = Nick, .blurb = Blurb, .kind = KIND_STRUCTURE,      \
      .is_read_only = TRUE, .make_structure = make_##field, .group = Group},
#include "slitscan-properties.def"
};
/* *INDENT-ON* */

static GParamSpec *
make_spec (const Property * p)
{
  /* Not its name, which has other dashes than the table's. */
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_NICK
      | G_PARAM_STATIC_BLURB;

  if (!p->is_read_only)
    flags |= G_PARAM_WRITABLE | GST_PARAM_MUTABLE_PLAYING;
  /* There is nothing between two texts. */
  if (!p->is_read_only && p->kind != KIND_TEXT)
    flags |= GST_PARAM_CONTROLLABLE;

  switch (p->kind) {
    case KIND_CHOICE:
      return g_param_spec_enum (p->name, p->nick, p->blurb, p->choice_type (),
          (gint) p->default_value, flags);
    case KIND_SWITCH:
      return g_param_spec_boolean (p->name, p->nick, p->blurb,
          p->default_value != 0, flags);
    case KIND_NUMBER:
      return g_param_spec_double (p->name, p->nick, p->blurb, p->minimum,
          p->maximum, p->default_value, flags);
    case KIND_WHOLE:
      return g_param_spec_uint (p->name, p->nick, p->blurb,
          (guint) p->minimum, (guint) p->maximum, (guint) p->default_value,
          flags);
    case KIND_LARGE:
      return g_param_spec_uint64 (p->name, p->nick, p->blurb,
          (guint64) p->minimum, (guint64) p->maximum,
          (guint64) p->default_value, flags);
    case KIND_TEXT:
      return g_param_spec_string (p->name, p->nick, p->blurb, NULL, flags);
    case KIND_STRUCTURE:
    default:
      return g_param_spec_boxed (p->name, p->nick, p->blurb,
          GST_TYPE_STRUCTURE, flags);
  }
}

static void
keep (GParamSpec * spec, const gchar * what, const gchar * text)
{
  if (text != NULL && *text != '\0')
    g_param_spec_set_qdata (spec, g_quark_from_static_string (what),
        (gpointer) text);
}

/* Property ids are places in the table, counted from 1 as GObject wants. */
void
gst_slit_scan_properties_install (GObjectClass * klass)
{
  for (guint id = 1; id <= G_N_ELEMENTS (properties); id++) {
    const Property *p = &properties[id - 1];
    GParamSpec *spec = make_spec (p);

    keep (spec, GST_SLIT_SCAN_UNIT, p->unit);
    keep (spec, GST_SLIT_SCAN_FADER, p->fader);
    keep (spec, GST_SLIT_SCAN_GROUP, p->group);
    keep (spec, GST_SLIT_SCAN_USED_BY, p->used_by);
    g_object_class_install_property (klass, id, spec);
  }
}

gchar **
gst_slit_scan_properties_of_presets (void)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (properties); i++) {
    if (properties[i].is_in_presets)
      g_ptr_array_add (names,
          g_strdelimit (g_strdup (properties[i].name), "_", '-'));
  }
  g_ptr_array_add (names, NULL);
  return (gchar **) g_ptr_array_free (names, FALSE);
}

void
gst_slit_scan_values_init (GstSlitScanValues * values)
{
  memset (values, 0, sizeof (*values));
  values->settings = slit_scan_settings_default ();
}

void
gst_slit_scan_values_clear (GstSlitScanValues * values)
{
  for (guint i = 0; i < G_N_ELEMENTS (properties); i++) {
    if (properties[i].kind == KIND_TEXT)
      g_free (*(gchar **) ((guint8 *) values + properties[i].offset));
  }
}

gboolean
gst_slit_scan_values_set (GstSlitScanValues * values, guint id,
    const GValue * value)
{
  guint8 *field = (guint8 *) values + properties[id - 1].offset;

  switch (properties[id - 1].kind) {
    case KIND_CHOICE:
      *(gint *) field = g_value_get_enum (value);
      break;
    case KIND_SWITCH:
      *(bool *) field = g_value_get_boolean (value);
      break;
    case KIND_NUMBER:
      /* GObject's range check lets NaN pass. */
      if (isnan (g_value_get_double (value)))
        return FALSE;
      *(gdouble *) field = g_value_get_double (value);
      break;
    case KIND_WHOLE:
      *(glong *) field = g_value_get_uint (value);
      break;
    case KIND_LARGE:
      *(guint64 *) field = g_value_get_uint64 (value);
      break;
    case KIND_TEXT:
      g_free (*(gchar **) field);
      *(gchar **) field = g_value_dup_string (value);
      values->text_count++;
      break;
    case KIND_STRUCTURE:
      return FALSE;
  }
  return TRUE;
}

void
gst_slit_scan_values_get (const GstSlitScanValues * values, guint id,
    GValue * value)
{
  const Property *p = &properties[id - 1];
  const guint8 *field = (const guint8 *) values + p->offset;

  switch (p->kind) {
    case KIND_CHOICE:
      g_value_set_enum (value, *(const gint *) field);
      break;
    case KIND_SWITCH:
      g_value_set_boolean (value, *(const bool *) field);
      break;
    case KIND_NUMBER:
      g_value_set_double (value, *(const gdouble *) field);
      break;
    case KIND_WHOLE:
      g_value_set_uint (value, *(const glong *) field);
      break;
    case KIND_LARGE:
      g_value_set_uint64 (value, *(const guint64 *) field);
      break;
    case KIND_TEXT:
      g_value_set_string (value, *(gchar * const *) field);
      break;
    case KIND_STRUCTURE:
      g_value_take_boxed (value, p->make_structure (&values->readings));
      break;
  }
}
