/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The choice of a loop's processor variant. All variants give the same
 * bits. */
#pragma once

#include <stdint.h>

enum
{
  SLIT_SCAN_VARIANT_ANY,        /* any processor; on ARM, that is with NEON */
  SLIT_SCAN_VARIANT_AVX2,
  SLIT_SCAN_VARIANT_AVX512,     /* F, BW, DQ and VL */
};

/* The best variant that this processor has, or the one that was asked for. */
int32_t slit_scan_variant (void);

/* Asks for no better variant than this one, in the whole process: for tests and
 * benchmarks. */
void slit_scan_limit_variant (int32_t best);
