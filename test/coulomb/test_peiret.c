// SPDX-License-Identifier: Apache-2.0
// The acceleration model with phantom inertia (Peiret, Kövecses and Font-Llagunes): the printed
// matrix and its ranks, the claims about rho, the pairing of saturations, and its identity with the
// force model on the same polygon.
#include "polyhedral_cases.h"

static const double G = 9.81;

static utPolyhedralDef peiret(utPolyhedralLevel level, const double* rho)
{
    utPolyhedralDef def = form_of(UT_POLYHEDRAL_ACCELERATION, level);
    def.rho = rho;
    return def;
}

static utSection lines(int k)
{
    return polygon(UT_SECTION_CIRCUMSCRIBED, 2 * k, 0.0);
}

// ---- the matrix ---------------------------------------------------------------------------------

// Two particles of 2 and 3 kg with k = 2 and 3 lines, written out from Eq. (8): the first contact
// alone is the case of 6 + 2 k unknowns.
TEST(the_printed_matrix_entry_by_entry)
{
    const utSection section[] = {lines(2), lines(3)};
    const int k_of[] = {2, 3};
    const double mu[] = {0.5, 0.3}, rho[] = {0.7, 0.9}, mass[] = {2.0, 3.0};
    double M[36] = {0}, J[36] = {0};
    for (int i = 0; i < 6; i++) {
        M[7 * i] = mass[i / 3];
        // rows n, t1, t2 of a particle are its z, x, y
        J[6 * i + 3 * (i / 3) + (i % 3 + 2) % 3] = 1.0;
    }
    for (int contacts = 1; contacts <= 2; contacts++) {
        const int dof = 3 * contacts;
        double m[36], j[36];
        for (int a = 0; a < dof; a++) {
            for (int b = 0; b < dof; b++) {
                m[a * dof + b] = M[6 * a + b];
                j[a * dof + b] = J[6 * a + b];
            }
        }
        const utCoulomb problem = {
            .dimension = 3,
            .contacts = contacts,
            .mu = mu,
            .section = section,
            .section_of = (int[]){0, 1},
            .dof = dof,
            .M = m,
            .J = j,
            .f = (double[]){1, 2, -3, 4, 5, -6},
            .b = (double[]){0.1, 0.2, 0.3, 0.4, 0.5, 0.6},
        };
        const int r = contacts, K = contacts == 1 ? 2 : 5;
        const int t = dof, n = t + 2 * r, plus = n + r, minus = plus + K, size = minus + K;
        static double want[32 * 32];
        double q[32] = {0};
        memset(want, 0, sizeof want);
        for (int a = 0; a < dof; a++) {
            want[a * size + a] = mass[a / 3];
            q[a] = -problem.f[a];
        }
        int line = 0;
        for (int i = 0; i < r; i++) {
            for (int c = 0; c < 2; c++) { // J_t and -J_t'
                want[(t + 2 * i + c) * size + 3 * i + c] = 1.0;
                want[(3 * i + c) * size + t + 2 * i + c] = -1.0;
                q[t + 2 * i + c] = problem.b[3 * i + 1 + c];
            }
            want[(n + i) * size + 3 * i + 2] = 1.0; // J_n and -J_n'
            want[(3 * i + 2) * size + n + i] = -1.0;
            q[n + i] = problem.b[3 * i];
            for (int k = 0; k < k_of[i]; k++, line++) {
                const double e[] = {cos(PI * k / k_of[i]), sin(PI * k / k_of[i])};
                for (int c = 0; c < 2; c++) {
                    want[(t + 2 * i + c) * size + plus + line] = -e[c];
                    want[(t + 2 * i + c) * size + minus + line] = e[c];
                    want[(plus + line) * size + t + 2 * i + c] = e[c];
                    want[(minus + line) * size + t + 2 * i + c] = -e[c];
                }
                want[(plus + line) * size + n + i] = mu[i];
                want[(minus + line) * size + n + i] = mu[i];
                want[(plus + line) * size + minus + line] = rho[i];
                want[(minus + line) * size + plus + line] = rho[i];
            }
        }
        const utPolyhedralDef def = peiret(UT_POLYHEDRAL_FULL, rho);
        utArena arena = test_arena();
        utPolyhedral form;
        CHECK_INT(ut_polyhedral_create(&problem, &def, &arena, &form, NULL), UT_OK);
        CHECK_INT(form.lcp.n, size);
        CHECK(contacts == 2 || size == 6 + 2 * 2);
        CHECK_INT(form.lcp.free_count, n);
        CHECK_INT(form.velocity, 0);
        CHECK_INT(form.tangent, t);
        CHECK_INT(form.normal, n);
        CHECK_INT(form.kappa_plus, plus);
        CHECK_INT(form.kappa_minus, minus);
        CHECK(form.beta == -1 && form.lambda == -1);
        CHECK_NEAR(distance(size * size, form.lcp.M, want), 0.0, 1e-15);
        CHECK_NEAR(distance(size, form.lcp.q, q), 0.0, 0.0);
    }
}

