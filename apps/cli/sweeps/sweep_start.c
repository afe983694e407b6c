// SPDX-License-Identifier: Apache-2.0
// The start of one job: its model, settings, first state and controls.
#include "sweeps/sweep_start.h"

#include <math.h>
#include <string.h>
#include <uptack/coulomb.h>
#include <uptack/dyn.h>

#include "model.h"

const char* const sweep_run_names[] = {"time",        "dt",         "adaptive",   "tolerance",
                                       "formulation", "solver",     "integrator", "directions",
                                       "sleep",       "keep_going", "key",        NULL};

// ---- settings -----------------------------------------------------------------------------------

// The settings of a job while they are read.
typedef struct Settings {
    utSimDef sim;
    char solver[64];
    double time; // s; 0: the model's
    char key[128];
    bool has_key;
} Settings;

static utStatus read_positive(const char* name, const char* text, double* value, utError* err)
{
    return cli_parse_number(text, value) && *value > 0.0
               ? UT_OK
               : ut_error_set(err, UT_ERR_FORMAT, "\"%s\" must be a number above 0, not '%.60s'",
                              name, text);
}

static utStatus read_flag(const char* name, const char* text, bool* value, utError* err)
{
    *value = strcmp(text, "true") == 0;
    return *value || strcmp(text, "false") == 0
               ? UT_OK
               : ut_error_set(err, UT_ERR_FORMAT, "\"%s\" must be true or false, not '%.60s'", name,
                              text);
}

static utStatus read_formulation(const char* text, Settings* s, utError* err)
{
    utFormulation formulation;
    if (!ut_formulation_find(text, &formulation)) {
        return ut_error_set(err, UT_ERR_FORMAT, "there is no formulation '%.60s'", text);
    }
    s->sim.formulation = (int)formulation;
    return UT_OK;
}

static utStatus read_solver(const char* text, Settings* s, utError* err)
{
    utCoulombSolver cone;
    utLcpSolver lcp;
    if (strlen(text) >= sizeof s->solver ||
        (!ut_coulomb_solver_find(text, &cone) && !ut_lcp_solver_find(text, &lcp))) {
        return ut_error_set(err, UT_ERR_FORMAT, "there is no solver '%.60s'", text);
    }
    snprintf(s->solver, sizeof s->solver, "%.63s", text);
    return UT_OK;
}

static utStatus read_integrator(const char* text, Settings* s, utError* err)
{
    for (int k = 0; k < UT_INTEGRATOR_COUNT; k++) {
        if (strcmp(text, ut_integrator_name((utIntegrator)k)) == 0) {
            s->sim.integrator = k;
            return UT_OK;
        }
    }
    return ut_error_set(err, UT_ERR_FORMAT,
                        "there is no integrator '%.60s'; there are Euler, RK4, implicit, midpoint",
                        text);
}

static utStatus read_setting(const char* name, const char* text, Settings* s, utError* err)
{
    switch (sweep_find_word(name, sweep_run_names)) {
    case 0:
        return read_positive(name, text, &s->time, err);
    case 1:
        return read_positive(name, text, &s->sim.dt, err);
    case 2:
        return read_positive(name, text, &s->sim.adaptive, err);
    case 3:
        return read_positive(name, text, &s->sim.tolerance, err);
    case 4:
        return read_formulation(text, s, err);
    case 5:
        return read_solver(text, s, err);
    case 6:
        return read_integrator(text, s, err);
    case 7:
        return cli_parse_int(text, 4, UT_SECTION_MAX_EDGES, &s->sim.directions) &&
                       s->sim.directions % 2 == 0
                   ? UT_OK
                   : ut_error_set(err, UT_ERR_FORMAT,
                                  "\"directions\" must be an even number from 4 to %d, not '%.60s'",
                                  UT_SECTION_MAX_EDGES, text);
    case 8:
        return read_flag(name, text, &s->sim.sleep, err);
    case 9:
        return read_flag(name, text, &s->sim.keep_going, err);
    default: // key
        s->has_key = true;
        snprintf(s->key, sizeof s->key, "%.127s", text);
        return UT_OK;
    }
}

static utStatus read_settings(const Sweep* sweep, const SweepValues* values, Settings* s,
                              const utJson** at, utError* err)
{
    char text[SWEEP_TEXT];
    *s = (Settings){.sim = ut_sim_def()};
    for (int i = 0; i < sweep->runs; i++) {
        *at = sweep->run[i].at;
        UT_TRY(sweep_expand(sweep, values, sweep->run[i].text, text, err));
        UT_TRY(read_setting(sweep->run[i].name, text, s, err));
    }
    return UT_OK;
}

