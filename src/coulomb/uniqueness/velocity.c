// SPDX-License-Identifier: Apache-2.0
// Is the velocity of a solution the only one? Proofs first; then the linearized law for solutions
// nearby, and where that leaves a direction open, whether it leads to other solutions
// (uptack/uniqueness.h has the theory).
#include <string.h>

#include "la/dense/dense.h"
#include "la/dense/kernel.h"
#include "unique.h"

static const double SAME = 1e-11; // of a unit effect: velocities that a status rules out
static const double APART = 1e3;  // tolerances: how far another velocity has to be

enum {
    MAX_PIECES = 4,
    MAX_CASES = 64, // combinations of pieces that are looked at
};

// ---- rest ---------------------------------------------------------------------------------------

// Each contact is open, smooth, sticks inside K, or is at rest without an impulse. Then nearby
// solutions have r'_i = 0 at the first, u'_i = 0 at the third, and dr.du <= 0 at the second (the
// law is monotone) and at the last, where it is r'.u' = -s' r'_n. So dr'W dr = sum dr.du <= 0.
static bool rests(const Effect* effect)
{
    for (int i = 0; i < effect->nc; i++) {
        const int row = effect->d * i;
        const double s = effect->s[row];
        const double* r = effect->r + row;
        const Face* face = &effect->face[i];
        const bool unloaded = sqrt(ut_dot(effect->d, r, r)) <= s * s * effect->tau;
        if (face->kind != FACE_APEX && effect->problem->mu[i] > 0.0 &&
            !(face->kind == FACE_CONE && (face->inner || unloaded))) {
            return false;
        }
    }
    return effect->symmetric;
}

// ---- pieces of the linearized law ---------------------------------------------------------------

// dr = sum of column_k y_k - kappa across (across . du), and row_k . du = 0
typedef struct Piece {
    int count;
    double column[3][3];
    double row[3][3];
    double kappa;
    double across[3];
} Piece;

static Piece open_piece(void)
{
    return (Piece){.count = 0};
}

static Piece stick_piece(int d)
{
    Piece piece = {.count = d};
    for (int k = 0; k < d; k++) {
        piece.column[k][k] = 1.0;
        piece.row[k][k] = 1.0;
    }
    return piece;
}

// along the ray g, closed
static Piece ray_piece(const double* g)
{
    Piece piece = {.count = 1, .row = {{1.0}}};
    memcpy(piece.column[0], g, sizeof piece.column[0]);
    return piece;
}

// the tangent across that of a ray
static void turn(const double* g, double* across)
{
    const double size = sqrt(g[1] * g[1] + g[2] * g[2]);
    across[0] = 0.0;
    across[1] = size > 0.0 ? -g[2] / size : 0.0;
    across[2] = size > 0.0 ? g[1] / size : 0.0;
}

// a round cone in space, slipping along g: the direction of slip turns with the velocity
static Piece slip_piece(const Effect* effect, int i, const double* g)
{
    Piece piece = ray_piece(g);
    const int row = effect->d * i;
    const double* u_t = effect->u + row + 1;
    const bool round = effect->d == 3 && ut_coulomb_section(effect->problem, i)->edges == 0;
    if (round && effect->problem->mu[i] > 0.0) {
        turn(g, piece.across);
        piece.kappa = effect->problem->mu[i] * effect->r[row] / sqrt(ut_dot(2, u_t, u_t));
    }
    return piece;
}

// the border of stick and slip on a round cone: r on the mantle, slip just about to begin
static Piece glide_piece(int d, const double* g)
{
    Piece piece = ray_piece(g);
    if (d == 3) {
        piece.count = 2;
        turn(g, piece.column[1]);
        turn(g, piece.row[1]);
    }
    return piece;
}

// within the face of a polygon: velocities stay normal to its edge
static Piece wedge_piece(const Face* face)
{
    Piece piece = ray_piece(face->g[0]);
    piece.count = 2;
    memcpy(piece.column[1], face->g[1], sizeof piece.column[1]);
    for (int k = 1; k < 3; k++) {
        piece.row[1][k] = face->g[1][k] - face->g[0][k];
    }
    return piece;
}

// A contact whose cone is all of K, with r on its border. A round mantle bends away from its
// tangent plane by the square of dr, which is nothing beside dv only where dr is of the order of
// dv: where the velocities determine the impulses.
static int border_pieces(const Effect* effect, bool determined, int i, Piece* piece)
{
    const int d = effect->d;
    const double* r = effect->r + (size_t)d * (size_t)i;
    const double s = effect->s[d * i];
    const double mu = effect->problem->mu[i];
    const bool polygon = ut_coulomb_section(effect->problem, i)->edges > 0;
    const bool apex = sqrt(ut_dot(d, r, r)) <= s * s * effect->tau;
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
    piece[1] = glide_piece(d, g);
    return 2;
}

