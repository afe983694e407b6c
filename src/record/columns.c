// SPDX-License-Identifier: Apache-2.0
// The columns of a table of states, the cells of a body, and labels of their elements.
#include <stdio.h>

#include "internal.h"

// ---- joints that are equalities -----------------------------------------------------------------

int ut_record_equality_positions(utEqualityKind kind)
{
    return kind == UT_EQUALITY_BALL ? 4 : 1;
}

int ut_record_equality_velocities(utEqualityKind kind)
{
    return kind == UT_EQUALITY_BALL ? 3 : 1;
}

// Joints and equalities are both in the order of bodies, so one pass over each is enough.
int ut_record_equality(const utModel* model, int joint, int* next)
{
    while (*next < model->nequality && !model->equality[*next].joint) {
        ++*next;
    }
    const bool found = *next < model->nequality &&
                       model->equality[*next].body2 == model->joint[joint].body &&
                       model->equality[*next].kind >= UT_EQUALITY_BALL;
    return found ? (*next)++ : -1;
}

uint64_t ut_record_extras(const utModel* model)
{
    uint64_t count = (uint64_t)model->nsensordata + (uint64_t)model->na;
    int next = 0;
    for (int j = 0; j < model->njoint; j++) {
        const int e = ut_record_equality(model, j, &next);
        if (e >= 0) {
            const utEqualityKind kind = model->equality[e].kind;
            count += (uint64_t)(ut_record_equality_positions(kind) +
                                ut_record_equality_velocities(kind));
        }
    }
    return count;
}

const char* ut_record_label(const char* name, const char* kind, int index, char buffer[LABEL_SIZE])
{
    if (name != NULL && name[0] != '\0') {
        return name;
    }
    (void)snprintf(buffer, LABEL_SIZE, "%s%d", kind, index);
    return buffer;
}

// ---- columns ------------------------------------------------------------------------------------

static void visit_body(const utModel* model, int body, size_t value, VisitColumn visit,
                       void* context)
{
    static const char* const endings[BODY_CELLS] = {".x",  ".y",  ".z",  ".qw", ".qx", ".qy", ".qz",
                                                    ".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
    char label[LABEL_SIZE];
    const char* name = ut_record_label(model->body[body].name, "body", body, label);
    for (size_t k = 0; k < BODY_CELLS; k++) {
        visit(context, &(Column){name, endings[k], value + k});
    }
}

// Visit the numbers of one element, which follow each other. @param suffix of their names
static void visit_numbers(const char* name, const char* suffix, int count, size_t value,
                          VisitColumn visit, void* context)
{
    char ending[LABEL_SIZE];
    for (int k = 0; k < count; k++) {
        (void)snprintf(ending, sizeof ending, count > 1 ? "%s[%d]" : "%s", suffix, k);
        visit(context, &(Column){name, ending, value + (size_t)k});
    }
}

static void visit_joint(const char* joint_name, int joint, const char* suffix, int count,
                        size_t value, VisitColumn visit, void* context)
{
    char label[LABEL_SIZE];
    visit_numbers(ut_record_label(joint_name, "joint", joint, label), suffix, count, value, visit,
                  context);
}

static void visit_sensors(const utModel* model, size_t values, VisitColumn visit, void* context)
{
    char label[LABEL_SIZE];
    for (int i = 0; i < model->nsensor; i++) {
        const utModelSensor* sensor = &model->sensor[i];
        visit_numbers(ut_record_label(sensor->name, "sensor", i, label), "", sensor->dim,
                      values + (size_t)sensor->start, visit, context);
    }
}

static void visit_activations(const utModel* model, size_t values, VisitColumn visit, void* context)
{
    char label[LABEL_SIZE];
    for (int i = 0; i < model->nactuator; i++) {
        const utModelActuator* actuator = &model->actuator[i];
        if (actuator->act >= 0) {
            visit_numbers(ut_record_label(actuator->name, "actuator", i, label), ".act", 1,
                          values + (size_t)actuator->act, visit, context);
        }
    }
}

void ut_record_columns(const utModel* model, VisitColumn visit, void* context)
{
    const size_t q = 1;
    const size_t v = q + (size_t)model->nq;
    const size_t bodies = v + (size_t)model->nv + (size_t)MOCAP_VALUES * (size_t)model->nmocap;
    visit(context, &(Column){"time", "", 0});
    for (int i = 1; i < model->nbody; i++) {
        visit_body(model, i, bodies + (size_t)BODY_CELLS * (size_t)(i - 1), visit, context);
    }
    size_t coordinates = bodies + (size_t)BODY_CELLS * (size_t)(model->nbody - 1);
    int next = 0;
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const int e = ut_record_equality(model, j, &next);
        if (e >= 0) {
            const utModelEquality* equality = &model->equality[e];
            const int positions = ut_record_equality_positions(equality->kind);
            const int velocities = ut_record_equality_velocities(equality->kind);
            visit_joint(equality->name, j, ".q", positions, coordinates, visit, context);
            coordinates += (size_t)positions;
            visit_joint(equality->name, j, ".qd", velocities, coordinates, visit, context);
            coordinates += (size_t)velocities;
            continue;
        }
        visit_joint(joint->name, j, ".q", ut_joint_positions(joint->kind), q + (size_t)joint->q,
                    visit, context);
        visit_joint(joint->name, j, ".qd", ut_joint_velocities(joint->kind), v + (size_t)joint->v,
                    visit, context);
    }
    visit_sensors(model, coordinates, visit, context);
    visit_activations(model, coordinates + (size_t)model->nsensordata, visit, context);
}

// ---- cells --------------------------------------------------------------------------------------

void ut_record_body(const utKinematics* kin, int body, double cells[BODY_CELLS])
{
    const utVec3 com = kin->com[body];
    const utQuat quat = kin->quat[body];
    const utVec3 velocity = ut_point_velocity(kin, body, com);
    const utVec3 angular = kin->velocity[body].angular;
    const double values[BODY_CELLS] = {com.x,     com.y,     com.z,      quat.w,     quat.x,
                                       quat.y,    quat.z,    velocity.x, velocity.y, velocity.z,
                                       angular.x, angular.y, angular.z};
    for (int k = 0; k < BODY_CELLS; k++) {
        cells[k] = values[k];
    }
}

utRecordedContact ut_record_contact(const utContact* c)
{
    return (utRecordedContact){
        .geom1 = c->geom1,
        .geom2 = c->geom2,
        .feature = c->feature,
        .island = c->island,
        .state = (int32_t)c->state,
        .point = c->point,
        .frame = {c->frame[0], c->frame[1], c->frame[2]},
        .gap = c->gap,
        .mu = c->mu,
        .b = {c->b[0], c->b[1], c->b[2]},
        .r = {c->r[0], c->r[1], c->r[2]},
        .u = {c->u[0], c->u[1], c->u[2]},
        .e = c->e,
    };
}
