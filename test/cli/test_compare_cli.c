// SPDX-License-Identifier: Apache-2.0
// uptack compare as a user meets it: closed forms and rows X1 to X3 and X6 of the papers, by its JSON.
#define _XOPEN_SOURCE 700
#include "program.h"
#include "test.h"

#ifdef __EMSCRIPTEN__

TEST(the_command_line_for_comparisons)
{
    test_skip("no program can be started from WebAssembly");
}

#else

#include <uptack/json.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { ROOM = 1 << 22 };

static const double PI = 3.14159265358979323846;
static const double GRAVITY = 9.81;
static char out[ROOM], err[ROOM];

// ---- running ------------------------------------------------------------------------------------

// Run the program. %s in the arguments stands for the folder of the tests. @return the exit code, or -1
static int run(const char* arguments)
{
    char filled[1024], command[2048];
    snprintf(filled, sizeof filled, arguments, program_folder(), program_folder());
    snprintf(command, sizeof command, "'%s' %s >%s/out 2>%s/err", program(), filled,
             program_folder(), program_folder());
    path_in_folder("out");
    path_in_folder("err");
    const int status = system(command);
    read_file("out", out, sizeof out);
    read_file("err", err, sizeof err);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

// Run with --json. @return the root, or NULL
static const utJson* compare(const char* arguments, int code, utArena* arena)
{
    char whole[900];
    const utJson* root = NULL;
    utError e = {0};
    snprintf(whole, sizeof whole, "compare %s --json", arguments);
    if (!CHECK_INT(run(whole), code)) {
        test_note("%s: %s", arguments, err);
    }
    if (!CHECK(ut_json_read((utText){out, strlen(out)}, "out", arena, &root, &e) == UT_OK)) {
        test_note("%s", e.message);
        return NULL;
    }
    return root;
}

// ---- reading ------------------------------------------------------------------------------------

// A member along keys separated by dots: "difference.velocity_max".
static const utJson* find(const utJson* from, const char* path)
{
    char key[64];
    while (from != NULL && *path != '\0') {
        const size_t size = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)size, path);
        from = ut_json_member(from, key);
        path += size + (path[size] == '.');
    }
    return from;
}

static double number(const utJson* from, const char* path)
{
    const utJson* found = find(from, path);
    if (found == NULL || found->type != UT_JSON_NUMBER) {
        test_note("no number %s", path);
        return (double)NAN;
    }
    return found->number;
}

static const char* text(const utJson* from, const char* path)
{
    const utJson* found = find(from, path);
    return found != NULL && found->type == UT_JSON_STRING ? found->string.data : "";
}

static const utJson* element(const utJson* from, const char* path, int index)
{
    const utJson* list = find(from, path);
    const utJson* at = list != NULL ? list->first : NULL;
    for (int k = 0; k < index && at != NULL; k++) {
        at = at->next;
    }
    return at;
}

// The case number `index` of a formulation.
static const utJson* nth(const utJson* root, const char* formulation, int index)
{
    const utJson* cases = find(root, "cases");
    for (const utJson* k = cases != NULL ? cases->first : NULL; k != NULL; k = k->next) {
        if (strcmp(text(k, "formulation"), formulation) == 0 && index-- == 0) {
            return k;
        }
    }
    test_note("no case %s", formulation);
    return NULL;
}

static const utJson* case_of(const utJson* root, const char* formulation)
{
    return nth(root, formulation, 0);
}

static double body_vector(const utJson* item, const char* key, int axis)
{
    const utJson* at = element(element(item, "bodies", 0), key, axis);
    return at != NULL ? at->number : (double)NAN;
}

static const char* const all[] = {"coulomb",        "stewart-trinkle", "stewart-trinkle-velocity",
                                  "anitescu-potra", "peiret",          "peiret-acceleration",
                                  "convex",         "mirtich",         "hybrid"};
enum { FORMULATIONS = sizeof all / sizeof *all };

// ---- X1, X2: one block, many systems ------------------------------------------------------------

