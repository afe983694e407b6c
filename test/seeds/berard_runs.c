// SPDX-License-Identifier: Apache-2.0
// uptack's trajectories against those of the recipes, written down once more by hand.
#include "berard.h"
#include "berard_pendulum.h"

// The planar state in the recipe's order: that of the maximal model.
static double apart(const utSim* sim, const Recipe* k)
{
    double most = 0.0;
    CHECK_INT(ut_sim_model(sim)->nv, k->nu);
    for (int i = 0; i < k->nu; i++) {
        most = fmax(most, fabs(ut_sim_q(sim)[i] - k->q[i]));
        most = fmax(most, fabs(ut_sim_v(sim)[i] - k->v[i]));
    }
    return most;
}

// Both solve each step to 1e-13 or better; over two seconds differences grow by e^(5 t) at most, as
// neighbouring motions of these pendulums do.
TEST(B42_every_example_follows_the_printed_scheme)
{
    for (int e = 0; e < RECIPE_COUNT; e++) {
        utModel* model = scene_load(recipe_name((RecipeExample)e), true);
        utSim* sim = scene_sim(model, 0.0);
        Recipe k = recipe((RecipeExample)e, 0.01);
        double most = apart(sim, &k);
        for (int step = 0; step < 200 && CHECK(recipe_step(&k)); step++) {
            scene_step(sim);
            most = fmax(most, apart(sim, &k));
        }
        CHECK(most <= 1e-9);
        test_note("%s: states within %.1e over 2 s", recipe_name((RecipeExample)e), most);
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}

// In the joints' own coordinates the recipe of 4.1 is v' = v + h M^-1 (forces), q' = q + h v'.
TEST(B42_generalized_coordinates_follow_the_scheme_of_the_angles)
{
    utModel* model = scene_load("4.1", false);
    utSim* sim = scene_sim(model, 0.0);
    const Recipe k = recipe(RECIPE_4_1, 0.01);
    Pendulum p = pendulum(&k, atan(1.0), atan(1.0) / 1.5, false);
    double most = 0.0;
    CHECK_INT(model->nv, 2);
    for (int step = 0; step < 200; step++) {
        scene_step(sim);
        pendulum_euler(&p, 0.01);
        // joint angles: of A, and of B against A
        most = fmax(most, fabs(ut_sim_q(sim)[0] - p.q[1]));
        most = fmax(most, fabs(ut_sim_q(sim)[1] - (p.q[2] - p.q[1])));
    }
    CHECK(most <= 1e-9);
    test_note("4.1 in generalized coordinates: angles within %.1e over 2 s", most);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// ---- the frame of contact 3 ---------------------------------------------------------------------

// 4.4-tip turns the block by up to 0.17 rad. With the linear rows of Eq. 67 in the frame of C, as
// printed, the pusher's force is another one.
TEST(B32_the_wrong_frame_of_Eq_67_is_caught)
{
    utModel* model = scene_load("4.4-tip", true);
    utSim* sim = scene_sim(model, 0.0);
    Recipe right = recipe(RECIPE_4_4_TIP, 0.01), literal = right;
    literal.literal = true;
    const struct {
        int step;
        double right, literal; // N, to the printed digits
    } at[] = {{100, 10.194, 9.721}, {150, 8.911, 8.267}};
    for (int step = 1; step <= 150; step++) {
        const utStepResult result = scene_step(sim);
        CHECK(recipe_step(&right) && recipe_step(&literal));
        for (int k = 0; k < 2; k++) {
            if (step == at[k].step) {
                const double force = result.report.contact[2].r[0] / 0.01;
                CHECK_NEAR(force, at[k].right, 5e-4);
                CHECK_NEAR(recipe_normal(&right, 2) / 0.01, force, 1e-9);
                CHECK_NEAR(recipe_normal(&literal, 2) / 0.01, at[k].literal, 5e-4);
                test_note("t = %g: %.4f N, with the printed frame %.4f N", 0.01 * step, force,
                          recipe_normal(&literal, 2) / 0.01);
            }
        }
    }
    test_note("the block turned to %.3f rad", scene_pose(sim, "C").q[2]);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
