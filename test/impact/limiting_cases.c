// SPDX-License-Identifier: Apache-2.0
// Limiting cases: no friction, no or full restitution, grazing, singular K, invalid values.
#include "cases.h"

#include <string.h>

static const double nan_value = (double)NAN, infinite = (double)INFINITY;

// a contact whose slip turns
static utImpact turning(void)
{
    return (utImpact){
        .dimension = 3,
        .K = {2, 0.5, -0.3, 0.5, 3, 0.4, -0.3, 0.4, 1.5},
        .u = {-1, 0.6, 0.8},
        .mu = 0.4,
        .e = 0.5,
    };
}

// ---- no friction --------------------------------------------------------------------------------

// r = (1 + e) |u_n| / K_nn along the normal; u_t changes by K_tn r_n.
TEST(without_friction_the_impulse_is_normal_under_every_law)
{
    for (int k = 0; k < UT_IMPACT_LAW_COUNT; k++) {
        utImpact impact = turning();
        impact.mu = 0.0;
        impact.law = (utImpactLaw)k;
        const utImpactResult got = impact_solved(&impact);
        CHECK_NEAR(got.r[0], 0.75, 1e-15);
        CHECK(got.r[1] == 0.0 && got.r[2] == 0.0 && got.work_friction == 0.0);
        CHECK_NEAR(got.u[0], 0.5, 1e-15);
        CHECK_NEAR(got.u[1], 0.6 + 0.5 * 0.75, 1e-15);
        CHECK_NEAR(got.u[2], 0.8 - 0.3 * 0.75, 1e-15);
        CHECK_NEAR(got.u_compression[1], 0.85, 1e-15);
        CHECK_INT(got.span[0].state, UT_IMPACT_TURN);
        CHECK_NEAR(got.span[0].to[0], got.u[1] / hypot(got.u[1], got.u[2]), 1e-15);
        // without initial slip the contact leaves along K_tn
        impact.u[1] = impact.u[2] = 0.0;
        const utImpactResult still = impact_solved(&impact);
        CHECK_NEAR(still.r[0], 0.75, 1e-15);
        CHECK_NEAR(still.u[2] / still.u[1], -0.6, 1e-14);
        CHECK_INT(still.span[0].state, UT_IMPACT_REVERSE);
    }
}

// For mu -> 0 the result converges to that of mu = 0: the impulses differ by mu r_n and by the
// change of r_n that this causes, together by less than 2 mu.
TEST(little_friction_is_close_to_no_friction)
{
    utImpact none = turning(), little = turning();
    none.mu = 0.0;
    little.mu = 1e-9;
    const utImpactResult a = impact_solved(&none), b = impact_solved(&little);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(b.r[i], a.r[i], 2e-9);
        CHECK_NEAR(b.u[i], a.u[i], 6e-9);
    }
}

// ---- rest ---------------------------------------------------------------------------------------

// From rest: the impulse that keeps the contact at rest is K_tt^-1 K_tn r_n; here (0.5 1.5 + 0.3
// 0.4, -0.5 0.4 - 0.3 3)/4.34, of size 0.3229.
TEST(a_contact_at_rest_sticks_if_friction_can_hold_it)
{
    utImpact impact = turning();
    const double need[2] = {-0.87 / 4.34, 1.1 / 4.34}, size = hypot(need[0], need[1]);
    impact.u[1] = impact.u[2] = 0.0;
    impact.mu = size * (1 + 1e-12);
    const utImpactResult held = impact_solved(&impact);
    CHECK_INT(held.spans, 1);
    CHECK_INT(held.span[0].state, UT_IMPACT_STICK);
    CHECK_NEAR(held.r[1], need[0] * held.r[0], 1e-15);
    CHECK_NEAR(held.r[2], need[1] * held.r[0], 1e-15);
    CHECK(held.u[1] == 0.0 && held.u[2] == 0.0);
    // with a little less friction the contact slips slowly
    impact.mu = size * (1 - 1e-9);
    const utImpactResult slips = impact_solved(&impact);
    CHECK_INT(slips.span[0].state, UT_IMPACT_REVERSE);
    CHECK_NEAR(slips.r[0], held.r[0], 1e-8);
    CHECK_NEAR(hypot(slips.r[1], slips.r[2]), impact.mu * slips.r[0], 1e-15);
}

