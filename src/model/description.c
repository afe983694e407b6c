// SPDX-License-Identifier: Apache-2.0
// The description: copies of everything that the caller adds, unchecked until it is compiled.
#include "internal.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "base/internal.h"

// ---- memory -------------------------------------------------------------------------------------

const char* ut_model_def_keep_text(utModelDef* def, const char* text)
{
    if (text == NULL || text[0] == 0) {
        return "";
    }
    const size_t size = strlen(text) + 1;
    char* copy = ut_arena_pack(&def->memory, size, 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

// `values` are not NULL when count > 0
static const double* keep_numbers(utModelDef* def, const double* values, int count)
{
    const size_t entries = count > 0 ? (size_t)count : 0;
    double* copy = UT_PUSH(&def->memory, double, entries);
    if (copy != NULL && entries > 0) {
        memcpy(copy, values, entries * sizeof *values);
    }
    return copy;
}

static const int* keep_integers(utModelDef* def, const int* values, int count)
{
    const size_t entries = count > 0 ? (size_t)count : 0;
    int* copy = UT_PUSH(&def->memory, int, entries);
    if (copy != NULL && entries > 0) {
        memcpy(copy, values, entries * sizeof *values);
    }
    return copy;
}

static utOrigin keep_origin(utModelDef* def, utOrigin origin)
{
    if (origin.file != NULL) {
        if (def->last_file == NULL || strcmp(def->last_file, origin.file) != 0) {
            def->last_file = ut_model_def_keep_text(def, origin.file);
        }
        origin.file = def->last_file;
    }
    return origin;
}

// The place behind the last item of a list. A full list moves to an array of twice the size; the
// old array stays in the arena, so that all arrays of a list together have at most twice the size
// of the last one. @return NULL when memory is short
static void* list_next(utModelDef* def, List* list, size_t size)
{
    if (list->count == list->capacity) {
        // far below INT_MAX, so that the number of joints times seven positions fits an int
        const int max_capacity = INT_MAX / 16;
        const int capacity = list->capacity > 0 ? 2 * list->capacity : 16;
        const size_t room = capacity <= max_capacity ? (size_t)capacity : SIZE_MAX;
        void* items = ut_arena_push(&def->memory, room, size);
        if (items == NULL) {
            return NULL;
        }
        if (list->count > 0) {
            memcpy(items, list->items, (size_t)list->count * size);
        }
        *list = (List){items, list->count, capacity};
    }
    return (unsigned char*)list->items + (size_t)list->count * size;
}

// ---- creation and destruction -------------------------------------------------------------------

utStatus ut_model_def_create(const utAllocator* allocator, utModelDef** def)
{
    utArena memory;
    UT_TRY(ut_arena_create(0, allocator, &memory));
    utModelDef* made = UT_PUSH(&memory, utModelDef, 1);
    if (made == NULL) {
        ut_arena_destroy(&memory);
        return UT_ERR_MEMORY;
    }
    *made = (utModelDef){.memory = memory, .name = "", .options = ut_options()};

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
    if (def != NULL) {
        utArena memory = def->memory; // *def lies in it
        ut_arena_destroy(&memory);
    }
}

// ---- adding -------------------------------------------------------------------------------------

// A def without its kind's cookie may hold invalid pointers. The list gets an empty def in its place, which
// the compiler rejects. A list counts an item only after all its strings have been copied.

// Offsets of the fields that all defs have, and the cookie that this kind of def must hold.
typedef struct Layout {
    size_t size;
    size_t name; ///< SIZE_MAX: none
    size_t origin;
    size_t cookie;
    uint32_t expected_cookie;
} Layout;

#define LAYOUT_WITH(type, name_offset, expected)                                            \
    {                                                                                       \
        sizeof(type), name_offset, offsetof(type, origin), offsetof(type, cookie), expected \
    }
#define LAYOUT(type, expected) LAYOUT_WITH(type, offsetof(type, name), expected)
#define NAMELESS(type, expected) LAYOUT_WITH(type, SIZE_MAX, expected)

static void keep_text_at(utModelDef* def, void* item, size_t offset)
{
    const char* text;
    memcpy(&text, (char*)item + offset, sizeof text);
    text = ut_model_def_keep_text(def, text);
    memcpy((char*)item + offset, &text, sizeof text);
}

// Copy `element` behind the last item of the list, without counting it. @return the copy, NULL when
// memory is short
static void* copy_element(utModelDef* def, List* list, Layout layout, const void* element)
{
    void* item = def != NULL ? list_next(def, list, layout.size) : NULL;
    if (item == NULL) {
        return NULL;
    }
    uint32_t cookie;
    memcpy(&cookie, (const char*)element + layout.cookie, sizeof cookie);
    if (cookie != layout.expected_cookie) {
        memset(item, 0, layout.size);
        return item;
    }
    memcpy(item, element, layout.size);
    if (layout.name != SIZE_MAX) {
        keep_text_at(def, item, layout.name);
    }
    utOrigin origin;
    memcpy(&origin, (char*)item + layout.origin, sizeof origin);
    origin = keep_origin(def, origin);
    memcpy((char*)item + layout.origin, &origin, sizeof origin);
    return ut_arena_failed(&def->memory) ? NULL : item;
}

// @return the index of the new item, -1 when memory is short
static int add_element(utModelDef* def, List* list, Layout layout, const void* element)
{
    return copy_element(def, list, layout, element) != NULL ? list->count++ : -1;
}

int ut_model_def_body(utModelDef* def, const utBodyDef* body)
{
    return def != NULL
               ? add_element(def, &def->body, (Layout)LAYOUT(utBodyDef, UT_BODY_DEF_COOKIE), body)
               : -1;
}

int ut_model_def_joint(utModelDef* def, const utJointDef* joint)
{
    return def != NULL ? add_element(def, &def->joint,
                                     (Layout)LAYOUT(utJointDef, UT_JOINT_DEF_COOKIE), joint)
                       : -1;
}

// Expressions that are NULL stay NULL. @return false when memory is short
static bool keep_expressions(utModelDef* def, const char** expression, int count)
{
    for (int k = 0; k < count; k++) {
        if (expression[k] != NULL) {
            expression[k] = ut_model_def_keep_text(def, expression[k]);
        }
    }
    return !ut_arena_failed(&def->memory);
}

// Counts beyond this are stored without their array; the compiler rejects them.
enum { MAX_ASSET_COUNT = INT_MAX / 16 };

int ut_model_def_mesh(utModelDef* def, const utMeshDef* mesh)
{
    utMeshDef* copy =
        def != NULL
            ? copy_element(def, &def->mesh, (Layout)LAYOUT(utMeshDef, UT_MESH_DEF_COOKIE), mesh)
            : NULL;
    if (copy == NULL) {
        return -1;
    }
    const bool fits = copy->vertices <= MAX_ASSET_COUNT && copy->triangles <= MAX_ASSET_COUNT;
    copy->file = ut_model_def_keep_text(def, copy->file);
    copy->vertex =
        fits && copy->vertex != NULL ? keep_numbers(def, copy->vertex, 3 * copy->vertices) : NULL;
    copy->triangle = fits && copy->triangle != NULL
                         ? keep_integers(def, copy->triangle, 3 * copy->triangles)
                         : NULL;
    return ut_arena_failed(&def->memory) ? -1 : def->mesh.count++;
}

int ut_model_def_heights(utModelDef* def, const utHeightsDef* heights)
{
    utHeightsDef* copy =
        def != NULL ? copy_element(def, &def->heights,
                                   (Layout)LAYOUT(utHeightsDef, UT_HEIGHTS_DEF_COOKIE), heights)
                    : NULL;
    if (copy == NULL) {
        return -1;
    }
    const int rows = copy->rows > 0 ? copy->rows : 0;
    const int columns = copy->columns > 0 ? copy->columns : 0;
    const bool fits = rows == 0 || columns <= MAX_ASSET_COUNT / rows;
    copy->file = ut_model_def_keep_text(def, copy->file);
    copy->height =
        fits && copy->height != NULL ? keep_numbers(def, copy->height, rows * columns) : NULL;
    return ut_arena_failed(&def->memory) ? -1 : def->heights.count++;
}

int ut_model_def_geom(utModelDef* def, const utGeomDef* geom)
{
    utGeomDef* copy =
        def != NULL
            ? copy_element(def, &def->geom, (Layout)LAYOUT(utGeomDef, UT_GEOM_DEF_COOKIE), geom)
            : NULL;
    return copy != NULL && keep_expressions(def, copy->surface_expression, 3) ? def->geom.count++
                                                                              : -1;
}

int ut_model_def_site(utModelDef* def, const utSiteDef* site)
{
    return def != NULL
               ? add_element(def, &def->site, (Layout)LAYOUT(utSiteDef, UT_SITE_DEF_COOKIE), site)
               : -1;
}

int ut_model_def_point(utModelDef* def, const utPointDef* point)
{
    return def != NULL ? add_element(def, &def->point,
                                     (Layout)NAMELESS(utPointDef, UT_POINT_DEF_COOKIE), point)
                       : -1;
}

int ut_model_def_motion(utModelDef* def, const utMotionDef* motion)
{
    utMotionDef* copy =
        def != NULL ? copy_element(def, &def->motion,
                                   (Layout)NAMELESS(utMotionDef, UT_MOTION_DEF_COOKIE), motion)
                    : NULL;
    return copy != NULL && keep_expressions(def, copy->expression, 6) ? def->motion.count++ : -1;
}

int ut_model_def_spring(utModelDef* def, const utSpringDef* spring)
{
    return def != NULL ? add_element(def, &def->spring,
                                     (Layout)LAYOUT(utSpringDef, UT_SPRING_DEF_COOKIE), spring)
                       : -1;
}

int ut_model_def_tendon(utModelDef* def, const utTendonDef* tendon)
{
    utTendonDef* copy =
        def != NULL ? copy_element(def, &def->tendon,
                                   (Layout)LAYOUT(utTendonDef, UT_TENDON_DEF_COOKIE), tendon)
                    : NULL;
    if (copy == NULL) {
        return -1;
    }
    const size_t wraps = copy->wraps > 0 && copy->wrap != NULL ? (size_t)copy->wraps : 0;
    utWrap* wrap = UT_PUSH(&def->memory, utWrap, wraps);
    if (wrap == NULL) {
        return -1;
    }
    if (wraps > 0) {
        memcpy(wrap, copy->wrap, wraps * sizeof *wrap);
    }
    copy->wrap = wrap;
    copy->wraps = (int)wraps;
    return def->tendon.count++;
}

int ut_model_def_actuator(utModelDef* def, const utActuatorDef* actuator)
{
    return def != NULL
               ? add_element(def, &def->actuator,
                             (Layout)LAYOUT(utActuatorDef, UT_ACTUATOR_DEF_COOKIE), actuator)
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
    return def != NULL
               ? add_element(def, &def->equality,
                             (Layout)LAYOUT(utEqualityDef, UT_EQUALITY_DEF_COOKIE), equality)
               : -1;
}

int ut_model_def_pair(utModelDef* def, const utPairDef* pair)
{
    return def != NULL
               ? add_element(def, &def->pair, (Layout)LAYOUT(utPairDef, UT_PAIR_DEF_COOKIE), pair)
               : -1;
}

int ut_model_def_sensor(utModelDef* def, const utSensorDef* sensor)
{
    return def != NULL ? add_element(def, &def->sensor,
                                     (Layout)LAYOUT(utSensorDef, UT_SENSOR_DEF_COOKIE), sensor)
                       : -1;
}

// Arrays that are NULL stay NULL, because the compiler treats them as not given.
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
                  {&copy.act, copy.na},
                  {&copy.mocap_pos, 3 * mocaps},
                  {&copy.mocap_quat, 4 * mocaps}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (*arrays[i].array != NULL) {
            *arrays[i].array = keep_numbers(def, *arrays[i].array, arrays[i].count);
        }
    }
    copy.name = ut_model_def_keep_text(def, keyframe->name);
    copy.origin = keep_origin(def, keyframe->origin);
    if (ut_arena_failed(&def->memory)) {
        return -1;
    }
    *item = copy;
    return def->keyframe.count++;
}

