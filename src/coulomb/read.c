// The text format of problems (.fc): `fc d nc nnz`, nnz entries `i j value` of W counted from 0,
// the d nc numbers of q, the nc numbers of mu. '#' begins a comment; where lines end does not
// matter. A large W with few entries is kept as rows, any other whole.
#include <limits.h>
#include <string.h>

#include "internal.h"
#include "lcp/read.h"
#include "rows.h"

typedef struct Header {
    int d;
    int contacts;
    int entries;
    int rows;
} Header;

// Where the numbers go; nothing is there when a text is only looked at.
typedef struct Numbers {
    double* W; // rows x rows, or NULL
    int* row;  // the entries as they come, or NULL
    int* column;
    double* value;
    double* q;
    double* mu;
} Numbers;

// Below this size, or when more of W is filled than that, a matrix of rows saves nothing.
static bool is_sparse(const Header* h)
{
    return h->rows > 300 && h->entries < 0.2 * h->rows * h->rows;
}

// ---- the header ---------------------------------------------------------------------------------

static utStatus read_magic(LcpScan* s)
{
    if (!ut_lcp_scan_word(s)) {
        return ut_lcp_scan_error(s, s->begin,
                                 "the file is empty; a problem is 'fc d nc nnz', the entries of W, "
                                 "q and mu");
    }
    if (s->word.size != 2 || memcmp(s->word.data, "fc", 2) != 0) {
        return ut_lcp_scan_unexpected(s, "'fc', with which a friction problem begins");
    }
    return UT_OK;
}

static utStatus read_count(LcpScan* s, int least, const char* what, int* count)
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
    UT_TRY(read_magic(s));
    UT_TRY(read_count(s, INT_MIN, "d, the dimension", &h->d));
    if (h->d != 2 && h->d != 3) {
        return ut_lcp_scan_error(
            s, s->word.data, "d, the dimension, is %d; it is 2 in the plane and 3 in space", h->d);
    }
    UT_TRY(read_count(s, 1, "nc, the number of contacts", &h->contacts));
    const char* contacts = s->word.data;
    UT_TRY(read_count(s, 0, "nnz, the number of entries of W", &h->entries));
    const double rows = (double)h->d * h->contacts;
    if (h->entries > rows * rows) {
        return ut_lcp_scan_error(s, s->word.data,
                                 "nnz, the number of entries of W, is %d; W has only %.0f",
                                 h->entries, rows * rows);
    }

    // q and mu alone need this much
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

static utStatus read_index(LcpScan* s, const Header* h, const char* what, int entry, int* index)
{
    if (!ut_lcp_scan_integer(s, index)) {
        return ut_lcp_scan_unexpected(s, "the %s of entry %d of %d of W", what, entry + 1,
                                      h->entries);
    }
    if (*index < 0 || *index >= h->rows) {
        return ut_lcp_scan_error(s, s->word.data,
                                 "the %s of entry %d of W is %d; it lies between 0 and d nc - 1 = "
                                 "%d",
                                 what, entry + 1, *index, h->rows - 1);
    }
    return UT_OK;
}

static utStatus say_twice(const LcpScan* s, const char* where, int i, int j)
{
    return ut_lcp_scan_error(
        s, where, "W[%d][%d] is given a second time; each entry stands once in the file", i, j);
}

