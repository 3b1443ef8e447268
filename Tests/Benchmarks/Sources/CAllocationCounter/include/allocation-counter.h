/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Counts how often the process asks for memory, on all of its threads.
 *
 * A program that links this has its own malloc (), calloc (), realloc (),
 * aligned_alloc (), posix_memalign (), mmap () and mremap (), for itself and for
 * every library it loads. They do what the C library's do. Under a sanitizer,
 * which has its own, nothing is counted. */
#pragma once

/* From now on requests count, from 0. */
void allocation_counter_start (void);

/* No longer. Returns how many there were. */
unsigned long allocation_counter_stop (void);
