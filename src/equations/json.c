// SPDX-License-Identifier: Apache-2.0
// A system as JSON, with full precision, and its LCP as a problem for `uptack lcp`.
#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void member_text(utJsonWriter* w, const char* key, const char* text)
{
    ut_json_key(w, key);
    ut_json_string(w, text);
}

static void member_number(utJsonWriter* w, const char* key, double value)
{
    ut_json_key(w, key);
    ut_json_number(w, value);
}

static void member_integer(utJsonWriter* w, const char* key, int value)
{
    ut_json_key(w, key);
    ut_json_integer(w, value);
}

static void member_doubles(utJsonWriter* w, const char* key, const double* x, int count)
{
    ut_json_key(w, key);
    ut_json_doubles(w, x, count);
}

static void matrix(utJsonWriter* w, const char* key, int rows, int cols, const double* A)
{
    ut_json_key(w, key);
    ut_json_array_begin(w);
    for (int i = 0; i < rows; i++) {
        ut_json_doubles(w, A + (size_t)i * (size_t)cols, cols);
    }
    ut_json_array_end(w);
}

static void names(utJsonWriter* w, const char* key, const EqAxis* axis)
{
    ut_json_key(w, key);
    ut_json_array_begin(w);
    for (int k = 0; k < axis->count; k++) {
        ut_json_string(w, axis->name[k]);
    }
    ut_json_array_end(w);
}

static void head(utJsonWriter* w, const EqSystem* s)
{
    const utStepReport* report = &s->step->result.report;
    member_text(w, "model", s->model);
    member_text(w, "eq", s->notation->name);
    member_text(w, "paper", s->notation->paper);
    member_text(w, "title", s->notation->title);
    member_text(w, "equation", s->equation);
    member_integer(w, "step", s->options->step);
    member_number(w, "time", report->time);
    member_number(w, "h", report->h);
    member_text(w, "formulation", ut_formulation_name(report->formulation));
    member_text(w, "run", ut_formulation_name(s->step->run));
    ut_json_key(w, "certified");
    ut_json_bool(w, s->step->result.outcome != UT_STEP_UNCERTIFIED);
}

static void vector3(utJsonWriter* w, const char* key, utVec3 v)
{
    member_doubles(w, key, (const double[]){v.x, v.y, v.z}, 3);
}

