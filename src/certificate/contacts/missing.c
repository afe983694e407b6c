// SPDX-License-Identifier: Apache-2.0
// What the active set lacks: limits of joints that the step goes past without a row, and pairs of
// geoms that are apart where it begins, overlap where it ends and have no contact.
//
// A contact or row that is there may be off by what bodies turn by, to second order; this is no
// matter of the set. One that is not there holds nothing. Looked at are formulations whose contacts
// know gaps, in space, and pairs of which signed gaps exist: no meshes and height fields.
#include <string.h>

#include <uptack/collision.h>

#include "certificate/internal.h"

static const double PAST = 1e-9;    // rad or m: a limit this far behind is not gone past
static const double OVERLAP = 1e-3; // of the smaller radius, besides what turning explains

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

static bool limits_are_there(const Judge* judge)
{
    const utStepReport* report = judge->report;
    bool good = true;
    for (int j = 0; j < judge->model->njoint && good; j++) {
        const utModelJoint* joint = &judge->model->joint[j];
        const double* q = report->q_next + joint->q;
        if (!joint->limited || joint->kind == UT_JOINT_FREE) {
            continue;
        }
        if (joint->kind == UT_JOINT_BALL) {
            const double angle = ut_vec3_norm(ut_quat_log(ut_quat(q[0], q[1], q[2], q[3])));
            good = angle <= joint->range[1] + PAST || has_row(report, UT_ROW_BALL, j);
        } else {
            good = (q[0] >= joint->range[0] - PAST || has_row(report, UT_ROW_LOWER, j)) &&
                   (q[0] <= joint->range[1] + PAST || has_row(report, UT_ROW_UPPER, j));
        }
    }
    return good;
}

// ---- pairs --------------------------------------------------------------------------------------

typedef struct Places {
    const Judge* judge;
    utKinematics kin; // where the step ends
    utBounds* bounds; // ngeom
    int* order;       // ngeom: ascending in bounds.low.x
} Places;

static utFrame frame_of(const utKinematics* kin, const utModelGeom* geom)
{
    return ut_frame_mul(kin->body[geom->body], geom->in_body);
}

// Is there a contact of the pair? Contacts are in ascending order; if not, all are looked at.
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

static bool may_lack(const Judge* judge, int geom1, int geom2)
{
    const utModel* model = judge->model;
    const bool moves = model->body[model->geom[geom1].body].tree >= 0 ||
                       model->body[model->geom[geom2].body].tree >= 0;
    return moves && ut_model_collides(model, geom1, geom2) &&
           !(judge->formulation.bounces && ut_model_restitution(model, geom1, geom2) > 0.0);
}

// What a geom's own turning may add to an overlap: second order of the angle.
static double bend_of(const Judge* judge, const Places* places, int geom)
{
    const utModelGeom* g = &judge->model->geom[geom];
    if (judge->model->body[g->body].tree < 0) {
        return 0.0;
    }
    // cos of the angle between the two ends, from the trace of the turn
    const utMat3 turn =
        ut_mat3_mul(ut_mat3_transpose(judge->kin.body[g->body].R), places->kin.body[g->body].R);
    const double trace = turn.m[0][0] + turn.m[1][1] + turn.m[2][2];
    return (3.0 - trace) * g->radius; // (1 - cos) 2 r
}

static bool is_missed(const Places* places, int one, int two)
{
    const Judge* judge = places->judge;
    const int geom1 = one < two ? one : two, geom2 = one < two ? two : one;
    const utModelGeom *a = &judge->model->geom[geom1], *b = &judge->model->geom[geom2];
    utGap end, begin;
    if (!may_lack(judge, geom1, geom2) || has_contact(judge->report, geom1, geom2) ||
        ut_gap(&a->shape, frame_of(&places->kin, a), &b->shape, frame_of(&places->kin, b), &end) !=
            UT_OK) {
        return false;
    }
    const double allowed = OVERLAP * (a->radius < b->radius ? a->radius : b->radius) +
                           bend_of(judge, places, geom1) + bend_of(judge, places, geom2);
    return end.gap < -allowed && !is_listed(judge->report, geom1, geom2) &&
           ut_gap(&a->shape, frame_of(&judge->kin, a), &b->shape, frame_of(&judge->kin, b),
                  &begin) == UT_OK &&
           begin.gap >= 0.0;
}

// ---- all of them --------------------------------------------------------------------------------

// Heap sort: in place, and the same everywhere.
static void sift(const utBounds* bounds, int* order, int from, int count)
{
    for (int child = 2 * from + 1; child < count; child = 2 * from + 1) {
        if (child + 1 < count && bounds[order[child + 1]].low.x > bounds[order[child]].low.x) {
            child++;
        }
        if (!(bounds[order[child]].low.x > bounds[order[from]].low.x)) {
            return;
        }
        const int swapped = order[from];
        order[from] = order[child];
        order[child] = swapped;
        from = child;
    }
}

static void sort(const utBounds* bounds, int* order, int count)
{
    for (int i = count / 2 - 1; i >= 0; i--) {
        sift(bounds, order, i, count);
    }
    for (int last = count - 1; last > 0; last--) {
        const int swapped = order[0];
        order[0] = order[last];
        order[last] = swapped;
        sift(bounds, order, 0, last);
    }
}

static bool overlap(const utBounds* a, const utBounds* b)
{
    return a->low.y <= b->high.y && b->low.y <= a->high.y && a->low.z <= b->high.z &&
           b->low.z <= a->high.z;
}

static bool pairs_are_there(const Places* places)
{
    const utModel* model = places->judge->model;
    for (int g = 0; g < model->ngeom; g++) {
        places->bounds[g] =
            ut_shape_bounds(&model->geom[g].shape, frame_of(&places->kin, &model->geom[g]));
        places->order[g] = g;
    }
    sort(places->bounds, places->order, model->ngeom);
    for (int i = 0; i < model->ngeom; i++) {
        const utBounds* a = &places->bounds[places->order[i]];
        for (int k = i + 1; k < model->ngeom; k++) {
            const utBounds* b = &places->bounds[places->order[k]];
            if (b->low.x > a->high.x) {
                break;
            }
            if (overlap(a, b) && is_missed(places, places->order[i], places->order[k])) {
                return false;
            }
        }
    }
    return true;
}

size_t ut_certify_missing_scratch(const utModel* model)
{
    const size_t ngeom = (size_t)model->ngeom;
    return ut_kinematics_size(model) + ut_arena_need(ngeom, sizeof(utBounds)) +
           ut_arena_need(ngeom, sizeof(int));
}

utStatus ut_certify_missing(const Judge* judge, utArena scratch, bool* missing)
{
    const utStepReport* report = judge->report;
    const Formulation* f = &judge->formulation;
    *missing = !report->instant && !limits_are_there(judge);
    if (*missing || report->instant || f->without_gap || f->hops ||
        judge->model->options.planar != UT_PLANAR_NONE) {
        return UT_OK;
    }
    Places places = {.judge = judge,
                     .bounds = UT_PUSH(&scratch, utBounds, judge->model->ngeom),
                     .order = UT_PUSH(&scratch, int, judge->model->ngeom)};
    if (places.bounds == NULL || places.order == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_kinematics_create(judge->model, &scratch, &places.kin));
    ut_kinematics_place(&places.kin, report->q_next, report->mocap_pos_next,
                        report->mocap_quat_next);
    *missing = !pairs_are_there(&places);
    return UT_OK;
}
