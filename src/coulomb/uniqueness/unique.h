// SPDX-License-Identifier: Apache-2.0
// What the report on uniqueness and the impulses of least norm share: the effect of each impulse,
// the face of K that each contact may use, and ranks (uptack/uniqueness.h).
#ifndef UPTACK_COULOMB_UNIQUENESS_UNIQUE_H
#define UPTACK_COULOMB_UNIQUENESS_UNIQUE_H

#include <uptack/uniqueness.h>

#include "coulomb/internal.h"

/// Where the impulses of a contact may be when its velocity is to stay: {x in K : x . û = 0}.
typedef enum FaceKind {
    FACE_APEX,
    FACE_RAY,   // generator g[0]
    FACE_WEDGE, // polygons: generators g[0] and g[1]
    FACE_CONE,  // all of K, with friction
} FaceKind;

typedef struct Face {
    FaceKind kind;
    double g[2][3]; // units
    bool inner;     // r lies inside it, not on its border
} Face;

/// A solved problem prepared. The effect of impulses is w = G'r of length n. Global form: G = J
/// L^-T with M = L L', so that |w| is the velocity in the norm of M and u = G w + q. Local form: w
/// = s u, G = W' times s, s being sqrt(m) of each row.
typedef struct Effect {
    const utCoulomb* problem;
    int d;                   // rows of a contact
    int nc;                  // contacts
    int nb;                  // bilateral rows
    int N;                   // rows
    int n;                   // length of an effect: dof, or N
    bool local;              // local form
    bool symmetric;          // W is, to rounding
    const double* r;         // N: the impulses
    double tolerance;        // that the certificate passes them at
    double tau;              // m/s: below it the certificate sees no velocity
    double rank_tolerance;   // of scaled rows
    double* G;               // N x n
    double* s;               // N: sqrt(m)
    double* u;               // N: velocities
    Face* face;              // nc
    utCoulombStatus* status; // nc
    bool* degenerate;        // nc
    utCoulombVerdict verdict;
} Effect;

/// @return UT_ERR_ARGUMENT when r does not solve the problem, UT_ERR_CAPACITY
utStatus ut_effect_create(const utCoulomb* problem, const double* r, double tolerance,
                          utArena* scratch, Effect* effect, utError* err);

/// g += x's effect. @param row the first of `count` rows @param x count entries @param g n entries
void ut_effect_add(const Effect* effect, int row, int count, const double* x, double* g);

/// What velocity the rows have along x: e += sum x_k U_k, where u = U w + q. @param e n entries
void ut_effect_velocity(const Effect* effect, int row, int count, const double* x, double* e);

// ---- ranks --------------------------------------------------------------------------------------

/// Rows C = R'Q by modified Gram-Schmidt with pivoting, Q's rows orthonormal.
typedef struct Span {
    int rows;       // of C
    int n;          // their length
    int rank;       // rows of Q
    double* Q;      // at most min(rows, n) x n
    double* R;      // at most min(rows, n) x rows
    int* pivot;     // min(rows, n): which row of C gave row k of Q
    bool* used;     // rows: is it one of them?
    double kept;    // least pivot, 0 when rank = 0
    double dropped; // largest remainder
} Span;

/// Take the memory of a span; whether that failed the caller asks the arena.
void ut_span_push(int rows, int n, utArena* scratch, Span* basis);

/// @param rows, n at most those of the push @param C rows x n, destroyed
void ut_span_find(int rows, int n, double* C, double tolerance, Span* basis);

/// y with C'y = 0, y = 1 at row `a` that is not used and 0 at the others. @param y rows entries
void ut_span_null(const Span* basis, int a, double* y);

/// y on the used rows with C'y = w for w = Q'z. @param z rank entries @param y rows entries
void ut_span_solve(const Span* basis, const double* z, double* y);

// ---- velocity -----------------------------------------------------------------------------------

/// Try to prove that every solution has these velocities. @return UT_ERR_CAPACITY
utStatus ut_velocity_prove(const Effect* effect, utArena scratch, bool* proved);

/// @param determined no impulse can change without the velocities: L is 0
/// @return UT_ERR_CAPACITY
utStatus ut_velocity_claim(const Effect* effect, bool determined, utArena scratch,
                           utVelocityClaim* claim);

#endif
