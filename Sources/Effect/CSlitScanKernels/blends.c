/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels that blend samples. */

#include "samples.h"
#include "tiles.h"

/* A sample, moved towards another as far as the weight says. */
SLIT_SCAN_INLINE uint32_t
moved_towards (uint32_t from, uint32_t to, int32_t kind, uint32_t weight,
    uint32_t unused_bits, bool is_rounded)
{
  uint32_t half = is_rounded ? 32768 : 0;
  uint32_t up = ((to > from ? to - from : 0) * weight + half) >> 16;
  uint32_t down = ((from > to ? from - to : 0) * weight + half) >> 16;
  uint32_t whole = to > from ? to - from : from - to;
  /* A difference has 16 bits, and a weight is at most 65536. What rounds is half
   * of the last bit, which has its place once the product has lost the others. */
  uint32_t step = ((whole * weight >> (15 + unused_bits)) + is_rounded)
      >> 1 << unused_bits;

  /* One of the two differences is 0, and half a step less than one. */
  if (kind == SLIT_SCAN_SAMPLES_BYTES)
    return from + up - down;
  return to > from ? from + step : from - step;
}

SLIT_SCAN_INLINE void
blend (int32_t kind, uint8_t * into, const uint8_t * other, size_t byte_count,
    uint32_t weight, uint32_t unused_bits, bool is_rounded)
{
  size_t bytes = bytes_of (kind);

  for (size_t i = 0; i < byte_count / bytes; i++)
    put_sample (moved_towards (sample_at (into + i * bytes, kind),
            sample_at (other + i * bytes, kind), kind, weight, unused_bits,
            is_rounded), kind, into + i * bytes);
}

SLIT_SCAN_VARIANTS (void, slit_scan_mix,
    (uint8_t * into, const uint8_t * other, size_t byte_count, uint32_t weight,
        SlitScanSamples samples), (into, other, byte_count, weight, samples))
{
  FOR_KIND (samples.kind, blend, into, other, byte_count, weight,
      samples.unused_bits, true);
}

SLIT_SCAN_VARIANTS (void, slit_scan_feed,
    (uint8_t * into, const uint8_t * other, size_t byte_count, uint32_t weight,
        SlitScanSamples samples), (into, other, byte_count, weight, samples))
{
  FOR_KIND (samples.kind, blend, into, other, byte_count, weight,
      samples.unused_bits, false);
}

/* -- ages ----------------------------------------------------------------- */

SLIT_SCAN_VARIANTS (void, slit_scan_age,
    (uint8_t * ages, size_t byte_count, uint16_t steps),
    (ages, byte_count, steps))
{
  for (size_t i = 0; i < byte_count / 2; i++) {
    uint32_t age = steps
        + sample_at (ages + i * 2, SLIT_SCAN_SAMPLES_LITTLE_WORDS);

    put_sample (age < UINT16_MAX ? age : UINT16_MAX,
        SLIT_SCAN_SAMPLES_LITTLE_WORDS, ages + i * 2);
  }
}

/* -- feedback that moves -------------------------------------------------- */

/* Bits of a place between two samples. */
#define PLACE_BITS 8
#define PLACE_FULL (1u << PLACE_BITS)
/* Places at a time: so few that all that is known of them stays in the nearest
 * cache; and the most bytes that are read at each. */
#define PLACES_AT_ONCE 128
#define MOST_BYTES 8

/* Places of a row, from first to the one before end. */
typedef struct
{
  int32_t first;
  int32_t end;
} Span;

/* Those of a range whose numbers, that of the row added, lie from low to the one
 * before high: as the numbers only rise or fall, a range, too. */
static Span
within (Span range, const int32_t * columns, int32_t row, int64_t low,
    int64_t high)
{
  while (range.first < range.end && (columns[range.first] + row < low
          || columns[range.first] + row >= high))
    range.first++;
  while (range.first < range.end && (columns[range.end - 1] + row < low
          || columns[range.end - 1] + row >= high))
    range.end--;
  return range;
}

SLIT_SCAN_INLINE int32_t
brought_within (int32_t value, int32_t end)
{
  return value < 0 ? 0 : value < end ? value : end - 1;
}

/* The bytes around a few places of a row: above and before, above and after,
 * below and before, below and after. */
typedef uint8_t Corners[4][PLACES_AT_ONCE * MOST_BYTES];

