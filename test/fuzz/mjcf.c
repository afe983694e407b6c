// SPDX-License-Identifier: Apache-2.0
// Models: whatever the text, it is read or refused with a place; what compiles makes a sim, and
// steps of it end.
#include "fuzz.h"

#include <math.h>

enum { STEPS = 3, MAX_GEOMS = 40 }; // a model may be slow because it is large

const int fuzz_runs = 20000;

const char* const fuzz_words[] = {"nan",          "-1",         "0",         "1e308",
                                  "1e-320",       "-0",         "",          "9999999999",
                                  "1e400",        "0 0 0",      "1 2 3",     "auto",
                                  "true",         "false",      "free",      "plane",
                                  "capsule",      "'",          "\"",        "<",
                                  "/>",           "&#48;",      "&lt;",      "<![CDATA[",
                                  "]]>",          "<!--",       "-->",       "class",
                                  "joint",        "<geom",      "</body>",   "<body>",
                                  "\xff",         "ut:run",     "xmlns=",    "world",
                                  "\n",           "\t",         "<default>", "fromto",
                                  "1e9",          "1e-9",       "1e30",      "hinge",
                                  "ball",         "slide",      "box",       "ellipsoid",
                                  "hybrid",       "peiret",     "mirtich",   "RK4",
                                  "midpoint",     "coulomb",    "convex",    "anitescu-potra",
                                  "sin(t)",       "log(t-1)",   "1/t",       "maximal",
                                  "xy",           "newton",     "lemke",     "stewart-trinkle",
                                  "poisson",      "stronge",    "implicit",  "propagate",
                                  "<freejoint/>", "1000000000", NULL};

size_t fuzz_seed(int k, uint8_t data[FUZZ_ROOM])
{
    static const char* const paths[] = {
        "test/io/models/noted.xml",
        "test/io/models/joints.xml",
        "test/io/models/defaults.xml",
        "test/io/models/masses.xml",
        "test/io/models/bounds.xml",
        "test/io/models/groups.xml",
        "test/io/models/radian.xml",
        "test/io/models/inertials.xml",
        "test/io/models/planar.xml",
        "scenes/ball-throw.xml",
        "scenes/gripper.xml",
        "scenes/stack-5.xml",
        "scenes/top.xml",
        "scenes/seeds/berard-4.4.xml",
        "scenes/seeds/berard-3d-4.5.xml",
        "scenes/seeds/igms-linkage.xml",
        "scenes/seeds/peiret-rod.xml",
        "scenes/seeds/dart-arm.xml",
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

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    utMjcfDef how = ut_mjcf_def();
    utModelDef* def = NULL;
    utModel* model = NULL;
    utNotes notes = {0};
    utError err = {0};
    how.read = NULL;
    MUST(ut_model_def_create(NULL, &def) == UT_OK);
    const utStatus status =
        ut_mjcf_read((utText){(const char*)data, size}, "fuzz.xml", &how, def, &notes, &err);
    MUST(status == UT_OK ||
         (status == UT_ERR_FORMAT && err.line >= 1 && err.column >= 1 && err.message[0] != '\0'));
    if (status == UT_OK && ut_model_compile(def, NULL, &model, &err) != UT_OK) {
        MUST(err.message[0] != '\0');
    }
    if (model != NULL && model->ngeom <= MAX_GEOMS) {
        run(model);
    }
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
    ut_model_def_destroy(def);
    return 0;
}
