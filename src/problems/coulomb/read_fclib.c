// SPDX-License-Identifier: Apache-2.0
// Reads FCLIB files: friction problems in HDF5. Their groups; each matrix is a group of its own:
//
//     /fclib_local    spacedim, W, perhaps V and R, vectors/{q, mu, s}
//     /fclib_global   spacedim, M, H, perhaps G, vectors/{f, w, mu, b}
//
// A matrix has the numbers m, n and nz and the arrays p, i and x. As in CSparse, nz selects the format.
// nz >= 0: nz entries with rows i and columns p. nz = -1: compressed columns that begin at p, with row
// indices i. nz = -2: compressed rows that begin at p, with column indices i. Arrays may be longer than
// needed. Rows are ordered by contacts, normal first. Other groups (info, guesses, solution) are
// ignored.
#include <string.h>
#include <uptack/problem_files.h>

#include "fclib.h"
#include "problems/lcp/read.h"

#ifndef UPTACK_HAVE_HDF5

bool ut_coulomb_has_fclib(void)
{
    return false;
}

utStatus ut_coulomb_read_fclib_bytes(utText bytes, const char* file, utArena* keep,
                                     utCoulomb* problem, utError* err)
{
    (void)bytes;
    (void)keep;
    (void)problem;
    return ut_error_at(err, UT_ERR_FORMAT, file, 0, 0,
                       "this build cannot read HDF5; give the problem as text (.fc)");
}

#else

#include <hdf5.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

// A file that is being read. Its arrays go into `scratch`.
typedef struct Reader {
    hid_t file;
    const char* name;  ///< for messages
    const char* group; ///< "fclib_local" or "fclib_global"
    size_t size;       ///< of the file in bytes
    utArena scratch;
    utError* err;
} Reader;

enum { PATH_SIZE = 64 };

// ---- messages -----------------------------------------------------------------------------------

// Fill the error with a message; arguments as for printf. The value is UT_ERR_FORMAT.
#define REFUSE(r, ...) \
    (ut_error_at((r)->err, UT_ERR_FORMAT, (r)->name, 0, 0, __VA_ARGS__), UT_ERR_FORMAT)

static utStatus say_full(const Reader* r)
{
    ut_error_at(r->err, UT_ERR_CAPACITY, r->name, 0, 0,
                "no memory for this problem, a file of %.3g MB; give a larger arena",
                1e-6 * (double)r->size);
    return UT_ERR_CAPACITY;
}

// ---- datasets -----------------------------------------------------------------------------------

// Does the last part of the path exist? A link to another place or file is an error.
// @param path all parts before the last are existing groups
static utStatus check_link(const Reader* r, const char* path, bool* there)
{
    H5L_info_t info;
    *there = H5Lexists(r->file, path, H5P_DEFAULT) > 0;
    if (*there &&
        (H5Lget_info(r->file, path, &info, H5P_DEFAULT) < 0 || (info.type != H5L_TYPE_HARD))) {
        return REFUSE(r, "%s is a link; it must stand in the file itself", path);
    }
    return UT_OK;
}

// Check that every part of a path exists and is not a link.
static utStatus need_path(const Reader* r, const char* path)
{
    char part[PATH_SIZE];
    for (size_t size = 1;; size++) {
        if (path[size] == '/' || path[size] == 0) {
            bool there;
            memcpy(part, path, size);
            part[size] = 0;
            UT_TRY(check_link(r, part, &there));
            if (!there) {
                return REFUSE(r, "%s is missing", part);
            }
        }
        if (path[size] == 0) {
            return UT_OK;
        }
    }
}

// Properties of a dataset.
typedef struct Shape {
    H5T_class_t kind;
    double count;
    double bytes;   ///< least size in the file
    bool elsewhere; ///< stored in other files
} Shape;

// The largest ratio of compression: that of deflate, the strongest filter of HDF5.
static const double MAX_COMPRESSION = 1032.0;

