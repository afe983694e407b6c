// SPDX-License-Identifier: Apache-2.0
// A plane cut in triangles is a plane: the same normals, gaps and points, however it is cut.
#include "surface_forms.h"

// One way to cut a plane.
typedef struct Cut {
    int nx, ny;
    double size, jitter;
    bool turned;  // the plane stands askew in the mesh's own frame
    double shape; // size of the shapes to lay on it
} Cut;

static const Cut cuts[] = {
    {1, 1, 5.0, 0.0, false, 1.0},    // two triangles
    {10, 10, 5.0, 0.0, false, 1.0},  // regular
    {10, 10, 5.0, 0.2, true, 1.0},   // irregular, askew
    {40, 40, 5.0, 0.2, false, 0.6},  // fine
    {40, 40, 0.02, 0.2, true, 4e-3}, // cells of 1 mm
    {4, 4, 2000.0, 0.2, true, 1.0},  // cells of 1 km
    {1000, 1, 5.0, 0.0, true, 0.3},  // skinny: 1 : 1000
    {600, 2, 5.0, 0.2, true, 0.3},   // skinny and askew
};

static utShape random_shape(utShapeKind kind, double size, utRng* rng, utHull* hull, utArena* arena)
{
    const double a = size * ut_rng_range(rng, 0.2, 1.0), b = size * ut_rng_range(rng, 0.2, 1.0);
    const double c = size * ut_rng_range(rng, 0.2, 1.0);
    if (kind == UT_SHAPE_HULL) {
        *hull = random_hull(12, size * 0.7, rng, arena);
        return hull_shape(hull);
    }
    return ut_shape(kind, ut_vec3(0.7 * a, 0.7 * b, 0.7 * c));
}

// A pose over the plane z = 0: lying on a face, tilted by a little, or any; a little above, in
// touch or deep.
static utFrame random_pose(const utShape* shape, double size, double spread, utRng* rng)
{
    static const double tilts[4] = {0.0, 1e-9, 1e-3, 1.0};
    utFrame at = ut_frame_identity();
    const double tilt = tilts[ut_rng_below(rng, 4)];
    if (tilt == 1.0) {
        at = random_turn(rng, ut_vec3_zero());
    } else {
        const utVec3 v = ut_vec3(ut_rng_normal(rng), ut_rng_normal(rng), 0.0);
        const utQuat lean = ut_quat_exp(ut_vec3_scale(v, tilt));
        const utQuat spin = ut_quat_exp(ut_vec3(0.0, 0.0, ut_rng_range(rng, -3.0, 3.0)));
        at.R = ut_quat_to_mat3(ut_quat_mul(lean, spin));
    }
    static const double gaps[5] = {0.0, 1e-9, -1e-9, -1e-3, -0.3};
    const double gap = size * gaps[ut_rng_below(rng, 5)] * ut_rng_range(rng, 0.1, 1.0);
    const utVec3 low = ut_shape_support(shape, ut_mat3_tmul_vec(at.R, ut_vec3(0.0, 0.0, -1.0)));
    at.p = ut_vec3(ut_rng_range(rng, -spread, spread), ut_rng_range(rng, -spread, spread),
                   gap - ut_mat3_mul_vec(at.R, low).z);
    return at;
}

// Everything that a manifold against the plane with normal n through P->p must be.
static void check_on_plane(const utShape* shape, utFrame at, const utFrame* P, double L,
                           double margin, int count, const utTouch* touch)
{
    const utVec3 n = ut_mat3_column(P->R, 2);
    const utVec3 low =
        ut_frame_point(at, ut_shape_support(shape, ut_mat3_tmul_vec(at.R, ut_vec3_negate(n))));
    const double gap = ut_vec3_dot(n, ut_vec3_sub(low, P->p));
    CHECK(count > 0);
    for (int i = 0; i < count; i++) {
        CHECK(ut_vec3_norm(ut_vec3_add(touch[i].normal, n)) <= 1e-9);
        CHECK(touch[i].gap <= margin);
        // halfway between the plane and the shape
        const double height = ut_vec3_dot(n, ut_vec3_sub(touch[i].point, P->p));
        CHECK_NEAR(height, 0.5 * touch[i].gap, 1e-12 * L);
    }
    // a cylinder that stands upright to 5e-9 has fixed points, which may miss 0.3 x 5e-9 r
    const double slack = shape->kind == UT_SHAPE_CYLINDER ? 2e-9 * shape->size.x : 0.0;
    CHECK_NEAR(deepest_gap(count, touch), gap, 1e-12 * L + slack);
}

static void try_cut(const Cut* cut, utShapeKind kind, int runs, uint64_t seed)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(seed, (uint64_t)kind);
    const utFrame inner = cut->turned
                              ? random_turn(&rng, ut_vec3(0.1 * cut->size, 0.0, 0.2 * cut->size))
                              : ut_frame_identity();
    const utMesh mesh = make_plane(cut->nx, cut->ny, cut->size, cut->jitter, inner, &rng, &arena);
    const utShape surface = mesh_shape(&mesh), flat = ut_shape(UT_SHAPE_PLANE, ut_vec3_zero());
    for (int run = 0; run < runs; run++) {
        utArena here = arena;
        utHull hull;
        const utShape shape = random_shape(kind, cut->shape, &rng, &hull, &here);
        // within the border
        const double spread = cut->size - 2.0 * cut->shape;
        const utFrame over = random_pose(&shape, cut->shape, spread, &rng);
        const utFrame M = random_turn(&rng, ut_vec3(1.0, 2.0, 3.0));
        const utFrame P = ut_frame_mul(M, inner), S = ut_frame_mul(P, over);
        const double margin = 0.05 * cut->shape;
        const double L = cut->shape + cut->size + 4.0;
        utTouch touch[UT_TOUCH_MAX], want[UT_TOUCH_MAX];
        const int count = ut_collide(&shape, S, &surface, M, margin, touch);
        check_on_plane(&shape, S, &P, L, margin, count, touch);
        const int expected = ut_collide(&shape, S, &flat, P, margin, want);
        if (kind <= UT_SHAPE_BOX) {
            CHECK_INT(count, expected);
        }
        if (kind <= UT_SHAPE_BOX && count == expected) {
            CHECK_NEAR(manifold_difference(count, touch, want), 0.0, 1e-12 * L);
        }
    }
}

static void try_all(utShapeKind kind)
{
    for (int i = 0; i < (int)(sizeof cuts / sizeof *cuts); i++) {
        try_cut(&cuts[i], kind, 200, 10 + (uint64_t)i);
    }
}

TEST(a_ball_on_a_triangulated_plane_sees_the_plane)
{
    try_all(UT_SHAPE_SPHERE);
}

TEST(a_capsule_on_a_triangulated_plane_sees_the_plane)
{
    try_all(UT_SHAPE_CAPSULE);
}

TEST(a_box_on_a_triangulated_plane_sees_the_plane)
{
    try_all(UT_SHAPE_BOX);
}

TEST(a_cylinder_on_a_triangulated_plane_sees_the_plane)
{
    try_all(UT_SHAPE_CYLINDER);
}

TEST(an_ellipsoid_on_a_triangulated_plane_sees_the_plane)
{
    try_all(UT_SHAPE_ELLIPSOID);
}

TEST(a_hull_on_a_triangulated_plane_sees_the_plane)
{
    try_all(UT_SHAPE_HULL);
}
