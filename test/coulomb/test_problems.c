// SPDX-License-Identifier: Apache-2.0
// The generated friction problems: entries by hand, statics with known impulses, ranks, and the
// Jacobian against the motion of points.
#include "test.h"

#include <math.h>
#include <string.h>
#include <uptack/coulomb_problems.h>

static const double EXACT = 0.0;

static utFrictionProblem make(const utFrictionDef* def, utArena* keep)
{
    utFrictionProblem problem = {0};
    CHECK(ut_friction_create(def, keep, &problem) == UT_OK);
    return problem;
}

static double J_at(const utFrictionProblem* problem, int row, int column)
{
    return problem->J[(size_t)row * (size_t)problem->dof + (size_t)column];
}

// largest |f + J'r - M v|; v may be NULL for rest
static double momentum_error(const utFrictionProblem* problem, const double* r, const double* v)
{
    double worst = 0.0;
    for (int i = 0; i < problem->dof; i++) {
        double sum = problem->f[i];
        for (int k = 0; k < problem->rows; k++) {
            sum += J_at(problem, k, i) * r[k];
        }
        for (int j = 0; v != NULL && j < problem->dof; j++) {
            sum -= problem->M[(size_t)i * (size_t)problem->dof + (size_t)j] * v[j];
        }
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

// ---- by hand ------------------------------------------------------------------------------------

// A cube of edge 2 with its centre at z = 1.25 over a gap of 0.25. Its second corner is (1, -1),
// the point between the faces lies at z = 0.125, so the arm is (1, -1, -1.125).
TEST(the_entries_of_a_single_cube_are_those_computed_by_hand)
{
    utArena keep = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_STACK);
    def.count = 1;
    def.size = 2.0;
    def.ratio = 3.0;
    def.gap = 0.25;
    def.h = 0.5;
    def.g = 10.0;
    def.push = ut_vec3(1.0, 2.0, 3.0);
    utFrictionProblem problem = make(&def, &keep);
    CHECK_INT(problem.dimension, 3);
    CHECK_INT(problem.contacts, 4);
    CHECK_INT(problem.bilaterals, 0);
    CHECK_INT(problem.rows, 12);
    CHECK_INT(problem.dof, 6);
    CHECK_INT(problem.contact[1].a, -1);
    CHECK_INT(problem.contact[1].b, 0);

    static const double rows[3][6] = {
        {0, 0, 1, -1, -1, 0}, {1, 0, 0, 0, -1.125, 1}, {0, 1, 0, 1.125, 0, 1}};
    static const double b[3] = {0.5, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(problem.b[3 + k], b[k], EXACT);
        for (int j = 0; j < 6; j++) {
            CHECK_NEAR(J_at(&problem, 3 + k, j), rows[k][j], EXACT);
        }
    }

    // m = 3 kg, inertia m (1 + 1) / 3 = 2; gravity takes 5 m/s
    static const double M[6] = {3, 3, 3, 2, 2, 2};
    static const double f[6] = {3, 6, -6, 0, 0, 0};
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(problem.f[i], f[i], EXACT);
        for (int j = 0; j < 6; j++) {
            CHECK_NEAR(problem.M[i * 6 + j], i == j ? M[i] : 0.0, EXACT);
        }
    }
    CHECK_NEAR(problem.mu[3], 0.5, EXACT);
}

// ---- statics ------------------------------------------------------------------------------------

