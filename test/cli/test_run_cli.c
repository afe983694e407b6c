// SPDX-License-Identifier: Apache-2.0
// uptack run, check and info as a user meets them: what they print, what they write, how they end.
// The program is the one that UPTACK_CLI names.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#ifdef __EMSCRIPTEN__

TEST(the_command_line_for_models)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <uptack/json.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1 << 20 };

static char out[ROOM]; // what the last run printed
static char err[ROOM];
static char table[ROOM];
static char folder[] = "/tmp/uptack-run-XXXXXX";

static void remove_folder(void)
{
    static const char* const names[] = {"out",         "err",
                                        "m.xml",       "s.csv",
                                        "c.csv",       "t.csv",
                                        "r.utr",       "u.csv",
                                        "v.csv",       "full.csv",
                                        "m-step-1.fc", "stdin-step-1.fc",
                                        "sub/s.csv",   "sub/m-step-1.fc"};
    char path[64];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/sub", folder);
    rmdir(path);
    rmdir(folder);
}

// @return the folder's path, or NULL when the test has to be skipped
static const char* get_ready(void)
{
    static bool made;
    if (program() == NULL) {
        return NULL;
    }
    if (!made) {
        made = mkdtemp(folder) != NULL;
        atexit(remove_folder);
    }
    return CHECK(made) ? folder : NULL;
}

static void load(const char* name, char* text)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "rb");
    size_t size = 0;
    if (CHECK(file != NULL)) {
        size = fread(text, 1, ROOM - 1, file);
        fclose(file);
    }
    text[size] = '\0';
}

