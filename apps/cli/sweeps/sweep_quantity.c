// SPDX-License-Identifier: Apache-2.0
// Quantities of a simulation by the names of columns in tables of states.
#include "model.h"
#include "sweeps/sweep.h"

#include <math.h>
#include <string.h>

static const char* const body_parts[] = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                         "vx", "vy", "vz", "wx", "wy", "wz"};
enum { BODY_PARTS = sizeof body_parts / sizeof *body_parts };

static const struct {
    const char* name;
    SweepQuantityKind kind;
} plain[] = {
    {"time", SWEEP_Q_TIME}, {"energy", SWEEP_Q_ENERGY},           {"contacts", SWEEP_Q_CONTACTS},
    {"E", SWEEP_Q_E},       {"penetration", SWEEP_Q_PENETRATION},
};
enum { PLAIN = sizeof plain / sizeof *plain };

// ---- names --------------------------------------------------------------------------------------

// NAME[INDEX]: cut off the index. @return it, -1 for none, -2 for brackets without a whole number
static int cut_index(char* name)
{
    const size_t size = strlen(name);
    char* open = strrchr(name, '[');
    if (size == 0 || name[size - 1] != ']' || open == NULL) {
        return -1;
    }
    int index;
    name[size - 1] = '\0';
    const bool valid = cli_parse_int(open + 1, 0, 1 << 20, &index);
    *open = '\0';
    return valid ? index : -2;
}

static int positions_of(utJointKind kind)
{
    return kind == UT_JOINT_FREE ? 7 : kind == UT_JOINT_BALL ? 4 : 1;
}

static int velocities_of(utJointKind kind)
{
    return kind == UT_JOINT_FREE ? 6 : kind == UT_JOINT_BALL ? 3 : 1;
}

static int find_body(const utModel* model, const char* name)
{
    for (int b = 1; b < model->nbody; b++) {
        CliName room;
        if (strcmp(cli_name(model->body[b].name, "body", b, &room), name) == 0) {
            return b;
        }
    }
    return -1;
}

static int find_joint(const utModel* model, const char* name)
{
    for (int j = 0; j < model->njoint; j++) {
        CliName room;
        if (strcmp(cli_name(model->joint[j].name, "joint", j, &room), name) == 0) {
            return j;
        }
    }
    return -1;
}

static bool find_sensor(const utModel* model, const char* name, int index, SweepQuantity* q)
{
    for (int s = 0; s < model->nsensor; s++) {
        CliName room;
        const utModelSensor* sensor = &model->sensor[s];
        if (strcmp(cli_name(sensor->name, "sensor", s, &room), name) == 0 &&
            (index < 0 ? sensor->dim == 1 : index < sensor->dim)) {
            *q = (SweepQuantity){SWEEP_Q_SENSOR, sensor->start + (index < 0 ? 0 : index), 0};
            return true;
        }
    }
    return false;
}

// ACTUATOR.ctrl
static bool find_control(const utModel* model, const char* name, SweepQuantity* q)
{
    const size_t size = strlen(name);
    for (int i = 0; i < model->nu && cli_ends_in(name, ".ctrl"); i++) {
        CliName room;
        const char* actuator = cli_name(model->actuator[i].name, "actuator", i, &room);
        if (strlen(actuator) + 5 == size && strncmp(actuator, name, size - 5) == 0) {
            *q = (SweepQuantity){SWEEP_Q_CTRL, i, 0};
            return true;
        }
    }
    return false;
}

static bool find_coordinate(const utModel* model, const char* name, SweepQuantity* q)
{
    char joint[128];
    snprintf(joint, sizeof joint, "%s", name);
    const int index = cut_index(joint);
    char* dot = strrchr(joint, '.');
    if (dot == NULL || index == -2 || (strcmp(dot, ".q") != 0 && strcmp(dot, ".qd") != 0)) {
        return false;
    }
    const bool is_velocity = dot[2] == 'd';
    *dot = '\0';
    const int j = find_joint(model, joint);
    if (j < 0) {
        return false;
    }
    const utModelJoint* found = &model->joint[j];
    const int count = is_velocity ? velocities_of(found->kind) : positions_of(found->kind);
    const int at = is_velocity ? found->v : found->q;
    q->kind = is_velocity ? SWEEP_Q_VELOCITY : SWEEP_Q_POSITION;
    q->index = at + (index < 0 ? 0 : index);
    return at >= 0 && (index < 0 ? count == 1 : index < count);
}

