// SPDX-License-Identifier: Apache-2.0
// Impacts by hand under every law of restitution: correct ones pass, spoiled ones fail.
#include <uptack/impact.h>

#include "scene.h"

static const double RADIUS[3] = {0.1, 0, 0};
static const double HALF[3] = {0.2, 0.1, 0.05};

// Compute velocities from the impulses, and report one island with all contacts.
static void finish_impact(Step* step, utBounce bounce, double restitution_scale)
{
    finish_step(step);
    step->report.islands = 1;
    step->island[0] = (utIsland){.contacts = step->report.contacts,
                                 .bounce = bounce,
                                 .law = UT_IMPACT_NEWTON,
                                 .restitution_scale = restitution_scale};
    for (int i = 0; i < step->report.contacts; i++) {
        utContact* c = &step->contact[i];
        if (bounce == UT_BOUNCE_MOREAU) {
            c->b[0] -= c->rebound;
            c->u[0] -= c->rebound;
        }
    }
}

static void set_rebound(utContact* c, double e, double before)
{
    c->restitution = e;
    c->u_n_before = before;
    c->rebound = before < 0.0 ? -e * before : 0.0;
}

// ---- a particle of 2 kg arrives with (3, 4, -2) m/s, mu 0.1, e 0.5 ------------------------------

static Step arriving(void)
{
    Step step = make_instant(1, true, 2.0, RADIUS, 0.1, 0.5);
    step.v[0] = 3.0;
    step.v[1] = 4.0;
    step.v[2] = -2.0;
    add_contacts(&step, 0, -1);
    set_rebound(&step.contact[0], 0.5, -2.0);
    return step;
}

static void push_along(double* r, double normal, double friction)
{
    r[0] = normal;
    r[1] = -0.6 * friction;
    r[2] = -0.8 * friction;
}

// r_n = m (1 + e) 2 = 6, and friction 0.6 throughout.
static Step moreau_particle(void)
{
    Step step = arriving();
    push_along(step.contact[0].r, 6.0, 0.6);
    finish_impact(&step, UT_BOUNCE_MOREAU, 1.0);
    return step;
}

// Restitution scale 1/2: the particle leaves with 0.5 m/s.
static Step shared_particle(void)
{
    Step step = arriving();
    push_along(step.contact[0].r, 5.0, 0.5);
    finish_impact(&step, UT_BOUNCE_MOREAU, 0.5);
    return step;
}

// The same with the solution without restitution: 4 and 0.4.
static Step told_particle(void)
{
    Step step = arriving();
    push_along(step.contact[0].r, 5.0, 0.5);
    push_along(step.contact[0].compression, 4.0, 0.4);
    finish_impact(&step, UT_BOUNCE_MOREAU, 0.5);
    return step;
}

// Compression 4 and 0.4, then e times 4 along the normal; the second problem
// has no further impulse.
static Step poisson_particle(void)
{
    Step step = arriving();
    push_along(step.contact[0].r, 6.0, 0.4);
    push_along(step.contact[0].compression, 4.0, 0.4);
    finish_impact(&step, UT_BOUNCE_POISSON, 1.0);
    return step;
}

static Step followed_particle(void)
{
    Step step = arriving();
    push_along(step.contact[0].r, 6.0, 0.6);
    push_along(step.contact[0].compression, 4.0, 0.4);
    finish_impact(&step, UT_BOUNCE_FOLLOWED, 1.0);
    return step;
}

// ---- a box of 3 kg comes down flat with 2 m/s, e 0.5, four corners ------------------------------

static Step flat_box(double times, double compression, utBounce bounce, double restitution_scale)
{
    Step step = make_instant(1, false, 3.0, HALF, 0.8, 0.5);
    step.v[2] = -2.0;
    add_contacts(&step, 0, -1);
    for (int k = 0; k < 4; k++) {
        set_rebound(&step.contact[k], 0.5, -2.0);
        step.contact[k].r[0] = 1.5 * times;
        step.contact[k].compression[0] = 1.5 * compression;
    }
    finish_impact(&step, bounce, restitution_scale);
    return step;
}

