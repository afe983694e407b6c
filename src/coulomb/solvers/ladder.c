// SPDX-License-Identifier: Apache-2.0
// The ladder `auto`: from the impulses at hand to the last resort, the judge after each rung
// (docs/coulomb.md, Solvers). A rung starts from what the one before it left, but for the interior
// points, which have their own start.
#include <string.h>

#include "coulomb/forms/delassus.h"
#include "coulomb/forms/factored.h"
#include "interior.h"
#include "coulomb/polygons/polyhedral.h"
#include "coulomb/polygons/refine.h"

enum {
    SWEEPS = 5000,
    HANDFUL = 48,    // rows up to which Newton on W comes first
    FEW = 96,        // rows up to which a polygon is tried as an LCP first,
    PIVOTABLE = 400, // and up to which it is tried at all
    SMALL = 1000,    // rows up to which a W in rows is looked at densely in the end
    DENSE = 100,     // rows up to which a dense W is worth a Newton as it is
    LARGE = 900,     // rows beyond which sweeps come before other interior points
    MANY = 1500,     // rows beyond which a first try of Newton rarely succeeds
    QUICK = 12,      // Newton steps of a first try,
    STEPS = 60,      // and of a later one
    LONG = 400,      // factorizations of the last one
    LAST = 2,        // factorizations from an answer toward rounding
};

static const double SPARSE = 0.25; // share of entries below which a dense W is taken by its rows
static const double NEAR = 1e-3;   // E from which a polish begins
static const double WARM = 0.01;   // of the tolerance: a warm start is taken as it is
static const double CONE = 1e-12;  // certificate.md

typedef struct Ladder {
    System system;            // of what is solved: the problem, or one with the same answers
    const utCoulomb* problem; // what the judge sees
    utCoulomb round;          // what is solved, with circles in place of polygons
    utSection circle;
    const utCoulombDef* def;
    double* r;     // N: what the rung works on
    double* best;  // N
    double* start; // N: where polygons lead
    double score;  // of the best
    double last;   // of r
    int count;     // factorizations, and pivots of an LCP
    utRung rung;   // that answered
    bool tried;    // the first Newton was
} Ladder;

// Is a polygon's LCP worth a try?
static bool is_pivotable(const utCoulomb* problem)
{
    return ut_coulomb_rows(problem) <= PIVOTABLE && ut_coulomb_polygonal(problem) &&
           !ut_coulomb_has_bounds(problem);
}

// Is W in rows to be had densely too?
static bool is_small(const utCoulomb* problem)
{
    return problem->W_start != NULL && ut_coulomb_rows(problem) <= SMALL;
}

// Has the problem so few rows that Newton on its W costs next to nothing?
static bool has_few(const utCoulomb* problem, bool convex)
{
    const int rows = ut_coulomb_rows(problem);
    return problem->W == NULL && rows > 0 && rows <= HANDFUL && !convex &&
           !ut_coulomb_polygonal(problem);
}

// ---- one rung -----------------------------------------------------------------------------------

// Impulses within their cones: warm starts of the caller may be outside, and so may be answers that
// circles in the place of polygons led to.
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

// Let the judge look at ladder->r.
static utStatus judge(Ladder* ladder, utArena scratch, utRung rung)
{
    const double tolerance = ladder->def->tolerance;
    utCoulombVerdict verdict;
    UT_TRY(
        ut_coulomb_judge(ladder->problem, ladder->def->convex, ladder->r, scratch, NULL, &verdict));
    if (verdict.cone > CONE) {
        confine(ladder->problem, ladder->r);
        UT_TRY(ut_coulomb_judge(ladder->problem, ladder->def->convex, ladder->r, scratch, NULL,
                                &verdict));
    }
    const bool done =
        ut_interior_done(verdict.E, verdict.bilateral, tolerance) && verdict.cone <= CONE;
    ladder->last = ut_interior_score(verdict.E, verdict.bilateral, tolerance);
    if (ladder->last < ladder->score && (done || ladder->rung == UT_RUNG_NONE)) {
        ladder->score = ladder->last;
        memcpy(ladder->best, ladder->r, (size_t)ladder->system.N * sizeof *ladder->r);
        ladder->rung = done ? rung : ladder->rung;
    }
    return UT_OK;
}

