// SPDX-License-Identifier: Apache-2.0
// The loops for AVX2 beside those for every machine: each leaves the same bits.
#include "la/internal.h"

#include "matrix.h"

enum { MOST = 67, LD = 71 };

typedef struct Both {
    const utLoops* loops[2];
    double* out[2]; // MOST x LD each
} Both;

// false, and the test is skipped, where there is only one kind of loops
static bool both_kinds(utArena* arena, Both* both)
{
    if (!ut_has_avx2()) {
        test_skip("no AVX2 here, so there is nothing to compare");
        return false;
    }
    *both = (Both){{&ut_loops_base, ut_loops_widest()},
                   {new_doubles(arena, MOST, LD), new_doubles(arena, MOST, LD)}};
    return CHECK(both->loops[0] != both->loops[1]);
}

static bool check_same_bits(const Both* both, int m, int n, int k)
{
    const bool same = memcmp(both->out[0], both->out[1], sizeof(double) * MOST * LD) == 0;
    if (!CHECK(same)) {
        test_note("m = %d, n = %d, k = %d", m, n, k);
    }
    return same;
}

// Entries of sizes from 2^-20 to 2^20, some of them zeros of either sign.
static double* uneven_doubles(utArena* arena, utRng* rng, int rows, int ld)
{
    double* A = random_doubles(arena, rng, rows, ld);
    for (int i = 0; i < rows * ld; i++) {
        A[i] = ldexp(A[i], ut_rng_below(rng, 41) - 20);
        A[i] *= ut_rng_below(rng, 9) > 0 ? 1.0 : 0.0;
    }
    return A;
}

TEST(vector_loops_for_avx2_have_the_bits_of_the_others)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(80, 0);
    Both both;
    if (!both_kinds(&arena, &both)) {
        return;
    }
    const double* x = uneven_doubles(&arena, &rng, 5, LD);
    const double* y = uneven_doubles(&arena, &rng, MOST, LD);
    const double *x1 = x + LD + 1, *x2 = x + 2 * LD + 2, *x3 = x + 3 * LD;
    for (int n = 0; n <= MOST; n++) {
        for (int kind = 0; kind < 2; kind++) {
            const utLoops* loops = both.loops[kind];
            double* out = both.out[kind];
            memcpy(out, y, sizeof(double) * MOST * LD);
            loops->axpy(n, 0.3, x, out);
            loops->axpy4(n, (double[4]){0.3, -1.7, 2.9, 1e-3}, x, x1, x2, x3, out + LD);
            loops->dot4(n, x, x1, x2, x3, x + 4 * LD, out + 2 * LD);
            out[3 * LD] = loops->dot(n, x1, x2);
            out[4 * LD] = loops->max_abs(n, x1);
        }
        if (!check_same_bits(&both, 1, n, 1)) {
            return;
        }
    }
}

TEST(matrix_products_for_avx2_have_the_bits_of_the_others)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(81, 0);
    Both both;
    if (!both_kinds(&arena, &both)) {
        return;
    }
    const double* A = uneven_doubles(&arena, &rng, MOST, LD);
    const double* B = uneven_doubles(&arena, &rng, MOST, LD);
    const double* C = uneven_doubles(&arena, &rng, MOST, LD);
    for (int trial = 0; trial < 1000; trial++) {
        const int m = ut_rng_below(&rng, MOST + 1);
        const int n = ut_rng_below(&rng, MOST + 1);
        const int k = ut_rng_below(&rng, MOST + 1);
        const bool symmetric = trial % 2 == 1;
        for (int kind = 0; kind < 2; kind++) {
            memcpy(both.out[kind], C, sizeof(double) * MOST * LD);
            if (symmetric) {
                both.loops[kind]->syrk_sub(m, least(m, n), k, A, LD, trial % 4 == 1 ? NULL : B,
                                           both.out[kind], LD);
            } else {
                both.loops[kind]->gemm_sub(m, n, k, A, LD, B, LD, both.out[kind], LD);
            }
        }
        if (!check_same_bits(&both, m, n, k)) {
            return;
        }
    }
}

TEST(triangular_solves_for_avx2_have_the_bits_of_the_others)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(82, 0);
    Both both;
    if (!both_kinds(&arena, &both)) {
        return;
    }
    const double* T = random_symmetric(&arena, &rng, MOST, LD, 8.0);
    const double* b = uneven_doubles(&arena, &rng, MOST, LD);
    for (int n = 0; n <= MOST; n++) {
        for (int kind = 0; kind < 2; kind++) {
            const utLoops* loops = both.loops[kind];
            double* x = both.out[kind];
            memcpy(x, b, sizeof(double) * MOST * LD);
            loops->lower_solve(n, T, LD, n % 2 == 0, x);
            loops->lower_solve_transposed(n, T, LD, n % 2 == 0, x + LD);
            loops->upper_solve(n, T, LD, x + 2 * LD);
        }
        if (!check_same_bits(&both, n, n, n)) {
            return;
        }
    }
}
