// SPDX-License-Identifier: Apache-2.0
// The ladder `auto`: from the warm start to the last resort, with the judge after each rung
// (docs/coulomb.md, Solvers). A rung starts from the impulses that the previous rung left; interior
// points have a start of their own.
#include <string.h>

#include "coulomb/forms/delassus.h"
#include "coulomb/forms/factored.h"
#include "coulomb/polygons/polyhedral.h"
#include "coulomb/polygons/refined_polygons.h"
#include "second_order.h"

// Sizes of problems, in rows, at which the order of the rungs changes; chosen by measurement.
enum {
    ROWS_NEWTON_FIRST = 48, // up to these, Newton on W costs next to nothing,
    ROWS_NEWTON_WARM =
        160,             // and up to these less than other rungs where W is full and a start known
    ROWS_LCP_FIRST = 96, // up to these, a polygon is tried as an LCP before the interior point,
    ROWS_LCP = 400,      // and up to these after it
    ROWS_DENSE_NEWTON = 100, // up to these, Newton on a dense W is worth a try before W is factored
    ROWS_SWEEPS_FIRST = 900, // above these, Gauss-Seidel comes before other interior points
    ROWS_DENSE_COPY = 1000,  // up to these, a sparse W is tried as a dense one in the end,
    ROWS_DENSE_LAST = 400,   // and up to these, a problem given by bodies is tried on its W
    ROWS_QUICK_NEWTON = 1500, // above these, a first try of Newton rarely succeeds
};

// Limits of single rungs.
enum {
    QUICK_STEPS = 12,   // Newton steps of a first try,
    NEWTON_STEPS = 60,  // and of a later one
    MAX_SWEEPS = 5000,  // of Gauss-Seidel
    LONG_LIMIT = 400,   // factorizations of the last proximal Newton
    REFINING_STEPS = 2, // factorizations from an answer toward rounding
    RELIEF_ROUNDS = 4,  // of the removal of self-stress
};

static const double SPARSE_FILL = 0.25; // fraction of entries below which a dense W is used by rows
static const double NEAR = 1e-3;        // E below which a polish converges as a rule

// Self-stress (ut_system_stress) above which an answer is relieved of it: about 1 where all impulses
// are needed, and rounding of the impulses stays far below the tolerance.
static const double LARGE_STRESS = 1e3;

// Fraction of the tolerance at which a warm start is taken as it is, and to which answers are
// refined: errors of steps that follow each other then do not add up to the tolerance.
static const double WARM_SHARE = 0.01;

typedef struct Ladder {
    System system;            // of the problem that is solved: `problem`, or one with its answers
    const utCoulomb* problem; // the problem that the judge sees
    utCoulomb round;          // the problem that is solved, with circles in place of polygons
    utSection circle;
    const utCoulombDef* def;
    double* r;                // N: impulses that the current rung works on
    double* best;             // N: the best impulses so far
    double* start;            // N: impulses of the problem with polygons
    double score;             // of the best impulses,
    utCoulombVerdict verdict; // and the judge's verdict on them
    int count;                // factorizations, and pivots of LCPs
    utRung rung;              // that answered
    bool tried_newton;        // the quick Newton was tried
} Ladder;

// ---- which problems a rung suits ----------------------------------------------------------------

// Should the LCP of a polygon be tried?
static bool lcp_applies(const utCoulomb* problem)
{
    return ut_coulomb_rows(problem) <= ROWS_LCP && ut_coulomb_polygonal(problem) &&
           !ut_coulomb_has_bounds(problem);
}

// Is W in rows small enough for a dense copy?
static bool dense_copy_applies(const utCoulomb* problem)
{
    return problem->W_start != NULL && ut_coulomb_rows(problem) <= ROWS_DENSE_COPY;
}

// Do most velocities belong to one tree, such as a robot? W has no zeros then.
static bool one_tree_dominates(const utCoulomb* problem)
{
    int largest = 0;
    for (int k = 0; problem->blocks != NULL && k < problem->blocks->nodes; k++) {
        const int size = problem->blocks->start[k + 1] - problem->blocks->start[k];
        largest = size > largest ? size : largest;
    }
    return 2 * largest >= problem->dof;
}

