// SPDX-License-Identifier: Apache-2.0
// A system as text: the equation in symbols, its blocks in numbers, the solution, rank and readings.
#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 110,         // of a line
    NUMBER = 24,         // room of a printed number
    MAX_ENTRIES = 20000, // of a matrix
};

// ---- numbers ------------------------------------------------------------------------------------

// The largest entry, which decides what is rounding.
static double largest(const double* x, size_t count)
{
    double most = 0.0;
    for (size_t k = 0; k < count; k++) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

// Six digits, and 0 for rounding.
static const char* number(double value, double most, char text[NUMBER])
{
    snprintf(text, NUMBER, "%.23s", ut_eq_digits(6, ut_eq_rounded(value, most)).text);
    return text;
}

// ---- the equation -------------------------------------------------------------------------------

static int width_of(const char* text)
{
    return text != NULL ? (int)strlen(text) : 1;
}

static const char* or_zero(EqSymbol symbol)
{
    return symbol.text != NULL ? symbol.text : "0";
}

static int widest_cell(const EqSystem* s, int col)
{
    int width = 1;
    for (int row = 0; row < s->printed.parts; row++) {
        const int cell = width_of(or_zero(s->notation->cell[s->kind[row]][s->kind[col]]));
        width = cell > width ? cell : width;
    }
    return width;
}

static int widest(const EqSystem* s, const EqSymbol* symbol)
{
    int width = 1;
    for (int row = 0; row < s->printed.parts; row++) {
        const int cell = width_of(or_zero(symbol[s->kind[row]]));
        width = cell > width ? cell : width;
    }
    return width;
}

static void print_equation_row(EqOut* out, const EqSystem* s, int row)
{
    const EqNotation* n = s->notation;
    const EqKind kind = s->kind[row];
    const bool middle = row == s->printed.parts / 2;
    if (!n->slack_right) {
        ut_eq_put(out, "  [ %-*s ] %s", widest(s, n->slack), or_zero(n->slack[kind]),
                  middle ? "= " : "  ");
    } else {
        ut_eq_put(out, "  ");
    }
    ut_eq_put(out, "[ ");
    for (int col = 0; col < s->printed.parts; col++) {
        ut_eq_put(out, "%s%-*s", col > 0 ? "  " : "", widest_cell(s, col),
                  or_zero(n->cell[kind][s->kind[col]]));
    }
    ut_eq_put(out, " ] [ %-*s ] %s [ %-*s ]", widest(s, n->unknown), or_zero(n->unknown[kind]),
              middle ? "+" : " ", widest(s, n->constant), or_zero(n->constant[kind]));
    if (n->slack_right) {
        ut_eq_put(out, " %s [ %-*s ]", middle ? "=" : " ", widest(s, n->slack),
                  or_zero(n->slack[kind]));
    }
    ut_eq_put(out, "\n");
}

// "0 <= (rho_n, rho_f, s) _|_ (p_n, p_f, sigma) >= 0"
static void print_complementarity(EqOut* out, const EqSystem* s)
{
    for (int side = 0; side < 2; side++) {
        const EqSymbol* symbol = side == 0 ? s->notation->slack : s->notation->unknown;
        const char* before = side == 0 ? "  0 <= (" : ") _|_ (";
        for (int k = 0; k < s->printed.parts; k++) {
            if (s->printed.part[k].start >= s->printed.lcp.free_count) {
                ut_eq_put(out, "%s%s", before, symbol[s->kind[k]].text);
                before = ", ";
            }
        }
    }
    ut_eq_put(out, ") >= 0\n");
}

static void print_equation(EqOut* out, const EqSystem* s)
{
    for (int row = 0; row < s->printed.parts; row++) {
        print_equation_row(out, s, row);
    }
    if (s->printed.lcp.free_count < s->printed.lcp.n) {
        print_complementarity(out, s);
    }
}

// ---- the head -----------------------------------------------------------------------------------

static void print_names(EqOut* out, const char* what, const EqAxis* axis, bool labels)
{
    int column = ut_eq_put(out, "%s", what);
    for (int g = 0; g < axis->groups; g++) {
        char text[4 * EQ_NAME] = "";
        size_t used = (size_t)snprintf(text, sizeof text, "%s", axis->group[g]);
        for (int k = axis->start[g];
             labels && k < axis->start[g + 1] && used < sizeof text - 2 * EQ_NAME; k++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s",
                                     k == axis->start[g] ? "(" : " ", axis->label[k],
                                     k + 1 == axis->start[g + 1] ? ")" : "");
        }
        if (column + (int)strlen(text) + 2 > WIDTH) {
            column = ut_eq_put(out, "\n     ") - 1;
        }
        column += ut_eq_put(out, "%s%s", g > 0 ? "  " : " ", text);
    }
    ut_eq_put(out, "\n");
}