static bool look_at(hid_t set, Shape* shape)
{
    const hid_t space = H5Dget_space(set);
    const hid_t type = H5Dget_type(set);
    const hid_t made = H5Dget_create_plist(set);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const int filters = H5Pget_nfilters(made);
    const int outside = H5Pget_external_count(made);
    const H5D_layout_t layout = H5Pget_layout(made);
    shape->kind = H5Tget_class(type);
    shape->count = (double)count;
    shape->bytes =
        (double)count * (double)H5Tget_size(type) / (filters > 0 ? MAX_COMPRESSION : 1.0);
    shape->elsewhere = outside > 0 || layout == H5D_VIRTUAL;
    const bool ok = space >= 0 && type >= 0 && made >= 0 && count >= 0 && filters >= 0 &&
                    outside >= 0 && layout >= 0;
    H5Pclose(made);
    H5Tclose(type);
    H5Sclose(space);
    return ok;
}

// A requested array and its contents.
typedef struct Array {
    bool whole; ///< int, else double
    int least;  ///< least number of entries
    int most;   ///< largest number of entries
    int count;
    void* data; ///< in the scratch arena
} Array;

static utStatus check_shape(const Reader* r, const char* path, hid_t set, Array* array)
{
    Shape shape;
    if (!look_at(set, &shape)) {
        return REFUSE(r, "%s cannot be read; the file is damaged", path);
    }
    if (shape.kind != H5T_INTEGER && (array->whole || shape.kind != H5T_FLOAT)) {
        return REFUSE(r, "%s does not hold %s", path, array->whole ? "whole numbers" : "numbers");
    }
    if (shape.elsewhere) {
        return REFUSE(r, "%s stands in another file; it must stand in this one", path);
    }
    if (!(shape.count >= array->least && shape.count <= array->most)) {
        return REFUSE(r, "%s holds %.0f numbers; %s%d are needed", path, shape.count,
                      array->most > array->least ? "at least " : "", array->least);
    }
    if (!(shape.bytes <= (double)r->size)) {
        return REFUSE(r, "%s claims %.0f numbers but the file has only %zu bytes", path,
                      shape.count, r->size);
    }
    array->count = (int)shape.count;
    return UT_OK;
}

static utStatus read_open_set(Reader* r, const char* path, hid_t set, Array* array)
{
    UT_TRY(check_shape(r, path, set, array));
    const size_t size = array->whole ? sizeof(int) : sizeof(double);
    array->data = ut_arena_push(&r->scratch, (size_t)array->count, size);
    if (array->data == NULL) {
        return say_full(r);
    }
    const hid_t type = array->whole ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    if (array->count > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->data) < 0) {
        return REFUSE(r, "%s cannot be read; the file is damaged", path);
    }
    return UT_OK;
}

// Read group/part/name. @param part NULL for group/name
static utStatus read_set(Reader* r, const char* part, const char* name, Array* array)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s%s%s/%s", r->group, part != NULL ? "/" : "",
             part != NULL ? part : "", name);
    UT_TRY(need_path(r, path));
    const hid_t set = H5Dopen2(r->file, path, H5P_DEFAULT);
    if (set < 0) {
        return REFUSE(r, "%s is not a dataset", path);
    }
    const utStatus status = read_open_set(r, path, set, array);
    H5Dclose(set);
    return status;
}

// ---- numbers and vectors ------------------------------------------------------------------------

static utStatus read_number(Reader* r, const char* part, const char* name, int* number)
{
    Array array = {.whole = true, .least = 1, .most = 1};
    const utArena before = r->scratch;
    UT_TRY(read_set(r, part, name, &array));
    *number = *(const int*)array.data;
    r->scratch = before;
    return UT_OK;
}

static utStatus read_size(Reader* r, const char* part, const char* name, int* number)
{
    UT_TRY(read_number(r, part, name, number));
    return *number >= 0 ? UT_OK
                        : REFUSE(r, "%s/%s/%s is %d; a size cannot be negative", r->group, part,
                                 name, *number);
}

