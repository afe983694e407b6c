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
// and outward a = (e - U.A')/D, A' += S a. U and 1/D do not depend on forces: they are the factor,
// which serves many right-hand sides. Quantities of a body are taken about the origin of its own
// frame, with the world's axes. About the root of the tree, the inertia of a distant link would be
// lost in the rounding of mass times distance squared.
//
// A tree of one free body with plain inertia has no factor, because its centre of mass and its spin
// move independently (free_body.c).
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
    double e;       // of the solve under way
} Pivot;

struct utArticulatedFactor {
    ArticulatedInertia* inertia; // nbody
    utForce* force;              // nbody: p of the solve under way
    utMotion* response;          // nbody: A' of the solve under way
    Pivot* pivot;                // nv
    bool* plain;                 // ntree: one free body with plain inertia
    utMat3* free_inverse;        // ntree: the inverse inertia of such a body, in its own frame
};

utArticulatedFactor* ut_dyn_factor_create(const utModel* model, utArena* keep)
{
    utArticulatedFactor* factor = UT_PUSH(keep, utArticulatedFactor, 1);
    if (ut_arena_failed(keep)) {
        return NULL;
    }
    *factor = (utArticulatedFactor){
        .inertia = UT_PUSH(keep, ArticulatedInertia, model->nbody),
        .force = UT_PUSH(keep, utForce, model->nbody),
        .response = UT_PUSH(keep, utMotion, model->nbody),
        .pivot = UT_PUSH(keep, Pivot, model->nv),
        .plain = UT_PUSH(keep, bool, model->ntree),
        .free_inverse = UT_PUSH(keep, utMat3, model->ntree),
    };
    return ut_arena_failed(keep) ? NULL : factor;
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

// Rows and columns are read where they lie: 27 numbers do not fit into registers, and copies of whole
// matrices would cost as much as the products.
static utVec3 row_of(const utMat3* A, int i)
{
    return ut_vec3(A->m[i][0], A->m[i][1], A->m[i][2]);
}

static utVec3 column_of(const utMat3* A, int j)
{
    return ut_vec3(A->m[0][j], A->m[1][j], A->m[2][j]);
}

static utForce times(const ArticulatedInertia* A, utMotion a)
{
    const utVec3 v = a.linear, w = a.angular;
    double f[3], n[3];
    for (int i = 0; i < 3; i++) {
        f[i] = ut_vec3_dot(row_of(&A->M, i), v) + ut_vec3_dot(row_of(&A->H, i), w);
        n[i] = ut_vec3_dot(column_of(&A->H, i), v) + ut_vec3_dot(row_of(&A->I, i), w);
    }
    return ut_force(ut_dyn_vec3(f), ut_dyn_vec3(n));
}

// A -= a b'
static void subtract_outer(utMat3* A, utVec3 a, utVec3 b)
{
    const double x[3] = {a.x, a.y, a.z};
    for (int i = 0; i < 3; i++) {
        A->m[i][0] -= x[i] * b.x;
        A->m[i][1] -= x[i] * b.y;
        A->m[i][2] -= x[i] * b.z;
    }
}

// A - U U' s
static void reduce(ArticulatedInertia* A, utForce U, double s)
{
    const utForce scaled = ut_force_scale(U, s);
    subtract_outer(&A->M, scaled.force, U.force);
    subtract_outer(&A->H, scaled.force, U.torque);
    subtract_outer(&A->I, scaled.torque, U.torque);
}

// sum += the inertia A about another point; r leads from there to the point that A is about. With
// X = [r]x:
//     H - M X,    I - H'X + X H - X M X = I + X (H - M X) - H'X
// Rows of M X are m_i x r, columns of X H are r x h_j.
static void add_shifted(ArticulatedInertia* sum, const ArticulatedInertia* A, utVec3 r)
{
    utMat3 H, XH, HX;
    for (int i = 0; i < 3; i++) {
        ut_dyn_store(ut_vec3_sub(row_of(&A->H, i), ut_vec3_cross(row_of(&A->M, i), r)), H.m[i]);
        ut_dyn_store(ut_vec3_cross(column_of(&A->H, i), r), HX.m[i]);
    }
    for (int j = 0; j < 3; j++) {
        const utVec3 product = ut_vec3_cross(r, column_of(&H, j));
        XH.m[0][j] = product.x;
        XH.m[1][j] = product.y;
        XH.m[2][j] = product.z;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            sum->M.m[i][j] += A->M.m[i][j];
            sum->H.m[i][j] += H.m[i][j];
            sum->I.m[i][j] += (A->I.m[i][j] + XH.m[i][j]) - HX.m[i][j];
        }
    }
}

