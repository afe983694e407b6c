// SPDX-License-Identifier: Apache-2.0
// J̇v of a contact. The second derivative of the gap is J_n a + J̇_n v, and the rates of the
// tangential velocities are J_t a + J̇_t v.
//
// A round side, a sphere or the end of a capsule, has a centre c and a radius R. Its touching point
// c - R n moves over the body, and n is the normal of the other side. All other sides count as
// corners: R = 0. Let V be the round side or the corner, F the face that it touches, n the normal
// of the face toward V, and p = c - R n. With the accelerations a and α for joint accelerations of
// 0,
//
//     gap'' = n.(a_V(c) - a_F(c)) + 2 n'.(v_V(c) - v_F(c)),    n' = w_F x n
//     u_t'  = t.(a_V(c) - R (α_V x n + w_V x n') - a_F(p) - w_F x (p' - v_F(p)))
//
// with p' = v_V(c) - R n'. Between two round sides, with L the distance of their centres,
// w = v_2(c_2) - v_1(c_1) and n' = (w - n n.w) / L,
//
//     gap'' = n.(a_2(c_2) - a_1(c_1)) + L |n'|^2
//     u_t'  = t.(a_2(c_2) - a_1(c_1) - R_2 (α_2 x n + w_2 x n') - R_1 (α_1 x n + w_1 x n'))
#include "internal.h"

// One side of a contact.
typedef struct Side {
    int body;
    double radius; // of a round side; 0: corner or face
    bool flat;     // never the corner
} Side;

static Side side_of(const utModel* model, int side)
{
    Side s = {.body = ut_model_side_body(model, side)};
    if (side < model->ngeom) {
        const utShape* shape = &model->geom[side].shape;
        const bool round = shape->kind == UT_SHAPE_SPHERE || shape->kind == UT_SHAPE_CAPSULE;
        s.radius = round ? shape->size.x : 0.0;
        s.flat = shape->kind == UT_SHAPE_PLANE || shape->kind == UT_SHAPE_MESH ||
                 shape->kind == UT_SHAPE_HEIGHTS;
    }
    return s;
}

// R (α x n + w x n')
static utVec3 surface_rate(const utKinematics* kin, Side side, utVec3 n, utVec3 n_rate)
{
    const utVec3 turn = ut_vec3_cross(kin->bias[side.body].angular, n);
    const utVec3 roll = ut_vec3_cross(kin->velocity[side.body].angular, n_rate);
    return ut_vec3_scale(ut_vec3_add(turn, roll), side.radius);
}

static void rate_of_round_sides(const utKinematics* kin, Side one, Side two, utVec3 point,
                                const utVec3 frame[3], double gap, double rate[3])
{
    const utVec3 n = frame[0];
    const utVec3 c1 = ut_vec3_add_scaled(point, -one.radius - 0.5 * gap, n);
    const utVec3 c2 = ut_vec3_add_scaled(point, two.radius + 0.5 * gap, n);
    const double L = one.radius + two.radius + gap;
    const utVec3 w =
        ut_vec3_sub(ut_point_velocity(kin, two.body, c2), ut_point_velocity(kin, one.body, c1));
    const utVec3 n_rate = ut_vec3_scale(ut_vec3_add_scaled(w, -ut_vec3_dot(n, w), n), 1.0 / L);
    const utVec3 a =
        ut_vec3_sub(ut_point_bias(kin, two.body, c2), ut_point_bias(kin, one.body, c1));
    const utVec3 surfaces =
        ut_vec3_add(surface_rate(kin, one, n, n_rate), surface_rate(kin, two, n, n_rate));
    const utVec3 u_rate = ut_vec3_sub(a, surfaces);
    rate[0] = ut_vec3_dot(n, a) + L * ut_vec3_dot(n_rate, n_rate);
    rate[1] = ut_vec3_dot(frame[1], u_rate);
    rate[2] = ut_vec3_dot(frame[2], u_rate);
}

// @param sign 1: the face is the first side; -1: the second
static void rate_on_face(const utKinematics* kin, Side face, Side vertex, double sign, utVec3 point,
                         const utVec3 frame[3], double rate[3])
{
    const utVec3 n = ut_vec3_scale(frame[0], sign);
    const utVec3 c = ut_vec3_add_scaled(point, vertex.radius, n);
    const utVec3 spin = kin->velocity[face.body].angular;
    const utVec3 n_rate = ut_vec3_cross(spin, n);
    const utVec3 v = ut_point_velocity(kin, vertex.body, c);
    const utVec3 relative = ut_vec3_sub(v, ut_point_velocity(kin, face.body, c));
    const utVec3 a = ut_point_bias(kin, vertex.body, c);
    rate[0] = ut_vec3_dot(n, ut_vec3_sub(a, ut_point_bias(kin, face.body, c))) +
              2.0 * ut_vec3_dot(n_rate, relative);

    const utVec3 p_rate = ut_vec3_add_scaled(v, -vertex.radius, n_rate);
    const utVec3 slide = ut_vec3_sub(p_rate, ut_point_velocity(kin, face.body, point));
    utVec3 u_rate = ut_vec3_sub(a, surface_rate(kin, vertex, n, n_rate));
    u_rate = ut_vec3_sub(u_rate, ut_point_bias(kin, face.body, point));
    u_rate = ut_vec3_sub(u_rate, ut_vec3_cross(spin, slide));
    rate[1] = sign * ut_vec3_dot(frame[1], u_rate);
    rate[2] = sign * ut_vec3_dot(frame[2], u_rate);
}

void ut_contact_rate(const utKinematics* kin, int side1, int side2, utVec3 point,
                     const utVec3 frame[3], double gap, double rate[3])
{
    const utModel* model = kin->model;
    const Side one = side_of(model, side1);
    const Side two = side_of(model, side2);
    if (one.radius > 0.0 && two.radius > 0.0) {
        rate_of_round_sides(kin, one, two, point, frame, gap, rate);
        return;
    }
    // the face is the side that is not round; of two such sides the flat one, else the one that no
    // joint moves, else the first
    const bool second_is_face =
        one.radius > 0.0 ||
        (two.radius == 0.0 && !one.flat &&
         (two.flat || (model->body[one.body].tree >= 0 && model->body[two.body].tree < 0)));
    if (second_is_face) {
        rate_on_face(kin, two, one, -1.0, point, frame, rate);
    } else {
        rate_on_face(kin, one, two, 1.0, point, frame, rate);
    }
}
