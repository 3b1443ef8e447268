/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The element's type. */
#pragma once

#include <gst/video/gstvideofilter.h>
#include <gst/video/video.h>

#include "slitscan-engine.h"

G_BEGIN_DECLS

#define GST_TYPE_SLIT_SCAN (gst_slit_scan_get_type ())
G_DECLARE_FINAL_TYPE (GstSlitScan, gst_slit_scan, GST, SLIT_SCAN,
    GstVideoFilter)

GST_ELEMENT_REGISTER_DECLARE (slitscan);

G_END_DECLS
