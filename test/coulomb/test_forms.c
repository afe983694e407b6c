// SPDX-License-Identifier: Apache-2.0
// The forms of a problem beside each other: checks of each, their dense local forms, and the same
// verdict on every form.
#include <uptack/coulomb_problems.h>

#include "coulomb/forms/delassus.h"
#include "forms.h"
#include "scratch.h"
#include "test.h"

#include <math.h>
#include <string.h>

// ---- checks of W in rows ------------------------------------------------------------------------

static void check_message(const utCoulomb* problem, const char* message)
{
    utError err = {.message = ""};
    CHECK_INT(ut_coulomb_check(problem, &err), UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, message);
}

// Three bilateral rows: W = [1 . 2; . 3 .; 4 . 5].
static const double W_ROWS[] = {1, 2, 3, 4, 5};
static const int W_START[] = {0, 2, 3, 5};
static const int W_COLUMN[] = {0, 2, 1, 0, 2};
static const double ZEROS[24] = {0};

static utCoulomb in_rows(void)
{
    return (utCoulomb){.dimension = 3,
                       .bilaterals = 3,
                       .W = W_ROWS,
                       .W_start = W_START,
                       .W_column = W_COLUMN,
                       .q = ZEROS};
}

TEST(rows_of_W_that_cannot_be_used_are_refused_with_their_entry)
{
    const utCoulomb good = in_rows();
    CHECK_INT(ut_coulomb_check(&good, NULL), UT_OK);
    utCoulomb bad = good;
    bad.W_start = NULL;
    check_message(&bad, "W in rows needs both W_start and W_column");
    bad = good;
    bad.W_column = NULL;
    check_message(&bad, "W in rows needs both W_start and W_column");
    bad = good;
    bad.W = NULL;
    check_message(&bad, "the local form needs both W and q");
    bad = good;
    bad.W_start = (int[]){1, 2, 3, 5};
    check_message(&bad, "W_start[0] is 1; it must be 0");
    bad.W_start = (int[]){0, 3, 2, 5};
    check_message(&bad, "W_start[2] is 2 but W_start[1] is 3; it cannot descend");
    bad = good;
    bad.W_column = (int[]){0, 3, 1, 0, 2};
    check_message(&bad, "W_column[1] is 3 but W has the columns 0 to 2");
    bad.W_column = (int[]){-1, 2, 1, 0, 2};
    check_message(&bad, "W_column[0] is -1 but W has the columns 0 to 2");
    bad.W_column = (int[]){0, 2, 1, 2, 2};
    check_message(&bad, "W_column[4] is 2 behind 2; columns ascend in each row");
    bad = good;
    bad.W = (double[]){1, 2, 3, (double)NAN, 5};
    check_message(&bad, "W[2][0] is not a finite number");
}

// ---- checks of blocks ---------------------------------------------------------------------------

// Two nodes of two and one velocities; a contact in the plane between them and a bilateral row on
// the second.
static const int START[] = {0, 2, 3};
static const double MASSES[] = {2, 1, 1, 2, 3};
static const int FIRST[] = {0, 2, 3};
static const int NODE[] = {0, 1, 1};
static const double JACOBIANS[] = {1, 0, 0, 1, -1, 0, 1};
static const double MU[] = {0.5, 0.5};

static const utCoulombBlocks BLOCKS = {2, START, MASSES, FIRST, NODE, JACOBIANS};

static utCoulomb by_bodies(const utSection* segment, const utCoulombBlocks* blocks)
{
    return (utCoulomb){.dimension = 2,
                       .contacts = 1,
                       .bilaterals = 1,
                       .mu = MU,
                       .section = segment,
                       .dof = 3,
                       .blocks = blocks,
                       .f = ZEROS,
                       .b = ZEROS};
}

