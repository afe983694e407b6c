// SPDX-License-Identifier: Apache-2.0
// Errors of an impulse and a velocity under the friction law. Letters as in uptack/law.h.
#include "circle.h"

// How far factor k of r is beyond its bound; negative within it.
static double factor_excess(const utLaw* law, int k, const double* r)
{
    const double size = law->section->kind == UT_SECTION_PRODUCT
                            ? factor_length(law->section, k, r + 1)
                            : ut_section_gauge(law->section, r + 1);
    return size - ut_law_coefficient(law, k) * r[0];
}

// ut_law_excess, which the compiler may not inline because it is public.
static inline double excess_of(const utLaw* law, const double* r)
{
    if (law_is_circle(law)) {
        const double beyond = circle_length2(r + 1) - law->mu * r[0];
        if (isfinite(beyond)) {
            const double worst = beyond > -r[0] ? beyond : -r[0];
            return worst > 0.0 ? worst : 0.0;
        }
    }
    if (!law_usable(law) || !all_finite(law->section->dimension, r)) {
        return HUGE_VAL;
    }
    double worst = -r[0];
    for (int k = 0; k < law->section->factors; k++) {
        const double beyond = factor_excess(law, k, r);
        worst = beyond > worst ? beyond : worst;
    }
    return worst > 0.0 ? worst : 0.0;
}

double ut_law_excess(const utLaw* law, const double* r)
{
    return excess_of(law, r);
}

double ut_law_violation(const utLaw* law, double m, double V, const double* r)
{
    const double excess = excess_of(law, r);
    if (!(excess <= DBL_MAX) || r[0] < 0.0 || !(m > 0.0 && m <= DBL_MAX) ||
        !(V >= 0.0 && V <= DBL_MAX)) {
        return HUGE_VAL;
    }
    double worst = 0.0;
    for (int k = 0; excess > 0.0 && k < law->section->factors; k++) {
        const double beyond = factor_excess(law, k, r);
        const double size = ut_law_coefficient(law, k) * r[0] + m * V;
        const double relative = !(beyond > 0.0) ? 0.0 : size > 0.0 ? beyond / size : HUGE_VAL;
        worst = relative > worst ? relative : worst;
    }
    return worst;
}

// mu h_P(-u_t), also for a convex law, whose shift is 0
static double slip_bound(const utLaw* law, const double* u)
{
    if (!law_usable(law) || !all_finite(law->section->dimension - 1, u + 1)) {
        return HUGE_VAL;
    }
    if (law->section->kind == UT_SECTION_PRODUCT) {
        double sum = 0.0;
        for (int k = 0; k < law->section->factors; k++) {
            sum += ut_law_coefficient(law, k) * factor_length(law->section, k, u + 1);
        }
        return sum <= DBL_MAX ? sum : HUGE_VAL;
    }
    const double opposite[2] = {-u[1], law->section->dimension == 3 ? -u[2] : 0.0};
    const double support = ut_section_support(law->section, opposite);
    return support <= DBL_MAX ? law->mu * support : HUGE_VAL;
}

double ut_law_dual_excess(const utLaw* law, const double* u)
{
    const double bound = slip_bound(law, u);
    if (!(bound <= DBL_MAX) || !isfinite(u[0])) {
        return HUGE_VAL;
    }
    return bound > u[0] ? bound - u[0] : 0.0;
}

double ut_law_shift(const utLaw* law, const double* u)
{
    if (law_is_circle(law)) {
        const double quick = law->mu * circle_length2(u + 1);
        if (isfinite(quick)) {
            return law->convex ? 0.0 : quick;
        }
    }
    const double bound = slip_bound(law, u);
    return bound <= DBL_MAX && law->convex ? 0.0 : bound;
}

void ut_law_shifted(const utLaw* law, const double* u, double* u_hat)
{
    const double shift = ut_law_shift(law, u);
    for (int i = 0; i < dimension_of(law->section); i++) {
        u_hat[i] = i == 0 ? u[i] + shift : u[i];
    }
}

double ut_law_error(const utLaw* law, double m, const double* r, const double* u)
{
    if (!law_usable(law) || !(m > 0.0 && m <= DBL_MAX)) {
        return HUGE_VAL;
    }
    if (law_is_circle(law)) {
        const double quick = circle_error(law, m, r, u);
        if (!isnan(quick)) {
            return quick;
        }
    }
    const int n = law->section->dimension;
    double u_hat[UT_LAW_MAX_DIMENSION], x[UT_LAW_MAX_DIMENSION];
    ut_law_shifted(law, u, u_hat);
    for (int i = 0; i < n; i++) {
        x[i] = r[i] - m * u_hat[i];
    }
    double p[UT_LAW_MAX_DIMENSION];
    const utLawRegion region = ut_law_project(law, x, p);
    if (region == UT_LAW_INSIDE) {
        return length(n, u_hat);
    }
    // An invalid projection is NaN and fails the test below. A factor of a product within its bound is
    // treated as a point inside K.
    const bool product = law->section->kind == UT_SECTION_PRODUCT;
    for (int i = 0; i < n; i++) {
        x[i] = product && i > 0 && p[i] == x[i] ? m * u_hat[i] : r[i] - p[i];
    }
    return all_finite(n, x) ? length(n, x) / m : HUGE_VAL;
}

double ut_law_error_degenerate(const utLaw* law, const double* u)
{
    if (!law_usable(law)) {
        return HUGE_VAL;
    }
    double u_hat[UT_LAW_MAX_DIMENSION];
    ut_law_shifted(law, u, u_hat);
    return ut_law_dual_distance(law, u_hat);
}

double ut_law_row_error(double m, double lo, double hi, double r, double u)
{
    const double x = r - m * u;
    if (!(m > 0.0 && m <= DBL_MAX) || !(lo <= hi) || !isfinite(x) || !isfinite(u)) {
        return HUGE_VAL;
    }
    return x < lo ? fabs(r - lo) / m : x > hi ? fabs(r - hi) / m : fabs(u);
}
