// SPDX-License-Identifier: Apache-2.0
// Bodies on meshes, height fields and planes made of tiles.
#include "ground.h"

static const double H = 0.002;

// ---- ground -------------------------------------------------------------------------------------

static double flat(double x, double y)
{
    (void)x;
    (void)y;
    return 0.0;
}

static const double SLOPE = 1.0;

// two slopes that meet along y
static double trough(double x, double y)
{
    (void)y;
    return SLOPE * fabs(x);
}

enum { PLANE, MESH, HEIGHTS, TILES, GROUNDS };
static const char* const ground_names[GROUNDS] = {"plane", "mesh", "heights", "tiles"};

// z = 0 in four ways
static void add_floor(Lab* lab, int kind, utArena* keep, double mu)
{
    if (kind == PLANE) {
        lab_floor(lab, mu);
    } else if (kind == MESH) {
        add_ground(lab, mesh_ground(keep, flat, 0.15), mu);
    } else if (kind == HEIGHTS) {
        add_ground(lab, heights_ground(keep, flat), mu);
    } else {
        // 10 x 10 boxes side by side, each 1 m wide
        for (int i = 0; i < 100; i++) {
            utGeomDef tile = ut_geom_def(0, UT_SHAPE_BOX, ut_vec3(0.5, 0.5, 0.25));
            tile.pos = ut_vec3(i % 10 - 4.5, i / 10 - 4.5, -0.25);
            tile.friction = mu;
            ut_model_def_geom(lab->def, &tile);
        }
    }
}

static void check_rest(const Lab* lab, int body, double x, double y, double z)
{
    const utBodyState at = ut_sim_body(lab->sim, body);
    // a certified step has a velocity error of 1e-8 h g; over 1500 steps this adds up to
    // 1500 h 1e-8 h g < 1e-9 m
    CHECK_NEAR(at.com.x, x, 1e-8);
    CHECK_NEAR(at.com.y, y, 1e-8);
    CHECK_NEAR(at.com.z, z, 1e-8);
    CHECK(ut_vec3_norm(at.velocity) <= 1e-8 && ut_vec3_norm(at.angular) <= 1e-7);
}

// ---- sliding ------------------------------------------------------------------------------------

enum { SLIDE_STEPS = 600 };

typedef struct Slide {
    double q[SLIDE_STEPS][7];
    double tilt; // largest error of a normal
    int contacts;
} Slide;

// A box that is turned about z and slides without spinning: however its contacts share the load, its
// sum and moments are the same, and so is the motion. Or a ball, which slides until it rolls.
static void slide(int kind, bool ball, Slide* out)
{
    utArena keep = test_arena();
    Lab lab = lab_open(H);
    // far below the default, because errors of 600 steps add up and must stay below 1e-9 m
    lab.options.tolerance = ball ? 1e-10 : 1e-11;
    add_floor(&lab, kind, &keep, 0.3);
    const utVec3 start = ut_vec3(-3.03, -2.02, 0.1);
    const int body = ball ? lab_ball(&lab, start, 0.1, 2.0, 0.3)
                          : lab_box(&lab, start, ut_vec3(0.23, 0.17, 0.1), 2.0, 0.3);
    CHECK_INT(body, 1);
    lab_start(&lab);
    const double q[7] = {start.x, start.y, start.z, cos(0.15), 0, 0, sin(0.15)};
    const double v[6] = {4.0, 2.5, 0, 0, 0, 0};
    CHECK_INT(ut_sim_set(lab.sim, 0.0, q, v, NULL), UT_OK);
    for (int k = 0; k < SLIDE_STEPS; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        for (int i = 0; i < result.report.contacts; i++) {
            const utVec3 n = result.report.contact[i].frame[0];
            out->tilt = fmax(out->tilt, sqrt(n.x * n.x + n.y * n.y));
        }
        out->contacts += result.report.contacts;
        memcpy(out->q[k], ut_sim_q(lab.sim), sizeof out->q[k]);
    }
    CHECK_INT(lab.certified, lab.steps);
    lab_close(&lab);
}