// The pieces that contact i may be on. @return how many, 0 when they are too many
static int find_pieces(const Effect* effect, bool determined, int i, Piece* piece)
{
    const Face* face = &effect->face[i];
    int count = 0;
    if (face->kind == FACE_CONE && !face->inner) {
        return border_pieces(effect, determined, i, piece);
    }
    if (face->kind == FACE_APEX || !face->inner) {
        piece[count++] = open_piece();
    }
    if (face->kind == FACE_CONE) {
        piece[count++] = stick_piece(effect->d);
    } else if (face->kind == FACE_WEDGE) {
        piece[count++] = wedge_piece(face);
        for (int k = 0; k < 2 && !face->inner; k++) {
            piece[count++] = ray_piece(face->g[k]);
        }
    } else if (face->kind == FACE_RAY) {
        piece[count++] = face->inner ? slip_piece(effect, i, face->g[0]) : ray_piece(face->g[0]);
    }
    return count;
}

// ---- solutions nearby ---------------------------------------------------------------------------

typedef struct Local {
    const Effect* effect;
    Piece (*piece)[MAX_PIECES]; // nc
    int* count;                 // nc: pieces of each contact
    int* choice;                // nc: which one is looked at
    double* C;                  // N x n: effects of the columns
    double* E;                  // N x n: what the rows ask of an effect
    double* H;                  // n x n: I + kappa (G'across) (U'across)'
    double* X;                  // min(N, n) x N
    double* g;                  // n, work
    double* e;                  // n, work
    double* w;                  // n: an effect that the statuses allow
    double* y;                  // N, work
    double* z;                  // N, work
    double* dr;                 // N: the impulses behind it
    double* r;                  // N: another answer
    double* u;                  // N: its velocities
    int* perm;                  // n
    Span columns;               // of C
    Span effects;               // of H^-1 times that
    Span rest;                  // of X
    Span all;                   // of all rows of G
    double* F;                  // (N + n) x n
    Span family;                // of F
} Local;

static const Piece* chosen(const Local* local, int i)
{
    return &local->piece[i][local->choice[i]];
}

// The effects of the unknowns, and the velocities that have to vanish. @return how many
static int assemble(Local* local)
{
    const Effect* effect = local->effect;
    const size_t n = (size_t)effect->n;
    int count = 0;
    memset(local->C, 0, (size_t)effect->N * n * sizeof *local->C);
    memset(local->E, 0, (size_t)effect->N * n * sizeof *local->E);
    for (int row = 0, i = 0; row < effect->N; i++) {
        const int rows = i < effect->nc ? effect->d : 1;
        const Piece bilateral = {.count = 1, .column = {{1.0}}, .row = {{1.0}}};
        const Piece* piece = i < effect->nc ? chosen(local, i) : &bilateral;
        for (int k = 0; k < piece->count; k++, count++) {
            double x[3], y[3];
            for (int l = 0; l < rows; l++) {
                x[l] = piece->column[k][l] * effect->s[row];
                y[l] = piece->row[k][l] * effect->s[row];
            }
            ut_effect_add(effect, row, rows, x, local->C + (size_t)count * n);
            ut_effect_velocity(effect, row, rows, y, local->E + (size_t)count * n);
        }
        row += rows;
    }
    return count;
}

// H x for one contact's part, x += kappa (G'across) (U'across . w)
static void add_turn(const Local* local, int i, const double* w, double* x)
{
    const Effect* effect = local->effect;
    const Piece* piece = chosen(local, i);
    memset(local->e, 0, (size_t)effect->n * sizeof *local->e);
    ut_effect_velocity(effect, effect->d * i, effect->d, piece->across, local->e);
    const double du = piece->kappa * ut_dot(effect->n, local->e, w);
    double impulse[3];
    for (int k = 0; k < effect->d; k++) {
        impulse[k] = du * piece->across[k];
    }
    ut_effect_add(effect, effect->d * i, effect->d, impulse, x);
}

static bool turns(const Local* local)
{
    for (int i = 0; i < local->effect->nc; i++) {
        if (chosen(local, i)->kappa > 0.0) {
            return true;
        }
    }
    return false;
}

