// SPDX-License-Identifier: Apache-2.0
// The ladder and Newton on all forms of a problem: closed forms, unsymmetric W, the convex form,
// warm starts and limits.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/coulomb_problems.h>
#include <uptack/problem_files.h>

#include "coulomb/forms/delassus.h"
#include "coulomb/forms/factored.h"
#include "scratch.h"
#include "test.h"

static const utCoulombSolver SECOND_ORDER[] = {UT_COULOMB_AUTO, UT_COULOMB_IPM, UT_COULOMB_PROXIMAL,
                                               UT_COULOMB_NEWTON};
enum { SOLVERS = sizeof SECOND_ORDER / sizeof *SECOND_ORDER };

// ---- unsymmetric W ------------------------------------------------------------------------------

// One planar contact with W = (2 a; b 1), q = (-2, q_t), mu = 1/2. It slips along +t with
// r_t = -r_n / 2 and u_n = 0: r_n = 2 / (2 - a / 2), and u_t = (b - 1/2) r_n + q_t must be > 0.
// With a = 1, b = -1: r_n = 4/3, u_t = q_t - 2 > 0 for q_t = 3. Symmetrised, a = b = 0, r_n would
// be 1.
TEST(an_unsymmetric_w_is_solved_as_it_is)
{
    const double W[] = {2, 1, -1, 1};
    const double q[] = {-2, 3};
    const double mu[] = {0.5};
    const utSection segment = ut_section_segment();
    const utCoulomb problem = {
        .dimension = 2, .contacts = 1, .mu = mu, .section = &segment, .W = W, .q = q};
    const utCoulombDef def = ut_coulomb_def();
    for (int s = 0; s < SOLVERS; s++) {
        double r[2];
        utCoulombInfo info;
        CHECK_INT(ut_coulomb_solve(&problem, SECOND_ORDER[s], &def, test_arena(), r, &info), UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
        // |W^-1| < 1 and V = sqrt(13): an E of 1e-8 leaves less than 4e-8
        CHECK_NEAR(r[0], 4.0 / 3.0, 4e-8);
        CHECK_NEAR(r[1], -2.0 / 3.0, 4e-8);
    }
}

// Turn a random part of each pair of entries into a skew one.
static void skew(int N, double share, double* W)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            const size_t lower = (size_t)i * (size_t)N + (size_t)j;
            const size_t upper = (size_t)j * (size_t)N + (size_t)i;
            const double part = share * W[lower] * sin(12.0 * i + 5.0 * j);
            W[lower] += part;
            W[upper] -= part;
        }
    }
}

