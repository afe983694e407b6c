// SPDX-License-Identifier: Apache-2.0
// Scenes against numbers by hand. Tolerances of 1e-15 are a few roundings of numbers near 1.
#include "build_scene.h"

TEST(stacked_cubes_touch)
{
    utModel* model = build("stack:30");
    CHECK_INT(model->nbody, 31);
    CHECK_INT(model->nv, 180);
    CHECK_NEAR(model->mass, 30.0, 1e-12);
    CHECK_NEAR(model->options.time, 10.0, 0.0);
    CHECK_NEAR(friction_of(model, "box1", "floor"), 0.8, 0.0);
    CHECK_NEAR(model->body[1].in_parent.p.z, 0.1, 0.0);
    // a cube of side a has m a^2 / 6
    CHECK_NEAR(model->body[1].inertia.m[0][0], 0.04 / 6.0, 1e-17);
    for (int k = 1; k < 30; k++) {
        const double low = model->body[k].in_parent.p.z, high = model->body[k + 1].in_parent.p.z;
        // heights up to 6 m are rounded once: half a unit in the last place, 2^-51, of each
        CHECK_NEAR((high - 0.1) - (low + 0.1), 0.0, 3.0 * 4.5e-16);
    }
    ut_model_destroy(model);
}

TEST(metre_cubes_touch_exactly)
{
    utModel* model = build("stackm:10");
    for (int k = 1; k <= 10; k++) {
        check_vec3(model->body[k].in_parent.p, 0.0, 0.0, k - 0.5, 0.0);
        CHECK_NEAR(model->body[k].mass, 1000.0, 0.0);
    }
    ut_model_destroy(model);
}

// The third of four stacks is the first of the second row.
TEST(islands_stand_on_a_square_grid)
{
    utModel* model = build("islands:4");
    CHECK_INT(model->nbody - 1, 8);
    CHECK_NEAR(model->mass, 8.0, 1e-12);
    check_vec3(body_of(model, "box1_1")->in_parent.p, 0.0, 0.0, 0.1, 0.0);
    check_vec3(body_of(model, "box3_1")->in_parent.p, 0.0, 0.5, 0.1, 0.0);
    check_vec3(body_of(model, "box4_2")->in_parent.p, 0.5, 0.5, 0.3, 1e-15);
    ut_model_destroy(model);
}

TEST(balls_of_any_number_have_the_bin_of_648)
{
    utModel* one = build("balls648");
    utModel* two = build("balls:6:18");
    CHECK_INT(two->nbody, one->nbody);
    check_vec3(body_of(two, "ball648")->in_parent.p, body_of(one, "ball648")->in_parent.p.x,
               body_of(one, "ball648")->in_parent.p.y, body_of(one, "ball648")->in_parent.p.z, 0.0);
    // faces at 0.525 +- 0.7 in one, and 0.175 beyond centres at 0 and 1.05 in the other
    const utModelGeom* wall = geom_of(two, "wall_right");
    CHECK_NEAR(wall->in_body.p.x - wall->shape.size.x, 1.05 + 0.175, 1e-15);
    const utModelGeom* same = geom_of(one, "wall_right");
    CHECK_NEAR(same->in_body.p.x - same->shape.size.x, 1.225, 1e-15);
    ut_model_destroy(one);
    ut_model_destroy(two);
}

TEST(a_pyramid_of_20_has_210_boxes)
{
    utModel* model = build("pyramid:20");
    CHECK_INT(model->nbody - 1, 210);
    // the ends of the base are 19 pitches apart, the top is in the middle
    check_vec3(body_of(model, "box1_1")->in_parent.p, -1.995, 0.0, 0.1, 1e-15);
    check_vec3(body_of(model, "box1_20")->in_parent.p, 1.995, 0.0, 0.1, 1e-15);
    check_vec3(body_of(model, "box2_1")->in_parent.p, -1.89, 0.0, 0.3, 1e-15);
    check_vec3(body_of(model, "box20_1")->in_parent.p, 0.0, 0.0, 3.9, 1e-15);
    ut_model_destroy(model);
    model = build("pyramid:40");
    CHECK_INT(model->nbody - 1, 820);
    ut_model_destroy(model);
}

