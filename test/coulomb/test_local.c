// SPDX-License-Identifier: Apache-2.0
// One contact: every case of the law by hand, and thousands of random blocks.
#include "coulomb/internal.h"

#include "test.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// A is the unit matrix, so u = r + p.
static const double UNIT[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static void check_local(const utSection* section, double mu, const double* A, const double* p,
                        const double* want)
{
    const utLaw law = {.section = section, .mu = mu};
    double r[3] = {0, 0, 0};
    CHECK(ut_coulomb_local(&law, A, p, 1.0, r) <= 1e-14);
    for (int i = 0; i < section->dimension; i++) {
        CHECK_NEAR(r[i], want[i], 1e-14);
    }
}

TEST(an_opening_contact_carries_nothing)
{
    const utSection circle = ut_section_circle();
    check_local(&circle, 0.5, UNIT, (double[]){0.1, 3, -4}, (double[]){0, 0, 0});
    check_local(&circle, 0.5, UNIT, (double[]){0, 3, -4}, (double[]){0, 0, 0});
}

TEST(a_sticking_contact_takes_all_of_the_velocity)
{
    const utSection circle = ut_section_circle();
    check_local(&circle, 0.5, UNIT, (double[]){-1, 0.3, -0.4}, (double[]){1, -0.3, 0.4});
    check_local(&circle, 0.5, UNIT, (double[]){-1, 0, 0}, (double[]){1, 0, 0});
}

// |p_t| = 5 > mu: r_t = -mu p_t / |p_t|
TEST(a_slipping_contact_is_held_back_by_mu_r_n)
{
    const utSection circle = ut_section_circle();
    check_local(&circle, 0.5, UNIT, (double[]){-1, 3, -4}, (double[]){1, -0.3, 0.4});
    check_local(&circle, 0.0, UNIT, (double[]){-1, 3, -4}, (double[]){1, 0, 0});
}

TEST(in_the_plane_it_slips_either_way)
{
    const utSection segment = ut_section_segment();
    const double A[] = {1, 0, 0, 1};
    check_local(&segment, 0.5, A, (double[]){-1, 3}, (double[]){1, -0.5});
    check_local(&segment, 0.5, A, (double[]){-1, -3}, (double[]){1, 0.5});
    check_local(&segment, 0.5, A, (double[]){-1, 0.25}, (double[]){1, -0.25});
    check_local(&segment, 0.5, A, (double[]){1, 0.25}, (double[]){0, 0});
    // coupled: u_n = 2 r_n + r_t - 1 = 0 with r_t = -r_n / 2: r_n = 2/3
    check_local(&segment, 0.5, (double[]){2, 1, 1, 2}, (double[]){-1, 5},
                (double[]){2.0 / 3.0, -1.0 / 3.0});
}

// Vertices at (1, 0), (0, 1), ...: between the vertices' cones -u_t points at vertex (1, 0).
TEST(on_a_polygon_it_slips_to_a_vertex_or_along_an_edge)
{
    utSection square;
    CHECK_INT(ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &square, NULL), UT_OK);
    check_local(&square, 0.5, UNIT, (double[]){-1, -4, 1}, (double[]){1, 0.5, 0});
    check_local(&square, 0.5, UNIT, (double[]){-1, 1, 4}, (double[]){1, 0, -0.5});
    // -p_t = (4, 4.2): u_t along -(1, 1) with r_t = (0.25 - 0.1, 0.25 + 0.1): u_t = -(3.85, 3.85)
    check_local(&square, 0.5, UNIT, (double[]){-1, -4, -4.2}, (double[]){1, 0.15, 0.35});
}

