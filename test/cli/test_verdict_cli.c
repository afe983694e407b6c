// SPDX-License-Identifier: Apache-2.0
// What uptack run and check say of a model and of its certificate: physics that the model lacks,
// overlaps, where figures were at their worst, what a run began with, more columns of its tables.
// The program is the one that UPTACK_CLI names.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#ifdef __EMSCRIPTEN__

TEST(the_verdict_of_the_command_line)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <uptack/json.h>
#include <uptack/scenes.h>
#include <uptack/sim.h>

enum { ROOM = 1 << 18 };

static char out[ROOM]; // what the last run printed
static char err[ROOM];
static char table[ROOM];

// @return the exit code, or -1
static int run(const char* arguments)
{
    char command[2048];
    snprintf(command, sizeof command, "'%s' %s >'%s' 2>'%s'", program(), arguments,
             path_in_folder("v.out"), path_in_folder("v.err"));
    const int status = system(command);
    read_file("v.out", out, sizeof out);
    read_file("v.err", err, sizeof err);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

// VERB MODEL, a file of the test's, and options
static int run_file(const char* verb, const char* text, const char* options)
{
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "%s '%s' %s", verb, write_file("v.xml", text), options);
    return run(arguments);
}

static const char* last_line(const char* text)
{
    const size_t size = strlen(text);
    const char* line = text;
    for (size_t k = 0; k + 1 < size; k++) {
        line = text[k] == '\n' ? text + k + 1 : line;
    }
    return line;
}

static const utJson* read_json(void)
{
    static utArena keep;
    keep = test_arena();
    const utJson* root = NULL;
    return CHECK(ut_json_read((utText){out, strlen(out)}, "out", &keep, &root, NULL) == UT_OK)
               ? root
               : NULL;
}

// A cell by the name of its column. @return NAN when there is none
static double cell(const char* column, int row)
{
    const char* name = table;
    int at = 0;
    const size_t size = strlen(column);
    while (!(strncmp(name, column, size) == 0 && strchr(",\n", name[size]) != NULL)) {
        name += strcspn(name, ",\n");
        if (!CHECK(*name == ',')) {
            return (double)NAN;
        }
        name++;
        at++;
    }
    const char* p = table;
    for (int k = 0; k < row && p != NULL; k++) {
        p = strchr(p, '\n');
        p = p != NULL ? p + 1 : NULL;
    }
    for (int k = 0; k < at && p != NULL; k++) {
        p = strchr(p, ',');
        p = p != NULL ? p + 1 : NULL;
    }
    double value = (double)NAN;
    return p != NULL && ut_number_read(p, p + strcspn(p, ",\n"), &value) != NULL ? value
                                                                                 : (double)NAN;
}

// ---- what the model lacks -----------------------------------------------------------------------

// Wind is not simulated, nor are the two fluid shapes; softness becomes hard contact; data of the user are no
// matter.
#define LACKS                                                                   \
    "<mujoco>\n<option timestep='0.01' wind='1 0 0'/><worldbody>\n"             \
    "<body><freejoint/><geom size='0.1' fluidshape='ellipsoid' user='1 0 0 1' " \
    "solref='0.1 1'/></body>\n"                                                 \
    "<body pos='1 0 0'><freejoint/><geom size='0.1' "                           \
    "fluidshape='ellipsoid'/></body></worldbody></mujoco>"

TEST(the_last_line_says_what_the_certificate_does_not_cover)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run_file("run", LACKS, "-t 0.1"), 0);
    CHECK_TEXT(last_line(out), "all 10 steps certified for the model without: option.wind (1), "
                               "geom.fluidshape (2)\n");
    CHECK_INT(run_file("run", LACKS, "-t 0.1 --set option.dt=0.02 --coordinates maximal"), 0);
    CHECK(has(last_line(out), "all 5 steps certified for the model without: option.wind (1), "));
    CHECK_INT(run("run stack:2 -t 0.01"), 0);
    CHECK(has(last_line(out), " steps certified\n"));
}

