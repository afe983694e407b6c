// SPDX-License-Identifier: Apache-2.0
// Rows D1 to D25: contact handling for articulated bodies by an LCP on velocities (Tan, Siu and
// Liu).
#include "cases.h"

static const double H = 0.01;

static utPrintedDef dart(void)
{
    return ut_printed_def(UT_NOTATION_DART, H);
}

// ---- scenes -------------------------------------------------------------------------------------

// A ball joint and two hinges on a fixed base: five velocities.
static Lab arm(utFormulation formulation)
{
    Lab lab = lab_open(H);
    lab.options.formulation = formulation;
    int parent = 0;
    const utVec3 moments[] = {ut_vec3(0.02, 0.03, 0.04), ut_vec3(0.03, 0.01, 0.03),
                              ut_vec3(0.05, 0.02, 0.06)};
    for (int k = 0; k < 3; k++) {
        utBodyDef body = ut_body_def();
        body.parent = parent;
        body.pos = ut_vec3(k > 0 ? 0.5 : 0.0, 0.1 * k, k == 0 ? 2.0 : 0.0);
        body.inertial = true;
        body.mass = 1.0 + 0.5 * k;
        body.com = ut_vec3(0.25, 0.02, -0.01);
        body.inertia = ut_mat3_diagonal(moments[k]);
        parent = ut_model_def_body(lab.def, &body);
        utJointDef joint = ut_joint_def(parent, k == 0 ? UT_JOINT_BALL : UT_JOINT_HINGE);
        joint.axis = k == 1 ? ut_vec3(0, 1, 0) : ut_vec3(0, 0, 1);
        ut_model_def_joint(lab.def, &joint);
    }
    lab_start(&lab);
    const double q[] = {0.9, 0.1, -0.3, 0.2, 0.4, -0.7}, v[] = {0.3, -0.5, 0.8, 1.1, -0.9};
    lab_state(&lab, q, v);
    return lab;
}

static utVec3 slab_half(void)
{
    return ut_vec3(1.0, 1.0, 0.1);
}

// The figure's three systems and four contacts: system 3 a slab, system 2 a capsule that lies on it
// (contacts 3 and 4), system 1 a ball beside the capsule (contact 2), on the slab too (contact 1).
// Bodies stand in the order 3, 2, 1.
static Lab three_systems(utVec3 gravity)
{
    Lab lab = lab_open(H);
    lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE_VELOCITY;
    lab.options.gravity = gravity;
    lab_box(&lab, ut_vec3(0, 0, -0.1), slab_half(), 3.0, 0.5);
    const int capsule = lab_body(&lab, NULL, ut_vec3(0, 0, 0.1));
    lab_free(&lab, capsule);
    utGeomDef geom = ut_geom_def(capsule, UT_SHAPE_CAPSULE, ut_vec3(0.1, 0.3, 0));
    geom.quat = ut_quat(sqrt(0.5), 0, sqrt(0.5), 0); // along x
    geom.mass = 2.0;
    geom.friction = 0.5;
    CHECK(ut_model_def_geom(lab.def, &geom) >= 0);
    lab_ball(&lab, ut_vec3(0.05, 0.2, 0.1), 0.1, 1.0, 0.5);
    lab_start(&lab);
    return lab;
}

static Lab box_on_floor(utFormulation formulation, double lift)
{
    Lab lab = lab_open(H);
    lab.options.formulation = formulation;
    lab_floor(&lab, 0.5);
    lab_box(&lab, ut_vec3(0, 0, 0.1 + lift), ut_vec3(0.2, 0.3, 0.1), 2.0, 0.5);
    lab_start(&lab);
    return lab;
}

// ---- D1 to D5: equations of motion --------------------------------------------------------------

TEST(D1_forward_then_inverse_dynamics)
{
    Lab lab = arm(UT_FORMULATION_COULOMB);
    utArena arena = test_arena();
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(lab.model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, ut_sim_q(lab.sim), NULL, NULL);
    ut_kinematics_move(&kin, ut_sim_v(lab.sim), NULL);
    const double tau[] = {1, -2, 3, -0.5, 0.7};
    double a[5], back[5];
    const utVec3 g = lab.options.gravity;
    CHECK_INT(ut_dyn_forward(&kin, tau, NULL, g, NULL, arena, a), UT_OK);
    CHECK_INT(ut_dyn_inverse(&kin, a, g, NULL, arena, back), UT_OK);
    CHECK_NEAR(distance(5, tau, back), 0.0, 1e-10);
    utMass mass;
    double M[25];
    CHECK_INT(ut_mass_create(lab.model, &arena, &mass), UT_OK);
    ut_mass_find(&mass, &kin, NULL);
    CHECK(ut_mass_factor(&mass));
    ut_mass_block(&mass, 0, M);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            CHECK_NEAR(M[5 * i + j], M[5 * j + i], 0.0);
        }
    }
    lab_close(&lab);
}

