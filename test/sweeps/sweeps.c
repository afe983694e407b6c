// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "sweeps.h"

#ifndef __EMSCRIPTEN__

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

char sweeps_out[SWEEPS_ROOM], sweeps_err[SWEEPS_ROOM];
static char folder[] = "/tmp/uptack-sweeps-XXXXXX";
static char home[1024];

static void remove_folder(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) {
        fprintf(stderr, "%s stays\n", folder);
    }
}

// Free fall with semi-implicit Euler: after k steps of h = 0.01 s from z = 100 m with velocity v0,
// v = v0 - g h k and z = 100 + v0 h k - g h^2 k (k + 1) / 2.
static const char ball[] = "<mujoco><option timestep='0.01' gravity='0 0 -10'/><worldbody>"
                           "<body name='ball' pos='0 0 100'><freejoint name='ball'/>"
                           "<geom type='sphere' size='0.1' mass='2'/></body></worldbody></mujoco>";
static const char bad[] =
    "<mujoco>\n  <worldbody>\n    <body><joint type=\"hinge\"/><geom size=\"-1\"/>"
    "</body>\n  </worldbody>\n</mujoco>\n";

bool sweeps_begin(void)
{
    static bool have_folder;
    const char* path = getenv("UPTACK_CLI");
    if (path == NULL) {
        test_skip("UPTACK_CLI does not name the program");
        return false;
    }
    if (!have_folder) {
        char command[2100];
        have_folder = mkdtemp(folder) != NULL && getcwd(home, sizeof home) != NULL;
        atexit(remove_folder);
        sweeps_write("ball.xml", ball);
        sweeps_write("bad.xml", bad);
        snprintf(command, sizeof command, "cp scenes/gripper.xml %s/grip.xml", folder);
        CHECK_INT(system(command), 0);
        setenv("U", path, 1);
        setenv("R", home, 1);
        unsetenv("SLURM_ARRAY_TASK_ID");
        unsetenv("SLURM_STEP_ID");
    }
    return have_folder;
}

static const char* path_of(const char* name, char path[256])
{
    snprintf(path, 256, "%s/%s", folder, name);
    return path;
}

int sweeps_run(const char* command, ...)
{
    char filled[2048], whole[4096];
    va_list arguments;
    va_start(arguments, command);
    vsnprintf(filled, sizeof filled, command, arguments);
    va_end(arguments);
    snprintf(whole, sizeof whole, "cd %s && { %s\n} >.out 2>.err", folder, filled);
    const int status = system(whole);
    sweeps_read(".out", sweeps_out, sizeof sweeps_out);
    sweeps_read(".err", sweeps_err, sizeof sweeps_err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void sweeps_write(const char* name, const char* text)
{
    char path[256];
    FILE* file = fopen(path_of(name, path), "wb");
    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

size_t sweeps_read(const char* name, char* to, size_t room)
{
    char path[256];
    FILE* file = fopen(path_of(name, path), "rb");
    size_t size = 0;
    if (CHECK(file != NULL)) {
        size = fread(to, 1, room - 1, file);
        fclose(file);
    }
    to[size] = '\0';
    return size;
}

void sweeps_remove(const char* name)
{
    CHECK_INT(sweeps_run("rm -rf %s", name), 0);
}

bool sweeps_same(const char* a, const char* b)
{
    return sweeps_run("test -s %s && cmp %s %s", a, a, b) == 0;
}

// The cell at an index of a line. The tests use no cells with quotes.
static bool cell_at(const char* line, int index, char cell[128])
{
    for (; index > 0; index--) {
        line += strcspn(line, ",\n");
        if (*line != ',') {
            return false;
        }
        line++;
    }
    const size_t size = strcspn(line, ",\n");
    if (size >= 128) {
        return false;
    }
    memcpy(cell, line, size);
    cell[size] = '\0';
    return true;
}

bool sweeps_cell(int row, const char* column, char cell[128])
{
    char name[128];
    int index = 0;
    while (cell_at(sweeps_out, index, name) && strcmp(name, column) != 0) {
        index++;
    }
    if (!cell_at(sweeps_out, index, name)) {
        return false;
    }
    const char* line = sweeps_out;
    for (int k = 0; k <= row && line != NULL; k++) {
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return line != NULL && *line != '\0' && cell_at(line, index, cell);
}

bool sweeps_numbers(int row, const char* const* column, int columns, double* number)
{
    for (int k = 0; k < columns; k++) {
        char cell[128];
        if (!sweeps_cell(row, column[k], cell)) {
            return false;
        }
        number[k] = strtod(cell, NULL);
    }
    return true;
}

#endif
