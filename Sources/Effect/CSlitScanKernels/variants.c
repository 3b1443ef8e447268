/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The detection of this processor's vector instructions. */

#include "slitscan-variants.h"

#include <stdatomic.h>

#define UNKNOWN -1

static _Atomic int32_t variant = UNKNOWN;

static int32_t
best_variant (void)
{
#if defined(__x86_64__)
  if (__builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512bw")
      && __builtin_cpu_supports ("avx512dq")
      && __builtin_cpu_supports ("avx512vl"))
    return SLIT_SCAN_VARIANT_AVX512;
  if (__builtin_cpu_supports ("avx2"))
    return SLIT_SCAN_VARIANT_AVX2;
#endif
  return SLIT_SCAN_VARIANT_ANY;
}

int32_t
slit_scan_variant (void)
{
  int32_t known = atomic_load_explicit (&variant, memory_order_relaxed);

  if (known == UNKNOWN) {
    known = best_variant ();
    atomic_store_explicit (&variant, known, memory_order_relaxed);
  }
  return known;
}

void
slit_scan_limit_variant (int32_t best)
{
  int32_t here = best_variant ();

  atomic_store_explicit (&variant, best < here ? best : here,
      memory_order_relaxed);
}
