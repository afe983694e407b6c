// SPDX-License-Identifier: Apache-2.0
// Shared by the files of sensor: each of them reads some kinds of sensors.
#ifndef UPTACK_SENSOR_INTERNAL_H
#define UPTACK_SENSOR_INTERNAL_H

#include <uptack/sensor.h>

/// What one call of ut_sensors_read reads from.
typedef struct SensorView {
    const utModel* model;
    const utSensorState* state;
    const utStepReport* step; // NULL: none
    utSensors* sensors;       // filled for the step, if there is one
} SensorView;

static inline void ut_sensor_store(utVec3 a, double* x)
{
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

/// The body of an object that has a frame.
int ut_sensor_body(const utModel* model, utObjectKind kind, int index);

/// The frame of such an object, world.
utFrame ut_sensor_frame(const utKinematics* kin, utObjectKind kind, int index);

// Each of these reads one sensor of its kinds. @param x receives its values
void ut_sensor_read_site(const SensorView* view, const utModelSensor* sensor, double* x);
void ut_sensor_read_frame(const SensorView* view, const utModelSensor* sensor, double* x);
void ut_sensor_read_joint(const SensorView* view, const utModelSensor* sensor, double* x);
void ut_sensor_read_actuator(const SensorView* view, const utModelSensor* sensor, double* x);
void ut_sensor_read_tendon(const SensorView* view, const utModelSensor* sensor, double* x);
void ut_sensor_read_subtree(const SensorView* view, const utModelSensor* sensor, double* x);
void ut_sensor_read_distance(const SensorView* view, const utModelSensor* sensor, double* x);
void ut_sensor_read_force(const SensorView* view, const utModelSensor* sensor, double* x);

/// Place the bodies where a step began, and find the accelerations of the step and the wrenches
/// between bodies and their parents.
void ut_sensor_find_step(utSensors* sensors, const utStepReport* step);

#endif
