/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The headers of GStreamer's controllers, which animate properties, for
 * Swift. */
#pragma once

#include <gst/controller/controller.h>

/* g_object_set has no fixed number of arguments, which Swift cannot call. */
static inline void
cgst_set_lfo (GstControlSource * source, GstLFOWaveform waveform,
    gdouble frequency, GstClockTime timeshift, gdouble amplitude,
    gdouble offset)
{
  g_object_set (source, "waveform", waveform, "frequency", frequency,
      "timeshift", timeshift, "amplitude", amplitude, "offset", offset, NULL);
}

static inline void
cgst_set_linear (GstControlSource * source)
{
  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
}

static inline gboolean
cgst_add_point (GstControlSource * source, GstClockTime time, gdouble value)
{
  return gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE
      (source), time, value);
}