// Factorizations that are left of at most `limit`.
static int left(const Ladder* ladder, int limit)
{
    if (ladder->def->max_iterations == 0) {
        return limit;
    }
    const int all = ladder->def->max_iterations - ladder->count;
    return all < limit ? all : limit;
}

static bool open(const Ladder* ladder)
{
    return ladder->rung == UT_RUNG_NONE && left(ladder, 1) > 0;
}

static utStatus interior(Ladder* ladder, utArena scratch, utRung rung, Interior settings)
{
    System system = ladder->system; // the same memory; polygons are rounded
    system.problem = &ladder->round;
    settings.max_iterations = left(ladder, settings.max_iterations);
    UT_TRY(ut_interior_run(&system, &settings, ladder->def->tolerance, scratch, ladder->r,
                           &ladder->count));
    return judge(ladder, scratch, rung);
}

// @param tolerance that it works to, at most the one asked for
static utStatus proximal_to(Ladder* ladder, utArena scratch, utRung rung, Proximal settings,
                            double tolerance)
{
    settings.limit = left(ladder, settings.limit);
    UT_TRY(
        ut_proximal_run(&ladder->system, &settings, tolerance, scratch, ladder->r, &ladder->count));
    return judge(ladder, scratch, rung);
}

static utStatus proximal(Ladder* ladder, utArena scratch, utRung rung, Proximal settings)
{
    return proximal_to(ladder, scratch, rung, settings, ladder->def->tolerance);
}

static utStatus polish(Ladder* ladder, utArena scratch, utRung rung)
{
    const Proximal settings[] = {ut_proximal_frozen(), ut_proximal_live()};
    for (int k = 0; k < 2 && open(ladder) && ladder->score < NEAR; k++) {
        UT_TRY(proximal(ladder, scratch, rung, settings[k]));
    }
    return UT_OK;
}

// ---- the rungs ----------------------------------------------------------------------------------

// Impulses that are nearly right are taken as they are only at a hundredth of the tolerance, so
// that errors do not add up from step to step; others are polished to that, to round-off as a rule,
// with an epsilon so small that it amounts to solving the set of contacts that they have.
static utStatus climb_warm(Ladder* ladder, utArena scratch)
{
    const double tolerance = WARM * ladder->def->tolerance;
    double bilateral = 0.0;
    confine(ladder->problem, ladder->r);
    const double E = ut_system_error(&ladder->system, ladder->r, &bilateral);
    if (ut_interior_done(E, bilateral, tolerance)) {
        return judge(ladder, scratch, UT_RUNG_WARM);
    }
    if (!(E < NEAR)) {
        return UT_OK;
    }
    Proximal settings = ut_proximal_live();
    settings.start = fmax(1e-6, fmin(1e-3, 100.0 * E));
    UT_TRY(proximal_to(ladder, scratch, UT_RUNG_WARM_POLISH, settings, tolerance));
    return polish(ladder, scratch, UT_RUNG_WARM_POLISH);
}

static utStatus climb_lcp(Ladder* ladder, utArena scratch)
{
    utCoulombInfo info = {0};
    utCoulombDef def = *ladder->def;
    if (def.lcp == UT_LCP_AUTO) {
        def.lcp = UT_LCP_LEMKE; // what it misses the next rungs find sooner than the other solvers
    }
    UT_TRY(ut_coulomb_lcp(ladder->problem, &def, scratch, ladder->r, &info));
    ladder->count += info.iterations;
    return judge(ladder, scratch, UT_RUNG_LCP);
}

// A few Newton steps from nothing: in the local form they are the quickest where they succeed.
static utStatus climb_quick(Ladder* ladder, utArena scratch)
{
    memset(ladder->r, 0, (size_t)ladder->system.N * sizeof *ladder->r);
    UT_TRY(ut_newton_run(&ladder->system, false, left(ladder, QUICK), ladder->def->tolerance,
                         scratch, ladder->r, &ladder->count));
    return judge(ladder, scratch, UT_RUNG_NEWTON);
}

static utStatus newton(Ladder* ladder, utArena scratch, utRung rung, bool natural)
{
    UT_TRY(ut_newton_run(&ladder->system, natural, left(ladder, STEPS), ladder->def->tolerance,
                         scratch, ladder->r, &ladder->count));
    return judge(ladder, scratch, rung);
}

