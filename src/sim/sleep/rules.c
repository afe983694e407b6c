// SPDX-License-Identifier: Apache-2.0
// Trees that never sleep, because a force reaches them that no contact and no joint shows: equalities,
// springs between sites, tendons, actuators other than unlimited ones of hinges and slides, and mocap
// bodies that carry them. Trees with sensors of the last step (forces, accelerations) stay awake, too,
// because the contacts of a sleeping tree are not reported.
#include <string.h>

#include "sim/sleep/sleep.h"

static void keep_awake(const utSim* sim, int body)
{
    const int tree = sim->model->body[body].tree;
    if (tree >= 0) {
        sim->work.sleep.stays_awake[tree] = true;
    }
}

static void keep_dofs_awake(const utSim* sim, int terms, const int* index)
{
    for (int k = 0; k < terms; k++) {
        keep_awake(sim, sim->model->dof_body[index[k]]);
    }
}

static void keep_all_awake(const utSim* sim)
{
    memset(sim->work.sleep.stays_awake, true, (size_t)sim->model->ntree * sizeof(bool));
}

static void keep_coupled(const utSim* sim)
{
    const utModel* model = sim->model;
    for (int i = 0; i < model->nequality; i++) {
        const utModelEquality* equality = &model->equality[i];
        keep_dofs_awake(sim, equality->terms, equality->index);
        if (equality->kind != UT_EQUALITY_JOINT && equality->kind != UT_EQUALITY_TENDON) {
            keep_awake(sim, equality->body1);
            keep_awake(sim, equality->body2);
        }
    }
    for (int i = 0; i < model->nspring; i++) {
        keep_awake(sim, model->site[model->spring[i].site1].body);
        keep_awake(sim, model->site[model->spring[i].site2].body);
    }
    for (int i = 0; i < model->ntendon; i++) {
        keep_dofs_awake(sim, model->tendon[i].terms, model->tendon[i].index);
    }
}

// An actuator with a limited force may be a row, and other transmissions may join trees.
static void keep_driven(const utSim* sim)
{
    const utModel* model = sim->model;
    for (int a = 0; a < model->nactuator; a++) {
        const utModelActuator* actuator = &model->actuator[a];
        if (actuator->dof < 0) {
            keep_all_awake(sim);
        } else if (actuator->force_limited ||
                   model->joint[actuator->joint].actuator_force_limited) {
            keep_awake(sim, model->joint[actuator->joint].body);
        }
    }
}

static int sensed_body(const utModel* model, const utModelSensor* sensor)
{
    switch (sensor->object) {
    case UT_OBJECT_BODY:
    case UT_OBJECT_FRAME:
        return sensor->index;
    case UT_OBJECT_GEOM:
        return model->geom[sensor->index].body;
    case UT_OBJECT_SITE:
        return model->site[sensor->index].body;
    case UT_OBJECT_JOINT:
        return model->joint[sensor->index].body;
    case UT_OBJECT_NONE:
    case UT_OBJECT_EQUALITY: // its trees stay awake anyway, likewise those of tendons
    case UT_OBJECT_ACTUATOR:
    case UT_OBJECT_TENDON:
    case UT_OBJECT_KIND_COUNT:
        break;
    }
    return 0;
}

static void keep_sensed(const utSim* sim)
{
    const utModel* model = sim->model;
    for (int i = 0; i < model->nsensor; i++) {
        if (ut_sensor_traits(model->sensor[i].kind).stage == UT_SENSOR_ACCELERATION) {
            keep_awake(sim, sensed_body(model, &model->sensor[i]));
        }
    }
}

static void keep_carried(const utSim* sim)
{
    const utModel* model = sim->model;
    for (int t = 0; t < model->ntree; t++) {
        const int parent = model->body[model->tree[t].body].parent;
        if (ut_contact_mocap(model, parent) >= 0) {
            sim->work.sleep.stays_awake[t] = true;
        }
    }
}

utStatus ut_sleep_create(utSim* sim)
{
    if (!sim->settings.sleep) {
        return UT_OK;
    }
    const int ntree = sim->model->ntree;
    sim->work.sleep = (SleepWork){.stays_awake = UT_PUSH(&sim->memory, bool, ntree),
                                  .due = UT_PUSH(&sim->memory, bool, ntree),
                                  .root = UT_PUSH(&sim->memory, int, 2 * ntree)};
    if (ut_arena_failed(&sim->memory)) {
        return UT_ERR_CAPACITY;
    }
    memset(sim->work.sleep.stays_awake, 0, (size_t)sim->model->ntree * sizeof(bool));
    keep_coupled(sim);
    keep_driven(sim);
    keep_sensed(sim);
    keep_carried(sim);
    return UT_OK;
}
