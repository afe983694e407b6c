// SPDX-License-Identifier: Apache-2.0
// A single free body. With u the velocity of its centre of mass (world) and w the angular velocity
// (in the body's frame), translation and rotation decouple:
//
//     m u' = force,    I w' + w x I w = torque
//
// The velocity of the frame's origin is v = u - R (w x c), R body to world. In a planar world the
// same holds with a scalar w about the plane's normal and without the gyroscopic term.
#include "internal.h"

// Newton's method for the mean angular velocity. Its error squares with each correction, so that a
// relative correction of SPIN_CORRECTION leaves rounding errors only.
enum { MAX_NEWTON_STEPS = 30 };
static const double SPIN_CORRECTION = 1e-11;

// continuation in h, for bodies that turn by several radians per step
enum { MAX_CONTINUATION_STEPS = 1000 };
static const double MIN_CONTINUATION_STEP = 1e-6; // fraction of h

utFreeBody ut_dyn_free_body(const utKinematics* kin, const double* tau, utVec3 gravity,
                            const utForce* applied, int tree)
{
    const utModel* model = kin->model;
    const int b = model->tree[tree].body, dof = model->tree[tree].dof;
    const utModelBody* body = model->body + b;
    const utQuat quat = kin->quat[b];
    utFreeBody free = {
        .mass = body->mass,
        .com = body->com,
        .inertia = body->inertia,
        .quat = quat,
        .u = ut_point_velocity(kin, b, kin->com[b]),
        .w = ut_quat_rotate_inverse(quat, kin->velocity[b].angular),
        .force = ut_vec3_scale(ut_dyn_body_gravity(body, gravity), body->mass),
        .torque = ut_vec3_zero(),
    };
    if (applied != NULL) {
        free.force = ut_vec3_add(free.force, applied[b].force);
        free.torque = ut_quat_rotate_inverse(quat, applied[b].torque);
    }
    if (tau != NULL) {
        // tau is a force at the frame's origin and a torque
        const utVec3 force = ut_dyn_vec3(tau + dof);
        const utVec3 moment = ut_vec3_cross(ut_quat_rotate_inverse(quat, force), body->com);
        free.force = ut_vec3_add(free.force, force);
        free.torque = ut_vec3_add(free.torque, ut_vec3_add(ut_dyn_vec3(tau + dof + 3), moment));
    }
    return free;
}

bool ut_dyn_has_plain_inertia(const utModel* model, const double* added_diagonal, int tree)
{
    const utModelTree* t = model->tree + tree;
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        if (model->dof_armature[i] != 0.0 || (added_diagonal != NULL && added_diagonal[i] != 0.0)) {
            return false;
        }
    }
    return true;
}

// ---- spin ---------------------------------------------------------------------------------------

// x = A^-1 b by Cramer's rule. @return false when A is singular
static bool solve3(utMat3 A, utVec3 b, utVec3* x)
{
    const utVec3 a0 = ut_mat3_column(A, 0), a1 = ut_mat3_column(A, 1), a2 = ut_mat3_column(A, 2);
    const utVec3 c12 = ut_vec3_cross(a1, a2);
    const double determinant = ut_vec3_dot(a0, c12);
    if (!(fabs(determinant) > 0.0 && fabs(determinant) <= DBL_MAX)) {
        return false;
    }
    *x = ut_vec3_scale(ut_vec3(ut_vec3_dot(b, c12), ut_vec3_dot(b, ut_vec3_cross(a2, a0)),
                               ut_vec3_dot(b, ut_vec3_cross(a0, a1))),
                       1.0 / determinant);
    return true;
}

bool ut_dyn_free_invert(const utModelBody* body, utMat3* inverse)
{
    *inverse = (utMat3){0};
    return body->mass > 0.0 && ut_mat3_determinant(body->inertia) > 0.0 &&
           ut_mat3_inverse_symmetric(body->inertia, inverse);
}

void ut_dyn_free_accelerate(const utFreeBody* body, utMat3 inverse, double* a)
{
    const utVec3 w = body->w;
    const utVec3 gyroscopic = ut_vec3_cross(w, ut_mat3_mul_vec(body->inertia, w));
    const utVec3 turn = ut_mat3_mul_vec(inverse, ut_vec3_sub(body->torque, gyroscopic));
    // R (w x c) changes by R (w' x c + w x (w x c))
    const utVec3 origin_rate =
        ut_vec3_add(ut_vec3_cross(turn, body->com), ut_vec3_cross(w, ut_vec3_cross(w, body->com)));
    const utVec3 linear = ut_vec3_scale(body->force, 1.0 / body->mass);
    ut_dyn_store(ut_vec3_sub(linear, ut_quat_rotate(body->quat, origin_rate)), a);
    ut_dyn_store(turn, a + 3);
}

// I w' = torque + R'F x c and m v' = F - m R (w' x c): tau is a force F at the frame's origin and a
// torque. The terms with c vanish where the frame is at the centre of mass.
void ut_dyn_free_respond(const utModelBody* body, utQuat quat, const utMat3* inverse,
                         const double* tau, double* a)
{
    const utVec3 com = body->com;
    const bool at_com = com.x == 0.0 && com.y == 0.0 && com.z == 0.0;
    const utVec3 force = ut_dyn_vec3(tau);
    utVec3 torque = ut_dyn_vec3(tau + 3);
    utVec3 linear = ut_vec3_scale(force, 1.0 / body->mass);
    if (!at_com) {
        torque = ut_vec3_add(torque, ut_vec3_cross(ut_quat_rotate_inverse(quat, force), com));
    }
    const utVec3 turn = ut_mat3_mul_vec(*inverse, torque);
    if (!at_com) {
        linear = ut_vec3_sub(linear, ut_quat_rotate(quat, ut_vec3_cross(turn, com)));
    }
    ut_dyn_store(linear, a);
    ut_dyn_store(turn, a + 3);
}

