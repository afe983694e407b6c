// SPDX-License-Identifier: Apache-2.0
// Every step of every scene: certified at 1e-8 and by no flagged rung in at least 99.9 % of them,
// and what the sim says of a step is true in all of them. A step is told wrongly ("silent") when
//
//   - the sim took it as certified or flagged, and its report does not pass ut_certify out here,
//   - it is certified and an island was answered by a flagged rung or not solved,
//   - the state is not the one that the report ends with, or not finite, or the time is not one
//     step later.
#define _POSIX_C_SOURCE 200809L
#include "every.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double TOLERANCE = 1e-8;
static const double SHARE = 0.999; // of the steps

// Scenes that may have more steps that are not certified, with the share that they must reach. None
// is needed now.
typedef struct HardScene {
    const char* name;
    double share;
} HardScene;
enum { MAX_HARD = 3 };
static const HardScene hard[MAX_HARD] = {{NULL, 0.0}};

static double share_of(const char* name)
{
    for (int i = 0; i < MAX_HARD; i++) {
        if (hard[i].name != NULL && strcmp(hard[i].name, name) == 0) {
            return hard[i].share;
        }
    }
    return SHARE;
}

// ---- counting -----------------------------------------------------------------------------------

enum { MAX_RUNGS = 16 };

typedef struct Tally {
    int steps, certified, flagged, uncertified, silent;
    int first_bad; // step, from 1; 0 for none
    const char* reason;
    double E;           // largest
    double penetration; // m, deepest
    int contacts;       // most
    double seconds;     // within steps
    int rungs;
    const char* rung[MAX_RUNGS];
    int rung_islands[MAX_RUNGS];
} Tally;

static void count_rung(Tally* t, const char* name)
{
    int i = 0;
    while (i < t->rungs && strcmp(t->rung[i], name) != 0) {
        i++;
    }
    if (i < MAX_RUNGS) {
        t->rungs = i == t->rungs ? i + 1 : t->rungs;
        t->rung[i] = name;
        t->rung_islands[i]++;
    }
}

static void count_step(const utStepResult* result, Tally* t)
{
    const utStepReport* report = &result->report;
    t->steps++;
    t->certified += result->outcome == UT_STEP_CERTIFIED;
    t->flagged += result->outcome == UT_STEP_FLAGGED;
    t->uncertified += result->outcome == UT_STEP_UNCERTIFIED;
    t->E = larger(t->E, result->certificate.E);
    t->penetration = larger(t->penetration, result->max_penetration);
    t->contacts = report->contacts > t->contacts ? report->contacts : t->contacts;
    for (int k = 0; k < report->islands; k++) {
        count_rung(t, ut_rung_name(report->island[k].rung));
    }
    if (result->outcome != UT_STEP_CERTIFIED && t->first_bad == 0) {
        t->first_bad = t->steps;
        t->reason = result->outcome == UT_STEP_UNCERTIFIED
                        ? ut_certificate_reason_name(result->certificate.reason)
                        : "flagged rung";
    }
}

// ---- a look from outside ------------------------------------------------------------------------

static bool passes(const utStepReport* report, utArena scratch)
{
    utCertificate certificate = {0};
    return ut_certify(report, TOLERANCE, scratch, &certificate) == UT_OK && certificate.passed &&
           certificate.E <= TOLERANCE;
}

static bool all_finite(const double* x, int n)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

static bool is_where_reported(const Scene* scene, const utStepReport* report)
{
    const int nq = scene->model->nq, nv = scene->model->nv;
    const double* q = ut_sim_q(scene->sim);
    const double* v = ut_sim_v(scene->sim);
    // time is a multiple of h from the start: one rounding each of its two values
    const double later = ut_sim_time(scene->sim) - report->time;
    return all_finite(q, nq) && all_finite(v, nv) &&
           memcmp(q, report->q_next, (size_t)nq * sizeof *q) == 0 &&
           memcmp(v, report->v_next, (size_t)nv * sizeof *v) == 0 &&
           fabs(later - report->h) <= 4.5e-16 * (1.0 + fabs(report->time));
}