TEST(D2_directions_come_in_opposite_pairs)
{
    CHECK_INT(ut_options().directions, 8);
    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    double sum[2] = {0, 0};
    for (int j = 0; j < 8; j++) {
        const double* d = section.vertex[j];
        CHECK_NEAR(hypot(d[0], d[1]), 1.0, 1e-15);
        CHECK_NEAR(d[0], -section.vertex[(j + 4) % 8][0], 0.0);
        CHECK_NEAR(d[1], -section.vertex[(j + 4) % 8][1], 0.0);
        sum[0] += d[0];
        sum[1] += d[1];
    }
    CHECK_NEAR(sum[0], 0.0, 1e-15);
    CHECK_NEAR(sum[1], 0.0, 1e-15);
    // and in space each is a unit across the normal
    Lab lab = three_systems(ut_vec3(0, 0, -9.81));
    utStepResult result;
    lab_step(&lab, NULL, &result);
    CHECK(result.report.contacts > 0);
    for (int i = 0; i < result.report.contacts; i++) {
        const utVec3* f = result.report.contact[i].frame;
        for (int j = 0; j < 8; j++) {
            const utVec3 d = ut_vec3_add(ut_vec3_scale(f[1], section.vertex[j][0]),
                                         ut_vec3_scale(f[2], section.vertex[j][1]));
            CHECK_NEAR(ut_vec3_dot(d, f[0]), 0.0, 1e-15);
            CHECK_NEAR(ut_vec3_norm(d), 1.0, 1e-15);
        }
    }
    lab_end(&lab);
}

TEST(D3_free_flight_gains_h_g_each_step)
{
    Lab lab = box_on_floor(UT_FORMULATION_STEWART_TRINKLE_VELOCITY, 10.0);
    for (int k = 1; k <= 20; k++) {
        const double before = ut_sim_v(lab.sim)[2];
        lab_step(&lab, NULL, NULL);
        CHECK_NEAR(ut_sim_v(lab.sim)[2] - before, -H * GRAVITY, 1e-15);
    }
    lab_end(&lab);
}

