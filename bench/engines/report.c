// SPDX-License-Identifier: Apache-2.0
// The results of a scene as rows, and its lines of the table: who is fastest among those that are
// usable, and does uptack meet the goal.
#include <math.h>
#include <string.h>

#include "bench_engines.h"

void report_missing(Rows* rows)
{
    const char* last = "";
    for (int i = 0; i < contender_count(); i++) {
        const Contender* who = contender_at(i);
        if (!contender_is_here(who) && strcmp(who->engine, last) != 0) {
            row_note(rows, "engines", "%s is not installed here (%s).", who->engine,
                     engine_package(who->engine));
            last = who->engine;
        }
    }
}

// ---- runs ---------------------------------------------------------------------------------------

static const char* const roles[] = {"peer", "exact", "budget", "ours"};

static const char* standing_text(const Run* run)
{
    const Standing standing = run->figures.standing;
    if (standing == STANDING_NOT_ASKED) {
        return "";
    }
    return standing == STANDING_NO ? "falls" : run->cut ? "not seen" : "stands";
}

static void add_certificate(Rows* rows, const Certified* c)
{
    if (c->known && c->steps > 0) {
        row_number(rows, "E", c->worst);
        row_integer(rows, "certified", c->passed);
        row_integer(rows, "flagged", c->flagged);
        row_text(rows, "reason", c->reason);
    }
}

static void add_figures(Rows* rows, const Plan* plan, const Run* run)
{
    const Figures* f = &run->figures;
    row_number(rows, "time", f->time);
    row_number(rows, "deepest", f->deepest);
    row_number(rows, "mean_depth", f->depth);
    row_number(rows, "energy_gain", f->energy_gain);
    row_number(rows, "energy_scale", f->energy_scale);
    row_number(rows, "residual", f->residual);
    row_number(rows, "residual_worst", f->residual_worst);
    row_integer(rows, "residual_steps", f->residual_steps);
    row_text(rows, "error_name", figure_name(plan->kind, 0));
    row_number(rows, "error", f->finite ? f->own[0] : (double)NAN);
    row_text(rows, "figure_name", figure_name(plan->kind, 1));
    row_number(rows, "figure", f->finite ? f->own[1] : (double)NAN);
    row_text(rows, "standing", standing_text(run));
}

void report_run(Rows* rows, const Plan* plan, const World* world, const Contender* who,
                const Run* run)
{
    char scene[64], why[ENGINE_TEXT];
    const bool usable = run_usable(run, plan, world, why);
    row_begin(rows, "run", "engines");
    row_text(rows, "scene", plan_name(plan, world, scene));
    row_integer(rows, "bodies", world->bodies);
    row_number(rows, "dt", world->dt);
    row_text(rows, "contender", who->name);
    row_text(rows, "engine", who->engine);
    row_text(rows, "role", roles[who->role]);
    row_number(rows, "seconds", run->steps > 0 && !run->broke ? run->seconds : (double)NAN);
    row_integer(rows, "steps", run->steps);
    row_truth(rows, "usable", usable);
    row_text(rows, "why", run->why[0] != '\0' ? run->why : why);
    row_truth(rows, "cut", run->cut);
    if (run->steps > 0) {
        add_figures(rows, plan, run);
    }
    add_certificate(rows, &run->certified);
    row_end(rows);
}

// ---- lines --------------------------------------------------------------------------------------

// The contender of a role, or NULL when it did not run.
static const Run* run_of(Role role, const Run* runs)
{
    for (int i = 0; i < contender_count(); i++) {
        if (contender_at(i)->role == role && runs[i].ran) {
            return &runs[i];
        }
    }
    return NULL;
}

// The index of the fastest usable peer over a span of time, -1 for none.
static int fastest(const Plan* plan, const World* world, const Run* runs, double from, double to)
{
    char why[ENGINE_TEXT];
    int best = -1;
    double least = HUGE_VAL;
    for (int i = 0; i < contender_count(); i++) {
        if (contender_at(i)->role == ROLE_PEER && runs[i].ran &&
            run_usable(&runs[i], plan, world, why)) {
            const double seconds = run_seconds(&runs[i], world, from, to);
            if (seconds < least) {
                least = seconds;
                best = i;
            }
        }
    }
    return best;
}

