// SPDX-License-Identifier: Apache-2.0
// Adaptive steps: their length is chosen by their error.
//
// A step of length H is made twice: as one sub-step and as two halves. The distance d of their ends
// estimates the error of the halves. With local errors of order p + 1,
//
//     error = d / (2^p - 1),   H next = 0.9 H (tolerance / error)^(1 / (p + 1)),
//
// where p = 1 if impulses act, and else the order of the integrator. A step with a larger error, or
// without a certificate, is made again with a shorter length. The halves are accepted, each of them
// certified.
//
// An impact adds another error. A sub-step makes the impact at its start, while the gap is still
// open: early by gap / u, where u is the closing speed. The velocity jumps by w, so that positions
// are wrong by
//
//     early = w min(h, gap / u).
//
// This happens in the halves as well, so that d does not show it. Such a step is made again with an
// end just before the impact, where a quarter of the tolerance is left of the gap. The next step
// begins with the impact.
//
// After a bounce the velocity is that of the restitution, and the change a h by forces within the
// sub-step is lost. This error of the velocity lasts: over the longest step it displaces by a h dt,
// which counts as an error too. So a bounce gets a short sub-step of its own.
#include <string.h>

#include "sim/events/parts.h"

static const double SAFETY = 0.9, MIN_FACTOR = 0.2, MAX_FACTOR = 4.0; // of the next length
static const double SHORTEST = 1e-6;                                  // of dt
static const double TIME_ROUNDING = 1e-13; // of the time: shorter steps are lost in its digits
static const double GAP_LEFT = 0.25; // of the tolerance: gap at the end of a step before an impact
enum { MAX_CUTS = 10 };              // steps cut before an impact, in one search

// The outcome of one length.
typedef struct Try {
    bool finite;         // the step has a finite result
    bool certified;      // every part is certified and not flagged
    bool impulses;       // impulses act
    double error;        // of positions, m
    double impact_error; // of positions, by early impacts, m
    double cut;          // length of a step that ends before the first early impact, s
} Try;

double ut_sim_shortest(const utSim* sim, double time)
{
    return fmax(SHORTEST * sim->settings.dt, TIME_ROUNDING * fabs(time));
}

// ---- impacts ------------------------------------------------------------------------------------

// A contact or limit that closes.
typedef struct Closing {
    double gap;                 // m
    double before, free, after; // d gap / dt: at the start, without and with impulses, m/s
} Closing;

// The time until only `left` remains of a gap, under a constant acceleration, s.
static double time_to_close(const Closing* c, double h, double left)
{
    const double distance = fmax(c->gap - left, 0.5 * c->gap);
    const double u = -c->before, a = (c->before - c->free) / h;
    const double square = u * u + 2.0 * a * distance;
    return 2.0 * distance / (u + (square > 0.0 ? sqrt(square) : 0.0));
}

// @param cut length of a step that avoids this error, s
static void add_impact_error(Parts* parts, double error, double cut)
{
    StepError* all = &parts->error;
    all->impact_error = fmax(all->impact_error, error);
    if (error > parts->sim->settings.position_error) {
        all->cut = fmin(all->cut, cut);
    }
}

// Add the error of an early impact. @return the error, m
static double add_early_impact(Parts* parts, double h, const Closing* c)
{
    const utSim* sim = parts->sim;
    if (!(c->gap > 0.0) || !(c->before < 0.0) || !(c->after > c->before)) {
        return 0.0;
    }
    const double early = (c->after - c->before) * fmin(h, c->gap / -c->before);
    const double left = GAP_LEFT * sim->settings.position_error;
    add_impact_error(parts, early, sim->state.time - parts->start.time + time_to_close(c, h, left));
    return early;
}

// Add the error of a bounce in a long sub-step. In the first half a shorter step reduces it, in the
// second half a step that ends before the bounce.
static void add_lost_acceleration(Parts* parts, double h, const Closing* c)
{
    const utSim* sim = parts->sim;
    const double lost = fabs(c->free - c->before) * sim->settings.dt;
    const double factor = lost > 0.0 ? SAFETY * sim->settings.position_error / lost : 1.0;
    const double elapsed = sim->state.time - parts->start.time;
    add_impact_error(parts, lost, elapsed > 0.0 ? elapsed : 2.0 * h * factor);
}

static double row_speed(const utRow* row, const double* v)
{
    double u = 0.0;
    if (row->terms > 0) {
        return ut_row_terms_velocity(row, v);
    }
    for (int k = 0; k < row->dofs; k++) {
        u += row->direction[k] * v[row->dof + k];
    }
    return row->length * u;
}

