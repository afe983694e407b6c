// SPDX-License-Identifier: Apache-2.0
// A solved problem, prepared for questions on its uniqueness (uptack/uniqueness.h): the effect of
// each impulse, the status of each contact, and the face of K that its impulses may use.
#ifndef UPTACK_COULOMB_UNIQUENESS_SOLVED_PROBLEM_H
#define UPTACK_COULOMB_UNIQUENESS_SOLVED_PROBLEM_H

#include <uptack/uniqueness.h>

#include "coulomb/internal.h"

/// The impulses that a contact may have with its velocity unchanged: F = {x in K : x . û = 0}.
typedef enum FaceKind {
    FACE_APEX,
    FACE_RAY,   // generator g[0]
    FACE_WEDGE, // of a polygon: generators g[0] and g[1]
    FACE_CONE,  // all of K, with friction
} FaceKind;

typedef struct Face {
    FaceKind kind;
    double g[2][3]; // unit vectors
    bool inside;    // r lies inside the face, not on its border
} Face;

/// How many directions span the face. @param d rows of a contact
int ut_face_dimension(const Face* face, int d);

/// Direction k of them: a generator, or the unit vector k of a cone. @param c d entries
void ut_face_direction(const Face* face, int d, int k, double* c);

/// The effect of impulses r is the vector w = G'r of length n. Global form: G = J L^-T with M = L
/// L', so that |w| is the velocity in the norm of M, and u = G w + q. Local form: w_k = s_k u_k,
/// G_jk = W_kj s_k, with s = sqrt(m) of each row.
typedef struct SolvedProblem {
    const utCoulomb* problem;
    int d;                   // rows of a contact
    int nc;                  // contacts
    int nb;                  // bilateral rows
    int N;                   // rows
    int n;                   // length of an effect: dof, or N in the local form
    bool local;              // local form
    bool symmetric;          // W is symmetric but for rounding
    const double* r;         // N: the impulses
    double tolerance;        // at which the certificate passes them
    double tau;              // tolerance V, m/s: the certificate takes slower speeds for 0
    double rank_tolerance;   // of rows of length 1
    double* G;               // N x n
    double* s;               // N: sqrt(m)
    double* u;               // N: velocities
    Face* face;              // nc
    utCoulombStatus* status; // nc
    bool* degenerate;        // nc
    utCoulombVerdict verdict;
} SolvedProblem;

/// @return UT_ERR_ARGUMENT when r does not solve the problem, UT_ERR_CAPACITY
utStatus ut_solved_create(const utCoulomb* problem, const double* r, double tolerance,
                          utArena* scratch, SolvedProblem* solved, utError* err);

/// w += the effect of impulses x. @param row the first of `count` rows @param x count @param w n
void ut_solved_add_effect(const SolvedProblem* solved, int row, int count, const double* x,
                          double* w);

/// e += sum_k x_k U_k, where u = U w + q: then e . w is the velocity of the rows along x.
/// @param row the first of `count` rows @param x count @param e n
void ut_solved_add_velocity(const SolvedProblem* solved, int row, int count, const double* x,
                            double* e);

/// Is the impulse of contact i too small for the certificate to see, |r_i| <= m_i tau?
bool ut_solved_unloaded(const SolvedProblem* solved, int i);

#endif
