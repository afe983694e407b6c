// SPDX-License-Identifier: Apache-2.0
// Models of other people: every file below $UPTACK_DATA/models and $UPTACK_DATA/urdf runs for 0.5 s,
// those of $UPTACK_DATA/../cases for 3 s; each step certified, none by a last resort. A file that is
// refused, that runs without a part of its physics, or that is too slow for 0.5 s, is in the committed
// list models.txt.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uptack/load.h>
#include <uptack/sim.h>

#include "exceptions.h"
#include "files.h"
#include "test.h"

enum { SLOWEST = 5, LINE = 200 };

typedef struct Slow {
    double seconds; // of CPU
    int iterations;
    const char* path;
} Slow;

typedef struct Tally {
    Files files;
    size_t root; // length of $UPTACK_DATA and its slash
    int ran, refused, limited;
    double seconds;
    Slow slow[SLOWEST]; // the slowest first
} Tally;

// The names of the physics that a model lacks.
static void name_missing(const utModel* model, char text[LINE])
{
    text[0] = 0;
    for (int i = 0; i < model->missing_parts; i++) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, LINE - used, "%s%s", i > 0 ? ", " : "",
                       model->missing_part[i].what);
    }
}

// Load a model and compare with the list. @return NULL when it is refused
static utModel* load(const char* path, Tally* t)
{
    char reason[200];
    utModel* model = NULL;
    utError err = {0};
    const char* expected = model_expected(path + t->root, reason);
    if (ut_load(path, &model, &err) != UT_OK) {
        t->refused++;
        const bool listed = strcmp(expected, "refused") == 0;
        if (!CHECK(listed && strstr(err.message, reason) != NULL)) {
            test_note("%s refused %s", path + t->root, err.message);
        }
        return NULL;
    }
    char missing[LINE];
    name_missing(model, missing);
    t->limited += model->missing > 0 ? 1 : 0;
    const bool listed = strcmp(expected, model->missing > 0 ? "limited" : "runs") == 0;
    if (!CHECK(listed && strcmp(reason, missing) == 0)) {
        test_note("%s %s %s", path + t->root, model->missing > 0 ? "limited" : "runs", missing);
    }
    return model;
}

// Run until the first step that is not certified, or flagged. @return iterations
static int run(const char* path, utSim* sim, double seconds)
{
    int iterations = 0;
    utError err = {0};
    utStepResult result;
    while (ut_sim_time(sim) < seconds - 1e-9) {
        if (!CHECK_INT(ut_sim_step(sim, NULL, &result, &err), UT_OK) ||
            !CHECK_INT(result.outcome, UT_STEP_CERTIFIED)) {
            test_note("%s: %s %s %.3g, limit %.1e, at t = %g s", path, err.message,
                      ut_certificate_reason_name(result.certificate.reason),
                      result.certificate.value, result.certificate.limit, ut_sim_time(sim));
            break;
        }
        iterations += result.iterations;
    }
    return iterations;
}

static void rank(Tally* t, Slow slow)
{
    t->seconds += slow.seconds;
    for (int k = 0; k < SLOWEST; k++) {
        if (slow.seconds > t->slow[k].seconds) {
            const Slow next = t->slow[k];
            t->slow[k] = slow;
            slow = next;
        }
    }
}

static void run_all(double seconds, Tally* t)
{
    for (int i = 0; i < t->files.count; i++) {
        utModel* model = load(t->files.path[i], t);
        utSim* sim = NULL;
        if (model != NULL && CHECK_INT(ut_sim_create(model, NULL, &sim, NULL), UT_OK)) {
            const clock_t start = clock();
            const char* path = t->files.path[i];
            const int iterations = run(path, sim, model_seconds(path + t->root, seconds));
            t->ran++;
            rank(t,
                 (Slow){(double)(clock() - start) / CLOCKS_PER_SEC, iterations, t->files.path[i]});
        }
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
    test_note(
        "%d models ran for %g s each, %d of them without a part of their physics; %d are refused; "
        "%.1f s of CPU",
        t->ran, seconds, t->limited, t->refused, t->seconds);
    for (int k = 0; k < SLOWEST && t->slow[k].path != NULL; k++) {
        test_note("%.2f s of CPU, %d iterations: %s", t->slow[k].seconds, t->slow[k].iterations,
                  t->slow[k].path);
    }
}

static void run_folder(const char* folder, double seconds)
{
    static Tally tally;
    const char* data = getenv("UPTACK_DATA");
    char path[FILES_PATH];
    memset(&tally, 0, sizeof tally);
    if (data == NULL) {
        test_skip("UPTACK_DATA is not set: no public models");
        return;
    }
    (void)snprintf(path, sizeof path, "%s/%s", data, folder);
    tally.root = strlen(data) + 1;
    files_list(path, &tally.files);
    if (tally.files.count == 0) {
        test_skip("there is no model in $UPTACK_DATA/%s", folder);
        return;
    }
    run_all(seconds, &tally);
}

TEST(every_public_model_runs_half_a_second_certified)
{
    run_folder("models", 0.5);
}

TEST(every_public_urdf_runs_half_a_second_certified)
{
    run_folder("urdf", 0.5);
}

TEST(every_case_runs_three_seconds_certified)
{
    run_folder("../cases", 3.0);
}
