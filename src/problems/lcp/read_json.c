// SPDX-License-Identifier: Apache-2.0
// Reads the JSON format: {"M":[[..]],"q":[..],"free":k,"lo":[..],"hi":[..],"findex":[..]}.
#include "read.h"

#include "la/dense/dense.h"

#include <uptack/json.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define KNOWN_KEYS "M, q, free, lo, hi, findex, name and comment"

typedef struct JsonProblem {
    const LcpScan* s;
    const utJson* root;
    const utJson* M;
    const utJson* q;
    const utJson* free;
    const utJson* lo;
    const utJson* hi;
    const utJson* findex;
    int n;
} JsonProblem;

// ---- messages -----------------------------------------------------------------------------------

// Report an error at a value of the tree.
UT_PRINTF(3, 4)
static utStatus fail_at(const JsonProblem* p, const utJson* value, const char* format, ...)
{
    char message[sizeof p->s->err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return ut_error_at(p->s->err, UT_ERR_FORMAT, p->s->file, value->line, value->column, "%s",
                       message);
}

static const char* type_name(const utJson* value)
{
    static const char* const names[] = {
        [UT_JSON_NULL] = "null",       [UT_JSON_BOOL] = "false",     [UT_JSON_NUMBER] = "a number",
        [UT_JSON_STRING] = "a string", [UT_JSON_ARRAY] = "an array", [UT_JSON_OBJECT] = "an object",
    };
    return value->type == UT_JSON_BOOL && value->boolean ? "true" : names[value->type];
}

// ---- values -------------------------------------------------------------------------------------

static bool is_integer(const utJson* value, int lo, int hi)
{
    return value->type == UT_JSON_NUMBER && value->number >= lo && value->number <= hi &&
           value->number == floor(value->number);
}

static utStatus check_array(const JsonProblem* p, const utJson* value, const char* key)
{
    if (value->type != UT_JSON_ARRAY) {
        return fail_at(p, value, "%s must be an array; found %s", key, type_name(value));
    }
    if (value->count != p->n) {
        return fail_at(p, value, "%s has %d entries, expected n = %d, the number of rows of M", key,
                       value->count, p->n);
    }
    return UT_OK;
}

// Read q, lo or hi. @param of_null value of a null; 0: null is not allowed
static utStatus read_vector(const JsonProblem* p, const utJson* array, const char* key,
                            double of_null, utArena* keep, const double** vector)
{
    UT_TRY(check_array(p, array, key));
    double* x = UT_PUSH(keep, double, p->n);
    if (x == NULL) {
        return ut_lcp_scan_full(p->s, p->n);
    }
    int i = 0;
    for (const utJson* value = array->first; value != NULL; value = value->next) {
        const bool null = value->type == UT_JSON_NULL && of_null != 0.0;
        if (!null && value->type != UT_JSON_NUMBER) {
            return fail_at(p, value, "%s[%d] must be a number%s; found %s", key, i,
                           of_null == 0.0 ? "" : ", or null for none", type_name(value));
        }
        x[i++] = null ? of_null : value->number;
    }
    *vector = x;
    return UT_OK;
}

// Check that M is a square matrix of numbers. Its size is then limited by the size of the file.
static utStatus check_matrix(const JsonProblem* p)
{
    int i = 0;
    for (const utJson* row = p->M->first; row != NULL; row = row->next) {
        i++;
        if (row->type != UT_JSON_ARRAY) {
            return fail_at(p, row, "row %d of M must be an array of numbers; found %s", i,
                           type_name(row));
        }
        if (row->count != p->n) {
            return fail_at(p, row, "row %d of M has %d numbers, expected %d: M must be square", i,
                           row->count, p->n);
        }
        int j = 0;
        for (const utJson* value = row->first; value != NULL; value = value->next) {
            j++;
            if (value->type != UT_JSON_NUMBER) {
                return fail_at(p, value, "row %d, column %d of M must be a number; found %s", i, j,
                               type_name(value));
            }
        }
    }
    return UT_OK;
}

static utStatus read_matrix(const JsonProblem* p, utArena* keep, const double** matrix)
{
    UT_TRY(check_matrix(p));
    double* M = ut_matrix_push(keep, p->n, p->n);
    if (M == NULL) {
        return ut_lcp_scan_full(p->s, p->n);
    }
    double* next = M;
    for (const utJson* row = p->M->first; row != NULL; row = row->next) {
        for (const utJson* value = row->first; value != NULL; value = value->next) {
            *next++ = value->number;
        }
    }
    *matrix = M;
    return UT_OK;
}

static utStatus read_findex(const JsonProblem* p, utArena* keep, const int** findex)
{
    UT_TRY(check_array(p, p->findex, "findex"));
    int* index = UT_PUSH(keep, int, p->n);
    if (index == NULL) {
        return ut_lcp_scan_full(p->s, p->n);
    }
    int i = 0;
    for (const utJson* value = p->findex->first; value != NULL; value = value->next) {
        if (!is_integer(value, -1, p->n - 1)) {
            return fail_at(p, value,
                           "findex[%d] must be the number of an unknown, 0 to %d, or -1 for none",
                           i, p->n - 1);
        }
        index[i++] = (int)value->number;
    }
    *findex = index;
    return UT_OK;
}

// ---- consistency --------------------------------------------------------------------------------

// Entry i of an array.
static const utJson* entry_at(const utJson* array, int i)
{
    const utJson* value = array->first;
    while (i-- > 0) {
        value = value->next;
    }
    return value;
}

// ut_lcp_check tests the same, but does not know line and column.
static utStatus check_bounds(const JsonProblem* p, const utLcp* lcp)
{
    for (int i = lcp->free_count; p->hi != NULL && i < lcp->n; i++) {
        const double lo = lcp->lo != NULL ? lcp->lo[i] : 0.0;
        if (lo > lcp->hi[i]) {
            return fail_at(p, entry_at(p->hi, i), "unknown %d has lo > hi; %s", i,
                           p->lo != NULL ? "exchange them" : "lo is 0 where it is not given");
        }
    }
    return UT_OK;
}

static utStatus check_findex(const JsonProblem* p, const utLcp* lcp)
{
    for (int i = 0; p->findex != NULL && i < lcp->n; i++) {
        const int k = lcp->findex[i];
        if (k < 0) {
            continue;
        }
        const utJson* value = entry_at(p->findex, i);
        if (k == i) {
            return fail_at(p, value, "findex[%d] names itself; it names another unknown or is -1",
                           i);
        }
        if (i < lcp->free_count) {
            return fail_at(p, value, "findex[%d] is %d but unknown %d is free; write -1", i, k, i);
        }
        if (k < lcp->free_count || (lcp->lo != NULL && lcp->lo[k] < 0.0)) {
            return fail_at(p, value, "findex[%d] names unknown %d, which may be negative", i, k);
        }
        if (lcp->findex[k] >= 0) {
            return fail_at(p, value,
                           "findex[%d] names unknown %d, which has a friction index itself", i, k);
        }
    }
    return UT_OK;
}

// ---- the object ---------------------------------------------------------------------------------

static bool key_is(const utJson* member, const char* name)
{
    return member->key.size == strlen(name) && memcmp(member->key.data, name, strlen(name)) == 0;
}

static utStatus find_members(JsonProblem* p)
{
    if (p->root->type != UT_JSON_OBJECT) {
        return fail_at(p, p->root, "a problem is an object with \"M\" and \"q\"; found %s",
                       type_name(p->root));
    }
    const struct {
        const char* name;
        const utJson** place;
    } known[] = {{"M", &p->M},   {"q", &p->q},   {"free", &p->free},
                 {"lo", &p->lo}, {"hi", &p->hi}, {"findex", &p->findex}};

    for (const utJson* member = p->root->first; member != NULL; member = member->next) {
        bool found = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (key_is(member, known[k].name)) {
                *known[k].place = member;
                found = true;
            }
        }
        const bool remark = key_is(member, "name") || key_is(member, "comment");
        if (remark && member->type != UT_JSON_STRING) {
            return fail_at(p, member, "%s must be a string; found %s", member->key.data,
                           type_name(member));
        }
        if (!found && !remark) {
            LcpScan key = {.word = member->key};
            char quote[LCP_QUOTE_SIZE];
            return fail_at(p, member, "unknown key \"%s\"; known are " KNOWN_KEYS,
                           ut_lcp_scan_quote(&key, quote));
        }
    }
    if (p->M == NULL || p->q == NULL) {
        return fail_at(p, p->root, "\"%s\" is missing; a problem needs \"M\" and \"q\"",
                       p->M == NULL ? "M" : "q");
    }
    return UT_OK;
}