// Three bricks of 0.4 m with air of 0.01 m: from -0.61 to 0.61. The shifted row has two whole ones
// at half a pitch and ends of 0.195 m.
TEST(a_wall_is_flush_at_its_ends)
{
    utModel* model = build("wall:2:3");
    CHECK_INT(model->nbody - 1, 7);
    CHECK_NEAR(body_of(model, "brick1_1")->mass, 2.0, 1e-14);
    CHECK_NEAR(body_of(model, "brick1_3")->in_parent.p.x + 0.2, 0.61, 1e-15);
    CHECK_NEAR(body_of(model, "brick2_2")->in_parent.p.x, -0.205, 1e-15);
    const double half = geom_of(model, "brick2_4")->shape.size.x;
    CHECK_NEAR(half, 0.0975, 1e-15);
    CHECK_NEAR(body_of(model, "brick2_4")->in_parent.p.x + half, 0.61, 1e-15);
    CHECK_NEAR(body_of(model, "brick2_4")->mass, 0.975, 1e-14);
    CHECK_NEAR(body_of(model, "brick2_1")->in_parent.p.x - half, -0.61, 1e-15);
    ut_model_destroy(model);
}

TEST(a_wedged_stack_fills_the_height_and_is_pushed_in_the_middle)
{
    utModel* model = build("wedge:6");
    const utModelGeom* ceiling = geom_of(model, "ceiling");
    check_vec3(ut_mat3_column(ceiling->in_body.R, 2), 0.0, 0.0, -1.0, 0.0);
    CHECK_NEAR(ceiling->in_body.p.z, 1.2, 1e-15);
    const double top = model->body[6].in_parent.p.z + 0.1;
    CHECK_NEAR(top, ceiling->in_body.p.z, 4e-16);
    const double* v = start_of(model)->v;
    for (int i = 0; i < model->nv; i++) {
        CHECK_NEAR(v[i], i == 18 ? 1.0 : 0.0, 0.0);
    }
    ut_model_destroy(model);
}

TEST(a_table_stands_on_four_feet)
{
    utModel* model = build("table");
    CHECK_INT(model->nv, 6);
    CHECK_NEAR(model->mass, 14.0, 1e-14);
    // legs at 0.37 m below the slab's middle: 4 * 0.37 / 14
    check_vec3(model->body[1].com, 0.0, 0.0, -4.0 * 0.37 / 14.0, 1e-15);
    for (int i = 0; i < 4; i++) {
        static const char* const leg[] = {"leg1", "leg2", "leg3", "leg4"};
        const utModelGeom* geom = geom_of(model, leg[i]);
        const double z = model->body[1].in_parent.p.z + geom->in_body.p.z;
        CHECK_NEAR(z - geom->shape.size.y - geom->shape.size.x, 0.0, 2e-16);
    }
    ut_model_destroy(model);
}

// ---- balls --------------------------------------------------------------------------------------

static void check_apart(const utModel* model, int count)
{
    double least = 1e300;
    for (int i = 1; i <= count; i++) {
        const double r = model->geom[model->body[i].geom].radius;
        const utVec3 p = model->body[i].in_parent.p;
        least = fmin(least, p.z - r);
        for (int j = 1; j < i; j++) {
            const double other = model->geom[model->body[j].geom].radius;
            const double gap = ut_vec3_norm(ut_vec3_sub(p, model->body[j].in_parent.p)) - r - other;
            least = fmin(least, gap);
        }
    }
    CHECK(least > 0.0);
}