TEST(one_form_is_needed_and_all_of_it)
{
    const utSection segment = ut_section_segment();
    const utCoulomb good = by_bodies(&segment, &BLOCKS);
    CHECK_INT(ut_coulomb_check(&good, NULL), UT_OK);
    static const char* const several =
        "more than one form is given; it is either W and q, or M, f, J and b, or blocks, f and b";
    utCoulomb bad = good;
    bad.M = MASSES;
    check_message(&bad, several);
    bad = good;
    bad.W = W_ROWS;
    check_message(&bad, several);
    bad = good;
    bad.W_start = START;
    check_message(&bad, several);
    bad = good;
    bad.f = NULL;
    check_message(&bad, "the form by bodies needs blocks, f and b");
    bad = good;
    bad.blocks = NULL;
    check_message(&bad, "the global form needs all of M, f, J and b");
    bad = good;
    bad.dof = 0;
    check_message(&bad, "dof is 0; the form by bodies needs at least one velocity");
    utCoulombBlocks parts[5];
    for (int k = 0; k < 5; k++) {
        parts[k] = BLOCKS;
    }
    parts[0].start = NULL;
    parts[1].M = NULL;
    parts[2].first = NULL;
    parts[3].node = NULL;
    parts[4].J = NULL;
    for (int k = 0; k < 5; k++) {
        bad = by_bodies(&segment, &parts[k]);
        check_message(&bad, "blocks needs all of start, M, first, node and J");
    }
}