static utStatus climb_newton(Ladder* ladder, utArena scratch)
{
    for (int natural = 0; natural < 2 && open(ladder); natural++) {
        memcpy(ladder->r, ladder->best, (size_t)ladder->system.N * sizeof *ladder->r);
        UT_TRY(newton(ladder, scratch, UT_RUNG_NEWTON, natural == 1));
    }
    return UT_OK;
}

// Is the problem one that a sweep costs less than a tenth of a factorization of?
static bool is_large(const Ladder* ladder)
{
    return ladder->system.N > LARGE && ladder->system.problem == ladder->problem &&
           !ladder->def->convex;
}

// Gauss-Seidel from the best there is until a polish can take over: large piles in mid-fall, where
// the interior point stalls.
static utStatus climb_sweeps(Ladder* ladder, utArena scratch)
{
    static const double ends[] = {1e-5, 1e-7};
    memcpy(ladder->r, ladder->best, (size_t)ladder->system.N * sizeof *ladder->r);
    for (int k = 0; k < 2 && open(ladder); k++) {
        utCoulombDef def = ut_coulomb_def();
        utCoulombInfo info = {0};
        def.tolerance = fmax(ends[k], ladder->def->tolerance);
        def.max_iterations = left(ladder, SWEEPS);
        UT_TRY(ut_coulomb_nsgs(ladder->problem, &def, scratch, ladder->r, &info));
        UT_TRY(judge(ladder, scratch, UT_RUNG_NSGS));
        UT_TRY(polish(ladder, scratch, UT_RUNG_NSGS));
        memcpy(ladder->r, ladder->best, (size_t)ladder->system.N * sizeof *ladder->r);
    }
    return UT_OK;
}

static utStatus climb_first(Ladder* ladder, utArena scratch)
{
    const bool large = is_large(ladder);
    Interior settings = ut_interior_settings();
    settings.partial = large ? 0.8 : settings.partial;
    UT_TRY(interior(ladder, scratch, UT_RUNG_IPM, settings));
    UT_TRY(polish(ladder, scratch, UT_RUNG_POLISH));
    if (open(ladder) && large) {
        UT_TRY(interior(ladder, scratch, UT_RUNG_IPM, ut_interior_settings()));
        UT_TRY(polish(ladder, scratch, UT_RUNG_POLISH));
    }
    if (open(ladder) && large) {
        UT_TRY(climb_sweeps(ladder, scratch));
    }
    if (open(ladder) && ladder->system.local) {
        UT_TRY(climb_newton(ladder, scratch));
    }
    return open(ladder) ? proximal(ladder, scratch, UT_RUNG_PROXIMAL, ut_proximal_safe()) : UT_OK;
}

// The interior point in other ways, each from its own start.
static utStatus climb_others(Ladder* ladder, utArena scratch)
{
    Interior others[4];
    for (int k = 0; k < 4; k++) {
        others[k] = ut_interior_settings();
    }
    others[0].sigma = 1;
    others[0].damping = 0.9;
    others[0].y = 10.0;
    others[0].share = 0;
    others[0].weight = 2;
    others[1].sigma = 2;
    others[1].damping = 0.9;
    others[1].share = 2;
    others[1].weight = 0;
    others[2].smoothing = 0.1;
    others[2].y = 100.0;
    others[2].share = 0;
    others[3].lagged = true;
    for (int k = 0; k < 4 && open(ladder); k++) {
        const utRung rung = (utRung)(UT_RUNG_IPM_HEAVY + k);
        UT_TRY(interior(ladder, scratch, rung, others[k]));
        if (open(ladder)) {
            UT_TRY(proximal(ladder, scratch, rung, ut_proximal_safe()));
        }
    }
    return UT_OK;
}

// From the solution with polygons in the place of circles, finer and finer ones.
static utStatus climb_polygons(Ladder* ladder, utArena scratch)
{
    RefinedPolygons refined;
    bool finer = true;
    utStatus status = ut_refined_begin(ladder->problem, &scratch, &refined);
    double* start = ladder->start;
    while (status == UT_OK && finer && open(ladder)) {
        status =
            ut_refined_solve(ladder->problem, scratch, &refined, start, &ladder->count, &finer);
        for (int way = 0; way < 2 && status == UT_OK && open(ladder); way++) {
            memcpy(ladder->r, start, (size_t)ladder->system.N * sizeof *start);
            status = way == 0 ? newton(ladder, scratch, UT_RUNG_POLYGONS, false)
                              : proximal(ladder, scratch, UT_RUNG_POLYGONS, ut_proximal_safe());
        }
    }
    return status == UT_ERR_CAPACITY ? UT_OK : status; // the rung is left out without memory
}

