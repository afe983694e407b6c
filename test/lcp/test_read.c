// SPDX-License-Identifier: Apache-2.0
// Problems from files: good ones by hand in every format, bad ones with the message they get, and
// random damage that must never do worse than a message.
#include "support/damage.h"
#include "test.h"

#include <uptack/lcp.h>
#include <uptack/problem_files.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static utText text_of(const char* string)
{
    return (utText){string, strlen(string)};
}

// Read, and print the error when that goes wrong.
static bool reads(const char* string, const char* file, utLcpFormat format, utArena* keep,
                  utLcp* lcp)
{
    utError err = {0};
    const bool ok = ut_lcp_read(text_of(string), file, format, keep, lcp, &err) == UT_OK;
    if (!ok) {
        char message[1024];
        ut_error_format(&err, message, sizeof message);
        test_note("%s", message);
    }
    return ok;
}

static void check_numbers(const double* got, const double* want, int count)
{
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(got[i], want[i], 0.0);
    }
}

// ---- good files ---------------------------------------------------------------------------------

// M is not symmetric, so that a transposed one shows.
static const double M2[] = {2, 1, -3, 4};
static const double q2[] = {-5, 0.5};

static void check_two(const char* string, const char* file, utLcpFormat format)
{
    utArena keep = test_arena();
    utLcp lcp;
    if (CHECK(reads(string, file, format, &keep, &lcp))) {
        CHECK_INT(lcp.n, 2);
        CHECK_INT(lcp.free_count, 0);
        CHECK(lcp.lo == NULL && lcp.hi == NULL && lcp.findex == NULL);
        check_numbers(lcp.M, M2, 4);
        check_numbers(lcp.q, q2, 2);
    }
}

TEST(a_text_file_is_n_the_rows_of_M_and_q)
{
    check_two("2\n2 1\n-3 4\n-5 0.5\n", "a.txt", UT_LCP_FORMAT_AUTO);
    check_two("2\n2 1\n-3 4\n-5 0.5\n", "a.txt", UT_LCP_FORMAT_TEXT);
    check_two("2\n2 1\n-3 4\n-5 0.5\n", "-", UT_LCP_FORMAT_AUTO);
    check_two("2\n2 1\n-3 4\n-5 0.5\n", NULL, UT_LCP_FORMAT_AUTO);
}

TEST(lines_and_spaces_of_a_text_file_do_not_matter)
{
    check_two("2 2 1 -3 4 -5 0.5", "a", UT_LCP_FORMAT_AUTO);
    check_two("2\r\n2 1\r\n-3 4\r\n-5 0.5\r\n", "a", UT_LCP_FORMAT_AUTO);
    check_two("\xef\xbb\xbf"
              "2\n2 1\n-3 4\n-5 0.5\n",
              "a", UT_LCP_FORMAT_AUTO);
    check_two("\n\n 2.0\t+2e0 1.\v\f-3 4\n\n\n-5 .5   ", "a", UT_LCP_FORMAT_AUTO);
}

TEST(comments_run_from_a_hash_to_the_end_of_the_line)
{
    check_two("# two unknowns\n2#n\n2 1 # row 1\n-3 4#row 2\n#\n-5 0.5#q", "a", UT_LCP_FORMAT_AUTO);
}

TEST(a_json_file_has_rows_and_q)
{
    check_two("{\"M\":[[2,1],[-3,4]],\"q\":[-5,0.5]}", "a.json", UT_LCP_FORMAT_AUTO);
    check_two(" \n{\"q\":[-5,0.5],\"M\":[[2,1],[-3,4]]}\n", "a.dat", UT_LCP_FORMAT_AUTO);
    check_two("\xef\xbb\xbf{\"comment\":\"words\",\"name\":\"two\",\"free\":0,\r\n"
              "\"M\":[[2,1],[-3,4]],\"q\":[-5,0.5]}",
              "a", UT_LCP_FORMAT_JSON);
}

TEST(a_json_file_can_have_free_unknowns_bounds_and_a_friction_index)
{
    utArena keep = test_arena();
    utLcp lcp;
    CHECK(reads("{\"M\":[[1,0,0],[0,1,0],[0,0,1]], \"q\":[1,2,3], \"free\":1,\n"
                " \"lo\":[null,0,-0.5], \"hi\":[null,null,0.5], \"findex\":[-1,-1,1]}",
                "a.json", UT_LCP_FORMAT_AUTO, &keep, &lcp));
    CHECK_INT(lcp.n, 3);
    CHECK_INT(lcp.free_count, 1);
    check_numbers(lcp.lo, (double[]){-HUGE_VAL, 0, -0.5}, 3);
    check_numbers(lcp.hi, (double[]){HUGE_VAL, HUGE_VAL, 0.5}, 3);
    CHECK_INT(lcp.findex[0], -1);
    CHECK_INT(lcp.findex[1], -1);
    CHECK_INT(lcp.findex[2], 1);
}

TEST(reading_keeps_the_arrays_and_nothing_else)
{
    utArena keep = test_arena();
    const unsigned char* before = keep.next;
    utLcp lcp;
    CHECK(reads("{\"M\":[[2,1],[-3,4]],\"q\":[-5,0.5]}", "a", UT_LCP_FORMAT_AUTO, &keep, &lcp));
    CHECK(keep.next - before <= (4 + 2) * 8 + 2 * UT_ARENA_ALIGNMENT);
}

