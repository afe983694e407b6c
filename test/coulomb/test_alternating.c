// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel by bodies, Newton by bodies, and the rung that runs them in turn.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/problem_files.h>
#include <uptack/scenes.h>
#include <uptack/sim.h>

#include "coulomb/solvers/body_sweeps.h"
#include "coulomb/solvers/second_order.h"
#include "four_contacts.h"
#include "test.h"

// ---- one particle -------------------------------------------------------------------------------

// A particle of 2 kg on a floor, rows (z, x, y), with a velocity before the contact acts.
typedef struct Particle {
    utSection circle;
    utCoulombBlocks blocks;
    double mu, f[3];
} Particle;

static const int start_of[] = {0, 3}, first_of[] = {0, 1}, node_of[] = {0};
static const double mass_of[] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
static const double rows_of[] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
static const double zeros[3];

static utCoulomb particle(double mu, double vx, double vy, double vz, Particle* p)
{
    *p = (Particle){.circle = ut_section_circle(),
                    .blocks = {1, start_of, mass_of, first_of, node_of, rows_of},
                    .mu = mu,
                    .f = {2.0 * vx, 2.0 * vy, 2.0 * vz}};
    return (utCoulomb){.dimension = 3,
                       .contacts = 1,
                       .dof = 3,
                       .mu = &p->mu,
                       .section = &p->circle,
                       .blocks = &p->blocks,
                       .f = p->f,
                       .b = zeros};
}

static void sweep_once(const utCoulomb* problem, const double* start, double* r)
{
    utArena arena = test_arena();
    System system;
    BodySweeps sweeps;
    CHECK_INT(ut_system_create(problem, false, &arena, &system), UT_OK);
    CHECK(ut_body_sweeps_apply(&system));
    CHECK_INT(ut_body_sweeps_create(&system, &arena, &sweeps), UT_OK);
    ut_body_sweeps_start(&sweeps, start);
    ut_body_sweeps_run(&sweeps);
    ut_body_sweeps_impulses(&sweeps, r);
}

// It falls at 3 m/s and moves at 0.5 m/s along (3, 4): r_n = 2 3, and mu 3 > 0.5 stops it.
TEST(a_sweep_stops_a_particle_within_its_cone)
{
    Particle p;
    double r[3];
    const utCoulomb problem = particle(0.5, 0.3, 0.4, -3.0, &p);
    sweep_once(&problem, zeros, r);
    CHECK_NEAR(r[0], 6.0, 1e-15);
    CHECK_NEAR(r[1], -0.6, 1e-15);
    CHECK_NEAR(r[2], -0.8, 1e-15);
}

// At 5 m/s along (3, 4) friction is mu r_n = 0.5 6 against the motion, from any start.
TEST(a_sweep_slows_a_particle_that_slips)
{
    Particle p;
    double r[3];
    const utCoulomb problem = particle(0.5, 3.0, 4.0, -3.0, &p);
    const double starts[][3] = {{0, 0, 0}, {1, 0.5, 0}, {10, -1, 2}};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        sweep_once(&problem, starts[k], r);
        CHECK_NEAR(r[0], 6.0, 1e-14);
        CHECK_NEAR(r[1], -1.8, 1e-14);
        CHECK_NEAR(r[2], -2.4, 1e-14);
    }
}

TEST(a_sweep_opens_a_particle_that_rises)
{
    Particle p;
    double r[3];
    const utCoulomb problem = particle(0.5, 3.0, 4.0, 0.1, &p);
    sweep_once(&problem, (double[]){1.0, 0.2, 0.0}, r);
    CHECK(r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0);
}

// ---- a problem made from its answer -------------------------------------------------------------

