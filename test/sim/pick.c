// SPDX-License-Identifier: Apache-2.0
// The geom that a ray hits first: closed forms for every kind of shape.
#include "support/make_sim.h"
#include "support/model_text.h"

// Every shape stands alone, 10 m from the next one. Bodies move, so that the sim's poses count.
static const char shapes_text[] =
    "<mujoco xmlns:ut='urn:uptack'><asset>"
    "<mesh name='cube' vertex='-.1 -.2 -.3 .1 -.2 -.3 .1 .2 -.3 -.1 .2 -.3 -.1 -.2 .3 .1 -.2 .3 .1 "
    ".2 .3 "
    "-.1 .2 .3'/>"
    "<mesh name='trough' inertia='shell' vertex='-.5 -1 .5 0 -1 0 .5 -1 .5 -.5 1 .5 0 1 0 .5 1 .5 "
    "0 0 -1' "
    "face='0 1 4 0 4 3 1 2 5 1 5 4'/>"
    "<hfield name='ramp' nrow='2' ncol='2' size='2 1 0.5 0.1' elevation='0 1 0 "
    "1'/></asset><worldbody>"
    "<geom name='plane' type='plane' size='1 1 1' pos='0 0 -20'/>"
    "<geom name='trough' type='mesh' mesh='trough' ut:mesh='exact' pos='60 0 0'/>"
    "<geom name='ramp' type='hfield' hfield='ramp' pos='70 0 0'/>"
    "<body name='sphere'><freejoint/><geom name='sphere' size='0.5'/></body>"
    "<body name='capsule' pos='10 0 0' euler='0 90 0'><freejoint/>"
    "<geom name='capsule' type='capsule' size='0.2 0.5'/></body>"
    "<body name='box' pos='20 0 0' euler='0 0 30'><freejoint/>"
    "<geom name='box' type='box' size='0.1 0.2 0.3'/></body>"
    "<body name='cylinder' pos='30 0 0'><freejoint/>"
    "<geom name='cylinder' type='cylinder' size='0.2 0.4'/></body>"
    "<body name='ellipsoid' pos='40 0 0'><freejoint/>"
    "<geom name='ellipsoid' type='ellipsoid' size='0.1 0.2 0.3'/></body>"
    "<body name='hull' pos='50 0 0' euler='0 0 30'><freejoint/>"
    "<geom name='hull' type='mesh' mesh='cube'/></body>"
    "</worldbody></mujoco>";

static const utVec3 down = {0.0, 0.0, -1.0}, left = {-1.0, 0.0, 0.0};

static void check_hit(const utSim* sim, const char* name, utVec3 from, utVec3 direction,
                      double distance, utVec3 normal)
{
    utPick pick = {.geom = -1};
    const utModel* model = ut_sim_model(sim);
    if (!CHECK(ut_sim_pick(sim, from, direction, (double)INFINITY, &pick))) {
        test_note("no hit of %s", name);
        return;
    }
    const utVec3 unit = ut_vec3_scale(direction, 1.0 / ut_vec3_norm(direction));
    const utVec3 point = ut_vec3_add_scaled(from, distance, unit);
    CHECK_TEXT(model->geom[pick.geom].name, name);
    CHECK_NEAR(pick.hit.distance, distance, 1e-8);
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(pick.hit.point, point)), 0.0, 1e-8);
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(pick.hit.normal, normal)), 0.0, 1e-7);
}