SLIT_SCAN_INLINE void
read_corners (const uint8_t * at, size_t after, size_t below, size_t bytes,
    size_t place, Corners corners)
{
  memcpy (corners[0] + place * bytes, at, bytes);
  memcpy (corners[1] + place * bytes, at + after, bytes);
  memcpy (corners[2] + place * bytes, at + below, bytes);
  memcpy (corners[3] + place * bytes, at + below + after, bytes);
}

/* Blends a few places of a row; inner ones have samples on all sides, in a plane
 * of less than 2^31 bytes. */
SLIT_SCAN_INLINE void
feed_places (const SlitScanFeeding * component, int32_t kind, size_t step_bytes,
    size_t bytes, size_t row, size_t first, size_t count, bool are_inner,
    uint32_t weight)
{
  const size_t sample_bytes = bytes_of (kind);
  const size_t lanes = bytes / sample_bytes;
  const size_t stride = component->stride;
  const int32_t *column_x = component->column_x + first;
  const int32_t *column_y = component->column_y + first;
  const int32_t row_x = component->row_x[row];
  const int32_t row_y = component->row_y[row];
  const uint32_t unused = component->samples.unused_bits;
  uint8_t *into = component->into + row * stride + first * step_bytes;
  int32_t starts[PLACES_AT_ONCE];
  uint16_t across[PLACES_AT_ONCE * MOST_BYTES];
  uint16_t down[PLACES_AT_ONCE * MOST_BYTES];
  uint16_t moved[PLACES_AT_ONCE * MOST_BYTES];
  Corners corners;

  for (size_t i = 0; i < count; i++)
    for (size_t lane = 0; lane < lanes; lane++) {
      across[i * lanes + lane] = (column_x[i] + row_x) & (PLACE_FULL - 1);
      down[i * lanes + lane] = (column_y[i] + row_y) & (PLACE_FULL - 1);
    }
  if (are_inner) {
    for (size_t i = 0; i < count; i++)
      starts[i] = ((column_y[i] + row_y) >> PLACE_BITS) * (int32_t) stride
          + ((column_x[i] + row_x) >> PLACE_BITS) * (int32_t) step_bytes;
    for (size_t i = 0; i < count; i++)
      read_corners (component->other + starts[i], step_bytes, stride, bytes, i,
          corners);
  } else {
    int32_t wide = component->samples_wide;
    int32_t high = component->samples_high;

    for (size_t i = 0; i < count; i++) {
      int32_t x = (column_x[i] + row_x) >> PLACE_BITS;
      int32_t y = (column_y[i] + row_y) >> PLACE_BITS;
      size_t before = (size_t) brought_within (x, wide);
      size_t above = (size_t) brought_within (y, high);
      size_t after = (size_t) brought_within (x + 1, wide);
      size_t below = (size_t) brought_within (y + 1, high);

      read_corners (component->other + above * stride + before * step_bytes,
          (after - before) * step_bytes, (below - above) * stride, bytes, i,
          corners);
    }
  }
  for (size_t i = 0; i < count * lanes; i++) {
    uint32_t right = across[i], left = PLACE_FULL - right;
    uint32_t lower = down[i], upper = PLACE_FULL - lower;
    size_t at = i * sample_bytes;
    uint32_t above = sample_at (corners[0] + at, kind) * left
        + sample_at (corners[1] + at, kind) * right;
    uint32_t below = sample_at (corners[2] + at, kind) * left
        + sample_at (corners[3] + at, kind) * right;

    moved[i] = (uint16_t) ((above * upper + below * lower
            + (32768u << unused)) >> (2 * PLACE_BITS + unused) << unused);
  }
  for (size_t lane = 0; component->kept != 0 && lane < lanes; lane++) {
    const uint8_t *at = into + lane * sample_bytes;

    for (size_t i = 0; component->kept >> (lane * sample_bytes) & 1
        && i < count; i++)
      moved[i * lanes + lane] = (uint16_t) sample_at (at + i * step_bytes,
          kind);
  }
  for (size_t i = 0; i < count; i++)
    for (size_t lane = 0; lane < lanes; lane++) {
      uint8_t *at = into + i * step_bytes + lane * sample_bytes;

      put_sample (moved_towards (sample_at (at, kind), moved[i * lanes + lane],
              kind, weight, unused, false), kind, at);
    }
}

