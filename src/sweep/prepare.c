// SPDX-License-Identifier: Apache-2.0
// From a friction problem by bodies to packs of four contacts and single groups.
#include <math.h>
#include <string.h>

#include "la/dense/dense.h"
#include "la/internal.h"
#include "sweep.h"

// A below this fraction of the largest inverse mass of the problem is rounding: the row is immovable.
static const double IMMOVABLE = 1e-13;

// A 2 x 2 block with a smaller determinant, over the product of its diagonal, is singular.
static const double REGULAR = 1e-10;

// Of the diagonal of A, added where the contacts of a block are solved together: its rows depend on each
// other, and gaps that differ would otherwise give large impulses.
static const double DELTA = 0.1;

typedef struct Preparation {
    SweepProblem* problem;
    const utCoulomb* coulomb;
    const utCoulombBlocks* blocks;
    const int* part; // of groups
    int groups;      // contacts and bilaterals
    bool* is_small;  // groups: contacts between nodes of up to six velocities
    int small;       // contacts between nodes of up to six velocities
    int* contact;    // small: their indices
    int* node;       // 2 small: their nodes, -1: none
    int* run;        // small: contacts of the same two nodes from here on, at most 4; 0: in a block
    int packed;      // contacts in packs
    int* packed_node; // 2 packed
    int* colour;      // packed
    double least;     // smaller entries of A are rounding
} Preparation;

static int rows_of(const utCoulomb* c, int group)
{
    return group < c->contacts ? c->dimension : 1;
}

// ---- nodes --------------------------------------------------------------------------------------

// Cholesky's factor in place, for nodes of up to SWEEP_DOFS velocities. @return is M positive definite?
static inline bool factor_small(int n, double* L, double* inverse)
{
    for (int j = 0; j < n; j++) {
        double pivot = L[j * n + j];
        for (int k = 0; k < j; k++) {
            pivot -= L[j * n + k] * L[j * n + k];
        }
        if (!(pivot > 0.0)) {
            return false;
        }
        L[j * n + j] = sqrt(pivot);
        inverse[j] = 1.0 / L[j * n + j];
        for (int i = j + 1; i < n; i++) {
            double sum = L[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= L[i * n + k] * L[j * n + k];
            }
            L[i * n + j] = sum * inverse[j];
        }
    }
    return true;
}

static bool is_diagonal(int n, const double* L)
{
    bool diagonal = true;
    for (int i = 1; i < n; i++) {
        for (int k = 0; k < i; k++) {
            diagonal = diagonal && L[i * n + k] == 0.0;
        }
    }
    return diagonal;
}

static bool factor_node(SweepNode* node)
{
    const int n = node->dofs;
    if (n <= SWEEP_DOFS) {
        const bool positive = n == SWEEP_DOFS ? factor_small(SWEEP_DOFS, node->L, node->inverse)
                                              : factor_small(n, node->L, node->inverse);
        node->diagonal = is_diagonal(n, node->L);
        return positive;
    }
    const bool definite = ut_chol_factor(n, node->L, n, 0.0) == n;
    for (int j = 0; definite && j < n; j++) {
        node->inverse[j] = 1.0 / node->L[(size_t)j * (size_t)n + (size_t)j];
    }
    return definite;
}

// x = L^-1 x
static inline void forward(int n, const double* L, const double* inverse, double* x)
{
    for (int i = 0; i < n; i++) {
        double sum = x[i];
        for (int k = 0; k < i; k++) {
            sum -= L[i * n + k] * x[k];
        }
        x[i] = sum * inverse[i];
    }
}

static void whiten_row(const SweepNode* node, double* x)
{
    if (node->dofs == SWEEP_DOFS) {
        forward(SWEEP_DOFS, node->L, node->inverse, x); // with loops of a known length
    } else if (node->dofs < SWEEP_DOFS) {
        forward(node->dofs, node->L, node->inverse, x);
    } else {
        ut_lower_solve(node->dofs, node->L, node->dofs, false, x);
    }
}

static utStatus push_nodes(const Preparation* w, utArena* arena, size_t* entries)
{
    SweepProblem* p = w->problem;
    const utCoulombBlocks* blocks = w->blocks;
    *entries = 0;
    p->size = 0;
    for (int k = 0; k < p->nodes; k++) {
        const int n = blocks->start[k + 1] - blocks->start[k];
        p->node[k] = (SweepNode){.at = p->size, .dofs = n};
        p->size += n > SWEEP_DOFS ? n : SWEEP_DOFS;
        *entries += (size_t)n * (size_t)n;
    }
    p->size += SWEEP_DOFS; // of the node of fixed sides
    double** const of_x[] = {&p->x, &p->x_free, &p->x_before, &p->x_way};
    for (size_t k = 0; k < sizeof of_x / sizeof *of_x; k++) {
        *of_x[k] = UT_PUSH(arena, double, p->size);
    }
    return ut_arena_failed(arena) ? UT_ERR_CAPACITY : UT_OK;
}

