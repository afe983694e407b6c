// SPDX-License-Identifier: Apache-2.0
// Searches for missing contacts and rows: joints that pass a limit without its row, and pairs of
// geoms that are apart at the start of the step, overlap at its end and have no contact.
//
// A pair with a contact may end with an overlap of second order in its rotation; this test ignores
// such pairs. The search covers formulations with a gap in b_n and worlds in space.
#include <string.h>

#include <uptack/collision.h>

#include "base/sort.h"
#include "certificate/internal.h"

// ---- limits -------------------------------------------------------------------------------------

static bool has_row(const utStepReport* report, utRowKind kind, int joint)
{
    bool found = false;
    for (int j = 0; j < report->rows && !found; j++) {
        const utRow* row = &report->row[j];
        found = row->dof >= 0 && row->kind == kind && row->joint == joint;
    }
    return found;
}

// Does every joint beyond a limit have the row of the limit?
static bool has_limit_rows(const Judge* judge)
{
    const utStepReport* report = judge->report;
    bool good = true;
    for (int j = 0; j < judge->model->njoint && good; j++) {
        const utModelJoint* joint = &judge->model->joint[j];
        const double* q = report->q_next + joint->q;
        if (!joint->limited || joint->kind == UT_JOINT_FREE ||
            sleeps(judge, judge->model->body[joint->body].tree)) {
            continue;
        }
        if (joint->kind == UT_JOINT_BALL) {
            const double angle = ut_vec3_norm(ut_quat_log(ut_quat(q[0], q[1], q[2], q[3])));
            good = angle <= joint->range[1] + LIMIT_PASSED || has_row(report, UT_ROW_BALL, j);
        } else {
            good = (q[0] >= joint->range[0] - LIMIT_PASSED || has_row(report, UT_ROW_LOWER, j)) &&
                   (q[0] <= joint->range[1] + LIMIT_PASSED || has_row(report, UT_ROW_UPPER, j));
        }
    }
    return good;
}

// ---- pairs --------------------------------------------------------------------------------------

typedef struct Search {
    const Judge* judge;
    utBounds* bounds; // ngeom: bounding boxes at the end of the step
    int* order;       // ngeom: geoms by ascending bounds.low.x
    int* moving;      // ngeom: places in `order` of the geoms on trees, ascending
    int* spare;       // ngeom: room for the sort
} Search;

// Binary search for a contact of the pair. Contacts are in ascending order unless the report is
// wrong, so is_listed confirms a negative result.
static bool has_contact(const utStepReport* report, int geom1, int geom2)
{
    int low = 0, high = report->contacts;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const utContact* c = &report->contact[middle];
        const bool before = c->geom1 < geom1 || (c->geom1 == geom1 && c->geom2 < geom2);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low < report->contacts && report->contact[low].geom1 == geom1 &&
           report->contact[low].geom2 == geom2;
}

static bool is_listed(const utStepReport* report, int geom1, int geom2)
{
    bool found = false;
    for (int i = 0; i < report->contacts && !found; i++) {
        const utContact* c = &report->contact[i];
        found =
            (c->geom1 == geom1 && c->geom2 == geom2) || (c->geom1 == geom2 && c->geom2 == geom1);
    }
    return found;
}

// Must this pair have a contact when it closes? Pairs that may bounce need none.
static bool needs_contact(const Judge* judge, int geom1, int geom2)
{
    const utModel* model = judge->model;
    const bool moves = model->body[model->geom[geom1].body].tree >= 0 ||
                       model->body[model->geom[geom2].body].tree >= 0;
    return moves && ut_model_collides(model, geom1, geom2) &&
           !(may_bounce(judge) && ut_model_restitution(model, geom1, geom2) > 0.0);
}

// The overlap that the rotation of a geom's body explains: second order in the angle.
static double rotation_overlap(const Judge* judge, int geom)
{
    const utModelGeom* g = &judge->model->geom[geom];
    if (judge->model->body[g->body].tree < 0) {
        return 0.0;
    }
    // the trace of the rotation from start to end is 1 + 2 cos(angle)
    const utMat3 rotation = ut_mat3_mul(ut_mat3_transpose(judge->kin_start.body[g->body].R),
                                        judge->kin_end.body[g->body].R);
    const double trace = rotation.m[0][0] + rotation.m[1][1] + rotation.m[2][2];
    return (3.0 - trace) * g->radius; // 2 (1 - cos(angle)) radius
}

