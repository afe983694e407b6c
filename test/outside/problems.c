// SPDX-License-Identifier: Apache-2.0
// A user's program with the second library: it reads a problem and solves it.
#include <stdio.h>
#include <uptack/problems.h>

static const char text[] = "2\n2 1\n1 2\n-5 -6\n";

int main(void)
{
    const utText problem = {text, sizeof text - 1};
    static utError err;
    static utLcpInfo info;
    utArena keep;
    utLcp lcp;
    double z[2] = {0, 0};
    bool solved = false;
    if (ut_arena_create(1 << 16, NULL, &keep) != UT_OK) {
        return 1;
    }
    if (ut_lcp_read(problem, "two", UT_LCP_FORMAT_TEXT, &keep, &lcp, &err) == UT_OK) {
        const utLcpDef def = ut_lcp_def();
        solved = ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, keep, z, &info) == UT_OK &&
                 info.outcome == UT_LCP_SOLVED;
    }
    ut_arena_destroy(&keep);
    printf("z = (%g, %g)%s\n", z[0], z[1], solved ? "" : ", not solved");
    return solved ? 0 : 1;
}
