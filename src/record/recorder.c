// SPDX-License-Identifier: Apache-2.0
// Writes a recording, record by record. docs/recordings.md defines the format.
#include <math.h>
#include <string.h>

#include "internal.h"

// ---- numbers ------------------------------------------------------------------------------------

uint32_t ut_record_check(uint32_t kind, uint64_t size)
{
    unsigned char bytes[12];
    ut_record_u32(kind, bytes);
    ut_record_u64(size, bytes + 4);
    return (uint32_t)(ut_hash_bytes(UT_HASH_START, bytes, sizeof bytes) & UINT32_MAX);
}

void ut_record_parts(int nv, int nu, int nbody, int nmocap, uint64_t count[PARTS])
{
    count[PART_CTRL] = (uint64_t)nu;
    count[PART_FORCE] = (uint64_t)nv;
    count[PART_APPLIED] = 6 * (uint64_t)nbody;
    count[PART_MOCAP_POS] = 3 * (uint64_t)nmocap;
    count[PART_MOCAP_QUAT] = 4 * (uint64_t)nmocap;
}

void ut_recorder_put(utRecorder* recorder, const void* bytes, size_t size)
{
    recorder->hash = ut_hash_bytes(recorder->hash, bytes, size);
    ut_buffer_put(&recorder->out, bytes, size);
}

void ut_recorder_put_u32(utRecorder* recorder, uint32_t value)
{
    unsigned char bytes[4];
    ut_record_u32(value, bytes);
    ut_recorder_put(recorder, bytes, sizeof bytes);
}

void ut_recorder_put_u64(utRecorder* recorder, uint64_t value)
{
    unsigned char bytes[8];
    ut_record_u64(value, bytes);
    ut_recorder_put(recorder, bytes, sizeof bytes);
}

void ut_recorder_put_double(utRecorder* recorder, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    ut_recorder_put_u64(recorder, bits);
}

static void put_doubles(utRecorder* recorder, const double* x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ut_recorder_put_double(recorder, x[i]);
    }
}

static void put_vec3(utRecorder* recorder, utVec3 x)
{
    put_doubles(recorder, (const double[]){x.x, x.y, x.z}, 3);
}

// ---- records ------------------------------------------------------------------------------------

void ut_recorder_begin(utRecorder* recorder, uint32_t kind, uint64_t size)
{
    // each checksum includes the one before, so a missing or moved record is detected
    unsigned char before[8];
    ut_record_u64(recorder->checksum, before);
    recorder->hash = ut_hash_bytes(UT_HASH_START, before, sizeof before);
    ut_recorder_put_u32(recorder, kind);
    ut_recorder_put_u32(recorder, ut_record_check(kind, size));
    ut_recorder_put_u64(recorder, size);
}

uint64_t ut_recorder_padding(uint64_t size)
{
    return (8 - size % 8) % 8;
}

void ut_recorder_pad(utRecorder* recorder, uint64_t size)
{
    ut_recorder_put(recorder, "\0\0\0\0\0\0\0", (size_t)ut_recorder_padding(size));
}

void ut_recorder_finish(utRecorder* recorder)
{
    recorder->checksum = recorder->hash;
    ut_recorder_put_u64(recorder, recorder->checksum);
}

// ---- memory -------------------------------------------------------------------------------------

utRecordDef ut_record_def(void)
{
    return (utRecordDef){
        .source = "",
        .formulation = "",
        .solver = "",
        .integrator = "",
        .stop_at = HUGE_VAL,
        .cookie = UT_RECORD_DEF_COOKIE,
    };
}

static size_t input_size(const utModel* model)
{
    uint64_t count[PARTS];
    size_t sum = 0;
    ut_record_parts(model->nv, model->nu, model->nbody, model->nmocap, count);
    for (int k = 0; k < PARTS; k++) {
        sum += (size_t)count[k];
    }
    return sum;
}

utStatus ut_recorder_create(const utModel* model, const utRecordDef* def, utRecordSink sink,
                            void* context, utArena* keep, utRecorder* recorder)
{
    if (def->cookie != UT_RECORD_DEF_COOKIE) {
        return UT_ERR_DEF;
    }
    utArena arena = *keep;
    utRecorder created = {.model = model};
    created.input = UT_PUSH(&arena, double, input_size(model));
    if (!ut_buffer_create(sink, context, &arena, &created.out)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_kinematics_create(model, &arena, &created.kin));
    UT_TRY(ut_recorder_head(&created, def));
    if (def->adaptive > 0.0) {
        ut_recorder_begin(&created, KIND_ADAPTIVE, ADAPTIVE_SIZE);
        ut_recorder_put_double(&created, def->adaptive);
        ut_recorder_finish(&created);
    }
    if (model->na > 0) {
        ut_recorder_begin(&created, KIND_ACTIVATIONS, ACTIVATIONS_SIZE);
        ut_recorder_put_u64(&created, (uint64_t)model->na);
        ut_recorder_finish(&created);
    }
    UT_TRY(ut_recorder_start(&created, def));
    *keep = arena;
    *recorder = created;
    return UT_OK;
}

