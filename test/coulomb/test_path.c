// SPDX-License-Identifier: Apache-2.0
// The central path, followed by its arc length.
#include <math.h>
#include <uptack/problem_files.h>

#include "coulomb/solvers/second_order.h"
#include "four_contacts.h"
#include "test.h"

// Follow the path of a problem. @return E of r
static double follow(const utCoulomb* problem, utArena arena, double* r, int* count)
{
    System system;
    double bilateral = 0.0;
    *count = 0;
    CHECK_INT(ut_system_create(problem, false, &arena, &system), UT_OK);
    CHECK(ut_central_path_applies(&system));
    CHECK_INT(ut_central_path_run(&system, 2000, 1e-12, arena, r, count), UT_OK);
    return ut_system_error(&system, r, &bilateral);
}

// Contacts that stick, slip, are open and slip: the impulses are known by construction.
TEST(the_path_ends_at_a_known_answer)
{
    for (uint64_t seed = 1; seed <= 50; seed++) {
        Made made;
        const utCoulomb problem = make(seed, &made);
        double r[ROWS];
        int count;
        CHECK(follow(&problem, test_arena(), r, &count) <= 1e-12);
        for (int k = 0; k < ROWS; k++) {
            CHECK_NEAR(r[k], made.r[k], 1e-10);
        }
    }
}

// In the plane: a particle of 2 kg falls at 3 m/s and slides at 5 m/s, mu = 0.5. r_n = 6, r_t = -3.
// In the local form W = 1/2.
TEST(the_path_stops_a_particle_in_the_plane)
{
    const utSection segment = ut_section_segment();
    const double W[] = {0.5, 0.0, 0.0, 0.5};
    const double q[] = {-3.0, 5.0};
    const double mu = 0.5;
    const utCoulomb problem = {
        .dimension = 2, .contacts = 1, .mu = &mu, .section = &segment, .W = W, .q = q};
    double r[2];
    int count;
    CHECK(follow(&problem, test_arena(), r, &count) <= 1e-12);
    CHECK_NEAR(r[0], 6.0, 1e-11);
    CHECK_NEAR(r[1], -3.0, 1e-11);
}

// A step of 36 balls that settle in a bin, mu = 0.8. Its path turns. Without the path the ladder ends at
// E = 2.6e-6 after 15,000 factorizations.
TEST(a_step_of_a_settling_bin_is_solved_by_the_path)
{
    utArena keep;
    utText text;
    utCoulomb problem;
    utError err = {0};
    double r[255];
    utCoulombInfo info;
    utCoulombVerdict verdict;
    const utCoulombDef def = ut_coulomb_def();
    CHECK_INT(ut_arena_create(0, NULL, &keep), UT_OK);
    if (!CHECK_INT(ut_text_read("test/coulomb/bin36.fc", 1 << 20, &keep, &text, &err), UT_OK) ||
        !CHECK_INT(ut_coulomb_read(text, "bin36.fc", &keep, &problem, &err), UT_OK) ||
        !CHECK_INT(ut_coulomb_rows(&problem), 255)) {
        return;
    }
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, keep, r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    CHECK_INT(info.rung, UT_RUNG_PATH);
    CHECK_INT(ut_coulomb_judge(&problem, false, r, keep, NULL, &verdict), UT_OK);
    CHECK(verdict.E <= 1e-8 && verdict.cone <= 1e-12);

    // a limit of the caller counts
    utCoulombDef limited = ut_coulomb_def();
    limited.max_iterations = 200;
    limited.no_fallback = true;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &limited, keep, r, &info), UT_OK);
    CHECK(info.iterations <= 230);
    ut_arena_destroy(&keep);
}

// Scalar rows, convex problems and polygons have other rungs.
TEST(the_path_is_for_contacts_with_circles)
{
    Made made;
    utCoulomb problem = make(1, &made);
    utArena arena = test_arena();
    System system;
    CHECK_INT(ut_system_create(&problem, true, &arena, &system), UT_OK);
    CHECK(!ut_central_path_applies(&system));
    utSection polygon;
    CHECK_INT(ut_section_polygon(UT_SECTION_INSCRIBED, 8, 0.0, &polygon, NULL), UT_OK);
    problem.section = &polygon;
    CHECK_INT(ut_system_create(&problem, false, &arena, &system), UT_OK);
    CHECK(!ut_central_path_applies(&system));
}
