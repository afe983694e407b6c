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

#ifdef __cplusplus
}
#endif

#endif
