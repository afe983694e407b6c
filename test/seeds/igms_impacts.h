// SPDX-License-Identifier: Apache-2.0
// What the tests of impacts and of the hybrid scheme share: the scenes scenes/seeds/igms-*.xml with
// other values, a log of all that bounced, and a ball that bounces by closed forms alone.
#ifndef UPTACK_TEST_SEEDS_IGMS_IMPACTS_H
#define UPTACK_TEST_SEEDS_IGMS_IMPACTS_H

#include <stdio.h>
#include <uptack/impact.h>
#include <uptack/io.h>

#include "cases.h"

// ---- scenes -------------------------------------------------------------------------------------

/// A sim of a description, at its first keyframe. Steps are taken whatever is said of them, and
/// counted: lab_end wants each of them certified.
static inline void igms_start(Lab* lab)
{
    utSimDef def = ut_sim_def();
    utError err = {0};
    def.keep_going = true;
    if (ut_model_compile(lab->def, NULL, &lab->model, &err) != UT_OK ||
        ut_sim_create(lab->model, &def, &lab->sim, &err) != UT_OK ||
        ut_sim_reset(lab->sim, lab->model->nkeyframe > 0 ? 0 : -1, &err) != UT_OK) {
        test_note("%s", err.message);
        CHECK(false);
        exit(1);
    }
    lab->options = lab->model->options;
}

/// A file with some of its values changed. @param settings "NAME.ATTR=VALUE;NAME.ATTR=VALUE"
static inline Lab igms_file(const char* path, const char* settings)
{
    Lab lab = {0};
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &lab.def), UT_OK);
    if (!CHECK_INT(ut_mjcf_load(path, NULL, lab.def, NULL, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    char text[512];
    snprintf(text, sizeof text, "%s", settings);
    for (char* at = text; *at != '\0';) {
        char* end = at + strcspn(at, ";");
        char* value = strchr(at, '=');
        char* next = *end == ';' ? end + 1 : end;
        *end = '\0';
        *value = '\0';
        if (!CHECK_INT(ut_model_def_set(lab.def, at, value + 1, &err), UT_OK)) {
            test_note("%s", err.message);
        }
        at = next;
    }
    igms_start(&lab);
    return lab;
}

/// scenes/seeds/igms-NAME.xml
static inline Lab igms_scene(const char* name, const char* settings)
{
    char path[64];
    snprintf(path, sizeof path, "scenes/seeds/igms-%s.xml", name);
    return igms_file(path, settings);
}

// ---- a log --------------------------------------------------------------------------------------

/// One contact of one instant.
typedef struct LoggedImpact {
    double time;
    int step; // counted from 1
    utContact contact;
} LoggedImpact;

enum { LOG_ROOM = 4096 };

/// Everything that a run says of impacts and modes.
typedef struct Log {
    int impacts, transitions;
    LoggedImpact impact[LOG_ROOM];
    utTransition transition[LOG_ROOM];
    double most_gained; // energy over any part, J
} Log;

static inline Log* log_make(utArena* arena)
{
    Log* log = UT_PUSH(arena, Log, 1);
    log->impacts = log->transitions = 0;
    log->most_gained = -HUGE_VAL;
    return log;
}

static inline void log_part(Log* log, int step, const utStepReport* part)
{
    log->most_gained = fmax(log->most_gained, part->energy_next - part->energy);
    for (int i = 0; part->instant && i < part->contacts; i++) {
        const utContact* c = &part->contact[i];
        if (c->rebound > 0.0 && c->r[0] > 0.0 && log->impacts < LOG_ROOM) {
            log->impact[log->impacts++] = (LoggedImpact){part->time, step, *c};
        }
    }
}

/// One step, written down.
static inline void log_step(Lab* lab, Log* log, const utInput* input, utStepResult* result)
{
    lab_step(lab, input, result);
    const utStepReport* report = &result->report;
    for (int k = 0; k < report->parts; k++) {
        log_part(log, lab->steps, &report->part[k]);
    }
    for (int k = 0; k < report->transitions && log->transitions < LOG_ROOM; k++) {
        log->transition[log->transitions++] = report->transition[k];
    }
}

static inline void log_run(Lab* lab, Log* log, double time)
{
    utStepResult result;
    while (ut_sim_time(lab->sim) < time - 1e-9) {
        log_step(lab, log, NULL, &result);
    }
}

/// The last transition to a mode, NULL: there is none
static inline const utTransition* log_last(const Log* log, utContactMode to)
{
    for (int k = log->transitions - 1; k >= 0; k--) {
        if (log->transition[k].to == to) {
            return &log->transition[k];
        }
    }
    return NULL;
}

// ---- closed forms -------------------------------------------------------------------------------

enum { BOUNCES = 200 };

/// A ball that falls and bounces, up to the landing at which e |v| is no longer above `bounce`.
typedef struct EventBall {
    int bounces;
    double time[BOUNCES], speed[BOUNCES]; // of each, when it comes down
    double landing, landing_speed;
} EventBall;

static inline EventBall event_ball(double height, double e, double bounce)
{
    EventBall ball = {.bounces = 0};
    double v = sqrt(2.0 * GRAVITY * height), t = v / GRAVITY;
    while (e * v > bounce && ball.bounces < BOUNCES) {
        ball.time[ball.bounces] = t;
        ball.speed[ball.bounces++] = v;
        v *= e;
        t += 2.0 * v / GRAVITY;
    }
    ball.landing = t;
    ball.landing_speed = v;
    return ball;
}

/// The same as the paper finds impacts: a step that begins with gap <= 0 and closing turns the
/// velocity round, then flies exactly.
typedef struct FixedBall {
    int collisions, first; // the step, from 1, that begins with the first one
    double z, v;           // at the end
} FixedBall;

static inline FixedBall fixed_ball(double height, double e, double h, int steps)
{
    FixedBall ball = {.z = height};
    for (int k = 1; k <= steps; k++) {
        if (ball.z <= 0.0 && ball.v < 0.0) {
            ball.v *= -e;
            ball.first = ball.collisions++ == 0 ? k : ball.first;
        }
        ball.z += h * ball.v - 0.5 * GRAVITY * h * h;
        ball.v -= GRAVITY * h;
    }
    return ball;
}

#endif
