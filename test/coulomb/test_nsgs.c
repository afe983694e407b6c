// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel over contacts, and the promises of ut_coulomb_solve for every solver: closed forms,
// random problems beside an LCP, bilateral rows, and outcomes that agree with the judge.
#include <uptack/coulomb_problems.h>
#include <uptack/lcp.h>

#include "coulomb/internal.h"
#include "forms.h"
#include "scratch.h"
#include "test.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static utCoulombInfo solve(const utCoulomb* problem, double tolerance, double* r)
{
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info = {0};
    def.tolerance = tolerance;
    CHECK_INT(ut_coulomb_solve(problem, UT_COULOMB_NSGS, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    return info;
}

static void velocity(const utCoulomb* problem, const double* r, double* u)
{
    utCoulombVerdict verdict;
    CHECK_INT(ut_coulomb_judge(problem, false, r, test_arena(), u, &verdict), UT_OK);
}

// ---- one contact --------------------------------------------------------------------------------

// The conditions of the law one by one, without the law module: u_n = 0, |r_t| = mu r_n, r_t
// against u_t.
TEST(the_public_one_contact_problem_slips)
{
    const utSection circle = ut_section_circle();
    const utCoulomb problem = {
        .dimension = 3,
        .contacts = 1,
        .mu = (double[]){0.1},
        .section = &circle,
        .W = (double[]){15, -1, -2, -1, 14, 1, -2, 1, 16},
        .q = (double[]){-1, 2, 3},
    };
    double r[3], u[3];
    const utCoulombInfo info = solve(&problem, 1e-12, r);
    velocity(&problem, r, u);
    CHECK(info.verdict.E <= 1e-14 && r[0] > 0.0);
    CHECK_NEAR(u[0], 0.0, 1e-14);
    CHECK_NEAR(hypot(r[1], r[2]), 0.1 * r[0], 1e-16);
    CHECK_NEAR(r[1] * u[2] - r[2] * u[1], 0.0, 1e-15);
    CHECK(r[1] * u[1] + r[2] * u[2] < 0.0);
}

// A particle of 3 kg under its weight, h g = 0.0981, pushed sideways by q_t: held up to mu h g.
TEST(a_particle_is_held_up_to_mu_times_its_weight_in_every_direction)
{
    const double mu = 0.35;
    const double fall = 0.0981;
    for (int edges = 0; edges <= 16; edges = edges == 0 ? 4 : 2 * edges) {
        for (int kind = 0; kind < 2; kind++) {
            utSection P = ut_section_circle();
            if (edges > 0) {
                ut_section_polygon(kind == 0 ? UT_SECTION_INSCRIBED : UT_SECTION_CIRCUMSCRIBED,
                                   edges, 0.0, &P, NULL);
            }
            for (int k = 0; k < 32; k++) {
                // the border of a regular polygon is at inradius / cos(angle from its edge)
                const double angle = 2.0 * PI * k / 32.0;
                const double sector = 2.0 * PI / (edges > 0 ? edges : 1);
                const double first = kind == 0 ? 0.5 * sector : 0.0;
                const double off = angle - first - sector * round((angle - first) / sector);
                const double inradius = kind == 0 ? cos(PI / edges) : 1.0;
                const double limit = mu * fall * (edges > 0 ? inradius / cos(off) : 1.0);
                for (int side = -1; side <= 1; side += 2) {
                    const double push = limit * (1.0 + side * 1e-9);
                    const utCoulomb problem = {
                        .dimension = 3,
                        .contacts = 1,
                        .mu = &mu,
                        .section = &P,
                        .W = (double[]){1.0 / 3.0, 0, 0, 0, 1.0 / 3.0, 0, 0, 0, 1.0 / 3.0},
                        .q = (double[]){-fall, push * cos(angle), push * sin(angle)},
                    };
                    double r[3], u[3];
                    solve(&problem, 1e-13, r);
                    velocity(&problem, r, u);
                    CHECK_NEAR(r[0], 3.0 * fall, 1e-14);
                    const double slip = hypot(u[1], u[2]);
                    CHECK(side < 0 ? slip <= 1e-16 : slip > 1e-10 * limit);
                }
            }
        }
    }
}

TEST(stick_limits_between_directions_are_those_of_the_polygon)
{
    // along the middle of an edge of the inscribed square: cos(pi/4); towards a vertex of the
    // circumscribed one (2 lines): 1 / cos(pi/4)
    const double want[] = {cos(PI / 4.0), 1.0 / cos(PI / 4.0)};
    for (int kind = 0; kind < 2; kind++) {
        utSection P;
        ut_section_polygon(kind == 0 ? UT_SECTION_INSCRIBED : UT_SECTION_CIRCUMSCRIBED, 4, 0.0, &P,
                           NULL);
        const utCoulomb problem = {
            .dimension = 3,
            .contacts = 1,
            .mu = (double[]){0.5},
            .section = &P,
            .W = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1},
            .q = (double[]){-1, 5 * cos(PI / 4.0), 5 * sin(PI / 4.0)},
        };
        double r[3], u[3];
        solve(&problem, 1e-13, r);
        velocity(&problem, r, u);
        CHECK_NEAR(5.0 - hypot(u[1], u[2]), 0.5 * want[kind], 1e-14);
    }
}

// 1 m/s, mu g = 5 m/s^2, h = 0.01 s: 20 steps to stand still, and there it stays.
TEST(a_sliding_box_stops)
{
    const utSection segment = ut_section_segment();
    double v[2] = {0, 1};
    for (int step = 1; step <= 30; step++) {
        double q[2] = {v[0] - 0.1, v[1]};
        const utCoulomb problem = {
            .dimension = 2,
            .contacts = 1,
            .mu = (double[]){0.5},
            .section = &segment,
            .W = (double[]){0.25, 0, 0, 0.25},
            .q = q,
        };
        double r[2];
        solve(&problem, 1e-12, r);
        velocity(&problem, r, v);
        CHECK_NEAR(v[1], step < 20 ? 1.0 - 0.05 * step : 0.0, 1e-14);
        CHECK_NEAR(v[0], 0.0, 1e-15);
    }
}

// ---- several contacts ---------------------------------------------------------------------------

// Twice the same contact: the impulses are not unique, their sum and the velocity are.
TEST(two_coincident_contacts_share_what_one_carries)
{
    const utSection circle = ut_section_circle();
    double W[36] = {0};
    for (int i = 0; i < 6; i++) {
        W[i * 6 + i % 3] = 0.5;
        W[i * 6 + i % 3 + 3] = 0.5;
    }
    const utCoulomb problem = {
        .dimension = 3,
        .contacts = 2,
        .mu = (double[]){0.5, 0.5},
        .section = &circle,
        .W = W,
        .q = (double[]){-1, 3, 4, -1, 3, 4},
    };
    double r[6], u[6];
    solve(&problem, 1e-12, r);
    velocity(&problem, r, u);
    CHECK_NEAR(r[0] + r[3], 2.0, 1e-11);
    CHECK_NEAR(r[1] + r[4], -0.6, 1e-11);
    CHECK_NEAR(r[2] + r[5], -0.8, 1e-11);
    CHECK_NEAR(u[1], 2.7, 1e-11);
}

enum { MOST = 16 };

// W = G G' / n + 0.05 1 plus a skew part
static void random_local(utRng* rng, int n, double skew, double* W, double* q)
{
    double G[MOST * MOST];
    for (int i = 0; i < n * n; i++) {
        G[i] = ut_rng_range(rng, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        q[i] = ut_rng_range(rng, -1.0, 0.5);
        for (int j = 0; j < n; j++) {
            W[i * n + j] = i == j ? 0.05 : 0.0;
            for (int k = 0; k < n; k++) {
                W[i * n + j] += G[i * n + k] * G[j * n + k] / n;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            const double part = skew * ut_rng_range(rng, -1.0, 1.0);
            W[i * n + j] += part;
            W[j * n + i] -= part;
        }
    }
}

TEST(random_problems_of_one_contact_are_solved_to_rounding)
{
    const utSection circle = ut_section_circle();
    utRng rng = ut_rng(31, 0);
    int sweeps = 0;
    for (int k = 0; k < 4000; k++) {
        double W[9], q[3], r[3];
        const double mu = ut_rng_range(&rng, 0.0, 1.0);
        random_local(&rng, 3, k % 2 == 0 ? 0.0 : 0.2, W, q);
        const utCoulomb problem = {
            .dimension = 3, .contacts = 1, .mu = &mu, .section = &circle, .W = W, .q = q};
        const utCoulombInfo info = solve(&problem, 1e-12, r);
        sweeps = info.iterations > sweeps ? info.iterations : sweeps;
    }
    CHECK(sweeps <= 2);
}

TEST(random_problems_in_the_plane_and_in_space_are_solved)
{
    const utSection circle = ut_section_circle();
    const utSection segment = ut_section_segment();
    utRng rng = ut_rng(32, 0);
    int sweeps = 0;
    for (int k = 0; k < 400; k++) {
        const bool plane = k % 4 == 0;
        double W[MOST * MOST], q[MOST], r[MOST], mu[8];
        const int contacts = plane ? 6 : 4;
        for (int i = 0; i < contacts; i++) {
            mu[i] = ut_rng_range(&rng, 0.0, 0.7);
        }
        random_local(&rng, 12, k % 2 == 0 ? 0.0 : 0.03, W, q);
        const utCoulomb problem = {.dimension = plane ? 2 : 3,
                                   .contacts = contacts,
                                   .mu = mu,
                                   .section = plane ? &segment : &circle,
                                   .W = W,
                                   .q = q};
        const utCoulombInfo info = solve(&problem, 1e-10, r);
        sweeps += info.iterations;
    }
    test_note("%.1f sweeps on average", sweeps / 400.0);
}

// ---- beside an LCP ------------------------------------------------------------------------------

enum { SIDES = 64, LCP_MOST = 2 * (SIDES + 2) };

// Stewart and Trinkle: z = (r_n, beta, lambda), r_t = sum of beta_j d_j,
//     0 <= r_n   _|_ u_n >= 0
//     0 <= beta  _|_ d_j.u_t + lambda >= 0
//     0 <= lambda _|_ mu r_n - sum of beta >= 0
static void polygon_lcp(const utCoulomb* problem, const utSection* P, double* M, double* q)
{
    const int n = problem->contacts;
    const int n_rows = 3 * n;
    const int each = SIDES + 2;
    const int size = n * each;
    static double D[6][LCP_MOST]; // r = D z
    memset(D, 0, sizeof D);
    memset(M, 0, (size_t)size * (size_t)size * sizeof *M);
    for (int c = 0; c < n; c++) {
        D[3 * c][c * each] = 1.0;
        for (int j = 0; j < SIDES; j++) {
            D[3 * c + 1][c * each + 1 + j] = P->vertex[j][0];
            D[3 * c + 2][c * each + 1 + j] = P->vertex[j][1];
        }
    }
    for (int a = 0; a < size; a++) {
        q[a] = 0.0;
        for (int i = 0; i < n_rows; i++) {
            q[a] += D[i][a] * problem->q[i];
            for (int b = 0; b < size; b++) {
                for (int j = 0; j < n_rows; j++) {
                    M[a * size + b] += D[i][a] * problem->W[i * n_rows + j] * D[j][b];
                }
            }
        }
    }
    for (int c = 0; c < n; c++) {
        const int lambda = c * each + each - 1;
        M[lambda * size + c * each] = problem->mu[c];
        for (int j = 0; j < SIDES; j++) {
            M[(c * each + 1 + j) * size + lambda] = 1.0;
            M[lambda * size + c * each + 1 + j] = -1.0;
        }
    }
}

static void impulses_of(int n, const utSection* P, const double* z, double* r)
{
    for (int c = 0; c < n; c++) {
        const double* x = z + c * (SIDES + 2);
        r[3 * c] = x[0];
        r[3 * c + 1] = 0.0;
        r[3 * c + 2] = 0.0;
        for (int j = 0; j < SIDES; j++) {
            r[3 * c + 1] += x[1 + j] * P->vertex[j][0];
            r[3 * c + 2] += x[1 + j] * P->vertex[j][1];
        }
    }
}

// The 64-gon lies between circles of radius cos(pi/64) and 1, so its answer is near Coulomb's.
TEST(an_lcp_with_64_directions_finds_the_same_impulses)
{
    utSection P;
    const utSection circle = ut_section_circle();
    ut_section_polygon(UT_SECTION_INSCRIBED, SIDES, 0.0, &P, NULL);
    utRng rng = ut_rng(33, 0);
    double most = 0.0;
    for (int k = 0; k < 25; k++) {
        static double M[LCP_MOST * LCP_MOST], q_lcp[LCP_MOST], z[LCP_MOST];
        double W[36], q[6], r_lcp[6], r_polygon[6], r_circle[6];
        double u_lcp[6], u_polygon[6], u_circle[6];
        const double mu[] = {ut_rng_range(&rng, 0.05, 0.3), ut_rng_range(&rng, 0.05, 0.3)};
        random_local(&rng, 6, 0.0, W, q);
        utCoulomb problem = {
            .dimension = 3, .contacts = 2, .mu = mu, .section = &P, .W = W, .q = q};
        polygon_lcp(&problem, &P, M, q_lcp);
        const utLcp lcp = {.n = LCP_MOST, .M = M, .q = q_lcp};
        const utLcpDef def = ut_lcp_def();
        utLcpInfo info;
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_LEMKE, &def, test_arena(), z, &info), UT_OK);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        impulses_of(2, &P, z, r_lcp);

        // the LCP's answer obeys the law of the polygon, and so does ours, with the same velocity
        utCoulombVerdict verdict;
        ut_coulomb_judge(&problem, false, r_lcp, test_arena(), u_lcp, &verdict);
        CHECK(verdict.E <= 1e-9);
        solve(&problem, 1e-11, r_polygon);
        velocity(&problem, r_polygon, u_polygon);
        problem.section = &circle;
        solve(&problem, 1e-11, r_circle);
        velocity(&problem, r_circle, u_circle);
        for (int i = 0; i < 6; i++) {
            CHECK_NEAR(u_polygon[i], u_lcp[i], 1e-8);
            const double off = fabs(u_circle[i] - u_lcp[i]);
            most = off > most ? off : most;
        }
    }
    // half an edge is seen under pi/64: directions differ by no more
    CHECK(most <= 2.0 * PI / SIDES);
    test_note("64-gon and circle differ by %.1e m/s at most", most);
}

// ---- bilateral rows -----------------------------------------------------------------------------

// A particle of 2 kg in space on a rail along t1: the row along t2 is bilateral, given twice. Its
// contact with mu = 1/2 and h g = 1 holds 1 along t1 whatever acts across the rail.
TEST(bilateral_rows_hold_even_when_they_are_redundant)
{
    const utSection circle = ut_section_circle();
    for (int bilaterals = 0; bilaterals <= 3; bilaterals++) {
        const utCoulomb problem = {
            .dimension = 3,
            .contacts = 1,
            .bilaterals = bilaterals,
            .mu = (double[]){0.5},
            .section = &circle,
            .dof = 3,
            .M = (double[]){2, 0, 0, 0, 2, 0, 0, 0, 2},
            .f = (double[]){-2, 6, 4},
            .J = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1},
            .b = (double[]){0, 0, 0, 0, 0, 0},
        };
        double r[6], u[6];
        const utCoulombInfo info = solve(&problem, 1e-11, r);
        velocity(&problem, r, u);
        CHECK_NEAR(u[0], 0.0, 1e-11);
        CHECK_NEAR(r[0], 2.0, 1e-10);
        if (bilaterals > 0) {
            CHECK(info.verdict.bilateral <= 1e-12);
            CHECK_NEAR(u[2], 0.0, 1e-12);
            CHECK_NEAR(u[1], 2.5, 1e-10);
        } else {
            CHECK_NEAR(hypot(3.0 - u[1], 2.0 - u[2]), 0.5, 1e-11);
        }
    }
}

