/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The file of `map-location`: finds it and checks that it may be read. */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* Opens the regular file at a location, a path or a file URI, and gives its
 * path as text for a person; or NULL and an error of the domain
 * GST_RESOURCE_ERROR or GST_STREAM_ERROR. A name like `12:30.png` is a path
 * too. Pipes and devices are not even tried: that could wait for ever, or start
 * something. */
FILE *gst_slit_scan_location_open (const gchar * location, gchar ** name,
    GError ** error);

G_END_DECLS