SLIT_SCAN_INLINE void
feed_range (const SlitScanFeeding * component, int32_t kind, size_t step_bytes,
    size_t bytes, size_t row, Span range, bool are_inner, uint32_t weight)
{
  while (range.first < range.end) {
    int32_t rest = range.end - range.first;
    int32_t count = rest < PLACES_AT_ONCE ? rest : PLACES_AT_ONCE;

    feed_places (component, kind, step_bytes, bytes, row, (size_t) range.first,
        (size_t) count, are_inner, weight);
    range.first += count;
  }
}

SLIT_SCAN_INLINE void
feed_row (const SlitScanFeeding * component, size_t row, uint32_t weight)
{
  const int32_t row_x = component->row_x[row];
  const int32_t row_y = component->row_y[row];
  const int64_t half = PLACE_FULL / 2;
  const int64_t wide = (int64_t) component->samples_wide * PLACE_FULL;
  const int64_t high = (int64_t) component->samples_high * PLACE_FULL;
  const int32_t kind = component->samples.kind;
  const size_t step_bytes = component->step;
  const size_t bytes = component->bytes;
  Span all = { 0, component->samples_wide };
  Span inner, rest;

  all = within (all, component->column_x, row_x, -half, wide - half);
  all = within (all, component->column_y, row_y, -half, high - half);
  inner = within (all, component->column_x, row_x, 0, wide - PLACE_FULL);
  inner = within (inner, component->column_y, row_y, 0, high - PLACE_FULL);
  if (component->stride > (size_t) INT32_MAX / (size_t) component->samples_high)
    inner.end = inner.first;
  /* The compiler makes vectors of the common kinds, as their bytes are constants
   * here. */
#define FEED_INNER(kind, step_bytes, bytes) \
  feed_range (component, kind, step_bytes, bytes, row, inner, true, weight)
  if (kind == SLIT_SCAN_SAMPLES_BYTES && step_bytes == 1)
    FEED_INNER (SLIT_SCAN_SAMPLES_BYTES, 1, 1);
  else if (kind == SLIT_SCAN_SAMPLES_BYTES && bytes == 1)
    FEED_INNER (SLIT_SCAN_SAMPLES_BYTES, step_bytes, 1);
  else if (kind == SLIT_SCAN_SAMPLES_BYTES && bytes == 2)
    FEED_INNER (SLIT_SCAN_SAMPLES_BYTES, 2, 2);
  else if (kind == SLIT_SCAN_SAMPLES_BYTES && bytes == 3)
    FEED_INNER (SLIT_SCAN_SAMPLES_BYTES, 3, 3);
  else if (kind == SLIT_SCAN_SAMPLES_BYTES && bytes == 4)
    FEED_INNER (SLIT_SCAN_SAMPLES_BYTES, 4, 4);
  else if (kind == SLIT_SCAN_SAMPLES_LITTLE_WORDS && bytes == 2)
    FEED_INNER (SLIT_SCAN_SAMPLES_LITTLE_WORDS, step_bytes, 2);
  else if (kind == SLIT_SCAN_SAMPLES_LITTLE_WORDS && bytes == 8)
    FEED_INNER (SLIT_SCAN_SAMPLES_LITTLE_WORDS, 8, 8);
  else if (bytes == 2)
    FEED_INNER (SLIT_SCAN_SAMPLES_BIG_WORDS, step_bytes, 2);
  else
    FEED_INNER (kind, step_bytes, bytes);
#undef FEED_INNER
  for (int32_t side = 0; side < 2; side++) {
    rest = all;
    if (side == 0)
      rest.end = inner.first;
    else
      rest.first = inner.end;
    feed_range (component, kind, step_bytes, bytes, row, rest, false, weight);
  }
}

static void feed_rows (const void *plane, size_t first, size_t end,
    const void *context);

SLIT_SCAN_VARIANTS (void, feed_rows,
    (const void *plane, size_t first, size_t end, const void *context),
    (plane, first, end, context))
{
  const SlitScanFeeding *component = plane;
  const uint32_t *weight = context;
  size_t rows = (size_t) component->tiling.rows;
  size_t last = end * rows < (size_t) component->samples_high
      ? end * rows : (size_t) component->samples_high;

  for (size_t row = first * rows; row < last; row++)
    feed_row (component, row, *weight);
}

void
slit_scan_feed_moved (const SlitScanFeeding * components, size_t count,
    uint32_t weight, WorkerPool * pool)
{
  DO_ROWS (SlitScanFeeding, tiling, components, count, feed_rows, &weight,
      pool);
}
