// The ladder: from the interior point to the last resort, the judge after each rung
// (docs/coulomb.md, Plan).
//
//     1  interior point            4, 5, 6  other interior points, each with a proximal Newton
//     2  polish, frozen and live   7        Gauss-Seidel, then a proximal Newton
//     3  proximal Newton
#include <string.h>

#include "interior.h"

enum { SWEEPS = 5000 };

static const double NEAR = 1e-3; // E from which a polish begins
static const double CONE_TOLERANCE = 1e-12;

typedef struct Ladder {
    System system;
    const utCoulomb* problem;
    double tolerance;
    double* r;    // N: what the rung works on
    double* best; // N
    double score; // of the best
    int count;    // factorizations
    int rung;     // that answered, or 0
} Ladder;

size_t ut_coulomb_auto_scratch(const utCoulomb* problem)
{
    const size_t parts[] = {
        ut_interior_scratch(problem),
        ut_proximal_scratch(problem),
        ut_coulomb_judge_scratch(problem),
        ut_coulomb_nsgs_scratch(problem),
    };
    size_t most = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        most = parts[k] > most ? parts[k] : most;
    }
    const size_t own = 2 * ut_coulomb_need(1, ut_coulomb_rows(problem));
    return ut_coulomb_plus(ut_coulomb_plus(ut_system_scratch(problem), own), most);
}

// Let the judge look at ladder->r.
static utStatus judge(Ladder* ladder, utArena scratch, int rung, double* score)
{
    utCoulombVerdict verdict;
    UT_TRY(ut_coulomb_judge(ladder->problem, false, ladder->r, scratch, NULL, &verdict));
    const double tolerance = ladder->tolerance;
    *score = ut_interior_score(verdict.E, verdict.bilateral, tolerance);
    if (*score < ladder->score) {
        ladder->score = *score;
        memcpy(ladder->best, ladder->r, (size_t)ladder->system.N * sizeof *ladder->r);
        if (ut_interior_done(verdict.E, verdict.bilateral, tolerance) &&
            verdict.cone <= CONE_TOLERANCE) {
            ladder->rung = rung;
        }
    }
    return UT_OK;
}

static utStatus interior(Ladder* ladder, utArena scratch, int rung, const Interior* settings,
                         double* score)
{
    UT_TRY(ut_interior_run(&ladder->system, settings, ladder->tolerance, scratch, ladder->r,
                           &ladder->count));
    return judge(ladder, scratch, rung, score);
}

static utStatus proximal(Ladder* ladder, utArena scratch, int rung, const Proximal* settings,
                         double* score)
{
    UT_TRY(ut_proximal_run(&ladder->system, settings, ladder->tolerance, scratch, ladder->r,
                           &ladder->count));
    return judge(ladder, scratch, rung, score);
}

// Rungs 1 to 3.
static utStatus climb_first(Ladder* ladder, utArena scratch)
{
    const Interior first = ut_interior_settings();
    const Proximal polish[] = {ut_proximal_frozen(), ut_proximal_live()};
    const Proximal safe = ut_proximal_safe();
    double score = 0.0;
    UT_TRY(interior(ladder, scratch, 1, &first, &score));
    for (int k = 0; k < 2 && ladder->rung == 0 && ladder->score < NEAR; k++) {
        UT_TRY(proximal(ladder, scratch, 2, &polish[k], &score));
    }
    if (ladder->rung == 0) {
        UT_TRY(proximal(ladder, scratch, 3, &safe, &score));
    }
    return UT_OK;
}

// Rungs 4 to 6: the interior point in other ways, each from its own start.
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

    static const int rungs[] = {4, 5, 6, 6};
    const Proximal safe = ut_proximal_safe();
    double score = 0.0;
    for (int k = 0; k < 4 && ladder->rung == 0; k++) {
        UT_TRY(interior(ladder, scratch, rungs[k], &others[k], &score));
        if (ladder->rung == 0) {
            UT_TRY(proximal(ladder, scratch, rungs[k], &safe, &score));
        }
    }
    return UT_OK;
}

// Rung 7: Gauss-Seidel from nothing. Its sweeps are not counted.
static utStatus climb_last(Ladder* ladder, utArena scratch)
{
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info = {0};
    const Proximal safe = ut_proximal_safe();
    double score = 0.0;
    def.tolerance = ladder->tolerance;
    def.max_iterations = SWEEPS;
    memset(ladder->r, 0, (size_t)ladder->system.N * sizeof *ladder->r);
    UT_TRY(ut_coulomb_nsgs(ladder->problem, &def, scratch, ladder->r, &info));
    UT_TRY(judge(ladder, scratch, 7, &score));
    if (ladder->rung == 0) {
        UT_TRY(proximal(ladder, scratch, 7, &safe, &score));
    }
    return UT_OK;
}

utStatus ut_coulomb_ladder(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                           double* r, utCoulombInfo* info, int* rung)
{
    Ladder ladder = {.problem = problem, .tolerance = def->tolerance, .score = HUGE_VAL};
    UT_TRY(ut_system_create(problem, &scratch, &ladder.system));
    const int N = ladder.system.N;
    ladder.r = ut_coulomb_push(&scratch, 1, N);
    ladder.best = ut_coulomb_push(&scratch, 1, N);
    if (ladder.r == NULL || ladder.best == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(ladder.best, 0, (size_t)N * sizeof *ladder.best);
    UT_TRY(climb_first(&ladder, scratch));
    if (ladder.rung == 0) {
        UT_TRY(climb_others(&ladder, scratch));
    }
    if (ladder.rung == 0) {
        UT_TRY(climb_last(&ladder, scratch));
    }
    memcpy(r, ladder.best, (size_t)N * sizeof *r);
    info->iterations = ladder.count;
    *rung = ladder.rung;
    return UT_OK;
}

utStatus ut_coulomb_auto(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                         double* r, utCoulombInfo* info)
{
    static const utCoulombSolver whose[] = {
        UT_COULOMB_IPM, UT_COULOMB_IPM, UT_COULOMB_PROXIMAL, UT_COULOMB_PROXIMAL,
        UT_COULOMB_IPM, UT_COULOMB_IPM, UT_COULOMB_IPM,      UT_COULOMB_NSGS,
    };
    const bool polygon = problem->contacts > 0 && problem->section->edges > 0;
    if (problem->W != NULL || polygon) {
        info->solver = UT_COULOMB_NSGS;
        return ut_coulomb_nsgs(problem, def, scratch, r, info);
    }
    UT_TRY(ut_coulomb_ladder(problem, def, scratch, r, info, &info->rung));
    info->solver = whose[info->rung];
    return UT_OK;
}
