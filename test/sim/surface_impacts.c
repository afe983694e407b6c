// SPDX-License-Identifier: Apache-2.0
// Bodies that fall onto meshes and height fields: contacts act before they touch, so no step ends in
// an overlap.
#include "ground.h"

static const double H = 0.002;

// ---- bodies -------------------------------------------------------------------------------------

typedef struct Fall {
    utShapeKind kind;
    utVec3 size;
    double q[7], v[6];
} Fall;

static utShape shape_of(const Fall* f)
{
    return ut_shape(f->kind, f->size);
}

static utFrame frame_of(const double* q)
{
    return ut_frame(ut_quat_to_mat3(ut_quat(q[3], q[4], q[5], q[6])), ut_vec3(q[0], q[1], q[2]));
}

// A ground and a body over it, ready to step.
static Lab drop(const Fall* f, utShape ground, bool fast)
{
    Lab lab = lab_open(H);
    if (ground.kind == UT_SHAPE_PLANE) {
        lab_floor(&lab, 0.5);
    } else {
        add_ground(&lab, ground, 0.5);
    }
    utBodyDef def = ut_body_def();
    def.fast = fast;
    const int body = ut_model_def_body(lab.def, &def);
    lab_free(&lab, body);
    lab_geom(&lab, body, f->kind, f->size, 1.0, 0.5);
    lab_start(&lab);
    lab_state(&lab, f->q, f->v);
    return lab;
}

// ---- flat ground --------------------------------------------------------------------------------

enum { FALL_STEPS = 150, FLAT_GROUNDS = 3 };

static double flat(double x, double y)
{
    (void)x;
    (void)y;
    return 0.0;
}

static utShape flat_ground(int ground, utArena* keep)
{
    return ground == 0   ? ut_shape(UT_SHAPE_PLANE, ut_vec3(1, 1, 1))
           : ground == 1 ? mesh_ground(keep, flat, 0.15)
                         : heights_ground(keep, flat);
}

// Depth of the lowest point below z = 0.
static double depth_below_floor(const Fall* f, const double* q)
{
    const utShape shape = shape_of(f);
    const utFrame at = frame_of(q);
    const utVec3 down = ut_mat3_tmul_vec(at.R, ut_vec3(0, 0, -1));
    return -ut_frame_point(at, ut_shape_support(&shape, down)).z;
}

// @param path receives the positions after each step  @return the deepest overlap after any step
static double fall(const Fall* f, utShape ground, bool fast, double path[FALL_STEPS][7])
{
    Lab lab = drop(f, ground, fast);
    double deepest = -HUGE_VAL;
    for (int k = 0; k < FALL_STEPS; k++) {
        lab_step(&lab, NULL, NULL);
        memcpy(path[k], ut_sim_q(lab.sim), 7 * sizeof(double));
        deepest = fmax(deepest, depth_below_floor(f, path[k]));
    }
    lab_certified(&lab);
    lab_close(&lab);
    return deepest;
}

static double largest_difference(double a[FALL_STEPS][7], double b[FALL_STEPS][7])
{
    double most = 0.0;
    for (int k = 0; k < FALL_STEPS; k++) {
        for (int i = 0; i < 7; i++) {
            most = fmax(most, fabs(a[k][i] - b[k][i]));
        }
    }
    return most;
}

static const Fall level[] = {
    {UT_SHAPE_SPHERE, {0.1, 0, 0}, {0.03, 0.07, 0.3, 1, 0, 0, 0}, {0, 0, -2}},
    {UT_SHAPE_BOX, {0.1, 0.12, 0.08}, {0.03, 0.07, 0.3, 1, 0, 0, 0}, {0, 0, -2}},
    {UT_SHAPE_BOX, {0.3, 0.4, 0.1}, {0.2, -0.1, 0.5, 1, 0, 0, 0}, {0, 0, -4}},
    {UT_SHAPE_CAPSULE,
     {0.05, 0.2, 0},
     {0.03, 0.07, 0.4, 0.70710678118654752, 0, 0.70710678118654752, 0},
     {0, 0, -3}},
    {UT_SHAPE_CYLINDER, {0.1, 0.05, 0}, {0.03, 0.07, 0.3, 1, 0, 0, 0}, {0, 0, -2}},
};

