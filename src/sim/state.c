// SPDX-License-Identifier: Apache-2.0
// The state of a sim: create, copy, set, reset, hash.
#include "sim/state.h"

#include <string.h>

#include "sim/internal.h"
#include "sim/tolerances.h"

// ---- memory and copies --------------------------------------------------------------------------

static void push_arrays(const utModel* model, utArena* arena, SimState* state)
{
    state->q = UT_PUSH(arena, double, model->nq);
    state->v = UT_PUSH(arena, double, model->nv);
    state->act = UT_PUSH(arena, double, model->na);
    state->mocap_pos = UT_PUSH(arena, double, 3 * model->nmocap);
    state->mocap_quat = UT_PUSH(arena, double, 4 * model->nmocap);
    state->sleep.tree = UT_PUSH(arena, TreeSleep, state->sleep.trees);
    state->sleep.ctrl = UT_PUSH(arena, double, state->sleep.controls);
}

utStatus ut_state_create(const utModel* model, const utAllocator* allocator, bool sleeps,
                         utArena* arena, SimState* state)
{
    enum { FIRST_BLOCK = 1 << 14 };
    SimState s = {.sleep.trees = sleeps ? model->ntree : 0,
                  .sleep.controls = sleeps ? model->nu : 0};
    push_arrays(model, arena, &s);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_arena_create(FIRST_BLOCK, allocator, &s.memory));
    memset(s.q, 0, (size_t)model->nq * sizeof *s.q);
    memset(s.v, 0, (size_t)model->nv * sizeof *s.v);
    memset(s.act, 0, (size_t)model->na * sizeof *s.act);
    memset(s.mocap_pos, 0, (size_t)(3 * model->nmocap) * sizeof *s.mocap_pos);
    memset(s.mocap_quat, 0, (size_t)(4 * model->nmocap) * sizeof *s.mocap_quat);
    memset(s.sleep.ctrl, 0, (size_t)s.sleep.controls * sizeof *s.sleep.ctrl);
    ut_state_wake(&s);
    *state = s;
    return UT_OK;
}

void ut_state_destroy(SimState* state)
{
    ut_arena_destroy(&state->memory);
}

static void copy(void* to, const void* from, int count, size_t size)
{
    if (count > 0) {
        memmove(to, from, (size_t)count * size);
    }
}

utStatus ut_state_reserve(SimState* state, int impulses, int modes)
{
    WarmStart warm = state->warm;
    ContactModes kept = state->modes;
    utArena memory = state->memory; // by value, because failure of an arena's push sticks
    if (impulses > warm.capacity) {
        warm.capacity = 2 * impulses;
        warm.impulse = UT_PUSH(&memory, WarmImpulse, warm.capacity);
    }
    if (modes > kept.capacity) {
        kept.capacity = 2 * modes;
        kept.entry = UT_PUSH(&memory, ModeEntry, kept.capacity);
    }
    if (ut_arena_failed(&memory)) {
        return UT_ERR_MEMORY;
    }
    copy(warm.impulse, state->warm.impulse, warm.count, sizeof *warm.impulse);
    copy(kept.entry, state->modes.entry, kept.count, sizeof *kept.entry);
    state->warm = warm;
    state->modes = kept;
    state->memory = memory;
    return UT_OK;
}

// Trees are awake when the other state has no sleeping.
static void copy_sleep(const SleepState* from, SimState* to)
{
    if (from->trees != to->sleep.trees || from->controls != to->sleep.controls) {
        ut_state_wake(to);
        return;
    }
    copy(to->sleep.tree, from->tree, from->trees, sizeof *from->tree);
    copy(to->sleep.ctrl, from->ctrl, from->controls, sizeof *from->ctrl);
}