static void check_slide(int kind, bool ball)
{
    static Slide plane, other;
    memset(&plane, 0, sizeof plane);
    memset(&other, 0, sizeof other);
    slide(PLANE, ball, &plane);
    slide(kind, ball, &other);
    double off = 0.0;
    for (int k = 0; k < SLIDE_STEPS; k++) {
        for (int i = 0; i < 7; i++) {
            off = fmax(off, fabs(plane.q[k][i] - other.q[k][i]));
        }
    }
    // the box comes to rest within the ground, the ball has rolled over several seams
    CHECK(other.q[SLIDE_STEPS - 1][0] > -1.5 && other.q[SLIDE_STEPS - 1][0] < 4.5);
    CHECK(other.contacts >= plane.contacts);
    CHECK(other.tilt <= 1e-9);
    CHECK(off <= 1e-9);
    test_note("%s on %s: off by %.1e m, normals by %.1e, %d contacts", ball ? "ball" : "box",
              ground_names[kind], off, other.tilt, other.contacts);
}

TEST(boxes_and_balls_go_over_a_triangulated_plane_as_over_a_plane)
{
    check_slide(MESH, false);
    check_slide(MESH, true);
}

TEST(boxes_and_balls_go_over_flat_heights_as_over_a_plane)
{
    check_slide(HEIGHTS, false);
    check_slide(HEIGHTS, true);
}

TEST(boxes_and_balls_go_over_tiles_as_over_a_plane)
{
    check_slide(TILES, false);
    check_slide(TILES, true);
}

// ---- corners ------------------------------------------------------------------------------------

// A wall on a floor of tiles: no other geom hides its lower edge. The box comes flush to it.
TEST(a_box_that_slides_over_tiles_is_stopped_by_a_wall)
{
    utArena keep = test_arena();
    Lab lab = lab_open(H);
    add_floor(&lab, TILES, &keep, 0.1);
    utGeomDef wall = ut_geom_def(0, UT_SHAPE_BOX, ut_vec3(0.5, 2.0, 1.0));
    wall.pos = ut_vec3(2.0, 0.0, 1.0); // from x = 1.5
    wall.friction = 0.1;
    const int wall_geom = ut_model_def_geom(lab.def, &wall);
    lab_box(&lab, ut_vec3(0.3, 0.21, 0.1), ut_vec3(0.2, 0.15, 0.1), 2.0, 0.1);
    lab_start(&lab);
    lab_velocity(&lab, 0, 3.0);
    int on_wall = 0;
    for (int k = 0; k < 600; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        on_wall = 0;
        for (int i = 0; i < result.report.contacts; i++) {
            const utContact* c = &result.report.contact[i];
            const bool wall_touched = c->geom1 == wall_geom || c->geom2 == wall_geom;
            on_wall += wall_touched;
            // normals of the wall are along x, those of the floor along z, none in between
            CHECK(fabs(wall_touched ? c->frame[0].x : c->frame[0].z) >= 1.0 - 1e-12);
        }
    }
    // both upper and both lower corners
    CHECK_INT(on_wall, 4);
    check_rest(&lab, 1, 1.3, 0.21, 0.1);
    lab_certified(&lab);
    lab_close(&lab);
}

// ---- rest ---------------------------------------------------------------------------------------

