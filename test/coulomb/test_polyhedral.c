// SPDX-License-Identifier: Apache-2.0
// The force model (Stewart and Trinkle, Anitescu and Potra): its matrices entry by entry, closed
// forms of one contact, all levels and orders beside one another, and the solver by LCPs.
#include <uptack/coulomb_problems.h>

#include "coulomb/polygons/polyhedral.h"
#include "polyhedral_cases.h"
#include "scratch.h"

static const double G = 9.81;

static utPolyhedralDef force(utPolyhedralLevel level)
{
    return form_of(UT_POLYHEDRAL_FORCE, level);
}

// ---- matrices -----------------------------------------------------------------------------------

enum { P = 4, D = 8, DOF = 9 };

// N (dof x p) and B (dof x p d), column by column from the rows of J.
static void write_columns(const utCoulomb* problem, double N[DOF][P], double B[DOF][P * D])
{
    for (int k = 0; k < DOF; k++) {
        for (int i = 0; i < P; i++) {
            const double* row = problem->J + 3 * i * DOF + k;
            N[k][i] = row[0];
            for (int j = 0; j < D; j++) {
                const double angle = 0.3 + 2.0 * PI * j / D;
                B[k][D * i + j] = cos(angle) * row[DOF] + sin(angle) * row[2 * DOF];
            }
        }
    }
}

// Four contacts between three systems, d = 8, as in the figure: N is 9 x 4, B is 9 x 32. Directions
// are good to an ulp or two and entries of J at most 1.
TEST(the_full_matrix_has_the_printed_blocks)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, D, 0.3);
    static Random random;
    make_random(&random, 1, P, 0, DOF, &section, 0.8);
    static double N[DOF][P], B[DOF][P * D];
    write_columns(&random.problem, N, B);
    const utPolyhedralDef def = force(UT_POLYHEDRAL_FULL);
    utArena arena = test_arena();
    utPolyhedral form;
    CHECK_INT(ut_polyhedral_create(&random.problem, &def, &arena, &form, NULL), UT_OK);

    const int n = DOF + P + P * D + P;
    const int at_n = DOF, at_b = DOF + P, at_l = DOF + P + P * D;
    CHECK_INT(form.lcp.n, n);
    CHECK_INT(form.lcp.free_count, DOF);
    CHECK_INT(form.velocity, 0);
    CHECK_INT(form.normal, at_n);
    CHECK_INT(form.beta, at_b);
    CHECK_INT(form.lambda, at_l);
    CHECK(form.tangent == -1 && form.kappa_plus == -1 && form.kappa_minus == -1);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double want = 0.0;
            if (i < DOF && j < DOF) {
                want = random.M[i * DOF + j];
            } else if (i < DOF && j < at_l) {
                want = j < at_b ? -N[i][j - at_n] : -B[i][j - at_b];
            } else if (j < DOF && i < at_l) {
                want = i < at_b ? N[j][i - at_n] : B[j][i - at_b];
            } else if (i >= at_b && i < at_l && j >= at_l) {
                want = (i - at_b) / D == j - at_l ? 1.0 : 0.0; // E
            } else if (i >= at_l && j >= at_b && j < at_l) {
                want = (j - at_b) / D == i - at_l ? -1.0 : 0.0; // -E'
            } else if (i >= at_l && j >= at_n && j < at_b) {
                want = i - at_l == j - at_n ? random.mu[i - at_l] : 0.0; // mu
            }
            CHECK_NEAR(form.lcp.M[i * n + j], want, 1e-15);
        }
        CHECK_NEAR(form.lcp.q[i], i < DOF ? -random.f[i] : 0.0, 0.0);
    }
}

// A = [N'M^-1 N, N'M^-1 B, 0; B'M^-1 N, B'M^-1 B, E; mu, -E', 0] by the test's own elimination. The
// masses have condition numbers below 100, so 1e-12 allows for rounding only.
TEST(the_reduced_matrix_is_the_printed_one_in_both_orders)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, D, 0.3);
    static Random random;
    make_random(&random, 2, P, 0, DOF, &section, 0.8);
    static double N[DOF][P], B[DOF][P * D];
    write_columns(&random.problem, N, B);
    enum { X = P + P * D, SIZE = X + P };
    static double C[X][DOF], S[X][DOF], tau[DOF];
    for (int i = 0; i < X; i++) {
        for (int k = 0; k < DOF; k++) {
            C[i][k] = i < P ? N[k][i] : B[k][i - P];
        }
        solve_dense(DOF, random.M, C[i], S[i]);
    }
    solve_dense(DOF, random.M, random.f, tau);

    for (int order = 0; order < 2; order++) {
        utPolyhedralDef def = force(UT_POLYHEDRAL_REDUCED);
        def.directions_first = order == 1;
        utArena arena = test_arena();
        utPolyhedral form;
        CHECK_INT(ut_polyhedral_create(&random.problem, &def, &arena, &form, NULL), UT_OK);
        CHECK_INT(form.lcp.n, SIZE);
        CHECK_INT(form.lcp.free_count, 0);
        CHECK_INT(form.normal, order == 0 ? 0 : P * D);
        CHECK_INT(form.beta, order == 0 ? P : 0);
        // where the unknown i of (f_n, f_d, lambda) stands in this order
        int at[SIZE];
        for (int i = 0; i < SIZE; i++) {
            at[i] = order == 0 || i >= X ? i : i < P ? P * D + i : i - P;
        }
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                double want = 0.0;
                for (int k = 0; i < X && j < X && k < DOF; k++) {
                    want += C[i][k] * S[j][k];
                }
                if (i >= P && i < X && j >= X) {
                    want = (i - P) / D == j - X ? 1.0 : 0.0;
                } else if (i >= X && j >= P && j < X) {
                    want = (j - P) / D == i - X ? -1.0 : 0.0;
                } else if (i >= X && j < P) {
                    want = i - X == j ? random.mu[j] : 0.0;
                }
                CHECK_NEAR(form.lcp.M[at[i] * SIZE + at[j]], want, 1e-12);
            }
            double want = 0.0;
            for (int k = 0; i < X && k < DOF; k++) {
                want += C[i][k] * tau[k];
            }
            CHECK_NEAR(form.lcp.q[at[i]], want, 1e-12);
        }
    }
}

