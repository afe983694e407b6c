// SPDX-License-Identifier: Apache-2.0
// Projected Gauss-Seidel with relaxation: each unknown in turn solves its own row.
//
//     z_i <- clamp(z_i - relaxation w_i / M_ii, lo_i, hi_i)
//
// Converges when M is symmetric positive definite, and for symmetric positive semidefinite M when a
// solution exists; otherwise it may diverge. Bounds with a friction index use the newest z_k. A row
// needs a positive diagonal to be solved for its own unknown, with one exception: if row and column
// i of M are zero, as for the third direction of a planar scene, z_i goes to the bound that q_i
// demands, or to the point between its bounds nearest to zero.
#include "lcp/internal.h"

#include "la/dense/kernel.h"
#include "la/scalar.h"

#include <string.h>

enum { DEFAULT_SWEEPS = 1000 };

// True when row and column i of M are zero and unknown i has the bound that q_i demands.
static bool is_absent(const utLcp* lcp, int i)
{
    const double* row = ut_lcp_row(lcp, i);
    for (int j = 0; j < lcp->n; j++) {
        if (row[j] != 0.0 || ut_lcp_row(lcp, j)[i] != 0.0) {
            return false;
        }
    }
    bool has_lo = i >= lcp->free_count && (lcp->lo == NULL || isfinite(lcp->lo[i]));
    bool has_hi = i >= lcp->free_count && lcp->hi != NULL && isfinite(lcp->hi[i]);
    return lcp->q[i] == 0.0 || (lcp->q[i] > 0.0 ? has_lo : has_hi);
}

// The factor of each row's slack in a sweep; 0 for an unknown that M does not contain.
// @return false when a row cannot be solved for its own unknown
static bool find_steps(const utLcp* lcp, double relaxation, double* step)
{
    for (int i = 0; i < lcp->n; i++) {
        double diagonal = ut_lcp_row(lcp, i)[i];
        step[i] = diagonal > 0.0 ? relaxation / diagonal : 0.0;
        if (!(step[i] < HUGE_VAL) || (!(step[i] > 0.0) && !is_absent(lcp, i))) {
            return false;
        }
    }
    return true;
}

static double absent_value(double q, double lo, double hi)
{
    if (q != 0.0) {
        return q > 0.0 ? lo : hi;
    }
    return ut_clamp(0.0, lo, hi);
}

// One pass over all unknowns. @return the largest |change of z_i / step_i|, which is a change of
// slack; NaN or infinite when the sweeps diverge
static double sweep(const utLcp* lcp, const double* step, double* z)
{
    double most = 0.0;
    for (int i = 0; i < lcp->n; i++) {
        double lo, hi;
        ut_lcp_bounds(lcp, i, z, &lo, &hi);
        if (step[i] == 0.0) {
            z[i] = absent_value(lcp->q[i], lo, hi);
            continue;
        }
        double w = ut_dot(lcp->n, ut_lcp_row(lcp, i), z) + lcp->q[i];
        double next = ut_clamp(z[i] - step[i] * w, lo, hi);
        double change = fabs(next - z[i]) / step[i];
        most = ut_larger(most, change);
        z[i] = next;
    }
    return most;
}

utStatus ut_lcp_pgs(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                    utLcpInfo* info)
{
    const size_t size = (size_t)lcp->n * sizeof *z;
    double* step = UT_PUSH(&scratch, double, lcp->n);
    double* best = UT_PUSH(&scratch, double, lcp->n);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    if (!def->warm_start) {
        memset(z, 0, size);
    }
    info->outcome = UT_LCP_ITERATIONS;
    info->iterations = 0;
    info->factorizations = 0;
    if (!find_steps(lcp, def->relaxation, step)) {
        return UT_OK;
    }

    // sweep until the changes and then the residual are within the tolerance
    const int limit = def->max_iterations > 0 ? def->max_iterations : DEFAULT_SWEEPS;
    const double q_size = ut_max_abs(lcp->n, lcp->q);
    double enough = def->tolerance * (q_size > 0.0 ? q_size : 1.0);
    double least_change = HUGE_VAL;
    memcpy(best, z, size);
    while (info->iterations < limit) {
        double change = sweep(lcp, step, z);
        info->iterations++;
        if (!(change < HUGE_VAL)) {
            break;
        }
        if (change < least_change) {
            least_change = change;
            memcpy(best, z, size);
        }
        if (change <= enough) {
            double residual = ut_lcp_residual(lcp, z);
            if (residual <= def->tolerance) {
                info->outcome = UT_LCP_SOLVED;
                return UT_OK;
            }
            if (change == 0.0) {
                break;
            }
            // compute the residual again when the change has shrunk as much as the residual must
            enough = 0.5 * change * fmax(def->tolerance / residual, 0.01);
        }
    }

    // if the sweeps diverged return the iterate with the least change, or the start
    if (!(ut_lcp_residual(lcp, z) < ut_lcp_residual(lcp, best))) {
        memcpy(z, best, size);
    }
    return UT_OK;
}
