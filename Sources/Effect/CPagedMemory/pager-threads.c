/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The threads of a pager, which read and write blocks, and close files. They are
 * detached, and the last to leave frees the pager: a disk that does not answer
 * keeps none but them. */

#define _GNU_SOURCE
#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Requests under way at once, as many as fast disks want. */
#define THREADS 8
/* Of those, writes while reads wait. */
#define WRITERS 2

/* -- queues --------------------------------------------------------------- */

static bool
push (Queue * queue, PagedMemory * memory, size_t block)
{
  Resident *last;

  if (queue->count == queue->room) {
    size_t room = queue->room * 2;
    Resident *blocks = malloc (room * sizeof *blocks);

    if (blocks == NULL)
      return false;
    for (size_t i = 0; i < queue->count; i++)
      blocks[i] = queue->blocks[(queue->first + i) & (queue->room - 1)];
    free (queue->blocks);
    queue->blocks = blocks;
    queue->room = room;
    queue->first = 0;
  }
  last = &queue->blocks[(queue->first + queue->count++) & (queue->room - 1)];
  last->memory = memory;
  last->block = (uint32_t) block;
  return true;
}

static bool
pop (Queue * queue, Resident * block)
{
  if (queue->count == 0)
    return false;
  *block = queue->blocks[queue->first];
  queue->first = (queue->first + 1) & (queue->room - 1);
  queue->count--;
  return true;
}

static bool
queue_init (Queue * queue)
{
  queue->room = 1024;
  queue->blocks = malloc (queue->room * sizeof *queue->blocks);
  return queue->blocks != NULL;
}

void
pager_queue_read (PagedMemory * memory, size_t block)
{
  Pager *pager = memory->pager;

  set_flags (memory, block, READING);
  if (push (&pager->reads, memory, block))
    pthread_cond_signal (&pager->work);
  else
    pager_fail (pager, PAGER_READ_FAILED, ENOMEM);
}

void
pager_hasten_read (PagedMemory * memory, size_t block)
{
  Pager *pager = memory->pager;
  Block *entry = &memory->blocks[block];

  if (entry->is_awaited)
    return;
  entry->is_awaited = true;
  pager->awaited++;
  /* The first thread that takes it from a queue reads it. */
  if (!entry->is_read && !push (&pager->urgent_reads, memory, block))
    pager_fail (pager, PAGER_READ_FAILED, ENOMEM);
  pthread_cond_signal (&pager->work);
}

void
pager_queue_write (PagedMemory * memory, size_t block)
{
  Pager *pager = memory->pager;

  if (flags_of (&memory->blocks[block]) & WRITING) {
    set_flags (memory, block, CHANGED);
  } else if (push (&pager->writes, memory, block)) {
    set_flags (memory, block, WRITING);
    pthread_cond_signal (&pager->work);
  }
}

void
pager_queue_release (PagedMemory * memory, size_t block)
{
  Pager *pager = memory->pager;

  clear_flags (memory, block, STORED);
  memory->stored_count--;
  pager->stored_count--;
  if (!pager->has_no_holes && push (&pager->releases, memory, block))
    pthread_cond_signal (&pager->work);
}

void
pager_queue_end (PagedMemory * memory)
{
  Pager *pager = memory->pager;

  memory->next = pager->ended;
  pager->ended = memory;
  pthread_cond_signal (&pager->work);
}

void
pager_fail (Pager * pager, PagerFailure failure, int32_t error)
{
  if (pager->failure == PAGER_FINE) {
    pager->failure = failure;
    pager->error = error;
  }
  pthread_cond_broadcast (&pager->done);
}

/* -- jobs ----------------------------------------------------------------- */

static void
read_block (Pager * pager, Resident job)
{
  PagedMemory *memory = job.memory;
  Block *block = &memory->blocks[job.block];
  off_t offset = (off_t) job.block * (off_t) pager->block_bytes;
  uint8_t *bytes = memory->bytes + offset;
  int file = memory->file;
  int error;

  block->is_read = true;
  memory->running++;
  pthread_mutex_unlock (&pager->lock);
  error = pager_transfer (pager, file, bytes, offset, false);
  if (error == 0)
    (void) pager_leave_page_cache (pager, file, offset, false);
  pthread_mutex_lock (&pager->lock);
  memory->running--;
  block->is_read = false;
  pager->awaited -= block->is_awaited;
  block->is_awaited = false;
  if (error != 0)
    pager_fail (pager, PAGER_READ_FAILED, error);
  else
    set_flags (memory, job.block, RESIDENT);
  clear_flags (memory, job.block, READING);
  pager->bytes_read += pager->block_bytes;
}

