/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Buffers and stream of the simulated camera.
 *
 * Nothing happens in the background. Locking first brings the camera to the
 * present: what it would have filmed since the last time goes into the buffers
 * that were queued then. */

#define _GNU_SOURCE
#include "Stream.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "Formats.h"
#include "Picture.h"

#define NANOSECONDS_PER_SECOND INT64_C (1000000000)
#define NEVER INT64_MAX
#define NO_OWNER -1

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

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static unsigned plug_number;
static bool unplugged;
static int64_t frames_until_unplugged = NEVER;
static int64_t nanoseconds_until_replugged = NEVER;
static int64_t replug_time = NEVER;     /* of CLOCK_MONOTONIC */

static const PictureSize *size;
static int owner = NO_OWNER;    /* timer of the opening with the buffers */
static Buffer buffers[BUFFER_LIMIT];
static unsigned buffer_count;
/* A memfd in which the buffers lie one after the other, each at the start of a
 * page, since the host maps each by itself. */
static int memory_descriptor;
static uint8_t *memory;
static unsigned stride;         /* bytes from one buffer to the next */
static BufferQueue queued;
static BufferQueue filled;
static bool streaming;
static int64_t stream_start;    /* nanoseconds of CLOCK_MONOTONIC */
static uint32_t next_sequence;

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

static int64_t
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * NANOSECONDS_PER_SECOND + time.tv_nsec;
}

/* -- stream --------------------------------------------------------------- */

/* When the frame so many after the next is due. Counting from the start of the
 * stream keeps rounding from adding up. */
static int64_t
due_time (int64_t frames)
{
  return stream_start + (next_sequence + frames + 1) * NANOSECONDS_PER_SECOND
      / FRAMES_PER_SECOND;
}

static void
stop_stream (void)
{
  queued.count = 0;
  filled.count = 0;
  for (unsigned i = 0; i < buffer_count; i++)
    buffers[i].state = HELD_BY_HOST;
  streaming = false;
}

/* Memory that the host has mapped lives on until it unmaps it. */
static void
free_buffers (void)
{
  if (buffer_count == 0)
    return;
  stop_stream ();
  munmap (memory, buffer_count * (size_t) stride);
  close (memory_descriptor);
  memset (buffers, 0, sizeof (buffers));
  buffer_count = 0;
  owner = NO_OWNER;
}

static bool
allocate_buffers (unsigned count)
{
  const unsigned page = (unsigned) sysconf (_SC_PAGESIZE);
  size_t bytes;
  void *start = MAP_FAILED;

  stride = (image_bytes (size) + page - 1) / page * page;
  bytes = count * (size_t) stride;
  memory_descriptor = memfd_create ("simulated-camera", MFD_CLOEXEC);
  if (memory_descriptor < 0)
    return false;
  /* Unlike ftruncate(), this takes the memory now: want of it later would kill
   * the host with a SIGBUS. */
  if (posix_fallocate (memory_descriptor, 0, (off_t) bytes) == 0)
    start = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
        memory_descriptor, 0);
  if (start == MAP_FAILED) {
    close (memory_descriptor);
    return false;
  }
  memory = start;
  buffer_count = count;
  return true;
}

static void
capture_frame (int64_t timestamp)
{
  /* Counted even if there is no buffer: the gap is how the host can tell that
   * a frame was lost. */
  const uint32_t sequence = next_sequence++;
  unsigned index;

  if (frames_until_unplugged != NEVER && frames_until_unplugged-- == 0) {
    unplugged = true;
    if (nanoseconds_until_replugged != NEVER)
      replug_time = timestamp + nanoseconds_until_replugged;
    return;
  }
  if (queued.count == 0)
    return;
  index = pop (&queued);
  buffers[index].bytes_used =
      picture_paint (memory + index * (size_t) stride, size, sequence);
  buffers[index].state = FILLED;
  buffers[index].sequence = sequence;
  buffers[index].timestamp = timestamp;
  push (&filled, index);
}

void
stream_lock (void)
{
  pthread_mutex_lock (&mutex);
  while (streaming && !unplugged && due_time (0) <= now ())
    capture_frame (due_time (0));
  if (unplugged && now () >= replug_time) {
    free_buffers ();
    unplugged = false;
    frames_until_unplugged = NEVER;
    plug_number++;
  }
}

void
stream_unlock (void)
{
  struct itimerspec next = { 0 };
  int64_t time = NEVER;

  if (unplugged || filled.count > 0)
    time = 1;
  else if (streaming && queued.count > 0)
    time = due_time (0);
  else if (streaming && frames_until_unplugged != NEVER)
    time = due_time (frames_until_unplugged);
  if (time != NEVER) {
    next.it_value.tv_sec = time / NANOSECONDS_PER_SECOND;
    next.it_value.tv_nsec = time % NANOSECONDS_PER_SECOND;
  }
  if (owner != NO_OWNER)
    timerfd_settime (owner, TFD_TIMER_ABSTIME, &next, NULL);
  pthread_mutex_unlock (&mutex);
}

/* -- requests ------------------------------------------------------------- */

static void
describe_buffer (unsigned index, struct v4l2_buffer *description)
{
  const Buffer *buffer = &buffers[index];

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
    .m.offset = index * stride,
    .length = image_bytes (size),
  };
}

