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

static GKeyFile *
gst_slit_scan_read_shipped_presets (void)
{
  GKeyFile *presets = g_key_file_new ();

  g_key_file_load_from_data (presets, (const gchar *) shipped_presets,
      sizeof (shipped_presets), G_KEY_FILE_NONE, NULL);
  return presets;
}

static gboolean
gst_slit_scan_contains (gchar ** names, const gchar * name)
{
  return names != NULL && g_strv_contains ((const gchar * const *) names, name);
}

static gint
gst_slit_scan_compare_names (gconstpointer first, gconstpointer second)
{
  return strcmp (*(const gchar * const *) first,
      *(const gchar * const *) second);
}

static gchar **
gst_slit_scan_get_preset_names (GstPreset * preset)
{
  gchar **own = in_files.get_preset_names (preset);
  GKeyFile *presets = gst_slit_scan_read_shipped_presets ();
  gchar **shipped = g_key_file_get_groups (presets, NULL);
  GPtrArray *names = g_ptr_array_new ();

  for (gchar ** name = shipped; *name != NULL; name++) {
    /* _presets_ is no preset. */
    if (**name != '_')
      g_ptr_array_add (names, g_strdup (*name));
  }
  g_ptr_array_sort (names, gst_slit_scan_compare_names);
  /* These are sorted. */
  for (gchar ** name = own; name != NULL && *name != NULL; name++) {
    if (!gst_slit_scan_contains (shipped, *name))
      g_ptr_array_add (names, g_strdup (*name));
  }
  g_ptr_array_add (names, NULL);
  g_strfreev (shipped);
  g_key_file_free (presets);
  g_strfreev (own);
  return (gchar **) g_ptr_array_free (names, FALSE);
}

/* TRUE if a preset is in a file, where it counts more than a shipped one. */
static gboolean
gst_slit_scan_is_in_file (GstPreset * preset, const gchar * name)
{
  gchar **own = in_files.get_preset_names (preset);
  gboolean is_in_file = gst_slit_scan_contains (own, name);

  g_strfreev (own);
  return is_in_file;
}

static gboolean
gst_slit_scan_get_meta (GstPreset * preset, const gchar * name,
    const gchar * tag, gchar ** value)
{
  GKeyFile *presets;
  gchar *key;

  if (gst_slit_scan_is_in_file (preset, name))
    return in_files.get_meta (preset, name, tag, value);
  presets = gst_slit_scan_read_shipped_presets ();
  key = g_strdup_printf ("_meta/%s", tag);
  *value = g_key_file_get_string (presets, name, key, NULL);
  g_free (key);
  g_key_file_free (presets);
  return *value != NULL;
}

/* GStreamer would begin a preset that has nothing else. */
static gboolean
gst_slit_scan_set_meta (GstPreset * preset, const gchar * name,
    const gchar * tag, const gchar * value)
{
  return gst_slit_scan_is_in_file (preset, name)
      && in_files.set_meta (preset, name, tag, value);
}

static void
gst_slit_scan_set_loading (GstSlitScan * self, gboolean is_loading)
{
  GST_OBJECT_LOCK (self);
  self->is_loading_preset = is_loading;
  GST_OBJECT_UNLOCK (self);
}

static void
gst_slit_scan_set_defaults (GstSlitScan * self)
{
  gchar **names = gst_slit_scan_properties_of_presets ();

  for (gchar ** name = names; *name != NULL; name++) {
    GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (self),
        *name);

    g_object_set_property (G_OBJECT (self), *name,
        g_param_spec_get_default_value (spec));
  }
  g_strfreev (names);
}

static void
gst_slit_scan_set_shipped (GstSlitScan * self, const gchar * name)
{
  GKeyFile *presets = gst_slit_scan_read_shipped_presets ();
  gchar **properties = gst_slit_scan_properties_of_presets ();

  for (gchar ** property = properties; *property != NULL; property++) {
    gchar *value = g_key_file_get_value (presets, name, *property, NULL);

    if (value != NULL)
      gst_util_set_object_arg (G_OBJECT (self), *property, value);
    g_free (value);
  }
  g_strfreev (properties);
  g_key_file_free (presets);
}

static gboolean
gst_slit_scan_load_preset (GstPreset * preset, const gchar * name)
{
  GstSlitScan *self = GST_SLIT_SCAN (preset);
  gchar **names = gst_slit_scan_get_preset_names (preset);
  gboolean is_there = gst_slit_scan_contains (names, name);

  g_strfreev (names);
  if (!is_there)
    return FALSE;
  gst_slit_scan_set_loading (self, TRUE);
  g_object_freeze_notify (G_OBJECT (self));
  gst_slit_scan_set_defaults (self);
  if (gst_slit_scan_is_in_file (preset, name))
    is_there = in_files.load_preset (preset, name);
  else
    gst_slit_scan_set_shipped (self, name);
  gst_slit_scan_set_loading (self, FALSE);
  g_object_thaw_notify (G_OBJECT (self));
  return is_there;
}

/* Else a preset would set the element's name, too. */
static gchar **
gst_slit_scan_get_preset_properties (GstPreset * preset)
{
  return gst_slit_scan_properties_of_presets ();
}

void
gst_slit_scan_preset_init (GstPresetInterface * preset)
{
  in_files = *preset;
  preset->get_preset_names = gst_slit_scan_get_preset_names;
  preset->get_property_names = gst_slit_scan_get_preset_properties;
  preset->load_preset = gst_slit_scan_load_preset;
  preset->set_meta = gst_slit_scan_set_meta;
  preset->get_meta = gst_slit_scan_get_meta;
}
