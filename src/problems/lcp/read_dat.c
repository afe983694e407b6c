// SPDX-License-Identifier: Apache-2.0
// Reads files of Siconos Numerics. Numbers are separated by white space, and comments may follow.
//
// LCP:    n; a matrix; q
// MLCP:   two flags; n (free); m (complementary);
//         with the first flag:  block rows 0 ... n+m; a 0 (free) or 1 for each block; a matrix; q
//         with the second flag: A, B, C, D row by row, a, b, where M = [A C; D B] and q = [a; b]
// matrix: 0; rows; columns; rows; columns; entries column by column         (dense)
//         1; rows; columns; blocks as in read_blocks, each column by column (block-sparse)
//
// Dense entries are stored column by column, so a line of the file that looks like a row of M is a
// column.
#include "read.h"

#include "la/dense/dense.h"

#include <limits.h>
#include <string.h>

// Read a whole number in lo ... hi.
static utStatus read_int(LcpScan* s, int lo, int hi, const char* what, int* value)
{
    int number;
    if (!ut_lcp_scan_integer(s, &number)) {
        return ut_lcp_scan_unexpected(s, "%s, a whole number", what);
    }
    if (number >= lo && number <= hi) {
        *value = number;
        return UT_OK;
    }
    if (lo == hi) {
        return ut_lcp_scan_error(s, s->word.data, "%s is %d; it must be %d", what, number, lo);
    }
    if (hi == INT_MAX) {
        return ut_lcp_scan_error(s, s->word.data, "%s is %d; it must be at least %d", what, number,
                                 lo);
    }
    return ut_lcp_scan_error(s, s->word.data, "%s is %d; it must lie between %d and %d", what,
                             number, lo, hi);
}

// Check that the rest of the text can hold the `count` numbers of `what`.
static utStatus check_room(const LcpScan* s, double count, const char* what)
{
    if (!ut_lcp_scan_could_hold(s, count)) {
        return ut_lcp_scan_error(s, s->word.data,
                                 "%.0f numbers of %s must follow but the rest of the file has room "
                                 "for %zu at most",
                                 count, what, (size_t)(s->end - s->next) / 2);
    }
    return UT_OK;
}

// Read a rows x columns part of a matrix with leading dimension ld, in the order of the file.
static utStatus read_entries(LcpScan* s, int rows, int columns, bool by_columns, const char* what,
                             double* A, int ld)
{
    const size_t count = (size_t)rows * (size_t)columns;
    const size_t inner = (size_t)(by_columns ? rows : columns);
    for (size_t k = 0; k < count; k++) {
        const size_t i = by_columns ? k % inner : k / inner;
        const size_t j = by_columns ? k / inner : k % inner;
        double value;
        if (!ut_lcp_scan_number(s, &value)) {
            return ut_lcp_scan_unexpected(s, "a number (row %zu, column %zu of %s)", i + 1, j + 1,
                                          what);
        }
        A[i * (size_t)ld + j] += value;
    }
    return UT_OK;
}

// ---- matrices -----------------------------------------------------------------------------------

static utStatus read_size(LcpScan* s, int n, const char* why)
{
    int rows = 0;
    int columns = 0;
    UT_TRY(read_int(s, 0, INT_MAX, "the number of rows", &rows));
    const char* where = s->word.data;
    UT_TRY(read_int(s, 0, INT_MAX, "the number of columns", &columns));
    if (rows != n || columns != n) {
        return ut_lcp_scan_error(s, rows != n ? where : s->word.data,
                                 "the matrix has %d rows and %d columns; it must be square with %s "
                                 "= %d rows",
                                 rows, columns, why, n);
    }
    return UT_OK;
}

// Read the ends of the blocks in one direction. The last is n, and no block is empty.
static utStatus read_block_ends(LcpScan* s, int n, int count, const char* what, int* end)
{
    for (int b = 0; b < count; b++) {
        const int left = count - 1 - b;
        const int before = b > 0 ? end[b - 1] : 0;
        UT_TRY(read_int(s, left > 0 ? before + 1 : n, n - left, what, &end[b]));
    }
    return UT_OK;
}

// A block-sparse matrix, compressed by rows.
typedef struct Blocks {
    int count;       // blocks stored
    int rows;        // block rows
    int columns;     // block columns
    int* row_end;    // rows entries: one past the last row of each block row
    int* column_end; // columns entries
    int filled;      // entries of `first`; block rows from filled - 1 on are empty
    int* first;      // the first block of each block row
    int* column;     // count entries: the block column of each block
} Blocks;

