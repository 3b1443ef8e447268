/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernel that draws a canvas in perspective. Each sample is the mean of
 * its footprint on the canvas. In a ring, footprints tile the canvas, so that
 * all of them together read about the lines held and a few for each sample. On
 * a wall, all samples at one distance have the same lines: their mean is made
 * once, and summed up along the slit, so that any footprint on it is the
 * difference of two sums. */

#include "slitscan-view.h"

#include <math.h>

#include "variants.h"

/* Samples of a row at a time. */
#define AT_ONCE 64
/* Pieces of a slit that goes on beyond its ends, in a footprint that is at most
 * twice as long. */
#define MOST_PIECES 4
/* Parts of the rows for each thread: those around the vanishing point take
 * longer. */
#define PARTS_A_THREAD 8

/* -- footprints ----------------------------------------------------------- */

/* The part of the canvas that a sample shows. */
typedef struct
{
  float near, far;              /* ages in lines */
  float width;                  /* along the slit */
  size_t piece_count;           /* its pieces, where the slit goes on */
  float from[MOST_PIECES];
  float to[MOST_PIECES];
} Footprint;

/* Distances from the vanishing point, as a fraction of that at the border. */
typedef struct
{
  float inner, outer;
} Reach;

/* That of a sample across one axis, where the frame's side has this size. */
SLIT_SCAN_INLINE Reach
reach_of (float start, float cell, float vanishing, float size)
{
  bool is_far = vanishing < size
      && (vanishing <= 0 || start + cell / 2 > vanishing);
  float scale = is_far ? size - vanishing : vanishing;
  float inner = is_far ? start - vanishing : vanishing - (start + cell);

  Reach reach;

  reach.inner = inner / scale;
  reach.outer = (inner + cell) / scale;
  return reach;
}

SLIT_SCAN_INLINE float
least (float a, float b)
{
  return a < b ? a : b;
}

SLIT_SCAN_INLINE float
greatest (float a, float b)
{
  return a > b ? a : b;
}

/* The age of the line at a distance. */
SLIT_SCAN_INLINE float
age_at (float distance, float depth)
{
  float age = (1 / greatest (distance, 1e-12f) - 1) * depth;

  return greatest (least (age, SLIT_SCAN_VIEW_FARTHEST), 0);
}

/* At least one line deep. */
SLIT_SCAN_INLINE void
set_ages (Footprint * place, Reach ages, float depth)
{
  float near = age_at (ages.outer, depth);
  float far = age_at (ages.inner, depth);
  float middle = (near + far) / 2;
  bool is_thin = far - near < 1;

  place->near = is_thin ? greatest (middle - 0.5f, 0) : near;
  place->far = is_thin ? middle + 0.5f : far;
}

SLIT_SCAN_INLINE void
add_piece (Footprint * place, float from, float to)
{
  place->from[place->piece_count] = from;
  place->to[place->piece_count++] = to;
}

/* Beyond its ends, the slit goes on mirrored. */
SLIT_SCAN_INLINE void
set_mirrored_pieces (Footprint * place, float from, float slit)
{
  float to = from + place->width;
  float turn = floorf (from / slit);

  place->piece_count = 0;
  if (from >= 0 && to <= slit) {
    add_piece (place, from, to);
    return;
  }
  for (size_t i = 0; i < MOST_PIECES && turn * slit < to; i++, turn++) {
    float start = greatest (from - turn * slit, 0);
    float end = least (to - turn * slit, slit);

    if ((int64_t) turn % 2 == 0)
      add_piece (place, start, end);
    else
      add_piece (place, slit - end, slit - start);
  }
}

/* Beyond its ends, the slit begins again. */
SLIT_SCAN_INLINE void
set_closed_pieces (Footprint * place, float from, float slit)
{
  float to = from + place->width;

  place->piece_count = 0;
  add_piece (place, greatest (from, 0), least (to, slit));
  if (from < 0)
    add_piece (place, from + slit, slit);
  if (to > slit)
    add_piece (place, 0, to - slit);
}

/* The width of a footprint on a wall, where samples are so far apart. Where the
 * slit is small, and goes on again and again, wider ones blend into its mean. */
