// SPDX-License-Identifier: Apache-2.0
// The state as bytes: a header, the numbers of the state (q, v, mocap poses, act), the impulses of the
// warm start, the modes of contacts, sleep with the last controls, and a hash of all bytes before it.
//
// A snapshot may come from anywhere, and its hash detects damage, not malice. So load reads it into
// a draft, checks every value that later code relies on, and only then changes the sim.
#include <string.h>

#include "sim/internal.h"
#include "sim/tolerances.h"

// Written as it is: no padding, and no field changes without a new version.
typedef struct Header {
    char magic[8];
    uint64_t model; // hash
    uint64_t size;  // of everything
    uint64_t steps; // of length dt since start
    double start;
    double time;
    double dt;
    double warm_h;
    double h_next;
    int32_t warm_count;
    int32_t modes;
    int32_t nq, nv, nmocap;
    int32_t sleep; // trees with their sleep, and with them nu controls; 0: none
} Header;

static const char MAGIC[8] = {'u', 't', 's', 'n', 'a', 'p', '0', '3'};
enum { MAGIC_NAME = 6 }; // bytes of the name; the others are the version

static int count_numbers(const utModel* model)
{
    return model->nq + model->nv + 7 * model->nmocap + model->na;
}

static size_t size_of(const utModel* model, int warm_count, int modes, int sleep)
{
    const size_t controls = sleep > 0 ? (size_t)model->nu : 0;
    return sizeof(Header) + (size_t)sleep * sizeof(TreeSleep) + controls * sizeof(double) +
           (size_t)count_numbers(model) * sizeof(double) +
           (size_t)warm_count * sizeof(WarmImpulse) + (size_t)modes * sizeof(ModeEntry) +
           sizeof(uint64_t);
}

size_t ut_sim_snapshot_size(const utSim* sim)
{
    const SimState* state = &sim->state;
    return size_of(sim->model, state->warm.count, state->modes.count, state->sleep.trees);
}

// ---- save ---------------------------------------------------------------------------------------

static char* put(char* at, const void* from, int count, size_t size)
{
    if (count > 0) {
        memcpy(at, from, (size_t)count * size);
    }
    return at + (size_t)count * size;
}

utStatus ut_sim_save(const utSim* sim, void* memory, size_t size)
{
    const utModel* model = sim->model;
    const SimState* state = &sim->state;
    const size_t need = ut_sim_snapshot_size(sim);
    if (memory == NULL || size < need) {
        return UT_ERR_CAPACITY;
    }
    Header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    header.model = model->hash;
    header.size = need;
    header.steps = state->steps;
    header.start = state->start;
    header.time = state->time;
    header.dt = sim->settings.dt;
    header.warm_h = state->warm.h;
    header.h_next = state->h_next;
    header.warm_count = state->warm.count;
    header.modes = state->modes.count;
    header.nq = model->nq;
    header.nv = model->nv;
    header.nmocap = model->nmocap;
    header.sleep = state->sleep.trees;
    char* at = put(memory, &header, 1, sizeof header);
    at = put(at, state->q, model->nq, sizeof *state->q);
    at = put(at, state->v, model->nv, sizeof *state->v);
    at = put(at, state->mocap_pos, 3 * model->nmocap, sizeof *state->mocap_pos);
    at = put(at, state->mocap_quat, 4 * model->nmocap, sizeof *state->mocap_quat);
    at = put(at, state->act, model->na, sizeof *state->act);
    at = put(at, state->warm.impulse, state->warm.count, sizeof *state->warm.impulse);
    at = put(at, state->modes.entry, state->modes.count, sizeof *state->modes.entry);
    at = put(at, state->sleep.tree, state->sleep.trees, sizeof *state->sleep.tree);
    at = put(at, state->sleep.ctrl, state->sleep.controls, sizeof *state->sleep.ctrl);
    const uint64_t hash = ut_hash_bytes(UT_HASH_START, memory, need - sizeof hash);
    put(at, &hash, 1, sizeof hash);
    return UT_OK;
}

// ---- checks -------------------------------------------------------------------------------------

static utStatus reject(utError* err, const char* why)
{
    ut_error_set(err, UT_ERR_ARGUMENT, "%s", why);
    return UT_ERR_ARGUMENT;
}

static const char* get(const char* at, void* to, int count, size_t size)
{
    if (count > 0) {
        memcpy(to, at, (size_t)count * size);
    }
    return at + (size_t)count * size;
}

