// SPDX-License-Identifier: Apache-2.0
// Reactions of joints: statics, a pendulum in closed form, Newton's law of every body, and the same
// reactions from multipliers in maximal coordinates.
#include "support/make_sim.h"
#include "support/model_text.h"

#include <math.h>
#include <uptack/load.h>
#include <uptack/sensor.h>

enum { MAX_REACTIONS = 16 };

typedef struct Lab {
    utModel* model;
    utSim* sim;
    utStepResult result;
    utSensors sensors;
    utReaction reaction[MAX_REACTIONS];
} Lab;

static void take_steps(Lab* lab, int steps)
{
    for (int k = 0; k < steps; k++) {
        CHECK_INT(ut_sim_step(lab->sim, NULL, &lab->result, NULL), UT_OK);
    }
    CHECK(ut_reaction_count(lab->model) <= MAX_REACTIONS);
    ut_reactions(&lab->sensors, &lab->result.report, lab->reaction);
}

static void begin(Lab* lab, utModel* model, int formulation)
{
    utArena keep = test_arena();
    utSimDef def = ut_sim_def();
    def.formulation = formulation;
    *lab = (Lab){.model = model, .sim = make_sim(model, &def)};
    CHECK_INT(ut_sensors_create(model, &keep, &lab->sensors), UT_OK);
}

static void end(Lab* lab)
{
    ut_sim_destroy(lab->sim);
    ut_model_destroy(lab->model);
}

static void check_vector(utVec3 got, double x, double y, double z, double tolerance)
{
    CHECK_NEAR(got.x, x, tolerance);
    CHECK_NEAR(got.y, y, tolerance);
    CHECK_NEAR(got.z, z, tolerance);
}

// A hanging chain: 2 kg at 0.5 m below the first hinge and 3 kg, of which each hinge carries what
// hangs on it; a plate fixed to the second link has its weight 1 kg at 0.3 m aside, so the second hinge
// carries 4 g, and the weld its weight and moment 0.3 g about y.
TEST(a_chain_at_rest_hands_its_weight_up)
{
    const double g = 9.81, h = 0.002;
    Lab lab;
    begin(&lab,
          test_model("<mujoco><option gravity='0 0 -9.81'/><worldbody>"
                     "<body name='a'><joint name='top' type='hinge' axis='1 0 0'/>"
                     "<inertial pos='0 0 -.5' mass='2' diaginertia='.1 .1 .1'/>"
                     "<body name='b' pos='0 0 -1'><joint type='hinge' axis='1 0 0'/>"
                     "<inertial pos='0 0 -.5' mass='3' diaginertia='.1 .1 .1'/>"
                     "<body name='plate' pos='0 0 -.2'>"
                     "<inertial pos='.3 0 0' mass='1' diaginertia='.1 .1 .1'/></body>"
                     "</body></body></worldbody></mujoco>"),
          -1);
    take_steps(&lab, 3);
    char buffer[32];
    CHECK_INT(ut_reaction_count(lab.model), 3);
    CHECK_TEXT(ut_reaction_name(lab.model, 0, buffer), "top");
    CHECK_TEXT(ut_reaction_name(lab.model, 1, buffer), "joint1");
    CHECK_TEXT(ut_reaction_name(lab.model, 2, buffer), "plate");
    check_vector(lab.reaction[0].impulse, 0.0, 0.0, 6.0 * g * h, 1e-12);
    check_vector(lab.reaction[1].impulse, 0.0, 0.0, 4.0 * g * h, 1e-12);
    check_vector(lab.reaction[2].impulse, 0.0, 0.0, 1.0 * g * h, 1e-12);
    // the moment of a weight at x = 0.3 about the anchor is balanced: T = -(0.3 x) x (-g z) = -0.3 g y
    check_vector(lab.reaction[2].torque, 0.0, -0.3 * g * h, 0.0, 1e-12);
    check_vector(lab.reaction[0].torque, 0.0, -0.3 * g * h, 0.0, 1e-12);
    check_vector(lab.reaction[2].point, 0.0, 0.0, -1.2, 1e-12);
    end(&lab);
}

