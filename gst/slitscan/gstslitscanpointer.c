/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Navigation events: the mouse pointer, or a finger, over the output moves the
 * centre of the map, or the slit of a strip. */

#include <gst/video/navigation.h>

#include "gstslitscanprivate.h"

/* The position of an event on the output, in pixels; FALSE for one that is not to be
 * followed. */
static gboolean
parse_position (GstEvent * event, gdouble * x, gdouble * y)
{
  guint finger;

  switch (gst_navigation_event_get_type (event)) {
    case GST_NAVIGATION_EVENT_MOUSE_MOVE:
      return gst_navigation_event_parse_mouse_move_event (event, x, y);
    case GST_NAVIGATION_EVENT_MOUSE_BUTTON_PRESS:
      return gst_navigation_event_parse_mouse_button_event (event, NULL, x, y);
    case GST_NAVIGATION_EVENT_TOUCH_DOWN:
    case GST_NAVIGATION_EVENT_TOUCH_MOTION:
      return gst_navigation_event_parse_touch_event (event, &finger, x, y,
          NULL);
    default:
      return FALSE;
  }
}

/* Sets a property to a fraction of the frame, as far as its range goes. */
static void
set_fraction (GstSlitScan * self, const gchar * property, gdouble value)
{
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (self),
      property);
  const GParamSpecDouble *range = G_PARAM_SPEC_DOUBLE (spec);

  g_object_set (self, property, CLAMP (value, range->minimum, range->maximum),
      NULL);
}

void
gst_slit_scan_pointer_follow (GstSlitScan * self, GstEvent * event)
{
  SlitScanSettings settings;
  gint width, height;
  gdouble x, y;

  GST_OBJECT_LOCK (self);
  settings = self->values.settings;
  width = GST_VIDEO_INFO_WIDTH (&self->scan_info);
  height = GST_VIDEO_INFO_HEIGHT (&self->scan_info);
  GST_OBJECT_UNLOCK (self);

  if (!settings.pointer || width == 0 || height == 0
      || !parse_position (event, &x, &y))
    return;
  if (settings.mode != SLIT_SCAN_MODE_STRIP) {
    set_fraction (self, "center-x", x / width);
    set_fraction (self, "center-y", y / height);
  } else if (slit_scan_grows_rightwards (settings.map, settings.angle)) {
    set_fraction (self, "position", x / width);
  } else {
    set_fraction (self, "position", y / height);
  }
}
