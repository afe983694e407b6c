// SPDX-License-Identifier: Apache-2.0
// Mocap bodies that follow a function of time (ut:motion): do their poses and
// velocities agree with it?
#include "certificate/internal.h"

static utQuat load_quat(const double* q)
{
    return ut_quat(q[0], q[1], q[2], q[3]);
}

// q and -q are the same rotation.
static bool same_rotation(utQuat a, utQuat b)
{
    const double dot = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    return fabs(dot - 1.0) <= SAME_VALUE;
}

// Does a function of time give this pose at this time? @param twist receives its velocity
static bool gives_pose(const Judge* judge, int motion, double time, const double* pos,
                       const double* quat, utMotion* twist)
{
    utVec3 p;
    utQuat q;
    ut_model_motion(judge->model, motion, time, &p, &q, twist);
    return same_point(p, load3(pos)) && same_rotation(q, load_quat(quat));
}

// Does the velocity t lead from the first pose of the step to the last?
static bool is_secant(const utStepReport* report, size_t m, const utMotion* t)
{
    const utVec3 to = ut_vec3_add_scaled(load3(report->mocap_pos + 3 * m), report->h, t->linear);
    const utVec3 turn = ut_vec3_scale(t->angular, report->h);
    const double angle = ut_vec3_norm(turn);
    utQuat turned = load_quat(report->mocap_quat + 4 * m);
    if (angle > 0.0) {
        const utVec3 axis = ut_vec3_scale(turn, 1.0 / angle);
        turned = ut_quat_mul(ut_quat_from_axis_angle(axis, angle), turned);
    }
    return same_point(to, load3(report->mocap_pos_next + 3 * m)) &&
           same_rotation(turned, load_quat(report->mocap_quat_next + 4 * m));
}

// The velocity of a mocap body in an instant is that of its function, or its mean over the step.
static bool is_instant_velocity(const Judge* judge, size_t m, const utMotion* rate)
{
    const utMotion* t = &judge->report->mocap_velocity[m];
    const utStepReport* step = judge->step;
    const bool has_poses = step != NULL && step->mocap_pos != NULL && step->mocap_quat != NULL &&
                           step->mocap_pos_next != NULL && step->mocap_quat_next != NULL;
    return (same_point(rate->linear, t->linear) && same_point(rate->angular, t->angular)) ||
           (has_poses && is_secant(step, m, t));
}

bool ut_certify_mocap(const Judge* judge)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    const bool has_poses = report->mocap_pos != NULL && report->mocap_quat != NULL &&
                           report->mocap_pos_next != NULL && report->mocap_quat_next != NULL &&
                           report->mocap_velocity != NULL;
    if (!has_poses) {
        return model->nmotion == 0;
    }
    bool good = true;
    for (int i = 0; i < model->nmotion; i++) {
        const size_t m = (size_t)model->body[model->motion[i].body].mocap;
        utMotion rate, unused;
        good = good &&
               gives_pose(judge, i, report->time, report->mocap_pos + 3 * m,
                          report->mocap_quat + 4 * m, &rate) &&
               gives_pose(judge, i, report->time + report->h, report->mocap_pos_next + 3 * m,
                          report->mocap_quat_next + 4 * m, &unused);
        const utMotion* t = &report->mocap_velocity[m];
        if (report->instant) {
            good = good && is_instant_velocity(judge, m, &rate) && is_secant(report, m, t);
        } else if (judge->traits.explicit_forces) {
            good =
                good && same_point(rate.linear, t->linear) && same_point(rate.angular, t->angular);
        } else {
            good = good && is_secant(report, m, t);
        }
    }
    return good;
}