// A contact that moves along its normal only: its tangent needs no impulse.
TEST(singular_blocks_are_solved_where_the_law_can_be_met)
{
    const utSection circle = ut_section_circle();
    const double A[] = {2, 0, 0, 0, 0, 0, 0, 0, 0};
    check_local(&circle, 0.5, A, (double[]){-1, 0, 0}, (double[]){0.5, 0, 0});
    check_local(&circle, 0.5, A, (double[]){-1, 3, 4}, (double[]){0.5, -0.15, -0.2});
    // the second tangent moves with the normal; without sticking in K: r_n + r_2 = 1 has many
    const double B[] = {1, 0, 1, 0, 1, 0, 1, 0, 1};
    const utLaw law = {.section = &circle, .mu = 0.5};
    double r[3] = {0, 0, 0};
    CHECK(ut_coulomb_local(&law, B, (double[]){-1, 0, -1}, 1.0, r) <= 1e-13);
    CHECK_NEAR(r[0] + r[2], 1.0, 1e-12);
}

static void random_block(utRng* rng, int d, double skew, double* A)
{
    double G[9];
    for (int i = 0; i < d * d; i++) {
        G[i] = ut_rng_range(rng, -1.0, 1.0);
    }
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
            A[i * d + j] = i == j ? 0.05 : 0.0;
            for (int k = 0; k < d; k++) {
                A[i * d + j] += G[i * d + k] * G[j * d + k];
            }
        }
    }
    // x'Ax stays as it is
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < i; j++) {
            const double part = skew * ut_rng_range(rng, -1.0, 1.0);
            A[i * d + j] += part;
            A[j * d + i] -= part;
        }
    }
}

// @return the largest error over |p|
static double worst_of(const utSection* section, double skew, double mu_most, int count)
{
    const int d = section->dimension;
    utRng rng = ut_rng(17, (uint64_t)(100.0 * skew) + (uint64_t)section->edges);
    double worst = 0.0;
    for (int k = 0; k < count; k++) {
        double A[9], p[3], r[3] = {0, 0, 0};
        random_block(&rng, d, skew, A);
        double size = 0.0;
        for (int i = 0; i < d; i++) {
            p[i] = ut_rng_range(&rng, -1.0, 1.0);
            size += p[i] * p[i];
        }
        p[0] = k % 8 == 0 ? p[0] : -fabs(p[0]);
        const double m = d / (A[0] + A[d + 1] + (d == 3 ? A[8] : 0.0));
        const utLaw law = {.section = section, .mu = ut_rng_range(&rng, 0.0, mu_most)};
        const double e = ut_coulomb_local(&law, A, p, m, r) / sqrt(size);
        worst = e > worst ? e : worst;
        CHECK(ut_law_violation(&law, m, sqrt(size), r) <= 1e-14);
    }
    return worst;
}

TEST(random_symmetric_blocks_are_solved_to_rounding)
{
    const utSection circle = ut_section_circle();
    const utSection segment = ut_section_segment();
    utSection inscribed, circumscribed;
    ut_section_polygon(UT_SECTION_INSCRIBED, 8, 0.3, &inscribed, NULL);
    ut_section_polygon(UT_SECTION_CIRCUMSCRIBED, 16, 0.1, &circumscribed, NULL);
    CHECK_NEAR(worst_of(&circle, 0.0, 1.5, 20000), 0.0, 1e-12);
    CHECK_NEAR(worst_of(&segment, 0.0, 1.5, 20000), 0.0, 1e-12);
    CHECK_NEAR(worst_of(&inscribed, 0.0, 1.5, 5000), 0.0, 1e-12);
    CHECK_NEAR(worst_of(&circumscribed, 0.0, 1.5, 5000), 0.0, 1e-12);
    test_note("circle %.1e, circumscribed %.1e", worst_of(&circle, 0.0, 1.5, 20000),
              worst_of(&circumscribed, 0.0, 1.5, 5000));
}

TEST(random_unsymmetric_blocks_are_solved_to_rounding)
{
    const utSection circle = ut_section_circle();
    const utSection segment = ut_section_segment();
    utSection inscribed;
    ut_section_polygon(UT_SECTION_INSCRIBED, 6, 0.3, &inscribed, NULL);
    CHECK_NEAR(worst_of(&circle, 0.3, 0.8, 20000), 0.0, 1e-12);
    CHECK_NEAR(worst_of(&segment, 0.3, 0.8, 20000), 0.0, 1e-12);
    CHECK_NEAR(worst_of(&inscribed, 0.3, 0.8, 5000), 0.0, 1e-12);
}

