// SPDX-License-Identifier: Apache-2.0
// Figures of a state: frames, forces, lengths, sensors, constraints.
#include <math.h>
#include <uptack/collision.h>
#include <uptack/sensor.h>

#include "trap_list.h"

// ---- frames -------------------------------------------------------------------------------------

static void body_pos(const Trap* t, List* list)
{
    for (int b = 0; b < t->model->nbody; b++) {
        put_vec3(list, t->kin.body[b].p);
    }
}

static void body_mat(const Trap* t, List* list)
{
    for (int b = 0; b < t->model->nbody; b++) {
        put_mat3(list, t->kin.body[b].R);
    }
}

static void body_com(const Trap* t, List* list)
{
    for (int b = 1; b < t->model->nbody; b++) {
        if (t->model->body[b].mass > 0.0) {
            put_vec3(list, t->kin.com[b]);
        }
    }
}

static void geom_pos(const Trap* t, List* list)
{
    for (int g = 0; g < t->model->ngeom; g++) {
        put_vec3(list, ut_geom_frame(&t->kin, g).p);
    }
}

static void geom_mat(const Trap* t, List* list)
{
    for (int g = 0; g < t->model->ngeom; g++) {
        put_mat3(list, ut_geom_frame(&t->kin, g).R);
    }
}

static utFrame site_frame(const Trap* t, int site)
{
    const utModelSite* s = &t->model->site[site];
    return ut_frame_mul(t->kin.body[s->body], s->in_body);
}

static void site_pos(const Trap* t, List* list)
{
    for (int s = 0; s < t->model->nsite; s++) {
        put_vec3(list, site_frame(t, s).p);
    }
}

static void site_mat(const Trap* t, List* list)
{
    for (int s = 0; s < t->model->nsite; s++) {
        put_mat3(list, site_frame(t, s).R);
    }
}

static bool has_axis(const utModelJoint* joint)
{
    return joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE;
}

static void anchor(const Trap* t, List* list)
{
    for (int j = 0; j < t->model->njoint; j++) {
        if (has_axis(&t->model->joint[j])) {
            put_vec3(list, t->kin.anchor[j]);
        }
    }
}

static void axis(const Trap* t, List* list)
{
    for (int j = 0; j < t->model->njoint; j++) {
        const utModelJoint* joint = &t->model->joint[j];
        if (has_axis(joint)) {
            const utMotion twist = t->kin.axis[joint->v];
            put_vec3(list, joint->kind == UT_JOINT_HINGE ? twist.angular : twist.linear);
        }
    }
}

// ---- dynamics -----------------------------------------------------------------------------------

static void M(const Trap* t, List* list)
{
    put_all(list, t->model->nv * t->model->nv, t->terms.M);
}

static void bias(const Trap* t, List* list)
{
    put_all(list, t->model->nv, t->terms.bias);
}

// Gravity compensation that MuJoCo counts among the forces of actuators, times a factor.
static void add_compensation(const Trap* t, double factor, List* list)
{
    utArena scratch = t->scratch;
    double* tau = UT_PUSH(&scratch, double, t->model->nv);
    if (CHECK(tau != NULL)) {
        ut_actuator_compensation(&t->kin, tau);
    }
    for (int i = 0; tau != NULL && i < t->model->nv; i++) {
        list->at[i] += factor * tau[i];
    }
}

static void passive(const Trap* t, List* list)
{
    put_all(list, t->model->nv, t->terms.passive);
    add_compensation(t, -1.0, list);
}

static void tendon_length(const Trap* t, List* list)
{
    for (int i = 0; i < t->model->ntendon; i++) {
        put(list, ut_tendon_length(&t->kin, t->q, i, NULL, NULL, NULL));
    }
}

static void actuator_length(const Trap* t, List* list)
{
    utArena scratch = t->scratch;
    int terms, *index = UT_PUSH(&scratch, int, t->model->nv);
    double* coefficient = UT_PUSH(&scratch, double, t->model->nv);
    for (int i = 0; i < t->model->nu && CHECK(index != NULL && coefficient != NULL); i++) {
        put(list, ut_actuator_length(&t->kin, t->q, i, &terms, index, coefficient));
    }
}

// Forces of all actuators; tau: their sum on the velocities.
static void actuate(const Trap* t, List* force, List* tau)
{
    const utModel* model = t->model;
    utArena scratch = t->scratch;
    double* input = UT_PUSH(&scratch, double, model->nu);
    for (int i = 0; i < model->nu && CHECK(input != NULL); i++) {
        const utModelActuator* a = &model->actuator[i];
        const double ctrl = !a->ctrl_limited
                                ? t->ctrl[i]
                                : fmin(fmax(t->ctrl[i], a->ctrl_range[0]), a->ctrl_range[1]);
        input[i] = a->act >= 0 ? t->act[a->act] : ctrl;
    }
    CHECK_INT(ut_actuator_forces(&t->kin, t->q, t->v, input, scratch, force->at, tau->at), UT_OK);
    force->count = model->nu;
    tau->count = model->nv;
}

