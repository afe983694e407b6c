// SPDX-License-Identifier: Apache-2.0
// A system as text: the equation in symbols, its blocks in numbers, the solution, rank and readings.
#include "dump.h"

#include <math.h>
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

// Six digits; rounding noise is 0.
static const char* number(double value, double most, char text[NUMBER])
{
    static const double NOISE = 1e-14;
    snprintf(text, NUMBER, "%.6g", fabs(value) <= NOISE * most ? 0.0 : value);
    return text;
}

// ---- the equation -------------------------------------------------------------------------------

static int width_of(const char* text)
{
    return text != NULL ? (int)strlen(text) : 1;
}

static const char* or_zero(DumpSymbol symbol)
{
    return symbol.text != NULL ? symbol.text : "0";
}

static int widest_cell(const DumpSystem* s, int col)
{
    int width = 1;
    for (int row = 0; row < s->printed.parts; row++) {
        const int cell = width_of(or_zero(s->notation->cell[s->kind[row]][s->kind[col]]));
        width = cell > width ? cell : width;
    }
    return width;
}

static int widest(const DumpSystem* s, const DumpSymbol* symbol)
{
    int width = 1;
    for (int row = 0; row < s->printed.parts; row++) {
        const int cell = width_of(or_zero(symbol[s->kind[row]]));
        width = cell > width ? cell : width;
    }
    return width;
}

static void print_equation_row(const DumpSystem* s, int row)
{
    const DumpNotation* n = s->notation;
    const DumpKind kind = s->kind[row];
    const bool middle = row == s->printed.parts / 2;
    if (!n->slack_right) {
        printf("  [ %-*s ] %s", widest(s, n->slack), or_zero(n->slack[kind]), middle ? "= " : "  ");
    } else {
        printf("  ");
    }
    printf("[ ");
    for (int col = 0; col < s->printed.parts; col++) {
        printf("%-*s  ", widest_cell(s, col), or_zero(n->cell[kind][s->kind[col]]));
    }
    printf("] [ %-*s ] %s [ %-*s ]", widest(s, n->unknown), or_zero(n->unknown[kind]),
           middle ? "+" : " ", widest(s, n->constant), or_zero(n->constant[kind]));
    if (n->slack_right) {
        printf(" %s [ %-*s ]", middle ? "=" : " ", widest(s, n->slack), or_zero(n->slack[kind]));
    }
    printf("\n");
}

// "0 <= (rho_n, rho_f, s) _|_ (p_n, p_f, sigma) >= 0"
static void print_complementarity(const DumpSystem* s)
{
    for (int side = 0; side < 2; side++) {
        const DumpSymbol* symbol = side == 0 ? s->notation->slack : s->notation->unknown;
        const char* before = side == 0 ? "  0 <= (" : ") _|_ (";
        for (int k = 0; k < s->printed.parts; k++) {
            if (s->printed.part[k].start >= s->printed.lcp.free_count) {
                printf("%s%s", before, symbol[s->kind[k]].text);
                before = ", ";
            }
        }
    }
    printf(") >= 0\n");
}

static void print_equation(const DumpSystem* s)
{
    for (int row = 0; row < s->printed.parts; row++) {
        print_equation_row(s, row);
    }
    if (s->printed.lcp.free_count < s->printed.lcp.n) {
        print_complementarity(s);
    }
}

// ---- the head -----------------------------------------------------------------------------------

static void print_names(const char* what, const DumpAxis* axis, bool labels)
{
    int column = printf("%s", what);
    for (int g = 0; g < axis->groups; g++) {
        char text[4 * DUMP_NAME] = "";
        size_t used = (size_t)snprintf(text, sizeof text, "%s", axis->group[g]);
        for (int k = axis->start[g];
             labels && k < axis->start[g + 1] && used < sizeof text - 2 * DUMP_NAME; k++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s",
                                     k == axis->start[g] ? "(" : " ", axis->label[k],
                                     k + 1 == axis->start[g + 1] ? ")" : "");
        }
        if (column + (int)strlen(text) + 2 > WIDTH) {
            column = printf("\n     ") - 1;
        }
        column += printf("%s%s", g > 0 ? "  " : " ", text);
    }
    printf("\n");
}

// "size 21 = 9 + 4 + 2 + 4 + 2"
static void print_size(const DumpSystem* s)
{
    printf("size %d", s->printed.lcp.n);
    for (int k = 0; k < s->printed.parts && s->printed.parts > 1; k++) {
        printf(" %s %d", k == 0 ? "=" : "+", s->printed.part[k].size);
    }
    printf("\n");
}

static const utRow* pin_row(const DumpSystem* s, int k)
{
    return s->step->named ? &s->step->result.report.row[s->step->row[k]] : NULL;
}

