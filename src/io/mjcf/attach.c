// SPDX-License-Identifier: Apache-2.0
// The element attach: another model, or a body or frame of it, becomes a part of
// this one. All its names get a prefix. It keeps its own compiler settings and classes of defaults; the
// options of the main model count.
#include "compose.h"

#include <string.h>

static bool is(const XmlNode* node, const char* name)
{
    return strcmp(node->name, name) == 0;
}

// ---- models as assets ---------------------------------------------------------------------------

static utStatus find_model(Composer* c, MjcfFound name, const MjcfModel** model)
{
    Nearest nearest = ut_nearest_to(name.attribute->value);
    for (const MjcfModel* a = c->model->assets; a != NULL; a = a->next) {
        if (strcmp(a->name, name.attribute->value) == 0) {
            *model = a;
            return UT_OK;
        }
        ut_nearest_try(&nearest, (utText){a->name, strlen(a->name)});
    }
    return ut_mjcf_fail_at(c->m, name, 0, "there is no model '%.60s' in 'asset'%s%s%s",
                           name.attribute->value, nearest.word[0] != 0 ? "; did you mean '" : "",
                           nearest.word, nearest.word[0] != 0 ? "'?" : "");
}

// ---- what the keyframes of a part speak of ------------------------------------------------------

static bool is_joint(const XmlNode* n)
{
    // joints of equalities and tendons are inside of other elements
    return is(n, "freejoint") ||
           (is(n, "joint") && (is(n->parent, "body") || ut_mjcf_is_frame(n->parent)));
}

static bool is_actuator(const XmlNode* n)
{
    return n->parent != NULL && is(n->parent, "actuator");
}

static bool is_mocap(const XmlNode* n)
{
    const XmlAttribute* mocap = is(n, "body") ? ut_xml_attribute(n, "mocap") : NULL;
    return mocap != NULL && strcmp(mocap->value, "true") == 0;
}

// List elements in document order, which have no index yet. @return NULL when memory is short
static XmlNode** list_elements(Mjcf* m, XmlNode* root, bool (*wanted)(const XmlNode*), int* count)
{
    *count = 0;
    for (const XmlNode* n = root; n != NULL; n = ut_xml_next(n, root)) {
        *count += wanted(n);
    }
    XmlNode** list = UT_PUSH(&m->memory, XmlNode*, *count);
    int at = 0;
    for (XmlNode* n = root; list != NULL && n != NULL; n = ut_xml_next(n, root)) {
        if (wanted(n)) {
            n->index = -1;
            list[at++] = n;
        }
    }
    return list;
}

// The copies of elements of a part, in a copy of the model that it is attached to. An element that was
// not attached has no copy and stays.
static XmlNode** twins(Mjcf* m, XmlNode* const* of, int count)
{
    XmlNode** list = UT_PUSH(&m->memory, XmlNode*, count);
    for (int i = 0; list != NULL && i < count; i++) {
        XmlNode* n = ut_mjcf_heir(of[i]);
        list[i] = n->twin != NULL ? n->twin : n;
        list[i]->index = -1;
    }
    return list;
}

static const char* join(Mjcf* m, const char* a, const char* b)
{
    char* text = UT_PUSH(&m->memory, char, strlen(a) + strlen(b) + 1);
    return text != NULL ? strcat(strcpy(text, a), b) : NULL;
}

static MjcfPart* new_part(Composer* c, const char* prefix)
{
    MjcfPart* part = UT_PUSH(&c->m->memory, MjcfPart, 1);
    if (part != NULL && prefix != NULL) {
        *part = (MjcfPart){.prefix = prefix, .next = c->model->parts};
        c->model->parts = part;
    }
    return part;
}

// Copy a model under a prefix, with the parts that are attached to it.
static utStatus copy_model(Composer* c, const MjcfModel* model, const char* prefix, XmlNode** root)
{
    Mjcf* m = c->m;
    for (MjcfPart* p = model->parts; p != NULL; p = p->next) {
        p->twin = new_part(c, join(m, prefix, p->prefix));
    }
    MjcfPart* part = new_part(c, prefix);
    if (ut_arena_failed(&m->memory)) {
        return ut_mjcf_no_memory(m);
    }
    const Rename rename = {.prefix = prefix, .suffix = "", .part = part};
    UT_TRY(ut_mjcf_copy(m, model->root, &rename, root));
    part->joint = list_elements(m, *root, is_joint, &part->joints);
    part->actuator = list_elements(m, *root, is_actuator, &part->actuators);
    part->mocap = list_elements(m, *root, is_mocap, &part->mocaps);
    for (MjcfPart* p = model->parts; p != NULL; p = p->next) {
        MjcfPart* twin = p->twin;
        twin->joint = twins(m, p->joint, twin->joints = p->joints);
        twin->actuator = twins(m, p->actuator, twin->actuators = p->actuators);
        twin->mocap = twins(m, p->mocap, twin->mocaps = p->mocaps);
    }
    return ut_arena_failed(&m->memory) ? ut_mjcf_no_memory(m) : UT_OK;
}

