// SPDX-License-Identifier: Apache-2.0
// Islands, the velocities of contacts and rows, and the velocity V that errors of an island are
// measured by.
#include "internal.h"

static const double SLOWEST = 1e-9; // m/s, the least V
static const double SHARE = 1e-5; // of the largest speed: what rounding leaves of it counts little

// ---- islands ------------------------------------------------------------------------------------

static int first_of(int* group, int tree)
{
    while (group[tree] != tree) {
        group[tree] = group[group[tree]];
        tree = group[tree];
    }
    return tree;
}

void ut_certify_group(Judge* judge)
{
    int* group = judge->group;
    for (int t = 0; t < judge->model->ntree; t++) {
        group[t] = t;
    }
    for (int i = 0; i < judge->report->contacts + judge->report->rows; i++) {
        const int one = item_tree(judge, i, 0);
        const int two = item_tree(judge, i, 1);
        if (one < 0 || two < 0) {
            continue;
        }
        const int a = first_of(group, one);
        const int b = first_of(group, two);
        group[a > b ? a : b] = a < b ? a : b;
    }
    for (int t = 0; t < judge->model->ntree; t++) {
        group[t] = first_of(group, t);
    }
}

// ---- velocities ---------------------------------------------------------------------------------

// What a row sees of the velocities; touch is moved.
static double row_velocity(const Judge* judge, const utRow* row, const double* v)
{
    double sum = 0.0;
    for (int k = 0; row->dof >= 0 && k < row->dofs; k++) {
        sum += row->direction[k] * v[row->dof + k];
    }
    if (row->dof >= 0) {
        return row->length * sum;
    }
    const utKinematics* kin = &judge->touch;
    const utVec3 one = ut_point_velocity(kin, row->body1, row->point1);
    const utVec3 two = ut_point_velocity(kin, row->body2, row->point2);
    const utVec3 turn =
        ut_vec3_sub(kin->velocity[row->body2].angular, kin->velocity[row->body1].angular);
    return ut_vec3_dot(row->linear, ut_vec3_sub(two, one)) + ut_vec3_dot(row->angular, turn);
}

void ut_certify_changes(Judge* judge, const double* v, const utMotion* mocap, double* u)
{
    const utStepReport* report = judge->report;
    const int rows = contact_rows(judge);
    ut_kinematics_move(&judge->touch, v, mocap);
    for (int i = 0; i < report->contacts; i++) {
        const utContact* c = &report->contact[i];
        const utVec3 one = ut_point_velocity(&judge->touch, contact_body(judge, i, 0), c->point);
        const utVec3 two = ut_point_velocity(&judge->touch, contact_body(judge, i, 1), c->point);
        for (int k = 0; k < 3; k++) {
            u[3 * i + k] = k < rows ? ut_vec3_dot(c->frame[k], ut_vec3_sub(two, one)) : 0.0;
        }
    }
    for (int j = 0; j < report->rows; j++) {
        u[3 * report->contacts + j] = row_velocity(judge, &report->row[j], v);
    }
}

static void add_belts(const Judge* judge, double* u)
{
    for (int i = 0; i < judge->report->contacts; i++) {
        const utContact* c = &judge->report->contact[i];
        const utVec3 belts = ut_certify_belts(judge, c);
        for (int k = 1; k < contact_rows(judge); k++) {
            u[3 * i + k] += ut_vec3_dot(c->frame[k], belts);
        }
    }
}

static void find_velocities(Judge* judge, const double* v, const utMotion* mocap, double* u)
{
    const utStepReport* report = judge->report;
    ut_certify_changes(judge, v, mocap, u);
    add_belts(judge, u);
    for (int i = 0; i < report->contacts; i++) {
        for (int k = 0; k < contact_rows(judge); k++) {
            u[3 * i + k] += judge->base[3 * i + k];
        }
    }
    for (int j = 0; j < report->rows; j++) {
        u[3 * report->contacts + j] += judge->base[3 * report->contacts + j];
    }
}

void ut_certify_velocities(Judge* judge, const double* v, double* u)
{
    find_velocities(judge, v, judge->report->mocap_velocity, u);
}

