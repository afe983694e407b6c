// SPDX-License-Identifier: Apache-2.0
// Impacts at the limits of the laws: joint limits within reach, blocked rebounds, impacts that do not
// settle; the problem shown of a step that is not certified; and the choice of a formulation.
#include "support/make_sim.h"
#include "support/model_text.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/coulomb.h>
#include <uptack/impact.h>
#include <uptack/problem_files.h>
#include <uptack/sim.h>

// A model without a formulation gets one that has the laws it asks for. A named formulation stays.
TEST(laws_of_impacts_choose_the_formulation_where_none_is_named)
{
    static const struct {
        const char *contact, *formulation;
    } known[] = {
        {"", "coulomb"},
        {"bounce='0.2'", "coulomb"},
        {"impact='newton'", "coulomb"},
        {"simultaneous='moreau'", "coulomb"},
        {"impact='poisson'", "hybrid"},
        {"impact='stronge'", "hybrid"},
        {"simultaneous='poisson'", "hybrid"},
        {"simultaneous='propagate'", "hybrid"},
        {"detection='step'", "hybrid"},
        {"simultaneous='propagate' formulation='mirtich'", "mirtich"},
        {"detection='step' formulation='coulomb'", "coulomb"},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        char text[256];
        snprintf(text, sizeof text,
                 "<mujoco xmlns:ut='urn:uptack'><ut:contact %s/><worldbody><body><freejoint/>"
                 "<geom size='0.1'/></body></worldbody></mujoco>",
                 known[k].contact);
        utModel* model = test_model(text);
        CHECK_TEXT(ut_formulation_name((utFormulation)model->options.formulation),
                   known[k].formulation);
        ut_sim_destroy(make_sim(model, NULL));
        ut_model_destroy(model);
    }
}

// ---- a contact that cannot slip -----------------------------------------------------------------