void ut_parts_add_impact_errors(Parts* parts, const Step* step)
{
    const double h = step->h;
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact* c = &step->active.contact[i];
        if (!(c->r[0] > 0.0)) {
            continue;
        }
        parts->error.impulses = true;
        if (step->instant) {
            continue; // an instant has no duration, so its impacts are never early
        }
        // b_n of a re-linearised contact holds the gap at the start
        const double gap = step->ahead.v != NULL ? h * (c->b[0] + c->rebound) : c->gap;
        const Closing closing = {.gap = gap,
                                 .before = ut_step_normal_velocity(step, c, step->v),
                                 .free = ut_step_normal_velocity(step, c, step->free.v),
                                 .after = ut_step_normal_velocity(step, c, step->v_next)};
        const double early = add_early_impact(parts, h, &closing);
        if (c->rebound > 0.0 && early <= parts->sim->settings.position_error) {
            add_lost_acceleration(parts, h, &closing);
        }
    }
    for (int j = 0; j < step->active.rows; j++) {
        const utRow* row = &step->active.row[j];
        parts->error.impulses = parts->error.impulses || row->r != 0.0;
        if (ut_row_is_limit(row) && row->r > 0.0 && !step->instant) {
            (void)add_early_impact(parts, h,
                                   &(Closing){.gap = row->length * row->gap,
                                              .before = row_speed(row, step->v),
                                              .free = row_speed(row, step->free.v),
                                              .after = row_speed(row, step->v_next)});
        }
    }
}

// ---- the error ----------------------------------------------------------------------------------

// The length that makes a velocity's displacement a distance, m; 1 for translations.
static double length_of(const utModel* model, int dof)
{
    const utModelJoint* joint = &model->joint[model->dof_joint[dof]];
    const bool slides = joint->kind == UT_JOINT_SLIDE || joint->kind == UT_JOINT_PARTICLE ||
                        (joint->kind == UT_JOINT_FREE && dof < joint->v + 3) ||
                        (joint->kind == UT_JOINT_PLANAR && dof < joint->v + 2);
    return slides ? 1.0 : joint->reach;
}

// The distance of two positions, m; NaN when one is not finite.
static utStatus find_distance(const utSim* sim, const double* a, const double* b, double* distance)
{
    const utModel* model = sim->model;
    utArena scratch = sim->work.step;
    double* d = UT_PUSH(&scratch, double, model->nv);
    if (d == NULL) {
        return UT_ERR_CAPACITY;
    }
    ut_model_difference(model, a, b, d);
    double most = 0.0;
    for (int i = 0; i < model->nv && most <= HUGE_VAL; i++) {
        const double distance_i = fabs(d[i]) * length_of(model, i);
        most = distance_i <= most ? most : distance_i;
    }
    *distance = most;
    return UT_OK;
}

static int order_of(const utSim* sim, bool impulses)
{
    return impulses                                             ? 1
           : sim->settings.integrator == UT_INTEGRATOR_RK4      ? 4
           : sim->settings.integrator == UT_INTEGRATOR_MIDPOINT ? 2
                                                                : 1;
}

// x^(1/n) by Newton's iteration, with x clamped to 1e-6 ... 1e6, enough for a factor of lengths.
static double root(double x, int n)
{
    const double a = x < 1e-6 ? 1e-6 : x > 1e6 ? 1e6 : x;
    double y = a > 1.0 ? a : 1.0; // from above, so that the iterates fall
    for (int k = 0; k < 60; k++) {
        double power = 1.0;
        for (int m = 1; m < n; m++) {
            power *= y;
        }
        y += (a / power - y) / n;
    }
    return y;
}

// The factor of the next length.
static double find_factor(const utSim* sim, const Try* t)
{
    if (!(t->error >= 0.0)) {
        return MIN_FACTOR;
    }
    if (t->error == 0.0) {
        return MAX_FACTOR;
    }
    const double f =
        SAFETY * root(sim->settings.position_error / t->error, order_of(sim, t->impulses) + 1);
    return f < MIN_FACTOR ? MIN_FACTOR : f > MAX_FACTOR ? MAX_FACTOR : f;
}

// ---- one length ---------------------------------------------------------------------------------

// Make the step in one piece: only its end and whether impulses act are of interest. The sim is
// unchanged afterwards. @param q receives nq positions
static utStatus make_whole(utSim* sim, const utInput* input, double H, utArena keep, double* q,
                           Try* t, utError* err)
{
    Parts parts;
    UT_TRY(ut_parts_begin(sim, input, H, keep, &parts, err));
    const utStatus status = ut_parts_advance(&parts, parts.end, &t->finite, err);
    memcpy(q, sim->state.q, (size_t)sim->model->nq * sizeof *q);
    t->impulses = parts.error.impulses;
    ut_parts_roll_back(&parts);
    return status;
}

// Make and accept two halves. @return anything but UT_OK: the sim has been rolled back
static utStatus make_halves(utSim* sim, const utInput* input, double H, utArena keep, Parts* parts,
                            Try* t, utError* err)
{
    UT_TRY(ut_parts_begin(sim, input, H, keep, parts, err));
    utStatus status = ut_parts_advance(parts, sim->state.time + 0.5 * H, &t->finite, err);
    if (status == UT_OK && t->finite) {
        status = ut_parts_advance(parts, parts->end, &t->finite, err);
    }
    if (status != UT_OK) {
        ut_parts_roll_back(parts);
    }
    t->impulses = t->impulses || parts->error.impulses;
    t->impact_error = parts->error.impact_error;
    t->cut = parts->error.cut;
    return status;
}

