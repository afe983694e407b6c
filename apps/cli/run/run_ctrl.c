// SPDX-License-Identifier: Apache-2.0
// Controls of a run over time: the sources of --ctrl and their values.
#include "run/run_ctrl.h"

#include <math.h>
#include <string.h>

// ---- actuators ----------------------------------------------------------------------------------

int run_ctrl_find(const utModel* model, utText name)
{
    for (int i = 0; i < model->nu; i++) {
        CliName room;
        const char* known = cli_name(model->actuator[i].name, "actuator", i, &room);
        if (strlen(known) == name.size && memcmp(known, name.data, name.size) == 0) {
            return i;
        }
    }
    return -1;
}

utStatus run_ctrl_unknown(const utModel* model, utText name, char* message, size_t size)
{
    char misspelt[64], nearest[sizeof(CliName)] = "";
    int least = 0;
    snprintf(misspelt, sizeof misspelt, "%.*s", (int)(name.size < 60 ? name.size : 60), name.data);
    for (int i = 0; i < model->nu; i++) {
        CliName room;
        const char* known = cli_name(model->actuator[i].name, "actuator", i, &room);
        const int far = cli_edit_distance(misspelt, known);
        if (nearest[0] == '\0' || far < least) {
            snprintf(nearest, sizeof nearest, "%s", known);
            least = far;
        }
    }
    if (model->nu == 0) {
        snprintf(message, size, "there is no actuator '%s'; the model has none", misspelt);
    } else {
        snprintf(message, size, "there is no actuator '%s'; the nearest is '%.80s'", misspelt,
                 nearest);
    }
    return UT_ERR_ARGUMENT;
}

// ---- expressions --------------------------------------------------------------------------------

static utStatus read_expression(RunCtrl* c, CtrlSource* source, utError* err)
{
    const char* equals = strchr(source->text, '=');
    const utText name = {source->text, (size_t)(equals - source->text)};
    const utText text = {equals + 1, strlen(equals + 1)};
    char message[200];
    source->actuator = run_ctrl_find(c->model, name);
    if (source->actuator < 0) {
        const utStatus status = run_ctrl_unknown(c->model, name, message, sizeof message);
        return ut_error_set(err, status, "--ctrl %.60s: %s", source->text, message);
    }
    utError why = {0};
    const utStatus status = ut_expression_read(text, &c->memory, &source->expression, &why);
    return status == UT_OK ? UT_OK
                           : ut_error_set(err, status, "--ctrl %.60s: column %d: %s", source->text,
                                          (int)name.size + 1 + why.column, why.message);
}

// ---- values -------------------------------------------------------------------------------------

// The last row that is not after a time; the first row when all are.
static int find_row(const CtrlTable* table, double time)
{
    int low = 0, high = table->rows; // row low is not after the time, or it is the first
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (table->time[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Set the controls of a table. The first row holds before its time, the last row after its time.
static void set_from_table(RunCtrl* c, const CtrlTable* table, double time)
{
    const int row = find_row(table, time);
    const bool between = c->linear && row + 1 < table->rows && time > table->time[row];
    const double* now = table->value + (size_t)row * (size_t)table->columns;
    const double* next = now + (between ? table->columns : 0);
    const double s =
        between ? (time - table->time[row]) / (table->time[row + 1] - table->time[row]) : 0.0;
    for (int k = 0; k < table->columns; k++) {
        c->ctrl[table->actuator[k]] = now[k] + s * (next[k] - now[k]);
    }
}

utStatus run_ctrl_at(RunCtrl* c, double time, utError* err)
{
    for (int i = 0; c->sources > 0 && i < c->model->nu; i++) {
        c->ctrl[i] = c->key != NULL ? c->key[i] : 0.0;
    }
    for (int k = 0; k < c->sources; k++) {
        const CtrlSource* source = &c->source[k];
        if (source->actuator < 0) {
            set_from_table(c, &source->table, time);
            continue;
        }
        const double value = ut_expression_at(&source->expression, time).value;
        if (!isfinite(value)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "--ctrl %.60s has no finite value at t = %.9g s", source->text,
                                time);
        }
        c->ctrl[source->actuator] = value;
    }
    return UT_OK;
}

// ---- opening and closing ------------------------------------------------------------------------

utStatus run_ctrl_open(const RunOptions* o, const utModel* model, const double* key, RunCtrl* c,
                       utError* err)
{
    *c = (RunCtrl){.model = model, .key = key, .linear = o->ctrl_linear};
    if (o->ctrls == 0) {
        return UT_OK;
    }
    if (ut_arena_create(0, NULL, &c->memory) != UT_OK) {
        return cli_no_memory(o->start.file, err);
    }
    c->source = UT_PUSH(&c->memory, CtrlSource, o->ctrls);
    c->ctrl = UT_PUSH(&c->memory, double, model->nu);
    if (c->source == NULL || c->ctrl == NULL) {
        return cli_no_memory(o->start.file, err);
    }
    for (int k = 0; k < o->ctrls; k++) {
        CtrlSource* source = &c->source[k];
        *source = (CtrlSource){.text = o->ctrl[k], .actuator = -1};
        if (cli_ends_in(source->text, ".csv")) {
            UT_TRY(run_ctrl_read_table(source->text, model, &c->memory, &source->table, err));
        } else {
            UT_TRY(read_expression(c, source, err));
        }
        c->sources++;
    }
    return UT_OK;
}

void run_ctrl_close(RunCtrl* c)
{
    ut_arena_destroy(&c->memory);
}
