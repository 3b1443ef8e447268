/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Buffers and stream of the simulated camera.
 *
 * While streaming, a thread waits for the time of each frame, paints it in the
 * buffer that was queued first and raises the event. One mutex guards it all.
 * The thread touches the camera only with the mutex held, and only as long as
 * the number of the stream is still its own. Who ends the stream waits for it
 * after letting go of the mutex, when the next stream may have begun already,
 * which does no harm. */

#define _GNU_SOURCE
#include "Stream.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>

#include "BufferMemory.h"
#include "Formats.h"
#include "StillPicture.h"
#include "TestScene.h"

#define NANOSECONDS_PER_SECOND INT64_C (1000000000)
#define NOBODY -1

typedef enum
{
  HELD_BY_HOST,
  QUEUED,
  FILLED
} BufferState;

typedef struct
{
  BufferState state;
  bool mapped;
  unsigned bytes_used;
  uint32_t sequence;
  int64_t timestamp;            /* nanoseconds of CLOCK_MONOTONIC */
} Buffer;

typedef struct
{
  unsigned indexes[BUFFER_LIMIT];
  unsigned count;
} BufferQueue;

typedef struct
{
  const PictureSize *size;
  int owner;                    /* event of the opening with the buffers */
  Buffer buffers[BUFFER_LIMIT];
  unsigned buffer_count;
  BufferMemory memory;
  BufferQueue queued;
  BufferQueue filled;
  bool streaming;
  pthread_t thread;             /* exists while streaming */
  pthread_t ended_thread;
  bool has_ended_thread;
  int64_t stream_start;         /* nanoseconds of CLOCK_MONOTONIC */
  uint32_t next_sequence;
} Camera;

static bool will_be_unplugged;
static unsigned long frames_until_unplugged;
static atomic_bool unplugged;
static int64_t nanoseconds_until_replugged;     /* 0 for never */
static int64_t replug_time;     /* of CLOCK_MONOTONIC */
static atomic_uint plug_number;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static Camera camera;

/* Never set back, so that the thread of an earlier stream cannot take a later
 * one for its own. */
static uintptr_t stream_number;

static void
push (BufferQueue * queue, unsigned index)
{
  queue->indexes[queue->count++] = index;
}

static unsigned
pop (BufferQueue * queue)
{
  unsigned index = queue->indexes[0];

  queue->count--;
  memmove (queue->indexes, queue->indexes + 1,
      queue->count * sizeof (queue->indexes[0]));
  return index;
}

static void
lower_event (void)
{
  struct pollfd state = {.fd = camera.owner,.events = POLLIN };
  eventfd_t one;

  /* Asking first, since the host may have read() its descriptor dry, and a
   * blocking one would then keep us here with the mutex held. */
  if (poll (&state, 1, 0) == 1)
    eventfd_read (camera.owner, &one);
}

static int64_t
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * NANOSECONDS_PER_SECOND + time.tv_nsec;
}

static void
unplug (void)
{
  unplugged = true;
  replug_time = now () + nanoseconds_until_replugged;
  /* Nothing takes this one back, so from now on poll() returns at once, and
   * the host learns from its next ioctl() what has happened. */
  eventfd_write (camera.owner, 1);
  pthread_cond_broadcast (&changed);
}

/* Returns the bytes of the picture. */
static unsigned
paint (uint8_t * bytes, uint32_t sequence)
{
  if (gives_jpeg)
    return still_picture_copy (bytes, image_bytes (camera.size));
  test_scene_paint (bytes, camera.size->width, camera.size->height, sequence);
  return image_bytes (camera.size);
}

static void
capture_frame (int64_t timestamp)
{
  /* Counted even if there is no buffer: the gap is how the host can tell that
   * a frame was lost. */
  uint32_t sequence = camera.next_sequence++;
  unsigned index;
  Buffer *buffer;

  if (will_be_unplugged && frames_until_unplugged-- == 0) {
    unplug ();
    return;
  }
  if (camera.queued.count == 0)
    return;

  index = pop (&camera.queued);
  buffer = &camera.buffers[index];
  buffer->bytes_used = paint (buffer_memory_at (&camera.memory, index),
      sequence);
  buffer->state = FILLED;
  buffer->sequence = sequence;
  buffer->timestamp = timestamp;
  push (&camera.filled, index);
  eventfd_write (camera.owner, 1);
  pthread_cond_broadcast (&changed);
}

static void *
capture_frames (void *argument)
{
  const uintptr_t own_number = (uintptr_t) argument;

  pthread_mutex_lock (&mutex);
  while (stream_number == own_number && !unplugged) {
    /* Counting from the start of the stream keeps rounding and late wake-ups
     * from adding up. */
    int64_t due = camera.stream_start + ((int64_t) camera.next_sequence + 1) *
        NANOSECONDS_PER_SECOND / FRAMES_PER_SECOND;
    struct timespec deadline = {
      .tv_sec = due / NANOSECONDS_PER_SECOND,
      .tv_nsec = due % NANOSECONDS_PER_SECOND
    };

    if (pthread_cond_timedwait (&changed, &mutex, &deadline) == ETIMEDOUT &&
        stream_number == own_number)
      capture_frame (due);
  }
  pthread_mutex_unlock (&mutex);
  return NULL;
}

