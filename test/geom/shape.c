// SPDX-License-Identifier: Apache-2.0
// Volumes, mass properties and bounds of shapes against closed forms, exact quadrature and sampling
// of the surface.
#include <math.h>
#include <string.h>
#include <uptack/geom.h>

#include "test.h"

static const double pi = 3.14159265358979323846;

static utShape plane(void)
{
    return (utShape){.kind = UT_SHAPE_PLANE, .size = {0.0, 0.0, 0.0}};
}

static utShape sphere(double r)
{
    return (utShape){.kind = UT_SHAPE_SPHERE, .size = {r, 0.0, 0.0}};
}

static utShape capsule(double r, double h)
{
    return (utShape){.kind = UT_SHAPE_CAPSULE, .size = {r, h, 0.0}};
}

static utShape box(double x, double y, double z)
{
    return (utShape){.kind = UT_SHAPE_BOX, .size = {x, y, z}};
}

static utFrame random_frame(utRng* rng)
{
    utQuat q;
    ut_quat_normalize(
        ut_quat(ut_rng_normal(rng), ut_rng_normal(rng), ut_rng_normal(rng), ut_rng_normal(rng)),
        &q);
    return ut_frame(ut_quat_to_mat3(q),
                    ut_vec3(ut_rng_range(rng, -2.0, 2.0), ut_rng_range(rng, -2.0, 2.0),
                            ut_rng_range(rng, -2.0, 2.0)));
}

// ---- names and checks ---------------------------------------------------------------------------

TEST(every_kind_has_a_name)
{
    CHECK_TEXT(ut_shape_kind_name(UT_SHAPE_PLANE), "plane");
    CHECK_TEXT(ut_shape_kind_name(UT_SHAPE_SPHERE), "sphere");
    CHECK_TEXT(ut_shape_kind_name(UT_SHAPE_CAPSULE), "capsule");
    CHECK_TEXT(ut_shape_kind_name(UT_SHAPE_BOX), "box");
    CHECK(ut_shape_kind_name(UT_SHAPE_KIND_COUNT) != NULL);
}

static bool refused(utShape shape, const char* word)
{
    utError err = {0};
    return ut_shape_check(&shape, &err) == UT_ERR_ARGUMENT && err.status == UT_ERR_ARGUMENT &&
           strstr(err.message, word) != NULL;
}

TEST(sizes_must_be_positive_and_finite_where_they_are_read)
{
    const utShape good[] = {plane(),
                            {.kind = UT_SHAPE_PLANE, .size = {(double)NAN, -1.0, HUGE_VAL}},
                            sphere(1e-9),
                            capsule(0.1, 0.0),
                            box(1.0, 2.0, 3.0)};
    for (int i = 0; i < 5; i++) {
        CHECK(ut_shape_check(&good[i], NULL) == UT_OK);
    }
    CHECK(refused(sphere(0.0), "radius"));
    CHECK(refused(sphere((double)NAN), "radius"));
    CHECK(refused(sphere(HUGE_VAL), "radius"));
    CHECK(refused(capsule(-0.1, 1.0), "radius"));
    CHECK(refused(capsule(0.1, -1e-300), "half length"));
    CHECK(refused(capsule(0.1, (double)NAN), "half length"));
    CHECK(refused(box(0.0, 1.0, 1.0), "x"));
    CHECK(refused(box(1.0, -1.0, 1.0), "along y"));
    CHECK(refused(box(1.0, 1.0, (double)NAN), "along z"));
    CHECK(refused((utShape){.kind = UT_SHAPE_KIND_COUNT, .size = {1.0, 1.0, 1.0}}, "kind"));
}

// ---- mass ---------------------------------------------------------------------------------------

