// SPDX-License-Identifier: Apache-2.0
// A pile of random boxes. The first contact of each box determines its position, so the lever arms of
// all contacts belong to one set of positions.
#include "problems/power.h"
#include "scene_builder.h"

enum { PAIR_TRIES = 4 };

// ---- chance -------------------------------------------------------------------------------------

static double random_gap(utBuild* build)
{
    return build->def->gap * ut_rng_uniform(&build->rng);
}

static utVec3 random_cube(utRng* rng, double reach)
{
    double x = ut_rng_range(rng, -reach, reach);
    double y = ut_rng_range(rng, -reach, reach);
    double z = ut_rng_range(rng, -reach, reach);
    return ut_vec3(x, y, z);
}

// A random unit vector: a random point of the unit ball, normalized.
static utVec3 random_unit(utRng* rng)
{
    utVec3 a, unit;
    double length;
    do {
        a = random_cube(rng, 1.0);
        length = ut_vec3_norm(a);
    } while (!(length > 0.1 && length <= 1.0));
    ut_vec3_normalize(a, &unit);
    return unit;
}

// A random rotation: a random quaternion of the unit ball, normalized.
static utMat3 random_rotation(utRng* rng)
{
    utQuat q;
    double square;
    do {
        utVec3 a = random_cube(rng, 1.0);
        double w = ut_rng_range(rng, -1.0, 1.0);
        q = ut_quat(w, a.x, a.y, a.z);
        square = ut_vec3_dot(a, a) + w * w;
    } while (!(square > 0.01 && square <= 1.0));
    ut_quat_normalize(q, &q);
    return ut_quat_to_mat3(q);
}

// A box of random mass, size and velocity, without a position.
static utFrictionBody random_box(utBuild* build)
{
    const utFrictionDef* def = build->def;
    utRng* rng = &build->rng;
    double mass = def->mass * ut_problems_power(def->ratio, ut_rng_uniform(rng));
    double edge[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = 0.25 * def->size * ut_problems_power(4.0, ut_rng_uniform(rng));
    }
    utFrictionBody body = ut_build_box(ut_vec3_zero(), ut_vec3(edge[0], edge[1], edge[2]), mass);

    double speed = ut_vec3_norm(def->push);
    utVec3 linear = random_cube(rng, speed);
    utVec3 angular = random_cube(rng, speed);
    if (ut_rng_below(rng, 2) == 1) {
        body.v = ut_motion(linear, angular);
    }
    return body;
}

// ---- first contacts -----------------------------------------------------------------------------

// The vector from the centre of a box to its farthest corner in the direction -n.
static utVec3 corner_against(const utFrictionBody* body, utVec3 n)
{
    const double half[3] = {body->half.x, body->half.y, body->half.z};
    utVec3 arm = ut_vec3_zero();
    for (int k = 0; k < 3; k++) {
        utVec3 axis = ut_mat3_column(body->R, k);
        arm = ut_vec3_add_scaled(arm, ut_vec3_dot(n, axis) > 0.0 ? -half[k] : half[k], axis);
    }
    return arm;
}

// A face of a box: its normal is `side` times the axis.
typedef struct Face {
    int axis;
    double side;
} Face;

// A random face of `a` for a new box; half of the time the face that points up.
static Face choose_face(utBuild* build, int a)
{
    Face face = {2, 1.0};
    bool any = ut_rng_below(&build->rng, 2) == 1;
    int axis = ut_rng_below(&build->rng, 3);
    double side = ut_rng_below(&build->rng, 2) == 0 ? -1.0 : 1.0;
    if (a < 0) {
        return face;
    }
    if (any) {
        return (Face){axis, side};
    }
    const utMat3* R = &ut_build_body(build, a)->R;
    for (int k = 0; k < 3; k++) {
        if (fabs(R->m[2][k]) >= fabs(R->m[2][face.axis])) {
            face.axis = k;
        }
    }
    face.side = R->m[2][face.axis] < 0.0 ? -1.0 : 1.0;
    return face;
}

// A random point of a face of `a`, relative to its centre in its own axes; on the ground near the
// origin.
static utVec3 point_of_face(utBuild* build, int a, Face face)
{
    const utFrictionBody* A = ut_build_body(build, a);
    double ground = build->def->size * sqrt((double)build->def->count);
    double half[3] = {A->half.x, A->half.y, A->half.z};
    double at[3];
    for (int k = 0; k < 3; k++) {
        double reach = a < 0 ? ground : 0.8 * half[k];
        double across = ut_rng_range(&build->rng, -reach, reach);
        at[k] = k == face.axis ? face.side * half[k] : across;
    }
    return ut_vec3(at[0], at[1], at[2]);
}