// tau* = M v - h (C - tau) by Newton-Euler at a = 0, against what ut_sim_coulomb calls f.
TEST(D4_tau_star)
{
    Lab lab = arm(UT_FORMULATION_STEWART_TRINKLE_VELOCITY);
    const double tau[] = {1, -2, 3, -0.5, 0.7};
    const utInput input = {.force = tau};
    utArena arena = test_arena();
    const utCoulomb problem = next_problem(&lab, &input, &arena);
    CHECK_INT(problem.dof, 5);
    CHECK_INT(problem.contacts, 0);
    utKinematics kin;
    double C[5], before[5], star[5];
    memcpy(before, ut_sim_v(lab.sim), sizeof before);
    CHECK_INT(ut_kinematics_create(lab.model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, ut_sim_q(lab.sim), NULL, NULL);
    ut_kinematics_move(&kin, before, NULL);
    CHECK_INT(ut_dyn_inverse(&kin, NULL, lab.options.gravity, NULL, arena, C), UT_OK);
    for (int i = 0; i < 5; i++) {
        star[i] = -H * (C[i] - tau[i]);
        for (int j = 0; j < 5; j++) {
            star[i] += problem.M[5 * i + j] * before[j];
        }
    }
    CHECK_NEAR(distance(5, problem.f, star), 0.0, 1e-12);
    lab_step(&lab, &input, NULL);
    for (int i = 0; i < 5; i++) {
        double Mv = 0.0;
        for (int j = 0; j < 5; j++) {
            Mv += problem.M[5 * i + j] * ut_sim_v(lab.sim)[j];
        }
        CHECK_NEAR(Mv, star[i], 1e-12);
    }
    lab_end(&lab);
}

TEST(D5_power_of_contact_forces)
{
    Lab lab = three_systems(ut_vec3(0, 0, -9.81));
    utArena arena = test_arena();
    const utCoulomb p = next_problem(&lab, NULL, &arena);
    utRng rng = ut_rng(5, 5);
    double v[18], f[12];
    for (int k = 0; k < 18; k++) {
        v[k] = ut_rng_range(&rng, -1, 1);
    }
    for (int k = 0; k < 12; k++) {
        f[k] = ut_rng_range(&rng, -1, 1);
    }
    // velocities of the contacts' points by kinematics, against J'f over the velocities
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(lab.model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, ut_sim_q(lab.sim), NULL, NULL);
    ut_kinematics_move(&kin, v, NULL);
    utStepResult result;
    lab_step(&lab, NULL, &result);
    CHECK_INT(result.report.contacts, 4);
    double by_points = 0.0, by_rows = 0.0;
    for (int i = 0; i < 4; i++) {
        const utContact* c = &result.report.contact[i];
        const utVec3 u =
            ut_vec3_sub(ut_point_velocity(&kin, lab.model->geom[c->geom2].body, c->point),
                        ut_point_velocity(&kin, lab.model->geom[c->geom1].body, c->point));
        for (int k = 0; k < 3; k++) {
            by_points += f[3 * i + k] * ut_vec3_dot(c->frame[k], u);
            for (int l = 0; l < 18; l++) {
                by_rows += p.J[(3 * i + k) * 18 + l] * f[3 * i + k] * v[l];
            }
        }
    }
    CHECK_NEAR(by_points, by_rows, 1e-13);
    lab_end(&lab);
}

// ---- D6 to D8: the figure -----------------------------------------------------------------------

// Is the block of N for a body and a contact 0?
static bool is_zero(const utBlocks* b, int body, int contact)
{
    bool zero = true;
    for (int k = 0; k < 6; k++) {
        zero = zero && b->W_n[(6 * body + k) * b->contacts + contact] == 0.0;
    }
    for (int k = 0; k < 6; k++) {
        for (int j = b->first[contact]; j < b->first[contact + 1]; j++) {
            zero = zero && b->W_f[(6 * body + k) * b->directions + j] == 0.0;
        }
    }
    return zero;
}

TEST(D6_three_systems_and_four_contacts)
{
    Lab lab = three_systems(ut_vec3_zero());
    utArena arena = test_arena();
    const utCoulomb p = next_problem(&lab, NULL, &arena);
    utBlocks b;
    CHECK_INT(ut_blocks_create(&p, false, &arena, &b, NULL), UT_OK);
    if (!CHECK_INT(b.contacts, 4)) {
        return;
    }
    // Printed, rows systems 1 2 3, columns contacts 1 2 3 4:
    //      J11  J12   0    0
    //       0  -J22  J23  J24
    //     -J31   0  -J33 -J34
    // Ours: bodies 3 2 1; contacts by pairs of bodies: (3,2) (3,2) (3,1) (2,1) = 3 4 1 2.
    const int printed[3][4] = {{1, 1, 0, 0}, {0, -1, 1, 1}, {-1, 0, -1, -1}};
    const int column[4] = {2, 3, 0, 1};
    for (int i = 0; i < 4; i++) {
        for (int system = 0; system < 3; system++) {
            const int body = 2 - system, want = printed[system][column[i]];
            CHECK(is_zero(&b, body, i) == (want == 0));
            // the linear part of J'n is +-n; all normals point from higher numbers to lower ones
            double n[2][3];
            for (int k = 0; k < 3; k++) {
                n[0][k] = b.W_n[(6 * body + k) * 4 + i];
                n[1][k] = 0.0;
                for (int other = 0; other < 3; other++) {
                    n[1][k] += b.W_n[(6 * other + k) * 4 + i];
                }
            }
            CHECK_NEAR(distance(3, n[1], (double[]){0, 0, 0}), 0.0, 0.0); // +n and -n
            if (want != 0) {
                CHECK_NEAR(n[0][2] * want, i == 3 ? 0.0 : 1.0, 1e-15);
                CHECK_NEAR(n[0][1] * want, i == 3 ? 1.0 : 0.0, 1e-15);
            }
        }
    }
    // without gravity impulses between systems change no momentum
    double v[18] = {0};
    v[8] = -1.0;  // the capsule falls on the slab
    v[13] = -0.7; // the ball flies at the capsule
    lab_state(&lab, NULL, v);
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(lab.model, &arena, &kin), UT_OK);
    utForce before = {0}, after = {0};
    for (int k = 0; k < 2; k++) {
        ut_kinematics_place(&kin, ut_sim_q(lab.sim), NULL, NULL);
        ut_kinematics_move(&kin, ut_sim_v(lab.sim), NULL);
        *(k == 0 ? &before : &after) = ut_dyn_momentum(&kin, ut_vec3_zero());
        if (k == 0) {
            utStepResult result;
            lab_step(&lab, NULL, &result);
            CHECK(result.report.contact[0].r[0] > 0.0);
        }
    }
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(after.force, before.force)), 0.0, 1e-13);
    lab_end(&lab);
}

TEST(D7_shapes_of_N_and_B)
{
    Lab lab = three_systems(ut_vec3(0, 0, -9.81));
    utArena arena = test_arena();
    const utCoulomb p = next_problem(&lab, NULL, &arena);
    utBlocks b;
    CHECK_INT(ut_blocks_create(&p, false, &arena, &b, NULL), UT_OK);
    CHECK_INT(b.velocities, 18);
    CHECK_INT(b.contacts, 4);
    CHECK_INT(b.directions, 32);
    lab_close(&lab);
}

