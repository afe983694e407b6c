// SPDX-License-Identifier: Apache-2.0
// Forces of actuators from the model, the input and the state. For its input an actuator pulls with
// p = c - K l - D l' within its range. With the moment m of its transmission it acts on the
// velocities with m p:
//
//     K <= 0, D <= 0, or explicit forces    p at the start, a constant force
//     hinge or slide                        force m (p - h K l'), diagonal m^2 (h D + h^2 K), where
//                                           only positive K and D count, p being at the start
//     hinge or slide, RK4 and MIDPOINT      force m c, stiffness m^2 K, damping m^2 D
//     limited force, other transmissions    a row (contacts/actuator_rows.c)
//
// Actuators of a joint with a range for their sum are one row, or one constant force. A saturated joint,
// which other transmissions drive, too, has a constant force (motion/saturation.c).
//
// The report's force is the sum of these and caller_force; actuator_diagonal, stiffness and damping
// must equal these. actuator_force holds each p.
#include <string.h>

#include "certificate/internal.h"

// Expected values, nv entries each.
typedef struct Expected {
    double* force;
    double* size; // sum of the absolute terms of force
    double* diagonal;
    double* stiffness;
    double* damping;
} Expected;

static double clamp_to(double x, const double range[2])
{
    return x < range[0] ? range[0] : x > range[1] ? range[1] : x;
}

static bool same_terms(double a, double b, double size)
{
    return fabs(a - b) <= SAME_TERMS * size;
}

static double positive(double x)
{
    return x > 0.0 ? x : 0.0;
}

// ---- one actuator -------------------------------------------------------------------------------

// p at the start of the step, before all ranges.
static double own_force(const Judge* judge, int i)
{
    const ActuatorCheck* x = &judge->actuator[i];
    return x->c - x->K * x->length - x->D * x->rate;
}

// p at the start of the step. Actuators that share a tendon are scaled together, then each is clamped.
double ut_certify_force_at_start(const Judge* judge, int i)
{
    const utModelActuator* a = &judge->model->actuator[i];
    double p = own_force(judge, i), sum = 0.0;
    for (int k = 0; a->shares_tendon && k < judge->model->nactuator; k++) {
        sum += judge->model->actuator[k].tendon == a->tendon ? own_force(judge, k) : 0.0;
    }
    if (a->shares_tendon) {
        const double allowed = clamp_to(sum, judge->model->tendon[a->tendon].actuator_force_range);
        p *= allowed == sum ? 1.0 : allowed / sum;
    }
    return a->force_limited ? clamp_to(p, a->force_range) : p;
}

static double size_of(const Judge* judge, int i)
{
    const ActuatorCheck* x = &judge->actuator[i];
    const double h = judge->report->h;
    return fabs(x->c) + fabs(x->K * x->length) + (fabs(x->D) + h * fabs(x->K)) * x->rate_size;
}

bool ut_certify_is_implicit(const Judge* judge, int i)
{
    const ActuatorCheck* x = &judge->actuator[i];
    return !judge->traits.explicit_forces && !judge->model->actuator[i].shares_tendon &&
           (x->K > 0.0 || x->D > 0.0);
}

// Is it an actuator of a hinge or slide that is saturated?
static bool is_saturated(const Judge* judge, int i)
{
    const utModelActuator* a = &judge->model->actuator[i];
    return a->dof >= 0 && judge->saturated[a->dof] != 0;
}

// Is there exactly one row of this actuator? A transmission that no velocity moves needs none.
static bool has_row(const Judge* judge, int i)
{
    const utModelActuator* a = &judge->model->actuator[i];
    const double* moment = judge->actuator[i].moment;
    double moved = moment == NULL ? 1.0 : 0.0, gear = 0.0;
    const int count = judge->actuator[i].rows;
    for (int k = 0; moment != NULL && k < judge->model->nv; k++) {
        moved += fabs(moment[k]);
    }
    for (int k = 0; k < 6; k++) {
        gear += fabs(a->gear[k]);
    }
    const double size = SAME_VALUE * fmax(gear, judge->actuator[i].moment_size);
    return count == 1 || (count == 0 && moved <= size);
}

// Count the rows of each actuator.
static void count_rows(Judge* judge)
{
    for (int i = 0; i < judge->model->nactuator; i++) {
        judge->actuator[i].rows = 0;
    }
    for (int j = 0; j < judge->report->rows; j++) {
        const utRow* row = &judge->report->row[j];
        if (row->kind == UT_ROW_ACTUATOR && !ut_row_has_bodies(row) && row->actuator >= 0 &&
            row->actuator < judge->model->nactuator) {
            judge->actuator[row->actuator].rows++;
        }
    }
}

