// SPDX-License-Identifier: Apache-2.0
// Forward dynamics by articulated bodies (Featherstone, Int. J. Robotics Research 2, 1983).
//
// Accelerations are split as A = bias + A', A' = J a, so that the recursion needs no rates of axes:
// the wrench that a body requires for its bias alone is its part of c. With the wrench f = IA A' +
// p on an articulated body, each velocity with axis S, diagonal d and force tau is eliminated in
// turn, the last velocity of a body first:
//
//     U = IA S,  D = S.U + d,  e = tau - S.p,  IA -= U U'/D,  p += U e/D
//
// and outward a = (e - U.A')/D, A' += S a. Quantities of a body are taken about the origin of its
// own frame, with the world's axes. About the root of the tree, the inertia of a distant link would
// be lost in the rounding of mass times distance squared.
#include <string.h>

#include "internal.h"

// Symmetric: (force, torque) = (M H; H' I) (linear, angular).
typedef struct ArticulatedInertia {
    utMat3 M, H, I;
} ArticulatedInertia;

// One eliminated velocity.
typedef struct Pivot {
    utMotion axis; // S
    utForce U;
    double inverse; // 1 / D
    double e;
} Pivot;

struct utArticulatedFactor {
    ArticulatedInertia* inertia; // nbody
    utForce* force;              // nbody: p
    utMotion* response;          // nbody: A'
    Pivot* pivot;                // nv
};

utArticulatedFactor* ut_dyn_forward_create(const utModel* model, utArena* arena)
{
    utArticulatedFactor* work = UT_PUSH(arena, utArticulatedFactor, 1);
    if (ut_arena_failed(arena)) {
        return NULL;
    }
    *work = (utArticulatedFactor){
        .inertia = UT_PUSH(arena, ArticulatedInertia, model->nbody),
        .force = UT_PUSH(arena, utForce, model->nbody),
        .response = UT_PUSH(arena, utMotion, model->nbody),
        .pivot = UT_PUSH(arena, Pivot, model->nv),
    };
    return ut_arena_failed(arena) ? NULL : work;
}

// ---- articulated inertias -----------------------------------------------------------------------

// A rigid body whose centre of mass is at r.
static ArticulatedInertia rigid(double mass, utVec3 r, utMat3 about_com)
{
    return (ArticulatedInertia){
        .M = ut_mat3_diagonal(ut_vec3(mass, mass, mass)),
        .H = ut_mat3_scale(ut_mat3_skew(r), -mass),
        .I = ut_mat3_add(about_com, ut_mat3_point_inertia(mass, r)),
    };
}

static utForce times(const ArticulatedInertia* A, utMotion a)
{
    return ut_force(
        ut_vec3_add(ut_mat3_mul_vec(A->M, a.linear), ut_mat3_mul_vec(A->H, a.angular)),
        ut_vec3_add(ut_mat3_tmul_vec(A->H, a.linear), ut_mat3_mul_vec(A->I, a.angular)));
}

// A - U U' s
static void reduce(ArticulatedInertia* A, utForce U, double s)
{
    const utForce scaled = ut_force_scale(U, s);
    A->M = ut_mat3_sub(A->M, ut_mat3_outer(scaled.force, U.force));
    A->H = ut_mat3_sub(A->H, ut_mat3_outer(scaled.force, U.torque));
    A->I = ut_mat3_sub(A->I, ut_mat3_outer(scaled.torque, U.torque));
}

// sum += the inertia A about another point; r leads from there to the point that A is about. With
// X = [r]x:
//     H - M X,    I - H'X + X H - X M X = I + X (H - M X) - H'X
static void add_shifted(ArticulatedInertia* sum, const ArticulatedInertia* A, utVec3 r)
{
    const utMat3 X = ut_mat3_skew(r);
    const utMat3 H = ut_mat3_sub(A->H, ut_mat3_mul(A->M, X));
    const utMat3 I =
        ut_mat3_sub(ut_mat3_add(A->I, ut_mat3_mul(X, H)), ut_mat3_mul(ut_mat3_transpose(A->H), X));
    sum->M = ut_mat3_add(sum->M, A->M);
    sum->H = ut_mat3_add(sum->H, H);
    sum->I = ut_mat3_add(sum->I, I);
}

// ---- recursion ----------------------------------------------------------------------------------

static void start_body(const utKinematics* kin, utArticulatedFactor* work, int b)
{
    const utVec3 r = ut_vec3_sub(kin->com[b], kin->body[b].p);
    work->inertia[b] = rigid(kin->inertia[b].mass, r, kin->inertia[b].inertia);
    work->force[b] = ut_force(ut_vec3_zero(), ut_vec3_zero());
}

