/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The inner loops of maps and blends, in C where that is faster than Swift:
 * plain loops, compiled once for any processor and once for AVX2. All variants
 * give the same bits. Nothing here depends on formats or frames. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/* -- maps: formulas ------------------------------------------------------ */

/* Cells of a row lie at first, first + step and so on; each becomes f. */

/* f = slope * x + constant, within 0 to 1. */
void slit_scan_linear_row (double first, double step, double slope,
    double constant, float *f, size_t count);

/* f = scale * the distance of (x, y) from 0, at most 1. */
void slit_scan_radial_row (double first, double step, double y, double scale,
    float *f, size_t count);

/* f = the clockwise turn of (x, y) around 0 from 12 o'clock, as a part of a
 * whole one, plus turns * the radial f; the fraction of that, unless turns is
 * 0. */
void slit_scan_turns_row (double first, double step, double y, double scale,
    double turns, float *f, size_t count);

/* -- maps: rasters of values f ------------------------------------------- */

/* One component of a row of pixels, as it lies in memory. */
typedef struct
{
  int32_t offset;               /* bytes to the first sample */
  int32_t step;                 /* bytes from one sample to the next */
  int32_t bytes;                /* bytes of a sample, 1 or 2 */
  bool is_big_endian;
  float black;
  float white;
  float weight;                 /* its share in the luma */
} SlitScanLumaPart;

/* The part of a component in the luma, 0 to 1, of each pixel of a row; adds it
 * to what is there, or replaces that. */
void slit_scan_luma_row (const uint8_t * row, SlitScanLumaPart part, bool adds,
    float *luma, size_t count);

/* The samples of one byte of a row of pixels, `step` bytes apart. */
void slit_scan_pick_row (const uint8_t * row, size_t step, uint8_t * samples,
    size_t count);

/* Their values: (sample - black) * scale, within 0 to 1. */
void slit_scan_value_row (const uint8_t * samples, float black, float scale,
    float *values, size_t count);

/* The positions at which a row of values is read from another row. */
typedef struct
{
  int32_t left;                 /* the value before */
  float weight;                 /* of the value after */
} SlitScanTap;

/* A row of values read at taps; after the last value comes the last again. */
void slit_scan_sample_row (const float *row, size_t row_count,
    const SlitScanTap * taps, float *out, size_t count);

/* A row of values read between each two: out[i] = the mean of row[2i] and
 * row[2i + 1]. */
void slit_scan_halve_row (const float *row, float *out, size_t count);

/* The same of the values of samples, see slit_scan_value_row(). */
void slit_scan_halve_samples (const uint8_t * samples, float black,
    float scale, float *out, size_t count);

/* upper + weight * (lower - upper), value by value. */
void slit_scan_between_rows (const float *upper, const float *lower,
    float weight, float *out, size_t count);

/* An extended box: radius whole values on each side, and a part of one more. */
typedef struct
{
  int32_t radius;
  float end_weight;
} SlitScanBox;

/* Smooths each row; in and out do not overlap. */
void slit_scan_smooth_across (const float *in, float *out, size_t width,
    size_t height, SlitScanBox box);

/* Smooths each column; in and out do not overlap. sums has width values. */
void slit_scan_smooth_down (const float *in, float *out, size_t width,
    size_t height, SlitScanBox box, float *sums);

/* One row of a motion field: 1 where luma differs from before by more than
 * threshold, else the mean of the four neighbours in the last field, less
 * decay. above and below are rows of the last field, too. */
void slit_scan_motion_row (const float *luma, const float *before,
    const float *above, const float *row, const float *below,
    float threshold, float decay, float *out, size_t count);

/* -- maps: from f to g ---------------------------------------------------- */

enum
{
  SLIT_SCAN_CURVE_CLAMP,
  SLIT_SCAN_CURVE_WRAP,
  SLIT_SCAN_CURVE_MIRROR,
};

/* The curve of a map. */
typedef struct
{
  bool inverts;
  float gain;
  float offset;
  int32_t edge;
} SlitScanCurve;

/* g of a row of cells. */
void slit_scan_curve_row (const float *f, float *g, size_t count,
    const SlitScanCurve * curve);

/* -- sweeps --------------------------------------------------------------- */

/* 255 for each cell of a row that the line at p covers, else 0. above and
 * below are the rows of g around, or NULL at the border; half_across is half
 * the line's width in cells, half_down likewise. */
void slit_scan_line_row (const float *_Nullable above, const float *g,
    const float *_Nullable below, size_t count, float p, float half_across,
    float half_down, uint8_t * mask);

/* -- blends --------------------------------------------------------------- */

enum
{
  SLIT_SCAN_SAMPLES_BYTES,
  SLIT_SCAN_SAMPLES_LITTLE_WORDS,
  SLIT_SCAN_SAMPLES_BIG_WORDS,
};

/* The sample format of a blend. */
typedef struct
{
  int32_t kind;
  uint32_t unused_bits;         /* low bits that stay 0 */
} SlitScanSamples;

/* into = into + weight/65536 * (other - into), rounded to the nearest. */
void slit_scan_mix (uint8_t * into, const uint8_t * other, size_t byte_count,
    uint32_t weight, SlitScanSamples samples);

/* The same, rounded towards into. */
void slit_scan_feed (uint8_t * into, const uint8_t * other, size_t byte_count,
    uint32_t weight, SlitScanSamples samples);

/* Adds to ages, 16 bits with the low byte first, as far as they go. */
void slit_scan_age (uint8_t * ages, size_t byte_count, uint16_t steps);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
