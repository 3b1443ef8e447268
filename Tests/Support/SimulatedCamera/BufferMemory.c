/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The memory of the simulated camera's buffers. */

#define _GNU_SOURCE
#include "BufferMemory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t
total_bytes (const BufferMemory * memory)
{
  return (size_t) memory->count * memory->stride;
}

bool
buffer_memory_allocate (BufferMemory * memory, unsigned count,
    unsigned bytes_per_buffer)
{
  const unsigned page = (unsigned) sysconf (_SC_PAGESIZE);
  void *start = MAP_FAILED;

  memory->count = count;
  memory->stride = (bytes_per_buffer + page - 1) / page * page;
  memory->descriptor = memfd_create ("simulated-camera", MFD_CLOEXEC);
  if (memory->descriptor < 0)
    return false;
  /* Unlike ftruncate(), this takes the memory now: want of it later would kill
   * the host with a SIGBUS. */
  if (posix_fallocate (memory->descriptor, 0,
          (off_t) total_bytes (memory)) == 0)
    start = mmap (NULL, total_bytes (memory), PROT_READ | PROT_WRITE,
        MAP_SHARED, memory->descriptor, 0);
  if (start == MAP_FAILED) {
    close (memory->descriptor);
    return false;
  }
  memory->start = start;
  return true;
}

void
buffer_memory_free (BufferMemory * memory)
{
  munmap (memory->start, total_bytes (memory));
  close (memory->descriptor);
}

uint8_t *
buffer_memory_at (const BufferMemory * memory, unsigned index)
{
  return memory->start + memory->stride * (size_t) index;
}

void *
buffer_memory_map (const BufferMemory * memory, void *address, size_t length,
    int protection, int flags, off_t offset)
{
  if (length == 0 || length > memory->stride || offset < 0 ||
      (size_t) offset >= total_bytes (memory) ||
      (size_t) offset % memory->stride != 0) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  return mmap (address, length, protection, flags, memory->descriptor, offset);
}
