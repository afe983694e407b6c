// SPDX-License-Identifier: Apache-2.0
// The report on uniqueness: statuses, redundant directions, the impulses they change, and what is
// known of the velocity (uptack/uniqueness.h).
#include "unique.h"

#include <string.h>

#include "la/dense/kernel.h"

static const double STILL = 1e-6; // of a direction's largest entry: an impulse that stays

const char* ut_coulomb_status_name(utCoulombStatus status)
{
    static const char* const names[] = {
        [UT_COULOMB_OPEN] = "open",
        [UT_COULOMB_SLIP] = "slip",
        [UT_COULOMB_STICK] = "stick",
    };
    return (unsigned)status <= UT_COULOMB_STICK ? names[status] : "unknown";
}

const char* ut_velocity_claim_name(utVelocityClaim claim)
{
    static const char* const names[] = {
        [UT_VELOCITY_UNIQUE] = "unique",
        [UT_VELOCITY_LOCALLY_UNIQUE] = "locally unique",
        [UT_VELOCITY_NOT_UNIQUE] = "not unique",
        [UT_VELOCITY_UNDECIDED] = "undecided",
    };
    return (unsigned)claim <= UT_VELOCITY_UNDECIDED ? names[claim] : "unknown";
}

// ---- the unknowns that the faces leave ----------------------------------------------------------

// One of them: the impulses s c y in `count` rows from `row` on, for a number y.
typedef struct Column {
    int row;
    int count;
    int group; // contact, or contacts + bilateral row
    double c[3];
} Column;

static int find_columns(const Effect* effect, Column* column)
{
    int count = 0;
    for (int i = 0; i < effect->nc; i++) {
        const Face* face = &effect->face[i];
        static const int widths[] = {[FACE_APEX] = 0, [FACE_RAY] = 1, [FACE_WEDGE] = 2};
        const int width = face->kind == FACE_CONE ? effect->d : widths[face->kind];
        for (int k = 0; k < width; k++) {
            Column* next = &column[count++];
            *next = (Column){.row = effect->d * i, .count = effect->d, .group = i};
            if (face->kind == FACE_CONE) {
                next->c[k] = 1.0;
            } else {
                memcpy(next->c, face->g[k], sizeof next->c);
            }
        }
    }
    for (int j = 0; j < effect->nb; j++) {
        column[count++] = (Column){
            .row = effect->d * effect->nc + j, .count = 1, .group = effect->nc + j, .c = {1.0}};
    }
    return count;
}

// C's rows: the effects of the columns, of order 1
static void find_effects(const Effect* effect, int count, const Column* column, double* C)
{
    memset(C, 0, (size_t)count * (size_t)effect->n * sizeof *C);
    for (int a = 0; a < count; a++) {
        double x[3];
        for (int k = 0; k < column[a].count; k++) {
            x[k] = column[a].c[k] * effect->s[column[a].row];
        }
        ut_effect_add(effect, column[a].row, column[a].count, x, C + (size_t)a * (size_t)effect->n);
    }
}

// ---- redundant directions -----------------------------------------------------------------------

// One direction of L from its y: dr of length 1, and which impulses it changes.
static void write_direction(const Effect* effect, int count, const Column* column, const double* y,
                            bool* unique, double* dr)
{
    const double most = ut_max_abs(count, y);
    memset(dr, 0, (size_t)effect->N * sizeof *dr);
    for (int a = 0; a < count; a++) {
        const int row = column[a].row;
        for (int k = 0; k < column[a].count; k++) {
            dr[row + k] += effect->s[row] * column[a].c[k] * y[a];
        }
        if (!(fabs(y[a]) <= STILL * most)) {
            unique[column[a].group] = false;
        }
    }
    const double size = sqrt(ut_dot(effect->N, dr, dr));
    for (int k = 0; k < effect->N; k++) {
        dr[k] /= size;
    }
}

// @param null where the directions go @param y as many entries as columns
static void write_directions(const Effect* effect, const Column* column, const Span* basis,
                             double* y, bool* unique, double* null)
{
    for (int g = 0; g < effect->nc + effect->nb; g++) {
        unique[g] = true;
    }
    for (int a = 0; a < basis->rows; a++) {
        if (!basis->used[a]) {
            ut_span_null(basis, a, y);
            write_direction(effect, basis->rows, column, y, unique, null);
            null += effect->N;
        }
    }
}

// ---- the report ---------------------------------------------------------------------------------

// The arrays of the report.
typedef struct Kept {
    utCoulombStatus* status;
    bool* degenerate;
    bool* unique;
    double* null;
} Kept;

static void count_statuses(const Effect* effect, const Kept* kept, utUniqueness* report)
{
    int count[3] = {0, 0, 0};
    for (int i = 0; i < effect->nc; i++) {
        kept->status[i] = effect->status[i];
        kept->degenerate[i] = effect->degenerate[i];
        count[effect->status[i]]++;
        report->degenerates += effect->degenerate[i] ? 1 : 0;
        report->interior = report->interior && (kept->unique[i] || effect->face[i].inner);
    }
    report->open = count[UT_COULOMB_OPEN];
    report->slip = count[UT_COULOMB_SLIP];
    report->stick = count[UT_COULOMB_STICK];
}

// L and what it changes.
static utStatus find_redundancy(const Effect* effect, utArena* keep, utArena scratch, Kept* kept,
                                utUniqueness* report)
{
    Column* column = UT_PUSH(&scratch, Column, effect->N);
    const int count = column != NULL ? find_columns(effect, column) : 0;
    double* C = ut_coulomb_push(&scratch, count, effect->n);
    double* y = ut_coulomb_push(&scratch, 1, count);
    Span basis;
    ut_span_push(count, effect->n, &scratch, &basis);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    find_effects(effect, count, column, C);
    ut_span_find(count, effect->n, C, effect->rank_tolerance, &basis);

    *kept = (Kept){
        .status = UT_PUSH(keep, utCoulombStatus, effect->nc),
        .degenerate = UT_PUSH(keep, bool, effect->nc),
        .unique = UT_PUSH(keep, bool, effect->nc + effect->nb),
        .null = ut_coulomb_push(keep, count - basis.rank, effect->N),
    };
    if (ut_arena_failed(keep)) {
        return UT_ERR_CAPACITY;
    }
    write_directions(effect, column, &basis, y, kept->unique, kept->null);
    *report = (utUniqueness){
        .status = kept->status,
        .degenerate = kept->degenerate,
        .columns = count,
        .rank = basis.rank,
        .redundant = count - basis.rank,
        .null = kept->null,
        .unique = kept->unique,
        .interior = true,
        .kept = basis.kept,
        .dropped = basis.dropped,
    };
    return UT_OK;
}

utStatus ut_coulomb_unique(const utCoulomb* problem, const double* r, double tolerance,
                           utArena* keep, utArena scratch, utUniqueness* report, utError* err)
{
    if (keep == NULL || report == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "a report and an arena for it are needed");
    }
    Effect effect;
    UT_TRY(ut_effect_create(problem, r, tolerance, &scratch, &effect, err));
    utArena after = *keep;
    Kept kept;
    utUniqueness found;
    UT_TRY(find_redundancy(&effect, &after, scratch, &kept, &found));
    count_statuses(&effect, &kept, &found);
    UT_TRY(ut_velocity_claim(&effect, found.redundant == 0, scratch, &found.velocity));
    *keep = after;
    *report = found;
    return UT_OK;
}