bool ut_model_def_exclude(utModelDef* def, int body1, int body2, utOrigin origin)
{
    utExcludeDef* item = def != NULL ? list_next(def, &def->exclude, sizeof *item) : NULL;
    if (item == NULL) {
        return false;
    }
    const utOrigin copy = keep_origin(def, origin);
    if (ut_arena_failed(&def->memory)) {
        return false;
    }
    *item = (utExcludeDef){body1, body2, copy};
    def->exclude.count++;
    return true;
}

void ut_model_def_options(utModelDef* def, const utOptions* options)
{
    if (options->cookie != UT_OPTIONS_COOKIE) {
        def->options.cookie = 0;
        return;
    }
    const char* solver = ut_model_def_keep_text(def, options->solver);
    if (solver != NULL) {
        def->options = *options;
        def->options.solver = solver;
    }
}

bool ut_model_def_missing(utModelDef* def, const utMissing* part)
{
    for (int i = 0; i < def->missing.count; i++) {
        utMissing* known = ut_model_missing_def(def, i);
        if (strcmp(known->what, part->what) == 0) {
            known->count += part->count;
            return true;
        }
    }
    utMissing* item = list_next(def, &def->missing, sizeof *item);
    if (item == NULL) {
        return false;
    }
    utMissing copy = *part;
    copy.what = ut_model_def_keep_text(def, part->what);
    copy.file = ut_model_def_keep_text(def, part->file);
    if (ut_arena_failed(&def->memory)) {
        return false;
    }
    *item = copy;
    def->missing.count++;
    return true;
}

