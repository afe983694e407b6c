// SPDX-License-Identifier: Apache-2.0
// Contacts of recordings, grouped by pairs of geoms.
#include "plot/plot_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- pairs --------------------------------------------------------------------------------------

static bool same_text(utText a, utText b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

// Find a pair or add it at the end. Contacts are sorted by pair, so the search begins behind the
// pair found last. @return NULL when there is no memory
static PlotPair* find_pair(PlotPairs* pairs, utText geom1, utText geom2)
{
    for (int k = 0; k < pairs->count; k++) {
        const int at = (pairs->last + k) % pairs->count;
        PlotPair* pair = &pairs->pair[at];
        if (same_text(pair->geom1, geom1) && same_text(pair->geom2, geom2)) {
            pairs->last = at;
            return pair;
        }
    }
    if (pairs->count == pairs->room) {
        const int room = pairs->room > 0 ? 2 * pairs->room : 16;
        PlotPair* larger = realloc(pairs->pair, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            return NULL;
        }
        pairs->pair = larger;
        pairs->room = room;
    }
    pairs->last = pairs->count;
    PlotPair* pair = &pairs->pair[pairs->count++];
    *pair = (PlotPair){.geom1 = geom1, .geom2 = geom2};
    return pair;
}

void plot_pairs_free(PlotPairs* pairs)
{
    for (int k = 0; k < pairs->count; k++) {
        plot_numbers_free(&pairs->pair[k].x);
        plot_numbers_free(&pairs->pair[k].y);
    }
    free(pairs->pair);
    *pairs = (PlotPairs){0};
}

char* plot_pair_name(const PlotSource* source, const PlotPair* pair)
{
    char* one = source->binary ? csv_copy(pair->geom1) : csv_cell_text(pair->geom1);
    char* two = source->binary ? csv_copy(pair->geom2) : csv_cell_text(pair->geom2);
    const size_t size = one != NULL && two != NULL ? strlen(one) + strlen(two) + 4 : 0;
    char* name = size > 0 ? malloc(size) : NULL;
    if (name != NULL) {
        snprintf(name, size, "%s / %s", one, two);
    }
    free(one);
    free(two);
    return name;
}

// ---- contacts -----------------------------------------------------------------------------------

typedef struct Contacts {
    PlotSource* source;
    const PlotKind* kind;
    PlotX unit;
    int time, geom1, geom2, column, state; // indices of columns of a table
    PlotPairs* pairs;
    double begin, end;       // range of x
    double step;             // shortest interval between steps
    double row_time;         // tables only: time of the current rows
    bool impact;             // one of the current rows is an impact, whose time is within a step
    double step_time;        // time of the last rows without impact
    double shortest_between; // shortest interval between rows of different times
} Contacts;

static void combine(const PlotKind* kind, int contacts, double value, double* so_far)
{
    if (kind->impulse) {
        *so_far += value;
    } else if (strcmp(kind->column, "gap") == 0) {
        *so_far = fmin(*so_far, value);
    } else if (kind->band || strcmp(kind->column, "slip") == 0 || strcmp(kind->column, "e") == 0) {
        *so_far = fmax(*so_far, value);
    } else {
        *so_far += (value - *so_far) / contacts;
    }
}

static utStatus add_contact(Contacts* c, utText geom1, utText geom2, double x, double value,
                            utError* err)
{
    PlotPair* pair = find_pair(c->pairs, geom1, geom2);
    if (pair == NULL) {
        return cli_no_memory(c->source->path, err);
    }
    const size_t n = pair->x.count;
    if (n > 0 && pair->x.at[n - 1] == x) {
        combine(c->kind, ++pair->contacts, value, &pair->y.at[n - 1]);
        return UT_OK;
    }
    pair->contacts = 1;
    return plot_numbers_add(&pair->x, x) && plot_numbers_add(&pair->y, value)
               ? UT_OK
               : cli_no_memory(c->source->path, err);
}

static const char* data_column(const PlotKind* kind)
{
    return kind->of != NULL ? kind->of : kind->column;
}

// Does a column include this contact? pn-impact takes impacts only, pn-step all other contacts.
static bool counts(const PlotKind* kind, bool impact)
{
    return kind->of == NULL || kind->impacts == impact;
}

static void pass_time(Contacts* c, double x)
{
    c->begin = fmin(c->begin, x);
    c->end = fmax(c->end, x);
}

// A table does not contain the length of a step. It is taken as the shortest interval between rows
// that are not impacts, or between any rows if all are impacts.
static void pass_step(Contacts* c)
{
    if (!c->impact && c->row_time - c->step_time > 0.0) {
        c->step = fmin(c->step, c->row_time - c->step_time);
    }
    c->step_time = c->impact ? c->step_time : c->row_time;
}

static void pass_row(Contacts* c, double x, bool impact)
{
    if (x != c->row_time) {
        pass_step(c);
        if (x - c->row_time > 0.0) {
            c->shortest_between = fmin(c->shortest_between, x - c->row_time);
        }
        c->row_time = x;
        c->impact = false;
    }
    c->impact = c->impact || impact;
    pass_time(c, x);
}

// The number of a state's name, NaN for other words.
static double state_of(utText cell)
{
    for (int k = 0; k < UT_CONTACT_STATE_COUNT; k++) {
        const char* name = ut_contact_state_name((utContactState)k);
        if (same_text(cell, (utText){name, strlen(name)})) {
            return k;
        }
    }
    return (double)NAN;
}

static utStatus contact_row(void* context, const CsvCells* cells, const utText* cell, utError* err)
{
    Contacts* c = context;
    double x;
    double value;
    UT_TRY(csv_cell_number(cells, cell[c->time], &x, err));
    if (c->kind->band) {
        value = state_of(cell[c->column]);
    } else {
        UT_TRY(csv_cell_number(cells, cell[c->column], &value, err));
    }
    const char* name = ut_contact_state_name(UT_CONTACT_IMPACT);
    const bool impact = c->state >= 0 && same_text(cell[c->state], (utText){name, strlen(name)});
    pass_row(c, x, impact);
    return counts(c->kind, impact) ? add_contact(c, cell[c->geom1], cell[c->geom2], x, value, err)
                                   : UT_OK;
}

static double recorded_value(const utRecording* r, const utRecordedContact* c, const char* column)
{
    // force = impulse / h; adaptive recordings do not hold h
    const double h = r->adaptive > 0.0 ? (double)NAN : r->dt;
    // the impulse on geom2 in world coordinates
    utVec3 p = ut_vec3_zero();
    for (int k = 0; k < 3; k++) {
        p = ut_vec3_add_scaled(p, c->r[k], c->frame[k]);
    }
    const utVec3 n = c->frame[0];
    if (strcmp(column, "state") == 0) {
        return c->state;
    }
    const struct {
        const char* column;
        double value;
    } values[] = {
        {"x", c->point.x}, {"y", c->point.y},   {"z", c->point.z},
        {"nx", n.x},       {"ny", n.y},         {"nz", n.z},
        {"px", p.x},       {"py", p.y},         {"pz", p.z},
        {"pn", c->r[0]},   {"gap", c->gap},     {"slip", hypot(c->u[1], c->u[2])},
        {"e", c->e},       {"fn", c->r[0] / h}, {"fx", p.x / h},
        {"fy", p.y / h},   {"fz", p.z / h},
    };
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        if (strcmp(values[k].column, column) == 0) {
            return values[k].value;
        }
    }
    return (double)NAN;
}

