// SPDX-License-Identifier: Apache-2.0
// The report on uniqueness: statuses, redundant directions, the impulses that they change, and the
// claim on the velocity (uptack/uniqueness.h).
#include <string.h>

#include "la/dense/kernel.h"
#include "row_basis.h"
#include "velocity.h"

// A direction of L changes an impulse when its entry there is above this fraction of its largest
// one; below are rounding and the error of slip directions.
static const double UNCHANGED = 1e-6;

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

// ---- unknowns -----------------------------------------------------------------------------------

// An unknown number y that the faces leave free: the impulses s c y in `count` rows from `row` on.
typedef struct Column {
    int row;
    int count;
    int group; // contact, or contacts + bilateral row
    double c[3];
} Column;

static int find_columns(const SolvedProblem* solved, Column* column)
{
    int count = 0;
    for (int i = 0; i < solved->nc; i++) {
        const Face* face = &solved->face[i];
        for (int k = 0; k < ut_face_dimension(face, solved->d); k++) {
            Column* next = &column[count++];
            *next = (Column){.row = solved->d * i, .count = solved->d, .group = i};
            ut_face_direction(face, solved->d, k, next->c);
        }
    }
    for (int j = 0; j < solved->nb; j++) {
        column[count++] = (Column){
            .row = solved->d * solved->nc + j, .count = 1, .group = solved->nc + j, .c = {1.0}};
    }
    return count;
}

// The rows of C: effects of the unknowns, numbers of order 1.
static void find_effects(const SolvedProblem* solved, int count, const Column* column, double* C)
{
    memset(C, 0, (size_t)count * (size_t)solved->n * sizeof *C);
    for (int a = 0; a < count; a++) {
        double x[3];
        for (int k = 0; k < column[a].count; k++) {
            x[k] = column[a].c[k] * solved->s[column[a].row];
        }
        ut_solved_add_effect(solved, column[a].row, column[a].count, x,
                             C + (size_t)a * (size_t)solved->n);
    }
}

// ---- redundant directions -----------------------------------------------------------------------

// Direction y of L as impulses dr of length 1; clear `unique` for the impulses that it changes.
static void write_direction(const SolvedProblem* solved, int count, const Column* column,
                            const double* y, bool* unique, double* dr)
{
    const double most = ut_max_abs(count, y);
    memset(dr, 0, (size_t)solved->N * sizeof *dr);
    for (int a = 0; a < count; a++) {
        const int row = column[a].row;
        for (int k = 0; k < column[a].count; k++) {
            dr[row + k] += solved->s[row] * column[a].c[k] * y[a];
        }
        if (!(fabs(y[a]) <= UNCHANGED * most)) {
            unique[column[a].group] = false;
        }
    }
    const double size = sqrt(ut_dot(solved->N, dr, dr));
    for (int k = 0; k < solved->N; k++) {
        dr[k] /= size;
    }
}

// All directions of L. @param null receives them  @param y one entry per unknown, work
static void write_directions(const SolvedProblem* solved, const Column* column,
                             const RowBasis* basis, double* y, bool* unique, double* null)
{
    for (int g = 0; g < solved->nc + solved->nb; g++) {
        unique[g] = true;
    }
    for (int a = 0; a < basis->rows; a++) {
        if (!basis->is_pivot[a]) {
            ut_row_basis_null(basis, a, y);
            write_direction(solved, basis->rows, column, y, unique, null);
            null += solved->N;
        }
    }
}

// ---- the report ---------------------------------------------------------------------------------

// The arrays of the report, while they are written.
typedef struct ReportArrays {
    utCoulombStatus* status;
    bool* degenerate;
    bool* unique;
    double* null;
} ReportArrays;

static void count_statuses(const SolvedProblem* solved, const ReportArrays* arrays,
                           utUniqueness* report)
{
    int count[3] = {0, 0, 0};
    for (int i = 0; i < solved->nc; i++) {
        arrays->status[i] = solved->status[i];
        arrays->degenerate[i] = solved->degenerate[i];
        count[solved->status[i]]++;
        report->degenerates += solved->degenerate[i] ? 1 : 0;
        report->interior = report->interior && (arrays->unique[i] || solved->face[i].inside);
    }
    report->open = count[UT_COULOMB_OPEN];
    report->slip = count[UT_COULOMB_SLIP];
    report->stick = count[UT_COULOMB_STICK];
}

// Find L and the impulses that it changes.
static utStatus find_redundancy(const SolvedProblem* solved, utArena* keep, utArena scratch,
                                ReportArrays* arrays, utUniqueness* report)
{
    Column* column = UT_PUSH(&scratch, Column, solved->N);
    const int count = column != NULL ? find_columns(solved, column) : 0;
    double* C = ut_coulomb_push(&scratch, count, solved->n);
    double* y = ut_coulomb_push(&scratch, 1, count);
    RowBasis basis;
    ut_row_basis_push(count, solved->n, &scratch, &basis);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    find_effects(solved, count, column, C);
    ut_row_basis_find(count, solved->n, C, solved->rank_tolerance, &basis);

    *arrays = (ReportArrays){
        .status = UT_PUSH(keep, utCoulombStatus, solved->nc),
        .degenerate = UT_PUSH(keep, bool, solved->nc),
        .unique = UT_PUSH(keep, bool, solved->nc + solved->nb),
        .null = ut_coulomb_push(keep, count - basis.rank, solved->N),
    };
    if (ut_arena_failed(keep)) {
        return UT_ERR_CAPACITY;
    }
    write_directions(solved, column, &basis, y, arrays->unique, arrays->null);
    *report = (utUniqueness){
        .status = arrays->status,
        .degenerate = arrays->degenerate,
        .columns = count,
        .rank = basis.rank,
        .redundant = count - basis.rank,
        .null = arrays->null,
        .unique = arrays->unique,
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
    SolvedProblem solved;
    UT_TRY(ut_solved_create(problem, r, tolerance, &scratch, &solved, err));
    utArena after = *keep;
    ReportArrays arrays;
    utUniqueness found;
    UT_TRY(find_redundancy(&solved, &after, scratch, &arrays, &found));
    count_statuses(&solved, &arrays, &found);
    UT_TRY(ut_velocity_claim(&solved, found.redundant == 0, scratch, &found.velocity));
    *keep = after;
    *report = found;
    return UT_OK;
}
