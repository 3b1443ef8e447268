/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The simulated camera itself, as the preloaded functions in Interposition.c
 * see it. All functions are thread-safe; those that can fail return -1 (or
 * MAP_FAILED) and set errno, as the system calls they stand in for do. */

#ifndef SIMULATED_CAMERA_DEVICE_H
#define SIMULATED_CAMERA_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whether `path` is the camera's, be it plugged in or not. */
bool device_has_path (const char *path);

bool device_is_plugged_in (void);

/* Whether `descriptor` is open on the camera. Takes no lock, because every
 * close() and mmap() of the host comes by here. */
bool device_owns (int descriptor);

int device_open (int flags);
int device_ioctl (int descriptor, unsigned long request, void *argument);
void *device_mmap (void *address, size_t length, int protection, int flags,
    off_t offset);

/* To be called with what dup() of `descriptor` has returned; returns the
 * same, or -1 if the duplicate cannot be kept. */
int device_add_duplicate (int descriptor, int duplicate);

/* To be called before `descriptor` is really closed, since another thread may
 * be given the same number right after. The last one of an opening ends its
 * stream. */
void device_forget (int descriptor);

#endif
