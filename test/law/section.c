// SPDX-License-Identifier: Apache-2.0
// Friction sections: their directions, support functions, gauges and stick limits.
#include "cases.h"

#include <uptack/vec.h>

static const double pi = 3.1415926535897931;

// ---- directions (mission D2) --------------------------------------------------------------------

TEST(directions_are_unit_vectors_in_exactly_opposite_pairs)
{
    for (int edges = 4; edges <= UT_SECTION_MAX_EDGES; edges += 2) {
        for (int k = 0; k < 4; k++) {
            const utSection P = make_section((SectionCase){
                k % 2 == 0 ? UT_SECTION_INSCRIBED : UT_SECTION_CIRCUMSCRIBED, edges, 0.7 * k});
            double sum[2] = {0.0, 0.0};
            for (int j = 0; j < edges; j++) {
                const int opposite = (j + edges / 2) % edges;
                CHECK_NEAR(norm(2, P.vertex[j]), 1.0, 4e-16);
                CHECK_NEAR(norm(2, P.normal[j]), 1.0, 4e-16);
                CHECK(P.vertex[j][0] == -P.vertex[opposite][0]);
                CHECK(P.vertex[j][1] == -P.vertex[opposite][1]);
                CHECK(P.normal[j][0] == -P.normal[opposite][0]);
                CHECK(P.normal[j][1] == -P.normal[opposite][1]);
                sum[0] += P.vertex[j][0] + P.vertex[opposite][0];
                sum[1] += P.normal[j][1] + P.normal[opposite][1];
            }
            CHECK(sum[0] == 0.0 && sum[1] == 0.0);
        }
    }
}

TEST(every_edge_runs_between_its_two_vertices)
{
    for (int k = 2; k < SECTION_CASES; k++) {
        const utSection P = make_section(section_cases[k]);
        for (int j = 0; j < P.edges; j++) {
            const double* after = P.vertex[(j + 1) % P.edges];
            CHECK_NEAR(P.circumradius * dot(2, P.normal[j], P.vertex[j]), P.inradius, 4e-15);
            CHECK_NEAR(P.circumradius * dot(2, P.normal[j], after), P.inradius, 4e-15);
            CHECK_NEAR(P.circumradius * distance(2, P.vertex[j], after), 2.0 * P.slant * P.inradius,
                       4e-15);
            CHECK(P.vertex[j][0] * after[1] - P.vertex[j][1] * after[0] > 0.0);
        }
    }
}

TEST(the_first_direction_stands_at_the_turn)
{
    const double turn = 0.3;
    const utSection in = make_section((SectionCase){UT_SECTION_INSCRIBED, 8, turn});
    const utSection out = make_section((SectionCase){UT_SECTION_CIRCUMSCRIBED, 8, turn});
    CHECK_NEAR(in.vertex[0][0], cos(turn), 2e-16);
    CHECK_NEAR(in.vertex[0][1], sin(turn), 2e-16);
    CHECK_NEAR(in.vertex[1][0], cos(turn + pi / 4.0), 4e-16);
    CHECK_NEAR(out.normal[0][0], cos(turn), 2e-16);
    CHECK_NEAR(out.normal[0][1], sin(turn), 2e-16);
    CHECK_NEAR(out.normal[3][1], sin(turn + 3.0 * pi / 4.0), 4e-16);
    // without a turn the four main directions are exact
    CHECK(inscribed(8).vertex[0][0] == 1.0 && inscribed(8).vertex[2][0] == 0.0);
    CHECK(inscribed(8).vertex[2][1] == 1.0 && circumscribed(4).normal[1][1] == 1.0);
}

// ---- support function and gauge -----------------------------------------------------------------