// ---- one contact --------------------------------------------------------------------------------

// A particle of 1 kg that slides at 1 m/s, mu = 0.5, step 0.01 s.
static Solved slide(double angle, utLcpSolver solver, utArena* arena)
{
    static Particle p;
    make_particle(&p, polygon(UT_SECTION_INSCRIBED, 8, 0.0), 1.0, 0.5,
                  (double[]){cos(angle), sin(angle), -0.01 * G});
    const utPolyhedralDef def = force(UT_POLYHEDRAL_REDUCED);
    return solve_form(&p.problem, &def, solver, arena);
}

// 10 degrees: direction 4, at 180 degrees, is nearest to the opposite: friction mu m g along it,
// and lambda the speed left along the first axis.
TEST(slip_near_one_direction_gives_that_direction_alone)
{
    utArena arena = test_arena();
    const double angle = PI / 18.0;
    const Solved s = slide(angle, UT_LCP_LEMKE, &arena);
    CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
    CHECK_NEAR(s.r[0], 0.01 * G, 1e-15);
    CHECK_NEAR(s.r[1] / 0.01, -4.905, 1e-12);
    CHECK_NEAR(s.r[2] / 0.01, 0.0, 1e-12);
    for (int j = 0; j < 8; j++) {
        CHECK((s.z[s.form.beta + j] > 1e-12) == (j == 4));
    }
    CHECK_NEAR(s.z[s.form.lambda], cos(angle) - 0.04905, 1e-14);
    CHECK_NEAR(s.z[s.form.lambda], 0.935758, 5e-7);
}

// 22.5 degrees: the two nearest directions share, half each, or the slip would turn away from the
// one that has less. |f| = mu m g cos(pi/8), lambda = (1 - h |f|) cos(pi/8).
TEST(slip_between_two_directions_is_shared)
{
    for (int solver = UT_LCP_LEMKE; solver <= UT_LCP_NEWTON; solver++) {
        if (solver == UT_LCP_PGS || solver == UT_LCP_PIVOT) {
            continue; // zeros on the diagonal
        }
        utArena arena = test_arena();
        const Solved s = slide(PI / 8.0, (utLcpSolver)solver, &arena);
        CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
        const double f = hypot(s.r[1], s.r[2]) / 0.01;
        CHECK_NEAR(f, 4.905 * cos(PI / 8.0), 1e-10);
        CHECK_NEAR(f, 4.531629, 5e-7);
        CHECK_NEAR(s.z[s.form.beta + 4], s.z[s.form.beta + 5], 1e-12);
        CHECK(s.z[s.form.beta + 4] > 0.02);
        CHECK_NEAR(s.z[s.form.lambda], (1.0 - 0.01 * f) * cos(PI / 8.0), 1e-12);
        CHECK_NEAR(s.z[s.form.lambda], 0.882013, 5e-7);
    }
}

TEST(without_slip_lambda_is_zero_and_a_lifted_contact_carries_nothing)
{
    Particle p;
    const utPolyhedralDef def = force(UT_POLYHEDRAL_MIXED);
    make_particle(&p, polygon(UT_SECTION_INSCRIBED, 8, 0.0), 2.0, 0.5, (double[]){1.0, 2.0, -9.0});
    utArena arena = test_arena();
    const Solved rest = solve_form(&p.problem, &def, UT_LCP_AUTO, &arena);
    CHECK_NEAR(rest.z[rest.form.lambda], 0.0, 1e-15);
    CHECK_NEAR(rest.r[0], 9.0, 1e-14);
    CHECK_NEAR(rest.r[1], -1.0, 1e-14);
    CHECK_NEAR(rest.r[2], -2.0, 1e-14);

    make_particle(&p, polygon(UT_SECTION_INSCRIBED, 8, 0.0), 2.0, 0.5, (double[]){1.0, 2.0, 3.0});
    arena = test_arena();
    const Solved lifted = solve_form(&p.problem, &def, UT_LCP_AUTO, &arena);
    CHECK_INT(lifted.info.outcome, UT_LCP_SOLVED);
    CHECK_NEAR(size_of(3, lifted.r), 0.0, 0.0);
    // undetermined from below by the most negative projection: u_t = (0.5, 1), d at 270 degrees -
    // or 225 degrees
    CHECK(lifted.z[lifted.form.lambda] >= 1.5 / sqrt(2.0) - 1e-14);
}

