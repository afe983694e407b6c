// SPDX-License-Identifier: Apache-2.0
// Redundant impulses, unique velocities and impulses of least norm: tables, slabs and rods by hand,
// and the collection of friction problems beside a rank by elimination.
#include <uptack/coulomb_problems.h>
#include <uptack/uniqueness.h>

#include "scratch.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__EMSCRIPTEN__)
enum { SAMPLES = 12 };
#else
enum { SAMPLES = 100 };
#endif

enum { MAX_LEGS = 8 };

static const double TOLERANCE = 1e-8;

static utUniqueness report_of(const utCoulomb* problem, const double* r, utArena* arena)
{
    utUniqueness report = {.redundant = -1};
    utError err = {.message = ""};
    const size_t room =
        (size_t)ut_coulomb_rows(problem) * (size_t)ut_coulomb_rows(problem) * sizeof(double) +
        4096; // N directions at most, and flags
    utArena keep = ut_arena_on(ut_arena_push(arena, 1, room), room);
    CHECK_INT(ut_coulomb_unique(problem, r, TOLERANCE, &keep, *arena, &report, &err), UT_OK);
    CHECK_TEXT(err.message, "");
    return report;
}

static utLeastInfo least(const utCoulomb* problem, double* r, utArena arena)
{
    utLeastInfo info = {.found = false};
    CHECK_INT(ut_coulomb_least(problem, TOLERANCE, arena, r, &info, NULL), UT_OK);
    CHECK(info.found);
    CHECK(info.verdict.E <= TOLERANCE);
    CHECK(info.after <= info.before * (1.0 + 1e-9));
    return info;
}

static int count_unique(const utUniqueness* report, int groups)
{
    int count = 0;
    for (int g = 0; g < groups; g++) {
        count += report->unique[g] ? 1 : 0;
    }
    return count;
}

// W and q of a global problem with a diagonal M.
static utCoulomb local_form(const utCoulomb* global, utArena* arena)
{
    const size_t N = (size_t)ut_coulomb_rows(global), dof = (size_t)global->dof;
    double* W = UT_PUSH(arena, double, N* N);
    double* q = UT_PUSH(arena, double, N);
    for (size_t i = 0; i < N; i++) {
        q[i] = global->b[i];
        for (size_t k = 0; k < dof; k++) {
            q[i] += global->J[i * dof + k] * global->f[k] / global->M[k * dof + k];
        }
        for (size_t j = 0; j < N; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < dof; k++) {
                sum += global->J[i * dof + k] * global->J[j * dof + k] / global->M[k * dof + k];
            }
            W[i * N + j] = sum;
        }
    }
    utCoulomb local = *global;
    local.dof = 0;
    local.M = local.J = local.f = local.b = NULL;
    local.W = W;
    local.q = q;
    return local;
}

// ---- tables -------------------------------------------------------------------------------------

// A rigid table: its mass centre at the origin, feet at (x, y, -0.5), normals along z, tangents
// along x and y. A foot's rows are e . (v + w x p) = e . v + (p x e) . w.
typedef struct Table {
    utCoulomb problem;
    double M[36], J[3 * MAX_LEGS * 6], f[6], b[3 * MAX_LEGS], mu[MAX_LEGS], r[3 * MAX_LEGS];
} Table;

static const double P = 3.0; // N s: its weight over the step; the mass is 2 kg

static void make_table(int legs, const double (*at)[2], double mu, const utSection* section,
                       Table* table)
{
    *table = (Table){.f = {0, 0, -P, 0, 0, 0}};
    for (int k = 0; k < 6; k++) {
        table->M[7 * k] = k < 3 ? 2.0 : 0.3;
    }
    for (int i = 0; i < legs; i++) {
        const double x = at[i][0], y = at[i][1], z = -0.5;
        const double rows[3][6] = {
            {0, 0, 1, y, -x, 0}, // e = z: p x e = (y, -x, 0)
            {1, 0, 0, 0, z, -y}, // e = x: (0, z, -y)
            {0, 1, 0, -z, 0, x}, // e = y: (-z, 0, x)
        };
        memcpy(table->J + 18 * i, rows, sizeof rows);
        table->mu[i] = mu;
    }
    table->problem = (utCoulomb){
        .dimension = 3,
        .contacts = legs,
        .mu = table->mu,
        .section = section,
        .dof = 6,
        .M = table->M,
        .J = table->J,
        .f = table->f,
        .b = table->b,
    };
}

static const double SQUARE[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

// Normals of four feet have rank 3, all their rows rank 6. The direction of the normals is (1, -1,
// 1, -1).
TEST(a_table_on_four_feet_is_redundant_and_each_carries_a_quarter)
{
    const utSection circle = ut_section_circle();
    for (int rough = 0; rough < 2; rough++) {
        Table table;
        make_table(4, SQUARE, rough ? 0.5 : 0.0, &circle, &table);
        for (int i = 0; i < 4; i++) {
            table.r[3 * i] = 0.25 * P * (i % 2 == 0 ? 1.3 : 0.7);
        }
        utArena arena = test_arena();
        const utUniqueness report = report_of(&table.problem, table.r, &arena);
        CHECK_INT(report.columns, rough ? 12 : 4);
        CHECK_INT(report.rank, rough ? 6 : 3);
        CHECK_INT(report.redundant, rough ? 6 : 1);
        CHECK_INT(report.stick, rough ? 4 : 0);
        CHECK_INT(report.slip, rough ? 0 : 4);
        CHECK_INT(report.degenerates, 0);
        CHECK_INT(count_unique(&report, 4), 0);
        CHECK(report.interior);
        CHECK_INT(report.velocity, rough ? UT_VELOCITY_LOCALLY_UNIQUE : UT_VELOCITY_UNIQUE);
        CHECK(report.kept > 1e-2 && report.dropped < 1e-14);
        for (int i = 0; i < 4 && !rough; i++) {
            CHECK_NEAR(fabs(report.null[3 * i]), 0.5, 1e-14);
            CHECK_NEAR(report.null[3 * i] + report.null[3 * ((i + 1) % 4)], 0.0, 1e-14);
        }
        least(&table.problem, table.r, test_arena());
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(table.r[3 * i], 0.25 * P, 1e-12);
            CHECK_NEAR(table.r[3 * i + 1], 0.0, 1e-12);
            CHECK_NEAR(table.r[3 * i + 2], 0.0, 1e-12);
        }
    }
}

// Least |r| with sum r = P, sum r x = sum r y = 0 is r_k = a + b x_k + c y_k; feet around the mass
// centre at unequal distances. a, b, c by Cramer's rule.
TEST(the_least_impulses_of_an_uneven_table_are_an_affine_function)
{
    static const double at[5][2] = {{0.9, 0.4}, {-0.7, 0.8}, {-0.5, -0.6}, {0.6, -0.9}, {0.1, 0.7}};
    const utSection circle = ut_section_circle();
    double S[3][3] = {{0}};
    for (int i = 0; i < 5; i++) {
        const double phi[3] = {1, at[i][0], at[i][1]};
        for (int k = 0; k < 9; k++) {
            S[k / 3][k % 3] += phi[k / 3] * phi[k % 3];
        }
    }
    // the first column of S^-1, from cofactors
    const double c0 = S[1][1] * S[2][2] - S[1][2] * S[2][1];
    const double c1 = S[1][2] * S[2][0] - S[1][0] * S[2][2];
    const double c2 = S[1][0] * S[2][1] - S[1][1] * S[2][0];
    const double det = S[0][0] * c0 + S[0][1] * c1 + S[0][2] * c2;
    for (int rough = 0; rough < 2; rough++) {
        Table table;
        make_table(5, at, rough ? 0.7 : 0.0, &circle, &table);
        utCoulombDef def = ut_coulomb_def();
        def.tolerance = 1e-12;
        utCoulombInfo info;
        CHECK_INT(
            ut_coulomb_solve(&table.problem, UT_COULOMB_NSGS, &def, test_arena(), table.r, &info),
            UT_OK);
        least(&table.problem, table.r, test_arena());
        for (int i = 0; i < 5; i++) {
            const double want = P * (c0 + c1 * at[i][0] + c2 * at[i][1]) / det;
            CHECK(want > 0.05 * P);
            // the error of nsgs in the effect (1e-12 V, V = 1.5 m/s, over masses of order 1)
            CHECK_NEAR(table.r[3 * i], want, 1e-10);
            CHECK_NEAR(table.r[3 * i + 1], 0.0, 1e-10);
        }
    }
}

