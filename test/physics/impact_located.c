// SPDX-License-Identifier: Apache-2.0
// A ball that is dropped: heights, energy and times of its rebounds, with impacts located at their
// moment; and what is lost when they are seen at the begin of steps only.
//
// It falls a height H and arrives with v = sqrt(2 g H); the k-th impact sends it back with e^k v,
// to the height e^2k H.
#include "impact_lab.h"
#include "solids.h"

static const double R = 0.1;
static const double H = 1.0;
static const utFormulation EVENTS[] = {UT_FORMULATION_HYBRID, UT_FORMULATION_MIRTICH};

// A ball whose lowest point is at the height H; friction plays no part.
static Lab drop(const Trial* t, utFormulation formulation, double h, double bounce, double e)
{
    Lab lab = impact_open(formulation, h, bounce);
    lab_floor(&lab, 0.3);
    impact_ball(&lab, ut_vec3(0, 0, R + H * t->length), R, 2.0, 0.3, e * t->e);
    return lab;
}

// How far the lowest point comes up in free flight.
static double rise(const double* q, const double* v)
{
    return q[2] - R + v[2] * v[2] / (2.0 * G);
}

// ---- heights ------------------------------------------------------------------------------------

// What happens at the instants of a run.
typedef struct Bounces {
    int count;
    double rise[8];
    double time[8];
} Bounces;

static void run(Lab* lab, double until, Bounces* bounces)
{
    utStepResult result;
    *bounces = (Bounces){0};
    while (impact_goes_on(lab, until)) {
        lab_step(lab, NULL, &result);
        const utStepReport* instant;
        for (int k = 0; (instant = impact_instant(&result.report, k)) != NULL; k++) {
            if (bounces->count < 8) {
                bounces->rise[bounces->count] = rise(instant->q_next, instant->v_next);
                bounces->time[bounces->count] = instant->time;
            }
            bounces->count++;
        }
    }
}

// The k-th impact, k = 1, 2 ..., is at (v/g) (1 + 2 (e + ... + e^(k-1))).
static double moment(double v, double e, int k)
{
    return v / G * (1.0 + 2.0 * e * (1.0 - pow(e, k - 1)) / (1.0 - e));
}

// Flight is exact and an impact is found with 1e-12 m of gap: that much of a height, and as much
// over v of a time, is what an impact leaves. The bounds are the promise, 1e-9.
CLOSED_FORM(a_ball_comes_back_to_e_squared_of_its_height, OFF_E | OFF_LENGTH)
{
    static const double restitutions[] = {0.2, 0.4, 0.6, 0.8, 0.95};
    const double bounce = 0.1, until = 2.0, v = sqrt(2.0 * G * H);
    for (int i = 0; i < 10; i++) {
        const double e = restitutions[i / 2];
        Lab lab = drop(t, EVENTS[i % 2], 0.01, bounce, e);
        lab_start(&lab);
        Bounces got;
        run(&lab, until, &got);
        int expected = 0; // that are fast enough, and soon enough
        while (pow(e, expected + 1) * v > bounce && moment(v, e, expected + 1) < until) {
            expected++;
        }
        CHECK(expected >= 2 && expected < 8);
        // collisions alone go on below the speed at which the hybrid ball rests
        const bool rests = pow(e, expected + 1) * v <= bounce;
        EXPECT(t, i % 2 == 1 && rests ? fmin(got.count, expected) : got.count, expected, 0.0);
        for (int k = 1; k <= expected && k <= got.count; k++) {
            EXPECT(t, got.rise[k - 1], pow(e, 2 * k) * H, 1e-9);
            EXPECT(t, got.time[k - 1], moment(v, e, k), 1e-9);
        }
        lab_end(&lab);
    }
}

// The same as it is seen at the ends of steps: the highest of them is at most half a step from the
// top of the flight, g (h/2)^2 / 2 below it.
CLOSED_FORM(the_highest_state_of_a_flight_is_below_its_top_by_half_a_step_at_most, OFF_E)
{
    const double h = 0.01, e = 0.8, v = sqrt(2.0 * G * H);
    Lab lab = drop(t, UT_FORMULATION_HYBRID, h, 0.1, e);
    lab_start(&lab);
    double highest = 0.0;
    while (impact_goes_on(&lab, moment(v, e, 2))) {
        lab_step(&lab, NULL, NULL);
        const double z = ut_sim_q(lab.sim)[2] - R;
        highest = ut_sim_time(lab.sim) > moment(v, e, 1) ? fmax(highest, z) : 0.0;
    }
    const double most = G * h * h / 8.0;
    EXPECT(t, highest, e * e * H - 0.5 * most, 0.5 * most + 1e-9);
    lab_end(&lab);
}

