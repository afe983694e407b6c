// SPDX-License-Identifier: Apache-2.0
// ut_coulomb_solve: runs a solver of the table, judges its impulses, and where these are far from an
// answer proves that there is none or solves the convex form.
#include <string.h>

#include "coulomb/forms/without_spins.h"
#include "coulomb/polygons/polyhedral.h"
#include "second_order.h"

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

enum { MAX_PROOF_ROWS = 300 }; // problems with more rows are not tested for having no answer

// An E above this many tolerances is far from an answer: the impulses are replaced by those of the
// convex form.
static const double FAR = 1e3;

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
        .cookie = UT_COULOMB_DEF_COOKIE,
    };
}

// Comparisons are turned so that a NaN fails.
static bool def_ok(const utCoulombDef* def)
{
    return def != NULL && def->cookie == UT_COULOMB_DEF_COOKIE && def->tolerance > 0.0 &&
           def->tolerance < HUGE_VAL && def->max_iterations >= 0 && def->rho >= 0.0 &&
           def->rho < HUGE_VAL && def->scale > 0.0 && def->scale < HUGE_VAL &&
           def->regularization >= 0.0 && def->regularization < HUGE_VAL && def->relaxation >= 0.0 &&
           def->relaxation < HUGE_VAL;
}

// The problem without friction, with polygonal sections so that it can be written as an LCP. With
// friction or without, an answer exists exactly where some velocity has u_n >= 0 at all contacts and
// u = 0 in all bilateral rows.
static utCoulomb without_friction(const utCoulomb* problem, const double* mu,
                                  const utSection* section)
{
    utCoulomb smooth = *problem;
    smooth.mu = mu;
    smooth.section = section;
    smooth.section_of = NULL;
    return smooth;
}

// A polygonal section; which one does not matter without friction.
static utSection any_polygon(int dimension)
{
    utSection section = ut_section_segment();
    if (dimension == 3) {
        (void)ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &section, NULL);
    }
    return section;
}

static bool proof_applies(const utCoulomb* problem)
{
    return ut_coulomb_rows(problem) <= MAX_PROOF_ROWS && problem->contacts > 0 &&
           !ut_coulomb_has_bounds(problem);
}

static bool passes(const utCoulombDef* def, const utCoulombVerdict* verdict)
{
    return ut_coulomb_passes(verdict->E, verdict->bilateral, def->tolerance) &&
           verdict->cone <= UT_CONE_TOLERANCE;
}

// Run a solver and judge its impulses. A solver that has judged them itself leaves the verdict, in
// which V is not 0.
static utStatus run(const utCoulomb* problem, utCoulombSolver solver, const utCoulombDef* def,
                    utArena scratch, double* r, utCoulombInfo* info)
{
    utCoulombInfo found = {.outcome = UT_COULOMB_ITERATIONS, .solver = solver};
    UT_TRY(solvers[solver].solve(problem, def, scratch, r, &found));
    if (found.verdict.V == 0.0) {
        UT_TRY(ut_coulomb_judge(problem, def->convex, r, scratch, NULL, &found.verdict));
    }
    if (passes(def, &found.verdict)) {
        found.outcome = UT_COULOMB_SOLVED;
    } else if (found.outcome != UT_COULOMB_NONE) {
        found.outcome = UT_COULOMB_ITERATIONS;
        found.rung = UT_RUNG_NONE;
    }
    *info = found;
    return UT_OK;
}

// The last resort: impulses of the convex form, whose velocities are unique, replace r. The verdict
// is still that by the law that was asked for.
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

    // where nothing slips the convex form agrees with the law
    info->outcome = passes(def, &info->verdict) ? UT_COULOMB_SOLVED : UT_COULOMB_CONVEX;
    return UT_OK;
}

// Try to prove that the contacts contradict each other. r then becomes the proof.
// @param problem of dimension 2 or 3
static utStatus prove_none_of_points(const utCoulomb* problem, utArena scratch, double* r,
                                     utCoulombInfo* info)
{
    if (!proof_applies(problem)) {
        return UT_OK;
    }
    const int N = ut_coulomb_rows(problem);
    const double none[MAX_PROOF_ROWS] = {0.0};
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
    return UT_OK;
}

// The same for all problems. Rows of angular velocity cannot contradict each other, so that the proof is
// that of the contact points.
static utStatus prove_none(const utCoulomb* problem, utArena scratch, double* r,
                           utCoulombInfo* info)
{
    const bool spins = ut_coulomb_spins(problem);
    utCoulomb points = *problem;
    if (spins && problem->blocks == NULL) {
        return UT_OK;
    }
    if (spins) {
        UT_TRY(ut_coulomb_without_spins(problem, &scratch, &points));
    }
    double* proof = ut_coulomb_push(&scratch, 1, ut_coulomb_rows(&points));
    if (proof == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(prove_none_of_points(&points, scratch, proof, info));
    if (info->outcome != UT_COULOMB_NONE) {
        return UT_OK;
    }
    const size_t d = (size_t)problem->dimension, kept = (size_t)points.dimension;
    memset(r, 0, (size_t)ut_coulomb_rows(problem) * sizeof *r);
    for (size_t i = 0; i < (size_t)problem->contacts; i++) {
        memcpy(r + d * i, proof + kept * i, kept * sizeof *r);
    }
    memcpy(r + d * (size_t)problem->contacts, proof + kept * (size_t)problem->contacts,
           (size_t)problem->bilaterals * sizeof *r);
    return ut_coulomb_judge(problem, false, r, scratch, NULL, &info->verdict);
}

utStatus ut_coulomb_solve(const utCoulomb* problem, utCoulombSolver solver, const utCoulombDef* def,
                          utArena scratch, double* r, utCoulombInfo* info)
{
    const bool trusted = def != NULL && def->trusted && problem != NULL && problem->blocks != NULL;
    UT_TRY(trusted ? ut_coulomb_check_numbers(problem) : ut_coulomb_check(problem, NULL));
    if (r == NULL || info == NULL || (unsigned)solver >= UT_COULOMB_SOLVER_COUNT) {
        return UT_ERR_ARGUMENT;
    }
    if (!def_ok(def)) {
        return UT_ERR_DEF;
    }

    // work on a copy, because a failure must not change r
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
    const bool failed = found.outcome == UT_COULOMB_ITERATIONS && far && !def->convex;
    if (failed) {
        UT_TRY(prove_none(problem, scratch, answer, &found));
    }
    if (failed && found.outcome != UT_COULOMB_NONE && !def->no_fallback) {
        UT_TRY(fall_back(problem, def, scratch, answer, &found));
    }
    memcpy(r, answer, (size_t)N * sizeof *r);
    *info = found;
    return UT_OK;
}
