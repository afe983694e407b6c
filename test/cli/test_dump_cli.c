// SPDX-License-Identifier: Apache-2.0
// uptack dump as a user meets it: text, LaTeX, the file for uptack lcp, and what it refuses.
#ifdef __EMSCRIPTEN__

#include "test.h"

TEST(the_command_line_of_dump)
{
    test_skip("no program can be started here");
}

#else

#include "dump_cases.h"

static char out[DUMP_ROOM], err[1 << 16];

// @return the exit code
static int run(const char* arguments)
{
    const int code = dump_run(arguments);
    read_file("out", out, sizeof out);
    read_file("err", err, sizeof err);
    return code;
}

// The number after a word at the start of a line.
static double after(const char* text, const char* word)
{
    char line[64];
    snprintf(line, sizeof line, "\n  %s ", word);
    const char* at = strstr(text, line);
    return at != NULL ? strtod(at + strlen(line), NULL) : HUGE_VAL;
}

static size_t longest_line(const char* text)
{
    size_t longest = 0;
    for (const char* line = text; *line != '\0';) {
        const size_t size = strcspn(line, "\n");
        longest = size > longest ? size : longest;
        line += size + (line[size] == '\n');
    }
    return longest;
}

TEST(dump_prints_the_text_of_Eq_64)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run("dump scenes/seeds/berard-4.3.xml --eq berard"), 0);
    CHECK(has(out, "Berard Eq. 64: size 21 = 9 + 4 + 2 + 4 + 2\n"));
    CHECK(has(out, "velocities C(x y th)  A(x y th)  B(x y th)\n"));
    CHECK(has(out, "joints AC = pin C-A, BA = pin A-B\n"));
    CHECK(has(out, "[ rho_n ] = [ W_n'  0    0    0    0 ] [ p_n   ] + [ Psi_n/h + dPsi_n/dt ]\n"));
    CHECK(has(out, "M_C = diag(2, 2, 0.208333)  M_A = diag(1, 1, 0.0833333)  M_B = diag(0.5, 0.5, "
                   "0.0266667)\n"));
    CHECK(has(out, "    AC.x   1  0  -0.05 |  -1   0  0.353553 |   .   .        .\n"));
    // of the paper's problem solved by the recipe: nu_x of the block, the left normal impulse and its force
    CHECK_NEAR(after(out, "nu            "), 0.00786456, 1e-8);
    CHECK_NEAR(after(out, "p_n           "), 0.117644, 1e-6);
    CHECK_NEAR(after(out, "  p_n/h       "), 11.7644, 1e-4);
    CHECK(has(out, "rank 20 of 21"));
    CHECK(has(out, "Eq. 64 lacks p_b and a column"));
    CHECK(longest_line(out) <= 130);
}

TEST(dump_works_on_models_of_other_kinds)
{
    if (program() == NULL) {
        return;
    }
    static const char* const works[] = {
        "dump stack:3 --eq berard",
        "dump stack:3 --eq dart",
        "dump stack:3 --eq dart-full",
        "dump stack:3 --eq igms",
        "dump stack:3 --eq peiret",
        "dump scenes/quadruped.xml --eq berard",
        "dump scenes/gripper.xml --eq dart --step 300",
        "dump scenes/seeds/igms-kane.xml --eq igms --step 20",
    };
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        CHECK_INT(run(works[k]), 0);
        CHECK(has(out, "\nsolution of the step"));
        CHECK_TEXT(err, "");
    }
}

// Dry friction of a joint has bounds, which no paper has: its impulse, at the bound of 0.5 N m while the joint turns,
// is an applied force, and tau* of the shoulder decreases by h 0.5 N m.
TEST(dump_counts_rows_with_bounds_as_applied_forces)
{
    if (program() == NULL) {
        return;
    }
    double tau[2];
    for (int k = 0; k < 2; k++) {
        utArena arena = test_arena();
        const utJson* root = dump_json(k == 0 ? "scenes/seeds/dart-arm.xml --eq dart-full"
                                              : "scenes/seeds/dart-arm.xml --eq dart-full "
                                                "--set shoulder.frictionloss=0.5",
                                       &arena);
        if (root == NULL) {
            return;
        }
        dump_check_by_step(root);
        dump_check_order(root, "qdot 0 2, f_n a 1, f_d b 8, lambda c 1, ");
        tau[k] = ut_json_member(ut_json_member(ut_json_member(root, "blocks"), "tau*"), "values")
                     ->first->number;
    }
    CHECK_NEAR(tau[1] - tau[0], -0.01 * 0.5, 1e-12);
}

