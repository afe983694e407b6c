// SPDX-License-Identifier: Apache-2.0
// Block-sparse matrices: factors, solutions, products and memory.
#include "la/sparse/sparse.h"

#include "graph.h"
#include "la/dense/dense.h"
#include "la/internal.h"
#include "matrix.h"

// ---- matrices -----------------------------------------------------------------------------------

// Entries in [-1/2, 1/2) beside the diagonal and their number in the row on it: by rows and, after
// scaling, by columns the discs of Gershgorin lie in [1/2, 3/2] of the diagonal.
static void fill(Sparse* s, utRng* rng, bool symmetric)
{
    for (int a = 0; a < s->nodes; a++) {
        const int rows = s->offset[a + 1] - s->offset[a];
        int width = rows;
        for (int b = 0; b < s->nodes; b++) {
            const int columns = s->offset[b + 1] - s->offset[b];
            double* block = ut_sparse_block(s, a, b);
            if (block == NULL || b == a) {
                continue;
            }
            width += columns;
            for (int k = 0; k < rows * columns; k++) {
                block[k] = ut_rng_uniform(rng) - 0.5;
                if (symmetric && b < a) {
                    block[k] = ut_sparse_block(s, b, a)[k % columns * rows + k / columns];
                }
            }
        }
        double* block = ut_sparse_block(s, a, a);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < rows; j++) {
                block[i * rows + j] = i == j               ? width
                                      : symmetric && j < i ? block[j * rows + i]
                                                           : ut_rng_uniform(rng) - 0.5;
            }
        }
    }
}

static double* dense_of(const Sparse* s, utArena* arena)
{
    double* A = new_doubles(arena, s->n, s->n);
    memset(A, 0, (size_t)s->n * (size_t)s->n * sizeof *A);
    for (int a = 0; a < s->nodes; a++) {
        for (int b = 0; b < s->nodes; b++) {
            const double* block = ut_sparse_block(s, a, b);
            for (int i = s->offset[a]; block != NULL && i < s->offset[a + 1]; i++) {
                for (int j = s->offset[b]; j < s->offset[b + 1]; j++) {
                    A[at(s->n, i, j)] = *block++;
                }
            }
        }
    }
    return A;
}

// After a step of refinement |b - A x| <= gamma_n+1 (|A||x| + |b|) up to terms of second order
// (Higham, theorem 12.3); finding the residual here costs as much again. Twice that for the rest.
static void check_residual(const Sparse* s, const double* A, const double* b, const double* x)
{
    const int n = s->n;
    for (int i = 0; i < n; i++) {
        double residual = b[i];
        double size = fabs(b[i]);
        for (int j = 0; j < n; j++) {
            residual -= A[at(n, i, j)] * x[j];
            size += fabs(A[at(n, i, j)] * x[j]);
        }
        if (!CHECK_NEAR(residual, 0.0, 4.0 * rounding_bound(n + 1) * size)) {
            return;
        }
    }
}

// A = D (1 + E) with |E| <= 1/2 in the norm of the largest row, so |A^-1 D| <= 2 and a backward
// error of c gamma_n |A||x| moves x by at most 3 c gamma_n |x|; c = 3 for a solution by factors
// (|L||U| <= 3 |A| here), in both, and the same once more for good measure.
static void check_same(int n, const double* x, const double* want)
{
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(want[i]));
    }
    CHECK_NEAR(largest_difference(1, n, x, n, want, n), 0.0, 36.0 * rounding_bound(n + 1) * size);
}

static void check_solution(utArena arena, utRng* rng, Sparse* s, bool symmetric)
{
    const int n = s->n;
    fill(s, rng, symmetric);
    double* A = dense_of(s, &arena);
    double* F = copy_doubles(&arena, A, n, n);
    const double* b = random_doubles(&arena, rng, 1, n);
    double* x = new_doubles(&arena, 1, n);
    double* want = copy_doubles(&arena, b, 1, n);
    if (symmetric) {
        CHECK_INT(ut_chol_factor(n, F, n, 0.0), n);
        ut_chol_solve(n, F, n, want);
    } else {
        int* perm = UT_PUSH(&arena, int, n);
        CHECK_INT(ut_lu_factor(n, F, n, perm, 0.0), n);
        ut_lu_solve(n, F, n, perm, b, want);
    }
    if (!CHECK(ut_sparse_factor(s, symmetric))) {
        return;
    }
    CHECK(s->shift <= 0.0);
    CHECK(s->growth <= 2.0); // diagonally dominant (Higham, theorem 9.9)
    ut_sparse_solve(s, b, x);
    check_residual(s, A, b, x);
    check_same(n, x, want);
}