// "AC = hinge of C and A"
static void print_joints(const DumpSystem* s)
{
    const DumpAxis* axis = &s->axis[DUMP_B];
    int column = printf("joints");
    for (int g = 0; g < axis->groups; g++) {
        CliName one, two;
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
                     cli_name(model->body[row->body1].name, "body", row->body1, &one),
                     cli_name(model->body[row->body2].name, "body", row->body2, &two));
        } else {
            snprintf(text, sizeof text, "%s", axis->group[g]);
        }
        if (column + (int)strlen(text) + 2 > WIDTH) {
            column = printf("\n     ") - 1;
        }
        column += printf("%s %s", g > 0 ? "," : "", text);
    }
    printf("\n");
}

static void print_head(const DumpSystem* s)
{
    const utStepReport* report = &s->step->result.report;
    const char* run = cli_formulation(&s->options->start, s->step->model);
    printf("%s, step %d, t = %.9g, h = %.9g    %s %s%s: ", s->model, s->options->step, report->time,
           report->h, s->notation->paper,
           s->equation[0] >= '0' && s->equation[0] <= '9' ? "Eq. " : "", s->equation);
    print_size(s);
    if (s->options->step > 1 && strcmp(run, ut_formulation_name(report->formulation)) != 0) {
        printf("state of a run with %s; this step has %s\n", run,
               ut_formulation_name(report->formulation));
    }
    print_names(s->notation->notation == UT_NOTATION_DART ? "systems" : "velocities",
                &s->axis[DUMP_V], true);
    if (s->axis[DUMP_B].count > 0) {
        print_joints(s);
    }
    if (s->axis[DUMP_N].count > 0) {
        print_names("contacts", &s->axis[DUMP_N], false);
    }
    printf("\n");
}

// ---- matrices -----------------------------------------------------------------------------------

// A matrix, or its transpose, with names.
typedef struct Table {
    const DumpAxis *rows, *cols;
    int row_count, col_count;
    const double* value;
    size_t row_step, col_step;
    double most;
    bool letters; // columns are headed by their labels, else by groups alone
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
        const int name = (int)strlen(t->rows->name[i]);
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

static int group_of(const DumpAxis* axis, int column)
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

static void print_columns_head(const Table* t, const Stretch* c, int indent)
{
    printf("%*s", indent, "");
    for (int g = c->first; g <= c->last; g++) {
        const int width = group_width(t, g, group_from(t, c, g), group_to(t, c, g));
        printf("%s  %-*s", g > c->first ? " |" : "", width - 2, t->cols->group[g]);
    }
    printf("\n");
    if (!t->letters) {
        return;
    }
    printf("%*s", indent, "");
    for (int g = c->first; g <= c->last; g++) {
        int used = 0;
        printf("%s", g > c->first ? " |" : "");
        for (int j = group_from(t, c, g); j < group_to(t, c, g); j++) {
            used += printf("%*s", column_width(t, j), t->cols->label[j]);
        }
        printf("%*s", group_width(t, g, group_from(t, c, g), group_to(t, c, g)) - used, "");
    }
    printf("\n");
}

static void print_table_row(const Table* t, const Stretch* c, int i, int indent)
{
    char text[NUMBER];
    printf("    %-*s", indent - 4, t->rows->name[i]);
    for (int g = c->first; g <= c->last; g++) {
        int used = 0;
        const bool zero = t->cols->groups > 1 && group_is_zero(t, i, g);
        printf("%s", g > c->first ? " |" : "");
        for (int j = group_from(t, c, g); j < group_to(t, c, g); j++) {
            used += printf("%*s", column_width(t, j),
                           zero ? "." : number(entry(t, i, j), t->most, text));
        }
        printf("%*s", group_width(t, g, group_from(t, c, g), group_to(t, c, g)) - used, "");
    }
    printf("\n");
}

static bool any_label(const DumpAxis* axis)
{
    bool any = false;
    for (int k = 0; k < axis->count; k++) {
        any = any || axis->label[k][0] != '\0';
    }
    return any;
}

static void print_table(const Table* t)
{
    const int indent = widest_name(t) + 5;
    if (t->row_count * t->col_count > MAX_ENTRIES) {
        printf("    %d x %d: use --format json\n", t->row_count, t->col_count);
        return;
    }
    for (int from = 0; from < t->col_count;) {
        const Stretch c = next_stretch(t, from, indent);
        print_columns_head(t, &c, indent);
        for (int i = 0; i < t->row_count; i++) {
            print_table_row(t, &c, i, indent);
        }
        from = c.to;
    }
}

// ---- vectors and diagonals ----------------------------------------------------------------------

// Values in groups, separated by bars, on lines that end before WIDTH.
static void print_vector(const char* name, const DumpAxis* axis, const double* x, double factor,
                         const char* unit)
{
    char text[NUMBER];
    const double most = factor * largest(x, (size_t)axis->count);
    int column = printf("  %-12s", name);
    const int indent = column;
    for (int g = 0; g < axis->groups; g++) {
        for (int k = axis->start[g]; k < axis->start[g + 1]; k++) {
            number(factor * x[k], most, text);
            if (column + (int)strlen(text) + 3 > WIDTH) {
                column = printf("\n%*s", indent, "") - 1;
            }
            column += printf("%s%s", column > indent && k == axis->start[g] ? " | " : " ", text);
        }
    }
    printf(" %s\n", unit);
}

static bool is_diagonal(int rows, int cols, const double* A)
{
    bool diagonal = rows == cols;
    for (int i = 0; diagonal && i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            diagonal = diagonal && (i == j || A[i * cols + j] == 0.0);
        }
    }
    return diagonal;
}

