/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels that draw a canvas as walls. All samples of a wall at one distance
 * have the same lines: their mean is made once, and summed up along the slit, so
 * that any footprint on it is the difference of two sums. */

#include "view.h"

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

SLIT_SCAN_INLINE void
add_line (const SlitScanSheet * sheet, int32_t kind, size_t step, size_t age,
    float weight, float *sums)
{
  const uint8_t *line = line_of_age (sheet, age);

  for (size_t i = 0; i < sheet->point_count; i++)
    sums[i] += weight * value_at (line + i * step, kind);
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
    put_value (greatest (((next.turns - last.turns) * all + next.sum
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

/* The share of a sample that shows the wall at its side, between four walls. */
SLIT_SCAN_INLINE float
share_of_side (Reach across, Reach down)
{
  float gap = (across.inner + across.outer - down.inner - down.outer) / 2;
  float step = across.outer - across.inner + down.outer - down.inner;

  return greatest (least (0.5f + gap / step, 1), 0);
}

/* One column of the walls at the sides. */
SLIT_SCAN_INLINE void
draw_column (int32_t kind, const SlitScanSheet * sheet,
    const SlitScanView * view, size_t column, float *sums, uint8_t * out)
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

    put_value (share * mean_of (sheet, kind, &side)
        + (1 - share) * mean_of (sheet, kind, &level), sheet->kind,
        out + column * sheet->step);
  }
  return share > 0;
}

/* One row of floor or ceiling. */
SLIT_SCAN_INLINE void
draw_level_row (int32_t kind, const SlitScanSheet * sheet,
    const SlitScanView * view, size_t row, float *sums, uint8_t * out)
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
      put_value (sheet->colour, sheet->kind, out + i * sheet->step);
    return;
  }
  draw_on_wall (sheet, view, kind, down, sheet->cell_width, view->x,
      view->width, first, end, sums, out, sheet->step);
}

SLIT_SCAN_VIEW_PART (slit_scan_draw_levels)
{
  for (size_t i = first; i < end; i++)
    FOR_KIND (sheet->kind.kind, draw_level_row, sheet, view, i, sums,
        out + i * sheet->stride);
}

SLIT_SCAN_VIEW_PART (slit_scan_draw_sides)
{
  for (size_t i = first; i < end; i++)
    FOR_KIND (sheet->kind.kind, draw_column, sheet, view, i, sums, out);
}