// Newton's method for y = w_mean: 2 I (y - w) + h (y x I y - torque) = 0
static bool find_mean(const utFreeBody* body, double h, utVec3* mean)
{
    const utMat3 I = body->inertia;
    utVec3 y = *mean;
    for (int i = 0; i < MAX_NEWTON_STEPS; i++) {
        const utVec3 spin = ut_mat3_mul_vec(I, y);
        const utVec3 inertial = ut_mat3_mul_vec(I, ut_vec3_scale(ut_vec3_sub(y, body->w), 2.0));
        const utVec3 residual =
            ut_vec3_add_scaled(inertial, h, ut_vec3_sub(ut_vec3_cross(y, spin), body->torque));
        const utMat3 turning = ut_mat3_sub(ut_mat3_mul(ut_mat3_skew(y), I), ut_mat3_skew(spin));
        utVec3 dy;
        if (!solve3(ut_mat3_add(ut_mat3_scale(I, 2.0), ut_mat3_scale(turning, h)), residual, &dy)) {
            return false;
        }
        y = ut_vec3_sub(y, dy);
        if (ut_vec3_norm(dy) <= SPIN_CORRECTION * ut_vec3_norm(y)) {
            *mean = y;
            return true;
        }
    }
    return false;
}

// Continuation from h = 0 up to the step's length, in increments for which Newton's method
// converges.
static bool continue_mean(const utFreeBody* body, double h, utVec3* mean)
{
    double at = 0.0, step = 0.25;
    for (int i = 0; i < MAX_CONTINUATION_STEPS && at < 1.0 && step > MIN_CONTINUATION_STEP; i++) {
        const double next = at + step < 1.0 ? at + step : 1.0;
        const bool found = find_mean(body, next * h, mean);
        at = found ? next : at;
        step *= found ? 2.0 : 0.5;
    }
    return at == 1.0;
}

bool ut_dyn_free_spin(const utFreeBody* body, double h, utVec3* w_next)
{
    utVec3 y = body->w;
    bool found = find_mean(body, h, &y);
    if (!found) {
        y = body->w;
        found = continue_mean(body, h, &y);
    }
    if (found) {
        *w_next = ut_vec3_sub(ut_vec3_scale(y, 2.0), body->w);
    }
    return found;
}

// ---- frames that are not at the centre of mass
// ---------------------------------------------------

void ut_dyn_centripetal(const utKinematics* kin, const double* v, double* a)
{
    const utModel* model = kin->model;
    for (int i = 0; i < model->nv; i++) {
        a[i] = 0.0;
    }
    for (int t = 0; t < model->ntree; t++) {
        const int b = model->tree[t].body;
        const utModelJoint* joint = model->joint + model->body[b].joint;
        if (ut_dyn_skips(kin, t, NULL)) {
            continue;
        }
        const utVec3 arm = ut_mat3_mul_vec(kin->body[b].R, model->body[b].com);
        if (joint->kind == UT_JOINT_FREE) {
            const utVec3 w = ut_quat_rotate(kin->quat[b], ut_dyn_vec3(v + joint->v + 3));
            ut_dyn_store(ut_vec3_cross(w, ut_vec3_cross(w, arm)), a + joint->v);
        } else if (joint->kind == UT_JOINT_PLANAR) {
            const utPlane plane = ut_plane(model->options.planar);
            const utVec2 flat = ut_plane_in(&plane, arm);
            const double w = v[joint->v + 2];
            a[joint->v] = -w * w * flat.x;
            a[joint->v + 1] = -w * w * flat.y;
        }
    }
}

// ---- a planar body ------------------------------------------------------------------------------

// With s from the frame's origin to the centre of mass, u = v + w N × s and v+ = u+ - w+ N × s.
bool ut_dyn_planar_step(const utKinematics* kin, const double* tau, utVec3 gravity,
                        const utForce* applied, double h, int tree, const double* v, double* v_next)
{
    const utModel* model = kin->model;
    const utPlane plane = ut_plane(model->options.planar);
    const int b = model->tree[tree].body, dof = model->tree[tree].dof;
    const double mass = model->body[b].mass;
    const double moment =
        ut_vec3_dot(plane.normal, ut_mat3_mul_vec(model->body[b].inertia, plane.normal));
    const utVec2 s = ut_plane_in(&plane, ut_vec3_sub(kin->com[b], kin->body[b].p));
    const utVec3 g = ut_dyn_body_gravity(&model->body[b], gravity);
    const utVec2 weight = ut_plane_in(&plane, ut_vec3_scale(g, mass));
    double fx = weight.x, fy = weight.y, torque = 0.0;
    if (applied != NULL) {
        const utVec2 force = ut_plane_in(&plane, applied[b].force);
        fx += force.x;
        fy += force.y;
        torque += ut_vec3_dot(plane.normal, applied[b].torque);
    }
    if (tau != NULL) {
        // tau is a force at the frame's origin and a torque
        fx += tau[dof];
        fy += tau[dof + 1];
        torque += tau[dof + 2] - (s.x * tau[dof + 1] - s.y * tau[dof]);
    }
    const double w = v[2] + h / moment * torque;
    const double ux = v[0] - v[2] * s.y + h / mass * fx;
    const double uy = v[1] + v[2] * s.x + h / mass * fy;
    v_next[0] = ux + w * s.y;
    v_next[1] = uy - w * s.x;
    v_next[2] = w;
    return mass > 0.0 && moment > 0.0;
}
