// SPDX-License-Identifier: Apache-2.0
// Sensors of accelerations and forces in motions with a closed form.
#include "support/make_sim.h"
#include "support/model_text.h"

#include <math.h>

enum { MAX_VALUES = 64 };

static const double g = 9.81;

// The first value of a sensor.
static const double* value_of(const utModel* model, const char* name, const double* data)
{
    const int sensor = ut_model_find_sensor(model, name);
    static const double nothing[6] = {0};
    return CHECK(sensor >= 0) ? data + model->sensor[sensor].start : nothing;
}

static void check_vector(const double* got, double x, double y, double z, double tolerance)
{
    CHECK_NEAR(got[0], x, tolerance);
    CHECK_NEAR(got[1], y, tolerance);
    CHECK_NEAR(got[2], z, tolerance);
}

typedef struct Lab {
    utModel* model;
    utSim* sim;
    double data[MAX_VALUES];
} Lab;

// Take some steps and read the sensors.
static Lab run(const char* text, int steps)
{
    Lab lab = {.model = test_model(text)};
    lab.sim = make_sim(lab.model, NULL);
    CHECK(lab.model->nsensordata <= MAX_VALUES);
    for (int i = 0; i < steps; i++) {
        CHECK_INT(ut_sim_step(lab.sim, NULL, NULL, NULL), UT_OK);
    }
    ut_sim_sensors(lab.sim, lab.data);
    return lab;
}

static void end(Lab* lab)
{
    ut_sim_destroy(lab->sim);
    ut_model_destroy(lab->model);
}

// A box of 2 kg at rest: the floor carries m g, of which a site over one half of the face takes one
// half by symmetry. The impulses of a certified step are within 1e-8 of the velocity scale times the
// mass, and forces are impulses over h = 0.002: below 1e-4 N.
TEST(touch_of_a_resting_box_is_its_weight)
{
    Lab lab = run("<mujoco><worldbody><geom type='plane' size='5 5 .1'/>"
                  "<body name='box' pos='0 0 0.1'><freejoint/>"
                  "<geom type='box' size='.1 .1 .1' mass='2'/>"
                  "<site name='all' type='box' size='.2 .2 .02' pos='0 0 -.1'/>"
                  "<site name='half' type='box' size='.1 .2 .02' pos='.1 0 -.1'/>"
                  "<site name='ahead' size='.2' pos='0 0 -.5'/>"
                  "<site name='top' type='box' size='.2 .2 .02' pos='0 0 .1'/>"
                  "<site name='imu' euler='0 90 0'/></body></worldbody>"
                  "<sensor><touch name='t' site='all'/><touch name='h' site='half'/>"
                  "<touch name='a' site='ahead'/><touch name='n' site='top'/>"
                  "<touch name='c' site='all' cutoff='5'/>"
                  "<accelerometer name='acc' site='imu'/><force name='f' site='imu'/>"
                  "<framelinacc name='la' objtype='xbody' objname='box'/></sensor></mujoco>",
                  20);
    const double tolerance = 1e-4;
    CHECK_NEAR(value_of(lab.model, "t", lab.data)[0], 2.0 * g, tolerance);
    CHECK_NEAR(value_of(lab.model, "h", lab.data)[0], g, tolerance);
    // the normals out of the body at the corners, 0.141 m beside the axis, meet the sphere below
    CHECK_NEAR(value_of(lab.model, "a", lab.data)[0], 2.0 * g, tolerance);
    CHECK_NEAR(value_of(lab.model, "n", lab.data)[0], 0.0, 0.0);
    CHECK_NEAR(value_of(lab.model, "c", lab.data)[0], 5.0, 0.0);
    // up is -x of a site that is turned by 90 degrees about y
    check_vector(value_of(lab.model, "acc", lab.data), -g, 0, 0, tolerance);
    check_vector(value_of(lab.model, "la", lab.data), 0, 0, g, tolerance);
    // a free joint transmits nothing
    check_vector(value_of(lab.model, "f", lab.data), 0, 0, 0, tolerance);
    end(&lab);
}

