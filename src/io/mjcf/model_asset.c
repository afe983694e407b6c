// SPDX-License-Identifier: Apache-2.0
// The element model of asset: another MJCF file, composed by itself, which `attach` copies.
#include "compose.h"

#include <string.h>

static bool is(const XmlNode* node, const char* name)
{
    return strcmp(node->name, name) == 0;
}

// Note settings of an attached model that do not count.
static utStatus note_options(Mjcf* m, const MjcfModel* model)
{
    for (const XmlNode* n = model->root->first; n != NULL; n = n->next) {
        if (ut_word_in("option ut:contact ut:run", n->name)) {
            UT_TRY(ut_mjcf_note(m, n, NULL, false, n->name,
                                "of an attached model: the options of the main model count"));
        }
    }
    return UT_OK;
}

// A model has the name of its asset or, without one, the name in its own file.
static utStatus name_model(Mjcf* m, const XmlNode* node, MjcfModel* model)
{
    const XmlAttribute* own = ut_xml_attribute(model->root, "model");
    XmlAttribute* name = ut_xml_attribute(node, "name");
    model->name = name != NULL ? name->value : own != NULL ? own->value : "";
    for (const MjcfModel* other = model->next; other != NULL; other = other->next) {
        if (model->name[0] != 0 && strcmp(other->name, model->name) == 0) {
            XmlAttribute* at = name != NULL ? name : ut_xml_attribute(node, "file");
            return ut_mjcf_fail_at(m, (MjcfFound){node, at}, 0,
                                   "a second model with the name '%.60s'; names must differ",
                                   model->name);
        }
    }
    return UT_OK;
}

static utStatus load_model(Mjcf* m, MjcfModel* user, const XmlNode* node)
{
    XmlAttribute* file = ut_xml_attribute(node, "file");
    if (file == NULL || file->value[0] == 0) {
        return ut_mjcf_fail(m, node, "model needs the attribute file");
    }
    const MjcfFound found = {node, file};
    char* path = NULL;
    utText text = {NULL, 0};
    UT_TRY(ut_mjcf_open(m, found, &path, &text));
    if (path == NULL) {
        return UT_ERR_FORMAT; // ut_mjcf_open has reported it
    }
    for (const MjcfModel* u = user; u != NULL; u = u->user) {
        if (strcmp(u->root->file->name, path) == 0) {
            return ut_mjcf_fail_at(m, found, 0, "'%.100s' would attach itself", path);
        }
    }
    MjcfModel* model = UT_PUSH(&m->memory, MjcfModel, 1);
    if (model == NULL) {
        return ut_mjcf_no_memory(m);
    }
    *model = (MjcfModel){.user = user, .next = user->assets};
    UT_TRY(ut_mjcf_add_file(m, model, path, text, &model->root));
    UT_TRY(ut_mjcf_compose(m, model));
    UT_TRY(note_options(m, model));
    UT_TRY(name_model(m, node, model));
    user->assets = model;
    return UT_OK;
}

utStatus ut_mjcf_load_models(Mjcf* m, MjcfModel* model)
{
    for (const XmlNode* s = model->root->first; s != NULL; s = s->next) {
        for (const XmlNode* n = s->first; n != NULL && is(s, "asset"); n = n->next) {
            if (is(n, "model")) {
                UT_TRY(load_model(m, model, n));
            }
        }
    }
    return UT_OK;
}