// Mass centre at (0.8, 0.8) of a square: r = P (0.8 + t, 0.1 - t, t, 0.1 - t) for 0 <= t <= 0.1,
// and |r|^2 grows with t. The affine function would pull at the third foot.
static const double CORNER[4][2] = {{0.2, 0.2}, {-1.8, 0.2}, {-1.8, -1.8}, {0.2, -1.8}};

TEST(feet_that_cannot_pull_bound_the_least_impulses)
{
    const utSection circle = ut_section_circle();
    Table table;
    make_table(4, CORNER, 0.0, &circle, &table);
    const double start[4] = {0.85, 0.05, 0.05, 0.05}, end[4] = {0.8, 0.1, 0.0, 0.1};
    for (int i = 0; i < 4; i++) {
        table.r[3 * i] = P * start[i];
    }
    const utLeastInfo info = least(&table.problem, table.r, test_arena());
    CHECK_NEAR(info.before, P * sqrt(0.85 * 0.85 + 3 * 0.05 * 0.05), 1e-14);
    CHECK_NEAR(info.after, P * sqrt(0.8 * 0.8 + 2 * 0.1 * 0.1), 1e-12);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(table.r[3 * i], P * end[i], 1e-12);
    }
    utArena arena = test_arena();
    const utUniqueness report = report_of(&table.problem, table.r, &arena);
    CHECK_INT(report.redundant, 1);
    CHECK_INT(report.degenerates, 1); // the third foot: closed, without an impulse
    CHECK(report.degenerate[2] && !report.interior);
}

// The mass centre is right above a foot: L has the direction (1, -1, 1, -1), but no step along it
// satisfies the law.
TEST(a_load_above_one_foot_has_a_direction_but_is_not_interior)
{
    static const double at[4][2] = {{0, 0}, {-2, 0}, {-2, -2}, {0, -2}};
    const utSection circle = ut_section_circle();
    Table table;
    make_table(4, at, 0.0, &circle, &table);
    table.r[0] = P;
    utArena arena = test_arena();
    const utUniqueness report = report_of(&table.problem, table.r, &arena);
    CHECK_INT(report.redundant, 1);
    CHECK_INT(report.degenerates, 3);
    CHECK(!report.interior);
    least(&table.problem, table.r, test_arena());
    CHECK_NEAR(table.r[0], P, 1e-12);
}

// Three normals have rank 3; with friction 9 rows of rank 6, and all of the 3 directions lie in the
// plane of the floor, where they push the feet against each other.
TEST(three_feet_are_unique_without_friction_and_strained_with_it)
{
    static const double at[3][2] = {{1, 0}, {-0.5, 0.8}, {-0.5, -0.8}};
    const utSection circle = ut_section_circle();
    for (int rough = 0; rough < 2; rough++) {
        Table table;
        make_table(3, at, rough ? 0.5 : 0.0, &circle, &table);
        for (int i = 0; i < 3; i++) {
            table.r[3 * i] = P / 3;
        }
        utArena arena = test_arena();
        const utUniqueness report = report_of(&table.problem, table.r, &arena);
        CHECK_INT(report.redundant, rough ? 3 : 0);
        CHECK_INT(count_unique(&report, 3), rough ? 0 : 3);
        for (int v = 0; v < report.redundant; v++) {
            for (int i = 0; i < 3; i++) {
                CHECK_NEAR(report.null[9 * v + 3 * i], 0.0, 1e-14);
            }
        }
    }
}

// A foot in the air keeps r = 0; a foot without a redundant partner keeps its share.
TEST(an_open_foot_is_unique)
{
    const utSection circle = ut_section_circle();
    static const double at[5][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {0, 0.5}};
    Table table;
    make_table(5, at, 0.3, &circle, &table);
    table.b[12] = 0.1;
    for (int i = 0; i < 4; i++) {
        table.r[3 * i] = 0.25 * P;
    }
    utArena arena = test_arena();
    const utUniqueness report = report_of(&table.problem, table.r, &arena);
    CHECK_INT(report.open, 1);
    CHECK_INT(report.status[4], UT_COULOMB_OPEN);
    CHECK_INT(report.redundant, 6);
    CHECK(report.unique[4] && !report.unique[0] && report.interior);
    CHECK_TEXT(ut_coulomb_status_name(report.status[4]), "open");
}

// A table whose mass centre is at the height of its feet slides and spins. Friction cannot tip it,
// so r_n = P/4 (1 + t, 1 - t, 1 + t, 1 - t) for any |t| < 1; and as the feet slip in different
// directions, t changes the sum of friction: a family of velocities. Here u and friction are found
// for two t by iteration: a change of v changes friction by at most mu P/|u_t| = 0.1 of it over the
// mass, so 40 rounds are enough.
TEST(a_spinning_table_has_a_family_of_velocities)
{
    const utSection circle = ut_section_circle();
    double v[2][6];
    for (int k = 0; k < 2; k++) {
        Table table;
        make_table(4, SQUARE, 0.3, &circle, &table);
        const double start[6] = {10, 4, -P / 2, 0, 0, 5};
        for (int c = 0; c < 6; c++) {
            table.f[c] = table.M[7 * c] * start[c];
        }
        for (int i = 0; i < 4; i++) {
            table.J[18 * i + 10] = 0.0; // z = 0
            table.J[18 * i + 15] = 0.0;
            table.r[3 * i] = 0.25 * P * (1.0 + 0.5 * k * (i % 2 == 0 ? 1 : -1));
        }
        for (int round = 0; round < 40; round++) {
            for (int c = 0; c < 6; c++) {
                v[k][c] = table.f[c] / table.M[7 * c];
                for (int row = 0; row < 12; row++) {
                    v[k][c] += table.J[6 * row + c] * table.r[row] / table.M[7 * c];
                }
            }
            for (int i = 0; i < 4; i++) {
                double u[2] = {0, 0};
                for (int c = 0; c < 6; c++) {
                    u[0] += table.J[18 * i + 6 + c] * v[k][c];
                    u[1] += table.J[18 * i + 12 + c] * v[k][c];
                }
                const double scale = 0.3 * table.r[3 * i] / hypot(u[0], u[1]);
                table.r[3 * i + 1] = -scale * u[0];
                table.r[3 * i + 2] = -scale * u[1];
            }
        }
        utArena arena = test_arena();
        const utUniqueness report = report_of(&table.problem, table.r, &arena);
        CHECK_INT(report.slip, 4);
        CHECK_INT(report.redundant, 0); // at the same velocity no other impulse is possible
        CHECK_INT(report.velocity, UT_VELOCITY_NOT_UNIQUE);
        const utCoulomb local = local_form(&table.problem, &arena);
        CHECK_INT(report_of(&local, table.r, &arena).velocity, UT_VELOCITY_NOT_UNIQUE);
    }
    CHECK(fabs(v[0][5] - v[1][5]) + fabs(v[0][0] - v[1][0]) > 1e-3);
}

// ---- boxes --------------------------------------------------------------------------------------

typedef struct Scene {
    utFrictionProblem scene;
    utCoulomb problem;
    double* r;
    utCoulombInfo info;
} Scene;