static Step moreau_box(void)
{
    return flat_box(1.5, 0.0, UT_BOUNCE_MOREAU, 1.0);
}

static Step box_with_compression(void)
{
    return flat_box(1.25, 1.0, UT_BOUNCE_MOREAU, 0.5);
}

static Step poisson_box(void)
{
    return flat_box(1.5, 1.0, UT_BOUNCE_POISSON, 1.0);
}

// ---- a tumbling box strikes with one corner -----------------------------------------------------

// K of the corner at the lever x: 1/m + x × I^-1 x × ..., by unit impulses (z, x, y).
static utImpact corner_impact(const Step* step)
{
    const double m = 3.0, a = HALF[0], b = HALF[1], c = HALF[2];
    const double turn[3] = {3.0 / (m * (b * b + c * c)), 3.0 / (m * (a * a + c * c)),
                            3.0 / (m * (a * a + b * b))};
    const double x[3] = {-a, -b, -c};
    const int axis[3] = {2, 0, 1};
    utImpact impact = {.dimension = 3, .mu = 0.3, .e = 0.5};
    for (int j = 0; j < 3; j++) {
        double r[3] = {0, 0, 0};
        r[axis[j]] = 1.0;
        const double w[3] = {turn[0] * (x[1] * r[2] - x[2] * r[1]),
                             turn[1] * (x[2] * r[0] - x[0] * r[2]),
                             turn[2] * (x[0] * r[1] - x[1] * r[0])};
        const double v[3] = {r[0] / m + w[1] * x[2] - w[2] * x[1],
                             r[1] / m + w[2] * x[0] - w[0] * x[2],
                             r[2] / m + w[0] * x[1] - w[1] * x[0]};
        for (int i = 0; i < 3; i++) {
            impact.K[3 * i + j] = v[axis[i]];
        }
    }
    const double* w = step->v + 3;
    const double v[3] = {step->v[0] + w[1] * x[2] - w[2] * x[1],
                         step->v[1] + w[2] * x[0] - w[0] * x[2],
                         step->v[2] + w[0] * x[1] - w[1] * x[0]};
    for (int i = 0; i < 3; i++) {
        impact.u[i] = v[axis[i]];
    }
    return impact;
}

static Step followed_corner(int law)
{
    Step step = make_instant(1, false, 3.0, HALF, 0.3, 0.5);
    const double v[6] = {1.0, -0.4, -2.0, 3.0, 1.0, -2.0};
    memcpy(step.v, v, sizeof v);
    add_contacts(&step, 0, -1);
    step.report.contacts = 1;
    utImpact impact = corner_impact(&step);
    utImpactResult result;
    impact.law = (utImpactLaw)law;
    CHECK_INT(ut_impact_solve(&impact, &result, NULL), UT_OK);
    set_rebound(&step.contact[0], 0.5, impact.u[0]);
    memcpy(step.contact[0].r, result.r, sizeof result.r);
    memcpy(step.contact[0].compression, result.r_compression, sizeof result.r);
    finish_impact(&step, UT_BOUNCE_FOLLOWED, 1.0);
    step.island[0].law = law;
    return step;
}

static Step newton_corner(void)
{
    return followed_corner(UT_IMPACT_NEWTON);
}

static Step poisson_corner(void)
{
    return followed_corner(UT_IMPACT_POISSON);
}

static Step stronge_corner(void)
{
    return followed_corner(UT_IMPACT_STRONGE);
}

static const Maker MAKERS[] = {
    moreau_particle,   shared_particle, told_particle,        poisson_particle,
    followed_particle, moreau_box,      box_with_compression, poisson_box,
    newton_corner,     poisson_corner,  stronge_corner,
};
enum { MADE = sizeof MAKERS / sizeof *MAKERS };