// Two particles joined by a rod along t, the second free of contact: mass 2 in all.
TEST(joints_pass_impulses_on)
{
    const utSection segment = ut_section_segment();
    const utCoulomb problem = {
        .dimension = 2,
        .contacts = 1,
        .bilaterals = 2,
        .mu = (double[]){0.5},
        .section = &segment,
        .dof = 4,
        .M = (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
        .f = (double[]){-1, 3, -1, 0},
        .J = (double[]){1, 0, 0, 0, 0, 1, 0, 0, 1, 0, -1, 0, 0, 1, 0, -1},
        .b = (double[]){0, 0, 0, 0},
    };
    double r[4], u[4];
    solve(&problem, 1e-12, r);
    velocity(&problem, r, u);
    // r_n = 2 carries both, r_t = -1, and the pair goes on with (3 - 1) / 2
    CHECK_NEAR(r[0], 2.0, 1e-11);
    CHECK_NEAR(r[1], -1.0, 1e-11);
    CHECK_NEAR(u[1], 1.0, 1e-11);
    CHECK_NEAR(r[2], -1.0, 1e-11);
    CHECK_NEAR(r[3], -1.0, 1e-11);
}

TEST(bilateral_rows_alone_are_a_linear_system)
{
    const utCoulomb problem = {
        .dimension = 3,
        .bilaterals = 2,
        .W = (double[]){2, 1, 0, 4},
        .q = (double[]){-4, -8},
    };
    double r[2];
    const utCoulombInfo info = solve(&problem, 1e-12, r);
    CHECK_NEAR(r[0], 1.0, 1e-11);
    CHECK_NEAR(r[1], 2.0, 1e-11);
    CHECK_INT(info.iterations, 0);
    CHECK_INT(info.verdict.contact, -1);
}

// A particle of 3 kg that joints hold in both directions: its contact has nothing to do. Beside it a
// particle of 2 kg slips with r = (2, -1), so that there is something to sweep.
TEST(a_contact_of_a_body_that_joints_hold_has_no_impulse)
{
    const utSection segment = ut_section_segment();
    double W[36] = {0};
    for (int k = 0; k < 2; k++) {
        W[6 * k + k] = W[6 * k + 4 + k] = W[6 * (4 + k) + k] = W[6 * (4 + k) + 4 + k] = 1.0 / 3.0;
        W[6 * (2 + k) + 2 + k] = 0.5;
    }
    const utCoulomb problem = {
        .dimension = 2,
        .contacts = 2,
        .bilaterals = 2,
        .mu = (double[]){0.5, 0.5},
        .section = &segment,
        .W = W,
        .q = (double[]){-1, 0.2, -1, 3, -1, 0.2},
    };
    const double want[] = {0, 0, 2, -1, 3, -0.6};
    double r[6];
    CHECK(solve(&problem, 1e-8, r).iterations > 0);
    CHECK_NEAR(fabs(r[0]) + fabs(r[1]), 0.0, 0.0);
    for (int k = 2; k < 6; k++) {
        CHECK_NEAR(r[k], want[k], 1e-7); // |W^-1| V E
    }
}

// An immovable contact and joint beside a particle of 2 kg: they end without an impulse from any
// start, and the particle's r = (2, -1), u = (0, 2.5) is found.
TEST(immovable_contacts_and_joints_get_no_impulse)
{
    const utSection segment = ut_section_segment();
    double W[25] = {0};
    W[2 * 5 + 2] = W[3 * 5 + 3] = 0.5;
    const utCoulomb dense = {
        .dimension = 2,
        .contacts = 2,
        .bilaterals = 1,
        .mu = (double[]){0.5, 0.5},
        .section = &segment,
        .W = W,
        .q = (double[]){0.5, 0, -1, 3, 0},
    };
    utArena arena = test_arena();
    const utCoulomb forms[2] = {dense, form_in_rows(&dense, &arena)};
    for (int k = 0; k < 2; k++) {
        utCoulombDef def = ut_coulomb_def();
        utCoulombInfo info;
        double r[5] = {1, 0.25, 0, 0, 1};
        def.warm_start = true;
        CHECK_INT(ut_coulomb_solve(&forms[k], UT_COULOMB_NSGS, &def, arena, r, &info), UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
        CHECK_NEAR(fabs(r[0]) + fabs(r[1]), 0.0, 0.0);
        CHECK_NEAR(r[2], 2.0, 1e-7);
        CHECK_NEAR(r[3], -1.0, 1e-7);
        CHECK(isfinite(r[4]));
    }
}

// One contact with W = (2 1; -1 1): r = (4/3, -2/3) for q = (-2, 3), mu = 1/2 (by hand: u_n = 0 and
// r_t = -r_n / 2 give 2 r_n - r_n / 2 = 2). Its transpose has r_n = 2 / 2.5.
TEST(an_unsymmetric_W_is_swept_as_it_is)
{
    const utSection segment = ut_section_segment();
    const utCoulomb dense = {
        .dimension = 2,
        .contacts = 1,
        .mu = (double[]){0.5},
        .section = &segment,
        .W = (double[]){2, 1, -1, 1},
        .q = (double[]){-2, 3},
    };
    utArena arena = test_arena();
    const utCoulomb rows = form_in_rows(&dense, &arena);
    for (int k = 0; k < 2; k++) {
        const utCoulombDef def = ut_coulomb_def();
        utCoulombInfo info;
        double r[2];
        CHECK_INT(ut_coulomb_solve(k == 0 ? &dense : &rows, UT_COULOMB_NSGS, &def, arena, r, &info),
                  UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
        CHECK_INT(info.iterations, 1);     // a contact is solved exactly
        CHECK_NEAR(r[0], 4.0 / 3.0, 4e-8); // |W^-1| < 1, V = sqrt(13)
        CHECK_NEAR(r[1], -2.0 / 3.0, 4e-8);
    }
}

// The same row twice, with different velocities: no impulse stops both.
TEST(bilateral_rows_that_contradict_each_other_are_not_called_solved)
{
    const utCoulomb problem = {
        .dimension = 3,
        .bilaterals = 2,
        .W = (double[]){1, 1, 1, 1},
        .q = (double[]){1, 2},
    };
    double r[2];
    const utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_ITERATIONS);
    CHECK_NEAR(info.verdict.E, 0.0, 0.0);
    CHECK(info.verdict.bilateral >= 0.25 && isfinite(r[0]) && isfinite(r[1]));
}

// ---- sparse problems ----------------------------------------------------------------------------

// The particle on its rail once more, by bodies and with W in rows: W = 1/2, and the row along t2
// given up to three times.
TEST(sparse_bilateral_rows_hold_even_when_they_are_redundant)
{
    const utSection circle = ut_section_circle();
    const double half = 0.5;
    for (int bilaterals = 0; bilaterals <= 3; bilaterals++) {
        const utCoulombBlocks blocks = {
            .nodes = 1,
            .start = (int[]){0, 3},
            .M = (double[]){2, 0, 0, 0, 2, 0, 0, 0, 2},
            .first = (int[]){0, 1, 2, 3, 4},
            .node = (int[]){0, 0, 0, 0},
            .J = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1},
        };
        utCoulomb by_bodies = {.dimension = 3,
                               .contacts = 1,
                               .bilaterals = bilaterals,
                               .mu = (double[]){0.5},
                               .section = &circle};
        utCoulomb in_rows = by_bodies;
        by_bodies.dof = 3;
        by_bodies.blocks = &blocks;
        by_bodies.f = (double[]){-2, 6, 4};
        by_bodies.b = (double[]){0, 0, 0, 0, 0, 0};
        // rows 0 and 1 are alone, the others are all the same
        double W[24];
        int start[7] = {0, 1, 2}, column[24] = {0, 1};
        for (int k = 0; k < 24; k++) {
            W[k] = half;
        }
        for (int row = 2; row < 3 + bilaterals; row++) {
            start[row + 1] = start[row];
            for (int j = 2; j < 3 + bilaterals; j++) {
                column[start[row + 1]++] = j;
            }
        }
        in_rows.W = W;
        in_rows.W_start = start;
        in_rows.W_column = column;
        in_rows.q = (double[]){-1, 3, 2, 2, 2, 2};
        const utCoulomb* const forms[] = {&by_bodies, &in_rows};
        for (int f = 0; f < 2; f++) {
            double r[6], u[6];
            solve(forms[f], 1e-11, r);
            velocity(forms[f], r, u);
            CHECK_NEAR(r[0], 2.0, 1e-10);
            if (bilaterals > 0) {
                CHECK_NEAR(u[2], 0.0, 1e-11);
                CHECK_NEAR(u[1], 2.5, 1e-9);
            } else {
                CHECK_NEAR(hypot(3.0 - u[1], 2.0 - u[2]), 0.5, 1e-11);
            }
        }
    }
}

// 2 r_0 + r_1 = 4, 4 r_1 = 8
TEST(sparse_bilateral_rows_alone_are_a_linear_system)
{
    const utCoulomb problem = {
        .dimension = 3,
        .bilaterals = 2,
        .W = (double[]){2, 1, 4},
        .W_start = (int[]){0, 2, 3},
        .W_column = (int[]){0, 1, 1},
        .q = (double[]){-4, -8},
    };
    double r[2];
    solve(&problem, 1e-12, r);
    CHECK_NEAR(r[0], 1.0, 1e-11);
    CHECK_NEAR(r[1], 2.0, 1e-11);
}

enum { MANY = 4000 };

// Particles of 1 kg side by side, mu = 1/2: number i falls with 1 m/s and slides with i/1000, is
// held up to 1/2 and goes on with the rest. Dense, W alone would be 1.1 GB.
TEST(many_bodies_need_no_more_memory_than_they_have_entries)
{
    const utSection circle = ut_section_circle();
    utArena keep = test_arena();
    int* first = UT_PUSH(&keep, int, MANY + 1);
    int* start = UT_PUSH(&keep, int, MANY + 1);
    int* node = UT_PUSH(&keep, int, MANY);
    double* unit = UT_PUSH(&keep, double, 9 * MANY);
    double* f = UT_PUSH(&keep, double, 3 * MANY);
    double* b = UT_PUSH(&keep, double, 3 * MANY);
    double* mu = UT_PUSH(&keep, double, MANY);
    double* r = UT_PUSH(&keep, double, 3 * MANY);
    double* u = UT_PUSH(&keep, double, 3 * MANY);
    for (int i = 0; i <= MANY; i++) {
        first[i] = i;
        start[i] = 3 * i;
    }
    for (int i = 0; i < MANY; i++) {
        node[i] = i;
        mu[i] = 0.5;
        for (int k = 0; k < 9; k++) {
            unit[9 * i + k] = k % 4 == 0 ? 1.0 : 0.0;
        }
        for (int k = 0; k < 3; k++) {
            f[3 * i + k] = k == 0 ? -1.0 : k == 1 ? i / 1000.0 : 0.0;
            b[3 * i + k] = 0.0;
        }
    }
    const utCoulombBlocks blocks = {MANY, start, unit, first, node, unit};
    const utCoulomb problem = {.dimension = 3,
                               .contacts = MANY,
                               .mu = mu,
                               .section = &circle,
                               .dof = 3 * MANY,
                               .blocks = &blocks,
                               .f = f,
                               .b = b};
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    utArena growing = scratch_open();
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, growing, r, &info), UT_OK);
    CHECK(scratch_close(&growing) < (size_t)16 << 20);
    growing = scratch_open();
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, growing, r, &info), UT_OK);
    CHECK(scratch_close(&growing) < (size_t)8 << 20);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    CHECK_INT(info.iterations, 1);
    utCoulombVerdict verdict;
    CHECK_INT(ut_coulomb_judge(&problem, false, r, keep, u, &verdict), UT_OK);
    bool right = true;
    for (int i = 0; i < MANY; i++) {
        const double slip = i / 1000.0 > 0.5 ? i / 1000.0 - 0.5 : 0.0;
        right = right && fabs(r[3 * i] - 1.0) <= 1e-12 && fabs(u[3 * i + 1] - slip) <= 1e-12;
    }
    CHECK(right);
}