// Each of the four contacts of a joint carries a quarter of what lies above.
TEST(a_stack_stands_on_the_weight_above_each_joint)
{
    static const double ratios[] = {1.0, 1e3, 1e6};
    for (int t = 0; t < 3; t++) {
        utArena keep = test_arena();
        utFrictionDef def = ut_friction_def(UT_FRICTION_STACK);
        def.count = 30;
        def.ratio = ratios[t];
        utFrictionProblem problem = make(&def, &keep);
        CHECK_INT(problem.contacts, 120);
        double* r = UT_PUSH(&keep, double, problem.rows);
        memset(r, 0, (size_t)problem.rows * sizeof *r);
        for (int c = 0; c < problem.contacts; c++) {
            double above = (double)(29 - c / 4) + def.ratio;
            r[3 * c] = 0.25 * above * def.h * def.g;
        }
        // relative to the weight, which is the largest impulse
        double weight = (29.0 + def.ratio) * def.h * def.g;
        CHECK_NEAR(momentum_error(&problem, r, NULL) / weight, 0.0, 1e-14);

        // the velocity after, M being diagonal for cubes
        double worst = 0.0;
        for (int i = 0; i < problem.dof && t == 0; i++) {
            double sum = problem.f[i];
            for (int k = 0; k < problem.rows; k++) {
                sum += J_at(&problem, k, i) * r[k];
            }
            worst = fmax(worst, fabs(sum / problem.M[i * problem.dof + i]));
        }
        CHECK_NEAR(worst, 0.0, 1e-12);
    }
}

// Friction T along the base, half a height below the centre, shifts normal impulse downhill:
// (N_front - N_back) half.x = T half.z. Friction is shared as the normal impulse is.
static void check_ramp(double fraction, double turn)
{
    utArena keep = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_RAMP);
    def.mu_min = 0.7;
    def.fraction = fraction;
    def.turn = turn;
    utFrictionProblem problem = make(&def, &keep);
    double angle = atan(fraction * def.mu_min);
    double N = def.mass * def.h * def.g * cos(angle);
    bool slides = fraction > 1.0;
    double share = slides ? def.mu_min : tan(angle);
    double speed = slides ? def.h * def.g * (sin(angle) - def.mu_min * cos(angle)) : 0.0;
    const utFrictionBody* box = &problem.body[0];
    utVec3 down = ut_vec3(cos(angle) * cos(turn), cos(angle) * sin(turn), -sin(angle));

    double r[12];
    for (int c = 0; c < 4; c++) {
        const utFrictionContact* contact = &problem.contact[c];
        double x = ut_vec3_dot(ut_vec3_sub(contact->point, box->center), down);
        double tilt = share * box->half.z / box->half.x;
        r[3 * c] = 0.25 * N * (x > 0.0 ? 1.0 + tilt : 1.0 - tilt);
        CHECK(r[3 * c] > 0.0);
        CHECK_NEAR(contact->mu, def.mu_min, EXACT);
        for (int k = 0; k < 2; k++) {
            r[3 * c + 1 + k] = -share * r[3 * c] * ut_vec3_dot(down, contact->tangent[k]);
        }
    }
    double v[6] = {speed * down.x, speed * down.y, speed * down.z, 0.0, 0.0, 0.0};
    CHECK_NEAR(momentum_error(&problem, r, v), 0.0, 1e-14);
}

TEST(a_ramp_holds_below_its_limit_and_slides_beyond_it)
{
    check_ramp(0.3, 0.0);
    check_ramp(0.999, 0.4);
    check_ramp(1.5, 0.0);
    check_ramp(2.0, -2.1);
}

// A cube between plates: a quarter of the press on each normal, an eighth of the weight on each of
// the eight contacts. The plates' own weight and moments are the guides' affair.
TEST(a_grasp_is_held_by_the_press_of_its_plates)
{
    utArena keep = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_GRASP);
    def.count = 1;
    def.press = 2.0;
    utFrictionProblem problem = make(&def, &keep);
    CHECK_INT(problem.contacts, 8);
    CHECK_INT(problem.bilaterals, 10);
    double r[34] = {0};
    double lift = def.mass * def.h * def.g / 8.0;
    for (int c = 0; c < 8; c++) {
        const utFrictionContact* contact = &problem.contact[c];
        r[3 * c] = 0.25 * def.press;
        for (int k = 0; k < 2; k++) {
            // upward on the cube, which is b on the left and a on the right
            double sign = contact->b == 0 ? 1.0 : -1.0;
            r[3 * c + 1 + k] = sign * lift * contact->tangent[k].z;
        }
    }
    double motion[18];
    for (int i = 0; i < 18; i++) {
        motion[i] = problem.f[i];
        for (int k = 0; k < 34; k++) {
            motion[i] += J_at(&problem, k, i) * r[k];
        }
    }
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(motion[i], 0.0, 1e-15);
    }
    CHECK_NEAR(motion[6], 0.0, 1e-15);
    CHECK_NEAR(motion[12], 0.0, 1e-15);
}