static bool lacks_contact(const Search* search, int one, int two)
{
    const Judge* judge = search->judge;
    const int geom1 = one < two ? one : two, geom2 = one < two ? two : one;
    const utModelGeom *a = &judge->model->geom[geom1], *b = &judge->model->geom[geom2];
    utGap end, begin;
    if (!needs_contact(judge, geom1, geom2) || has_contact(judge->report, geom1, geom2) ||
        ut_gap_within(&a->shape, ut_geom_frame(&judge->kin_end, geom1), &b->shape,
                      ut_geom_frame(&judge->kin_end, geom2), 0.0, &end) != UT_OK) {
        return false;
    }
    const double allowed = MISSED_OVERLAP * (a->radius < b->radius ? a->radius : b->radius) +
                           rotation_overlap(judge, geom1) + rotation_overlap(judge, geom2);
    return end.gap < -allowed && !is_listed(judge->report, geom1, geom2) &&
           ut_gap_within(&a->shape, ut_geom_frame(&judge->kin_start, geom1), &b->shape,
                         ut_geom_frame(&judge->kin_start, geom2), 0.0, &begin) == UT_OK &&
           begin.gap >= 0.0;
}

// ---- all pairs ----------------------------------------------------------------------------------

static bool starts_before(const void* first, const void* second, const void* context)
{
    const utBounds* bounds = context;
    return bounds[*(const int*)first].low.x < bounds[*(const int*)second].low.x;
}

static bool overlap_in_yz(const utBounds* a, const utBounds* b)
{
    return a->low.y <= b->high.y && b->low.y <= a->high.y && a->low.z <= b->high.z &&
           b->low.z <= a->high.z;
}

// Does the geom at place i of the order lack a contact with one that begins later along x?
// @param place the places of these later ones, NULL for all: `count` places from `first` on
static bool lacks_later_contact(const Search* search, int i, const int* place, int first, int count)
{
    const utBounds* a = &search->bounds[search->order[i]];
    for (int k = first; k < count; k++) {
        const int other = search->order[place != NULL ? place[k] : k];
        const utBounds* b = &search->bounds[other];
        if (b->low.x > a->high.x) {
            return false;
        }
        if (overlap_in_yz(a, b) && lacks_contact(search, search->order[i], other)) {
            return true;
        }
    }
    return false;
}

// May a geom come nearer to a fixed one? Trees that sleep count as fixed, unless mocap bodies may come
// to them.
static bool moves(const Judge* judge, int geom)
{
    const int tree = judge->model->body[judge->model->geom[geom].body].tree;
    return tree >= 0 && (judge->model->nmocap > 0 || !sleeps(judge, tree));
}

// Sweep along x over the bounding boxes. Of two geoms one has to move, so a fixed geom is compared with
// moving ones only.
static bool has_all_contacts(const Search* search)
{
    const utModel* model = search->judge->model;
    int geoms = 0; // that another one may touch
    for (int g = 0; g < model->ngeom; g++) {
        if (model->geom[g].collides) {
            search->bounds[g] =
                ut_shape_bounds(&model->geom[g].shape, ut_geom_frame(&search->judge->kin_end, g));
            search->order[geoms++] = g;
        }
    }
    ut_sort(geoms, sizeof(int), search->order, search->spare, starts_before, search->bounds);
    int count = 0;
    for (int i = 0; i < geoms; i++) {
        if (moves(search->judge, search->order[i])) {
            search->moving[count++] = i;
        }
    }
    int later = 0; // of the moving geoms the first one after place i
    bool lacks = false;
    for (int i = 0; i < geoms && !lacks; i++) {
        const bool moving = later < count && search->moving[later] == i;
        later += moving;
        lacks = moving ? lacks_later_contact(search, i, NULL, i + 1, geoms)
                       : lacks_later_contact(search, i, search->moving, later, count);
    }
    return !lacks;
}

utStatus ut_certify_missing(const Judge* judge, utArena scratch, bool* missing)
{
    const utStepReport* report = judge->report;
    *missing = !report->instant && !has_limit_rows(judge);
    if (!*missing && !report->instant && judge->model->ntendon > 0) {
        *missing = !ut_certify_tendon_limits(judge, &judge->kin_end);
    }
    if (*missing || report->instant || judge->traits.gap == UT_GAP_NONE ||
        judge->traits.collisions_only || judge->model->options.planar != UT_PLANAR_NONE) {
        return UT_OK;
    }
    Search search = {.judge = judge,
                     .bounds = UT_PUSH(&scratch, utBounds, judge->model->ngeom),
                     .order = UT_PUSH(&scratch, int, judge->model->ngeom),
                     .moving = UT_PUSH(&scratch, int, judge->model->ngeom),
                     .spare = UT_PUSH(&scratch, int, judge->model->ngeom)};
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    *missing = !has_all_contacts(&search);
    return UT_OK;
}