static utStatus read_members(JsonProblem* p, utArena* keep, utLcp* lcp)
{
    UT_TRY(find_members(p));
    if (p->M->type != UT_JSON_ARRAY || p->M->count == 0) {
        return fail_at(p, p->M, "M must be an array of rows, at least one; found %s",
                       p->M->type == UT_JSON_ARRAY ? "none" : type_name(p->M));
    }
    p->n = p->M->count;
    lcp->n = p->n;
    UT_TRY(read_matrix(p, keep, &lcp->M));
    UT_TRY(read_vector(p, p->q, "q", 0.0, keep, &lcp->q));
    if (p->free != NULL && !is_integer(p->free, 0, p->n)) {
        return fail_at(p, p->free, "free must be a whole number from 0 to n = %d", p->n);
    }
    lcp->free_count = p->free != NULL ? (int)p->free->number : 0;
    if (p->lo != NULL) {
        UT_TRY(read_vector(p, p->lo, "lo", -HUGE_VAL, keep, &lcp->lo));
    }
    if (p->hi != NULL) {
        UT_TRY(read_vector(p, p->hi, "hi", HUGE_VAL, keep, &lcp->hi));
    }
    if (p->findex != NULL) {
        UT_TRY(read_findex(p, keep, &lcp->findex));
    }
    UT_TRY(check_bounds(p, lcp));
    return check_findex(p, lcp);
}

utStatus ut_lcp_read_json(LcpScan* s, utArena* keep, utLcp* lcp)
{
    // the tree takes ten times the memory of the arrays and is needed only here
    utArena memory;
    UT_TRY(ut_problems_scratch(keep, s->file, &memory, s->err));
    utArena tree = memory;
    JsonProblem p = {.s = s};
    const utText text = {s->begin, (size_t)(s->end - s->begin)};
    utStatus status = ut_json_read(text, s->file, &tree, &p.root, s->err);
    if (status == UT_OK) {
        status = read_members(&p, keep, lcp);
    }
    ut_arena_destroy(&memory);
    return status;
}
