// SPDX-License-Identifier: Apache-2.0
// Values of attributes: look them up in an element, its class and the parents of the class, and read
// them with errors that point at the word.
#include "io/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- looking up ---------------------------------------------------------------------------------

MjcfFound ut_mjcf_find(const MjcfPlace* p, const char* name)
{
    XmlAttribute* own = ut_xml_attribute(p->node, name);
    if (own != NULL) {
        return (MjcfFound){p->node, own};
    }
    if (p->of == NULL) {
        return (MjcfFound){NULL, NULL};
    }
    MjcfDefault inherited;
    (void)ut_mjcf_default(p, name, 0, &inherited); // texts have no errors
    return inherited.found;
}

// ---- numbers ------------------------------------------------------------------------------------

static size_t offset_of(MjcfFound found, utText word)
{
    return (size_t)(word.data - found.attribute->value);
}

static int shown(utText word)
{
    return word.size < 40 ? (int)word.size : 40;
}

static bool begins_like(utText word, const char* what)
{
    size_t i = word.size > 0 && (word.data[0] == '-' || word.data[0] == '+');
    for (; *what != 0; what++, i++) {
        if (i >= word.size || (word.data[i] | 32) != *what) {
            return false;
        }
    }
    return true;
}

static utStatus read_number(Mjcf* m, MjcfFound found, utText word, double* x)
{
    const char* end = word.data + word.size;
    const char* behind = ut_number_read(word.data, end, x);
    if (behind == end) {
        return UT_OK;
    }
    const char* help = "";
    if (begins_like(word, "nan") || begins_like(word, "inf")) {
        help = "; numbers must be finite";
    } else if (memchr(word.data, ',', word.size) != NULL) {
        help = "; write a decimal point and separate numbers by blanks";
    } else if (behind == NULL && word.data[word.size - 1] >= '0' &&
               word.data[word.size - 1] <= '9' &&
               (memchr(word.data, 'e', word.size) != NULL ||
                memchr(word.data, 'E', word.size) != NULL)) {
        help = "; it may be too large";
    }
    return ut_mjcf_fail_at(m, found, offset_of(found, word), "%s of %s: '%.*s' is not a number%s",
                           found.attribute->name, found.node->name, shown(word), word.data, help);
}

static utStatus wrong_count(Mjcf* m, MjcfFound found, int min_count, int max_count, int given)
{
    const char* name = found.attribute->name;
    const char* of = found.node->name;
    const char* s = max_count == 1 ? "" : "s";
    if (min_count == max_count) {
        return ut_mjcf_fail_at(m, found, 0, "%s of %s needs %d number%s and has %d", name, of,
                               max_count, s, given);
    }
    return ut_mjcf_fail_at(m, found, 0, "%s of %s needs %d to %d numbers and has %d", name, of,
                           min_count, max_count, given);
}

utStatus ut_mjcf_numbers(Mjcf* m, MjcfFound found, int min_count, int max_count, double* x,
                         int* count)
{
    const char* rest = found.attribute->value;
    utText word;
    int given = 0;
    while (ut_word_next(&rest, &word)) {
        double value;
        UT_TRY(read_number(m, found, word, &value));
        if (given < max_count) {
            x[given] = value;
        }
        given++;
    }
    if (given < min_count || given > max_count) {
        return wrong_count(m, found, min_count, max_count, given);
    }
    if (count != NULL) {
        *count = given;
    }
    return UT_OK;
}

utStatus ut_mjcf_number_list(Mjcf* m, MjcfFound found, double** x, int* count)
{
    const char* rest = found.attribute->value;
    utText word;
    int room = 0;
    while (ut_word_next(&rest, &word)) {
        room++;
    }
    *x = UT_PUSH(&m->memory, double, room);
    if (*x == NULL) {
        return ut_mjcf_no_memory(m);
    }
    return ut_mjcf_numbers(m, found, 0, room, *x, count);
}

utStatus ut_mjcf_get(const MjcfPlace* p, const char* name, int count, double* x)
{
    const MjcfFound found = ut_mjcf_find(p, name);
    return found.attribute != NULL ? ut_mjcf_numbers(p->m, found, count, count, x, NULL) : UT_OK;
}

