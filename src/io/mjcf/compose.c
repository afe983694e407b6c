// SPDX-License-Identifier: Apache-2.0
// Composing one model: its files, its sub-models, then `replicate` and `attach` in the order in which
// they end, the inner ones first.
#include "compose.h"

#include <stdio.h>
#include <string.h>

static bool is(const XmlNode* node, const char* name)
{
    return strcmp(node->name, name) == 0;
}

XmlNode* ut_mjcf_heir(XmlNode* node)
{
    while (node->heir != NULL) {
        node = node->heir;
    }
    return node;
}

// ---- replicate ----------------------------------------------------------------------------------

static utStatus read_count(Mjcf* m, const XmlNode* node, int* count)
{
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    const MjcfFound found = ut_mjcf_find(&p, "count");
    if (found.attribute == NULL) {
        return ut_mjcf_fail(m, node, "replicate needs the attribute count");
    }
    UT_TRY(ut_mjcf_get_int(&p, "count", count));
    if (*count < 0) {
        return ut_mjcf_fail_at(m, found, 0, "count of replicate is %d; it must not be negative",
                               *count);
    }
    return UT_OK;
}

// The text behind the names of copy i: as many digits as `count` has.
static utStatus write_suffix(Mjcf* m, const char* separator, int count, int i, char** suffix)
{
    const int digits = snprintf(NULL, 0, "%d", count);
    const size_t size = strlen(separator) + (size_t)digits + 1;
    *suffix = UT_PUSH(&m->memory, char, size);
    if (*suffix == NULL) {
        return ut_mjcf_no_memory(m);
    }
    snprintf(*suffix, size, "%s%0*d", separator, digits, i);
    return UT_OK;
}

// Let the copies that were made last stand for their originals.
static void set_heirs(XmlNode* node, XmlNode* const* linked, int links)
{
    for (XmlNode* n = node; n != NULL; n = ut_xml_next(n, node)) {
        n->heir = n->twin;
    }
    for (int i = 0; i < links; i++) {
        linked[i]->heir = linked[i]->twin;
    }
}

static utStatus replicate(Composer* c, XmlNode* node)
{
    Mjcf* m = c->m;
    int count = 0;
    UT_TRY(read_count(m, node, &count));
    const XmlAttribute* separator = ut_xml_attribute(node, "sep");
    Names declared[NAME_LINKS];
    ut_mjcf_names_begin(m, declared, NAME_LINKS);
    XmlNode** linked = NULL;
    int links = 0;
    UT_TRY(ut_composer_collect(c, node, declared, &linked, &links));
    XmlNode copies = {.name = "replicate"};
    for (int i = 0; i < count; i++) {
        char* suffix = NULL;
        UT_TRY(write_suffix(m, separator != NULL ? separator->value : "", count, i, &suffix));
        const Rename rename = {.prefix = "", .suffix = suffix, .declared = declared};
        XmlNode* copy = NULL;
        UT_TRY(ut_mjcf_copy(m, node, &rename, &copy));
        copy->copy = i + 1;
        ut_mjcf_append(&copies, copy);
        UT_TRY(ut_composer_copy_linked(c, linked, links, &rename, node));
        if (i == 0) {
            set_heirs(node, linked, links);
        }
    }
    for (int i = 0; i < links; i++) {
        linked[i]->gone = true;
    }
    node->first = copies.first;
    node->last = copies.last;
    for (XmlNode* n = node->first; n != NULL; n = n->next) {
        n->parent = node;
    }
    return UT_OK;
}

// Reject a model whose copies would exceed the limit, before any copy is made. XmlNode.index is the
// number of copies of an element's contents, at most one more than the limit.
static utStatus check_copies(Mjcf* m, XmlNode* section)
{
    const long long limit = m->def->limits.elements;
    long long total = 0;
    for (XmlNode* n = section; n != NULL; n = ut_xml_next(n, section)) {
        const long long copies = n == section ? 1 : n->parent->index;
        total += copies;
        if (total > limit) {
            return ut_mjcf_fail(m, n, "more than %lld elements; utLimits.elements sets the limit",
                                limit);
        }
        int count = 1;
        if (is(n, "replicate")) {
            UT_TRY(read_count(m, n, &count));
        }
        const long long inside = copies * count;
        n->index = (int)(inside <= limit ? inside : limit + 1);
    }
    return UT_OK;
}

// ---- all ----------------------------------------------------------------------------------------

static XmlNode* innermost_first(XmlNode* node)
{
    while (node->first != NULL) {
        node = node->first;
    }
    return node;
}

static utStatus expand_section(Composer* c, XmlNode* section)
{
    for (XmlNode* n = innermost_first(section); n != section;) {
        XmlNode* next = n->next != NULL ? innermost_first(n->next) : n->parent;
        if (is(n, "replicate")) {
            UT_TRY(replicate(c, n));
        } else if (is(n, "attach")) {
            UT_TRY(ut_mjcf_attach(c, n));
        }
        n = next;
    }
    return UT_OK;
}

static void remove_gone(XmlNode* section)
{
    XmlNode* n = section->first;
    section->first = section->last = NULL;
    while (n != NULL) {
        XmlNode* next = n->next;
        if (!n->gone) {
            ut_mjcf_append(section, n);
        }
        n = next;
    }
}

static bool has_parts(const XmlNode* root)
{
    for (const XmlNode* n = root; n != NULL; n = ut_xml_next(n, root)) {
        if (is(n, "replicate") || is(n, "attach")) {
            return true;
        }
    }
    return false;
}

static utStatus expand(Mjcf* m, MjcfModel* model)
{
    XmlNode* root = model->root;
    if (!has_parts(root)) {
        return UT_OK;
    }
    Composer c = {.m = m, .model = model};
    ut_mjcf_names_begin(m, c.index, NAME_LINKS);
    for (XmlNode* s = root->first; s != NULL; s = s->next) {
        UT_TRY(ut_composer_index(&c, s));
        if (is(s, "worldbody")) {
            UT_TRY(check_copies(m, s));
        }
    }
    XmlNode* last = root->last; // sections of attached models follow
    for (XmlNode* s = root->first; s != NULL; s = s != last ? s->next : NULL) {
        if (is(s, "worldbody")) {
            UT_TRY(expand_section(&c, s));
        }
    }
    remove_gone(root);
    for (XmlNode* s = root->first; s != NULL; s = s->next) {
        if (ut_mjcf_is_linked(s)) {
            remove_gone(s);
        }
    }
    return UT_OK;
}

utStatus ut_mjcf_compose(Mjcf* m, MjcfModel* model)
{
    UT_TRY(ut_mjcf_include(m, model->root));
    UT_TRY(ut_mjcf_check(m, model->root));
    UT_TRY(ut_mjcf_compiler(m, model));
    UT_TRY(ut_mjcf_load_models(m, model));
    return expand(m, model);
}
