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