// ---- the factor ---------------------------------------------------------------------------------

static bool eliminate(utArticulatedFactor* factor, int b, int k, utMotion axis, double diagonal)
{
    const utForce U = times(&factor->inertia[b], axis);
    const double D = ut_force_power(U, axis) + diagonal;
    const double inverse = 1.0 / D;
    reduce(&factor->inertia[b], U, inverse);
    factor->pivot[k] = (Pivot){axis, U, inverse, 0.0};
    return D > 0.0;
}

// Eliminate the velocities of a body and add its articulated inertia to its parent.
static bool eliminate_body(const utKinematics* kin, const double* added_diagonal,
                           utArticulatedFactor* factor, int b)
{
    const utModel* model = kin->model;
    const utModelBody* body = model->body + b;
    const utVec3 r_body = ut_vec3_sub(kin->body[b].p, ut_dyn_origin(kin, b));
    bool definite = true;
    for (int k = body->dof + body->dofs - 1; k >= body->dof; k--) {
        const double diagonal =
            model->dof_armature[k] + (added_diagonal != NULL ? added_diagonal[k] : 0.0);
        definite =
            eliminate(factor, b, k, ut_dyn_shift(kin->axis[k], r_body), diagonal) && definite;
    }
    if (ut_dyn_parent_in_tree(model, b)) {
        const utVec3 r = ut_vec3_sub(kin->body[b].p, kin->body[body->parent].p);
        add_shifted(&factor->inertia[body->parent], &factor->inertia[b], r);
    }
    return definite;
}

bool ut_dyn_factor_one(const utKinematics* kin, const double* added_diagonal,
                       utArticulatedFactor* factor, int tree)
{
    const utModelTree* t = kin->model->tree + tree;
    factor->plain[tree] = t->free && ut_dyn_has_plain_inertia(kin->model, added_diagonal, tree);
    if (factor->plain[tree]) {
        return ut_dyn_free_invert(kin->model->body + t->body, &factor->free_inverse[tree]);
    }
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utVec3 r = ut_vec3_sub(kin->com[b], kin->body[b].p);
        factor->inertia[b] = rigid(kin->inertia[b].mass, r, kin->inertia[b].inertia);
    }
    bool definite = true;
    for (int b = t->body + t->bodies - 1; b >= t->body; b--) {
        definite = eliminate_body(kin, added_diagonal, factor, b) && definite;
    }
    return definite;
}

utStatus ut_dyn_factor(const utKinematics* kin, const double* added_diagonal,
                       utArticulatedFactor* factor)
{
    bool definite = true;
    for (int t = 0; t < kin->model->ntree; t++) {
        definite =
            (ut_dyn_skips(kin, t, NULL) || ut_dyn_factor_one(kin, added_diagonal, factor, t)) &&
            definite;
    }
    return definite ? UT_OK : UT_ERR_ARGUMENT;
}

// ---- solving with the factor --------------------------------------------------------------------

// e of the body's velocities; the rest of its wrench goes to its parent.
static void transmit_force(const utKinematics* kin, const double* tau, utArticulatedFactor* factor,
                           int b)
{
    const utModelBody* body = kin->model->body + b;
    utForce force = factor->force[b];
    for (int k = body->dof + body->dofs - 1; k >= body->dof; k--) {
        Pivot* pivot = factor->pivot + k;
        pivot->e = tau[k] - ut_force_power(force, pivot->axis);
        force = ut_force_add(force, ut_force_scale(pivot->U, pivot->e * pivot->inverse));
    }
    if (ut_dyn_parent_in_tree(kin->model, b)) {
        const int parent = body->parent;
        const utVec3 r = ut_vec3_sub(kin->body[b].p, kin->body[parent].p);
        factor->force[parent] = ut_force_add(factor->force[parent], ut_dyn_shift_force(force, r));
    }
}

