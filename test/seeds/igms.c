// SPDX-License-Identifier: Apache-2.0
// Rows G1 and G7 to G21: time-stepping by complementarity (Son, Trinkle and Amato).
#include "cases.h"

static const double H = 0.01;

// ---- G1: accelerations may not exist ------------------------------------------------------------

// A uniform rod of 1 kg and 1 m at `theta` to the floor, its tip sliding so that friction pushes it
// in. Velocities (x, z, turning); the tip is at (-cos, -sin)/2 from the centre.
typedef struct Rod {
    double M[9], J[6], f[3], b[2], mu;
    utSection segment;
    utCoulomb problem;
} Rod;

static void make_rod(Rod* rod, double theta, double mu, const double* f)
{
    const double x = -0.5 * cos(theta), z = -0.5 * sin(theta);
    *rod = (Rod){.M = {1, 0, 0, 0, 1, 0, 0, 0, 1.0 / 12},
                 .J = {0, 1, x, 1, 0, -z}, // v + turning x r: (vx - w z, vz + w x)
                 .f = {f[0], f[1], f[2]},
                 .mu = mu,
                 .segment = ut_section_segment()};
    rod->problem = (utCoulomb){.dimension = 2,
                               .contacts = 1,
                               .mu = &rod->mu,
                               .section = &rod->segment,
                               .dof = 3,
                               .M = rod->M,
                               .J = rod->J,
                               .f = rod->f,
                               .b = rod->b};
}

TEST(G1_painleves_rod)
{
    const double weight[] = {0, -GRAVITY, 0};
    const double slip = -1.0; // toward -x: friction along +x lifts the rod's far end
    utPolyhedralDef def = form_of(UT_POLYHEDRAL_FORCE, UT_POLYHEDRAL_REDUCED);
    def.slip = &slip;
    double least = 1.0;
    for (int k = 1; k < 90; k++) {
        const double theta = k * PI / 180;
        for (int c = 0; c < 2; c++) {
            const double mu = c == 0 ? 4.0 / 3 : 2.0;
            Rod rod;
            utArena arena = test_arena();
            utPolyhedral form;
            make_rod(&rod, theta, mu, weight);
            CHECK_INT(ut_polyhedral_create(&rod.problem, &def, &arena, &form, NULL), UT_OK);
            CHECK_INT(form.lcp.n, 1);
            const double want = 1 + 3 * cos(theta) * (cos(theta) - mu * sin(theta));
            CHECK_NEAR(form.lcp.M[0], want, 1e-13);
            CHECK(c == 1 || want >= -1e-12); // only for mu > 4/3
            least = c == 0 ? fmin(least, want) : least;
        }
    }
    CHECK_NEAR(least, 0.0, 1e-3); // first at tan theta = 2, which is 63.4 degrees

    Rod rod;
    utArena arena = test_arena();
    make_rod(&rod, atan(2.0), 2.0, weight);
    const Solved s = solve_form(&rod.problem, &def, UT_LCP_LEMKE, &arena);
    CHECK_NEAR(s.form.lcp.M[0], -0.8, 1e-12);
    CHECK_TEXT(ut_lcp_outcome_name(s.info.outcome), "ray");

    // a time step of the same state has impulses: f = M v + h (forces)
    const double step[] = {-1.0, -H * GRAVITY, 0};
    make_rod(&rod, atan(2.0), 2.0, step);
    def.slip = NULL;
    const Solved t = solve_form(&rod.problem, &def, UT_LCP_LEMKE, &arena);
    CHECK_INT(t.info.outcome, UT_LCP_SOLVED);
    CHECK(t.verdict.E <= 1e-12);
}

// ---- G7 to G13 ----------------------------------------------------------------------------------

static Lab ball_over_floor(utFormulation formulation, double h, double gap)
{
    Lab lab = lab_open(h);
    lab.options.formulation = formulation;
    lab_floor(&lab, 0.3);
    lab_ball(&lab, ut_vec3(0, 0, 0.1 + gap), 0.1, 1.0, 0.3);
    lab_start(&lab);
    return lab;
}

TEST(G7_steps_are_inelastic)
{
    Lab lab = ball_over_floor(UT_FORMULATION_STEWART_TRINKLE, H, 0.5);
    int touched = 0;
    for (int k = 0; k < 60; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        const bool hit = result.report.contacts > 0 && result.report.contact[0].r[0] > 0.0;
        touched += hit;
        CHECK(touched < 2 || fabs(ut_sim_v(lab.sim)[2]) < 1e-12);
    }
    CHECK(touched > 10);
    lab_end(&lab);
}