static Scene solve_scene(const utFrictionDef* def, utCoulombSolver solver, const utSection* section,
                         utArena* arena)
{
    Scene s;
    CHECK_INT(ut_friction_create(def, arena, &s.scene), UT_OK);
    s.problem = ut_friction_coulomb(&s.scene, section);
    s.r = UT_PUSH(arena, double, s.scene.rows);
    utCoulombDef settings = ut_coulomb_def();
    settings.tolerance = solver == UT_COULOMB_NSGS ? TOLERANCE : 1e-2 * TOLERANCE;
    CHECK_INT(ut_coulomb_solve(&s.problem, solver, &settings, *arena, s.r, &s.info), UT_OK);
    return s;
}

// 12 rows of rank 6 for each face: a cube, and two of them on each other.
TEST(boxes_on_boxes_are_redundant)
{
    const utSection circle = ut_section_circle();
    for (int count = 1; count <= 2; count++) {
        utArena arena = test_arena();
        utFrictionDef def = ut_friction_def(UT_FRICTION_STACK);
        def.count = count;
        Scene s = solve_scene(&def, UT_COULOMB_AUTO, &circle, &arena);
        const utUniqueness report = report_of(&s.problem, s.r, &arena);
        CHECK_INT(report.stick, 4 * count);
        CHECK_INT(report.columns, 12 * count);
        CHECK_INT(report.rank, 6 * count);
        CHECK_INT(report.redundant, 6 * count);
        CHECK_INT(count_unique(&report, 4 * count), 0);
        CHECK_INT(report.velocity, UT_VELOCITY_LOCALLY_UNIQUE);

        // each of the lower four carries a quarter of all
        least(&s.problem, s.r, arena);
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(s.r[3 * i], 0.25 * count * 9.81 / 60.0, 1e-9);
        }
    }
}

// A slab that slides down a ramp: all rays are parallel, so four points of a plane have rank 3.
// Least norm: equal moments about the mass centre's foot make r_k affine along the slope.
TEST(a_sliding_slab_has_one_direction)
{
    const utSection circle = ut_section_circle();
    utArena arena = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_RAMP);
    def.fraction = 1.5;
    Scene s = solve_scene(&def, UT_COULOMB_AUTO, &circle, &arena);
    const utUniqueness report = report_of(&s.problem, s.r, &arena);
    CHECK_INT(report.slip, 4);
    CHECK_INT(report.columns, 4);
    CHECK_INT(report.redundant, 1);
    CHECK_INT(report.degenerates, 0);
    CHECK(report.interior);
    CHECK_INT(count_unique(&report, 4), 0);
    CHECK(report.velocity != UT_VELOCITY_NOT_UNIQUE);
    least(&s.problem, s.r, arena);

    // the direction is (1, -1, 1, -1) along the rays, and the answer is orthogonal to it
    double along = 0.0;
    for (int k = 0; k < 12; k++) {
        along += s.r[k] * report.null[k];
    }
    CHECK_NEAR(along, 0.0, 1e-12);
}

// Between floor and ceiling without play: a prestress of any size, by hand 1 N s at each contact on
// top of what the cubes weigh. All rows are redundant but 6 for each cube.
TEST(the_prestress_of_a_wedge_is_free_and_its_velocity_is_not)
{
    const utSection circle = ut_section_circle();
    utArena arena = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_WEDGE);
    def.count = 2;
    def.gap = 0.0;
    Scene s = solve_scene(&def, UT_COULOMB_AUTO, &circle, &arena);
    CHECK_INT(s.info.outcome, UT_COULOMB_SOLVED);
    for (int loaded = 0; loaded < 2; loaded++) {
        for (int i = 0; i < s.scene.contacts && loaded; i++) {
            s.r[3 * i] += 1.0;
        }
        const utUniqueness report = report_of(&s.problem, s.r, &arena);
        CHECK_INT(report.columns, 36);
        CHECK_INT(report.redundant, 36 - 12);
        CHECK_INT(count_unique(&report, 12), 0);
        CHECK(report.interior || !loaded);
        CHECK(report.velocity == UT_VELOCITY_LOCALLY_UNIQUE || !loaded);
    }

    // without prestress the ceiling does nothing: 2, 1 and 0 cubes' weight
    least(&s.problem, s.r, arena);
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < s.scene.contacts; i++) {
        const utFrictionContact* c = &s.scene.contact[i];
        sum[c->point.z < 0.1 ? 0 : c->point.z < 0.3 ? 1 : 2] += s.r[3 * i];
    }
    const double weight = 9.81 / 60.0;
    CHECK_NEAR(sum[0], 2 * weight, 1e-8);
    CHECK_NEAR(sum[1], weight, 1e-8);
    CHECK_NEAR(sum[2], 0.0, 1e-8);
}

// ---- one contact --------------------------------------------------------------------------------

// A ball, 1 kg: W = diag(1, 3.5, 3.5), S = 1, rho = 1/3.5: proved for mu^2 3.5/4 < 1, mu < 1.069.
TEST(a_ball_on_a_plane_is_unique)
{
    const utSection circle = ut_section_circle();
    const double W[9] = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5};
    const double q[3] = {-1, 0.3, 20}, mus[3] = {0.3, 1.06, 1.08};
    for (int k = 0; k < 3; k++) {
        const utCoulomb problem = {
            .dimension = 3, .contacts = 1, .mu = &mus[k], .section = &circle, .W = W, .q = q};
        const double size = mus[k] / sqrt(q[1] * q[1] + q[2] * q[2]);
        const double r[3] = {1, -size * q[1], -size * q[2]};
        utArena arena = test_arena();
        const utUniqueness report = report_of(&problem, r, &arena);
        CHECK_INT(report.slip, 1);
        CHECK_INT(report.redundant, 0);
        CHECK(report.unique[0]);
        CHECK_INT(report.velocity, k < 2 ? UT_VELOCITY_UNIQUE : UT_VELOCITY_LOCALLY_UNIQUE);
    }
}

// A block of 2 kg about to slip: u = 0 and |r_t| = 6 = mu r_n. mu = 3 is beyond the proof (9/4 >
// 1). With a second contact at the same point the load can move from one to the other. The cones are
// curved, so the claim on the velocity stays undecided.
TEST(about_to_slip_is_degenerate_and_decided_where_impulses_are)
{
    const utSection circle = ut_section_circle();
    double W[36];
    const double q[6] = {-1, 3, 0, -1, 3, 0}, mu[2] = {3, 3};
    for (int contacts = 1; contacts <= 2; contacts++) {
        const int N = 3 * contacts;
        for (int k = 0; k < N * N; k++) {
            W[k] = k / N % 3 == k % N % 3 ? 0.5 : 0.0;
        }
        const utCoulomb problem = {
            .dimension = 3, .contacts = contacts, .mu = mu, .section = &circle, .W = W, .q = q};
        double r[6] = {0};
        for (int i = 0; i < contacts; i++) {
            r[3 * i] = 2.0 / contacts;
            r[3 * i + 1] = -6.0 / contacts;
        }
        utArena arena = test_arena();
        const utUniqueness report = report_of(&problem, r, &arena);
        CHECK_INT(report.degenerates, contacts);
        CHECK_INT(report.redundant, 3 * (contacts - 1));
        CHECK_INT(report.velocity,
                  contacts == 1 ? UT_VELOCITY_LOCALLY_UNIQUE : UT_VELOCITY_UNDECIDED);
        CHECK(report.interior == (contacts == 1));
    }
}

