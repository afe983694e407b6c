// SPDX-License-Identifier: Apache-2.0
// Times of impact against closed forms and against a bisection on the exact gap.
#include "oracle.h"
#include "surface_forms.h"

static const double target = 1e-4;

static utMotion moves(double x, double y, double z)
{
    return ut_motion(ut_vec3(x, y, z), ut_vec3_zero());
}

static utMotion still(void)
{
    return moves(0.0, 0.0, 0.0);
}

// where a frame is after t
static utFrame after(utFrame F, utMotion m, double t)
{
    const double speed = ut_vec3_norm(m.angular);
    F.p = ut_vec3_add_scaled(F.p, t, m.linear);
    if (speed > 0.0) {
        const utVec3 axis = ut_vec3_scale(m.angular, 1.0 / speed);
        F.R = ut_mat3_mul(ut_quat_to_mat3(ut_quat_from_axis_angle(axis, speed * t)), F.R);
    }
    return F;
}

typedef struct Shot {
    utShape a, b;
    utFrame A, B;
    utMotion va, vb;
    double h;
} Shot;

static bool impact(const Shot* s, double* time)
{
    return ut_time_of_impact(&s->a, s->A, s->va, &s->b, s->B, s->vb, s->h, target, time);
}

// the gap at time t, exact for planes, spheres, capsules and boxes; HUGE_VAL beyond 100 m
static double gap_at(const Shot* s, double t)
{
    utTouch touch[UT_TOUCH_MAX];
    const int count =
        ut_collide(&s->a, after(s->A, s->va, t), &s->b, after(s->B, s->vb, t), 100.0, touch);
    return count > 0 ? touch[deepest(touch, count)].gap : HUGE_VAL;
}

// The first time that the gap falls to the target: scanned in `steps`, then bisected. Without one
// h.
static double first_time(const Shot* s, int steps)
{
    for (int i = 1; i <= steps; i++) {
        double low = s->h * (i - 1) / steps, high = s->h * i / steps;
        if (gap_at(s, high) <= target) {
            for (int k = 0; k < 60; k++) {
                const double middle = 0.5 * (low + high);
                *(gap_at(s, middle) <= target ? &high : &low) = middle;
            }
            return high;
        }
    }
    return s->h;
}

// ---- closed forms -------------------------------------------------------------------------------

// |p + v t| = r1 + r2 + target
static double spheres_meet(utVec3 p, utVec3 v, double distance)
{
    const double a = ut_vec3_dot(v, v), b = ut_vec3_dot(p, v);
    const double c = ut_vec3_dot(p, p) - distance * distance, root = b * b - a * c;
    return root >= 0.0 && b < 0.0 ? (-b - sqrt(root)) / a : HUGE_VAL;
}

