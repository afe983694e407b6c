// SPDX-License-Identifier: Apache-2.0
// The parameters of a specification: lists, grids, ranges and distributions.
#include <math.h>
#include <string.h>

#include "sweeps/sweep_spec.h"

// ---- names --------------------------------------------------------------------------------------

static utStatus check_name(const Sweep* sweep, const utJson* member, utError* err)
{
    static const char* const taken[] = {
        "status",       "message", "state_hash", "steps", "time",   "max_E", "max_penetration",
        "max_contacts", "flagged", "job",        "seed",  "repeat", "t",     "pi",
        "sin",          "cos",     "tan",        "exp",   "log",    "sqrt",  "abs",
        "atan2",        "min",     "max",        "clamp", "step",   NULL};
    const char* name = member->key.data;
    const size_t size = strlen(name);
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char characters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    if (size == 0 || size > 60 || strspn(name, characters) != size || strspn(name, letters) == 0) {
        return sweep_error(sweep, member, err,
                           "'%.60s' is no name of a parameter; it has letters, digits and _, and "
                           "begins with a letter",
                           name);
    }
    if (sweep_find_word(name, taken) >= 0) {
        return sweep_error(sweep, member, err,
                           "a parameter cannot be called '%s', which is a column of the table or "
                           "has a meaning in expressions",
                           name);
    }
    return UT_OK;
}

// ---- lists and grids ----------------------------------------------------------------------------

static utStatus read_list(Sweep* sweep, const utJson* list, SweepParameter* p, utError* err)
{
    if (list->count == 0) {
        return sweep_error(sweep, list, err, "the list of parameter '%s' is empty", p->name);
    }
    p->count = list->count;
    p->kind = list->first->type == UT_JSON_STRING ? SWEEP_TEXTS : SWEEP_LIST;
    p->number = UT_PUSH(&sweep->memory, double, p->count);
    p->text = UT_PUSH(&sweep->memory, const char*, p->count);
    if (ut_arena_failed(&sweep->memory)) {
        return sweep_memory_error(sweep, err);
    }
    int k = 0;
    for (const utJson* value = list->first; value != NULL; value = value->next, k++) {
        if (value->type != UT_JSON_NUMBER && value->type != UT_JSON_STRING) {
            return sweep_error(sweep, value, err,
                               "values of parameter '%s' must be numbers or texts", p->name);
        }
        if ((value->type == UT_JSON_STRING) != (p->kind == SWEEP_TEXTS)) {
            return sweep_error(sweep, value, err,
                               "values of parameter '%s' must be all numbers or all texts",
                               p->name);
        }
        p->number[k] = value->number;
        p->text[k] = value->string.data;
    }
    return UT_OK;
}

// The expression of t in 0 ... 1 for numbers whose logarithms are evenly spaced.
static utStatus make_log(Sweep* sweep, SweepParameter* p, utError* err)
{
    char lo[UT_NUMBER_SIZE], hi[UT_NUMBER_SIZE], text[4 * UT_NUMBER_SIZE];
    if (!(p->lo > 0.0)) {
        return sweep_error(sweep, p->at, err,
                           "a logarithmic parameter needs limits above 0, not %g", p->lo);
    }
    ut_number_write(p->lo, lo);
    ut_number_write(p->hi, hi);
    const int size = snprintf(text, sizeof text, "%s*exp(t*log(%s/%s))", lo, hi, lo);
    const utStatus status =
        ut_expression_read((utText){text, (size_t)size}, &sweep->memory, &p->log, NULL);
    return status == UT_OK ? UT_OK : sweep_memory_error(sweep, err);
}

static double number_of(const utJson* object, const char* key)
{
    const utJson* value = ut_json_member(object, key);
    return value != NULL && value->type == UT_JSON_NUMBER ? value->number : (double)NAN;
}

