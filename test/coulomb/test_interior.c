// SPDX-License-Identifier: Apache-2.0
// The interior point, the proximal Newton and the ladder: scenes with a closed form, the plane,
// and a walk through the collection of friction problems.
#include "coulomb/solvers/second_order.h"
#include "scratch.h"
#include "test.h"

#include <math.h>
#include <string.h>
#include <uptack/coulomb_problems.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__EMSCRIPTEN__)
enum { STRIDE = 100 };
#else
enum { STRIDE = 20 };
#endif

// A scene and its answer, in the test's arena.
typedef struct Answer {
    utFrictionProblem scene;
    utCoulomb problem;
    utCoulombVerdict verdict;
    utRung rung;
    int count; // factorizations
    double* r;
    double* u;
} Answer;

static const double H = 1.0 / 60.0;
static const double G = 9.81;

static utSection circle;

// Solve a scene by the ladder. @param arena what the answer lies in
static Answer solve(const utFrictionDef* def, double tolerance, utArena* arena)
{
    Answer a = {.rung = UT_RUNG_NONE};
    circle = ut_section_circle();
    CHECK_INT(ut_friction_create(def, arena, &a.scene), UT_OK);
    a.problem = ut_friction_coulomb(&a.scene, &circle);
    a.r = UT_PUSH(arena, double, a.scene.rows);
    a.u = UT_PUSH(arena, double, a.scene.rows);
    utCoulombDef settings = ut_coulomb_def();
    settings.tolerance = tolerance;
    utCoulombInfo info = {.iterations = 0};
    memset(a.r, 0, (size_t)a.scene.rows * sizeof *a.r);
    CHECK_INT(ut_coulomb_auto(&a.problem, &settings, *arena, a.r, &info), UT_OK);
    a.rung = info.rung;
    CHECK_INT(ut_coulomb_judge(&a.problem, false, a.r, *arena, a.u, &a.verdict), UT_OK);
    a.count = info.iterations;
    return a;
}

// The impulse of all contacts on body b from body a, in the world.
static utVec3 impulse(const Answer* a, int from, int on)
{
    utVec3 sum = ut_vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < a->scene.contacts; i++) {
        const utFrictionContact* contact = &a->scene.contact[i];
        if (contact->a == from && contact->b == on) {
            const double* r = a->r + (size_t)3 * (size_t)i;
            sum = ut_vec3_add_scaled(sum, r[0], contact->normal);
            sum = ut_vec3_add_scaled(sum, r[1], contact->tangent[0]);
            sum = ut_vec3_add_scaled(sum, r[2], contact->tangent[1]);
        }
    }
    return sum;
}

// The largest velocity of a contact.
static double fastest(const Answer* a)
{
    double most = 0.0;
    for (int k = 0; k < 3 * a->scene.contacts; k++) {
        most = fmax(most, fabs(a->u[k]));
    }
    return most;
}

// ---- a ramp -------------------------------------------------------------------------------------

// tan = 0.9 mu: the ground's impulse is the weight's, all of it, straight up.
TEST(a_box_on_a_gentle_ramp_sticks)
{
    utArena arena = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_RAMP);
    def.turn = 0.7;
    const Answer a = solve(&def, 1e-10, &arena);
    const utVec3 up = impulse(&a, -1, 0);
    CHECK(a.verdict.E <= 1e-10);
    CHECK_NEAR(fastest(&a), 0.0, 1e-10);
    CHECK_NEAR(up.x, 0.0, 1e-10);
    CHECK_NEAR(up.y, 0.0, 1e-10);
    CHECK_NEAR(up.z, H * G, 1e-10);
}