// @return false when H cannot be factored
static bool factor_turns(Local* local)
{
    const Effect* effect = local->effect;
    const int n = effect->n;
    memset(local->H, 0, (size_t)n * (size_t)n * sizeof *local->H);
    for (int k = 0; k < n; k++) {
        local->H[(size_t)k * (size_t)n + (size_t)k] = 1.0;
    }
    for (int i = 0; i < effect->nc; i++) {
        const Piece* piece = chosen(local, i);
        if (!(piece->kappa > 0.0)) {
            continue;
        }
        memset(local->g, 0, (size_t)n * sizeof *local->g);
        memset(local->e, 0, (size_t)n * sizeof *local->e);
        ut_effect_add(effect, effect->d * i, effect->d, piece->across, local->g);
        ut_effect_velocity(effect, effect->d * i, effect->d, piece->across, local->e);
        for (int k = 0; k < n; k++) {
            ut_axpy(n, piece->kappa * local->g[k], local->e, local->H + (size_t)k * (size_t)n);
        }
    }
    return ut_lu_factor(n, local->H, n, local->perm, 0.0) == n;
}

// Z: an orthonormal basis of the effects w that the columns can have. @return false when H is
// singular
static bool find_effects(Local* local, int count, const Span** Z)
{
    const int n = local->effect->n;
    ut_span_find(count, n, local->C, local->effect->rank_tolerance, &local->columns);
    *Z = &local->columns;
    if (!turns(local)) {
        return true;
    }
    if (!factor_turns(local)) {
        return false;
    }
    for (int k = 0; k < local->columns.rank; k++) {
        double* row = local->C + (size_t)k * (size_t)n;
        ut_lu_solve(n, local->H, n, local->perm, local->columns.Q + (size_t)k * (size_t)n, row);
        const double size = sqrt(ut_dot(n, row, row));
        for (int c = 0; c < n; c++) {
            row[c] /= size;
        }
    }
    ut_span_find(local->columns.rank, n, local->C, 0.0, &local->effects);
    *Z = &local->effects;
    return true;
}

// The impulses behind the effect w: the columns' share of H w, and the turned ones.
static void find_impulses(Local* local)
{
    const Effect* effect = local->effect;
    const Span* basis = &local->columns;
    memcpy(local->g, local->w, (size_t)effect->n * sizeof *local->g);
    for (int i = 0; i < effect->nc; i++) {
        if (chosen(local, i)->kappa > 0.0) {
            add_turn(local, i, local->w, local->g);
        }
    }
    for (int k = 0; k < basis->rank; k++) {
        local->z[k] = ut_dot(effect->n, basis->Q + (size_t)k * (size_t)effect->n, local->g);
    }
    ut_span_solve(basis, local->z, local->y);
    int a = 0;
    memset(local->dr, 0, (size_t)effect->N * sizeof *local->dr);
    for (int i = 0; i < effect->nc; i++) {
        const Piece* piece = chosen(local, i);
        const int row = effect->d * i;
        for (int k = 0; k < piece->count; k++, a++) {
            ut_axpy(effect->d, effect->s[row] * local->y[a], piece->column[k], local->dr + row);
        }
        if (piece->kappa > 0.0) {
            memset(local->e, 0, (size_t)effect->n * sizeof *local->e);
            ut_effect_velocity(effect, row, effect->d, piece->across, local->e);
            const double du = ut_dot(effect->n, local->e, local->w);
            ut_axpy(effect->d, -piece->kappa * du, piece->across, local->dr + row);
        }
    }
    for (int row = effect->d * effect->nc; row < effect->N; row++, a++) {
        local->dr[row] = effect->s[row] * local->y[a];
    }
}

// Is there an effect that the chosen pieces allow? Its impulses are local->dr, then.
static bool find_direction(Local* local)
{
    const Effect* effect = local->effect;
    const int n = effect->n;
    const int count = assemble(local);
    const Span* Z;
    if (!find_effects(local, count, &Z)) {
        memset(local->dr, 0, (size_t)effect->N * sizeof *local->dr);
        return true;
    }
    for (int k = 0; k < Z->rank; k++) {
        for (int a = 0; a < count; a++) {
            local->X[(size_t)k * (size_t)count + (size_t)a] =
                ut_dot(n, Z->Q + (size_t)k * (size_t)n, local->E + (size_t)a * (size_t)n);
        }
    }
    ut_span_find(Z->rank, count, local->X, SAME, &local->rest);
    if (local->rest.rank == Z->rank) {
        return false;
    }
    int free = 0;
    while (local->rest.used[free]) {
        free++;
    }
    ut_span_null(&local->rest, free, local->y);
    memset(local->w, 0, (size_t)n * sizeof *local->w);
    for (int k = 0; k < Z->rank; k++) {
        ut_axpy(n, local->y[k], Z->Q + (size_t)k * (size_t)n, local->w);
    }
    find_impulses(local);
    return true;
}

