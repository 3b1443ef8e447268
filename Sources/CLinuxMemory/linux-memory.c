/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

#define _GNU_SOURCE
#include "linux-memory.h"

#include <sys/mman.h>

void *
linux_memory_grow (void *base, size_t old_size, size_t new_size)
{
  return mremap (base, old_size, new_size, MREMAP_MAYMOVE);
}