// Without joints all forms are swept alike and differ by rounding, so they solve the same problems.
// Dense forms eliminate joints and sparse ones do not, which takes more sweeps. An answer of one form
// must pass the judge of another.
TEST(generated_problems_are_solved_in_every_form)
{
    const utSection circle = ut_section_circle();
    int solved[FORM_COUNT] = {0}, with_joints[FORM_COUNT] = {0}, count = 0;
    for (int i = 0; i < 260; i++) {
        utArena keep = test_arena();
        const utFrictionDef def = ut_friction_sample(i);
        utFrictionProblem p;
        CHECK_INT(ut_friction_create(&def, &keep, &p), UT_OK);
        if (p.contacts > 8) {
            continue;
        }
        utCoulomb form[FORM_COUNT];
        forms_of(&p, &circle, &keep, form);
        double* r = UT_PUSH(&keep, double, p.rows);
        utCoulombDef settings = ut_coulomb_def();
        settings.max_iterations = 300;
        settings.no_fallback = true;
        count++;
        for (int f = 0; f < FORM_COUNT; f++) {
            utCoulombInfo info;
            CHECK_INT(ut_coulomb_solve(&form[f], UT_COULOMB_NSGS, &settings, keep, r, &info),
                      UT_OK);
            *(p.bilaterals > 0 ? &with_joints[f] : &solved[f]) += info.outcome == UT_COULOMB_SOLVED;
            utCoulombVerdict verdict;
            CHECK_INT(ut_coulomb_judge(&form[FORM_COUNT - 1 - f], false, r, keep, NULL, &verdict),
                      UT_OK);
            CHECK(verdict.cone <= 1e-12);
            CHECK(info.outcome != UT_COULOMB_SOLVED ||
                  (verdict.E <= 1.01e-8 && verdict.bilateral <= 1.01e-9));
        }
    }
    for (int f = 1; f < FORM_COUNT; f++) {
        CHECK_INT(solved[f], solved[0]);
    }
    CHECK_INT(with_joints[FORM_LOCAL], with_joints[FORM_GLOBAL]);
    CHECK(solved[0] > count / 3 && with_joints[FORM_BLOCKS] > 0 && with_joints[FORM_ROWS] > 0);
    test_note("%d problems: %d without joints solved in each form; with joints %d dense, %d by "
              "bodies, %d by rows",
              count, solved[0], with_joints[FORM_GLOBAL], with_joints[FORM_BLOCKS],
              with_joints[FORM_ROWS]);
}