// Try a length. @param parts where t->finite the sim is at its end, else it has been rolled back
static utStatus try_length(utSim* sim, const utInput* input, double H, Parts* parts, Try* t,
                           utError* err)
{
    utArena keep = sim->work.kept;
    double* q = UT_PUSH(&keep, double, sim->model->nq);
    if (q == NULL) {
        return UT_ERR_CAPACITY;
    }
    *t = (Try){.finite = true};
    UT_TRY(make_whole(sim, input, H, keep, q, t, err));
    if (!t->finite) {
        return UT_OK;
    }
    UT_TRY(make_halves(sim, input, H, keep, parts, t, err));
    utStatus status = UT_OK;
    if (t->finite) {
        double distance;
        status = find_distance(sim, q, sim->state.q, &distance);
        if (status == UT_OK) {
            t->error = distance / (double)((1 << order_of(sim, t->impulses)) - 1);
            status = ut_parts_certified(parts, 0, &t->certified);
        }
    }
    if (!t->finite || status != UT_OK) {
        ut_parts_roll_back(parts);
    }
    return status;
}

// ---- the step -----------------------------------------------------------------------------------

// The search for a length.
typedef struct Search {
    double first;           // length tried first, s
    double shortest;        // shortest length that may be tried, s
    double without_impacts; // length that the error without impacts allows, s; 0: not known
    int cuts;               // tries that were cut before an impact
    bool try_longer;        // no shorter length is certified: accept the first longer one that is
    bool accept_any;        // no length is certified: accept any, which the result reports
} Search;

// Divide the time left before the stop evenly, so that the last step is not tiny.
static double clip(const utSim* sim, double H)
{
    const double left = sim->settings.stop - sim->state.time;
    return !(left > 0.0) || H <= 0.5 * left ? H : H < left ? 0.5 * left : left;
}

static bool is_usable(const Search* search, const Try* t)
{
    return t->finite && (t->certified || search->accept_any);
}

static bool is_enough(const utSim* sim, const Search* search, double H, const Try* t)
{
    const double allowed = sim->settings.position_error;
    const bool precise = t->error <= allowed && t->impact_error <= allowed;
    return is_usable(search, t) && (precise || search->try_longer || !(H > search->shortest));
}

// The length after one that is not usable: half of it. Where no shorter length is usable the solver
// fails, and it may succeed with a longer one.
static double choose_after_failure(const utSim* sim, Search* search, double H)
{
    if (!search->try_longer && H > search->shortest) {
        return fmax(0.5 * H, search->shortest);
    }
    const double next = clip(sim, 2.0 * (search->try_longer ? H : search->first));
    search->try_longer = next > H && next <= sim->settings.dt;
    search->accept_any = !search->try_longer;
    return search->try_longer ? next : search->first;
}

// The length to try after one that was not accepted.
static double choose_next_try(const utSim* sim, Search* search, double H, const Try* t)
{
    if (!is_usable(search, t)) {
        return choose_after_failure(sim, search, H);
    }
    double next = H * fmin(0.5, find_factor(sim, t));
    if (t->impact_error > sim->settings.position_error && search->cuts < MAX_CUTS) {
        search->cuts++;
        search->without_impacts =
            t->error <= sim->settings.position_error ? H : search->without_impacts;
        next = fmin(SAFETY * H, t->cut);
    }
    return fmax(next, search->shortest);
}

// The length to begin the next step with.
static double plan_next(const utSim* sim, const Search* search, double H, const Try* t)
{
    const double next = fmax(H * find_factor(sim, t), search->without_impacts);
    return fmin(fmax(next, search->shortest), sim->settings.dt);
}

static utStatus search_length(utSim* sim, const utInput* input, Parts* parts, utError* err)
{
    const double H0 = clip(sim, sim->state.h_next);
    Search search = {.first = H0,
                     .shortest = ut_sim_shortest(sim, sim->state.time),
                     .accept_any = sim->settings.inexact};
    double H = H0;
    for (int tries = 1;; tries++) {
        Try t;
        UT_TRY(try_length(sim, input, H, parts, &t, err));
        if (is_enough(sim, &search, H, &t)) {
            // a step that the stop time shortened does not shorten the steps after it
            if (H == H0 && H < sim->state.h_next) {
                search.without_impacts = sim->state.h_next;
            }
            sim->state.h_next = plan_next(sim, &search, H, &t);
            parts->tries = tries;
            return UT_OK;
        }
        if (!t.finite && search.accept_any && !(H > search.shortest)) {
            return UT_ERR_ARGUMENT;
        }
        if (t.finite) {
            ut_parts_roll_back(parts);
        }
        if (err != NULL) {
            err->message[0] = '\0'; // of a length that was not accepted
        }
        H = choose_next_try(sim, &search, H, &t);
    }
}

utStatus ut_step_adaptive(utSim* sim, const utInput* input, Parts* parts, utError* err)
{
    UT_TRY(search_length(sim, input, parts, err));
    sim->state.start = sim->state.time;
    sim->state.steps = 0;
    return UT_OK;
}
