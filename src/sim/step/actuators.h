// SPDX-License-Identifier: Apache-2.0
// Shared by the files of actuators: forces along coordinates, and rows.
#ifndef UPTACK_SIM_STEP_ACTUATORS_H
#define UPTACK_SIM_STEP_ACTUATORS_H

#include "sim/step.h"

/// A force along a coordinate: K, D and the value at (x + h x', x') when it is linearly implicit.
typedef struct Linearized {
    double constant; // without K and D
    double K, D;
    double force;    // at (x + h x', x')
    double implicit; // h D + h^2 K of the positive parts
} Linearized;

/// The force of an actuator of a hinge or slide, along the joint's coordinate.
Linearized ut_step_linearize_joint(const Step* step, int actuator);

/// Set the bounds of a row from the force range of an actuator. @param gear p times this is the force
void ut_step_bound_actuator(const utModelActuator* actuator, double gear, ActuatorRow* row);

void ut_step_add_actuator_row(Step* step, ActuatorRow row);

/// Find joints that actuators of other transmissions drive, too, and whose actuators exceed the range
/// for their sum. Remove these joints from the moments of such actuators.
utStatus ut_step_find_saturated(Step* step);

/// Is the sum of the actuators of a joint limited in this step? A joint that others drive, too, is
/// limited only when it is saturated.
bool ut_step_limits_sum(const Step* step, const utModelJoint* joint);

/// Drive a joint whose sum is limited.
void ut_step_drive_limited_joint(Step* step, int joint);

#endif