// J_n against differences of the gap, for a ball on a ball and a tilted box on the floor.
TEST(G8_gaps_and_their_gradients)
{
    for (int kind = 0; kind < 2; kind++) {
        Lab lab = lab_open(0.1);
        lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE;
        if (kind == 0) {
            lab_ball(&lab, ut_vec3(0, 0, -0.3), 0.3, 2.0, 0.5);
            lab_ball(&lab, ut_vec3(0.1, 0.05, 0.2), 0.2, 1.0, 0.5);
        } else {
            lab_floor(&lab, 0.5);
            const int box = lab_body(&lab, NULL, ut_vec3(0, 0, 0.25));
            lab_free(&lab, box);
            lab_geom(&lab, box, UT_SHAPE_BOX, ut_vec3(0.1, 0.15, 0.2), 1.0, 0.5);
        }
        lab_start(&lab);
        utArena arena = test_arena();
        const int nq = lab.model->nq, nv = lab.model->nv;
        double* q = UT_PUSH(&arena, double, nq);
        double* moved = UT_PUSH(&arena, double, nq);
        double* v = UT_PUSH(&arena, double, nv);
        memcpy(q, ut_sim_q(lab.sim), (size_t)nq * sizeof *q);
        if (kind == 1) {
            const double tilt[] = {cos(0.3), 0.8 * sin(0.3), 0.6 * sin(0.3), 0};
            memcpy(q + 3, tilt, sizeof tilt);
        }
        lab_state(&lab, q, NULL);
        const utCoulomb p = next_problem(&lab, NULL, &arena);
        CHECK(p.contacts > 0);
        for (int k = 0; k < nv; k++) {
            double gap[2];
            for (int side = 0; side < 2; side++) {
                memset(v, 0, (size_t)nv * sizeof *v);
                v[k] = side == 0 ? -1e-6 : 1e-6;
                ut_model_integrate(lab.model, q, v, 1.0, moved);
                lab_state(&lab, moved, NULL);
                utArena work = arena;
                gap[side] = 0.1 * next_problem(&lab, NULL, &work).b[0];
            }
            CHECK_NEAR((gap[1] - gap[0]) / 2e-6, p.J[k], 1e-6);
        }
        lab_close(&lab);
    }
}

// Conditions 1 to 4 along a trajectory that falls, slides and rolls.
TEST(G9_conditions_along_a_trajectory)
{
    Lab lab = ball_over_floor(UT_FORMULATION_STEWART_TRINKLE, H, 0.1);
    lab_velocity(&lab, 0, 1.0);
    for (int k = 0; k < 100; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        const double gap = ut_sim_q(lab.sim)[2] - 0.1;
        CHECK(gap >= -1e-12);
        for (int i = 0; i < result.report.contacts; i++) {
            const double* r = result.report.contact[i].r;
            CHECK(r[0] >= 0.0 && hypot(r[1], r[2]) <= 0.3 * r[0] * (1 + 1e-12));
            CHECK_NEAR(r[0] * gap, 0.0, 1e-12);
        }
    }
    lab_end(&lab);
}

// The quadratic law of friction: free p_t, then 0 <= p_n ⟂ u_n >= 0, 0 <= s ⟂ (mu p_n)^2 - |p_t|^2,
// and mu p_n u_t + s p_t = 0, for a particle of 1 kg that slides.
typedef struct Quadratic {
    double v[3], mu;
} Quadratic;

static utStatus quadratic_law(const double* z, double* g, double* J, void* context)
{
    const Quadratic* c = context;
    const double a = z[0], b = z[1], n = z[2], s = z[3], mu = c->mu;
    const double u[] = {c->v[0] + a, c->v[1] + b, c->v[2] + n};
    g[0] = mu * n * u[0] + s * a;
    g[1] = mu * n * u[1] + s * b;
    g[2] = u[2];
    g[3] = mu * mu * n * n - a * a - b * b;
    const double D[16] = {mu * n + s, 0, mu * u[0], a, 0,      mu * n + s, mu * u[1],       b,
                          0,          0, 1,         0, -2 * a, -2 * b,     2 * mu * mu * n, 0};
    memcpy(J, D, sizeof D);
    return UT_OK;
}