TEST(sparse_solutions_are_those_of_the_dense_matrix)
{
    utRng rng = ut_rng(80, 0);
    for (int which = 0; which < FAMILIES; which++) {
        utArena arena = test_arena();
        const Graph g = family(&arena, &rng, which);
        Sparse s = plan(&g, &arena);
        for (int k = 0; k < 2; k++) {
            // numbers come and go
            check_solution(arena, &rng, &s, true);
            check_solution(arena, &rng, &s, false);
        }
    }
}

TEST(sparse_solutions_hold_for_all_kinds_of_small_graphs)
{
    utRng rng = ut_rng(81, 0);
    for (int k = 0; k < 150; k++) {
        utArena arena = test_arena();
        const int nodes = 1 + ut_rng_below(&rng, 30);
        const Graph g = random_graph(&arena, &rng, nodes, ut_rng_below(&rng, 3 * nodes), 9);
        Sparse s = plan(&g, &arena);
        check_solution(arena, &rng, &s, k % 2 == 0);
    }
}

TEST(no_unknowns_make_no_trouble)
{
    utArena arena = test_arena();
    const Graph g = new_graph(&arena, 0, 6);
    Sparse s = plan(&g, &arena);
    CHECK_INT(s.n, 0);
    CHECK(ut_sparse_factor(&s, true));
    CHECK(ut_sparse_factor(&s, false));
    ut_sparse_solve(&s, NULL, NULL);
}

// |y - A x| <= gamma_n |A||x| for both
TEST(sparse_products_are_those_of_the_dense_matrix)
{
    utRng rng = ut_rng(82, 0);
    for (int which = 0; which < 2 * FAMILIES; which++) {
        utArena arena = test_arena();
        const Graph g = family(&arena, &rng, which / 2);
        Sparse s = plan(&g, &arena);
        const bool symmetric = which % 2 == 0;
        const int n = s.n;
        fill(&s, &rng, symmetric);
        CHECK(ut_sparse_factor(&s, symmetric));
        const double* A = dense_of(&s, &arena);
        const double* x = random_doubles(&arena, &rng, 1, n);
        double* y = new_doubles(&arena, 1, n);
        ut_sparse_multiply(&s, x, y);
        for (int i = 0; i < n; i++) {
            double want = 0.0;
            double size = 0.0;
            for (int j = 0; j < n; j++) {
                want += A[at(n, i, j)] * x[j];
                size += fabs(A[at(n, i, j)] * x[j]);
            }
            CHECK_NEAR(y[i], want, 2.0 * rounding_bound(n) * size);
        }
    }
}

TEST(blocks_lie_apart_and_only_where_nodes_meet)
{
    utRng rng = ut_rng(83, 0);
    utArena arena = test_arena();
    const Graph g = random_graph(&arena, &rng, 30, 60, 5);
    Sparse s = plan(&g, &arena);
    bool* meets = UT_PUSH(&arena, bool, 900);
    memset(meets, 0, 900);
    for (int k = 0; k < g.pairs; k++) {
        meets[30 * g.pair[2 * k] + g.pair[2 * k + 1]] = true;
        meets[30 * g.pair[2 * k + 1] + g.pair[2 * k]] = true;
    }
    // each block is written over with its own number, and all are there in the end
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < 900; k++) {
            const int a = k / 30;
            const int b = k % 30;
            double* block = ut_sparse_block(&s, a, b);
            CHECK((block != NULL) == (meets[k] || a == b));
            for (int i = 0; block != NULL && i < g.size[a] * g.size[b]; i++) {
                if (pass == 0) {
                    CHECK_NEAR(block[i], 0.0, 0.0);
                    block[i] = k;
                }
                CHECK_NEAR(block[i], k, 0.0);
            }
        }
    }
    ut_sparse_clear(&s);
    for (int a = 0; a < 30; a++) {
        CHECK_NEAR(ut_sparse_block(&s, a, a)[0], 0.0, 0.0);
    }
}

