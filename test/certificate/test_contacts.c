// SPDX-License-Identifier: Apache-2.0
// Steps with contacts by hand: correct steps pass, every spoiled step fails, a change of units
// changes nothing, and a second implementation in long double gives the same E.
#include "scene.h"

static const double RADIUS[3] = {0.1, 0, 0};
static const double HALF[3] = {0.2, 0.1, 0.05};

// ---- steps that are right -----------------------------------------------------------------------

// A particle of 2 kg slides at (3, 4) m/s: r_n = m g h, friction mu r_n against the slip.
static Step sliding_particle(void)
{
    Step step = make_stack(1, true, 2.0, RADIUS, 0.5, 10.0, 0.01);
    step.v[0] = 3.0;
    step.v[1] = 4.0;
    add_contacts(&step, 0, -1);
    const double n = 2.0 * 10.0 * 0.01;
    step.contact[0].r[0] = n;
    step.contact[0].r[1] = -0.5 * n * 0.6;
    step.contact[0].r[2] = -0.5 * n * 0.8;
    finish_step(&step);
    return step;
}

// A box of 3 kg at rest is pushed along x at its centre with F = 2 N, c above the floor: the front
// carries F c / (2 a) more than the rear, each corner a quarter of the friction.
static Step pushed_box(void)
{
    Step step = make_stack(1, false, 3.0, HALF, 0.8, 10.0, 0.01);
    step.applied[1].force = ut_vec3(2.0, 0.0, 0.0);
    add_contacts(&step, 0, -1);
    for (int k = 0; k < 4; k++) {
        const double tip = 2.0 * HALF[2] / (4.0 * HALF[0]);
        step.contact[k].r[0] = 0.01 * (3.0 * 10.0 / 4.0 + (k & 1 ? tip : -tip));
        step.contact[k].r[1] = -0.01 * 2.0 / 4.0;
    }
    finish_step(&step);
    return step;
}

// Two boxes of 3 kg on each other at rest: the floor carries both.
static Step two_boxes(void)
{
    Step step = make_stack(2, false, 3.0, HALF, 0.8, 10.0, 0.01);
    add_contacts(&step, 0, -1);
    add_contacts(&step, 1, 0);
    for (int k = 0; k < 8; k++) {
        step.contact[k].r[0] = 0.01 * 10.0 * 3.0 / 4.0 * (k < 4 ? 2.0 : 1.0);
    }
    finish_step(&step);
    return step;
}

// A particle falls from a height of 0.02 m at 3 m/s and ends on the floor: u_n =
// 0 with v+ = -gap / h.
static Step landing_particle(void)
{
    Step step = make_stack(1, true, 2.0, RADIUS, 0.5, 10.0, 0.01);
    step.q[2] = 0.02;
    step.v[2] = -3.0;
    add_contacts(&step, 0, -1);
    step.contact[0].r[0] = 2.0 * (3.0 + 10.0 * 0.01 - 0.02 / 0.01);
    finish_step(&step);
    return step;
}

static const Maker MAKERS[] = {sliding_particle, pushed_box, two_boxes, landing_particle};
enum { MADE = sizeof MAKERS / sizeof *MAKERS };

TEST(steps_by_hand_pass)
{
    // V by hand: |J v* + b| of the contact that carries most
    const double V[MADE] = {sqrt(25.0 + 0.01), sqrt(0.01 + 4e-4 / 9.0), 0.1, 1.1};
    for (int i = 0; i < MADE; i++) {
        Step step = MAKERS[i]();
        const utCertificate c = judge_step(&step);
        CHECK_TEXT(ut_certificate_reason_name(c.reason), "");
        CHECK(c.passed);
        // r and v+ are rounded once, so the error of u is a few roundings of V
        CHECK_NEAR(c.E, 0.0, 1e-13);
        CHECK_NEAR(c.momentum, 0.0, 1e-14);
        CHECK_NEAR(c.stored, 0.0, 1e-14);
        CHECK_NEAR(c.cone, 0.0, 1e-15);
        CHECK_NEAR(c.position, 0.0, 1e-15);
        CHECK_NEAR(c.geometry, 0.0, 1e-12);
        CHECK_NEAR(c.V, V[i], 1e-12);
        CHECK(c.model_gap == 0.0);
        free_step(&step);
    }
}