// A particle of 1 kg: rank 8 of 6 + 2 k and 3 of 1 + 2 k without phantom inertia, full with it.
TEST(phantom_inertia_fills_the_rank)
{
    const int k_of[] = {2, 3, 4, 6};
    for (int c = 0; c < 4; c++) {
        Particle p;
        make_particle(&p, lines(k_of[c]), 1.0, 0.5, (double[]){0, 0, -G});
        for (int with = 0; with < 2; with++) {
            const double rho = with;
            for (int reduced = 0; reduced < 2; reduced++) {
                const utPolyhedralDef def =
                    peiret(reduced ? UT_POLYHEDRAL_REDUCED : UT_POLYHEDRAL_FULL, &rho);
                utArena arena = test_arena();
                utPolyhedral form;
                CHECK_INT(ut_polyhedral_create(&p.problem, &def, &arena, &form, NULL), UT_OK);
                const int n = form.lcp.n;
                CHECK_INT(n, (reduced ? 1 : 6) + 2 * k_of[c]);
                double A[18 * 18];
                memcpy(A, form.lcp.M, (size_t)(n * n) * sizeof *A);
                CHECK_INT(rank_of(n, A), with ? n : reduced ? 3 : 8);
            }
        }
    }
}

// rho = k m is where a particle's matrix turns singular: 2 eigenvalues of E'(1/m)^-1 E are 2 m k/2.
TEST(some_inertias_are_singular_and_the_rule_stays_below)
{
    for (int k = 2; k <= 4; k++) {
        const double m = 3.0, rho = k * m;
        Particle p;
        make_particle(&p, lines(k), m, 0.5, (double[]){0, 0, -G});
        double A[14 * 14];
        for (int c = 0; c < 2; c++) {
            const utPolyhedralDef def = peiret(UT_POLYHEDRAL_FULL, c == 0 ? &rho : NULL);
            utArena arena = test_arena();
            utPolyhedral form;
            CHECK_INT(ut_polyhedral_create(&p.problem, &def, &arena, &form, NULL), UT_OK);
            const int n = form.lcp.n;
            memcpy(A, form.lcp.M, (size_t)(n * n) * sizeof *A);
            CHECK_INT(rank_of(n, A), c == 0 ? n - 2 : n);
            CHECK_NEAR(form.rho[0], c == 0 ? rho : m, 1e-15);
        }
    }
}