// W is NaN where no entry came yet.
static utStatus read_entry(LcpScan* s, const Header* h, int entry, const Numbers* to)
{
    int i, j;
    double value;
    UT_TRY(read_index(s, h, "row", entry, &i));
    const char* where = s->word.data;
    UT_TRY(read_index(s, h, "column", entry, &j));
    if (!ut_lcp_scan_number(s, &value)) {
        return ut_lcp_scan_unexpected(s, "the value of entry %d of %d of W", entry + 1, h->entries);
    }
    if (to->W != NULL) {
        double* place = to->W + (size_t)i * (size_t)h->rows + (size_t)j;
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

// @param x count entries, or NULL to only look
static utStatus read_vector(LcpScan* s, const char* name, int count, bool negative, double* x)
{
    for (int i = 0; i < count; i++) {
        double value;
        if (!ut_lcp_scan_number(s, &value)) {
            return ut_lcp_scan_unexpected(s, "number %d of %d of %s", i + 1, count, name);
        }
        if (!negative && !(value >= 0.0)) {
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

static utStatus read_matrix(LcpScan* s, const Header* h, const Numbers* to)
{
    const size_t size = (size_t)h->rows * (size_t)h->rows;
    for (size_t k = 0; to->W != NULL && k < size; k++) {
        to->W[k] = (double)NAN;
    }
    for (int k = 0; k < h->entries; k++) {
        UT_TRY(read_entry(s, h, k, to));
    }
    for (size_t k = 0; to->W != NULL && k < size; k++) {
        to->W[k] = isnan(to->W[k]) ? 0.0 : to->W[k];
    }
    return UT_OK;
}

static utStatus read_numbers(LcpScan* s, const Header* h, const Numbers* to)
{
    UT_TRY(read_matrix(s, h, to));
    UT_TRY(read_vector(s, "q", h->rows, true, to->q));
    UT_TRY(read_vector(s, "mu", h->contacts, false, to->mu));
    if (ut_lcp_scan_word(s)) {
        char quote[LCP_QUOTE_SIZE];
        return ut_lcp_scan_error(s, s->word.data,
                                 "extra text '%s' behind mu; with d = %d, nc = %d and nnz = %d the "
                                 "file ends here",
                                 ut_lcp_scan_quote(s, quote), h->d, h->contacts, h->entries);
    }
    return UT_OK;
}

// ---- rows ---------------------------------------------------------------------------------------

// The first entry in the file that repeats the place of another, -1 when none does.
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

// @param s where the entries begin
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

// ---- the file -----------------------------------------------------------------------------------

// Take memory for all numbers. @param keep entries, which do not stay, come from its far end
static bool push_numbers(const Header* h, utArena* keep, Numbers* to)
{
    to->q = UT_PUSH(keep, double, h->rows);
    to->mu = UT_PUSH(keep, double, h->contacts);
    if (is_sparse(h)) {
        const size_t count = (size_t)h->entries;
        to->row = ut_coulomb_push_far(keep, count, sizeof *to->row);
        to->column = ut_coulomb_push_far(keep, count, sizeof *to->column);
        to->value = ut_coulomb_push_far(keep, count, sizeof *to->value);
    } else {
        to->W = ut_lcp_push_matrix(keep, h->rows);
    }
    return to->q != NULL && to->mu != NULL &&
           (to->W != NULL || (to->row != NULL && to->column != NULL && to->value != NULL));
}

// @param s where the entries begin
static utStatus make_rows(LcpScan s, const Header* h, const Numbers* from, utArena* keep,
                          utCoulomb* problem)
{
    const CoulombEntries entries = {h->rows,   h->rows,      h->entries,
                                    from->row, from->column, from->value};
    UT_TRY(check_repeated(s, &entries, *keep));
    CoulombRows rows;
    if (ut_coulomb_make_rows(&entries, keep, &rows) != UT_OK) {
        return ut_lcp_scan_full(&s, h->rows);
    }
    problem->W = rows.value;
    problem->W_start = rows.start;
    problem->W_column = rows.column;
    return UT_OK;
}

static utStatus read_problem(LcpScan* s, utArena* keep, utCoulomb* problem)
{
    Header h = {0};
    UT_TRY(read_header(s, &h));

    // a text too short for its numbers is read all the same, to say what is missing
    Numbers numbers = {0};
    utSection* section = NULL;
    if (ut_lcp_scan_could_hold(s, 3.0 * h.entries + h.rows + h.contacts)) {
        section = UT_PUSH(keep, utSection, 1);
        if (section == NULL || !push_numbers(&h, keep, &numbers)) {
            return ut_lcp_scan_full(s, h.rows);
        }
        *section = h.d == 3 ? ut_section_circle() : ut_section_segment();
    }
    const LcpScan entries = *s;
    UT_TRY(read_numbers(s, &h, &numbers));
    *problem = (utCoulomb){
        .dimension = h.d,
        .contacts = h.contacts,
        .mu = numbers.mu,
        .section = section,
        .W = numbers.W,
        .q = numbers.q,
    };
    return numbers.row != NULL ? make_rows(entries, &h, &numbers, keep, problem) : UT_OK;
}

utStatus ut_coulomb_read(utText text, const char* file, utArena* keep, utCoulomb* problem,
                         utError* err)
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
    utArena rest = *keep;
    utCoulomb read;
    UT_TRY(read_problem(&s, &rest, &read));
    UT_TRY(ut_coulomb_check(&read, err));
    keep->next = rest.next;
    *problem = read;
    return UT_OK;
}