TEST(G10_nonlinear_complementarity)
{
    for (int k = 0; k < 12; k++) {
        const double angle = 0.1 + 0.5 * k, speed = k % 3 == 2 ? 0.02 : 1.0;
        Quadratic c = {.v = {speed * cos(angle), speed * sin(angle), -H * GRAVITY}, .mu = 0.5};
        const utNcp ncp = {.n = 4, .free_count = 2, .function = quadratic_law, .context = &c};
        const double most = 0.5 * H * GRAVITY;
        double z[] = {-most * cos(angle), -0.9 * most * sin(angle), H * GRAVITY, speed};
        double history[51];
        utNcpDef def = ut_ncp_def();
        utNcpInfo info;
        def.warm_start = true;
        def.history = history;
        CHECK_INT(ut_ncp_solve(&ncp, &def, test_arena(), z, &info), UT_OK);
        CHECK_TEXT(ut_lcp_outcome_name(info.outcome), "solved");
        const bool slides = speed > most;
        // sliding: opposite to the slip, mu p_n long; else the particle stops
        const double size = slides ? most : speed;
        CHECK_NEAR(z[0], -size * cos(angle), 1e-8);
        CHECK_NEAR(z[1], -size * sin(angle), 1e-8);
        CHECK_NEAR(z[2], H * GRAVITY, 1e-10);
        for (int i = 0; i < info.iterations; i++) {
            CHECK(history[i + 1] < history[i]);
        }
    }
}

TEST(G11_the_round_cone)
{
    Lab lab = ball_over_floor(UT_FORMULATION_COULOMB, H, 0.05);
    lab_velocity(&lab, 0, 1.0);
    double most = 0.0;
    bool slid = false;
    for (int k = 0; k < 40; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        most = fmax(most, result.certificate.cone);
        slid = slid ||
               (result.report.contacts > 0 && result.report.contact[0].state == UT_CONTACT_SLIP);
    }
    CHECK(slid);
    CHECK(most <= 1e-12);
    lab_end(&lab);
}

// Eight edges: the polyhedral cone holds all that its generators do, and no more.
TEST(G12_the_polyhedral_cone)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    const utLaw law = {.section = &section, .mu = 0.5};
    for (int k = 0; k < 64; k++) {
        const double angle = 2 * PI * k / 64, off = fmod(angle + PI / 8, PI / 4) - PI / 8;
        const double edge = 0.5 * cos(PI / 8) / cos(PI / 8 - fabs(off)); // of n = 1
        for (int over = 0; over < 2; over++) {
            const double t = (over ? 1 + 1e-9 : 1 - 1e-9) * edge;
            const double r[] = {1.0, t * cos(angle), t * sin(angle)};
            CHECK((ut_law_excess(&law, r) > 0.0) == (over == 1));
        }
    }
}

TEST(G13_the_normal_as_a_wrench)
{
    Lab lab = lab_open(H);
    lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE;
    lab_floor(&lab, 0.5);
    lab_box(&lab, ut_vec3(0.3, -0.2, 0.1), ut_vec3(0.2, 0.3, 0.1), 2.0, 0.5);
    lab_start(&lab);
    utArena arena = test_arena();
    const utCoulomb p = next_problem(&lab, NULL, &arena);
    utBlocks b;
    CHECK_INT(ut_blocks_create(&p, false, &arena, &b, NULL), UT_OK);
    utStepResult result;
    lab_step(&lab, NULL, &result);
    CHECK_INT(b.contacts, 4);
    for (int i = 0; i < 4; i++) {
        const utVec3 r = ut_vec3_sub(result.report.contact[i].point, ut_vec3(0.3, -0.2, 0.1));
        const utVec3 n = ut_vec3(0, 0, 1), turn = ut_vec3_cross(r, n);
        const double want[] = {n.x, n.y, n.z, turn.x, turn.y, turn.z};
        for (int k = 0; k < 6; k++) {
            CHECK_NEAR(b.W_n[4 * k + i], want[k], 1e-15);
        }
    }
    lab_end(&lab);
}

// ---- G14 to G20: the steps ----------------------------------------------------------------------