// Tangent blocks by hand: 1/rho is the sum of the norms in a row of blocks. In the plane they are
// numbers; in space a rotation times 2 has norm 2 and [[0, 3], [0, 0]] norm 3, [[1, 2], [2, -2]]
// has the eigenvalues 2 and -3.
TEST(the_rule_sums_norms_of_blocks)
{
    const utSection segment = ut_section_segment();
    const utCoulomb plane = {
        .dimension = 2,
        .contacts = 2,
        .mu = (double[]){0.5, 0.5},
        .section = &segment,
        .W = (double[]){9, 0, 0, 0, 0, 2, 0, -1, 0, 0, 9, 0, 0, -1, 0, 3},
        .q = (double[]){0, 0, 0, 0},
    };
    const utPolyhedralDef def = peiret(UT_POLYHEDRAL_MIXED, NULL);
    utArena arena = test_arena();
    utPolyhedral form;
    CHECK_INT(ut_polyhedral_create(&plane, &def, &arena, &form, NULL), UT_OK);
    CHECK_NEAR(form.rho[0], 1.0 / 3.0, 1e-16);
    CHECK_NEAR(form.rho[1], 1.0 / 4.0, 1e-16);

    // a contact that slides has no tangents in the matrix, and does not count
    utPolyhedralDef sliding = def;
    sliding.slip = (double[]){0, 1};
    CHECK_INT(ut_polyhedral_create(&plane, &sliding, &arena, &form, NULL), UT_OK);
    CHECK_NEAR(form.rho[0], 1.0 / 2.0, 1e-16);

    const utSection section = lines(2);
    double W[36] = {0};
    const double blocks[4][4] = {{1.2, 1.6, -1.6, 1.2}, {0, 3, 0, 0}, {0, 3, 0, 0}, {1, 2, 2, -2}};
    for (int b = 0; b < 4; b++) {
        for (int e = 0; e < 4; e++) {
            W[(3 * (b / 2) + 1 + e / 2) * 6 + 3 * (b % 2) + 1 + e % 2] = blocks[b][e];
        }
    }
    const utCoulomb space = {
        .dimension = 3,
        .contacts = 2,
        .mu = (double[]){0.5, 0.5},
        .section = &section,
        .W = W,
        .q = (double[]){0, 0, 0, 0, 0, 0},
    };
    CHECK_INT(ut_polyhedral_create(&space, &def, &arena, &form, NULL), UT_OK);
    CHECK_NEAR(form.rho[0], 1.0 / 5.0, 1e-16);
    CHECK_NEAR(form.rho[1], 1.0 / 6.0, 1e-16);
}

// ---- one contact --------------------------------------------------------------------------------

// Acceleration level: 1 kg, mu = 0.5, so mu lambda_n = 4.905. Along e_1: 6 - 4.905. At 45 degrees,
// along e_2 of four lines: (4 sqrt 2 - 4.905)/sqrt 2 in each component.
TEST(accelerations_do_not_depend_on_rho)
{
    const double rho_of[] = {1e-3, 1.0, 1e3};
    for (int c = 0; c < 3; c++) {
        for (int level = 0; level < 3; level++) {
            const utPolyhedralDef def = peiret((utPolyhedralLevel)level, &rho_of[c]);
            for (int k = 2; k <= 4; k += 2) {
                Particle p;
                make_particle(&p, lines(k), 1.0, 0.5, (double[]){6, 0, -G});
                utArena arena = test_arena();
                const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
                CHECK_NEAR(s.u[1], 1.095, 1e-12);
                CHECK_NEAR(s.u[2], 0.0, 1e-12);
                CHECK_NEAR(s.r[1], -4.905, 1e-12);
            }
            Particle p;
            make_particle(&p, lines(4), 1.0, 0.5, (double[]){4, 4, -G});
            utArena arena = test_arena();
            const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
            CHECK_NEAR(s.u[1], 4.0 - 4.905 / sqrt(2.0), 1e-12);
            CHECK_NEAR(s.u[1], 0.531641, 5e-7);
            CHECK_NEAR(s.u[2], 0.531641, 5e-7);
        }
    }
}

