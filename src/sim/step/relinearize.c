// SPDX-License-Identifier: Apache-2.0
// Re-linearisation: contacts and equalities are linearized at q ⊕ h v_ahead instead of q, where
// v_ahead is the velocity of an earlier solution.
#include <string.h>

#include "sim/step.h"
#include "sim/tolerances.h"

// The largest displacement h |J (v_next - v_ahead)| of a contact or a row between bodies from the
// place of its linearisation, m.
static utStatus find_displacement(Step* step, double* displacement)
{
    const ActiveSet* active = &step->active;
    const int nv = step->sim->model->nv;
    utArena scratch = step->arena;
    double* change = UT_PUSH(&scratch, double, nv);
    utContact* contact = UT_PUSH(&scratch, utContact, active->contacts);
    utRow* row = UT_PUSH(&scratch, utRow, active->rows);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int k = 0; k < nv; k++) {
        change[k] = step->v_next[k] - step->ahead.v[k];
    }
    for (int i = 0; i < active->contacts; i++) {
        contact[i] = active->contact[i];
        memset(contact[i].b, 0, sizeof contact[i].b);
    }
    for (int j = 0; j < active->rows; j++) {
        row[j] = active->row[j];
        row[j].b = 0.0;
        row[j].r = 0.0;
    }
    ut_contact_velocities(&step->scene, change, active->contacts, contact, active->rows, row);
    double most = 0.0;
    for (int i = 0; i < active->contacts; i++) {
        const double* u = contact[i].u;
        most = fmax(most, step->h * sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
    }
    for (int j = 0; j < active->rows; j++) {
        most = ut_row_is_relinearized(&row[j]) ? fmax(most, step->h * fabs(row[j].u)) : most;
    }
    *displacement = most;
    return UT_OK;
}

// Place the bodies at q ⊕ h v_ahead.
static utStatus place_ahead(Step* step)
{
    const utModel* model = step->sim->model;
    Relinearisation* ahead = &step->ahead;
    double* q = UT_PUSH(&step->arena, double, model->nq);
    double* pos = UT_PUSH(&step->arena, double, 3 * model->nmocap);
    double* quat = UT_PUSH(&step->arena, double, 4 * model->nmocap);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    const bool between = ahead->mocap_fraction != NULL;
    ut_model_integrate(model, step->q, ahead->v, step->h, q);
    for (int m = 0; between && m < model->nmocap; m++) {
        ut_mocap_move(step->start.mocap_pos, step->start.mocap_quat, step->input.mocap_velocity, m,
                      ahead->mocap_fraction[m] * step->h, pos + (size_t)3 * (size_t)m,
                      quat + (size_t)4 * (size_t)m);
    }
    ut_kinematics_place(&ahead->kin, q, between ? pos : step->next.mocap_pos,
                        between ? quat : step->next.mocap_quat);
    ut_kinematics_carry(&ahead->kin, step->q);
    ut_kinematics_move(&ahead->kin, ahead->v, step->input.mocap_velocity);
    return UT_OK;
}

// Take equalities and their limits at q ⊕ h v_ahead. All other rows stay.
static utStatus find_rows_ahead(Step* step)
{
    const ActiveSet* active = &step->active;
    utRow* row = UT_PUSH(&step->arena, utRow, 2 * ut_step_max_rows(step->sim->model));
    if (row == NULL) {
        return UT_ERR_CAPACITY;
    }
    int rows = 0;
    for (int j = 0; j < active->rows; j++) {
        if (!ut_row_is_relinearized(&active->row[j])) {
            row[rows++] = active->row[j];
        }
    }
    const int first = rows;
    const int count = ut_contact_equality_rows(&step->scene, row + first);
    for (int j = first; j < first + count; j++) {
        if (ut_row_is_relinearized(&row[j])) {
            row[rows++] = row[j];
        }
    }
    step->active.row = row;
    step->active.rows = rows;
    return UT_OK;
}

utStatus ut_step_linearize_at(Step* step, double* v_ahead, double* mocap_fraction)
{
    const utModel* model = step->sim->model;
    if (step->ahead.v == NULL) {
        UT_TRY(ut_kinematics_create(model, &step->arena, &step->ahead.kin));
    }
    step->ahead.v = v_ahead;
    step->ahead.mocap_fraction = mocap_fraction;
    step->ahead.passes++;
    UT_TRY(place_ahead(step));
    UT_TRY(ut_step_keep_impulses(step, &step->warm));
    step->warm_scale = 1.0;
    step->scene.kin = &step->ahead.kin;
    step->scene.v_ahead = v_ahead;
    step->scene.mocap_ahead = mocap_fraction;
    step->scene.v_next = v_ahead;
    UT_TRY(ut_motion_bounds_create(model, &step->arena, &step->scene.bounds));
    UT_TRY(find_rows_ahead(step));
    return ut_step_detect_contacts(step);
}

double ut_step_v_ahead(const Step* step, int dof)
{
    return step->ahead.v != NULL ? step->ahead.v[dof] : 0.0;
}

double ut_step_mocap_fraction(const Step* step, int m)
{
    const Relinearisation* ahead = &step->ahead;
    return ahead->mocap_fraction != NULL ? ahead->mocap_fraction[m] : ahead->v != NULL ? 1.0 : 0.0;
}

utStatus ut_step_relinearize(Step* step, bool* changed)
{
    const utModel* model = step->sim->model;
    *changed = false;
    if (step->active.contacts == 0 && model->nequality == 0) {
        return UT_OK;
    }
    if (step->ahead.v != NULL) {
        double displacement;
        UT_TRY(find_displacement(step, &displacement));
        if (displacement <= RELINEARISED_GAP) {
            return UT_OK;
        }
    }
    double* v_ahead = UT_PUSH(&step->arena, double, model->nv);
    if (v_ahead == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(v_ahead, step->v_next, (size_t)model->nv * sizeof *v_ahead);
    *changed = true;
    return ut_step_linearize_at(step, v_ahead, NULL);
}
