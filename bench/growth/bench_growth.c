// SPDX-License-Identifier: Apache-2.0
// How time per step and memory grow with the size of a scene.
//
//   bench_growth [--quick] [--family NAME]
//
// Each size runs in a process of its own. Its first steps, in which a sim takes its memory and the
// balls come together, do not count, unless the time is spent before. Memory is the most that the model
// and the sim took from their allocators. Every result goes at once to results/growth.jsonl beside the
// program.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/scenes.h>
#include <uptack/sim.h>

#include "support/bench.h"
#include "support/rows.h"

enum { SIZES_MAX = 4 };

// A scene by its name, or made here: a grid of balls as in balls216, or cubes apart from each other.
typedef struct Scene {
    const char* name;
    int grid[3]; // columns, rows, layers of balls
    int boxes;
} Scene;

typedef struct Family {
    const char* name;
    const char* what;
    double dt;
    double begin, end; // s of simulated time that count
    Scene scenes[SIZES_MAX];
    double most_exponent; // goal of the last exponent; 0: none
} Family;

static const Family families[] = {
    {"pyramid",
     "one island of boxes",
     0.005,
     0.05,
     0.2,
     {{.name = "pyramid:20"}, {.name = "pyramid:40"}, {.name = "pyramid:60"}},
     0.0},
    {"balls",
     "falling balls",
     0.01,
     0.15,
     0.2,
     {{"6 x 6 x 6 balls", {6, 6, 6}, 0},
      {"6 x 6 x 18 balls", {6, 6, 18}, 0},
      {"17 x 17 x 17 balls", {17, 17, 17}, 0}},
     0.0},
    {"islands",
     "single boxes on a floor",
     0.01,
     0.05,
     0.2,
     {{"10 boxes", {0}, 10}, {"1000 boxes", {0}, 1000}, {"10000 boxes", {0}, 10000}},
     0.0},
    {"chain",
     "links on hinges",
     0.001,
     0.01,
     0.1,
     {{.name = "chain:10"}, {.name = "chain:30"}, {.name = "chain:100"}, {.name = "chain:300"}},
     1.1},
};

enum { FAMILIES = sizeof families / sizeof families[0] };

// ---- memory -------------------------------------------------------------------------------------

typedef struct Ledger {
    size_t now, most;
} Ledger;

static void* take(void* context, size_t size)
{
    Ledger* ledger = context;
    void* memory = malloc(size);
    if (memory != NULL) {
        ledger->now += size;
        ledger->most = ledger->now > ledger->most ? ledger->now : ledger->most;
    }
    return memory;
}

static void give_back(void* context, void* memory, size_t size)
{
    ((Ledger*)context)->now -= memory != NULL ? size : 0;
    free(memory);
}

// ---- scenes -------------------------------------------------------------------------------------

static void add_floor(utModelDef* def)
{
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(0.0, 0.0, 0.0));
    floor.friction = 0.8;
    ut_model_def_geom(def, &floor);
}

static void add_free(utModelDef* def, utShapeKind kind, utVec3 size, double mass, utVec3 pos)
{
    utBodyDef body = ut_body_def();
    body.pos = pos;
    const int index = ut_model_def_body(def, &body);
    const utJointDef joint = ut_joint_def(index, UT_JOINT_FREE);
    ut_model_def_joint(def, &joint);
    utGeomDef geom = ut_geom_def(index, kind, size);
    geom.mass = mass;
    geom.friction = 0.8;
    ut_model_def_geom(def, &geom);
}

static void add_grid(utModelDef* def, const int grid[3])
{
    utRng rng = ut_rng(1, 0);
    for (int k = 0; k < grid[2]; k++) {
        for (int j = 0; j < grid[1]; j++) {
            for (int i = 0; i < grid[0]; i++) {
                const double x = 0.21 * i + ut_rng_range(&rng, 0.0, 0.001);
                const double y = 0.21 * j + ut_rng_range(&rng, 0.0, 0.001);
                const double z = 0.101 + 0.21 * k + ut_rng_range(&rng, 0.0, 0.001);
                add_free(def, UT_SHAPE_SPHERE, ut_vec3(0.1, 0.0, 0.0), 10.0, ut_vec3(x, y, z));
            }
        }
    }
}

static void add_boxes(utModelDef* def, int count)
{
    const int side = (int)ceil(sqrt(count));
    for (int i = 0; i < count; i++) {
        const int column = i % side, row = i / side;
        add_free(def, UT_SHAPE_BOX, ut_vec3(0.1, 0.1, 0.1), 1.0,
                 ut_vec3(0.4 * column, 0.4 * row, 0.1));
    }
}

static utStatus describe(const Scene* scene, utModelDef* def, utError* err)
{
    if (scene->grid[0] == 0 && scene->boxes == 0) {
        return ut_scene_build(scene->name, def, err);
    }
    add_floor(def);
    add_grid(def, scene->grid);
    add_boxes(def, scene->boxes);
    return UT_OK;
}

static utModel* compile(const Scene* scene, const utAllocator* allocator)
{
    utError err = {0};
    utModelDef* def = NULL;
    utModel* model = NULL;
    if (ut_model_def_create(NULL, &def) != UT_OK || describe(scene, def, &err) != UT_OK ||
        ut_model_compile(def, allocator, &model, &err) != UT_OK) {
        return NULL;
    }
    ut_model_def_destroy(def);
    return model;
}

