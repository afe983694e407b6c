// SPDX-License-Identifier: Apache-2.0
// The command line as a user meets it: what it prints, where, and how it ends. The program is the
// one that UPTACK_CLI names.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#ifdef __EMSCRIPTEN__

TEST(the_command_line)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <uptack/json.h>

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

// ---- running the program ------------------------------------------------------------------------

enum { ROOM = 1 << 22, MAX_ARGUMENTS = 16 };

static char out[ROOM]; // what the last run printed
static char err[ROOM];

// Run with the arguments up to NULL. @param output where stdout goes @return the exit code, or -1
static int run_to(const char* output, const char* input, const char* const* arguments)
{
    const char* argv[MAX_ARGUMENTS] = {program()};
    int argc = 1;
    while (arguments[argc - 1] != NULL && argc < MAX_ARGUMENTS - 1) {
        argv[argc] = arguments[argc - 1];
        argc++;
    }
    write_file("in", input);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, path_in_folder("in"), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, path_in_folder("err"),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child;
    int status = -1;
    const bool ok =
        posix_spawn(&child, argv[0], &actions, NULL, (char* const*)argv, environ) == 0 &&
        waitpid(child, &status, 0) == child;
    posix_spawn_file_actions_destroy(&actions);
    read_file("err", err, sizeof err);
    return CHECK(ok && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

static int run_with(const char* input, const char* const* arguments)
{
    const int code = run_to(path_in_folder("out"), input, arguments);
    read_file("out", out, sizeof out);
    return code;
}

#define RUN(...) run_with("", (const char* const[]){__VA_ARGS__, NULL})
#define RUN_ON(input, ...) run_with(input, (const char* const[]){__VA_ARGS__, NULL})

// ---- help and usage -----------------------------------------------------------------------------

TEST(help_and_version_are_answers)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(RUN("--help"), 0);
    CHECK(has(out, "usage: uptack VERB") && has(out, "  lcp "));
    CHECK_TEXT(err, "");
    CHECK_INT(RUN("lcp", "--help"), 0);
    CHECK(has(out, "usage: uptack lcp FILE") && has(out, "--max-iterations"));
    CHECK_TEXT(err, "");
    CHECK_INT(RUN("--version"), 0);
    CHECK(strncmp(out, "uptack ", 7) == 0);
    CHECK_TEXT(err, "");
    CHECK_INT(RUN("lcp", "--version"), 0);
    CHECK(strncmp(out, "uptack ", 7) == 0);
}

TEST(a_command_line_that_is_not_understood_ends_with_2_and_the_usage)
{
    static const struct {
        const char* arguments[6];
        const char* error;
    } cases[] = {
        {{NULL}, "uptack: error: a verb is missing\nusage: uptack VERB"},
        {{"walk", "a.xml"}, "uptack: error: there is no verb walk\nusage: uptack VERB"},
        {{"--json"}, "uptack: error: there is no option --json\nusage: uptack VERB"},
        {{"lcp"}, "uptack lcp: error: FILE is missing\nusage: uptack lcp FILE"},
        {{"lcp", "a", "b"}, "uptack lcp: error: there is more than one FILE\n"},
        {{"lcp", "--foo", "a"}, "uptack lcp: error: there is no option --foo\n"},
        {{"lcp", "-x", "a"}, "uptack lcp: error: there is no option -x\n"},
        {{"lcp", "a", "--json=1"}, "uptack lcp: error: there is no option --json=1\n"},
        {{"lcp", "a", "--solver"}, "uptack lcp: error: --solver needs a value\n"},
        {{"lcp", "a", "--solver", "fast"}, "uptack lcp: error: there is no solver 'fast'\n"},
        {{"lcp", "a", "--type", "qp"}, "uptack lcp: error: --type is lcp or mlcp, not 'qp'\n"},
        {{"lcp", "a", "--tol", "0"}, "error: --tol needs a number above 0, not '0'\n"},
        {{"lcp", "a", "--tol", "nan"}, "error: --tol needs a number above 0, not 'nan'\n"},
        {{"lcp", "a", "--tol", "1e-6x"}, "error: --tol needs a number above 0, not '1e-6x'\n"},
        {{"lcp", "a", "--max-iterations", "0"}, "needs a whole number above 0, not '0'\n"},
        {{"lcp", "a", "--max-iterations", "1.5"}, "needs a whole number above 0, not '1.5'\n"},
        {{"lcp", "a", "--max-iterations", "1e20"}, "needs a whole number above 0, not '1e20'\n"},
    };
    if (program() == NULL) {
        return;
    }
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        CHECK_INT(run_with("", cases[c].arguments), 2);
        CHECK_TEXT(out, "");
        CHECK(has(err, cases[c].error));
        CHECK(has(err, "usage: uptack "));
    }
    CHECK(has(err, "usage: uptack lcp FILE"));
}

