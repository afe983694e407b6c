// SPDX-License-Identifier: Apache-2.0
// Islands, the velocities of contacts and rows, and the velocity scale V of each island.
#include <string.h>

#include "internal.h"

// ---- islands ------------------------------------------------------------------------------------

// The first tree of an island (union-find with path halving).
static int first_of(int* first, int tree)
{
    while (first[tree] != tree) {
        first[tree] = first[first[tree]];
        tree = first[tree];
    }
    return tree;
}

// Join the islands of two trees. @param one, two -1 for none
static void join(int* first, int one, int two)
{
    if (one >= 0 && two >= 0) {
        const int a = first_of(first, one);
        const int b = first_of(first, two);
        first[a > b ? a : b] = a < b ? a : b;
    }
}

void ut_certify_islands(Judge* judge)
{
    int* first = judge->island.first_tree;
    for (int t = 0; t < judge->model->ntree; t++) {
        first[t] = t;
    }
    for (int i = 0; i < judge->report->contacts + judge->report->rows; i++) {
        join(first, item_tree(judge, i, 0), item_tree(judge, i, 1));
    }
    for (int j = 0; j < judge->report->rows; j++) {
        const utRow* row = &judge->report->row[j];
        for (int k = 0; k < row->terms;) {
            join(first, row_tree(judge, j, 0), ut_row_terms_tree(judge->model, row, &k));
        }
    }
    for (int t = 0; t < judge->model->ntree; t++) {
        first[t] = first_of(first, t);
    }
    // every item has a tree on at least one side
    for (int i = 0; i < judge->report->contacts + judge->report->rows; i++) {
        const int tree = item_tree(judge, i, 0);
        judge->item.island[i] = first[tree >= 0 ? tree : item_tree(judge, i, 1)];
    }
}

// ---- velocities ---------------------------------------------------------------------------------

// J v of a row; kin_contact is moved with v. @param mocap velocities of mocap bodies
static double row_velocity(const Judge* judge, const utRow* row, const double* v,
                           const utMotion* mocap)
{
    double sum = 0.0;
    if (row->terms > 0) {
        return ut_row_terms_velocity(row, v) + ut_certify_terms_mocap_rate(judge, row, mocap);
    }
    for (int k = 0; row->dof >= 0 && k < row->dofs; k++) {
        sum += row->direction[k] * v[row->dof + k];
    }
    if (row->dof >= 0) {
        return row->length * sum;
    }
    const utKinematics* kin = &judge->kin_contact;
    const utVec3 one = ut_point_velocity(kin, row->body1, row->point1);
    const utVec3 two = ut_point_velocity(kin, row->body2, row->point2);
    const utVec3 turn =
        ut_vec3_sub(kin->velocity[row->body2].angular, kin->velocity[row->body1].angular);
    return ut_vec3_dot(row->linear, ut_vec3_sub(two, one)) + ut_vec3_dot(row->angular, turn);
}

void ut_certify_apply_jacobian(Judge* judge, const double* v, const utMotion* mocap, double* u)
{
    const utStepReport* report = judge->report;
    const int rows = contact_rows(judge);
    ut_kinematics_set_velocities(&judge->kin_contact, v, mocap);
    for (int i = 0; i < report->contacts; i++) {
        const utContact* c = &report->contact[i];
        const utVec3 apart = contact_velocity(judge, i);
        for (int k = 0; k < 3; k++) {
            u[3 * i + k] = k < rows ? ut_vec3_dot(c->frame[k], apart) : 0.0;
        }
    }
    for (int j = 0; j < report->rows; j++) {
        u[3 * report->contacts + j] = row_velocity(judge, &report->row[j], v, mocap);
    }
}

static void add_belts(const Judge* judge, double* u)
{
    for (int i = 0; judge->belts && i < judge->report->contacts; i++) {
        const utContact* c = &judge->report->contact[i];
        const utVec3 belts = ut_certify_belts(judge, c);
        for (int k = 1; k < contact_rows(judge); k++) {
            u[3 * i + k] += ut_vec3_dot(c->frame[k], belts);
        }
    }
}

