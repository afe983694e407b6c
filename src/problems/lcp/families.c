// SPDX-License-Identifier: Apache-2.0
// Families of problems; uptack/lcp_problems.h lists their properties.
//
// Murty: Computational complexity of complementary pivot methods. Math. Prog. Study 7, 1978.
// Fathi: Computational complexity of LCPs associated with positive definite symmetric matrices.
// Math. Prog. 17, 1979. Csizmadia's matrix: de Klerk, E.-Nagy: On the complexity of computing the
// handicap of a sufficient matrix. Math. Prog. 129, 2011.
#include <uptack/lcp_problems.h>

#include "la/dense/dense.h"

#include "la/dense/kernel.h"

#include <math.h>
#include <string.h>

enum { STRETCHES = 8, GRADED_MAX = 52, CSIZMADIA_MAX = 1000 };

// The arrays that a family fills: M and q, and z if it knows a solution.
typedef struct Draft {
    int n;
    double* M; // zero at first
    double* q;
    double* z; // zero at first
    utRng rng;
} Draft;

static double* at(const Draft* draft, int i, int j)
{
    return draft->M + (size_t)i * (size_t)draft->n + (size_t)j;
}

static void fill(double value, int n, double* x)
{
    for (int i = 0; i < n; i++) {
        x[i] = value;
    }
}

// ---- exponential families -----------------------------------------------------------------------

// M with 1 on the diagonal, `below` below and `above` above it
static void triangular(const Draft* draft, double below, double above)
{
    for (int i = 0; i < draft->n; i++) {
        for (int j = 0; j < draft->n; j++) {
            *at(draft, i, j) = j < i ? below : j > i ? above : 1.0;
        }
    }
}

// q_i = -(2^(n+1) - 2^i), i = 1 ... n
static void graded(const Draft* draft)
{
    for (int i = 0; i < draft->n; i++) {
        draft->q[i] = ldexp(1.0, i + 1) - ldexp(1.0, draft->n + 1);
    }
}

static void murty_upper(Draft* draft)
{
    triangular(draft, 0.0, 2.0);
    fill(-1.0, draft->n, draft->q);
    draft->z[draft->n - 1] = 1.0;
}

static void murty_lower(Draft* draft)
{
    triangular(draft, 2.0, 0.0);
    fill(-1.0, draft->n, draft->q);
    draft->z[0] = 1.0;
}

static void murty_upper_graded(Draft* draft)
{
    triangular(draft, 0.0, 2.0);
    graded(draft);
    draft->z[draft->n - 1] = ldexp(1.0, draft->n);
}

static void murty_lower_graded(Draft* draft)
{
    triangular(draft, 2.0, 0.0);
    graded(draft);
    draft->z[0] = ldexp(1.0, draft->n + 1) - 2.0;
}

// m_ii = 4 (i - 1) + 1, m_ij = 4 (min(i, j) - 1) + 2
static void fathi(Draft* draft)
{
    for (int i = 0; i < draft->n; i++) {
        for (int j = 0; j < draft->n; j++) {
            *at(draft, i, j) = 4.0 * (i < j ? i : j) + (i == j ? 1.0 : 2.0);
        }
    }
    fill(-1.0, draft->n, draft->q);
    draft->z[0] = 1.0;
}

static void csizmadia(Draft* draft)
{
    triangular(draft, -1.0, 0.0);
    fill(-1.0, draft->n, draft->q);
    for (int i = 0; i < draft->n; i++) {
        draft->z[i] = ldexp(1.0, i);
    }
}

// ---- random by class ----------------------------------------------------------------------------

// q = w - M z for a random complementary pair; of z_i and w_i exactly one is positive
static void plant(Draft* draft)
{
    for (int i = 0; i < draft->n; i++) {
        double value = ut_rng_range(&draft->rng, 0.1, 1.0);
        bool active = ut_rng_below(&draft->rng, 2) == 1;
        draft->z[i] = active ? value : 0.0;
        draft->q[i] = active ? 0.0 : value;
    }
    for (int i = 0; i < draft->n; i++) {
        draft->q[i] -= ut_dot(draft->n, at(draft, i, 0), draft->z);
    }
}

// M = A A' / n + shift I with a random n x rank matrix A, entries in [-1, 1)
static utStatus gram(Draft* draft, int rank, double shift, utArena scratch)
{
    const int n = draft->n;
    double* A = ut_matrix_push(&scratch, n, rank);
    if (A == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (size_t k = 0; k < (size_t)n * (size_t)rank; k++) {
        A[k] = ut_rng_range(&draft->rng, -1.0, 1.0);
    }
    // the kernel subtracts A A' from the lower triangle
    ut_syrk_sub(n, n, rank, A, rank, NULL, draft->M, n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double entry = -*at(draft, i, j) / n + (i == j ? shift : 0.0);
            *at(draft, i, j) = entry;
            *at(draft, j, i) = entry;
        }
    }
    return UT_OK;
}

// off-diagonal entries in [-1, 1); the diagonal exceeds the sum of their sizes by a half
static void dominant(Draft* draft)
{
    for (int i = 0; i < draft->n; i++) {
        double sum = 0.0;
        for (int j = 0; j < draft->n; j++) {
            double entry = ut_rng_range(&draft->rng, -1.0, 1.0);
            *at(draft, i, j) = entry;
            sum += j != i ? fabs(entry) : 0.0;
        }
        *at(draft, i, i) = 1.5 * sum + 1.0;
    }
    plant(draft);
}