// ---- states -------------------------------------------------------------------------------------

static uint64_t state_hash(const utModel* model, const utRecordState* state)
{
    uint64_t hash = ut_hash_doubles(UT_HASH_START, &state->time, 1);
    hash = ut_hash_doubles(hash, state->q, (size_t)model->nq);
    hash = ut_hash_doubles(hash, state->v, (size_t)model->nv);
    for (int i = 0; i < model->na; i++) {
        const double act = state->act != NULL ? state->act[i] : 0.0;
        hash = ut_hash_doubles(hash, &act, 1);
    }
    return hash;
}

static void put_mocap(utRecorder* recorder, const utRecordState* state)
{
    const utModel* model = recorder->model;
    const size_t n = (size_t)model->nmocap;
    put_doubles(recorder, state->mocap_pos != NULL ? state->mocap_pos : model->mocap_pos, 3 * n);
    put_doubles(recorder, state->mocap_quat != NULL ? state->mocap_quat : model->mocap_quat, 4 * n);
    for (size_t m = 0; m < n; m++) {
        const utMotion* velocity = state->mocap_velocity;
        put_vec3(recorder, velocity != NULL ? velocity[m].linear : ut_vec3_zero());
        put_vec3(recorder, velocity != NULL ? velocity[m].angular : ut_vec3_zero());
    }
}

// Coordinates of joints that are equalities; kin has been placed and moved.
static void put_coordinates(utRecorder* recorder)
{
    const utModel* model = recorder->model;
    int next = 0;
    for (int j = 0; j < model->njoint; j++) {
        const int e = ut_record_equality(model, j, &next);
        if (e >= 0) {
            const utEqualityKind kind = model->equality[e].kind;
            double q[4], v[3];
            ut_equality_coordinates(&recorder->kin, e, q, v);
            put_doubles(recorder, q, (size_t)ut_record_equality_positions(kind));
            put_doubles(recorder, v, (size_t)ut_record_equality_velocities(kind));
        }
    }
}

static void put_sensors(utRecorder* recorder, const utRecordState* state)
{
    for (int i = 0; i < recorder->model->nsensordata; i++) {
        ut_recorder_put_double(recorder, state->sensor != NULL ? state->sensor[i] : (double)NAN);
    }
}

static void put_activations(utRecorder* recorder, const utRecordState* state)
{
    for (int i = 0; i < recorder->model->na; i++) {
        ut_recorder_put_double(recorder, state->act != NULL ? state->act[i] : 0.0);
    }
}

bool ut_recorder_state(utRecorder* recorder, uint64_t step, const utRecordState* state)
{
    const utModel* model = recorder->model;
    const uint64_t values = 1 + (uint64_t)model->nq + (uint64_t)model->nv +
                            (uint64_t)MOCAP_VALUES * (uint64_t)model->nmocap +
                            (uint64_t)BODY_CELLS * (uint64_t)(model->nbody - 1) +
                            ut_record_extras(model);
    double cells[BODY_CELLS];
    ut_kinematics_place(&recorder->kin, state->q, state->mocap_pos, state->mocap_quat);
    ut_kinematics_move(&recorder->kin, state->v, state->mocap_velocity);
    ut_recorder_begin(recorder, KIND_STATE, STATE_FIXED + 8 * values);
    ut_recorder_put_u64(recorder, step);
    ut_recorder_put_u64(recorder, state_hash(model, state));
    ut_recorder_put_double(recorder, state->time);
    put_doubles(recorder, state->q, (size_t)model->nq);
    put_doubles(recorder, state->v, (size_t)model->nv);
    put_mocap(recorder, state);
    for (int i = 1; i < model->nbody; i++) {
        ut_record_body(&recorder->kin, i, cells);
        put_doubles(recorder, cells, BODY_CELLS);
    }
    put_coordinates(recorder);
    put_sensors(recorder, state);
    put_activations(recorder, state);
    ut_recorder_finish(recorder);
    return !recorder->out.failed;
}

// ---- inputs -------------------------------------------------------------------------------------

_Static_assert(sizeof(utForce) == 6 * sizeof(double), "a wrench is six numbers");
_Static_assert(sizeof(utMotion) == 6 * sizeof(double), "a twist is six numbers");

// Store an input. @return true when it differs from the input before
static bool update_input(utRecorder* recorder, const void* const part[PARTS],
                         const uint64_t count[PARTS])
{
    double* stored = recorder->input;
    bool changed = false;
    for (unsigned k = 0; k < PARTS; k++) {
        const unsigned bit = 1u << k;
        const size_t size = (size_t)count[k] * sizeof(double);
        const bool present = part[k] != NULL && size > 0;
        const bool was_present = (recorder->input_parts & bit) != 0;
        if (present != was_present || (present && memcmp(stored, part[k], size) != 0)) {
            changed = true;
        }
        if (present) {
            memcpy(stored, part[k], size);
        }
        recorder->input_parts =
            present ? recorder->input_parts | bit : recorder->input_parts & ~bit;
        stored += count[k];
    }
    return changed;
}