// A dense Siconos matrix is written column by column: the file's first line is M's first column.
TEST(a_dense_siconos_lcp_is_read_by_columns)
{
    check_two("2\n0\n2\n2\n2\t2\n2 -3\n1 4\n-5 0.5\n", "a.dat", UT_LCP_FORMAT_AUTO);
    check_two("2\n0\n2\n2\n2\t2\n2 -3\n1 4\n-5 0.5\n\nRemark 4.1.14: z_1 + z_2 = 1\n", "A.DAT",
              UT_LCP_FORMAT_AUTO);
    check_two("2\n0\n2\n2\n2\t2\n2 -3\n1 4\n-5 0.5 # words", "x", UT_LCP_FORMAT_DAT);
    check_two("2\r\n0\r\n2\r\n2\r\n2\t2\r\n2 -3\r\n1 4\r\n-5 0.5", "a.dat", UT_LCP_FORMAT_AUTO);
}

// Two block rows and columns of 1 and 2; the block (0, 1) is absent:
//     1 | 0 0
//     --+----
//     2 | 4 6
//     3 | 5 7
TEST(a_block_sparse_siconos_lcp_is_read_by_columns_within_blocks)
{
    utArena keep = test_arena();
    utLcp lcp;
    CHECK(reads("3\n1\n3\n3\n3\n2\n2\n1\t3\t\n1\t3\t\n3\n3\n0\t1\t3\t\n0\t0\t1\t\n"
                "0\n 1.0e+00\n1\n 2\n 3\n2\n 4\n 5\n 6\n 7\n -1 -2 -3 ",
                "a.dat", UT_LCP_FORMAT_AUTO, &keep, &lcp));
    CHECK_INT(lcp.n, 3);
    check_numbers(lcp.M, (double[]){1, 0, 0, 2, 4, 6, 3, 5, 7}, 9);
    check_numbers(lcp.q, (double[]){-1, -2, -3}, 3);
}

TEST(a_siconos_matrix_without_blocks_is_zero)
{
    utArena keep = test_arena();
    utLcp lcp;
    CHECK(reads("2\n1\n2\n2\n0\n3 4", "a.dat", UT_LCP_FORMAT_AUTO, &keep, &lcp));
    check_numbers(lcp.M, (double[]){0, 0, 0, 0}, 4);
    check_numbers(lcp.q, (double[]){3, 4}, 2);
}

// M = [A C; D B] with one free unknown and two complementary ones.
static const double M3[] = {1, 2, 0, 0, 1, 1.5, 0, 0, 1};
static const double q3[] = {-1, 1, -3};

static void check_mixed(const char* string, const char* file, utLcpFormat format)
{
    utArena keep = test_arena();
    utLcp lcp;
    if (CHECK(reads(string, file, format, &keep, &lcp))) {
        CHECK_INT(lcp.n, 3);
        CHECK_INT(lcp.free_count, 1);
        check_numbers(lcp.M, M3, 9);
        check_numbers(lcp.q, q3, 3);
    }
}

// M by columns, q, then A, B, C and D by rows, a, b and the solution, which nobody reads.
#define MIXED_WHOLE                             \
    "1\n1\n1\n2\n0 1 3 \n0 1 \n0\n3\n3\n3\t3\n" \
    "1 0 0\n2 1 0\n0 1.5 1\n-1 1 -3\n"
#define MIXED_PARTS "1\n1 1.5\n0 1\n2 0\n0\n0\n-1\n1 -3 0.000000 3.000000"

TEST(a_siconos_mlcp_has_its_free_unknowns_first)
{
    check_mixed(MIXED_WHOLE MIXED_PARTS, "a.dat", UT_LCP_FORMAT_AUTO);
    check_mixed(MIXED_WHOLE, "a.dat", UT_LCP_FORMAT_AUTO);
    check_mixed(MIXED_WHOLE, "x", UT_LCP_FORMAT_DAT_MIXED);
    check_mixed("0\n1\n1\n2\n" MIXED_PARTS, "a.dat", UT_LCP_FORMAT_AUTO);
}

TEST(several_blocks_of_a_kind_are_fine)
{
    check_mixed("1\n0\n1\n2\n0 1 2 3\n0 1 1\n0 3 3 3 3 1 0 0 2 1 0 0 1.5 1 -1 1 -3", "a.dat",
                UT_LCP_FORMAT_AUTO);
}

// "1 0 1 1" begins both: an LCP of one unknown, and an MLCP of one free unknown and another.
TEST(one_unknown_is_no_mlcp)
{
    utArena keep = test_arena();
    utLcp lcp;
    CHECK(reads("1\n0\n1\n1\n1 1\n7\n-3\n", "a.dat", UT_LCP_FORMAT_AUTO, &keep, &lcp));
    CHECK_INT(lcp.n, 1);
    CHECK_NEAR(lcp.M[0], 7.0, 0.0);
    CHECK_NEAR(lcp.q[0], -3.0, 0.0);

    CHECK(reads("1\n1\n1\n1\n1\n1\n1\n1\n1\n2\n1\n0 1\n0\n0\n7\n-3\n", "a.dat", UT_LCP_FORMAT_AUTO,
                &keep, &lcp));
    CHECK_INT(lcp.n, 1);
    CHECK_NEAR(lcp.M[0], 7.0, 0.0);

    CHECK(reads("1\n0\n1\n1\n0 1 2\n0 1\n0\n2\n2\n2 2\n1 3\n2 4\n5 6\n", "a.dat",
                UT_LCP_FORMAT_AUTO, &keep, &lcp));
    CHECK_INT(lcp.n, 2);
    CHECK_INT(lcp.free_count, 1);
    check_numbers(lcp.M, (double[]){1, 2, 3, 4}, 4);
}

