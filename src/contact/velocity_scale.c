// SPDX-License-Identifier: Apache-2.0
// The velocity V that scales the errors of an island, as the certificate defines it. The friction
// problem alone does not determine V, because relative velocities do not change when bodies fall or
// fly together.
#include "contact.h"
#include "la/scalar.h"

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

// ---- a bound on speeds --------------------------------------------------------------------------

// h |g| is as a rule far above the fraction of the largest speed. A bound on the speeds shows it with less
// work than the speeds themselves.
typedef struct SpeedBounds {
    double linear;  // of a body about its tree's reference point, m/s
    double angular; // of a body, rad/s
    double rate;    // of a joint, m/s
    double arm;     // of a contact or an anchor about the reference point, m
} SpeedBounds;

// an upper bound on |x|
static double size_of(utVec3 x)
{
    return fabs(x.x) + fabs(x.y) + fabs(x.z);
}

static void bound_tree(const ContactScene* scene, int t, SpeedBounds* bounds)
{
    const utModel* model = scene->model;
    const utModelTree* tree = &model->tree[t];
    double linear = 0.0;
    double angular = 0.0;
    for (int dof = tree->dof; dof < tree->dof + tree->dofs; dof++) {
        const utModelJoint* joint = &model->joint[model->dof_joint[dof]];
        const double v = fabs(scene->v_free[dof]);
        linear += v * size_of(scene->kin->axis[dof].linear);
        angular += v * size_of(scene->kin->axis[dof].angular);
        bounds->rate = ut_larger(bounds->rate, v * (1.0 + joint->reach));
        if (dof == joint->v) {
            const utVec3 anchor = scene->kin->anchor[model->dof_joint[dof]];
            const double arm = size_of(ut_vec3_sub(anchor, scene->kin->origin[t]));
            bounds->arm = ut_larger(bounds->arm, arm);
        }
    }
    bounds->linear = ut_larger(bounds->linear, linear);
    bounds->angular = ut_larger(bounds->angular, angular);
}

// Is a fraction of every speed below `least`? @return false: yes or no
static bool is_slow(const ContactScene* scene, const IslandProblem* problem,
                    const utContact* contact, double least)
{
    SpeedBounds bounds = {0.0, 0.0, 0.0, 0.0};
    int tree[2];
    if (scene->model->nmocap > 0) {
        return false;
    }
    for (int k = 0; k < problem->trees; k++) {
        bound_tree(scene, problem->tree[k], &bounds);
    }
    for (int i = 0; i < problem->coulomb.contacts; i++) {
        const utContact* c = &contact[problem->contact[i]];
        ut_contact_trees(scene->model, c, tree);
        for (int side = 0; side < 2; side++) {
            if (tree[side] >= 0) {
                const utVec3 arm = ut_vec3_sub(c->point, scene->kin->origin[tree[side]]);
                bounds.arm = ut_larger(bounds.arm, size_of(arm));
            }
        }
    }
    // twice, so that rounding of the sums does not matter
    const double speed = 2.0 * ut_larger(bounds.linear + bounds.angular * bounds.arm, bounds.rate);
    return SPEED_FRACTION * speed <= least;
}

utStatus ut_contact_velocity_scale(const ContactScene* scene, const IslandProblem* problem,
                                   const utContact* contact, utArena scratch, double* V)
{
    const utModel* model = scene->model;
    const double least = fmax(MIN_V, scene->h * ut_vec3_norm(model->options.gravity));
    if (is_slow(scene, problem, contact, least)) {
        *V = least;
        return UT_OK;
    }
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
    *V = fmax(least, SPEED_FRACTION * speed);
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