// In the plane all friction sections are segments, and a contact that touches has no gap: the systems of
// all papers have the same solution. From rest a load of 6 N slides a block of 1 kg: v = (6 - 4.905) h.
TEST(X1_one_step_of_a_planar_block_is_the_same_in_every_formulation)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root = compare("scenes/seeds/pfrommer-sliding.xml --one-step --key '' "
                                 "--set 'option.gravity=6 0 -9.81'",
                                 0, &arena);
    for (int k = 0; k < FORMULATIONS; k++) {
        const utJson* item = case_of(root, all[k]);
        if (strcmp(all[k], "convex") == 0 || strcmp(all[k], "mirtich") == 0) {
            continue; // other laws: contacts that slip open, and a collision precedes the motion
        }
        CHECK_NEAR(body_vector(item, "velocity", 0), (6.0 - 0.5 * GRAVITY) * 0.01, 1e-9);
        CHECK(number(item, "difference.velocity_max") <= 1e-9);
    }
}

// The systems of both coordinates: maximal ones have the pin's rows besides.
TEST(X1_a_recording_in_maximal_coordinates_is_a_reference)
{
    static const char model[] =
        "<mujoco><option timestep=\"0.01\"/><worldbody><geom name=\"floor\" type=\"plane\" "
        "size=\"0 0 1\"/><body name=\"block\" pos=\"0 0 0.25\"><freejoint/><geom type=\"box\" "
        "size=\"0.5 0.2 0.25\" mass=\"2\" friction=\"0.15\"/><body name=\"rod\" pos=\"0.1 0 0.05\" "
        "euler=\"0 45 0\"><joint axis=\"0 1 0\"/><inertial pos=\"0 0 -0.5\" mass=\"1\" "
        "diaginertia=\"0.0833 0.0833 0.001\"/></body></body></worldbody></mujoco>";
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    path_in_folder("m.utr");
    write_file("m.xml", model);
    CHECK_INT(run("run %s/m.xml -t 0.01 --formulation stewart-trinkle --coordinates maximal "
                  "--record %s/m.utr"),
              0);
    const utJson* root =
        compare("%s/m.xml -t 0.01 --formulation stewart-trinkle --against %s/m.utr", 0, &arena);
    const utJson* item = case_of(root, "stewart-trinkle");
    CHECK(find(root, "against") != NULL);
    CHECK_INT(number(item, "difference.steps"), 1);
    // v+ of both systems is equal at the step's start. Then one turns the rod by h w about its pin, and the other
    // moves its centre straight on, l = 0.5 m from the pin: h^2 w^2 l / 2 apart
    const double w = element(element(item, "bodies", 1), "angular_velocity", 1)->number;
    CHECK(fabs(w) > 0.1);
    CHECK_NEAR(number(item, "difference.position_max"), 1e-4 * w * w * 0.25, 1e-9);
    CHECK_NEAR(number(item, "difference.velocity_max"), 0.01 * w * w * 0.5, 1e-7);
    CHECK_NEAR(number(item, "difference.angular_velocity_max"), 0.0, 1e-9);
}

// F8 step by step: v+ - v- of the notes. After 30 steps from 1 m/s the block rests.
TEST(X2_sliding_blocks_follow_the_formulas)
{
    static const struct {
        double load;
        const char* arguments;
    } loads[] = {
        {0.0, "scenes/seeds/pfrommer-sliding.xml --key start -t 0.1"},
        {6.0,
         "scenes/seeds/pfrommer-sliding.xml --key start -t 0.1 --set 'option.gravity=6 0 -9.81'"},
        {-6.0,
         "scenes/seeds/pfrommer-sliding.xml --key '' -t 0.1 --set 'option.gravity=-6 0 -9.81'"},
        {4.0, "scenes/seeds/pfrommer-bidirectional.xml --key '' -t 0.1 "
              "--set 'option.gravity=4 0 -9.81'"},
    };
    static const char* const names[] = {"coulomb", "stewart-trinkle", "stewart-trinkle-velocity",
                                        "anitescu-potra", "peiret"};
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    for (int i = 0; i < 4; i++) {
        const double h = 0.01, most = 0.5 * GRAVITY, load = loads[i].load;
        double v = i < 2 ? 1.0 : 0.0;
        for (int step = 0; step < 10; step++) {
            v = fmax(0.0, v + h * (load - most)) - fmax(0.0, -v - h * (load + most));
        }
        const utJson* root = compare(loads[i].arguments, 0, &arena);
        for (int k = 0; k < 5; k++) {
            CHECK_NEAR(body_vector(case_of(root, names[k]), "velocity", 0), v, 1e-12);
        }
    }
}