static utStatus skew(Draft* draft, utArena scratch)
{
    UT_TRY(gram(draft, draft->n, 0.01, scratch));
    const double size = 1.0 / sqrt(draft->n);
    for (int i = 0; i < draft->n; i++) {
        for (int j = 0; j < i; j++) {
            double entry = ut_rng_range(&draft->rng, -size, size);
            *at(draft, i, j) += entry;
            *at(draft, j, i) -= entry;
        }
    }
    plant(draft);
    return UT_OK;
}

static utStatus spd(Draft* draft, utArena scratch)
{
    UT_TRY(gram(draft, draft->n, 0.01, scratch));
    plant(draft);
    return UT_OK;
}

static utStatus psd(Draft* draft, utArena scratch)
{
    UT_TRY(gram(draft, (draft->n + 1) / 2, 0.0, scratch));
    plant(draft);
    return UT_OK;
}

// z'Mz >= sum of 0.1 z_i^2 for z >= 0
static utStatus copositive(Draft* draft, utArena scratch)
{
    UT_TRY(gram(draft, (draft->n + 3) / 4, 0.0, scratch));
    for (int i = 0; i < draft->n; i++) {
        for (int j = 0; j < draft->n; j++) {
            *at(draft, i, j) += ut_rng_range(&draft->rng, i == j ? 0.1 : 0.0, 1.0);
        }
        draft->q[i] = ut_rng_range(&draft->rng, -1.0, 1.0);
    }
    return UT_OK;
}

static void dense(Draft* draft)
{
    for (int i = 0; i < draft->n; i++) {
        for (int j = 0; j < draft->n; j++) {
            *at(draft, i, j) = ut_rng_range(&draft->rng, -1.0, 1.0);
        }
        draft->q[i] = ut_rng_range(&draft->rng, -1.0, 1.0);
    }
}

// the load pushes up (q < 0) on every second stretch
static void obstacle(Draft* draft)
{
    const int n = draft->n;
    double load[STRETCHES];
    for (int s = 0; s < STRETCHES; s++) {
        double size = ut_rng_range(&draft->rng, 0.2, 1.0);
        load[s] = s % 2 == 0 ? -size : size;
    }
    for (int i = 0; i < n; i++) {
        *at(draft, i, i) = 2.0;
        if (i > 0) {
            *at(draft, i, i - 1) = -1.0;
            *at(draft, i - 1, i) = -1.0;
        }
        draft->q[i] = load[(int)((int64_t)i * STRETCHES / n)];
    }
}

// ---- the table ----------------------------------------------------------------------------------

typedef struct Family {
    const char* name;
    void (*plain)(Draft* draft); // this or with_gram, which needs scratch
    utStatus (*with_gram)(Draft* draft, utArena scratch);
    int n_max;  // 0: no limit
    bool known; // z is filled
    bool unique;
} Family;

static const Family families[UT_LCP_FAMILY_COUNT] = {
    [UT_LCP_MURTY_UPPER] = {"murty-upper", murty_upper, NULL, 0, true, true},
    [UT_LCP_MURTY_LOWER] = {"murty-lower", murty_lower, NULL, 0, true, true},
    [UT_LCP_MURTY_UPPER_GRADED] = {"murty-upper-graded", murty_upper_graded, NULL, GRADED_MAX, true,
                                   true},
    [UT_LCP_MURTY_LOWER_GRADED] = {"murty-lower-graded", murty_lower_graded, NULL, GRADED_MAX, true,
                                   true},
    [UT_LCP_FATHI] = {"fathi", fathi, NULL, 0, true, true},
    [UT_LCP_CSIZMADIA] = {"csizmadia", csizmadia, NULL, CSIZMADIA_MAX, true, true},
    [UT_LCP_DOMINANT] = {"dominant", dominant, NULL, 0, true, true},
    [UT_LCP_SKEW] = {"skew", NULL, skew, 0, true, true},
    [UT_LCP_SPD] = {"spd", NULL, spd, 0, true, true},
    [UT_LCP_PSD] = {"psd", NULL, psd, 0, true, false},
    [UT_LCP_COPOSITIVE] = {"copositive", NULL, copositive, 0, false, false},
    [UT_LCP_DENSE] = {"dense", dense, NULL, 0, false, false},
    [UT_LCP_OBSTACLE] = {"obstacle", obstacle, NULL, 0, false, true},
};

static bool is_family(utLcpFamily family)
{
    return (int)family >= 0 && family < UT_LCP_FAMILY_COUNT;
}

const char* ut_lcp_family_name(utLcpFamily family)
{
    return is_family(family) ? families[family].name : "unknown";
}

utStatus ut_lcp_family_create(utLcpFamily family, int n, uint64_t seed, utArena* keep,
                              utLcpProblem* problem)
{
    if (!is_family(family) || n < 1 || (families[family].n_max > 0 && n > families[family].n_max)) {
        return UT_ERR_ARGUMENT;
    }
    const Family* f = &families[family];
    utArena rest = *keep;
    const size_t square = (size_t)n * (size_t)n;
    Draft draft = {.n = n, .rng = ut_rng(seed, (uint64_t)family)};
    draft.M = ut_matrix_push(&rest, n, n);
    draft.q = UT_PUSH(&rest, double, n);
    draft.z = UT_PUSH(&rest, double, n);
    if (ut_arena_failed(&rest)) {
        return UT_ERR_CAPACITY;
    }

    memset(draft.M, 0, square * sizeof *draft.M);
    memset(draft.z, 0, (size_t)n * sizeof *draft.z);
    if (f->with_gram != NULL) {
        UT_TRY(f->with_gram(&draft, rest));
    } else {
        f->plain(&draft);
    }
    *keep = rest;
    *problem = (utLcpProblem){
        .lcp = {.n = n, .M = draft.M, .q = draft.q},
        .z = f->known ? draft.z : NULL,
        .unique = f->unique,
    };
    return UT_OK;
}
