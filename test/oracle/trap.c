// SPDX-License-Identifier: Apache-2.0
#include "trap.h"

#include <string.h>

#include "trap_list.h"

static const TrapFigure* find(const TrapFigure* table, const char* name)
{
    while (table->name != NULL && strcmp(table->name, name) != 0) {
        table++;
    }
    return table->name != NULL ? table : NULL;
}

int trap_figure(const Trap* trap, const char* name, double* got, double* scale)
{
    const TrapFigure* figure = find(trap_model_figures, name);
    figure = figure != NULL ? figure : find(trap_state_figures, name);
    if (figure == NULL) {
        return -1;
    }
    List list = {0, got};
    figure->list(trap, &list);
    *scale = figure->force ? trap->terms.force_scale : 0.0;
    return list.count;
}
