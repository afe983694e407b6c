// SPDX-License-Identifier: Apache-2.0
// Rows of actuators. Along its coordinate x an actuator has the impulse r = h F(x + h x'+, x'+) within
// its bounds. With F = F0 - K (h x'+) - D x'+ and S = h D + h^2 K:
//
//     x'+ + r / S = h F0 / S
//
// where F0 holds c - K x, and the explicit part of negative K and D.
#include "certificate/internal.h"

static double positive(double x)
{
    return x > 0.0 ? x : 0.0;
}

// Of one actuator along its length l.
static ActuatorRowLaw law_of_length(const Judge* judge, int i)
{
    const utModelActuator* a = &judge->model->actuator[i];
    const ActuatorCheck* x = &judge->actuator[i];
    const double h = judge->report->h;
    const double K = positive(x->K), D = positive(x->D);
    const double S = h * D + h * h * K;
    // at v+ = 0 of the joints that the row moves, with the velocities of saturated ones before the step
    const double force =
        x->c - x->K * x->length - (x->D - D) * x->rate - (h * K + D) * x->rate_saturated;
    return (ActuatorRowLaw){
        .compliance = 1.0 / S,
        .b = -h * force / S,
        .low = a->force_limited ? h * a->force_range[0] : -HUGE_VAL,
        .high = a->force_limited ? h * a->force_range[1] : HUGE_VAL,
    };
}

bool ut_certify_actuator_law(const Judge* judge, const utRow* row, ActuatorRowLaw* law)
{
    const utModelActuator* a = &judge->model->actuator[row->actuator];
    const double h = judge->report->h;
    if (!(h > 0.0) || a->equality >= 0 || a->dof != row->dof || row->joint != a->joint ||
        !ut_certify_is_implicit(judge, row->actuator)) {
        return false;
    }
    if (ut_certify_has_joint_range(judge, row->actuator)) {
        const JointSum sum = ut_certify_joint_sum(judge, a->joint);
        *law = (ActuatorRowLaw){1.0 / sum.S, -h * sum.force / sum.S, h * sum.low, h * sum.high};
        return row->actuator == sum.first;
    }
    *law = law_of_length(judge, row->actuator);
    if (a->dof < 0) {
        return true;
    }
    // along the joint's coordinate q, with l = g q
    const double g = a->gear[0];
    const double low = law->low, high = law->high;
    law->compliance /= g * g;
    law->b /= g;
    law->low = g > 0.0 ? g * low : g * high;
    law->high = g > 0.0 ? g * high : g * low;
    return a->force_limited;
}

static bool has_moment(const Judge* judge, const utRow* row)
{
    const double* moment = judge->actuator[row->actuator].moment;
    const double size = judge->actuator[row->actuator].moment_size;
    bool good = true;
    for (int k = 0, t = 0; k < judge->model->nv; k++) {
        const bool listed = t < row->terms && row->index[t] == k;
        good = good && fabs((listed ? row->coefficient[t] : 0.0) - moment[k]) <= SAME_TERMS * size;
        t += listed;
    }
    return good;
}

bool ut_certify_actuator_terms(const Judge* judge, const utRow* row)
{
    ActuatorRowLaw law;
    const double unit = ut_terms_length(judge->model, row->terms, row->index, row->coefficient);
    return ut_certify_actuator_law(judge, row, &law) && has_moment(judge, row) &&
           same_value(row->length, unit) && row->gap == 0.0 &&
           same_value(row->low * row->length, law.low) &&
           same_value(row->high * row->length, law.high) &&
           same_value(row->compliance, law.compliance * row->length * row->length);
}

double ut_certify_actuator_b(const Judge* judge, const utRow* row)
{
    ActuatorRowLaw law;
    return ut_certify_actuator_law(judge, row, &law) ? row->length * law.b : (double)NAN;
}
