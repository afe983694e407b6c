// SPDX-License-Identifier: Apache-2.0
// Maximal coordinates against generalized ones: both converge to the same motion at first order.
#include "lab.h"

static const char pendulum[] =
    "<mujoco><worldbody><body name='a' euler='0 -90 0'>"
    "<joint name='a' type='hinge' axis='0 -1 0' ref='90'/>"
    "<geom type='box' size='.02 .03 .5' pos='0 0 -.5' mass='1' contype='0' conaffinity='0'/>"
    "</body></worldbody></mujoco>";

static const char double_pendulum[] =
    "<mujoco><default><geom contype='0' conaffinity='0'/></default>"
    "<worldbody><body name='a' euler='0 -60 0'><joint name='a' axis='0 -1 0'/>"
    "<geom type='box' size='.02 .03 .5' pos='0 0 -.5' mass='1'/>"
    "<body name='b' pos='0 0 -1'><joint name='b' axis='0 -1 0'/>"
    "<geom type='box' size='.02 .03 .5' pos='0 0 -.5' mass='1'/>"
    "</body></body></worldbody></mujoco>";

// A crank, a rod and a piston that slides along x: a loop closed by a connect whose row along y is
// redundant.
static const char slider_crank[] =
    "<mujoco><default><geom contype='0' conaffinity='0'/></default>"
    "<worldbody><body name='crank' euler='0 -40 0'><joint name='crank' axis='0 -1 0'/>"
    "<geom type='box' size='.15 .02 .02' pos='.15 0 0' mass='1'/>"
    "<body name='rod' pos='.3 0 0' euler='0 70 0'><joint name='rod' axis='0 -1 0'/>"
    "<geom type='box' size='.35 .02 .02' pos='.35 0 0' mass='.5'/></body></body>"
    "<body name='piston' pos='.5 0 -.2'><joint name='piston' type='slide' axis='1 0 0'/>"
    "<geom type='box' size='.05 .05 .05' mass='1'/></body></worldbody>"
    "<equality><connect body1='rod' body2='piston' anchor='.7 0 0'/></equality></mujoco>";

static const char ball_chain[] =
    "<mujoco><default><geom contype='0' conaffinity='0' type='box' size='.02 .05 .2' pos='0 0 -.2' "
    "mass='1'/><joint type='ball'/></default>"
    "<worldbody><body name='a' euler='50 0 0'><joint name='a'/><geom/>"
    "<body name='b' pos='0 0 -.4' euler='0 60 0'><joint name='b'/><geom/>"
    "<body name='tip' pos='.1 0 -.4'><geom size='.05 .05 .05' pos='0 0 0'/></body>"
    "<body name='c' pos='0 0 -.4' euler='30 0 20'><joint name='c'/><geom/></body>"
    "</body></body></worldbody></mujoco>";

// A cart on a rail with a pendulum.
static const char cart[] =
    "<mujoco><default><geom contype='0' conaffinity='0'/></default>"
    "<worldbody><body name='cart'><joint name='cart' type='slide' axis='1 0 .2'/>"
    "<geom type='box' size='.2 .1 .05' mass='2'/>"
    "<body name='pole' euler='0 100 0'><joint name='pole' axis='0 1 0'/>"
    "<geom type='box' size='.02 .02 .4' pos='0 0 .4' mass='1'/></body></body>"
    "</worldbody></mujoco>";

// A box by its four corners on a belt that starts to move, with a pole that a spring holds to a
// post that swings.
static const char belt[] =
    "<mujoco xmlns:ut='urn:uptack'><default><geom contype='0' conaffinity='0'/></default>"
    "<worldbody><geom name='floor' type='plane' size='5 5 1' friction='.6' "
    "ut:surfacevel='.5*sin(3*t); 0; 0'/>"
    "<body name='post' pos='0 0 2'><site name='top'/></body>"
    "<body name='box' pos='0 0 .2'><freejoint/><geom type='box' size='.3 .2 .2' mass='2'/>"
    "<site name='c1' pos='.3 .2 -.2'/><site name='c2' pos='-.3 .2 -.2'/>"
    "<site name='c3' pos='.3 -.2 -.2'/><site name='c4' pos='-.3 -.2 -.2'/>"
    "<body name='pole' pos='0 0 .2' euler='0 20 0'><joint name='pole' axis='0 1 0'/>"
    "<geom type='box' size='.02 .02 .4' pos='0 0 .4' mass='1'/><site name='tip' pos='0 0 .8'/>"
    "</body></body></worldbody>"
    "<ut:motion body='post' x='.2*sin(2*t)'/>"
    "<ut:spring site1='top' site2='tip' stiffness='30' length='.4' damping='.5'/>"
    "<ut:point site='c1' geom='floor'/><ut:point site='c2' geom='floor'/>"
    "<ut:point site='c3' geom='floor'/><ut:point site='c4' geom='floor'/></mujoco>";

// Springs, dampers, armature, dry friction and limits of every joint.
static const char springy[] =
    "<mujoco><default><geom contype='0' conaffinity='0'/></default>"
    "<worldbody><body name='cart'><joint name='cart' type='slide' axis='1 0 .2' stiffness='40' "
    "springref='.2' damping='.5' armature='.7'/>"
    "<geom type='box' size='.2 .1 .05' mass='2'/>"
    "<body name='pole' euler='0 100 0'><joint name='pole' axis='0 1 0' ref='20' stiffness='3' "
    "springref='-30' damping='.2' armature='.1' range='-80 40' frictionloss='.05'/>"
    "<geom type='box' size='.02 .02 .4' pos='0 0 .4' mass='1'/>"
    "<body name='tip' pos='0 0 .8' euler='40 0 0'><joint name='tip' type='ball' stiffness='.5' "
    "damping='.1' frictionloss='.01'/>"
    "<geom type='box' size='.05 .1 .15' pos='0 0 .15' mass='.5'/></body></body></body>"
    "</worldbody></mujoco>";