// Equal normal impulses in all joints of a straight wedge balance each other, so the sum of all
// normal velocities is that of b whatever v is: nothing opens unless something else closes.
TEST(the_joints_of_a_wedge_cannot_all_open)
{
    static const double gaps[] = {0.0, 1e-3};
    for (int t = 0; t < 2; t++) {
        utArena keep = test_arena();
        utFrictionDef def = ut_friction_def(UT_FRICTION_WEDGE);
        def.count = 6;
        def.gap = gaps[t];
        def.push = ut_vec3(0.3, 0.0, 0.0);
        utFrictionProblem problem = make(&def, &keep);
        CHECK_INT(problem.contacts, 28);
        CHECK_INT(problem.fixed, 2);
        double total = 0.0;
        for (int c = 0; c < problem.contacts; c++) {
            total += problem.b[3 * c];
        }
        CHECK_NEAR(total, 4.0 * def.gap / def.h, 1e-15);
        for (int i = 0; i < problem.dof; i++) {
            double sum = 0.0;
            for (int c = 0; c < problem.contacts; c++) {
                sum += J_at(&problem, 3 * c, i);
            }
            CHECK_NEAR(sum, 0.0, 1e-15);
        }
    }
}

// ---- ranks --------------------------------------------------------------------------------------

// Rank of every `stride`-th row of [first, end), by elimination with complete pivoting.
static int rank_of(const utFrictionProblem* problem, int first, int end, int stride, utArena work)
{
    const int n = problem->dof;
    const int m = (end - first + stride - 1) / stride;
    double* A = UT_PUSH(&work, double, (size_t)m*(size_t)n);
    for (int i = 0; i < m; i++) {
        memcpy(A + (size_t)i * (size_t)n, problem->J + (size_t)(first + i * stride) * (size_t)n,
               (size_t)n * sizeof *A);
    }
    for (int rank = 0; rank < m && rank < n; rank++) {
        int row = rank, column = rank;
        for (int i = rank; i < m; i++) {
            for (int j = rank; j < n; j++) {
                if (fabs(A[i * n + j]) > fabs(A[row * n + column])) {
                    row = i;
                    column = j;
                }
            }
        }
        if (!(fabs(A[row * n + column]) > 1e-12)) {
            return rank;
        }
        for (int j = 0; j < n; j++) {
            double swap = A[rank * n + j];
            A[rank * n + j] = A[row * n + j];
            A[row * n + j] = swap;
        }
        for (int i = 0; i < m; i++) {
            double swap = A[i * n + rank];
            A[i * n + rank] = A[i * n + column];
            A[i * n + column] = swap;
        }
        for (int i = rank + 1; i < m; i++) {
            double factor = A[i * n + rank] / A[rank * n + rank];
            for (int j = rank; j < n; j++) {
                A[i * n + j] -= factor * A[rank * n + j];
            }
        }
    }
    return m < n ? m : n;
}

static int rank_of_contacts(const utFrictionProblem* problem, int stride, utArena work)
{
    return rank_of(problem, 0, 3 * problem->contacts, stride, work);
}

