// SPDX-License-Identifier: Apache-2.0
// How a model is loaded and a sim is made: the same options as those of the command line.
#include "engine.h"

#include <stdio.h>
#include <string.h>
#include <uptack/coulomb.h>
#include <uptack/lcp.h>

utStatus engine_settings_create(Settings* settings)
{
    *settings = (Settings){.sim = ut_sim_def()};
    return ut_arena_create(0, NULL, &settings->memory);
}

// Two texts in one, in the memory of the settings. @return NULL when it is full
static const char* join(Settings* s, const char* a, const char* b)
{
    const size_t size = strlen(a) + strlen(b) + 1;
    char* text = UT_PUSH(&s->memory, char, size);
    if (text != NULL) {
        (void)snprintf(text, size, "%s%s", a, b);
    }
    return text;
}

/// Begin new settings for a model. @param name a file or a scene
EXPORT int engine_begin(Engine* e, const char* name)
{
    ut_arena_destroy(&e->next.memory);
    utStatus status = engine_settings_create(&e->next);
    if (status == UT_OK) {
        e->next.name = join(&e->next, name, "");
        status = e->next.name != NULL ? UT_OK : UT_ERR_MEMORY;
    }
    return engine_status(e, status);
}

static utStatus add_change(Settings* s, const char* text, utError* err)
{
    if (s->changes == MAX_CHANGES) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "there are more than %d changes", MAX_CHANGES);
    }
    s->change[s->changes++] = text;
    return text != NULL ? UT_OK : UT_ERR_MEMORY;
}

static utStatus add_option(Settings* s, const char* head, const char* value, utError* err)
{
    if (s->options == MAX_OPTIONS) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "there are more than %d options", MAX_OPTIONS);
    }
    const char* text = join(s, head, value);
    s->option[s->options++] = text;
    return text != NULL ? UT_OK : UT_ERR_MEMORY;
}

/// Add a change of an attribute, "NAME.ATTR=VALUE".
EXPORT int engine_change(Engine* e, const char* change)
{
    const char* text = join(&e->next, change, "");
    utStatus status = add_change(&e->next, text, &e->err);
    if (status == UT_OK) {
        status = add_option(&e->next, "--set=", change, &e->err);
    }
    return engine_status(e, status);
}

static utStatus reject(utError* err, const char* option, const char* value)
{
    return ut_error_set(err, UT_ERR_ARGUMENT, "%s cannot be '%.80s'", option, value);
}

static bool read_number(const char* text, double* value)
{
    const char* end = text + strlen(text);
    return ut_number_read(text, end, value) == end;
}

static utStatus set_integrator(Settings* s, const char* value, utError* err)
{
    for (int k = 0; k < UT_INTEGRATOR_COUNT; k++) {
        if (strcmp(value, ut_integrator_name((utIntegrator)k)) == 0) {
            s->sim.integrator = k;
            return add_option(s, "--integrator=", value, err);
        }
    }
    return reject(err, "integrator", value);
}

static utStatus set_formulation(Settings* s, const char* value, utError* err)
{
    utFormulation formulation;
    if (!ut_formulation_find(value, &formulation)) {
        return reject(err, "formulation", value);
    }
    s->sim.formulation = (int)formulation;
    return add_option(s, "--formulation=", value, err);
}

static utStatus set_solver(Settings* s, const char* value, utError* err)
{
    utCoulombSolver cone;
    utLcpSolver lcp;
    if (!ut_coulomb_solver_find(value, &cone) && !ut_lcp_solver_find(value, &lcp)) {
        return reject(err, "solver", value);
    }
    s->sim.solver = join(s, value, "");
    return add_option(s, "--solver=", value, err);
}

static utStatus set_dt(Settings* s, const char* value, utError* err)
{
    return read_number(value, &s->sim.dt) && s->sim.dt > 0.0 ? add_option(s, "--dt=", value, err)
                                                             : reject(err, "dt", value);
}

