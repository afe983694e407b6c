// SPDX-License-Identifier: Apache-2.0
// Joints with a range for the sum of their actuators.
//
// If only the joint's own actuators drive it, the range bounds their row. Actuators of tendons and sites
// drive several joints, whose ranges cannot all be bounds of one row. So the range of a joint that they
// drive, too, applies to the sum at the start of the step: a saturated joint gets a constant force, and
// the actuators act on the other joints as if they did not move this one.
//
// Gravity compensation is part of the dynamics already. Where it counts as a force of the actuators, the
// range is less by it.
#include <string.h>

#include "la/scalar.h"
#include "sim/step/actuators.h"

#define LEAST_MOMENT 1e-13 // of a joint, over the largest moment of its actuator

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
        sum->constant += a->gear[0] * step->input.actuation[i].start;
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

// The range of the forces that actuators add to gravity compensation.
static void range_of(const Step* step, const utModelJoint* joint, double range[2])
{
    const double compensation = step->input.compensation[joint->v];
    range[0] = joint->actuator_force_range[0] - compensation;
    range[1] = joint->actuator_force_range[1] - compensation;
}

// Forces of all actuators on a velocity at the start of the step.
static double sum_of_velocity(const Step* step, int v)
{
    double sum = 0.0;
    for (int i = 0; i < step->sim->model->nu; i++) {
        const Actuation* x = &step->input.actuation[i];
        for (int k = 0; k < x->terms; k++) {
            sum += x->index[k] == v ? x->coefficient[k] * x->start : 0.0;
        }
    }
    return sum;
}

// ---- joints that others drive, too --------------------------------------------------------------

// -1 below the range of the joint, 1 above it, 0 within.
static int side_of_range(const Step* step, const utModelJoint* joint)
{
    double range[2];
    range_of(step, joint, range);
    const double slack = UT_SATURATION_SLACK * (range[1] - range[0]);
    const double sum = sum_of_velocity(step, joint->v);
    return sum < range[0] - slack ? -1 : sum > range[1] + slack ? 1 : 0;
}

// Terms that are rounding errors must not remain alone, because the row would be scaled by them.
static utStatus drop_saturated(Step* step, Actuation* x)
{
    int* index = UT_PUSH(&step->arena, int, x->terms);
    double* coefficient = UT_PUSH(&step->arena, double, x->terms);
    double largest = 0.0;
    int kept = 0;
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    for (int k = 0; k < x->terms; k++) {
        largest = fmax(largest, fabs(x->coefficient[k]));
    }
    x->rate_of_terms = 0.0;
    for (int k = 0; k < x->terms; k++) {
        const bool counts = fabs(x->coefficient[k]) > LEAST_MOMENT * largest;
        if (counts && step->input.saturated[x->index[k]] == 0) {
            index[kept] = x->index[k];
            coefficient[kept] = x->coefficient[k];
            x->rate_of_terms += coefficient[kept] * step->v[index[kept]];
            kept++;
        }
    }
    x->terms = kept;
    x->index = index;
    x->coefficient = coefficient;
    return UT_OK;
}

utStatus ut_step_find_saturated(Step* step)
{
    StepInput* in = &step->input;
    const utModel* model = step->sim->model;
    bool any = false;
    ut_actuator_compensation(&step->sim->work.kin, in->compensation);
    memset(in->saturated, 0, (size_t)model->nv * sizeof *in->saturated);
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        if (joint->driven_by_others) {
            in->saturated[joint->v] = side_of_range(step, joint);
            any = any || in->saturated[joint->v] != 0;
        }
    }
    for (int i = 0; any && i < model->nu; i++) {
        if (model->actuator[i].dof < 0) {
            UT_TRY(drop_saturated(step, &in->actuation[i]));
        }
    }
    return UT_OK;
}

bool ut_step_limits_sum(const Step* step, const utModelJoint* joint)
{
    return joint->driven_by_others ? step->input.saturated[joint->v] != 0
                                   : joint->actuator_force_limited;
}

// ---- drive --------------------------------------------------------------------------------------

// A joint with explicit forces, or a saturated one.
static void drive_constant(Step* step, int j, const double range[2])
{
    const utModelJoint* joint = &step->sim->model->joint[j];
    const int side = step->input.saturated[joint->v];
    const double sum = side == 0 ? sum_of_velocity(step, joint->v) : range[side > 0];
    for (int i = 0; i < step->sim->model->nu; i++) {
        Actuation* x = &step->input.actuation[i];
        x->held = x->held || step->sim->model->actuator[i].joint == j;
    }
    step->input.force[joint->v] += ut_clamp(sum, range[0], range[1]);
}

void ut_step_drive_limited_joint(Step* step, int j)
{
    const utModelJoint* joint = &step->sim->model->joint[j];
    double range[2];
    range_of(step, joint, range);
    JointSum sum = sum_of_joint(step, j, true);
    if (sum.limited > 0 && sum.implicit > 1) {
        sum = sum_of_joint(step, j, false);
    }
    if (step->sim->settings.traits->explicit_forces || sum.implicit == 0 ||
        joint->driven_by_others) {
        drive_constant(step, j, range);
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
