// SPDX-License-Identifier: Apache-2.0
// Equalities between joints or tendons: y - p(x) with y and x counted from the modelled pose.
#include "internal.h"

// p(x) and its derivative.
static double polynomial(const double p[5], double x, double* derivative)
{
    double value = p[4];
    *derivative = 0.0;
    for (int k = 3; k >= 0; k--) {
        *derivative = *derivative * x + value;
        value = value * x + p[k];
    }
    return value;
}

// The coordinate of one of the two elements, from the modelled pose.
static double coordinate(const utKinematics* kin, const double* q, utEqualityKind kind, int element)
{
    const utModel* model = kin->model;
    if (element < 0) {
        return 0.0;
    }
    if (kind == UT_EQUALITY_TENDON) {
        return ut_tendon_length(kin, q, element, NULL, NULL, NULL) - model->tendon[element].length0;
    }
    const int at = model->joint[element].q;
    return q[at] - model->q0[at];
}

// Add `factor` times the derivatives of an element's coordinate.
static void add_derivatives(const utKinematics* kin, const double* q, const utModelEquality* e,
                            int element, double factor, double* coefficient)
{
    const utModel* model = kin->model;
    if (element < 0) {
        return;
    }
    for (int k = 0; k < e->terms && e->kind == UT_EQUALITY_JOINT; k++) {
        coefficient[k] += e->index[k] == model->joint[element].v ? factor : 0.0;
    }
    if (e->kind == UT_EQUALITY_TENDON) {
        ut_dyn_add_tendon_derivatives(kin, q, element, e, factor, coefficient);
    }
}

double ut_coupling_error(const utKinematics* kin, const double* q, int equality,
                         double* coefficient)
{
    const utModelEquality* e = &kin->model->equality[equality];
    double slope;
    const double y = coordinate(kin, q, e->kind, e->element1);
    const double p = polynomial(e->polycoef, coordinate(kin, q, e->kind, e->element2), &slope);
    for (int k = 0; coefficient != NULL && k < e->terms; k++) {
        coefficient[k] = 0.0;
    }
    if (coefficient != NULL) {
        add_derivatives(kin, q, e, e->element1, 1.0, coefficient);
        add_derivatives(kin, q, e, e->element2, -slope, coefficient);
    }
    return y - p;
}

double ut_coupling_mocap_rate(const utKinematics* kin, const double* q, int equality,
                              const utMotion* mocap_velocity)
{
    const utModelEquality* e = &kin->model->equality[equality];
    if (e->kind != UT_EQUALITY_TENDON) {
        return 0.0;
    }
    double slope, rate = ut_tendon_mocap_rate(kin, e->element1, mocap_velocity);
    (void)polynomial(e->polycoef, coordinate(kin, q, e->kind, e->element2), &slope);
    rate -= e->element2 >= 0 ? slope * ut_tendon_mocap_rate(kin, e->element2, mocap_velocity) : 0.0;
    return rate;
}
