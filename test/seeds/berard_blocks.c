// SPDX-License-Identifier: Apache-2.0
// The matrices of a step, taken from its report, entry by entry against those that the recipes
// print: M, W_b, W_n, W_f, E, U and the parts of b.
#include <uptack/blocks.h>
#include <uptack/sim_coulomb.h>

#include "berard.h"

// ---- blocks from a report -----------------------------------------------------------------------

// Where the velocities of a body stand; -1: it does not move
static int first_of(const utModel* model, int body)
{
    return model->body[body].dofs > 0 ? model->body[body].dof : -1;
}

// Add a wrench, a force along `direction` at `point`, to a column of W.
static void add_wrench(const utKinematics* kin, int body, utVec3 point, utVec3 direction,
                       double moment, double sign, double* W, int stride)
{
    const int i = first_of(kin->model, body);
    if (i < 0) {
        return;
    }
    const utVec3 r = ut_vec3_sub(point, kin->com[body]);
    W[i * stride] += sign * direction.x;
    W[(i + 1) * stride] += sign * direction.y;
    if (kin->model->body[body].dofs == 3) {
        W[(i + 2) * stride] += sign * (r.x * direction.y - r.y * direction.x + moment);
    }
}

static void take_rows(const utKinematics* kin, const utStepReport* report, RecipeBlocks* b)
{
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        // uptack subtracts the parent from the child, the paper the child from the parent (but the
        // ground from A)
        const double sign = row->body1 == 0 ? 1.0 : -1.0;
        CHECK_INT(row->kind, UT_ROW_EQUALITY);
        add_wrench(kin, row->body2, row->point2, row->linear, row->angular.z, sign, &b->Wb[0][j],
                   RECIPE_B);
        add_wrench(kin, row->body1, row->point1, row->linear, row->angular.z, -sign, &b->Wb[0][j],
                   RECIPE_B);
        b->phi[j] = sign * row->b * report->h;
    }
}

static void take_contacts(const utKinematics* kin, const utStepReport* report, RecipeBlocks* b)
{
    const utModel* model = kin->model;
    for (int i = 0; i < report->contacts; i++) {
        const utContact* c = &report->contact[i];
        const int body1 = ut_model_side_body(model, c->geom1);
        const int body2 = ut_model_side_body(model, c->geom2);
        add_wrench(kin, body2, c->point, c->frame[0], 0.0, 1.0, &b->Wn[0][i], RECIPE_C);
        add_wrench(kin, body1, c->point, c->frame[0], 0.0, -1.0, &b->Wn[0][i], RECIPE_C);
        b->psi[i] = c->gap;
        b->psi_t[i] = c->b[0] - c->gap / report->h;
        CHECK_INT(report->directions, 2);
        for (int d = 0; d < 2 && c->mu > 0.0; d++) {
            const double sign = d == 0 ? 1.0 : -1.0;
            double* W = &b->Wf[0][2 * i + d];
            add_wrench(kin, body2, c->point, c->frame[1], 0.0, sign, W, RECIPE_F);
            add_wrench(kin, body1, c->point, c->frame[1], 0.0, -sign, W, RECIPE_F);
            b->slip_t[2 * i + d] = sign * c->b[1];
            b->E[2 * i + d][i] = 1.0;
        }
        b->U[i][i] = c->mu;
    }
}

// M, and lambda_app from the free velocity: M v* = M v + h lambda_app
static void take_masses(const utKinematics* kin, utArena* arena, const utStepReport* report,
                        RecipeBlocks* b)
{
    const int n = kin->model->nv;
    utMass mass;
    CHECK_INT(ut_mass_create(kin->model, arena, &mass), UT_OK);
    ut_mass_find(&mass, kin, NULL);
    for (int j = 0; j < n; j++) {
        double unit[RECIPE_NU] = {0}, column[RECIPE_NU];
        unit[j] = 1.0;
        ut_mass_multiply(&mass, unit, column);
        for (int i = 0; i < n; i++) {
            b->M[i][j] = column[i];
            b->app[i] += column[i] * (report->v_free[j] - report->v[j]) / report->h;
        }
    }
}