// u_t = sum (kappa+ - kappa-) e_j, sigma by its definition is the slack of the other sign's
// unknown, the cross products vanish, and the straight ones do not where there is slip.
TEST(saturations_pair_with_the_opposite_motion)
{
    static Random p;
    double straight = 0.0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        const utSection section[] = {lines(2), lines(3), lines(4)};
        const int section_of[MAX_CONTACTS] = {2, 0, 1, 2};
        make_random(&p, seed, 1 + (int)(seed % 4), 0, 14, section, 0.6);
        p.problem.section_of = section_of;
        const utPolyhedralDef def = peiret((utPolyhedralLevel)(seed % 3), NULL);
        utArena arena = test_arena();
        const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
        CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
        CHECK_NEAR(s.verdict.E, 0.0, 1e-10);
        for (int i = 0; i < p.problem.contacts; i++) {
            const double* r = s.r + 3 * i;
            double u[2] = {0};
            CHECK_INT(s.form.first[i + 1] - s.form.first[i], section[section_of[i]].edges / 2);
            for (int j = s.form.first[i]; j < s.form.first[i + 1]; j++) {
                const double* e = s.form.direction + 2 * j;
                const double plus = s.z[s.form.kappa_plus + j];
                const double minus = s.z[s.form.kappa_minus + j];
                const double along = e[0] * r[1] + e[1] * r[2];
                const double sigma_plus = p.mu[i] * r[0] - along + s.form.rho[i] * plus;
                const double sigma_minus = p.mu[i] * r[0] + along + s.form.rho[i] * minus;
                CHECK_NEAR(s.w[s.form.kappa_plus + j], sigma_minus, 1e-9);
                CHECK_NEAR(s.w[s.form.kappa_minus + j], sigma_plus, 1e-9);
                CHECK_NEAR(sigma_plus * minus, 0.0, 1e-8);
                CHECK_NEAR(sigma_minus * plus, 0.0, 1e-8);
                CHECK(!(plus > 1e-9 && minus > 1e-9));
                straight = fmax(straight, fmax(sigma_plus * plus, sigma_minus * minus));
                u[0] += (plus - minus) * e[0];
                u[1] += (plus - minus) * e[1];
            }
            CHECK_NEAR(u[0], s.u[3 * i + 1], 1e-9);
            CHECK_NEAR(u[1], s.u[3 * i + 2], 1e-9);
        }
    }
    CHECK(straight > 0.1);
}

// In the plane, 1 kg pushed by 6: with sigma_+ beside kappa_+ slip forward would need friction
// forward, lambda_t = mu lambda_n + rho kappa, so kappa = (6 + 4.905)/(1 - rho): 21.81 at rho =
// 1/2 in place of 1.095.
TEST(the_straight_pairing_drives_what_it_should_hold)
{
    const utSection segment = ut_section_segment();
    const utCoulomb problem = {
        .dimension = 2,
        .contacts = 1,
        .mu = (double[]){0.5},
        .section = &segment,
        .W = (double[]){1, 0, 0, 1},
        .q = (double[]){-G, 6.0},
    };
    const double rho = 0.5;
    const utPolyhedralDef def = peiret(UT_POLYHEDRAL_MIXED, &rho);
    for (int swapped = 0; swapped < 2; swapped++) {
        utArena arena = test_arena();
        utPolyhedral form;
        CHECK_INT(ut_polyhedral_create(&problem, &def, &arena, &form, NULL), UT_OK);
        const int n = form.lcp.n; // r_t, r_n, kappa+, kappa-
        CHECK_INT(n, 4);
        double M[16], q[4], z[16 * 4];
        for (int i = 0; i < n; i++) {
            const int from = !swapped || i < 2 ? i : 5 - i;
            memcpy(M + i * n, form.lcp.M + from * n, (size_t)n * sizeof *M);
            q[i] = form.lcp.q[from];
        }
        const utLcp lcp = {.n = n, .M = M, .q = q, .free_count = 1};
        const utLcpDef settings = ut_lcp_def();
        int count = 0;
        CHECK_INT(ut_lcp_all(&lcp, &settings, arena, 16, z, &count), UT_OK);
        bool right = false, wrong = false;
        for (int k = 0; k < count; k++) {
            right = right || (fabs(z[4 * k] + 4.905) < 1e-12 && fabs(z[4 * k + 2] - 1.095) < 1e-12);
            wrong = wrong || (z[4 * k] > 0.0 && fabs(z[4 * k + 2] - 21.81) < 1e-11);
        }
        CHECK(right == !swapped && wrong == swapped);
        CHECK(swapped || count == 1);
    }
}

