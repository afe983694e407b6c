// SPDX-License-Identifier: Apache-2.0
// Closed loops, whose rows are redundant in space but not in the plane.
#include "lab.h"

// A four-bar linkage in the xz plane, hinges about y: ground, crank, coupler and rocker, closed by
// a connect at the rocker's foot, with a ball on the coupler that a table holds up.
#define FOUR_BAR(planar)                                                                      \
    "<mujoco xmlns:ut='urn:uptack'>" planar                                                   \
    "<default><geom contype='0' conaffinity='0'/><joint axis='0 1 0'/></default>"             \
    "<worldbody><geom name='table' type='plane' size='5 5 1' contype='1' "                    \
    "friction='.5'/>"                                                                         \
    "<body name='crank' pos='0 0 1' euler='0 30 0'><joint name='crank'/>"                     \
    "<geom type='box' size='.02 .02 .2' pos='0 0 -.2' mass='1'/>"                             \
    "<body name='coupler' pos='0 0 -.4' euler='0 -30 0'><joint name='coupler'/>"              \
    "<geom type='box' size='.3 .02 .02' pos='.3 0 0' mass='1'/>"                              \
    "<geom name='foot' type='sphere' size='.1' pos='.3 0 -.52' mass='1' conaffinity='1'/>"    \
    "<body name='rocker' pos='.6 0 0' euler='0 30 0'><joint name='rocker'/>"                  \
    "<geom type='box' size='.02 .02 .25' pos='0 0 .25' mass='1'/></body></body></body>"       \
    "</worldbody><equality><connect name='close' body1='rocker' anchor='0 0 .5'/></equality>" \
    "<keyframe><key qvel='-1 0 1'/></keyframe></mujoco>"

static void run_four_bar(const char* text, const char* name, utFormulation formulation,
                         bool maximal)
{
    utModel* tree = test_model(text);
    utModel* model = maximal ? lab_maximal(tree) : tree;
    utSim* sim = NULL;
    const LabRun run = lab_run(model, formulation, 0.001, 1.0, &sim);
    test_note("%-12s %-16s %-11s %d of %d certified, %d flagged, %d contacts, drift %.1e m, "
              "bilateral %.1e, E %.1e, energy %.4f -> %.4f J%s%s",
              name, ut_formulation_name(formulation), maximal ? "maximal" : "generalized",
              run.certified, run.steps, run.flagged, run.contacts, run.drift, run.bilateral, run.E,
              run.energy_start, run.energy_end, run.reason[0] != '\0' ? ", first: " : "",
              run.reason);
    CHECK_INT(run.certified, run.steps);
    CHECK(run.contacts > 0);
    ut_sim_destroy(sim);
    if (maximal) {
        ut_model_destroy(model);
    }
    ut_model_destroy(tree);
}

TEST(a_four_bar_loop_with_friction_is_certified)
{
    static const utFormulation formulations[] = {UT_FORMULATION_COULOMB,
                                                 UT_FORMULATION_STEWART_TRINKLE,
                                                 UT_FORMULATION_PEIRET, UT_FORMULATION_CONVEX};
    for (size_t k = 0; k < sizeof formulations / sizeof *formulations; k++) {
        run_four_bar(FOUR_BAR(""), "in space", formulations[k], false);
        run_four_bar(FOUR_BAR(""), "in space", formulations[k], true);
        run_four_bar(FOUR_BAR("<option ut:planar='xz'/>"), "in the plane", formulations[k], false);
        run_four_bar(FOUR_BAR("<option ut:planar='xz'/>"), "in the plane", formulations[k], true);
    }
}

// ---- robots -------------------------------------------------------------------------------------

static utModel* read_model(const char* path)
{
    utArena arena = test_arena();
    utText text;
    utError err;
    return CHECK(ut_text_read(path, 0, &arena, &text, &err) == UT_OK) ? test_model(text.data)
                                                                      : NULL;
}

// Twelve servos hold a quadruped that falls, lands and stands: 60 rows of equalities, 12 of servos.
TEST(a_quadruped_lands_in_maximal_coordinates_as_in_generalized_ones)
{
    utModel* model = read_model("scenes/quadruped.xml");
    utModel* maximal = model != NULL ? lab_maximal(model) : NULL;
    if (maximal == NULL) {
        return;
    }
    utSim* one = NULL;
    utSim* two = NULL;
    const LabRun first = lab_run(model, UT_FORMULATION_COULOMB, 0.002, 1.0, &one);
    const LabRun run = lab_run(maximal, UT_FORMULATION_COULOMB, 0.002, 1.0, &two);
    const double apart = lab_apart(one, two);
    test_note("apart %.1e m, drift %.1e m, E %.1e, bilateral %.1e", apart, run.drift, run.E,
              run.bilateral);
    CHECK_INT(run.certified, run.steps);
    CHECK_INT(run.flagged, 0);
    CHECK_INT(run.contacts, first.contacts);
    // both have errors of first order: h times a few m/s
    CHECK(apart < 2.5 * 0.002);
    ut_sim_destroy(one);
    ut_sim_destroy(two);
    ut_model_destroy(maximal);
    ut_model_destroy(model);
}