// What comes to within 1e-6 of the target counts as there: with an approach of v_n at the end that
// is 1e-6 target / v_n early. Rounding of distances below 16 m: 1e-13 / v_n.
TEST(two_spheres_meet_when_the_quadratic_says)
{
    utRng rng = ut_rng(31, 0);
    int hits = 0, misses = 0, wrong = 0, late = 0, early = 0;
    for (int i = 0; i < 5000; i++) {
        Shot s = {.a = sphere(ut_rng_range(&rng, 0.01, 1.0)),
                  .b = sphere(ut_rng_range(&rng, 0.01, 1.0)),
                  .h = 1.0};
        const utVec3 p = ut_vec3_scale(random_unit(&rng), ut_rng_range(&rng, 2.1, 4.0));
        const utVec3 v = ut_vec3_scale(random_unit(&rng), ut_rng_range(&rng, 0.0, 10.0));
        const utVec3 common = ut_vec3_scale(random_unit(&rng), 5.0);
        s.A = turned(random_unit(&rng), 1.0, common);
        s.B = turned(random_unit(&rng), 2.0, ut_vec3_add(common, p));
        // they spin, which must not matter
        s.va = ut_motion(common, ut_vec3_scale(random_unit(&rng), 100.0));
        s.vb = ut_motion(ut_vec3_add(common, v), ut_vec3_scale(random_unit(&rng), 100.0));
        const double distance = s.a.size.x + s.b.size.x + target;
        const double want = spheres_meet(p, v, distance);
        // how squarely they meet; and grazes, where a hair decides, are for another test
        const utVec3 at_impact = ut_vec3_add_scaled(p, want, v);
        const double v_n = want < 2.0 ? -ut_vec3_dot(at_impact, v) / distance : 0.0;
        if (want < HUGE_VAL && fabs(want - s.h) < 1e-6) {
            continue;
        }
        double got = -1.0;
        const bool hit = impact(&s, &got);
        const double closest =
            want < HUGE_VAL ? 0.0 : ut_vec3_norm(ut_vec3_cross(p, v)) / ut_vec3_norm(v) - distance;
        if (want > s.h) {
            misses++;
            wrong += hit && !(closest > 0.0 && closest < 1e-9);
        } else {
            hits++;
            wrong += !hit;
            late += hit && !(got <= want + 1e-13 / v_n);
            early += hit && !(got >= want - (1.1e-6 * target + 1e-13) / v_n);
        }
    }
    CHECK(hits > 100 && misses > 1000);
    CHECK_INT(wrong, 0);
    CHECK_INT(late, 0);
    CHECK_INT(early, 0);
}

// Centre at height 2 + v t; the lowest corner of a cube of half extent 0.5 on its corner is
// sqrt(0.75) below it. 2 - 4 t - 0.75^0.5 = 1e-4
TEST(a_falling_box_meets_the_plane_with_its_corner)
{
    const utVec3 diagonal = {1.0 / sqrt(3.0), 1.0 / sqrt(3.0), 1.0 / sqrt(3.0)};
    // the rotation that turns the diagonal down
    const utVec3 axis = ut_vec3_cross(diagonal, ut_vec3(0.0, 0.0, -1.0));
    utVec3 unit;
    CHECK(ut_vec3_normalize(axis, &unit));
    const double angle = acos(-diagonal.z);
    Shot s = {.a = plane(), .b = box(0.5, 0.5, 0.5), .A = at(0, 0, 0), .h = 1.0};
    s.B = turned(unit, angle, ut_vec3(3.0, -2.0, 2.0));
    s.va = still();
    s.vb = moves(1.0, 2.0, -4.0);
    const double want = (2.0 - sqrt(0.75) - target) / 4.0;
    double got = -1.0;
    CHECK(impact(&s, &got));
    CHECK(got <= want + 1e-14 && got >= want - 1e-6 * target / 4.0 - 1e-14);
    // and it is the same seen from the box
    CHECK(ut_time_of_impact(&s.b, s.B, s.vb, &s.a, s.A, s.va, s.h, target, &got));
    CHECK(got <= want + 1e-14 && got >= want - 1e-6 * target / 4.0 - 1e-14);
    // just too short, and away from it
    s.h = want - 1e-6;
    CHECK(!impact(&s, &got));
    s.h = 100.0;
    s.vb = moves(1.0, 2.0, 0.0);
    CHECK(!impact(&s, &got));
    s.vb = moves(0.0, 0.0, 4.0);
    CHECK(!impact(&s, &got));
}

// A bar (capsule of radius 0.05) along x turns about z at 2 rad/s towards a ball of radius 0.1 at
// polar angle 60 degrees, 0.3 or 0.9 m out: the axis passes d = 0.3 sin(60 degrees - 2 t) from its
// centre, and d = 0.05 + 0.1 + target gives t.
TEST(a_turning_bar_meets_a_ball_where_the_sine_says)
{
    const double third = acos(0.5);
    for (int i = 0; i < 2; i++) {
        const double out = i == 0 ? 0.3 : 0.9;
        Shot s = {.a = capsule(0.05, 1.0), .b = sphere(0.1), .h = 1.0, .vb = still()};
        s.A = turned(ut_vec3(0.0, 1.0, 0.0), acos(0.0), ut_vec3_zero());
        s.B = at(out * cos(third), out * sin(third), 0.0);
        s.va = ut_motion(ut_vec3_zero(), ut_vec3(0.0, 0.0, 2.0));
        const double want = 0.5 * (third - asin((0.15 + target) / out));
        double got = -1.0;
        CHECK(impact(&s, &got));
        // approach at the end: 2 out cos(...) > 0.5 m/s; rounding of three sines 1e-15
        CHECK(got <= want + 1e-14 && got >= want - 1e-6 * target / 0.5 - 1e-14);
    }
}

