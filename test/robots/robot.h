// SPDX-License-Identifier: Apache-2.0
// The robots of robots.txt, each at its keyframe.
#ifndef UPTACK_TEST_ROBOT_H
#define UPTACK_TEST_ROBOT_H

#include <stdbool.h>
#include <uptack/sim.h>

enum { ROBOTS_MAX = 32, ROBOT_FILE = 160, ROBOT_KEY = 32 };

typedef struct Robot {
    char file[ROBOT_FILE]; // below $UPTACK_DATA/models
    char key[ROBOT_KEY];   // its keyframe; "-": the modelled pose
    char free[ROBOT_KEY];  // "still", "lifted" or "-" (robots.txt)
} Robot;

/// A loaded robot. ut_model_destroy and ut_sim_destroy take them back.
typedef struct RobotSim {
    utModel* model;
    utSim* sim;
    int key;
    utInput input; // the keyframe's controls
} RobotSim;

/// @return number of robots; 0 when the list cannot be read
int robots_read(Robot robots[ROBOTS_MAX]);

/// Load a robot and set its keyframe.
/// @return false, with failed checks, when this is not possible
bool robot_open(const Robot* robot, RobotSim* opened);

/// The same without the dry friction of its joints, with a time step `finer` times shorter.
bool robot_open_frictionless(const Robot* robot, int finer, RobotSim* opened);
void robot_close(RobotSim* opened);

#endif
