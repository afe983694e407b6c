// SPDX-License-Identifier: Apache-2.0
// Rows P1 to P22: the discretized friction model with phantom inertia (Peiret, Kövecses and
// Font-Llagunes).
#include "cases.h"

#include <uptack/uniqueness.h>

static const double H = 0.01;

static utSection lines(int k)
{
    return polygon(UT_SECTION_CIRCUMSCRIBED, 2 * k, 0.0);
}

static utPrintedDef peiret(const double* rho)
{
    utPrintedDef def = ut_printed_def(UT_NOTATION_PEIRET, 1.0);
    def.rho = rho;
    return def;
}

// A particle of 1 kg at rest under a horizontal load and gravity, on accelerations.
static void loaded(Particle* p, int k, double fx, double fy)
{
    make_particle(p, lines(k), 1.0, 0.5, (double[]){fx, fy, -GRAVITY});
}

// Three or more directions and no redundancy: bodies of 3 velocities a contact.
static void random_problem(Random* p, uint64_t seed, const utSection* section)
{
    make_random(p, seed, 1 + (int)(seed % 3), 0, 9, section, 0.9);
}

// ---- P1 to P8: the model ------------------------------------------------------------------------

TEST(P1_force_and_acceleration_models_start_together)
{
    for (int k = 2; k <= 8; k *= 2) {
        const utSection in = polygon(UT_SECTION_INSCRIBED, 2 * k, 0.0);
        CHECK_NEAR(stick_limit(in, UT_NOTATION_DART, 0.0), 1.0, 1e-9);
        CHECK_NEAR(stick_limit(lines(k), UT_NOTATION_PEIRET, 0.0), 1.0, 1e-9);
    }
}

// A box that slides is braked by mu_k g whatever the polygon, against its slip.
TEST(P2_sliding_contacts_have_the_kinetic_law)
{
    Lab lab = lab_open(H);
    lab.options.formulation = UT_FORMULATION_PEIRET_ACCELERATION;
    lab.options.directions = 4;
    lab_floor(&lab, 0.5);
    lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.2, 0.3, 0.1), 2.0, 0.5);
    lab_start(&lab);
    const double speed = 1.0, angle = 0.4;
    lab_velocity(&lab, 0, speed * cos(angle));
    double v[6] = {speed * cos(angle), speed * sin(angle)};
    lab_state(&lab, NULL, v);
    lab_steps(&lab, 10, NULL, NULL);
    const double left = speed - 10 * H * 0.5 * GRAVITY;
    CHECK_NEAR(ut_sim_v(lab.sim)[0], left * cos(angle), 1e-10);
    CHECK_NEAR(ut_sim_v(lab.sim)[1], left * sin(angle), 1e-10);
    lab_end(&lab);

    // a report that says otherwise of the friction does not pass
    utArena copies = test_arena();
    lab = lab_open(H);
    lab.options.formulation = UT_FORMULATION_PEIRET_ACCELERATION;
    lab_floor(&lab, 0.5);
    lab_ball(&lab, ut_vec3(0, 0, 0.1), 0.1, 1.0, 0.5);
    lab_start(&lab);
    lab_velocity(&lab, 0, 1.0);
    utStepResult result;
    lab_step(&lab, NULL, &result);
    for (int k = 0; k < 4; k++) {
        utContact contact = result.report.contact[0];
        utStepReport other = result.report;
        utCertificate certificate;
        other.contact = &contact;
        contact.r[0] *= k == 1 ? 1 + 1e-6 : 1.0;
        contact.r[1] *= k == 2 ? 1 - 1e-6 : 1.0;
        contact.r[2] += k == 3 ? 1e-6 * contact.r[0] : 0.0;
        CHECK_INT(ut_certify(&other, 1e-8, copies, &certificate), UT_OK);
        CHECK((certificate.E <= 1e-8) == (k == 0) && certificate.passed == (k == 0));
    }
    lab_end(&lab);

    // kinetic friction of its own, sliding contacts without a cone
    Particle p;
    loaded(&p, 4, 0, 0);
    const double slip[] = {0.6, -0.8}, kinetic = 0.3;
    utPolyhedralDef def = form_of(UT_POLYHEDRAL_ACCELERATION, UT_POLYHEDRAL_REDUCED);
    def.slip = slip;
    def.mu_kinetic = &kinetic;
    utArena arena = test_arena();
    const Solved s = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
    CHECK_INT(s.form.lcp.n, 1);
    CHECK_NEAR(s.r[1], -0.3 * GRAVITY * 0.6, 1e-12);
    CHECK_NEAR(s.r[2], 0.3 * GRAVITY * 0.8, 1e-12);
}

// What the solved unknowns say of one contact, in the paper's letters.
typedef struct Letters {
    int k;
    double normal, tangent[2], plus[8], minus[8], sigma_plus[8], sigma_minus[8], rate[2];
} Letters;