static double* copy_of(utArena* arena, int count, const double* from)
{
    double* to = UT_PUSH(arena, double, count);
    memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

TEST(unsymmetric_contact_problems_are_solved_and_never_symmetrised)
{
    int solved = 0;
    int seen = 0;
    int told_apart = 0;
    const utSection circle = ut_section_circle();
    const utCoulombDef def = ut_coulomb_def();
    for (int index = 1; index < 400; index += 9) {
        utArena arena = test_arena();
        const utFrictionDef scene = ut_friction_sample(index);
        utFrictionProblem made;
        CHECK_INT(ut_friction_create(&scene, &arena, &made), UT_OK);
        if (made.contacts > 24) {
            continue;
        }
        const utCoulomb global = ut_friction_coulomb(&made, &circle);
        utCoulomb even;
        CHECK_INT(ut_coulomb_delassus(&global, &arena, &even), UT_OK);
        const int N = made.rows;
        double* W = copy_of(&arena, N * N, even.W);
        skew(N, 0.1, W);
        utCoulomb odd = even;
        odd.W = W;
        CHECK(ut_coulomb_factorable(&even));
        CHECK(!ut_coulomb_factorable(&odd));
        double* r = UT_PUSH(&arena, double, N);
        utCoulombInfo info;
        CHECK_INT(ut_coulomb_solve(&odd, UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
        solved += info.outcome == UT_COULOMB_SOLVED;
        seen++;

        // the symmetric problem has another answer, which the judge of the unsymmetric one rejects
        utCoulombVerdict verdict;
        CHECK_INT(ut_coulomb_solve(&even, UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
        CHECK_INT(ut_coulomb_judge(&odd, false, r, arena, NULL, &verdict), UT_OK);
        told_apart += verdict.E > 1e-6;
    }
    test_note("%d of %d solved; the symmetric answer fails in %d", solved, seen, told_apart);
    CHECK(seen >= 15);
    CHECK(solved >= seen - 1); // all of them are solved today
    CHECK(told_apart >= seen / 2);
}

// ---- forms --------------------------------------------------------------------------------------

// W in rows, without its zeros.
static utCoulomb in_rows(const utCoulomb* dense, utArena* arena)
{
    const int N = ut_coulomb_rows(dense);
    utCoulomb sparse = *dense;
    int* start = UT_PUSH(arena, int, N + 1);
    int* column = UT_PUSH(arena, int, N* N);
    double* W = UT_PUSH(arena, double, N* N);
    int count = 0;
    for (int i = 0; i < N; i++) {
        start[i] = count;
        for (int j = 0; j < N; j++) {
            if (dense->W[(size_t)i * (size_t)N + (size_t)j] != 0.0) {
                column[count] = j;
                W[count++] = dense->W[(size_t)i * (size_t)N + (size_t)j];
            }
        }
    }
    start[N] = count;
    sparse.W = W;
    sparse.W_start = start;
    sparse.W_column = column;
    return sparse;
}

TEST(every_form_of_a_problem_is_solved)
{
    static const char* const names[] = {"global", "blocks", "local", "local in rows"};
    int solved[4] = {0};
    int seen = 0;
    const utSection circle = ut_section_circle();
    const utCoulombDef def = ut_coulomb_def();
    for (int index = 3; index < 500; index += 7) {
        utArena arena = test_arena();
        const utFrictionDef scene = ut_friction_sample(index);
        utFrictionProblem made;
        CHECK_INT(ut_friction_create(&scene, &arena, &made), UT_OK);
        if (made.contacts > 32) {
            continue;
        }
        utCoulomb forms[4] = {ut_friction_coulomb(&made, &circle),
                              ut_friction_blocks(&made, &circle)};
        CHECK_INT(ut_coulomb_delassus(&forms[0], &arena, &forms[2]), UT_OK);
        forms[3] = in_rows(&forms[2], &arena);
        double* r = UT_PUSH(&arena, double, made.rows);
        for (int f = 0; f < 4; f++) {
            utCoulombInfo info;
            utCoulombVerdict verdict;
            CHECK_INT(ut_coulomb_solve(&forms[f], UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
            solved[f] += info.outcome == UT_COULOMB_SOLVED;

            // an answer of one form solves the others: q and W differ by rounding only
            CHECK_INT(ut_coulomb_judge(&forms[(f + 1) % 4], false, r, arena, NULL, &verdict),
                      UT_OK);
            CHECK(info.outcome != UT_COULOMB_SOLVED || verdict.E <= 2e-8);
        }
        seen++;
    }
    for (int f = 0; f < 4; f++) {
        test_note("%s: %d of %d", names[f], solved[f], seen);
        CHECK(solved[f] >= seen - 1); // all of them are solved today
    }
}

// W = J J' to rounding, with as many velocities as W has rank: a face of four contacts has rank 6.
TEST(a_symmetric_w_is_factored_to_its_rank)
{
    utArena arena = test_arena();
    utFrictionDef scene = ut_friction_def(UT_FRICTION_STACK);
    scene.count = 3;
    const utSection circle = ut_section_circle();
    utFrictionProblem made;
    utCoulomb local;
    utCoulomb factored;
    utCoulomb back;
    CHECK_INT(ut_friction_create(&scene, &arena, &made), UT_OK);
    const utCoulomb global = ut_friction_coulomb(&made, &circle);
    CHECK_INT(ut_coulomb_delassus(&global, &arena, &local), UT_OK);
    CHECK_INT(ut_coulomb_factored(&local, &arena, &factored), UT_OK);
    CHECK_INT(factored.dof, 18);
    CHECK_INT(ut_coulomb_delassus(&factored, &arena, &back), UT_OK);
    double most = 0.0;
    double largest = 0.0;
    for (int k = 0; k < 36 * 36; k++) {
        most = fmax(most, fabs(back.W[k] - local.W[k]));
        largest = fmax(largest, fabs(local.W[k]));
    }
    CHECK(most <=
          1e-13 * largest); // 18 columns; dropped remainders are below 1e-14 of the diagonal
}

// ---- the convex form ----------------------------------------------------------------------------

// W = 1: r = P_K(-q). q = (-1, 4), mu = 1/2: r_n = (1 + 2) / 1.25 = 2.4, r_t = -1.2, and the
// contact opens at u_n = mu u_t = 1.4. Coulomb's law has r = (1, -0.5), u = (0, 3.5).
TEST(the_convex_form_opens_a_slipping_contact)
{
    const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double q[] = {-1, 4, 0};
    const double mu[] = {0.5};
    const utSection circle = ut_section_circle();
    const utCoulomb problem = {
        .dimension = 3, .contacts = 1, .mu = mu, .section = &circle, .W = W, .q = q};
    utCoulombDef def = ut_coulomb_def();
    for (int s = 0; s < SOLVERS; s++) {
        double r[3];
        double u[3];
        utCoulombInfo info;
        utCoulombVerdict verdict;
        def.convex = true;
        CHECK_INT(ut_coulomb_solve(&problem, SECOND_ORDER[s], &def, test_arena(), r, &info), UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
        CHECK_INT(ut_coulomb_judge(&problem, true, r, test_arena(), u, &verdict), UT_OK);
        CHECK_NEAR(r[0], 2.4, 5e-8); // E V = 1e-8 sqrt(17)
        CHECK_NEAR(r[1], -1.2, 5e-8);
        CHECK_NEAR(u[0], 1.4, 5e-8);
        def.convex = false;
        CHECK_INT(ut_coulomb_solve(&problem, SECOND_ORDER[s], &def, test_arena(), r, &info), UT_OK);
        CHECK_NEAR(r[0], 1.0, 5e-8);
        CHECK_NEAR(r[1], -0.5, 5e-8);
    }
}

// A solver that may not take a step finds no answer: the convex form replaces it and is flagged.
TEST(the_last_resort_is_flagged_and_can_be_declined)
{
    utArena arena = test_arena();
    utFrictionDef scene = ut_friction_def(UT_FRICTION_WALL);
    scene.push = ut_vec3(0.5, 0.2, 0.0);
    utFrictionProblem made;
    CHECK_INT(ut_friction_create(&scene, &arena, &made), UT_OK);
    const utSection circle = ut_section_circle();
    const utCoulomb problem = ut_friction_coulomb(&made, &circle);
    double* r = UT_PUSH(&arena, double, made.rows);
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    utCoulombVerdict verdict;
    def.max_iterations = 1;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_CONVEX);
    CHECK_INT(info.rung, UT_RUNG_CONVEX);
    CHECK(info.verdict.E > 1e-8);
    CHECK_INT(ut_coulomb_judge(&problem, true, r, arena, NULL, &verdict), UT_OK);
    CHECK(verdict.E <= 1e-8);
    def.no_fallback = true;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_ITERATIONS);
    CHECK_INT(info.rung, UT_RUNG_NONE);
    CHECK(info.iterations <= 2); // a live step that is repeated lagged counts twice
}

// A block of 1 kg between a floor that rises at 1 m/s and a ceiling that sinks at 1 m/s: u = v - 1
// and -v - 1 cannot both be >= 0. The proof is equal impulses of both, without effect on the block.
TEST(a_block_that_is_squeezed_has_no_answer_and_the_proof_says_why)
{
    const double M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double f[] = {0, 0.5, 0};
    const double J[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, 1, 0, 0, 0, -1};
    const double b[] = {-1, 0, 0, -1, 0, 0};
    const double mu[] = {0.3, 0.4};
    const utSection circle = ut_section_circle();
    const utCoulomb problem = {.dimension = 3,
                               .contacts = 2,
                               .mu = mu,
                               .section = &circle,
                               .dof = 3,
                               .M = M,
                               .f = f,
                               .J = J,
                               .b = b};
    const utCoulombDef def = ut_coulomb_def();
    static const utCoulombSolver solvers[] = {UT_COULOMB_AUTO, UT_COULOMB_NSGS};
    for (int s = 0; s < 2; s++) {
        double r[6];
        utCoulombInfo info;
        CHECK_INT(ut_coulomb_solve(&problem, solvers[s], &def, test_arena(), r, &info), UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_NONE);
        CHECK(r[0] > 0.0 && r[0] == r[3]);
        CHECK(r[1] == 0.0 && r[2] == 0.0 && r[4] == 0.0 && r[5] == 0.0);
        CHECK(!(info.verdict.E <= 1e-8));
    }
}

// Two blocks at rest that hold each other through rows of W: both stick, r = -W^-1 q, where the
// convex form is the law. One sweep does not get there, the last resort does.
// W_nn = (1 0.9; 0.9 1): q_n = -1.9 asks for r_n = 1 of both.
static const double W_PAIR[] = {1, 0, 0.9, 0, 0, 1, 0, 0.9, 0.9, 0, 1, 0, 0, 0.9, 0, 1};
static const double Q_PAIR[] = {-1.9, 0, -1.9, 0};
static const double MU_PAIR[] = {0.5, 0.5};

static utCoulomb pair(const utSection* segment)
{
    return (utCoulomb){
        .dimension = 2, .contacts = 2, .mu = MU_PAIR, .section = segment, .W = W_PAIR, .q = Q_PAIR};
}

TEST(the_last_resort_is_an_answer_where_nothing_slips)
{
    const utSection segment = ut_section_segment();
    const utCoulomb problem = pair(&segment);
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    double r[4];
    def.max_iterations = 1;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.rung, UT_RUNG_CONVEX);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    // |W^-1| = 10, V = 1.9
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(r[k], k % 2 == 0 ? 1.0 : 0.0, 2e-7);
    }
}

// From an error of 1e-6 one sweep leaves an E slightly above the tolerance: r is that iterate.
TEST(an_iterate_near_the_tolerance_is_not_replaced_by_the_last_resort)
{
    const utSection segment = ut_section_segment();
    const utCoulomb problem = pair(&segment);
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    double r[4] = {1 + 1e-6, 0, 1 - 1e-6, 0};
    def.max_iterations = 1;
    def.warm_start = true;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, test_arena(), r, &info), UT_OK);
    CHECK(info.verdict.E > 1e-8 && info.verdict.E < 1e-5);
    CHECK_INT(info.outcome, UT_COULOMB_ITERATIONS);
    CHECK_INT(info.rung, UT_RUNG_NONE);
    CHECK_INT(info.iterations, 1);
}

// ---- warm starts --------------------------------------------------------------------------------

TEST(a_warm_start_is_taken_polished_or_dropped)
{
    utArena arena = test_arena();
    utFrictionDef scene = ut_friction_def(UT_FRICTION_STACK);
    scene.count = 10;
    scene.push = ut_vec3(0.3, 0.0, 0.0);
    utFrictionProblem made;
    CHECK_INT(ut_friction_create(&scene, &arena, &made), UT_OK);
    const utSection circle = ut_section_circle();
    const utCoulomb problem = ut_friction_coulomb(&made, &circle);
    const int N = made.rows;
    double* r = UT_PUSH(&arena, double, N);
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo cold;
    utCoulombInfo info;
    def.tolerance = 1e-11;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, arena, r, &cold), UT_OK);
    CHECK_INT(cold.outcome, UT_COULOMB_SOLVED);

    // a thousandth of the tolerance: taken as it is
    double* warm = copy_of(&arena, N, r);
    def = ut_coulomb_def();
    def.warm_start = true;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, arena, warm, &info), UT_OK);
    CHECK_INT(info.rung, UT_RUNG_WARM);
    CHECK_INT(info.iterations, 0);
    CHECK(memcmp(warm, r, (size_t)N * sizeof *r) == 0);

    // an error of 1e-5: polished, with fewer factorizations than a cold start
    for (int k = 0; k < N; k++) {
        warm[k] = r[k] * (1.0 + 1e-5 * sin(1.0 * k));
    }
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, arena, warm, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    CHECK_INT(info.rung, UT_RUNG_WARM_POLISH);
    CHECK(info.iterations < cold.iterations);

    // far from an answer: dropped
    for (int k = 0; k < N; k++) {
        warm[k] = sin(1.0 * k);
    }
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, arena, warm, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
}

