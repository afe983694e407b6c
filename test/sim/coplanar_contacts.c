// SPDX-License-Identifier: Apache-2.0
// Coplanar reduction: a body that stands on others through several geoms loses redundant contacts,
// and its motion does not change.
#include "physics/lab.h"

#include <float.h>

#include "support/make_sim.h"
#include "support/model_text.h"

static const double H = 0.002;

// ---- grounds ------------------------------------------------------------------------------------

enum { TILES = 10 };

// TILES x TILES boxes side by side, `wide` each. @param uneven each tile has its own mu: the values
// differ by rounding only, but are not equal, so that no contact is dropped
static void add_tiles(Lab* lab, double wide, double mu, bool uneven)
{
    for (int i = 0; i < TILES * TILES; i++) {
        utGeomDef tile = ut_geom_def(0, UT_SHAPE_BOX, ut_vec3(0.5 * wide, 0.5 * wide, 0.1));
        tile.pos = ut_vec3(wide * (i % TILES - 0.5 * (TILES - 1)),
                           wide * (i / TILES - 0.5 * (TILES - 1)), -0.1);
        tile.friction = uneven ? mu * (1.0 + DBL_EPSILON * i) : mu;
        CHECK(ut_model_def_geom(lab->def, &tile) >= 0);
    }
}

// A free body of 2 kg whose mass does not depend on its geoms.
static int add_body(Lab* lab, utVec3 pos)
{
    const int body =
        lab_solid(lab, pos, (utQuat){1, 0, 0, 0}, 2.0, ut_vec3_zero(), ut_vec3(0.02, 0.03, 0.04));
    lab_free(lab, body);
    return body;
}

static void add_part(Lab* lab, int body, utShapeKind kind, utVec3 at, utVec3 size, double mu)
{
    utGeomDef geom = ut_geom_def(body, kind, size);
    geom.pos = at;
    geom.friction = mu;
    CHECK(ut_model_def_geom(lab->def, &geom) >= 0);
}

// ---- the corners stay ---------------------------------------------------------------------------

static const double TURN = 0.3; // about z, rad
static const double HALF[3] = {0.413, 0.307, 0.1};

#ifdef NDEBUG
enum { SLIDE = 400 };
#else
enum { SLIDE = 100 };
#endif

typedef struct Run {
    double q[SLIDE][7];
    int most; // contacts
} Run;

enum { PLANE, SMOOTH, UNEVEN };

// A box that slides without spinning over a plane or over tiles that are much smaller than it.
static void slide(int ground, Run* run)
{
    Lab lab = lab_open(H);
    lab.options.tolerance = 1e-11; // errors of 400 steps add up
    if (ground == PLANE) {
        lab_floor(&lab, 0.3);
    } else {
        add_tiles(&lab, 0.2, 0.3, ground == UNEVEN);
    }
    const int body = add_body(&lab, ut_vec3(-0.3, -0.2, HALF[2]));
    add_part(&lab, body, UT_SHAPE_BOX, ut_vec3_zero(), ut_vec3(HALF[0], HALF[1], HALF[2]), 0.3);
    lab_start(&lab);
    const double q[7] = {-0.3, -0.2, HALF[2], cos(0.5 * TURN), 0, 0, sin(0.5 * TURN)};
    const double v[6] = {1.4, 0.9, 0, 0, 0, 0};
    lab_state(&lab, q, v);
    run->most = 0;
    for (int k = 0; k < SLIDE; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        run->most = result.report.contacts > run->most ? result.report.contacts : run->most;
        memcpy(run->q[k], ut_sim_q(lab.sim), sizeof run->q[k]);
    }
    CHECK_INT(lab.certified, lab.steps);
    lab_close(&lab);
}

static double apart(const Run* one, const Run* two)
{
    double most = 0.0;
    for (int k = 0; k < SLIDE; k++) {
        for (int i = 0; i < 7; i++) {
            most = fmax(most, fabs(one->q[k][i] - two->q[k][i]));
        }
    }
    return most;
}

