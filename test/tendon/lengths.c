// SPDX-License-Identifier: Apache-2.0
// Lengths of tendons: by hand, from MuJoCo, and their derivatives by differences.
#include "lab.h"

static const double PI = 3.14159265358979323846;

// Two sites at the distance 2 R on opposite sides of a cylinder of radius R = 0.1 about z, one 0.3
// higher: each tangent takes acos(1/2) = 60 degrees from the half circle. On the unrolled cylinder the
// path is straight.
TEST(a_path_around_a_cylinder_has_the_length_of_its_unrolled_surface)
{
    utModel* model = test_model(
        "<mujoco><worldbody><site name='a' pos='-.2 0 0'/>"
        "<geom name='c' type='cylinder' size='.1 1'/>"
        "<body pos='.2 0 0'><joint type='slide' axis='0 0 1'/><geom size='.01'/><site name='b'/>"
        "</body></worldbody><tendon><spatial><site site='a'/><geom geom='c'/><site site='b'/>"
        "</spatial></tendon></mujoco>");
    const double flat = 2.0 * sqrt(0.03) + 0.1 * PI / 3.0;
    const double q = 0.3;
    double J;
    CHECK_NEAR(length_at(model, &q, 0, &J), sqrt(flat * flat + 0.09), 1e-15);
    CHECK_NEAR(J, 0.3 / sqrt(flat * flat + 0.09), 1e-14); // dL/dH of the straight line
    CHECK_NEAR(model->tendon[0].length0, flat, 1e-15);
    CHECK_INT(model->tendon[0].terms, 1);
    ut_model_destroy(model);
}

// The same around a sphere; with a site beside it the path goes round on that side; a site in the
// sphere pulls a path that would pass beside it onto the sphere: from (-.3, .2) to (.3, .2) by
// (0, .1).
TEST(paths_around_and_through_a_sphere_have_their_lengths_by_hand)
{
    utModel* model = test_model(
        "<mujoco><worldbody><site name='a' pos='-.12 .16 0'/><geom name='s' size='.1'/>"
        "<site name='c' pos='-.3 .2 0'/><site name='d' pos='.3 .2 0'/><site name='in' pos='.01 0 "
        "0'/>"
        "<site name='below' pos='0 -.5 0'/>"
        "<body pos='.12 -.16 0'><joint type='slide' axis='0 0 1'/><geom size='.01'/><site "
        "name='b'/>"
        "</body></worldbody><tendon>"
        "<spatial><site site='a'/><geom geom='s'/><site site='b'/></spatial>"
        "<spatial><site site='c'/><geom geom='s' sidesite='in'/><site site='d'/></spatial>"
        "<spatial><site site='c'/><geom geom='s' sidesite='below'/><site site='d'/></spatial>"
        "<spatial><site site='c'/><geom geom='s'/><site site='d'/></spatial>"
        "</tendon></mujoco>");
    const double q = 0.0;
    CHECK_NEAR(length_at(model, &q, 0, NULL), 2.0 * sqrt(0.03) + 0.1 * PI / 3.0, 1e-14);
    CHECK_NEAR(length_at(model, &q, 1, NULL), 2.0 * sqrt(0.09 + 0.01), 1e-14);
    // below: the two sites are at the angles pi - t and t above, t = atan2(2, 3); the arc spans what
    // is left of pi + 2 t after the two tangents
    const double distance = sqrt(0.13), t = atan2(2.0, 3.0);
    const double arc = PI + 2.0 * t - 2.0 * acos(0.1 / distance);
    CHECK_NEAR(length_at(model, &q, 2, NULL), 2.0 * sqrt(0.13 - 0.01) + 0.1 * arc, 1e-14);
    CHECK_NEAR(length_at(model, &q, 3, NULL), 0.6, 1e-15); // the sphere is not in the way
    CHECK_INT(model->tendon[1].terms, 0);                  // nothing moves it
    ut_model_destroy(model);
}

// Every kind of path on an arm of two hinges.
static const char paths[] =
    "<mujoco><worldbody><site name='w0' pos='-.5 .1 .3'/><site name='w1' pos='.6 0 .2'/>"
    "<geom name='c' type='cylinder' size='.2 .2' euler='80 10 0' pos='0 0 .3'/>"
    "<geom name='r' type='sphere' size='.12' pos='.1 .05 .45'/>"
    "<site name='up' pos='0 0 0'/><site name='in' pos='.11 .05 .47'/>"
    "<body name='a' pos='.3 0 .5'><joint name='a' axis='0 1 0'/><geom size='.05' pos='.3 0 0'/>"
    "<site name='a0' pos='.1 .02 .05'/><site name='a1' pos='.3 0 0'/>"
    "<body name='b' pos='.3 0 0'><joint name='b' axis='0 0 1'/><geom size='.05' pos='.2 0 0'/>"
    "<geom name='d' type='cylinder' size='.12 .1' pos='.1 0 .1' euler='90 0 0'/>"
    "<site name='b0' pos='.2 .05 0'/></body></body></worldbody><tendon>"
    "<spatial name='outside'><site site='w0'/><geom geom='c'/><site site='a0'/></spatial>"
    "<spatial name='side'><site site='w0'/><geom geom='c' sidesite='up'/><site "
    "site='b0'/></spatial>"
    "<spatial name='inside'><site site='w0'/><geom geom='r' sidesite='in'/><site site='a1'/>"
    "</spatial>"
    "<spatial name='sphere'><site site='w0'/><geom geom='r'/><site site='b0'/></spatial>"
    "<spatial name='moving'><site site='a0'/><geom geom='d'/><site site='b0'/><site site='w1'/>"
    "</spatial>"
    "<spatial name='pulley'><site site='w0'/><site site='a0'/><pulley divisor='2'/>"
    "<site site='a1'/><site site='w1'/><pulley divisor='4'/><site site='b0'/><site site='w1'/>"
    "</spatial>"
    "<fixed name='fixed'><joint joint='a' coef='.5'/><joint joint='b' coef='-2'/></fixed>"
    "</tendon></mujoco>";

