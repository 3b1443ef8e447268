/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* A deadline is the limit of a wait. It counts only time in which the process
 * ran, so it does not run out while the process is stopped or the computer is
 * suspended: the time between two looks at the clock counts up to a tenth of
 * the limit. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Guarded by a lock of the caller. */
typedef struct
{
  GstClock *clock;
  GstClockTime limit;
  GstClockTime elapsed;
  GstClockTime last_look;
  /* The next look, while it is waited for. */
  GstClockID look;
} GstSlitScanDeadline;

/* The clock for the limits of an element, which may be NULL: that of its context
 * GST_SLIT_SCAN_CLOCK_CONTEXT, or the system's. Not the pipeline's, which can
 * stand still while it is paused. */
GstClock *gst_slit_scan_deadline_obtain_clock (GstElement * element);

/* Begins now. Takes over the clock until the end. */
void gst_slit_scan_deadline_begin (GstSlitScanDeadline * self,
    GstClock * clock, GstClockTime limit);

/* Waits until the next look or until it is woken, as g_cond_wait () does: the
 * lock is not held meanwhile. FALSE once the limit is reached. */
gboolean gst_slit_scan_deadline_wait (GstSlitScanDeadline * self,
    GMutex * lock);

/* Wakes the thread that waits, if one does. */
void gst_slit_scan_deadline_wake (GstSlitScanDeadline * self);

void gst_slit_scan_deadline_end (GstSlitScanDeadline * self);

G_END_DECLS
