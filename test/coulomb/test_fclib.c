// SPDX-License-Identifier: Apache-2.0
// FCLIB files, written here with the library of HDF5 itself in each layout that the format knows,
// and read back; broken ones with the message they get; random damage.
#define _XOPEN_SOURCE 700
#include <uptack/coulomb.h>
#include <uptack/problem_files.h>

#include "test.h"

#ifndef UPTACK_HAVE_HDF5

TEST(friction_problems_of_fclib)
{
    CHECK(!ut_coulomb_has_fclib());
    test_skip("built without HDF5");
}

#else

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- writing ------------------------------------------------------------------------------------

enum { ROOM = 1 << 16, CELLS = 256 };
enum { TRIPLETS, COLUMNS, ROWS, LAYOUTS };

static unsigned char image[ROOM]; // the file that was written last

static hid_t new_file(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 4096, 0);
    const hid_t file = H5Fcreate("test_fclib", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file;
}

// The bytes of the file, which is closed.
static utText finish_file(hid_t file)
{
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    const ssize_t size = H5Fget_file_image(file, image, sizeof image);
    H5Fclose(file);
    CHECK(size > 0);
    return (utText){(const char*)image, size > 0 ? (size_t)size : 0};
}

// Groups on the way are made.
static void put(hid_t file, const char* path, hid_t type, int count, const void* data)
{
    const hsize_t size = (hsize_t)count;
    const hid_t parents = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(parents, 1);
    const hid_t space = H5Screate_simple(1, &size, NULL);
    const hid_t set = H5Dcreate2(file, path, type, space, parents, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(parents);
}

static void put_int(hid_t file, const char* path, int value)
{
    put(file, path, H5T_NATIVE_INT, 1, &value);
}

static void put_part(hid_t file, const char* matrix, const char* part, hid_t type, int count,
                     const void* data)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", matrix, part);
    put(file, path, type, count, data);
}

// A full row-major matrix in one of the layouts, without its zeros.
static void put_matrix(hid_t file, const char* path, int m, int n, const double* A, int layout)
{
    int p[CELLS];
    int i[CELLS];
    double x[CELLS];
    int count = 0;
    const int lines = layout == COLUMNS ? n : m;
    const int across = layout == COLUMNS ? m : n;
    for (int line = 0; line < lines; line++) {
        if (layout != TRIPLETS) {
            p[line] = count;
        }
        for (int k = 0; k < across; k++) {
            const double value = layout == COLUMNS ? A[k * n + line] : A[line * n + k];
            if (value != 0.0) {
                i[count] = layout == TRIPLETS ? line : k;
                if (layout == TRIPLETS) {
                    p[count] = k;
                }
                x[count++] = value;
            }
        }
    }
    if (layout != TRIPLETS) {
        p[lines] = count;
    }
    const int nz = layout == TRIPLETS ? count : layout == COLUMNS ? -1 : -2;
    put_part(file, path, "nzmax", H5T_NATIVE_INT, 1, &count);
    put_part(file, path, "m", H5T_NATIVE_INT, 1, &m);
    put_part(file, path, "n", H5T_NATIVE_INT, 1, &n);
    put_part(file, path, "nz", H5T_NATIVE_INT, 1, &nz);
    put_part(file, path, "p", H5T_NATIVE_INT, layout == TRIPLETS ? count : lines + 1, p);
    put_part(file, path, "i", H5T_NATIVE_INT, count, i);
    put_part(file, path, "x", H5T_NATIVE_DOUBLE, count, x);
}

// ---- problems -----------------------------------------------------------------------------------

// Two contacts in space and a bilateral pair, all numbers different, W not symmetric.
static const double W6[] = {2, 0.5, 0, -1, 0,     0,     0.25, 3, 0,    0, 0, 0.125,
                            0, 0,   4, 0,  0,     -0.75, -1.5, 0, 0,    5, 0, 0,
                            0, 0.5, 0, 0,  6.125, 0,     0,    0, -0.5, 0, 0, 7};
static const double V6[] = {1, 0, 0, 2, -3, 0, 0, 0, 0.5, 4, 0, -1};
static const double R2[] = {8, -0.25, 0.75, 9};
static const double q6[] = {-1, 2, -3, 4, -5, 6};
static const double s2[] = {0.5, -0.125};
static const double mu2[] = {0.25, 0.75};

static void put_local(hid_t file, int layout, bool bilateral)
{
    put_int(file, "fclib_local/spacedim", 3);
    put_matrix(file, "fclib_local/W", 6, 6, W6, layout);
    put(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 6, q6);
    put(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, 2, mu2);
    if (bilateral) {
        put_matrix(file, "fclib_local/V", 6, 2, V6, layout);
        put_matrix(file, "fclib_local/R", 2, 2, R2, layout);
        put(file, "fclib_local/vectors/s", H5T_NATIVE_DOUBLE, 2, s2);
    }
}

