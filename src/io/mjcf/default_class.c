// SPDX-License-Identifier: Apache-2.0
// Classes of defaults. A class inherits the attributes of its parent. An element uses the class that
// it names, else that of the nearest `childclass` around it, else the main class.
#include "io/internal.h"

#include <string.h>

enum { MAX_CLASS_DEPTH = 100 }; // of nested elements around a class

static MjcfClass* find_class(const Mjcf* m, const char* name)
{
    const int index = ut_names_find(&m->classes.names, name);
    return index >= 0 ? m->classes.at[index] : NULL;
}

static utStatus unknown_class(Mjcf* m, MjcfFound found)
{
    Nearest nearest = ut_nearest_to(found.attribute->value);
    for (int i = 0; i < m->classes.count; i++) {
        const char* name = m->classes.at[i]->name;
        if (name != NULL) {
            ut_nearest_try(&nearest, (utText){name, strlen(name)});
        }
    }
    if (nearest.word[0] != 0) {
        return ut_mjcf_fail_at(m, found, 0, "there is no class '%.60s'; did you mean '%s'?",
                               found.attribute->value, nearest.word);
    }
    return ut_mjcf_fail_at(m, found, 0, "there is no class '%.60s'; a 'default' must define it",
                           found.attribute->value);
}

static bool name_class(Mjcf* m, MjcfClass* of, const char* name)
{
    of->name = name;
    return ut_names_add(&m->classes.names, name, of->index);
}

static MjcfClass* new_class(Mjcf* m, const char* name, MjcfClass* parent)
{
    MjcfClass* made = UT_PUSH(&m->memory, MjcfClass, 1);
    if (made == NULL) {
        return NULL;
    }
    *made = (MjcfClass){.parent = parent, .index = m->classes.count};
    m->classes.at[m->classes.count++] = made;
    return name == NULL || name_class(m, made, name) ? made : NULL;
}

static utStatus add_part(Mjcf* m, MjcfClass* of, const XmlNode* node)
{
    MjcfClassPart* part = UT_PUSH(&m->memory, MjcfClassPart, 1);
    if (part == NULL) {
        return ut_mjcf_no_memory(m);
    }
    *part = (MjcfClassPart){.node = node};
    *(of->last != NULL ? &of->last->next : &of->first) = part;
    of->last = part;
    of->elements++;
    for (const XmlNode* n = node->first; n != NULL; n = n->next) {
        of->elements++;
    }
    return UT_OK;
}

// A top-level default is a part of the main class of its model, whatever its name.
static utStatus add_main(Mjcf* m, XmlNode* node)
{
    MjcfClass* main = node->part != NULL ? node->part->main : m->classes.main;
    XmlAttribute* name = ut_xml_attribute(node, "class");
    if (main == NULL) {
        return ut_mjcf_no_memory(m);
    }
    if (name != NULL && find_class(m, name->value) != main) {
        if ((node->part == NULL && main->name != NULL) || find_class(m, name->value) != NULL) {
            return ut_mjcf_fail_at(m, (MjcfFound){node, name}, 0,
                                   "a top-level default is the main class, which cannot be called "
                                   "'%.60s' too",
                                   name->value);
        }
        if (!name_class(m, main, name->value)) {
            return ut_mjcf_no_memory(m);
        }
    }
    node->scope = main;
    return add_part(m, main, node);
}

static utStatus add_nested(Mjcf* m, XmlNode* node)
{
    XmlAttribute* name = ut_xml_attribute(node, "class");
    if (name == NULL || name->value[0] == 0) {
        return ut_mjcf_fail(m, node, "a default inside another needs a class; give it a name");
    }
    if (find_class(m, name->value) != NULL) {
        return ut_mjcf_fail_at(m, (MjcfFound){node, name}, 0,
                               "a second class with the name '%.80s'; names must differ",
                               name->value);
    }
    if (node->depth > MAX_CLASS_DEPTH) {
        return ut_mjcf_fail(m, node, "classes are nested more than %d deep", MAX_CLASS_DEPTH);
    }
    MjcfClass* parent = (MjcfClass*)node->parent->scope;
    MjcfClass* made = new_class(m, name->value, parent);
    if (made == NULL) {
        return ut_mjcf_no_memory(m);
    }
    node->scope = made;
    return add_part(m, made, node);
}

