// SPDX-License-Identifier: Apache-2.0
// Names of scenes: which are, what is told of them, what is wrong with bad ones.
#include "build_scene.h"

TEST(names_of_scenes_are_words_with_numbers_and_no_files)
{
    CHECK(ut_scene_is("stack"));
    CHECK(ut_scene_is("stack:30"));
    CHECK(ut_scene_is("slope:20.5:0.4"));
    CHECK(ut_scene_is("incline:30:+2"));
    CHECK(ut_scene_is("what"));
    CHECK(ut_scene_is("stack:many"));
    CHECK(!ut_scene_is(""));
    CHECK(!ut_scene_is(NULL));
    CHECK(!ut_scene_is("-"));
    CHECK(!ut_scene_is("box.xml"));
    CHECK(!ut_scene_is("scenes/stack"));
    CHECK(!ut_scene_is("./stack"));
    CHECK(!ut_scene_is("stack:30.xml"));
    CHECK(!ut_scene_is("stack:3/0"));
    CHECK(!ut_scene_is("Stack"));
    CHECK(!ut_scene_is("3"));
}

static void check_refused(const char* name, const char* message)
{
    utModelDef* def = NULL;
    utError err = {0};
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    CHECK(ut_scene_build(name, def, &err) == UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, message);
    ut_model_def_destroy(def);
}

TEST(bad_numbers_are_named_with_their_range)
{
    check_refused("stack:0", "stack:0: needs a whole number from 1 to 10000");
    check_refused("stack:10001", "stack:10001: needs a whole number from 1 to 10000");
    check_refused("stack:2.5", "stack:2.5: needs a whole number from 1 to 10000");
    check_refused("stack:many", "stack:many: needs a whole number from 1 to 10000");
    check_refused("stack:", "stack:: needs a whole number from 1 to 10000");
    check_refused("stack:nan", "stack:nan: needs a whole number from 1 to 10000");
    check_refused("wall:8:0", "wall:8:0: columns needs a whole number from 1 to 200");
    check_refused("incline:0:+-2", "incline:0:+-2: percent needs a number from -100 to 100");
    check_refused("stack:1:2", "stack:1:2: takes 1 number at most, as in stack:n=10");
    check_refused("quad:3", "quad:3: takes no numbers; write quad");
}

TEST(an_unknown_scene_lists_all_of_them)
{
    utModelDef* def = NULL;
    utError err = {0};
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    CHECK(ut_scene_build("stacks:3", def, &err) == UT_ERR_ARGUMENT);
    CHECK(strncmp(err.message, "no scene 'stacks:3'; there are ", 31) == 0);
    for (int i = 0; i < ut_scene_count(); i++) {
        CHECK(strstr(err.message, ut_scene_info(i).name) != NULL);
    }
    CHECK(ut_scene_build(NULL, def, &err) == UT_ERR_ARGUMENT);
    ut_model_def_destroy(def);
    CHECK(ut_scene_build("stack", NULL, &err) == UT_ERR_ARGUMENT);
    CHECK_TEXT(ut_scene_info(-1).name, "");
    CHECK_TEXT(ut_scene_info(ut_scene_count()).name, "");
}

// What `usage` shows for numbers left out is what is taken: with the names removed it is a name of
// the same scene.
TEST(left_out_numbers_are_those_of_the_usage)
{
    for (int i = 0; i < ut_scene_count(); i++) {
        const utSceneInfo info = ut_scene_info(i);
        char full[128];
        size_t n = 0;
        for (const char* c = info.usage; *c != 0; c++) {
            const char* equals = *c == ':' ? strchr(c, '=') : NULL;
            full[n++] = *c;
            c = equals != NULL ? equals : c;
        }
        full[n] = 0;
        utModel* with = build(full);
        utModel* without = build(info.name);
        if (with != NULL && without != NULL) {
            CHECK_TEXT(with->name, full);
            CHECK(same_but_name(with, without));
        }
        ut_model_destroy(with);
        ut_model_destroy(without);
    }
}

TEST(every_scene_compiles_at_several_sizes)
{
    static const char* const names[] = {
        "stack:1",      "stack:2",     "stack:30",     "stack:10000",       "stackm:1",
        "stackm:30",    "pyramid:1",   "pyramid:2",    "pyramid:40",        "wall:1:1",
        "wall:2:1",     "wall:5:5",    "wall:30:30",   "wedge:1",           "wedge:100",
        "slide:0",      "slide:-45",   "slide:360",    "incline:0:2",       "incline:0:0",
        "incline:0:-2", "slope:0:0",   "slope:80:10",  "ladder:1:0",        "ladder:89:1",
        "painleve:45",  "pendulum:0",  "pendulum:180", "chain:1",           "chain:300",
        "chain:10000",  "top:0:50",    "top:80:1000",  "gripper:0",         "grasp:100",
        "balls:1:1",    "balls:17:17", "islands:1",    "islands:1000",      "pile:1:0",
        "pile:27:3",    "pile:1000:7", "pile:10000",   "pendulum2:180:-180"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        utModel* model = build(names[i]);
        CHECK(model != NULL);
        CHECK(model != NULL && model->nv > 0 && model->options.time > 0.0);
        ut_model_destroy(model);
    }
}

static void* allocate_some(void* context, size_t size)
{
    int* left = context;
    return (*left)-- > 0 ? malloc(size) : NULL;
}

static void release_some(void* context, void* memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

TEST(a_scene_that_does_not_fit_says_so)
{
    int failures = 0;
    for (int allocations = 1; allocations < 40; allocations++) {
        int left = allocations;
        const utAllocator some = {allocate_some, release_some, &left};
        utModelDef* def = NULL;
        utError err = {0};
        if (ut_model_def_create(&some, &def) == UT_OK) {
            const utStatus status = ut_scene_build("stack:1000", def, &err);
            CHECK(status == UT_OK || status == UT_ERR_MEMORY);
            failures += status == UT_ERR_MEMORY;
            ut_model_def_destroy(def);
        }
    }
    CHECK(failures > 1 && failures < 39);
}
