// SPDX-License-Identifier: Apache-2.0
// Public problems that nobody here wrote: the test files of Siconos, in $UPTACK_DATA/lcp and mlcp.
//
// Every problem there is solvable, with two exceptions that are known: one without a solution, and
// one whose matrix is not square. The answers are judged by the residual and, where a reference
// solution is at hand (ref.txt: a name, then the entries of z), the reference is judged alike, so
// that the two readings of the file agree.
#include "test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/lcp.h>
#include <uptack/problem_files.h>

enum { NAME_MAX_SIZE = 512, FILES_MAX = 256 };

typedef struct Counts {
    int solved, none, refused, unsolved, references;
    double worst;
} Counts;

static int compare_names(const void* a, const void* b)
{
    return strcmp(a, b);
}

static int list_folder(const char* folder, const char* ending, char names[][NAME_MAX_SIZE])
{
    int count = 0;
    DIR* dir = opendir(folder);
    for (struct dirent* e = dir != NULL ? readdir(dir) : NULL; e != NULL; e = readdir(dir)) {
        const char* dot = strrchr(e->d_name, '.');
        if (dot != NULL && strcmp(dot, ending) == 0 && count < FILES_MAX) {
            snprintf(names[count++], NAME_MAX_SIZE, "%s", e->d_name);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    qsort(names, (size_t)count, NAME_MAX_SIZE, compare_names);
    return count;
}

// The entries behind a file's name in ref.txt. @return how many were read, at most n
static int read_reference(utText text, const char* name, int n, double* z)
{
    char stem[NAME_MAX_SIZE];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, "."), name);
    for (const char* line = text.data; line != NULL && *line != '\0';) {
        const char* end = strchr(line, '\n');
        end = end != NULL ? end : line + strlen(line);
        size_t word = strcspn(line, " \t:.,\n");
        const char* at = line + word;
        if (word == strlen(stem) && memcmp(line, stem, word) == 0) {
            int count = 0;
            while (at < end && count < n) {
                const char* next = ut_number_read(at, end, &z[count]);
                count += next != NULL;
                at = next != NULL ? next : at + 1;
            }
            return count;
        }
        line = *end != '\0' ? end + 1 : NULL;
    }
    return 0;
}

static void solve_file(const char* folder, const char* name, utText references, Counts* counts)
{
    char path[2 * NAME_MAX_SIZE];
    snprintf(path, sizeof path, "%.500s/%.500s", folder, name);
    utArena arena = test_arena();
    utText text;
    utLcp lcp;
    utError err;
    if (!CHECK_INT(ut_text_read(path, 0, &arena, &text, &err), UT_OK)) {
        return;
    }
    if (ut_lcp_read(text, path, UT_LCP_FORMAT_AUTO, &arena, &lcp, &err) != UT_OK) {
        CHECK(strncmp(name, "Rectangular", 11) == 0);
        counts->refused++;
        return;
    }
    double* z = UT_PUSH(&arena, double, lcp.n);
    double* reference = UT_PUSH(&arena, double, lcp.n);
    utLcpDef def = ut_lcp_def();
    utLcpInfo info;
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, arena, z, &info), UT_OK);
    bool unsolvable = strstr(name, "Pang_isolated_sol_perturbed") != NULL;
    bool known = references.size == 0 || read_reference(references, name, lcp.n, reference) > 0;
    bool right = info.outcome == (unsolvable ? UT_LCP_NONE : UT_LCP_SOLVED);
    if (!right) {
        test_note("%s: %s, residual %.1e", name, ut_lcp_outcome_name(info.outcome), info.residual);
        counts->unsolved++;
        CHECK(!known);
        return;
    }
    counts->none += unsolvable;
    counts->solved += !unsolvable;
    counts->worst = unsolvable ? counts->worst : fmax(counts->worst, info.residual);
    if (read_reference(references, name, lcp.n, reference) == lcp.n && !unsolvable) {
        double residual = ut_lcp_residual(&lcp, reference);
        counts->references += residual <= 1e-4; // reference files carry six digits or more
        if (!(residual <= 1e-4)) {
            test_note("%s: the reference has residual %.1e", name, residual);
        }
    }
}

static void solve_folder(const char* kind)
{
    const char* data = getenv("UPTACK_DATA");
    if (data == NULL) {
        test_skip("UPTACK_DATA is not set: it names the folder of public problems");
        return;
    }
    static char names[FILES_MAX][NAME_MAX_SIZE];
    char folder[NAME_MAX_SIZE];
    snprintf(folder, sizeof folder, "%s/%s", data, kind);
    int count = list_folder(folder, ".dat", names);
    if (count == 0) {
        test_skip("no .dat files in %s", folder);
        return;
    }

    char path[NAME_MAX_SIZE + 16];
    snprintf(path, sizeof path, "%s/ref.txt", folder);
    static char buffer[1 << 20];
    utArena keep = ut_arena_on(buffer, sizeof buffer);
    utText references = {"", 0};
    if (ut_text_read(path, sizeof buffer / 2, &keep, &references, NULL) != UT_OK) {
        references = (utText){"", 0};
    }
    Counts counts = {0};
    for (int k = 0; k < count; k++) {
        solve_file(folder, names[k], references, &counts);
    }
    test_note("%s: %d files, %d solved (worst residual %.1e), %d proved to have no solution, "
              "%d not square, %d unsolved, %d references checked",
              kind, count, counts.solved, counts.worst, counts.none, counts.refused,
              counts.unsolved, counts.references);
}

TEST(the_public_lcps_have_their_right_outcome)
{
    solve_folder("lcp");
}

TEST(the_public_mixed_lcps_have_their_right_outcome)
{
    solve_folder("mlcp");
}