// A rod in the plane with W = (1 1; 1 2) and mu = 2 > W_nn / W_nt, and q = (1, 4). By hand:
//     open   r = (0, 0), u = (1, 4)
//     slip   u_n = 1 + a (1 - 2) = 0: a = 1, r = (1, -2), u_t = 4 + 1 - 4 = 1 > 0
//     stick  r = -W^-1 q = -(2 - 4, -1 + 4) = (2, -3), and 3 <= 2 * 2
// None of them may be called unique, and none has another one nearby.
TEST(a_painleve_rod_has_three_answers_each_alone)
{
    const utSection segment = ut_section_segment();
    const double W[4] = {1, 1, 1, 2}, q[2] = {1, 4}, mu = 2.0;
    const double answers[3][2] = {{0, 0}, {1, -2}, {2, -3}};
    const utCoulombStatus statuses[3] = {UT_COULOMB_OPEN, UT_COULOMB_SLIP, UT_COULOMB_STICK};
    const utCoulomb problem = {
        .dimension = 2, .contacts = 1, .mu = &mu, .section = &segment, .W = W, .q = q};
    for (int k = 0; k < 3; k++) {
        utArena arena = test_arena();
        const utUniqueness report = report_of(&problem, answers[k], &arena);
        CHECK_INT(report.status[0], statuses[k]);
        CHECK_INT(report.degenerates, 0);
        CHECK_INT(report.velocity, UT_VELOCITY_LOCALLY_UNIQUE);
        CHECK(report.unique[0]);
    }

    // seen from the other side, t = -t
    utCoulomb mirrored = problem;
    mirrored.W = (double[]){1, -1, -1, 2};
    mirrored.q = (double[]){1, -4};
    for (int k = 0; k < 3; k++) {
        utArena arena = test_arena();
        const double r[2] = {answers[k][0], -answers[k][1]};
        CHECK_INT(report_of(&mirrored, r, &arena).velocity, UT_VELOCITY_LOCALLY_UNIQUE);
    }
}

