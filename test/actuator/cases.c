// SPDX-License-Identifier: Apache-2.0
// Models as users write them, from the folder `cases` beside $UPTACK_DATA.
#include <stdlib.h>

#include "lab.h"

// Load a case and let it run with the controls of its keyframe, certified. @return false: skipped
static bool run_case(const char* name, double time, Lab* lab)
{
    const char* data = getenv("UPTACK_DATA");
    char path[1024];
    utError err = {0};
    *lab = (Lab){0};
    if (data == NULL) {
        test_note("UPTACK_DATA is not set: %s is skipped", name);
        return false;
    }
    snprintf(path, sizeof path, "%s/../cases/%s.xml", data, name);
    const utSimDef def = ut_sim_def();
    if (ut_load(path, &lab->model, &err) != UT_OK ||
        ut_sim_create(lab->model, &def, &lab->sim, &err) != UT_OK) {
        CHECK_TEXT(err.message, "");
        return false;
    }
    CHECK_INT(lab->model->missing, 0);
    const int key = ut_model_start_key(lab->model);
    CHECK_INT(ut_sim_reset(lab->sim, key, &err), UT_OK);
    return lab_steps(lab, (int)(time / ut_sim_dt(lab->sim)), lab->model->keyframe[key].ctrl);
}

static double joint_velocity(const Lab* lab, const char* name)
{
    return ut_sim_v(lab->sim)[lab->model->joint[ut_model_find_joint(lab->model, name)].v];
}

// Velocity servos turn the rear wheels of radius 0.06 m toward 15 rad/s: it drives forward.
TEST(a_car_drives)
{
    Lab lab;
    if (run_case("07-car", 2.0, &lab)) {
        CHECK(ut_sim_v(lab.sim)[0] > 0.3);
        CHECK(joint_velocity(&lab, "rlw") > 10.0 && joint_velocity(&lab, "rlw") < 15.0);
    }
    lab_close(&lab);
}

// A servo with kv = 5 turns the crank of a four-bar linkage near its 6 rad/s.
TEST(a_crank_turns_its_linkage)
{
    Lab lab;
    if (run_case("08-fourbar", 2.0, &lab)) {
        CHECK_NEAR(joint_velocity(&lab, "crank"), 6.0, 3.0);
    }
    lab_close(&lab);
}

// General actuators, kp = 200, kv = 20, 87 N m at most, bend the arm toward its controls, until it
// lies on the ground.
TEST(an_arm_moves_under_its_general_actuators)
{
    Lab lab;
    if (run_case("12-arm", 1.0, &lab)) {
        CHECK(ut_sim_q(lab.sim)[1] > 0.8);
        CHECK_NEAR(ut_sim_q(lab.sim)[4], 0.5, 0.3);
        for (int i = 0; i < lab.model->nu; i++) {
            CHECK(fabs(lab.result.report.actuator_force[i]) <= 87.0);
        }
    }
    lab_close(&lab);
}