// F2: lambda = max(0, q), first contact in step 45, then rest at 0.
TEST(X2_falling_follows_the_formula)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    double x = 1.0, v = 0.0;
    const double h = 0.01;
    for (int step = 0; step < 44; step++) {
        v = fmax(v - GRAVITY * h, -x / h);
        x += h * v;
    }
    const utJson* root = compare("scenes/seeds/pfrommer-falling.xml -t 0.44", 0, &arena);
    static const char* const names[] = {"coulomb", "stewart-trinkle", "peiret"};
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(body_vector(case_of(root, names[k]), "position", 2), x, 1e-12);
        CHECK_NEAR(body_vector(case_of(root, names[k]), "velocity", 2), v, 1e-12);
    }
    root = compare("scenes/seeds/pfrommer-falling.xml -t 0.5", 0, &arena);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(body_vector(case_of(root, names[k]), "position", 2), 0.0, 1e-12);
    }
}

// ---- X3: polygons -------------------------------------------------------------------------------

// A box that slides along 30 degrees. Friction of mu m g h is along the vertex next to the slip, so that
// its velocity differs from that of the circle by mu g h |p - (cos 30, sin 30)|.
TEST(X3_one_step_of_a_sliding_box_shows_the_polygon)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root = compare("slide:30 --one-step --directions 4,8,12,16 "
                                 "--formulation coulomb,stewart-trinkle,peiret",
                                 0, &arena);
    static const int edges[] = {4, 8, 12, 16};
    for (int k = 0; k < 4; k++) {
        for (int out_side = 0; out_side < 2; out_side++) {
            double p[2] = {0, 0}, most = 0.0;
            const double radius = out_side ? 1.0 / cos(PI / edges[k]) : 1.0;
            for (int j = 0; j < edges[k]; j++) {
                const double angle = 2.0 * PI * (j + 0.5 * out_side) / edges[k];
                if (cos(angle - PI / 6) > most + 1e-12) {
                    most = cos(angle - PI / 6);
                    p[0] = radius * cos(angle);
                    p[1] = radius * sin(angle);
                }
            }
            const utJson* item = nth(root, out_side ? "peiret" : "stewart-trinkle", k);
            CHECK_INT(number(item, "directions"), edges[k]);
            const double want =
                0.5 * GRAVITY * 0.002 * hypot(p[0] - cos(PI / 6), p[1] - sin(PI / 6));
            // peiret with 12 edges has its direction between two vertices: any mixture solves the law
            if (!(out_side && edges[k] == 12)) {
                CHECK_NEAR(number(item, "difference.velocity_max"), want, 1e-7);
            }
            // the model gap vanishes with the polygon's error
            CHECK((number(item, "max_model_gap") < 1e-7) == (want < 1e-9) ||
                  (out_side && edges[k] == 12));
        }
    }
}

// The box sticks up to cos(pi/d) inside and up to 1/cos(pi/d) outside of the circle, along the middle
// between two directions.
TEST(X3_the_bracket_has_the_stick_limits)
{
    static const struct {
        const char* scene;
        bool inside, circle, outside; // does it move?
    } cases[] = {
        {"incline:22.5:-8", false, false, false}, // 0.92 < cos 22.5 deg = 0.9239
        {"incline:22.5:-7", true, false, false},
        {"incline:22.5:8", true, true, false}, // 1.08 < 1/cos 22.5 deg = 1.0824
        {"incline:22.5:9", true, true, true},
    };
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    for (int k = 0; k < 4; k++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "%s --bracket --directions 8 -t 0.2", cases[k].scene);
        const utJson* root = compare(arguments, k == 0 ? 0 : 3, &arena);
        const utJson* level = element(root, "bracket.levels", 0);
        CHECK_NEAR(number(level, "friction_low"), cos(PI / 8), 1e-15);
        CHECK_NEAR(number(level, "friction_high"), 1.0 / cos(PI / 8), 1e-15);
        CHECK((number(level, "moved_inside") > 1e-5) == cases[k].inside);
        CHECK((number(level, "moved_circle") > 1e-5) == cases[k].circle);
        CHECK((number(level, "moved_outside") > 1e-5) == cases[k].outside);
    }
}

