// SPDX-License-Identifier: Apache-2.0
// Forces of equalities on bodies, and the work of their actuators.
#include "equality.h"

// Add a force along the free coordinate of a hinge or slide, or about an axis of a ball.
static void add_coordinate_force(Judge* judge, const EqualityFrames* frames, const EqualityRow* x,
                                 double force)
{
    const double length = length_of(frames->equality);
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? frames->equality->body1 : frames->equality->body2;
        const double signed_force = (side == 0 ? -force : force) / length;
        const utVec3 f = ut_vec3_scale(x->linear, signed_force);
        const utVec3 arm = ut_vec3_sub(x->point2, judge->kin_start.com[body]);
        const utVec3 torque = ut_vec3_add_scaled(ut_vec3_cross(arm, f), signed_force, x->angular);
        judge->motion.body_force[body] =
            ut_force_add(judge->motion.body_force[body], ut_force(f, torque));
    }
}

// Does an actuator on an equality act as a force? @param pull receives the force, N m or N
static bool acts_as_force(const Judge* judge, int a, EqualityFrames* frames, EqualityRow* x,
                          double* pull)
{
    const utModel* model = judge->model;
    const utModelActuator* actuator = &model->actuator[a];
    const ActuatorCheck* check = &judge->actuator[a];
    if (actuator->equality < 0 || !model->equality[actuator->equality].active ||
        ut_certify_is_implicit(judge, a)) {
        return false;
    }
    *frames = ut_certify_equality_frames(judge, &judge->kin_start, actuator->equality);
    *x = (EqualityRow){.point1 = frames->one.p, .point2 = frames->two.p};
    (void)ut_certify_equality_axis(frames, 0, x);
    double force = check->c - check->K * check->length - check->D * check->rate;
    if (actuator->force_limited) {
        force = fmin(fmax(force, actuator->force_range[0]), actuator->force_range[1]);
    }
    *pull = actuator->gear[0] * force;
    return true;
}

static double mean_velocity(const Judge* judge, const EqualityFrames* frames, const EqualityRow* x)
{
    return 0.5 * (ut_certify_equality_velocity(judge, frames, x, judge->v) +
                  ut_certify_equality_velocity(judge, frames, x, judge->v_next));
}

void ut_certify_equality_forces(Judge* judge)
{
    const utModel* model = judge->model;
    const bool explicit_forces = judge->traits.explicit_forces;
    for (int i = 0; explicit_forces && i < model->nequality; i++) {
        const EqualityFrames frames = ut_certify_equality_frames(judge, &judge->kin_start, i);
        const utModelEquality* e = frames.equality;
        for (int k = 0; e->active && k < free_coordinates(e->kind); k++) {
            EqualityRow x = {.point1 = frames.one.p, .point2 = frames.two.p};
            const double rest = e->kind == UT_EQUALITY_BALL ? 0.0 : e->springref;
            const double stretch = ut_certify_equality_axis(&frames, k, &x) - rest;
            const double rate =
                ut_certify_equality_velocity(judge, &frames, &x, judge->v) / length_of(e);
            add_coordinate_force(judge, &frames, &x, -e->stiffness * stretch - e->damping * rate);
        }
    }
    for (int a = 0; a < model->nactuator; a++) {
        EqualityFrames frames;
        EqualityRow x;
        double pull;
        if (acts_as_force(judge, a, &frames, &x, &pull)) {
            add_coordinate_force(judge, &frames, &x, pull);
        }
    }
}

double ut_certify_equality_work(const Judge* judge)
{
    const utStepReport* report = judge->report;
    double work = 0.0;
    for (int a = 0; a < judge->model->nactuator; a++) {
        EqualityFrames frames;
        EqualityRow x;
        double pull;
        if (acts_as_force(judge, a, &frames, &x, &pull)) {
            work +=
                report->h * pull / length_of(frames.equality) * mean_velocity(judge, &frames, &x);
        }
    }
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        const EqualityRow x = row->kind == UT_ROW_ACTUATOR && ut_row_has_bodies(row)
                                  ? ut_certify_expected_row(judge, row)
                                  : (EqualityRow){.exists = false};
        if (x.exists) {
            const EqualityFrames frames =
                ut_certify_equality_frames(judge, &judge->kin_start, row->equality);
            work += row->r * mean_velocity(judge, &frames, &x);
        }
    }
    return work;
}
