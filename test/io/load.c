// SPDX-License-Identifier: Apache-2.0
#include "load.h"

#include <stdio.h>
#include <string.h>

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
