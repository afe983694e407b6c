// SPDX-License-Identifier: Apache-2.0
// Rows G4, G22, G23 and G31: contacts that are open, bouncing or steady.
#include "igms_impacts.h"

static const double R = 0.1, H = 0.01, E = 0.6;

static const char* const detections[] = {"option.detection=located", "option.detection=step"};

// The ball of the seeds with one e.
static Lab thrown(utFormulation formulation, double e, double bounce, int detection)
{
    char settings[256];
    snprintf(settings, sizeof settings,
             "option.formulation=%s;ball.restitution=%.17g;option.bounce=%.17g;%s",
             ut_formulation_name(formulation), e, bounce, detections[detection]);
    return igms_scene("ball", settings);
}

// Each transition goes on from where the one before left the contact, and every change to bouncing
// or to steady is on its side of the threshold. @return the mode at the end
static utContactMode check_chain(const Log* log, int geom1, int geom2, double e, double bounce)
{
    utContactMode mode = UT_MODE_OPEN;
    double time = 0.0;
    for (int k = 0; k < log->transitions; k++) {
        const utTransition* t = &log->transition[k];
        if (t->geom1 != geom1 || t->geom2 != geom2) {
            continue;
        }
        CHECK_INT(t->from, mode);
        CHECK(t->to != t->from && t->time >= time);
        const double threshold = mode == UT_MODE_STEADY ? 2 * bounce : bounce;
        CHECK(t->to != UT_MODE_BOUNCING || e * t->speed > threshold);
        CHECK(t->to != UT_MODE_STEADY || e * t->speed <= bounce);
        mode = t->to;
        time = t->time;
    }
    return mode;
}

// It is steady from the moment at which it lands; from its last bounce on where it would be back
// within the same step.
static void check_landing(const utTransition* steady, const EventBall* want)
{
    const double hop = 2 * want->landing_speed / GRAVITY;
    const bool held = hop < H && steady != NULL && steady->time < want->landing - 0.5 * hop;
    if (CHECK(steady != NULL)) {
        CHECK_NEAR(steady->time, want->landing - (held ? hop : 0.0), 1e-9);
        CHECK_NEAR(steady->speed, held ? 0.0 : want->landing_speed, 1e-9);
    }
}

// ---- G4, G22: the log ---------------------------------------------------------------------------

TEST(G4_the_log_of_a_ball_that_bounces_and_rests)
{
    utArena arena = test_arena();
    Log* log = log_make(&arena);
    Lab lab = thrown(UT_FORMULATION_HYBRID, E, 0.1, 0);
    const EventBall want = event_ball(1.0, E, 0.1);
    log_run(&lab, log, 4.0);
    CHECK_INT(want.bounces, 7); // 0.6^7 4.43 = 0.124 is the last above 0.1
    CHECK_INT(log->impacts, want.bounces);
    for (int k = 0; k < log->impacts; k++) {
        CHECK_NEAR(log->impact[k].time, want.time[k], 1e-9);
        CHECK_NEAR(-log->impact[k].contact.u_n_before, want.speed[k], 1e-9);
    }
    CHECK_INT(check_chain(log, 0, 1, E, 0.1), UT_MODE_STEADY);
    int begun = 0, steady = 0;
    for (int k = 0; k < log->transitions; k++) {
        const utTransition* t = &log->transition[k];
        steady += t->to == UT_MODE_STEADY;
        if (t->to != UT_MODE_BOUNCING) {
            continue;
        }
        // it begins to bounce at one of its impacts; between low ones it stays within reach
        int which = begun;
        while (which < want.bounces && fabs(t->time - want.time[which]) > 1e-9) {
            which++;
        }
        CHECK(which < want.bounces);
        CHECK_NEAR(t->speed, want.speed[which], 1e-9);
        begun = which + 1;
    }
    CHECK_INT(log->transition[0].to, UT_MODE_BOUNCING);
    CHECK_INT(steady, 1);
    const utTransition* last = log_last(log, UT_MODE_STEADY);
    CHECK(last == &log->transition[log->transitions - 1]);
    check_landing(last, &want);
    lab_end(&lab);
}

