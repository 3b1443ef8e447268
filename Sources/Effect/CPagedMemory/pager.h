/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The parts of a pager, shared by its owner's side and its threads. */
#pragma once

#include "paged-memory.h"

#include <pthread.h>
#include <stdatomic.h>

/* The state of a block. */
enum
{
  RESIDENT = 1,                 /* its contents are in memory */
  DIRTY = 2,                    /* and not on disk */
  OPEN = 4,                     /* it is being written to by the owner */
  READING = 8,                  /* a read is queued or under way */
  WRITING = 16,                 /* a write is */
  CHANGED = 32,                 /* it was written to meanwhile */
  STORED = 64,                  /* the file has space for it */
  RELEASED = 128,               /* it was released while it was written */
};

typedef struct
{
  _Atomic uint8_t flags;        /* changed under the lock */
  uint32_t pass;                /* the last one that it was marked in; the owner's */
  uint32_t resident;            /* its index in residents */
  bool is_read;                 /* by a thread, now */
  bool is_awaited;              /* counted in awaited */
} Block;

struct _PagedMemory
{
  Pager *pager;
  uint8_t *bytes;
  Block *blocks;
  size_t block_count;
  size_t resident_count;
  size_t stored_count;
  int file;                     /* opened for the first block; -1 before */
  uint32_t running;             /* jobs under way */
  bool ends;                    /* nothing is asked for any more */
  PagedMemory *next;  /* of those that end */
};

typedef struct
{
  PagedMemory *memory;
  uint32_t block;
} Resident;

/* A queue of blocks: a ring that grows. */
typedef struct
{
  Resident *blocks;
  size_t room;                  /* a power of two */
  size_t first;
  size_t count;
} Queue;

/* Everything but the pass and the limit is read and changed under the lock. */
struct _Pager
{
  char *folder;
  size_t block_bytes;
  size_t limit;                 /* blocks in memory; the owner's */
  uint32_t pass;                /* the owner's */
  uint32_t searched_pass;       /* in which nothing old was left */
  uint32_t late_pass;           /* the last that waited */

  pthread_mutex_t lock;
  pthread_cond_t work;          /* for the threads */
  pthread_cond_t done;          /* for those who wait for a job */
  uint32_t references;          /* the owner and threads */
  size_t memory_count;          /* that are not freed; threads stay for them */
  bool ends;

  Resident *residents;
  size_t resident_room;
  size_t resident_count;
  size_t hand;                  /* the resident that is looked at next to leave, */
  size_t cleaning;              /* or to be written */

  Queue urgent_reads;
  Queue reads;
  Queue writes;
  Queue releases;
  PagedMemory *ended;
  size_t awaited;               /* blocks that the pass needs, and that are read */
  size_t writes_running;
  uint64_t jobs_done;

  _Atomic bool has_no_direct_files;     /* the disk refuses O_DIRECT, */
  bool has_no_holes;            /* and FALLOC_FL_PUNCH_HOLE */
  bool is_full;
  PagerFailure failure;
  int32_t error;
  size_t stored_count;
  uint64_t bytes_read;
  uint64_t bytes_written;
  uint64_t late_passes;
  uint64_t waiting_time;
};

static inline uint8_t
flags_of (const Block * block)
{
  return atomic_load_explicit (&block->flags, memory_order_acquire);
}

static inline void
set_flags (PagedMemory * memory, size_t block, unsigned flags)
{
  atomic_fetch_or_explicit (&memory->blocks[block].flags, (uint8_t) flags,
      memory_order_release);
}

static inline void
clear_flags (PagedMemory * memory, size_t block, unsigned flags)
{
  atomic_fetch_and_explicit (&memory->blocks[block].flags, (uint8_t) ~ flags,
      memory_order_release);
}

/* All with the lock held. */

/* Forgets a block that no job works on, see paged_memory_release(). */
void paged_memory_forget (PagedMemory * memory, size_t block);

void pager_queue_read (PagedMemory * memory, size_t block);
/* Has a block that is to be read, or is, read before the others, and awaited. */
void pager_hasten_read (PagedMemory * memory, size_t block);
void pager_queue_write (PagedMemory * memory, size_t block);
void pager_queue_release (PagedMemory * memory, size_t block);
void pager_queue_end (PagedMemory * memory);
void pager_fail (Pager * pager, PagerFailure failure, int32_t error);

/* -- pager-files.c -------------------------------------------------------- */

/* Opens a file without a name; -1 and errno if there is none. */
int pager_open_file (const char *folder, bool is_direct);

/* The file of a memory, opened when it is needed; with the lock held. */
int pager_file_of (PagedMemory * memory);

/* Takes the space of a block before it is written to: what is written to the page
 * cache cannot fail later. Returns an errno, as the next ones do. */
int pager_allocate (const Pager * pager, int file, size_t block);

/* Reads or writes a whole block. */
int pager_transfer (Pager * pager, int file, uint8_t * bytes, int64_t offset,
    bool writes);

/* Drops from the page cache what was read or written: it is not read again
 * soon. */
int pager_leave_page_cache (const Pager * pager, int file, int64_t offset,
    bool writes);

/* -- paged-memory.c ------------------------------------------------------- */

/* Waits for a job to end; false if that takes too long. */
bool pager_wait_for_progress (Pager * pager);