// ---- model and sim ------------------------------------------------------------------------------

static utStatus compile(const utModelDef* description, utModel** model, utError* err)
{
    UT_TRY(ut_model_compile(description, NULL, model, err));
    if ((*model)->options.coordinates == UT_COORDINATES_MAXIMAL) {
        utModel* maximal = NULL;
        const utStatus status = ut_model_maximal(*model, NULL, &maximal, err);
        ut_model_destroy(*model);
        *model = maximal;
        return status;
    }
    return UT_OK;
}

static utStatus make_model(SweepWorker* w, const SweepValues* values, const utJson** at,
                           utError* err)
{
    const Sweep* sweep = w->sweep;
    utModelDef* description = NULL;
    char text[SWEEP_TEXT];
    UT_TRY(ut_model_def_copy(w->description, NULL, &description));
    utStatus status = UT_OK;
    for (int i = 0; i < sweep->sets && status == UT_OK; i++) {
        *at = sweep->set[i].at;
        status = sweep_expand(sweep, values, sweep->set[i].text, text, err);
        if (status == UT_OK) {
            status = ut_model_def_assign(description, text, err);
        }
    }
    if (status == UT_OK) {
        *at = sweep->model_at;
        status = compile(description, &w->model, err);
    }
    ut_model_def_destroy(description);
    return status;
}

// If the specification's formulation cannot use the model's solver, use auto, as uptack run does.
static utStatus make_sim(SweepWorker* w, Settings* s, utError* err)
{
    s->sim.solver = s->solver[0] != '\0' ? s->solver : NULL;
    utStatus status = ut_sim_create(w->model, &s->sim, &w->sim, err);
    if (status == UT_ERR_ARGUMENT && s->sim.formulation >= 0 && s->sim.solver == NULL) {
        s->sim.solver = "auto";
        status = ut_sim_create(w->model, &s->sim, &w->sim, err);
    }
    return status;
}

static utStatus find_key(SweepWorker* w, const Settings* s, utError* err)
{
    const utModel* model = w->model;
    int key = s->has_key ? ut_model_find_keyframe(model, s->key) : ut_model_start_key(model);
    if (s->has_key && key < 0 && s->key[0] != '\0' &&
        !cli_parse_int(s->key, 0, model->nkeyframe - 1, &key)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "there is no keyframe '%.60s'; there are %d",
                            s->key, model->nkeyframe);
    }
    w->key = key >= 0 ? &model->keyframe[key] : NULL;
    return ut_sim_reset(w->sim, key, err);
}

// ---- first state --------------------------------------------------------------------------------

static utStatus set_start(SweepWorker* w, const SweepValues* values, const utJson** at,
                          utError* err)
{
    const Sweep* sweep = w->sweep;
    const utModel* model = w->model;
    if (sweep->starts == 0) {
        return UT_OK;
    }
    double* q = UT_PUSH(&w->memory, double, model->nq + 1);
    double* v = UT_PUSH(&w->memory, double, model->nv + 1);
    if (ut_arena_failed(&w->memory)) {
        return UT_ERR_MEMORY;
    }
    memcpy(q, ut_sim_q(w->sim), (size_t)model->nq * sizeof *q);
    memcpy(v, ut_sim_v(w->sim), (size_t)model->nv * sizeof *v);
    for (int i = 0; i < sweep->starts; i++) {
        char text[SWEEP_TEXT];
        SweepQuantity where;
        double x;
        *at = sweep->start[i].at;
        UT_TRY(sweep_find_coordinate(model, sweep->start[i].name, &where, err));
        UT_TRY(sweep_expand(sweep, values, sweep->start[i].text, text, err));
        if (!cli_parse_number(text, &x)) {
            return ut_error_set(err, UT_ERR_FORMAT, "'%.60s' is not a number", text);
        }
        (where.kind == SWEEP_Q_POSITION ? q : v)[where.index] = x;
    }
    return ut_sim_set(w->sim, ut_sim_time(w->sim), q, v, err);
}

// ---- controls -----------------------------------------------------------------------------------

static int find_actuator(const utModel* model, const char* name)
{
    for (int i = 0; i < model->nu; i++) {
        CliName room;
        if (strcmp(cli_name(model->actuator[i].name, "actuator", i, &room), name) == 0) {
            return i;
        }
    }
    return -1;
}

