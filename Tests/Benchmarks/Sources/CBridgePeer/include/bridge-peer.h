/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The C peer of `benchmarks bridge`, which does the same as the Swift bridge
 * in plain C, and the clocks that both use, so that reading them costs both
 * the same. Times are nanoseconds. */
#pragma once

#include <gst/gst.h>

/* Lets the buffers that leave an element carry the time when they did, by
 * gst_util_get_timestamp (), as their timestamp. */
void bridge_stamp (GstElement * source);

/* The buffers that come to a sink: the clocks run from buffer number `warm_up` to the one
 * that comes `count` later. To be read when the stream has ended. */
typedef struct
{
  guint64 warm_up, count, seen;
  gint64 wall_time;
  /* That processors worked for this process. */
  gint64 cpu_time;
} BridgeMeter;

/* Watches a sink, which owns the meter. */
const BridgeMeter *bridge_meter (GstElement * sink, guint64 warm_up,
    guint64 count);

/* Pushes what comes to an appsink into an appsrc, on the streaming thread. */
void bridge_relay (GstElement * sink, GstElement * source);

/* Pulls samples of an appsink until the end, and sleeps for `busy` after each.
 * Stores the times since the first `most` were stamped. Returns how many
 * samples there were. */
guint64 bridge_read (GstElement * sink, guint64 busy, gint64 * ages,
    guint64 most);