// Does Newton on W come before everything else?
static bool newton_first_applies(const utCoulomb* problem, const utCoulombDef* def)
{
    const int rows = ut_coulomb_rows(problem);
    const bool robot = def->warm_start && one_tree_dominates(problem);
    return problem->W == NULL && rows > 0 &&
           rows <= (robot ? ROWS_NEWTON_WARM : ROWS_NEWTON_FIRST) && !def->convex &&
           !ut_coulomb_polygonal(problem);
}

// Is the problem so large that a sweep costs less than a tenth of a factorization?
static bool sweeps_apply(const Ladder* ladder)
{
    return ladder->system.N > ROWS_SWEEPS_FIRST && ladder->system.problem == ladder->problem &&
           !ladder->def->convex;
}

// ---- one rung -----------------------------------------------------------------------------------

static void copy(const Ladder* ladder, const double* from, double* to)
{
    memcpy(to, from, (size_t)ladder->system.N * sizeof *to);
}

// Project impulses on their cones and bounds: a warm start of the caller may lie outside, and so may
// an answer that was found with circles in place of polygons.
static void confine(const utCoulomb* problem, double* r)
{
    const int d = problem->dimension;
    for (int i = 0; i < problem->contacts; i++) {
        const utLaw law = ut_coulomb_law(problem, i, false);
        ut_law_project(&law, r + (size_t)d * (size_t)i, r + (size_t)d * (size_t)i);
    }
    for (int j = 0; j < problem->bilaterals; j++) {
        double* r_j = r + (size_t)d * (size_t)problem->contacts + (size_t)j;
        *r_j = ut_coulomb_clamp(problem, j, *r_j);
    }
}

// Judge ladder->r and keep it where it is better than the best, or the first answer.
static utStatus judge(Ladder* ladder, utArena scratch, utRung rung)
{
    const double tolerance = ladder->def->tolerance;
    const bool convex = ladder->def->convex;
    utCoulombVerdict verdict;
    UT_TRY(ut_coulomb_judge(ladder->problem, convex, ladder->r, scratch, NULL, &verdict));
    if (verdict.cone > UT_CONE_TOLERANCE) {
        confine(ladder->problem, ladder->r);
        UT_TRY(ut_coulomb_judge(ladder->problem, convex, ladder->r, scratch, NULL, &verdict));
    }
    const bool done = ut_coulomb_passes(verdict.E, verdict.bilateral, tolerance) &&
                      verdict.cone <= UT_CONE_TOLERANCE;
    const double score = ut_coulomb_score(verdict.E, verdict.bilateral, tolerance);
    if (score < ladder->score && (done || ladder->rung == UT_RUNG_NONE)) {
        ladder->score = score;
        ladder->verdict = verdict;
        copy(ladder, ladder->r, ladder->best);
        ladder->rung = done ? rung : ladder->rung;
    }
    return UT_OK;
}

// Factorizations that are left, at most `limit`.
static int remaining(const Ladder* ladder, int limit)
{
    if (ladder->def->max_iterations == 0) {
        return limit;
    }
    const int all = ladder->def->max_iterations - ladder->count;
    return all < limit ? all : limit;
}

// Is there no answer yet, and may another rung be tried?
static bool unsolved(const Ladder* ladder)
{
    return ladder->rung == UT_RUNG_NONE && remaining(ladder, 1) > 0;
}

static utStatus interior(Ladder* ladder, utArena scratch, utRung rung, Interior settings)
{
    System system = ladder->system; // shares its memory
    system.problem = &ladder->round;
    settings.max_iterations = remaining(ladder, settings.max_iterations);
    UT_TRY(ut_interior_run(&system, &settings, ladder->def->tolerance, scratch, ladder->r,
                           &ladder->count));
    return judge(ladder, scratch, rung);
}

// @param tolerance to work to, at most that of the def
static utStatus proximal_to(Ladder* ladder, utArena scratch, utRung rung, Proximal settings,
                            double tolerance)
{
    settings.limit = remaining(ladder, settings.limit);
    UT_TRY(
        ut_proximal_run(&ladder->system, &settings, tolerance, scratch, ladder->r, &ladder->count));
    return judge(ladder, scratch, rung);
}

