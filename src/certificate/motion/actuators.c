// SPDX-License-Identifier: Apache-2.0
// Forces of joint actuators from the model, the controls and the state. With the gear g, K = kp g^2
// and D = kv g^2:
//
//     motor                        g ctrl, constant during the step
//     position                     force g kp ctrl - K q - D v - h K v, diagonal h D + h^2 K: the
//                                  force g (kp (ctrl - g q) - kv g v) linearised about the start
//     position, explicit forces    g kp ctrl - K q - D v
//     position, RK4 and MIDPOINT   force g kp ctrl, stiffness K, damping D
//     position, limited force      a row
//
// The report's force is the sum of these and caller_force; actuator_diagonal, stiffness and damping
// must equal these.
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

// Is there exactly one row of this actuator?
static bool has_row(const utStepReport* report, int a)
{
    int count = 0;
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        count += row->kind == UT_ROW_ACTUATOR && row->dof >= 0 && row->actuator == a;
    }
    return count == 1;
}

static void add_force(const Expected* x, int dof, double force, double size)
{
    x->force[dof] += force;
    x->size[dof] += size;
}

// @return false when a limited actuator lacks its row
static bool add_position(const Judge* judge, int a, const Expected* x)
{
    const utModelActuator* actuator = &judge->model->actuator[a];
    const utStepReport* report = judge->report;
    const int dof = actuator->dof;
    const double h = report->h, g = actuator->gear, v = report->v[dof];
    const double K = actuator->kp * g * g, D = actuator->kv * g * g;
    const double wanted = g * actuator->kp * entry_or_zero(report->ctrl, a);
    const double spring = K * judge->q[judge->model->joint[actuator->joint].q];
    const double size = fabs(wanted) + fabs(spring) + fabs(D * v) + fabs(h * K * v);
    const double diagonal = h * D + h * h * K;
    if (judge->traits.explicit_forces) {
        const double force = wanted - spring - D * v;
        const bool limited = actuator->force_limited;
        add_force(x, dof, limited ? g * clamp_to(force / g, actuator->force_range) : force, size);
        return true;
    }
    if (actuator->force_limited && diagonal > 0.0) {
        return has_row(report, a);
    }
    if (has_stages(report)) {
        add_force(x, dof, wanted, size);
        x->stiffness[dof] += K;
        x->damping[dof] += D;
    } else {
        add_force(x, dof, wanted - spring - D * v - h * K * v, size);
        x->diagonal[dof] += diagonal;
    }
    return true;
}

static bool add_actuator(const Judge* judge, int a, const Expected* x)
{
    const utModelActuator* actuator = &judge->model->actuator[a];
    const double ctrl = entry_or_zero(judge->report->ctrl, a);
    const bool allowed = !actuator->ctrl_limited || clamp_to(ctrl, actuator->ctrl_range) == ctrl;
    if (actuator->equality >= 0) {
        return allowed; // contacts/equality.c checks it
    }
    if (actuator->kind == UT_ACTUATOR_POSITION) {
        return add_position(judge, a, x) && allowed;
    }
    const double force =
        actuator->gear * (actuator->force_limited ? clamp_to(ctrl, actuator->force_range) : ctrl);
    add_force(x, actuator->dof, force, fabs(force));
    return allowed;
}

bool ut_certify_actuators(Judge* judge)
{
    const utStepReport* report = judge->report;
    const int nv = judge->model->nv;
    const Expected x = {judge->temp, judge->temp2, judge->motion.stage_residual,
                        judge->motion.v_error, judge->motion.residual};
    double* const all[] = {x.force, x.size, x.diagonal, x.stiffness, x.damping};
    bool good = true;
    if (report->instant) {
        return true; // an instant has no forces
    }
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        memset(all[k], 0, (size_t)nv * sizeof *all[k]);
    }
    for (int a = 0; a < judge->model->nactuator; a++) {
        good = add_actuator(judge, a, &x) && good;
    }
    for (int i = 0; i < nv; i++) {
        const double caller_force = entry_or_zero(report->caller_force, i);
        const double size = x.size[i] + fabs(caller_force);
        good =
            good && same_terms(entry_or_zero(report->force, i), caller_force + x.force[i], size) &&
            same_terms(entry_or_zero(report->actuator_diagonal, i), x.diagonal[i], x.diagonal[i]) &&
            same_terms(entry_or_zero(report->stiffness, i), x.stiffness[i], x.stiffness[i]) &&
            same_terms(entry_or_zero(report->damping, i), x.damping[i], x.damping[i]);
    }
    return good;
}