TEST(a_face_has_rank_six_and_its_normals_rank_three)
{
    utArena keep = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_STACK);
    def.count = 1;
    utFrictionProblem problem = make(&def, &keep);
    CHECK_INT(rank_of_contacts(&problem, 1, keep), 6);
    CHECK_INT(rank_of_contacts(&problem, 3, keep), 3);
}

// Every body is held by some face, so that the rank is that of all velocities. The bed joints of a
// wall leave a body three motions (x, y and about z); heads hold x where there are neighbours.
TEST(walls_and_tables_are_redundant)
{
    utArena keep = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_WALL);
    def.rows = 3;
    def.columns = 2;
    utFrictionProblem wall = make(&def, &keep);
    CHECK_INT(wall.bodies, 2 + 3 + 2);
    CHECK_INT(wall.contacts, 4 * (2 + 4 + 4));
    CHECK_INT(rank_of_contacts(&wall, 1, keep), wall.dof);
    CHECK_INT(rank_of_contacts(&wall, 3, keep), 3 * wall.bodies);

    def.sides = true;
    utFrictionProblem tight = make(&def, &keep);
    CHECK_INT(tight.contacts, wall.contacts + 4 * (1 + 2 + 1));
    CHECK_INT(rank_of_contacts(&tight, 1, keep), tight.dof);

    def = ut_friction_def(UT_FRICTION_TABLE);
    utFrictionProblem table = make(&def, &keep);
    CHECK_INT(table.contacts, 8);
    CHECK_INT(rank_of_contacts(&table, 1, keep), 12);
    CHECK_INT(rank_of_contacts(&table, 3, keep), 6);
}

TEST(links_have_the_rank_of_their_joint)
{
    static const int ranks[] = {3, 5, 6};
    for (int balls = 1; balls <= 3; balls++) {
        utArena keep = test_arena();
        utFrictionDef def = ut_friction_def(UT_FRICTION_CHAIN);
        def.count = 4;
        def.balls = balls;
        utFrictionProblem problem = make(&def, &keep);
        CHECK_INT(problem.bilaterals, 9 * balls);
        CHECK_INT(rank_of(&problem, 48, problem.rows, 1, keep), 3 * ranks[balls - 1]);
        // moved as one, the chain feels nothing of its joints
        for (int k = 48; k < problem.rows; k++) {
            double sum = 0.0;
            for (int b = 0; b < problem.bodies; b++) {
                sum += J_at(&problem, k, 6 * b) + 2.0 * J_at(&problem, k, 6 * b + 1);
            }
            CHECK_NEAR(sum, 0.0, EXACT);
        }
    }
}

TEST(the_guides_of_a_plate_leave_it_one_translation)
{
    utArena keep = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_GRASP);
    def.count = 2;
    utFrictionProblem problem = make(&def, &keep);
    int first = 3 * problem.contacts;
    CHECK_INT(rank_of(&problem, first, problem.rows, 1, keep), 10);
    for (int k = first; k < problem.rows; k++) {
        CHECK_NEAR(J_at(&problem, k, 12), 0.0, EXACT);
        CHECK_NEAR(J_at(&problem, k, 18), 0.0, EXACT);
    }
}

// ---- every scene --------------------------------------------------------------------------------

// Where a point that is fixed to a body goes in time t.
static utVec3 moved(const utFrictionProblem* problem, int body, utVec3 point, const double* v,
                    double t)
{
    if (body < 0) {
        return point;
    }
    const double* w = v + (size_t)(6 * body);
    utVec3 center = problem->body[body].center;
    utQuat turn = ut_quat_exp(ut_vec3(w[3] * t, w[4] * t, w[5] * t));
    utVec3 arm = ut_quat_rotate(turn, ut_vec3_sub(point, center));
    return ut_vec3_add(ut_vec3_add_scaled(center, t, ut_vec3(w[0], w[1], w[2])), arm);
}

static utVec3 apart(const utFrictionProblem* problem, int a, int b, utVec3 x, const double* v,
                    double t)
{
    return ut_vec3_sub(moved(problem, b, x, v, t), moved(problem, a, x, v, t));
}

