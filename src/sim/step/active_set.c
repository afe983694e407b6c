// SPDX-License-Identifier: Apache-2.0
// The active set: contacts and rows that the step's motion may bring into play.
#include <math.h>
#include <string.h>

#include "sim/sleep/sleep.h"

int ut_step_max_rows(const utModel* model)
{
    // two limits and dry friction per velocity, one row per actuator, three per spring
    return 3 * model->nv + model->nu + 3 * model->nspring +
           MAX_ROWS_PER_EQUALITY * model->nequality + MAX_ROWS_PER_TENDON * model->ntendon;
}

// ---- contacts -----------------------------------------------------------------------------------

// Detect contacts. Arrays that are too small are replaced by larger ones, because no contact may be
// dropped.
static utStatus detect(Step* step)
{
    utSim* sim = step->sim;
    SimWorkspace* work = &sim->work;
    ActiveSet* active = &step->active;
    const int points = sim->model->npoint;
    ut_contact_update_boxes(&step->scene, work->broad);
    for (;;) {
        int pairs = 0;
        int* pair = ut_arena_push(&step->arena, (size_t)work->max_pairs, 2 * sizeof *pair);
        active->contact = UT_PUSH(&step->arena, utContact, work->max_contacts);
        if (ut_arena_failed(&step->arena)) {
            return UT_ERR_CAPACITY;
        }
        const utStatus status =
            ut_contact_detect(&step->scene, work->broad, work->max_pairs, pair, &pairs,
                              work->max_contacts - points, active->contact, &active->contacts);
        const int contacts = active->contacts + points;
        const bool fits = pairs <= work->max_pairs && contacts <= work->max_contacts;
        if (status != UT_ERR_CAPACITY || fits) {
            return status;
        }
        work->max_pairs = pairs > work->max_pairs ? 2 * pairs : work->max_pairs;
        work->max_contacts = contacts > work->max_contacts ? 2 * contacts : work->max_contacts;
    }
}

// Remove the gap from b_n, for formulations without gaps.
static void remove_gaps(Step* step)
{
    for (int i = 0; i < step->active.contacts; i++) {
        utContact* c = &step->active.contact[i];
        c->b[0] -= c->gap > 0.0 ? c->gap / step->h : 0.0;
    }
}

utStatus ut_step_detect_contacts(Step* step)
{
    ActiveSet* active = &step->active;
    UT_TRY(detect(step));
    active->detected = active->contacts;
    UT_TRY(ut_contact_reduce(&step->scene, step->sim->work.broad, step->arena, &active->contacts,
                             active->contact));
    ut_contact_add_explicit(&step->scene, active->contact, &active->contacts);
    UT_TRY(ut_sleep_filter_contacts(step));
    ut_step_split_contacts(step);
    return UT_OK;
}

utStatus ut_step_find_contacts(Step* step)
{
    const utFormulationTraits* formulation = step->sim->settings.traits;
    UT_TRY(ut_step_detect_contacts(step));
    if (formulation->gap == UT_GAP_NONE) {
        remove_gaps(step);
    }
    return formulation->acceleration ? ut_step_accelerate(step) : UT_OK;
}

double ut_step_normal_velocity(const Step* step, const utContact* c, const double* v)
{
    const utModel* model = step->sim->model;
    const utMotion one =
        ut_contact_twist(&step->scene, ut_model_side_body(model, c->geom1), c->point, v);
    const utMotion two =
        ut_contact_twist(&step->scene, ut_model_side_body(model, c->geom2), c->point, v);
    return ut_vec3_dot(c->frame[0], ut_vec3_sub(two.linear, one.linear));
}

// ---- rows ---------------------------------------------------------------------------------------

// Keep the limits, because finite forces do nothing in an instant. @return how many rows are left
static int keep_limits(int rows, utRow* row)
{
    int kept = 0;
    for (int j = 0; j < rows; j++) {
        if (ut_row_is_limit(&row[j])) {
            row[kept++] = row[j];
        }
    }
    return kept;
}

