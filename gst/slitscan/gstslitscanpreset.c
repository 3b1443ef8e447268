/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Presets: whole looks, taken over between two frames.
 *
 * GstPreset sets one property after the other, and leaves alone what a preset
 * does not name. Here a preset is a whole look: what it does not name has its
 * default value, and frames see either the old look or the new one. */

#include "gstslitscanprivate.h"

/* GStreamer's own way to load a preset. */
static gboolean (*default_load_preset) (GstPreset * preset, const gchar * name);

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

static gboolean
gst_slit_scan_has_preset (GstPreset * preset, const gchar * name)
{
  gchar **names = gst_preset_get_preset_names (preset);
  gboolean has_it = names != NULL
      && g_strv_contains ((const gchar * const *) names, name);

  g_strfreev (names);
  return has_it;
}

static gboolean
gst_slit_scan_load_preset (GstPreset * preset, const gchar * name)
{
  GstSlitScan *self = GST_SLIT_SCAN (preset);
  gboolean is_loaded;

  if (!gst_slit_scan_has_preset (preset, name))
    return FALSE;
  gst_slit_scan_set_loading (self, TRUE);
  g_object_freeze_notify (G_OBJECT (self));
  gst_slit_scan_set_defaults (self);
  is_loaded = default_load_preset (preset, name);
  gst_slit_scan_set_loading (self, FALSE);
  g_object_thaw_notify (G_OBJECT (self));
  return is_loaded;
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
  default_load_preset = preset->load_preset;
  preset->load_preset = gst_slit_scan_load_preset;
  preset->get_property_names = gst_slit_scan_get_preset_properties;
}
