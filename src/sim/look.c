// Where everything is, where it would go, and what it may touch on the way.
#include <string.h>

#include "internal.h"

static const double CONVERGED = 1e-9; // m: rows are right to this after the step

int ut_sim_max_rows(const utModel* model)
{
    // a limit at both ends, dry friction of each velocity, a row for each
    // actuator
    return 3 * model->nv + model->nu;
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
    ut_contact_bound(&step->scene, sim->broad);
    const utStatus status = ut_contact_find(&step->scene, sim->broad, sim->max_pairs, pair, &pairs,
                                            sim->max_contacts, step->contact, &step->contacts);
    if (status == UT_ERR_CAPACITY) {
        // the next try has room for what was found, and for some more
        sim->max_pairs = pairs > sim->max_pairs ? 2 * pairs : sim->max_pairs;
        sim->max_contacts =
            step->contacts > sim->max_contacts ? 2 * step->contacts : sim->max_contacts;
    }
    return status;
}

// b without gaps, for the formulations that have none; then accelerations
static utStatus settle_contacts(Step* step)
{
    const utSim* sim = step->sim;
    for (int i = 0; sim->formulation->no_gaps && i < step->contacts; i++) {
        const double gap = step->contact[i].gap;
        const bool counted = gap > 0.0 || sim->formulation->signed_gaps;
        step->contact[i].b[0] -= counted ? gap / sim->h : 0.0;
    }
    return sim->formulation->acceleration ? ut_step_accelerate(step) : UT_OK;
}

utStatus ut_step_look_again(Step* step, bool* more)
{
    const int before = step->contacts;
    WarmImpulse* warm = UT_PUSH(&step->arena, WarmImpulse, before + step->rows);
    if (warm == NULL) {
        return UT_ERR_CAPACITY;
    }
    utContact* contact = step->contact;
    step->warm = warm;
    step->warm_count = ut_contact_keep(before, contact, step->rows, step->row, warm);
    step->warm_share = 1.0;
    step->scene.v_next = step->v_next;
    UT_TRY(find_contacts(step));
    UT_TRY(settle_contacts(step));
    *more = step->contacts > before;
    if (!*more) {
        step->contacts = before;
        step->contact = contact;
    }
    return UT_OK;
}

// ---- re-linearisation ---------------------------------------------------------------------------

// How much further the bodies have moved than where contacts were taken, in any contact, m.
static double off_the_rows(Step* step, utContact* contact)
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
    ut_contact_velocities(scene, change, step->contacts, contact, 0, NULL);
    for (int i = 0; i < step->contacts; i++) {
        const double* u = contact[i].u;
        most = fmax(most, step->sim->h * sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
    }
    return most;
}

utStatus ut_step_relinearize(Step* step, bool* more)
{
    utSim* sim = step->sim;
    const utModel* model = sim->model;
    *more = false;
    if (step->contacts == 0) {
        return UT_OK;
    }
    if (step->v_ahead == NULL) {
        UT_TRY(ut_kinematics_create(model, &step->arena, &step->kin_ahead));
    } else {
        utContact* work = UT_PUSH(&step->arena, utContact, step->contacts);
        if (work == NULL || off_the_rows(step, work) <= CONVERGED) {
            return work != NULL ? UT_OK : UT_ERR_CAPACITY;
        }
    }
    WarmImpulse* warm = UT_PUSH(&step->arena, WarmImpulse, step->contacts + step->rows);
    double* q_ahead = UT_PUSH(&step->arena, double, model->nq);
    step->v_ahead = UT_PUSH(&step->arena, double, model->nv);
    utRow* row = UT_PUSH(&step->arena, utRow, step->rows);
    if (step->v_ahead == NULL || row == NULL || warm == NULL || q_ahead == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(row, step->row, (size_t)step->rows * sizeof *row);
    step->row = row; // what there was stays as it is
    memcpy(step->v_ahead, step->v_next, (size_t)model->nv * sizeof *step->v_ahead);
    ut_model_integrate(model, step->q, step->v_ahead, sim->h, q_ahead);
    ut_kinematics_place(&step->kin_ahead, q_ahead, step->mocap_pos_next, step->mocap_quat_next);
    ut_kinematics_move(&step->kin_ahead, step->v_ahead, step->mocap_velocity);
    step->warm = warm;
    step->warm_count = ut_contact_keep(step->contacts, step->contact, step->rows, step->row, warm);
    step->warm_share = 1.0;
    step->scene.kin = &step->kin_ahead;
    step->scene.v_ahead = step->v_ahead;
    step->scene.v_next = step->v_ahead;
    step->passes++;
    *more = true;
    return find_contacts(step);
}

// ---- the first look -----------------------------------------------------------------------------

// v* and M̂: linearly implicit in springs and dampers, or by the stages of RK4 and MIDPOINT, for
// which impulses meet M alone.
static utStatus find_free(Step* step)
{
    utSim* sim = step->sim;
    const utModel* model = sim->model;
    const utSmooth smooth = {
        .model = model,
        .gravity = model->options.gravity,
        .tau = step->force,
        .applied = step->applied,
        .mocap_pos = sim->mocap_pos,
        .mocap_quat = sim->mocap_quat,
        .stiffness = step->stiffness,
        .damping = step->damping,
    };
    step->heavy = &sim->kin;
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
    return ut_smooth_step(&smooth, sim->integrator, sim->h, step->arena, step->q_free,
                          step->v_free);
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
    ut_kinematics_place(&sim->kin, step->q, sim->mocap_pos, sim->mocap_quat);
    ut_kinematics_move(&sim->kin, step->v, step->mocap_velocity);
    step->v_free = UT_PUSH(&step->arena, double, model->nv);
    step->row = UT_PUSH(&step->arena, utRow, ut_sim_max_rows(model));
    step->diagonal = UT_PUSH(&step->arena, double, model->nv);
    if (step->v_free == NULL || step->row == NULL || step->diagonal == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(find_free(step));
    step->scene = (ContactScene){
        .model = model,
        .kin = &sim->kin,
        .h = sim->h,
        .v = step->v,
        .v_free = step->v_free,
        .mocap_velocity = step->mocap_velocity,
        .signed_gaps = sim->formulation->signed_gaps,
        .reach = sim->formulation->reach,
    };
    UT_TRY(find_contacts(step));
    UT_TRY(settle_contacts(step));
    step->rows = ut_contact_rows(&step->scene, step->q, step->law, step->laws, step->row);
    step->has_mass = false;
    for (int i = 0; i < step->contacts; i++) {
        const double depth = -step->contact[i].gap;
        step->max_penetration = depth > step->max_penetration ? depth : step->max_penetration;
    }
    return UT_OK;
}
