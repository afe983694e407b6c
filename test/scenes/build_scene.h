// SPDX-License-Identifier: Apache-2.0
// Scenes as models, for tests.
#ifndef UPTACK_TEST_SCENES_BUILD_SCENE_H
#define UPTACK_TEST_SCENES_BUILD_SCENE_H

#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <uptack/scenes.h>

// @return NULL when that fails, which the test then shows
static inline utModel* build(const char* name)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    if (ut_scene_build(name, def, &err) != UT_OK ||
        ut_model_compile(def, NULL, &model, &err) != UT_OK) {
        CHECK_TEXT(err.message, "");
    }
    ut_model_def_destroy(def);
    return model;
}

static inline bool same_but_name(const utModel* a, const utModel* b)
{
    if (a->nbody != b->nbody || a->nq != b->nq || a->nv != b->nv || a->nu != b->nu ||
        a->nkeyframe != b->nkeyframe || memcmp(a->q0, b->q0, (size_t)a->nq * sizeof *a->q0) != 0) {
        return false;
    }
    const utVec3 g = ut_vec3_sub(a->options.gravity, b->options.gravity);
    bool same = g.x == 0.0 && g.y == 0.0 && g.z == 0.0 && a->mass == b->mass;
    for (int i = 0; i < a->ngeom; i++) {
        same = same && a->geom[i].friction == b->geom[i].friction;
    }
    for (int k = 0; k < a->nkeyframe; k++) {
        const size_t v = (size_t)a->nv * sizeof(double), u = (size_t)a->nu * sizeof(double);
        same = same && memcmp(a->keyframe[k].v, b->keyframe[k].v, v) == 0 &&
               (u == 0 || memcmp(a->keyframe[k].ctrl, b->keyframe[k].ctrl, u) == 0);
    }
    return same;
}

static inline const utModelBody* body_of(const utModel* model, const char* name)
{
    const int i = ut_model_find_body(model, name);
    CHECK(i >= 0);
    return &model->body[i >= 0 ? i : 0];
}

static inline const utModelGeom* geom_of(const utModel* model, const char* name)
{
    const int i = ut_model_find_geom(model, name);
    CHECK(i >= 0);
    return &model->geom[i >= 0 ? i : 0];
}

static inline const utModelKeyframe* start_of(const utModel* model)
{
    const int i = ut_model_find_keyframe(model, UT_KEYFRAME_START);
    CHECK(i >= 0);
    return &model->keyframe[i >= 0 ? i : 0];
}

// Friction of two geoms by name.
static inline double friction_of(const utModel* model, const char* a, const char* b)
{
    return ut_model_friction(model, ut_model_find_geom(model, a), ut_model_find_geom(model, b));
}

static inline void check_vec3(utVec3 got, double x, double y, double z, double tolerance)
{
    CHECK_NEAR(got.x, x, tolerance);
    CHECK_NEAR(got.y, y, tolerance);
    CHECK_NEAR(got.z, z, tolerance);
}

#endif
