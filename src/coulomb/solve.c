// One signature, one table, one judge.
#include <string.h>

#include "interior.h"

typedef struct Solver {
    const char* name;
    CoulombSolve* solve;
    CoulombScratch* scratch;
} Solver;

static const Solver solvers[UT_COULOMB_SOLVER_COUNT] = {
    [UT_COULOMB_AUTO] = {"auto", ut_coulomb_auto, ut_coulomb_auto_scratch},
    [UT_COULOMB_IPM] = {"ipm", ut_coulomb_ipm, ut_coulomb_ipm_scratch},
    [UT_COULOMB_PROXIMAL] = {"proximal", ut_coulomb_proximal, ut_coulomb_proximal_scratch},
    [UT_COULOMB_NSGS] = {"nsgs", ut_coulomb_nsgs, ut_coulomb_nsgs_scratch},
};

static const double CONE_TOLERANCE = 1e-12; // certificate.md

const char* ut_coulomb_outcome_name(utCoulombOutcome outcome)
{
    static const char* const names[] = {
        [UT_COULOMB_SOLVED] = "solved",
        [UT_COULOMB_ITERATIONS] = "iterations",
    };
    return names[outcome];
}

const char* ut_coulomb_solver_name(utCoulombSolver solver)
{
    return solvers[solver].name;
}

bool ut_coulomb_solver_find(const char* name, utCoulombSolver* solver)
{
    for (int s = 0; s < UT_COULOMB_SOLVER_COUNT; s++) {
        if (strcmp(name, solvers[s].name) == 0) {
            *solver = (utCoulombSolver)s;
            return true;
        }
    }
    return false;
}

utCoulombDef ut_coulomb_def(void)
{
    return (utCoulombDef){
        .tolerance = 1e-8,
        .cookie = UT_DEF_COOKIE,
    };
}

// NaN lands on the failing side
static bool def_ok(const utCoulombDef* def)
{
    return def != NULL && def->cookie == UT_DEF_COOKIE && def->tolerance > 0.0 &&
           def->tolerance < HUGE_VAL && def->max_iterations >= 0;
}

size_t ut_coulomb_scratch(const utCoulomb* problem, utCoulombSolver solver)
{
    const size_t copy = ut_coulomb_need(1, ut_coulomb_rows(problem));
    const size_t solve = solvers[solver].scratch(problem);
    const size_t judge = ut_coulomb_judge_scratch(problem);
    return ut_coulomb_plus(copy, solve > judge ? solve : judge);
}

// Run a solver and judge what it found.
static utStatus run(const utCoulomb* problem, utCoulombSolver solver, const utCoulombDef* def,
                    utArena scratch, double* r, utCoulombInfo* info)
{
    utCoulombInfo found = {.outcome = UT_COULOMB_ITERATIONS, .solver = solver};
    UT_TRY(solvers[solver].solve(problem, def, scratch, r, &found));
    UT_TRY(ut_coulomb_judge(problem, false, r, scratch, NULL, &found.verdict));
    const bool solved = found.verdict.E <= def->tolerance &&
                        found.verdict.bilateral <= 0.1 * def->tolerance &&
                        found.verdict.cone <= CONE_TOLERANCE;
    found.outcome = solved ? UT_COULOMB_SOLVED : UT_COULOMB_ITERATIONS;
    *info = found;
    return UT_OK;
}

utStatus ut_coulomb_solve(const utCoulomb* problem, utCoulombSolver solver, const utCoulombDef* def,
                          utArena scratch, double* r, utCoulombInfo* info)
{
    UT_TRY(ut_coulomb_check(problem, NULL));
    if (r == NULL || info == NULL || (unsigned)solver >= UT_COULOMB_SOLVER_COUNT) {
        return UT_ERR_ARGUMENT;
    }
    if (!def_ok(def)) {
        return UT_ERR_DEF;
    }

    // work on a copy, so that a failure changes nothing
    const int N = ut_coulomb_rows(problem);
    double* answer = ut_coulomb_push(&scratch, 1, N);
    if (answer == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int k = 0; k < N; k++) {
        if (def->warm_start && !isfinite(r[k])) {
            return UT_ERR_ARGUMENT;
        }
        answer[k] = def->warm_start ? r[k] : 0.0;
    }
    UT_TRY(run(problem, solver, def, scratch, answer, info));
    memcpy(r, answer, (size_t)N * sizeof *r);
    return UT_OK;
}
