// SPDX-License-Identifier: Apache-2.0
// ut_coulomb_print: problems as text of version 2, or 3 with torsional or rolling friction, which
// problems/coulomb/read_fc2.c reads.
#include <stdio.h>
#include <string.h>

#include "coulomb/internal.h"

// A text that counts its characters, and stores those that fit.
typedef struct Text {
    char* data;
    size_t room;
    size_t size;
} Text;

static void put(Text* text, const char* word, size_t size)
{
    if (text->data != NULL && size <= text->room && text->size <= text->room - size) {
        memcpy(text->data + text->size, word, size);
    }
    text->size += size;
}

static void put_word(Text* text, const char* word)
{
    put(text, word, strlen(word));
}

static void put_integer(Text* text, int value, char end)
{
    char word[16];
    put(text, word, (size_t)snprintf(word, sizeof word, "%d%c", value, end));
}

static void put_number(Text* text, double value, char end)
{
    char word[UT_NUMBER_SIZE];
    put(text, word, (size_t)ut_number_write_short(value, word)); // inf for no bound
    put(text, &end, 1);
}

// A name, then `count` numbers, `width` of them per line.
static void put_numbers(Text* text, const char* name, size_t count, size_t width, const double* x)
{
    put_word(text, name);
    put_word(text, "\n");
    for (size_t k = 0; k < count; k++) {
        put_number(text, x[k], k + 1 == count || (k + 1) % width == 0 ? '\n' : ' ');
    }
}

// ---- friction -----------------------------------------------------------------------------------

// @return false for a section that the format does not know
static bool put_section(Text* text, const utCoulomb* problem)
{
    const utSection* section = problem->section;
    utSection straight;
    if (ut_coulomb_spins(problem)) {
        put_word(text, problem->dimension == 4 ? "section torsional\n" : "section rolling\n");
        return problem->section_of == NULL;
    }
    if (problem->contacts == 0 || section->kind == UT_SECTION_CIRCLE ||
        section->kind == UT_SECTION_SEGMENT) {
        put_word(text, problem->dimension == 2 ? "section segment\n" : "section circle\n");
        return problem->section_of == NULL;
    }
    put_word(text, section->kind == UT_SECTION_INSCRIBED ? "section inscribed "
                                                         : "section circumscribed ");
    put_integer(text, section->edges, '\n');
    return problem->section_of == NULL &&
           ut_section_polygon(section->kind, section->edges, 0.0, &straight, NULL) == UT_OK &&
           memcmp(straight.vertex, section->vertex, sizeof straight.vertex) == 0;
}

// Coefficients of torsional or rolling friction.
static void put_coefficients(Text* text, const utCoulomb* problem, const char* name,
                             const double* x)
{
    put_word(text, name);
    put_word(text, "\n");
    for (int i = 0; i < problem->contacts; i++) {
        put_number(text, x != NULL ? x[i] : 0.0, '\n');
    }
}

static void put_bounds(Text* text, const utCoulomb* problem)
{
    for (int high = 0; high < 2; high++) {
        put_word(text, high ? "high\n" : "low\n");
        for (int j = 0; j < problem->bilaterals; j++) {
            put_number(text, high ? ut_coulomb_high(problem, j) : ut_coulomb_low(problem, j), '\n');
        }
    }
}

// ---- forms --------------------------------------------------------------------------------------

static double entry(const utCoulomb* problem, int row, int k, int* column)
{
    if (problem->W_start != NULL) {
        *column = problem->W_column[problem->W_start[row] + k];
        return problem->W[problem->W_start[row] + k];
    }
    *column = k;
    return problem->W[(size_t)row * (size_t)ut_coulomb_rows(problem) + (size_t)k];
}