TEST(balls_begin_apart_from_each_other_and_the_floor)
{
    utModel* model = build("balls216");
    CHECK_INT(model->nbody - 1, 216);
    CHECK_NEAR(model->mass, 2160.0, 1e-9);
    CHECK_NEAR(friction_of(model, "ball1", "ball2"), 0.0, 0.0);
    check_vec3(model->body[1].in_parent.p, 0.0005, 0.0005, 0.1015, 0.0005);
    check_vec3(model->body[216].in_parent.p, 1.0505, 1.0505, 1.1515, 0.0005);
    check_apart(model, 216);
    ut_model_destroy(model);
}

TEST(the_bin_is_a_square_of_half_width_0_7)
{
    utModel* model = build("balls648");
    CHECK_INT(model->nbody - 1, 648);
    CHECK_NEAR(friction_of(model, "ball1", "wall_left"), 0.8, 0.0);
    const utModelGeom* left = geom_of(model, "wall_left");
    const utModelGeom* back = geom_of(model, "wall_back");
    CHECK_NEAR(left->in_body.p.x + left->shape.size.x, 0.525 - 0.7, 1e-15);
    CHECK_NEAR(back->in_body.p.y - back->shape.size.y, 0.525 + 0.7, 1e-15);
    // past the corners, higher than the highest ball
    CHECK(left->shape.size.y > 0.7 && left->in_body.p.z + left->shape.size.z > 3.9);
    CHECK_NEAR(left->in_body.p.z - left->shape.size.z, 0.0, 0.0);
    ut_model_destroy(model);
    model = build("balls:6:2");
    CHECK_INT(model->nbody - 1, 2 * 36);
    CHECK_NEAR(friction_of(model, "ball72", "wall_back"), 0.8, 0.0);
    ut_model_destroy(model);
}

TEST(a_pile_begins_apart_and_depends_on_its_seed)
{
    utModel* one = build("pile:200:1");
    utModel* again = build("pile:200:1");
    utModel* two = build("pile:200:2");
    check_apart(one, 200);
    CHECK(memcmp(one->q0, again->q0, (size_t)one->nq * sizeof *one->q0) == 0);
    CHECK(memcmp(one->q0, two->q0, (size_t)one->nq * sizeof *one->q0) != 0);
    int kinds[UT_SHAPE_KIND_COUNT] = {0};
    for (int i = 0; i < one->ngeom; i++) {
        kinds[one->geom[i].shape.kind]++;
    }
    CHECK(kinds[UT_SHAPE_BOX] > 0 && kinds[UT_SHAPE_SPHERE] > 0 && kinds[UT_SHAPE_CAPSULE] > 0);
    ut_model_destroy(one);
    ut_model_destroy(again);
    ut_model_destroy(two);
}

// ---- sliding ------------------------------------------------------------------------------------

TEST(slide_begins_with_3_metres_a_second_at_its_heading)
{
    utModel* model = build("slide:30");
    const double* v = start_of(model)->v;
    CHECK_NEAR(v[0], 1.5 * sqrt(3.0), 1e-15);
    CHECK_NEAR(v[1], 1.5, 1e-15);
    CHECK_NEAR(v[2] + v[3] + v[4] + v[5], 0.0, 0.0);
    CHECK_NEAR(friction_of(model, "box", "floor"), 0.5, 0.0);
    CHECK_NEAR(body_of(model, "box")->in_parent.p.z, 0.1, 0.0);
    ut_model_destroy(model);
}

TEST(incline_tilts_gravity_just_beyond_or_within_the_cone)
{
    static const char* const names[] = {"incline:30:+2", "incline:30:-2", "incline:30:2"};
    static const double tangent[] = {0.51, 0.49, 0.51};
    for (int i = 0; i < 3; i++) {
        utModel* model = build(names[i]);
        const utVec3 g = model->options.gravity;
        CHECK_NEAR(ut_vec3_norm(g), 9.81, 1e-14);
        CHECK_NEAR(sqrt(g.x * g.x + g.y * g.y) / -g.z, tangent[i], 1e-15);
        CHECK_NEAR(g.y / g.x, 1.0 / sqrt(3.0), 1e-15);
        ut_model_destroy(model);
    }
}

