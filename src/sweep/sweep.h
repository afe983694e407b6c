// SPDX-License-Identifier: Apache-2.0
// A fixed number of Gauss-Seidel sweeps over a friction problem by bodies, and over its gaps.
//
// Velocities are kept as x = L'v with M = L L', node by node. Then u = Ĵ x + b with Ĵ = J L^-T, and an
// impulse r changes x by Ĵ'r: one matrix reads and writes, and no mass matrix remains. Contacts between
// nodes of up to six velocities are processed four at a time:
//
//     block   two to four contacts of the same two nodes, solved together. A sweep over single corners
//             would tilt the boxes of a stack, and tilts decay slowly
//     pack    four contacts of one colour. Two contacts of one colour share no node, so that the four
//             lanes of a pack are independent
//
// Lanes are never added in another order, so that every vector width gives the same bits. Contacts of
// larger trees, contacts with torsional or rolling friction and scalar rows follow one by one.
//
// Functions keep no state. Several threads may call them at once as long as each has its own arena.
#ifndef UPTACK_SWEEP_SWEEP_H
#define UPTACK_SWEEP_SWEEP_H

#include <stdint.h>
#include <uptack/coulomb.h>

enum {
    SWEEP_LANES = 4,
    SWEEP_DOFS = 6, // velocities of a node of a pack; smaller nodes are padded with zeros
};

/// Four contacts of one colour. Lanes without a contact are all 0.
typedef struct SweepPack {
    double J[2][3][SWEEP_DOFS][SWEEP_LANES]; ///< Ĵ of both sides
    double b[3][SWEEP_LANES];
    double r[3][SWEEP_LANES];
    double step_n[SWEEP_LANES];  ///< 1 / A_nn; 0: immovable
    double A_tn[2][SWEEP_LANES]; ///< how a normal impulse changes the tangential velocities
    double S[3][SWEEP_LANES];    ///< inverse of A_tt: entries 11, 12, 22
    double step_t[SWEEP_LANES];  ///< 1 / largest eigenvalue of A_tt
    double mu[SWEEP_LANES];
    double weight[2]
                 [SWEEP_LANES]; ///< A_nn and the largest eigenvalue of A_tt: the metric of changes
    double before[3][SWEEP_LANES]; ///< r before the sweep
    double way[3][SWEEP_LANES];    ///< the direction of acceleration
    int at[2][SWEEP_LANES];        ///< where the nodes' x begin
    int group[SWEEP_LANES];        ///< index of the contact; -1: none
    int part[SWEEP_LANES];
    bool still;                  ///< the parts of all lanes are still
    bool mixed;                  ///< those of some lanes
    int64_t moving[SWEEP_LANES]; ///< all bits: the part of the lane is swept; 0: it is still
} SweepPack;

/// Two to four contacts of the same two nodes. Row k of lane l is row 4 k + l. Lanes without a contact are
/// all 0.
typedef struct SweepBlock {
    double J[2 * SWEEP_DOFS][3][SWEEP_LANES];  ///< Ĵ' of both sides
    double A[3 * SWEEP_LANES][3][SWEEP_LANES]; ///< Ĵ Ĵ'
    double B[3 * SWEEP_LANES][3][SWEEP_LANES]; ///< (A + delta D)^-1, D the diagonal of A
    double N[SWEEP_LANES][SWEEP_LANES];        ///< the same of the normal rows alone
    double b[3][SWEEP_LANES];
    double r[3][SWEEP_LANES];
    double step_n[SWEEP_LANES]; ///< as in SweepPack, from here on
    double A_tn[2][SWEEP_LANES];
    double S[3][SWEEP_LANES];
    double step_t[SWEEP_LANES];
    double mu[SWEEP_LANES];
    double weight[2][SWEEP_LANES];
    double before[3][SWEEP_LANES];
    double way[3][SWEEP_LANES];
    int at[2];
    int group[SWEEP_LANES];
    int part;
    bool still; ///< its part is still
} SweepBlock;

/// A contact or a scalar row outside of the packs.
typedef struct SweepGroup {
    int group; ///< its index: contacts first
    int rows;
    int part;
    bool still; ///< its part is still
    double* A;  ///< rows x rows
    double* b;  ///< rows, likewise r, before and way
    double* r;
    double* before;
    double* way;
    double step[2]; ///< 1 / largest eigenvalue of A of the tangents, and of the rolling rows
    double weight;  ///< trace of A over its rows: the metric of changes
} SweepGroup;

/// A node of the problem.
typedef struct SweepNode {
    int at; ///< its x begins at x[at]
    int dofs;
    int part;
    bool still;      ///< its part is still
    bool diagonal;   ///< L has no entries below its diagonal
    double* L;       ///< dofs x dofs: its lower triangle is the Cholesky factor of M
    double* inverse; ///< dofs: 1 / diagonal of L
} SweepNode;

