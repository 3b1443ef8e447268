/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* mremap () is variadic and Linux's own, so Swift cannot call it. */
#pragma once

#include <stddef.h>

/* Grows a private anonymous mapping, moving it if it must; its pages are not
 * copied. Returns MAP_FAILED, with everything as before, if the system
 * refuses. */
void * linux_memory_grow (void * base, size_t old_size, size_t new_size);
