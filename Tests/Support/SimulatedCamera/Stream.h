/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Buffers and stream of the simulated camera. All functions are thread-safe
 * unless they say otherwise. */

#ifndef SIMULATED_CAMERA_STREAM_H
#define SIMULATED_CAMERA_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* For the ioctls about format, buffers and streaming; returns 0 or an errno
 * value, ENOTTY for all other ioctls. `event` tells through which opening of
 * the camera the request came, and is an eventfd in semaphore mode: if that
 * opening gets the buffers, its count becomes the number of those filled. */
int stream_handle_request (unsigned request, void *argument, int event,
    bool may_wait);

/* Ends the stream and frees the buffers if that opening has them. */
void stream_disown (int event);

/* As mmap(). */
void *stream_map_buffer (void *address, size_t length, int protection,
    int flags, off_t offset);

/* Plugs the camera in again if it is time to. */
bool stream_is_unplugged (void);

/* How often the camera has been plugged in again. An opening from before is of
 * a camera that is gone. */
unsigned stream_plug_number (void);

/* To be called once, while there is only one thread. */
void stream_prepare (void);
void stream_unplug_after (unsigned long frames);
void stream_replug_after (double seconds);

/* After a fork() the capture thread is missing. */
void stream_start_over_in_child (void);

#endif
