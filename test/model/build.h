// SPDX-License-Identifier: Apache-2.0
// Helpers that build models in tests.
#ifndef UPTACK_TEST_MODEL_BUILD_H
#define UPTACK_TEST_MODEL_BUILD_H

#include "test.h"

#include <string.h>
#include <uptack/model.h>

static inline utModelDef* new_def(void)
{
    utModelDef* def = NULL;
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    return def;
}

static inline int add_body(utModelDef* def, int parent, const char* name, utVec3 pos)
{
    utBodyDef body = ut_body_def();
    body.parent = parent;
    body.name = name;
    body.pos = pos;
    return ut_model_def_body(def, &body);
}

static inline int add_joint(utModelDef* def, int body, utJointKind kind, const char* name)
{
    utJointDef joint = ut_joint_def(body, kind);
    joint.name = name;
    return ut_model_def_joint(def, &joint);
}

// A ball of 1 kg and 0.1 m at the body's origin.
static inline int add_ball(utModelDef* def, int body, const char* name)
{
    utGeomDef geom = ut_geom_def(body, UT_SHAPE_SPHERE, ut_vec3(0.1, 0.0, 0.0));
    geom.name = name;
    geom.mass = 1.0;
    return ut_model_def_geom(def, &geom);
}

// A body with one joint and a ball.
static inline int add_link(utModelDef* def, int parent, const char* name, utJointKind kind)
{
    const int body = add_body(def, parent, name, ut_vec3(0.0, 0.0, 1.0));
    add_joint(def, body, kind, NULL);
    add_ball(def, body, name);
    return body;
}

// Compile a description and destroy it. @return NULL and a failed check when it does not compile
static inline utModel* compile(utModelDef* def)
{
    utModel* model = NULL;
    utError err = {0};
    const utStatus status = ut_model_compile(def, NULL, &model, &err);
    if (status != UT_OK) {
        CHECK_TEXT(err.message, "");
    }
    ut_model_def_destroy(def);
    return model;
}

static inline void check_vec3(utVec3 got, double x, double y, double z, double tolerance)
{
    CHECK_NEAR(got.x, x, tolerance);
    CHECK_NEAR(got.y, y, tolerance);
    CHECK_NEAR(got.z, z, tolerance);
}

#endif