utStatus ut_step_find_rows(Step* step)
{
    const ContactScene* scene = &step->scene;
    const StepInput* input = &step->input;
    utRow* row = UT_PUSH(&step->arena, utRow, ut_step_max_rows(step->sim->model));
    if (row == NULL) {
        return UT_ERR_CAPACITY;
    }
    int rows = ut_contact_joint_rows(scene, step->q, input->limited, input->limited_count, row);
    if (step->instant) {
        rows = keep_limits(rows, row);
    } else if (!step->sim->settings.traits->explicit_forces) {
        rows += ut_contact_spring_rows(scene, row + rows);
    }
    rows += ut_contact_equality_rows(scene, row + rows);
    int tendons, couplings;
    UT_TRY(ut_contact_tendon_rows(scene, step->q, ut_sim_has_tendon_rows(step->sim), &step->arena,
                                  row + rows, &tendons));
    rows += step->instant ? keep_limits(tendons, row + rows) : tendons;
    UT_TRY(ut_contact_coupling_rows(scene, step->q, &step->arena, row + rows, &couplings));
    rows += couplings;
    step->active.row = row;
    step->active.rows = rows;
    UT_TRY(ut_sleep_filter_rows(step));
    return ut_step_loosen(step);
}

// ---- again --------------------------------------------------------------------------------------

utStatus ut_step_keep_impulses(Step* step, WarmStart* warm)
{
    const ActiveSet* active = &step->active;
    const int most = 2 * active->contacts + active->rows;
    WarmImpulse* impulse = UT_PUSH(&step->arena, WarmImpulse, most);
    if (impulse == NULL) {
        return UT_ERR_CAPACITY;
    }
    *warm = (WarmStart){
        .impulse = impulse,
        .count =
            ut_warm_store(active->contacts, active->contact, active->rows, active->row, impulse),
        .capacity = most,
        .h = step->h,
    };
    return UT_OK;
}

// Could a second detection find a contact that the first one did not? Only when a geom is faster
// than before, or when a contact was dropped that its new path may meet.
static bool may_find_contacts(const Step* step)
{
    // without impulses the travels are those of v*
    const bool same = memcmp(step->v_next, step->free.v,
                             (size_t)step->sim->model->nv * sizeof *step->v_next) == 0;
    const bool faster = !same && ut_contact_raise_travels(&step->scene, step->v_next);
    return faster || *step->scene.bounds.passed > 0 || step->scene.continuous ||
           step->sim->settings.traits->events;
}

// Has a tendon a limit and a path? The length of a fixed tendon changes at its rate.
static bool is_limited_path(const utModelTendon* tendon)
{
    return tendon->limited && tendon->terms > 0 && tendon->kind != UT_TENDON_FIXED;
}

static bool has_limited_path(const utModel* model)
{
    bool found = false;
    for (int i = 0; i < model->ntendon; i++) {
        found = found || is_limited_path(&model->tendon[i]);
    }
    return found;
}

// Let the mean rate of tendons that end beyond a limit count for the reach of their limits. The rates
// at the start are too small for a tendon across the motion, which lengthens at second order in h, and for
// a path that jumps onto a geom.
static utStatus note_passed_tendons(Step* step)
{
    const utModel* model = step->sim->model;
    const SimState* next = &step->next;
    utArena scratch = step->arena;
    utKinematics end;
    if (step->instant || !has_limited_path(model)) {
        return UT_OK;
    }
    UT_TRY(ut_kinematics_create(model, &scratch, &end));
    ut_kinematics_place(&end, next->q, next->mocap_pos, next->mocap_quat);
    for (int i = 0; i < model->ntendon; i++) {
        const utModelTendon* t = &model->tendon[i];
        if (!is_limited_path(t)) {
            continue;
        }
        const double length = ut_tendon_length(&end, next->q, i, NULL, NULL, NULL);
        if (length < t->range[0] || length > t->range[1]) {
            const utKinematics* start = &step->sim->work.kin;
            const double before = ut_tendon_length(start, step->q, i, NULL, NULL, NULL);
            double* speed = &step->scene.bounds.tendon_speed[i];
            *speed = fmax(*speed, fabs(length - before) / step->h);
        }
    }
    return UT_OK;
}

utStatus ut_step_extend_active_set(Step* step, bool* extended)
{
    step->scene.v_next = step->v_next;
    UT_TRY(note_passed_tendons(step));
    const Step before = *step;
    if (!may_find_contacts(step)) {
        UT_TRY(ut_step_find_rows(step));
        *extended = step->active.rows > before.active.rows;
        *step = before;
        if (!*extended) {
            return UT_OK;
        }
    }
    UT_TRY(ut_step_keep_impulses(step, &step->warm));
    step->warm_scale = 1.0;
    step->scene.persistent = step->active.contact;
    step->scene.persistent_count = step->active.contacts + step->active.event_contacts;
    UT_TRY(ut_step_find_contacts(step));
    UT_TRY(ut_step_find_rows(step));
    *extended =
        step->active.detected > before.active.detected || step->active.rows > before.active.rows;
    if (!*extended) {
        *step = before;
    }
    return UT_OK;
}
