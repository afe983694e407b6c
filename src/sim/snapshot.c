// The state as bytes: header, time, q, v, mocap poses, modes of contacts, and the impulses that the
// next step starts from, so that what follows has the same bits.
#include <string.h>

#include "internal.h"

typedef struct Header {
    char magic[8];
    uint64_t model; // hash
    uint64_t size;  // of everything
    uint64_t steps;
    double start;
    double time;
    double warm_h;
    double h_next;
    int32_t warm_count;
    int32_t modes;
    int32_t nq, nv, nmocap;
    int32_t unused;
} Header;

static const char MAGIC[8] = {'u', 't', 's', 'n', 'a', 'p', '0', '2'};

size_t ut_sim_snapshot_size(const utSim* sim)
{
    const utModel* model = sim->model;
    const size_t doubles = (size_t)model->nq + (size_t)model->nv + (size_t)(7 * model->nmocap);
    return sizeof(Header) + doubles * sizeof(double) + (size_t)sim->warm_count * sizeof *sim->warm +
           (size_t)sim->modes * sizeof *sim->mode;
}

static char* put(char* at, const void* from, size_t size)
{
    memcpy(at, from, size);
    return at + size;
}

static const char* get(const char* at, void* to, size_t size)
{
    memcpy(to, at, size);
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
    if (sim->modes > 0) {
        put(at, sim->mode, (size_t)sim->modes * sizeof *sim->mode);
    }
    return UT_OK;
}

// Is this a snapshot of this model, whole and sound?
static utStatus check(const utSim* sim, const Header* header, size_t size, utError* err)
{
    const utModel* model = sim->model;
    if (memcmp(header->magic, MAGIC, sizeof MAGIC) != 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "this is not a snapshot");
    }
    if (header->model != model->hash || header->nq != model->nq || header->nv != model->nv ||
        header->nmocap != model->nmocap) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the snapshot belongs to another model");
    }
    const size_t doubles = (size_t)model->nq + (size_t)model->nv + (size_t)(7 * model->nmocap);
    const size_t fixed = sizeof *header + doubles * sizeof(double);
    if (header->warm_count < 0 || header->modes < 0 || header->size > size ||
        header->size != fixed + (size_t)header->warm_count * sizeof *sim->warm +
                            (size_t)header->modes * sizeof *sim->mode) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the snapshot is cut off or damaged");
    }
    if (!isfinite(header->start) || !isfinite(header->time) || !isfinite(header->warm_h) ||
        !(header->h_next > 0.0)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "a time of the snapshot is not finite");
    }
    return UT_OK;
}

// Impulses to start from must be finite too. @param at the first of them
static utStatus check_impulses(const char* at, int count, utError* err)
{
    for (int k = 0; k < count; k++) {
        WarmImpulse impulse;
        at = get(at, &impulse, sizeof impulse);
        if (!isfinite(impulse.r.x) || !isfinite(impulse.r.y) || !isfinite(impulse.r.z)) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "impulse %d of the snapshot is not finite",
                                k);
        }
    }
    return UT_OK;
}

// Modes of contacts must be modes. @param at the first of them
static utStatus check_modes(const char* at, int count, utError* err)
{
    for (int k = 0; k < count; k++) {
        ModeEntry entry;
        at = get(at, &entry, sizeof entry);
        if ((int)entry.mode < 0 || entry.mode >= UT_MODE_COUNT) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "mode %d of the snapshot is none", k);
        }
    }
    return UT_OK;
}

utStatus ut_sim_load(utSim* sim, const void* memory, size_t size, utError* err)
{
    const utModel* model = sim->model;
    Header header;
    if (memory == NULL || size < sizeof header) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "this is not a snapshot");
    }
    const char* at = get(memory, &header, sizeof header);
    UT_TRY(check(sim, &header, size, err));
    const double* numbers = (const double*)(const void*)at;
    const int doubles = model->nq + model->nv + 7 * model->nmocap;
    for (int k = 0; k < doubles; k++) {
        double x;
        memcpy(&x, numbers + k, sizeof x);
        if (!isfinite(x)) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "number %d of the snapshot is not finite", k);
        }
    }
    UT_TRY(check_impulses(at + (size_t)doubles * sizeof(double), header.warm_count, err));
    UT_TRY(check_modes(at + (size_t)doubles * sizeof(double) +
                           (size_t)header.warm_count * sizeof(WarmImpulse),
                       header.modes, err));
    UT_TRY(ut_sim_reserve_warm(sim, header.warm_count));
    UT_TRY(ut_sim_reserve_modes(sim, header.modes));
    at = get(at, sim->q, (size_t)model->nq * sizeof(double));
    at = get(at, sim->v, (size_t)model->nv * sizeof(double));
    at = get(at, sim->mocap_pos, (size_t)(3 * model->nmocap) * sizeof(double));
    at = get(at, sim->mocap_quat, (size_t)(4 * model->nmocap) * sizeof(double));
    at = get(at, sim->warm, (size_t)header.warm_count * sizeof *sim->warm);
    if (header.modes > 0) {
        get(at, sim->mode, (size_t)header.modes * sizeof *sim->mode);
    }
    sim->modes = header.modes;
    sim->warm_count = header.warm_count;
    sim->warm_h = header.warm_h;
    sim->h_next = header.h_next;
    sim->start = header.start;
    sim->steps = header.steps;
    sim->time = header.time;
    ut_sim_place(sim);
    return UT_OK;
}
