// SPDX-License-Identifier: Apache-2.0
// Impacts integrated by the certificate: against closed forms, and against the impact module.
#include <uptack/impact.h>

#include "certificate/laws/follow.h"
#include "scene.h"

static FollowCase of_impact(const utImpact* impact)
{
    FollowCase c = {.mu = impact->mu, .e = impact->e, .law = (FollowLaw)impact->law};
    const int n = impact->dimension;
    for (int i = 0; i < n; i++) {
        c.u[i] = impact->u[i];
        for (int j = 0; j < n; j++) {
            c.K[i][j] = impact->K[i * n + j];
        }
    }
    return c;
}

// The difference of two impulses over the largest one.
static double apart(const utImpact* impact)
{
    const FollowCase c = of_impact(impact);
    double r[3], compression[3];
    utImpactResult result;
    CHECK_INT(ut_impact_solve(impact, &result, NULL), UT_OK);
    CHECK_INT(result.outcome, UT_IMPACT_DONE);
    if (!CHECK(ut_certify_follow(&c, r, compression))) {
        return HUGE_VAL;
    }
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fabs(r[k] - result.r[k]));
        most = fmax(most, fabs(compression[k] - result.r_compression[k]));
    }
    const double size = sqrt(result.r[0] * result.r[0] + result.r[1] * result.r[1]);
    return most / size;
}

TEST(laws_have_the_same_numbers)
{
    CHECK_INT((int)FOLLOW_NEWTON, (int)UT_IMPACT_NEWTON);
    CHECK_INT((int)FOLLOW_POISSON, (int)UT_IMPACT_POISSON);
    CHECK_INT((int)FOLLOW_STRONGE, (int)UT_IMPACT_STRONGE);
    CHECK_INT((int)FOLLOW_COUNT, (int)UT_IMPACT_LAW_COUNT);
}

// A solid ball of 2 kg has K = diag(1, 7/2, 7/2) / m: normal and tangent are uncoupled, so
// all laws agree. It slips throughout when mu (1 + e) |u_n| < 2/7 |u_t|; else it sticks
// with r_t = -2/7 m u_t.
TEST(balls_bounce_as_the_closed_form_says)
{
    for (int law = 0; law < FOLLOW_COUNT; law++) {
        for (int sticks = 0; sticks < 2; sticks++) {
            FollowCase c = {.u = {-3.0, sticks ? 0.6 : 6.0, sticks ? -0.8 : -8.0},
                            .mu = 0.25,
                            .e = 0.5,
                            .law = (FollowLaw)law};
            c.K[0][0] = 0.5;
            c.K[1][1] = c.K[2][2] = 1.75;
            double r[3], compression[3];
            CHECK(ut_certify_follow(&c, r, compression));
            const double t = sticks ? 2.0 * 2.0 / 7.0 : 0.25 * 9.0;
            CHECK_NEAR(r[0], 9.0, 1e-13);
            CHECK_NEAR(r[1], -0.6 * t, 1e-13);
            CHECK_NEAR(r[2], 0.8 * t, 1e-13);
            CHECK_NEAR(compression[0], 6.0, 1e-13);
            CHECK_NEAR(compression[1], sticks ? r[1] : -0.6 * 1.5, 1e-13);
        }
    }
}

// K = A A^T + 0.1 has the form of any tree's K. Both methods are exact to rounding; slip that
// almost stops and then turns magnifies rounding by about 1e3.
TEST(both_integrations_agree)
{
    utRng rng = ut_rng(7, 3);
    double worst = 0.0;
    for (int n = 0; n < 3000; n++) {
        double A[3][3];
        utImpact impact = {.dimension = n % 4 == 0 ? 2 : 3,
                           .mu = ut_rng_range(&rng, 0.0, 1.2),
                           .e = n % 7 == 0 ? 0.0 : ut_rng_range(&rng, 0.0, 1.0),
                           .law = (utImpactLaw)(n % 3)};
        const int d = impact.dimension;
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                A[i][j] = ut_rng_range(&rng, -1.0, 1.0);
            }
            impact.u[i] = i == 0 ? -ut_rng_range(&rng, 0.1, 3.0) : ut_rng_range(&rng, -3.0, 3.0);
        }
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                double sum = i == j ? 0.1 : 0.0;
                for (int k = 0; k < d; k++) {
                    sum += A[i][k] * A[j][k];
                }
                impact.K[i * d + j] = sum;
            }
        }
        if (n % 11 == 0) {
            impact.u[1] = impact.u[2] = 0.0;
        }
        const double off = apart(&impact);
        if (!CHECK(off <= 1e-10)) {
            test_note("case %d: %g", n, off);
        }
        worst = fmax(worst, off);
    }
    test_note("at most %.1e of the impulse apart", worst);
}

TEST(a_contact_that_does_not_close_is_rejected)
{
    FollowCase c = {.u = {0.0, 1.0, 0.0}, .mu = 0.5, .e = 0.5};
    double r[3], compression[3];
    c.K[0][0] = c.K[1][1] = c.K[2][2] = 1.0;
    CHECK(!ut_certify_follow(&c, r, compression));
    c.u[0] = -1.0;
    c.K[0][0] = 0.0;
    CHECK(!ut_certify_follow(&c, r, compression));
    c.K[0][0] = (double)NAN;
    CHECK(!ut_certify_follow(&c, r, compression));
    c.K[0][0] = 1.0;
    c.K[1][1] = (double)NAN;
    CHECK(!ut_certify_follow(&c, r, compression));
}