// "size 21 = 9 + 4 + 2 + 4 + 2"
static void print_size(EqOut* out, const EqSystem* s)
{
    ut_eq_put(out, "size %d", s->printed.lcp.n);
    for (int k = 0; k < s->printed.parts && s->printed.parts > 1; k++) {
        ut_eq_put(out, " %s %d", k == 0 ? "=" : "+", s->printed.part[k].size);
    }
    ut_eq_put(out, "\n");
}

static const utRow* pin_row(const EqSystem* s, int k)
{
    return s->step->named ? &s->step->result.report.row[s->step->row[k]] : NULL;
}

// "AC = hinge of C and A"
static void print_joints(EqOut* out, const EqSystem* s)
{
    const EqAxis* axis = &s->axis[EQ_B];
    int column = ut_eq_put(out, "joints");
    for (int g = 0; g < axis->groups; g++) {
        EqLabel one, two;
        char text[600];
        const utRow* row = pin_row(s, axis->start[g]);
        const utModel* model = s->step->model;
        if (row != NULL && row->dof < 0 && row->terms == 0) {
            const bool equality = row->kind == UT_ROW_EQUALITY;
            const char* kind = !equality ? ut_row_kind_name(row->kind)
                               : s->traits.planar && axis->start[g + 1] - axis->start[g] == 2 &&
                                       model->equality[row->equality].kind == UT_EQUALITY_HINGE
                                   ? "pin"
                                   : ut_equality_kind_name(model->equality[row->equality].kind);
            snprintf(text, sizeof text, "%s = %s %s-%s", axis->group[g], kind,
                     ut_eq_name(model->body[row->body1].name, "body", row->body1, &one),
                     ut_eq_name(model->body[row->body2].name, "body", row->body2, &two));
        } else {
            snprintf(text, sizeof text, "%s", axis->group[g]);
        }
        if (column + (int)strlen(text) + 2 > WIDTH) {
            column = ut_eq_put(out, "\n     ") - 1;
        }
        column += ut_eq_put(out, "%s %s", g > 0 ? "," : "", text);
    }
    ut_eq_put(out, "\n");
}

static void print_head(EqOut* out, const EqSystem* s)
{
    const utStepReport* report = &s->step->result.report;
    const char* run = ut_formulation_name(s->step->run);
    ut_eq_put(out, "%s, step %d, t = %s, h = %s    %s %s%s: ", s->model, s->options->step,
              ut_eq_digits(9, report->time).text, ut_eq_digits(9, report->h).text,
              s->notation->paper, s->equation[0] >= '0' && s->equation[0] <= '9' ? "Eq. " : "",
              s->equation);
    print_size(out, s);
    if (s->options->step > 1 && strcmp(run, ut_formulation_name(report->formulation)) != 0) {
        ut_eq_put(out, "state of a run with %s; this step has %s\n", run,
                  ut_formulation_name(report->formulation));
    }
    print_names(out, s->notation->notation == UT_NOTATION_DART ? "systems" : "velocities",
                &s->axis[EQ_V], true);
    if (s->axis[EQ_B].count > 0) {
        print_joints(out, s);
    }
    if (s->axis[EQ_N].count > 0) {
        print_names(out, "contacts", &s->axis[EQ_N], false);
    }
    ut_eq_put(out, "\n");
}

// ---- matrices -----------------------------------------------------------------------------------

// A matrix, or its transpose, with names.
typedef struct Table {
    const EqAxis *rows, *cols;
    int row_count, col_count;
    const double* value;
    size_t row_step, col_step;
    double most;
    bool letters;  // columns are headed by their labels, else by groups alone
    int row_start; // of its first row among the names
} Table;

