// SPDX-License-Identifier: Apache-2.0
// The table and its details as Markdown, with columns that line up on a terminal too.
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "support/bench.h"
#include "table.h"

// ---- tables of text -----------------------------------------------------------------------------

enum { COLUMNS_MAX = 12, CELL = 72, LINES_MAX = 256 };

typedef struct Sheet {
    int columns, lines;
    char cell[LINES_MAX][COLUMNS_MAX][CELL];
} Sheet;

static void begin(Sheet* sheet, int columns, const char* const titles[])
{
    memset(sheet, 0, sizeof *sheet);
    sheet->columns = columns;
    sheet->lines = 1;
    for (int c = 0; c < columns; c++) {
        snprintf(sheet->cell[0][c], CELL, "%s", titles[c]);
    }
}

// The next line, or NULL when the sheet is full.
static char (*next_line(Sheet* sheet))[CELL]
{
    return sheet->lines < LINES_MAX ? sheet->cell[sheet->lines++] : NULL;
}

static void print_padded(FILE* out, const char* text, int width)
{
    fprintf(out, " %-*s |", width, text);
}

static void print_sheet(FILE* out, const Sheet* sheet)
{
    for (int i = 0; i < sheet->lines; i++) {
        fputc('|', out);
        for (int c = 0; c < sheet->columns; c++) {
            int width = 3;
            for (int k = 0; k < sheet->lines; k++) {
                const int length = (int)strlen(sheet->cell[k][c]);
                width = length > width ? length : width;
            }
            print_padded(out, sheet->cell[i][c], width);
        }
        fputc('\n', out);
        if (i > 0) {
            continue;
        }
        fputc('|', out);
        for (int c = 0; c < sheet->columns; c++) {
            fputs(" --- |", out);
        }
        fputc('\n', out);
    }
}

// ---- cells --------------------------------------------------------------------------------------

static void set(char cell[CELL], const char* format, ...) UT_PRINTF(2, 3);

static void set(char cell[CELL], const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cell, CELL, format, arguments);
    va_end(arguments);
}

static void set_time(char cell[CELL], double seconds)
{
    char text[32];
    if (isnan(seconds)) {
        set(cell, "-");
    } else if (seconds < 1e-3) {
        set(cell, seconds < 1e-4 ? "%.2f us" : "%.0f us", 1e6 * seconds);
    } else {
        set(cell, "%s", bench_time_text(seconds, text));
    }
}

static void set_number(char cell[CELL], const char* format, double value)
{
    if (isnan(value)) {
        set(cell, "-");
    } else {
        // a format of this file with one number
        snprintf(cell, CELL, format, value);
    }
}

// ---- the table ----------------------------------------------------------------------------------

static bool has_budget(const Book* book)
{
    for (int i = 0; i < book->count; i++) {
        if (row_is(book->row[i], "kind", "line") &&
            ut_json_member(book->row[i], "budget") != NULL) {
            return true;
        }
    }
    return false;
}

static void add_line(Sheet* sheet, const utJson* row, bool budget)
{
    char(*cell)[CELL] = next_line(sheet);
    if (cell == NULL) {
        return;
    }
    const char* peer = row_text_of(row, "peer");
    const double cut = row_number_of(row, "cut_at");
    const char* why = row_text_of(row, "why");
    int c = 0;
    set(cell[c++], "%s", row_text_of(row, "scene"));
    set_time(cell[c++], row_number_of(row, "exact"));
    if (budget) {
        set_time(cell[c++], row_number_of(row, "budget"));
    }
    set(cell[c++], "%s", peer[0] != '\0' ? peer : "none");
    set_time(cell[c++], row_number_of(row, "peer_seconds"));
    set(cell[c++], "%s", row_text_of(row, "error_name"));
    set_number(cell[c++], "%.2g", row_number_of(row, "error"));
    set_number(cell[c++], "%.2g", row_number_of(row, "peer_error"));
    set_number(cell[c++], "%.2f", row_number_of(row, "ratio"));
    set(cell[c++], "%s", row_text_of(row, "goal"));
    const int length = snprintf(cell[c], CELL, "%s%s%s%s", row_text_of(row, "verdict"),
                                why[0] != '\0' ? " (" : "", why, why[0] != '\0' ? ")" : "");
    if (!isnan(cut) && length < CELL) {
        snprintf(cell[c] + length, CELL - (size_t)length, ", over %.2g s", cut);
    }
}

