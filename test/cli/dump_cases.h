// SPDX-License-Identifier: Apache-2.0
// What the tests of uptack dump share: running it, and comparing its JSON with matrices made by hand.
#ifndef UPTACK_TEST_DUMP_CASES_H
#define UPTACK_TEST_DUMP_CASES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <uptack/json.h>

#include "program.h"
#include "test.h"

enum { DUMP_ROOM = 1 << 21, DUMP_BLOCKS = 16 };

// The blocks of the last dump that were compared.
static int dump_compared;
static const char* dump_compared_block[DUMP_BLOCKS];

// Run `uptack ARGUMENTS` in the root of the repository. @return its exit code, or -1
static inline int dump_run(const char* arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s' %s >'%s' 2>'%s'", program(), arguments,
             path_in_folder("out"), path_in_folder("err"));
    const int status = system(command);
    return CHECK(status != -1 && WIFEXITED(status)) ? WEXITSTATUS(status) : -1;
}

// Its JSON. @return NULL, noted, when there is none
static inline const utJson* dump_json(const char* arguments, utArena* arena)
{
    char line[512];
    char* text = UT_PUSH(arena, char, DUMP_ROOM);
    const utJson* root = NULL;
    utError err = {0};
    dump_compared = 0;
    snprintf(line, sizeof line, "dump %s --format json", arguments);
    const int code = dump_run(line);
    read_file("out", text, DUMP_ROOM);
    if (!CHECK_INT(code, 0) ||
        !CHECK_INT(ut_json_read((utText){text, strlen(text)}, arguments, arena, &root, &err),
                   UT_OK)) {
        read_file("err", text, DUMP_ROOM);
        test_note("%s: %s %s", arguments, err.message, text);
        return NULL;
    }
    return root;
}

// Compare an array of numbers, or of arrays of them, entry by entry.
static inline bool dump_same(const utJson* got, const char* what, int rows, int cols,
                             const double* want, double tolerance)
{
    bool same = CHECK(got != NULL) && CHECK_INT(got->count, rows);
    int i = 0;
    for (const utJson* row = same ? got->first : NULL; row != NULL; row = row->next, i++) {
        const bool array = row->type == UT_JSON_ARRAY;
        int j = 0;
        same = same && (array ? row->count == cols : cols == 1);
        for (const utJson* x = array ? row->first : row; x != NULL && j < cols;
             x = array ? x->next : NULL, j++) {
            const double off = fabs(x->number - want[i * cols + j]);
            if (!(off <= tolerance) || x->type != UT_JSON_NUMBER) {
                test_note("%s[%d][%d] is %.17g, want %.17g", what, i, j, x->number,
                          want[i * cols + j]);
                same = false;
            }
        }
    }
    return CHECK(same);
}

static inline bool dump_matrix(const utJson* root, const char* key, int rows, int cols,
                               const double* want, double tolerance)
{
    return dump_same(ut_json_member(root, key), key, rows, cols, want, tolerance);
}

static inline bool dump_block(const utJson* root, const char* name, const char* equation, int rows,
                              int cols, const double* want, double tolerance)
{
    const utJson* block = ut_json_member(ut_json_member(root, "blocks"), name);
    if (!CHECK(block != NULL)) {
        test_note("there is no block %s", name);
        return false;
    }
    if (dump_compared < DUMP_BLOCKS) {
        dump_compared_block[dump_compared++] = name;
    }
    CHECK_TEXT(ut_json_member(block, "equation")->string.data, equation);
    return dump_same(ut_json_member(block, "values"), name, rows, cols, want, tolerance);
}

// Was every block of the dump compared?
static inline void dump_check_all_compared(const utJson* root)
{
    const utJson* blocks = ut_json_member(root, "blocks");
    for (const utJson* b = blocks != NULL ? blocks->first : NULL; b != NULL; b = b->next) {
        bool found = false;
        for (int k = 0; k < dump_compared; k++) {
            found = found || strcmp(dump_compared_block[k], b->key.data) == 0;
        }
        if (!CHECK(found)) {
            test_note("nobody compared the block %s", b->key.data);
        }
    }
    CHECK(blocks != NULL && blocks->count == dump_compared);
}

static inline const char* dump_text(const utJson* object, const char* key)
{
    const utJson* text = ut_json_member(object, key);
    return text != NULL && text->type == UT_JSON_STRING ? text->string.data : "";
}

static inline double dump_number(const utJson* object, const char* key)
{
    const utJson* number = ut_json_member(object, key);
    return number != NULL && number->type == UT_JSON_NUMBER ? number->number : HUGE_VAL;
}

// Is the printed solution that of the step itself?
static inline void dump_check_by_step(const utJson* root)
{
    CHECK_TEXT(dump_text(ut_json_member(root, "solution"), "by"), "step");
}

static inline const utJson* dump_part(const utJson* root, const char* unknown)
{
    const utJson* parts = ut_json_member(root, "parts");
    for (const utJson* part = parts != NULL ? parts->first : NULL; part != NULL;
         part = part->next) {
        if (strcmp(dump_text(part, "unknown"), unknown) == 0) {
            return part;
        }
    }
    CHECK(false);
    test_note("there is no unknown %s", unknown);
    return NULL;
}

// The unknowns, their rows and sizes in one text: "nu 0 9, p_b 0 4, "
static inline void dump_order(const utJson* root, char* text, size_t room)
{
    const utJson* parts = ut_json_member(root, "parts");
    text[0] = '\0';
    for (const utJson* part = parts != NULL ? parts->first : NULL; part != NULL;
         part = part->next) {
        const size_t used = strlen(text);
        snprintf(text + used, room - used, "%s %s %d, ", dump_text(part, "unknown"),
                 dump_text(part, "slack"), (int)dump_number(part, "size"));
    }
}

static inline void dump_check_order(const utJson* root, const char* want)
{
    char text[256];
    dump_order(root, text, sizeof text);
    CHECK_TEXT(text, want);
}

#endif