// However the contacts share the load, its sum and moments are determined, and so is the motion. The
// error of a step is at most 1e-11 of the velocities, here 1.7 m/s. Over 400 steps these errors, if
// all had the same direction, add up to 400 h 400 1.7e-11 / 2 = 1.1e-9 m.
TEST(a_box_slides_on_its_corners_over_tiles_as_over_a_plane)
{
    static Run plane, tiles, all;
    slide(PLANE, &plane);
    slide(SMOOTH, &tiles);
    slide(UNEVEN, &all);
    CHECK_INT(plane.most, 4);
    CHECK_INT(tiles.most, 4);
    CHECK(all.most > 40);
    CHECK(plane.q[SLIDE - 1][0] > plane.q[0][0] + 0.2);
    CHECK(apart(&plane, &tiles) <= 1e-9);
    CHECK(apart(&plane, &all) <= 1e-9);
    test_note("%d contacts instead of %d; off by %.1e m, with all of them by %.1e m", tiles.most,
              all.most, apart(&plane, &tiles), apart(&plane, &all));
}

// The four contacts are the corners of the box.
TEST(what_stays_of_a_box_on_tiles_are_its_corners)
{
    Lab lab = lab_open(H);
    add_tiles(&lab, 0.1, 0.5, false);
    const int body = add_body(&lab, ut_vec3(0, 0, HALF[2]));
    add_part(&lab, body, UT_SHAPE_BOX, ut_vec3_zero(), ut_vec3(HALF[0], HALF[1], HALF[2]), 0.5);
    lab_start(&lab);
    const double q[7] = {0.01, 0.02, HALF[2], cos(0.5 * TURN), 0, 0, sin(0.5 * TURN)};
    lab_state(&lab, q, NULL);
    utStepResult result;
    lab_step(&lab, NULL, &result);
    CHECK_INT(result.report.contacts, 4);
    for (int k = 0; k < 4; k++) {
        const double x = k % 2 == 0 ? HALF[0] : -HALF[0], y = k / 2 == 0 ? HALF[1] : -HALF[1];
        const utVec3 corner = ut_vec3(0.01 + cos(TURN) * x - sin(TURN) * y,
                                      0.02 + sin(TURN) * x + cos(TURN) * y, 0.0);
        double nearest = HUGE_VAL;
        for (int i = 0; i < result.report.contacts; i++) {
            nearest =
                fmin(nearest, ut_vec3_norm(ut_vec3_sub(result.report.contact[i].point, corner)));
        }
        CHECK(nearest <= 1e-12);
    }
    lab_end(&lab);
}

// ---- what must not be merged --------------------------------------------------------------------

static const double SPREAD = 0.2, RADIUS = 0.03;

// Five balls under a body: four corners and one in the middle, of its own mu and height.
static int count_five(double mu_middle, double lower)
{
    Lab lab = lab_open(H);
    lab_floor(&lab, 0.0);
    const int body = add_body(&lab, ut_vec3(0, 0, 0.1));
    for (int k = 0; k < 4; k++) {
        const utVec3 at =
            ut_vec3(k % 2 == 0 ? SPREAD : -SPREAD, k / 2 == 0 ? SPREAD : -SPREAD, RADIUS - 0.1);
        add_part(&lab, body, UT_SHAPE_SPHERE, at, ut_vec3(RADIUS, 0, 0), 0.3);
    }
    add_part(&lab, body, UT_SHAPE_SPHERE, ut_vec3(0.03, 0.01, RADIUS - 0.1 - lower),
             ut_vec3(RADIUS, 0, 0), mu_middle);
    lab_start(&lab);
    utStepResult result;
    const double v[6] = {0, 0, -2.0, 0, 0, 0}; // all within reach
    lab_state(&lab, NULL, v);
    lab_step(&lab, NULL, &result);
    const int count = result.report.contacts;
    lab_end(&lab);
    return count;
}

TEST(only_contacts_that_others_make_up_for_are_dropped)
{
    CHECK_INT(count_five(0.3, 0.0), 4);
    CHECK_INT(count_five(0.3, -1e-3), 4); // above the others: the fifth cannot close before them
    CHECK_INT(count_five(0.3, 1e-6), 5);  // below them
    CHECK_INT(count_five(0.5, 0.0), 5);   // more friction than the others
}