// 35.6047 kg = 1000 (pi 0.1^2 1 + 4/3 pi 0.1^3), as MuJoCo's manual computes it for this capsule
TEST(volumes_by_hand)
{
    const utShape p = plane(), s = sphere(2.0), c = capsule(0.1, 0.5), b = box(0.5, 1.0, 1.5);
    CHECK_NEAR(ut_shape_volume(&p), 0.0, 0.0);
    CHECK_NEAR(ut_shape_volume(&s), 32.0 / 3.0 * pi, 1e-14);
    CHECK_NEAR(ut_shape_inertia(&c, 1000.0).mass, 35.6047, 5e-5);
    CHECK_NEAR(ut_shape_volume(&b), 6.0, 0.0);
}

TEST(inertias_by_hand)
{
    const utShape p = plane(), s = sphere(2.0), b = box(0.5, 1.0, 1.5);
    CHECK_NEAR(ut_shape_inertia(&p, 1000.0).mass, 0.0, 0.0);
    CHECK_NEAR(ut_shape_inertia(&p, 1000.0).inertia.m[2][2], 0.0, 0.0);
    const utInertia ball = ut_shape_inertia(&s, 3.0);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(ball.inertia.m[i][i], 0.4 * 32.0 * pi * 4.0, 1e-12);
    }
    // 12 kg with sides 1, 2, 3: mass (b^2 + c^2) / 12
    const utInertia brick = ut_shape_inertia(&b, 2.0);
    CHECK_NEAR(brick.mass, 12.0, 0.0);
    CHECK_NEAR(brick.inertia.m[0][0], 13.0, 1e-14);
    CHECK_NEAR(brick.inertia.m[1][1], 10.0, 1e-14);
    CHECK_NEAR(brick.inertia.m[2][2], 5.0, 1e-14);
    CHECK_NEAR(brick.inertia.m[0][1], 0.0, 0.0);
}

// A body of revolution is a pile of discs: with R^2(z) a polynomial on each piece, the integrals of
// pi R^2, pi R^4 / 2 and pi (R^4 / 4 + R^2 z^2) have degree at most 4, and three Gauss points on
// each piece are exact to degree 5.
static void add_slices(double low, double high, double r, double h, double* volume, double* along,
                       double* across)
{
    static const double node[3] = {-0.774596669241483377, 0.0, 0.774596669241483377};
    static const double weight[3] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
    for (int i = 0; i < 3; i++) {
        const double z = 0.5 * (low + high) + 0.5 * (high - low) * node[i];
        const double beyond = fabs(z) > h ? fabs(z) - h : 0.0;
        const double square = r * r - beyond * beyond;
        const double w = 0.5 * (high - low) * weight[i] * pi;
        *volume += w * square;
        *along += w * 0.5 * square * square;
        *across += w * (0.25 * square * square + square * z * z);
    }
}

TEST(a_capsule_weighs_what_its_slices_weigh)
{
    utRng rng = ut_rng(1, 0);
    for (int k = 0; k < 200; k++) {
        const double r = ut_rng_range(&rng, 0.01, 2.0);
        const double h = k == 0 ? 0.0 : ut_rng_range(&rng, 0.0, 3.0);
        double volume = 0.0, along = 0.0, across = 0.0;
        add_slices(-h - r, -h, r, h, &volume, &along, &across);
        add_slices(-h, h, r, h, &volume, &along, &across);
        add_slices(h, h + r, r, h, &volume, &along, &across);
        const utShape shape = capsule(r, h);
        const utInertia I = ut_shape_inertia(&shape, 1.0);
        // some 40 roundings of positive terms
        CHECK_NEAR(I.mass, volume, 1e-14 * volume);
        CHECK_NEAR(I.inertia.m[2][2], along, 1e-14 * along);
        CHECK_NEAR(I.inertia.m[0][0], across, 1e-14 * across);
        CHECK_NEAR(I.inertia.m[1][1], across, 1e-14 * across);
        CHECK_NEAR(I.com.z, 0.0, 0.0);
    }
}

// ---- reach --------------------------------------------------------------------------------------

