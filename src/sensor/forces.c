// SPDX-License-Identifier: Apache-2.0
// The motion of a step and its forces: accelerations, wrenches between bodies and their parents,
// contact forces.
#include "internal.h"

#include <string.h>
#include <uptack/collision.h>

#include "dyn/internal.h"

// ---- accelerations ------------------------------------------------------------------------------

// An instant has no duration: its "accelerations" are changes of velocities, and its "forces" impulses.
static double per_duration(const utStepReport* step)
{
    return step->instant ? 1.0 : 1.0 / step->h;
}

// The accelerations a of M a + c = tau, which the step used:  v+ = v + h (a + b), with b of
// ut_dyn_centripetal, all at the positions after the projection.
static void find_accelerations(utSensors* s, const utStepReport* step)
{
    const utModel* model = s->model;
    memcpy(s->q, step->q, (size_t)model->nq * sizeof *s->q);
    if (step->projection != NULL) {
        ut_model_integrate(model, step->q, step->projection, 1.0, s->q);
    }
    ut_model_carry(model, step->q, step->v, s->q, s->v);
    ut_kinematics_place(&s->kin, s->q, step->mocap_pos, step->mocap_quat);
    ut_kinematics_move(&s->kin, s->v, step->mocap_velocity);
    ut_model_carry(model, step->q_next, step->v_next, s->q, s->a);
    if (step->instant) {
        for (int i = 0; i < model->nv; i++) {
            s->a[i] -= s->v[i];
        }
        memset(s->v, 0, (size_t)model->nv * sizeof *s->v);
        ut_kinematics_move(&s->kin, s->v, NULL);
        return;
    }
    ut_dyn_centripetal(&s->kin, s->v, s->work);
    for (int i = 0; i < model->nv; i++) {
        s->a[i] = (s->a[i] - s->v[i]) / step->h - s->work[i];
    }
}

// Spatial accelerations of bodies: J a + bias, outward.
static void accelerate_bodies(utSensors* s)
{
    const utModel* model = s->model;
    const utMotion still = {0};
    for (int b = 0; b < model->nbody; b++) {
        const utModelBody* body = &model->body[b];
        utMotion J_a = still;
        if (body->tree >= 0 && ut_dyn_parent_in_tree(model, b)) {
            J_a = ut_motion_sub(s->acceleration[body->parent], s->kin.bias[body->parent]);
        }
        for (int k = body->dof; k < body->dof + body->dofs; k++) {
            J_a = ut_motion_add(J_a, ut_motion_scale(s->kin.axis[k], s->a[k]));
        }
        s->acceleration[b] = ut_motion_add(J_a, s->kin.bias[b]);
    }
}

// ---- wrenches -----------------------------------------------------------------------------------

// Add a force at a point of a body and a torque to the wrench about the body's centre of mass.
static void add_wrench(utSensors* s, int body, utVec3 at, utVec3 force, utVec3 torque)
{
    const utVec3 arm = ut_vec3_sub(at, s->kin.com[body]);
    const utForce f = ut_force(force, ut_vec3_add(torque, ut_vec3_cross(arm, force)));
    s->wrench[body] = ut_force_add(s->wrench[body], f);
}

static void add_contact(utSensors* s, const utContact* c, double per_h)
{
    utVec3 force = ut_vec3_zero(), torque = ut_vec3_zero();
    for (int k = 0; k < 3; k++) {
        force = ut_vec3_add_scaled(force, per_h * c->r[k], c->frame[k]);
        torque = ut_vec3_add_scaled(torque, per_h * c->torque[k], c->frame[k]);
    }
    add_wrench(s, ut_model_side_body(s->model, c->geom1), c->point, ut_vec3_negate(force),
               ut_vec3_negate(torque));
    add_wrench(s, ut_model_side_body(s->model, c->geom2), c->point, force, torque);
}

static void add_row(utSensors* s, const utRow* row, double per_h)
{
    const utVec3 force = ut_vec3_scale(row->linear, per_h * row->r);
    const utVec3 torque = ut_vec3_scale(row->angular, per_h * row->r);
    add_wrench(s, row->body1, row->point1, ut_vec3_negate(force), ut_vec3_negate(torque));
    add_wrench(s, row->body2, row->point2, force, torque);
}

