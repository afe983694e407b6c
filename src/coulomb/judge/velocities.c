// SPDX-License-Identifier: Apache-2.0
// Velocities and effective masses for the judge, from masses and Jacobians.
//
// The judge runs on every iterate of a solver, so masses are factored node by node and only once:
// nodes of the blocks, or sets of velocities that a dense M couples. The rows of a group are summed
// over the nodes that it touches: in working precision together with a bound on the rounding, and where
// that is too large as if in twice the working precision.
#include <float.h>
#include <string.h>

#include "judge.h"
#include "la/dense/dense.h"
#include "la/scalar.h"

enum {
    BODY = 6,        // velocities of a free body
    POINT = 3,       // rows of a contact point in space
    POINT_DEPTH = 4, // roundings in a row of six entries: a product and three sums
};

static const double ROUNDING =
    0.51 * DBL_EPSILON; // of one operation, with room for products of several

static const double SPLITTER = 134217729.0; // 2^27 + 1

// Two entries side by side.
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

typedef struct Split {
    Two x, high, low; // x = high + low
} Split;

// Nodes and the groups of rows (contacts, then bilateral rows) that touch them. Vectors over
// velocities are in the order of the nodes.
struct JudgeBodies {
    int nodes;
    const int* start;    // nodes + 1: places of node k
    const int* velocity; // dof: the velocity of the problem at this place; NULL: the same
    const int* first;    // groups + 1: group g touches node[first[g]] ... node[first[g + 1] - 1]
    const int* node;
    const double*
        J;          // one block for each of these nodes, rows of the group x velocities of the node
    size_t* factor; // nodes: where the node's factor begins in L
    bool* diagonal; // nodes: a free body whose M and L are diagonal
    bool points;    // contacts are points in space, and all nodes free bodies
    double* L;      // M = L L', row-major, one node after the other
    double* inverse; // dof: 1 / the diagonal of L
    double* free;    // dof: M^-1 f
    double* moved;   // dof: M^-1 (f + J'r)
    Split* split;    // dof: moved and free, split
    double* Y;       // 3 dof, work
    double* zeros;   // dof: the third row in the plane
};

typedef struct JudgeBodies Bodies;

// ---- nodes of a dense M -------------------------------------------------------------------------

// The first entry from j on that is not zero, n when there is none.
static int next_nonzero(int n, const double* x, int j)
{
    enum { STRIP = 8 };
    if (j < n && x[j] != 0.0) {
        return j;
    }
    for (; j + STRIP <= n; j += STRIP) {
        uint64_t bits[STRIP];
        uint64_t any = 0;
        memcpy(bits, x + j, sizeof bits);
        for (int k = 0; k < STRIP; k++) {
            any |= bits[k];
        }
        if (any << 1 != 0) { // ignores signs, because -0 is 0
            break;
        }
    }
    while (j < n && x[j] == 0.0) {
        j++;
    }
    return j;
}