// Along a direction mu m g holds, in the middle between two mu m g cos(pi/d). A push that is a
// billionth below sticks, one that is a billionth above slips.
TEST(stick_limits_of_inscribed_polygons)
{
    const int edges[] = {4, 8, 16};
    const double printed[] = {0.7071, 0.9239, 0.9808};
    for (int e = 0; e < 3; e++) {
        CHECK_NEAR(cos(PI / edges[e]), printed[e], 5e-5);
        for (int middle = 0; middle < 2; middle++) {
            const double angle = middle * PI / edges[e];
            const double limit = 0.5 * 3.0 * G * (middle ? cos(PI / edges[e]) : 1.0);
            for (int side = -1; side <= 1; side += 2) {
                Particle p;
                const double push = limit * (1.0 + side * 1e-9);
                make_particle(&p, polygon(UT_SECTION_INSCRIBED, edges[e], 0.0), 3.0, 0.5,
                              (double[]){push * cos(angle), push * sin(angle), -3.0 * G});
                const utPolyhedralDef def = force(UT_POLYHEDRAL_MIXED);
                utArena arena = test_arena();
                const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
                const double slip = hypot(s.u[1], s.u[2]);
                // beyond the limit the rest accelerates 3 kg
                CHECK(side < 0 ? slip <= 1e-14 : slip >= 0.9e-9 * limit / 3.0);
            }
        }
    }
}

// In the plane the section is [-1, 1] and the directions are +1 and -1: a block of 4 kg, mu = 0.5,
// pushed down by 8 N s and along by 6 or by 3: 6 - 4 = 2 N s are left, or nothing.
TEST(in_the_plane_there_are_two_directions)
{
    const utSection segment = ut_section_segment();
    for (int push = -6; push <= 6; push += 3) {
        const utCoulomb problem = {
            .dimension = 2,
            .contacts = 1,
            .mu = (double[]){0.5},
            .section = &segment,
            .W = (double[]){0.25, 0, 0, 0.25},
            .q = (double[]){-2.0, 0.25 * push},
        };
        for (int model = 0; model < 2; model++) {
            utArena arena = test_arena();
            const utPolyhedralDef def = form_of((utPolyhedralModel)model, UT_POLYHEDRAL_REDUCED);
            const Solved s = solve_form(&problem, &def, UT_LCP_AUTO, &arena);
            CHECK_INT(s.form.lcp.n, model == 0 ? 4 : 3);
            CHECK_NEAR(s.r[0], 8.0, 1e-14);
            CHECK_NEAR(s.u[1], push == 6 || push == -6 ? 0.25 * (push > 0 ? 2 : -2) : 0.0, 1e-14);
        }
    }
}

// A_ii <- (1 + eps) A_ii at rest: f_n = m g/(1 + eps), v_n = -g h eps/(1 + eps). Zeros stay zeros.
TEST(regularization_scales_the_diagonal_and_is_inexact)
{
    Particle p;
    make_particle(&p, polygon(UT_SECTION_INSCRIBED, 4, 0.0), 1.0, 0.5, (double[]){0, 0, -0.01 * G});
    utPolyhedralDef def = force(UT_POLYHEDRAL_REDUCED);
    def.regularization = 1e-3;
    utArena arena = test_arena();
    const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
    CHECK_NEAR(s.form.lcp.M[0], 1.001, 1e-15);
    CHECK_NEAR(s.form.lcp.M[1 * 6 + 1], 1.001, 1e-15);
    CHECK_NEAR(s.form.lcp.M[5 * 6 + 5], 0.0, 0.0);
    CHECK_NEAR(s.r[0] / 0.01, G / 1.001, 1e-12);
    CHECK_NEAR(1.0 - s.r[0] / (0.01 * G), 0.000999, 1e-7);
    CHECK_NEAR(s.u[0], -9.8002e-5, 5e-10);
}

// Free rows are equations: they are not regularized.
TEST(regularization_leaves_joints_alone)
{
    const utSection segment = ut_section_segment();
    const utCoulomb problem = {
        .dimension = 2,
        .contacts = 1,
        .bilaterals = 1,
        .mu = (double[]){0.5},
        .section = &segment,
        .W = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 4},
        .q = (double[]){-1, 0, 1},
    };
    utPolyhedralDef def = force(UT_POLYHEDRAL_MIXED);
    def.regularization = 0.5;
    utArena arena = test_arena();
    utPolyhedral form;
    CHECK_INT(ut_polyhedral_create(&problem, &def, &arena, &form, NULL), UT_OK);
    const int n = form.lcp.n;
    CHECK_NEAR(form.lcp.M[form.bilateral * n + form.bilateral], 4.0, 0.0);
    CHECK_NEAR(form.lcp.M[form.normal * n + form.normal], 1.5, 0.0);
}

// Without shift r = P_K(-q) for W = 1: q = (-1, 3, 0) and the generator (1, -0.5) below it give
// ((1 + 1.5)/1.25) (1, -0.5) = (2, -1). u = (1, 2), and u_n = mu |u_t| as the convex law has it.
TEST(the_convex_form_is_a_projection)
{
    Particle p;
    make_particle(&p, polygon(UT_SECTION_INSCRIBED, 4, 0.0), 1.0, 0.5, (double[]){3, 0, -1});
    utPolyhedralDef def = force(UT_POLYHEDRAL_REDUCED);
    def.convex = true;
    utArena arena = test_arena();
    const Solved s = solve_form(&p.problem, &def, UT_LCP_AUTO, &arena);
    CHECK_NEAR(s.r[0], 2.0, 1e-14);
    CHECK_NEAR(s.r[1], -1.0, 1e-14);
    CHECK_NEAR(s.r[2], 0.0, 1e-14);
    CHECK(s.verdict.E <= 1e-14);
}

