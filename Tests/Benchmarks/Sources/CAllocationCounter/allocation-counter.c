/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Replaces the C library's allocation functions and counts their calls. */

#define _GNU_SOURCE
#include "allocation-counter.h"

#include <dlfcn.h>
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

#if __has_feature (address_sanitizer) || __has_feature (thread_sanitizer)
#define IS_SANITIZED 1
#endif

/* Only glibc has its functions under second names. */
#if defined (__GLIBC__) && !defined (IS_SANITIZED)

#define EXPORTED __attribute__ ((used, visibility ("default")))

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t items, size_t size);
extern void *__libc_realloc (void *old, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);

typedef void *(*MapFunction) (void *, size_t, int, int, int, off_t);

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
memalign (size_t alignment, size_t size)
{
  note ();
  return __libc_memalign (alignment, size);
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
  void *made;

  if (alignment % sizeof (void *) != 0 || alignment == 0
      || (alignment & (alignment - 1)) != 0)
    return EINVAL;
  note ();
  made = __libc_memalign (alignment, size);
  if (made == NULL)
    return ENOMEM;
  *memory = made;
  return 0;
}

/* Whoever would have been asked without us: the C library, or what somebody has
 * preloaded. */
static MapFunction
find_next_mmap (void)
{
  static _Atomic (MapFunction) next;
  MapFunction function = atomic_load_explicit (&next, memory_order_relaxed);

  if (function == NULL) {
    function = (MapFunction) dlsym (RTLD_NEXT, "mmap");
    atomic_store_explicit (&next, function, memory_order_relaxed);
  }
  return function;
}

EXPORTED void *
mmap (void *address, size_t size, int protection, int flags, int file,
    off_t offset)
{
  const MapFunction next = find_next_mmap ();

  note ();
  if (next != NULL)
    return next (address, size, protection, flags, file, offset);
  return (void *) syscall (SYS_mmap, address, size, protection, flags, file,
      offset);
}

EXPORTED void *
mmap64 (void *address, size_t size, int protection, int flags, int file,
    off64_t offset)
{
  return mmap (address, size, protection, flags, file, offset);
}

EXPORTED void *
mremap (void *old, size_t old_size, size_t size, int flags, ...)
{
  void *fixed = NULL;

  if (flags & MREMAP_FIXED) {
    va_list rest;

    va_start (rest, flags);
    fixed = va_arg (rest, void *);
    va_end (rest);
  }
  note ();
  return (void *) syscall (SYS_mremap, old, old_size, size, flags, fixed);
}

#endif
