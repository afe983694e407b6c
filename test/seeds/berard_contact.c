// SPDX-License-Identifier: Apache-2.0
// Contacts of the recipes: frames and wrenches, the normal and tangential laws with surfaces that
// move, the discrete conditions, and the block on a floor, on a belt and before a pusher.
#include "berard.h"

// A block of 2 kg, 1 x 0.5 m, on its two lower corners. @param floor attributes of the floor
#define BLOCK(floor, mu, more)                                                                   \
    "<mujoco xmlns:ut='urn:uptack'><compiler angle='radian'/>"                                   \
    "<option timestep='0.01' gravity='0 -9.81 0' ut:planar='xy'/>"                               \
    "<ut:contact formulation='stewart-trinkle' solver='lemke' directions='2'/><worldbody>" floor \
    "<body name='C' pos='0 0.25 0'><freejoint name='C'/>"                                        \
    "<inertial pos='0 0 0' mass='2' diaginertia='0.2083333333333333 0.2083333333333333 "         \
    "0.2083333333333333'/>"                                                                      \
    "<site name='left' pos='-0.5 -0.25 0'/><site name='right' pos='0.5 -0.25 0'/></body>"        \
    "</worldbody>" more "<ut:point site='left' geom='floor' friction='" mu "'/>"                 \
    "<ut:point site='right' geom='floor' friction='" mu "'/></mujoco>"

#define FLOOR(attributes)                                                     \
    "<geom name='floor' type='plane' size='0 0 1' zaxis='0 1 0' contype='0' " \
    "conaffinity='0' " attributes "/>"

static const double MU = 0.3, G = 9.81, H = 0.01;

