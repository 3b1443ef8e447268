/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Tells ThreadSanitizer how GLib and GStreamer synchronize threads. A program
 * that is built with it only has to link this. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether this program is built with ThreadSanitizer. */
bool glib_locks_are_told (void);

/* How often a lock was told of. */
uint64_t glib_locks_told (void);
