// SPDX-License-Identifier: Apache-2.0
// The outputs and stop conditions of a specification.
#include <math.h>
#include <string.h>

#include "sweeps/sweep_spec.h"

const char* sweep_figure_name(SweepFigure figure)
{
    static const char* const names[SWEEP_FIGURES] = {"steps",           "time",         "max_E",
                                                     "max_penetration", "max_contacts", "flagged"};
    return names[figure];
}

// ---- conditions ---------------------------------------------------------------------------------

static const char* skip_spaces(const char* text)
{
    return text + strspn(text, " ");
}

// QUANTITY < NUMBER or QUANTITY > NUMBER
static utStatus read_condition(const Sweep* sweep, const utJson* value, SweepCondition* c,
                               utError* err)
{
    UT_TRY(sweep_expect(sweep, value, "a condition", UT_JSON_STRING, err));
    const char* text = skip_spaces(value->string.data);
    const size_t size = strcspn(text, " <>");
    const char* sign = skip_spaces(text + size);
    const char* number = *sign == '<' || *sign == '>' ? skip_spaces(sign + 1) : NULL;
    const char* end = number;
    if (number != NULL) {
        end = ut_number_read(number, number + strlen(number), &c->bound);
    }
    if (size == 0 || size >= sizeof c->quantity || end == NULL || *skip_spaces(end) != '\0') {
        return sweep_error(sweep, value, err,
                           "a condition is QUANTITY < NUMBER or QUANTITY > NUMBER, not '%.60s'",
                           value->string.data);
    }
    memcpy(c->quantity, text, size);
    c->quantity[size] = '\0';
    c->is_less = *sign == '<';
    return UT_OK;
}

static utStatus read_quantity(const Sweep* sweep, const utJson* value, SweepCondition* c,
                              utError* err)
{
    UT_TRY(sweep_expect(sweep, value, "a quantity", UT_JSON_STRING, err));
    if (value->string.size == 0 || value->string.size >= sizeof c->quantity) {
        return sweep_error(sweep, value, err, "a quantity has a name such as box.z");
    }
    memcpy(c->quantity, value->string.data, value->string.size + 1);
    return UT_OK;
}

// ---- outputs ------------------------------------------------------------------------------------

static const char* const measures[] = {"end",   "min",   "max",    "mean",
                                       "count", "first", "series", NULL};

// The name of the column: "box.z", "min box.z" or the member "name".
static utStatus name_output(Sweep* sweep, const utJson* object, SweepOutput* o, utError* err)
{
    const utJson* name = object->type == UT_JSON_OBJECT ? ut_json_member(object, "name") : NULL;
    if (name != NULL) {
        UT_TRY(sweep_expect(sweep, name, "\"name\"", UT_JSON_STRING, err));
        o->name = name->string.data;
        const bool is_plain = name->string.size > 0 && strpbrk(o->name, ",\"\n\r") == NULL;
        return is_plain ? UT_OK
                        : sweep_error(sweep, name, err,
                                      "a name of a column is not empty and has no commas, quotes "
                                      "and line breaks");
    }
    enum { ROOM = 400 };
    char* text = UT_PUSH(&sweep->memory, char, ROOM);
    if (text == NULL) {
        return sweep_memory_error(sweep, err);
    }
    const SweepCondition* c = &o->what;
    if (o->measure == SWEEP_COUNT || o->measure == SWEEP_FIRST) {
        char bound[UT_NUMBER_SIZE];
        ut_number_write_short(c->bound, bound);
        snprintf(text, ROOM, "%s %s %s %s", measures[o->measure], c->quantity,
                 c->is_less ? "<" : ">", bound);
    } else if (o->measure == SWEEP_END || o->measure == SWEEP_SERIES) {
        snprintf(text, ROOM, "%s", c->quantity);
    } else {
        snprintf(text, ROOM, "%s %s", measures[o->measure], c->quantity);
    }
    o->name = text;
    return UT_OK;
}

static utStatus read_points(const Sweep* sweep, const utJson* object, SweepOutput* o, utError* err)
{
    const utJson* points = ut_json_member(object, "points");
    long long count = 1;
    if (points == NULL && o->measure == SWEEP_SERIES) {
        return sweep_error(sweep, object, err,
                           "a series needs \"points\", the number of its values");
    }
    if (points != NULL && o->measure != SWEEP_SERIES) {
        return sweep_error(sweep, points, err, "only a series has \"points\"");
    }
    if (points != NULL) {
        UT_TRY(sweep_whole(sweep, points, "\"points\"", 1, SWEEP_MAX_COLUMNS, &count, err));
    }
    o->points = (int)count;
    return UT_OK;
}

