/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The plugin, which registers one element: a subclass of that of the plugin
 * slitscan, which it finds, and does not contain. */

/* For dladdr. */
#define _GNU_SOURCE

#include <dlfcn.h>

#include "gstglslitscan.h"
#include "slitscan-gl-plugin.h"
#include "slitscan-plugin.h"

#define PACKAGE "slitscan"
#define VERSION SLITSCAN_VERSION

GST_DEBUG_CATEGORY_STATIC (plugin_debug);
#define GST_CAT_DEFAULT plugin_debug

/* GStreamer holds a lock while it loads a plugin, so it cannot be asked for
 * another one. What loads the file later gets the same library, and so the
 * same type. */
static GType
load_parent_type (GstPlugin * plugin)
{
  GType (*get_type) (void) = NULL;
  gchar *folder, *path;
  void *library;
  Dl_info own;

  if (dladdr (&plugin_debug, &own) == 0 || own.dli_fname == NULL)
    return G_TYPE_INVALID;
  folder = g_path_get_dirname (own.dli_fname);
  /* Where it is missing, GStreamer remembers that this plugin has no element,
   * and is to look again once it is there. */
  gst_plugin_add_dependency_simple (plugin, NULL, folder, "libgstslitscan.so",
      GST_PLUGIN_DEPENDENCY_FLAG_NONE);
  path = g_build_filename (folder, "libgstslitscan.so", NULL);
  /* Types stay for ever, and so does what has them. */
  library = dlopen (path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL) {
    GST_WARNING ("glslitscan needs the plugin slitscan beside it. Install the "
        "package gstreamer1.0-slitscan: %s", dlerror ());
  } else {
    get_type = (GType (*)(void)) dlsym (library, "gst_slit_scan_get_type");
    if (get_type == NULL)
      GST_WARNING ("%s is of another version than %s. Install the packages "
          "gstreamer1.0-slitscan and gstreamer1.0-slitscan-gl of one version.",
          path, SLITSCAN_VERSION);
    dlclose (library);
  }
  g_free (path);
  g_free (folder);
  return get_type != NULL ? get_type () : G_TYPE_INVALID;
}

static gboolean
plugin_init (GstPlugin * plugin)
{
  GType parent = g_type_from_name ("GstSlitScan");
  GType type;

  GST_DEBUG_CATEGORY_INIT (plugin_debug, "slitscangl", 0,
      "slit-scan effect on the GPU");
  if (parent == G_TYPE_INVALID)
    parent = load_parent_type (plugin);
  if (parent == G_TYPE_INVALID)
    return TRUE;
  type = gst_gl_slit_scan_get_type (parent);
  if (type == G_TYPE_INVALID) {
    GST_WARNING ("The element slitscan is of another version than %s. Install "
        "the packages gstreamer1.0-slitscan and gstreamer1.0-slitscan-gl of one "
        "version.", SLITSCAN_VERSION);
    return TRUE;
  }
  return gst_element_register (plugin, "glslitscan", GST_RANK_NONE, type);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, slitscangl,
    "Slit-scan effect on the GPU: each pixel from another earlier frame",
    plugin_init, VERSION, "MPL-2.0", "slitscan for GStreamer",
    "slitscan source code")