// Sliding loses r_t . (v + v+) / 2, which is mu r_n |u_t| to first order. The normal direction
// loses nothing, because the impulses of floor and gravity cancel.
TEST(energy_is_lost_to_friction)
{
    Step step = sliding_particle();
    const double t = 0.5 * 0.2, slip = 5.0 - 0.5 * t / 2.0;
    CHECK_NEAR(judge_step(&step).energy_gain, -t * slip, 1e-13);
    free_step(&step);
}

TEST(work_of_applied_forces_is_no_gain)
{
    Step step = make_stack(1, true, 2.0, RADIUS, 0.5, 0.0, 0.01);
    step.q[2] = 1.0;
    step.applied[1].force = ut_vec3(4.0, 0.0, 0.0);
    step.v[0] = 1.0;
    finish_step(&step);
    // the kinetic energy grows by F h (v + v+) / 2
    const utCertificate c = judge_step(&step);
    CHECK(c.passed);
    CHECK_NEAR(c.energy_gain, 0.0, 1e-15);
    CHECK(c.contact == -1);
    free_step(&step);
}

// ---- steps that are wrong -----------------------------------------------------------------------

// Without friction mu r_n is 0 for every impulse: the sign of r_n must be tested by itself.
TEST(a_contact_without_friction_that_pulls_fails)
{
    Step step = make_stack(1, true, 2.0, RADIUS, 0.0, 10.0, 0.01);
    step.v[2] = 1.0;
    add_contacts(&step, 0, -1);
    step.contact[0].r[0] = -2.0 * 0.9;
    finish_step(&step);
    const utCertificate c = judge_step(&step);
    CHECK(!c.passed);
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "cone");
    CHECK(c.cone == HUGE_VAL);
    free_step(&step);
}

static void push_too_much(Step* s)
{
    // 1e-7 of m V, with the velocity that follows: only the law is violated
    const utCertificate c = judge_step(s);
    s->contact[0].r[0] += 1e-7 * s->mass * c.V;
    finish_step(s);
}

static void push_without_moving(Step* s)
{
    s->contact[0].r[0] *= 1.0 + 1e-7;
}

static void flip_normal(Step* s)
{
    s->contact[0].frame[0] = ut_vec3_negate(s->contact[0].frame[0]);
}

static void flip_frame(Step* s)
{
    for (int k = 0; k < 3; k++) {
        s->contact[0].frame[k] = ut_vec3_negate(s->contact[0].frame[k]);
        s->contact[0].r[k] = -s->contact[0].r[k];
    }
}

static void turn_normal(Step* s)
{
    // by 1e-6 about y, the frame still orthonormal
    s->contact[0].frame[0] = ut_vec3(1e-6, 0, 1.0 - 5e-13);
    s->contact[0].frame[1] = ut_vec3(1.0 - 5e-13, 0, -1e-6);
}

static void move_point(Step* s)
{
    s->contact[0].point.z += 1e-6;
}

static void lie_about_velocity(Step* s)
{
    s->v_next[0] += 1e-8;
}

static void lie_about_free_velocity(Step* s)
{
    s->v_free[2] *= 1.0 + 1e-6;
}

static void lie_about_position(Step* s)
{
    s->q_next[0] += 1e-10;
}

static void lie_about_friction(Step* s)
{
    s->contact[0].mu *= 0.999999;
}

static void lie_about_gap(Step* s)
{
    s->contact[0].gap += 1e-6;
}

static void swap_geoms(Step* s)
{
    const int geom = s->contact[0].geom1;
    s->contact[0].geom1 = s->contact[0].geom2;
    s->contact[0].geom2 = geom;
}

static void name_no_geom(Step* s)
{
    s->contact[0].geom2 = 99;
}

static void touch_itself(Step* s)
{
    s->contact[0].geom1 = s->contact[0].geom2;
}