static void print_lines(FILE* out, const Book* book)
{
    static const char* const with[] = {"scene",    "uptack exact", "budget", "fastest usable peer",
                                       "its time", "error",        "ours",   "its",
                                       "ratio",    "goal",         "verdict"};
    static const char* const without[] = {
        "scene", "uptack exact", "fastest usable peer", "its time", "error", "ours", "its", "ratio",
        "goal",  "verdict"};
    static Sheet sheet;
    const bool budget = has_budget(book);
    int met = 0, missed = 0, other = 0;
    begin(&sheet, budget ? 11 : 10, budget ? with : without);
    for (int i = 0; i < book->count; i++) {
        const utJson* row = book->row[i];
        if (row_is(row, "kind", "line")) {
            add_line(&sheet, row, budget);
            met += row_is(row, "verdict", "met");
            missed += row_is(row, "verdict", "missed");
            other += !row_is(row, "verdict", "met") && !row_is(row, "verdict", "missed");
        }
    }
    print_sheet(out, &sheet);
    fprintf(out, "\nGoals met: %d of %d", met, met + missed);
    fprintf(out, other > 0 ? "; %d without a verdict.\n" : ".\n", other);
}

// ---- details ------------------------------------------------------------------------------------

static void add_run(Sheet* sheet, const utJson* row)
{
    char(*cell)[CELL] = next_line(sheet);
    if (cell == NULL) {
        return;
    }
    const bool usable = row_number_of(row, "usable") > 0.0;
    const double certified = row_number_of(row, "certified");
    const double steps = row_number_of(row, "steps");
    set(cell[0], "%s", row_text_of(row, "contender"));
    set_time(cell[1], row_number_of(row, "seconds"));
    set(cell[2], "%s", usable ? "yes" : row_text_of(row, "why"));
    if (row_number_of(row, "cut") > 0.0) {
        set(cell[2], "cut at %.3g s", row_number_of(row, "time"));
    }
    set_number(cell[3], "%.2g", row_number_of(row, "error"));
    set_number(cell[4], "%.2g", row_number_of(row, "figure"));
    set_number(cell[5], "%.2g", 1e3 * row_number_of(row, "deepest"));
    set_number(cell[6], "%.2g", 1e3 * row_number_of(row, "mean_depth"));
    set_number(cell[7], "%.2g", row_number_of(row, "energy_gain"));
    set_number(cell[8], "%.1e", row_number_of(row, "residual"));
    set_number(cell[9], "%.1e", row_number_of(row, "residual_worst"));
    if (!isnan(certified)) {
        set(cell[10], "%.2f %%, E %.0e", 100.0 * certified / steps, row_number_of(row, "E"));
    }
}

static void print_scene(FILE* out, const Book* book, int first)
{
    static Sheet sheet;
    const utJson* head = book->row[first];
    const char* scene = row_text_of(head, "scene");
    const char* titles[] = {"contender",
                            "a step",
                            "usable",
                            row_text_of(head, "error_name"),
                            row_text_of(head, "figure_name"),
                            "deepest mm",
                            "mean mm",
                            "gain J",
                            "residual",
                            "worst",
                            "certified"};
    begin(&sheet, 11, titles);
    for (int i = first; i < book->count; i++) {
        if (row_is(book->row[i], "kind", "run") && row_is(book->row[i], "scene", scene)) {
            add_run(&sheet, book->row[i]);
        }
    }
    fprintf(out, "\n### %s: %.0f bodies\n\n", scene, row_number_of(head, "bodies"));
    print_sheet(out, &sheet);
}

// Is this the first run of its scene?
static bool is_head(const Book* book, int index)
{
    const char* scene = row_text_of(book->row[index], "scene");
    for (int i = 0; i < index; i++) {
        if (row_is(book->row[i], "kind", "run") && row_is(book->row[i], "scene", scene)) {
            return false;
        }
    }
    return row_is(book->row[index], "kind", "run");
}