static utStatus read_grid(Sweep* sweep, const utJson* object, SweepParameter* p, utError* err)
{
    long long count = 0;
    const utJson* points = ut_json_member(object, "count");
    p->lo = number_of(object, "from");
    p->hi = number_of(object, "to");
    if (!isfinite(p->lo) || !isfinite(p->hi) || points == NULL) {
        return sweep_error(sweep, object, err,
                           "a grid needs the numbers \"from\", \"to\" and \"count\"");
    }
    UT_TRY(sweep_whole(sweep, points, "\"count\"", 1, 1e6, &count, err));
    const bool is_rising = p->lo < p->hi;
    if (count > 1 && p->lo == p->hi) {
        return sweep_error(sweep, object, err,
                           "\"from\" and \"to\" are equal; a list has single values");
    }
    if (p->is_log && !(p->hi > 0.0)) {
        return sweep_error(sweep, object, err,
                           "a logarithmic parameter needs limits above 0, not %g", p->hi);
    }
    if (p->is_log) {
        UT_TRY(make_log(sweep, p, err));
    }
    p->kind = SWEEP_LIST;
    p->count = (int)count;
    p->number = UT_PUSH(&sweep->memory, double, p->count);
    if (p->number == NULL) {
        return sweep_memory_error(sweep, err);
    }
    for (int k = 0; k < p->count; k++) {
        const double u = p->count > 1 ? (double)k / (p->count - 1) : 0.0;
        const double x =
            p->is_log ? ut_expression_at(&p->log, u).value : p->lo + (p->hi - p->lo) * u;
        const double lo = is_rising ? p->lo : p->hi, hi = is_rising ? p->hi : p->lo;
        p->number[k] = k == 0 ? p->lo : k == p->count - 1 ? p->hi : fmin(fmax(x, lo), hi);
    }
    return UT_OK;
}

// ---- ranges and distributions -------------------------------------------------------------------

// Two numbers in a list.
static utStatus read_pair(const Sweep* sweep, const utJson* list, const char* what, double pair[2],
                          utError* err)
{
    if (list->type != UT_JSON_ARRAY || list->count != 2 || list->first->type != UT_JSON_NUMBER ||
        list->first->next->type != UT_JSON_NUMBER) {
        return sweep_error(sweep, list, err, "\"%s\" needs two numbers in a list", what);
    }
    pair[0] = list->first->number;
    pair[1] = list->first->next->number;
    return UT_OK;
}

static utStatus read_range(Sweep* sweep, const utJson* list, const char* what, SweepParameter* p,
                           utError* err)
{
    double pair[2] = {0.0, 0.0};
    UT_TRY(read_pair(sweep, list, what, pair, err));
    p->lo = pair[0];
    p->hi = pair[1];
    if (!(p->lo < p->hi)) {
        return sweep_error(sweep, list, err,
                           "the first limit must be below the second, but %g is not below %g",
                           p->lo, p->hi);
    }
    if (p->is_log) {
        UT_TRY(make_log(sweep, p, err));
    }
    p->kind = SWEEP_UNIFORM;
    if (strcmp(what, "range") == 0) {
        p->kind = SWEEP_RANGE;
        p->dimension = sweep->sampled++;
        if (sweep->sampled > SWEEP_MAX_SAMPLED) {
            return sweep_error(sweep, list, err, "there are more than %d parameters with \"range\"",
                               SWEEP_MAX_SAMPLED);
        }
    }
    return UT_OK;
}

static utStatus read_normal(Sweep* sweep, const utJson* object, const utJson* list,
                            SweepParameter* p, utError* err)
{
    double pair[2] = {0.0, 0.0};
    UT_TRY(read_pair(sweep, list, "normal", pair, err));
    p->kind = SWEEP_NORMAL;
    p->mean = pair[0];
    p->sd = pair[1];
    const double lo = number_of(object, "min"), hi = number_of(object, "max");
    p->lo = isfinite(lo) ? lo : -HUGE_VAL;
    p->hi = isfinite(hi) ? hi : HUGE_VAL;
    if (!(p->sd > 0.0)) {
        return sweep_error(sweep, list->first->next, err,
                           "a standard deviation must be above 0, not %g", p->sd);
    }
    // at least some of the numbers drawn must be within the limits
    if (!(p->lo < p->hi) || p->lo > p->mean + 3.0 * p->sd || p->hi < p->mean - 3.0 * p->sd) {
        return sweep_error(sweep, object, err,
                           "\"min\" must be below \"max\", and within three standard deviations of "
                           "the mean there must be numbers between them");
    }
    return UT_OK;
}

