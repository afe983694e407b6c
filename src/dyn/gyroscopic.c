// SPDX-License-Identifier: Apache-2.0
// The gyroscopic term of bodies that turn about all axes but are not single free bodies: bodies on
// ball joints, and roots of floating trees.
//
// An explicit term w x I w creates energy: a body that spins at w gains energy by a relative amount
// of (h w)^2 per step. For a single free body the implicit midpoint rule keeps the energy. In a
// tree the rule
//
//     2 I (y - w) + h (y x I y - T) = 0
//
// gives the mean angular velocity y that the body would have if it turned by itself under the
// torque T of its weight and of applied forces. The term is then taken at y. The difference from
// the explicit term,
//
//     w x I w - y x I y
//
// is a couple on the body, of first order in h. All other terms stay explicit. I is the inertia of
// the body and of all bodies that it carries up to the next such body: about the centre of the ball
// joint, or about the common centre of mass when the root floats.
#include "internal.h"

// The bodies that turn together with a ball joint or a floating root.
typedef struct Group {
    double mass;
    utVec3 point; // that I is about, relative to the tree's reference point
    utMat3 I;     // world axes
    utVec3 T;
} Group;

// The joint by which a body turns about all axes; -1: none.
static int turning_joint(const utModel* model, int b)
{
    const utModelBody* body = model->body + b;
    int found = -1;
    for (int j = body->joint; j < body->joint + body->joints; j++) {
        const utJointKind kind = model->joint[j].kind;
        found = kind == UT_JOINT_BALL || kind == UT_JOINT_FREE ? j : found;
    }
    return found;
}

static bool has_groups(const utModel* model)
{
    bool found = false;
    for (int t = 0; t < model->ntree; t++) {
        found = found || model->tree[t].turns;
    }
    return found;
}

// Find the point that the inertia of each group is about. @param owner nbody: the first body of the
// group; -1: none
static void find_points(const utKinematics* kin, const int* owner, Group* group, int tree)
{
    const utModel* model = kin->model;
    const utModelTree* t = model->tree + tree;
    for (int b = t->body; b < t->body + t->bodies; b++) {
        if (owner[b] >= 0) {
            Group* g = group + owner[b];
            g->mass += kin->inertia[b].mass;
            g->point = ut_vec3_add_scaled(g->point, kin->inertia[b].mass, kin->inertia[b].com);
        }
    }
    for (int b = t->body; b < t->body + t->bodies; b++) {
        if (owner[b] != b) {
            continue;
        }
        const int j = turning_joint(model, b);
        const utVec3 anchor = ut_vec3_sub(kin->anchor[j], kin->origin[tree]);
        const bool ball = model->joint[j].kind == UT_JOINT_BALL;
        const double mass = group[b].mass;
        group[b].point = ball || !(mass > 0.0) ? anchor : ut_vec3_scale(group[b].point, 1.0 / mass);
    }
}

static void find_groups(const utKinematics* kin, utVec3 gravity, const utForce* wrench, int* owner,
                        Group* group, int tree)
{
    const utModel* model = kin->model;
    const utModelTree* t = model->tree + tree;
    for (int b = t->body; b < t->body + t->bodies; b++) {
        owner[b] = b != t->body ? owner[model->body[b].parent] : -1;
        if (turning_joint(model, b) >= 0) {
            owner[b] = b;
            group[b] = (Group){0};
        }
    }
    find_points(kin, owner, group, tree);
    for (int b = t->body; b < t->body + t->bodies; b++) {
        if (owner[b] >= 0) {
            Group* g = group + owner[b];
            const utInertia* inertia = &kin->inertia[b];
            const utVec3 r = ut_vec3_sub(inertia->com, g->point);
            g->I = ut_mat3_add(g->I, inertia->inertia);
            g->I = ut_mat3_add(g->I, ut_mat3_point_inertia(inertia->mass, r));
            const utVec3 gravity_b = ut_dyn_body_gravity(&model->body[b], gravity);
            const utVec3 force = ut_vec3_add_scaled(wrench[b].force, inertia->mass, gravity_b);
            g->T = ut_vec3_add(g->T, ut_vec3_add(wrench[b].torque, ut_vec3_cross(r, force)));
        }
    }
}

// w x I w - y x I y; 0 when the rule has no solution.
static utVec3 couple_of(const Group* g, utVec3 w, double h)
{
    const utFreeBody body = {.inertia = g->I, .w = w, .torque = g->T};
    utVec3 w_next;
    if (!ut_dyn_free_spin(&body, h, &w_next)) {
        return ut_vec3_zero();
    }
    const utVec3 y = ut_vec3_scale(ut_vec3_add(w, w_next), 0.5);
    return ut_vec3_sub(ut_vec3_cross(w, ut_mat3_mul_vec(g->I, w)),
                       ut_vec3_cross(y, ut_mat3_mul_vec(g->I, y)));
}

utStatus ut_dyn_gyroscopic(const utKinematics* kin, utVec3 gravity, double h, utArena scratch,
                           utForce* wrench)
{
    const utModel* model = kin->model;
    if (!has_groups(model)) {
        return UT_OK;
    }
    int* owner = UT_PUSH(&scratch, int, model->nbody);
    Group* group = UT_PUSH(&scratch, Group, model->nbody);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int t = 0; t < model->ntree; t++) {
        const utModelTree* tree = model->tree + t;
        if (!tree->turns || ut_dyn_skips(kin, t, NULL)) {
            continue; // the spin of a single free body follows the midpoint rule itself
        }
        find_groups(kin, gravity, wrench, owner, group, t);
        for (int b = tree->body; b < tree->body + tree->bodies; b++) {
            if (owner[b] == b) {
                const utVec3 couple = couple_of(&group[b], kin->velocity[b].angular, h);
                wrench[b].torque = ut_vec3_add(wrench[b].torque, couple);
            }
        }
    }
    return UT_OK;
}