// tan = 1.5 mu: the normals carry h m g cos, friction mu times that, and every contact slides at
// h g (sin - mu cos).
TEST(a_box_on_a_steep_ramp_slides)
{
    utArena arena = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_RAMP);
    def.fraction = 1.5;
    def.turn = 0.7;
    const Answer a = solve(&def, 1e-10, &arena);
    const double slope = 1.5 * 0.5;
    const double cosine = 1.0 / sqrt(1.0 + slope * slope);
    const double speed = H * G * cosine * (slope - 0.5);
    double normal = 0.0;
    CHECK(a.verdict.E <= 1e-10);
    for (int i = 0; i < a.scene.contacts; i++) {
        const double* u = a.u + (size_t)3 * (size_t)i;
        CHECK_NEAR(u[0], 0.0, 1e-10);
        CHECK_NEAR(sqrt(u[1] * u[1] + u[2] * u[2]), speed, 1e-10);
        normal += a.r[3 * i];
    }
    CHECK_NEAR(normal, H * G * cosine, 1e-10);
    const utVec3 all = impulse(&a, -1, 0);
    CHECK_NEAR(sqrt(ut_vec3_dot(all, all)), H * G * cosine * sqrt(1.25), 1e-10);
}

// ---- bodies at rest and in motion ---------------------------------------------------------------

// Every interface of a stack at rest carries the weight above it.
TEST(a_stack_under_a_heavy_cube_carries_the_weight_above)
{
    static const int counts[] = {10, 30};
    for (int c = 0; c < 2; c++) {
        const int n = counts[c];
        utArena arena = test_arena();
        utFrictionDef def = ut_friction_def(UT_FRICTION_STACK);
        def.count = n;
        def.ratio = 1000.0;
        const Answer a = solve(&def, 1e-10, &arena);
        CHECK(a.verdict.E <= 1e-10);
        for (int k = 0; k < n; k++) {
            const utVec3 up = impulse(&a, k - 1, k);
            const double weight = H * G * (n - 1 - k + 1000);
            CHECK_NEAR(up.z / weight, 1.0, 1e-9);
            CHECK_NEAR(up.x / weight, 0.0, 1e-9);
        }
        test_note("stack of %d, top x1000: %s, %d factorizations, E %.1e", n, ut_rung_name(a.rung),
                  a.count, a.verdict.E);
    }
}

// A wedge without play takes a push as it stands: the whole column jams (docs/coulomb.md, where
// three methods agree on it).
TEST(a_pushed_wedge_jams)
{
    utArena arena = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_WEDGE);
    def.count = 6;
    def.push = ut_vec3(0.3, 0.0, 0.0);
    const Answer a = solve(&def, 1e-8, &arena);
    CHECK(a.verdict.E <= 1e-8);
    CHECK(a.rung != UT_RUNG_NONE);
    CHECK_NEAR(fastest(&a), 0.0, 1e-7);
    test_note("wedge of 6, pushed: %s, %d factorizations", ut_rung_name(a.rung), a.count);
}

// 2 mu press = 1 N s holds h g m = 0.1635 N s: the plates give each half of it, and their press.
TEST(a_firm_grasp_holds)
{
    utArena arena = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_GRASP);
    def.count = 1;
    const Answer a = solve(&def, 1e-10, &arena);
    const utVec3 left = impulse(&a, 1, 0);
    const utVec3 right = impulse(&a, 0, 2);
    CHECK(a.verdict.E <= 1e-10);
    CHECK_NEAR(fastest(&a), 0.0, 1e-9);
    CHECK_NEAR(left.x, 1.0, 1e-9);
    CHECK_NEAR(right.x, 1.0, 1e-9);
    CHECK_NEAR(left.z - right.z, H * G, 1e-9);
}

// 2 mu press = 0.1 N s does not: the cube falls at h g - 0.1.
TEST(a_loose_grasp_slips)
{
    utArena arena = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_GRASP);
    def.count = 1;
    def.press = 0.1;
    const Answer a = solve(&def, 1e-10, &arena);
    CHECK(a.verdict.E <= 1e-10);
    CHECK(a.verdict.bilateral <= 1e-11);
    CHECK_NEAR(impulse(&a, 1, 0).z, 0.05, 1e-9);
    CHECK_NEAR(impulse(&a, 0, 2).z, -0.05, 1e-9);
    CHECK_NEAR(fastest(&a), H * G - 0.1, 1e-9);
}