// |M v - tau* - h (N f_n + B f_d)| of forces in the printed order
static double motion_residual(const utBlocks* b, const double* z, const double* v)
{
    double most = 0.0;
    for (int i = 0; i < b->velocities; i++) {
        double sum = -b->tau[i];
        for (int j = 0; j < b->velocities; j++) {
            sum += b->M[i * b->velocities + j] * v[j];
        }
        for (int j = 0; j < b->contacts; j++) {
            sum -= H * b->W_n[i * b->contacts + j] * z[j];
        }
        for (int j = 0; j < b->directions; j++) {
            sum -= H * b->W_f[i * b->directions + j] * z[b->contacts + j];
        }
        most = fmax(most, fabs(sum));
    }
    return most;
}

TEST(D8_motion_after_the_solve)
{
    Lab lab = three_systems(ut_vec3(0, 0, -9.81));
    utArena arena = test_arena();
    const utCoulomb p = next_problem(&lab, NULL, &arena);
    utBlocks b;
    CHECK_INT(ut_blocks_create(&p, false, &arena, &b, NULL), UT_OK);
    const utPrintedDef def = dart();
    const Printed s = solve_printed(&p, &def, UT_LCP_LEMKE, &arena);
    CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
    double v[MAX_DOF];
    velocities(&p, s.r, v);
    CHECK_NEAR(motion_residual(&b, s.z, v), 0.0, 1e-12);
    lab_close(&lab);
}

// ---- D9 to D17: the conditions ------------------------------------------------------------------

TEST(D9_takeoff_and_contact)
{
    for (int up = 0; up < 2; up++) {
        Lab lab = box_on_floor(UT_FORMULATION_STEWART_TRINKLE_VELOCITY, 0.0);
        if (up) {
            lab_velocity(&lab, 2, 1.0);
        }
        utStepResult result;
        lab_step(&lab, NULL, &result);
        CHECK_INT(result.report.contacts, 4);
        double sum = 0.0;
        for (int i = 0; i < result.report.contacts; i++) {
            sum += result.report.contact[i].r[0] / H;
            CHECK(!up || result.report.contact[i].r[0] == 0.0);
        }
        CHECK_NEAR(sum, up ? 0.0 : 2.0 * GRAVITY, 1e-10);
        CHECK_NEAR(ut_sim_v(lab.sim)[2], up ? 1.0 - H * GRAVITY : 0.0, 1e-13);
        lab_end(&lab);
    }
}

// What w = A z + q says of directions (b) and cones (c), each against its unknown.
TEST(D10_products_of_directions)
{
    Particle p;
    sliding_particle(&p, 8, H, 0.3, 0.7);
    utArena arena = test_arena();
    const utPrintedDef def = dart();
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    double w[10];
    ut_lcp_slack(&s.system.lcp, s.z, w);
    for (int k = 0; k < 10; k++) {
        CHECK(s.z[k] >= 0.0 && w[k] >= -1e-14);
        CHECK_NEAR(s.z[k] * w[k], 0.0, 1e-13);
    }
}

TEST(D11_E_is_made_of_ones)
{
    Lab lab = three_systems(ut_vec3(0, 0, -9.81));
    utArena arena = test_arena();
    const utCoulomb p = next_problem(&lab, NULL, &arena);
    utBlocks b;
    CHECK_INT(ut_blocks_create(&p, false, &arena, &b, NULL), UT_OK);
    for (int j = 0; j < 32; j++) {
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(b.E[4 * j + i], j / 8 == i ? 1.0 : 0.0, 0.0);
        }
    }
    lab_close(&lab);
}

// @return the most negative projection of u_t on the directions of an 8-sided section, or 0
static double slip_of(const utSection* section, const double* u)
{
    double least = 0.0;
    for (int j = 0; j < section->edges; j++) {
        least = fmin(least, section->vertex[j][0] * u[1] + section->vertex[j][1] * u[2]);
    }
    return -least;
}

TEST(D12_lambda_is_the_most_negative_projection)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    int checked = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Random problem;
        make_random(&problem, seed, 3, 0, 9, &section, 1.0);
        utArena arena = test_arena();
        const utPrintedDef def = dart();
        const Printed s = solve_printed(&problem.problem, &def, UT_LCP_AUTO, &arena);
        CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
        utCoulombVerdict verdict;
        double u[9];
        ut_coulomb_judge(&problem.problem, false, s.r, arena, u, &verdict);
        for (int i = 0; i < 3; i++) {
            if (s.r[3 * i] > 1e-9) {
                CHECK_NEAR(s.z[3 + 24 + i], slip_of(&section, u + 3 * i), 1e-9);
                checked++;
            }
        }
    }
    CHECK(checked > 60);
}

