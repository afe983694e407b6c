// SPDX-License-Identifier: Apache-2.0
// The ladder `auto`: from the warm start to the last resort, with the judge after each rung
// (docs/coulomb.md, Solvers). A rung starts from the impulses that the previous rung left; interior
// points have a start of their own.
#include <float.h>
#include <limits.h>
#include <string.h>

#include "body_sweeps.h"
#include "coulomb/forms/delassus.h"
#include "coulomb/forms/factored.h"
#include "coulomb/judge/judge.h"
#include "coulomb/polygons/polyhedral.h"
#include "coulomb/polygons/refined_polygons.h"
#include "dense_sweeps.h"
#include "few_contacts.h"
#include "la/dense/kernel.h"
#include "second_order.h"

// Sizes of problems, in rows, at which the order of the rungs changes; chosen by measurement.
enum {
    ROWS_NEWTON_FIRST = 48, // up to these, Newton on W costs next to nothing,
    ROWS_NEWTON_WARM =
        160,             // and up to these less than other rungs where W is full and a start known
    ROWS_LCP_FIRST = 96, // up to these, a polygon is tried as an LCP before the interior point,
    ROWS_LCP = 400,      // and up to these after it
    ROWS_DENSE_SWEEPS = 150, // up to these, sweeps on a dense W come before it is factored
    ROWS_DENSE_NEWTON = 100, // up to these, Newton on a dense W is worth a try before W is factored
    ROWS_SWEEPS_FIRST = 900, // above these, Gauss-Seidel comes before other interior points
    ROWS_DENSE_COPY = 1000,  // up to these, a sparse W is tried as a dense one in the end,
    ROWS_DENSE_LAST = 600,   // and up to these, a problem given by bodies is tried on its W
    ROWS_QUICK_NEWTON = 1500, // above these, a first try of Newton rarely succeeds
};

// Limits of single rungs.
enum {
    QUICK_STEPS = 12,    // Newton steps of a first try,
    NEWTON_STEPS = 60,   // and of a later one
    STALLED_POLISH = 3,  // without halving |F|, after which a warm start that is an answer is kept
    MAX_SWEEPS = 5000,   // of Gauss-Seidel
    EARLY_WORTH = 50,    // sweeps in turn with Newton before other rungs: as many as take the time
                         // of these factorizations,
    EARLY_STEPS = 40,    // with at most these of Newton,
    LATE_SWEEPS = 30000, // and after the interior point
    LATE_STEPS = 300,
    LONG_LIMIT = 400,   // factorizations of the last proximal Newton,
    SLOW_LIMIT = 1000,  // and of the one with a small constant e
    REFINING_STEPS = 2, // factorizations from an answer toward rounding
    RELIEF_ROUNDS = 4,  // of the removal of self-stress
};

static const double SPARSE_FILL = 0.25; // fraction of entries below which a dense W is used by rows
static const double NEAR = 1e-3;        // E below which a polish converges as a rule
static const double NEARLY = 1e-6;      // E below which only some contacts lack a change of load

// Self-stress (ut_system_stress) above which an answer is relieved of it: about 1 where all impulses
// are needed, and rounding of the impulses stays far below the tolerance.
static const double LARGE_STRESS = 1e3;

// Fraction of the tolerance at which a warm start is taken as it is, and to which answers are
// refined: errors of steps that follow each other then do not add up to the tolerance.
static const double WARM_SHARE = 0.01;

// Fraction of the tolerance at which the answer for the active set of a warm start is not refined. More is
// left where the corners of a face have gaps that no rigid motion closes together: only another active set
// would close them, and the next step would have to move the load back.
static const double SETTLED_SHARE = 0.1;

// Bodies whose rows change their velocities by less than this fraction of V are at rest.
static const double REST = 1e-6;

// A warm start of bodies at rest is taken at a larger error when it hardly accelerates them: by less
// than a fraction of the tolerance, or than they move already. Its error alone says little: an answer
// corrects the errors of the step before, and the same correction once more is wrong. Answers at rest
// are polished to rounding, because errors grow from step to step as a pencil falls that stands on
// its tip.
static const double REST_ERROR = 0.01;
static const double REST_ACCELERATION = 1e-3;
static const double REST_GROWTH = 2.0;
static const double REST_POLISH = 1e-4;

