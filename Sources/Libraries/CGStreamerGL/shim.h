/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The headers of GStreamer's GL library, for Swift and for the plugin's C. */
#pragma once

#include <gst/gl/gl.h>
#include <gst/gl/gstglfuncs.h>
