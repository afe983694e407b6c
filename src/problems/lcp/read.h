// SPDX-License-Identifier: Apache-2.0
// What the readers of problem files share: the words of a text, one after the other, and messages
// that say where.
#ifndef UPTACK_PROBLEMS_LCP_READ_H
#define UPTACK_PROBLEMS_LCP_READ_H

#include <uptack/lcp.h>

/// A text that is being read word by word. Words are separated by white space.
typedef struct LcpScan {
    const char* file;  ///< name for messages
    const char* begin; ///< first byte, behind a byte order mark
    const char* next;  ///< first byte not looked at yet
    const char* end;   ///< one past the last
    bool comments;     ///< '#' to the end of the line counts as white space
    utText word;       ///< the last word; empty, and at `end`, when there was none left
    utError* err;
} LcpScan;

/// Go on to the next word. @return false at the end of the text
bool ut_lcp_scan_word(LcpScan* s);

/// The next word as a number. @return false when it is none or there is none left; say so with
/// ut_lcp_scan_unexpected
bool ut_lcp_scan_number(LcpScan* s, double* value);

/// The next word as a whole number that fits an int. @return as ut_lcp_scan_number
bool ut_lcp_scan_integer(LcpScan* s, int* value);

/// Fill the error with "message" at `where`. @return UT_ERR_FORMAT
utStatus ut_lcp_scan_error(const LcpScan* s, const char* where, const char* format, ...)
    UT_PRINTF(3, 4);

/// Fill the error with "expected WHAT; found 'abc'" for the last word, where `format` gives WHAT.
/// @return UT_ERR_FORMAT
utStatus ut_lcp_scan_unexpected(const LcpScan* s, const char* format, ...) UT_PRINTF(2, 3);

/// Fill the error with the size of a problem that `keep` has no room for. @return UT_ERR_CAPACITY
utStatus ut_lcp_scan_full(const LcpScan* s, int n);

/// Could `count` more numbers stand in the rest of the text, at two bytes each? Asked before memory
/// is taken for them, so that a wrong digit never asks for more than the file could fill.
bool ut_lcp_scan_could_hold(const LcpScan* s, double count);

enum { LCP_QUOTE_SIZE = 48 };

/// The last word for a message, shortened, with what cannot be printed as \xNN.
const char* ut_lcp_scan_quote(const LcpScan* s, char text[LCP_QUOTE_SIZE]);

/// Create an arena for arrays that are needed only while a file is read, with the allocator of
/// `keep`. @return UT_ERR_CAPACITY when there is no memory
utStatus ut_problems_scratch(const utArena* keep, const char* file, utArena* scratch, utError* err);

/// One format: everything of `lcp` that it fills lies in `keep`.
typedef utStatus LcpRead(LcpScan* s, utArena* keep, utLcp* lcp);

LcpRead ut_lcp_read_text, ut_lcp_read_json, ut_lcp_read_dat, ut_lcp_read_dat_mixed;

/// Does the text begin as an MLCP of Siconos does, rather than as an LCP?
bool ut_lcp_dat_is_mixed(LcpScan s);

#endif
