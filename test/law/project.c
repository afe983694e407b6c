// SPDX-License-Identifier: Apache-2.0
// Projections on the cone and its dual, against hand calculation, the definition, and a second
// implementation; and the derivative.
#include "cases.h"

// Points have sizes from 1 to 1e6, and a projection has about 20 roundings.
static const double rounding = 4e-15;

static double size_of(int n, const double* a)
{
    const double size = norm(n, a);
    return size > 0.0 ? size : 1.0;
}

static void check_projection(const utLaw* law, const double* r, utLawRegion region,
                             const double* want, double tolerance)
{
    double p[3];
    CHECK_INT(ut_law_project(law, r, p), region);
    for (int i = 0; i < law->section->dimension; i++) {
        CHECK_NEAR(p[i], want[i], tolerance);
    }
}

// ---- by hand ------------------------------------------------------------------------------------

// mu = 3/4: the mantle has the generator (4, 3)/5. (1, 2): g.r = 2, so p = 2 g.
TEST(projections_in_the_plane_by_hand)
{
    const utSection segment = ut_section_segment();
    const utLaw law = {.section = &segment, .mu = 0.75};
    check_projection(&law, (double[]){4, -3}, UT_LAW_INSIDE, (double[]){4, -3}, 0.0);
    check_projection(&law, (double[]){1, 2}, UT_LAW_FACE, (double[]){1.6, 1.2}, 4e-16);
    check_projection(&law, (double[]){1, -2}, UT_LAW_FACE, (double[]){1.6, -1.2}, 4e-16);
    check_projection(&law, (double[]){-1, 2}, UT_LAW_FACE, (double[]){0.32, 0.24}, 4e-16);
    check_projection(&law, (double[]){-2, 2}, UT_LAW_OPEN, (double[]){0, 0}, 0.0);
    check_projection(&law, (double[]){-1, 0}, UT_LAW_OPEN, (double[]){0, 0}, 0.0);
    check_projection(&law, (double[]){0, 0}, UT_LAW_INSIDE, (double[]){0, 0}, 0.0);
}

TEST(projections_on_the_round_cone_by_hand)
{
    const utSection circle = ut_section_circle();
    const utLaw law = {.section = &circle, .mu = 0.75};
    check_projection(&law, (double[]){1, 0.3, -0.4}, UT_LAW_INSIDE, (double[]){1, 0.3, -0.4}, 0.0);
    // |r_t| = 5: g.r = 0.8 + 3 = 3.8, p = 3.8 (0.8, 0.6 (0.6, 0.8))
    check_projection(&law, (double[]){1, 3, 4}, UT_LAW_FACE, (double[]){3.04, 1.368, 1.824}, 1e-15);
    check_projection(&law, (double[]){-3.75, 3, 4}, UT_LAW_OPEN, (double[]){0, 0, 0}, 0.0);
}

// mu = 1, the square |x| + |y| <= 1: a face is r_n = x + y with normal (-1, 1, 1)/sqrt 3, an edge
// is (1, 1, 0)/sqrt 2.
TEST(projections_on_the_inscribed_square_by_hand)
{
    const utSection P = inscribed(4);
    const utLaw law = {.section = &P, .mu = 1.0};
    check_projection(&law, (double[]){2, 0.9, 1}, UT_LAW_INSIDE, (double[]){2, 0.9, 1}, 0.0);
    // (0, 1.4, 1.6) is 3/sqrt 3 beyond the face: minus (-1, 1, 1)
    check_projection(&law, (double[]){0, 1.4, 1.6}, UT_LAW_FACE, (double[]){1, 0.4, 0.6}, rounding);
    check_projection(&law, (double[]){1, 2, -2}, UT_LAW_FACE, (double[]){2, 1, -1}, rounding);
    // from (0, 1, 3) the face would give (4/3, -1/3, 5/3), so the edge (1, 0, 1)/sqrt 2: 3/2 of it
    check_projection(&law, (double[]){0, 1, 3}, UT_LAW_EDGE, (double[]){1.5, 0, 1.5}, rounding);
    check_projection(&law, (double[]){0, -3, 1}, UT_LAW_EDGE, (double[]){1.5, -1.5, 0}, rounding);
    // h_P(1, 3) = 3
    check_projection(&law, (double[]){-3.001, 1, 3}, UT_LAW_OPEN, (double[]){0, 0, 0}, 0.0);
    check_projection(&law, (double[]){-2.9, 1, 3}, UT_LAW_EDGE, (double[]){0.05, 0, 0.05},
                     rounding);
}

