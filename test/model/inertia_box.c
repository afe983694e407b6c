// SPDX-License-Identifier: Apache-2.0
// The box with a body's mass and inertia.
#include "support/model_text.h"

#include <math.h>

// A box is its own inertia box, turned as it is; a ball of radius r has the cube of half extent r sqrt(3/5), because
// m (2 a^2) / 3 = 2 m r^2 / 5.
TEST(the_inertia_box_of_a_box_is_the_box)
{
    utModel* model = test_model(
        "<mujoco><worldbody>"
        "<body name='box'><freejoint/><geom type='box' size='0.3 0.2 0.1' euler='0 0 90'/></body>"
        "<body name='ball' pos='5 0 0'><freejoint/><geom size='0.5'/></body>"
        "</worldbody></mujoco>");
    utVec3 half;
    utQuat quat;
    CHECK(ut_model_inertia_box(&model->body[1], &half, &quat));
    // extents along the body's axes: |R| half
    const utMat3 R = ut_quat_to_mat3(quat);
    const double want[3] = {0.2, 0.3, 0.1};
    for (int i = 0; i < 3; i++) {
        const double along =
            fabs(R.m[i][0]) * half.x + fabs(R.m[i][1]) * half.y + fabs(R.m[i][2]) * half.z;
        CHECK_NEAR(along, want[i], 1e-14);
    }
    CHECK(ut_model_inertia_box(&model->body[2], &half, &quat));
    CHECK_NEAR(half.x, 0.5 * sqrt(0.6), 1e-15);
    CHECK_NEAR(half.z, 0.5 * sqrt(0.6), 1e-15);
    CHECK(!ut_model_inertia_box(&model->body[0], &half, &quat));
    CHECK_NEAR(half.x + half.y + half.z, 0.0, 0.0);
    ut_model_destroy(model);
}
