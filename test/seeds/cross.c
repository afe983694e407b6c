// SPDX-License-Identifier: Apache-2.0
// Rows X1 to X6: one problem through several papers.
#include "cases.h"

static const double H = 0.01;

// ---- X1 -----------------------------------------------------------------------------------------

// A planar block of 2 kg on two corners that is pushed and turned: velocities (x, y, turning), rows
// n and t of the corners at (-0.5, -0.25) and (0.5, -0.25).
typedef struct PlanarBlock {
    double M[9], J[12], f[3], b[4], mu[2];
    utSection segment;
    utCoulomb problem;
} PlanarBlock;

static void make_planar(PlanarBlock* block, const double* v, const double* force)
{
    const double m = 2.0, I = m * (1.0 + 0.25) / 12;
    *block = (PlanarBlock){.M = {m, 0, 0, 0, m, 0, 0, 0, I},
                           .J = {0, 1, -0.5, 1, 0, 0.25, 0, 1, 0.5, 1, 0, 0.25},
                           .mu = {0.10, 0.15},
                           .segment = ut_section_segment()};
    for (int k = 0; k < 3; k++) {
        block->f[k] = block->M[4 * k] * v[k] + H * (force[k] - (k == 1 ? m * GRAVITY : 0.0));
    }
    block->problem = (utCoulomb){.dimension = 2,
                                 .contacts = 2,
                                 .mu = block->mu,
                                 .section = &block->segment,
                                 .dof = 3,
                                 .M = block->M,
                                 .J = block->J,
                                 .f = block->f,
                                 .b = block->b};
}

TEST(X1_one_block_in_three_orders)
{
    utRng rng = ut_rng(1, 1);
    for (int k = 0; k < 50; k++) {
        double v[3], force[3];
        for (int c = 0; c < 3; c++) {
            v[c] = ut_rng_range(&rng, -1, 1);
            force[c] = ut_rng_range(&rng, -10, 10);
        }
        PlanarBlock block;
        make_planar(&block, v, force);
        const utNotation orders[] = {UT_NOTATION_BERARD, UT_NOTATION_DART, UT_NOTATION_IGMS};
        const int sizes[] = {3 + 2 + 4 + 2, 2 + 4 + 2, 4 + 2 + 2};
        double after[3][3];
        for (int o = 0; o < 3; o++) {
            const utPrintedDef def = ut_printed_def(orders[o], H);
            utArena arena = test_arena();
            const Printed s = solve_printed(&block.problem, &def, UT_LCP_LEMKE, &arena);
            CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
            CHECK_INT(s.system.lcp.n, sizes[o]);
            velocities(&block.problem, s.r, after[o]);
            CHECK_NEAR(distance(3, after[o], after[0]), 0.0, 1e-9);
            if (o == 0) { // nu stands in front
                CHECK_NEAR(distance(3, s.z, after[0]), 0.0, 1e-12);
            }
        }
    }
}