// v at 10 degrees: friction -4.905 N along x alone; lambda = cos 10° - 0.5 g h = 0.935758.
TEST(D13_unique_most_negative_direction)
{
    Particle p;
    sliding_particle(&p, 8, H, cos(PI / 18), sin(PI / 18));
    utArena arena = test_arena();
    const utPrintedDef def = dart();
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    CHECK_NEAR(s.r[1] / H, -4.905, 1e-12);
    CHECK_NEAR(s.r[2] / H, 0.0, 1e-12);
    int count = 0;
    for (int j = 0; j < 8; j++) {
        count += s.z[1 + j] > 1e-12;
    }
    CHECK_INT(count, 1);
    CHECK_NEAR(s.z[9], 0.935758, 5e-7);
}

// v at 22.5 degrees, between two directions: they share the friction, 4.905 cos 22.5° in all.
// Picking one of them by the slip before the step gives 4.905.
TEST(D14_a_tie_is_shared_or_one_is_picked)
{
    Particle p;
    sliding_particle(&p, 8, H, cos(PI / 8), sin(PI / 8));
    utArena arena = test_arena();
    const utPrintedDef def = dart();
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    const Printed again = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    int count = 0;
    for (int j = 0; j < 8; j++) {
        count += s.z[1 + j] > 1e-12;
        CHECK_NEAR(s.z[1 + j], again.z[1 + j], 0.0);
    }
    CHECK_INT(count, 2);
    CHECK_NEAR(hypot(s.r[1], s.r[2]) / H, 4.531629, 5e-7);
    CHECK_NEAR(hypot(s.r[1], s.r[2]) / H, 4.905 * cos(PI / 8), 1e-12);
    CHECK_NEAR(s.z[9], 0.882013, 5e-7);
    const double slip[] = {p.section.vertex[0][0], p.section.vertex[0][1]};
    utPolyhedralDef pick = form_of(UT_POLYHEDRAL_FORCE, UT_POLYHEDRAL_REDUCED);
    pick.slip = slip;
    const Solved one = solve_form(&p.problem, &pick, UT_LCP_LEMKE, &arena);
    CHECK_NEAR(hypot(one.r[1], one.r[2]) / H, 4.905, 1e-12);
}

// At rest lambda = 0; of a contact that breaks without slip it may be anything, and f_n = 0.
TEST(D15_no_slip)
{
    utArena arena = test_arena();
    const utPrintedDef def = dart();
    Particle rest, lifted;
    sliding_particle(&rest, 8, H, 0.0, 0.0);
    const Printed s = solve_printed(&rest.problem, &def, UT_LCP_LEMKE, &arena);
    CHECK_NEAR(s.z[0], GRAVITY, 1e-12);
    CHECK_NEAR(s.z[9], 0.0, 1e-14);
    make_particle(&lifted, rest.section, 1.0, 0.5, (double[]){0, 0, 0.3});
    const Printed open = solve_printed(&lifted.problem, &def, UT_LCP_LEMKE, &arena);
    CHECK_NEAR(open.z[0], 0.0, 0.0);
    // lambda = 1 solves the same problem
    double z[10] = {0};
    z[9] = 1.0;
    CHECK_NEAR(ut_lcp_residual(&open.system.lcp, z), 0.0, 1e-15);
    // and does not while there is contact
    memcpy(z, s.z, sizeof z);
    z[9] = 1.0;
    CHECK(ut_lcp_residual(&s.system.lcp, z) > 1e-3);
}

TEST(D16_stick_limits_of_inscribed_polygons)
{
    const struct {
        int d;
        double ratio;
    } cases[] = {{4, 0.7071}, {8, 0.9239}, {16, 0.9808}};
    for (int k = 0; k < 3; k++) {
        const int d = cases[k].d;
        const utSection section = polygon(UT_SECTION_INSCRIBED, d, 0.0);
        CHECK_NEAR(stick_limit(section, UT_NOTATION_DART, 0.0), 1.0, 1e-9);
        const double between = stick_limit(section, UT_NOTATION_DART, PI / d);
        CHECK_NEAR(between, cos(PI / d), 1e-9);
        CHECK_NEAR(between, cases[k].ratio, 5e-5);
    }
}

// lambda beyond the most negative projection breaks the products wherever f_n > 0 and mu > 0; where
// mu = 0 it does not, and lambda is undetermined.
TEST(D17_a_large_lambda_needs_a_broken_contact)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    for (uint64_t seed = 50; seed <= 80; seed++) {
        Random problem;
        make_random(&problem, seed, 2, 0, 6, &section, 1.0);
        utArena arena = test_arena();
        const utPrintedDef def = dart();
        const Printed s = solve_printed(&problem.problem, &def, UT_LCP_AUTO, &arena);
        double z[20];
        memcpy(z, s.z, sizeof z);
        for (int i = 0; i < 2; i++) {
            z[18 + i] += 1.0;
            const double residual = ut_lcp_residual(&s.system.lcp, z);
            CHECK(s.r[3 * i] > 1e-6 ? residual > 1e-9 : residual < 1e-9);
            z[18 + i] = s.z[18 + i];
        }
    }
    Particle p;
    sliding_particle(&p, 8, H, 0.3, 0.0);
    p.mu = 0.0;
    utArena arena = test_arena();
    const utPrintedDef def = dart();
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    double z[10];
    memcpy(z, s.z, sizeof z);
    z[9] += 5.0;
    CHECK_NEAR(ut_lcp_residual(&s.system.lcp, z), 0.0, 1e-12);
}