// A contact without an impulse that opens at tau / 2 (V = 1, tau = 1e-8), beside a loaded one: it may
// be at rest as well, and r - m u calls it open.
TEST(a_contact_that_hardly_opens_is_degenerate_and_open)
{
    const utSection segment = ut_section_segment();
    const double W[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const double q[4] = {5e-9, 0, -1, 0}, r[4] = {0, 0, 1, 0}, mu[2] = {0.5, 0.5};
    const utCoulomb problem = {
        .dimension = 2, .contacts = 2, .mu = mu, .section = &segment, .W = W, .q = q};
    utArena arena = test_arena();
    const utUniqueness report = report_of(&problem, r, &arena);
    CHECK(report.degenerate[0] && !report.degenerate[1]);
    CHECK_INT(report.status[0], UT_COULOMB_OPEN);
    CHECK_INT(report.status[1], UT_COULOMB_STICK);
}

// On the verge, mu = 1 = W_nn / W_nt and q = (0, 3): every r = a (1, -1) with 0 <= a <= 3 has
// u = (0, 3 - a), so there is a line of answers; below, at mu = 0.5, r = 0 is the only one.
TEST(a_rod_on_the_verge_has_a_line_of_answers)
{
    const utSection segment = ut_section_segment();
    const double W[4] = {1, 1, 1, 2}, q[2] = {0, 3}, mus[2] = {1.0, 0.5};
    utCoulomb problem = {
        .dimension = 2, .contacts = 1, .mu = &mus[0], .section = &segment, .W = W, .q = q};
    for (int a = 0; a <= 3; a++) {
        utArena arena = test_arena();
        const double r[2] = {a, -a};
        const utUniqueness report = report_of(&problem, r, &arena);
        CHECK_INT(report.velocity, UT_VELOCITY_NOT_UNIQUE);
        CHECK_INT(report.degenerates, a == 0 || a == 3 ? 1 : 0);
        CHECK_INT(report.redundant, 0); // other impulses, but not with the same velocity
    }
    problem.mu = &mus[1];
    utArena arena = test_arena();
    CHECK_INT(report_of(&problem, (double[]){0, 0}, &arena).velocity, UT_VELOCITY_UNIQUE);

    // unsymmetric: W_nn = 1 > 0.5 |-1.5|, det = 2 + 0.75
    const double skew[4] = {1, -1.5, 0.5, 2};
    problem.W = skew;
    problem.q = (double[]){-1, 0};
    // stick: r = W^-1 (1, 0) = (2, -0.5)/2.75, and 0.5 <= 0.5 * 2
    const double r[2] = {2 / 2.75, -0.5 / 2.75};
    CHECK_INT(report_of(&problem, r, &arena).velocity, UT_VELOCITY_UNIQUE);
}

// The same in space, embedded along t1: the slip direction turns against the velocity across, and
// so the line of answers along t1 is still there. q = (0, 3, 0), W_t2t2 = 2.
TEST(a_rod_on_the_verge_in_space)
{
    const utSection circle = ut_section_circle();
    const double W[9] = {1, 1, 0, 1, 2, 0, 0, 0, 2}, q[3] = {0, 3, 0}, mu = 1.0;
    const utCoulomb problem = {
        .dimension = 3, .contacts = 1, .mu = &mu, .section = &circle, .W = W, .q = q};
    utArena arena = test_arena();
    CHECK_INT(report_of(&problem, (double[]){1, -1, 0}, &arena).velocity, UT_VELOCITY_NOT_UNIQUE);
    const double stick[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2};
    utCoulomb other = problem;
    other.W = stick;
    other.q = (double[]){-1, 1, 0}; // r = (1, -0.5, 0)
    const utUniqueness report = report_of(&other, (double[]){1, -0.5, 0}, &arena);
    CHECK_INT(report.stick, 1);
    CHECK_INT(report.velocity, UT_VELOCITY_UNIQUE); // S = 1 > 2/4
}

// A problem of one contact in a frame whose tangents are turned, and its answer r with it.
static utCoulomb turn_tangents(const utCoulomb* problem, double angle, double* r, utArena* arena)
{
    const double T[3][3] = {{1, 0, 0}, {0, cos(angle), -sin(angle)}, {0, sin(angle), cos(angle)}};
    double* W = UT_PUSH(arena, double, 9);
    double* q = UT_PUSH(arena, double, 3);
    double s[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        q[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            q[i] += T[i][k] * problem->q[k];
            s[i] += T[i][k] * r[k];
        }
        for (int j = 0; j < 3; j++) {
            W[3 * i + j] = 0.0;
            for (int k = 0; k < 9; k++) {
                W[3 * i + j] += T[i][k / 3] * problem->W[k] * T[j][k % 3];
            }
        }
    }
    memcpy(r, s, sizeof s);
    utCoulomb turned = *problem;
    turned.W = W;
    turned.q = q;
    return turned;
}

// r = (1, -1, 0) slips, and that is known of its velocity, however the tangents are turned.
static void check_slip(const utCoulomb* problem, utVelocityClaim claim)
{
    for (int turns = 0; turns < 4; turns++) {
        utArena arena = test_arena();
        double r[3] = {1, -1, 0};
        const utCoulomb turned = turn_tangents(problem, 0.8 * turns, r, &arena);
        const utUniqueness report = report_of(&turned, r, &arena);
        CHECK_INT(report.slip, 1);
        CHECK_INT(report.velocity, claim);
    }
}

// mu = 1, W_nn = W_nt1 as before, but W_nt2 = 0.5. r = (1, -1, 0) slips along t1 at u = (0, 2, 0)
// for q = (0, 3, -0.5). By dr = a (1, -1, 0) alone W dr = a (0, -1, 0.5) keeps u_n = 0; but then u
// turns by 0.25 a, and friction with it by -0.25 a (less what that takes back), which lifts the
// normal: du_n = -(1/2)(0.5)(0.5)/(1 + (1/2) 2) a = -0.0625 a.
TEST(turning_friction_can_isolate_an_answer)
{
    const utSection circle = ut_section_circle();
    const double W[9] = {1, 1, 0.5, 1, 2, 0, 0.5, 0, 2}, q[3] = {0, 3, -0.5}, mu = 1.0;
    const utCoulomb problem = {
        .dimension = 3, .contacts = 1, .mu = &mu, .section = &circle, .W = W, .q = q};
    check_slip(&problem, UT_VELOCITY_LOCALLY_UNIQUE);
}

// The same with W_nt1 = 0.9375 and q = (-0.0625, 3.0625, -0.5): now what a (1, -1, 0) does to u_n
// and what turning friction does to it cancel. Two answers meet here as the roots of a parabola do:
// there is a direction, and it only touches the solutions.
TEST(two_answers_that_meet_are_not_a_family)
{
    const utSection circle = ut_section_circle();
    const double W[9] = {1, 0.9375, 0.5, 0.9375, 2, 0, 0.5, 0, 2};
    const double q[3] = {-0.0625, 3.0625, -0.5}, mu = 1.0;
    const utCoulomb problem = {
        .dimension = 3, .contacts = 1, .mu = &mu, .section = &circle, .W = W, .q = q};
    check_slip(&problem, UT_VELOCITY_UNDECIDED);
}

// Two rods without effect on each other, one of them slipping, the other open.
TEST(an_open_contact_beside_one_that_slips)
{
    const utSection segment = ut_section_segment();
    const double W[16] = {1, 1, 0, 0, 1, 2, 0, 0, 0, 0, 1, 1, 0, 0, 1, 2};
    const double q[4] = {1, 4, 1, 4}, mu[2] = {2, 2};
    const utCoulomb problem = {
        .dimension = 2, .contacts = 2, .mu = mu, .section = &segment, .W = W, .q = q};
    utArena arena = test_arena();
    const utUniqueness report = report_of(&problem, (double[]){1, -2, 0, 0}, &arena);
    CHECK_INT(report.slip, 1);
    CHECK_INT(report.open, 1);
    CHECK_INT(report.velocity, UT_VELOCITY_LOCALLY_UNIQUE);
}

// At rest without an impulse, q = 0. W symmetric: dr'W dr <= 0 leaves nothing else. W unsymmetric:
// in space it is not decided. In the plane W = (1 1; 1.1 2) with mu = 1 has W (1, -1) = (0, -0.9):
// the friction of slip against t pushes along t, so this direction leads nowhere.
TEST(rest_without_an_impulse_is_decided_for_symmetric_W)
{
    const utSection circle = ut_section_circle(), segment = ut_section_segment();
    const double zero[3] = {0, 0, 0}, mu = 5.0, one = 1.0;
    const double W[9] = {1, 0.5, 0, 0.5, 1, 0, 0, 0, 1}, skew[9] = {1, 0.5, 0, 0.6, 1, 0, 0, 0, 1};
    const double plane[4] = {1, 1, 1.1, 2};
    utCoulomb problem = {
        .dimension = 3, .contacts = 1, .mu = &mu, .section = &circle, .W = W, .q = zero};
    utArena arena = test_arena();
    CHECK_INT(report_of(&problem, zero, &arena).velocity, UT_VELOCITY_LOCALLY_UNIQUE);
    problem.W = skew;
    CHECK_INT(report_of(&problem, zero, &arena).velocity, UT_VELOCITY_UNDECIDED);
    problem = (utCoulomb){
        .dimension = 2, .contacts = 1, .mu = &one, .section = &segment, .W = plane, .q = zero};
    CHECK_INT(report_of(&problem, zero, &arena).velocity, UT_VELOCITY_UNDECIDED);
}

// ---- bilateral rows -----------------------------------------------------------------------------

// Rows (1) and (c) of one velocity: r_1 + c r_2 = p, least norm r = p (1, c) / (1 + c^2).
TEST(doubled_joints_share)
{
    for (int c = 1; c <= 2; c++) {
        const double M = 2.0, f = -3.0, J[3] = {1.0, c, 0.0}, b[2] = {0, 0};
        const utCoulomb problem = {
            .dimension = 3, .bilaterals = 2, .dof = 1, .M = &M, .J = J, .f = &f, .b = b};
        double r[2] = {3.0, 0.0};
        utArena arena = test_arena();
        const utUniqueness report = report_of(&problem, r, &arena);
        CHECK_INT(report.columns, 2);
        CHECK_INT(report.rank, 1);
        CHECK_INT(report.redundant, 1);
        CHECK(!report.unique[0] && !report.unique[1] && report.interior);
        CHECK_INT(report.velocity, UT_VELOCITY_UNIQUE);
        const utLeastInfo info = least(&problem, r, arena);
        CHECK_NEAR(info.before, 3.0, 1e-15);
        CHECK_NEAR(info.after, 3.0 / sqrt(1.0 + c * c), 1e-14);
        CHECK_NEAR(r[0], 3.0 / (1 + c * c), 1e-14);
        CHECK_NEAR(r[1], 3.0 * c / (1 + c * c), 1e-14);
    }
}

// W = (1 2; 3 6) has W (2, -1) = 0, and (3, -1) W = 0: it is the first that counts. r_1 + 2 r_2
// = 2.
TEST(an_unsymmetric_W_has_the_directions_of_its_columns)
{
    const double W[4] = {1, 2, 3, 6}, q[2] = {-2, -6};
    const utCoulomb problem = {.dimension = 3, .bilaterals = 2, .W = W, .q = q};
    double r[2] = {2, 0};
    utArena arena = test_arena();
    const utUniqueness report = report_of(&problem, r, &arena);
    CHECK_INT(report.redundant, 1);
    CHECK_NEAR(fabs(report.null[0]), 2.0 / sqrt(5.0), 1e-14);
    CHECK_NEAR(report.null[0] + 2.0 * report.null[1], 0.0, 1e-14);
    CHECK(report.velocity != UT_VELOCITY_UNIQUE);
    least(&problem, r, arena);
    CHECK_NEAR(r[0], 0.4, 1e-14);
    CHECK_NEAR(r[1], 0.8, 1e-14);
}

// ---- polygons -----------------------------------------------------------------------------------

// Two contacts at one point of a 2 kg block, W = (I I; I I)/2, section with vertices +-t1, +-t2.
// q_t = (3, 3) is normal to an edge: r_1 + r_2 = (2, -0.5, -0.5), and the least norm halves it.
// Each has the two rays of the edge: 4 columns of rank 2.
TEST(polygons_have_faces_too)
{
    utSection square;
    CHECK_INT(ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &square, NULL), UT_OK);
    double W[36];
    for (int k = 0; k < 36; k++) {
        W[k] = k / 6 % 3 == k % 6 % 3 ? 0.5 : 0.0;
    }
    const double q[6] = {-1, 3, 3, -1, 3, 3}, mu[2] = {0.5, 0.5};
    const utCoulomb problem = {
        .dimension = 3, .contacts = 2, .mu = mu, .section = &square, .W = W, .q = q};
    double r[6] = {1.2, -0.4, -0.2, 0.8, -0.1, -0.3};
    utArena arena = test_arena();
    const utUniqueness report = report_of(&problem, r, &arena);
    CHECK_INT(report.slip, 2);
    CHECK_INT(report.columns, 4);
    CHECK_INT(report.rank, 2);
    CHECK(report.interior && !report.unique[0]);
    CHECK_INT(report.velocity, UT_VELOCITY_LOCALLY_UNIQUE);
    least(&problem, r, arena);
    const double half[3] = {1, -0.25, -0.25};
    for (int k = 0; k < 6; k++) {
        CHECK_NEAR(r[k], half[k % 3], 1e-12);
    }

    // q_t = (3, 1): the vertex -t1 alone; all friction is along it
    const double turned[6] = {-1, 3, 1, -1, 3, 1};
    utCoulomb other = problem;
    other.q = turned;
    double s[6] = {1.5, -0.75, 0, 0.5, -0.25, 0};
    const utUniqueness ray = report_of(&other, s, &arena);
    CHECK_INT(ray.columns, 2);
    CHECK_INT(ray.rank, 1);
    CHECK_INT(ray.velocity, UT_VELOCITY_LOCALLY_UNIQUE);
    least(&other, s, arena);
    CHECK_NEAR(s[0], 1.0, 1e-12);
    CHECK_NEAR(s[4], -0.5, 1e-12);
}