static Letters read_letters(const utCoulomb* problem, double rho, utArena* arena)
{
    const utPrintedDef def = peiret(&rho);
    const Printed s = solve_printed(problem, &def, UT_LCP_LEMKE, arena);
    CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
    double w[32];
    ut_lcp_slack(&s.system.lcp, s.z, w);
    Letters l = {.k = problem->section->edges / 2};
    const int plus = start_of(&s.system, "kappa+"), minus = start_of(&s.system, "kappa-");
    l.normal = s.z[start_of(&s.system, "lambda_n")];
    for (int c = 0; c < 2; c++) {
        l.tangent[c] = s.z[start_of(&s.system, "lambda_t") + c];
        l.rate[c] = s.z[c]; // J_t of a particle is the unit matrix, J̇ is 0
    }
    for (int j = 0; j < l.k; j++) {
        l.plus[j] = s.z[plus + j];
        l.minus[j] = s.z[minus + j];
        l.sigma_minus[j] = w[plus + j];
        l.sigma_plus[j] = w[minus + j];
    }
    return l;
}

TEST(P3_accelerations_are_made_of_kappa)
{
    for (int k = 2; k <= 6; k++) {
        Particle p;
        loaded(&p, k, 7.0, 5.0);
        utArena arena = test_arena();
        const Letters l = read_letters(&p.problem, 0.3, &arena);
        double rate[2] = {0, 0};
        for (int j = 0; j < k; j++) {
            rate[0] += (l.plus[j] - l.minus[j]) * cos(PI * j / k);
            rate[1] += (l.plus[j] - l.minus[j]) * sin(PI * j / k);
        }
        CHECK_NEAR(distance(2, rate, l.rate), 0.0, 1e-12);
        CHECK(hypot(rate[0], rate[1]) > 0.1);
    }
}

TEST(P4_saturations)
{
    for (int k = 2; k <= 6; k++) {
        Particle p;
        loaded(&p, k, 7.0, 5.0);
        utArena arena = test_arena();
        const Letters l = read_letters(&p.problem, 0.3, &arena);
        for (int j = 0; j < k; j++) {
            const double along = cos(PI * j / k) * l.tangent[0] + sin(PI * j / k) * l.tangent[1];
            CHECK_NEAR(l.sigma_plus[j], 0.5 * l.normal - along + 0.3 * l.plus[j], 1e-12);
            CHECK_NEAR(l.sigma_minus[j], 0.5 * l.normal + along + 0.3 * l.minus[j], 1e-12);
        }
    }
}

// sigma+ belongs to kappa- and sigma- to kappa+. With the rows exchanged, the right answer does not
// pass, and what is found drives the particle or nothing is.
TEST(P5_saturations_are_paired_across)
{
    Particle p;
    loaded(&p, 2, 6.0, 0.0);
    utArena arena = test_arena();
    const Letters l = read_letters(&p.problem, 0.3, &arena);
    for (int j = 0; j < 2; j++) {
        CHECK_NEAR(l.sigma_plus[j] * l.minus[j], 0.0, 1e-12);
        CHECK_NEAR(l.sigma_minus[j] * l.plus[j], 0.0, 1e-12);
    }
    CHECK(l.sigma_plus[0] * l.plus[0] > 1.0);

    const double rho = 0.3;
    const utPrintedDef def = peiret(&rho);
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    const int n = s.system.lcp.n, plus = start_of(&s.system, "kappa+"), k = 2;
    double M[100], q[10];
    memcpy(M, s.system.lcp.M, sizeof M);
    memcpy(q, s.system.lcp.q, sizeof q);
    for (int j = 0; j < k; j++) {
        memcpy(M + (plus + j) * n, s.system.lcp.M + (plus + k + j) * n, (size_t)n * sizeof *M);
        memcpy(M + (plus + k + j) * n, s.system.lcp.M + (plus + j) * n, (size_t)n * sizeof *M);
    }
    const utLcp wrong = {.n = n, .M = M, .q = q, .free_count = s.system.lcp.free_count};
    CHECK(ut_lcp_residual(&wrong, s.z) > 0.01);
    const utLcpDef settings = ut_lcp_def();
    utLcpInfo info;
    double z[10];
    CHECK_INT(ut_lcp_solve(&wrong, UT_LCP_LEMKE, &settings, arena, z, &info), UT_OK);
    CHECK(info.outcome != UT_LCP_SOLVED || fabs(z[0] - 1.095) > 0.1);
}

TEST(P6_never_both_ways)
{
    const utSection section = lines(4);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        Random p;
        random_problem(&p, seed, &section);
        utRng rng = ut_rng(seed, 6);
        double rho[3];
        for (int i = 0; i < 3; i++) {
            rho[i] = pow(10.0, ut_rng_range(&rng, -6, 6));
        }
        const utPrintedDef def = peiret(rho);
        utArena arena = test_arena();
        const Printed s = solve_printed(&p.problem, &def, UT_LCP_AUTO, &arena);
        if (!CHECK_INT(s.info.outcome, UT_LCP_SOLVED)) {
            continue;
        }
        const int plus = start_of(&s.system, "kappa+"), minus = start_of(&s.system, "kappa-");
        for (int i = 0; i < p.problem.contacts; i++) {
            for (int j = 4 * i; j < 4 * i + 4 && s.r[3 * i] > 1e-6; j++) {
                CHECK(!(s.z[plus + j] > 1e-9 && s.z[minus + j] > 1e-9));
            }
        }
    }
}