// Five cubes welded by 9 rows a link, of rank 6: one body of 5 kg, pushed with 2 kg m/s. It slides
// at 2/5 - mu g h, and the ground carries its weight.
TEST(redundant_joint_rows_do_no_harm)
{
    utArena arena = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_CHAIN);
    def.balls = 3;
    def.push = ut_vec3(2.0, 0.0, 0.0);
    const Answer a = solve(&def, 1e-9, &arena);
    double weight = 0.0;
    CHECK_INT(a.scene.bilaterals, 36);
    CHECK(a.verdict.E <= 1e-9);
    CHECK(a.verdict.bilateral <= 1e-10);
    for (int k = 0; k < 5; k++) {
        weight += impulse(&a, -1, k).z;
    }
    CHECK_NEAR(weight, 5.0 * H * G, 1e-7);
    CHECK_NEAR(fastest(&a), 0.4 - 0.5 * G * H, 1e-7);
}

// ---- the plane ----------------------------------------------------------------------------------

// A square box of 2 kg, edge 1 m, on its two lower corners, velocities (x, z, turn); it slides at
// 1 m/s and h g = 0.1. Rows n, t of the left corner, then of the right one.
static const double M_BOX[] = {2, 0, 0, 0, 2, 0, 0, 0, 1.0 / 3.0};
static const double F_BOX[] = {2, -0.2, 0};
static const double J_BOX[] = {0, 1, -0.5, 1, 0, 0.5, 0, 1, 0.5, 1, 0, 0.5};
static const double B_BOX[4] = {0};

static utCoulomb box(const utSection* section, const double* mu)
{
    return (utCoulomb){
        .dimension = 2,
        .contacts = 2,
        .mu = mu,
        .section = section,
        .dof = 3,
        .M = M_BOX,
        .f = F_BOX,
        .J = J_BOX,
        .b = B_BOX,
    };
}

// mu = 1/2: friction takes 0.1 N s in all, and its torque about the centre, 0.05, moves as much
// weight from the left corner to the right one: (0.05, 0.15).
TEST(a_box_that_slides_in_the_plane_leans_forward)
{
    const utSection segment = ut_section_segment();
    const utCoulomb problem = box(&segment, (double[]){0.5, 0.5});
    static const double want[] = {0.05, -0.025, 0.15, -0.075};
    CoulombSolve* const solvers[] = {ut_coulomb_ipm, ut_coulomb_auto};
    utCoulombDef def = ut_coulomb_def();
    def.tolerance = 1e-10;
    for (int s = 0; s < 2; s++) {
        double r[4] = {0};
        utCoulombInfo info = {.iterations = 0};
        CHECK_INT(solvers[s](&problem, &def, test_arena(), r, &info), UT_OK);
        CHECK(info.iterations > 0);
        for (int k = 0; k < 4; k++) {
            CHECK_NEAR(r[k], want[k], 1e-9);
        }
    }
}

TEST(without_friction_nothing_leans)
{
    const utSection segment = ut_section_segment();
    const utCoulomb problem = box(&segment, (double[]){0.0, 0.0});
    const utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info = {.iterations = 0};
    double r[4];
    CHECK_INT(ut_coulomb_auto(&problem, &def, test_arena(), r, &info), UT_OK);
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(r[k], k % 2 == 0 ? 0.1 : 0.0, 1e-8);
    }
}

