// SPDX-License-Identifier: Apache-2.0
#include "load.h"

#include <stdio.h>
#include <string.h>
#include <uptack/load.h>

static utModel* compile(utStatus status, utModelDef* def, const utError* err)
{
    utModel* model = NULL;
    utError why = *err;
    if (status == UT_OK) {
        status = ut_model_compile(def, NULL, &model, &why);
    }
    if (!CHECK(status == UT_OK)) {
        char text[700];
        ut_error_format(&why, text, sizeof text);
        test_note("%s", text);
    }
    ut_model_def_destroy(def);
    return model;
}

utModel* load_model(const char* path, utNotes* notes)
{
    utModelDef* def = NULL;
    const utMjcfDef how = ut_mjcf_def();
    utError err = {0};
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    return compile(ut_mjcf_load(path, &how, def, notes, &err), def, &err);
}

utModel* read_model(const char* what, utNotes* notes)
{
    char text[8192];
    const int size =
        snprintf(text, sizeof text, "<mujoco xmlns:ut=\"urn:uptack\">%s</mujoco>", what);
    CHECK(size > 0 && (size_t)size < sizeof text);
    utModelDef* def = NULL;
    const utMjcfDef how = ut_mjcf_def();
    utError err = {0};
    CHECK(ut_model_def_create(NULL, &def) == UT_OK);
    const utText whole = {text, (size_t)size};
    return compile(ut_mjcf_read(whole, "text.xml", &how, def, notes, &err), def, &err);
}

utStatus read_table(void* context, const char* path, utArena* keep, utText* text, utError* err)
{
    for (const TextFile* f = context; f != NULL && f->name != NULL; f++) {
        if (strcmp(f->name, path) == 0) {
            const size_t size = strlen(f->text);
            char* copy = UT_PUSH(keep, char, size + 1);
            if (copy == NULL) {
                return UT_ERR_CAPACITY;
            }
            memcpy(copy, f->text, size + 1);
            *text = (utText){copy, size};
            return UT_OK;
        }
    }
    return ut_error_at(err, UT_ERR_IO, path, 0, 0, "not in the table");
}

static utStatus load_first(const TextFile* files, utModel** model, utNotes* notes, utError* err)
{
    utLoadDef def = ut_load_def();
    def.text = files[0].text;
    def.size = strlen(files[0].text);
    def.read = read_table;
    def.read_context = (void*)files;
    return ut_load_with(files[0].name, &def, model, notes, err);
}

utModel* load_table(const TextFile* files, utNotes* notes)
{
    utModel* model = NULL;
    utError err = {0};
    if (!CHECK(load_first(files, &model, notes, &err) == UT_OK)) {
        char text[700];
        ut_error_format(&err, text, sizeof text);
        test_note("%s", text);
    }
    return model;
}

void table_error(const TextFile* files, char* text, size_t size)
{
    utModel* model = NULL;
    utError err = {0};
    text[0] = 0;
    if (load_first(files, &model, NULL, &err) != UT_OK) {
        ut_error_format(&err, text, size);
    }
    ut_model_destroy(model);
}