static void drop_contact(Step* s)
{
    s->report.contacts--;
}

static void lie_about_time_step(Step* s)
{
    s->report.h *= 1.000001;
}

static void stop_time(Step* s)
{
    s->report.h = 0.0;
}

static void lie_about_gravity(Step* s)
{
    s->report.gravity.z *= 1.000001;
}

static void lie_about_slip(Step* s)
{
    s->contact[0].u[1] += 1e-6;
}

static void lie_about_b(Step* s)
{
    s->contact[0].b[0] += 1e-6;
}

static void pull(Step* s)
{
    s->contact[0].r[0] = -1e-9;
    finish_step(s);
}

static void rub_too_much(Step* s)
{
    s->contact[0].r[2] = 1.001 * s->contact[0].mu * s->contact[0].r[0];
    s->contact[0].r[1] = 0.0;
    finish_step(s);
}

static void forget_force(Step* s)
{
    s->applied[1].force.y += 1e-6;
}

static void forget_generalized_force(Step* s)
{
    s->caller_force[1] += 1e-6;
    s->force[1] += 1e-6;
}

static void push_without_an_actuator(Step* s)
{
    s->force[1] += 1e-6;
}

static void weigh_more(Step* s)
{
    s->actuator_diagonal[1] += 1e-3;
    s->v[1] -= 1e-3;
}

static void name_no_law(Step* s)
{
    s->report.formulation = UT_FORMULATION_COUNT;
}

static void name_no_integrator(Step* s)
{
    s->report.integrator = UT_INTEGRATOR_COUNT;
}

TEST(every_spoiled_step_fails_for_its_reason)
{
    const Spoiled cases[] = {
        {push_too_much, "complementarity"},
        {push_without_moving, "momentum"},
        {flip_normal, "geometry"},
        {flip_frame, "geometry"},
        {turn_normal, NULL},
        {move_point, "geometry"},
        {lie_about_velocity, NULL},
        {lie_about_free_velocity, "momentum"},
        {lie_about_position, "position"},
        {lie_about_friction, "active set"},
        {lie_about_gap, "geometry"},
        {swap_geoms, "geometry"},
        {name_no_geom, "report"},
        {touch_itself, "report"},
        {drop_contact, "momentum"},
        {lie_about_time_step, NULL},
        {stop_time, "report"},
        {lie_about_gravity, "momentum"},
        {lie_about_slip, "reported"},
        {lie_about_b, "reported"},
        {pull, "cone"},
        {rub_too_much, "cone"},
        {forget_force, "momentum"},
        {forget_generalized_force, "momentum"},
        {push_without_an_actuator, "actuators"},
        {weigh_more, "actuators"},
        {name_no_law, "formulation"},
        {name_no_integrator, "integrator"},
    };
    check_spoiled(MADE, MAKERS, (int)(sizeof cases / sizeof *cases), cases);
}

// A feather on a stone: its share of the momentum is negligible, and its error still fails.
TEST(an_error_of_a_light_body_fails)
{
    Step step = make_light_top(2, true, 2.0, RADIUS, 0.5, 10.0, 0.01);
    add_contacts(&step, 0, -1);
    add_contacts(&step, 1, 0);
    step.contact[0].r[0] = 0.2 * (1.0 + 1e-6);
    step.contact[1].r[0] = 0.2 * 1e-6;
    finish_step(&step);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
    // 1e-9 V is 1e-9 sqrt(1e-6) of the momentum
    step.v_next[5] += 1e-10;
    step.q_next[5] += 1e-12;
    const utCertificate c = judge_step(&step);
    CHECK_NEAR(c.stored, 1e-9, 1e-11);
    // by hand: 1e-10 m/s over the 0.1 m/s of its momentum and 0.1 m/s of its
    // impulse, tr(A_ii) = 3 / m
    CHECK_NEAR(c.momentum, 1e-10 / (0.1 + 0.1 * sqrt(3.0)), 1e-12);
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "momentum");
    free_step(&step);
}