// Slip starts along s with a - mu k s = g s, g > 0, and stays on that line.
TEST(slip_starts_from_rest_along_a_constant_direction)
{
    utRng rng = ut_rng(29, 0);
    int left = 0;
    for (int i = 0; i < 300; i++) {
        utImpact impact = impact_random(&rng);
        impact.u[1] = impact.u[2] = 0.0;
        impact.mu *= 0.3;
        const utImpactResult got = impact_solved(&impact);
        if (got.span[0].state != UT_IMPACT_REVERSE) {
            continue;
        }
        const double *s = got.span[0].from, *K = impact.K;
        const double q[2] = {K[3] - impact.mu * (K[4] * s[0] + K[5] * s[1]),
                             K[6] - impact.mu * (K[7] * s[0] + K[8] * s[1])};
        const double size = fabs(K[3]) + fabs(K[6]) + K[4] + K[8];
        CHECK_NEAR(s[0] * q[1] - s[1] * q[0], 0.0, 1e-14 * size);
        CHECK(s[0] * q[0] + s[1] * q[1] > 0.0);
        CHECK_NEAR(hypot(s[0], s[1]), 1.0, 1e-15);
        left++;
    }
    CHECK(left > 100);
}

// ---- ends of e ----------------------------------------------------------------------------------

TEST(no_restitution_ends_with_compression_and_full_restitution_returns_everything)
{
    for (int k = 0; k < UT_IMPACT_LAW_COUNT; k++) {
        utImpact impact = turning();
        impact.law = (utImpactLaw)k;
        impact.e = 0.0;
        const utImpactResult none = impact_solved(&impact);
        CHECK(none.u[0] == 0.0 && none.work_restitution == 0.0);
        CHECK(memcmp(none.r, none.r_compression, sizeof none.r) == 0);
        CHECK(none.restitution[k] == 0.0);
        impact.e = 1.0;
        const utImpactResult all = impact_solved(&impact);
        CHECK_NEAR(all.restitution[k], 1.0, 1e-14);
        CHECK_NEAR(all.r_compression[0], none.r[0], 0.0);
    }
}

// ---- grazing ------------------------------------------------------------------------------------

// The direction of fast slip stays constant: r_n = (1 + e) |u_n| / (K_nn - mu K_nt.s), s = (0.6,
// 0.8), K_nt.s = 0.06, up to a relative error of |u_n| / |u_t|.
TEST(a_grazing_contact_has_the_right_small_impulse)
{
    for (int i = 3; i <= 300; i += 9) {
        utImpact impact = turning();
        impact.u[0] = -pow(10, -i);
        const utImpactResult got = impact_solved(&impact);
        CHECK_INT(got.outcome, UT_IMPACT_DONE);
        CHECK_NEAR(got.r[0] / -impact.u[0], 1.5 / (2 - 0.4 * 0.06), 2 * pow(10, -i) + 2e-15);
        CHECK_NEAR(hypot(got.r[1], got.r[2]) / got.r[0], 0.4, 2 * pow(10, -i) + 1e-15);
        CHECK(got.u[0] == -0.5 * impact.u[0]);
    }
}

// slip that is tiny compared with the closing speed has no effect
TEST(tiny_slip_is_as_no_slip)
{
    utImpact none = turning();
    none.u[1] = none.u[2] = 0.0;
    const utImpactResult a = impact_solved(&none);
    for (int i = 14; i <= 300; i += 13) {
        utImpact impact = turning();
        impact.u[1] *= pow(10, -i);
        impact.u[2] *= pow(10, -i);
        const utImpactResult b = impact_solved(&impact);
        for (int j = 0; j < 3; j++) {
            CHECK_NEAR(b.r[j], a.r[j], 5e-14);
        }
    }
}