SLIT_SCAN_INLINE float
width_of (float step, float slit)
{
  float width = step > slit / 32 ? 32 * step * step / slit : step;

  return least (greatest (width, 1), 2 * slit);
}

/* On a wall: `ages` lead into the frame, and the slit is along the other axis,
 * on which the sample begins at `start`. */
SLIT_SCAN_INLINE Footprint
on_wall (const SlitScanSheet * sheet, const SlitScanView * view, Reach ages,
    float start, float cell, float vanishing, float size)
{
  float distance = (greatest (ages.inner, 0) + ages.outer) / 2;
  float scale = sheet->slit / size;
  float middle = (vanishing + (start + cell / 2 - vanishing) / distance)
      * scale;
  Footprint place;

  set_ages (&place, ages, view->depth);
  place.width = width_of (cell / distance * scale, sheet->slit);
  set_mirrored_pieces (&place, middle - place.width / 2, sheet->slit);
  return place;
}

/* In a ring; x and y are those of the sample's centre, from the vanishing
 * point, and `farthest` is the distance of the corner. */
SLIT_SCAN_INLINE Footprint
in_ring (const SlitScanSheet * sheet, const SlitScanView * view, float x,
    float y, float turn, float farthest)
{
  float distance = sqrtf (x * x + y * y);
  float half = (sheet->cell_width + sheet->cell_height) / 4;
  float width = sheet->slit * half / (3.14159265f * greatest (distance, 1e-6f));
  Footprint place;
  Reach ages;

  ages.inner = (distance - half) / farthest;
  ages.outer = (distance + half) / farthest;
  set_ages (&place, ages, view->depth);
  place.width = least (greatest (width, 1), sheet->slit);
  set_closed_pieces (&place, turn * sheet->slit - place.width / 2, sheet->slit);
  return place;
}

/* -- means ---------------------------------------------------------------- */

SLIT_SCAN_INLINE float
sample_at (const uint8_t * bytes, int32_t kind)
{
  switch (kind) {
    case SLIT_SCAN_SAMPLES_BYTES:
      return bytes[0];
    case SLIT_SCAN_SAMPLES_LITTLE_WORDS:
      return (float) (bytes[0] | bytes[1] << 8);
    default:
      return (float) (bytes[1] | bytes[0] << 8);
  }
}

SLIT_SCAN_INLINE const uint8_t *
line_of_age (const SlitScanSheet * sheet, size_t age)
{
  size_t number = sheet->newest_place + sheet->kept_count - age;

  return sheet->samples + sheet->line_step
      * (number < sheet->kept_count ? number : number - sheet->kept_count);
}

/* The sum of a line between two places of it. */
SLIT_SCAN_INLINE float
sum_of_line (const SlitScanSheet * sheet, int32_t kind, const uint8_t * line,
    float from, float to)
{
  float sum;
  size_t first, end;

  if (!(from < to))
    return 0;
  first = (size_t) from;
  first = first < sheet->point_count ? first : sheet->point_count - 1;
  end = (size_t) ceilf (to);
  end = end <= sheet->point_count ? end : sheet->point_count;
  line += first * sheet->point_step;
  if (end - first <= 1)
    return sample_at (line, kind) * (to - from);
  sum = sample_at (line, kind) * ((float) (first + 1) - from);
  for (size_t i = first + 1; i + 1 < end; i++) {
    line += sheet->point_step;
    sum += sample_at (line, kind);
  }
  return sum + sample_at (line + sheet->point_step, kind)
      * (to - (float) (end - 1));
}

/* Along the whole footprint. */
SLIT_SCAN_INLINE float
sum_along (const SlitScanSheet * sheet, int32_t kind, size_t age,
    const Footprint * place)
{
  const uint8_t *line = line_of_age (sheet, age);
  float sum = 0;

  for (size_t i = 0; i < place->piece_count; i++)
    sum += sum_of_line (sheet, kind, line, place->from[i], place->to[i]);
  return sum;
}

