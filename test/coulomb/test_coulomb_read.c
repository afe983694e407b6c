// SPDX-License-Identifier: Apache-2.0
// Friction problems from text: good ones by hand, bad ones with the message they get, and random
// damage that must never do worse than a message.
#include <uptack/coulomb.h>
#include <uptack/problem_files.h>

#include "support/damage.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static utText text_of(const char* string)
{
    return (utText){string, strlen(string)};
}

#define PLANE "fc 2 1 3\n0 0 2\n0 1 -0.5\n1 1 3\n-1 4\n0.25\n"
#define SPACE                                                                                 \
    "# one contact\nfc 3 1 9 # d nc nnz\n0 0 15\n0 1 -1\n0 2 -2\n1 0 -1\n1 1 14\n1 2 1\n2 0 " \
    "-2\n2 1 1\n2 2 16\n-1 2 3 # q\n0.1\n"

// ---- good files ---------------------------------------------------------------------------------

static void check_plane(const char* string)
{
    utArena keep = test_arena();
    utCoulomb problem;
    utError err = {0};
    if (!CHECK(ut_coulomb_read(text_of(string), "a.fc", &keep, &problem, &err) == UT_OK)) {
        test_note("%s", err.message);
        return;
    }
    static const double W[] = {2, -0.5, 0, 3};
    CHECK_INT(problem.dimension, 2);
    CHECK_INT(problem.contacts, 1);
    CHECK_INT(problem.bilaterals, 0);
    CHECK_INT(problem.section->kind, UT_SECTION_SEGMENT);
    CHECK(problem.M == NULL && problem.f == NULL && problem.J == NULL && problem.b == NULL);
    CHECK(memcmp(problem.W, W, sizeof W) == 0);
    CHECK_NEAR(problem.q[0], -1.0, 0.0);
    CHECK_NEAR(problem.q[1], 4.0, 0.0);
    CHECK_NEAR(problem.mu[0], 0.25, 0.0);
}

TEST(a_friction_file_is_a_header_the_entries_of_W_q_and_mu)
{
    check_plane(PLANE);
    check_plane("fc 2 1 3 0 0 2 0 1 -0.5 1 1 3 -1 4 0.25");
    check_plane("\xef\xbb\xbf"
                "fc 2 1 3\r\n1 1 3\r\n0 1 -.5\r\n0 0 2e0\r\n-1 4\r\n0.25\r\n");
    check_plane("#x\nfc 2 1 3#h\n0 0 2# W\n0 1 -0.5\n1 1 3\n\n-1 4 #q\n\t0.25#mu");
}

TEST(in_space_the_section_is_the_circle)
{
    utArena keep = test_arena();
    const utArena before = keep;
    utCoulomb problem;
    CHECK_INT(ut_coulomb_read(text_of(SPACE), NULL, &keep, &problem, NULL), UT_OK);
    CHECK_INT(problem.section->kind, UT_SECTION_CIRCLE);
    CHECK_INT(ut_coulomb_check(&problem, NULL), UT_OK);
    CHECK((const unsigned char*)problem.section >= before.next &&
          (const unsigned char*)problem.section < keep.next);
    CHECK_NEAR(problem.W[5], 1.0, 0.0);
    CHECK_NEAR(problem.W[6], -2.0, 0.0);
    utCoulombInfo info;
    const utCoulombDef def = ut_coulomb_def();
    double r[3];
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, keep, r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
}

TEST(a_small_arena_is_said_and_left_alone)
{
    double memory[20];
    utArena keep = ut_arena_on(memory, sizeof memory);
    const utArena before = keep;
    utCoulomb problem = {.dimension = -7};
    CHECK_INT(ut_coulomb_read(text_of(SPACE), "a", &keep, &problem, NULL), UT_ERR_CAPACITY);
    CHECK(problem.dimension == -7 && keep.next == before.next);
}

// ---- large files --------------------------------------------------------------------------------

enum { LARGE = 202, LARGE_ROOM = 1 << 16 };

