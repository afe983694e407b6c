// SPDX-License-Identifier: Apache-2.0
// Expressions in t: whatever the text, it is read or refused with a column, and evaluated at any
// time.
#include "fuzz.h"

#include <math.h>

const int fuzz_runs = 200000;

const char* const fuzz_words[] = {
    "sin",  "cos",  "tan",   "exp",  "log",    "sqrt",  "abs",    "step",   "min", "max",
    "pi",   "t",    "(",     ")",    ",",      "^",     "-",      "clamp(", "+",   "*",
    "/",    "1e9",  "0",     "1e-9", "atan2(", "1e308", "5e-324", ".",      "--",  "^-",
    "((((", "))))", "t^t^t", "e",    "1e",     " ",     NULL};

size_t fuzz_seed(int k, uint8_t data[FUZZ_ROOM])
{
    static const char* const texts[] = {
        "0.1*sin(2*pi*t)",
        "clamp(t, 0.2, 1.5) - max(0, t-1)^2",
        "atan2(sin(t), cos(t))*exp(-t)/sqrt(1+t^2)",
        "step(t-1)*min(abs(t), log(2+t)) + tan(.5*t)",
        "-(-(-(t^2^.5)))",
    };
    if (k >= (int)(sizeof texts / sizeof *texts)) {
        return 0;
    }
    memcpy(data, texts[k], strlen(texts[k]));
    return strlen(texts[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const double times[] = {0.0, 1.0, -1.0, 0.3, 1e-300, 1e9, -1e300};
    const utText text = {(const char*)data, size};
    utArena memory;
    utExpression read, copy;
    utError err = {0};
    MUST(ut_arena_create(64, NULL, &memory) == UT_OK);
    utArena keep = memory;
    const utStatus status = ut_expression_read(text, &keep, &read, &err);
    MUST(status == UT_OK || (status == UT_ERR_FORMAT && err.line == 1 && err.column >= 1 &&
                             (size_t)err.column <= size + 1 && err.message[0] != '\0'));
    if (status == UT_OK) {
        copy = ut_expression_copy(&read, &keep);
        MUST(copy.count == read.count);
        MUST(ut_expression_hash(1, &copy) == ut_expression_hash(1, &read));
        for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
            const utJet one = ut_expression_at(&read, times[k]);
            const utJet two = ut_expression_at(&copy, times[k]);
            MUST(one.value == two.value || isnan(one.value));
            MUST(!ut_expression_is_constant(&read) || one.rate == 0.0 || !isfinite(one.rate));
        }
    }
    ut_arena_destroy(&memory);
    return 0;
}
