// Forces between bodies at rest: sums and moments, whatever the shares of redundant contacts.
#include "lab.h"

static const double G = 9.81;
static const double H = 0.002;

// Impulse on body `on` by all its contacts with `by` in the last step, world.
static utVec3 between(const Lab* lab, const utStepReport* report, int by, int on)
{
    utVec3 sum = ut_vec3_zero();
    for (int i = 0; i < report->contacts; i++) {
        const utContact* c = &report->contact[i];
        const int b1 = lab->model->geom[c->geom1].body;
        const int b2 = lab->model->geom[c->geom2].body;
        const double sign = b1 == by && b2 == on ? 1.0 : b2 == by && b1 == on ? -1.0 : 0.0;
        for (int k = 0; k < 3; k++) {
            sum = ut_vec3_add_scaled(sum, sign * c->r[k], c->frame[k]);
        }
    }
    return sum;
}

TEST(a_stack_carries_what_stands_on_it)
{
    static const double mass[] = {1.0, 3.0, 0.5, 20.0, 2.0};
    Lab lab = lab_open(H);
    lab_floor(&lab, 0.5);
    for (int k = 0; k < 5; k++) {
        lab_box(&lab, ut_vec3(0, 0, 0.1 + 0.2 * k), ut_vec3(0.1, 0.1, 0.1), mass[k], 0.5);
    }
    lab_start(&lab);
    lab_run(&lab, 20, 0, ut_vec3_zero());
    utStepResult result;
    lab_step(&lab, NULL, &result);
    double above = 0.0;
    for (int k = 4; k >= 0; k--) {
        above += mass[k];
        const utVec3 r = between(&lab, &result.report, k, k + 1);
        // 1e-8 of V = h g at each of 5 boxes, times the mass that hangs on it
        CHECK_NEAR(r.z, above * G * H, 1e-7);
        CHECK(fabs(r.x) <= 1e-7 && fabs(r.y) <= 1e-7);
    }
    lab_certified(&lab);
    lab_close(&lab);
}

// A slab on four legs, all one body, loaded off the middle by a cube: the legs' sum is the weight,
// and their moments are those of the load.
TEST(a_table_carries_its_load_where_it_stands)
{
    Lab lab = lab_open(H);
    lab_floor(&lab, 0.5);
    const int table = lab_body(&lab, "table", ut_vec3(0, 0, 0.5));
    lab_free(&lab, table);
    lab_geom(&lab, table, UT_SHAPE_BOX, ut_vec3(0.5, 0.4, 0.05), 8.0, 0.5);
    for (int k = 0; k < 4; k++) {
        utGeomDef leg = ut_geom_def(table, UT_SHAPE_SPHERE, ut_vec3(0.05, 0, 0));
        leg.pos = ut_vec3(k % 2 == 0 ? -0.4 : 0.4, k / 2 == 0 ? -0.3 : 0.3, -0.45);
        leg.mass = 0.0;
        leg.friction = 0.5;
        CHECK(ut_model_def_geom(lab.def, &leg) >= 0);
    }
    const int cube = lab_box(&lab, ut_vec3(0.2, 0.1, 0.65), ut_vec3(0.1, 0.1, 0.1), 4.0, 0.5);
    lab_start(&lab);
    lab_run(&lab, 20, 0, ut_vec3_zero());
    utStepResult result;
    lab_step(&lab, NULL, &result);
    utVec3 sum = ut_vec3_zero();
    double mx = 0.0;
    double my = 0.0;
    for (int i = 0; i < result.report.contacts; i++) {
        const utContact* c = &result.report.contact[i];
        if (lab.model->geom[c->geom1].body == 0) {
            sum.z += c->r[0];
            mx += c->r[0] * c->point.x;
            my += c->r[0] * c->point.y;
        }
    }
    CHECK_NEAR(sum.z, 12.0 * G * H, 1e-7);
    CHECK_NEAR(mx, 4.0 * G * H * 0.2, 1e-7);
    CHECK_NEAR(my, 4.0 * G * H * 0.1, 1e-7);
    CHECK_NEAR(between(&lab, &result.report, table, cube).z, 4.0 * G * H, 1e-7);
    lab_certified(&lab);
    lab_close(&lab);
}

