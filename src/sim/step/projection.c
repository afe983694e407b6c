// SPDX-License-Identifier: Apache-2.0
// Projection: positions move out of overlaps and onto equalities by the least displacement in the
// metric of M. Velocities do not change. It is the frictionless problem with gaps in place of
// velocities,
//
//     M dq = J_n' s + J_e' y,    0 <= s ⟂ J_n dq + gap >= 0,    J_e dq + Phi = 0
//
// over contacts, limits and equalities. Overlaps are rare, because solves are exact: they remain
// after impacts on curved paths, or a model begins with them. A step on a curved path leaves an error
// of order h^2 in equalities, and one pass leaves an error of second order in that.
#include <string.h>

#include "sim/step.h"
#include "sim/tolerances.h"

enum {
    MAX_FACTORIZATIONS = 60, // of an island: a problem without solution must end
    MAX_PASSES = 4,          // of Newton's iteration on equalities
};

static bool overlaps(const Step* step)
{
    bool found = false;
    for (int i = 0; i < step->active.contacts; i++) {
        found = found || step->active.contact[i].gap < -PROJECTED_OVERLAP;
    }
    for (int j = 0; j < step->active.rows; j++) {
        const utRow* row = &step->active.row[j];
        found = found || (ut_row_is_limit(row) && row->gap * row->length < -PROJECTED_OVERLAP);
    }
    return found;
}

bool ut_step_violates_equalities(const Step* step)
{
    bool found = false;
    for (int j = 0; j < step->active.rows; j++) {
        const utRow* row = &step->active.row[j];
        found =
            found || (ut_row_is_equality(row) && fabs(row->length * row->gap) > PROJECTED_OVERLAP);
    }
    return found;
}

// Copy contacts, limits and equalities with gaps in place of velocities. @return number of rows
static int copy_with_gaps(const Step* step, utContact* contact, utRow* row)
{
    int rows = 0;
    for (int i = 0; i < step->active.contacts; i++) {
        contact[i] = step->active.contact[i];
        contact[i].mu = 0.0;
        contact[i].torsional = 0.0;
        contact[i].rolling = 0.0;
        contact[i].b[0] = contact[i].gap;
        contact[i].b[1] = 0.0;
        contact[i].b[2] = 0.0;
        memset(contact[i].r, 0, sizeof contact[i].r);
    }
    for (int j = 0; j < step->active.rows; j++) {
        if (ut_row_is_limit(&step->active.row[j]) || ut_row_is_equality(&step->active.row[j])) {
            row[rows] = step->active.row[j];
            row[rows].b = row[rows].length * row[rows].gap;
            row[rows++].r = 0.0;
        }
    }
    return rows;
}

// Solve one island; contacts and rows receive s and y.
static utStatus solve_island(Step* step, const ContactScene* scene, int island, utContact* contact,
                             int rows, utRow* row)
{
    utArena arena = step->arena;
    IslandProblem problem;
    UT_TRY(ut_contact_problem(scene, &step->sim->work.mass, island, step->active.contacts, contact,
                              rows, row, &step->sim->settings.section, &arena, &problem));
    double* r = UT_PUSH(&arena, double, ut_coulomb_rows(&problem.coulomb));
    if (r == NULL) {
        return UT_ERR_CAPACITY;
    }
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    for (int j = 0; j < problem.coulomb.bilaterals; j++) {
        if (ut_row_is_equality(&row[problem.row[j]])) {
            problem.coulomb.speed = PROJECTION_SCALE;
        }
    }
    def.no_fallback = true;
    def.max_iterations = MAX_FACTORIZATIONS;
    UT_TRY(ut_coulomb_solve(&problem.coulomb, UT_COULOMB_AUTO, &def, arena, r, &info));
    for (int i = 0; i < problem.coulomb.contacts; i++) {
        contact[problem.contact[i]].r[0] = r[problem.coulomb.dimension * i];
    }
    for (int j = 0; j < problem.coulomb.bilaterals; j++) {
        row[problem.row[j]].r = r[problem.coulomb.dimension * problem.coulomb.contacts + j];
    }
    return UT_OK;
}

// The displacement of all islands. @param dq nv
static utStatus find_displacement(Step* step, double* dq)
{
    const utModel* model = step->sim->model;
    utContact* contact = UT_PUSH(&step->arena, utContact, step->active.contacts);
    utRow* row = UT_PUSH(&step->arena, utRow, step->active.rows);
    double* zero = UT_PUSH(&step->arena, double, model->nv);
    double* impulse = UT_PUSH(&step->arena, double, model->nv);
    int* root = UT_PUSH(&step->arena, int, 2 * model->ntree);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    memset(zero, 0, (size_t)model->nv * sizeof *zero);
    const int rows = copy_with_gaps(step, contact, row);
    const int islands = ut_contact_islands(model, step->active.contacts, contact, rows, row, root);
    IslandIndex index;
    UT_TRY(ut_contact_index(model, islands, step->active.contacts, contact, rows, row, root,
                            &step->arena, &index));
    ContactScene scene = step->scene;
    scene.v_free = zero;
    scene.index = &index;
    ut_step_find_mass(step);
    for (int k = 0; k < islands; k++) {
        UT_TRY(solve_island(step, &scene, k, contact, rows, row));
    }
    memset(impulse, 0, (size_t)model->nv * sizeof *impulse);
    UT_TRY(ut_contact_generalized_impulse(&scene, step->active.contacts, contact, rows, row,
                                          step->arena, impulse));
    return ut_dyn_respond(&step->sim->work.kin, impulse, step->free.diagonal, NULL, step->arena,
                          dq);
}

// Move step->q by dq, scaled down to the largest displacement. @return false when dq is not finite
static bool displace(Step* step, double* dq)
{
    const utModel* model = step->sim->model;
    double most = 0.0;
    for (int k = 0; k < model->nv; k++) {
        most = fmax(most, fabs(dq[k]));
    }
    for (int k = 0; most > MAX_PROJECTION && k < model->nv; k++) {
        dq[k] *= MAX_PROJECTION / most;
    }
    if (!isfinite(most)) {
        return false;
    }
    ut_model_integrate(model, step->q, dq, 1.0, step->q);
    if (step->projection != NULL) {
        // report one displacement for all passes, and use the positions that it leads to
        ut_model_difference(model, step->start.q, step->q, dq);
        ut_model_integrate(model, step->start.q, dq, 1.0, step->q);
    }
    step->projection = dq;
    return true;
}

utStatus ut_step_project(Step* step)
{
    const utModel* model = step->sim->model;
    bool violated = step->sim->settings.traits->projects && ut_step_violates_equalities(step);
    bool removable = false;
    if (violated) {
        UT_TRY(ut_step_find_loose(step, &removable));
    }
    if (!step->sim->settings.traits->projects || !(overlaps(step) || removable)) {
        return UT_OK;
    }
    for (int pass = 0; pass < MAX_PASSES && (pass == 0 || (violated && !step->loose)); pass++) {
        double* dq = UT_PUSH(&step->arena, double, model->nv);
        if (dq == NULL) {
            return UT_ERR_CAPACITY;
        }
        UT_TRY(find_displacement(step, dq));
        if (!displace(step, dq)) {
            return UT_OK;
        }
        // forces, M and contacts depend on positions
        UT_TRY(ut_step_set_up(step));
        violated = ut_step_violates_equalities(step);
    }
    return UT_OK;
}
