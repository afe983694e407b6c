// SPDX-License-Identifier: Apache-2.0
// Finding elements by name: a hash table per kind, at most half full.
#include "internal.h"

#include <stdio.h>
#include <string.h>

// ---- names of a kind ----------------------------------------------------------------------------

static const char* name_of(const utModel* model, NamedKind kind, int i)
{
    switch (kind) {
    case NAMED_BODY:
        return model->body[i].name;
    case NAMED_JOINT:
        return model->joint[i].name;
    case NAMED_GEOM:
        return model->geom[i].name;
    case NAMED_SITE:
        return model->site[i].name;
    case NAMED_TENDON:
        return model->tendon[i].name;
    case NAMED_ACTUATOR:
        return model->actuator[i].name;
    case NAMED_EQUALITY:
        return model->equality[i].name;
    case NAMED_SENSOR:
        return model->sensor[i].name;
    case NAMED_KEYFRAME:
    case NAMED_COUNT:
        break;
    }
    return model->keyframe[i].name;
}

static int count_of(const utModel* model, NamedKind kind)
{
    const int counts[NAMED_COUNT] = {model->nbody,     model->njoint,    model->ngeom,
                                     model->nsite,     model->ntendon,   model->nactuator,
                                     model->nequality, model->nkeyframe, model->nsensor};
    return counts[kind];
}

// ---- table --------------------------------------------------------------------------------------

// The number of slots for `count` names: a power of two, so that a mask replaces the remainder.
static size_t slots_for(int count)
{
    size_t slots = 1;
    while (slots < 2 * (size_t)count) {
        slots *= 2;
    }
    return slots;
}

// The slot of a name, or the empty slot in which it belongs.
static uint32_t slot_of(const utModel* model, NamedKind kind, const NameTable* table,
                        const char* name)
{
    const uint64_t hash = ut_hash_bytes(UT_HASH_START, name, strlen(name));
    uint32_t slot = (uint32_t)(hash ^ (hash >> 32)) & table->mask;
    while (table->slot[slot] >= 0 && strcmp(name_of(model, kind, table->slot[slot]), name) != 0) {
        slot = (slot + 1) & table->mask;
    }
    return slot;
}

// The place in a file where element i of the model was described.
static utOrigin origin_of(const Work* work, NamedKind kind, int i)
{
    switch (kind) {
    case NAMED_BODY:
        return ut_model_body_def(work->def, i)->origin;
    case NAMED_JOINT:
        return ut_model_joint_def(work->def, work->scratch.described_joint[i])->origin;
    case NAMED_GEOM:
        return ut_model_geom_def(work->def, work->scratch.described_geom[i])->origin;
    case NAMED_SITE:
        return ut_model_site_def(work->def, i)->origin;
    case NAMED_TENDON:
        return ut_model_tendon_def(work->def, i)->origin;
    case NAMED_ACTUATOR:
        return ut_model_actuator_def(work->def, i)->origin;
    case NAMED_EQUALITY:
        return ut_model_equality_def(work->def, i)->origin;
    case NAMED_SENSOR:
        return ut_model_sensor_def(work->def, i)->origin;
    case NAMED_KEYFRAME:
    case NAMED_COUNT:
        break;
    }
    return ut_model_keyframe_def(work->def, i)->origin;
}

static utStatus reject_second(const Work* work, NamedKind kind, int first, int second)
{
    static const char* const what[NAMED_COUNT] = {
        "body", "joint", "geom", "site", "tendon", "actuator", "equality", "keyframe", "sensor"};
    const utOrigin before = origin_of(work, kind, first);
    const Label label = ut_model_label(what[kind], name_of(work->model, kind, second), second);
    if (kind == NAMED_BODY && first == 0) {
        return UT_MODEL_FAIL(work->err, origin_of(work, kind, second),
                             "%s has the name of body 0, the world; give it another name",
                             label.text);
    }
    if (before.line > 0) {
        return UT_MODEL_FAIL(work->err, origin_of(work, kind, second),
                             "%s exists already, from line %d; give it another name", label.text,
                             before.line);
    }
    return UT_MODEL_FAIL(work->err, origin_of(work, kind, second),
                         "%s exists already; give it another name", label.text);
}

static utStatus fill_table(Work* work, NamedKind kind, NameTable* table)
{
    const size_t slots = slots_for(count_of(work->model, kind));
    *table = (NameTable){UT_PUSH(&work->keep, int, slots), (uint32_t)(slots - 1)};
    if (table->slot == NULL) {
        return UT_ERR_MEMORY;
    }
    for (size_t i = 0; i < slots; i++) {
        table->slot[i] = -1;
    }
    for (int i = 0; i < count_of(work->model, kind); i++) {
        const char* name = name_of(work->model, kind, i);
        if (name[0] == 0) {
            continue;
        }
        const uint32_t slot = slot_of(work->model, kind, table, name);
        if (table->slot[slot] >= 0) {
            return reject_second(work, kind, table->slot[slot], i);
        }
        table->slot[slot] = i;
    }
    return UT_OK;
}

utStatus ut_model_fill_names(Work* work)
{
    for (int kind = 0; kind < NAMED_COUNT; kind++) {
        UT_TRY(fill_table(work, (NamedKind)kind, &work->compiled->names[kind]));
    }
    return UT_OK;
}

// ---- finding ------------------------------------------------------------------------------------

static int find(const utModel* model, NamedKind kind, const char* name)
{
    const Compiled* compiled = model->allocation;
    if (name == NULL || name[0] == 0) {
        return -1;
    }
    const NameTable* table = &compiled->names[kind];
    return table->slot[slot_of(model, kind, table, name)];
}

int ut_model_find_body(const utModel* model, const char* name)
{
    return find(model, NAMED_BODY, name);
}

int ut_model_find_joint(const utModel* model, const char* name)
{
    return find(model, NAMED_JOINT, name);
}

int ut_model_find_geom(const utModel* model, const char* name)
{
    return find(model, NAMED_GEOM, name);
}

int ut_model_find_site(const utModel* model, const char* name)
{
    return find(model, NAMED_SITE, name);
}

int ut_model_find_tendon(const utModel* model, const char* name)
{
    return find(model, NAMED_TENDON, name);
}

int ut_model_find_actuator(const utModel* model, const char* name)
{
    return find(model, NAMED_ACTUATOR, name);
}

int ut_model_find_equality(const utModel* model, const char* name)
{
    return find(model, NAMED_EQUALITY, name);
}

int ut_model_find_keyframe(const utModel* model, const char* name)
{
    return find(model, NAMED_KEYFRAME, name);
}

int ut_model_find_sensor(const utModel* model, const char* name)
{
    return find(model, NAMED_SENSOR, name);
}

int ut_model_start_key(const utModel* model)
{
    return ut_model_find_keyframe(model, UT_KEYFRAME_START);
}

// ---- labels of unnamed geoms and sites ----------------------------------------------------------

utSideLabel ut_model_side_label(const utModel* model, int side)
{
    utSideLabel label = {.name = ut_model_side_name(model, side)};
    if (label.name[0] != '\0') {
        return label;
    }
    const bool geom = side < model->ngeom;
    const char* kind = geom ? "geom" : "site";
    const int number = geom ? side : side - model->ngeom;
    const int body = ut_model_side_body(model, side);
    label.name = body == 0 ? "world" : model->body[body].name;
    if (label.name[0] != '\0') {
        (void)snprintf(label.ending, sizeof label.ending, ".%s%d", kind, number);
    } else {
        (void)snprintf(label.ending, sizeof label.ending, "body%d.%s%d", body, kind, number);
    }
    return label;
}