// 2 % inside of the cone 16 edges are enough, because cos(pi/16) = 0.981 > 0.98. On the cone none are.
TEST(X3_the_bracket_closes_or_says_that_it_does_not)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root = compare("incline:30:-2 --bracket -t 1", 0, &arena);
    CHECK(find(root, "bracket.agree")->boolean);
    CHECK_INT(find(root, "bracket.levels")->count, 3);
    CHECK_INT(number(element(root, "bracket.levels", 2), "edges"), 16);
    root = compare("incline:30:0 --bracket -t 1", 3, &arena);
    CHECK(!find(root, "bracket.agree")->boolean);
    CHECK_INT(find(root, "bracket.levels")->count, 5);
    double width = HUGE_VAL;
    for (int k = 0; k < 5; k++) {
        const utJson* level = element(root, "bracket.levels", k);
        CHECK(number(level, "width") < 0.5 * width);
        width = number(level, "width");
    }
    CHECK_INT(run("compare incline:30:0 --bracket -t 0.1"), 3);
    CHECK(has(out, "both sides do not agree"));
}

// A shared state: the verdicts of one step.
TEST(verdicts_that_differ_are_counted)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root = compare("incline:22.5:-7 --one-step --step 5 --directions 8 "
                                 "--formulation coulomb,stewart-trinkle,peiret",
                                 0, &arena);
    CHECK_INT(number(root, "steps_before"), 5);
    CHECK_INT(number(case_of(root, "coulomb"), "verdicts.slip"), 0);
    CHECK(number(case_of(root, "stewart-trinkle"), "verdicts.slip") > 0);
    CHECK(number(case_of(root, "stewart-trinkle"), "verdicts.different") > 0);
    CHECK_INT(number(case_of(root, "stewart-trinkle"), "verdicts.first_different"), 1);
    CHECK_INT(number(case_of(root, "peiret"), "verdicts.slip"), 0);
}

// lambda is the largest projection of -u_t on the vertices of the section.
TEST(lambda_of_each_contact_is_that_of_its_polygon)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root = compare(
        "scenes/seeds/dart-box.xml --one-step --formulation stewart-trinkle-velocity", 0, &arena);
    const utJson* item = case_of(root, "stewart-trinkle-velocity");
    CHECK_INT(find(item, "contacts")->count, 4);
    for (int i = 0; i < 4; i++) {
        const utJson* contact = element(item, "contacts", i);
        const double u[] = {element(contact, "velocity", 1)->number,
                            element(contact, "velocity", 2)->number};
        double lambda = 0.0;
        for (int j = 0; j < 8; j++) {
            lambda = fmax(lambda, -(u[0] * cos(PI * j / 4) + u[1] * sin(PI * j / 4)));
        }
        CHECK_NEAR(number(contact, "lambda"), lambda, 1e-12);
        CHECK(lambda > 0.9);
    }
}

// ---- X6: units ----------------------------------------------------------------------------------

// D24: E and mu times the step in the LCP change lambda, not the motion.
TEST(X6_the_scaled_lcp_gives_the_same_run)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    path_in_folder("d.utr");
    CHECK_INT(run("run scenes/seeds/dart-box.xml --solver lemke --record %s/d.utr"), 0);
    const utJson* root = compare("scenes/seeds/dart-box.xml --solver lemke --against %s/d.utr "
                                 "--formulation stewart-trinkle-velocity "
                                 "--set option.scale_dt=true",
                                 0, &arena);
    const utJson* scaled = case_of(root, "stewart-trinkle-velocity");
    CHECK_INT(number(scaled, "difference.steps"), 100);
    CHECK(number(scaled, "difference.velocity_max") <= 1e-10);
    root = compare("scenes/seeds/dart-box.xml --solver lemke --one-step "
                   "--formulation stewart-trinkle-velocity --set option.scale_dt=true",
                   0, &arena);
    const double with = number(case_of(root, "stewart-trinkle-velocity"), "system.lcp_condition");
    root = compare("scenes/seeds/dart-box.xml --solver lemke --one-step "
                   "--formulation stewart-trinkle-velocity",
                   0, &arena);
    const double without =
        number(case_of(root, "stewart-trinkle-velocity"), "system.lcp_condition");
    CHECK(with != without);
}