TEST(the_proximal_newton_improves_impulses_near_an_answer)
{
    const utSection segment = ut_section_segment();
    const utCoulomb problem = box(&segment, (double[]){0.5, 0.5});
    utCoulombInfo info = {.iterations = 0};
    const utCoulombDef def = ut_coulomb_def();
    double r[] = {0.0501, -0.025, 0.1499, -0.075};
    CHECK_INT(ut_coulomb_proximal(&problem, &def, test_arena(), r, &info), UT_OK);
    CHECK(info.iterations > 0);
    CHECK_NEAR(r[0], 0.05, 1e-7);
    CHECK_NEAR(r[3], -0.075, 1e-7);

    // and does not change an answer
    double right[] = {0.05, -0.025, 0.15, -0.075};
    CHECK_INT(ut_coulomb_proximal(&problem, &def, test_arena(), right, &info), UT_OK);
    CHECK_INT(info.iterations, 0);
    CHECK_NEAR(right[2], 0.15, 0.0);
}

// ---- what cannot be used ------------------------------------------------------------------------

// M = 1, f = -1, b_n = -1 gives u_n = r_n - 2, so r_n = 2.
TEST(the_interior_point_refuses_polygons_and_the_others_do_not)
{
    utSection square;
    const double q[3] = {-1, 0, 0};
    const double mu[] = {0.5};
    const double M[1] = {1};
    const double J[3] = {1, 0, 0};
    double r[3];
    utCoulombInfo info;
    const utCoulombDef def = ut_coulomb_def();
    CHECK_INT(ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &square, NULL), UT_OK);
    const utCoulomb polygon = {.dimension = 3,
                               .contacts = 1,
                               .mu = mu,
                               .section = &square,
                               .dof = 1,
                               .M = M,
                               .f = q,
                               .J = J,
                               .b = q};
    CHECK_INT(ut_coulomb_solve(&polygon, UT_COULOMB_IPM, &def, test_arena(), r, &info),
              UT_ERR_ARGUMENT);
    static const utCoulombSolver others[] = {UT_COULOMB_AUTO, UT_COULOMB_PROXIMAL,
                                             UT_COULOMB_NEWTON, UT_COULOMB_NSGS, UT_COULOMB_LCP};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        CHECK_INT(ut_coulomb_solve(&polygon, others[k], &def, test_arena(), r, &info), UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
        CHECK_NEAR(r[0], 2.0, 2e-8); // E <= 1e-8, V = 2
    }
}

// The pushed wedge by ut_coulomb_solve: the interior point answers.
TEST(auto_reports_the_solver_and_the_rung)
{
    utArena arena = test_arena();
    utFrictionDef scene = ut_friction_def(UT_FRICTION_WEDGE);
    scene.count = 6;
    scene.push = ut_vec3(0.3, 0.0, 0.0);
    utFrictionProblem made;
    CHECK_INT(ut_friction_create(&scene, &arena, &made), UT_OK);
    circle = ut_section_circle();
    const utCoulomb problem = ut_friction_coulomb(&made, &circle);
    double* r = UT_PUSH(&arena, double, made.rows);
    utCoulombInfo info;
    const utCoulombDef def = ut_coulomb_def();
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    CHECK_INT(info.solver, UT_COULOMB_IPM);
    CHECK_INT(info.rung, UT_RUNG_IPM);
    CHECK(info.verdict.E <= 1e-8);
}

// A block of 1 kg between two walls that touch it, at 1e-6 m/s into one of them: r = (s, s + 1e-6)
// for any s >= 0. The walls squeeze it no more than that where errors are measured by 1 m/s too.
TEST(impulses_that_squeeze_are_of_the_size_of_the_velocities)
{
    const double M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double J[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double f[] = {1e-6, 0, 0}, b[6] = {0}, mu[] = {0.5, 0.5};
    const utCoulombDef def = ut_coulomb_def();
    circle = ut_section_circle();
    for (int k = 0; k < 2; k++) {
        const utCoulomb problem = {.dimension = 3,
                                   .contacts = 2,
                                   .mu = mu,
                                   .section = &circle,
                                   .speed = k == 0 ? 0.0 : 1.0,
                                   .dof = 3,
                                   .M = M,
                                   .f = f,
                                   .J = J,
                                   .b = b};
        double r[6];
        utCoulombInfo info;
        CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_IPM, &def, test_arena(), r, &info), UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
        CHECK_NEAR(r[3] - r[0], 1e-6, k == 0 ? 2e-14 : 2e-8);
        CHECK(r[0] <= 1e-5);
    }
}

