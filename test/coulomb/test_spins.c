// SPDX-License-Identifier: Apache-2.0
// Random islands with torsional and rolling friction: bodies with contacts on the ground and on each
// other, at rest or in motion, with mass ratios up to 1000 and with contacts that do without. The judge
// decides, which shares the law alone with the solvers.
#include <math.h>
#include <string.h>
#include <uptack/coulomb.h>
#include <uptack/problem_files.h>

#include "coulomb/internal.h"
#include "test.h"

enum { BODIES = 20, CONTACTS = 60, PROBLEMS = 300 };

typedef struct Island {
    int bodies, contacts, dimension;
    int start[BODIES + 1], first[CONTACTS + 1], node[2 * CONTACTS];
    double M[36 * BODIES], J[72 * CONTACTS], f[6 * BODIES], b[6 * CONTACTS];
    double mu[CONTACTS], torsional[CONTACTS], rolling[CONTACTS], radius[BODIES];
    utSection section;
    utCoulombBlocks blocks;
    utCoulomb problem;
} Island;

static void cross(const double* a, const double* b, double* c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalize(double* a)
{
    const double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int i = 0; i < 3; i++) {
        a[i] /= size;
    }
}

static void add_body(Island* island, utRng* rng, bool moves, double heavy)
{
    const int k = island->bodies++;
    const double R = ut_rng_range(rng, 0.05, 0.15);
    const double m = ut_rng_range(rng, 1.0, 2.0) * (ut_rng_below(rng, 5) == 0 ? heavy : 1.0);
    double* M = island->M + 36 * (size_t)k;
    memset(M, 0, 36 * sizeof *M);
    island->radius[k] = R;
    for (int i = 0; i < 6; i++) {
        M[7 * i] = i < 3 ? m : 0.4 * m * R * R * ut_rng_range(rng, 1.0, 1.5);
        const double v = moves ? ut_rng_range(rng, -1.0, 1.0) * (i < 3 ? 0.5 : 5.0) : 0.0;
        island->f[6 * k + i] = M[7 * i] * (v - (i == 2 ? 0.05 : 0.0));
    }
    island->start[k] = 6 * k;
    island->start[k + 1] = 6 * (k + 1);
}

// Rows of one side; @return where the next rows begin
static double* add_side(const Island* island, utRng* rng, int body, double sign, double frame[3][3],
                        double length, double* J)
{
    double arm[3];
    for (int i = 0; i < 3; i++) {
        arm[i] = -sign * island->radius[body] * frame[0][i];
        arm[i] +=
            ut_rng_below(rng, 3) == 0 ? 0.5 * island->radius[body] * ut_rng_range(rng, -1, 1) : 0.0;
    }
    for (int d = 0; d < island->dimension; d++, J += 6) {
        double turn[3];
        cross(arm, frame[d % 3], turn);
        for (int i = 0; i < 3; i++) {
            J[i] = d < 3 ? sign * frame[d][i] : 0.0;
            J[3 + i] = d < 3 ? sign * turn[i] : sign * length * frame[d - 3][i];
        }
    }
    return J;
}

static double* add_contact(Island* island, utRng* rng, double mu, double torsional, double rolling,
                           double* J)
{
    const int c = island->contacts++;
    const int one = c < island->bodies ? c : ut_rng_below(rng, island->bodies);
    int two = ut_rng_below(rng, 3) == 0 ? -1 : ut_rng_below(rng, island->bodies);
    two = two == one ? -1 : two;
    double frame[3][3], help[3];
    for (int i = 0; i < 3; i++) {
        frame[0][i] = ut_rng_range(rng, -1.0, 1.0) * (two < 0 ? 0.2 : 1.0);
        help[i] = ut_rng_range(rng, -1.0, 1.0);
    }
    frame[0][2] = two < 0 ? 1.0 : frame[0][2];
    normalize(frame[0]);
    cross(frame[0], help, frame[1]);
    normalize(frame[1]);
    cross(frame[0], frame[1], frame[2]);
    const double length =
        two < 0 ? island->radius[one] : fmin(island->radius[one], island->radius[two]);
    const bool plain = ut_rng_below(rng, 10) == 0;
    island->mu[c] = mu * ut_rng_range(rng, 0.5, 1.5);
    island->torsional[c] = plain ? 0.0 : torsional * ut_rng_range(rng, 0.3, 1.3) / length;
    island->rolling[c] = plain ? 0.0 : rolling * ut_rng_range(rng, 0.3, 1.3) / length;
    int touched = island->first[c];
    island->node[touched++] = one;
    J = add_side(island, rng, one, 1.0, frame, length, J);
    if (two >= 0) {
        island->node[touched++] = two;
        J = add_side(island, rng, two, -1.0, frame, length, J);
    }
    island->first[c + 1] = touched;
    memset(island->b + (size_t)island->dimension * (size_t)c, 0,
           (size_t)island->dimension * sizeof(double));
    return J;
}

