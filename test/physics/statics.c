// SPDX-License-Identifier: Apache-2.0
// Forces between bodies at rest: sums and moments, whatever the shares of redundant contacts.
#include "closed_form.h"

static const double H = 0.002;

// Of an impulse that bears a mass, after some steps at rest.
static double bound(double mass)
{
    return mass * left_of(H * G, 20);
}

// The mass that is off is the one in the middle.
CLOSED_FORM(a_stack_carries_what_stands_on_it, OFF_MASS)
{
    static const double mass[] = {1.0, 3.0, 0.5, 20.0, 2.0};
    Lab lab = lab_open(H);
    lab_floor(&lab, 0.5);
    for (int k = 0; k < 5; k++) {
        const double made = mass[k] * (k == 2 ? t->mass : 1.0);
        lab_box(&lab, ut_vec3(0, 0, 0.1 + 0.2 * k), ut_vec3(0.1, 0.1, 0.1), made, 0.5);
    }
    lab_start(&lab);
    utStepResult result;
    lab_steps(&lab, 20, NULL, &result);
    double above = 0.0;
    for (int k = 4; k >= 0; k--) {
        above += mass[k];
        const utVec3 r = lab_between(&lab, &result.report, k, k + 1);
        EXPECT(t, r.z, above * G * H, bound(30.0));
        EXPECT(t, r.x, 0.0, bound(30.0));
        EXPECT(t, r.y, 0.0, bound(30.0));
    }
    lab_end(&lab);
}

// ---- tables -------------------------------------------------------------------------------------

// A slab on round legs, all one body, its centre of mass in the middle, above the origin.
static int table_on(Lab* lab, double mass, int legs, const utVec3* place, double mu)
{
    const int table = lab_body(lab, "table", ut_vec3(0, 0, 0.5));
    lab_free(lab, table);
    lab_geom(lab, table, UT_SHAPE_BOX, ut_vec3(0.5, 0.4, 0.05), mass, mu);
    for (int k = 0; k < legs; k++) {
        utGeomDef leg = ut_geom_def(table, UT_SHAPE_SPHERE, ut_vec3(0.05, 0, 0));
        leg.pos = ut_vec3(place[k].x, place[k].y, -0.45);
        leg.mass = 0.0;
        leg.friction = mu;
        CHECK(ut_model_def_geom(lab->def, &leg) >= 0);
    }
    return table;
}

// Loaded off the middle by a cube: the legs' sum is the weight, and their moments are those of the
// load.
CLOSED_FORM(a_table_carries_its_load_where_it_stands, OFF_MASS | OFF_LENGTH)
{
    static const utVec3 place[] = {{-0.4, -0.3, 0}, {0.4, -0.3, 0}, {-0.4, 0.3, 0}, {0.4, 0.3, 0}};
    Lab lab = lab_open(H);
    lab_floor(&lab, 0.5);
    const int table = table_on(&lab, 8.0, 4, place, 0.5);
    const int cube = lab_box(&lab, ut_vec3(0.2 * t->length, 0.1 * t->length, 0.65),
                             ut_vec3(0.1, 0.1, 0.1), 4.0 * t->mass, 0.5);
    lab_start(&lab);
    utStepResult result;
    lab_steps(&lab, 20, NULL, &result);
    utVec3 sum = ut_vec3_zero(); // of normal impulses, and of these times x and y
    for (int i = 0; i < result.report.contacts; i++) {
        const utContact* c = &result.report.contact[i];
        if (lab.model->geom[c->geom1].body == 0) {
            const utVec3 unit = ut_vec3(c->point.x, c->point.y, 1.0);
            sum = ut_vec3_add_scaled(sum, c->r[0], unit);
        }
    }
    EXPECT(t, sum.z, 12.0 * G * H, bound(12.0));
    EXPECT(t, sum.x, 4.0 * G * H * 0.2, bound(12.0));
    EXPECT(t, sum.y, 4.0 * G * H * 0.1, bound(12.0));
    EXPECT(t, lab_between(&lab, &result.report, table, cube).z, 4.0 * G * H, bound(12.0));
    lab_end(&lab);
}

// Three legs are not redundant. A load at (x, y) leaves leg k the share that is k's barycentric
// coordinate: for legs at (-0.4, -0.3), (0.4, -0.3), (0, 0.3) these are
// third = (y + 0.3) / 0.6, second = (1 - third + x / 0.4) / 2, first = 1 - second - third.
CLOSED_FORM(three_legs_share_by_where_the_load_is, OFF_MASS | OFF_LENGTH)
{
    static const utVec3 place[] = {{-0.4, -0.3, 0}, {0.4, -0.3, 0}, {0.0, 0.3, 0}};
    const double x = 0.1, y = -0.05, slab = 8.0, load = 4.0;
    Lab lab = lab_open(H);
    lab_floor(&lab, 0.0);
    table_on(&lab, slab, 3, place, 0.0);
    lab_ball(&lab, ut_vec3(x * t->length, y * t->length, 0.65), 0.1, load * t->mass, 0.0);
    lab_start(&lab);
    utStepResult result;
    lab_steps(&lab, 20, NULL, &result);
    // the slab's own weight is at (0, 0)
    const double third = slab * 0.5 + load * (y + 0.3) / 0.6;
    const double second = slab * 0.25 + load * (1.0 - (y + 0.3) / 0.6 + x / 0.4) / 2.0;
    const double want[3] = {slab + load - second - third, second, third};
    int legs = 0;
    for (int i = 0; i < result.report.contacts; i++) {
        const utContact* c = &result.report.contact[i];
        if (lab.model->geom[c->geom1].body == 0) {
            const int leg = c->geom2 - 2; // the floor and the slab come before them
            EXPECT(t, c->r[0], want[leg] * G * H, bound(12.0));
            legs++;
        }
    }
    CHECK_INT(legs, 3);
    lab_end(&lab);
}