TEST(the_summary_in_json_says_it_too)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run_file("run", LACKS, "-t 0.1 --json"), 0);
    const utJson* root = read_json();
    if (root == NULL) {
        return;
    }
    CHECK(ut_json_member(root, "certified")->boolean);
    CHECK_NEAR(ut_json_member(root, "missing_physics")->number, 3, 0);
    const utJson* warnings = ut_json_member(root, "warnings");
    CHECK_INT(warnings->count, 3); // softness among them, which is not missing
    const utJson* wind = warnings->first;
    CHECK_TEXT(ut_json_member(wind, "what")->string.data, "option.wind");
    CHECK(ut_json_member(wind, "missing")->boolean);
    CHECK_NEAR(ut_json_member(wind, "line")->number, 2, 0);
    CHECK_NEAR(ut_json_member(wind, "column")->number, 31, 0); // where 1 0 0 begins
    CHECK_TEXT(ut_json_member(wind->next->next, "what")->string.data, "geom.solref");
    CHECK(!ut_json_member(wind->next->next, "missing")->boolean);
    CHECK_INT(run_file("check", LACKS, "--json"), 0);
    CHECK(has(out, "\"missing_physics\":3,"));
}

// ---- overlaps and worst figures -----------------------------------------------------------------

// The ball reaches 0.01 m below the floor, in space and in the plane; the second one is clear of
// it.
#define SUNK(option)                                                                \
    "<mujoco xmlns:ut='urn:uptack'><option timestep='0.01' " option "/><worldbody>" \
    "<geom name='floor' type='plane' size='1 1 1'/>"                                \
    "<body name='a' pos='0 0 0.09'><freejoint/><geom size='0.1'/></body>"           \
    "<body pos='1 0 0.5'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>"

TEST(overlaps_at_the_start_are_named_with_their_depth)
{
    if (program() == NULL) {
        return;
    }
    static const char* const models[] = {SUNK(""), SUNK("ut:planar='xz'")};
    for (int k = 0; k < 2; k++) {
        CHECK_INT(run_file("check", models[k], ""), 0);
        CHECK(has(out, "\noverlaps    1 at the start: floor and a.geom1 0.01 m\n") ||
              has(out, "overlaps    1 at the start: floor and a.geom1 0.01 m\n"));
        CHECK_INT(run_file("run", models[k], "-t 0.1"), 0);
        CHECK(has(out, "\noverlaps    1 at the start: floor and a.geom1 0.01 m\n"));
        CHECK(has(out, "\npenetration 0.01 m (floor and a.geom1, step 1, t = 0 s)\n"));
        CHECK_INT(run_file("run", models[k], "-t 0.1 --json"), 0);
        CHECK(has(out, "\"max_penetration_at\":{\"step\":1,\"time\":0,\"where\":\"floor and "
                       "a.geom1\"}"));
        const utJson* root = read_json();
        const utJson* overlaps = root != NULL ? ut_json_member(root, "overlaps") : NULL;
        if (CHECK(overlaps != NULL && overlaps->count == 1)) {
            CHECK_NEAR(ut_json_member(overlaps->first, "depth")->number, 0.01, 1e-16);
        }
    }
    CHECK_INT(run("check stack:3"), 0);
    CHECK(strstr(out, "overlaps") == NULL); // they touch
}

TEST(drift_is_told_with_its_joint)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run_file("run",
                       "<mujoco><option timestep='0.01'/><worldbody><body><joint name='pin' "
                       "axis='0 1 0'/><geom pos='1 0 0' size='0.1'/></body></worldbody></mujoco>",
                       "-t 0.5 --coordinates maximal --json"),
              0);
    CHECK(has(out, "\"max_joint_drift_at\":{\"step\":") && has(out, "\"where\":\"pin\""));
}

// Four edges are an inscribed square: friction along the heading of 30 degrees is not that of the
// circle. In the exact law there is no such distance.
TEST(polygonal_formulations_tell_how_far_they_are_from_the_circle)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run("run slide:30 -t 0.1 --formulation stewart-trinkle --directions 4"), 0);
    CHECK(has(out, "\nmodel gap   ") && has(out, ": E with the circular friction cone (step "));
    CHECK_INT(run("run slide:30 -t 0.1"), 0);
    CHECK(strstr(out, "model gap") == NULL);
}