// ---- one parameter ------------------------------------------------------------------------------

static utStatus check_members(const Sweep* sweep, const utJson* object, const SweepParameter* p,
                              const char* first, const char* const* allowed, utError* err)
{
    for (const utJson* m = object->first; m != NULL; m = m->next) {
        if (sweep_find_word(m->key.data, allowed) < 0) {
            char where[120];
            snprintf(where, sizeof where, "parameter '%s' with \"%s\"", p->name, first);
            return sweep_unknown(sweep, m, where, allowed, err);
        }
    }
    return UT_OK;
}

static utStatus read_object(Sweep* sweep, const utJson* object, SweepParameter* p, utError* err)
{
    static const char* const grid[] = {"from", "to", "count", "log", NULL};
    static const char* const range[] = {"range", "log", NULL};
    static const char* const uniform[] = {"uniform", "log", NULL};
    static const char* const normal[] = {"normal", "min", "max", NULL};
    const utJson* log = ut_json_member(object, "log");
    if (log != NULL) {
        UT_TRY(sweep_expect(sweep, log, "\"log\"", UT_JSON_BOOL, err));
        p->is_log = log->boolean;
    }
    const utJson* value;
    if (ut_json_member(object, "from") != NULL) {
        UT_TRY(check_members(sweep, object, p, "from", grid, err));
        return read_grid(sweep, object, p, err);
    }
    if ((value = ut_json_member(object, "range")) != NULL) {
        UT_TRY(check_members(sweep, object, p, "range", range, err));
        return read_range(sweep, value, "range", p, err);
    }
    if ((value = ut_json_member(object, "uniform")) != NULL) {
        UT_TRY(check_members(sweep, object, p, "uniform", uniform, err));
        return read_range(sweep, value, "uniform", p, err);
    }
    if ((value = ut_json_member(object, "normal")) != NULL) {
        UT_TRY(check_members(sweep, object, p, "normal", normal, err));
        return read_normal(sweep, object, value, p, err);
    }
    return sweep_error(
        sweep, object, err,
        "parameter '%s' needs a list, or an object with from, to and count, with range, "
        "with uniform, or with normal",
        p->name);
}

utStatus sweep_read_parameters(Sweep* sweep, const utJson* value, utError* err)
{
    UT_TRY(sweep_expect(sweep, value, "\"parameters\"", UT_JSON_OBJECT, err));
    if (value->count > SWEEP_MAX_PARAMETERS) {
        return sweep_error(sweep, value, err, "there are more than %d parameters",
                           SWEEP_MAX_PARAMETERS);
    }
    sweep->parameter = UT_PUSH(&sweep->memory, SweepParameter, value->count);
    if (sweep->parameter == NULL) {
        return sweep_memory_error(sweep, err);
    }
    for (const utJson* m = value->first; m != NULL; m = m->next) {
        SweepParameter* p = &sweep->parameter[sweep->parameters++];
        *p = (SweepParameter){.name = m->key.data, .at = m};
        UT_TRY(check_name(sweep, m, err));
        if (m->type == UT_JSON_ARRAY) {
            UT_TRY(read_list(sweep, m, p, err));
        } else if (m->type == UT_JSON_OBJECT) {
            UT_TRY(read_object(sweep, m, p, err));
        } else {
            return sweep_error(sweep, m, err, "parameter '%s' must be a list or an object",
                               p->name);
        }
    }
    return UT_OK;
}