TEST(impacts_by_hand_pass)
{
    for (int i = 0; i < MADE; i++) {
        Step step = MAKERS[i]();
        const utCertificate c = judge_step(&step);
        if (!CHECK_TEXT(ut_certificate_reason_name(c.reason), "")) {
            test_note("step %d: E %g, impact %g, reported %g, cone %g", i, c.E, c.impact,
                      c.reported, c.cone);
        }
        CHECK_NEAR(c.E, 0.0, 1e-13);
        CHECK_NEAR(c.impact, 0.0, 1e-11);
        CHECK_NEAR(c.momentum, 0.0, 1e-14);
        free_step(&step);
    }
}

// The impulse of a corner differs between the laws, so the report must state the right law.
TEST(a_report_with_another_law_fails)
{
    for (int law = 0; law < UT_IMPACT_LAW_COUNT; law++) {
        for (int reported = 0; reported < UT_IMPACT_LAW_COUNT; reported++) {
            Step step = followed_corner(law);
            step.island[0].law = reported;
            CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason),
                       law == reported ? "" : "impact");
            free_step(&step);
        }
    }
}

// ---- what is wrong ------------------------------------------------------------------------------

static void change_restitution(Step* s)
{
    s->contact[0].restitution *= 1.0 + 1e-9;
}

static void change_before(Step* s)
{
    // 1e-7 of V, with the rebound that follows
    const double V = judge_step(s).V;
    utContact* c = &s->contact[0];
    c->u_n_before -= 1e-7 * V;
    const double more = -c->restitution * c->u_n_before - c->rebound;
    c->rebound += more;
    c->b[0] -= s->island[0].bounce == UT_BOUNCE_MOREAU ? more : 0.0;
    c->u[0] -= s->island[0].bounce == UT_BOUNCE_MOREAU ? more : 0.0;
}

static void forget_before(Step* s)
{
    s->contact[0].u_n_before = 0.0;
}

static void change_rebound(Step* s)
{
    s->contact[0].rebound *= 1.0 + 1e-7;
}

static void bounce_backwards(Step* s)
{
    s->contact[0].rebound *= -1.0;
}

static void share_too_much(Step* s)
{
    s->island[0].restitution_scale = 1.0 + 1e-9;
}

static void share_less_than_nothing(Step* s)
{
    s->island[0].restitution_scale = -1e-9;
}

static void share_otherwise(Step* s)
{
    s->island[0].restitution_scale *= 1.0 - 1e-6;
}

static void name_no_law(Step* s)
{
    s->island[0].bounce = (utBounce)UT_BOUNCE_COUNT;
}

static void deny_it(Step* s)
{
    s->island[0].bounce = UT_BOUNCE_NONE;
}

static void change_u(Step* s)
{
    s->contact[0].u[0] += 1e-6;
}

static void change_slip(Step* s)
{
    s->contact[0].u[1] += 1e-6;
}

static void push_without_moving(Step* s)
{
    s->contact[0].r[0] *= 1.0 + 1e-7;
}

static void push_more(Step* s)
{
    const utIsland island = s->island[0];
    s->contact[0].r[0] *= 1.0 + 1e-6;
    finish_impact(s, island.bounce, island.restitution_scale);
    s->island[0] = island;
}

static void rub_too_much(Step* s)
{
    const utIsland island = s->island[0];
    s->contact[0].r[1] = 1.001 * s->contact[0].mu * s->contact[0].r[0];
    s->contact[0].r[2] = 0.0;
    finish_impact(s, island.bounce, island.restitution_scale);
    s->island[0] = island;
}

static void tear(Step* s)
{
    s->island[0].contacts++;
}

static void hold(Step* s)
{
    s->island[0].rows++;
}

static void raise_minimum_rebound(Step* s)
{
    s->report.minimum_rebound = 1.0;
}

static void press_otherwise(Step* s)
{
    s->contact[0].compression[0] += 1e-6;
}

static void rub_otherwise(Step* s)
{
    s->contact[0].compression[1] += 1e-6;
}

