// SPDX-License-Identifier: Apache-2.0
// Loading models in one call: files, texts, scenes, changes, coordinates and errors with their place.
#include <uptack/load.h>

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PENDULUM                                                             \
    "<mujoco model='pendulum'><worldbody><body name='rod'>\n"                \
    "<joint name='hinge' axis='0 1 0'/><geom size='0.1' pos='0 0 -1'/>\n"    \
    "</body></worldbody><keyframe><key name='start' qpos='0.5'/></keyframe>" \
    "</mujoco>"

// Load a text. @return NULL after a failure, which err describes
static utModel* load_text(const char* text, utLoadDef def, utNotes* notes, utError* err)
{
    utModel* model = NULL;
    def.text = text;
    def.size = strlen(text);
    const utStatus status = ut_load_with("text.xml", &def, &model, notes, err);
    CHECK((status == UT_OK) == (model != NULL));
    return model;
}

// The message of a load that fails, as programs print it.
static void check_error(const char* path, const utLoadDef* def, utStatus status, const char* want)
{
    utModel* model = NULL;
    utNotes notes = {0};
    utError err;
    CHECK_INT(ut_load_with(path, def, &model, &notes, &err), status);
    CHECK_INT(err.status, status);
    char text[600];
    ut_error_format(&err, text, sizeof text);
    CHECK_TEXT(text, want);
    CHECK(model == NULL && notes.count == 0 && notes.note == NULL);
}

// ---- sources ------------------------------------------------------------------------------------

TEST(a_file_is_loaded_by_its_path)
{
    utModel* model = NULL;
    utError err;
    CHECK_INT(ut_load("scenes/pendulum.xml", &model, &err), UT_OK);
    CHECK_INT(model->njoint, 1);
    ut_model_destroy(model);
}

TEST(a_scene_is_loaded_by_its_name)
{
    utModel* model = NULL;
    utError err;
    CHECK_INT(ut_load("stack:3", &model, &err), UT_OK);
    CHECK_INT(model->nbody, 4);
    ut_model_destroy(model);
}

// The folder `test` has the form of a scene's name, but there is no such scene.
TEST(a_folder_or_file_counts_where_there_is_no_scene_of_its_name)
{
    check_error("test", NULL, UT_ERR_IO,
                "test: error: cannot be read: Is a directory; name a file in it");
    utModel* model = NULL;
    utError err;
    CHECK_INT(ut_load("LICENSE", &model, &err), UT_ERR_FORMAT);
    CHECK_TEXT(err.file, "LICENSE");
    CHECK_INT(ut_load("nowhere", &model, &err), UT_ERR_ARGUMENT);
    CHECK(strncmp(err.message, "no scene 'nowhere'; there are ", 30) == 0);
}

TEST(a_text_is_loaded_under_the_name_it_is_given)
{
    utError err;
    utModel* model = load_text(PENDULUM, ut_load_def(), NULL, &err);
    CHECK_TEXT(model->name, "pendulum");
    ut_model_destroy(model);

    // the text counts, even when the path is the name of a scene
    utLoadDef def = ut_load_def();
    def.text = PENDULUM;
    def.size = strlen(PENDULUM);
    CHECK_INT(ut_load_with("stack:3", &def, &model, NULL, &err), UT_OK);
    CHECK_INT(model->nbody, 2);
    ut_model_destroy(model);
}

static utStatus give_pendulum(void* context, const char* path, utArena* keep, utText* text,
                              utError* err)
{
    (void)context;
    (void)keep;
    if (strcmp(path, "there.xml") != 0) {
        return ut_error_at(err, UT_ERR_IO, path, 0, 0, "not there");
    }
    *text = (utText){PENDULUM, strlen(PENDULUM)};
    return UT_OK;
}

TEST(files_may_come_from_a_reader)
{
    utLoadDef def = ut_load_def();
    def.read = give_pendulum;
    utModel* model = NULL;
    CHECK_INT(ut_load_with("there.xml", &def, &model, NULL, NULL), UT_OK);
    ut_model_destroy(model);
    check_error("elsewhere.xml", &def, UT_ERR_IO, "elsewhere.xml: error: not there");
}

// ---- changes ------------------------------------------------------------------------------------