// A plank of 6 kg on two round bars at x = -0.8 and 0.8, a cube of 3 kg on it at x = 0.5: the bars
// bear 3 kg each and 0.3 and 1.3 parts of 1.6 of the cube.
CLOSED_FORM(a_plank_on_two_bars_shares_its_load, OFF_MASS | OFF_LENGTH)
{
    const double at = 0.5, plank = 6.0, load = 3.0;
    Lab lab = lab_open(H);
    int bar[2];
    for (int k = 0; k < 2; k++) {
        utGeomDef geom = ut_geom_def(0, UT_SHAPE_CAPSULE, ut_vec3(0.05, 0.5, 0));
        geom.pos = ut_vec3(k == 0 ? -0.8 : 0.8, 0, 0.05);
        geom.quat = ut_quat_from_axis_angle(ut_vec3(1, 0, 0), PI / 2.0);
        geom.friction = 0.5;
        bar[k] = ut_model_def_geom(lab.def, &geom);
    }
    lab_box(&lab, ut_vec3(0, 0, 0.15), ut_vec3(1.0, 0.1, 0.05), plank, 0.5);
    lab_box(&lab, ut_vec3(at * t->length, 0, 0.25), ut_vec3(0.05, 0.05, 0.05), load * t->mass, 0.5);
    lab_start(&lab);
    utStepResult result;
    lab_steps(&lab, 20, NULL, &result);
    for (int k = 0; k < 2; k++) {
        const double share = (k == 0 ? 0.8 - at : 0.8 + at) / 1.6;
        EXPECT(t, lab_from(&result.report, bar[k]).z, (0.5 * plank + share * load) * G * H,
               bound(9.0));
    }
    lab_end(&lab);
}

// ---- balls --------------------------------------------------------------------------------------

// A ball in a smooth groove whose sides rise by a and b: they bear m g sin b / sin(a + b) and
// m g sin a / sin(a + b).
CLOSED_FORM(a_ball_in_a_groove_leans_on_both_sides, OFF_MASS)
{
    const double a = 0.5, b = 0.9, r = 0.1;
    Lab lab = lab_open(H);
    const utVec3 left = ut_vec3(sin(a), 0, cos(a)), right = ut_vec3(-sin(b), 0, cos(b));
    const int one = lab_plane(&lab, ut_vec3_zero(), left, 0.0);
    const int two = lab_plane(&lab, ut_vec3_zero(), right, 0.0);
    // r from both: on the line that halves the groove, r / cos((a + b) / 2) up along it
    const double way = r / cos(0.5 * (a + b)), lean = 0.5 * (a - b);
    lab_ball(&lab, ut_vec3(way * sin(lean), 0, way * cos(lean)), r, 2.0 * t->mass, 0.0);
    lab_start(&lab);
    utStepResult result;
    lab_steps(&lab, 1, NULL, &result);
    const double weight = 2.0 * G * H / sin(a + b);
    EXPECT(t, ut_vec3_norm(lab_from(&result.report, one)), weight * sin(b), bound(2.0));
    EXPECT(t, ut_vec3_norm(lab_from(&result.report, two)), weight * sin(a), bound(2.0));
    lab_end(&lab);
}

// A ball on two others, `apart` between their middles, which smooth walls keep together. The upper
// one's weight goes down at an angle with sine apart / 4 r: each lower ball is pushed down by half
// of it and outwards by tan of that. The length that is off is `apart`, walls included.
CLOSED_FORM(a_ball_wedges_two_others_apart, OFF_MASS | OFF_LENGTH)
{
    const double r = 0.1, apart = 0.24, upper = 5.0, lower = 2.0;
    const double made = apart * t->length;
    Lab lab = lab_open(H);
    lab_floor(&lab, 0.0);
    const int wall = lab_plane(&lab, ut_vec3(-0.5 * made - r, 0, 0), ut_vec3(1, 0, 0), 0.0);
    lab_plane(&lab, ut_vec3(0.5 * made + r, 0, 0), ut_vec3(-1, 0, 0), 0.0);
    const int one = lab_ball(&lab, ut_vec3(-0.5 * made, 0, r), r, lower, 0.0);
    lab_ball(&lab, ut_vec3(0.5 * made, 0, r), r, lower, 0.0);
    const double up = sqrt(4.0 * r * r - 0.25 * made * made);
    const int top = lab_ball(&lab, ut_vec3(0, 0, r + up), r, upper * t->mass, 0.0);
    lab_start(&lab);
    utStepResult result;
    lab_steps(&lab, 1, NULL, &result);
    const double sine = apart / (4.0 * r), tangent = sine / sqrt(1.0 - sine * sine);
    const double half = 0.5 * upper * G * H;
    EXPECT(t, lab_between(&lab, &result.report, one, top).z, half, bound(9.0));
    EXPECT(t, lab_between(&lab, &result.report, one, top).x, half * tangent, bound(9.0));
    EXPECT(t, lab_from(&result.report, wall).x, half * tangent, bound(9.0));
    EXPECT(t, lab_between(&lab, &result.report, 0, one).z, half + lower * G * H, bound(9.0));
    lab_end(&lab);
}