static void blocks_of(const utStepReport* report, RecipeBlocks* b)
{
    utArena arena = test_arena();
    utKinematics kin;
    memset(b, 0, sizeof *b);
    CHECK_INT(ut_kinematics_create(report->model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, report->q, report->mocap_pos, report->mocap_quat);
    ut_kinematics_move(&kin, report->v, report->mocap_velocity);
    take_masses(&kin, &arena, report, b);
    take_rows(&kin, report, b);
    take_contacts(&kin, report, b);
}

// ---- against the printed ones -------------------------------------------------------------------

static double most_apart(const double* a, const double* b, size_t count)
{
    double most = 0.0;
    for (size_t k = 0; k < count; k++) {
        most = fmax(most, fabs(a[k] - b[k]));
    }
    return most;
}

#define SAME(block, tolerance)                                                             \
    do {                                                                                   \
        const double off = most_apart((const double*)got.block, (const double*)want.block, \
                                      sizeof got.block / sizeof(double));                  \
        if (!CHECK(off <= (tolerance))) {                                                  \
            test_note(#block " at t = %g: off by %.1e", k->t, off);                        \
        }                                                                                  \
    } while (false)

// All blocks of the step from the recipe's state. Distances are a few metres and forces below 100
// N, so entries agree to 1e-14 or so; lambda_app and dPsi/dt are differences over h, and lose 1/h.
static void compare(const utStepReport* report, const Recipe* k)
{
    RecipeBlocks got, want;
    blocks_of(report, &got);
    recipe_blocks(k, &want);
    SAME(M, 1e-15);
    SAME(Wb, 1e-12);
    SAME(Wn, 1e-12);
    SAME(Wf, 1e-12);
    SAME(E, 0.0);
    SAME(U, 0.0);
    SAME(phi, 1e-12);
    SAME(psi, 1e-12);
    SAME(psi_t, 1e-10);
    SAME(slip_t, 1e-12);
    SAME(app, 1e-10);
}

// Compare every step of half a second and more, in which everything moves and turns.
static void compare_example(RecipeExample example)
{
    utModel* model = scene_load(recipe_name(example), true);
    utSim* sim = scene_sim(model, 0.0);
    Recipe k = recipe(example, 0.01);
    for (int step = 0; step < 80; step++) {
        // the same state, bit for bit
        CHECK_INT(ut_sim_set(sim, k.t, k.q, k.v, NULL), UT_OK);
        const utStepResult result = scene_step(sim);
        compare(&result.report, &k);
        CHECK(recipe_step(&k));
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// A block of utBlocks beside that of the recipe, whose rows are longer. @param sign -1: the other sign
static void same_block(const char* name, int rows, int cols, const double* got, double sign,
                       const double* want, int stride)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            if (!CHECK_NEAR(got[i * cols + j], sign * want[i * stride + j], 1e-10)) {
                test_note("%s, row %d, column %d", name, i, j);
            }
        }
    }
}

// The public blocks of the step from the recipe's state. Joint rows of uptack are of the child less
// the parent, those of the paper the other way round, but for the ground's.
static void compare_public(const utBlocks* b, const Recipe* k)
{
    RecipeBlocks want;
    recipe_blocks(k, &want);
    double b_b[RECIPE_B], b_n[RECIPE_C], tau[RECIPE_NU];
    for (int j = 0; j < k->bilaterals; j++) {
        b_b[j] = want.phi[j] / k->h;
    }
    for (int i = 0; i < k->contacts; i++) {
        b_n[i] = want.psi[i] / k->h + want.psi_t[i];
    }
    for (int i = 0; i < k->nu; i++) {
        tau[i] = want.M[i][i] * k->v[i] + k->h * want.app[i];
    }
    const int first_pin = k->example == RECIPE_4_1 ? 2 : 0;
    CHECK_INT(b->velocities, k->nu);
    CHECK_INT(b->bilaterals, k->bilaterals);
    CHECK_INT(b->contacts, k->contacts);
    CHECK_INT(b->directions, k->directions);
    for (int j = 0; j < k->bilaterals; j++) {
        const double sign = j < first_pin ? 1.0 : -1.0;
        CHECK_NEAR(b->b_b[j], sign * b_b[j], 1e-10);
        for (int i = 0; i < k->nu; i++) {
            CHECK_NEAR(b->W_b[i * k->bilaterals + j], sign * want.Wb[i][j], 1e-10);
        }
    }
    same_block("M", k->nu, k->nu, b->M, 1.0, &want.M[0][0], RECIPE_NU);
    same_block("W_n", k->nu, k->contacts, b->W_n, 1.0, &want.Wn[0][0], RECIPE_C);
    same_block("W_f", k->nu, k->directions, b->W_f, 1.0, &want.Wf[0][0], RECIPE_F);
    same_block("E", k->directions, k->sigmas, b->E, 1.0, &want.E[0][0], RECIPE_C);
    same_block("U", k->sigmas, k->contacts, b->U, 1.0, &want.U[0][0], RECIPE_C);
    same_block("b_n", 1, k->contacts, b->b_n, 1.0, b_n, RECIPE_C);
    same_block("b_f", 1, k->directions, b->b_f, 1.0, want.slip_t, RECIPE_F);
    same_block("tau", 1, k->nu, b->tau, 1.0, tau, RECIPE_NU);
}

TEST(B22_the_public_blocks_of_every_example_are_the_printed_ones)
{
    for (int e = 0; e < RECIPE_COUNT; e++) {
        utModel* model = scene_load(recipe_name((RecipeExample)e), true);
        utSim* sim = scene_sim(model, 0.0);
        Recipe k = recipe((RecipeExample)e, 0.01);
        for (int step = 0; step < 20; step++) {
            utArena arena = test_arena();
            utCoulomb problem;
            utBlocks blocks;
            utError err = {0};
            CHECK_INT(ut_sim_set(sim, k.t, k.q, k.v, NULL), UT_OK);
            if (!CHECK_INT(ut_sim_coulomb(sim, NULL, &arena, &problem, &err), UT_OK) ||
                !CHECK_INT(ut_blocks_create(&problem, true, &arena, &blocks, &err), UT_OK)) {
                test_note("%s", err.message);
                break;
            }
            compare_public(&blocks, &k);
            CHECK(recipe_step(&k));
        }
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}

// How many unknowns Eq. 34 has, counted from a step.
static int size_of(const utStepReport* report)
{
    int size = report->model->nv + report->rows;
    for (int i = 0; i < report->contacts; i++) {
        size += report->contact[i].mu > 0.0 ? 1 + report->directions + 1 : 1;
    }
    return size;
}

static void check_size(RecipeExample example, int size)
{
    utModel* model = scene_load(recipe_name(example), true);
    utSim* sim = scene_sim(model, 0.0);
    const Recipe k = recipe(example, 0.01);
    CHECK_INT(recipe_size(&k), size);
    for (int step = 0; step < 100; step++) {
        const utStepResult result = scene_step(sim);
        CHECK_INT(size_of(&result.report), size);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(B22_the_blocks_of_every_example_are_the_printed_ones)
{
    for (int e = 0; e < RECIPE_COUNT; e++) {
        compare_example((RecipeExample)e);
    }
}

TEST(B26_size_10_of_the_double_pendulum)
{
    check_size(RECIPE_4_1, 10);
}

TEST(B30_size_15_without_friction)
{
    check_size(RECIPE_4_2, 15);
}

TEST(B31_size_21_with_friction)
{
    check_size(RECIPE_4_3, 21);
}

TEST(B32_size_25_with_a_pusher_and_B33_on_a_belt)
{
    check_size(RECIPE_4_4, 25);
    check_size(RECIPE_4_4_TIP, 25);
    check_size(RECIPE_4_5, 25);
}

TEST(B36_size_22_of_the_full_model)
{
    check_size(RECIPE_4_6, 22);
}

// ---- numbers by hand ----------------------------------------------------------------------------

static RecipeBlocks first_blocks(const char* name)
{
    RecipeBlocks b;
    utModel* model = scene_load(name, true);
    utSim* sim = scene_sim(model, 0.0);
    const utStepResult result = scene_step(sim);
    blocks_of(&result.report, &b);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    return b;
}

static void check_diagonal(const RecipeBlocks* b, const double* want, int n)
{
    for (int i = 0; i < RECIPE_NU; i++) {
        for (int j = 0; j < RECIPE_NU; j++) {
            CHECK_NEAR(b->M[i][j], i == j && i < n ? want[i] : 0.0, 1e-15);
        }
    }
}

// m L^2 / 12: 1/12 and 0.5 0.64 / 12 = 2/75
TEST(B23_masses_of_slender_rods)
{
    const RecipeBlocks b = first_blocks("4.1");
    check_diagonal(&b, (double[]){1, 1, 1.0 / 12.0, 0.5, 0.5, 2.0 / 75.0}, 6);
}

// m (l^2 + w^2) / 12 = 2 1.25 / 12 = 5/24
TEST(B29_masses_gravity_and_phi_of_the_block)
{
    const RecipeBlocks b = first_blocks("4.2");
    check_diagonal(&b, (double[]){2, 2, 5.0 / 24.0, 1, 1, 1.0 / 12.0, 0.5, 0.5, 2.0 / 75.0}, 9);
    const double app[] = {0, -19.62, 0, 0, -9.81, 0, 0, -4.905, 0};
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(b.app[i], app[i], 1e-12);
    }
    for (int j = 0; j < 4; j++) {
        CHECK_NEAR(b.phi[j], 0.0, 1e-15);
    }
}

// Three bodies of 3, 3 and 2 velocities, and one pin: W_b is 8 x 2. At the start R r_o of the block
// is 0, and that of the rod 1/2 (-sin 45, cos 45).
TEST(B35_masses_and_the_pin_of_the_full_model)
{
    const RecipeBlocks b = first_blocks("4.6");
    const double s = 0.5 * sqrt(0.5);
    check_diagonal(&b, (double[]){2, 2, 5.0 / 24.0, 1, 1, 1.0 / 12.0, 0.5, 0.5}, 8);
    const double Wb[8][2] = {{1, 0}, {0, 1}, {0, 0}, {-1, 0}, {0, -1}, {s, s}, {0, 0}, {0, 0}};
    for (int i = 0; i < 8; i++) {
        CHECK_NEAR(b.Wb[i][0], Wb[i][0], 1e-15);
        CHECK_NEAR(b.Wb[i][1], Wb[i][1], 1e-15);
        CHECK_NEAR(b.Wb[i][2], 0.0, 0.0);
    }
}

// Corners at (-+0.5, -0.25), the pusher at (-0.55, 0.05) from C*.
TEST(B36_wrenches_of_the_full_model_by_hand)
{
    const RecipeBlocks b = first_blocks("4.6");
    const double Wn[3][3] = {{0, 0, 1}, {1, 1, 0}, {-0.5, 0.5, -0.05}};
    const double Wf[3][3] = {{1, 1, 0}, {0, 0, -1}, {0.25, 0.25, 0.55}};
    const double mu[] = {0.1, 0.15, 0.3};
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < RECIPE_NU; i++) {
            CHECK_NEAR(b.Wn[i][j], i < 3 ? Wn[i][j] : 0.0, 1e-15);
            CHECK_NEAR(b.Wf[i][2 * j], i < 3 ? Wf[i][j] : 0.0, 1e-15);
            CHECK_NEAR(b.Wf[i][2 * j + 1], i < 3 ? -Wf[i][j] : 0.0, 1e-15);
        }
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(b.U[i][j], i == j ? mu[i] : 0.0, 0.0);
            CHECK_NEAR(b.E[2 * i][j], i == j ? 1.0 : 0.0, 0.0);
            CHECK_NEAR(b.E[2 * i + 1][j], i == j ? 1.0 : 0.0, 0.0);
        }
    }
    CHECK_NEAR(b.psi[2], 0.05, 1e-15);
    CHECK_NEAR(b.slip_t[0], 0.2, 1e-15); // - t . v of a belt that goes to the left
    CHECK_NEAR(b.slip_t[1], -0.2, 1e-15);
}
