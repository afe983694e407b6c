// SPDX-License-Identifier: Apache-2.0
// uptack run with controls over time, sensors in its tables, keyframes by number. The program is the
// one that UPTACK_CLI names.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#ifdef __EMSCRIPTEN__

TEST(controls_of_the_command_line)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { ROOM = 1 << 16 };

static char out[ROOM]; // what the last run printed
static char err[ROOM];
static char table[ROOM];

// Two masses of 1 kg on slides with motors: v+ = v + h ctrl.
static const char sliders[] =
    "<mujoco><option gravity='0 0 0' timestep='0.125'/><worldbody>"
    "<body name='a'><joint name='x' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>"
    "<body name='b' pos='0 2 0'><joint name='y' type='slide' axis='1 0 0'/>"
    "<geom size='.1' mass='1'/></body></worldbody>"
    "<actuator><motor name='left' joint='x'/><motor name='right' joint='y'/></actuator>"
    "<sensor><actuatorfrc name='fl' actuator='left'/><actuatorfrc name='fr' actuator='right'/>"
    "<jointvel name='vx' joint='x'/></sensor>"
    "<keyframe><key name='start'/><key name='fast' time='2' qvel='3 4' ctrl='1 -1'/></keyframe>"
    "</mujoco>";

// @param options may name c.csv in the folder as %s
static int run(const char* options)
{
    char command[4096], filled[2048];
    if (program() == NULL) {
        return -1;
    }
    snprintf(filled, sizeof filled, options, path_in_folder("c.csv"));
    snprintf(command, sizeof command, "'%s' run '%s' -t 0.5 --record '%s' %s >'%s' 2>'%s'",
             program(), write_file("c.xml", sliders), path_in_folder("s.csv"), filled,
             path_in_folder("c.out"), path_in_folder("c.err"));
    table[0] = '\0';
    const int status = system(command);
    read_file("c.out", out, sizeof out);
    read_file("c.err", err, sizeof err);
    const int code = CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
    if (code == 0) {
        read_file("s.csv", table, sizeof table);
    }
    return code;
}

// A cell of the table by the name of its column. @return NAN when there is none
static double cell(const char* column, int row)
{
    const size_t size = strlen(column);
    const char* name = table;
    int at = 0;
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

// The forces of the four steps, which the rows 2 to 5 of the table show.
static void check_forces(const char* sensor, const double forces[4])
{
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(cell(sensor, k + 2), forces[k], 1e-12);
    }
}

TEST(an_expression_controls_an_actuator)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run("--ctrl 'left=2+8*t' --ctrl 'right=-1'"), 0);
    check_forces("fl", (const double[]){2.0, 3.0, 4.0, 5.0}); // at the start of each step
    check_forces("fr", (const double[]){-1.0, -1.0, -1.0, -1.0});
    // v+ = v + h ctrl, and before the first step there is no force
    CHECK_NEAR(cell("vx", 5), 0.125 * (2.0 + 3.0 + 4.0 + 5.0), 1e-12);
    CHECK(isnan(cell("fl", 1)));
}

// Rows hold until the next one, or are interpolated; the last row holds until the end.
TEST(a_table_controls_actuators)
{
    if (program() == NULL) {
        return;
    }
    write_file("c.csv", "t, right\n0,1\n0.25,3\n");
    CHECK_INT(run("--ctrl '%s'"), 0);
    check_forces("fr", (const double[]){1.0, 1.0, 3.0, 3.0});
    check_forces("fl", (const double[]){0.0, 0.0, 0.0, 0.0});
    CHECK_INT(run("--ctrl '%s' --ctrl-linear"), 0);
    check_forces("fr", (const double[]){1.0, 2.0, 3.0, 3.0});
    // without a head: all controls; the first row holds before its time; a later --ctrl wins
    write_file("c.csv", "0.125,5,6\r\n0.375,7,8\r\n");
    CHECK_INT(run("--ctrl '%s' --ctrl right=9"), 0);
    check_forces("fl", (const double[]){5.0, 5.0, 5.0, 7.0});
    check_forces("fr", (const double[]){9.0, 9.0, 9.0, 9.0});
}

// Spreadsheets begin with a byte order mark, and editors leave blank lines.
TEST(tables_of_controls_may_have_a_mark_and_blank_lines)
{
    if (program() == NULL) {
        return;
    }
    write_file("c.csv", "\xEF\xBB\xBFt,right\r\n0,1\r\n\r\n0.25,3\r\n \r\n\r\n");
    CHECK_INT(run("--ctrl '%s'"), 0);
    check_forces("fr", (const double[]){1.0, 1.0, 3.0, 3.0});
    write_file("c.csv", "t,right\n\n");
    CHECK_INT(run("--ctrl '%s'"), 1);
    CHECK(has(err, "the table has no rows"));
}

