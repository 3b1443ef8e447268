/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernel that draws a canvas as rings around a vanishing point. Footprints
 * tile the canvas, so that all of them together read about the lines held and a
 * few for each sample. Most have at most two points of a line, and near the
 * border at most two lines: those are blended many at a time. */

#include "view.h"

/* Samples of a row at a time. */
#define AT_ONCE 64

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

/* The footprints of samples that follow each other in a row. */
typedef struct
{
  float near[AT_ONCE];
  float far[AT_ONCE];
  float from[AT_ONCE];
  float width[AT_ONCE];
} Footprints;

/* x and y are those of the first sample's centre, from the vanishing point. */
SLIT_SCAN_INLINE void
find_footprints (const SlitScanSheet * sheet, const SlitScanView * view,
    float x, float y, Footprints * places)
{
  float corner_x = greatest (view->x, view->width - view->x);
  float corner_y = greatest (view->y, view->height - view->y);
  float farthest = sqrtf (corner_x * corner_x + corner_y * corner_y);
  float half = (sheet->cell_width + sheet->cell_height) / 4;
  float turns[AT_ONCE];

  slit_scan_turns_row (x, sheet->cell_width, y, 0, 0, turns, AT_ONCE);
  for (size_t i = 0; i < AT_ONCE; i++) {
    float across = x + (float) (int32_t) i * sheet->cell_width;
    float distance = sqrtf (across * across + y * y);
    float width =
        sheet->slit * half / (3.14159265f * greatest (distance, 1e-6f));
    Reach ages;
    Footprint place;

    ages.inner = (distance - half) / farthest;
    ages.outer = (distance + half) / farthest;
    set_ages (&place, ages, view->depth);
    places->near[i] = place.near;
    places->far[i] = place.far;
    places->width[i] = least (greatest (width, 1), sheet->slit);
    places->from[i] = turns[i] * sheet->slit - places->width[i] / 2;
  }
}

SLIT_SCAN_INLINE float
mean_of_ring (const SlitScanSheet * sheet, int32_t kind,
    const Footprints * places, size_t i)
{
  Footprint place;

  place.near = places->near[i];
  place.far = places->far[i];
  place.width = places->width[i];
  set_closed_pieces (&place, places->from[i], sheet->slit);
  return mean_of (sheet, kind, &place);
}

/* Those of them that are blended: of two points of a line. */
typedef struct
{
  int32_t is_blended[AT_ONCE];
  int32_t is_thin[AT_ONCE];     /* on two lines */
  int32_t ages[AT_ONCE];        /* of the first line */
  int32_t numbers[AT_ONCE];     /* the place of it in memory */
  int32_t points[AT_ONCE];      /* the first point */
  float weights[2][AT_ONCE];    /* of the points */
  float areas[AT_ONCE];
} Blends;

SLIT_SCAN_INLINE void
find_blends (const SlitScanSheet * sheet, const Footprints * places,
    Blends * blends)
{
  int32_t newest = (int32_t) sheet->newest_place;
  int32_t kept = (int32_t) sheet->kept_count;
  float held = (float) sheet->held_count;

  for (size_t i = 0; i < AT_ONCE; i++) {
    float near = places->near[i];
    float far = places->far[i];
    float from = places->from[i];
    float to = from + places->width[i];
    int32_t age = (int32_t) near;
    int32_t point = (int32_t) from;
    float next = (float) (point + 1);

    blends->is_blended[i] = (far <= held)
        & (far <= (float) (age + SLIT_SCAN_VIEW_MOST_LINES))
        & (from >= 0) & (to <= sheet->slit) & (to <= next + 1);
    blends->is_thin[i] = blends->is_blended[i] & (far <= (float) (age + 2));
    blends->ages[i] = age;
    blends->numbers[i] = newest - age + (newest < age ? kept : 0);
    blends->points[i] = point;
    blends->weights[0][i] = least (to, next) - from;
    blends->weights[1][i] = greatest (to - next, 0);
    blends->areas[i] = places->width[i] * (far - near);
  }
}

/* The samples of a footprint on two lines. */
typedef struct
{
  float near[2][AT_ONCE];
  float far[2][AT_ONCE];
} Corners;