static utStatus factor_nodes(Preparation* w, utArena* arena)
{
    SweepProblem* p = w->problem;
    const utCoulombBlocks* blocks = w->blocks;
    size_t entries;
    UT_TRY(push_nodes(w, arena, &entries));
    double* L = UT_PUSH(arena, double, entries);
    double* inverses = UT_PUSH(arena, double, w->coulomb->dof);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    memcpy(L, blocks->M, entries * sizeof *L);
    memset(p->x_free, 0, (size_t)p->size * sizeof *p->x_free);
    double largest = 0.0; // inverse mass
    for (int k = 0; k < p->nodes; k++) {
        SweepNode* node = &p->node[k];
        node->L = L;
        node->inverse = inverses + blocks->start[k];
        L += (size_t)node->dofs * (size_t)node->dofs;
        if (!factor_node(node)) {
            return UT_ERR_ARGUMENT;
        }
        for (int j = 0; j < node->dofs; j++) {
            const double inverse = node->inverse[j] * node->inverse[j];
            largest = inverse > largest ? inverse : largest;
        }
        memcpy(p->x_free + node->at, w->coulomb->f + blocks->start[k],
               (size_t)node->dofs * sizeof *p->x_free);
        whiten_row(node, p->x_free + node->at);
    }
    w->least = IMMOVABLE * largest;
    return UT_OK;
}

// ---- groups -------------------------------------------------------------------------------------

static bool has_small_nodes(const Preparation* w, int g)
{
    const utCoulombBlocks* blocks = w->blocks;
    bool small = g < w->coulomb->contacts && w->coulomb->dimension <= 3 &&
                 blocks->first[g + 1] - blocks->first[g] <= 2;
    for (int e = blocks->first[g]; e < blocks->first[g + 1]; e++) {
        small = small && w->problem->node[blocks->node[e]].dofs <= SWEEP_DOFS;
    }
    return small;
}

// Ĵ of single groups: each row of J by forward substitution.
static utStatus whiten(Preparation* w, utArena* arena)
{
    SweepProblem* p = w->problem;
    const utCoulombBlocks* blocks = w->blocks;
    p->J_of = UT_PUSH(arena, size_t, w->groups + 1);
    w->is_small = UT_PUSH(arena, bool, w->groups);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    size_t entries = 0;
    for (int g = 0; g < w->groups; g++) {
        w->is_small[g] = has_small_nodes(w, g);
        p->J_of[g] = entries;
        for (int e = blocks->first[g]; e < blocks->first[g + 1]; e++) {
            entries += (size_t)rows_of(w->coulomb, g) * (size_t)p->node[blocks->node[e]].dofs;
        }
    }
    p->J_of[w->groups] = entries;
    p->J = UT_PUSH(arena, double, entries);
    if (p->J == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int g = 0; g < w->groups; g++) {
        double* J = p->J + p->J_of[g];
        const bool single = !w->is_small[g];
        if (single) {
            memcpy(J, blocks->J + p->J_of[g], (p->J_of[g + 1] - p->J_of[g]) * sizeof *J);
        }
        for (int e = blocks->first[g]; e < blocks->first[g + 1]; e++) {
            SweepNode* node = &p->node[blocks->node[e]];
            node->part = w->part[g];
            for (int k = 0; single && k < rows_of(w->coulomb, g); k++) {
                whiten_row(node, J);
                J += node->dofs;
            }
        }
    }
    return UT_OK;
}

// A = Ĵ Ĵ' of one group. @param A rows x rows
static void find_A(const Preparation* w, int g, double* A)
{
    const SweepProblem* p = w->problem;
    const int d = rows_of(w->coulomb, g);
    const double* J = p->J + p->J_of[g];
    memset(A, 0, (size_t)(d * d) * sizeof *A);
    for (int e = w->blocks->first[g]; e < w->blocks->first[g + 1]; e++) {
        const int n = p->node[w->blocks->node[e]].dofs;
        for (int i = 0; i < d; i++) {
            for (int k = 0; k <= i; k++) {
                double sum = 0.0;
                for (int j = 0; j < n; j++) {
                    sum += J[i * n + j] * J[k * n + j];
                }
                A[i * d + k] += sum;
            }
        }
        J += d * n;
    }
    for (int i = 0; i < d; i++) {
        for (int k = 0; k < i; k++) {
            A[k * d + i] = A[i * d + k];
        }
    }
}

