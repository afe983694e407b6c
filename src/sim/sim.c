// SPDX-License-Identifier: Apache-2.0
// A sim: settings, state and memory.
#include <float.h>
#include <string.h>

#include "internal.h"

static const double MAX_TIME = 0x1p40; // in steps: one is then known to 2^-12 of itself

enum { PAIRS = 256, CONTACTS = 256, STEP = 1 << 20 };

// ---- settings -----------------------------------------------------------------------------------

utSimDef ut_sim_def(void)
{
    return (utSimDef){.formulation = -1,
                      .integrator = -1,
                      .impact = -1,
                      .simultaneous = -1,
                      .cookie = UT_DEF_COOKIE};
}

static utStatus choose_solver(utSim* sim, const char* name, utError* err)
{
    const bool polygon = sim->formulation->section != UT_SECTION_CIRCLE;
    // in the plane the cone has two sides: an LCP too
    const bool straight = sim->section.kind == UT_SECTION_SEGMENT && !sim->formulation->convex;
    sim->lcp = UT_LCP_AUTO;
    if (polygon && strcmp(name, "auto") != 0 && ut_lcp_solver_find(name, &sim->lcp)) {
        sim->solver = UT_COULOMB_LCP;
        return UT_OK;
    }
    if (!ut_coulomb_solver_find(name, &sim->solver)) {
        if (straight && ut_lcp_solver_find(name, &sim->lcp)) {
            sim->solver = UT_COULOMB_LCP;
            return UT_OK;
        }
        return ut_error_set(err, UT_ERR_ARGUMENT, "there is no solver '%s' for %s", name,
                            sim->formulation->name);
    }
    return UT_OK;
}

// In the plane all sections are one.
static utStatus choose_section(utSim* sim, utError* err)
{
    const utSectionKind kind = sim->formulation->section;
    const bool planar = sim->model->options.planar != UT_PLANAR_NONE;
    sim->section = planar ? ut_section_segment() : ut_section_circle();
    return planar || kind == UT_SECTION_CIRCLE
               ? UT_OK
               : ut_section_polygon(kind, sim->directions, 0.0, &sim->section, err);
}

// What a formulation has no place for.
static utStatus check_formulation(const utSim* sim, utError* err)
{
    const utModel* model = sim->model;
    const char* name = sim->formulation->name;
    const bool euler = !ut_sim_staged(sim);
    if (model->options.midpoint && (sim->formulation->section == UT_SECTION_CIRCLE || !euler)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "evaluate=\"midpoint\" goes with Euler steps of formulations with "
                            "polygons, not with %s",
                            euler ? name : ut_integrator_name(sim->integrator));
    }
    if (!sim->formulation->acceleration) {
        return UT_OK;
    }
    for (int j = 0; j < model->njoint; j++) {
        if (model->joint[j].limited || model->joint[j].frictionloss > 0.0) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "%s knows no limits and no dry friction of joints, as %s has", name,
                                model->joint[j].name);
        }
    }
    if (model->nequality > 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "%s knows no equalities and no maximal coordinates", name);
    }
    for (int a = 0; a < model->nactuator; a++) {
        if (model->actuator[a].force_limited) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "%s knows no limited forces of actuators, as %s has", name,
                                model->actuator[a].name);
        }
    }
    if (!euler || (sim->solver != UT_COULOMB_AUTO && sim->solver != UT_COULOMB_LCP)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "%s takes Euler steps by a solver of LCPs", name);
    }
    return UT_OK;
}

// Laws of impacts: that of one contact, how several go together, and whether energy is guarded.
static utStatus choose_impacts(utSim* sim, const utSimDef* def, utError* err)
{
    const utOptions* options = &sim->model->options;
    const int law = def->impact >= 0 ? def->impact : options->impact;
    const int together = def->simultaneous >= 0 ? def->simultaneous : options->simultaneous;
    const bool events = sim->formulation->events;
    if (!events && (law > UT_IMPACT_NEWTON || together > UT_SIMULTANEOUS_MOREAU)) {
        const bool single = law > UT_IMPACT_NEWTON;
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "%s=\"%s\" needs formulation hybrid or mirtich; %s has newton and "
                            "moreau only",
                            single ? "impact" : "simultaneous",
                            single ? ut_impact_law_name((utImpactLaw)law)
                                   : ut_simultaneous_name((utSimultaneous)together),
                            sim->formulation->name);
    }
    sim->law = law >= 0 ? (utImpactLaw)law : UT_IMPACT_STRONGE;
    sim->simultaneous = together >= 0              ? (utSimultaneous)together
                        : law == UT_IMPACT_POISSON ? UT_SIMULTANEOUS_POISSON
                                                   : UT_SIMULTANEOUS_MOREAU;
    sim->guard = law != UT_IMPACT_NEWTON;
    const bool plain = sim->integrator != UT_INTEGRATOR_RK4;
    sim->integrator = events && plain ? UT_INTEGRATOR_MIDPOINT : sim->integrator;
    return UT_OK;
}