// r_n = 2 on the ray of one vertex of the edge alone: the impulse is on the border of the face.
TEST(a_vertex_is_on_the_border_of_its_edge)
{
    utSection square;
    CHECK_INT(ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &square, NULL), UT_OK);
    const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, mu = 0.5;
    const double q[2][3] = {{-1, 3.5, 3}, {-1, 3, 3.5}}; // u_t = (3, 3)
    const double r[2][3] = {{2, -1, 0}, {2, 0, -1}};
    for (int k = 0; k < 2; k++) {
        const utCoulomb problem = {
            .dimension = 3, .contacts = 1, .mu = &mu, .section = &square, .W = W, .q = q[k]};
        utArena arena = test_arena();
        const utUniqueness report = report_of(&problem, r[k], &arena);
        CHECK_INT(report.columns, 2);
        CHECK_INT(report.slip, 1);
        CHECK_INT(report.degenerates, 1);
    }
}

// One contact with W = 1 and mu = 1.5 that sticks: the load is mu^2 / 4 < 1 on the circle and the
// inscribed square, but 2 mu^2 / 4 > 1 on the circumscribed one, whose vertices are at sqrt 2.
TEST(the_proof_asks_for_the_vertices_of_a_polygon)
{
    utSection sections[3] = {ut_section_circle()};
    CHECK_INT(ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &sections[1], NULL), UT_OK);
    CHECK_INT(ut_section_polygon(UT_SECTION_CIRCUMSCRIBED, 4, 0.0, &sections[2], NULL), UT_OK);
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0.1, 0}, mu = 1.5;
    for (int k = 0; k < 3; k++) {
        const utCoulomb problem = {
            .dimension = 3, .contacts = 1, .mu = &mu, .section = &sections[k], .W = W, .q = q};
        utArena arena = test_arena();
        const utUniqueness report = report_of(&problem, (double[]){1, -0.1, 0}, &arena);
        CHECK_INT(report.velocity, k < 2 ? UT_VELOCITY_UNIQUE : UT_VELOCITY_LOCALLY_UNIQUE);
    }
}

// Two contacts at a point with mu = 1 and 1/4 on the same edge: r_n = (1, 1), r_t = -(x, y) with x
// + y = mu r_n. Only D = x - y is free: D_1 + D_2 = 0.8, |D_i| <= mu_i r_n. Least norm would halve
// it, but D_2 <= 1/4: the second contact ends on the edge of its cone, D = (0.55, 0.25).
TEST(the_edge_of_a_polygon_bounds_the_least_impulses)
{
    utSection square;
    CHECK_INT(ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &square, NULL), UT_OK);
    double W[36];
    for (int k = 0; k < 36; k++) {
        W[k] = k / 6 % 3 == k % 6 % 3 ? 0.5 : 0.0;
    }
    // q_t = (3, 3) less W times the impulses
    const double q[6] = {-1, 3.5125, 3.1125, -1, 3.5125, 3.1125}, mu[2] = {1.0, 0.25};
    const utCoulomb problem = {
        .dimension = 3, .contacts = 2, .mu = mu, .section = &square, .W = W, .q = q};
    double r[6] = {1, -0.85, -0.15, 1, -0.175, -0.075};
    const double want[6] = {1, -0.775, -0.225, 1, -0.25, 0};
    least(&problem, r, test_arena());
    for (int k = 0; k < 6; k++) {
        CHECK_NEAR(r[k], want[k], 1e-12);
    }
}

// ---- the two forms ------------------------------------------------------------------------------

// A dense W in rows, without its zeros.
static utCoulomb rows_form(const utCoulomb* local, utArena* arena)
{
    const int N = ut_coulomb_rows(local);
    const size_t entries = (size_t)N * (size_t)N;
    double* W = UT_PUSH(arena, double, entries);
    int* start = UT_PUSH(arena, int, N + 1);
    int* column = UT_PUSH(arena, int, entries);
    int count = 0;
    for (int i = 0; i < N; i++) {
        start[i] = count;
        for (int j = 0; j < N; j++) {
            W[count] = local->W[(size_t)i * (size_t)N + (size_t)j];
            column[count] = j;
            count += W[count] != 0.0 ? 1 : 0;
        }
    }
    start[N] = count;
    utCoulomb rows = *local;
    rows.W = W;
    rows.W_start = start;
    rows.W_column = column;
    return rows;
}

// A scene by bodies of six velocities, contacts only.
static utCoulomb blocks_form(const utFrictionProblem* scene, const utCoulomb* global,
                             utArena* arena)
{
    const size_t dof = (size_t)scene->dof;
    int* start = UT_PUSH(arena, int, scene->bodies + 1);
    int* first = UT_PUSH(arena, int, scene->contacts + 1);
    int* node = UT_PUSH(arena, int, 2 * scene->contacts);
    double* M = UT_PUSH(arena, double, 36 * scene->bodies);
    double* J = UT_PUSH(arena, double, 36 * scene->contacts);
    for (int k = 0; k <= scene->bodies; k++) {
        start[k] = 6 * k;
    }
    for (int e = 0; e < 36 * scene->bodies; e++) {
        const size_t row = (size_t)(e / 6), col = (size_t)(e / 36 * 6 + e % 6);
        M[e] = global->M[row * dof + col];
    }
    int count = 0;
    for (int i = 0; i < scene->contacts; i++) {
        const int body[2] = {scene->contact[i].a, scene->contact[i].b};
        first[i] = count;
        for (int k = 0; k < 2; k++) {
            if (body[k] < 0) {
                continue;
            }
            for (int e = 0; e < 18; e++) {
                J[18 * count + e] =
                    global->J[(size_t)(3 * i + e / 6) * dof + (size_t)(6 * body[k] + e % 6)];
            }
            node[count++] = body[k];
        }
    }
    first[scene->contacts] = count;
    utCoulombBlocks* blocks = UT_PUSH(arena, utCoulombBlocks, 1);
    *blocks = (utCoulombBlocks){scene->bodies, start, M, first, node, J};
    utCoulomb problem = *global;
    problem.M = problem.J = NULL;
    problem.blocks = blocks;
    return problem;
}

// By bodies and in rows there are the same matrices, so the reports have the same numbers.
TEST(sparse_forms_have_the_report_of_the_dense_ones)
{
    const utSection circle = ut_section_circle();
    utArena arena = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_STACK);
    def.count = 3;
    def.push = ut_vec3(0.4, 0.1, 0.0);
    Scene s = solve_scene(&def, UT_COULOMB_AUTO, &circle, &arena);
    const utCoulomb local = local_form(&s.problem, &arena);
    const utCoulomb dense[2] = {s.problem, local};
    const utCoulomb sparse[2] = {blocks_form(&s.scene, &s.problem, &arena),
                                 rows_form(&local, &arena)};
    for (int k = 0; k < 2; k++) {
        const utUniqueness a = report_of(&dense[k], s.r, &arena);
        const utUniqueness b = report_of(&sparse[k], s.r, &arena);
        CHECK_INT(a.rank, b.rank);
        CHECK_INT(a.columns, b.columns);
        CHECK_NEAR(a.kept, b.kept, 1e-12);
        CHECK_INT(a.velocity, b.velocity);
        double* x = UT_PUSH(&arena, double, s.scene.rows);
        double* y = UT_PUSH(&arena, double, s.scene.rows);
        memcpy(x, s.r, (size_t)s.scene.rows * sizeof *x);
        memcpy(y, s.r, (size_t)s.scene.rows * sizeof *y);
        least(&dense[k], x, arena);
        least(&sparse[k], y, arena);
        for (int i = 0; i < s.scene.rows; i++) {
            CHECK_NEAR(x[i], y[i], 1e-10);
        }
    }
}