static double inverse(const Preparation* w, double a)
{
    return a > w->least ? 1.0 / a : 0.0;
}

// The larger eigenvalue of [a b; b c].
static double largest_eigenvalue(double a, double b, double c)
{
    const double half = 0.5 * (a - c);
    return 0.5 * (a + c) + sqrt(half * half + b * b);
}

// ---- contacts between small nodes ---------------------------------------------------------------

static bool has_same_nodes(const Preparation* w, int i, int k)
{
    return w->node[2 * i] == w->node[2 * k] && w->node[2 * i + 1] == w->node[2 * k + 1];
}

static utStatus choose_small(Preparation* w, utArena* arena)
{
    const int contacts = w->coulomb->contacts;
    w->contact = UT_PUSH(arena, int, contacts);
    w->node = UT_PUSH(arena, int, 2 * contacts);
    w->run = UT_PUSH(arena, int, contacts);
    w->packed_node = UT_PUSH(arena, int, 2 * contacts);
    w->colour = UT_PUSH(arena, int, contacts);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    for (int g = 0; g < contacts; g++) {
        if (w->is_small[g]) {
            const int first = w->blocks->first[g];
            const int sides = w->blocks->first[g + 1] - first;
            w->node[2 * w->small] = sides > 0 ? w->blocks->node[first] : -1;
            w->node[2 * w->small + 1] = sides > 1 ? w->blocks->node[first + 1] : -1;
            w->contact[w->small++] = g;
        }
    }
    for (int i = 0; i < w->small;) {
        int count = 1;
        while (count < SWEEP_LANES && i + count < w->small && has_same_nodes(w, i, i + count)) {
            w->run[i + count] = 0;
            count++;
        }
        w->run[i] = count;
        w->problem->blocks += count > 1;
        i += count;
    }
    return UT_OK;
}

// Where the parts of one lane are, in a block or a pack.
typedef struct Lane {
    double* J; // of side 0, row 0 and entry 0
    size_t side, row, entry;
    double *b, *step_n, *A_tn, *S, *step_t, *mu, *weight; // entries are SWEEP_LANES apart
} Lane;

static inline double dot(const double* x, const double* y)
{
    double sum = 0.0;
    for (int j = 0; j < 2 * SWEEP_DOFS; j++) {
        sum += x[j] * y[j];
    }
    return sum;
}

// Ĵ of a side of a contact from its rows of J. @param n velocities of the node @param row receives a copy
static inline void fill_side(int n, int rows, const SweepNode* node, const double* J, Lane lane,
                             double row[3][2 * SWEEP_DOFS], int side)
{
    for (int k = 0; k < rows; k++) {
        double* x = row[k] + SWEEP_DOFS * side;
        for (int j = 0; j < n; j++) {
            x[j] = node->diagonal ? J[n * k + j] * node->inverse[j] : J[n * k + j];
        }
        if (!node->diagonal) {
            forward(n, node->L, node->inverse, x);
        }
        double* to = lane.J + (size_t)side * lane.side + (size_t)k * lane.row;
        for (int j = 0; j < n; j++) {
            to[(size_t)j * lane.entry] = x[j];
        }
    }
}

// Ĵ and the numbers of one contact.
static inline void fill_lane(const Preparation* w, int i, Lane lane)
{
    const SweepProblem* p = w->problem;
    const int g = w->contact[i];
    const int d = w->coulomb->dimension;
    const double* J = w->blocks->J + p->J_of[g];
    double row[3][2 * SWEEP_DOFS] = {{0.0}};
    for (int side = 0; side < 2; side++) {
        const int node = w->node[2 * i + side];
        const int n = node >= 0 ? p->node[node].dofs : 0;
        if (n == SWEEP_DOFS && d == 3) {
            fill_side(SWEEP_DOFS, 3, &p->node[node], J, lane, row, side); // loops of a known length
        } else if (node >= 0) {
            fill_side(n, d, &p->node[node], J, lane, row, side);
        }
        J += n * d;
    }
    for (int k = 0; k < d; k++) {
        lane.b[SWEEP_LANES * k] = w->coulomb->b[d * g + k];
    }
    const double nn = dot(row[0], row[0]), n1 = dot(row[1], row[0]), n2 = dot(row[2], row[0]);
    const double a = dot(row[1], row[1]), b = dot(row[1], row[2]), c = dot(row[2], row[2]);
    const double largest = largest_eigenvalue(a, b, c);
    const double determinant = a * c - b * b;
    const bool regular = a > w->least && c > w->least && determinant > REGULAR * (a * c);
    const double step_t = inverse(w, largest);
    *lane.step_n = inverse(w, nn);
    lane.A_tn[0] = n1;
    lane.A_tn[SWEEP_LANES] = n2;
    *lane.step_t = step_t;
    lane.S[0] = regular ? c / determinant : step_t;
    lane.S[SWEEP_LANES] = regular ? -b / determinant : 0.0;
    lane.S[2 * SWEEP_LANES] = regular ? a / determinant : step_t;
    *lane.mu = w->coulomb->mu[g];
    lane.weight[0] = nn;
    lane.weight[SWEEP_LANES] = largest;
}

