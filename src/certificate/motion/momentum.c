// SPDX-License-Identifier: Apache-2.0
// What is left of the equations of motion, tree by tree: each is measured by what it has itself, so
// that a heavy or fast body hides nothing of a light or slow one, in its island or in another.
//
//     left   |M̂ (v+ - v*) - J'r| and the residual of the stage, in the M̂^-1 norm
//     scale  |M̂ v*| + the sum of |J_i'r_i| over contacts and rows, at least h |M g|
//
// Impulses that cancel count one by one: what is left of them is known to their rounding only.
#include "certificate/internal.h"

// of each tree
typedef struct Norms {
    double* left;
    double* scale;
} Norms;

// Rounding may leave a sum of squares below 0; a NaN stays what it is.
static double root(double square)
{
    return square < 0.0 ? 0.0 : sqrt(square);
}

// |x| of a tree in the M̂^-1 norm
static double norm_of(const Judge* judge, int tree, const double* x, const double* M_inverse_x)
{
    const utModelTree* t = &judge->model->tree[tree];
    double square = 0.0;
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        square += x[i] * M_inverse_x[i];
    }
    return root(square);
}

// |J_i'r_i| of every contact and row, at the trees that it pushes: at most |r_i| sqrt(tr A_ii)
static void add_impulses(const Judge* judge, double* scale)
{
    const utStepReport* report = judge->report;
    for (int item = 0; item < report->contacts + report->rows; item++) {
        const double r = item < report->contacts ? ut_vec3_norm(load3(report->contact[item].r))
                                                 : fabs(report->row[item - report->contacts].r);
        for (int side = 0; side < 2; side++) {
            const int tree = item_tree(judge, item, side);
            if (tree >= 0) {
                scale[tree] += r * root(judge->side[2 * item + side]);
            }
        }
    }
}

utStatus ut_certify_momentum(Judge* judge, utArena scratch, double* momentum)
{
    const int ntree = judge->model->ntree;
    Norms norms = {UT_PUSH(&scratch, double, ntree), UT_PUSH(&scratch, double, ntree)};
    if (norms.left == NULL || norms.scale == NULL) {
        return UT_ERR_CAPACITY;
    }
    double* x = judge->work;
    double* y = judge->more_work;
    ut_kinematics_move(&judge->kin, judge->zero, NULL);
    UT_TRY(ut_certify_mass(judge, judge->v_free, scratch, x));
    for (int t = 0; t < ntree; t++) {
        norms.left[t] = larger(norm_of(judge, t, judge->residual, judge->off),
                               norm_of(judge, t, judge->stage, judge->stage_off));
        norms.scale[t] = norm_of(judge, t, x, judge->v_free);
    }
    add_impulses(judge, norms.scale);
    UT_TRY(ut_dyn_inverse(&judge->kin, judge->zero, judge->report->gravity, NULL, scratch, x));
    UT_TRY(ut_certify_respond(judge, x, scratch, y));
    *momentum = 0.0;
    for (int t = 0; t < ntree; t++) {
        const double scale = larger(norms.scale[t], judge->report->h * norm_of(judge, t, x, y));
        *momentum = norms.left[t] != 0.0 ? larger(*momentum, norms.left[t] / scale) : *momentum;
    }
    return UT_OK;
}
