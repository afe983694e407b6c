// SPDX-License-Identifier: Apache-2.0
#include "robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/load.h>

#include "test.h"

int robots_read(Robot robots[ROBOTS_MAX])
{
    char line[300];
    int count = 0;
    FILE* file = fopen("test/robots/robots.txt", "r");
    while (file != NULL && count < ROBOTS_MAX && fgets(line, sizeof line, file) != NULL) {
        Robot* r = &robots[count];
        if (line[0] != '#' &&
            CHECK_INT(sscanf(line, "%159s %31s %31s", r->file, r->key, r->free), 3)) {
            count++;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return count;
}

// Load a robot with changes "NAME.ATTR=VALUE".
static bool load(const Robot* robot, int changes, const char* const* change, utModel** model)
{
    char path[700];
    utError err = {0};
    utLoadDef def = ut_load_def();
    def.set = change;
    def.set_count = changes;
    (void)snprintf(path, sizeof path, "%s/models/%s", getenv("UPTACK_DATA"), robot->file);
    if (!CHECK_INT(ut_load_with(path, &def, model, NULL, &err), UT_OK)) {
        test_note("%s: %s", robot->file, err.message);
        return false;
    }
    return true;
}

static bool start(const Robot* robot, int finer, RobotSim* opened)
{
    utSimDef def = ut_sim_def();
    def.dt = opened->model->options.dt / finer;
    if (strcmp(robot->key, "-") != 0) {
        opened->key = ut_model_find_keyframe(opened->model, robot->key);
        opened->input.ctrl = opened->key >= 0 ? opened->model->keyframe[opened->key].ctrl : NULL;
        CHECK(opened->key >= 0);
    }
    const bool ok = CHECK_INT(ut_sim_create(opened->model, &def, &opened->sim, NULL), UT_OK) &&
                    CHECK_INT(ut_sim_reset(opened->sim, opened->key, NULL), UT_OK);
    if (!ok) {
        robot_close(opened);
    }
    return ok;
}

bool robot_open(const Robot* robot, RobotSim* opened)
{
    *opened = (RobotSim){.key = -1};
    return load(robot, 0, NULL, &opened->model) && start(robot, 1, opened);
}

bool robot_open_frictionless(const Robot* robot, int finer, RobotSim* opened)
{
    enum { MAX_CHANGES = 64 };
    char text[MAX_CHANGES][100];
    const char* change[MAX_CHANGES];
    int changes = 0;
    *opened = (RobotSim){.key = -1};
    if (!load(robot, 0, NULL, &opened->model)) {
        return false;
    }
    for (int j = 0; j < opened->model->njoint && changes < MAX_CHANGES; j++) {
        if (opened->model->joint[j].frictionloss > 0.0) {
            (void)snprintf(text[changes], sizeof *text, "%s.frictionloss=0",
                           opened->model->joint[j].name);
            change[changes] = text[changes];
            changes++;
        }
    }
    robot_close(opened);
    return load(robot, changes, change, &opened->model) && start(robot, finer, opened);
}

void robot_close(RobotSim* opened)
{
    ut_sim_destroy(opened->sim);
    ut_model_destroy(opened->model);
    *opened = (RobotSim){.key = -1};
}