TEST(what_is_near_at_once_meets_at_once_and_bad_numbers_never)
{
    Shot s = {.a = sphere(1.0), .b = sphere(1.0), .A = at(0, 0, 0), .B = at(2.00005, 0, 0)};
    s.va = s.vb = still();
    s.h = 1.0;
    double got = -1.0;
    CHECK(impact(&s, &got) && got == 0.0);
    s.B = at(1.5, 0, 0);
    CHECK(impact(&s, &got) && got == 0.0);
    s.B = at(3, 0, 0);
    CHECK(!impact(&s, &got));
    s.h = 0.0;
    s.vb = moves(-10, 0, 0);
    CHECK(!impact(&s, &got));
    s.h = (double)NAN;
    CHECK(!impact(&s, &got));
    s.h = 1.0;
    s.vb = moves((double)NAN, 0, 0);
    CHECK(!impact(&s, &got));
    s.vb = moves(-10, 0, 0);
    s.B.p.y = (double)NAN;
    CHECK(!impact(&s, &got));
    // two planes have no gap
    s.B = at(3, 0, 0);
    s.a = s.b = plane();
    CHECK(!impact(&s, &got));
}

// ---- random motions -----------------------------------------------------------------------------

static utShape random_shape(utRng* rng)
{
    const int kind = ut_rng_below(rng, 3);
    const double x = ut_rng_range(rng, 0.05, 0.5), y = ut_rng_range(rng, 0.05, 0.5);
    return kind == 0   ? sphere(x)
           : kind == 1 ? capsule(x, y)
                       : box(x, y, ut_rng_range(rng, 0.01, 0.5));
}

static utMotion random_motion(utRng* rng, double speed, double spin)
{
    const utVec3 v = ut_vec3_scale(random_unit(rng), ut_rng_range(rng, 0.0, speed));
    return ut_motion(v, ut_vec3_scale(random_unit(rng), ut_rng_range(rng, 0.0, spin)));
}

// Sampled at 400 instants the gap may dip below the target between two of them: then ours is
// earlier, which is right. So: never later than what was seen, never nearer than the target at any
// of 20 instants before, and at the returned time near the target unless the steps ran out.
TEST(random_motions_are_never_caught_too_late)
{
    utRng rng = ut_rng(32, 0);
    int late = 0, near_before = 0, hits = 0, far_off = 0, invented = 0;
    for (int i = 0; i < 1500; i++) {
        Shot s = {.a = i % 5 == 0 ? plane() : random_shape(&rng), .b = random_shape(&rng)};
        s.A = turned(random_unit(&rng), ut_rng_range(&rng, 0.0, 3.0), ut_vec3_zero());
        s.B = turned(random_unit(&rng), ut_rng_range(&rng, 0.0, 3.0),
                     ut_vec3_scale(random_unit(&rng), ut_rng_range(&rng, 0.5, 2.5)));
        s.va = random_motion(&rng, 2.0, i % 5 == 0 ? 0.0 : 10.0);
        s.vb = random_motion(&rng, 2.0, 10.0);
        s.h = 1.0;
        const double want = first_time(&s, 400);
        double got = s.h;
        const bool hit = impact(&s, &got);
        late += !((hit ? got : s.h) <= want + 1e-12);
        invented += hit && want == s.h && gap_at(&s, got) > 1.01 * target;
        if (!hit) {
            continue;
        }
        hits++;
        for (int k = 0; got > 0.0 && k <= 20; k++) {
            near_before += !(gap_at(&s, got * k / 20) >= target - 1e-11);
        }
        far_off += got > 0.0 && !(gap_at(&s, got) <= 1.01 * target);
    }
    CHECK(hits > 300);
    CHECK_INT(late, 0);
    CHECK_INT(near_before, 0);
    CHECK_INT(far_off, 0);
    CHECK_INT(invented, 0);
}

