/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The memory of the simulated camera's buffers: a memfd in which they lie one
 * after the other, each at the start of a page, since the host maps each by
 * itself. Not thread-safe. */

#ifndef SIMULATED_CAMERA_BUFFER_MEMORY_H
#define SIMULATED_CAMERA_BUFFER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct
{
  int descriptor;
  uint8_t *start;
  unsigned count;
  unsigned stride;              /* bytes from one buffer to the next */
} BufferMemory;

bool buffer_memory_allocate (BufferMemory * memory, unsigned count,
    unsigned bytes_per_buffer);

/* What the host has mapped lives on until it unmaps it. */
void buffer_memory_free (BufferMemory * memory);

uint8_t *buffer_memory_at (const BufferMemory * memory, unsigned index);

/* As mmap(), for the host. */
void *buffer_memory_map (const BufferMemory * memory, void *address,
    size_t length, int protection, int flags, off_t offset);

#endif
