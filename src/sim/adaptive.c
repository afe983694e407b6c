// SPDX-License-Identifier: Apache-2.0
// Steps whose length is chosen by their error.
//
// A step of length H is made as a whole and again in two halves. How far apart their ends are, d,
// tells how far off the halves are: local errors being of order p + 1,
//
//     error = d / (2^p - 1),   H next = 0.9 H (tolerance / error)^(1 / (p + 1)),
//
// p = 1 where impulses act, and what the integrator has where none does. A step with more error is
// made again, shorter, and so is one that does not pass its certificate. The halves are what is
// taken, each certified by itself.
//
// An impact is another matter. A span makes it where it begins, the gap still being open: early by
// gap / u, u the speed at which it closes, and the velocity that jumps by w then leads astray by
//
//     early = w min(h, gap / u),
//
// in the halves as in the whole, so that their difference need not tell. Such a step is made again
// so that it ends just before the impact is due, with a quarter of the tolerance left open; the
// next one has it where it begins.
//
// Where it bounces, the velocity after the span is what restitution says, and what forces do to it
// within the span, a h, is lost. A velocity that is off is off for good: as far as it leads in the
// longest step, a h dt, is an error too, so that a bounce is made in a short span of its own.
#include <string.h>

#include "internal.h"

static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 4.0;
static const double SHORTEST = 1e-6; // of dt
static const double LEFT = 0.25;     // of the tolerance: how near an impact a step before it ends
enum { CUTS = 10 };                  // before impacts, in one step

// What came of one length.
typedef struct Try {
    bool made;    // there is an end at all
    bool good;    // every part passes
    bool pushed;  // impulses act
    double error; // m
    double off;   // m: for impacts
    double due;   // s: the length that has less of it
} Try;

double ut_sim_shortest(const utSim* sim)
{
    return fmax(SHORTEST * sim->dt, 1e-13 * fabs(sim->time));
}

// ---- impacts ------------------------------------------------------------------------------------

// What is known of something that closes, in m and s.
typedef struct Closing {
    double gap;
    double before, free, after; // speeds at which it opens: at first, without and with impulses
} Closing;

// The time that a gap needs to close down to what may be left of it, under a steady acceleration.
static double time_to_close(const Closing* c, double h, double left)
{
    const double way = fmax(c->gap - left, 0.5 * c->gap);
    const double u = -c->before, a = (c->before - c->free) / h;
    const double square = u * u + 2.0 * a * way;
    return 2.0 * way / (u + (square > 0.0 ? sqrt(square) : 0.0));
}

// @param due the length of a step without it
static void count_off(Parts* parts, double off, double due)
{
    parts->off = fmax(parts->off, off);
    if (off > parts->sim->adaptive) {
        parts->due = fmin(parts->due, due);
    }
}

// Impacts that are early, by how far.
static double count_early(Parts* parts, double h, const Closing* c)
{
    const utSim* sim = parts->sim;
    if (!(c->gap > 0.0) || !(c->before < 0.0) || !(c->after > c->before)) {
        return 0.0;
    }
    const double early = (c->after - c->before) * fmin(h, c->gap / -c->before);
    count_off(parts, early, sim->time - parts->time + time_to_close(c, h, LEFT * sim->adaptive));
    return early;
}

// A bounce where it is due. In a first half it is for a shorter step; in a second one for the next.
static void count_lost(Parts* parts, double h, const Closing* c)
{
    const utSim* sim = parts->sim;
    const double lost = fabs(c->free - c->before) * sim->dt;
    const double share = lost > 0.0 ? SAFETY * sim->adaptive / lost : 1.0;
    count_off(parts, lost, sim->time > parts->time ? sim->time - parts->time : 2.0 * h * share);
}

static double row_speed(const utRow* row, const double* v)
{
    double u = 0.0;
    for (int k = 0; k < row->dofs; k++) {
        u += row->direction[k] * v[row->dof + k];
    }
    return row->length * u;
}

void ut_parts_watch_impacts(Parts* parts, const Step* step)
{
    const double h = parts->sim->h;
    for (int i = 0; i < step->contacts; i++) {
        const utContact* c = &step->contact[i];
        if (!(c->r[0] > 0.0)) {
            continue;
        }
        parts->pushed = true;
        if (step->instant) {
            continue; // it is when it is
        }
        // rows that were taken ahead know how far it is from the begin
        const double gap = step->v_ahead != NULL ? h * (c->b[0] + c->rebound) : c->gap;
        const Closing closing = {.gap = gap,
                                 .before = ut_step_closing(step, c, step->v),
                                 .free = ut_step_closing(step, c, step->v_free),
                                 .after = ut_step_closing(step, c, step->v_next)};
        const double early = count_early(parts, h, &closing);
        if (c->rebound > 0.0 && early <= parts->sim->adaptive) {
            count_lost(parts, h, &closing);
        }
    }
    for (int j = 0; j < step->rows; j++) {
        const utRow* row = &step->row[j];
        parts->pushed = parts->pushed || row->r != 0.0;
        if (row->kind <= UT_ROW_BALL && row->r > 0.0 && !step->instant) {
            (void)count_early(parts, h,
                              &(Closing){.gap = row->length * row->gap,
                                         .before = row_speed(row, step->v),
                                         .free = row_speed(row, step->v_free),
                                         .after = row_speed(row, step->v_next)});
        }
    }
}