// Forces (6, 0): a = 6 - 4.905. (4, 4) with four lines: friction at a corner of the octagon, or in
// the middle of the edge along (1, 1): 4.905 along it, so a = 4 - 4.905/sqrt(2).
TEST(P7_rho_does_not_change_the_dynamics)
{
    const double rhos[] = {1e-3, 0.1, 1.0, 10.0, 1e3};
    for (int i = 0; i < 5; i++) {
        utArena arena = test_arena();
        Particle p;
        loaded(&p, 2, 6.0, 0.0);
        Letters l = read_letters(&p.problem, rhos[i], &arena);
        CHECK_NEAR(l.rate[0], 1.095, 1e-10);
        CHECK_NEAR(l.tangent[0], -4.905, 1e-10);
        loaded(&p, 4, 4.0, 4.0);
        l = read_letters(&p.problem, rhos[i], &arena);
        CHECK_NEAR(l.rate[0], 0.531641, 5e-7);
        CHECK_NEAR(l.rate[1], 0.531641, 5e-7);
        CHECK_NEAR(l.rate[0], 4.0 - 4.905 * sqrt(0.5), 1e-10);
    }
    // and in a sim that starts at rest, with the inertia set or by rule
    for (int i = 0; i < 6; i++) {
        Lab lab = lab_open(H);
        lab.options.formulation = UT_FORMULATION_PEIRET_ACCELERATION;
        lab.options.rho = i < 5 ? rhos[i] : 0.0;
        lab.options.directions = 8;
        lab_floor(&lab, 0.5);
        const int box = lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.2, 0.2, 0.1), 1.0, 0.5);
        lab_start(&lab);
        lab_push(&lab, 1, box, ut_vec3(4, 4, 0), NULL);
        CHECK_NEAR(ut_sim_v(lab.sim)[0] / H, 0.531641, 5e-7);
        CHECK_NEAR(ut_sim_v(lab.sim)[1] / H, 0.531641, 5e-7);
        lab_end(&lab);
    }
}

// The figure's two diagrams along one line: on the left, at rest, the force takes any value up to
// mu N against the load and nothing moves; on the right, beyond it, the force stays at mu N and
// kappa of that side grows with what the load has left.
TEST(P8_static_friction_left_and_stick_slip_right)
{
    const double most = 4.905;
    for (int i = -16; i <= 16; i++) {
        utArena arena = test_arena();
        Particle p;
        const double load = 0.5 * i, left = fabs(load) - most;
        loaded(&p, 2, load, 0.0);
        const Letters l = read_letters(&p.problem, 0.1, &arena);
        const double moves = left > 0.0 ? copysign(left, load) : 0.0;
        CHECK_NEAR(l.rate[0], moves, 1e-10);
        CHECK_NEAR(l.tangent[0], left > 0.0 ? -copysign(most, load) : -load, 1e-10);
        CHECK_NEAR(l.plus[0], load > 0.0 && left > 0.0 ? left : 0.0, 1e-10);
        CHECK_NEAR(l.minus[0], load < 0.0 && left > 0.0 ? left : 0.0, 1e-10);
    }
}

// ---- P9 to P15: multibody systems ---------------------------------------------------------------

// A ball on a plane, a ball on a ball, a capsule and a box on their ends: the gap's second
// derivative along q ⊕ t v, by differences of the collision code's gaps.
static double gap_at(Lab* lab, const double* q, const double* v, double t, utArena arena)
{
    double* moved = UT_PUSH(&arena, double, lab->model->nq);
    ut_model_integrate(lab->model, q, v, t, moved);
    lab_state(lab, moved, v);
    const utCoulomb p = next_problem(lab, NULL, &arena);
    // b_n = gap / h + what moves by itself, which is nothing here
    return p.contacts > 0 ? lab->options.dt * p.b[0] : HUGE_VAL;
}

static Lab touching_pair(int kind)
{
    Lab lab = lab_open(0.1);
    lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE;
    if (kind == 0 || kind >= 2) {
        lab_floor(&lab, 0.5);
    } else {
        lab_ball(&lab, ut_vec3(0, 0, -0.3), 0.3, 2.0, 0.5);
    }
    if (kind <= 1) {
        lab_ball(&lab, ut_vec3(0, 0, 0.2), 0.2, 1.0, 0.5);
    } else {
        const int body = lab_body(&lab, NULL, ut_vec3(0, 0, 0.3));
        lab_free(&lab, body);
        lab_geom(&lab, body, kind == 2 ? UT_SHAPE_CAPSULE : UT_SHAPE_BOX,
                 kind == 2 ? ut_vec3(0.1, 0.3, 0) : ut_vec3(0.1, 0.15, 0.2), 1.0, 0.5);
    }
    lab_start(&lab);
    return lab;
}

