// SPDX-License-Identifier: Apache-2.0
// Allocations that fail: nothing leaks, outputs stay unchanged, and the status reports it.
#include "build.h"

#include <stdlib.h>

// An allocator that counts memory in use and grants `left` requests.
typedef struct Meter {
    long left; // requests still granted; negative: all
    long requests;
    long out;
    size_t bytes;
} Meter;

static void* meter_allocate(void* context, size_t size)
{
    Meter* meter = context;
    meter->requests++;
    if (meter->left == 0) {
        return NULL;
    }
    meter->left--;
    meter->out++;
    meter->bytes += size;
    return malloc(size);
}

static void meter_release(void* context, void* memory, size_t size)
{
    Meter* meter = context;
    meter->out--;
    meter->bytes -= size;
    free(memory);
}

static utAllocator allocator_on(Meter* meter)
{
    return (utAllocator){meter_allocate, meter_release, meter};
}

// Enough of everything that all lists grow and the memory needs several blocks.
static void describe(utModelDef* def)
{
    char name[400];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = 0;
    utOptions options = ut_options();
    options.solver = "newton";
    ut_model_def_options(def, &options);
    ut_model_def_name(def, "chain");
    static const double zero[100] = {0};
    for (int i = 0; i < 40; i++) {
        name[0] = (char)('A' + i);
        utBodyDef body = ut_body_def();
        body.name = name;
        body.parent = i;
        body.origin = (utOrigin){i % 2 == 0 ? "even.xml" : "odd.xml", i + 1};
        ut_model_def_body(def, &body);
        add_joint(def, i + 1, UT_JOINT_HINGE, name);
        add_ball(def, i + 1, name);
        utActuatorDef motor = ut_actuator_def(i, UT_ACTUATOR_MOTOR);
        ut_model_def_actuator(def, &motor);
        ut_model_def_keyframe(def, &(utKeyframeDef){.nq = 40, .q = zero, .nu = 40, .ctrl = zero});
        ut_model_def_exclude(def, i, i + 1, (utOrigin){"pairs.xml", i});
    }
}

// Describe and compile with these allocators, and check that all memory is released. @return the
// status
static utStatus run(Meter* describing, Meter* compiling, utError* err)
{
    const utAllocator describe_with = allocator_on(describing);
    const utAllocator compile_with = allocator_on(compiling);
    utModelDef* def = NULL;
    if (ut_model_def_create(&describe_with, &def) != UT_OK) {
        CHECK(def == NULL);
        CHECK_INT(describing->out, 0);
        err->status = UT_ERR_MEMORY;
        return UT_ERR_MEMORY;
    }
    describe(def);
    utModel* model = NULL;
    const utStatus status = ut_model_compile(def, &compile_with, &model, err);
    CHECK((status == UT_OK) == (model != NULL));
    ut_model_def_destroy(def);
    CHECK_INT(describing->out, 0);
    CHECK_INT(describing->bytes, 0);
    CHECK((compiling->out > 0) == (model != NULL));
    if (model != NULL) {
        CHECK_INT(model->nv, 40);
        CHECK_TEXT(model->options.solver, "newton");
        CHECK_TEXT(model->name, "chain");
        ut_model_destroy(model);
    }
    CHECK_INT(compiling->out, 0);
    CHECK_INT(compiling->bytes, 0);
    return status;
}

TEST(descriptions_and_models_take_few_allocations)
{
    Meter describing = {.left = -1};
    Meter compiling = {.left = -1};
    utError err = {0};
    CHECK(run(&describing, &compiling, &err) == UT_OK);
    test_note("describing took %ld allocations, compiling %ld", describing.requests,
              compiling.requests);
    CHECK(describing.requests > 1 && describing.requests < 6);
    CHECK(compiling.requests > 2 && compiling.requests < 6);
}

TEST(memory_that_runs_out_while_describing_is_reported_by_the_compiler)
{
    Meter all = {.left = -1};
    Meter plenty = {.left = -1};
    utError err = {0};
    CHECK(run(&all, &plenty, &err) == UT_OK);
    for (long granted = 0; granted < all.requests; granted++) {
        Meter describing = {.left = granted};
        Meter compiling = {.left = -1};
        err = (utError){0};
        CHECK(run(&describing, &compiling, &err) == UT_ERR_MEMORY);
        CHECK(err.status == UT_ERR_MEMORY);
        // the empty description needs one request
        if (granted >= 1) {
            CHECK_TEXT(err.message,
                       "the description is incomplete: memory was short when it was made");
        }
    }
}

