/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernel that draws a canvas in perspective: which samples are drawn by
 * which thread. */

#include "view.h"

/* Parts of the rows for each thread: those around the vanishing point take
 * longer. */
#define PARTS_A_THREAD 8

typedef struct
{
  ViewPart *draw;
  size_t count;                 /* of rows or columns */
  const SlitScanSheet *sheet;
  const SlitScanView *view;
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

  task->draw (task->sheet, task->view, task->count * part / task->part_count,
      task->count * (part + 1) / task->part_count,
      task->sums + part * (task->sheet->point_count + 2), task->out);
}

void
slit_scan_draw_view (const SlitScanSheet * sheet, const SlitScanView * view,
    float *sums, uint8_t * out, WorkerPool * pool)
{
  Task task = { slit_scan_draw_rings, sheet->rows, sheet, view, sums, out,
    part_count (pool)
  };

  if (view->walls == 0)
    worker_pool_run (pool, do_part, &task, task.part_count);
  task.draw = slit_scan_draw_sides;
  task.count = sheet->columns;
  if (view->walls == 2 || view->walls == 4)
    worker_pool_run (pool, do_part, &task, task.part_count);
  task.draw = slit_scan_draw_levels;
  task.count = sheet->rows;
  if (view->walls == 1 || view->walls == 4)
    worker_pool_run (pool, do_part, &task, task.part_count);
}
