// SPDX-License-Identifier: Apache-2.0
// The velocity V that scales the errors of an island, as the certificate defines it. The friction
// problem alone does not determine V, because relative velocities do not change when bodies fall or
// fly together.
#include "contact.h"

// m/s, the smallest V that the certificate allows
static const double MIN_V = 1e-9;
// fraction of the largest speed, well above the rounding errors of velocities
static const double SPEED_FRACTION = 1e-5;

// The largest speed under v* of a tree's joints: of their anchors, and of their own rates in m/s.
// @param twist nv entries of work: per dof, of the body that it moves, about the tree's origin
static double tree_speed(const ContactScene* scene, int t, utMotion* twist)
{
    const utModel* model = scene->model;
    const utModelTree* tree = &model->tree[t];
    double fastest = 0.0;
    for (int dof = tree->dof; dof < tree->dof + tree->dofs; dof++) {
        const int parent = model->dof_parent[dof];
        const double v = scene->v_free[dof];
        twist[dof] = ut_motion_scale(scene->kin->axis[dof], v);
        if (parent >= 0) {
            twist[dof] = ut_motion_add(twist[parent], twist[dof]);
        }
        fastest = fmax(fastest, ut_dof_length(model, dof) * fabs(v));
    }
    for (int dof = tree->dof; dof < tree->dof + tree->dofs; dof++) {
        const int j = model->dof_joint[dof];
        const utMotion moved = twist[model->body[model->joint[j].body].last_dof];
        const utVec3 arm = ut_vec3_sub(scene->kin->anchor[j], scene->kin->origin[t]);
        const utVec3 at = ut_vec3_add(moved.linear, ut_vec3_cross(moved.angular, arm));
        fastest = dof == model->joint[j].v ? fmax(fastest, ut_vec3_norm(at)) : fastest;
    }
    return fastest;
}

utStatus ut_contact_velocity_scale(const ContactScene* scene, const IslandProblem* problem,
                                   const utContact* contact, utArena scratch, double* V)
{
    const utModel* model = scene->model;
    utMotion* twist = UT_PUSH(&scratch, utMotion, model->nv);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    double speed = 0.0;
    BodyTwist last[2] = {{.body = -1}, {.body = -1}};
    for (int k = 0; k < problem->trees; k++) {
        speed = fmax(speed, tree_speed(scene, problem->tree[k], twist));
    }
    for (int i = 0; i < problem->coulomb.contacts; i++) {
        const utContact* c = &contact[problem->contact[i]];
        const int side[2] = {c->geom1, c->geom2};
        for (int k = 0; k < 2; k++) {
            const int body = ut_model_side_body(model, side[k]);
            const utMotion t =
                ut_contact_twist_with(scene, body, c->point, scene->v_free, &last[k]);
            speed = fmax(speed, ut_vec3_norm(t.linear));
        }
    }
    *V = fmax(MIN_V, fmax(scene->h * ut_vec3_norm(model->options.gravity), SPEED_FRACTION * speed));
    return UT_OK;
}

void ut_contact_ignore_rounding(double fraction, IslandProblem* problem)
{
    const utCoulomb* coulomb = &problem->coulomb;
    const double least = fraction * coulomb->speed;
    for (int i = 0; i < coulomb->contacts; i++) {
        double* b_n = problem->b + (size_t)coulomb->dimension * (size_t)i;
        *b_n = fabs(*b_n) <= least ? 0.0 : *b_n;
    }
}
