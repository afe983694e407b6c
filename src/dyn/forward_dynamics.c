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

#include "articulated.h"

utArticulatedFactor* ut_dyn_factor_create(const utModel* model, utArena* keep)
{
    utArticulatedFactor* factor = UT_PUSH(keep, utArticulatedFactor, 1);
    if (ut_arena_failed(keep)) {
        return NULL;
    }
    *factor = (utArticulatedFactor){
        .link = UT_PUSH(keep, Link, model->nbody),
        .pivot = UT_PUSH(keep, Pivot, model->nv),
        .plain = UT_PUSH(keep, bool, model->ntree),
        .free_inverse = UT_PUSH(keep, utMat3, model->ntree),
    };
    return ut_arena_failed(keep) ? NULL : factor;
}

// ---- columns ------------------------------------------------------------------------------------

static inline Column column(utVec3 upper, utVec3 lower)
{
    return (Column){{{upper.x, upper.y}, {upper.z, lower.x}, {lower.y, lower.z}}};
}

static inline utVec3 upper_of(const Column* a)
{
    return ut_vec3(a->p[0][0], a->p[0][1], a->p[1][0]);
}

static inline utVec3 lower_of(const Column* a)
{
    return ut_vec3(a->p[1][1], a->p[2][0], a->p[2][1]);
}

// a x + b y + c z of the columns a_0, a_1, a_2
static inline Column combine(const Column a[3], utVec3 x)
{
    Column sum;
    for (int k = 0; k < 3; k++) {
        sum.p[k] = a[0].p[k] * twice(x.x) + a[1].p[k] * twice(x.y) + a[2].p[k] * twice(x.z);
    }
    return sum;
}

// a x - b y
static inline Column difference(const Column* a, double x, const Column* b, double y)
{
    Column result;
    for (int k = 0; k < 3; k++) {
        result.p[k] = a->p[k] * twice(x) - b->p[k] * twice(y);
    }
    return result;
}

// ---- articulated inertias -----------------------------------------------------------------------

// A rigid body whose centre of mass is at r: M = m 1, H = -m [r]x, I = I_c + m (r'r 1 - r r').
static void set_rigid(ArticulatedInertia* A, double mass, utVec3 r, const utMat3* about_com)
{
    const utMat3 point = ut_mat3_point_inertia(mass, r);
    const double x = mass * r.x, y = mass * r.y, z = mass * r.z;
    const utVec3 H[3] = {ut_vec3(0.0, -z, y), ut_vec3(z, 0.0, -x), ut_vec3(-y, x, 0.0)};
    A->left[0] = column(ut_vec3(mass, 0.0, 0.0), ut_vec3_negate(H[0]));
    A->left[1] = column(ut_vec3(0.0, mass, 0.0), ut_vec3_negate(H[1]));
    A->left[2] = column(ut_vec3(0.0, 0.0, mass), ut_vec3_negate(H[2]));
    for (int j = 0; j < 3; j++) {
        const utVec3 I =
            ut_vec3(about_com->m[0][j] + point.m[0][j], about_com->m[1][j] + point.m[1][j],
                    about_com->m[2][j] + point.m[2][j]);
        A->right[j] = column(H[j], I);
    }
}

// A S. The axis of a hinge through the origin of its body's frame has no linear part.
static inline Column times(const ArticulatedInertia* A, utMotion S)
{
    Column product = combine(A->right, S.angular);
    if (S.linear.x != 0.0 || S.linear.y != 0.0 || S.linear.z != 0.0) {
        const Column linear = combine(A->left, S.linear);
        for (int k = 0; k < 3; k++) {
            product.p[k] = linear.p[k] + product.p[k];
        }
    }
    return product;
}

// A -= U U' s. Entry (i, j) of M and I is (s U_i) U_j; in both copies of H the factor s goes with the
// force.
static inline void reduce(ArticulatedInertia* A, const Column* U, double s)
{
    const utVec3 f = upper_of(U), n = lower_of(U);
    const double force[3] = {f.x, f.y, f.z}, torque[3] = {n.x, n.y, n.z};
    const Column sU = {{U->p[0] * twice(s), U->p[1] * twice(s), U->p[2] * twice(s)}};
    const Pair mixed = {sU.p[1][0], U->p[1][1]};
    for (int j = 0; j < 3; j++) {
        const double scaled = force[j] * s;
        A->left[j].p[0] -= sU.p[0] * twice(force[j]);
        A->left[j].p[1] -= mixed * (Pair){force[j], scaled};
        A->left[j].p[2] -= U->p[2] * twice(scaled);
        for (int k = 0; k < 3; k++) {
            A->right[j].p[k] -= sU.p[k] * twice(torque[j]);
        }
    }
}

// sum += the inertia A about another point; r leads from there to the point that A is about. With
// X = [r]x:
//     H - M X,    I - H'X + X H - X M X = I + X (H - M X) - H'X
// X e_x = (0, z, -y) and so on, so that the columns of (M; H') X are differences of left columns.
static inline void add_shifted(ArticulatedInertia* sum, const ArticulatedInertia* A, utVec3 r)
{
    const double at[3] = {r.x, r.y, r.z};
    utVec3 h[3]; // columns of H - M X
    for (int j = 0; j < 3; j++) {
        const int next = (j + 1) % 3, last = (j + 2) % 3;
        const Column LX = difference(&A->left[next], at[last], &A->left[last], at[next]);
        const Column* right = &A->right[j];
        const Pair h01 = right->p[0] - LX.p[0];
        h[j] = ut_vec3(h01[0], h01[1], right->p[1][0] - LX.p[1][0]);
        const utVec3 XH = ut_vec3_cross(r, h[j]);
        sum->right[j].p[0] += h01;
        sum->right[j].p[1] += (right->p[1] + (Pair){0.0, XH.x}) - LX.p[1];
        sum->right[j].p[2] += (right->p[2] + (Pair){XH.y, XH.z}) - LX.p[2];
    }
    const utVec3 row[3] = {ut_vec3(h[0].x, h[1].x, h[2].x), ut_vec3(h[0].y, h[1].y, h[2].y),
                           ut_vec3(h[0].z, h[1].z, h[2].z)};
    for (int j = 0; j < 3; j++) {
        sum->left[j].p[0] += A->left[j].p[0];
        sum->left[j].p[1] += (Pair){A->left[j].p[1][0], row[j].x};
        sum->left[j].p[2] += (Pair){row[j].y, row[j].z};
    }
}