SLIT_SCAN_INLINE void
read_corners (const SlitScanSheet * sheet, int32_t kind, const Blends * blends,
    Corners * corners)
{
  size_t last = sheet->point_count - 1;

  for (size_t i = 0; i < AT_ONCE; i++) {
    if (blends->is_thin[i]) {
      size_t number = (size_t) blends->numbers[i];
      size_t point = (size_t) blends->points[i];
      const uint8_t *near = sheet->samples + number * sheet->line_step
          + point * sheet->point_step;
      const uint8_t *far = number > 0 ? near - sheet->line_step
          : near + (sheet->kept_count - 1) * sheet->line_step;
      size_t next = point < last ? sheet->point_step : 0;

      corners->near[0][i] = value_at (near, kind);
      corners->near[1][i] = value_at (near + next, kind);
      corners->far[0][i] = value_at (far, kind);
      corners->far[1][i] = value_at (far + next, kind);
    }
  }
}

SLIT_SCAN_INLINE void
blend_corners (const Footprints * places, const Blends * blends,
    const Corners * corners, float *means)
{
  for (size_t i = 0; i < AT_ONCE; i++) {
    float next = (float) (blends->ages[i] + 1);
    float near = least (places->far[i], next) - places->near[i];
    float far = greatest (places->far[i] - next, 0);
    float sum = 0;

    for (size_t point = 0; point < 2; point++)
      sum += blends->weights[point][i] * (near * corners->near[point][i]
          + far * corners->far[point][i]);
    means[i] = sum / blends->areas[i];
  }
}

/* The mean of two points of more than two lines, all of which are read. */
SLIT_SCAN_INLINE float
blend_lines (const SlitScanSheet * sheet, int32_t kind,
    const Footprints * places, const Blends * blends, size_t i)
{
  size_t number = (size_t) blends->numbers[i];
  size_t point = (size_t) blends->points[i];
  size_t next = point + 1 < sheet->point_count ? sheet->point_step : 0;
  const uint8_t *points = sheet->samples + point * sheet->point_step;
  const uint8_t *line = points + number * sheet->line_step;
  int32_t last = (int32_t) ceilf (places->far[i]) - 1;
  float near = (float) (blends->ages[i] + 1) - places->near[i];
  float far = places->far[i] - (float) last;
  uint32_t sums[2] = { 0, 0 };
  float sum;

  sum = near * (blends->weights[0][i] * value_at (line, kind)
      + blends->weights[1][i] * value_at (line + next, kind));
  for (int32_t age = blends->ages[i] + 1;; age++) {
    number = (number > 0 ? number : sheet->kept_count) - 1;
    line = points + number * sheet->line_step;
    if (age == last)
      break;
    sums[0] += sample_at (line, kind);
    sums[1] += sample_at (line + next, kind);
  }
  sum += far * (blends->weights[0][i] * value_at (line, kind)
      + blends->weights[1][i] * value_at (line + next, kind));
  sum += blends->weights[0][i] * (float) (int32_t) sums[0];
  sum += blends->weights[1][i] * (float) (int32_t) sums[1];
  return sum / blends->areas[i];
}

SLIT_SCAN_INLINE void
draw_ring_row (int32_t kind, const SlitScanSheet * sheet,
    const SlitScanView * view, size_t row, uint8_t * out)
{
  float y = ((float) row + 0.5f) * sheet->cell_height - view->y;
  Corners corners = { {{0}}, {{0}} };

  for (size_t first = 0; first < sheet->columns; first += AT_ONCE) {
    size_t left = sheet->columns - first;
    size_t count = left < AT_ONCE ? left : AT_ONCE;
    float x = ((float) first + 0.5f) * sheet->cell_width - view->x;
    float means[AT_ONCE];
    Footprints places;
    Blends blends;

    find_footprints (sheet, view, x, y, &places);
    find_blends (sheet, &places, &blends);
    read_corners (sheet, kind, &blends, &corners);
    blend_corners (&places, &blends, &corners, means);
    for (size_t i = 0; i < count; i++) {
      if (!blends.is_thin[i])
        means[i] = blends.is_blended[i]
            ? blend_lines (sheet, kind, &places, &blends, i)
            : mean_of_ring (sheet, kind, &places, i);
    }
    for (size_t i = 0; i < count; i++)
      put_value (means[i], sheet->kind, out + (first + i) * sheet->step);
  }
}

SLIT_SCAN_VIEW_PART (slit_scan_draw_rings)
{
  for (size_t i = first; i < end; i++)
    FOR_KIND (sheet->kind.kind, draw_ring_row, sheet, view, i,
        out + i * sheet->stride);
}