// ---- the error ----------------------------------------------------------------------------------

static double length_of(const utModel* model, int dof)
{
    const utModelJoint* joint = &model->joint[model->dof_joint[dof]];
    const bool slides = joint->kind == UT_JOINT_SLIDE || joint->kind == UT_JOINT_PARTICLE ||
                        (joint->kind == UT_JOINT_FREE && dof < joint->v + 3) ||
                        (joint->kind == UT_JOINT_PLANAR && dof < joint->v + 2);
    return slides ? 1.0 : joint->reach;
}

// How far apart two ends are, m; not a number where they are nowhere.
static utStatus find_distance(const utSim* sim, const double* a, const double* b, double* distance)
{
    const utModel* model = sim->model;
    utArena scratch = sim->step;
    double* d = UT_PUSH(&scratch, double, model->nv);
    if (d == NULL) {
        return UT_ERR_CAPACITY;
    }
    ut_model_difference(model, a, b, d);
    double most = 0.0;
    for (int i = 0; i < model->nv && most <= HUGE_VAL; i++) {
        const double off = fabs(d[i]) * length_of(model, i);
        most = off <= most ? most : off;
    }
    *distance = most;
    return UT_OK;
}

static int order_of(const utSim* sim, bool pushed)
{
    return pushed                                      ? 1
           : sim->integrator == UT_INTEGRATOR_RK4      ? 4
           : sim->integrator == UT_INTEGRATOR_MIDPOINT ? 2
                                                       : 1;
}

// x^(1/n) by Newton's iteration, for x that matter to a factor of steps.
static double root(double x, int n)
{
    const double a = x < 1e-6 ? 1e-6 : x > 1e6 ? 1e6 : x;
    double y = a > 1.0 ? a : 1.0; // from above, so that it falls
    for (int k = 0; k < 60; k++) {
        double power = 1.0;
        for (int m = 1; m < n; m++) {
            power *= y;
        }
        y += (a / power - y) / n;
    }
    return y;
}

// How much longer a step may be.
static double factor(const utSim* sim, const Try* t)
{
    if (!(t->error >= 0.0)) {
        return SHRINK;
    }
    if (t->error == 0.0) {
        return GROW;
    }
    const double f = SAFETY * root(sim->adaptive / t->error, order_of(sim, t->pushed) + 1);
    return f < SHRINK ? SHRINK : f > GROW ? GROW : f;
}

// ---- one length ---------------------------------------------------------------------------------

// From where the sim is up to a moment of the step. @param made false: it has no finite end
static utStatus advance(Parts* parts, double until, bool* made, utError* err)
{
    utSim* sim = parts->sim;
    Step step;
    UT_TRY(ut_parts_go_on(parts, until, err));
    utStatus status = UT_OK;
    if (sim->formulation->events) {
        status = ut_step_events(parts, err);
    } else {
        status = ut_parts_span(parts, until - sim->time, &step, err);
        if (status == UT_OK) {
            status = ut_parts_take(parts, &step, until);
        }
    }
    *made = status != UT_ERR_ARGUMENT;
    return *made ? status : UT_OK;
}

// The step as a whole: only where it ends, and whether impulses act.
static utStatus make_whole(utSim* sim, const utInput* input, double H, double* q, Try* t,
                           utError* err)
{
    Parts parts;
    UT_TRY(ut_parts_begin(sim, input, H, &parts, err));
    const utStatus status = advance(&parts, parts.end, &t->made, err);
    memcpy(q, sim->q, (size_t)sim->model->nq * sizeof *q);
    t->pushed = parts.pushed;
    ut_parts_undo(&parts);
    return status;
}

// @return anything but UT_OK: the sim is as it was
static utStatus make_halves(utSim* sim, const utInput* input, double H, Parts* parts, Try* t,
                            utError* err)
{
    UT_TRY(ut_parts_begin(sim, input, H, parts, err));
    utStatus status = advance(parts, sim->time + 0.5 * H, &t->made, err);
    if (status == UT_OK && t->made) {
        status = advance(parts, parts->end, &t->made, err);
    }
    if (status != UT_OK) {
        ut_parts_undo(parts);
    }
    t->pushed = t->pushed || parts->pushed;
    t->off = parts->off;
    t->due = parts->due;
    return status;
}

// Does every part pass?
static utStatus is_good(const utSim* sim, const Parts* parts, bool* good)
{
    *good = !parts->flagged;
    for (int k = 0; k < parts->parts && *good; k++) {
        for (int i = 0; i < parts->part[k].islands; i++) {
            *good = *good && parts->part[k].island[i].solved;
        }
        if (*good && !sim->no_certificate) {
            utCertificate certificate;
            UT_TRY(ut_certify(&parts->part[k], sim->tolerance, sim->step, &certificate));
            *good = certificate.passed;
        }
    }
    return UT_OK;
}

