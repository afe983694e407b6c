// SPDX-License-Identifier: Apache-2.0
// Public friction problems that nobody here wrote, in $UPTACK_DATA/friction (.fc) and fclib
// (.hdf5): every one of them is to be solved in one go, to 1e-8 in E and in the residual that the
// collections are measured by, |r - P_K(r - û)| / |q|, which is computed here once more.
#include "test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/coulomb.h>
#include <uptack/problem_files.h>

enum { NAME_SIZE = 512, FILES = 1024, HARD = 100 };

static const double TOLERANCE = 1e-8;

typedef struct Counts {
    int files;
    int solved;
    int refused; // with rolling friction, which is another law
    int rungs[UT_RUNG_COUNT];
    double worst_E;
    double worst_relative;
} Counts;

static int compare_names(const void* a, const void* b)
{
    return strcmp(a, b);
}

static bool ends_in(const char* name, const char* ending)
{
    const char* dot = strrchr(name, '.');
    return dot != NULL && strcmp(dot, ending) == 0;
}

static int list_folder(const char* folder, char names[][NAME_SIZE])
{
    int count = 0;
    DIR* dir = opendir(folder);
    for (struct dirent* e = dir != NULL ? readdir(dir) : NULL; e != NULL; e = readdir(dir)) {
        const bool known = ends_in(e->d_name, ".fc") || ends_in(e->d_name, ".hdf5");
        if (known && count < FILES) {
            snprintf(names[count++], NAME_SIZE, "%s", e->d_name);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    qsort(names, (size_t)count, NAME_SIZE, compare_names);
    return count;
}

static utStatus read_file(const char* path, utArena* arena, utCoulomb* problem, utError* err)
{
    utText text;
    if (ends_in(path, ".hdf5")) {
        return ut_coulomb_read_fclib(path, arena, problem, err);
    }
    UT_TRY(ut_text_read(path, 0, arena, &text, err));
    return ut_coulomb_read(text, path, arena, problem, err);
}

// |x|^2 of x = r_i - P_K(r_i - û_i) of one contact, P_K by its three cases.
static double natural_square(int d, double mu, const double* r, const double* u)
{
    const double slip = d == 3 ? hypot(u[1], u[2]) : fabs(u[1]);
    double x[3] = {r[0] - u[0] - mu * slip, r[1] - u[1], d == 3 ? r[2] - u[2] : 0.0};
    const double t = hypot(x[1], x[2]);
    if (t > mu * x[0]) {
        const double n = fmax(0.0, (x[0] + mu * t) / (1.0 + mu * mu));
        x[0] = n;
        x[1] = n > 0.0 ? mu * n * x[1] / t : 0.0;
        x[2] = n > 0.0 ? mu * n * x[2] / t : 0.0;
    }
    double square = 0.0;
    for (int k = 0; k < d; k++) {
        square += (r[k] - x[k]) * (r[k] - x[k]);
    }
    return square;
}

static double relative_residual(const utCoulomb* problem, const double* r, const double* u,
                                const double* q)
{
    double square = 0.0, size = 0.0;
    const int d = problem->dimension;
    for (int i = 0; i < problem->contacts; i++) {
        square += natural_square(d, problem->mu[i], r + d * i, u + d * i);
        for (int k = 0; k < d; k++) {
            size += q[d * i + k] * q[d * i + k];
        }
    }
    return sqrt(square) / (size > 0.0 ? sqrt(size) : 1.0);
}

// Solve it as it comes. @return solved, by both residuals
static bool solve(const utCoulomb* problem, utArena arena, utCoulombInfo* info)
{
    const int N = ut_coulomb_rows(problem);
    double* r = UT_PUSH(&arena, double, N);
    double* u = UT_PUSH(&arena, double, N);
    double* q = UT_PUSH(&arena, double, N);
    utArena scratch;
    utCoulombVerdict free;
    const utCoulombDef def = ut_coulomb_def();
    if (!CHECK_INT(ut_arena_create(0, NULL, &scratch), UT_OK)) {
        return false;
    }
    memset(r, 0, (size_t)N * sizeof *r);
    CHECK_INT(ut_coulomb_judge(problem, false, r, scratch, q, &free), UT_OK); // u without impulses
    CHECK_INT(ut_coulomb_solve(problem, UT_COULOMB_AUTO, &def, scratch, r, info), UT_OK);
    CHECK_INT(ut_coulomb_judge(problem, false, r, scratch, u, &info->verdict), UT_OK);
    ut_arena_destroy(&scratch);
    if (problem->bilaterals == 0) {
        const double relative = relative_residual(problem, r, u, q);
        CHECK_NEAR(info->verdict.relative, relative, 1e-12 + 1e-6 * relative);
    }
    return info->outcome == UT_COULOMB_SOLVED && info->verdict.E <= TOLERANCE &&
           info->verdict.relative <= TOLERANCE;
}

static void solve_file(const char* folder, const char* name, Counts* counts)
{
    char path[2 * NAME_SIZE];
    snprintf(path, sizeof path, "%.500s/%.500s", folder, name);
    utArena arena = test_arena();
    utCoulomb problem;
    utCoulombInfo info = {0};
    utError err;
    counts->files++;
    if (read_file(path, &arena, &problem, &err) != UT_OK) {
        test_note("%s: %s", name, err.message);
        counts->refused += strstr(name, "Chute") != NULL; // rolling friction, said by its message
        return;
    }
    const bool solved = solve(&problem, arena, &info);
    counts->solved += solved;
    counts->rungs[info.rung]++;
    counts->worst_E = info.verdict.E > counts->worst_E ? info.verdict.E : counts->worst_E;
    counts->worst_relative = info.verdict.relative > counts->worst_relative
                                 ? info.verdict.relative
                                 : counts->worst_relative;
    if (!solved || info.iterations >= HARD) {
        test_note("%s: %d contacts, %s by %s after %d factorizations, E %.1e, relative %.1e", name,
                  problem.contacts, ut_coulomb_outcome_name(info.outcome), ut_rung_name(info.rung),
                  info.iterations, info.verdict.E, info.verdict.relative);
    }
}

static void solve_folder(const char* part)
{
    static char names[FILES][NAME_SIZE];
    char folder[NAME_SIZE];
    const char* data = getenv("UPTACK_DATA");
    if (data == NULL) {
        test_skip("UPTACK_DATA is not set: no public friction problems");
        return;
    }
    snprintf(folder, sizeof folder, "%s/%s", data, part);
    const int count = list_folder(folder, names);
    if (count == 0) {
        test_skip("there is no friction problem in $UPTACK_DATA/%s", part);
        return;
    }
    Counts counts = {0};
    for (int k = 0; k < count; k++) {
        solve_file(folder, names[k], &counts);
    }
    test_note("%s: %d of %d solved, %d of another law; worst E %.1e, relative %.1e", part,
              counts.solved, counts.files, counts.refused, counts.worst_E, counts.worst_relative);
    for (int k = 0; k < UT_RUNG_COUNT; k++) {
        if (counts.rungs[k] > 0) {
            test_note("    %-12s %d", ut_rung_name((utRung)k), counts.rungs[k]);
        }
    }
    CHECK_INT(counts.solved + counts.refused, counts.files);
}

TEST(the_public_friction_problems_are_solved)
{
    solve_folder("friction");
}

TEST(the_fclib_problems_are_solved)
{
    if (!ut_coulomb_has_fclib()) {
        test_skip("built without HDF5: FCLIB files cannot be read");
        return;
    }
    solve_folder("fclib");
}