TEST(a_symmetric_factorization_never_reads_blocks_below_the_diagonal)
{
    utRng rng = ut_rng(84, 0);
    for (int which = 0; which < FAMILIES; which++) {
        utArena arena = test_arena();
        const Graph g = family(&arena, &rng, which);
        Sparse s = plan(&g, &arena);
        fill(&s, &rng, true);
        const double* A = dense_of(&s, &arena);
        const double* b = random_doubles(&arena, &rng, 1, s.n);
        double* x = new_doubles(&arena, 1, s.n);
        for (int k = 0; k < g.pairs; k++) {
            const int low = least(g.pair[2 * k], g.pair[2 * k + 1]);
            const int high = g.pair[2 * k] + g.pair[2 * k + 1] - low;
            for (int i = 0; i < g.size[low] * g.size[high]; i++) {
                ut_sparse_block(&s, high, low)[i] = (double)NAN;
            }
        }
        CHECK(ut_sparse_factor(&s, true));
        ut_sparse_solve(&s, b, x);
        check_residual(&s, A, b, x);
    }
}

// By the factors alone x has the rounding of one solve, which refinement then lowers.
TEST(a_solve_without_refinement_agrees_with_a_refined_one)
{
    utRng rng = ut_rng(86, 0);
    utArena arena = test_arena();
    const Graph g = grid(&arena, 6, 6, 6);
    Sparse s = plan(&g, &arena);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        ut_sparse_clear(&s);
        fill(&s, &rng, symmetric == 1);
        const double* A = dense_of(&s, &arena);
        const double* b = random_doubles(&arena, &rng, 1, s.n);
        double* x = new_doubles(&arena, 1, s.n);
        CHECK(ut_sparse_factor(&s, symmetric == 1));
        ut_sparse_solve_once(&s, b, x);
        check_residual(&s, A, b, x);
    }
}

// ---- numbers that are hard or useless -----------------------------------------------------------

// Units: A = S B S with S from 1e-8 to 1e8. Scaling undoes it but for rounding.
TEST(badly_scaled_unknowns_are_solved_all_the_same)
{
    utRng rng = ut_rng(85, 0);
    utArena arena = test_arena();
    const Graph g = grid(&arena, 6, 6, 6);
    Sparse s = plan(&g, &arena);
    for (int pass = 0; pass < 2; pass++) {
        fill(&s, &rng, pass == 0);
        double* scale = new_doubles(&arena, 1, s.n);
        for (int i = 0; i < s.n; i++) {
            scale[i] = pow(10.0, ut_rng_range(&rng, -8.0, 8.0));
        }
        for (int a = 0; a < s.nodes; a++) {
            for (int b = 0; b < s.nodes; b++) {
                double* block = ut_sparse_block(&s, a, b);
                for (int k = 0; block != NULL && k < 36; k++) {
                    block[k] *= scale[6 * a + k / 6] * scale[6 * b + k % 6];
                }
            }
        }
        // b = A 1/scale, so that all of S x are ones: to cond 3 times n + 3 roundings of each row
        double* x = new_doubles(&arena, 1, s.n);
        double* b = new_doubles(&arena, 1, s.n);
        for (int i = 0; i < s.n; i++) {
            x[i] = 1.0 / scale[i];
        }
        CHECK(ut_sparse_factor(&s, pass == 0));
        ut_sparse_multiply(&s, x, b);
        ut_sparse_solve(&s, b, x);
        for (int i = 0; i < s.n; i++) {
            CHECK_NEAR(x[i] * scale[i], 1.0, 36.0 * rounding_bound(s.n + 3));
        }
    }
}

// Blocks [0 1; 1 0] on the diagonal, small ones beside it: no pivot on the diagonal.
TEST(rows_are_exchanged_within_a_front)
{
    utRng rng = ut_rng(86, 0);
    utArena arena = test_arena();
    const Graph g = grid(&arena, 5, 8, 2);
    Sparse s = plan(&g, &arena);
    fill(&s, &rng, false);
    for (int a = 0; a < s.nodes; a++) {
        double* block = ut_sparse_block(&s, a, a);
        block[0] = block[3] = 0.0;
        block[1] = block[2] = 10.0;
    }
    const double* A = dense_of(&s, &arena);
    const double* b = random_doubles(&arena, &rng, 1, s.n);
    double* x = new_doubles(&arena, 1, s.n);
    CHECK(ut_sparse_factor(&s, false));
    CHECK(s.growth <= 2.0);
    ut_sparse_solve(&s, b, x);
    check_residual(&s, A, b, x);
    CHECK(!ut_sparse_factor(&s, true)); // indefinite
}