// ---- energy -------------------------------------------------------------------------------------

// Impacts at e = 1 turn v around wherever they are found; a flight of n steps rounds its energy n
// times: 4000 of 2e-16. The 100th impact is at 199 sqrt(2 H/g).
CLOSED_FORM(a_hundred_bounces_at_e_1_keep_the_energy, OFF_E | OFF_LENGTH)
{
    if (left_out(t)) {
        return;
    }
    const double h = 0.02, mass = 2.0, last = 199.0 * sqrt(2.0 * H / G);
    for (int i = 0; i < 2; i++) {
        Lab lab = drop(t, EVENTS[i], h, 0.1, 1.0);
        lab_start(&lab);
        const double start = mass * G * (R + H);
        double most = start, least = start, time = 0.0;
        int count = 0;
        utStepResult result;
        while (count < 100 && impact_goes_on(&lab, 1.1 * last)) {
            lab_step(&lab, NULL, &result);
            const utStepReport* instant;
            for (int k = 0; (instant = impact_instant(&result.report, k)) != NULL; k++) {
                time = instant->time;
                count++;
            }
            const double energy = ut_sim_energy(lab.sim);
            most = fmax(most, energy);
            least = fmin(least, energy);
        }
        EXPECT(t, count, 100, 0.0);
        EXPECT(t, time, last, 1e-9 * last);
        EXPECT(t, most, start, 1e-9 * start);
        EXPECT(t, least, start, 1e-9 * start);
        if (!t->off) {
            test_note("%s: energy of 100 bounces %+.1e ... %+.1e, time off by %.1e s",
                      ut_formulation_name(EVENTS[i]), least / start - 1.0, most / start - 1.0,
                      time - last);
        }
        lab_end(&lab);
    }
}

// ---- the end of bouncing ------------------------------------------------------------------------

// All bounces together take (v/g) (1 + 2 e + 2 e^2 + ...) = (v/g) (1 + e)/(1 - e). The contact is
// steady from the first impact n on that would leave with e^n v <= w, the threshold; until then
//
//     T(w) = (v/g) (1 + e)/(1 - e) - (2/g) e^n v/(1 - e),
//
// so that between 2 e w and 2 w over g (1 - e) is left. The contact is steady from this impact on;
// or from the one before it, when that leaves so slowly that it comes down within the step at hand,
// which it does for 2 e^(n-1) v/g < 2 h at most: steps see the velocity of their end.
CLOSED_FORM(bouncing_ends_as_the_sum_of_all_bounces_has_it, OFF_E | OFF_LENGTH)
{
    if (left_out(t)) {
        return;
    }
    const double h = 0.0005, e = 0.5, v = sqrt(2.0 * G * H);
    const double all = v / G * (1.0 + e) / (1.0 - e);
    for (double w = 0.1; w > 5e-5; w *= 0.1) {
        Lab lab = drop(t, UT_FORMULATION_HYBRID, h, w, e);
        lab_start(&lab);
        int n = 1, bounces = 0;
        while (pow(e, n) * v > w) {
            n++;
        }
        const double left = 2.0 / G * pow(e, n) * v / (1.0 - e);
        CHECK(left <= 2.0 * w / (G * (1.0 - e)) && left > 2.0 * e * w / (G * (1.0 - e)));
        const double flight = 2.0 * pow(e, n - 1) * v / G;
        const double early = flight < 2.0 * h ? flight : 0.0;
        double steady = 0.0;
        utStepResult result;
        while (steady == 0.0 && impact_goes_on(&lab, 1.1 * all)) {
            lab_step(&lab, NULL, &result);
            for (int k = 0; impact_instant(&result.report, k) != NULL; k++) {
                bounces++;
            }
            for (int k = 0; k < result.report.transitions; k++) {
                const utTransition* transition = &result.report.transition[k];
                steady = transition->to == UT_MODE_STEADY ? transition->time : steady;
            }
        }
        EXPECT(t, bounces, n - 1, 0.0);
        EXPECT(t, steady, all - left - 0.5 * early, 0.5 * early + 1e-9);
        if (!t->off) {
            test_note("threshold %.0e m/s: steady after %.6f s of %.6f", w, steady, all);
        }
        lab_steps(&lab, 3, NULL, NULL);
        EXPECT(t, ut_sim_q(lab.sim)[2], R, 1e-9);
        EXPECT(t, ut_sim_v(lab.sim)[2], 0.0, 1e-9);
        lab_end(&lab);
    }
}

// ---- seen at the begin of steps -----------------------------------------------------------------