// Berard's Eq. 34 for a block on one corner, written by hand: (nu, p_n, p_f, sigma).
TEST(X1_the_mixed_problem_by_hand)
{
    PlanarBlock block;
    make_planar(&block, (double[]){0.1, 0, 0}, (double[]){1, 0, 0});
    block.problem.contacts = 1;
    block.b[0] = 0.3;
    block.b[1] = 0.4;
    const utPrintedDef def = ut_printed_def(UT_NOTATION_BERARD, H);
    utArena arena = test_arena();
    utPrinted s;
    CHECK_INT(ut_printed_create(&block.problem, &def, &arena, &s, NULL), UT_OK);
    const double m = 2.0, I = m * 1.25 / 12, mu = 0.10;
    const double want[49] = {
        -m, 0,  0,     0,    1,    -1,    0, // -M, W_n, W_f
        0,  -m, 0,     1,    0,    0,     0, //
        0,  0,  -I,    -0.5, 0.25, -0.25, 0, //
        0,  1,  -0.5,  0,    0,    0,     0, // W_n'
        1,  0,  0.25,  0,    0,    0,     1, // W_f', E
        -1, 0,  -0.25, 0,    0,    0,     1, //
        0,  0,  0,     mu,   -1,   -1,    0, // U, -E'
    };
    const double q[7] = {block.f[0], block.f[1], block.f[2], 0.3, 0.4, -0.4, 0};
    CHECK_INT(s.lcp.n, 7);
    CHECK_INT(s.lcp.free_count, 3);
    CHECK_NEAR(distance(49, s.lcp.M, want), 0.0, 1e-15);
    CHECK_NEAR(distance(7, s.lcp.q, q), 0.0, 1e-15);
    // without friction it has neither p_f nor sigma
    utPrintedDef smooth = def;
    block.mu[0] = 0.0;
    smooth.only_rough = true;
    CHECK_INT(ut_printed_create(&block.problem, &smooth, &arena, &s, NULL), UT_OK);
    CHECK_INT(s.lcp.n, 4);
    CHECK_INT(s.parts, 2);
    utBlocks b;
    CHECK_INT(ut_blocks_create(&block.problem, true, &arena, &b, NULL), UT_OK);
    CHECK_INT(b.directions, 0);
    CHECK_INT(b.rough, 0);
    CHECK_INT(b.contacts, 1);
}

// ---- X2 -----------------------------------------------------------------------------------------

// A unit mass on slides along x and z, a ball that does not turn.
static Lab particle(double z, utFormulation formulation)
{
    Lab lab = lab_open(H);
    lab.options.formulation = formulation;
    lab_floor(&lab, 0.5);
    const int body = lab_body(&lab, "block", ut_vec3(0, 0, z));
    for (int k = 0; k < 2; k++) {
        utJointDef joint = ut_joint_def(body, UT_JOINT_SLIDE);
        joint.axis = k == 0 ? ut_vec3(1, 0, 0) : ut_vec3(0, 0, 1);
        ut_model_def_joint(lab.def, &joint);
    }
    lab_geom(&lab, body, UT_SHAPE_SPHERE, ut_vec3(0.125, 0, 0), 1.0, 0.5);
    lab_start(&lab);
    return lab;
}

TEST(X2_falling_through_the_engine)
{
    static const utFormulation names[] = {UT_FORMULATION_STEWART_TRINKLE, UT_FORMULATION_PEIRET,
                                          UT_FORMULATION_COULOMB};
    for (int k = 0; k < 3; k++) {
        Lab lab = particle(1.125, names[k]);
        double x = 1.0, v = 0.0;
        for (int step = 1; step <= 60; step++) {
            // lambda = max(0, q) of F2, and x = max(0, -q / M)
            const double q = -(x + H * v - GRAVITY * H * H) / (H * H);
            const double lambda = fmax(q, 0.0);
            v += (lambda - GRAVITY) * H;
            x = fmax(-q * H * H, 0.0);
            utStepResult result;
            lab_step(&lab, NULL, &result);
            CHECK_NEAR(ut_sim_v(lab.sim)[1], v, 1e-12);
            CHECK_NEAR(ut_sim_body(lab.sim, 1).com.z - 0.125, x, 1e-12);
            // impulses to 1e-12; forces are those over h
            const double r = result.report.contacts > 0 ? result.report.contact[0].r[0] : 0.0;
            CHECK_NEAR(r, H * lambda, 1e-12);
        }
        lab_end(&lab);
    }
}