TEST(radii_by_hand)
{
    const utShape p = plane(), s = sphere(2.0), c = capsule(0.1, 0.5), b = box(2.0, 3.0, 6.0);
    CHECK(isinf(ut_shape_radius(&p)));
    CHECK_NEAR(ut_shape_radius(&s), 2.0, 0.0);
    CHECK_NEAR(ut_shape_radius(&c), 0.6, 0.0);
    CHECK_NEAR(ut_shape_radius(&b), 7.0, 0.0);
}

static double support(const utShape* shape, utVec3 d)
{
    const double r = shape->size.x * ut_vec3_norm(d);
    if (shape->kind == UT_SHAPE_BOX) {
        double most = -HUGE_VAL;
        for (int i = 0; i < 8; i++) {
            const utVec3 corner = ut_vec3(i & 1 ? shape->size.x : -shape->size.x,
                                          i & 2 ? shape->size.y : -shape->size.y,
                                          i & 4 ? shape->size.z : -shape->size.z);
            most = fmax(most, ut_vec3_dot(corner, d));
        }
        return most;
    }
    return shape->kind == UT_SHAPE_CAPSULE ? r + shape->size.y * fabs(d.z) : r;
}

// the farthest point along a world axis e is p.e + support(R^T e)
TEST(bounds_are_the_supports_along_the_axes)
{
    utRng rng = ut_rng(2, 0);
    for (int k = 0; k < 300; k++) {
        const double a = ut_rng_range(&rng, 0.1, 1.0), b = ut_rng_range(&rng, 0.1, 1.0);
        const utShape shapes[] = {sphere(a), capsule(a, b),
                                  box(a, b, ut_rng_range(&rng, 0.1, 1.0))};
        const utShape* shape = &shapes[k % 3];
        const utFrame at = random_frame(&rng);
        const utBounds bounds = ut_shape_bounds(shape, at);
        const double low[3] = {bounds.low.x, bounds.low.y, bounds.low.z};
        const double high[3] = {bounds.high.x, bounds.high.y, bounds.high.z};
        const double p[3] = {at.p.x, at.p.y, at.p.z};
        for (int i = 0; i < 3; i++) {
            const utVec3 d = ut_mat3_row(at.R, i);
            CHECK_NEAR(high[i], p[i] + support(shape, d), 4e-15);
            CHECK_NEAR(low[i], p[i] - support(shape, ut_vec3_negate(d)), 4e-15);
        }
    }
}

TEST(a_plane_is_bounded_along_its_normal_alone)
{
    const utShape ground = plane();
    const utVec3 p = ut_vec3(1.0, 2.0, 3.0);
    utBounds bounds = ut_shape_bounds(&ground, ut_frame(ut_mat3_identity(), p));
    CHECK(bounds.high.z == 3.0 && bounds.low.z == -HUGE_VAL);
    CHECK(bounds.low.x == -HUGE_VAL && bounds.high.x == HUGE_VAL);
    CHECK(bounds.low.y == -HUGE_VAL && bounds.high.y == HUGE_VAL);
    // its normal along -x: the half space x >= 1
    const utMat3 turned = ut_mat3_from_columns(ut_vec3(0.0, 0.0, 1.0), ut_vec3(0.0, 1.0, 0.0),
                                               ut_vec3(-1.0, 0.0, 0.0));
    bounds = ut_shape_bounds(&ground, ut_frame(turned, p));
    CHECK(bounds.low.x == 1.0 && bounds.high.x == HUGE_VAL);
    CHECK(bounds.low.z == -HUGE_VAL && bounds.high.z == HUGE_VAL);
    // aslant: all of space
    const utMat3 slanted = ut_quat_to_mat3(ut_quat(0.8, 0.6, 0.0, 0.0));
    bounds = ut_shape_bounds(&ground, ut_frame(slanted, p));
    CHECK(bounds.high.z == HUGE_VAL && bounds.low.y == -HUGE_VAL && bounds.high.y == HUGE_VAL);
}