utStatus ut_mjcf_get_some(const MjcfPlace* p, const char* name, int max_count, double* x,
                          int* given)
{
    double read[MJCF_MAX_NUMBERS];
    int known = 0;
    XmlAttribute* own = ut_xml_attribute(p->node, name);
    if (own != NULL) {
        UT_TRY(ut_mjcf_numbers(p->m, (MjcfFound){p->node, own}, 1, max_count, read, &known));
    }
    if (p->of != NULL) {
        MjcfDefault inherited;
        UT_TRY(ut_mjcf_default(p, name, max_count, &inherited));
        for (; known < inherited.count; known++) {
            read[known] = inherited.x[known];
        }
    }
    for (int i = 0; i < known; i++) {
        x[i] = read[i];
    }
    if (given != NULL) {
        *given = known;
    }
    return UT_OK;
}

static utStatus get_above(const MjcfPlace* p, const char* name, bool positive, double* x)
{
    const MjcfFound found = ut_mjcf_find(p, name);
    if (found.attribute == NULL) {
        return UT_OK;
    }
    double value;
    UT_TRY(ut_mjcf_numbers(p->m, found, 1, 1, &value, NULL));
    if (!(positive ? value > 0.0 : value >= 0.0)) {
        return ut_mjcf_fail_at(p->m, found, 0, "%s of %s is %.20s; it must %s", name,
                               found.node->name, found.attribute->value,
                               positive ? "be positive" : "not be negative");
    }
    *x = value;
    return UT_OK;
}

utStatus ut_mjcf_get_positive(const MjcfPlace* p, const char* name, double* x)
{
    return get_above(p, name, true, x);
}

utStatus ut_mjcf_get_not_negative(const MjcfPlace* p, const char* name, double* x)
{
    return get_above(p, name, false, x);
}

// In MuJoCo 3.14 a contact or limit acts below the distance margin, and contacts below margin + gap are
// listed without a force. Before, contacts acted below margin - gap. Here both act at distance 0.
utStatus ut_mjcf_get_margin(const MjcfPlace* p, double* margin, double* gap)
{
    char what[WORD_SIZE];
    UT_TRY(ut_mjcf_get_not_negative(p, "margin", margin));
    MjcfFound found = ut_mjcf_find(p, "margin");
    if (*margin > 0.0 && found.attribute != NULL) {
        snprintf(what, sizeof what, "%.20s.margin", found.node->name);
        UT_TRY(ut_mjcf_note(p->m, found.node, found.attribute, true, what,
                            "only widens detection: hard contacts and limits act at distance 0, "
                            "not at this distance"));
    }
    if (gap == NULL) {
        return UT_OK;
    }
    UT_TRY(ut_mjcf_get_not_negative(p, "gap", gap));
    found = ut_mjcf_find(p, "gap");
    if (*gap > 0.0 && found.attribute != NULL) {
        snprintf(what, sizeof what, "%.20s.gap", found.node->name);
        return ut_mjcf_note(
            p->m, found.node, found.attribute, false, what,
            "only widens detection: it does not change the motion of hard contacts");
    }
    return UT_OK;
}

utStatus ut_mjcf_get_fraction(const MjcfPlace* p, const char* name, double* x)
{
    const MjcfFound found = ut_mjcf_find(p, name);
    double value = *x;
    UT_TRY(ut_mjcf_get(p, name, 1, &value));
    if (found.attribute != NULL && !(value >= 0.0 && value <= 1.0)) {
        return ut_mjcf_fail_at(p->m, found, 0, "%s of %s is %.20s; it must lie between 0 and 1",
                               name, found.node->name, found.attribute->value);
    }
    *x = value;
    return UT_OK;
}

utStatus ut_mjcf_get_vec3(const MjcfPlace* p, const char* name, utVec3* x)
{
    double read[3] = {x->x, x->y, x->z};
    UT_TRY(ut_mjcf_get(p, name, 3, read));
    *x = ut_vec3(read[0], read[1], read[2]);
    return UT_OK;
}

utStatus ut_mjcf_get_int(const MjcfPlace* p, const char* name, int* x)
{
    const MjcfFound found = ut_mjcf_find(p, name);
    if (found.attribute == NULL) {
        return UT_OK;
    }
    double value;
    UT_TRY(ut_mjcf_numbers(p->m, found, 1, 1, &value, NULL));
    if (!(value >= -(double)INT_MAX && value <= (double)INT_MAX && floor(value) == value)) {
        return ut_mjcf_fail_at(p->m, found, 0, "%s of %s is %.20s; it must be a whole number", name,
                               found.node->name, found.attribute->value);
    }
    *x = (int)value;
    return UT_OK;
}

double ut_mjcf_angle(const Mjcf* m, double x)
{
    static const double radians_per_degree = 3.14159265358979323846 / 180.0;
    return m->compiler.radian ? x : x * radians_per_degree;
}

// ---- words --------------------------------------------------------------------------------------