TEST(support_and_gauge_by_hand)
{
    // the square with corners (+-1, 0), (0, +-1), and the one with sides x = +-1, y = +-1
    const utSection in = inscribed(4), out = circumscribed(4);
    const utSection circle = ut_section_circle(), segment = ut_section_segment();
    const double x[] = {3.0, -4.0};
    CHECK_NEAR(ut_section_support(&circle, x), 5.0, 0.0);
    CHECK_NEAR(ut_section_gauge(&circle, x), 5.0, 0.0);
    CHECK_NEAR(ut_section_support(&in, x), 4.0, 0.0);
    CHECK_NEAR(ut_section_gauge(&in, x), 7.0, 4e-15);
    CHECK_NEAR(ut_section_support(&out, x), 7.0, 4e-15);
    CHECK_NEAR(ut_section_gauge(&out, x), 4.0, 0.0);
    // in the plane only the first entry counts
    CHECK_NEAR(ut_section_support(&segment, (double[]){-3.0}), 3.0, 0.0);
    CHECK_NEAR(ut_section_gauge(&segment, (double[]){-3.0}), 3.0, 0.0);
    for (int k = 0; k < SECTION_CASES; k++) {
        const utSection P = make_section(section_cases[k]);
        CHECK(ut_section_support(&P, (double[]){0.0, 0.0}) == 0.0);
        CHECK(ut_section_gauge(&P, (double[]){0.0, 0.0}) == 0.0);
    }
}

// P is the hull of its support points: h is reached by the support point, never exceeded by
// another, and x / gauge(x) lies on the border: no direction y has y.x > gauge(x) h(y), and for one
// of a fine fan it is nearly met.
TEST(support_and_gauge_are_polar_to_each_other)
{
    utRng rng = ut_rng(30, 0);
    for (int k = 0; k < SECTION_CASES; k++) {
        const utSection P = make_section(section_cases[k]);
        const int n = P.dimension - 1;
        for (int trial = 0; trial < 50; trial++) {
            double x[2], p[2], y[2], q[2];
            for (int i = 0; i < 2; i++) {
                x[i] = ut_rng_range(&rng, -1.0, 1.0);
            }
            ut_section_support_point(&P, x, p);
            const double h = ut_section_support(&P, x), gauge = ut_section_gauge(&P, x);
            CHECK_NEAR(dot(n, p, x), h, 1e-15);
            CHECK_NEAR(ut_section_gauge(&P, p), 1.0, 4e-16);
            double closest = 0.0;
            for (int step = 0; step < 2000; step++) {
                ut_sincos(2.0 * pi * step / 2000.0, &y[1], &y[0]);
                ut_section_support_point(&P, y, q);
                CHECK(dot(n, q, x) <= h + 1e-15);
                const double share = dot(n, x, y) / (gauge * ut_section_support(&P, y));
                closest = share > closest ? share : closest;
            }
            CHECK(closest <= 1.0 + 4e-16 && closest > 0.998);
        }
    }
}

TEST(the_support_point_of_nothing_is_nothing_and_of_tiny_vectors_exact)
{
    const utSection circle = ut_section_circle();
    double p[2] = {7.0, 7.0};
    ut_section_support_point(&circle, (double[]){0.0, 0.0}, p);
    CHECK(p[0] == 0.0 && p[1] == 0.0);
    const double scales[] = {1.0, 0x1p-1072, 0x1p1020};
    for (int i = 0; i < 3; i++) {
        ut_section_support_point(&circle, (double[]){3.0 * scales[i], -4.0 * scales[i]}, p);
        CHECK_NEAR(p[0], 0.6, 2e-16);
        CHECK_NEAR(p[1], -0.8, 2e-16);
        CHECK(ut_section_support(&circle, (double[]){3.0 * scales[i], -4.0 * scales[i]}) ==
              5.0 * scales[i]);
    }
}

// ---- stick limits (mission D16, P17) ------------------------------------------------------------

// the largest load in direction `angle` that r_n = 1, mu = 1 holds
static double stick_limit(const utSection* P, double angle)
{
    const double load[] = {cos(angle), sin(angle)};
    return 1.0 / ut_section_gauge(P, load);
}

TEST(stick_limits_of_the_inscribed_polygon_are_1_and_cos_pi_over_d)
{
    const int d[] = {4, 8, 16};
    const double between[] = {0.7071, 0.9239, 0.9808};
    for (int i = 0; i < 3; i++) {
        const utSection P = inscribed(d[i]);
        for (int j = 0; j < d[i]; j++) {
            CHECK_NEAR(stick_limit(&P, 2.0 * pi * j / d[i]), 1.0, 4e-15);
            CHECK_NEAR(stick_limit(&P, 2.0 * pi * (j + 0.5) / d[i]), cos(pi / d[i]), 4e-15);
        }
        CHECK_NEAR(stick_limit(&P, pi / d[i]), between[i], 5e-5);
    }
}

