// SPDX-License-Identifier: Apache-2.0
// The XML files of scenes/: each is read without a word of physics left out, and those that a
// builder makes too are the same model. Numbers of a file are rounded decimals and turned by Euler
// angles: equal up to a few roundings.
#include "build_scene.h"

#include <uptack/io.h>

static const double close = 1e-14;

static utModel* load(const char* path)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    utMjcfDef how = ut_mjcf_def();
    how.strict = true;
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    if (ut_mjcf_load(path, &how, def, NULL, &err) != UT_OK ||
        ut_model_compile(def, NULL, &model, &err) != UT_OK) {
        char text[600];
        ut_error_format(&err, text, sizeof text);
        CHECK_TEXT(text, "");
    }
    ut_model_def_destroy(def);
    return model;
}

static void check_arrays(const double* a, const double* b, int count)
{
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(a[i], b[i], close * 200.0);
    }
}

static void check_bodies(const utModel* a, const utModel* b)
{
    for (int i = 1; i < a->nbody; i++) {
        const utModelBody* x = &a->body[i];
        const utModelBody* y = body_of(b, x->name);
        CHECK_TEXT(y->name, x->name);
        CHECK_NEAR(x->mass, y->mass, close);
        check_vec3(x->com, y->com.x, y->com.y, y->com.z, close);
        check_vec3(x->in_parent.p, y->in_parent.p.x, y->in_parent.p.y, y->in_parent.p.z, close);
        check_arrays(&x->inertia.m[0][0], &y->inertia.m[0][0], 9);
        check_arrays(&x->in_parent.R.m[0][0], &y->in_parent.R.m[0][0], 9);
    }
    for (int i = 0; i < a->njoint; i++) {
        const utVec3 axis = b->joint[i].axis;
        CHECK(a->joint[i].kind == b->joint[i].kind);
        check_vec3(a->joint[i].axis, axis.x, axis.y, axis.z, 0.0);
    }
}

static void check_geoms(const utModel* a, const utModel* b)
{
    for (int i = 0; i < a->ngeom; i++) {
        const utModelGeom* x = &a->geom[i];
        const utModelGeom* y = geom_of(b, x->name);
        CHECK(x->shape.kind == y->shape.kind);
        // a plane's size is for viewers; a sphere reads one number, a capsule two
        const int sizes[UT_SHAPE_KIND_COUNT] = {0, 1, 2, 3};
        check_arrays(&x->shape.size.x, &y->shape.size.x, sizes[x->shape.kind]);
        CHECK_NEAR(x->friction, y->friction, 0.0);
        CHECK_INT(x->contype, y->contype);
        CHECK_INT(x->conaffinity, y->conaffinity);
    }
}

static void check_same(const char* path, const char* name)
{
    utModel* a = load(path);
    utModel* b = build(name);
    if (a != NULL && b != NULL && CHECK_INT(a->nbody, b->nbody) && CHECK_INT(a->nv, b->nv) &&
        CHECK_INT(a->ngeom, b->ngeom) && CHECK_INT(a->nu, b->nu) &&
        CHECK_INT(a->nkeyframe, b->nkeyframe) && CHECK_INT(a->njoint, b->njoint)) {
        CHECK_NEAR(a->options.dt, b->options.dt, 0.0);
        check_arrays(a->q0, b->q0, a->nq);
        check_bodies(a, b);
        check_geoms(a, b);
        for (int i = 0; i < a->nu; i++) {
            CHECK(a->actuator[i].kind == b->actuator[i].kind);
            CHECK_NEAR(a->actuator[i].gain[0], b->actuator[i].gain[0], 0.0);
            CHECK_NEAR(a->actuator[i].bias[2], b->actuator[i].bias[2], 0.0);
        }
        for (int i = 0; i < a->nkeyframe; i++) {
            CHECK_TEXT(a->keyframe[i].name, b->keyframe[i].name);
            check_arrays(a->keyframe[i].q, b->keyframe[i].q, a->nq);
            check_arrays(a->keyframe[i].v, b->keyframe[i].v, a->nv);
            check_arrays(a->keyframe[i].ctrl, b->keyframe[i].ctrl, a->nu);
        }
    }
    ut_model_destroy(a);
    ut_model_destroy(b);
}

TEST(files_are_the_scenes_of_the_builders)
{
    check_same("scenes/pendulum.xml", "pendulum:90");
    check_same("scenes/double-pendulum.xml", "pendulum2:90:0");
    check_same("scenes/stack-5.xml", "stack:5");
    check_same("scenes/table.xml", "table");
    check_same("scenes/gripper.xml", "gripper:10");
    check_same("scenes/quadruped.xml", "quad");
    check_same("scenes/top.xml", "top:20:200");
}

TEST(the_box_of_the_slope_file_lies_on_it)
{
    utModel* model = load("scenes/box-on-slope.xml");
    const utVec3 normal = ut_mat3_column(body_of(model, "slope")->in_parent.R, 2);
    const utModelBody* box = body_of(model, "box");
    CHECK_NEAR(normal.x, 0.34202014332566873, close);
    CHECK_NEAR(ut_vec3_dot(normal, box->in_parent.p), 0.1, close);
    CHECK_NEAR(ut_vec3_dot(normal, ut_mat3_column(box->in_parent.R, 2)), 1.0, close);
    CHECK_NEAR(friction_of(model, "box", "slope"), 0.4, 0.0);
    ut_model_destroy(model);
}

TEST(thrown_things_begin_with_their_velocity)
{
    utModel* ball = load("scenes/ball-throw.xml");
    CHECK_NEAR(start_of(ball)->v[0], 3.0, 0.0);
    CHECK_NEAR(start_of(ball)->v[2], 4.0, 0.0);
    CHECK_NEAR(start_of(ball)->q[2], 1.0, 0.0);
    CHECK_NEAR(ball->mass, 1.0, 0.0);
    ut_model_destroy(ball);
    utModel* box = load("scenes/thrown-box.xml");
    // the spin is about the middle axis: m/3 (b^2 + c^2) with half extents 0.1, 0.2, 0.3
    const utMat3 inertia = box->body[1].inertia;
    CHECK(inertia.m[2][2] < inertia.m[1][1] && inertia.m[1][1] < inertia.m[0][0]);
    CHECK_NEAR(inertia.m[1][1], 2.0 / 3.0 * 0.1, 1e-15);
    CHECK_NEAR(start_of(box)->v[4], 8.0, 0.0);
    ut_model_destroy(box);
}
