/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The plugin, which registers one element. */

#include "gstslitscan.h"
#include "slitscan-plugin.h"

#define PACKAGE "slitscan"
#define VERSION SLITSCAN_VERSION

static gboolean
plugin_init (GstPlugin * plugin)
{
  return GST_ELEMENT_REGISTER (slitscan, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, slitscan,
    "Slit-scan effect: each pixel from another earlier frame", plugin_init,
    VERSION, "MPL-2.0", "slitscan for GStreamer", "slitscan source code")
