// SPDX-License-Identifier: Apache-2.0
// SimBenchmark's rolling scene as one step from rest: a slab on the ground, 25 balls on the slab, a
// force on the slab. By hand: the ground takes mu N = 0.4 (10 + 25) 9.81 N; a ball rolls with a_b =
// f and a contact point of the slab's acceleration a = f + (5/2) f, so f = 2a/7; and 150 - 137.34 -
// 25 (2a/7) = 10 a, so a = 0.7385 and a_b = 0.211 m/s^2, in whatever direction the force points.
#include "test.h"

#include <math.h>
#include <string.h>
#include <uptack/coulomb.h>
#include <uptack/lcp.h>

enum { BALLS = 25, BODIES = BALLS + 1, CONTACTS = BALLS + 4, DOF = 6 * BODIES, N = 3 * CONTACTS };

static const double H = 0.01, G = 9.81, FORCE = 150.0, SLAB = 10.0, BALL = 1.0, RADIUS = 0.5;
static const double ACCELERATION = (150.0 - 0.4 * 35.0 * 9.81) / (10.0 + 25.0 * 2.0 / 7.0);

static double M[DOF * DOF], J[N * DOF], f[DOF], b[N], mu[CONTACTS];

// The velocity of the point at `arm` from the centre of a body, along x, y and z, times sign.
static void add_point(int body, const double arm[3], double sign, double* rows)
{
    // rows n, t1, t2 are the world's z, x, y; the angular part is arm x direction
    static const int axis[3] = {2, 0, 1};
    for (int r = 0; r < 3; r++) {
        double* row = rows + r * DOF + 6 * body;
        const int k = axis[r];
        row[k] += sign;
        row[3 + (k + 1) % 3] += sign * arm[(k + 2) % 3];
        row[3 + (k + 2) % 3] -= sign * arm[(k + 1) % 3];
    }
}

static void build(double heading)
{
    memset(M, 0, sizeof M);
    memset(J, 0, sizeof J);
    memset(b, 0, sizeof b);
    for (int body = 0; body < BODIES; body++) {
        // the slab is 20 x 20 x 1 m, the balls are solid
        const double mass = body == 0 ? SLAB : BALL;
        const double round = 0.4 * BALL * RADIUS * RADIUS;
        const double inertia[3] = {body == 0 ? SLAB * (400.0 + 1.0) / 12.0 : round,
                                   body == 0 ? SLAB * (400.0 + 1.0) / 12.0 : round,
                                   body == 0 ? SLAB * 800.0 / 12.0 : round};
        for (int k = 0; k < 3; k++) {
            M[(6 * body + k) * DOF + 6 * body + k] = mass;
            M[(6 * body + 3 + k) * DOF + 6 * body + 3 + k] = inertia[k];
            f[6 * body + k] = k == 2 ? -H * G * mass : 0.0;
            f[6 * body + 3 + k] = 0.0;
        }
    }
    f[0] = H * FORCE * cos(heading);
    f[1] = H * FORCE * sin(heading);
    for (int c = 0; c < 4; c++) {
        const double corner[3] = {c % 2 == 0 ? 10.0 : -10.0, c < 2 ? 10.0 : -10.0, -0.5};
        add_point(0, corner, 1.0, J + 3 * c * DOF);
        mu[c] = 0.4;
    }
    for (int k = 0; k < BALLS; k++) {
        const double below[3] = {2.0 * (k % 5 - 2), 2.0 * (k / 5 - 2), 0.5};
        const double down[3] = {0.0, 0.0, -RADIUS};
        double* rows = J + 3 * (4 + k) * DOF;
        add_point(1 + k, down, 1.0, rows);
        add_point(0, below, -1.0, rows);
        mu[4 + k] = 0.8;
    }
}

// v = M^-1 (f + J'r), M being diagonal
static void velocities(const double* r, double* v)
{
    for (int d = 0; d < DOF; d++) {
        double sum = f[d];
        for (int i = 0; i < N; i++) {
            sum += J[i * DOF + d] * r[i];
        }
        v[d] = sum / M[d * DOF + d];
    }
}

// speeds are of order 1e-2 m/s, solved to 1e-9 of V = 0.15 m/s and spread over 29 contacts
static const double ERROR = 1e-8;

static void check_motion(const double* v, double heading, double a)
{
    for (int body = 0; body < BODIES; body++) {
        const double speed = (body == 0 ? 1.0 : 2.0 / 7.0) * a * H;
        CHECK_NEAR(v[6 * body], speed * cos(heading), ERROR);
        CHECK_NEAR(v[6 * body + 1], speed * sin(heading), ERROR);
        CHECK_NEAR(v[6 * body + 2], 0.0, ERROR);
    }
}

TEST(balls_roll_on_a_pushed_slab_as_the_closed_form_says_in_every_direction)
{
    CHECK_NEAR(ACCELERATION, 0.7385, 5e-5);
    CHECK_NEAR(2.0 / 7.0 * ACCELERATION, 0.211, 5e-5);
    const utSection circle = ut_section_circle();
    const utCoulomb problem = {.dimension = 3,
                               .contacts = CONTACTS,
                               .mu = mu,
                               .section = &circle,
                               .dof = DOF,
                               .M = M,
                               .f = f,
                               .J = J,
                               .b = b};
    utCoulombDef def = ut_coulomb_def();
    def.tolerance = 1e-9;
    for (int k = 0; k < 4; k++) {
        const double heading = k * 0.349065850398865915; // 20 degrees; 60 is the known trap
        double r[N], v[DOF];
        utCoulombInfo info;
        build(heading);
        CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, test_arena(), r, &info), UT_OK);
        CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
        velocities(r, v);
        check_motion(v, heading, ACCELERATION);
    }
}

// A box of friction bounds holds 137.34 N along x and along y at once: at 60 degrees neither 75 nor
// 129.9 N moves the slab, at 0 degrees it moves as it should.
TEST(a_box_of_friction_bounds_holds_the_slab_at_sixty_degrees)
{
    static double W[N * N], q[N], lo[N], hi[N];
    static int findex[N];
    for (int k = 0; k < 2; k++) {
        const double heading = k * 1.04719755119659775;
        build(heading);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                double sum = 0.0;
                for (int d = 0; d < DOF; d++) {
                    sum += J[i * DOF + d] * J[j * DOF + d] / M[d * DOF + d];
                }
                W[i * N + j] = sum;
            }
            q[i] = 0.0;
            for (int d = 0; d < DOF; d++) {
                q[i] += J[i * DOF + d] * f[d] / M[d * DOF + d];
            }
            const bool normal = i % 3 == 0;
            lo[i] = normal ? 0.0 : -mu[i / 3];
            hi[i] = normal ? (double)INFINITY : mu[i / 3];
            findex[i] = normal ? -1 : i / 3 * 3;
        }
        const utLcp lcp = {.n = N, .M = W, .q = q, .lo = lo, .hi = hi, .findex = findex};
        double r[N], v[DOF];
        utLcpInfo info;
        const utLcpDef def = ut_lcp_def();
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, test_arena(), r, &info), UT_OK);
        CHECK_INT(info.outcome, UT_LCP_SOLVED);
        velocities(r, v);
        check_motion(v, heading, k == 0 ? ACCELERATION : 0.0);
    }
}
