// SPDX-License-Identifier: Apache-2.0
// The check of a file against the table of elements and attributes. Unsupported elements are noted with
// all their contents; the attributes of other elements are checked one by one.
#include "io/mjcf/schema.h"

#include <stdio.h>
#include <string.h>

// ---- elements -----------------------------------------------------------------------------------

// The element around a node that decides whether the node is allowed. A frame may contain the elements
// that its body may; XmlNode.scope of a frame is its body during the check.
static const XmlNode* container(const XmlNode* node)
{
    const XmlNode* around = node->parent;
    return ut_mjcf_is_frame(around) && around->scope != NULL ? around->scope : around;
}

static const Rule* find_rule(const char* name, const char* parent)
{
    int count;
    const Rule* rule = ut_mjcf_rules(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(rule[i].name, name) == 0 && ut_word_in(rule[i].inside, parent)) {
            return &rule[i];
        }
    }
    return NULL;
}

static bool is_element(const char* name)
{
    int count;
    const Rule* rule = ut_mjcf_rules(&count);
    bool found = false;
    for (int i = 0; i < count && !found; i++) {
        found = strcmp(rule[i].name, name) == 0;
    }
    return found;
}

static utStatus unknown_element(Mjcf* m, const XmlNode* node)
{
    const char* parent = container(node)->name;
    if (is_element(node->name)) {
        return ut_mjcf_fail(m, node, "'%.40s' is not allowed inside '%.40s'", node->name, parent);
    }
    int count;
    const Rule* rule = ut_mjcf_rules(&count);
    Nearest nearest = ut_nearest_to(node->name);
    for (int i = 0; i < count; i++) {
        if (ut_word_in(rule[i].inside, parent)) {
            ut_nearest_try(&nearest, (utText){rule[i].name, strlen(rule[i].name)});
        }
    }
    if (nearest.word[0] != 0) {
        return ut_mjcf_fail(m, node, "unknown element '%.40s' inside '%.40s'; did you mean '%s'?",
                            node->name, parent, nearest.word);
    }
    return ut_mjcf_fail(m, node, "unknown element '%.60s' inside '%.40s'", node->name, parent);
}

static utStatus check_root(Mjcf* m, XmlNode* root)
{
    if (strcmp(root->name, "robot") == 0) {
        return ut_mjcf_fail(m, root,
                            "this is URDF; ut_urdf_read, ut_load and the command line read it");
    }
    if (strcmp(root->name, "mujoco") != 0) {
        return ut_mjcf_fail(
            m, root, "the outermost element is '%.60s'; an MJCF model is a 'mujoco'", root->name);
    }
    int count;
    root->rule = ut_mjcf_rules(&count);
    return UT_OK;
}

// ---- attributes ---------------------------------------------------------------------------------

// Find a name in a list whose words may be `name=value`. @param neutral receives the value, "" for
// none
static bool find_attribute(const char* list, const char* name, utText* neutral)
{
    const size_t size = strlen(name);
    utText word;
    while (list != NULL && ut_word_next(&list, &word)) {
        if (word.size >= size && memcmp(word.data, name, size) == 0 &&
            (word.size == size || word.data[size] == '=')) {
            const size_t skip = word.size == size ? size : size + 1;
            *neutral = (utText){word.data + skip, word.size - skip};
            return true;
        }
    }
    return false;
}

// Do the words of `value` equal the words from `begin` to `end`, which commas separate? Numbers are
// compared by value, and the last ones may be missing.
static bool equals(const char* value, const char* begin, const char* end)
{
    utText word;
    bool any = false;
    while (ut_word_next(&value, &word)) {
        if (begin >= end) {
            return false;
        }
        const char* comma = memchr(begin, ',', (size_t)(end - begin));
        const char* cut = comma != NULL ? comma : end;
        double x, y;
        const char* behind = ut_number_read(word.data, word.data + word.size, &x);
        if (behind == word.data + word.size && ut_number_read(begin, cut, &y) == cut) {
            if (x != y) {
                return false;
            }
        } else if (word.size != (size_t)(cut - begin) || memcmp(word.data, begin, word.size) != 0) {
            return false;
        }
        begin = comma != NULL ? comma + 1 : end;
        any = true;
    }
    return any;
}

static bool is_neutral(const char* value, utText neutral)
{
    const char* begin = neutral.data;
    const char* end = neutral.data + neutral.size;
    while (begin < end) {
        const char* bar = memchr(begin, '|', (size_t)(end - begin));
        const char* cut = bar != NULL ? bar : end;
        if (equals(value, begin, cut)) {
            return true;
        }
        begin = bar != NULL ? bar + 1 : end;
    }
    return false;
}

typedef struct AttributeList {
    const char* names;
    bool physics;
    bool missing;
    const char* why;
} AttributeList;

enum { LISTS = 5 };

static void lists_of(const Rule* rule, AttributeList list[LISTS])
{
    list[0] = (AttributeList){rule->read, false, false, NULL};
    list[1] = (AttributeList){rule->physics, true, true, "not supported"};
    list[2] = (AttributeList){rule->soft, true, false, "softness"}; // ut_mjcf_softness says more
    list[3] =
        (AttributeList){rule->solver, false, false, "not applicable to a hard-contact solver"};
    list[4] = (AttributeList){rule->other, false, false, "for viewers and other programs"};
}