// 202 contacts in the plane: row k has 1 + k on its diagonal and, where k is even, -0.5 in the last
// column, listed from the last row to the first. `extra` entries at (1, 1) come at the end.
static utText large_text(int extra)
{
    static char text[LARGE_ROOM];
    const int rows = 2 * LARGE;
    size_t size = 0;
    size += (size_t)snprintf(text, LARGE_ROOM, "fc 2 %d %d\n", LARGE, rows + LARGE + extra);
    for (int k = rows - 1; k >= 0; k--) {
        if (k % 2 == 0) {
            size += (size_t)snprintf(text + size, LARGE_ROOM - size, "%d %d -0.5\n", k, rows - 1);
        }
        size += (size_t)snprintf(text + size, LARGE_ROOM - size, "%d %d %d\n", k, k, 1 + k);
    }
    for (int k = 0; k < extra; k++) {
        size += (size_t)snprintf(text + size, LARGE_ROOM - size, " 1 1 7\n");
    }
    for (int k = 0; k < rows; k++) {
        size += (size_t)snprintf(text + size, LARGE_ROOM - size, "%d ", -k);
    }
    for (int k = 0; k < LARGE; k++) {
        size += (size_t)snprintf(text + size, LARGE_ROOM - size, "0.5 ");
    }
    return (utText){text, size};
}

TEST(a_large_matrix_with_few_entries_is_kept_as_rows)
{
    const int rows = 2 * LARGE;
    utArena keep = test_arena();
    const utArena before = keep;
    utCoulomb problem;
    if (!CHECK_INT(ut_coulomb_read(large_text(0), "a.fc", &keep, &problem, NULL), UT_OK) ||
        !CHECK(problem.W_start != NULL)) {
        return;
    }
    int at = 0;
    for (int k = 0; k < rows; k++) {
        CHECK_INT(problem.W_start[k], at);
        CHECK_INT(problem.W_column[at], k);
        CHECK_NEAR(problem.W[at], 1.0 + k, 0.0);
        at++;
        if (k % 2 == 0) {
            CHECK_INT(problem.W_column[at], rows - 1);
            CHECK_NEAR(problem.W[at], -0.5, 0.0);
            at++;
        }
        CHECK_NEAR(problem.q[k], -(double)k, 0.0);
    }
    CHECK_INT(problem.W_start[rows], at);
    CHECK_NEAR(problem.mu[LARGE - 1], 0.5, 0.0);

    // nothing of the size of a full matrix was taken
    CHECK(keep.end == before.end && (size_t)(keep.next - before.next) < 32768);
}

TEST(an_entry_that_is_given_twice_is_found_among_rows_too)
{
    utArena keep = test_arena();
    utCoulomb problem = {.dimension = -7};
    utError err = {0};
    char message[600];
    CHECK_INT(ut_coulomb_read(large_text(2), "a.fc", &keep, &problem, &err), UT_ERR_FORMAT);
    ut_error_format(&err, message, sizeof message);
    // the header, 606 entries, then the first of the two
    CHECK_TEXT(message, "a.fc:608:2: error: W[1][1] is given a second time; each entry stands once "
                        "in the file");
    CHECK(problem.dimension == -7);
}

TEST(a_small_arena_for_rows_is_said_and_left_alone)
{
    const utText text = large_text(0);
    utArena all = test_arena();
    utCoulomb problem = {.dimension = -7};
    size_t size = 0;
    for (; problem.dimension == -7 && size < 65536; size += 256) {
        utArena keep = ut_arena_on(all.next, size);
        const utArena before = keep;
        if (ut_coulomb_read(text, "a", &keep, &problem, NULL) != UT_OK) {
            CHECK(problem.dimension == -7 && keep.next == before.next && keep.end == before.end);
        }
    }
    CHECK(size > 8192 && problem.dimension == 2);
}

// ---- bad files ----------------------------------------------------------------------------------