static void save(const char* text)
{
    char path[64];
    snprintf(path, sizeof path, "%s/m.xml", folder);
    FILE* file = fopen(path, "wb");
    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

// Run in the folder. @return the exit code, or -1
static int run(const char* arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "cd %s && '%s' %s >out 2>err", folder, program(), arguments);
    const int status = system(command);
    load("out", out);
    load("err", err);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

// ---- tables -------------------------------------------------------------------------------------

static int lines(const char* text)
{
    int count = 0;
    for (; *text != '\0'; text++) {
        count += *text == '\n';
    }
    return count;
}

// Cell of the table, without quoted ones. @param text room bytes
static void cell(int row, int column, char* text, size_t room)
{
    const char* at = table;
    for (; row > 0 && at != NULL; row--) {
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    for (; column > 0 && at != NULL; column--) {
        at = strchr(at, ',');
        at = at != NULL ? at + 1 : NULL;
    }
    text[0] = '\0';
    if (CHECK(at != NULL)) {
        snprintf(text, room, "%.*s", (int)strcspn(at, ",\n"), at);
    }
}

static double number(int row, int column)
{
    char text[64];
    double value = -1e300;
    cell(row, column, text, sizeof text);
    CHECK(ut_number_read(text, text + strlen(text), &value) != NULL);
    return value;
}

// ---- models -------------------------------------------------------------------------------------

#define FALL                                                                                     \
    "<mujoco><option timestep='0.01'/><worldbody><body name='ball' pos='0 0 10'>"                \
    "<freejoint name='free'/><geom type='sphere' size='0.1'/></body></worldbody>"                \
    "<keyframe><key name='thrown' time='2' qpos='1 2 3 1 0 0 0' qvel='4 0 0 0 0 0'/></keyframe>" \
    "</mujoco>"

#define REST                                                                                 \
    "<mujoco><option timestep='0.01'/><worldbody><geom name='floor' type='plane' "           \
    "size='1 1 1'/><body name='box' pos='0 0 0.1'><freejoint/><geom name='cube' type='box' " \
    "size='0.1 0.1 0.1' mass='2'/></body></worldbody></mujoco>"

// falls 0.5 m onto the floor, e = 0.5
#define BOUNCE                                                                                  \
    "<mujoco xmlns:ut='urn:uptack'><option timestep='0.01'/><ut:contact formulation='hybrid'/>" \
    "<worldbody><geom name='floor' type='plane' size='1 1 1'/><body name='ball' pos='0 0 0.6'>" \
    "<freejoint/><geom name='ball' size='0.1' ut:restitution='0.5'/></body></worldbody>"        \
    "<keyframe><key name='start' qvel='0 0 0 0 0 3'/></keyframe></mujoco>"

// fluidshape is physics that is not supported, user is for other programs
#define WARNS                                                                                     \
    "<mujoco>\n<worldbody>\n<body><freejoint/><geom size='0.1' fluidshape='ellipsoid' user='1 0 " \
    "0 1'/>"                                                                                      \
    "</body></worldbody></mujoco>"

// ---- run ----------------------------------------------------------------------------------------

// z(k) = z0 - g h^2 k (k + 1) / 2; the sums round by at most 10 * 2^-53 * 20 terms = 2.2e-14 * 2.
TEST(a_falling_ball_is_recorded_where_symplectic_euler_puts_it)
{
    if (get_ready() == NULL) {
        return;
    }
    save(FALL);
    CHECK_INT(run("run m.xml -t 0.2 --record s.csv"), 0);
    CHECK_TEXT(err, "");
    CHECK(has(out, "\nsteps       20 of 20\n") && has(out, "\nall 20 steps certified\n"));
    load("s.csv", table);
    CHECK(strncmp(table, "time,ball.x,ball.y,ball.z,ball.qw,", 34) == 0);
    CHECK(has(table, ",free.q[6],free.qd[0],"));
    CHECK_INT(lines(table), 22);
    for (int k = 0; k <= 20; k++) {
        CHECK_NEAR(number(k + 1, 0), 0.01 * k, 1e-15);
        CHECK_NEAR(number(k + 1, 3), 10.0 - 9.81 * 1e-4 * k * (k + 1) / 2.0, 5e-14);
        CHECK_NEAR(number(k + 1, 10), -9.81 * 0.01 * k, 5e-14);
    }
}

// A rod of 1 m on a hinge at its end, held level: its angle grows at 3/2 g / L, after k steps of
// symplectic Euler by 3/2 g h^2 k (k + 1) / 2. Tables have the same columns in both coordinates.
TEST(joints_have_their_columns_in_maximal_coordinates_too)
{
    if (get_ready() == NULL) {
        return;
    }
    save("<mujoco><option timestep='.001'/><worldbody><body name='rod'><joint name='pin' "
         "axis='0 1 0' ref='90'/><inertial pos='.5 0 0' mass='1' "
         "diaginertia='.001 .08333333333333333 .08333333333333333'/></body></worldbody></mujoco>");
    CHECK_INT(run("run m.xml -t 0.002 --record s.csv --json"), 0);
    CHECK(has(out, "\"dof\":1,") && has(out, "\"max_joint_drift\":0,"));
    load("s.csv", table);
    CHECK(has(table, "rod.wz,pin.q,pin.qd\n"));
    static const char* const maximal[] = {
        "run m.xml -t 0.002 --record s.csv --json --coordinates maximal",
        "run m.xml -t 0.002 --record s.csv --json --set option.coordinates=maximal"};
    for (int k = 0; k < 2; k++) {
        CHECK_INT(run(maximal[k]), 0);
        CHECK(has(out, "\"dof\":6,"));
        load("s.csv", table);
        CHECK(has(table, "rod.wz,pin.q,pin.qd\n"));
        // the torque's lever and the gradient change by h^2 of the whole
        CHECK_NEAR(number(3, 15), 1.5 * 9.81 * 0.002, 1e-9);
        CHECK_NEAR(number(3, 14), 1.5707963267948966 + 1.5 * 9.81 * 3e-6, 1e-9);
    }
}

TEST(every_thins_rows_and_keeps_the_first_and_the_last)
{
    if (get_ready() == NULL) {
        return;
    }
    save(FALL);
    CHECK_INT(run("run m.xml -t 0.2 --every 7 --record s.csv"), 0);
    load("s.csv", table);
    const double times[] = {0, 0.07, 0.14, 0.2};
    CHECK_INT(lines(table), 5);
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(number(k + 1, 0), times[k], 1e-15);
    }
}

TEST(a_keyframe_is_where_a_run_begins)
{
    if (get_ready() == NULL) {
        return;
    }
    save(FALL);
    CHECK_INT(run("run m.xml -t 0.1 --key thrown --record s.csv"), 0);
    load("s.csv", table);
    CHECK_NEAR(number(1, 0), 2.0, 0.0);
    CHECK_NEAR(number(1, 3), 3.0, 0.0);
    CHECK_NEAR(number(11, 0), 2.1, 1e-15);
    CHECK_NEAR(number(11, 1), 1.0 + 4.0 * 0.1, 1e-14);
    CHECK_INT(run("run m.xml --key nowhere"), 1);
    CHECK_TEXT(out, "");
    CHECK(has(err, "m.xml: error: there is no keyframe 'nowhere'; there are: thrown\n"));
}

TEST(a_run_begins_with_the_keyframe_called_start)
{
    if (get_ready() == NULL) {
        return;
    }
    save(BOUNCE);
    CHECK_INT(run("run m.xml -t 0.01 --record s.csv"), 0);
    load("s.csv", table);
    CHECK_NEAR(number(1, 13), 3.0, 0.0); // turning about z
    CHECK_INT(run("run m.xml -t 0.01 --key '' --record s.csv"), 0);
    load("s.csv", table);
    CHECK_NEAR(number(1, 13), 0.0, 0.0);
}

// It falls for t = sqrt(2 0.5 / g), meets the floor with v = g t, and then after flights of
// 2 e^k t. e v_k is 1.57, 0.78, 0.39, 0.196 m/s, and 0.098 <= 0.1: four impacts, the last one at
// t (1 + 2 (e + e^2 + e^3)). Moments are found to 1e-12 m at v >= 0.39 m/s, so to 3e-12 s each.
TEST(impacts_and_transitions_are_told)
{
    if (get_ready() == NULL) {
        return;
    }
    const double t = sqrt(1.0 / 9.81);
    save(BOUNCE);
    CHECK_INT(run("run m.xml -t 1.5 --json --transitions t.csv --record r.utr"), 0);
    utArena keep = test_arena();
    const utJson* root = NULL;
    if (!CHECK(ut_json_read((utText){out, strlen(out)}, "out", &keep, &root, NULL) == UT_OK)) {
        return;
    }
    CHECK_NEAR(ut_json_member(root, "impacts")->number, 4, 0);
    CHECK_NEAR(ut_json_member(root, "last_impact")->number, 2.75 * t, 1e-11);
    const utJson* transitions = ut_json_member(root, "transitions");
    const int count = (int)ut_json_member(root, "transition_count")->number;
    CHECK_INT(transitions->count, count);
    const utJson* first = transitions->first;
    if (!CHECK(first != NULL)) {
        return;
    }
    CHECK_NEAR(ut_json_member(first, "time")->number, t, 1e-11);
    CHECK_NEAR(ut_json_member(first, "speed")->number, 9.81 * t, 1e-10);
    CHECK_TEXT(ut_json_member(first, "geom1")->string.data, "floor");
    CHECK_TEXT(ut_json_member(first, "geom2")->string.data, "ball");
    CHECK_TEXT(ut_json_member(first, "from")->string.data, "open");
    CHECK_TEXT(ut_json_member(first, "to")->string.data, "bouncing");

    // the same as a table, which ends steady, and from the recording
    load("t.csv", table);
    CHECK_INT(lines(table), 1 + count);
    CHECK(strncmp(table, "time,geom1,geom2,feature,from,to,speed\n", 39) == 0);
    CHECK_NEAR(number(1, 0), t, 1e-11);
    char text[64];
    cell(count, 5, text, sizeof text);
    CHECK_TEXT(text, "steady");
    CHECK_INT(run("convert r.utr u.csv --transitions v.csv"), 0);
    load("v.csv", out);
    CHECK_TEXT(out, table);

    CHECK_INT(run("run m.xml -t 1.5"), 0);
    CHECK(has(out, "impacts     4, the last at 0.87"));
    CHECK(has(out, "            floor and ball: impacts 4, the last at 0.87"));
    CHECK(has(out, "; steady since "));
}

TEST(adaptive_steps_end_when_the_run_ends)
{
    if (get_ready() == NULL) {
        return;
    }
    save(BOUNCE);
    CHECK_INT(run("run m.xml -t 0.777 --adaptive 1e-7 --json --record s.csv"), 0);
    utArena keep = test_arena();
    const utJson* root = NULL;
    if (!CHECK(ut_json_read((utText){out, strlen(out)}, "out", &keep, &root, NULL) == UT_OK)) {
        return;
    }
    CHECK_NEAR(ut_json_member(root, "time")->number, 0.777, 1e-15);
    const double steps = ut_json_member(root, "steps")->number;
    const double mean = ut_json_member(root, "step_mean")->number;
    CHECK_NEAR(steps * mean, 0.777, 1e-12);
    CHECK(ut_json_member(root, "step_min")->number <= mean);
    CHECK(ut_json_member(root, "step_max")->number >= mean);
    CHECK(ut_json_member(root, "step_max")->number <= 0.01 * (1 + 1e-12));
    load("s.csv", table);
    CHECK_INT(lines(table), 2 + (int)steps);
    CHECK_INT(run("run m.xml -t 0.5 --adaptive 1e-7"), 0);
    CHECK(has(out, " steps certified\n") && has(out, "\nadaptive    1e-07: steps of "));
}

// The floor stops m g h in each step. E <= 1e-8 of V = g h leaves an error of 1e-8 m g h.
TEST(a_resting_box_is_held_by_its_weight)
{
    if (get_ready() == NULL) {
        return;
    }
    save(REST);
    CHECK_INT(run("run m.xml -t 0.05 --contacts c.csv --set cube.mass=3"), 0);
    load("c.csv", table);
    CHECK(strncmp(table, "time,geom1,geom2,x,y,z,nx,ny,nz,gap,pn,px,py,pz,slip,state\n", 59) == 0);
    CHECK_INT(lines(table), 1 + 5 * 4);
    for (int step = 0; step < 5; step++) {
        double pn = 0.0;
        double pz = 0.0;
        for (int i = 0; i < 4; i++) {
            const int row = 1 + 4 * step + i;
            char text[64];
            pn += number(row, 10);
            pz += number(row, 13);
            CHECK_NEAR(number(row, 0), 0.01 * (step + 1), 1e-15);
            CHECK_NEAR(number(row, 8), 1.0, 1e-15);
            cell(row, 1, text, sizeof text);
            CHECK_TEXT(text, "floor");
            cell(row, 2, text, sizeof text);
            CHECK_TEXT(text, "cube");
            cell(row, 15, text, sizeof text);
            CHECK_TEXT(text, "stick");
        }
        CHECK_NEAR(pn, 3.0 * 9.81 * 0.01, 1e-8);
        CHECK_NEAR(pz, 3.0 * 9.81 * 0.01, 1e-8);
    }
}

TEST(the_summary_in_json_has_the_keys_of_the_contract_in_order)
{
    static const char* const keys[] = {
        "model", "steps", "time", "dt", "bodies", "dof", "formulation", "solver", "max_contacts",
        "max_residual", "mean_residual", "max_residual_mps", "unsolved_steps", "fallback_steps",
        "rungs", "max_penetration", "max_joint_drift", "max_cone_violation", "energy_start",
        "energy_end", "energy_gain", "wall_s", "steps_per_s", "state_hash",
        // beside the contract
        "impacts", "last_impact", "transition_count", "transitions", "step_min", "step_mean",
        "step_max", "certified", "reason", "failing_step", "flagged_steps", "tier",
        "steps_above_tolerance", "sleeping", "missing_physics", "warnings", "interrupted",
        "max_residual_at", "max_penetration_at", "max_joint_drift_at", "max_model_gap",
        "max_model_gap_at", "overlap_count", "overlap_search_complete", "overlaps", "keyframe",
        "missing", "first_impacts", "reactions"};
    if (get_ready() == NULL) {
        return;
    }
    save(REST);
    CHECK_INT(run("run - -t 0.1 --json <m.xml"), 0);
    CHECK_TEXT(err, "");
    utArena keep = test_arena();
    const utJson* root = NULL;
    if (!CHECK(ut_json_read((utText){out, strlen(out)}, "out", &keep, &root, NULL) == UT_OK)) {
        return;
    }
    const utJson* member = root->first;
    for (size_t k = 0; k < sizeof keys / sizeof *keys && CHECK(member != NULL); k++) {
        CHECK_TEXT(member->key.data, keys[k]);
        member = member->next;
    }
    CHECK(member == NULL);
    CHECK_NEAR(ut_json_member(root, "steps")->number, 10, 0);
    CHECK_NEAR(ut_json_member(root, "dof")->number, 6, 0);
    CHECK_NEAR(ut_json_member(root, "bodies")->number, 1, 0);
    CHECK_NEAR(ut_json_member(root, "max_contacts")->number, 4, 0);
    CHECK_NEAR(ut_json_member(root, "energy_start")->number, 2 * 9.81 * 0.1, 1e-14);
    CHECK(ut_json_member(root, "max_residual")->number <= 1e-8);
    CHECK_INT(ut_json_member(root, "fallback_steps")->count, 0);
    CHECK(ut_json_member(root, "rungs")->count > 0);
    CHECK_INT(ut_json_member(root, "state_hash")->string.size, 16);
    CHECK_NEAR(ut_json_member(root, "impacts")->number, 0, 0);
    CHECK_INT(ut_json_member(root, "transitions")->count, 0);
    CHECK_NEAR(ut_json_member(root, "step_min")->number, 0.01, 0);
    CHECK_NEAR(ut_json_member(root, "step_mean")->number, 0.01, 1e-15);
    CHECK_NEAR(ut_json_member(root, "step_max")->number, 0.01, 0);
}

TEST(a_run_with_sleeping_reports_the_bodies_that_sleep)
{
    if (get_ready() == NULL) {
        return;
    }
    CHECK_INT(run("run stack:3 --sleep -t 1"), 0);
    CHECK(strstr(out, "\nsleeping    3 of 3 bodies, certified when they fell asleep\n") != NULL);
    CHECK(strstr(out, "steps certified") != NULL);
    CHECK_INT(run("run stack:3 --sleep -t 1 --json"), 0);
    CHECK(strstr(out, "\"sleeping\":3,") != NULL);
    CHECK_INT(run("run stack:3 -t 1 --json"), 0);
    CHECK(strstr(out, "\"sleeping\":0,") != NULL);
    CHECK_INT(run("run pendulum --sleep -t 0.01"), 0);
    CHECK(strstr(out, "\nsleeping    0 of 1 bodies\n") != NULL);
    CHECK_INT(run("run stack:3 --sleep --adaptive 1e-4 -t 0.1"), 1);
    CHECK(strstr(err, "sleeping needs steps of one length") != NULL);
}

// One sweep leaves an error at the start of a stack. The run goes on and ends with 0, and the summary
// states the error.
TEST(a_run_with_a_budget_reports_its_error)
{
    if (get_ready() == NULL) {
        return;
    }
    CHECK_INT(run("run stack:5 --budget=1 -t 0.1"), 0);
    CHECK(strstr(out, "contact     coulomb, solver budget:1\n") != NULL);
    CHECK(strstr(out, "\ntier budget: largest E ") != NULL);
    CHECK(strstr(out, " of 50 steps above 1e-08; all other tests passed\n") != NULL);
    CHECK_INT(run("run stack:5 --budget=1 -t 0.1 --json"), 0);
    CHECK(strstr(out, "\"tier\":\"budget\"") != NULL);
    CHECK(strstr(out, "\"certified\":false") != NULL);
    CHECK(strstr(out, "\"solver\":\"budget:1\"") != NULL);
    CHECK_INT(run("run stack:1 --budget -t 0.1"), 0);
    CHECK(strstr(out, "\nall 50 steps certified\n") != NULL);
    CHECK_INT(run("run stack:1 --budget --integrator RK4 -t 0.1"), 1);
    CHECK(strstr(err, "tier budget needs integrator Euler or implicit") != NULL);
}

// No solution is exact to 1e-25, so no step is certified.
TEST(a_step_that_is_not_certified_ends_the_run_and_is_written_out)
{
    if (get_ready() == NULL) {
        return;
    }
    save(REST);
    CHECK_INT(run("run m.xml --set option.tolerance=1e-25 --json"), 3);
    CHECK(has(out, "\"steps\":0,") && has(out, "\"unsolved_steps\":1,"));
    CHECK(has(err, "m.xml: error: step 1 (t = 0 s) is not certified: complementarity "));
    CHECK(has(err, " is more than 1e-25; E = ") && has(out, "\"failing_limit\":1e-25"));
    CHECK(has(err, " at the contact of floor and cube ("));
    CHECK(has(out, "\"certified\":false,\"reason\":\"complementarity\",\"failing_step\":1,"
                   "\"failing_time\":0,\"failing_place\":\"at the contact of floor and cube ("));
    CHECK(has(err, "uptack coulomb m-step-1.fc\n"));
    CHECK_INT(run("coulomb m-step-1.fc --json"), 0);
    CHECK_INT(run("run m.xml --set option.tolerance=1e-25 --keep-going -t 0.1 --json"), 3);
    CHECK(has(out, "\"steps\":10,"));
    char command[64];
    snprintf(command, sizeof command, "mkdir %s/sub", folder);
    CHECK_INT(system(command), 0);
    CHECK_INT(run("run m.xml --set option.tolerance=1e-25 --record sub/s.csv"), 3);
    CHECK(has(err, "uptack coulomb sub/m-step-1.fc\n"));
    load("sub/s.csv", table);
    CHECK_INT(lines(table), 2); // the start, where it still is
}

TEST(settings_reach_the_simulation)
{
    if (get_ready() == NULL) {
        return;
    }
    save(REST);
    CHECK_INT(run("run m.xml -t 0.1 --dt 0.02 --formulation stewart-trinkle --solver lemke "
                  "--directions 4 --json"),
              0);
    CHECK(has(out, "\"steps\":5,\"time\":0.1"));
    CHECK(has(out, "\"formulation\":\"stewart-trinkle\",\"solver\":\"lemke\","));
    CHECK(has(out, "\"rungs\":{\"lemke\":5}"));
    CHECK_INT(run("run stack:2 -t 0.01 --json"), 0);
    CHECK(has(out, "{\"model\":\"stack:2\",") && has(out, "\"bodies\":2,"));
}

TEST(what_the_command_line_of_run_cannot_mean_is_a_usage_error)
{
    static const struct {
        const char* arguments;
        const char* message;
    } cases[] = {
        {"run", "MODEL is missing"},
        {"run a b", "there is more than one MODEL"},
        {"run m.xml -t 0", "-t needs a number of seconds above 0, not '0'"},
        {"run m.xml -t x", "-t needs a number of seconds above 0, not 'x'"},
        {"run m.xml --dt -1", "--dt needs a number of seconds above 0, not '-1'"},
        {"run m.xml --every 0", "--every needs a whole number above 0"},
        {"run m.xml --directions 5", "--directions needs an even number"},
        {"run m.xml --formulation no", "there is no formulation 'no'"},
        {"run m.xml --solver no", "there is no solver 'no'"},
        {"run m.xml --integrator no", "there is no integrator 'no'"},
        {"run m.xml --coordinates polar",
         "--coordinates needs generalized or maximal, not 'polar'"},
        {"run m.xml --impact hertz", "--impact needs newton, poisson or stronge, not 'hertz'"},
        {"run m.xml --simultaneous newton",
         "--simultaneous needs moreau, poisson or propagate, not 'newton'"},
        {"run m.xml --adaptive 0", "--adaptive needs a tolerance above 0, not '0'"},
        {"run m.xml --adaptive -1", "--adaptive needs a tolerance above 0, not '-1'"},
        {"run m.xml --adaptive nan", "--adaptive needs a tolerance above 0, not 'nan'"},
        {"run m.xml --adaptive little", "--adaptive needs a tolerance above 0, not 'little'"},
        {"run m.xml --budget=0", "--budget=N needs a whole number from 1 to 100000, not '0'"},
        {"run m.xml --budget=few", "--budget=N needs a whole number from 1 to 100000, not 'few'"},
        {"run m.xml --threads 0", "--threads needs a whole number from 1 to 1024, not '0'"},
        {"run m.xml --record s.txt", "--record needs a name that ends in .csv or .utr"},
        {"run m.xml --record s.csv --contacts s.csv", "name the same file"},
        {"run m.xml --contacts m.xml", "the model would be overwritten"},
        {"run m.xml --transitions m.xml", "the model would be overwritten"},
        {"run m.xml --contacts s.csv --transitions s.csv",
         "--contacts and --transitions name the same file"},
        {"run m.xml --set box", "--set needs NAME.ATTR=VALUE, not 'box'"},
        {"run m.xml --what", "there is no option --what"},
        {"check", "MODEL is missing"},
        {"info", "MODEL is missing"},
    };
    if (get_ready() == NULL) {
        return;
    }
    save(REST);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CHECK_INT(run(cases[k].arguments), 2);
        CHECK_TEXT(out, "");
        CHECK(has(err, cases[k].message));
    }
    CHECK_INT(run("run m.xml -t 0.01 --threads 1 --coordinates generalized"), 0);
}