static bool is_default(const XmlNode* node)
{
    return strcmp(node->name, "default") == 0;
}

// Make the main class of every attached model, which its elements use even if it is empty.
static utStatus add_classes_of_parts(Mjcf* m)
{
    for (MjcfPart* part = m->main.parts; part != NULL; part = part->next) {
        const size_t size = strlen(part->prefix);
        char* name = UT_PUSH(&m->memory, char, size + sizeof "main");
        if (name == NULL) {
            return ut_mjcf_no_memory(m);
        }
        memcpy(name, part->prefix, size);
        memcpy(name + size, "main", sizeof "main");
        part->main = new_class(m, name, NULL);
        if (part->main == NULL) {
            return ut_mjcf_no_memory(m);
        }
    }
    for (XmlNode* s = m->root->first; s != NULL; s = s->next) {
        s->scope = s->part != NULL ? s->part->main : NULL;
    }
    return UT_OK;
}

utStatus ut_mjcf_classes(Mjcf* m)
{
    int count = 1;
    for (const MjcfPart* part = m->main.parts; part != NULL; part = part->next) {
        count++;
    }
    for (const XmlNode* n = m->root; n != NULL; n = ut_xml_next(n, m->root)) {
        count += is_default(n);
    }
    m->classes.at = UT_PUSH(&m->memory, MjcfClass*, count);
    if (m->classes.at == NULL || !ut_mjcf_defaults_begin(m)) {
        return ut_mjcf_no_memory(m);
    }
    m->classes.main = new_class(m, NULL, NULL);
    if (m->classes.main == NULL) {
        return ut_mjcf_no_memory(m);
    }
    UT_TRY(add_classes_of_parts(m));
    for (XmlNode* s = m->root->first; s != NULL; s = s->next) {
        if (!is_default(s)) {
            continue;
        }
        UT_TRY(add_main(m, s));
        for (XmlNode* n = ut_xml_next(s, s); n != NULL; n = ut_xml_next(n, s)) {
            if (is_default(n)) {
                UT_TRY(add_nested(m, n));
            }
        }
    }
    return UT_OK;
}

static utStatus look_up(Mjcf* m, MjcfFound found, const MjcfClass** of)
{
    *of = find_class(m, found.attribute->value);
    if (*of == NULL && strcmp(found.attribute->value, "main") == 0) {
        *of = m->classes.main;
    }
    return *of != NULL ? UT_OK : unknown_class(m, found);
}

utStatus ut_mjcf_place(Mjcf* m, const XmlNode* node, const char* elements, MjcfPlace* p)
{
    *p = (MjcfPlace){.m = m, .node = node, .elements = elements};
    m->compiler = node->file->model->compiler;
    if (elements == NULL) {
        return UT_OK;
    }
    XmlAttribute* name = ut_xml_attribute(node, "class");
    if (name != NULL) {
        return look_up(m, (MjcfFound){node, name}, &p->of);
    }
    p->of = node->parent->scope != NULL ? node->parent->scope : m->classes.main;
    return UT_OK;
}

utStatus ut_mjcf_scope(Mjcf* m, XmlNode* body)
{
    XmlAttribute* name = ut_xml_attribute(body, "childclass");
    body->scope = body->parent->scope;
    if (strcmp(body->name, "attach") == 0) {
        // the attached model does not use the classes of this one
        const MjcfPart* part = body->first != NULL ? body->first->part : NULL;
        body->scope = part != NULL ? part->main : m->classes.main;
    }
    if (name != NULL) {
        const MjcfClass* of;
        UT_TRY(look_up(m, (MjcfFound){body, name}, &of));
        body->scope = of;
    }
    return UT_OK;
}