// ---- a family of solutions ----------------------------------------------------------------------

// The effects of all impulses, allowed or not. @return their rank
static int find_all(Local* local)
{
    const Effect* effect = local->effect;
    const size_t n = (size_t)effect->n;
    memset(local->F, 0, (size_t)effect->N * n * sizeof *local->F);
    for (int k = 0; k < effect->N; k++) {
        ut_effect_add(effect, k, 1, &effect->s[k], local->F + (size_t)k * n);
    }
    ut_span_find(effect->N, effect->n, local->F, effect->rank_tolerance, &local->all);
    return local->all.rank;
}

// F's rows from `count` on: H w for a basis of the effects w that the rows E of the pieces allow.
// @return how many rows F has then
static int add_allowed(Local* local, int count)
{
    const Effect* effect = local->effect;
    const int n = effect->n;
    const Span* all = &local->all;
    for (int k = 0; k < all->rank; k++) {
        for (int a = 0; a < count; a++) {
            local->X[(size_t)k * (size_t)count + (size_t)a] =
                ut_dot(n, all->Q + (size_t)k * (size_t)n, local->E + (size_t)a * (size_t)n);
        }
    }
    ut_span_find(all->rank, count, local->X, SAME, &local->rest);
    int rows = count;
    for (int free = 0; free < all->rank; free++) {
        if (local->rest.used[free]) {
            continue;
        }
        ut_span_null(&local->rest, free, local->y);
        memset(local->w, 0, (size_t)n * sizeof *local->w);
        for (int k = 0; k < all->rank; k++) {
            ut_axpy(n, local->y[k], all->Q + (size_t)k * (size_t)n, local->w);
        }
        double* row = local->F + (size_t)rows++ * (size_t)n;
        memcpy(row, local->w, (size_t)n * sizeof *row);
        for (int i = 0; i < effect->nc; i++) {
            if (chosen(local, i)->kappa > 0.0) {
                add_turn(local, i, local->w, row);
            }
        }
        const double size = sqrt(ut_dot(n, row, row));
        for (int c = 0; c < n; c++) {
            row[c] /= size;
        }
    }
    return rows;
}

// The solutions with these statuses are those (w, y) with E w = 0 that solve w = effect of the
// impulses a g(d(w)) and the free ones. Where the derivative of that, (H w, -C'y), reaches all
// effects, they are a smooth family whose tangents are the kernel, so a direction with w != 0 is
// one of true solutions.
static bool is_family(Local* local)
{
    const int n = local->effect->n;
    const int rank = find_all(local);
    const int count = assemble(local);
    memcpy(local->F, local->C, (size_t)count * (size_t)n * sizeof *local->F);
    const int rows = add_allowed(local, count);
    ut_span_find(rows, n, local->F, local->effect->rank_tolerance, &local->family);
    return local->family.rank == rank;
}

// ---- a second answer ----------------------------------------------------------------------------

// The largest |du| of a row for the effect w.
static double find_speed(Local* local)
{
    const Effect* effect = local->effect;
    double most = 0.0;
    for (int k = 0; k < effect->N; k++) {
        memset(local->e, 0, (size_t)effect->n * sizeof *local->e);
        ut_effect_velocity(effect, k, 1, (double[1]){1.0}, local->e);
        most = fmax(most, fabs(ut_dot(effect->n, local->e, local->w)));
    }
    return most;
}

// Does the judge pass r + step dr, at other velocities?
static utStatus try_step(Local* local, double step, utArena scratch, bool* passes)
{
    const Effect* effect = local->effect;
    const utCoulombVerdict* first = &effect->verdict;
    for (int k = 0; k < effect->N; k++) {
        local->r[k] = effect->r[k] + step * local->dr[k];
    }
    for (int i = 0; i < effect->nc; i++) {
        const utLaw law = ut_coulomb_law(effect->problem, i, false);
        double* r = local->r + (size_t)effect->d * (size_t)i;
        ut_law_project(&law, r, r);
    }
    utCoulombVerdict verdict;
    UT_TRY(ut_coulomb_judge(effect->problem, false, local->r, scratch, local->u, &verdict));
    double apart = 0.0;
    for (int k = 0; k < effect->N; k++) {
        apart = fmax(apart, fabs(local->u[k] - effect->u[k]));
    }
    // what only touches the solutions is off by the square of the step
    const double far = fmax(0.5 * APART * effect->tau, 100.0 * sqrt(verdict.E) * first->V);
    *passes = apart >= far && verdict.E <= fmax(first->E, 1e-3 * effect->tolerance) &&
              verdict.bilateral <= fmax(first->bilateral, 1e-3 * effect->tolerance);
    return UT_OK;
}

