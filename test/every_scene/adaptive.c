// SPDX-License-Identifier: Apache-2.0
// Steps whose length is chosen: none of them fails, and none has to be tiny for long.
#define _POSIX_C_SOURCE 200809L
#include "every.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <uptack/model.h>

// How a scene is run.
typedef struct Way {
    utFormulation formulation;
    double tolerance; // m
    bool bounces;     // its floor has a restitution
} Way;

typedef struct Tally {
    int steps, flagged, uncertified;
    int crawling;    // shorter than 1e-5 dt
    double shortest; // over dt
    double wall;     // s
} Tally;

static const double CRAWL = 1e-5;   // of dt
static const double PATIENCE = 600; // s of wall time for a run

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run(Scene* scene, double until, Tally* t)
{
    utError err = {0};
    const double begin = now(), dt = ut_sim_dt(scene->sim);
    *t = (Tally){.shortest = 1.0};
    ut_sim_stop_at(scene->sim, until);
    while (ut_sim_time(scene->sim) < until && t->wall < PATIENCE) {
        utStepResult result;
        const utStatus status = ut_sim_step(scene->sim, &scene->input, &result, &err);
        if (status != UT_OK && status != UT_ERR_NOT_TAKEN) {
            printf("step %d: %s\n", t->steps + 1, err.message);
            return false;
        }
        t->steps++;
        t->flagged += result.outcome == UT_STEP_FLAGGED;
        t->uncertified += result.outcome == UT_STEP_UNCERTIFIED;
        if (result.outcome != UT_STEP_CERTIFIED && t->flagged + t->uncertified <= 3) {
            printf("     t = %.9g s, h = %.3g s, %d tries: %s\n", result.report.time,
                   result.report.h, result.tries,
                   result.outcome == UT_STEP_FLAGGED
                       ? "flagged"
                       : ut_certificate_reason_name(result.certificate.reason));
        }
        // the last may be short for the end's sake
        const double h = ut_sim_time(scene->sim) < until ? result.report.h / dt : 1.0;
        t->crawling += h < CRAWL;
        t->shortest = h < t->shortest ? h : t->shortest;
        t->wall = now() - begin;
    }
    return ut_sim_time(scene->sim) == until;
}

static void run_way(const Options* o, const char* name, const Way* way, Verdict* verdict)
{
    Scene scene;
    Tally t = {0};
    const Changes changes = {.formulation = &way->formulation,
                             .solver = "auto",
                             .adaptive = way->tolerance,
                             .set = way->bounces ? "floor.restitution" : NULL,
                             .value = "0.5"};
    bool ok = open_scene(name, &changes, &scene);
    double end = 0.0;
    if (ok) {
        ok = run(&scene, ut_sim_time(scene.sim) + o->seconds, &t);
        end = ut_sim_time(scene.sim);
    }
    ok = ok && t.flagged == 0 && t.uncertified == 0 && 10 * t.crawling <= t.steps;
    printf("%-4s %-28s %-8s %7.0e %7d %7d %7d %8d %9.1e %7.3g %8.1f\n",
           count_case(verdict, ok) ? "ok" : "FAIL", name, ut_formulation_name(way->formulation),
           way->tolerance, t.steps, t.uncertified, t.flagged, t.crawling, t.shortest, end, t.wall);
    close_scene(&scene);
}

// Which ways a scene can go.
typedef struct Kind {
    bool coulomb;  // its law of impacts is one that steps of a fixed length have
    bool bounces;  // its floor can be given a restitution
    bool collides; // by collisions alone too: heaps and flat feet take thousands of them a step
} Kind;

static Kind kind_of(const char* name)
{
    static const char* const throws[] = {"ball-throw", "thrown-box", "slide",
                                         "painleve",   "igms-ball",  "igms-low"};
    Scene scene;
    Kind kind = {false, false, false};
    if (open_scene(name, NULL, &scene)) {
        kind.coulomb = scene.model->options.impact <= 0;
        for (int g = 0; g < scene.model->ngeom; g++) {
            kind.bounces = kind.bounces || strcmp(scene.model->geom[g].name, "floor") == 0;
        }
        for (size_t k = 0; k < sizeof throws / sizeof *throws; k++) {
            kind.collides = kind.collides || strstr(name, throws[k]) != NULL;
        }
    }
    close_scene(&scene);
    return kind;
}

static void run_ways(const Options* o, const char* name, double tolerance, Verdict* verdict)
{
    const Kind kind = kind_of(name);
    if (kind.coulomb) {
        run_way(o, name, &(Way){UT_FORMULATION_COULOMB, tolerance, false}, verdict);
    }
    if (kind.coulomb && kind.bounces) {
        run_way(o, name, &(Way){UT_FORMULATION_COULOMB, tolerance, true}, verdict);
    }
    if (kind.bounces) {
        run_way(o, name, &(Way){UT_FORMULATION_HYBRID, tolerance, true}, verdict);
    }
    if (kind.bounces && kind.collides) {
        run_way(o, name, &(Way){UT_FORMULATION_MIRTICH, tolerance, true}, verdict);
    }
}

void mode_adaptive(const Options* o, Verdict* verdict)
{
    printf("     %-28s %-8s %7s %7s %7s %7s %8s %9s %7s %8s\n", "scene", "law", "TOL", "steps",
           "uncert.", "flagged", "crawling", "least/dt", "t", "wall s");
    for (int i = 0; i < o->scenes.count; i++) {
        run_ways(o, o->scenes.name[i], 1e-4, verdict);
        run_ways(o, o->scenes.name[i], 1e-6, verdict);
    }
}