static void print_problems(FILE* out, const Book* book)
{
    static const char* const titles[] = {"problem",  "uptack",   "by bodies",   "fastest peer",
                                         "its time", "ratio",    "ours solved", "theirs",
                                         "error",    "its error"};
    static Sheet sheet;
    begin(&sheet, 10, titles);
    for (int i = 0; i < book->count; i++) {
        const utJson* row = book->row[i];
        char(*cell)[CELL] = row_is(row, "kind", "problem") ? next_line(&sheet) : NULL;
        if (cell == NULL) {
            continue;
        }
        set(cell[0], "%s", row_text_of(row, "scene"));
        set_time(cell[1], row_number_of(row, "exact"));
        set_time(cell[2], row_number_of(row, "by_bodies"));
        set(cell[3], "%s", row_text_of(row, "peer"));
        set_time(cell[4], row_number_of(row, "peer_seconds"));
        set_number(cell[5], "%.2f", row_number_of(row, "ratio"));
        set(cell[6], "%.0f/%.0f", row_number_of(row, "solved"), row_number_of(row, "instances"));
        set_number(cell[7], "%.0f", row_number_of(row, "peer_solved"));
        set_number(cell[8], "%.1e", row_number_of(row, "error"));
        set_number(cell[9], "%.1e", row_number_of(row, "peer_error"));
    }
    if (sheet.lines > 1) {
        fprintf(out, "\n## Complementarity problems beside Siconos\n\n");
        print_sheet(out, &sheet);
    }
}

static void set_bytes(char cell[CELL], double bytes)
{
    if (bytes >= 1e6) {
        set(cell, "%.3g MB", 1e-6 * bytes);
    } else {
        set(cell, "%.3g kB", 1e-3 * bytes);
    }
}

static void print_growth(FILE* out, const Book* book)
{
    static const char* const titles[] = {"scene",  "bodies",   "contacts",  "islands",
                                         "a step", "exponent", "certified", "memory",
                                         "a body", "a contact"};
    static Sheet sheet;
    begin(&sheet, 10, titles);
    for (int i = 0; i < book->count; i++) {
        const utJson* row = book->row[i];
        char(*cell)[CELL] = row_is(row, "kind", "growth") ? next_line(&sheet) : NULL;
        if (cell == NULL) {
            continue;
        }
        const double bytes = row_number_of(row, "model_bytes") + row_number_of(row, "sim_bytes");
        const double contacts = row_number_of(row, "contacts");
        const double goal = row_number_of(row, "goal_exponent");
        const double exponent = row_number_of(row, "exponent");
        set(cell[0], "%s (%s)", row_text_of(row, "scene"), row_text_of(row, "what"));
        set_number(cell[1], "%.0f", row_number_of(row, "bodies"));
        set_number(cell[2], "%.0f", contacts);
        set_number(cell[3], "%.0f", row_number_of(row, "islands"));
        set_time(cell[4], row_number_of(row, "seconds"));
        set_number(cell[5], "%.2f", exponent);
        if (!isnan(goal) && !isnan(exponent)) {
            set(cell[5], "%.2f (goal %.1f: %s)", exponent, goal,
                exponent <= goal ? "met" : "missed");
        }
        set(cell[6], "%.0f of %.0f", row_number_of(row, "certified"), row_number_of(row, "all"));
        set_bytes(cell[7], bytes);
        set_bytes(cell[8], bytes / row_number_of(row, "bodies"));
        if (contacts > 0.0) {
            set_bytes(cell[9], row_number_of(row, "sim_bytes") / contacts);
        } else {
            set(cell[9], "-");
        }
    }
    if (sheet.lines > 1) {
        fprintf(
            out,
            "\n## Growth\n\nTime per step ~ bodies^exponent, from the size above. Memory of model "
            "and sim; `a contact` is\nthe sim's alone.\n\n");
        print_sheet(out, &sheet);
    }
}

void book_markdown(FILE* out, const Book* book)
{
    fprintf(out, "# Benchmark\n\n%s. CPU time per step, one thread.\n", book->machine);
    fprintf(out,
            "ratio: uptack exact by the fastest peer whose answer is usable; smaller is better.\n"
            "docs/engines.md says how all of this is measured.\n\n");
    print_lines(out, book);
    for (int i = 0; i < book->count; i++) {
        if (row_is(book->row[i], "kind", "note")) {
            fprintf(out, "%s\n", row_text_of(book->row[i], "text"));
        }
    }
    print_growth(out, book);
    fprintf(out, "\n## Engines\n");
    for (int i = 0; i < book->count; i++) {
        if (is_head(book, i)) {
            print_scene(out, book, i);
        }
    }
    print_problems(out, book);
}