TEST(a_contact_that_separates_or_rests_takes_no_impulse)
{
    utImpact impact = turning();
    impact.u[0] = 0.0;
    utImpactResult got = impact_solved(&impact);
    CHECK_INT(got.outcome, UT_IMPACT_SEPARATING);
    CHECK(got.r[0] == 0.0 && got.r[1] == 0.0 && got.spans == 0 && got.u[1] == 0.6);
    impact.u[0] = 1.0;
    got = impact_solved(&impact);
    CHECK_INT(got.outcome, UT_IMPACT_SEPARATING);
    CHECK(got.u[0] == 1.0);
}

// ---- singular K ---------------------------------------------------------------------------------

// K_tt moves t1 only, so slip along t2 never stops: u_t2 stays, and u_t1 decays. No normal
// coupling: r_n = (1 + e)|u_n| / K_nn.
TEST(slip_that_no_impulse_can_stop_goes_on)
{
    utImpact impact = {
        .dimension = 3, .K = {1, 0, 0, 0, 3, 0, 0, 0, 0}, .u = {-1, 0.5, 0.2}, .mu = 0.5, .e = 0.0};
    const utImpactResult got = impact_solved(&impact);
    CHECK_INT(got.outcome, UT_IMPACT_DONE);
    CHECK_NEAR(got.r[0], 1.0, 1e-15);
    CHECK(got.u[2] == 0.2);
    CHECK(got.u[1] > 0.0 && got.u[1] < 0.01);
    // du_1/dp = -1.5 u_1/v with v^2 = u_1^2 + 0.04: v + 0.2 ln(u_1/(v + 0.2)) falls by 1.5 p
    const double v0 = hypot(0.5, 0.2), v1 = hypot(got.u[1], 0.2);
    const double before = v0 + 0.2 * log(0.5 / (v0 + 0.2));
    const double after = v1 + 0.2 * log(got.u[1] / (v1 + 0.2));
    CHECK_NEAR(before - after, 1.5, 1e-12); // u_1 is near 1e-4, with a rounding of 1e-16
}

TEST(a_contact_that_no_impulse_can_open_is_locked)
{
    // immovable
    utImpact impact = {.dimension = 3, .u = {-1, 0.5, 0.2}, .mu = 0.5, .e = 1.0};
    utImpactResult got = impact_solved(&impact);
    CHECK_INT(got.outcome, UT_IMPACT_LOCKED);
    CHECK(got.r[0] == 0.0 && got.u[0] == -1.0 && got.u[1] == 0.5);
    // K moves (1, 1) only, and friction holds the contact
    impact = (utImpact){.dimension = 2, .K = {1, 1, 1, 1}, .u = {-1, 0.5}, .mu = 1.5, .e = 0.5};
    got = impact_solved(&impact);
    CHECK_INT(got.outcome, UT_IMPACT_LOCKED);
    // with mu < 1 friction does not hold it: u_n rises with 1 - mu once slip is reversed
    impact.mu = 0.5;
    impact.u[1] = 0.0;
    got = impact_solved(&impact);
    CHECK_INT(got.outcome, UT_IMPACT_DONE);
    CHECK_NEAR(got.r[0], 1.5 / 0.5, 1e-14);
}

// A contact 1e4 times easier to move along t1 than along t2, where friction and coupling along t1
// nearly balance: g = -2e-5 and dh/dphi = -3e-5, next to rates of 1. Slow slip then takes 1e6 of
// its shortest time constants to turn and to stop. The outcome reports this, and the result obeys
// its law all the same.
TEST(slip_that_turns_too_slowly_is_reported)
{
    const utImpact impact = {
        .dimension = 3,
        .K = {1, 0.49998, 0, 0.49998, 1, 0, 0, 0, 1e-4},
        .u = {-1, 1e-8, 1e-9},
        .mu = 0.5,
        .e = 0.676,
        .law = UT_IMPACT_STRONGE,
    };
    const utImpactResult got = impact_solved(&impact);
    CHECK_INT(got.outcome, UT_IMPACT_STEPS);
    CHECK_NEAR(got.restitution[UT_IMPACT_STRONGE], 0.676, 1e-12);
    CHECK(got.energy < 0.0 && got.work_friction <= 0.0);
    CHECK(hypot(got.r[1], got.r[2]) <= impact.mu * got.r[0] * (1 + 1e-14));
    for (int i = 0; i < 3; i++) {
        double u = impact.u[i], size = fabs(u);
        for (int j = 0; j < 3; j++) {
            u += impact.K[3 * i + j] * got.r[j];
            size += fabs(impact.K[3 * i + j] * got.r[j]);
        }
        CHECK_NEAR(got.u[i], u, 1e-14 * size);
    }
    // the uncertainty is small: f is 1 - 0.5 0.49998 during slip along t1 and 1 - 0.49998^2 during
    // stick
    CHECK_NEAR(got.r[0], 1.676 / (1 - 0.5 * 0.49998), 5e-5);
}

