// SPDX-License-Identifier: Apache-2.0
// Small models, each named after a rule of MJCF or URDF that is easy to get wrong, against what MuJoCo
// 3.14.0 makes of them: traps/NAME.xml or NAME.urdf, and NAME.expect, which tools/mujoco-oracle.mjs
// makes. All figures are compared in the modelled pose and in one at random, and the pairs of geoms that
// touch must be the same.
//
// Tolerance: 1e-9 of the largest entry of the figure, as in motion.c.
#include "trap.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <uptack/load.h>

#define FOLDER "test/oracle/traps"

static const double TOLERANCE = 1e-9;
static const double LEAST = 1e-6; // figures that are 0 but for rounding are measured by this

enum { LEAST_MODELS = 100 };

// A difference that stays, and why (docs/models.md, "Agreement with MuJoCo").
typedef struct Exception {
    const char *model, *figure, *reason;
} Exception;

static const Exception exceptions[] = {
    {"mesh-tetrahedron", "geom_mat", "two equal moments: its principal axes are arbitrary"},
    {"inertia-shell-ellipsoid", "inertia",
     "MuJoCo takes a thin layer between two ellipsoids, not the limit"},
    {"inertia-shell-ellipsoid", "M", "as the inertia"},
    {"inertia-bounds-massless", "com", "MuJoCo takes the position in the parent for the centre"},
    {"inertia-bounds-massless", "body_com", "as the centre"},
    {"inertia-bounds-massless", "M", "as the centre"},
    {"inertia-bounds-massless", "bias", "as the centre"},
    {"actuator-site-turned", "actuator_length",
     "MuJoCo multiplies the quaternions of site and body in "
     "reverse order"},
    {"actuator-site-turned", "actuator_force", "as the length"},
    {"actuator-site-turned", "actuator", "as the length"},
    {"actuator-tendon-range", "forcerange",
     "the range of the tendon is part of its only actuator's"},
    {"gravcomp-negative", "passive",
     "MuJoCo ignores negative compensations where no other is positive"},
    {"actuator-tendon-clamps", "forcerange",
     "the range of the tendon is part of its only actuator's"},
    {"sensor-principal-axes", "sensor", "the axes are those of the body's frame"},
    {"urdf-base-collides", "touching", "links that overlap where the robot begins do not collide"},
};

enum { EXCEPTIONS = sizeof exceptions / sizeof *exceptions };

typedef struct Sum {
    int models, vectors;
    bool needed[EXCEPTIONS]; // the exception differs indeed
    double worst;
    char where[128];
} Sum;

// @return the number of an exception, -1 when there is none
static int find_exception(const char* model, const char* figure)
{
    for (int i = 0; i < EXCEPTIONS; i++) {
        if (strcmp(exceptions[i].model, model) == 0 && strcmp(exceptions[i].figure, figure) == 0) {
            return i;
        }
    }
    return -1;
}

static void check_exceptions(const Sum* sum)
{
    for (int i = 0; i < EXCEPTIONS; i++) {
        test_note("%s: %s may differ: %s", exceptions[i].model, exceptions[i].figure,
                  exceptions[i].reason);
        CHECK(sum->needed[i]); // else remove it
    }
}

// ---- comparison ---------------------------------------------------------------------------------

static double largest_difference(int count, const double* got, const double* want, double scale)
{
    double size = fmax(LEAST, 1e-3 * scale), error = 0.0;
    for (int i = 0; i < count; i++) {
        size = fmax(size, fabs(want[i]));
    }
    for (int i = 0; i < count; i++) {
        const double e = fabs(got[i] - want[i]) / size;
        error = isnan(error) || e <= error ? error : e; // a NaN stays
    }
    return error;
}

static void compare(const Trap* trap, const Figure* want, const char* model, Sum* sum)
{
    static double got[TRAP_MOST];
    double scale = 0.0;
    const int count = trap_figure(trap, want->name, got, &scale);
    const double error =
        count == want->count ? largest_difference(count, got, want->x, scale) : HUGE_VAL;
    const bool near = error <= TOLERANCE;
    const int exception = find_exception(model, want->name);
    if (exception >= 0) {
        sum->needed[exception] = sum->needed[exception] || !near;
        return;
    }
    sum->vectors++;
    if (!CHECK(near)) {
        test_note("%s, state %d, %s: %d numbers, not %d, off by %.1e", model, want->state,
                  want->name, count, want->count, error);
    } else if (error > sum->worst) {
        sum->worst = error;
        (void)snprintf(sum->where, sizeof sum->where, "%.60s, state %d, %s", model, want->state,
                       want->name);
    }
}