static void add_force(const Expected* x, int dof, double force, double size)
{
    x->force[dof] += force;
    x->size[dof] += fabs(size);
}

static void add_constant(const Judge* judge, int i, const Expected* x)
{
    const utModelActuator* a = &judge->model->actuator[i];
    const double* moment = judge->actuator[i].moment;
    const double p = ut_certify_force_at_start(judge, i), size = size_of(judge, i);
    if (a->dof >= 0) {
        add_force(x, a->dof, a->gear[0] * p, a->gear[0] * size);
        return;
    }
    for (int k = 0; k < judge->model->nv; k++) {
        add_force(x, k, moment[k] * p, judge->actuator[i].moment_size * size);
    }
}

// An actuator of a hinge or slide whose force is implicit and not limited.
static void add_implicit(const Judge* judge, int i, const Expected* x)
{
    const utModelActuator* a = &judge->model->actuator[i];
    const ActuatorCheck* check = &judge->actuator[i];
    const double h = judge->report->h, g = a->gear[0];
    const double size = fabs(g) * size_of(judge, i);
    if (has_stages(judge->report)) {
        add_force(x, a->dof, g * check->c, size);
        x->stiffness[a->dof] += g * g * check->K;
        x->damping[a->dof] += g * g * check->D;
        return;
    }
    const double K = positive(check->K), D = positive(check->D);
    add_force(x, a->dof, g * (ut_certify_force_at_start(judge, i) - h * K * check->rate), size);
    x->diagonal[a->dof] += g * g * (h * D + h * h * K);
}

// @return false when an actuator lacks its row
static bool add_actuator(const Judge* judge, int i, const Expected* x)
{
    const utModel* model = judge->model;
    const utModelActuator* a = &model->actuator[i];
    const double ctrl = entry_or_zero(judge->report->ctrl, i);
    const bool allowed = !a->ctrl_limited || clamp_to(ctrl, a->ctrl_range) == ctrl;
    const bool stages = has_stages(judge->report) && a->dof >= 0 && !a->force_limited &&
                        !judge->traits.explicit_forces;
    if (a->equality >= 0 || ut_certify_has_joint_range(judge, i) || is_saturated(judge, i)) {
        return allowed; // contacts/equality.c checks it, or add_joint
    }
    if (stages || (ut_certify_is_implicit(judge, i) && a->dof >= 0 && !a->force_limited)) {
        add_implicit(judge, i, x);
    } else if (!ut_certify_is_implicit(judge, i)) {
        add_constant(judge, i, x);
    } else {
        return allowed && has_row(judge, i);
    }
    return allowed;
}

// ---- joints with a range for the sum of their actuators -----------------------------------------

bool ut_certify_has_joint_range(const Judge* judge, int i)
{
    const utModelActuator* a = &judge->model->actuator[i];
    return a->dof >= 0 && judge->model->joint[a->joint].actuator_force_limited &&
           !judge->model->joint[a->joint].driven_by_others;
}

JointSum ut_certify_joint_sum(const Judge* judge, int joint)
{
    const utModel* model = judge->model;
    const double h = judge->report->h;
    int implicit = 0, limited = 0;
    for (int i = 0; i < model->nactuator; i++) {
        const bool counts = model->actuator[i].joint == joint && ut_certify_is_implicit(judge, i);
        implicit += counts;
        limited += counts && model->actuator[i].force_limited;
    }
    // a limited actuator is implicit only if it is the only implicit one
    const bool alone = implicit == 1 || limited == 0;
    JointSum sum = {.first = -1, .low = -HUGE_VAL, .high = HUGE_VAL};
    for (int i = 0; i < model->nactuator; i++) {
        const utModelActuator* a = &model->actuator[i];
        const ActuatorCheck* x = &judge->actuator[i];
        const double g = a->gear[0];
        if (a->joint != joint) {
            continue;
        }
        sum.size += fabs(g) * size_of(judge, i);
        if (!ut_certify_is_implicit(judge, i) || (a->force_limited && !alone)) {
            sum.constant += g * ut_certify_force_at_start(judge, i);
            continue;
        }
        sum.first = sum.first < 0 ? i : sum.first;
        sum.S += g * g * (h * positive(x->D) + h * h * positive(x->K));
        // at v+ = 0, with negative K and D at the start
        sum.force += g * (x->c - x->K * x->length - (x->D - positive(x->D)) * x->rate);
        if (a->force_limited) {
            sum.low = g > 0.0 ? g * a->force_range[0] : g * a->force_range[1];
            sum.high = g > 0.0 ? g * a->force_range[1] : g * a->force_range[0];
        }
    }
    // gravity compensation counts, but is part of the dynamics already
    const double already = judge->compensation[model->joint[joint].v];
    const double* range = model->joint[joint].actuator_force_range;
    sum.low = clamp_to(sum.low + sum.constant + already, range) - already;
    sum.high = clamp_to(sum.high + sum.constant + already, range) - already;
    sum.size += fabs(already);
    sum.force += sum.constant;
    return sum;
}