// Three bodies that hang on balls at rest: each joint carries the weight below it.
TEST(force_in_a_hanging_chain_is_the_weight_below)
{
    Lab lab = run("<mujoco><worldbody><site name='fixed' euler='180 0 0'/>"
                  "<body pos='0 0 3'><joint type='ball'/><geom type='sphere' size='.1' "
                  "pos='0 0 -.5' mass='1'/><site name='s1'/>"
                  "<body pos='0 0 -1'><joint type='ball'/><geom type='sphere' size='.1' "
                  "pos='0 0 -.5' mass='2'/><site name='s2'/>"
                  "<body pos='0 0 -1'><geom type='sphere' size='.1' pos='0 0 -.5' mass='4'/>"
                  "<site name='s3' pos='0 0 -.5' euler='180 0 0'/>"
                  "</body></body></body></worldbody>"
                  "<sensor><force name='f1' site='s1'/><force name='f2' site='s2'/>"
                  "<force name='f3' site='s3'/><torque name='t3' site='s3'/>"
                  "<accelerometer name='a' site='fixed'/></sensor></mujoco>",
                  3);
    check_vector(value_of(lab.model, "f1", lab.data), 0, 0, 7.0 * g, 1e-9);
    check_vector(value_of(lab.model, "f2", lab.data), 0, 0, 6.0 * g, 1e-9);
    // the site's z points down
    check_vector(value_of(lab.model, "f3", lab.data), 0, 0, -4.0 * g, 1e-9);
    check_vector(value_of(lab.model, "t3", lab.data), 0, 0, 0, 1e-9);
    // a fixed accelerometer reads gravity, too
    check_vector(value_of(lab.model, "a", lab.data), 0, 0, -g, 1e-12);
    end(&lab);
}

// A weight of 3 kg at the end of a beam of 0.8 m: the torque at the wall is m g L, half-way m g L / 2.
// The beam is welded to a slide that a servo holds, because a model has to move; at rest the slide
// carries the beam, too.
TEST(torque_of_a_cantilever_is_its_moment)
{
    Lab lab = run("<mujoco><worldbody><body name='beam'><joint type='slide' axis='0 1 0'/>"
                  "<geom type='box' size='.8 .01 .01' contype='0' conaffinity='0' mass='0'/>"
                  "<site name='wall'/><site name='middle' pos='.4 0 0'/>"
                  "<body pos='.8 0 0'><geom type='sphere' size='.1' mass='3'/><site name='tip'/>"
                  "</body></body></worldbody>"
                  "<sensor><torque name='t' site='wall'/><force name='f' site='wall'/>"
                  "<torque name='m' site='middle'/><torque name='e' site='tip'/></sensor></mujoco>",
                  1);
    check_vector(value_of(lab.model, "f", lab.data), 0, 0, 3.0 * g, 1e-9);
    // r x F = L x̂ x (- m g ẑ) = + m g L ŷ acts on the beam; the wall bears - m g L ŷ
    check_vector(value_of(lab.model, "t", lab.data), 0, -3.0 * g * 0.8, 0, 1e-9);
    check_vector(value_of(lab.model, "m", lab.data), 0, -3.0 * g * 0.4, 0, 1e-9);
    check_vector(value_of(lab.model, "e", lab.data), 0, 0, 0, 1e-9);
    end(&lab);
}

// A wheel that spins about its hinge with w = 5 rad/s: the gyro reads w, an accelerometer at the radius
// r reads w^2 r toward the axis, and the hinge bears m w^2 d of a centre of mass d off the axis.
TEST(a_spinning_wheel_is_felt_by_gyro_accelerometer_and_hinge)
{
    Lab lab = run("<mujoco><option gravity='0 0 0'/><worldbody><body name='wheel'>"
                  "<joint name='axle' axis='0 0 1'/>"
                  "<geom type='sphere' size='.1' pos='.2 0 0' mass='2'/>"
                  "<site name='rim' pos='0.3 0 0'/><site name='hub'/></body></worldbody>"
                  "<sensor><gyro name='w' site='rim'/><accelerometer name='a' site='rim'/>"
                  "<velocimeter name='v' site='rim'/><force name='f' site='hub'/>"
                  "<jointvel name='j' joint='axle'/></sensor></mujoco>",
                  0);
    const double rate = 5.0;
    CHECK(isnan(value_of(lab.model, "a", lab.data)[0])); // no step yet
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, &rate, NULL), UT_OK);
    CHECK_INT(ut_sim_step(lab.sim, NULL, NULL, NULL), UT_OK);
    ut_sim_sensors(lab.sim, lab.data);
    check_vector(value_of(lab.model, "w", lab.data), 0, 0, rate, 1e-12);
    check_vector(value_of(lab.model, "v", lab.data), 0, rate * 0.3, 0, 1e-12);
    check_vector(value_of(lab.model, "a", lab.data), -rate * rate * 0.3, 0, 0, 1e-9);
    check_vector(value_of(lab.model, "f", lab.data), -2.0 * rate * rate * 0.2, 0, 0, 1e-9);
    CHECK_NEAR(value_of(lab.model, "j", lab.data)[0], rate, 1e-12);
    // the step does not belong to a state that the caller sets
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, &rate, NULL), UT_OK);
    ut_sim_sensors(lab.sim, lab.data);
    CHECK(isnan(value_of(lab.model, "a", lab.data)[0]));
    CHECK_NEAR(value_of(lab.model, "j", lab.data)[0], rate, 0.0);
    end(&lab);
}