// (J v)_row against the central difference of the points' distance along d
static void check_row(const utFrictionProblem* problem, int row, int a, int b, utVec3 x, utVec3 d,
                      const double* v)
{
    const double t = 1e-5;
    double rate = 0.0;
    for (int j = 0; j < problem->dof; j++) {
        rate += J_at(problem, row, j) * v[j];
    }
    utVec3 change = ut_vec3_sub(apart(problem, a, b, x, v, t), apart(problem, a, b, x, v, -t));
    CHECK_NEAR(ut_vec3_dot(change, d) / (2.0 * t), rate, 1e-8);
}

TEST(rows_are_the_velocities_of_points)
{
    for (int scene = 0; scene < UT_FRICTION_SCENE_COUNT; scene++) {
        utArena keep = test_arena();
        utFrictionDef def = ut_friction_def((utFrictionScene)scene);
        def.gap = 1e-3;
        def.jitter = 0.1;
        def.turn = 0.3;
        utFrictionProblem problem = make(&def, &keep);
        double* v = UT_PUSH(&keep, double, problem.dof);
        utRng rng = ut_rng(17, (uint64_t)scene);
        for (int i = 0; i < problem.dof; i++) {
            v[i] = ut_rng_range(&rng, -1.0, 1.0);
        }
        for (int c = 0; c < problem.contacts; c++) {
            const utFrictionContact* contact = &problem.contact[c];
            int a = contact->a, b = contact->b;
            utVec3 x = contact->point;
            check_row(&problem, 3 * c, a, b, x, contact->normal, v);
            check_row(&problem, 3 * c + 1, a, b, x, contact->tangent[0], v);
            check_row(&problem, 3 * c + 2, a, b, x, contact->tangent[1], v);
        }
        for (int j = 0; j < problem.bilaterals; j++) {
            const utFrictionJoint* joint = &problem.joint[j];
            check_row(&problem, 3 * problem.contacts + j, joint->a, joint->b, joint->point,
                      joint->direction, v);
        }
    }
}

static const utFrictionBody* body_of(const utFrictionProblem* problem, int name)
{
    return name >= 0 ? &problem->body[name] : &problem->fixed_body[-1 - name];
}

// half the extent of a box along n
static double extent(const utFrictionBody* body, utVec3 n)
{
    utVec3 own = ut_mat3_tmul_vec(body->R, n);
    return fabs(own.x) * body->half.x + fabs(own.y) * body->half.y + fabs(own.z) * body->half.z;
}

// The normal points from a to b, and the gap is what lies between the faces.
TEST(gaps_and_points_are_those_of_the_boxes)
{
    for (int scene = 0; scene < UT_FRICTION_SCENE_COUNT; scene++) {
        utArena keep = test_arena();
        utFrictionDef def = ut_friction_def((utFrictionScene)scene);
        def.gap = 1e-3;
        def.jitter = 0.2;
        def.turn = 2.0;
        def.sides = true;
        def.loops = 0.0;
        utFrictionProblem problem = make(&def, &keep);
        CHECK(problem.contacts > 0);
        for (int c = 0; c < problem.contacts; c++) {
            const utFrictionContact* contact = &problem.contact[c];
            const utFrictionBody* a = body_of(&problem, contact->a);
            const utFrictionBody* b = body_of(&problem, contact->b);
            utVec3 n = contact->normal;
            bool foot = scene == UT_FRICTION_TABLE && contact->a < 0;
            double legs = foot ? 3.0 * def.size : 0.0;
            double distance = ut_vec3_dot(n, ut_vec3_sub(b->center, a->center)) - extent(a, n) -
                              extent(b, n) - legs;
            CHECK_NEAR(contact->gap, distance, 1e-14);
            CHECK_NEAR(ut_vec3_dot(n, n), 1.0, 1e-15);
            CHECK(contact->gap >= 0.0);

            // the point lies within the boxes, half the gap from either
            utVec3 arm = ut_mat3_tmul_vec(b->R, ut_vec3_sub(contact->point, b->center));
            double room = 0.5 * contact->gap + legs + 1e-14;
            CHECK(fabs(arm.x) <= b->half.x + room && fabs(arm.y) <= b->half.y + room &&
                  fabs(arm.z) <= b->half.z + room);
        }
    }
}