// ---- a body or frame of a model -----------------------------------------------------------------

// Find the body or frame that an attribute of `attach` names. @param prefix of names below `root`
static XmlNode* find_named(XmlNode* root, const char* element, const char* prefix, const char* name)
{
    const size_t size = strlen(prefix);
    for (XmlNode* n = root; n != NULL; n = ut_xml_next(n, root)) {
        const XmlAttribute* a = is(n, element) ? ut_xml_attribute(n, "name") : NULL;
        if (a != NULL && strncmp(a->value, prefix, size) == 0 &&
            strcmp(a->value + size, name) == 0) {
            return n;
        }
    }
    return NULL;
}

// Put a body or frame into an `attach`, inside a frame with the class of defaults that it has now.
static utStatus take(Mjcf* m, XmlNode* attach, const XmlNode* class_from, XmlNode* picked)
{
    const XmlNode* n = class_from->parent;
    while (n != NULL && ut_xml_attribute(n, "childclass") == NULL) {
        n = n->parent;
    }
    XmlNode* frame = UT_PUSH(&m->memory, XmlNode, 1);
    if (frame == NULL) {
        return ut_mjcf_no_memory(m);
    }
    *frame =
        (XmlNode){.name = "frame", .file = picked->file, .at = picked->at, .part = picked->part};
    if (n != NULL) {
        frame->attribute = ut_xml_attribute(n, "childclass");
        frame->attributes = 1;
    }
    ut_mjcf_append(frame, picked);
    ut_mjcf_append(attach, frame);
    return UT_OK;
}

// Does every name that an element refers to belong to the part?
static bool resolves(const XmlNode* entry, const Names* taken)
{
    for (const XmlNode* n = entry; n != NULL; n = ut_xml_next(n, entry)) {
        for (int i = 0; i < n->attributes; i++) {
            const XmlAttribute* a = &n->attribute[i];
            const NameKind kind = ut_mjcf_refers(n, a);
            const bool world = kind == NAME_BODY && strcmp(a->value, "world") == 0;
            if (kind < NAME_LINKS && !world && ut_names_find(&taken[kind], a->value) < 0) {
                return false;
            }
        }
    }
    return true;
}

// Keep the elements of a section that refer only to the part, and note the others.
static utStatus keep_resolved(Mjcf* m, XmlNode* section, Names* taken)
{
    XmlNode* n = section->first;
    section->first = section->last = NULL;
    while (n != NULL) {
        XmlNode* next = n->next;
        if (resolves(n, taken)) {
            ut_mjcf_append(section, n);
            UT_TRY(ut_mjcf_declared(m, n, taken));
        } else {
            UT_TRY(ut_mjcf_note(m, n, NULL, false, n->name,
                                "not attached: it names elements outside of the attached body"));
        }
        n = next;
    }
    return UT_OK;
}

// Leave out the elements that refer to parts of the model that are not attached.
static utStatus keep_part(Mjcf* m, XmlNode* root, const XmlNode* attach)
{
    // an actuator may name a tendon, and a sensor both
    static const char* const order[] = {"contact", "tendon", "equality", "actuator", "sensor"};
    Names taken[NAME_LINKS];
    ut_mjcf_names_begin(m, taken, NAME_LINKS);
    UT_TRY(ut_mjcf_declared(m, attach, taken));
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        for (XmlNode* s = root->first; s != NULL; s = s->next) {
            if (is(s, order[i])) {
                UT_TRY(keep_resolved(m, s, taken));
            }
        }
    }
    for (XmlNode* s = root->first; s != NULL; s = s->next) {
        s->gone = strncmp(s->name, "ut:", 3) == 0 && !resolves(s, taken);
    }
    return UT_OK;
}

// ---- attach -------------------------------------------------------------------------------------

// What an `attach` asks for.
typedef struct Request {
    const char* prefix;
    MjcfFound part; // the body or frame; without attribute: the whole world
} Request;