static double entry(const Table* t, int i, int j)
{
    return t->value[(size_t)i * t->row_step + (size_t)j * t->col_step];
}

static int column_width(const Table* t, int j)
{
    char text[NUMBER];
    int width = (int)strlen(t->cols->label[j]);
    for (int i = 0; i < t->row_count; i++) {
        const int cell = (int)strlen(number(entry(t, i, j), t->most, text));
        width = cell > width ? cell : width;
    }
    return width + 2;
}

static bool group_is_zero(const Table* t, int i, int group)
{
    bool zero = true;
    for (int j = t->cols->start[group]; j < t->cols->start[group + 1]; j++) {
        zero = zero && fabs(entry(t, i, j)) <= 1e-14 * t->most;
    }
    return zero;
}

static int group_width(const Table* t, int group, int from, int to)
{
    int width = 0;
    for (int j = from; j < to; j++) {
        width += column_width(t, j);
    }
    const int name = (int)strlen(t->cols->group[group]) + 2;
    return width > name ? width : name;
}

static int widest_name(const Table* t)
{
    int width = 0;
    for (int i = 0; i < t->row_count; i++) {
        const int name = (int)strlen(t->rows->name[t->row_start + i]);
        width = name > width ? name : width;
    }
    return width;
}

// A part of the columns that fits on a line: groups first ... last, the first one from column `from` and
// the last one up to `to`.
typedef struct Stretch {
    int first, last, from, to;
} Stretch;

static int group_from(const Table* t, const Stretch* c, int g)
{
    return g == c->first ? c->from : t->cols->start[g];
}

static int group_to(const Table* t, const Stretch* c, int g)
{
    return g == c->last ? c->to : t->cols->start[g + 1];
}

static int group_of(const EqAxis* axis, int column)
{
    int g = 0;
    while (axis->start[g + 1] <= column) {
        g++;
    }
    return g;
}

static Stretch next_stretch(const Table* t, int from, int indent)
{
    Stretch c = {.first = group_of(t->cols, from), .from = from, .to = from};
    c.last = c.first;
    int width = indent;
    for (int g = c.first; g < t->cols->groups; g++) {
        const int start = g == c.first ? from : t->cols->start[g], end = t->cols->start[g + 1];
        const int needed = group_width(t, g, start, end) + 2;
        if (width + needed <= WIDTH) {
            width += needed;
            c.last = g;
            c.to = end;
            continue;
        }
        // a group that does not fit on a line of its own is divided
        for (int j = start; g == c.first && j < end && width + column_width(t, j) + 2 <= WIDTH;
             j++) {
            width += column_width(t, j);
            c.to = j + 1;
        }
        break;
    }
    c.to = c.to > from ? c.to : from + 1;
    return c;
}

// The room that a group's name needs beyond its columns.
static int padding(const Table* t, const Stretch* c, int g)
{
    int width = 0;
    for (int j = group_from(t, c, g); j < group_to(t, c, g); j++) {
        width += column_width(t, j);
    }
    return group_width(t, g, group_from(t, c, g), group_to(t, c, g)) - width;
}

static void print_columns_head(EqOut* out, const Table* t, const Stretch* c, int indent)
{
    ut_eq_put(out, "%*s", indent, "");
    for (int g = c->first; g <= c->last; g++) {
        const int width = group_width(t, g, group_from(t, c, g), group_to(t, c, g));
        ut_eq_put(out, "%s  %-*s", g > c->first ? " |" : "", g == c->last ? 0 : width - 2,
                  t->cols->group[g]);
    }
    ut_eq_put(out, "\n");
    if (!t->letters) {
        return;
    }
    ut_eq_put(out, "%*s", indent, "");
    for (int g = c->first; g <= c->last; g++) {
        ut_eq_put(out, "%s%*s", g > c->first ? " |" : "", padding(t, c, g), "");
        for (int j = group_from(t, c, g); j < group_to(t, c, g); j++) {
            ut_eq_put(out, "%*s", column_width(t, j), t->cols->label[j]);
        }
    }
    ut_eq_put(out, "\n");
}

