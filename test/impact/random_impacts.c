// SPDX-License-Identifier: Apache-2.0
// Many random impacts: against an independent solver, against the laws, and in other frames and
// units.
#include "cases.h"

// ---- independent solver -------------------------------------------------------------------------

typedef struct Worst {
    double off; ///< relative difference
    int rested, turned, reversed, steps;
} Worst;

static void take(double* worst, double got, double want, double size)
{
    const double difference = fabs(got - want) / size;
    *worst = difference <= *worst ? *worst : difference;
}

static void compare(const utImpact* impact, Worst* worst)
{
    const utImpactResult got = impact_solved(impact);
    const RungeKuttaResult want = impact_runge_kutta(impact, got.r[0] / 100000);
    const double r = want.r[0], u = fabs(impact->u[0]) + fabs(impact->u[1]) + fabs(impact->u[2]);
    for (int i = 0; i < 3; i++) {
        take(&worst->off, got.r[i], want.r[i], r);
        take(&worst->off, got.u[i], want.u[i], u);
    }
    take(&worst->off, got.r_compression[0], want.r_c, r);
    take(&worst->off, got.work_compression, want.W_c, -want.W_c);
    take(&worst->off, got.work_restitution, want.W_r, -want.W_c);
    CHECK(want.rested == (got.span[got.spans - 1].state == UT_IMPACT_STICK));
    worst->rested += want.rested;
    worst->turned += got.span[0].state == UT_IMPACT_TURN;
    worst->reversed += got.span[got.spans - 1].state == UT_IMPACT_REVERSE;
    worst->steps = got.steps > worst->steps ? got.steps : worst->steps;
}

// Errors of the independent solver: (1e-5)^4 of the smooth part with 1e5 steps, and a few times
// (1/500)^4 = 2e-11 of the remaining slip with steps of 1/500 of the impulse up to rest. Some K
// have condition 1e3.
TEST(impacts_agree_with_a_hundred_thousand_runge_kutta_steps)
{
    utRng rng = ut_rng(7, 1);
    Worst worst = {0};
    for (int i = 0; i < 40; i++) {
        utImpact impact = i % 2 == 0 ? impact_random(&rng) : impact_box_corner(&rng);
        impact.law = (utImpactLaw)(i % 3);
        compare(&impact, &worst);
    }
    CHECK(worst.off <= 1e-11);
    CHECK(worst.rested >= 5 && worst.turned >= 30);
    test_note("40 impacts, %d turned, %d rested, %d reversed: off by %.1e; %d steps at most",
              worst.turned, worst.rested, worst.reversed, worst.off, worst.steps);
}

// Few impacts turn, stop and start to slip again: take the first ones among many.
TEST(reversals_agree_with_runge_kutta_steps_that_start_from_rest)
{
    utRng rng = ut_rng(37, 1);
    Worst worst = {0};
    for (int i = 0; i < 20000 && worst.reversed < 6; i++) {
        utImpact impact = impact_box_corner(&rng);
        impact.law = (utImpactLaw)(i % 3);
        const utImpactResult got = impact_solved(&impact);
        if (got.span[got.spans - 1].state == UT_IMPACT_REVERSE) {
            compare(&impact, &worst);
        }
    }
    CHECK_INT(worst.reversed, 6);
    CHECK(worst.off <= 1e-11);
    test_note("%d reversals: off by %.1e", worst.reversed, worst.off);
}