// A block of 2 kg that slips: W = 1/2, q = (-1, 3, 4), mu = 1/2, r = (2, -0.6, -0.8), V = sqrt(26).
static const double W_BLOCK[] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
static const double Q_BLOCK[] = {-1, 3, 4};
static const double MU_BLOCK[] = {0.5};

static utCoulomb block(const utSection* section)
{
    return (utCoulomb){.dimension = 3,
                       .contacts = 1,
                       .mu = MU_BLOCK,
                       .section = section,
                       .W = W_BLOCK,
                       .q = Q_BLOCK};
}

// 1e-8 of r is an E of about 1e-8 / sqrt(26): it passes, but is above the hundredth of the tolerance
// at which a warm start is taken as it is.
TEST(a_warm_start_that_just_passes_is_improved)
{
    const utSection circle = ut_section_circle();
    const utCoulomb problem = block(&circle);
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    utCoulombVerdict verdict;
    double r[] = {2 * (1 + 1e-8), -0.6 * (1 + 1e-8), -0.8 * (1 + 1e-8)};
    def.warm_start = true;
    CHECK_INT(ut_coulomb_judge(&problem, false, r, test_arena(), NULL, &verdict), UT_OK);
    CHECK(verdict.E > 1e-10 && verdict.E < 1e-8);
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    CHECK(info.rung != UT_RUNG_WARM);
    CHECK(info.iterations > 0);
    CHECK(info.verdict.E < verdict.E);
}