// ---- bad values ---------------------------------------------------------------------------------

static void check_refused(utImpact impact, const char* name)
{
    utImpactResult result;
    utError err = {0};
    memset(&result, 7, sizeof result);
    const utImpactResult before = result;
    CHECK(ut_impact_solve(&impact, &result, &err) == UT_ERR_ARGUMENT);
    if (!CHECK(strstr(err.message, name) != NULL)) {
        test_note("'%s' is not in: %s", name, err.message);
    }
    CHECK(memcmp(&before, &result, sizeof result) == 0);
    CHECK(ut_impact_solve(&impact, &result, NULL) == UT_ERR_ARGUMENT);
}

TEST(invalid_values_are_rejected_by_name)
{
    const double bad_e[] = {-1e-300, -1, 1.0000000001, nan_value, infinite};
    for (size_t i = 0; i < sizeof bad_e / sizeof *bad_e; i++) {
        utImpact impact = turning();
        impact.e = bad_e[i];
        check_refused(impact, "restitution e");
    }
    const double bad_mu[] = {-1e-300, nan_value, infinite, -infinite};
    for (size_t i = 0; i < sizeof bad_mu / sizeof *bad_mu; i++) {
        utImpact impact = turning();
        impact.mu = bad_mu[i];
        check_refused(impact, "friction mu");
    }
    for (int i = 0; i < 9; i++) {
        utImpact impact = turning();
        impact.K[i] = i % 2 == 0 ? nan_value : infinite;
        check_refused(impact, "inertia K");
        impact.K[i] = 100.0; // asymmetric, or with a negative eigenvalue
        if (i % 4 != 0) {
            check_refused(impact, "inertia K");
        }
        impact.K[i] = -1.0;
        check_refused(impact, "inertia K");
    }
    for (int i = 0; i < 3; i++) {
        utImpact impact = turning();
        impact.u[i] = nan_value;
        check_refused(impact, "velocity u");
    }
    utImpact impact = turning();
    impact.K[1] = impact.K[3] = 3.0; // K_nt^2 > K_nn K_tt
    check_refused(impact, "inertia K");
    impact = turning();
    impact.dimension = 4;
    check_refused(impact, "dimension");
    impact = turning();
    impact.law = UT_IMPACT_LAW_COUNT;
    check_refused(impact, "law");
}

TEST(laws_states_and_outcomes_have_names)
{
    CHECK_TEXT(ut_impact_law_name(UT_IMPACT_STRONGE), "stronge");
    for (int i = 0; i < UT_IMPACT_LAW_COUNT; i++) {
        CHECK(strlen(ut_impact_law_name((utImpactLaw)i)) > 0);
    }
    for (int i = 0; i < UT_IMPACT_STATE_COUNT; i++) {
        CHECK(strlen(ut_impact_state_name((utImpactState)i)) > 0);
    }
    for (int i = 0; i < UT_IMPACT_OUTCOME_COUNT; i++) {
        CHECK(strlen(ut_impact_outcome_text((utImpactOutcome)i)) > 0);
    }
    CHECK_TEXT(ut_impact_law_name(UT_IMPACT_LAW_COUNT), "");
    CHECK_TEXT(ut_impact_state_name(UT_IMPACT_STATE_COUNT), "");
    CHECK_TEXT(ut_impact_outcome_text(UT_IMPACT_OUTCOME_COUNT), "");
}