static void actuator_force(const Trap* t, List* list)
{
    double unused[TRAP_MOST];
    List tau = {0, unused};
    actuate(t, list, &tau);
}

static void actuator(const Trap* t, List* list)
{
    double unused[TRAP_MOST];
    List force = {0, unused};
    actuate(t, &force, list);
    add_compensation(t, 1.0, list);
}

static void sensor(const Trap* t, List* list)
{
    const utModel* model = t->model;
    double data[TRAP_MOST];
    utSensors sensors;
    utArena scratch = t->scratch;
    const utSensorState state = {.q = t->q, .v = t->v, .kin = &t->kin};
    if (!CHECK_INT(ut_sensors_create(model, &scratch, &sensors), UT_OK) ||
        !CHECK(model->nsensordata <= TRAP_MOST)) {
        return;
    }
    ut_sensors_read(&sensors, &state, NULL, data);
    for (int i = 0; i < model->nsensor; i++) {
        const utModelSensor* s = &model->sensor[i];
        const double sign = s->dim == 4 && data[s->start] < 0.0 ? -1.0 : 1.0; // q and -q are equal
        const bool now = ut_sensor_traits(s->kind).stage != UT_SENSOR_ACCELERATION;
        for (int k = 0; k < s->dim && now; k++) {
            put(list, sign * data[s->start + k]);
        }
    }
}

// ---- constraints --------------------------------------------------------------------------------

// The distance of the two points and, of a weld, the sine of half the angle between the frames.
static void put_gap(const Trap* t, const utModelEquality* e, List* list)
{
    const utQuat one = ut_quat_mul(t->kin.quat[e->body1], e->quat1);
    const utQuat two = ut_quat_mul(t->kin.quat[e->body2], e->quat2);
    const utQuat turn = ut_quat_mul(ut_quat_conjugate(one), two);
    put_vec3(list, ut_vec3_sub(ut_frame_point(t->kin.body[e->body1], e->in1.p),
                               ut_frame_point(t->kin.body[e->body2], e->in2.p)));
    if (e->kind == UT_EQUALITY_WELD) {
        put(list, ut_vec3_norm(ut_vec3(turn.x, turn.y, turn.z)));
    }
}

static void equality(const Trap* t, List* list)
{
    for (int i = 0; i < t->model->nequality; i++) {
        const utModelEquality* e = &t->model->equality[i];
        if (e->active && ut_equality_is_coupling(e->kind)) {
            put(list, ut_coupling_error(&t->kin, t->q, i, NULL));
        } else if (e->active) {
            put_gap(t, e, list);
        }
    }
}

static bool is_touching(const Trap* t, int a, int b)
{
    static utTouch touch[UT_TOUCH_MAX];
    const utModel* m = t->model;
    return ut_model_collides(m, a, b) &&
           ut_collide(&m->geom[a].shape, ut_geom_frame(&t->kin, a), &m->geom[b].shape,
                      ut_geom_frame(&t->kin, b), ut_model_margin(m, a, b), touch) > 0;
}

static void pairs(const Trap* t, List* list)
{
    for (int a = 0; a < t->model->ngeom; a++) {
        for (int b = a + 1; b < t->model->ngeom; b++) {
            if (is_touching(t, a, b)) {
                const utModel* m = t->model;
                put_all(list, 6,
                        (const double[]){a, b, ut_model_condim(m, a, b), ut_model_friction(m, a, b),
                                         ut_model_torsional(m, a, b), ut_model_rolling(m, a, b)});
            }
        }
    }
}

static void touching(const Trap* t, List* list)
{
    double all[TRAP_MOST];
    List found = {0, all};
    pairs(t, &found);
    put(list, found.count / 6);
}

const TrapFigure trap_state_figures[] = {
    FIGURE(body_pos),
    FIGURE(body_mat),
    FIGURE(body_com),
    FIGURE(geom_pos),
    FIGURE(geom_mat),
    FIGURE(site_pos),
    FIGURE(site_mat),
    FIGURE(anchor),
    FIGURE(axis),
    FIGURE(M),
    FORCE(bias),
    FORCE(passive),
    FIGURE(tendon_length),
    FIGURE(actuator_length),
    FIGURE(actuator_force),
    FIGURE(actuator),
    FIGURE(sensor),
    FIGURE(equality),
    FIGURE(touching),
    FIGURE(pairs),
    {NULL, NULL, false},
};
