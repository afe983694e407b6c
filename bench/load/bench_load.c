// SPDX-License-Identifier: Apache-2.0
// Time to load models of other people: the largest ones of $UPTACK_DATA, or those that are named.
// MuJoCo (Debian: libmujoco-dev, 2.2.2), if installed, loads the same files. CPU time of the process,
// the best of several loads, in seconds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uptack/load.h>

#include "support/bench.h"

#ifdef UPTACK_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#endif

enum { LOADS = 5, PATH_LENGTH = 600 };

// The ten largest by the bytes of their files.
static const char* const largest[] = {
    "menagerie/google_barkour_vb/scene.xml",
    "menagerie/trossen_wxai/scene.xml",
    "menagerie/robotiq_2f85/scene.xml",
    "menagerie/trs_so_arm100/scene.xml",
    "menagerie_slim/google_robot/scene.xml",
    "menagerie/umi_gripper/scene.xml",
    "menagerie_slim/tetheria_aero_hand_open/scene_right.xml",
    "menagerie_slim/ufactory_lite6/lite6_gripper_wide.xml",
    "menagerie/bitcraze_crazyflie_2/scene.xml",
    "menagerie/skydio_x2/scene.xml",
};

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/// Loads a file and lets go of it. @return false with a reason when that fails
typedef bool Load(const char* path, char reason[200]);

static bool load_uptack(const char* path, char reason[200])
{
    utModel* model = NULL;
    utError err = {0};
    const bool ok = ut_load(path, &model, &err) == UT_OK;
    (void)snprintf(reason, 200, "%.199s", err.message);
    ut_model_destroy(model);
    return ok;
}

static bool load_mujoco(const char* path, char reason[200])
{
#ifdef UPTACK_HAVE_MUJOCO
    mjModel* model = mj_loadXML(path, NULL, reason, 200);
    if (model == NULL) {
        return false;
    }
    mj_deleteModel(model);
    return true;
#else
    (void)path;
    (void)snprintf(reason, 200, "not installed");
    return false;
#endif
}

// @return the least CPU time of a load in s, or -1
static double best_of(Load* load, const char* path, char reason[200])
{
    double best = -1.0;
    for (int i = 0; i < LOADS; i++) {
        const double start = cpu_seconds();
        if (!load(path, reason)) {
            return -1.0;
        }
        const double seconds = cpu_seconds() - start;
        best = best < 0.0 || seconds < best ? seconds : best;
    }
    return best;
}

static void compare(const char* name, const char* path)
{
    char reason[200];
    const double ours = best_of(load_uptack, path, reason);
    if (ours < 0.0) {
        printf("%-56s %s\n", name, reason);
        return;
    }
    const double theirs = best_of(load_mujoco, path, reason);
    if (theirs < 0.0) {
        // its reasons have several lines
        reason[strcspn(reason, "\n")] = '\0';
        printf("%-56s %8.4f        -      -  MuJoCo: %s\n", name, ours, reason);
    } else {
        printf("%-56s %8.4f %8.4f %6.2f\n", name, ours, theirs, ours / theirs);
    }
    (void)fflush(stdout);
}

int main(int argc, char** argv)
{
    const char* data = getenv("UPTACK_DATA");
    bench_one_thread(argv);
    if (argc == 1 && data == NULL) {
        fprintf(stderr, "bench_load: set UPTACK_DATA, or name models\n");
        return 0;
    }
    printf("%-56s %8s %8s %6s\n", "seconds of CPU", "uptack", "MuJoCo", "ratio");
    for (int i = 1; i < argc; i++) {
        compare(argv[i], argv[i]);
    }
    for (size_t i = 0; argc == 1 && i < sizeof largest / sizeof *largest; i++) {
        char path[PATH_LENGTH];
        (void)snprintf(path, sizeof path, "%s/models/%s", data, largest[i]);
        compare(largest[i], path);
    }
    return 0;
}
