/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Macros that compile one loop for several processors. */
#pragma once

#include <stdbool.h>

#include "slitscan-variants.h"

/* A sum of products is rounded twice by processors without fused ones, and so
 * by all. */
#pragma STDC FP_CONTRACT OFF

#define SLIT_SCAN_INLINE static inline __attribute__ ((always_inline))

/* For what is long and seldom done: once, and not for each processor. */
#define SLIT_SCAN_APART static __attribute__ ((noinline))

/* Begin the definition of name(), whose body follows: compile that for any
 * processor, and again for others, and choose between them. SLIT_SCAN_VARIANTS
 * is for loops that gain nothing from AVX-512. */
#define SLIT_SCAN_VARIANTS(result, name, parameters, arguments)               \
  SLIT_SCAN_INLINE result name##_body parameters;                             \
  SLIT_SCAN_CHOICE (result, name, parameters, arguments)                      \
  SLIT_SCAN_INLINE result name##_body parameters

#define SLIT_SCAN_WIDE_VARIANTS(linkage, result, name, parameters, arguments) \
  SLIT_SCAN_INLINE result name##_body parameters;                             \
  SLIT_SCAN_WIDE_CHOICE (linkage, result, name, parameters, arguments)        \
  SLIT_SCAN_INLINE result name##_body parameters

/* Define name() for a function name##_body that is SLIT_SCAN_INLINE. */
#if defined(__x86_64__)

#define SLIT_SCAN_AVX2 __attribute__ ((target ("avx2")))
#define SLIT_SCAN_AVX512 \
  __attribute__ ((target ("avx2,avx512f,avx512bw,avx512dq,avx512vl"),         \
          min_vector_width (512)))

#define SLIT_SCAN_CHOICE(result, name, parameters, arguments)                 \
  static result name##_any parameters { return name##_body arguments; }       \
  SLIT_SCAN_AVX2                                                              \
  static result name##_avx2 parameters { return name##_body arguments; }      \
  result name parameters                                                      \
  {                                                                           \
    return slit_scan_variant () >= SLIT_SCAN_VARIANT_AVX2                     \
        ? name##_avx2 arguments : name##_any arguments;                       \
  }

#define SLIT_SCAN_WIDE_CHOICE(linkage, result, name, parameters, arguments)   \
  static result name##_any parameters { return name##_body arguments; }       \
  SLIT_SCAN_AVX2                                                              \
  static result name##_avx2 parameters { return name##_body arguments; }      \
  SLIT_SCAN_AVX512                                                            \
  static result name##_avx512 parameters { return name##_body arguments; }    \
  linkage result name parameters                                              \
  {                                                                           \
    switch (slit_scan_variant ()) {                                           \
      case SLIT_SCAN_VARIANT_AVX512:                                          \
        return name##_avx512 arguments;                                       \
      case SLIT_SCAN_VARIANT_AVX2:                                            \
        return name##_avx2 arguments;                                         \
      default:                                                                \
        return name##_any arguments;                                          \
    }                                                                         \
  }

#else

#define SLIT_SCAN_CHOICE(result, name, parameters, arguments)                 \
  result name parameters { return name##_body arguments; }
#define SLIT_SCAN_WIDE_CHOICE(linkage, result, name, parameters, arguments)   \
  linkage result name parameters { return name##_body arguments; }

#endif
