/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The C peer of `benchmarks bridge`, which does the same as the Swift bridge
 * in plain C, and the clocks that both use, so that reading them costs both
 * the same. */
#pragma once

#include <gst/gst.h>

/* -- clocks --------------------------------------------------------------- */

/* Lets the buffers that leave an element carry the time when they did, by
 * gst_util_get_timestamp (), as their timestamp. */
void bridge_stamp (GstElement * source);

typedef struct _BridgeMeter BridgeMeter;

/* Watches what comes to a sink: the clocks run from buffer number `warm_up` to
 * the one that comes `count` later. Read it when the stream has ended. */
BridgeMeter *bridge_meter_new (GstElement * sink, guint64 warm_up,
    guint64 count);

void bridge_meter_free (BridgeMeter * meter);

/* Whether as many buffers have come. */
gboolean bridge_meter_is_complete (const BridgeMeter * meter);

/* Nanoseconds that passed, and that processors worked for this process. */
gint64 bridge_meter_wall_time (const BridgeMeter * meter);
gint64 bridge_meter_cpu_time (const BridgeMeter * meter);

/* Nanoseconds since buffer `index`, from 0 to `count` - 1, was stamped. */
gint64 bridge_meter_age (const BridgeMeter * meter, guint64 index);

/* -- peers ---------------------------------------------------------------- */

/* To look is to map a frame and read its first byte. */

/* A probe of the pad where buffers leave an element. */
void bridge_probe (GstElement * source, gboolean looks);

/* Pushes what comes to an appsink into an appsrc, on the streaming thread. */
void bridge_relay (GstElement * sink, GstElement * source, gboolean looks);

/* -- a slow reader -------------------------------------------------------- */

typedef struct _BridgeReader BridgeReader;

/* Starts a thread that pulls samples of an appsink until the end, and sleeps
 * for `busy` nanoseconds after each. Keeps the ages of the first `most`. */
BridgeReader *bridge_reader_new (GstElement * sink, guint64 busy, guint64 most);

/* Waits for the end. Returns how many samples there were. */
guint64 bridge_reader_wait (BridgeReader * reader);

/* Nanoseconds since sample `index` was stamped, when it was pulled. */
gint64 bridge_reader_age (const BridgeReader * reader, guint64 index);

void bridge_reader_free (BridgeReader * reader);