TEST(sparse_problems_are_solved_in_their_peak_of_memory_and_less_is_said)
{
    const utSection circle = ut_section_circle();
    utArena keep = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_CHAIN);
    def.count = 2;
    utFrictionProblem p;
    CHECK_INT(ut_friction_create(&def, &keep, &p), UT_OK);
    utCoulomb form[FORM_COUNT];
    forms_of(&p, &circle, &keep, form);
    double r[27];
    utCoulombDef settings = ut_coulomb_def();
    settings.max_iterations = 5;
    for (int f = 0; f < FORM_COUNT; f++) {
        utCoulombInfo info;
        utArena growing = scratch_open();
        CHECK_INT(ut_coulomb_solve(&form[f], UT_COULOMB_NSGS, &settings, growing, r, &info), UT_OK);
        const size_t size = scratch_close(&growing);
        const utArena exact = ut_arena_on(keep.next + 8, size);
        CHECK_INT(ut_coulomb_solve(&form[f], UT_COULOMB_NSGS, &settings, exact, r, &info), UT_OK);
        for (size_t less = 0; less < size / 2; less += 64) {
            const utArena small = ut_arena_on(keep.next, less);
            const utStatus status =
                ut_coulomb_solve(&form[f], UT_COULOMB_NSGS, &settings, small, r, &info);
            CHECK(status == UT_ERR_CAPACITY || status == UT_OK);
        }
    }
}