// ---- several contacts ---------------------------------------------------------------------------

// Nine conditions on every random problem, term by term; lambda is the largest -d_j.u_t wherever
// there is friction. Residuals of the LCP are 1e-10 of q, which is about 10.
TEST(the_nine_conditions_hold)
{
    static Random p;
    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.1);
    int slipping = 0, sticking = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        make_random(&p, seed, 1 + (int)(seed % 4), 0, 12, &section, 0.8);
        const utPolyhedralDef def = force(UT_POLYHEDRAL_MIXED);
        utArena arena = test_arena();
        const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
        CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
        CHECK(s.verdict.E <= 1e-9);
        for (int i = 0; i < p.problem.contacts; i++) {
            const double f_n = s.z[s.form.normal + i];
            const double lambda = s.z[s.form.lambda + i];
            const double* u = s.u + 3 * i;
            double sum = 0.0, least = 0.0, work = 0.0;
            for (int j = 0; j < 8; j++) {
                const double* d = s.form.direction + 2 * (8 * i + j);
                const double f_d = s.z[s.form.beta + 8 * i + j];
                const double along = d[0] * u[1] + d[1] * u[2];
                CHECK(f_d >= 0.0 && along + lambda >= -1e-9);
                sum += f_d;
                work += f_d * (along + lambda);
                least = fmin(least, along);
            }
            CHECK(f_n >= 0.0 && u[0] >= -1e-9 && lambda >= 0.0 && p.mu[i] * f_n - sum >= -1e-9);
            CHECK_NEAR(f_n * u[0], 0.0, 1e-8);
            CHECK_NEAR(work, 0.0, 1e-8);
            CHECK_NEAR(lambda * (p.mu[i] * f_n - sum), 0.0, 1e-8);
            if (f_n > 1e-6) {
                CHECK_NEAR(lambda, -least, 1e-9);
                slipping += lambda > 1e-6;
                sticking += lambda <= 1e-6;
            }
        }
    }
    CHECK(slipping > 50 && sticking > 10);
}

// Full, mixed and reduced form, both orders, and three solvers: the same velocities. With these
// friction coefficients and independent rows no two answers were met.
TEST(levels_orders_and_solvers_agree)
{
    static Random p;
    const utSection section = polygon(UT_SECTION_INSCRIBED, 6, 0.2);
    for (uint64_t seed = 100; seed < 160; seed++) {
        make_random(&p, seed, 1 + (int)(seed % 3), seed % 2 == 0 ? 0 : 3, 14, &section, 0.3);
        double want[MAX_DOF] = {0};
        for (int c = 0; c < 8; c++) {
            utPolyhedralDef def = force((utPolyhedralLevel)(c % 3));
            def.directions_first = c >= 3 && c < 6;
            utArena arena = test_arena();
            const utLcpSolver solver = c < 6 ? UT_LCP_LEMKE : c == 6 ? UT_LCP_NEWTON : UT_LCP_AUTO;
            const Solved s = solve_form(&p.problem, &def, solver, &arena);
            CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
            CHECK(s.verdict.E <= 1e-9 && s.verdict.bilateral <= 1e-9);
            double v[MAX_DOF];
            velocities(&p.problem, s.r, v);
            if (c == 0) {
                memcpy(want, v, sizeof want);
            }
            CHECK_NEAR(distance(14, v, want), 0.0, 1e-9 * size_of(14, want));
            if (s.form.velocity >= 0) {
                CHECK_NEAR(distance(14, s.z, v), 0.0, 1e-9 * size_of(14, want));
            }
        }
    }
}

// Square, octagon and circumscribed hexagon at once: each particle has its own limit, here at 0
// degrees 1 for the square, cos(pi/8) for the octagon turned by half a step and, towards an edge,
// 1 for the hexagon.
TEST(contacts_may_differ_in_their_directions)
{
    const utSection section[] = {
        polygon(UT_SECTION_INSCRIBED, 4, 0.0),
        polygon(UT_SECTION_INSCRIBED, 8, PI / 8.0),
        polygon(UT_SECTION_CIRCUMSCRIBED, 6, 0.0),
    };
    const int section_of[] = {1, 2, 0};
    const double limit[] = {cos(PI / 8.0), 1.0, 1.0};
    const double push[] = {2.0, 1.5, 3.0};
    double W[81] = {0}, q[9] = {0};
    for (int k = 0; k < 9; k++) {
        W[10 * k] = 1.0;
        q[k] = k % 3 == 0 ? -1.0 : k % 3 == 1 ? push[k / 3] : 0.0;
    }
    const utCoulomb problem = {
        .dimension = 3,
        .contacts = 3,
        .mu = (double[]){0.5, 0.5, 0.5},
        .section = section,
        .section_of = section_of,
        .W = W,
        .q = q,
    };
    for (int model = 0; model < 2; model++) {
        const utPolyhedralDef def = form_of((utPolyhedralModel)model, UT_POLYHEDRAL_REDUCED);
        utArena arena = test_arena();
        const Solved s = solve_form(&problem, &def, UT_LCP_AUTO, &arena);
        const int shift = model == 0 ? 1 : 2; // lines are half of the edges
        CHECK_INT(s.form.first[1], 8 / shift);
        CHECK_INT(s.form.first[2], 14 / shift);
        CHECK_INT(s.form.first[3], 18 / shift);
        CHECK_INT(s.form.lcp.n, model == 0 ? 3 + 18 + 3 : 3 + 18);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(s.u[3 * i + 1], push[i] - 0.5 * limit[i], 1e-14);
            CHECK_NEAR(s.u[3 * i + 2], 0.0, 1e-14);
        }
    }
}