// ---- D18 to D22: the systems --------------------------------------------------------------------

// Eq. 12 for a particle of 2 kg with four directions x, y, -x, -y, by hand.
TEST(D18_the_mixed_system_is_the_printed_one)
{
    const double h = 0.25, mu = 0.5, m = 2.0;
    Particle p;
    make_particle(&p, polygon(UT_SECTION_INSCRIBED, 4, 0.0), m, mu, (double[]){1, 2, -3});
    utPrintedDef def = ut_printed_def(UT_NOTATION_DART, h);
    def.level = UT_POLYHEDRAL_FULL;
    utArena arena = test_arena();
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    // qdot (x y z), f_n, f_d (4), lambda
    const double want[81] = {
        m,  0,  0, 0,  -h, 0,  h,  0,  0, //
        0,  m,  0, 0,  0,  -h, 0,  h,  0, //
        0,  0,  m, -h, 0,  0,  0,  0,  0, //
        0,  0,  1, 0,  0,  0,  0,  0,  0, //
        1,  0,  0, 0,  0,  0,  0,  0,  1, //
        0,  1,  0, 0,  0,  0,  0,  0,  1, //
        -1, 0,  0, 0,  0,  0,  0,  0,  1, //
        0,  -1, 0, 0,  0,  0,  0,  0,  1, //
        0,  0,  0, mu, -1, -1, -1, -1, 0,
    };
    const double q[9] = {-1, -2, 3};
    CHECK_INT(s.system.lcp.n, 9);
    CHECK_INT(s.system.lcp.free_count, 3);
    CHECK_NEAR(distance(81, s.system.lcp.M, want), 0.0, 1e-15);
    CHECK_NEAR(distance(9, s.system.lcp.q, q), 0.0, 0.0);
    CHECK_TEXT(s.system.part[0].unknown, "qdot");
    CHECK_TEXT(s.system.part[1].unknown, "f_n");
    CHECK_TEXT(s.system.part[2].unknown, "f_d");
    CHECK_TEXT(s.system.part[3].unknown, "lambda");
    // without elimination: f_n = 3/h, friction 1.5/h at most against (1, 2)
    CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
    CHECK_NEAR(s.z[3], 3.0 / h, 1e-12);
    CHECK_NEAR(s.z[2], 0.0, 1e-14);
    CHECK_NEAR(s.z[4] + s.z[5] + s.z[6] + s.z[7], 1.5 / h, 1e-12);
}

TEST(D19_the_standard_problem)
{
    // w = A z + q with A = [[2, 1], [1, 2]], q = (-5, -6): z = (4/3, 7/3)
    const double A[] = {2, 1, 1, 2}, q[] = {-5, -6};
    const utLcp lcp = {.n = 2, .M = A, .q = q};
    for (int solver = 0; solver < UT_LCP_SOLVER_COUNT; solver++) {
        double z[2];
        utLcpInfo info;
        const utLcpDef def = ut_lcp_def();
        CHECK_INT(ut_lcp_solve(&lcp, (utLcpSolver)solver, &def, test_arena(), z, &info), UT_OK);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        CHECK_NEAR(z[0], 4.0 / 3, 1e-8);
        CHECK_NEAR(z[1], 7.0 / 3, 1e-8);
    }
}