TEST(sparse_masses_that_are_not_positive_definite_are_refused)
{
    const utCoulombBlocks blocks = {.nodes = 1,
                                    .start = (int[]){0, 2},
                                    .M = (double[]){1, 2, 2, 1},
                                    .first = (int[]){0, 1},
                                    .node = (int[]){0},
                                    .J = (double[]){1, 0}};
    const utCoulomb problem = {.dimension = 3,
                               .bilaterals = 1,
                               .dof = 2,
                               .blocks = &blocks,
                               .f = (double[]){1, 1},
                               .b = (double[]){0}};
    const utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    double r[1];
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, test_arena(), r, &info),
              UT_ERR_ARGUMENT);
}

// ---- what every solver owes ---------------------------------------------------------------------

static const double W_TWO[] = {1, 0.5, 0.5, 1};
static const double Q_TWO[] = {-1, 2};

static utCoulomb two(const utSection* segment)
{
    static const double mu[] = {0.5};
    return (utCoulomb){
        .dimension = 2, .contacts = 1, .mu = mu, .section = segment, .W = W_TWO, .q = Q_TWO};
}

TEST(names_go_both_ways)
{
    utCoulombSolver solver = UT_COULOMB_SOLVER_COUNT;
    CHECK(ut_coulomb_solver_find("nsgs", &solver) && solver == UT_COULOMB_NSGS);
    CHECK(!ut_coulomb_solver_find("fast", &solver) && solver == UT_COULOMB_NSGS);
    CHECK_TEXT(ut_coulomb_solver_name(UT_COULOMB_NSGS), "nsgs");
    CHECK_TEXT(ut_coulomb_outcome_name(UT_COULOMB_SOLVED), "solved");
    CHECK_TEXT(ut_coulomb_outcome_name(UT_COULOMB_ITERATIONS), "iterations");
}

