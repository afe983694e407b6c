// SPDX-License-Identifier: Apache-2.0
// Reads problem files: the choice of the format, and the words and messages that all formats share.
#include "read.h"

#include "base/internal.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <uptack/problem_files.h>

// ---- words --------------------------------------------------------------------------------------

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_space(LcpScan* s)
{
    while (s->next < s->end) {
        if (s->comments && *s->next == '#') {
            while (s->next < s->end && *s->next != '\n') {
                s->next++;
            }
        } else if (is_space(*s->next)) {
            s->next++;
        } else {
            return;
        }
    }
}

bool ut_lcp_scan_word(LcpScan* s)
{
    skip_space(s);
    const char* first = s->next;
    while (s->next < s->end && !is_space(*s->next) && !(s->comments && *s->next == '#')) {
        s->next++;
    }
    s->word = (utText){first, (size_t)(s->next - first)};
    return s->word.size > 0;
}

bool ut_lcp_scan_number(LcpScan* s, double* value)
{
    if (!ut_lcp_scan_word(s)) {
        return false;
    }
    double number;
    const char* end = s->word.data + s->word.size;
    if (ut_number_read(s->word.data, end, &number) != end) {
        return false;
    }
    *value = number;
    return true;
}

bool ut_lcp_scan_integer(LcpScan* s, int* value)
{
    double number;
    if (!ut_lcp_scan_number(s, &number) || !(number >= INT_MIN && number <= INT_MAX)) {
        return false;
    }
    int whole = (int)number;
    if ((double)whole != number) {
        return false;
    }
    *value = whole;
    return true;
}

bool ut_lcp_scan_could_hold(const LcpScan* s, double count)
{
    return count <= (double)(s->end - s->next) / 2.0;
}

utStatus ut_problems_scratch(const utArena* keep, const char* file, utArena* scratch, utError* err)
{
    if (ut_arena_create(0, ut_arena_allocator(keep), scratch) != UT_OK) {
        return ut_error_at(err, UT_ERR_CAPACITY, file, 0, 0, "no memory to read this file");
    }
    return UT_OK;
}

// ---- messages -----------------------------------------------------------------------------------

utStatus ut_lcp_scan_error(const LcpScan* s, const char* where, const char* format, ...)
{
    char message[sizeof s->err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);

    // lines are counted only for a message
    int line = 1;
    const char* line_begin = s->begin;
    for (const char* c = s->begin; c < where; c++) {
        if (*c == '\n') {
            line++;
            line_begin = c + 1;
        }
    }
    return ut_error_at(s->err, UT_ERR_FORMAT, s->file, line, (int)(where - line_begin) + 1, "%s",
                       message);
}

const char* ut_lcp_scan_quote(const LcpScan* s, char text[LCP_QUOTE_SIZE])
{
    // keep room for one escape or the dots, and the final 0
    size_t used = 0;
    size_t i = 0;
    for (; i < s->word.size && used < LCP_QUOTE_SIZE - 8; i++) {
        const unsigned char c = (unsigned char)s->word.data[i];
        if (c > ' ' && c < 0x7f) {
            text[used++] = (char)c;
        } else {
            used += (size_t)snprintf(text + used, 5, "\\x%02x", c);
        }
    }
    snprintf(text + used, 4, "%s", i < s->word.size ? "..." : "");
    return text;
}

// Has the word only digits, signs, points and exponents? Such a word may be a number that is too large.
static bool looks_like_a_number(utText word)
{
    bool digit = false;
    for (size_t i = 0; i < word.size; i++) {
        const char c = word.data[i];
        digit = digit || (c >= '0' && c <= '9');
        if (strchr("0123456789+-.eE", c) == NULL || c == 0) {
            return false;
        }
    }
    return digit;
}