// Phantom inertia of any size gives the same motion; it changes the condition of the LCP.
TEST(rho_changes_the_matrix_and_not_the_motion)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root =
        compare("slide:30 --one-step --rho 0.01,0.0001 --formulation peiret", 0, &arena);
    const utJson* one = nth(root, "peiret", 0);
    const utJson* two = nth(root, "peiret", 1);
    CHECK_NEAR(number(one, "rho"), 0.01, 0.0);
    CHECK_NEAR(number(two, "rho"), 0.0001, 0.0);
    for (int axis = 0; axis < 3; axis++) {
        CHECK_NEAR(body_vector(one, "velocity", axis), body_vector(two, "velocity", axis), 1e-12);
    }
    CHECK(number(two, "system.lcp_condition") > 10.0 * number(one, "system.lcp_condition"));
}

// ---- convergence --------------------------------------------------------------------------------

// x = -g (t^2 + h t)/2 of symplectic Euler: runs with h and h/2 end g t h / 4 apart. The midpoint rule
// of hybrid is exact.
TEST(falling_converges_with_order_one)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root = compare("scenes/seeds/pfrommer-falling.xml -t 0.2 --halve 3 "
                                 "--formulation stewart-trinkle,hybrid",
                                 0, &arena);
    for (int k = 0; k < 2; k++) {
        const utJson* item = nth(root, "stewart-trinkle", k);
        const double h = ldexp(0.01, -k);
        CHECK_NEAR(number(item, "dt"), h, 0.0);
        CHECK_NEAR(number(item, "distance_to_half_step"), GRAVITY * 0.2 * h / 4.0, 1e-12);
        CHECK_NEAR(number(item, "order"), 1.0, 1e-9);
        CHECK_NEAR(number(nth(root, "hybrid", k), "distance_to_half_step"), 0.0, 1e-12);
    }
    CHECK_INT(number(nth(root, "stewart-trinkle", 3), "steps"), 160);
    CHECK_NEAR(number(case_of(root, "coulomb"), "dt"), 0.00125, 0.0);
}

// ---- rows of the table --------------------------------------------------------------------------

TEST(a_refused_formulation_is_a_row_with_its_reason)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root = compare("scenes/seeds/berard-4.3.xml -t 0.1", 0, &arena);
    CHECK_INT(find(root, "cases")->count, FORMULATIONS);
    const utJson* refused = case_of(root, "peiret-acceleration");
    CHECK_TEXT(text(refused, "outcome"), "refused");
    CHECK(has(text(refused, "reason"), "does not support equalities"));
    CHECK(find(refused, "steps") == NULL);
    // three bodies, each with its differences
    CHECK_INT(find(case_of(root, "peiret"), "bodies")->count, 3);
    CHECK_TEXT(text(element(case_of(root, "peiret"), "bodies", 2), "name"), "B");

    root = compare("scenes/seeds/igms-kane.xml -t 0.01", 0, &arena);
    CHECK_TEXT(text(root, "against"), "hybrid");
    CHECK(has(text(root, "note"), "coulomb is refused"));
    CHECK_TEXT(text(case_of(root, "coulomb"), "outcome"), "refused");
}

TEST(a_step_without_solution_stops_its_case_only)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root = compare("painleve -t 0.01", 3, &arena);
    const utJson* stopped = case_of(root, "peiret-acceleration");
    CHECK_TEXT(text(stopped, "outcome"), "stopped");
    CHECK(has(text(stopped, "reason"), "step 1 (t = 0 s) is not certified"));
    CHECK_INT(number(stopped, "unsolved_steps"), 1);
    CHECK_TEXT(text(case_of(root, "stewart-trinkle"), "outcome"), "ran");
    CHECK_INT(number(case_of(root, "stewart-trinkle"), "steps"), 10);
}

// Four feet of a table: 12 rows, and a free body has 6 velocities. Three cubes: 36 rows, 18.
TEST(ranks_are_those_of_the_bodies)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root = compare("table --one-step --formulation coulomb,peiret", 0, &arena);
    CHECK_INT(number(case_of(root, "coulomb"), "system.rows"), 12);
    CHECK_INT(number(case_of(root, "coulomb"), "system.rank"), 6);
    // 4 contacts with r_t (2), r_n, and kappa of 4 lines in pairs
    CHECK_INT(number(case_of(root, "peiret"), "system.lcp_unknowns"), 4 * (2 + 1 + 8));
    root = compare("stack:3 -t 0.01 --formulation coulomb", 0, &arena);
    CHECK_INT(number(case_of(root, "coulomb"), "system.rows"), 36);
    CHECK_INT(number(case_of(root, "coulomb"), "system.rank"), 18);
}