TEST(an_answer_that_misses_the_tolerance_is_not_called_solved)
{
    const utSection circle = ut_section_circle();
    utRng rng = ut_rng(34, 0);
    double W[144], q[12], r[12];
    const double mu[] = {0.5, 0.5, 0.5, 0.5};
    random_local(&rng, 12, 0.0, W, q);
    const utCoulomb problem = {
        .dimension = 3, .contacts = 4, .mu = mu, .section = &circle, .W = W, .q = q};
    utCoulombDef def = ut_coulomb_def();
    def.max_iterations = 1;
    def.no_fallback = true;
    utCoulombInfo info;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_ITERATIONS);
    CHECK_INT(info.iterations, 1);
    CHECK(info.verdict.E > def.tolerance && info.verdict.cone <= 1e-12);
    def.max_iterations = 50;
    def.tolerance = 1e-300;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, test_arena(), r, &info), UT_OK);
    CHECK((info.outcome == UT_COULOMB_SOLVED) == (info.verdict.E <= def.tolerance));
}

// A start that is the answer needs no sweep; any other start is projected on K.
TEST(a_warm_start_begins_from_the_given_impulses)
{
    const utSection segment = ut_section_segment();
    const utCoulomb problem = two(&segment);
    double r[2];
    solve(&problem, 1e-12, r);
    utCoulombDef def = ut_coulomb_def();
    def.warm_start = true;
    utCoulombInfo info;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.iterations, 0);
    double wild[] = {-1e6, 1e6};
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, test_arena(), wild, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    double bad[] = {(double)NAN, 0.0};
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, test_arena(), bad, &info),
              UT_ERR_ARGUMENT);
}