// A point-like mass m at the end of a light rod of length l swings through its lowest point with the
// rate w: the rod pulls with m (g + l w^2). One step of symplectic Euler changes w by terms of h.
TEST(a_pendulum_pulls_with_its_weight_and_its_centripetal_force)
{
    const double g = 9.81, h = 1e-5, w = 3.0, l = 0.8, m = 1.5;
    Lab lab;
    begin(&lab,
          test_model("<mujoco><option gravity='0 0 -9.81' timestep='1e-5'/><worldbody>"
                     "<body name='bob'><joint type='hinge' axis='0 1 0'/>"
                     "<inertial pos='0 0 -.8' mass='1.5' diaginertia='1e-9 1e-9 1e-9'/>"
                     "</body></worldbody></mujoco>"),
          -1);
    CHECK_INT(ut_sim_set(lab.sim, 0.0, (const double[]){0.0}, &w, NULL), UT_OK);
    take_steps(&lab, 1);
    check_vector(lab.reaction[0].impulse, 0.0, 0.0, h * m * (g + l * w * w), 1e-12);
    CHECK_NEAR(lab.reaction[0].torque.y, 0.0, 1e-15); // nothing turns a hinge without friction
    end(&lab);
}

// ---- Newton's law -------------------------------------------------------------------------------

// m times the change of velocity of every body's centre of mass, by differences of J v from the public
// kinematics at q, is the sum of its impulses: weight, contacts, its own reaction, less its children's.
static void check_newton(const Lab* lab)
{
    const utModel* model = lab->model;
    const utStepReport* report = &lab->result.report;
    utArena keep = test_arena();
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(model, &keep, &kin), UT_OK);
    ut_kinematics_place(&kin, report->q, NULL, NULL);
    double most = 0.0, size = 0.0;
    for (int b = 1; b < model->nbody; b++) {
        ut_kinematics_move(&kin, report->v, NULL);
        const utVec3 before = ut_point_velocity(&kin, b, kin.com[b]);
        const utVec3 bias = ut_point_bias(&kin, b, kin.com[b]);
        ut_kinematics_move(&kin, report->v_next, NULL);
        const utVec3 after = ut_point_velocity(&kin, b, kin.com[b]);
        const double m = model->body[b].mass;
        utVec3 sum = ut_vec3_scale(ut_vec3_sub(before, after), m);
        sum = ut_vec3_add_scaled(sum, -m * report->h, bias);
        sum = ut_vec3_add_scaled(sum, m * report->h, report->gravity);
        for (int i = 0; i < report->contacts; i++) {
            const utContact* c = &report->contact[i];
            const bool second = ut_model_side_body(model, c->geom2) == b;
            const bool first = ut_model_side_body(model, c->geom1) == b;
            for (int k = 0; k < 3; k++) {
                sum = ut_vec3_add_scaled(sum,
                                         second  ? c->r[k]
                                         : first ? -c->r[k]
                                                 : 0.0,
                                         c->frame[k]);
            }
        }
        for (int k = 0; k < ut_reaction_count(model); k++) {
            const utReaction* r = &lab->reaction[k];
            const bool child = model->body[r->body].parent == b;
            sum = ut_vec3_add_scaled(sum, r->body == b ? 1.0 : child ? -1.0 : 0.0, r->impulse);
            size += ut_vec3_norm(r->impulse);
        }
        most = fmax(most, ut_vec3_norm(sum));
    }
    CHECK(size > 0.0);
    CHECK_NEAR(most, 0.0, 1e-12);
}