/// A problem prepared for sweeps.
typedef struct SweepProblem {
    const utCoulomb* coulomb;
    int parts; ///< independent problems, such as islands
    int nodes;
    SweepNode* node;
    int size;  ///< of x
    double* x; ///< size
    double* x_free;
    double* x_before;
    double* x_way;
    double* J;    ///< Ĵ of single groups, in the order of coulomb->blocks->J
    size_t* J_of; ///< groups + 1: where the blocks of a group begin in coulomb->blocks->J
    int blocks;
    SweepBlock* block;
    int packs;
    SweepPack* pack;
    int groups;
    SweepGroup* group;
    double* change;      ///< parts: of the sweep, squared
    double* last_change; ///< parts: of the sweep before
    double* beta;        ///< parts
    double* load;        ///< parts: the impulses at the start or after the first sweep, squared
    bool* still; ///< parts: swept no more, because a sweep changes their impulses by rounding
} SweepProblem;

/// Prepare a problem by bodies.
/// @param parts      number of independent parts
/// @param part       contacts + bilaterals: the part of each group
/// @param arena      holds everything; the problem is borrowed
/// @return UT_ERR_ARGUMENT when a mass matrix is not positive definite; UT_ERR_CAPACITY
utStatus ut_sweep_prepare(const utCoulomb* coulomb, int parts, const int* part, utArena* arena,
                          SweepProblem* problem);

/// Sweep from the impulses r, at most so many times: a part that a sweep changes by no more than rounding
/// is left as it is. @param r N entries: the start, and the result
/// @return the number of sweeps
int ut_sweep_solve(SweepProblem* problem, int sweeps, double* r);

/// Displace nodes out of overlaps: sweeps over the normal rows of contacts and over scalar rows,
///
///     0 <= s ⟂ J_n dq + c >= 0,    and low <= y <= high with J_j dq + c_j = 0 in between
///
/// @param c    contacts + bilaterals entries: gaps; INFINITY: the group does not take part
/// @param low, high bilaterals entries: bounds of y
/// @param dq   dof entries, by nodes as in `blocks`
void ut_sweep_displace(SweepProblem* problem, int sweeps, const double* c, const double* low,
                       const double* high, double* dq);

// ---- inside the module --------------------------------------------------------------------------

/// Colour the contacts of the packs: two of one colour share no node. Greedy, in order.
/// @param node    2 count entries: nodes of each contact; -1: none
/// @param colour  count entries, receives the colour; -1: more than MAX_COLOURS would be needed
/// @return the number of colours
enum { SWEEP_MAX_COLOURS = 64 };
utStatus ut_sweep_colour(int count, const int* node, int nodes, utArena scratch, int* colour,
                         int* colours);

/// One sweep over blocks or packs, and one over their normal rows alone.
typedef struct SweepLoops {
    void (*blocks)(int blocks, SweepBlock* block, double* x);
    void (*block_normals)(int blocks, SweepBlock* block, double* x);
    void (*packs)(int packs, SweepPack* pack, double* x);
    void (*pack_normals)(int packs, SweepPack* pack, double* x);
    /// Move on along the last direction. @param beta of each part
    void (*accelerate_blocks)(int blocks, SweepBlock* block, const double* beta);
    void (*accelerate_packs)(int packs, SweepPack* pack, const double* beta);
    void (*accelerate_nodes)(int nodes, const SweepNode* node, const double* beta, double* before,
                             double* x, double* way);
    /// Add the squared changes of the last sweep to those of their parts.
    void (*measure_blocks)(int blocks, const SweepBlock* block, double* change);
    void (*measure_packs)(int packs, const SweepPack* pack, double* change);
    /// Find B and N from J. @param least smaller entries of the diagonal of A are rounding
    void (*invert_blocks)(int blocks, SweepBlock* block, double least, double delta);
} SweepLoops;

extern const SweepLoops ut_sweep_loops_base;
extern const SweepLoops ut_sweep_loops_avx2;

/// The loops with the longest vectors that this machine can run.
const SweepLoops* ut_sweep_loops(void);

/// Sweep over the groups outside of packs, and over their normal rows alone. Rows have the bounds low and
/// high; NULL: none.
void ut_sweep_groups(SweepProblem* problem, const double* low, const double* high);
void ut_sweep_group_normals(SweepProblem* problem, const double* low, const double* high);

/// Let all parts move, and set `load` to the squares of their impulses.
void ut_sweep_begin(SweepProblem* problem);

/// Find the parts that the last sweep left as they were; `change` is known. @return is there another one?
bool ut_sweep_find_still(SweepProblem* problem);

/// Take over `still` of the parts to blocks, packs and groups.
void ut_sweep_mark_still(SweepProblem* problem);

/// x += Ĵ' change
void ut_sweep_push_group(SweepProblem* problem, const SweepGroup* group, const double* change);

#endif