// ---- reports ------------------------------------------------------------------------------------

// By hand: z = (4/3, 7/3) makes w = 0.
#define TWO "2\n2 1\n1 2\n-5 -6\n"

TEST(a_report_says_what_was_read_and_how_it_ended)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(RUN("lcp", write_file("a.txt", TWO)), 0);
    CHECK_TEXT(err, "");
    CHECK(has(out, "a.txt: LCP with 2 unknowns\n"));
    CHECK(has(out, "\noutcome          solved\n"));
    CHECK(has(out, ", chosen by auto\n"));
    CHECK(has(out, "\niterations "));
    CHECK(has(out, "\nscaled residual "));
    CHECK(has(out, "1.33333333333") && has(out, "2.33333333333"));
    CHECK(strchr(out, '\033') == NULL);

    CHECK_INT(RUN("lcp", "--solver", "lemke", path_in_folder("a.txt")), 0);
    CHECK(has(out, "\nsolver           lemke\n"));
}

TEST(a_report_names_free_bounded_and_indexed_unknowns)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(RUN("lcp", write_file("a.json",
                                    "{\"M\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[-2,-2,-8],\"free\":1,"
                                    "\"lo\":[0,0,-0.5],\"hi\":[null,null,0.5],"
                                    "\"findex\":[-1,-1,1]}")),
              0);
    CHECK(has(out, "boxed mixed LCP with 3 unknowns, 1 free, 1 with bounds, "
                   "1 with a friction index\n"));
}

TEST(a_long_answer_is_cut_in_the_report_only)
{
    if (program() == NULL) {
        return;
    }
    static char text[ROOM];
    const int n = 400; // 320 kB, more than a pipe or a first buffer holds
    int used = snprintf(text, sizeof text, "%d\n", n);
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j < n; j++) {
            used += snprintf(text + used, 4, "%s", i == n ? "-1 " : i == j ? "1 " : "0 ");
        }
    }
    CHECK_INT(RUN_ON(text, "lcp", "-"), 0);
    CHECK(has(out, "standard input: LCP with 400 unknowns\n"));
    CHECK(has(out, "\n   ... 380 more; use --json for all\n"));
    CHECK_INT(RUN_ON(text, "lcp", "-", "--json"), 0);
    utArena keep = test_arena();
    const utJson* root;
    CHECK(ut_json_read((utText){out, strlen(out)}, "out", &keep, &root, NULL) == UT_OK &&
          ut_json_member(root, "z")->count == n);
}

// ---- JSON ---------------------------------------------------------------------------------------

// Parse stdout, and check that it is one object with these keys in this order.
static const utJson* parse(utArena* keep, const char* keys)
{
    const utJson* root = NULL;
    utError error = {0};
    if (!CHECK(ut_json_read((utText){out, strlen(out)}, "out", keep, &root, &error) == UT_OK)) {
        test_note("%s", error.message);
        return NULL;
    }
    char found[256] = "";
    for (const utJson* member = root->first; member != NULL; member = member->next) {
        strcat(strcat(found, member->key.data), " ");
    }
    CHECK_TEXT(found, keys);
    CHECK_INT(out[strlen(out) - 1], '\n');
    CHECK_TEXT(err, "");
    return root;
}

static const char* string_of(const utJson* root, const char* key)
{
    const utJson* member = root != NULL ? ut_json_member(root, key) : NULL;
    return member != NULL && member->type == UT_JSON_STRING ? member->string.data : NULL;
}

