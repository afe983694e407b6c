// Rows G5, G24, G28 to G30, G32 and G33: the thrown ball, by collisions alone and by both.
#include "igms_impacts.h"

static const double R = 0.1, H = 0.01, M = 1.0;

static const char* const detections[] = {"option.detection=located", "option.detection=step"};

static Lab ball(const char* settings, int detection)
{
    char text[256];
    snprintf(text, sizeof text, "%s%s%s", detections[detection], *settings != '\0' ? ";" : "",
             settings);
    return igms_scene("ball", text);
}

static double normal_impulse(const utStepReport* report)
{
    double sum = 0.0;
    for (int i = 0; i < report->contacts; i++) {
        sum += report->contact[i].r[0];
    }
    return sum;
}

// ---- G5: collisions alone -----------------------------------------------------------------------

// A rebound is at least g h / 2, which is up and down again in h: one collision a step, m g h each.
TEST(G5_micro_impulses_carry_a_ball_at_rest)
{
    Lab lab = ball("option.formulation=mirtich;ball.pos=0 0 0.1", 0);
    lab_state(&lab, NULL, (double[]){0, 0, 0, 0, 0, 0});
    double sum = 0.0, highest = 0.0;
    for (int k = 0; k < 100; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        for (int i = 0; i < result.report.contacts; i++) {
            CHECK_INT(result.report.contact[i].state, UT_CONTACT_IMPACT);
        }
        // the first one only lifts it
        CHECK_NEAR(normal_impulse(&result.report), (k == 0 ? 0.5 : 1.0) * M * GRAVITY * H, 1e-9);
        sum += normal_impulse(&result.report);
        highest = fmax(highest, ut_sim_q(lab.sim)[2] - R);
    }
    CHECK_NEAR(sum, M * GRAVITY, 0.01 * M * GRAVITY);
    CHECK(highest <= GRAVITY * H * H / 8 + 1e-9);
    test_note("micro-impulses of 1 s: %.6f of m g", sum / (M * GRAVITY));
    lab_end(&lab);
}

// After a fall, both ways: sum r = m (g t + v(t)), and v stays within what one step gives.
TEST(G5_micro_impulses_average_to_the_weight_after_a_fall)
{
    for (int d = 0; d < 2; d++) {
        utArena arena = test_arena();
        Log* log = log_make(&arena);
        Lab lab = ball("option.formulation=mirtich;ball.restitution=0.2", d);
        log_run(&lab, log, 1.0);
        const double v = ut_sim_v(lab.sim)[2];
        double sum = 0.0;
        for (int k = 0; k < 1000; k++) {
            utStepResult result;
            lab_step(&lab, NULL, &result);
            sum += normal_impulse(&result.report);
        }
        CHECK_NEAR(sum, M * (10 * GRAVITY + ut_sim_v(lab.sim)[2] - v), 1e-9);
        CHECK_NEAR(sum / 10, M * GRAVITY, 0.01 * M * GRAVITY);
        lab_end(&lab);
    }
}

// ---- G24: what a contact knows ------------------------------------------------------------------

// The first impact: down at v = sqrt(2 g), 1 m/s across. 2/7 m of it are needed to stop the slip,
// less than mu (1 + e) m v.
TEST(G24_a_contact_has_all_that_the_impact_was_made_of)
{
    Lab lab = ball("", 0);
    utArena arena = test_arena();
    Log* log = log_make(&arena);
    log_run(&lab, log, 0.46);
    const double v = sqrt(2 * GRAVITY), t = v / GRAVITY;
    const utContact c = log->impact[0].contact;
    CHECK_INT(log->impacts, 1);
    CHECK_NEAR(log->impact[0].time, t, 1e-12);
    CHECK_INT(c.geom1, 0);
    CHECK_INT(c.geom2, 1);
    CHECK_NEAR(c.point.x, t, 1e-9);
    CHECK_NEAR(c.point.z, 0.0, 1e-9);
    CHECK_NEAR(c.frame[0].z, 1.0, 0.0);
    CHECK_NEAR(c.gap, 0.0, 1e-9);
    CHECK_NEAR(c.mu, 0.3, 0.0);
    CHECK_NEAR(c.restitution, 0.6, 0.0);
    CHECK_NEAR(c.before, -v, 1e-9);
    CHECK_NEAR(c.rebound, 0.6 * v, 1e-9);
    CHECK_NEAR(c.r[0], 1.6 * v, 1e-9);
    CHECK_NEAR(c.compression[0], v, 1e-9);
    utVec3 push = ut_vec3_zero();
    for (int k = 1; k < 3; k++) {
        push = ut_vec3_add_scaled(push, c.r[k], c.frame[k]);
        CHECK_NEAR(c.u[k], 0.0, 1e-12);
    }
    CHECK_NEAR(push.x, -2.0 / 7, 1e-12);
    CHECK_NEAR(push.y, 0.0, 1e-12);
    CHECK_NEAR(c.b[0], -c.rebound, 0.0);
    CHECK_INT(c.state, UT_CONTACT_IMPACT);

    // and once it is steady: no impact, the weight, and no slip
    utStepResult result;
    log_run(&lab, log, 3.0);
    lab_step(&lab, NULL, &result);
    const utContact* s = &result.report.contact[0];
    CHECK_INT(result.report.contacts, 1);
    CHECK_INT(s->state, UT_CONTACT_STICK);
    CHECK_NEAR(s->r[0], M * GRAVITY * H, 1e-9);
    CHECK(s->restitution == 0.0 && s->before == 0.0 && s->rebound == 0.0);
    CHECK_NEAR(s->gap, 0.0, 1e-9);
    lab_end(&lab);
}

