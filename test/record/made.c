// SPDX-License-Identifier: Apache-2.0
#include "made.h"

#include "test.h"

#include <string.h>

// ---- a sink -------------------------------------------------------------------------------------

bool keep_bytes(void* context, const char* bytes, size_t size)
{
    File* f = context;
    if (f->size + size > f->limit) {
        return false;
    }
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
    return true;
}

void empty(File* f)
{
    f->size = 0;
    f->limit = MADE_ROOM;
}

// ---- a model ------------------------------------------------------------------------------------

static void give_inertia(utBodyDef* body)
{
    body->inertial = true;
    body->mass = 1.0;
    body->inertia = ut_mat3_identity();
}

utModel* make_model(void)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    ut_model_def_name(def, "three");
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_SPHERE, ut_vec3(1, 0, 0));
    floor.name = "the \"floor\"";
    floor.pos = ut_vec3(0, 0, -5);
    ut_model_def_geom(def, &floor);
    utBodyDef arm = ut_body_def();
    arm.name = "arm";
    give_inertia(&arm);
    arm.com = ut_vec3(1, 0, 0);
    utJointDef hinge = ut_joint_def(ut_model_def_body(def, &arm), UT_JOINT_HINGE);
    utActuatorDef motor = ut_actuator_def(ut_model_def_joint(def, &hinge), UT_ACTUATOR_MOTOR);
    ut_model_def_actuator(def, &motor);
    utBodyDef hand = ut_body_def(); // unnamed: body2
    hand.mocap = true;
    hand.pos = ut_vec3(7, 8, 9);
    ut_model_def_body(def, &hand);
    utBodyDef ball = ut_body_def();
    ball.name = "a,b";
    give_inertia(&ball);
    const int turning = ut_model_def_body(def, &ball);
    utJointDef turn = ut_joint_def(turning, UT_JOINT_BALL);
    turn.name = "turn";
    ut_model_def_joint(def, &turn);
    utGeomDef geom = ut_geom_def(turning, UT_SHAPE_SPHERE, ut_vec3(0.1, 0, 0));
    ut_model_def_geom(def, &geom); // unnamed: geom1
    utError err = {0};
    CHECK(ut_model_compile(def, NULL, &model, &err) == UT_OK);
    CHECK_TEXT(err.message, "");
    ut_model_def_destroy(def);
    return model;
}

// ---- a recording --------------------------------------------------------------------------------

static const char* const changes[] = {"arm.mass=1", "option.dt=0.5"};
const double made_ctrl[1] = {0.25};
const utForce made_applied[4] = {{{1, 2, 3}, {4, 5, 6}}};
const double made_mocap_pos[3] = {1, 2, 3};
const double made_mocap_quat[4] = {0, 1, 0, 0};
const utMotion made_mocap_velocity[1] = {{{0.5, 0, 0}, {0, 0, 2}}};
const double made_q[2][5] = {{0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}};
const double made_v[2][4] = {{2, 0, 3, -0.0}, {0.1, 0, 3, 5e-324}};

const utContact made_contact = {
    .geom1 = 0,
    .geom2 = 1,
    .feature = 0xfedcba9876543210,
    .island = 3,
    .point = {1, 2, 3},
    .frame = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
    .gap = -0.5,
    .mu = 0.75,
    .b = {0.1, 0.2, 0.3},
    .r = {5, 3, 4},
    .u = {0, 3, 4},
    .e = 1e-9,
    .state = UT_CONTACT_SLIP,
};

const utTransition made_transition = {
    .time = 0.0625,
    .geom1 = 0,
    .geom2 = 1,
    .feature = 0xfedcba9876543210,
    .from = UT_MODE_BOUNCING,
    .to = UT_MODE_STEADY,
    .speed = 0.75,
};

utRecordState made_state(int k)
{
    utRecordState state = {.time = 0.1 * k, .q = made_q[k], .v = made_v[k]};
    if (k == 1) {
        state.mocap_pos = made_mocap_pos;
        state.mocap_quat = made_mocap_quat;
        state.mocap_velocity = made_mocap_velocity;
    }
    return state;
}

utRecordDef made_def(void)
{
    utRecordDef def = ut_record_def();
    def.source = "three.xml";
    def.changes = 2;
    def.change = changes;
    def.formulation = "coulomb";
    def.solver = "auto";
    def.integrator = "Euler";
    def.dt = 0.1;
    def.tolerance = 1e-8;
    def.directions = 8;
    def.keep_going = true;
    return def;
}

bool make_recording(const utModel* model, File* file)
{
    const utContact contacts[] = {made_contact, made_contact};
    const utStepReport report = {.model = model, .contacts = 2, .contact = contacts};
    const utTransition transitions[] = {made_transition, made_transition};
    const utStepReport steady = {.model = model, .transitions = 2, .transition = transitions};
    const utStepReport apart = {.model = model};
    const utRecordDef def = made_def();
    utArena keep = test_arena();
    utRecorder r;
    if (!CHECK(ut_recorder_create(model, &def, keep_bytes, file, &keep, &r) == UT_OK)) {
        return false;
    }
    const utRecordState first = made_state(0);
    const utRecordState second = made_state(1);
    (void)ut_recorder_state(&r, 0, &first);
    (void)ut_recorder_input(&r, 1, &(utRecordInput){.ctrl = made_ctrl});
    (void)ut_recorder_contacts(&r, 1, 0.05, &report);
    (void)ut_recorder_contacts(&r, 1, 0.05, &apart);                     // nothing to write
    (void)ut_recorder_input(&r, 2, &(utRecordInput){.ctrl = made_ctrl}); // the same
    (void)ut_recorder_input(&r, 3,
                            &(utRecordInput){.applied = made_applied, .mocap_pos = made_mocap_pos});
    (void)ut_recorder_state(&r, 3, &second);
    (void)ut_recorder_transitions(&r, 3, &apart); // nothing to write
    (void)ut_recorder_transitions(&r, 3, &steady);
    return ut_recorder_end(&r, 3);
}

// ---- a reader by hand ---------------------------------------------------------------------------
//
// Follows docs/recordings.md, with its own FNV-1a.

static uint64_t fnv(uint64_t hash, const char* bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

uint64_t number_at(const char* at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint64_t)(unsigned char)at[i] << (8 * i);
    }
    return value;
}

void number_to(char* at, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++) {
        at[i] = (char)(unsigned char)(value >> (8 * i) & 0xff);
    }
}

void seal(char* bytes, size_t at, uint64_t size)
{
    char kind_and_size[12];
    memcpy(kind_and_size, bytes + at, 4);
    memcpy(kind_and_size + 4, bytes + at + 8, 8);
    const uint64_t check = fnv(UINT64_C(14695981039346656037), kind_and_size, 12);
    number_to(bytes + at + 4, 4, check & 0xffffffff);
    number_to(bytes + at + 16 + size, 8,
              fnv(UINT64_C(14695981039346656037), bytes + at - 8, (size_t)size + 24));
}

int find_records(const File* file, size_t at[MADE_RECORDS])
{
    int count = 0;
    at[0] = 8;
    while (at[count] < file->size && CHECK(count < MADE_RECORDS - 1)) {
        at[count + 1] = at[count] + 24 + number_at(file->bytes + at[count] + 8, 8);
        count++;
    }
    return count;
}
