// SPDX-License-Identifier: Apache-2.0
// The state as bytes: a header, the numbers of the state (q, v, mocap poses), the impulses that the
// next step starts from, modes of contacts, and a hash of all bytes before it.
//
// A snapshot may come from anywhere, and its hash keeps out damage, not malice. So every value is
// checked as far as later code relies on it, and all of them before the sim changes.
#include <string.h>

#include "internal.h"

typedef struct Header {
    char magic[8];
    uint64_t model; // hash
    uint64_t size;  // of everything
    uint64_t steps; // of dt since start: the clock of the sim that was saved
    double start;
    double time;
    double dt;
    double warm_h;
    double h_next;
    int32_t warm_count;
    int32_t modes;
    int32_t nq, nv, nmocap;
    int32_t unused;
} Header;

static const char MAGIC[8] = {'u', 't', 's', 'n', 'a', 'p', '0', '3'};
enum { MAGIC_NAME = 6 };                // of its bytes; the others are the version
static const double MAX_STEPS = 0x1p53; // a double counts no further
static const double UNIT = 1e-6;        // quaternions of a sim are nearer to unit length

// A snapshot in memory, its parts one behind the other.
typedef struct Snapshot {
    Header header;
    int numbers;        // of the state
    const char* number; // bytes: nothing is aligned
    const char* warm;
    const char* mode;
} Snapshot;

static int count_numbers(const utModel* model)
{
    return model->nq + model->nv + 7 * model->nmocap;
}

static size_t size_of(const utModel* model, int warm_count, int modes)
{
    return sizeof(Header) + (size_t)count_numbers(model) * sizeof(double) +
           (size_t)warm_count * sizeof(WarmImpulse) + (size_t)modes * sizeof(ModeEntry) +
           sizeof(uint64_t);
}

size_t ut_sim_snapshot_size(const utSim* sim)
{
    return size_of(sim->model, sim->warm_count, sim->modes);
}

// ---- save ---------------------------------------------------------------------------------------

static char* put(char* at, const void* from, size_t size)
{
    if (size > 0) {
        memcpy(at, from, size);
    }
    return at + size;
}

utStatus ut_sim_save(const utSim* sim, void* memory, size_t size)
{
    const utModel* model = sim->model;
    const size_t need = ut_sim_snapshot_size(sim);
    if (memory == NULL || size < need) {
        return UT_ERR_CAPACITY;
    }
    Header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    header.model = model->hash;
    header.size = need;
    header.steps = sim->steps;
    header.start = sim->start;
    header.time = sim->time;
    header.dt = sim->dt;
    header.warm_h = sim->warm_h;
    header.h_next = sim->h_next;
    header.warm_count = sim->warm_count;
    header.modes = sim->modes;
    header.nq = model->nq;
    header.nv = model->nv;
    header.nmocap = model->nmocap;
    char* at = put(memory, &header, sizeof header);
    at = put(at, sim->q, (size_t)model->nq * sizeof(double));
    at = put(at, sim->v, (size_t)model->nv * sizeof(double));
    at = put(at, sim->mocap_pos, (size_t)(3 * model->nmocap) * sizeof(double));
    at = put(at, sim->mocap_quat, (size_t)(4 * model->nmocap) * sizeof(double));
    at = put(at, sim->warm, (size_t)sim->warm_count * sizeof *sim->warm);
    at = put(at, sim->mode, (size_t)sim->modes * sizeof *sim->mode);
    const uint64_t hash = ut_hash_bytes(UT_HASH_START, memory, need - sizeof hash);
    put(at, &hash, sizeof hash);
    return UT_OK;
}

// ---- checks -------------------------------------------------------------------------------------

static utStatus refuse(utError* err, const char* why)
{
    ut_error_set(err, UT_ERR_ARGUMENT, "%s", why);
    return UT_ERR_ARGUMENT;
}

