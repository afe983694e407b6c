// SPDX-License-Identifier: Apache-2.0
// The damping of an actuator with a damping ratio, from the inertia that it feels in the modelled pose.
#include "model/internal.h"
#include "model/tendon_path.h"

// ---- moments ------------------------------------------------------------------------------------

bool ut_model_moves(const Work* work, int dof, int body)
{
    int k = work->array.body[body].last_dof;
    while (k > dof) {
        k = work->array.dof_parent[k];
    }
    return k == dof;
}

// Motion of a body's point for a unit of a velocity.
static utMotion motion_of(const Work* work, int dof, int body, utVec3 point)
{
    return ut_model_moves(work, dof, body) ? ut_model_unit_motion(work, dof, point)
                                           : ut_motion(ut_vec3_zero(), ut_vec3_zero());
}

static utFrame site_frame(const Work* work, int site)
{
    const utModelSite* s = &work->array.site[site];
    return ut_frame_mul(work->scratch.in_world[s->body], s->in_body);
}

static utMotion site_motion(const Work* work, int dof, int site)
{
    return motion_of(work, dof, work->array.site[site].body, site_frame(work, site).p);
}

// Does a velocity move both sites?
static bool moves_both(const Work* work, int dof, int one, int two)
{
    return two >= 0 && ut_model_moves(work, dof, work->array.site[one].body) &&
           ut_model_moves(work, dof, work->array.site[two].body);
}

static double site_moment(const Work* work, const utModelActuator* a, int dof)
{
    const utMat3 R = site_frame(work, a->ref_site >= 0 ? a->ref_site : a->site).R;
    const utVec3 force = ut_mat3_mul_vec(R, ut_vec3(a->gear[0], a->gear[1], a->gear[2]));
    const utVec3 torque = ut_mat3_mul_vec(R, ut_vec3(a->gear[3], a->gear[4], a->gear[5]));
    utMotion x = site_motion(work, dof, a->site);
    if (a->ref_site >= 0) {
        const utMotion y = site_motion(work, dof, a->ref_site);
        x.linear = ut_vec3_sub(x.linear, y.linear);
        x.angular = ut_vec3_sub(x.angular, y.angular);
    }
    return moves_both(work, dof, a->site, a->ref_site)
               ? 0.0
               : ut_vec3_dot(force, x.linear) + ut_vec3_dot(torque, x.angular);
}

// From the rod k = x - n l of constant length, with x from the slider to the crank and the slider's axis
// n: l' = k.(x' - l n') / k.n; a rod that is too short has l = n.x.
static double crank_moment(const Work* work, const utModelActuator* a, int dof)
{
    const utFrame slider = site_frame(work, a->slider_site);
    const utVec3 n = ut_mat3_column(slider.R, 2);
    const utVec3 x = ut_vec3_sub(site_frame(work, a->crank_site).p, slider.p);
    const utMotion one = site_motion(work, dof, a->crank_site);
    const utMotion two = site_motion(work, dof, a->slider_site);
    const utVec3 x_rate = ut_vec3_sub(one.linear, two.linear);
    const utVec3 n_rate = ut_vec3_cross(two.angular, n);
    const double along = ut_vec3_dot(n, x);
    const double square = along * along + a->crank_length * a->crank_length - ut_vec3_dot(x, x);
    if (moves_both(work, dof, a->crank_site, a->slider_site)) {
        return 0.0;
    }
    if (!(square > 0.0)) {
        return a->gear[0] * (ut_vec3_dot(n, x_rate) + ut_vec3_dot(n_rate, x));
    }
    const double l = along - sqrt(square);
    const utVec3 rod = ut_vec3_add_scaled(x, -l, n);
    const utVec3 rate = ut_vec3_add_scaled(x_rate, -l, n_rate);
    return a->gear[0] * ut_vec3_dot(rod, rate) / ut_vec3_dot(rod, n);
}

