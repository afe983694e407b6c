// SPDX-License-Identifier: Apache-2.0
// Row G9: Eqs. 1 to 4 of a trajectory that was stored, read back from its bytes.
#include <uptack/record.h>

#include "igms_impacts.h"

enum { ROOM = 1 << 20 };

typedef struct Stored {
    size_t size;
    _Alignas(8) char bytes[ROOM];
} Stored;

static bool store(void* context, const char* text, size_t size)
{
    Stored* to = context;
    if (size > ROOM - to->size) {
        return false;
    }
    memcpy(to->bytes + to->size, text, size);
    to->size += size;
    return true;
}

static utRecordState state_of(const utSim* sim)
{
    return (utRecordState){.time = ut_sim_time(sim), .q = ut_sim_q(sim), .v = ut_sim_v(sim)};
}

// Run for some steps and record all of them.
static void record(Lab* lab, int steps, utArena* arena, Stored* stored)
{
    const utRecordDef def = ut_record_def();
    utRecorder recorder;
    CHECK_INT(ut_recorder_create(lab->model, &def, store, stored, arena, &recorder), UT_OK);
    utRecordState state = state_of(lab->sim);
    CHECK(ut_recorder_state(&recorder, 0, &state));
    for (int k = 1; k <= steps; k++) {
        utStepResult result;
        lab_step(lab, NULL, &result);
        state = state_of(lab->sim);
        CHECK(ut_recorder_contacts(&recorder, (uint64_t)k, state.time, &result.report));
        CHECK(ut_recorder_state(&recorder, (uint64_t)k, &state));
    }
    CHECK(ut_recorder_end(&recorder, (uint64_t)steps));
}

static void add(double* sum, utVec3 a)
{
    sum[0] += a.x;
    sum[1] += a.y;
    sum[2] += a.z;
}

// The impulse of all contacts of a step on the ball, and its torque about the centre where it was at the
// start of the step. Each contact obeys Eqs. 2 to 4 at the end of the step, where the centre is at q.
static void check_contacts(const utRecordFrame* contacts, utVec3 centre, const double* q, double mu,
                           double* p, double* torque)
{
    const double R = 0.1, gap = q[2] - R;
    memset(p, 0, 3 * sizeof *p);
    memset(torque, 0, 3 * sizeof *torque);
    CHECK(gap >= -1e-12);
    for (int i = 0; i < contacts->contacts; i++) {
        const utRecordedContact* c = &contacts->contact[i];
        CHECK(c->r[0] >= 0.0);
        CHECK(hypot(c->r[1], c->r[2]) <= mu * c->r[0] * (1.0 + 1e-12));
        CHECK_NEAR(c->r[0] * gap, 0.0, 1e-12);
        for (int k = 0; k < 3; k++) {
            const utVec3 part = ut_vec3_scale(c->frame[k], c->r[k]);
            add(p, part);
            add(torque, ut_vec3_cross(ut_vec3_sub(c->point, centre), part));
        }
    }
}

// Velocity of the centre and angular velocity along the axes of the world, from a state.
static void velocities_of(const utRecordState* state, double* v)
{
    const double* q = state->q;
    const utVec3 w = ut_quat_rotate((utQuat){q[3], q[4], q[5], q[6]},
                                    ut_vec3(state->v[3], state->v[4], state->v[5]));
    memcpy(v, state->v, 3 * sizeof *v);
    v[3] = w.x;
    v[4] = w.y;
    v[5] = w.z;
}

// Eq. 1 over a step: m dv = p less the weight, and I dw = torque, because a ball has the same moment
// about all axes.
static void check_motion(const double* before, const double* after, const double* p,
                         const double* torque)
{
    const double h = 0.01, m = 1.0, I = 0.4 * m * 0.1 * 0.1;
    for (int k = 0; k < 3; k++) {
        const double weight = k == 2 ? m * GRAVITY * h : 0.0;
        CHECK_NEAR(m * (after[k] - before[k]), p[k] - weight, 1e-13);
        CHECK_NEAR(I * (after[3 + k] - before[3 + k]), torque[k], 1e-13);
    }
}

// The ball falls 5 cm, slides with mu = 0.1 and rolls.
TEST(G9_conditions_on_a_stored_trajectory)
{
    utArena arena = test_arena();
    Stored* stored = UT_PUSH(&arena, Stored, 1);
    stored->size = 0;
    Lab lab = igms_scene("low", "option.formulation=stewart-trinkle;ball.restitution=0");
    const double q[] = {0, 0, 0.15, 1, 0, 0, 0}, v[] = {1, 0.4, 0, 0, 0, 0};
    CHECK_INT(ut_sim_set(lab.sim, 0.0, q, v, NULL), UT_OK);
    record(&lab, 100, &arena, stored);
    lab_end(&lab);

    utRecording recording;
    utRecordFrame frame = {.kind = UT_RECORD_STATE}, contacts = {.contacts = 0};
    utError err = {0};
    CHECK_INT(ut_recording_open(stored->bytes, stored->size, "stored", &recording, &err), UT_OK);
    double before[6], after[6];
    utVec3 centre = ut_vec3_zero();
    int touching = 0, states = 0;
    while (CHECK_INT(ut_recording_next(&recording, &frame, &err), UT_OK) &&
           frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT) {
        if (frame.kind == UT_RECORD_CONTACTS) {
            contacts = frame;
        } else if (frame.kind == UT_RECORD_STATE) {
            double p[3], torque[3];
            const double* at = frame.state.q;
            check_contacts(&contacts, centre, at, 0.1, p, torque);
            velocities_of(&frame.state, after);
            if (states++ > 0) {
                check_motion(before, after, p, torque);
            }
            touching += p[2] > 0.0;
            contacts.contacts = 0;
            centre = ut_vec3(at[0], at[1], at[2]);
            memcpy(before, after, sizeof before);
        }
    }
    CHECK_INT(frame.kind, UT_RECORD_END);
    CHECK_INT(states, 101);
    CHECK(touching > 80);
}