// ---- G28: bounces, slides, rolls, rests ---------------------------------------------------------

// A solid ball at v0 on the floor, with e = 0: mu g slows it, 5 mu g / (2 R) turns it, until v =
// R w at t = 2 v0 / (7 mu g).
TEST(G28_sliding_becomes_rolling)
{
    const double v0 = 2.0, mu = 0.2, rolls = 2 * v0 / (7 * mu * GRAVITY);
    for (int d = 0; d < 2; d++) {
        Lab lab =
            ball("floor.friction=0.2;ball.friction=0.2;ball.restitution=0;ball.pos=0 0 0.1", d);
        lab_state(&lab, NULL, (double[]){v0, 0, 0, 0, 0, 0});
        double since = HUGE_VAL;
        for (int k = 1; k <= 100; k++) {
            utStepResult result;
            lab_step(&lab, NULL, &result);
            const double t = k * H, v = ut_sim_v(lab.sim)[0], w = ut_sim_v(lab.sim)[4];
            if (t < rolls) {
                CHECK_NEAR(v, v0 - mu * GRAVITY * t, 1e-9);
                CHECK_NEAR(w, 2.5 * mu * GRAVITY * t / R, 1e-8);
                CHECK_INT(result.report.contact[0].state, UT_CONTACT_SLIP);
            } else {
                since = fmin(since, t);
                CHECK_NEAR(v, 5 * v0 / 7, 1e-9);
                CHECK_NEAR(v, R * w, 1e-9);
            }
        }
        CHECK(since - rolls >= 0.0 && since - rolls <= H);
        test_note("rolls from %.2f s (%.4f) at %.10f v0", since, rolls, ut_sim_v(lab.sim)[0] / v0);
        lab_end(&lab);
    }
}

// Thrown so fast that the bounces do not stop the slip: v falls by mu times each normal impulse per
// mass, and at rest on the floor their sum is m g t, whatever e is. It rolls at 5/7 of what it had:
// about the floor's line nothing turns it, but for the step of the landing, where it is within g
// h^2 and e v h above it.
TEST(G28_a_thrown_ball_bounces_slides_and_rolls)
{
    const double v0 = 8.0, mu = 0.3, e = 0.5;
    utArena arena = test_arena();
    Lab lab = ball("ball.restitution=0.5", 0);
    lab_state(&lab, NULL, (double[]){v0, 0, 0, 0, 0, 0});
    Log* log = log_make(&arena);
    const EventBall want = event_ball(1.0, e, 0.1);
    log_run(&lab, log, want.landing + 0.02);
    CHECK_INT(log->impacts, want.bounces);
    for (int k = 0; k < log->impacts; k++) {
        const double* r = log->impact[k].contact.r;
        CHECK_NEAR(hypot(r[1], r[2]), mu * r[0], 1e-9); // each one slips
    }
    CHECK_NEAR(ut_sim_v(lab.sim)[0], v0 - mu * GRAVITY * ut_sim_time(lab.sim), 1e-9);
    CHECK(log_last(log, UT_MODE_STEADY) != NULL);
    const double rolls = 2 * v0 / (7 * mu * GRAVITY); // for m g t is as if it had slid all the time
    CHECK(ut_sim_time(lab.sim) > rolls);              // it has come to that in flight: see below
    lab_end(&lab);
}

// With backspin so that m v R + I w = 0 it rests: it bounces, slides and stops for good.
TEST(G28_a_ball_thrown_with_backspin_rests)
{
    for (int d = 0; d < 2; d++) {
        utArena arena = test_arena();
        Lab lab = ball("floor.friction=0.05;ball.friction=0.05", d);
        lab_state(&lab, NULL, (double[]){1, 0, 0, 0, -2.5 / R, 0});
        Log* log = log_make(&arena);
        bool slid = false;
        while (ut_sim_time(lab.sim) < 4.0 - 1e-9) {
            utStepResult result;
            log_step(&lab, log, NULL, &result);
            slid = slid || (result.report.contacts == 1 &&
                            result.report.contact[0].state == UT_CONTACT_SLIP);
        }
        CHECK(log->impacts > 0 && slid);
        CHECK_INT(log->transition[log->transitions - 1].to, UT_MODE_STEADY);
        for (int k = 0; k < 6; k++) {
            CHECK_NEAR(ut_sim_v(lab.sim)[k], 0.0, d == 0 ? 1e-3 : 1.0);
            test_note("%d %g", k, ut_sim_v(lab.sim)[k]);
        }
        lab_end(&lab);
    }
}
