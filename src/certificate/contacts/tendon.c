// SPDX-License-Identifier: Apache-2.0
// Tendons: the rows that their limits, dry friction, springs and armature define, and the forces of
// springs and dampers that are not rows.
#include "tendon.h"

// The length and its derivatives. judge->temp2 receives the derivatives.
static double find_length(const Judge* judge, const utKinematics* kin, const double* q, int tendon)
{
    return ut_tendon_length(kin, q, tendon, NULL, NULL, judge->temp2);
}

// ---- the law of a tendon's spring and damper ----------------------------------------------------

// Force and stiffness, or damping, of a law -(a x + b x |x|^n + c x^3), in Horner's form: where the
// terms of a rate cancel, another form would differ from the step's in all its digits.
typedef struct Response {
    double force, rate;
} Response;

// The rate of an implicit step: where the force grows with x it counts with its size.
static double implicit_rate(double tangent, double secant)
{
    return tangent > 0.0 ? tangent : fabs(secant);
}

static Response spring_response(const utModelTendon* t, double length)
{
    const double low = t->spring_length[0], high = t->spring_length[1];
    const double x = length < low ? length - low : length > high ? length - high : 0.0;
    const double a = t->stiffness, b = t->stiffness_poly[0], c = t->stiffness_poly[1];
    const bool slack = low < high && length >= low && length <= high;
    const double secant = a + x * (b + x * c);
    const double rate = implicit_rate(a + x * (2.0 * b + x * 3.0 * c), secant);
    return (Response){-x * secant, slack ? 0.0 : rate};
}

static Response damper_response(const utModelTendon* t, double u)
{
    const double a = t->damping, b = t->damping_poly[0], c = t->damping_poly[1];
    const double x = fabs(u), secant = a + x * (b + x * c);
    return (Response){-u * secant, implicit_rate(a + x * (2.0 * b + x * 3.0 * c), secant)};
}

static double rate_under(const Judge* judge, const utModelTendon* t, const double* v)
{
    double rate = 0.0;
    for (int k = 0; k < t->terms; k++) {
        rate += judge->temp2[k] * v[t->index[k]];
    }
    return rate;
}

// ---- forces -------------------------------------------------------------------------------------

bool ut_certify_tendon_rows(const Judge* judge)
{
    return !judge->traits.explicit_forces && judge->report->integrator != UT_INTEGRATOR_RK4;
}

void ut_certify_add_tendon_forces(const Judge* judge, const utKinematics* kin, const double* q,
                                  const double* v, const utMotion* mocap, double* tau)
{
    for (int i = 0; i < judge->model->ntendon; i++) {
        const utModelTendon* t = &judge->model->tendon[i];
        const double length = find_length(judge, kin, q, i);
        const double u = rate_under(judge, t, v) + ut_tendon_mocap_rate(kin, i, mocap);
        const double force = spring_response(t, length).force + damper_response(t, u).force;
        for (int k = 0; k < t->terms; k++) {
            tau[t->index[k]] += judge->temp2[k] * force;
        }
    }
}

// ---- rows ---------------------------------------------------------------------------------------

// The tendon's spring, damper and armature give the impulse
// h (F - h K u + G - D (u - u0)) - A (u - u0 + h c).
static bool expect_spring(const Judge* judge, int i, double length, TermsRow* x)
{
    const utModelTendon* t = &judge->model->tendon[i];
    const double h = judge->report->h, A = t->armature;
    const bool springs = ut_certify_tendon_rows(judge);
    const double u0 = rate_under(judge, t, judge->v) +
                      ut_tendon_mocap_rate(&judge->kin_start, i, judge->report->mocap_velocity);
    const Response none = {0.0, 0.0};
    const Response F = springs ? spring_response(t, length) : none;
    const Response G = springs ? damper_response(t, u0) : none;
    const double S = A + h * G.rate + h * h * F.rate;
    double c = 0.0;
    if (A > 0.0) {
        utKinematics kin = judge->kin_start;
        ut_kinematics_move(&kin, judge->v, judge->report->mocap_velocity);
        c = ut_tendon_bias(&kin, i);
    }
    x->low = -HUGE_VAL;
    x->compliance = x->length * x->length / S;
    x->b = -x->length * (h * (F.force + G.force + G.rate * u0) + A * (u0 - h * c)) / S;
    return S > 0.0;
}