static void print_table_row(EqOut* out, const Table* t, const Stretch* c, int i, int indent)
{
    char text[NUMBER];
    ut_eq_put(out, "    %-*s", indent - 4, t->rows->name[t->row_start + i]);
    for (int g = c->first; g <= c->last; g++) {
        const bool zero = t->cols->groups > 1 && group_is_zero(t, i, g);
        ut_eq_put(out, "%s%*s", g > c->first ? " |" : "", padding(t, c, g), "");
        for (int j = group_from(t, c, g); j < group_to(t, c, g); j++) {
            ut_eq_put(out, "%*s", column_width(t, j),
                      zero ? "." : number(entry(t, i, j), t->most, text));
        }
    }
    ut_eq_put(out, "\n");
}

static bool any_label(const EqAxis* axis)
{
    bool any = false;
    for (int k = 0; k < axis->count; k++) {
        any = any || axis->label[k][0] != '\0';
    }
    return any;
}

static void print_table(EqOut* out, const Table* t)
{
    const int indent = widest_name(t) + 5;
    if (t->row_count * t->col_count > MAX_ENTRIES) {
        ut_eq_put(out, "    %d x %d: use --format json\n", t->row_count, t->col_count);
        return;
    }
    for (int from = 0; from < t->col_count;) {
        const Stretch c = next_stretch(t, from, indent);
        print_columns_head(out, t, &c, indent);
        for (int i = 0; i < t->row_count; i++) {
            print_table_row(out, t, &c, i, indent);
        }
        from = c.to;
    }
}

// ---- vectors and diagonals ----------------------------------------------------------------------

// Values in groups, separated by bars, on lines that end before WIDTH.
typedef struct Line {
    const char* name;
    int width; // of the name
    const EqAxis* axis;
    const double* x;
    double factor; // of x
    double scale;  // of the numbers that x is computed from
    const char* unit;
} Line;

static void print_vector(EqOut* out, const Line* line)
{
    char text[NUMBER];
    const EqAxis* axis = line->axis;
    const double most =
        fabs(line->factor) * fmax(line->scale, largest(line->x, (size_t)axis->count));
    int column = ut_eq_put(out, "  %-*s", line->width, line->name);
    const int indent = column;
    for (int g = 0; g < axis->groups; g++) {
        for (int k = axis->start[g]; k < axis->start[g + 1]; k++) {
            number(line->factor * line->x[k], most, text);
            if (column + (int)strlen(text) + 3 > WIDTH) {
                column = ut_eq_put(out, "\n%*s", indent, "") - 1;
            }
            column +=
                ut_eq_put(out, "%s%s", column > indent && k == axis->start[g] ? " | " : " ", text);
        }
    }
    ut_eq_put(out, "%s%s\n", line->unit[0] != '\0' ? " " : "", line->unit);
}

// Is the block of rows and columns from ... to of an n x n matrix diagonal, up to rounding?
static bool is_diagonal(int n, const double* A, int from, int to)
{
    const double most = largest(A, (size_t)n * (size_t)n);
    bool diagonal = true;
    for (int i = from; i < to; i++) {
        for (int j = from; j < to; j++) {
            diagonal = diagonal && (i == j || fabs(A[i * n + j]) <= 1e-14 * most);
        }
    }
    return diagonal;
}

// "W_b' (60)"
static void block_title(const EqBlock* b, const char* ending, char text[2 * EQ_NAME])
{
    snprintf(text, 2 * EQ_NAME, b->equation[0] != '\0' ? "%s%s (%s)" : "%s%s", b->symbol.text,
             ending, b->equation);
}

static void print_title(EqOut* out, const EqBlock* b)
{
    char text[2 * EQ_NAME];
    block_title(b, "", text);
    ut_eq_put(out, "  %-10s", text);
}

// The width of the widest title of a vector.
static int title_width(const EqSystem* s)
{
    int width = 12;
    for (int k = 0; k < s->blocks; k++) {
        char text[2 * EQ_NAME];
        block_title(&s->block[k], "", text);
        const int title = s->block[k].cols == EQ_ONE ? (int)strlen(text) : 0;
        width = title > width ? title : width;
    }
    return width;
}