TEST(both_forms_of_a_problem_have_one_report)
{
    const utSection circle = ut_section_circle();
    utArena arena = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_STACK);
    def.count = 3;
    def.push = ut_vec3(0.4, 0.1, 0.0);
    Scene s = solve_scene(&def, UT_COULOMB_AUTO, &circle, &arena);
    const utCoulomb local = local_form(&s.problem, &arena);
    const utUniqueness a = report_of(&s.problem, s.r, &arena);
    const utUniqueness b = report_of(&local, s.r, &arena);
    CHECK_INT(a.columns, b.columns);
    CHECK_INT(a.rank, b.rank);
    CHECK(a.redundant > 0);
    CHECK_INT(a.velocity, b.velocity);
    CHECK(memcmp(a.unique, b.unique, (size_t)s.scene.contacts) == 0);
    CHECK(memcmp(a.status, b.status, (size_t)s.scene.contacts * sizeof *a.status) == 0);

    // and one answer of least norm
    double* x = UT_PUSH(&arena, double, s.scene.rows);
    memcpy(x, s.r, (size_t)s.scene.rows * sizeof *x);
    utLeastInfo info;
    CHECK_INT(ut_coulomb_least(&s.problem, TOLERANCE, arena, x, &info, NULL), UT_OK);
    CHECK(info.found);
    CHECK_INT(ut_coulomb_least(&local, TOLERANCE, arena, s.r, &info, NULL), UT_OK);
    CHECK(info.found);
    for (int k = 0; k < s.scene.rows; k++) {
        CHECK_NEAR(x[k], s.r[k], 1e-8);
    }
}

// ---- the collection -----------------------------------------------------------------------------

// Rank by elimination with complete pivoting, rows scaled to their largest entry.
static int rank_of(int rows, int cols, double* A)
{
    for (int i = 0; i < rows; i++) {
        double most = 0.0;
        for (int j = 0; j < cols; j++) {
            most = fmax(most, fabs(A[(size_t)i * (size_t)cols + (size_t)j]));
        }
        for (int j = 0; j < cols && most > 0.0; j++) {
            A[(size_t)i * (size_t)cols + (size_t)j] /= most;
        }
    }
    int rank = 0;
    while (rank < rows && rank < cols) {
        size_t at = (size_t)rank * (size_t)cols + (size_t)rank;
        size_t best = at;
        for (size_t i = (size_t)rank; i < (size_t)rows; i++) {
            for (size_t j = (size_t)rank; j < (size_t)cols; j++) {
                best = fabs(A[i * (size_t)cols + j]) > fabs(A[best]) ? i * (size_t)cols + j : best;
            }
        }
        if (fabs(A[best]) < 1e-9) {
            break;
        }
        const size_t row = best / (size_t)cols, col = best % (size_t)cols;
        for (size_t j = 0; j < (size_t)cols; j++) {
            const double swap = A[row * (size_t)cols + j];
            A[row * (size_t)cols + j] = A[(size_t)rank * (size_t)cols + j];
            A[(size_t)rank * (size_t)cols + j] = swap;
        }
        for (size_t i = 0; i < (size_t)rows; i++) {
            const double swap = A[i * (size_t)cols + col];
            A[i * (size_t)cols + col] = A[i * (size_t)cols + (size_t)rank];
            A[i * (size_t)cols + (size_t)rank] = swap;
        }
        for (size_t i = (size_t)rank + 1; i < (size_t)rows; i++) {
            const double factor = A[i * (size_t)cols + (size_t)rank] / A[at];
            for (size_t j = (size_t)rank; j < (size_t)cols; j++) {
                A[i * (size_t)cols + j] -= factor * A[(size_t)rank * (size_t)cols + j];
            }
        }
        rank++;
    }
    return rank;
}

// The rows of J that the velocities u leave an impulse to: none at u_n > tau, J_n - mu d.J_t while
// sliding, all at rest. @return how many
static int active_rows(const Scene* s, const double* u, double tau, double* A)
{
    const size_t dof = (size_t)s->problem.dof;
    int count = 0;
    for (int i = 0; i < s->problem.contacts; i++) {
        const double* J = s->problem.J + 3 * dof * (size_t)i;
        const double* v = u + 3 * i;
        const double mu = s->problem.mu[i];
        const double slip = hypot(v[1], v[2]);
        if (v[0] > tau) {
            continue;
        }
        const bool rest = mu > 0.0 && sqrt(slip * slip + pow(v[0] + mu * slip, 2)) <= tau;
        for (size_t k = 0; k < dof; k++) {
            double* to = A + (size_t)count * dof + k;
            if (rest) {
                to[0] = J[k];
                to[dof] = J[dof + k];
                to[2 * dof] = J[2 * dof + k];
            } else {
                to[0] = J[k];
                to[0] -= mu > 0.0 ? mu / slip * (v[1] * J[dof + k] + v[2] * J[2 * dof + k]) : 0.0;
            }
        }
        count += rest ? 3 : 1;
    }
    const size_t rest = (size_t)s->problem.bilaterals * dof;
    memcpy(A + (size_t)count * dof, s->problem.J + 3 * dof * (size_t)s->problem.contacts,
           rest * sizeof *A);
    return count + s->problem.bilaterals;
}

static double judged(const utCoulomb* problem, const double* r, utArena arena)
{
    utCoulombVerdict verdict;
    CHECK_INT(ut_coulomb_judge(problem, false, r, arena, NULL, &verdict), UT_OK);
    return verdict.cone <= 1e-9 ? fmax(verdict.E, verdict.bilateral) : (double)INFINITY;
}

// Steps along the directions of an interior answer: the judge passes them.
static void check_directions(const Scene* s, const utUniqueness* report, utArena arena)
{
    const int N = s->scene.rows;
    double* x = UT_PUSH(&arena, double, N);
    for (int v = 0; v < report->redundant && report->interior; v++) {
        double most = 0.0, worst = (double)INFINITY;
        for (int k = 0; k < N; k++) {
            most = fmax(most, fabs(s->r[k]));
        }
        for (double step = 1e-3; step > 1e-8 && worst > TOLERANCE; step *= 0.1) {
            for (int k = 0; k < N; k++) {
                x[k] = s->r[k] + step * most * report->null[(size_t)v * (size_t)N + (size_t)k];
            }
            worst = judged(&s->problem, x, arena);
        }
        CHECK(worst <= TOLERANCE);
    }
}

typedef struct Other {
    bool solved;
    bool same; // velocities, within 1e-6 V
} Other;

// The answer of another solver must have the same unique impulses.
static Other check_other(const Scene* s, const utUniqueness* report, utArena arena)
{
    const int N = s->scene.rows;
    double* u[2] = {UT_PUSH(&arena, double, N), UT_PUSH(&arena, double, N)};
    double* r = UT_PUSH(&arena, double, N);
    utCoulombVerdict verdict;
    utCoulombInfo info;
    utCoulombDef def = ut_coulomb_def();
    def.max_iterations = 2000;
    CHECK_INT(ut_coulomb_solve(&s->problem, UT_COULOMB_NSGS, &def, arena, r, &info), UT_OK);
    CHECK_INT(ut_coulomb_judge(&s->problem, false, s->r, arena, u[0], &verdict), UT_OK);
    CHECK_INT(ut_coulomb_judge(&s->problem, false, r, arena, u[1], &verdict), UT_OK);
    double apart = 0.0, most = 0.0, size = 0.0;
    for (int k = 0; k < N; k++) {
        apart = fmax(apart, fabs(u[0][k] - u[1][k]));
        size = fmax(size, fabs(s->r[k]));
    }
    const Other other = {info.outcome == UT_COULOMB_SOLVED, apart <= 1e-6 * verdict.V};
    for (int k = 0; k < N; k++) {
        const int group = k < 3 * s->scene.contacts ? k / 3 : k - 2 * s->scene.contacts;
        most = report->unique[group] ? fmax(most, fabs(s->r[k] - r[k])) : most;
    }
    // velocities 1e-6 apart, over the masses and lever arms of this collection
    CHECK(!(other.solved && other.same) || most <= 1e-4 * size);
    CHECK(!other.solved || report->velocity != UT_VELOCITY_UNIQUE || other.same);
    return other;
}

