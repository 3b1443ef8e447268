/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The map curve for rows: shape values f to map values g. */

#include "curve.h"

SLIT_SCAN_VARIANTS (void, slit_scan_curve_row,
    (const float *f, float *g, size_t count, const SlitScanCurve * curve),
    (f, g, count, curve))
{
  curve_row (f, g, count, curve);
}