// Three rows that are two: the reduced form would need their inverse. The mixed one does without.
TEST(redundant_joints_have_no_reduced_form_and_are_solved_all_the_same)
{
    static Random p;
    const utSection section = polygon(UT_SECTION_INSCRIBED, 4, 0.0);
    for (uint64_t seed = 0; seed < 20; seed++) {
        make_random(&p, seed, 2, 3, 12, &section, 0.3);
        for (int k = 0; k < 12; k++) {
            p.J[8 * 12 + k] = p.J[6 * 12 + k] - 2.0 * p.J[7 * 12 + k];
        }
        utPolyhedralDef def = force(UT_POLYHEDRAL_REDUCED);
        utArena arena = test_arena();
        utPolyhedral form = {.contacts = 77};
        utError err = {0};
        CHECK_INT(ut_polyhedral_create(&p.problem, &def, &arena, &form, &err), UT_ERR_ARGUMENT);
        CHECK(form.contacts == 77 && strstr(err.message, "joints") != NULL);
        def.level = UT_POLYHEDRAL_MIXED;
        arena = test_arena();
        const Solved s = solve_form(&p.problem, &def, UT_LCP_AUTO, &arena);
        CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
        CHECK(s.verdict.E <= 1e-9 && s.verdict.bilateral <= 1e-9);

        // a difference of a millionth leaves a pivot of 1e-12, too small for an inverse
        def.level = UT_POLYHEDRAL_REDUCED;
        p.J[8 * 12 + (int)(seed % 12)] += 1e-6;
        arena = test_arena();
        CHECK_INT(ut_polyhedral_create(&p.problem, &def, &arena, &form, &err), UT_ERR_ARGUMENT);
    }
}

// With b_n >= 0 (velocity level) Anitescu and Potra prove that Lemke's method ends in a solution.
TEST(at_velocity_level_lemke_never_ends_on_a_ray)
{
    static Random p;
    for (uint64_t seed = 0; seed < 500; seed++) {
        const utSection section = polygon(UT_SECTION_INSCRIBED, 4 + 2 * (int)(seed % 3), 0.1);
        // few velocities: up to 18 rows on 3 to 8 of them, most of them redundant
        make_random(&p, 1000 + seed, 1 + (int)(seed % 6), 0, 3 + (int)(seed % 6), &section, 1.5);
        for (int i = 0; i < p.problem.contacts; i++) {
            p.b[3 * i] = i % 2 == 0 ? 0.0 : 0.1 * i;
        }
        for (int order = 0; order < 2; order++) {
            utPolyhedralDef def = force(UT_POLYHEDRAL_REDUCED);
            def.directions_first = order == 1;
            utArena arena = test_arena();
            const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
            CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
        }
    }
}

// The same problem as W and q.
static utCoulomb as_local(const utCoulomb* p, double* W, double* q)
{
    const int N = ut_coulomb_rows(p);
    double column[MAX_DOF], free_velocity[MAX_DOF];
    solve_dense(p->dof, p->M, p->f, free_velocity);
    for (int j = 0; j < N; j++) {
        solve_dense(p->dof, p->M, p->J + j * p->dof, column);
        q[j] = p->b[j];
        for (int k = 0; k < p->dof; k++) {
            q[j] += p->J[j * p->dof + k] * free_velocity[k];
        }
        for (int i = 0; i < N; i++) {
            W[i * N + j] = 0.0;
            for (int k = 0; k < p->dof; k++) {
                W[i * N + j] += p->J[i * p->dof + k] * column[k];
            }
        }
    }
    utCoulomb local = *p;
    local.M = NULL;
    local.J = NULL;
    local.f = NULL;
    local.b = NULL;
    local.dof = 0;
    local.W = W;
    local.q = q;
    return local;
}

TEST(the_local_form_gives_the_same_matrix)
{
    static Random p;
    static double W[MAX_ROWS * MAX_ROWS], q[MAX_ROWS];
    const utSection section = polygon(UT_SECTION_CIRCUMSCRIBED, 8, 0.0);
    make_random(&p, 5, 3, 2, 14, &section, 0.5);
    const utCoulomb local = as_local(&p.problem, W, q);
    for (int c = 0; c < 4; c++) {
        const utPolyhedralDef def = form_of((utPolyhedralModel)(c % 2),
                                            c < 2 ? UT_POLYHEDRAL_MIXED : UT_POLYHEDRAL_REDUCED);
        utArena arena = test_arena();
        utPolyhedral a, b;
        CHECK_INT(ut_polyhedral_create(&p.problem, &def, &arena, &a, NULL), UT_OK);
        CHECK_INT(ut_polyhedral_create(&local, &def, &arena, &b, NULL), UT_OK);
        CHECK_INT(a.lcp.n, b.lcp.n);
        CHECK_INT(a.lcp.free_count, b.lcp.free_count);
        const int n = a.lcp.n;
        CHECK_NEAR(distance(n * n, a.lcp.M, b.lcp.M), 0.0, 1e-11);
        CHECK_NEAR(distance(n, a.lcp.q, b.lcp.q), 0.0, 1e-11);
    }
}

