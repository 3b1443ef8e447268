/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* A deadline is the limit of a wait. It counts only time in which the process
 * ran. */

#include "gstslitscandeadline.h"

#include "include/slitscan-plugin.h"

/* The number of looks that the limit takes at least. */
#define LOOKS 10

GstClock *
gst_slit_scan_deadline_obtain_clock (GstElement * element)
{
  g_autoptr (GstContext) context = element != NULL
      ? gst_element_get_context (element, GST_SLIT_SCAN_CLOCK_CONTEXT) : NULL;
  GstClock *clock = NULL;

  if (context != NULL)
    gst_structure_get (gst_context_get_structure (context), "clock",
        GST_TYPE_CLOCK, &clock, NULL);
  return clock != NULL ? clock : gst_system_clock_obtain ();
}

void
gst_slit_scan_deadline_begin (GstSlitScanDeadline * self, GstClock * clock,
    GstClockTime limit)
{
  self->clock = clock;
  self->limit = limit;
  self->elapsed = 0;
  self->last_look = gst_clock_get_time (clock);
}

gboolean
gst_slit_scan_deadline_wait (GstSlitScanDeadline * self, GMutex * lock)
{
  GstClockTime longest = MAX (self->limit / LOOKS, 1);
  GstClockTime turn = MIN (longest, self->limit - self->elapsed);
  GstClockTime now;

  self->look = gst_clock_new_single_shot_id (self->clock,
      self->last_look + turn);
  g_mutex_unlock (lock);
  gst_clock_id_wait (self->look, NULL);
  g_mutex_lock (lock);
  g_clear_pointer (&self->look, gst_clock_id_unref);

  now = gst_clock_get_time (self->clock);
  if (now > self->last_look)
    self->elapsed += MIN (now - self->last_look, longest);
  self->last_look = now;
  return self->elapsed < self->limit;
}

void
gst_slit_scan_deadline_wake (GstSlitScanDeadline * self)
{
  if (self->look != NULL)
    gst_clock_id_unschedule (self->look);
}

void
gst_slit_scan_deadline_end (GstSlitScanDeadline * self)
{
  gst_clear_object (&self->clock);
}
