/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Inner functions of the kernels that draw a canvas in perspective. */
#pragma once

#include <math.h>

#include "samples.h"
#include "slitscan-view.h"

/* Pieces of a slit that goes on beyond its ends, in a footprint that is at most
 * twice as long. */
#define MOST_PIECES 4

/* Draws rows or columns of a sheet. sums has room for two more than the points of
 * a line. */
typedef void ViewPart (const SlitScanSheet * sheet, const SlitScanView * view,
    size_t first, size_t end, float *sums, uint8_t * out);

/* Rows of rings, rows of floor and ceiling, and columns of the walls at the
 * sides. */
ViewPart slit_scan_draw_rings, slit_scan_draw_levels, slit_scan_draw_sides;

/* Begins the definition of a ViewPart. */
#define SLIT_SCAN_VIEW_PART(name)                                             \
  SLIT_SCAN_WIDE_VARIANTS (, void, name,                                      \
      (const SlitScanSheet * sheet, const SlitScanView * view, size_t first,  \
          size_t end, float *sums, uint8_t * out),                            \
      (sheet, view, first, end, sums, out))

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

/* -- means ---------------------------------------------------------------- */

SLIT_SCAN_INLINE float
value_at (const uint8_t * bytes, int32_t kind)
{
  return (float) (int32_t) sample_at (bytes, kind);
}

SLIT_SCAN_INLINE const uint8_t *
line_of_age (const SlitScanSheet * sheet, size_t age)
{
  size_t number = sheet->newest_place + sheet->kept_count - age;

  return sheet->samples + sheet->line_step
      * (number < sheet->kept_count ? number : number - sheet->kept_count);
}

/* The points of a piece of a footprint. */
typedef struct
{
  size_t start;                 /* of its first point, in bytes from a line's */
  size_t count;
  float first;                  /* how much of the first and last it has */
  float last;
} Piece;

SLIT_SCAN_INLINE Piece
piece_of (const SlitScanSheet * sheet, float from, float to)
{
  Piece piece = { 0, 0, 0, 0 };
  size_t first = (size_t) from;
  size_t end = (size_t) ceilf (to);

  if (!(from < to))
    return piece;
  first = first < sheet->point_count ? first : sheet->point_count - 1;
  end = end <= sheet->point_count ? end : sheet->point_count;
  piece.start = first * sheet->point_step;
  piece.count = end - first;
  piece.first = piece.count > 1 ? (float) (first + 1) - from : to - from;
  piece.last = to - (float) (end - 1);
  return piece;
}

/* The sum of a piece of a line. */
SLIT_SCAN_INLINE float
sum_of_piece (const SlitScanSheet * sheet, int32_t kind, const uint8_t * line,
    const Piece * piece)
{
  uint32_t middle = 0;
  float first;

  if (piece->count == 0)
    return 0;
  line += piece->start;
  first = piece->first * value_at (line, kind);
  if (piece->count == 1)
    return first;
  for (size_t i = 2; i < piece->count; i++) {
    line += sheet->point_step;
    middle += sample_at (line, kind);
  }
  return first + (float) middle
      + piece->last * value_at (line + sheet->point_step, kind);
}

/* Along the whole footprint. */
SLIT_SCAN_INLINE float
sum_along (const SlitScanSheet * sheet, int32_t kind, size_t age,
    const Piece * pieces, size_t count)
{
  const uint8_t *line = line_of_age (sheet, age);
  float sum = 0;

  for (size_t i = 0; i < count; i++)
    sum += sum_of_piece (sheet, kind, line, &pieces[i]);
  return sum;
}

/* The mean of a footprint. */
SLIT_SCAN_INLINE float
mean_of (const SlitScanSheet * sheet, int32_t kind, const Footprint * place)
{
  float far = least (place->far, (float) sheet->held_count);
  float rest = place->far - greatest (place->near, far);
  float sum = 0;
  size_t count = place->piece_count;
  Piece pieces[MOST_PIECES];

  for (size_t i = 0; i < count; i++)
    pieces[i] = piece_of (sheet, place->from[i], place->to[i]);
  if (place->near < far) {
    size_t first = (size_t) place->near;
    size_t end = (size_t) ceilf (far);

    if (end - first > SLIT_SCAN_VIEW_MOST_LINES) {
      float step = (far - place->near) / SLIT_SCAN_VIEW_MOST_LINES;

      for (size_t i = 0; i < SLIT_SCAN_VIEW_MOST_LINES; i++)
        sum += step * sum_along (sheet, kind,
            (size_t) (place->near + ((float) i + 0.5f) * step), pieces, count);
    } else {
      for (size_t age = first; age < end; age++) {
        float weight = least (far, (float) (age + 1))
            - greatest (place->near, (float) age);

        sum += weight * sum_along (sheet, kind, age, pieces, count);
      }
    }
  }
  if (rest > 0)
    sum += rest * (sheet->substitute < 0 ? sheet->colour * place->width
        : sum_along (sheet, kind, (size_t) sheet->substitute, pieces,
            count));
  return sum / (place->width * (place->far - place->near));
}

SLIT_SCAN_INLINE void
put_value (float value, SlitScanSamples kind, uint8_t * out)
{
  uint32_t unit = 1u << kind.unused_bits;
  float white = kind.kind == SLIT_SCAN_SAMPLES_BYTES ? 255 : 65535;
  /* A sum of many floats may be a little more than white. */
  uint32_t most = (uint32_t) white / unit;
  uint32_t count = (uint32_t) (value / (float) unit + 0.5f);
  uint32_t word = (count < most ? count : most) * unit;

  put_sample (word, kind.kind, out);
}
