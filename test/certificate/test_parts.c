// SPDX-License-Identifier: Apache-2.0
// Instants and steps with parts: a particle falls on the floor, bounces and rises.
#include "scene.h"

static const double RADIUS[3] = {0.1, 0, 0};
static const double HALF[3] = {0.2, 0.1, 0.05};

// ---- instants -----------------------------------------------------------------------------------

// A particle of 2 kg arrives with (3, 4, -1) m/s and stays on the floor, mu = 0.5: r_n = 2, and
// friction mu r_n = 1 against (0.6, 0.8) reduces the slip from 5 to 4.5 m/s.
static Step landing(void)
{
    Step step = make_instant(1, true, 2.0, RADIUS, 0.5, 0.0);
    step.report.formulation = UT_FORMULATION_MIRTICH;
    step.v[0] = 3.0;
    step.v[1] = 4.0;
    step.v[2] = -1.0;
    add_contacts(&step, 0, -1);
    step.contact[0].r[0] = 2.0;
    step.contact[0].r[1] = -0.6;
    step.contact[0].r[2] = -0.8;
    finish_step(&step);
    return step;
}

// A box of 3 kg comes down flat with 2 m/s: each corner takes a quarter.
static Step flat_box(void)
{
    Step step = make_instant(1, false, 3.0, HALF, 0.8, 0.0);
    step.v[2] = -2.0;
    add_contacts(&step, 0, -1);
    for (int k = 0; k < 4; k++) {
        step.contact[k].r[0] = 1.5;
    }
    finish_step(&step);
    return step;
}

TEST(instants_by_hand_pass)
{
    Step step = landing();
    utCertificate c = judge_step(&step);
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "");
    CHECK_NEAR(c.E, 0.0, 1e-14);
    CHECK_NEAR(c.V, sqrt(26.0), 1e-14);
    // the loss is r . (v + v+) / 2: 2 * 0.5 along the normal, 1 * 4.75 along the slip
    CHECK_NEAR(c.energy_gain, -1.0 - 4.75, 1e-14);
    free_step(&step);
    step = flat_box();
    c = judge_step(&step);
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "");
    CHECK_NEAR(c.energy_gain, -6.0, 1e-14);
    free_step(&step);
}

// Integrator, forces and actuators have no effect in an instant.
TEST(only_impulses_act_in_an_instant)
{
    Step step = landing();
    step.report.integrator = UT_INTEGRATOR_RK4;
    step.applied[1].force = ut_vec3(7.0, 0.0, 0.0);
    step.force[0] = 3.0;
    step.actuator_diagonal[1] = 2.0;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
    CHECK_NEAR(judge_step(&step).energy_gain, -5.75, 1e-14);
    free_step(&step);
}

static void take_time(Step* s)
{
    s->report.h = 1e-12;
}

static void go_back_in_time(Step* s)
{
    s->report.h = -0.001;
}

static void move_on(Step* s)
{
    // the height of the box is 0.05, that of the particle 0
    s->q_next[2] = nextafter(s->q_next[2], 1.0);
}

static void project(Step* s)
{
    s->report.projection = s->force;
}

static void look_ahead(Step* s)
{
    s->report.v_ahead = s->force;
}

static void be_free_of_something(Step* s)
{
    s->v_free[0] += 1e-8;
}

static void push_more(Step* s)
{
    s->contact[0].r[0] *= 1.0 + 1e-7;
    finish_step(s);
}

static void push_without_moving(Step* s)
{
    s->contact[0].r[0] *= 1.0 + 1e-7;
}

static void rub_too_much(Step* s)
{
    s->contact[0].r[1] = 1.001 * s->contact[0].mu * s->contact[0].r[0];
    s->contact[0].r[2] = 0.0;
    finish_step(s);
}

static void pull(Step* s)
{
    s->contact[0].r[0] = -1e-3;
    finish_step(s);
}

static void store_another(Step* s)
{
    s->v_next[1] += 1e-8;
}

static void have_friction(Step* s)
{
    s->report.rows = 1;
    s->row[0] = (utRow){
        .kind = UT_ROW_FRICTION, .actuator = -1, .dofs = 1, .direction = {1.0}, .length = 1.0};
}

static void be_an_acceleration(Step* s)
{
    s->report.formulation = UT_FORMULATION_PEIRET_ACCELERATION;
    s->report.directions = 4;
}

