// SPDX-License-Identifier: Apache-2.0
// The scenes of Berard's guide in both coordinates, and runs of them.
#ifndef UPTACK_TEST_SEEDS_BERARD_H
#define UPTACK_TEST_SEEDS_BERARD_H

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <uptack/dyn.h>
#include <uptack/io.h>
#include <uptack/sim.h>

#include "support/berard_recipe.h"
#include "test.h"

/// A compiled scene in the coordinates asked for. @return NULL, noted, when it cannot be
static inline utModel* scene_compile(utModelDef* def, bool maximal)
{
    utModel* model = NULL;
    utModel* other = NULL;
    utError err = {0};
    if (ut_model_compile(def, NULL, &model, &err) != UT_OK ||
        (maximal && ut_model_maximal(model, NULL, &other, &err) != UT_OK)) {
        test_note("%s", err.message);
        CHECK(false);
    }
    if (maximal) {
        ut_model_destroy(model);
        model = other;
    }
    return model;
}

static inline utModel* scene_read(const char* text, bool maximal)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    if (CHECK_INT(ut_mjcf_read((utText){text, strlen(text)}, "text", NULL, def, NULL, &err),
                  UT_OK)) {
        model = scene_compile(def, maximal);
    } else {
        test_note("%s", err.message);
    }
    ut_model_def_destroy(def);
    return model;
}

/// scenes/seeds/berard-NAME.xml
static inline utModel* scene_load(const char* name, bool maximal)
{
    char path[128];
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    snprintf(path, sizeof path, "scenes/seeds/berard-%s.xml", name);
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    if (CHECK_INT(ut_mjcf_load(path, NULL, def, NULL, &err), UT_OK)) {
        model = scene_compile(def, maximal);
    } else {
        test_note("%s", err.message);
    }
    ut_model_def_destroy(def);
    return model;
}

/// A sim of it. @param h 0: the file's
static inline utSim* scene_sim(const utModel* model, double h)
{
    utSimDef def = ut_sim_def();
    utSim* sim = NULL;
    utError err = {0};
    def.dt = h;
    if (model == NULL || !CHECK_INT(ut_sim_create(model, &def, &sim, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    return sim;
}

static inline utStepResult scene_step(utSim* sim)
{
    utStepResult result = {0};
    utError err = {0};
    if (!CHECK_INT(ut_sim_step(sim, NULL, &result, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    if (!CHECK_INT(result.outcome, UT_STEP_CERTIFIED)) {
        test_note("t = %g: %s", ut_sim_time(sim),
                  ut_certificate_reason_name(result.certificate.reason));
    }
    return result;
}

/// Planar pose and twist of a body by name: x, y, angle of its centre of mass.
typedef struct Pose {
    double q[3], v[3];
} Pose;

static inline Pose scene_pose(const utSim* sim, const char* name)
{
    const int body = ut_model_find_body(ut_sim_model(sim), name);
    CHECK(body > 0);
    const utBodyState s = ut_sim_body(sim, body);
    const double angle = atan2(s.frame.R.m[1][0], s.frame.R.m[0][0]);
    return (Pose){{s.com.x, s.com.y, angle}, {s.velocity.x, s.velocity.y, s.angular.z}};
}

#endif
