/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The implementation of GstPreset: a preset is applied as a whole between two
 * frames.
 *
 * GStreamer's own implementation sets one property after the other, and leaves
 * alone what a preset does not name. Here, properties that a preset does not
 * name get their default values, and a frame sees either all old values or all
 * new ones. The presets of gst/presets are compiled into the element. A preset
 * file that GStreamer finds, such as the user's own, adds to them, and replaces
 * presets of the same name. Those that come with the element are listed first,
 * so that their numbers stay the same. */

#include "gstslitscanprivate.h"

#include <string.h>

/* GStreamer's own implementation, for presets in files. */
static GstPresetInterface in_files;

/* The presets that come with the element, so that no file has to be found. */
static const guint8 shipped_presets[] = {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
#embed "../presets/GstSlitScan.prs"
#pragma clang diagnostic pop
};

/* The same, only to be read. */
static GKeyFile *shipped;

static gboolean
contains (gchar ** names, const gchar * name)
{
  return names != NULL && g_strv_contains ((const gchar * const *) names, name);
}

static gint
compare_names (gconstpointer first, gconstpointer second)
{
  return strcmp (*(const gchar * const *) first,
      *(const gchar * const *) second);
}

static gchar **
get_preset_names (GstPreset * preset)
{
  g_auto (GStrv) own = in_files.get_preset_names (preset);
  g_auto (GStrv) groups = g_key_file_get_groups (shipped, NULL);
  GPtrArray *names = g_ptr_array_new ();

  for (gchar ** name = groups; *name != NULL; name++) {
    /* _presets_ is no preset. */
    if (**name != '_')
      g_ptr_array_add (names, g_strdup (*name));
  }
  g_ptr_array_sort (names, compare_names);
  /* These are sorted. */
  for (gchar ** name = own; name != NULL && *name != NULL; name++) {
    if (!contains (groups, *name))
      g_ptr_array_add (names, g_strdup (*name));
  }
  g_ptr_array_add (names, NULL);
  return (gchar **) g_ptr_array_free (names, FALSE);
}

/* TRUE if a preset is in a file, where it counts more than a shipped one. */
static gboolean
is_in_file (GstPreset * preset, const gchar * name)
{
  g_auto (GStrv) own = in_files.get_preset_names (preset);

  return contains (own, name);
}

static gboolean
get_meta (GstPreset * preset, const gchar * name, const gchar * tag,
    gchar ** value)
{
  g_autofree gchar *key = g_strdup_printf ("_meta/%s", tag);

  if (is_in_file (preset, name))
    return in_files.get_meta (preset, name, tag, value);
  *value = g_key_file_get_string (shipped, name, key, NULL);
  return *value != NULL;
}

/* GStreamer would begin a preset that has nothing else. */
static gboolean
set_meta (GstPreset * preset, const gchar * name, const gchar * tag,
    const gchar * value)
{
  return is_in_file (preset, name)
      && in_files.set_meta (preset, name, tag, value);
}

/* Else a preset would set the element's name, too. */
static gchar **
get_property_names (GstPreset * preset)
{
  return gst_slit_scan_properties_of_presets ();
}

static void
set_loading (GstSlitScan * self, gboolean is_loading)
{
  GST_OBJECT_LOCK (self);
  self->is_loading_preset = is_loading;
  GST_OBJECT_UNLOCK (self);
}

/* Sets the properties to those of a shipped preset, and to their defaults where
 * it does not name them or is NULL. */
static void
set_properties (GObject * object, const gchar * name)
{
  g_auto (GStrv) properties = gst_slit_scan_properties_of_presets ();

  for (gchar ** property = properties; *property != NULL; property++) {
    g_autofree gchar *value = name == NULL ? NULL
        : g_key_file_get_value (shipped, name, *property, NULL);

    if (value != NULL)
      gst_util_set_object_arg (object, *property, value);
    else
      g_object_set_property (object, *property,
          g_param_spec_get_default_value (g_object_class_find_property
              (G_OBJECT_GET_CLASS (object), *property)));
  }
}

static gboolean
load_preset (GstPreset * preset, const gchar * name)
{
  GObject *object = G_OBJECT (preset);
  gboolean is_own = is_in_file (preset, name);
  gboolean is_loaded = TRUE;

  if (!is_own && (*name == '_' || !g_key_file_has_group (shipped, name)))
    return FALSE;
  set_loading (GST_SLIT_SCAN (preset), TRUE);
  g_object_freeze_notify (object);
  set_properties (object, is_own ? NULL : name);
  if (is_own)
    is_loaded = in_files.load_preset (preset, name);
  set_loading (GST_SLIT_SCAN (preset), FALSE);
  g_object_thaw_notify (object);
  return is_loaded;
}

void
gst_slit_scan_preset_init (GstPresetInterface * preset)
{
  shipped = g_key_file_new ();
  g_key_file_load_from_data (shipped, (const gchar *) shipped_presets,
      sizeof (shipped_presets), G_KEY_FILE_NONE, NULL);
  in_files = *preset;
  preset->get_preset_names = get_preset_names;
  preset->get_property_names = get_property_names;
  preset->load_preset = load_preset;
  preset->set_meta = set_meta;
  preset->get_meta = get_meta;
}
