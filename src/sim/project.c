// SPDX-License-Identifier: Apache-2.0
// Positions that overlap are moved apart, and those of equalities that are off together, by as
// little as possible in the metric of M, without touching velocities: the frictionless problem with
// gaps in the place of velocities,
//
//     M dq = J_n' s + J_e' y,    0 <= s ⟂ J_n dq + gap >= 0,    J_e dq + Phi = 0
//
// over contacts, limits and equalities. With exact solves overlaps are rare: after impacts on
// curved paths, or when a model begins with them. Equalities are off by h^2 after each step on a
// curved path; what is left of that after one pass is of its second order.
#include <string.h>

#include "internal.h"

static const double OVERLAP = 1e-9; // m: what is let be
enum { EFFORT = 60 };               // factorizations: where there is no way out none is found
static const double FINE = 1e-5;    // m: equalities are put right to 1e-9 of this
enum { PASSES = 4 };                // of Newton's iteration on equalities
static const double LARGEST = 0.2;  // m: no displacement is larger

static bool overlaps(const Step* step)
{
    bool found = false;
    for (int i = 0; i < step->contacts; i++) {
        found = found || step->contact[i].gap < -OVERLAP;
    }
    for (int j = 0; j < step->rows; j++) {
        const utRow* row = &step->row[j];
        found = found || (row->kind <= UT_ROW_BALL && row->gap * row->length < -OVERLAP);
    }
    return found;
}

// Is an equality off?
static bool is_off(const Step* step)
{
    bool found = false;
    for (int j = 0; j < step->rows; j++) {
        const utRow* row = &step->row[j];
        found = found || (row->kind == UT_ROW_EQUALITY && fabs(row->gap) > OVERLAP);
    }
    return found;
}

// The same contacts, limits and equalities with gaps for velocities, and
// nothing that is not one of these.
static int keep_limits(const Step* step, utContact* contact, utRow* row)
{
    int rows = 0;
    for (int i = 0; i < step->contacts; i++) {
        contact[i] = step->contact[i];
        contact[i].mu = 0.0;
        contact[i].b[0] = contact[i].gap;
        contact[i].b[1] = 0.0;
        contact[i].b[2] = 0.0;
        memset(contact[i].r, 0, sizeof contact[i].r);
    }
    for (int j = 0; j < step->rows; j++) {
        if (step->row[j].kind <= UT_ROW_BALL || step->row[j].kind == UT_ROW_EQUALITY) {
            row[rows] = step->row[j];
            row[rows].b = row[rows].length * row[rows].gap;
            row[rows++].r = 0.0;
        }
    }
    return rows;
}

// Solve one island and add what its impulses do to g.
static utStatus solve_island(Step* step, const ContactScene* scene, int island, utContact* contact,
                             int rows, utRow* row)
{
    utArena arena = step->arena;
    IslandProblem problem;
    UT_TRY(ut_contact_problem(scene, &step->sim->mass, island, step->contacts, contact, rows, row,
                              &step->sim->section, &arena, &problem));
    double* r = UT_PUSH(&arena, double, ut_coulomb_rows(&problem.coulomb));
    if (r == NULL) {
        return UT_ERR_CAPACITY;
    }
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    for (int j = 0; j < problem.coulomb.bilaterals; j++) {
        if (row[problem.row[j]].kind == UT_ROW_EQUALITY) {
            problem.coulomb.speed = FINE;
        }
    }
    def.no_fallback = true;
    def.max_iterations = EFFORT;
    UT_TRY(ut_coulomb_solve(&problem.coulomb, UT_COULOMB_AUTO, &def, arena, r, &info));
    for (int i = 0; i < problem.coulomb.contacts; i++) {
        contact[problem.contact[i]].r[0] = r[problem.coulomb.dimension * i];
    }
    for (int j = 0; j < problem.coulomb.bilaterals; j++) {
        row[problem.row[j]].r = r[problem.coulomb.dimension * problem.coulomb.contacts + j];
    }
    return UT_OK;
}

// dq of all islands. @param dq nv
static utStatus find_displacement(Step* step, double* dq)
{
    const utModel* model = step->sim->model;
    utContact* contact = UT_PUSH(&step->arena, utContact, step->contacts);
    utRow* row = UT_PUSH(&step->arena, utRow, step->rows);
    double* still = UT_PUSH(&step->arena, double, model->nv);
    double* push = UT_PUSH(&step->arena, double, model->nv);
    int* root = UT_PUSH(&step->arena, int, 2 * model->ntree);
    if (contact == NULL || row == NULL || still == NULL || push == NULL || root == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(still, 0, (size_t)model->nv * sizeof *still);
    const int rows = keep_limits(step, contact, row);
    const int islands = ut_contact_islands(model, step->contacts, contact, rows, row, root);
    ContactScene scene = step->scene;
    scene.v_free = still;
    ut_step_mass(step);
    for (int k = 0; k < islands; k++) {
        UT_TRY(solve_island(step, &scene, k, contact, rows, row));
    }
    memset(push, 0, (size_t)model->nv * sizeof *push);
    UT_TRY(ut_contact_generalized_impulse(&scene, step->contacts, contact, rows, row, step->arena,
                                          push));
    return ut_dyn_respond(&step->sim->kin, push, step->diagonal, NULL, step->arena, dq);
}

// Move by dq, not too far. @return false when there is nowhere to go
static bool displace(Step* step, double* dq)
{
    const utModel* model = step->sim->model;
    double most = 0.0;
    for (int k = 0; k < model->nv; k++) {
        most = fmax(most, fabs(dq[k]));
    }
    for (int k = 0; most > LARGEST && k < model->nv; k++) {
        dq[k] *= LARGEST / most;
    }
    if (!isfinite(most)) {
        return false;
    }
    ut_model_integrate(model, step->q, dq, 1.0, step->q);
    if (step->projection != NULL) {
        // one displacement for all passes, and the positions that it leads to
        ut_model_difference(model, step->q_start, step->q, dq);
        ut_model_integrate(model, step->q_start, dq, 1.0, step->q);
    }
    step->projection = dq;
    return true;
}

utStatus ut_step_project(Step* step)
{
    const utModel* model = step->sim->model;
    if (!step->sim->formulation->projects || !(overlaps(step) || is_off(step))) {
        return UT_OK;
    }
    for (int pass = 0; pass < PASSES && (pass == 0 || is_off(step)); pass++) {
        double* dq = UT_PUSH(&step->arena, double, model->nv);
        if (dq == NULL) {
            return UT_ERR_CAPACITY;
        }
        UT_TRY(find_displacement(step, dq));
        if (!displace(step, dq)) {
            return UT_OK;
        }
        // forces depend on positions; M and the contacts do too
        UT_TRY(ut_step_look(step));
    }
    return UT_OK;
}