// Place a new box on the ground or on an earlier box.
static void place_box(utBuild* build)
{
    utFrictionBody body = random_box(build);
    int earlier = build->used.bodies;
    int a = UT_BUILD_WORLD;
    if (earlier > 0 && ut_rng_below(&build->rng, 5) >= 2) {
        a = ut_rng_below(&build->rng, earlier);
    }
    const utFrictionBody* A = ut_build_body(build, a);
    Face face = choose_face(build, a);
    utVec3 normal = ut_vec3_scale(ut_mat3_column(A->R, face.axis), face.side);
    utVec3 on_face = ut_mat3_mul_vec(A->R, point_of_face(build, a, face));
    utVec3 point = ut_vec3_add(A->center, on_face);
    double gap = random_gap(build);

    bool flat = ut_rng_below(&build->rng, 2) == 0;
    utMat3 turned = random_rotation(&build->rng);
    if (flat) {
        const double half[3] = {body.half.x, body.half.y, body.half.z};
        body.R = A->R;
        body.center = ut_vec3_add_scaled(point, gap + half[face.axis], normal);
        ut_build_face(build, a, ut_build_add(build, body), face.axis, gap);
    } else {
        body.R = turned;
        utVec3 corner = ut_vec3_add_scaled(point, gap, normal);
        body.center = ut_vec3_sub(corner, corner_against(&body, normal));
        int b = ut_build_add(build, body);
        ut_build_contact(build, a, b, ut_vec3_add_scaled(point, 0.5 * gap, normal), normal, gap);
    }
}

// ---- further contacts ---------------------------------------------------------------------------

// A contact between two boxes whose circumscribed balls overlap. @return false when they do not
static bool join_pair(utBuild* build, int a, int b)
{
    const utFrictionBody* A = ut_build_body(build, a);
    const utFrictionBody* B = ut_build_body(build, b);
    utVec3 apart = ut_vec3_sub(B->center, A->center);
    double ra = ut_vec3_norm(A->half);
    double rb = ut_vec3_norm(B->half);
    utVec3 normal;
    if (!(ut_vec3_norm(apart) <= ra + rb) || !ut_vec3_normalize(apart, &normal)) {
        return false;
    }
    utVec3 point = ut_vec3_add_scaled(A->center, ra / (ra + rb), apart);
    ut_build_contact(build, a, b, point, normal, random_gap(build));
    return true;
}

// A fixed prop at a corner of box b, mostly from below.
static void prop_box(utBuild* build, int b)
{
    utVec3 normal = random_unit(&build->rng);
    if (normal.z < 0.0 && ut_rng_below(&build->rng, 4) > 0) {
        normal = ut_vec3_negate(normal);
    }
    double gap = random_gap(build);
    double half = 0.1 * build->def->size;
    const utFrictionBody* B = ut_build_body(build, b);
    utVec3 corner = ut_vec3_add(B->center, corner_against(B, normal));
    utVec3 t1, t2;
    ut_tangent_basis(normal, &t1, &t2);
    utFrictionBody prop = ut_build_box(ut_vec3_add_scaled(corner, -(gap + half), normal),
                                       ut_vec3(half, half, half), 0.0);
    prop.R = ut_mat3_from_columns(t1, t2, normal);
    int a = ut_build_add_fixed(build, prop);
    ut_build_contact(build, a, b, ut_vec3_add_scaled(corner, -0.5 * gap, normal), normal, gap);
}

// Another contact of a random box: with a box nearby, else with a prop.
static void close_loop(utBuild* build)
{
    const int count = build->used.bodies;
    int b = ut_rng_below(&build->rng, count);
    for (int t = 0; t < PAIR_TRIES && count > 1; t++) {
        int a = ut_rng_below(&build->rng, count - 1);
        a += a >= b;
        if (join_pair(build, a, b)) {
            return;
        }
    }
    prop_box(build, b);
}

void ut_build_pile(utBuild* build)
{
    ut_build_ground(build);
    for (int k = 0; k < build->def->count; k++) {
        place_box(build);
    }
    // every loop may need a prop
    int loops = build->capacity.fixed - 1;
    for (int k = 0; k < loops; k++) {
        close_loop(build);
    }
}