// The accelerations of a body's velocities, once its parent's are known.
static void accelerate_body(const utKinematics* kin, utArticulatedFactor* factor, int b, double* a)
{
    const utModelBody* body = kin->model->body + b;
    utMotion A = {0};
    if (ut_dyn_parent_in_tree(kin->model, b)) {
        const utVec3 r = ut_vec3_sub(kin->body[b].p, kin->body[body->parent].p);
        A = ut_dyn_shift(factor->response[body->parent], r);
    }
    for (int k = body->dof; k < body->dof + body->dofs; k++) {
        const Pivot* pivot = factor->pivot + k;
        a[k] = (pivot->e - ut_force_power(pivot->U, A)) * pivot->inverse;
        A = ut_motion_add(A, ut_motion_scale(pivot->axis, a[k]));
    }
    factor->response[b] = A;
}

// The accelerations of a tree; the wrenches p on its bodies are set.
static void accelerate_tree(const utKinematics* kin, const double* tau, utArticulatedFactor* factor,
                            const utModelTree* t, double* a)
{
    for (int b = t->body + t->bodies - 1; b >= t->body; b--) {
        transmit_force(kin, tau, factor, b);
    }
    for (int b = t->body; b < t->body + t->bodies; b++) {
        accelerate_body(kin, factor, b, a);
    }
}

void ut_dyn_factor_accelerate_tree(const utKinematics* kin, utArticulatedFactor* factor,
                                   const double* tau, utVec3 gravity, const utForce* applied,
                                   double* a, int tree)
{
    const utModelTree* t = kin->model->tree + tree;
    if (factor->plain[tree]) {
        const utFreeBody body = ut_dyn_free_body(kin, tau, gravity, applied, tree);
        ut_dyn_free_accelerate(&body, factor->free_inverse[tree], a + t->dof);
        return;
    }
    // the wrench that a body requires for its bias acceleration, less gravity and applied forces
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utVec3 r = ut_vec3_sub(kin->com[b], kin->body[b].p);
        const utForce f = ut_dyn_required_wrench(kin, b, kin->bias[b], gravity, applied);
        factor->force[b] = ut_dyn_shift_force(f, r);
    }
    accelerate_tree(kin, tau, factor, t, a);
}

void ut_dyn_factor_accelerate(const utKinematics* kin, utArticulatedFactor* factor,
                              const double* tau, utVec3 gravity, const utForce* applied, double* a)
{
    for (int t = 0; t < kin->model->ntree; t++) {
        if (!ut_dyn_skips(kin, t, a)) {
            ut_dyn_factor_accelerate_tree(kin, factor, tau, gravity, applied, a, t);
        }
    }
}

// The response of a free body to impulses. @param a 6 entries
static void respond_free(const utKinematics* kin, const utArticulatedFactor* factor,
                         const double* tau, int tree, double* a)
{
    const utModelTree* t = kin->model->tree + tree;
    ut_dyn_free_respond(kin->model->body + t->body, kin->quat[t->body], &factor->free_inverse[tree],
                        tau + t->dof, a);
}

// The response of one tree to impulses.
static void respond_tree(const utKinematics* kin, utArticulatedFactor* factor, const double* tau,
                         int tree, double* a)
{
    const utModelTree* t = kin->model->tree + tree;
    if (factor->plain[tree]) {
        respond_free(kin, factor, tau, tree, a + t->dof);
        return;
    }
    memset(factor->force + t->body, 0, (size_t)t->bodies * sizeof *factor->force);
    accelerate_tree(kin, tau, factor, t, a);
}

void ut_dyn_factor_respond(const utKinematics* kin, utArticulatedFactor* factor, const double* tau,
                           const bool* acts, double* a)
{
    for (int t = 0; t < kin->model->ntree; t++) {
        const utModelTree* tree = kin->model->tree + t;
        if (ut_dyn_skips(kin, t, a)) {
            continue;
        }
        if (acts == NULL || acts[t]) {
            respond_tree(kin, factor, tau, t, a);
        } else {
            memset(a + tree->dof, 0, (size_t)tree->dofs * sizeof *a);
        }
    }
}