static void make_island(Island* island, int dimension, int seed)
{
    utRng rng = ut_rng((uint64_t)seed, 0);
    *island = (Island){.dimension = dimension};
    const int bodies = 1 + ut_rng_below(&rng, BODIES);
    const bool moves = ut_rng_below(&rng, 2) == 0;
    const double heavy = ut_rng_below(&rng, 3) == 0 ? 1000.0 : 1.0;
    for (int k = 0; k < bodies; k++) {
        add_body(island, &rng, moves, heavy);
    }
    const double torsional = 0.05 * ut_rng_range(&rng, 0.0, 1.0) * ut_rng_range(&rng, 0.0, 1.0);
    const double rolling = 0.02 * ut_rng_range(&rng, 0.0, 1.0) * ut_rng_range(&rng, 0.0, 1.0);
    const int contacts = bodies + ut_rng_below(&rng, 2 * bodies);
    double* J = island->J;
    for (int c = 0; c < contacts; c++) {
        J = add_contact(island, &rng, 0.5, torsional, rolling, J);
    }
    island->section = dimension == 6 ? ut_section_rolling() : ut_section_torsional();
    island->blocks =
        (utCoulombBlocks){bodies, island->start, island->M, island->first, island->node, island->J};
    island->problem = (utCoulomb){
        .dimension = dimension,
        .contacts = contacts,
        .mu = island->mu,
        .torsional = island->torsional,
        .rolling = dimension == 6 ? island->rolling : NULL,
        .section = &island->section,
        .speed = 0.02,
        .dof = 6 * bodies,
        .blocks = &island->blocks,
        .f = island->f,
        .b = island->b,
    };
}

// Solve all islands. @return how many
static int solve_all(utCoulombSolver solver, int dimension, int problems, int rung[])
{
    static Island island;
    utArena scratch = test_arena();
    double r[6 * CONTACTS];
    int solved = 0;
    for (int k = 0; k < problems; k++) {
        make_island(&island, dimension, 1000 + k);
        utCoulombDef def = ut_coulomb_def();
        utCoulombInfo info;
        def.no_fallback = true;
        utError err = {0};
        if (!CHECK(ut_coulomb_check(&island.problem, &err) == UT_OK)) {
            test_note("%s", err.message);
            continue;
        }
        memset(r, 0, sizeof r);
        CHECK_INT(ut_coulomb_solve(&island.problem, solver, &def, scratch, r, &info), UT_OK);
        if (info.outcome == UT_COULOMB_SOLVED) {
            solved++;
            CHECK(info.verdict.E <= 1e-8 && info.verdict.cone <= 1e-12);
            rung[info.rung] += 1;
        }
    }
    return solved;
}

TEST(random_islands_with_torsional_and_rolling_friction_are_solved)
{
    for (int dimension = 4; dimension <= 6; dimension += 2) {
        int rung[UT_RUNG_COUNT] = {0};
        CHECK_INT(solve_all(UT_COULOMB_AUTO, dimension, PROBLEMS, rung), PROBLEMS);
        test_note("dimension %d: newton %d, ipm %d, polish %d, proximal %d", dimension,
                  rung[UT_RUNG_NEWTON], rung[UT_RUNG_IPM], rung[UT_RUNG_POLISH],
                  rung[UT_RUNG_PROXIMAL]);
    }
}