static int
start_capture_thread (void)
{
  sigset_t all_signals, host_signals;
  int error;

  /* The host's signal handlers do not expect to run on a thread of ours. */
  sigfillset (&all_signals);
  pthread_sigmask (SIG_SETMASK, &all_signals, &host_signals);
  error = pthread_create (&camera.thread, NULL, capture_frames,
      (void *) stream_number);
  pthread_sigmask (SIG_SETMASK, &host_signals, NULL);
  return error;
}

static void
stop_stream (void)
{
  for (; camera.filled.count > 0; pop (&camera.filled))
    lower_event ();
  camera.queued.count = 0;
  for (unsigned i = 0; i < camera.buffer_count; i++)
    camera.buffers[i].state = HELD_BY_HOST;
  if (!camera.streaming)
    return;
  camera.streaming = false;
  camera.ended_thread = camera.thread;
  camera.has_ended_thread = true;
  stream_number++;
  pthread_cond_broadcast (&changed);
}

/* For all who may have called stop_stream(). */
static void
unlock_and_join (void)
{
  const pthread_t thread = camera.ended_thread;
  const bool has_thread = camera.has_ended_thread;

  camera.has_ended_thread = false;
  pthread_mutex_unlock (&mutex);
  if (has_thread)
    pthread_join (thread, NULL);
}

static void
free_buffers (void)
{
  if (camera.buffer_count == 0)
    return;
  stop_stream ();
  buffer_memory_free (&camera.memory);
  memset (camera.buffers, 0, sizeof (camera.buffers));
  camera.buffer_count = 0;
  camera.owner = NOBODY;
}

static void
describe_buffer (unsigned index, struct v4l2_buffer *description)
{
  const Buffer *buffer = &camera.buffers[index];

  *description = (struct v4l2_buffer) {
    .index = index,
    .type = V4L2_BUF_TYPE_VIDEO_CAPTURE,
    .bytesused = buffer->bytes_used,
    .flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_TSTAMP_SRC_EOF |
        (buffer->mapped ? V4L2_BUF_FLAG_MAPPED : 0) |
        (buffer->state == QUEUED ? V4L2_BUF_FLAG_QUEUED : 0) |
        (buffer->state == FILLED ? V4L2_BUF_FLAG_DONE : 0),
    .field = V4L2_FIELD_NONE,
    .timestamp.tv_sec = buffer->timestamp / NANOSECONDS_PER_SECOND,
    .timestamp.tv_usec = buffer->timestamp % NANOSECONDS_PER_SECOND / 1000,
    .sequence = buffer->sequence,
    .memory = V4L2_MEMORY_MMAP,
    .m.offset = index * camera.memory.stride,
    .length = image_bytes (camera.size),
  };
}

static int
request_buffers (struct v4l2_requestbuffers *request, int event)
{
  request->capabilities = V4L2_BUF_CAP_SUPPORTS_MMAP |
      V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS;
  request->flags = 0;
  memset (request->reserved, 0, sizeof (request->reserved));
  if (request->type != V4L2_BUF_TYPE_VIDEO_CAPTURE ||
      request->memory != V4L2_MEMORY_MMAP)
    return EINVAL;
  if (camera.streaming)
    return EBUSY;

  free_buffers ();
  if (request->count > BUFFER_LIMIT)
    request->count = BUFFER_LIMIT;
  if (request->count > 0 && !buffer_memory_allocate (&camera.memory,
          request->count, image_bytes (camera.size)))
    return ENOMEM;
  camera.buffer_count = request->count;
  camera.owner = request->count > 0 ? event : NOBODY;
  return 0;
}

static int
query_buffer (struct v4l2_buffer *description)
{
  if (description->type != V4L2_BUF_TYPE_VIDEO_CAPTURE ||
      description->index >= camera.buffer_count)
    return EINVAL;
  describe_buffer (description->index, description);
  return 0;
}

static int
queue_buffer (struct v4l2_buffer *description)
{
  const unsigned index = description->index;

  if (description->type != V4L2_BUF_TYPE_VIDEO_CAPTURE ||
      description->memory != V4L2_MEMORY_MMAP ||
      index >= camera.buffer_count ||
      camera.buffers[index].state != HELD_BY_HOST)
    return EINVAL;
  camera.buffers[index].state = QUEUED;
  push (&camera.queued, index);
  describe_buffer (index, description);
  return 0;
}