TEST(what_cannot_be_read_or_written_fails_with_the_reason)
{
    if (get_ready() == NULL) {
        return;
    }
    save(REST);
    CHECK_INT(run("run nowhere.xml --json"), 1);
    CHECK_TEXT(out, "");
    CHECK(has(err, "nowhere.xml: error: cannot be opened: "));
    CHECK_INT(run("run m.xml --record no/s.csv --json"), 1);
    CHECK_TEXT(out, "");
    CHECK(has(err, "no/s.csv: error: cannot be written: "));
    CHECK_INT(run("run m.xml --set box.nothing=1"), 1);
    CHECK(has(err, "nothing"));
    CHECK_INT(run("run nothing:3"), 1);
    save("<mujoco><worldbody>");
    CHECK_INT(run("check m.xml"), 1);
    CHECK_TEXT(out, "");
    CHECK(has(err, "m.xml:1:"));
}

TEST(a_full_disk_is_a_failure)
{
    if (get_ready() == NULL) {
        return;
    }
    if (access("/dev/full", W_OK) != 0) {
        test_skip("there is no /dev/full");
        return;
    }
    save(REST);
    char path[64];
    snprintf(path, sizeof path, "%s/full.csv", folder);
    CHECK_INT(symlink("/dev/full", path), 0);
    CHECK_INT(run("run m.xml -t 0.05 --record full.csv --json"), 1);
    CHECK_TEXT(out, "");
    CHECK(has(err, "full.csv: error: cannot be written: No space left on device"));
    // more than any buffer holds: it shows while the run goes on
    CHECK_INT(run("run m.xml -t 20 --contacts full.csv --json"), 1);
    CHECK_TEXT(out, "");
    CHECK(has(err, "full.csv: error: cannot be written: No space left on device"));
    unlink(path);
}

