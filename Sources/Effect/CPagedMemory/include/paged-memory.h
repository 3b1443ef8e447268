/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Memory larger than memory: blocks that are kept in unnamed files, and in memory
 * as long as they are in use.
 *
 * A pager has a limit of memory, and threads that read and write blocks. Each of
 * its memories is a range of addresses and a file of the same size. The owner, one
 * thread at a time, says which blocks it writes and marks those that it will read;
 * those that are marked are in memory once pager_wait() has returned true. Nothing
 * is mapped from a file: a full or vanished disk is an error code, not a signal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

typedef struct _Pager Pager;
typedef struct _PagedMemory PagedMemory;

/* The smallest block, and the unit of blocks. */
#define PAGER_PAGE 4096u

typedef enum
{
  PAGER_FINE,
  PAGER_OPEN_FAILED,
  PAGER_WRITE_FAILED,
  PAGER_READ_FAILED,            /* blocks are lost */
} PagerFailure;

/* The state of a pager. */
typedef struct
{
  PagerFailure failure;         /* the first; nothing is read or written after it */
  int32_t error;                /* the errno of that */
  bool is_full;                 /* the disk is, see pager_resume() */
  uint64_t memory_bytes;        /* in memory */
  uint64_t disk_bytes;          /* on disk */
  uint64_t bytes_read;          /* since the pager was made */
  uint64_t bytes_written;
  uint64_t late_passes;         /* passes that waited, */
  uint64_t waiting_time;        /* and for how many nanoseconds */
} PagerState;

/* A pager for files in a folder, with blocks of so many bytes: a power of two, at
 * least PAGER_PAGE. NULL, and an errno, if no file can be made there or the system
 * refuses memory or threads. */
Pager *_Nullable pager_new (const char *folder, size_t block_bytes,
    int32_t * error);

/* Ends a pager; memories that have not ended may be freed later. Files are closed by
 * its threads, which do not keep the caller waiting. */
void pager_free (Pager * pager);

size_t pager_block_bytes (const Pager * pager);
PagerState pager_state (Pager * pager);

/* The bytes that the folder's disk has free for everybody; 0 if that is unknown. */
uint64_t pager_free_bytes (Pager * pager);

/* Sets how many bytes of blocks are to be in memory at most; more are, where a
 * single pass needs them. */
void pager_set_limit (Pager * pager, size_t bytes);

/* Writes again, after the disk was full, and blocks have been released. */
void pager_resume (Pager * pager);

/* A memory of so many bytes, rounded up to blocks. NULL if the system refuses the
 * addresses. */
PagedMemory *_Nullable paged_memory_new (Pager * pager, size_t byte_count);
void paged_memory_free (PagedMemory * memory);
uint8_t *paged_memory_bytes (const PagedMemory * memory);

/* -- writing -------------------------------------------------------------- */

/* Begins to write a block, whose contents are undefined from now on; it stays in
 * memory until it is sealed. */
void paged_memory_begin (PagedMemory * memory, size_t block);

/* Says that a block will not be written to again. */
void paged_memory_seal (PagedMemory * memory, size_t block);

/* Forgets the contents of a block, in memory and on disk. */
void paged_memory_release (PagedMemory * memory, size_t block);

/* -- reading -------------------------------------------------------------- */

/* Begins a pass. What the last one marked leaves memory only if this one needs the
 * room. */
void pager_begin_pass (Pager * pager);

/* The number of passes so far. */
uint32_t pager_pass (const Pager * pager);

/* Marks a block that this pass reads. False, and nothing is marked, if memory is
 * full of blocks that are marked, unless `must` is true. */
bool paged_memory_mark (PagedMemory * memory, size_t block, bool must);

/* Marks a block that later passes read, if there is room for it. It stays as long as
 * if each of the next `passes` passes marked it. */
void paged_memory_mark_ahead (PagedMemory * memory, size_t block,
    uint32_t passes);

/* Waits until all that is marked for this pass is in memory; false if the disk
 * fails. */
bool pager_wait (Pager * pager);

/* Brings the block of an address into memory, whether it is marked or not; any
 * thread may call this during a pass. */
bool paged_memory_fetch (PagedMemory * memory, size_t offset);

/* The same for the owner, between passes: other blocks may leave. */
bool paged_memory_fetch_alone (PagedMemory * memory, size_t offset);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
