// SPDX-License-Identifier: Apache-2.0
// Errors of an impulse and a velocity under the friction law. Letters as in uptack/law.h.
#include "internal.h"

double ut_law_excess(const utLaw* law, const double* r)
{
    if (!law_usable(law) || !all_finite(law->section->dimension, r)) {
        return HUGE_VAL;
    }
    const double beyond = ut_section_gauge(law->section, r + 1) - law->mu * r[0];
    const double pull = -r[0];
    const double worst = beyond > pull ? beyond : pull;
    return worst > 0.0 ? worst : 0.0;
}

double ut_law_violation(const utLaw* law, double m, double V, const double* r)
{
    const double excess = ut_law_excess(law, r);
    if (!(excess <= DBL_MAX) || r[0] < 0.0 || !(m > 0.0 && m <= DBL_MAX) ||
        !(V >= 0.0 && V <= DBL_MAX)) {
        return HUGE_VAL;
    }
    const double size = law->mu * r[0] + m * V;
    return excess == 0.0 ? 0.0 : size > 0.0 ? excess / size : HUGE_VAL;
}

// mu h_P(-u_t), also for a convex law, whose shift is 0
static double slip_bound(const utLaw* law, const double* u)
{
    if (!law_usable(law) || !all_finite(law->section->dimension - 1, u + 1)) {
        return HUGE_VAL;
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
    const int n = law->section->dimension;
    double u_hat[3], x[3];
    ut_law_shifted(law, u, u_hat);
    for (int i = 0; i < n; i++) {
        x[i] = r[i] - m * u_hat[i];
    }
    const utLawRegion region = ut_law_project(law, x, x);
    if (region == UT_LAW_INSIDE) {
        return length(n, u_hat);
    }
    // an invalid projection is NaN and fails the test below
    for (int i = 0; i < n; i++) {
        x[i] = r[i] - x[i];
    }
    return all_finite(n, x) ? length(n, x) / m : HUGE_VAL;
}

double ut_law_error_degenerate(const utLaw* law, const double* u)
{
    if (!law_usable(law)) {
        return HUGE_VAL;
    }
    double u_hat[3];
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