TEST(P10_rates_of_the_rows)
{
    for (int kind = 0; kind < 4; kind++) {
        Lab lab = touching_pair(kind);
        utArena arena = test_arena();
        double* q = UT_PUSH(&arena, double, lab.model->nq);
        double* v = UT_PUSH(&arena, double, lab.model->nv);
        memcpy(q, ut_sim_q(lab.sim), (size_t)lab.model->nq * sizeof *q);
        utRng rng = ut_rng(10, (uint64_t)kind);
        for (int k = 0; k < lab.model->nv; k++) {
            v[k] = ut_rng_range(&rng, -1, 1);
        }
        if (kind >= 2) { // tilted, so that one point is the lowest
            const double s = sin(0.3), c = cos(0.3);
            q[3] = c;
            q[4] = 0.8 * s;
            q[5] = 0.6 * s;
            q[6] = 0.0;
            lab_state(&lab, q, v);
            q[2] -= gap_at(&lab, q, v, 0.0, arena);
        }
        // the normal row
        const double e = 1e-4;
        const double second = (gap_at(&lab, q, v, e, arena) - 2 * gap_at(&lab, q, v, 0.0, arena) +
                               gap_at(&lab, q, v, -e, arena)) /
                              (e * e);
        lab_state(&lab, q, v);
        utStepResult result;
        utError err;
        CHECK_INT(ut_sim_step(lab.sim, NULL, &result, &err), UT_OK);
        const utContact* c = &result.report.contact[0];
        utKinematics kin;
        CHECK_INT(ut_kinematics_create(lab.model, &arena, &kin), UT_OK);
        ut_kinematics_place(&kin, q, NULL, NULL);
        ut_kinematics_move(&kin, v, NULL);
        double rate[3];
        ut_contact_rate(&kin, c->geom1, c->geom2, c->point, c->frame, c->gap, rate);
        // second differences of gaps known to 1e-16: 4e-16 / 1e-8, and e^2 times the fourth
        // derivative
        CHECK_NEAR(rate[0], second, 1e-6);
        CHECK(fabs(second) > 1e-3 || kind == 0);
        lab_close(&lab);
    }
}

// Relative velocity of the first contact where the bodies are at q ⊕ t v; all moves at v.
static void contact_velocity(Lab* lab, const double* q, const double* v, double t, utArena arena,
                             double u[3], double rate[3])
{
    double* moved = UT_PUSH(&arena, double, lab->model->nq);
    ut_model_integrate(lab->model, q, v, t, moved);
    lab_state(lab, moved, v);
    utStepResult result;
    CHECK_INT(ut_sim_step(lab->sim, NULL, &result, NULL), UT_OK);
    if (!CHECK(result.report.contacts > 0)) {
        return;
    }
    const utContact* c = &result.report.contact[0];
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(lab->model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, moved, NULL, NULL);
    ut_kinematics_move(&kin, v, NULL);
    const utVec3 apart =
        ut_vec3_sub(ut_point_velocity(&kin, lab->model->geom[c->geom2].body, c->point),
                    ut_point_velocity(&kin, lab->model->geom[c->geom1].body, c->point));
    for (int k = 0; k < 3; k++) {
        u[k] = ut_vec3_dot(c->frame[k], apart);
    }
    ut_contact_rate(&kin, c->geom1, c->geom2, c->point, c->frame, c->gap, rate);
}

// A ball that rolls without slip on a platform or on a ball, both of which fly and turn, in either
// order of the two: all three rows against differences of u.
TEST(P10_rates_of_what_rolls_on_what_turns)
{
    for (int kind = 0; kind < 4; kind++) {
        Lab lab = lab_open(1e-3);
        lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE;
        const bool ball = kind % 2 == 1, swapped = kind >= 2;
        const utVec3 at = ut_vec3(ball ? 0.0 : 0.3, ball ? 0.0 : 0.1, 0.2);
        for (int side = 0; side < 2; side++) {
            if ((side == 1) != swapped) {
                lab_ball(&lab, at, 0.2, 1.0, 0.5);
            } else if (ball) {
                lab_ball(&lab, ut_vec3(0, 0, -0.3), 0.3, 2.0, 0.5);
            } else {
                lab_box(&lab, ut_vec3(0, 0, -0.1), ut_vec3(1, 1, 0.1), 2.0, 0.5);
            }
        }
        lab_start(&lab);
        utArena arena = test_arena();
        utRng rng = ut_rng(11, (uint64_t)kind);
        double q[14], v[12];
        memcpy(q, ut_sim_q(lab.sim), sizeof q);
        for (int k = 0; k < 12; k++) {
            v[k] = ut_rng_range(&rng, -1, 1);
        }
        // the ball's centre moves as rolling asks: v_ball - w x R n = v of the other at the contact
        const int one = swapped ? 0 : 6, other = 6 - one;
        const utVec3 n = ut_vec3(0, 0, 1);
        const utVec3 below = ball ? ut_vec3(0, 0, 0.3) : ut_vec3(0.3, 0.1, 0.1);
        const utVec3 w = ut_vec3(v[one + 3], v[one + 4], v[one + 5]);
        const utVec3 spin = ut_vec3(v[other + 3], v[other + 4], v[other + 5]);
        utVec3 center =
            ut_vec3_add(ut_vec3(v[other], v[other + 1], v[other + 2]), ut_vec3_cross(spin, below));
        center = ut_vec3_add(center, ut_vec3_scale(ut_vec3_cross(w, n), 0.2));
        v[one] = center.x;
        v[one + 1] = center.y;
        v[one + 2] = center.z;

        const double e = 1e-5;
        double u[3][3], rate[3], unused[3];
        contact_velocity(&lab, q, v, -e, arena, u[0], unused);
        contact_velocity(&lab, q, v, e, arena, u[2], unused);
        contact_velocity(&lab, q, v, 0.0, arena, u[1], rate);
        CHECK_NEAR(size_of(3, u[1]), 0.0, 1e-14);
        for (int k = 0; k < 3; k++) {
            // differences of numbers known to 1e-15 or so, over 2e-5; and e^2
            CHECK_NEAR((u[2][k] - u[0][k]) / (2 * e), rate[k], 1e-8);
        }
        CHECK(size_of(3, rate) > 1e-3);
        lab_close(&lab);
    }
}