TEST(the_peak_of_scratch_is_enough_and_less_is_an_error)
{
    utArena arena = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_CHAIN);
    def.push = ut_vec3(2.0, 1.0, 0.0);
    Answer a = solve(&def, 1e-9, &arena);
    const utCoulombDef settings = ut_coulomb_def();
    utCoulombInfo info;
    CoulombSolve* const solvers[] = {ut_coulomb_ipm, ut_coulomb_proximal, ut_coulomb_auto};
    for (int s = 0; s < 3; s++) {
        utArena growing = scratch_open();
        memset(a.r, 0, (size_t)a.scene.rows * sizeof *a.r);
        CHECK_INT(solvers[s](&a.problem, &settings, growing, a.r, &info), UT_OK);
        const size_t need = scratch_close(&growing);
        utArena rest = arena;
        unsigned char* memory = UT_PUSH(&rest, unsigned char, need);
        memset(a.r, 0, (size_t)a.scene.rows * sizeof *a.r);
        CHECK_INT(solvers[s](&a.problem, &settings, ut_arena_on(memory, need), a.r, &info), UT_OK);
        CHECK_INT(solvers[s](&a.problem, &settings, ut_arena_on(memory, need / 16), a.r, &info),
                  UT_ERR_CAPACITY);
    }
}

TEST(problems_of_joints_alone_and_of_no_rows_are_solved)
{
    // two masses of 1 kg that move alike: (1, 0) becomes (1/2, 1/2), by an impulse of 1/2
    const double M[] = {1, 0, 0, 1};
    const double f[] = {1, 0};
    const double J[] = {-1, 1};
    const double b[] = {0};
    const utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    double r[1] = {0};
    const utCoulomb joint = {
        .dimension = 3, .bilaterals = 1, .dof = 2, .M = M, .f = f, .J = J, .b = b};
    CHECK_INT(ut_coulomb_auto(&joint, &def, test_arena(), r, &info), UT_OK);
    CHECK_NEAR(r[0], 0.5, 1e-8);
    const utCoulomb nothing = {.dimension = 3, .dof = 2, .M = M, .f = f, .J = J, .b = b};
    CHECK_INT(ut_coulomb_auto(&nothing, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.iterations, 0);
}

// ---- the collection -----------------------------------------------------------------------------

TEST(the_ladder_solves_the_collection)
{
    int rungs[UT_RUNG_COUNT] = {0};
    int solved = 0;
    int seen = 0;
    int count = 0;
    for (int k = 0; k < UT_FRICTION_SAMPLES; k += STRIDE) {
        utArena arena = test_arena();
        const utFrictionDef def = ut_friction_sample(k);
        utArena peek = arena;
        utFrictionProblem scene;
        CHECK_INT(ut_friction_create(&def, &peek, &scene), UT_OK);
        if (scene.contacts > 60) {
            continue;
        }
        const Answer a = solve(&def, 1e-8, &arena);
        const bool good =
            a.verdict.E <= 1e-8 && a.verdict.bilateral <= 1e-9 && a.verdict.cone <= 1e-12;
        CHECK(good == (a.rung != UT_RUNG_NONE));
        solved += good;
        rungs[a.rung]++;
        count += a.count;
        seen++;
    }
    test_note("%d of %d solved, %.1f factorizations each", solved, seen, (double)count / seen);
    for (int k = 0; k < UT_RUNG_COUNT; k++) {
        if (rungs[k] > 0) {
            test_note("    %-12s %d", ut_rung_name((utRung)k), rungs[k]);
        }
    }
    CHECK(solved >= 0.995 * seen); // the promise for the whole collection
}
