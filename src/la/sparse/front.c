// SPDX-License-Identifier: Apache-2.0
// Factorization and solves, front after front, children first.
//
// A front starts with the blocks of T A T in the rows and columns of its pivots, adds the Schur
// complements of its children, eliminates its pivots (internal.h) and passes its Schur complement C
// to its parent. With T A T = L U, the rows of pivots go to U and their columns to L, stored as
// rows of G = L^T.
#include "la/internal.h"
#include "la/dense/kernel.h"
#include "la/scalar.h"
#include "symbolic.h"

#include <math.h>
#include <string.h>

// relative to the largest entry in a front's rows: a smaller pivot is rounding
static const double TINY_PIVOT = 1e-14;

// A front with its arrays.
typedef struct Dense {
    int ld;  // width of U
    int ldc; // width of G and C
    double* U;
    double* G;
    double* C;
} Dense;

static Dense dense(const Sparse* s, const SparseFront* front)
{
    const int ldc = padded(front->below);
    return (Dense){
        .ld = padded(front->pivots) + ldc,
        .ldc = ldc,
        .U = s->factor + front->U,
        .G = s->factor + front->G,
        .C = s->update + front->C,
    };
}

// ---- the blocks of A ----------------------------------------------------------------------------

// to = T from T for a block of `rows` rows
static inline void copy_rows(int rows, int columns, const double* from, const double* t_row,
                             const double* t_column, double* to, int ld)
{
    for (int i = 0; i < rows; i++, from += columns, to += ld) {
        for (int j = 0; j < columns; j++) {
            to[j] = from[j] * (t_row[i] * t_column[j]);
        }
    }
}

// to = (T from T)^T, for a block `from` of `columns` rows
static inline void copy_transposed(int rows, int columns, const double* from, const double* t_row,
                                   const double* t_column, double* to, int ld)
{
    for (int i = 0; i < rows; i++, to += ld) {
        for (int j = 0; j < columns; j++) {
            to[j] = from[(ptrdiff_t)j * rows + i] * (t_row[i] * t_column[j]);
        }
    }
}

// Bodies have six unknowns: loops of known length are faster.
static void put(int rows, int columns, bool transposed, const double* from, const double* t_row,
                const double* t_column, double* to, int ld)
{
    const bool body = rows == 6 && columns == 6;
    if (!transposed && body) {
        copy_rows(6, 6, from, t_row, t_column, to, ld);
    } else if (!transposed) {
        copy_rows(rows, columns, from, t_row, t_column, to, ld);
    } else if (body) {
        copy_transposed(6, 6, from, t_row, t_column, to, ld);
    } else {
        copy_transposed(rows, columns, from, t_row, t_column, to, ld);
    }
}

static void put_diagonal(const Sparse* s, const SparseFront* front, const Dense* f)
{
    for (int k = front[0].node; k < front[1].node; k++) {
        const int a = s->plan.order[k];
        const int size = s->offset[a + 1] - s->offset[a];
        const int at = s->plan.position[a] - front->at;
        const double* t = s->scale + s->offset[a];
        double* to = f->U + entry(f->ld, at, at);
        put(size, size, false, s->block + s->diagonal[a], t, t, to, f->ld);
        for (int i = 0; i < size; i++) {
            to[entry(f->ld, i, i)] += s->shift;
        }
    }
}

// Symmetric A: A(earlier, later), or the transpose of A(later, earlier) if later has a lower index.
static void put_beside_symmetric(const Sparse* s, const SparseFront* front, const Dense* f)
{
    for (int k = front[0].pair; k < front[1].pair; k++) {
        const SparseCouple* c = &s->plan.couple[k];
        const int rows = s->offset[c->earlier + 1] - s->offset[c->earlier];
        const int columns = s->offset[c->later + 1] - s->offset[c->later];
        const bool turned = c->earlier > c->later;
        put(rows, columns, turned, s->block + (turned ? c->lower : c->upper),
            s->scale + s->offset[c->earlier], s->scale + s->offset[c->later],
            f->U + entry(f->ld, c->row, c->column), f->ld);
    }
}

