/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Tells ThreadSanitizer of GLib's locks. It knows those of pthreads; GLib's
 * are futexes and counters of its own, in libraries that are not instrumented:
 * a buffer that is written before a queue and read behind it would look like a
 * race.
 *
 * The functions here stand before those of the same names, as a program's
 * come before a library's. Each calls the one that it stands before. */

#define _GNU_SOURCE
#include "glib-locks.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_TOLD
#endif
#endif

#ifdef IS_TOLD

#include <dlfcn.h>
#include <gst/gst.h>
#include <stdatomic.h>

void __tsan_acquire (void *address);
void __tsan_release (void *address);

static _Atomic uint64_t count;

/* The library's function of a name. Other libraries call these before this
 * program's constructors run. */
#define LIBRARYS(name) ({ \
  static _Atomic (__typeof__ (&name)) found; \
  __typeof__ (&name) function = \
      atomic_load_explicit (&found, memory_order_relaxed); \
  if (function == NULL) { \
    function = (__typeof__ (&name)) dlsym (RTLD_NEXT, #name); \
    atomic_store_explicit (&found, function, memory_order_relaxed); \
  } \
  function; \
})

/* -- locks ---------------------------------------------------------------- */

void
g_mutex_lock (GMutex * mutex)
{
  LIBRARYS (g_mutex_lock) (mutex);
  __tsan_acquire (mutex);
  atomic_fetch_add_explicit (&count, 1, memory_order_relaxed);
}

gboolean
g_mutex_trylock (GMutex * mutex)
{
  gboolean is_locked = LIBRARYS (g_mutex_trylock) (mutex);

  if (is_locked)
    __tsan_acquire (mutex);
  return is_locked;
}

void
g_mutex_unlock (GMutex * mutex)
{
  __tsan_release (mutex);
  LIBRARYS (g_mutex_unlock) (mutex);
}

void
g_cond_wait (GCond * cond, GMutex * mutex)
{
  __tsan_release (mutex);
  LIBRARYS (g_cond_wait) (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond * cond, GMutex * mutex, gint64 end)
{
  gboolean is_signalled;

  __tsan_release (mutex);
  is_signalled = LIBRARYS (g_cond_wait_until) (cond, mutex, end);
  __tsan_acquire (mutex);
  return is_signalled;
}

/* -- what is passed on ---------------------------------------------------- */

void
g_async_queue_push (GAsyncQueue * queue, gpointer data)
{
  __tsan_release (queue);
  LIBRARYS (g_async_queue_push) (queue, data);
}

gpointer
g_async_queue_pop (GAsyncQueue * queue)
{
  gpointer data = LIBRARYS (g_async_queue_pop) (queue);

  __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_try_pop (GAsyncQueue * queue)
{
  gpointer data = LIBRARYS (g_async_queue_try_pop) (queue);

  __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_timeout_pop (GAsyncQueue * queue, guint64 timeout)
{
  gpointer data = LIBRARYS (g_async_queue_timeout_pop) (queue, timeout);

  __tsan_acquire (queue);
  return data;
}

GstFlowReturn
gst_buffer_pool_acquire_buffer (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  GstFlowReturn flow =
      LIBRARYS (gst_buffer_pool_acquire_buffer) (pool, buffer, params);

  if (flow == GST_FLOW_OK)
    __tsan_acquire (*buffer);
  return flow;
}

/* -- references ----------------------------------------------------------- */

/* The last unref happens after all earlier ones. */
static void
tell_of_reference (gpointer object)
{
  __tsan_release (object);
  __tsan_acquire (object);
}

void
gst_mini_object_unref (GstMiniObject * object)
{
  tell_of_reference (object);
  LIBRARYS (gst_mini_object_unref) (object);
}

void
g_object_unref (gpointer object)
{
  tell_of_reference (object);
  LIBRARYS (g_object_unref) (object);
}

bool
glib_locks_are_told (void)
{
  return true;
}

uint64_t
glib_locks_told (void)
{
  return atomic_load_explicit (&count, memory_order_relaxed);
}

#else

bool
glib_locks_are_told (void)
{
  return false;
}

uint64_t
glib_locks_told (void)
{
  return 0;
}

#endif