TEST(an_interrupted_run_leaves_a_whole_table_and_a_summary)
{
    if (get_ready() == NULL) {
        return;
    }
    save(FALL);
    char path[64];
    snprintf(path, sizeof path, "%s/s.csv", folder);
    unlink(path);
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) == 0 && freopen("out", "wb", stdout) != NULL &&
            freopen("err", "wb", stderr) != NULL) {
            execl(program(), "uptack", "run", "m.xml", "-t", "1e6", "--json", "--every", "1000",
                  "--record", "s.csv", (char*)NULL);
        }
        _exit(99);
    }
    // the loop runs once the table is there: 10 s at most
    for (int k = 0; k < 1000 && access(path, F_OK) != 0; k++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    int status = 0;
    kill(child, SIGINT);
    pid_t ended = 0;
    for (int k = 0; k < 1000 && ended == 0; k++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        ended = waitpid(child, &status, WNOHANG);
    }
    if (!CHECK(ended == child)) {
        kill(child, SIGKILL);
        (void)waitpid(child, &status, 0);
    }
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 130);
    load("out", out);
    load("s.csv", table);
    const char* steps = strstr(out, "\"steps\":");
    CHECK(steps != NULL && strtoll(steps + 8, NULL, 10) > 0);
    const size_t size = strlen(table);
    CHECK(size > 0 && (table[size - 1] == '\n' || size == ROOM - 1));
}