static const Fall tilted[] = {
    {UT_SHAPE_BOX, {0.3, 0.4, 0.1}, {0.2, -0.1, 0.8, 0.96, 0.28, 0, 0}, {1, 0.5, -4}},
    {UT_SHAPE_CAPSULE, {0.05, 0.2, 0}, {0.03, 0.07, 0.4, 0.8, 0, 0.6, 0}, {0, 0, -5}},
    {UT_SHAPE_CYLINDER, {0.1, 0.05, 0}, {0.03, 0.07, 0.3, 0.96, 0, 0.28, 0}, {0, 0, -2}},
};

enum { LEVEL = sizeof level / sizeof *level, TILTED = sizeof tilted / sizeof *tilted };

static double plane_path[FALL_STEPS][7], other_path[FALL_STEPS][7];

// The bodies fall by 4 to 10 mm per step. A level body does not turn, so its contacts are exact. At
// 5 m/s an error E = 1e-8 of the velocity moves it by 1e-8 * 5 m/s * h = 1e-10 m.
TEST(level_bodies_that_fall_on_flat_triangles_do_not_sink_in)
{
    for (int i = 0; i < LEVEL; i++) {
        for (int ground = 0; ground < FLAT_GROUNDS; ground++) {
            utArena keep = test_arena();
            const double deepest = fall(&level[i], flat_ground(ground, &keep), false, other_path);
            CHECK(deepest > -1e-9); // it arrived
            CHECK(deepest <= 1e-9);
        }
    }
}

// A flat surface has the contacts of a plane, so the two paths differ by the errors of the solver. An
// impact at 5 m/s may have an error of 1e-8 * 5 m/s, or of 5e-7 rad/s at a lever of 0.1 m. Over 0.3 s
// this is 1.5e-7 rad, and there are a few impacts.
TEST(bodies_fall_on_flat_triangles_as_on_a_plane)
{
    for (int i = 0; i < LEVEL + TILTED; i++) {
        const Fall* f = i < LEVEL ? &level[i] : &tilted[i - LEVEL];
        utArena keep = test_arena();
        fall(f, flat_ground(0, &keep), false, plane_path);
        for (int ground = 1; ground < FLAT_GROUNDS; ground++) {
            fall(f, flat_ground(ground, &keep), false, other_path);
            CHECK(largest_difference(plane_path, other_path) <= 1e-6);
        }
    }
}

// A fast body that hits the ground may overlap it by 1e-4 of its radius, which is at most 0.51 m here.
// It falls by 60 mm per step.
TEST(fast_bodies_do_not_sink_into_flat_triangles)
{
    for (int i = 0; i < LEVEL; i++) {
        Fall f = level[i];
        f.v[2] = -30.0;
        for (int ground = 0; ground < FLAT_GROUNDS; ground++) {
            utArena keep = test_arena();
            const double deepest = fall(&f, flat_ground(ground, &keep), true, other_path);
            CHECK(deepest > -1e-9);
            CHECK(deepest <= 1e-4 * 0.51 + 1e-9);
        }
    }
}

// ---- bumps --------------------------------------------------------------------------------------

enum { BUMPY_FALLS = 30, BUMPY_STEPS = 200 };

static const double BUMP = 0.1; // m: heights of the grid's points

// hash of a grid point to 0 ... BUMP; between grid points it is never asked
static double bumps(double x, double y)
{
    utRng rng = ut_rng((uint64_t)(2.0 * x + 100.5), (uint64_t)(2.0 * y + 100.5));
    return ut_rng_range(&rng, 0.0, BUMP);
}

