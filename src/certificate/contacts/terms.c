// SPDX-License-Identifier: Apache-2.0
// Rows over several velocities: do they agree with the model and the state, and are the rows of all
// couplings present?
#include "tendon.h"

// ---- couplings ----------------------------------------------------------------------------------

// The coordinate of a joint or tendon from the modelled pose, and its derivatives times `factor`,
// which are added to judge->temp2. judge->temp is overwritten.
static double add_element(const Judge* judge, const utModelEquality* e, int element, double factor)
{
    const utModel* model = judge->model;
    if (element < 0) {
        return 0.0;
    }
    const bool tendon = e->kind == UT_EQUALITY_TENDON;
    const utModelJoint* joint = tendon ? NULL : &model->joint[element];
    const int terms = tendon ? model->tendon[element].terms : 1;
    const int* index = tendon ? model->tendon[element].index : &joint->v;
    double x = 0.0;
    judge->temp[0] = 1.0;
    if (tendon) {
        x = ut_tendon_length(&judge->kin_start, judge->q, element, NULL, NULL, judge->temp) -
            model->tendon[element].length0;
    } else {
        x = judge->q[joint->q] - model->q0[joint->q];
    }
    for (int k = 0; k < terms; k++) {
        for (int i = 0; i < e->terms; i++) {
            judge->temp2[i] += e->index[i] == index[k] ? factor * judge->temp[k] : 0.0;
        }
    }
    return x;
}

static TermsRow expect_coupling(const Judge* judge, int i)
{
    TermsRow row = {.sign = 1.0, .low = -HUGE_VAL, .high = HUGE_VAL};
    if (i < 0 || i >= judge->model->nequality ||
        !ut_equality_is_coupling(judge->model->equality[i].kind)) {
        return row;
    }
    const utModelEquality* e = &judge->model->equality[i];
    const double* p = e->polycoef;
    row.exists = e->active && e->terms > 0;
    row.length = e->reach;
    row.terms = e->terms;
    row.index = e->index;
    for (int k = 0; k < e->terms; k++) {
        judge->temp2[k] = 0.0;
    }
    const double x = add_element(judge, e, e->element2, 0.0);
    const double slope = p[1] + 2.0 * p[2] * x + 3.0 * p[3] * x * x + 4.0 * p[4] * x * x * x;
    (void)add_element(judge, e, e->element2, -slope);
    const double y = add_element(judge, e, e->element1, 1.0);
    row.gap = y - (p[0] + p[1] * x + p[2] * x * x + p[3] * x * x * x + p[4] * x * x * x * x);
    const bool counts = !judge->traits.projects && !judge->report->instant;
    row.b = counts ? e->reach * row.gap / judge->report->h : 0.0;
    return row;
}

static bool has_couplings(const Judge* judge)
{
    const utStepReport* report = judge->report;
    int needed = 0, found = 0, last = -1;
    bool ascends = true;
    for (int i = 0; i < judge->model->nequality; i++) {
        const utModelEquality* e = &judge->model->equality[i];
        needed += ut_equality_is_coupling(e->kind) && e->active && e->terms > 0;
    }
    for (int j = 0; j < report->rows; j++) {
        if (report->row[j].kind == UT_ROW_COUPLING) {
            ascends = ascends && report->row[j].equality > last;
            last = report->row[j].equality;
            found++;
        }
    }
    return ascends && found == needed;
}

// ---- any row ------------------------------------------------------------------------------------

static TermsRow expect(const Judge* judge, const utRow* row)
{
    switch (row->kind) {
    case UT_ROW_TENDON_LOWER:
    case UT_ROW_TENDON_UPPER:
    case UT_ROW_TENDON_FRICTION:
    case UT_ROW_TENDON_SPRING:
        return ut_certify_expected_tendon(judge, row->kind, row->equality);
    case UT_ROW_COUPLING:
        return expect_coupling(judge, row->equality);
    default:
        return (TermsRow){.exists = false};
    }
}

bool ut_certify_terms_row(const Judge* judge, const utRow* row)
{
    const TermsRow x = expect(judge, row);
    bool good = x.exists && row->terms == x.terms && same_value(row->length, x.length) &&
                fabs(row->gap - x.gap) * x.length <= SAME_GAP && same_value(row->low, x.low) &&
                same_value(row->high, x.high) && same_value(row->compliance, x.compliance);
    double largest = 0.0;
    for (int k = 0; good && k < x.terms; k++) {
        largest = fmax(largest, fabs(judge->temp2[k]));
    }
    for (int k = 0; good && k < x.terms; k++) {
        good = row->index[k] == x.index[k] &&
               fabs(row->coefficient[k] - x.sign * judge->temp2[k]) <= SAME_TERMS * largest;
    }
    return good;
}

double ut_certify_terms_b(const Judge* judge, const utRow* row)
{
    const TermsRow x = expect(judge, row);
    return x.exists ? x.b : (double)NAN;
}

double ut_certify_terms_mocap_rate(const Judge* judge, const utRow* row, const utMotion* mocap)
{
    const utModel* model = judge->model;
    const int i = row->equality;
    double rate = 0.0;
    if (row->kind == UT_ROW_COUPLING && i >= 0 && i < model->nequality) {
        rate = ut_coupling_mocap_rate(&judge->kin_start, judge->q, i, mocap);
    } else if (row->kind != UT_ROW_COUPLING && row->kind != UT_ROW_ACTUATOR && i >= 0 &&
               i < model->ntendon) {
        rate = ut_tendon_mocap_rate(&judge->kin_start, i, mocap);
    }
    return (row->kind == UT_ROW_TENDON_UPPER ? -1.0 : 1.0) * row->length * rate;
}

bool ut_certify_all_terms(const Judge* judge)
{
    return ut_certify_tendons(judge) && has_couplings(judge);
}
