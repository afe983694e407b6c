// SPDX-License-Identifier: Apache-2.0
// Do the rows of equalities in the report agree with the model, and are all of them present?
#include "equality.h"

// ---- agreement ----------------------------------------------------------------------------------

static bool same(utVec3 a, utVec3 b, double size)
{
    return ut_vec3_norm(ut_vec3_sub(a, b)) <= SAME_TERMS * size;
}

static bool same_bound(double a, double b)
{
    // an infinite bound equals only itself
    return a == b || (isfinite(a - b) && fabs(a - b) <= SAME_TERMS * (fabs(a) + fabs(b)));
}

bool ut_certify_equality_row(const Judge* judge, const utRow* row)
{
    const EqualityRow x = ut_certify_expected_row(judge, row);
    if (!x.exists) {
        return false;
    }
    const utModelEquality* equality = &judge->model->equality[row->equality];
    const double size = ut_vec3_norm(x.point1) + ut_vec3_norm(x.point2) + equality->reach;
    // the compliance of loose equalities is judged with their law
    const bool loose = x.kind == UT_ROW_EQUALITY && row->compliance > 0.0;
    return row->kind == x.kind && row->body1 == equality->body1 && row->body2 == equality->body2 &&
           (loose || same_bound(row->compliance, x.compliance)) &&
           same(row->linear, x.linear, 1.0) && same(row->angular, x.angular, equality->reach) &&
           same(row->point1, x.point1, size) && same(row->point2, x.point2, size) &&
           fabs(row->gap - x.gap) <= SAME_GAP && same_bound(row->low, x.low) &&
           same_bound(row->high, x.high);
}

double ut_certify_equality_b(const Judge* judge, const utRow* row)
{
    const EqualityRow x = ut_certify_expected_row(judge, row);
    const bool limit = x.kind <= UT_ROW_BALL;
    const bool relinearized =
        judge->report->v_ahead != NULL && (limit || x.kind == UT_ROW_EQUALITY);
    const bool has_gap =
        (x.kind == UT_ROW_EQUALITY && !judge->traits.projects) ||
        (limit && !judge->report->instant && (x.gap > 0.0 || judge->traits.gap == UT_GAP_SIGNED));
    return !x.exists ? (double)NAN
                     : x.b + (relinearized || has_gap ? x.gap / judge->report->h : 0.0);
}

// ---- completeness -------------------------------------------------------------------------------

static int next_equality_row(const utStepReport* report, int j)
{
    while (j < report->rows && report->row[j].kind != UT_ROW_EQUALITY) {
        j++;
    }
    return j;
}

// Is every compliant row of an equality (spring, damper, armature, actuator) present once? Rows are
// in ascending order, so a count is enough.
static bool has_compliant_rows(const Judge* judge)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    int needed = 0;
    for (int i = 0; i < model->nequality; i++) {
        for (int k = 0; k < free_coordinates(model->equality[i].kind); k++) {
            const utRow row = {.equality = i, .component = COMPONENT_JOINT + k};
            needed += ut_certify_expected_row(judge, &row).exists;
        }
    }
    for (int a = 0; a < model->nactuator; a++) {
        const utRow row = {.equality = model->actuator[a].equality,
                           .component = COMPONENT_ACTUATOR + a};
        needed += ut_certify_expected_row(judge, &row).exists;
    }
    const utRow* last[2] = {NULL, NULL};
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        if (!ut_row_has_bodies(row) ||
            (row->kind != UT_ROW_JOINT && row->kind != UT_ROW_ACTUATOR)) {
            continue;
        }
        const utRow** before = &last[row->kind == UT_ROW_JOINT ? 0 : 1];
        const bool ascends = *before == NULL ||
                             (row->kind == UT_ROW_JOINT && row->equality > (*before)->equality) ||
                             row->component > (*before)->component;
        if (!ascends) {
            return false;
        }
        *before = row;
        needed--;
    }
    return needed == 0;
}

bool ut_certify_equalities(const Judge* judge)
{
    const utStepReport* report = judge->report;
    int j = next_equality_row(report, 0);
    for (int i = 0; i < judge->model->nequality; i++) {
        const utModelEquality* equality = &judge->model->equality[i];
        const int count = equality->active ? ut_certify_constraint_count(judge, equality->kind) : 0;
        for (int k = 0; k < count; k++) {
            if (j >= report->rows || report->row[j].equality != i ||
                report->row[j].component != k) {
                return false;
            }
            j = next_equality_row(report, j + 1);
        }
    }
    return j == report->rows && has_compliant_rows(judge);
}
