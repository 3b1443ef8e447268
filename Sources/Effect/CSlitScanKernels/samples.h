/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Samples of one byte or two, as they lie in memory. Where their kind,
 * SLIT_SCAN_SAMPLES_…, is a constant, so is all that follows from it. */
#pragma once

#include <string.h>

#include "slitscan-kernels.h"
#include "variants.h"

/* Calls a function with a kind, which is a constant there. */
#define FOR_KIND(kind, function, ...)                                         \
  do {                                                                        \
    switch (kind) {                                                           \
      case SLIT_SCAN_SAMPLES_BYTES:                                           \
        function (SLIT_SCAN_SAMPLES_BYTES, __VA_ARGS__);                      \
        break;                                                                \
      case SLIT_SCAN_SAMPLES_LITTLE_WORDS:                                    \
        function (SLIT_SCAN_SAMPLES_LITTLE_WORDS, __VA_ARGS__);               \
        break;                                                                \
      default:                                                                \
        function (SLIT_SCAN_SAMPLES_BIG_WORDS, __VA_ARGS__);                  \
        break;                                                                \
    }                                                                         \
  } while (0)

SLIT_SCAN_INLINE size_t
bytes_of (int32_t kind)
{
  return kind == SLIT_SCAN_SAMPLES_BYTES ? 1 : 2;
}

/* Words change their order as swap_samples() does. */
SLIT_SCAN_INLINE uint32_t
sample_at (const uint8_t * bytes, int32_t kind)
{
  uint16_t word;

  if (kind == SLIT_SCAN_SAMPLES_BYTES)
    return bytes[0];
  memcpy (&word, bytes, sizeof word);
  return kind == SLIT_SCAN_SAMPLES_BIG_WORDS ? __builtin_bswap16 (word) : word;
}

SLIT_SCAN_INLINE void
put_sample (uint32_t sample, int32_t kind, uint8_t * bytes)
{
  uint16_t word = kind == SLIT_SCAN_SAMPLES_BIG_WORDS
      ? __builtin_bswap16 ((uint16_t) sample) : (uint16_t) sample;

  if (kind == SLIT_SCAN_SAMPLES_BYTES)
    bytes[0] = (uint8_t) sample;
  else
    memcpy (bytes, &word, sizeof word);
}