double ut_sim_hop(const utSim* sim)
{
    if (!sim->formulation->collisions_only) {
        return 0.0;
    }
    // detected once per step, collisions repeat by themselves and need no minimum rebound
    const bool located = sim->model->options.detection == UT_DETECTION_LOCATED;
    const double g = located ? ut_vec3_norm(sim->model->options.gravity) : 0.0;
    // without restitution and gravity a collision is still one: the least number above 0 marks it
    return fmax(0.5 * sim->whole * g, DBL_MIN);
}

// Choices that are numbers: -1, or 0 for directions, leaves them to the model.
static utStatus check_choices(const utSimDef* def, utError* err)
{
    const struct {
        const char* name;
        int value, least, count;
    } all[] = {
        {"formulation", def->formulation, -1, UT_FORMULATION_COUNT},
        {"integrator", def->integrator, -1, UT_INTEGRATOR_COUNT},
        {"impact", def->impact, -1, UT_IMPACT_LAW_COUNT},
        {"simultaneous", def->simultaneous, -1, UT_SIMULTANEOUS_COUNT},
        {"directions", def->directions, 0, UT_SECTION_MAX_EDGES + 1},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k].value < all[k].least || all[k].value >= all[k].count) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "%s is %d; it lies between %d and %d",
                                all[k].name, all[k].value, all[k].least, all[k].count - 1);
        }
    }
    return UT_OK;
}

static utStatus settle(utSim* sim, const utSimDef* def, utError* err)
{
    UT_TRY(check_choices(def, err));
    const utOptions* options = &sim->model->options;
    sim->which = (utFormulation)(def->formulation >= 0 ? def->formulation : options->formulation);
    sim->formulation = ut_formulation_traits(sim->which);
    sim->dt = def->dt != 0.0 ? def->dt : options->dt;
    sim->h = sim->dt;
    sim->whole = sim->dt;
    sim->tolerance = def->tolerance != 0.0 ? def->tolerance : options->tolerance;
    sim->integrator = def->integrator >= 0 ? (utIntegrator)def->integrator : options->integrator;
    sim->directions = def->directions != 0 ? def->directions : options->directions;
    sim->adaptive = def->adaptive;
    sim->h_next = sim->dt;
    sim->stop = HUGE_VAL;
    sim->keep_going = def->keep_going;
    sim->no_certificate = def->no_certificate;
    if (!(sim->dt > 0.0 && sim->dt < HUGE_VAL)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "dt is %g; it must be positive", sim->dt);
    }
    if (!(sim->adaptive >= 0.0 && sim->adaptive < HUGE_VAL)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "adaptive is %g; it is the error of a step that is allowed, or 0",
                            sim->adaptive);
    }
    if (!(sim->tolerance > 0.0 && sim->tolerance < 1.0)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "tolerance is %g; it must be within 0 and 1",
                            sim->tolerance);
    }
    UT_TRY(choose_impacts(sim, def, err));
    UT_TRY(choose_section(sim, err));
    UT_TRY(choose_solver(sim, def->solver != NULL ? def->solver : options->solver, err));
    UT_TRY(check_formulation(sim, err));
    sim->inexact = sim->formulation->section != UT_SECTION_CIRCLE &&
                   (options->regularization > 0.0 || options->relaxation > 0.0);
    if (sim->inexact && sim->solver != UT_COULOMB_AUTO && sim->solver != UT_COULOMB_LCP) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "regularization and relaxation change an LCP, which %s does not solve",
                            ut_coulomb_solver_name(sim->solver));
    }
    sim->solver = sim->inexact ? UT_COULOMB_LCP : sim->solver;
    return UT_OK;
}

// ---- memory -------------------------------------------------------------------------------------

static size_t lasting_size(const utModel* model)
{
    const size_t doubles[] = {(size_t)model->nq, (size_t)model->nv, (size_t)(3 * model->nmocap),
                              (size_t)(4 * model->nmocap), (size_t)model->nq};
    size_t need = ut_arena_need(1, sizeof(utSim));
    for (size_t k = 0; k < sizeof doubles / sizeof *doubles; k++) {
        need += ut_arena_need(doubles[k], sizeof(double));
    }
    need += ut_arena_need((size_t)model->nmocap, sizeof(utMotion));
    return need + ut_kinematics_size(model) + ut_mass_size(model) + ut_broad_size(model->ngeom);
}