static utStatus read_doubles(Reader* r, const char* part, const char* name, int least, int most,
                             const double** values)
{
    Array array = {.least = least, .most = most};
    UT_TRY(read_set(r, part, name, &array));
    const double* x = array.data;
    for (int k = 0; k < array.count; k++) {
        if (!isfinite(x[k])) {
            return REFUSE(r, "%s/%s/%s[%d] is not a finite number", r->group, part, name, k);
        }
    }
    *values = x;
    return UT_OK;
}

static utStatus read_ints(Reader* r, const char* part, const char* name, int least, int** index)
{
    Array array = {.whole = true, .least = least, .most = INT_MAX};
    UT_TRY(read_set(r, part, name, &array));
    *index = array.data;
    return UT_OK;
}

static utStatus read_vector(Reader* r, const char* name, int n, const double** x)
{
    return read_doubles(r, "vectors", name, n, n, x);
}

// ---- matrices -----------------------------------------------------------------------------------

static utStatus check_indices(const Reader* r, const char* part, const char* name, const int* index,
                              int count, int end)
{
    for (int k = 0; k < count; k++) {
        if (index[k] < 0 || index[k] >= end) {
            return REFUSE(r, "%s/%s/%s[%d] is %d; it must lie in 0 ... %d", r->group, part, name, k,
                          index[k], end - 1);
        }
    }
    return UT_OK;
}

static utStatus check_starts(const Reader* r, const char* part, const int* start, int lines)
{
    for (int k = 0; k <= lines; k++) {
        if (start[k] < 0 || (k == 0 && start[k] != 0) || (k > 0 && start[k] < start[k - 1])) {
            return REFUSE(r, "%s/%s/p[%d] is %d; p begins with 0 and never falls", r->group, part,
                          k, start[k]);
        }
    }
    return UT_OK;
}

// Fill `line` with the row or column of each entry of a compressed matrix. @param start lines + 1
static utStatus expand_lines(Reader* r, const int* start, int lines, int** line)
{
    *line = UT_PUSH(&r->scratch, int, start[lines]);
    if (*line == NULL) {
        return say_full(r);
    }
    for (int k = 0; k < lines; k++) {
        for (int entry = start[k]; entry < start[k + 1]; entry++) {
            (*line)[entry] = k;
        }
    }
    return UT_OK;
}

static utStatus read_triplets(Reader* r, const char* part, CoulombEntries* A)
{
    int* row;
    int* column;
    UT_TRY(read_ints(r, part, "i", A->count, &row));
    UT_TRY(read_ints(r, part, "p", A->count, &column));
    UT_TRY(check_indices(r, part, "i", row, A->count, A->rows));
    UT_TRY(check_indices(r, part, "p", column, A->count, A->columns));
    A->row = row;
    A->column = column;
    return UT_OK;
}

static utStatus read_compressed(Reader* r, const char* part, bool by_rows, CoulombEntries* A)
{
    const int lines = by_rows ? A->rows : A->columns;
    int* start;
    int* index;
    int* line;
    if (lines == INT_MAX) {
        return REFUSE(r, "%s/%s has %d %s; that is too many", r->group, part, lines,
                      by_rows ? "rows" : "columns");
    }
    UT_TRY(read_ints(r, part, "p", lines + 1, &start));
    UT_TRY(check_starts(r, part, start, lines));
    A->count = start[lines];
    UT_TRY(read_ints(r, part, "i", A->count, &index));
    UT_TRY(check_indices(r, part, "i", index, A->count, by_rows ? A->columns : A->rows));
    UT_TRY(expand_lines(r, start, lines, &line));
    A->row = by_rows ? line : index;
    A->column = by_rows ? index : line;
    return UT_OK;
}

static utStatus read_matrix(Reader* r, const char* part, CoulombEntries* A)
{
    int nz;
    UT_TRY(read_size(r, part, "m", &A->rows));
    UT_TRY(read_size(r, part, "n", &A->columns));
    UT_TRY(read_number(r, part, "nz", &nz));
    if (nz < -2) {
        return REFUSE(r, "%s/%s/nz is %d; it is a number of entries, -1 for columns or -2 for rows",
                      r->group, part, nz);
    }
    A->count = nz;
    UT_TRY(nz >= 0 ? read_triplets(r, part, A) : read_compressed(r, part, nz == -2, A));
    return read_doubles(r, part, "x", A->count, INT_MAX, &A->value);
}

