/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* A simulated V4L2 camera for tests, as a library to preload:
 *
 *   Tests/Support/SimulatedCamera/build.sh camera.so
 *   LD_PRELOAD=./camera.so gst-launch-1.0 v4l2src ! ...
 *
 * To the process, a camera /dev/video0 seems to be plugged in that delivers only
 * YUYV ("YUY2"), 640x480 or 320x240 pixels at 30 frames per second in real time,
 * in at most four buffers of kind MMAP. It films what Picture.h describes. If
 * no buffer is queued when a frame is due, that frame is lost and the sequence
 * number shows the gap.
 *
 * Environment variables, read when the process starts:
 *
 *   SIMULATED_CAMERA_UNPLUG_AFTER  number of frames, lost ones included, after
 *                                  which the camera is unplugged: poll() then
 *                                  returns at once, ioctl() fails with ENODEV,
 *                                  and the path is gone until the process
 *                                  ends. Never, if unset. The frames of all
 *                                  streams of the process count together.
 *   SIMULATED_CAMERA_REPLUG_AFTER  number of seconds after which it is plugged
 *                                  in again, for good.
 *   SIMULATED_CAMERA_JPEG          a JPEG file of 640x480 pixels. The camera
 *                                  then gives nothing but Motion-JPEG of that
 *                                  size, and always this picture.
 *
 * This file holds the functions that stand in for those of the C library, and
 * the camera's descriptors; others are passed on untouched. There are only those
 * functions that GStreamer and Foundation use: the camera is not to be seen in
 * directory listings, in udev, or through fstat() and statx() (thus not by ls
 * and v4l2-ctl), nor if a process makes system calls itself as libv4l2 does.
 *
 * A descriptor of the camera is in truth a timerfd, which expires when a buffer
 * is filled, so that poll(), select() and epoll work on it. The camera can be
 * opened several times, of which one at a time can have buffers. GStreamer
 * 1.22.0 depends on this: each time a v4l2src is stopped, it leaks its buffer
 * pool and thereby a duplicate of the descriptor. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "Stream.h"

#define CAMERA_PATH "/dev/video0"
#define DESCRIPTOR_LIMIT 1024

/* An open file description, as the kernel calls it: dup() makes one more
 * descriptor of it. */
typedef struct
{
  unsigned descriptor_count;    /* 0 if free */
  int timer;                    /* our own, as the host may close any of its */
  unsigned plug_number;
} Opening;

static pid_t process;

/* Guarded by the stream's lock; to read the second, it is not needed. */
static Opening openings[DESCRIPTOR_LIMIT];
static Opening *_Atomic opening_of[DESCRIPTOR_LIMIT];

/* -- descriptors ---------------------------------------------------------- */

static bool
is_camera (const char *path)
{
  return path != NULL && process != 0 && strcmp (path, CAMERA_PATH) == 0;
}

static bool
is_plugged_in (void)
{
  bool result;

  stream_lock ();
  result = !stream_is_unplugged ();
  stream_unlock ();
  return result;
}

static bool
owns (int descriptor)
{
  /* The process counts because a child between vfork() and exec() shares our
   * memory, but what it closes remains open here. */
  return descriptor >= 0 && descriptor < DESCRIPTOR_LIMIT &&
      opening_of[descriptor] != NULL && getpid () == process;
}

/* With the lock held, as the next one. */
static void
drop_descriptor (int descriptor)
{
  Opening *opening = opening_of[descriptor];

  opening_of[descriptor] = NULL;
  if (opening == NULL || --opening->descriptor_count > 0)
    return;
  stream_disown (opening->timer);
  close (opening->timer);
}

/* Closes `descriptor` if there is no room for it. */
static int
add_descriptor (Opening * opening, int descriptor)
{
  if (descriptor >= DESCRIPTOR_LIMIT) {
    close (descriptor);
    errno = EMFILE;
    return -1;
  }
  opening->descriptor_count++;
  /* It is still known if the host closed it in a way that we do not see, such
   * as close_range() or dup2(). */
  drop_descriptor (descriptor);
  opening_of[descriptor] = opening;
  return descriptor;
}