// ---- what a run begins with ---------------------------------------------------------------------

TEST(the_seeds_that_have_keyframes_begin_with_one)
{
    static const char* const names[] = {"dart-arm",  "dart-box",         "dart-three-systems",
                                        "igms-ball", "igms-kane",        "igms-low",
                                        "igms-rod",  "pfrommer-sliding", "pfrommer-bidirectional"};
    if (program() == NULL) {
        return;
    }
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "run scenes/seeds/%s.xml -t 0.02", names[k]);
        CHECK_INT(run(arguments), 0);
        CHECK(has(out, "\nstart       keyframe start\n"));
    }
}

TEST(a_file_with_keyframes_and_no_start_says_how_to_take_one)
{
    if (program() == NULL) {
        return;
    }
    const char* model = "<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody>"
                        "<keyframe><key name='up' qvel='0 0 1 0 0 0'/><key/></keyframe></mujoco>";
    CHECK_INT(run_file("run", model, "-t 0.01"), 0);
    CHECK(has(out, "\nstart       the modelled pose; --key selects a keyframe: up, key1\n"));
    CHECK_INT(run_file("run", model, "-t 0.01 --key up --json"), 0);
    CHECK(has(out, "\"keyframe\":\"up\""));
}

TEST(a_solver_of_the_file_gives_way_to_a_formulation_that_is_asked_for)
{
    if (program() == NULL) {
        return;
    }
    const char* model = "<mujoco xmlns:ut='urn:uptack'><ut:contact formulation='stewart-trinkle' "
                        "solver='lemke'/><worldbody><body><freejoint/><geom size='0.1'/></body>"
                        "</worldbody></mujoco>";
    CHECK_INT(run_file("run", model, "-t 0.01 --formulation convex --json"), 0);
    CHECK(has(err, "warning: the file's solver lemke does not solve convex; solver auto is used "
                   "instead\n"));
    CHECK(has(out, "\"solver\":\"auto\"") && has(out, "\"warnings\":[{\"what\":\"the file's"));
    CHECK_INT(run_file("run", model, "-t 0.01 --formulation convex --solver lemke"), 1);
    CHECK(has(err, "there is no solver 'lemke' for convex"));
    CHECK_INT(run_file("run", model, "-t 0.01 --formulation anitescu-potra --json"), 0);
    CHECK_TEXT(err, "");
    CHECK(has(out, "\"solver\":\"lemke\""));
}

// Both pins of the double pendulum are constraints in maximal coordinates. No step is exact to 1e-25.
TEST(an_uncertified_step_names_the_pin_with_the_largest_error)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run("run scenes/seeds/berard-4.1.xml --set option.tolerance=1e-25 --json"), 3);
    CHECK(strstr(err, " at the joint AO; ") != NULL || has(err, " at the joint BA; "));
    CHECK(strstr(err, "friction") == strstr(err, "friction problem"));
    CHECK(strstr(err, "actuator") == NULL);
    CHECK(has(out, "\"failing_place\":\"at the joint "));
    remove("berard-4.1-step-1.fc");
}

// As docs/formulations.md has it. Falling from 1 m, the block's point is in no step before 0.45 s.
TEST(peiret_acceleration_takes_points_that_touch_and_rejects_equalities)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run("run scenes/seeds/pfrommer-falling.xml --formulation peiret-acceleration -t 0.4"),
              0);
    CHECK(has(out, "contacts at most 0\n"));
    CHECK_INT(run("run scenes/seeds/pfrommer-falling.xml --formulation peiret-acceleration -t 0.6"),
              0);
    CHECK(has(out, "contacts at most 1\n"));
    CHECK_INT(run("run scenes/seeds/pfrommer-sliding.xml --formulation peiret-acceleration"), 0);
    CHECK_INT(run("run scenes/seeds/berard-4.4.xml --formulation peiret-acceleration"), 1);
    CHECK(has(err, "peiret-acceleration does not support equalities"));
}