// Rounding of the change of a velocity, as a fraction of the velocity.
static const double VELOCITY_ROUNDING = 4.0 * DBL_EPSILON;

typedef struct Ladder {
    System system;            // of the problem that is solved: `problem`, or one with its answers
    const utCoulomb* problem; // the problem that the judge sees,
    int N;                    // its rows,
    Judge judge;              // and the judge
    utCoulomb round;          // the problem that is solved, with circles in place of polygons
    const utCoulombDef* def;
    const double* given;      // N: the caller's impulses, zeros where there are none
    double* r;                // N: impulses that the current rung works on
    double* best;             // N: the best impulses so far
    double* start;            // N: impulses of the problem with polygons
    double score;             // of the best impulses,
    utCoulombVerdict verdict; // and the judge's verdict on them
    int count;                // factorizations, and pivots of LCPs
    utRung rung;              // that answered
    bool tried_newton;        // the quick Newton was tried,
    bool tried_path;          // and the central path
    bool settled;             // the active set of the warm start answered
    double* warm;             // N: the warm start on its cones,
    utCoulombVerdict of_warm; // the verdict on it,
    double warm_score;        // its score, infinite where it is no answer,
    double warm_E;            // its error,
    double motion;            // the largest velocity of a row before the step, over V,
    double acceleration;      // the largest change that the warm start makes,
    double rounding;          // and a bound on its rounding
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

// A sweep must be cheaper than a factorization by this factor to come before the interior point.
static const double ALTERNATING_GAIN = 20.0;

// Can Gauss-Seidel by bodies and Newton solve the problem in turn?
static bool alternating_applies(const Ladder* ladder)
{
    return ladder->system.problem == ladder->problem && ut_body_sweeps_apply(&ladder->system);
}

// Should they come before the interior point, which stalls on large piles in mid-fall?
static bool alternating_first(const Ladder* ladder)
{
    return ladder->system.N > ROWS_SWEEPS_FIRST && alternating_applies(ladder) &&
           ut_alternating_gain(&ladder->system) >= ALTERNATING_GAIN;
}

// Can the central path be followed? Not on W, where its many factorizations are dense and Newton comes next.
static bool path_applies(const Ladder* ladder)
{
    return !ladder->system.local && ut_central_path_applies(&ladder->system);
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
static void judge(Ladder* ladder, utRung rung)
{
    const double tolerance = ladder->def->tolerance;
    const bool convex = ladder->def->convex;
    utCoulombVerdict verdict = ut_judge_verdict(&ladder->judge, convex, ladder->r);
    if (verdict.cone > UT_CONE_TOLERANCE) {
        confine(ladder->problem, ladder->r);
        verdict = ut_judge_verdict(&ladder->judge, convex, ladder->r);
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

static NewtonSteps newton_steps(const Ladder* ladder, int limit)
{
    return (NewtonSteps){.limit = remaining(ladder, limit)};
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
    judge(ladder, rung);
    return UT_OK;
}

// @param tolerance to work to, at most that of the def
static utStatus proximal_to(Ladder* ladder, utArena scratch, utRung rung, Proximal settings,
                            double tolerance)
{
    settings.limit = remaining(ladder, settings.limit);
    UT_TRY(
        ut_proximal_run(&ladder->system, &settings, tolerance, scratch, ladder->r, &ladder->count));
    judge(ladder, rung);
    return UT_OK;
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
    settings.start = fmax(1e-6, fmin(1e-3, 1e3 * E));
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
    UT_TRY(ut_newton_run(&ladder->system, natural, newton_steps(ladder, NEWTON_STEPS),
                         ladder->def->tolerance, scratch, ladder->r, &ladder->count));
    judge(ladder, rung);
    return UT_OK;
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
    judge(ladder, UT_RUNG_NSGS);
    return UT_OK;
}

// ---- the rungs ----------------------------------------------------------------------------------

// How fast the rows move before the step, and how much the warm start changes that.
// @param u N: velocities of the rows after it
static utStatus find_acceleration(Ladder* ladder, const double* u, utArena scratch)
{
    const utCoulomb* problem = ladder->problem;
    const double* v_start = ladder->def->v_start;
    double* before = ut_coulomb_push(&scratch, 1, ladder->N);
    if (before == NULL) {
        return UT_ERR_CAPACITY;
    }
    ladder->acceleration = HUGE_VAL;
    if (v_start == NULL || problem->blocks == NULL) {
        return UT_OK;
    }
    double fastest = 0.0;
    double change = 0.0;
    ut_bodies_rows(problem, problem->blocks, v_start, before);
    for (int k = 0; k < ladder->N; k++) {
        fastest = ut_larger(fastest, fabs(before[k]));
        change = ut_larger(change, fabs(u[k] - problem->b[k] - before[k]));
    }
    ladder->rounding = VELOCITY_ROUNDING * ut_max_abs(problem->dof, v_start) / ladder->verdict.V;
    ladder->motion = fastest / ladder->verdict.V;
    ladder->acceleration = change / ladder->verdict.V;
    return UT_OK;
}

static bool at_rest(const Ladder* ladder)
{
    return ladder->acceleration < REST;
}

// The tolerance to which a warm start is improved.
static double warm_tolerance(const Ladder* ladder)
{
    const double tolerance = ladder->def->tolerance;
    const double rest = fmax(REST_POLISH * tolerance, ladder->rounding);
    return at_rest(ladder) ? fmin(rest, WARM_SHARE * tolerance) : WARM_SHARE * tolerance;
}

// Judge the warm start, and take it as it is when its error is small.
static utStatus try_warm_start(Ladder* ladder, utArena scratch)
{
    const double tolerance = ladder->def->tolerance;
    confine(ladder->problem, ladder->r);
    ladder->verdict = ut_judge_verdict(&ladder->judge, ladder->def->convex, ladder->r);
    UT_TRY(find_acceleration(ladder, ladder->judge.motion.u, scratch));
    const utCoulombVerdict* verdict = &ladder->verdict;
    const bool rest = at_rest(ladder);
    const double least = fmax(REST_ACCELERATION * tolerance, ladder->rounding);
    const double most = fmax(least, REST_GROWTH * ladder->motion);
    const double share = rest ? REST_ERROR : WARM_SHARE;
    ladder->warm_E = verdict->E;
    ladder->of_warm = *verdict;
    memcpy(ladder->warm, ladder->r, (size_t)ladder->N * sizeof *ladder->r);
    if (ut_coulomb_passes(verdict->E, verdict->bilateral, tolerance) &&
        verdict->cone <= UT_CONE_TOLERANCE) {
        ladder->warm_score = ut_coulomb_score(verdict->E, verdict->bilateral, tolerance);
    }
    if (ut_coulomb_passes(verdict->E, verdict->bilateral, share * tolerance) &&
        verdict->cone <= UT_CONE_TOLERANCE && (!rest || ladder->acceleration <= most)) {
        ladder->rung = UT_RUNG_WARM;
        ladder->score = ut_coulomb_score(verdict->E, verdict->bilateral, tolerance);
        memcpy(ladder->best, ladder->r, (size_t)ladder->N * sizeof *ladder->r);
    }
    return UT_OK;
}

// Return to a warm start that is an answer, where its polish failed and left something worse.
static void keep_better(Ladder* ladder)
{
    const bool polished = ladder->rung != UT_RUNG_NONE &&
                          ut_coulomb_passes(ladder->verdict.E, ladder->verdict.bilateral,
                                            WARM_SHARE * ladder->def->tolerance);
    if (!polished && ladder->warm_score < HUGE_VAL && !(ladder->score < ladder->warm_score)) {
        ladder->rung = UT_RUNG_WARM;
        ladder->score = ladder->warm_score;
        ladder->verdict = ladder->of_warm;
        memcpy(ladder->best, ladder->warm, (size_t)ladder->N * sizeof *ladder->best);
    }
}

// Solve for the active set of the warm start, with one factorization. Impulses that are not good enough
// are forgotten.
static utStatus try_active_set(Ladder* ladder, utArena scratch)
{
    if (!ut_active_set_applies(&ladder->system)) {
        return UT_OK;
    }
    UT_TRY(ut_active_set_run(&ladder->system, warm_tolerance(ladder), scratch, ladder->r,
                             &ladder->count));
    judge(ladder, UT_RUNG_WARM_POLISH);
    ladder->settled = ladder->score <= SETTLED_SHARE * ladder->def->tolerance;
    if (!ladder->settled) {
        ladder->rung = UT_RUNG_NONE;
        ladder->score = HUGE_VAL;
        memcpy(ladder->r, ladder->warm, (size_t)ladder->N * sizeof *ladder->r);
    }
    return UT_OK;
}

// A warm start that is near is polished, as a rule to rounding.
static utStatus polish_warm_start(Ladder* ladder, utArena scratch)
{
    if (!(ladder->warm_E < NEAR)) {
        return UT_OK;
    }
    UT_TRY(try_active_set(ladder, scratch));
    if (!unsolved(ladder)) {
        return UT_OK;
    }
    UT_TRY(proximal_to(ladder, scratch, UT_RUNG_WARM_POLISH, near_settings(ladder->warm_E),
                       warm_tolerance(ladder)));
    keep_better(ladder);
    return polish(ladder, scratch, UT_RUNG_WARM_POLISH);
}

// Gauss-Seidel by bodies and Newton in turn. A limit of the caller counts for the sweeps, too, as in sweeps().
// Impulses that are no answer are forgotten: other rungs would stall near them.
static utStatus try_alternating(Ladder* ladder, const double* start, int max_sweeps, int limit,
                                utArena scratch)
{
    const double tolerance = ladder->def->tolerance;
    double bilateral = 0.0;
    double* r = ut_coulomb_push(&scratch, 1, ladder->system.N);
    if (r == NULL) {
        return UT_ERR_CAPACITY;
    }
    copy(ladder, start, r);
    confine(ladder->problem, r);
    UT_TRY(ut_alternating_run(&ladder->system, remaining(ladder, max_sweeps),
                              remaining(ladder, limit), tolerance, scratch, r, &ladder->count));
    if (!(ut_system_error(&ladder->system, r, &bilateral) <= tolerance)) {
        return UT_OK;
    }
    copy(ladder, r, ladder->r);
    judge(ladder, UT_RUNG_SWEEPS);
    return UT_OK;
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
    judge(ladder, UT_RUNG_LCP);
    return UT_OK;
}

// A few Newton steps from r = 0: in the local form the quickest rung where it succeeds.
static utStatus try_quick_newton(Ladder* ladder, utArena scratch)
{
    ladder->tried_newton = true;
    memset(ladder->r, 0, (size_t)ladder->system.N * sizeof *ladder->r);
    UT_TRY(ut_newton_run(&ladder->system, false, newton_steps(ladder, QUICK_STEPS),
                         ladder->def->tolerance, scratch, ladder->r, &ladder->count));
    judge(ladder, UT_RUNG_NEWTON);
    return UT_OK;
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

// The central path from its own starts, once. Impulses that are nearly an answer may become the best ones; others are
// forgotten, because they lie on the way.
static utStatus try_path(Ladder* ladder, utArena scratch)
{
    if (!unsolved(ladder) || !path_applies(ladder) || ladder->tried_path) {
        return UT_OK;
    }
    ladder->tried_path = true;
    double* r = ut_coulomb_push(&scratch, 1, ladder->system.N);
    double bilateral = 0.0;
    if (r == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_central_path_run(&ladder->system, remaining(ladder, INT_MAX), ladder->def->tolerance,
                               scratch, r, &ladder->count));
    if (ut_system_error(&ladder->system, r, &bilateral) < NEARLY) {
        copy(ladder, r, ladder->r);
        judge(ladder, UT_RUNG_PATH);
    }
    return UT_OK;
}

// Is the problem a large pile in which the central path has found no answer? Rungs that take longer
// do not find one either.
static bool is_hopeless(const Ladder* ladder)
{
    return ladder->tried_path && alternating_first(ladder);
}

// The interior point with its usual settings, then rungs that improve its result.
static utStatus try_interior(Ladder* ladder, utArena scratch)
{
    const bool large = sweeps_apply(ladder);
    Interior settings = ut_interior_settings();
    settings.short_step_shift = large ? 0.8 : settings.short_step_shift;
    UT_TRY(interior(ladder, scratch, UT_RUNG_IPM, settings));
    UT_TRY(polish(ladder, scratch, UT_RUNG_POLISH));
    UT_TRY(try_path(ladder, scratch));
    if (unsolved(ladder) && large && !is_hopeless(ladder)) {
        UT_TRY(interior(ladder, scratch, UT_RUNG_IPM, ut_interior_settings()));
        UT_TRY(polish(ladder, scratch, UT_RUNG_POLISH));
    }
    if (unsolved(ladder) && large && !is_hopeless(ladder)) {
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

// A proximal Newton with a constant small e from the best impulses, where their error is just above the tolerance.
// Contacts stick there that have gaps which no motion closes together. The impulses then move on in
// small steps along self-stress, until one of these contacts loses its load.
static utStatus try_slow_proximal(Ladder* ladder, utArena scratch)
{
    Proximal settings = ut_proximal_live();
    settings.start = 1e-7;
    settings.factor = 1.0;
    settings.limit = SLOW_LIMIT;
    if (!(ladder->score < NEARLY)) {
        return UT_OK;
    }
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
        UT_TRY(polish_warm_start(ladder, scratch));
    }
    if (unsolved(ladder) && alternating_first(ladder)) {
        const int early = (int)(EARLY_WORTH * ut_alternating_gain(system));
        UT_TRY(try_alternating(ladder, ladder->given, early, EARLY_STEPS, scratch));
        UT_TRY(try_path(ladder, scratch));
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
    if (is_hopeless(ladder)) {
        return unsolved(ladder) ? try_slow_proximal(ladder, scratch) : UT_OK;
    }
    if (unsolved(ladder) && alternating_applies(ladder) && !alternating_first(ladder)) {
        UT_TRY(try_alternating(ladder, ladder->given, LATE_SWEEPS, LATE_STEPS, scratch));
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
    if (unsolved(ladder)) {
        UT_TRY(try_long_proximal(ladder, scratch));
    }
    return unsolved(ladder) && alternating_applies(ladder)
               ? try_alternating(ladder, ladder->best, LATE_SWEEPS, LATE_STEPS, scratch)
               : UT_OK;
}

// An answer within the tolerance is as a rule a step or two from rounding: take these steps, and
// keep their result where it is better.
static utStatus refine_answer(Ladder* ladder, utArena scratch)
{
    const double tolerance = WARM_SHARE * ladder->def->tolerance;
    const utRung rung = ladder->rung;
    if (rung == UT_RUNG_NONE || ladder->settled || ladder->score <= tolerance ||
        remaining(ladder, REFINING_STEPS) < REFINING_STEPS) {
        return UT_OK;
    }
    copy(ladder, ladder->best, ladder->r);
    if (ladder->system.local) {
        UT_TRY(ut_newton_run(&ladder->system, false, (NewtonSteps){.limit = REFINING_STEPS},
                             tolerance, scratch, ladder->r, &ladder->count));
        judge(ladder, rung);
        return UT_OK;
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
    judge(ladder, rung);
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
        utSection* circle = UT_PUSH(&scratch, utSection, 1);
        if (circle == NULL) {
            return UT_ERR_CAPACITY;
        }
        *circle = ut_section_circle();
        ladder->round.section = circle;
        ladder->round.section_of = NULL;
    }
    const bool same = solved == ladder->problem && ladder->judge.finite;
    UT_TRY(ut_system_create_with(
        solved, ladder->def->convex, same ? ladder->judge.motion.trace : NULL,
        solved == ladder->problem ? ladder->def->plan : NULL, &scratch, &ladder->system));
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

// A few sweeps of Gauss-Seidel on a dense W, for loose piles.
static utStatus try_dense_sweeps(Ladder* ladder, const utCoulomb* problem, utArena scratch)
{
    bool converged = false;
    UT_TRY(ut_dense_sweeps_run(problem, ladder->def->tolerance, scratch, ladder->r, &converged));
    if (converged) {
        ladder->system.N = ladder->N; // there is no system yet
        judge(ladder, UT_RUNG_NSGS);
    }
    return UT_OK;
}

// A dense W: first as it is or by its rows, then factored.
static utStatus solve_dense(Ladder* ladder, const utCoulomb* problem, utArena scratch)
{
    const int N = ut_coulomb_rows(problem);
    utArena rest = scratch;
    utCoulomb rows = *problem;
    const bool small = N <= ROWS_DENSE_NEWTON;
    const bool sparse = !small && ut_coulomb_filled_fraction(problem) < SPARSE_FILL;
    const bool cold = !ladder->def->warm_start && !ut_coulomb_polygonal(problem);
    if (cold && N > ROWS_NEWTON_FIRST && N <= ROWS_DENSE_SWEEPS &&
        ladder->def->max_iterations == 0 && !ladder->def->convex &&
        ut_dense_sweeps_apply(problem)) {
        UT_TRY(try_dense_sweeps(ladder, problem, scratch));
    }
    if (unsolved(ladder) && cold && (sparse || small)) {
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
    const double tolerance = warm_tolerance(ladder);
    const bool warm = ladder->def->warm_start;
    utCoulomb local;
    UT_TRY(ut_coulomb_delassus_with(problem, ut_judge_factors(&ladder->judge), &scratch, &local));
    UT_TRY(ut_system_create(&local, false, &scratch, &ladder->system));
    if (!warm) {
        memset(ladder->r, 0, (size_t)ladder->system.N * sizeof *ladder->r);
    }
    NewtonSteps steps = newton_steps(ladder, QUICK_STEPS);
    steps.patience = ladder->warm_score < HUGE_VAL ? STALLED_POLISH : 0;
    UT_TRY(ut_newton_run(&ladder->system, false, steps, tolerance, scratch, ladder->r,
                         &ladder->count));
    judge(ladder, warm ? UT_RUNG_WARM_POLISH : UT_RUNG_NEWTON);
    keep_better(ladder);
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
    case UT_RUNG_SWEEPS:
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
    bool solved = false;
    UT_TRY(ut_few_contacts(problem, def, scratch, r, info, &solved));
    if (solved) {
        return UT_OK;
    }
    Ladder ladder = {
        .problem = problem,
        .N = N,
        .def = def,
        .given = r,
        .r = ut_coulomb_push(&scratch, 1, N),
        .best = ut_coulomb_push(&scratch, 1, N),
        .start = ut_coulomb_push(&scratch, 1, N),
        .warm = ut_coulomb_push(&scratch, 1, N),
        .warm_score = HUGE_VAL,
        .score = HUGE_VAL,
        .acceleration = HUGE_VAL,
    };
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_judge_create_checked(problem, def->trusted, &scratch, &ladder.judge));
    memcpy(ladder.r, r, bytes);
    memset(ladder.best, 0, bytes);
    if (def->warm_start) {
        UT_TRY(try_warm_start(&ladder, scratch));
    }
    if (unsolved(&ladder) && problem->W != NULL && problem->W_start == NULL) {
        UT_TRY(solve_dense(&ladder, problem, scratch));
    }
    if (unsolved(&ladder) && newton_first_applies(problem, def)) {
        UT_TRY(solve_by_newton(&ladder, problem, scratch));
    }
    if (unsolved(&ladder)) {
        memcpy(ladder.r, r, bytes);
        if (def->warm_start) {
            confine(problem, ladder.r);
        }
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
