// SPDX-License-Identifier: Apache-2.0
// The pieces of the linearized law: open, stick, slip, and the borders between them.
#include "linearized_law.h"

#include <string.h>

#include "la/dense/kernel.h"

static LawPiece open_piece(void)
{
    return (LawPiece){.count = 0};
}

static LawPiece stick_piece(int d)
{
    LawPiece piece = {.count = d};
    for (int k = 0; k < d; k++) {
        piece.column[k][k] = 1.0;
        piece.row[k][k] = 1.0;
    }
    return piece;
}

// A closed contact whose impulse stays on the ray g.
static LawPiece ray_piece(const double* g)
{
    LawPiece piece = {.count = 1, .row = {{1.0}}};
    memcpy(piece.column[0], g, sizeof piece.column[0]);
    return piece;
}

// The unit tangent across the tangential part of a ray.
static void find_across(const double* g, double* across)
{
    const double size = sqrt(g[1] * g[1] + g[2] * g[2]);
    across[0] = 0.0;
    across[1] = size > 0.0 ? -g[2] / size : 0.0;
    across[2] = size > 0.0 ? g[1] / size : 0.0;
}

// Slip along the ray g. On a round cone in space the direction of friction turns with the velocity.
static LawPiece slip_piece(const SolvedProblem* solved, int i, const double* g)
{
    LawPiece piece = ray_piece(g);
    const int row = solved->d * i;
    const double* u_t = solved->u + row + 1;
    const bool round = solved->d == 3 && ut_coulomb_section(solved->problem, i)->edges == 0;
    if (round && solved->problem->mu[i] > 0.0) {
        find_across(g, piece.across);
        piece.kappa = solved->problem->mu[i] * solved->r[row] / sqrt(ut_dot(2, u_t, u_t));
    }
    return piece;
}

// The border of stick and slip on a round cone: r on the mantle, slip about to begin. The impulse
// may also move along the mantle.
static LawPiece mantle_piece(int d, const double* g)
{
    LawPiece piece = ray_piece(g);
    if (d == 3) {
        piece.count = 2;
        find_across(g, piece.column[1]);
        find_across(g, piece.row[1]);
    }
    return piece;
}

// Slip with the impulse within a face of a polygonal cone: velocities stay normal to its edge.
static LawPiece wedge_piece(const Face* face)
{
    LawPiece piece = ray_piece(face->g[0]);
    piece.count = 2;
    memcpy(piece.column[1], face->g[1], sizeof piece.column[1]);
    for (int k = 1; k < 3; k++) {
        piece.row[1][k] = face->g[1][k] - face->g[0][k];
    }
    return piece;
}

// A contact at rest with r on the border of K. A round mantle bends away from its tangent plane by
// the square of dr. That is negligible beside dv only where dr is of the order of dv, that is where
// the velocities determine the impulses.
static int border_pieces(const SolvedProblem* solved, bool determined, int i, LawPiece* piece)
{
    const int d = solved->d;
    const double* r = solved->r + (size_t)d * (size_t)i;
    const double mu = solved->problem->mu[i];
    const bool polygon = ut_coulomb_section(solved->problem, i)->edges > 0;
    const bool apex = ut_solved_unloaded(solved, i);
    if (polygon || (d == 3 && (apex || !determined))) {
        return 0;
    }
    piece[0] = stick_piece(d);
    if (apex) {
        piece[1] = open_piece();
        piece[2] = ray_piece((double[3]){1.0, mu});
        piece[3] = ray_piece((double[3]){1.0, -mu});
        return 4;
    }
    const double size = sqrt(ut_dot(d - 1, r + 1, r + 1));
    const double scale = size > 0.0 ? mu / size : 0.0;
    const double g[3] = {1.0, scale * r[1], d == 3 ? scale * r[2] : 0.0};
    piece[1] = mantle_piece(d, g);
    return 2;
}

int ut_law_pieces(const SolvedProblem* solved, bool determined, int i, LawPiece* piece)
{
    const Face* face = &solved->face[i];
    int count = 0;
    if (face->kind == FACE_CONE && !face->inside) {
        return border_pieces(solved, determined, i, piece);
    }
    if (face->kind == FACE_APEX || !face->inside) {
        piece[count++] = open_piece();
    }
    if (face->kind == FACE_CONE) {
        piece[count++] = stick_piece(solved->d);
    } else if (face->kind == FACE_WEDGE) {
        piece[count++] = wedge_piece(face);
        for (int k = 0; k < 2 && !face->inside; k++) {
            piece[count++] = ray_piece(face->g[k]);
        }
    } else if (face->kind == FACE_RAY) {
        piece[count++] = face->inside ? slip_piece(solved, i, face->g[0]) : ray_piece(face->g[0]);
    }
    return count;
}