// A ball that rolls and spins on the floor: J_t (v, w) = v - R w x n with n fixed, so J̇_t v = 0,
// while the material point under it has w x (w x r).
TEST(P10_rates_of_a_rolling_ball)
{
    Lab lab = touching_pair(0);
    utArena arena = test_arena();
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(lab.model, &arena, &kin), UT_OK);
    const double v[] = {1.0, 0.0, 0.0, 0.0, 5.0, 3.0};
    ut_kinematics_place(&kin, ut_sim_q(lab.sim), NULL, NULL);
    ut_kinematics_move(&kin, v, NULL);
    utVec3 frame[3] = {ut_vec3(0, 0, 1)};
    ut_tangent_basis(frame[0], &frame[1], &frame[2]);
    double rate[3];
    ut_contact_rate(&kin, 0, 1, ut_vec3_zero(), frame, 0.0, rate);
    CHECK_NEAR(size_of(3, rate), 0.0, 1e-14);
    // so a ball that rolls keeps its speed and its weight
    lab_close(&lab);
    lab = lab_open(H);
    lab.options.formulation = UT_FORMULATION_PEIRET_ACCELERATION;
    lab_floor(&lab, 0.5);
    lab_ball(&lab, ut_vec3(0, 0, 0.2), 0.2, 1.0, 0.5);
    lab_start(&lab);
    lab_state(&lab, NULL, v);
    utStepResult result;
    lab_steps(&lab, 50, NULL, &result);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 1.0, 1e-12);
    CHECK_NEAR(result.report.contact[0].r[0] / H, GRAVITY, 1e-10);
    lab_end(&lab);

    // over the top of another ball it is lighter by m v^2 / L, L the distance of their centres
    lab = lab_open(H);
    lab.options.formulation = UT_FORMULATION_PEIRET_ACCELERATION;
    lab_geom(&lab, 0, UT_SHAPE_SPHERE, ut_vec3(0.5, 0, 0), 0.0, 0.5);
    lab_ball(&lab, ut_vec3(0, 0, 0.7), 0.2, 1.0, 0.5);
    lab_start(&lab);
    lab_state(&lab, NULL, (double[]){0.8, 0, 0, 0, 4.0, 0});
    lab_step(&lab, NULL, &result);
    CHECK_NEAR(result.report.contact[0].r[0] / H, GRAVITY - 0.8 * 0.8 / 0.7, 1e-10);
    lab_end(&lab);
}

TEST(P11_P13_P14_the_lead_matrix)
{
    // one particle of 2 kg, k = 2 lines x and y, mu = 0.5, rho = 0.7: 6 + 2 k unknowns, by hand
    const double m = 2.0, mu = 0.5, rho = 0.7;
    Particle p;
    make_particle(&p, lines(2), m, mu, (double[]){1, 2, -3});
    p.b[0] = 0.1;
    p.b[1] = 0.2;
    p.b[2] = 0.3;
    const utPrintedDef def = peiret(&rho);
    utArena arena = test_arena();
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    const double want[100] = {
        //       v       lambda_t n  kappa+  kappa-
        m, 0, 0, -1, 0,  0,  0,  0,   0,   0, // M v' - J_t'lambda_t - J_n'lambda_n
        0, m, 0, 0,  -1, 0,  0,  0,   0,   0, //
        0, 0, m, 0,  0,  -1, 0,  0,   0,   0, //
        1, 0, 0, 0,  0,  0,  -1, 0,   1,   0, // J_t v' - E kappa+ + E kappa-
        0, 1, 0, 0,  0,  0,  0,  -1,  0,   1, //
        0, 0, 1, 0,  0,  0,  0,  0,   0,   0, // J_n v'
        0, 0, 0, 1,  0,  mu, 0,  0,   rho, 0, // sigma-
        0, 0, 0, 0,  1,  mu, 0,  0,   0,   rho, 0, 0, 0, -1, 0, mu, rho, 0, 0, 0, // sigma+
        0, 0, 0, 0,  -1, mu, 0,  rho, 0,   0,
    };
    const double q[10] = {-1, -2, 3, 0.2, 0.3, 0.1};
    CHECK_INT(s.system.lcp.n, 6 + 2 * 2);
    CHECK_INT(s.system.lcp.free_count, 5);
    CHECK_NEAR(distance(100, s.system.lcp.M, want), 0.0, 1e-15);
    CHECK_NEAR(distance(10, s.system.lcp.q, q), 0.0, 0.0);
    static const char* const order[] = {"vdot", "lambda_t", "lambda_n", "kappa+", "kappa-"};
    CHECK_INT(s.system.parts, 5);
    for (int k = 0; k < 5; k++) {
        CHECK_TEXT(s.system.part[k].unknown, order[k]);
    }
    CHECK_INT(s.system.part[1].size, 2); // lambda_t: J_t is 2 r x n
    for (int k = 2; k <= 6; k++) {
        Particle other;
        loaded(&other, k, 1, 0);
        utPrinted system;
        CHECK_INT(ut_printed_create(&other.problem, &def, &arena, &system, NULL), UT_OK);
        CHECK_INT(system.lcp.n, 6 + 2 * k);
    }
}