TEST(X2_sliding_through_the_engine)
{
    static const utFormulation names[] = {
        UT_FORMULATION_STEWART_TRINKLE, UT_FORMULATION_STEWART_TRINKLE_VELOCITY,
        UT_FORMULATION_ANITESCU_POTRA, UT_FORMULATION_PEIRET, UT_FORMULATION_COULOMB};
    const double start[] = {1, -1, 0, 0, 0}, load[] = {0, 0, 6, -6, 4};
    for (int f = 0; f < 5; f++) {
        for (int k = 0; k < 5; k++) {
            Lab lab = particle(0.125, names[f]);
            lab_velocity(&lab, 0, start[k]);
            double v = start[k];
            const double force[] = {load[k], 0};
            const utInput input = {.force = force};
            for (int step = 0; step < 25; step++) {
                // F8: v+ = max(0, -q1 h), v- = max(0, -q2 h)
                const double most = 0.5 * GRAVITY;
                const double plus = fmax(0.0, (v / H + load[k] - most) * H);
                const double minus = fmax(0.0, (-v / H - load[k] - most) * H);
                v = plus - minus;
                lab_step(&lab, &input, NULL);
                CHECK_NEAR(ut_sim_v(lab.sim)[0], v, 1e-12);
            }
            lab_end(&lab);
        }
    }
}

// ---- X3 -----------------------------------------------------------------------------------------

TEST(X3_the_bracket_of_stick_limits)
{
    double wide = 1.0;
    for (int k = 2; k <= 16; k *= 2) {
        const int d = 2 * k;
        const double low =
            stick_limit(polygon(UT_SECTION_INSCRIBED, d, 0.0), UT_NOTATION_DART, PI / d);
        const double high =
            stick_limit(polygon(UT_SECTION_CIRCUMSCRIBED, d, 0.0), UT_NOTATION_PEIRET, PI / d);
        CHECK_NEAR(low, cos(PI / d), 1e-9);
        CHECK_NEAR(high, 1.0 / cos(PI / d), 1e-9);
        CHECK(low <= 1.0 && 1.0 <= high);
        CHECK(high - low < wide);
        wide = high - low;
    }
    CHECK(wide < 0.0101);

    // several contacts: what the inscribed polygon can hold the circle can, and what the circle can
    // the circumscribed one: static feasibility nests; dynamic verdicts are only told
    const utSection in = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    const utSection out = polygon(UT_SECTION_CIRCUMSCRIBED, 8, 0.0);
    int held[2] = {0, 0}, both = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        Random p;
        make_random(&p, seed, 3, 0, 6, &in, 1.0);
        bool stays[2];
        for (int k = 0; k < 2; k++) {
            p.problem.section = k == 0 ? &in : &out;
            utCoulombDef def = ut_coulomb_def();
            def.tolerance = 1e-11; // so that rest stands out below 1e-9 m/s
            utCoulombInfo info;
            double r[9], v[6];
            utArena arena = test_arena();
            CHECK_INT(ut_coulomb_solve(&p.problem, UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
            CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
            velocities(&p.problem, r, v);
            stays[k] = size_of(6, v) < 1e-9;
            held[k] += stays[k];
            // impulses of the smaller polygon are impulses of the larger one
            for (int i = 0; k == 0 && i < 3; i++) {
                const utLaw law = {.section = &out, .mu = p.mu[i]};
                CHECK(ut_law_excess(&law, r + 3 * i) <= 1e-12 * r[3 * i]);
            }
        }
        both += stays[0] && stays[1];
        CHECK(!stays[0] || stays[1]); // rest by the inscribed one is a solution of the other
    }
    test_note("of 60 loads on three contacts %d stay inscribed, %d circumscribed, %d both", held[0],
              held[1], both);
}

// ---- X4, X6 -------------------------------------------------------------------------------------

// Copositive problems with friction and positive definite ones, up to ten unknowns: what Lemke's
// method finds is among all solutions, and it never ends on a ray.
TEST(X4_lemke_against_enumeration)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        Random p;
        make_random(&p, seed, 1, 0, 4, &section, 1.0);
        const utPrintedDef def = ut_printed_def(UT_NOTATION_DART, H);
        utArena arena = test_arena();
        const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
        CHECK_INT(s.system.lcp.n, 10);
        CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
        double* Z = UT_PUSH(&arena, double, 64 * 10);
        int count = 0;
        const utLcpDef settings = ut_lcp_def();
        CHECK_INT(ut_lcp_all(&s.system.lcp, &settings, arena, 64, Z, &count), UT_OK);
        CHECK(count > 0);
        // solutions may form a continuum: velocities are compared
        double v[4], other[4], r[3], nearest = HUGE_VAL;
        velocities(&p.problem, s.r, v);
        for (int k = 0; k < count && k < 64; k++) {
            CHECK_INT(ut_printed_impulses(&s.system, Z + 10 * k, arena, r), UT_OK);
            velocities(&p.problem, r, other);
            nearest = fmin(nearest, distance(4, v, other));
        }
        CHECK(nearest <= 1e-9);
    }
}