// Wrenches of contacts, of equalities and springs between bodies, and of the caller.
static void find_external_wrenches(utSensors* s, const utStepReport* step)
{
    const double per_h = per_duration(step);
    memset(s->wrench, 0, (size_t)s->model->nbody * sizeof *s->wrench);
    for (int i = 0; i < step->contacts; i++) {
        add_contact(s, &step->contact[i], per_h);
    }
    for (int i = 0; i < step->rows; i++) {
        if (step->row[i].dof < 0 && step->row[i].terms == 0) {
            add_row(s, &step->row[i], per_h);
        }
    }
    if (step->instant) {
        return; // forces have no impulse in no time
    }
    for (int b = 0; step->applied != NULL && b < s->model->nbody; b++) {
        s->wrench[b] = ut_force_add(s->wrench[b], step->applied[b]);
    }
    if (ut_formulation_traits(step->formulation)->explicit_forces) {
        ut_dyn_add_springs(&s->kin, s->wrench); // otherwise these springs are rows
    }
}

// Newton-Euler, inward: the parent's wrench on a body is the one that its motion needs, less the
// external wrench, plus the wrenches on its children.
static void find_transmitted_wrenches(utSensors* s, const utStepReport* step)
{
    const utModel* model = s->model;
    const utVec3 gravity = step->instant ? ut_vec3_zero() : step->gravity;
    find_external_wrenches(s, step);
    for (int b = 0; b < model->nbody; b++) {
        const utForce required =
            ut_dyn_required_wrench(&s->kin, b, s->acceleration[b], gravity, NULL);
        s->wrench[b] = ut_force_sub(required, s->wrench[b]);
    }
    for (int b = model->nbody - 1; b > 0; b--) {
        const int parent = model->body[b].parent;
        add_wrench(s, parent, s->kin.com[b], s->wrench[b].force, s->wrench[b].torque);
    }
}

void ut_sensor_find_step(utSensors* sensors, const utStepReport* step)
{
    find_accelerations(sensors, step);
    accelerate_bodies(sensors);
    find_transmitted_wrenches(sensors, step);
}

// ---- touch --------------------------------------------------------------------------------------

// Does a contact count? Its point is in the volume, or the volume lies ahead of it along the normal
// that leads out of the sensor's body.
static bool is_in_zone(const SensorView* view, int site, const utContact* c, bool second)
{
    const utFrame at = ut_sensor_frame(&view->sensors->kin, UT_OBJECT_SITE, site);
    const utVec3 out = second ? ut_vec3_negate(c->frame[0]) : c->frame[0];
    utRayHit hit;
    return ut_ray(&view->model->site[site].shape, at, c->point, out, HUGE_VAL, &hit);
}

static double read_touch(const SensorView* view, int site)
{
    const utModel* model = view->model;
    const int body = model->site[site].body;
    double sum = 0.0;
    for (int i = 0; i < view->step->contacts; i++) {
        const utContact* c = &view->step->contact[i];
        const bool second = ut_model_side_body(model, c->geom2) == body;
        const bool first = ut_model_side_body(model, c->geom1) == body;
        if ((first || second) && c->r[0] > 0.0 && is_in_zone(view, site, c, second)) {
            sum += c->r[0] / view->step->h;
        }
    }
    return sum;
}

// ---- sensors ------------------------------------------------------------------------------------

// In maximal coordinates joints are equalities, so that the parent's wrench is not known here.
void ut_sensor_read_force(const SensorView* view, const utModelSensor* s, double* x)
{
    if (s->kind == UT_SENSOR_TOUCH) {
        x[0] = read_touch(view, s->index);
        return;
    }
    if (view->model->options.coordinates == UT_COORDINATES_MAXIMAL) {
        x[0] = x[1] = x[2] = (double)NAN;
        return;
    }
    const utKinematics* kin = &view->sensors->kin;
    const int body = view->model->site[s->index].body;
    const utFrame at = ut_sensor_frame(kin, UT_OBJECT_SITE, s->index);
    const utForce f =
        ut_dyn_shift_force(view->sensors->wrench[body], ut_vec3_sub(kin->com[body], at.p));
    ut_sensor_store(ut_mat3_tmul_vec(at.R, s->kind == UT_SENSOR_FORCE ? f.force : f.torque), x);
}
