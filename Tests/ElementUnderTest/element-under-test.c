/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

#include "element-under-test.h"

#include <gst/gst.h>
#include <slitscan-plugin.h>

static gpointer
register_element (gpointer unused)
{
  const gchar *path = g_getenv ("SLITSCAN_TEST_PLUGIN");
  GstElementFactory *factory;
  GstPlugin *plugin;
  GError *error = NULL;

  (void) unused;
  if (!gst_init_check (NULL, NULL, &error))
    g_error ("%s", error->message);
  if (path == NULL) {
    gst_plugin_slitscan_register ();
  } else {
    plugin = gst_plugin_load_file (path, &error);
    if (plugin == NULL)
      g_error ("%s: %s", path, error->message);
    gst_object_unref (plugin);
  }
  factory = gst_element_factory_find ("slitscan");
  if (factory == NULL)
    return NULL;
  gst_object_unref (factory);
  return GINT_TO_POINTER (TRUE);
}

bool
element_under_test_register (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, register_element, NULL) != NULL;
}
