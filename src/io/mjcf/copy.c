// SPDX-License-Identifier: Apache-2.0
// Copies of elements under other names: which attributes are names, and how they change.
#include "compose.h"

#include <string.h>

#include "base/internal.h"

// ---- kinds --------------------------------------------------------------------------------------

typedef struct KindOf {
    const char* names;
    NameKind kind;
} KindOf;

static NameKind find_kind(const KindOf* table, size_t count, const char* name)
{
    for (size_t i = 0; i < count; i++) {
        if (ut_word_in(table[i].names, name)) {
            return table[i].kind;
        }
    }
    return NAME_NONE;
}

#define FIND_KIND(table, name) find_kind(table, sizeof(table) / sizeof *(table), name)

// Elements of bodies and assets, by their names.
static const KindOf elements[] = {
    {"body xbody", NAME_BODY}, {"joint freejoint", NAME_JOINT}, {"geom", NAME_GEOM},
    {"site", NAME_SITE},       {"camera", NAME_CAMERA},         {"frame", NAME_FRAME},
    {"mesh", NAME_MESH},       {"hfield", NAME_HEIGHTS},        {"material", NAME_MATERIAL},
    {"texture", NAME_TEXTURE},
};

// Sections whose elements share one kind of name.
static const KindOf sections[] = {
    {"tendon", NAME_TENDON},
    {"actuator", NAME_ACTUATOR},
    {"mujoco contact equality sensor keyframe custom", NAME_OTHER},
};

static const KindOf attributes[] = {
    {"body body1 body2 subtree1 subtree2 target", NAME_BODY},
    {"joint joint1 joint2 jointinparent", NAME_JOINT},
    {"geom geom1 geom2", NAME_GEOM},
    {"site site1 site2 sidesite slidersite cranksite refsite", NAME_SITE},
    {"camera", NAME_CAMERA},
    {"tendon tendon1 tendon2", NAME_TENDON},
    {"actuator", NAME_ACTUATOR},
    {"mesh", NAME_MESH},
    {"hfield", NAME_HEIGHTS},
    {"material", NAME_MATERIAL},
    {"texture", NAME_TEXTURE},
    {"class childclass", NAME_CLASS},
};

NameKind ut_mjcf_declares(const XmlNode* node, const XmlAttribute* attribute)
{
    if (strcmp(attribute->name, "name") != 0) {
        return NAME_NONE;
    }
    const NameKind shared =
        node->parent != NULL ? FIND_KIND(sections, node->parent->name) : NAME_NONE;
    const NameKind own = shared == NAME_NONE ? FIND_KIND(elements, node->name) : shared;
    return own == NAME_NONE ? NAME_OTHER : own;
}

NameKind ut_mjcf_refers(const XmlNode* node, const XmlAttribute* attribute)
{
    // sensors name an element and its kind
    const bool object = strcmp(attribute->name, "objname") == 0;
    if (object || strcmp(attribute->name, "refname") == 0) {
        const XmlAttribute* type = ut_xml_attribute(node, object ? "objtype" : "reftype");
        return type != NULL ? FIND_KIND(elements, type->value) : NAME_NONE;
    }
    return FIND_KIND(attributes, attribute->name);
}

void ut_mjcf_names_begin(Mjcf* m, Names* names, int count)
{
    for (int i = 0; i < count; i++) {
        names[i] = (Names){.memory = &m->memory};
    }
}

utStatus ut_mjcf_declared(Mjcf* m, const XmlNode* root, Names* declared)
{
    for (const XmlNode* n = root; n != NULL; n = ut_xml_next(n, root)) {
        for (int i = 0; i < n->attributes; i++) {
            const NameKind kind = ut_mjcf_declares(n, &n->attribute[i]);
            if (kind < NAME_LINKS && !ut_names_add(&declared[kind], n->attribute[i].value, 1)) {
                return ut_mjcf_no_memory(m);
            }
        }
    }
    return UT_OK;
}

// ---- names of copies ----------------------------------------------------------------------------

static bool changes(const XmlNode* node, const XmlAttribute* a, const Rename* rename)
{
    if (a->value[0] == 0) {
        return false;
    }
    if (ut_mjcf_declares(node, a) != NAME_NONE) {
        return true;
    }
    const NameKind kind = ut_mjcf_refers(node, a);
    if (kind == NAME_NONE || (kind == NAME_BODY && strcmp(a->value, "world") == 0)) {
        return false;
    }
    return rename->declared == NULL ||
           (kind < NAME_LINKS && ut_names_find(&rename->declared[kind], a->value) >= 0);
}