utStatus ut_state_copy(const utModel* model, const SimState* from, SimState* to)
{
    UT_TRY(ut_state_reserve(to, from->warm.count, from->modes.count));
    to->time = from->time;
    to->start = from->start;
    to->steps = from->steps;
    to->h_next = from->h_next;
    copy(to->q, from->q, model->nq, sizeof *to->q);
    copy(to->v, from->v, model->nv, sizeof *to->v);
    copy(to->act, from->act, model->na, sizeof *to->act);
    copy(to->mocap_pos, from->mocap_pos, 3 * model->nmocap, sizeof *to->mocap_pos);
    copy(to->mocap_quat, from->mocap_quat, 4 * model->nmocap, sizeof *to->mocap_quat);
    copy(to->warm.impulse, from->warm.impulse, from->warm.count, sizeof *to->warm.impulse);
    to->warm.count = from->warm.count;
    to->warm.h = from->warm.h;
    copy(to->modes.entry, from->modes.entry, from->modes.count, sizeof *to->modes.entry);
    to->modes.count = from->modes.count;
    copy_sleep(&from->sleep, to);
    return UT_OK;
}

utStatus ut_state_push(const utModel* model, const SimState* from, utArena* arena, SimState* to)
{
    SimState s = {.warm.capacity = from->warm.count,
                  .modes.capacity = from->modes.count,
                  .sleep.trees = from->sleep.trees,
                  .sleep.controls = from->sleep.controls};
    push_arrays(model, arena, &s);
    s.warm.impulse = UT_PUSH(arena, WarmImpulse, s.warm.capacity);
    s.modes.entry = UT_PUSH(arena, ModeEntry, s.modes.capacity);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    *to = s;
    return ut_state_copy(model, from, to);
}

void ut_state_wake(SimState* state)
{
    for (int t = 0; t < state->sleep.trees; t++) {
        state->sleep.tree[t] = (TreeSleep){.group = -1};
    }
}

void ut_state_restart(SimState* state, double time, double dt)
{
    ut_state_wake(state);
    state->time = time;
    state->start = time;
    state->steps = 0;
    state->h_next = dt;
    state->warm.count = 0;
    state->warm.h = 0.0;
    state->modes.count = 0;
}

// ---- the sim's state ----------------------------------------------------------------------------

// Copy n bytes. @param known they have been copied before @return true when they were there before
static bool is_same(bool known, void* to, const void* from, size_t n)
{
    const bool same = n == 0 || (known && memcmp(to, from, n) == 0);
    if (!same) {
        memcpy(to, from, n);
    }
    return same;
}

// Place and move the trees that are elsewhere or have another velocity, because sleeping trees stay.
// Mocap bodies are where they were.
static void place_changed_trees(utSim* sim, const double* q, const double* v)
{
    const utModel* model = sim->model;
    PlacedAt* at = &sim->work.placed;
    int q_end = model->nq;
    for (int t = model->ntree - 1; t >= 0; t--) {
        const utModelTree* tree = &model->tree[t];
        const int start = model->joint[model->body[tree->body].joint].q;
        const size_t positions = (size_t)(q_end - start);
        const size_t velocities = (size_t)tree->dofs;
        q_end = start;
        const bool same_pose = is_same(at->valid, at->q + start, q + start, positions * sizeof *q);
        if (!is_same(at->valid, at->v + tree->dof, v + tree->dof, velocities * sizeof *v) ||
            !same_pose) {
            ut_kinematics_renew_tree(&sim->work.kin, q, v, t);
        }
    }
}