// Friction of 1e-11 too much is an E far below every tolerance, but the impulses are not in K.
TEST(a_warm_start_slightly_outside_the_cone_is_projected)
{
    const utSection circle = ut_section_circle();
    const utCoulomb problem = block(&circle);
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    double r[] = {2, -0.6 * (1 + 1e-10), -0.8 * (1 + 1e-10)};
    def.warm_start = true;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    CHECK(info.verdict.cone <= 1e-12);
    CHECK_NEAR(r[1], -0.6, 1e-7);
    CHECK_NEAR(r[2], -0.8, 1e-7);

    // the projection takes no step
    double again[] = {2, -0.6 * (1 + 1e-10), -0.8 * (1 + 1e-10)};
    def.max_iterations = 1;
    def.no_fallback = true;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, test_arena(), again, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    CHECK(info.verdict.cone <= 1e-12);
}

// Lemke's method answers a small polygon, Newton a few contacts, and the info names them.
TEST(the_solver_of_the_rung_is_reported)
{
    utSection square;
    CHECK_INT(ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &square, NULL), UT_OK);
    const utSection circle = ut_section_circle();
    const utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    double r[3];
    const utCoulomb polygon = block(&square);
    CHECK_INT(ut_coulomb_solve(&polygon, UT_COULOMB_AUTO, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.rung, UT_RUNG_LCP);
    CHECK_INT(info.solver, UT_COULOMB_LCP);
    const utCoulomb round = {
        .dimension = 3,
        .contacts = 1,
        .mu = MU_BLOCK,
        .section = &circle,
        .dof = 3,
        .M = (double[]){2, 0, 0, 0, 2, 0, 0, 0, 2},
        .f = (double[]){-2, 6, 8},
        .J = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1},
        .b = (double[]){0, 0, 0},
    };
    CHECK_INT(ut_coulomb_solve(&round, UT_COULOMB_AUTO, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.rung, UT_RUNG_NEWTON);
    CHECK_INT(info.solver, UT_COULOMB_NEWTON);
}

