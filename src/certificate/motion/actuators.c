// SPDX-License-Identifier: Apache-2.0
// What actuators of joints do, from the model, the controls and the state alone:
//
//     motor      gear ctrl, held
//     position   g (kp (ctrl - g q) - kv g v), linearized about the step's start: with K = kp g^2
//     and
//                D = kv g^2 a force of g kp ctrl - K q - D v - h K v and h D + h^2 K on the
//                diagonal; as it is where forces are explicit; g kp ctrl, K and D for integrators
//                with stages; a row of its own where its force is limited
//
// The report's `force`, `more`, `stiffness` and `damping` are to be these, and `given` on top.
#include <string.h>

#include "certificate/internal.h"

static const double AGREES = 1e-11; // of the terms that went in: some roundings of them

// What is expected, nv entries each.
typedef struct Expected {
    double* force;
    double* size; // of the terms in force
    double* more;
    double* stiffness;
    double* damping;
} Expected;

static double within(double x, const double range[2])
{
    return x < range[0] ? range[0] : x > range[1] ? range[1] : x;
}

static double entry(const double* x, int i)
{
    return x != NULL ? x[i] : 0.0;
}

static bool agrees(double a, double b, double size)
{
    return fabs(a - b) <= AGREES * size;
}

static bool has_stages(const utStepReport* report)
{
    return report->integrator == UT_INTEGRATOR_RK4 || report->integrator == UT_INTEGRATOR_MIDPOINT;
}

// Is there one row of this actuator?
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

// @return false when it lacks its row
static bool add_position(const Judge* judge, int a, const Expected* x)
{
    const utModelActuator* actuator = &judge->model->actuator[a];
    const utStepReport* report = judge->report;
    const int dof = actuator->dof;
    const double h = report->h, g = actuator->gear, v = report->v[dof];
    const double K = actuator->kp * g * g, D = actuator->kv * g * g;
    const double wanted = g * actuator->kp * entry(report->ctrl, a);
    const double spring = K * judge->q[judge->model->joint[actuator->joint].q];
    const double size = fabs(wanted) + fabs(spring) + fabs(D * v) + fabs(h * K * v);
    const double more = h * D + h * h * K;
    if (judge->formulation.explicit_forces) {
        const double now = wanted - spring - D * v;
        const bool cut = actuator->force_limited;
        add_force(x, dof, cut ? g * within(now / g, actuator->force_range) : now, size);
        return true;
    }
    if (actuator->force_limited && more > 0.0) {
        return has_row(report, a);
    }
    if (has_stages(report)) {
        add_force(x, dof, wanted, size);
        x->stiffness[dof] += K;
        x->damping[dof] += D;
    } else {
        add_force(x, dof, wanted - spring - D * v - h * K * v, size);
        x->more[dof] += more;
    }
    return true;
}

static bool add_actuator(const Judge* judge, int a, const Expected* x)
{
    const utModelActuator* actuator = &judge->model->actuator[a];
    const double ctrl = entry(judge->report->ctrl, a);
    const bool allowed = !actuator->ctrl_limited || within(ctrl, actuator->ctrl_range) == ctrl;
    if (actuator->equality >= 0) {
        return allowed; // judged with its equality
    }
    if (actuator->kind == UT_ACTUATOR_POSITION) {
        return add_position(judge, a, x) && allowed;
    }
    const double force =
        actuator->gear * (actuator->force_limited ? within(ctrl, actuator->force_range) : ctrl);
    add_force(x, actuator->dof, force, fabs(force));
    return allowed;
}

bool ut_certify_actuators(Judge* judge)
{
    const utStepReport* report = judge->report;
    const int nv = judge->model->nv;
    const Expected x = {judge->work, judge->more_work, judge->stage, judge->off, judge->residual};
    double* const all[] = {x.force, x.size, x.more, x.stiffness, x.damping};
    bool good = true;
    if (report->instant) {
        return true; // forces do nothing in no time
    }
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        memset(all[k], 0, (size_t)nv * sizeof *all[k]);
    }
    for (int a = 0; a < judge->model->nactuator; a++) {
        good = add_actuator(judge, a, &x) && good;
    }
    for (int i = 0; i < nv; i++) {
        const double given = entry(report->caller_force, i);
        const double size = x.size[i] + fabs(given);
        good = good && agrees(entry(report->force, i), given + x.force[i], size) &&
               agrees(entry(report->actuator_diagonal, i), x.more[i], x.more[i]) &&
               agrees(entry(report->stiffness, i), x.stiffness[i], x.stiffness[i]) &&
               agrees(entry(report->damping, i), x.damping[i], x.damping[i]);
    }
    return good;
}
