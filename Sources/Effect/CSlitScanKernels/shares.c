/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The division of a frame's work among threads: rows of tiles, of one plane or
 * of several in succession, in parts of about the same number of lines. */

#include "tiles.h"

/* Below this many lines, half a megabyte, waking a thread costs more than it
 * helps. */
#define FEWEST_LINES_TO_SHARE 8192
/* Parts for each thread: more than one, as other programs may hold one up. */
#define PARTS_A_THREAD 4

typedef struct
{
  const char *planes;
  size_t size;
  size_t tiling;
  size_t plane_count;
  RowsBody body;
  const void *context;
  size_t part_count;
  size_t line_count;
} Task;

static const SlitScanTiling *
tiling_of (const Task * task, size_t plane)
{
  return (const void *) (task->planes + plane * task->size + task->tiling);
}

/* The row of a plane that the part's share begins with: a row belongs to the
 * part that its first line lies in. `before` lines come before the plane's. */
static size_t
first_row (const Task * task, size_t part, const SlitScanTiling * tiling,
    size_t before)
{
  size_t row_lines = tiling->tiles_wide * lines_of_tile (tiling->row_bytes);
  size_t line = task->line_count * part / task->part_count;
  size_t row = line <= before ? 0 : (line - before + row_lines - 1) / row_lines;

  return row < tiling->tiles_high ? row : tiling->tiles_high;
}

static void
do_part (void *context, size_t part)
{
  const Task *task = context;
  size_t before = 0;

  for (size_t plane = 0; plane < task->plane_count; plane++) {
    const SlitScanTiling *tiling = tiling_of (task, plane);
    size_t first = first_row (task, part, tiling, before);
    size_t end = first_row (task, part + 1, tiling, before);

    if (first < end)
      task->body (task->planes + plane * task->size, first, end, task->context);
    before += lines_of_plane (tiling);
  }
}

void
slit_scan_do_rows (const void *planes, size_t size, size_t tiling,
    size_t plane_count, RowsBody body, const void *context, WorkerPool * pool)
{
  Task task = {
    .planes = planes,
    .size = size,
    .tiling = tiling,
    .plane_count = plane_count,
    .body = body,
    .context = context,
    .part_count = 1,
  };

  for (size_t plane = 0; plane < plane_count; plane++)
    task.line_count += lines_of_plane (tiling_of (&task, plane));
  if (pool != NULL && task.line_count >= FEWEST_LINES_TO_SHARE)
    task.part_count = PARTS_A_THREAD * (size_t) worker_pool_threads (pool);
  worker_pool_run (pool, do_part, &task, task.part_count);
}