// mu m g along a line, mu m g / cos(pi/2k) towards a vertex.
TEST(stick_limits_of_circumscribed_polygons)
{
    const double printed[] = {1.41421, 1.08239, 1.01959};
    for (int c = 0; c < 3; c++) {
        const int k = 2 << c;
        const double vertex = 1.0 / cos(PI / (2 * k));
        CHECK_NEAR(vertex, printed[c], 5e-6);
        for (int towards = 0; towards < 2; towards++) {
            const double angle = towards * PI / (2 * k);
            const double limit = 0.5 * 2.0 * G * (towards ? vertex : 1.0);
            for (int side = -1; side <= 1; side += 2) {
                Particle p;
                const double push = limit * (1.0 + side * 1e-9);
                make_particle(&p, lines(k), 2.0, 0.5,
                              (double[]){push * cos(angle), push * sin(angle), -2.0 * G});
                const utPolyhedralDef def = peiret((utPolyhedralLevel)(side + 1), NULL);
                utArena arena = test_arena();
                const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
                const double slip = hypot(s.u[1], s.u[2]);
                CHECK(side < 0 ? slip <= 1e-14 : slip >= 0.4e-9 * limit);
            }
        }
    }
}

// Along a direction that both have, the two models let go at the same push.
TEST(both_models_start_to_slip_together_along_a_shared_direction)
{
    for (int k = 2; k <= 8; k *= 2) {
        for (int side = -1; side <= 1; side += 2) {
            for (int model = 0; model < 2; model++) {
                Particle p;
                make_particle(&p,
                              polygon(model == 0 ? UT_SECTION_INSCRIBED : UT_SECTION_CIRCUMSCRIBED,
                                      2 * k, 0.0),
                              1.0, 0.5, (double[]){4.905 * (1.0 + side * 1e-9), 0, -G});
                const utPolyhedralDef def =
                    form_of((utPolyhedralModel)model, UT_POLYHEDRAL_REDUCED);
                utArena arena = test_arena();
                const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
                CHECK_NEAR(s.u[1], side < 0 ? 0.0 : 4.905e-9, 1e-14);
            }
        }
    }
}

// ---- sliding contacts ---------------------------------------------------------------------------

// Slip along (3, 4) at the start, mu_k = 0.3: friction 0.3 m g against it, whatever pushes. Only
// the normal is left as an unknown.
TEST(kinetic_friction_is_against_the_slip)
{
    Particle p;
    const double slip[] = {3.0, 4.0}, mu_kinetic = 0.3;
    make_particle(&p, lines(4), 2.0, 0.5, (double[]){1.0, 0.0, -2.0 * G});
    for (int model = 0; model < 2; model++) {
        for (int level = 0; level < 3; level++) {
            utPolyhedralDef def = form_of((utPolyhedralModel)model, (utPolyhedralLevel)level);
            def.slip = slip;
            def.mu_kinetic = &mu_kinetic;
            utArena arena = test_arena();
            const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
            CHECK_INT(s.form.lcp.n, level == 0 ? 4 : 1);
            CHECK_INT(s.form.sticks, 0);
            CHECK_NEAR(s.r[0], 2.0 * G, 1e-13);
            CHECK_NEAR(s.r[1], -0.3 * 2.0 * G * 0.6, 1e-13);
            CHECK_NEAR(s.r[2], -0.3 * 2.0 * G * 0.8, 1e-13);
            CHECK_NEAR(s.u[1], 0.5 * (1.0 - 0.3 * 2.0 * G * 0.6), 1e-13);
        }
    }
}

