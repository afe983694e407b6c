// SPDX-License-Identifier: Apache-2.0
// Reads the text form of problems (.fc), version 1: `fc d nc nnz`, nnz entries `i j value` of W with
// indices from 0, the d nc numbers of q, the nc numbers of mu. '#' begins a comment; line breaks have no
// meaning. A large W with few entries is stored as sparse rows, any other W as a dense matrix. Version
// 2 begins with `fc2` (read_fc2.c).
#include <limits.h>
#include <string.h>
#include <uptack/problem_files.h>

#include "read.h"

#include "la/dense/dense.h"
#include "sparse_rows.h"

typedef struct Header {
    int d;
    int contacts;
    int entries;
    int rows;
} Header;

// The entries of W: a dense matrix, or arrays of entries, or neither if the text is only checked.
typedef struct Entries {
    int rows, count;
    double* W; // rows x rows, or NULL
    int* row;  // the entries in the order of the file, or NULL
    int* column;
    double* value;
} Entries;

// A matrix with fewer rows, or a larger share of entries, is not smaller as sparse rows.
enum { MIN_SPARSE_ROWS = 300 };
static const double MAX_SPARSE_SHARE = 0.2;

static bool is_sparse(const Entries* e)
{
    return e->rows > MIN_SPARSE_ROWS && e->count < MAX_SPARSE_SHARE * e->rows * e->rows;
}

// ---- the header ---------------------------------------------------------------------------------

static utStatus read_magic(LcpScan* s, int* version)
{
    if (!ut_lcp_scan_word(s)) {
        return ut_lcp_scan_error(s, s->begin,
                                 "the file is empty; a problem is 'fc d nc nnz', the entries of W, "
                                 "q and mu");
    }
    *version = s->word.size != 3                     ? 1
               : memcmp(s->word.data, "fc2", 3) == 0 ? 2
               : memcmp(s->word.data, "fc3", 3) == 0 ? 3
                                                     : 1;
    if (*version == 1 && (s->word.size != 2 || memcmp(s->word.data, "fc", 2) != 0)) {
        return ut_lcp_scan_unexpected(s,
                                      "'fc', 'fc2' or 'fc3', with which a friction problem begins");
    }
    return UT_OK;
}

utStatus ut_coulomb_read_count(LcpScan* s, int least, const char* what, int* count)
{
    if (!ut_lcp_scan_integer(s, count)) {
        return ut_lcp_scan_unexpected(s, "%s, a whole number", what);
    }
    if (*count < least) {
        return ut_lcp_scan_error(s, s->word.data, "%s, is %d; at least %d is needed", what, *count,
                                 least);
    }
    return UT_OK;
}

static utStatus read_header(LcpScan* s, Header* h)
{
    UT_TRY(ut_coulomb_read_count(s, INT_MIN, "d, the dimension", &h->d));
    if (h->d != 2 && h->d != 3) {
        return ut_lcp_scan_error(
            s, s->word.data, "d, the dimension, is %d; it is 2 in the plane and 3 in space", h->d);
    }
    UT_TRY(ut_coulomb_read_count(s, 1, "nc, the number of contacts", &h->contacts));
    const char* contacts = s->word.data;
    UT_TRY(ut_coulomb_read_count(s, 0, "nnz, the number of entries of W", &h->entries));
    const double rows = (double)h->d * h->contacts;
    if (h->entries > rows * rows) {
        return ut_lcp_scan_error(s, s->word.data,
                                 "nnz, the number of entries of W, is %d; W has only %.0f",
                                 h->entries, rows * rows);
    }

    // q and mu need at least this many numbers
    if (!(rows <= INT_MAX) || (rows > 1000.0 && !ut_lcp_scan_could_hold(s, rows + h->contacts))) {
        return ut_lcp_scan_error(s, contacts,
                                 "nc, the number of contacts, is %d but the file has only %zu "
                                 "bytes; %d numbers a contact must follow",
                                 h->contacts, (size_t)(s->end - s->begin), h->d + 1);
    }
    h->rows = (int)rows;
    return UT_OK;
}

// ---- the numbers --------------------------------------------------------------------------------

static utStatus read_index(LcpScan* s, const Entries* e, const char* what, int entry, int* index)
{
    if (!ut_lcp_scan_integer(s, index)) {
        return ut_lcp_scan_unexpected(s, "the %s of entry %d of %d of W", what, entry + 1,
                                      e->count);
    }
    if (*index < 0 || *index >= e->rows) {
        return ut_lcp_scan_error(s, s->word.data,
                                 "the %s of entry %d of W is %d; it lies between 0 and %d", what,
                                 entry + 1, *index, e->rows - 1);
    }
    return UT_OK;
}