// Where the x of a contact's side begins.
static int place_of(const Preparation* w, int i, int side)
{
    const SweepProblem* p = w->problem;
    const int node = w->node[2 * i + side];
    return node >= 0 ? p->node[node].at : p->size - SWEEP_DOFS;
}

// ---- blocks -------------------------------------------------------------------------------------

static void fill_block(const Preparation* w, int first, SweepBlock* block)
{
    enum { ROWS = 3 * SWEEP_LANES };
    memset(block, 0, sizeof *block);
    for (int l = 0; l < SWEEP_LANES; l++) {
        block->group[l] = -1;
    }
    for (int l = 0; l < w->run[first]; l++) {
        const Lane lane = {
            &block->J[0][0][l], SWEEP_DOFS * ROWS, SWEEP_LANES,         ROWS,
            &block->b[0][l],    &block->step_n[l], &block->A_tn[0][l],  &block->S[0][l],
            &block->step_t[l],  &block->mu[l],     &block->weight[0][l]};
        fill_lane(w, first + l, lane);
        block->group[l] = w->contact[first + l];
    }
    block->at[0] = place_of(w, first, 0);
    block->at[1] = place_of(w, first, 1);
    block->part = w->part[w->contact[first]];
}

static utStatus fill_blocks(const Preparation* w, utArena* arena)
{
    SweepProblem* p = w->problem;
    p->block = UT_PUSH(arena, SweepBlock, p->blocks);
    if (p->block == NULL) {
        return UT_ERR_CAPACITY;
    }
    int n = 0;
    for (int i = 0; i < w->small; i++) {
        if (w->run[i] > 1) {
            fill_block(w, i, &p->block[n++]);
        }
    }
    ut_sweep_loops()->invert_blocks(p->blocks, p->block, w->least, DELTA);
    return UT_OK;
}

// ---- packs --------------------------------------------------------------------------------------

static void clear_pack(const SweepProblem* p, SweepPack* pack)
{
    memset(pack, 0, sizeof *pack);
    for (int l = 0; l < SWEEP_LANES; l++) {
        pack->group[l] = -1;
        pack->at[0][l] = pack->at[1][l] = p->size - SWEEP_DOFS;
    }
}

static void fill_pack(const Preparation* w, int i, SweepPack* pack, int l)
{
    const Lane lane = {&pack->J[0][0][0][l],     3 * SWEEP_DOFS * SWEEP_LANES,
                       SWEEP_DOFS * SWEEP_LANES, SWEEP_LANES,
                       &pack->b[0][l],           &pack->step_n[l],
                       &pack->A_tn[0][l],        &pack->S[0][l],
                       &pack->step_t[l],         &pack->mu[l],
                       &pack->weight[0][l]};
    fill_lane(w, i, lane);
    pack->at[0][l] = place_of(w, i, 0);
    pack->at[1][l] = place_of(w, i, 1);
    pack->group[l] = w->contact[i];
    pack->part[l] = w->part[w->contact[i]];
}