// Each solver by itself, without the help of the others. Gauss-Seidel needs more than its 10,000 sweeps
// for large mass ratios.
TEST(single_solvers_solve_most_islands)
{
    int rung[UT_RUNG_COUNT] = {0};
    const int proximal = solve_all(UT_COULOMB_PROXIMAL, 6, 100, rung);
    const int newton = solve_all(UT_COULOMB_NEWTON, 6, 100, rung);
    const int nsgs = solve_all(UT_COULOMB_NSGS, 6, 20, rung);
    test_note("proximal %d and newton %d of 100, nsgs %d of 20", proximal, newton, nsgs);
    CHECK(proximal >= 80 && newton >= 80 && nsgs >= 15);
}

// Two plates close on a ball between them: no velocity has u_n >= 0 at both contacts.
TEST(a_ball_between_closing_plates_is_proved_to_have_no_answer)
{
    const utSection section = ut_section_rolling();
    double M[36] = {0.0}, J[72] = {0.0}, r[12] = {0.0};
    for (int k = 0; k < 6; k++) {
        M[7 * k] = k < 3 ? 1.0 : 0.4;
    }
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0; // the plate below, and the one above
        double* rows = J + 36 * (size_t)side;
        rows[2] = sign;
        rows[6] = 1.0;
        rows[6 + 4] = -sign; // unit radius
        rows[12 + 1] = 1.0;
        rows[12 + 3] = sign;
        rows[18 + 5] = rows[24 + 3] = rows[30 + 4] = 1.0;
    }
    const int start[] = {0, 6}, first[] = {0, 1, 2}, node[] = {0, 0};
    const double f[6] = {0.1, 0, 0, 0, 0, 1}, mu[] = {0.5, 0.5}, c[] = {0.1, 0.1};
    double b[12] = {0.0};
    b[0] = b[6] = -1.0; // both plates close with 1 m/s
    const utCoulombBlocks blocks = {1, start, M, first, node, J};
    const utCoulomb problem = {.dimension = 6,
                               .contacts = 2,
                               .mu = mu,
                               .torsional = c,
                               .rolling = c,
                               .section = &section,
                               .dof = 6,
                               .blocks = &blocks,
                               .f = f,
                               .b = b};
    utCoulombInfo info;
    const utCoulombDef def = ut_coulomb_def();
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_NONE);
    // the proof: impulses that balance each other and would have to do negative work
    CHECK(r[0] > 0.0 && r[0] == r[6]);
    CHECK(b[0] * r[0] + b[6] * r[6] < 0.0);
}