// mu = 1, the square |x|, |y| <= 1: a face is r_n = x, an edge (1, 1, 1)/sqrt 3.
TEST(projections_on_the_circumscribed_square_by_hand)
{
    const utSection P = circumscribed(4);
    const utLaw law = {.section = &P, .mu = 1.0};
    check_projection(&law, (double[]){1, 1, -1}, UT_LAW_INSIDE, (double[]){1, 1, -1}, 0.0);
    check_projection(&law, (double[]){1, 3, 0.5}, UT_LAW_FACE, (double[]){2, 2, 0.5}, rounding);
    check_projection(&law, (double[]){1, 0.5, -3}, UT_LAW_FACE, (double[]){2, 0.5, -2}, rounding);
    check_projection(&law, (double[]){1, 3, 2.5}, UT_LAW_EDGE,
                     (double[]){6.5 / 3, 6.5 / 3, 6.5 / 3}, rounding);
    check_projection(&law, (double[]){-4, 2, -2.5}, UT_LAW_EDGE,
                     (double[]){0.5 / 3, 0.5 / 3, -0.5 / 3}, rounding);
    check_projection(&law, (double[]){-4.6, 2, -2.5}, UT_LAW_OPEN, (double[]){0, 0, 0}, 0.0);
}

TEST(without_friction_only_the_normal_is_kept)
{
    for (int k = 0; k < SECTION_CASES; k++) {
        const utSection P = make_section(section_cases[k]);
        const utLaw law = {.section = &P, .mu = 0.0};
        check_projection(&law, (double[]){2, 0, 0}, UT_LAW_INSIDE, (double[]){2, 0, 0}, 0.0);
        check_projection(&law, (double[]){2, 1, 1}, UT_LAW_FACE, (double[]){2, 0, 0}, 0.0);
        check_projection(&law, (double[]){2, 0, 1e-300}, P.dimension == 3 ? UT_LAW_FACE : 0,
                         (double[]){2, 0, 0}, 0.0);
        check_projection(&law, (double[]){-2, 1, -1}, UT_LAW_OPEN, (double[]){0, 0, 0}, 0.0);
        check_projection(&law, (double[]){-2, 0, 0}, UT_LAW_OPEN, (double[]){0, 0, 0}, 0.0);
    }
}

// ---- the variational inequality -----------------------------------------------------------------

// a random point of K: a mean of two support points, shrunk
static void random_member(utRng* rng, const utLaw* law, double* k)
{
    double x[2], p[2], q[2];
    const int n = law->section->dimension;
    for (int i = 0; i < 2; i++) {
        x[i] = ut_rng_range(rng, -1.0, 1.0);
    }
    ut_section_support_point(law->section, x, p);
    for (int i = 0; i < 2; i++) {
        x[i] = ut_rng_range(rng, -1.0, 1.0);
    }
    ut_section_support_point(law->section, x, q);
    const double share = ut_rng_uniform(rng);
    const double shrink = ut_rng_below(rng, 2) == 0 ? 1.0 : ut_rng_uniform(rng);
    k[0] = ut_rng_uniform(rng) / (law->mu > 1.0 ? law->mu : 1.0);
    for (int i = 1; i < n; i++) {
        k[i] = law->mu * k[0] * shrink * (share * p[i - 1] + (1.0 - share) * q[i - 1]);
    }
}

