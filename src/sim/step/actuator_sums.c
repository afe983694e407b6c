// SPDX-License-Identifier: Apache-2.0
// Joints with a range for the sum of their actuators.
#include "la/scalar.h"
#include "sim/step/actuators.h"

// Forces of the actuators of a joint, added up. A limited actuator that is the only implicit one
// bounds the implicit part, because clamps of a monotonic force can be exchanged with the sum; else
// limited actuators are explicit.
typedef struct JointSum {
    int first;        // implicit actuator
    int implicit;     // number of implicit actuators
    int limited;      // of these with a force range of their own
    double constant;  // explicit forces
    double force;     // implicit forces at (q + h v, v)
    double stiffness; // h D + h^2 K
    double low, high; // bounds of the implicit forces
} JointSum;

static void add_to_sum(const Step* step, int i, bool all_implicit, JointSum* sum)
{
    const utModelActuator* a = &step->sim->model->actuator[i];
    const Linearized x = ut_step_linearize_joint(step, i);
    step->input.actuation[i].held = a->force_limited && !all_implicit;
    if (!(x.implicit > 0.0) || (a->force_limited && !all_implicit)) {
        sum->constant += a->gear[0] * ut_step_explicit_force(step, i);
        return;
    }
    ActuatorRow bounds = {0};
    ut_step_bound_actuator(a, a->gear[0], &bounds);
    sum->first = sum->implicit++ == 0 ? i : sum->first;
    sum->limited += a->force_limited;
    sum->force += x.force;
    sum->stiffness += x.implicit;
    sum->low = bounds.low;
    sum->high = bounds.high;
}

static JointSum sum_of_joint(const Step* step, int j, bool all_implicit)
{
    JointSum sum = {.low = -HUGE_VAL, .high = HUGE_VAL};
    for (int i = 0; i < step->sim->model->nu; i++) {
        if (step->sim->model->actuator[i].joint == j) {
            add_to_sum(step, i, all_implicit, &sum);
        }
    }
    return sum;
}

void ut_step_drive_limited_joint(Step* step, int j)
{
    const utModelJoint* joint = &step->sim->model->joint[j];
    const double* range = joint->actuator_force_range;
    const bool explicit_forces = step->sim->settings.traits->explicit_forces;
    JointSum sum = sum_of_joint(step, j, true);
    if (sum.limited > 0 && sum.implicit > 1) {
        sum = sum_of_joint(step, j, false);
    }
    if (explicit_forces || sum.implicit == 0) {
        double force = 0.0;
        for (int i = 0; i < step->sim->model->nu; i++) {
            const utModelActuator* a = &step->sim->model->actuator[i];
            force += a->joint == j ? a->gear[0] * ut_step_explicit_force(step, i) : 0.0;
            step->input.actuation[i].held = step->input.actuation[i].held || a->joint == j;
        }
        step->input.force[joint->v] += ut_clamp(force, range[0], range[1]);
        return;
    }
    ut_step_add_actuator_row(step,
                             (ActuatorRow){
                                 .actuator = sum.first,
                                 .force = sum.force + sum.constant,
                                 .compliance = 1.0 / sum.stiffness,
                                 .low = ut_clamp(sum.low + sum.constant, range[0], range[1]),
                                 .high = ut_clamp(sum.high + sum.constant, range[0], range[1]),
                             });
}