// Friction may close the contact again during restitution, when slip turns into a direction that
// pushes the bodies together. All compressions then count together.
TEST(a_contact_that_closes_again_is_compressed_again)
{
    utImpact impact = {
        .dimension = 3,
        .K = {1.67165, -1.52764, -0.498556, -1.52764, 4.90622, -0.188577, -0.498556, -0.188577,
              5.42213},
        .u = {-0.052, -2.200, 1.218},
        .mu = 1.228,
        .e = 0.865,
        .law = UT_IMPACT_STRONGE,
    };
    Worst worst = {0};
    const utImpactResult got = impact_solved(&impact);
    const RungeKuttaResult want = impact_runge_kutta(&impact, got.r[0] / 100000);
    CHECK_INT(got.compressions, 2);
    CHECK(got.jam);
    for (int i = 0; i < 3; i++) {
        take(&worst.off, got.r[i], want.r[i], want.r[0]);
    }
    take(&worst.off, got.work_compression, want.W_c, -want.W_c);
    // the independent solver passes from opening to closing within a step: 1e-5^2 of the work is
    // lost
    CHECK(worst.off <= 1e-9);
    test_note("closed again: off by %.1e", worst.off);
}

// ---- invariants of every impact -----------------------------------------------------------------

typedef struct Tally {
    int gains[UT_IMPACT_LAW_COUNT];
    int turned, stuck, reversed, jams, closed_again, invalid, steps;
    double ratio, momentum, cone, balance; ///< largest errors
    double largest_gain;                   ///< by Stronge's law, relative to the works
} Tally;

static void check_invariants(const utImpact* impact, const utImpactResult* got, Tally* tally)
{
    const int n = impact->dimension;
    const double scale = fabs(impact->u[0]) + fabs(impact->u[1]) + fabs(impact->u[2]);
    for (int i = 0; i < n; i++) {
        double u = impact->u[i];
        for (int j = 0; j < n; j++) {
            u += impact->K[i * n + j] * got->r[j];
        }
        take(&tally->momentum, got->u[i], u, scale);
    }
    const double r_t = sqrt(got->r[1] * got->r[1] + got->r[2] * got->r[2]);
    take(&tally->cone, fmax(r_t - impact->mu * got->r[0], 0.0), 0.0, got->r[0]);
    const double gross = got->work_restitution - got->work_compression - got->work_friction;
    double gained = 0.0; // r.(u before + u after) / 2
    for (int i = 0; i < n; i++) {
        gained += 0.5 * got->r[i] * (impact->u[i] + got->u[i]);
    }
    take(&tally->balance, got->energy, gained, gross);
    // Stronge's law compares works, whose ratio is e^2
    const double mine = got->restitution[impact->law], e = impact->e;
    const bool squares = impact->law == UT_IMPACT_STRONGE;
    take(&tally->ratio, squares ? mine * mine : mine, squares ? e * e : e, 1.0);
    const double gain = got->energy / gross;
    tally->gains[impact->law] += gain > 1e-12;
    if (impact->law == UT_IMPACT_STRONGE && gain > tally->largest_gain) {
        tally->largest_gain = gain;
    }
    const bool valid = got->outcome == UT_IMPACT_DONE && got->u[0] >= 0.0 &&
                       got->work_compression < 0.0 && got->work_restitution >= 0.0 &&
                       got->work_friction <= 0.0 && got->spans >= 1;
    tally->invalid += !valid;
}

static void tally_up(const utImpact* impact, Tally* tally)
{
    const utImpactResult got = impact_solved(impact);
    const utImpactState last = got.span[got.spans - 1].state;
    check_invariants(impact, &got, tally);
    tally->turned += got.span[0].state == UT_IMPACT_TURN;
    tally->stuck += last == UT_IMPACT_STICK;
    tally->reversed += last == UT_IMPACT_REVERSE;
    tally->jams += got.jam;
    tally->closed_again += got.compressions > 1;
    tally->steps = got.steps > tally->steps ? got.steps : tally->steps;
}

static utImpact random_rod(utRng* rng)
{
    const double angle = ut_rng_range(rng, 0.02, 0.5 * pi);
    utImpact rod = impact_rod(angle, ut_rng_below(rng, 2) == 0 ? 1 : -1,
                              -ut_rng_range(rng, 0.01, 2), 2 * ut_rng_normal(rng));
    rod.mu = ut_rng_range(rng, 0, 2.5);
    rod.e = ut_rng_uniform(rng);
    return rod;
}

