// SPDX-License-Identifier: Apache-2.0
// Version 2 of the text form: whatever a problem has, it is read back with the same bits.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/coulomb.h>
#include <uptack/problem_files.h>

#include "test.h"

// Two contacts and two rows in the plane of one body, by hand: a row with bounds and a bilateral
// one.
static const double M[] = {2, 0, 0, 3};
static const double J[] = {1, 0, 0, 1, 0.5, 0.25, -1, 1, 1, 1, 0, 1};
static const double f[] = {-4, 1}, b[] = {0, 0.125, 0.1, 0, -0.2, 0.3};
static const double mu[] = {0.5, 1e-300}, low[] = {-0.1, -HUGE_VAL}, high[] = {1.0 / 3.0, HUGE_VAL};

static utCoulomb plane_problem(const utSection* section)
{
    return (utCoulomb){.dimension = 2,
                       .contacts = 2,
                       .bilaterals = 2,
                       .low = low,
                       .high = high,
                       .mu = mu,
                       .section = section,
                       .speed = 0.01,
                       .dof = 2,
                       .M = M,
                       .J = J,
                       .f = f,
                       .b = b};
}

static char* print(const utCoulomb* problem, const double* r, size_t* size)
{
    *size = ut_coulomb_print(problem, r, NULL, 0);
    char* text = malloc(*size + 1);
    CHECK(ut_coulomb_print(problem, r, text, *size) == *size);
    return text;
}

TEST(a_problem_with_bounds_is_read_back_with_the_same_bits)
{
    const utSection section = ut_section_segment();
    const utCoulomb problem = plane_problem(&section);
    const double r[] = {1.0 / 3.0, -0.0, 5e-324, 0.1, -0.1, 1e300};
    size_t size;
    char* text = print(&problem, r, &size);
    utArena keep = test_arena();
    utCoulomb read;
    utError err = {0};
    const double* s = NULL;
    if (CHECK_INT(ut_coulomb_read_impulses((utText){text, size}, "a.fc", &keep, &read, &s, &err),
                  UT_OK)) {
        CHECK(read.speed == problem.speed && read.dof == 2 && read.blocks->nodes == 1);
        CHECK(memcmp(read.mu, mu, sizeof mu) == 0 && memcmp(read.low, low, sizeof low) == 0);
        CHECK(memcmp(read.high, high, sizeof high) == 0 &&
              memcmp(read.blocks->M, M, sizeof M) == 0);
        CHECK(memcmp(read.blocks->J, J, sizeof J) == 0 && memcmp(read.f, f, sizeof f) == 0);
        CHECK(memcmp(read.b, b, sizeof b) == 0 && memcmp(s, r, sizeof r) == 0);
    } else {
        test_note("%s", err.message);
    }
    free(text);
}

// Without room nothing is written, and the size is the same.
TEST(a_text_is_measured_before_it_is_written)
{
    const utSection section = ut_section_segment();
    const utCoulomb problem = plane_problem(&section);
    char few[8];
    memset(few, 'x', sizeof few);
    CHECK(ut_coulomb_print(&problem, NULL, few, 4) == ut_coulomb_print(&problem, NULL, NULL, 0));
    CHECK(few[4] == 'x');
}

TEST(polygons_are_written_and_turned_ones_are_not)
{
    utSection section;
    const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, 0.5, 0}, one[] = {0.5};
    utCoulomb problem = {
        .dimension = 3, .contacts = 1, .mu = one, .section = &section, .W = W, .q = q};
    for (int kind = UT_SECTION_INSCRIBED; kind <= UT_SECTION_CIRCUMSCRIBED; kind++) {
        CHECK_INT(ut_section_polygon((utSectionKind)kind, 8, 0.0, &section, NULL), UT_OK);
        size_t size;
        char* text = print(&problem, NULL, &size);
        utArena keep = test_arena();
        utCoulomb read;
        CHECK_INT(ut_coulomb_read((utText){text, size}, "a.fc", &keep, &read, NULL), UT_OK);
        CHECK(read.section->kind == (utSectionKind)kind && read.section->edges == 8);
        CHECK(memcmp(read.W, W, sizeof W) == 0 && memcmp(read.q, q, sizeof q) == 0);
        free(text);
    }
    CHECK_INT(ut_section_polygon(UT_SECTION_INSCRIBED, 8, 0.1, &section, NULL), UT_OK);
    CHECK(ut_coulomb_print(&problem, NULL, NULL, 0) == 0);
}

typedef struct Bad {
    const char* text;
    const char* message;
} Bad;

#define HEAD "fc2 2 1 1\nsection segment\nspeed 0\nmu .5\nlow 0\nhigh inf\n"

