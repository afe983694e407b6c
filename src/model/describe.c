// SPDX-License-Identifier: Apache-2.0
// The growing description: it keeps copies of all it is told and judges nothing.
#include "internal.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

static const utAllocator* allocator_of(const utModelDef* def)
{
    return def->own_allocator ? &def->allocator : NULL;
}

// ---- memory -------------------------------------------------------------------------------------

// Room for `size` bytes in the newest block, or in a new one. `align` on a cache line?
static void* take(utModelDef* def, size_t size, bool align)
{
    enum { BLOCK_SIZE = 16384 };
    const size_t need = ut_arena_need(size, 1);
    if (def->block == NULL || ut_arena_left(&def->block->left) < need) {
        const size_t header = ut_arena_need(1, sizeof(Block));
        const size_t room = need > BLOCK_SIZE ? need : BLOCK_SIZE;
        utArena memory;
        if (need == SIZE_MAX || room > SIZE_MAX - header ||
            ut_arena_create(header + room, allocator_of(def), &memory) != UT_OK) {
            def->short_of_memory = true;
            return NULL;
        }
        utArena left = memory;
        Block* block = UT_PUSH(&left, Block, 1);
        *block = (Block){def->block, memory, left};
        def->block = block;
    }
    utArena* left = &def->block->left;
    if (align) {
        return ut_arena_push(left, size, 1);
    }
    unsigned char* bytes = left->next;
    left->next += size;
    return bytes;
}

