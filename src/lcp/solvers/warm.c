// SPDX-License-Identifier: Apache-2.0
// Warm starts: their memory, and when their factor may be used.
#include "lcp/internal.h"

size_t ut_lcp_warm_size(int n)
{
    const size_t N = (size_t)n;
    return ut_arena_need(N, 1) + 2 * ut_arena_need(N, sizeof(int)) +
           ut_arena_need(N * N, sizeof(double)) + 3 * ut_arena_need(N, sizeof(double));
}

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
        .F = UT_PUSH(&tried, double, (size_t)n*(size_t)n),
        .d = UT_PUSH(&tried, double, n),
        .row = UT_PUSH(&tried, double, n),
        .col = UT_PUSH(&tried, double, n),
    };
    if (made.F == NULL || made.col == NULL) {
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