// u = J v + b of all items. kin_contact is moved.
static void find_velocities(Judge* judge, const double* v, const utMotion* mocap, double* u)
{
    const utStepReport* report = judge->report;
    if (v == judge->zero && judge->model->nmocap == 0) {
        if (judge->spins) {
            ut_kinematics_set_velocities(&judge->kin_contact, v, mocap);
        }
        memset(u, 0, (size_t)(3 * report->contacts + report->rows) * sizeof *u);
    } else {
        ut_certify_apply_jacobian(judge, v, mocap, u);
    }
    add_belts(judge, u);
    for (int i = 0; i < report->contacts; i++) {
        for (int k = 0; k < contact_rows(judge); k++) {
            u[3 * i + k] += judge->item.base[3 * i + k];
        }
    }
    for (int j = 0; j < report->rows; j++) {
        u[3 * report->contacts + j] += judge->item.base[3 * report->contacts + j];
    }
}

// Subtract from base the change of u that v_ahead and mocap bodies cause up to the configuration of
// the contacts. Contacts and rows between bodies were taken there.
static void relinearize_bases(Judge* judge)
{
    const utStepReport* report = judge->report;
    find_velocities(judge, report->v_ahead,
                    report->mocap_ahead != NULL ? judge->mocap.moved : report->mocap_velocity,
                    judge->item.u);
    for (int j = 0; j < report->rows; j++) {
        double* base = &judge->item.base[3 * report->contacts + j];
        const utRowKind kind = report->row[j].kind;
        if (ut_row_has_bodies(&report->row[j]) &&
            (kind == UT_ROW_EQUALITY || kind <= UT_ROW_BALL)) {
            *base -= judge->item.u[3 * report->contacts + j] - *base;
        }
    }
    for (int i = 0; i < report->contacts; i++) {
        judge->item.base[3 * i] -= judge->item.u[3 * i] - judge->item.base[3 * i];
    }
}

// base: the gap term of contacts and b of rows.
static void find_bases(Judge* judge)
{
    const utStepReport* report = judge->report;
    for (int i = 0; i < report->contacts; i++) {
        judge->item.base[3 * i + 1] = judge->item.base[3 * i + 2] = 0.0;
        judge->item.base[3 * i] = report->v_ahead != NULL
                                      ? report->contact[i].gap / report->h
                                      : ut_certify_gap_velocity(judge, report->contact[i].gap);
    }
    for (int j = 0; j < report->rows; j++) {
        judge->item.base[3 * report->contacts + j] = ut_certify_row_b(judge, j);
    }
    if (report->v_ahead != NULL) {
        relinearize_bases(judge);
    }
    if (judge->traits.acceleration || judge->impact.present) {
        ut_certify_apply_jacobian(judge, judge->v, report->mocap_velocity, judge->item.u_before);
        add_belts(judge, judge->item.u_before);
    }
    if (judge->traits.acceleration) {
        ut_kinematics_move(&judge->kin_contact, judge->v, report->mocap_velocity);
        ut_certify_accelerations(judge);
    }
    // a contact that rebounds has its rebound in place of the gap term
    for (int i = 0; judge->impact.present && i < report->contacts; i++) {
        judge->impact.gap_velocity[i] = judge->item.base[3 * i];
        if (has_moreau_rebound(judge, i)) {
            judge->item.base[3 * i] = -report->contact[i].rebound;
        }
    }
}

// ---- the scale ----------------------------------------------------------------------------------

static void raise(double* x, double candidate)
{
    *x = ut_larger(*x, candidate);
}