TEST(all_solvers_reach_the_same_motion)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root = compare("scenes/seeds/peiret-block.xml --solvers --formulation "
                                 "stewart-trinkle --against stewart-trinkle",
                                 3, &arena);
    static const char* const solvers[] = {"auto",      "lemke", "pivot",    "pgs", "newton",
                                          "enumerate", "ipm",   "proximal", "nsgs"};
    int ran = 0;
    for (int k = 0; k < 9; k++) {
        const utJson* item = nth(root, "stewart-trinkle", k);
        CHECK_TEXT(text(item, "solver"), solvers[k]);
        if (strcmp(text(item, "outcome"), "ran") == 0) {
            CHECK(number(item, "difference.velocity_max") <= 1e-8);
            ran++;
        }
    }
    CHECK_INT(ran, 7);
    CHECK(has(text(nth(root, "stewart-trinkle", 6), "reason"), "ipm does not take the polygons"));
    // block pivoting of this singular matrix cycles
    CHECK_TEXT(text(nth(root, "stewart-trinkle", 2), "outcome"), "stopped");
}

// A comparison is a run of each formulation, in bits.
TEST(each_case_is_the_run_of_its_formulation)
{
    static const char* const names[] = {"coulomb", "peiret", "hybrid"};
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root = compare("slide -t 0.1", 0, &arena);
    for (int k = 0; k < 3; k++) {
        char arguments[128], hash[32];
        snprintf(hash, sizeof hash, "%s", text(case_of(root, names[k]), "state_hash"));
        snprintf(arguments, sizeof arguments, "run slide -t 0.1 --json --formulation %s", names[k]);
        CHECK_INT(run(arguments), 0);
        CHECK(strlen(hash) == 16 && has(out, hash));
    }
    // a step from the state after 5 steps of the reference is its sixth
    char hash[32];
    root = compare("slide --one-step --step 5 --formulation coulomb", 0, &arena);
    snprintf(hash, sizeof hash, "%s", text(case_of(root, "coulomb"), "state_hash"));
    CHECK_INT(run("run slide -t 0.012 --json"), 0);
    CHECK(strlen(hash) == 16 && has(out, hash));
}

// The thrown ball with e = 0.6 rests from 1.768 s on (row G31), 323 of its 500 steps. Collisions alone need at least
// one more of them in each of these steps; a steady contact is solved when something changes.
TEST(G39_collisions_alone_work_in_every_step_at_rest)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    const utJson* root = compare("scenes/seeds/igms-ball.xml --set ball.restitution=0.6 "
                                 "--formulation mirtich,hybrid,stewart-trinkle --against hybrid",
                                 0, &arena);
    CHECK(number(case_of(root, "mirtich"), "factorizations") >= 323.0);
    CHECK(number(case_of(root, "hybrid"), "factorizations") < 100.0);
    CHECK(number(case_of(root, "stewart-trinkle"), "factorizations") < 323.0);
    for (int k = 0; k < 3; k++) {
        CHECK(number(element(root, "cases", k), "wall_s") > 0.0);
        CHECK_INT(number(element(root, "cases", k), "steps"), 500);
    }
}

TEST(confounders_are_named)
{
    utArena arena = test_arena();
    if (program() == NULL) {
        return;
    }
    CHECK_INT(run("compare slide -t 0.01"), 0);
    CHECK(has(out, "integrator midpoint instead of Euler"));
    CHECK(has(out, "no gap term: positions are not corrected"));
    const utJson* root = compare("slide -t 0.01 --formulation coulomb,mirtich", 0, &arena);
    CHECK_INT(find(case_of(root, "coulomb"), "confounders")->count, 0);
    CHECK_INT(find(case_of(root, "mirtich"), "confounders")->count, 2);
    CHECK_TEXT(text(case_of(root, "mirtich"), "integrator"), "midpoint");
}

// ---- outputs and errors -------------------------------------------------------------------------

static int count(const char* in, const char* part)
{
    int found = 0;
    for (const char* at = strstr(in, part); at != NULL; at = strstr(at + 1, part)) {
        found++;
    }
    return found;
}

