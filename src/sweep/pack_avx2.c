// SPDX-License-Identifier: Apache-2.0
// The loops over packs for machines with AVX2, without FMA.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "la/internal.h"
#include "sweep.h"

#ifdef UT_AVX2

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define LOOPS ut_sweep_loops_avx2
enum { VECTOR = 4 }; // doubles in a vector
#define ENTRY_OF_LANES(at, j) ((Vector){(at)[0][j], (at)[1][j], (at)[2][j], (at)[3][j]})
#include "pack_loops.inc"

#ifdef __clang__
#pragma clang attribute pop
#endif

#endif