static const struct {
    const char* text;
    const char* error;
} bad[] = {
    {"", "a.fc:1:1: error: the file is empty; a problem is 'fc d nc nnz', the entries of W, q and "
         "mu"},
    {" # only words\n", "a.fc:1:1: error: the file is empty; a problem is 'fc d nc nnz', the "
                        "entries of W, q and mu"},
    {"lcp 2", "a.fc:1:1: error: expected 'fc', 'fc2' or 'fc3', with which a friction problem "
              "begins; found 'lcp'"},
    {"FC 2 1 0",
     "a.fc:1:1: error: expected 'fc', 'fc2' or 'fc3', with which a friction problem begins; found "
     "'FC'"},
    {"fc", "a.fc:1:3: error: expected d, the dimension, a whole number; the file ends here"},
    {"fc x", "a.fc:1:4: error: expected d, the dimension, a whole number; found 'x'"},
    {"fc 2.5", "a.fc:1:4: error: expected d, the dimension, a whole number; found '2.5'"},
    {"fc 4 1 0", "a.fc:1:4: error: d, the dimension, is 4; it is 2 in the plane and 3 in space"},
    {"fc -3 1 0", "a.fc:1:4: error: d, the dimension, is -3; it is 2 in the plane and 3 in space"},
    {"fc 2", "a.fc:1:5: error: expected nc, the number of contacts, a whole number; the file ends "
             "here"},
    {"fc 2 0 0", "a.fc:1:6: error: nc, the number of contacts, is 0; at least 1 is needed"},
    {"fc 2 -1 0", "a.fc:1:6: error: nc, the number of contacts, is -1; at least 1 is needed"},
    {"fc 2 1e99 0", "a.fc:1:6: error: expected nc, the number of contacts, a whole number; found "
                    "'1e99'"},
    {"fc 2 1e999 0", "a.fc:1:6: error: expected nc, the number of contacts, a whole number; "
                     "'1e999' is no number that a double can hold"},
    {"fc 3 700000000 0\n1", "a.fc:1:6: error: nc, the number of contacts, is 700000000 but the "
                            "file has only 18 bytes; 4 numbers a contact must follow"},
    {"fc 3 2000000000 0\n1", "a.fc:1:6: error: nc, the number of contacts, is 2000000000 but the "
                             "file has only 19 bytes; 4 numbers a contact must follow"},
    {"fc 2 1", "a.fc:1:7: error: expected nnz, the number of entries of W, a whole number; the "
               "file ends here"},
    {"fc 2 1 -1", "a.fc:1:8: error: nnz, the number of entries of W, is -1; at least 0 is needed"},
    {"fc 2 1 5", "a.fc:1:8: error: nnz, the number of entries of W, is 5; W has only 4"},
    {"fc 2 1 3\n0 0 2\n", "a.fc:3:1: error: expected the row of entry 2 of 3 of W; the file ends "
                          "here"},
    {"fc 2 1 3\n0 0 2\n0", "a.fc:3:2: error: expected the column of entry 2 of 3 of W; the file "
                           "ends here"},
    {"fc 2 1 3\n0 0 2\n0 1", "a.fc:3:4: error: expected the value of entry 2 of 3 of W; the file "
                             "ends here"},
    {"fc 2 1 1\n2 0 1\n0 0\n0", "a.fc:2:1: error: the row of entry 1 of W is 2; it lies between 0 "
                                "and 1"},
    {"fc 2 1 1\n0 -1 1\n0 0\n0", "a.fc:2:3: error: the column of entry 1 of W is -1; it lies "
                                 "between 0 and 1"},
    {"fc 2 1 1\n0.5 0 1\n0 0\n0", "a.fc:2:1: error: expected the row of entry 1 of 1 of W; found "
                                  "'0.5'"},
    {"fc 2 1 1\n0 0 nan\n0 0\n0", "a.fc:2:5: error: expected the value of entry 1 of 1 of W; "
                                  "found 'nan'"},
    {"fc 2 1 1\n0 0 inf\n0 0\n0", "a.fc:2:5: error: expected the value of entry 1 of 1 of W; "
                                  "found 'inf'"},
    {"fc 2 1 1\n0,0,1\n0 0\n0 0 0 0", "a.fc:2:1: error: expected the row of entry 1 of 1 of W; "
                                      "found '0,0,1', and numbers are separated by white space"},
    {"fc 2 1 2\n0 0 0\n0 0 1\n0 0\n0", "a.fc:3:1: error: W[0][0] is given a second time; each "
                                       "entry stands once in the file"},
    {"fc 2 1 1\n0 0 1\n0", "a.fc:3:2: error: expected number 2 of 2 of q; the file ends here"},
    {"fc 2 1 1\n0 0 1\n0 1e400\n0.5", "a.fc:3:3: error: expected number 2 of 2 of q; '1e400' is "
                                      "no number that a double can hold"},
    {"fc 2 1 1\n0 0 1\n0 NaN\n0.5", "a.fc:3:3: error: expected number 2 of 2 of q; found 'NaN'"},
    {"fc 2 1 1\n0 0 1\n0 0\n", "a.fc:4:1: error: expected number 1 of 1 of mu; the file ends "
                               "here"},
    {"fc 2 1 1\n0 0 1\n0 0\n-0.5", "a.fc:4:1: error: mu[0] is -0.5; it cannot be negative"},
    {"fc 2 1 1\n0 0 1\n0 0\nnan", "a.fc:4:1: error: expected number 1 of 1 of mu; found 'nan'"},
    {"fc 2 1 1\n0 0 1\n0 0\n0.5\n7", "a.fc:5:1: error: extra text '7' behind mu; with d = 2, nc = "
                                     "1 and nnz = 1 the file ends here"},
    {"fc 2 1 1\n0 0 1\n0 0\n0.5\nend", "a.fc:5:1: error: extra text 'end' behind mu; with d = 2, "
                                       "nc = 1 and nnz = 1 the file ends here"},
};