// A stone of 2 kg slides at 100 m/s over the floor; a feather of 2e-6 kg lies on it without
// friction, or on the floor beside it. With 1e-8 more of its impulse the feather would be 1e-9 m/s
// faster: 1e-11 of the stone's speed, and 4e-9 of the feather's own momentum and impulse.
static Step feather(bool beside)
{
    Step step = make_light_top(2, true, 2.0, RADIUS, 0.5, 10.0, 0.01);
    step.v[0] = 100.0;
    if (beside) {
        step.q[3] = 5.0;
        step.q[5] = -0.2;
    }
    add_contacts(&step, 0, -1);
    add_contacts(&step, 1, beside ? -1 : 0);
    step.contact[0].r[0] = 0.2 * (beside ? 1.0 : 1.0 + 1e-6);
    step.contact[0].r[1] = -0.5 * step.contact[0].r[0];
    step.contact[1].r[0] = 0.2 * 1e-6;
    finish_step(&step);
    return step;
}

TEST(a_fast_heavy_body_does_not_hide_errors_of_a_slow_light_one)
{
    for (int beside = 0; beside < 2; beside++) {
        Step step = feather(beside == 1);
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
        step.contact[1].r[0] *= 1.0 + 1e-8;
        const utCertificate c = judge_step(&step);
        CHECK_NEAR(c.momentum, 1e-9 / (0.1 + 0.1 * sqrt(3.0)), 1e-11);
        CHECK_TEXT(ut_certificate_reason_name(c.reason), "momentum");
        free_step(&step);
    }
}

// Two stones of 2 kg press a feather between them with 1e6 times its weight: rounding of these
// impulses is no error of the feather.
TEST(rounding_of_impulses_that_cancel_is_no_error)
{
    Step step = make_stack(3, true, 2.0, RADIUS, 0.5, 10.0, 0.01);
    for (int k = 0; k < 3; k++) {
        add_contacts(&step, k, k - 1);
    }
    for (int k = 0; k < 3; k++) {
        step.applied[3].force.z = -1e8;
        step.contact[k].r[0] = 0.01 * (1e8 + 2.0 * 10.0 * (3 - k));
    }
    finish_step(&step);
    const utCertificate c = judge_step(&step);
    CHECK(c.momentum <= 1e-15);
    free_step(&step);
}

// ---- what is not finite -------------------------------------------------------------------------

static int list_numbers(Step* s, double** out)
{
    utContact* c = &s->contact[0];
    utRow* row = &s->row[0];
    utStepReport* r = &s->report;
    utForce* a = &s->applied[1];
    double* const list[] = {
        &s->q[0],
        &s->q[2],
        &s->v[0],
        &s->v_free[1],
        &s->v_next[2],
        &s->q_next[1],
        &s->force[0],
        &s->actuator_diagonal[2],
        &c->gap,
        &c->mu,
        &c->b[0],
        &c->b[2],
        &c->r[0],
        &c->r[2],
        &c->u[0],
        &c->u[1],
        &c->e,
        &c->point.x,
        &c->point.z,
        &c->frame[0].y,
        &c->frame[2].z,
        &r->h,
        &r->time,
        &r->gravity.x,
        &r->gravity.z,
        &r->energy,
        &r->energy_next,
        &a->force.y,
        &a->torque.z,
        &row->length,
        &row->direction[0],
        &row->compliance,
        &row->gap,
        &row->b,
        &row->low,
        &row->high,
        &row->r,
        &row->u,
        &row->e,
    };
    const int count = (int)(sizeof list / sizeof *list);
    memcpy(out, list, sizeof list);
    return count;
}

// The numbers of a friction row on the first slide.
static const utRow SOME_ROW = {
    .kind = UT_ROW_FRICTION, .actuator = -1, .dofs = 1, .direction = {1.0}, .length = 1.0};