// The determinant by expansion along the first row. @param skip columns that are taken, as bits
static double determinant(int n, const double* A, int row, unsigned skip)
{
    double sum = 0.0;
    double sign = 1.0;
    for (int j = 0; j < n; j++) {
        if ((skip >> j & 1U) == 0) {
            const double minor = row == n - 1 ? 1.0 : determinant(n, A, row + 1, skip | 1U << j);
            sum += sign * A[at(n, row, j)] * minor;
            sign = -sign;
        }
    }
    return sum;
}

TEST(the_sign_of_a_determinant_is_that_of_its_expansion)
{
    utRng rng = ut_rng(31, 0);
    int positive = 0;
    for (int k = 0; k < 200; k++) {
        utArena arena = test_arena();
        const Graph g = k % 2 == 0 ? star(&arena, 3, 2) : grid(&arena, 2, 2, 2);
        Sparse s = plan(&g, &arena);
        fill(&s, &rng, false);
        for (int a = 0; a < s.nodes; a++) {
            double* block = ut_sparse_block(&s, a, a);
            for (int i = 0; i < 4; i++) {
                block[i] = ut_rng_range(&rng, -2.0, 2.0);
            }
        }
        const double by_expansion = determinant(s.n, dense_of(&s, &arena), 0, 0);
        CHECK(fabs(by_expansion) > 1e-9);
        CHECK(ut_sparse_factor(&s, false));
        CHECK_INT(ut_sparse_sign(&s), by_expansion > 0.0 ? 1 : -1);
        positive += by_expansion > 0.0;
    }
    CHECK(positive > 50 && positive < 150);
}

// Two rows of a leaf are equal but for d on the diagonal: A is regular through what the rows say
// about the centre, but a pivot within the leaf is of the size of d and what it is divided into
// about 1 / d. The answer is off by that much more, and refinement takes it back.
TEST(growth_tells_when_exchanges_within_fronts_do_not_do)
{
    utArena arena = test_arena();
    const Graph g = star(&arena, 30, 12);
    Sparse s = plan(&g, &arena);
    CHECK(s.plan.fronts > 20);
    for (int k = 0; k < 3; k++) {
        const double d = k == 0 ? 0.1 : k == 1 ? 1e-5 : 1e-9;
        utRng rng = ut_rng(97, 0);
        utArena scratch = arena;
        fill(&s, &rng, false);
        double* block = ut_sparse_block(&s, 5, 5);
        memcpy(block + 12, block, 12 * sizeof *block);
        block[13] += d;
        const double* A = dense_of(&s, &scratch);
        const double* b = random_doubles(&scratch, &rng, 1, s.n);
        double* x = new_doubles(&scratch, 1, s.n);
        CHECK(ut_sparse_factor(&s, false));
        CHECK(s.growth > 0.01 / d && s.growth < 100.0 / d);
        CHECK(s.least_pivot > 0.01 * d && s.least_pivot < 100.0 * d);
        ut_sparse_solve(&s, b, x);
        check_residual(&s, A, b, x);
    }
}

// Every unknown in turn.
TEST(what_is_not_finite_is_refused)
{
    utRng rng = ut_rng(87, 0);
    utArena arena = test_arena();
    const Graph g = ring(&arena, 12, 6);
    Sparse s = plan(&g, &arena);
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int k = 0; k < 12 * 6; k++) {
        const int a = k / 6;
        const int b = (a + k % 2) % 12;
        const int low = least(a, b);
        for (int kind = 0; kind < 3; kind++) {
            fill(&s, &rng, true);
            ut_sparse_block(&s, low, a + b - low)[ut_rng_below(&rng, 6) * 7] = bad[kind];
            CHECK(!ut_sparse_factor(&s, true));
            CHECK(!ut_sparse_factor(&s, false));
        }
    }
}