// Read the header, and check that this is a complete and undamaged snapshot of this model.
static utStatus read_header(const utModel* model, const void* memory, size_t size, Header* h,
                            utError* err)
{
    if (memory == NULL || size < sizeof *h) {
        return reject(err, "this is not a snapshot");
    }
    memcpy(h, memory, sizeof *h);
    if (memcmp(h->magic, MAGIC, MAGIC_NAME) != 0) {
        return reject(err, "this is not a snapshot");
    }
    if (memcmp(h->magic, MAGIC, sizeof MAGIC) != 0) {
        return reject(err, "the snapshot has another version than this library reads");
    }
    if (h->model != model->hash || h->nq != model->nq || h->nv != model->nv ||
        h->nmocap != model->nmocap) {
        return reject(err, "the snapshot belongs to another model");
    }
    // counts must fit into the memory before they are multiplied by anything
    const bool countable = h->warm_count >= 0 && h->modes >= 0 &&
                           (size_t)h->warm_count <= size / sizeof(WarmImpulse) &&
                           (size_t)h->modes <= size / sizeof(ModeEntry);
    const bool sleeps = h->sleep == 0 || h->sleep == model->ntree;
    if (!countable || !sleeps || h->size > size ||
        h->size != size_of(model, h->warm_count, h->modes, h->sleep)) {
        return reject(err, "the snapshot is cut off or damaged");
    }
    uint64_t hash;
    memcpy(&hash, (const char*)memory + h->size - sizeof hash, sizeof hash);
    if (hash != ut_hash_bytes(UT_HASH_START, memory, (size_t)h->size - sizeof hash)) {
        return reject(err, "the snapshot is damaged: its hash does not match");
    }
    return UT_OK;
}

static bool is_positive(double x)
{
    return x > 0.0 && x < HUGE_VAL;
}

// Times must be finite, and the clock must show the time: start + steps dt.
static utStatus check_clock(const Header* h, utError* err)
{
    if (!isfinite(h->start) || !isfinite(h->time) || !is_positive(h->dt)) {
        return reject(err, "a time of the snapshot is not finite");
    }
    const double steps = (double)h->steps;
    if (!(steps < MAX_CLOCK_STEPS) || h->start + steps * h->dt != h->time) {
        return reject(err, "the clock of the snapshot contradicts its time");
    }
    if (!(h->warm_h == 0.0 || is_positive(h->warm_h)) || !is_positive(h->h_next)) {
        return reject(err, "a step length of the snapshot is not a positive time");
    }
    return UT_OK;
}

static bool is_unit(const double* quat)
{
    const double norm =
        sqrt(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3]);
    return fabs(norm - 1.0) <= QUATERNION_TOLERANCE;
}

// The first number of a state that is not finite; -1: none.
static int find_not_finite(const utModel* model, const SimState* state)
{
    const double* const arrays[] = {state->q, state->v, state->mocap_pos, state->mocap_quat,
                                    state->act};
    const int counts[] = {model->nq, model->nv, 3 * model->nmocap, 4 * model->nmocap, model->na};
    int at = 0;
    for (int a = 0; a < 5; a++) {
        for (int k = 0; k < counts[a]; k++, at++) {
            if (!isfinite(arrays[a][k])) {
                return at;
            }
        }
    }
    return -1;
}

// A number of the first quaternion whose length is not 1; -1: none. @param q nq of work
static int find_not_unit(const utModel* model, const SimState* state, double* q)
{
    int at = 0;
    get((const char*)state->q, q, model->nq, sizeof *q);
    if (!ut_model_normalize(model, q, &at)) {
        return at;
    }
    for (int k = 0; k < model->nq; k++) {
        if (!(fabs(q[k] - state->q[k]) <= QUATERNION_TOLERANCE)) {
            return k;
        }
    }
    for (int m = 0; m < model->nmocap; m++) {
        if (!is_unit(state->mocap_quat + (size_t)4 * (size_t)m)) {
            return count_numbers(model) - model->na - 4 * (model->nmocap - m);
        }
    }
    return -1;
}

static utStatus check_numbers(const utModel* model, const SimState* state, double* q, utError* err)
{
    int at = find_not_finite(model, state);
    if (at >= 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "number %d of the snapshot is not finite", at);
    }
    at = find_not_unit(model, state, q);
    if (at >= 0) {
        return ut_error_set(
            err, UT_ERR_ARGUMENT,
            "number %d of the snapshot belongs to a quaternion whose length is not 1", at);
    }
    return UT_OK;
}

// Impulses must be finite, also when they are scaled to the length of a step, and ascending.
static utStatus check_impulses(const WarmStart* warm, double dt, utError* err)
{
    const double scale = warm->h > 0.0 ? fmax(dt / warm->h, 1.0) : 1.0;
    for (int k = 0; k < warm->count; k++) {
        const WarmImpulse* one = &warm->impulse[k];
        if (!isfinite(scale * one->r.x) || !isfinite(scale * one->r.y) ||
            !isfinite(scale * one->r.z)) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "impulse %d of the snapshot is not finite",
                                k);
        }
        if (k > 0 && ut_warm_compare(one - 1, one) > 0) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "impulse %d of the snapshot is out of order",
                                k);
        }
    }
    return UT_OK;
}

