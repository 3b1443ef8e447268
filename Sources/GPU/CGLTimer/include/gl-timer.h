/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The time that the GPU takes for what an element draws. GStreamer's OpenGL library
 * is loaded when a timer is made, and not linked. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _GLTimer GLTimer;

/* Times, by a timer query of OpenGL for each frame, what an element draws from
 * when a frame of textures reaches its pad sink until one leaves its pad src; or,
 * with copies, what it takes to copy the textures of each frame that reaches it.
 * Software draws only some of this in the time that its timer queries see: there,
 * the time is that of a clock until glFinish.
 *
 * NULL where there is no such library. The element outlives the timer. */
GLTimer *gl_timer_new (GstElement * element, gboolean copies,
    gboolean is_software);

/* Frames since the last call, and the nanoseconds that they took together. */
void gl_timer_take (GLTimer * timer, guint64 * frames, guint64 * nanoseconds);

/* Once the element has stopped. */
void gl_timer_free (GLTimer * timer);

G_END_DECLS