// Two bodies of 3 velocities. Contact 0 touches the first, contact 1 both, the joint the second.
TEST(bodies_and_sparse_rows_give_the_same_matrices)
{
    static Random p;
    static double W[49], q[7];
    const utSection section = polygon(UT_SECTION_CIRCUMSCRIBED, 4, 0.2);
    make_random(&p, 11, 2, 1, 6, &section, 0.5);
    double M[18], J[9 + 18 + 3];
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            if (i / 3 != j / 3) {
                p.M[6 * i + j] = 0.0;
            } else {
                M[3 * i + j % 3] = p.M[6 * i + j];
            }
        }
    }
    double* next = J;
    for (int row = 0; row < 7; row++) {
        for (int j = 0; j < 6; j++) {
            const bool touched = row >= 3 && row < 6 ? true : row < 3 ? j < 3 : j >= 3;
            p.J[6 * row + j] *= touched ? 1.0 : 0.0;
        }
    }
    const int node[] = {0, 1, 0, 1}, group[] = {0, 3, 3, 6}, rows[] = {3, 3, 3, 1};
    for (int e = 0; e < 4; e++) { // contact 1 names its second body first
        for (int k = 0; k < 3 * rows[e]; k++) {
            *next++ = p.J[6 * (group[e] + k / 3) + 3 * node[e] + k % 3];
        }
    }
    const utCoulombBlocks blocks = {
        .nodes = 2,
        .start = (int[]){0, 3, 6},
        .M = M,
        .first = (int[]){0, 1, 3, 4},
        .node = node,
        .J = J,
    };
    utCoulomb bodies = p.problem;
    bodies.M = NULL;
    bodies.J = NULL;
    bodies.blocks = &blocks;

    const utCoulomb local = as_local(&p.problem, W, q);
    int start[8], column[49];
    double value[49];
    for (int i = 0, count = 0; i < 7; i++) {
        start[i] = count;
        for (int j = 0; j < 7; j++) {
            if (W[7 * i + j] != 0.0) {
                column[count] = j;
                value[count++] = W[7 * i + j];
            }
        }
        start[i + 1] = count;
    }
    utCoulomb sparse = local;
    sparse.W = value;
    sparse.W_start = start;
    sparse.W_column = column;

    for (int c = 0; c < 6; c++) {
        const utPolyhedralDef def = form_of((utPolyhedralModel)(c % 2), (utPolyhedralLevel)(c / 2));
        const bool full = def.level == UT_POLYHEDRAL_FULL;
        utPolyhedral form[4];
        utArena arena = test_arena();
        CHECK_INT(ut_polyhedral_create(&p.problem, &def, &arena, &form[0], NULL), UT_OK);
        CHECK_INT(ut_polyhedral_create(&bodies, &def, &arena, &form[1], NULL), UT_OK);
        const int n = form[0].lcp.n;
        CHECK_NEAR(distance(n * n, form[0].lcp.M, form[1].lcp.M), 0.0, full ? 0.0 : 1e-11);
        CHECK_NEAR(distance(n, form[0].lcp.q, form[1].lcp.q), 0.0, full ? 0.0 : 1e-11);
        if (!full) {
            CHECK_INT(ut_polyhedral_create(&local, &def, &arena, &form[2], NULL), UT_OK);
            CHECK_INT(ut_polyhedral_create(&sparse, &def, &arena, &form[3], NULL), UT_OK);
            CHECK_NEAR(distance(n * n, form[2].lcp.M, form[3].lcp.M), 0.0, 0.0);
        }
    }
}

// ---- what cannot be written ---------------------------------------------------------------------

TEST(problems_that_cannot_be_written_are_rejected_by_name)
{
    Particle p;
    make_particle(&p, ut_section_circle(), 1.0, 0.5, (double[]){0, 0, -1});
    utPolyhedralDef def = force(UT_POLYHEDRAL_MIXED);
    utPolyhedral form = {.contacts = 77};
    utError err = {0};
    utArena arena = test_arena();
    const utArena before = arena;
    CHECK_INT(ut_polyhedral_create(&p.problem, &def, &arena, &form, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "contact 0") != NULL && strstr(err.message, "circle") != NULL);

    p.section = polygon(UT_SECTION_INSCRIBED, 4, 0.0);
    const utCoulomb local = {
        .dimension = 3,
        .contacts = 1,
        .mu = &p.mu,
        .section = &p.section,
        .W = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1},
        .q = (double[]){-1, 0, 0},
    };
    def.level = UT_POLYHEDRAL_FULL;
    CHECK_INT(ut_polyhedral_create(&local, &def, &arena, &form, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "M and J") != NULL);

    def = force(UT_POLYHEDRAL_MIXED);
    def.rho = &p.mu; // of the other model
    CHECK_INT(ut_polyhedral_create(&local, &def, &arena, &form, NULL), UT_ERR_DEF);
    def = force(UT_POLYHEDRAL_MIXED);
    def.relaxation = (double)NAN;
    CHECK_INT(ut_polyhedral_create(&local, &def, &arena, &form, NULL), UT_ERR_DEF);
    def = force(UT_POLYHEDRAL_MIXED);
    def.cookie = 0;
    CHECK_INT(ut_polyhedral_create(&local, &def, &arena, &form, NULL), UT_ERR_DEF);
    CHECK(form.contacts == 77 && arena.next == before.next);
}

