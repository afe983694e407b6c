// SPDX-License-Identifier: Apache-2.0
// Models: whatever the text, it is read or refused with a place; what compiles makes a sim, and
// steps of it end. Written and read again, it is the same model.
#include "files.h"

enum { STEPS = 3, MAX_GEOMS = 40 }; // a model may be slow because it is large

const int fuzz_runs = 20000;

const char* const fuzz_words[] = {"nan",
                                  "-1",
                                  "0",
                                  "1e308",
                                  "1e-320",
                                  "-0",
                                  "",
                                  "9999999999",
                                  "1e400",
                                  "0 0 0",
                                  "1 2 3",
                                  "auto",
                                  "true",
                                  "false",
                                  "free",
                                  "plane",
                                  "capsule",
                                  "'",
                                  "\"",
                                  "<",
                                  "/>",
                                  "&#48;",
                                  "&lt;",
                                  "<![CDATA[",
                                  "]]>",
                                  "<!--",
                                  "-->",
                                  "class",
                                  "joint",
                                  "<geom",
                                  "</body>",
                                  "<body>",
                                  "\xff",
                                  "ut:run",
                                  "xmlns=",
                                  "world",
                                  "\n",
                                  "\t",
                                  "<default>",
                                  "fromto",
                                  "1e9",
                                  "1e-9",
                                  "1e30",
                                  "hinge",
                                  "ball",
                                  "slide",
                                  "box",
                                  "ellipsoid",
                                  "hybrid",
                                  "peiret",
                                  "mirtich",
                                  "RK4",
                                  "midpoint",
                                  "coulomb",
                                  "convex",
                                  "anitescu-potra",
                                  "sin(t)",
                                  "log(t-1)",
                                  "1/t",
                                  "maximal",
                                  "xy",
                                  "newton",
                                  "lemke",
                                  "stewart-trinkle",
                                  "poisson",
                                  "stronge",
                                  "implicit",
                                  "propagate",
                                  "<freejoint/>",
                                  "1000000000",
                                  "mesh",
                                  "hfield",
                                  "exact",
                                  "shell",
                                  "frame",
                                  "replicate",
                                  "<replicate count='2'>",
                                  "</replicate>",
                                  "attach",
                                  "body='b'",
                                  "prefix='x'",
                                  "<include file='list.xml'/>",
                                  "<attach model='m' body='b' prefix='p'/>",
                                  "part.xml",
                                  "loop.xml",
                                  "m.obj",
                                  "flat.obj",
                                  "cut.stl",
                                  "tendon",
                                  "spatial",
                                  "fixed",
                                  "pulley",
                                  "site",
                                  "geom",
                                  "hook",
                                  "hip",
                                  "elbow",
                                  "cable",
                                  "motor",
                                  "position",
                                  "general",
                                  "intvelocity",
                                  "affine",
                                  "integrator",
                                  "filterexact",
                                  "filter",
                                  "muscle",
                                  "jointinparent",
                                  "cranksite",
                                  "gyro",
                                  "touch",
                                  "framepos",
                                  "rangefinder",
                                  "ballquat",
                                  "xbody",
                                  "joint1",
                                  "polycoef",
                                  "connect",
                                  "weld",
                                  "pair",
                                  "condim",
                                  "6",
                                  "4",
                                  "gravcomp",
                                  "springdamper",
                                  "act",
                                  "ctrl",
                                  "qpos",
                                  "key",
                                  "legacy",
                                  "inertia",
                                  "loose0",
                                  "0.5 0.5",
                                  "1 0 0 0",
                                  "2",
                                  "-1e9",
                                  NULL};

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
        "test/io/models/meshes.xml",
        "test/io/models/composed.xml",
        "test/io/models/driven.xml",
        "test/fuzz/seeds/attached.xml",
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

// A description that compiles can be written, and its text is the same model.
static void write_again(const utModelDef* def, uint64_t hash, const utMjcfDef* how)
{
    utArena memory;
    utModelDef* again = NULL;
    utModel* model = NULL;
    utText text;
    utNotes missing = {0};
    utError err = {0};
    MUST(ut_arena_create(0, NULL, &memory) == UT_OK);
    MUST(ut_model_def_create(NULL, &again) == UT_OK);
    MUST(ut_mjcf_write(def, NULL, &memory, &text, &missing, &err) == UT_OK);
    MUST(ut_mjcf_read(text, "written.xml", how, again, NULL, &err) == UT_OK);
    MUST(ut_model_compile(again, NULL, &model, &err) == UT_OK);
    MUST(model->hash == hash || missing.count > 0);
    ut_model_destroy(model);
    ut_notes_destroy(&missing);
    ut_model_def_destroy(again);
    ut_arena_destroy(&memory);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    utMjcfDef how = ut_mjcf_def();
    utModelDef* def = NULL;
    utModel* model = NULL;
    utNotes notes = {0};
    utError err = {0};
    utText text = {(const char*)data, size};
    how.read = fuzz_read;
    how.read_context = &text;
    MUST(ut_model_def_create(NULL, &def) == UT_OK);
    const utStatus status = ut_mjcf_read(text, "fuzz.xml", &how, def, &notes, &err);
    MUST(status == UT_OK || fuzz_error_good(status, &err, "fuzz.xml"));
    if (status == UT_OK && ut_model_compile(def, NULL, &model, &err) != UT_OK) {
        MUST(err.message[0] != '\0');
    }
    if (model != NULL) {
        write_again(def, model->hash, &how);
    }
    if (model != NULL && model->ngeom <= MAX_GEOMS) {
        run(model);
    }
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
    ut_model_def_destroy(def);
    return 0;
}