/* The mean of a footprint. */
SLIT_SCAN_INLINE float
mean_of (const SlitScanSheet * sheet, int32_t kind, const Footprint * place)
{
  float far = least (place->far, (float) sheet->held_count);
  float rest = place->far - greatest (place->near, far);
  float sum = 0;

  if (place->near < far) {
    size_t first = (size_t) place->near;
    size_t end = (size_t) ceilf (far);

    if (end - first > SLIT_SCAN_VIEW_MOST_LINES) {
      float step = (far - place->near) / SLIT_SCAN_VIEW_MOST_LINES;

      for (size_t i = 0; i < SLIT_SCAN_VIEW_MOST_LINES; i++)
        sum += step * sum_along (sheet, kind,
            (size_t) (place->near + ((float) i + 0.5f) * step), place);
    } else {
      for (size_t age = first; age < end; age++) {
        float weight = least (far, (float) (age + 1))
            - greatest (place->near, (float) age);

        sum += weight * sum_along (sheet, kind, age, place);
      }
    }
  }
  if (rest > 0)
    sum += rest * (sheet->substitute < 0 ? sheet->colour * place->width
        : sum_along (sheet, kind, (size_t) sheet->substitute, place));
  return sum / (place->width * (place->far - place->near));
}

SLIT_SCAN_INLINE void
put_sample (float value, SlitScanSamples kind, uint8_t * out)
{
  uint32_t unit = 1u << kind.unused_bits;
  uint32_t word = (uint32_t) (value / (float) unit + 0.5f) * unit;

  if (kind.kind == SLIT_SCAN_SAMPLES_BYTES) {
    out[0] = (uint8_t) word;
    return;
  }
  out[kind.kind == SLIT_SCAN_SAMPLES_BIG_WORDS] = (uint8_t) word;
  out[kind.kind != SLIT_SCAN_SAMPLES_BIG_WORDS] = (uint8_t) (word >> 8);
}

/* -- rings ---------------------------------------------------------------- */

SLIT_SCAN_INLINE void
draw_ring_row (const SlitScanSheet * sheet, const SlitScanView * view,
    int32_t kind, size_t row, uint8_t * out)
{
  float corner_x = greatest (view->x, view->width - view->x);
  float corner_y = greatest (view->y, view->height - view->y);
  float farthest = sqrtf (corner_x * corner_x + corner_y * corner_y);
  float y = ((float) row + 0.5f) * sheet->cell_height - view->y;

  for (size_t first = 0; first < sheet->columns; first += AT_ONCE) {
    size_t left = sheet->columns - first;
    size_t count = left < AT_ONCE ? left : AT_ONCE;
    float x = ((float) first + 0.5f) * sheet->cell_width - view->x;
    float turns[AT_ONCE];
    Footprint places[AT_ONCE];

    slit_scan_turns_row (x, sheet->cell_width, y, 0, 0, turns, count);
    for (size_t i = 0; i < count; i++)
      places[i] = in_ring (sheet, view, x + (float) i * sheet->cell_width, y,
          turns[i], farthest);
    for (size_t i = 0; i < count; i++)
      put_sample (mean_of (sheet, kind, &places[i]), sheet->kind,
          out + (first + i) * sheet->step);
  }
}

/* -- walls ---------------------------------------------------------------- */

SLIT_SCAN_INLINE void
add_line (const SlitScanSheet * sheet, int32_t kind, size_t step, size_t age,
    float weight, float *sums)
{
  const uint8_t *line = line_of_age (sheet, age);

  for (size_t i = 0; i < sheet->point_count; i++)
    sums[i] += weight * sample_at (line + i * step, kind);
}

/* The mean of the lines of a footprint, summed up from the beginning of the
 * slit: sums[i] is that of the points before i. */
