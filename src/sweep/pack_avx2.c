// SPDX-License-Identifier: Apache-2.0
// The loops over packs for machines with AVX2, without FMA.
#include <immintrin.h>
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

// Six entries of four lanes, one vector per entry.
typedef struct Six {
    __m256d v[SWEEP_DOFS];
} Six;

// Four rows become four columns; exchanging twice gives the rows back.
static inline void exchange(__m256d a[4])
{
    const __m256d low01 = _mm256_unpacklo_pd(a[0], a[1]), high01 = _mm256_unpackhi_pd(a[0], a[1]);
    const __m256d low23 = _mm256_unpacklo_pd(a[2], a[3]), high23 = _mm256_unpackhi_pd(a[2], a[3]);
    a[0] = _mm256_permute2f128_pd(low01, low23, 0x20);
    a[1] = _mm256_permute2f128_pd(high01, high23, 0x20);
    a[2] = _mm256_permute2f128_pd(low01, low23, 0x31);
    a[3] = _mm256_permute2f128_pd(high01, high23, 0x31);
}

static inline Six gather_six(const double* const at[4])
{
    Six six;
    for (int i = 0; i < 4; i++) {
        six.v[i] = _mm256_loadu_pd(at[i]);
    }
    exchange(six.v);
    const __m256d even = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(at[0] + 4)),
                                              _mm_loadu_pd(at[2] + 4), 1);
    const __m256d odd = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(at[1] + 4)),
                                             _mm_loadu_pd(at[3] + 4), 1);
    six.v[4] = _mm256_unpacklo_pd(even, odd);
    six.v[5] = _mm256_unpackhi_pd(even, odd);
    return six;
}

static inline void scatter_six(Six six, double* const at[4])
{
    const __m256d even = _mm256_unpacklo_pd(six.v[4], six.v[5]);
    const __m256d odd = _mm256_unpackhi_pd(six.v[4], six.v[5]);
    const __m128d rest[4] = {_mm256_castpd256_pd128(even), _mm256_castpd256_pd128(odd),
                             _mm256_extractf128_pd(even, 1), _mm256_extractf128_pd(odd, 1)};
    exchange(six.v);
    for (int i = 0; i < 4; i++) {
        _mm256_storeu_pd(at[i], six.v[i]);
        _mm_storeu_pd(at[i] + 4, rest[i]);
    }
}

#define LOOPS ut_sweep_loops_avx2
enum { VECTOR = 4 }; // doubles in a vector
#include "pack_loops.inc"

#ifdef __clang__
#pragma clang attribute pop
#endif

#endif