// A ball in a groove of two planes at 45 degrees: each takes m g / sqrt 2.
TEST(a_ball_in_a_groove_leans_on_both_sides)
{
    const double s = sqrt(0.5);
    Lab lab = lab_open(H);
    lab_plane(&lab, ut_vec3_zero(), ut_vec3(s, 0, s), 0.0);
    lab_plane(&lab, ut_vec3_zero(), ut_vec3(-s, 0, s), 0.0);
    lab_ball(&lab, ut_vec3(0, 0, 0.1 / s), 0.1, 2.0, 0.0);
    lab_start(&lab);
    utStepResult result;
    lab_step(&lab, NULL, &result);
    CHECK_INT(result.report.contacts, 2);
    CHECK_NEAR(result.report.contact[0].r[0], 2.0 * G * H * s, 1e-8);
    CHECK_NEAR(result.report.contact[1].r[0], 2.0 * G * H * s, 1e-8);
    lab_certified(&lab);
    lab_close(&lab);
}

// Two boxes in a row, pushed by F without friction: the second gets F m2 / (m1 + m2).
TEST(a_push_goes_through_a_row_of_boxes)
{
    Lab lab = lab_open(H);
    lab_floor(&lab, 0.0);
    const int one = lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.1, 0.1, 0.1), 2.0, 0.0);
    const int two = lab_box(&lab, ut_vec3(0.2, 0, 0.1), ut_vec3(0.1, 0.1, 0.1), 3.0, 0.0);
    lab_start(&lab);
    utForce applied[3] = {0};
    applied[one].force = ut_vec3(10.0, 0, 0);
    const utInput input = {.applied = applied};
    utStepResult result;
    lab_step(&lab, &input, &result);
    CHECK_NEAR(between(&lab, &result.report, one, two).x, 10.0 * H * 3.0 / 5.0, 1e-9);
    CHECK_NEAR(ut_sim_body(lab.sim, two).velocity.x, 10.0 * H / 5.0, 1e-9);
    lab_certified(&lab);
    lab_close(&lab);
}

// A rod of length 2 l leans on a smooth wall at an angle to the floor: it holds while
// tan >= 1 / (2 mu). Capsules have a radius, which moves both points of contact alike.
static double slip_of_ladder(double tangent, double mu)
{
    const double l = 1.0;
    const double r = 0.02;
    const double c = 1.0 / sqrt(1.0 + tangent * tangent);
    const double s = tangent * c;
    Lab lab = lab_open(H);
    lab_floor(&lab, mu);
    lab_plane(&lab, ut_vec3_zero(), ut_vec3(1, 0, 0), 0.0);
    utBodyDef body = ut_body_def();
    // lower end at (2 l c + r, 0, r), upper end at (r, 0, 2 l s + r); its axis z along (-c, 0, s)
    body.pos = ut_vec3(l * c + r, 0, l * s + r);
    body.quat = ut_quat_from_axis_angle(ut_vec3(0, 1, 0), -ut_atan2(c, s));
    const int rod = ut_model_def_body(lab.def, &body);
    lab_free(&lab, rod);
    utGeomDef geom = ut_geom_def(rod, UT_SHAPE_CAPSULE, ut_vec3(r, l, 0));
    geom.mass = 5.0;
    geom.friction = 0.0; // the larger one counts: the floor's
    CHECK(ut_model_def_geom(lab.def, &geom) >= 0);
    lab_start(&lab);
    lab_run(&lab, 50, 0, ut_vec3_zero());
    const double speed = ut_vec3_norm(ut_sim_body(lab.sim, rod).velocity);
    lab_certified(&lab);
    lab_close(&lab);
    return speed;
}

TEST(a_ladder_holds_down_to_its_angle)
{
    // the wall's normal force acts r above the end of the axis, the floor's r beside it: equal arms
    for (int k = 0; k < 4; k++) {
        const double mu = 0.2 + 0.2 * k;
        CHECK(slip_of_ladder(1.02 / (2.0 * mu), mu) <= 1e-8);
        CHECK(slip_of_ladder(0.98 / (2.0 * mu), mu) >= 1e-4);
    }
}
