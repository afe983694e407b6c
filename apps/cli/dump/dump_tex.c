// SPDX-License-Identifier: Apache-2.0
// A system as a LaTeX document: the equation, the blocks, the solution. It needs amsmath, geometry and
// graphicx.
#include "dump/dump.h"

#include <math.h>
#include <string.h>

enum { MAX_COLUMNS = 12, MAX_ROWS = 40 }; // of a printed matrix

// ---- text ---------------------------------------------------------------------------------------

// Text with the characters that TeX treats specially.
static void put_text(const char* text)
{
    for (const char* c = text; *c != '\0'; c++) {
        switch (*c) {
        case '\\':
            printf("\\textbackslash{}");
            break;
        case '~':
            printf("\\textasciitilde{}");
            break;
        case '^':
            printf("\\textasciicircum{}");
            break;
        case '<':
        case '>':
        case '|':
            printf("$%c$", *c);
            break;
        case '_':
        case '#':
        case '$':
        case '%':
        case '&':
        case '{':
        case '}':
            printf("\\%c", *c);
            break;
        default:
            putchar(*c);
        }
    }
}

static void put_number(double value, double most)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", fabs(value) <= 1e-14 * most ? 0.0 : value);
    char* e = strchr(text, 'e');
    if (e == NULL) {
        printf("%s", text);
        return;
    }
    *e = '\0';
    int exponent = 0;
    cli_parse_int(e[1] == '+' ? e + 2 : e + 1, -400, 400, &exponent);
    printf("%s\\cdot10^{%d}", text, exponent);
}

