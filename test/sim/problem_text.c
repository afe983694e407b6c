// SPDX-License-Identifier: Apache-2.0
// The friction problem of a step as text: the same bits when it is read back, the same E, and the
// island that failed.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/problem_files.h>
#include <uptack/uptack.h>

#include "test.h"

// ---- sims ---------------------------------------------------------------------------------------

static utSim* make(const char* text, const utSimDef* def, utModel** model)
{
    utModelDef* read = NULL;
    utNotes notes = {0};
    utError err = {0};
    utSim* sim = NULL;
    *model = NULL;
    if (!CHECK_INT(ut_model_def_create(NULL, &read), UT_OK) ||
        !CHECK_INT(ut_mjcf_read((utText){text, strlen(text)}, "robot", NULL, read, &notes, &err),
                   UT_OK) ||
        !CHECK_INT(ut_model_compile(read, NULL, model, &err), UT_OK) ||
        !CHECK_INT(ut_sim_create(*model, def, &sim, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    ut_notes_destroy(&notes);
    ut_model_def_destroy(read);
    return sim;
}

#define ARM                                                                                   \
    "<worldbody><geom type='plane' size='1 1 1'/>"                                            \
    "<body pos='0 0 .3'><joint name='a' axis='0 1 0' range='-30 40' limited='true' "          \
    "frictionloss='.5' damping='.2'/><geom type='capsule' fromto='0 0 0 .4 0 0' size='.05'/>" \
    "<body pos='.4 0 0'><joint name='b' axis='0 1 0' range='-60 60' limited='true' "          \
    "armature='.01'/>"                                                                        \
    "<geom type='capsule' fromto='0 0 0 .4 0 -.1' size='.05'/></body></body>"                 \
    "<body pos='.6 .02 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody>" \
    "<actuator><position joint='a' kp='30' forcerange='-4 4'/><motor joint='b' "              \
    "gear='2'/></actuator>"

#define LOOP                                                                                       \
    "<worldbody><geom type='plane' size='1 1 1'/>"                                                 \
    "<body name='l' pos='0 0 .5'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 "    \
    "-.3' size='.03'/>"                                                                            \
    "<body name='m' pos='.3 0 -.3'><joint axis='0 1 0'/><geom type='box' size='.1 .1 .1' pos='.1 " \
    "0 0'/></body></body>"                                                                         \
    "<body name='r' pos='.6 0 .5'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 -.1 0 "  \
    "-.3' size='.03'/></body>"                                                                     \
    "<body pos='.35 0 .06'><freejoint/><geom type='sphere' size='.06'/></body></worldbody>"        \
    "<equality><connect body1='m' body2='r' anchor='.2 0 0'/></equality>"

#define BOXES                                                                                    \
    "<worldbody><geom type='plane' size='1 1 1'/>"                                               \
    "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"                   \
    "<body pos='.03 0 .33' euler='0 20 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>" \
    "<body pos='1 0 .1'><freejoint/><geom type='sphere' size='.1'/></body></worldbody>"

static const char* const robots[] = {
    "<mujoco>" ARM "</mujoco>",
    "<mujoco>" LOOP "</mujoco>",
    "<mujoco>" BOXES "</mujoco>",
    "<mujoco xmlns:ut='urn:uptack'><ut:contact coordinates='maximal'/>" ARM "</mujoco>",
    "<mujoco xmlns:ut='urn:uptack'><ut:contact formulation='stewart-trinkle' directions='8'/>" BOXES
    "</mujoco>",
    "<mujoco xmlns:ut='urn:uptack'><ut:contact formulation='peiret' directions='8'/>" BOXES
    "</mujoco>",
    "<mujoco xmlns:ut='urn:uptack'><ut:contact relinearize='3'/>" BOXES "</mujoco>",
    "<mujoco xmlns:ut='urn:uptack'><option integrator='RK4'/>" ARM "</mujoco>",
    "<mujoco xmlns:ut='urn:uptack'><option integrator='implicit'/>" ARM "</mujoco>",
    "<mujoco xmlns:ut='urn:uptack'><option ut:planar='xz'/>" BOXES "</mujoco>",
};
enum { ROBOTS = sizeof robots / sizeof *robots, STEPS = 60 };

// ---- text ---------------------------------------------------------------------------------------

static int worst_of(const utStepReport* report)
{
    int worst = 0;
    for (int k = 1; k < report->islands; k++) {
        worst = report->island[k].E > report->island[worst].E ? k : worst;
    }
    return worst;
}

// Printed again it is the same text, after the line about its origin.
static bool is_written_again(utText text, const utCoulomb* problem, const double* r)
{
    const char* line = memchr(text.data, '\n', text.size);
    const size_t head = (size_t)(line + 1 - text.data);
    const size_t size = ut_coulomb_print(problem, r, NULL, 0);
    char* again = malloc(size);
    const bool same = ut_coulomb_print(problem, r, again, size) == size &&
                      size == text.size - head && memcmp(again, text.data + head, size) == 0;
    free(again);
    return same;
}

// @return E of the impulses beside the problem
static double read_and_judge(utSim* sim, int contacts, int rows)
{
    utText text;
    utError err = {0};
    utCoulomb problem;
    utCoulombVerdict verdict = {.E = (double)NAN};
    const double* r = NULL;
    utArena arena = test_arena();
    if (!CHECK_INT(ut_sim_problem(sim, &text, &err), UT_OK) ||
        !CHECK_INT(ut_coulomb_read_impulses(text, "step.fc", &arena, &problem, &r, &err), UT_OK)) {
        test_note("%s", err.message);
        return verdict.E;
    }
    CHECK_INT(problem.contacts, contacts);
    CHECK_INT(problem.bilaterals, rows);
    CHECK(is_written_again(text, &problem, r));
    CHECK_INT(ut_coulomb_judge(&problem, false, r, arena, NULL, &verdict), UT_OK);
    return verdict.E;
}

TEST(the_text_of_a_step_has_the_E_of_the_step)
{
    for (int k = 0; k < ROBOTS; k++) {
        utModel* model;
        utSim* sim = make(robots[k], NULL, &model);
        int with_rows = 0, with_contacts = 0;
        for (int step = 0; sim != NULL && step < STEPS; step++) {
            utStepResult result;
            const double ctrl[2] = {0.5, -1.0};
            const utInput input = {.ctrl = ctrl};
            CHECK_INT(ut_sim_step(sim, &input, &result, NULL), UT_OK);
            if (result.report.islands == 0) {
                continue;
            }
            const utIsland* island = &result.report.island[worst_of(&result.report)];
            const double E = read_and_judge(sim, island->contacts, island->rows);
            if (!CHECK_NEAR(E, island->E, 0.0)) {
                test_note("robot %d, step %d", k, step);
                break;
            }
            with_rows += island->rows > 0;
            with_contacts += island->contacts > 0;
        }
        CHECK(with_contacts > 0 || with_rows > 0);
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}

// Of a step with parts the text holds the problem of one part; the impulses of that part solve it.
TEST(the_text_of_a_step_of_parts_has_a_small_E)
{
    utModel* model;
    utSim* sim =
        make("<mujoco xmlns:ut='urn:uptack'><ut:contact formulation='hybrid'/>" BOXES "</mujoco>",
             NULL, &model);
    int judged = 0;
    for (int step = 0; sim != NULL && step < STEPS; step++) {
        utStepResult result;
        utText text;
        utCoulomb problem;
        utCoulombVerdict verdict;
        utArena arena = test_arena();
        const double* r = NULL;
        CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
        if (result.report.islands > 0 && CHECK_INT(ut_sim_problem(sim, &text, NULL), UT_OK) &&
            CHECK_INT(ut_coulomb_read_impulses(text, "step.fc", &arena, &problem, &r, NULL),
                      UT_OK)) {
            CHECK_INT(ut_coulomb_judge(&problem, false, r, arena, NULL, &verdict), UT_OK);
            judged += CHECK(verdict.E <= 1e-8);
        }
    }
    CHECK(judged > STEPS / 2);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// An impossible tolerance: every step with any error fails. The certificate names the contact, and
// the text holds its island.
TEST(a_step_that_fails_leaves_the_problem_of_the_island_that_failed)
{
    utModel* model;
    utSimDef def = ut_sim_def();
    utSim* sim = make(robots[2], &def, &model);
    for (int step = 0; step < 20; step++) {
        CHECK_INT(ut_sim_step(sim, NULL, NULL, NULL), UT_OK);
    }
    const size_t size = ut_sim_snapshot_size(sim);
    void* bytes = malloc(size);
    CHECK_INT(ut_sim_save(sim, bytes, size), UT_OK);
    def.tolerance = 1e-300;
    utSim* strict = NULL;
    utStepResult result;
    CHECK_INT(ut_sim_create(model, &def, &strict, NULL), UT_OK);
    CHECK_INT(ut_sim_load(strict, bytes, size, NULL), UT_OK);
    CHECK_INT(ut_sim_step(strict, NULL, &result, NULL), UT_ERR_NOT_TAKEN);
    CHECK_INT(result.outcome, UT_STEP_UNCERTIFIED);
    const int at = result.certificate.contact;
    if (CHECK(at >= 0 && at < result.report.contacts)) {
        const utIsland* island = &result.report.island[result.report.contact[at].island];
        CHECK_NEAR(read_and_judge(strict, island->contacts, island->rows), island->E, 0.0);
    }
    free(bytes);
    ut_sim_destroy(strict);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
