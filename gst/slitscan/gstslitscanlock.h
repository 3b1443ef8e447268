/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Locks, as ThreadSanitizer must be told of them: GLib's mutex is a futex of
 * its own that the tool does not know, so that everything it guards would look
 * like a race. */
#pragma once

#include <gst/gst.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GST_SLIT_SCAN_TELLS_TSAN
#endif
#endif

#ifdef GST_SLIT_SCAN_TELLS_TSAN
void __tsan_acquire (void * lock);
void __tsan_release (void * lock);
#define GST_SLIT_SCAN_IS_ACQUIRED(lock) __tsan_acquire (lock)
#define GST_SLIT_SCAN_WILL_BE_RELEASED(lock) __tsan_release (lock)
#else
#define GST_SLIT_SCAN_IS_ACQUIRED(lock)
#define GST_SLIT_SCAN_WILL_BE_RELEASED(lock)
#endif

/* The object lock. */
#define GST_SLIT_SCAN_LOCK(self) G_STMT_START { \
  GST_OBJECT_LOCK (self); \
  GST_SLIT_SCAN_IS_ACQUIRED (GST_OBJECT_GET_LOCK (self)); \
} G_STMT_END
#define GST_SLIT_SCAN_UNLOCK(self) G_STMT_START { \
  GST_SLIT_SCAN_WILL_BE_RELEASED (GST_OBJECT_GET_LOCK (self)); \
  GST_OBJECT_UNLOCK (self); \
} G_STMT_END

static inline void
gst_slit_scan_mutex_lock (GMutex * mutex)
{
  g_mutex_lock (mutex);
  GST_SLIT_SCAN_IS_ACQUIRED (mutex);
}

static inline void
gst_slit_scan_mutex_unlock (GMutex * mutex)
{
  GST_SLIT_SCAN_WILL_BE_RELEASED (mutex);
  g_mutex_unlock (mutex);
}

static inline void
gst_slit_scan_cond_wait (GCond * cond, GMutex * mutex)
{
  GST_SLIT_SCAN_WILL_BE_RELEASED (mutex);
  g_cond_wait (cond, mutex);
  GST_SLIT_SCAN_IS_ACQUIRED (mutex);
}

/* FALSE at the monotonic time `end`, in microseconds. */
static inline gboolean
gst_slit_scan_cond_wait_until (GCond * cond, GMutex * mutex, gint64 end)
{
  gboolean is_signalled;

  GST_SLIT_SCAN_WILL_BE_RELEASED (mutex);
  is_signalled = g_cond_wait_until (cond, mutex, end);
  GST_SLIT_SCAN_IS_ACQUIRED (mutex);
  return is_signalled;
}