static utStatus proximal(Ladder* ladder, utArena scratch, utRung rung, Proximal settings)
{
    return proximal_to(ladder, scratch, rung, settings, ladder->def->tolerance);
}

// A proximal Newton from an answer or nearly one. Its epsilon is so small that it solves for the
// active set of these impulses.
static Proximal near_settings(double E)
{
    Proximal settings = ut_proximal_live();
    settings.start = fmax(1e-6, fmin(1e-3, 100.0 * E));
    return settings;
}

static utStatus polish(Ladder* ladder, utArena scratch, utRung rung)
{
    const Proximal settings[] = {ut_proximal_frozen(), ut_proximal_live()};
    for (int k = 0; k < 2 && unsolved(ladder) && ladder->score < NEAR; k++) {
        UT_TRY(proximal(ladder, scratch, rung, settings[k]));
    }
    return UT_OK;
}

static utStatus newton(Ladder* ladder, utArena scratch, utRung rung, bool natural)
{
    UT_TRY(ut_newton_run(&ladder->system, natural, remaining(ladder, NEWTON_STEPS),
                         ladder->def->tolerance, scratch, ladder->r, &ladder->count));
    return judge(ladder, scratch, rung);
}

// Gauss-Seidel from ladder->r. Its sweeps are not counted, but limited by the remaining count,
// because they are slow where a contact alone has no solution.
static utStatus sweeps(Ladder* ladder, utArena scratch, double tolerance)
{
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info = {0};
    def.tolerance = tolerance;
    def.max_iterations = remaining(ladder, MAX_SWEEPS);
    UT_TRY(ut_coulomb_nsgs(ladder->problem, &def, scratch, ladder->r, &info));
    return judge(ladder, scratch, UT_RUNG_NSGS);
}

// ---- the rungs ----------------------------------------------------------------------------------

// A warm start is taken as it is at WARM_SHARE of the tolerance. A worse one that is near is
// polished to that, as a rule to rounding.
static utStatus try_warm_start(Ladder* ladder, utArena scratch)
{
    const double tolerance = WARM_SHARE * ladder->def->tolerance;
    double bilateral = 0.0;
    confine(ladder->problem, ladder->r);
    const double E = ut_system_error(&ladder->system, ladder->r, &bilateral);
    if (ut_coulomb_passes(E, bilateral, tolerance)) {
        return judge(ladder, scratch, UT_RUNG_WARM);
    }
    if (!(E < NEAR)) {
        return UT_OK;
    }
    UT_TRY(proximal_to(ladder, scratch, UT_RUNG_WARM_POLISH, near_settings(E), tolerance));
    return polish(ladder, scratch, UT_RUNG_WARM_POLISH);
}

static utStatus try_lcp(Ladder* ladder, utArena scratch)
{
    utCoulombInfo info = {0};
    utCoulombDef def = *ladder->def;
    if (def.lcp == UT_LCP_AUTO) {
        def.lcp = UT_LCP_LEMKE; // where it fails the next rungs are quicker than other LCP solvers
    }
    UT_TRY(ut_coulomb_lcp(ladder->problem, &def, scratch, ladder->r, &info));
    ladder->count += info.iterations;
    return judge(ladder, scratch, UT_RUNG_LCP);
}

// A few Newton steps from r = 0: in the local form the quickest rung where it succeeds.
static utStatus try_quick_newton(Ladder* ladder, utArena scratch)
{
    ladder->tried_newton = true;
    memset(ladder->r, 0, (size_t)ladder->system.N * sizeof *ladder->r);
    UT_TRY(ut_newton_run(&ladder->system, false, remaining(ladder, QUICK_STEPS),
                         ladder->def->tolerance, scratch, ladder->r, &ladder->count));
    return judge(ladder, scratch, UT_RUNG_NEWTON);
}

static utStatus try_newton(Ladder* ladder, utArena scratch)
{
    for (int natural = 0; natural < 2 && unsolved(ladder); natural++) {
        copy(ladder, ladder->best, ladder->r);
        UT_TRY(newton(ladder, scratch, UT_RUNG_NEWTON, natural == 1));
    }
    return UT_OK;
}

