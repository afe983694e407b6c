// SPDX-License-Identifier: Apache-2.0
// One signature, one table, one judge.
#include <string.h>

#include "interior.h"
#include "coulomb/polygons/polyhedral.h"

typedef struct Solver {
    const char* name;
    CoulombSolve* solve;
} Solver;

static const Solver solvers[UT_COULOMB_SOLVER_COUNT] = {
    [UT_COULOMB_AUTO] = {"auto", ut_coulomb_auto},
    [UT_COULOMB_IPM] = {"ipm", ut_coulomb_ipm},
    [UT_COULOMB_PROXIMAL] = {"proximal", ut_coulomb_proximal},
    [UT_COULOMB_NEWTON] = {"newton", ut_coulomb_newton},
    [UT_COULOMB_NSGS] = {"nsgs", ut_coulomb_nsgs},
    [UT_COULOMB_LCP] = {"lcp", ut_coulomb_lcp},
};

enum { PROVABLE = 300 }; // rows up to which it is tried to prove that there is no answer

static const double CONE_TOLERANCE = 1e-12; // certificate.md
static const double FAR = 1e3; // of the tolerance: an E above it makes way for the convex form

const char* ut_coulomb_outcome_name(utCoulombOutcome outcome)
{
    static const char* const names[] = {
        [UT_COULOMB_SOLVED] = "solved",
        [UT_COULOMB_ITERATIONS] = "iterations",
        [UT_COULOMB_CONVEX] = "convex",
        [UT_COULOMB_NONE] = "none",
    };
    return (unsigned)outcome <= UT_COULOMB_NONE ? names[outcome] : "unknown";
}

const char* ut_coulomb_solver_name(utCoulombSolver solver)
{
    return (unsigned)solver < UT_COULOMB_SOLVER_COUNT ? solvers[solver].name : "unknown";
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
        .scale = 1.0,
        .cookie = UT_DEF_COOKIE,
    };
}

// NaN lands on the failing side
static bool def_ok(const utCoulombDef* def)
{
    return def != NULL && def->cookie == UT_DEF_COOKIE && def->tolerance > 0.0 &&
           def->tolerance < HUGE_VAL && def->max_iterations >= 0 && def->rho >= 0.0 &&
           def->rho < HUGE_VAL && def->scale > 0.0 && def->scale < HUGE_VAL &&
           def->regularization >= 0.0 && def->regularization < HUGE_VAL && def->relaxation >= 0.0 &&
           def->relaxation < HUGE_VAL;
}

// The problem without friction, as a polygon's so that its LCP can be written. A velocity that
// opens or keeps all contacts is all that the law needs, with friction or without.
static utCoulomb without_friction(const utCoulomb* problem, const double* mu,
                                  const utSection* section)
{
    utCoulomb smooth = *problem;
    smooth.mu = mu;
    smooth.section = section;
    smooth.section_of = NULL;
    return smooth;
}

static utSection any_polygon(int dimension)
{
    utSection section = ut_section_segment();
    if (dimension == 3) {
        (void)ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &section, NULL);
    }
    return section;
}

static bool is_provable(const utCoulomb* problem)
{
    return ut_coulomb_rows(problem) <= PROVABLE && problem->contacts > 0 &&
           !ut_coulomb_has_bounds(problem);
}

static bool passes(const utCoulombDef* def, const utCoulombVerdict* verdict)
{
    return verdict->E <= def->tolerance && verdict->bilateral <= 0.1 * def->tolerance &&
           verdict->cone <= CONE_TOLERANCE;
}

// Run a solver and judge what it found.
static utStatus run(const utCoulomb* problem, utCoulombSolver solver, const utCoulombDef* def,
                    utArena scratch, double* r, utCoulombInfo* info)
{
    utCoulombInfo found = {.outcome = UT_COULOMB_ITERATIONS, .solver = solver};
    UT_TRY(solvers[solver].solve(problem, def, scratch, r, &found));
    UT_TRY(ut_coulomb_judge(problem, def->convex, r, scratch, NULL, &found.verdict));
    if (passes(def, &found.verdict)) {
        found.outcome = UT_COULOMB_SOLVED;
    } else if (found.outcome != UT_COULOMB_NONE) {
        found.outcome = UT_COULOMB_ITERATIONS;
        found.rung = UT_RUNG_NONE;
    }
    *info = found;
    return UT_OK;
}

// The last resort: the convex form, whose velocities are unique. It takes the place of a best
// iterate that is far off, and the verdict stays the one by the law that was asked for.
static utStatus fall_back(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                          double* r, utCoulombInfo* info)
{
    const int N = ut_coulomb_rows(problem);
    utCoulombDef convex = *def;
    utCoulombInfo found;
    double* answer = ut_coulomb_push(&scratch, 1, N);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(answer, 0, (size_t)N * sizeof *answer);
    convex.convex = true;
    convex.warm_start = false;
    convex.max_iterations = 0;
    UT_TRY(run(problem, UT_COULOMB_AUTO, &convex, scratch, answer, &found));
    if (found.outcome != UT_COULOMB_SOLVED) {
        return UT_OK;
    }
    memcpy(r, answer, (size_t)N * sizeof *r);
    info->solver = found.solver;
    info->rung = UT_RUNG_CONVEX;
    info->iterations += found.iterations;
    UT_TRY(ut_coulomb_judge(problem, false, r, scratch, NULL, &info->verdict));

    // where nothing slips the convex form is the law itself
    info->outcome = passes(def, &info->verdict) ? UT_COULOMB_SOLVED : UT_COULOMB_CONVEX;
    return UT_OK;
}

// See whether the contacts exclude each other, and prove it if so.
static utStatus prove_none(const utCoulomb* problem, utArena scratch, double* r,
                           utCoulombInfo* info)
{
    if (!is_provable(problem)) {
        return UT_OK;
    }
    const int N = ut_coulomb_rows(problem);
    const double none[PROVABLE] = {0.0};
    const utSection section = any_polygon(problem->dimension);
    const utCoulomb smooth = without_friction(problem, none, &section);
    const utCoulombDef def = ut_coulomb_def();
    utCoulombInfo found = {0};
    double* proof = ut_coulomb_push(&scratch, 1, N);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(proof, 0, (size_t)N * sizeof *proof);
    UT_TRY(ut_coulomb_lcp(&smooth, &def, scratch, proof, &found));
    if (found.outcome != UT_COULOMB_NONE) {
        return UT_OK;
    }
    memcpy(r, proof, (size_t)N * sizeof *r);
    info->outcome = UT_COULOMB_NONE;
    info->rung = UT_RUNG_NONE;
    return ut_coulomb_judge(problem, false, r, scratch, NULL, &info->verdict);
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
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int k = 0; k < N; k++) {
        if (def->warm_start && !isfinite(r[k])) {
            return UT_ERR_ARGUMENT;
        }
        answer[k] = def->warm_start ? r[k] : 0.0;
    }
    utCoulombInfo found;
    UT_TRY(run(problem, solver, def, scratch, answer, &found));
    const bool far = !(found.verdict.E <= FAR * def->tolerance);
    const bool lost = found.outcome == UT_COULOMB_ITERATIONS && far && !def->convex;
    if (lost) {
        UT_TRY(prove_none(problem, scratch, answer, &found));
    }
    if (lost && found.outcome != UT_COULOMB_NONE && !def->no_fallback) {
        UT_TRY(fall_back(problem, def, scratch, answer, &found));
    }
    memcpy(r, answer, (size_t)N * sizeof *r);
    *info = found;
    return UT_OK;
}