// Four velocities in the plane, of which M ties 0 to 2 and 1 to 3; one contact touches both pairs,
// another only the second, and a bilateral row only the first.
static const double M4[] = {3, 0, 1, 0, 0, 4, 0, -1, 1, 0, 5, 0, 0, -1, 0, 6};
static const double H4[] = {1, 0, 0, 0, 0, 2, 7, 0, 0, 3, 0, 0, 4, 0, 0, 8};
static const double G4[] = {-2, 0, 9, 0};
static const double f4[] = {10, 20, 30, 40};
static const double w4[] = {0.5, 1.5, 2.5, 3.5};
static const double b1[] = {-4.5};

static void put_global(hid_t file, int layout, const double* M)
{
    put_int(file, "fclib_global/spacedim", 2);
    put_matrix(file, "fclib_global/M", 4, 4, M, layout);
    put_matrix(file, "fclib_global/H", 4, 4, H4, layout);
    put_matrix(file, "fclib_global/G", 4, 1, G4, layout);
    put(file, "fclib_global/vectors/f", H5T_NATIVE_DOUBLE, 4, f4);
    put(file, "fclib_global/vectors/w", H5T_NATIVE_DOUBLE, 4, w4);
    put(file, "fclib_global/vectors/b", H5T_NATIVE_DOUBLE, 1, b1);
    put(file, "fclib_global/vectors/mu", H5T_NATIVE_DOUBLE, 2, mu2);
}

// ---- reading ------------------------------------------------------------------------------------

static bool read_good(utText bytes, utArena* keep, utCoulomb* problem)
{
    utError err = {0};
    *problem = (utCoulomb){0};
    const bool ok =
        CHECK_INT(ut_coulomb_read_fclib_bytes(bytes, "a.hdf5", keep, problem, &err), UT_OK);
    if (!ok) {
        test_note("%s", err.message);
    }
    return ok;
}

static bool same(const double* x, const double* y, size_t size)
{
    return memcmp(x, y, size) == 0;
}

// Does the problem's W in rows hold these N x N numbers, ascending and without a zero?
static void check_rows(const utCoulomb* problem, int N, const double* want)
{
    int at = 0;
    CHECK_INT(problem->W_start[0], 0);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            if (want[i * N + j] != 0.0) {
                CHECK_INT(problem->W_column[at], j);
                CHECK_NEAR(problem->W[at], want[i * N + j], 0.0);
                at++;
            }
        }
        if (!CHECK_INT(problem->W_start[i + 1], at)) {
            return;
        }
    }
}

TEST(a_local_problem_is_the_same_in_each_layout)
{
    for (int layout = 0; layout < LAYOUTS; layout++) {
        const hid_t file = new_file();
        put_local(file, layout, false);
        utArena keep = test_arena();
        utCoulomb problem;
        if (!read_good(finish_file(file), &keep, &problem)) {
            continue;
        }
        CHECK_INT(problem.dimension, 3);
        CHECK_INT(problem.contacts, 2);
        CHECK_INT(problem.bilaterals, 0);
        CHECK_INT(problem.section->kind, UT_SECTION_CIRCLE);
        CHECK(problem.blocks == NULL && problem.f == NULL && problem.b == NULL);
        check_rows(&problem, 6, W6);
        CHECK(same(problem.q, q6, sizeof q6) && same(problem.mu, mu2, sizeof mu2));
        CHECK_INT(ut_coulomb_check(&problem, NULL), UT_OK);
    }
}

// u = W r + V l + q and 0 = V'r + R l + s, so the whole matrix is (W V; V' R).
TEST(a_bilateral_part_stands_behind_the_contacts)
{
    double whole[64] = {0};
    for (int i = 0; i < 6; i++) {
        memcpy(whole + 8 * i, W6 + 6 * i, 6 * sizeof *W6);
        for (int j = 0; j < 2; j++) {
            whole[8 * i + 6 + j] = V6[2 * i + j];
            whole[8 * (6 + j) + i] = V6[2 * i + j];
        }
    }
    for (int i = 0; i < 2; i++) {
        memcpy(whole + 8 * (6 + i) + 6, R2 + 2 * i, 2 * sizeof *R2);
    }
    for (int layout = 0; layout < LAYOUTS; layout++) {
        const hid_t file = new_file();
        put_local(file, layout, true);
        utArena keep = test_arena();
        utCoulomb problem;
        if (read_good(finish_file(file), &keep, &problem)) {
            CHECK_INT(problem.contacts, 2);
            CHECK_INT(problem.bilaterals, 2);
            check_rows(&problem, 8, whole);
            CHECK(same(problem.q, q6, sizeof q6) && same(problem.q + 6, s2, sizeof s2));
        }
    }
}