TEST(a_form_is_written_in_its_peak_of_memory_and_half_of_it_is_said_to_be_too_little)
{
    static Random p;
    const utSection section = polygon(UT_SECTION_CIRCUMSCRIBED, 8, 0.0);
    make_random(&p, 7, 3, 2, 16, &section, 0.5);
    for (int c = 0; c < 6; c++) {
        const utPolyhedralDef def = form_of((utPolyhedralModel)(c % 2), (utPolyhedralLevel)(c / 2));
        utArena all = test_arena();
        utPolyhedral form;
        utArena growing = scratch_open();
        utArena taken = growing;
        CHECK_INT(ut_polyhedral_create(&p.problem, &def, &taken, &form, NULL), UT_OK);
        const size_t size = scratch_close(&growing);
        utArena exact = ut_arena_on(all.next + 8, size);
        CHECK_INT(ut_polyhedral_create(&p.problem, &def, &exact, &form, NULL), UT_OK);
        utArena small = ut_arena_on(all.next, size / 2);
        CHECK_INT(ut_polyhedral_create(&p.problem, &def, &small, &form, NULL), UT_ERR_CAPACITY);
    }
}

// ---- the solver ---------------------------------------------------------------------------------

static utCoulombInfo run_solver(const utCoulomb* problem, utCoulombDef def, double* r)
{
    utCoulombInfo info = {.outcome = UT_COULOMB_ITERATIONS};
    CHECK_INT(ut_coulomb_lcp(problem, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(ut_coulomb_judge(problem, def.convex, r, test_arena(), NULL, &info.verdict), UT_OK);
    return info;
}

// Every section that is not round, on problems with and without joints; contacts without friction
// among them.
TEST(the_solver_takes_every_polygon)
{
    static Random p;
    const utSection section[] = {
        polygon(UT_SECTION_INSCRIBED, 6, 0.3),
        polygon(UT_SECTION_CIRCUMSCRIBED, 6, 0.3),
    };
    for (uint64_t seed = 0; seed < 90; seed++) {
        make_random(&p, seed, 1 + (int)(seed % 5), (int)(seed % 2) * 3, 18, section, 0.4);
        const int mixed[MAX_CONTACTS] = {0, 1, 1, 0, 1, 0};
        p.problem.section = section + (seed % 3 == 1 ? 1 : 0);
        p.problem.section_of = seed % 3 == 2 ? mixed : NULL;
        p.mu[seed % 5] = seed % 7 == 0 ? 0.0 : p.mu[seed % 5];
        double r[MAX_ROWS];
        const utCoulombInfo info = run_solver(&p.problem, ut_coulomb_def(), r);
        CHECK(info.verdict.E <= 1e-10 && info.verdict.bilateral <= 1e-10 &&
              info.verdict.cone <= 1e-12);
        if (p.problem.contacts > 1) {
            CHECK(info.iterations > 0);
        }
        utCoulombDef convex = ut_coulomb_def();
        convex.convex = true;
        CHECK(run_solver(&p.problem, convex, r).verdict.E <= 1e-10);
    }
}

// A point between two planes that overlap by 1 m/s each: no v has v - 1 >= 0 and -v - 1 >= 0. Equal
// normal impulses prove it.
TEST(no_solution_is_reported_with_its_proof)
{
    const utSection section[] = {polygon(UT_SECTION_INSCRIBED, 4, 0.0),
                                 polygon(UT_SECTION_CIRCUMSCRIBED, 4, 0.0)};
    for (int kind = 0; kind < 2; kind++) {
        const utCoulomb problem = {
            .dimension = 3,
            .contacts = 2,
            .mu = (double[]){0.5, 0.5},
            .section = section + kind,
            .dof = 3,
            .M = (double[]){2, 0, 0, 0, 2, 0, 0, 0, 2},
            .J = (double[]){0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, -1, 1, 0, 0, 0, -1, 0},
            .f = (double[]){1, 0, 0},
            .b = (double[]){-1, 0, 0, -1, 0, 0},
        };
        double r[6];
        const utCoulombInfo info = run_solver(&problem, ut_coulomb_def(), r);
        CHECK_INT(info.outcome, UT_COULOMB_NONE);
        CHECK(r[0] > 0.0);
        CHECK_NEAR(r[3], r[0], 1e-14 * r[0]);
        CHECK_NEAR(fabs(r[1]) + fabs(r[2]) + fabs(r[4]) + fabs(r[5]), 0.0, 0.0);
    }
}

TEST(ut_coulomb_solve_finds_the_lcp_solver_by_name)
{
    Particle p;
    utCoulombSolver solver;
    CHECK(ut_coulomb_solver_find("lcp", &solver) && solver == UT_COULOMB_LCP);
    make_particle(&p, polygon(UT_SECTION_INSCRIBED, 4, 0.0), 2.0, 0.5, (double[]){5, 0, -4});
    const utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    double r[3];
    CHECK_INT(ut_coulomb_solve(&p.problem, solver, &def, test_arena(), r, &info), UT_OK);
    CHECK(info.outcome == UT_COULOMB_SOLVED && info.solver == UT_COULOMB_LCP);
    CHECK_NEAR(r[0], 4.0, 1e-14);
    CHECK_NEAR(r[1], -2.0, 1e-14);
}

// A joint that holds z, once or twice, against a contact that wants 1 m/s upwards: J'r = 0 asks for
// joint impulses that cancel the normal one.
TEST(joints_take_part_in_the_proof)
{
    for (int twice = 0; twice < 2; twice++) {
        for (int kind = 0; kind < 2; kind++) {
            const utSection section =
                polygon(kind == 0 ? UT_SECTION_INSCRIBED : UT_SECTION_CIRCUMSCRIBED, 4, 0.0);
            const utCoulomb problem = {
                .dimension = 3,
                .contacts = 1,
                .bilaterals = 1 + twice,
                .mu = (double[]){0.5},
                .section = &section,
                .dof = 3,
                .M = (double[]){2, 0, 0, 0, 2, 0, 0, 0, 2},
                .J = (double[]){0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2},
                .f = (double[]){1, 0, 0},
                .b = (double[]){-1, 0, 0, 0, 0},
            };
            double r[5] = {0};
            const utCoulombInfo info = run_solver(&problem, ut_coulomb_def(), r);
            CHECK_INT(info.outcome, UT_COULOMB_NONE);
            CHECK(r[0] > 0.0);
            CHECK_NEAR(fabs(r[1]) + fabs(r[2]), 0.0, 0.0);
            CHECK_NEAR(r[0] + r[3] + 2.0 * r[4], 0.0, 1e-14 * r[0]);
        }
    }
}

TEST(the_solver_keeps_to_the_iterations_and_the_method_it_is_given)
{
    static Random p;
    const utSection section = polygon(UT_SECTION_INSCRIBED, 6, 0.3);
    make_random(&p, 4, 5, 0, 18, &section, 0.4);
    double r[MAX_ROWS];
    utCoulombDef def = ut_coulomb_def();
    def.max_iterations = 3; // five normals alone need five pivots
    const utCoulombInfo few = run_solver(&p.problem, def, r);
    CHECK(few.iterations <= 3 && few.verdict.E > 1e-3 && few.outcome == UT_COULOMB_ITERATIONS);
    def = ut_coulomb_def();
    def.lcp = UT_LCP_NEWTON;
    const utCoulombInfo newton = run_solver(&p.problem, def, r);
    CHECK(newton.verdict.E <= 1e-10);
    def.lcp = UT_LCP_LEMKE;
    CHECK(run_solver(&p.problem, def, r).iterations != newton.iterations);
    def.lcp = UT_LCP_ENUMERATE; // 40 unknowns are too many for it
    utCoulombInfo info = {0};
    CHECK_INT(ut_coulomb_lcp(&p.problem, &def, test_arena(), r, &info), UT_ERR_ARGUMENT);
}

// Joints alone: W r + q = 0.
TEST(a_problem_without_contacts_is_solved)
{
    const utCoulomb problem = {
        .dimension = 3,
        .bilaterals = 2,
        .W = (double[]){2, 1, 1, 3},
        .q = (double[]){-4, -7},
    };
    double r[2];
    CHECK(run_solver(&problem, ut_coulomb_def(), r).verdict.bilateral <= 1e-14);
    CHECK_NEAR(r[0], 1.0, 1e-14);
    CHECK_NEAR(r[1], 2.0, 1e-14);
}

TEST(a_round_section_is_refused_by_the_solver)
{
    Particle p;
    make_particle(&p, ut_section_circle(), 1.0, 0.5, (double[]){0, 0, -1});
    const utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info = {0};
    double r[3];
    CHECK_INT(ut_coulomb_lcp(&p.problem, &def, test_arena(), r, &info), UT_ERR_ARGUMENT);
}

// 300 problems of the collection with at most 24 contacts, with four polygons in turn. That they
// are certified is measured, not derived: the counts must not fall.
TEST(small_scenes_are_certified)
{
    utSection section[4];
    for (int kind = 0; kind < 4; kind++) {
        section[kind] = polygon(kind < 2 ? UT_SECTION_INSCRIBED : UT_SECTION_CIRCUMSCRIBED,
                                kind % 2 == 0 ? 4 : 8, 0.0);
    }
    int count = 0, certified[4] = {0}, by[7] = {0};
    for (int index = 0; count < 300; index++) {
        const utFrictionDef scene = ut_friction_sample(index);
        utArena arena = test_arena();
        utFrictionProblem made;
        CHECK_INT(ut_friction_create(&scene, &arena, &made), UT_OK);
        if (made.contacts > 24) {
            continue;
        }
        const int kind = count++ % 4;
        const utCoulomb problem = ut_friction_coulomb(&made, &section[kind]);
        const utCoulombDef def = ut_coulomb_def();
        utCoulombInfo info = {0};
        utCoulombVerdict verdict;
        int answered;
        double* r = UT_PUSH(&arena, double, made.rows);
        CHECK_INT(ut_coulomb_lcp_attempts(&problem, &def, arena, r, &info, &answered), UT_OK);
        CHECK_INT(ut_coulomb_judge(&problem, false, r, arena, NULL, &verdict), UT_OK);
        certified[kind] += verdict.E <= 1e-8 && verdict.bilateral <= 1e-9 && verdict.cone <= 1e-12;
        by[answered]++;
    }
    test_note("certified of 75: inscribed 4 %d, 8 %d, circumscribed 4 %d, 8 %d", certified[0],
              certified[1], certified[2], certified[3]);
    test_note(
        "Lemke %d, other model %d; Newton %d, other model %d; auto %d, other model %d; none %d",
        by[1], by[2], by[3], by[4], by[5], by[6], by[0]);
    for (int kind = 0; kind < 4; kind++) {
        CHECK(certified[kind] >= 75);
    }
}
