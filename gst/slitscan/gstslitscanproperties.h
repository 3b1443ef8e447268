/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The element's properties: their values, and their registration with
 * GObject. */
#pragma once

#include <gst/gst.h>

#include "slitscan-engine.h"
#include "slitscan-plugin.h"

G_BEGIN_DECLS

/* The read-only properties. */
typedef struct
{
  gdouble progress;
  guint64 history_bytes;
  glong history_frames;

  /* For `stats` alone. */
  guint64 frames;               /* all that came in */
  guint64 drawn;                /* those that the effect has drawn, */
  guint64 passed;               /* that went through as they were, */
  guint64 late;                 /* that were too late to be drawn */
  guint64 drained;              /* frames drawn after the last frame */
  guint depth;
  guint wanted_depth;
  guint lines;                  /* of the canvas of a strip, as depth */
  guint wanted_lines;
  guint64 map_buffers;
  guint64 map_late;
  GstClockTime average_time;
  GstClockTime mean_delay;      /* how old what the frame shows is, */
  GstClockTime center_delay;    /* and its centre */
} GstSlitScanReadings;

/* The values of all properties. */
typedef struct
{
  SlitScanSettings settings;
  gchar *map_location;
  /* Counts the texts that have been set: less work than to compare them. */
  guint text_count;
  GstSlitScanReadings readings;
} GstSlitScanValues;

/* Installs every property of the table. */
void gst_slit_scan_properties_install (GObjectClass * klass);

/* The values that the table's defaults make. */
void gst_slit_scan_values_init (GstSlitScanValues * values);

/* Gives back what the values own. */
void gst_slit_scan_values_clear (GstSlitScanValues * values);

/* Sets a property; FALSE, with nothing changed, for a number that is none. */
gboolean gst_slit_scan_values_set (GstSlitScanValues * values, guint id,
    const GValue * value);

/* Gets a property; FALSE if there is none with that id. */
gboolean gst_slit_scan_values_get (const GstSlitScanValues * values, guint id,
    GValue * value);

/* The names of the properties that a preset is made of, for g_strfreev (). */
gchar **gst_slit_scan_properties_of_presets (void);

G_END_DECLS
