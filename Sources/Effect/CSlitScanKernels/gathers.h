/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Lines of history whose every byte may come from another frame. */
#pragma once

#include "history.h"

/* The nearest frame. */
SLIT_SCAN_INLINE void
gather_nearest (const SlitScanHistoryFrames * history, HistoryKind kind,
    const LinePosition * position, const uint32_t * wide, Bytes * out)
{
  _Alignas (LINE_BYTES) uint8_t bytes[LINE_BYTES];

  for (size_t i = 0; i < LINE_BYTES; i++) {
    uint32_t level = wide[i] < history->oldest ? wide[i] : history->oldest;

    bytes[i] = *byte_of_history (history, kind, position, level, i);
  }
  *out = *(const Bytes *) (const void *) bytes;
}

/* The two levels around a wide delay and the weight of the second. */
SLIT_SCAN_INLINE void
find_neighbours (uint32_t delay, uint32_t oldest, uint32_t * level,
    uint32_t * next, uint32_t * weight)
{
  *level = delay >> WIDE_FRACTION;
  *level = *level < oldest ? *level : oldest;
  *next = *level < oldest ? *level + 1 : oldest;
  *weight = delay & ((1u << WIDE_FRACTION) - 1);
}

/* A weighted mean, rounded to the bits that are used. */
SLIT_SCAN_INLINE uint32_t
blend (uint32_t newer, uint32_t older, uint32_t weight, uint32_t unused_bits)
{
  uint32_t full = 1u << WIDE_FRACTION;
  uint32_t sum = newer * (full - weight) + older * weight;

  return (sum + (full << unused_bits) / 2) >> (WIDE_FRACTION + unused_bits)
      << unused_bits;
}

/* Between two frames. */
SLIT_SCAN_INLINE void
gather_bytes (const SlitScanHistoryFrames * history, HistoryKind kind,
    const LinePosition * position, const uint32_t * wide, Bytes * out)
{
  _Alignas (LINE_BYTES) uint8_t bytes[LINE_BYTES];

  for (size_t i = 0; i < LINE_BYTES; i++) {
    uint32_t level, next, weight;

    find_neighbours (wide[i], history->oldest, &level, &next, &weight);
    bytes[i] =
        (uint8_t) blend (*byte_of_history (history, kind, position, level, i),
        *byte_of_history (history, kind, position, next, i), weight, 0);
  }
  *out = *(const Bytes *) (const void *) bytes;
}

/* Sample by sample. */
SLIT_SCAN_INLINE void
gather_words (const SlitScanHistoryFrames * history, HistoryKind kind,
    const LinePosition * position, const uint32_t * wide, bool is_big_endian,
    uint32_t unused_bits, Bytes * out)
{
  Samples newer, older, result;
  Sums weights;

  for (size_t i = 0; i < LINE_BYTES / 2; i++) {
    uint32_t level, next, weight;
    uint16_t sample;

    find_neighbours (wide[i], history->oldest, &level, &next, &weight);
    memcpy (&sample, byte_of_history (history, kind, position, level, 2 * i),
        2);
    newer[i] = sample;
    memcpy (&sample, byte_of_history (history, kind, position, next, 2 * i), 2);
    older[i] = sample;
    weights[i] = weight;
  }
  swap_samples (&newer, is_big_endian);
  swap_samples (&older, is_big_endian);
  for (size_t i = 0; i < LINE_BYTES / 2; i++)
    result[i] = (uint16_t) blend (newer[i], older[i], weights[i], unused_bits);
  swap_samples (&result, is_big_endian);
  memcpy (out, &result, sizeof result);
}