TEST(an_indefinite_matrix_is_refused_and_a_singular_one_is_helped)
{
    utRng rng = ut_rng(88, 0);
    utArena arena = test_arena();
    const Graph g = chain(&arena, 20, 3);
    Sparse s = plan(&g, &arena);
    fill(&s, &rng, true);
    ut_sparse_block(&s, 11, 11)[4] *= -1.0;
    CHECK(!ut_sparse_factor(&s, true));

    // the chain of springs with free ends: 1 on both ends, 2 between, -1 beside; A 1 = 0
    ut_sparse_clear(&s);
    for (int a = 0; a < 20; a++) {
        for (int i = 0; i < 3; i++) {
            ut_sparse_block(&s, a, a)[4 * i] = a == 0 || a == 19 ? 1.0 : 2.0;
            if (a > 0) {
                ut_sparse_block(&s, a, a - 1)[4 * i] = -1.0;
                ut_sparse_block(&s, a - 1, a)[4 * i] = -1.0;
            }
        }
    }
    CHECK(!ut_sparse_factor(&s, false));
    CHECK(ut_sparse_factor(&s, true));
    CHECK(s.shift <= 1e-11);
    // held at one end it is regular: a force 1 on the free end moves node k by k + 1
    for (int i = 0; i < 3; i++) {
        ut_sparse_block(&s, 0, 0)[4 * i] = 2.0;
    }
    double b[60] = {0.0};
    double x[60];
    b[57] = b[58] = b[59] = 1.0;
    for (int pass = 0; pass < 2; pass++) {
        CHECK(ut_sparse_factor(&s, pass == 0));
        CHECK(s.shift <= 0.0);
        ut_sparse_solve(&s, b, x);
        for (int k = 0; k < 60; k++) {
            // the condition is below 4 / (pi / 41)^2 < 700
            CHECK_NEAR(x[k], k / 3 + 1, 700.0 * rounding_bound(12) * 20.0);
        }
    }
}

// Symmetric with rows that add up to 0, so A 1 = 0 and 1' A = 0. The factors are those of A + E
// with |E| <= gamma_n |L||U|, where |L||U| <= 2 |A| for such a matrix, and their last pivot is 1' E
// 1 to first order: at most gamma_n times 4 times the sum of the diagonal. Scaled, that is 4 n
// gamma_n times the largest diagonal over the last one; rows have 12 to 20 entries in [1/2, 1), so
// 10 n.
TEST(a_singular_matrix_has_no_lu_or_a_least_pivot_of_rounding)
{
    utRng rng = ut_rng(89, 0);
    utArena arena = test_arena();
    const Graph g = grid(&arena, 5, 5, 4);
    Sparse s = plan(&g, &arena);
    for (int draw = 0; draw < 20; draw++) {
        fill(&s, &rng, true);
        for (int a = 0; a < 25; a++) {
            double sum[4] = {0.0};
            double* diagonal = ut_sparse_block(&s, a, a);
            for (int b = 0; b < 25; b++) {
                double* block = ut_sparse_block(&s, a, b);
                for (int k = 0; block != NULL && k < 16; k++) {
                    block[k] = -0.5 - fabs(block[k]);
                    sum[k / 4] += a == b && k % 5 == 0 ? 0.0 : block[k];
                }
            }
            for (int i = 0; i < 4; i++) {
                diagonal[5 * i] = -sum[i];
            }
        }
        CHECK(!ut_sparse_factor(&s, false) || s.least_pivot <= 10.0 * s.n * rounding_bound(s.n));
        CHECK(ut_sparse_factor(&s, true));
        CHECK(s.shift > 0.0 || s.least_pivot <= 10.0 * s.n * rounding_bound(s.n));
    }
    // what is regular has one far from that: above half of the diagonal (Gershgorin), 1 / 2, over
    // the largest entry, at most 1, times the growth of 2
    fill(&s, &rng, false);
    CHECK(ut_sparse_factor(&s, false));
    CHECK(s.least_pivot >= 0.25);
    fill(&s, &rng, true);
    CHECK(ut_sparse_factor(&s, true));
    CHECK(s.least_pivot >= 0.25 && s.least_pivot <= 1.0);
}