static bool is_told_wrongly(const Scene* scene, const utStepResult* result, utArena scratch)
{
    const utStepReport* report = &result->report;
    bool fallback = false, solved = true;
    for (int k = 0; k < report->islands; k++) {
        fallback = fallback || report->island[k].fallback;
        solved = solved && report->island[k].solved;
    }
    if (result->outcome == UT_STEP_CERTIFIED && (fallback || !solved)) {
        return true;
    }
    if (result->outcome != UT_STEP_UNCERTIFIED && !passes(report, scratch)) {
        return true;
    }
    return !is_where_reported(scene, report);
}

// ---- problems -----------------------------------------------------------------------------------

enum { MAX_PROBLEMS = 3 }; // a scene

static void save_problem(const Options* o, const char* name, Scene* scene, const Tally* t)
{
    utText text;
    char path[512];
    if (o->problems == NULL || t->flagged + t->uncertified > MAX_PROBLEMS ||
        ut_sim_problem(scene->sim, &text, NULL) != UT_OK) {
        return;
    }
    const int written =
        snprintf(path, sizeof path, "%s/%s-step-%d.fc", o->problems, name, t->steps);
    if (written < 0 || (size_t)written >= sizeof path) {
        return;
    }
    for (char* c = path + strlen(o->problems) + 1; *c != '\0'; c++) {
        *c = *c == '/' || *c == ':' ? '_' : *c;
    }
    FILE* file = fopen(path, "wb");
    if (file != NULL) {
        (void)fwrite(text.data, 1, text.size, file);
        (void)fclose(file);
    }
}

// ---- a scene ------------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run(const Options* o, const char* name, Scene* scene, Tally* t)
{
    utArena scratch = {0};
    utError err = {0};
    bool ran = ut_arena_create(0, NULL, &scratch) == UT_OK;
    for (int k = 0; k < o->steps && ran; k++) {
        utStepResult result;
        const double begin = now();
        const utStatus status = ut_sim_step(scene->sim, &scene->input, &result, &err);
        ran = status == UT_OK || status == UT_ERR_NOT_TAKEN;
        t->seconds += now() - begin;
        if (!ran) {
            printf("%s: step %d: %s\n", name, k + 1, err.message);
            break;
        }
        count_step(&result, t);
        t->silent += is_told_wrongly(scene, &result, scratch);
        if (result.outcome != UT_STEP_CERTIFIED) {
            save_problem(o, name, scene, t);
        }
    }
    ut_arena_destroy(&scratch);
    return ran;
}

static void print_tally(const char* name, const Tally* t, bool ok)
{
    printf("%-4s %-26s %6d %9.3f %7d %7d %6d  %8.1e %8.1e %5d %8.0f ", ok ? "ok" : "FAIL", name,
           t->steps, 100.0 * t->certified / (t->steps > 0 ? t->steps : 1), t->flagged,
           t->uncertified, t->silent, t->E, t->penetration, t->contacts, t->steps / t->seconds);
    for (int i = 0; i < t->rungs; i++) {
        printf(" %s %d", t->rung[i], t->rung_islands[i]);
    }
    if (t->first_bad > 0) {
        printf("; first at step %d: %s", t->first_bad, t->reason);
    }
    printf("\n");
}

void mode_steps(const Options* o, Verdict* verdict)
{
    printf("     %-26s %6s %9s %7s %7s %6s  %8s %8s %5s %8s  %s\n", "scene", "steps", "certif. %",
           "flagged", "uncert.", "silent", "worst E", "overlap", "most", "steps/s",
           "islands by rung");
    for (int i = 0; i < o->scenes.count; i++) {
        const char* name = o->scenes.name[i];
        Scene scene;
        Tally t = {0};
        bool ok = open_scene(name, NULL, &scene) && run(o, name, &scene, &t);
        ok = ok && t.steps == o->steps && t.silent == 0 && t.certified >= share_of(name) * t.steps;
        print_tally(name, &t, count_case(verdict, ok));
        close_scene(&scene);
    }
}