SLIT_SCAN_INLINE void
sum_up (const SlitScanSheet * sheet, int32_t kind, size_t step,
    const Footprint * place, float *sums)
{
  float far = least (place->far, (float) sheet->held_count);
  float depth = place->far - place->near;
  float rest = (place->far - greatest (place->near, far)) / depth;
  float sum = 0;

  for (size_t i = 0; i < sheet->point_count; i++)
    sums[i] = sheet->substitute < 0 ? rest * sheet->colour : 0;
  if (place->near < far) {
    size_t first = (size_t) place->near;
    size_t end = (size_t) ceilf (far);

    if (end - first > SLIT_SCAN_VIEW_MOST_LINES) {
      float part = (far - place->near) / SLIT_SCAN_VIEW_MOST_LINES;

      for (size_t i = 0; i < SLIT_SCAN_VIEW_MOST_LINES; i++)
        add_line (sheet, kind, step,
            (size_t) (place->near + ((float) i + 0.5f) * part), part / depth,
            sums);
    } else {
      for (size_t age = first; age < end; age++)
        add_line (sheet, kind, step, age, (least (far, (float) (age + 1))
                - greatest (place->near, (float) age)) / depth, sums);
    }
  }
  if (rest > 0 && sheet->substitute >= 0)
    add_line (sheet, kind, step, (size_t) sheet->substitute, rest, sums);
  for (size_t i = 0; i < sheet->point_count; i++) {
    float mean = sums[i];

    sums[i] = sum;
    sum += mean;
  }
  sums[sheet->point_count] = sum;
  sums[sheet->point_count + 1] = sum;
}

/* A place along a slit that goes on mirrored: how often it has been passed, and
 * the sum from there on. */
typedef struct
{
  float turns;
  float sum;
} Passed;

SLIT_SCAN_INLINE float
sum_before (const float *sums, float place)
{
  size_t i = (size_t) place;

  return sums[i] + (place - (float) i) * (sums[i + 1] - sums[i]);
}

SLIT_SCAN_INLINE Passed
passed (const float *sums, float slit, float inverse, float all, float place)
{
  Passed result;

  result.turns = floorf (place * inverse);
  place = greatest (least (place - result.turns * slit, slit), 0);
  result.sum = (int64_t) result.turns % 2 == 0 ? sum_before (sums, place)
      : all - sum_before (sums, slit - place);
  return result;
}

/* Samples `first` to `end` of those at one distance on a wall. */
SLIT_SCAN_INLINE void
draw_on_wall (const SlitScanSheet * sheet, const SlitScanView * view,
    int32_t kind, Reach ages, float cell, float vanishing, float size,
    size_t first, size_t end, float *sums, uint8_t * out, size_t out_step)
{
  float distance = (greatest (ages.inner, 0) + ages.outer) / 2;
  float slit = sheet->slit;
  float inverse = 1 / slit;
  float scale = slit / size;
  float step = cell / distance * scale;
  float begin = (vanishing - vanishing / distance) * scale;
  float width = width_of (step, slit);
  float all;
  Footprint place;
  Passed last;

  if (first >= end)
    return;
  set_ages (&place, ages, view->depth);
  if (sheet->point_step == 1)
    sum_up (sheet, kind, 1, &place, sums);
  else
    sum_up (sheet, kind, sheet->point_step, &place, sums);
  all = sum_before (sums, slit);
  last = passed (sums, slit, inverse, all, begin + (float) first * step);
  for (size_t i = first; i < end; i++) {
    Passed next;

    /* Where footprints adjoin, one ends where the next begins. */
    if (width == step) {
      next = passed (sums, slit, inverse, all, begin + (float) (i + 1) * step);
    } else {
      float middle = begin + ((float) i + 0.5f) * step;

      last = passed (sums, slit, inverse, all, middle - width / 2);
      next = passed (sums, slit, inverse, all, middle + width / 2);
    }
    put_sample (greatest (((next.turns - last.turns) * all + next.sum
                - last.sum) / width, 0), sheet->kind, out + i * out_step);
    last = next;
  }
}

SLIT_SCAN_INLINE Reach
reach_across (const SlitScanSheet * sheet, const SlitScanView * view,
    size_t column)
{
  return reach_of ((float) column * sheet->cell_width, sheet->cell_width,
      view->x, view->width);
}

SLIT_SCAN_INLINE Reach
reach_down (const SlitScanSheet * sheet, const SlitScanView * view, size_t row)
{
  return reach_of ((float) row * sheet->cell_height, sheet->cell_height,
      view->y, view->height);
}

/* How much a sample shows of the wall at its side, between four walls. */
SLIT_SCAN_INLINE float
share_of_side (Reach across, Reach down)
{
  float gap = (across.inner + across.outer - down.inner - down.outer) / 2;
  float step = across.outer - across.inner + down.outer - down.inner;

  return greatest (least (0.5f + gap / step, 1), 0);
}