static void tell_another_b(Step* s)
{
    s->contact[0].b[0] = -1e-6;
}

static void have_parts(Step* s)
{
    s->report.parts = -1;
}

TEST(every_spoiled_instant_fails_for_its_reason)
{
    const Spoiled cases[] = {
        {take_time, "report"},
        {go_back_in_time, "report"},
        {move_on, "position"},
        {project, "report"},
        {look_ahead, "report"},
        {be_free_of_something, "momentum"},
        {push_more, "complementarity"},
        {push_without_moving, "momentum"},
        {rub_too_much, "cone"},
        {pull, "cone"},
        {store_another, NULL},
        {have_friction, "active set"},
        {be_an_acceleration, "formulation"},
        {tell_another_b, "reported"},
        {have_parts, "parts"},
    };
    const Maker makers[] = {landing, flat_box};
    check_spoiled(2, makers, (int)(sizeof cases / sizeof *cases), cases);
}

// A contact 1e-8 above the floor does not touch it, one 1e-12 above does; its
// gap does not enter b_n.
TEST(only_touching_contacts_act_in_an_instant)
{
    const double gaps[2] = {1e-12, 1e-8};
    for (int k = 0; k < 2; k++) {
        Step step = make_instant(1, true, 2.0, RADIUS, 0.5, 0.0);
        step.q[2] = gaps[k];
        step.v[2] = -1.0;
        add_contacts(&step, 0, -1);
        step.contact[0].r[0] = 2.0;
        step.contact[0].gap = gaps[k];
        finish_step(&step);
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason),
                   k == 0 ? "" : "active set");
        free_step(&step);
    }
}

// `mirtich` has no contacts in sub-steps.
TEST(a_contact_in_a_sub_step_of_mirtich_fails)
{
    Step step = make_stack(1, true, 2.0, RADIUS, 0.5, 10.0, 0.01);
    step.report.formulation = UT_FORMULATION_MIRTICH;
    finish_step(&step);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), ""); // it falls
    add_contacts(&step, 0, -1);
    step.contact[0].r[0] = 0.2;
    finish_step(&step);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
    step.report.formulation = UT_FORMULATION_HYBRID;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
    step.report.directions = 8;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
    step.report.directions = 7;
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "formulation");
    free_step(&step);
}

// ---- parts --------------------------------------------------------------------------------------

enum { PARTS = 3 };

// A step with three parts and their contacts, rows and islands.
typedef struct Chain {
    Step part[PARTS];
    utStepReport reports[PARTS];
    utStepReport whole;
    utContact contact[PARTS];
    utIsland island[PARTS];
} Chain;

static void add_part(Chain* chain, int k)
{
    Step* step = &chain->part[k];
    step->report.model = step->model = chain->part[0].model;
    finish_step(step);
    judge_step(step); // sets the report's pointers
    chain->reports[k] = step->report;
    for (int i = 0; i < step->report.contacts; i++) {
        chain->contact[chain->whole.contacts] = step->contact[i];
        chain->contact[chain->whole.contacts++].island = chain->whole.islands;
        chain->island[chain->whole.islands++] = step->island[0];
    }
    chain->whole.h += step->report.h;
}

static void follow(Chain* chain, int k)
{
    Step* step = &chain->part[k];
    const Step* before = &chain->part[k - 1];
    memcpy(step->q, before->q_next, sizeof step->q);
    memcpy(step->v, before->v_next, sizeof step->v);
    step->report.time = before->report.time + before->report.h;
}