void ut_model_def_name(utModelDef* def, const char* name)
{
    const char* copy = ut_model_def_keep_text(def, name);
    if (copy != NULL) {
        def->name = copy;
    }
}

// ---- reading ------------------------------------------------------------------------------------

utModelParts ut_model_def_parts(const utModelDef* def)
{
    return (utModelParts){
        .name = def->name,
        .options = &def->options,
        .bodies = def->body.count,
        .joints = def->joint.count,
        .geoms = def->geom.count,
        .sites = def->site.count,
        .points = def->point.count,
        .motions = def->motion.count,
        .springs = def->spring.count,
        .actuators = def->actuator.count,
        .equalities = def->equality.count,
        .keyframes = def->keyframe.count,
        .pairs = def->pair.count,
        .excludes = def->exclude.count,
        .tendons = def->tendon.count,
        .sensors = def->sensor.count,
        .meshes = def->mesh.count,
        .height_fields = def->heights.count,
        .body = def->body.items,
        .joint = def->joint.items,
        .geom = def->geom.items,
        .site = def->site.items,
        .point = def->point.items,
        .motion = def->motion.items,
        .spring = def->spring.items,
        .actuator = def->actuator.items,
        .equality = def->equality.items,
        .keyframe = def->keyframe.items,
        .pair = def->pair.items,
        .exclude = def->exclude.items,
        .tendon = def->tendon.items,
        .sensor = def->sensor.items,
        .mesh = def->mesh.items,
        .heights = def->heights.items,
    };
}