// ---- memory -------------------------------------------------------------------------------------

TEST(the_peak_of_scratch_is_enough_for_every_form_and_solver)
{
    const utSection circle = ut_section_circle();
    utSection square;
    const utCoulombDef def = ut_coulomb_def();
    CHECK_INT(ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &square, NULL), UT_OK);
    utArena arena = test_arena();
    utFrictionDef scene = ut_friction_def(UT_FRICTION_CHAIN);
    scene.push = ut_vec3(2.0, 1.0, 0.0);
    scene.count = 3;
    utFrictionProblem made;
    CHECK_INT(ut_friction_create(&scene, &arena, &made), UT_OK);
    utCoulomb forms[4] = {ut_friction_coulomb(&made, &circle), ut_friction_blocks(&made, &circle)};
    CHECK_INT(ut_coulomb_delassus(&forms[0], &arena, &forms[2]), UT_OK);
    forms[3] = in_rows(&forms[2], &arena);
    double* r = UT_PUSH(&arena, double, made.rows);
    for (int f = 0; f < 8; f++) {
        utCoulomb problem = forms[f % 4];
        problem.section = f < 4 ? &circle : &square;
        for (int s = 0; s < UT_COULOMB_SOLVER_COUNT; s++) {
            const utCoulombSolver solver = (utCoulombSolver)s;
            const bool refused = solver == (f < 4 ? UT_COULOMB_LCP : UT_COULOMB_IPM);
            const utStatus expected = refused ? UT_ERR_ARGUMENT : UT_OK;
            utCoulombInfo info;
            utArena growing = scratch_open();
            CHECK_INT(ut_coulomb_solve(&problem, solver, &def, growing, r, &info), expected);
            const size_t need = scratch_close(&growing);
            utArena rest = arena;
            unsigned char* memory = UT_PUSH(&rest, unsigned char, need);
            CHECK(memory != NULL);
            CHECK_INT(ut_coulomb_solve(&problem, solver, &def, ut_arena_on(memory, need), r, &info),
                      expected);
            if (solver == UT_COULOMB_AUTO) {
                CHECK_INT(ut_coulomb_solve(&problem, solver, &def, ut_arena_on(memory, need / 32),
                                           r, &info),
                          UT_ERR_CAPACITY);
            }
        }
    }
}

