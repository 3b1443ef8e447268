/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernel that draws a canvas as rings around a vanishing point. Footprints
 * tile the canvas, so that all of them together read about the lines held and a
 * few for each sample. */

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

SLIT_SCAN_INLINE void
slit_scan_draw_rings_body (const SlitScanSheet * sheet,
    const SlitScanView * view, size_t first, size_t end, uint8_t * out)
{
  for (size_t i = first; i < end; i++) {
    uint8_t *row = out + i * sheet->stride;

    if (sheet->kind.kind == SLIT_SCAN_SAMPLES_BYTES)
      draw_ring_row (sheet, view, SLIT_SCAN_SAMPLES_BYTES, i, row);
    else
      draw_ring_row (sheet, view, sheet->kind.kind, i, row);
  }
}

SLIT_SCAN_WIDE_VARIANTS (, void, slit_scan_draw_rings,
    (const SlitScanSheet * sheet, const SlitScanView * view, size_t first,
        size_t end, uint8_t * out), (sheet, view, first, end, out));