static double largest(const double* x, size_t count)
{
    double most = 0.0;
    for (size_t k = 0; k < count; k++) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

// ---- the equation -------------------------------------------------------------------------------

static const char* or_zero(DumpSymbol symbol)
{
    return symbol.tex != NULL ? symbol.tex : "0";
}

static void put_column(const DumpSystem* s, const DumpSymbol* symbol)
{
    printf("\\begin{bmatrix}");
    for (int k = 0; k < s->printed.parts; k++) {
        printf("%s %s", k > 0 ? " \\\\" : "", or_zero(symbol[s->kind[k]]));
    }
    printf(" \\end{bmatrix}\n");
}

static void put_symbols(const DumpSystem* s)
{
    printf("\\begin{bmatrix}");
    for (int row = 0; row < s->printed.parts; row++) {
        for (int col = 0; col < s->printed.parts; col++) {
            printf("%s %s",
                   col > 0   ? " &"
                   : row > 0 ? " \\\\"
                             : "",
                   or_zero(s->notation->cell[s->kind[row]][s->kind[col]]));
        }
    }
    printf(" \\end{bmatrix}\n");
}

static void put_equation(const DumpSystem* s)
{
    printf("{\\renewcommand{\\arraystretch}{1.35}\n\\[\n");
    if (!s->notation->slack_right) {
        put_column(s, s->notation->slack);
        printf("=\n");
    }
    put_symbols(s);
    put_column(s, s->notation->unknown);
    printf("+\n");
    put_column(s, s->notation->constant);
    if (s->notation->slack_right) {
        printf("=\n");
        put_column(s, s->notation->slack);
    }
    printf("\\]}\n");
}

// ---- matrices -----------------------------------------------------------------------------------

static bool starts_group(const DumpAxis* axis, int k)
{
    bool starts = false;
    for (int g = 1; g < axis->groups; g++) {
        starts = starts || axis->start[g] == k;
    }
    return starts;
}

// Columns from ... to of a matrix, scaled down to the width of the page.
static void put_columns(const DumpAxis* rows, const DumpAxis* cols, const double* A, size_t stride,
                        int from, int to)
{
    const double most = largest(A, (size_t)rows->count * stride);
    printf("\\fit{\\left[\\begin{array}{");
    for (int j = from; j < to; j++) {
        printf("%sr", j > from && starts_group(cols, j) ? "|" : "");
    }
    printf("}\n");
    for (int i = 0; i < rows->count; i++) {
        printf("%s", i > 0 && starts_group(rows, i) ? "\\hline " : "");
        for (int j = from; j < to; j++) {
            printf("%s", j > from ? " & " : "");
            put_number(A[(size_t)i * stride + (size_t)j], most);
        }
        printf(" \\\\\n");
    }
    printf("\\end{array}\\right]}");
}

static void put_matrix(const char* symbol, const DumpAxis* rows, const DumpAxis* cols,
                       const double* A, size_t stride)
{
    if (rows->count > MAX_ROWS) {
        printf("\\[ %s \\in \\mathbf R^{%d\\times %d} \\]\n", symbol, rows->count, cols->count);
        return;
    }
    for (int from = 0; from < cols->count; from += MAX_COLUMNS) {
        const int to = cols->count - from > MAX_COLUMNS ? from + MAX_COLUMNS : cols->count;
        printf("\\[ %s", symbol);
        if (cols->count > MAX_COLUMNS) {
            printf("_{\\cdot,%d\\ldots %d}", from + 1, to);
        }
        printf(" = ");
        put_columns(rows, cols, A, stride, from, to);
        printf(" \\]\n");
    }
}

static void put_vector(const char* symbol, const double* x, int count, const char* unit)
{
    const double most = largest(x, (size_t)count);
    printf("\\[ ");
    printf("%s = ", symbol);
    printf("\\fit{(");
    for (int k = 0; k < count && k < MAX_ROWS; k++) {
        printf("%s", k > 0 ? ",\\ " : "");
        put_number(x[k], most);
    }
    printf("%s)%s", count > MAX_ROWS ? ",\\ \\ldots" : "", count > 1 ? "^T" : "");
    printf("%s%s%s} \\]\n", unit[0] != '\0' ? "\\ \\textrm{" : "", unit,
           unit[0] != '\0' ? "}" : "");
}

static void put_names(const char* what, const DumpAxis* axis)
{
    if (axis->count == 0) {
        return;
    }
    printf("\\item %s: ", what);
    for (int k = 0; k < axis->count; k++) {
        printf("%s", k > 0 ? ", " : "");
        put_text(axis->name[k]);
    }
    printf("\n");
}

// A unit without the sign ^ outside of formulas
static const char* plain_unit(const char* unit)
{
    return strcmp(unit, "m/s^2") == 0            ? "m/s$^2$"
           : strcmp(unit, "m/s^2, rad/s^2") == 0 ? "m/s$^2$, rad/s$^2$"
                                                 : unit;
}

static void put_blocks(const DumpSystem* s)
{
    for (int k = 0; k < s->blocks; k++) {
        const DumpBlock* b = &s->block[k];
        char symbol[4 * DUMP_NAME];
        snprintf(symbol, sizeof symbol, b->equation[0] != '\0' ? "%s\\;(%s)" : "%s", b->symbol.tex,
                 b->equation);
        if (b->cols == DUMP_ONE) {
            put_vector(symbol, b->value, s->axis[b->rows].count, plain_unit(b->unit));
        } else {
            put_matrix(symbol, &s->axis[b->rows], &s->axis[b->cols], b->value,
                       (size_t)s->axis[b->cols].count);
        }
    }
}

static void put_products(const DumpSystem* s)
{
    const size_t n = (size_t)s->printed.lcp.n;
    for (int row = 0; s->notation->shows_matrix && row < s->printed.parts; row++) {
        for (int col = 0; col < s->printed.parts; col++) {
            const DumpSymbol symbol = s->notation->cell[s->kind[row]][s->kind[col]];
            if (symbol.tex != NULL && s->kind[row] != DUMP_L && s->kind[col] != DUMP_L) {
                put_matrix(symbol.tex, &s->axis[s->kind[row]], &s->axis[s->kind[col]],
                           s->printed.lcp.M + (size_t)s->printed.part[row].start * n +
                               (size_t)s->printed.part[col].start,
                           n);
            }
        }
    }
}

static void put_solution(const DumpSystem* s)
{
    for (int k = 0; k < s->printed.parts; k++) {
        const utPrintedPart* p = &s->printed.part[k];
        const DumpKind kind = s->kind[k];
        put_vector(s->notation->unknown[kind].tex, s->z + p->start, p->size,
                   plain_unit(dump_unit(s, kind)));
        if (p->start >= s->printed.lcp.free_count) {
            put_vector(s->notation->slack[kind].tex, s->w + p->start, p->size,
                       plain_unit(dump_slack_unit(s, kind)));
        }
    }
}

// ---- the document -------------------------------------------------------------------------------

static void put_head(const DumpSystem* s)
{
    const utStepReport* report = &s->step->result.report;
    printf("\\documentclass[11pt]{article}\n"
           "\\usepackage{amsmath,graphicx}\n"
           "\\usepackage[a4paper,margin=20mm]{geometry}\n"
           "\\newsavebox{\\fitbox}\n"
           "\\newcommand{\\fit}[1]{\\savebox{\\fitbox}{$\\displaystyle #1$}%%\n"
           "  "
           "\\ifdim\\wd\\fitbox>0.75\\linewidth\\vcenter{\\hbox{\\resizebox{0.75\\linewidth}{!}{"
           "\\usebox{\\fitbox}}}}%%\n"
           "  \\else\\vcenter{\\hbox{\\usebox{\\fitbox}}}\\fi}\n"
           "\\setlength{\\parindent}{0pt}\n"
           "\\begin{document}\n\\section*{");
    put_text(s->model);
    printf(", step %d, $t = %.9g$\\,s, $h = %.9g$\\,s}\n", s->options->step, report->time,
           report->h);
    put_text(s->notation->paper);
    printf(", \\emph{");
    put_text(s->notation->title);
    printf("}, %s%s\n", s->equation[0] >= '0' && s->equation[0] <= '9' ? "Eq.~" : "", s->equation);
}

void dump_print_tex(const DumpSystem* s)
{
    put_head(s);
    put_equation(s);
    printf("\\begin{itemize}\n");
    put_names("velocities", &s->axis[DUMP_V]);
    put_names("joint rows", &s->axis[DUMP_B]);
    put_names("contacts", &s->axis[DUMP_N]);
    printf("\\end{itemize}\n\\subsection*{Blocks}\n");
    put_blocks(s);
    put_products(s);
    printf("\\subsection*{Solution}\n");
    put_solution(s);
    if (s->rank >= 0) {
        printf("\nRank %d of %d, condition $", s->rank, s->printed.lcp.n);
        put_number(s->condition, s->condition);
        printf("$.\n");
    }
    if (s->readings > 0) {
        printf("\\subsection*{Readings of the print}\n\\begin{itemize}\n");
        for (int k = 0; k < s->readings; k++) {
            printf("\\item ");
            put_text(s->reading[k]);
            printf("\n");
        }
        printf("\\end{itemize}\n");
    }
    printf("\\end{document}\n");
}
