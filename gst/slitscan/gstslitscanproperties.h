/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The properties: one table, read by everything that sets, gets or shows
 * them. */
#pragma once

#include <gst/gst.h>

#include "slitscan-engine.h"

G_BEGIN_DECLS

/* What the element answers besides its settings. */
typedef struct
{
  gdouble progress;
  guint64 history_bytes;
  guint history_frames;
} GstSlitScanReadings;

/* Installs every property of the table. */
void gst_slit_scan_properties_install (GObjectClass * klass);

/* The settings that the table's defaults make. */
void gst_slit_scan_properties_init (SlitScanSettings * settings);

/* Sets a property; FALSE, with nothing changed, for a number that is none. */
gboolean gst_slit_scan_properties_set (SlitScanSettings * settings, guint id,
    const GValue * value);

/* Gets a property; FALSE if there is none with that id. */
gboolean gst_slit_scan_properties_get (const SlitScanSettings * settings,
    const GstSlitScanReadings * readings, guint id, GValue * value);

G_END_DECLS