TEST(arguments_that_cannot_be_used_change_nothing)
{
    const utSection segment = ut_section_segment();
    const utCoulomb good = two(&segment);
    utCoulomb bad = good;
    bad.dimension = 5;
    const utCoulombDef def = ut_coulomb_def();
    utCoulombDef no_cookie = def;
    no_cookie.cookie = 0;
    utCoulombDef no_tolerance = def;
    no_tolerance.tolerance = (double)NAN;
    double r[2] = {7, 7};
    utCoulombInfo info = {.iterations = -7};
    CHECK_INT(ut_coulomb_solve(&bad, UT_COULOMB_NSGS, &def, test_arena(), r, &info),
              UT_ERR_ARGUMENT);
    CHECK_INT(ut_coulomb_solve(&good, UT_COULOMB_SOLVER_COUNT, &def, test_arena(), r, &info),
              UT_ERR_ARGUMENT);
    CHECK_INT(ut_coulomb_solve(&good, UT_COULOMB_NSGS, &def, test_arena(), NULL, &info),
              UT_ERR_ARGUMENT);
    CHECK_INT(ut_coulomb_solve(&good, UT_COULOMB_NSGS, &no_cookie, test_arena(), r, &info),
              UT_ERR_DEF);
    CHECK_INT(ut_coulomb_solve(&good, UT_COULOMB_NSGS, &no_tolerance, test_arena(), r, &info),
              UT_ERR_DEF);

    // a mass matrix with a positive diagonal that is not positive definite
    const utCoulomb global = {
        .dimension = 3,
        .bilaterals = 1,
        .dof = 2,
        .M = (double[]){1, 2, 2, 1},
        .f = (double[]){1, 1},
        .J = (double[]){1, 0},
        .b = (double[]){0},
    };
    CHECK_INT(ut_coulomb_solve(&global, UT_COULOMB_NSGS, &def, test_arena(), r, &info),
              UT_ERR_ARGUMENT);
    CHECK_INT(info.iterations, -7);
    CHECK_NEAR(r[0], 7.0, 0.0);
}