static void put_local(Text* text, const utCoulomb* problem)
{
    const int N = ut_coulomb_rows(problem);
    int column, count = 0;
    for (int write = 0; write < 2; write++) {
        if (write) {
            put_word(text, "W ");
            put_integer(text, count, '\n');
        }
        for (int i = 0; i < N; i++) {
            const int entries =
                problem->W_start != NULL ? problem->W_start[i + 1] - problem->W_start[i] : N;
            for (int k = 0; k < entries; k++) {
                const double value = entry(problem, i, k, &column);
                if (value != 0.0 && !write) {
                    count++;
                } else if (value != 0.0) {
                    put_integer(text, i, ' ');
                    put_integer(text, column, ' ');
                    put_number(text, value, '\n');
                }
            }
        }
    }
    for (int i = 0; i < N; i++) {
        put_number(text, problem->q[i], '\n');
    }
}

static void put_blocks(Text* text, const utCoulomb* problem)
{
    const utCoulombBlocks* blocks = problem->blocks;
    size_t masses = 0, entries = 0;
    put_word(text, "nodes ");
    put_integer(text, blocks->nodes, '\n');
    for (int k = 0; k < blocks->nodes; k++) {
        const int width = blocks->start[k + 1] - blocks->start[k];
        put_integer(text, width, '\n');
        masses += (size_t)width * (size_t)width;
    }
    put_numbers(text, "M", masses, 6, blocks->M);
    put_word(text, "groups\n");
    for (int g = 0; g < problem->contacts + problem->bilaterals; g++) {
        const int count = blocks->first[g + 1] - blocks->first[g];
        put_integer(text, count, count > 0 ? ' ' : '\n');
        for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
            const int node = blocks->node[t];
            put_integer(text, node, t + 1 < blocks->first[g + 1] ? ' ' : '\n');
            entries += (size_t)(g < problem->contacts ? problem->dimension : 1) *
                       (size_t)(blocks->start[node + 1] - blocks->start[node]);
        }
    }
    put_numbers(text, "J", entries, 6, blocks->J);
}

// One node that every group touches.
static void put_global(Text* text, const utCoulomb* problem)
{
    const size_t dof = (size_t)problem->dof;
    put_word(text, "nodes 1\n");
    put_integer(text, problem->dof, '\n');
    put_numbers(text, "M", dof * dof, dof, problem->M);
    put_word(text, "groups\n");
    for (int g = 0; g < problem->contacts + problem->bilaterals; g++) {
        put_word(text, "1 0\n");
    }
    put_numbers(text, "J", (size_t)ut_coulomb_rows(problem) * dof, dof, problem->J);
}

size_t ut_coulomb_print(const utCoulomb* problem, const double* r, char* text, size_t size)
{
    Text t = {text, text != NULL ? size : 0, 0};
    const size_t N = (size_t)ut_coulomb_rows(problem);
    put_word(&t, ut_coulomb_spins(problem) ? "fc3 " : "fc2 ");
    put_integer(&t, problem->dimension, ' ');
    put_integer(&t, problem->contacts, ' ');
    put_integer(&t, problem->bilaterals, '\n');
    if (!put_section(&t, problem)) {
        return 0;
    }
    put_word(&t, "speed ");
    put_number(&t, problem->speed, '\n');
    put_numbers(&t, "mu", (size_t)problem->contacts, 1, problem->mu);
    if (problem->dimension > 3) {
        put_coefficients(&t, problem, "torsional", problem->torsional);
    }
    if (problem->dimension == 6) {
        put_coefficients(&t, problem, "rolling", problem->rolling);
    }
    put_bounds(&t, problem);
    if (problem->W != NULL) {
        put_local(&t, problem);
    } else {
        if (problem->blocks != NULL) {
            put_blocks(&t, problem);
        } else {
            put_global(&t, problem);
        }
        put_numbers(&t, "f", (size_t)problem->dof, 1, problem->f);
        put_numbers(&t, "b", N, 1, problem->b);
    }
    if (r != NULL) {
        put_numbers(&t, "r", N, 1, r);
    }
    return t.size;
}