static utStatus contact_frame(void* context, const utRecordFrame* frame, utError* err)
{
    Contacts* c = context;
    const utRecording* r = &c->source->recording;
    if (frame->kind != UT_RECORD_STATE && frame->kind != UT_RECORD_CONTACTS) {
        return UT_OK;
    }
    const double x = c->unit == PLOT_TIME ? frame->time : (double)frame->step;
    const bool contacts = frame->kind == UT_RECORD_CONTACTS && frame->contacts > 0;
    pass_row(c, x, contacts && frame->contact[0].state == UT_CONTACT_IMPACT);
    for (int k = 0; k < frame->contacts && frame->kind == UT_RECORD_CONTACTS; k++) {
        const utRecordedContact* contact = &frame->contact[k];
        if (!counts(c->kind, contact->state == UT_CONTACT_IMPACT)) {
            continue;
        }
        UT_TRY(add_contact(c, ut_recording_geom(r, contact->geom1),
                           ut_recording_geom(r, contact->geom2), x,
                           recorded_value(r, contact, data_column(c->kind)), err));
    }
    return UT_OK;
}

// ---- steps without contact ----------------------------------------------------------------------

// Fill the steps without contact between two steps with contact: 0 for impulses, else a gap.
static bool add_pause(const Contacts* c, double from, double to, PlotNumbers* x, PlotNumbers* y)
{
    if (!(to - from > 1.5 * c->step)) {
        return true;
    }
    if (!c->kind->impulse) {
        return plot_numbers_add(x, 0.5 * (from + to)) && plot_numbers_add(y, (double)NAN);
    }
    return plot_numbers_add(x, from + c->step) && plot_numbers_add(y, 0.0) &&
           plot_numbers_add(x, to - c->step) && plot_numbers_add(y, 0.0);
}

