// SPDX-License-Identifier: Apache-2.0
// Where everything is, where it would go, and what it may touch on the way.
#include <string.h>

#include "internal.h"

static const double CONVERGED = 1e-9; // m: rows are right to this after the step

int ut_sim_max_rows(const utModel* model)
{
    // a limit at both ends, dry friction of each velocity, a row for each
    // actuator, three for a spring; those of equalities
    return 3 * model->nv + model->nu + 3 * model->nspring +
           MAX_ROWS_PER_EQUALITY * model->nequality;
}

static utStatus find_contacts(Step* step)
{
    utSim* sim = step->sim;
    int pairs = 0;
    int* pair = ut_arena_push(&step->arena, (size_t)sim->max_pairs, 2 * sizeof *pair);
    step->contact = UT_PUSH(&step->arena, utContact, sim->max_contacts);
    if (pair == NULL || step->contact == NULL) {
        return UT_ERR_CAPACITY;
    }
    ut_contact_update_boxes(&step->scene, sim->broad);
    const int points = sim->model->npoint;
    const utStatus status =
        ut_contact_detect(&step->scene, sim->broad, sim->max_pairs, pair, &pairs,
                          sim->max_contacts - points, step->contact, &step->contacts);
    if (status == UT_ERR_CAPACITY) {
        // the next try has room for what was found, and for some more
        sim->max_pairs = pairs > sim->max_pairs ? 2 * pairs : sim->max_pairs;
        const int contacts = step->contacts + points;
        sim->max_contacts = contacts > sim->max_contacts ? 2 * contacts : sim->max_contacts;
        return status;
    }
    step->found = step->contacts;
    UT_TRY(status);
    UT_TRY(
        ut_contact_reduce(&step->scene, sim->broad, step->arena, &step->contacts, step->contact));
    ut_contact_add_explicit(&step->scene, step->contact, &step->contacts);
    ut_step_watch(step);
    return UT_OK;
}

// b without gaps, for the formulations that have none; then accelerations
static utStatus settle_contacts(Step* step)
{
    const utSim* sim = step->sim;
    for (int i = 0; sim->formulation->gap == UT_GAP_NONE && i < step->contacts; i++) {
        const double gap = step->contact[i].gap;
        const bool counted = gap > 0.0 || sim->formulation->gap == UT_GAP_SIGNED;
        step->contact[i].b[0] -= counted ? gap / sim->h : 0.0;
    }
    return sim->formulation->acceleration ? ut_step_accelerate(step) : UT_OK;
}

// Forces that are finite do nothing in an instant. @return how many rows are left
static int keep_limits(int rows, utRow* row)
{
    int kept = 0;
    for (int j = 0; j < rows; j++) {
        if (row[j].kind <= UT_ROW_BALL) {
            row[kept++] = row[j];
        }
    }
    return kept;
}

static utStatus find_rows(Step* step)
{
    step->row = UT_PUSH(&step->arena, utRow, ut_sim_max_rows(step->sim->model));
    if (step->row == NULL) {
        return UT_ERR_CAPACITY;
    }
    step->rows = ut_contact_joint_rows(&step->scene, step->q, step->law, step->laws, step->row);
    if (step->instant) {
        step->rows = keep_limits(step->rows, step->row);
    } else if (!step->sim->formulation->explicit_forces) {
        step->rows += ut_contact_spring_rows(&step->scene, step->row + step->rows);
    }
    step->rows += ut_contact_equality_rows(&step->scene, step->row + step->rows);
    return UT_OK;
}

utStatus ut_step_look_again(Step* step, bool* more)
{
    step->scene.v_next = step->v_next;
    const Step before = *step;
    WarmImpulse* warm = UT_PUSH(&step->arena, WarmImpulse, step->contacts + step->rows);
    if (warm == NULL) {
        return UT_ERR_CAPACITY;
    }
    step->warm = warm;
    step->warm_count = ut_warm_store(step->contacts, step->contact, step->rows, step->row, warm);
    step->warm_share = 1.0;
    step->scene.persistent = step->contact;
    step->scene.persistent_count = step->contacts + step->watched;
    UT_TRY(find_contacts(step));
    UT_TRY(settle_contacts(step));
    UT_TRY(find_rows(step));
    *more = step->found > before.found || step->rows > before.rows;
    if (!*more) {
        *step = before;
    }
    return UT_OK;
}

// ---- re-linearisation ---------------------------------------------------------------------------