static bool is_side(const utModel* model, int side)
{
    return side >= 0 && side < model->ngeom + model->nsite;
}

static bool is_ascending(const ModeEntry* x, const ModeEntry* y)
{
    const WarmImpulse a = {.key1 = x->geom1, .key2 = x->geom2, .feature = x->feature};
    const WarmImpulse b = {.key1 = y->geom1, .key2 = y->geom2, .feature = y->feature};
    return ut_warm_compare(&a, &b) < 0;
}

// Modes must exist, name sides of the model, and be ascending without repetition.
static utStatus check_modes(const utModel* model, const ContactModes* modes, utError* err)
{
    for (int k = 0; k < modes->count; k++) {
        const ModeEntry* one = &modes->entry[k];
        if ((int)one->mode < 0 || one->mode >= UT_MODE_COUNT ||
            (one->seen != 0 && one->seen != 1)) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "mode %d of the snapshot is invalid", k);
        }
        if (!is_side(model, one->geom1) || !is_side(model, one->geom2)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "mode %d of the snapshot names a geom that the model does not have",
                                k);
        }
        if (k > 0 && !is_ascending(one - 1, one)) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "mode %d of the snapshot is out of order", k);
        }
    }
    return UT_OK;
}

// A sleeping tree may sleep, does not move, and belongs to a group with a lowest tree.
static bool is_sleep(const utSim* sim, const SimState* state, int t)
{
    const TreeSleep* one = &state->sleep.tree[t];
    const utModelTree* tree = &sim->model->tree[t];
    if (one->rest < 0 || one->group < -1 || one->group > t || !isfinite(one->E)) {
        return false;
    }
    bool still = one->group < 0 || (!sim->work.sleep.stays_awake[t] &&
                                    state->sleep.tree[one->group].group == one->group);
    for (int i = tree->dof; one->group >= 0 && i < tree->dof + tree->dofs; i++) {
        still = still && state->v[i] == 0.0;
    }
    return still;
}

static utStatus check_sleep(const utSim* sim, const SimState* state, utError* err)
{
    for (int t = 0; t < state->sleep.trees; t++) {
        if (!is_sleep(sim, state, t)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "the sleep of tree %d of the snapshot is invalid", t);
        }
    }
    return ut_sim_check_finite("ctrl of the snapshot", state->sleep.controls, state->sleep.ctrl,
                               err);
}

// ---- load ---------------------------------------------------------------------------------------

// Read everything behind the header into a state.
static utStatus read_state(const utModel* model, const Header* h, const void* memory,
                           SimState* state)
{
    UT_TRY(ut_state_reserve(state, h->warm_count, h->modes));
    state->time = h->time;
    state->start = h->start;
    state->steps = h->steps;
    state->h_next = h->h_next;
    state->warm.h = h->warm_h;
    state->warm.count = h->warm_count;
    state->modes.count = h->modes;
    const char* at = (const char*)memory + sizeof *h;
    at = get(at, state->q, model->nq, sizeof *state->q);
    at = get(at, state->v, model->nv, sizeof *state->v);
    at = get(at, state->mocap_pos, 3 * model->nmocap, sizeof *state->mocap_pos);
    at = get(at, state->mocap_quat, 4 * model->nmocap, sizeof *state->mocap_quat);
    at = get(at, state->act, model->na, sizeof *state->act);
    at = get(at, state->warm.impulse, h->warm_count, sizeof *state->warm.impulse);
    at = get(at, state->modes.entry, h->modes, sizeof *state->modes.entry);
    ut_state_wake(state);
    if (h->sleep > 0) {
        // a sim without sleeping skips it
        at = get(at, state->sleep.tree, state->sleep.trees, sizeof *state->sleep.tree);
        get(at, state->sleep.ctrl, state->sleep.controls, sizeof *state->sleep.ctrl);
    }
    return UT_OK;
}

utStatus ut_sim_load(utSim* sim, const void* memory, size_t size, utError* err)
{
    const utModel* model = sim->model;
    SimState* draft = &sim->work.draft;
    Header h;
    UT_TRY(read_header(model, memory, size, &h, err));
    UT_TRY(check_clock(&h, err));
    UT_TRY(ut_sim_check_time(sim, h.time, err));
    utStatus status = read_state(model, &h, memory, draft);
    if (status == UT_OK) {
        UT_TRY(check_numbers(model, draft, sim->work.q, err));
        UT_TRY(check_impulses(&draft->warm, h.dt, err));
        UT_TRY(check_modes(model, &draft->modes, err));
        UT_TRY(check_sleep(sim, draft, err));
        status = ut_sim_adopt(sim, draft, h.dt);
    }
    return status == UT_OK ? UT_OK : ut_error_set(err, status, "%s", ut_status_text(status));
}