static void rub_beyond_the_cone(Step* s)
{
    s->contact[0].compression[1] = 1.001 * s->contact[0].mu * s->contact[0].compression[0] + 1e-3;
    s->contact[0].compression[2] = 0.0;
}

TEST(every_spoiled_impact_fails_for_its_reason)
{
    const Spoiled cases[] = {
        {change_restitution, "active set"},
        {change_before, NULL},
        {bounce_backwards, "active set"},
        {change_rebound, "active set"},
        {share_too_much, "active set"},
        {share_less_than_nothing, "active set"},
        {share_otherwise, NULL},
        {name_no_law, "report"},
        {deny_it, NULL},
        {change_u, "reported"},
        {change_slip, "reported"},
        {push_without_moving, "momentum"},
        {push_more, NULL},
        {rub_too_much, "cone"},
        {tear, "active set"},
        {hold, "active set"},
        {raise_minimum_rebound, "active set"},
        {press_otherwise, NULL},
        {rub_otherwise, NULL},
        {rub_beyond_the_cone, NULL},
    };
    check_spoiled(MADE, MAKERS, (int)(sizeof cases / sizeof *cases), cases);
}

// A correct impact with e = 0.4 on a floor with e = 0.5.
TEST(restitution_of_another_coefficient_fails)
{
    const utBounce bounces[3] = {UT_BOUNCE_MOREAU, UT_BOUNCE_POISSON, UT_BOUNCE_FOLLOWED};
    const double models[2] = {0.4, 0.5};
    for (int k = 0; k < 3; k++) {
        for (int m = 0; m < 2; m++) {
            Step step = make_instant(1, true, 2.0, RADIUS, 0.1, models[m]);
            step.v[2] = -2.0;
            add_contacts(&step, 0, -1);
            set_rebound(&step.contact[0], 0.4, -2.0);
            step.contact[0].r[0] = 2.0 * 2.0 * 1.4;
            step.contact[0].compression[0] = k == 0 ? 0.0 : 4.0;
            finish_impact(&step, bounces[k], 1.0);
            CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason),
                       m == 0 ? "" : "active set");
            free_step(&step);
        }
    }
}

// A compression of 5 where 4 stops the particle, then 2.5 of restitution: the final velocity is
// valid, but the compression is not a solution.
TEST(compression_must_be_a_solution)
{
    Step step = arriving();
    push_along(step.contact[0].r, 7.5, 0.5);
    push_along(step.contact[0].compression, 5.0, 0.5);
    finish_impact(&step, UT_BOUNCE_POISSON, 1.0);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "complementarity");
    free_step(&step);
}

// Corners of one box, reported as two islands with consistent sizes.
TEST(contacts_of_one_body_in_two_islands_fail)
{
    Step step = moreau_box();
    step.contact[3].island = 1;
    step.report.islands = 2;
    step.island[1] = step.island[0];
    step.island[0].contacts = 3;
    step.island[1].contacts = 1;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
    free_step(&step);
}

// A rebound without the normal velocity before the impact.
TEST(the_velocity_before_is_required_with_a_rebound)
{
    for (int i = 0; i < MADE; i++) {
        Step step = MAKERS[i]();
        forget_before(&step);
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
        free_step(&step);
    }
}

TEST(a_number_of_an_impact_that_is_not_finite_fails)
{
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < MADE; i++) {
        for (int k = 0; k < 8; k++) {
            for (int j = 0; j < 3; j++) {
                Step step = MAKERS[i]();
                utContact* c = &step.contact[0];
                double* const at[8] = {&c->restitution,
                                       &c->u_n_before,
                                       &c->rebound,
                                       &c->compression[0],
                                       &c->compression[1],
                                       &c->compression[2],
                                       &step.report.minimum_rebound,
                                       &step.island[0].restitution_scale};
                *at[k] = bad[j];
                if (!CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason),
                                "not finite")) {
                    test_note("number %d", k);
                }
                free_step(&step);
            }
        }
    }
}