static void
finish_write (Pager * pager, Resident job, int error)
{
  PagedMemory *memory = job.memory;
  uint8_t flags = flags_of (&memory->blocks[job.block]);

  clear_flags (memory, job.block, WRITING | CHANGED | RELEASED);
  if (error == ENOSPC || error == EDQUOT) {
    pager->is_full = true;
    return;
  }
  if (error != 0) {
    pager_fail (pager, PAGER_WRITE_FAILED, error);
    return;
  }
  pager->bytes_written += pager->block_bytes;
  if (memory->ends)
    return;
  if (!(flags & STORED)) {
    set_flags (memory, job.block, STORED);
    memory->stored_count++;
    pager->stored_count++;
  }
  if (flags & RELEASED)
    paged_memory_forget (memory, job.block);
  else if (!(flags & CHANGED))
    clear_flags (memory, job.block, DIRTY);
}

static void
write_block (Pager * pager, Resident job)
{
  PagedMemory *memory = job.memory;
  off_t offset = (off_t) job.block * (off_t) pager->block_bytes;
  uint8_t *bytes = memory->bytes + offset;
  bool is_stored = flags_of (&memory->blocks[job.block]) & STORED;
  int file = pager_file_of (memory);
  int error = file < 0 ? errno : 0;

  memory->running++;
  pager->writes_running++;
  pthread_mutex_unlock (&pager->lock);
  if (error == 0 && !is_stored)
    error = pager_allocate (pager, file, job.block);
  if (error == 0)
    error = pager_transfer (pager, file, bytes, offset, true);
  if (error == 0)
    error = pager_leave_page_cache (pager, file, offset, true);
  pthread_mutex_lock (&pager->lock);
  memory->running--;
  pager->writes_running--;
  finish_write (pager, job, error);
}

/* Gives a block's place on disk back, unless it is in use again. */
static void
release_block (Pager * pager, Resident job)
{
  PagedMemory *memory = job.memory;
  off_t offset = (off_t) job.block * (off_t) pager->block_bytes;
  int file = memory->file;
  bool has_no_holes;

  if (memory->ends
      || (flags_of (&memory->blocks[job.block]) & (DIRTY | WRITING | STORED)))
    return;
  /* So that it is not written meanwhile. */
  set_flags (memory, job.block, WRITING);
  memory->running++;
  pthread_mutex_unlock (&pager->lock);
  has_no_holes = fallocate (file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
      offset, (off_t) pager->block_bytes) != 0 && errno == EOPNOTSUPP;
  pthread_mutex_lock (&pager->lock);
  memory->running--;
  pager->has_no_holes |= has_no_holes;
  clear_flags (memory, job.block, WRITING | CHANGED | RELEASED);
}

/* Frees an ended memory that no job works on. */
static bool
free_ended (Pager * pager)
{
  PagedMemory **link = &pager->ended;
  PagedMemory *memory;

  while (*link != NULL && (*link)->running > 0)
    link = &(*link)->next;
  memory = *link;
  if (memory == NULL)
    return false;
  *link = memory->next;
  pthread_mutex_unlock (&pager->lock);
  munmap (memory->bytes, memory->block_count * pager->block_bytes);
  if (memory->file >= 0)
    close (memory->file);
  free (memory->blocks);
  free (memory);
  pthread_mutex_lock (&pager->lock);
  pager->memory_count--;
  return true;
}

static void
forget_awaited (Resident job)
{
  Block *block = &job.memory->blocks[job.block];

  job.memory->pager->awaited -= block->is_awaited && !block->is_read;
  block->is_awaited &= block->is_read;
}

/* Drops the blocks of ended memories from a queue. */
static void
forget_ended (Queue * queue)
{
  size_t kept = 0;

  for (size_t i = 0; i < queue->count; i++) {
    Resident job = queue->blocks[(queue->first + i) & (queue->room - 1)];

    if (!job.memory->ends)
      queue->blocks[(queue->first + kept++) & (queue->room - 1)] = job;
    else
      forget_awaited (job);
  }
  queue->count = kept;
}

/* Whether a read is still to be done: it may have been in two queues. */
static bool
is_to_be_read (Resident job)
{
  const Block *block = &job.memory->blocks[job.block];

  return (flags_of (block) & READING) && !block->is_read;
}