static bool add_pauses(const Contacts* c, PlotPair* pair)
{
    PlotNumbers x = {0};
    PlotNumbers y = {0};
    bool added = true;
    const size_t n = pair->x.count;
    if (c->kind->impulse && pair->x.at[0] - c->begin > 1.5 * c->step) {
        added = plot_numbers_add(&x, c->begin) && plot_numbers_add(&y, 0.0) &&
                plot_numbers_add(&x, pair->x.at[0] - c->step) && plot_numbers_add(&y, 0.0);
    }
    for (size_t k = 0; k < n && added; k++) {
        added = plot_numbers_add(&x, pair->x.at[k]) && plot_numbers_add(&y, pair->y.at[k]) &&
                (k + 1 == n || add_pause(c, pair->x.at[k], pair->x.at[k + 1], &x, &y));
    }
    if (c->kind->impulse && c->end - pair->x.at[n - 1] > 0.5 * c->step) {
        added = added && plot_numbers_add(&x, pair->x.at[n - 1] + c->step) &&
                plot_numbers_add(&y, 0.0) && plot_numbers_add(&x, c->end) &&
                plot_numbers_add(&y, 0.0);
    }
    plot_numbers_free(&pair->x);
    plot_numbers_free(&pair->y);
    pair->x = x;
    pair->y = y;
    return added;
}

// Convert the times of a table to step numbers: multiples of the shortest step.
static void count_steps(Contacts* c)
{
    for (int k = 0; k < c->pairs->count; k++) {
        PlotNumbers* x = &c->pairs->pair[k].x;
        for (size_t i = 0; i < x->count; i++) {
            x->at[i] = round(x->at[i] / c->step);
        }
    }
    c->begin = round(c->begin / c->step);
    c->end = round(c->end / c->step);
    c->step = 1.0;
}

utStatus plot_source_contacts(PlotSource* source, PlotX unit, const PlotKind* kind,
                              PlotPairs* pairs, utError* err)
{
    Contacts c = {
        .source = source,
        .kind = kind,
        .unit = unit,
        .time = plot_source_column(source, "time"),
        .geom1 = plot_source_column(source, "geom1"),
        .geom2 = plot_source_column(source, "geom2"),
        .column = plot_source_column(source, data_column(kind)),
        .state = plot_source_column(source, "state"),
        .pairs = pairs,
        .begin = HUGE_VAL,
        .end = -HUGE_VAL,
        .step = HUGE_VAL,
        .row_time = -HUGE_VAL,
        .step_time = -HUGE_VAL,
        .shortest_between = HUGE_VAL,
    };
    *pairs = (PlotPairs){0};
    if (!source->binary && c.column < 0) {
        return ut_error_at(err, UT_ERR_FORMAT, cli_file_name(source->path), 1, 1,
                           "this table of contacts has no column '%s'%s", kind->column,
                           strcmp(kind->column, "e") == 0 ? "; uptack run --record F.utr writes it"
                           : kind->column[0] == 'f'       ? "; uptack run --columns force writes it"
                                                          : "");
    }
    UT_TRY(source->binary ? plot_source_frames(source, contact_frame, &c, err)
                          : plot_source_rows(source, contact_row, &c, err));
    pass_step(&c);
    c.step = isfinite(c.step) ? c.step : c.shortest_between;
    if (source->binary && (unit == PLOT_STEP || source->recording.dt > 0.0)) {
        c.step = unit == PLOT_STEP ? 1.0 : source->recording.dt;
    } else if (!source->binary && unit == PLOT_STEP && isfinite(c.step)) {
        count_steps(&c);
    }
    for (int k = 0; k < pairs->count; k++) {
        if (!add_pauses(&c, &pairs->pair[k])) {
            return cli_no_memory(source->path, err);
        }
    }
    return UT_OK;
}
