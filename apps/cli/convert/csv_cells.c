// SPDX-License-Identifier: Apache-2.0
// Cells of a table.
#include "convert/csv_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

utStatus csv_cell_error(const CsvCells* cells, const char* at, const char* what, utError* err)
{
    return ut_error_at(err, UT_ERR_FORMAT, cells->file, cells->line,
                       (int)(at - cells->line_start) + 1, "%s", what);
}

bool csv_cells_at_line_end(const CsvCells* cells)
{
    return cells->at == cells->end || *cells->at == '\n' || *cells->at == '\r';
}

utStatus csv_cells_next(CsvCells* cells, utText* cell, utError* err)
{
    const char* begin = cells->at;
    if (cells->at < cells->end && *cells->at == '"') {
        cells->at++;
        while (cells->at < cells->end &&
               !(cells->at[0] == '"' && cells->at + 1 < cells->end && cells->at[1] != '"')) {
            cells->at += cells->at[0] == '"' ? 2 : 1;
        }
        if (cells->at >= cells->end) {
            cells->at = cells->end;
            return csv_cell_error(cells, begin, "this quote is not closed", err);
        }
        cells->at++;
    } else {
        while (cells->at < cells->end && *cells->at != ',' && !csv_cells_at_line_end(cells)) {
            cells->at++;
        }
    }
    *cell = (utText){begin, (size_t)(cells->at - begin)};
    return UT_OK;
}

bool csv_cells_comma(CsvCells* cells)
{
    const bool comma = cells->at < cells->end && *cells->at == ',';
    cells->at += comma;
    return comma;
}

void csv_cells_line(CsvCells* cells)
{
    cells->at += cells->at < cells->end && *cells->at == '\r';
    cells->at += cells->at < cells->end && *cells->at == '\n';
    cells->line_start = cells->at;
    cells->line++;
}

char* csv_copy(utText text)
{
    char* copy = malloc(text.size + 1);
    if (copy != NULL) {
        memcpy(copy, text.data, text.size);
        copy[text.size] = 0;
    }
    return copy;
}

char* csv_cell_text(utText cell)
{
    char* text = malloc(cell.size + 1);
    size_t n = 0;
    const bool quoted = cell.size >= 2 && cell.data[0] == '"';
    for (size_t k = quoted; text != NULL && k + quoted < cell.size; k++) {
        text[n++] = cell.data[k];
        k += quoted && cell.data[k] == '"';
    }
    if (text != NULL) {
        text[n] = 0;
    }
    return text;
}

static bool is_word(utText cell, const char* word)
{
    return cell.size == strlen(word) && memcmp(cell.data, word, cell.size) == 0;
}

utStatus csv_cell_number(const CsvCells* cells, utText cell, double* value, utError* err)
{
    const char* end = cell.data + cell.size;
    if (ut_number_read(cell.data, end, value) == end && cell.size > 0) {
        return UT_OK;
    }
    const bool sign = cell.size > 0 && cell.data[0] == '-';
    const utText word = {cell.data + sign, cell.size - sign};
    if (is_word(word, "nan") || is_word(word, "inf")) {
        *value = (double)NAN;
        return UT_OK;
    }
    return csv_cell_error(cells, cell.data, "a number was expected here", err);
}