// ---- the factor ---------------------------------------------------------------------------------

// Eliminate one velocity. Not inlined, because compilers then keep a copy of A beside it for the loop over a body's
// velocities, which costs more than a call.
static __attribute__((noinline)) bool eliminate(ArticulatedInertia* A, const utMotion* axis,
                                                utVec3 r_body, double diagonal, Pivot* pivot)
{
    const utMotion S = ut_dyn_shift(*axis, r_body);
    const Column product = times(A, S);
    const utForce U = ut_force(upper_of(&product), lower_of(&product));
    const double D = ut_force_power(U, S) + diagonal;
    const double inverse = 1.0 / D;
    reduce(A, &product, inverse);
    pivot->axis = S;
    pivot->U = U;
    pivot->inverse = inverse;
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
        definite = eliminate(&factor->link[b].inertia, &kin->axis[k], r_body, diagonal,
                             &factor->pivot[k]) &&
                   definite;
    }
    if (b != model->tree[body->tree].body) {
        const utVec3 r = ut_vec3_sub(kin->body[b].p, kin->body[body->parent].p);
        factor->link[b].arm = r;
        add_shifted(&factor->link[body->parent].inertia, &factor->link[b].inertia, r);
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
        set_rigid(&factor->link[b].inertia, kin->inertia[b].mass, r, &kin->inertia[b].inertia);
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

// e of the body's velocities; the rest of its wrench goes to its parent. @param parent -1: none
static inline void transmit_force(const utModelBody* body, const double* tau,
                                  utArticulatedFactor* factor, int b, int parent)
{
    utForce force = factor->link[b].force;
    for (int k = body->dof + body->dofs - 1; k >= body->dof; k--) {
        Pivot* pivot = factor->pivot + k;
        pivot->e = tau[k] - ut_force_power(force, pivot->axis);
        force = ut_force_add(force, ut_force_scale(pivot->U, pivot->e * pivot->inverse));
    }
    if (parent >= 0) {
        utForce* sum = &factor->link[parent].force;
        *sum = ut_force_add(*sum, ut_dyn_shift_force(force, factor->link[b].arm));
    }
}

// The accelerations of a body's velocities, once its parent's are known. @param parent -1: none
static inline void accelerate_body(const utModelBody* body, utArticulatedFactor* factor, int b,
                                   int parent, double* a)
{
    utMotion A = {0};
    if (parent >= 0) {
        A = ut_dyn_shift(factor->link[parent].response, factor->link[b].arm);
    }
    for (int k = body->dof; k < body->dof + body->dofs; k++) {
        const Pivot* pivot = factor->pivot + k;
        a[k] = (pivot->e - ut_force_power(pivot->U, A)) * pivot->inverse;
        A = ut_motion_add(A, ut_motion_scale(pivot->axis, a[k]));
    }
    factor->link[b].response = A;
}

// The accelerations of a tree; the wrenches p on its bodies are set.
static void accelerate_tree(const utKinematics* kin, const double* tau, utArticulatedFactor* factor,
                            const utModelTree* t, double* a)
{
    const utModelBody* body = kin->model->body;
    for (int b = t->body + t->bodies - 1; b > t->body; b--) {
        transmit_force(&body[b], tau, factor, b, body[b].parent);
    }
    transmit_force(&body[t->body], tau, factor, t->body, -1);
    accelerate_body(&body[t->body], factor, t->body, -1, a);
    for (int b = t->body + 1; b < t->body + t->bodies; b++) {
        accelerate_body(&body[b], factor, b, body[b].parent, a);
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
        factor->link[b].force = ut_dyn_shift_force(f, r);
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

void ut_dyn_factor_respond_tree(const utKinematics* kin, utArticulatedFactor* factor,
                                const double* tau, int tree, double* a)
{
    const utModelTree* t = kin->model->tree + tree;
    if (factor->plain[tree]) {
        respond_free(kin, factor, tau, tree, a + t->dof);
        return;
    }
    for (int b = t->body; b < t->body + t->bodies; b++) {
        factor->link[b].force = (utForce){0};
    }
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
            ut_dyn_factor_respond_tree(kin, factor, tau, t, a);
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
        factor->link[b].force = ut_force(ut_vec3_zero(), ut_vec3_zero());
    }
}

// Add the terms of a body's velocities to the sum and transmit the remaining wrench to its parent.
// @return the parent; -1 at the root
static int transmit_to_parent(const utKinematics* kin, const double* tau,
                              utArticulatedFactor* factor, int b, double* sum)
{
    const utModelBody* body = kin->model->body + b;
    const int parent = ut_dyn_parent_in_tree(kin->model, b) ? body->parent : -1;
    transmit_force(body, tau, factor, b, parent);
    for (int k = body->dof + body->dofs - 1; k >= body->dof; k--) {
        const Pivot* pivot = factor->pivot + k;
        *sum += pivot->e * pivot->e * pivot->inverse;
    }
    return parent;
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