// The wrench that the body requires for its bias acceleration, less gravity and applied forces.
static void load_body(const utKinematics* kin, utVec3 gravity, const utForce* applied,
                      utArticulatedFactor* work, int b)
{
    const utVec3 r = ut_vec3_sub(kin->com[b], kin->body[b].p);
    const utForce f = ut_dyn_required_wrench(kin, b, kin->bias[b], gravity, applied);
    work->force[b] = ut_dyn_shift_force(f, r);
}

static bool eliminate(utArticulatedFactor* work, int b, int k, utMotion axis, double tau,
                      double diagonal)
{
    const utForce U = times(&work->inertia[b], axis);
    const double D = ut_force_power(U, axis) + diagonal;
    const double inverse = 1.0 / D;
    const double e = tau - ut_force_power(work->force[b], axis);
    reduce(&work->inertia[b], U, inverse);
    work->force[b] = ut_force_add(work->force[b], ut_force_scale(U, e * inverse));
    work->pivot[k] = (Pivot){axis, U, inverse, e};
    return D > 0.0;
}

// Eliminate the velocities of a body and add its articulated inertia to its parent.
static bool eliminate_body(const utKinematics* kin, const double* tau, const double* added_diagonal,
                           utArticulatedFactor* work, int b)
{
    const utModel* model = kin->model;
    const utModelBody* body = model->body + b;
    const utVec3 r_body = ut_vec3_sub(kin->body[b].p, ut_dyn_origin(kin, b));
    bool definite = true;
    for (int k = body->dof + body->dofs - 1; k >= body->dof; k--) {
        const double diagonal =
            model->dof_armature[k] + (added_diagonal != NULL ? added_diagonal[k] : 0.0);
        const double force = tau != NULL ? tau[k] : 0.0;
        definite =
            eliminate(work, b, k, ut_dyn_shift(kin->axis[k], r_body), force, diagonal) && definite;
    }
    if (ut_dyn_parent_in_tree(model, b)) {
        const int parent = body->parent;
        const utVec3 r = ut_vec3_sub(kin->body[b].p, kin->body[parent].p);
        add_shifted(&work->inertia[parent], &work->inertia[b], r);
        work->force[parent] =
            ut_force_add(work->force[parent], ut_dyn_shift_force(work->force[b], r));
    }
    return definite;
}

// The accelerations of a body's velocities, once its parent's are known.
static void accelerate_body(const utKinematics* kin, utArticulatedFactor* work, int b, double* a)
{
    const utModelBody* body = kin->model->body + b;
    utMotion A = {0};
    if (ut_dyn_parent_in_tree(kin->model, b)) {
        const utVec3 r = ut_vec3_sub(kin->body[b].p, kin->body[body->parent].p);
        A = ut_dyn_shift(work->response[body->parent], r);
    }
    for (int k = body->dof; k < body->dof + body->dofs; k++) {
        const Pivot* pivot = work->pivot + k;
        a[k] = (pivot->e - ut_force_power(pivot->U, A)) * pivot->inverse;
        A = ut_motion_add(A, ut_motion_scale(pivot->axis, a[k]));
    }
    work->response[b] = A;
}

// Solve for the accelerations of a tree whose bodies have been started.
static bool solve_tree(const utKinematics* kin, const double* tau, const double* added_diagonal,
                       utArticulatedFactor* work, const utModelTree* t, double* a)
{
    bool definite = true;
    for (int b = t->body + t->bodies - 1; b >= t->body; b--) {
        definite = eliminate_body(kin, tau, added_diagonal, work, b) && definite;
    }
    for (int b = t->body; b < t->body + t->bodies; b++) {
        accelerate_body(kin, work, b, a);
    }
    return definite;
}

bool ut_dyn_forward_tree(const utKinematics* kin, const double* tau, const double* added_diagonal,
                         utVec3 gravity, const utForce* applied, utArticulatedFactor* work,
                         double* a, int tree)
{
    const utModelTree* t = kin->model->tree + tree;
    if (t->free && ut_dyn_has_plain_inertia(kin->model, added_diagonal, tree)) {
        const utFreeBody body = ut_dyn_free_body(kin, tau, gravity, applied, tree);
        return ut_dyn_free_accelerate(&body, a + t->dof);
    }
    for (int b = t->body; b < t->body + t->bodies; b++) {
        start_body(kin, work, b);
        load_body(kin, gravity, applied, work, b);
    }
    return solve_tree(kin, tau, added_diagonal, work, t, a);
}

