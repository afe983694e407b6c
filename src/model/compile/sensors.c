// SPDX-License-Identifier: Apache-2.0
// Sensors: checks of what they refer to, and compilation.
#include "model/internal.h"

// ---- what a kind of sensor may refer to ---------------------------------------------------------

// Bit sets of utObjectKind.
enum {
    NONE = 1u << UT_OBJECT_NONE,
    BODY = 1u << UT_OBJECT_BODY | 1u << UT_OBJECT_FRAME,
    GEOM = 1u << UT_OBJECT_GEOM,
    SITE = 1u << UT_OBJECT_SITE,
    JOINT = 1u << UT_OBJECT_JOINT | 1u << UT_OBJECT_EQUALITY,
    ACTUATOR = 1u << UT_OBJECT_ACTUATOR,
    TENDON = 1u << UT_OBJECT_TENDON,
    FRAMES = BODY | GEOM | SITE,
};

typedef struct Attached {
    unsigned object, reference;
} Attached;

static Attached attached(utSensorKind kind)
{
    switch (kind) {
    case UT_SENSOR_TOUCH:
    case UT_SENSOR_ACCELEROMETER:
    case UT_SENSOR_VELOCIMETER:
    case UT_SENSOR_GYRO:
    case UT_SENSOR_FORCE:
    case UT_SENSOR_TORQUE:
    case UT_SENSOR_MAGNETOMETER:
    case UT_SENSOR_RANGEFINDER:
        return (Attached){SITE, NONE};
    case UT_SENSOR_JOINT_POSITION:
    case UT_SENSOR_JOINT_VELOCITY:
    case UT_SENSOR_BALL_QUATERNION:
    case UT_SENSOR_BALL_VELOCITY:
    case UT_SENSOR_JOINT_ACTUATOR_FORCE:
    case UT_SENSOR_JOINT_LIMIT_POSITION:
    case UT_SENSOR_JOINT_LIMIT_VELOCITY:
    case UT_SENSOR_JOINT_LIMIT_FORCE:
        return (Attached){JOINT, NONE};
    case UT_SENSOR_ACTUATOR_POSITION:
    case UT_SENSOR_ACTUATOR_VELOCITY:
    case UT_SENSOR_ACTUATOR_FORCE:
        return (Attached){ACTUATOR, NONE};
    case UT_SENSOR_TENDON_POSITION:
    case UT_SENSOR_TENDON_VELOCITY:
    case UT_SENSOR_TENDON_ACTUATOR_FORCE:
    case UT_SENSOR_TENDON_LIMIT_POSITION:
    case UT_SENSOR_TENDON_LIMIT_VELOCITY:
    case UT_SENSOR_TENDON_LIMIT_FORCE:
        return (Attached){TENDON, NONE};
    case UT_SENSOR_FRAME_POSITION:
    case UT_SENSOR_FRAME_QUATERNION:
    case UT_SENSOR_FRAME_X_AXIS:
    case UT_SENSOR_FRAME_Y_AXIS:
    case UT_SENSOR_FRAME_Z_AXIS:
    case UT_SENSOR_FRAME_LINEAR_VELOCITY:
    case UT_SENSOR_FRAME_ANGULAR_VELOCITY:
        return (Attached){FRAMES, FRAMES | NONE};
    case UT_SENSOR_FRAME_LINEAR_ACCELERATION:
    case UT_SENSOR_FRAME_ANGULAR_ACCELERATION:
        return (Attached){FRAMES, NONE};
    case UT_SENSOR_SUBTREE_COM:
    case UT_SENSOR_SUBTREE_LINEAR_VELOCITY:
    case UT_SENSOR_SUBTREE_ANGULAR_MOMENTUM:
        return (Attached){BODY, NONE};
    case UT_SENSOR_INSIDE_SITE:
        return (Attached){FRAMES, SITE};
    case UT_SENSOR_DISTANCE:
    case UT_SENSOR_NORMAL:
    case UT_SENSOR_FROM_TO:
        return (Attached){BODY | GEOM, BODY | GEOM};
    case UT_SENSOR_POTENTIAL_ENERGY:
    case UT_SENSOR_KINETIC_ENERGY:
    case UT_SENSOR_CLOCK:
    case UT_SENSOR_KIND_COUNT:
        break;
    }
    return (Attached){NONE, NONE};
}

