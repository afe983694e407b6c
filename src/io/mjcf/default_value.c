// SPDX-License-Identifier: Apache-2.0
// Values of attributes in classes. Thousands of elements ask one class for the same attribute, and a
// class may have thousands of parts. So answers are kept in a table with a few places for each hash. When
// these are full, the answers of the classes with most elements stay.
#include "io/internal.h"

#include <assert.h>
#include <string.h>

enum { PLACES_PER_ELEMENT = 4, MAX_PLACES = 1 << 14, NEAR = 4 }; // in the table, and for one hash

bool ut_mjcf_defaults_begin(Mjcf* m)
{
    int places = 1;
    while (places < MAX_PLACES && places / PLACES_PER_ELEMENT < m->elements) {
        places *= 2;
    }
    const size_t room = (size_t)places + NEAR;
    m->classes.places = places;
    m->classes.known = UT_PUSH(&m->memory, MjcfDefault, room);
    if (m->classes.known != NULL) {
        memset(m->classes.known, 0, room * sizeof *m->classes.known);
    }
    return m->classes.known != NULL;
}

static bool is_same(const MjcfDefault* a, const MjcfDefault* b)
{
    return a->of == b->of && a->elements == b->elements && a->max_count == b->max_count &&
           strcmp(a->name, b->name) == 0;
}

// The place of an answer; if it is in none, a free place or that of the class with the fewest elements.
static MjcfDefault* place_of(const Mjcf* m, const MjcfDefault* d)
{
    const int numbers[2] = {d->of->index, d->max_count};
    uint64_t hash = ut_hash_bytes(UT_HASH_START, d->name, strlen(d->name));
    hash = ut_hash_bytes(hash, d->elements, strlen(d->elements));
    hash = ut_hash_bytes(hash, numbers, sizeof numbers);
    MjcfDefault* first = &m->classes.known[hash % (uint64_t)m->classes.places];
    MjcfDefault* fewest = first;
    for (MjcfDefault* k = first; k < first + NEAR; k++) {
        if (k->of == NULL || is_same(k, d)) {
            return k;
        }
        fewest = k->of->elements < fewest->of->elements ? k : fewest;
    }
    return fewest;
}

// Take the value of one element, which is nearer than those before.
static utStatus take(Mjcf* m, const XmlNode* node, MjcfDefault* d)
{
    XmlAttribute* attribute = ut_xml_attribute(node, d->name);
    if (attribute == NULL) {
        return UT_OK;
    }
    d->found = (MjcfFound){node, attribute};
    if (d->max_count > 0) {
        int count;
        UT_TRY(ut_mjcf_numbers(m, d->found, 1, d->max_count, d->x, &count));
        d->count = count > d->count ? count : d->count;
    }
    return UT_OK;
}

// Take the values of the elements of a class. The last of several is the nearest: actuators of all
// kinds share one default element.
static utStatus take_class(Mjcf* m, const MjcfClass* of, MjcfDefault* d)
{
    for (const MjcfClassPart* part = of->first; part != NULL; part = part->next) {
        for (const XmlNode* n = part->node->first; n != NULL; n = n->next) {
            if (ut_word_in(d->elements, n->name)) {
                UT_TRY(take(m, n, d));
            }
        }
    }
    return UT_OK;
}

// @param d without a value
static utStatus look_up(Mjcf* m, const MjcfClass* of, MjcfDefault* d)
{
    if (of == NULL) {
        return UT_OK;
    }
    d->of = of;
    MjcfDefault* known = place_of(m, d);
    if (known->of != NULL && is_same(known, d)) {
        *d = *known;
        return UT_OK;
    }
    UT_TRY(look_up(m, of->parent, d));
    UT_TRY(take_class(m, of, d));
    d->of = of;
    if (known->of == NULL || known->of->elements <= of->elements) {
        *known = *d;
    }
    return UT_OK;
}

utStatus ut_mjcf_default(const MjcfPlace* p, const char* name, int max_count, MjcfDefault* found)
{
    *found = (MjcfDefault){.elements = p->elements, .max_count = max_count};
    assert(strlen(name) < sizeof found->name); // the readers ask for constants
    strncpy(found->name, name, sizeof found->name - 1);
    return look_up(p->m, p->of, found);
}
