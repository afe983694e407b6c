// SPDX-License-Identifier: Apache-2.0
// Which scenes there are, and how one is started.
#define _POSIX_C_SOURCE 200809L
#include "every.h"

#include <glob.h>
#include <math.h>
#include <string.h>
#include <uptack/io.h>
#include <uptack/scenes.h>

// ---- names --------------------------------------------------------------------------------------

bool has_name(const Names* names, const char* name)
{
    for (int i = 0; i < names->count; i++) {
        if (strcmp(names->name[i], name) == 0) {
            return true;
        }
    }
    return false;
}

void add_name(Names* names, const char* name)
{
    if (names->count < MAX_SCENES && !has_name(names, name)) {
        snprintf(names->name[names->count++], sizeof names->name[0], "%s", name);
    }
}

static void add_files(const char* pattern, Names* names)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            add_name(names, found.gl_pathv[i]);
        }
    }
    globfree(&found);
}

void list_scenes(bool quick, Names* names)
{
    static const char* const small[] = {
        "stack:4",      "stackm:4", "pyramid:3",          "wall:2:2",
        "pile:6",       "wedge:3",  "slide:30",           "painleve",
        "pendulum2:90", "gripper",  "scenes/stack-5.xml",
    };
    static const char* const larger_ones[] = {"stack:30", "stackm:30", "chain:100"};
    if (quick) {
        for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
            add_name(names, small[i]);
        }
        return;
    }
    for (int i = 0; i < ut_scene_count(); i++) {
        add_name(names, ut_scene_info(i).name);
    }
    for (size_t i = 0; i < sizeof larger_ones / sizeof *larger_ones; i++) {
        add_name(names, larger_ones[i]);
    }
    add_files("scenes/*.xml", names);
    add_files("scenes/*/*.xml", names);
}

// ---- start and end ------------------------------------------------------------------------------

static bool fail(const char* name, const utError* err)
{
    char text[600];
    ut_error_format(err, text, sizeof text);
    printf("%s: %s\n", name, text);
    return false;
}

static utStatus describe(const char* name, utModelDef* def, utError* err)
{
    const utMjcfDef how = ut_mjcf_def();
    return ut_scene_is(name) ? ut_scene_build(name, def, err)
                             : ut_mjcf_load(name, &how, def, NULL, err);
}

static utStatus start(const Changes* changes, Scene* scene, utError* err)
{
    utSimDef def = ut_sim_def();
    def.dt = changes->dt;
    def.tolerance = 1e-8;
    def.keep_going = true;
    def.allocator = changes->allocator;
    if (changes->formulation != NULL) {
        def.formulation = *changes->formulation;
    }
    def.solver = changes->solver;
    def.adaptive = changes->adaptive;
    UT_TRY(ut_sim_create(scene->model, &def, &scene->sim, err));
    const int key = ut_model_find_keyframe(scene->model, UT_KEYFRAME_START);
    if (key >= 0) {
        scene->input.ctrl = scene->model->keyframe[key].ctrl;
    }
    return ut_sim_reset(scene->sim, key, err);
}

bool open_description(utModelDef* def, const Changes* changes, Scene* scene)
{
    static const Changes none = {0};
    utError err = {0};
    utStatus status = UT_OK;
    changes = changes != NULL ? changes : &none;
    *scene = (Scene){0};
    if (changes->set != NULL) {
        status = ut_model_def_set(def, changes->set, changes->value, &err);
    }
    if (status == UT_OK) {
        status = ut_model_compile(def, NULL, &scene->model, &err);
    }
    ut_model_def_destroy(def);
    if (status == UT_OK) {
        status = start(changes, scene, &err);
    }
    return status == UT_OK ? true : fail("scene", &err);
}

bool open_scene(const char* name, const Changes* changes, Scene* scene)
{
    utModelDef* def = NULL;
    utError err = {0};
    *scene = (Scene){0};
    utStatus status = ut_model_def_create(NULL, &def);
    if (status == UT_OK) {
        status = describe(name, def, &err);
    }
    if (status != UT_OK) {
        ut_model_def_destroy(def);
        return fail(name, &err);
    }
    return open_description(def, changes, scene);
}

void close_scene(Scene* scene)
{
    ut_sim_destroy(scene->sim);
    if (scene->model != NULL) {
        ut_model_destroy(scene->model);
    }
    *scene = (Scene){0};
}

// ---- steps --------------------------------------------------------------------------------------

bool take_steps(Scene* scene, int steps)
{
    utError err = {0};
    for (int k = 0; k < steps; k++) {
        if (ut_sim_step(scene->sim, &scene->input, NULL, &err) != UT_OK) {
            return fail("step", &err);
        }
    }
    return true;
}

double larger(double a, double b)
{
    return !(b <= a) ? b : a;
}

Speed largest_speed(const Scene* scene)
{
    Speed speed = {0.0, 0.0};
    for (int i = 1; i < scene->model->nbody; i++) {
        const utBodyState body = ut_sim_body(scene->sim, i);
        speed.linear = larger(speed.linear, ut_vec3_norm(body.velocity));
        speed.angular = larger(speed.angular, ut_vec3_norm(body.angular));
    }
    return speed;
}