// From 0.011 m above the floor the particle falls with 1 m/s for 0.01 s, arrives with 1.1 m/s, is
// stopped and slides on for 0.02 s.
static void make_chain(Chain* chain)
{
    *chain = (Chain){.part = {make_stack(1, true, 2.0, RADIUS, 0.5, 10.0, 0.01)}};
    const Step fresh = chain->part[0];
    chain->part[0].q[2] = 0.011;
    chain->part[0].v[2] = -1.0;
    chain->part[0].v[0] = 3.0;
    chain->part[0].report.time = 0.25;
    chain->part[0].report.formulation = UT_FORMULATION_HYBRID;
    add_part(chain, 0);

    chain->part[1] = fresh;
    chain->part[1].report.instant = true;
    chain->part[1].report.h = 0.0;
    chain->part[1].report.formulation = UT_FORMULATION_HYBRID;
    chain->part[1].report.islands = 1;
    follow(chain, 1);
    add_contacts(&chain->part[1], 0, -1);
    chain->part[1].contact[0].gap = 0.0; // to 1e-18
    chain->part[1].contact[0].r[0] = 2.2;
    chain->part[1].contact[0].r[1] = -1.1;
    add_part(chain, 1);

    chain->part[2] = fresh;
    chain->part[2].report.h = 0.02;
    chain->part[2].report.formulation = UT_FORMULATION_HYBRID;
    chain->part[2].report.islands = 1;
    follow(chain, 2);
    add_contacts(&chain->part[2], 0, -1);
    chain->part[2].contact[0].gap = 0.0;
    chain->part[2].contact[0].r[0] = 2.0 * 10.0 * 0.02 + 2.0 * chain->part[1].v_next[2];
    chain->part[2].contact[0].r[1] = -0.5 * chain->part[2].contact[0].r[0];
    add_part(chain, 2);

    utStepReport whole = chain->reports[0];
    whole.q_next = chain->part[2].q_next;
    whole.v_next = chain->part[2].v_next;
    whole.contacts = chain->whole.contacts;
    whole.islands = chain->whole.islands;
    whole.h = chain->whole.h;
    whole.contact = chain->contact;
    whole.island = chain->island;
    whole.parts = PARTS;
    whole.part = chain->reports;
    // the input is the same in all parts
    for (int k = 1; k < PARTS; k++) {
        chain->reports[k].ctrl = chain->reports[0].ctrl;
        chain->reports[k].applied = chain->reports[0].applied;
    }
    chain->whole = whole;
}

static utCertificate judge_chain(const Chain* chain)
{
    utCertificate c;
    memset(&c, 0x55, sizeof c);
    CHECK_INT(ut_certify(&chain->whole, 1e-8, test_arena(), &c), UT_OK);
    return c;
}

TEST(parts_are_certified_one_by_one_and_the_worst_counts)
{
    Chain chain;
    make_chain(&chain);
    utCertificate c = judge_chain(&chain);
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "");
    CHECK(c.passed);
    CHECK(c.E <= 1e-13);
    // energy is lost in the impact, r . (v + v+) / 2 = 2.2 * 0.55 + 1.1 * 2.725, and by falling and
    // sliding with Euler's method
    CHECK(c.energy_gain < -1.21 - 2.9);

    // the last part's contact is the second of the step
    chain.part[2].contact[0].r[0] *= 1.0 + 1e-6;
    chain.contact[1].r[0] = chain.part[2].contact[0].r[0];
    finish_step(&chain.part[2]);
    chain.contact[1] = chain.part[2].contact[0];
    chain.contact[1].island = 1;
    c = judge_chain(&chain);
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "complementarity");
    CHECK_INT(c.contact, 1);
    CHECK(c.E > 1e-8);
    // the impact has the larger error
    chain.part[1].contact[0].r[0] *= 1.0 + 1e-4;
    finish_step(&chain.part[1]);
    c = judge_chain(&chain);
    CHECK_INT(c.contact, 0);
    free_step(&chain.part[0]);
}

// Parts are certified one after the other and reuse the memory of the part before.
TEST(a_step_needs_no_more_memory_than_its_largest_part)
{
    Chain chain;
    make_chain(&chain);
    utCertificate c;
    size_t largest = 0;
    for (int k = 0; k < chain.whole.parts; k++) {
        utArena one;
        CHECK_INT(ut_arena_create(0, NULL, &one), UT_OK);
        CHECK_INT(ut_certify(&chain.whole.part[k], 1e-8, one, &c), UT_OK);
        largest = ut_arena_peak(&one) > largest ? ut_arena_peak(&one) : largest;
        ut_arena_destroy(&one);
    }
    utArena all;
    CHECK_INT(ut_arena_create(0, NULL, &all), UT_OK);
    CHECK_INT(ut_certify(&chain.whole, 1e-8, all, &c), UT_OK);
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "");
    CHECK(largest > 0 && ut_arena_peak(&all) == largest);
    ut_arena_destroy(&all);
    free_step(&chain.part[0]);
}

// ---- chains that are broken ---------------------------------------------------------------------