typedef struct Verdict {
    const char* text; // "met", "missed", "no usable peer", "not measured"
    bool known, met;
} Verdict;

static Verdict verdict_of(const Line* line, double ours, bool ours_usable, double theirs)
{
    if (!(ours > 0.0)) {
        return (Verdict){"not measured", false, false};
    }
    if (line->stands) {
        return (Verdict){ours_usable ? "met" : "missed", true, ours_usable};
    }
    if (line->seconds > 0.0) {
        const bool met = ours <= line->seconds;
        return (Verdict){met ? "met" : "missed", true, met};
    }
    if (!(theirs > 0.0)) {
        return (Verdict){"no usable peer", false, false};
    }
    const bool met = ours_usable && ours <= line->ratio * theirs;
    return (Verdict){met ? "met" : "missed", true, met};
}

static const char* goal_text(const Line* line, char text[64])
{
    if (line->stands) {
        snprintf(text, 64, "stands");
    } else if (line->seconds > 0.0) {
        snprintf(text, 64, "%.0f ms; budget %.0f ms", 1e3 * line->seconds,
                 1e3 * line->budget_seconds);
    } else {
        snprintf(text, 64, "%.1f", line->ratio);
    }
    return text;
}

static void add_line(Rows* rows, const char* scene, const Plan* plan, const World* world,
                     const Line* line, const Run* runs)
{
    char name[96], why[ENGINE_TEXT] = "", goal[64];
    const Run* exact = run_of(ROLE_EXACT, runs);
    const Run* budget = run_of(ROLE_BUDGET, runs);
    // where ours was cut, all are compared over the time that it came to
    double to = line->to;
    if (exact != NULL && exact->cut && (to <= 0.0 || to > exact->figures.time)) {
        to = exact->figures.time;
    }
    const int peer = fastest(plan, world, runs, line->from, to);
    const double ours = exact != NULL ? run_seconds(exact, world, line->from, to) : (double)NAN;
    const double theirs = peer >= 0 ? run_seconds(&runs[peer], world, line->from, to) : (double)NAN;
    const bool cut = exact != NULL && exact->cut;
    const bool usable = exact != NULL && (run_usable(exact, plan, world, why) || cut);
    const Verdict verdict = verdict_of(line, ours, usable, theirs);

    snprintf(name, sizeof name, "%s%s%s", scene, line->phase[0] != '\0' ? ", " : "", line->phase);
    row_begin(rows, "line", "engines");
    row_text(rows, "scene", name);
    row_number(rows, "exact", ours);
    if (budget != NULL) {
        row_number(rows, "budget", run_seconds(budget, world, line->from, to));
    }
    row_text(rows, "peer", peer >= 0 ? contender_at(peer)->name : "");
    row_number(rows, "peer_seconds", theirs);
    row_text(rows, "error_name", figure_name(plan->kind, 0));
    row_number(rows, "error", exact != NULL ? exact->figures.own[0] : (double)NAN);
    row_number(rows, "peer_error", peer >= 0 ? runs[peer].figures.own[0] : (double)NAN);
    row_number(rows, "residual", exact != NULL ? exact->figures.residual : (double)NAN);
    row_number(rows, "peer_residual", peer >= 0 ? runs[peer].figures.residual : (double)NAN);
    row_number(rows, "ratio", ours / theirs);
    row_text(rows, "goal", goal_text(line, goal));
    row_number(rows, "goal_ratio", line->ratio > 0.0 ? line->ratio : (double)NAN);
    row_text(rows, "verdict", verdict.text);
    if (budget != NULL && line->budget_seconds > 0.0) {
        const bool within = run_seconds(budget, world, line->from, to) <= line->budget_seconds;
        snprintf(why, sizeof why, "budget %s", within ? "met" : "missed");
    } else if (cut) {
        why[0] = '\0';
    }
    row_text(rows, "why", why);
    row_number(rows, "cut_at", cut ? exact->figures.time : (double)NAN);
    row_end(rows);
}

void report_lines(Rows* rows, const Plan* plan, const World* world, const Run* runs)
{
    char scene[64];
    plan_name(plan, world, scene);
    for (int k = 0; k < plan->lines; k++) {
        add_line(rows, scene, plan, world, &plan->line[k], runs);
    }
}