// A rod whose end slides: friction acts on the normal motion, u_n = q_n + (W_nn - mu W_nt d) r_n.
// The second contact does not slide and keeps its lines, with its static mu.
TEST(sliding_and_sticking_contacts_live_side_by_side)
{
    const utSection section = lines(2);
    double W[36] = {0};
    const double first[] = {2.0, 0.5, 0.25, 0.5, 1.0, 0.0, 0.25, 0.0, 1.0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            W[6 * i + j] = first[3 * i + j];
            W[6 * (3 + i) + 3 + j] = i == j ? 1.0 : 0.0;
        }
    }
    const utCoulomb problem = {
        .dimension = 3,
        .contacts = 2,
        .mu = (double[]){0.9, 0.9},
        .section = &section,
        .W = W,
        .q = (double[]){-3.0, 5.0, 1.0, -1.0, 0.8, 0.0},
    };
    const double slip[] = {0.0, -2.0, 0.0, 0.0};
    const double mu_kinetic[] = {0.4, 0.1};
    const double r_n = 3.0 / (2.0 - 0.4 * 0.25 * -1.0);
    for (int model = 0; model < 2; model++) {
        utPolyhedralDef def = form_of((utPolyhedralModel)model, UT_POLYHEDRAL_REDUCED);
        def.slip = slip;
        def.mu_kinetic = mu_kinetic;
        utArena arena = test_arena();
        const Solved s = solve_form(&problem, &def, UT_LCP_LEMKE, &arena);
        CHECK_INT(s.form.lcp.n, model == 0 ? 2 + 4 + 1 : 2 + 4);
        CHECK_INT(s.form.stick[0], -1);
        CHECK_INT(s.form.stick[1], 0);
        CHECK_NEAR(s.r[0], r_n, 1e-14);
        CHECK_NEAR(s.r[1], 0.0, 1e-14);
        CHECK_NEAR(s.r[2], 0.4 * r_n, 1e-14);
        CHECK_NEAR(s.r[3], 1.0, 1e-14);
        CHECK_NEAR(s.r[4], -0.8, 1e-14); // sticks: 0.8 < 0.9
        CHECK_NEAR(s.u[4], 0.0, 1e-14);
    }
}

// ---- several contacts ---------------------------------------------------------------------------

// Lines e_j and mu are the force model's polygon with 2 k directions, turned by pi/2k, at mu /
// cos(pi/2k). Rows are independent and coefficients small, so that answers are unique; W has
// condition numbers up to some 1e3, hence 1e-12 of the largest entry.
TEST(a_circumscribed_polygon_is_a_larger_inscribed_one)
{
    static Random p;
    int slipping = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        const int k = 2 + (int)(seed % 3);
        const double turn = 0.01 * (double)seed;
        const utSection around = polygon(UT_SECTION_CIRCUMSCRIBED, 2 * k, turn);
        const utSection within = polygon(UT_SECTION_INSCRIBED, 2 * k, turn + PI / (2 * k));
        make_random(&p, 500 + seed, 1 + (int)(seed % 4), 0, 16, &around, 0.3);
        const utPolyhedralDef one = peiret(UT_POLYHEDRAL_REDUCED, NULL);
        utArena arena = test_arena();
        const Solved a = solve_form(&p.problem, &one, UT_LCP_LEMKE, &arena);
        const int nc = p.problem.contacts;
        for (int i = 0; i < nc; i++) {
            p.mu[i] /= cos(PI / (2 * k));
            slipping += hypot(a.u[3 * i + 1], a.u[3 * i + 2]) > 1e-6 && a.r[3 * i] > 1e-6;
        }
        p.problem.section = &within;
        const utPolyhedralDef other = form_of(UT_POLYHEDRAL_FORCE, UT_POLYHEDRAL_REDUCED);
        arena = test_arena();
        const Solved b = solve_form(&p.problem, &other, UT_LCP_LEMKE, &arena);
        double v[MAX_DOF], w[MAX_DOF];
        velocities(&p.problem, a.r, v);
        velocities(&p.problem, b.r, w);
        CHECK_NEAR(distance(3 * nc, a.r, b.r), 0.0, 1e-12 * size_of(3 * nc, b.r));
        CHECK_NEAR(distance(16, v, w), 0.0, 1e-12 * size_of(16, w));
    }
    CHECK(slipping > 200);
}