TEST(changes_are_applied_in_order)
{
    const char* const set[] = {"option.dt=0.5", "rod.pos=1 2 3", "option.dt=0.25"};
    utLoadDef def = ut_load_def();
    def.set = set;
    def.set_count = 3;
    utError err;
    utModel* model = load_text(PENDULUM, def, NULL, &err);
    CHECK_NEAR(model->options.dt, 0.25, 0.0);
    CHECK_NEAR(model->body[1].in_parent.p.y, 2.0, 0.0);
    ut_model_destroy(model);
}

TEST(coordinates_are_those_of_the_model_unless_the_caller_chooses)
{
    const char* maximal = "<mujoco xmlns:ut='urn:uptack'><ut:contact coordinates='maximal'/>"
                          "<worldbody><body><joint axis='0 1 0'/><geom size='0.1'/></body>"
                          "</worldbody></mujoco>";
    utLoadDef def = ut_load_def();
    utError err;
    utModel* model = load_text(PENDULUM, def, NULL, &err);
    CHECK_INT(model->nv, 1);
    ut_model_destroy(model);
    model = load_text(maximal, def, NULL, &err);
    CHECK_INT(model->nv, 6);
    CHECK_INT(model->nequality, 1);
    ut_model_destroy(model);

    def.coordinates = UT_COORDINATES_MAXIMAL;
    model = load_text(PENDULUM, def, NULL, &err);
    CHECK_INT(model->nv, 6);
    CHECK_INT(model->options.coordinates, UT_COORDINATES_MAXIMAL);
    ut_model_destroy(model);
    def.coordinates = UT_COORDINATES_GENERALIZED;
    model = load_text(maximal, def, NULL, &err);
    CHECK_INT(model->nv, 1);
    ut_model_destroy(model);
}

TEST(a_run_begins_with_the_keyframe_named_start)
{
    utModel* model = load_text(PENDULUM, ut_load_def(), NULL, NULL);
    const int key = ut_model_start_key(model);
    CHECK_INT(key, 0);
    CHECK_NEAR(model->keyframe[key].q[0], 0.5, 0.0);
    ut_model_destroy(model);
    CHECK_INT(ut_load("scenes/box-on-slope.xml", &model, NULL), UT_OK);
    CHECK_INT(ut_model_start_key(model), -1);
    ut_model_destroy(model);
}

// ---- notes --------------------------------------------------------------------------------------

#define FLUID "<mujoco><worldbody><geom size='1' fluidshape='ellipsoid'/></worldbody></mujoco>"

TEST(unsupported_parts_are_noted_and_counted)
{
    utNotes notes = {0};
    utError err;
    utModel* model = load_text(FLUID, ut_load_def(), &notes, &err);
    CHECK_INT(notes.count, 1);
    CHECK_TEXT(notes.note[0].what, "geom.fluidshape");
    CHECK_INT(model->missing, 1);
    CHECK_INT(model->missing_parts, 1);
    CHECK_TEXT(model->missing_part[0].what, "geom.fluidshape");
    CHECK_TEXT(model->missing_part[0].file, "text.xml");
    CHECK_INT(model->missing_part[0].line, 1);
    CHECK_INT(model->missing_part[0].column, 47);
    ut_notes_destroy(&notes);
    ut_model_destroy(model);
}

TEST(strict_rejects_unsupported_physics_with_its_place)
{
    utLoadDef def = ut_load_def();
    def.strict = true;
    utNotes notes = {0};
    utError err;
    CHECK(load_text(FLUID, def, &notes, &err) == NULL);
    CHECK_INT(err.status, UT_ERR_FORMAT);
    CHECK_TEXT(err.file, "text.xml");
    CHECK_INT(err.line, 1);
    CHECK_INT(err.column, 47);
    CHECK(notes.note == NULL);
}

// ---- errors -------------------------------------------------------------------------------------

TEST(errors_name_the_file_and_the_place)
{
    utLoadDef def = ut_load_def();
    def.text = "<mujoco>\n  <worldbody>\n    <geom sise='1'/>\n  </worldbody>\n</mujoco>";
    def.size = strlen(def.text);
    check_error("a.xml", &def, UT_ERR_FORMAT,
                "a.xml:3:17: error: unknown attribute 'sise' of geom; did you mean 'size'?");
    def.text = "<mujoco>\n<worldbody><body>\n<joint/></body></worldbody></mujoco>";
    def.size = strlen(def.text);
    check_error("a.xml", &def, UT_ERR_ARGUMENT,
                "a.xml:2: error: body #1 moves but has no mass; give it an inertial or a geom with "
                "mass");
    check_error(
        "/nowhere/a.xml", NULL, UT_ERR_IO,
        "/nowhere/a.xml: error: cannot be opened: No such file or directory; check the path "
        "and who may read it");
    check_error("stack:0", NULL, UT_ERR_ARGUMENT,
                "stack:0: error: stack:0: needs a whole number from 1 to 10000");
}