static const Bad bad[] = {
    {"fc2", "expected d, the dimension, a whole number; the file ends here"},
    {"fc2 4 1 0", "d, the dimension, is 4; it is 2 in the plane and 3 in space"},
    {"fc2 3 0 0", "d nc + nb is 0; it is at least 1, and each row has a number in the file"},
    {"fc2 3 2000000000 0",
     "d nc + nb is 6000000000; it is at least 1, and each row has a number in the file"},
    {"fc2 2 1 1\nsection circle\n",
     "expected 'segment', the only section in the plane; found 'circle'"},
    {"fc2 3 1 1\nsection inscribed 5\n" HEAD, "an even number from 4 to 64 is needed"},
    {"fc2 2 1 1\nsection segment\nspeed -1\n" HEAD, "speed[0] is -1; it cannot be negative"},
    {"fc2 2 1 1\nsection segment\nspeed inf\n" HEAD,
     "expected number 1 of 1 of speed; found 'inf'"},
    {"fc2 2 1 1\nsection segment\nspeed 0\nmu .5\nlow 1\nhigh 0\nnodes 1 1\nM 1\ngroups 1 0 1 0\nJ "
     "1 0 1\nf 0\nb 0 0 0",
     "row 0 is bounded by 1 and 0; the first may not be above the second"},
    {HEAD "M 1", "expected 'W' or 'nodes'; found 'M'"},
    {HEAD "nodes 1000000 1", "nodes has 1000000 numbers, and the file only 2 more bytes"},
    {HEAD "nodes 1 1000000\nM 1", "M has 1000000000000 numbers, and the file only 2 more bytes"},
    {HEAD "nodes 2 2147483647 1\nM 1", "there are too many velocities"},
    {HEAD "nodes 1 1\nM 1\ngroups 1 1 1 0", "there is no node 1; there are 1"},
    {HEAD "nodes 1 1\nM 1\ngroups 2000000000 0",
     "expected the node of a group, a whole number; the file ends here"},
    {HEAD "nodes 1 1\nM -1\ngroups 1 0 1 0\nJ 1 0 1\nf 0\nb 0 0 0",
     "blocks: node 0: M[0][0] is -1; a mass matrix has a positive diagonal"},
    {HEAD "nodes 1 1\nM 1\ngroups 1 0 1 0\nJ 1 0 1\nf 0\nb 0 0 0\nr 1 2",
     "r has 3 numbers, and the file only 4 more bytes"},
    {HEAD "nodes 1 1\nM 1\ngroups 1 0 1 0\nJ 1 0 1\nf 0\nb 0 0 0\nr 1 2 3 4",
     "extra text '4' behind r"},
    {HEAD "W 100\n0 0 1",
     "nnz, the number of entries of W, is 100; W has only 9, and each stands in the file"},
};

TEST(a_bad_file_of_version_2_gets_a_message)
{
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        utArena keep = test_arena();
        const utArena before = keep;
        utCoulomb problem = {.dimension = -7};
        utError err = {0};
        const utText text = {bad[k].text, strlen(bad[k].text)};
        CHECK_INT(ut_coulomb_read(text, "a.fc", &keep, &problem, &err), UT_ERR_FORMAT);
        if (!CHECK(strstr(err.message, bad[k].message) != NULL && err.line >= 1)) {
            test_note("%zu: %s", k, err.message);
        }
        CHECK(problem.dimension == -7 && keep.next == before.next);
    }
}

// A ball of 1 kg at rest and a slider of 2 kg: the floor holds the ball by m g h = 0.0981 N s, and
// dry friction holds the slider by the 0.01 N s that push it.
TEST(contacts_and_dry_friction_are_solved_from_a_file)
{
    static const char text[] =
        "fc2 3 1 1\nsection circle\nspeed 0\nmu 0.5\nlow -0.02 high 0.02\nnodes 2  3 1\n"
        "M  1 0 0  0 1 0  0 0 1   2\ngroups  1 0   1 1\nJ  0 0 1  1 0 0  0 1 0   1\n"
        "f  0 0 -0.0981  0.01\nb  0 0 0 0\n";
    utArena arena = test_arena();
    utCoulomb problem;
    utCoulombInfo info;
    const utCoulombDef def = ut_coulomb_def();
    double r[4];
    const double* none = r;
    CHECK_INT(ut_coulomb_read_impulses((utText){text, sizeof text - 1}, "a.fc", &arena, &problem,
                                       &none, NULL),
              UT_OK);
    CHECK(none == NULL);
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    const double by_hand[] = {0.0981, 0.0, 0.0, -0.01};
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(r[k], by_hand[k], 1e-15);
    }
}