// Arrays with room behind what is used, entries in any order, some twice, some zero.
TEST(entries_at_the_same_place_add_up_and_zeros_go)
{
    static const int i[] = {1, 0, 1, 0, 1, 0, 7};
    static const int p[] = {1, 1, 0, 1, 1, 0, 7};
    static const double x[] = {2, 0.5, 0, 0.25, 3, 4, 9};
    static const double want[] = {4, 0.75, 0, 5};
    static const double q[] = {-1, 1};
    const hid_t file = new_file();
    put_int(file, "fclib_local/spacedim", 2);
    put_int(file, "fclib_local/W/m", 2);
    put_int(file, "fclib_local/W/n", 2);
    put_int(file, "fclib_local/W/nz", 6);
    put(file, "fclib_local/W/i", H5T_NATIVE_INT, 7, i);
    put(file, "fclib_local/W/p", H5T_NATIVE_INT, 7, p);
    put(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, 7, x);
    put(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 2, q);
    put(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, 1, mu2);
    utArena keep = test_arena();
    utCoulomb problem;
    if (read_good(finish_file(file), &keep, &problem)) {
        CHECK_INT(problem.section->kind, UT_SECTION_SEGMENT);
        check_rows(&problem, 2, want);
    }
}

// The numbers of M4, H4 and G4 with the velocities in the order 0 2 1 3.
static void check_global(const utCoulomb* problem)
{
    static const int start[] = {0, 2, 4};
    static const double M[] = {3, 1, 1, 5, 4, -1, -1, 6};
    static const double f[] = {10, 30, 20, 40};
    static const int first[] = {0, 2, 3, 4};
    static const int node[] = {0, 1, 1, 0};
    // contact 0: rows are columns 0 and 1 of H; contact 1: columns 2 and 3; then G
    static const double J[] = {1, 0, 0, 3, 0, 4, 2, 0, 7, 0, 0, 8, -2, 9};
    const utCoulombBlocks* blocks = problem->blocks;
    CHECK_INT(problem->dimension, 2);
    CHECK_INT(problem->contacts, 2);
    CHECK_INT(problem->bilaterals, 1);
    CHECK_INT(problem->dof, 4);
    CHECK(problem->W == NULL && problem->q == NULL && problem->M == NULL && problem->J == NULL);
    CHECK(problem->section->kind == UT_SECTION_SEGMENT && same(problem->mu, mu2, sizeof mu2));
    if (!CHECK(blocks != NULL) || !CHECK_INT(blocks->nodes, 2)) {
        return;
    }
    CHECK(memcmp(blocks->start, start, sizeof start) == 0);
    CHECK(memcmp(blocks->first, first, sizeof first) == 0);
    CHECK(memcmp(blocks->node, node, sizeof node) == 0);
    for (int k = 0; k < 8; k++) {
        CHECK_NEAR(blocks->M[k], M[k], 0.0);
    }
    for (int k = 0; k < 14; k++) {
        CHECK_NEAR(blocks->J[k], J[k], 0.0);
    }
    CHECK(same(problem->f, f, sizeof f) && same(problem->b, w4, sizeof w4));
    CHECK_NEAR(problem->b[4], b1[0], 0.0);
    CHECK_INT(ut_coulomb_check(problem, NULL), UT_OK);
}

TEST(a_global_problem_becomes_blocks_of_velocities_that_M_ties)
{
    for (int layout = 0; layout < LAYOUTS; layout++) {
        const hid_t file = new_file();
        put_global(file, layout, M4);
        utArena keep = test_arena();
        utCoulomb problem;
        if (read_good(finish_file(file), &keep, &problem)) {
            check_global(&problem);
        }
    }
}

TEST(one_triangle_of_a_symmetric_M_is_enough)
{
    for (int above = 0; above < 2; above++) {
        double M[16];
        for (int k = 0; k < 16; k++) {
            const int i = k / 4;
            const int j = k % 4;
            M[k] = i == j || (i < j) == (above == 1) ? M4[k] : 0.0;
        }
        const hid_t file = new_file();
        put_global(file, TRIPLETS, M);
        utArena keep = test_arena();
        utCoulomb problem;
        if (read_good(finish_file(file), &keep, &problem)) {
            check_global(&problem);
        }
    }
}

// Twelve velocities with a diagonal M are two bodies in space; the contact touches one velocity of
// each.
TEST(six_velocities_of_a_diagonal_M_are_one_body)
{
    double M[144] = {0};
    double H[36] = {0};
    double f[12];
    static const double w[] = {0, 0, 0};
    for (int i = 0; i < 12; i++) {
        M[13 * i] = 1 + i;
        f[i] = -i;
    }
    H[3 * 1 + 0] = 0.5; // velocity 1, normal
    H[3 * 9 + 2] = 1.5; // velocity 9, second tangent
    const hid_t file = new_file();
    put_int(file, "fclib_global/spacedim", 3);
    put_matrix(file, "fclib_global/M", 12, 12, M, COLUMNS);
    put_matrix(file, "fclib_global/H", 12, 3, H, ROWS);
    put(file, "fclib_global/vectors/f", H5T_NATIVE_DOUBLE, 12, f);
    put(file, "fclib_global/vectors/w", H5T_NATIVE_DOUBLE, 3, w);
    put(file, "fclib_global/vectors/mu", H5T_NATIVE_DOUBLE, 1, mu2);
    utArena keep = test_arena();
    utCoulomb problem;
    if (!read_good(finish_file(file), &keep, &problem) || !CHECK_INT(problem.blocks->nodes, 2)) {
        return;
    }
    const utCoulombBlocks* blocks = problem.blocks;
    CHECK(blocks->start[0] == 0 && blocks->start[1] == 6 && blocks->start[2] == 12);
    CHECK(blocks->first[0] == 0 && blocks->first[1] == 2);
    CHECK(blocks->node[0] == 0 && blocks->node[1] == 1);
    for (int k = 0; k < 72; k++) {
        const int row = k % 36;
        CHECK_NEAR(blocks->M[k], row % 7 == 0 ? 1 + (k / 36) * 6 + row / 7 : 0.0, 0.0);
    }
    for (int k = 0; k < 36; k++) {
        CHECK_NEAR(blocks->J[k], k == 1 ? 0.5 : k == 18 + 12 + 3 ? 1.5 : 0.0, 0.0);
    }
    CHECK(same(problem.f, f, sizeof f));
}