// An island without restitution may report the velocity before, but no compression and no rebound.
TEST(compression_and_rebound_without_restitution_fail)
{
    Step step = make_instant(1, true, 2.0, RADIUS, 0.1, 0.5);
    step.v[2] = -2.0;
    add_contacts(&step, 0, -1);
    step.contact[0].r[0] = 4.0;
    finish_step(&step);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
    step.contact[0].restitution = 0.5;
    step.contact[0].u_n_before = -2.0;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
    step.contact[0].u_n_before = -2.1;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "reported");
    step.contact[0].u_n_before = -2.0;
    step.contact[0].restitution = 0.4;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
    step.contact[0].restitution = 0.5;
    step.contact[0].compression[0] = 4.0;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
    step.contact[0].compression[0] = 0.0;
    step.contact[0].rebound = 1.0;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
    free_step(&step);
}

// In a sub-step only Moreau's law is valid, and the rebound replaces the gap term: a particle 0.02
// m above the floor moves down with 1 m/s, h = 0.1 s.
TEST(moreaus_law_is_valid_in_sub_steps)
{
    Step step = make_instant(1, true, 2.0, RADIUS, 0.1, 0.5);
    step.report.instant = false;
    step.report.formulation = UT_FORMULATION_COULOMB;
    step.report.integrator = UT_INTEGRATOR_EULER;
    step.report.h = 0.1;
    step.report.gravity = ut_vec3(0, 0, 0);
    step.q[2] = 0.02;
    step.v[2] = -1.0;
    add_contacts(&step, 0, -1);
    set_rebound(&step.contact[0], 0.5, -1.0);
    step.contact[0].r[0] = 3.0;
    finish_impact(&step, UT_BOUNCE_MOREAU, 1.0);
    step.contact[0].b[0] = -0.5;
    step.contact[0].u[0] = 0.0;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
    step.island[0].bounce = UT_BOUNCE_FOLLOWED;
    step.contact[0].compression[0] = 2.0;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
    step.island[0].bounce = UT_BOUNCE_POISSON;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
    free_step(&step);
}

// In `mirtich` a rebound may be raised to the minimum rebound; in other formulations it may not.
TEST(the_minimum_rebound_is_for_mirtich_only)
{
    const utBounce bounces[2] = {UT_BOUNCE_MOREAU, UT_BOUNCE_FOLLOWED};
    for (int k = 0; k < 2; k++) {
        Step step = make_instant(1, true, 2.0, RADIUS, 0.1, 0.5);
        step.v[2] = -0.01;
        add_contacts(&step, 0, -1);
        set_rebound(&step.contact[0], 0.5, -0.01);
        step.contact[0].rebound = 0.04;
        step.contact[0].r[0] = 2.0 * 0.05;
        step.contact[0].compression[0] = k == 0 ? 0.0 : 2.0 * 0.01;
        step.report.formulation = UT_FORMULATION_MIRTICH;
        step.report.minimum_rebound = 0.04;
        finish_impact(&step, bounces[k], 1.0);
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
        step.report.minimum_rebound = 0.039;
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
        step.report.minimum_rebound = 0.04;
        step.report.formulation = UT_FORMULATION_HYBRID;
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
        free_step(&step);
    }
}

// e = 1 and a restitution scale of 0.9: leaving with 0.9 of the speed passes, with 1.1 of it fails.
TEST(a_wrong_restitution_scale_fails)
{
    Step step = make_instant(1, true, 2.0, RADIUS, 0.1, 1.0);
    step.v[2] = -2.0;
    add_contacts(&step, 0, -1);
    set_rebound(&step.contact[0], 1.0, -2.0);
    step.contact[0].r[0] = 2.0 * (2.0 + 2.0 * 0.9);
    finish_impact(&step, UT_BOUNCE_MOREAU, 0.9);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
    step.contact[0].r[0] = 2.0 * (2.0 + 2.0 * 1.1);
    finish_impact(&step, UT_BOUNCE_MOREAU, 0.9);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "impact");
    free_step(&step);
    // four corners at once; the reported compression is not a solution
    step = box_with_compression();
    for (int k = 0; k < 4; k++) {
        step.contact[k].compression[0] += k % 2 == 0 ? 0.1 : -0.1;
    }
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "complementarity");
    free_step(&step);
}