/* Does a job; false if there is none. */
static bool
work_once (Pager * pager)
{
  bool may_write = !pager->is_full && pager->failure == PAGER_FINE;
  bool may_read = pager->failure == PAGER_FINE;
  Resident job;

  if (pager->ended != NULL) {
    forget_ended (&pager->urgent_reads);
    forget_ended (&pager->reads);
    forget_ended (&pager->writes);
    forget_ended (&pager->releases);
    if (free_ended (pager))
      return true;
  }
  if (may_read && pop (&pager->urgent_reads, &job)) {
    if (is_to_be_read (job))
      read_block (pager, job);
  } else if (may_write && pager->writes_running < WRITERS
      && pop (&pager->writes, &job)) {
    write_block (pager, job);
  } else if (may_read && pop (&pager->reads, &job)) {
    if (is_to_be_read (job))
      read_block (pager, job);
  } else if (may_write && pop (&pager->writes, &job)) {
    write_block (pager, job);
  } else if (pager->failure == PAGER_FINE && pop (&pager->releases, &job)) {
    release_block (pager, job);
  } else {
    return false;
  }
  pager->jobs_done++;
  pthread_cond_broadcast (&pager->done);
  return true;
}

static void
free_pager (Pager * pager)
{
  pthread_cond_destroy (&pager->work);
  pthread_cond_destroy (&pager->done);
  pthread_mutex_destroy (&pager->lock);
  free (pager->urgent_reads.blocks);
  free (pager->reads.blocks);
  free (pager->writes.blocks);
  free (pager->releases.blocks);
  free (pager->residents);
  free (pager->folder);
  free (pager);
}

/* Drops a reference; unlocks. */
static void
drop_reference (Pager * pager)
{
  bool is_last = --pager->references == 0;

  pthread_mutex_unlock (&pager->lock);
  if (is_last)
    free_pager (pager);
}

static void *
run_thread (void *data)
{
  Pager *pager = data;

  pthread_setname_np (pthread_self (), "slitscan-disk");
  pthread_mutex_lock (&pager->lock);
  while (!pager->ends || pager->memory_count > 0) {
    if (!work_once (pager))
      pthread_cond_wait (&pager->work, &pager->lock);
  }
  /* For those that waited for the last memory. */
  pthread_cond_broadcast (&pager->work);
  drop_reference (pager);
  return NULL;
}

/* -- pagers --------------------------------------------------------------- */

static int
start_thread (Pager * pager)
{
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, old;
  int error;

  /* Signals are for the threads of the application. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  pthread_attr_init (&attributes);
  pthread_attr_setdetachstate (&attributes, PTHREAD_CREATE_DETACHED);
  pager->references++;
  error = pthread_create (&thread, &attributes, run_thread, pager);
  if (error != 0)
    pager->references--;
  pthread_attr_destroy (&attributes);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  return error;
}

Pager *
pager_new (const char *folder, size_t block_bytes, int32_t * error)
{
  Pager *pager = calloc (1, sizeof *pager);
  pthread_condattr_t attributes;
  int file;

  *error = ENOMEM;
  if (pager == NULL)
    return NULL;
  pager->references = 1;
  pager->block_bytes = block_bytes;
  pager->limit = 2;
  pager->resident_room = 1024;
  pthread_mutex_init (&pager->lock, NULL);
  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (&pager->work, &attributes);
  pthread_cond_init (&pager->done, &attributes);
  pthread_condattr_destroy (&attributes);
  pager->folder = strdup (folder);
  pager->residents = malloc (pager->resident_room * sizeof *pager->residents);
  if (pager->folder == NULL || pager->residents == NULL
      || !queue_init (&pager->urgent_reads) || !queue_init (&pager->reads)
      || !queue_init (&pager->writes) || !queue_init (&pager->releases)) {
    free_pager (pager);
    return NULL;
  }
  file = pager_open_file (folder, true);
  if (file < 0) {
    *error = errno;
    free_pager (pager);
    return NULL;
  }
  close (file);
  pthread_mutex_lock (&pager->lock);
  for (int i = 0; i < THREADS; i++)
    *error = start_thread (pager);
  if (pager->references == 1) {
    drop_reference (pager);
    return NULL;
  }
  pthread_mutex_unlock (&pager->lock);
  *error = 0;
  return pager;
}

void
pager_free (Pager * pager)
{
  pthread_mutex_lock (&pager->lock);
  pager->ends = true;
  pthread_cond_broadcast (&pager->work);
  drop_reference (pager);
}
