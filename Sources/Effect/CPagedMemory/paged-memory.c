/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The owner's side of a pager: which blocks are in memory, and which leave it. */

#include "pager.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* A wait that makes no progress for so many looks, a second apart, is a failure. */
#define LOOKS 30

/* -- what is in memory ---------------------------------------------------- */

/* Adds a block to those in memory, or on their way there. */
static bool
add_resident (Pager * pager, PagedMemory * memory, size_t block)
{
  Resident *resident;

  if (pager->resident_count == pager->resident_room) {
    size_t room = pager->resident_room * 2;
    Resident *residents = realloc (pager->residents, room * sizeof *residents);

    if (residents == NULL)
      return false;
    pager->residents = residents;
    pager->resident_room = room;
  }
  memory->blocks[block].resident = (uint32_t) pager->resident_count;
  resident = &pager->residents[pager->resident_count++];
  resident->memory = memory;
  resident->block = (uint32_t) block;
  memory->resident_count++;
  return true;
}

/* Gives a block's memory back. */
static void
remove_resident (PagedMemory * memory, size_t block)
{
  Pager *pager = memory->pager;
  uint32_t index = memory->blocks[block].resident;
  Resident last = pager->residents[--pager->resident_count];

  pager->residents[index] = last;
  last.memory->blocks[last.block].resident = index;
  memory->resident_count--;
  clear_flags (memory, block, RESIDENT | DIRTY | OPEN);
  madvise (memory->bytes + block * pager->block_bytes, pager->block_bytes,
      MADV_DONTNEED);
}

/* Whether a block may leave memory, in a pass or, if it is needed, in the midst of
 * one. */
static bool
may_leave (const Pager * pager, const Block * block, bool is_needed)
{
  uint32_t kept = is_needed ? pager->pass : pager->pass - 1;

  return (flags_of (block) & (OPEN | READING | WRITING)) == 0
      && (int32_t) (block->pass - kept) < 0;
}

/* Finds a block that may leave memory. Those that are not written yet are handed to
 * the threads, and stay. */
static bool
evict (Pager * pager, bool is_needed)
{
  size_t count = pager->resident_count;

  for (size_t i = 0; i < count; i++) {
    Resident resident;
    Block *block;

    if (pager->hand >= pager->resident_count)
      pager->hand = 0;
    resident = pager->residents[pager->hand];
    block = &resident.memory->blocks[resident.block];
    if (!may_leave (pager, block, is_needed)) {
      pager->hand++;
    } else if (flags_of (block) & DIRTY) {
      pager_queue_write (resident.memory, resident.block);
      pager->hand++;
    } else {
      remove_resident (resident.memory, resident.block);
      return true;
    }
  }
  return false;
}

/* Makes room for one more block; waits for writes where nothing else can leave. */
static bool
make_room (Pager * pager, bool may_wait)
{
  while (pager->resident_count >= pager->limit) {
    if (pager->searched_pass != pager->pass) {
      if (evict (pager, false))
        continue;
      pager->searched_pass = pager->pass;
    }
    if (!may_wait)
      return false;
    if (evict (pager, true))
      continue;
    if (pager->writes.count + pager->writes_running == 0 || pager->is_full
        || pager->failure != PAGER_FINE || !pager_wait_for_progress (pager))
      return false;
  }
  return true;
}

/* -- writing -------------------------------------------------------------- */

void
paged_memory_begin (PagedMemory * memory, size_t block)
{
  Pager *pager = memory->pager;
  Block *entry = &memory->blocks[block];

  pthread_mutex_lock (&pager->lock);
  /* A read that is under way would write over it. */
  while ((flags_of (entry) & READING) && pager_wait_for_progress (pager));
  if (flags_of (entry) & WRITING)
    set_flags (memory, block, CHANGED);
  clear_flags (memory, block, RELEASED);
  if (!(flags_of (entry) & RESIDENT)) {
    make_room (pager, true);
    if (add_resident (pager, memory, block))
      set_flags (memory, block, RESIDENT);
  }
  set_flags (memory, block, DIRTY | OPEN);
  entry->pass = pager->pass;
  pthread_mutex_unlock (&pager->lock);
}

/* Has the next block written that waits for it, so that memory has blocks that can
 * leave at once before it is full. */
static void
write_one_more (Pager * pager)
{
  for (size_t i = 0; i < 64 && pager->resident_count > 0; i++) {
    Resident resident;
    Block *block;

    if (pager->cleaning >= pager->resident_count)
      pager->cleaning = 0;
    resident = pager->residents[pager->cleaning++];
    block = &resident.memory->blocks[resident.block];
    if ((flags_of (block) & (DIRTY | OPEN | WRITING)) == DIRTY) {
      pager_queue_write (resident.memory, resident.block);
      return;
    }
  }
}

