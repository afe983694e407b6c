// SPDX-License-Identifier: Apache-2.0
// Geoms that overlap at the start of a run.
#include "check/overlap.h"

#include <math.h>
#include <string.h>
#include <uptack/collision.h>
#include <uptack/dyn.h>
#include <uptack/flat.h>

static const double LEAST_DEPTH = 1e-9; // m, above the rounding errors of touching geoms

// ---- a pair -------------------------------------------------------------------------------------

static utFrame geom_frame(const utKinematics* kin, int geom)
{
    const utModelGeom* g = &kin->model->geom[geom];
    return ut_frame_mul(kin->body[g->body], g->in_body);
}

// The depth by which two geoms overlap, m; 0 when they do not.
static double find_depth(const utKinematics* kin, int geom1, int geom2)
{
    const utModelGeom* a = &kin->model->geom[geom1];
    const utModelGeom* b = &kin->model->geom[geom2];
    double gap = 0.0;
    if (kin->model->options.planar != UT_PLANAR_NONE) {
        utFlatTouch touch[UT_FLAT_TOUCH_MAX];
        const int count = ut_flat_collide(&a->flat, ut_geom_flat_frame(kin, geom1), &b->flat,
                                          ut_geom_flat_frame(kin, geom2), 0.0, touch);
        for (int k = 0; k < count; k++) {
            gap = fmin(gap, touch[k].gap);
        }
        return -gap;
    }
    utTouch touch[UT_TOUCH_MAX];
    const int count = ut_collide(&a->shape, geom_frame(kin, geom1), &b->shape,
                                 geom_frame(kin, geom2), 0.0, touch);
    for (int k = 0; k < count; k++) {
        gap = fmin(gap, touch[k].gap);
    }
    return -gap;
}

// ---- all ----------------------------------------------------------------------------------------

// In order of depth, and of the geoms.
static bool is_before(CliOverlap a, CliOverlap b)
{
    if (a.depth != b.depth) {
        return a.depth > b.depth;
    }
    return a.geom1 < b.geom1 || (a.geom1 == b.geom1 && a.geom2 < b.geom2);
}

// Count an overlap. Keep the deepest ones.
static void keep(CliOverlaps* overlaps, CliOverlap overlap)
{
    int at = overlaps->kept;
    while (at > 0 && is_before(overlap, overlaps->overlap[at - 1])) {
        at--;
    }
    if (at < CLI_KEPT_OVERLAPS) {
        const int moved =
            overlaps->kept < CLI_KEPT_OVERLAPS ? overlaps->kept - at : CLI_KEPT_OVERLAPS - 1 - at;
        memmove(&overlaps->overlap[at + 1], &overlaps->overlap[at], (size_t)moved * sizeof overlap);
        overlaps->overlap[at] = overlap;
        overlaps->kept += overlaps->kept < CLI_KEPT_OVERLAPS ? 1 : 0;
    }
    overlaps->count++;
}

// In a planar world the coordinate normal to the plane does not count.
static utBounds bounds_of(const utKinematics* kin, int geom)
{
    const utModelGeom* g = &kin->model->geom[geom];
    utBounds bounds = ut_shape_bounds(&g->shape, geom_frame(kin, geom));
    if (kin->model->options.planar != UT_PLANAR_NONE) {
        const utVec3 n = ut_plane(kin->model->options.planar).normal;
        *(n.x != 0.0 ? &bounds.low.x : n.y != 0.0 ? &bounds.low.y : &bounds.low.z) = 0.0;
        *(n.x != 0.0 ? &bounds.high.x : n.y != 0.0 ? &bounds.high.y : &bounds.high.z) = 0.0;
    }
    return bounds;
}

static bool is_fixed(const utModel* model, int geom)
{
    return model->body[model->geom[geom].body].weld == 0;
}

// Compare a geom that can move with those whose boxes meet its own: the fixed ones, and the others behind
// it. @param near room for all geoms @return false when there are too many pairs
static bool compare(const utKinematics* kin, const utBroad* broad, int geom, int* near,
                    CliOverlaps* overlaps)
{
    const utModel* model = kin->model;
    const int count = ut_broad_query(broad, bounds_of(kin, geom), model->ngeom, near);
    overlaps->met += count;
    for (int k = 0; k < count; k++) {
        const int low = geom < near[k] ? geom : near[k], high = geom < near[k] ? near[k] : geom;
        const bool again = near[k] <= geom && !is_fixed(model, near[k]);
        if (again || !ut_model_collides(model, low, high)) {
            continue;
        }
        if (++overlaps->compared > CLI_COMPARED_PAIRS) {
            return false;
        }
        const double depth = find_depth(kin, low, high);
        if (depth > LEAST_DEPTH) {
            keep(overlaps, (CliOverlap){low, high, depth});
        }
    }
    return overlaps->met <= CLI_MET_PAIRS;
}