// A proximal Newton with more patience, from the best there is: slow and steady.
static utStatus climb_long(Ladder* ladder, utArena scratch)
{
    Proximal settings = ut_proximal_safe();
    settings.start = 1.0;
    settings.factor = 0.7;
    settings.limit = LONG;
    memcpy(ladder->r, ladder->best, (size_t)ladder->system.N * sizeof *ladder->r);
    return proximal(ladder, scratch, UT_RUNG_PROXIMAL_LONG, settings);
}

// Gauss-Seidel from nothing. Its sweeps are not counted, but limited by what is left of the count:
// where a contact alone has no solution they are slow.
static utStatus climb_nsgs(Ladder* ladder, utArena scratch)
{
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info = {0};
    def.tolerance = ladder->def->tolerance;
    def.max_iterations = left(ladder, SWEEPS);
    memset(ladder->r, 0, (size_t)ladder->system.N * sizeof *ladder->r);
    UT_TRY(ut_coulomb_nsgs(ladder->problem, &def, scratch, ladder->r, &info));
    UT_TRY(judge(ladder, scratch, UT_RUNG_NSGS));
    return open(ladder) ? proximal(ladder, scratch, UT_RUNG_NSGS, ut_proximal_safe()) : UT_OK;
}

// ---- the ladder ---------------------------------------------------------------------------------

static utStatus climb(Ladder* ladder, utArena scratch)
{
    const bool pivotable = is_pivotable(ladder->problem) && !ladder->def->convex;
    const bool few = ladder->system.N <= FEW;
    if (ladder->def->warm_start && ladder->count == 0) {
        UT_TRY(climb_warm(ladder, scratch));
    }
    if (open(ladder) && pivotable && few) {
        UT_TRY(climb_lcp(ladder, scratch));
    }
    if (open(ladder) && ladder->system.local && !ladder->tried && ladder->system.N <= MANY) {
        ladder->tried = true;
        UT_TRY(climb_quick(ladder, scratch));
    }
    if (open(ladder)) {
        UT_TRY(climb_first(ladder, scratch));
    }
    if (open(ladder) && pivotable && !few) {
        UT_TRY(climb_lcp(ladder, scratch));
    }
    if (open(ladder) && ladder->system.local && !ladder->def->convex &&
        ladder->system.problem == ladder->problem && ut_refined_applies(ladder->problem)) {
        UT_TRY(climb_polygons(ladder, scratch));
    }
    if (open(ladder)) {
        UT_TRY(climb_others(ladder, scratch));
    }
    if (open(ladder) && ladder->system.problem == ladder->problem && !ladder->def->convex) {
        UT_TRY(climb_nsgs(ladder, scratch));
    }
    return open(ladder) ? climb_long(ladder, scratch) : UT_OK;
}

// An answer within the tolerance is as a rule a step or two from rounding: these are taken, and
// kept where they help.
static utStatus finish(Ladder* ladder, utArena scratch)
{
    const double tolerance = WARM * ladder->def->tolerance;
    const utRung rung = ladder->rung;
    if (rung == UT_RUNG_NONE || ladder->score <= tolerance || left(ladder, LAST) < LAST) {
        return UT_OK;
    }
    memcpy(ladder->r, ladder->best, (size_t)ladder->system.N * sizeof *ladder->r);
    if (ladder->system.local) {
        UT_TRY(ut_newton_run(&ladder->system, false, LAST, tolerance, scratch, ladder->r,
                             &ladder->count));
        return judge(ladder, scratch, rung);
    }
    Proximal settings = ut_proximal_live();
    settings.start = fmax(1e-6, fmin(1e-3, 100.0 * ladder->score));
    settings.limit = LAST;
    return proximal_to(ladder, scratch, rung, settings, tolerance);
}

