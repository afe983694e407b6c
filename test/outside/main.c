// SPDX-License-Identifier: Apache-2.0
// A user's program in C and C++: it steps a ball, and has its own functions with common names.
#include <stdio.h>
#include <uptack/uptack.h>

int xml_parse(void);
int names_add(void);
int pool_push(void);

int xml_parse(void)
{
    return 1;
}

int names_add(void)
{
    return 2;
}

int pool_push(void)
{
    return 3;
}

static const char text[] = "<mujoco><worldbody><body pos='0 0 1'><freejoint/>"
                           "<geom type='sphere' size='.1'/></body></worldbody></mujoco>";

int main(void)
{
    const utText file = {text, sizeof text - 1};
    utModelDef* def = NULL;
    utModel* model = NULL;
    utSim* sim = NULL;
    static utNotes notes;
    static utError err;
    bool falls = false;
    if (ut_model_def_create(NULL, &def) == UT_OK &&
        ut_mjcf_read(file, "ball", NULL, def, &notes, &err) == UT_OK &&
        ut_model_compile(def, NULL, &model, &err) == UT_OK &&
        ut_sim_create(model, NULL, &sim, &err) == UT_OK &&
        ut_sim_step(sim, NULL, NULL, &err) == UT_OK) {
        falls = ut_sim_q(sim)[2] < 1.0;
    }
    printf("%s\n", falls ? "the ball falls" : err.message);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    ut_notes_destroy(&notes);
    ut_model_def_destroy(def);
    return falls && xml_parse() + names_add() + pool_push() == 6 ? 0 : 1;
}