TEST(P9_P12_contacts_with_lines_of_their_own)
{
    const utSection sections[] = {lines(2), lines(3), lines(5)};
    const int which[] = {0, 1, 2};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Random p;
        make_random(&p, seed, 3, 0, 9, sections, 0.6);
        p.problem.section_of = which;
        const double rho[] = {0.1, 0.2, 0.3};
        const utPrintedDef def = peiret(rho);
        utArena arena = test_arena();
        const Printed s = solve_printed(&p.problem, &def, UT_LCP_AUTO, &arena);
        CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
        CHECK_INT(s.system.lcp.n, 9 + 6 + 3 + 2 * (2 + 3 + 5));
        utCoulombVerdict verdict;
        CHECK_INT(ut_coulomb_judge(&p.problem, false, s.r, arena, NULL, &verdict), UT_OK);
        CHECK(verdict.E <= 1e-8);
    }
}

TEST(P15_schur_elimination)
{
    const utSection section = lines(4);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        Random p;
        random_problem(&p, seed, &section);
        double v[2][MAX_DOF];
        for (int reduced = 0; reduced < 2; reduced++) {
            utPrintedDef def = peiret(NULL);
            def.level = reduced ? UT_POLYHEDRAL_REDUCED : UT_POLYHEDRAL_FULL;
            utArena arena = test_arena();
            const Printed s = solve_printed(&p.problem, &def, UT_LCP_AUTO, &arena);
            CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
            CHECK(!reduced || s.system.lcp.free_count == 0);
            velocities(&p.problem, s.r, v[reduced]);
        }
        CHECK_NEAR(distance(9, v[0], v[1]), 0.0, 1e-8);
    }
}

// ---- P16, P17 -----------------------------------------------------------------------------------

TEST(P16_ranks)
{
    const int k_of[] = {2, 3, 4, 6}, sizes[] = {10, 12, 14, 18}, reduced_sizes[] = {5, 7, 9, 13};
    for (int c = 0; c < 4; c++) {
        Particle p;
        loaded(&p, k_of[c], 1, 0);
        for (int with = 0; with < 2; with++) {
            const double rho = with;
            for (int reduced = 0; reduced < 2; reduced++) {
                utPrintedDef def = peiret(&rho);
                def.level = reduced ? UT_POLYHEDRAL_REDUCED : UT_POLYHEDRAL_FULL;
                utArena arena = test_arena();
                utPrinted system;
                int rank;
                CHECK_INT(ut_printed_create(&p.problem, &def, &arena, &system, NULL), UT_OK);
                const int n = system.lcp.n;
                CHECK_INT(n, reduced ? reduced_sizes[c] : sizes[c]);
                CHECK_INT(ut_matrix_rank(n, n, system.lcp.M, 0.0, arena, &rank), UT_OK);
                CHECK_INT(rank, with ? n : reduced ? 3 : 8);
            }
        }
    }
}

// The eigenvalues of E'(G^-1)_tt E that are not 0 are those of (G^-1)_tt E E' = (k/2) (G^-1)_tt,
// for k lines evenly spread. Singular at twice each of them, and nowhere near by; our rule stays
// below.
TEST(P16_singular_exactly_at_twice_the_eigenvalues)
{
    const int k = 3;
    const utSection section = lines(k);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Random p;
        make_random(&p, seed, 1, 0, 5, &section, 0.7);
        // G = J M^-1 J', its inverse's tangent block, eigenvalues of a 2 x 2
        double G[9], X[3][5], inverse[9];
        for (int i = 0; i < 3; i++) {
            solve_dense(5, p.M, p.J + 5 * i, X[i]);
        }
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                G[3 * i + j] = 0.0;
                for (int l = 0; l < 5; l++) {
                    G[3 * i + j] += p.J[5 * i + l] * X[j][l];
                }
            }
        }
        for (int j = 0; j < 3; j++) {
            double unit[3] = {j == 0, j == 1, j == 2}, column[3];
            solve_dense(3, G, unit, column);
            for (int i = 0; i < 3; i++) {
                inverse[3 * i + j] = column[i];
            }
        }
        const double a = inverse[4], b = inverse[5], d = inverse[8];
        const double root = sqrt(0.25 * (a - d) * (a - d) + b * b);
        const double eig[2] = {0.5 * k * (0.5 * (a + d) - root), 0.5 * k * (0.5 * (a + d) + root)};
        double least[3], at[3] = {2 * eig[0], 2 * eig[1], 0.0};
        for (int c = 0; c < 3; c++) {
            const utPrintedDef def = peiret(c < 2 ? &at[c] : NULL);
            utArena arena = test_arena();
            utPrinted system;
            double s[14];
            CHECK_INT(ut_printed_create(&p.problem, &def, &arena, &system, NULL), UT_OK);
            CHECK_INT(ut_matrix_singular(14, 14, system.lcp.M, arena, s), UT_OK);
            least[c] = s[13] / s[0];
            if (c == 2) {
                CHECK(system.form.rho[0] < 2 * eig[0]);
            }
        }
        CHECK(least[0] < 1e-13 && least[1] < 1e-13);
        CHECK(least[2] > 1e-5);
        // and 1 % beside it is regular
        const double beside = 1.01 * at[0];
        const utPrintedDef def = peiret(&beside);
        utArena arena = test_arena();
        utPrinted system;
        int rank;
        CHECK_INT(ut_printed_create(&p.problem, &def, &arena, &system, NULL), UT_OK);
        CHECK_INT(ut_matrix_rank(14, 14, system.lcp.M, 0.0, arena, &rank), UT_OK);
        CHECK_INT(rank, 14);
    }
}

