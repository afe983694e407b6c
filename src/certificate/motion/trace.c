// SPDX-License-Identifier: Apache-2.0
// The traces tr(A_ii) of A = J M̂^-1 J' for contacts and rows.
//
// A free body has 1/m + (x × d) . I^-1 (x × d) along d at the lever x. All other trees respond to
// unit impulses through articulated bodies, with one factor for all impulses.
#include <string.h>

#include "certificate/internal.h"
#include "la/turning.h"

// ---- free bodies --------------------------------------------------------------------------------

// Add the trace of one free body. @param inverse of its inertia
static void free_trace(const Judge* judge, int body, const utMat3* inverse, const utContact* c,
                       double* trace)
{
    const utMat3* R = &judge->kin_contact.body[body].R;
    const utVec3 lever = ut_vec3_sub(c->point, judge->kin_contact.com[body]);
    const double lightness = 1.0 / judge->model->body[body].mass;
    double turning[3];
    ut_turning(R, inverse, lever, c->frame, turning);
    for (int k = 0; k < 3; k++) {
        *trace += lightness + turning[k];
    }
    const double length = contact_spins(c) ? ut_certify_length(judge, c) : 0.0;
    for (int k = 0; contact_spins(c) && k < 3; k++) {
        if (has_axis(c, k)) {
            const utVec3 axis = ut_vec3_scale(ut_mat3_tmul_vec(*R, c->frame[k]), length);
            *trace += ut_vec3_dot(axis, ut_mat3_mul_vec(*inverse, axis));
        }
    }
}

// Invert the inertias of all free bodies. @param inverse nbody @param good nbody: it exists
static void invert_inertias(const Judge* judge, utMat3* inverse, bool* good)
{
    for (int t = 0; t < judge->model->ntree; t++) {
        if (plain_free(judge, t)) {
            const int b = judge->model->tree[t].body;
            const utModelBody* body = &judge->model->body[b];
            good[b] = body->mass > 0.0 && ut_mat3_inverse_symmetric(body->inertia, &inverse[b]);
        }
    }
}

// @param trees receives whether a contact is one of another tree @return UT_ERR_ARGUMENT when an inertia is
// singular
static utStatus add_free_traces(Judge* judge, utArena scratch, bool* trees)
{
    const utStepReport* report = judge->report;
    utMat3* inverse = UT_PUSH(&scratch, utMat3, judge->model->nbody);
    bool* good = UT_PUSH(&scratch, bool, judge->model->nbody);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    if (report->contacts > 0) {
        invert_inertias(judge, inverse, good);
    }
    bool all = true;
    for (int i = 0; i < report->contacts; i++) {
        for (int side = 0; side < 2; side++) {
            const int tree = contact_tree(judge, i, side);
            if (tree >= 0 && plain_free(judge, tree)) {
                const int body = contact_body(judge, i, side);
                all = all && good[body];
                free_trace(judge, body, &inverse[body], &report->contact[i],
                           &judge->item.side_trace[2 * i + side]);
            } else {
                *trees = *trees || tree >= 0;
            }
        }
    }
    return all ? UT_OK : UT_ERR_ARGUMENT;
}

// ---- trees --------------------------------------------------------------------------------------

// temp += J' of a force d at a point of a body and a torque, over the
// velocities that move the body.
static void add_unit_impulse(Judge* judge, int body, utVec3 point, utVec3 d, utVec3 torque)
{
    const utModel* model = judge->model;
    const utVec3 origin = judge->kin_contact.origin[model->body[body].tree];
    const utVec3 moment = ut_vec3_cross(ut_vec3_sub(point, origin), d);
    const utForce wrench = ut_force(d, ut_vec3_add(moment, torque));
    for (int k = model->body[body].last_dof; k >= 0; k = model->dof_parent[k]) {
        judge->temp[k] += ut_force_power(wrench, judge->kin_contact.axis[k]);
    }
}

// @return temp . M̂^-1 temp for impulses on two bodies; temp is 0 afterwards
static double take_response(Judge* judge, const int body[2])
{
    const double sum = ut_dyn_mobility(&judge->kin_mass, judge->factor, judge->temp, body);
    for (int side = 0; side < 2; side++) {
        const int last = body[side] >= 0 ? judge->model->body[body[side]].last_dof : -1;
        for (int k = last; k >= 0; k = judge->model->dof_parent[k]) {
            judge->temp[k] = 0.0;
        }
    }
    return sum;
}

// Add the responses to unit impulses: -d and -torque on the first body, d and torque on the second.
// When both bodies are in one tree, side[0] receives the response of both. @param body -1 for none
static void add_sides(Judge* judge, const int body[2], const utVec3 point[2], utVec3 d,
                      utVec3 torque, double* side)
{
    const bool both = body[0] >= 0 && body[1] >= 0 &&
                      judge->model->body[body[0]].tree == judge->model->body[body[1]].tree;
    for (int k = 0; k < 2; k++) {
        if (body[k] < 0) {
            continue;
        }
        add_unit_impulse(judge, body[k], point[k], k == 0 ? ut_vec3_negate(d) : d,
                         k == 0 ? ut_vec3_negate(torque) : torque);
        if (!both) {
            side[k] += take_response(judge, (const int[2]){body[k], -1});
        }
    }
    if (both) {
        side[0] += take_response(judge, body);
    }
}