// The largest speed in each island of a contact point, a joint anchor, or a joint velocity times
// its reach. kin_contact is moved with v.
static void find_speeds(Judge* judge, const double* v)
{
    const utModel* model = judge->model;
    for (int j = 0; j < model->njoint; j++) {
        const int body = model->joint[j].body;
        const utVec3 at = velocity_at(&judge->kin_contact, body, judge->kin_contact.anchor[j]);
        raise(&judge->island.speed[judge->island.first_tree[model->body[body].tree]],
              ut_vec3_norm(at));
    }
    for (int i = 0; i < model->nv; i++) {
        const int tree = model->body[model->dof_body[i]].tree;
        raise(&judge->island.speed[judge->island.first_tree[tree]],
              ut_dof_length(model, i) * fabs(v[i]));
    }
    for (int i = 0; i < judge->report->contacts; i++) {
        for (int side = 0; side < 2; side++) {
            const utVec3 at = velocity_at(&judge->kin_contact, contact_body(judge, i, side),
                                          judge->report->contact[i].point);
            raise(&judge->island.speed[island_of(judge, i)], ut_vec3_norm(at));
        }
    }
}

static void find_largest_traces(Judge* judge)
{
    const utStepReport* report = judge->report;
    for (int item = 0; item < report->contacts + report->rows; item++) {
        const int kind = item < report->contacts ? 0 : 1;
        raise(&judge->island.largest_trace[2 * island_of(judge, item) + kind],
              judge->item.trace[item]);
    }
}

// The length of a velocity with its angular rows.
static double with_turn(double speed, const double* turn)
{
    const double square = ut_vec3_dot(load3(turn), load3(turn));
    return square > 0.0 ? sqrt(speed * speed + square) : speed;
}

// Raise V to |u_free| of contacts that close or carry an impulse, and of rows that act.
static void raise_V_to_free_velocities(Judge* judge)
{
    const utStepReport* report = judge->report;
    for (int i = 0; i < report->contacts; i++) {
        const double* u = judge->item.u_free + 3 * (size_t)i;
        const double* r = report->contact[i].r;
        if (u[0] < 0.0 || r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0) {
            const double speed = ut_vec3_norm(load3(u));
            raise(&judge->island.V[island_of(judge, i)],
                  judge->spins ? with_turn(speed, judge->item.turn_free + 3 * (size_t)i) : speed);
        }
    }
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        const double u = judge->item.u_free[3 * (size_t)report->contacts + (size_t)j];
        const bool acts = (u < 0.0 && row->high > 0.0) || (u > 0.0 && row->low < 0.0);
        if (acts || row->r != 0.0) {
            raise(&judge->island.V[island_of(judge, report->contacts + j)], fabs(u));
        }
    }
}

void ut_certify_scale(Judge* judge)
{
    const int ntree = judge->model->ntree;
    const double gravity_speed = judge->report->h * ut_vec3_norm(judge->report->gravity);
    for (int t = 0; t < ntree; t++) {
        judge->island.V[t] = ut_larger(SMALLEST_V, gravity_speed);
        judge->island.speed[t] = 0.0;
        judge->island.largest_trace[2 * t] = judge->island.largest_trace[2 * t + 1] = 0.0;
    }
    find_bases(judge);
    find_velocities(judge, judge->zero, judge->report->mocap_velocity, judge->item.b);
    ut_certify_turns(judge, true, judge->item.turn_b);
    find_velocities(judge, judge->motion.v_free, judge->report->mocap_velocity, judge->item.u_free);
    ut_certify_turns(judge, true, judge->item.turn_free);
    find_speeds(judge, judge->motion.v_free);
    find_largest_traces(judge);
    raise_V_to_free_velocities(judge);
    for (int t = 0; t < ntree; t++) {
        raise(&judge->island.V[t], SPEED_FRACTION * judge->island.speed[t]);
    }
    if (judge->report->contacts + judge->report->rows > 0) {
        find_velocities(judge, judge->v_next, judge->report->mocap_velocity, judge->item.u);
        ut_certify_turns(judge, true, judge->item.turn);
    }
}
