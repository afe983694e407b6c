// SPDX-License-Identifier: Apache-2.0
// Collision shapes of robots are convex hulls and rough boxes, so that links overlap which are not
// neighbours. Such contacts would hold for ever, and no hard contact can open them. Programs for motion
// planning exclude pairs that overlap in the default pose; so does this.
#include "self_overlap.h"

#include "base/sort.h"

#include <string.h>
#include <uptack/collision.h>
#include <uptack/dyn.h>

static const double LEAST_DEPTH = 1e-6; // m: far above rounding, far below any clearance

enum { UNABLE_PER_PAIR = 64 }; // pairs that cannot collide take less time than a comparison

// Two bodies, the lower number first.
typedef struct Pair {
    int body[2];
} Pair;

typedef struct Search {
    const utModel* model;
    utKinematics kin;
    utBroad* broad;
    int max_pairs;
    long long met, compared; // pairs of boxes that meet, and of geoms that may collide
    Pair* found;
    int count, room;
} Search;

static bool before(const void* a, const void* b, const void* context)
{
    const int* x = ((const Pair*)a)->body;
    const int* y = ((const Pair*)b)->body;
    (void)context;
    return x[0] < y[0] || (x[0] == y[0] && x[1] < y[1]);
}

static bool overlap(const Search* s, int geom1, int geom2)
{
    utTouch touch[UT_TOUCH_MAX];
    const int count =
        ut_collide(&s->model->geom[geom1].shape, ut_geom_frame(&s->kin, geom1),
                   &s->model->geom[geom2].shape, ut_geom_frame(&s->kin, geom2), 0.0, touch);
    for (int k = 0; k < count; k++) {
        if (touch[k].gap < -LEAST_DEPTH) {
            return true;
        }
    }
    return false;
}

// Keep a pair of bodies. The room doubles when it is full.
static utStatus add_pair(Search* s, int a, int b, utArena* keep)
{
    if (s->count == s->room) {
        const int room = s->room > 0 ? 2 * s->room : 64;
        Pair* found = UT_PUSH(keep, Pair, room);
        if (found == NULL) {
            return UT_ERR_MEMORY;
        }
        for (int i = 0; i < s->count; i++) {
            found[i] = s->found[i];
        }
        s->found = found;
        s->room = room;
    }
    s->found[s->count++] = (Pair){{a < b ? a : b, a < b ? b : a}};
    return UT_OK;
}

static bool is_fixed(const utModel* model, int geom)
{
    return model->body[model->geom[geom].body].weld == 0;
}

// Compare a geom that can move with those whose boxes meet its own: the fixed ones, and the others behind
// it. @param near room for all geoms @return UT_ERR_CAPACITY when there are too many pairs
static utStatus search_geom(Search* s, int geom, int* near, utArena* keep)
{
    const utModelGeom* g = s->model->geom;
    const utBounds box = ut_shape_bounds(&g[geom].shape, ut_geom_frame(&s->kin, geom));
    const int count = ut_broad_query(s->broad, box, s->model->ngeom, near);
    s->met += count;
    for (int k = 0; k < count; k++) {
        const bool again = near[k] <= geom && !is_fixed(s->model, near[k]);
        if (again || !ut_model_collides(s->model, geom, near[k])) {
            continue;
        }
        if (++s->compared > s->max_pairs) {
            return UT_ERR_CAPACITY;
        }
        if (overlap(s, geom, near[k])) {
            UT_TRY(add_pair(s, g[geom].body, g[near[k]].body, keep));
        }
    }
    return s->met <= UNABLE_PER_PAIR * (long long)s->max_pairs ? UT_OK : UT_ERR_CAPACITY;
}