// Two links of unequal masses that swing far.
static Lab pendulum(double h, bool midpoint)
{
    Lab lab = lab_open(h);
    lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE;
    lab.options.midpoint = midpoint;
    int parent = 0;
    for (int k = 0; k < 2; k++) {
        utBodyDef body = ut_body_def();
        body.parent = parent;
        body.pos = ut_vec3(0, 0, k == 0 ? 3.0 : -1.0);
        body.inertial = true;
        body.mass = 1.0 - 0.5 * k;
        body.com = ut_vec3(0, 0, -0.5);
        body.inertia = ut_mat3_diagonal(ut_vec3(0.1, 0.1, 0.01));
        parent = ut_model_def_body(lab.def, &body);
        utJointDef joint = ut_joint_def(parent, UT_JOINT_HINGE);
        joint.axis = ut_vec3(0, 1, 0);
        ut_model_def_joint(lab.def, &joint);
    }
    lab_start(&lab);
    lab_state(&lab, (double[]){1.2, -0.7}, (double[]){0.5, 1.0});
    return lab;
}

static void swing(int steps, bool midpoint, double* q)
{
    Lab lab = pendulum(0.5 / steps, midpoint);
    lab_steps(&lab, steps, NULL, NULL);
    memcpy(q, ut_sim_q(lab.sim), 2 * sizeof *q);
    lab_end(&lab); // every step was certified
}

TEST(G14_M_ahead_and_forces_halfway_are_of_order_one)
{
    // where it swings to, by steps of order four
    Lab lab = pendulum(0.5 / 4000, false);
    utArena arena = test_arena();
    const utSmooth smooth = {.model = lab.model, .gravity = lab.options.gravity};
    double q[2], v[2];
    memcpy(q, ut_sim_q(lab.sim), sizeof q);
    memcpy(v, ut_sim_v(lab.sim), sizeof v);
    for (int k = 0; k < 4000; k++) {
        CHECK_INT(ut_smooth_step(&smooth, UT_INTEGRATOR_RK4, 0.5 / 4000, arena, q, v), UT_OK);
    }
    lab_close(&lab);
    double error[4], plain[2];
    for (int k = 0; k < 4; k++) {
        double end[2];
        swing(50 << k, true, end);
        error[k] = distance(2, end, q);
    }
    for (int k = 0; k < 3; k++) {
        const double order = log2(error[k] / error[k + 1]);
        test_note("error %.3e, order %.3f", error[k], order);
        CHECK_NEAR(order, 1.0, 0.1);
    }
    // and it is another scheme than the one that takes everything at the start
    swing(50, false, plain);
    double first[2];
    swing(50, true, first);
    CHECK(distance(2, plain, first) > 1e-4);
}

// The option belongs to formulations with polygons, and its certificate notices another M.
TEST(G14_the_option_is_judged)
{
    Lab lab = pendulum(0.01, true);
    utStepResult result;
    lab_step(&lab, NULL, &result);
    CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
    utStepReport other = result.report;
    utCertificate certificate;
    other.midpoint = false;
    CHECK_INT(ut_certify(&other, 1e-8, test_arena(), &certificate), UT_OK);
    CHECK(!certificate.passed);
    CHECK_TEXT(ut_certificate_reason_name(certificate.reason), "momentum");
    utSimDef def = ut_sim_def();
    utSim* sim = NULL;
    utError err;
    def.formulation = UT_FORMULATION_COULOMB;
    CHECK_INT(ut_sim_create(lab.model, &def, &sim, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "midpoint") != NULL);
    lab_close(&lab);
}

TEST(G15_positions_follow_velocities)
{
    Lab lab = ball_over_floor(UT_FORMULATION_STEWART_TRINKLE, H, 0.02);
    lab_velocity(&lab, 0, 1.0);
    for (int k = 0; k < 50; k++) {
        double before[3];
        memcpy(before, ut_sim_q(lab.sim), sizeof before);
        lab_step(&lab, NULL, NULL);
        for (int c = 0; c < 3; c++) {
            CHECK_NEAR(ut_sim_q(lab.sim)[c], before[c] + H * ut_sim_v(lab.sim)[c], 1e-16);
        }
    }
    lab_end(&lab);
}