// Six velocities in the plane could be two bodies, but M ties the last of the one to the first of
// the other.
TEST(velocities_are_no_bodies_where_M_says_otherwise)
{
    static const int start[] = {0, 1, 2, 4, 5, 6};
    static const double want[] = {2, 2, 2, 1, 1, 2, 2, 2};
    static const double f[] = {1, 2, 3, 4, 5, 6};
    static const double w[] = {0, 0};
    double M[36] = {0};
    double H[12] = {0};
    for (int i = 0; i < 6; i++) {
        M[7 * i] = 2;
    }
    M[6 * 2 + 3] = M[6 * 3 + 2] = 1;
    H[2 * 3 + 1] = 0.5; // velocity 3, tangent
    const hid_t file = new_file();
    put_int(file, "fclib_global/spacedim", 2);
    put_matrix(file, "fclib_global/M", 6, 6, M, TRIPLETS);
    put_matrix(file, "fclib_global/H", 6, 2, H, TRIPLETS);
    put(file, "fclib_global/vectors/f", H5T_NATIVE_DOUBLE, 6, f);
    put(file, "fclib_global/vectors/w", H5T_NATIVE_DOUBLE, 2, w);
    put(file, "fclib_global/vectors/mu", H5T_NATIVE_DOUBLE, 1, mu2);
    utArena keep = test_arena();
    utCoulomb problem;
    if (!read_good(finish_file(file), &keep, &problem) || !CHECK_INT(problem.blocks->nodes, 5)) {
        return;
    }
    CHECK(memcmp(problem.blocks->start, start, sizeof start) == 0);
    CHECK(same(problem.blocks->M, want, sizeof want) && same(problem.f, f, sizeof f));
    CHECK(problem.blocks->first[1] == 1 && problem.blocks->node[0] == 2);
    CHECK(problem.blocks->J[0] == 0.0 && problem.blocks->J[3] == 0.5);
}