static void check_tally(const char* name, const Tally* tally)
{
    test_note("%s: turned %d, stick at the end %d, reversed %d, jams %d, closed again %d, at most "
              "%d steps",
              name, tally->turned, tally->stuck, tally->reversed, tally->jams, tally->closed_again,
              tally->steps);
    test_note("%s: gains by Newton %d, Poisson %d, Stronge %d; ratio %.1e, momentum %.1e, cone "
              "%.1e, balance %.1e",
              name, tally->gains[0], tally->gains[1], tally->gains[2], tally->ratio,
              tally->momentum, tally->cone, tally->balance);
    CHECK_INT(tally->invalid, 0);
    CHECK(tally->gains[UT_IMPACT_NEWTON] > 0);
    CHECK_INT(tally->gains[UT_IMPACT_STRONGE], 0);
    CHECK(tally->ratio <= 1e-11);
    CHECK(tally->momentum <= 1e-12);
    CHECK(tally->cone <= 1e-13);
    CHECK(tally->balance <= 1e-12);
}

TEST(ten_thousand_rods_and_corners_never_gain_energy_by_stronges_law)
{
    utRng rng = ut_rng(11, 0);
    Tally rods = {0}, corners = {0};
    for (int i = 0; i < 10000; i++) {
        utImpact rod = random_rod(&rng), corner = impact_box_corner(&rng);
        // some with e at the ends of its range
        rod.e = i % 10 == 0 ? 1.0 : i % 10 == 1 ? 0.0 : rod.e;
        corner.e = i % 10 == 0 ? 1.0 : i % 10 == 1 ? 0.0 : corner.e;
        for (int k = 0; k < UT_IMPACT_LAW_COUNT; k++) {
            rod.law = corner.law = (utImpactLaw)k;
            tally_up(&rod, &rods);
            tally_up(&corner, &corners);
        }
    }
    check_tally("rods", &rods);
    check_tally("corners", &corners);
    CHECK(rods.turned == 0 && rods.reversed > 500 && rods.stuck > 1000 && rods.jams > 100);
    CHECK(corners.turned > 20000 && corners.stuck > 1000);
}

// ---- the same impact in other coordinates -------------------------------------------------------

// K and u for tangents turned by `angle`
static utImpact turned_by(const utImpact* impact, double angle)
{
    const double c = cos(angle), s = sin(angle);
    const double R[3][3] = {{1, 0, 0}, {0, c, s}, {0, -s, c}};
    utImpact out = *impact;
    for (int i = 0; i < 3; i++) {
        out.u[i] = R[i][0] * impact->u[0] + R[i][1] * impact->u[1] + R[i][2] * impact->u[2];
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 9; k++) {
                sum += R[i][k / 3] * impact->K[k] * R[j][k % 3];
            }
            out.K[3 * i + j] = sum;
        }
    }
    return out;
}

// The turned K has rounding errors of 2e-16 of its largest entry. With condition 1e3 they become
// 1e-12 in the impulse, and slip that passes close to rest may double that.
TEST(turning_the_tangents_turns_the_impulse)
{
    utRng rng = ut_rng(13, 0);
    double worst = 0.0;
    for (int i = 0; i < 1000; i++) {
        utImpact impact = i % 2 == 0 ? impact_random(&rng) : impact_box_corner(&rng);
        impact.law = (utImpactLaw)(i % 3);
        const double angle = ut_rng_range(&rng, -pi, pi), c = cos(angle), s = sin(angle);
        const utImpact other = turned_by(&impact, angle);
        const utImpactResult a = impact_solved(&impact), b = impact_solved(&other);
        take(&worst, b.r[0], a.r[0], a.r[0]);
        take(&worst, b.r[1], c * a.r[1] + s * a.r[2], a.r[0]);
        take(&worst, b.r[2], -s * a.r[1] + c * a.r[2], a.r[0]);
        CHECK_INT(a.spans, b.spans);
    }
    test_note("turned tangents: impulses off by %.1e at most", worst);
    CHECK(worst <= 1e-11);
}