TEST(P16_360_random_problems_are_solved)
{
    const int k_of[] = {2, 3, 4, 6};
    int solved = 0;
    for (int c = 0; c < 4; c++) {
        const utSection section = lines(k_of[c]);
        for (uint64_t seed = 1; seed <= 90; seed++) {
            Random p;
            random_problem(&p, 1000 * (uint64_t)c + seed, &section);
            const utPrintedDef def = peiret(NULL);
            utArena arena = test_arena();
            const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
            utCoulombVerdict verdict;
            ut_coulomb_judge(&p.problem, false, s.r, arena, NULL, &verdict);
            solved += s.info.outcome == UT_LCP_SOLVED && verdict.E <= 1e-8;
        }
    }
    CHECK_INT(solved, 360);
}

TEST(P17_stick_limits_of_circumscribed_polygons)
{
    const struct {
        int k;
        double ratio;
    } cases[] = {{2, 1.41421}, {4, 1.08239}, {8, 1.01959}};
    for (int c = 0; c < 3; c++) {
        const int k = cases[c].k;
        CHECK_NEAR(stick_limit(lines(k), UT_NOTATION_PEIRET, PI / k), 1.0, 1e-9);
        const double between = stick_limit(lines(k), UT_NOTATION_PEIRET, 0.5 * PI / k);
        CHECK_NEAR(between, 1.0 / cos(0.5 * PI / k), 1e-9);
        CHECK_NEAR(between, cases[c].ratio, 5e-6);
    }
}

// ---- P18 to P22: redundancy ---------------------------------------------------------------------

static Lab table(double relaxation, bool minnorm)
{
    Lab lab = lab_open(H);
    lab.options.formulation = UT_FORMULATION_PEIRET;
    lab.options.relaxation = relaxation;
    lab.options.minnorm = minnorm;
    lab_floor(&lab, 0.5);
    lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.4, 0.3, 0.1), 2.0, 0.5);
    lab_start(&lab);
    return lab;
}

// Relaxed normals give way by eps W_nn r_n: for four equal feet r_n = m g h / (4 + eps m W_nn).
TEST(P18_relaxed_constraints)
{
    const double eps = 1e-3;
    Lab lab = table(eps, false);
    utArena arena = test_arena();
    const utCoulomb p = next_problem(&lab, NULL, &arena);
    double W = 1.0 / p.M[0];
    // W_nn of a corner: 1/m + x^2/I_y + y^2/I_x of the box
    const double Ix = 2.0 / 3 * (0.3 * 0.3 + 0.1 * 0.1), Iy = 2.0 / 3 * (0.4 * 0.4 + 0.1 * 0.1);
    W += 0.4 * 0.4 / Iy + 0.3 * 0.3 / Ix;
    utStepResult result;
    CHECK_INT(ut_sim_step(lab.sim, NULL, &result, NULL), UT_ERR_NOT_TAKEN);
    CHECK_INT(result.report.contacts, 4);
    const double foot = 2.0 * GRAVITY * H / (4.0 + eps * 2.0 * W);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(result.report.contact[i].r[0], foot, 1e-10);
    }
    CHECK_INT(result.outcome, UT_STEP_UNCERTIFIED); // inexact, and said so
    lab_close(&lab);
    // at an eps below the tolerance the sum is the weight, and the law holds
    lab = table(1e-10, false);
    lab_step(&lab, NULL, &result);
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        sum += result.report.contact[i].r[0] / H;
    }
    CHECK_NEAR(sum, 2.0 * GRAVITY, 1e-8);
    lab_end(&lab);
}

TEST(P19_least_norm)
{
    Lab lab = table(0.0, true);
    utStepResult result;
    lab_step(&lab, NULL, &result);
    CHECK_INT(result.report.contacts, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(result.report.contact[i].r[0] / H, 2.0 * GRAVITY / 4, 1e-9);
    }
    lab_end(&lab);
}