TEST(another_numbering_changes_the_answer_by_rounding_only)
{
    utRng rng = ut_rng(93, 0);
    utArena arena = test_arena();
    const Graph g = grid(&arena, 9, 7, 4);
    Graph h = new_graph(&arena, 63, 4);
    int to[63];
    for (int k = 0; k < 63; k++) {
        to[k] = 26 * k % 63; // 26 and 63 have no common factor
    }
    for (int k = 0; k < g.pairs; k++) {
        meet(&h, to[g.pair[2 * k + 1]], to[g.pair[2 * k]]);
    }
    Sparse s = plan(&g, &arena);
    Sparse t = plan(&h, &arena);
    for (int pass = 0; pass < 2; pass++) {
        fill(&s, &rng, pass == 0);
        const double* b = random_doubles(&arena, &rng, 1, s.n);
        double* c = new_doubles(&arena, 1, s.n);
        double* x = new_doubles(&arena, 1, s.n);
        double* y = new_doubles(&arena, 1, s.n);
        double* z = new_doubles(&arena, 1, s.n);
        for (int k = 0; k < 63 * 63; k++) {
            const double* block = ut_sparse_block(&s, k / 63, k % 63);
            if (block != NULL) {
                memcpy(ut_sparse_block(&t, to[k / 63], to[k % 63]), block, 16 * sizeof *block);
            }
        }
        for (int i = 0; i < s.n; i++) {
            c[4 * to[i / 4] + i % 4] = b[i];
        }
        CHECK(ut_sparse_factor(&s, pass == 0));
        CHECK(ut_sparse_factor(&t, pass == 0));
        ut_sparse_solve(&s, b, x);
        ut_sparse_solve(&t, c, y);
        for (int i = 0; i < s.n; i++) {
            z[i] = y[4 * to[i / 4] + i % 4];
        }
        check_same(s.n, z, x);
    }
}

// ---- memory and arguments -----------------------------------------------------------------------

TEST(a_plan_takes_the_same_memory_again)
{
    utRng rng = ut_rng(94, 0);
    for (int which = 0; which < FAMILIES; which++) {
        utArena arena = test_arena();
        const Graph g = family(&arena, &rng, which);
        const SparsePattern pattern = pattern_of(&g);
        utArena keep = arena, growing;
        Sparse s, t;
        CHECK(ut_sparse_plan(&pattern, &keep, &s) == UT_OK);
        utArena exact = ut_arena_on(arena.next, (size_t)(keep.next - arena.next));
        CHECK(ut_sparse_plan(&pattern, &exact, &s) == UT_OK);
        CHECK(exact.next == exact.end);

        // and grows out of a small arena
        CHECK(ut_arena_create(64, NULL, &growing) == UT_OK);
        CHECK(ut_sparse_plan(&pattern, &growing, &t) == UT_OK);
        CHECK(t.n == s.n && t.plan.fronts == s.plan.fronts && t.plan.nonzeros == s.plan.nonzeros);
        CHECK(memcmp(t.plan.order, s.plan.order, (size_t)s.nodes * sizeof(int)) == 0);
        ut_arena_destroy(&growing);
    }
}

TEST(a_plan_without_memory_changes_nothing)
{
    utArena arena = test_arena();
    const Graph g = grid(&arena, 7, 7, 6);
    const SparsePattern pattern = pattern_of(&g);
    utArena keep = arena;
    Sparse s;
    CHECK(ut_sparse_plan(&pattern, &keep, &s) == UT_OK);
    const size_t size = (size_t)(keep.next - arena.next);
    for (size_t room = 0; room < size; room += 1 + size / 197) {
        keep = ut_arena_on(arena.next, room);
        s = (Sparse){.n = 12345};
        CHECK(ut_sparse_plan(&pattern, &keep, &s) == UT_ERR_CAPACITY);
        CHECK_INT(s.n, 12345);
        CHECK(keep.next == arena.next && !ut_arena_failed(&keep));
    }
}

TEST(a_pattern_that_is_none_is_refused)
{
    utArena keep = test_arena();
    const utArena before = keep;
    const struct {
        int nodes, size, a, b;
    } bad[] = {
        {2, 6, 0, 0},  {2, 6, 0, 2},  {2, 6, -1, 0},      {2, 0, 0, 1},
        {2, -3, 0, 1}, {-1, 6, 0, 1}, {2, 1 << 30, 0, 1},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const int size[] = {6, bad[k].size};
        const int pair[] = {bad[k].a, bad[k].b};
        const SparsePattern pattern = {bad[k].nodes, size, 1, pair};
        Sparse s = {.n = 12345};
        CHECK(ut_sparse_plan(&pattern, &keep, &s) == UT_ERR_ARGUMENT);
        CHECK_INT(s.n, 12345);
        CHECK(keep.next == before.next);
    }
}

// ---- bits ---------------------------------------------------------------------------------------