// Almost of rank one, eigenvalues 1 : 1e-4 : 1e-6: the directions of slip lie close together, and
// impulses are large. What is left is the rounding of A r. (Sampling the circle in 64 places misses
// roots here.)
TEST(ill_conditioned_blocks_are_solved_to_the_rounding_of_their_impulses)
{
    static const double scale[] = {1.0, 1e-4, 1e-6};
    const utSection circle = ut_section_circle();
    utRng rng = ut_rng(5, 1);
    for (int k = 0; k < 20000; k++) {
        double G[9], A[9], p[3], r[3] = {0, 0, 0};
        for (int i = 0; i < 9; i++) {
            G[i] = ut_rng_range(&rng, -1.0, 1.0);
        }
        for (int i = 0; i < 9; i++) {
            A[i] = 0.0;
            for (int l = 0; l < 3; l++) {
                A[i] += G[3 * (i / 3) + l] * scale[l] * G[3 * (i % 3) + l];
            }
        }
        for (int i = 0; i < 3; i++) {
            p[i] = ut_rng_range(&rng, -1.0, 1.0);
        }
        p[0] = -fabs(p[0]);
        const utLaw law = {.section = &circle, .mu = ut_rng_range(&rng, 0.0, 1.0)};
        const double trace = A[0] + A[4] + A[8];
        const double e = ut_coulomb_local(&law, A, p, 3.0 / trace, r);
        CHECK(e <= 1e-12 + 16.0 * 0x1p-52 * trace * (r[0] + fabs(r[1]) + fabs(r[2])));
    }
}

TEST(the_start_does_not_change_the_answer)
{
    const utSection circle = ut_section_circle();
    utRng rng = ut_rng(3, 0);
    for (int k = 0; k < 2000; k++) {
        double A[9], p[3], r[3] = {0, 0, 0};
        random_block(&rng, 3, 0.0, A);
        const utLaw law = {.section = &circle, .mu = 0.3};
        for (int i = 0; i < 3; i++) {
            p[i] = ut_rng_range(&rng, -1.0, 1.0);
        }
        double other[3] = {1.0, 0.3 * cos(k), 0.3 * sin(k)};
        ut_coulomb_local(&law, A, p, 1.0, r);
        CHECK(ut_coulomb_local(&law, A, p, 1.0, other) <= 1e-12);
    }
}

// The direction of the largest load that is held: cos(pi/d) on an inscribed polygon between two
// vertices, 1/cos(pi/2k) towards a vertex of a circumscribed one with k lines.
TEST(stick_limits_are_those_of_the_section)
{
    const double mu = 0.4;
    for (int edges = 4; edges <= 16; edges *= 2) {
        for (int kind = 0; kind < 2; kind++) {
            utSection P;
            ut_section_polygon(kind == 0 ? UT_SECTION_INSCRIBED : UT_SECTION_CIRCUMSCRIBED, edges,
                               0.0, &P, NULL);
            const double a = PI / edges;
            const double limit = kind == 0 ? mu * cos(a) : mu / cos(a);
            const utLaw law = {.section = &P, .mu = mu};
            for (int side = -1; side <= 1; side += 2) {
                const double load = limit * (1.0 + side * 1e-9);
                double r[3] = {0, 0, 0};
                const double p[] = {-1, load * cos(a), load * sin(a)};
                CHECK(ut_coulomb_local(&law, UNIT, p, 1.0, r) <= 1e-14);
                const double held = hypot(p[1] + r[1], p[2] + r[2]);
                CHECK(side < 0 ? held <= 1e-15 : held > 1e-10 * mu);
            }
        }
    }
}
