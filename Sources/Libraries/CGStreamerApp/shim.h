/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The headers of GStreamer's application library (appsink, appsrc), for
 * Swift. */
#pragma once

#include <gst/app/app.h>