// p = P_K(r) exactly when p is in K and (r - p).(k - p) <= 0 for all k in K; for a cone the latter
// is (r - p).p = 0 and (r - p).k <= 0.
TEST(projections_satisfy_their_variational_inequality)
{
    utRng rng = ut_rng(31, 0);
    int seen[UT_LAW_INVALID + 1] = {0};
    for (int k = 0; k < SECTION_CASES * MU_CASES; k++) {
        const utSection P = make_section(section_cases[k % SECTION_CASES]);
        const utLaw law = {.section = &P, .mu = mu_cases[k / SECTION_CASES]};
        const int n = P.dimension;
        for (int trial = 0; trial < 300; trial++) {
            double r[3], p[3], rest[3], member[3];
            random_point(&rng, law.mu, r);
            const utLawRegion region = ut_law_project(&law, r, p);
            seen[region]++;
            CHECK((region == UT_LAW_INSIDE) == (ut_law_excess(&law, r) == 0.0));
            const double size = size_of(n, r);
            CHECK(p[0] >= 0.0);
            CHECK(ut_law_excess(&law, p) <= 8e-16 * law.mu * p[0]);
            for (int i = 0; i < n; i++) {
                rest[i] = r[i] - p[i];
            }
            CHECK_NEAR(dot(n, rest, p) / size / size, 0.0, rounding);
            for (int j = 0; j < 20; j++) {
                random_member(&rng, &law, member);
                CHECK(dot(n, rest, member) <= rounding * size * size_of(n, member));
            }
        }
    }
    for (int region = UT_LAW_INSIDE; region < UT_LAW_INVALID; region++) {
        CHECK(seen[region] > 1000);
    }
    CHECK_INT(seen[UT_LAW_INVALID], 0);
}

// The nearest of a fine grid on the border of K, 400 directions and as many heights, is no nearer
// than p and farther by a grid step at most.
TEST(no_point_of_a_fine_grid_is_nearer)
{
    utRng rng = ut_rng(32, 0);
    for (int k = 0; k < SECTION_CASES; k++) {
        const utSection P = make_section(section_cases[k]);
        const utLaw law = {.section = &P, .mu = 0.8};
        const int n = P.dimension;
        for (int trial = 0; trial < 20; trial++) {
            double r[3], p[3];
            random_point(&rng, 1.0, r);
            if (ut_law_project(&law, r, p) == UT_LAW_INSIDE) {
                continue;
            }
            const double reached = distance(n, r, p);
            double least = HUGE_VAL;
            for (int direction = 0; direction < 400; direction++) {
                const double angle = 6.283185307179586 * direction / 400.0;
                const double x[] = {cos(angle), sin(angle)};
                const double width = law.mu / ut_section_gauge(&P, x);
                for (int step = 0; step <= 400; step++) {
                    const double t = 2.0 * step / 400.0;
                    const double at[] = {t, t * width * x[0], t * width * x[1]};
                    const double apart = distance(n, r, at);
                    least = apart < least ? apart : least;
                }
            }
            CHECK(least >= reached - rounding);
            CHECK(least <= reached + 0.02);
        }
    }
}

TEST(projecting_twice_changes_nothing_and_two_points_come_no_farther_apart)
{
    utRng rng = ut_rng(33, 0);
    for (int k = 0; k < SECTION_CASES * MU_CASES; k++) {
        const utSection P = make_section(section_cases[k % SECTION_CASES]);
        const utLaw law = {.section = &P, .mu = mu_cases[k / SECTION_CASES]};
        const int n = P.dimension;
        for (int trial = 0; trial < 300; trial++) {
            double a[3], b[3], p[3], q[3], again[3];
            random_point(&rng, law.mu, a);
            random_point(&rng, law.mu, b);
            ut_law_project(&law, a, p);
            ut_law_project(&law, b, q);
            ut_law_project(&law, p, again);
            CHECK(distance(n, p, again) <= 1e-15 * size_of(n, p));
            CHECK(distance(n, p, q) <=
                  distance(n, a, b) + rounding * (size_of(n, a) + size_of(n, b)));
        }
    }
}

// Moreau: u = P_K*(u) - P_K(-u), and the two parts are orthogonal.
TEST(a_velocity_splits_into_orthogonal_parts_of_the_dual_and_the_cone)
{
    utRng rng = ut_rng(34, 0);
    for (int k = 0; k < SECTION_CASES * MU_CASES; k++) {
        const utSection P = make_section(section_cases[k % SECTION_CASES]);
        const utLaw law = {.section = &P, .mu = mu_cases[k / SECTION_CASES]};
        const int n = P.dimension;
        for (int trial = 0; trial < 200; trial++) {
            double u[3], back[3], in_dual[3], in_cone[3], member[3], again[3];
            random_point(&rng, law.mu, u);
            for (int i = 0; i < n; i++) {
                back[i] = -u[i];
            }
            const utLawRegion region = ut_law_project_dual(&law, u, in_dual);
            CHECK_INT(region, ut_law_project(&law, back, in_cone));
            const double size = size_of(n, u);
            CHECK_NEAR(dot(n, in_dual, in_cone) / size / size, 0.0, rounding);
            CHECK_NEAR(ut_law_dual_distance(&law, u) / size, distance(n, u, in_dual) / size,
                       rounding);
            // in K*: by its formula, by its definition, and by projecting again
            CHECK(ut_law_dual_excess(&law, in_dual) <= rounding * (1.0 + law.mu) * size);
            random_member(&rng, &law, member);
            CHECK(dot(n, in_dual, member) >= -rounding * size * size_of(n, member));
            ut_law_project_dual(&law, in_dual, again);
            CHECK(distance(n, in_dual, again) <= rounding * size);
            CHECK((region == UT_LAW_OPEN) == (ut_law_dual_distance(&law, u) == 0.0) ||
                  ut_law_dual_distance(&law, u) < 1e-15 * size);
        }
    }
}

