// SPDX-License-Identifier: Apache-2.0
// One job: start, step, measure.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "sweeps/sweep_start.h"

const char* sweep_status_name(int status)
{
    static const char* const names[SWEEP_STATUSES] = {"ok",      "stopped", "not certified",
                                                      "invalid", "failed",  "crashed"};
    return status >= 0 && status < SWEEP_STATUSES ? names[status] : "unknown";
}

// ---- workers ------------------------------------------------------------------------------------

static bool have_braces(const SweepText* texts, int count)
{
    for (int i = 0; i < count; i++) {
        if (sweep_has_braces(texts[i].text)) {
            return true;
        }
    }
    return false;
}

utStatus sweep_worker_create(const Sweep* sweep, const SweepModel* model, SweepWorker** out,
                             utError* err)
{
    SweepWorker* w = calloc(1, sizeof *w);
    if (w == NULL) {
        return sweep_memory_error(sweep, err);
    }
    w->sweep = sweep;
    w->same_model = !have_braces(sweep->set, sweep->sets);
    w->same_sim = w->same_model && !have_braces(sweep->run, sweep->runs);
    if (ut_arena_create(0, NULL, &w->memory) != UT_OK ||
        ut_model_def_copy(model->description, NULL, &w->description) != UT_OK) {
        sweep_worker_destroy(w);
        return sweep_memory_error(sweep, err);
    }
    *out = w;
    return UT_OK;
}

void sweep_worker_destroy(SweepWorker* w)
{
    if (w != NULL) {
        ut_sim_destroy(w->sim);
        ut_model_destroy(w->model);
        ut_model_def_destroy(w->description);
        ut_arena_destroy(&w->memory);
        free(w);
    }
}

// ---- measures -----------------------------------------------------------------------------------

// A job while it is stepped.
typedef struct Job {
    SweepWorker* worker;
    SweepResult* result;
    utStepResult step;
    bool has_step;
    double start, end; // s
    double measured;   // length of the steps so far, s
} Job;

static bool holds(const SweepCondition* c, double x)
{
    return c->is_less ? x < c->bound : x > c->bound;
}

static double larger(double a, double b)
{
    return b <= a || isnan(a) ? a : b; // NaN counts as larger than any number
}

// Update the columns of an output after a step, or with the first state. @param h length of the step, 0: none
static void measure(const Job* job, const SweepOutput* o, double x, double h)
{
    double* column = job->result->number + o->column;
    const bool is_first = !job->has_step;
    switch (o->measure) {
    case SWEEP_END:
        *column = x;
        break;
    case SWEEP_MIN:
        *column = is_first ? x : fmin(*column, x);
        break;
    case SWEEP_MAX:
        *column = is_first ? x : fmax(*column, x);
        break;
    case SWEEP_MEAN: // of the states after the steps, weighted by the steps' lengths
        *column = h >= job->measured ? x : *column + (x - *column) * (h / job->measured);
        break;
    case SWEEP_COUNT:
        *column = is_first ? 0.0 : *column + (holds(&o->what, x) ? 1.0 : 0.0);
        break;
    case SWEEP_FIRST:
        if (!is_first && isnan(*column) && holds(&o->what, x)) {
            *column = ut_sim_time(job->worker->sim);
        }
        break;
    case SWEEP_SERIES:
        for (int k = 0; k < o->points && !is_first; k++) {
            const double at = job->start + (job->end - job->start) * (k + 1) / o->points;
            if (isnan(column[k]) && ut_sim_time(job->worker->sim) >= at - 1e-9 * h) {
                column[k] = x;
            }
        }
        break;
    }
}

static void measure_all(Job* job, double h)
{
    SweepWorker* w = job->worker;
    const utStepResult* step = job->has_step ? &job->step : NULL;
    if (w->has_sensors) {
        ut_sim_sensors(w->sim, w->sensor);
    }
    for (int i = 0; i < w->sweep->outputs; i++) {
        measure(job, &w->sweep->output[i],
                sweep_quantity(&w->output[i], w->sim, step, w->sensor, w->ctrl), h);
    }
}