// The first step that begins below the floor, N h >= T = sqrt(2 H/g), finds the ball the depth
// d = g (N h)^2/2 - H too low; it leaves from there with e sqrt(2 g (H + d)) and rises to
//
//     e^2 (H + d) - d = e^2 H - (1 - e^2) d,    0 <= d < v h + g h^2/2:
//
// a height that is wrong by C h, C = (1 - e^2) (v + g h/2) at most.
static double lost_height(Trial* t, utFormulation formulation, double e, double h)
{
    Lab lab = drop(t, formulation, h, 0.1, e);
    lab.options.detection = UT_DETECTION_STEP;
    lab_start(&lab);
    utStepResult result;
    const utStepReport* instant = impact_await(&lab, 1000, &result);
    const double lost =
        instant != NULL ? e * e * H - rise(instant->q_next, instant->v_next) : (double)NAN;
    EXPECT(t, instant != NULL ? instant->time : (double)NAN, h * ceil(sqrt(2.0 * H / G) / h), 1e-9);
    lab_end(&lab);
    return lost;
}

CLOSED_FORM(impacts_that_are_seen_at_the_begin_of_steps_lose_height_as_the_depth_has_it,
            OFF_E | OFF_LENGTH)
{
    const double e = 0.6, v = sqrt(2.0 * G * H), T = sqrt(2.0 * H / G);
    double worst = 0.0;
    for (int i = 0; i < 20; i++) {
        const double late = 0.05 + 0.1 * (i % 10); // of a step, is how much later it is seen
        const double h = T / ((i < 10 ? 24.0 : 48.0) - late);
        const double d = v * late * h + 0.5 * G * late * late * h * h;
        const double lost = lost_height(t, EVENTS[i % 2], e, h);
        EXPECT(t, lost, (1.0 - e * e) * d, 1e-9);
        const double most = (1.0 - e * e) * (v + 0.5 * G * h) * h;
        EXPECT(t, fmin(fmax(lost, 0.0), most), lost, 0.0);
        worst = fmax(worst, lost / most);
    }
    EXPECT(t, worst, 0.95, 0.01); // at 0.95 of a step: the bound is the least one
}

// Seen half a step late, d = v h/2 (1 + g h/(4 v)): halving h halves the loss, to the first order
// with a slope that is above 1 by g h/(4 v) at most, 0.006 here.
TEST(the_height_lost_to_steps_halves_with_them)
{
    const Trial right = {.mu = 1.0, .mass = 1.0, .length = 1.0, .e = 1.0};
    Trial t = right;
    const double e = 0.6, T = sqrt(2.0 * H / G);
    double last_h = 0.0, last = 0.0;
    for (int n = 40; n <= 320; n *= 2) {
        const double h = T / (n - 0.5), lost = lost_height(&t, UT_FORMULATION_HYBRID, e, h);
        if (n > 40) {
            const double slope = log(last / lost) / log(last_h / h);
            CHECK(slope > 1.0 && slope < 1.006);
            test_note("h = %.6f s: %.6f m lost, order %.4f", h, lost, slope);
        }
        last = lost;
        last_h = h;
    }
}

// ---- on a curved way ----------------------------------------------------------------------------

// A ball is thrown with 2 m/s at a wall 0.1 m ahead and meets it after 0.05 s, half a step, when it
// has fallen 0.01226 m. The wall ends 0.025 m below where the ball began: on a straight line with
// the velocity at the end of the step, the ball would pass 0.01 m below it. With e or without.
CLOSED_FORM(a_wall_is_met_on_the_curved_way_and_not_passed_on_the_straight_one, OFF_LENGTH)
{
    const double h = 0.1, r = 0.02, u = 2.0;
    for (int k = 0; k < 2; k++) {
        Lab lab = impact_open(UT_FORMULATION_MIRTICH, h, 0.1);
        utGeomDef wall = ut_geom_def(0, UT_SHAPE_BOX, ut_vec3(0.1, 0.1, 0.5));
        wall.pos = ut_vec3(0.1 + r + 0.1 * t->length, 0, 0.475);
        CHECK(ut_model_def_geom(lab.def, &wall) >= 0);
        impact_ball(&lab, ut_vec3_zero(), r, 1.0, 0.0, k == 0 ? 0.0 : 0.5);
        lab_start(&lab);
        lab_velocity(&lab, 0, u);
        utStepResult result;
        const utStepReport* instant = impact_await(&lab, 1, &result);
        EXPECT(t, instant != NULL, true, 0.0);
        if (instant != NULL) {
            EXPECT(t, instant->time, 0.05, EXACT);
            EXPECT(t, instant->contact[0].u_n_before, -u, EXACT);
            EXPECT(t, instant->q[2], -0.5 * G * 0.05 * 0.05, EXACT);
        }
        lab_end(&lab);
    }
}