// Each form of a problem has the same answer: W r + q from bodies, dense.
TEST(the_local_form_of_an_island_has_the_same_velocities)
{
    static Island island;
    utArena scratch = test_arena();
    for (int k = 0; k < 20; k++) {
        make_island(&island, 6, 1000 + k);
        const utCoulomb* problem = &island.problem;
        const int N = ut_coulomb_rows(problem);
        utArena rest = scratch;
        double* W = UT_PUSH(&rest, double, (size_t)N*(size_t)N);
        double* q = UT_PUSH(&rest, double, N);
        double* r = UT_PUSH(&rest, double, N);
        double* u = UT_PUSH(&rest, double, N);
        double* u_local = UT_PUSH(&rest, double, N);
        utCoulombVerdict verdict, local_verdict;
        utCoulombInfo info;
        const utCoulombDef def = ut_coulomb_def();
        memset(r, 0, (size_t)N * sizeof *r);
        // columns of W by the judge, which computes u from r
        CHECK_INT(ut_coulomb_judge(problem, false, r, rest, q, &verdict), UT_OK);
        for (int j = 0; j < N; j++) {
            r[j] = 1.0;
            CHECK_INT(ut_coulomb_judge(problem, false, r, rest, u, &verdict), UT_OK);
            for (int i = 0; i < N; i++) {
                W[(size_t)i * (size_t)N + (size_t)j] = u[i] - q[i];
            }
            r[j] = 0.0;
        }
        utCoulomb local = *problem;
        local.blocks = NULL;
        local.f = local.b = NULL;
        local.dof = 0;
        local.W = W;
        local.q = q;
        CHECK_INT(ut_coulomb_solve(&local, UT_COULOMB_AUTO, &def, rest, r, &info), UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
        CHECK_INT(ut_coulomb_judge(problem, false, r, rest, u, &verdict), UT_OK);
        CHECK_INT(ut_coulomb_judge(&local, false, r, rest, u_local, &local_verdict), UT_OK);
        // the columns of W are differences of velocities, with roundings of both
        CHECK_NEAR(verdict.E, local_verdict.E, 1e-9);
        CHECK(verdict.E <= 2e-8);
        CHECK_NEAR(verdict.V, local_verdict.V, 1e-12 * verdict.V);
    }
}

// One contact: random blocks of any condition; the local solve is exact to rounding.
TEST(one_contact_with_torques_is_solved_to_rounding)
{
    utRng rng = ut_rng(17, 0);
    const utSection section = ut_section_rolling();
    double worst = 0.0;
    for (int k = 0; k < 3000; k++) {
        double B[36], A[36] = {0.0}, p[6], r[6] = {0.0};
        for (int i = 0; i < 36; i++) {
            B[i] = ut_rng_range(&rng, -1.0, 1.0);
        }
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                for (int l = 0; l < 6; l++) {
                    A[6 * i + j] += B[6 * i + l] * B[6 * j + l];
                }
            }
            A[7 * i] += 0.05;
            p[i] = ut_rng_range(&rng, -1.0, 1.0);
        }
        const utLaw law = {.section = &section,
                           .mu = ut_rng_range(&rng, 0.0, 1.0),
                           .torsional = ut_rng_range(&rng, 0.0, 0.3),
                           .rolling =
                               ut_rng_below(&rng, 3) == 0 ? 0.0 : ut_rng_range(&rng, 0.0, 0.2)};
        double trace = 0.0;
        for (int i = 0; i < 6; i++) {
            trace += A[7 * i];
        }
        worst = fmax(worst, ut_coulomb_local(&law, A, p, 6.0 / trace, r));
        CHECK(ut_law_excess(&law, r) <= 1e-12);
    }
    test_note("largest error %.1e", worst);
    CHECK(worst <= 1e-9);
}

// The text has every number with its bits.
TEST(a_text_of_version_3_gives_the_same_problem)
{
    static Island island;
    for (int dimension = 4; dimension <= 6; dimension += 2) {
        utArena keep = test_arena();
        make_island(&island, dimension, 7);
        const utCoulomb* problem = &island.problem;
        const size_t size = ut_coulomb_print(problem, NULL, NULL, 0);
        char* text = UT_PUSH(&keep, char, size);
        CHECK(ut_coulomb_print(problem, NULL, text, size) == size);
        utArena arena = keep;
        utCoulomb read = {0};
        utError err = {0};
        if (CHECK(ut_coulomb_read((utText){text, size}, "island.fc", &arena, &read, &err) ==
                  UT_OK)) {
            CHECK_INT(read.dimension, dimension);
            CHECK_INT(read.section->dimension, dimension);
            char* again = UT_PUSH(&arena, char, size);
            CHECK(ut_coulomb_print(&read, NULL, again, size) == size);
            CHECK(memcmp(text, again, size) == 0);
            CHECK(memcmp(read.torsional, island.torsional,
                         (size_t)problem->contacts * sizeof(double)) == 0);
        } else {
            test_note("%s", err.message);
        }
    }
}

TEST(functions_without_angular_rows_refuse_them)
{
    static Island island;
    utArena scratch = test_arena();
    utError err = {0};
    double r[6 * CONTACTS] = {0.0};
    utCoulombInfo info;
    const utCoulombDef def = ut_coulomb_def();
    make_island(&island, 6, 1);
    CHECK_INT(ut_coulomb_solve(&island.problem, UT_COULOMB_LCP, &def, scratch, r, &info),
              UT_ERR_ARGUMENT);
    island.problem.dimension = 4;
    CHECK_INT(ut_coulomb_check(&island.problem, &err), UT_ERR_ARGUMENT);
}