static double path_moment(const Work* work, const utModelTendon* tendon, int dof)
{
    double sum = 0.0;
    TendonWalk walk = {.divisor = 1.0};
    TendonPiece piece;
    while (ut_tendon_next_piece(work->model, tendon, work->scratch.in_world, &walk, &piece)) {
        for (int k = 0; k < piece.segments; k++) {
            const TendonSegment* s = &piece.segment[k];
            const utVec3 from = motion_of(work, dof, s->body[0], s->point[0]).linear;
            const utVec3 to = motion_of(work, dof, s->body[1], s->point[1]).linear;
            utVec3 along;
            if (ut_vec3_normalize(ut_vec3_sub(s->point[1], s->point[0]), &along) &&
                s->body[0] != s->body[1]) {
                sum += ut_vec3_dot(along, ut_vec3_sub(to, from)) / piece.divisor;
            }
        }
    }
    return sum;
}

static double tendon_moment(const Work* work, const utModelTendon* tendon, int dof)
{
    double sum = 0.0;
    if (tendon->kind == UT_TENDON_SPATIAL) {
        return path_moment(work, tendon, dof);
    }
    for (int k = 0; k < tendon->wraps; k++) {
        const bool here = work->array.dof_joint[dof] == tendon->wrap[k].object;
        sum += here ? tendon->wrap[k].value : 0.0;
    }
    return sum;
}

// A free joint turns its body's torques from the parent's frame into its own in the modelled pose.
static double joint_moment(const Work* work, const utModelActuator* a, int dof)
{
    const utModelJoint* joint = &work->array.joint[a->joint];
    const int k = dof - joint->v;
    if (!a->in_parent || joint->kind != UT_JOINT_FREE || k < 3) {
        return a->gear[k];
    }
    const utMat3 R = work->scratch.in_world[joint->body].R;
    return ut_vec3_dot(ut_mat3_column(R, k - 3), ut_vec3(a->gear[3], a->gear[4], a->gear[5]));
}

// The derivative of an actuator's length by a velocity, as ut_actuator_length has it.
static double moment_of(const Work* work, const utModelActuator* a, int dof)
{
    if (a->site >= 0) {
        return site_moment(work, a, dof);
    }
    if (a->crank_site >= 0) {
        return crank_moment(work, a, dof);
    }
    if (a->tendon >= 0) {
        return a->gear[0] * tendon_moment(work, &work->array.tendon[a->tendon], dof);
    }
    return work->array.dof_joint[dof] == a->joint ? joint_moment(work, a, dof) : 0.0;
}

// ---- inertia ------------------------------------------------------------------------------------

// The diagonal entry of the mass matrix. MuJoCo does not count the armature of tendons.
static double inertia_of(const Work* work, int dof)
{
    const int first = work->array.dof_body[dof];
    double sum = work->array.dof_armature[dof];
    for (int b = first; b < work->scratch.subtree_end[first]; b++) {
        const utModelBody* body = &work->array.body[b];
        const utFrame at = work->scratch.in_world[b];
        const utMotion x = ut_model_unit_motion(work, dof, ut_frame_point(at, body->com));
        const utVec3 w = ut_mat3_tmul_vec(at.R, x.angular);
        sum += body->mass * ut_vec3_dot(x.linear, x.linear) +
               ut_vec3_dot(w, ut_mat3_mul_vec(body->inertia, w));
    }
    return sum;
}

double ut_model_damping_of_ratio(const Work* work, const utModelActuator* a, double kp,
                                 double ratio)
{
    double mass = 0.0;
    for (int i = 0; i < work->model->nv; i++) {
        const double moment = moment_of(work, a, i);
        const double square = moment * moment;
        mass += square > 1e-15 ? inertia_of(work, i) / square : 0.0; // MuJoCo's smallest square
    }
    return 2.0 * ratio * sqrt(fabs(kp) * mass);
}