static utStatus unknown_attribute(Mjcf* m, const XmlNode* node, XmlAttribute* a)
{
    AttributeList list[LISTS];
    lists_of(node->rule, list);
    Nearest nearest = ut_nearest_to(a->name);
    for (int i = 0; i < LISTS; i++) {
        utText word;
        const char* names = list[i].names;
        while (names != NULL && ut_word_next(&names, &word)) {
            const char* equals = memchr(word.data, '=', word.size);
            word.size = equals != NULL ? (size_t)(equals - word.data) : word.size;
            ut_nearest_try(&nearest, word);
        }
    }
    const MjcfFound found = {node, a};
    if (nearest.word[0] != 0) {
        return ut_mjcf_fail_at(m, found, 0, "unknown attribute '%.40s' of %s; did you mean '%s'?",
                               a->name, node->name, nearest.word);
    }
    return ut_mjcf_fail_at(m, found, 0, "unknown attribute '%.60s' of %s", a->name, node->name);
}

static bool not_allowed_in_default(const XmlNode* node, const char* name)
{
    return strcmp(node->parent->name, "default") == 0 && strcmp(node->name, "default") != 0 &&
           ut_word_in("name class joint geom1 geom2", name);
}

static utStatus check_attribute(Mjcf* m, const XmlNode* node, XmlAttribute* a)
{
    char what[2 * WORD_SIZE + 2];
    if (a->name[0] == '{') {
        snprintf(what, sizeof what, "%.40s.(other namespace)", node->name);
        return ut_mjcf_note(m, node, a, false, what, "for other programs");
    }
    if (node->parent != NULL && not_allowed_in_default(node, a->name)) {
        return ut_mjcf_fail_at(m, (MjcfFound){node, a}, 0, "'%s' is not allowed in a default",
                               a->name);
    }
    AttributeList list[LISTS];
    lists_of(node->rule, list);
    for (int i = 0; i < LISTS; i++) {
        utText neutral;
        if (find_attribute(list[i].names, a->name, &neutral)) {
            if (list[i].why == NULL || is_neutral(a->value, neutral)) {
                return UT_OK;
            }
            MjcfReason room;
            const bool soft = list[i].physics && !list[i].missing;
            const char* why = soft ? ut_mjcf_softness(node, a, &room) : list[i].why;
            snprintf(what, sizeof what, "%.40s.%.40s", node->name, a->name);
            return list[i].missing ? ut_mjcf_note_missing(m, node, a, what, why)
                                   : ut_mjcf_note(m, node, a, list[i].physics, what, why);
        }
    }
    return unknown_attribute(m, node, a);
}

// ---- the tree -----------------------------------------------------------------------------------

// Write the name of an element for a note, with its section where it has one: "equality/joint".
static void name_element(const XmlNode* node, char* what, size_t size)
{
    const char* parent = container(node)->name;
    const bool plain = strcmp(parent, "mujoco") == 0 || strcmp(parent, "body") == 0 ||
                       strcmp(parent, "worldbody") == 0;
    snprintf(what, size, "%.40s%s%.40s", plain ? "" : parent, plain ? "" : "/", node->name);
}

static utStatus check_element(Mjcf* m, XmlNode* node)
{
    const Rule* rule = find_rule(node->name, container(node)->name);
    if (rule == NULL) {
        return unknown_element(m, node);
    }
    node->rule = rule;
    node->scope = ut_mjcf_is_frame(node) ? container(node) : NULL;
    char what[2 * WORD_SIZE + 2];
    name_element(node, what, sizeof what);
    switch (rule->use) {
    case USE_PHYSICS:
        return ut_mjcf_note_missing(m, node, NULL, what, "not supported");
    case USE_PICTURE:
        return ut_mjcf_note(m, node, NULL, false, what, "for viewers");
    case USE_OUTPUT:
        return ut_mjcf_note(m, node, NULL, false, what, "for other programs");
    case USE_REJECTED:
        return ut_mjcf_fail(m, node,
                            "'%s' is not supported yet; replace it by the elements it generates",
                            node->name);
    default:
        return UT_OK;
    }
}

static bool has_checked_contents(const XmlNode* node)
{
    const Use use = ((const Rule*)node->rule)->use;
    return use == USE_READ || use == USE_GROUP;
}

// Reject a second element where MJCF allows only one.
static utStatus check_single(Mjcf* m, const XmlNode* node)
{
    const bool in_default = node->parent != NULL && strcmp(node->parent->name, "default") == 0 &&
                            strcmp(node->name, "default") != 0;
    if (!in_default && !ut_word_in("inertial flag", node->name)) {
        return UT_OK;
    }
    for (const XmlNode* n = node->parent->first; n != node; n = n->next) {
        if (strcmp(n->name, node->name) == 0) {
            return ut_mjcf_fail(m, node, "a second '%s' in one '%s'; the first is in line %d",
                                node->name, node->parent->name, n->line);
        }
    }
    return UT_OK;
}

utStatus ut_mjcf_check(Mjcf* m, XmlNode* root)
{
    UT_TRY(check_root(m, root));
    for (XmlNode* n = root; n != NULL;) {
        if (n != root) {
            UT_TRY(check_element(m, n));
            UT_TRY(check_single(m, n));
        }
        if (!has_checked_contents(n)) {
            n->first = n->last = NULL; // so that later parts do not read its contents
            n = ut_xml_skip(n, root);
            continue;
        }
        for (int i = 0; i < n->attributes; i++) {
            UT_TRY(check_attribute(m, n, &n->attribute[i]));
        }
        if (n->text != NULL) {
            UT_TRY(ut_mjcf_note(m, n, NULL, false, "text between elements", "ignored"));
        }
        n = ut_xml_next(n, root);
    }
    return UT_OK;
}