TEST(memory_that_runs_out_while_compiling_is_reported)
{
    Meter plenty = {.left = -1};
    Meter all = {.left = -1};
    utError err = {0};
    CHECK(run(&plenty, &all, &err) == UT_OK);
    for (long granted = 0; granted < all.requests; granted++) {
        Meter describing = {.left = -1};
        Meter compiling = {.left = granted};
        err = (utError){0};
        CHECK(run(&describing, &compiling, &err) == UT_ERR_MEMORY);
        CHECK_TEXT(err.message, "memory is short for a model of 41 bodies and 40 joints");
    }
}

TEST(a_failed_compilation_gives_its_memory_back)
{
    // the error is found after the model's memory has been allocated
    Meter meter = {.left = -1};
    const utAllocator allocator = allocator_on(&meter);
    utModelDef* def = new_def();
    int body = add_body(def, 0, NULL, ut_vec3_zero());
    add_joint(def, body, UT_JOINT_HINGE, NULL);
    utModel* model = NULL;
    CHECK(ut_model_compile(def, &allocator, &model, NULL) == UT_ERR_ARGUMENT);
    CHECK_INT(meter.requests, 3); // the model and two scratch arenas
    CHECK_INT(meter.out, 0);
    ut_model_def_destroy(def);
}

TEST(setting_a_word_says_when_memory_is_short)
{
    Meter meter = {.left = 1};
    const utAllocator allocator = allocator_on(&meter);
    utModelDef* def = NULL;
    CHECK(ut_model_def_create(&allocator, &def) == UT_OK);
    // each word takes a few bytes of the only block
    utStatus status = UT_OK;
    utError err = {0};
    for (int i = 0; i < 10000 && status == UT_OK; i++) {
        status = ut_model_def_set(def, "option.solver", "newton", &err);
    }
    CHECK(status == UT_ERR_MEMORY);
    CHECK_TEXT(err.message, "memory is short for option.solver");
    ut_model_def_destroy(def);
    CHECK_INT(meter.out, 0);
}

TEST(adding_says_when_memory_is_short)
{
    Meter meter = {.left = 1};
    const utAllocator allocator = allocator_on(&meter);
    utModelDef* def = NULL;
    CHECK(ut_model_def_create(&allocator, &def) == UT_OK);
    int bodies = 1;
    while (bodies < 10000 && add_body(def, 0, "a", ut_vec3_zero()) == bodies) {
        bodies++;
    }
    CHECK(bodies > 1 && bodies < 10000);
    // an addition that failed is remembered, even where a smaller one would fit
    CHECK_INT(add_joint(def, 1, UT_JOINT_FREE, NULL), -1);
    CHECK(!ut_model_def_exclude(def, 0, 1, (utOrigin){0}));
    CHECK_INT(add_ball(def, 1, NULL), -1);
    utModelDef* copy = NULL;
    CHECK(ut_model_def_copy(def, NULL, &copy) == UT_ERR_MEMORY);
    CHECK(copy == NULL);
    ut_model_def_destroy(def);
    CHECK_INT(meter.out, 0);
}

TEST(memory_that_runs_out_while_copying_a_description_is_reported)
{
    utModelDef* def = new_def();
    describe(def);
    Meter all = {.left = -1};
    const utAllocator allocator = allocator_on(&all);
    utModelDef* copy = NULL;
    CHECK(ut_model_def_copy(def, &allocator, &copy) == UT_OK);
    ut_model_def_destroy(copy);
    CHECK_INT(all.out, 0);
    for (long granted = 0; granted < all.requests; granted++) {
        Meter meter = {.left = granted};
        const utAllocator scarce = allocator_on(&meter);
        copy = NULL;
        CHECK(ut_model_def_copy(def, &scarce, &copy) == UT_ERR_MEMORY);
        CHECK(copy == NULL);
        CHECK_INT(meter.out, 0);
    }
    ut_model_def_destroy(def);
}
