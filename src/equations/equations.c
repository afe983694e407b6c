// SPDX-License-Identifier: Apache-2.0
// A system as an object: its settings, its memory, its texts.
#include <math.h>
#include <string.h>

#include "internal.h"

struct utEquations {
    utArena keep; // also holds this struct
    EqOptions options;
    EqStep step;
    EqSystem system;
};

utEquationsDef ut_equations_def(const char* notation)
{
    return (utEquationsDef){
        .notation = notation,
        .sim = ut_sim_def(),
        .step = 1,
        .model = "model",
        .rho = -1.0,
        .cookie = UT_EQUATIONS_DEF_COOKIE,
    };
}

int ut_equations_coordinates(const char* notation)
{
    const EqNotation* found = notation != NULL ? ut_eq_find_notation(notation) : NULL;
    return found != NULL ? found->coordinates : -1;
}

utStatus ut_eq_no_memory(utError* err)
{
    return ut_error_set(err, UT_ERR_MEMORY,
                        "out of memory; the problem is too large for this machine");
}

static utStatus check(const utSim* before, const utEquationsDef* def, utError* err)
{
    if (before == NULL || def == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "a system needs a sim and a def");
    }
    if (def->cookie != UT_EQUATIONS_DEF_COOKIE) {
        return ut_error_set(err, UT_ERR_DEF, "the def must come from ut_equations_def()");
    }
    if (def->notation == NULL || ut_eq_find_notation(def->notation) == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "there is no notation '%.40s'; there are berard, dart, dart-full, "
                            "igms, pfrommer, peiret, peiret-lcp",
                            def->notation != NULL ? def->notation : "");
    }
    if (!isfinite(def->rho)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "rho is not finite");
    }
    if (def->model == NULL || def->step < 1) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "the step needs a number of 1 or more, and the "
                            "model a name");
    }
    return UT_OK;
}

static utStatus build(const utSim* before, const utInput* input, const utEquationsDef* def,
                      utEquations* system, utError* err)
{
    EqOptions* o = &system->options;
    const size_t size = strlen(def->model) + 1;
    char* model = UT_PUSH(&system->keep, char, size);
    if (model == NULL) {
        return ut_eq_no_memory(err);
    }
    memcpy(model, def->model, size);
    *o = (EqOptions){.notation = ut_eq_find_notation(def->notation),
                     .sim = def->sim,
                     .step = def->step,
                     .model = model,
                     .rho = def->rho,
                     .rank = def->ranks};
    UT_TRY(ut_eq_take_step(o, before, input, &system->keep, &system->step, err));
    return ut_eq_build(o, &system->step, &system->keep, &system->system, err);
}

utStatus ut_equations_create(const utSim* before, const utInput* input, const utEquationsDef* def,
                             utEquations** out, utError* err)
{
    utArena keep;
    UT_TRY(check(before, def, err));
    if (ut_arena_create(0, def->sim.allocator, &keep) != UT_OK) {
        return ut_eq_no_memory(err);
    }
    utEquations* system = UT_PUSH(&keep, utEquations, 1);
    if (system == NULL) {
        ut_arena_destroy(&keep);
        return ut_eq_no_memory(err);
    }
    memset(system, 0, sizeof *system);
    system->keep = keep;
    const utStatus status = build(before, input, def, system, err);
    if (status != UT_OK) {
        ut_equations_destroy(system);
        return status == UT_ERR_CAPACITY ? ut_eq_no_memory(err) : status;
    }
    *out = system;
    return UT_OK;
}

void ut_equations_destroy(utEquations* system)
{
    if (system != NULL) {
        ut_sim_destroy(system->step.sim);
        utArena keep = system->keep;
        ut_arena_destroy(&keep);
    }
}

bool ut_equations_solved(const utEquations* system)
{
    return ut_eq_is_solved(&system->system);
}

utStatus ut_equations_write(const utEquations* system, utEquationsFormat format, utArena* keep,
                            utText* text)
{
    EqOut out = {.keep = keep};
    bool complete = true;
    switch (format) {
    case UT_EQUATIONS_TEXT:
        ut_eq_print_text(&out, &system->system);
        break;
    case UT_EQUATIONS_JSON:
        complete = ut_eq_print_json(&out, &system->system);
        break;
    case UT_EQUATIONS_TEX:
        ut_eq_print_tex(&out, &system->system);
        break;
    case UT_EQUATIONS_LCP:
        complete = ut_eq_print_lcp(&out, &system->system);
        break;
    default:
        return UT_ERR_ARGUMENT;
    }
    if (out.failed || !complete) {
        return UT_ERR_CAPACITY;
    }
    *text = (utText){out.data, out.size};
    return UT_OK;
}