// @param q nq of work @param parts where t->made the sim is at its end, else as it was
static utStatus try_length(utSim* sim, const utInput* input, double H, double* q, Parts* parts,
                           Try* t, utError* err)
{
    *t = (Try){.made = true};
    UT_TRY(make_whole(sim, input, H, q, t, err));
    if (!t->made) {
        return UT_OK;
    }
    UT_TRY(make_halves(sim, input, H, parts, t, err));
    utStatus status = UT_OK;
    if (t->made) {
        double distance;
        status = find_distance(sim, q, sim->q, &distance);
        if (status == UT_OK) {
            t->error = distance / (double)((1 << order_of(sim, t->pushed)) - 1);
            status = is_good(sim, parts, &t->good);
        }
    }
    if (!t->made || status != UT_OK) {
        ut_parts_undo(parts);
    }
    return status;
}

// ---- the step -----------------------------------------------------------------------------------

// The search for a length.
typedef struct Search {
    double first;    // that it began with
    double shortest; // that is tried
    double smooth;   // that the error allows, impacts aside; 0: not known
    int cuts;        // before impacts
    bool longer;     // no shorter length passes: any longer one that does is taken
    bool any;        // no length passes: any is taken, and told for what it is
} Search;

// What is left before the sim is to stop is not cut into a sliver.
static double clip(const utSim* sim, double H)
{
    const double left = sim->stop - sim->time;
    return !(left > 0.0) || H <= 0.5 * left ? H : H < left ? 0.5 * left : left;
}

static bool passes(const Search* search, const Try* t)
{
    return t->made && (t->good || search->any);
}

static bool is_enough(const utSim* sim, const Search* search, double H, const Try* t)
{
    const bool precise = t->error <= sim->adaptive && t->off <= sim->adaptive;
    return passes(search, t) && (precise || search->longer || !(H > search->shortest));
}

// After a length that does not pass: half of it. What passes at no shorter length is a matter of
// the solver's, and may at another one.
static double choose_other(const utSim* sim, Search* search, double H)
{
    if (!search->longer && H > search->shortest) {
        return fmax(0.5 * H, search->shortest);
    }
    const double next = clip(sim, 2.0 * (search->longer ? H : search->first));
    search->longer = next > H && next <= sim->dt;
    search->any = !search->longer;
    return search->longer ? next : search->first;
}

// The length to try after one that was not taken.
static double choose(const utSim* sim, Search* search, double H, const Try* t)
{
    if (!passes(search, t)) {
        return choose_other(sim, search, H);
    }
    double next = H * fmin(0.5, factor(sim, t));
    if (t->off > sim->adaptive && search->cuts < CUTS) {
        search->cuts++;
        search->smooth = t->error <= sim->adaptive ? H : search->smooth;
        next = fmin(SAFETY * H, t->due);
    }
    return fmax(next, search->shortest);
}

// The length to begin the next step with.
static double plan_next(const utSim* sim, const Search* search, double H, const Try* t)
{
    const double next = fmax(H * factor(sim, t), search->smooth);
    return fmin(fmax(next, search->shortest), sim->dt);
}

static utStatus search_length(utSim* sim, const utInput* input, double* q, Parts* parts,
                              utError* err)
{
    const double H0 = clip(sim, sim->h_next);
    Search search = {.first = H0, .shortest = ut_sim_shortest(sim), .any = sim->inexact};
    double H = H0;
    for (int tries = 1;; tries++) {
        Try t;
        UT_TRY(try_length(sim, input, H, q, parts, &t, err));
        if (is_enough(sim, &search, H, &t)) {
            // one that is short for its stop only does not shorten those after it
            search.smooth = H == H0 && H < sim->h_next ? sim->h_next : search.smooth;
            sim->h_next = plan_next(sim, &search, H, &t);
            parts->tries = tries;
            return UT_OK;
        }
        if (!t.made && search.any && !(H > search.shortest)) {
            return UT_ERR_ARGUMENT;
        }
        if (t.made) {
            ut_parts_undo(parts);
        }
        if (err != NULL) {
            err->message[0] = '\0'; // of a length that is not taken
        }
        H = choose(sim, &search, H, &t);
    }
}

utStatus ut_step_adapt(utSim* sim, const utInput* input, Parts* parts, utError* err)
{
    const utArena all = sim->keep;
    double* q = UT_PUSH(&sim->keep, double, sim->model->nq);
    const utStatus status = q != NULL ? search_length(sim, input, q, parts, err) : UT_ERR_CAPACITY;
    sim->keep = all;
    if (status != UT_OK) {
        sim->h = sim->dt;
        return status;
    }
    sim->start = sim->time;
    sim->steps = 0;
    return UT_OK;
}