TEST(changes_that_cannot_be_made_are_rejected_with_the_model_s_name)
{
    utLoadDef def = ut_load_def();
    const char* change = "boks.pos=1";
    def.set = &change;
    def.set_count = 1;
    check_error("scenes/pendulum.xml", &def, UT_ERR_ARGUMENT,
                "scenes/pendulum.xml: error: nothing is named 'boks'; there are option pendulum "
                "pendulum bob rod");
    change = "option.dt";
    check_error("scenes/pendulum.xml", &def, UT_ERR_ARGUMENT,
                "scenes/pendulum.xml: error: 'option.dt' is not NAME.ATTRIBUTE=VALUE; for example "
                "box.pos=0 0 1");
    change = NULL;
    check_error("scenes/pendulum.xml", &def, UT_ERR_ARGUMENT,
                "scenes/pendulum.xml: error: '' is not NAME.ATTRIBUTE=VALUE; for example "
                "box.pos=0 0 1");
    char long_name[400];
    memset(long_name, 'x', sizeof long_name);
    memcpy(long_name + 390, ".pos=1", sizeof ".pos=1");
    change = long_name;
    utModel* model = NULL;
    utError err;
    CHECK_INT(ut_load_with("stack:3", &def, &model, NULL, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "longer than 255 bytes") != NULL);
}

TEST(arguments_and_settings_are_checked)
{
    utModel* model = NULL;
    utLoadDef def = {0};
    CHECK_INT(ut_load_with("stack:3", &def, &model, NULL, NULL), UT_ERR_DEF);
    def = ut_load_def();
    def.cookie = UT_MJCF_DEF_COOKIE;
    CHECK_INT(ut_load_with("stack:3", &def, &model, NULL, NULL), UT_ERR_DEF);
    def = ut_load_def();
    def.coordinates = UT_COORDINATES_COUNT;
    CHECK_INT(ut_load_with("stack:3", &def, &model, NULL, NULL), UT_ERR_DEF);
    def = ut_load_def();
    def.set_count = 1;
    CHECK_INT(ut_load_with("stack:3", &def, &model, NULL, NULL), UT_ERR_DEF);
    CHECK_INT(ut_load(NULL, &model, NULL), UT_ERR_ARGUMENT);
    CHECK_INT(ut_load("stack:3", NULL, NULL), UT_ERR_ARGUMENT);
    CHECK(model == NULL);
}

// ---- memory -------------------------------------------------------------------------------------

typedef struct Meter {
    int granted; // requests until memory is short
    int out;
} Meter;

static void* meter_allocate(void* context, size_t size)
{
    Meter* meter = context;
    if (meter->granted == 0) {
        return NULL;
    }
    meter->granted--;
    meter->out++;
    return malloc(size);
}

static void meter_release(void* context, void* memory, size_t size)
{
    (void)size;
    ((Meter*)context)->out--;
    free(memory);
}

TEST(when_memory_is_short_the_load_says_so_and_leaks_nothing)
{
    int successes = 0;
    for (int granted = 0; granted < 12; granted++) {
        Meter meter = {granted, 0};
        const utAllocator allocator = {meter_allocate, meter_release, &meter};
        utLoadDef def = ut_load_def();
        def.allocator = &allocator;
        def.coordinates = UT_COORDINATES_MAXIMAL;
        utNotes notes = {0};
        utError err;
        utModel* model = load_text(PENDULUM, def, &notes, &err);
        CHECK(model != NULL || err.status == UT_ERR_MEMORY);
        CHECK((meter.out > 0) == (model != NULL));
        successes += model != NULL;
        ut_model_destroy(model);
        ut_notes_destroy(&notes);
        CHECK_INT(meter.out, 0);
    }
    CHECK(successes > 0 && successes < 12);
}