// @return NULL when memory is short
static const char* renamed(Mjcf* m, const Rename* rename, const char* name, size_t size)
{
    const size_t before = strlen(rename->prefix), after = strlen(rename->suffix);
    char* text = ut_arena_pack(&m->memory, before + size + after + 1, 1);
    if (text != NULL) {
        memcpy(text, rename->prefix, before);
        memcpy(text + before, name, size);
        memcpy(text + before + size, rename->suffix, after + 1);
    }
    return text;
}

// The name of an asset without one: that of its file, without folder and ending.
static utText name_of_file(const char* file)
{
    const char* slash = strrchr(file, '/');
    const char* name = slash != NULL ? slash + 1 : file;
    const char* point = strrchr(name, '.');
    return (utText){name, point != NULL ? (size_t)(point - name) : strlen(name)};
}

// The attribute from which an asset without name takes its name; NULL: not such an asset
static const XmlAttribute* naming_file(const XmlNode* node)
{
    const bool asset = node->parent != NULL && strcmp(node->parent->name, "asset") == 0;
    return asset && ut_xml_attribute(node, "name") == NULL ? ut_xml_attribute(node, "file") : NULL;
}

// Give a copy its attributes. Without a change it shares those of the original.
static utStatus copy_attributes(Mjcf* m, const XmlNode* node, const Rename* rename, XmlNode* copy)
{
    const XmlAttribute* file = rename->declared == NULL ? naming_file(node) : NULL;
    bool same = file == NULL;
    for (int i = 0; i < node->attributes; i++) {
        same = same && !changes(node, &node->attribute[i], rename);
    }
    if (same) {
        return UT_OK;
    }
    const int count = node->attributes + (file != NULL);
    copy->attribute =
        ut_arena_pack(&m->memory, (size_t)count * sizeof *copy->attribute, _Alignof(XmlAttribute));
    if (copy->attribute == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (int i = 0; i < node->attributes; i++) {
        XmlAttribute* a = &copy->attribute[i];
        *a = node->attribute[i];
        if (changes(node, a, rename)) {
            a->value = renamed(m, rename, a->value, strlen(a->value));
            a->verbatim = false;
            a->renamed = rename->declared != NULL;
        }
    }
    if (file != NULL) {
        const utText name = name_of_file(file->value);
        copy->attribute[node->attributes] =
            (XmlAttribute){.name = "name", .value = renamed(m, rename, name.data, name.size)};
        copy->attribute[node->attributes].at = file->at;
        copy->attributes = count;
    }
    return ut_arena_failed(&m->memory) ? ut_mjcf_no_memory(m) : UT_OK;
}

// ---- copies -------------------------------------------------------------------------------------

void ut_mjcf_append(XmlNode* parent, XmlNode* node)
{
    node->parent = parent;
    node->next = NULL;
    if (parent->last != NULL) {
        parent->last->next = node;
    } else {
        parent->first = node;
    }
    parent->last = node;
}

static utStatus copy_element(Mjcf* m, XmlNode* node, const Rename* rename)
{
    if (++m->elements > m->def->limits.elements) {
        return ut_mjcf_fail(m, node, "more than %d elements; utLimits.elements sets the limit",
                            m->def->limits.elements);
    }
    XmlNode* copy = ut_arena_pack(&m->memory, sizeof *copy, _Alignof(XmlNode));
    if (copy == NULL) {
        return ut_mjcf_no_memory(m);
    }
    *copy = *node;
    copy->parent = copy->first = copy->last = copy->next = copy->twin = copy->heir = NULL;
    copy->gone = false;
    if (rename->part != NULL) {
        copy->part = node->part != NULL ? node->part->twin : rename->part;
    }
    node->twin = copy;
    return copy_attributes(m, node, rename, copy);
}

utStatus ut_mjcf_copy(Mjcf* m, XmlNode* node, const Rename* rename, XmlNode** copy)
{
    XmlNode* n = node;
    do {
        UT_TRY(copy_element(m, n, rename));
        if (n != node) {
            ut_mjcf_append(n->parent->twin, n->twin);
        }
        n = ut_xml_next(n, node);
    } while (n != NULL);
    *copy = node->twin;
    return UT_OK;
}
