// SPDX-License-Identifier: Apache-2.0
// The equations of a step in a paper's notation.
#include "engine.h"

#include <uptack/equations.h>

// The step from `before`, as the paper writes it.
static utStatus write_system(Engine* e, const char* notation, utSim* before)
{
    utEquationsDef def = ut_equations_def(notation);
    utInput input = {.ctrl = e->model->nu > 0 ? e->ctrl : NULL};
    utEquations* system = NULL;
    utText text;
    utArena keep = e->memory; // the text is copied before it is used again
    def.sim = e->settings.sim;
    def.step = (int)(e->steps < INT32_MAX ? e->steps : INT32_MAX);
    def.step = def.step < 1 ? 1 : def.step;
    def.model = e->settings.name;
    if (e->holding) {
        UT_TRY(ut_sim_hold(before, &e->hold, e->memory, &e->applied[e->hold.body]));
        input.applied = e->applied;
    }
    UT_TRY(ut_equations_create(before, &input, &def, &system, &e->err));
    const utStatus status = ut_equations_write(system, UT_EQUATIONS_JSON, &keep, &text);
    ut_equations_destroy(system);
    if (status == UT_OK) {
        e->text.size = 0;
        return engine_append(&e->text, text.data, text.size) ? UT_OK : UT_ERR_MEMORY;
    }
    return status;
}

/// The system of the step that begins at a snapshot, with the present controls and hold.
/// @return JSON as `uptack dump --format json` prints it; NULL: an error
EXPORT const char* engine_system(Engine* e, const char* notation, const void* bytes, size_t size)
{
    utSim* before = NULL;
    utStatus status = ut_sim_create(e->model, &e->settings.sim, &before, &e->err);
    if (status == UT_OK) {
        status = ut_sim_load(before, bytes, size, &e->err);
    }
    if (status == UT_OK) {
        status = write_system(e, notation, before);
    }
    ut_sim_destroy(before);
    return engine_status(e, status) == 0 ? e->text.data : NULL;
}