static void contacts(utJsonWriter* w, const EqSystem* s)
{
    ut_json_key(w, "contacts");
    ut_json_array_begin(w);
    for (int i = 0; s->step->named && i < s->step->problem.contacts; i++) {
        const utContact* c = &s->step->result.report.contact[i];
        EqLabel one, two;
        ut_json_object_begin(w);
        member_text(w, "name", s->axis[EQ_N].name[i]);
        member_text(w, "geom1", ut_eq_side(s->step->model, c->geom1, &one));
        member_text(w, "geom2", ut_eq_side(s->step->model, c->geom2, &two));
        member_number(w, "mu", c->mu);
        member_number(w, "gap", c->gap);
        member_text(w, "state", ut_contact_state_name(c->state));
        vector3(w, "point", c->point);
        vector3(w, "n", c->frame[0]);
        vector3(w, "t1", c->frame[1]);
        vector3(w, "t2", c->frame[2]);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

static void part(utJsonWriter* w, const EqSystem* s, int k)
{
    const utPrintedPart* p = &s->printed.part[k];
    const EqKind kind = s->kind[k];
    ut_json_object_begin(w);
    member_text(w, "unknown", s->notation->unknown[kind].text);
    member_text(w, "slack", s->notation->slack[kind].text);
    member_integer(w, "start", p->start);
    member_integer(w, "size", p->size);
    member_text(w, "unit", ut_eq_unit(s, kind));
    names(w, "names", &s->axis[kind]);
    member_doubles(w, "z", s->z + p->start, p->size);
    member_doubles(w, "w", s->w + p->start, p->size);
    if (ut_eq_other_unit(s, kind) != NULL) {
        ut_json_key(w, s->notation->forces ? "impulse" : "force");
        ut_json_array_begin(w);
        for (int i = 0; i < p->size; i++) {
            ut_json_number(w, ut_eq_other_factor(s) * s->z[p->start + i]);
        }
        ut_json_array_end(w);
    }
    ut_json_object_end(w);
}

static void block(utJsonWriter* w, const EqSystem* s, int k)
{
    const EqBlock* b = &s->block[k];
    const int rows = s->axis[b->rows].count, cols = s->axis[b->cols].count;
    ut_json_key(w, b->symbol.text);
    ut_json_object_begin(w);
    member_text(w, "equation", b->equation);
    names(w, "rows", &s->axis[b->rows]);
    if (b->cols == EQ_ONE) {
        member_text(w, "unit", b->unit);
        member_doubles(w, "values", b->value, rows);
    } else {
        names(w, "columns", &s->axis[b->cols]);
        matrix(w, "values", rows, cols, b->value);
    }
    if (s->block_rank[k] >= 0) {
        member_integer(w, "rank", s->block_rank[k]);
    }
    ut_json_object_end(w);
}

// The name of unknown or row k.
static const char* row_name(const EqSystem* s, int k, EqKind* kind)
{
    for (int part = 0; part < s->printed.parts; part++) {
        const utPrintedPart* p = &s->printed.part[part];
        if (k >= p->start && k < p->start + p->size) {
            *kind = s->kind[part];
            return s->axis[s->kind[part]].name[k - p->start];
        }
    }
    return "";
}

static void rank(utJsonWriter* w, const EqSystem* s)
{
    if (s->rank < 0) {
        return;
    }
    member_integer(w, "rank", s->rank);
    member_number(w, "condition", s->condition);
    ut_json_key(w, "dependent_rows");
    ut_json_array_begin(w);
    for (int k = 0; k < s->dependents; k++) {
        char text[3 * EQ_NAME];
        EqKind kind = EQ_N;
        const char* name = row_name(s, s->dependent[k], &kind);
        snprintf(text, sizeof text, "%s %s", s->notation->slack[kind].text, name);
        ut_json_string(w, text);
    }
    ut_json_array_end(w);
}

static void answer(utJsonWriter* w, const EqSystem* s)
{
    ut_json_key(w, "solution");
    ut_json_object_begin(w);
    member_text(w, "by", s->by_step ? "step" : ut_lcp_solver_name(s->info.solver));
    member_text(w, "outcome", s->by_step ? "solved" : ut_lcp_outcome_name(s->info.outcome));
    member_number(w, "residual", s->residual);
    member_doubles(w, "z", s->z, s->printed.lcp.n);
    member_doubles(w, "w", s->w, s->printed.lcp.n);
    ut_json_object_end(w);
}

bool ut_eq_print_json(EqOut* out, const EqSystem* s)
{
    const utLcp* lcp = &s->printed.lcp;
    utJsonWriter w = ut_json_writer(ut_eq_sink, out);
    ut_json_object_begin(&w);
    head(&w, s);
    contacts(&w, s);
    member_integer(&w, "size", lcp->n);
    member_integer(&w, "free", lcp->free_count);
    ut_json_key(&w, "parts");
    ut_json_array_begin(&w);
    for (int k = 0; k < s->printed.parts; k++) {
        part(&w, s, k);
    }
    ut_json_array_end(&w);
    ut_json_key(&w, "blocks");
    ut_json_object_begin(&w);
    for (int k = 0; k < s->blocks; k++) {
        block(&w, s, k);
    }
    ut_json_object_end(&w);
    matrix(&w, "A", lcp->n, lcp->n, lcp->M);
    member_doubles(&w, "b", lcp->q, lcp->n);
    answer(&w, s);
    rank(&w, s);
    ut_json_key(&w, "readings");
    ut_json_array_begin(&w);
    for (int k = 0; k < s->readings; k++) {
        ut_json_string(&w, s->reading[k]);
    }
    ut_json_array_end(&w);
    ut_json_object_end(&w);
    ut_eq_put(out, "\n");
    return ut_json_ok(&w);
}

// ---- the LCP ------------------------------------------------------------------------------------

bool ut_eq_print_lcp(EqOut* out, const EqSystem* s)
{
    const utLcp* lcp = &s->printed.lcp;
    utJsonWriter w = ut_json_writer(ut_eq_sink, out);
    ut_json_object_begin(&w);
    matrix(&w, "M", lcp->n, lcp->n, lcp->M);
    member_doubles(&w, "q", lcp->q, lcp->n);
    if (lcp->free_count > 0) {
        member_integer(&w, "free", lcp->free_count);
    }
    ut_json_object_end(&w);
    ut_eq_put(out, "\n");
    return ut_json_ok(&w);
}
