// SPDX-License-Identifier: Apache-2.0
// Row X5: a thousand LCPs of friction problems, solved by Siconos as well.
#include "cases.h"

#ifdef UPTACK_HAVE_SICONOS

#include <fcntl.h>
#include <siconos/numerics/LCP_Solvers.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>
#include <stdlib.h>

enum { MOST = 40 };

// z of the peer's lexicographic Lemke. @return its own verdict, 0 for solved
static int solve_there(const utLcp* lcp, double* z)
{
    const int n = lcp->n;
    double columns[MOST * MOST], w[MOST] = {0};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            columns[j * n + i] = lcp->M[i * n + j];
        }
        z[i] = 0.0;
    }
    int info = -1;
    numerics_set_verbose(0);
    LinearComplementarityProblem problem = {.size = n, .q = (double*)(uintptr_t)lcp->q};
    problem.M = NM_create_from_data(NM_DENSE, n, n, columns);
    SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
    options->dparam[SICONOS_DPARAM_TOL] = 1e-10;
    lcp_lexicolemke(&problem, z, w, &info, options);
    problem.M->matrix0 = NULL; // ours
    NM_clear(problem.M);
    free(problem.M);
    solver_options_delete(options);
    free(options);
    return info;
}

TEST(X5_a_thousand_problems_beside_siconos)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    int here = 0, there = 0, apart = 0;
    double worst[2] = {0, 0};
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        Random p;
        make_random(&p, seed, 1 + (int)(seed % 3), 0, 9, &section, 0.5);
        const utPrintedDef def = ut_printed_def(UT_NOTATION_DART, 0.01);
        utArena arena = test_arena();
        const Printed s = solve_printed(&p.problem, &def, UT_LCP_AUTO, &arena);
        double z[MOST], r[MAX_ROWS], v[2][MAX_DOF];
        const int info = solve_there(&s.system.lcp, z);
        const double residual = ut_lcp_residual(&s.system.lcp, z);
        const bool solved = info == 0 && residual <= 1e-8;
        here += s.info.outcome == UT_LCP_SOLVED;
        there += solved;
        worst[0] = fmax(worst[0], s.info.residual);
        worst[1] = solved ? fmax(worst[1], residual) : worst[1];
        if (solved && s.info.outcome == UT_LCP_SOLVED) {
            CHECK_INT(ut_printed_impulses(&s.system, z, arena, r), UT_OK);
            velocities(&p.problem, s.r, v[0]);
            velocities(&p.problem, r, v[1]);
            apart += distance(9, v[0], v[1]) > 1e-6;
        }
    }
    test_note("solved %d here (residual <= %.1e), %d there (<= %.1e); velocities differ in %d",
              here, worst[0], there, worst[1], apart);
    CHECK_INT(here, 1000);
    CHECK_INT(apart, 0);
    CHECK(there > 900);
}

#else

TEST(X5_a_thousand_problems_beside_siconos)
{
    test_skip("built without Siconos (libsiconos-numerics-dev)");
}

#endif