static void check_vector(const utJson* root, const char* key, const double* want, int count)
{
    const utJson* array = root != NULL ? ut_json_member(root, key) : NULL;
    if (!CHECK(array != NULL && array->type == UT_JSON_ARRAY && array->count == count)) {
        return;
    }
    int i = 0;
    for (const utJson* entry = array->first; entry != NULL; entry = entry->next) {
        CHECK_NEAR(entry->number, want[i++], 1e-12);
    }
}

#define KEYS "outcome solver z w residual iterations "

TEST(json_has_the_keys_of_the_contract_in_their_order)
{
    if (program() == NULL) {
        return;
    }
    utArena keep = test_arena();
    CHECK_INT(RUN("lcp", "--json", write_file("a.txt", TWO)), 0);
    const utJson* root = parse(&keep, KEYS);
    CHECK_TEXT(string_of(root, "outcome"), "solved");
    check_vector(root, "z", (double[]){4.0 / 3.0, 7.0 / 3.0}, 2);
    check_vector(root, "w", (double[]){0.0, 0.0}, 2);
    CHECK(root != NULL && ut_json_member(root, "residual")->number <= 1e-10);
    CHECK(root != NULL && ut_json_member(root, "iterations")->type == UT_JSON_NUMBER);
}

TEST(every_solver_goes_by_its_name)
{
    static const char* const solvers[] = {"lemke", "pivot", "pgs", "newton", "enumerate"};
    if (program() == NULL) {
        return;
    }
    write_file("a.txt", TWO);
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        utArena keep = test_arena();
        CHECK_INT(RUN("lcp", path_in_folder("a.txt"), "--json", "--solver", solvers[s]), 0);
        const utJson* root = parse(&keep, KEYS);
        CHECK_TEXT(string_of(root, "solver"), solvers[s]);
        CHECK_TEXT(string_of(root, "outcome"), "solved");
    }
}

// [1 2; 2 1], q = (-1, -1) has exactly (1, 0), (0, 1) and (1/3, 1/3).
TEST(all_lists_every_solution)
{
    if (program() == NULL) {
        return;
    }
    utArena keep = test_arena();
    CHECK_INT(RUN_ON("2  1 2  2 1  -1 -1", "lcp", "--all", "--json", "-"), 0);
    const utJson* root = parse(&keep, KEYS "solutions ");
    const utJson* all = root != NULL ? ut_json_member(root, "solutions") : NULL;
    if (CHECK(all != NULL && all->count == 3)) {
        double sum = 0.0;
        for (const utJson* z = all->first; z != NULL; z = z->next) {
            CHECK_INT(z->count, 2);
            sum += z->first->number + 10.0 * z->first->next->number;
        }
        CHECK_NEAR(sum, 11.0 * 4.0 / 3.0, 1e-12);
    }
    CHECK_INT(RUN_ON("2  1 2  2 1  -1 -1", "lcp", "--all", "-"), 0);
    CHECK(has(out, "\n3 solutions\n"));
}

TEST(all_of_too_many_unknowns_is_an_error)
{
    if (program() == NULL) {
        return;
    }
    static char text[2048];
    int used = snprintf(text, sizeof text, "17\n");
    for (int k = 0; k < 17 * 17 + 17; k++) {
        used += snprintf(text + used, 4, "%d ", k % 18 == 0);
    }
    CHECK_INT(RUN_ON(text, "lcp", "--all", "-"), 1);
    CHECK_TEXT(out, "");
    CHECK_TEXT(err, "standard input: error: 17 unknowns have too many cases to enumerate; --all "
                    "takes at most 16, fewer when they are boxed\n");
    CHECK_INT(RUN_ON(text, "lcp", "--solver", "enumerate", "--json", "-"), 1);
    CHECK_TEXT(out, "");
}

// ---- not solved ---------------------------------------------------------------------------------

