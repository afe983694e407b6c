// SPDX-License-Identifier: Apache-2.0
// Scenes and files become problems: by bodies, as W in the form that a reader of files would give,
// and as W by columns.
#include "bench_coulomb.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uptack/problem_files.h>

#include "coulomb/forms/delassus.h"

static void give_up(const Source* source, const char* why)
{
    fprintf(stderr, "bench_coulomb: %s cannot be made: %s\n", source->name, why);
    exit(1);
}

// ---- W in other shapes --------------------------------------------------------------------------

static size_t entries_of(const double* W, size_t n)
{
    size_t entries = 0;
    for (size_t k = 0; k < n * n; k++) {
        entries += W[k] != 0.0;
    }
    return entries;
}

// Keep a large W with few entries as rows, as a file would be.
static utStatus to_rows(utArena* keep, utCoulomb* local)
{
    const double* dense = local->W;
    const size_t n = (size_t)ut_coulomb_rows(local);
    const size_t entries = entries_of(dense, n);
    if (n <= 300 || (double)entries >= 0.2 * (double)(n * n)) {
        return UT_OK;
    }
    double* W = UT_PUSH(keep, double, entries);
    int* start = UT_PUSH(keep, int, n + 1);
    int* column = UT_PUSH(keep, int, entries);
    if (W == NULL || start == NULL || column == NULL) {
        return UT_ERR_CAPACITY;
    }
    int at = 0;
    for (size_t i = 0; i < n; i++) {
        start[i] = at;
        for (size_t j = 0; j < n; j++) {
            if (dense[i * n + j] != 0.0) {
                W[at] = dense[i * n + j];
                column[at++] = (int)j;
            }
        }
    }
    start[n] = at;
    local->W = W;
    local->W_start = start;
    local->W_column = column;
    return UT_OK;
}

static utStatus to_columns(const utCoulomb* local, utArena* keep, double** columns)
{
    const size_t n = (size_t)ut_coulomb_rows(local);
    double* to = UT_PUSH(keep, double, n* n);
    if (to == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(to, 0, n * n * sizeof *to);
    for (size_t i = 0; i < n; i++) {
        if (local->W_start == NULL) {
            for (size_t j = 0; j < n; j++) {
                to[j * n + i] = local->W[i * n + j];
            }
            continue;
        }
        for (int k = local->W_start[i]; k < local->W_start[i + 1]; k++) {
            to[(size_t)local->W_column[k] * n + i] = local->W[k];
        }
    }
    *columns = to;
    return UT_OK;
}

// ---- scenes -------------------------------------------------------------------------------------

// The def with the fewest boxes that have about so many contacts. A wall comes with its size.
static utFrictionDef size_def(const Source* source)
{
    utFrictionDef def = source->def;
    for (def.count = 1; def.scene != UT_FRICTION_WALL; def.count++) {
        utArena arena;
        utFrictionProblem problem = {0};
        if (ut_arena_create(0, NULL, &arena) != UT_OK) {
            give_up(source, "no memory");
        }
        utArena rest = arena;
        utStatus status = ut_friction_create(&def, &rest, &problem);
        ut_arena_destroy(&arena);
        if (status != UT_OK) {
            give_up(source, ut_status_text(status));
        }
        // a little less will do too
        if (problem.contacts + 2 >= source->contacts) {
            break;
        }
    }
    return def;
}

static void make_scene(const Source* source, BenchMemory* memory, Instance* instance)
{
    const utFrictionDef def = size_def(source);
    utFrictionProblem* problem;
    // the problem, W dense, by columns and in rows
    const size_t contacts = 2 * (size_t)source->contacts;
    const size_t n = 3 * contacts;
    utArena keep = bench_arena(memory, 9 * n * n * sizeof(double) + 65536);
    problem = UT_PUSH(&keep, utFrictionProblem, 1);
    utStatus status = problem != NULL ? ut_friction_create(&def, &keep, problem) : UT_ERR_CAPACITY;
    if (status == UT_OK) {
        instance->by_bodies = true;
        instance->bodies = ut_friction_blocks(problem, &instance->section);
        status = ut_coulomb_delassus(&instance->bodies, &keep, &instance->local);
    }
    if (status == UT_OK) {
        status = to_columns(&instance->local, &keep, &instance->columns);
    }
    if (status == UT_OK) {
        status = to_rows(&keep, &instance->local);
    }
    if (status != UT_OK) {
        give_up(source, ut_status_text(status));
    }
}

// ---- files --------------------------------------------------------------------------------------

static void make_file(const Source* source, BenchMemory* memory, Instance* instance)
{
    struct stat facts;
    if (stat(source->path, &facts) != 0) {
        give_up(source, "no such file");
    }
    // the text, its entries, W by columns and perhaps dense
    const size_t n = 3 * (size_t)source->contacts;
    const size_t text_size = (size_t)facts.st_size;
    utArena keep = bench_arena(memory, 20 * text_size + 3 * n * n * sizeof(double) + 65536);
    utText text;
    utError err = {0};
    utStatus status = ut_text_read(source->path, 0, &keep, &text, &err);
    if (status == UT_OK) {
        status = ut_coulomb_read(text, source->path, &keep, &instance->local, &err);
    }
    if (status == UT_OK) {
        status = to_columns(&instance->local, &keep, &instance->columns);
    }
    if (status != UT_OK) {
        give_up(source, err.message[0] != '\0' ? err.message : ut_status_text(status));
    }
}

void instance_create(const Source* source, BenchMemory* memory, Instance* instance)
{
    *instance = (Instance){.source = source, .section = ut_section_circle()};
    if (source->path[0] == '\0') {
        make_scene(source, memory, instance);
    } else {
        make_file(source, memory, instance);
    }
}
