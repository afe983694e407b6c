// SPDX-License-Identifier: Apache-2.0
// The first try of `auto` at a small plain problem. Nothing is copied to an arena, scaled or planned; the
// residual decides about the answer, and without one the search goes on as if this had not been tried.
#include "small.h"

#include <string.h>

static bool is_solved_by_zero(const utLcp* lcp)
{
    bool solved = true;
    for (int i = 0; i < lcp->n; i++) {
        solved = solved && lcp->q[i] >= 0.0;
    }
    return solved;
}

static bool has_positive_diagonal(const utLcp* lcp)
{
    bool positive = true;
    for (int i = 0; i < lcp->n; i++) {
        positive = positive && ut_lcp_row(lcp, i)[i] > 0.0;
    }
    return positive;
}

static bool pivots(const utLcp* lcp, double tolerance, SmallAnswer* answer)
{
    return (lcp->n <= 4 && ut_small_four(lcp, tolerance, answer)) ||
           ut_small_blocks(lcp, tolerance, answer);
}

// Has the caller asked for nothing that concerns the way to the answer?
static bool is_plain_call(const utLcpDef* def)
{
    return !def->warm_start && def->warm == NULL && def->cover == NULL && def->max_iterations == 0;
}

bool ut_lcp_small(const utLcp* lcp, const utLcpDef* def, double* z, utLcpInfo* info)
{
    if (!ut_lcp_is_small(lcp) || !is_plain_call(def)) {
        return false;
    }
    if (is_solved_by_zero(lcp)) {
        memset(z, 0, (size_t)lcp->n * sizeof *z);
        *info = (utLcpInfo){.outcome = UT_LCP_SOLVED, .solver = UT_LCP_PIVOT, .residual = 0.0};
        return true;
    }
    SmallAnswer answer; // without an initializer, because that would clear it
    utLcpSolver solver = UT_LCP_PIVOT;
    if (!has_positive_diagonal(lcp) || !pivots(lcp, def->tolerance, &answer)) {
        solver = UT_LCP_LEMKE;
        if (!ut_small_lemke(lcp, def->tolerance, &answer)) {
            return false;
        }
    }
    memcpy(z, answer.z, (size_t)lcp->n * sizeof *z);
    *info = (utLcpInfo){.outcome = UT_LCP_SOLVED,
                        .solver = solver,
                        .iterations = answer.pivots,
                        .factorizations = answer.factorizations,
                        .residual = answer.residual};
    return true;
}