static void print_title(const DumpBlock* b, const char* ending)
{
    char text[2 * DUMP_NAME];
    snprintf(text, sizeof text, "%s%s%s%s%s", b->symbol.text, ending,
             b->equation[0] != '\0' ? " (" : "", b->equation, b->equation[0] != '\0' ? ")" : "");
    printf("  %-10s", text);
}

// M_C = diag(2, 2, 0.208333)  M_A = ...
static void print_diagonal(const DumpBlock* b, const DumpAxis* axis)
{
    char text[NUMBER];
    const double most = largest(b->value, (size_t)axis->count * (size_t)axis->count);
    print_title(b, "");
    int column = 12;
    for (int g = 0; g < axis->groups; g++) {
        char group[1024];
        size_t used =
            (size_t)snprintf(group, sizeof group, "%s_%s = diag(", b->symbol.text, axis->group[g]);
        for (int k = axis->start[g]; k < axis->start[g + 1] && used < sizeof group - NUMBER - 3;
             k++) {
            used += (size_t)snprintf(
                group + used, sizeof group - used, "%s%s", k > axis->start[g] ? ", " : "",
                number(b->value[(size_t)k * (size_t)(axis->count + 1)], most, text));
        }
        if (column + (int)used + 3 > WIDTH) {
            column = printf("\n%11s", "") - 1;
        }
        column += printf(" %s) ", group);
    }
    printf("\n");
}

// A block of ones, or of coefficients: one entry per row
static bool print_selection(const DumpSystem* s, const DumpBlock* b)
{
    const int rows = s->axis[b->rows].count, cols = s->axis[b->cols].count;
    const bool ones = b->rows == DUMP_F && b->cols == DUMP_L;
    const bool coefficients = (b->rows == DUMP_L || b->rows == DUMP_LINES) && b->cols == DUMP_N;
    if (!ones && !coefficients) {
        return false;
    }
    print_title(b, "");
    if (ones) {
        printf(" %d x %d: ones in the rows of each contact's directions\n", rows, cols);
        return true;
    }
    printf(" %d x %d:", rows, cols);
    const char* separator = " ";
    for (int j = 0; j < cols; j++) {
        for (int i = 0; i < rows; i++) {
            const double value = b->value[i * cols + j];
            if (value != 0.0 || rows == cols) {
                printf("%s%.6g at %s", separator, rows == cols ? b->value[j * cols + j] : value,
                       s->axis[b->cols].name[j]);
                separator = ", ";
                break;
            }
        }
    }
    printf("\n");
    return true;
}

static void print_block(const DumpSystem* s, int k)
{
    const DumpBlock* b = &s->block[k];
    const DumpAxis *rows = &s->axis[b->rows], *cols = &s->axis[b->cols];
    const size_t r = (size_t)rows->count, c = (size_t)cols->count;
    if (b->cols == DUMP_ONE) {
        char title[2 * DUMP_NAME];
        snprintf(title, sizeof title, "%s%s%s%s", b->symbol.text,
                 b->equation[0] != '\0' ? " (" : "", b->equation,
                 b->equation[0] != '\0' ? ")" : "");
        print_vector(title, rows, b->value, 1.0, b->unit);
    } else if (b->rows == DUMP_V && b->cols == DUMP_V &&
               is_diagonal(rows->count, cols->count, b->value)) {
        print_diagonal(b, rows);
    } else if (!print_selection(s, b)) {
        const double most = largest(b->value, r * c);
        const Table table = b->wide ? (Table){cols, rows, cols->count, rows->count,    b->value,
                                              1,    c,    most,        any_label(rows)}
                                    : (Table){rows, cols, rows->count, cols->count,    b->value,
                                              c,    1,    most,        any_label(cols)};
        print_title(b, b->wide && strchr(b->symbol.text, '\'') == NULL ? "'" : "");
        printf("\n");
        print_table(&table);
    }
    if (s->block_rank[k] >= 0) {
        printf("    rank %d of %d x %d\n", s->block_rank[k], rows->count, cols->count);
    }
}