// A box of triangles is hit when the box is. Each of the two times is at most the true time and has a
// gap of at most 1.01 target.
TEST(shots_at_a_box_of_triangles_hit_it_when_they_hit_the_box)
{
    utRng rng = ut_rng(35, 0);
    int hits = 0, differ = 0, near_before = 0, far_off = 0;
    for (int i = 0; i < 1000; i++) {
        utArena arena = test_arena();
        Shot s = {.a = box(ut_rng_range(&rng, 0.1, 0.5), ut_rng_range(&rng, 0.1, 0.5), 0.3),
                  .b = random_shape(&rng),
                  .h = 1.0};
        s.A = turned(random_unit(&rng), ut_rng_range(&rng, 0.0, 3.0), ut_vec3_zero());
        s.B = turned(random_unit(&rng), ut_rng_range(&rng, 0.0, 3.0),
                     ut_vec3_scale(random_unit(&rng), ut_rng_range(&rng, 1.5, 2.5)));
        s.va = random_motion(&rng, 1.0, i % 2 == 0 ? 0.0 : 3.0);
        s.vb = random_motion(&rng, 2.0, 3.0);
        s.vb.linear = ut_vec3_sub(s.vb.linear, s.B.p);
        const utMesh mesh = make_box_mesh(s.a.size, &arena);
        Shot triangles = s;
        triangles.a = mesh_shape(&mesh);
        double t_box = s.h, t_mesh = s.h;
        const bool hits_box = impact(&s, &t_box), hits_mesh = impact(&triangles, &t_mesh);
        differ += hits_box != hits_mesh;
        hits += hits_mesh;
        for (int k = 0; hits_mesh && k <= 20; k++) {
            near_before += !(gap_at(&s, t_mesh * k / 20) >= target - 1e-11);
        }
        far_off += hits_mesh && !(gap_at(&s, t_mesh) <= 1.01 * target);
    }
    CHECK(hits > 200);
    CHECK_INT(differ, 0);
    CHECK_INT(near_before, 0);
    CHECK_INT(far_off, 0);
}

// ---- every convex shape -------------------------------------------------------------------------

static utShape any_shape(utRng* rng)
{
    static const utShapeKind kinds[] = {UT_SHAPE_SPHERE, UT_SHAPE_CAPSULE, UT_SHAPE_BOX,
                                        UT_SHAPE_CYLINDER, UT_SHAPE_ELLIPSOID};
    const double x = ut_rng_range(rng, 0.05, 0.5), y = ut_rng_range(rng, 0.05, 0.5);
    return ut_shape(kinds[ut_rng_below(rng, 5)], ut_vec3(x, y, ut_rng_range(rng, 0.05, 0.5)));
}

// Judged by ut_gap and the bound of its own error: no nearer than the target before, there at the
// returned time; and what is said not to meet does not at any of 200 instants.
TEST(all_convex_shapes_come_to_the_target_and_not_nearer)
{
    utRng rng = ut_rng(34, 0);
    int hits = 0, too_near = 0, far_off = 0, missed = 0, failed = 0;
    for (int i = 0; i < 2000; i++) {
        Shot s = {.a = i % 5 == 0 ? plane() : any_shape(&rng), .b = any_shape(&rng), .h = 1.0};
        s.A = turned(random_unit(&rng), ut_rng_range(&rng, 0.0, 3.0), ut_vec3_zero());
        s.B = turned(random_unit(&rng), ut_rng_range(&rng, 0.0, 3.0),
                     ut_vec3_scale(random_unit(&rng), ut_rng_range(&rng, 0.5, 2.5)));
        s.va = random_motion(&rng, 2.0, i % 5 == 0 ? 0.0 : 10.0);
        s.vb = random_motion(&rng, 2.0, 10.0);
        double got = s.h;
        const bool hit = impact(&s, &got);
        hits += hit && got > 0.0;
        const int instants = got > 0.0 ? 200 : 0;
        for (int k = 0; k <= instants; k++) {
            const double t = got * k / 200;
            utGap gap;
            failed += ut_gap(&s.a, after(s.A, s.va, t), &s.b, after(s.B, s.vb, t), &gap) != UT_OK;
            if (got > 0.0) {
                too_near += hit && !(gap.gap >= target - gap.error - 1e-12);
                missed += !hit && !(gap.gap >= target - gap.error - 1e-12);
            }
            far_off += hit && k == instants && !(gap.gap <= 1.01 * target + gap.error);
        }
    }
    CHECK(hits > 100);
    CHECK_INT(failed, 0);
    CHECK_INT(too_near, 0);
    CHECK_INT(missed, 0);
    CHECK_INT(far_off, 0);
}