// The response of one tree to impulses.
static bool respond_tree(const utKinematics* kin, const double* tau, const double* added_diagonal,
                         utArticulatedFactor* work, int tree, double* a)
{
    const utModelTree* t = kin->model->tree + tree;
    if (t->free && ut_dyn_has_plain_inertia(kin->model, added_diagonal, tree)) {
        utFreeBody body = ut_dyn_free_body(kin, tau, ut_vec3_zero(), NULL, tree);
        body.u = ut_vec3_zero();
        body.w = ut_vec3_zero();
        return ut_dyn_free_accelerate(&body, a + t->dof);
    }
    for (int b = t->body; b < t->body + t->bodies; b++) {
        start_body(kin, work, b);
    }
    return solve_tree(kin, tau, added_diagonal, work, t, a);
}

utStatus ut_dyn_respond(const utKinematics* kin, const double* tau, const double* added_diagonal,
                        const bool* acts, utArena scratch, double* a)
{
    utArticulatedFactor* work = ut_dyn_forward_create(kin->model, &scratch);
    if (work == NULL) {
        return UT_ERR_CAPACITY;
    }
    bool definite = true;
    for (int t = 0; t < kin->model->ntree; t++) {
        const utModelTree* tree = kin->model->tree + t;
        if (acts == NULL || acts[t]) {
            definite = respond_tree(kin, tau, added_diagonal, work, t, a) && definite;
        } else {
            memset(a + tree->dof, 0, (size_t)tree->dofs * sizeof *a);
        }
    }
    return definite ? UT_OK : UT_ERR_ARGUMENT;
}

utStatus ut_dyn_forward(const utKinematics* kin, const double* tau, const double* added_diagonal,
                        utVec3 gravity, const utForce* applied, utArena scratch, double* a)
{
    utArticulatedFactor* work = ut_dyn_forward_create(kin->model, &scratch);
    if (work == NULL) {
        return UT_ERR_CAPACITY;
    }
    bool definite = true;
    for (int t = 0; t < kin->model->ntree; t++) {
        definite =
            ut_dyn_forward_tree(kin, tau, added_diagonal, gravity, applied, work, a, t) && definite;
    }
    return definite ? UT_OK : UT_ERR_ARGUMENT;
}

// ---- one factor, many right-hand sides ----------------------------------------------------------

utStatus ut_dyn_eliminate(const utKinematics* kin, const double* added_diagonal, utArena* keep,
                          utArticulatedFactor** factor)
{
    const utModel* model = kin->model;
    utArticulatedFactor* work = ut_dyn_forward_create(model, keep);
    if (work == NULL) {
        return UT_ERR_CAPACITY;
    }
    bool definite = true;
    for (int b = model->nbody - 1; b >= 0; b--) {
        start_body(kin, work, b);
    }
    for (int b = model->nbody - 1; b >= 0; b--) {
        definite = model->body[b].tree < 0 ||
                   (eliminate_body(kin, NULL, added_diagonal, work, b) && definite);
    }
    *factor = work;
    return definite ? UT_OK : UT_ERR_ARGUMENT;
}

// Add the terms of a body's velocities to the sum and transmit the remaining wrench to its parent.
// @return the parent; -1 at the root
static int transmit_to_parent(const utKinematics* kin, const double* tau,
                              utArticulatedFactor* factor, int b, double* sum)
{
    const utModelBody* body = kin->model->body + b;
    for (int k = body->dof + body->dofs - 1; k >= body->dof; k--) {
        const Pivot* pivot = factor->pivot + k;
        const double e = tau[k] - ut_force_power(factor->force[b], pivot->axis);
        *sum += e * e * pivot->inverse;
        factor->force[b] =
            ut_force_add(factor->force[b], ut_force_scale(pivot->U, e * pivot->inverse));
    }
    const utForce transmitted = factor->force[b];
    factor->force[b] = ut_force(ut_vec3_zero(), ut_vec3_zero());
    if (!ut_dyn_parent_in_tree(kin->model, b)) {
        return -1;
    }
    const int parent = body->parent;
    const utVec3 r = ut_vec3_sub(kin->body[b].p, kin->body[parent].p);
    factor->force[parent] = ut_force_add(factor->force[parent], ut_dyn_shift_force(transmitted, r));
    return parent;
}

double ut_dyn_mobility(const utKinematics* kin, utArticulatedFactor* factor, const double* tau,
                       const int body[2])
{
    double sum = 0.0;
    int one = body[0], two = body[1];
    while (one >= 0 || two >= 0) {
        const int b = one > two ? one : two; // children have larger indices than their parents
        const int parent = transmit_to_parent(kin, tau, factor, b, &sum);
        one = one == b ? parent : one;
        two = two == b ? parent : two;
    }
    return sum;
}