// A block of M is (m 1, I) with I positive definite by its leading minors; all else is zero.
static bool masses_are_good(const utFrictionProblem* problem)
{
    const int n = problem->dof;
    bool good = n == 6 * problem->bodies;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double entry = problem->M[(size_t)i * (size_t)n + (size_t)j];
            bool inside = i / 6 == j / 6 && (i == j || (i % 6 >= 3 && j % 6 >= 3));
            good = good && entry == problem->M[(size_t)j * (size_t)n + (size_t)i];
            good = good && isfinite(entry) && (inside || entry == 0.0);
        }
    }
    for (int b = 0; b < problem->bodies; b++) {
        utMat3 I;
        for (int i = 0; i < 9; i++) {
            size_t row = (size_t)(6 * b + 3 + i / 3);
            I.m[i / 3][i % 3] = problem->M[row * (size_t)n + (size_t)(6 * b + 3 + i % 3)];
        }
        double minor = I.m[0][0] * I.m[1][1] - I.m[0][1] * I.m[1][0];
        good = good && problem->M[(size_t)(6 * b) * (size_t)n + (size_t)(6 * b)] > 0.0;
        good = good && I.m[0][0] > 0.0 && minor > 0.0 && ut_mat3_determinant(I) > 0.0;
    }
    return good;
}

static bool entries_are_good(const utFrictionProblem* problem)
{
    bool good = problem->rows == 3 * problem->contacts + problem->bilaterals;
    for (int i = 0; i < problem->dof; i++) {
        good = good && isfinite(problem->f[i]);
    }
    for (size_t k = 0; k < (size_t)problem->rows * (size_t)problem->dof; k++) {
        good = good && isfinite(problem->J[k]);
    }
    for (int k = 0; k < problem->rows; k++) {
        good = good && problem->b[k] >= 0.0 && isfinite(problem->b[k]);
    }
    for (int c = 0; c < problem->contacts; c++) {
        const utFrictionContact* contact = &problem->contact[c];
        good = good && problem->mu[c] >= 0.0 && problem->mu[c] <= 2.0;
        good = good && contact->b >= 0 && contact->b < problem->bodies;
        good = good && contact->a >= -problem->fixed && contact->a < problem->bodies;
        good = good && contact->a != contact->b;
    }
    return good;
}

static uint64_t hash_of(const utFrictionProblem* problem, uint64_t hash)
{
    const size_t n = (size_t)problem->dof, rows = (size_t)problem->rows;
    hash = ut_hash_doubles(hash, problem->M, n * n);
    hash = ut_hash_doubles(hash, problem->f, n);
    hash = ut_hash_doubles(hash, problem->J, rows * n);
    hash = ut_hash_doubles(hash, problem->b, rows);
    return ut_hash_doubles(hash, problem->mu, (size_t)problem->contacts);
}

