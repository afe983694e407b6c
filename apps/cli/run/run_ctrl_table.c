// SPDX-License-Identifier: Apache-2.0
// Reading a table of controls: `t,NAME,NAME,...` and rows of numbers, or rows alone.
#include "run/run_ctrl.h"

#include "convert/csv_cells.h"

#include <math.h>
#include <string.h>

// Read a cell without the blanks around it, and the comma behind it. @param more is there a comma?
static utStatus next_cell(CsvCells* cells, utText* cell, bool* more, utError* err)
{
    UT_TRY(csv_cells_next(cells, cell, err));
    while (cell->size > 0 && (cell->data[0] == ' ' || cell->data[0] == '\t')) {
        cell->data++;
        cell->size--;
    }
    while (cell->size > 0 &&
           (cell->data[cell->size - 1] == ' ' || cell->data[cell->size - 1] == '\t')) {
        cell->size--;
    }
    *more = csv_cells_comma(cells);
    return UT_OK;
}

static utText unquoted(utText cell)
{
    const bool quoted = cell.size >= 2 && cell.data[0] == '"';
    return quoted ? (utText){cell.data + 1, cell.size - 2} : cell;
}

// ---- head ---------------------------------------------------------------------------------------

static bool is_word(utText cell, const char* word)
{
    return cell.size == strlen(word) && memcmp(cell.data, word, cell.size) == 0;
}

// The actuator that a column of the head names.
static utStatus find_column(const CsvCells* cells, utText cell, const utModel* model,
                            CtrlTable* table, utError* err)
{
    char message[200];
    const int actuator = run_ctrl_find(model, unquoted(cell));
    if (actuator < 0) {
        (void)run_ctrl_unknown(model, unquoted(cell), message, sizeof message);
        return csv_cell_error(cells, cell.data, message, err);
    }
    for (int k = 0; k < table->columns; k++) {
        if (table->actuator[k] == actuator) {
            return csv_cell_error(cells, cell.data, "this actuator has a column already", err);
        }
    }
    table->actuator[table->columns++] = actuator;
    return UT_OK;
}

// Read the head, if the first line is one; otherwise the columns are all controls in order.
static utStatus read_head(CsvCells* cells, const utModel* model, CtrlTable* table, utError* err)
{
    CsvCells line = *cells;
    utText cell;
    bool more;
    UT_TRY(next_cell(&line, &cell, &more, err));
    double number;
    if (ut_number_read(cell.data, cell.data + cell.size, &number) == cell.data + cell.size &&
        cell.size > 0) {
        for (int i = 0; i < model->nu; i++) {
            table->actuator[table->columns++] = i;
        }
        return UT_OK;
    }
    if (!is_word(unquoted(cell), "t") && !is_word(unquoted(cell), "time")) {
        return csv_cell_error(&line, cell.data,
                              "the first column is the time: a head begins with t", err);
    }
    while (more) {
        UT_TRY(next_cell(&line, &cell, &more, err));
        UT_TRY(find_column(&line, cell, model, table, err));
    }
    csv_cells_line(&line);
    *cells = line;
    return UT_OK;
}

// ---- rows ---------------------------------------------------------------------------------------

static utStatus read_number(const CsvCells* cells, utText cell, double* x, utError* err)
{
    UT_TRY(csv_cell_number(cells, cell, x, err));
    return isfinite(*x) ? UT_OK
                        : csv_cell_error(cells, cell.data, "this number is not finite", err);
}

static utStatus read_row(CsvCells* cells, CtrlTable* table, utError* err)
{
    double* value = table->value + (size_t)table->rows * (size_t)table->columns;
    double* time = &table->time[table->rows];
    utText cell;
    bool more = true;
    for (int k = -1; k < table->columns; k++) {
        if (!more) {
            break;
        }
        UT_TRY(next_cell(cells, &cell, &more, err));
        UT_TRY(read_number(cells, cell, k < 0 ? time : &value[k], err));
        if (k < 0 && table->rows > 0 && !(*time >= time[-1])) {
            return csv_cell_error(cells, cell.data, "the time is before that of the last row", err);
        }
        if (more != (k + 1 < table->columns)) {
            return ut_error_at(err, UT_ERR_FORMAT, cells->file, cells->line,
                               (int)(cells->at - cells->line_start) + 1,
                               "this row has %s cells than the time and %d controls",
                               more ? "more" : "fewer", table->columns);
        }
    }
    csv_cells_line(cells);
    table->rows++;
    return UT_OK;
}

// Skip a line of blanks, such as those that editors leave at the end. @return whether there was one
static bool skip_blank_line(CsvCells* cells)
{
    const char* at = cells->at;
    while (at < cells->end && (*at == ' ' || *at == '\t')) {
        at++;
    }
    const bool blank = at == cells->end || *at == '\n' || *at == '\r';
    if (blank) {
        cells->at = at;
        csv_cells_line(cells);
    }
    return blank;
}

// Spreadsheets begin a file in UTF-8 with a byte order mark.
static void skip_mark(utText* text)
{
    if (text->size >= 3 && memcmp(text->data, "\xEF\xBB\xBF", 3) == 0) {
        text->data += 3;
        text->size -= 3;
    }
}

static int count_lines(utText text)
{
    int count = 1;
    for (size_t i = 0; i < text.size; i++) {
        count += text.data[i] == '\n';
    }
    return count;
}

utStatus run_ctrl_read_table(const char* path, const utModel* model, utArena* keep,
                             CtrlTable* table, utError* err)
{
    utText text;
    UT_TRY(cli_read_file(path, keep, &text, err));
    skip_mark(&text);
    const char* file = cli_file_name(path);
    if (model->nu == 0) {
        return ut_error_at(err, UT_ERR_ARGUMENT, file, 0, 0, "the model has no actuators");
    }
    CsvCells cells = {file, text.data, text.data + text.size, text.data, 1};
    *table = (CtrlTable){.actuator = UT_PUSH(keep, int, model->nu)};
    if (table->actuator == NULL) {
        return cli_no_memory(path, err);
    }
    UT_TRY(read_head(&cells, model, table, err));
    const int lines = count_lines(text);
    table->time = UT_PUSH(keep, double, lines);
    table->value = UT_PUSH(keep, double, (size_t)lines*(size_t)table->columns);
    if (ut_arena_failed(keep)) {
        return cli_no_memory(path, err);
    }
    while (cells.at < cells.end) {
        UT_TRY(skip_blank_line(&cells) ? UT_OK : read_row(&cells, table, err));
    }
    return table->rows > 0 ? UT_OK
                           : ut_error_at(err, UT_ERR_FORMAT, file, cells.line, 1,
                                         "the table has no rows; write a time and controls");
}