// From an error of 1e-3 Newton squares it to 1e-6 and 1e-12; the regularization of 1e-6 changes less.
// A wrong derivative would gain a digit per step at most.
TEST(newton_by_bodies_squares_its_error)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Made made;
        const utCoulomb problem = make(seed, &made);
        utArena arena = test_arena();
        utRng rng = ut_rng(seed, 1);
        System system;
        double r[ROWS], bilateral;
        int count = 0;
        CHECK_INT(ut_system_create(&problem, false, &arena, &system), UT_OK);
        for (int k = 0; k < ROWS; k++) {
            r[k] = made.r[k] + 1e-3 * ut_rng_range(&rng, -1.0, 1.0) * (k / 3 != 2);
        }
        double E = ut_system_error(&system, r, &bilateral);
        CHECK(E > 1e-5);
        CHECK_INT(ut_newton_bodies_run(&system, 1e-6, 3, 1e-14, arena, r, &E, &count), UT_OK);
        CHECK(E < 1e-10 && count <= 3);
        for (int k = 0; k < ROWS; k++) {
            CHECK_NEAR(r[k], made.r[k], 1e-9);
        }
    }
}

// ---- the rung -----------------------------------------------------------------------------------

// The problem of the last of some steps of a scene.
static utCoulomb problem_of(const char* scene, int steps, utArena* arena)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utSim* sim = NULL;
    utError err = {0};
    utCoulomb problem = {0};
    utText text;
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    CHECK_INT(ut_scene_build(scene, def, &err), UT_OK);
    CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK);
    CHECK_INT(ut_sim_create(model, NULL, &sim, &err), UT_OK);
    for (int k = 0; k < steps; k++) {
        CHECK_INT(ut_sim_step(sim, NULL, NULL, &err), UT_OK);
    }
    CHECK_INT(ut_sim_problem(sim, &text, &err), UT_OK);
    CHECK_INT(ut_coulomb_read(text, scene, arena, &problem, &err), UT_OK);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    ut_model_def_destroy(def);
    return problem;
}

// 216 balls have fallen 5 mm when their columns begin to give way.
TEST(sweeps_and_newton_solve_a_pile_in_mid_fall)
{
    utArena arena;
    CHECK_INT(ut_arena_create(0, NULL, &arena), UT_OK);
    const utCoulomb problem = problem_of("balls:6:6", 7, &arena);
    double* r = UT_PUSH(&arena, double, ut_coulomb_rows(&problem));
    CHECK(problem.contacts > 300);
    const utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info = {0};
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    CHECK_INT(info.rung, UT_RUNG_SWEEPS);
    CHECK(info.iterations <= 20);

    // a limit of the caller stops the rung
    utCoulombDef limited = ut_coulomb_def();
    limited.max_iterations = 2;
    limited.no_fallback = true;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &limited, arena, r, &info), UT_OK);
    CHECK(info.iterations <= 2);
    ut_arena_destroy(&arena);
}

// A packing of 72 balls with mu = 0.8 in a bin, W alone: no descent method solves it.
TEST(a_hard_packing_of_balls_is_solved)
{
    const char* data = getenv("UPTACK_DATA");
    char path[1024];
    utArena arena;
    utText text;
    utCoulomb problem;
    utError err = {0};
    snprintf(path, sizeof path, "%s/../cases/friction/bin72.fc", data != NULL ? data : "");
    CHECK_INT(ut_arena_create(0, NULL, &arena), UT_OK);
    if (data == NULL || ut_text_read(path, 0, &arena, &text, &err) != UT_OK) {
        test_skip("there is no friction/bin72.fc in the folder cases beside $UPTACK_DATA");
        ut_arena_destroy(&arena);
        return;
    }
    CHECK_INT(ut_coulomb_read(text, path, &arena, &problem, &err), UT_OK);
    double* r = UT_PUSH(&arena, double, ut_coulomb_rows(&problem));
    const utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info = {0};
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
    CHECK(info.outcome == UT_COULOMB_SOLVED && info.verdict.E <= 1e-8);
    ut_arena_destroy(&arena);
}
