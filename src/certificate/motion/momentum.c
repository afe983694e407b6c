// SPDX-License-Identifier: Apache-2.0
// Residuals of the equations of motion per tree. Each tree has its own scale, because a heavy or
// fast body would otherwise hide errors of a light or slow one.
//
//     residual  |M̂ (v+ - v*) - J'r| and the residual of the stage, in the M̂^-1 norm
//     scale     |M̂ v*| + the sum of |J_i'r_i| over contacts and rows, at least h |M g|
//
// The scale sums the norms of the impulses, because impulses that cancel leave their rounding.
#include "certificate/internal.h"

// Square root; 0 for a sum of squares that rounding left below 0. A NaN stays a NaN.
static double root(double square)
{
    return square < 0.0 ? 0.0 : sqrt(square);
}

// |x| of a tree in the M̂^-1 norm.
static double norm_of(const Judge* judge, int tree, const double* x, const double* M_inverse_x)
{
    const utModelTree* t = &judge->model->tree[tree];
    double square = 0.0;
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        square += x[i] * M_inverse_x[i];
    }
    return root(square);
}

// Add |J_j'r_j| of rows with terms, tree by tree.
static void add_impulses_of_terms(const Judge* judge, double* scale)
{
    const double* trace = judge->item.term_trace;
    for (int j = 0; j < judge->report->rows; j++) {
        const utRow* row = &judge->report->row[j];
        for (int k = 0; k < row->terms;) {
            const double square = trace[k];
            scale[ut_row_terms_tree(judge->model, row, &k)] += fabs(row->r) * root(square);
        }
        trace += row->terms;
    }
}

// |r_i| of a contact.
static double contact_impulse(const Judge* judge, const utContact* c)
{
    const double r = ut_vec3_norm(load3(c->r));
    if (!contact_spins(c)) {
        return r;
    }
    const double torque = ut_vec3_norm(load3(c->torque)) / ut_certify_length(judge, c);
    return sqrt(r * r + torque * torque);
}

// Add |J_i'r_i| <= |r_i| sqrt(tr A_ii) of every contact and row to the trees on which it acts.
static void add_impulses(const Judge* judge, double* scale)
{
    const utStepReport* report = judge->report;
    add_impulses_of_terms(judge, scale);
    for (int item = 0; item < report->contacts + report->rows; item++) {
        if (item >= report->contacts && report->row[item - report->contacts].terms > 0) {
            continue;
        }
        const double r = item < report->contacts ? contact_impulse(judge, &report->contact[item])
                                                 : fabs(report->row[item - report->contacts].r);
        for (int side = 0; side < 2; side++) {
            const int tree = item_tree(judge, item, side);
            if (tree >= 0) {
                scale[tree] += r * root(judge->item.side_trace[2 * item + side]);
            }
        }
    }
}

// The generalized weights of all bodies, less their gravity compensation.
static utStatus find_weights(Judge* judge, utArena scratch, double* weight)
{
    utForce* of_body = judge->motion.rounded_impulse; // not needed any more
    for (int b = 0; b < judge->model->nbody; b++) {
        const utModelBody* body = &judge->model->body[b];
        const utVec3 g = ut_dyn_body_gravity(body, judge->report->gravity);
        of_body[b] = ut_force(ut_vec3_scale(g, body->mass), ut_vec3_zero());
    }
    return ut_dyn_joint_forces(&judge->kin_start, of_body, scratch, weight);
}

// Is the scale of every tree certainly at least h |M g|? J'w of the weights w_b = m_b g_b has the
// squared norm w.J M̂^-1 J'w, at most w.D^-1 w = the sum of m_b |g_b|^2, where D has the masses:
// J M̂^-1 J' <= D^-1 because M̂ is J'D J and more.
static bool exceed_weights(const Judge* judge, const double* scale)
{
    const utModel* model = judge->model;
    bool exceed = true;
    for (int t = 0; t < model->ntree && exceed; t++) {
        const utModelTree* tree = &model->tree[t];
        double square = 0.0;
        for (int b = tree->body; b < tree->body + tree->bodies; b++) {
            const utVec3 g = ut_dyn_body_gravity(&model->body[b], judge->report->gravity);
            square += model->body[b].mass * ut_vec3_dot(g, g);
        }
        exceed = scale[t] > ABOVE_ROUNDING * judge->report->h * sqrt(square);
    }
    return exceed;
}

utStatus ut_certify_momentum(Judge* judge, utArena scratch, double* momentum)
{
    const int ntree = judge->model->ntree;
    double* residual = UT_PUSH(&scratch, double, ntree);
    double* scale = UT_PUSH(&scratch, double, ntree);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    double* x = judge->temp;
    double* y = judge->temp2;
    UT_TRY(ut_certify_apply_mass(judge, judge->motion.v_free, scratch, x));
    for (int t = 0; t < ntree; t++) {
        residual[t] =
            ut_larger(norm_of(judge, t, judge->motion.residual, judge->motion.v_error),
                      norm_of(judge, t, judge->motion.stage_residual, judge->motion.stage_error));
        scale[t] = norm_of(judge, t, x, judge->motion.v_free);
    }
    add_impulses(judge, scale);
    const bool needs_weights = !exceed_weights(judge, scale);
    if (needs_weights) {
        UT_TRY(find_weights(judge, scratch, x));
        ut_certify_apply_inverse_mass(judge, x, y);
    }
    *momentum = 0.0;
    for (int t = 0; t < ntree; t++) {
        const double least = needs_weights ? judge->report->h * norm_of(judge, t, x, y) : 0.0;
        if (residual[t] != 0.0) {
            *momentum = ut_larger(*momentum, residual[t] / ut_larger(scale[t], least));
        }
    }
    return UT_OK;
}
