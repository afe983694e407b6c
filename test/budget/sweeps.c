// SPDX-License-Identifier: Apache-2.0
// Sweeps by themselves: a problem with a solution by hand, colours, and bits at every vector width.
#include <math.h>
#include <string.h>

#include "la/internal.h"
#include "sweep/sweep.h"
#include "test.h"

// ---- one particle -------------------------------------------------------------------------------

// A particle of 2 kg moves at (3, 0, -1) m/s onto a floor with mu 0.5, in coordinates (n, t1, t2) =
// (z, x, y). The normal impulse is 2, so that friction takes 1 of the 6 N s along x.
TEST(a_particle_slides_on_a_floor)
{
    static const double M[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    static const double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int start[2] = {0, 3}, first[2] = {0, 1}, node[1] = {0}, part[1] = {0};
    const double f[3] = {-2.0, 6.0, 0.0}, b[3] = {0.0}, mu[1] = {0.5};
    const utCoulombBlocks blocks = {1, start, M, first, node, J};
    const utSection circle = ut_section_circle();
    const utCoulomb coulomb = {.dimension = 3,
                               .contacts = 1,
                               .mu = mu,
                               .section = &circle,
                               .dof = 3,
                               .blocks = &blocks,
                               .f = f,
                               .b = b};
    utArena arena = test_arena();
    SweepProblem problem;
    double r[3] = {0.0};
    CHECK_INT(ut_sweep_prepare(&coulomb, 1, part, &arena, &problem), UT_OK);
    ut_sweep_solve(&problem, 1, r);
    CHECK_NEAR(r[0], 2.0, 1e-15);
    CHECK_NEAR(r[1], -1.0, 1e-15);
    CHECK_NEAR(r[2], 0.0, 1e-15);

    // out of an overlap of 3 mm, along the normal
    const double c[1] = {-0.003};
    double dq[3];
    ut_sweep_displace(&problem, 2, c, NULL, NULL, dq);
    CHECK_NEAR(dq[0], 0.003, 1e-17);
    CHECK_NEAR(dq[1], 0.0, 0.0);
}

// ---- random problems ----------------------------------------------------------------------------

enum { NODES = 12, CONTACTS = 60 };

typedef struct Random {
    int start[NODES + 1], first[CONTACTS + 1], node[2 * CONTACTS], part[CONTACTS];
    double M[NODES * 36], J[CONTACTS * 36], f[6 * NODES], b[3 * CONTACTS], mu[CONTACTS];
    utCoulombBlocks blocks;
    utSection section;
    utCoulomb coulomb;
} Random;

// Chains of bodies: runs of one to five contacts between the same two nodes, some of them fixed.
static void make(utRng* rng, Random* p)
{
    memset(p, 0, sizeof *p);
    for (int k = 0; k < NODES; k++) {
        p->start[k + 1] = 6 * (k + 1);
        for (int j = 0; j < 6; j++) {
            p->M[36 * k + 7 * j] = ut_rng_range(rng, 0.5, 2.0);
            p->f[6 * k + j] = ut_rng_range(rng, -1.0, 1.0);
        }
    }
    for (int g = 0; g < CONTACTS;) {
        const int one = ut_rng_below(rng, NODES);
        const int two = (one + 1 + ut_rng_below(rng, NODES - 1)) % NODES;
        const bool fixed = ut_rng_below(rng, 4) == 0;
        const int run = ut_rng_below(rng, 2) == 0 ? 1 : 2 + ut_rng_below(rng, 4);
        for (int k = 0; k < run && g < CONTACTS; k++, g++) {
            p->node[p->first[g]] = one;
            p->node[p->first[g] + 1] = two;
            p->first[g + 1] = p->first[g] + (fixed ? 1 : 2);
            p->mu[g] = ut_rng_range(rng, 0.05, 0.3);
        }
    }
    for (int k = 0; k < 18 * p->first[CONTACTS]; k++) {
        p->J[k] = ut_rng_range(rng, -1.0, 1.0);
    }
    p->blocks = (utCoulombBlocks){NODES, p->start, p->M, p->first, p->node, p->J};
    p->section = ut_section_circle();
    p->coulomb = (utCoulomb){.dimension = 3,
                             .contacts = CONTACTS,
                             .mu = p->mu,
                             .section = &p->section,
                             .dof = 6 * NODES,
                             .blocks = &p->blocks,
                             .f = p->f,
                             .b = p->b};
}

// Every impulse lies in its cone after any number of sweeps, and 4000 sweeps meet the judge's tolerance.
TEST(sweeps_stay_in_the_cones_and_converge)
{
    utRng rng = ut_rng(7, 0);
    int solved = 0;
    for (int trial = 0; trial < 20; trial++) {
        Random p;
        double r[3 * CONTACTS] = {0.0};
        SweepProblem problem;
        utArena arena = test_arena();
        make(&rng, &p);
        CHECK_INT(ut_sweep_prepare(&p.coulomb, 1, p.part, &arena, &problem), UT_OK);
        for (int sweeps = 1; sweeps <= 4000; sweeps = sweeps == 1 ? 7 : 4000 + (sweeps == 4000)) {
            utCoulombVerdict verdict;
            memset(r, 0, sizeof r);
            ut_sweep_solve(&problem, sweeps, r);
            CHECK_INT(ut_coulomb_judge(&p.coulomb, false, r, arena, NULL, &verdict), UT_OK);
            CHECK(verdict.cone <= 1e-12);
            solved += sweeps == 4000 && verdict.E <= 1e-8;
        }
    }
    test_note("%d of 20 problems within 1e-8", solved);
    CHECK_INT(solved, 20);
}

TEST(every_vector_width_gives_the_same_bits)
{
#ifdef UT_AVX2
    if (!ut_has_avx2()) {
        test_skip("this machine has no AVX2");
        return;
    }
    utRng rng = ut_rng(11, 0);
    Random p;
    double r[3 * CONTACTS] = {0.0};
    SweepProblem problem, copy;
    utArena arena = test_arena();
    make(&rng, &p);
    CHECK_INT(ut_sweep_prepare(&p.coulomb, 1, p.part, &arena, &problem), UT_OK);
    CHECK_INT(ut_sweep_prepare(&p.coulomb, 1, p.part, &arena, &copy), UT_OK);
    CHECK(problem.blocks > 3 && problem.packs > 1);
    ut_sweep_loops_base.invert_blocks(problem.blocks, problem.block, 1e-13, 0.1);
    ut_sweep_loops_avx2.invert_blocks(copy.blocks, copy.block, 1e-13, 0.1);
    ut_sweep_solve(&problem, 2, r);
    memset(r, 0, sizeof r);
    ut_sweep_solve(&copy, 2, r);
    for (int k = 0; k < 30; k++) {
        ut_sweep_loops_base.blocks(problem.blocks, problem.block, problem.x);
        ut_sweep_loops_base.packs(problem.packs, problem.pack, problem.x);
        ut_sweep_loops_base.block_normals(problem.blocks, problem.block, problem.x);
        ut_sweep_loops_base.pack_normals(problem.packs, problem.pack, problem.x);
        ut_sweep_loops_avx2.blocks(copy.blocks, copy.block, copy.x);
        ut_sweep_loops_avx2.packs(copy.packs, copy.pack, copy.x);
        ut_sweep_loops_avx2.block_normals(copy.blocks, copy.block, copy.x);
        ut_sweep_loops_avx2.pack_normals(copy.packs, copy.pack, copy.x);
    }
    CHECK(memcmp(problem.x, copy.x, (size_t)problem.size * sizeof *problem.x) == 0);
    CHECK(memcmp(problem.block, copy.block, (size_t)problem.blocks * sizeof *problem.block) == 0);
    CHECK(memcmp(problem.pack, copy.pack, (size_t)problem.packs * sizeof *problem.pack) == 0);
#else
    test_skip("built without AVX2");
#endif
}

// ---- parts that are solved ----------------------------------------------------------------------

// Two parts that share no node: the first half of the contacts and of the nodes, and the second.
static void make_two_parts(utRng* rng, Random* p)
{
    make(rng, p);
    for (int g = 0; g < CONTACTS; g++) {
        int* node = p->node + p->first[g];
        p->part[g] = g < CONTACTS / 2 ? 0 : 1;
        const int one = node[0] % (NODES / 2);
        node[0] = one + p->part[g] * (NODES / 2);
        if (p->first[g + 1] - p->first[g] == 2) {
            const int two = node[1] % (NODES / 2);
            node[1] = (two != one ? two : (one + 1) % (NODES / 2)) + p->part[g] * (NODES / 2);
        }
    }
}

static int sweep_from(Random* p, int sweeps, const double* start, double* r)
{
    utArena arena = test_arena();
    SweepProblem problem;
    memcpy(r, start, 3 * CONTACTS * sizeof *r);
    CHECK_INT(ut_sweep_prepare(&p->coulomb, 2, p->part, &arena, &problem), UT_OK);
    return ut_sweep_solve(&problem, sweeps, r);
}

// A part that starts from its solution stops at once. The other part must get the bits that it gets when
// both parts are swept to the end, and the solution must stay a solution.
TEST(a_solved_part_stops_and_leaves_the_other_part_its_bits)
{
    enum { HALF = 3 * CONTACTS / 2 };
    static const double zero[3 * CONTACTS];
    utRng rng = ut_rng(13, 0);
    for (int trial = 0; trial < 5; trial++) {
        Random p;
        double solution[3 * CONTACTS], both[3 * CONTACTS], start[3 * CONTACTS], r[3 * CONTACTS];
        utCoulombVerdict verdict;
        make_two_parts(&rng, &p);
        CHECK(sweep_from(&p, 20000, zero, solution) < 20000);
        CHECK_INT(ut_coulomb_judge(&p.coulomb, false, solution, test_arena(), NULL, &verdict),
                  UT_OK);
        CHECK(verdict.E <= 1e-12);
        CHECK(sweep_from(&p, 20, solution, r) < 20);
        CHECK_INT(sweep_from(&p, 20, zero, both), 20);
        for (int solved = 0; solved < 2; solved++) {
            const size_t at = solved == 0 ? HALF : 0; // of the other part
            memcpy(start, solution, sizeof start);
            memset(start + at, 0, HALF * sizeof *start);
            CHECK_INT(sweep_from(&p, 20, start, r), 20);
            CHECK(memcmp(r + at, both + at, HALF * sizeof *r) == 0);
            for (size_t k = HALF - at; k < HALF - at + HALF; k++) {
                CHECK_NEAR(r[k], solution[k], 1e-13);
            }
        }
    }
}

// Without an overlap nothing is displaced; a part with an overlap is displaced as if it were alone.
TEST(a_part_without_overlaps_is_not_displaced)
{
    utRng rng = ut_rng(17, 0);
    Random p;
    utArena arena = test_arena();
    SweepProblem problem;
    double gap[CONTACTS], dq[6 * NODES], all[6 * NODES];
    make_two_parts(&rng, &p);
    CHECK_INT(ut_sweep_prepare(&p.coulomb, 2, p.part, &arena, &problem), UT_OK);
    for (int g = 0; g < CONTACTS; g++) {
        gap[g] = ut_rng_range(&rng, -1.0, 1.0);
    }
    ut_sweep_displace(&problem, 10, gap, NULL, NULL, all);
    for (int g = 0; g < CONTACTS / 2; g++) {
        gap[g] = fabs(gap[g]);
    }
    ut_sweep_displace(&problem, 10, gap, NULL, NULL, dq);
    for (int k = 0; k < 3 * NODES; k++) {
        CHECK_NEAR(dq[k], 0.0, 0.0);
    }
    CHECK(memcmp(dq + 3 * NODES, all + 3 * NODES, 3 * NODES * sizeof *dq) == 0);
}

// ---- inverses of blocks -------------------------------------------------------------------------

// B of a block is the inverse of A + D / 10, where A = Ĵ Ĵ' is summed here entry by entry; N likewise for
// the normal rows. Row 4 k + l is row k of contact l.
TEST(inverses_of_a_block_times_its_matrix_are_one)
{
    utRng rng = ut_rng(5, 0);
    Random p;
    SweepProblem problem;
    utArena arena = test_arena();
    double worst = 0.0;
    int full = 0;
    make(&rng, &p);
    CHECK_INT(ut_sweep_prepare(&p.coulomb, 1, p.part, &arena, &problem), UT_OK);
    for (int n = 0; n < problem.blocks; n++) {
        const SweepBlock* block = &problem.block[n];
        full += block->group[3] >= 0;
        for (int i = 0; i < 12 && block->group[3] >= 0; i++) {
            double of_B[12] = {0.0}, of_N[4] = {0.0};
            for (int k = 0; k < 12; k++) {
                double A = 0.0;
                for (int j = 0; j < 12; j++) {
                    A += block->J[j][i / 4][i % 4] * block->J[j][k / 4][k % 4];
                }
                A *= i == k ? 1.1 : 1.0;
                for (int j = 0; j < 12; j++) {
                    of_B[j] += A * block->B[k][j / 4][j % 4];
                }
                for (int j = 0; k < 4 && j < 4; j++) {
                    of_N[j] += A * block->N[k][j];
                }
            }
            for (int j = 0; j < 12; j++) {
                worst = fmax(worst, fabs(of_B[j] - (i == j ? 1.0 : 0.0)));
                worst = i < 4 && j < 4 ? fmax(worst, fabs(of_N[j] - (i == j ? 1.0 : 0.0))) : worst;
            }
        }
    }
    CHECK(full > 1);
    CHECK(worst <= 1e-12);
}

// ---- colours ------------------------------------------------------------------------------------

// Four contacts on one node need four colours; a contact elsewhere takes the first.
TEST(contacts_of_one_node_have_different_colours)
{
    static const int node[10] = {0, 1, 0, 2, 0, 3, -1, 0, 4, 5};
    int colour[5], colours;
    CHECK_INT(ut_sweep_colour(5, node, 6, test_arena(), colour, &colours), UT_OK);
    CHECK_INT(colours, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(colour[i], i);
    }
    CHECK_INT(colour[4], 0);
}

TEST(a_node_with_more_contacts_than_colours_leaves_some_without)
{
    int node[2 * 70], colour[70], colours;
    for (int i = 0; i < 70; i++) {
        node[2 * i] = 0;
        node[2 * i + 1] = -1;
    }
    CHECK_INT(ut_sweep_colour(70, node, 1, test_arena(), colour, &colours), UT_OK);
    CHECK_INT(colours, SWEEP_MAX_COLOURS);
    CHECK_INT(colour[63], 63);
    CHECK_INT(colour[64], -1);
    CHECK_INT(colour[69], -1);
}
