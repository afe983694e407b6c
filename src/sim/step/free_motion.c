// SPDX-License-Identifier: Apache-2.0
// Motion without contact impulses: the free velocity v* and the matrix M̂ that impulses meet.
#include <string.h>

#include "sim/step.h"

// ---- midpoint -----------------------------------------------------------------------------------

// Place a kinematics at q ⊕ t v. @param q nq of work
static utStatus place_at(Step* step, double t, utKinematics* kin, double* q)
{
    const utModel* model = step->sim->model;
    UT_TRY(ut_kinematics_create(model, &step->arena, kin));
    ut_model_integrate(model, step->q, step->v, t, q);
    ut_kinematics_place(kin, q, step->start.mocap_pos, step->start.mocap_quat);
    ut_kinematics_move(kin, step->v, NULL);
    return UT_OK;
}

// M at the end and forces halfway (Son, Trinkle and Amato):
//
//     M(q ⊕ h v) a = k(q ⊕ h v / 2, v),    v* = v + h (a + b)
//
// k holds the springs and dampers of joints, and ut_dyn_centripetal computes b. Contacts keep their
// normals and tangents at q.
static utStatus free_midpoint(Step* step, const utSmooth* smooth)
{
    const utModel* model = step->sim->model;
    const int nv = model->nv;
    FreeMotion* free = &step->free;
    utKinematics half;
    utKinematics* end = UT_PUSH(&step->arena, utKinematics, 1);
    double* q = UT_PUSH(&step->arena, double, model->nq);
    double* tau = UT_PUSH(&step->arena, double, nv);
    double* bias = UT_PUSH(&step->arena, double, nv);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(place_at(step, 0.5 * step->h, &half, q));
    ut_dyn_passive(model, q, step->v, tau);
    UT_TRY(ut_dyn_inverse(&half, NULL, smooth->gravity, smooth->applied, step->arena, bias));
    memcpy(free->diagonal, step->input.actuator_diagonal, (size_t)nv * sizeof *free->diagonal);
    for (int i = 0; i < nv; i++) {
        tau[i] += smooth->tau[i] - bias[i];
    }
    UT_TRY(place_at(step, step->h, end, q));
    UT_TRY(ut_dyn_factor(end, free->diagonal, free->factor));
    ut_dyn_factor_respond(end, free->factor, tau, NULL, free->v);
    ut_dyn_centripetal(&step->sim->work.kin, step->v, bias);
    for (int i = 0; i < nv; i++) {
        free->v[i] = step->v[i] + step->h * free->v[i] + step->h * bias[i];
    }
    free->mass_kin = end;
    return UT_OK;
}

// ---- all integrators ----------------------------------------------------------------------------

// Wrenches of the input, of explicit springs, and of equalities' actuators and explicit springs.
static utStatus find_wrenches(Step* step, const utForce** wrench)
{
    const utSim* sim = step->sim;
    const utModel* model = sim->model;
    const bool explicit_forces = sim->settings.traits->explicit_forces;
    const bool driven = model->nequality > 0 && (explicit_forces || model->nu > 0);
    *wrench = step->input.wrench;
    if (!(explicit_forces && model->nspring > 0) && !driven) {
        return UT_OK;
    }
    utForce* all = UT_PUSH(&step->arena, utForce, model->nbody);
    if (all == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int b = 0; b < model->nbody; b++) {
        all[b] = step->input.wrench != NULL ? step->input.wrench[b] : (utForce){0};
    }
    if (explicit_forces) {
        ut_dyn_add_springs(&sim->work.kin, all);
    }
    ut_dyn_add_equalities(&sim->work.kin, step->input.input, explicit_forces, all);
    *wrench = all;
    return UT_OK;
}

// Generalized forces of the input, and of tendons that act with explicit forces.
static utStatus find_forces(Step* step, const double** force)
{
    const utSim* sim = step->sim;
    const utModel* model = sim->model;
    *force = step->input.force;
    if (model->ntendon == 0 || !sim->settings.traits->explicit_forces ||
        sim->settings.integrator == UT_INTEGRATOR_RK4) {
        return UT_OK;
    }
    double* all = UT_PUSH(&step->arena, double, model->nv);
    if (all == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(all, step->input.force, (size_t)model->nv * sizeof *all);
    *force = all;
    return ut_dyn_add_tendons(&sim->work.kin, step->q, step->v, step->input.mocap_velocity,
                              step->arena, all);
}

// An integrator with stages treats springs and dampers itself, so that M̂ is M.
static utStatus free_by_stages(Step* step, const utSmooth* smooth)
{
    const utModel* model = step->sim->model;
    FreeMotion* free = &step->free;
    free->q = UT_PUSH(&step->arena, double, model->nq);
    if (free->q == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(free->q, step->q, (size_t)model->nq * sizeof *free->q);
    memcpy(free->v, step->v, (size_t)model->nv * sizeof *free->v);
    memset(free->diagonal, 0, (size_t)model->nv * sizeof *free->diagonal);
    UT_TRY(ut_smooth_step(smooth, step->sim->settings.integrator, step->h, step->arena, free->q,
                          free->v));
    ut_model_carry(model, free->q, free->v, step->q, free->v);
    return ut_dyn_factor(free->mass_kin, free->diagonal, free->factor);
}

utStatus ut_step_free_motion(Step* step)
{
    utSim* sim = step->sim;
    const utModel* model = sim->model;
    FreeMotion* free = &step->free;
    free->v = UT_PUSH(&step->arena, double, model->nv);
    free->diagonal = UT_PUSH(&step->arena, double, model->nv);
    free->factor = ut_dyn_factor_create(model, &step->arena);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    free->mass_kin = &sim->work.kin;
    free->mass_is_current = false;
    if (step->instant) {
        memcpy(free->v, step->v, (size_t)model->nv * sizeof *free->v);
        memset(free->diagonal, 0, (size_t)model->nv * sizeof *free->diagonal);
        return ut_dyn_factor(free->mass_kin, free->diagonal, free->factor);
    }
    UT_TRY(ut_step_actuate(step));
    const utForce* wrench;
    const double* force;
    UT_TRY(find_wrenches(step, &wrench));
    UT_TRY(find_forces(step, &force));
    const utSmooth smooth = {
        .model = model,
        .gravity = model->options.gravity,
        .tau = force,
        .applied = wrench,
        .mocap_pos = step->start.mocap_pos,
        .mocap_quat = step->start.mocap_quat,
        .stiffness = step->input.stiffness,
        .damping = step->input.damping,
        .explicit_forces = sim->settings.traits->explicit_forces,
    };
    if (model->options.midpoint) {
        return free_midpoint(step, &smooth);
    }
    if (ut_sim_has_stages(sim)) {
        return free_by_stages(step, &smooth);
    }
    return ut_smooth_free(&smooth, step->h, &sim->work.kin, step->q, step->v,
                          step->input.actuator_diagonal, NULL, step->arena, free->diagonal,
                          free->factor, free->v);
}

void ut_step_find_mass(Step* step)
{
    if (!step->free.mass_is_current) {
        ut_mass_find(&step->sim->work.mass, step->free.mass_kin, step->free.diagonal);
        step->free.mass_is_current = true;
    }
}
