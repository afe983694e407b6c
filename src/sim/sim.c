// SPDX-License-Identifier: Apache-2.0
// A sim: creation, destruction, and access to its state.
#include <string.h>

#include "sim/sleep/sleep.h"

enum { FIRST_PAIRS = 64, FIRST_CONTACTS = 32 }; // room to begin with; both grow

// ---- memory -------------------------------------------------------------------------------------

static utStatus create_workspace(utSim* sim)
{
    const utModel* model = sim->model;
    SimWorkspace* work = &sim->work;
    work->mocap_velocity = UT_PUSH(&sim->memory, utMotion, model->nmocap);
    work->q = UT_PUSH(&sim->memory, double, model->nq);
    work->placed = (PlacedAt){.q = UT_PUSH(&sim->memory, double, model->nq),
                              .v = UT_PUSH(&sim->memory, double, model->nv),
                              .mocap_pos = UT_PUSH(&sim->memory, double, 3 * model->nmocap),
                              .mocap_quat = UT_PUSH(&sim->memory, double, 4 * model->nmocap),
                              .mocap_velocity = UT_PUSH(&sim->memory, utMotion, model->nmocap)};
    if (ut_arena_failed(&sim->memory)) {
        return UT_ERR_CAPACITY;
    }
    work->max_pairs = FIRST_PAIRS;
    work->max_contacts = FIRST_CONTACTS + model->npoint;
    UT_TRY(ut_kinematics_create(model, &sim->memory, &work->kin));
    UT_TRY(ut_certificate_placements_create(model, &sim->memory, &work->certified));
    UT_TRY(ut_mass_create(model, &sim->memory, &work->mass));
    UT_TRY(ut_broad_create(model->ngeom, &sim->memory, &work->broad));
    UT_TRY(ut_state_create(model, sim->allocator, sim->settings.sleep, &sim->memory, &work->draft));
    UT_TRY(ut_sleep_create(sim));
    if (model->nsensor > 0) {
        UT_TRY(ut_sensors_create(model, &sim->memory, &work->sensors));
    }
    work->plan.allocator = sim->allocator;
    UT_TRY(ut_island_threads_create(sim, sim->settings.threads, &work->threads));
    UT_TRY(ut_arena_create(0, sim->allocator, &work->step));
    return ut_sim_has_parts(sim) ? ut_arena_create(0, sim->allocator, &work->kept) : UT_OK;
}

static utStatus create(utSim* sim, const utSimDef* def, utError* err)
{
    UT_TRY(ut_settings_choose(sim->model, def, &sim->settings, err));
    UT_TRY(ut_state_create(sim->model, sim->allocator, sim->settings.sleep, &sim->memory,
                           &sim->state));
    UT_TRY(create_workspace(sim));
    return ut_sim_reset(sim, -1, err);
}

utStatus ut_sim_create(const utModel* model, const utSimDef* def, utSim** out, utError* err)
{
    const utSimDef defaults = ut_sim_def();
    def = def != NULL ? def : &defaults;
    if (model == NULL || out == NULL || def->cookie != UT_SIM_DEF_COOKIE) {
        return ut_error_set(err, UT_ERR_DEF, "a model and a def of ut_sim_def() are needed");
    }
    utArena memory;
    if (ut_arena_create(0, def->allocator, &memory) != UT_OK) {
        return ut_error_set(err, UT_ERR_MEMORY, "%s", ut_status_text(UT_ERR_MEMORY));
    }
    utSim* sim = UT_PUSH(&memory, utSim, 1);
    *sim = (utSim){.model = model, .memory = memory, .allocator = def->allocator};
    utStatus status = create(sim, def, err);
    if (status != UT_OK) {
        ut_sim_destroy(sim);
        status = status == UT_ERR_CAPACITY ? UT_ERR_MEMORY : status;
        return status == UT_ERR_MEMORY ? ut_error_set(err, status, "%s", ut_status_text(status))
                                       : status;
    }
    *out = sim;
    return UT_OK;
}