// ---- memory -------------------------------------------------------------------------------------

static const struct {
    const char* text;
    utLcpFormat format;
} good[] = {
    {"# two\n2\n2 1\n-3 4\n-5 0.5\n", UT_LCP_FORMAT_TEXT},
    {"{\"M\":[[1,0],[0,1]],\"q\":[1,-2],\"free\":0,\"lo\":[0,-1.5],\"hi\":[null,1.5],\n"
     "\"findex\":[-1,0],\"name\":\"n\",\"comment\":\"c\"}\n",
     UT_LCP_FORMAT_JSON},
    {"2\n0\n2\n2\n2\t2\n2 -3\n1 4\n-5 0.5\n\nremark\n", UT_LCP_FORMAT_DAT},
    {"3\n1\n3\n3\n3\n2\n2\n1\t3\t\n1\t3\t\n3\n3\n0\t1\t3\t\n0\t0\t1\t\n"
     "0\n 1.0e+00\n1\n 2\n 3\n2\n 4\n 5\n 6\n 7\n -1 -2 -3 ",
     UT_LCP_FORMAT_DAT},
    {MIXED_WHOLE MIXED_PARTS, UT_LCP_FORMAT_DAT_MIXED},
    {"0\n1\n1\n2\n" MIXED_PARTS, UT_LCP_FORMAT_DAT_MIXED},
};

enum { GOOD_COUNT = sizeof good / sizeof *good };

// Whatever the size of the arena, it is enough, or UT_ERR_CAPACITY and nothing has changed.
TEST(a_full_arena_is_said_and_changes_nothing)
{
    for (int g = 0; g < GOOD_COUNT; g++) {
        utArena all = test_arena();
        bool enough = false;
        for (size_t size = 0; size < 20000; size += 8) {
            utArena keep = ut_arena_on(all.next, size);
            utLcp lcp = {.n = -7};
            utError err = {0};
            utStatus status =
                ut_lcp_read(text_of(good[g].text), "a", good[g].format, &keep, &lcp, &err);
            CHECK(status == UT_OK || (status == UT_ERR_CAPACITY && !enough));
            if (status != UT_OK) {
                CHECK(lcp.n == -7 && keep.next == all.next && keep.end == all.next + size);
                CHECK(err.status == UT_ERR_CAPACITY && err.message[0] != 0);
            }
            enough = enough || status == UT_OK;
        }
        CHECK(enough);
    }
}

TEST(nobody_has_to_want_the_error_of_a_read)
{
    utArena keep = test_arena();
    utLcp lcp;
    CHECK(ut_lcp_read(text_of("2 x"), "a", UT_LCP_FORMAT_AUTO, &keep, &lcp, NULL) == UT_ERR_FORMAT);
    CHECK(ut_lcp_read(text_of("{}"), "a", UT_LCP_FORMAT_AUTO, &keep, &lcp, NULL) == UT_ERR_FORMAT);
    CHECK(ut_lcp_read((utText){NULL, 0}, NULL, UT_LCP_FORMAT_AUTO, &keep, &lcp, NULL) ==
          UT_ERR_FORMAT);
}

// ---- bad files ----------------------------------------------------------------------------------

typedef struct Bad {
    const char* file;
    const char* text;
    const char* error;
} Bad;