// A of any kind: A(earlier, later), and A(later, earlier) in U if both are pivots, else in G.
static void put_beside(const Sparse* s, const SparseFront* front, const Dense* f)
{
    const int wide = f->ld - f->ldc;
    for (int k = front[0].pair; k < front[1].pair; k++) {
        const SparseCouple* c = &s->plan.couple[k];
        const int rows = s->offset[c->earlier + 1] - s->offset[c->earlier];
        const int columns = s->offset[c->later + 1] - s->offset[c->later];
        const double* t_row = s->scale + s->offset[c->earlier];
        const double* t_column = s->scale + s->offset[c->later];
        const double* lower = s->block + c->lower;
        put(rows, columns, false, s->block + c->upper, t_row, t_column,
            f->U + entry(f->ld, c->row, c->column), f->ld);
        if (c->column < wide) {
            put(columns, rows, false, lower, t_column, t_row,
                f->U + entry(f->ld, c->column, c->row), f->ld);
        } else {
            put(rows, columns, true, lower, t_row, t_column,
                f->G + entry(f->ldc, c->row, c->column - wide), f->ldc);
        }
    }
}

// ---- Schur complements --------------------------------------------------------------------------

static inline void add(int n, const double* from, double* to)
{
    for (int j = 0; j < n; j++) {
        to[j] += from[j];
    }
}

// Entry (row, column) of a front, in U or C.
static inline double* front_entry(const Dense* f, int row, int column)
{
    const int wide = f->ld - f->ldc;
    return row < wide ? f->U + entry(f->ld, row, column)
                      : f->C + entry(f->ldc, row - wide, column - wide);
}

static void add_child_symmetric(const SparseRun* run, int runs, const Dense* child, const Dense* f)
{
    for (int a = 0; a < runs; a++) {
        for (int i = 0; i < run[a].length; i++) {
            const int row = run[a].to + i;
            const double* from = child->C + entry(child->ldc, run[a].from + i, 0);
            double* to = front_entry(f, row, row);
            add(run[a].length - i, from + run[a].from + i, to);
            for (int b = a + 1; b < runs; b++) {
                add(run[b].length, from + run[b].from, to + (run[b].to - row));
            }
        }
    }
}

static void add_child(const SparseRun* run, int runs, const Dense* child, const Dense* f)
{
    const int wide = f->ld - f->ldc;
    for (int a = 0; a < runs; a++) {
        for (int i = 0; i < run[a].length; i++) {
            const double* from = child->C + entry(child->ldc, run[a].from + i, 0);
            const int row = run[a].to + i;
            for (int b = 0; b < runs; b++) {
                if (row < wide || run[b].to >= wide) {
                    add(run[b].length, from + run[b].from, front_entry(f, row, run[b].to));
                    continue;
                }
                for (int j = 0; j < run[b].length; j++) {
                    f->G[entry(f->ldc, run[b].to + j, row - wide)] += from[run[b].from + j];
                }
            }
        }
    }
}

static void clear(int rows, int width, double* A)
{
    memset(A, 0, (size_t)rows * (size_t)width * sizeof *A);
}

// Fill a front with its blocks of A.
static void begin(const Sparse* s, const SparseFront* front, const Dense* f)
{
    clear(front->pivots, f->ld, f->U);
    clear(front->below, f->ldc, f->C);
    put_diagonal(s, front, f);
    if (s->symmetric) {
        put_beside_symmetric(s, front, f);
    } else {
        clear(front->pivots, f->ldc, f->G);
        put_beside(s, front, f);
    }
}