void
paged_memory_seal (PagedMemory * memory, size_t block)
{
  Pager *pager = memory->pager;

  pthread_mutex_lock (&pager->lock);
  clear_flags (memory, block, OPEN);
  /* As long as all fits into memory, nothing has to be written. */
  if (pager->resident_count > pager->limit / 4 * 3) {
    pager_queue_write (memory, block);
    write_one_more (pager);
  }
  pthread_mutex_unlock (&pager->lock);
}

void
paged_memory_forget (PagedMemory * memory, size_t block)
{
  uint8_t flags = flags_of (&memory->blocks[block]);

  if (flags & STORED)
    pager_queue_release (memory, block);
  if (flags & RESIDENT)
    remove_resident (memory, block);
}

void
paged_memory_release (PagedMemory * memory, size_t block)
{
  pthread_mutex_lock (&memory->pager->lock);
  clear_flags (memory, block, OPEN);
  if (flags_of (&memory->blocks[block]) & WRITING)
    set_flags (memory, block, RELEASED);
  else
    paged_memory_forget (memory, block);
  pthread_mutex_unlock (&memory->pager->lock);
}

/* -- reading -------------------------------------------------------------- */

void
pager_begin_pass (Pager * pager)
{
  pager->pass++;
}

uint32_t
pager_pass (const Pager * pager)
{
  return pager->pass;
}

/* Brings a block into memory, where it stays until a pass. */
static bool
request (PagedMemory * memory, size_t block, bool is_needed, bool must,
    uint32_t pass)
{
  Pager *pager = memory->pager;
  Block *entry = &memory->blocks[block];
  bool is_marked = true;

  pthread_mutex_lock (&pager->lock);
  if ((flags_of (entry) & (RESIDENT | READING | STORED)) == STORED) {
    is_marked = make_room (pager, is_needed) || must;
    if (is_marked && add_resident (pager, memory, block))
      pager_queue_read (memory, block);
  }
  if (is_marked) {
    entry->pass = pass;
    if (is_needed && (flags_of (entry) & READING))
      pager_hasten_read (memory, block);
  }
  pthread_mutex_unlock (&pager->lock);
  return is_marked;
}

bool
paged_memory_mark (PagedMemory * memory, size_t block, bool must)
{
  return memory->blocks[block].pass == memory->pager->pass
      && (flags_of (&memory->blocks[block]) & RESIDENT) ? true
      : request (memory, block, true, must, memory->pager->pass);
}

void
paged_memory_mark_ahead (PagedMemory * memory, size_t block, uint32_t passes)
{
  uint32_t pass = memory->pager->pass;

  if ((int32_t) (memory->blocks[block].pass - pass) <= 0)
    request (memory, block, false, false, pass + passes);
}

bool
pager_wait (Pager * pager)
{
  bool is_fine;

  pthread_mutex_lock (&pager->lock);
  while (pager->awaited > 0 && pager->failure == PAGER_FINE)
    pager_wait_for_progress (pager);
  is_fine = pager->failure == PAGER_FINE;
  pthread_mutex_unlock (&pager->lock);
  return is_fine;
}

bool
paged_memory_fetch (PagedMemory * memory, size_t offset)
{
  Pager *pager = memory->pager;
  size_t block = offset / pager->block_bytes;
  Block *entry = &memory->blocks[block];
  bool is_there;

  if (flags_of (entry) & RESIDENT)
    return true;
  /* Blocks that others read now stay where they are: no room is made. */
  pthread_mutex_lock (&pager->lock);
  if ((flags_of (entry) & (RESIDENT | READING | STORED)) == STORED
      && add_resident (pager, memory, block))
    pager_queue_read (memory, block);
  if (flags_of (entry) & READING)
    pager_hasten_read (memory, block);
  entry->pass = pager->pass;
  while ((flags_of (entry) & READING) && pager->failure == PAGER_FINE)
    pager_wait_for_progress (pager);
  is_there = (flags_of (entry) & RESIDENT) != 0;
  pthread_mutex_unlock (&pager->lock);
  return is_there;
}

bool
paged_memory_fetch_alone (PagedMemory * memory, size_t offset)
{
  size_t block = offset / memory->pager->block_bytes;

  if (flags_of (&memory->blocks[block]) & RESIDENT)
    return true;
  pager_begin_pass (memory->pager);
  return paged_memory_mark (memory, block, true) && pager_wait (memory->pager);
}