static utStepResult push(utSim* sim, double fx, double fy)
{
    utForce applied[4] = {{.force = {0, 0, 0}}};
    applied[ut_model_find_body(ut_sim_model(sim), "C")].force = ut_vec3(fx, fy, 0.0);
    const utInput input = {.applied = applied};
    utStepResult result = {0};
    utError err = {0};
    if (!CHECK_INT(ut_sim_step(sim, &input, &result, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
    return result;
}

// ---- frames, wrenches, normal contact -----------------------------------------------------------

// Momentum that a box on four corners gets in a step is what the impulses n, t, o do at their
// points: m dv = sum r, I dw = sum x x r.
TEST(B13_contact_frames_and_wrenches_in_space)
{
    utModel* model = scene_read(
        "<mujoco xmlns:ut='urn:uptack'><option timestep='0.01'/>"
        "<ut:contact formulation='stewart-trinkle' directions='8'/><worldbody>"
        "<geom name='floor' type='plane' size='0 0 1'/><body name='box' pos='0.2 0.1 0.1'>"
        "<freejoint/><geom type='box' size='0.3 0.2 0.1' mass='3' friction='0.4'/></body>"
        "</worldbody></mujoco>",
        false);
    utSim* sim = scene_sim(model, 0.0);
    const double v[] = {0.5, 0.3, 0, 0, 0, 2.0};
    CHECK_INT(ut_sim_set(sim, 0.0, NULL, v, NULL), UT_OK);
    const utBodyState start = ut_sim_body(sim, 1);
    const utStepResult result = scene_step(sim);
    utVec3 force = ut_vec3_zero(), torque = ut_vec3_zero();
    CHECK_INT(result.report.contacts, 4);
    for (int i = 0; i < result.report.contacts; i++) {
        const utContact* c = &result.report.contact[i];
        const utVec3 o = ut_vec3_cross(c->frame[0], c->frame[1]);
        CHECK_NEAR(ut_vec3_dot(o, c->frame[2]), 1.0, 1e-15);
        CHECK_NEAR(c->frame[0].z, 1.0, 1e-15);
        for (int k = 0; k < 3; k++) {
            const utVec3 p = ut_vec3_scale(c->frame[k], c->r[k]);
            force = ut_vec3_add(force, p);
            torque = ut_vec3_add(torque, ut_vec3_cross(ut_vec3_sub(c->point, start.com), p));
        }
    }
    // in 3 kg: 3 (v' - v) + 3 g h; about z: m (a^2 + b^2) / 3 of the half sizes
    const double* after = result.report.v_next;
    CHECK_NEAR(force.x, 3.0 * (after[0] - 0.5), 1e-12);
    CHECK_NEAR(force.y, 3.0 * (after[1] - 0.3), 1e-12);
    CHECK_NEAR(force.z, 3.0 * G * H, 1e-12);
    CHECK_NEAR(torque.z, 3.0 * (0.09 + 0.04) / 3.0 * (after[5] - 2.0), 1e-12);
    CHECK_NEAR(torque.x, 0.0, 1e-10); // it does not tip
    CHECK(force.x < -0.1 && torque.z < -0.01);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// 0 <= gap after the step to first order, 0 <= force, and one of them is 0.
TEST(B14_gaps_and_forces_are_complementary)
{
    for (int e = RECIPE_4_2; e < RECIPE_COUNT; e++) {
        utModel* model = scene_load(recipe_name((RecipeExample)e), true);
        utSim* sim = scene_sim(model, 0.0);
        int open = 0, closed = 0;
        for (int k = 0; k < 200; k++) {
            const utStepResult result = scene_step(sim);
            for (int i = 0; i < result.report.contacts; i++) {
                const utContact* c = &result.report.contact[i];
                CHECK(c->r[0] >= 0.0);
                CHECK(c->u[0] >= -1e-12);
                CHECK_NEAR(c->r[0] * c->u[0], 0.0, 1e-12);
                open += c->r[0] == 0.0;
                closed += c->r[0] > 0.0;
            }
        }
        CHECK(closed > 0 && (e <= RECIPE_4_3 || open > 0));
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}

// A block 1 mm in the floor: the corners' rows are linear as long as it does not turn.
TEST(B15_a_negative_gap_is_corrected_in_one_step)
{
    utModel* model = scene_read(BLOCK(FLOOR(""), "0.3", ""), false);
    utSim* sim = scene_sim(model, 0.0);
    const double q[] = {0.0, 0.249, 0.0};
    CHECK_INT(ut_sim_set(sim, 0.0, q, NULL, NULL), UT_OK);
    const utStepResult first = scene_step(sim);
    CHECK_NEAR(first.report.contact[0].gap, -1e-3, 1e-15);
    const utStepResult second = scene_step(sim);
    for (int i = 0; i < 2; i++) {
        CHECK(second.report.contact[i].gap >= -1e-12);
        CHECK(second.report.contact[i].gap <= 1e-12);
    }
    // it left the floor at 0.1 m/s, 0.1 - g h after the second step, is back after the third and
    // lies still from then on: nothing is amplified
    CHECK_NEAR(second.report.v_next[1], 0.1 - G * H, 1e-12);
    scene_step(sim);
    for (int k = 0; k < 20; k++) {
        const utStepResult later = scene_step(sim);
        CHECK_NEAR(later.report.v_next[1], 0.0, 1e-12);
        CHECK_NEAR(later.report.contact[0].gap, 0.0, 1e-12);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// ---- friction -----------------------------------------------------------------------------------

// The circular cone: 0 = mu p_n u_t + p_t sigma, sigma >= 0 with mu^2 p_n^2 = p_t^2.
TEST(B16_the_quadratic_law_holds_for_the_exact_cone)
{
    utModel* model = scene_read(
        "<mujoco><option timestep='0.01'/><worldbody><geom name='floor' type='plane' size='0 0 1' "
        "friction='0.3'/><body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
        "<geom type='sphere' size='0.1' pos='0 0 0.1' mass='0' friction='0.3'/></body>"
        "</worldbody></mujoco>",
        false);
    for (int k = 0; k < 12; k++) {
        utSim* sim = scene_sim(model, 0.0);
        const double angle = 0.55 * k;
        const double v[] = {cos(angle), sin(angle), -0.3, 0, 0, 0};
        CHECK_INT(ut_sim_set(sim, 0.0, NULL, v, NULL), UT_OK);
        const utStepResult result = scene_step(sim);
        CHECK_INT(result.report.contacts, 1);
        const utContact* c = &result.report.contact[0];
        const double sigma = hypot(c->u[1], c->u[2]), bound = c->mu * c->r[0];
        CHECK(sigma > 0.1);
        CHECK_NEAR(bound * c->u[1] + c->r[1] * sigma, 0.0, 1e-8);
        CHECK_NEAR(bound * c->u[2] + c->r[2] * sigma, 0.0, 1e-8);
        CHECK_NEAR(bound * bound, c->r[1] * c->r[1] + c->r[2] * c->r[2], 1e-12);
        ut_sim_destroy(sim);
    }
    ut_model_destroy(model);
}

// Eq. 22 and 23 of every contact, with beta+- from the signed impulse and sigma = |u_t|, the slip
// against the surface that moves.
TEST(B17_maximum_dissipation_with_surfaces_that_move)
{
    utModel* model = scene_load("4.5", true);
    utSim* sim = scene_sim(model, 0.0);
    int slipping = 0;
    for (int k = 0; k < 200; k++) {
        const utStepResult result = scene_step(sim);
        for (int i = 0; i < result.report.contacts; i++) {
            const utContact* c = &result.report.contact[i];
            const double plus = fmax(c->r[1], 0.0), minus = fmax(-c->r[1], 0.0);
            const double sigma = fabs(c->u[1]), left = c->mu * c->r[0] - plus - minus;
            CHECK_NEAR(plus * (c->u[1] + sigma), 0.0, 1e-11);
            CHECK_NEAR(minus * (-c->u[1] + sigma), 0.0, 1e-11);
            CHECK_NEAR(sigma * left, 0.0, 1e-11);
            CHECK(left >= -1e-12);
            slipping += c->r[0] > 0.0 && sigma > 1e-3;
        }
    }
    CHECK(slipping > 50);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// The block sticks up to sum |F_x| = mu sum N and then it slips; while it sticks it does not move
// at all.
TEST(B31_the_block_sticks_up_to_mu_N)
{
    utModel* model = scene_read(BLOCK(FLOOR(""), "0.3", ""), false);
    for (int k = 0; k < 4; k++) {
        const double share[] = {0.5, 0.999, 1.001, 1.5}, pull[] = {0.0, 3.0, -5.0, 4.0};
        // an upward pull makes N smaller
        const double N = 2.0 * G - pull[k], F = share[k] * MU * N;
        utSim* sim = scene_sim(model, 0.0);
        for (int step = 1; step <= 20; step++) {
            const utStepResult result = push(sim, F, pull[k]);
            const utContact* c = result.report.contact;
            CHECK_NEAR((c[0].r[0] + c[1].r[0]) / H, N, 1e-10);
            const double want = share[k] < 1.0 ? 0.0 : (F - MU * N) / 2.0 * H * step;
            CHECK_NEAR(ut_sim_v(sim)[0], want, share[k] < 1.0 ? 1e-15 : 1e-12);
            CHECK_NEAR(-(c[0].r[1] + c[1].r[1]) / H, fmin(F, MU * N), 1e-10);
        }
        ut_sim_destroy(sim);
    }
    ut_model_destroy(model);
}

// In 4.3 each step either sticks, with friction inside its bounds, or slips with all of it.
TEST(B31_the_block_of_4_3_sticks_or_slips)
{
    utModel* model = scene_load("4.3", true);
    utSim* sim = scene_sim(model, 0.0);
    int stuck = 0, slipped = 0;
    for (int k = 0; k < 200; k++) {
        const utStepResult result = scene_step(sim);
        const utContact* c = result.report.contact;
        const double bound = c[0].mu * c[0].r[0] + c[1].mu * c[1].r[0];
        const double friction = fabs(c[0].r[1] + c[1].r[1]);
        if (friction < bound * (1.0 - 1e-9)) {
            CHECK_NEAR(c[0].u[1], 0.0, 1e-14);
            stuck++;
        } else {
            CHECK_NEAR(friction, bound, 1e-12);
            slipped++;
        }
    }
    CHECK(stuck > 0 && slipped > 0);
    test_note("%d steps stuck, %d slipped", stuck, slipped);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// ---- the discrete conditions --------------------------------------------------------------------

// Every line of the instantaneous set, Eq. 24, with forces p/h and q' = (q' - q)/h: the equations
// to rounding, the constraints to what a step leaves, O(h^2).
TEST(B18_the_whole_set_holds)
{
    for (int e = 0; e < RECIPE_COUNT; e++) {
        Recipe k = recipe((RecipeExample)e, 0.01);
        utModel* model = scene_load(recipe_name((RecipeExample)e), true);
        utSim* sim = scene_sim(model, 0.0);
        for (int step = 0; step < 100; step++) {
            RecipeBlocks b;
            CHECK_INT(ut_sim_set(sim, k.t, k.q, k.v, NULL), UT_OK);
            const utStepResult result = scene_step(sim);
            const utStepReport* r = &result.report;
            recipe_blocks(&k, &b);
            for (int i = 0; i < k.nu; i++) {
                double force = b.app[i];
                for (int j = 0; j < r->rows; j++) {
                    force += b.Wb[i][j] * (r->row[j].body1 == 0 ? 1.0 : -1.0) * r->row[j].r / H;
                }
                for (int j = 0; j < r->contacts; j++) {
                    force +=
                        (b.Wn[i][j] * r->contact[j].r[0] + b.Wf[i][2 * j] * r->contact[j].r[1]) / H;
                }
                CHECK_NEAR(b.M[i][i] * (r->v_next[i] - k.v[i]) / H, force, 1e-9);
            }
            for (int j = 0; j < k.bilaterals; j++) {
                CHECK_NEAR(b.phi[j], 0.0, 15.0 * H * H);
            }
            for (int j = 0; j < k.contacts; j++) {
                CHECK(b.psi[j] >= -0.5 * H * H);
            }
            CHECK(recipe_step(&k));
        }
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}

// The page that prints the set has all of its lines.
TEST(B18_the_whole_set_is_documented)
{
    static const char* const lines[] = {
        "q̇ = G(q) ν",
        "M ν̇ = W_b λ_b + W_n λ_n + W_f λ_f + λ_app(q, ν, t)",
        "Φ(q, t) = 0",
        "Ψ_n(q, t) ≥ 0,   λ_n ≥ 0,   Ψ_n · λ_n = 0",
        "0 ≤ λ_f ⟂ W_fᵀ ν + E σ + ∂Ψ_f/∂t ≥ 0",
        "0 ≤ σ ⟂ U λ_n − Eᵀ λ_f ≥ 0",
    };
    utArena arena = test_arena();
    utText text;
    utError err = {0};
    if (CHECK_INT(ut_text_read("docs/recipes.md", 0, &arena, &text, &err), UT_OK)) {
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
            CHECK(strstr(text.data, lines[k]) != NULL);
        }
    }
}

TEST(B19_positions_move_by_the_new_velocities)
{
    utModel* model = scene_load("4.4-tip", true);
    utSim* sim = scene_sim(model, 0.0);
    for (int k = 0; k < 100; k++) {
        const utStepResult result = scene_step(sim);
        const utStepReport* r = &result.report;
        for (int i = 0; i < model->nv; i++) {
            CHECK_NEAR(r->q_next[i], r->q[i] + r->h * r->v_next[i], 2e-16);
        }
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A floor that rises as a(1 - cos 4t) with its belt going at V: dPsi_n/dt = -f', dPsi_f/dt = -+V.
// The block stays on it within h^2 f''/2 and reaches V.
TEST(B20_a_floor_that_rises_and_moves)
{
    utModel* model = scene_read(
        BLOCK("<body name='lift'><geom name='floor' type='plane' size='0 0 1' zaxis='0 1 0' "
              "contype='0' conaffinity='0' surfacevel='0.4 0 0'/></body>",
              "0.5", "<ut:motion body='lift' x='0' y='0.1*(1 - cos(4*t))'/>"),
        false);
    utSim* sim = scene_sim(model, 0.0);
    for (int k = 0; k < 100; k++) {
        const double t = H * k;
        const utStepResult result = scene_step(sim);
        const utContact* c = result.report.contact;
        CHECK_NEAR(c->b[0], c->gap / H - 0.4 * sin(4.0 * t), 1e-12);
        CHECK_NEAR(c->b[1], -0.4, 1e-12);
        const double height = ut_sim_q(sim)[1] - 0.25;
        CHECK_NEAR(height, 0.1 * (1.0 - cos(4.0 * (t + H))), 0.5 * H * H * 1.6 + 1e-12);
    }
    CHECK_NEAR(ut_sim_v(sim)[0], 0.4, 1e-12);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(B21_impulses_over_h_are_forces)
{
    utModel* model = scene_read(BLOCK(FLOOR(""), "0.3", ""), false);
    utSim* sim = scene_sim(model, 0.0);
    for (int k = 0; k < 5; k++) {
        const utStepResult result = push(sim, 1.5, 0.0);
        const utContact* c = result.report.contact;
        CHECK_NEAR((c[0].r[0] + c[1].r[0]) / H, 2.0 * G, 1e-11);
        CHECK_NEAR((c[0].r[1] + c[1].r[1]) / H, -1.5, 1e-11);
        // the push acts at the centre, 0.25 m above the floor: moments about it balance
        CHECK_NEAR((c[1].r[0] - c[0].r[0]) / H * 0.5, 1.5 * 0.25, 1e-11);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// ---- the block with its pendulum ----------------------------------------------------------------

TEST(B27_the_pendulum_hangs_on_the_block)
{
    utModel* model = scene_load("4.2", true);
    utSim* sim = scene_sim(model, 0.0);
    CHECK_INT(model->nequality, 2);
    CHECK_INT(model->equality[0].body1, ut_model_find_body(model, "C"));
    CHECK_INT(model->equality[0].body2, ut_model_find_body(model, "A"));
    for (int k = 0; k < 100; k++) {
        scene_step(sim);
        const Pose C = scene_pose(sim, "C"), A = scene_pose(sim, "A");
        const double c = cos(C.q[2]), s = sin(C.q[2]);
        const double O[] = {C.q[0] + 0.1 * c - 0.05 * s, C.q[1] + 0.1 * s + 0.05 * c};
        const double top[] = {A.q[0] - 0.5 * sin(A.q[2]), A.q[1] + 0.5 * cos(A.q[2])};
        CHECK(hypot(O[0] - top[0], O[1] - top[1]) <= 15.0 * H * H);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(B28_gaps_are_the_corners_heights)
{
    utModel* model = scene_load("4.4-tip", true);
    utSim* sim = scene_sim(model, 0.0);
    for (int k = 0; k < 150; k++) {
        const Pose C = scene_pose(sim, "C");
        const double c = cos(C.q[2]), s = sin(C.q[2]);
        const utStepResult result = scene_step(sim);
        CHECK_NEAR(result.report.contact[0].gap, C.q[1] - 0.15 * s - 0.3 * c, 1e-15);
        CHECK_NEAR(result.report.contact[1].gap, C.q[1] + 0.15 * s - 0.3 * c, 1e-15);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// Horizontal momentum over 2 s, the farthest from 0.
static double momentum(bool maximal, double h)
{
    utModel* model = scene_load("4.2", maximal);
    utSim* sim = scene_sim(model, h);
    double most = 0.0;
    for (int k = 0; k < (int)lround(2.0 / h); k++) {
        scene_step(sim);
        most = fmax(most, fabs(2.0 * scene_pose(sim, "C").v[0] + scene_pose(sim, "A").v[0] +
                               0.5 * scene_pose(sim, "B").v[0]));
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    return most;
}

// Nothing pushes it sideways: the momentum stays 0. In generalized coordinates the scheme takes M
// at q^l and the momentum has it at q^l+1: of first order.
TEST(B30_horizontal_momentum_without_friction)
{
    const double maximal = momentum(true, 0.01);
    const double coarse = momentum(false, 0.01), fine = momentum(false, 0.005);
    CHECK(maximal <= 1e-12);
    CHECK_NEAR(coarse / fine, 2.0, 0.2);
    test_note("momentum %.1e N s, in generalized coordinates %.2f h", maximal, coarse / 0.01);
}

// ---- pusher and belt ----------------------------------------------------------------------------

// The pusher is where f(t) says, and adds no velocities; while it pushes, its point of the face
// goes at f'(t_l), and what a step leaves, h f''/2 <= 0.5 h m/s, is made up in the next one.
TEST(B32_the_pusher_leads_the_face)
{
    utModel* without = scene_load("4.3", true);
    utModel* model = scene_load("4.4", true);
    utSim* sim = scene_sim(model, 0.0);
    CHECK_INT(model->nv, without->nv);
    int pushed = 0;
    bool before = false;
    for (int k = 0; k < 200; k++) {
        const double t = H * k, rate = 0.5 * sin(2.0 * t);
        const utStepResult result = scene_step(sim);
        const utStepReport* r = &result.report;
        const utContact* c = &r->contact[2];
        CHECK_NEAR(r->mocap_pos[0], -0.55 + 0.25 * (1.0 - cos(2.0 * t)), 1e-15);
        CHECK_NEAR(r->mocap_pos[1], 0.3, 0.0);
        CHECK_NEAR(c->point.x, r->mocap_pos[0], 1e-15);
        const bool pushes = c->r[0] > 1e-12;
        if (pushes) {
            const double y = c->point.y - r->q[1]; // from C*
            const double face = r->v_next[0] - r->v_next[2] * y;
            const double n = -c->frame[0].x;
            CHECK_NEAR(n, 1.0, 1e-12); // the block stays flat
            CHECK_NEAR(face, rate - c->gap / H, 1e-12);
            CHECK(!before || fabs(face - rate) <= 0.5 * H);
            pushed++;
        }
        before = pushes;
    }
    CHECK(pushed > 50);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    ut_model_destroy(without);
}

// A quiet block on a belt is dragged at mu g: it has the belt's speed V after V / (mu g) and
// slipped by V^2 / (2 mu g) until then. In steps: v_k = min(V, mu g h k), so the time is rounded up
// to a step, and the sum of (V - v_k) h is less by half a step's V h, up to mu g h^2.
TEST(B33_a_block_reaches_the_belts_speed)
{
    const double V = 0.5, a = MU * G;
    utModel* model = scene_read(BLOCK(FLOOR("surfacevel='0.5 0 0'"), "0.3", ""), false);
    utSim* sim = scene_sim(model, 0.0);
    double slipped = 0.0;
    int steps = 0;
    while (ut_sim_v(sim)[0] < V - 1e-12 && steps < 1000) {
        scene_step(sim);
        steps++;
        slipped += H * (V - ut_sim_v(sim)[0]);
        CHECK_NEAR(ut_sim_v(sim)[0], fmin(V, a * H * steps), 1e-12);
    }
    CHECK_INT(steps, (int)ceil(V / (a * H)));
    CHECK_NEAR(slipped, V * V / (2.0 * a) - 0.5 * V * H, a * H * H);
    test_note("%.2f s, exactly %.4f; slipped %.4f m, exactly %.4f", H * steps, V / a, slipped,
              V * V / (2.0 * a));
    for (int k = 0; k < 50; k++) {
        scene_step(sim);
        CHECK_NEAR(ut_sim_v(sim)[0], V, 1e-13);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// ---- the full model -----------------------------------------------------------------------------

// The scenario file with everything: its default is 10 s.
TEST(B34_B42_the_full_model_runs_for_ten_seconds)
{
    for (int maximal = 0; maximal < 2; maximal++) {
        utModel* model = scene_load("4.6", maximal == 1);
        utSim* sim = scene_sim(model, 0.0);
        CHECK_NEAR(model->options.time, 10.0, 0.0);
        double E = 0.0;
        for (int k = 0; k < 1000; k++) {
            E = fmax(E, scene_step(sim).certificate.E); // which is a failure unless it is certified
        }
        CHECK_NEAR(ut_sim_time(sim), 10.0, 1e-9);
        test_note("%s: 1000 steps certified, E %.1e", maximal == 1 ? "maximal" : "generalized", E);
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}