// Slip without impulse: û_n = mu h_P(-u_t) puts û on the border of K*, to the last bit.
TEST(a_shifted_slip_is_in_the_dual_without_rounding)
{
    utRng rng = ut_rng(41, 0);
    for (int k = 0; k < SECTION_CASES * MU_CASES; k++) {
        const utSection P = make_section(section_cases[k % SECTION_CASES]);
        const utLaw law = {.section = &P, .mu = mu_cases[k / SECTION_CASES]};
        for (int trial = 0; trial < 200; trial++) {
            double u[3], p[3];
            random_point(&rng, law.mu, u);
            u[0] = 0.0;
            ut_law_shifted(&law, u, u);
            CHECK(ut_law_dual_excess(&law, u) == 0.0);
            CHECK(ut_law_dual_distance(&law, u) == 0.0);
            CHECK_INT(ut_law_project_dual(&law, u, p), UT_LAW_OPEN);
            CHECK(distance(P.dimension, u, p) == 0.0);
        }
    }
}

TEST(a_second_implementation_by_bisection_in_long_double_agrees)
{
    utRng rng = ut_rng(35, 0);
    double worst = 0.0;
    for (int k = 0; k < SECTION_CASES * MU_CASES; k++) {
        const SectionCase from = section_cases[k % SECTION_CASES];
        const utSection P = make_section(from);
        const utLaw law = {.section = &P, .mu = mu_cases[k / SECTION_CASES]};
        const Reference reference = make_reference(from, law.mu);
        for (int trial = 0; trial < 40; trial++) {
            double r[3], p[3] = {0.0, 0.0, 0.0}, q[3];
            long double wide[3], other[3];
            random_point(&rng, law.mu, r);
            r[2] = P.dimension == 3 ? r[2] : 0.0;
            for (int i = 0; i < 3; i++) {
                wide[i] = (long double)r[i];
            }
            ut_law_project(&law, r, p);
            reference_project(&reference, wide, other);
            for (int i = 0; i < 3; i++) {
                q[i] = (double)other[i];
            }
            const double apart = distance(3, p, q) / size_of(3, r);
            worst = apart > worst ? apart : worst;
        }
    }
    test_note("largest difference %.1e of |r|", worst);
    CHECK(worst <= 1e-15);
}

// ---- relations between sections -----------------------------------------------------------------

// The circumscribed polygon is the inscribed one turned by half an edge and 1/cos(pi/K) as large.
TEST(a_circumscribed_polygon_is_a_turned_inscribed_one_with_more_friction)
{
    utRng rng = ut_rng(36, 0);
    for (int edges = 4; edges <= 32; edges *= 2) {
        const double half = 3.1415926535897931 / edges;
        const utSection out = circumscribed(edges);
        const utSection in = make_section((SectionCase){UT_SECTION_INSCRIBED, edges, half});
        const utLaw a = {.section = &out, .mu = 0.6}, b = {.section = &in, .mu = 0.6 / cos(half)};
        for (int trial = 0; trial < 300; trial++) {
            double r[3], p[3], q[3];
            random_point(&rng, 0.6, r);
            ut_law_project(&a, r, p);
            ut_law_project(&b, r, q);
            CHECK(distance(3, p, q) <= 2e-15);
        }
    }
}