TEST(the_impulses_on_every_body_add_up_to_its_change_of_momentum)
{
    static const char* const models[] = {"scenes/quadruped.xml", "scenes/double-pendulum.xml",
                                         "scenes/gripper.xml"};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        Lab lab;
        utModel* model = NULL;
        CHECK_INT(ut_load(models[k], &model, NULL), UT_OK);
        begin(&lab, model, -1);
        take_steps(&lab, 40);
        check_newton(&lab);
        end(&lab);
    }
}

// ---- multipliers --------------------------------------------------------------------------------

// The same pendulum in maximal coordinates has reactions as multipliers of its joint rows. Both models
// begin in the same pose at rest, where their steps agree up to the position errors of the first
// step: h^2 g against the length, 1e-5, relative to the weight h m g = 0.0098.
TEST(multipliers_of_maximal_coordinates_are_the_reactions_of_the_tree)
{
    Lab tree, rows;
    utModel* model[2] = {NULL, NULL};
    const char* set = "option.coordinates=maximal";
    utLoadDef load = ut_load_def();
    CHECK_INT(ut_load("scenes/double-pendulum.xml", &model[0], NULL), UT_OK);
    load.set = &set;
    load.set_count = 1;
    CHECK_INT(ut_load_with("scenes/double-pendulum.xml", &load, &model[1], NULL, NULL), UT_OK);
    begin(&tree, model[0], -1);
    begin(&rows, model[1], -1);
    take_steps(&tree, 1);
    take_steps(&rows, 1);
    CHECK_INT(ut_reaction_count(model[1]), ut_reaction_count(model[0]));
    for (int k = 0; k < ut_reaction_count(model[0]); k++) {
        char one[32], two[32];
        const utVec3 p = tree.reaction[k].impulse;
        CHECK(rows.reaction[k].equality >= 0);
        CHECK_TEXT(ut_reaction_name(model[1], k, one), ut_reaction_name(model[0], k, two));
        CHECK(ut_vec3_norm(p) > 1e-4);
        check_vector(rows.reaction[k].impulse, p.x, p.y, p.z, 1e-9);
    }
    end(&tree);
    end(&rows);
}

// A ball of 0.5 kg is fixed to an arm of 1.5 kg on a vertical slide. Where the ball hits the floor, at
// an instant of the hybrid formulation, it stops the arm: over every step the ball's impulse on the
// arm and its weight change the arm's velocity, and the slide without friction transmits none.
TEST(reactions_of_an_impact_add_those_of_all_parts)
{
    const double g = 9.81, h = 0.01, m = 1.5;
    Lab lab;
    begin(&lab,
          test_model("<mujoco xmlns:ut='urn:uptack'><option timestep='0.01' gravity='0 0 -9.81'/>"
                     "<worldbody><geom type='plane' size='5 5 .1' friction='0'/>"
                     "<body name='arm' pos='0 0 1'><joint type='slide' axis='0 0 1'/>"
                     "<inertial pos='0 0 0' mass='1.5' diaginertia='1 1 1'/>"
                     "<body name='ball' pos='0 0 -.7'>"
                     "<geom type='sphere' size='.1' mass='.5' friction='0' "
                     "ut:restitution='0.5'/></body></body>"
                     "</worldbody></mujoco>"),
          UT_FORMULATION_HYBRID);
    double largest = 0.0;
    for (int k = 0; k < 60; k++) {
        const double before = ut_sim_body(lab.sim, 1).velocity.z;
        take_steps(&lab, 1);
        const double change = ut_sim_body(lab.sim, 1).velocity.z - before;
        CHECK_NEAR(lab.reaction[0].impulse.z, 0.0, 1e-12);
        CHECK_NEAR(lab.reaction[1].impulse.z, -m * (change + g * h), 1e-9);
        largest = fmax(largest, fabs(lab.reaction[1].impulse.z));
    }
    // the first impact: v = sqrt(2 g 0.2) down, half of it up
    CHECK_NEAR(largest, m * 1.5 * sqrt(2.0 * g * 0.2), 1e-6);
    end(&lab);
}