// The triangle of the height field at (x, y): its height there and its normal.
static double ground_at(double x, double y, utVec3* n)
{
    const double cell = grid(1) - grid(0);
    const double x0 = grid(0) + cell * floor((x - grid(0)) / cell), x1 = x0 + cell;
    const double y0 = grid(0) + cell * floor((y - grid(0)) / cell), y1 = y0 + cell;
    // cells are divided from the lower left to the upper right corner
    const bool right = x - x0 > y - y0;
    const double low = bumps(x0, y0), high = bumps(x1, y1);
    const double corner = right ? bumps(x1, y0) : bumps(x0, y1);
    const double dx = (right ? corner - low : high - corner) / cell;
    const double dy = (right ? high - corner : corner - low) / cell;
    CHECK(ut_vec3_normalize(ut_vec3(-dx, -dy, 1.0), n));
    return low + dx * (x - x0) + dy * (y - y0);
}

// Depth of a point below its triangle's plane.
static double point_depth(utVec3 p, utVec3* n)
{
    const double z = ground_at(p.x, p.y, n);
    return (z - p.z) * n->z;
}

// Depth of the corners of a box, of the ends of a capsule or of a ball, from the heights alone.
static double depth_in_bumps(const Fall* f, const double* q)
{
    const utFrame at = frame_of(q);
    const bool box = f->kind == UT_SHAPE_BOX;
    const int count = box ? 8 : f->kind == UT_SHAPE_CAPSULE ? 2 : 1;
    double deepest = -HUGE_VAL;
    for (int i = 0; i < count; i++) {
        const utVec3 s = f->size;
        const utVec3 core =
            box ? ut_vec3(i & 1 ? s.x : -s.x, i & 2 ? s.y : -s.y, i & 4 ? s.z : -s.z)
                : ut_vec3(0, 0, i == 0 ? -s.y : s.y);
        const utVec3 c = ut_frame_point(at, core);
        utVec3 n;
        double depth = point_depth(c, &n);
        // of a ball the point below its centre along the normal of the triangle that this point is over
        for (int k = 0; !box && k < 4; k++) {
            depth = point_depth(ut_vec3_add_scaled(c, -s.x, n), &n);
        }
        deepest = fmax(deepest, depth);
    }
    return deepest;
}

static Fall random_fall(utRng* rng)
{
    static const utShapeKind kinds[3] = {UT_SHAPE_SPHERE, UT_SHAPE_BOX, UT_SHAPE_CAPSULE};
    Fall f = {.kind = kinds[ut_rng_below(rng, 3)]};
    f.size = ut_vec3(ut_rng_range(rng, 0.05, 0.15), ut_rng_range(rng, 0.05, 0.15),
                     ut_rng_range(rng, 0.05, 0.15));
    f.size.y = f.kind == UT_SHAPE_SPHERE ? 0.0 : f.size.y;
    utQuat turn = ut_quat_exp(ut_vec3(ut_rng_range(rng, -1, 1), ut_rng_range(rng, -1, 1), 0));
    const double q[7] = {
        ut_rng_range(rng, -2, 2), ut_rng_range(rng, -2, 2), 0.5, turn.w, turn.x, turn.y, turn.z};
    memcpy(f.q, q, sizeof q);
    f.v[0] = ut_rng_range(rng, -1, 1);
    f.v[1] = ut_rng_range(rng, -1, 1);
    f.v[2] = ut_rng_range(rng, -3, -1);
    return f;
}

// The largest angle between the normals of two triangles with a common corner is below that of two
// slopes of BUMP over the cell, one up and one down: along both x and y.
static double largest_bend(void)
{
    return 2.0 * atan(sqrt(2.0) * BUMP / (grid(1) - grid(0)));
}

// Bound on the overlap at the end of a step that moves the body's points by up to d and turns it by
// `angle`. Contacts are exact for translations over the triangles that they belong to. A point that
// turns leaves its straight path by angle^2 R / 2. A point that crosses a valley within the step
// has no contact with the far side yet: a corner sinks in by at most d sin(bend). A ball of radius r
// above the near side has that contact when its gap to the far side is below r (1 / cos(bend) - 1),
// so it sinks in by at most d bend - r bend^2 / 2 <= d^2 / 2r for any bend.
static double bumpy_bound(const Fall* f, const double* before, const double* after)
{
    const bool ball = f->kind == UT_SHAPE_SPHERE;
    const double R = ball ? 0.0 : ut_vec3_norm(f->size) + f->size.x;
    double angle = 0.0, d = 0.0;
    for (int k = 0; k < 2; k++) {
        const double* v = k == 0 ? before : after;
        angle = fmax(angle, H * ut_vec3_norm(ut_vec3(v[3], v[4], v[5])));
        d = fmax(d, H * ut_vec3_norm(ut_vec3(v[0], v[1], v[2])) + angle * R);
    }
    const double valley = ball ? d * d / (2.0 * f->size.x) : d * sin(largest_bend());
    return valley + angle * angle * R / 2.0 + 1e-9;
}

