// SPDX-License-Identifier: Apache-2.0
// Polygons in the place of circles. Lemke's method finds a solution of every polygon's problem,
// along a path of its own; descent methods may all end in one place near which there is none: a
// contact that opens and closes by turns, while a solution has it pressed much harder. The solution
// with polygons of 16 or 32 edges lies near one with circles, from where Newton's method takes a
// few steps. Only contacts that slip, or nearly do, need so many.
#include "refine.h"

#include <string.h>

#include "polyhedral.h"

enum {
    FIRST = 4,      // edges to begin with
    FINER = 4,      // times more edges each time,
    FINEST = 32,    // up to this many
    MOST = 1100,    // rows of a problem
    UNKNOWNS = 4500 // of an LCP
};

static const double INSIDE = 0.7; // of the friction cone: a square has all of it
static const double SLIPS = 1e-9; // of V

bool ut_refined_open(const utCoulomb* problem)
{
    return problem->W != NULL && problem->dimension == 3 && problem->bilaterals == 0 &&
           ut_coulomb_rows(problem) <= MOST && !ut_coulomb_polygonal(problem);
}

static utStatus set_edges(Refined* refined, int contact, int edges)
{
    return ut_section_polygon(UT_SECTION_INSCRIBED, edges, 0.0, &refined->section[contact], NULL);
}

utStatus ut_refined_begin(const utCoulomb* problem, Refined* refined)
{
    const size_t nc = (size_t)problem->contacts;
    const size_t need = ut_arena_need(nc, sizeof(utSection)) + ut_arena_need(nc, sizeof(int)) +
                        ut_coulomb_need(1, ut_coulomb_rows(problem));
    UT_TRY(ut_arena_create(need, NULL, &refined->memory));
    utArena rest = refined->memory;
    refined->section = UT_PUSH(&rest, utSection, nc);
    refined->section_of = UT_PUSH(&rest, int, nc);
    refined->u = ut_coulomb_push(&rest, 1, ut_coulomb_rows(problem));
    for (int i = 0; i < problem->contacts; i++) {
        refined->section_of[i] = i;
        UT_TRY(set_edges(refined, i, FIRST));
    }
    return UT_OK;
}

void ut_refined_end(Refined* refined)
{
    ut_arena_destroy(&refined->memory);
}

// Impulses of the problem with polygons, and their velocities.
static utStatus pivot(const utCoulomb* polygons, utArena scratch, Refined* refined, double* r,
                      int* count, utCoulombVerdict* verdict)
{
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info = {0};
    int answered;
    def.lcp = UT_LCP_LEMKE;
    UT_TRY(ut_coulomb_lcp_attempts(polygons, &def, scratch, r, &info, &answered));
    *count += info.iterations;
    return ut_coulomb_judge(polygons, false, r, scratch, refined->u, verdict);
}

// More edges for what slips or nearly does. @return whether there were any
static bool refine(const utCoulomb* problem, double V, const double* r, Refined* refined)
{
    bool finer = false;
    int unknowns = 0;
    for (int i = 0; i < problem->contacts; i++) {
        const double* r_i = r + (size_t)3 * (size_t)i;
        const double* u_i = refined->u + (size_t)3 * (size_t)i;
        const double friction = sqrt(r_i[1] * r_i[1] + r_i[2] * r_i[2]);
        const double slip = sqrt(u_i[1] * u_i[1] + u_i[2] * u_i[2]);
        const bool near = friction > INSIDE * problem->mu[i] * r_i[0] || slip > SLIPS * V;
        const int edges = refined->section[i].edges;
        if (r_i[0] > 0.0 && near && edges < FINEST) {
            finer = set_edges(refined, i, edges * FINER < FINEST ? edges * FINER : FINEST) == UT_OK;
        }
        unknowns += 2 + refined->section[i].edges;
    }
    return finer && unknowns <= UNKNOWNS;
}

utStatus ut_refined_solve(const utCoulomb* problem, Refined* refined, double* r, int* count,
                          bool* finer)
{
    utCoulomb polygons = *problem;
    utCoulombVerdict verdict;
    utArena scratch;
    polygons.section = refined->section;
    polygons.section_of = refined->section_of;
    UT_TRY(ut_arena_create(ut_coulomb_lcp_scratch(&polygons), NULL, &scratch));
    const utStatus status = pivot(&polygons, scratch, refined, r, count, &verdict);
    ut_arena_destroy(&scratch);
    *finer = status == UT_OK && refine(problem, verdict.V, r, refined);
    return status;
}