TEST(G4_the_log_with_impacts_found_once_a_step)
{
    utArena arena = test_arena();
    Log* log = log_make(&arena);
    Lab lab = thrown(UT_FORMULATION_HYBRID, E, 0.1, 1);
    log_run(&lab, log, 4.0);
    CHECK_NEAR(log->impact[0].time, 0.46, 1e-12); // the first step that begins below
    CHECK_NEAR(-log->impact[0].contact.u_n_before, 0.46 * GRAVITY, 1e-12);
    for (int k = 0; k < log->impacts; k++) {
        CHECK(-E * log->impact[k].contact.u_n_before > 0.1);
        CHECK_NEAR(remainder(log->impact[k].time, H), 0.0, 1e-12);
    }
    CHECK_INT(check_chain(log, 0, 1, E, 0.1), UT_MODE_STEADY);
    lab_end(&lab);
}

// ---- G22: back to bouncing ----------------------------------------------------------------------

static int add_ball(Lab* lab, double z, double e)
{
    const int body = lab_body(lab, NULL, ut_vec3(0, 0, z));
    utGeomDef geom = ut_geom_def(body, UT_SHAPE_SPHERE, ut_vec3(R, 0, 0));
    lab_free(lab, body);
    geom.mass = 1.0;
    geom.friction = 0.3;
    geom.restitution = e;
    return ut_model_def_geom(lab->def, &geom);
}

static Lab open_hybrid(int detection)
{
    Lab lab = lab_open(H);
    lab.options.formulation = UT_FORMULATION_HYBRID;
    lab.options.detection = detection == 0 ? UT_DETECTION_LOCATED : UT_DETECTION_STEP;
    return lab;
}

// A slab that is moved from outside kicks a ball at rest on it. With e = 0.5 and the threshold at
// 0.1: 0.3 m/s, which is e u = 0.15, would let a falling ball bounce and does not move one at rest,
// which needs 0.2; 0.5 m/s does.
static void kick(double speed, int detection, Log* log)
{
    Lab lab = open_hybrid(detection);
    utBodyDef slab = ut_body_def();
    slab.pos = ut_vec3(0, 0, -0.5);
    slab.mocap = true;
    const int body = ut_model_def_body(lab.def, &slab);
    lab_geom(&lab, body, UT_SHAPE_BOX, ut_vec3(1, 1, 0.5), 1.0, 0.3);
    add_ball(&lab, R, 0.5);
    ut_model_def_options(lab.def, &lab.options);
    igms_start(&lab);
    utStepResult result;
    for (int k = 0; k < 10; k++) {
        log_step(&lab, log, NULL, &result);
    }
    CHECK_INT(log->transitions, 1);
    CHECK_INT(log->transition[0].to, UT_MODE_STEADY);
    const double higher[] = {0, 0, -0.5 + speed * H};
    log_step(&lab, log, &(utInput){.mocap_pos = higher}, &result);
    // a contact that holds carries it along; one that bounces throws it off, and then it falls
    const bool bounces = 0.5 * speed > 0.2;
    CHECK_INT(log->impacts, bounces);
    CHECK_NEAR(ut_sim_v(lab.sim)[2], bounces ? 1.5 * speed - GRAVITY * H : speed, 1e-9);
    for (int k = 0; k < 40; k++) {
        log_step(&lab, log, NULL, &result);
    }
    lab_end(&lab);
}