static int
dequeue_buffer (struct v4l2_buffer *description, bool may_wait)
{
  const uintptr_t own_number = stream_number;
  unsigned index;

  if (description->type != V4L2_BUF_TYPE_VIDEO_CAPTURE ||
      description->memory != V4L2_MEMORY_MMAP || !camera.streaming)
    return EINVAL;
  while (camera.filled.count == 0) {
    if (!may_wait)
      return EAGAIN;
    pthread_cond_wait (&changed, &mutex);
    if (unplugged)
      return ENODEV;
    if (stream_number != own_number)
      return EINVAL;
  }
  index = pop (&camera.filled);
  lower_event ();
  camera.buffers[index].state = HELD_BY_HOST;
  describe_buffer (index, description);
  return 0;
}

static int
start_stream (const int *type)
{
  struct timespec now;
  int error;

  if (*type != V4L2_BUF_TYPE_VIDEO_CAPTURE || camera.buffer_count == 0)
    return EINVAL;
  if (camera.streaming)
    return 0;
  stream_number++;
  error = start_capture_thread ();
  if (error)
    return error;
  clock_gettime (CLOCK_MONOTONIC, &now);
  camera.stream_start = now.tv_sec * NANOSECONDS_PER_SECOND + now.tv_nsec;
  camera.next_sequence = 0;
  camera.streaming = true;
  return 0;
}

static int
end_stream (const int *type)
{
  if (*type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
    return EINVAL;
  stop_stream ();
  return 0;
}

static int
handle_format (unsigned request, struct v4l2_format *format)
{
  const PictureSize *size = camera.size;

  if (format->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
    return EINVAL;
  if (request != VIDIOC_G_FMT)
    size = nearest_size (format);
  if (request == VIDIOC_S_FMT) {
    if (camera.buffer_count > 0)
      return EBUSY;
    camera.size = size;
  }
  describe_format (size, format);
  return 0;
}

static int
handle_request (unsigned request, void *argument, int event, bool may_wait)
{
  const bool busy = camera.owner != NOBODY && camera.owner != event;

  switch (request) {
    case VIDIOC_G_FMT:
    case VIDIOC_S_FMT:
    case VIDIOC_TRY_FMT:
      return handle_format (request, argument);
    case VIDIOC_QUERYBUF:
      return query_buffer (argument);
    case VIDIOC_REQBUFS:
      return busy ? EBUSY : request_buffers (argument, event);
    case VIDIOC_QBUF:
      return busy ? EBUSY : queue_buffer (argument);
    case VIDIOC_DQBUF:
      return busy ? EBUSY : dequeue_buffer (argument, may_wait);
    case VIDIOC_STREAMON:
      return busy ? EBUSY : start_stream (argument);
    case VIDIOC_STREAMOFF:
      return busy ? EBUSY : end_stream (argument);
    default:
      return ENOTTY;
  }
}

int
stream_handle_request (unsigned request, void *argument, int event,
    bool may_wait)
{
  int error;

  pthread_mutex_lock (&mutex);
  error = handle_request (request, argument, event, may_wait);
  unlock_and_join ();
  return error;
}

void *
stream_map_buffer (void *address, size_t length, int protection, int flags,
    off_t offset)
{
  void *buffer = MAP_FAILED;

  pthread_mutex_lock (&mutex);
  if (camera.buffer_count == 0)
    errno = EINVAL;
  else
    buffer = buffer_memory_map (&camera.memory, address, length, protection,
        flags, offset);
  if (buffer != MAP_FAILED)
    camera.buffers[offset / camera.memory.stride].mapped = true;
  pthread_mutex_unlock (&mutex);
  return buffer;
}

void
stream_disown (int event)
{
  pthread_mutex_lock (&mutex);
  if (camera.owner == event)
    free_buffers ();
  unlock_and_join ();
}

bool
stream_is_unplugged (void)
{
  bool result;

  pthread_mutex_lock (&mutex);
  if (unplugged && nanoseconds_until_replugged > 0 && now () >= replug_time) {
    free_buffers ();
    unplugged = false;
    will_be_unplugged = false;
    plug_number++;
  }
  result = unplugged;
  unlock_and_join ();
  return result;
}

unsigned
stream_plug_number (void)
{
  return plug_number;
}

void
stream_replug_after (double seconds)
{
  nanoseconds_until_replugged = (int64_t) (seconds * NANOSECONDS_PER_SECOND);
}

void
stream_unplug_after (unsigned long frames)
{
  frames_until_unplugged = frames;
  will_be_unplugged = true;
}

void
stream_prepare (void)
{
  pthread_condattr_t attributes;

  camera.size = default_size;
  camera.owner = NOBODY;
  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (&changed, &attributes);
  pthread_condattr_destroy (&attributes);
}

void
stream_start_over_in_child (void)
{
  if (camera.buffer_count > 0)
    buffer_memory_free (&camera.memory);
  memset (&camera, 0, sizeof (camera));
  pthread_mutex_init (&mutex, NULL);
  stream_prepare ();
}
