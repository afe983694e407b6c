// SPDX-License-Identifier: Apache-2.0
// Models of other people: every file below $UPTACK_DATA/models that loads runs for 0.5 s, and those
// of $UPTACK_DATA/../cases for 3 s; each step certified, none by a last resort.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <uptack/io.h>
#include <uptack/sim.h>

#include "test.h"

enum { PATHS = 2000, LENGTH = 600, SLOWEST = 5 };

typedef struct Slow {
    double seconds; // of CPU
    int iterations;
    const char* path;
} Slow;

typedef struct Tally {
    char path[PATHS][LENGTH];
    int paths;
    int ran, refused; // files that do not load
    double seconds;
    Slow slow[SLOWEST]; // the slowest first
} Tally;

static int by_name(const void* a, const void* b)
{
    return strcmp(a, b);
}

// All .xml files below a folder; @param deep its folders too
static void list_files(const char* folder, bool deep, Tally* t)
{
    DIR* dir = opendir(folder);
    const struct dirent* entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[LENGTH];
        struct stat info;
        const size_t length = strlen(entry->d_name);
        if (entry->d_name[0] == '.' ||
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path ||
            stat(path, &info) != 0) {
            continue;
        }
        if (S_ISDIR(info.st_mode) && deep) {
            list_files(path, deep, t);
        } else if (length > 4 && strcmp(entry->d_name + length - 4, ".xml") == 0 &&
                   CHECK(t->paths < PATHS)) {
            memcpy(t->path[t->paths++], path, sizeof path);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
}

// @return NULL when the file does not load
static utModel* load(const char* path)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    if (ut_mjcf_load(path, NULL, def, NULL, &err) == UT_OK) {
        (void)ut_model_compile(def, NULL, &model, &err);
    }
    ut_model_def_destroy(def);
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
    qsort(t->path, (size_t)t->paths, LENGTH, by_name);
    for (int i = 0; i < t->paths; i++) {
        utModel* model = load(t->path[i]);
        utSim* sim = NULL;
        if (model == NULL || ut_sim_create(model, NULL, &sim, NULL) != UT_OK) {
            t->refused++;
        } else {
            const clock_t start = clock();
            const int iterations = run(t->path[i], sim, seconds);
            t->ran++;
            rank(t, (Slow){(double)(clock() - start) / CLOCKS_PER_SEC, iterations, t->path[i]});
        }
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
    test_note("%d models ran for %g s each, %d do not load; %.1f s of CPU", t->ran, seconds,
              t->refused, t->seconds);
    for (int k = 0; k < SLOWEST && t->slow[k].path != NULL; k++) {
        test_note("%.2f s of CPU, %d iterations: %s", t->slow[k].seconds, t->slow[k].iterations,
                  t->slow[k].path);
    }
}

static void run_folder(const char* folder, bool deep, double seconds)
{
    static Tally tally;
    const char* data = getenv("UPTACK_DATA");
    char path[LENGTH];
    memset(&tally, 0, sizeof tally);
    if (data == NULL) {
        test_skip("UPTACK_DATA is not set: no public models");
        return;
    }
    (void)snprintf(path, sizeof path, "%s/%s", data, folder);
    list_files(path, deep, &tally);
    if (tally.paths == 0) {
        test_skip("there is no model in $UPTACK_DATA/%s", folder);
        return;
    }
    run_all(seconds, &tally);
}

TEST(every_public_model_runs_half_a_second_certified)
{
    run_folder("models", true, 0.5);
}

TEST(every_case_runs_three_seconds_certified)
{
    run_folder("../cases", false, 3.0);
}
