// SPDX-License-Identifier: Apache-2.0
// The largest values of a run's error measures, with place and time.
#include "run/run_worst.h"

#include <math.h>

// ---- places -------------------------------------------------------------------------------------

static void name_pair(const utModel* model, int geom1, int geom2, char* text, size_t size)
{
    CliName one;
    CliName two;
    snprintf(text, size, "%s and %s", cli_side_name(model, geom1, &one),
             cli_side_name(model, geom2, &two));
}

// The name of a constraint or spring between two bodies, "" for none.
static const char* between_bodies_name(const utModel* model, const utRow* row)
{
    return row->kind == UT_ROW_SPRING     ? model->spring[row->equality].name
           : row->kind == UT_ROW_EQUALITY ? model->equality[row->equality].name
                                          : "";
}

// A row between two bodies. In maximal coordinates joints are such rows, too.
static void name_row_of_bodies(const utModel* model, const utRow* row, char* text, size_t size)
{
    const char* name = between_bodies_name(model, row);
    CliName one;
    CliName two;
    if (name[0] != '\0') {
        const bool joint = row->kind == UT_ROW_EQUALITY && model->equality[row->equality].joint;
        snprintf(text, size, "the %s %s", joint ? "joint" : ut_row_kind_name(row->kind), name);
        return;
    }
    snprintf(text, size, "bodies %s and %s (%s)",
             cli_name(model->body[row->body1].name, "body", row->body1, &one),
             cli_name(model->body[row->body2].name, "body", row->body2, &two),
             ut_row_kind_name(row->kind));
}

static void name_row(const utModel* model, const utRow* row, char* text, size_t size)
{
    CliName one;
    if (row->kind == UT_ROW_COUPLING) {
        snprintf(text, size, "the equality %s",
                 cli_name(model->equality[row->equality].name, "equality", row->equality, &one));
        return;
    }
    if (row->terms > 0 && row->kind != UT_ROW_ACTUATOR) {
        snprintf(text, size, "the tendon %s (%s)",
                 cli_name(model->tendon[row->equality].name, "tendon", row->equality, &one),
                 ut_row_kind_name(row->kind));
        return;
    }
    if (row->terms > 0) {
        snprintf(text, size, "the actuator %s",
                 cli_name(model->actuator[row->actuator].name, "actuator", row->actuator, &one));
        return;
    }
    if (row->dof < 0) {
        name_row_of_bodies(model, row, text, size);
        return;
    }
    snprintf(text, size, "the joint %s (%s)",
             cli_name(model->joint[row->joint].name, "joint", row->joint, &one),
             ut_row_kind_name(row->kind));
}

void run_worst_place(const utStepResult* result, char* text, size_t size)
{
    const utStepReport* report = &result->report;
    const utCertificate* c = &result->certificate;
    const int k = c->reason == UT_REASON_MOMENTUM ? c->momentum_contact : c->contact;
    char name[RUN_WHERE];
    text[0] = '\0';
    if (k >= 0 && k < report->contacts) {
        const utContact* at = &report->contact[k];
        name_pair(report->model, at->geom1, at->geom2, name, sizeof name);
        snprintf(text, size, " at the contact of %s (%.6g, %.6g, %.6g)", name, at->point.x,
                 at->point.y, at->point.z);
    } else if (k >= report->contacts && k < report->contacts + report->rows) {
        const utRow* row = &report->row[k - report->contacts];
        name_row(report->model, row, name, sizeof name);
        const bool unnamed =
            row->dof < 0 && row->terms == 0 && between_bodies_name(report->model, row)[0] == '\0';
        snprintf(text, size, " %s %s", unnamed ? "between" : "at", name);
    }
}

// ---- counting -----------------------------------------------------------------------------------

// Record the value if it is the largest so far. NaN counts as the largest. @return true if recorded
static bool update(RunWorst* worst, double value, long long step, double time)
{
    if (value <= worst->value || isnan(worst->value)) {
        return false;
    }
    worst->value = value;
    worst->step = step;
    worst->time = time;
    worst->where[0] = '\0';
    return true;
}

static void count_residual(const utStepResult* result, long long step, RunWorst* worst)
{
    const utStepReport* report = &result->report;
    const int k = result->certificate.contact;
    if (!update(worst, result->certificate.E, step, report->time) || k < 0) {
        return;
    }
    if (k < report->contacts) {
        const utContact* c = &report->contact[k];
        name_pair(report->model, c->geom1, c->geom2, worst->where, sizeof worst->where);
    } else if (k < report->contacts + report->rows) {
        name_row(report->model, &report->row[k - report->contacts], worst->where,
                 sizeof worst->where);
    }
}

static void count_penetration(const utStepResult* result, long long step, RunWorst* worst)
{
    const utModel* model = result->report.model;
    if (update(worst, result->max_penetration, step, result->report.time)) {
        name_pair(model, result->deepest[0], result->deepest[1], worst->where, sizeof worst->where);
    }
}

static void count_drift(const utStepReport* report, long long step, RunWorst* worst)
{
    if (!update(worst, report->drift, step, report->time + report->h) ||
        report->drift_equality < 0) {
        return;
    }
    const utModelEquality* e = &report->model->equality[report->drift_equality];
    CliName one;
    CliName two;
    if (e->name[0] != '\0') {
        snprintf(worst->where, sizeof worst->where, "%s", e->name);
    } else if (ut_equality_is_coupling(e->kind)) {
        snprintf(worst->where, sizeof worst->where, "equality %d", report->drift_equality);
    } else {
        snprintf(worst->where, sizeof worst->where, "%s and %s",
                 cli_name(report->model->body[e->body1].name, "body", e->body1, &one),
                 cli_name(report->model->body[e->body2].name, "body", e->body2, &two));
    }
}

void run_worst_count(const utStepResult* result, long long step, RunWorsts* worst)
{
    const utStepReport* report = &result->report;
    count_residual(result, step, &worst->residual);
    count_penetration(result, step, &worst->penetration);
    count_drift(report, step, &worst->drift);
    (void)update(&worst->model_gap, result->certificate.model_gap, step, report->time);
}

// ---- printing -----------------------------------------------------------------------------------

void run_worst_print(const RunWorst* worst)
{
    if (worst->step > 0) {
        printf(" (%s%sstep %lld, t = %.6g s)", worst->where, worst->where[0] != '\0' ? ", " : "",
               worst->step, worst->time);
    }
}

void run_worst_json(utJsonWriter* w, const char* key, const RunWorst* worst)
{
    ut_json_key(w, key);
    if (worst->step == 0) {
        ut_json_null(w);
        return;
    }
    ut_json_object_begin(w);
    ut_json_key(w, "step");
    ut_json_integer(w, worst->step);
    ut_json_key(w, "time");
    ut_json_number(w, worst->time);
    ut_json_key(w, "where");
    ut_json_string(w, worst->where);
    ut_json_object_end(w);
}
