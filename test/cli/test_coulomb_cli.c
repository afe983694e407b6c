// SPDX-License-Identifier: Apache-2.0
// uptack coulomb as a user meets it: what it prints, where, and how it ends. The program is the one
// that UPTACK_CLI names.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#ifdef __EMSCRIPTEN__

TEST(the_command_line_for_friction)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <uptack/json.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 1 << 16 };

static char out[ROOM]; // what the last run printed
static char err[ROOM];

// Run in the folder of the files. @return the exit code, or -1
static int run(const char* arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "cd %s && '%s' %s >out 2>err", program_folder(), program(),
             arguments);
    const int status = system(command);
    read_file("out", out, sizeof out);
    read_file("err", err, sizeof err);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

// A block of 2 kg that slips: r = (2, -0.6, -0.8), u = (0, 2.7, 3.6).
#define SLIP "fc 3 1 3\n0 0 0.5\n1 1 0.5\n2 2 0.5\n-1 3 4\n0.5\n"

// Two blocks tied together so tightly that Gauss-Seidel crawls.
#define SLOW                                                                             \
    "fc 2 2 8\n0 0 1\n0 2 -0.9999\n2 0 -0.9999\n2 2 1\n1 1 1\n1 3 0.9\n3 1 0.9\n3 3 1\n" \
    "-1 0 -1 0\n0.5 0.25\n"

TEST(a_friction_report_says_what_was_read_and_how_it_ended)
{
    if (program() == NULL) {
        return;
    }
    write_file("a.fc", SLIP);
    CHECK_INT(run("coulomb a.fc"), 0);
    CHECK_TEXT(err, "");
    CHECK(has(out, "a.fc: friction problem in space with 1 contact, 3 rows, mu 0.5\n"));
    CHECK(has(out, "\noutcome     solved\n"));
    CHECK(has(out, "\nsolver      newton, rung newton\n"));
    CHECK(has(out, "\niterations  "));
    CHECK(has(out, " m/s at contact 0, V = 5.1 m/s\n"));
    CHECK(has(out, "\nbilateral   0\n"));
    CHECK(has(out, "\ncone        "));
    CHECK(has(out, "r_n") && has(out, "u_t2") && has(out, "  slip\n"));
    write_file("a.fc", "fc 2 2 4 0 0 1 1 1 1 2 2 1 3 3 1 -1 0.25 1 2 0.5 0.75");
    CHECK_INT(run("coulomb - <a.fc"), 0);
    CHECK(has(out, "standard input: friction problem in the plane with 2 contacts, 4 rows, mu 0.5 "
                   "to 0.75\n"));
    CHECK(has(out, "  stick\n") && has(out, "  open\n"));
}

TEST(a_friction_answer_in_json_has_the_keys_of_the_contract)
{
    if (program() == NULL) {
        return;
    }
    write_file("a.fc", SLIP);
    CHECK_INT(run("coulomb a.fc --json --solver nsgs --tol 1e-12"), 0);
    CHECK_TEXT(err, "");
    utArena keep = test_arena();
    const utJson* root = NULL;
    if (!CHECK(ut_json_read((utText){out, strlen(out)}, "out", &keep, &root, NULL) == UT_OK)) {
        return;
    }
    char found[256] = "";
    for (const utJson* member = root->first; member != NULL; member = member->next) {
        strcat(strcat(found, member->key.data), " ");
    }
    CHECK_TEXT(found, "outcome solver residual iterations wall_s r u rung relative ");
    CHECK_TEXT(ut_json_member(root, "outcome")->string.data, "solved");
    CHECK(ut_json_member(root, "residual")->number <= 1e-12);
    static const double want[] = {2, -0.6, -0.8, 0, 2.7, 3.6};
    int k = 0;
    for (const utJson* x = ut_json_member(root, "r")->first; x != NULL; x = x->next) {
        CHECK_NEAR(x->number, want[k++], 1e-13);
    }
    for (const utJson* x = ut_json_member(root, "u")->first; x != NULL; x = x->next) {
        CHECK_NEAR(x->number, want[k++], 1e-13);
    }
    CHECK_INT(k, 6);
}

TEST(an_answer_that_is_not_solved_ends_with_3)
{
    if (program() == NULL) {
        return;
    }
    write_file("a.fc", SLOW);
    CHECK_INT(run("coulomb a.fc --solver nsgs --tol 1e-15 --max-iterations 3000"), 3);
    CHECK(has(out, "\noutcome     iterations: stopped before the tolerance was met\n"));
    CHECK(has(out, "\niterations  3000\n"));
    CHECK_INT(run("coulomb a.fc --solver nsgs --tol 1e-15 --max-iterations 3000 --json"), 3);
    CHECK(has(out, "\"outcome\":\"iterations\"") && strstr(out, "null") == NULL);
    CHECK_INT(run("coulomb a.fc --solver nsgs --max-iterations 1000000"), 0);
    CHECK_INT(run("coulomb a.fc"), 0);
}

