// SPDX-License-Identifier: Apache-2.0
// The same steps as bench_python.py takes, from C: time per step, the least over many rounds.
//
//   bench_python [SCENE [STEPS [ROUNDS]]]    default: quad 2000 30
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <uptack/uptack.h>

// CPU time, so that other programs disturb it little
static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

// Least time of `steps` steps from the start, s.
static utStatus measure(utSim* sim, int steps, int rounds, double* least, utError* err)
{
    const utModel* model = ut_sim_model(sim);
    const int key = ut_model_start_key(model);
    const utInput input = {.ctrl = key >= 0 ? model->keyframe[key].ctrl : NULL};
    *least = 1e30;
    for (int r = 0; r < rounds; r++) {
        UT_TRY(ut_sim_reset(sim, key, err));
        const double start = now();
        for (int i = 0; i < steps; i++) {
            utStepResult result;
            UT_TRY(ut_sim_step(sim, &input, &result, err));
        }
        const double spent = now() - start;
        *least = spent < *least ? spent : *least;
    }
    return UT_OK;
}

int main(int argc, char** argv)
{
    const char* scene = argc > 1 ? argv[1] : "quad";
    const int steps = argc > 2 ? atoi(argv[2]) : 2000;
    const int rounds = argc > 3 ? atoi(argv[3]) : 30;
    utModel* model = NULL;
    utSim* sim = NULL;
    utError err = {0};
    double least = 0.0;
    utStatus status = ut_load(scene, &model, &err);
    if (status == UT_OK) {
        status = ut_sim_create(model, NULL, &sim, &err);
    }
    if (status == UT_OK) {
        status = measure(sim, steps, rounds, &least, &err);
    }
    if (status == UT_OK) {
        printf("%s %d steps: %.4f us per step, hash %016llx\n", scene, steps, 1e6 * least / steps,
               (unsigned long long)ut_sim_hash(sim));
    } else {
        fprintf(stderr, "%s: %s\n", scene, err.message);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    return status == UT_OK ? 0 : 1;
}