// Find the bodies of geoms that overlap in a pose, some of them several times.
static utStatus search_pose(Search* s, const double* q, utArena* keep)
{
    int* near = UT_PUSH(keep, int, s->model->ngeom);
    if (near == NULL) {
        return UT_ERR_MEMORY;
    }
    s->met = s->compared = 0;
    ut_kinematics_place(&s->kin, q, NULL, NULL);
    for (int i = 0; i < s->model->ngeom; i++) {
        if (s->model->geom[i].body > 0) { // shapes of the world are surroundings
            ut_broad_set(s->broad, i,
                         ut_shape_bounds(&s->model->geom[i].shape, ut_geom_frame(&s->kin, i)),
                         is_fixed(s->model, i));
        }
    }
    for (int i = 0; i < s->model->ngeom; i++) {
        UT_TRY(!is_fixed(s->model, i) ? search_geom(s, i, near, keep) : UT_OK);
    }
    return UT_OK;
}

static utStatus search(Search* s, utArena* keep)
{
    const int key = ut_model_start_key(s->model);
    UT_TRY(ut_kinematics_create(s->model, keep, &s->kin));
    UT_TRY(ut_broad_create(s->model->ngeom, keep, &s->broad));
    UT_TRY(search_pose(s, s->model->q0, keep));
    return key >= 0 ? search_pose(s, s->model->keyframe[key].q, keep) : UT_OK;
}

// Exclude each pair once. @param pairs their number
static utStatus exclude(const Search* s, utModelDef* robot, utArena* keep, int* pairs)
{
    Pair* spare = UT_PUSH(keep, Pair, (size_t)s->count + 1);
    if (spare == NULL) {
        return UT_ERR_MEMORY;
    }
    ut_sort(s->count, sizeof *spare, s->found, spare, before, NULL);
    for (int i = 0; i < s->count; i++) {
        const Pair* p = &s->found[i];
        if (i == 0 || before(p - 1, p, NULL)) {
            if (!ut_model_def_exclude(robot, p->body[0], p->body[1], (utOrigin){0})) {
                return UT_ERR_MEMORY;
            }
            (*pairs)++;
        }
    }
    return UT_OK;
}

// Append a note about the robot as a whole.
static utStatus add_note(utNotes* notes, const char* file, int pairs)
{
    const size_t count = (size_t)notes->count;
    utNote* note = UT_PUSH(&notes->memory, utNote, count + 1);
    char* name = UT_PUSH(&notes->memory, char, strlen(file) + 1);
    if (note == NULL || name == NULL) {
        return UT_ERR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        note[i] = notes->note[i];
    }
    memcpy(name, file, strlen(file) + 1);
    note[count] = (utNote){.what = "pair of links",
                           .why = "overlap where the robot begins, so they do not collide",
                           .physics = true,
                           .count = pairs,
                           .file = name,
                           .line = 1,
                           .column = 1};
    notes->note = note;
    notes->count++;
    return UT_OK;
}

static utStatus exclude_overlaps(const utModel* model, int max_pairs, utModelDef* robot, int* pairs)
{
    utArena memory;
    Search s = {.model = model, .max_pairs = max_pairs};
    UT_TRY(ut_arena_create(0, NULL, &memory));
    utStatus status = search(&s, &memory);
    if (status == UT_OK) {
        status = exclude(&s, robot, &memory, pairs);
    }
    ut_arena_destroy(&memory);
    return status;
}

utStatus ut_load_exclude_overlaps(utModelDef* robot, int max_pairs, const char* file,
                                  utNotes* notes, utError* err)
{
    utModel* model = NULL;
    utError unused;
    utStatus status = ut_model_compile(robot, NULL, &model, &unused);
    if (status != UT_OK) {
        // changes to come may mend the robot; if not, the next compilation reports it
        return status == UT_ERR_MEMORY ? status : UT_OK;
    }
    int pairs = 0;
    if (model->ngeom > 0 && model->options.planar == UT_PLANAR_NONE) {
        status = exclude_overlaps(model, max_pairs, robot, &pairs);
    }
    ut_model_destroy(model);
    if (status == UT_ERR_CAPACITY) {
        return ut_error_at(
            err, UT_ERR_FORMAT, file, 0, 0,
            "more than %d pairs of collision shapes are in one place where the robot "
            "begins; utLimits.pairs sets the limit, and fewer shapes help",
            max_pairs);
    }
    if (status == UT_OK && pairs > 0) {
        status = add_note(notes, file, pairs);
    }
    return status == UT_OK ? UT_OK : UT_ERR_MEMORY;
}