// Re-linearised equalities hold at the end of the step: the remaining error is of second order in
// the h^2 that a single pass leaves.
TEST(relinearised_equalities_hold_after_the_step)
{
    static const char chain[] =
        "<mujoco xmlns:ut='urn:uptack'><ut:contact relinearize='4'/>"
        "<default><geom contype='0' conaffinity='0' type='box' size='.02 .05 .2' pos='0 0 -.2' "
        "mass='1'/><joint type='ball'/></default>"
        "<worldbody><geom type='plane' size='5 5 1' pos='0 0 -.7' contype='1'/>"
        "<body name='a' euler='50 0 0'><joint name='a'/><geom/>"
        "<body name='b' pos='0 0 -.4' euler='0 60 0'><joint name='b'/><geom/>"
        "<body name='c' pos='0 0 -.4' euler='30 0 20'><joint name='c'/><geom "
        "conaffinity='1'/></body>"
        "</body></body></worldbody></mujoco>";
    utModel* model = test_model(chain);
    utModel* maximal = lab_maximal(model);
    static const utFormulation formulations[] = {UT_FORMULATION_COULOMB,
                                                 UT_FORMULATION_STEWART_TRINKLE};
    for (int k = 0; k < 2; k++) {
        utSim* sim = NULL;
        const LabRun run = lab_run(maximal, formulations[k], 0.004, 0.6, &sim);
        test_note("%s: %d of %d certified, %d contacts, drift %.1e m",
                  ut_formulation_name(formulations[k]), run.certified, run.steps, run.contacts,
                  run.drift);
        CHECK_INT(run.certified, run.steps);
        CHECK(run.contacts > 0 && run.drift < 1e-8);
        ut_sim_destroy(sim);
    }
    ut_model_destroy(maximal);
    ut_model_destroy(model);
}

// ---- drift --------------------------------------------------------------------------------------

// A point at speed v on a curve of radius L has the error h^2 v^2 / (2 L) after one step, and no
// more after many. Three links of 0.4 m that fall by 1.2 m are no faster than 4.9 m/s if the end of
// the last one takes all the energy; a whip of the last link may double that.
TEST(drift_does_not_add_up)
{
    static const char chain[] =
        "<mujoco><default><geom contype='0' conaffinity='0' type='box' size='.02 .05 .2' "
        "pos='0 0 -.2' mass='1'/><joint type='ball'/></default>"
        "<worldbody><body name='a' euler='50 0 0'><joint name='a'/><geom/>"
        "<body name='b' pos='0 0 -.4' euler='0 60 0'><joint name='b'/><geom/>"
        "<body name='c' pos='0 0 -.4' euler='30 0 20'><joint name='c'/><geom/></body>"
        "</body></body></worldbody></mujoco>";
    static const utFormulation formulations[] = {UT_FORMULATION_COULOMB,
                                                 UT_FORMULATION_STEWART_TRINKLE};
    const double h = 0.002, v = 2.0 * 4.9, L = 0.4;
    utModel* model = test_model(chain);
    utModel* maximal = lab_maximal(model);
    for (int k = 0; k < 2; k++) {
        utSim* sim = NULL;
        const LabRun run = lab_run(maximal, formulations[k], h, 4.0, &sim);
        test_note("%s: drift %.1e m in 4 s", ut_formulation_name(formulations[k]), run.drift);
        CHECK_INT(run.certified, run.steps);
        CHECK(run.drift < h * h * v * v / (2.0 * L));
        ut_sim_destroy(sim);
    }
    ut_model_destroy(maximal);
    ut_model_destroy(model);
}

// Two bodies at rest with a weld that holds them 1 cm closer together. `coulomb` projects them
// there and they stay at rest. With Phi / h they move there in one step: momentum is 0, so each has
// half of 0.01 m / 0.01 s.
TEST(projections_leave_velocities_alone)
{
    static const char apart[] =
        "<mujoco><option timestep='.01' gravity='0 0 0'/><default><geom type='box' "
        "size='.1 .1 .1' mass='1'/></default><worldbody>"
        "<body name='a'><freejoint/><geom/></body><body name='b' pos='.5 0 0'><freejoint/><geom/>"
        "</body></worldbody><equality><weld body1='a' body2='b' relpose='.49 0 0 1 0 0 0'/>"
        "</equality></mujoco>";
    static const utFormulation formulations[] = {UT_FORMULATION_COULOMB,
                                                 UT_FORMULATION_STEWART_TRINKLE};
    utModel* model = test_model(apart);
    for (int k = 0; k < 2; k++) {
        utSim* sim = NULL;
        const LabRun run = lab_run(model, formulations[k], 0.01, 0.01, &sim);
        CHECK_INT(run.certified, 1);
        CHECK_NEAR(run.drift, 0.0, 1e-12);
        CHECK_NEAR(ut_sim_body(sim, 1).com.x, 0.005, 1e-12);
        CHECK_NEAR(ut_sim_body(sim, 2).com.x, 0.495, 1e-12);
        CHECK_NEAR(ut_sim_body(sim, 1).velocity.x, k == 0 ? 0.0 : 0.5, 1e-9);
        ut_sim_destroy(sim);
    }
    ut_model_destroy(model);
}