TEST(the_table_has_a_row_per_case_and_body)
{
    if (program() == NULL) {
        return;
    }
    path_in_folder("c.csv");
    CHECK_INT(run("compare scenes/seeds/berard-4.3.xml -t 0.02 --csv %s/c.csv"), 0);
    read_file("c.csv", out, sizeof out);
    // a head, eight cases of three bodies, and the refused one
    CHECK_INT(count(out, "\n"), 1 + 8 * 3 + 1);
    CHECK(has(out, "peiret-acceleration,lemke,0,0,0,refused,\"peiret-acceleration does not"));
    CHECK(has(out, ",\"B\","));
}

TEST(pictures_have_a_curve_per_case_that_differs)
{
    static const char* const commands[] = {
        "compare slide -t 0.05 -o %s/p.svg", "compare slide --one-step -o %s/p.svg",
        "compare slide -t 0.05 --halve 2 --formulation coulomb,peiret -o %s/p.svg",
        "compare incline --bracket -t 0.1 -o %s/p.svg"};
    static const char* const parts[] = {"stewart-trinkle-velocity", "model gap",
                                        "halvings of the step", "inside to circle"};
    if (program() == NULL) {
        return;
    }
    path_in_folder("p.svg");
    for (int k = 0; k < 4; k++) {
        CHECK_INT(run(commands[k]), 0);
        read_file("p.svg", out, sizeof out);
        CHECK(has(out, "<svg ") && has(out, "</svg>") && has(out, parts[k]));
        CHECK(strstr(out, "nan") == NULL && strstr(out, "inf\"") == NULL);
    }
}

TEST(unusable_comparisons_are_errors)
{
    static const struct {
        const char* arguments;
        int code;
        const char* message;
    } cases[] = {
        {"compare", 2, "MODEL"},
        {"compare slide --directions 5", 2, "even numbers from 4 to 64, not '5'"},
        {"compare slide --formulation coulomb,soft", 2, "there is no formulation 'soft'"},
        {"compare slide --step 3", 2, "--one-step, which is missing"},
        {"compare slide --one-step --against a.utr", 2, "recordings are compared with whole runs"},
        {"compare slide --bracket --halve 2", 2, "leave out --against"},
        {"compare slide --rho -1", 2, "--rho needs numbers of at least 0"},
        {"compare slide --bracket=0", 2, "--bracket needs a number above 0"},
        {"compare slide -o f.png", 2, "ends in .svg"},
        {"compare slide --key nowhere", 1, "there is no keyframe 'nowhere'"},
        {"compare slide --against nowhere.utr", 1, "nowhere.utr"},
        {"compare scenes/seeds/igms-kane.xml --against coulomb", 1, "impact=\"stronge\" needs"},
        {"compare nothing", 1, "no scene 'nothing'"},
    };
    if (program() == NULL) {
        return;
    }
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CHECK_INT(run(cases[k].arguments), cases[k].code);
        CHECK(has(err, cases[k].message));
        CHECK_TEXT(out, "");
    }
}

// A recording of other bodies names the column that it lacks.
TEST(a_recording_of_another_model_is_rejected)
{
    if (program() == NULL) {
        return;
    }
    path_in_folder("s.csv");
    CHECK_INT(run("run stack:2 -t 0.01 --record %s/s.csv"), 0);
    CHECK_INT(run("compare slide --against %s/s.csv"), 1);
    CHECK(has(err, "there is no column box.x"));
}

TEST(ctrl_c_keeps_the_steps_so_far)
{
    char command[1024];
    if (program() == NULL) {
        return;
    }
    path_in_folder("out");
    snprintf(command, sizeof command,
             "timeout -s INT 1 '%s' compare slide -t 100000 --json >%s/out; test $? -eq 124",
             program(), program_folder());
    CHECK_INT(system(command), 0);
    read_file("out", out, sizeof out);
    utArena arena = test_arena();
    const utJson* root = NULL;
    CHECK(ut_json_read((utText){out, strlen(out)}, "out", &arena, &root, NULL) == UT_OK);
    CHECK(root != NULL && find(root, "interrupted")->boolean);
    CHECK(number(case_of(root, "coulomb"), "steps") > 0);
    CHECK(number(root, "steps") < number(root, "planned_steps"));
}

#endif
