/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The object lock, as ThreadSanitizer must be told of it: GLib's mutex is a
 * futex of its own that the tool does not know, so that everything it guards
 * would look like a race. */
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

#define GST_SLIT_SCAN_LOCK(self) G_STMT_START { \
  GST_OBJECT_LOCK (self); \
  __tsan_acquire (GST_OBJECT_GET_LOCK (self)); \
} G_STMT_END
#define GST_SLIT_SCAN_UNLOCK(self) G_STMT_START { \
  __tsan_release (GST_OBJECT_GET_LOCK (self)); \
  GST_OBJECT_UNLOCK (self); \
} G_STMT_END
#else
#define GST_SLIT_SCAN_LOCK(self) GST_OBJECT_LOCK (self)
#define GST_SLIT_SCAN_UNLOCK(self) GST_OBJECT_UNLOCK (self)
#endif