// A ball that rolls down from the top of a fixed one. @return its deepest penetration
static double roll_over(double h, int relinearize)
{
    Lab lab = lab_open(h);
    lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE;
    lab.options.relinearize = relinearize;
    lab_geom(&lab, 0, UT_SHAPE_SPHERE, ut_vec3(0.5, 0, 0), 0.0, 0.5);
    lab_ball(&lab, ut_vec3(0, 0, 0.7), 0.2, 1.0, 0.5);
    lab_start(&lab);
    lab_velocity(&lab, 0, 0.8);
    double least = 0.0;
    const int steps = (int)(0.3 / h + 0.5);
    for (int k = 0; k < steps; k++) {
        lab_step(&lab, NULL, NULL);
        const double* q = ut_sim_q(lab.sim);
        least = fmin(least, sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) - 0.7);
    }
    lab_end(&lab);
    return -least;
}

// The half space is a tangent plane, outside a ball: the gap after a step is at least what it says,
// and never below 0 but for rounding. A plank that seesaws on a ball turns its half space: within a
// step it is h^2 w^2 (R + t/2) / 2 too deep at most.
TEST(G16_a_half_space_in_place_of_the_gap)
{
    CHECK(roll_over(0.01, 0) <= 1e-12);
    CHECK(roll_over(0.005, 0) <= 1e-12);
    const double w = 3.0, R = 0.5, t = 0.04;
    double depth[3];
    for (int k = 0; k < 3; k++) {
        const double h = 0.01 / (1 << k);
        Lab lab = lab_open(h);
        lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE;
        lab_geom(&lab, 0, UT_SHAPE_SPHERE, ut_vec3(R, 0, 0), 0.0, 0.8);
        lab_box(&lab, ut_vec3(0, 0, R + 0.5 * t), ut_vec3(0.5, 0.2, 0.5 * t), 1.0, 0.8);
        lab_start(&lab);
        lab_velocity(&lab, 4, w);
        depth[k] = 0.0;
        for (int step = 0; step < 10 << k; step++) {
            utStepResult result;
            lab_step(&lab, NULL, &result);
            depth[k] = fmax(depth[k], result.max_penetration);
        }
        CHECK(depth[k] > 0.0 && depth[k] <= 0.5 * h * h * w * w * (R + 0.5 * t));
        lab_end(&lab);
    }
    test_note("depth %.2e %.2e %.2e m for h = 10, 5, 2.5 ms", depth[0], depth[1], depth[2]);
    CHECK(depth[1] < 0.35 * depth[0] && depth[2] < 0.35 * depth[1]);
}

TEST(G17_the_three_products)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Random p;
        make_random(&p, seed, 3, 0, 9, &section, 0.8);
        const utPrintedDef def = ut_printed_def(UT_NOTATION_IGMS, H);
        utArena arena = test_arena();
        const Printed s = solve_printed(&p.problem, &def, UT_LCP_AUTO, &arena);
        double w[30], products[3] = {0, 0, 0};
        ut_lcp_slack(&s.system.lcp, s.z, w);
        for (int k = 0; k < 30; k++) {
            products[k < 24 ? 0 : k < 27 ? 1 : 2] += fabs(s.z[k] * w[k]);
        }
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(products[k], 0.0, 1e-9);
        }
    }
}

TEST(G18_lambda_is_the_speed_and_c_n_an_impulse)
{
    Particle p;
    sliding_particle(&p, 8, H, 0.0, -0.9); // along a direction
    const utPrintedDef def = ut_printed_def(UT_NOTATION_IGMS, H);
    utArena arena = test_arena();
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    double v[3];
    velocities(&p.problem, s.r, v);
    CHECK_NEAR(s.z[9], hypot(v[0], v[1]), 1e-14);
    CHECK_NEAR(s.z[9], 0.9 - 0.5 * GRAVITY * H, 1e-14);

    Lab lab = ball_over_floor(UT_FORMULATION_STEWART_TRINKLE, H, 0.0);
    double sum = 0.0;
    for (int k = 0; k < 100; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        sum += result.report.contact[0].r[0];
    }
    CHECK_NEAR(sum, GRAVITY * 1.0, 1e-10);
    lab_end(&lab);
}