// How much further the bodies have moved than where contacts were taken, in any contact or row
// between bodies, m.
static double off_the_rows(Step* step, utContact* contact, utRow* row)
{
    const ContactScene* scene = &step->scene;
    double* change = UT_PUSH(&step->arena, double, step->sim->model->nv);
    if (change == NULL) {
        return HUGE_VAL;
    }
    for (int k = 0; k < step->sim->model->nv; k++) {
        change[k] = step->v_next[k] - step->v_ahead[k];
    }
    double most = 0.0;
    for (int i = 0; i < step->contacts; i++) {
        contact[i] = step->contact[i];
        memset(contact[i].b, 0, sizeof contact[i].b);
    }
    for (int j = 0; j < step->rows; j++) {
        row[j] = step->row[j];
        row[j].b = 0.0;
        row[j].r = 0.0;
    }
    ut_contact_velocities(scene, change, step->contacts, contact, step->rows, row);
    for (int i = 0; i < step->contacts; i++) {
        const double* u = contact[i].u;
        most = fmax(most, step->sim->h * sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
    }
    for (int j = 0; j < step->rows; j++) {
        most = ut_row_is_relinearized(&row[j]) ? fmax(most, step->sim->h * fabs(row[j].u)) : most;
    }
    return most;
}

// Equalities and their limits are taken anew, all other rows stay as they are. What there was
// is left alone.
static void take_rows_ahead(Step* step, utRow* row)
{
    int rows = 0;
    for (int j = 0; j < step->rows; j++) {
        if (!ut_row_is_relinearized(&step->row[j])) {
            row[rows++] = step->row[j];
        }
    }
    const int first = rows;
    const int count = ut_contact_equality_rows(&step->scene, row + first);
    for (int j = first; j < first + count; j++) {
        if (ut_row_is_relinearized(&row[j])) {
            row[rows++] = row[j];
        }
    }
    step->row = row;
    step->rows = rows;
}

void ut_step_move_mocap(const Step* step, int m, double t, double* pos, double* quat)
{
    const double* p = step->mocap_pos + (size_t)3 * (size_t)m;
    const double* q = step->mocap_quat + (size_t)4 * (size_t)m;
    const utMotion twist = step->mocap_velocity[m];
    const utVec3 at = ut_vec3_add_scaled(ut_vec3(p[0], p[1], p[2]), t, twist.linear);
    const utQuat turned = ut_quat_integrate(ut_quat(q[0], q[1], q[2], q[3]), twist.angular, t);
    memcpy(pos, (const double[]){at.x, at.y, at.z}, 3 * sizeof *pos);
    memcpy(quat, (const double[]){turned.w, turned.x, turned.y, turned.z}, 4 * sizeof *quat);
}

// Place the bodies where contacts are to be taken.
static utStatus place_ahead(Step* step)
{
    const utModel* model = step->sim->model;
    const double h = step->sim->h;
    double* q = UT_PUSH(&step->arena, double, model->nq);
    double* pos = UT_PUSH(&step->arena, double, 3 * model->nmocap);
    double* quat = UT_PUSH(&step->arena, double, 4 * model->nmocap);
    if (q == NULL || pos == NULL || quat == NULL) {
        return UT_ERR_CAPACITY;
    }
    ut_model_integrate(model, step->q, step->v_ahead, h, q);
    for (int m = 0; step->mocap_ahead != NULL && m < model->nmocap; m++) {
        ut_step_move_mocap(step, m, step->mocap_ahead[m] * h, pos + (size_t)3 * (size_t)m,
                           quat + (size_t)4 * (size_t)m);
    }
    const bool between = step->mocap_ahead != NULL;
    ut_kinematics_place(&step->kin_ahead, q, between ? pos : step->mocap_pos_next,
                        between ? quat : step->mocap_quat_next);
    ut_kinematics_carry(&step->kin_ahead, step->q);
    ut_kinematics_move(&step->kin_ahead, step->v_ahead, step->mocap_velocity);
    return UT_OK;
}

utStatus ut_step_take_ahead(Step* step, double* v_ahead, double* mocap_ahead)
{
    WarmImpulse* warm = UT_PUSH(&step->arena, WarmImpulse, step->contacts + step->rows);
    utRow* row = UT_PUSH(&step->arena, utRow, 2 * ut_sim_max_rows(step->sim->model));
    if (row == NULL || warm == NULL) {
        return UT_ERR_CAPACITY;
    }
    if (step->v_ahead == NULL) {
        UT_TRY(ut_kinematics_create(step->sim->model, &step->arena, &step->kin_ahead));
    }
    step->v_ahead = v_ahead;
    step->mocap_ahead = mocap_ahead;
    UT_TRY(place_ahead(step));
    step->warm = warm;
    step->warm_count = ut_warm_store(step->contacts, step->contact, step->rows, step->row, warm);
    step->warm_share = 1.0;
    step->scene.kin = &step->kin_ahead;
    step->scene.v_ahead = step->v_ahead;
    step->scene.mocap_ahead = step->mocap_ahead;
    step->scene.v_next = step->v_ahead;
    UT_TRY(ut_motion_bounds_create(step->sim->model, &step->arena, &step->scene.bounds));
    take_rows_ahead(step, row);
    step->passes++;
    return find_contacts(step);
}

utStatus ut_step_relinearize(Step* step, bool* more)
{
    const utModel* model = step->sim->model;
    *more = false;
    if (step->contacts == 0 && model->nequality == 0) {
        return UT_OK;
    }
    if (step->v_ahead != NULL) {
        utContact* work = UT_PUSH(&step->arena, utContact, step->contacts);
        utRow* more_work = UT_PUSH(&step->arena, utRow, step->rows);
        if (work == NULL || more_work == NULL) {
            return UT_ERR_CAPACITY;
        }
        if (off_the_rows(step, work, more_work) <= CONVERGED) {
            return UT_OK;
        }
    }
    double* v_ahead = UT_PUSH(&step->arena, double, model->nv);
    if (v_ahead == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(v_ahead, step->v_next, (size_t)model->nv * sizeof *v_ahead);
    *more = true;
    return ut_step_take_ahead(step, v_ahead, NULL);
}

// ---- the first look -----------------------------------------------------------------------------

// v* and M̂: linearly implicit in springs and dampers, or by the stages of RK4 and MIDPOINT, for
// which impulses meet M alone.
static utStatus find_free(Step* step)
{
    utSim* sim = step->sim;
    const utModel* model = sim->model;
    step->heavy = &sim->kin;
    if (step->instant) {
        memcpy(step->v_free, step->v, (size_t)model->nv * sizeof *step->v_free);
        memset(step->diagonal, 0, (size_t)model->nv * sizeof *step->diagonal);
        return UT_OK;
    }
    const bool explicit_forces = sim->formulation->explicit_forces;
    const utForce* applied = step->applied;
    const bool driven = model->nequality > 0 && (explicit_forces || model->nu > 0);
    if ((explicit_forces && model->nspring > 0) || driven) {
        utForce* acting = UT_PUSH(&step->arena, utForce, model->nbody);
        if (acting == NULL) {
            return UT_ERR_CAPACITY;
        }
        memcpy(acting, step->applied, (size_t)model->nbody * sizeof *acting);
        if (explicit_forces) {
            ut_dyn_add_springs(&sim->kin, acting);
        }
        ut_dyn_add_equalities(&sim->kin, step->ctrl, explicit_forces, acting);
        applied = acting;
    }
    const utSmooth smooth = {
        .model = model,
        .gravity = model->options.gravity,
        .tau = step->force,
        .applied = applied,
        .mocap_pos = sim->mocap_pos,
        .mocap_quat = sim->mocap_quat,
        .stiffness = step->stiffness,
        .damping = step->damping,
        .explicit_forces = explicit_forces,
    };
    if (model->options.midpoint) {
        return ut_step_free_midpoint(step, &smooth);
    }
    if (!ut_sim_staged(sim)) {
        return ut_smooth_free(&smooth, sim->h, &sim->kin, step->q, step->v, step->more, NULL,
                              step->arena, step->diagonal, step->v_free);
    }
    step->q_free = UT_PUSH(&step->arena, double, model->nq);
    if (step->q_free == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(step->q_free, step->q, (size_t)model->nq * sizeof *step->q_free);
    memcpy(step->v_free, step->v, (size_t)model->nv * sizeof *step->v_free);
    memset(step->diagonal, 0, (size_t)model->nv * sizeof *step->diagonal);
    UT_TRY(
        ut_smooth_step(&smooth, sim->integrator, sim->h, step->arena, step->q_free, step->v_free));
    ut_model_carry(model, step->q_free, step->v_free, step->q, step->v_free);
    return UT_OK;
}

void ut_step_mass(Step* step)
{
    if (!step->has_mass) {
        ut_mass_find(&step->sim->mass, step->heavy, step->diagonal);
        step->has_mass = true;
    }
}

utStatus ut_step_look(Step* step)
{
    utSim* sim = step->sim;
    const utModel* model = sim->model;
    ut_model_carry(model, step->q_start, step->v_start, step->q, step->v);
    ut_kinematics_place(&sim->kin, step->q, sim->mocap_pos, sim->mocap_quat);
    ut_kinematics_move(&sim->kin, step->v, step->mocap_velocity);
    step->v_free = UT_PUSH(&step->arena, double, model->nv);
    step->diagonal = UT_PUSH(&step->arena, double, model->nv);
    if (step->v_free == NULL || step->diagonal == NULL) {
        return UT_ERR_CAPACITY;
    }
    if (!step->instant) {
        ut_step_actuate(step);
    }
    UT_TRY(find_free(step));
    step->scene = (ContactScene){
        .model = model,
        .kin = &sim->kin,
        .time = sim->time,
        .h = sim->h,
        .v = step->v,
        .v_free = step->v_free,
        .mocap_velocity = step->mocap_velocity,
        .ctrl = step->ctrl,
        .formulation = sim->formulation,
        .reach = step->instant ? UT_REACH_TOUCHING : sim->formulation->reach,
        .continuous = ut_step_sweeps(sim),
    };
    UT_TRY(ut_motion_bounds_create(model, &step->arena, &step->scene.bounds));
    UT_TRY(find_contacts(step));
    UT_TRY(settle_contacts(step));
    UT_TRY(find_rows(step));
    step->has_mass = false;
    for (int i = 0; i < step->contacts; i++) {
        const double depth = -step->contact[i].gap;
        if (depth > step->max_penetration) {
            step->max_penetration = depth;
            step->deepest[0] = step->contact[i].geom1;
            step->deepest[1] = step->contact[i].geom2;
        }
    }
    return UT_OK;
}
