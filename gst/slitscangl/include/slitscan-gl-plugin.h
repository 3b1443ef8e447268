/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The header for applications that link the plugin instead of loading it: they
 * call gst_plugin_slitscangl_register () after gst_plugin_slitscan_register (). */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

GST_PLUGIN_STATIC_DECLARE (slitscangl);

G_END_DECLS