// Gauss-Seidel from the best impulses until a polish can take over. Large piles in mid-fall need
// this, because the interior point stalls on them.
static utStatus try_sweeps_and_polish(Ladder* ladder, utArena scratch)
{
    static const double tolerances[] = {1e-5, 1e-7};
    copy(ladder, ladder->best, ladder->r);
    for (int k = 0; k < 2 && unsolved(ladder); k++) {
        UT_TRY(sweeps(ladder, scratch, fmax(tolerances[k], ladder->def->tolerance)));
        UT_TRY(polish(ladder, scratch, UT_RUNG_NSGS));
        copy(ladder, ladder->best, ladder->r);
    }
    return UT_OK;
}

// The interior point with its usual settings, then rungs that improve its result.
static utStatus try_interior(Ladder* ladder, utArena scratch)
{
    const bool large = sweeps_apply(ladder);
    Interior settings = ut_interior_settings();
    settings.short_step_shift = large ? 0.8 : settings.short_step_shift;
    UT_TRY(interior(ladder, scratch, UT_RUNG_IPM, settings));
    UT_TRY(polish(ladder, scratch, UT_RUNG_POLISH));
    if (unsolved(ladder) && large) {
        UT_TRY(interior(ladder, scratch, UT_RUNG_IPM, ut_interior_settings()));
        UT_TRY(polish(ladder, scratch, UT_RUNG_POLISH));
    }
    if (unsolved(ladder) && large) {
        UT_TRY(try_sweeps_and_polish(ladder, scratch));
    }
    if (unsolved(ladder) && ladder->system.local) {
        UT_TRY(try_newton(ladder, scratch));
    }
    return unsolved(ladder) ? proximal(ladder, scratch, UT_RUNG_PROXIMAL, ut_proximal_safe())
                            : UT_OK;
}

// The interior point with other settings, in the order of the rungs UT_RUNG_IPM_HEAVY ...
// UT_RUNG_IPM_LAGGED: heavy contacts have large impulses at the start and large weights; all
// contacts start alike; the shift is smoothed; the shift is not differentiated.
static utStatus try_other_interiors(Ladder* ladder, utArena scratch)
{
    Interior settings[4];
    for (int k = 0; k < 4; k++) {
        settings[k] = ut_interior_settings();
    }
    settings[0].centring_power = 1;
    settings[0].damping = 0.9;
    settings[0].y_start = 10.0;
    settings[0].common_mass = 0;
    settings[0].weight_power = 2;
    settings[1].centring_power = 2;
    settings[1].damping = 0.9;
    settings[1].common_mass = 2;
    settings[1].weight_power = 0;
    settings[2].smoothing = 0.1;
    settings[2].y_start = 100.0;
    settings[2].common_mass = 0;
    settings[3].lagged = true;
    for (int k = 0; k < 4 && unsolved(ladder); k++) {
        const utRung rung = (utRung)(UT_RUNG_IPM_HEAVY + k);
        UT_TRY(interior(ladder, scratch, rung, settings[k]));
        if (unsolved(ladder)) {
            UT_TRY(proximal(ladder, scratch, rung, ut_proximal_safe()));
        }
    }
    return UT_OK;
}

// From the solution with polygons in the place of circles, finer and finer ones.
static utStatus try_polygons(Ladder* ladder, utArena scratch)
{
    const utCoulomb* problem = ladder->system.problem;
    RefinedPolygons refined;
    bool finer = true;
    utStatus status = ut_refined_begin(problem, &scratch, &refined);
    double* start = ladder->start;
    while (status == UT_OK && finer && unsolved(ladder)) {
        status = ut_refined_solve(problem, scratch, &refined, start, &ladder->count, &finer);
        for (int method = 0; method < 2 && status == UT_OK && unsolved(ladder); method++) {
            copy(ladder, start, ladder->r);
            status = method == 0 ? newton(ladder, scratch, UT_RUNG_POLYGONS, false)
                                 : proximal(ladder, scratch, UT_RUNG_POLYGONS, ut_proximal_safe());
        }
    }
    return status == UT_ERR_CAPACITY ? UT_OK : status; // without memory the rung is skipped
}