static utStatus read_output_object(Sweep* sweep, const utJson* object, SweepOutput* o, utError* err)
{
    static const char* const known[] = {"end",   "min",    "max",    "mean", "count",
                                        "first", "series", "points", "name", NULL};
    int found = 0;
    for (const utJson* m = object->first; m != NULL; m = m->next) {
        if (sweep_find_word(m->key.data, known) < 0) {
            return sweep_unknown(sweep, m, "an output", known, err);
        }
        const int measure = sweep_find_word(m->key.data, measures);
        if (measure < 0) {
            continue;
        }
        if (found++ > 0) {
            return sweep_error(sweep, m, err,
                               "an output has one of end, min, max, mean, count, first, series");
        }
        o->measure = (SweepMeasure)measure;
        if (o->measure == SWEEP_COUNT || o->measure == SWEEP_FIRST) {
            UT_TRY(read_condition(sweep, m, &o->what, err));
        } else {
            UT_TRY(read_quantity(sweep, m, &o->what, err));
        }
    }
    return found == 1
               ? read_points(sweep, object, o, err)
               : sweep_error(sweep, object, err,
                             "an output has one of end, min, max, mean, count, first, series");
}

// Columns have different names, also from those of parameters and figures.
static utStatus check_name(const Sweep* sweep, const SweepOutput* o, utError* err)
{
    static const char* const taken[] = {"job",     "status", "message",         "state_hash",
                                        "steps",   "max_E",  "max_penetration", "max_contacts",
                                        "flagged", NULL};
    bool is_taken = sweep_find_word(o->name, taken) >= 0;
    for (int k = 0; k < sweep->outputs - 1; k++) {
        is_taken = is_taken || strcmp(sweep->output[k].name, o->name) == 0;
    }
    return is_taken || strcmp(o->name, "time") == 0
               ? sweep_error(sweep, o->at, err,
                             "there is a column '%.60s' already; give this one a \"name\"", o->name)
               : UT_OK;
}

utStatus sweep_read_outputs(Sweep* sweep, const utJson* value, utError* err)
{
    UT_TRY(sweep_expect(sweep, value, "\"outputs\"", UT_JSON_ARRAY, err));
    sweep->output = UT_PUSH(&sweep->memory, SweepOutput, value->count);
    if (sweep->output == NULL) {
        return sweep_memory_error(sweep, err);
    }
    for (const utJson* item = value->first; item != NULL; item = item->next) {
        SweepOutput* o = &sweep->output[sweep->outputs++];
        *o = (SweepOutput){.points = 1, .column = sweep->columns, .at = item};
        if (item->type == UT_JSON_STRING) {
            UT_TRY(read_quantity(sweep, item, &o->what, err));
        } else if (item->type == UT_JSON_OBJECT) {
            UT_TRY(read_output_object(sweep, item, o, err));
        } else {
            return sweep_error(sweep, item, err,
                               "an output is a text such as \"box.z\" or an object");
        }
        UT_TRY(name_output(sweep, item, o, err));
        UT_TRY(check_name(sweep, o, err));
        sweep->columns += o->points;
        if (sweep->columns > SWEEP_MAX_COLUMNS) {
            return sweep_error(sweep, item, err, "the outputs have more than %d columns",
                               SWEEP_MAX_COLUMNS);
        }
    }
    return UT_OK;
}

utStatus sweep_read_stops(Sweep* sweep, const utJson* value, utError* err)
{
    UT_TRY(sweep_expect(sweep, value, "\"stop\"", UT_JSON_ARRAY, err));
    sweep->stop = UT_PUSH(&sweep->memory, SweepStop, value->count);
    if (sweep->stop == NULL) {
        return sweep_memory_error(sweep, err);
    }
    for (const utJson* item = value->first; item != NULL; item = item->next) {
        SweepStop* stop = &sweep->stop[sweep->stops++];
        *stop = (SweepStop){.at = item, .text = item->string.data};
        UT_TRY(read_condition(sweep, item, &stop->when, err));
    }
    return UT_OK;
}