// Between inscribed and circumscribed polygon lies the circle, so their projections differ from
// its by a multiple of 1 - cos(pi/K) at the cone's own size: four times less for twice the edges.
TEST(projections_on_polygons_approach_those_on_the_circle_quadratically)
{
    const utSection circle = ut_section_circle();
    const utLaw round = {.section = &circle, .mu = 0.7};
    double before[2] = {0.0, 0.0};
    for (int edges = 8; edges <= UT_SECTION_MAX_EDGES; edges *= 2) {
        for (int kind = 0; kind < 2; kind++) {
            const utSection P = kind == 0 ? inscribed(edges) : circumscribed(edges);
            const utLaw law = {.section = &P, .mu = 0.7};
            double most = 0.0;
            for (int step = 0; step < 6400; step++) {
                const double angle = 6.283185307179586 * step / 6400.0;
                const double r[] = {0.3, cos(angle), sin(angle)};
                double p[3], q[3];
                ut_law_project(&law, r, p);
                ut_law_project(&round, r, q);
                // normal parts: tangential ones may slide along a face in first order
                const double apart = fabs(p[0] - q[0]);
                most = apart > most ? apart : most;
            }
            CHECK(most <= 1.5 * (1.0 - cos(3.1415926535897931 / edges)));
            CHECK(before[kind] == 0.0 || fabs(before[kind] / most - 4.0) < 0.4);
            before[kind] = most;
        }
    }
}

TEST(scaling_by_powers_of_two_scales_the_projection_exactly)
{
    utRng rng = ut_rng(38, 0);
    const int powers[] = {-900, -401, -30, 30, 401, 900};
    for (int k = 0; k < SECTION_CASES * MU_CASES; k++) {
        const utSection P = make_section(section_cases[k % SECTION_CASES]);
        const utLaw law = {.section = &P, .mu = mu_cases[k / SECTION_CASES]};
        for (int trial = 0; trial < 60; trial++) {
            double r[3], p[3], scaled[3], q[3];
            random_point(&rng, law.mu, r);
            const utLawRegion region = ut_law_project(&law, r, p);
            const int power = powers[trial % 6];
            for (int i = 0; i < 3; i++) {
                scaled[i] = ldexp(r[i], power);
            }
            CHECK_INT(ut_law_project(&law, scaled, q), region);
            for (int i = 0; i < P.dimension; i++) {
                CHECK_NEAR(q[i], ldexp(p[i], power), 0.0);
            }
        }
    }
}

TEST(the_smallest_and_largest_numbers_are_projected_too)
{
    for (int k = 0; k < SECTION_CASES; k++) {
        const utSection P = make_section(section_cases[k]);
        const double mus[] = {1e-300, 1.0, 1e300, DBL_MAX};
        for (int i = 0; i < 4; i++) {
            const utLaw law = {.section = &P, .mu = mus[i]};
            const double sizes[] = {0x1p-1074, 1.0, 0.5 * DBL_MAX};
            for (int j = 0; j < 3; j++) {
                const double r[] = {0.0, sizes[j], 0.0};
                double p[3];
                CHECK(ut_law_project(&law, r, p) < UT_LAW_OPEN || mus[i] < 1.0);
                for (int l = 0; l < P.dimension; l++) {
                    CHECK(fabs(p[l]) <= sizes[j] * (1.0 + 4e-16));
                }
                // almost all, half or nothing of r_t is in K
                CHECK(P.edges > 0 || i == 1 || (p[1] >= 0.999 * sizes[j]) == (i > 1));
                CHECK(P.edges > 0 || i != 1 || j == 0 || fabs(p[1] / sizes[j] - 0.5) < 1e-15);
            }
        }
    }
}

// ---- the derivative -----------------------------------------------------------------------------

static const char* region_name(utLawRegion region)
{
    const char* const names[] = {"inside", "face", "edge", "open", "invalid"};
    return names[region];
}

// mu = 3/4, r = (1, 3, 4): g = (0.8, 0.36, 0.48), q = (0, -0.8, 0.6), a = |p_t|/|r_t| = 2.28/5
TEST(the_derivative_on_the_round_cone_by_hand)
{
    const utSection circle = ut_section_circle();
    const utLaw law = {.section = &circle, .mu = 0.75};
    const double g[] = {0.8, 0.36, 0.48}, q[] = {0.0, -0.8, 0.6};
    double p[3], D[9];
    CHECK_INT(ut_law_derivative(&law, (double[]){1, 3, 4}, p, D), UT_LAW_FACE);
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(D[i], g[i / 3] * g[i % 3] + 0.456 * q[i / 3] * q[i % 3], 4e-16);
    }
    CHECK_NEAR(p[1], 1.368, 1e-15);
}