static utStatus say_twice(const LcpScan* s, const char* where, int i, int j)
{
    return ut_lcp_scan_error(
        s, where, "W[%d][%d] is given a second time; each entry stands once in the file", i, j);
}

// Read an entry of W. W is NaN where no entry was read yet.
static utStatus read_entry(LcpScan* s, const Entries* to, int entry)
{
    int i, j;
    double value;
    UT_TRY(read_index(s, to, "row", entry, &i));
    const char* where = s->word.data;
    UT_TRY(read_index(s, to, "column", entry, &j));
    if (!ut_lcp_scan_number(s, &value)) {
        return ut_lcp_scan_unexpected(s, "the value of entry %d of %d of W", entry + 1, to->count);
    }
    if (to->W != NULL) {
        double* place = to->W + (size_t)i * (size_t)to->rows + (size_t)j;
        if (!isnan(*place)) {
            return say_twice(s, where, i, j);
        }
        *place = value;
    }
    if (to->row != NULL) {
        to->row[entry] = i;
        to->column[entry] = j;
        to->value[entry] = value;
    }
    return UT_OK;
}

static bool is_word(const LcpScan* s, const char* text)
{
    return s->word.size == strlen(text) && memcmp(s->word.data, text, s->word.size) == 0;
}

utStatus ut_coulomb_read_vector(LcpScan* s, const char* name, int count, CoulombSign sign,
                                double* x)
{
    for (int i = 0; i < count; i++) {
        double value;
        if (!ut_lcp_scan_number(s, &value)) {
            const bool negative = is_word(s, "-inf");
            if (sign != OR_INFINITE || (!negative && !is_word(s, "inf"))) {
                return ut_lcp_scan_unexpected(s, "number %d of %d of %s", i + 1, count, name);
            }
            value = negative ? -HUGE_VAL : HUGE_VAL;
        }
        if (sign == NOT_NEGATIVE && !(value >= 0.0)) {
            char quote[LCP_QUOTE_SIZE];
            return ut_lcp_scan_error(s, s->word.data, "%s[%d] is %s; it cannot be negative", name,
                                     i, ut_lcp_scan_quote(s, quote));
        }
        if (x != NULL) {
            x[i] = value;
        }
    }
    return UT_OK;
}

static utStatus read_matrix(LcpScan* s, const Entries* to)
{
    const size_t size = (size_t)to->rows * (size_t)to->rows;
    for (size_t k = 0; to->W != NULL && k < size; k++) {
        to->W[k] = (double)NAN;
    }
    for (int k = 0; k < to->count; k++) {
        UT_TRY(read_entry(s, to, k));
    }
    for (size_t k = 0; to->W != NULL && k < size; k++) {
        to->W[k] = isnan(to->W[k]) ? 0.0 : to->W[k];
    }
    return UT_OK;
}

// ---- rows ---------------------------------------------------------------------------------------

// The first entry in the file with the indices of an earlier one, or -1.
static int find_repeated(const CoulombEntries* e, const int* order)
{
    int found = -1;
    for (int k = 1; k < e->count; k++) {
        const int a = order[k - 1];
        const int b = order[k];
        if (e->row[a] == e->row[b] && e->column[a] == e->column[b] && (found < 0 || b < found)) {
            found = b;
        }
    }
    return found;
}

// Report an entry that is given twice. @param s scanner at the first entry
static utStatus check_repeated(LcpScan s, const CoulombEntries* e, utArena scratch)
{
    int* order = UT_PUSH(&scratch, int, e->count);
    if (order == NULL || ut_coulomb_sort_entries(e, scratch, order) != UT_OK) {
        return ut_lcp_scan_full(&s, e->rows);
    }
    const int found = find_repeated(e, order);
    if (found < 0) {
        return UT_OK;
    }
    for (int k = 0; k <= 3 * found; k++) {
        ut_lcp_scan_word(&s);
    }
    return say_twice(&s, s.word.data, e->row[found], e->column[found]);
}

// Take memory for W: a dense matrix in `keep`, or the entries of a sparse one in `scratch`.
static bool push_entries(utArena* keep, utArena* scratch, Entries* to)
{
    if (is_sparse(to)) {
        to->row = UT_PUSH(scratch, int, to->count);
        to->column = UT_PUSH(scratch, int, to->count);
        to->value = UT_PUSH(scratch, double, to->count);
    } else {
        to->W = ut_matrix_push(keep, to->rows, to->rows);
    }
    return !ut_arena_failed(keep) && !ut_arena_failed(scratch);
}

