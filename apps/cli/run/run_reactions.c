// SPDX-License-Identifier: Apache-2.0
// Reactions of the joints of a run: columns of the table of states, and the last ones as JSON.
#include "run/run_reactions.h"

#include "model.h"

#include <math.h>
#include <string.h>

static const char* column_name(const utModel* model, int reaction, int cell, utArena* keep)
{
    static const char* const endings[RUN_REACTION_CELLS] = {".px", ".py", ".pz",
                                                            ".tx", ".ty", ".tz"};
    char buffer[32];
    const char* name = ut_reaction_name(model, reaction, buffer);
    const size_t size = strlen(name) + strlen(endings[cell]) + 1;
    char* text = UT_PUSH(keep, char, size);
    if (text != NULL) {
        snprintf(text, size, "%s%s", name, endings[cell]);
    }
    return text;
}

utStatus run_reactions_open(const utModel* model, RunReactions* reactions)
{
    RunReactions* r = reactions;
    UT_TRY(ut_arena_create(0, NULL, &r->memory));
    r->model = model;
    r->count = ut_reaction_count(model);
    const int cells = RUN_REACTION_CELLS * r->count;
    r->reaction = UT_PUSH(&r->memory, utReaction, r->count);
    r->name = UT_PUSH(&r->memory, const char*, cells);
    r->value = UT_PUSH(&r->memory, double, cells);
    if (ut_arena_failed(&r->memory)) {
        return UT_ERR_MEMORY;
    }
    for (int k = 0; k < cells; k++) {
        r->name[k] = column_name(model, k / RUN_REACTION_CELLS, k % RUN_REACTION_CELLS, &r->memory);
        r->value[k] = (double)NAN;
    }
    return ut_arena_failed(&r->memory) ? UT_ERR_MEMORY
                                       : ut_sensors_create(model, &r->memory, &r->sensors);
}

void run_reactions_close(RunReactions* reactions)
{
    if (reactions->model != NULL) {
        ut_arena_destroy(&reactions->memory);
    }
    *reactions = (RunReactions){0};
}

void run_reactions_find(RunReactions* reactions, const utStepReport* report)
{
    ut_reactions(&reactions->sensors, report, reactions->reaction);
    for (int k = 0; k < reactions->count; k++) {
        const utReaction* r = &reactions->reaction[k];
        const double cells[RUN_REACTION_CELLS] = {r->impulse.x, r->impulse.y, r->impulse.z,
                                                  r->torque.x,  r->torque.y,  r->torque.z};
        memcpy(reactions->value + (size_t)RUN_REACTION_CELLS * (size_t)k, cells, sizeof cells);
    }
    reactions->known = true;
}

static void json_vector(utJsonWriter* w, const char* key, utVec3 x)
{
    ut_json_key(w, key);
    ut_json_array_begin(w);
    ut_json_number(w, x.x);
    ut_json_number(w, x.y);
    ut_json_number(w, x.z);
    ut_json_array_end(w);
}

void run_reactions_json(utJsonWriter* w, const RunReactions* reactions)
{
    ut_json_key(w, "reactions");
    ut_json_array_begin(w);
    for (int k = 0; reactions->known && k < reactions->count; k++) {
        const utReaction* r = &reactions->reaction[k];
        char buffer[32];
        CliName room;
        ut_json_object_begin(w);
        ut_json_key(w, "name");
        ut_json_string(w, ut_reaction_name(reactions->model, k, buffer));
        ut_json_key(w, "body");
        ut_json_string(w, cli_name(reactions->model->body[r->body].name, "body", r->body, &room));
        json_vector(w, "point", r->point);
        json_vector(w, "impulse", r->impulse);
        json_vector(w, "torque", r->torque);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}