// ---- checks -------------------------------------------------------------------------------------

static int count_of(const utModelDef* def, utObjectKind kind)
{
    const int counts[UT_OBJECT_KIND_COUNT] = {
        [UT_OBJECT_BODY] = def->body.count,         [UT_OBJECT_FRAME] = def->body.count,
        [UT_OBJECT_GEOM] = def->geom.count,         [UT_OBJECT_SITE] = def->site.count,
        [UT_OBJECT_JOINT] = def->joint.count,       [UT_OBJECT_EQUALITY] = def->equality.count,
        [UT_OBJECT_ACTUATOR] = def->actuator.count, [UT_OBJECT_TENDON] = def->tendon.count,
    };
    return counts[kind];
}

// @param allowed bit set of utObjectKind @param role "object" or "reference"
static utStatus check_object(const utModelDef* def, int i, utObjectKind kind, int index,
                             unsigned allowed, const char* role, utError* err)
{
    const utSensorDef* sensor = ut_model_sensor_def(def, i);
    const Label label = ut_model_sensor_label(def, i);
    if ((unsigned)kind >= UT_OBJECT_KIND_COUNT || (allowed >> (unsigned)kind & 1u) == 0) {
        return UT_MODEL_FAIL(err, sensor->origin, "%s (%s) has the wrong kind of %s", label.text,
                             ut_sensor_traits(sensor->kind).name, role);
    }
    if (kind != UT_OBJECT_NONE && (index < 0 || index >= count_of(def, kind))) {
        return UT_MODEL_FAIL(err, sensor->origin,
                             "the %s of %s is number %d, which does not exist; there are %d", role,
                             label.text, index, count_of(def, kind));
    }
    return UT_OK;
}

static bool is_ball_sensor(utSensorKind kind)
{
    return kind == UT_SENSOR_BALL_QUATERNION || kind == UT_SENSOR_BALL_VELOCITY;
}

static bool is_limit_sensor(utSensorKind kind)
{
    return kind == UT_SENSOR_JOINT_LIMIT_POSITION || kind == UT_SENSOR_JOINT_LIMIT_VELOCITY ||
           kind == UT_SENSOR_JOINT_LIMIT_FORCE;
}

// Sensors of joints read one coordinate or a ball's orientation; limits exist for both.
static utStatus check_joint(const utModelDef* def, int i, utError* err)
{
    const utSensorDef* sensor = ut_model_sensor_def(def, i);
    bool scalar, ball;
    if (sensor->object == UT_OBJECT_JOINT) {
        const utJointKind kind = ut_model_joint_def(def, sensor->index)->kind;
        scalar = kind == UT_JOINT_HINGE || kind == UT_JOINT_SLIDE;
        ball = kind == UT_JOINT_BALL;
    } else {
        const utEqualityKind kind = ut_model_equality_def(def, sensor->index)->kind;
        scalar = kind == UT_EQUALITY_HINGE || kind == UT_EQUALITY_SLIDE;
        ball = kind == UT_EQUALITY_BALL;
    }
    const bool fits = is_ball_sensor(sensor->kind)    ? ball
                      : is_limit_sensor(sensor->kind) ? ball || scalar
                                                      : scalar;
    return fits ? UT_OK
                : UT_MODEL_FAIL(err, sensor->origin, "%s (%s) needs a joint of type %s",
                                ut_model_sensor_label(def, i).text,
                                ut_sensor_traits(sensor->kind).name,
                                is_ball_sensor(sensor->kind) ? "ball" : "hinge or slide");
}

