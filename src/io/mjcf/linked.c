// SPDX-License-Identifier: Apache-2.0
// Elements outside of the bodies that name parts of bodies: an index from names to these elements, and
// the copies that follow copied bodies.
#include "compose.h"

#include <string.h>

#include "base/sort.h"

// ---- references to bodies -----------------------------------------------------------------------

bool ut_mjcf_is_linked(const XmlNode* section)
{
    return ut_word_in("contact tendon equality actuator sensor ut:point ut:motion ut:spring",
                      section->name);
}

static utStatus add_reference(Composer* c, NameKind kind, const char* name, Reference reference)
{
    Mjcf* m = c->m;
    int at = ut_names_find(&c->index[kind], name);
    if (at < 0) {
        if (c->lists == c->room) {
            const int room = c->room > 0 ? 2 * c->room : 64;
            Reference** list = UT_PUSH(&m->memory, Reference*, room);
            if (list == NULL) {
                return ut_mjcf_no_memory(m);
            }
            if (c->lists > 0) {
                memcpy(list, c->list, (size_t)c->lists * sizeof(Reference*));
            }
            c->list = list;
            c->room = room;
        }
        at = c->lists;
        if (!ut_names_add(&c->index[kind], name, at)) {
            return ut_mjcf_no_memory(m);
        }
        c->list[c->lists++] = NULL;
    }
    Reference* added = UT_PUSH(&m->memory, Reference, 1);
    if (added == NULL) {
        return ut_mjcf_no_memory(m);
    }
    *added = reference;
    added->next = c->list[at];
    c->list[at] = added;
    return UT_OK;
}

static utStatus add_entry(Composer* c, XmlNode* entry, const XmlNode* copied_by)
{
    entry->index = c->entries++;
    entry->copy = 0;
    for (const XmlNode* n = entry; n != NULL; n = ut_xml_next(n, entry)) {
        for (int i = 0; i < n->attributes; i++) {
            const NameKind kind = ut_mjcf_refers(n, &n->attribute[i]);
            if (kind < NAME_LINKS) {
                UT_TRY(add_reference(c, kind, n->attribute[i].value,
                                     (Reference){entry, copied_by, n->attribute[i].renamed, NULL}));
            }
        }
    }
    return UT_OK;
}

utStatus ut_composer_index(Composer* c, XmlNode* section)
{
    if (!ut_mjcf_is_linked(section)) {
        return UT_OK;
    }
    if (strncmp(section->name, "ut:", 3) == 0) {
        return add_entry(c, section, NULL);
    }
    for (XmlNode* n = section->first; n != NULL; n = n->next) {
        UT_TRY(add_entry(c, n, NULL));
    }
    return UT_OK;
}

utStatus ut_composer_add_section(Composer* c, XmlNode* section)
{
    ut_mjcf_append(c->model->root, section);
    return ut_composer_index(c, section);
}

// ---- elements that belong to a part -------------------------------------------------------------

// A list of elements that grows.
typedef struct Linked {
    XmlNode** at;
    int count, room;
} Linked;

static bool push_linked(Mjcf* m, Linked* list, XmlNode* entry)
{
    if (list->count == list->room) {
        const int room = list->room > 0 ? 2 * list->room : 16;
        XmlNode** at = UT_PUSH(&m->memory, XmlNode*, room);
        if (at == NULL) {
            return false;
        }
        if (list->count > 0) {
            memcpy(at, list->at, (size_t)list->count * sizeof(XmlNode*));
        }
        list->at = at;
        list->room = room;
    }
    list->at[list->count++] = entry;
    return true;
}

static bool is_inside(const XmlNode* node, const XmlNode* around)
{
    while (node != NULL && node != around) {
        node = node->parent;
    }
    return node != NULL;
}

static utStatus link_to(Composer* c, const XmlNode* top, NameKind kind, const char* name,
                        Linked* linked)
{
    const int at = ut_names_find(&c->index[kind], name);
    for (const Reference* r = at >= 0 ? c->list[at] : NULL; r != NULL; r = r->next) {
        if (r->from->gone || r->from->copy == c->serial) {
            continue;
        }
        const bool other = strcmp(top->name, "replicate") == 0 && r->copied_by != NULL &&
                           !is_inside(r->copied_by, top);
        if (other && r->renamed) {
            continue; // to a copy whose name is the same by chance
        }
        if (other) {
            return ut_mjcf_fail(c->m, r->from,
                                "'%.40s' names parts of two 'replicate'; write it for each pair",
                                r->from->name);
        }
        r->from->copy = c->serial;
        if (!push_linked(c->m, linked, r->from)) {
            return ut_mjcf_no_memory(c->m);
        }
    }
    return UT_OK;
}

// Link the elements that refer to a name of the subtree.
static utStatus link_subtree(Composer* c, const XmlNode* top, const XmlNode* subtree,
                             Linked* linked)
{
    for (const XmlNode* n = subtree; n != NULL; n = ut_xml_next(n, subtree)) {
        for (int i = 0; i < n->attributes; i++) {
            const NameKind kind = ut_mjcf_declares(n, &n->attribute[i]);
            if (kind < NAME_LINKS) {
                UT_TRY(link_to(c, top, kind, n->attribute[i].value, linked));
            }
        }
    }
    return UT_OK;
}

static bool entry_before(const void* a, const void* b, const void* context)
{
    (void)context;
    return (*(XmlNode* const*)a)->index < (*(XmlNode* const*)b)->index;
}

utStatus ut_composer_collect(Composer* c, const XmlNode* top, Names* declared, XmlNode*** linked,
                             int* count)
{
    Linked list = {NULL, 0, 0};
    c->serial++;
    UT_TRY(ut_mjcf_declared(c->m, top, declared));
    UT_TRY(link_subtree(c, top, top, &list));
    // a tendon or actuator that is copied may be named in turn
    for (int i = 0; i < list.count; i++) {
        UT_TRY(ut_mjcf_declared(c->m, list.at[i], declared));
        UT_TRY(link_subtree(c, top, list.at[i], &list));
    }
    XmlNode** spare = UT_PUSH(&c->m->memory, XmlNode*, list.count);
    if (spare == NULL) {
        return ut_mjcf_no_memory(c->m);
    }
    ut_sort(list.count, sizeof(XmlNode*), list.at, spare, entry_before, NULL);
    *linked = list.at;
    *count = list.count;
    return UT_OK;
}

utStatus ut_composer_copy_linked(Composer* c, XmlNode* const* linked, int count,
                                 const Rename* rename, const XmlNode* by)
{
    XmlNode* root = c->model->root;
    const XmlNode* section = NULL; // of the last element
    for (int i = 0; i < count; i++) {
        XmlNode* copy = NULL;
        UT_TRY(ut_mjcf_copy(c->m, linked[i], rename, &copy));
        if (linked[i]->parent == root) {
            ut_mjcf_append(root, copy);
        } else {
            if (linked[i]->parent != section) {
                section = linked[i]->parent;
                XmlNode empty = *section;
                empty.first = empty.last = NULL;
                XmlNode* made = NULL;
                UT_TRY(ut_mjcf_copy(c->m, &empty, rename, &made));
                ut_mjcf_append(root, made);
            }
            ut_mjcf_append(root->last, copy);
        }
        UT_TRY(add_entry(c, copy, by));
    }
    return UT_OK;
}