static double q_else[3], v_else[3];

static void other_state(const double* from, double* to, int k)
{
    memcpy(to, from, 3 * sizeof *to);
    to[k] = nextafter(to[k], 10.0);
}

static void begin_elsewhere(Chain* c)
{
    other_state(c->whole.q, q_else, 0);
    c->whole.q = q_else;
}

static void begin_faster(Chain* c)
{
    other_state(c->whole.v, v_else, 0);
    c->whole.v = v_else;
}

static void end_elsewhere(Chain* c)
{
    other_state(c->whole.q_next, q_else, 1);
    c->whole.q_next = q_else;
}

static void end_faster(Chain* c)
{
    other_state(c->whole.v_next, v_else, 2);
    c->whole.v_next = v_else;
}

static void jump(Chain* c)
{
    // the third part is valid by itself
    c->part[2].q[1] = nextafter(c->part[2].q[1], 1.0);
    finish_step(&c->part[2]);
}

static void speed_up(Chain* c)
{
    c->part[2].v[1] = nextafter(c->part[2].v[1], 1.0);
    finish_step(&c->part[2]);
    c->contact[1] = c->part[2].contact[0];
    c->contact[1].island = 1;
}

static void wait(Chain* c)
{
    c->reports[2].time += 1e-12;
}

static void start_later(Chain* c)
{
    c->whole.time += 1e-15;
}

static void last_longer(Chain* c)
{
    c->whole.h += 1e-13;
}

static void last_forever(Chain* c)
{
    c->whole.h = HUGE_VAL;
}

static void lose_a_part(Chain* c)
{
    c->whole.parts = 2;
}

static void nest(Chain* c)
{
    c->reports[0].parts = 1;
    c->reports[0].part = c->reports;
}

static void lose_parts(Chain* c)
{
    c->whole.part = NULL;
}

static void lose_a_contact(Chain* c)
{
    c->whole.contacts = 1;
}

static void change_an_impulse(Chain* c)
{
    c->contact[1].r[2] = 1e-18;
}

static void change_an_island(Chain* c)
{
    c->contact[1].island = 0;
}

static void change_restitution_scale(Chain* c)
{
    c->island[0].restitution_scale = 0.5;
}

static void swap_contacts(Chain* c)
{
    const utContact first = c->contact[0];
    c->contact[0] = c->contact[1];
    c->contact[1] = first;
}

static void be_heavier(Chain* c)
{
    c->whole.gravity.z -= 1e-9;
}

static void be_something_else(Chain* c)
{
    c->whole.formulation = UT_FORMULATION_COULOMB;
}

static void raise_minimum_rebound(Chain* c)
{
    c->reports[1].minimum_rebound = 0.5 * 10.0 * 0.03 * (1.0 + 1e-9);
}

static void hop_downwards(Chain* c)
{
    c->reports[1].minimum_rebound = -1e-9;
}

static void be_an_instant(Chain* c)
{
    c->whole.instant = true;
}

static void lose_energy(Chain* c)
{
    c->whole.energy_next = (double)NAN;
}

static void hop_nowhere(Chain* c)
{
    c->whole.minimum_rebound = (double)NAN;
}

static void act_otherwise(Chain* c)
{
    c->whole.applied = NULL;
}

TEST(parts_that_do_not_follow_each_other_fail)
{
    void (*const cases[])(Chain*) = {
        begin_elsewhere,
        begin_faster,
        end_elsewhere,
        end_faster,
        jump,
        speed_up,
        wait,
        start_later,
        last_longer,
        last_forever,
        lose_a_part,
        nest,
        lose_parts,
        lose_a_contact,
        change_an_impulse,
        change_restitution_scale,
        swap_contacts,
        be_heavier,
        be_something_else,
        raise_minimum_rebound,
        hop_downwards,
        be_an_instant,
        lose_energy,
        hop_nowhere,
        act_otherwise,
        change_an_island,
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Chain chain;
        make_chain(&chain);
        cases[k](&chain);
        const utCertificate c = judge_chain(&chain);
        if (!CHECK(!c.passed) || !CHECK_TEXT(ut_certificate_reason_name(c.reason), "parts")) {
            test_note("case %d: %s", (int)k, ut_certificate_reason_name(c.reason));
        }
        free_step(&chain.part[0]);
    }
}