// Each in an arena of just the size that it takes. What is published of the collection counts
// only while its hash stays.
TEST(the_collection_is_well_formed_and_has_its_bits)
{
    uint64_t hash = UT_HASH_START;
    int most = 0, heavy = 0, pushed = 0, rough = 0;
    for (int i = 0; i < UT_FRICTION_SAMPLES; i++) {
        utFrictionDef def = ut_friction_sample(i);
        utArena whole = test_arena();
        utArena keep = whole;
        make(&def, &keep);
        keep = ut_arena_on(whole.next, (size_t)(keep.next - whole.next));
        utFrictionProblem problem = make(&def, &keep);
        CHECK(masses_are_good(&problem));
        CHECK(entries_are_good(&problem));
        most = problem.contacts > most ? problem.contacts : most;
        heavy += def.ratio == 1e6;
        pushed += ut_vec3_norm(def.push) > 0.0;
        rough += def.mu_max == 2.0;
        hash = hash_of(&problem, hash);
    }
    CHECK(most > 500 && heavy > 200 && pushed > 1500 && rough > 500);
    CHECK(hash == UINT64_C(0xec98aa1d5dc6f751));
    test_note("largest problem: %d contacts; hash %016llx", most, (unsigned long long)hash);
}

TEST(the_same_seed_gives_the_same_bits_and_another_one_others)
{
    for (int scene = 0; scene < UT_FRICTION_SCENE_COUNT; scene++) {
        utArena keep = test_arena();
        utFrictionDef def = ut_friction_def((utFrictionScene)scene);
        def.mu_max = 2.0;
        utFrictionProblem first = make(&def, &keep);
        utFrictionProblem again = make(&def, &keep);
        def.seed = 1;
        utFrictionProblem other = make(&def, &keep);
        CHECK(hash_of(&first, UT_HASH_START) == hash_of(&again, UT_HASH_START));
        // a ramp is the same whatever the seed
        bool equal = hash_of(&first, UT_HASH_START) == hash_of(&other, UT_HASH_START);
        CHECK(equal == (scene == UT_FRICTION_RAMP));
    }
}

// ---- by bodies ----------------------------------------------------------------------------------

// The entry of J that the blocks hold for row `k` of group `g`, 0 where it touches no such node.
static double block_entry(const utFrictionProblem* problem, int g, int k, int column)
{
    const utCoulombBlocks* blocks = problem->blocks;
    const double* J = blocks->J;
    for (int h = 0; h <= g; h++) {
        const int rows = h < problem->contacts ? 3 : 1;
        for (int t = blocks->first[h]; t < blocks->first[h + 1]; t++, J += 6 * rows) {
            if (h == g && blocks->node[t] == column / 6) {
                return J[6 * k + column % 6];
            }
        }
    }
    return 0.0;
}

TEST(blocks_hold_the_entries_of_the_dense_matrices)
{
    const utSection circle = ut_section_circle();
    for (int scene = 0; scene < UT_FRICTION_SCENE_COUNT; scene++) {
        utArena keep = test_arena();
        utFrictionDef def = ut_friction_def((utFrictionScene)scene);
        def.count = 4;
        def.rows = 2;
        utFrictionProblem p = make(&def, &keep);
        const utCoulombBlocks* blocks = p.blocks;
        CHECK_INT(blocks->nodes, p.bodies);
        bool equal = true;
        for (int i = 0; i < p.dof * p.dof; i++) {
            const int row = i / p.dof, column = i % p.dof, body = row / 6;
            const double entry = blocks->M[36 * body + row % 6 * 6 + column % 6];
            equal = equal && p.M[i] == (column / 6 == body ? entry : 0.0);
        }
        for (int row = 0; row < p.rows; row++) {
            const bool contact = row < 3 * p.contacts;
            const int g = contact ? row / 3 : row - 2 * p.contacts;
            for (int j = 0; j < p.dof; j++) {
                equal = equal && J_at(&p, row, j) == block_entry(&p, g, contact ? row % 3 : 0, j);
            }
        }
        CHECK(equal);
        const utCoulomb by_bodies = ut_friction_blocks(&p, &circle);
        CHECK_INT(ut_coulomb_check(&by_bodies, NULL), UT_OK);
        CHECK(by_bodies.M == NULL && by_bodies.J == NULL && by_bodies.blocks == blocks);
        const utCoulomb dense = ut_friction_coulomb(&p, &circle);
        CHECK(dense.M == p.M && dense.J == p.J && dense.blocks == NULL);
    }
}