TEST(a_bad_friction_file_gets_a_message_with_its_place)
{
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        utArena keep = test_arena();
        const utArena before = keep;
        utCoulomb problem = {.dimension = -7};
        utError err = {0};
        char message[1024];
        CHECK_INT(ut_coulomb_read(text_of(bad[b].text), "a.fc", &keep, &problem, &err),
                  UT_ERR_FORMAT);
        ut_error_format(&err, message, sizeof message);
        CHECK_TEXT(message, bad[b].error);
        CHECK(problem.dimension == -7 && keep.next == before.next);
    }
}

// ---- random damage ------------------------------------------------------------------------------

enum { MUTATIONS = 20000, ROOM = 1024 };

TEST(random_damage_to_a_friction_file_ends_in_a_problem_or_a_message)
{
    static const char* const good[] = {PLANE, SPACE};
    static const char likely[] = "0123456789-+.eE \n\t#fcna,\0\xff";
    static char text[ROOM];
    int read = 0;
    for (int k = 0; k < 2 * MUTATIONS; k++) {
        utRng rng = ut_rng(7, (uint64_t)k);
        size_t size = strlen(good[k % 2]);
        memcpy(text, good[k % 2], size);
        for (int d = 1 + ut_rng_below(&rng, 3); d > 0; d--) {
            size = damage_text(&rng, (utText){likely, sizeof likely - 1}, text, size, ROOM);
        }
        char* exact = exact_copy(text, size);
        if (exact == NULL) {
            return;
        }
        utArena keep = test_arena();
        utCoulomb problem;
        utError err = {0};
        const utStatus status =
            ut_coulomb_read((utText){exact, size}, "a.fc", &keep, &problem, &err);
        free(exact);
        const bool ok = status == UT_OK && ut_coulomb_check(&problem, NULL) == UT_OK;
        const bool said =
            status == UT_ERR_FORMAT && err.message[0] != 0 && err.line >= 1 && err.column >= 1;
        read += ok;
        if (!CHECK(ok || said || status == UT_ERR_CAPACITY)) {
            test_note("mutation %d: status %d, %s", k, (int)status, err.message);
            return;
        }
    }
    test_note("%d of %d damaged files still read", read, 2 * MUTATIONS);
}
