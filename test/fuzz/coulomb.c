// SPDX-License-Identifier: Apache-2.0
// Friction problems as text: whatever the text, it is read or refused with a place, and a solve
// ends.
#include "fuzz.h"

#include <math.h>
#include <uptack/problem_files.h>

enum { MAX_ROWS = 60, MEMORY = 1 << 22 };

const int fuzz_runs = 20000;

const char* const fuzz_words[] = {"nan",  "-1", "0",   "1e308", "1e-320", "1e150", "-1e30",
                                  "1e-9", "2",  "3",   "#",     "fc",     "inf",   "-inf",
                                  "1",    "12", "1e9", "\n",    "999",    NULL};

size_t fuzz_seed(int k, uint8_t data[FUZZ_ROOM])
{
    static const char* const texts[] = {
        "fc 2 1 4\n0 0 2\n0 1 0.5\n1 0 0.5\n1 1 3\n-1 0.5\n0.7\n",
        ("fc 3 2 18\n0 0 1\n0 1 .1\n0 2 0\n1 0 .1\n1 1 2\n1 2 .3\n2 0 0\n2 1 .3\n2 2 1\n3 3 1\n3 4 "
         ".1\n3 5 0\n"
         "4 3 .1\n4 4 2\n4 5 .3\n5 3 0\n5 4 .3\n5 5 1\n-1 .2 .3 -2 .1 0\n.5 0\n"),
        "# nothing moves\nfc 3 1 0\n0 0 0\n0\n",
        ("fc2 3 1 2\nsection circle\nspeed 0.01\nmu .5\nlow -inf -1\nhigh inf 2\nnodes 2\n3 1\n"
         "M 2 0 0 0 2 0 0 0 3 10\ngroups 1 0 2 0 1 1 0\nJ 1 0 0 0 1 0 .5 0 1 1 0 0 1 0 1 1\n"
         "f -1 .5 0 0\nb 0 0 0 .1 0\nr 1 0 0 0 0\n"),
        ("fc2 3 1 0\nsection inscribed 8\nspeed 0\nmu 1\nlow high\nW 3\n0 0 1\n1 1 2\n2 2 1\n-1 .5 "
         ".25\n"),
    };
    if (k >= (int)(sizeof texts / sizeof *texts)) {
        return 0;
    }
    memcpy(data, texts[k], strlen(texts[k]));
    return strlen(texts[k]);
}

static void solve(const utCoulomb* problem)
{
    utArena scratch;
    utCoulombInfo info;
    double* r = calloc((size_t)ut_coulomb_rows(problem), sizeof *r);
    utCoulombDef def = ut_coulomb_def();
    def.max_iterations =
        200; // a solve may take long, by its own limits, where there is no solution
    MUST(ut_arena_create(0, NULL, &scratch) == UT_OK);
    if (ut_coulomb_solve(problem, UT_COULOMB_AUTO, &def, scratch, r, &info) == UT_OK) {
        utCoulombVerdict verdict;
        MUST(ut_coulomb_judge(problem, false, r, scratch, NULL, &verdict) == UT_OK);
        MUST(info.outcome != UT_COULOMB_SOLVED || verdict.E <= def.tolerance);
    }
    ut_arena_destroy(&scratch);
    free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    utArena memory;
    utCoulomb problem;
    utError err = {0};
    MUST(ut_arena_create(MEMORY, NULL, &memory) == UT_OK);
    utArena keep = memory;
    const utStatus status =
        ut_coulomb_read((utText){(const char*)data, size}, "fuzz.fc", &keep, &problem, &err);
    MUST(status == UT_OK ||
         ((status == UT_ERR_FORMAT || status == UT_ERR_ARGUMENT || status == UT_ERR_CAPACITY) &&
          err.message[0] != '\0'));
    if (status == UT_OK && ut_coulomb_rows(&problem) <= MAX_ROWS) {
        solve(&problem);
    }
    ut_arena_destroy(&memory);
    return 0;
}
