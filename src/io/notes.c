// SPDX-License-Identifier: Apache-2.0
// Notes about unsupported parts: collected while a file is read, then sorted and handed over.
#include "base/sort.h"
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- collecting ---------------------------------------------------------------------------------

static bool stands_before(const int a[2], const int b[2])
{
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

static void set_place(MjcfNote* n, const XmlNode* node, const XmlAttribute* attribute)
{
    n->order[0] = node->order;
    n->order[1] = attribute != NULL ? (int)(attribute - node->attribute) + 1 : 0;
    n->note.file = node->file->name;
    ut_xml_place(node, attribute != NULL ? attribute->at : node->at, &n->note.line,
                 &n->note.column);
}

static bool is_the_same(const utNote* a, const utNote* b)
{
    return a->physics == b->physics && a->missing == b->missing && strcmp(a->what, b->what) == 0 &&
           strcmp(a->why, b->why) == 0;
}

// Count another occurrence of a note. An attribute of a class that several elements use counts once.
static void count_occurrence(MjcfNote* n, const XmlNode* node, XmlAttribute* attribute)
{
    if (attribute != NULL) {
        if (attribute->note == n) {
            return;
        }
        attribute->note = n;
    }
    const int order[2] = {node->order,
                          attribute != NULL ? (int)(attribute - node->attribute) + 1 : 0};
    if (stands_before(order, n->order)) {
        set_place(n, node, attribute);
    }
    n->note.count++;
}

static size_t bucket_of(const utNote* note)
{
    const uint64_t hash = ut_hash_bytes(UT_HASH_START, note->what, strlen(note->what));
    return (size_t)(ut_hash_bytes(hash, note->why, strlen(note->why)) % MJCF_NOTE_BUCKETS);
}

static utStatus add_note(Mjcf* m, const XmlNode* node, XmlAttribute* attribute, const utNote* note)
{
    MjcfNote** bucket = &m->note_bucket[bucket_of(note)];
    for (MjcfNote* n = *bucket; n != NULL; n = n->in_bucket) {
        if (is_the_same(&n->note, note)) {
            count_occurrence(n, node, attribute);
            return UT_OK;
        }
    }
    MjcfNote* n = UT_PUSH(&m->memory, MjcfNote, 1);
    const char* what = ut_io_keep_text(&m->memory, note->what, strlen(note->what));
    const char* why = ut_io_keep_text(&m->memory, note->why, strlen(note->why));
    if (ut_arena_failed(&m->memory)) {
        return ut_mjcf_no_memory(m);
    }
    *n = (MjcfNote){.note = *note, .in_bucket = *bucket};
    *bucket = n;
    n->note.what = what;
    n->note.why = why;
    n->note.count = 1;
    set_place(n, node, attribute);
    if (attribute != NULL) {
        attribute->note = n;
    }
    if (m->last_note != NULL) {
        m->last_note->next = n;
    } else {
        m->notes = n;
    }
    m->last_note = n;
    return UT_OK;
}

utStatus ut_mjcf_note(Mjcf* m, const XmlNode* node, XmlAttribute* attribute, bool physics,
                      const char* what, const char* why)
{
    return add_note(m, node, attribute, &(utNote){.what = what, .why = why, .physics = physics});
}

utStatus ut_mjcf_note_missing(Mjcf* m, const XmlNode* node, XmlAttribute* attribute,
                              const char* what, const char* why)
{
    return add_note(m, node, attribute,
                    &(utNote){.what = what, .why = why, .physics = true, .missing = true});
}

bool ut_notes_add_missing(const utNotes* notes, utModelDef* into)
{
    bool good = true;
    for (int i = 0; i < notes->count && good; i++) {
        const utNote* n = &notes->note[i];
        const utMissing part = {n->what, n->count, n->file, n->line, n->column};
        good = !n->missing || ut_model_def_missing(into, &part);
    }
    return good;
}

// ---- handing over -------------------------------------------------------------------------------

// An entry of the sorted list.
typedef struct Listed {
    const MjcfNote* note;
} Listed;

// A total order: by place, then by text, because one attribute may be noted for two reasons.
static bool note_before(const void* a, const void* b, const void* context)
{
    const MjcfNote* x = ((const Listed*)a)->note;
    const MjcfNote* y = ((const Listed*)b)->note;
    (void)context;
    if (stands_before(x->order, y->order) || stands_before(y->order, x->order)) {
        return stands_before(x->order, y->order);
    }
    const int what = strcmp(x->note.what, y->note.what);
    return what != 0 ? what < 0 : strcmp(x->note.why, y->note.why) < 0;
}

// Copy the notes and their texts into memory of their own.
static utStatus hand_over(Mjcf* m, const Listed* sorted, int count, utNotes* notes)
{
    utNotes made = {.count = count};
    if (ut_arena_create(0, m->def->allocator, &made.memory) != UT_OK) {
        return ut_mjcf_no_memory(m);
    }
    utNote* note = UT_PUSH(&made.memory, utNote, count);
    for (int i = 0; note != NULL && i < count; i++) {
        const utNote* from = &sorted[i].note->note;
        note[i] = *from;
        note[i].what = ut_io_keep_text(&made.memory, from->what, strlen(from->what));
        note[i].why = ut_io_keep_text(&made.memory, from->why, strlen(from->why));
        note[i].file = ut_io_keep_text(&made.memory, from->file, strlen(from->file));
    }
    if (ut_arena_failed(&made.memory)) {
        ut_arena_destroy(&made.memory);
        return ut_mjcf_no_memory(m);
    }
    made.note = note;
    *notes = made;
    return UT_OK;
}

utStatus ut_mjcf_notes_finish(Mjcf* m, utNotes* notes)
{
    int count = 0;
    for (const MjcfNote* n = m->notes; n != NULL; n = n->next) {
        count++;
    }
    Listed* sorted = UT_PUSH(&m->memory, Listed, count);
    Listed* spare = UT_PUSH(&m->memory, Listed, count);
    if (ut_arena_failed(&m->memory)) {
        return ut_mjcf_no_memory(m);
    }
    count = 0;
    for (MjcfNote* n = m->notes; n != NULL; n = n->next) {
        sorted[count++].note = n;
    }
    ut_sort(count, sizeof *sorted, sorted, spare, note_before, NULL);
    for (int i = 0; m->def->strict && i < count; i++) {
        const utNote* n = &sorted[i].note->note;
        if (n->physics) {
            return ut_error_at(m->err, UT_ERR_FORMAT, n->file, n->line, n->column,
                               "%s: %s; without --strict (utMjcfDef.strict) it is ignored", n->what,
                               n->why);
        }
    }
    return notes != NULL ? hand_over(m, sorted, count, notes) : UT_OK;
}

// ---- public functions ---------------------------------------------------------------------------

size_t ut_notes_print(const utNotes* notes, char* text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < notes->count; i++) {
        const utNote* n = &notes->note[i];
        char times[32] = "";
        if (n->count > 1) {
            snprintf(times, sizeof times, " (%d times)", n->count);
        }
        const size_t left = used < size ? size - used : 0;
        const int wrote =
            snprintf(left > 0 ? text + used : NULL, left, "%s:%d:%d: %s: %s%s: %s\n", n->file,
                     n->line, n->column, n->physics ? "warning" : "note", n->what, times, n->why);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return used;
}

void ut_notes_destroy(utNotes* notes)
{
    ut_arena_destroy(&notes->memory);
    *notes = (utNotes){0};
}
