/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The kernels that blend samples. */

#include "slitscan-kernels.h"

#include "variants.h"

/* The step from one sample to another, as far as the weight says. */
SLIT_SCAN_INLINE uint32_t
step (uint32_t from, uint32_t to, uint32_t weight, uint32_t unused_bits,
    bool is_rounded)
{
  uint32_t whole = to > from ? to - from : from - to;
  uint32_t half = is_rounded ? 32768u << unused_bits : 0;
  /* A difference has 16 bits and a weight 17, so the product may have 33. */
  uint64_t part = ((uint64_t) whole * weight + half) >> (16 + unused_bits);

  return (uint32_t) (part << unused_bits);
}

SLIT_SCAN_INLINE void
blend_bytes (uint8_t * into, const uint8_t * other, size_t count,
    uint32_t weight, bool is_rounded)
{
  uint32_t half = is_rounded ? 32768 : 0;

  for (size_t i = 0; i < count; i++) {
    uint32_t from = into[i];
    uint32_t to = other[i];
    uint32_t up = (to > from ? to - from : 0) * weight + half;
    uint32_t down = (from > to ? from - to : 0) * weight + half;

    /* One of the two differences is 0, and half a step less than one. */
    into[i] = (uint8_t) (from + (up >> 16) - (down >> 16));
  }
}

SLIT_SCAN_INLINE void
blend_words (uint8_t * into, const uint8_t * other, size_t byte_count,
    uint32_t weight, SlitScanSamples samples, bool is_rounded)
{
  size_t high = samples.kind == SLIT_SCAN_SAMPLES_BIG_WORDS ? 0 : 1;

  for (size_t i = 0; i + 1 < byte_count; i += 2) {
    uint32_t from = (uint32_t) into[i + high] << 8 | into[i + 1 - high];
    uint32_t to = (uint32_t) other[i + high] << 8 | other[i + 1 - high];
    uint32_t part = step (from, to, weight, samples.unused_bits, is_rounded);
    uint32_t word = to > from ? from + part : from - part;

    into[i + high] = (uint8_t) (word >> 8);
    into[i + 1 - high] = (uint8_t) word;
  }
}

SLIT_SCAN_INLINE void
slit_scan_mix_body (uint8_t * into, const uint8_t * other, size_t byte_count,
    uint32_t weight, SlitScanSamples samples)
{
  if (samples.kind == SLIT_SCAN_SAMPLES_BYTES)
    blend_bytes (into, other, byte_count, weight, true);
  else
    blend_words (into, other, byte_count, weight, samples, true);
}

SLIT_SCAN_VARIANTS (void, slit_scan_mix,
    (uint8_t * into, const uint8_t * other, size_t byte_count, uint32_t weight,
        SlitScanSamples samples), (into, other, byte_count, weight, samples));

SLIT_SCAN_INLINE void
slit_scan_feed_body (uint8_t * into, const uint8_t * other, size_t byte_count,
    uint32_t weight, SlitScanSamples samples)
{
  if (samples.kind == SLIT_SCAN_SAMPLES_BYTES)
    blend_bytes (into, other, byte_count, weight, false);
  else
    blend_words (into, other, byte_count, weight, samples, false);
}

SLIT_SCAN_VARIANTS (void, slit_scan_feed,
    (uint8_t * into, const uint8_t * other, size_t byte_count, uint32_t weight,
        SlitScanSamples samples), (into, other, byte_count, weight, samples));