// Eq. 14 for the same particle: h/m on the diagonal of normals and directions.
TEST(D20_mixed_and_reduced_agree)
{
    const double h = 0.25, mu = 0.5, m = 2.0, a = h / m;
    Particle p;
    make_particle(&p, polygon(UT_SECTION_INSCRIBED, 4, 0.0), m, mu, (double[]){1, 2, -3});
    utPrintedDef def = ut_printed_def(UT_NOTATION_DART, h);
    utArena arena = test_arena();
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    const double want[36] = {
        a,  0,  0,  0,  0,  0, //
        0,  a,  0,  -a, 0,  1, //
        0,  0,  a,  0,  -a, 1, //
        0,  -a, 0,  a,  0,  1, //
        0,  0,  -a, 0,  a,  1, //
        mu, -1, -1, -1, -1, 0,
    };
    const double q[6] = {-1.5, 0.5, 1.0, -0.5, -1.0, 0};
    CHECK_INT(s.system.lcp.n, 6);
    CHECK_NEAR(distance(36, s.system.lcp.M, want), 0.0, 1e-15);
    CHECK_NEAR(distance(6, s.system.lcp.q, q), 0.0, 1e-15);

    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        Random problem;
        make_random(&problem, seed, 2, 0, 8, &section, 0.6);
        double v[2][MAX_DOF];
        for (int mixed = 0; mixed < 2; mixed++) {
            def.level = mixed ? UT_POLYHEDRAL_FULL : UT_POLYHEDRAL_REDUCED;
            utArena again = test_arena();
            const Printed t = solve_printed(&problem.problem, &def, UT_LCP_AUTO, &again);
            CHECK_INT(t.info.outcome, UT_LCP_SOLVED);
            velocities(&problem.problem, t.r, v[mixed]);
        }
        CHECK_NEAR(distance(8, v[0], v[1]), 0.0, 1e-9);
    }
}

TEST(D21_any_solver_can_be_plugged_in)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, 4, 0.0);
    const utLcpSolver solvers[] = {UT_LCP_LEMKE, UT_LCP_NEWTON, UT_LCP_ENUMERATE, UT_LCP_AUTO};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Random problem;
        make_random(&problem, seed, 2, 0, 8, &section, 0.4);
        double v[4][MAX_DOF];
        for (int k = 0; k < 4; k++) {
            utArena arena = test_arena();
            const utPrintedDef def = dart();
            const Printed s = solve_printed(&problem.problem, &def, solvers[k], &arena);
            CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
            velocities(&problem.problem, s.r, v[k]);
            CHECK_NEAR(distance(8, v[k], v[0]), 0.0, 1e-8);
        }
    }
    // and in a sim
    static const char* const names[] = {"lemke", "newton", "auto", "proximal"};
    double reached[4];
    for (int k = 0; k < 4; k++) {
        Lab lab = lab_open(H);
        lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE_VELOCITY;
        lab.options.solver = names[k];
        lab_floor(&lab, 0.5);
        lab_ball(&lab, ut_vec3(0, 0, 0.1), 0.1, 1.0, 0.5);
        lab_start(&lab);
        lab_velocity(&lab, 0, 1.0);
        lab_steps(&lab, 5, NULL, NULL);
        reached[k] = ut_sim_v(lab.sim)[0];
        CHECK_NEAR(reached[k], reached[0], 1e-8);
        lab_end(&lab);
    }
}

TEST(D22_z_plugged_back)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Random problem;
        make_random(&problem, seed, 3, 0, 10, &section, 0.8);
        utArena arena = test_arena();
        const utPrintedDef def = dart();
        const Printed s = solve_printed(&problem.problem, &def, UT_LCP_AUTO, &arena);
        utBlocks b;
        double v[MAX_DOF];
        CHECK_INT(ut_blocks_create(&problem.problem, false, &arena, &b, NULL), UT_OK);
        velocities(&problem.problem, s.r, v);
        CHECK_NEAR(motion_residual(&b, s.z, v), 0.0, 1e-12);
    }
}

// ---- D23 to D25: stabilization ------------------------------------------------------------------

TEST(D23_a_regularized_diagonal_is_inexact)
{
    Particle p;
    sliding_particle(&p, 8, H, 0.0, 0.0);
    utPrintedDef def = dart();
    utArena arena = test_arena();
    const Printed exact = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    def.regularization = 1e-3;
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 10; j++) {
            const double before = exact.system.lcp.M[10 * i + j];
            CHECK_NEAR(s.system.lcp.M[10 * i + j], i == j ? 1.001 * before : before, 1e-17);
        }
    }
    CHECK_NEAR(s.system.lcp.M[99], 0.0, 0.0); // what is 0 stays 0
    double v[3];
    velocities(&p.problem, s.r, v);
    CHECK_NEAR(100.0 * (1.0 - s.z[0] / exact.z[0]), 0.0999, 5e-5);
    CHECK_NEAR(v[2], -9.8002e-5, 5e-10);

    // in a sim: off by default, and a step is not called certified then
    CHECK_NEAR(ut_options().regularization, 0.0, 0.0);
    Lab lab = lab_open(H);
    lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE_VELOCITY;
    lab.options.regularization = 1e-3;
    lab_floor(&lab, 0.5);
    lab_ball(&lab, ut_vec3(0, 0, 0.1), 0.1, 1.0, 0.5);
    lab_start(&lab);
    utStepResult result;
    utError err;
    CHECK_INT(ut_sim_step(lab.sim, NULL, &result, &err), UT_ERR_NOT_TAKEN);
    CHECK_INT(result.outcome, UT_STEP_UNCERTIFIED);
    CHECK_TEXT(ut_certificate_reason_name(result.certificate.reason), "complementarity");
    CHECK_TEXT(ut_island_outcome_name(result.report.island[0].outcome), "inexact");
    CHECK_NEAR(result.report.contact[0].r[0] / H, GRAVITY / 1.001, 1e-12);
    // a step where the law holds all the same is certified: nothing touches
    lab_velocity(&lab, 2, 1.0);
    CHECK_INT(ut_sim_step(lab.sim, NULL, &result, &err), UT_OK);
    CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
    lab_close(&lab);
}