// ---- one right-hand side ------------------------------------------------------------------------

utStatus ut_dyn_respond(const utKinematics* kin, const double* tau, const double* added_diagonal,
                        const bool* acts, utArena scratch, double* a)
{
    utArticulatedFactor* factor = ut_dyn_factor_create(kin->model, &scratch);
    if (factor == NULL) {
        return UT_ERR_CAPACITY;
    }
    bool definite = true;
    for (int t = 0; t < kin->model->ntree; t++) {
        definite = (acts != NULL && !acts[t]) || ut_dyn_skips(kin, t, NULL) ||
                   (ut_dyn_factor_one(kin, added_diagonal, factor, t) && definite);
    }
    ut_dyn_factor_respond(kin, factor, tau, acts, a);
    return definite ? UT_OK : UT_ERR_ARGUMENT;
}

utStatus ut_dyn_forward(const utKinematics* kin, const double* tau, const double* added_diagonal,
                        utVec3 gravity, const utForce* applied, utArena scratch, double* a)
{
    utArticulatedFactor* factor = ut_dyn_factor_create(kin->model, &scratch);
    if (factor == NULL) {
        return UT_ERR_CAPACITY;
    }
    const utStatus status = ut_dyn_factor(kin, added_diagonal, factor);
    ut_dyn_factor_accelerate(kin, factor, tau, gravity, applied, a);
    return status;
}

// ---- mobility -----------------------------------------------------------------------------------

// The bodies from one body of a tree to its root lose the wrenches of earlier solves.
static void clear_forces(const utModel* model, utArticulatedFactor* factor, int b)
{
    for (int tree = model->body[b].tree; model->body[b].tree == tree; b = model->body[b].parent) {
        factor->force[b] = ut_force(ut_vec3_zero(), ut_vec3_zero());
    }
}

// Add the terms of a body's velocities to the sum and transmit the remaining wrench to its parent.
// @return the parent; -1 at the root
static int transmit_to_parent(const utKinematics* kin, const double* tau,
                              utArticulatedFactor* factor, int b, double* sum)
{
    const utModelBody* body = kin->model->body + b;
    transmit_force(kin, tau, factor, b);
    for (int k = body->dof + body->dofs - 1; k >= body->dof; k--) {
        const Pivot* pivot = factor->pivot + k;
        *sum += pivot->e * pivot->e * pivot->inverse;
    }
    return ut_dyn_parent_in_tree(kin->model, b) ? body->parent : -1;
}

// tau . M^-1 tau of a free body.
static double free_mobility(const utKinematics* kin, const utArticulatedFactor* factor,
                            const double* tau, int tree)
{
    const int dof = kin->model->tree[tree].dof;
    double a[6], sum = 0.0;
    respond_free(kin, factor, tau, tree, a);
    for (int k = 0; k < 6; k++) {
        sum += tau[dof + k] * a[k];
    }
    return sum;
}

double ut_dyn_mobility(const utKinematics* kin, utArticulatedFactor* factor, const double* tau,
                       const int body[2])
{
    const utModel* model = kin->model;
    double sum = 0.0;
    int at[2] = {body[0], body[1] == body[0] ? -1 : body[1]};
    for (int side = 0; side < 2; side++) {
        if (at[side] >= 0 && factor->plain[model->body[at[side]].tree]) {
            sum += free_mobility(kin, factor, tau, model->body[at[side]].tree);
            at[side] = -1;
        } else if (at[side] >= 0) {
            clear_forces(model, factor, at[side]);
        }
    }
    while (at[0] >= 0 || at[1] >= 0) {
        const int b = at[0] > at[1] ? at[0] : at[1]; // children come after their parents
        const int parent = transmit_to_parent(kin, tau, factor, b, &sum);
        at[0] = at[0] == b ? parent : at[0];
        at[1] = at[1] == b ? parent : at[1];
    }
    return sum;
}