// Is this a snapshot of this model, whole and undamaged? Sets where its parts are.
static utStatus open_snapshot(const utModel* model, const void* memory, size_t size, Snapshot* s,
                              utError* err)
{
    Header* h = &s->header;
    if (memory == NULL || size < sizeof *h) {
        return refuse(err, "this is not a snapshot");
    }
    memcpy(h, memory, sizeof *h);
    if (memcmp(h->magic, MAGIC, MAGIC_NAME) != 0) {
        return refuse(err, "this is not a snapshot");
    }
    if (memcmp(h->magic, MAGIC, sizeof MAGIC) != 0) {
        return refuse(err, "the snapshot has another version than this program reads");
    }
    if (h->model != model->hash || h->nq != model->nq || h->nv != model->nv ||
        h->nmocap != model->nmocap) {
        return refuse(err, "the snapshot belongs to another model");
    }
    // counts that fit into the memory, before anything is multiplied by them
    const bool countable = h->warm_count >= 0 && h->modes >= 0 &&
                           (size_t)h->warm_count <= size / sizeof(WarmImpulse) &&
                           (size_t)h->modes <= size / sizeof(ModeEntry);
    if (!countable || h->size > size || h->size != size_of(model, h->warm_count, h->modes)) {
        return refuse(err, "the snapshot is cut off or damaged");
    }
    uint64_t hash;
    memcpy(&hash, (const char*)memory + h->size - sizeof hash, sizeof hash);
    if (hash != ut_hash_bytes(UT_HASH_START, memory, (size_t)h->size - sizeof hash)) {
        return refuse(err, "the snapshot is damaged: its hash is another");
    }
    s->numbers = count_numbers(model);
    s->number = (const char*)memory + sizeof *h;
    s->warm = s->number + (size_t)s->numbers * sizeof(double);
    s->mode = s->warm + (size_t)h->warm_count * sizeof(WarmImpulse);
    return UT_OK;
}

static bool is_positive(double x)
{
    return x > 0.0 && x < HUGE_VAL;
}

// Times, and a clock that shows its time: start + steps dt.
static utStatus check_clock(const Header* h, utError* err)
{
    if (!isfinite(h->start) || !isfinite(h->time) || !is_positive(h->dt)) {
        return refuse(err, "a time of the snapshot is not finite");
    }
    const double steps = (double)h->steps;
    if (!(steps < MAX_STEPS) || h->start + steps * h->dt != h->time) {
        return refuse(err, "the clock of the snapshot is not at its time");
    }
    if (!(h->warm_h == 0.0 || is_positive(h->warm_h)) || !is_positive(h->h_next)) {
        return refuse(err, "a step of the snapshot is not a positive time");
    }
    return UT_OK;
}

static double number(const Snapshot* s, int k)
{
    double x;
    memcpy(&x, s->number + (size_t)k * sizeof x, sizeof x);
    return x;
}

static bool is_unit(const double* quat)
{
    const double norm =
        sqrt(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3]);
    return fabs(norm - 1.0) <= UNIT;
}

// Finite numbers, and quaternions of unit length.
static utStatus check_numbers(utSim* sim, const Snapshot* s, utError* err)
{
    const utModel* model = sim->model;
    double* q = sim->q_given;
    for (int k = 0; k < s->numbers; k++) {
        if (!isfinite(number(s, k))) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "number %d of the snapshot is not finite", k);
        }
    }
    put((char*)q, s->number, (size_t)model->nq * sizeof *q);
    int at = 0;
    bool unit = ut_model_normalize(model, q, &at);
    for (int k = 0; unit && k < model->nq; k++) {
        at = k;
        unit = fabs(q[k] - number(s, k)) <= UNIT;
    }
    for (int m = 0; unit && m < model->nmocap; m++) {
        at = s->numbers - 4 * model->nmocap + 4 * m;
        const double quat[4] = {number(s, at), number(s, at + 1), number(s, at + 2),
                                number(s, at + 3)};
        unit = is_unit(quat);
    }
    if (!unit) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "number %d of the snapshot is of a quaternion that has not length 1",
                            at);
    }
    return UT_OK;
}