// @return false when the joint lacks its row
static bool add_joint(const Judge* judge, int j, const Expected* x)
{
    const utModelJoint* joint = &judge->model->joint[j];
    const double* range = joint->actuator_force_range;
    const double already = judge->compensation[joint->v];
    const int side = judge->saturated[joint->v];
    if (joint->driven_by_others) {
        const double force = side == 0 ? 0.0 : range[side > 0] - already;
        add_force(x, joint->v, force, fabs(force) + fabs(already));
        return true;
    }
    const JointSum sum = ut_certify_joint_sum(judge, j);
    if (sum.first >= 0) {
        return has_row(judge, sum.first);
    }
    add_force(x, joint->v, clamp_to(sum.force + already, range) - already, sum.size);
    return true;
}

// ---- reported forces ----------------------------------------------------------------------------

// Is p constant during the step, although its actuator has stiffness or damping?
static bool is_held(const Judge* judge, int i)
{
    const utModelActuator* a = &judge->model->actuator[i];
    if (judge->traits.explicit_forces || a->shares_tendon || is_saturated(judge, i)) {
        return true;
    }
    if (!ut_certify_has_joint_range(judge, i)) {
        return false;
    }
    int implicit = 0;
    for (int k = 0; k < judge->model->nactuator; k++) {
        implicit += judge->model->actuator[k].joint == a->joint && ut_certify_is_implicit(judge, k);
    }
    return a->force_limited && implicit > 1;
}

// p over the step, from the velocities after it.
static double expected_force(const Judge* judge, int i)
{
    const utModelActuator* a = &judge->model->actuator[i];
    const ActuatorCheck* x = &judge->actuator[i];
    const double h = judge->report->h;
    if (judge->report->instant || is_held(judge, i)) {
        return judge->report->instant ? 0.0 : ut_certify_force_at_start(judge, i);
    }
    const double start = x->c - x->K * x->length - x->D * x->rate;
    const double change = x->rate_next - x->rate;
    double p = start - h * positive(x->K) * x->rate_next - positive(x->D) * change;
    if (has_stages(judge->report) && a->dof >= 0 && !a->force_limited &&
        !ut_certify_has_joint_range(judge, i)) {
        p = start - 0.5 * (h * x->K * 0.5 * (x->rate + x->rate_next) + x->D * change);
    }
    return a->force_limited ? clamp_to(p, a->force_range) : p;
}

static bool forces_reported(const Judge* judge)
{
    const double* reported = judge->report->actuator_force;
    bool good = true;
    for (int i = 0; reported != NULL && i < judge->model->nactuator; i++) {
        good = good && same_terms(reported[i], expected_force(judge, i), size_of(judge, i));
    }
    return good;
}

// ---- all ----------------------------------------------------------------------------------------

utStatus ut_certify_actuators(Judge* judge, utArena scratch, bool* agree)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    const int nv = model->nv;
    const Expected x = {judge->temp, judge->temp2, judge->motion.stage_residual,
                        judge->motion.v_error, judge->motion.residual};
    double* const all[] = {x.force, x.size, x.diagonal, x.stiffness, x.damping};
    UT_TRY(ut_certify_transmissions(judge, scratch));
    UT_TRY(ut_certify_saturation(judge, scratch));
    count_rows(judge);
    bool good = ut_certify_activations(judge) && forces_reported(judge);
    if (report->instant) {
        *agree = good; // an instant has no forces
        return UT_OK;
    }
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        memset(all[k], 0, (size_t)nv * sizeof *all[k]);
    }
    for (int i = 0; i < model->nactuator; i++) {
        good = add_actuator(judge, i, &x) && good;
    }
    for (int j = 0; model->nactuator > 0 && j < model->njoint; j++) {
        good = (!model->joint[j].actuator_force_limited || add_joint(judge, j, &x)) && good;
    }
    for (int i = 0; i < nv; i++) {
        const double caller_force = entry_or_zero(report->caller_force, i);
        const double size = x.size[i] + fabs(caller_force);
        const double diagonal = x.diagonal[i], K = x.stiffness[i], D = x.damping[i];
        good = good &&
               same_terms(entry_or_zero(report->force, i), caller_force + x.force[i], size) &&
               same_terms(entry_or_zero(report->actuator_diagonal, i), diagonal, diagonal) &&
               same_terms(entry_or_zero(report->stiffness, i), K, fabs(K)) &&
               same_terms(entry_or_zero(report->damping, i), D, fabs(D));
    }
    *agree = good;
    return UT_OK;
}
