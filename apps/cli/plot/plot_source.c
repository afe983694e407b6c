// SPDX-License-Identifier: Apache-2.0
// Recordings to plot.
#include "plot/plot_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- opening ------------------------------------------------------------------------------------

// @param name the source takes ownership; NULL: out of memory
static utStatus add_column(PlotSource* source, int* room, char* name, utError* err)
{
    if (name != NULL && source->columns == *room) {
        *room = *room > 0 ? 2 * *room : 64;
        char** larger = realloc(source->column, (size_t)*room * sizeof *larger);
        if (larger == NULL) {
            free(name);
            return cli_no_memory(source->path, err);
        }
        source->column = larger;
    }
    if (name == NULL) {
        return cli_no_memory(source->path, err);
    }
    source->column[source->columns++] = name;
    return UT_OK;
}

static CsvCells begin_cells(const PlotSource* source)
{
    const char* at = source->bytes.data;
    const char* end = at + source->bytes.size;
    if (source->bytes.size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) {
        at += 3; // a byte order mark, which spreadsheets write
    }
    return (CsvCells){cli_file_name(source->path), at, end, at, 1};
}

static utStatus open_table(PlotSource* source, bool any_table, utError* err)
{
    CsvCells cells = begin_cells(source);
    int room = 0;
    do {
        utText cell = {NULL, 0};
        UT_TRY(csv_cells_next(&cells, &cell, err));
        UT_TRY(add_column(source, &room, csv_cell_text(cell), err));
    } while (csv_cells_comma(&cells));
    if (!csv_cells_at_line_end(&cells)) {
        return csv_cell_error(&cells, cells.at, "a comma was expected here", err);
    }
    if (!any_table && plot_source_column(source, "time") < 0) {
        return ut_error_at(err, UT_ERR_FORMAT, cells.file, 1, 1,
                           "this is no recording: the column time is missing; uptack run --record "
                           "FILE and --contacts FILE write recordings");
    }
    source->has_contacts =
        plot_source_column(source, "geom1") >= 0 && plot_source_column(source, "geom2") >= 0;
    source->has_states = !source->has_contacts;
    return UT_OK;
}

static utStatus open_recording(PlotSource* source, utError* err)
{
    utRecording* r = &source->recording;
    UT_TRY(ut_recording_open(source->bytes.data, source->bytes.size, cli_file_name(source->path), r,
                             err));
    int room = 0;
    for (int k = 0; k < r->columns; k++) {
        UT_TRY(add_column(source, &room, csv_copy(ut_recording_column(r, k)), err));
    }
    source->binary = source->has_states = source->has_contacts = true;
    return UT_OK;
}

utStatus plot_source_open(const char* path, bool any_table, PlotSource* source, utError* err)
{
    *source = (PlotSource){.path = path};
    if (ut_arena_create(0, NULL, &source->memory) != UT_OK) {
        return cli_no_memory(path, err);
    }
    UT_TRY(cli_read_file(path, &source->memory, &source->bytes, err));
    return ut_recording_is(source->bytes.data, source->bytes.size)
               ? open_recording(source, err)
               : open_table(source, any_table, err);
}

void plot_source_close(PlotSource* source)
{
    for (int k = 0; k < source->columns; k++) {
        free(source->column[k]);
    }
    free(source->column);
    free(source->label);
    ut_arena_destroy(&source->memory);
    *source = (PlotSource){0};
}

