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

// MuJoCo reads neither STL files of text nor Collada, so a written model has their numbers. The
// tetrahedron has the volume 1/6 m^3, which gives the link its mass at 1000 kg/m^3.
static void check_written(const char* mesh)
{
    char robot[512], command[1024];
    snprintf(robot, sizeof robot,
             "<robot name='r'><link name='a'/><link name='b'><collision><geometry><mesh "
             "filename='%s'/></geometry></collision></link><joint name='j' type='continuous'>"
             "<parent link='a'/><child link='b'/></joint></robot>",
             mesh);
    snprintf(command, sizeof command, "convert '%s' '%s' --to mjcf", path_in_folder("u.urdf"),
             path_in_folder("w.xml"));
    CHECK_INT(run(robot, "", command), 0);
    read_file("w.xml", out, sizeof out);
    CHECK(strstr(out, "file=") == NULL && has(out, "vertex="));
    snprintf(command, sizeof command, "info --json '%s'", path_in_folder("w.xml"));
    CHECK_INT(run(robot, "", command), 0);
    CHECK(has(out, "\"mass\":166.66666666666"));
    // written again, it stays the same
    snprintf(command, sizeof command, "convert '%s' '%s' --to mjcf", path_in_folder("w.xml"),
             path_in_folder("w2.xml"));
    CHECK_INT(run(robot, "", command), 0);
    static char again[ROOM];
    read_file("w.xml", out, sizeof out);
    read_file("w2.xml", again, sizeof again);
    CHECK_TEXT(again, out);
}

TEST(meshes_that_mujoco_does_not_read_are_written_with_their_numbers)
{
    if (program() == NULL) {
        return;
    }
    static const char* const facets[] = {"0 0 0|0 1 0|1 0 0", "0 0 0|1 0 0|0 0 1",
                                         "1 0 0|0 1 0|0 0 1", "0 0 0|0 0 1|0 1 0"};
    char text[2048] = "solid t\n";
    for (int k = 0; k < 4; k++) {
        char a[8], b[8], c[8];
        CHECK_INT(sscanf(facets[k], "%7[^|]|%7[^|]|%7[^|]", a, b, c), 3);
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "facet normal 0 0 0\nouter loop\nvertex %s\nvertex %s\nvertex %s\nendloop\n"
                 "endfacet\n",
                 a, b, c);
    }
    strcat(text, "endsolid t\n");
    (void)write_file("t.stl", text);
    check_written("t.stl");
    (void)write_file(
        "t.dae", "<COLLADA><asset><up_axis>Z_UP</up_axis></asset><library_geometries><geometry "
                 "id='g'><mesh><source id='s'><float_array>0 0 0 1 0 0 0 1 0 0 0 1</float_array>"
                 "</source><vertices id='v'><input semantic='POSITION' source='#s'/></vertices>"
                 "<triangles><input semantic='VERTEX' source='#v' offset='0'/><p>0 2 1 0 1 3 0 3 2 "
                 "1 2 3</p></triangles></mesh></geometry></library_geometries></COLLADA>");
    check_written("t.dae");
}

#endif