TEST(bodies_that_fall_on_bumps_sink_in_by_less_than_a_derived_bound)
{
    utRng rng = ut_rng(77, 1);
    double deepest = 0.0, deepest_ball = 0.0;
    for (int i = 0; i < BUMPY_FALLS; i++) {
        const Fall f = random_fall(&rng);
        utArena keep = test_arena();
        Lab lab = drop(&f, heights_ground(&keep, bumps), false);
        double before[6];
        int touching = 0;
        for (int k = 0; k < BUMPY_STEPS; k++) {
            memcpy(before, ut_sim_v(lab.sim), sizeof before);
            lab_step(&lab, NULL, NULL);
            const double depth = depth_in_bumps(&f, ut_sim_q(lab.sim));
            CHECK(depth <= bumpy_bound(&f, before, ut_sim_v(lab.sim)));
            double* worst = f.kind == UT_SHAPE_SPHERE ? &deepest_ball : &deepest;
            *worst = fmax(*worst, depth);
            touching += depth > -1e-3;
        }
        CHECK(touching > 10);
        lab_certified(&lab);
        lab_close(&lab);
    }
    test_note("boxes and capsules %.1e m deep, balls %.1e m", deepest, deepest_ball);
}

// ---- past a table -------------------------------------------------------------------------------

// A table of triangles, 1 m wide, its top at z = 0. Bodies that fall beside its edge by 16 mm per
// step, or fly up over it, are not stopped.
static utShape table(utArena* keep)
{
    utVec3 vertex[8];
    for (int i = 0; i < 8; i++) {
        vertex[i] = ut_vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.0 : -1.0);
    }
    static const int triangle[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                     2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    return lab_mesh(keep, 8, vertex, 12, triangle);
}

TEST(bodies_that_pass_a_table_of_triangles_fly_freely)
{
    static const Fall passes[] = {
        {UT_SHAPE_BOX, {0.1, 0.1, 0.1}, {0.601, 0, 0.315, 1, 0, 0, 0}, {0, 0, -8}},
        {UT_SHAPE_SPHERE, {0.05, 0, 0}, {0.551, 0, 0.315, 1, 0, 0, 0}, {0, 0, -8}},
        {UT_SHAPE_CAPSULE, {0.05, 0.1, 0}, {0.551, 0, 0.315, 1, 0, 0, 0}, {0, 0, -8}},
        {UT_SHAPE_CYLINDER, {0.05, 0.1, 0}, {0.551, 0, 0.315, 1, 0, 0, 0}, {0, 0, -8}},
        {UT_SHAPE_BOX, {0.1, 0.1, 0.1}, {0.2, 0, 0.103, 1, 0, 0, 0}, {8, 0, 0.5}},
        {UT_SHAPE_SPHERE, {0.05, 0, 0}, {0.2, 0, 0.053, 1, 0, 0, 0}, {8, 0, 0.5}},
    };
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        utArena keep = test_arena();
        Lab lab = drop(&passes[i], table(&keep), false);
        const utVec3 v = ut_vec3(passes[i].v[0], passes[i].v[1], passes[i].v[2]);
        for (int k = 1; k <= 60; k++) {
            lab_step(&lab, NULL, NULL);
            const double* now = ut_sim_v(lab.sim);
            // v - g t, with rounding of 60 steps
            CHECK(now[0] == v.x && now[1] == v.y);
            CHECK_NEAR(now[2], v.z - 9.81 * H * k, 1e-12);
        }
        lab_certified(&lab);
        lab_close(&lab);
    }
}