// sigma as a speed, or as a displacement per step (E sigma / h): the same forces, as D24 has it.
TEST(X6_units_of_the_slip_unknown)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Random p;
        make_random(&p, seed, 2, 0, 8, &section, 0.7);
        utArena arena = test_arena();
        utPolyhedralDef def = form_of(UT_POLYHEDRAL_FORCE, UT_POLYHEDRAL_FULL);
        const Solved speed = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
        def.scale = 1.0 / H;
        const Solved way = solve_form(&p.problem, &def, UT_LCP_LEMKE, &arena);
        double v[2][MAX_DOF];
        velocities(&p.problem, speed.r, v[0]);
        velocities(&p.problem, way.r, v[1]);
        CHECK_NEAR(distance(8, v[0], v[1]), 0.0, 1e-10);
        for (int i = 0; i < 2; i++) {
            if (speed.r[3 * i] > 1e-6) {
                CHECK_NEAR(way.z[way.form.lambda + i], H * speed.z[speed.form.lambda + i], 1e-10);
            }
        }
    }
}

// ---- a ray by name ------------------------------------------------------------------------------

// A box held between a floor and a ceiling that overlap it: signed gaps leave no way out. The step
// says so, names a contact of the proof and leaves the state alone; without gaps it is solved.
TEST(X_infeasible_gaps_are_named)
{
    static const utFormulation names[] = {UT_FORMULATION_STEWART_TRINKLE, UT_FORMULATION_PEIRET,
                                          UT_FORMULATION_STEWART_TRINKLE_VELOCITY,
                                          UT_FORMULATION_ANITESCU_POTRA};
    for (int k = 0; k < 4; k++) {
        Lab lab = lab_open(H);
        lab.options.formulation = names[k];
        lab_floor(&lab, 0.5);
        lab_plane(&lab, ut_vec3(0, 0, 0.19), ut_vec3(0, 0, -1), 0.5);
        lab_box(&lab, ut_vec3(0, 0, 0.095), ut_vec3(0.1, 0.1, 0.1), 1.0, 0.5);
        lab_start(&lab);
        utStepResult result;
        CHECK_INT(ut_sim_step(lab.sim, NULL, &result, NULL), k < 2 ? UT_ERR_NOT_TAKEN : UT_OK);
        CHECK_INT(result.report.contacts, 8);
        if (k < 2) {
            CHECK_INT(result.outcome, UT_STEP_UNCERTIFIED);
            CHECK_TEXT(ut_island_outcome_name(result.report.island[0].outcome), "none");
            CHECK(result.report.island[0].ray >= 0 && result.report.island[0].ray < 8);
            CHECK_NEAR(ut_sim_time(lab.sim), 0.0, 0.0);
        } else {
            CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
        }
        lab_close(&lab);
    }
}

// ---- X1 through the engine ----------------------------------------------------------------------

