/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* GStreamer's library for applications, as Swift sees it: appsink and appsrc. */
#pragma once

#include <gst/app/app.h>