static bool find_body_part(const utModel* model, const char* name, SweepQuantity* q)
{
    char body[128];
    snprintf(body, sizeof body, "%s", name);
    char* dot = strrchr(body, '.');
    if (dot == NULL) {
        return false;
    }
    *dot = '\0';
    q->kind = SWEEP_Q_BODY;
    q->index = find_body(model, body);
    for (int k = 0; k < BODY_PARTS && q->index >= 0; k++) {
        if (strcmp(dot + 1, body_parts[k]) == 0) {
            q->component = k;
            return true;
        }
    }
    return false;
}

utStatus sweep_find_quantity(const utModel* model, const char* name, SweepQuantity* quantity,
                             utError* err)
{
    for (int k = 0; k < PLAIN; k++) {
        if (strcmp(name, plain[k].name) == 0) {
            *quantity = (SweepQuantity){.kind = plain[k].kind};
            return UT_OK;
        }
    }
    char sensor[128];
    snprintf(sensor, sizeof sensor, "%s", name);
    const int index = cut_index(sensor);
    if (find_body_part(model, name, quantity) || find_coordinate(model, name, quantity) ||
        find_control(model, name, quantity) ||
        (index != -2 && find_sensor(model, sensor, index, quantity))) {
        return UT_OK;
    }
    return ut_error_set(
        err, UT_ERR_ARGUMENT,
        "there is no quantity '%.80s'; there are time, energy, contacts, E, "
        "penetration, BODY.x ... BODY.wz, JOINT.q, JOINT.qd, ACTUATOR.ctrl and sensors",
        name);
}

utStatus sweep_find_coordinate(const utModel* model, const char* name, SweepQuantity* quantity,
                               utError* err)
{
    return find_coordinate(model, name, quantity)
               ? UT_OK
               : ut_error_set(err, UT_ERR_ARGUMENT,
                              "there is no coordinate '%.80s'; it is JOINT.q or JOINT.qd, with [i] "
                              "when the joint has several",
                              name);
}

// ---- values -------------------------------------------------------------------------------------

static double part_of_body(const utSim* sim, int body, int k)
{
    const utBodyState s = ut_sim_body(sim, body);
    const double parts[BODY_PARTS] = {
        s.com.x,      s.com.y,      s.com.z,      s.quat.w,    s.quat.x,    s.quat.y,   s.quat.z,
        s.velocity.x, s.velocity.y, s.velocity.z, s.angular.x, s.angular.y, s.angular.z};
    return parts[k];
}

double sweep_quantity(const SweepQuantity* q, const utSim* sim, const utStepResult* step,
                      const double* sensor, const double* ctrl)
{
    switch (q->kind) {
    case SWEEP_Q_TIME:
        return ut_sim_time(sim);
    case SWEEP_Q_ENERGY:
        return ut_sim_energy(sim);
    case SWEEP_Q_CONTACTS:
        return step != NULL ? step->report.contacts : (double)NAN;
    case SWEEP_Q_E:
        return step != NULL ? step->certificate.E : (double)NAN;
    case SWEEP_Q_PENETRATION:
        return step != NULL ? step->max_penetration : (double)NAN;
    case SWEEP_Q_BODY:
        return part_of_body(sim, q->index, q->component);
    case SWEEP_Q_POSITION:
        return ut_sim_q(sim)[q->index];
    case SWEEP_Q_VELOCITY:
        return ut_sim_v(sim)[q->index];
    case SWEEP_Q_SENSOR:
        return sensor[q->index];
    case SWEEP_Q_CTRL:
        return ctrl[q->index];
    }
    return 0.0;
}