TEST(a_report_with_a_number_that_is_not_finite_fails)
{
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    double* at[64];
    Step step = sliding_particle();
    const int count = list_numbers(&step, at);
    for (int k = 0; k < count; k++) {
        for (int j = 0; j < 3; j++) {
            step.row[0] = SOME_ROW;
            step.report.rows = 1;
            const double good = *at[k];
            *at[k] = bad[j];
            const utCertificate c = judge_step(&step);
            // an infinite bound is valid as a number, but is not the bound of the model
            const bool bound = (at[k] == &step.row[0].low || at[k] == &step.row[0].high) && j > 0;
            const bool said = strcmp(ut_certificate_reason_name(c.reason),
                                     bound ? "active set" : "not finite") == 0 ||
                              (at[k] == &step.row[0].length &&
                               strcmp(ut_certificate_reason_name(c.reason), "report") == 0) ||
                              (at[k] == &step.row[0].compliance &&
                               strcmp(ut_certificate_reason_name(c.reason), "report") == 0);
            if (!CHECK(!c.passed && said)) {
                test_note("number %d: %s", k, ut_certificate_reason_name(c.reason));
            }
            *at[k] = good;
        }
    }
    step.report.rows = 0;
    CHECK(judge_step(&step).passed);
    free_step(&step);
}

TEST(an_incomplete_report_fails)
{
    Step step = sliding_particle();
    utCertificate c = judge_step(&step);
    const utStepReport whole = step.report;
    utStepReport r;
#define WITHOUT(field)                                          \
    r = whole;                                                  \
    r.field = NULL;                                             \
    CHECK_INT(ut_certify(&r, 1e-8, test_arena(), &c), UT_OK);   \
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "report"); \
    CHECK(!c.passed)
    WITHOUT(q);
    WITHOUT(v);
    WITHOUT(v_free);
    WITHOUT(v_next);
    WITHOUT(q_next);
    WITHOUT(contact);
#undef WITHOUT
    // these arrays are optional
    r = whole;
    r.force = r.actuator_diagonal = r.ctrl = NULL;
    r.applied = NULL;
    CHECK_INT(ut_certify(&r, 1e-8, test_arena(), &c), UT_OK);
    CHECK(c.passed);
    r.formulation = (utFormulation)-1;
    CHECK_INT(ut_certify(&r, 1e-8, test_arena(), &c), UT_OK);
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "formulation");
    free_step(&step);
}

TEST(a_small_arena_grows_and_one_that_cannot_is_an_error_that_changes_nothing)
{
    Step step = two_boxes();
    judge_step(&step);
    utArena arena;
    utCertificate c = {.E = 7.0};
    CHECK_INT(ut_arena_create(100, NULL, &arena), UT_OK);
    CHECK_INT(ut_certify(&step.report, 1e-8, arena, &c), UT_OK);
    CHECK(c.passed);
    ut_arena_destroy(&arena);
    arena = test_arena();
    c.E = 7.0;
    CHECK_INT(ut_certify(&step.report, 1e-8, ut_arena_on(arena.next, 4096), &c), UT_ERR_CAPACITY);
    CHECK(c.E == 7.0);
    free_step(&step);
}

// ---- E itself -----------------------------------------------------------------------------------

// Impulses with random errors: some contacts stick, some slide, some open.
static void disturb(Step* step, uint64_t seed, double size)
{
    utRng rng = ut_rng(seed, 7);
    for (int i = 0; i < step->report.contacts; i++) {
        utContact* c = &step->contact[i];
        const double n = c->r[0];
        c->r[0] += size * n * ut_rng_range(&rng, -1.0, 1.0);
        c->r[1] += size * n * ut_rng_range(&rng, -0.3, 0.3);
        c->r[2] += size * n * ut_rng_range(&rng, -0.3, 0.3);
    }
    finish_step(step);
}

TEST(a_second_implementation_gives_the_same_E)
{
    for (int i = 0; i < MADE; i++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            const double sizes[4] = {1e-9, 1e-6, 1e-2, 0.5};
            Step step = MAKERS[i]();
            disturb(&step, seed, sizes[seed % 4]);
            const double want = (double)long_E(&step);
            const utCertificate c = judge_step(&step);
            // rounding is 1e-16 of speeds up to 50 V (contact points of boxes that start to
            // rotate), and E is about 1e-10 at least
            CHECK(want > 1e-12);
            CHECK_NEAR(c.E, want, 1e-14 + 1e-12 * want);
            CHECK(c.momentum <= 1e-13);
            free_step(&step);
        }
    }
}