TEST(the_peak_of_scratch_is_enough_and_less_is_said)
{
    const utSection circle = ut_section_circle();
    const double J[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1};
    const double W[25] = {[0] = 1, [6] = 1, [12] = 1, [18] = 1, [24] = 1};
    const double q[5] = {-1, 1, 1, 1, 1};
    const double unit[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double mu = 0.5;
    for (int form = 0; form < 4; form++) {
        utCoulomb problem = {.dimension = 3, .contacts = 1, .mu = &mu, .section = &circle};
        problem.bilaterals = form % 2 == 0 ? 0 : 2;
        if (form < 2) {
            problem.W = problem.bilaterals > 0 ? W : unit;
            problem.q = q;
        } else {
            problem.dof = 3;
            problem.M = unit;
            problem.f = q;
            problem.J = J;
            problem.b = q;
        }
        const utCoulombDef def = ut_coulomb_def();
        utCoulombInfo info;
        double r[5];
        utArena whole = test_arena();
        utArena growing = scratch_open();
        CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, growing, r, &info), UT_OK);
        const size_t size = scratch_close(&growing);
        utArena exact = ut_arena_on(whole.next + 8, size);
        CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, exact, r, &info), UT_OK);
        for (size_t less = 0; less < size / 2; less += 64) {
            utArena small = ut_arena_on(whole.next, less);
            const utStatus status =
                ut_coulomb_solve(&problem, UT_COULOMB_NSGS, &def, small, r, &info);
            CHECK(status == UT_ERR_CAPACITY || status == UT_OK);
        }
    }
}