TEST(a_ray_is_printed_and_ends_with_3)
{
    if (program() == NULL) {
        return;
    }
    utArena keep = test_arena();
    CHECK_INT(RUN("lcp", "--json", "--solver", "lemke", "scenes/lcp/pfrommer-wrong-order.json"), 3);
    const utJson* root = parse(&keep, KEYS "ray ");
    CHECK_TEXT(string_of(root, "outcome"), "ray");
    check_vector(root, "ray", (double[]){0.0, 1.0}, 2);

    CHECK_INT(RUN("lcp", "--solver", "lemke", "scenes/lcp/pfrommer-wrong-order.json"), 3);
    CHECK(has(out, "\noutcome          ray: ") && has(out, " ray\n"));
    CHECK_TEXT(err, "");
}

TEST(what_has_no_solution_is_said_to_have_none)
{
    if (program() == NULL) {
        return;
    }
    utArena keep = test_arena();
    CHECK_INT(RUN_ON("1 -1 -1", "lcp", "--json", "--all", "-"), 3);
    const utJson* root = parse(&keep, KEYS "solutions ");
    CHECK_TEXT(string_of(root, "outcome"), "none");
    check_vector(root, "solutions", NULL, 0);
}

TEST(running_out_of_iterations_is_printed_and_ends_with_3)
{
    if (program() == NULL) {
        return;
    }
    utArena keep = test_arena();
    CHECK_INT(RUN_ON(TWO, "lcp", "--json", "--solver", "pgs", "--max-iterations", "2", "-"), 3);
    const utJson* root = parse(&keep, KEYS);
    CHECK_TEXT(string_of(root, "outcome"), "iterations");
    CHECK(root != NULL && ut_json_member(root, "residual")->number > 1e-10);
    // and a tolerance that this much is enough for
    CHECK_INT(RUN_ON(TWO, "lcp", "--solver", "pgs", "--max-iterations", "2", "--tol", "1", "-"), 0);
}

// ---- bad input ----------------------------------------------------------------------------------

static void check_failure(const char* want)
{
    CHECK_TEXT(out, "");
    CHECK(has(err, want));
    CHECK(strchr(err, '\n') == err + strlen(err) - 1);
}

TEST(an_unusable_file_is_one_line_on_stderr_and_ends_with_1)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(RUN("lcp", "--json", write_file("a.txt", "2\n1 0\n0 x\n1 1\n")), 1);
    check_failure("/a.txt:3:3: error: expected a number of row 2 of M; found 'x'\n");
    CHECK_INT(RUN("lcp", write_file("a.json", "{\"M\":[[1]],\n\"q\":[1,2]}")), 1);
    check_failure("/a.json:2:5: error: q has 2 entries, expected n = 1");
    CHECK_INT(RUN("lcp", write_file("a.dat", "2\n0\n3\n3\n")), 1);
    check_failure("/a.dat:3:1: error: the matrix has 3 rows and 3 columns; it must be square");
    CHECK_INT(RUN_ON("", "lcp", "--json", "-"), 1);
    check_failure("standard input:1:1: error: the file is empty; ");
    CHECK_INT(RUN("lcp", "no-such-file"), 1);
    check_failure("no-such-file: error: cannot be opened: ");
    CHECK_INT(RUN("lcp", "/tmp"), 1);
    check_failure("/tmp: error: cannot be read: ");
    CHECK_INT(RUN_ON("100000\n1", "lcp", "-"), 1);
    check_failure("standard input:1:1: error: n is 100000 but the file has only 8 bytes");
}

TEST(a_type_says_what_a_dat_file_holds)
{
    static const char mixed[] = "1\n0\n1\n1\n0 1 2\n0 1\n0\n2\n2\n2 2\n1 3\n2 4\n5 20\n";
    static const char plain[] = "2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n";
    if (program() == NULL) {
        return;
    }
    CHECK_INT(RUN("lcp", "--type", "mlcp", write_file("a.dat", mixed)), 0);
    CHECK(has(out, "a.dat: mixed LCP with 2 unknowns, 1 free\n"));
    CHECK_INT(RUN("lcp", path_in_folder("a.dat")), 0);
    CHECK(has(out, "a.dat: mixed LCP with 2 unknowns, 1 free\n"));
    CHECK_INT(RUN("lcp", "--type", "lcp", path_in_folder("a.dat")), 1);
    CHECK_INT(RUN_ON(mixed, "lcp", "--type", "mlcp", "-"), 0);
    CHECK(has(out, "mixed LCP with 2 unknowns, 1 free\n"));
    CHECK_INT(RUN_ON(plain, "lcp", "--type", "lcp", "-"), 0);
    CHECK(has(out, "LCP with 2 unknowns\n"));

    write_file("a.json", "{\"M\":[[1]],\"q\":[1],\"free\":1}");
    CHECK_INT(RUN("lcp", "--type", "mlcp", path_in_folder("a.json")), 0);
    CHECK_INT(RUN("lcp", "--type", "lcp", path_in_folder("a.json")), 1);
    check_failure("a.json: error: this is a mixed LCP, 1 of its 1 unknowns are free");
}