/* -- waiting -------------------------------------------------------------- */

static uint64_t
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t) time.tv_sec * 1000000000u + (uint64_t) time.tv_nsec;
}

bool
pager_wait_for_progress (Pager * pager)
{
  uint64_t start = now ();
  uint64_t done = pager->jobs_done;
  struct timespec look;

  if (pager->late_pass != pager->pass) {
    pager->late_pass = pager->pass;
    pager->late_passes++;
  }
  /* Only looks count, so that a computer that was suspended has lost one. */
  for (int i = 0; i < LOOKS && pager->jobs_done == done; i++) {
    clock_gettime (CLOCK_MONOTONIC, &look);
    look.tv_sec++;
    pthread_cond_timedwait (&pager->done, &pager->lock, &look);
  }
  pager->waiting_time += now () - start;
  if (pager->jobs_done == done)
    pager_fail (pager, PAGER_READ_FAILED, ETIMEDOUT);
  return pager->jobs_done != done;
}

/* -- pagers --------------------------------------------------------------- */

size_t
pager_block_bytes (const Pager * pager)
{
  return pager->block_bytes;
}

PagerState
pager_state (Pager * pager)
{
  PagerState state;

  pthread_mutex_lock (&pager->lock);
  state.failure = pager->failure;
  state.error = pager->error;
  state.is_full = pager->is_full;
  state.memory_bytes = pager->resident_count * pager->block_bytes;
  state.disk_bytes = pager->stored_count * pager->block_bytes;
  state.bytes_read = pager->bytes_read;
  state.bytes_written = pager->bytes_written;
  state.late_passes = pager->late_passes;
  state.waiting_time = pager->waiting_time;
  pthread_mutex_unlock (&pager->lock);
  return state;
}

uint64_t
pager_free_bytes (Pager * pager)
{
  struct statvfs disk;

  return statvfs (pager->folder, &disk) != 0 ? 0
      : (uint64_t) disk.f_bavail * disk.f_frsize;
}

void
pager_set_limit (Pager * pager, size_t bytes)
{
  size_t blocks = bytes / pager->block_bytes;

  pager->limit = blocks < 2 ? 2 : blocks;
}

void
pager_resume (Pager * pager)
{
  pthread_mutex_lock (&pager->lock);
  pager->is_full = false;
  pthread_cond_broadcast (&pager->work);
  pthread_mutex_unlock (&pager->lock);
}

/* -- memories ------------------------------------------------------------- */

PagedMemory *
paged_memory_new (Pager * pager, size_t byte_count)
{
  size_t block_count = (byte_count + pager->block_bytes - 1)
      / pager->block_bytes;
  PagedMemory *memory;
  void *bytes;

  if (block_count == 0 || block_count > UINT32_MAX
      || (memory = calloc (1, sizeof *memory)) == NULL)
    return NULL;
  memory->block_count = block_count;
  memory->blocks = calloc (block_count, sizeof *memory->blocks);
  /* Addresses, and no memory yet: what is written to is counted by the pager. */
  bytes = mmap (NULL, block_count * pager->block_bytes, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory->blocks == NULL || bytes == MAP_FAILED) {
    if (bytes != MAP_FAILED)
      munmap (bytes, block_count * pager->block_bytes);
    free (memory->blocks);
    free (memory);
    return NULL;
  }
#ifdef MADV_NOHUGEPAGE
  /* Blocks leave memory one by one. */
  madvise (bytes, block_count * pager->block_bytes, MADV_NOHUGEPAGE);
#endif
  memory->pager = pager;
  memory->bytes = bytes;
  memory->file = -1;
  pthread_mutex_lock (&pager->lock);
  pager->memory_count++;
  pthread_mutex_unlock (&pager->lock);
  return memory;
}

uint8_t *
paged_memory_bytes (const PagedMemory * memory)
{
  return memory->bytes;
}

void
paged_memory_free (PagedMemory * memory)
{
  Pager *pager = memory->pager;

  pthread_mutex_lock (&pager->lock);
  memory->ends = true;
  for (size_t i = pager->resident_count; i-- > 0 && memory->resident_count > 0;) {
    Resident last, resident = pager->residents[i];

    if (resident.memory != memory)
      continue;
    last = pager->residents[--pager->resident_count];
    pager->residents[i] = last;
    last.memory->blocks[last.block].resident = (uint32_t) i;
    memory->resident_count--;
  }
  pager->stored_count -= memory->stored_count;
  pager_queue_end (memory);
  pthread_mutex_unlock (&pager->lock);
}