// mu = 1, |x| + |y| <= 1: 1 - N N^T with N = (-1, 1, 1)/sqrt 3, and g g^T with g = (1, 0, 1)/sqrt 2
TEST(the_derivative_on_a_face_and_an_edge_projects_on_it)
{
    const utSection P = inscribed(4);
    const utLaw law = {.section = &P, .mu = 1.0};
    const double face[] = {2, 1, 1, 1, 2, -1, 1, -1, 2}, edge[] = {1, 0, 1, 0, 0, 0, 1, 0, 1};
    double p[3], D[9];
    CHECK_INT(ut_law_derivative(&law, (double[]){0, 1.4, 1.6}, p, D), UT_LAW_FACE);
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(D[i], face[i] / 3.0, 1e-15);
    }
    CHECK_INT(ut_law_derivative(&law, (double[]){0, 1, 3}, p, D), UT_LAW_EDGE);
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(D[i], edge[i] / 2.0, 1e-15);
    }
}

TEST(the_derivative_is_all_inside_and_nothing_where_open)
{
    for (int k = 0; k < SECTION_CASES; k++) {
        const utSection P = make_section(section_cases[k]);
        const utLaw law = {.section = &P, .mu = 0.5}, smooth = {.section = &P, .mu = 0.0};
        const int n = P.dimension;
        double p[3], D[9];
        CHECK_INT(ut_law_derivative(&law, (double[]){1, 0.1, 0.1}, p, D), UT_LAW_INSIDE);
        for (int i = 0; i < n * n; i++) {
            CHECK(D[i] == (i % (n + 1) == 0 ? 1.0 : 0.0));
        }
        CHECK_INT(ut_law_derivative(&law, (double[]){-1, 0.1, 0.1}, p, D), UT_LAW_OPEN);
        for (int i = 0; i < n * n; i++) {
            CHECK(D[i] == 0.0);
        }
        // mu = 0: the derivative of max(r_n, 0)
        for (int tangent = 0; tangent < 2; tangent++) {
            const double r[] = {1.0, 0.3 * tangent, 0.2 * tangent};
            CHECK_INT(ut_law_derivative(&smooth, r, p, D), tangent ? UT_LAW_FACE : UT_LAW_INSIDE);
            for (int i = 0; i < n * n; i++) {
                CHECK(D[i] == (i == 0 ? 1.0 : 0.0));
            }
        }
    }
}

TEST(the_derivative_agrees_with_central_differences_away_from_kinks)
{
    utRng rng = ut_rng(39, 0);
    int seen[UT_LAW_INVALID + 1] = {0};
    const double mus[] = {0.0, 0.05, 0.5, 1.5, 20.0};
    for (int k = 0; k < SECTION_CASES * 5; k++) {
        const utSection P = make_section(section_cases[k % SECTION_CASES]);
        const utLaw law = {.section = &P, .mu = mus[k / SECTION_CASES]};
        const int n = P.dimension;
        for (int trial = 0; trial < 200; trial++) {
            double r[3], p[3], D[9], D_near[9], ahead[3], behind[3];
            random_point(&rng, law.mu, r);
            const utLawRegion region = ut_law_derivative(&law, r, p, D);
            const double step = 1e-6 * size_of(n, r);
            for (int j = 0; j < n; j++) {
                double a[3] = {r[0], r[1], r[2]}, b[3] = {r[0], r[1], r[2]};
                a[j] += step;
                b[j] -= step;
                // at a kink the neighbours lie in another region, or on another face or edge
                const utLawRegion region_a = ut_law_derivative(&law, a, ahead, D_near);
                bool smooth = region_a == region && distance(n * n, D, D_near) < 1e-2;
                const utLawRegion region_b = ut_law_derivative(&law, b, behind, D_near);
                smooth = smooth && region_b == region && distance(n * n, D, D_near) < 1e-2;
                if (smooth && norm(n - 1, r + 1) > 1e-2 * size_of(n, r)) {
                    seen[region]++;
                    for (int i = 0; i < n; i++) {
                        const double slope = (ahead[i] - behind[i]) / (a[j] - b[j]);
                        CHECK_NEAR(D[i * n + j], slope, 1e-7);
                    }
                }
            }
        }
    }
    for (int region = UT_LAW_INSIDE; region < UT_LAW_INVALID; region++) {
        test_note("%s: %d columns", region_name(region), seen[region]);
        CHECK(seen[region] > 1000);
    }
}