// A box across the seam of two tiles: one belongs to the world, the other to a body that is fixed to
// it and comes later. So the normals point to the box in one pair and away from it in the other. Four
// corners and four points above the seam are eight contacts.
TEST(tiles_of_several_fixed_bodies_are_one_ground)
{
    Lab lab = lab_open(H);
    add_part(&lab, 0, UT_SHAPE_BOX, ut_vec3(-0.5, 0, -0.1), ut_vec3(0.5, 0.5, 0.1), 0.5);
    const int box = add_body(&lab, ut_vec3(0.04, 0, 0.1));
    add_part(&lab, box, UT_SHAPE_BOX, ut_vec3_zero(), ut_vec3(0.3, 0.2, 0.1), 0.5);
    const int fixed = lab_body(&lab, NULL, ut_vec3(0.5, 0, -0.1));
    add_part(&lab, fixed, UT_SHAPE_BOX, ut_vec3_zero(), ut_vec3(0.5, 0.5, 0.1), 0.5);
    lab_start(&lab);
    CHECK_INT(lab.model->geom[1].body, box);
    utStepResult result;
    for (int k = 0; k < 20; k++) {
        lab_step(&lab, NULL, &result);
        CHECK_INT(result.report.contacts, 4);
    }
    CHECK_NEAR(ut_sim_body(lab.sim, box).com.z, 0.1, 1e-9);
    lab_end(&lab);
}

// ---- the motion stays ---------------------------------------------------------------------------

// A body stands on three balls: their forces are determined, and so is every motion, spin included.
// Three more balls, one in the middle and two between the others, change nothing.
static void wobble(bool more, double* q, int* contacts)
{
    static const double at[6][2] = {{0.2, 0},  {-0.1, 0.17},  {-0.12, -0.18},
                                    {0, 0.01}, {0.05, 0.085}, {-0.11, -0.005}};
    Lab lab = lab_open(H);
    lab.options.tolerance = 1e-11;
    add_tiles(&lab, 0.2, 0.0, false);
    const int body = add_body(&lab, ut_vec3(0, 0, 0.1));
    for (int k = 0; k < (more ? 6 : 3); k++) {
        add_part(&lab, body, UT_SHAPE_SPHERE, ut_vec3(at[k][0], at[k][1], RADIUS - 0.1),
                 ut_vec3(RADIUS, 0, 0), 0.3);
    }
    lab_start(&lab);
    // the body is tilted by 0.02 rad, falls, slides and spins
    const double start[7] = {-0.2, -0.1, 0.12, cos(0.01), sin(0.01), 0, 0};
    const double v[6] = {0.8, 0.5, 0, 0, 0, 3.0};
    lab_state(&lab, start, v);
    *contacts = 0;
    for (int k = 0; k < 200; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        memcpy(q + 7 * (size_t)k, ut_sim_q(lab.sim), 7 * sizeof *q);
        *contacts += result.report.contacts;
    }
    CHECK_INT(lab.certified, lab.steps);
    lab_close(&lab);
}

TEST(a_spinning_foot_goes_the_same_way_with_more_geoms_within_its_corners)
{
    static double three[200 * 7], many[200 * 7];
    int contacts_three, contacts_many;
    wobble(false, three, &contacts_three);
    wobble(true, many, &contacts_many);
    double off = 0.0;
    for (int i = 0; i < 200 * 7; i++) {
        off = fmax(off, fabs(three[i] - many[i]));
    }
    // as above with 200 steps, 1e-11 and 2 m/s; the impacts at the start multiply errors by a few
    CHECK(off <= 4e-9);
    // another ball is a contact only while a corner is out of reach
    CHECK(contacts_many <= contacts_three + 20);
    CHECK(contacts_three > 500);
    CHECK(fabs(three[199 * 7] - three[0]) > 0.03);
    test_note("%d contacts, %d with more geoms; off by %.1e", contacts_three, contacts_many, off);
}

// ---- nothing sinks in ---------------------------------------------------------------------------

enum { PARTS = 8 };

typedef struct Part {
    utShapeKind kind;
    utVec3 at, size;
} Part;

static Part random_part(utRng* rng, bool level)
{
    Part part = {.kind = ut_rng_below(rng, 2) == 0 ? UT_SHAPE_SPHERE : UT_SHAPE_BOX};
    part.size = ut_vec3(ut_rng_range(rng, 0.01, 0.04), ut_rng_range(rng, 0.01, 0.04), 0.02);
    const double half = part.kind == UT_SHAPE_SPHERE ? part.size.x : part.size.z;
    part.at = ut_vec3(ut_rng_range(rng, -0.2, 0.2), ut_rng_range(rng, -0.2, 0.2), half - 0.1);
    part.at.z += level ? 0.0 : ut_rng_range(rng, 0.0, 2e-3);
    return part;
}