// Turn the entries into sparse rows. @param s scanner at the first entry
static utStatus make_rows(LcpScan s, const Entries* from, utArena* keep, utArena scratch,
                          utCoulomb* problem)
{
    const CoulombEntries entries = {from->rows, from->rows,   from->count,
                                    from->row,  from->column, from->value};
    UT_TRY(check_repeated(s, &entries, scratch));
    CoulombRows rows;
    if (ut_coulomb_make_rows(&entries, keep, &rows) != UT_OK) {
        return ut_lcp_scan_full(&s, from->rows);
    }
    problem->W = rows.value;
    problem->W_start = rows.start;
    problem->W_column = rows.column;
    return UT_OK;
}

utStatus ut_coulomb_read_local(LcpScan* s, int N, int entries, utArena* keep, utArena scratch,
                               utCoulomb* problem)
{
    // a text that is too short is read without storing, to report what is missing
    Entries e = {.rows = N, .count = entries};
    double* q = NULL;
    if (ut_lcp_scan_could_hold(s, 3.0 * entries + N)) {
        q = UT_PUSH(keep, double, N);
        if (!push_entries(keep, &scratch, &e)) {
            return ut_lcp_scan_full(s, N);
        }
    }
    const LcpScan begin = *s;
    UT_TRY(read_matrix(s, &e));
    UT_TRY(ut_coulomb_read_vector(s, "q", N, ANY_SIGN, q));
    problem->W = e.W;
    problem->q = q;
    return e.row != NULL ? make_rows(begin, &e, keep, scratch, problem) : UT_OK;
}

// ---- the file -----------------------------------------------------------------------------------

// Read version 1 after its first word.
static utStatus read_first(LcpScan* s, utArena* keep, utArena scratch, utCoulomb* problem)
{
    Header h = {0};
    UT_TRY(read_header(s, &h));
    const bool whole = ut_lcp_scan_could_hold(s, 3.0 * h.entries + h.rows + h.contacts);
    utSection* section = whole ? UT_PUSH(keep, utSection, 1) : NULL;
    double* mu = whole ? UT_PUSH(keep, double, h.contacts) : NULL;
    if (ut_arena_failed(keep)) {
        return ut_lcp_scan_full(s, h.rows);
    }
    if (section != NULL) {
        *section = h.d == 3 ? ut_section_circle() : ut_section_segment();
    }
    *problem = (utCoulomb){.dimension = h.d, .contacts = h.contacts, .mu = mu, .section = section};
    UT_TRY(ut_coulomb_read_local(s, h.rows, h.entries, keep, scratch, problem));
    UT_TRY(ut_coulomb_read_vector(s, "mu", h.contacts, NOT_NEGATIVE, mu));
    if (ut_lcp_scan_word(s)) {
        char quote[LCP_QUOTE_SIZE];
        return ut_lcp_scan_error(s, s->word.data,
                                 "extra text '%s' behind mu; with d = %d, nc = %d and nnz = %d the "
                                 "file ends here",
                                 ut_lcp_scan_quote(s, quote), h.d, h.contacts, h.entries);
    }
    return UT_OK;
}

static utStatus read_problem(LcpScan* s, utArena* keep, utArena scratch, utCoulomb* problem,
                             const double** r)
{
    int version = 1;
    UT_TRY(read_magic(s, &version));
    return version > 1 ? ut_coulomb_read_rest(s, version, keep, scratch, problem, r)
                       : read_first(s, keep, scratch, problem);
}

utStatus ut_coulomb_read_impulses(utText text, const char* file, utArena* keep, utCoulomb* problem,
                                  const double** r, utError* err)
{
    LcpScan s = {.file = file != NULL ? file : "", .comments = true, .err = err};
    s.begin = text.size > 0 ? text.data : "";
    s.end = s.begin + text.size;
    s.begin += text.size >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    s.next = s.begin;

    // lines and columns are ints
    if (text.size >= INT_MAX) {
        return ut_error_at(err, UT_ERR_FORMAT, s.file, 0, 0,
                           "the file has %zu bytes; at most 2 GB can be read", text.size);
    }
    utArena rest = *keep, scratch;
    UT_TRY(ut_problems_scratch(keep, s.file, &scratch, err));
    utCoulomb read;
    const double* impulses = NULL;
    const utStatus status = read_problem(&s, &rest, scratch, &read, &impulses);
    ut_arena_destroy(&scratch);
    UT_TRY(status);
    utError why;
    if (ut_coulomb_check(&read, &why) != UT_OK) {
        return ut_lcp_scan_error(&s, s.begin, "%s", why.message);
    }
    *keep = rest;
    *problem = read;
    if (r != NULL) {
        *r = impulses;
    }
    return UT_OK;
}

utStatus ut_coulomb_read(utText text, const char* file, utArena* keep, utCoulomb* problem,
                         utError* err)
{
    return ut_coulomb_read_impulses(text, file, keep, problem, NULL, err);
}
