// SPDX-License-Identifier: Apache-2.0
// Warm starts: their memory, and the test whether their factor may be used.
#include "lcp/internal.h"

#include "la/dense/dense.h"

utStatus ut_lcp_warm_create(int n, utArena* keep, utLcpWarm* warm)
{
    if (n < 1) {
        return UT_ERR_ARGUMENT;
    }
    utArena tried = *keep;
    utLcpWarm made = {
        .n = n,
        .active = UT_PUSH(&tried, unsigned char, n),
        .order = UT_PUSH(&tried, int, n),
        .perm = UT_PUSH(&tried, int, n),
        .F = ut_matrix_push(&tried, n, n),
        .d = UT_PUSH(&tried, double, n),
        .row = UT_PUSH(&tried, double, n),
        .col = UT_PUSH(&tried, double, n),
    };
    if (ut_arena_failed(&tried)) {
        return UT_ERR_CAPACITY;
    }
    *keep = tried;
    *warm = made;
    return UT_OK;
}

const utLcpWarm* ut_lcp_kept_factor(const utLcpDef* def, int factor)
{
    const utLcpWarm* warm = def->warm;
    bool usable = warm != NULL && warm->valid && def->same_matrix;
    return usable && warm->factor == factor ? warm : NULL;
}
