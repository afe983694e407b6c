// The text format of problems (.fc): `fc d nc nnz`, nnz entries `i j value` of W counted from 0,
// the d nc numbers of q, the nc numbers of mu. '#' begins a comment; where lines end does not
// matter.
#include <limits.h>
#include <string.h>

#include "internal.h"
#include "lcp/read.h"

typedef struct Header {
    int d;
    int contacts;
    int entries;
    int rows;
} Header;

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

// @param W rows x rows, NaN where no entry came yet; NULL to only look
static utStatus read_entry(LcpScan* s, const Header* h, int entry, double* W)
{
    int i, j;
    double value;
    UT_TRY(read_index(s, h, "row", entry, &i));
    const char* where = s->word.data;
    UT_TRY(read_index(s, h, "column", entry, &j));
    if (!ut_lcp_scan_number(s, &value)) {
        return ut_lcp_scan_unexpected(s, "the value of entry %d of %d of W", entry + 1, h->entries);
    }
    if (W != NULL) {
        double* place = W + (size_t)i * (size_t)h->rows + (size_t)j;
        if (!isnan(*place)) {
            return ut_lcp_scan_error(s, where,
                                     "W[%d][%d] is given a second time; each entry stands once in "
                                     "the file",
                                     i, j);
        }
        *place = value;
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

static utStatus read_numbers(LcpScan* s, const Header* h, double* W, double* q, double* mu)
{
    const size_t size = (size_t)h->rows * (size_t)h->rows;
    for (size_t k = 0; W != NULL && k < size; k++) {
        W[k] = (double)NAN;
    }
    for (int k = 0; k < h->entries; k++) {
        UT_TRY(read_entry(s, h, k, W));
    }
    for (size_t k = 0; W != NULL && k < size; k++) {
        W[k] = isnan(W[k]) ? 0.0 : W[k];
    }
    UT_TRY(read_vector(s, "q", h->rows, true, q));
    UT_TRY(read_vector(s, "mu", h->contacts, false, mu));
    if (ut_lcp_scan_word(s)) {
        char quote[LCP_QUOTE_SIZE];
        return ut_lcp_scan_error(s, s->word.data,
                                 "extra text '%s' behind mu; with d = %d, nc = %d and nnz = %d the "
                                 "file ends here",
                                 ut_lcp_scan_quote(s, quote), h->d, h->contacts, h->entries);
    }
    return UT_OK;
}

// ---- the file -----------------------------------------------------------------------------------

static utStatus read_problem(LcpScan* s, utArena* keep, utCoulomb* problem)
{
    Header h = {0};
    UT_TRY(read_header(s, &h));

    // a text too short for its numbers is read all the same, to say what is missing
    double* W = NULL;
    double* q = NULL;
    double* mu = NULL;
    utSection* section = NULL;
    if (ut_lcp_scan_could_hold(s, 3.0 * h.entries + h.rows + h.contacts)) {
        W = ut_lcp_push_matrix(keep, h.rows);
        q = UT_PUSH(keep, double, h.rows);
        mu = UT_PUSH(keep, double, h.contacts);
        section = UT_PUSH(keep, utSection, 1);
        if (W == NULL || q == NULL || mu == NULL || section == NULL) {
            return ut_lcp_scan_full(s, h.rows);
        }
        *section = h.d == 3 ? ut_section_circle() : ut_section_segment();
    }
    UT_TRY(read_numbers(s, &h, W, q, mu));
    *problem = (utCoulomb){
        .dimension = h.d,
        .contacts = h.contacts,
        .mu = mu,
        .section = section,
        .W = W,
        .q = q,
    };
    return UT_OK;
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
    *keep = rest;
    *problem = read;
    return UT_OK;
}