// Gauss-Seidel from r = 0, then a proximal Newton.
static utStatus try_sweeps(Ladder* ladder, utArena scratch)
{
    memset(ladder->r, 0, (size_t)ladder->system.N * sizeof *ladder->r);
    UT_TRY(sweeps(ladder, scratch, ladder->def->tolerance));
    return unsolved(ladder) ? proximal(ladder, scratch, UT_RUNG_NSGS, ut_proximal_safe()) : UT_OK;
}

// A proximal Newton with many small steps from the best impulses.
static utStatus try_long_proximal(Ladder* ladder, utArena scratch)
{
    Proximal settings = ut_proximal_safe();
    settings.start = 1.0;
    settings.factor = 0.7;
    settings.limit = LONG_LIMIT;
    copy(ladder, ladder->best, ladder->r);
    return proximal(ladder, scratch, UT_RUNG_PROXIMAL_LONG, settings);
}

// ---- the ladder ---------------------------------------------------------------------------------

static utStatus try_all(Ladder* ladder, utArena scratch)
{
    const System* system = &ladder->system;
    const bool convex = ladder->def->convex;
    const bool original = system->problem == ladder->problem;
    const bool lcp = lcp_applies(ladder->problem) && !convex;
    const bool lcp_first = system->N <= ROWS_LCP_FIRST;
    if (ladder->def->warm_start && ladder->count == 0) {
        UT_TRY(try_warm_start(ladder, scratch));
    }
    if (unsolved(ladder) && lcp && lcp_first) {
        UT_TRY(try_lcp(ladder, scratch));
    }
    if (unsolved(ladder) && system->local && !ladder->tried_newton &&
        system->N <= ROWS_QUICK_NEWTON) {
        UT_TRY(try_quick_newton(ladder, scratch));
    }
    if (unsolved(ladder)) {
        UT_TRY(try_interior(ladder, scratch));
    }
    if (unsolved(ladder) && lcp && !lcp_first) {
        UT_TRY(try_lcp(ladder, scratch));
    }
    if (unsolved(ladder) && system->local && !convex && original &&
        ut_refined_applies(ladder->problem)) {
        UT_TRY(try_polygons(ladder, scratch));
    }
    if (unsolved(ladder)) {
        UT_TRY(try_other_interiors(ladder, scratch));
    }
    if (unsolved(ladder) && original && !convex) {
        UT_TRY(try_sweeps(ladder, scratch));
    }
    return unsolved(ladder) ? try_long_proximal(ladder, scratch) : UT_OK;
}

// An answer within the tolerance is as a rule a step or two from rounding: take these steps, and
// keep their result where it is better.
static utStatus refine_answer(Ladder* ladder, utArena scratch)
{
    const double tolerance = WARM_SHARE * ladder->def->tolerance;
    const utRung rung = ladder->rung;
    if (rung == UT_RUNG_NONE || ladder->score <= tolerance ||
        remaining(ladder, REFINING_STEPS) < REFINING_STEPS) {
        return UT_OK;
    }
    copy(ladder, ladder->best, ladder->r);
    if (ladder->system.local) {
        UT_TRY(ut_newton_run(&ladder->system, false, REFINING_STEPS, tolerance, scratch, ladder->r,
                             &ladder->count));
        return judge(ladder, scratch, rung);
    }
    Proximal settings = near_settings(ladder->score);
    settings.limit = REFINING_STEPS;
    return proximal_to(ladder, scratch, rung, settings, tolerance);
}

// ---- self-stress --------------------------------------------------------------------------------