// v = (cos 0.2, sin 0.2): lambda = cos 0.2 - 0.5 g h = 0.931017.
TEST(D24_scaling_by_the_step)
{
    Particle p;
    sliding_particle(&p, 8, H, cos(0.2), sin(0.2));
    utPrintedDef def = dart();
    utArena arena = test_arena();
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    def.scale_dt = true;
    const Printed t = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    CHECK_NEAR(distance(9, s.z, t.z), 0.0, 1e-12);
    CHECK_NEAR(s.z[9], 0.931017, 5e-7);
    CHECK_NEAR(t.z[9], 93.1017, 5e-5);
    CHECK_NEAR(t.z[9] * H, s.z[9], 1e-12);
    // E in both places and mu, nothing else
    for (int j = 1; j < 9; j++) {
        CHECK_NEAR(t.system.lcp.M[10 * j + 9], H, 0.0);
        CHECK_NEAR(t.system.lcp.M[90 + j], -H, 1e-18);
    }
    CHECK_NEAR(t.system.lcp.M[90], 0.5 * H, 1e-18);
    // eight directions in two dimensions leave A singular either way: rank 5 of 10, and what the
    // scaling is for is the spread of the others
    double a[10], b[10];
    int ranks[2];
    CHECK_INT(ut_matrix_singular(10, 10, s.system.lcp.M, arena, a), UT_OK);
    CHECK_INT(ut_matrix_singular(10, 10, t.system.lcp.M, arena, b), UT_OK);
    CHECK_INT(ut_matrix_rank(10, 10, s.system.lcp.M, 0.0, arena, &ranks[0]), UT_OK);
    CHECK_INT(ut_matrix_rank(10, 10, t.system.lcp.M, 0.0, arena, &ranks[1]), UT_OK);
    CHECK_INT(ranks[0], 5);
    CHECK_INT(ranks[1], 5);
    test_note("condition on the range: %.4g before, %.4g after scaling", a[0] / a[4], b[0] / b[4]);
    CHECK(b[0] / b[4] < 0.1 * a[0] / a[4]);

    // a sim with the option moves alike
    double v[2];
    for (int k = 0; k < 2; k++) {
        Lab lab = lab_open(H);
        lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE_VELOCITY;
        lab.options.solver = "lemke";
        lab.options.scale_dt = k == 1;
        lab_floor(&lab, 0.5);
        lab_ball(&lab, ut_vec3(0, 0, 0.1), 0.1, 1.0, 0.5);
        lab_start(&lab);
        lab_velocity(&lab, 0, 1.0);
        lab_steps(&lab, 10, NULL, NULL);
        v[k] = ut_sim_v(lab.sim)[0];
        lab_end(&lab);
    }
    CHECK_NEAR(v[1], v[0], 1e-12);
}

// Without the gap an overlap stays; with it, it is gone after one step. And what falls is stopped
// where detection finds it: below the floor.
TEST(D25_the_form_without_gap_drifts)
{
    static const utFormulation names[] = {UT_FORMULATION_STEWART_TRINKLE_VELOCITY,
                                          UT_FORMULATION_STEWART_TRINKLE};
    for (int k = 0; k < 2; k++) {
        Lab lab = box_on_floor(names[k], -1e-3);
        utStepResult result;
        lab_step(&lab, NULL, &result);
        CHECK_NEAR(ut_sim_q(lab.sim)[2], k == 0 ? 0.099 : 0.1, 1e-12);
        lab_end(&lab);
    }
    Lab lab = box_on_floor(UT_FORMULATION_STEWART_TRINKLE_VELOCITY, 0.05);
    utStepResult result;
    double lowest = 1.0;
    for (int step = 0; step < 30; step++) {
        lab_step(&lab, NULL, &result);
        // no contact before the box is below
        for (int i = 0; i < result.report.contacts; i++) {
            CHECK(result.report.contact[i].gap <= 1e-9);
        }
        lowest = fmin(lowest, ut_sim_q(lab.sim)[2]);
    }
    // by hand: after n steps the box has fallen h^2 g n (n + 1) / 2: 45 and 54 mm for 9 and 10
    CHECK_NEAR(lowest, 0.15 - H * H * GRAVITY * 55, 1e-12);
    CHECK_NEAR(ut_sim_q(lab.sim)[2], lowest, 1e-12);
    lab_end(&lab);
}
