// How easily contacts and rows move: tr(A_ii), A = J M̂^-1 J', by pushing on each.
//
// Bodies that are free have 1/m + (x × d) . I^-1 (x × d) along d at the lever x. All others are
// pushed by unit impulses and answer by articulated bodies, which are eliminated once.
#include <string.h>

#include "internal.h"

// ---- free bodies --------------------------------------------------------------------------------

// @return false when its inertia is singular
static bool free_trace(const Judge* judge, int body, const utContact* c, double* trace)
{
    const utModelBody* b = &judge->model->body[body];
    const utMat3 R = judge->touch.body[body].R;
    const utVec3 lever = ut_vec3_sub(c->point, judge->touch.com[body]);
    utMat3 inverse;
    if (!(b->mass > 0.0) || !ut_mat3_inverse_symmetric(b->inertia, &inverse)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        const utVec3 turn = ut_mat3_tmul_vec(R, ut_vec3_cross(lever, c->frame[k]));
        *trace += 1.0 / b->mass + ut_vec3_dot(turn, ut_mat3_mul_vec(inverse, turn));
    }
    return true;
}

static bool add_free_traces(Judge* judge)
{
    const utStepReport* report = judge->report;
    bool good = true;
    for (int i = 0; i < report->contacts; i++) {
        for (int side = 0; side < 2; side++) {
            const int tree = contact_tree(judge, i, side);
            if (tree >= 0 && plain_free(judge, tree)) {
                good = free_trace(judge, contact_body(judge, i, side), &report->contact[i],
                                  &judge->trace[i]) &&
                       good;
            }
        }
    }
    return good;
}

// ---- pushes -------------------------------------------------------------------------------------

// work += J'd of a force d at a point of a body and a torque, over the velocities that move it.
static void push_body(Judge* judge, int body, utVec3 point, utVec3 d, utVec3 turn)
{
    const utModel* model = judge->model;
    const utVec3 origin = judge->touch.origin[model->body[body].tree];
    const utVec3 torque = ut_vec3_cross(ut_vec3_sub(point, origin), d);
    const utForce wrench = ut_force(d, ut_vec3_add(torque, turn));
    for (int k = model->body[body].last_dof; k >= 0; k = model->dof_parent[k]) {
        judge->work[k] += ut_force_power(wrench, judge->touch.axis[k]);
    }
}

// work . M̂^-1 work of what was pushed on two bodies; work is 0 then.
static double answer(Judge* judge, utForward* factor, const int body[2])
{
    const double sum = ut_dyn_mobility(&judge->heavy, factor, judge->work, body);
    for (int side = 0; side < 2; side++) {
        const int last = body[side] >= 0 ? judge->model->body[body[side]].last_dof : -1;
        for (int k = last; k >= 0; k = judge->model->dof_parent[k]) {
            judge->work[k] = 0.0;
        }
    }
    return sum;
}

static double contact_trace(Judge* judge, utForward* factor, int i)
{
    const utContact* c = &judge->report->contact[i];
    double trace = 0.0;
    int body[2];
    for (int side = 0; side < 2; side++) {
        const int tree = contact_tree(judge, i, side);
        const bool pushed = tree >= 0 && !plain_free(judge, tree);
        body[side] = pushed ? contact_body(judge, i, side) : -1;
    }
    for (int axis = 0; axis < contact_rows(judge) && (body[0] >= 0 || body[1] >= 0); axis++) {
        for (int side = 0; side < 2; side++) {
            if (body[side] >= 0) {
                const utVec3 d = c->frame[axis];
                push_body(judge, body[side], c->point, side == 0 ? ut_vec3_negate(d) : d,
                          ut_vec3_zero());
            }
        }
        trace += answer(judge, factor, body);
    }
    return trace;
}

static double row_trace(Judge* judge, utForward* factor, int j)
{
    const utRow* row = &judge->report->row[j];
    int body[2] = {-1, -1};
    if (row->dof >= 0) {
        body[0] = judge->model->dof_body[row->dof];
        for (int k = 0; k < row->dofs; k++) {
            judge->work[row->dof + k] = row->length * row->direction[k];
        }
        return answer(judge, factor, body);
    }
    for (int side = 0; side < 2; side++) {
        body[side] = row_tree(judge, j, side) < 0 ? -1 : side == 0 ? row->body1 : row->body2;
    }
    if (body[0] >= 0) {
        push_body(judge, body[0], row->point1, ut_vec3_negate(row->linear),
                  ut_vec3_negate(row->angular));
    }
    if (body[1] >= 0) {
        push_body(judge, body[1], row->point2, row->linear, row->angular);
    }
    return answer(judge, factor, body);
}

utStatus ut_certify_traces(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const int items = report->contacts + report->rows;
    memset(judge->trace, 0, (size_t)items * sizeof *judge->trace);
    memset(judge->work, 0, (size_t)judge->model->nv * sizeof *judge->work);
    if (!add_free_traces(judge)) {
        return UT_ERR_ARGUMENT;
    }
    utForward* factor = NULL;
    UT_TRY(ut_dyn_eliminate(&judge->heavy, judge->extra, &scratch, &factor));
    for (int i = 0; i < report->contacts; i++) {
        judge->trace[i] += contact_trace(judge, factor, i);
    }
    for (int j = 0; j < report->rows; j++) {
        judge->trace[report->contacts + j] =
            row_trace(judge, factor, j) + report->row[j].compliance;
    }
    return UT_OK;
}