// The tip strikes the floor with e = 0.5 in the first step, which the paper's step does not have: e = 0.
TEST(dump_solves_the_system_where_the_step_has_restitution)
{
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run("dump scenes/seeds/igms-kane.xml --eq igms"), 0);
    CHECK(has(out, "\nsolution by ") && has(out, "solve another\nproblem (restitution"));
    CHECK_NEAR(after(out, "sigma         "), 0.0, 1e-12);
}

TEST(dump_says_when_a_notation_does_not_apply)
{
    if (program() == NULL) {
        return;
    }
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"dump stack:3 --eq pfrommer",
         "--eq pfrommer does not apply: pfrommer: contacts without friction, or one in the "
         "plane with it"},
        {"dump scenes/quadruped.xml --eq igms",
         "step 1 has no contacts; a later --step may have some"},
        {"dump scenes/seeds/igms-ball.xml --eq berard", "step 1 has no contacts and no joint rows"},
        {"dump scenes/quadruped.xml --eq dart",
         "or a run with --formulation stewart-trinkle-velocity"},
        {"dump scenes/seeds/peiret-rod.xml --eq peiret-lcp", "this system keeps them: --eq peiret"},
        {"dump scenes/seeds/berard-4.1.xml --eq peiret --coordinates maximal",
         "--eq peiret does not apply: "},
        {"dump scenes/seeds/pfrommer-falling.xml --eq pfrommer-forward",
         "the contact has no friction"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CHECK_INT(run(cases[k].arguments), 1);
        CHECK_TEXT(out, "");
        CHECK(has(err, "error: "));
        CHECK(has(err, cases[k].message));
    }
}

TEST(dump_rejects_options_that_it_cannot_use)
{
    if (program() == NULL) {
        return;
    }
    static const char* const bad[] = {
        "dump stack:3",
        "dump stack:3 --eq trinkle",
        "dump stack:3 --eq dart --rho 1",
        "dump stack:3 --eq peiret --rho -1",
        "dump stack:3 --eq dart --step 0",
        "dump stack:3 --eq dart --format pdf",
        "dump stack:3 --eq dart --lcp -",
        "dump --eq dart",
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        CHECK_INT(run(bad[k]), 2);
        CHECK_TEXT(out, "");
    }
    CHECK_INT(run("dump missing.xml --eq dart"), 1);
    CHECK_INT(run("dump stack:3 --eq dart --lcp /no/such/folder/x.json"), 1);
    CHECK_TEXT(out, "");
}

// Row P23: Glocker's model, rho = 0, has a rank-deficient matrix and the accelerations of rho > 0. The file is
// solved by `uptack lcp`, apart from the step.
TEST(dump_writes_the_problem_for_uptack_lcp)
{
    if (program() == NULL) {
        return;
    }
    static const char* const rhos[] = {"0", "0.001", "10"};
    for (int k = 0; k < 3; k++) {
        utArena arena = test_arena();
        const utJson* root = NULL;
        char line[256];
        snprintf(line, sizeof line,
                 "dump scenes/seeds/peiret-block.xml --set 'option.gravity=4 4 -9.81' --eq peiret "
                 "--rho %s --lcp '%s'",
                 rhos[k], path_in_folder("lcp.json"));
        CHECK_INT(run(line), 0);
        snprintf(line, sizeof line, "lcp '%s' --json", path_in_folder("lcp.json"));
        CHECK_INT(run(line), 0);
        if (CHECK_INT(ut_json_read((utText){out, strlen(out)}, "lcp", &arena, &root, NULL),
                      UT_OK)) {
            const utJson* z = ut_json_member(root, "z")->first;
            CHECK_NEAR(z->number, 4 - 4.905 * sqrt(0.5), 1e-9);
            CHECK_NEAR(z->next->number, 4 - 4.905 * sqrt(0.5), 1e-9);
        }
    }
    // with the signs of Eq. 34: nu of the block
    char line[256];
    snprintf(line, sizeof line, "dump scenes/seeds/berard-4.3.xml --eq berard --lcp '%s'",
             path_in_folder("lcp.json"));
    CHECK_INT(run(line), 0);
    snprintf(line, sizeof line, "lcp '%s' --solver lemke", path_in_folder("lcp.json"));
    CHECK_INT(run(line), 0);
    CHECK(has(out, "mixed LCP with 21 unknowns, 13 free"));
    CHECK(has(out, "0.007864555"));
}

