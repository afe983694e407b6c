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

/// p at the start of the step.
double ut_step_explicit_force(const Step* step, int actuator);

/// Set the bounds of a row from the force range of an actuator. @param gear p times this is the force
void ut_step_bound_actuator(const utModelActuator* actuator, double gear, ActuatorRow* row);

void ut_step_add_actuator_row(Step* step, ActuatorRow row);

/// Drive a joint with a range for the sum of its actuators.
void ut_step_drive_limited_joint(Step* step, int joint);

#endif
