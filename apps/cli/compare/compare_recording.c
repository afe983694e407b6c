// SPDX-License-Identifier: Apache-2.0
// A recording as the reference of a comparison.
#include "compare/compare.h"
#include "plot/plot_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The numbers of a body that a table of states has.
enum { NUMBERS = 13 };
static const char* const number_name[NUMBERS] = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                                 "vx", "vy", "vz", "wx", "wy", "wz"};

// Find the columns of all bodies. @param wanted NUMBERS per body but the world
static utStatus find_columns(const PlotSource* source, const utModel* model, int* wanted,
                             utError* err)
{
    for (int b = 1; b < model->nbody; b++) {
        CliName room;
        const char* body = cli_name(model->body[b].name, "body", b, &room);
        for (int k = 0; k < NUMBERS; k++) {
            char column[sizeof room.text + 8];
            snprintf(column, sizeof column, "%.250s.%s", body, number_name[k]);
            const int at = plot_source_column(source, column);
            if (at < 0) {
                return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(source->path), 0, 0,
                                   "there is no column %.100s; the recording needs the bodies of "
                                   "the model, as uptack run --record writes them",
                                   column);
            }
            wanted[(b - 1) * NUMBERS + k] = at;
        }
    }
    return UT_OK;
}

static void note_formulation(const PlotSource* source, CompareRecording* recording)
{
    char name[64];
    const utText text = source->binary ? source->recording.formulation : (utText){0};
    if (text.size > 0 && text.size < sizeof name) {
        memcpy(name, text.data, text.size);
        name[text.size] = '\0';
        recording->formulation_known = ut_formulation_find(name, &recording->formulation);
    }
}

static utStatus read_columns(PlotSource* source, const utModel* model, int* wanted,
                             CompareRecording* recording, utError* err)
{
    UT_TRY(plot_source_open(source->path, false, source, err));
    if (!source->has_states || plot_source_column(source, "time") < 0) {
        return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(source->path), 0, 0,
                           "it is no formulation and no recording of states; record one with "
                           "uptack run MODEL --record F.utr");
    }
    UT_TRY(find_columns(source, model, wanted, err));
    note_formulation(source, recording);
    return plot_source_states(source, PLOT_TIME, wanted, recording->columns, &recording->time,
                              recording->column, err);
}

utStatus compare_read(const char* path, const utModel* model, CompareRecording* recording,
                      utError* err)
{
    PlotSource source = {.path = path};
    recording->columns = NUMBERS * (model->nbody - 1);
    int* wanted = calloc((size_t)recording->columns + 1, sizeof *wanted);
    recording->column = calloc((size_t)recording->columns + 1, sizeof *recording->column);
    recording->now = calloc((size_t)model->nbody, sizeof *recording->now);
    recording->used = true;
    utStatus status = wanted == NULL || recording->column == NULL || recording->now == NULL
                          ? cli_no_memory(path, err)
                          : read_columns(&source, model, wanted, recording, err);
    plot_source_close(&source);
    free(wanted);
    return status;
}

// The state of a body in a row.
static utBodyState body_at(const CompareRecording* r, int body, size_t row)
{
    double x[NUMBERS];
    for (int k = 0; k < NUMBERS; k++) {
        x[k] = r->column[(body - 1) * NUMBERS + k].at[row];
    }
    return (utBodyState){
        .com = ut_vec3(x[0], x[1], x[2]),
        .quat = ut_quat(x[3], x[4], x[5], x[6]),
        .velocity = ut_vec3(x[7], x[8], x[9]),
        .angular = ut_vec3(x[10], x[11], x[12]),
    };
}

const utBodyState* compare_recorded(Compare* c, double time)
{
    CompareRecording* r = &c->recording;
    const double near = 1e-6 * c->dt;
    while (r->at < r->time.count && r->time.at[r->at] < time - near) {
        r->at++;
    }
    if (r->at == r->time.count || !(r->time.at[r->at] <= time + near)) {
        return NULL;
    }
    for (int b = 1; b < c->model[0].model->nbody; b++) {
        r->now[b] = body_at(r, b, r->at);
    }
    return r->now;
}

void compare_recording_close(CompareRecording* recording)
{
    for (int k = 0; recording->column != NULL && k < recording->columns; k++) {
        plot_numbers_free(&recording->column[k]);
    }
    free(recording->column);
    free(recording->now);
    plot_numbers_free(&recording->time);
    *recording = (CompareRecording){0};
}