// "M_C = diag(2, 2, 0.208333)"
static void print_diagonal(EqOut* out, const EqBlock* b, const EqAxis* axis, int g, int* column)
{
    char text[NUMBER];
    char group[1024];
    const double most = largest(b->value, (size_t)axis->count * (size_t)axis->count);
    size_t used =
        (size_t)snprintf(group, sizeof group, "%s_%s = diag(", b->symbol.text, axis->group[g]);
    for (int k = axis->start[g]; k < axis->start[g + 1] && used < sizeof group - NUMBER - 3; k++) {
        used += (size_t)snprintf(
            group + used, sizeof group - used, "%s%s", k > axis->start[g] ? ", " : "",
            number(b->value[(size_t)k * (size_t)(axis->count + 1)], most, text));
    }
    if (*column == 0 || *column + (int)used + 3 > WIDTH) {
        *column = ut_eq_put(out, "%s%12s", *column > 0 ? "\n" : "", "");
    }
    *column += ut_eq_put(out, "  %s)", group);
}

// Masses, which are blocks of trees on the diagonal: the diagonal blocks on lines, the others as tables.
static void print_masses(EqOut* out, const EqBlock* b, const EqAxis* axis)
{
    int column = 12;
    const size_t n = (size_t)axis->count;
    print_title(out, b);
    for (int g = 0; g < axis->groups; g++) {
        const int from = axis->start[g], to = axis->start[g + 1];
        if (is_diagonal(axis->count, b->value, from, to)) {
            print_diagonal(out, b, axis, g, &column);
            continue;
        }
        const EqAxis cols = {.count = to - from,
                             .name = axis->name + from,
                             .label = axis->label + from,
                             .groups = 1,
                             .start = (int[]){0, to - from},
                             .group = axis->group + g};
        const Table table = {.rows = axis,
                             .cols = &cols,
                             .row_count = to - from,
                             .col_count = to - from,
                             .value = b->value + (size_t)from * (n + 1),
                             .row_step = n,
                             .col_step = 1,
                             .most = largest(b->value, n * n),
                             .letters = true,
                             .row_start = from};
        ut_eq_put(out, "%s", column > 0 ? "\n" : "");
        print_table(out, &table);
        column = 0;
    }
    ut_eq_put(out, "%s", column > 0 ? "\n" : "");
}

// A block of ones, or of coefficients: one entry per row
static bool print_selection(EqOut* out, const EqSystem* s, const EqBlock* b)
{
    const int rows = s->axis[b->rows].count, cols = s->axis[b->cols].count;
    const bool ones = b->rows == EQ_F && b->cols == EQ_L;
    const bool coefficients = (b->rows == EQ_L || b->rows == EQ_LINES) && b->cols == EQ_N;
    if (!ones && !coefficients) {
        return false;
    }
    print_title(out, b);
    if (ones) {
        ut_eq_put(out, " %d x %d: ones in the rows of each contact's directions\n", rows, cols);
        return true;
    }
    ut_eq_put(out, " %d x %d:", rows, cols);
    const char* separator = " ";
    for (int j = 0; j < cols; j++) {
        for (int i = 0; i < rows; i++) {
            const double value = b->value[i * cols + j];
            if (value != 0.0 || rows == cols) {
                ut_eq_put(out, "%s%s at %s", separator,
                          ut_eq_digits(6, rows == cols ? b->value[j * cols + j] : value).text,
                          s->axis[b->cols].name[j]);
                separator = ", ";
                break;
            }
        }
    }
    ut_eq_put(out, "\n");
    return true;
}

static void print_vector_block(EqOut* out, const EqSystem* s, const EqBlock* b)
{
    char title[2 * EQ_NAME];
    block_title(b, "", title);
    print_vector(out,
                 &(Line){title, title_width(s), &s->axis[b->rows], b->value, 1.0, 0.0, b->unit});
}