static const Bad bad[] = {
    {"a.txt", "",
     "a.txt:1:1: error: the file is empty; a problem is n, n rows of M and q, or JSON"},
    {"a.txt", " \n\t\r\n ",
     "a.txt:1:1: error: the file is empty; a problem is n, n rows of M and q, or JSON"},
    {"a.txt", "\xef\xbb\xbf",
     "a.txt:1:1: error: the file is empty; a problem is n, n rows of M and q, or JSON"},
    {"a.txt", "# only words\n",
     "a.txt:2:1: error: expected n, the number of unknowns; the file ends here"},
    {"a.txt", "abc", "a.txt:1:1: error: expected n, the number of unknowns; found 'abc'"},
    {"a.txt", "n = 2\n1 0\n0 1\n1 1\n",
     "a.txt:1:1: error: expected n, the number of unknowns; found 'n'"},
    {"a.txt", "0\n", "a.txt:1:1: error: n is 0; at least one unknown is needed"},
    {"a.txt", "-3\n1 2 3\n", "a.txt:1:1: error: n is -3; at least one unknown is needed"},
    {"a.txt", "2.5\n1 0\n0 1\n1 1\n", "a.txt:1:1: error: n is 2.5; it must be a whole number"},
    {"a.txt", "inf\n1\n", "a.txt:1:1: error: expected n, the number of unknowns; found 'inf'"},
    {"a.txt", "1000000\n1 2\n3 4\n5 6\n",
     "a.txt:1:1: error: n is 1000000 but the file has only 20 bytes; n rows of M with n numbers "
     "each must follow, then n of q"},
    {"a.txt", "1e300\n1\n1\n",
     "a.txt:1:1: error: n is 1e300 but the file has only 10 bytes; n rows of M with n numbers each "
     "must follow, then n of q"},
    {"a.txt", "4294967297\n1\n1\n",
     "a.txt:1:1: error: n is 4294967297 but the file has only 15 bytes; n rows of M with n numbers "
     "each must follow, then n of q"},
    {"a.txt", "1e999\n1\n1\n",
     "a.txt:1:1: error: expected n, the number of unknowns; '1e999' is no number that a double can "
     "hold"},
    {"a.txt", "2",
     "a.txt:1:2: error: the file ends in row 1 of M, which has 0 of 2 numbers; M and q need 6 "
     "more"},
    {"a.txt", "2\n1 0\n0 1\n",
     "a.txt:4:1: error: the file ends in q, which has 0 of 2 numbers; M and q need 2 more"},
    {"a.txt", "2\n1 0\n0\n",
     "a.txt:4:1: error: the file ends in row 2 of M, which has 1 of 2 numbers; M and q need 3 "
     "more"},
    {"a.txt", "3\n1 2\n3 4\n5 6\n",
     "a.txt:1:1: error: n is 3 but the lines below are those of n = 2: 2 rows of M with 2 numbers "
     "each, then q"},
    {"a.txt", "2\n1 2 3\n4 5 6\n7 8 9\n1 1 1\n",
     "a.txt:1:1: error: n is 2 but the lines below are those of n = 3: 3 rows of M with 3 numbers "
     "each, then q"},
    {"a.txt", "5\n1 2 3 4 5\n1 2 3 4 5\n1 2",
     "a.txt:4:4: error: the file ends in row 3 of M, which has 2 of 5 numbers; M and q need 18 "
     "more"},
    {"a.txt", "3\n1 0 0\n0 1\n0 0 1\n1 1 1\n",
     "a.txt:3:4: error: row 2 of M has 2 of 3 numbers on its line"},
    {"a.txt", "2\n1 0\n0 1 2\n1 1\n",
     "a.txt:3:5: error: row 2 of M has 3 numbers on its line, expected n = 2: M must be square"},
    {"a.txt", "2\n1 0\n0 1\n1\n", "a.txt:4:2: error: q has 1 of 2 numbers on its line"},
    {"a.txt", "2\n1 0\n0 1\n1 2 3\n",
     "a.txt:4:5: error: q has 3 numbers on its line, expected n = 2"},
    {"a.txt", "2 1 0 0 1 1",
     "a.txt:1:12: error: the file ends in q, which has 1 of 2 numbers; M and q need 1 more"},
    {"a.txt", "2\n1 0\n0 1\n1 1\n7\n",
     "a.txt:5:1: error: extra text '7' behind q; with n = 2 there are 2 rows of M with 2 numbers "
     "each, then 2 of q"},
    {"a.txt", "2\n1 0\n0 1\n1 1\nthe end\n",
     "a.txt:5:1: error: extra text 'the' behind q; with n = 2 there are 2 rows of M with 2 numbers "
     "each, then 2 of q"},
    {"a.txt", "2\n1 0\n0 abc\n1 1\n",
     "a.txt:3:3: error: expected a number of row 2 of M; found 'abc'"},
    {"a.txt", "2\n1 0\n0 1\n1 nan\n", "a.txt:4:3: error: expected a number of q; found 'nan'"},
    {"a.txt", "2\n1 0\n-inf 1\n1 1\n",
     "a.txt:3:1: error: expected a number of row 2 of M; found '-inf'"},
    {"a.txt", "2\n1, 0\n0, 1\n1, 1\n",
     "a.txt:2:1: error: expected a number of row 1 of M; found '1,', and numbers are separated by "
     "white space"},
    {"a.txt", "2\n1 0\n0 0x10\n1 1\n",
     "a.txt:3:3: error: expected a number of row 2 of M; found '0x10'"},
    {"a.txt", "2\n1 0\n0 1e999\n1 1\n",
     "a.txt:3:3: error: expected a number of row 2 of M; '1e999' is no number that a double can "
     "hold"},
    {"a.txt", "2\n1 0\n0 1.2.3\n1 1\n",
     "a.txt:3:3: error: expected a number of row 2 of M; found '1.2.3'"},
    {"a.txt", "2\n1 0\n0 1d5\n1 1\n",
     "a.txt:3:3: error: expected a number of row 2 of M; found '1d5'"},
    {"a.txt", "2\r\n1 0\r\n0 x\r\n1 1\r\n",
     "a.txt:3:3: error: expected a number of row 2 of M; found 'x'"},
    {"a.txt",
     "\xef\xbb\xbf"
     "2\n1 0\n0 \xc3\xa9\n1 1\n",
     "a.txt:3:3: error: expected a number of row 2 of M; found '\\xc3\\xa9'"},
    {"a.txt",
     "2\n1 0\n0 "
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxxxxx\n1 1\n",
     "a.txt:3:3: error: expected a number of row 2 of M; found "
     "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"},
    {"a.txt", "\x01\x02\x7f",
     "a.txt:1:1: error: expected n, the number of unknowns; found '\\x01\\x02\\x7f'"},
    {"a.txt", "[[1]]", "a.txt:1:1: error: expected n, the number of unknowns; found '[[1]]'"},
    {"a.json", "{", "a.json:1:2: error: expected a key in double quotes or '}'; found end of file"},
    {"a.json", "{}", "a.json:1:1: error: \"M\" is missing; a problem needs \"M\" and \"q\""},
    {"a.json", "{\"M\":[[1]]}",
     "a.json:1:1: error: \"q\" is missing; a problem needs \"M\" and \"q\""},
    {"a.json", "{\"q\":[1]}",
     "a.json:1:1: error: \"M\" is missing; a problem needs \"M\" and \"q\""},
    {"a.json", "{\"M\":[[1]],\"q\":[1]} x",
     "a.json:1:21: error: expected end of file behind the value; found 'x'"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"M\":[[2]]}",
     "a.json:1:20: error: duplicate key \"M\"; its first value is on line 1"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\n \"mu\":0.5}",
     "a.json:2:7: error: unknown key \"mu\"; known are M, q, free, lo, hi, findex, name and "
     "comment"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"n\\u0000\":1}",
     "a.json:1:30: error: unknown key \"n\\x00\"; known are M, q, free, lo, hi, findex, name and "
     "comment"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"name\":3}",
     "a.json:1:27: error: name must be a string; found a number"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"comment\":[\"a\"]}",
     "a.json:1:30: error: comment must be a string; found an array"},
    {"a.json", "{\"M\":1,\"q\":[1]}",
     "a.json:1:6: error: M must be an array of rows, at least one; found a number"},
    {"a.json", "{\"M\":[],\"q\":[]}",
     "a.json:1:6: error: M must be an array of rows, at least one; found none"},
    {"a.json", "{\"M\":[1,2],\"q\":[1,2]}",
     "a.json:1:7: error: row 1 of M must be an array of numbers; found a number"},
    {"a.json", "{\"M\":[[1,0],\n      [0,1,2]],\"q\":[1,2]}",
     "a.json:2:7: error: row 2 of M has 3 numbers, expected 2: M must be square"},
    {"a.json", "{\"M\":[[1,0,0],[0,1,0]],\"q\":[1,2]}",
     "a.json:1:7: error: row 1 of M has 3 numbers, expected 2: M must be square"},
    {"a.json", "{\"M\":[[1,0],[0,\"1\"]],\"q\":[1,2]}",
     "a.json:1:16: error: row 2, column 2 of M must be a number; found a string"},
    {"a.json", "{\"M\":[[1,0],[0,null]],\"q\":[1,2]}",
     "a.json:1:16: error: row 2, column 2 of M must be a number; found null"},
    {"a.json", "{\"M\":[[1,0],[0,1e999]],\"q\":[1,2]}",
     "a.json:1:16: error: number too large for a double; they end at 1.8e308"},
    {"a.json", "{\"M\":[[1,0],[0,NaN]],\"q\":[1,2]}",
     "a.json:1:16: error: unknown word 'NaN'; the words of JSON are true, false and null"},
    {"a.json", "{\"M\":[[1]],\"q\":1}", "a.json:1:16: error: q must be an array; found a number"},
    {"a.json", "{\"M\":[[1]],\"q\":[1,2]}",
     "a.json:1:16: error: q has 2 entries, expected n = 1, the number of rows of M"},
    {"a.json", "{\"M\":[[1]],\"q\":[null]}",
     "a.json:1:17: error: q[0] must be a number; found null"},
    {"a.json", "{\"M\":[[1]],\"q\":[true]}",
     "a.json:1:17: error: q[0] must be a number; found true"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"free\":2}",
     "a.json:1:27: error: free must be a whole number from 0 to n = 1"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"free\":-1}",
     "a.json:1:27: error: free must be a whole number from 0 to n = 1"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"free\":0.5}",
     "a.json:1:27: error: free must be a whole number from 0 to n = 1"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"free\":\"1\"}",
     "a.json:1:27: error: free must be a whole number from 0 to n = 1"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"lo\":0}",
     "a.json:1:25: error: lo must be an array; found a number"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"lo\":[]}",
     "a.json:1:25: error: lo has 0 entries, expected n = 1, the number of rows of M"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"hi\":[\"inf\"]}",
     "a.json:1:26: error: hi[0] must be a number, or null for none; found a string"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"lo\":[2],\"hi\":[1]}",
     "a.json:1:35: error: unknown 0 has lo > hi; exchange them"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"hi\":[-1]}",
     "a.json:1:26: error: unknown 0 has lo > hi; lo is 0 where it is not given"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"findex\":[1]}",
     "a.json:1:30: error: findex[0] must be the number of an unknown, 0 to 0, or -1 for none"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"findex\":[null]}",
     "a.json:1:30: error: findex[0] must be the number of an unknown, 0 to 0, or -1 for none"},
    {"a.json", "{\"M\":[[1]],\"q\":[1],\"findex\":[0]}",
     "a.json:1:30: error: findex[0] names itself; it names another unknown or is -1"},
    {"a.json", "{\"M\":[[1,0],[0,1]],\"q\":[1,1],\"free\":1,\"findex\":[1,-1]}",
     "a.json:1:49: error: findex[0] is 1 but unknown 0 is free; write -1"},
    {"a.json", "{\"M\":[[1,0],[0,1]],\"q\":[1,1],\"free\":1,\"findex\":[-1,0]}",
     "a.json:1:52: error: findex[1] names unknown 0, which may be negative"},
    {"a.json", "{\"M\":[[1,0],[0,1]],\"q\":[1,1],\"lo\":[-1,-1],\"findex\":[-1,0]}",
     "a.json:1:56: error: findex[1] names unknown 0, which may be negative"},
    {"a.json", "{\"M\":[[1,0,0],[0,1,0],[0,0,1]],\"q\":[1,1,1],\"findex\":[-1,0,1]}",
     "a.json:1:59: error: findex[2] names unknown 1, which has a friction index itself"},
    {"a.dat", "x\n",
     "a.dat:1:1: error: expected n (the number of unknowns), a whole number; found 'x'"},
    {"a.dat", "-2\n0\n",
     "a.dat:1:1: error: n (the number of unknowns) is -2; it must be at least 1"},
    {"a.dat", "2.5\n0\n2\n2\n",
     "a.dat:1:1: error: expected n (the number of unknowns), a whole number; found '2.5'"},
    {"a.dat", "100000\n0\n100000\n100000\n1 1\n",
     "a.dat:1:1: error: 100000 numbers of q must follow but the rest of the file has room for 10 "
     "at most"},
    {"a.dat", "2\n",
     "a.dat:1:1: error: 2 numbers of q must follow but the rest of the file has room for 0 at "
     "most"},
    {"a.dat", "2\n2\n2\n2\n2 2\n1 0 0 1 1 1\n",
     "a.dat:2:1: error: the storage of the matrix (0 dense, 1 block-sparse) is 2; it must lie "
     "between 0 and 1"},
    {"a.dat", "2\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1 1 1 1\n",
     "a.dat:3:1: error: the matrix has 3 rows and 3 columns; it must be square with n = 2 rows"},
    {"a.dat", "2\n0\n2\n3\n2 3\n1 0 0 1 0 0 1 1\n",
     "a.dat:4:1: error: the matrix has 2 rows and 3 columns; it must be square with n = 2 rows"},
    {"a.dat", "2\n0\n2\n2\n3 3\n1 0 0 1 1 1\n",
     "a.dat:5:1: error: the matrix has 3 rows and 3 columns; it must be square with n = 2 rows"},
    {"a.dat", "9\n0\n9\n9\n9 9\n1 0 0 1 1 1 1 1 1 1 1 1 1 1\n",
     "a.dat:5:3: error: 81 numbers of M must follow but the rest of the file has room for 14 at "
     "most"},
    {"a.dat", "2\n0\n2\n2\n2 2\n1 0\n0 x\n1 1\n",
     "a.dat:7:3: error: expected a number (row 2, column 2 of M); found 'x'"},
    {"a.dat", "2\n0\n2\n2\n2 2\n1 0\n0 1\n1 \n",
     "a.dat:9:1: error: expected a number (entry 2 of q); the file ends here"},
    {"a.dat", "2\n0\n2\n2\n2 2\n1 0\n0 1\n1 Remark\n",
     "a.dat:8:3: error: expected a number (entry 2 of q); found 'Remark'"},
    {"a.dat",
     "3\n1\n3\n3\n-1\n2\n2\n1\t3\t\n1\t3\t\n3\n3\n0\t1\t3\t\n0\t0\t1\t\n0\n 1.0e+00\n1\n 2\n "
     "3\n2\n 4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:5:1: error: the number of blocks is -1; it must be at least 0"},
    {"a.dat",
     "3\n1\n3\n3\n9999\n2\n2\n1\t3\t\n1\t3\t\n3\n3\n0\t1\t3\t\n0\t0\t1\t\n0\n 1.0e+00\n1\n 2\n "
     "3\n2\n 4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:5:1: error: 9999 numbers of the column index must follow but the rest of the file has "
     "room for 38 at most"},
    {"a.dat",
     "3\n1\n3\n3\n3\n4\n2\n1\t3\t\n1\t3\t\n3\n3\n0\t1\t3\t\n0\t0\t1\t\n0\n 1.0e+00\n1\n 2\n 3\n2\n "
     "4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:6:1: error: the number of block rows is 4; it must lie between 1 and 3"},
    {"a.dat",
     "3\n1\n3\n3\n3\n2\n2\n3\t3\t\n1\t3\t\n3\n3\n0\t1\t3\t\n0\t0\t1\t\n0\n 1.0e+00\n1\n 2\n 3\n2\n "
     "4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:8:1: error: the end of a block row is 3; it must lie between 1 and 2"},
    {"a.dat",
     "3\n1\n3\n3\n3\n2\n2\n1\t2\t\n1\t3\t\n3\n3\n0\t1\t3\t\n0\t0\t1\t\n0\n 1.0e+00\n1\n 2\n 3\n2\n "
     "4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:8:3: error: the end of a block row is 2; it must be 3"},
    {"a.dat",
     "3\n1\n3\n3\n3\n2\n2\n1\t3\t\n1\t3\t\n4\n3\n0\t1\t3\t\n0\t0\t1\t\n0\n 1.0e+00\n1\n 2\n 3\n2\n "
     "4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:10:1: error: the size of the row index is 4; it must lie between 1 and 3"},
    {"a.dat",
     "3\n1\n3\n3\n3\n2\n2\n1\t3\t\n1\t3\t\n3\n2\n0\t1\t3\t\n0\t0\t1\t\n0\n 1.0e+00\n1\n 2\n 3\n2\n "
     "4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:11:1: error: the size of the column index is 2; it must be 3"},
    {"a.dat",
     "3\n1\n3\n3\n3\n2\n2\n1\t3\t\n1\t3\t\n3\n3\n1\t1\t3\t\n0\t0\t1\t\n0\n 1.0e+00\n1\n 2\n 3\n2\n "
     "4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:12:1: error: the first block of a row is 1; it must be 0"},
    {"a.dat",
     "3\n1\n3\n3\n3\n2\n2\n1\t3\t\n1\t3\t\n3\n3\n0\t4\t3\t\n0\t0\t1\t\n0\n 1.0e+00\n1\n 2\n 3\n2\n "
     "4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:12:3: error: the first block of a row is 4; it must lie between 0 and 3"},
    {"a.dat",
     "3\n1\n3\n3\n3\n2\n2\n1\t3\t\n1\t3\t\n3\n3\n0\t1\t2\t\n0\t0\t1\t\n0\n 1.0e+00\n1\n 2\n 3\n2\n "
     "4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:12:5: error: the row index ends at block 2; it must end at 3, the number of blocks"},
    {"a.dat",
     "3\n1\n3\n3\n3\n2\n2\n1\t3\t\n1\t3\t\n3\n3\n0\t1\t3\t\n0\t0\t2\t\n0\n 1.0e+00\n1\n 2\n 3\n2\n "
     "4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:13:5: error: the column of a block is 2; it must lie between 0 and 1"},
    {"a.dat",
     "3\n1\n3\n3\n3\n2\n2\n1\t3\t\n1\t3\t\n3\n3\n0\t1\t3\t\n0\t0\t1\t\n0\n 1.0e+00\n5\n 2\n 3\n2\n "
     "4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:16:1: error: the number of the block is 5; it must be 1"},
    {"a.dat",
     "3\n1\n3\n3\n3\n2\n2\n1\t3\t\n1\t3\t\n3\n3\n0\t1\t3\t\n0\t0\t1\t\n0\n 1.0e+00\n1\n 2\n x\n2\n "
     "4\n 5\n 6\n 7\n -1 -2 -3 ",
     "a.dat:18:2: error: expected a number (row 2, column 1 of a block); found 'x'"},
    {"a.dat", "1\n2\n1\n1\n0 1 2\n",
     "a.dat:2:1: error: the second flag (1 when A, B, C, D, a and b are stored) is 2; it must lie "
     "between 0 and 1"},
    {"a.dat", "0\n0\n1\n1\n",
     "a.dat:2:1: error: both flags are 0; one of them must be 1 for a matrix to follow"},
    {"a.dat", "1\n0\n-1\n1\n",
     "a.dat:3:1: error: n (the number of free unknowns) is -1; it must be at least 0"},
    {"a.dat", "1\n0\n0\n0\n",
     "a.dat:4:1: error: m (the number of complementary unknowns) is 0; it must be at least 1"},
    {"a.dat", "1\n0\n20\n12\n0 20 32\n",
     "a.dat:4:1: error: 32 numbers of q must follow but the rest of the file has room for 4 at "
     "most"},
    {"a.dat", "1\n1\n1\n1\n0 1 2 \n0 1 \n0\n3\n2\n3\t2\n1 -1\n1 -1\n-1 1\n0 1\n",
     "a.dat:8:1: error: the matrix has 3 rows and 2 columns; it must be square with n + m = 2 "
     "rows"},
    {"a.dat", "1\n0\n1\n2\n1 3\n0 1\n0\n3\n3\n3 3\n",
     "a.dat:5:1: error: the first row of the first block is 1; it must be 0"},
    {"a.dat", "1\n0\n1\n2\n0 1 1 3\n0 0 1\n0\n3\n3\n3 3\n",
     "a.dat:5:5: error: the first row of a block is 1; it must lie between 2 and 3"},
    {"a.dat", "1\n0\n1\n2\n0 2 3\n1 0\n0\n3\n3\n3 3\n",
     "a.dat:6:3: error: block 2 is free but the one before is not; free blocks come first"},
    {"a.dat", "1\n0\n1\n2\n0 2 3\n0 1\n0\n3\n3\n3 3\n",
     "a.dat:6:3: error: the free blocks have 2 rows but n, the number of free unknowns, is 1"},
    {"a.dat", "1\n0\n1\n2\n0 1 3\n0 2\n0\n3\n3\n3 3\n",
     "a.dat:6:3: error: the kind of a block (0 free, 1 complementary) is 2; it must lie between 0 "
     "and 1"},
    {"a.dat", "0\n1\n1\n2\n1 2 3 4\n",
     "a.dat:4:1: error: 12 numbers of A, B, C, D, a and b must follow but the rest of the file has "
     "room for 4 at most"},
    {"a.dat", "0\n1\n1\n1\n1 2 x 3 4 5 6\n",
     "a.dat:5:5: error: expected a number (row 1, column 1 of C); found 'x'"},
    {"a.dat", "0\n1\n1\n1\n1 2 3 4 5 x\n",
     "a.dat:5:11: error: expected a number (entry 1 of b); found 'x'"},
    {"a.dat",
     "0\n1\n40\n40\n1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 "
     "0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 "
     "6 7 8 9 0 1 2 3 4 5 6 7 8 9 0",
     "a.dat:4:1: error: 6480 numbers of A, B, C, D, a and b must follow but the rest of the file "
     "has room for 100 at most"},
};