TEST(stick_limits_of_the_circumscribed_polygon_are_1_and_1_over_cos_pi_over_2k)
{
    const int k[] = {2, 4, 8};
    const double between[] = {1.41421, 1.08239, 1.01959};
    for (int i = 0; i < 3; i++) {
        const utSection P = circumscribed(2 * k[i]);
        for (int j = 0; j < 2 * k[i]; j++) {
            CHECK_NEAR(stick_limit(&P, pi * j / k[i]), 1.0, 4e-15);
            CHECK_NEAR(stick_limit(&P, pi * (j + 0.5) / k[i]), 1.0 / cos(0.5 * pi / k[i]), 4e-15);
        }
        CHECK_NEAR(stick_limit(&P, 0.5 * pi / k[i]), between[i], 5e-6);
    }
}

TEST(polygons_close_in_on_the_circle_as_cos_pi_over_k)
{
    for (int edges = 4; edges <= UT_SECTION_MAX_EDGES; edges *= 2) {
        const utSection in = inscribed(edges), out = circumscribed(edges);
        const double shrink = cos(pi / edges);
        double least_in = 2.0, most_out = 0.0;
        for (int step = 0; step < 640; step++) {
            const double x[] = {cos(pi * step / 320.0), sin(pi * step / 320.0)};
            const double h_in = ut_section_support(&in, x), h_out = ut_section_support(&out, x);
            CHECK(h_in >= shrink - 4e-16 && h_in <= 1.0 + 4e-16);
            CHECK(h_out <= 1.0 / shrink + 4e-16 && h_out >= 1.0 - 4e-16);
            least_in = h_in < least_in ? h_in : least_in;
            most_out = h_out > most_out ? h_out : most_out;
        }
        CHECK_NEAR(least_in, shrink, 4e-16);
        CHECK_NEAR(most_out, 1.0 / shrink, 4e-16);
    }
}

// ---- bad input ----------------------------------------------------------------------------------

TEST(an_invalid_polygon_is_rejected_by_name_and_changes_nothing)
{
    utError err;
    utSection P = ut_section_segment();
    const int bad[] = {-8, 0, 2, 3, 5, 7, 65, 66, 1 << 30};
    for (int i = 0; i < 9; i++) {
        CHECK(ut_section_polygon(UT_SECTION_INSCRIBED, bad[i], 0.0, &P, &err) == UT_ERR_ARGUMENT);
    }
    CHECK_TEXT(err.message,
               "friction section: 1073741824 edges; an even number from 4 to 64 is needed");
    CHECK(ut_section_polygon(UT_SECTION_CIRCLE, 8, 0.0, &P, &err) == UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, "friction section: a polygon is either inscribed or circumscribed");
    CHECK(ut_section_polygon(UT_SECTION_INSCRIBED, 8, (double)NAN, &P, &err) == UT_ERR_ARGUMENT);
    CHECK(ut_section_polygon(UT_SECTION_INSCRIBED, 8, (double)INFINITY, &P, NULL) ==
          UT_ERR_ARGUMENT);
    CHECK(P.kind == UT_SECTION_SEGMENT && P.dimension == 2);
}

TEST(support_and_gauge_of_what_is_not_finite_are_infinite)
{
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int k = 0; k < SECTION_CASES; k++) {
        const utSection P = make_section(section_cases[k]);
        for (int b = 0; b < 3; b++) {
            for (int i = 0; i < P.dimension - 1; i++) {
                double x[2] = {0.0, 0.0}, p[2] = {0.0, 0.0};
                x[i] = bad[b];
                CHECK(ut_section_support(&P, x) == (double)INFINITY);
                CHECK(ut_section_gauge(&P, x) == (double)INFINITY);
                ut_section_support_point(&P, x, p);
                CHECK(isnan(p[0]) && (P.dimension == 2 || isnan(p[1])));
            }
        }
    }
    const utSection unmade = {.kind = UT_SECTION_CIRCLE, .dimension = 3};
    double p[2] = {0.0, 0.0};
    CHECK(ut_section_support(&unmade, (double[]){1.0, 0.0}) == (double)INFINITY);
    CHECK(ut_section_gauge(&unmade, (double[]){1.0, 0.0}) == (double)INFINITY);
    ut_section_support_point(&unmade, (double[]){1.0, 0.0}, p);
    CHECK(isnan(p[0]));
}
