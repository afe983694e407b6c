// SPDX-License-Identifier: Apache-2.0
// URDF files on the command line: options, and packages from options and the environment.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#ifdef __EMSCRIPTEN__

TEST(urdf_of_the_command_line)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { ROOM = 1 << 16 };

static char out[ROOM]; // what the last run printed
static char err[ROOM];

// Run a command of the program with a robot on standard input. @return its exit code, or -1
static int run(const char* robot, const char* before, const char* arguments)
{
    char command[2048];
    snprintf(command, sizeof command, "%s '%s' %s <'%s' >'%s' 2>'%s'", before, program(), arguments,
             write_file("u.urdf", robot), path_in_folder("u.out"), path_in_folder("u.err"));
    const int status = system(command);
    read_file("u.out", out, sizeof out);
    read_file("u.err", err, sizeof err);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

static const char ball[] =
    "<robot name='r'><link name='ball'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
    "ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";

TEST(the_root_of_a_urdf_floats_when_asked_to)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run(ball, "", "check -"), 0);
    CHECK(strstr(out, "0 degrees of freedom") != NULL);
    CHECK_INT(run(ball, "", "check - --floating"), 0);
    CHECK(strstr(out, "6 degrees of freedom") != NULL);
    CHECK_INT(run(ball, "", "run - --floating -t 0.1"), 0);
    CHECK(strstr(out, "all 50 steps certified") != NULL);
}

TEST(packages_come_from_the_option_and_the_environment)
{
    if (program() == NULL) {
        return;
    }
    (void)write_file("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                              "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    // the folder of the test is the package; above `/` there is no folder of its name
    char robot[600], folder[300], arguments[400], before[400];
    snprintf(folder, sizeof folder, "%s", path_in_folder("m.obj"));
    *strrchr(folder, '/') = 0;
    char* slash = strrchr(folder, '/');
    snprintf(robot, sizeof robot,
             "<robot name='r'><link name='a'><collision><geometry><mesh "
             "filename='package://%s/m.obj'/></geometry></collision></link></robot>",
             slash + 1);
    CHECK_INT(run(robot, "cd / && ROS_PACKAGE_PATH=", "info -"), 1);
    CHECK(strstr(err, "--package-path") != NULL);
    snprintf(arguments, sizeof arguments, "info - --package-path /nowhere:%s", folder);
    CHECK_INT(run(robot, "cd / && ROS_PACKAGE_PATH=", arguments), 0);
    CHECK(strstr(out, "4 vertices") != NULL || strstr(out, "vertices 4") != NULL);
    *slash = 0; // the folder above it contains the package
    snprintf(before, sizeof before, "cd / && ROS_PACKAGE_PATH=/nowhere:'%s/'", folder);
    CHECK_INT(run(robot, before, "info -"), 0);
}

#endif
