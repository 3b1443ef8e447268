/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Replaces the C library's allocation functions and counts their calls. */

#define _GNU_SOURCE
#include "allocation-counter.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_bool is_counting;
static atomic_ulong count;

void
allocation_counter_start (void)
{
  atomic_store (&count, 0);
  atomic_store (&is_counting, true);
}

unsigned long
allocation_counter_stop (void)
{
  atomic_store (&is_counting, false);
  return atomic_load (&count);
}

/* Only glibc has its functions under second names. */
#if defined (__GLIBC__) && !__has_feature (address_sanitizer) \
    && !__has_feature (thread_sanitizer)

#define EXPORTED __attribute__ ((used, visibility ("default")))

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t items, size_t size);
extern void *__libc_realloc (void *old, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);

static inline void
note (void)
{
  if (atomic_load_explicit (&is_counting, memory_order_relaxed))
    atomic_fetch_add_explicit (&count, 1, memory_order_relaxed);
}

EXPORTED void *
malloc (size_t size)
{
  note ();
  return __libc_malloc (size);
}

EXPORTED void *
calloc (size_t items, size_t size)
{
  note ();
  return __libc_calloc (items, size);
}

EXPORTED void *
realloc (void *old, size_t size)
{
  note ();
  return __libc_realloc (old, size);
}

EXPORTED void *
aligned_alloc (size_t alignment, size_t size)
{
  note ();
  return __libc_memalign (alignment, size);
}

EXPORTED int
posix_memalign (void **memory, size_t alignment, size_t size)
{
  *memory = aligned_alloc (alignment, size);
  return *memory != NULL ? 0 : ENOMEM;
}

EXPORTED void *
mmap (void *address, size_t size, int protection, int flags, int file,
    off_t offset)
{
  note ();
  return (void *) syscall (SYS_mmap, address, size, protection, flags, file,
      offset);
}

EXPORTED void *mmap64 (void *address, size_t size, int protection, int flags,
    int file, off64_t offset) __attribute__((alias ("mmap")));

EXPORTED void *
mremap (void *old, size_t old_size, size_t size, int flags, ...)
{
  va_list rest;
  void *fixed;

  va_start (rest, flags);
  fixed = flags & MREMAP_FIXED ? va_arg (rest, void *) : NULL;
  va_end (rest);
  note ();
  return (void *) syscall (SYS_mremap, old, old_size, size, flags, fixed);
}

#endif
