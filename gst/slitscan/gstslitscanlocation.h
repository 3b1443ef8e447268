/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Where the picture of a map is, and whether it may be read. */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* The path that a location means, a path or a file URI; or NULL and an error of
 * the domain GST_RESOURCE_ERROR. A name like `12:30.png` is a path too. */
gchar *gst_slit_scan_location_get_path (const gchar * location,
    GError ** error);

/* Opens a regular file to read, or NULL and an error of the domain
 * GST_RESOURCE_ERROR or GST_STREAM_ERROR; name is the path as text for a
 * person. Pipes and devices are not even tried: that could wait for ever, or
 * start something. */
FILE *gst_slit_scan_location_open (const gchar * path, const gchar * name,
    GError ** error);

G_END_DECLS
