/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The simulated camera as seen from outside: its path, its descriptors and
 * what it does with each ioctl. Interposition.c says how the whole is used and
 * names the environment variables.
 *
 * A descriptor of the camera is in truth an eventfd in semaphore mode whose
 * count is the number of filled buffers, so that poll(), select() and epoll
 * work on it. The camera can be opened several times, of which one at a time
 * can have buffers. GStreamer 1.22.0 depends on this: each time a v4l2src is
 * stopped, it leaks its buffer pool and thereby a duplicate of the
 * descriptor. */

#define _GNU_SOURCE
#include "Device.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "Formats.h"
#include "StillPicture.h"
#include "Stream.h"

#define DEFAULT_PATH "/dev/video0"
#define DESCRIPTOR_LIMIT 1024

static char *camera_path;
static pid_t process;

/* What the kernel calls an open file description: dup() makes one more
 * descriptor of it. */
typedef struct
{
  unsigned descriptor_count;    /* 0 if free */
  int event;                    /* our own, as the host may close any of its */
  unsigned plug_number;
} Opening;

/* The mutex guards changes to both; to read the second, it is not needed. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Opening openings[DESCRIPTOR_LIMIT];
static Opening *_Atomic opening_of[DESCRIPTOR_LIMIT];

/* Returns 0 or an errno value. */
static int
handle_request (unsigned request, void *argument, int event, bool may_wait)
{
  switch (request) {
    case VIDIOC_QUERYCAP:
      return describe_capabilities (argument);
    case VIDIOC_ENUMINPUT:
      return describe_input (argument);
    case VIDIOC_G_INPUT:
      *(int *) argument = 0;
      return 0;
    case VIDIOC_S_INPUT:
      return *(int *) argument == 0 ? 0 : EINVAL;
    case VIDIOC_ENUM_FMT:
      return describe_format_choice (argument);
    case VIDIOC_ENUM_FRAMESIZES:
      return describe_size_choice (argument);
    case VIDIOC_ENUM_FRAMEINTERVALS:
      return describe_interval_choice (argument);
    case VIDIOC_G_PARM:
    case VIDIOC_S_PARM:
      return describe_parameters (argument);
    default:
      return stream_handle_request (request, argument, event, may_wait);
  }
}

int
device_ioctl (int descriptor, unsigned long request, void *argument)
{
  const bool may_wait = !(fcntl (descriptor, F_GETFL) & O_NONBLOCK);
  const Opening *opening = opening_of[descriptor];
  int error;

  if (opening == NULL)
    error = EBADF;
  else if (stream_is_unplugged ()
      || opening->plug_number != stream_plug_number ())
    error = ENODEV;
  else if (argument == NULL)
    error = EFAULT;
  else
    /* Some hosts widen the request from int, sign and all. */
    error = handle_request ((unsigned) request, argument, opening->event,
        may_wait);

  if (error == 0)
    return 0;
  errno = error;
  return -1;
}

void *
device_mmap (void *address, size_t length, int protection, int flags,
    off_t offset)
{
  if (stream_is_unplugged ()) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  return stream_map_buffer (address, length, protection, flags, offset);
}

bool
device_has_path (const char *path)
{
  return path != NULL && camera_path != NULL && strcmp (path, camera_path) == 0;
}

bool
device_is_plugged_in (void)
{
  return !stream_is_unplugged ();
}

bool
device_owns (int descriptor)
{
  /* The process counts because a child between vfork() and exec() shares our
   * memory, but what it closes remains open here. */
  return descriptor >= 0 && descriptor < DESCRIPTOR_LIMIT &&
      opening_of[descriptor] != NULL && getpid () == process;
}

static void
drop_descriptor (int descriptor)
{
  Opening *opening = atomic_exchange (&opening_of[descriptor], NULL);

  if (opening != NULL && --opening->descriptor_count == 0) {
    stream_disown (opening->event);
    close (opening->event);
  }
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
   * as close_range(). */
  drop_descriptor (descriptor);
  opening_of[descriptor] = opening;
  return descriptor;
}

static Opening *
find_free_opening (void)
{
  for (unsigned i = 0; i < DESCRIPTOR_LIMIT; i++) {
    if (openings[i].descriptor_count == 0)
      return &openings[i];
  }
  return NULL;
}

static int
open_event (int flags)
{
  Opening *opening = find_free_opening ();
  int descriptor;

  if (opening == NULL) {
    errno = EMFILE;
    return -1;
  }
  descriptor = eventfd (0, EFD_SEMAPHORE |
      (flags & O_NONBLOCK ? EFD_NONBLOCK : 0) |
      (flags & O_CLOEXEC ? EFD_CLOEXEC : 0));
  if (descriptor < 0)
    return -1;
  opening->event = fcntl (descriptor, F_DUPFD_CLOEXEC, 0);
  if (opening->event < 0) {
    close (descriptor);
    return -1;
  }
  opening->plug_number = stream_plug_number ();
  descriptor = add_descriptor (opening, descriptor);
  if (descriptor < 0)
    close (opening->event);
  return descriptor;
}

int
device_open (int flags)
{
  int descriptor;

  if (stream_is_unplugged ()) {
    errno = ENOENT;
    return -1;
  }
  pthread_mutex_lock (&mutex);
  descriptor = open_event (flags);
  pthread_mutex_unlock (&mutex);
  return descriptor;
}

int
device_add_duplicate (int descriptor, int duplicate)
{
  Opening *opening;

  if (duplicate < 0)
    return duplicate;
  pthread_mutex_lock (&mutex);
  opening = opening_of[descriptor];
  if (opening != NULL)
    duplicate = add_descriptor (opening, duplicate);
  pthread_mutex_unlock (&mutex);
  return duplicate;
}

void
device_forget (int descriptor)
{
  pthread_mutex_lock (&mutex);
  drop_descriptor (descriptor);
  pthread_mutex_unlock (&mutex);
}

/* A forked child has a camera of its own, which nobody has opened yet. */
static void
start_over_in_child (void)
{
  stream_start_over_in_child ();
  for (unsigned i = 0; i < DESCRIPTOR_LIMIT; i++) {
    if (openings[i].descriptor_count > 0)
      close (openings[i].event);
    openings[i].descriptor_count = 0;
    opening_of[i] = NULL;
  }
  pthread_mutex_init (&mutex, NULL);
  process = getpid ();
}

static void read_environment (void) __attribute__((constructor));

static void
read_environment (void)
{
  const char *path = getenv ("SIMULATED_CAMERA_DEVICE");
  const char *frames = getenv ("SIMULATED_CAMERA_UNPLUG_AFTER");
  const char *seconds = getenv ("SIMULATED_CAMERA_REPLUG_AFTER");
  const char *picture = getenv ("SIMULATED_CAMERA_JPEG");

  stream_prepare ();
  if (frames != NULL && *frames != '\0')
    stream_unplug_after (strtoul (frames, NULL, 10));
  if (seconds != NULL && *seconds != '\0')
    stream_replug_after (strtod (seconds, NULL));
  if (picture != NULL && *picture != '\0')
    gives_jpeg = still_picture_load (picture);
  pthread_atfork (NULL, NULL, start_over_in_child);
  process = getpid ();
  /* Last, as the camera is there from here on. */
  camera_path = strdup (path != NULL && *path != '\0' ? path : DEFAULT_PATH);
}