static utStatus check_size(const Reader* r, const char* part, const CoulombEntries* A, int rows,
                           int columns)
{
    return A->rows == rows && A->columns == columns
               ? UT_OK
               : REFUSE(r, "%s/%s has %d rows and %d columns; it must have %d and %d", r->group,
                        part, A->rows, A->columns, rows, columns);
}

// ---- problems -----------------------------------------------------------------------------------

static utStatus has_part(const Reader* r, const char* part, bool* there)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", r->group, part);
    return check_link(r, path, there);
}

static utStatus read_dimension(Reader* r, FclibProblem* problem)
{
    UT_TRY(read_number(r, NULL, "spacedim", &problem->d));
    if (problem->d == 5) {
        return REFUSE(r, "%s/spacedim is 5; rolling friction cannot be solved", r->group);
    }
    if (problem->d != 2 && problem->d != 3) {
        return REFUSE(r, "%s/spacedim is %d; it is 2 in the plane and 3 in space", r->group,
                      problem->d);
    }
    return UT_OK;
}

// @param rows   m, the number of contact rows
// @param matrix the matrix that has them, for a message
static utStatus count_contacts(const Reader* r, const char* matrix, int rows, FclibProblem* problem)
{
    if (rows % problem->d != 0) {
        return REFUSE(r, "%s/%s is for %d rows of contacts; spacedim = %d must divide them",
                      r->group, matrix, rows, problem->d);
    }
    problem->contacts = rows / problem->d;
    return UT_OK;
}

static utStatus read_local(Reader* r, FclibProblem* problem)
{
    UT_TRY(read_dimension(r, problem));
    UT_TRY(read_matrix(r, "W", &problem->W));
    const int m = problem->W.rows;
    UT_TRY(check_size(r, "W", &problem->W, m, m));
    UT_TRY(count_contacts(r, "W", m, problem));
    UT_TRY(read_vector(r, "q", m, &problem->q));
    UT_TRY(read_vector(r, "mu", problem->contacts, &problem->mu));

    // the bilateral part must be complete or absent
    bool has_V;
    bool has_R;
    UT_TRY(has_part(r, "V", &has_V));
    UT_TRY(has_part(r, "R", &has_R));
    if (has_V || has_R) {
        UT_TRY(read_matrix(r, "V", &problem->V));
        UT_TRY(read_matrix(r, "R", &problem->R));
        problem->p = problem->R.rows;
        UT_TRY(check_size(r, "R", &problem->R, problem->p, problem->p));
        UT_TRY(check_size(r, "V", &problem->V, m, problem->p));
        UT_TRY(read_vector(r, "s", problem->p, &problem->s));
    }
    return UT_OK;
}

static utStatus read_global(Reader* r, FclibProblem* problem)
{
    UT_TRY(read_dimension(r, problem));
    UT_TRY(read_matrix(r, "M", &problem->M));
    const int n = problem->M.rows;
    UT_TRY(check_size(r, "M", &problem->M, n, n));
    UT_TRY(read_matrix(r, "H", &problem->H));
    const int m = problem->H.columns;
    UT_TRY(check_size(r, "H", &problem->H, n, m));
    UT_TRY(count_contacts(r, "H", m, problem));
    UT_TRY(read_vector(r, "f", n, &problem->f));
    UT_TRY(read_vector(r, "w", m, &problem->w));
    UT_TRY(read_vector(r, "mu", problem->contacts, &problem->mu));

    bool has_G;
    UT_TRY(has_part(r, "G", &has_G));
    if (has_G) {
        UT_TRY(read_matrix(r, "G", &problem->G));
        problem->p = problem->G.columns;
        UT_TRY(check_size(r, "G", &problem->G, n, problem->p));
        UT_TRY(read_vector(r, "b", problem->p, &problem->b));
    }
    return UT_OK;
}