static int
open_timer (int flags)
{
  Opening *opening = openings;
  int descriptor = timerfd_create (CLOCK_MONOTONIC,
      (flags & O_NONBLOCK ? TFD_NONBLOCK : 0) |
      (flags & O_CLOEXEC ? TFD_CLOEXEC : 0));

  if (descriptor < 0)
    return -1;
  while (opening->descriptor_count > 0)
    opening++;
  opening->timer = fcntl (descriptor, F_DUPFD_CLOEXEC, 0);
  if (opening->timer < 0) {
    close (descriptor);
    return -1;
  }
  opening->plug_number = stream_plug_number ();
  descriptor = add_descriptor (opening, descriptor);
  if (descriptor < 0)
    close (opening->timer);
  return descriptor;
}

static int
open_camera (int flags)
{
  int descriptor = -1;

  stream_lock ();
  if (stream_is_unplugged ())
    errno = ENOENT;
  else
    descriptor = open_timer (flags);
  stream_unlock ();
  return descriptor;
}

static int
add_duplicate (int descriptor, int duplicate)
{
  Opening *opening;

  if (duplicate < 0)
    return duplicate;
  stream_lock ();
  opening = opening_of[descriptor];
  if (opening != NULL)
    duplicate = add_descriptor (opening, duplicate);
  stream_unlock ();
  return duplicate;
}

static void
forget (int descriptor)
{
  stream_lock ();
  drop_descriptor (descriptor);
  stream_unlock ();
}

static int
ioctl_camera (int descriptor, unsigned long request, void *argument)
{
  const bool may_wait = !(fcntl (descriptor, F_GETFL) & O_NONBLOCK);
  struct pollfd state = {.fd = descriptor,.events = POLLIN };
  int error;

  for (;;) {
    const Opening *opening;

    stream_lock ();
    opening = opening_of[descriptor];
    if (opening == NULL)
      error = EBADF;
    else if (stream_is_unplugged ()
        || opening->plug_number != stream_plug_number ())
      error = ENODEV;
    else if (argument == NULL)
      error = EFAULT;
    else
      /* Some hosts widen the request from int, sign and all. */
      error =
          stream_handle_request ((unsigned) request, argument, opening->timer);
    stream_unlock ();
    if (error == 0)
      return 0;
    errno = error;
    if (error != EAGAIN || !may_wait)
      return -1;
    /* A while at most: another thread may end the stream. */
    poll (&state, 1, 100);
  }
}

/* -- functions of the C library ------------------------------------------- */

#define EXPORT __attribute__ ((visibility ("default")))

/* For calling the function that the one of this library hides. It is looked up
 * at the first call instead of in a constructor, since constructors of other
 * libraries may be quicker. */
#define CALL_REAL(name, ...) real_##name () (__VA_ARGS__)
#define DEFINE_REAL(name) \
  static __typeof__ (name) * \
  real_##name (void) \
  { \
    static _Atomic (void *) function; \
    \
    if (function == NULL) \
      function = dlsym (RTLD_NEXT, #name); \
    return (__typeof__ (name) *) function; \
  }

/* The C library has these for calls of open() that were compiled with
 * _FORTIFY_SOURCE, but declares them only then. */
EXPORT int __open_2 (const char *path, int flags);
EXPORT int __open64_2 (const char *path, int flags);

/* *INDENT-OFF* */
DEFINE_REAL (open)
DEFINE_REAL (open64)
DEFINE_REAL (__open_2)
DEFINE_REAL (__open64_2)
DEFINE_REAL (stat)
DEFINE_REAL (stat64)
DEFINE_REAL (lstat)
DEFINE_REAL (lstat64)
DEFINE_REAL (access)
DEFINE_REAL (close)
DEFINE_REAL (dup)
DEFINE_REAL (ioctl)
DEFINE_REAL (mmap)
DEFINE_REAL (mmap64)
/* *INDENT-ON* */

/* The mode is an argument only if a file may be created. */
#define READ_MODE(mode, flags) \
  do { \
    if ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE) { \
      va_list arguments; \
      va_start (arguments, flags); \
      (mode) = va_arg (arguments, mode_t); \
      va_end (arguments); \
    } \
  } while (0)