// ---- one size -----------------------------------------------------------------------------------

typedef struct Size {
    bool ran, cut;
    int bodies, contacts, islands, steps;
    double seconds;
    size_t model_bytes, sim_bytes;
    long certified, all;
} Size;

typedef struct Call {
    const Family* family;
    const Scene* scene;
    double budget;
    Size* size; // shared with the process that waits
} Call;

static void step_on(const Call* call, utSim* sim, const utInput* input, const Ledger* ledger)
{
    const int first = (int)lround(call->family->begin / call->family->dt);
    const int last = (int)lround(call->family->end / call->family->dt);
    Size* size = call->size;
    double counted = 0.0, all = 0.0;
    for (int k = 0; k < last && !size->cut; k++) {
        utStepResult result;
        const double start = bench_now();
        if (ut_sim_step(sim, input, &result, NULL) != UT_OK) {
            return;
        }
        const double seconds = bench_now() - start;
        all += seconds;
        size->all++;
        size->certified += result.outcome == UT_STEP_CERTIFIED;
        size->sim_bytes = ledger->most;
        // where time is short, the last step counts
        if (k >= first || all > call->budget) {
            counted += seconds;
            size->steps++;
            size->seconds = counted / size->steps;
            size->contacts = result.report.contacts;
            size->islands = result.report.islands;
        }
        size->ran = size->steps > 0;
        size->cut = all > call->budget && k + 1 < last;
    }
}

static void run_size(void* context)
{
    const Call* call = context;
    Ledger of_model = {0}, of_sim = {0};
    const utAllocator model_memory = {take, give_back, &of_model};
    const utAllocator sim_memory = {take, give_back, &of_sim};
    utModel* model = compile(call->scene, &model_memory);
    utSimDef def = ut_sim_def();
    utSim* sim = NULL;
    def.dt = call->family->dt;
    def.keep_going = true;
    def.allocator = &sim_memory;
    if (model == NULL || ut_sim_create(model, &def, &sim, NULL) != UT_OK) {
        return;
    }
    utInput input = {0};
    const int start = ut_model_find_keyframe(model, UT_KEYFRAME_START);
    if (start >= 0 && ut_sim_reset(sim, start, NULL) == UT_OK) {
        input.ctrl = model->keyframe[start].ctrl;
    }
    call->size->bodies = model->nbody - 1;
    call->size->model_bytes = of_model.most;
    step_on(call, sim, &input, &of_sim);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// ---- a family -----------------------------------------------------------------------------------

static void report_size(Rows* rows, const Family* family, const char* scene, const Size* size,
                        double exponent)
{
    row_begin(rows, "growth", "growth");
    row_text(rows, "family", family->name);
    row_text(rows, "what", family->what);
    row_text(rows, "scene", scene);
    row_integer(rows, "bodies", size->bodies);
    row_integer(rows, "contacts", size->contacts);
    row_integer(rows, "islands", size->islands);
    row_number(rows, "seconds", size->ran ? size->seconds : (double)NAN);
    row_integer(rows, "steps", size->steps);
    row_integer(rows, "certified", size->certified);
    row_integer(rows, "all", size->all);
    row_truth(rows, "cut", size->cut);
    row_number(rows, "exponent", exponent);
    row_number(rows, "goal_exponent",
               family->most_exponent > 0.0 ? family->most_exponent : (double)NAN);
    row_integer(rows, "model_bytes", (long)size->model_bytes);
    row_integer(rows, "sim_bytes", (long)size->sim_bytes);
    row_end(rows);
}

static void run_family(Rows* rows, const Family* family, bool quick)
{
    Size last = {0};
    for (int k = 0; k < SIZES_MAX && family->scenes[k].name != NULL; k++) {
        Size* shared = bench_shared(sizeof *shared);
        const Call call = {family, &family->scenes[k], quick ? 6.0 : 40.0, shared};
        bench_progress("growth: %s", family->scenes[k].name);
        bench_apart(run_size, (void*)&call, quick ? 90.0 : 240.0);
        const Size size = *shared;
        bench_unshared(shared, sizeof *shared);
        double exponent = (double)NAN;
        if (size.ran && last.ran) {
            exponent = log(size.seconds / last.seconds) / log((double)size.bodies / last.bodies);
        }
        report_size(rows, family, family->scenes[k].name, &size, exponent);
        last = size;
    }
    bench_progress_end();
    fprintf(stderr, "bench_growth: %s done\n", family->name);
}

int main(int argc, char** argv)
{
    bool quick = false;
    const char* only = NULL;
    bench_one_thread(argv);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            quick = true;
        } else if (strcmp(argv[i], "--family") == 0 && i + 1 < argc) {
            only = argv[++i];
        } else {
            fputs("usage: bench_growth [--quick] [--family NAME]\n", stderr);
            return 2;
        }
    }
    Rows rows = rows_open(argv[0], "growth");
    for (int f = 0; f < FAMILIES; f++) {
        if (only == NULL || strcmp(only, families[f].name) == 0) {
            run_family(&rows, &families[f], quick);
        }
    }
    rows_close(&rows);
    return 0;
}