// ---- copying ------------------------------------------------------------------------------------

// Add the items of one list to `copy`, whose adding function copies their strings.
#define ADD_ALL(kind, first)                                            \
    for (int i = (first); i < def->kind.count; i++) {                   \
        (void)ut_model_def_##kind(copy, ut_model_##kind##_def(def, i)); \
    }

static void add_all(const utModelDef* def, utModelDef* copy)
{
    ADD_ALL(body, 1) // a new description has the world already
    ADD_ALL(joint, 0)
    ADD_ALL(mesh, 0)
    ADD_ALL(heights, 0)
    ADD_ALL(geom, 0)
    ADD_ALL(site, 0)
    ADD_ALL(point, 0)
    ADD_ALL(motion, 0)
    ADD_ALL(spring, 0)
    ADD_ALL(tendon, 0)
    ADD_ALL(actuator, 0)
    ADD_ALL(equality, 0)
    ADD_ALL(pair, 0)
    ADD_ALL(keyframe, 0)
    ADD_ALL(sensor, 0)
    for (int i = 0; i < def->exclude.count; i++) {
        const utExcludeDef* exclude = ut_model_exclude_def(def, i);
        (void)ut_model_def_exclude(copy, exclude->body1, exclude->body2, exclude->origin);
    }
    ut_model_def_options(copy, &def->options);
    ut_model_def_name(copy, def->name);
    for (int i = 0; i < def->missing.count; i++) {
        (void)ut_model_def_missing(copy, ut_model_missing_def(def, i));
    }
}

#undef ADD_ALL

utStatus ut_model_def_copy(const utModelDef* def, const utAllocator* allocator, utModelDef** copy)
{
    if (def == NULL || copy == NULL) {
        return UT_ERR_ARGUMENT;
    }
    if (ut_arena_failed(&def->memory)) {
        return UT_ERR_MEMORY; // the original is incomplete
    }
    utModelDef* made = NULL;
    UT_TRY(ut_model_def_create(allocator, &made));
    add_all(def, made);
    if (ut_arena_failed(&made->memory)) {
        ut_model_def_destroy(made);
        return UT_ERR_MEMORY;
    }
    *copy = made;
    return UT_OK;
}