// A keyframe by number, whose controls hold where --ctrl names no others.
TEST(a_keyframe_can_be_named_by_its_number)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run("--key 1 --ctrl left=t"), 0);
    CHECK_NEAR(cell("time", 1), 2.0, 0.0);
    CHECK_NEAR(cell("vx", 1), 3.0, 0.0);
    check_forces("fl", (const double[]){2.0, 2.125, 2.25, 2.375});
    check_forces("fr", (const double[]){-1.0, -1.0, -1.0, -1.0});
    CHECK_INT(run("--key 2"), 1);
    CHECK(has(err, "there is no keyframe '2'; there are: start, fast"));
}

static void check_error(const char* content, const char* options, const char* message)
{
    write_file("c.csv", content);
    CHECK_INT(run(options), 1);
    CHECK(has(err, message));
}

TEST(an_error_in_controls_is_shown_where_it_stands)
{
    if (program() == NULL) {
        return;
    }
    check_error("t,left,rigth\n0,1,2\n", "--ctrl '%s'",
                "c.csv:1:8: error: there is no actuator 'rigth'; the nearest is 'right'");
    check_error("t,left,left\n", "--ctrl '%s'", "c.csv:1:8: error: this actuator has a column");
    check_error("x,left\n0,1\n", "--ctrl '%s'", "c.csv:1:1: error: the first column is the time");
    check_error("t,left\n0,1\n1,one\n", "--ctrl '%s'", "c.csv:3:3: error: a number was expected");
    check_error("t,left\n0,nan\n", "--ctrl '%s'", "c.csv:2:3: error: this number is not finite");
    check_error("t,left\n0\n", "--ctrl '%s'", "c.csv:2:2: error: this row has fewer cells");
    check_error("t,left\n0,1,2\n", "--ctrl '%s'", "c.csv:2:5: error: this row has more cells");
    check_error("0,1\n", "--ctrl '%s'", "c.csv:1:4: error: this row has fewer cells");
    check_error("t,left\n1,1\n0,1\n", "--ctrl '%s'", "c.csv:3:1: error: the time is before");
    check_error("t,left\n", "--ctrl '%s'", "c.csv:2:1: error: the table has no rows");
    check_error("", "--ctrl lift=1", "there is no actuator 'lift'; the nearest is 'left'");
    check_error("", "--ctrl 'left=sin('", "--ctrl left=sin(: column 10:");
    check_error("", "--ctrl 'left=1/(t-0.25)'", "has no finite value at t = 0.25 s");
    CHECK_INT(run("--ctrl left"), 2);
    CHECK(has(err, "--ctrl needs FILE.csv or NAME=EXPRESSION, not 'left'"));
}

TEST(info_lists_the_sensors)
{
    char command[2048];
    if (program() == NULL) {
        return;
    }
    snprintf(command, sizeof command, "'%s' info '%s' >'%s' && '%s' info --json '%s' >'%s'",
             program(), write_file("c.xml", sliders), path_in_folder("c.out"), program(),
             path_in_folder("c.xml"), path_in_folder("c.err"));
    CHECK_INT(system(command), 0);
    read_file("c.out", out, sizeof out);
    read_file("c.err", err, sizeof err);
    CHECK(has(out, "sensor fl: actuatorfrc, 1 value\n"));
    CHECK(has(err, "{\"name\":\"vx\",\"kind\":\"jointvel\",\"start\":2,\"dim\":1,\"cutoff\":0}"));
}

// A recording holds the inputs of every step, and its tables are those of the run.
TEST(a_recording_has_sensors_and_gives_the_same_table)
{
    char command[2048];
    static char again[ROOM];
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run("--ctrl 'left=sin(t)'"), 0);
    snprintf(command, sizeof command,
             "'%s' run '%s' -t 0.5 --ctrl 'left=sin(t)' --record '%s' >'%s' && "
             "'%s' convert '%s' '%s' >'%s'",
             program(), path_in_folder("c.xml"), path_in_folder("r.utr"), path_in_folder("c.out"),
             program(), path_in_folder("r.utr"), path_in_folder("u.csv"), path_in_folder("c.out"));
    CHECK_INT(system(command), 0);
    read_file("u.csv", again, sizeof again);
    CHECK_TEXT(again, table);
    CHECK(has(again, ",fl,fr,vx\n"));
}

#endif
