// SPDX-License-Identifier: Apache-2.0
// Two solves with the factor of a tree in one pass (forward_dynamics.c has the equations). The certificate needs both
// in every step: v*, and the error of v* that its residual means. Each number of the factor is loaded once for two.
#include <assert.h>

#include "articulated.h"

// f.v + n.w, summed as ut_force_power does
static inline Pair power_on(const TwoForces* p, utMotion S)
{
    return (p->fx * twice(S.linear.x) + p->fy * twice(S.linear.y) + p->fz * twice(S.linear.z)) +
           (p->nx * twice(S.angular.x) + p->ny * twice(S.angular.y) + p->nz * twice(S.angular.z));
}

static inline Pair power_of(utForce U, const TwoMotions* A)
{
    return (twice(U.force.x) * A->vx + twice(U.force.y) * A->vy + twice(U.force.z) * A->vz) +
           (twice(U.torque.x) * A->wx + twice(U.torque.y) * A->wy + twice(U.torque.z) * A->wz);
}

// The wrenches that a body passes to its parent: about the parent's origin, at -r.
static inline void add_shifted(TwoForces* sum, const TwoForces* p, utVec3 r)
{
    const Pair x = twice(r.x), y = twice(r.y), z = twice(r.z);
    sum->fx += p->fx;
    sum->fy += p->fy;
    sum->fz += p->fz;
    sum->nx += p->nx + (y * p->fz - z * p->fy);
    sum->ny += p->ny + (z * p->fx - x * p->fz);
    sum->nz += p->nz + (x * p->fy - y * p->fx);
}

static inline void transmit(const utModelBody* body, const double* tau, const double* x,
                            utArticulatedFactor* factor, int b, int parent)
{
    TwoForces p = factor->link[b].two_forces;
    for (int k = body->dof + body->dofs - 1; k >= body->dof; k--) {
        const Pivot* pivot = factor->pivot + k;
        const Pair e = (Pair){tau[k], x[k]} - power_on(&p, pivot->axis);
        const Pair s = e * twice(pivot->inverse);
        const utForce U = pivot->U;
        factor->pivot[k].two_e = e;
        p.fx += twice(U.force.x) * s;
        p.fy += twice(U.force.y) * s;
        p.fz += twice(U.force.z) * s;
        p.nx += twice(U.torque.x) * s;
        p.ny += twice(U.torque.y) * s;
        p.nz += twice(U.torque.z) * s;
    }
    if (parent >= 0) {
        add_shifted(&factor->link[parent].two_forces, &p, factor->link[b].arm);
    }
}

// The responses of a point of the parent at r from its origin.
static inline TwoMotions shifted(const TwoMotions* A, utVec3 r)
{
    const Pair x = twice(r.x), y = twice(r.y), z = twice(r.z);
    TwoMotions moved = *A;
    moved.vx += A->wy * z - A->wz * y;
    moved.vy += A->wz * x - A->wx * z;
    moved.vz += A->wx * y - A->wy * x;
    return moved;
}

static inline void accelerate(const utModelBody* body, utArticulatedFactor* factor, int b,
                              int parent, double* a, double* response)
{
    TwoMotions A = {0};
    if (parent >= 0) {
        A = shifted(&factor->link[parent].two_responses, factor->link[b].arm);
    }
    for (int k = body->dof; k < body->dof + body->dofs; k++) {
        const Pivot* pivot = factor->pivot + k;
        const utMotion S = pivot->axis;
        const Pair both = (factor->pivot[k].two_e - power_of(pivot->U, &A)) * twice(pivot->inverse);
        a[k] = both[0];
        response[k] = both[1];
        A.vx += twice(S.linear.x) * both;
        A.vy += twice(S.linear.y) * both;
        A.vz += twice(S.linear.z) * both;
        A.wx += twice(S.angular.x) * both;
        A.wy += twice(S.angular.y) * both;
        A.wz += twice(S.angular.z) * both;
    }
    factor->link[b].two_responses = A;
}

void ut_dyn_factor_solve_two(const utKinematics* kin, utArticulatedFactor* factor,
                             const double* tau, const utForce* required, const double* x, double* a,
                             double* response, int tree)
{
    const utModelTree* t = kin->model->tree + tree;
    const utModelBody* body = kin->model->body;
    assert(!factor->plain[tree]);
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utVec3 r = ut_vec3_sub(kin->com[b], kin->body[b].p);
        const utForce f = ut_dyn_shift_force(required[b], r);
        factor->link[b].two_forces = (TwoForces){.fx = {f.force.x},
                                                 .fy = {f.force.y},
                                                 .fz = {f.force.z},
                                                 .nx = {f.torque.x},
                                                 .ny = {f.torque.y},
                                                 .nz = {f.torque.z}};
    }
    for (int b = t->body + t->bodies - 1; b > t->body; b--) {
        transmit(&body[b], tau, x, factor, b, body[b].parent);
    }
    transmit(&body[t->body], tau, x, factor, t->body, -1);
    accelerate(&body[t->body], factor, t->body, -1, a, response);
    for (int b = t->body + 1; b < t->body + t->bodies; b++) {
        accelerate(&body[b], factor, b, body[b].parent, a, response);
    }
}