static utStatus read_request(Mjcf* m, XmlNode* node, Request* request)
{
    XmlAttribute* prefix = ut_xml_attribute(node, "prefix");
    XmlAttribute* body = ut_xml_attribute(node, "body");
    XmlAttribute* frame = ut_xml_attribute(node, "frame");
    if (prefix == NULL) {
        return ut_mjcf_fail(m, node, "attach needs the attribute prefix");
    }
    if (body != NULL && frame != NULL) {
        return ut_mjcf_fail_at(m, (MjcfFound){node, frame}, 0, "frame beside body; give one");
    }
    if (body == NULL && frame == NULL && ut_xml_attribute(node, "model") == NULL) {
        return ut_mjcf_fail(m, node, "attach needs the attribute model, body or frame");
    }
    *request = (Request){prefix->value, {node, body != NULL ? body : frame}};
    return UT_OK;
}

static utStatus no_such_part(Mjcf* m, const Request* request, const XmlFile* file)
{
    return ut_mjcf_fail_at(m, request->part, 0, "there is no %s '%.60s' in '%.100s'",
                           request->part.attribute->name, request->part.attribute->value,
                           file->name);
}

// Attach another body or frame of the same model.
static utStatus attach_own(Composer* c, XmlNode* node, const Request* request)
{
    Mjcf* m = c->m;
    XmlNode* root = c->model->root;
    const XmlAttribute* part = request->part.attribute;
    XmlNode* picked = find_named(root, part->name, "", part->value);
    if (picked == NULL) {
        return no_such_part(m, request, root->file);
    }
    for (const XmlNode* n = node; n != NULL; n = n->parent) {
        if (n == picked) {
            return ut_mjcf_fail_at(m, request->part, 0, "a %s cannot attach itself", part->name);
        }
    }
    Names declared[NAME_LINKS];
    ut_mjcf_names_begin(m, declared, NAME_LINKS);
    XmlNode **linked = NULL, *copy = NULL;
    int links = 0;
    UT_TRY(ut_composer_collect(c, picked, declared, &linked, &links));
    const Rename rename = {.prefix = request->prefix, .suffix = "", .declared = declared};
    UT_TRY(ut_mjcf_copy(m, picked, &rename, &copy));
    if (copy == NULL) {
        return ut_mjcf_no_memory(m);
    }
    UT_TRY(take(m, node, picked, copy));
    return ut_composer_copy_linked(c, linked, links, &rename, node);
}

static utStatus attach_model(Composer* c, XmlNode* node, const MjcfModel* model,
                             const Request* request)
{
    Mjcf* m = c->m;
    XmlNode* root = NULL;
    UT_TRY(copy_model(c, model, request->prefix, &root));
    if (root == NULL) {
        return ut_mjcf_no_memory(m);
    }
    if (request->part.attribute != NULL) {
        const XmlAttribute* part = request->part.attribute;
        XmlNode* picked = find_named(root, part->name, request->prefix, part->value);
        if (picked == NULL) {
            return no_such_part(m, request, model->root->file);
        }
        UT_TRY(take(m, node, picked, picked));
        UT_TRY(keep_part(m, root, node));
    } else {
        for (XmlNode* s = root->first; s != NULL; s = s->next) {
            for (XmlNode *n = s->first, *next; n != NULL && is(s, "worldbody"); n = next) {
                next = n->next;
                ut_mjcf_append(node, n);
            }
        }
    }
    for (XmlNode *s = root->first, *next; s != NULL; s = next) {
        next = s->next;
        if (!s->gone && (ut_mjcf_is_linked(s) || ut_word_in("asset default keyframe", s->name))) {
            UT_TRY(ut_composer_add_section(c, s));
        }
    }
    return UT_OK;
}

utStatus ut_mjcf_attach(Composer* c, XmlNode* node)
{
    Request request = {0};
    UT_TRY(read_request(c->m, node, &request));
    if (request.prefix == NULL) {
        return UT_ERR_FORMAT; // read_request has reported it
    }
    XmlAttribute* name = ut_xml_attribute(node, "model");
    if (name == NULL) {
        return request.part.attribute != NULL ? attach_own(c, node, &request) : UT_ERR_FORMAT;
    }
    const MjcfModel* model = NULL;
    UT_TRY(find_model(c, (MjcfFound){node, name}, &model));
    return model != NULL ? attach_model(c, node, model, &request) : UT_ERR_FORMAT;
}
