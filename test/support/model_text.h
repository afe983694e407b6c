// SPDX-License-Identifier: Apache-2.0
// A model from a text, for tests that write their MJCF down.
#ifndef UPTACK_TEST_SUPPORT_MODEL_TEXT_H
#define UPTACK_TEST_SUPPORT_MODEL_TEXT_H

#include <string.h>
#include <uptack/io.h>

#include "test.h"

/// @return NULL, a failed check and a note, when the text is no model
static inline utModel* test_model(const char* text)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    if (ut_mjcf_read((utText){text, strlen(text)}, "text", NULL, def, NULL, &err) != UT_OK ||
        ut_model_compile(def, NULL, &model, &err) != UT_OK) {
        test_note("%s", err.message);
        CHECK(false);
    }
    ut_model_def_destroy(def);
    return model;
}

#endif