static void add_children(const Sparse* s, const SparseFront* front, const Dense* f)
{
    for (int c = front->child; c >= 0; c = s->plan.front[c].sibling) {
        const SparseFront* child = &s->plan.front[c];
        const Dense from = dense(s, child);
        if (s->symmetric) {
            add_child_symmetric(s->plan.runs + child->run, child->runs, &from, f);
        } else {
            add_child(s->plan.runs + child->run, child->runs, &from, f);
        }
    }
}

// ---- factors ------------------------------------------------------------------------------------

// T with T A T of unit diagonal
static bool find_scale(Sparse* s)
{
    for (int a = 0; a < s->nodes; a++) {
        const int size = s->offset[a + 1] - s->offset[a];
        const double* block = s->block + s->diagonal[a];
        for (int i = 0; i < size; i++) {
            const double diagonal = fabs(block[entry(size, i, i)]);
            if (!isfinite(diagonal)) {
                return false;
            }
            s->scale[s->offset[a] + i] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 1.0;
        }
    }
    return true;
}

// The largest |entry| of rows x width entries; NaN when one is not finite.
static double largest_entry(const utLoops* loops, int rows, int width, const double* A)
{
    double largest = 0.0;
    for (int i = 0; i < rows; i += 64) {
        const double most = loops->max_abs(least(64, rows - i) * width, A + entry(width, i, 0));
        largest = most <= largest ? largest : most;
        if (isnan(largest)) {
            break;
        }
    }
    return largest;
}

static bool cholesky(Sparse* s)
{
    const utLoops* loops = ut_loops_widest();
    for (int k = 0; k < s->plan.fronts; k++) {
        const SparseFront* front = &s->plan.front[k];
        const Dense f = dense(s, front);
        begin(s, front, &f);
        add_children(s, front, &f);
        if (!loops->front_cholesky(front->pivots, front->below, f.U, f.ld, s->inverse + front->at,
                                   f.C, f.ldc)) {
            return false;
        }
    }
    const double inverse = ut_max_abs(s->n, s->inverse);
    s->least_pivot = 1.0 / (inverse * inverse);
    return true;
}

static bool lu(Sparse* s)
{
    const utLoops* loops = ut_loops_widest();
    double before = 0.0;
    double after = 0.0;
    double least_pivot = (double)INFINITY;
    for (int k = 0; k < s->plan.fronts; k++) {
        const SparseFront* front = &s->plan.front[k];
        const Dense f = dense(s, front);
        const int p = front->pivots;
        begin(s, front, &f);
        double largest = largest_entry(loops, p, f.ld, f.U);
        before = ut_larger(largest_entry(loops, p, f.ldc, f.G), ut_larger(largest, before));
        if (front->child >= 0) {
            add_children(s, front, &f);
            largest = largest_entry(loops, p, f.ld, f.U);
        }
        if (!loops->front_lu(p, front->below, f.U, f.ld, f.G, s->inverse + front->at,
                             s->swap + front->at, TINY_PIVOT * largest, f.C, f.ldc)) {
            return false;
        }
        after = ut_larger(largest_entry(loops, p, f.ld, f.U), after);
        after = ut_larger(largest_entry(loops, p, f.ldc, f.G), after);
        const double pivot = 1.0 / (largest * loops->max_abs(p, s->inverse + front->at));
        least_pivot = pivot >= least_pivot ? least_pivot : pivot;
        if (!isfinite(after)) {
            return false;
        }
    }
    s->growth = before > 0.0 ? after / before : 1.0;
    s->least_pivot = least_pivot;
    return true;
}

bool ut_sparse_factor(Sparse* sparse, bool symmetric)
{
    sparse->symmetric = symmetric;
    sparse->shift = 0.0;
    sparse->growth = 1.0;
    sparse->least_pivot = 0.0;
    if (!find_scale(sparse)) {
        return false;
    }
    if (!symmetric) {
        return lu(sparse);
    }
    // rounding may have made A indefinite: try again with a little more on the diagonal
    static const double shifts[] = {0.0, 1e-15, 1e-13, 1e-11};
    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
        sparse->shift = shifts[k];
        if (cholesky(sparse)) {
            return true;
        }
    }
    return false;
}