// At 45 degrees between four directions a polygon leaves mu sqrt(1/2) or mu sqrt(2) of the
// friction: q_t = (3, 3), r_n = 2, so |u_t| = 3 sqrt(2) - 0.5 mu r_n f.
TEST(a_polygon_is_solved_as_it_is_and_told_apart_from_the_circle)
{
    if (program() == NULL) {
        return;
    }
    write_file("a.fc", "fc 3 1 3\n0 0 0.5\n1 1 0.5\n2 2 0.5\n-1 3 3\n0.5\n");
    CHECK_INT(run("coulomb a.fc --formulation peiret --directions 4"), 0);
    CHECK(has(out, "\nsolver      lcp, rung lcp\n") && has(out, "\nmodel gap   "));
    CHECK(has(out, "2               -1               -1 ")); // each direction to its limit
    CHECK_INT(run("coulomb a.fc --formulation stewart-trinkle --directions 4 --solver lemke"), 0);
    CHECK(has(out, "\nsolver      lcp\n"));
    CHECK_INT(run("coulomb a.fc --formulation convex"), 0);
    CHECK_INT(run("coulomb a.fc --unique --least"), 0);
    CHECK(has(out, "\nimpulses    unique\n") && has(out, "\nvelocity    unique\n"));
    CHECK(has(out, "\nleast norm  "));
    CHECK_INT(run("coulomb a.fc --unique --json"), 0);
    CHECK(has(out, "\"velocity\":\"unique\",\"redundant\":0,\"unique\":[true]}"));
}

TEST(a_friction_file_that_cannot_be_used_ends_with_1)
{
    if (program() == NULL) {
        return;
    }
    write_file("a.fc", "fc 3 1 1\n0 0 x\n");
    CHECK_INT(run("coulomb a.fc"), 1);
    CHECK_TEXT(out, "");
    CHECK_TEXT(err, "a.fc:2:5: error: expected the value of entry 1 of 1 of W; found 'x'\n");
    CHECK_INT(run("coulomb missing.fc --json"), 1);
    CHECK_TEXT(out, "");
    CHECK(has(err, "missing.fc: error: cannot be opened"));
}

#ifdef UPTACK_HAVE_HDF5

TEST(a_file_of_hdf5_is_known_by_its_name)
{
    if (program() == NULL) {
        return;
    }
    write_file("a.hdf5", SLIP);
    CHECK_INT(run("coulomb a.hdf5"), 1);
    CHECK_TEXT(out, "");
    CHECK_TEXT(err, "a.hdf5: error: this is not an HDF5 file, or it is damaged\n");
    CHECK_INT(run("coulomb missing.h5"), 1);
    CHECK(has(err, "missing.h5: error: cannot be opened"));
}

TEST(a_file_of_hdf5_is_known_by_its_first_bytes)
{
    if (program() == NULL) {
        return;
    }
    write_file("a.fc", "\x89HDF\r\n\x1a\n");
    CHECK_INT(run("coulomb - <a.fc"), 1);
    CHECK_TEXT(out, "");
    CHECK_TEXT(err, "standard input: error: this is not an HDF5 file, or it is damaged\n");
}

#else

TEST(a_build_without_hdf5_says_so)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run("coulomb a.hdf5"), 1);
    CHECK_TEXT(err, "a.hdf5: error: this build cannot read HDF5; give the problem as text (.fc)\n");
    write_file("a.fc", "\x89HDF\r\n\x1a\n");
    CHECK_INT(run("coulomb - <a.fc"), 1);
    CHECK_TEXT(err, "standard input: error: this build cannot read HDF5; give the problem as text "
                    "(.fc)\n");
}

#endif

TEST(a_friction_command_line_that_is_not_understood_ends_with_2)
{
    static const struct {
        const char* arguments;
        const char* error;
    } cases[] = {
        {"coulomb", "uptack coulomb: error: FILE is missing\nusage: uptack coulomb FILE"},
        {"coulomb a b", "uptack coulomb: error: there is more than one FILE\n"},
        {"coulomb --foo a", "uptack coulomb: error: there is no option --foo\n"},
        {"coulomb a --solver", "uptack coulomb: error: --solver needs a value\n"},
        {"coulomb a --solver x", "uptack coulomb: error: there is no solver 'x' for coulomb\n"},
        {"coulomb a --solver lemke", "there is no solver 'lemke' for coulomb\n"},
        {"coulomb a --solver ipm --formulation peiret",
         "ipm does not solve the formulation peiret\n"},
        {"coulomb a --solver nsgs --formulation convex",
         "nsgs does not solve the formulation convex"},
        {"coulomb a --formulation x", "there is no formulation 'x'\n"},
        {"coulomb a --directions 5", "--directions needs an even number from 4 to 64, not '5'\n"},
        {"coulomb a --tol -1", "uptack coulomb: error: --tol needs a number above 0, not '-1'\n"},
        {"coulomb a --max-iterations 0", "needs a whole number above 0, not '0'\n"},
    };
    if (program() == NULL) {
        return;
    }
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        CHECK_INT(run(cases[c].arguments), 2);
        CHECK_TEXT(out, "");
        CHECK(has(err, cases[c].error));
    }
    CHECK_INT(run("coulomb --help"), 0);
    CHECK(has(out, "usage: uptack coulomb FILE") && has(out, "--max-iterations"));
    CHECK_INT(run("--help"), 0);
    CHECK(has(out, "  coulomb  "));
    CHECK_INT(run("coulomb --version"), 0);
}

#endif
