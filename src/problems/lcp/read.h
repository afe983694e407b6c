// SPDX-License-Identifier: Apache-2.0
// Functions that the readers of problem files share: a scanner of words, and messages with a
// position.
#ifndef UPTACK_PROBLEMS_LCP_READ_H
#define UPTACK_PROBLEMS_LCP_READ_H

#include <uptack/lcp.h>

/// Scanner of a text. Words are separated by white space.
typedef struct LcpScan {
    const char* file;  ///< name for messages
    const char* begin; ///< first byte after a byte order mark
    const char* next;  ///< first byte that is not read yet
    const char* end;   ///< one past the last
    bool comments;     ///< '#' to the end of the line counts as white space
    utText word;       ///< the last word; empty and at `end` after the last one
    utError* err;
} LcpScan;

/// Read the next word. @return false at the end of the text
bool ut_lcp_scan_word(LcpScan* s);

/// Read the next word as a number. @return false when it is not a number or the text ends; report that
/// with ut_lcp_scan_unexpected
bool ut_lcp_scan_number(LcpScan* s, double* value);

/// Read the next word as a whole number that fits an int. @return as ut_lcp_scan_number
bool ut_lcp_scan_integer(LcpScan* s, int* value);

/// Fill the error with "message" at `where`. @return UT_ERR_FORMAT
utStatus ut_lcp_scan_error(const LcpScan* s, const char* where, const char* format, ...)
    UT_PRINTF(3, 4);

/// Fill the error with "expected WHAT; found 'abc'" for the last word, where `format` gives WHAT.
/// @return UT_ERR_FORMAT
utStatus ut_lcp_scan_unexpected(const LcpScan* s, const char* format, ...) UT_PRINTF(2, 3);

/// Fill the error with the size of a problem that needs too much memory. @return UT_ERR_CAPACITY
utStatus ut_lcp_scan_full(const LcpScan* s, int n);

/// Can the rest of the text hold `count` numbers of two bytes each? Readers call it before they push
/// memory, because a wrong digit must not allocate more than the file could fill.
bool ut_lcp_scan_could_hold(const LcpScan* s, double count);

enum { LCP_QUOTE_SIZE = 48 };

/// The last word for a message, shortened, with \xNN for bytes that cannot be printed.
const char* ut_lcp_scan_quote(const LcpScan* s, char text[LCP_QUOTE_SIZE]);

/// Create an arena for arrays that are needed only while a file is read, with the allocator of
/// `keep`. @return UT_ERR_CAPACITY when there is no memory
utStatus ut_problems_scratch(const utArena* keep, const char* file, utArena* scratch, utError* err);

/// Reader of one format. All arrays of `lcp` are in `keep`.
typedef utStatus LcpRead(LcpScan* s, utArena* keep, utLcp* lcp);

LcpRead ut_lcp_read_text, ut_lcp_read_json, ut_lcp_read_dat, ut_lcp_read_dat_mixed;

/// Does the text begin like an MLCP of Siconos, and not like an LCP?
bool ut_lcp_dat_is_mixed(LcpScan s);

#endif