// The LCP block for a particle of 2 kg with the directions x, y, -x, -y, by hand; and the answer of
// the other order.
TEST(G19_the_printed_order)
{
    const double h = 0.25, mu = 0.5, a = 0.5;
    Particle p;
    make_particle(&p, polygon(UT_SECTION_INSCRIBED, 4, 0.0), 2.0, mu, (double[]){1, 2, -3});
    p.b[0] = 0.02 / h; // (n'q - alpha0)/h
    const utPrintedDef def = ut_printed_def(UT_NOTATION_IGMS, h);
    utArena arena = test_arena();
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    const double want[36] = {
        a,  0,  -a, 0,  0,  1, // D'M^-1 D, D'M^-1 n, e
        0,  a,  0,  -a, 0,  1, //
        -a, 0,  a,  0,  0,  1, //
        0,  -a, 0,  a,  0,  1, //
        0,  0,  0,  0,  a,  0, // n'M^-1 D, n'M^-1 n, 0
        -1, -1, -1, -1, mu, 0, // -e', mu, 0
    };
    const double q[6] = {0.5, 1.0, -0.5, -1.0, -1.5 + 0.08, 0};
    CHECK_NEAR(distance(36, s.system.lcp.M, want), 0.0, 1e-15);
    CHECK_NEAR(distance(6, s.system.lcp.q, q), 0.0, 1e-15);
    CHECK_TEXT(s.system.part[0].unknown, "beta");
    CHECK_TEXT(s.system.part[1].unknown, "c_n");
    CHECK_TEXT(s.system.part[2].unknown, "lambda");

    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        Random random;
        make_random(&random, seed, 2, 0, 8, &section, 0.6);
        double v[2][MAX_DOF];
        for (int k = 0; k < 2; k++) {
            const utPrintedDef order =
                ut_printed_def(k == 0 ? UT_NOTATION_IGMS : UT_NOTATION_DART, H);
            utArena again = test_arena();
            const Printed t = solve_printed(&random.problem, &order, UT_LCP_AUTO, &again);
            velocities(&random.problem, t.r, v[k]);
        }
        CHECK_NEAR(distance(8, v[0], v[1]), 0.0, 1e-9);
    }
}

// A ball that rolls over another one drifts away from it with one LCP a step, and to rounding not
// at all with its rows taken anew.
TEST(G20_a_sequence_of_lcps)
{
    double drift[3];
    for (int passes = 0; passes < 3; passes++) {
        Lab lab = lab_open(H);
        lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE;
        lab.options.relinearize = 2 * passes;
        lab_geom(&lab, 0, UT_SHAPE_SPHERE, ut_vec3(0.5, 0, 0), 0.0, 0.5);
        lab_ball(&lab, ut_vec3(0, 0, 0.7), 0.2, 1.0, 0.5);
        lab_start(&lab);
        lab_velocity(&lab, 0, 0.8);
        drift[passes] = 0.0;
        for (int k = 0; k < 20; k++) {
            lab_step(&lab, NULL, NULL);
            const double* q = ut_sim_q(lab.sim);
            const double gap = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) - 0.7;
            drift[passes] = fmax(drift[passes], fabs(gap));
        }
        lab_end(&lab);
    }
    test_note("drift %.2e, %.2e, %.2e m by 1, 3, 5 LCPs a step", drift[0], drift[1], drift[2]);
    CHECK(drift[1] < 0.1 * drift[0]);
    CHECK(drift[1] < 1e-12 && drift[2] < 1e-12);
}

// b_n >= 0: a separating velocity exists (rows of random bodies are independent), and Lemke's
// method is proved to end with a solution.
TEST(G21_anitescu_and_potra)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    int solved = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        Random p;
        make_random(&p, seed, 1 + (int)(seed % 4), 0, 12, &section, 1.5);
        const utPrintedDef def = ut_printed_def(UT_NOTATION_DART, H);
        utArena arena = test_arena();
        const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
        solved += s.info.outcome == UT_LCP_SOLVED;
    }
    CHECK_INT(solved, 300);
    // in a sim: contacts within the margin, without their gaps
    Lab lab = lab_open(H);
    lab.options.formulation = UT_FORMULATION_ANITESCU_POTRA;
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    floor.margin = 0.02;
    CHECK(ut_model_def_geom(lab.def, &floor) >= 0);
    lab_ball(&lab, ut_vec3(0, 0, 0.1 + 0.05), 0.1, 1.0, 0.5);
    lab_start(&lab);
    for (int k = 0; k < 30; k++) {
        utStepResult result;
        const double gap = ut_sim_q(lab.sim)[2] - 0.1;
        lab_step(&lab, NULL, &result);
        CHECK_INT(result.report.contacts, gap <= 0.02 + 1e-9 ? 1 : 0);
    }
    // it stops at the first place that is within the margin
    CHECK_NEAR(ut_sim_q(lab.sim)[2], 0.15 - H * H * GRAVITY * 36, 1e-12);
    lab_end(&lab);
}