// A planar block with a rod hinged to it, pushed from rest: in generalized coordinates and with the
// hinge as rows, in the orders of two papers; the first step's velocities are the same, for there
// is nothing that turns yet.
TEST(X1_generalized_and_maximal_coordinates)
{
    Lab lab = lab_open(H);
    lab.options.formulation = UT_FORMULATION_STEWART_TRINKLE;
    lab.options.planar = UT_PLANAR_XZ;
    lab_floor(&lab, 0.15);
    const int block = lab_box(&lab, ut_vec3(0, 0, 0.25), ut_vec3(0.5, 0.2, 0.25), 2.0, 0.15);
    utBodyDef rod = ut_body_def();
    rod.parent = block;
    rod.pos = ut_vec3(0.1, 0, 0.05);
    rod.quat = ut_quat(cos(0.4), 0, sin(0.4), 0);
    rod.inertial = true;
    rod.mass = 1.0;
    rod.com = ut_vec3(0, 0, -0.5);
    rod.inertia = ut_mat3_diagonal(ut_vec3(1.0 / 12, 1.0 / 12, 1e-3));
    const int hinged = ut_model_def_body(lab.def, &rod);
    utJointDef hinge = ut_joint_def(hinged, UT_JOINT_HINGE);
    hinge.axis = ut_vec3(0, 1, 0);
    CHECK(ut_model_def_joint(lab.def, &hinge) >= 0);
    lab_start(&lab);
    utModel* maximal = NULL;
    utSim* other = NULL;
    utError err = {0};
    if (!CHECK_INT(ut_model_maximal(lab.model, NULL, &maximal, &err), UT_OK) ||
        !CHECK_INT(ut_sim_create(maximal, NULL, &other, &err), UT_OK)) {
        test_note("%s", err.message);
        return;
    }
    utArena arena = test_arena();
    utCoulomb p = {0};
    CHECK_INT(ut_sim_coulomb(other, NULL, &arena, &p, &err), UT_OK);
    CHECK_INT(p.dof, 6);
    CHECK_INT(p.bilaterals, 2);
    CHECK_INT(p.contacts, 2);
    const utPrintedDef def = ut_printed_def(UT_NOTATION_BERARD, H);
    const Printed mixed = solve_printed(&p, &def, UT_LCP_LEMKE, &arena);
    CHECK_INT(mixed.system.lcp.n, 6 + 2 + 2 + 4 + 2);
    lab_step(&lab, NULL, NULL);
    utStepResult result;
    CHECK_INT(ut_sim_step(other, NULL, &result, &err), UT_OK);
    CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
    // velocities of both are those that the step found where it began: nu stands in front
    double v[6];
    ut_model_carry(maximal, ut_sim_q(other), ut_sim_v(other), maximal->q0, v);
    CHECK_NEAR(distance(6, mixed.z, v), 0.0, 1e-9);
    utKinematics kin[2];
    CHECK_INT(ut_kinematics_create(lab.model, &arena, &kin[0]), UT_OK);
    CHECK_INT(ut_kinematics_create(maximal, &arena, &kin[1]), UT_OK);
    ut_kinematics_place(&kin[0], lab.model->q0, NULL, NULL);
    ut_kinematics_place(&kin[1], maximal->q0, NULL, NULL);
    ut_kinematics_move(&kin[0], ut_sim_v(lab.sim), NULL);
    ut_kinematics_move(&kin[1], v, NULL);
    double most = 0.0;
    for (int b = 1; b < 3; b++) {
        const utVec3 one = ut_point_velocity(&kin[0], b, kin[0].com[b]);
        const utVec3 two = ut_point_velocity(&kin[1], b, kin[1].com[b]);
        CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(one, two)), 0.0, 1e-9);
        CHECK_NEAR(
            ut_vec3_norm(ut_vec3_sub(kin[0].velocity[b].angular, kin[1].velocity[b].angular)), 0.0,
            1e-9);
        most = fmax(most, ut_vec3_norm(one));
    }
    CHECK(most > 0.01);
    ut_sim_destroy(other);
    ut_model_destroy(maximal);
    lab_end(&lab);
}