TEST(a_bad_file_gets_a_message_with_its_place)
{
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        utArena keep = test_arena();
        const utArena before = keep;
        utLcp lcp = {.n = -7};
        utError err = {0};
        utStatus status =
            ut_lcp_read(text_of(bad[b].text), bad[b].file, UT_LCP_FORMAT_AUTO, &keep, &lcp, &err);
        char message[1024];
        ut_error_format(&err, message, sizeof message);
        CHECK(status == UT_ERR_FORMAT);
        CHECK_TEXT(message, bad[b].error);
        CHECK(lcp.n == -7 && keep.next == before.next && keep.end == before.end);
    }
}

TEST(a_zero_byte_is_an_error_where_it_stands)
{
    static const char text[] = "2\n2 1\n\0 4\n5 6\n";
    utArena keep = test_arena();
    utLcp lcp;
    utError err;
    char message[1024];
    CHECK(ut_lcp_read((utText){text, sizeof text - 1}, "a", UT_LCP_FORMAT_AUTO, &keep, &lcp,
                      &err) == UT_ERR_FORMAT);
    ut_error_format(&err, message, sizeof message);
    CHECK_TEXT(message, "a:3:1: error: expected a number of row 2 of M; found '\\x00'");
}

TEST(a_forced_format_is_not_second_guessed)
{
    utArena keep = test_arena();
    utLcp lcp;
    utError err;
    CHECK(ut_lcp_read(text_of("[1]"), "a", UT_LCP_FORMAT_JSON, &keep, &lcp, &err) == UT_ERR_FORMAT);
    CHECK_TEXT(err.message, "a problem is an object with \"M\" and \"q\"; found an array");
    CHECK(ut_lcp_read(text_of("{\"M\":[[1]],\"q\":[1]}"), "a", UT_LCP_FORMAT_TEXT, &keep, &lcp,
                      &err) == UT_ERR_FORMAT);
    CHECK(ut_lcp_read(text_of(MIXED_WHOLE), "a", UT_LCP_FORMAT_DAT, &keep, &lcp, &err) ==
          UT_ERR_FORMAT);
    CHECK(ut_lcp_read(text_of("2\n0\n2\n2\n2 2\n1 0 0 1\n1 1"), "a", UT_LCP_FORMAT_DAT_MIXED, &keep,
                      &lcp, &err) == UT_ERR_FORMAT);
}

