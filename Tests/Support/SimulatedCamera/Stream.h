/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Buffers and stream of the simulated camera. All functions are to be called
 * with the lock held, but the one that takes it and the last. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Locks the camera, as it is at present. */
void stream_lock (void);

/* Unlocks it, and sets the timer of the opening that has the buffers to when
 * the next of them will be filled. It has expired as long as one is, or the
 * camera is unplugged. */
void stream_unlock (void);

/* Returns 0 or an errno value: ENOTTY for requests that the camera does not
 * know, EAGAIN where there is no filled buffer. `timer` tells through which
 * opening of the camera the request came. */
int stream_handle_request (unsigned request, void *argument, int timer);

/* Ends the stream and frees the buffers if that opening has them. */
void stream_disown (int timer);

/* As mmap(). */
void *stream_map_buffer (void *address, size_t length, int protection,
    int flags, off_t offset);

bool stream_is_unplugged (void);

/* How often the camera has been plugged in again. An opening from before is of
 * a camera that is gone. */
unsigned stream_plug_number (void);

/* To be called once, while there is only one thread. */
void stream_read_environment (void);
