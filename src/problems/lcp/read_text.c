// SPDX-License-Identifier: Apache-2.0
// Reads the text format: '#' comments, n, the n rows of M, then q. Line breaks have no meaning, but if
// the number of numbers is wrong, the messages use the lines to describe what is missing.
#include "read.h"

#include "la/dense/dense.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TRUSTED_N = 1000 }; // a larger n is an error if the file cannot hold one row

typedef struct TextProblem {
    LcpScan* s;
    const char* order; // position of n in the text
    LcpScan behind;    // the scanner after n
    int n;
    double* M; // NULL when the text is too short for it
    double* q;
} TextProblem;

static utStatus read_order(LcpScan* s, int* n)
{
    double value;
    char quote[LCP_QUOTE_SIZE];
    if (!ut_lcp_scan_number(s, &value)) {
        return ut_lcp_scan_unexpected(s, "n, the number of unknowns");
    }
    if (!(value >= 1.0)) {
        return ut_lcp_scan_error(s, s->word.data, "n is %s; at least one unknown is needed",
                                 ut_lcp_scan_quote(s, quote));
    }
    if (value > MAX_TRUSTED_N && !ut_lcp_scan_could_hold(s, value)) {
        return ut_lcp_scan_error(s, s->word.data,
                                 "n is %s but the file has only %zu bytes; n rows of M with n "
                                 "numbers each must follow, then n of q",
                                 ut_lcp_scan_quote(s, quote), (size_t)(s->end - s->begin));
    }
    *n = (int)value;
    if ((double)*n != value) {
        return ut_lcp_scan_error(s, s->word.data, "n is %s; it must be a whole number",
                                 ut_lcp_scan_quote(s, quote));
    }
    return UT_OK;
}

// The name of a row; q is row n.
static const char* row_name(const TextProblem* p, int row, char name[32])
{
    if (row == p->n) {
        return "q";
    }
    snprintf(name, 32, "row %d of M", row + 1);
    return name;
}

// ---- numbers that do not add up -----------------------------------------------------------------

// One line with words on it.
typedef struct Line {
    int count;         // words
    const char* end;   // one past the last word
    const char* extra; // word n + 1, or NULL
} Line;

// Read the next line with words. @return false at the end of the text
static bool next_line(LcpScan* s, int n, Line* line)
{
    *line = (Line){0};
    LcpScan ahead = *s;
    while (ut_lcp_scan_word(&ahead)) {
        if (line->count > 0 &&
            memchr(line->end, '\n', (size_t)(ahead.word.data - line->end)) != NULL) {
            break;
        }
        line->extra = line->count == n ? ahead.word.data : line->extra;
        line->count++;
        line->end = ahead.next;
        *s = ahead;
    }
    return line->count > 0;
}

// @param row row of M, or n for q
static utStatus blame_row(const TextProblem* p, int row, const Line* line)
{
    char room[32];
    const char* name = row_name(p, row, room);
    if (line->count < p->n) {
        return ut_lcp_scan_error(p->s, line->end, "%s has %d of %d numbers on its line", name,
                                 line->count, p->n);
    }
    return ut_lcp_scan_error(p->s, line->extra, "%s has %d numbers on its line, expected n = %d%s",
                             name, line->count, p->n, row < p->n ? ": M must be square" : "");
}

// If the text has n + 1 lines, or as many as another n would need, the lines are the rows of M and q:
// report the wrong one. @return UT_OK when the lines do not match any n
static utStatus blame_line(const TextProblem* p)
{
    const int n = p->n;
    Line line;
    int lines = 0;
    int first = 0;
    bool even = true;
    LcpScan s = p->behind;
    while (next_line(&s, n, &line)) {
        first = lines == 0 ? line.count : first;
        even = even && line.count == first;
        lines++;
    }
    if (even && first != n && lines == first + 1) {
        return ut_lcp_scan_error(p->s, p->order,
                                 "n is %d but the lines below are those of n = %d: %d rows of M "
                                 "with %d numbers each, then q",
                                 n, first, first, first);
    }

    s = p->behind;
    for (int row = 0; lines == n + 1 && next_line(&s, n, &line); row++) {
        if (line.count != n) {
            return blame_row(p, row, &line);
        }
    }
    return UT_OK;
}

// Report that the text ends after `count` numbers of a row.
static utStatus too_few(const TextProblem* p, int row, int count)
{
    UT_TRY(blame_line(p));
    char name[32];
    const double n = p->n;
    return ut_lcp_scan_error(p->s, p->s->end,
                             "the file ends in %s, which has %d of %d numbers; M and q need %.0f "
                             "more",
                             row_name(p, row, name), count, p->n, n * n + n - (row * n + count));
}

static utStatus too_many(const TextProblem* p)
{
    double number;
    const utText extra = p->s->word;
    LcpScan s = *p->s;
    s.next = extra.data;
    if (ut_lcp_scan_number(&s, &number)) {
        UT_TRY(blame_line(p));
    }
    char quote[LCP_QUOTE_SIZE];
    return ut_lcp_scan_error(&s, extra.data,
                             "extra text '%s' behind q; with n = %d there are %d rows of M with %d "
                             "numbers each, then %d of q",
                             ut_lcp_scan_quote(p->s, quote), p->n, p->n, p->n, p->n);
}

// ---- reading ------------------------------------------------------------------------------------

// Read a row of M, or q when row == n. @param x n entries, or NULL: only check
static utStatus read_row(const TextProblem* p, int row, double* x)
{
    for (int j = 0; j < p->n; j++) {
        double value;
        if (!ut_lcp_scan_number(p->s, &value)) {
            if (p->s->word.size == 0) {
                return too_few(p, row, j);
            }
            char name[32];
            return ut_lcp_scan_unexpected(p->s, "a number of %s", row_name(p, row, name));
        }
        if (x != NULL) {
            x[j] = value;
        }
    }
    return UT_OK;
}

utStatus ut_lcp_read_text(LcpScan* s, utArena* keep, utLcp* lcp)
{
    s->comments = true;
    TextProblem p = {.s = s};
    UT_TRY(read_order(s, &p.n));
    p.order = s->word.data;
    p.behind = *s;

    // a text that is too short is read without storing, to report what is missing
    const int n = p.n;
    if (ut_lcp_scan_could_hold(s, (double)n * n + n)) {
        p.M = ut_matrix_push(keep, n, n);
        p.q = UT_PUSH(keep, double, n);
        if (ut_arena_failed(keep)) {
            return ut_lcp_scan_full(s, n);
        }
    }
    for (int i = 0; i < n; i++) {
        UT_TRY(read_row(&p, i, p.M != NULL ? p.M + (size_t)i * (size_t)n : NULL));
    }
    UT_TRY(read_row(&p, n, p.q));
    if (ut_lcp_scan_word(s)) {
        return too_many(&p);
    }
    *lcp = (utLcp){.n = n, .M = p.M, .q = p.q};
    return UT_OK;
}