// From 1e-6 to 1e6 of the mass scale: kappa+ and kappa- are never both positive, and the motion is
// the one of the rule's rho. Beyond rho = 1 the matrix may be as badly conditioned as rho is large,
// so 1e-6 is asked for.
TEST(motion_does_not_depend_on_rho_over_twelve_decades)
{
    static Random p;
    for (uint64_t seed = 0; seed < 60; seed++) {
        const utSection section = lines(2 + (int)(seed % 3));
        make_random(&p, 900 + seed, 1 + (int)(seed % 3), 0, 14, &section, 0.3);
        double want[MAX_DOF] = {0};
        for (int c = 0; c <= 13; c++) {
            double rho[MAX_CONTACTS];
            for (int i = 0; i < MAX_CONTACTS; i++) {
                rho[i] = pow(10.0, c - 7) * (1.0 + 0.1 * i);
            }
            const utPolyhedralDef def = peiret(UT_POLYHEDRAL_REDUCED, c == 0 ? NULL : rho);
            utArena arena = test_arena();
            const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
            CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
            double v[MAX_DOF];
            velocities(&p.problem, s.r, v);
            if (c == 0) {
                memcpy(want, v, sizeof want);
            }
            CHECK_NEAR(distance(14, v, want), 0.0, 1e-6 * size_of(14, want));
            for (int j = 0; j < s.form.first[p.problem.contacts]; j++) {
                CHECK(!(s.z[s.form.kappa_plus + j] > 0.0 && s.z[s.form.kappa_minus + j] > 0.0));
            }
        }
    }
}

TEST(the_three_levels_agree)
{
    static Random p;
    const utSection section = lines(3);
    for (uint64_t seed = 0; seed < 60; seed++) {
        make_random(&p, 300 + seed, 1 + (int)(seed % 4), seed % 2 == 0 ? 0 : 2, 16, &section, 0.3);
        double want[MAX_DOF] = {0};
        for (int level = 0; level < 3; level++) {
            const utPolyhedralDef def = peiret((utPolyhedralLevel)level, NULL);
            utArena arena = test_arena();
            const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
            CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
            double v[MAX_DOF];
            velocities(&p.problem, s.r, v);
            if (level == 0) {
                memcpy(want, v, sizeof want);
                CHECK_NEAR(distance(16, s.z, v), 0.0, 1e-10 * size_of(16, want));
            }
            CHECK_NEAR(distance(16, v, want), 0.0, 1e-10 * size_of(16, want));
            CHECK(s.verdict.bilateral <= 1e-10);
        }
    }
}

// ---- redundancy ---------------------------------------------------------------------------------

