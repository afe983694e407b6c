// How easily contacts and rows move: tr(A_ii), A = J M̂^-1 J', by pushing on each.
//
// Bodies that are free have 1/m + (x × d) . I^-1 (x × d) along d at the lever x. All others are
// pushed by unit impulses and answer by articulated bodies; contacts and rows of different trees
// are pushed together, so that there are as many pushes as the busiest tree has contacts and rows.
#include <string.h>

#include "internal.h"

static bool needs_push(const Judge* judge, int tree)
{
    return tree >= 0 && !plain_free(judge, tree);
}

// The trees of a contact or row that have to be pushed, each once; -1 for none.
static void pushed_trees(const Judge* judge, int item, int tree[2])
{
    const int contacts = judge->report->contacts;
    tree[0] = tree[1] = -1;
    for (int side = 0; side < 2; side++) {
        const int t = item_tree(judge, item, side);
        const bool pushed = item >= contacts ? t >= 0 : needs_push(judge, t);
        tree[side] = pushed && !(side == 1 && t == tree[0]) ? t : -1;
    }
}

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
                                  &judge->side[2 * i + side]) &&
                       good;
            }
        }
    }
    return good;
}

// ---- pushes -------------------------------------------------------------------------------------

// Choose contacts and rows that share no tree, in order. @return how many; stamp[tree] is the
// chosen one
static int choose(Judge* judge, int items)
{
    int count = 0;
    for (int t = 0; t < judge->model->ntree; t++) {
        judge->stamp[t] = -1;
    }
    for (int item = 0; item < items; item++) {
        int tree[2];
        pushed_trees(judge, item, tree);
        const bool none = tree[0] < 0 && tree[1] < 0;
        const bool taken = (tree[0] >= 0 && judge->stamp[tree[0]] >= 0) ||
                           (tree[1] >= 0 && judge->stamp[tree[1]] >= 0);
        if (judge->done[item] || none || taken) {
            continue;
        }
        for (int side = 0; side < 2; side++) {
            if (tree[side] >= 0) {
                judge->stamp[tree[side]] = item;
            }
        }
        judge->done[item] = true;
        count++;
    }
    return count;
}

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

static void push_row(Judge* judge, int j)
{
    const utRow* row = &judge->report->row[j];
    for (int side = 0; side < 2; side++) {
        const int tree = row_tree(judge, j, side);
        if (tree < 0 || judge->stamp[tree] != judge->report->contacts + j) {
            continue;
        }
        for (int k = 0; row->dof >= 0 && k < row->dofs; k++) {
            judge->work[row->dof + k] = row->length * row->direction[k];
        }
        if (row->dof < 0 && side == 0) {
            push_body(judge, row->body1, row->point1, ut_vec3_negate(row->linear),
                      ut_vec3_negate(row->angular));
        } else if (row->dof < 0) {
            push_body(judge, row->body2, row->point2, row->linear, row->angular);
        }
    }
}

// work = J'd of the chosen contacts along their axis d, and J' of the chosen rows with the first.
static void push(Judge* judge, int axis)
{
    const utStepReport* report = judge->report;
    memset(judge->work, 0, (size_t)judge->model->nv * sizeof *judge->work);
    for (int i = 0; i < report->contacts; i++) {
        for (int side = 0; side < 2; side++) {
            const int tree = contact_tree(judge, i, side);
            if (tree >= 0 && judge->stamp[tree] == i) {
                const utVec3 d = report->contact[i].frame[axis];
                push_body(judge, contact_body(judge, i, side), report->contact[i].point,
                          side == 0 ? ut_vec3_negate(d) : d, ut_vec3_zero());
            }
        }
    }
    for (int j = 0; axis == 0 && j < report->rows; j++) {
        push_row(judge, j);
    }
}

// Add d . A d of the chosen. @param acts ntree, work
static utStatus answer(Judge* judge, bool* acts, utArena scratch)
{
    const utModel* model = judge->model;
    for (int t = 0; t < model->ntree; t++) {
        acts[t] = judge->stamp[t] >= 0;
    }
    UT_TRY(
        ut_dyn_respond(&judge->heavy, judge->work, judge->extra, acts, scratch, judge->more_work));
    for (int t = 0; t < model->ntree; t++) {
        const utModelTree* tree = &model->tree[t];
        const int item = judge->stamp[t];
        const int side = acts[t] && item_tree(judge, item, 0) != t ? 1 : 0;
        for (int i = tree->dof; acts[t] && i < tree->dof + tree->dofs; i++) {
            judge->side[2 * item + side] += judge->work[i] * judge->more_work[i];
        }
    }
    return UT_OK;
}

utStatus ut_certify_traces(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const int items = report->contacts + report->rows;
    memset(judge->side, 0, (size_t)(2 * items) * sizeof *judge->side);
    memset(judge->done, 0, (size_t)items * sizeof *judge->done);
    bool* acts = UT_PUSH(&scratch, bool, judge->model->ntree);
    if (acts == NULL) {
        return UT_ERR_CAPACITY;
    }
    if (!add_free_traces(judge)) {
        return UT_ERR_ARGUMENT;
    }
    while (choose(judge, items) > 0) {
        for (int axis = 0; axis < contact_rows(judge); axis++) {
            push(judge, axis);
            UT_TRY(answer(judge, acts, scratch));
        }
    }
    for (int item = 0; item < items; item++) {
        const int row = item - report->contacts;
        judge->trace[item] = judge->side[2 * item] + judge->side[2 * item + 1];
        judge->trace[item] += row >= 0 ? report->row[row].compliance : 0.0;
    }
    return UT_OK;
}