/* One column of the walls at the sides. */
SLIT_SCAN_INLINE void
draw_column (const SlitScanSheet * sheet, const SlitScanView * view,
    int32_t kind, size_t column, float *sums, uint8_t * out)
{
  Reach across = reach_across (sheet, view, column);
  size_t first = 0;
  size_t end = sheet->rows;

  if (view->walls == 4) {
    while (first < end
        && share_of_side (across, reach_down (sheet, view, first)) < 1)
      first++;
    while (end > first
        && share_of_side (across, reach_down (sheet, view, end - 1)) < 1)
      end--;
  }
  draw_on_wall (sheet, view, kind, across, sheet->cell_height, view->y,
      view->height, first, end, sums, out + column * sheet->step,
      sheet->stride);
}

/* A sample on the border of two walls; whether it is one, or on the wall at its
 * side. */
SLIT_SCAN_INLINE bool
draw_border (const SlitScanSheet * sheet, const SlitScanView * view,
    int32_t kind, size_t column, size_t row, Reach down, uint8_t * out)
{
  Reach across = reach_across (sheet, view, column);
  float share = share_of_side (across, down);

  if (share > 0 && share < 1) {
    Footprint side = on_wall (sheet, view, across,
        (float) row * sheet->cell_height, sheet->cell_height, view->y,
        view->height);
    Footprint level = on_wall (sheet, view, down,
        (float) column * sheet->cell_width, sheet->cell_width, view->x,
        view->width);

    put_sample (share * mean_of (sheet, kind, &side)
        + (1 - share) * mean_of (sheet, kind, &level), sheet->kind,
        out + column * sheet->step);
  }
  return share > 0;
}

/* One row of floor or ceiling. */
SLIT_SCAN_INLINE void
draw_level_row (const SlitScanSheet * sheet, const SlitScanView * view,
    int32_t kind, size_t row, float *sums, uint8_t * out)
{
  Reach down = reach_down (sheet, view, row);
  float middle = ((float) row + 0.5f) * sheet->cell_height;
  size_t first = 0;
  size_t end = sheet->columns;

  if (view->walls == 4) {
    while (first < end
        && draw_border (sheet, view, kind, first, row, down, out))
      first++;
    while (end > first
        && draw_border (sheet, view, kind, end - 1, row, down, out))
      end--;
  } else if (view->y >= view->height || (view->y > 0 && middle <= view->y)) {
    for (size_t i = 0; i < end; i++)
      put_sample (sheet->colour, sheet->kind, out + i * sheet->step);
    return;
  }
  draw_on_wall (sheet, view, kind, down, sheet->cell_width, view->x,
      view->width, first, end, sums, out, sheet->step);
}

/* -- shares --------------------------------------------------------------- */

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

SLIT_SCAN_INLINE void
draw_lines_of (const Task * task, int32_t kind, size_t first, size_t end,
    float *sums)
{
  const SlitScanSheet *sheet = task->sheet;

  for (size_t i = first; i < end; i++) {
    uint8_t *row = task->out + i * sheet->stride;

    switch (task->what) {
      case RING_ROWS:
        draw_ring_row (sheet, task->view, kind, i, row);
        break;
      case LEVEL_ROWS:
        draw_level_row (sheet, task->view, kind, i, sums, row);
        break;
      case SIDE_COLUMNS:
        draw_column (sheet, task->view, kind, i, sums, task->out);
        break;
    }
  }
}

SLIT_SCAN_INLINE void
draw_lines_body (const Task * task, size_t first, size_t end, float *sums)
{
  if (task->sheet->kind.kind == SLIT_SCAN_SAMPLES_BYTES)
    draw_lines_of (task, SLIT_SCAN_SAMPLES_BYTES, first, end, sums);
  else
    draw_lines_of (task, task->sheet->kind.kind, first, end, sums);
}

SLIT_SCAN_WIDE_VARIANTS (static, void, draw_lines,
    (const Task * task, size_t first, size_t end, float *sums),
    (task, first, end, sums));

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

  draw_lines (task, count * part / task->part_count,
      count * (part + 1) / task->part_count,
      task->sums + part * (sheet->point_count + 2));
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
