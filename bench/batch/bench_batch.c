// SPDX-License-Identifier: Apache-2.0
// Batches: rows of the quadruped on one thread and on several, what it costs to hand states over, and
// the memory of a row.
//
//     bench_batch [ROWS [MODEL]]
//
// Threads are compared in turns, and the best of five turns counts, because other work on the machine
// disturbs either. `cpu` is the processor time of all threads per step, which other work disturbs less:
// the ratio that a quiet machine can reach is the number of threads times cpu of one thread over cpu.
// `sims alone` are the same steps by one utSim per row. Hand-over is the difference per row and call
// between calls of one step and calls of ten steps, without the steps.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <uptack/batch.h>
#include <uptack/load.h>

enum { TURNS = 5, STEPS = 20, SETTLE = 200 };

static void stop(const utError* err)
{
    fprintf(stderr, "bench_batch: %s\n", err->message);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A batch whose rows have settled, each with other controls.
static utBatch* make(const utModel* model, int rows, int threads, const double* ctrl)
{
    utError err;
    utBatch* batch = NULL;
    utBatchDef def = ut_batch_def();
    def.rows = rows;
    def.threads = threads;
    int* key = malloc((size_t)rows * sizeof *key);
    for (int i = 0; i < rows; i++) {
        key[i] = ut_model_start_key(model);
    }
    if (ut_batch_create(model, &def, &batch, &err) != UT_OK ||
        ut_batch_reset(batch, rows, NULL, key, &err) != UT_OK ||
        ut_batch_step(batch, SETTLE, &(utBatchInput){.ctrl = ctrl}, NULL, &err) != UT_OK) {
        stop(&err);
    }
    free(key);
    return batch;
}

// Processor time of the process, s.
static double processor(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

// Seconds of `calls` calls of `steps` steps each. @param cpu receives the processor time
static double measure(utBatch* batch, const double* ctrl, int calls, int steps, double* cpu)
{
    utError err;
    const double start = now(), begin = processor();
    for (int k = 0; k < calls; k++) {
        if (ut_batch_step(batch, steps, &(utBatchInput){.ctrl = ctrl}, NULL, &err) != UT_OK) {
            stop(&err);
        }
    }
    *cpu = processor() - begin;
    return now() - start;
}

// The same steps by a sim per row. @return processor time, s
static double measure_alone(const utBatch* batch, const double* ctrl)
{
    const utModel* model = ut_batch_model(batch);
    const int rows = ut_batch_rows(batch);
    utError err;
    utSim** sim = calloc((size_t)rows, sizeof(utSim*));
    for (int i = 0; i < rows; i++) {
        if (ut_sim_create(model, NULL, &sim[i], &err) != UT_OK ||
            ut_batch_to_sim(batch, i, sim[i], &err) != UT_OK) {
            stop(&err);
        }
    }
    const double start = processor();
    for (int k = 0; k < STEPS; k++) {
        for (int i = 0; i < rows; i++) {
            const utInput input = {.ctrl = ctrl + (size_t)i * (size_t)model->nu};
            if (ut_sim_step(sim[i], &input, NULL, &err) != UT_OK) {
                stop(&err);
            }
        }
    }
    const double seconds = processor() - start;
    for (int i = 0; i < rows; i++) {
        ut_sim_destroy(sim[i]);
    }
    free(sim);
    return seconds;
}

int main(int argc, char** argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 1000;
    const char* path = argc > 2 ? argv[2] : "scenes/quadruped.xml";
    utModel* model = NULL;
    utError err;
    if (rows < 1 || ut_load(path, &model, &err) != UT_OK) {
        stop(&err);
    }
    utRng rng = ut_rng(1, 0);
    const int key = ut_model_start_key(model);
    double* ctrl = malloc(((size_t)rows * (size_t)model->nu + 1) * sizeof *ctrl);
    for (int i = 0; i < rows * model->nu; i++) {
        const double mean = key >= 0 ? model->keyframe[key].ctrl[i % model->nu] : 0.0;
        ctrl[i] = mean + ut_rng_range(&rng, -0.1, 0.1);
    }
    const int counts[] = {1, 2, 4};
    enum { COUNTS = sizeof counts / sizeof *counts };
    double best[COUNTS], least[COUNTS], one_step = HUGE_VAL, ten_steps = HUGE_VAL, alone = HUGE_VAL;
    utBatch* batch[COUNTS];
    for (int c = 0; c < COUNTS; c++) {
        best[c] = least[c] = HUGE_VAL;
        batch[c] = make(model, rows, counts[c], ctrl);
    }
    for (int turn = 0; turn < TURNS; turn++) {
        for (int c = 0; c < COUNTS; c++) {
            double cpu;
            best[c] = fmin(best[c], measure(batch[c], ctrl, 1, STEPS, &cpu));
            least[c] = fmin(least[c], cpu);
        }
        alone = fmin(alone, measure_alone(batch[0], ctrl));
        double cpu;
        (void)measure(batch[0], ctrl, STEPS, 1, &cpu);
        one_step = fmin(one_step, cpu);
        (void)measure(batch[0], ctrl, STEPS / 10, 10, &cpu);
        ten_steps = fmin(ten_steps, cpu);
    }
    int contacts = 0, failed = 0;
    double residual = 0.0;
    for (int i = 0; i < rows; i++) {
        contacts += ut_batch_row(batch[0])[i].contacts;
        failed += ut_batch_row(batch[0])[i].status != UT_OK;
        residual = fmax(residual, ut_batch_row(batch[0])[i].residual);
    }
    const double steps = (double)rows * STEPS;
    printf("%s: %d rows, %d steps per call, %.2f contacts, %d failed, largest E %.1e\n", path, rows,
           STEPS, (double)contacts / rows, failed, residual);
    printf("%-14s %10s %10s %8s %10s\n", "", "us/step", "steps/s", "ratio", "cpu");
    printf("%-14s %10s %10s %8s %10.2f\n", "sims alone", "", "", "", 1e6 * alone / steps);
    for (int c = 0; c < COUNTS; c++) {
        printf("%d thread%-6s %10.2f %10.0f %8.2f %10.2f\n", counts[c], counts[c] > 1 ? "s" : "",
               1e6 * best[c] / steps, steps / best[c], best[0] / best[c], 1e6 * least[c] / steps);
    }
    printf("hand-over per row and call: %.2f us\n",
           1e6 * (one_step - ten_steps) / ((double)rows * (STEPS - STEPS / 10.0)));
    printf("memory per row: %.0f bytes\n", (double)ut_batch_row_bytes(batch[0]) / rows);
    for (int c = 0; c < COUNTS; c++) {
        ut_batch_destroy(batch[c]);
    }
    free(ctrl);
    ut_model_destroy(model);
    return 0;
}
