/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* For applications that link the plugin instead of loading it: call
 * gst_plugin_slitscan_register () after gst_init (). */
#pragma once

#include <gst/gst.h>

/* The version of the plugin. */
#define SLITSCAN_VERSION "0.1.0"

G_BEGIN_DECLS

GST_PLUGIN_STATIC_DECLARE (slitscan);

G_END_DECLS
