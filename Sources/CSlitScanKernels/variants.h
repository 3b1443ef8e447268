/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* One loop, compiled for several processors. */
#pragma once

#include <stdbool.h>

#define SLIT_SCAN_INLINE static inline __attribute__ ((always_inline))

/* Asks for the semicolon that makes a macro look like a declaration. */
#define SLIT_SCAN_END _Static_assert (true, "")

/* Defines name() for a function name##_body that is SLIT_SCAN_INLINE: the body
 * for any processor, the body again for AVX2, and the choice between them. */
#if defined(__x86_64__)
#define SLIT_SCAN_VARIANTS(result, name, parameters, arguments)               \
  static result name##_any parameters { return name##_body arguments; }       \
  __attribute__ ((target ("avx2")))                                           \
  static result name##_avx2 parameters { return name##_body arguments; }      \
  result name parameters                                                      \
  {                                                                           \
    return __builtin_cpu_supports ("avx2") ? name##_avx2 arguments            \
        : name##_any arguments;                                               \
  }                                                                           \
  SLIT_SCAN_END
#else
#define SLIT_SCAN_VARIANTS(result, name, parameters, arguments)               \
  result name parameters { return name##_body arguments; }                    \
  SLIT_SCAN_END
#endif