TEST(the_collection_has_the_ranks_of_elimination)
{
    const utSection circle = ut_section_circle();
    int looked = 0, redundant = 0, interior = 0, shorter = 0, missed = 0;
    int claims[4] = {0}, same[4] = {0}, apart[4] = {0};
    int vague = 0;
    for (int index = 0; looked < SAMPLES && index < UT_FRICTION_SAMPLES; index++) {
        utArena arena = test_arena();
        const utFrictionDef def = ut_friction_sample(index);
        utFrictionProblem size;
        utArena probe = arena;
        CHECK_INT(ut_friction_create(&def, &probe, &size), UT_OK);
        if (size.rows > 150) {
            continue;
        }
        Scene s = solve_scene(&def, UT_COULOMB_AUTO, &circle, &arena);
        if (s.info.outcome != UT_COULOMB_SOLVED) {
            continue;
        }
        looked++;
        const utUniqueness report = report_of(&s.problem, s.r, &arena);
        double* u = UT_PUSH(&arena, double, s.scene.rows);
        double* A = UT_PUSH(&arena, double, (size_t)s.scene.rows*(size_t)s.scene.dof);
        utCoulombVerdict verdict;
        CHECK_INT(ut_coulomb_judge(&s.problem, false, s.r, arena, u, &verdict), UT_OK);
        const int columns = active_rows(&s, u, TOLERANCE * verdict.V, A);
        const int rank = rank_of(columns, s.scene.dof, A);
        // a rank that depends on the tolerance shows in `dropped`
        const bool unclear = report.dropped > 1e-9;
        vague += unclear;
        if (!CHECK_INT(report.columns, columns) ||
            !(unclear ? CHECK(rank >= report.rank) : CHECK_INT(report.rank, rank))) {
            test_note("sample %d: kept %g dropped %g", index, report.kept, report.dropped);
        }
        check_directions(&s, &report, arena);
        redundant += report.redundant;
        interior += report.interior ? 1 : 0;
        claims[report.velocity]++;
        const Other other = check_other(&s, &report, arena);
        same[report.velocity] += other.solved && other.same ? 1 : 0;
        apart[report.velocity] += other.solved && !other.same ? 1 : 0;
        utLeastInfo info;
        CHECK_INT(ut_coulomb_least(&s.problem, TOLERANCE, arena, s.r, &info, NULL), UT_OK);
        missed += info.found ? 0 : 1;
        shorter += info.after < 0.999 * info.before ? 1 : 0;
    }
    test_note("%d problems, %d directions, %d interior; least norm: %d shorter, %d not found",
              looked, redundant, interior, shorter, missed);
    for (int c = 0; c < 4; c++) {
        test_note("velocity %s: %d, where nsgs has the same one in %d and another one in %d",
                  ut_velocity_claim_name((utVelocityClaim)c), claims[c], same[c], apart[c]);
    }
    CHECK_INT(looked, SAMPLES);
    CHECK(vague <= SAMPLES / 20);
    CHECK(apart[UT_VELOCITY_NOT_UNIQUE] >= same[UT_VELOCITY_NOT_UNIQUE]);
    CHECK(missed <= SAMPLES / 20);
}

// ---- at the door --------------------------------------------------------------------------------

TEST(impulses_that_do_not_solve_are_rejected_and_change_nothing)
{
    const utSection circle = ut_section_circle();
    Table table;
    make_table(4, SQUARE, 0.5, &circle, &table);
    utArena keep = test_arena();
    unsigned char* const next = keep.next;
    utUniqueness report = {.redundant = 77};
    utLeastInfo info = {.iterations = 77};
    utError err = {.message = ""};
    static unsigned char memory[1 << 16];
    utArena scratch = ut_arena_on(memory, sizeof memory);
    CHECK_INT(ut_coulomb_unique(&table.problem, table.r, TOLERANCE, &keep, scratch, &report, &err),
              UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "have to solve the problem") != NULL);
    CHECK_INT(ut_coulomb_least(&table.problem, TOLERANCE, scratch, table.r, &info, NULL),
              UT_ERR_ARGUMENT);
    for (int i = 0; i < 4; i++) {
        table.r[3 * i] = 0.25 * P;
    }

    // a joint that still moves
    const double W[2] = {1, 0}, q[1] = {1}, none[1] = {0};
    const utCoulomb joint = {.dimension = 3, .bilaterals = 1, .W = W, .q = q};
    CHECK_INT(ut_coulomb_unique(&joint, none, TOLERANCE, &keep, scratch, &report, &err),
              UT_ERR_ARGUMENT);
    const double bad[] = {0.0, -1.0, (double)NAN, 1.0};
    for (int k = 0; k < 4; k++) {
        CHECK_INT(ut_coulomb_unique(&table.problem, table.r, bad[k], &keep, scratch, &report, NULL),
                  UT_ERR_ARGUMENT);
    }
    CHECK_INT(ut_coulomb_unique(&table.problem, NULL, TOLERANCE, &keep, scratch, &report, NULL),
              UT_ERR_ARGUMENT);
    CHECK(keep.next == next && report.redundant == 77 && info.iterations == 77);
}

TEST(the_peak_of_memory_is_enough_and_less_is_an_error)
{
    const utSection circle = ut_section_circle();
    static unsigned char memory[1 << 17];
    Table table;
    make_table(4, SQUARE, 0.5, &circle, &table);
    for (int i = 0; i < 4; i++) {
        table.r[3 * i] = 0.25 * P * (i % 2 == 0 ? 1.3 : 0.7);
    }
    utUniqueness report;
    utLeastInfo info;
    utArena first = test_arena();
    utArena growing = scratch_open();
    CHECK_INT(ut_coulomb_unique(&table.problem, table.r, TOLERANCE, &first, growing, &report, NULL),
              UT_OK);
    size_t need[2] = {scratch_close(&growing)};
    double copy[12];
    memcpy(copy, table.r, sizeof copy);
    growing = scratch_open();
    CHECK_INT(ut_coulomb_least(&table.problem, TOLERANCE, growing, copy, &info, NULL), UT_OK);
    need[1] = scratch_close(&growing);
    CHECK(need[0] < sizeof memory && need[1] < sizeof memory);
    for (size_t size = 0; size < need[0]; size += 256) {
        utArena keep = test_arena();
        const utStatus status = ut_coulomb_unique(&table.problem, table.r, TOLERANCE, &keep,
                                                  ut_arena_on(memory, size), &report, NULL);
        CHECK(status == UT_ERR_CAPACITY || (status == UT_OK && size + 256 > need[0]));
    }
    utArena keep = test_arena();
    CHECK_INT(ut_coulomb_unique(&table.problem, table.r, TOLERANCE, &keep,
                                ut_arena_on(memory, need[0]), &report, NULL),
              UT_OK);
    utArena small = ut_arena_on(memory, 100);
    CHECK_INT(
        ut_coulomb_unique(&table.problem, table.r, TOLERANCE, &small, test_arena(), &report, NULL),
        UT_ERR_CAPACITY);
    for (size_t size = 0; size < need[1] / 2; size += 256) {
        CHECK_INT(ut_coulomb_least(&table.problem, TOLERANCE, ut_arena_on(memory, size), table.r,
                                   &info, NULL),
                  UT_ERR_CAPACITY);
    }
    CHECK_INT(ut_coulomb_least(&table.problem, TOLERANCE, ut_arena_on(memory, need[1]), table.r,
                               &info, NULL),
              UT_OK);
    CHECK(info.found);
}