static Step any_units(double kilogram, double meter, double second)
{
    const double half[3] = {HALF[0] * meter, HALF[1] * meter, HALF[2] * meter};
    const double g = 10.0 * meter / (second * second);
    Step step = make_stack(2, false, 3.0 * kilogram, half, 0.8, g, 0.01 * second);
    step.v[0] = 0.3 * meter / second;
    step.v[7] = -0.2 * meter / second;
    add_contacts(&step, 0, -1);
    add_contacts(&step, 1, 0);
    for (int k = 0; k < 8; k++) {
        step.contact[k].r[0] = 0.08 * kilogram * meter / second * (k < 4 ? 2.0 : 1.0);
        step.contact[k].r[1] = k < 4 ? -0.01 * kilogram * meter / second : 0.0;
    }
    finish_step(&step);
    return step;
}

TEST(a_change_of_units_changes_nothing)
{
    const double units[][3] = {{1e6, 1, 1}, {1, 1e-3, 1}, {1e-6, 1e3, 1}, {1e6, 1e-3, 0.1}};
    Step step = any_units(1, 1, 1);
    const utCertificate base = judge_step(&step);
    CHECK(base.E > 1e-3);
    free_step(&step);
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        step = any_units(units[k][0], units[k][1], units[k][2]);
        const utCertificate c = judge_step(&step);
        CHECK_NEAR(c.E, base.E, 1e-12 * base.E);
        CHECK_NEAR(c.cone, base.cone, 1e-12 * base.cone);
        CHECK_NEAR(c.V, base.V * units[k][1] / units[k][2], 1e-12 * c.V);
        CHECK_INT(c.contact, base.contact);
        CHECK(c.momentum <= 1e-13);
        CHECK(c.stored <= 1e-13);
        free_step(&step);
    }
}

// ---- islands ------------------------------------------------------------------------------------

// Two particles side by side: the speed of one must not enter the scale of the other.
TEST(each_island_has_its_own_scale)
{
    Step step = make_stack(2, true, 2.0, RADIUS, 0.5, 10.0, 0.01);
    // the second particle lies on the floor, beside the first
    step.q[3] = 1.0;
    step.q[5] = -0.2;
    step.v[3] = 1000.0;
    add_contacts(&step, 0, -1);
    add_contacts(&step, 1, -1);
    for (int k = 0; k < 2; k++) {
        step.contact[k].r[0] = 0.2;
    }
    step.contact[1].r[1] = -0.1;
    step.contact[0].r[0] *= 1.0 + 1e-6;
    finish_step(&step);
    const utCertificate c = judge_step(&step);
    // V = h g: the error is E = 1e-6 in the scale of the first island, 1e-10 in that of the second
    CHECK_NEAR(c.E, 1e-6, 1e-9);
    CHECK_INT(c.contact, 0);
    CHECK_NEAR(c.V, 0.1, 1e-12);
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "complementarity");
    free_step(&step);
}

// ---- formulations -------------------------------------------------------------------------------

// A particle slides at 30 degrees from t1. On the inscribed polygon with 4 edges (a square on its
// corner) friction is along -t1, the vertex nearest to the slip; on the circumscribed one it is
// along the corner (-1, -1). Each is the point p of its section with the least p . u.
static Step polygonal(utFormulation formulation, int directions, double x, double y)
{
    Step step = make_stack(1, true, 2.0, RADIUS, 0.5, 10.0, 0.01);
    step.v[0] = 2.0 * cos(0.5235987755982988);
    step.v[1] = 2.0 * 0.5;
    add_contacts(&step, 0, -1);
    const double n = 2.0 * 10.0 * 0.01;
    step.contact[0].r[0] = n;
    step.contact[0].r[1] = 0.5 * n * x;
    step.contact[0].r[2] = 0.5 * n * y;
    step.report.formulation = formulation;
    step.report.directions = directions;
    finish_step(&step);
    return step;
}

