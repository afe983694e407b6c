// SPDX-License-Identifier: Apache-2.0
// Geoms, sites and points of bodies: poses, velocities, accelerations, Jacobians.
#include <string.h>

#include "internal.h"

utFrame ut_geom_frame(const utKinematics* kin, int geom)
{
    const utModelGeom* g = &kin->model->geom[geom];
    return ut_frame_mul(kin->body[g->body], g->in_body);
}

// The body turns about the plane's normal only, so the image of the plane's first axis has the angle.
utFlatFrame ut_geom_flat_frame(const utKinematics* kin, int geom)
{
    const utPlane plane = ut_plane(kin->model->options.planar);
    const utModelGeom* g = &kin->model->geom[geom];
    const utFrame body = kin->body[g->body];
    const utVec2 at = ut_plane_in(&plane, body.p);
    const utVec2 turn = ut_plane_in(&plane, ut_mat3_mul_vec(body.R, plane.x));
    const utFlatFrame in = g->in_flat;
    return (utFlatFrame){
        {at.x + turn.x * in.position.x - turn.y * in.position.y,
         at.y + turn.y * in.position.x + turn.x * in.position.y},
        turn.x * in.cosine - turn.y * in.sine,
        turn.y * in.cosine + turn.x * in.sine,
    };
}

utVec3 ut_site_position(const utKinematics* kin, int site)
{
    const utModelSite* s = &kin->model->site[site];
    return ut_frame_point(kin->body[s->body], s->in_body.p);
}

double ut_dof_length(const utModel* model, int dof)
{
    const utModelJoint* joint = &model->joint[model->dof_joint[dof]];
    if (joint->kind == UT_JOINT_HINGE) {
        return joint->reach; // of most joints
    }
    const bool slides =
        joint->kind == UT_JOINT_SLIDE || dof < joint->v + ut_dyn_translations(joint->kind);
    return slides ? 1.0 : joint->reach;
}

double ut_terms_length(const utModel* model, int terms, const int* index, const double* coefficient)
{
    double largest = 0.0;
    for (int k = 0; k < terms; k++) {
        largest = fmax(largest, fabs(coefficient[k]) / ut_dof_length(model, index[k]));
    }
    return largest > 0.0 ? 1.0 / largest : 1.0;
}

utVec3 ut_point_velocity(const utKinematics* kin, int body, utVec3 point)
{
    return ut_dyn_shift(kin->velocity[body], ut_vec3_sub(point, ut_dyn_origin(kin, body))).linear;
}

// The spatial acceleration is the rate of the velocity at a fixed place. The acceleration of the
// body's point at that place is larger by w x its velocity.
utVec3 ut_point_bias(const utKinematics* kin, int body, utVec3 point)
{
    const utVec3 r = ut_vec3_sub(point, ut_dyn_origin(kin, body));
    const utVec3 velocity = ut_dyn_shift(kin->velocity[body], r).linear;
    return ut_vec3_add(ut_dyn_shift(kin->bias[body], r).linear,
                       ut_vec3_cross(kin->velocity[body].angular, velocity));
}

// One row of a Jacobian for each direction: the part of the linear velocity at r, or of the angular
// velocity, that a unit of each joint velocity causes. Inlined for both.
static inline void fill_rows(const utKinematics* kin, int body, const utVec3* r, int rows,
                             const utVec3* direction, double* J)
{
    const utModel* model = kin->model;
    const utModelTree* tree = model->tree + model->body[body].tree;
    const size_t width = (size_t)tree->dofs;
    memset(J, 0, (size_t)rows * width * sizeof *J);
    for (int k = model->body[body].last_dof; k >= 0; k = model->dof_parent[k]) {
        const utMotion axis = kin->axis[k];
        const utVec3 unit = r != NULL ? ut_dyn_shift(axis, *r).linear : axis.angular;
        for (int i = 0; i < rows; i++) {
            J[(size_t)i * width + (size_t)(k - tree->dof)] = ut_vec3_dot(direction[i], unit);
        }
    }
}

// The same for a point of a tree that is one free body: the three translations move it along the
// world's axes, the three rotations by w x r.
static void fill_free_rows(const utKinematics* kin, int dof, utVec3 r, int rows,
                           const utVec3* direction, double* J)
{
    const utMotion* turn = kin->axis + dof + 3;
    utVec3 unit[3];
    for (int k = 0; k < 3; k++) {
        unit[k] = ut_dyn_shift(turn[k], r).linear;
    }
    for (int i = 0; i < rows; i++, J += 6) {
        ut_dyn_store(ut_vec3_add(direction[i], ut_vec3_zero()), J); // no negative zeros
        for (int k = 0; k < 3; k++) {
            J[3 + k] = ut_vec3_dot(direction[i], unit[k]);
        }
    }
}

void ut_point_jacobian(const utKinematics* kin, int body, utVec3 point, int rows,
                       const utVec3* direction, double* J)
{
    const int tree = kin->model->body[body].tree;
    if (tree >= 0) {
        const utVec3 r = ut_vec3_sub(point, ut_dyn_origin(kin, body));
        if (kin->model->tree[tree].free) {
            fill_free_rows(kin, kin->model->tree[tree].dof, r, rows, direction, J);
            return;
        }
        fill_rows(kin, body, &r, rows, direction, J);
    }
}

void ut_angular_jacobian(const utKinematics* kin, int body, int rows, const utVec3* direction,
                         double* J)
{
    if (kin->model->body[body].tree >= 0) {
        fill_rows(kin, body, NULL, rows, direction, J);
    }
}