// Colour by colour, four contacts per pack; contacts without a colour get a pack each.
static utStatus fill_packs(Preparation* w, utArena* arena)
{
    SweepProblem* p = w->problem;
    for (int i = 0; i < w->small; i++) {
        if (w->run[i] == 1) {
            memcpy(w->packed_node + 2 * w->packed, w->node + 2 * i, 2 * sizeof *w->node);
            w->packed++;
        }
    }
    int colours;
    UT_TRY(ut_sweep_colour(w->packed, w->packed_node, p->nodes, *arena, w->colour, &colours));
    int of_colour[SWEEP_MAX_COLOURS] = {0}; // contacts, then its first pack
    int used[SWEEP_MAX_COLOURS] = {0};
    int rest = 0;
    for (int i = 0; i < w->packed; i++) {
        if (w->colour[i] >= 0) {
            of_colour[w->colour[i]]++;
        } else {
            rest++;
        }
    }
    int packs = 0;
    for (int k = 0; k < colours; k++) {
        const int needed = (of_colour[k] + SWEEP_LANES - 1) / SWEEP_LANES;
        of_colour[k] = packs;
        packs += needed;
    }
    p->packs = packs + rest;
    p->pack = UT_PUSH(arena, SweepPack, p->packs);
    if (p->pack == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int k = 0; k < p->packs; k++) {
        clear_pack(p, &p->pack[k]);
    }
    int n = 0;
    for (int i = 0; i < w->small; i++) {
        if (w->run[i] != 1) {
            continue;
        }
        const int colour = w->colour[n++];
        const int place = colour >= 0 ? used[colour]++ : 0;
        const int k = colour >= 0 ? of_colour[colour] + place / SWEEP_LANES : packs++;
        fill_pack(w, i, &p->pack[k], place % SWEEP_LANES);
    }
    return UT_OK;
}

// ---- single groups ------------------------------------------------------------------------------

static void fill_group(const Preparation* w, int g, double* memory, SweepGroup* group)
{
    const utCoulomb* c = w->coulomb;
    const int d = rows_of(c, g);
    const bool contact = g < c->contacts;
    *group = (SweepGroup){.group = g, .rows = d, .part = w->part[g], .A = memory};
    group->b = group->A + d * d;
    group->r = group->b + d;
    group->before = group->r + d;
    group->way = group->before + d;
    find_A(w, g, group->A);
    const int first = contact ? c->dimension * g : c->dimension * c->contacts + (g - c->contacts);
    memcpy(group->b, c->b + first, (size_t)d * sizeof *group->b);
    const double* A = group->A;
    double trace = 0.0;
    for (int k = 0; k < d; k++) {
        trace += A[k * d + k];
    }
    group->weight = trace / d;
    group->step[0] = inverse(w, d >= 3   ? largest_eigenvalue(A[d + 1], A[d + 2], A[2 * d + 2])
                                : d == 2 ? A[3]
                                         : A[0]);
    group->step[1] =
        d == 6 ? inverse(w, largest_eigenvalue(A[4 * d + 4], A[4 * d + 5], A[5 * d + 5])) : 0.0;
    // immovable rows get no impulse
    for (int k = 0; k < d; k++) {
        if (!(A[k * d + k] > w->least)) {
            group->A[k * d + k] = 0.0;
        }
    }
}

static utStatus fill_groups(const Preparation* w, utArena* arena)
{
    SweepProblem* p = w->problem;
    size_t entries = 0;
    p->groups = 0;
    for (int g = 0; g < w->groups; g++) {
        if (!w->is_small[g]) {
            const size_t d = (size_t)rows_of(w->coulomb, g);
            entries += d * d + 4 * d;
            p->groups++;
        }
    }
    p->group = UT_PUSH(arena, SweepGroup, p->groups);
    double* memory = UT_PUSH(arena, double, entries);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    int n = 0;
    for (int g = 0; g < w->groups; g++) {
        if (!w->is_small[g]) {
            const int d = rows_of(w->coulomb, g);
            fill_group(w, g, memory, &p->group[n++]);
            memory += d * d + 4 * d;
        }
    }
    return UT_OK;
}

utStatus ut_sweep_prepare(const utCoulomb* coulomb, int parts, const int* part, utArena* arena,
                          SweepProblem* problem)
{
    *problem = (SweepProblem){.coulomb = coulomb, .parts = parts, .nodes = coulomb->blocks->nodes};
    problem->node = UT_PUSH(arena, SweepNode, problem->nodes);
    problem->change = UT_PUSH(arena, double, parts);
    problem->last_change = UT_PUSH(arena, double, parts);
    problem->beta = UT_PUSH(arena, double, parts);
    problem->load = UT_PUSH(arena, double, parts);
    problem->still = UT_PUSH(arena, bool, parts);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    Preparation w = {.problem = problem,
                     .coulomb = coulomb,
                     .blocks = coulomb->blocks,
                     .part = part,
                     .groups = coulomb->contacts + coulomb->bilaterals};
    UT_TRY(factor_nodes(&w, arena));
    UT_TRY(whiten(&w, arena));
    UT_TRY(choose_small(&w, arena));
    UT_TRY(fill_blocks(&w, arena));
    UT_TRY(fill_packs(&w, arena));
    return fill_groups(&w, arena);
}