void ut_sim_destroy(utSim* sim)
{
    if (sim == NULL) {
        return;
    }
    utArena memory = sim->memory; // the sim itself lies on it
    ut_state_destroy(&sim->state);
    ut_state_destroy(&sim->work.draft);
    ut_arena_destroy(&sim->work.step);
    ut_arena_destroy(&sim->work.kept);
    ut_arena_destroy(&sim->work.text);
    ut_coulomb_plan_destroy(&sim->work.plan);
    ut_island_threads_destroy(sim->work.threads);
    ut_arena_destroy(&memory);
}

// ---- access -------------------------------------------------------------------------------------

const utModel* ut_sim_model(const utSim* sim)
{
    return sim->model;
}

double ut_sim_time(const utSim* sim)
{
    return sim->state.time;
}

double ut_sim_dt(const utSim* sim)
{
    return sim->settings.dt;
}

void ut_sim_stop_at(utSim* sim, double time)
{
    sim->settings.stop = time;
}

const double* ut_sim_q(const utSim* sim)
{
    return sim->state.q;
}

const double* ut_sim_v(const utSim* sim)
{
    return sim->state.v;
}

const double* ut_sim_act(const utSim* sim)
{
    return sim->state.act;
}

const double* ut_sim_mocap_pos(const utSim* sim)
{
    return sim->state.mocap_pos;
}

const double* ut_sim_mocap_quat(const utSim* sim)
{
    return sim->state.mocap_quat;
}

const utMotion* ut_sim_mocap_velocity(const utSim* sim)
{
    return sim->work.mocap_velocity;
}

int ut_sim_sleeping(const utSim* sim)
{
    int bodies = 0;
    for (int t = 0; t < sim->state.sleep.trees; t++) {
        bodies += sim->state.sleep.tree[t].group >= 0 ? sim->model->tree[t].bodies : 0;
    }
    return bodies;
}

bool ut_sim_sleeps(const utSim* sim, int body)
{
    const int tree = sim->model->body[body].tree;
    return sim->state.sleep.trees > 0 && tree >= 0 && sim->state.sleep.tree[tree].group >= 0;
}

double ut_sim_energy(const utSim* sim)
{
    return ut_dyn_kinetic(&sim->work.kin, sim->state.v) +
           ut_dyn_potential(&sim->work.kin, sim->state.q, sim->model->options.gravity);
}

void ut_sim_sensors(utSim* sim, double* data)
{
    if (sim->model->nsensor == 0) {
        return;
    }
    const utSensorState state = {
        .time = sim->state.time,
        .q = sim->state.q,
        .v = sim->state.v,
        .kin = &sim->work.kin,
    };
    ut_sensors_read(&sim->work.sensors, &state, sim->last.taken ? &sim->last.whole : NULL, data);
}

// ---- poses --------------------------------------------------------------------------------------

utBodyState ut_sim_body(const utSim* sim, int body)
{
    const utKinematics* kin = &sim->work.kin;
    return (utBodyState){
        .frame = kin->body[body],
        .quat = kin->quat[body],
        .com = kin->com[body],
        .velocity = ut_point_velocity(kin, body, kin->com[body]),
        .angular = kin->velocity[body].angular,
    };
}

static void write_pose(utVec3 p, utQuat quat, double* pos, double* out)
{
    memcpy(pos, (const double[]){p.x, p.y, p.z}, 3 * sizeof *pos);
    memcpy(out, (const double[]){quat.w, quat.x, quat.y, quat.z}, 4 * sizeof *out);
}

void ut_sim_body_poses(const utSim* sim, double* pos, double* quat)
{
    const utKinematics* kin = &sim->work.kin;
    for (int b = 0; b < sim->model->nbody; b++) {
        const size_t i = (size_t)b;
        write_pose(kin->body[b].p, kin->quat[b], pos + 3 * i, quat + 4 * i);
    }
}

void ut_sim_geom_poses(const utSim* sim, double* pos, double* quat)
{
    const utKinematics* kin = &sim->work.kin;
    for (int g = 0; g < sim->model->ngeom; g++) {
        const size_t i = (size_t)g;
        const utModelGeom* geom = &sim->model->geom[g];
        const utVec3 at = ut_frame_point(kin->body[geom->body], geom->in_body.p);
        write_pose(at, ut_quat_mul(kin->quat[geom->body], geom->quat), pos + 3 * i, quat + 4 * i);
    }
}
