// SPDX-License-Identifier: Apache-2.0
// Rows by what they act on: the velocities of a joint, two bodies, or any velocities of any trees.
#ifndef UPTACK_REPORT_ROW_TERMS_H
#define UPTACK_REPORT_ROW_TERMS_H

#include <uptack/report.h>

/// Does a row act between two bodies?
static inline bool ut_row_has_bodies(const utRow* row)
{
    return row->dof < 0 && row->terms == 0;
}

/// Is a row the limit of a joint, an equality or a tendon?
static inline bool ut_row_is_limit(const utRow* row)
{
    return row->kind <= UT_ROW_BALL || row->kind == UT_ROW_TENDON_LOWER ||
           row->kind == UT_ROW_TENDON_UPPER;
}

/// Is a row a constraint u = 0 whose position error has to vanish?
static inline bool ut_row_is_equality(const utRow* row)
{
    return row->kind == UT_ROW_EQUALITY || row->kind == UT_ROW_COUPLING;
}

/// J v of a row with terms.
static inline double ut_row_terms_velocity(const utRow* row, const double* v)
{
    double sum = 0.0;
    for (int k = 0; k < row->terms; k++) {
        sum += row->coefficient[k] * v[row->index[k]];
    }
    return row->length * sum;
}

/// g += J' r of a row with terms.
static inline void ut_row_terms_impulse(const utRow* row, double r, double* g)
{
    for (int k = 0; k < row->terms; k++) {
        g[row->index[k]] += row->length * row->coefficient[k] * r;
    }
}

/// The tree of the first term at *k, which moves on to the first term of the next tree. A tree's
/// velocities follow each other and so do its terms.
static inline int ut_row_terms_tree(const utModel* model, const utRow* row, int* k)
{
    const int tree = model->body[model->dof_body[row->index[*k]]].tree;
    const int end = model->tree[tree].dof + model->tree[tree].dofs;
    while (*k < row->terms && row->index[*k] < end) {
        (*k)++;
    }
    return tree;
}

/// The trees that a row acts on, one per call. A tree on both sides of a row is returned once.
/// @param cursor 0 before the first call @return -1: there are no more
static inline int ut_row_next_tree(const utModel* model, const utRow* row, int* cursor)
{
    if (row->terms > 0) {
        return *cursor < row->terms ? ut_row_terms_tree(model, row, cursor) : -1;
    }
    if (row->dof >= 0) {
        return (*cursor)++ == 0 ? model->body[model->dof_body[row->dof]].tree : -1;
    }
    const int one = model->body[row->body1].tree, two = model->body[row->body2].tree;
    int tree = -1;
    while (tree < 0 && *cursor < 2) {
        tree = (*cursor)++ == 0 ? one : two != one ? two : -1;
    }
    return tree;
}

#endif
