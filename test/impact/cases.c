// SPDX-License-Identifier: Apache-2.0
#include "cases.h"

#include <string.h>

utImpact impact_ball(double m, double u_n, double u_1, double u_2)
{
    return (utImpact){
        .dimension = 3,
        .K = {1 / m, 0, 0, 0, 3.5 / m, 0, 0, 0, 3.5 / m},
        .u = {u_n, u_1, u_2},
    };
}

// End at (x, y) from the centre, I = 1/12: K_nn = 1 + 12 x^2, K_tt = 1 + 12 y^2, K_nt = -12 x y.
utImpact impact_rod(double angle, double side, double u_n, double u_t)
{
    const double x = 0.5 * side * cos(angle), y = -0.5 * sin(angle);
    return (utImpact){
        .dimension = 2,
        .K = {1 + 12 * x * x, -12 * x * y, -12 * x * y, 1 + 12 * y * y},
        .u = {u_n, u_t},
    };
}

// a random rotation: the columns of a unit quaternion's matrix
static void random_rotation(utRng* rng, double R[3][3])
{
    double q[4], size = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = ut_rng_normal(rng);
        size += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) {
        q[i] /= sqrt(size);
    }
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double M[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
    };
    memcpy(R, M, sizeof M);
}

// K = 1/m + X^T I^-1 X, where X has the columns r x e_j; the world axes are (n, t1, t2).
utImpact impact_box_corner(utRng* rng)
{
    double R[3][3], half[3], inverse[3], r[3];
    random_rotation(rng, R);
    for (int i = 0; i < 3; i++) {
        half[i] = ut_rng_range(rng, 0.1, 1.0);
    }
    for (int i = 0; i < 3; i++) {
        const double a = half[(i + 1) % 3], b = half[(i + 2) % 3];
        inverse[i] = 3 / (a * a + b * b);
    }
    for (int i = 0; i < 3; i++) {
        r[i] = R[i][0] * half[0] + R[i][1] * half[1] + R[i][2] * half[2];
    }
    utImpact impact = {.dimension = 3, .mu = ut_rng_range(rng, 0, 1.5), .e = ut_rng_uniform(rng)};
    double X[3][3]; // column j: r x e_j in the body's axes
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        const double c[3] = {r[1] * e[2] - r[2] * e[1], r[2] * e[0] - r[0] * e[2],
                             r[0] * e[1] - r[1] * e[0]};
        for (int i = 0; i < 3; i++) {
            X[i][j] = R[0][i] * c[0] + R[1][i] * c[1] + R[2][i] * c[2];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = i == j;
            for (int k = 0; k < 3; k++) {
                sum += X[k][i] * inverse[k] * X[k][j];
            }
            impact.K[3 * i + j] = sum;
        }
    }
    impact.u[0] = -ut_rng_range(rng, 0.05, 2);
    impact.u[1] = 2 * ut_rng_normal(rng);
    impact.u[2] = 2 * ut_rng_normal(rng);
    return impact;
}

utImpact impact_random(utRng* rng)
{
    double A[3][3];
    for (int i = 0; i < 9; i++) {
        A[i / 3][i % 3] = ut_rng_normal(rng);
    }
    utImpact impact = {.dimension = 3, .mu = ut_rng_range(rng, 0, 1.2), .e = ut_rng_uniform(rng)};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            impact.K[3 * i + j] =
                0.1 * (i == j) + A[i][0] * A[j][0] + A[i][1] * A[j][1] + A[i][2] * A[j][2];
        }
        impact.u[i] = ut_rng_normal(rng);
    }
    impact.u[0] = -fabs(impact.u[0]) - 0.1;
    return impact;
}

utImpactResult impact_solved(const utImpact* impact)
{
    utImpactResult result = {0};
    utError err = {0};
    if (!CHECK(ut_impact_solve(impact, &result, &err) == UT_OK)) {
        test_note("%s", err.message);
    }
    return result;
}