TEST(the_help_of_run_names_every_scene)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run("run --help"), 0);
    for (int k = 0; k < ut_scene_count(); k++) {
        CHECK(has(out, ut_scene_info(k).usage) && has(out, ut_scene_info(k).text));
    }
}

// ---- tables -------------------------------------------------------------------------------------

// It falls 0.5 m in sqrt(2 0.5 / g) s. Where surfaces are within 1e-9 m they meet: at 3 m/s that is
// 3.3e-10 s.
TEST(an_impact_is_stamped_with_its_own_time)
{
    if (program() == NULL) {
        return;
    }
    char options[256];
    snprintf(options, sizeof options, "-t 0.4 --contacts '%s'", path_in_folder("v.csv"));
    CHECK_INT(run_file("run",
                       "<mujoco xmlns:ut='urn:uptack'><option timestep='0.01'/><ut:contact "
                       "formulation='hybrid'/><worldbody><geom name='floor' type='plane' size='1 1 "
                       "1'/><body name='ball' pos='0 0 0.6'><freejoint/><geom name='ball' "
                       "size='0.1' ut:restitution='0.5'/></body></worldbody></mujoco>",
                       options),
              0);
    read_file("v.csv", table, sizeof table);
    CHECK(has(table, ",impact\n"));
    CHECK_NEAR(cell("time", 1), sqrt(2 * 0.5 / 9.81), 3.3e-10);
}

// The cube of 2 kg rests on four corners: its weight is 19.62 N, to E <= 1e-8 of g h times 2 kg
// over h. Its frame is 0.05 m beside the mass centre; its energy is that of the mass centre at 0.1
// m.
TEST(more_columns_stand_behind_those_of_the_contract)
{
    static const char cube[] =
        "<mujoco><option timestep='0.01'/><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
        "<body name='box' pos='0.05 0 0.1'><freejoint/><geom name='cube' type='box' size='0.1 0.1 "
        "0.1' pos='-0.05 0 0' mass='2'/></body></worldbody></mujoco>";
    char options[512];
    if (program() == NULL) {
        return;
    }
    snprintf(options, sizeof options,
             "-t 0.03 --record '%s' --contacts '%s' --columns frames,E,energy,contacts,force,"
             "gap_time",
             path_in_folder("v.csv"), path_in_folder("w.csv"));
    CHECK_INT(run_file("run", cube, options), 0);
    read_file("v.csv", table, sizeof table);
    CHECK(has(table, ",box.ox,box.oy,box.oz,energy,contacts,E\n"));
    CHECK(isnan(cell("contacts", 1)) && isnan(cell("E", 1))); // no step led to the first row
    CHECK_NEAR(cell("box.x", 2), 0.0, 1e-8);
    CHECK_NEAR(cell("box.ox", 2), 0.05, 1e-8);
    CHECK_NEAR(cell("energy", 1), 2 * 9.81 * 0.1, 1e-15);
    CHECK_NEAR(cell("contacts", 2), 4, 0);
    CHECK(cell("E", 2) <= 1e-8);
    read_file("w.csv", table, sizeof table);
    CHECK(has(table, ",slip,state,fn,fx,fy,fz,gap_time\n"));
    double weight = 0.0;
    for (int row = 5; row < 9; row++) { // of the second step
        weight += cell("fn", row);
        CHECK(cell("fn", row) == cell("fz", row));
        CHECK_NEAR(cell("time", row), 0.02, 0);
        CHECK_NEAR(cell("gap_time", row), 0.01, 0);
    }
    CHECK_NEAR(weight, 2 * 9.81, 2e-8 * 9.81);
    CHECK_INT(run("run stack:1 --columns energy"), 2);
    CHECK(has(err, "--columns needs its table"));
    CHECK_INT(run("run stack:1 --columns mass --record s.csv"), 2);
    CHECK(has(err, "there is no column 'mass'"));
}

#endif