// Solved by hand: a block of 2 kg thrown at the floor with (-1, 3, 4) m/s slips and stops falling,
// r = (2, -0.6, -0.8), u = (0, 2.7, 3.6).
TEST(a_problem_of_fclib_can_be_judged)
{
    static const double M[] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    static const double H[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double f[] = {-2, 6, 8};
    static const double w[] = {0, 0, 0};
    static const double mu[] = {0.5};
    static const double r[] = {2, -0.6, -0.8};
    const hid_t file = new_file();
    put_int(file, "fclib_global/spacedim", 3);
    put_matrix(file, "fclib_global/M", 3, 3, M, TRIPLETS);
    put_matrix(file, "fclib_global/H", 3, 3, H, TRIPLETS);
    put(file, "fclib_global/vectors/f", H5T_NATIVE_DOUBLE, 3, f);
    put(file, "fclib_global/vectors/w", H5T_NATIVE_DOUBLE, 3, w);
    put(file, "fclib_global/vectors/mu", H5T_NATIVE_DOUBLE, 1, mu);
    utArena keep = test_arena();
    utCoulomb problem;
    if (!read_good(finish_file(file), &keep, &problem)) {
        return;
    }
    double u[3];
    utCoulombVerdict verdict;
    CHECK_INT(ut_coulomb_judge(&problem, false, r, keep, u, &verdict), UT_OK);
    // a few roundings of numbers below 10
    CHECK_NEAR(u[0], 0.0, 1e-14);
    CHECK_NEAR(u[1], 2.7, 1e-14);
    CHECK_NEAR(u[2], 3.6, 1e-14);
    CHECK(verdict.E <= 1e-14);
}

TEST(of_a_file_with_both_forms_the_local_one_is_read)
{
    const hid_t file = new_file();
    put_global(file, TRIPLETS, M4);
    put_local(file, ROWS, false);
    utArena keep = test_arena();
    utCoulomb problem;
    if (read_good(finish_file(file), &keep, &problem)) {
        CHECK(problem.W_start != NULL && problem.blocks == NULL);
    }
}

// Files from elsewhere may have other types of numbers and packed arrays.
TEST(other_types_and_packed_arrays_are_read_too)
{
    static const long long i[] = {0, 1};
    static const float x[] = {2.5f, 3.5f};
    static const double want[] = {2.5, 0, 0, 3.5};
    static const short q[] = {-1, 2};
    const hid_t file = new_file();
    put_int(file, "fclib_local/spacedim", 2);
    put_int(file, "fclib_local/W/m", 2);
    put_int(file, "fclib_local/W/n", 2);
    put_int(file, "fclib_local/W/nz", 2);
    put(file, "fclib_local/W/i", H5T_NATIVE_LLONG, 2, i);
    put(file, "fclib_local/W/p", H5T_NATIVE_LLONG, 2, i);
    put(file, "fclib_local/vectors/q", H5T_NATIVE_SHORT, 2, q);
    put(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, 1, mu2);
    const hsize_t two = 2;
    const hid_t packed = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(packed, 1, &two);
    H5Pset_deflate(packed, 9);
    const hid_t space = H5Screate_simple(1, &two, NULL);
    const hid_t set = H5Dcreate2(file, "fclib_local/W/x", H5T_NATIVE_FLOAT, space, H5P_DEFAULT,
                                 packed, H5P_DEFAULT);
    CHECK(H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(packed);
    utArena keep = test_arena();
    utCoulomb problem;
    if (read_good(finish_file(file), &keep, &problem)) {
        check_rows(&problem, 2, want);
        CHECK(problem.q[0] == -1.0 && problem.q[1] == 2.0);
    }
}

// ---- memory and files ---------------------------------------------------------------------------

// From too small to large enough: each size says so, or gives the problem.
static void check_sizes(utText bytes)
{
    utArena all = test_arena();
    utCoulomb problem = {.dimension = -7};
    size_t size = 0;
    for (; size < (size_t)1 << 16; size += 44) { // most ends are not aligned
        utArena keep = ut_arena_on(all.next, size);
        const utArena before = keep;
        utError err = {0};
        const utStatus status = ut_coulomb_read_fclib_bytes(bytes, "a.hdf5", &keep, &problem, &err);
        if (status == UT_OK) {
            CHECK(keep.next > before.next && keep.next <= before.end && keep.end == before.end);
            break;
        }
        CHECK_INT(status, UT_ERR_CAPACITY);
        CHECK(keep.next == before.next && keep.end == before.end && problem.dimension == -7);
        CHECK(strncmp(err.message, "no memory for this problem", 26) == 0);
    }
    CHECK(problem.dimension > 0);
    CHECK(size > 500);
}

TEST(a_small_arena_is_said_and_left_alone_by_fclib_too)
{
    hid_t file = new_file();
    put_local(file, COLUMNS, true);
    check_sizes(finish_file(file));
    file = new_file();
    put_global(file, ROWS, M4);
    check_sizes(finish_file(file));
}

TEST(a_problem_of_fclib_is_read_from_its_path)
{
    char path[] = "/tmp/uptack-fclib-XXXXXX";
    const int descriptor = mkstemp(path);
    const hid_t file = new_file();
    put_global(file, TRIPLETS, M4);
    const utText bytes = finish_file(file);
    if (!CHECK(descriptor >= 0 && write(descriptor, bytes.data, bytes.size) > 0)) {
        return;
    }
    close(descriptor);
    utArena keep = test_arena();
    const utArena before = keep;
    utCoulomb problem;
    utError err = {0};
    CHECK_INT(ut_coulomb_read_fclib(path, &keep, &problem, &err), UT_OK);
    unlink(path);
    check_global(&problem);
    CHECK(keep.end == before.end && (size_t)(keep.next - before.next) < 4096);

    char message[600];
    CHECK_INT(ut_coulomb_read_fclib("/nowhere/a.hdf5", &keep, &problem, &err), UT_ERR_IO);
    ut_error_format(&err, message, sizeof message);
    CHECK(strncmp(message, "/nowhere/a.hdf5: error: ", 24) == 0);
    utArena small = ut_arena_on(before.next, 64);
    CHECK(ut_coulomb_read_fclib("/nowhere/a.hdf5", &small, &problem, NULL) != UT_OK);
}

static herr_t count_print(hid_t stack, void* context)
{
    (void)stack;
    (*(int*)context)++;
    return 0;
}

TEST(the_library_of_hdf5_does_not_print_and_is_left_as_it_was)
{
    H5E_auto2_t print = NULL;
    void* context = NULL;
    int printed = 0;
    H5Eget_auto2(H5E_DEFAULT, &print, &context);
    H5Eset_auto2(H5E_DEFAULT, count_print, &printed);
    utArena keep = test_arena();
    utCoulomb problem;
    CHECK_INT(ut_coulomb_read_fclib_bytes((utText){"no", 2}, "a", &keep, &problem, NULL),
              UT_ERR_FORMAT);
    CHECK_INT(printed, 0);
    H5E_auto2_t now = NULL;
    void* here = NULL;
    H5Eget_auto2(H5E_DEFAULT, &now, &here);
    CHECK(now == count_print && here == &printed);
    CHECK_INT(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    H5Eset_auto2(H5E_DEFAULT, print, context);
}

// ---- bad files ----------------------------------------------------------------------------------

static void check_bad(utText bytes, const char* want)
{
    utArena keep = test_arena();
    const utArena before = keep;
    utCoulomb problem = {.dimension = -7};
    utError err = {0};
    char message[600];
    CHECK_INT(ut_coulomb_read_fclib_bytes(bytes, "a.hdf5", &keep, &problem, &err), UT_ERR_FORMAT);
    ut_error_format(&err, message, sizeof message);
    CHECK_TEXT(message, want);
    CHECK(problem.dimension == -7 && keep.next == before.next && keep.end == before.end);
    CHECK_INT(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

// Put something else in the place of a dataset or group: "i 1 2" whole numbers, "x 1 2" numbers,
// "t" text, "g" a group, "s" a link in the file, "e" one to another file, "-" nothing.
static void replace(hid_t file, const char* path, const char* with)
{
    int ints[8];
    double values[8];
    int count = 0;
    char* end;
    for (const char* at = with + 1; *at != 0; at = end) {
        values[count] = strtod(at, &end);
        ints[count] = isfinite(values[count]) ? (int)values[count] : 0;
        count++;
    }
    if (H5Lexists(file, path, H5P_DEFAULT) > 0) {
        H5Ldelete(file, path, H5P_DEFAULT);
    }
    if (with[0] == 'i') {
        put(file, path, H5T_NATIVE_INT, count, ints);
    } else if (with[0] == 'x') {
        put(file, path, H5T_NATIVE_DOUBLE, count, values);
    } else if (with[0] == 't') {
        put(file, path, H5T_C_S1, 8, "no digit");
    } else if (with[0] == 'g') {
        H5Gclose(H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    } else if (with[0] == 's') {
        H5Lcreate_soft("/fclib_local/vectors/mu", file, path, H5P_DEFAULT, H5P_DEFAULT);
    } else if (with[0] == 'e') {
        H5Lcreate_external("b.hdf5", "/x", file, path, H5P_DEFAULT, H5P_DEFAULT);
    }
}

typedef struct Bad {
    int layout;
    const char* path;
    const char* with;
    const char* error;
} Bad;

// Of the local problem; W has 14 entries.
static const Bad bad_local[] = {
    {TRIPLETS, "fclib_local", "-",
     "there is neither fclib_local nor fclib_global in the file; a friction problem of FCLIB has "
     "one of them"},
    {TRIPLETS, "fclib_local", "i 1", "fclib_local/spacedim is missing"},
    {TRIPLETS, "fclib_local", "e", "fclib_local is a link; it must stand in the file itself"},
    {TRIPLETS, "fclib_local/spacedim", "-", "fclib_local/spacedim is missing"},
    {TRIPLETS, "fclib_local/spacedim", "t", "fclib_local/spacedim does not hold whole numbers"},
    {TRIPLETS, "fclib_local/spacedim", "x 3", "fclib_local/spacedim does not hold whole numbers"},
    {TRIPLETS, "fclib_local/spacedim", "g", "fclib_local/spacedim is not a dataset"},
    {TRIPLETS, "fclib_local/spacedim", "i 3 3",
     "fclib_local/spacedim holds 2 numbers; 1 are needed"},
    {TRIPLETS, "fclib_local/spacedim", "i 5",
     "fclib_local/spacedim is 5; rolling friction cannot be solved"},
    {TRIPLETS, "fclib_local/spacedim", "i 4",
     "fclib_local/spacedim is 4; it is 2 in the plane and 3 in space"},
    {TRIPLETS, "fclib_local/W", "-", "fclib_local/W is missing"},
    {TRIPLETS, "fclib_local/W", "i 6", "fclib_local/W/m is missing"},
    {TRIPLETS, "fclib_local/W/m", "-", "fclib_local/W/m is missing"},
    {TRIPLETS, "fclib_local/W/m", "i -6", "fclib_local/W/m is -6; a size cannot be negative"},
    {TRIPLETS, "fclib_local/W/m", "i 7",
     "fclib_local/W has 7 rows and 6 columns; it must have 7 and 7"},
    {TRIPLETS, "fclib_local/W/n", "i 9",
     "fclib_local/W has 6 rows and 9 columns; it must have 6 and 6"},
    {TRIPLETS, "fclib_local/W/nz", "i -3",
     "fclib_local/W/nz is -3; it is a number of entries, -1 for columns or -2 for rows"},
    {TRIPLETS, "fclib_local/W/nz", "i 15",
     "fclib_local/W/i holds 14 numbers; at least 15 are needed"},
    {TRIPLETS, "fclib_local/W/i", "i 0 1",
     "fclib_local/W/i holds 2 numbers; at least 14 are needed"},
    {TRIPLETS, "fclib_local/W/p", "-", "fclib_local/W/p is missing"},
    {TRIPLETS, "fclib_local/W/x", "x 0 1",
     "fclib_local/W/x holds 2 numbers; at least 14 are needed"},
    {TRIPLETS, "fclib_local/W/x", "t", "fclib_local/W/x does not hold numbers"},
    {TRIPLETS, "fclib_local/W/x", "s",
     "fclib_local/W/x is a link; it must stand in the file itself"},
    {ROWS, "fclib_local/W/p", "i 0 1 2 3 4 5",
     "fclib_local/W/p holds 6 numbers; at least 7 are needed"},
    {ROWS, "fclib_local/W/p", "i 1 1 2 3 4 5 6",
     "fclib_local/W/p[0] is 1; p begins with 0 and never falls"},
    {COLUMNS, "fclib_local/W/p", "i 0 1 2 3 2 5 6",
     "fclib_local/W/p[4] is 2; p begins with 0 and never falls"},
    {COLUMNS, "fclib_local/W/p", "i 0 1 2 3 -2 5 6",
     "fclib_local/W/p[4] is -2; p begins with 0 and never falls"},
    {ROWS, "fclib_local/W/p", "i 0 1 2 3 4 5 2000000000",
     "fclib_local/W/i holds 14 numbers; at least 2000000000 are needed"},
    {TRIPLETS, "fclib_local/vectors", "-", "fclib_local/vectors is missing"},
    {TRIPLETS, "fclib_local/vectors/q", "-", "fclib_local/vectors/q is missing"},
    {TRIPLETS, "fclib_local/vectors/q", "x 0 0 0 0 0 0 0",
     "fclib_local/vectors/q holds 7 numbers; 6 are needed"},
    {TRIPLETS, "fclib_local/vectors/q", "x 0 0 0 inf 0 0",
     "fclib_local/vectors/q[3] is not a finite number"},
    {TRIPLETS, "fclib_local/vectors/mu", "x 0.5",
     "fclib_local/vectors/mu holds 1 numbers; 2 are needed"},
    {TRIPLETS, "fclib_local/vectors/mu", "x 0.5 nan",
     "fclib_local/vectors/mu[1] is not a finite number"},
    {TRIPLETS, "fclib_local/vectors/mu", "x 0.5 -0.5",
     "mu[1] is -0.5; it must be finite and not negative"},
    {TRIPLETS, "fclib_local/V", "-", "fclib_local/V is missing"},
    {TRIPLETS, "fclib_local/R", "-", "fclib_local/R is missing"},
    {TRIPLETS, "fclib_local/R", "e", "fclib_local/R is a link; it must stand in the file itself"},
    {TRIPLETS, "fclib_local/R/m", "i 3",
     "fclib_local/R has 3 rows and 2 columns; it must have 3 and 3"},
    {TRIPLETS, "fclib_local/V/n", "i 3",
     "fclib_local/V has 6 rows and 3 columns; it must have 6 and 2"},
    {TRIPLETS, "fclib_local/vectors/s", "-", "fclib_local/vectors/s is missing"},
    {TRIPLETS, "fclib_local/vectors/s", "x 1",
     "fclib_local/vectors/s holds 1 numbers; 2 are needed"},
};

static const Bad bad_global[] = {
    {TRIPLETS, "fclib_global/spacedim", "i 5",
     "fclib_global/spacedim is 5; rolling friction cannot be solved"},
    {TRIPLETS, "fclib_global/spacedim", "i 3",
     "fclib_global/H is for 4 rows of contacts; spacedim = 3 must divide them"},
    {TRIPLETS, "fclib_global/M", "-", "fclib_global/M is missing"},
    {TRIPLETS, "fclib_global/M/i", "i 0 0 1 1 2 4 3 3",
     "fclib_global/M/i[5] is 4; it must lie in 0 ... 3"},
    {TRIPLETS, "fclib_global/M/p", "i 0 2 1 3 -1 2 1 3",
     "fclib_global/M/p[4] is -1; it must lie in 0 ... 3"},
    {TRIPLETS, "fclib_global/M/x", "x 1 1 1 1 nan 1 1 1",
     "fclib_global/M/x[4] is not a finite number"},
    {TRIPLETS, "fclib_global/M/m", "i 5",
     "fclib_global/M has 5 rows and 4 columns; it must have 5 and 5"},
    {TRIPLETS, "fclib_global/H", "-", "fclib_global/H is missing"},
    {TRIPLETS, "fclib_global/H/m", "i 5",
     "fclib_global/H has 5 rows and 4 columns; it must have 4 and 4"},
    {COLUMNS, "fclib_global/H/i", "i 0 2 1 3 1 9",
     "fclib_global/H/i[5] is 9; it must lie in 0 ... 3"},
    {TRIPLETS, "fclib_global/G/m", "i 5",
     "fclib_global/G has 5 rows and 1 columns; it must have 4 and 1"},
    {TRIPLETS, "fclib_global/vectors/f", "x 0 0 0",
     "fclib_global/vectors/f holds 3 numbers; 4 are needed"},
    {TRIPLETS, "fclib_global/vectors/w", "-", "fclib_global/vectors/w is missing"},
    {TRIPLETS, "fclib_global/vectors/b", "-", "fclib_global/vectors/b is missing"},
};

static void check_all_bad(const Bad* bad, size_t count, bool global)
{
    for (size_t k = 0; k < count; k++) {
        char want[400];
        const hid_t file = new_file();
        if (global) {
            put_global(file, bad[k].layout, M4);
        } else {
            put_local(file, bad[k].layout, true);
        }
        replace(file, bad[k].path, bad[k].with);
        snprintf(want, sizeof want, "a.hdf5: error: %s", bad[k].error);
        check_bad(finish_file(file), want);
    }
}

TEST(a_bad_file_of_fclib_gets_a_message_with_the_name_of_the_dataset)
{
    check_all_bad(bad_local, sizeof bad_local / sizeof *bad_local, false);
    check_all_bad(bad_global, sizeof bad_global / sizeof *bad_global, true);
}

TEST(what_is_no_file_of_hdf5_is_said)
{
    static const char* const message = "a.hdf5: error: this is not an HDF5 file, or it is damaged";
    check_bad((utText){NULL, 0}, message);
    check_bad((utText){"fc 3 1 1\n", 9}, message);
    const hid_t file = new_file();
    put_local(file, ROWS, false);
    utText bytes = finish_file(file);
    bytes.size = bytes.size < 100 ? bytes.size : 100;
    check_bad(bytes, message);
    check_bad((utText){bytes.data + 1, 99}, message);
}

// Doubles in place of a dataset, without values and stored as `how` says, which is closed.
static void put_odd(hid_t file, const char* path, hsize_t size, hid_t how)
{
    H5Ldelete(file, path, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &size, NULL);
    H5Dclose(H5Dcreate2(file, path, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(how);
}

// Room is asked for what the file can hold, not for what it claims.
TEST(a_claim_of_many_numbers_is_not_believed)
{
    const hsize_t chunk = 1000;
    const hid_t file = new_file();
    put_local(file, TRIPLETS, false);
    const hid_t lazy = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(lazy, 1, &chunk);
    put_odd(file, "fclib_local/W/x", 1000000000, lazy);
    const utText bytes = finish_file(file);
    char want[200];
    snprintf(want, sizeof want,
             "a.hdf5: error: fclib_local/W/x claims 1000000000 numbers but the file has only %zu "
             "bytes",
             bytes.size);
    check_bad(bytes, want);
}

TEST(numbers_in_another_file_are_not_looked_for)
{
    const hid_t file = new_file();
    put_local(file, TRIPLETS, false);
    const hid_t outside = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(outside, "/etc/hostname", 0, 16);
    put_odd(file, "fclib_local/vectors/mu", 2, outside);
    check_bad(finish_file(file), "a.hdf5: error: fclib_local/vectors/mu stands in another file; it "
                                 "must stand in this one");
}

// ---- random damage ------------------------------------------------------------------------------

enum { MUTATIONS = 2000 };

// Change a few bytes, or stop early. @return the new size
static size_t damage(utRng* rng, unsigned char* bytes, size_t size)
{
    if (ut_rng_below(rng, 16) == 0) {
        return (size_t)ut_rng_below(rng, (int)size);
    }
    for (int k = 1 + ut_rng_below(rng, 3); k > 0; k--) {
        unsigned char* byte = bytes + ut_rng_below(rng, (int)size);
        const int flipped = *byte ^ (1 << ut_rng_below(rng, 8));
        const int other = ut_rng_below(rng, 256);
        *byte = (unsigned char)(ut_rng_below(rng, 2) > 0 ? flipped : other);
    }
    return size;
}

// @return how many of the damaged files still read, or -1 when a reading neither did nor said why
static int count_damaged(utText good, uint64_t seed)
{
    static unsigned char bytes[ROOM];
    int read = 0;
    for (int k = 0; k < MUTATIONS; k++) {
        utRng rng = ut_rng(seed, (uint64_t)k);
        memcpy(bytes, good.data, good.size);
        const size_t size = damage(&rng, bytes, good.size);
        utArena keep = test_arena();
        utCoulomb problem;
        utError err = {0};
        const utStatus status = ut_coulomb_read_fclib_bytes((utText){(const char*)bytes, size},
                                                            "a.hdf5", &keep, &problem, &err);
        read += status == UT_OK;
        if (status != UT_OK && status != UT_ERR_CAPACITY &&
            (status != UT_ERR_FORMAT || err.message[0] == 0)) {
            return -1;
        }
    }
    return read;
}

// In a process of its own, which ends without cleaning up: HDF5 1.10 loses some memory over damaged
// files and complains of that when it is closed, which is no fault of the reader.
static void check_damaged(utText good, uint64_t seed)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const int read = count_damaged(good, seed);
        _exit(read < 0 ? 255 : read * 100 / MUTATIONS);
    }
    int status = -1;
    if (!CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status))) {
        return;
    }
    // some bytes do not matter, others do
    const int percent = WEXITSTATUS(status);
    CHECK(percent > 0 && percent < 100);
    test_note("%d %% of %d damaged files still read", percent, MUTATIONS);
}

TEST(random_damage_to_a_file_of_fclib_ends_in_a_problem_or_a_message)
{
    hid_t file = new_file();
    put_local(file, ROWS, true);
    check_damaged(finish_file(file), 21);
    file = new_file();
    put_global(file, TRIPLETS, M4);
    check_damaged(finish_file(file), 22);
}

#endif