// ---- models and states --------------------------------------------------------------------------

static const double* input(const Figures* figures, int state, const char* name, int count)
{
    const Figure found = figures_find(figures, state, name);
    return CHECK_INT(found.count, count) ? found.x : NULL;
}

static bool enter(Trap* trap, const Figures* figures, int state)
{
    const utModel* model = trap->model;
    const double* mocap_pos = input(figures, state, "mocap_pos", 3 * model->nmocap);
    const double* mocap_quat = input(figures, state, "mocap_quat", 4 * model->nmocap);
    trap->q = input(figures, state, "q", model->nq);
    trap->v = input(figures, state, "v", model->nv);
    trap->ctrl = input(figures, state, "ctrl", model->nu);
    trap->act = input(figures, state, "act", model->na);
    if (trap->q == NULL || trap->v == NULL || trap->ctrl == NULL || trap->act == NULL ||
        mocap_pos == NULL || mocap_quat == NULL ||
        !CHECK_INT(ut_kinematics_create(model, &trap->scratch, &trap->kin), UT_OK)) {
        return false;
    }
    ut_kinematics_place(&trap->kin, trap->q, mocap_pos, mocap_quat);
    ut_kinematics_move(&trap->kin, trap->v, NULL);
    return mujoco_terms(&trap->kin, trap->q, trap->v, &trap->scratch, &trap->terms);
}

static bool is_input(const char* name)
{
    static const char* const inputs[] = {"q", "v", "ctrl", "act", "mocap_pos", "mocap_quat"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        if (strcmp(name, inputs[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void look_at(const utModel* model, const char* name, const Figures* figures, utArena arena,
                    Sum* sum)
{
    CHECK_INT(figures->states, 2);
    for (int state = FIGURES_OF_MODEL; state < figures->states; state++) {
        Trap trap = {.model = model, .scratch = arena};
        const bool entered = state == FIGURES_OF_MODEL || enter(&trap, figures, state);
        for (int i = 0; i < figures->count && entered; i++) {
            const Figure* figure = &figures->figure[i];
            if (figure->state == state && !is_input(figure->name)) {
                compare(&trap, figure, name, sum);
            }
        }
    }
    sum->models++;
}

static void look_at_file(const char* file, Sum* sum)
{
    char path[400], name[200];
    utModel* model = NULL;
    utError err = {0};
    utArena arena = test_arena();
    Figures figures;
    (void)snprintf(name, sizeof name, "%.*s", (int)(strrchr(file, '.') - file), file);
    (void)snprintf(path, sizeof path, "%s/%s", FOLDER, file);
    if (!CHECK_INT(ut_load(path, &model, &err), UT_OK)) {
        char text[700];
        ut_error_format(&err, text, sizeof text);
        test_note("%s", text);
        return;
    }
    if (!CHECK_INT(model->missing, 0)) {
        test_note("%s: %s is not supported", name, model->missing_part[0].what);
    }
    (void)snprintf(path, sizeof path, "%s/%s.expect", FOLDER, name);
    if (figures_read(path, &arena, &figures)) {
        look_at(model, name, &figures, arena, sum);
    }
    ut_model_destroy(model);
}

TEST(models_named_after_traps_are_those_of_mujoco)
{
    Sum sum = {0};
    DIR* folder = opendir(FOLDER);
    const struct dirent* entry;
    while (CHECK(folder != NULL) && (entry = readdir(folder)) != NULL) {
        const char* end = strrchr(entry->d_name, '.');
        if (end != NULL && (strcmp(end, ".xml") == 0 || strcmp(end, ".urdf") == 0)) {
            look_at_file(entry->d_name, &sum);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    CHECK(sum.models >= LEAST_MODELS);
    check_exceptions(&sum);
    test_note("%d models, %d vectors, largest relative difference %.1e (%s), %d exceptions",
              sum.models, sum.vectors, sum.worst, sum.where, EXCEPTIONS);
}