// A ball on a vertical slide has friction, but its contact has no mobility along the floor. It falls by 0.4 m and
// rebounds to e^2 0.4 m = 0.1 m, where it is after (1 + e) sqrt(2 0.4 / g) = 0.4284 s.
TEST(a_ball_on_a_vertical_slide_bounces_with_friction)
{
    static const char text[] =
        "<mujoco xmlns:ut='urn:uptack'><option timestep='0.001'/><worldbody>"
        "<geom type='plane' size='5 5 0.1' friction='0.5'/>"
        "<body pos='0 0 0.5'><joint type='slide' axis='0 0 1'/>"
        "<geom type='sphere' size='0.1' mass='1' friction='0.5' ut:restitution='0.5'/></body>"
        "</worldbody></mujoco>";
    static const utFormulation formulations[] = {UT_FORMULATION_HYBRID, UT_FORMULATION_MIRTICH};
    static const utImpactLaw laws[] = {UT_IMPACT_NEWTON, UT_IMPACT_POISSON, UT_IMPACT_STRONGE};
    for (int k = 0; k < 6; k++) {
        utModel* model = test_model(text);
        utSimDef def = ut_sim_def();
        def.formulation = formulations[k % 2];
        def.impact = (int)laws[k / 2];
        utSim* sim = make_sim(model, &def);
        double highest = -1.0;
        for (int n = 0; n < 600; n++) {
            utStepResult result;
            CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
            CHECK_INT((int)result.outcome, UT_STEP_CERTIFIED);
            highest = ut_sim_time(sim) > 0.3 ? fmax(highest, ut_sim_q(sim)[0]) : highest;
        }
        // between two states a parabola rises by at most g h^2 / 8
        CHECK_NEAR(highest, -0.4 + 0.1, 9.81 * 1e-6 / 8.0);
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}

// ---- limits and jams ----------------------------------------------------------------------------

// An arm of 0.1 m is 5e-9 rad, 5e-10 m, from its limit when a ball hits it: the limit counts as
// reached, and ball and arm separate with e times the speed, in every formulation.
TEST(a_limit_within_rounding_of_an_impact_takes_part_in_it)
{
    static const char text[] =
        "<mujoco xmlns:ut='urn:uptack'><option gravity='0 0 0'/><worldbody>"
        "<body name='arm'><joint name='arm' axis='0 1 0' range='-60 2.8647889756541161e-07' "
        "limited='true'/>"
        "<geom type='sphere' size='0.01' pos='0.09 0 0' mass='1' ut:restitution='0.5'/></body>"
        "<body name='ball' pos='0.09 0 0.02'><freejoint/>"
        "<geom type='sphere' size='0.01' mass='1' ut:restitution='0.5'/></body>"
        "</worldbody></mujoco>";
    const utFormulation formulations[] = {UT_FORMULATION_HYBRID, UT_FORMULATION_MIRTICH};
    utModel* model = test_model(text);
    for (int k = 0; k < 2; k++) {
        utSimDef def = ut_sim_def();
        def.formulation = formulations[k];
        utSim* sim = make_sim(model, &def);
        double v[7] = {0.0, 0.0, 0.0, -1.0};
        CHECK_INT(ut_sim_set(sim, 0.0, NULL, v, NULL), UT_OK);
        utStepResult result;
        CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
        CHECK_INT((int)result.outcome, UT_STEP_CERTIFIED);
        // the limit holds the arm, to 1e-8 of 1 m/s and the arm's length
        CHECK_NEAR(ut_sim_v(sim)[0], 0.0, 1e-7);
        CHECK_NEAR(ut_sim_v(sim)[3], 0.5, 1e-8);
        ut_sim_destroy(sim);
    }
    ut_model_destroy(model);
}

// An arm lies on the floor, and its limit keeps it from rising: the minimum rebound of `mirtich` has
// no solution. The arm stays, with every law of simultaneous impacts, and no time has more than a few
// instants.
TEST(an_arm_jammed_between_its_limit_and_the_floor_stays)
{
    static const char text[] =
        "<mujoco><worldbody><geom type='plane' size='0 0 1'/>"
        "<body pos='0 0 0.1'><joint axis='0 1 0' limited='true' range='0 5'/>"
        "<geom type='capsule' fromto='0 0 0 1 0 0' size='0.05' mass='1'/>"
        "<geom type='sphere' size='0.1' pos='1 0 0' mass='0.1'/></body></worldbody></mujoco>";
    utModel* model = test_model(text);
    for (int k = 0; k < UT_SIMULTANEOUS_COUNT; k++) {
        utSimDef def = ut_sim_def();
        def.formulation = UT_FORMULATION_MIRTICH;
        def.simultaneous = k;
        utSim* sim = make_sim(model, &def);
        for (int step = 0; step < 20; step++) {
            utStepResult result;
            CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
            CHECK_INT((int)result.outcome, UT_STEP_CERTIFIED);
            CHECK(result.report.parts <= 4);
        }
        // between impulses the arm falls freely for one step at most: its rate stays below
        // (3/2) g h / 1 m
        CHECK(fabs(ut_sim_v(sim)[0]) <= 1.5 * 9.81 * 0.002);
        ut_sim_destroy(sim);
    }
    ut_model_destroy(model);
}

// A ball touches a wall, and another ball that comes at 1 m/s. With e = 1 and impacts one after the
// other it goes to and fro, faster by 2 m/s each time, without end: the step ends all the same and is
// flagged.
TEST(impacts_that_do_not_end_are_flagged_by_name)
{
    static const char text[] =
        "<mujoco xmlns:ut='urn:uptack'><option gravity='0 0 0'/>"
        "<ut:motion body='press' x='-0.2 + t'/><worldbody>"
        "<geom type='box' size='0.1 0.1 0.1' pos='0.2 0 0' ut:restitution='1'/>"
        "<body name='press' mocap='true' pos='-0.2 0 0'>"
        "<geom type='box' size='0.1 0.1 0.1' ut:restitution='1'/></body>"
        "<body name='ball'><freejoint/><geom type='sphere' size='0.1' ut:restitution='1'/></body>"
        "</worldbody></mujoco>";
    utModel* model = test_model(text);
    const utFormulation formulations[] = {UT_FORMULATION_HYBRID, UT_FORMULATION_MIRTICH};
    for (int k = 0; k < 2; k++) {
        utSimDef def = ut_sim_def();
        def.formulation = formulations[k];
        def.simultaneous = UT_SIMULTANEOUS_PROPAGATE;
        utSim* sim = make_sim(model, &def);
        utStepResult result;
        CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
        CHECK_INT((int)result.outcome, UT_STEP_FLAGGED);
        CHECK(result.report.parts <= 10000);
        int named = 0;
        for (int i = 0; i < result.report.islands; i++) {
            named += result.report.island[i].outcome == UT_ISLAND_IMPACTS;
        }
        CHECK(named > 0);
        CHECK_NEAR(ut_sim_time(sim), 0.002, 0.0);
        ut_sim_destroy(sim);
    }
    ut_model_destroy(model);
}

// ---- the part that failed -----------------------------------------------------------------------

// Do the impulses of an island solve a problem? Planar, because all friction sections are the same
// then.
static bool solves(const utStepReport* part, int island, utText text)
{
    utArena arena = test_arena();
    utCoulomb problem;
    utCoulombVerdict verdict;
    utError err = {0};
    double r[16], u[16];
    int n = 0;
    if (!CHECK_INT(ut_coulomb_read(text, "part.fc", &arena, &problem, &err), UT_OK)) {
        return false;
    }
    for (int i = 0; i < part->contacts && n < 16; i++) {
        if (part->contact[i].island == island) {
            r[n++] = part->contact[i].r[0];
            r[n++] = part->contact[i].r[1];
        }
    }
    return ut_coulomb_rows(&problem) == n &&
           ut_coulomb_judge(&problem, false, r, arena, u, &verdict) == UT_OK && verdict.E <= 1e-7;
}

// A box rests while another one lands flat within a step. No step passes at 1e-300: ut_sim_problem
// has to show the problem of the part that failed first, with gravity over the length of that part.
TEST(the_problem_of_a_step_of_parts_is_that_of_the_part_that_failed)
{
    static const char text[] =
        "<mujoco xmlns:ut='urn:uptack'><option timestep='0.01' ut:planar='xz'/>"
        "<ut:contact formulation='hybrid'/><worldbody>"
        "<geom type='plane' size='0 0 1' friction='0.5'/>"
        "<body pos='0 0 0.1'><freejoint/><geom type='box' size='0.2 0.1 0.1' mass='1'/></body>"
        "<body pos='1 0 0.3'><freejoint/>"
        "<geom type='box' size='0.2 0.1 0.1' mass='3' ut:restitution='0.5'/></body>"
        "</worldbody></mujoco>";
    utModel* model = test_model(text);
    utSimDef def = ut_sim_def();
    utSim* good = make_sim(model, &def);
    def.tolerance = 1e-300;
    utSim* sim = make_sim(model, &def);
    int shown = 0;
    for (int k = 0; k < 60; k++) {
        const size_t size = ut_sim_snapshot_size(good);
        char* bytes = malloc(size);
        utStepResult result;
        utText problem;
        utError err = {0};
        CHECK_INT(ut_sim_save(good, bytes, size), UT_OK);
        CHECK_INT(ut_sim_load(sim, bytes, size, NULL), UT_OK);
        const utStatus status = ut_sim_step(sim, NULL, &result, NULL);
        CHECK((result.outcome == UT_STEP_UNCERTIFIED) == (status == UT_ERR_NOT_TAKEN));
        free(bytes);
        const int part = result.certificate.part, at = result.certificate.contact;
        if (result.outcome == UT_STEP_UNCERTIFIED && part < result.report.parts - 1 && at >= 0) {
            int before = 0;
            for (int i = 0; i < part; i++) {
                before += result.report.part[i].islands;
            }
            const int island = result.report.contact[at].island - before;
            CHECK_INT(ut_sim_problem(sim, &problem, &err), UT_OK);
            CHECK(solves(&result.report.part[part], island, problem));
            shown++;
        }
        CHECK_INT(ut_sim_step(good, NULL, NULL, NULL), UT_OK);
    }
    CHECK(shown > 0);
    ut_sim_destroy(sim);
    ut_sim_destroy(good);
    ut_model_destroy(model);
}