// Lengths, masses and times may be counted in other units: powers of two change no bit.
TEST(units_do_not_matter)
{
    utRng rng = ut_rng(17, 0);
    for (int i = 0; i < 100; i++) {
        utImpact impact = impact_box_corner(&rng), scaled = impact;
        impact.law = scaled.law = (utImpactLaw)(i % 3);
        for (int j = 0; j < 9; j++) {
            scaled.K[j] = impact.K[j] * 0x1p+40;
        }
        for (int j = 0; j < 3; j++) {
            scaled.u[j] = impact.u[j] * 0x1p-30;
        }
        const utImpactResult a = impact_solved(&impact), b = impact_solved(&scaled);
        for (int j = 0; j < 3; j++) {
            CHECK(b.r[j] == a.r[j] * 0x1p-70 && b.u[j] == a.u[j] * 0x1p-30);
        }
    }
}

// A contact in the plane is one in space whose K_tt is 0 in the third direction.
TEST(a_contact_in_the_plane_equals_one_in_space_with_singular_K)
{
    utRng rng = ut_rng(19, 0);
    double worst = 0.0;
    for (int i = 0; i < 500; i++) {
        utImpact flat = random_rod(&rng);
        flat.law = (utImpactLaw)(i % 3);
        utImpact space = flat;
        space.dimension = 3;
        const double* K = flat.K;
        const double wide[9] = {K[0], K[1], 0, K[2], K[3], 0, 0, 0, 0};
        for (int j = 0; j < 9; j++) {
            space.K[j] = wide[j];
        }
        space = turned_by(&space, ut_rng_range(&rng, -pi, pi));
        const utImpactResult a = impact_solved(&flat), b = impact_solved(&space);
        take(&worst, b.r[0], a.r[0], a.r[0]);
        take(&worst, sqrt(b.r[1] * b.r[1] + b.r[2] * b.r[2]), fabs(a.r[1]), a.r[0]);
        CHECK(b.straight && b.steps == 0);
        CHECK_INT(b.span[b.spans - 1].state, a.span[a.spans - 1].state);
    }
    test_note("planar contacts in space: off by %.1e at most", worst);
    CHECK(worst <= 1e-11);
}

// ---- continuity ---------------------------------------------------------------------------------

// The impulse is continuous in mu and e: over 4000 values no change is larger than 30 usual ones.
static double largest_jump(utImpact impact, bool over_mu)
{
    double worst = 0.0, sum = 0.0, last[3] = {0};
    enum { VALUES = 4000 };
    for (int i = 0; i <= VALUES; i++) {
        *(over_mu ? &impact.mu : &impact.e) = (over_mu ? 1.5 : 1.0) * i / VALUES;
        const utImpactResult got = impact_solved(&impact);
        double jump = 0.0;
        for (int j = 0; j < 3; j++) {
            jump += fabs(got.r[j] - last[j]);
            last[j] = got.r[j];
        }
        if (i > 0) {
            worst = jump > worst ? jump : worst;
            sum += jump;
        }
    }
    return worst / (sum / VALUES);
}

TEST(impulses_are_continuous_in_friction_and_restitution)
{
    utRng rng = ut_rng(23, 0);
    double worst = 0.0;
    for (int i = 0; i < 6; i++) {
        utImpact impact = impact_box_corner(&rng);
        impact.law = (utImpactLaw)(i % 3);
        const double mu = largest_jump(impact, true), e = largest_jump(impact, false);
        worst = fmax(worst, fmax(mu, e));
    }
    test_note("largest step over the mean one: %.1f", worst);
    CHECK(worst <= 30.0);
}
