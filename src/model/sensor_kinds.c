// SPDX-License-Identifier: Apache-2.0
// Kinds of sensors: names, numbers of values, and when they are evaluated.
#include "internal.h"

#define REAL .cutoff = true
#define FROM_ZERO .cutoff = true, .positive = true
#define UNIT .cutoff = false // a unit vector or quaternion

static const utSensorTraits traits[UT_SENSOR_KIND_COUNT] = {
    [UT_SENSOR_TOUCH] = {"touch", 1, UT_SENSOR_ACCELERATION, FROM_ZERO},
    [UT_SENSOR_ACCELEROMETER] = {"accelerometer", 3, UT_SENSOR_ACCELERATION, REAL},
    [UT_SENSOR_VELOCIMETER] = {"velocimeter", 3, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_GYRO] = {"gyro", 3, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_FORCE] = {"force", 3, UT_SENSOR_ACCELERATION, REAL},
    [UT_SENSOR_TORQUE] = {"torque", 3, UT_SENSOR_ACCELERATION, REAL},
    [UT_SENSOR_MAGNETOMETER] = {"magnetometer", 3, UT_SENSOR_POSITION, REAL},
    [UT_SENSOR_RANGEFINDER] = {"rangefinder", 1, UT_SENSOR_POSITION, REAL},
    [UT_SENSOR_JOINT_POSITION] = {"jointpos", 1, UT_SENSOR_POSITION, REAL},
    [UT_SENSOR_JOINT_VELOCITY] = {"jointvel", 1, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_ACTUATOR_POSITION] = {"actuatorpos", 1, UT_SENSOR_POSITION, REAL},
    [UT_SENSOR_ACTUATOR_VELOCITY] = {"actuatorvel", 1, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_ACTUATOR_FORCE] = {"actuatorfrc", 1, UT_SENSOR_ACCELERATION, REAL},
    [UT_SENSOR_JOINT_ACTUATOR_FORCE] = {"jointactuatorfrc", 1, UT_SENSOR_ACCELERATION, REAL},
    [UT_SENSOR_TENDON_POSITION] = {"tendonpos", 1, UT_SENSOR_POSITION, REAL},
    [UT_SENSOR_TENDON_VELOCITY] = {"tendonvel", 1, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_TENDON_ACTUATOR_FORCE] = {"tendonactuatorfrc", 1, UT_SENSOR_ACCELERATION, REAL},
    [UT_SENSOR_TENDON_LIMIT_POSITION] = {"tendonlimitpos", 1, UT_SENSOR_POSITION, REAL},
    [UT_SENSOR_TENDON_LIMIT_VELOCITY] = {"tendonlimitvel", 1, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_TENDON_LIMIT_FORCE] = {"tendonlimitfrc", 1, UT_SENSOR_ACCELERATION, FROM_ZERO},
    [UT_SENSOR_BALL_QUATERNION] = {"ballquat", 4, UT_SENSOR_POSITION, UNIT},
    [UT_SENSOR_BALL_VELOCITY] = {"ballangvel", 3, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_JOINT_LIMIT_POSITION] = {"jointlimitpos", 1, UT_SENSOR_POSITION, REAL},
    [UT_SENSOR_JOINT_LIMIT_VELOCITY] = {"jointlimitvel", 1, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_JOINT_LIMIT_FORCE] = {"jointlimitfrc", 1, UT_SENSOR_ACCELERATION, FROM_ZERO},
    [UT_SENSOR_FRAME_POSITION] = {"framepos", 3, UT_SENSOR_POSITION, REAL},
    [UT_SENSOR_FRAME_QUATERNION] = {"framequat", 4, UT_SENSOR_POSITION, UNIT},
    [UT_SENSOR_FRAME_X_AXIS] = {"framexaxis", 3, UT_SENSOR_POSITION, UNIT},
    [UT_SENSOR_FRAME_Y_AXIS] = {"frameyaxis", 3, UT_SENSOR_POSITION, UNIT},
    [UT_SENSOR_FRAME_Z_AXIS] = {"framezaxis", 3, UT_SENSOR_POSITION, UNIT},
    [UT_SENSOR_FRAME_LINEAR_VELOCITY] = {"framelinvel", 3, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_FRAME_ANGULAR_VELOCITY] = {"frameangvel", 3, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_FRAME_LINEAR_ACCELERATION] = {"framelinacc", 3, UT_SENSOR_ACCELERATION, REAL},
    [UT_SENSOR_FRAME_ANGULAR_ACCELERATION] = {"frameangacc", 3, UT_SENSOR_ACCELERATION, REAL},
    [UT_SENSOR_SUBTREE_COM] = {"subtreecom", 3, UT_SENSOR_POSITION, REAL},
    [UT_SENSOR_SUBTREE_LINEAR_VELOCITY] = {"subtreelinvel", 3, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_SUBTREE_ANGULAR_MOMENTUM] = {"subtreeangmom", 3, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_INSIDE_SITE] = {"insidesite", 1, UT_SENSOR_POSITION, FROM_ZERO},
    [UT_SENSOR_DISTANCE] = {"distance", 1, UT_SENSOR_POSITION, REAL},
    [UT_SENSOR_NORMAL] = {"normal", 3, UT_SENSOR_POSITION, UNIT},
    [UT_SENSOR_FROM_TO] = {"fromto", 6, UT_SENSOR_POSITION, UNIT},
    [UT_SENSOR_POTENTIAL_ENERGY] = {"e_potential", 1, UT_SENSOR_POSITION, REAL},
    [UT_SENSOR_KINETIC_ENERGY] = {"e_kinetic", 1, UT_SENSOR_VELOCITY, REAL},
    [UT_SENSOR_CLOCK] = {"clock", 1, UT_SENSOR_POSITION, REAL},
};

utSensorTraits ut_sensor_traits(utSensorKind kind)
{
    const utSensorTraits unknown = {.name = "unknown"};
    return (unsigned)kind < UT_SENSOR_KIND_COUNT ? traits[kind] : unknown;
}
