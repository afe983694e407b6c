// SPDX-License-Identifier: Apache-2.0
// The table of solvers, the def, and one solve with its residual.
#include "internal.h"

#include <string.h>

typedef struct Solver {
    const char* name;
    LcpSolve* solve;
} Solver;

static const Solver solvers[UT_LCP_SOLVER_COUNT] = {
    [UT_LCP_AUTO] = {"auto", ut_lcp_auto},
    [UT_LCP_LEMKE] = {"lemke", ut_lcp_lemke},
    [UT_LCP_PIVOT] = {"pivot", ut_lcp_pivot},
    [UT_LCP_PGS] = {"pgs", ut_lcp_pgs},
    [UT_LCP_NEWTON] = {"newton", ut_lcp_newton},
    [UT_LCP_ENUMERATE] = {"enumerate", ut_lcp_enumerate},
};

const char* ut_lcp_outcome_name(utLcpOutcome outcome)
{
    static const char* const names[] = {
        [UT_LCP_SOLVED] = "solved",
        [UT_LCP_RAY] = "ray",
        [UT_LCP_ITERATIONS] = "iterations",
        [UT_LCP_NONE] = "none",
    };
    return (unsigned)outcome <= UT_LCP_NONE ? names[outcome] : "unknown";
}

const char* ut_lcp_solver_name(utLcpSolver solver)
{
    return (unsigned)solver < UT_LCP_SOLVER_COUNT ? solvers[solver].name : "unknown";
}

bool ut_lcp_solver_find(const char* name, utLcpSolver* solver)
{
    for (int s = 0; s < UT_LCP_SOLVER_COUNT; s++) {
        if (strcmp(name, solvers[s].name) == 0) {
            *solver = (utLcpSolver)s;
            return true;
        }
    }
    return false;
}

utLcpDef ut_lcp_def(void)
{
    return (utLcpDef){
        .tolerance = UT_LCP_TOLERANCE,
        .relaxation = 1.0,
        .equilibrate = true,
        .cookie = UT_LCP_DEF_COOKIE,
    };
}

// A NaN makes every comparison false, and so the def is rejected.
static bool def_ok(const utLcp* lcp, const utLcpDef* def)
{
    bool ok = def != NULL && def->cookie == UT_LCP_DEF_COOKIE && def->tolerance > 0.0 &&
              def->tolerance < HUGE_VAL && def->max_iterations >= 0 && def->relaxation > 0.0 &&
              def->relaxation < 2.0;
    ok = ok && (def->warm == NULL || def->warm->n == lcp->n);
    for (int i = 0; ok && def->cover != NULL && i < lcp->n; i++) {
        ok = def->cover[i] > 0.0 && def->cover[i] < HUGE_VAL;
    }
    return ok;
}

void ut_lcp_ray_scale(int n, const double* diagonal, double* ray)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        ray[i] *= diagonal != NULL ? diagonal[i] : 1.0;
        largest = fabs(ray[i]) > largest ? fabs(ray[i]) : largest;
    }
    for (int i = 0; largest > 0.0 && i < n; i++) {
        ray[i] /= largest;
    }
}

utStatus ut_lcp_run(const utLcp* lcp, utLcpSolver solver, const utLcpDef* def, utArena scratch,
                    double* z, utLcpInfo* info)
{
    utLcpInfo found = {.outcome = UT_LCP_ITERATIONS, .solver = solver};
    UT_TRY(solvers[solver].solve(lcp, def, scratch, z, &found));
    if (solver == UT_LCP_AUTO) {
        *info = found; // filled by the run of the solver that found it
        return UT_OK;
    }

    // the residual decides about "solved"; the solver's own outcome counts otherwise
    found.residual = ut_lcp_residual(lcp, z);
    if (found.residual <= def->tolerance) {
        found.outcome = UT_LCP_SOLVED;
    } else if (found.outcome == UT_LCP_SOLVED) {
        found.outcome = UT_LCP_ITERATIONS;
    }
    *info = found;
    return UT_OK;
}

utStatus ut_lcp_solve(const utLcp* lcp, utLcpSolver solver, const utLcpDef* def, utArena scratch,
                      double* z, utLcpInfo* info)
{
    UT_TRY(ut_lcp_check(lcp, NULL));
    if (z == NULL || info == NULL || (unsigned)solver >= UT_LCP_SOLVER_COUNT) {
        return UT_ERR_ARGUMENT;
    }
    if (!def_ok(lcp, def)) {
        return UT_ERR_DEF;
    }

    if (solver == UT_LCP_AUTO && ut_lcp_small(lcp, def, z, info)) {
        return UT_OK;
    }

    // work on a copy, so that z is unchanged after a failure
    const size_t size = (size_t)lcp->n * sizeof *z;
    double* answer = UT_PUSH(&scratch, double, lcp->n);
    if (answer == NULL) {
        return UT_ERR_CAPACITY;
    }
    bool start = def->warm_start;
    for (int i = 0; i < lcp->n; i++) {
        if (start && !isfinite(z[i])) {
            return UT_ERR_ARGUMENT;
        }
        answer[i] = start ? z[i] : 0.0;
    }
    UT_TRY(ut_lcp_run(lcp, solver, def, scratch, answer, info));
    memcpy(z, answer, size);
    return UT_OK;
}