// The parts of A that hold products of blocks.
static void print_matrix(const DumpSystem* s)
{
    const size_t n = (size_t)s->printed.lcp.n;
    for (int row = 0; row < s->printed.parts; row++) {
        for (int col = 0; col < s->printed.parts; col++) {
            const DumpSymbol symbol = s->notation->cell[s->kind[row]][s->kind[col]];
            const utPrintedPart *r = &s->printed.part[row], *c = &s->printed.part[col];
            if (symbol.text == NULL || s->kind[row] == DUMP_L || s->kind[col] == DUMP_L) {
                continue;
            }
            const double* first = s->printed.lcp.M + (size_t)r->start * n + (size_t)c->start;
            const DumpAxis *rows = &s->axis[s->kind[row]], *cols = &s->axis[s->kind[col]];
            const Table table = {rows,           cols, r->size, c->size,
                                 first,          n,    1,       largest(s->printed.lcp.M, n * n),
                                 any_label(cols)};
            printf("  %s\n", symbol.text);
            print_table(&table);
        }
    }
    for (int k = 0; k < s->printed.parts; k++) {
        const DumpSymbol symbol = s->notation->constant[s->kind[k]];
        if (symbol.text != NULL) {
            printf("  %s\n", symbol.text);
            print_vector("", &s->axis[s->kind[k]], s->printed.lcp.q + s->printed.part[k].start, 1.0,
                         dump_slack_unit(s, s->kind[k]));
        }
    }
}

// ---- the solution -------------------------------------------------------------------------------

static void print_solution(const DumpSystem* s)
{
    if (s->by_step) {
        printf("solution of the step, scaled residual %.1e", s->residual);
    } else {
        printf("solution by %s: %s, scaled residual %.1e; the step's own impulses solve another "
               "problem "
               "(restitution, or a step that is not certified)",
               ut_lcp_solver_name(s->info.solver), ut_lcp_outcome_name(s->info.outcome),
               s->residual);
    }
    printf("%s\n",
           s->step->result.outcome == UT_STEP_UNCERTIFIED ? "; the step is not certified" : "");
    for (int k = 0; k < s->printed.parts; k++) {
        const utPrintedPart* p = &s->printed.part[k];
        const DumpKind kind = s->kind[k];
        const DumpAxis* axis = &s->axis[kind];
        print_vector(s->notation->unknown[kind].text, axis, s->z + p->start, 1.0,
                     dump_unit(s, kind));
        if (dump_other_unit(s, kind) != NULL) {
            char name[DUMP_NAME];
            snprintf(name, sizeof name, s->notation->forces ? "  h %s" : "  %s/h",
                     s->notation->unknown[kind].text);
            print_vector(name, axis, s->z + p->start, dump_other_factor(s),
                         dump_other_unit(s, kind));
        }
        if (p->start >= s->printed.lcp.free_count) {
            print_vector(s->notation->slack[kind].text, axis, s->w + p->start, 1.0,
                         dump_slack_unit(s, kind));
        }
    }
}

// ---- rank and readings --------------------------------------------------------------------------

static void print_dependents(const DumpSystem* s)
{
    printf("rows that depend on rows above:");
    for (int k = 0; k < s->printed.parts; k++) {
        const utPrintedPart* p = &s->printed.part[k];
        const char* before = "";
        for (int i = 0; i < s->dependents; i++) {
            if (s->dependent[i] >= p->start && s->dependent[i] < p->start + p->size) {
                if (before[0] == '\0') {
                    printf("\n  %-8s", s->notation->slack[s->kind[k]].text);
                }
                printf("%s %s", before, s->axis[s->kind[k]].name[s->dependent[i] - p->start]);
                before = ",";
            }
        }
    }
    printf("\n");
}

static void print_rank(const DumpSystem* s)
{
    if (s->rank < 0) {
        printf("rank: not computed for %d unknowns; use --rank\n", s->printed.lcp.n);
        return;
    }
    printf("rank %d of %d, condition %.4g%s\n", s->rank, s->printed.lcp.n, s->condition,
           s->rank < s->printed.lcp.n ? " on its range" : "");
    if (s->dependents > 0) {
        print_dependents(s);
    }
}

static void print_readings(const DumpSystem* s)
{
    for (int k = 0; k < s->readings; k++) {
        printf("%s\n  %s", k == 0 ? "readings of the print" : "", s->reading[k]);
    }
    printf("%s", s->readings > 0 ? "\n" : "");
}

void dump_print_text(const DumpSystem* s)
{
    print_head(s);
    print_equation(s);
    printf("\n");
    for (int k = 0; k < s->blocks; k++) {
        print_block(s, k);
    }
    if (s->notation->shows_matrix) {
        print_matrix(s);
    }
    printf("\n");
    print_solution(s);
    printf("\n");
    print_rank(s);
    print_readings(s);
}
