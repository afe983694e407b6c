// SPDX-License-Identifier: Apache-2.0
// A ball falls on a floor: read a model from a text, simulate 1 s and print the largest error E.
#include <stdio.h>
#include <string.h>
#include <uptack/uptack.h>

static const char text[] = "<mujoco>"
                           "  <worldbody>"
                           "    <geom type='plane' size='1 1 1'/>"
                           "    <body name='ball' pos='0 0 0.5'>"
                           "      <freejoint/>"
                           "      <geom type='sphere' size='0.1'/>"
                           "    </body>"
                           "  </worldbody>"
                           "</mujoco>";

int main(void)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utSim* sim = NULL;
    utNotes notes = {0};
    utError err = {0};
    double worst = 0.0;
    utStatus status = ut_model_def_create(NULL, &def);
    if (status == UT_OK) {
        status = ut_mjcf_read((utText){text, strlen(text)}, "drop", NULL, def, &notes, &err);
    }
    if (status == UT_OK) {
        status = ut_model_compile(def, NULL, &model, &err);
    }
    if (status == UT_OK) {
        status = ut_sim_create(model, NULL, &sim, &err);
    }
    while (status == UT_OK && ut_sim_time(sim) < 1.0) {
        utStepResult step;
        status = ut_sim_step(sim, NULL, &step, &err);
        // a step that is not certified returns UT_ERR_NOT_TAKEN with the reason in err
        worst = status == UT_OK && step.certificate.E > worst ? step.certificate.E : worst;
    }
    if (status == UT_OK) {
        const utBodyState ball = ut_sim_body(sim, ut_model_find_body(model, "ball"));
        printf("t = %.3f s, z = %.9f m, worst E = %.1e\n", ut_sim_time(sim), ball.com.z, worst);
    } else {
        fprintf(stderr, "%s\n", err.message);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    ut_notes_destroy(&notes);
    ut_model_def_destroy(def);
    return status == UT_OK && worst <= 1e-8 ? 0 : 1;
}