TEST(polygonal_steps_are_judged_by_their_own_law)
{
    const utFormulation inscribed[] = {UT_FORMULATION_STEWART_TRINKLE,
                                       UT_FORMULATION_STEWART_TRINKLE_VELOCITY,
                                       UT_FORMULATION_ANITESCU_POTRA};
    for (int k = 0; k < 3; k++) {
        Step step = polygonal(inscribed[k], 4, -1.0, 0.0);
        utCertificate c = judge_step(&step);
        CHECK_TEXT(ut_certificate_reason_name(c.reason), "");
        // friction deviates by 30 degrees from that of the circle: 2 sin(15 deg) mu r_n / m at
        // most, with V = |u*| = sqrt(4.01)
        CHECK(c.model_gap > 0.01 && c.model_gap <= 0.52 * 0.05 / 2.0);
        step.report.formulation = UT_FORMULATION_PEIRET;
        CHECK(!judge_step(&step).passed);
        step.report.formulation = UT_FORMULATION_COULOMB;
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "complementarity");
        step.report.formulation = inscribed[k];
        step.report.directions = 5;
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "formulation");
        free_step(&step);
    }
    Step step = polygonal(UT_FORMULATION_PEIRET, 4, -1.0, -1.0);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
    step.report.formulation = UT_FORMULATION_STEWART_TRINKLE;
    CHECK(!judge_step(&step).passed);
    free_step(&step);
}

// Under the convex law a sliding contact opens with u_n = mu |u_t|.
TEST(the_convex_law_has_no_shift)
{
    Step step = make_stack(1, true, 2.0, RADIUS, 0.5, 10.0, 0.01);
    step.v[0] = 1.0;
    add_contacts(&step, 0, -1);
    // (r_n, -mu r_n): u_n = r_n / m - g h, u_t = 1 - mu r_n / m, u_n = mu u_t: r_n (1 +
    // mu^2) / m = mu + g h
    const double n = 2.0 * (0.5 + 0.1) / 1.25;
    step.contact[0].r[0] = n;
    step.contact[0].r[1] = -0.5 * n;
    finish_step(&step);
    step.report.formulation = UT_FORMULATION_CONVEX;
    const utCertificate c = judge_step(&step);
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "");
    CHECK(c.model_gap > 0.1);
    step.report.formulation = UT_FORMULATION_COULOMB;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "complementarity");
    free_step(&step);
}

// An overlap of 1e-4: `coulomb` keeps it, `stewart-trinkle` removes it in one step with
// r_n = m (g h + 1e-4 / h).
TEST(a_signed_gap_removes_an_overlap)
{
    for (int k = 0; k < 2; k++) {
        Step step = make_stack(1, true, 2.0, RADIUS, 0.5, 10.0, 0.01);
        step.q[2] = -1e-4;
        add_contacts(&step, 0, -1);
        step.contact[0].r[0] = 2.0 * (0.1 + (k == 0 ? 0.0 : 1e-2));
        finish_step(&step);
        step.report.directions = 8;
        step.report.formulation = k == 0 ? UT_FORMULATION_COULOMB : UT_FORMULATION_STEWART_TRINKLE;
        step.contact[0].b[0] = k == 0 ? 0.0 : -1e-4 / 0.01;
        step.contact[0].u[0] += step.contact[0].b[0];
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
        step.report.formulation = k == 1 ? UT_FORMULATION_COULOMB : UT_FORMULATION_STEWART_TRINKLE;
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "complementarity");
        free_step(&step);
    }
}

TEST(formulations_without_gaps_have_no_distant_contacts)
{
    Step step = make_stack(1, true, 2.0, RADIUS, 0.5, 10.0, 0.01);
    step.q[2] = 1e-3;
    step.report.directions = 4;
    add_contacts(&step, 0, -1);
    step.contact[0].r[0] = 0.2;
    finish_step(&step);
    step.contact[0].b[0] = 0.0;
    step.contact[0].u[0] = 0.0;
    step.report.formulation = UT_FORMULATION_ANITESCU_POTRA;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
    step.report.formulation = UT_FORMULATION_STEWART_TRINKLE_VELOCITY;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
    free_step(&step);
}