TEST(G22_a_steady_contact_that_is_kicked_bounces_again_above_twice_the_threshold)
{
    for (int d = 0; d < 2; d++) {
        utArena arena = test_arena();
        Log* log = log_make(&arena);
        kick(0.5, d, log);
        CHECK_INT(log->transition[1].from, UT_MODE_STEADY);
        CHECK_INT(log->transition[1].to, UT_MODE_BOUNCING);
        CHECK_NEAR(log->transition[1].time, 10 * H, 1e-12);
        CHECK_NEAR(log->transition[1].speed, 0.5, 1e-12);
        CHECK_INT(log->impact[0].step, 11);
        CHECK_NEAR(log->impact[0].contact.rebound, 0.25, 1e-12);
        // flies off from steady; what comes back at 0.3 m/s is not steady, and bounces
        *log = (Log){0};
        kick(0.3, d, log);
        CHECK_INT(log->transition[1].from, UT_MODE_STEADY);
        CHECK_INT(log->transition[1].to, UT_MODE_OPEN);
        CHECK_INT(log->transition[2].from, UT_MODE_OPEN);
        CHECK_INT(log->transition[2].to, UT_MODE_BOUNCING);
        CHECK_NEAR(log->transition[2].speed, 0.3, d == 0 ? 1e-9 : GRAVITY * H);
        CHECK(log->impacts >= 1);
    }
}

// Half a percent on both sides of twice the threshold, e u = 0.2.
TEST(G22_a_steady_contact_bounces_again_at_twice_the_threshold_within_half_a_percent)
{
    for (int d = 0; d < 2; d++) {
        utArena arena = test_arena();
        Log* log = log_make(&arena);
        kick(0.402, d, log);
        CHECK_INT(log->transition[1].to, UT_MODE_BOUNCING);
        *log = (Log){0};
        kick(0.398, d, log);
        CHECK_INT(log->transition[1].to, UT_MODE_OPEN);
    }
}

// A ball that falls 0.2 m onto one at rest. One collision after the other: the lower ball takes
// over (1 + e)/2 of the speed and strikes the floor with it. All at once: the floor holds it.
TEST(G22_a_ball_at_rest_that_is_hit_strikes_the_floor)
{
    const double v = sqrt(2 * GRAVITY * 0.2), e = 0.5;
    for (int propagate = 0; propagate < 2; propagate++) {
        utArena arena = test_arena();
        Log* log = log_make(&arena);
        Lab lab = open_hybrid(0);
        lab.options.simultaneous = propagate ? UT_SIMULTANEOUS_PROPAGATE : UT_SIMULTANEOUS_MOREAU;
        const int floor = lab_floor(&lab, 0.3), lower = add_ball(&lab, R, e);
        const int upper = add_ball(&lab, 3 * R + 0.2, e);
        ut_model_def_options(lab.def, &lab.options);
        igms_start(&lab);
        log_run(&lab, log, 2.0);
        const utTransition* again = NULL;
        const utTransition* met = NULL;
        for (int k = 0; k < log->transitions; k++) {
            const utTransition* t = &log->transition[k];
            const bool below = t->geom1 == floor && t->geom2 == lower;
            again = again == NULL && below && t->to == UT_MODE_BOUNCING ? t : again;
            met = met == NULL && t->geom1 == lower && t->geom2 == upper ? t : met;
        }
        CHECK(met != NULL && met->from == UT_MODE_OPEN && met->to == UT_MODE_BOUNCING);
        CHECK_NEAR(met->time, v / GRAVITY, 1e-9);
        CHECK_NEAR(met->speed, v, 1e-9);
        if (propagate == 1 && CHECK(again != NULL)) {
            CHECK_INT(again->from, UT_MODE_STEADY);
            CHECK_NEAR(again->time, v / GRAVITY, 1e-9);
            CHECK_NEAR(again->speed, 0.5 * (1 + e) * v, 1e-9);
        }
        CHECK(propagate == 1 || again == NULL || again->time > v / GRAVITY + H);
        // both come to rest, one on the other
        CHECK_INT(check_chain(log, floor, lower, e, 0.1), UT_MODE_STEADY);
        CHECK_INT(check_chain(log, lower, upper, e, 0.1), UT_MODE_STEADY);
        CHECK_NEAR(ut_sim_q(lab.sim)[9], 3 * R, 1e-6);
        lab_end(&lab);
    }
}

