// SPDX-License-Identifier: Apache-2.0
// The least velocity that errors of an island are measured by, as the certificate has it
// (certificate.md): its friction problem alone cannot know it, because relative velocities say
// nothing of bodies that fall or fly along together.
#include "contact.h"

static const double SLOWEST = 1e-9; // m/s, the least V (certificate.md)
static const double SHARE = 1e-5; // of the largest speed: what rounding leaves of it counts little

// What makes a velocity of a joint one of m/s.
static double length_of(const utModelJoint* joint, int dof)
{
    const bool slides = joint->kind == UT_JOINT_SLIDE || joint->kind == UT_JOINT_PARTICLE ||
                        (joint->kind == UT_JOINT_FREE && dof < joint->v + 3) ||
                        (joint->kind == UT_JOINT_PLANAR && dof < joint->v + 2);
    return slides ? 1.0 : joint->reach;
}

// The largest speed of the joints' points of a tree and of its joints times their reach under v*.
// @param twist nv entries of work: of the body that the dof moves, seen from the tree's origin
static double tree_speed(const ContactScene* scene, int t, utMotion* twist)
{
    const utModel* model = scene->model;
    const utModelTree* tree = &model->tree[t];
    double most = 0.0;
    for (int dof = tree->dof; dof < tree->dof + tree->dofs; dof++) {
        const int parent = model->dof_parent[dof];
        const double v = scene->v_free[dof];
        twist[dof] = ut_motion_scale(scene->kin->axis[dof], v);
        if (parent >= 0) {
            twist[dof] = ut_motion_add(twist[parent], twist[dof]);
        }
        most = fmax(most, length_of(&model->joint[model->dof_joint[dof]], dof) * fabs(v));
    }
    for (int dof = tree->dof; dof < tree->dof + tree->dofs; dof++) {
        const int j = model->dof_joint[dof];
        const utMotion moved = twist[model->body[model->joint[j].body].last_dof];
        const utVec3 arm = ut_vec3_sub(scene->kin->anchor[j], scene->kin->origin[t]);
        const utVec3 at = ut_vec3_add(moved.linear, ut_vec3_cross(moved.angular, arm));
        most = dof == model->joint[j].v ? fmax(most, ut_vec3_norm(at)) : most;
    }
    return most;
}

utStatus ut_contact_velocity_scale(const ContactScene* scene, const IslandProblem* problem,
                                   const utContact* contact, utArena scratch, double* V)
{
    const utModel* model = scene->model;
    utMotion* twist = UT_PUSH(&scratch, utMotion, model->nv);
    if (twist == NULL) {
        return UT_ERR_CAPACITY;
    }
    double speed = 0.0;
    for (int k = 0; k < problem->trees; k++) {
        speed = fmax(speed, tree_speed(scene, problem->tree[k], twist));
    }
    for (int i = 0; i < problem->coulomb.contacts; i++) {
        const utContact* c = &contact[problem->contact[i]];
        const int side[2] = {c->geom1, c->geom2};
        for (int k = 0; k < 2; k++) {
            const utMotion t = ut_contact_twist(scene, ut_model_side_body(model, side[k]), c->point,
                                                scene->v_free);
            speed = fmax(speed, ut_vec3_norm(t.linear));
        }
    }
    *V = fmax(SLOWEST, fmax(scene->h * ut_vec3_norm(model->options.gravity), SHARE * speed));
    return UT_OK;
}