// An answer with large self-stress: remove it, and polish what that leaves. Keep the first answer
// where this does not help.
static utStatus relieve(Ladder* ladder, utArena scratch)
{
    System* system = &ladder->system;
    double* g = ut_coulomb_push(&scratch, 1, system->dof);
    double* y = ut_coulomb_push(&scratch, 1, system->dof);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    const utRung rung = ladder->rung;
    const double score = ladder->score;
    const utCoulombVerdict verdict = ladder->verdict;
    const double stress = ut_system_stress(system, ladder->best, g, y);
    if (rung == UT_RUNG_NONE || !(stress > LARGE_STRESS)) {
        return UT_OK;
    }
    copy(ladder, ladder->best, ladder->start);
    copy(ladder, ladder->best, ladder->r);
    ladder->rung = UT_RUNG_NONE;
    ladder->score = HUGE_VAL;
    UT_TRY(ut_system_relieve(system, remaining(ladder, RELIEF_ROUNDS), scratch, ladder->r,
                             &ladder->count));
    UT_TRY(judge(ladder, scratch, rung));
    UT_TRY(polish(ladder, scratch, rung));
    if (unsolved(ladder)) {
        UT_TRY(proximal(ladder, scratch, rung, ut_proximal_safe()));
        UT_TRY(polish(ladder, scratch, rung));
    }
    if (ladder->rung == UT_RUNG_NONE || !(ut_system_stress(system, ladder->best, g, y) < stress)) {
        copy(ladder, ladder->start, ladder->best);
        ladder->rung = rung;
        ladder->score = score;
        ladder->verdict = verdict;
    }
    return UT_OK;
}

// ---- forms of the problem -----------------------------------------------------------------------

// All rungs with `solved` in the place of the problem.
static utStatus solve_as(Ladder* ladder, const utCoulomb* solved, utArena scratch)
{
    ladder->round = *solved;
    if (ut_coulomb_polygonal(solved)) {
        ladder->round.section = &ladder->circle;
        ladder->round.section_of = NULL;
    }
    UT_TRY(ut_system_create(solved, ladder->def->convex, &scratch, &ladder->system));
    UT_TRY(try_all(ladder, scratch));
    UT_TRY(relieve(ladder, scratch));
    return refine_answer(ladder, scratch);
}

// All rungs with W factored, if it is symmetric. @param problem in local form, W dense
static utStatus solve_factored(Ladder* ladder, const utCoulomb* problem, utArena scratch)
{
    utCoulomb global;
    if (!ut_coulomb_factorable(problem)) {
        return UT_OK;
    }
    UT_TRY(ut_coulomb_factored(problem, &scratch, &global));
    return solve_as(ladder, &global, scratch);
}

// The first rungs only, on a W that is small, or sparse and given by rows.
static utStatus solve_first(Ladder* ladder, const utCoulomb* problem, utArena scratch)
{
    ladder->round = *problem;
    UT_TRY(ut_system_create(problem, ladder->def->convex, &scratch, &ladder->system));
    UT_TRY(try_quick_newton(ladder, scratch));
    if (unsolved(ladder) && problem->W_start != NULL) {
        UT_TRY(try_interior(ladder, scratch));
    }
    return refine_answer(ladder, scratch);
}

// A dense W: first as it is or by its rows, then factored.
static utStatus solve_dense(Ladder* ladder, const utCoulomb* problem, utArena scratch)
{
    const int N = ut_coulomb_rows(problem);
    utArena rest = scratch;
    utCoulomb rows = *problem;
    const bool small = N <= ROWS_DENSE_NEWTON;
    const bool sparse = !small && ut_coulomb_filled_fraction(problem) < SPARSE_FILL;
    if (!ladder->def->warm_start && !ut_coulomb_polygonal(problem) && (sparse || small)) {
        if (sparse) {
            UT_TRY(ut_coulomb_by_rows(problem, &rest, &rows));
        }
        UT_TRY(solve_first(ladder, &rows, rest));
    }
    return unsolved(ladder) ? solve_factored(ladder, problem, scratch) : UT_OK;
}

// A few contacts of bodies: Newton on W from the warm start. Robots on their feet need this in every
// step.
static utStatus solve_by_newton(Ladder* ladder, const utCoulomb* problem, utArena scratch)
{
    const double tolerance = WARM_SHARE * ladder->def->tolerance;
    const bool warm = ladder->def->warm_start;
    utCoulomb local;
    UT_TRY(ut_coulomb_delassus(problem, &scratch, &local));
    UT_TRY(ut_system_create(&local, false, &scratch, &ladder->system));
    if (warm) {
        double bilateral = 0.0;
        confine(problem, ladder->r);
        const double E = ut_system_error(&ladder->system, ladder->r, &bilateral);
        if (ut_coulomb_passes(E, bilateral, tolerance)) {
            UT_TRY(judge(ladder, scratch, UT_RUNG_WARM));
        }
    } else {
        memset(ladder->r, 0, (size_t)ladder->system.N * sizeof *ladder->r);
    }
    if (unsolved(ladder)) {
        UT_TRY(ut_newton_run(&ladder->system, false, remaining(ladder, QUICK_STEPS), tolerance,
                             scratch, ladder->r, &ladder->count));
        UT_TRY(judge(ladder, scratch, warm ? UT_RUNG_WARM_POLISH : UT_RUNG_NEWTON));
    }
    return UT_OK;
}

