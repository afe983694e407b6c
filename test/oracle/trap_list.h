// SPDX-License-Identifier: Apache-2.0
// Lists of numbers, and tables of the figures that make them.
#ifndef UPTACK_TEST_ORACLE_TRAP_LIST_H
#define UPTACK_TEST_ORACLE_TRAP_LIST_H

#include "trap.h"

// Numbers of a figure, one after the other.
typedef struct List {
    int count;
    double* at;
} List;

static inline void put(List* list, double x)
{
    if (CHECK(list->count < TRAP_MOST)) {
        list->at[list->count++] = x;
    }
}

static inline void put_all(List* list, int count, const double* x)
{
    for (int i = 0; i < count; i++) {
        put(list, x[i]);
    }
}

static inline void put_vec3(List* list, utVec3 a)
{
    put_all(list, 3, (const double[]){a.x, a.y, a.z});
}

static inline void put_mat3(List* list, utMat3 A)
{
    for (int i = 0; i < 3; i++) {
        put_all(list, 3, A.m[i]);
    }
}

typedef struct TrapFigure {
    const char* name; ///< NULL ends the table
    void (*list)(const Trap* t, List* list);
    bool force; ///< its summands may cancel
} TrapFigure;

#define FIGURE(name)       \
    {                      \
#name, name, false \
    }
#define FORCE(name)       \
    {                     \
#name, name, true \
    }

extern const TrapFigure trap_model_figures[]; ///< of a model, whatever the state
extern const TrapFigure trap_state_figures[];

#endif