static utStatus read_controls(SweepWorker* w, const SweepValues* values, const utJson** at,
                              utError* err)
{
    const Sweep* sweep = w->sweep;
    w->ctrl = UT_PUSH(&w->memory, double, w->model->nu + 1);
    w->actuator = UT_PUSH(&w->memory, int, sweep->ctrls + 1);
    w->expression = UT_PUSH(&w->memory, utExpression, sweep->ctrls + 1);
    if (ut_arena_failed(&w->memory)) {
        return UT_ERR_MEMORY;
    }
    for (int i = 0; i < sweep->ctrls; i++) {
        char text[SWEEP_TEXT];
        utError why = {0};
        *at = sweep->ctrl[i].at;
        w->actuator[i] = find_actuator(w->model, sweep->ctrl[i].name);
        if (w->actuator[i] < 0) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "there is no actuator '%.60s'; there are %d",
                                sweep->ctrl[i].name, w->model->nu);
        }
        UT_TRY(sweep_expand(sweep, values, sweep->ctrl[i].text, text, err));
        if (ut_expression_read((utText){text, strlen(text)}, &w->memory, &w->expression[i], &why) !=
            UT_OK) {
            return ut_error_set(err, UT_ERR_FORMAT, "'%.60s' is no expression in t: %.120s", text,
                                why.message);
        }
    }
    return sweep_set_controls(w, ut_sim_time(w->sim), err);
}

utStatus sweep_set_controls(SweepWorker* w, double time, utError* err)
{
    const Sweep* sweep = w->sweep;
    for (int i = 0; i < w->model->nu; i++) {
        w->ctrl[i] = w->key != NULL ? w->key->ctrl[i] : 0.0;
    }
    for (int i = 0; i < sweep->ctrls; i++) {
        const double x = ut_expression_at(&w->expression[i], time).value;
        if (!isfinite(x)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "the control of '%.60s' is not finite at %g s", sweep->ctrl[i].name,
                                time);
        }
        w->ctrl[w->actuator[i]] = x;
    }
    return UT_OK;
}

// ---- quantities ---------------------------------------------------------------------------------

static utStatus find_quantities(SweepWorker* w, const utJson** at, utError* err)
{
    const Sweep* sweep = w->sweep;
    w->output = UT_PUSH(&w->memory, SweepQuantity, sweep->outputs + 1);
    w->stop = UT_PUSH(&w->memory, SweepQuantity, sweep->stops + 1);
    w->sensor = UT_PUSH(&w->memory, double, w->model->nsensordata + 1);
    if (ut_arena_failed(&w->memory)) {
        return UT_ERR_MEMORY;
    }
    w->has_sensors = false;
    for (int i = 0; i < sweep->outputs; i++) {
        *at = sweep->output[i].at;
        UT_TRY(sweep_find_quantity(w->model, sweep->output[i].what.quantity, &w->output[i], err));
        w->has_sensors = w->has_sensors || w->output[i].kind == SWEEP_Q_SENSOR;
    }
    for (int i = 0; i < sweep->stops; i++) {
        *at = sweep->stop[i].at;
        UT_TRY(sweep_find_quantity(w->model, sweep->stop[i].when.quantity, &w->stop[i], err));
        w->has_sensors = w->has_sensors || w->stop[i].kind == SWEEP_Q_SENSOR;
    }
    return UT_OK;
}

// ---- the start ----------------------------------------------------------------------------------

static utStatus start(SweepWorker* w, const SweepValues* values, const utJson** at, utError* err)
{
    Settings settings;
    UT_TRY(read_settings(w->sweep, values, &settings, at, err));
    if (w->model == NULL) {
        UT_TRY(make_model(w, values, at, err));
    }
    *at = w->sweep->model_at;
    if (w->sim == NULL) {
        UT_TRY(make_sim(w, &settings, err));
    }
    w->time = settings.time > 0.0 ? settings.time : w->model->options.time;
    for (int i = 0; i < w->sweep->runs; i++) {
        *at = strcmp(w->sweep->run[i].name, "key") == 0 ? w->sweep->run[i].at : *at;
    }
    UT_TRY(find_key(w, &settings, err));
    UT_TRY(set_start(w, values, at, err));
    UT_TRY(read_controls(w, values, at, err));
    return find_quantities(w, at, err);
}

utStatus sweep_start_job(SweepWorker* w, const SweepValues* values, const utJson** at, utError* err)
{
    const utStatus status = start(w, values, at, err);
    return status == UT_OK || err->message[0] != '\0'
               ? status
               : ut_error_set(err, status, "%s", ut_status_text(status));
}

void sweep_end_job(SweepWorker* w)
{
    if (!w->same_sim) {
        ut_sim_destroy(w->sim);
        w->sim = NULL;
    }
    if (!w->same_model) {
        ut_model_destroy(w->model);
        w->model = NULL;
    }
}