static int
request_buffers (struct v4l2_requestbuffers *request, int timer)
{
  request->capabilities = V4L2_BUF_CAP_SUPPORTS_MMAP |
      V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS;
  request->flags = 0;
  memset (request->reserved, 0, sizeof (request->reserved));
  if (request->type != V4L2_BUF_TYPE_VIDEO_CAPTURE ||
      request->memory != V4L2_MEMORY_MMAP)
    return EINVAL;
  if (streaming)
    return EBUSY;

  free_buffers ();
  if (request->count > BUFFER_LIMIT)
    request->count = BUFFER_LIMIT;
  if (request->count > 0) {
    if (!allocate_buffers (request->count))
      return ENOMEM;
    owner = timer;
  }
  return 0;
}

static int
query_buffer (struct v4l2_buffer *description)
{
  if (description->type != V4L2_BUF_TYPE_VIDEO_CAPTURE ||
      description->index >= buffer_count)
    return EINVAL;
  describe_buffer (description->index, description);
  return 0;
}

static int
queue_buffer (struct v4l2_buffer *description)
{
  const unsigned index = description->index;

  if (description->type != V4L2_BUF_TYPE_VIDEO_CAPTURE ||
      description->memory != V4L2_MEMORY_MMAP || index >= buffer_count ||
      buffers[index].state != HELD_BY_HOST)
    return EINVAL;
  buffers[index].state = QUEUED;
  push (&queued, index);
  describe_buffer (index, description);
  return 0;
}

static int
dequeue_buffer (struct v4l2_buffer *description)
{
  unsigned index;

  if (description->type != V4L2_BUF_TYPE_VIDEO_CAPTURE ||
      description->memory != V4L2_MEMORY_MMAP || !streaming)
    return EINVAL;
  if (filled.count == 0)
    return EAGAIN;
  index = pop (&filled);
  buffers[index].state = HELD_BY_HOST;
  describe_buffer (index, description);
  return 0;
}

static int
set_streaming (bool starts, const int *type)
{
  if (*type != V4L2_BUF_TYPE_VIDEO_CAPTURE || (starts && buffer_count == 0))
    return EINVAL;
  if (!starts) {
    stop_stream ();
  } else if (!streaming) {
    stream_start = now ();
    next_sequence = 0;
    streaming = true;
  }
  return 0;
}

static int
handle_format (unsigned request, struct v4l2_format *format)
{
  const PictureSize *chosen = size;

  if (format->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
    return EINVAL;
  if (request != VIDIOC_G_FMT)
    chosen = nearest_size (format);
  if (request == VIDIOC_S_FMT) {
    if (buffer_count > 0)
      return EBUSY;
    size = chosen;
  }
  describe_format (chosen, format);
  return 0;
}

int
stream_handle_request (unsigned request, void *argument, int timer)
{
  const bool busy = owner != NO_OWNER && owner != timer;

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
    case VIDIOC_G_FMT:
    case VIDIOC_S_FMT:
    case VIDIOC_TRY_FMT:
      return handle_format (request, argument);
    case VIDIOC_QUERYBUF:
      return query_buffer (argument);
    case VIDIOC_REQBUFS:
      return busy ? EBUSY : request_buffers (argument, timer);
    case VIDIOC_QBUF:
      return busy ? EBUSY : queue_buffer (argument);
    case VIDIOC_DQBUF:
      return busy ? EBUSY : dequeue_buffer (argument);
    case VIDIOC_STREAMON:
    case VIDIOC_STREAMOFF:
      return busy ? EBUSY : set_streaming (request == VIDIOC_STREAMON,
          argument);
    default:
      return ENOTTY;
  }
}

void *
stream_map_buffer (void *address, size_t length, int protection, int flags,
    off_t offset)
{
  void *mapped = MAP_FAILED;

  if (unplugged)
    errno = ENODEV;
  else if (buffer_count == 0 || length == 0 || length > stride || offset < 0
      || offset / stride >= buffer_count || offset % stride != 0)
    errno = EINVAL;
  else
    mapped = mmap (address, length, protection, flags, memory_descriptor,
        offset);
  if (mapped != MAP_FAILED)
    buffers[offset / stride].mapped = true;
  return mapped;
}

void
stream_disown (int timer)
{
  if (owner == timer)
    free_buffers ();
}

bool
stream_is_unplugged (void)
{
  return unplugged;
}

unsigned
stream_plug_number (void)
{
  return plug_number;
}

void
stream_read_environment (void)
{
  const char *frames = getenv ("SIMULATED_CAMERA_UNPLUG_AFTER");
  const char *seconds = getenv ("SIMULATED_CAMERA_REPLUG_AFTER");
  const char *picture = getenv ("SIMULATED_CAMERA_JPEG");

  size = default_size;
  if (frames != NULL && *frames != '\0')
    frames_until_unplugged = strtol (frames, NULL, 10);
  if (seconds != NULL && *seconds != '\0')
    nanoseconds_until_replugged =
        (int64_t) (strtod (seconds, NULL) * NANOSECONDS_PER_SECOND);
  if (picture != NULL && *picture != '\0')
    picture_load (picture);
}