// ---- an answer is taken to rounding -------------------------------------------------------------

// One contact that slips: W = 1, so that u = r + q, and with q = -(1, a, 0), a > mu, the impulse is
// r_n = 1, r_t = mu. In any units, since W and mu have none here.
TEST(an_answer_is_taken_a_step_further_in_any_units)
{
    const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu = 0.1;
    const utSection circle = ut_section_circle();
    for (double unit = 1.0; unit > 1e-30; unit *= 1e-6) {
        const double q[] = {-unit, -unit, 0.0};
        const utCoulomb problem = {
            .dimension = 3, .contacts = 1, .mu = &mu, .section = &circle, .W = W, .q = q};
        double r[3];
        utCoulombInfo info;
        const utCoulombDef def = ut_coulomb_def();
        CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, test_arena(), r, &info), UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
        CHECK(info.verdict.E <= 1e-14); // the tolerance is 1e-8
        CHECK(info.verdict.relative <= 1e-14);
        CHECK_NEAR(r[0] / unit, 1.0, 1e-14);
        CHECK_NEAR(r[1] / unit, 0.1, 1e-14);
    }
}

// ---- jammed parts and last rungs ----------------------------------------------------------------

enum { JAMS = 20 };

typedef struct Jams {
    double M[4 * JAMS * JAMS], J[6 * JAMS * JAMS];
    double f[2 * JAMS], b[3 * JAMS], mu[JAMS];
} Jams;