const char* ut_model_def_copy(utModelDef* def, const char* text)
{
    if (text == NULL || text[0] == 0) {
        return "";
    }
    const size_t size = strlen(text) + 1;
    char* copy = take(def, size, false);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

// `values` are not NULL when count > 0
static const double* copy_numbers(utModelDef* def, const double* values, int count)
{
    const size_t size = count > 0 ? (size_t)count * sizeof *values : 0;
    double* copy = take(def, size, true);
    if (copy != NULL && size > 0) {
        memcpy(copy, values, size);
    }
    return copy;
}

static utOrigin copy_origin(utModelDef* def, utOrigin origin)
{
    if (origin.file != NULL) {
        if (def->last_file == NULL || strcmp(def->last_file, origin.file) != 0) {
            def->last_file = ut_model_def_copy(def, origin.file);
        }
        origin.file = def->last_file;
    }
    return origin;
}

// Room for one thing more. @return NULL when there is none, remembered
static void* list_next(utModelDef* def, List* list, size_t size)
{
    if (list->count == list->capacity) {
        // far below INT_MAX, so that counts of joints times seven positions are ints
        const int most = INT_MAX / 16;
        const int capacity = list->capacity > 0 ? 2 * list->capacity : 16;
        utArena memory;
        if (capacity > most || ut_arena_create(ut_arena_need((size_t)capacity, size),
                                               allocator_of(def), &memory) != UT_OK) {
            def->short_of_memory = true;
            return NULL;
        }
        utArena left = memory;
        void* items = ut_arena_push(&left, (size_t)capacity, size);
        if (list->count > 0) {
            memcpy(items, list->items, (size_t)list->count * size);
        }
        ut_arena_destroy(&list->memory);
        *list = (List){memory, items, list->count, capacity};
    }
    return (unsigned char*)list->items + (size_t)list->count * size;
}

// ---- life ---------------------------------------------------------------------------------------

utStatus ut_model_def_create(const utAllocator* allocator, utModelDef** def)
{
    utArena memory;
    UT_TRY(ut_arena_create(ut_arena_need(1, sizeof(utModelDef)), allocator, &memory));
    utArena left = memory;
    utModelDef* made = UT_PUSH(&left, utModelDef, 1);
    memset(made, 0, sizeof *made);
    made->memory = memory;
    made->own_allocator = allocator != NULL;
    if (allocator != NULL) {
        made->allocator = *allocator;
    }
    made->name = "";
    made->options = ut_options();

    utBodyDef world = ut_body_def();
    world.name = "world";
    if (ut_model_def_body(made, &world) != 0) {
        ut_model_def_destroy(made);
        return UT_ERR_MEMORY;
    }
    *def = made;
    return UT_OK;
}

void ut_model_def_destroy(utModelDef* def)
{
    if (def == NULL) {
        return;
    }
    enum { LISTS = 11 };
    List* const lists[LISTS] = {&def->body,     &def->joint,   &def->geom,    &def->site,
                                &def->point,    &def->motion,  &def->spring,  &def->actuator,
                                &def->keyframe, &def->exclude, &def->equality};
    for (int i = 0; i < LISTS; i++) {
        ut_arena_destroy(&lists[i]->memory);
    }
    for (Block* block = def->block; block != NULL;) {
        Block* older = block->older;
        utArena memory = block->memory;
        ut_arena_destroy(&memory);
        block = older;
    }
    utArena memory = def->memory;
    ut_arena_destroy(&memory);
}

// ---- adding -------------------------------------------------------------------------------------

// A def without its cookie may hold anything, pointers above all: what is kept of it is that it was
// given, for the compiler to complain of. The list grows only when everything has been copied.

// Where a def has what all of them have.
typedef struct Layout {
    size_t size;
    size_t name; ///< SIZE_MAX: it has none
    size_t origin;
    size_t cookie;
} Layout;

#define LAYOUT(type)                                                                       \
    {                                                                                      \
        sizeof(type), offsetof(type, name), offsetof(type, origin), offsetof(type, cookie) \
    }
#define NAMELESS(type)                                                         \
    {                                                                          \
        sizeof(type), SIZE_MAX, offsetof(type, origin), offsetof(type, cookie) \
    }

static void copy_text_at(utModelDef* def, void* thing, size_t offset)
{
    const char* text;
    memcpy(&text, (char*)thing + offset, sizeof text);
    text = ut_model_def_copy(def, text);
    memcpy((char*)thing + offset, &text, sizeof text);
}

// @return where the copy lies, NULL when memory is short; the list has it when `commit` is called
static void* copy_thing(utModelDef* def, List* list, Layout layout, const void* thing)
{
    void* item = def != NULL ? list_next(def, list, layout.size) : NULL;
    if (item == NULL) {
        return NULL;
    }
    uint32_t cookie;
    memcpy(&cookie, (const char*)thing + layout.cookie, sizeof cookie);
    if (cookie != UT_DEF_COOKIE) {
        memset(item, 0, layout.size);
        return item;
    }
    memcpy(item, thing, layout.size);
    if (layout.name != SIZE_MAX) {
        copy_text_at(def, item, layout.name);
    }
    utOrigin origin;
    memcpy(&origin, (char*)item + layout.origin, sizeof origin);
    origin = copy_origin(def, origin);
    memcpy((char*)item + layout.origin, &origin, sizeof origin);
    return def->short_of_memory ? NULL : item;
}

static int add_thing(utModelDef* def, List* list, Layout layout, const void* thing)
{
    return copy_thing(def, list, layout, thing) != NULL ? list->count++ : -1;
}

int ut_model_def_body(utModelDef* def, const utBodyDef* body)
{
    return def != NULL ? add_thing(def, &def->body, (Layout)LAYOUT(utBodyDef), body) : -1;
}

int ut_model_def_joint(utModelDef* def, const utJointDef* joint)
{
    return def != NULL ? add_thing(def, &def->joint, (Layout)LAYOUT(utJointDef), joint) : -1;
}

// Expressions that are not given stay NULL.
static bool copy_expressions(utModelDef* def, const char** expression, int count)
{
    for (int k = 0; k < count; k++) {
        if (expression[k] != NULL) {
            expression[k] = ut_model_def_copy(def, expression[k]);
        }
    }
    return !def->short_of_memory;
}

int ut_model_def_geom(utModelDef* def, const utGeomDef* geom)
{
    utGeomDef* copy =
        def != NULL ? copy_thing(def, &def->geom, (Layout)LAYOUT(utGeomDef), geom) : NULL;
    return copy != NULL && copy_expressions(def, copy->surface_expression, 3) ? def->geom.count++
                                                                              : -1;
}

int ut_model_def_site(utModelDef* def, const utSiteDef* site)
{
    return def != NULL ? add_thing(def, &def->site, (Layout)LAYOUT(utSiteDef), site) : -1;
}

int ut_model_def_point(utModelDef* def, const utPointDef* point)
{
    return def != NULL ? add_thing(def, &def->point, (Layout)NAMELESS(utPointDef), point) : -1;
}

int ut_model_def_motion(utModelDef* def, const utMotionDef* motion)
{
    utMotionDef* copy =
        def != NULL ? copy_thing(def, &def->motion, (Layout)NAMELESS(utMotionDef), motion) : NULL;
    return copy != NULL && copy_expressions(def, copy->expression, 6) ? def->motion.count++ : -1;
}

int ut_model_def_spring(utModelDef* def, const utSpringDef* spring)
{
    return def != NULL ? add_thing(def, &def->spring, (Layout)LAYOUT(utSpringDef), spring) : -1;
}

int ut_model_def_actuator(utModelDef* def, const utActuatorDef* actuator)
{
    return def != NULL ? add_thing(def, &def->actuator, (Layout)LAYOUT(utActuatorDef), actuator)
                       : -1;
}

bool ut_model_def_mocap(const utModelDef* def, int body)
{
    bool found = ut_model_body_def(def, body)->mocap;
    for (int i = 0; i < def->motion.count && !found; i++) {
        found = ut_model_motion_def(def, i)->body == body;
    }
    return found;
}

int ut_model_def_equality(utModelDef* def, const utEqualityDef* equality)
{
    return def != NULL ? add_thing(def, &def->equality, (Layout)LAYOUT(utEqualityDef), equality)
                       : -1;
}

// Keyframes keep which arrays were given: NULL stays NULL.
int ut_model_def_keyframe(utModelDef* def, const utKeyframeDef* keyframe)
{
    utKeyframeDef* item = def != NULL ? list_next(def, &def->keyframe, sizeof *item) : NULL;
    if (item == NULL) {
        return -1;
    }
    utKeyframeDef copy = *keyframe;
    const int mocaps = keyframe->mocaps < INT_MAX / 16 ? keyframe->mocaps : 0;
    const struct {
        const double** array;
        int count;
    } arrays[] = {{&copy.q, copy.nq},
                  {&copy.v, copy.nv},
                  {&copy.ctrl, copy.nu},
                  {&copy.mocap_pos, 3 * mocaps},
                  {&copy.mocap_quat, 4 * mocaps}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (*arrays[i].array != NULL) {
            *arrays[i].array = copy_numbers(def, *arrays[i].array, arrays[i].count);
        }
    }
    copy.name = ut_model_def_copy(def, keyframe->name);
    copy.origin = copy_origin(def, keyframe->origin);
    if (def->short_of_memory) {
        return -1;
    }
    *item = copy;
    return def->keyframe.count++;
}

bool ut_model_def_exclude(utModelDef* def, int body1, int body2, utOrigin origin)
{
    ExcludeDef* item = def != NULL ? list_next(def, &def->exclude, sizeof *item) : NULL;
    if (item == NULL) {
        return false;
    }
    const utOrigin copy = copy_origin(def, origin);
    if (def->short_of_memory) {
        return false;
    }
    *item = (ExcludeDef){body1, body2, copy};
    def->exclude.count++;
    return true;
}

void ut_model_def_options(utModelDef* def, const utOptions* options)
{
    if (options->cookie != UT_DEF_COOKIE) {
        def->options.cookie = 0;
        return;
    }
    const char* solver = ut_model_def_copy(def, options->solver);
    if (solver != NULL) {
        def->options = *options;
        def->options.solver = solver;
    }
}

void ut_model_def_missing(utModelDef* def, int count)
{
    def->missing = count;
}

void ut_model_def_name(utModelDef* def, const char* name)
{
    const char* copy = ut_model_def_copy(def, name);
    if (copy != NULL) {
        def->name = copy;
    }
}