// ---- random damage ------------------------------------------------------------------------------

enum { MUTATIONS = 20000, FUZZ_ROOM = 4096 };

// Is the place a line of the text, and a column of that line or the one behind it?
static bool inside(const char* text, size_t size, int line, int column)
{
    const char* begin = text;
    const char* end = text + size;
    for (int i = 1; i < line; i++) {
        const char* stop = memchr(begin, '\n', (size_t)(end - begin));
        if (stop == NULL) {
            return false;
        }
        begin = stop + 1;
    }
    const char* stop = begin < end ? memchr(begin, '\n', (size_t)(end - begin)) : NULL;
    const ptrdiff_t length = (stop != NULL ? stop : end) - begin;
    return line >= 1 && column >= 1 && column <= length + 1;
}

TEST(random_damage_ends_in_a_problem_or_a_message)
{
    static const char likely[] = "0123456789-+.eE \n\t#{}[]\",:nulM\0\xff";
    static char text[FUZZ_ROOM];
    static const char* const names[] = {"a.txt", "a.dat"};
    int read = 0;
    for (int g = 0; g < GOOD_COUNT; g++) {
        utRng rng = ut_rng(2024, (uint64_t)g);
        for (int k = 0; k < MUTATIONS; k++) {
            size_t size = strlen(good[g].text);
            memcpy(text, good[g].text, size);
            for (int d = 1 + ut_rng_below(&rng, 3); d > 0; d--) {
                size =
                    damage_text(&rng, (utText){likely, sizeof likely - 1}, text, size, FUZZ_ROOM);
            }
            char* exact = exact_copy(text, size);
            if (exact == NULL) {
                return;
            }

            const bool guess = ut_rng_below(&rng, 2) == 0;
            utArena keep = test_arena();
            utLcp lcp;
            utError err = {0};
            utStatus status =
                ut_lcp_read((utText){exact, size}, names[k % 2],
                            guess ? UT_LCP_FORMAT_AUTO : good[g].format, &keep, &lcp, &err);
            free(exact);
            const bool ok = status == UT_OK && ut_lcp_check(&lcp, NULL) == UT_OK;
            const bool said = status == UT_ERR_FORMAT && err.message[0] != 0 &&
                              inside(text, size, err.line, err.column);
            read += ok;
            if (!CHECK(ok || said)) {
                test_note("case %d, mutation %d: status %d, %d:%d %s", g, k, (int)status, err.line,
                          err.column, err.message);
                return;
            }
        }
    }
    test_note("%d of %d damaged files still read", read, GOOD_COUNT * MUTATIONS);
}