int plot_source_column(const PlotSource* source, const char* name)
{
    for (int k = 0; k < source->columns; k++) {
        if (strcmp(source->column[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

// Warn once that a recording is incomplete, because the run was killed for instance.
static void warn_cut(PlotSource* source, const char* what)
{
    if (!source->cut) {
        fprintf(stderr, "%s: ", cli_file_name(source->path));
        cli_print_word(stderr, CLI_YELLOW, "warning:");
        fprintf(stderr, " %s\n", what);
    }
    source->cut = true;
}

// ---- rows of a table ----------------------------------------------------------------------------

utStatus plot_source_rows(PlotSource* source,
                          utStatus (*row)(void* context, const CsvCells* cells, const utText* cell,
                                          utError* err),
                          void* context, utError* err)
{
    CsvCells cells = begin_cells(source);
    utText* cell = calloc((size_t)source->columns, sizeof *cell);
    if (cell == NULL) {
        return cli_no_memory(source->path, err);
    }
    utStatus status = UT_OK;
    bool head = true;
    while (status == UT_OK && cells.at < cells.end) {
        int count = 0;
        bool more = true;
        while (status == UT_OK && more && count < source->columns) {
            status = csv_cells_next(&cells, &cell[count++], err);
            more = csv_cells_comma(&cells);
        }
        const size_t left = (size_t)(cells.end - cells.line_start);
        if (cells.at == cells.end && memchr(cells.line_start, '\n', left) == NULL) {
            // leave out an unfinished line: its last number may be cut off
            warn_cut(source, "the last line is not finished and was left out");
            status = UT_OK;
            break;
        }
        if (status == UT_OK && (count < source->columns || !csv_cells_at_line_end(&cells))) {
            status = ut_error_at(err, UT_ERR_FORMAT, cells.file, cells.line,
                                 (int)(cells.at - cells.line_start) + 1,
                                 "this row has %s cells than the %d names of line 1",
                                 count < source->columns ? "fewer" : "more", source->columns);
        }
        if (status == UT_OK && !head) {
            status = row(context, &cells, cell, err);
        }
        head = false;
        csv_cells_line(&cells);
    }
    free(cell);
    return status;
}

// ---- states -------------------------------------------------------------------------------------

typedef struct States {
    PlotSource* source;
    PlotX unit;
    int time; // its column
    const int* wanted;
    int count;
    PlotNumbers* x;
    PlotNumbers* y;
} States;

static utStatus state_row(void* context, const CsvCells* cells, const utText* cell, utError* err)
{
    States* s = context;
    double value = (double)s->x->count; // as a step
    if (s->unit == PLOT_TIME) {
        UT_TRY(csv_cell_number(cells, cell[s->time], &value, err));
    }
    bool added = plot_numbers_add(s->x, value);
    for (int k = 0; k < s->count; k++) {
        UT_TRY(csv_cell_number(cells, cell[s->wanted[k]], &value, err));
        added = added && plot_numbers_add(&s->y[k], value);
    }
    return added ? UT_OK : cli_no_memory(s->source->path, err);
}

static utStatus state_frame(States* s, const utRecordFrame* frame, utError* err)
{
    bool added = plot_numbers_add(s->x, s->unit == PLOT_TIME ? frame->time : (double)frame->step);
    for (int k = 0; k < s->count; k++) {
        const size_t at = ut_recording_value(&s->source->recording, s->wanted[k]);
        added = added && plot_numbers_add(&s->y[k], frame->value[at]);
    }
    return added ? UT_OK : cli_no_memory(s->source->path, err);
}

utStatus plot_source_frames(PlotSource* source,
                            utStatus (*take)(void* context, const utRecordFrame* frame,
                                             utError* err),
                            void* context, utError* err)
{
    utRecording recording = source->recording;
    utRecordFrame frame;
    do {
        UT_TRY(ut_recording_next(&recording, &frame, err));
        UT_TRY(take(context, &frame, err));
    } while (frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT);
    if (frame.kind == UT_RECORD_CUT) {
        warn_cut(source, "the recording was not closed; everything before its end is plotted");
    }
    return UT_OK;
}

static utStatus take_state(void* context, const utRecordFrame* frame, utError* err)
{
    return frame->kind == UT_RECORD_STATE ? state_frame(context, frame, err) : UT_OK;
}

utStatus plot_source_states(PlotSource* source, PlotX unit, const int* wanted, int count,
                            PlotNumbers* x, PlotNumbers* y, utError* err)
{
    States s = {source, unit, plot_source_column(source, "time"), wanted, count, x, y};
    return source->binary ? plot_source_frames(source, take_state, &s, err)
                          : plot_source_rows(source, state_row, &s, err);
}

// ---- texts --------------------------------------------------------------------------------------

typedef struct Texts {
    int by, x, y;
    utStatus (*take)(void* context, utText text, double x, double y, utError* err);
    void* context;
} Texts;

static utStatus text_row(void* context, const CsvCells* cells, const utText* cell, utError* err)
{
    const Texts* t = context;
    double x, y;
    UT_TRY(csv_cell_number(cells, cell[t->x], &x, err));
    UT_TRY(csv_cell_number(cells, cell[t->y], &y, err));
    return t->take(t->context, cell[t->by], x, y, err);
}

utStatus plot_source_texts(PlotSource* source, int by, int x, int y,
                           utStatus (*take)(void* context, utText text, double x, double y,
                                            utError* err),
                           void* context, utError* err)
{
    Texts t = {by, x, y, take, context};
    return plot_source_rows(source, text_row, &t, err);
}