// gap / h as the formulation has it, and b of rows; re-linearised, of contacts and of rows between
// bodies, less what v_ahead and mocap bodies have covered of it.
static void find_bases(Judge* judge)
{
    const utStepReport* report = judge->report;
    for (int i = 0; i < report->contacts; i++) {
        judge->base[3 * i + 1] = judge->base[3 * i + 2] = 0.0;
        judge->base[3 * i] = report->v_ahead != NULL
                                 ? report->contact[i].gap / report->h
                                 : ut_certify_gap_velocity(judge, report->contact[i].gap);
    }
    for (int j = 0; j < report->rows; j++) {
        judge->base[3 * report->contacts + j] = ut_certify_row_b(judge, j);
    }
    if (report->v_ahead != NULL) {
        find_velocities(judge, report->v_ahead,
                        report->mocap_ahead != NULL ? judge->mocap_done : report->mocap_velocity,
                        judge->u);
        for (int j = 0; j < report->rows; j++) {
            double* base = &judge->base[3 * report->contacts + j];
            const utRowKind kind = report->row[j].kind;
            if (report->row[j].dof < 0 && (kind == UT_ROW_EQUALITY || kind <= UT_ROW_BALL)) {
                *base -= judge->u[3 * report->contacts + j] - *base;
            }
        }
        for (int i = 0; i < report->contacts; i++) {
            judge->base[3 * i] -= judge->u[3 * i] - judge->base[3 * i];
        }
    }
    if (judge->formulation.acceleration || judge->impacts) {
        ut_certify_changes(judge, judge->v, report->mocap_velocity, judge->before);
        add_belts(judge, judge->before);
    }
    if (judge->formulation.acceleration) {
        ut_certify_accelerations(judge);
    }
    // what bounces has its rebound in place of a gap
    for (int i = 0; judge->impacts && i < report->contacts; i++) {
        judge->gap[i] = judge->base[3 * i];
        if (is_thrown(judge, i)) {
            judge->base[3 * i] = -report->contact[i].rebound;
        }
    }
}

// ---- the scale ----------------------------------------------------------------------------------

static void raise(double* x, double candidate)
{
    *x = larger(*x, candidate);
}

// The largest speed of a contact's or joint's point of each island, and of joints times their
// reach. touch is moved.
static void find_speeds(Judge* judge, const double* v)
{
    const utModel* model = judge->model;
    for (int j = 0; j < model->njoint; j++) {
        const int body = model->joint[j].body;
        const utVec3 at = ut_point_velocity(&judge->touch, body, judge->touch.anchor[j]);
        raise(&judge->speed[judge->group[model->body[body].tree]], ut_vec3_norm(at));
    }
    for (int i = 0; i < model->nv; i++) {
        const int tree = model->body[model->dof_body[i]].tree;
        raise(&judge->speed[judge->group[tree]], dof_length(model, i) * fabs(v[i]));
    }
    for (int i = 0; i < judge->report->contacts; i++) {
        for (int side = 0; side < 2; side++) {
            const utVec3 at = ut_point_velocity(&judge->touch, contact_body(judge, i, side),
                                                judge->report->contact[i].point);
            raise(&judge->speed[island_of(judge, i)], ut_vec3_norm(at));
        }
    }
}

static void find_largest_traces(Judge* judge)
{
    const utStepReport* report = judge->report;
    for (int item = 0; item < report->contacts + report->rows; item++) {
        const int kind = item < report->contacts ? 0 : 1;
        raise(&judge->trace_most[2 * island_of(judge, item) + kind], judge->trace[item]);
    }
}

// Contacts that would close or carry an impulse count, and rows that would act or do.
static void find_loads(Judge* judge)
{
    const utStepReport* report = judge->report;
    for (int i = 0; i < report->contacts; i++) {
        const double* u = judge->u_free + 3 * (size_t)i;
        const double* r = report->contact[i].r;
        if (u[0] < 0.0 || r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0) {
            raise(&judge->V[island_of(judge, i)], ut_vec3_norm(load3(u)));
        }
    }
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        const double u = judge->u_free[3 * (size_t)report->contacts + (size_t)j];
        const bool acts = (u < 0.0 && row->high > 0.0) || (u > 0.0 && row->low < 0.0);
        if (acts || row->r != 0.0) {
            raise(&judge->V[island_of(judge, report->contacts + j)], fabs(u));
        }
    }
}

void ut_certify_scale(Judge* judge)
{
    const int ntree = judge->model->ntree;
    const double fall = judge->report->h * ut_vec3_norm(judge->report->gravity);
    for (int t = 0; t < ntree; t++) {
        judge->V[t] = larger(SLOWEST, fall);
        judge->speed[t] = 0.0;
        judge->trace_most[2 * t] = judge->trace_most[2 * t + 1] = 0.0;
    }
    find_bases(judge);
    ut_certify_velocities(judge, judge->zero, judge->b);
    ut_certify_velocities(judge, judge->v_free, judge->u_free);
    find_speeds(judge, judge->v_free);
    find_largest_traces(judge);
    find_loads(judge);
    for (int t = 0; t < ntree; t++) {
        raise(&judge->V[t], SHARE * judge->speed[t]);
    }
    ut_certify_velocities(judge, judge->v_next, judge->u);
}
