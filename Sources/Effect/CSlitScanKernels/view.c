/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernel that draws a canvas in perspective: which samples are drawn by
 * which thread. */

#include "view.h"

/* Parts of the rows for each thread: those around the vanishing point take
 * longer. */
#define PARTS_A_THREAD 8

/* The parts of a picture that are drawn one after another. */
typedef enum
{
  RING_ROWS,
  LEVEL_ROWS,
  SIDE_COLUMNS,
} Part;

typedef struct
{
  const SlitScanSheet *sheet;
  const SlitScanView *view;
  Part what;
  float *sums;
  uint8_t *out;
  size_t part_count;
} Task;

static size_t
part_count (WorkerPool * pool)
{
  return pool == NULL ? 1
      : PARTS_A_THREAD * (size_t) worker_pool_threads (pool);
}

size_t
slit_scan_view_sums (size_t points, WorkerPool * pool)
{
  return part_count (pool) * (points + 2);
}

static void
do_part (void *context, size_t part)
{
  const Task *task = context;
  const SlitScanSheet *sheet = task->sheet;
  size_t count = task->what == SIDE_COLUMNS ? sheet->columns : sheet->rows;
  size_t first = count * part / task->part_count;
  size_t end = count * (part + 1) / task->part_count;
  float *sums = task->sums + part * (sheet->point_count + 2);

  switch (task->what) {
    case RING_ROWS:
      slit_scan_draw_rings (sheet, task->view, first, end, task->out);
      break;
    case LEVEL_ROWS:
      slit_scan_draw_levels (sheet, task->view, first, end, sums, task->out);
      break;
    case SIDE_COLUMNS:
      slit_scan_draw_sides (sheet, task->view, first, end, sums, task->out);
      break;
  }
}

void
slit_scan_draw_view (const SlitScanSheet * sheet, const SlitScanView * view,
    float *sums, uint8_t * out, WorkerPool * pool)
{
  Task task = { sheet, view, RING_ROWS, sums, out, part_count (pool) };

  if (view->walls == 0)
    worker_pool_run (pool, do_part, &task, task.part_count);
  task.what = SIDE_COLUMNS;
  if (view->walls == 2 || view->walls == 4)
    worker_pool_run (pool, do_part, &task, task.part_count);
  task.what = LEVEL_ROWS;
  if (view->walls == 1 || view->walls == 4)
    worker_pool_run (pool, do_part, &task, task.part_count);
}
