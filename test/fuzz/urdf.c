// SPDX-License-Identifier: Apache-2.0
// Robots: whatever the text, it is read or refused with a place; what compiles makes a sim, and steps of
// it end.
#include "files.h"

enum { STEPS = 2, MAX_GEOMS = 40 }; // a model may be slow because it is large

const int fuzz_runs = 20000;

const char* const fuzz_words[] = {"nan",
                                  "-1",
                                  "0",
                                  "1e308",
                                  "1e-320",
                                  "-0",
                                  "",
                                  "1e400",
                                  "0 0 0",
                                  "1 2 3",
                                  "'",
                                  "\"",
                                  "<",
                                  "/>",
                                  "&#48;",
                                  "<!--",
                                  "-->",
                                  "link",
                                  "joint",
                                  "<link",
                                  "</link>",
                                  "</joint>",
                                  "\xff",
                                  "xmlns=",
                                  "world",
                                  "\n",
                                  "<mimic",
                                  "<axis",
                                  "revolute",
                                  "continuous",
                                  "prismatic",
                                  "fixed",
                                  "floating",
                                  "planar",
                                  "1e9",
                                  "1e-9",
                                  "package://",
                                  "${x}",
                                  "<mujoco>",
                                  "<contact>",
                                  "<gazebo",
                                  "mu1",
                                  "<origin",
                                  "box",
                                  "capsule",
                                  "mesh",
                                  "cylinder",
                                  "sphere",
                                  "a",
                                  "b",
                                  "c",
                                  "base",
                                  "<inertial/>",
                                  "parent",
                                  "child",
                                  "m.obj",
                                  "flat.obj",
                                  "cut.stl",
                                  "floating",
                                  "<safety_controller",
                                  "ixx",
                                  "<transmission>",
                                  NULL};

size_t fuzz_seed(int k, uint8_t data[FUZZ_ROOM])
{
    static const char* const paths[] = {
        "test/io/models/robot.urdf",    "test/io/models/hand.urdf",
        "test/fuzz/seeds/meshes.urdf",  "test/bad/urdf/planar_name.urdf",
        "test/bad/urdf/loop.urdf",      "test/bad/urdf/floating_moving.urdf",
        "test/bad/urdf/extension.urdf", "test/bad/urdf/shape_foreign.urdf",
    };
    return k < (int)(sizeof paths / sizeof *paths) ? fuzz_file(paths[k], data) : 0;
}

static void run(const utModel* model)
{
    utSim* sim = NULL;
    utError err = {0};
    utSimDef def = ut_sim_def();
    def.keep_going = true;
    if (ut_sim_create(model, &def, &sim, &err) != UT_OK) {
        MUST(err.message[0] != '\0');
        return;
    }
    for (int k = 0; k < STEPS; k++) {
        const double time = ut_sim_time(sim);
        const utStatus status = ut_sim_step(sim, NULL, NULL, &err);
        MUST(status == UT_OK ? ut_sim_time(sim) > time : err.message[0] != '\0');
    }
    ut_sim_destroy(sim);
}

static void read_robot(const uint8_t* data, size_t size, bool other)
{
    utUrdfDef how = ut_urdf_def();
    utModelDef* def = NULL;
    utModel* model = NULL;
    utNotes notes = {0};
    utError err = {0};
    utText text = {(const char*)data, size};
    how.read = fuzz_read;
    how.read_context = &text;
    how.floating = how.friction = other;
    MUST(ut_model_def_create(NULL, &def) == UT_OK);
    const utStatus status = ut_urdf_read(text, "fuzz.urdf", &how, def, &notes, &err);
    MUST(status == UT_OK || fuzz_error_good(status, &err, "fuzz.urdf"));
    if (status == UT_OK && ut_model_compile(def, NULL, &model, &err) != UT_OK) {
        MUST(err.message[0] != '\0');
    }
    if (model != NULL && model->ngeom <= MAX_GEOMS) {
        run(model);
    }
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
    ut_model_def_destroy(def);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    read_robot(data, size, false);
    read_robot(data, size, true);
    return 0;
}