// Symmetric, and x.D x >= |D x|^2, which is: eigenvalues in [0, 1]. And D r = P_K(r), by Euler.
TEST(the_derivative_is_symmetric_with_eigenvalues_from_0_to_1)
{
    utRng rng = ut_rng(40, 0);
    for (int k = 0; k < SECTION_CASES * MU_CASES; k++) {
        const utSection P = make_section(section_cases[k % SECTION_CASES]);
        const utLaw law = {.section = &P, .mu = mu_cases[k / SECTION_CASES]};
        const int n = P.dimension;
        for (int trial = 0; trial < 200; trial++) {
            double r[3], p[3], q[3], D[9], x[3], Dx[3], Dr[3];
            random_point(&rng, law.mu, r);
            random_point(&rng, 1.0, x);
            const utLawRegion region = ut_law_derivative(&law, r, p, D);
            CHECK_INT(ut_law_project(&law, r, q), region);
            for (int i = 0; i < n; i++) {
                CHECK(p[i] == q[i]);
                Dx[i] = dot(n, D + i * n, x);
                Dr[i] = dot(n, D + i * n, r);
                for (int j = 0; j < n; j++) {
                    CHECK(D[i * n + j] == D[j * n + i]);
                }
            }
            CHECK(dot(n, x, Dx) >= dot(n, Dx, Dx) - rounding);
            CHECK(distance(n, Dr, p) <= rounding * size_of(n, r));
        }
    }
}

// ---- invalid input ------------------------------------------------------------------------------

static void check_invalid(const utLaw* law, const double* r, int n)
{
    double p[3] = {0.0, 0.0, 0.0}, D[9] = {0.0};
    CHECK_INT(ut_law_project(law, r, p), UT_LAW_INVALID);
    for (int i = 0; i < n; i++) {
        CHECK(isnan(p[i]));
        p[i] = 0.0;
    }
    CHECK_INT(ut_law_project_dual(law, r, p), UT_LAW_INVALID);
    for (int i = 0; i < n; i++) {
        CHECK(isnan(p[i]));
        p[i] = 0.0;
    }
    CHECK_INT(ut_law_derivative(law, r, p, D), UT_LAW_INVALID);
    for (int i = 0; i < n; i++) {
        CHECK(isnan(p[i]));
    }
    for (int i = 0; i < n * n; i++) {
        CHECK(isnan(D[i]));
    }
    CHECK(ut_law_dual_distance(law, r) == (double)INFINITY);
}

TEST(a_point_or_a_law_that_is_not_finite_has_no_projection)
{
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -1.0};
    for (int k = 0; k < SECTION_CASES; k++) {
        const utSection P = make_section(section_cases[k]);
        for (int b = 0; b < 4; b++) {
            for (int i = 0; i < P.dimension && b < 3; i++) {
                double r[3] = {1.0, 0.0, 0.0};
                r[i] = bad[b];
                check_invalid(&(utLaw){.section = &P, .mu = 0.5}, r, P.dimension);
                check_invalid(&(utLaw){.section = &P, .mu = 0.0}, r, P.dimension);
            }
            check_invalid(&(utLaw){.section = &P, .mu = bad[b]}, (double[]){1, 0, 0}, P.dimension);
        }
    }
    const utSection unmade = {.kind = UT_SECTION_CIRCLE, .dimension = 3};
    check_invalid(&(utLaw){.section = &unmade, .mu = 0.5}, (double[]){1, 0, 0}, 1);
    check_invalid(&(utLaw){.section = NULL, .mu = 0.5}, (double[]){1, 0, 0}, 1);
}

TEST(results_may_replace_their_arguments)
{
    const utSection P = inscribed(8);
    const utLaw law = {.section = &P, .mu = 0.5};
    double p[3], q[3] = {0.2, 0.7, -0.4}, D[9];
    ut_law_project(&law, q, p);
    ut_law_project(&law, q, q);
    CHECK(distance(3, p, q) == 0.0);
    double u[3] = {0.2, 0.7, -0.4};
    ut_law_project_dual(&law, u, p);
    ut_law_project_dual(&law, u, u);
    CHECK(distance(3, p, u) == 0.0);
    double r[3] = {0.2, 0.7, -0.4};
    ut_law_derivative(&law, r, r, D);
    CHECK(distance(3, r, q) == 0.0);
}