TEST(blocks_that_cannot_be_used_are_refused_with_their_entry)
{
    const utSection segment = ut_section_segment();
    const double nan = (double)NAN;
    const struct {
        utCoulombBlocks blocks;
        const char* message;
    } cases[] = {
        {{0, START, MASSES, FIRST, NODE, JACOBIANS}, "blocks.nodes is 0; at least one is needed"},
        {{2, (int[]){1, 2, 3}, MASSES, FIRST, NODE, JACOBIANS},
         "blocks.start[0] is 1; it must be 0"},
        {{2, (int[]){0, 4, 3}, MASSES, FIRST, NODE, JACOBIANS},
         "blocks.start[2] is 3 but blocks.start[1] is 4; it cannot descend"},
        {{2, (int[]){0, 3, 3}, MASSES, FIRST, NODE, JACOBIANS},
         "blocks.start[2] is 3 as is blocks.start[1]; each node needs a velocity"},
        {{2, (int[]){0, 2, 4}, MASSES, FIRST, NODE, JACOBIANS},
         "blocks.start[2] is 4 but dof is 3; nodes hold all velocities"},
        {{2, START, MASSES, (int[]){1, 2, 3}, NODE, JACOBIANS},
         "blocks.first[0] is 1; it must be 0"},
        {{2, START, MASSES, (int[]){0, 2, 1}, NODE, JACOBIANS},
         "blocks.first[2] is 1 but blocks.first[1] is 2; it cannot descend"},
        {{2, START, MASSES, FIRST, (int[]){0, 2, 1}, JACOBIANS},
         "blocks.node[1] is 2 but the nodes are 0 to 1"},
        {{2, START, MASSES, FIRST, (int[]){0, 1, -1}, JACOBIANS},
         "blocks.node[2] is -1 but the nodes are 0 to 1"},
        {{2, START, MASSES, FIRST, (int[]){1, 1, 0}, JACOBIANS},
         "blocks.node[1] is 1 as is blocks.node[0]; a group names a node once"},
        {{2, START, (double[]){2, nan, 1, 2, 3}, FIRST, NODE, JACOBIANS},
         "blocks: node 0: M[0][1] is not a finite number"},
        {{2, START, (double[]){2, 1, 1, 2, -3}, FIRST, NODE, JACOBIANS},
         "blocks: node 1: M[0][0] is -3; a mass matrix has a positive diagonal"},
        {{2, START, (double[]){2, 1, 0.5, 2, 3}, FIRST, NODE, JACOBIANS},
         "blocks: node 0: M[1][0] is 0.5 but M[0][1] is 1; M must be symmetric"},
        {{2, START, MASSES, FIRST, NODE, (double[]){1, 0, 0, 1, -1, nan, 1}},
         "blocks: group 0, node 1: J[1][0] is not a finite number"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const utCoulomb problem = by_bodies(&segment, &cases[c].blocks);
        check_message(&problem, cases[c].message);
    }
    utCoulomb bad = by_bodies(&segment, &BLOCKS);
    bad.f = (double[]){0, 0, nan};
    check_message(&bad, "f[2] is not a finite number");
    bad = by_bodies(&segment, &BLOCKS);
    bad.b = (double[]){0, nan, 0};
    check_message(&bad, "b[1] is not a finite number");
}

// ---- checks of sections -------------------------------------------------------------------------

TEST(sections_are_checked_where_a_contact_names_them)
{
    utSection sections[3] = {ut_section_segment(), ut_section_segment(), {.dimension = 2}};
    const double W[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    utCoulomb problem = {.dimension = 2,
                         .contacts = 2,
                         .mu = MU,
                         .section = sections,
                         .section_of = (int[]){1, 0},
                         .W = W,
                         .q = ZEROS};
    CHECK_INT(ut_coulomb_check(&problem, NULL), UT_OK);
    problem.section_of = (int[]){1, -1};
    check_message(&problem, "section_of[1] is -1; it cannot be negative");
    problem.section_of = (int[]){0, 2};
    check_message(&problem, "section[2] was not made by one of the functions of uptack/law.h");
    sections[2] = ut_section_circle();
    check_message(&problem, "section[2] is for dimension 3 but the problem has dimension 2");
}

// ---- from form to form --------------------------------------------------------------------------

utCoulomb form_in_rows(const utCoulomb* local, utArena* keep)
{
    const int N = ut_coulomb_rows(local);
    const size_t size = (size_t)N * (size_t)N;
    int* start = UT_PUSH(keep, int, N + 1);
    int* column = UT_PUSH(keep, int, size);
    double* W = UT_PUSH(keep, double, size);
    int count = 0;
    for (int i = 0; i < N; i++) {
        start[i] = count;
        for (int j = 0; j < N; j++) {
            const double entry = local->W[(size_t)i * (size_t)N + (size_t)j];
            if (entry != 0.0) {
                column[count] = j;
                W[count++] = entry;
            }
        }
    }
    start[N] = count;
    utCoulomb rows = *local;
    rows.W = W;
    rows.W_start = start;
    rows.W_column = column;
    return rows;
}

void forms_of(const utFrictionProblem* problem, const utSection* section, utArena* keep,
              utCoulomb form[FORM_COUNT])
{
    form[FORM_GLOBAL] = ut_friction_coulomb(problem, section);
    form[FORM_BLOCKS] = ut_friction_blocks(problem, section);
    CHECK_INT(ut_coulomb_delassus(&form[FORM_BLOCKS], keep, &form[FORM_LOCAL]), UT_OK);
    form[FORM_ROWS] = form_in_rows(&form[FORM_LOCAL], keep);
    for (int f = 0; f < FORM_COUNT; f++) {
        CHECK_INT(ut_coulomb_check(&form[f], NULL), UT_OK);
    }
}

// The blocks above by hand: M^-1 = [2 -1; -1 2] / 3 and 1/3, so that the contact sees
// [1 -1/3; -1/3 2/3], the bilateral row 1/3, and both share the second node by -1/3 along n. With
// f = (3, 0, 3) the nodes move with (2, -1) and 1.
TEST(a_dense_local_form_by_hand)
{
    const utSection segment = ut_section_segment();
    utCoulomb blocks = by_bodies(&segment, &BLOCKS);
    blocks.section_of = (int[]){0};
    blocks.f = (double[]){3, 0, 3};
    blocks.b = (double[]){0.5, 0, 0.25};
    utCoulomb dense = blocks;
    dense.blocks = NULL;
    dense.M = (double[]){2, 1, 0, 1, 2, 0, 0, 0, 3};
    dense.J = (double[]){1, 0, -1, 0, 1, 0, 0, 0, 1};
    static const double W[9] = {1, -1.0 / 3, -1.0 / 3, -1.0 / 3, 2.0 / 3, 0, -1.0 / 3, 0, 1.0 / 3};
    static const double q[3] = {1.5, -1, 1.25};
    const utCoulomb* const forms[] = {&blocks, &dense};
    for (int f = 0; f < 2; f++) {
        utArena keep = test_arena();
        utCoulomb local;
        CHECK_INT(ut_coulomb_delassus(forms[f], &keep, &local), UT_OK);
        CHECK_INT(ut_coulomb_check(&local, NULL), UT_OK);
        CHECK(local.mu == blocks.mu && local.section_of == blocks.section_of);
        for (int k = 0; k < 9; k++) {
            CHECK_NEAR(local.W[k], W[k], 1e-15);
        }
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(local.q[k], q[k], 1e-15);
        }
    }
}

TEST(rows_become_a_dense_matrix_and_a_dense_one_is_taken_as_it_is)
{
    utArena keep = test_arena();
    const utCoulomb rows = in_rows();
    utCoulomb local, again;
    CHECK_INT(ut_coulomb_delassus(&rows, &keep, &local), UT_OK);
    static const double W[9] = {1, 0, 2, 0, 3, 0, 4, 0, 5};
    for (int k = 0; k < 9; k++) {
        CHECK_NEAR(local.W[k], W[k], 0.0);
    }
    CHECK(local.W_start == NULL && local.W_column == NULL);
    const unsigned char* next = keep.next;
    CHECK_INT(ut_coulomb_delassus(&local, &keep, &again), UT_OK);
    CHECK(again.W == local.W && again.q == local.q && keep.next == next);
}

TEST(a_mass_that_is_not_positive_definite_has_no_local_form)
{
    const utSection segment = ut_section_segment();
    utCoulombBlocks bad = BLOCKS;
    bad.M = (double[]){1, 2, 2, 1, 3};
    const utCoulomb problem = by_bodies(&segment, &bad);
    utArena keep = test_arena();
    const unsigned char* next = keep.next;
    utCoulomb local;
    CHECK_INT(ut_coulomb_delassus(&problem, &keep, &local), UT_ERR_ARGUMENT);
    CHECK(keep.next == next);
}

// Entries of W from M and J and from blocks differ by rounding alone: sums of a dozen products of
// the size of sqrt(W_ii W_jj). Entries of rows that share no node are exactly 0.
TEST(both_ways_to_W_agree_and_are_symmetric_to_the_bit)
{
    const utSection circle = ut_section_circle();
    for (int i = 0; i < 120; i++) {
        utArena keep = test_arena();
        const utFrictionDef def = ut_friction_sample(i);
        utFrictionProblem problem;
        CHECK_INT(ut_friction_create(&def, &keep, &problem), UT_OK);
        if (problem.contacts > 40) {
            continue;
        }
        utCoulomb form[FORM_COUNT], dense;
        forms_of(&problem, &circle, &keep, form);
        CHECK_INT(ut_coulomb_delassus(&form[FORM_GLOBAL], &keep, &dense), UT_OK);
        const double* W = form[FORM_LOCAL].W;
        const int N = problem.rows;
        bool symmetric = true, near = true;
        for (int k = 0; k < N * N; k++) {
            const int row = k / N, column = k % N;
            const double size = sqrt(W[row * N + row] * W[column * N + column]);
            symmetric = symmetric && W[k] == W[column * N + row];
            symmetric = symmetric && dense.W[k] == dense.W[column * N + row];
            near = near && fabs(W[k] - dense.W[k]) <= 1e-14 * size;
        }
        CHECK(symmetric);
        CHECK(near);
    }
}

TEST(a_local_form_is_made_in_its_peak_of_memory_and_too_little_is_said)
{
    const utSection circle = ut_section_circle();
    utArena keep = test_arena();
    const utFrictionDef def = ut_friction_def(UT_FRICTION_CHAIN);
    utFrictionProblem problem;
    CHECK_INT(ut_friction_create(&def, &keep, &problem), UT_OK);
    utCoulomb form[FORM_COUNT];
    forms_of(&problem, &circle, &keep, form);
    for (int f = 0; f < FORM_COUNT; f++) {
        utCoulomb local;
        utArena growing = scratch_open();
        utArena taken = growing;
        CHECK_INT(ut_coulomb_delassus(&form[f], &taken, &local), UT_OK);
        const size_t size = scratch_close(&growing);
        utArena exact = ut_arena_on(keep.next + 8, size);
        CHECK_INT(ut_coulomb_delassus(&form[f], &exact, &local), UT_OK);
        for (size_t less = 0; less < (size - UT_ARENA_ALIGNMENT) / 2; less += 4096) {
            utArena small = ut_arena_on(keep.next, less);
            CHECK_INT(ut_coulomb_delassus(&form[f], &small, &local), UT_ERR_CAPACITY);
            CHECK(small.next == keep.next);
        }
    }
}

// ---- mixed sections -----------------------------------------------------------------------------

// Two particles of 2 kg that do not meet. By hand: the first slips as a circle wants it, (2, -0.6,
// -0.8) against (0, 2.7, 3.6); the second on the vertex (1, 0) of a square, which -u_t = (2.5, 2)
// faces.
TEST(each_contact_has_its_own_section)
{
    utSection sections[2] = {ut_section_circle()};
    ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &sections[1], NULL);
    double W[36] = {0};
    for (int k = 0; k < 6; k++) {
        W[7 * k] = 0.5;
    }
    const double r[] = {2, -0.6, -0.8, 2, 1, 0};
    utCoulomb problem = {.dimension = 3,
                         .contacts = 2,
                         .mu = MU,
                         .section = sections,
                         .section_of = (int[]){0, 1},
                         .W = W,
                         .q = (double[]){-1, 3, 4, -1, -3, -2}};
    const double V = sqrt(26.0);
    utArena keep = test_arena();
    const utCoulomb rows = form_in_rows(&problem, &keep);
    const utCoulomb* const forms[] = {&problem, &rows};
    for (int f = 0; f < 2; f++) {
        utCoulombVerdict verdict;
        CHECK_INT(ut_coulomb_judge(forms[f], false, r, keep, NULL, &verdict), UT_OK);
        CHECK_NEAR(verdict.E, 0.0, 1e-15);
        CHECK_NEAR(verdict.V, V, 1e-15);
        // the error of the circle is 0, so the gap is that of the square
        CHECK(verdict.model_gap > 0.01);
    }
    problem.section_of = (int[]){1, 0};
    utCoulombVerdict verdict;
    CHECK_INT(ut_coulomb_judge(&problem, false, r, keep, NULL, &verdict), UT_OK);
    CHECK(verdict.E > 0.01);

    // Gauss-Seidel uses the sections too
    problem.section_of = (int[]){0, 1};
    const utCoulombDef def = ut_coulomb_def();
    for (int f = 0; f < 2; f++) {
        utCoulombInfo info;
        double found[6];
        CHECK_INT(
            ut_coulomb_solve(f == 0 ? &problem : &rows, UT_COULOMB_NSGS, &def, keep, found, &info),
            UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
        for (int k = 0; k < 6; k++) {
            CHECK_NEAR(found[k], r[k], 1e-8);
        }
    }
}

// ---- one verdict --------------------------------------------------------------------------------

// By hand, in the plane: with r = (1, 0.5, -0.75) the first node gets (3 + 1, 0.5) and moves with
// (2.5, -1), the second gets 3 - 1 - 0.75 and moves with 1.25 / 3. A = [1 -1/3; -1/3 2/3] has trace
// 5/3, so m = 1.2. r - m û = (1 - 3.1, 0.5 + 1.2), and 0.5 1.7 < 2.1: it is projected to 0 and e =
// |r| / m.
TEST(blocks_in_the_plane_are_judged_as_by_hand)
{
    const utSection segment = ut_section_segment();
    utCoulomb problem = by_bodies(&segment, &BLOCKS);
    problem.f = (double[]){3, 0, 3};
    const double r[] = {1, 0.5, -0.75};
    double u[3];
    utCoulombVerdict verdict;
    CHECK_INT(ut_coulomb_judge(&problem, false, r, test_arena(), u, &verdict), UT_OK);
    CHECK_NEAR(u[0], 2.5 - 1.25 / 3.0, 1e-15);
    CHECK_NEAR(u[1], -1.0, 1e-15);
    CHECK_NEAR(u[2], 1.25 / 3.0, 1e-15);
    CHECK_NEAR(verdict.V, sqrt(2.0), 1e-15); // q = (2 - 1, -1, 1)
    CHECK_NEAR(verdict.e, sqrt(1.25) / 1.2, 1e-15);
    CHECK_NEAR(verdict.bilateral, 1.25 / 3.0 / sqrt(2.0), 1e-15);
}

static void random_impulses(utRng* rng, int n, double* r)
{
    for (int i = 0; i < n; i++) {
        r[i] = ut_rng_range(rng, -1.0, 1.0);
    }
}

// Impulses of 1 N s on masses of 1e-3 to 1e6 kg: everything that is summed is of the size of u or
// of m u, so that 1e-10 leaves room for the conditioning of a body's inertia and for sums of 100.
static void check_same(const utCoulombVerdict* a, const utCoulombVerdict* b)
{
    CHECK_NEAR(a->E, b->E, 1e-10 * (1.0 + b->E));
    CHECK_NEAR(a->V, b->V, 1e-10 * b->V);
    CHECK_NEAR(a->bilateral, b->bilateral, 1e-10 * (1.0 + b->bilateral));
    CHECK_NEAR(a->model_gap, b->model_gap, 1e-10 * (1.0 + b->model_gap));
}

TEST(all_forms_have_the_same_verdict_by_the_law_and_by_the_convex_one)
{
    utSection sections[2] = {ut_section_circle()};
    ut_section_polygon(UT_SECTION_CIRCUMSCRIBED, 8, 0.1, &sections[1], NULL);
    utRng rng = ut_rng(41, 0);
    int largest = 0;
    for (int i = 0; i < 150; i++) {
        utArena keep = test_arena();
        const utFrictionDef def = ut_friction_sample(i);
        utFrictionProblem p;
        CHECK_INT(ut_friction_create(&def, &keep, &p), UT_OK);
        if (p.contacts > 130) {
            continue;
        }
        largest = p.contacts > largest ? p.contacts : largest;
        utCoulomb form[FORM_COUNT];
        forms_of(&p, sections, &keep, form);
        double* r = UT_PUSH(&keep, double, p.rows);
        int* section_of = UT_PUSH(&keep, int, p.contacts);
        random_impulses(&rng, p.rows, r);
        for (int c = 0; c < p.contacts; c++) {
            section_of[c] = ut_rng_below(&rng, 2);
            r[3 * c] = fabs(r[3 * c]);
        }
        for (int convex = 0; convex < 2; convex++) {
            utCoulombVerdict verdict[FORM_COUNT];
            for (int f = 0; f < FORM_COUNT; f++) {
                form[f].section_of = section_of;
                CHECK_INT(ut_coulomb_judge(&form[f], convex == 1, r, keep, NULL, &verdict[f]),
                          UT_OK);
                check_same(&verdict[f], &verdict[0]);
            }
        }
    }
    CHECK(largest >= 100);
}

// Velocities in another order: the nodes of M are then no longer neighbours.
TEST(the_order_of_velocities_does_not_matter)
{
    const utSection circle = ut_section_circle();
    utRng rng = ut_rng(42, 0);
    utArena keep = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_PILE);
    def.count = 6;
    utFrictionProblem p;
    CHECK_INT(ut_friction_create(&def, &keep, &p), UT_OK);
    const int dof = p.dof;
    CHECK_INT(dof, 36);
    utCoulomb shuffled = ut_friction_coulomb(&p, &circle);
    double* M = UT_PUSH(&keep, double, dof* dof);
    double* J = UT_PUSH(&keep, double, p.rows* dof);
    double* f = UT_PUSH(&keep, double, dof);
    double* r = UT_PUSH(&keep, double, p.rows);
    for (int i = 0; i < dof; i++) {
        const int from = 5 + 13 * i; // 13 and 36 have no common factor
        f[i] = p.f[from % dof];
        for (int j = 0; j < dof; j++) {
            M[i * dof + j] = p.M[from % dof * dof + (5 + 13 * j) % dof];
        }
        for (int k = 0; k < p.rows; k++) {
            J[k * dof + i] = p.J[k * dof + from % dof];
        }
    }
    shuffled.M = M;
    shuffled.J = J;
    shuffled.f = f;
    CHECK_INT(ut_coulomb_check(&shuffled, NULL), UT_OK);
    const utCoulomb blocks = ut_friction_blocks(&p, &circle);
    for (int k = 0; k < 20; k++) {
        utCoulombVerdict a, b;
        random_impulses(&rng, p.rows, r);
        CHECK_INT(ut_coulomb_judge(&shuffled, false, r, keep, NULL, &a), UT_OK);
        CHECK_INT(ut_coulomb_judge(&blocks, false, r, keep, NULL, &b), UT_OK);
        check_same(&a, &b);
    }
}

// A node that is not positive definite, though its diagonal is, and a group that touches nothing.
TEST(masses_that_are_none_fail_and_rows_of_nothing_do_not_move)
{
    const utSection segment = ut_section_segment();
    utCoulombBlocks bad = BLOCKS;
    bad.M = (double[]){1, 2, 2, 1, 3};
    utCoulomb problem = by_bodies(&segment, &bad);
    const double r[] = {0, 0, 0};
    utCoulombVerdict verdict;
    CHECK_INT(ut_coulomb_judge(&problem, false, r, test_arena(), NULL, &verdict), UT_OK);
    CHECK(verdict.E == (double)INFINITY);

    utCoulombBlocks loose = BLOCKS;
    loose.first = (int[]){0, 0, 1};
    loose.node = (int[]){1};
    loose.J = (double[]){1};
    problem = by_bodies(&segment, &loose);
    problem.b = (double[]){-0.5, 0, 0};
    CHECK_INT(ut_coulomb_judge(&problem, false, r, test_arena(), NULL, &verdict), UT_OK);
    CHECK_NEAR(verdict.e, 0.5, 1e-15); // no impulse can change its velocity
}