// A front of p and `below` unknowns for both tables of loops, with zeros where widths are rounded.
static void compare_fronts(utRng* rng, int p, int below)
{
    enum { MOST = 160 };
    utArena arena = test_arena();
    const utLoops* table[2] = {&ut_loops_base, ut_loops_widest()};
    const int ldc = (below + 3) / 4 * 4;
    const int ld = (p + 3) / 4 * 4 + ldc;
    double* start = random_symmetric(&arena, rng, MOST, ld, p + below);
    double* G0 = random_doubles(&arena, rng, p, ldc + 4);
    double* out[2][6];
    for (int i = 0; i < p; i++) {
        for (int j = 0; j < ld; j++) {
            const bool real = j < p || (j >= ld - ldc && j < ld - ldc + below);
            start[at(ld, i, j)] *= real ? 1.0 : 0.0;
        }
    }
    for (int k = 0; k < 2; k++) {
        double inverse[MOST];
        int swap[MOST];
        double* U = copy_doubles(&arena, start, p, ld);
        double* C = copy_doubles(&arena, start, below, ldc);
        double* x = copy_doubles(&arena, start, 1, ld);
        CHECK(table[k]->front_cholesky(p, below, U, ld, inverse, C, ldc));
        table[k]->front_forward(p, U, ld, inverse, x);
        table[k]->front_backward(p, U, ld, inverse, x);
        out[k][0] = U;
        out[k][1] = C;
        out[k][2] = x;
        U = copy_doubles(&arena, start, p, ld);
        C = copy_doubles(&arena, start, below, ldc);
        x = copy_doubles(&arena, start, 1, ld);
        double* G = copy_doubles(&arena, G0, p, ldc);
        CHECK(table[k]->front_lu(p, below, U, ld, G, inverse, swap, 0.0, C, ldc));
        table[k]->front_forward_lu(p, U, ld, G, ldc, swap, x);
        table[k]->front_backward(p, U, ld, inverse, x);
        out[k][3] = U;
        out[k][4] = C;
        out[k][5] = x;
    }
    const int count[] = {p * ld, below * ldc, ld, p * ld, below * ldc, ld};
    for (int k = 0; k < 6; k++) {
        CHECK(memcmp(out[0][k], out[1][k], (size_t)count[k] * sizeof(double)) == 0);
    }
}

TEST(fronts_have_the_same_bits_in_vectors_of_any_length)
{
    utRng rng = ut_rng(95, 0);
    for (int p = 1; p <= 140; p += 1 + p / 5) {
        compare_fronts(&rng, p, 0);
        compare_fronts(&rng, p, p % 19);
        compare_fronts(&rng, p % 70 + 1, 83);
    }
}

// Found equal with gcc and clang, -O0 and -O3, with and without AVX2.
TEST(sparse_solutions_have_the_same_bits_everywhere)
{
    utRng rng = ut_rng(96, 0);
    uint64_t hash = UT_HASH_START;
    for (int which = 0; which < FAMILIES; which++) {
        utArena arena = test_arena();
        const Graph g = family(&arena, &rng, which);
        Sparse s = plan(&g, &arena);
        for (int pass = 0; pass < 2; pass++) {
            fill(&s, &rng, pass == 0);
            const double* b = random_doubles(&arena, &rng, 1, s.n);
            double* x = new_doubles(&arena, 1, s.n);
            CHECK(ut_sparse_factor(&s, pass == 0));
            ut_sparse_solve(&s, b, x);
            hash = ut_hash_doubles(hash, x, (size_t)s.n);
        }
    }
    if (!CHECK(hash == UINT64_C(0x45794f1f8deb36a8))) {
        test_note("the hash is 0x%016llx", (unsigned long long)hash);
    }
}

// The last row is twice the second less the first, but for the rounding of the entries: what is
// left for the third pivot is rounding, below 1e-14 of the others.
TEST(a_matrix_that_is_singular_but_for_rounding_is_refused)
{
    utArena arena = test_arena();
    const SparsePattern pattern = {.nodes = 1, .size = (int[]){3}};
    const double A[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    Sparse s;
    CHECK_INT(ut_sparse_plan(&pattern, &arena, &s), UT_OK);
    ut_sparse_clear(&s);
    memcpy(ut_sparse_block(&s, 0, 0), A, sizeof A);
    CHECK(!ut_sparse_factor(&s, false));
    ut_sparse_block(&s, 0, 0)[8] = 0.9 + 1e-9;
    CHECK(ut_sparse_factor(&s, false));
}
