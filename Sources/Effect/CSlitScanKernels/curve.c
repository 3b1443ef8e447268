/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The map curve for rows: shape values f to map values g. */

#include "slitscan-kernels.h"
#include "variants.h"

/* The whole number below; values are far from the ends of an int32_t. */
SLIT_SCAN_INLINE float
whole_below (float value)
{
  float whole = (float) (int32_t) value;

  return whole > value ? whole - 1 : whole;
}

SLIT_SCAN_INLINE float
curve_value (float f, bool inverts, float gain, float offset, int32_t edge)
{
  float g;

  /* Smoothing may leave 0 to 1 by a rounding, which must not wrap. */
  f = f < 0 ? 0 : f;
  f = f > 1 ? 1 : f;
  g = (inverts ? 1 - f : f) * gain + offset;

  if (edge == SLIT_SCAN_CURVE_CLAMP) {
    g = g < 0 ? 0 : g;
    return g > 1 ? 1 : g;
  } else if (edge == SLIT_SCAN_CURVE_WRAP) {
    float wrapped = g - whole_below (g);

    return g >= 0 && g <= 1 ? g : wrapped;
  } else {
    float folded = g - 2 * whole_below (g / 2);

    folded = folded > 1 ? 2 - folded : folded;
    return g >= 0 && g <= 1 ? g : folded;
  }
}

SLIT_SCAN_VARIANTS (void, slit_scan_curve_row,
    (const float *f, float *g, size_t count, const SlitScanCurve * curve),
    (f, g, count, curve))
{
  bool inverts = curve->inverts;
  float gain = curve->gain;
  float offset = curve->offset;

  /* One loop each, so that each is free of choices. */
  if (curve->edge == SLIT_SCAN_CURVE_CLAMP) {
    for (size_t i = 0; i < count; i++)
      g[i] = curve_value (f[i], inverts, gain, offset, SLIT_SCAN_CURVE_CLAMP);
  } else if (curve->edge == SLIT_SCAN_CURVE_WRAP) {
    for (size_t i = 0; i < count; i++)
      g[i] = curve_value (f[i], inverts, gain, offset, SLIT_SCAN_CURVE_WRAP);
  } else {
    for (size_t i = 0; i < count; i++)
      g[i] = curve_value (f[i], inverts, gain, offset, SLIT_SCAN_CURVE_MIRROR);
  }
}
