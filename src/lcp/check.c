// SPDX-License-Identifier: Apache-2.0
// Checks a problem once, before it is solved; the solvers trust it.
#include "internal.h"

#include "la/dense/kernel.h"
#include "la/scalar.h"

double ut_lcp_largest(const utLcp* lcp)
{
    enum { ROWS_AT_ONCE = 32 };
    double most = 0.0;
    for (int i = 0; i < lcp->n; i += ROWS_AT_ONCE) {
        int rows = lcp->n - i < ROWS_AT_ONCE ? lcp->n - i : ROWS_AT_ONCE;
        double part = ut_max_abs(rows * lcp->n, ut_lcp_row(lcp, i));
        most = ut_larger(most, part);
        if (!isfinite(most)) {
            break;
        }
    }
    return most;
}

// 0 if all entries are finite, else NaN: x - x is 0 or NaN.
static double finite_sum(int n, const double* x)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        for (int lane = 0; lane < 4; lane++) {
            sum[lane] += x[k + lane] - x[k + lane];
        }
    }
    for (; k < n; k++) {
        sum[0] += x[k] - x[k];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

bool ut_lcp_is_finite(const utLcp* lcp)
{
    const int n = lcp->n;
    if (n <= UT_LCP_SMALL_MAX) {
        return finite_sum(n * n, lcp->M) + finite_sum(n, lcp->q) == 0.0;
    }
    return isfinite(ut_max_abs(n, lcp->q)) && isfinite(ut_lcp_largest(lcp));
}

static utStatus check_entries(const utLcp* lcp, utError* err)
{
    const int n = lcp->n;
    if (ut_lcp_is_finite(lcp)) {
        return UT_OK;
    }
    for (int i = 0; i < n; i++) {
        const double* row = ut_lcp_row(lcp, i);
        for (int j = 0; j < n; j++) {
            if (!isfinite(row[j])) {
                return ut_error_set(err, UT_ERR_ARGUMENT, "M[%d][%d] is not a finite number", i, j);
            }
        }
        if (!isfinite(lcp->q[i])) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "q[%d] is not a finite number", i);
        }
    }
    return ut_error_set(err, UT_ERR_ARGUMENT, "an entry is not a finite number");
}

static utStatus check_bounds(const utLcp* lcp, utError* err)
{
    if (lcp->lo == NULL && lcp->hi == NULL) {
        return UT_OK;
    }
    for (int i = lcp->free_count; i < lcp->n; i++) {
        double lo = lcp->lo != NULL ? lcp->lo[i] : 0.0;
        double hi = lcp->hi != NULL ? lcp->hi[i] : HUGE_VAL;
        if (!(lo <= hi) || lo == HUGE_VAL || hi == -HUGE_VAL) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "the bounds of unknown %d are %g and %g; lo <= hi is needed", i, lo,
                                hi);
        }
    }
    return UT_OK;
}

static utStatus check_findex(const utLcp* lcp, utError* err)
{
    for (int i = 0; lcp->findex != NULL && i < lcp->n; i++) {
        int k = lcp->findex[i];
        if (k == -1) {
            continue;
        }
        if (k < 0 || k >= lcp->n || k == i || i < lcp->free_count) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "findex[%d] is %d; it names another unknown, or is -1", i, k);
        }
        double lo = lcp->lo != NULL ? lcp->lo[k] : 0.0;
        if (k < lcp->free_count || lcp->findex[k] != -1 || !(lo >= 0.0)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "findex[%d] is %d, which is not a plain unknown with lo >= 0", i,
                                k);
        }
    }
    return UT_OK;
}

utStatus ut_lcp_check(const utLcp* lcp, utError* err)
{
    if (lcp == NULL || lcp->M == NULL || lcp->q == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "M and q are needed");
    }
    if (lcp->n < 1) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "n is %d; at least one unknown is needed",
                            lcp->n);
    }
    if (lcp->free_count < 0 || lcp->free_count > lcp->n) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "free is %d; it lies between 0 and n = %d",
                            lcp->free_count, lcp->n);
    }
    UT_TRY(check_entries(lcp, err));
    UT_TRY(check_bounds(lcp, err));
    return check_findex(lcp, err);
}

bool ut_lcp_is_plain(const utLcp* lcp)
{
    for (int i = lcp->free_count; i < lcp->n; i++) {
        bool lower = lcp->lo == NULL || lcp->lo[i] == 0.0;
        bool upper = lcp->hi == NULL || lcp->hi[i] == HUGE_VAL;
        if (!lower || !upper) {
            return false;
        }
    }
    return true;
}

void ut_lcp_clamp(const utLcp* lcp, double* z)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < lcp->n; i++) {
            const bool has_index = lcp->findex != NULL && lcp->findex[i] >= 0;
            if (has_index == (pass == 1)) {
                double lo, hi;
                ut_lcp_bounds(lcp, i, z, &lo, &hi);
                z[i] = ut_clamp(z[i], lo, hi);
            }
        }
    }
}