static void put_input(utRecorder* recorder, uint64_t step, const uint64_t count[PARTS])
{
    uint64_t values = 0;
    for (unsigned k = 0; k < PARTS; k++) {
        values += (recorder->input_parts >> k & 1) != 0 ? count[k] : 0;
    }
    ut_recorder_begin(recorder, KIND_INPUT, INPUT_FIXED + 8 * values);
    ut_recorder_put_u64(recorder, step);
    ut_recorder_put_u64(recorder, recorder->input_parts);
    const double* stored = recorder->input;
    for (unsigned k = 0; k < PARTS; k++) {
        if ((recorder->input_parts >> k & 1) != 0) {
            put_doubles(recorder, stored, (size_t)count[k]);
        }
        stored += count[k];
    }
    ut_recorder_finish(recorder);
}

bool ut_recorder_input(utRecorder* recorder, uint64_t step, const utRecordInput* input)
{
    const utModel* model = recorder->model;
    const void* const part[PARTS] = {
        [PART_CTRL] = input->ctrl,
        [PART_FORCE] = input->force,
        [PART_APPLIED] = input->applied,
        [PART_MOCAP_POS] = input->mocap_pos,
        [PART_MOCAP_QUAT] = input->mocap_quat,
    };
    uint64_t count[PARTS];
    ut_record_parts(model->nv, model->nu, model->nbody, model->nmocap, count);
    if (update_input(recorder, part, count)) {
        put_input(recorder, step, count);
    }
    return !recorder->out.failed;
}

// ---- contacts -----------------------------------------------------------------------------------

static void put_contact(utRecorder* recorder, const utRecordedContact* c)
{
    ut_recorder_put_u32(recorder, (uint32_t)c->geom1);
    ut_recorder_put_u32(recorder, (uint32_t)c->geom2);
    ut_recorder_put_u64(recorder, c->feature);
    ut_recorder_put_u32(recorder, (uint32_t)c->island);
    ut_recorder_put_u32(recorder, (uint32_t)c->state);
    put_vec3(recorder, c->point);
    for (int k = 0; k < 3; k++) {
        put_vec3(recorder, c->frame[k]);
    }
    ut_recorder_put_double(recorder, c->gap);
    ut_recorder_put_double(recorder, c->mu);
    put_doubles(recorder, c->b, 3);
    put_doubles(recorder, c->r, 3);
    put_doubles(recorder, c->u, 3);
    ut_recorder_put_double(recorder, c->e);
}

bool ut_recorder_contacts(utRecorder* recorder, uint64_t step, double time,
                          const utStepReport* report)
{
    ContactGroup group = NO_GROUP;
    while (ut_record_group(report, time, &group)) {
        const uint64_t count = (uint64_t)group.count;
        if (count == 0) {
            continue;
        }
        ut_recorder_begin(recorder, KIND_CONTACTS, CONTACTS_FIXED + CONTACT_SIZE * count);
        ut_recorder_put_u64(recorder, step);
        ut_recorder_put_double(recorder, group.time);
        ut_recorder_put_u64(recorder, count);
        for (int i = 0; i < group.count; i++) {
            double gap_time;
            const utRecordedContact c =
                ut_record_contact(ut_record_group_contact(report, &group, i, &gap_time));
            put_contact(recorder, &c);
        }
        ut_recorder_finish(recorder);
    }
    return !recorder->out.failed;
}

// ---- transitions --------------------------------------------------------------------------------

bool ut_recorder_transitions(utRecorder* recorder, uint64_t step, const utStepReport* report)
{
    if (report->transitions == 0) {
        return !recorder->out.failed;
    }
    const uint64_t count = (uint64_t)report->transitions;
    ut_recorder_begin(recorder, KIND_TRANSITIONS, TRANSITIONS_FIXED + TRANSITION_SIZE * count);
    ut_recorder_put_u64(recorder, step);
    ut_recorder_put_u64(recorder, count);
    for (int i = 0; i < report->transitions; i++) {
        const utTransition* t = &report->transition[i];
        ut_recorder_put_double(recorder, t->time);
        ut_recorder_put_u32(recorder, (uint32_t)t->geom1);
        ut_recorder_put_u32(recorder, (uint32_t)t->geom2);
        ut_recorder_put_u64(recorder, t->feature);
        ut_recorder_put_u32(recorder, (uint32_t)t->from);
        ut_recorder_put_u32(recorder, (uint32_t)t->to);
        ut_recorder_put_double(recorder, t->speed);
    }
    ut_recorder_finish(recorder);
    return !recorder->out.failed;
}

// ---- the end ------------------------------------------------------------------------------------

bool ut_recorder_flush(utRecorder* recorder)
{
    return ut_buffer_flush(&recorder->out);
}

bool ut_recorder_end(utRecorder* recorder, uint64_t step)
{
    ut_recorder_begin(recorder, KIND_END, END_SIZE);
    ut_recorder_put_u64(recorder, step);
    ut_recorder_finish(recorder);
    return ut_recorder_flush(recorder);
}