// The least velocity that i is known to be coupled with. Shortens the path to it.
static int find_root(int* parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// Number the nodes: velocities that M couples, directly or through others, are in the same node. Only
// the lower triangle of M is read.
// @param node dof: receives the node of each velocity, ascending with its first velocity
// @param parent dof entries, work  @return how many nodes there are
static int find_nodes(int dof, const double* M, int* parent, int* node)
{
    for (int i = 0; i < dof; i++) {
        const double* row = M + (size_t)i * (size_t)dof;
        parent[i] = i;
        for (int j = next_nonzero(i, row, 0); j < i; j = next_nonzero(i, row, j + 1)) {
            const int a = find_root(parent, i);
            const int b = find_root(parent, j);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    }
    int nodes = 0;
    for (int i = 0; i < dof; i++) {
        const int root = find_root(parent, i);
        node[i] = root == i ? nodes++ : node[root];
    }
    return nodes;
}

// Velocities in the order of their nodes. @param start nodes + 1  @param velocity dof
static void order_velocities(int dof, int nodes, const int* node, int* start, int* velocity)
{
    memset(start, 0, (size_t)(nodes + 1) * sizeof *start);
    for (int i = 0; i < dof; i++) {
        start[node[i] + 1]++;
    }
    for (int k = 0; k < nodes; k++) {
        start[k + 1] += start[k];
    }
    for (int i = 0; i < dof; i++) {
        velocity[start[node[i]]++] = i;
    }
    for (int k = nodes; k > 0; k--) {
        start[k] = start[k - 1];
    }
    start[0] = 0;
}

// List the nodes that each group of rows touches.
// @param first groups + 1  @param list groups x nodes at most  @param seen nodes entries, work
static void list_nodes(const utCoulomb* problem, int nodes, const int* node, int* seen, int* first,
                       int* list)
{
    const double* row = problem->J;
    const int dof = problem->dof;
    memset(seen, 0, (size_t)nodes * sizeof *seen);
    first[0] = 0;
    for (int g = 0; g < ut_group_count(problem); g++) {
        const int rows = ut_group_rows(problem, g);
        for (int k = 0; k < rows; k++, row += dof) {
            for (int j = next_nonzero(dof, row, 0); j < dof; j = next_nonzero(dof, row, j + 1)) {
                seen[node[j]] = g + 1;
            }
        }
        first[g + 1] = first[g];
        for (int k = 0; k < nodes; k++) {
            if (seen[k] == g + 1) {
                list[first[g + 1]++] = k;
            }
        }
    }
}

// ---- the nodes of any problem -------------------------------------------------------------------

// Find the nodes of a dense M and the groups of J that touch them. @return false without memory
static bool find_bodies(const utCoulomb* problem, utArena* scratch, Bodies* bodies)
{
    const int dof = problem->dof;
    const int groups = ut_group_count(problem);
    int* node = UT_PUSH(scratch, int, dof);
    int* work = UT_PUSH(scratch, int, dof);
    int* start = UT_PUSH(scratch, int, dof + 1);
    int* velocity = UT_PUSH(scratch, int, dof);
    int* first = UT_PUSH(scratch, int, groups + 1);
    if (ut_arena_failed(scratch)) {
        return false;
    }
    const int nodes = find_nodes(dof, problem->M, work, node);
    int* list = ut_arena_push(scratch, (size_t)groups, (size_t)nodes * sizeof *list);
    if (ut_arena_failed(scratch)) {
        return false;
    }
    order_velocities(dof, nodes, node, start, velocity);
    list_nodes(problem, nodes, node, work, first, list);
    bodies->nodes = nodes;
    bodies->start = start;
    bodies->velocity = velocity;
    bodies->first = first;
    bodies->node = list;
    return true;
}

// J of a dense problem by blocks. @return NULL without memory
static const double* copy_rows(const utCoulomb* problem, utArena* scratch, const Bodies* bodies)
{
    size_t entries = 0;
    for (int pass = 0; pass < 2; pass++) {
        double* J = pass == 1 ? UT_PUSH(scratch, double, entries) : NULL;
        if (pass == 1 && J == NULL) {
            return NULL;
        }
        entries = 0;
        for (int g = 0; g < ut_group_count(problem); g++) {
            for (int t = bodies->first[g]; t < bodies->first[g + 1]; t++) {
                const int node = bodies->node[t];
                for (int k = 0; k < ut_group_rows(problem, g); k++) {
                    const int row = ut_group_row(problem, g) + k;
                    const double* from = problem->J + (size_t)row * (size_t)problem->dof;
                    for (int i = bodies->start[node]; i < bodies->start[node + 1]; i++, entries++) {
                        if (pass == 1) {
                            J[entries] = from[bodies->velocity[i]];
                        }
                    }
                }
            }
        }
        if (pass == 1) {
            return J;
        }
    }
    return NULL;
}

// @return false without memory
static bool push_bodies(const utCoulomb* problem, utArena* scratch, Bodies* bodies)
{
    const int dof = problem->dof;
    const utCoulombBlocks* blocks = problem->blocks;
    if (blocks != NULL) {
        *bodies = (Bodies){
            .nodes = blocks->nodes,
            .start = blocks->start,
            .first = blocks->first,
            .node = blocks->node,
            .J = blocks->J,
        };
    } else {
        if (!find_bodies(problem, scratch, bodies)) {
            return false;
        }
        bodies->J = copy_rows(problem, scratch, bodies);
    }
    bodies->factor = UT_PUSH(scratch, size_t, bodies->nodes);
    bodies->diagonal = UT_PUSH(scratch, bool, bodies->nodes);
    const size_t dense = (size_t)dof * (size_t)dof;
    bodies->L = UT_PUSH(scratch, double, blocks != NULL ? ut_mass_entries(blocks) : dense);
    bodies->inverse = UT_PUSH(scratch, double, dof);
    bodies->free = UT_PUSH(scratch, double, dof);
    bodies->moved = UT_PUSH(scratch, double, dof);
    bodies->split = UT_PUSH(scratch, Split, dof);
    bodies->Y = ut_coulomb_push(scratch, 3, dof);
    bodies->zeros = UT_PUSH(scratch, double, dof);
    return !ut_arena_failed(scratch);
}

static int node_dof(const Bodies* bodies, int node)
{
    return bodies->start[node + 1] - bodies->start[node];
}

// Is the mass of a free body diagonal, as it is about its centre and its principal axes? The lower
// triangle decides.
static bool is_diagonal(const double* M)
{
    bool zero = true;
    for (int i = 1; i < BODY; i++) {
        for (int j = 0; j < i; j++) {
            zero = zero && M[BODY * i + j] == 0.0;
        }
    }
    return zero;
}

// ut_chol_factor for a diagonal mass. The entries beside the diagonal are 0 already.
static bool factor_diagonal(double* L)
{
    bool definite = true;
    for (int i = 0; i < BODY; i++) {
        definite = definite && L[(BODY + 1) * i] > 0.0;
        L[(BODY + 1) * i] = sqrt(L[(BODY + 1) * i]);
    }
    return definite;
}

// M = L L', node by node. @return false when M is not positive definite
static bool factor_nodes(const utCoulomb* problem, Bodies* bodies)
{
    const size_t dof = (size_t)problem->dof;
    size_t entry = 0;
    bodies->points = problem->dimension == POINT;
    for (int k = 0; k < bodies->nodes; k++) {
        const size_t n = (size_t)node_dof(bodies, k);
        bodies->points = bodies->points && n == BODY;
        const int place = bodies->start[k];
        double* L = bodies->L + entry;
        bodies->factor[k] = entry;
        if (problem->blocks != NULL) {
            memcpy(L, problem->blocks->M + entry, n * n * sizeof *L);
        }
        for (size_t i = 0; problem->blocks == NULL && i < n; i++) {
            const int* velocity = bodies->velocity + place;
            for (size_t j = 0; j <= i; j++) {
                L[i * n + j] = problem->M[(size_t)velocity[i] * dof + (size_t)velocity[j]];
            }
        }
        bodies->diagonal[k] = n == BODY && is_diagonal(L);
        const bool definite = bodies->diagonal[k]
                                  ? factor_diagonal(L)
                                  : ut_chol_factor((int)n, L, (int)n, 0.0) == (int)n;
        if (!definite) {
            return false;
        }
        for (size_t i = 0; i < n; i++) {
            bodies->inverse[(size_t)place + i] = 1.0 / L[i * n + i];
        }
        entry += n * n;
    }
    return true;
}

// ut_chol_solve for a diagonal factor.
static inline void solve_diagonal(const double* L, double* x)
{
    for (int i = 0; i < BODY; i += 2) {
        const Two d = {L[(BODY + 1) * i], L[(BODY + 1) * (i + 1)]};
        Two* x_i = (Two*)(x + i);
        *x_i = *x_i / d / d;
    }
}

// x = M^-1 x
static void solve_nodes(const Bodies* bodies, double* x)
{
    for (int k = 0; k < bodies->nodes; k++) {
        const int n = node_dof(bodies, k);
        const double* L = bodies->L + bodies->factor[k];
        if (bodies->diagonal[k]) {
            solve_diagonal(L, x + bodies->start[k]);
        } else {
            ut_chol_solve(n, L, n, x + bodies->start[k]);
        }
    }
}

// ---- rows ---------------------------------------------------------------------------------------

// x += J'r for one node of a group. Inlined with constant sizes.
static inline void add_transposed(int rows, int n, const double* J, const double* r, double* x)
{
    for (int k = 0; k < rows; k++) {
        for (int j = 0; j < n; j++) {
            x[j] += r[k] * J[(ptrdiff_t)k * n + j];
        }
    }
}

// The same for a contact point and a free body.
static inline void add_point_transposed(const double* J, const double* r, double* x)
{
    const Two* row = (const Two*)J;
    Two* to = (Two*)x;
    for (int j = 0; j < BODY / 2; j++) {
        to[j] = ((to[j] + r[0] * row[j]) + r[1] * row[BODY / 2 + j]) + r[2] * row[BODY + j];
    }
}

// to = f + J'r
static void add_impulses(const utCoulomb* problem, const Bodies* bodies, const double* r,
                         double* to)
{
    const double* J = bodies->J;
    int g = 0;
    for (; bodies->points && g < problem->contacts; g++, r += POINT) {
        for (int t = bodies->first[g]; t < bodies->first[g + 1]; t++, J += POINT * BODY) {
            add_point_transposed(J, r, to + (ptrdiff_t)BODY * bodies->node[t]);
        }
    }
    for (; g < ut_group_count(problem); g++) {
        const int rows = ut_group_rows(problem, g);
        for (int t = bodies->first[g]; t < bodies->first[g + 1]; t++) {
            const int n = node_dof(bodies, bodies->node[t]);
            double* x = to + bodies->start[bodies->node[t]];
            if (rows == POINT && n == BODY) {
                add_point_transposed(J, r, x);
            } else {
                add_transposed(rows, n, J, r, x);
            }
            J += (ptrdiff_t)rows * n;
        }
        r += rows;
    }
}

// |x|, by clearing the signs
static inline Two absolute(Two x)
{
    typedef long long Bits __attribute__((vector_size(16)));
    return (Two)((Bits)x & INT64_MAX);
}

// u += J v for one node of a group, and size += |J| |v|. Inlined with constant sizes.
static inline void add_rows(int rows, int n, const double* J, const double* v, double* u,
                            double* size)
{
    for (int k = 0; k < rows; k++) {
        double sum = 0.0;
        double magnitude = 0.0;
        for (int j = 0; j < n; j++) {
            const double product = J[(ptrdiff_t)k * n + j] * v[j];
            sum += product;
            magnitude += fabs(product);
        }
        u[k] += sum;
        size[k] += magnitude;
    }
}

// The same for a contact point and a free body. Entries 0 2 4 and 1 3 5 are summed apart.
// @param bounded false: size is not needed
static inline void add_point_rows(const double* J, const double* v, bool bounded, double* u,
                                  double* size)
{
    const Two* row = (const Two*)J;
    const Two* x = (const Two*)v;
    for (int k = 0; k < POINT; k++, row += BODY / 2) {
        const Two product[] = {row[0] * x[0], row[1] * x[1], row[2] * x[2]};
        const Two sum = (product[0] + product[1]) + product[2];
        u[k] += sum[0] + sum[1];
        if (bounded) {
            const Two magnitude =
                (absolute(product[0]) + absolute(product[1])) + absolute(product[2]);
            size[k] += magnitude[0] + magnitude[1];
        }
    }
}

// u = J v + b for a contact point that touches `count` free bodies.
// @return a bound on its rounding where `bounded`
static inline double sum_point(int count, const int* node, const double* J, const double* v,
                               const double* b, bool bounded, double* u)
{
    double sum[POINT] = {b[0], b[1], b[2]};
    double size[POINT] = {fabs(b[0]), fabs(b[1]), fabs(b[2])};
    for (int t = 0; t < count; t++, J += POINT * BODY) {
        add_point_rows(J, v + (ptrdiff_t)BODY * node[t], bounded, sum, size);
    }
    double rounding = 0.0;
    for (int k = 0; k < POINT; k++) {
        u[k] = sum[k];
        if (bounded) {
            rounding = ut_larger(rounding, (POINT_DEPTH + count) * (ROUNDING * size[k]));
        }
    }
    return rounding;
}

// u = J v + b in working precision. Inlined with a constant `bounded`.
// @return a bound on its rounding where `bounded`
static inline __attribute__((always_inline)) double sum_rows(const utCoulomb* problem,
                                                             const Bodies* bodies, const double* v,
                                                             const double* b, bool bounded,
                                                             double* u)
{
    const double* J = bodies->J;
    double rounding = 0.0;
    int g = 0;
    for (; bodies->points && g < problem->contacts; g++, u += POINT, b += POINT) {
        const int first = bodies->first[g];
        const int count = bodies->first[g + 1] - first;
        const double own = sum_point(count, bodies->node + first, J, v, b, bounded, u);
        rounding = ut_larger(rounding, own);
        J += (ptrdiff_t)count * (POINT * BODY);
    }
    for (; g < ut_group_count(problem); g++) {
        const int rows = ut_group_rows(problem, g);
        double size[UT_LAW_MAX_DIMENSION];
        int depth = 0; // roundings of a product on its way into u
        for (int k = 0; k < rows; k++) {
            u[k] = b[k];
            size[k] = fabs(b[k]);
        }
        for (int t = bodies->first[g]; t < bodies->first[g + 1]; t++) {
            const int n = node_dof(bodies, bodies->node[t]);
            const double* v_t = v + bodies->start[bodies->node[t]];
            const bool point = rows == POINT && n == BODY;
            if (point) {
                add_point_rows(J, v_t, bounded, u, size);
            } else {
                add_rows(rows, n, J, v_t, u, size);
            }
            J += (ptrdiff_t)rows * n;
            const int own = point ? POINT_DEPTH : n + 1;
            depth = own > depth ? own : depth;
        }
        depth += bodies->first[g + 1] - bodies->first[g];
        for (int k = 0; bounded && k < rows; k++) {
            rounding = ut_larger(rounding, depth * (ROUNDING * size[k]));
        }
        u += rows;
        b += rows;
    }
    return rounding;
}

// Split each velocity into two halves whose products with halves of others are exact (Veltkamp).
static void split_velocities(const utCoulomb* problem, Bodies* bodies)
{
    for (int i = 0; i < problem->dof; i++) {
        const Two x = {bodies->moved[i], bodies->free[i]};
        const Two t = SPLITTER * x;
        const Two high = t - (t - x);
        bodies->split[i] = (Split){x, high, x - high};
    }
}

// Add the products of n entries of a row with velocities, as if in twice the working precision:
// products after Dekker, sums after Knuth. Inlined with a constant n.
static inline void sum_entries(int n, const double* row, const Split* split, Two* sum, Two* rest)
{
    for (int i = 0; i < n; i++) {
        const Split v = split[i];
        const double a = row[i];
        const double shifted = SPLITTER * a;
        const double high = shifted - (shifted - a);
        const double low = a - high;
        const Two product = a * v.x;
        const Two error = ((high * v.high - product) + high * v.low + low * v.high) + low * v.low;
        const Two next = *sum + product;
        const Two part = next - *sum;
        *rest += ((*sum - (next - part)) + (product - part)) + error;
        *sum = next;
    }
}

// u = J v + b and q = J v* + b for row k of group g. @param J the group's blocks
static void sum_row(const Bodies* bodies, int g, int rows, int k, const double* J, double b,
                    double* u, double* q)
{
    Two sum = {b, b};
    Two rest = {0.0, 0.0};
    for (int t = bodies->first[g]; t < bodies->first[g + 1]; t++) {
        const int n = node_dof(bodies, bodies->node[t]);
        const Split* split = bodies->split + bodies->start[bodies->node[t]];
        if (n == BODY) {
            sum_entries(BODY, J + (ptrdiff_t)k * BODY, split, &sum, &rest);
        } else {
            sum_entries(n, J + (ptrdiff_t)k * n, split, &sum, &rest);
        }
        J += (ptrdiff_t)rows * n;
    }
    sum += rest;
    *u = sum[0];
    *q = sum[1];
}

// |L^-1 x|^2 for a free body, written out because compilers leave the triangle as a loop. @param d 1 / L_ii
static inline double squared_norm_of_row(const double* L, const double* d, const double* x)
{
    const double y0 = x[0] * d[0];
    const double y1 = (x[1] - L[6] * y0) * d[1];
    const double y2 = (x[2] - L[12] * y0 - L[13] * y1) * d[2];
    const double y3 = (x[3] - L[18] * y0 - L[19] * y1 - L[20] * y2) * d[3];
    const double y4 = (x[4] - L[24] * y0 - L[25] * y1 - L[26] * y2 - L[27] * y3) * d[4];
    const double y5 =
        (x[5] - L[30] * y0 - L[31] * y1 - L[32] * y2 - L[33] * y3 - L[34] * y4) * d[5];
    return y0 * y0 + y1 * y1 + y2 * y2 + y3 * y3 + y4 * y4 + y5 * y5;
}

// The same for a diagonal L.
static inline double squared_norm_of_scaled_row(const double* d, const double* x)
{
    const Two* row = (const Two*)x;
    const Two* scale = (const Two*)d;
    const Two y0 = row[0] * scale[0], y2 = row[1] * scale[1], y4 = row[2] * scale[2];
    const Two a = y0 * y0, b = y2 * y2, c = y4 * y4;
    return a[0] + a[1] + b[0] + b[1] + c[0] + c[1];
}

// |L^-1 J'|^2 for one node of a contact: three forward substitutions at a time, from the first column
// of J that is not zero. @param J three rows  @param Y 3 n entries, work
static double squared_norm(int n, const double* L, const double* inverse, const double* const J[3],
                           double* Y)
{
    double sum[3] = {0.0, 0.0, 0.0};
    int begin = 0;
    while (begin < n && J[0][begin] == 0.0 && J[1][begin] == 0.0 && J[2][begin] == 0.0) {
        begin++;
    }
    for (int i = begin; i < n; i++) {
        const double* row = L + (size_t)i * (size_t)n;
        double y0 = J[0][i];
        double y1 = J[1][i];
        double y2 = J[2][i];
        for (int k = begin; k < i; k++) {
            y0 -= row[k] * Y[3 * k];
            y1 -= row[k] * Y[3 * k + 1];
            y2 -= row[k] * Y[3 * k + 2];
        }
        y0 *= inverse[i];
        y1 *= inverse[i];
        y2 *= inverse[i];
        sum[0] += y0 * y0;
        sum[1] += y1 * y1;
        sum[2] += y2 * y2;
        Y[3 * i] = y0;
        Y[3 * i + 1] = y1;
        Y[3 * i + 2] = y2;
    }
    return (sum[0] + sum[1]) + sum[2];
}

// The part of the trace of A_gg that three rows of a group have.
// @param J the group's blocks of `rows` rows @param acts three entries: the row is there and counts
static double find_part_of_trace(const Bodies* bodies, int g, int rows, const double* J, int first,
                                 const bool acts[3])
{
    double trace = 0.0;
    for (int t = bodies->first[g]; t < bodies->first[g + 1]; t++) {
        const int node = bodies->node[t];
        const int n = node_dof(bodies, node);
        const double* row[3];
        for (int k = 0; k < 3; k++) {
            row[k] = acts[k] ? J + (ptrdiff_t)(first + k) * n : bodies->zeros;
        }
        trace += squared_norm(n, bodies->L + bodies->factor[node],
                              bodies->inverse + bodies->start[node], row, bodies->Y);
        J += (ptrdiff_t)rows * n;
    }
    return trace;
}

// The trace of A_gg of a contact point between free bodies. @param J the group's blocks
static inline double find_point_trace(const Bodies* bodies, int g, const double* J)
{
    double trace = 0.0;
    for (int t = bodies->first[g]; t < bodies->first[g + 1]; t++) {
        const int node = bodies->node[t];
        const double* L = bodies->L + bodies->factor[node];
        const double* inverse = bodies->inverse + bodies->start[node];
        double rows[POINT];
        for (int k = 0; k < POINT; k++, J += BODY) {
            rows[k] = bodies->diagonal[node] ? squared_norm_of_scaled_row(inverse, J)
                                             : squared_norm_of_row(L, inverse, J);
        }
        trace += (rows[0] + rows[1]) + rows[2];
    }
    return trace;
}

// Does a group touch free bodies only?
static bool touches_free_bodies(const Bodies* bodies, int g)
{
    bool free = true;
    for (int t = bodies->first[g]; t < bodies->first[g + 1]; t++) {
        free = free && node_dof(bodies, bodies->node[t]) == BODY;
    }
    return free;
}

// The trace of A_gg. @param J the group's blocks
static double find_trace(const utCoulomb* problem, const Bodies* bodies, int g, const double* J)
{
    const int rows = ut_group_rows(problem, g);
    if (rows == POINT && touches_free_bodies(bodies, g)) {
        return find_point_trace(bodies, g, J);
    }
    double trace = 0.0;
    for (int first = 0; first < rows; first += 3) {
        bool acts[3];
        for (int k = 0; k < 3; k++) {
            acts[k] = first + k < rows &&
                      (g >= problem->contacts || ut_coulomb_row_acts(problem, g, first + k));
        }
        trace += find_part_of_trace(bodies, g, rows, J, first, acts);
    }
    return trace;
}

// The entries of the blocks of group g.
static ptrdiff_t group_entries(const utCoulomb* problem, const Bodies* bodies, int g)
{
    ptrdiff_t width = 0;
    for (int t = bodies->first[g]; t < bodies->first[g + 1]; t++) {
        width += node_dof(bodies, bodies->node[t]);
    }
    return width * ut_group_rows(problem, g);
}

static void find_traces(const utCoulomb* problem, const Bodies* bodies, double* trace)
{
    const double* J = bodies->J;
    int g = 0;
    for (; bodies->points && g < problem->contacts; g++) {
        trace[g] = find_point_trace(bodies, g, J);
        J += (ptrdiff_t)(bodies->first[g + 1] - bodies->first[g]) * (POINT * BODY);
    }
    for (; g < ut_group_count(problem); g++) {
        trace[g] = find_trace(problem, bodies, g, J);
        J += group_entries(problem, bodies, g);
    }
}

// ---- motion -------------------------------------------------------------------------------------

// v* = M^-1 f, in the order of the nodes
static void find_free(const utCoulomb* problem, const Bodies* bodies)
{
    for (int i = 0; i < problem->dof; i++) {
        bodies->free[i] = problem->f[bodies->velocity != NULL ? bodies->velocity[i] : i];
        bodies->zeros[i] = 0.0;
    }
    solve_nodes(bodies, bodies->free);
}

utStatus ut_judge_masses(const utCoulomb* problem, utArena* scratch, Motion* motion, bool* definite)
{
    Bodies* bodies = UT_PUSH(scratch, Bodies, 1);
    if (bodies == NULL || !push_bodies(problem, scratch, bodies)) {
        return UT_ERR_CAPACITY;
    }
    motion->bodies = bodies;
    *definite = factor_nodes(problem, bodies);
    if (!*definite) {
        return UT_OK;
    }
    find_free(problem, bodies);
    (void)sum_rows(problem, bodies, bodies->free, problem->b, false, motion->q);
    find_traces(problem, bodies, motion->trace);
    return UT_OK;
}

// moved = M^-1 (f + J'r)
static void move(const utCoulomb* problem, const Bodies* bodies, const double* r)
{
    for (int i = 0; i < problem->dof; i++) {
        bodies->moved[i] = problem->f[bodies->velocity != NULL ? bodies->velocity[i] : i];
    }
    add_impulses(problem, bodies, r, bodies->moved);
    solve_nodes(bodies, bodies->moved);
}

bool ut_judge_motion(const utCoulomb* problem, const double* r, double rounding, Motion* motion)
{
    Bodies* bodies = motion->bodies;
    move(problem, bodies, r);
    if (sum_rows(problem, bodies, bodies->moved, problem->b, true, motion->u) <= rounding) {
        return false;
    }
    split_velocities(problem, bodies);
    const double* J = bodies->J;
    for (int g = 0; g < ut_group_count(problem); g++) {
        const int rows = ut_group_rows(problem, g);
        const int row = ut_group_row(problem, g);
        for (int k = 0; k < rows; k++) {
            sum_row(bodies, g, rows, k, J, problem->b[row + k], motion->u + row + k,
                    motion->q + row + k);
        }
        J += group_entries(problem, bodies, g);
    }
    return true;
}

const double* ut_judge_factors(const Judge* judge)
{
    const bool known = judge->finite && judge->problem->blocks != NULL;
    return known ? judge->motion.bodies->L : NULL;
}