utStatus ut_mjcf_get_word(const MjcfPlace* p, const char* name, const char* words, int* index)
{
    const MjcfFound found = ut_mjcf_find(p, name);
    if (found.attribute == NULL) {
        return UT_OK;
    }
    const char* value = found.attribute->value;
    Nearest nearest = ut_nearest_to(value);
    const char* rest = words;
    utText word;
    for (int i = 0; ut_word_next(&rest, &word); i++) {
        if (ut_word_is(word, value)) {
            *index = i;
            return UT_OK;
        }
        ut_nearest_try(&nearest, word);
    }
    if (nearest.word[0] != 0) {
        return ut_mjcf_fail_at(p->m, found, 0, "%s of %s cannot be '%.40s'; did you mean '%s'?",
                               name, found.node->name, value, nearest.word);
    }
    return ut_mjcf_fail_at(p->m, found, 0, "%s of %s cannot be '%.40s'; it is one of %s", name,
                           found.node->name, value, words);
}

utStatus ut_mjcf_get_bool(const MjcfPlace* p, const char* name, bool* x)
{
    int index = *x;
    UT_TRY(ut_mjcf_get_word(p, name, "false true", &index));
    *x = index == 1;
    return UT_OK;
}

utStatus ut_mjcf_get_name(const MjcfPlace* p, Names* names, int index, const char** name)
{
    XmlAttribute* a = ut_xml_attribute(p->node, "name");
    if (a == NULL || a->value[0] == 0) {
        return UT_OK;
    }
    if (ut_names_find(names, a->value) >= 0) {
        return ut_mjcf_fail_at(p->m, (MjcfFound){p->node, a}, 0,
                               "a second %s with the name '%.80s'; names must differ",
                               p->node->name, a->value);
    }
    if (!ut_names_add(names, a->value, index)) {
        return ut_mjcf_no_memory(p->m);
    }
    *name = a->value;
    return UT_OK;
}

utStatus ut_mjcf_unknown_name(Mjcf* m, MjcfFound found, const char* kind, const Names* names)
{
    Nearest nearest = ut_nearest_to(found.attribute->value);
    for (int i = 0; i < names->capacity; i++) {
        if (names->entry[i].name != NULL) {
            const char* name = names->entry[i].name;
            ut_nearest_try(&nearest, (utText){name, strlen(name)});
        }
    }
    if (nearest.word[0] != 0) {
        return ut_mjcf_fail_at(m, found, 0, "there is no %s '%.60s'; did you mean '%s'?", kind,
                               found.attribute->value, nearest.word);
    }
    return ut_mjcf_fail_at(m, found, 0, "there is no %s '%.60s'", kind, found.attribute->value);
}

utStatus ut_mjcf_get_reference(const MjcfPlace* p, const char* attribute, const char* kind,
                               const Names* names, int* index)
{
    XmlAttribute* a = ut_xml_attribute(p->node, attribute);
    if (a == NULL) {
        return ut_mjcf_fail(p->m, p->node, "%s needs the attribute %s", p->node->name, attribute);
    }
    *index = ut_names_find(names, a->value);
    return *index >= 0 ? UT_OK : ut_mjcf_unknown_name(p->m, (MjcfFound){p->node, a}, kind, names);
}

// ---- limits -------------------------------------------------------------------------------------

// A limit is active when `limited` is true, or when it is `auto`, the default, and there is a range.
// The latter is an error when the compiler's autolimits is false. The range 0 0 counts as none.
utStatus ut_mjcf_limits(const MjcfPlace* p, const char* limited, const char* range, bool* on,
                        double x[2])
{
    int says = 2;
    UT_TRY(ut_mjcf_get_word(p, limited, "false true auto", &says));
    UT_TRY(ut_mjcf_get(p, range, 2, x));
    const MjcfFound found = ut_mjcf_find(p, range);
    const bool given = found.attribute != NULL && (x[0] != 0.0 || x[1] != 0.0);
    if (says == 2 && given && !p->m->compiler.autolimits) {
        return ut_mjcf_fail_at(p->m, found, 0,
                               "%s without %s while autolimits is false; add %s=\"true\"", range,
                               limited, limited);
    }
    *on = says == 1 || (says == 2 && given);
    if (*on && !(x[0] < x[1])) {
        if (found.attribute == NULL) {
            return ut_mjcf_fail(p->m, p->node, "%s is true but there is no %s", limited, range);
        }
        return ut_mjcf_fail_at(p->m, found, 0, "%s of %s is empty; give the lower end first", range,
                               found.node->name);
    }
    return UT_OK;
}