static utStatus read_block_index(LcpScan* s, Blocks* b)
{
    int stored = 0;
    UT_TRY(read_int(s, 1, b->rows + 1, "the size of the row index", &b->filled));
    UT_TRY(read_int(s, b->count, b->count, "the size of the column index", &stored));
    for (int i = 0; i < b->filled; i++) {
        UT_TRY(read_int(s, i > 0 ? b->first[i - 1] : 0, i > 0 ? b->count : 0,
                        "the first block of a row", &b->first[i]));
    }
    if (b->first[b->filled - 1] != b->count) {
        return ut_lcp_scan_error(s, s->word.data,
                                 "the row index ends at block %d; it must end at %d, the number of "
                                 "blocks",
                                 b->first[b->filled - 1], b->count);
    }
    for (int k = 0; k < b->count; k++) {
        UT_TRY(read_int(s, 0, b->columns - 1, "the column of a block", &b->column[k]));
    }
    return UT_OK;
}

static utStatus read_block(LcpScan* s, int n, const Blocks* b, int row, int k, double* M)
{
    int number = 0;
    UT_TRY(read_int(s, k, k, "the number of the block", &number));
    const int column = b->column[k];
    const int top = row > 0 ? b->row_end[row - 1] : 0;
    const int left = column > 0 ? b->column_end[column - 1] : 0;
    return read_entries(s, b->row_end[row] - top, b->column_end[column] - left, true, "a block",
                        M + (size_t)top * (size_t)n + (size_t)left, n);
}

// Read a block-sparse matrix: the numbers of blocks, block rows and block columns; the end of each block
// row and of each block column; the sizes of the two index arrays; the first block of each row; the
// column of each block; then each block after its number.
static utStatus read_blocks(LcpScan* s, int n, utArena scratch, double* M)
{
    Blocks b = {0};
    UT_TRY(read_int(s, 0, INT_MAX, "the number of blocks", &b.count));
    if (b.count == 0) {
        return UT_OK; // M is zero
    }
    UT_TRY(check_room(s, b.count, "the column index"));
    UT_TRY(read_int(s, 1, n, "the number of block rows", &b.rows));
    UT_TRY(read_int(s, 1, n, "the number of block columns", &b.columns));
    b.row_end = UT_PUSH(&scratch, int, b.rows);
    b.column_end = UT_PUSH(&scratch, int, b.columns);
    b.first = UT_PUSH(&scratch, int, (size_t)b.rows + 1);
    b.column = UT_PUSH(&scratch, int, b.count);
    if (ut_arena_failed(&scratch)) {
        return ut_lcp_scan_full(s, n);
    }
    UT_TRY(read_block_ends(s, n, b.rows, "the end of a block row", b.row_end));
    UT_TRY(read_block_ends(s, n, b.columns, "the end of a block column", b.column_end));
    UT_TRY(read_block_index(s, &b));
    for (int row = 0; row + 1 < b.filled; row++) {
        for (int k = b.first[row]; k < b.first[row + 1]; k++) {
            UT_TRY(read_block(s, n, &b, row, k, M));
        }
    }
    return UT_OK;
}

// A zero matrix of order n. @return NULL when there is no memory
static double* zero_matrix(int n, utArena* keep)
{
    double* M = ut_matrix_push(keep, n, n);
    if (M != NULL) {
        memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    }
    return M;
}

// Read a matrix in one of the formats of Siconos. @param why description of n, its order, for messages
static utStatus read_matrix(LcpScan* s, int n, const char* why, utArena* keep, double** M)
{
    int storage = 0;
    UT_TRY(read_int(s, 0, 1, "the storage of the matrix (0 dense, 1 block-sparse)", &storage));
    UT_TRY(read_size(s, n, why));
    if (storage == 0) {
        UT_TRY(read_size(s, n, why));
        UT_TRY(check_room(s, (double)n * n, "M"));
    }
    *M = zero_matrix(n, keep);
    if (*M == NULL) {
        return ut_lcp_scan_full(s, n);
    }
    return storage == 0 ? read_entries(s, n, n, true, "M", *M, n) : read_blocks(s, n, *keep, *M);
}

static utStatus read_vector(LcpScan* s, int n, const char* what, double* x)
{
    for (int i = 0; i < n; i++) {
        if (!ut_lcp_scan_number(s, &x[i])) {
            return ut_lcp_scan_unexpected(s, "a number (entry %d of %s)", i + 1, what);
        }
    }
    return UT_OK;
}

static utStatus read_q(LcpScan* s, int n, utArena* keep, double** q)
{
    *q = UT_PUSH(keep, double, n);
    return *q != NULL ? read_vector(s, n, "q", *q) : ut_lcp_scan_full(s, n);
}

// ---- LCP ----------------------------------------------------------------------------------------

utStatus ut_lcp_read_dat(LcpScan* s, utArena* keep, utLcp* lcp)
{
    int n = 0;
    double* M;
    double* q;
    UT_TRY(read_int(s, 1, INT_MAX, "n (the number of unknowns)", &n));
    UT_TRY(check_room(s, n, "q"));
    UT_TRY(read_matrix(s, n, "n", keep, &M));
    UT_TRY(read_q(s, n, keep, &q));
    *lcp = (utLcp){.n = n, .M = M, .q = q};
    return UT_OK;
}

