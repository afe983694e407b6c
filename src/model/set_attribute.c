// SPDX-License-Identifier: Apache-2.0
// Setting one attribute of a description by name: "box.pos" = "0 0 1".
#include "internal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// ---- text ---------------------------------------------------------------------------------------

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool equal(utText a, const char* b)
{
    return b != NULL && a.size == strlen(b) && memcmp(a.data, b, a.size) == 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool equal_but_case(utText a, const char* b)
{
    if (a.size != strlen(b)) {
        return false;
    }
    for (size_t i = 0; i < a.size; i++) {
        if (lower(a.data[i]) != lower(b[i])) {
            return false;
        }
    }
    return true;
}

static utText trimmed(const char* value)
{
    utText text = {value, strlen(value)};
    while (text.size > 0 && is_space(text.data[0])) {
        text.data++;
        text.size--;
    }
    while (text.size > 0 && is_space(text.data[text.size - 1])) {
        text.size--;
    }
    return text;
}

// A list of words for a message; "..." replaces words that do not fit.
typedef struct Words {
    char text[216];
    size_t used;
    bool full;
} Words;

static void add_word(Words* words, const char* separator, const char* word)
{
    const size_t size = strlen(separator) + strlen(word);
    if (words->full || words->used + size + sizeof " ..." > sizeof words->text) {
        if (!words->full) {
            memcpy(words->text + words->used, " ...", sizeof " ...");
        }
        words->full = true;
        return;
    }
    snprintf(words->text + words->used, sizeof words->text - words->used, "%s%s", separator, word);
    words->used += size;
}

// ---- elements -----------------------------------------------------------------------------------

static int count_of(const utModelDef* def, ElementKind element)
{
    const int counts[ELEMENT_COUNT] = {def->body.count,     def->joint.count,
                                       def->geom.count,     def->site.count,
                                       def->spring.count,   def->tendon.count,
                                       def->actuator.count, def->equality.count,
                                       def->pair.count,     1};
    return counts[element];
}

static const char* name_of(const utModelDef* def, ElementKind element, int i)
{
    switch (element) {
    case ELEMENT_BODY:
        return ut_model_body_def(def, i)->name;
    case ELEMENT_JOINT:
        return ut_model_joint_def(def, i)->name;
    case ELEMENT_GEOM:
        return ut_model_geom_def(def, i)->name;
    case ELEMENT_SITE:
        return ut_model_site_def(def, i)->name;
    case ELEMENT_SPRING:
        return ut_model_spring_def(def, i)->name;
    case ELEMENT_TENDON:
        return ut_model_tendon_def(def, i)->name;
    case ELEMENT_ACTUATOR:
        return ut_model_actuator_def(def, i)->name;
    case ELEMENT_EQUALITY:
        return ut_model_equality_def(def, i)->name;
    case ELEMENT_PAIR:
        return ut_model_pair_def(def, i)->name;
    case ELEMENT_OPTION:
    case ELEMENT_COUNT:
        break;
    }
    return "option";
}

static void* item_of(utModelDef* def, ElementKind element, int i)
{
    switch (element) {
    case ELEMENT_BODY:
        return ut_model_body_def(def, i);
    case ELEMENT_JOINT:
        return ut_model_joint_def(def, i);
    case ELEMENT_GEOM:
        return ut_model_geom_def(def, i);
    case ELEMENT_SITE:
        return ut_model_site_def(def, i);
    case ELEMENT_SPRING:
        return ut_model_spring_def(def, i);
    case ELEMENT_TENDON:
        return ut_model_tendon_def(def, i);
    case ELEMENT_ACTUATOR:
        return ut_model_actuator_def(def, i);
    case ELEMENT_EQUALITY:
        return ut_model_equality_def(def, i);
    case ELEMENT_PAIR:
        return ut_model_pair_def(def, i);
    case ELEMENT_OPTION:
    case ELEMENT_COUNT:
        break;
    }
    return &def->options;
}

// Index of the element with this name, -1 for none. The world has no attributes to set.
static int find(const utModelDef* def, ElementKind element, utText name)
{
    for (int i = element == ELEMENT_BODY ? 1 : 0; i < count_of(def, element); i++) {
        if (equal(name, name_of(def, element, i))) {
            return i;
        }
    }
    return -1;
}

// Does the element have this attribute? Bodies without an inertial take their mass from geoms.
static bool applies(const Attribute* attribute, const void* item)
{
    return !attribute->inertial || ((const utBodyDef*)item)->inertial;
}

static const Attribute* find_attribute(ElementKind element, const void* item, utText name)
{
    for (const Attribute* a = ut_model_attributes(element); a->name != NULL; a++) {
        if (applies(a, item) && (equal(name, a->name) || equal(name, a->alias))) {
            return a;
        }
    }
    return NULL;
}

// ---- values -------------------------------------------------------------------------------------

// Read at most `max_count` numbers with white space between them. @return their count, -1 when the
// text holds anything else
static int read_numbers(utText text, double* values, int max_count)
{
    const char* at = text.data;
    const char* end = text.data + text.size;
    int count = 0;
    while (at < end) {
        if (count == max_count) {
            return -1;
        }
        at = ut_number_read(at, end, &values[count++]);
        if (at == NULL || (at < end && !is_space(*at))) {
            return -1;
        }
        while (at < end && is_space(*at)) {
            at++;
        }
    }
    return count;
}

static utStatus reject_value(utError* err, const char* path, const char* wants, utText value)
{
    const int shown = value.size < 60 ? (int)value.size : 60;
    return ut_error_set(err, UT_ERR_ARGUMENT, "%s takes %s; got \"%.*s\"", path, wants, shown,
                        value.data);
}

static utStatus set_numbers(const Attribute* attribute, void* field, const char* path, utText value,
                            utError* err)
{
    double values[4];
    const int count = read_numbers(value, values, attribute->max_count);
    if (count < attribute->min_count) {
        char wants[48];
        if (attribute->min_count < attribute->max_count) {
            snprintf(wants, sizeof wants, "%d to %d numbers", attribute->min_count,
                     attribute->max_count);
        } else {
            snprintf(wants, sizeof wants, "%d number%s", attribute->max_count,
                     attribute->max_count > 1 ? "s" : "");
        }
        return reject_value(err, path, wants, value);
    }
    memcpy(field, values, (size_t)count * sizeof *values);
    return UT_OK;
}

static utStatus set_integer(int* field, const char* path, utText value, utError* err)
{
    double number;
    if (read_numbers(value, &number, 1) != 1 || !(fabs(number) <= INT_MAX) ||
        number != floor(number)) {
        return reject_value(err, path, "1 integer", value);
    }
    *field = (int)number;
    return UT_OK;
}

static utStatus set_flag(bool* field, const char* path, utText value, utError* err)
{
    if (!equal(value, "true") && !equal(value, "false")) {
        return reject_value(err, path, "true or false", value);
    }
    *field = equal(value, "true");
    return UT_OK;
}

// Set an enum by the name of its value.
static utStatus set_choice(const Attribute* attribute, void* field, const char* path, utText value,
                           utError* err)
{
    _Static_assert(sizeof(utIntegrator) == sizeof(int), "enums are read and written as int");
    Words names = {.used = 0};
    for (int i = 0; i < attribute->choices; i++) {
        if (equal_but_case(value, attribute->choice(i))) {
            memcpy(field, &i, sizeof i);
            return UT_OK;
        }
        const bool last = i + 1 == attribute->choices;
        add_word(&names, i == 0 ? "" : last ? " or " : ", ", attribute->choice(i));
    }
    return reject_value(err, path, names.text, value);
}

static utStatus set_inertia(utMat3* field, const char* path, utText value, utError* err)
{
    double n[6] = {0};
    const int count = read_numbers(value, n, 6);
    if (count != 3 && count != 6) {
        return reject_value(err, path, "3 numbers (xx yy zz) or 6 (xx yy zz xy xz yz)", value);
    }
    *field = (utMat3){{{n[0], n[3], n[4]}, {n[3], n[1], n[5]}, {n[4], n[5], n[2]}}};
    return UT_OK;
}

static utStatus set_word(utModelDef* def, const char** field, const char* path, utText value,
                         utError* err)
{
    char word[64];
    if (value.size == 0 || value.size >= sizeof word) {
        return reject_value(err, path, "a word", value);
    }
    memcpy(word, value.data, value.size);
    word[value.size] = 0;
    const char* copy = ut_model_def_keep_text(def, word);
    if (copy == NULL) {
        return ut_error_set(err, UT_ERR_MEMORY, "memory is short for %s", path);
    }
    *field = copy;
    return UT_OK;
}

static utStatus set_value(utModelDef* def, const Attribute* attribute, void* item, const char* path,
                          utText value, utError* err)
{
    void* field = (char*)item + attribute->offset;
    switch (attribute->kind) {
    case ATTRIBUTE_NUMBERS:
        return set_numbers(attribute, field, path, value, err);
    case ATTRIBUTE_INTEGER:
        return set_integer(field, path, value, err);
    case ATTRIBUTE_FLAG:
        return set_flag(field, path, value, err);
    case ATTRIBUTE_WORD:
        return set_word(def, field, path, value, err);
    case ATTRIBUTE_CHOICE:
        return set_choice(attribute, field, path, value, err);
    case ATTRIBUTE_INERTIA:
        break;
    }
    return set_inertia(field, path, value, err);
}

// ---- paths --------------------------------------------------------------------------------------

// No element has this name: list the names of the description.
static utStatus reject_name(const utModelDef* def, utText name, utError* err)
{
    Words words = {.used = 0};
    add_word(&words, "", "option");
    for (int t = 0; t < ELEMENT_OPTION; t++) {
        for (int i = t == ELEMENT_BODY ? 1 : 0; i < count_of(def, (ElementKind)t); i++) {
            const char* other = name_of(def, (ElementKind)t, i);
            if (other != NULL && other[0] != 0) {
                add_word(&words, " ", other);
            }
        }
    }
    const int shown = name.size < 60 ? (int)name.size : 60;
    return ut_error_set(err, UT_ERR_ARGUMENT, "nothing is named '%.*s'; there are %s", shown,
                        name.data, words.text);
}

// No element of this name has this attribute: list the attributes that they have.
static utStatus reject_attribute(utModelDef* def, utText name, utText attribute, bool option,
                                 utError* err)
{
    Words words = {.used = 0};
    for (int t = option ? ELEMENT_OPTION : ELEMENT_BODY;
         t < (option ? ELEMENT_COUNT : ELEMENT_OPTION); t++) {
        const int i = find(def, (ElementKind)t, name);
        if (i < 0) {
            continue;
        }
        add_word(&words, words.used > 0 ? "; " : "", ut_model_element_kind_name((ElementKind)t));
        add_word(&words, "", ":");
        for (const Attribute* a = ut_model_attributes((ElementKind)t); a->name != NULL; a++) {
            if (applies(a, item_of(def, (ElementKind)t, i))) {
                add_word(&words, " ", a->name);
            }
        }
    }
    const int shown = name.size < 30 ? (int)name.size : 30;
    const int shown_attribute = attribute.size < 20 ? (int)attribute.size : 20;
    return ut_error_set(err, UT_ERR_ARGUMENT, "'%.*s' has no '%.*s'; %s", shown, name.data,
                        shown_attribute, attribute.data, words.text);
}

utStatus ut_model_def_set(utModelDef* def, const char* path, const char* value, utError* err)
{
    const char* dot = strrchr(path, '.');
    if (dot == NULL || dot == path || dot[1] == 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "'%.60s' is not NAME.ATTRIBUTE; for example box.pos or option.dt",
                            path);
    }
    const utText name = {path, (size_t)(dot - path)};
    const utText attribute_name = {dot + 1, strlen(dot + 1)};
    const bool option = equal(name, "option");
    bool found = false;
    for (int t = option ? ELEMENT_OPTION : ELEMENT_BODY;
         t < (option ? ELEMENT_COUNT : ELEMENT_OPTION); t++) {
        const int i = find(def, (ElementKind)t, name);
        void* item = i >= 0 ? item_of(def, (ElementKind)t, i) : NULL;
        const Attribute* attribute =
            i >= 0 ? find_attribute((ElementKind)t, item, attribute_name) : NULL;
        found = found || i >= 0;
        if (attribute != NULL) {
            UT_TRY(set_value(def, attribute, item, path, trimmed(value), err));
            if (attribute->enables > 0) {
                *(bool*)((char*)item + attribute->enables) = true;
            }
            return UT_OK;
        }
    }
    return found ? reject_attribute(def, name, attribute_name, option, err)
                 : reject_name(def, name, err);
}

utStatus ut_model_def_assign(utModelDef* def, const char* assignment, utError* err)
{
    char path[256];
    const char* equals = assignment != NULL ? strchr(assignment, '=') : NULL;
    const size_t size = equals != NULL ? (size_t)(equals - assignment) : 0;
    if (size == 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "'%.60s' is not NAME.ATTRIBUTE=VALUE; for example box.pos=0 0 1",
                            assignment != NULL ? assignment : "");
    }
    if (size >= sizeof path) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "'%.60s...': the name is longer than %zu bytes",
                            assignment, sizeof path - 1);
    }
    memcpy(path, assignment, size);
    path[size] = 0;
    return ut_model_def_set(def, path, equals + 1, err);
}