// A pendulum of 2 kg at a distance of 0.5 m that leans on its limit at 30 degrees from the vertical:
// the limit bears m g d sin 30. Beyond the limit the distance is read, with its rate.
TEST(a_limit_reads_its_force_and_how_far_it_is_passed)
{
    Lab lab = run("<mujoco><worldbody><body><joint name='h' axis='0 1 0' range='-30 30'/>"
                  "<geom type='sphere' size='.1' pos='0 0 .5' mass='2'/></body></worldbody>"
                  "<sensor><jointlimitpos name='p' joint='h'/><jointlimitvel name='v' joint='h'/>"
                  "<jointlimitfrc name='f' joint='h'/></sensor></mujoco>",
                  0);
    const double limit = 30.0 * 3.14159265358979323846 / 180.0;
    const double start = limit, beyond = limit + 0.01, below = -limit - 0.02, rate = 0.3;
    CHECK_INT(ut_sim_set(lab.sim, 0.0, &start, NULL, NULL), UT_OK);
    CHECK_INT(ut_sim_step(lab.sim, NULL, NULL, NULL), UT_OK);
    ut_sim_sensors(lab.sim, lab.data);
    CHECK_NEAR(value_of(lab.model, "f", lab.data)[0], 2.0 * g * 0.5 * 0.5, 1e-6);
    CHECK_INT(ut_sim_set(lab.sim, 0.0, &beyond, &rate, NULL), UT_OK);
    ut_sim_sensors(lab.sim, lab.data);
    CHECK_NEAR(value_of(lab.model, "p", lab.data)[0], -0.01, 1e-12);
    CHECK_NEAR(value_of(lab.model, "v", lab.data)[0], -rate, 0.0);
    CHECK_INT(ut_sim_set(lab.sim, 0.0, &below, &rate, NULL), UT_OK);
    ut_sim_sensors(lab.sim, lab.data);
    CHECK_NEAR(value_of(lab.model, "p", lab.data)[0], -0.02, 1e-12);
    CHECK_NEAR(value_of(lab.model, "v", lab.data)[0], rate, 0.0);
    const double inside = 0.1;
    CHECK_INT(ut_sim_set(lab.sim, 0.0, &inside, &rate, NULL), UT_OK);
    ut_sim_sensors(lab.sim, lab.data);
    CHECK_NEAR(value_of(lab.model, "p", lab.data)[0], 0.0, 0.0);
    CHECK_NEAR(value_of(lab.model, "v", lab.data)[0], 0.0, 0.0);
    end(&lab);
}

// A weld holds a hinged bar of 1 kg and 1 m level at its far end: by statics the hinge and the weld
// bear half of the weight each. A wrench of the caller at the centre of mass does the same.
TEST(external_wrenches_are_not_transmitted_by_the_joint)
{
    Lab lab =
        run("<mujoco><worldbody><body name='bar'><joint axis='0 1 0'/>"
            "<geom type='box' size='.5 .01 .01' pos='.5 0 0' mass='1'/><site name='s'/></body>"
            "</worldbody><equality><connect body1='bar' anchor='1 0 0'/></equality>"
            "<sensor><force name='f' site='s'/><torque name='t' site='s'/></sensor></mujoco>",
            5);
    check_vector(value_of(lab.model, "f", lab.data), 0, 0, 0.5 * g, 1e-6);
    check_vector(value_of(lab.model, "t", lab.data), 0, 0, 0, 1e-6);
    utForce applied[2] = {{.force = {0, 0, 0}}, {.force = {0, 0, 3.0}}};
    const utInput input = {.applied = applied};
    CHECK_INT(ut_sim_step(lab.sim, &input, NULL, NULL), UT_OK);
    ut_sim_sensors(lab.sim, lab.data);
    check_vector(value_of(lab.model, "f", lab.data), 0, 0, 0.5 * (g - 3.0), 1e-6);
    end(&lab);
}