// A motor, a servo, and a servo that is too weak for the control of keyframe 0.
static const char driven[] =
    "<mujoco><default><geom contype='0' conaffinity='0'/></default>"
    "<worldbody><body name='cart'><joint name='cart' type='slide' axis='1 0 0'/>"
    "<geom type='box' size='.2 .1 .05' mass='2'/>"
    "<body name='pole' euler='0 100 0'><joint name='pole' axis='0 1 0'/>"
    "<geom type='box' size='.02 .02 .4' pos='0 0 .4' mass='1'/>"
    "<body name='tip' pos='0 0 .8' euler='40 0 0'><joint name='tip' axis='1 0 0'/>"
    "<geom type='box' size='.05 .1 .15' pos='0 0 .15' mass='.5'/></body></body></body>"
    "</worldbody><actuator><motor name='push' joint='cart' gear='2'/>"
    "<position name='hold' joint='pole' kp='20' kv='1' gear='1.5'/>"
    "<position name='weak' joint='tip' kp='50' kv='2' forcerange='-.4 .4'/></actuator>"
    "<keyframe><key ctrl='3 -.4 .5'/></keyframe></mujoco>";

// In the plane: a cart on a rail, a pole with a spring and a loop that a connect closes, a body
// that a weld ties to another, and a particle.
static const char planar[] =
    "<mujoco xmlns:ut='urn:uptack'><option ut:planar='xz'/>"
    "<default><geom contype='0' conaffinity='0'/><joint axis='0 1 0'/></default>"
    "<worldbody><body name='cart'><joint name='cart' type='slide' axis='1 0 .2'/>"
    "<geom type='box' size='.2 .1 .05' mass='2'/>"
    "<body name='pole' euler='0 100 0'><joint name='pole' stiffness='2' damping='.1' "
    "range='-50 40'/><geom type='box' size='.02 .02 .4' pos='0 0 .4' mass='1'/>"
    "<body name='tip' pos='0 0 .8' euler='0 40 0'><joint name='tip'/>"
    "<geom type='box' size='.05 .1 .15' pos='0 0 .15' mass='.5'/></body></body></body>"
    "<body name='one' pos='2 0 1' euler='0 30 0'><freejoint/><geom type='box' size='.2 .1 .1' "
    "mass='1'/></body>"
    "<body name='two' pos='2.4 .3 1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
    "<body name='point' pos='5 0 1'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='0 0 "
    "0'/>"
    "</body></worldbody>"
    "<equality><weld body1='one' body2='two' anchor='.1 0 .2'/>"
    "<connect body1='one' anchor='-.2 0 0'/></equality>"
    "<keyframe><key qvel='.3 1 -2  .1 .2 .4  0 0 1  .5 .2'/></keyframe></mujoco>";

// Run in generalized and in maximal coordinates with one h. @return the distance of the final
// states
static double apart_at(const char* text, utFormulation formulation, double h, double time,
                       LabRun* maximal_run)
{
    utModel* model = test_model(text);
    utModel* maximal = lab_maximal(model);
    utSim* one = NULL;
    utSim* two = NULL;
    const LabRun first = lab_run(model, formulation, h, time, &one);
    *maximal_run = lab_run(maximal, formulation, h, time, &two);
    const double apart = lab_apart(one, two);
    CHECK_INT(first.certified, first.steps);
    ut_sim_destroy(one);
    ut_sim_destroy(two);
    ut_model_destroy(model);
    ut_model_destroy(maximal);
    return apart;
}

static void converge(const char* name, const char* text, utFormulation formulation)
{
    enum { STEPS = 4 };
    double apart[STEPS];
    for (int k = 0; k < STEPS; k++) {
        const double h = 0.004 / (1 << k);
        LabRun run;
        apart[k] = apart_at(text, formulation, h, 0.4, &run);
        test_note("%-16s %-16s h %.4f apart %.2e drift %.1e bilateral %.1e E %.1e%s%s", name,
                  ut_formulation_name(formulation), h, apart[k], run.drift, run.bilateral, run.E,
                  run.certified < run.steps ? " not certified: " : "", run.reason);
        CHECK_INT(run.certified, run.steps);
    }
    // both are of first order: halving h halves the difference, or reduces it further if both have
    // the same first-order error
    CHECK(apart[STEPS - 2] / apart[STEPS - 1] > 1.8);
}

TEST(maximal_coordinates_converge_to_generalized_ones)
{
    static const struct {
        const char* name;
        const char* text;
    } all[] = {{"pendulum", pendulum},
               {"double pendulum", double_pendulum},
               {"slider-crank", slider_crank},
               {"ball chain", ball_chain},
               {"cart", cart},
               {"belt", belt},
               {"springy", springy},
               {"driven", driven},
               {"planar", planar}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        converge(all[k].name, all[k].text, UT_FORMULATION_COULOMB);
        converge(all[k].name, all[k].text, UT_FORMULATION_STEWART_TRINKLE);
    }
}
