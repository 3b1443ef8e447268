/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* A simulated V4L2 camera for tests, as a library to preload:
 *
 *   Tests/Support/SimulatedCamera/build.sh camera.so
 *   LD_PRELOAD=./camera.so gst-launch-1.0 v4l2src ! ...
 *
 * To the process, a camera seems to be plugged in that delivers only YUYV
 * ("YUY2"), 640x480 or 320x240 pixels at 30 frames per second in real time,
 * in at most four buffers of kind MMAP. It films the scene that TestScene.h
 * describes. If no buffer is queued when a frame is due, that frame is lost
 * and the sequence number shows the gap.
 *
 * Environment variables, read when the process starts:
 *
 *   SIMULATED_CAMERA_DEVICE        absolute path of the camera; /dev/video0 if
 *                                  unset. Nothing has to exist there, and if
 *                                  something does, it is hidden.
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
 * This file holds the functions that stand in for those of the C library. Each
 * asks the device in Device.c whether path or descriptor are the camera's and
 * otherwise passes its arguments on untouched. There are only those functions
 * that GStreamer and usual V4L2 programs use: the camera is not to be seen in
 * directory listings, in udev, or through fstat() and statx() (thus not by ls
 * and v4l2-ctl), nor if a process makes system calls itself as libv4l2 does. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "Device.h"

#define EXPORT __attribute__ ((visibility ("default")))

/* Device numbers of /dev/video0. */
#define VIDEO_MAJOR 81
#define VIDEO_MINOR 0

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
DEFINE_REAL (openat)
DEFINE_REAL (openat64)
DEFINE_REAL (__open_2)
DEFINE_REAL (__open64_2)
DEFINE_REAL (stat)
DEFINE_REAL (stat64)
DEFINE_REAL (lstat)
DEFINE_REAL (lstat64)
DEFINE_REAL (access)
DEFINE_REAL (close)
DEFINE_REAL (dup)
DEFINE_REAL (dup2)
DEFINE_REAL (dup3)
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

EXPORT int
open (const char *path, int flags, ...)
{
  mode_t mode = 0;

  READ_MODE (mode, flags);
  return device_has_path (path) ? device_open (flags) :
      CALL_REAL (open, path, flags, mode);
}

EXPORT int
open64 (const char *path, int flags, ...)
{
  mode_t mode = 0;

  READ_MODE (mode, flags);
  return device_has_path (path) ? device_open (flags) :
      CALL_REAL (open64, path, flags, mode);
}

EXPORT int
openat (int directory, const char *path, int flags, ...)
{
  mode_t mode = 0;

  READ_MODE (mode, flags);
  return device_has_path (path) ? device_open (flags) :
      CALL_REAL (openat, directory, path, flags, mode);
}

EXPORT int
openat64 (int directory, const char *path, int flags, ...)
{
  mode_t mode = 0;

  READ_MODE (mode, flags);
  return device_has_path (path) ? device_open (flags) :
      CALL_REAL (openat64, directory, path, flags, mode);
}

EXPORT int
__open_2 (const char *path, int flags)
{
  return device_has_path (path) ? device_open (flags) :
      CALL_REAL (__open_2, path, flags);
}

EXPORT int
__open64_2 (const char *path, int flags)
{
  return device_has_path (path) ? device_open (flags) :
      CALL_REAL (__open64_2, path, flags);
}

static int
fail_if_unplugged (void)
{
  if (device_is_plugged_in ())
    return 0;
  errno = ENOENT;
  return -1;
}

/* A macro, as there are two types of status with the same members. */
#define DESCRIBE_DEVICE_FILE(status) \
  do { \
    memset (status, 0, sizeof (*(status))); \
    (status)->st_mode = S_IFCHR | S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP; \
    (status)->st_rdev = makedev (VIDEO_MAJOR, VIDEO_MINOR); \
    (status)->st_nlink = 1; \
    (status)->st_uid = geteuid (); \
    (status)->st_gid = getegid (); \
  } while (0)

EXPORT int
stat (const char *path, struct stat *status)
{
  if (!device_has_path (path))
    return CALL_REAL (stat, path, status);
  DESCRIBE_DEVICE_FILE (status);
  return fail_if_unplugged ();
}

EXPORT int
stat64 (const char *path, struct stat64 *status)
{
  if (!device_has_path (path))
    return CALL_REAL (stat64, path, status);
  DESCRIBE_DEVICE_FILE (status);
  return fail_if_unplugged ();
}

EXPORT int
lstat (const char *path, struct stat *status)
{
  if (!device_has_path (path))
    return CALL_REAL (lstat, path, status);
  DESCRIBE_DEVICE_FILE (status);
  return fail_if_unplugged ();
}

EXPORT int
lstat64 (const char *path, struct stat64 *status)
{
  if (!device_has_path (path))
    return CALL_REAL (lstat64, path, status);
  DESCRIBE_DEVICE_FILE (status);
  return fail_if_unplugged ();
}

EXPORT int
access (const char *path, int kind)
{
  if (!device_has_path (path))
    return CALL_REAL (access, path, kind);
  if (device_is_plugged_in () && kind & X_OK) {
    errno = EACCES;
    return -1;
  }
  return fail_if_unplugged ();
}

EXPORT int
close (int descriptor)
{
  if (device_owns (descriptor))
    device_forget (descriptor);
  return CALL_REAL (close, descriptor);
}

EXPORT int
dup (int descriptor)
{
  int duplicate = CALL_REAL (dup, descriptor);

  if (device_owns (descriptor))
    return device_add_duplicate (descriptor, duplicate);
  return duplicate;
}

/* For dup2() and dup3(): `target`, which the real function has just closed if
 * it was open, now is what `descriptor` is. */
static int
redirect (int descriptor, int target, int result)
{
  if (result < 0 || descriptor == target)
    return result;
  if (device_owns (descriptor))
    return device_add_duplicate (descriptor, result);
  if (device_owns (target))
    device_forget (target);
  return result;
}

EXPORT int
dup2 (int descriptor, int target)
{
  return redirect (descriptor, target, CALL_REAL (dup2, descriptor, target));
}

EXPORT int
dup3 (int descriptor, int target, int flags)
{
  return redirect (descriptor, target,
      CALL_REAL (dup3, descriptor, target, flags));
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
  if (_IOC_TYPE (request) == 'V' && device_owns (descriptor))
    return device_ioctl (descriptor, request, argument);
  return CALL_REAL (ioctl, descriptor, request, argument);
}

EXPORT void *
mmap (void *address, size_t length, int protection, int flags, int descriptor,
    off_t offset)
{
  if (!(flags & MAP_ANONYMOUS) && device_owns (descriptor))
    return device_mmap (address, length, protection, flags, offset);
  return CALL_REAL (mmap, address, length, protection, flags, descriptor,
      offset);
}

EXPORT void *
mmap64 (void *address, size_t length, int protection, int flags, int descriptor,
    off64_t offset)
{
  if (!(flags & MAP_ANONYMOUS) && device_owns (descriptor))
    return device_mmap (address, length, protection, flags, (off_t) offset);
  return CALL_REAL (mmap64, address, length, protection, flags, descriptor,
      offset);
}
