// SPDX-License-Identifier: Apache-2.0
// Products of sections: torsional and rolling friction. A second implementation in long double finds the
// projection by bisection of the derivative of the distance over r_n.
#include "cases.h"

enum { POINTS = 20000, FACTORS = 3 };

static const int BEGIN[FACTORS] = {1, 3, 4}, END[FACTORS] = {3, 4, 6};

// |x_k| of a factor
static long double reference_length(int k, const double* x)
{
    long double sum = 0.0L;
    for (int i = BEGIN[k]; i < END[k]; i++) {
        sum += (long double)x[i] * (long double)x[i];
    }
    return sqrtl(sum);
}

// Half of the derivative of |x - p|^2 over p_n, where the other entries of p are nearest to x.
static long double slope(const utLaw* law, int factors, const double* x, long double p_n)
{
    long double sum = p_n - (long double)x[0];
    for (int k = 0; k < factors; k++) {
        const long double c = (long double)ut_law_coefficient(law, k);
        const long double beyond = reference_length(k, x) - c * p_n;
        sum -= c * (beyond > 0.0L ? beyond : 0.0L);
    }
    return sum;
}

static void nearest_point(const utLaw* law, int factors, const double* x, long double* p)
{
    long double low = 0.0L, high = 0.0L;
    for (int i = 0; i < law->section->dimension; i++) {
        high += (1.0L + (long double)(law->mu + law->torsional + law->rolling)) *
                (long double)fabs(x[i]);
    }
    for (int k = 0; k < 200; k++) {
        const long double middle = 0.5L * (low + high);
        *(slope(law, factors, x, middle) < 0.0L ? &low : &high) = middle;
    }
    p[0] = low > 0.0L ? 0.5L * (low + high) : 0.0L;
    for (int k = 0; k < factors; k++) {
        const long double size = reference_length(k, x);
        const long double bound = (long double)ut_law_coefficient(law, k) * p[0];
        for (int i = BEGIN[k]; i < END[k]; i++) {
            p[i] = size > bound ? (long double)x[i] * (bound / size) : (long double)x[i];
        }
    }
}

static double random_coefficient(utRng* rng)
{
    static const double cases[] = {0.0, 1e-3, 0.05, 0.6, 2.0};
    return cases[ut_rng_below(rng, 5)];
}

static utLaw random_law(utRng* rng, const utSection* section)
{
    return (utLaw){
        .section = section,
        .mu = random_coefficient(rng),
        .torsional = random_coefficient(rng),
        .rolling = section->dimension == 6 ? random_coefficient(rng) : 0.0,
    };
}

static void random_vector(utRng* rng, int n, double* x)
{
    const double tilt = ut_rng_range(rng, -1.0, 1.0);
    for (int i = 0; i < n; i++) {
        // some factors are much smaller than others
        x[i] = ut_rng_range(rng, -1.0, 1.0) * (ut_rng_below(rng, 3) == 0 ? 0.01 : 1.0);
    }
    x[0] = tilt;
}

TEST(the_projection_on_a_product_is_the_nearest_point)
{
    utRng rng = ut_rng(91, 0);
    const utSection sections[2] = {ut_section_torsional(), ut_section_rolling()};
    int regions[UT_LAW_INVALID + 1] = {0};
    double worst = 0.0;
    for (int k = 0; k < POINTS; k++) {
        const utSection* section = &sections[k % 2];
        const int n = section->dimension;
        const utLaw law = random_law(&rng, section);
        double x[6], p[6];
        long double want[6];
        random_vector(&rng, n, x);
        regions[ut_law_project(&law, x, p)]++;
        nearest_point(&law, section->factors, x, want);
        for (int i = 0; i < n; i++) {
            worst = fmax(worst, fabs(p[i] - (double)want[i]) / norm(n, x));
        }
        // p is in K but for rounding, and again its own projection
        CHECK(ut_law_excess(&law, p) <= 4e-16 * norm(n, x));
    }
    // sums of up to six squares and a quotient: a few roundings
    CHECK(worst <= 2e-15);
    test_note("largest difference %.1e; inside %d, face %d, open %d", worst, regions[UT_LAW_INSIDE],
              regions[UT_LAW_FACE], regions[UT_LAW_OPEN]);
    CHECK(regions[UT_LAW_INSIDE] > 100 && regions[UT_LAW_FACE] > 100 && regions[UT_LAW_OPEN] > 100);
}

// Moreau: x = P_K(x) - P_K*(-x), and the two parts are orthogonal.
TEST(cone_and_dual_cone_of_a_product_split_every_point)
{
    utRng rng = ut_rng(92, 0);
    const utSection section = ut_section_rolling();
    for (int k = 0; k < 2000; k++) {
        const utLaw law = random_law(&rng, &section);
        double x[6], p[6], q[6], opposite[6];
        random_vector(&rng, 6, x);
        for (int i = 0; i < 6; i++) {
            opposite[i] = -x[i];
        }
        ut_law_project(&law, x, p);
        ut_law_project_dual(&law, opposite, q);
        CHECK(ut_law_dual_excess(&law, q) <= 2e-15 * norm(6, x) * (1.0 + law.mu + law.rolling));
        CHECK_NEAR(dot(6, p, q), 0.0, 4e-15 * dot(6, x, x));
        CHECK_NEAR(ut_law_dual_distance(&law, opposite), norm(6, p), 1e-15);
    }
}