static void contact_sides(Judge* judge, int i)
{
    const utContact* c = &judge->report->contact[i];
    const utVec3 point[2] = {c->point, c->point};
    int body[2];
    for (int k = 0; k < 2; k++) {
        const int tree = contact_tree(judge, i, k);
        const bool is_tree = tree >= 0 && !plain_free(judge, tree);
        body[k] = is_tree ? contact_body(judge, i, k) : -1;
    }
    if (body[0] < 0 && body[1] < 0) {
        return;
    }
    for (int axis = 0; axis < contact_rows(judge); axis++) {
        add_sides(judge, body, point, c->frame[axis], ut_vec3_zero(),
                  judge->item.side_trace + 2 * i);
    }
    const double length = contact_spins(c) ? ut_certify_length(judge, c) : 0.0;
    for (int axis = 0; axis < 3; axis++) {
        if (has_axis(c, axis)) {
            add_sides(judge, body, point, ut_vec3_zero(), ut_vec3_scale(c->frame[axis], length),
                      judge->item.side_trace + 2 * i);
        }
    }
}

static void row_sides(Judge* judge, int j)
{
    const utRow* row = &judge->report->row[j];
    double* side = judge->item.side_trace + 2 * (judge->report->contacts + j);
    int body[2] = {-1, -1};
    if (row->terms > 0) {
        return; // find_term_traces
    }
    if (row->dof >= 0) {
        body[0] = judge->model->dof_body[row->dof];
        for (int k = 0; k < row->dofs; k++) {
            judge->temp[row->dof + k] = row->length * row->direction[k];
        }
        side[0] = take_response(judge, body);
        return;
    }
    const utVec3 point[2] = {row->point1, row->point2};
    for (int k = 0; k < 2; k++) {
        body[k] = row_tree(judge, j, k) < 0 ? -1 : k == 0 ? row->body1 : row->body2;
    }
    add_sides(judge, body, point, row->linear, row->angular, side);
}

// The responses of all trees of a row with terms. @param trace terms entries; trees have theirs at
// their first term @param acts ntree of work
static void find_term_traces(Judge* judge, int j, bool* acts, double* trace)
{
    const utModel* model = judge->model;
    const utRow* row = &judge->report->row[j];
    memset(acts, 0, (size_t)model->ntree * sizeof *acts);
    for (int k = 0; k < row->terms;) {
        acts[ut_row_terms_tree(model, row, &k)] = true;
    }
    ut_row_terms_impulse(row, 1.0, judge->temp);
    ut_dyn_factor_respond(&judge->kin_mass, judge->factor, judge->temp, acts, judge->temp2);
    double sum = 0.0;
    int next = 0;
    for (int k = 0; k < row->terms; k = next) {
        (void)ut_row_terms_tree(model, row, &next);
        trace[k] = 0.0;
        for (int i = k; i < next; i++) {
            trace[k] += judge->temp[row->index[i]] * judge->temp2[row->index[i]];
            judge->temp[row->index[i]] = 0.0;
        }
        sum += trace[k];
    }
    judge->item.side_trace[2 * (judge->report->contacts + j)] = sum;
}

static utStatus find_all_term_traces(Judge* judge, utArena scratch)
{
    double* trace = judge->item.term_trace;
    bool* acts = UT_PUSH(&scratch, bool, judge->model->ntree);
    if (acts == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int j = 0; j < judge->report->rows; j++) {
        if (judge->report->row[j].terms > 0) {
            find_term_traces(judge, j, acts, trace);
            trace += judge->report->row[j].terms;
        }
    }
    return UT_OK;
}

utStatus ut_certify_traces(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const int items = report->contacts + report->rows;
    memset(judge->item.side_trace, 0, (size_t)(2 * items) * sizeof *judge->item.side_trace);
    memset(judge->temp, 0, (size_t)judge->model->nv * sizeof *judge->temp);
    bool trees = false;
    UT_TRY(add_free_traces(judge, scratch, &trees));
    for (int i = 0; trees && i < report->contacts; i++) {
        contact_sides(judge, i);
    }
    for (int j = 0; j < report->rows; j++) {
        row_sides(judge, j);
    }
    UT_TRY(find_all_term_traces(judge, scratch));
    for (int item = 0; item < items; item++) {
        const int row = item - report->contacts;
        judge->item.trace[item] =
            judge->item.side_trace[2 * item] + judge->item.side_trace[2 * item + 1];
        judge->item.trace[item] += row >= 0 ? report->row[row].compliance : 0.0;
    }
    return UT_OK;
}