TEST(the_box_of_a_slope_lies_on_it)
{
    utModel* model = build("slope:30:0.4");
    const utModelGeom* floor_geom = geom_of(model, "floor");
    const utVec3 normal = ut_mat3_column(floor_geom->in_body.R, 2);
    check_vec3(normal, 0.5, 0.0, sqrt(0.75), 1e-15);
    const utModelBody* box = body_of(model, "box");
    CHECK_NEAR(ut_vec3_dot(normal, box->in_parent.p), 0.1, 1e-15);
    CHECK_NEAR(ut_vec3_dot(normal, ut_mat3_column(box->in_parent.R, 2)), 1.0, 1e-15);
    CHECK_NEAR(friction_of(model, "box", "floor"), 0.4, 0.0);
    ut_model_destroy(model);
}

TEST(the_slab_of_rolling_is_pushed_at_60_degrees_and_rubs_less_than_its_balls)
{
    utModel* model = build("rolling");
    CHECK_INT(model->nbody, 27);
    CHECK_INT(model->nv, 26 * 6);
    CHECK_NEAR(model->mass, 35.0, 1e-13);
    CHECK_NEAR(friction_of(model, "slab", "floor"), 0.4, 0.0);
    CHECK_NEAR(friction_of(model, "slab", "ball25"), 0.8, 0.0);
    const double* ctrl = start_of(model)->ctrl;
    CHECK_NEAR(ctrl[0], 75.0, 1e-13);
    CHECK_NEAR(ctrl[1], 75.0 * sqrt(3.0), 1e-13);
    check_vec3(body_of(model, "ball1")->in_parent.p, -4.0, -4.0, 1.5, 0.0);
    check_vec3(body_of(model, "slab")->in_parent.p, 0.0, 0.0, 0.5, 0.0);
    ut_model_destroy(model);
}

// Both ends of the ladder's axis are its radius away from floor and wall.
TEST(a_ladder_touches_floor_and_wall)
{
    utModel* model = build("ladder:60:0.4");
    const utModelBody* rod = body_of(model, "rod");
    const utModelGeom* wall = geom_of(model, "wall");
    const utVec3 axis = ut_mat3_column(rod->in_parent.R, 2);
    const utVec3 low = ut_vec3_add_scaled(rod->in_parent.p, -1.0, axis);
    const utVec3 high = ut_vec3_add_scaled(rod->in_parent.p, 1.0, axis);
    check_vec3(low, 0.0, 0.0, 0.02, 1e-15);
    const utVec3 normal = ut_mat3_column(wall->in_body.R, 2);
    check_vec3(normal, -1.0, 0.0, 0.0, 1e-15);
    CHECK_NEAR(ut_vec3_dot(normal, ut_vec3_sub(high, wall->in_body.p)), 0.02, 2e-15);
    CHECK_NEAR(friction_of(model, "rod", "floor"), 0.4, 0.0);
    CHECK_NEAR(friction_of(model, "rod", "wall"), 0.0, 0.0);
    CHECK_NEAR(rod->inertia.m[0][0], 4.0 / 12.0, 1e-15);
    ut_model_destroy(model);
}