// Away from the borders of the regions the derivative is that of central differences, whose error is
// the third derivative times step^2 / 6, and rounding over step.
TEST(the_derivative_on_a_product_is_that_of_differences)
{
    utRng rng = ut_rng(93, 0);
    const utSection sections[2] = {ut_section_torsional(), ut_section_rolling()};
    const double step = 1e-5;
    int compared = 0;
    for (int k = 0; k < 2000; k++) {
        const utSection* section = &sections[k % 2];
        const int n = section->dimension;
        const utLaw law = random_law(&rng, section);
        double x[6], p[6], D[36], low[6], high[6];
        for (int i = 0; i < n; i++) {
            x[i] = ut_rng_range(&rng, 0.2, 1.0) * (ut_rng_below(&rng, 2) == 0 ? -1.0 : 1.0);
        }
        ut_law_derivative(&law, x, p, D);
        for (int j = 0; j < n; j++) {
            double one[6], two[6];
            for (int i = 0; i < n; i++) {
                one[i] = x[i] - (i == j ? step : 0.0);
                two[i] = x[i] + (i == j ? step : 0.0);
            }
            // held factors must be the same on both sides
            bool border = false;
            double D1[36], D2[36];
            border =
                ut_law_derivative(&law, one, low, D1) != ut_law_derivative(&law, two, high, D2);
            for (int i = 0; i < n * n; i++) {
                border = border || fabs(D1[i] - D2[i]) > 1e-2;
            }
            for (int i = 0; !border && i < n; i++) {
                CHECK_NEAR(D[i * n + j], (high[i] - low[i]) / (2.0 * step), 1e-7);
                CHECK_NEAR(D[i * n + j], D[j * n + i], 1e-15);
                compared++;
            }
        }
    }
    CHECK(compared > 10000);
}

// By hand: all three motions slip, each impulse at its own bound and against its motion.
TEST(each_motion_has_its_own_bound)
{
    const utSection section = ut_section_rolling();
    const utLaw law = {.section = &section, .mu = 0.5, .torsional = 0.1, .rolling = 0.02};
    const double r[6] = {2.0, -0.6, -0.8, 0.2, 0.0, -0.04};
    const double u[6] = {0.0, 3.0, 4.0, -7.0, 0.0, 5.0};
    // s = 0.5 5 + 0.1 7 + 0.02 5
    CHECK_NEAR(ut_law_shift(&law, u), 3.3, 1e-15);
    CHECK_NEAR(ut_law_error(&law, 0.3, r, u), 0.0, 1e-14);
    CHECK(ut_law_violation(&law, 0.3, 1.0, r) <= 1e-15);
    // one bound exceeded by 0.01 N s of 0.2 + m V
    const double more[6] = {2.0, -0.6, -0.8, 0.21, 0.0, -0.04};
    CHECK_NEAR(ut_law_violation(&law, 0.3, 1.0, more), 0.01 / 0.5, 1e-12);
    // a torque that is too small while the contact spins
    const double less[6] = {2.0, -0.6, -0.8, 0.19, 0.0, -0.04};
    CHECK(ut_law_error(&law, 0.3, less, u) > 1e-3);
    // spin without slip: the torque alone is at its bound, the rest may be anything within
    const double spin_r[6] = {2.0, 0.3, -0.1, 0.2, 0.01, 0.02};
    const double spin_u[6] = {0.0, 0.0, 0.0, -7.0, 0.0, 0.0};
    CHECK_NEAR(ut_law_error(&law, 0.3, spin_r, spin_u), 0.0, 1e-14);
    // adhesion, and numbers that are none
    CHECK(ut_law_violation(&law, 0.3, 1.0, (double[]){-1, 0, 0, 0, 0, 0}) == HUGE_VAL);
    CHECK(ut_law_error(&law, 0.3, r, (double[]){0, 0, 0, (double)NAN, 0, 0}) == HUGE_VAL);
}

// With coefficients of 0 the law is that of the circle, whatever the angular velocities are.
TEST(without_coefficients_the_angular_rows_have_no_say)
{
    utRng rng = ut_rng(94, 0);
    const utSection section = ut_section_rolling(), circle = ut_section_circle();
    for (int k = 0; k < 500; k++) {
        const double mu = random_coefficient(&rng);
        const utLaw law = {.section = &section, .mu = mu};
        const utLaw flat = {.section = &circle, .mu = mu};
        double r[6] = {0.0}, u[6];
        random_vector(&rng, 3, r);
        random_vector(&rng, 6, u);
        CHECK_NEAR(ut_law_error(&law, 0.7, r, u), ut_law_error(&flat, 0.7, r, u), 4e-15);
        CHECK_NEAR(ut_law_shift(&law, u), ut_law_shift(&flat, u), 0.0);
    }
}