// A matrix by its rows, or of V x ... by its columns.
static void print_table_block(EqOut* out, const EqSystem* s, const EqBlock* b)
{
    char title[2 * EQ_NAME];
    const EqAxis *rows = &s->axis[b->rows], *cols = &s->axis[b->cols];
    const size_t r = (size_t)rows->count, c = (size_t)cols->count;
    Table table = {.rows = rows,
                   .cols = cols,
                   .row_count = rows->count,
                   .col_count = cols->count,
                   .value = b->value,
                   .row_step = c,
                   .col_step = 1,
                   .most = largest(b->value, r * c),
                   .letters = any_label(cols)};
    const bool turned = b->wide && strchr(b->symbol.text, '\'') == NULL;
    if (b->wide) {
        table.rows = cols;
        table.cols = rows;
        table.row_count = cols->count;
        table.col_count = rows->count;
        table.row_step = 1;
        table.col_step = c;
        table.letters = any_label(rows);
    }
    block_title(b, turned ? "'" : "", title);
    ut_eq_put(out, "  %s\n", title);
    print_table(out, &table);
}

static void print_block(EqOut* out, const EqSystem* s, int k)
{
    const EqBlock* b = &s->block[k];
    if (b->cols == EQ_ONE) {
        print_vector_block(out, s, b);
    } else if (b->rows == EQ_V && b->cols == EQ_V) {
        print_masses(out, b, &s->axis[b->rows]);
    } else if (!print_selection(out, s, b)) {
        print_table_block(out, s, b);
    }
    if (s->block_rank[k] >= 0) {
        ut_eq_put(out, "    rank %d of %d x %d\n", s->block_rank[k], s->axis[b->rows].count,
                  s->axis[b->cols].count);
    }
}

// A part of A that holds products of blocks.
static void print_product(EqOut* out, const EqSystem* s, int row, int col)
{
    const size_t n = (size_t)s->printed.lcp.n;
    const utPrintedPart *r = &s->printed.part[row], *c = &s->printed.part[col];
    const char* symbol = s->notation->cell[s->kind[row]][s->kind[col]].text;
    const double* first = s->printed.lcp.M + (size_t)r->start * n + (size_t)c->start;
    const EqAxis *rows = &s->axis[s->kind[row]], *cols = &s->axis[s->kind[col]];
    if (r->size == 1 && c->size == 1) {
        print_vector(out, &(Line){symbol, title_width(s), cols, first, 1.0, 0.0, ""});
        return;
    }
    const Table table = {.rows = rows,
                         .cols = cols,
                         .row_count = r->size,
                         .col_count = c->size,
                         .value = first,
                         .row_step = n,
                         .col_step = 1,
                         .most = largest(s->printed.lcp.M, n * n),
                         .letters = any_label(cols)};
    ut_eq_put(out, "  %s\n", symbol);
    print_table(out, &table);
}

static void print_matrix(EqOut* out, const EqSystem* s)
{
    for (int row = 0; row < s->printed.parts; row++) {
        for (int col = 0; col < s->printed.parts; col++) {
            if (s->notation->cell[s->kind[row]][s->kind[col]].text != NULL &&
                s->kind[row] != EQ_L && s->kind[col] != EQ_L) {
                print_product(out, s, row, col);
            }
        }
    }
    for (int k = 0; k < s->printed.parts; k++) {
        const EqKind kind = s->kind[k];
        const char* symbol = s->notation->constant[kind].text;
        if (symbol != NULL) {
            print_vector(out, &(Line){symbol, title_width(s), &s->axis[kind],
                                      s->printed.lcp.q + s->printed.part[k].start, 1.0, 0.0,
                                      ut_eq_slack_unit(s, kind)});
        }
    }
}

// ---- the solution -------------------------------------------------------------------------------

static void print_part(EqOut* out, const EqSystem* s, int k)
{
    enum { NAME_WIDTH = 14 };
    const utPrintedPart* p = &s->printed.part[k];
    const EqKind kind = s->kind[k];
    const double scale = largest(s->printed.lcp.q, (size_t)s->printed.lcp.n);
    const char* name = s->notation->unknown[kind].text;
    Line line = {name, NAME_WIDTH, &s->axis[kind], s->z + p->start, 1.0, 0.0, ut_eq_unit(s, kind)};
    print_vector(out, &line);
    if (ut_eq_other_unit(s, kind) != NULL) {
        char other[EQ_NAME];
        snprintf(other, sizeof other, s->notation->forces ? "  h %.60s" : "  %.60s/h", name);
        line.name = other;
        line.factor = ut_eq_other_factor(s);
        line.unit = ut_eq_other_unit(s, kind);
        print_vector(out, &line);
    }
    if (p->start >= s->printed.lcp.free_count) {
        print_vector(out, &(Line){s->notation->slack[kind].text, NAME_WIDTH, &s->axis[kind],
                                  s->w + p->start, 1.0, scale, ut_eq_slack_unit(s, kind)});
    }
}