enum { PATHS = 7, STATES = 3 };
static const double states[STATES][2] = {{0.0, 0.0}, {-0.4, 0.7}, {0.6, -0.5}};

// MuJoCo 3.14.0 gives these lengths. Its path through a sphere is solved to 1e-6 in an angle at which
// the length is stationary, so the length has an error of 1e-12.
static const double mujoco_lengths[STATES][PATHS] = {
    {0.94529484738734681, 1.4509942412527805, 1.1224972160321824, 1.3212338364082934,
     0.77558565375324884, 1.1784980402767471, 0.0},
    {0.92483920618032334, 1.4622328911302298, 1.1264277509891270, 1.2453629728711095,
     0.86584194794006764, 1.2554073959441847, -1.6},
    {0.95196920583588684, 1.2766390786377562, 1.0531178287048539, 1.2244889382766111,
     0.54132197542272364, 1.0343772898080115, 1.3},
};

TEST(lengths_agree_with_mujoco)
{
    utModel* model = test_model(paths);
    CHECK_INT(model->ntendon, PATHS);
    for (int s = 0; s < STATES; s++) {
        for (int i = 0; i < PATHS; i++) {
            const double tolerance = i == 2 ? 1e-12 : 4e-15;
            CHECK_NEAR(length_at(model, states[s], i, NULL), mujoco_lengths[s][i], tolerance);
        }
    }
    ut_model_destroy(model);
}

// Central differences with the step d have an error of d^2 L''' / 6, about 1e-11, and rounding
// 1e-16 / d = 1e-10.
TEST(derivatives_agree_with_differences_of_the_length)
{
    const double d = 1e-6;
    utModel* model = test_model(paths);
    for (int s = 0; s < STATES; s++) {
        for (int i = 0; i < PATHS; i++) {
            const utModelTendon* tendon = &model->tendon[i];
            double J[2] = {0.0, 0.0}, dense[2] = {0.0, 0.0};
            length_at(model, states[s], i, J);
            for (int k = 0; k < tendon->terms; k++) {
                dense[tendon->index[k]] = J[k];
            }
            for (int k = 0; k < 2; k++) {
                double q[2] = {states[s][0], states[s][1]};
                q[k] += d;
                const double after = length_at(model, q, i, NULL);
                q[k] -= 2.0 * d;
                CHECK_NEAR(dense[k], (after - length_at(model, q, i, NULL)) / (2.0 * d), 1e-9);
            }
        }
    }
    ut_model_destroy(model);
}

// A path that barely touches its cylinder has no arc; a rounding error in its angle must not add a
// full turn.
TEST(a_path_that_barely_touches_does_not_jump)
{
    utModel* model = test_model(
        "<mujoco><worldbody><site name='a' pos='-.3 .1 0'/>"
        "<geom name='c' type='cylinder' size='.1 1'/><body pos='.3 .1 0'>"
        "<joint type='slide' axis='0 1 0'/><geom size='.01'/><site name='b'/></body></worldbody>"
        "<tendon><spatial><site site='a'/><geom geom='c'/><site site='b'/></spatial></tendon>"
        "</mujoco>");
    for (int k = -1000; k <= 1000; k++) {
        const double q = 1e-18 * k * k * k;
        CHECK_NEAR(length_at(model, &q, 0, NULL), 0.6, 1e-8);
    }
    ut_model_destroy(model);
}

// MuJoCo 3.14.0 gives these spring lengths and passive forces for springs with a slack range and with
// polynomials: the default length is that at the joint's springref.
TEST(springs_and_dampers_agree_with_mujoco)
{
    utModel* model = test_model(
        "<mujoco><option gravity='0 0 0'/><worldbody><site name='o'/><body pos='1 0 0'>"
        "<joint name='a' type='slide' axis='1 0 0' springref='.3' ref='.1'/><geom size='.05'/>"
        "<site name='s'/></body></worldbody><tendon>"
        "<spatial stiffness='10 20 30' springlength='.2 .4'><site site='o'/><site "
        "site='s'/></spatial>"
        "<spatial stiffness='10' damping='2 3 4'><site site='o'/><site site='s'/></spatial>"
        "<fixed stiffness='5'><joint joint='a' coef='2'/></fixed></tendon></mujoco>");
    CHECK_NEAR(model->tendon[1].spring_length[0], 1.2, 1e-15);
    CHECK_NEAR(model->tendon[2].spring_length[1], 0.6, 1e-15);
    static const double cases[][3] = {{0.1, 0.0, -13.68}, {-0.8, 0.0, 33.83},
                                      {-0.5, 0.0, 24.0},  {-0.35, 0.0, 17.44875},
                                      {0.1, 1.0, -22.68}, {0.1, -1.0, -4.68}};
    utArena arena = test_arena();
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double tau = 0.0;
        ut_kinematics_place(&kin, &cases[k][0], NULL, NULL);
        CHECK_INT(ut_dyn_add_tendons(&kin, &cases[k][0], &cases[k][1], NULL, arena, &tau), UT_OK);
        CHECK_NEAR(tau, cases[k][2], 1e-13);
    }
    ut_model_destroy(model);
}
