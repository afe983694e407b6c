// The growing description: it keeps copies of all it is told and judges nothing.
#include "internal.h"

#include <limits.h>
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
        ut_arena_destroy(&list->memory, allocator_of(def));
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
    // what is needed to the end lies in the memory that is given back
    const utAllocator allocator = def->allocator;
    const utAllocator* from = def->own_allocator ? &allocator : NULL;
    enum { LISTS = 8 };
    List* const lists[LISTS] = {&def->body,     &def->joint,    &def->geom,     &def->site,
                                &def->actuator, &def->equality, &def->keyframe, &def->exclude};
    for (int i = 0; i < LISTS; i++) {
        ut_arena_destroy(&lists[i]->memory, from);
    }
    for (Block* block = def->block; block != NULL;) {
        Block* older = block->older;
        utArena memory = block->memory;
        ut_arena_destroy(&memory, from);
        block = older;
    }
    utArena memory = def->memory;
    ut_arena_destroy(&memory, from);
}

// ---- adding -------------------------------------------------------------------------------------

// A def without its cookie may hold anything, pointers above all: what is kept of it is that it was
// given, for the compiler to complain of. The list grows only when everything has been copied.

int ut_model_def_body(utModelDef* def, const utBodyDef* body)
{
    utBodyDef* item = def != NULL ? list_next(def, &def->body, sizeof *item) : NULL;
    if (item == NULL) {
        return -1;
    }
    utBodyDef copy = {0};
    if (body->cookie == UT_DEF_COOKIE) {
        copy = *body;
        copy.name = ut_model_def_copy(def, body->name);
        copy.origin = copy_origin(def, body->origin);
        if (def->short_of_memory) {
            return -1;
        }
    }
    *item = copy;
    return def->body.count++;
}

int ut_model_def_joint(utModelDef* def, const utJointDef* joint)
{
    utJointDef* item = def != NULL ? list_next(def, &def->joint, sizeof *item) : NULL;
    if (item == NULL) {
        return -1;
    }
    utJointDef copy = {0};
    if (joint->cookie == UT_DEF_COOKIE) {
        copy = *joint;
        copy.name = ut_model_def_copy(def, joint->name);
        copy.origin = copy_origin(def, joint->origin);
        if (def->short_of_memory) {
            return -1;
        }
    }
    *item = copy;
    return def->joint.count++;
}

int ut_model_def_geom(utModelDef* def, const utGeomDef* geom)
{
    utGeomDef* item = def != NULL ? list_next(def, &def->geom, sizeof *item) : NULL;
    if (item == NULL) {
        return -1;
    }
    utGeomDef copy = {0};
    if (geom->cookie == UT_DEF_COOKIE) {
        copy = *geom;
        copy.name = ut_model_def_copy(def, geom->name);
        copy.origin = copy_origin(def, geom->origin);
        if (def->short_of_memory) {
            return -1;
        }
    }
    *item = copy;
    return def->geom.count++;
}

int ut_model_def_site(utModelDef* def, const utSiteDef* site)
{
    utSiteDef* item = def != NULL ? list_next(def, &def->site, sizeof *item) : NULL;
    if (item == NULL) {
        return -1;
    }
    utSiteDef copy = {0};
    if (site->cookie == UT_DEF_COOKIE) {
        copy = *site;
        copy.name = ut_model_def_copy(def, site->name);
        copy.origin = copy_origin(def, site->origin);
        if (def->short_of_memory) {
            return -1;
        }
    }
    *item = copy;
    return def->site.count++;
}

int ut_model_def_actuator(utModelDef* def, const utActuatorDef* actuator)
{
    utActuatorDef* item = def != NULL ? list_next(def, &def->actuator, sizeof *item) : NULL;
    if (item == NULL) {
        return -1;
    }
    utActuatorDef copy = {0};
    if (actuator->cookie == UT_DEF_COOKIE) {
        copy = *actuator;
        copy.name = ut_model_def_copy(def, actuator->name);
        copy.origin = copy_origin(def, actuator->origin);
        if (def->short_of_memory) {
            return -1;
        }
    }
    *item = copy;
    return def->actuator.count++;
}

int ut_model_def_equality(utModelDef* def, const utEqualityDef* equality)
{
    utEqualityDef* item = def != NULL ? list_next(def, &def->equality, sizeof *item) : NULL;
    if (item == NULL) {
        return -1;
    }
    utEqualityDef copy = {0};
    if (equality->cookie == UT_DEF_COOKIE) {
        copy = *equality;
        copy.name = ut_model_def_copy(def, equality->name);
        copy.origin = copy_origin(def, equality->origin);
        if (def->short_of_memory) {
            return -1;
        }
    }
    *item = copy;
    return def->equality.count++;
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
    const char* formulation = ut_model_def_copy(def, options->formulation);
    const char* solver = ut_model_def_copy(def, options->solver);
    if (formulation != NULL && solver != NULL) {
        def->options = *options;
        def->options.formulation = formulation;
        def->options.solver = solver;
    }
}

void ut_model_def_name(utModelDef* def, const char* name)
{
    const char* copy = ut_model_def_copy(def, name);
    if (copy != NULL) {
        def->name = copy;
    }
}