// ---- LaTeX --------------------------------------------------------------------------------------

// Braces are balanced, environments nested, and \left matched with \right.
static bool is_balanced(const char* text)
{
    char stack[16][32];
    int depth = 0, braces = 0, sides = 0;
    for (const char* c = text; *c != '\0'; c++) {
        if (*c == '\\' && c[1] != '\0') {
            char name[32] = "";
            sscanf(c, "\\begin{%31[^}]}", name);
            if (name[0] != '\0' && depth < 16) {
                snprintf(stack[depth++], sizeof stack[0], "%s", name);
            }
            name[0] = '\0';
            sscanf(c, "\\end{%31[^}]}", name);
            if (name[0] != '\0' && (depth == 0 || strcmp(stack[--depth], name) != 0)) {
                test_note("\\end{%s} does not match", name);
                return false;
            }
            sides += strncmp(c, "\\left[", 6) == 0 ? 1 : strncmp(c, "\\right]", 7) == 0 ? -1 : 0;
            c += strchr("{}\\", c[1]) != NULL; // the sign itself
        } else {
            braces += *c == '{' ? 1 : *c == '}' ? -1 : 0;
        }
        if (braces < 0 || sides < 0) {
            return false;
        }
    }
    return braces == 0 && depth == 0 && sides == 0;
}

// The number of unescaped dollars is even, and letters outside of ASCII do not occur.
static bool is_plain(const char* text)
{
    int dollars = 0;
    for (const char* c = text; *c != '\0'; c++) {
        dollars += *c == '$' && (c == text || c[-1] != '\\');
        if ((unsigned char)*c > 126 || ((unsigned char)*c < 32 && *c != '\n')) {
            return false;
        }
    }
    return dollars % 2 == 0;
}

TEST(dump_prints_latex_that_is_well_formed)
{
    if (program() == NULL) {
        return;
    }
    static const char* const systems[] = {
        "berard-4.6.xml --eq berard --step 20",
        "berard-4.3.xml --eq berard",
        "dart-three-systems.xml --eq dart-full",
        "dart-arm.xml --eq dart",
        "dart-arm-box.xml --eq dart-full",
        "igms-ball.xml --eq igms --set 'ball.pos=0 0 0.1'",
        "pfrommer-falling.xml --eq pfrommer",
        "pfrommer-sliding.xml --eq pfrommer",
        "pfrommer-bidirectional.xml --key left --eq pfrommer",
        "peiret-block.xml --eq peiret",
        "peiret-rod.xml --eq peiret",
        "peiret-block.xml --eq peiret-lcp",
    };
    const bool compiles = system("pdflatex --version >/dev/null 2>&1") == 0;
    for (size_t k = 0; k < sizeof systems / sizeof *systems; k++) {
        char line[256];
        snprintf(line, sizeof line, "dump scenes/seeds/%s --format tex", systems[k]);
        CHECK_INT(run(line), 0);
        CHECK(has(out, "\\begin{document}") && has(out, "\\end{document}"));
        CHECK(is_balanced(out));
        CHECK(is_plain(out));
        if (compiles) {
            char command[512];
            snprintf(command, sizeof command,
                     "cd '%s' && cp out dump.tex && pdflatex -halt-on-error "
                     "-interaction=nonstopmode dump.tex "
                     ">/dev/null 2>&1; code=$?; rm -f dump.*; exit $code",
                     program_folder());
            CHECK_INT(system(command), 0);
        }
    }
    CHECK(!is_balanced("\\begin{a}{\\end{b}}") && !is_balanced("{\\{}}}") &&
          is_balanced("\\left[{\\{}\\right]"));
    test_note("%s", compiles ? "compiled with pdflatex"
                             : "pdflatex is not installed (tools/deps tex): not compiled");
}

#endif