static void invert(const double K[9], double inverse[9])
{
    const double det = K[0] * (K[4] * K[8] - K[5] * K[7]) - K[1] * (K[3] * K[8] - K[5] * K[6]) +
                       K[2] * (K[3] * K[7] - K[4] * K[6]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse[3 * i + j] = (K[3 * a + c] * K[3 * b + d] - K[3 * a + d] * K[3 * b + c]) / det;
        }
    }
}

// A corner that sticks, with e = 1 and rebound 1: without restitution it ends at rest, with it at u
// = (1, 0, 0). So the scale x ends at (x, 0, 0) and gains (x^2 B_nn - u- . B u-) / 2 with B = K^-1.
// Of all u- with u_n = -1 the least u- . B u- is 1 / K_nn, where u_t = K_tn u_n / K_nn. So x is at
// most 1 / sqrt(K_nn B_nn).
static Step kane(double beyond)
{
    Step step = make_instant(1, false, 3.0, HALF, 50.0, 1.0);
    add_contacts(&step, 0, -1);
    step.report.contacts = 1;
    const utImpact impact = corner_impact(&step);
    const double* K = impact.K;
    double B[9];
    invert(K, B);
    const double before[3] = {-1.0, -K[3] / K[0], -K[6] / K[0]};
    const double scale = beyond / sqrt(K[0] * B[0]);
    CHECK(scale < 1.0);
    step.v[0] = before[1];
    step.v[1] = before[2];
    step.v[2] = before[0];
    set_rebound(&step.contact[0], 1.0, before[0]);
    for (int i = 0; i < 3; i++) {
        double stop = 0.0;
        for (int j = 0; j < 3; j++) {
            stop -= B[3 * i + j] * before[j];
        }
        step.contact[0].compression[i] = stop;
        step.contact[0].r[i] = stop + scale * B[3 * i];
    }
    finish_impact(&step, UT_BOUNCE_MOREAU, scale);
    return step;
}

TEST(a_restitution_scale_that_gains_energy_fails)
{
    const double beyond[3] = {0.9, 1.0 - 1e-9, 1.0 + 1e-6};
    for (int k = 0; k < 3; k++) {
        Step step = kane(beyond[k]);
        const utCertificate c = judge_step(&step);
        CHECK_TEXT(ut_certificate_reason_name(c.reason), k < 2 ? "" : "impact");
        CHECK(c.energy_gain < 1e-9 || k == 2);
        free_step(&step);
    }
}

// Two islands, one of them with restitution: each has its own law, and their contacts
// must not be exchanged.
TEST(each_island_has_its_own_restitution)
{
    Step step = make_instant(2, true, 2.0, RADIUS, 0.1, 0.5);
    step.q[3] = 1.0;
    step.q[5] = -0.2;
    step.v[2] = step.v[5] = -2.0;
    add_contacts(&step, 0, -1);
    add_contacts(&step, 1, -1);
    set_rebound(&step.contact[0], 0.5, -2.0);
    step.contact[0].r[0] = 6.0;
    step.contact[1].r[0] = 4.0;
    finish_step(&step);
    step.contact[0].b[0] -= 1.0;
    step.contact[0].u[0] -= 1.0;
    step.contact[1].island = 1;
    step.report.islands = 2;
    step.island[0] =
        (utIsland){.contacts = 1, .bounce = UT_BOUNCE_MOREAU, .restitution_scale = 1.0};
    step.island[1] = (utIsland){.contacts = 1};
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
    step.island[1].bounce = UT_BOUNCE_FOLLOWED; // without the velocity before
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
    step.island[1].bounce = UT_BOUNCE_NONE;
    step.contact[0].island = 1;
    step.contact[1].island = 0;
    CHECK(!judge_step(&step).passed);
    step.contact[0].island = 2;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "report");
    free_step(&step);
}
