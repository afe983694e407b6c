// SPDX-License-Identifier: Apache-2.0
/// @file sensor.h
/// Values of a model's sensors (utModelSensor). A sim reads them with ut_sim_sensors; these
/// functions do the same for a state and a step report from anywhere.
///
/// Sensors of positions and velocities are functions of a state. Sensors of accelerations and
/// forces belong to a step: the acceleration is (v+ - v) / h, contact and limit forces are impulses
/// over h, and the bodies are where the step began. Without a step they have no value: NAN.
/// docs/sensors.md lists all kinds.
#ifndef UPTACK_SENSOR_H
#define UPTACK_SENSOR_H

#include <uptack/dyn.h>
#include <uptack/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Memory for reading sensors. It holds no values between calls.
typedef struct utSensors {
    const utModel* model;
    utKinematics kin;       ///< where the step began
    double* q;              ///< nq
    double *v, *a;          ///< nv: velocities there, and accelerations of the step
    double* work;           ///< nv
    int* index;             ///< nv
    utMotion* acceleration; ///< nbody: spatial accelerations, as utKinematics.bias
    utForce* wrench; ///< nbody: of the parent on each body, about the body's centre of mass, world
} utSensors;

/// @param keep holds the arrays
UT_API utStatus ut_sensors_create(const utModel* model, utArena* keep, utSensors* sensors);

/// A state at which sensors are read.
typedef struct utSensorState {
    double time;             ///< s
    const double* q;         ///< nq
    const double* v;         ///< nv
    const utKinematics* kin; ///< placed and moved at q and v
} utSensorState;

/// Read all sensors.
/// @param step the step that led to the state; NULL: none
/// @param data nsensordata values: sensor i has the entries from model->sensor[i].start on
UT_API void ut_sensors_read(utSensors* sensors, const utSensorState* state,
                            const utStepReport* step, double* data);

// ---- reactions ----------------------------------------------------------------------------------

/// What a joint, a fixed connection or an equality transmitted in a step: the impulse on a body and the
/// angular impulse about a point, world. The opposite ones act on the other body.
///
/// A connection in a tree transmits the wrench that the body and everything behind it need for their
/// motion, by Newton-Euler at the positions where the step began:
///
///     m (v+ - v + h bias) = impulses of contacts + h (m g + applied) + reaction - reactions of children
///
/// It includes springs, dampers, limits, friction and actuators of the joint. An equality transmits the
/// impulses of its rows; in maximal coordinates the joints are equalities.
typedef struct utReaction {
    int body;     ///< on which the impulse acts
    int equality; ///< -1: the connection of the body to its parent
    utVec3 point; ///< anchor of the joint at the step's start, world, m; of a fixed body its origin
    utVec3 impulse; ///< N s
    utVec3 torque;  ///< angular impulse about the point, N m s
} utReaction;

/// The number of reactions: one per body of a tree that does not move freely, in order of bodies, then
/// one per equality between two bodies.
UT_API int ut_reaction_count(const utModel* model);

/// The body and the equality of a reaction, without its numbers.
UT_API utReaction ut_reaction(const utModel* model, int reaction);

/// The name of a reaction: that of the joint, of the equality, or of a body that is fixed to its parent;
/// its kind and index when it has none: "joint0".
/// @param buffer receives the latter
UT_API const char* ut_reaction_name(const utModel* model, int reaction, char buffer[32]);

/// The reactions of a step, summed over its parts; NAN for trees that sleep.
/// @param reaction ut_reaction_count entries
UT_API void ut_reactions(utSensors* sensors, const utStepReport* step, utReaction* reaction);

#ifdef __cplusplus
}
#endif

#endif