#define DEFINE_OPEN(name) \
  EXPORT int \
  name (const char *path, int flags, ...) \
  { \
    mode_t mode = 0; \
    \
    READ_MODE (mode, flags); \
    return is_camera (path) ? open_camera (flags) \
        : CALL_REAL (name, path, flags, mode); \
  }
#define DEFINE_OPEN_2(name) \
  EXPORT int \
  name (const char *path, int flags) \
  { \
    return is_camera (path) ? open_camera (flags) \
        : CALL_REAL (name, path, flags); \
  }

/* *INDENT-OFF* */
DEFINE_OPEN (open)
DEFINE_OPEN (open64)
DEFINE_OPEN_2 (__open_2)
DEFINE_OPEN_2 (__open64_2)
/* *INDENT-ON* */

static int
fail_if_unplugged (void)
{
  if (is_plugged_in ())
    return 0;
  errno = ENOENT;
  return -1;
}

/* Device numbers of /dev/video0. There are two types of status with the same
 * members. */
#define DEFINE_STAT(name, Status) \
  EXPORT int \
  name (const char *path, struct Status *status) \
  { \
    if (!is_camera (path)) \
      return CALL_REAL (name, path, status); \
    memset (status, 0, sizeof (*status)); \
    status->st_mode = S_IFCHR | S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP; \
    status->st_rdev = makedev (81, 0); \
    status->st_nlink = 1; \
    status->st_uid = geteuid (); \
    status->st_gid = getegid (); \
    return fail_if_unplugged (); \
  }

/* *INDENT-OFF* */
DEFINE_STAT (stat, stat)
DEFINE_STAT (stat64, stat64)
DEFINE_STAT (lstat, stat)
DEFINE_STAT (lstat64, stat64)
/* *INDENT-ON* */

EXPORT int
access (const char *path, int kind)
{
  if (!is_camera (path))
    return CALL_REAL (access, path, kind);
  if (is_plugged_in () && kind & X_OK) {
    errno = EACCES;
    return -1;
  }
  return fail_if_unplugged ();
}

EXPORT int
close (int descriptor)
{
  if (owns (descriptor))
    forget (descriptor);
  return CALL_REAL (close, descriptor);
}

EXPORT int
dup (int descriptor)
{
  int duplicate = CALL_REAL (dup, descriptor);

  if (owns (descriptor))
    return add_duplicate (descriptor, duplicate);
  return duplicate;
}

EXPORT int
ioctl (int descriptor, unsigned long request, ...)
{
  va_list arguments;
  void *argument;

  va_start (arguments, request);
  argument = va_arg (arguments, void *);
  va_end (arguments);
  /* Others, such as FIONBIO, work on the eventfd as they would on a camera. */
  if (_IOC_TYPE (request) == 'V' && owns (descriptor))
    return ioctl_camera (descriptor, request, argument);
  return CALL_REAL (ioctl, descriptor, request, argument);
}

static void *
map_buffer (void *address, size_t length, int protection, int flags,
    off_t offset)
{
  void *mapped;

  stream_lock ();
  mapped = stream_map_buffer (address, length, protection, flags, offset);
  stream_unlock ();
  return mapped;
}

#define DEFINE_MMAP(name, Offset) \
  EXPORT void * \
  name (void *address, size_t length, int protection, int flags, \
      int descriptor, Offset offset) \
  { \
    return !(flags & MAP_ANONYMOUS) && owns (descriptor) \
        ? map_buffer (address, length, protection, flags, (off_t) offset) \
        : CALL_REAL (name, address, length, protection, flags, descriptor, \
            offset); \
  }

/* *INDENT-OFF* */
DEFINE_MMAP (mmap, off_t)
DEFINE_MMAP (mmap64, off64_t)
/* *INDENT-ON* */

static void prepare (void) __attribute__((constructor));

static void
prepare (void)
{
  stream_read_environment ();
  /* Last, as the camera is there from here on. */
  process = getpid ();
}