TEST(a_pick_hits_every_kind_of_shape_where_its_closed_form_says)
{
    utModel* model = test_model(shapes_text);
    utSim* sim = make_sim(model, NULL);
    const double c30 = 0.5 * sqrt(3.0);

    // the direction may have any length
    check_hit(sim, "plane", ut_vec3(-5, 3, -18), ut_vec3(3, 0, -3), 2.0 * sqrt(2.0),
              ut_vec3(0, 0, 1));
    check_hit(sim, "sphere", ut_vec3(0.3, 0, 5), down, 5.0 - 0.4, ut_vec3(0.6, 0, 0.8));
    // its axis is x: the cylinder, then a cap
    check_hit(sim, "capsule", ut_vec3(10.2, 0.12, 5), down, 5.0 - 0.16, ut_vec3(0, 0.6, 0.8));
    check_hit(sim, "capsule", ut_vec3(10.62, 0, 5), down, 5.0 - 0.16, ut_vec3(0.6, 0, 0.8));
    // the face with normal (cos 30, sin 30) at 0.1 from the centre
    check_hit(sim, "box", ut_vec3(25, 0, 0.1), left, 5.0 - 0.1 / c30, ut_vec3(c30, 0.5, 0));
    check_hit(sim, "hull", ut_vec3(55, 0, 0.1), left, 5.0 - 0.1 / c30, ut_vec3(c30, 0.5, 0));
    check_hit(sim, "cylinder", ut_vec3(35, 0.12, 0.3), left, 5.0 - 0.16, ut_vec3(0.8, 0.6, 0));
    check_hit(sim, "cylinder", ut_vec3(30.1, 0.1, 5), down, 5.0 - 0.4, ut_vec3(0, 0, 1));
    // x^2/.01 + y^2/.04 + z^2/.09 = 1 at y = 0.1, z = 0.15; its gradient is the normal
    const double x = 0.1 * sqrt(0.5);
    const utVec3 gradient = ut_vec3(x / 0.01, 0.1 / 0.04, 0.15 / 0.09);
    check_hit(sim, "ellipsoid", ut_vec3(45, 0.1, 0.15), left, 5.0 - x,
              ut_vec3_scale(gradient, 1.0 / ut_vec3_norm(gradient)));
    // the sides of the trough have slope 1; the height field has slope 1/8 and height 0.25 in the middle
    const double r2 = sqrt(0.5), r65 = sqrt(65.0);
    check_hit(sim, "trough", ut_vec3(60.2, 0, 5), down, 5.0 - 0.2, ut_vec3(-r2, 0, r2));
    check_hit(sim, "ramp", ut_vec3(71, 0.3, 5), down, 5.0 - 0.375, ut_vec3(-1 / r65, 0, 8 / r65));
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(a_pick_takes_the_nearest_geom_within_its_length_and_in_front_of_it)
{
    utModel* model =
        test_model("<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
                   "<body name='low' pos='0 0 1'><freejoint/><geom name='low' size='0.2'/></body>"
                   "<body name='high' pos='0 0 2'><freejoint/><geom name='high' size='0.2' "
                   "contype='0' conaffinity='0'/></body></worldbody></mujoco>");
    utSim* sim = make_sim(model, NULL);
    utPick pick = {.geom = 7};
    check_hit(sim, "high", ut_vec3(0, 0, 3), down, 0.8, ut_vec3(0, 0, 1));
    check_hit(sim, "low", ut_vec3(0, 0, 1.5), down, 0.3, ut_vec3(0, 0, 1));
    check_hit(sim, "floor", ut_vec3(1, 0, 3), down, 3.0, ut_vec3(0, 0, 1));
    // inside a geom: at once, and against the ray
    check_hit(sim, "high", ut_vec3(0, 0, 2.1), down, 0.0, ut_vec3(0, 0, 1));

    // after the body moved
    CHECK_INT(ut_sim_set(sim, 0.0, (const double[]){5, 0, 1, 1, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0}, NULL,
                         NULL),
              UT_OK);
    check_hit(sim, "low", ut_vec3(5, 0, 3), down, 1.8, ut_vec3(0, 0, 1));

    // what finds nothing leaves the pick alone
    CHECK(!ut_sim_pick(sim, ut_vec3(0, 0, 3), ut_vec3(0, 0, 1), (double)INFINITY, &pick));
    CHECK(!ut_sim_pick(sim, ut_vec3(0, 0, 3), down, 0.79, &pick));
    CHECK(!ut_sim_pick(sim, ut_vec3(0, 0, 3), ut_vec3(0, 0, 0), (double)INFINITY, &pick));
    CHECK(
        !ut_sim_pick(sim, ut_vec3(0, 0, 3), ut_vec3(0, (double)NAN, -1), (double)INFINITY, &pick));
    CHECK(!ut_sim_pick(sim, ut_vec3(0, (double)NAN, 3), down, (double)INFINITY, &pick));
    CHECK(!ut_sim_pick(sim, ut_vec3(0, 0, 3), down, (double)NAN, &pick));
    CHECK_INT(pick.geom, 7);
    CHECK(ut_sim_pick(sim, ut_vec3(0, 0, 3), down, 0.81, &pick));
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
