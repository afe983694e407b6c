// SPDX-License-Identifier: Apache-2.0
// Joints with a springdamper: stiffness and damping from a time constant T and a damping ratio z,
//
//     k = I / (T z)^2,    d = 2 I / T,    I = n / trace of the joint's n x n block of M^-1
//
// at the modelled pose. With c the composite body of everything that the outer one of two velocities
// moves, M_ij = m_c v_i(com_c) . v_j(com_c) + w_i . I_c w_j, and the armature on the diagonal.
#include "model/internal.h"

#include <string.h>

#include "la/dense/dense.h"

static bool has_spring_damper(const Work* work, int joint)
{
    const double* x =
        ut_model_joint_def(work->def, work->scratch.described_joint[joint])->springdamper;
    return x[0] > 0.0 && x[1] > 0.0;
}

// ---- the mass matrix of a tree ------------------------------------------------------------------

utMotion ut_model_unit_motion(const Work* work, int i, utVec3 point)
{
    const utModelJoint* joint = &work->array.joint[work->array.dof_joint[i]];
    const utFrame at = work->scratch.in_world[joint->body];
    const utPlane plane = ut_plane(work->def->options.planar);
    const utVec3 space[3] = {ut_vec3(1, 0, 0), ut_vec3(0, 1, 0), ut_vec3(0, 0, 1)};
    const utVec3 flat[3] = {plane.x, plane.y, plane.normal};
    const int k = i - joint->v;
    const bool scalar = joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE;
    const bool planar = joint->kind == UT_JOINT_PLANAR || joint->kind == UT_JOINT_PARTICLE;
    const int translations = joint->kind == UT_JOINT_FREE ? 3 : planar ? 2 : 0;
    const bool turns = joint->kind != UT_JOINT_SLIDE && k >= translations;
    const utVec3 axis = scalar             ? ut_mat3_mul_vec(at.R, joint->axis)
                        : planar           ? flat[k]
                        : k < translations ? space[k]
                                           : ut_mat3_mul_vec(at.R, space[k - translations]);
    const utVec3 arm = ut_vec3_sub(point, ut_frame_point(at, joint->pos));
    return turns ? ut_motion(ut_vec3_cross(axis, arm), axis) : ut_motion(axis, ut_vec3_zero());
}

// The inertia, in the world, of each body of a tree with everything below it.
static void find_composites(const Work* work, const utModelTree* tree, utInertia* composite)
{
    for (int b = tree->body; b < tree->body + tree->bodies; b++) {
        const utModelBody* body = &work->array.body[b];
        composite[b - tree->body] = ut_inertia_transform(
            work->scratch.in_world[b], ut_inertia(body->mass, body->com, body->inertia));
    }
    for (int b = tree->body + tree->bodies - 1; b > tree->body; b--) {
        utInertia* above = &composite[work->array.body[b].parent - tree->body];
        const utInertia own = composite[b - tree->body];
        *above = above->mass == 0.0 ? own : own.mass == 0.0 ? *above : ut_inertia_add(*above, own);
    }
}

// The lower triangle of M.
static void fill_mass(const Work* work, const utModelTree* tree, const utInertia* composite,
                      double* M)
{
    const int n = tree->dofs;
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    for (int i = tree->dof; i < tree->dof + n; i++) {
        const utInertia c = composite[work->array.dof_body[i] - tree->body];
        const utMotion outer = ut_model_unit_motion(work, i, c.com);
        const utVec3 momentum = ut_vec3_scale(outer.linear, c.mass);
        const utVec3 spin = ut_mat3_mul_vec(c.inertia, outer.angular);
        for (int j = i; j >= 0; j = work->array.dof_parent[j]) {
            const utMotion inner = ut_model_unit_motion(work, j, c.com);
            M[(size_t)(i - tree->dof) * (size_t)n + (size_t)(j - tree->dof)] =
                ut_vec3_dot(inner.linear, momentum) + ut_vec3_dot(inner.angular, spin);
        }
        M[(size_t)(i - tree->dof) * (size_t)(n + 1)] += work->array.dof_armature[i];
    }
}

// ---- joints -------------------------------------------------------------------------------------

// @param L the Cholesky factor of M; @param x dofs of the tree
static void set_spring_damper(Work* work, const utModelTree* tree, int j, const double* L,
                              double* x)
{
    utModelJoint* joint = &work->array.joint[j];
    const utJointDef* def = ut_model_joint_def(work->def, work->scratch.described_joint[j]);
    const int n = ut_joint_velocities(joint->kind);
    double trace = 0.0;
    for (int k = joint->v - tree->dof; k < joint->v - tree->dof + n; k++) {
        memset(x, 0, (size_t)tree->dofs * sizeof *x);
        x[k] = 1.0;
        ut_chol_solve(tree->dofs, L, tree->dofs, x);
        trace += x[k];
    }
    const double inertia = n / trace;
    const double T = def->springdamper[0], z = def->springdamper[1];
    joint->stiffness = inertia / (T * T * z * z);
    joint->damping = 2.0 * inertia / T;
    for (int i = joint->v; i < joint->v + n; i++) {
        work->array.dof_damping[i] = joint->damping;
    }
}

static utStatus fill_tree(Work* work, const utModelTree* tree)
{
    utArena scratch = *work->temporary;
    const int n = tree->dofs;
    utInertia* composite = UT_PUSH(&scratch, utInertia, tree->bodies);
    double* M = ut_matrix_push(&scratch, n, n);
    double* x = UT_PUSH(&scratch, double, n);
    if (composite == NULL || M == NULL || x == NULL) {
        return UT_ERR_MEMORY;
    }
    find_composites(work, tree, composite);
    fill_mass(work, tree, composite, M);
    if (ut_chol_factor(n, M, n, 0.0) != n) {
        return ut_error_set(work->err, UT_ERR_ARGUMENT,
                            "the mass matrix of the tree of %s is singular, so that springdamper "
                            "has no inertia to work with",
                            ut_model_body_label(work->def, tree->body).text);
    }
    for (int b = tree->body; b < tree->body + tree->bodies; b++) {
        const utModelBody* body = &work->array.body[b];
        for (int j = body->joint; j < body->joint + body->joints; j++) {
            if (has_spring_damper(work, j)) {
                set_spring_damper(work, tree, j, M, x);
            }
        }
    }
    return UT_OK;
}

utStatus ut_model_fill_spring_dampers(Work* work)
{
    for (int t = 0; t < work->model->ntree; t++) {
        const utModelTree* tree = &work->array.tree[t];
        bool any = false;
        for (int i = tree->dof; i < tree->dof + tree->dofs && !any; i++) {
            any = has_spring_damper(work, work->array.dof_joint[i]);
        }
        if (any) {
            UT_TRY(fill_tree(work, tree));
        }
    }
    return UT_OK;
}