// Climb with `solved` in the place of the problem.
static utStatus climb_on(Ladder* ladder, const utCoulomb* solved, utArena scratch)
{
    ladder->round = *solved;
    if (ut_coulomb_polygonal(solved)) {
        ladder->round.section = &ladder->circle;
        ladder->round.section_of = NULL;
    }
    UT_TRY(ut_system_create(solved, ladder->def->convex, &scratch, &ladder->system));
    UT_TRY(climb(ladder, scratch));
    return finish(ladder, scratch);
}

// Climb with W factored, if it is symmetric. @param problem in local form, W dense
static utStatus climb_factored(Ladder* ladder, const utCoulomb* problem, utArena scratch)
{
    utCoulomb global;
    if (!ut_coulomb_factorable(problem)) {
        return UT_OK;
    }
    UT_TRY(ut_coulomb_factored(problem, &scratch, &global));
    return climb_on(ladder, &global, scratch);
}

// The first rungs only, on a W that is small, or that is sparse and taken by rows.
static utStatus climb_start(Ladder* ladder, const utCoulomb* problem, utArena scratch)
{
    ladder->round = *problem;
    ladder->tried = true;
    UT_TRY(ut_system_create(problem, ladder->def->convex, &scratch, &ladder->system));
    UT_TRY(climb_quick(ladder, scratch));
    if (open(ladder) && problem->W_start != NULL) {
        UT_TRY(climb_first(ladder, scratch));
    }
    return finish(ladder, scratch);
}

// A dense W: as it is or by its rows at first, then factored.
static utStatus climb_dense(Ladder* ladder, const utCoulomb* problem, utArena scratch)
{
    const int N = ut_coulomb_rows(problem);
    utArena rest = scratch;
    utCoulomb rows = *problem;
    const bool sparse = N > DENSE && ut_coulomb_filled_fraction(problem) < SPARSE;
    if (!ladder->def->warm_start && !ut_coulomb_polygonal(problem) && (sparse || N <= DENSE)) {
        if (sparse) {
            UT_TRY(ut_coulomb_by_rows(problem, &rest, &rows));
        }
        UT_TRY(climb_start(ladder, &rows, rest));
    }
    return open(ladder) ? climb_factored(ladder, problem, scratch) : UT_OK;
}

// A handful of contacts of bodies: by W, from the impulses at hand, as robots on their feet need it
// in every step.
static utStatus climb_few(Ladder* ladder, const utCoulomb* problem, utArena scratch)
{
    utCoulomb local;
    UT_TRY(ut_coulomb_delassus(problem, &scratch, &local));
    UT_TRY(ut_system_create(&local, false, &scratch, &ladder->system));
    const bool warm = ladder->def->warm_start;
    if (warm) {
        const double tolerance = WARM * ladder->def->tolerance;
        double bilateral = 0.0;
        confine(problem, ladder->r);
        const double E = ut_system_error(&ladder->system, ladder->r, &bilateral);
        if (ut_interior_done(E, bilateral, tolerance)) {
            UT_TRY(judge(ladder, scratch, UT_RUNG_WARM));
        }
    } else {
        memset(ladder->r, 0, (size_t)ladder->system.N * sizeof *ladder->r);
    }
    if (open(ladder)) {
        UT_TRY(ut_newton_run(&ladder->system, false, left(ladder, QUICK),
                             WARM * ladder->def->tolerance, scratch, ladder->r, &ladder->count));
        UT_TRY(judge(ladder, scratch, warm ? UT_RUNG_WARM_POLISH : UT_RUNG_NEWTON));
    }
    return UT_OK;
}

// Whose work a rung is.
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
        UT_TRY(climb_dense(&ladder, problem, scratch));
    }
    if (has_few(problem, def->convex)) {
        UT_TRY(climb_few(&ladder, problem, scratch));
    }
    if (open(&ladder)) {
        memcpy(ladder.r, r, bytes);
        UT_TRY(climb_on(&ladder, problem, scratch));
    }
    if (open(&ladder) && is_small(problem)) {
        utArena rest = scratch;
        utCoulomb dense;
        UT_TRY(ut_coulomb_delassus(problem, &rest, &dense));
        UT_TRY(climb_factored(&ladder, &dense, rest));
    }
    memcpy(r, ladder.best, bytes);
    info->iterations = ladder.count;
    info->rung = ladder.rung;
    info->solver = solver_of(ladder.rung);
    return UT_OK;
}