// A ball of radius r touches both slopes s when its centre is r sqrt(1 + s^2) above their edge. A
// box across the edge, half a wide, stands on its lower sides s a above it.
static void check_trough(bool mesh)
{
    utArena keep = test_arena();
    Lab lab = lab_open(H);
    add_ground(&lab, mesh ? mesh_ground(&keep, trough, 0.0) : heights_ground(&keep, trough), 0.5);
    const int ball = lab_ball(&lab, ut_vec3(0.02, -1.1, 0.2), 0.1, 1.0, 0.5);
    const int box = lab_box(&lab, ut_vec3(0, 1.3, 0.45), ut_vec3(0.3, 0.2, 0.1), 1.0, 0.5);
    lab_start(&lab);
    utStepResult result;
    for (int k = 0; k < 1500; k++) {
        lab_step(&lab, NULL, &result);
    }
    check_rest(&lab, ball, 0.0, -1.1, 0.1 * sqrt(1.0 + SLOPE * SLOPE));
    check_rest(&lab, box, 0.0, 1.3, SLOPE * 0.3 + 0.1);
    // two points of the ball, one on each slope; of the box the corners, and no more than there are
    // triangles below its sides
    int of_ball = 0, of_box = 0;
    for (int i = 0; i < result.report.contacts; i++) {
        const utContact* c = &result.report.contact[i];
        of_ball += c->geom1 == 1 || c->geom2 == 1;
        of_box += c->geom1 == 2 || c->geom2 == 2;
    }
    CHECK_INT(of_ball, 2);
    CHECK(of_box >= 4);
    lab_certified(&lab);
    lab_close(&lab);
}

TEST(a_ball_and_a_box_come_to_rest_in_a_trough_of_triangles)
{
    check_trough(true);
}

TEST(a_ball_and_a_box_come_to_rest_in_a_trough_of_heights)
{
    check_trough(false);
}

// ---- turning ------------------------------------------------------------------------------------

// A plate of one box or of two triangles on a mocap body that turns about z by 20 rad/s, and a ball
// 0.9 m from its axis, where the plate moves by 36 mm per step: its contact acts before it touches.
// The curvature of its path within a step remains as an error, w^2 r h^2 / 2 = 0.7 mm.
static void check_paddle(bool mesh)
{
    utArena keep = test_arena();
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3_zero();
    utBodyDef paddle = ut_body_def();
    paddle.mocap = true;
    const int body = ut_model_def_body(lab.def, &paddle);
    utGeomDef plate = ut_geom_def(body, UT_SHAPE_BOX, ut_vec3(1.0, 0.01, 0.5));
    if (mesh) {
        const utVec3 vertex[4] = {
            {-1, 0.01, -0.5}, {1, 0.01, -0.5}, {1, 0.01, 0.5}, {-1, 0.01, 0.5}};
        const int triangle[6] = {0, 2, 1, 0, 3, 2}; // faces +y
        utMesh* made = UT_PUSH(&keep, utMesh, 1);
        const utArena scratch = ut_arena_on(ut_arena_push(&keep, 1, 4096), 4096);
        CHECK_INT(ut_mesh_build(4, vertex, 2, triangle, &keep, scratch, made, NULL), UT_OK);
        plate.shape = (utShape){.kind = UT_SHAPE_MESH, .mesh = made};
    }
    ut_model_def_geom(lab.def, &plate);
    const int ball = lab_ball(&lab, ut_vec3(0.9, 0.2, 0), 0.05, 1.0, 0.0);
    lab_start(&lab);
    double deepest = 0.0;
    for (int k = 1; k <= 20; k++) {
        const double angle = 20.0 * H * k;
        const double pos[3] = {0, 0, 0}, quat[4] = {cos(angle / 2), 0, 0, sin(angle / 2)};
        const utInput input = {.mocap_pos = pos, .mocap_quat = quat};
        utStepResult result;
        lab_step(&lab, &input, &result);
        deepest = fmax(deepest, result.max_penetration);
    }
    CHECK(ut_sim_body(lab.sim, ball).velocity.y > 10.0);
    CHECK(deepest <= 1e-3);
    lab_certified(&lab);
    lab_close(&lab);
}

TEST(a_plate_that_turns_is_felt_before_it_is_there)
{
    check_paddle(false);
    check_paddle(true);
}