// ---- MLCP ---------------------------------------------------------------------------------------

// Read the first row of each block, 0 ... n+m, and a flag for each block; free blocks come first.
static utStatus read_kinds(LcpScan* s, int free, int n, utArena scratch)
{
    int* begin = UT_PUSH(&scratch, int, (size_t)n + 1);
    if (begin == NULL) {
        return ut_lcp_scan_full(s, n);
    }
    int count = 0;
    UT_TRY(read_int(s, 0, 0, "the first row of the first block", &begin[0]));
    while (begin[count] < n) {
        UT_TRY(read_int(s, begin[count] + 1, n, "the first row of a block", &begin[count + 1]));
        count++;
    }
    int free_end = 0;
    for (int b = 0; b < count; b++) {
        int complementary = 0;
        UT_TRY(read_int(s, 0, 1, "the kind of a block (0 free, 1 complementary)", &complementary));
        if (complementary == 0 && free_end != begin[b]) {
            return ut_lcp_scan_error(s, s->word.data,
                                     "block %d is free but the one before is not; free blocks come "
                                     "first",
                                     b + 1);
        }
        free_end = complementary == 0 ? begin[b + 1] : free_end;
    }
    if (free_end != free) {
        return ut_lcp_scan_error(s, s->word.data,
                                 "the free blocks have %d rows but n, the number of free unknowns, "
                                 "is %d",
                                 free_end, free);
    }
    return UT_OK;
}

static utStatus read_whole(LcpScan* s, int n, int m, utArena* keep, double** M, double** q)
{
    UT_TRY(read_kinds(s, n, n + m, *keep));
    UT_TRY(read_matrix(s, n + m, "n + m", keep, M));
    return read_q(s, n + m, keep, q);
}

// Read A, B, C, D, a and b with M = [A C; D B].
static utStatus read_parts(LcpScan* s, int n, int m, utArena* keep, double** M, double** q)
{
    const int ld = n + m;
    UT_TRY(check_room(s, (double)ld * ld + ld, "A, B, C, D, a and b"));
    *M = zero_matrix(ld, keep);
    *q = UT_PUSH(keep, double, ld);
    if (*M == NULL || *q == NULL) {
        return ut_lcp_scan_full(s, ld);
    }

    double* lower = *M + (size_t)n * (size_t)ld;
    UT_TRY(read_entries(s, n, n, false, "A", *M, ld));
    UT_TRY(read_entries(s, m, m, false, "B", lower + n, ld));
    UT_TRY(read_entries(s, n, m, false, "C", *M + n, ld));
    UT_TRY(read_entries(s, m, n, false, "D", lower, ld));
    UT_TRY(read_vector(s, n, "a", *q));
    return read_vector(s, m, "b", *q + n);
}

utStatus ut_lcp_read_dat_mixed(LcpScan* s, utArena* keep, utLcp* lcp)
{
    int whole = 0;
    int parts = 0;
    UT_TRY(read_int(s, 0, 1, "the first flag (1 when M and q are stored)", &whole));
    UT_TRY(read_int(s, 0, 1, "the second flag (1 when A, B, C, D, a and b are stored)", &parts));
    if (whole == 0 && parts == 0) {
        return ut_lcp_scan_error(s, s->word.data,
                                 "both flags are 0; one of them must be 1 for a matrix to follow");
    }
    int n = 0;
    int m = 0;
    UT_TRY(read_int(s, 0, INT_MAX, "n (the number of free unknowns)", &n));
    UT_TRY(read_int(s, n > 0 ? 0 : 1, INT_MAX, "m (the number of complementary unknowns)", &m));
    UT_TRY(check_room(s, (double)n + m, "q"));

    // if both flags are set the second part repeats the first
    double* M;
    double* q;
    UT_TRY(whole == 1 ? read_whole(s, n, m, keep, &M, &q) : read_parts(s, n, m, keep, &M, &q));
    *lcp = (utLcp){.n = n + m, .M = M, .q = q, .free_count = n};
    return UT_OK;
}

// The first number of an MLCP is a flag, which may look like n = 1 of an LCP. An LCP continues with its
// storage, 1, 1 and the 1 of the dense size or of a single block. An MLCP has there the first row of
// its first block, 0.
bool ut_lcp_dat_is_mixed(LcpScan s)
{
    int head[5] = {-1, -1, -1, -1, -1};
    for (int i = 0; i < 5; i++) {
        if (!ut_lcp_scan_integer(&s, &head[i])) {
            break;
        }
    }
    const bool one_unknown = head[2] == 1 && head[3] == 1 && head[4] != 0;
    return head[0] == 0 || (head[0] == 1 && !one_unknown);
}