static void count_figures(Job* job)
{
    double* figure = job->result->number;
    const utStepResult* s = &job->step;
    figure[SWEEP_STEPS] += 1.0;
    figure[SWEEP_E] = larger(figure[SWEEP_E], s->certificate.E);
    figure[SWEEP_PENETRATION] = larger(figure[SWEEP_PENETRATION], s->max_penetration);
    figure[SWEEP_CONTACTS] = larger(figure[SWEEP_CONTACTS], s->report.contacts);
    figure[SWEEP_FLAGGED] += s->outcome == UT_STEP_CERTIFIED ? 0.0 : 1.0;
}

// ---- the loop -----------------------------------------------------------------------------------

static void end_with(SweepResult* result, SweepStatus status, const char* message)
{
    result->status = (int)status;
    snprintf(result->message, sizeof result->message, "%s", message);
}

// @return false when the job ends with this step
static bool take_step(Job* job)
{
    SweepWorker* w = job->worker;
    utError err = {0};
    const double before = ut_sim_time(w->sim);
    utStatus status = sweep_set_controls(w, before, &err);
    const utInput input = {.ctrl = w->ctrl};
    if (status == UT_OK) {
        status = ut_sim_step(w->sim, &input, &job->step, &err);
    }
    if (status == UT_ERR_NOT_TAKEN) {
        char message[SWEEP_MESSAGE];
        snprintf(message, sizeof message, "step at %.9g s: %s", before,
                 ut_certificate_reason_name(job->step.certificate.reason));
        end_with(job->result, SWEEP_NOT_CERTIFIED, message);
        return false;
    }
    if (status != UT_OK) {
        end_with(job->result, SWEEP_FAILED, err.message);
        return false;
    }
    const double h = ut_sim_time(w->sim) - before;
    job->has_step = true;
    job->measured += h;
    count_figures(job);
    measure_all(job, h);
    for (int i = 0; i < w->sweep->stops; i++) {
        const SweepStop* stop = &w->sweep->stop[i];
        if (holds(&stop->when,
                  sweep_quantity(&w->stop[i], w->sim, &job->step, w->sensor, w->ctrl))) {
            end_with(job->result, SWEEP_STOPPED, stop->text);
            return false;
        }
    }
    return true;
}

// @return false when a signal ended it
static bool step_to_end(Job* job)
{
    SweepWorker* w = job->worker;
    const double dt = ut_sim_dt(w->sim);
    // rounding of time / dt must not add a step, and adaptive steps end within rounding of the end
    ut_sim_stop_at(w->sim, job->end);
    const double last = job->end - 1e-9 * dt;
    measure_all(job, 0.0);
    while (ut_sim_time(w->sim) < last) {
        if (cli_caught_signal() != 0) {
            return false;
        }
        if (!take_step(job)) {
            break;
        }
    }
    job->result->number[SWEEP_TIME] = ut_sim_time(w->sim);
    job->result->hash = ut_sim_hash(w->sim);
    return true;
}

static void clear(const Sweep* sweep, long long job, SweepResult* result)
{
    result->job = job;
    result->status = SWEEP_OK;
    result->hash = 0;
    result->message[0] = '\0';
    for (int k = 0; k < sweep->columns; k++) {
        result->number[k] = k < SWEEP_FIGURES ? 0.0 : (double)NAN;
    }
}

bool sweep_job(SweepWorker* w, long long number, SweepResult* result)
{
    const utArena memory = w->memory;
    SweepValues values;
    const utJson* at = w->sweep->model_at;
    utError err = {0};
    bool complete = true;
    clear(w->sweep, number, result);
    sweep_values(w->sweep, number, &values);
    if (sweep_start_job(w, &values, &at, &err) == UT_OK) {
        const double start = ut_sim_time(w->sim);
        Job job = {.worker = w, .result = result, .start = start, .end = start + w->time};
        complete = step_to_end(&job);
    } else {
        end_with(result, SWEEP_INVALID, err.message);
    }
    sweep_end_job(w);
    w->memory = memory;
    return complete;
}

utStatus sweep_check(SweepWorker* w, utError* err)
{
    const utArena memory = w->memory;
    SweepValues values;
    const utJson* at = w->sweep->model_at;
    utError why = {0};
    sweep_values(w->sweep, 0, &values);
    const utStatus status = sweep_start_job(w, &values, &at, &why);
    sweep_end_job(w);
    w->memory = memory;
    return status == UT_OK ? UT_OK : sweep_error(w->sweep, at, err, "%s", why.message);
}
