/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The header for applications that link the plugin instead of loading it: they
 * call gst_plugin_slitscan_register () after gst_init (). */
#pragma once

#include <gst/gst.h>

/* The version of the plugin. */
#define SLITSCAN_VERSION "0.2.0"

/* Text that the GParamSpec of a property has besides range and default,
 * which g_param_spec_get_qdata () gives: its unit; the group in which it is
 * shown; the ends of a fader, where that is shorter than the range, "FROM TO"
 * or "FROM TO logarithmic"; the modes or maps that look at it, if not all. */
#define GST_SLIT_SCAN_UNIT "slitscan-unit"
#define GST_SLIT_SCAN_GROUP "slitscan-group"
#define GST_SLIT_SCAN_FADER "slitscan-fader"
#define GST_SLIT_SCAN_USED_BY "slitscan-used-by"

/* The type of a GstContext whose field "clock" is the GstClock that the limits
 * of the element's waits go by, in place of the system's. */
#define GST_SLIT_SCAN_CLOCK_CONTEXT "slitscan.clock"

G_BEGIN_DECLS

GST_PLUGIN_STATIC_DECLARE (slitscan);

G_END_DECLS