// A particle that touches twice at the same place: the tangents' block has no inverse. The mixed
// form does without, and both contacts together do what one would.
TEST(redundant_tangents_have_no_reduced_form_and_are_solved_all_the_same)
{
    const utSection section = lines(2);
    const utCoulomb problem = {
        .dimension = 3,
        .contacts = 2,
        .mu = (double[]){0.5, 0.5},
        .section = &section,
        .dof = 3,
        .M = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1},
        .J = (double[]){0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0},
        .f = (double[]){6, 1, -G},
        .b = (double[]){0, 0, 0, 0, 0, 0},
    };
    utPolyhedralDef def = peiret(UT_POLYHEDRAL_REDUCED, NULL);
    utArena arena = test_arena();
    utPolyhedral form;
    utError err = {0};
    CHECK_INT(ut_polyhedral_create(&problem, &def, &arena, &form, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "tangents") != NULL && strstr(err.message, "mixed") != NULL);
    for (int level = UT_POLYHEDRAL_FULL; level <= UT_POLYHEDRAL_MIXED; level++) {
        def.level = (utPolyhedralLevel)level;
        arena = test_arena();
        const Solved s = solve_form(&problem, &def, UT_LCP_AUTO, &arena);
        CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
        CHECK_NEAR(s.r[0] + s.r[3], G, 1e-12);
        CHECK_NEAR(s.r[1] + s.r[4], -4.905, 1e-12);
        CHECK_NEAR(s.r[2] + s.r[5], -1.0, 1e-12);
        CHECK_NEAR(s.u[1], 1.095, 1e-12);
    }
}

// A table of 8 kg on four feet at (+-1, +-0.5), I_x = 2, I_y = 4: its normals have rank 3. Every
// foot has W_nn = 1/8 + 0.25/2 + 1/4 = w, and with relaxation eps by symmetry each carries
// m g / (4 + eps m w): unique, and short of the weight by eps m w/4 of it, here 1e-9.
TEST(relaxation_makes_the_feet_of_a_table_equal)
{
    const utSection section = lines(2);
    const double m = 8.0, w = 1.0 / 8.0 + 0.25 / 2.0 + 1.0 / 4.0, eps = 1e-9;
    const double M[] = {m, 0, 0, 0, 0, 0, 0, m, 0, 0, 0, 0, 0, 0, m, 0, 0, 0,
                        0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 3};
    double J[12 * 6] = {0};
    for (int i = 0; i < 4; i++) {
        const double x = i % 2 == 0 ? 1.0 : -1.0, y = i / 2 == 0 ? 0.5 : -0.5;
        double* row = J + 18 * i;
        row[2] = 1.0; // n: v_z + omega_x y - omega_y x
        row[3] = y;
        row[4] = -x;
        row[6 + 0] = 1.0; // t1: v_x - omega_z y
        row[6 + 5] = -y;
        row[12 + 1] = 1.0; // t2: v_y + omega_z x
        row[12 + 5] = x;
    }
    const utCoulomb problem = {
        .dimension = 3,
        .contacts = 4,
        .mu = (double[]){0.5, 0.5, 0.5, 0.5},
        .section = &section,
        .dof = 6,
        .M = M,
        .J = J,
        .f = (double[]){4.0, 0, -m * G, 0, 0, 0},
        .b = (double[12]){0},
    };
    for (int model = 0; model < 2; model++) {
        for (int level = UT_POLYHEDRAL_FULL; level <= UT_POLYHEDRAL_MIXED; level++) {
            utPolyhedralDef def = form_of((utPolyhedralModel)model, (utPolyhedralLevel)level);
            def.relaxation = eps;
            utArena arena = test_arena();
            const Solved s = solve_form(&problem, &def, UT_LCP_AUTO, &arena);
            CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
            const double sum = s.r[0] + s.r[3] + s.r[6] + s.r[9];
            CHECK_NEAR(sum, 4.0 * m * G / (4.0 + eps * m * w), 1e-11 * m * G);
            CHECK_NEAR(sum, m * G, 2e-9 * m * G);
            for (int i = 0; i < 4; i++) {
                // the residual of the LCP over the relaxation
                CHECK_NEAR(s.r[3 * i], 0.25 * m * G, 1e-4 * m * G);
            }
            CHECK_NEAR(s.r[1] + s.r[4] + s.r[7] + s.r[10], -4.0, 1e-11);
        }
    }
}
