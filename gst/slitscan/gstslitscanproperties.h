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

/* The outcome of a frame. */
typedef enum
{
  GST_SLIT_SCAN_FRAME_DRAWN,
  GST_SLIT_SCAN_FRAME_PASSED,   /* went through as it was */
  GST_SLIT_SCAN_FRAME_LATE,     /* too late to be drawn */
  GST_SLIT_SCAN_FRAME_EARLY,    /* from before its segment: not drawn either */
  GST_SLIT_SCAN_FRAME_HELD,     /* held back, before anything is drawn */
  GST_SLIT_SCAN_FRAME_DRAINED,  /* drawn after the last frame */
} GstSlitScanFate;

/* TRUE if a frame of that fate leaves the element. */
#define GST_SLIT_SCAN_FRAME_LEAVES(fate) \
    ((fate) < GST_SLIT_SCAN_FRAME_LATE || (fate) > GST_SLIT_SCAN_FRAME_HELD)

/* The read-only properties: the last report and, for `stats` alone, the frames of
 * each fate, and more. */
typedef struct
{
  SlitScanReport report;
  guint64 frames[GST_SLIT_SCAN_FRAME_DRAINED + 1];
  guint depth;                  /* that fits into memory, or on disk */
  guint64 map_buffers;
  guint64 map_late;
  GstClockTime average_time;
  GstClockTime latency;
} GstSlitScanReadings;

/* The values of all properties. */
typedef struct
{
  SlitScanSettings settings;
  gchar *map_location;
  gchar *history_location;
  /* Counts the texts that have been set: less work than to compare them. */
  guint text_count;
  GstSlitScanReadings readings;
} GstSlitScanValues;

void gst_slit_scan_properties_install (GObjectClass * klass);

void gst_slit_scan_values_init (GstSlitScanValues * values);

void gst_slit_scan_values_clear (GstSlitScanValues * values);

/* FALSE, with nothing changed, for a number that is none. */
gboolean gst_slit_scan_values_set (GstSlitScanValues * values, guint id,
    const GValue * value);

void gst_slit_scan_values_get (const GstSlitScanValues * values, guint id,
    GValue * value);

/* The names of the properties that a preset is made of, for g_strfreev (). */
gchar **gst_slit_scan_properties_of_presets (void);

G_END_DECLS