// ---- G23: the tolerance -------------------------------------------------------------------------

TEST(G23_bouncing_ends_below_the_tolerance)
{
    CHECK_NEAR(ut_options().bounce, 0.1, 0.0); // as docs/impacts.md says
    const double e = 0.7;
    for (int d = 0; d < 2; d++) {
        const double tolerance[] = {0.02, 0.05, 0.1, 0.3, 1.0};
        int before = 1000;
        for (int k = 0; k < 5; k++) {
            utArena arena = test_arena();
            Log* log = log_make(&arena);
            Lab lab = thrown(UT_FORMULATION_HYBRID, e, tolerance[k], d);
            log_run(&lab, log, 3.0);
            const EventBall want = event_ball(1.0, e, tolerance[k]);
            const utTransition* last = log_last(log, UT_MODE_STEADY);
            CHECK_INT(check_chain(log, 0, 1, e, tolerance[k]), UT_MODE_STEADY);
            CHECK(last != NULL && e * last->speed <= tolerance[k]);
            if (d == 0) {
                CHECK_INT(log->impacts, want.bounces);
                check_landing(last, &want);
            }
            // a larger tolerance, an earlier end; found once a step it may be by the same step
            CHECK(log->impacts < before + d);
            before = log->impacts;
            lab_end(&lab);
        }
    }
}

// A ball with e = 0.5 that comes down at (1 + part) 0.2 m/s: e u is half a percent above the threshold of
// 0.1 m/s, or below.
TEST(G23_a_ball_bounces_half_a_percent_above_the_tolerance_and_lands_below)
{
    for (int above = 0; above < 2; above++) {
        utArena arena = test_arena();
        Log* log = log_make(&arena);
        Lab lab = open_hybrid(0);
        utStepResult result;
        const double speed = 0.2 * (above == 1 ? 1.005 : 0.995);
        lab_floor(&lab, 0.3);
        add_ball(&lab, R + speed * speed / (2.0 * GRAVITY), 0.5);
        ut_model_def_options(lab.def, &lab.options);
        igms_start(&lab);
        for (int k = 0; k < 4; k++) { // it arrives in the third step
            log_step(&lab, log, NULL, &result);
        }
        CHECK_INT(log->impacts, above);
        CHECK_INT(log->transition[0].from, UT_MODE_OPEN);
        CHECK_INT(log->transition[0].to, above == 1 ? UT_MODE_BOUNCING : UT_MODE_STEADY);
        CHECK_NEAR(log->transition[0].time, speed / GRAVITY, 1e-9);
        CHECK_NEAR(log->transition[0].speed, speed, 1e-9);
        lab_end(&lab);
    }
}

// ---- G31: the hybrid ball rests -----------------------------------------------------------------

TEST(G31_the_ball_rests_and_its_transient_grows_with_e)
{
    for (int d = 0; d < 2; d++) {
        double before = 0.0;
        for (int k = 1; k <= 9; k++) {
            const double e = 0.1 * k;
            utArena arena = test_arena();
            Log* log = log_make(&arena);
            Lab lab = thrown(UT_FORMULATION_HYBRID, e, 0.1, d);
            const EventBall want = event_ball(1.0, e, 0.1);
            log_run(&lab, log, want.landing + 0.3);
            const utTransition* rests = log_last(log, UT_MODE_STEADY);
            if (!CHECK(rests != NULL)) {
                continue;
            }
            CHECK(rests->time > before);
            before = rests->time;
            if (d == 0) {
                check_landing(rests, &want);
            }
            CHECK_NEAR(ut_sim_q(lab.sim)[2], R, 1e-9);
            CHECK_NEAR(ut_sim_v(lab.sim)[2], 0.0, 1e-9);
            test_note("%s, e = %.1f: steady at %.2f s (%.3f) after %d impacts",
                      d == 0 ? "located" : "step", e, rests->time, want.landing, log->impacts);
            lab_end(&lab);
        }
    }
}
