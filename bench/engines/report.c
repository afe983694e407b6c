// SPDX-License-Identifier: Apache-2.0
// The tables.
#include <math.h>
#include <string.h>

#include "bench_engines.h"

void report_header(FILE* out, double budget, bool quick)
{
    fprintf(
        out,
        "Whole engines on the same scenes%s\n"
        "  One thread; CPU time of a step, contact finding included: the median of several\n"
        "  runs, or one run when that is long. `uptack` checks its certificate in every step,\n"
        "  `not judged` does not. ratio: their time over that of `uptack`;\n"
        "  with a * one of the two was cut, so that they saw different moments.\n"
        "  A run may take %.3g s of CPU time; one that is cut then says how far it came.\n"
        "  Penetration, energy and the scene's figures are one judge's, from poses and\n"
        "  velocities alone, every 5 ms. deepest: of any pair at any time; mean: over time, of\n"
        "  the mean over pairs that penetrate. gain: the most that kinetic and potential energy\n"
        "  ever were above the start's, where nothing drives the scene.\n"
        "  E, certified: worst error of uptack's steps, and the share that passed.\n"
        "  Sleeping off, restitution 0, the engines' defaults elsewhere.\n",
        quick ? " (quick: short runs)" : "", budget);
    const char* last = "";
    for (int i = 0; i < contender_count(); i++) {
        const Contender* who = contender_at(i);
        if (who->driver() == NULL && strcmp(who->engine, last) != 0) {
            fprintf(out, "  %s is not installed here (Debian: %s).\n", who->engine, who->package);
            last = who->engine;
        }
    }
}

// ---- one scene ----------------------------------------------------------------------------------

// A run that broke did so in a step that was never timed; runs over other spans have other
// contacts.
static void print_time(FILE* out, const Run* run, const Run* ours)
{
    char text[32];
    if (run->broke) {
        fprintf(out, " %10s %8s ", "-", "-");
        return;
    }
    fprintf(out, " %10s", bench_time_text(run->seconds, text));
    if (ours->ran && ours->seconds > 0.0) {
        fprintf(out, " %8.3g%c", run->seconds / ours->seconds,
                run->steps != ours->steps ? '*' : ' ');
    } else {
        fprintf(out, " %8s ", "-");
    }
}

static void print_number(FILE* out, int width, bool shown, double value)
{
    if (shown) {
        fprintf(out, " %*.2e", width, value);
    } else {
        fprintf(out, " %*s", width, "-");
    }
}

static const char* standing_text(const Run* run)
{
    if (run->gave_up) {
        return "gave up";
    }
    const Standing standing = run->figures.standing;
    if (standing == STANDING_NOT_ASKED) {
        return "";
    }
    if (standing == STANDING_NO) {
        return "falls";
    }
    return run->cut ? "not seen" : "stands";
}

static void print_line(FILE* out, const Plan* plan, const Contender* who, const Run* run,
                       const Run* ours)
{
    const Figures* f = &run->figures;
    fprintf(out, "    %-19s", who->name);
    if (run->steps == 0) {
        fprintf(out, " %s%s%s\n", run->broke ? "broke off or had to be stopped" : "cannot begin",
                run->why[0] != '\0' ? ": " : "", run->why);
        return;
    }
    print_time(out, run, ours);
    print_number(out, 10, true, 1e3 * f->deepest);
    print_number(out, 9, true, 1e3 * f->depth);
    print_number(out, 9, scene_is_passive(plan->kind), f->energy_gain);
    for (int k = 0; k < FIGURES_MAX; k++) {
        print_number(out, 13, f->finite && figure_name(plan->kind, k)[0] != '\0', f->own[k]);
    }
    fprintf(out, " %-8s", standing_text(run));
    if (run->certified.known && run->certified.steps > 0) {
        fprintf(out, " %8.1e %6.2f%%", run->certified.worst,
                100.0 * (double)run->certified.passed / (double)run->certified.steps);
        if (run->certified.reason[0] != '\0') {
            fprintf(out, " (%s)", run->certified.reason);
        }
    }
    if (run->broke) {
        fprintf(out, " broke at %.3g s", f->time);
    } else if (run->cut || run->gave_up) {
        fprintf(out, " %s at %.3g s", run->cut ? "cut" : "ended", f->time);
    }
    fprintf(out, "\n");
}

void report_scene(FILE* out, const Plan* plan, const World* world, double time, const Run* runs)
{
    char name[64];
    fprintf(out, "\n== %s: %d bodies, dt %.4g s, %.3g s\n\n", plan_name(plan, name), world->bodies,
            world->dt, time);
    fprintf(out, "    %-19s %10s %8s  %10s %9s %9s %13s %13s %-8s %8s %7s\n", "contender", "a step",
            "ratio", "deepest mm", "mean mm", "gain J", figure_name(plan->kind, 0),
            figure_name(plan->kind, 1), "", "E", "cert.");
    for (int i = 0; i < contender_count(); i++) {
        if (runs[i].ran) {
            print_line(out, plan, contender_at(i), &runs[i], &runs[0]);
        }
    }
}

// ---- every run ----------------------------------------------------------------------------------

void report_csv_header(FILE* out)
{
    fprintf(out, "scene,dt,contender,seconds,steps,time,cut,gave_up,broke,deepest,mean_depth,"
                 "energy_start,energy_end,energy_gain,kinetic_end,figure1,value1,figure2,value2,"
                 "standing,E,certified,flagged,reason\n");
}

void report_csv(FILE* out, const Plan* plan, const World* world, const Run* runs)
{
    for (int i = 0; i < contender_count(); i++) {
        const Run* run = &runs[i];
        const Figures* f = &run->figures;
        if (!run->ran) {
            continue;
        }
        fprintf(out, "%s,%.9g,\"%s\",%.6e,%d,%.6g,%d,%d,%d,%.6e,%.6e,%.9e,%.9e,%.6e,%.6e",
                plan->scene, world->dt, contender_at(i)->name, run->seconds, run->steps, f->time,
                run->cut, run->gave_up, run->broke, f->deepest, f->depth, f->energy_start,
                f->energy_end, f->energy_gain, f->kinetic_end);
        for (int k = 0; k < FIGURES_MAX; k++) {
            fprintf(out, ",%s,%.6e", figure_name(plan->kind, k), f->own[k]);
        }
        fprintf(out, ",%s,", standing_text(run));
        if (run->certified.known) {
            fprintf(out, "%.3e,%ld,%ld,%s\n", run->certified.worst, run->certified.passed,
                    run->certified.flagged, run->certified.reason);
        } else {
            fprintf(out, ",,,\n");
        }
    }
    fflush(out);
}
