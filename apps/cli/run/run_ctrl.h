// SPDX-License-Identifier: Apache-2.0
// Controls of a run over time, from --ctrl: tables and expressions.
#ifndef UPTACK_CLI_RUN_CTRL_H
#define UPTACK_CLI_RUN_CTRL_H

#include "run/run.h"

#include <uptack/expression.h>

/// A table of controls. Its times do not decrease.
typedef struct CtrlTable {
    int rows, columns; ///< columns without the time
    int* actuator;     ///< columns: the actuators that they control
    double* time;      ///< rows, s
    double* value;     ///< rows x columns, row-major
} CtrlTable;

/// One --ctrl.
typedef struct CtrlSource {
    const char* text;        ///< as on the command line
    int actuator;            ///< of the expression; -1: a table
    utExpression expression; ///< in t
    CtrlTable table;
} CtrlSource;

/// The controls of a run. A source overrides the sources before it and the keyframe.
typedef struct RunCtrl {
    const utModel* model;
    const double* key; ///< controls of the keyframe; NULL: 0
    bool linear;       ///< interpolate between rows of tables
    CtrlSource* source;
    int sources;
    double* ctrl;   ///< nu: present controls; NULL: there is no --ctrl
    utArena memory; ///< holds everything above
} RunCtrl;

/// Read all --ctrl. @param controls pass it to run_ctrl_close, also after a failure
utStatus run_ctrl_open(const RunOptions* o, const utModel* model, const double* key,
                       RunCtrl* controls, utError* err);

/// Set the controls of the step that begins at a time.
/// @return UT_ERR_ARGUMENT when an expression has no finite value
utStatus run_ctrl_at(RunCtrl* controls, double time, utError* err);
void run_ctrl_close(RunCtrl* controls);

/// Read a table. @param keep holds it
utStatus run_ctrl_read_table(const char* path, const utModel* model, utArena* keep,
                             CtrlTable* table, utError* err);

/// Find an actuator by its name, or by actuatorN when it has none.
/// @return -1 when there is none
int run_ctrl_find(const utModel* model, utText name);

/// "there is no actuator 'hop'; the nearest is 'hip'" @return UT_ERR_ARGUMENT
utStatus run_ctrl_unknown(const utModel* model, utText name, char* message, size_t size);

#endif