// The lowest point of a part of a body.
static double lowest(const Part* part, utFrame at)
{
    const utVec3 c = ut_frame_point(at, part->at), down = ut_mat3_row(at.R, 2);
    return part->kind == UT_SHAPE_SPHERE
               ? c.z - part->size.x
               : c.z - fabs(down.x) * part->size.x - fabs(down.y) * part->size.y -
                     fabs(down.z) * part->size.z;
}

// The rows of a step hold to first order. A point of the body at r from its centre of mass then
// moves by (exp(h w) - 1 - h w x) r besides, which is no more than (h |w|)^2 |r| / 2.
static void tumble(utRng* rng, bool level, bool tiles, double* excess, int* touching)
{
    Lab lab = lab_open(H);
    if (tiles) {
        add_tiles(&lab, 0.2, 0.0, false);
    } else {
        lab_floor(&lab, 0.0);
    }
    const int body = add_body(&lab, ut_vec3(0, 0, 0.13));
    Part part[PARTS];
    for (int k = 0; k < PARTS; k++) {
        part[k] = random_part(rng, level);
        add_part(&lab, body, part[k].kind, part[k].at, part[k].size, 0.4);
    }
    lab_start(&lab);
    double v[6];
    for (int i = 0; i < 6; i++) {
        v[i] = ut_rng_range(rng, -1.0, 1.0) * (i < 3 ? 0.5 : 2.0);
    }
    lab_state(&lab, NULL, v);
    for (int k = 0; k < 150; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        *touching += result.report.contacts;
        const utBodyState state = ut_sim_body(lab.sim, body);
        const double turned = H * ut_vec3_norm(state.angular);
        for (int i = 0; i < PARTS; i++) {
            const double r = ut_vec3_norm(part[i].at) + ut_vec3_norm(part[i].size);
            // the projection leaves overlaps of 1e-9 m, and a step has an error of 1e-8 h 1 m/s
            const double allowed = 0.5 * turned * turned * r + 1.1e-9;
            *excess = fmax(*excess, -lowest(&part[i], state.frame) - allowed);
        }
    }
    lab_certified(&lab);
    lab_close(&lab);
}

TEST(geoms_whose_contacts_were_dropped_never_sink_in)
{
#ifdef NDEBUG
    enum { FEET = 60 };
#else
    enum { FEET = 3 };
#endif
    utRng rng = ut_rng(8, 15);
    double excess = -1.0;
    int touching = 0;
    for (int k = 0; k < FEET; k++) {
        tumble(&rng, k % 2 == 0, k % 3 == 0, &excess, &touching);
    }
    CHECK(excess <= 0.0);
    // they touch most of the time, with a few points
    CHECK(touching > FEET * 150);
    CHECK(touching < FEET * 150 * 12);
    test_note("%.1f contacts a step of up to %d; beyond the bend by %.1e m",
              touching / 150.0 / FEET, 4 * PARTS, excess);
}

// ---- a rail in the floor ------------------------------------------------------------------------

// A rail whose axis is at the height of the floor: a box on the floor meets it with its lower edge, at
// the seam of rail and floor. The rail above the seam is free, so that the contact is not hidden. It
// stops the box at once, because both are hard and the normal is horizontal.
TEST(a_box_on_the_floor_is_stopped_by_a_rail_half_in_the_floor)
{
    utModel* model = test_model(
        "<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='3 3 1' "
        "friction='.1'/>"
        "<geom type='capsule' size='.4' fromto='-3 -3 0 3 -3 0' friction='.1'/>"
        "<body pos='0 -2.2 .1'><freejoint/><geom type='box' size='.15 .1 .1' friction='.1'/></body>"
        "</worldbody><keyframe><key qvel='0 -4 0 0 0 0'/></keyframe></mujoco>");
    utSim* sim = make_sim(model, NULL);
    utError err = {0};
    CHECK_INT(ut_sim_reset(sim, 0, &err), UT_OK);
    for (int k = 0; k < 40; k++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(sim, NULL, &result, &err), UT_OK);
        CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
    }
    // 0.3 m at 4 m/s take 0.08 s; then the box leans on the rail or comes back
    const utBodyState box = ut_sim_body(sim, 1);
    CHECK(box.com.y >= -2.5 - 1e-4 && fabs(box.velocity.y) < 4.0);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