// The normal coefficient of the tip from the model itself: J M^-1 (n + mu t) for the contact point
// and a tip that slides toward -x, with a thin rod's -0.8 up to the tip's radius of 1 mm.
TEST(the_painleve_rod_digs_in)
{
    utModel* model = build("painleve");
    const utModelBody* rod = body_of(model, "rod");
    CHECK(start_of(model)->v[0] < 0.0);
    const utVec3 com = rod->in_parent.p;
    CHECK_NEAR(com.z - 0.001, 2.0 * com.x, 1e-15); // tan = 2
    const utVec3 r = ut_vec3(-com.x, 0.0, -com.z);
    const utVec3 force = ut_vec3(2.0, 0.0, 1.0); // friction toward +x
    const utVec3 torque = ut_vec3_cross(r, force);
    const double inertia = rod->inertia.m[1][1]; // about y, which the rod is turned around
    const utVec3 turn = ut_vec3(0.0, torque.y / inertia, 0.0);
    const double normal = force.z / rod->mass + ut_vec3_cross(turn, r).z;
    // 12 * mu * cos / 2 * radius = 0.0054
    CHECK_NEAR(normal, -0.8, 0.006);
    ut_model_destroy(model);
}

// ---- joints -------------------------------------------------------------------------------------

TEST(a_pendulum_is_modelled_at_its_angle)
{
    utModel* model = build("pendulum:90");
    const utModelBody* body = body_of(model, "pendulum");
    CHECK_INT(model->nv, 1);
    CHECK_NEAR(model->q0[0], acos(0.0), 1e-15);
    CHECK_NEAR(body->mass, 1.0, 0.0);
    check_vec3(ut_frame_point(body->in_parent, body->com), 1.0, 0.0, 0.0, 1e-15);
    CHECK_NEAR(body->inertia.m[1][1], 0.4 * 0.0025, 1e-17);
    ut_model_destroy(model);
}

TEST(a_double_pendulum_hangs_on_its_upper_rod)
{
    utModel* model = build("pendulum2:90:0");
    CHECK_INT(model->nv, 2);
    const utModelBody* upper = body_of(model, "upper");
    const utModelBody* lower = body_of(model, "lower");
    CHECK_INT(lower->parent, ut_model_find_body(model, "upper"));
    const utFrame at = ut_frame_mul(upper->in_parent, lower->in_parent);
    check_vec3(ut_frame_point(at, lower->com), 1.5, 0.0, 0.0, 1e-15);
    // m/12 (1 + 0.02^2)
    CHECK_NEAR(lower->inertia.m[1][1], 1.0004 / 12.0, 1e-16);
    ut_model_destroy(model);
}

TEST(a_chain_lies_along_x_and_meets_nothing)
{
    utModel* model = build("chain:100");
    CHECK_INT(model->nv, 100);
    CHECK_INT(model->ntree, 1);
    CHECK_NEAR(model->mass, 10.0, 1e-13);
    double x = 0.0;
    for (int i = 1; i <= 100; i++) {
        x += model->body[i].in_parent.p.x;
        check_vec3(model->joint[i - 1].axis, 0.0, 1.0, 0.0, 0.0);
        check_vec3(model->body[i].com, 0.05, 0.0, 0.0, 1e-17);
        CHECK(i < 3 || !ut_model_collides(model, i - 3, i - 1));
    }
    CHECK_NEAR(x, 9.9, 1e-13);
    ut_model_destroy(model);
}

// Euler's equation about the pivot: the torque of gravity is the rate of change of the angular
// momentum, which turns with the precession W about z: W z x L = com x m g.
TEST(a_top_precesses_steadily)
{
    utModel* model = build("top:20:200");
    const utModelBody* top = body_of(model, "top");
    const double* v = start_of(model)->v;
    const utMat3 R = top->in_parent.R;
    const utVec3 spin = ut_vec3(v[0], v[1], v[2]);
    // about the pivot, by parallel axes: m l^2 = 0.01 across
    const utVec3 momentum = ut_mat3_mul_vec(R, ut_vec3((top->inertia.m[0][0] + 0.01) * spin.x,
                                                       (top->inertia.m[1][1] + 0.01) * spin.y,
                                                       top->inertia.m[2][2] * spin.z));
    const double rate = -spin.x / ut_sin(20.0 * (acos(-1.0) / 180.0));
    const utVec3 change = ut_vec3_cross(ut_vec3(0.0, 0.0, rate), momentum);
    const utVec3 torque =
        ut_vec3_cross(ut_mat3_mul_vec(R, top->com), ut_vec3(0.0, 0.0, -9.81 * top->mass));
    // momenta of 1: roundings of a few 1e-16
    check_vec3(change, torque.x, torque.y, torque.z, 1e-14);
    CHECK(fabs(torque.y) > 0.3);
    ut_model_destroy(model);
}