// Impulses to start from: finite, also as long as a step is, and in ascending order.
static utStatus check_impulses(const Snapshot* s, utError* err)
{
    const Header* h = &s->header;
    const double share = h->warm_h > 0.0 ? fmax(h->dt / h->warm_h, 1.0) : 1.0;
    WarmImpulse last = {0};
    for (int k = 0; k < h->warm_count; k++) {
        WarmImpulse one;
        memcpy(&one, s->warm + (size_t)k * sizeof one, sizeof one);
        if (!isfinite(share * one.r.x) || !isfinite(share * one.r.y) ||
            !isfinite(share * one.r.z)) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "impulse %d of the snapshot is not finite",
                                k);
        }
        if (k > 0 && ut_warm_compare(&last, &one) > 0) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "impulse %d of the snapshot stands behind a later one", k);
        }
        last = one;
    }
    return UT_OK;
}

static bool is_side(const utModel* model, int side)
{
    return side >= 0 && side < model->ngeom + model->nsite;
}

// Modes of contacts: modes, of sides that the model has, in ascending order without repetition.
static utStatus check_modes(const utModel* model, const Snapshot* s, utError* err)
{
    ModeEntry last = {0};
    for (int k = 0; k < s->header.modes; k++) {
        ModeEntry one;
        memcpy(&one, s->mode + (size_t)k * sizeof one, sizeof one);
        if ((int)one.mode < 0 || one.mode >= UT_MODE_COUNT || (one.seen != 0 && one.seen != 1)) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "mode %d of the snapshot is none", k);
        }
        if (!is_side(model, one.geom1) || !is_side(model, one.geom2)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "mode %d of the snapshot is of a geom that the model has not", k);
        }
        const WarmImpulse a = {.key1 = last.geom1, .key2 = last.geom2, .feature = last.feature};
        const WarmImpulse b = {.key1 = one.geom1, .key2 = one.geom2, .feature = one.feature};
        if (k > 0 && ut_warm_compare(&a, &b) >= 0) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "mode %d of the snapshot does not follow the one before it", k);
        }
        last = one;
    }
    return UT_OK;
}

// ---- load ---------------------------------------------------------------------------------------

static const char* get(const char* at, void* to, size_t size)
{
    if (size > 0) {
        memcpy(to, at, size);
    }
    return at + size;
}

// The clock goes on where the other one was: by its count where steps are as long, so that the
// times after it have the same bits; otherwise from its time.
static void set_clock(utSim* sim, const Header* h)
{
    const bool same = h->dt == sim->dt;
    sim->time = h->time;
    sim->start = same ? h->start : h->time;
    sim->steps = same ? h->steps : 0;
    sim->h_next = fmin(fmax(h->h_next, ut_sim_shortest(sim)), sim->dt);
}

utStatus ut_sim_load(utSim* sim, const void* memory, size_t size, utError* err)
{
    const utModel* model = sim->model;
    Snapshot s;
    UT_TRY(open_snapshot(model, memory, size, &s, err));
    const Header* h = &s.header;
    UT_TRY(check_clock(h, err));
    UT_TRY(ut_sim_check_time(sim, h->time, err));
    UT_TRY(check_numbers(sim, &s, err));
    UT_TRY(check_impulses(&s, err));
    UT_TRY(check_modes(model, &s, err));
    const int modes = sim->formulation->events ? h->modes : 0; // others have none
    if (ut_sim_reserve_warm(sim, h->warm_count) != UT_OK ||
        ut_sim_reserve_modes(sim, modes) != UT_OK) {
        return ut_error_set(err, UT_ERR_MEMORY, "%s", ut_status_text(UT_ERR_MEMORY));
    }

    const char* at = get(s.number, sim->q, (size_t)model->nq * sizeof(double));
    at = get(at, sim->v, (size_t)model->nv * sizeof(double));
    at = get(at, sim->mocap_pos, (size_t)(3 * model->nmocap) * sizeof(double));
    get(at, sim->mocap_quat, (size_t)(4 * model->nmocap) * sizeof(double));
    get(s.warm, sim->warm, (size_t)h->warm_count * sizeof *sim->warm);
    get(s.mode, sim->mode, (size_t)modes * sizeof *sim->mode);
    sim->warm_count = h->warm_count;
    sim->warm_h = h->warm_h;
    sim->modes = modes;
    sim->has_last = false; // the last step was another one's
    set_clock(sim, h);
    ut_sim_place(sim);
    return UT_OK;
}