// Pairs of velocities, each with a contact whose three rows depend on each other: J'n = 0 for
// n = (1, x, y) with |(x, y)| <= 1/2, inside of the cone of mu = 1. Two links of a robot that touch have
// such rows. n times any number may be added to the impulses, and moves nothing.
static void make_jams(int variant, Jams* jams)
{
    const int dof = 2 * JAMS;
    memset(jams, 0, sizeof *jams);
    for (int k = 0; k < JAMS; k++) {
        const double a = 1.0 + 0.37 * k + 0.11 * variant;
        const double t1[2] = {cos(a), sin(a)}, t2[2] = {-0.5 * sin(2.0 * a), cos(a)};
        const double x = 0.3 * sin(3.0 * a), y = 0.4 * cos(5.0 * a);
        for (int j = 0; j < 2; j++) {
            double* J = jams->J + (size_t)(3 * k * dof + 2 * k + j);
            J[0] = -(x * t1[j] + y * t2[j]);
            J[dof] = t1[j];
            J[2 * dof] = t2[j];
        }
        double* M = jams->M + (size_t)(2 * k * dof + 2 * k);
        M[0] = 1.0;
        M[dof + 1] = 2.0;
        if (k > 0) { // joins the pairs
            M[-2] = 0.2;
            M[-2 * dof] = 0.2;
        }
        jams->f[2 * k] = sin(7.0 * a);
        jams->f[2 * k + 1] = cos(11.0 * a);
        jams->mu[k] = 1.0;
    }
}

// Impulses that stop the bodies are below 20: |f| <= 1.5, and at most 4 times as much of n brings
// their tangential part into the cone. An interior point alone leaves up to 2e8, whose rounding moves
// the bodies by 1e-8.
TEST(jammed_parts_have_impulses_of_the_size_that_is_needed)
{
    static Jams jams;
    const utSection circle = ut_section_circle();
    const utCoulombDef def = ut_coulomb_def();
    for (int variant = 0; variant < 40; variant++) {
        make_jams(variant, &jams);
        const utCoulomb problem = {.dimension = 3,
                                   .contacts = JAMS,
                                   .mu = jams.mu,
                                   .section = &circle,
                                   .dof = 2 * JAMS,
                                   .M = jams.M,
                                   .J = jams.J,
                                   .f = jams.f,
                                   .b = jams.b};
        double r[3 * JAMS];
        double largest = 0.0;
        utCoulombInfo info;
        CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, test_arena(), r, &info), UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
        for (int k = 0; k < 3 * JAMS; k++) {
            largest = fmax(largest, fabs(r[k]));
        }
        CHECK(largest <= 1e3 * 20.0);
    }
}

// The wheels of a steered car roll and scrub: contacts slip at 1e-3 of the velocity scale. Rungs on the
// velocities of the bodies stall at E = 1.3e-8; Newton on W solves it.
TEST(scrubbing_wheels_are_solved)
{
    utArena keep = test_arena();
    utText text;
    utCoulomb problem;
    utError err = {0};
    if (!CHECK_INT(ut_text_read("test/coulomb/wheels.fc", 1 << 20, &keep, &text, &err), UT_OK) ||
        !CHECK_INT(ut_coulomb_read(text, "wheels.fc", &keep, &problem, &err), UT_OK)) {
        return;
    }
    const utCoulombDef def = ut_coulomb_def();
    double r[42];
    utCoulombInfo info;
    CHECK_INT(ut_coulomb_rows(&problem), 42);
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, keep, r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    CHECK(info.verdict.E <= 1e-8 && info.verdict.cone <= 1e-12);
}

// ---- polygons -----------------------------------------------------------------------------------

// Circles in the place of polygons give impulses outside of a vertex by 1e-10 of their size, which
// later rungs did not improve. The answer must lie inside.
TEST(an_answer_beside_a_vertex_of_a_polygon_is_inside)
{
    utArena keep = test_arena();
    utText text;
    utCoulomb problem;
    utError err = {0};
    if (!CHECK_INT(ut_text_read("test/coulomb/vertex.fc", 1 << 20, &keep, &text, &err), UT_OK) ||
        !CHECK_INT(ut_coulomb_read(text, "vertex.fc", &keep, &problem, &err), UT_OK)) {
        return;
    }
    const utCoulombDef def = ut_coulomb_def();
    double r[8];
    utCoulombInfo info;
    CHECK_INT(ut_coulomb_rows(&problem), 8);
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, keep, r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    CHECK(info.verdict.E <= 1e-8 && info.verdict.cone <= 1e-12);
}
