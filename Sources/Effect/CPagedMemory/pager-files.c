/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The files of a pager: without a name, and past the page cache where the disk takes
 * that. */

#define _GNU_SOURCE
#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Blocks that get their place on disk at once, so that neighbours lie together. */
#define BLOCKS_TOGETHER 4

int
pager_open_file (const char *folder, bool is_direct)
{
  int flags = O_RDWR | O_CLOEXEC | (is_direct ? O_DIRECT : 0);
  int file = open (folder, flags | O_TMPFILE, 0600);
  char *name;

  if (file >= 0)
    return file;
  if (errno == EINVAL && is_direct)
    return pager_open_file (folder, false);
  /* File systems that have no such files. */
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
    return -1;
  if (asprintf (&name, "%s/.slitscan-XXXXXX", folder) < 0) {
    errno = ENOMEM;
    return -1;
  }
  file = mkostemp (name, O_CLOEXEC);
  if (file >= 0) {
    unlink (name);
    if (is_direct)
      (void) fcntl (file, F_SETFL, fcntl (file, F_GETFL) | O_DIRECT);
  }
  free (name);
  return file;
}

int
pager_file_of (PagedMemory * memory)
{
  Pager *pager = memory->pager;

  if (memory->file >= 0)
    return memory->file;
  memory->file = pager_open_file (pager->folder, !pager->has_no_direct_files);
  if (memory->file >= 0 && ftruncate (memory->file,
          (off_t) (memory->block_count * pager->block_bytes)) != 0) {
    int error = errno;

    close (memory->file);
    memory->file = -1;
    errno = error;
  }
  return memory->file;
}

/* Turns to a file whose disk takes no direct requests. */
static bool
stop_direct_requests (Pager * pager, int file)
{
  int flags = fcntl (file, F_GETFL);

  if (errno != EINVAL || flags < 0 || !(flags & O_DIRECT))
    return false;
  pager->has_no_direct_files = true;
  return fcntl (file, F_SETFL, flags & ~O_DIRECT) == 0;
}

int
pager_transfer (Pager * pager, int file, uint8_t * bytes, int64_t offset,
    bool writes)
{
  size_t done = 0;

  while (done < pager->block_bytes) {
    size_t rest = pager->block_bytes - done;
    off_t at = offset + (off_t) done;
    ssize_t count = writes ? pwrite (file, bytes + done, rest, at)
        : pread (file, bytes + done, rest, at);

    if (count > 0)
      done += (size_t) count;
    else if (count == 0)
      return EIO;
    else if (errno != EINTR && !stop_direct_requests (pager, file))
      return errno;
  }
  return 0;
}

int
pager_allocate (const Pager * pager, int file, size_t block)
{
  off_t size = (off_t) pager->block_bytes;
  off_t count = BLOCKS_TOGETHER - (off_t) block % BLOCKS_TOGETHER;
  off_t offset = (off_t) block * size;

  if (fallocate (file, FALLOC_FL_KEEP_SIZE, offset, count * size) == 0
      || fallocate (file, FALLOC_FL_KEEP_SIZE, offset, size) == 0)
    return 0;
  return errno == ENOSPC || errno == EDQUOT || errno == EIO ? errno : 0;
}

int
pager_leave_page_cache (const Pager * pager, int file, int64_t offset,
    bool writes)
{
  off_t size = (off_t) pager->block_bytes;

  if (fcntl (file, F_GETFL) & O_DIRECT)
    return 0;
  if (writes && sync_file_range (file, offset, size,
          SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE
          | SYNC_FILE_RANGE_WAIT_AFTER) != 0
      && (errno == EIO || errno == ENOSPC || errno == EDQUOT))
    return errno;
  (void) posix_fadvise (file, offset, size, POSIX_FADV_DONTNEED);
  return 0;
}