utStatus ut_lcp_scan_unexpected(const LcpScan* s, const char* format, ...)
{
    char what[sizeof s->err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);

    if (s->word.size == 0) {
        return ut_lcp_scan_error(s, s->word.data, "expected %s; the file ends here", what);
    }
    double number;
    char quote[LCP_QUOTE_SIZE];
    ut_lcp_scan_quote(s, quote);
    if (looks_like_a_number(s->word) &&
        ut_number_read(s->word.data, s->word.data + s->word.size, &number) == NULL) {
        return ut_lcp_scan_error(
            s, s->word.data, "expected %s; '%s' is no number that a double can hold", what, quote);
    }
    return ut_lcp_scan_error(s, s->word.data, "expected %s; found '%s'%s", what, quote,
                             memchr(s->word.data, ',', s->word.size) != NULL
                                 ? ", and numbers are separated by white space"
                                 : "");
}

utStatus ut_lcp_scan_full(const LcpScan* s, int n)
{
    return ut_error_at(s->err, UT_ERR_CAPACITY, s->file, 0, 0,
                       "no memory for %d unknowns, whose matrix has %.3g MB; give a larger arena",
                       n, 8e-6 * n * n);
}

// ---- which format -------------------------------------------------------------------------------

static bool ends_in_dat(const char* file)
{
    const size_t size = strlen(file);
    if (size < 4) {
        return false;
    }
    const char* ending = file + size - 4;
    return ending[0] == '.' && (ending[1] | 0x20) == 'd' && (ending[2] | 0x20) == 'a' &&
           (ending[3] | 0x20) == 't';
}

static utLcpFormat tell_format(const LcpScan* s)
{
    LcpScan look = *s;
    skip_space(&look);
    if (*look.next == '{') {
        return UT_LCP_FORMAT_JSON;
    }
    if (!ends_in_dat(s->file)) {
        return UT_LCP_FORMAT_TEXT;
    }
    return ut_lcp_dat_is_mixed(*s) ? UT_LCP_FORMAT_DAT_MIXED : UT_LCP_FORMAT_DAT;
}

static utStatus read_format(LcpScan* s, utLcpFormat format, utArena* keep, utLcp* lcp)
{
    switch (format) {
    case UT_LCP_FORMAT_TEXT:
        return ut_lcp_read_text(s, keep, lcp);
    case UT_LCP_FORMAT_JSON:
        return ut_lcp_read_json(s, keep, lcp);
    case UT_LCP_FORMAT_DAT:
        return ut_lcp_read_dat(s, keep, lcp);
    case UT_LCP_FORMAT_DAT_MIXED:
        return ut_lcp_read_dat_mixed(s, keep, lcp);
    case UT_LCP_FORMAT_AUTO:
        break;
    }
    return read_format(s, tell_format(s), keep, lcp);
}

static bool has_byte_order_mark(utText text)
{
    return text.size >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0;
}

utStatus ut_lcp_read(utText text, const char* file, utLcpFormat format, utArena* keep, utLcp* lcp,
                     utError* err)
{
    LcpScan s = {.file = file != NULL ? file : "", .err = err};
    s.begin = text.size > 0 ? text.data : "";
    s.end = s.begin + text.size;
    s.begin += has_byte_order_mark(text) ? 3 : 0;
    s.next = s.begin;

    // lines and columns are ints
    if (text.size >= INT_MAX) {
        return ut_error_at(err, UT_ERR_FORMAT, s.file, 0, 0,
                           "the file has %zu bytes; at most 2 GB can be read", text.size);
    }
    // an empty file has its own message
    skip_space(&s);
    if (s.next == s.end) {
        return ut_lcp_scan_error(&s, s.begin,
                                 "the file is empty; a problem is n, n rows of M and q, or JSON");
    }

    utArena rest = *keep;
    utLcp read = {0};
    UT_TRY(read_format(&s, format, &rest, &read));

    // the solvers demand more than the formats
    utError why;
    if (ut_lcp_check(&read, &why) != UT_OK) {
        LcpScan first = {.begin = s.begin, .next = s.begin, .end = s.end, .file = s.file};
        first.err = err;
        ut_lcp_scan_word(&first);
        return ut_lcp_scan_error(&first, first.word.data, "%s", why.message);
    }
    *keep = rest;
    *lcp = read;
    return UT_OK;
}