// Choose the form. If a file holds both, the local one is read.
static utStatus find_form(Reader* r, bool* global)
{
    bool local;
    UT_TRY(check_link(r, "fclib_local", &local));
    UT_TRY(check_link(r, "fclib_global", global));
    *global = *global && !local;
    r->group = *global ? "fclib_global" : "fclib_local";
    return local || *global
               ? UT_OK
               : REFUSE(r, "there is neither fclib_local nor fclib_global in the file; a friction "
                           "problem of FCLIB has one of them");
}

static utStatus check_rows(const Reader* r, const FclibProblem* problem)
{
    const double rows = (double)problem->d * problem->contacts + problem->p;
    if (!(rows <= INT_MAX)) {
        return REFUSE(r, "there are %.0f rows; at most %d can be solved", rows, INT_MAX);
    }
    return UT_OK;
}

static utStatus read_problem(Reader* r, utArena* keep, utCoulomb* problem)
{
    FclibProblem read = {0};
    UT_TRY(find_form(r, &read.global));
    UT_TRY(read.global ? read_global(r, &read) : read_local(r, &read));
    UT_TRY(check_rows(r, &read));
    const utStatus status = read.global ? ut_fclib_global(&read, keep, r->scratch, problem)
                                        : ut_fclib_local(&read, keep, r->scratch, problem);
    if (status != UT_OK) {
        return say_full(r);
    }
    utError err;
    return ut_coulomb_check(problem, &err) == UT_OK ? UT_OK : REFUSE(r, "%s", err.message);
}

// ---- the file -----------------------------------------------------------------------------------

// Open bytes as a file of HDF5. @return a negative value when they are not
static hid_t open_bytes(utText bytes)
{
    // HDF5 treats files of the same name as one, so the name contains the address of the bytes
    char name[32];
    snprintf(name, sizeof name, "%p", (const void*)bytes.data);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (access >= 0 && bytes.size > 0 && H5Pset_fapl_core(access, (size_t)1 << 16, 0) >= 0 &&
        H5Pset_file_image(access, (void*)bytes.data, bytes.size) >= 0) {
        file = H5Fopen(name, H5F_ACC_RDONLY, access);
    }
    H5Pclose(access);
    return file;
}

static utStatus read_bytes(utText bytes, utArena scratch, const char* file, utArena* keep,
                           utCoulomb* problem, utError* err)
{
    Reader r = {.file = open_bytes(bytes),
                .name = file != NULL ? file : "",
                .size = bytes.size,
                .scratch = scratch,
                .err = err};
    if (r.file < 0) {
        return REFUSE(&r, "this is not an HDF5 file, or it is damaged");
    }
    utCoulomb read;
    utArena rest = *keep;
    const utStatus status = read_problem(&r, &rest, &read);
    H5Fclose(r.file);
    if (status == UT_OK) {
        *keep = rest;
        *problem = read;
    }
    return status;
}

bool ut_coulomb_has_fclib(void)
{
    return true;
}

utStatus ut_coulomb_read_fclib_bytes(utText bytes, const char* file, utArena* keep,
                                     utCoulomb* problem, utError* err)
{
    // stop HDF5 from printing its own errors
    H5E_auto2_t print = NULL;
    void* context = NULL;
    H5Eget_auto2(H5E_DEFAULT, &print, &context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    utArena scratch;
    utStatus status = ut_problems_scratch(keep, file, &scratch, err);
    if (status == UT_OK) {
        status = read_bytes(bytes, scratch, file, keep, problem, err);
        ut_arena_destroy(&scratch);
    }
    H5Eset_auto2(H5E_DEFAULT, print, context);
    return status;
}

#endif

utStatus ut_coulomb_read_fclib(const char* path, utArena* keep, utCoulomb* problem, utError* err)
{
    utArena memory;
    UT_TRY(ut_problems_scratch(keep, path, &memory, err));
    utArena scratch = memory;
    utText bytes;
    utStatus status = ut_text_read(path, 0, &scratch, &bytes, err);
    if (status == UT_OK) {
        status = ut_coulomb_read_fclib_bytes(bytes, path, keep, problem, err);
    }
    ut_arena_destroy(&memory);
    return status;
}