// Check the volume of a site that a sensor uses.
static utStatus check_volume(const utModelDef* def, int i, int site, utError* err)
{
    const utShape* shape = &ut_model_site_def(def, site)->shape;
    const utOrigin origin = ut_model_sensor_def(def, i)->origin;
    const Label label = ut_model_site_label(def, site);
    utError why;
    if (ut_shape_check(shape, &why) != UT_OK) {
        return UT_MODEL_FAIL(err, origin, "%s of %s: %s", label.text,
                             ut_model_sensor_label(def, i).text, why.message);
    }
    if (!ut_shape_is_convex(shape->kind) || shape->kind == UT_SHAPE_HULL) {
        return UT_MODEL_FAIL(err, origin,
                             "%s has the shape %s; a sensor's volume is a sphere, capsule, "
                             "ellipsoid, cylinder or box",
                             label.text, ut_shape_kind_name(shape->kind));
    }
    return UT_OK;
}

static utStatus check_sensor(const utModelDef* def, int i, utError* err)
{
    const utSensorDef* sensor = ut_model_sensor_def(def, i);
    const Label label = ut_model_sensor_label(def, i);
    UT_TRY(
        ut_model_check_cookie(sensor->cookie, UT_SENSOR_DEF_COOKIE, label, "ut_sensor_def", err));
    if ((int)sensor->kind < 0 || sensor->kind >= UT_SENSOR_KIND_COUNT) {
        return UT_MODEL_FAIL(err, sensor->origin,
                             "%s is of kind %d, which does not exist; there are 0 to %d",
                             label.text, (int)sensor->kind, UT_SENSOR_KIND_COUNT - 1);
    }
    if (!(sensor->cutoff >= 0.0 && sensor->cutoff < HUGE_VAL)) {
        return UT_MODEL_FAIL(err, sensor->origin,
                             "cutoff of %s is %s; it must be finite and not negative", label.text,
                             ut_model_number(sensor->cutoff).text);
    }
    const bool distance = sensor->kind == UT_SENSOR_NORMAL || sensor->kind == UT_SENSOR_FROM_TO;
    if (sensor->cutoff > 0.0 && !ut_sensor_traits(sensor->kind).cutoff && !distance) {
        return UT_MODEL_FAIL(err, sensor->origin,
                             "%s has a cutoff, which would bend a direction; remove the cutoff",
                             label.text);
    }
    const Attached to = attached(sensor->kind);
    UT_TRY(check_object(def, i, sensor->object, sensor->index, to.object, "object", err));
    UT_TRY(check_object(def, i, sensor->reference, sensor->reference_index, to.reference,
                        "reference", err));
    if (to.object == JOINT) {
        UT_TRY(check_joint(def, i, err));
    }
    if (sensor->kind == UT_SENSOR_TOUCH) {
        UT_TRY(check_volume(def, i, sensor->index, err));
    }
    if (sensor->kind == UT_SENSOR_INSIDE_SITE) {
        UT_TRY(check_volume(def, i, sensor->reference_index, err));
    }
    return UT_OK;
}

utStatus ut_model_check_sensors(const utModelDef* def, utError* err)
{
    for (int i = 0; i < def->sensor.count; i++) {
        UT_TRY(check_sensor(def, i, err));
    }
    return UT_OK;
}

// ---- compilation --------------------------------------------------------------------------------

// The model orders joints and geoms by body; all other elements keep their index.
static int compiled_index(const Work* work, utObjectKind kind, int index)
{
    if (kind == UT_OBJECT_JOINT) {
        return work->scratch.joint_of_described[index];
    }
    if (kind == UT_OBJECT_GEOM) {
        int geom = 0;
        while (work->scratch.described_geom[geom] != index) {
            geom++;
        }
        return geom;
    }
    return kind == UT_OBJECT_NONE ? -1 : index;
}

void ut_model_fill_sensors(Work* work)
{
    int start = 0;
    for (int i = 0; i < work->model->nsensor; i++) {
        const utSensorDef* def = ut_model_sensor_def(work->def, i);
        const int dim = ut_sensor_traits(def->kind).dim;
        work->array.sensor[i] = (utModelSensor){
            .name = ut_model_keep_text(work, def->name),
            .kind = def->kind,
            .object = def->object,
            .reference = def->reference,
            .index = compiled_index(work, def->object, def->index),
            .reference_index = compiled_index(work, def->reference, def->reference_index),
            .cutoff = def->cutoff,
            .start = start,
            .dim = dim,
        };
        start += dim;
    }
    work->model->nsensordata = start;
}
