// SPDX-License-Identifier: Apache-2.0
// What the tests of the papers' rows share. Each test is named after the row that it shows
// (docs/seeds.md); numbers are closed forms, hand calculations, or those that the rows print.
#ifndef UPTACK_TEST_SEEDS_CASES_H
#define UPTACK_TEST_SEEDS_CASES_H

#include <uptack/blocks.h>
#include <uptack/dyn.h>
#include <uptack/matrix.h>
#include <uptack/ncp.h>
#include <uptack/notation.h>
#include <uptack/sim_coulomb.h>

#include "coulomb/polyhedral_cases.h"
#include "physics/lab.h"

static const double GRAVITY = 9.81;

// A particle of 1 kg and mu = 0.5 on the floor that slides at a given velocity, with d directions:
// tau* = m v + h f.
static inline void sliding_particle(Particle* p, int d, double h, double vx, double vy)
{
    make_particle(p, polygon(UT_SECTION_INSCRIBED, d, 0.0), 1.0, 0.5,
                  (double[]){vx, vy, -GRAVITY * h});
}

// A system as a paper prints it, solved.
typedef struct Printed {
    utPrinted system;
    utLcpInfo info;
    const double* z;
    double r[MAX_ROWS];
} Printed;

static inline Printed solve_printed(const utCoulomb* problem, const utPrintedDef* def,
                                    utLcpSolver solver, utArena* arena)
{
    Printed s = {.info = {.outcome = UT_LCP_ITERATIONS}};
    utError err = {0};
    if (!CHECK_INT(ut_printed_create(problem, def, arena, &s.system, &err), UT_OK)) {
        test_note("%s", err.message);
        return s;
    }
    double* z = UT_PUSH(arena, double, s.system.lcp.n);
    utLcpDef lcp = ut_lcp_def();
    memset(z, 0, (size_t)s.system.lcp.n * sizeof *z);
    CHECK_INT(ut_lcp_solve(&s.system.lcp, solver, &lcp, *arena, z, &s.info), UT_OK);
    if (def->notation != UT_NOTATION_PFROMMER) {
        CHECK_INT(ut_printed_impulses(&s.system, z, *arena, s.r), UT_OK);
    }
    s.z = z;
    return s;
}

// Where a kind of unknowns stands; -1: nowhere
static inline int start_of(const utPrinted* system, const char* unknown)
{
    for (int k = 0; k < system->parts; k++) {
        if (strcmp(system->part[k].unknown, unknown) == 0) {
            return system->part[k].start;
        }
    }
    return -1;
}

// The largest load along a direction, over mu m g, at which a particle stays: by bisection.
static inline double stick_limit(utSection section, utNotation notation, double angle)
{
    const double h = 0.01;
    double low = 0.5, high = 2.0;
    for (int k = 0; k < 40; k++) {
        const double load = 0.5 * (low + high) * 0.5 * GRAVITY;
        Particle p;
        make_particle(&p, section, 1.0, 0.5,
                      (double[]){h * load * cos(angle), h * load * sin(angle), -h * GRAVITY});
        utArena arena = test_arena();
        const utPrintedDef def = ut_printed_def(notation, h);
        const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
        double v[3];
        velocities(&p.problem, s.r, v);
        const bool stays = s.info.outcome == UT_LCP_SOLVED && hypot(v[0], v[1]) < 1e-13;
        *(stays ? &low : &high) = 0.5 * (low + high);
    }
    return 0.5 * (low + high);
}

// A frictionless start: the problem of a sim's next step, or a failed check.
static inline utCoulomb next_problem(Lab* lab, const utInput* input, utArena* arena)
{
    utCoulomb problem = {0};
    utError err = {0};
    if (!CHECK_INT(ut_sim_coulomb(lab->sim, input, arena, &problem, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    return problem;
}

#endif