static utStatus lay_out(const utModel* model, utArena* rest, utSim* sim)
{
    sim->q = UT_PUSH(rest, double, model->nq);
    sim->v = UT_PUSH(rest, double, model->nv);
    sim->mocap_pos = UT_PUSH(rest, double, 3 * model->nmocap);
    sim->mocap_quat = UT_PUSH(rest, double, 4 * model->nmocap);
    sim->q_given = UT_PUSH(rest, double, model->nq);
    sim->mocap_velocity = UT_PUSH(rest, utMotion, model->nmocap);
    if (sim->q == NULL || sim->v == NULL || sim->mocap_pos == NULL || sim->mocap_quat == NULL ||
        sim->q_given == NULL || sim->mocap_velocity == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_kinematics_create(model, rest, &sim->kin));
    UT_TRY(ut_mass_create(model, rest, &sim->mass));
    return ut_broad_create(model->ngeom, rest, &sim->broad);
}

static utStatus take_memory(utSim* sim)
{
    const size_t warm = ut_arena_need(CONTACTS, sizeof *sim->warm);
    UT_TRY(ut_arena_create(STEP, sim->allocator, &sim->step));
    sim->step_size = STEP;
    if (ut_sim_has_parts(sim)) {
        UT_TRY(ut_arena_create(STEP, sim->allocator, &sim->keep));
    }
    UT_TRY(ut_arena_create(warm, sim->allocator, &sim->warm_memory));
    utArena rest = sim->warm_memory;
    sim->warm = UT_PUSH(&rest, WarmImpulse, CONTACTS);
    sim->warm_capacity = CONTACTS;
    sim->max_pairs = PAIRS;
    sim->max_contacts = CONTACTS + sim->model->npoint;
    return UT_OK;
}

utStatus ut_sim_create(const utModel* model, const utSimDef* def, utSim** out, utError* err)
{
    const utSimDef defaults = ut_sim_def();
    def = def != NULL ? def : &defaults;
    if (model == NULL || out == NULL || def->cookie != UT_DEF_COOKIE) {
        return ut_error_set(err, UT_ERR_DEF, "a model and settings by ut_sim_def() are needed");
    }
    utArena memory;
    if (ut_arena_create(lasting_size(model), def->allocator, &memory) != UT_OK) {
        return ut_error_set(err, UT_ERR_MEMORY, "%s", ut_status_text(UT_ERR_MEMORY));
    }
    utArena rest = memory;
    utSim* sim = UT_PUSH(&rest, utSim, 1);
    memset(sim, 0, sizeof *sim);
    sim->model = model;
    sim->allocator = def->allocator;
    sim->memory = memory;
    utStatus status = settle(sim, def, err);
    if (status == UT_OK) {
        status = lay_out(model, &rest, sim);
    }
    if (status == UT_OK) {
        status = take_memory(sim);
    }
    if (status == UT_OK) {
        status = ut_sim_reset(sim, -1, err);
    }
    if (status != UT_OK) {
        ut_sim_destroy(sim);
        return status;
    }
    *out = sim;
    return UT_OK;
}

void ut_sim_destroy(utSim* sim)
{
    if (sim == NULL) {
        return;
    }
    utArena memory = sim->memory;
    ut_arena_destroy(&sim->step);
    ut_arena_destroy(&sim->warm_memory);
    ut_arena_destroy(&sim->mode_memory);
    ut_arena_destroy(&sim->keep);
    ut_arena_destroy(&sim->text);
    ut_arena_destroy(&memory);
}

// ---- state --------------------------------------------------------------------------------------

const utModel* ut_sim_model(const utSim* sim)
{
    return sim->model;
}

double ut_sim_time(const utSim* sim)
{
    return sim->time;
}

double ut_sim_dt(const utSim* sim)
{
    return sim->dt;
}

void ut_sim_stop_at(utSim* sim, double time)
{
    sim->stop = time;
}

const double* ut_sim_q(const utSim* sim)
{
    return sim->q;
}

const double* ut_sim_v(const utSim* sim)
{
    return sim->v;
}

const double* ut_sim_mocap_pos(const utSim* sim)
{
    return sim->mocap_pos;
}

const double* ut_sim_mocap_quat(const utSim* sim)
{
    return sim->mocap_quat;
}

const utMotion* ut_sim_mocap_velocity(const utSim* sim)
{
    return sim->mocap_velocity;
}