// ---- plates and grazes --------------------------------------------------------------------------

// A plate of 1 mm, small bodies at 100 m/s that in one step of 10 ms fly a metre: from one side to
// the other, tumbling. Every one must be caught before it touches.
TEST(nothing_tunnels_through_a_thin_plate)
{
    utRng rng = ut_rng(33, 0);
    int missed = 0, touched = 0;
    for (int i = 0; i < 10000; i++) {
        Shot s = {.a = box(0.5, 0.5, 0.0005), .h = 0.01};
        const double size = ut_rng_range(&rng, 0.0005, 0.005);
        const int kind = ut_rng_below(&rng, 3);
        s.b = kind == 0   ? sphere(size)
              : kind == 1 ? capsule(size, size)
                          : box(size, size, 0.5 * size);
        s.A = turned(random_unit(&rng), ut_rng_range(&rng, 0.0, 3.0), random_unit(&rng));
        // aimed at a point of the plate from within half a metre, no flatter than 30 degrees
        const utVec3 aim =
            ut_vec3(ut_rng_range(&rng, -0.4, 0.4), ut_rng_range(&rng, -0.4, 0.4), 0.0);
        utVec3 way = random_unit(&rng);
        while (fabs(way.z) < 0.5) {
            way = random_unit(&rng);
        }
        const utVec3 from = ut_vec3_add_scaled(aim, -ut_rng_range(&rng, 0.05, 0.5), way);
        s.B = turned(random_unit(&rng), ut_rng_range(&rng, 0.0, 3.0), ut_frame_point(s.A, from));
        s.va = still();
        s.vb = ut_motion(ut_vec3_scale(ut_mat3_mul_vec(s.A.R, way), 100.0),
                         ut_vec3_scale(random_unit(&rng), ut_rng_range(&rng, 0.0, 200.0)));
        double got = -1.0;
        const bool hit = impact(&s, &got);
        missed += !hit;
        touched += hit && !(gap_at(&s, got) > 0.5 * target);
    }
    CHECK_INT(missed, 0);
    CHECK_INT(touched, 0);
}

// A ball that flies along a plane a hair above the target, and one that grazes another: whatever is
// said, it ends, and it is never late.
TEST(grazing_motions_end_and_are_not_late)
{
    Shot s = {.a = plane(), .b = sphere(0.5), .A = at(0, 0, 0), .h = 1.0};
    s.va = still();
    double got = -1.0;
    for (int i = -3; i <= 3; i++) {
        const double above = i * 1e-12;
        s.B = at(0.0, 0.0, 0.5 + target + above);
        s.vb = moves(100.0, 0.0, 0.0);
        const bool hit = impact(&s, &got);
        CHECK(!hit || got == 0.0);
        Shot two = {.a = sphere(0.5), .b = sphere(0.5), .h = 1.0, .va = still()};
        two.A = at(0.0, 0.0, 0.0);
        two.B = at(-2.0, 1.0 + target + above, 0.0);
        two.vb = moves(100.0, 0.0, 0.0);
        CHECK(!impact(&two, &got) || got <= 0.02 + 1e-9);
    }
}