// 10,000 cubes would need 10^10 entries of J: by bodies they need 40 MB.
TEST(a_sparse_problem_has_the_same_blocks_and_no_matrices)
{
    const utSection circle = ut_section_circle();
    utArena keep = test_arena();
    utFrictionDef def = ut_friction_def(UT_FRICTION_CHAIN);
    utFrictionProblem dense = make(&def, &keep);
    def.sparse = true;
    utFrictionProblem sparse = make(&def, &keep);
    CHECK(sparse.M == NULL && sparse.J == NULL);
    CHECK_INT(sparse.blocks->first[sparse.contacts + sparse.bilaterals],
              dense.blocks->first[dense.contacts + dense.bilaterals]);
    CHECK(memcmp(sparse.blocks->M, dense.blocks->M, (size_t)dense.dof * 6 * sizeof(double)) == 0);
    CHECK(memcmp(sparse.blocks->J, dense.blocks->J,
                 (size_t)(3 * 6 * dense.contacts + 12 * dense.bilaterals) * sizeof(double)) == 0);
    CHECK(ut_friction_coulomb(&sparse, &circle).blocks == sparse.blocks);

    utArena room = test_arena();
    const unsigned char* before = room.next;
    utFrictionDef tall = ut_friction_def(UT_FRICTION_STACK);
    tall.count = 10000;
    tall.sparse = true;
    utFrictionProblem problem = make(&tall, &room);
    CHECK(room.next - before < 60 << 20);
    const utCoulomb coulomb = ut_friction_coulomb(&problem, &circle);
    CHECK_INT(ut_coulomb_check(&coulomb, NULL), UT_OK);
    CHECK_INT(problem.contacts, 40000);
}

// ---- bad settings -------------------------------------------------------------------------------

static void check_refused(utFrictionDef def, utStatus want, size_t room)
{
    utArena whole = test_arena();
    utArena keep = ut_arena_on(whole.next, room);
    utArena before = keep;
    utFrictionProblem problem = {.dof = 77};
    CHECK(ut_friction_create(&def, &keep, &problem) == want);
    CHECK(problem.dof == 77 && keep.next == before.next && keep.end == before.end);
}

TEST(bad_settings_and_small_arenas_are_refused)
{
    const size_t room = 1 << 20;
    utFrictionDef good = ut_friction_def(UT_FRICTION_STACK);
    check_refused(good, UT_ERR_CAPACITY, 0);
    check_refused(good, UT_ERR_CAPACITY, 8000);
    utFrictionDef def = good;
    def.cookie = 0;
    check_refused(def, UT_ERR_DEF, room);
    def = good;
    def.scene = UT_FRICTION_SCENE_COUNT;
    check_refused(def, UT_ERR_DEF, room);
    def = good;
    def.count = 0;
    check_refused(def, UT_ERR_DEF, room);
    def = good;
    def.rows = 101;
    def.columns = 100;
    check_refused(def, UT_ERR_DEF, room);
    def = good;
    def.balls = 4;
    check_refused(def, UT_ERR_DEF, room);

    double* const fields[] = {&def.size,   &def.mass, &def.ratio,    &def.mu_min, &def.mu_max,
                              &def.smooth, &def.gap,  &def.jitter,   &def.h,      &def.g,
                              &def.press,  &def.turn, &def.fraction, &def.loops,  &def.push.y};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
        def = good;
        *fields[k] = (double)NAN;
        check_refused(def, UT_ERR_DEF, room);
        *fields[k] = (double)INFINITY;
        check_refused(def, UT_ERR_DEF, room);
    }
    CHECK_TEXT(ut_friction_scene_name(UT_FRICTION_GRASP), "grasp");
    CHECK_TEXT(ut_friction_scene_name(UT_FRICTION_SCENE_COUNT), "unknown");
}