void ut_sim_place_at(utSim* sim, const double* q, const double* v, const double* mocap_pos,
                     const double* mocap_quat, const utMotion* mocap_velocity)
{
    const utModel* model = sim->model;
    const size_t nmocap = (size_t)model->nmocap;
    PlacedAt* at = &sim->work.placed;
    if (sim->state.sleep.trees > 0 && at->valid && nmocap == 0) {
        place_changed_trees(sim, q, v);
        return;
    }
    bool same_pose = is_same(at->valid, at->q, q, (size_t)model->nq * sizeof *q);
    same_pose =
        is_same(at->valid, at->mocap_pos, mocap_pos, 3 * nmocap * sizeof *mocap_pos) && same_pose;
    same_pose = is_same(at->valid, at->mocap_quat, mocap_quat, 4 * nmocap * sizeof *mocap_quat) &&
                same_pose;
    bool same_twist = is_same(at->valid, at->v, v, (size_t)model->nv * sizeof *v);
    same_twist =
        is_same(at->valid, at->mocap_velocity, mocap_velocity, nmocap * sizeof *mocap_velocity) &&
        same_twist;
    same_pose = same_pose && at->valid;
    const CertificatePlacements* certified = &sim->work.certified;
    if (!same_pose && ut_certificate_placed_at(certified, q, mocap_pos, mocap_quat)) {
        ut_kinematics_copy_placement(&certified->kin[certified->last], &sim->work.kin);
    } else if (!same_pose) {
        ut_kinematics_place(&sim->work.kin, q, mocap_pos, mocap_quat);
    }
    if (!same_pose || !same_twist) {
        ut_kinematics_move(&sim->work.kin, v, mocap_velocity);
        at->energy_known = false;
    }
    at->valid = true;
}

void ut_sim_place(utSim* sim)
{
    SimState* state = &sim->state;
    utMotion* twist = sim->work.mocap_velocity;
    memset(twist, 0, (size_t)sim->model->nmocap * sizeof *twist);
    ut_mocap_follow(sim->model, state->time, state->mocap_pos, state->mocap_quat, twist);
    ut_sim_place_at(sim, state->q, state->v, state->mocap_pos, state->mocap_quat, twist);
}

utStatus ut_sim_set_state(utSim* sim, const SimState* state)
{
    // the draft grows with the state, so that loading a snapshot of it allocates nothing
    UT_TRY(ut_state_reserve(&sim->work.draft, state->warm.count, state->modes.count));
    UT_TRY(ut_state_copy(sim->model, state, &sim->state));
    ut_sim_place(sim);
    return UT_OK;
}

utStatus ut_sim_adopt(utSim* sim, SimState* state, double dt)
{
    // the clock keeps counting where dt is the same, so that later times have the same bits
    if (dt != sim->settings.dt) {
        state->start = state->time;
        state->steps = 0;
    }
    const double shortest = ut_sim_shortest(sim, state->time);
    state->h_next = fmin(fmax(state->h_next, shortest), sim->settings.dt);
    if (!sim->settings.traits->events) {
        state->modes.count = 0;
    }
    UT_TRY(ut_sim_set_state(sim, state));
    if (dt != sim->settings.dt) {
        ut_state_wake(&sim->state); // the certificates of sleeping trees are those of another dt
    }
    sim->last.valid = false;
    sim->last.taken = false;
    return UT_OK;
}

utStatus ut_sim_copy(const utSim* from, utSim* to, utError* err)
{
    if (from == NULL || to == NULL || from->model->hash != to->model->hash) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "both sims must be of the same model");
    }
    if (from == to) {
        return UT_OK;
    }
    SimState state = from->state; // its arrays stay the other sim's
    UT_TRY(ut_sim_check_time(to, state.time, err));
    const SimSettings *a = &from->settings, *b = &to->settings;
    const utStatus status = ut_sim_adopt(to, &state, from->settings.dt);
    if (status == UT_OK && (a->formulation != b->formulation || a->tier != b->tier ||
                            a->integrator != b->integrator || a->tolerance != b->tolerance)) {
        ut_state_wake(&to->state); // sleeping trees have certificates of other settings
    }
    return status == UT_OK ? UT_OK : ut_error_set(err, status, "%s", ut_status_text(status));
}