void ut_sim_place(utSim* sim)
{
    memset(sim->mocap_velocity, 0, (size_t)sim->model->nmocap * sizeof *sim->mocap_velocity);
    ut_sim_follow(sim->model, sim->time, sim->mocap_pos, sim->mocap_quat, sim->mocap_velocity);
    ut_kinematics_place(&sim->kin, sim->q, sim->mocap_pos, sim->mocap_quat);
    ut_kinematics_move(&sim->kin, sim->v, sim->mocap_velocity);
}

utStatus ut_sim_check_finite(const char* name, int n, const double* x, utError* err)
{
    for (int i = 0; x != NULL && i < n; i++) {
        if (!isfinite(x[i])) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "%s[%d] is not a finite number", name, i);
        }
    }
    return UT_OK;
}

utStatus ut_sim_check_time(const utSim* sim, double time, utError* err)
{
    UT_TRY(ut_sim_check_finite("time", 1, &time, err));
    if (!(fabs(time) <= MAX_TIME * sim->dt)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "time is %g s; steps of %g s would be lost in its last digits", time,
                            sim->dt);
    }
    return UT_OK;
}

// What was kept belongs to another state.
static void forget(utSim* sim, double time)
{
    sim->has_last = false;
    sim->warm_count = 0;
    sim->warm_h = 0.0;
    sim->modes = 0;
    sim->h_next = sim->dt;
    sim->start = time;
    sim->time = time;
    sim->steps = 0;
}

utStatus ut_sim_set(utSim* sim, double time, const double* q, const double* v, utError* err)
{
    const utModel* model = sim->model;
    UT_TRY(ut_sim_check_time(sim, time, err));
    UT_TRY(ut_sim_check_finite("q", model->nq, q, err));
    UT_TRY(ut_sim_check_finite("v", model->nv, v, err));
    if (q != NULL) {
        int at = 0;
        memcpy(sim->q_given, q, (size_t)model->nq * sizeof *q);
        if (!ut_model_normalize(model, sim->q_given, &at)) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "the quaternion at q[%d] is zero", at);
        }
        memcpy(sim->q, sim->q_given, (size_t)model->nq * sizeof *q);
    }
    if (v != NULL) {
        memcpy(sim->v, v, (size_t)model->nv * sizeof *v);
    }
    forget(sim, time);
    ut_sim_place(sim);
    return UT_OK;
}

utStatus ut_sim_reset(utSim* sim, int keyframe, utError* err)
{
    const utModel* model = sim->model;
    if (keyframe < -1 || keyframe >= model->nkeyframe) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "there is no keyframe %d; there are %d", keyframe,
                            model->nkeyframe);
    }
    const utModelKeyframe* key = keyframe >= 0 ? &model->keyframe[keyframe] : NULL;
    if (key != NULL) {
        UT_TRY(ut_sim_check_time(sim, key->time, err));
    }
    const size_t pos = (size_t)(3 * model->nmocap) * sizeof(double);
    const size_t quat = (size_t)(4 * model->nmocap) * sizeof(double);
    memcpy(sim->q, key != NULL ? key->q : model->q0, (size_t)model->nq * sizeof *sim->q);
    memset(sim->v, 0, (size_t)model->nv * sizeof *sim->v);
    if (key != NULL) {
        memcpy(sim->v, key->v, (size_t)model->nv * sizeof *sim->v);
    }
    memcpy(sim->mocap_pos, key != NULL ? key->mocap_pos : model->mocap_pos, pos);
    memcpy(sim->mocap_quat, key != NULL ? key->mocap_quat : model->mocap_quat, quat);
    forget(sim, key != NULL ? key->time : 0.0);
    ut_sim_place(sim);
    return UT_OK;
}

uint64_t ut_sim_hash(const utSim* sim)
{
    uint64_t hash = UT_HASH_START;
    hash = ut_hash_doubles(hash, &sim->time, 1);
    hash = ut_hash_doubles(hash, sim->q, (size_t)sim->model->nq);
    return ut_hash_doubles(hash, sim->v, (size_t)sim->model->nv);
}

double ut_sim_energy(const utSim* sim)
{
    return ut_dyn_kinetic(&sim->kin, sim->v) +
           ut_dyn_potential(&sim->kin, sim->q, sim->model->options.gravity);
}

utBodyState ut_sim_body(const utSim* sim, int body)
{
    const utKinematics* kin = &sim->kin;
    return (utBodyState){
        .frame = kin->body[body],
        .quat = kin->quat[body],
        .com = kin->com[body],
        .velocity = ut_point_velocity(kin, body, kin->com[body]),
        .angular = kin->velocity[body].angular,
    };
}