// A limit has a gap term in every formulation, even when contacts have none.
static void expect_limit(const Judge* judge, const utModelTendon* t, bool lower, double length,
                         TermsRow* x)
{
    x->sign = lower ? 1.0 : -1.0;
    x->gap = lower ? length - t->range[0] : t->range[1] - length;
    const bool has_gap =
        !judge->report->instant && (x->gap > 0.0 || judge->traits.gap == UT_GAP_SIGNED);
    x->b = has_gap ? x->length * x->gap / judge->report->h : 0.0;
}

TermsRow ut_certify_expected_tendon(const Judge* judge, utRowKind kind, int i)
{
    TermsRow x = {.high = HUGE_VAL, .sign = 1.0};
    if (i < 0 || i >= judge->model->ntendon) {
        return x;
    }
    const utModelTendon* t = &judge->model->tendon[i];
    const double length = find_length(judge, &judge->kin_start, judge->q, i);
    x.length = t->unit;
    x.terms = t->terms;
    x.index = t->index;
    if (kind == UT_ROW_TENDON_LOWER || kind == UT_ROW_TENDON_UPPER) {
        x.exists = t->limited;
        expect_limit(judge, t, kind == UT_ROW_TENDON_LOWER, length, &x);
    } else if (kind == UT_ROW_TENDON_FRICTION) {
        x.exists = t->frictionloss > 0.0 && !judge->report->instant;
        x.high = judge->report->h * t->frictionloss / t->unit;
        x.low = -x.high;
    } else if (kind == UT_ROW_TENDON_SPRING && !judge->report->instant) {
        x.exists = expect_spring(judge, i, length, &x);
    }
    x.exists = x.exists && t->terms > 0;
    return x;
}

// ---- presence -----------------------------------------------------------------------------------

static int count_rows(const utStepReport* report, utRowKind kind, int i)
{
    int count = 0;
    for (int j = 0; j < report->rows; j++) {
        count += report->row[j].kind == kind && report->row[j].equality == i;
    }
    return count;
}

bool ut_certify_tendons(const Judge* judge)
{
    static const utRowKind always[] = {UT_ROW_TENDON_FRICTION, UT_ROW_TENDON_SPRING};
    static const utRowKind limits[] = {UT_ROW_TENDON_LOWER, UT_ROW_TENDON_UPPER};
    bool good = true;
    for (int i = 0; i < judge->model->ntendon && good; i++) {
        for (int k = 0; k < 2; k++) {
            const bool needed = ut_certify_expected_tendon(judge, always[k], i).exists;
            good = good && count_rows(judge->report, always[k], i) == (needed ? 1 : 0) &&
                   count_rows(judge->report, limits[k], i) <= 1;
        }
    }
    return good;
}

bool ut_certify_tendon_limits(const Judge* judge, const utKinematics* end)
{
    const utStepReport* report = judge->report;
    bool good = true;
    for (int i = 0; i < judge->model->ntendon && good; i++) {
        const utModelTendon* t = &judge->model->tendon[i];
        if (!t->limited || t->terms == 0) {
            continue;
        }
        const double length = ut_tendon_length(end, report->q_next, i, NULL, NULL, NULL);
        const double passed = LIMIT_PASSED / t->unit;
        good = (length >= t->range[0] - passed || count_rows(report, UT_ROW_TENDON_LOWER, i) > 0) &&
               (length <= t->range[1] + passed || count_rows(report, UT_ROW_TENDON_UPPER, i) > 0);
    }
    return good;
}