static utStatus find_overlaps(const utModel* model, const CliPose* pose, utArena scratch,
                              CliOverlaps* overlaps)
{
    utKinematics kin;
    utBroad* broad;
    UT_TRY(ut_kinematics_create(model, &scratch, &kin));
    UT_TRY(ut_broad_create(model->ngeom, &scratch, &broad));
    int* near = UT_PUSH(&scratch, int, model->ngeom);
    if (near == NULL) {
        return UT_ERR_CAPACITY;
    }
    ut_kinematics_place(&kin, pose->q, pose->mocap_pos, pose->mocap_quat);
    for (int i = 0; i < model->ngeom; i++) {
        ut_broad_set(broad, i, bounds_of(&kin, i), is_fixed(model, i));
    }
    for (int i = 0; i < model->ngeom && overlaps->complete; i++) {
        // fixed geoms never collide with each other
        overlaps->complete = is_fixed(model, i) || compare(&kin, broad, i, near, overlaps);
    }
    return UT_OK;
}

CliPose cli_start_pose(const CliModel* loaded)
{
    const utModel* model = loaded->model;
    const int key = ut_model_start_key(model);
    if (key < 0) {
        return (CliPose){.q = model->q0};
    }
    const utModelKeyframe* k = &model->keyframe[key];
    return (CliPose){.q = k->q, .mocap_pos = k->mocap_pos, .mocap_quat = k->mocap_quat};
}

utStatus cli_find_overlaps(const utModel* model, const CliPose* pose, CliOverlaps* overlaps)
{
    utArena memory;
    *overlaps = (CliOverlaps){.complete = true};
    if (model->ngeom == 0) {
        return UT_OK;
    }
    UT_TRY(ut_arena_create(0, NULL, &memory));
    const utStatus status = find_overlaps(model, pose, memory, overlaps);
    ut_arena_destroy(&memory);
    return status;
}

// ---- printing -----------------------------------------------------------------------------------

void cli_print_overlaps(FILE* stream, const utModel* model, const CliOverlaps* overlaps)
{
    enum { SHOWN = 3 };
    if (overlaps->count == 0 && overlaps->complete) {
        return;
    }
    fprintf(stream, "overlaps    %s%d at the start%s", overlaps->complete ? "" : "at least ",
            overlaps->count, overlaps->count > 0 ? ":" : "");
    for (int k = 0; k < overlaps->kept && k < SHOWN; k++) {
        const CliOverlap* o = &overlaps->overlap[k];
        CliName one;
        CliName two;
        fprintf(stream, "%s %s and %s %.3g m", k > 0 ? "," : "",
                cli_side_name(model, o->geom1, &one), cli_side_name(model, o->geom2, &two),
                o->depth);
    }
    fprintf(stream, "%s\n", overlaps->count > SHOWN ? ", ..." : "");
    if (!overlaps->complete) {
        fprintf(stream,
                "            the search stopped, because more than %d pairs of geoms are in one "
                "place; move them apart\n",
                CLI_COMPARED_PAIRS);
    }
}

void cli_json_overlaps(utJsonWriter* w, const utModel* model, const CliOverlaps* overlaps)
{
    ut_json_key(w, "overlap_count");
    ut_json_integer(w, overlaps->count);
    ut_json_key(w, "overlap_search_complete");
    ut_json_bool(w, overlaps->complete);
    ut_json_key(w, "overlaps");
    ut_json_array_begin(w);
    for (int k = 0; k < overlaps->kept; k++) {
        const CliOverlap* o = &overlaps->overlap[k];
        CliName room;
        ut_json_object_begin(w);
        ut_json_key(w, "geom1");
        ut_json_string(w, cli_side_name(model, o->geom1, &room));
        ut_json_key(w, "geom2");
        ut_json_string(w, cli_side_name(model, o->geom2, &room));
        ut_json_key(w, "depth");
        ut_json_number(w, o->depth);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}