static utStatus set_directions(Settings* s, const char* value, utError* err)
{
    double n;
    if (!read_number(value, &n) || !(n >= 4.0 && n <= UT_SECTION_MAX_EDGES) || (int)n % 2 != 0 ||
        n != (int)n) {
        return reject(err, "directions", value);
    }
    s->sim.directions = (int)n;
    return add_option(s, "--directions=", value, err);
}

// "exact", "budget" or "budget:SWEEPS"
static utStatus set_tier(Settings* s, const char* value, utError* err)
{
    double sweeps = UT_DEFAULT_SWEEPS;
    if (strcmp(value, "exact") == 0) {
        return UT_OK;
    }
    const bool counted = strncmp(value, "budget:", 7) == 0;
    if ((!counted && strcmp(value, "budget") != 0) ||
        (counted && (!read_number(value + 7, &sweeps) || !(sweeps >= 1.0 && sweeps <= 1e5)))) {
        return reject(err, "tier", value);
    }
    s->sim.tier = UT_TIER_BUDGET;
    s->sim.sweeps = (int)sweeps;
    char number[UT_NUMBER_SIZE];
    ut_number_write((double)s->sim.sweeps, number);
    snprintf(s->solver, sizeof s->solver, "budget:%s", number);
    return add_option(s, counted ? "--budget=" : "--budget", counted ? value + 7 : "", err);
}

// Settings of the model, which recordings list as changes: "option.impact=newton".
static utStatus set_model_option(Settings* s, const char* name, const char* value, utError* err)
{
    const char* path = join(s, "option.", name);
    const char* head = path != NULL ? join(s, path, "=") : NULL;
    const char* option = join(s, "--", name);
    const char* option_head = option != NULL ? join(s, option, "=") : NULL;
    if (head == NULL || option_head == NULL) {
        return UT_ERR_MEMORY;
    }
    UT_TRY(add_change(s, join(s, head, value), err));
    return add_option(s, option_head, value, err);
}

static bool is_on(const char* value)
{
    return strcmp(value, "true") == 0;
}

// Options of URDF files. @return false for another name
static bool set_urdf(Settings* s, const char* name, bool on)
{
    bool* const flags[] = {&s->floating, &s->friction, &s->no_self_collision};
    static const char* const names[] = {"floating", "friction", "noSelfCollision"};
    for (int k = 0; k < 3; k++) {
        if (strcmp(name, names[k]) == 0) {
            *flags[k] = on;
            return true;
        }
    }
    return false;
}

static utStatus set_option(Settings* s, const char* name, const char* value, utError* err)
{
    static const struct {
        const char* name;
        utStatus (*set)(Settings* s, const char* value, utError* err);
    } setters[] = {
        {"formulation", set_formulation}, {"solver", set_solver},         {"dt", set_dt},
        {"directions", set_directions},   {"integrator", set_integrator}, {"tier", set_tier},
    };
    for (size_t k = 0; k < sizeof setters / sizeof *setters; k++) {
        if (strcmp(name, setters[k].name) == 0) {
            return setters[k].set(s, value, err);
        }
    }
    if (strcmp(name, "impact") == 0 || strcmp(name, "simultaneous") == 0 ||
        strcmp(name, "coordinates") == 0) {
        return set_model_option(s, name, value, err);
    }
    if (strcmp(name, "keepGoing") == 0) {
        s->sim.keep_going = is_on(value);
        return UT_OK;
    }
    if (strcmp(name, "sleep") == 0) {
        s->sim.sleep = is_on(value);
        return is_on(value) ? add_option(s, "--sleep", "", err) : UT_OK;
    }
    if (set_urdf(s, name, is_on(value))) {
        return UT_OK;
    }
    if (strcmp(name, "keyframe") == 0) {
        s->key = join(s, value, "");
        return s->key != NULL ? add_option(s, "--key=", value, err) : UT_ERR_MEMORY;
    }
    return ut_error_set(err, UT_ERR_ARGUMENT, "there is no option '%.80s'", name);
}

/// Set an option by its name in docs/page.md.
EXPORT int engine_option(Engine* e, const char* name, const char* value)
{
    return engine_status(e, set_option(&e->next, name, value, &e->err));
}