// Four feet with three rows each on six velocities: 12 unknowns of rank 6.
TEST(P20_redundancy_is_told)
{
    Lab lab = table(0.0, false);
    utArena arena = test_arena();
    const utCoulomb p = next_problem(&lab, NULL, &arena);
    int rank;
    CHECK_INT(ut_matrix_rank(12, 6, p.J, 0.0, arena, &rank), UT_OK);
    CHECK_INT(rank, 6);
    utBlocks b;
    CHECK_INT(ut_blocks_create(&p, false, &arena, &b, NULL), UT_OK);
    CHECK_INT(ut_matrix_rank(6, 4, b.W_n, 0.0, arena, &rank), UT_OK);
    CHECK_INT(rank, 3); // normals alone: a fourth foot adds nothing
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    double r[12];
    CHECK_INT(ut_coulomb_solve(&p, UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
    utUniqueness told;
    utArena memory, keep;
    CHECK_INT(ut_arena_create(0, NULL, &memory), UT_OK);
    keep = memory;
    CHECK_INT(ut_coulomb_unique(&p, r, 1e-8, &keep, arena, &told, NULL), UT_OK);
    CHECK_INT(told.redundant, 6);
    ut_arena_destroy(&memory);
    lab_close(&lab);
}

// The same limits by the velocity-level formulation of a sim.
TEST(P21_on_velocities)
{
    for (int k = 2; k <= 4; k += 2) {
        for (int over = 0; over < 2; over++) {
            Lab lab = lab_open(H);
            lab.options.formulation = UT_FORMULATION_PEIRET;
            lab.options.directions = 2 * k;
            lab_floor(&lab, 0.5);
            const int box = lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.2, 0.2, 0.1), 1.0, 0.5);
            lab_start(&lab);
            const double angle = 0.5 * PI / k, limit = 0.5 * GRAVITY / cos(angle);
            const double load = (over ? 1.001 : 0.999) * limit;
            lab_push(&lab, 5, box, ut_vec3(load * cos(angle), load * sin(angle), 0), NULL);
            const utVec3 v = ut_sim_body(lab.sim, box).velocity;
            CHECK_NEAR(hypot(v.x, v.y), over ? 0.001 * limit * 5 * H : 0.0, 1e-10);
            lab_end(&lab);
        }
    }
}

// A rod whose tip slides so that friction pushes it in, mu = 2, tan theta = 2: no accelerations
// exist. The step says so, names the island's outcome and leaves the state alone; on velocities the
// same state is solved.
TEST(P22_no_solution_is_said)
{
    static const utFormulation names[] = {UT_FORMULATION_PEIRET_ACCELERATION,
                                          UT_FORMULATION_PEIRET};
    for (int k = 0; k < 2; k++) {
        Lab lab = lab_open(1e-3);
        lab.options.formulation = names[k];
        lab_floor(&lab, 2.0);
        const double c = 1 / sqrt(5.0), s = 2 / sqrt(5.0), R = 1e-4;
        const int rod = lab_solid(&lab, ut_vec3(0, 0, 0.5 * s + R), ut_quat(1, 0, 0, 0), 1.0,
                                  ut_vec3_zero(), ut_vec3(1.0 / 12, 1.0 / 12, 1.0 / 12));
        lab_free(&lab, rod);
        utGeomDef tip = ut_geom_def(rod, UT_SHAPE_SPHERE, ut_vec3(R, 0, 0));
        tip.pos = ut_vec3(-0.5 * c, 0, -0.5 * s);
        tip.mass = 0.0;
        tip.friction = 2.0;
        CHECK(ut_model_def_geom(lab.def, &tip) >= 0);
        lab_start(&lab);
        const double v[6] = {-1.0}; // the tip ahead of the centre, and friction against it
        lab_state(&lab, NULL, v);
        utStepResult result;
        CHECK_INT(ut_sim_step(lab.sim, NULL, &result, NULL), k == 0 ? UT_ERR_NOT_TAKEN : UT_OK);
        CHECK_INT(result.report.contacts, 1);
        CHECK_INT(result.outcome, k == 0 ? UT_STEP_UNCERTIFIED : UT_STEP_CERTIFIED);
        if (k == 0) {
            CHECK_TEXT(ut_island_outcome_name(result.report.island[0].outcome), "none");
            CHECK_INT(result.report.island[0].ray, 0); // the tip on the floor
            CHECK_NEAR(ut_sim_time(lab.sim), 0.0, 0.0);
        }
        lab_close(&lab);
    }
}

// ---- P23: Glocker's model -----------------------------------------------------------------------

// Without phantom inertia the matrix lacks rank, and solutions still give the same motion; without
// friction every problem is solved, because its matrix is positive semidefinite.
TEST(P23_without_phantom_inertia_the_motion_is_the_same)
{
    const double none[3] = {0.0, 0.0, 0.0};
    const utSection section = lines(3);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        Random p;
        random_problem(&p, seed, &section);
        for (int smooth = 0; smooth < 2; smooth++) {
            double v[2][MAX_DOF];
            for (int with = 0; with < 2; with++) {
                const utPrintedDef def = peiret(with ? NULL : none);
                utArena arena = test_arena();
                const Printed s = solve_printed(&p.problem, &def, UT_LCP_AUTO, &arena);
                const int n = s.system.lcp.n;
                int rank;
                CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
                CHECK_INT(ut_matrix_rank(n, n, s.system.lcp.M, 0.0, arena, &rank), UT_OK);
                CHECK((rank == n) == (with == 1));
                velocities(&p.problem, s.r, v[with]);
            }
            CHECK_NEAR(distance(9, v[0], v[1]), 0.0, 1e-8);
            for (int i = 0; i < p.problem.contacts; i++) {
                p.mu[i] = 0.0;
            }
        }
    }
}