// ---- check and info -----------------------------------------------------------------------------

TEST(check_lists_unsupported_parts_and_strict_rejects_them)
{
    if (get_ready() == NULL) {
        return;
    }
    save(REST);
    CHECK_INT(run("check m.xml --strict"), 0);
    CHECK_TEXT(out, "m.xml: ok, 1 body, 1 joint, 2 geoms, 6 degrees of freedom; everything is "
                    "supported\n");
    save(WARNS);
    CHECK_INT(run("check m.xml"), 0);
    CHECK(has(out, "m.xml:3:48: warning: geom.fluidshape: "));
    CHECK(has(out, "m.xml: ok, 1 body, ") && has(out, "; 1 warning, "));
    CHECK_INT(run("check m.xml --strict --json"), 1);
    CHECK_TEXT(out, "");
    CHECK(has(err, "m.xml:3:48: warning: geom.fluidshape: "));
    CHECK(has(err, "m.xml:3:48: error: geom.fluidshape: 1 part of the file that changes the "
                   "simulation is not supported"));
    CHECK_INT(run("check m.xml --json"), 0);
    CHECK(has(out, "\"warnings\":1,") && has(out, "\"what\":\"geom.fluidshape\""));
    CHECK_INT(run("run m.xml -t 0.01 --strict"), 1);
    CHECK_TEXT(out, "");
    CHECK_INT(run("run m.xml -t 0.01"), 0);
    CHECK(has(err, "m.xml:3:48: warning: geom.fluidshape: "));
}