// ---- set and reset ------------------------------------------------------------------------------

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
    const double dt = sim->settings.dt;
    UT_TRY(ut_sim_check_finite("time", 1, &time, err));
    if (!(fabs(time) <= MAX_TIME_STEPS * dt)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "time is %g s; steps of %g s would be lost in its last digits", time,
                            dt);
    }
    return UT_OK;
}

// Restart from the draft's q, v and mocap poses.
static utStatus restart(utSim* sim, double time, utError* err)
{
    ut_state_restart(&sim->work.draft, time, sim->settings.dt);
    const utStatus status = ut_sim_set_state(sim, &sim->work.draft);
    if (status != UT_OK) {
        return ut_error_set(err, status, "%s", ut_status_text(status));
    }
    sim->last.valid = false;
    sim->last.taken = false;
    return UT_OK;
}

utStatus ut_sim_set(utSim* sim, double time, const double* q, const double* v, utError* err)
{
    const utModel* model = sim->model;
    SimState* draft = &sim->work.draft;
    UT_TRY(ut_sim_check_time(sim, time, err));
    UT_TRY(ut_sim_check_finite("q", model->nq, q, err));
    UT_TRY(ut_sim_check_finite("v", model->nv, v, err));
    UT_TRY(ut_state_copy(model, &sim->state, draft));
    int at = 0;
    copy(draft->q, q, q != NULL ? model->nq : 0, sizeof *q);
    copy(draft->v, v, v != NULL ? model->nv : 0, sizeof *v);
    if (q != NULL && !ut_model_normalize(model, draft->q, &at)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the quaternion at q[%d] is zero", at);
    }
    return restart(sim, time, err);
}

utStatus ut_sim_set_act(utSim* sim, const double* act, utError* err)
{
    const utModel* model = sim->model;
    UT_TRY(ut_sim_check_finite("act", model->na, act, err));
    copy(sim->state.act, act, act != NULL ? model->na : 0, sizeof *act);
    ut_state_wake(&sim->state);
    sim->last.valid = false;
    return UT_OK;
}

utStatus ut_sim_reset(utSim* sim, int keyframe, utError* err)
{
    const utModel* model = sim->model;
    SimState* draft = &sim->work.draft;
    if (keyframe < -1 || keyframe >= model->nkeyframe) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "there is no keyframe %d; there are %d", keyframe,
                            model->nkeyframe);
    }
    const utModelKeyframe* key = keyframe >= 0 ? &model->keyframe[keyframe] : NULL;
    if (key != NULL) {
        UT_TRY(ut_sim_check_time(sim, key->time, err));
    }
    copy(draft->q, key != NULL ? key->q : model->q0, model->nq, sizeof *draft->q);
    memset(draft->v, 0, (size_t)model->nv * sizeof *draft->v);
    copy(draft->v, key != NULL ? key->v : NULL, key != NULL ? model->nv : 0, sizeof *draft->v);
    memset(draft->act, 0, (size_t)model->na * sizeof *draft->act);
    copy(draft->act, key != NULL ? key->act : NULL, key != NULL ? model->na : 0,
         sizeof *draft->act);
    copy(draft->mocap_pos, key != NULL ? key->mocap_pos : model->mocap_pos, 3 * model->nmocap,
         sizeof *draft->mocap_pos);
    copy(draft->mocap_quat, key != NULL ? key->mocap_quat : model->mocap_quat, 4 * model->nmocap,
         sizeof *draft->mocap_quat);
    return restart(sim, key != NULL ? key->time : 0.0, err);
}

uint64_t ut_sim_hash(const utSim* sim)
{
    uint64_t hash = UT_HASH_START;
    hash = ut_hash_doubles(hash, &sim->state.time, 1);
    hash = ut_hash_doubles(hash, sim->state.q, (size_t)sim->model->nq);
    hash = ut_hash_doubles(hash, sim->state.v, (size_t)sim->model->nv);
    return ut_hash_doubles(hash, sim->state.act, (size_t)sim->model->na);
}