// A servo p = kp (ctrl - gear q) acts with the force at the end of the step (EULER), and a motor with
// its control. The mass of 1 kg slides: v+ = h F / m.
TEST(actuator_forces_are_those_of_the_step)
{
    Lab lab = run("<mujoco><option gravity='0 0 0' timestep='0.01'/><worldbody><body>"
                  "<joint name='x' type='slide'/><geom type='sphere' size='.1' mass='1'/></body>"
                  "<body pos='1 0 0'><joint name='y' type='slide'/>"
                  "<geom type='sphere' size='.1' mass='1'/></body></worldbody><actuator>"
                  "<position name='p' joint='x' kp='50' gear='2'/>"
                  "<motor name='m' joint='y' gear='4' forcerange='-1 1'/></actuator>"
                  "<sensor><actuatorfrc name='fp' actuator='p'/><jointactuatorfrc name='jp' "
                  "joint='x'/><actuatorfrc name='fm' actuator='m'/>"
                  "<jointactuatorfrc name='jm' joint='y'/>"
                  "<actuatorpos name='lp' actuator='p'/></sensor></mujoco>",
                  0);
    const utInput input = {.ctrl = (const double[]){0.3, 7.0}};
    CHECK_INT(ut_sim_step(lab.sim, &input, NULL, NULL), UT_OK);
    ut_sim_sensors(lab.sim, lab.data);
    const double* v = ut_sim_v(lab.sim);
    CHECK_NEAR(value_of(lab.model, "jp", lab.data)[0], v[0] / 0.01, 1e-9);
    CHECK_NEAR(value_of(lab.model, "fp", lab.data)[0], 50.0 * (0.3 - 2.0 * ut_sim_q(lab.sim)[0]),
               1e-9);
    CHECK_NEAR(value_of(lab.model, "jm", lab.data)[0], v[1] / 0.01, 1e-9);
    CHECK_NEAR(value_of(lab.model, "fm", lab.data)[0], 1.0, 0.0);
    CHECK_NEAR(value_of(lab.model, "lp", lab.data)[0], 2.0 * ut_sim_q(lab.sim)[0], 0.0);
    end(&lab);
}

// A mass of 2 kg hangs on a rope from the world: the rope's limit carries m g.
TEST(a_tight_rope_reads_the_weight_that_it_carries)
{
    Lab lab = run("<mujoco><worldbody><site name='top' pos='0 0 1'/><body pos='0 0 .5'>"
                  "<joint type='slide'/><geom type='sphere' size='.1' mass='2'/><site name='m'/>"
                  "</body></worldbody><tendon><spatial name='rope' range='0 .5'><site site='top'/>"
                  "<site site='m'/></spatial></tendon><sensor><tendonlimitfrc name='f' "
                  "tendon='rope'/><tendonpos name='l' tendon='rope'/></sensor></mujoco>",
                  5);
    CHECK_NEAR(value_of(lab.model, "f", lab.data)[0], 2.0 * g, 1e-4);
    CHECK_NEAR(value_of(lab.model, "l", lab.data)[0], 0.5, 1e-9);
    end(&lab);
}

// A ball of 2 kg bounces within a step of `hybrid`, which consists of sub-steps and an instant. By the
// balance of momentum the mean contact force is m ((v+ - v) / h + g). A motor beside it keeps its force.
TEST(a_step_with_an_impact_reads_means_over_its_parts)
{
    Lab lab = run("<mujoco xmlns:ut='urn:uptack'><option timestep='0.01'/>"
                  "<ut:contact formulation='hybrid'/><worldbody><geom type='plane' size='5 5 .1'/>"
                  "<body pos='0 0 .12'><freejoint/><geom type='sphere' size='.1' mass='2' "
                  "ut:restitution='.5'/><site name='s' size='.2'/></body>"
                  "<body pos='1 0 1'><joint name='x' type='slide' axis='1 0 0'/>"
                  "<geom type='sphere' size='.1' mass='3'/></body></worldbody>"
                  "<actuator><motor name='m' joint='x'/></actuator>"
                  "<sensor><touch name='t' site='s'/><accelerometer name='a' site='s'/>"
                  "<actuatorfrc name='f' actuator='m'/></sensor></mujoco>",
                  0);
    const double h = 0.01, fall = -3.0;
    double v[7] = {0.0, 0.0, fall};
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, v, NULL), UT_OK);
    const utInput input = {.ctrl = (const double[]){6.0}};
    utStepResult result = {0};
    CHECK_INT(ut_sim_step(lab.sim, &input, &result, NULL), UT_OK);
    ut_sim_sensors(lab.sim, lab.data);
    const double change = ut_sim_v(lab.sim)[2] - fall;
    CHECK(result.report.parts > 2 && change > 4.0); // it has bounced
    CHECK_NEAR(value_of(lab.model, "t", lab.data)[0], 2.0 * (change / h + g), 1e-6);
    check_vector(value_of(lab.model, "a", lab.data), 0, 0, change / h + g, 1e-9);
    CHECK_NEAR(value_of(lab.model, "f", lab.data)[0], 6.0, 1e-12);
    end(&lab);
}