// A cube of 0.2 m and 2 kg: m s^2 / 6 = 0.0133333.
TEST(info_prints_the_tree_with_masses_and_inertias)
{
    if (get_ready() == NULL) {
        return;
    }
    save(REST);
    CHECK_INT(run("info m.xml"), 0);
    CHECK(has(out, "\nsizes       nq 7, nv 6, nu 0\n"));
    CHECK(has(out, "\nbody world\n  geom floor: plane, friction 1\n"
                   "  body box: mass 2 kg, pos 0 0 0.1, com 0 0 0, inertia 0.0133333 0.0133333 "
                   "0.0133333\n    joint joint0: free, q[0], v[0]\n"
                   "    geom cube: box, size 0.1 0.1 0.1, friction 1\n"));
    CHECK_INT(run("info m.xml --json --set box.pos='1 2 3'"), 0);
    utArena keep = test_arena();
    const utJson* root = NULL;
    if (!CHECK(ut_json_read((utText){out, strlen(out)}, "out", &keep, &root, NULL) == UT_OK)) {
        return;
    }
    const utJson* bodies = ut_json_member(root, "bodies");
    if (CHECK(bodies != NULL && bodies->count == 2)) {
        const utJson* box = bodies->first->next;
        CHECK_TEXT(ut_json_member(box, "name")->string.data, "box");
        CHECK_NEAR(ut_json_member(box, "mass")->number, 2.0, 0.0);
        CHECK_NEAR(ut_json_member(box, "pos")->first->next->number, 2.0, 0.0);
        CHECK_NEAR(ut_json_member(box, "inertia")->first->number, 2.0 * 0.04 / 6.0, 1e-16);
    }
}

#endif