// Go along dr, far first, both ways.
static utStatus find_second(Local* local, utArena scratch, bool* found)
{
    const double speed = find_speed(local);
    *found = false;
    for (double part = 1.0; part >= APART * local->effect->tolerance && !*found; part *= 0.1) {
        const double step = part * local->effect->verdict.V / speed;
        if (!(speed > 0.0) || !isfinite(step)) {
            return UT_OK;
        }
        UT_TRY(try_step(local, step, scratch, found));
        if (!*found) {
            UT_TRY(try_step(local, -step, scratch, found));
        }
    }
    return UT_OK;
}

// The next combination of pieces. @return false after the last
static bool advance(Local* local)
{
    for (int i = 0; i < local->effect->nc; i++) {
        if (++local->choice[i] < local->count[i]) {
            return true;
        }
        local->choice[i] = 0;
    }
    return false;
}

// Find the pieces of all contacts. @return false when there are too many combinations
static bool find_cases(Local* local, bool determined)
{
    int cases = 1;
    for (int i = 0; i < local->effect->nc; i++) {
        local->choice[i] = 0;
        local->count[i] = find_pieces(local->effect, determined, i, local->piece[i]);
        cases *= local->count[i];
        if (cases == 0 || cases > MAX_CASES) {
            return false;
        }
    }
    return true;
}

static utStatus look_around(Local* local, bool determined, utArena scratch, utVelocityClaim* claim)
{
    *claim = UT_VELOCITY_UNDECIDED;
    if (!find_cases(local, determined)) {
        return UT_OK;
    }
    bool isolated = true;
    bool regular = true; // no contact on a border
    for (int i = 0; i < local->effect->nc; i++) {
        regular = regular && local->count[i] == 1;
    }
    do {
        if (find_direction(local)) {
            bool found = false;
            isolated = false;
            UT_TRY(find_second(local, scratch, &found));
            found = found || (regular && is_family(local));
            if (found) {
                *claim = UT_VELOCITY_NOT_UNIQUE;
                return UT_OK;
            }
        }
    } while (advance(local));
    *claim = isolated ? UT_VELOCITY_LOCALLY_UNIQUE : UT_VELOCITY_UNDECIDED;
    return UT_OK;
}

// ---- the whole ----------------------------------------------------------------------------------

static bool push_local(const Effect* effect, utArena* scratch, Local* local)
{
    const int N = effect->N;
    const int n = effect->n;
    const int most = N < n ? N : n;
    *local = (Local){
        .effect = effect,
        .piece = ut_arena_push(scratch, (size_t)effect->nc, MAX_PIECES * sizeof(Piece)),
        .count = UT_PUSH(scratch, int, effect->nc),
        .choice = UT_PUSH(scratch, int, effect->nc),
        .C = ut_coulomb_push(scratch, N, n),
        .E = ut_coulomb_push(scratch, N, n),
        .H = ut_coulomb_push(scratch, n, n),
        .X = ut_coulomb_push(scratch, most, N),
        .g = ut_coulomb_push(scratch, 1, n),
        .e = ut_coulomb_push(scratch, 1, n),
        .w = ut_coulomb_push(scratch, 1, n),
        .y = ut_coulomb_push(scratch, 1, N),
        .z = ut_coulomb_push(scratch, 1, N),
        .dr = ut_coulomb_push(scratch, 1, N),
        .r = ut_coulomb_push(scratch, 1, N),
        .u = ut_coulomb_push(scratch, 1, N),
        .perm = UT_PUSH(scratch, int, n),
        .F = ut_coulomb_push(scratch, N + n, n),
    };
    ut_span_push(N, n, scratch, &local->columns);
    ut_span_push(most, n, scratch, &local->effects);
    ut_span_push(most, N, scratch, &local->rest);
    ut_span_push(N, n, scratch, &local->all);
    ut_span_push(N + n, n, scratch, &local->family);
    return !ut_arena_failed(scratch);
}

utStatus ut_velocity_claim(const Effect* effect, bool determined, utArena scratch,
                           utVelocityClaim* claim)
{
    bool proved = false;
    UT_TRY(ut_velocity_prove(effect, scratch, &proved));
    if (proved || rests(effect)) {
        *claim = proved ? UT_VELOCITY_UNIQUE : UT_VELOCITY_LOCALLY_UNIQUE;
        return UT_OK;
    }
    Local local;
    if (!push_local(effect, &scratch, &local)) {
        return UT_ERR_CAPACITY;
    }
    return look_around(&local, determined, scratch, claim);
}