// ---- robots -------------------------------------------------------------------------------------

// Feet of a keyframe of the quadruped over the floor, by the geometry of a leg in its plane.
TEST(the_quadruped_weighs_20_kg_and_stands_on_its_feet)
{
    utModel* model = build("quad");
    CHECK_INT(model->nbody, 14);
    CHECK_INT(model->nv, 18);
    CHECK_INT(model->nu, 12);
    CHECK_NEAR(model->mass, 20.0, 1e-13);
    CHECK_NEAR(start_of(model)->q[2], 0.6, 0.0);
    const int stand = ut_model_find_keyframe(model, "stand");
    CHECK(stand >= 0);
    const double* q = model->keyframe[stand].q;
    // cos 0.7 = 0.764842187284489
    CHECK_NEAR(q[2], 0.5 * 0.764842187284489 + 0.02, 1e-15);
    for (int leg = 0; leg < 4; leg++) {
        const double knee = q[2] - 0.25 * cos(q[8 + 3 * leg]);
        const double ankle = knee - 0.25 * cos(q[8 + 3 * leg] + q[9 + 3 * leg]);
        CHECK_NEAR(ankle, 0.02, 1e-15);
        const double* axis = &model->joint[1 + 3 * leg].axis.x;
        CHECK(axis[0] == 1.0 && model->joint[2 + 3 * leg].axis.y == 1.0 &&
              model->joint[3 + 3 * leg].axis.y == 1.0);
    }
    for (int i = 0; i < 12; i++) {
        CHECK_NEAR(model->keyframe[stand].ctrl[i], q[7 + i], 0.0);
        CHECK(model->actuator[i].kind == UT_ACTUATOR_POSITION);
        CHECK_NEAR(model->actuator[i].gain[0], 80.0, 0.0);
        CHECK_NEAR(model->actuator[i].bias[2], -1.0, 0.0);
    }
    const int foot = ut_model_find_geom(model, "fl_shank");
    CHECK(ut_model_collides(model, ut_model_find_geom(model, "floor"), foot));
    CHECK(!ut_model_collides(model, ut_model_find_geom(model, "torso"), foot));
    ut_model_destroy(model);
}

static void check_plates(const utModel* model, double z)
{
    const utModelBody* left = body_of(model, "left");
    const utModelBody* right = body_of(model, "right");
    CHECK_NEAR(left->in_parent.p.x + 0.01, -0.05, 1e-17);
    CHECK_NEAR(right->in_parent.p.x - 0.01, 0.05, 1e-17);
    CHECK_NEAR(model->joint[left->joint].axis.x, 1.0, 0.0);
    CHECK_NEAR(model->joint[right->joint].axis.x, -1.0, 0.0);
    CHECK_NEAR(body_of(model, "box")->in_parent.p.z, z, 0.0);
}

TEST(hands_begin_with_their_plates_at_the_box)
{
    utModel* model = build("gripper:12");
    check_plates(model, 0.5);
    CHECK_NEAR(start_of(model)->ctrl[0], 12.0, 0.0);
    CHECK_NEAR(start_of(model)->ctrl[1], 12.0, 0.0);
    CHECK_NEAR(friction_of(model, "left", "box"), 0.5, 0.0);
    ut_model_destroy(model);
    model = build("grasp");
    check_plates(model, 0.05);
    CHECK_NEAR(model->mass, 1.0 + 0.4 + 0.5, 1e-15);
    CHECK_NEAR(start_of(model)->ctrl[ut_model_find_actuator(model, "lift")], 0.2, 0.0);
    ut_model_destroy(model);
}
