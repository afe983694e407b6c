// SPDX-License-Identifier: Apache-2.0
// Copies of a sim, poses of all bodies and geoms at once, and the poses after a step that was not
// accepted.
#include <uptack/formulation.h>

#include "all_inputs.h"
#include "support/make_sim.h"
#include "support/model_text.h"

// Bouncing and resting contacts, a limit, and a mocap body that follows a function of the time.
static const char bouncing_text[] =
    "<mujoco xmlns:ut='urn:uptack'><option timestep='0.004'/><worldbody>"
    "<geom name='floor' type='plane' size='5 5 0.1' friction='0.5' ut:restitution='0.5'/>"
    "<body name='ball' pos='0 0 0.3'><freejoint/>"
    "<geom type='sphere' size='0.05' pos='0.01 0 0' euler='10 20 30' mass='1' "
    "ut:restitution='0.8'/>"
    "</body>"
    "<body name='box' pos='0.3 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='2'/>"
    "</body>"
    "<body name='arm' pos='0 1 1'><joint type='hinge' axis='0 1 0' limited='true' range='-5 5'/>"
    "<geom type='capsule' fromto='0 0 0 0.4 0 0' size='0.03' mass='1'/></body>"
    "<body name='pusher' mocap='true' pos='-1 0 0.3'><geom type='box' size='0.05 0.5 0.3'/></body>"
    "</worldbody><ut:motion body='pusher' x='-1 + 0.3*sin(2*t)' rz='t'/></mujoco>";

static void step(utSim* sim, int steps)
{
    for (int k = 0; k < steps; k++) {
        CHECK_INT(ut_sim_step(sim, NULL, NULL, NULL), UT_OK);
    }
}

// Run both sims on and compare their snapshots, which hold every bit of the state.
static void check_same_run(utSim* a, utSim* b, int steps)
{
    step(a, steps);
    step(b, steps);
    Picture picture = take_picture(a);
    CHECK(looks_the_same(b, &picture));
    free_picture(&picture);
}

static void check_copy(const utModel* model, const utSimDef* def)
{
    utSim *from = make_sim(model, def), *to = make_sim(model, def);
    step(from, 70); // impacts and contacts at rest
    step(to, 3);
    CHECK_INT(ut_sim_copy(from, to, NULL), UT_OK);
    Picture now = take_picture(from);
    CHECK(looks_the_same(to, &now));
    free_picture(&now);
    check_same_run(from, to, 80);

    // to itself: nothing changes
    CHECK_INT(ut_sim_copy(to, to, NULL), UT_OK);
    check_same_run(from, to, 5);
    ut_sim_destroy(to);
    ut_sim_destroy(from);
}

TEST(a_copy_of_a_sim_goes_on_with_the_same_bits)
{
    utModel* model = test_model(bouncing_text);
    utSimDef def = ut_sim_def();
    check_copy(model, &def);
    def.formulation = UT_FORMULATION_HYBRID;
    check_copy(model, &def);
    def.formulation = UT_FORMULATION_MIRTICH;
    check_copy(model, &def);
    def.formulation = UT_FORMULATION_COULOMB;
    def.adaptive = 1e-4;
    check_copy(model, &def);
    ut_model_destroy(model);
}

TEST(a_copy_to_a_sim_with_another_dt_counts_that_dt)
{
    utModel* model = test_model(bouncing_text);
    utSimDef def = ut_sim_def();
    utSim* from = make_sim(model, &def);
    def.dt = 0.001;
    utSim* to = make_sim(model, &def);
    step(from, 10);
    CHECK_INT(ut_sim_copy(from, to, NULL), UT_OK);
    CHECK_NEAR(ut_sim_time(to), 0.04, 0.0);
    step(to, 2);
    CHECK_NEAR(ut_sim_time(to), 0.042, 1e-15);
    ut_sim_destroy(to);
    ut_sim_destroy(from);
    ut_model_destroy(model);
}

TEST(a_copy_between_different_models_is_rejected)
{
    utModel *one = test_model(bouncing_text), *two = inputs_model();
    utSim *from = make_sim(one, NULL), *to = make_sim(two, NULL);
    utError err = {0};
    inputs_run(to, 4);
    Picture before = take_picture(to);
    CHECK_INT(ut_sim_copy(from, to, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "same model") != NULL);
    CHECK(looks_the_same(to, &before));
    CHECK_INT(ut_sim_copy(NULL, to, NULL), UT_ERR_ARGUMENT);
    CHECK_INT(ut_sim_copy(from, NULL, NULL), UT_ERR_ARGUMENT);
    free_picture(&before);
    ut_sim_destroy(to);
    ut_sim_destroy(from);
    ut_model_destroy(two);
    ut_model_destroy(one);
}

// ---- poses --------------------------------------------------------------------------------------

enum { MOST = 16 }; // bodies or geoms

// A point of the local frame, by a pose and by a frame.
static void check_pose(const double* pos, const double* quat, utFrame frame)
{
    const utVec3 local = ut_vec3(0.3, -0.7, 1.1);
    const utVec3 at =
        ut_vec3_add(ut_vec3(pos[0], pos[1], pos[2]),
                    ut_quat_rotate(ut_quat(quat[0], quat[1], quat[2], quat[3]), local));
    const utVec3 expected = ut_frame_point(frame, local);
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(at, expected)), 0.0, 1e-14);
}

TEST(poses_of_all_bodies_and_geoms_are_those_of_ut_sim_body)
{
    utModel* model = test_model(bouncing_text);
    utSim* sim = make_sim(model, NULL);
    double pos[3 * MOST], quat[4 * MOST];
    CHECK(model->nbody <= MOST && model->ngeom <= MOST);
    step(sim, 60);

    ut_sim_body_poses(sim, pos, quat);
    for (int b = 0; b < model->nbody; b++) {
        const utBodyState body = ut_sim_body(sim, b);
        const double q[] = {body.quat.w, body.quat.x, body.quat.y, body.quat.z};
        const double p[] = {body.frame.p.x, body.frame.p.y, body.frame.p.z};
        CHECK(memcmp(q, quat + 4 * b, sizeof q) == 0 && memcmp(p, pos + 3 * b, sizeof p) == 0);
        check_pose(pos + 3 * b, quat + 4 * b, body.frame);
    }

    ut_sim_geom_poses(sim, pos, quat);
    for (int g = 0; g < model->ngeom; g++) {
        const utModelGeom* geom = &model->geom[g];
        const utFrame body = ut_sim_body(sim, geom->body).frame;
        check_pose(pos + 3 * g, quat + 4 * g, ut_frame_mul(body, geom->in_body));
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// The box begins 1 cm deep in the floor: the projection of a step moves it.
TEST(a_step_that_is_not_accepted_leaves_the_poses_of_the_state)
{
    static const char text[] =
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.09'><freejoint/>"
        "<geom type='box' size='0.1 0.1 0.1' mass='1'/></body></worldbody></mujoco>";
    utModel* model = test_model(text);
    utSimDef def = ut_sim_def();
    def.tolerance = 1e-300; // no step passes
    utSim* sim = make_sim(model, &def);
    const double energy = ut_sim_energy(sim);
    double pos[6], quat[8];
    CHECK_INT(ut_sim_step(sim, NULL, NULL, NULL), UT_ERR_NOT_TAKEN);
    ut_sim_body_poses(sim, pos, quat);
    CHECK_NEAR(pos[5], 0.09, 0.0);
    CHECK_NEAR(ut_sim_energy(sim), energy, 0.0);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