TEST(a_full_disk_is_noticed)
{
    if (program() == NULL) {
        return;
    }
    if (access("/dev/full", W_OK) != 0) {
        test_skip("there is no /dev/full");
        return;
    }
    CHECK_INT(run_to("/dev/full", TWO, (const char* const[]){"lcp", "--json", "-", NULL}), 1);
    CHECK(has(err, "standard output: error: cannot be written: "));
    CHECK_INT(run_to("/dev/full", "", (const char* const[]){"--help", NULL}), 1);
}

// ---- terminals ----------------------------------------------------------------------------------

// Run with a terminal for stdout, and read what it shows. @return false when there are none here
static bool run_on_terminal(void)
{
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
        test_skip("there are no terminals here");
        return false;
    }
    // held open, so that what was written stays until it is read
    const int other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    CHECK_INT(run_to(ptsname(terminal), TWO, (const char* const[]){"lcp", "-", NULL}), 0);
    // a read may end after any part of the text, so a mark is written behind it
    static const char MARK = 1;
    CHECK(write(other, &MARK, 1) == 1);
    size_t size = 0;
    for (ssize_t got = 1; got > 0 && (size == 0 || out[size - 1] != MARK);
         size += got > 0 ? (size_t)got : 0) {
        got = read(terminal, out + size, ROOM - 1 - size);
    }
    out[size > 0 ? size - 1 : 0] = 0;
    close(other);
    close(terminal);
    return true;
}

TEST(colour_is_for_terminals_and_for_who_wants_it)
{
    if (program() == NULL) {
        return;
    }
    unsetenv("NO_COLOR");
    if (run_on_terminal()) {
        CHECK(has(out, "\033[32msolved\033[0m"));
        setenv("NO_COLOR", "1", 1);
        run_on_terminal();
        CHECK(has(out, "solved") && strchr(out, '\033') == NULL);
        unsetenv("NO_COLOR");
    }
}

// ---- scenes -------------------------------------------------------------------------------------

TEST(the_committed_problems_have_the_answers_of_their_comments)
{
    static const struct {
        const char* file;
        int code;
        const char* outcome;
        int n;
        double z[6];
        double w[6];
    } scenes[] = {
        {"scenes/lcp/pfrommer-falling.json", 0, "solved", 1, {0}, {153.35}},
        {"scenes/lcp/pfrommer-sliding.json", 0, "solved", 1, {0.95095}, {0}},
        {"scenes/lcp/pfrommer-bidirectional.json", 0, "solved", 2, {0.95095, 0}, {0, 104.905}},
        {"scenes/lcp/pfrommer-wrong-order.json", 3, "none", 2, {0, 0}, {104.905, -95.095}},
        {"scenes/lcp/murty-6.json", 0, "solved", 6, {0, 0, 0, 0, 0, 64}, {2, 4, 8, 16, 32, 0}},
    };
    if (program() == NULL) {
        return;
    }
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        utArena keep = test_arena();
        CHECK_INT(RUN("lcp", "--json", scenes[s].file), scenes[s].code);
        const utJson* root = parse(&keep, KEYS);
        CHECK_TEXT(string_of(root, "outcome"), scenes[s].outcome);
        if (scenes[s].code == 0) {
            check_vector(root, "z", scenes[s].z, scenes[s].n);
            check_vector(root, "w", scenes[s].w, scenes[s].n);
        }
    }
}

#endif
