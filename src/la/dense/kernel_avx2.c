// SPDX-License-Identifier: Apache-2.0
// The loops for machines with AVX2. FMA is not used, because it rounds once where other machines round
// twice.
#include "la/internal.h"

#ifdef UT_AVX2

#include <math.h>
#include <stdint.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define LOOPS ut_loops_avx2
enum { VECTOR = 4 }; // doubles in a vector
#include "loops.inc"

#ifdef __clang__
#pragma clang attribute pop
#endif

#endif
