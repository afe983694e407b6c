// SPDX-License-Identifier: Apache-2.0
// Polygons in the place of circles. Lemke's method finds a solution of every polygon's problem,
// along a path of its own. Descent methods may all end at one point near which there is no
// solution: they open and close a contact in turn, while in a solution that contact has a much larger
// impulse. The solution with polygons of 16 or 32 edges lies near one with circles, which Newton's
// method then reaches in a few steps. Only contacts that slip, or nearly do, need so many edges.
#include "refined_polygons.h"

#include <string.h>

#include "polyhedral.h"

enum {
    FIRST_EDGES = 4,         // of each polygon at the start
    EDGE_FACTOR = 4,         // a refined polygon has this many times more edges,
    MAX_EDGES = 32,          // but no more than these
    MAX_ROWS = 1100,         // of a problem: beyond it the dense LCP takes more than 1 GB
    MAX_LCP_UNKNOWNS = 4500, // for the same reason
};

// Friction below this fraction of mu r_n lies inside every polygon: a square inscribed in the unit
// circle contains the disc of radius 0.707.
static const double INSIDE_ANY_POLYGON = 0.7;
static const double SLIP_SPEED = 1e-9; // of V: faster contacts slip

bool ut_refined_applies(const utCoulomb* problem)
{
    return problem->W != NULL && problem->dimension == 3 && problem->bilaterals == 0 &&
           ut_coulomb_rows(problem) <= MAX_ROWS && !ut_coulomb_polygonal(problem);
}

static utStatus set_edges(RefinedPolygons* refined, int contact, int edges)
{
    return ut_section_polygon(UT_SECTION_INSCRIBED, edges, 0.0, &refined->section[contact], NULL);
}

utStatus ut_refined_begin(const utCoulomb* problem, utArena* scratch, RefinedPolygons* refined)
{
    refined->section = UT_PUSH(scratch, utSection, problem->contacts);
    refined->section_of = UT_PUSH(scratch, int, problem->contacts);
    refined->u = ut_coulomb_push(scratch, 1, ut_coulomb_rows(problem));
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < problem->contacts; i++) {
        refined->section_of[i] = i;
        UT_TRY(set_edges(refined, i, FIRST_EDGES));
    }
    return UT_OK;
}

// Impulses of the problem with polygons, and their velocities.
static utStatus solve_polygons(const utCoulomb* polygons, utArena scratch, RefinedPolygons* refined,
                               double* r, int* count, utCoulombVerdict* verdict)
{
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info = {0};
    int answered;
    def.lcp = UT_LCP_LEMKE;
    UT_TRY(ut_coulomb_lcp_attempts(polygons, &def, scratch, r, &info, &answered));
    *count += info.iterations;
    return ut_coulomb_judge(polygons, false, r, scratch, refined->u, verdict);
}

// More edges for the polygons of contacts that slip or nearly do. @return whether there were any
static bool refine(const utCoulomb* problem, double V, const double* r, RefinedPolygons* refined)
{
    bool finer = false;
    int unknowns = 0;
    for (int i = 0; i < problem->contacts; i++) {
        const double* r_i = r + (size_t)3 * (size_t)i;
        const double* u_i = refined->u + (size_t)3 * (size_t)i;
        const double friction = sqrt(r_i[1] * r_i[1] + r_i[2] * r_i[2]);
        const double slip = sqrt(u_i[1] * u_i[1] + u_i[2] * u_i[2]);
        const bool near =
            friction > INSIDE_ANY_POLYGON * problem->mu[i] * r_i[0] || slip > SLIP_SPEED * V;
        const int edges = refined->section[i].edges;
        if (r_i[0] > 0.0 && near && edges < MAX_EDGES) {
            const int more = edges * EDGE_FACTOR < MAX_EDGES ? edges * EDGE_FACTOR : MAX_EDGES;
            finer = set_edges(refined, i, more) == UT_OK;
        }
        unknowns += 2 + refined->section[i].edges;
    }
    return finer && unknowns <= MAX_LCP_UNKNOWNS;
}

utStatus ut_refined_solve(const utCoulomb* problem, utArena scratch, RefinedPolygons* refined,
                          double* r, int* count, bool* finer)
{
    utCoulomb polygons = *problem;
    utCoulombVerdict verdict;
    polygons.section = refined->section;
    polygons.section_of = refined->section_of;
    UT_TRY(solve_polygons(&polygons, scratch, refined, r, count, &verdict));
    *finer = refine(problem, verdict.V, r, refined);
    return UT_OK;
}