// ---- solves -------------------------------------------------------------------------------------

// y += x at the unknowns below the front
static void scatter_below(const Sparse* s, const SparseFront* front, const double* x, double* y)
{
    for (int k = front[0].row; k < front[1].row; k++) {
        const int a = s->plan.row[k];
        const int size = s->offset[a + 1] - s->offset[a];
        add(size, x, y + s->plan.position[a]);
        x += size;
    }
}

static void gather_below(const Sparse* s, const SparseFront* front, const double* y, double* x)
{
    for (int k = front[0].row; k < front[1].row; k++) {
        const int a = s->plan.row[k];
        const int size = s->offset[a + 1] - s->offset[a];
        memcpy(x, y + s->plan.position[a], (size_t)size * sizeof *x);
        x += size;
    }
}

// y = L^-1 y, front after front. @param x work: one row of the widest front
static void forward(const Sparse* s, double* y, double* x)
{
    const utLoops* loops = ut_loops_widest();
    for (int k = 0; k < s->plan.fronts; k++) {
        const SparseFront* front = &s->plan.front[k];
        const Dense f = dense(s, front);
        const size_t pivots = (size_t)front->pivots;
        memset(x + pivots, 0, ((size_t)f.ld - pivots) * sizeof *x);
        memcpy(x, y + front->at, pivots * sizeof *x);
        if (s->symmetric) {
            loops->front_forward(front->pivots, f.U, f.ld, s->inverse + front->at, x);
        } else {
            loops->front_forward_lu(front->pivots, f.U, f.ld, f.G, f.ldc, s->swap + front->at, x);
        }
        memcpy(y + front->at, x, pivots * sizeof *x);
        scatter_below(s, front, x + (f.ld - f.ldc), y);
    }
}

// y = U^-1 y, in reverse order. @param x as in forward
static void backward(const Sparse* s, double* y, double* x)
{
    const utLoops* loops = ut_loops_widest();
    for (int k = s->plan.fronts - 1; k >= 0; k--) {
        const SparseFront* front = &s->plan.front[k];
        const Dense f = dense(s, front);
        const size_t pivots = (size_t)front->pivots;
        memset(x + pivots, 0, ((size_t)f.ld - pivots) * sizeof *x);
        memcpy(x, y + front->at, pivots * sizeof *x);
        gather_below(s, front, y, x + (f.ld - f.ldc));
        loops->front_backward(front->pivots, f.U, f.ld, s->inverse + front->at, x);
        memcpy(y + front->at, x, pivots * sizeof *x);
    }
}

void ut_front_solve(const Sparse* s, const double* b, double* x)
{
    double* y = s->work;
    double* small = s->work + s->n;
    for (int a = 0; a < s->nodes; a++) {
        const int at = s->offset[a];
        for (int i = 0; i < s->offset[a + 1] - at; i++) {
            y[s->plan.position[a] + i] = s->scale[at + i] * b[at + i];
        }
    }
    forward(s, y, small);
    backward(s, y, small);
    for (int a = 0; a < s->nodes; a++) {
        const int at = s->offset[a];
        for (int i = 0; i < s->offset[a + 1] - at; i++) {
            x[at + i] = s->scale[at + i] * y[s->plan.position[a] + i];
        }
    }
}

int ut_sparse_sign(const Sparse* sparse)
{
    int sign = 1;
    for (int f = 0; f < sparse->plan.fronts; f++) {
        const SparseFront* front = &sparse->plan.front[f];
        for (int j = 0; j < front->pivots; j++) {
            const bool exchanged = sparse->swap[front->at + j] != j;
            const bool negative = sparse->inverse[front->at + j] < 0.0;
            sign = exchanged != negative ? -sign : sign;
        }
    }
    return sign;
}