// May W answer a problem of bodies that no rung has answered?
static bool last_applies(const utCoulomb* problem, const utCoulombDef* def)
{
    return problem->W == NULL && ut_coulomb_rows(problem) <= ROWS_DENSE_LAST && !def->convex &&
           !ut_coulomb_polygonal(problem);
}

// Newton on W from r = 0 and from the best impulses, then polygons. Wheels that roll and scrub need
// this: velocities of contacts that slip slowly are so ill-determined that rungs on the velocities
// of the bodies stall just above the tolerance.
static utStatus solve_last(Ladder* ladder, const utCoulomb* problem, utArena scratch)
{
    utCoulomb local;
    UT_TRY(ut_coulomb_delassus(problem, &scratch, &local));
    UT_TRY(ut_system_create(&local, false, &scratch, &ladder->system));
    memset(ladder->r, 0, (size_t)ladder->system.N * sizeof *ladder->r);
    UT_TRY(newton(ladder, scratch, UT_RUNG_NEWTON, false));
    if (unsolved(ladder)) {
        UT_TRY(try_newton(ladder, scratch));
    }
    if (unsolved(ladder) && ut_refined_applies(&local)) {
        UT_TRY(try_polygons(ladder, scratch));
    }
    return UT_OK;
}

// The solver that a rung runs last.
static utCoulombSolver solver_of(utRung rung)
{
    switch (rung) {
    case UT_RUNG_WARM_POLISH:
    case UT_RUNG_POLISH:
    case UT_RUNG_PROXIMAL:
    case UT_RUNG_PROXIMAL_LONG:
        return UT_COULOMB_PROXIMAL;
    case UT_RUNG_LCP:
        return UT_COULOMB_LCP;
    case UT_RUNG_NEWTON:
    case UT_RUNG_POLYGONS:
        return UT_COULOMB_NEWTON;
    case UT_RUNG_NSGS:
        return UT_COULOMB_NSGS;
    default:
        return UT_COULOMB_IPM;
    }
}

utStatus ut_coulomb_auto(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                         double* r, utCoulombInfo* info)
{
    const int N = ut_coulomb_rows(problem);
    const size_t bytes = (size_t)N * sizeof *r;
    Ladder ladder = {
        .problem = problem,
        .circle = ut_section_circle(),
        .def = def,
        .r = ut_coulomb_push(&scratch, 1, N),
        .best = ut_coulomb_push(&scratch, 1, N),
        .start = ut_coulomb_push(&scratch, 1, N),
        .score = HUGE_VAL,
    };
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memcpy(ladder.r, r, bytes);
    memset(ladder.best, 0, bytes);
    if (problem->W != NULL && problem->W_start == NULL) {
        UT_TRY(solve_dense(&ladder, problem, scratch));
    }
    if (newton_first_applies(problem, def)) {
        UT_TRY(solve_by_newton(&ladder, problem, scratch));
    }
    if (unsolved(&ladder)) {
        memcpy(ladder.r, r, bytes);
        UT_TRY(solve_as(&ladder, problem, scratch));
    }
    if (unsolved(&ladder) && dense_copy_applies(problem)) {
        utArena rest = scratch;
        utCoulomb dense;
        UT_TRY(ut_coulomb_delassus(problem, &rest, &dense));
        UT_TRY(solve_factored(&ladder, &dense, rest));
    }
    if (unsolved(&ladder) && last_applies(problem, def)) {
        UT_TRY(solve_last(&ladder, problem, scratch));
    }
    memcpy(r, ladder.best, bytes);
    info->iterations = ladder.count;
    info->rung = ladder.rung;
    info->verdict = ladder.verdict;
    info->solver = solver_of(ladder.rung);
    return UT_OK;
}
