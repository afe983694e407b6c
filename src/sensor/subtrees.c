// SPDX-License-Identifier: Apache-2.0
// Sensors of a body and everything below it: centre of mass, its velocity, angular momentum. The
// subtree of the world is everything but the world itself, as in MuJoCo.
#include "internal.h"

#include <string.h>

static bool is_below(const utModel* model, int body, int root)
{
    if (body == 0) {
        return false;
    }
    while (body > root) {
        body = model->body[body].parent; // parents have lower indices
    }
    return body == root;
}

// Mass, centre of mass and velocity of the centre.
typedef struct Subtree {
    double mass;
    utVec3 com, velocity;
} Subtree;

static Subtree find_subtree(const utKinematics* kin, int root)
{
    const utModel* model = kin->model;
    Subtree sum = {0};
    for (int b = root; b < model->nbody; b++) {
        const double mass = model->body[b].mass;
        if (mass > 0.0 && is_below(model, b, root)) {
            sum.mass += mass;
            sum.com = ut_vec3_add_scaled(sum.com, mass, kin->com[b]);
            sum.velocity =
                ut_vec3_add_scaled(sum.velocity, mass, ut_point_velocity(kin, b, kin->com[b]));
        }
    }
    if (!(sum.mass > 0.0)) {
        return (Subtree){.com = kin->com[root]};
    }
    sum.com = ut_vec3_scale(sum.com, 1.0 / sum.mass);
    sum.velocity = ut_vec3_scale(sum.velocity, 1.0 / sum.mass);
    return sum;
}

// Sum of I w + m (c - C) x (v - V) over the bodies, about the centre C with the velocity V.
static utVec3 angular_momentum(const utKinematics* kin, int root, const Subtree* whole)
{
    const utModel* model = kin->model;
    utVec3 sum = ut_vec3_zero();
    for (int b = root; b < model->nbody; b++) {
        if (!is_below(model, b, root)) {
            continue;
        }
        const utVec3 v = ut_vec3_sub(ut_point_velocity(kin, b, kin->com[b]), whole->velocity);
        const utVec3 arm = ut_vec3_sub(kin->com[b], whole->com);
        const utVec3 spin = ut_mat3_mul_vec(kin->inertia[b].inertia, kin->velocity[b].angular);
        sum = ut_vec3_add(sum, spin);
        sum = ut_vec3_add_scaled(sum, model->body[b].mass, ut_vec3_cross(arm, v));
    }
    return sum;
}

// A body in maximal coordinates is a root, so that nothing is below it.
void ut_sensor_read_subtree(const SensorView* view, const utModelSensor* s, double* x)
{
    const utKinematics* kin = view->state->kin;
    if (view->model->options.coordinates == UT_COORDINATES_MAXIMAL && s->index > 0) {
        x[0] = x[1] = x[2] = (double)NAN;
        return;
    }
    const Subtree subtree = find_subtree(kin, s->index);
    switch (s->kind) {
    case UT_SENSOR_SUBTREE_COM:
        ut_sensor_store(subtree.com, x);
        break;
    case UT_SENSOR_SUBTREE_LINEAR_VELOCITY:
        ut_sensor_store(subtree.velocity, x);
        break;
    default: // UT_SENSOR_SUBTREE_ANGULAR_MOMENTUM
        ut_sensor_store(angular_momentum(kin, s->index, &subtree), x);
        break;
    }
}