static void print_solution(EqOut* out, const EqSystem* s)
{
    if (s->by_step) {
        ut_eq_put(out, "solution of the step, scaled residual %s", ut_eq_power(s->residual).text);
    } else {
        ut_eq_put(out,
                  "solution by %s: %s, scaled residual %s; the step's own impulses solve "
                  "another\nproblem "
                  "(restitution, or a step that is not certified)",
                  ut_lcp_solver_name(s->info.solver), ut_lcp_outcome_name(s->info.outcome),
                  ut_eq_power(s->residual).text);
    }
    ut_eq_put(out, "%s\n",
              s->step->result.outcome == UT_STEP_UNCERTIFIED ? "; the step is not certified" : "");
    for (int k = 0; k < s->printed.parts; k++) {
        print_part(out, s, k);
    }
}

// ---- rank and readings --------------------------------------------------------------------------

static void print_dependents(EqOut* out, const EqSystem* s)
{
    ut_eq_put(out, "rows that depend on rows above:");
    for (int k = 0; k < s->printed.parts; k++) {
        const utPrintedPart* p = &s->printed.part[k];
        const char* before = "";
        for (int i = 0; i < s->dependents; i++) {
            if (s->dependent[i] >= p->start && s->dependent[i] < p->start + p->size) {
                if (before[0] == '\0') {
                    ut_eq_put(out, "\n  %-8s", s->notation->slack[s->kind[k]].text);
                }
                ut_eq_put(out, "%s %s", before,
                          s->axis[s->kind[k]].name[s->dependent[i] - p->start]);
                before = ",";
            }
        }
    }
    ut_eq_put(out, "\n");
}

static void print_rank(EqOut* out, const EqSystem* s)
{
    if (s->rank < 0) {
        ut_eq_put(out, "rank: not computed for %d unknowns; use --rank\n", s->printed.lcp.n);
        return;
    }
    ut_eq_put(out, "rank %d of %d, condition %s%s\n", s->rank, s->printed.lcp.n,
              ut_eq_digits(4, s->condition).text,
              s->rank < s->printed.lcp.n ? " on its range" : "");
    if (s->dependents > 0) {
        print_dependents(out, s);
    }
}

// Words on lines that end before WIDTH.
static void print_wrapped(EqOut* out, const char* text, int indent)
{
    int column = ut_eq_put(out, "%*s", indent, "");
    bool first = true; // word of its line
    for (const char* word = text; *word != '\0';) {
        const int length = (int)strcspn(word, " ");
        if (!first && column + length + 1 > WIDTH) {
            column = ut_eq_put(out, "\n%*s", indent + 2, "") - 1;
            first = true;
        }
        column += ut_eq_put(out, "%s%.*s", first ? "" : " ", length, word);
        first = false;
        word += length + (word[length] == ' ');
    }
    ut_eq_put(out, "\n");
}

static void print_readings(EqOut* out, const EqSystem* s)
{
    ut_eq_put(out, "%s", s->readings > 0 ? "readings of the print\n" : "");
    for (int k = 0; k < s->readings; k++) {
        print_wrapped(out, s->reading[k], 2);
    }
}

void ut_eq_print_text(EqOut* out, const EqSystem* s)
{
    print_head(out, s);
    print_equation(out, s);
    ut_eq_put(out, "\n");
    for (int k = 0; k < s->blocks; k++) {
        print_block(out, s, k);
    }
    if (s->notation->shows_matrix) {
        print_matrix(out, s);
    }
    ut_eq_put(out, "\n");
    print_solution(out, s);
    ut_eq_put(out, "\n");
    print_rank(out, s);
    print_readings(out, s);
}
