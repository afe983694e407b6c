// SPDX-License-Identifier: Apache-2.0
// A system as a LaTeX document: the equation, the blocks, the solution. It needs amsmath, geometry and
// graphicx.
#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 12, MAX_ROWS = 40 }; // of a printed matrix

// ---- text ---------------------------------------------------------------------------------------

// Text with the characters that TeX treats specially.
static void put_text(EqOut* out, const char* text)
{
    for (const char* c = text; *c != '\0'; c++) {
        switch (*c) {
        case '\\':
            ut_eq_put(out, "\\textbackslash{}");
            break;
        case '~':
            ut_eq_put(out, "\\textasciitilde{}");
            break;
        case '^':
            ut_eq_put(out, "\\textasciicircum{}");
            break;
        case '<':
        case '>':
        case '|':
            ut_eq_put(out, "$%c$", *c);
            break;
        case '_':
        case '#':
        case '$':
        case '%':
        case '&':
        case '{':
        case '}':
            ut_eq_put(out, "\\%c", *c);
            break;
        default:
            ut_eq_put(out, "%c", *c);
        }
    }
}

// Six digits, and 0 for rounding as in the text.
static void put_number(EqOut* out, double value, double most)
{
    EqNumber number = ut_eq_digits(6, ut_eq_rounded(value, most));
    char* e = strchr(number.text, 'e');
    if (e == NULL) {
        ut_eq_put(out, "%s", number.text);
        return;
    }
    *e = '\0';
    ut_eq_put(out, "%s\\cdot10^{%d}", number.text, (int)strtol(e + 1, NULL, 10));
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

static const char* or_zero(EqSymbol symbol)
{
    return symbol.tex != NULL ? symbol.tex : "0";
}

static void put_column(EqOut* out, const EqSystem* s, const EqSymbol* symbol)
{
    ut_eq_put(out, "\\begin{bmatrix}");
    for (int k = 0; k < s->printed.parts; k++) {
        ut_eq_put(out, "%s %s", k > 0 ? " \\\\" : "", or_zero(symbol[s->kind[k]]));
    }
    ut_eq_put(out, " \\end{bmatrix}\n");
}

static void put_symbols(EqOut* out, const EqSystem* s)
{
    ut_eq_put(out, "\\begin{bmatrix}");
    for (int row = 0; row < s->printed.parts; row++) {
        for (int col = 0; col < s->printed.parts; col++) {
            ut_eq_put(out, "%s %s",
                      col > 0   ? " &"
                      : row > 0 ? " \\\\"
                                : "",
                      or_zero(s->notation->cell[s->kind[row]][s->kind[col]]));
        }
    }
    ut_eq_put(out, " \\end{bmatrix}\n");
}

static void put_equation(EqOut* out, const EqSystem* s)
{
    ut_eq_put(out, "{\\renewcommand{\\arraystretch}{1.35}\n\\[\n");
    if (!s->notation->slack_right) {
        put_column(out, s, s->notation->slack);
        ut_eq_put(out, "=\n");
    }
    put_symbols(out, s);
    put_column(out, s, s->notation->unknown);
    ut_eq_put(out, "+\n");
    put_column(out, s, s->notation->constant);
    if (s->notation->slack_right) {
        ut_eq_put(out, "=\n");
        put_column(out, s, s->notation->slack);
    }
    ut_eq_put(out, "\\]}\n");
}

// ---- matrices -----------------------------------------------------------------------------------

static bool starts_group(const EqAxis* axis, int k)
{
    bool starts = false;
    for (int g = 1; g < axis->groups; g++) {
        starts = starts || axis->start[g] == k;
    }
    return starts;
}

// Columns from ... to of a matrix, scaled down to the width of the page.
static void put_columns(EqOut* out, const EqAxis* rows, const EqAxis* cols, const double* A,
                        size_t stride, int from, int to)
{
    const double most = largest(A, (size_t)rows->count * stride);
    ut_eq_put(out, "\\fit{\\left[\\begin{array}{");
    for (int j = from; j < to; j++) {
        ut_eq_put(out, "%sr", j > from && starts_group(cols, j) ? "|" : "");
    }
    ut_eq_put(out, "}\n");
    for (int i = 0; i < rows->count; i++) {
        ut_eq_put(out, "%s", i > 0 && starts_group(rows, i) ? "\\hline " : "");
        for (int j = from; j < to; j++) {
            ut_eq_put(out, "%s", j > from ? " & " : "");
            put_number(out, A[(size_t)i * stride + (size_t)j], most);
        }
        ut_eq_put(out, " \\\\\n");
    }
    ut_eq_put(out, "\\end{array}\\right]}");
}

static void put_matrix(EqOut* out, const char* symbol, const EqAxis* rows, const EqAxis* cols,
                       const double* A, size_t stride)
{
    if (rows->count > MAX_ROWS) {
        ut_eq_put(out, "\\[ %s \\in \\mathbf R^{%d\\times %d} \\]\n", symbol, rows->count,
                  cols->count);
        return;
    }
    for (int from = 0; from < cols->count; from += MAX_COLUMNS) {
        const int to = cols->count - from > MAX_COLUMNS ? from + MAX_COLUMNS : cols->count;
        ut_eq_put(out, "\\[ %s", symbol);
        if (cols->count > MAX_COLUMNS) {
            ut_eq_put(out, "_{\\cdot,%d\\ldots %d}", from + 1, to);
        }
        ut_eq_put(out, " = ");
        put_columns(out, rows, cols, A, stride, from, to);
        ut_eq_put(out, " \\]\n");
    }
}

static void put_vector(EqOut* out, const char* symbol, const double* x, int count, const char* unit)
{
    const double most = largest(x, (size_t)count);
    ut_eq_put(out, "\\[ ");
    ut_eq_put(out, "%s = ", symbol);
    ut_eq_put(out, "\\fit{(");
    for (int k = 0; k < count && k < MAX_ROWS; k++) {
        ut_eq_put(out, "%s", k > 0 ? ",\\ " : "");
        put_number(out, x[k], most);
    }
    ut_eq_put(out, "%s)%s", count > MAX_ROWS ? ",\\ \\ldots" : "", count > 1 ? "^T" : "");
    ut_eq_put(out, "%s%s%s} \\]\n", unit[0] != '\0' ? "\\ \\textrm{" : "", unit,
              unit[0] != '\0' ? "}" : "");
}

static void put_names(EqOut* out, const char* what, const EqAxis* axis)
{
    if (axis->count == 0) {
        return;
    }
    ut_eq_put(out, "\\item %s: ", what);
    for (int k = 0; k < axis->count; k++) {
        ut_eq_put(out, "%s", k > 0 ? ", " : "");
        put_text(out, axis->name[k]);
    }
    ut_eq_put(out, "\n");
}

// A unit without the sign ^ outside of formulas
static const char* plain_unit(const char* unit)
{
    return strcmp(unit, "m/s^2") == 0            ? "m/s$^2$"
           : strcmp(unit, "m/s^2, rad/s^2") == 0 ? "m/s$^2$, rad/s$^2$"
                                                 : unit;
}

static void put_blocks(EqOut* out, const EqSystem* s)
{
    for (int k = 0; k < s->blocks; k++) {
        const EqBlock* b = &s->block[k];
        char symbol[4 * EQ_NAME];
        snprintf(symbol, sizeof symbol, b->equation[0] != '\0' ? "%s\\;(%s)" : "%s", b->symbol.tex,
                 b->equation);
        if (b->cols == EQ_ONE) {
            put_vector(out, symbol, b->value, s->axis[b->rows].count, plain_unit(b->unit));
        } else {
            put_matrix(out, symbol, &s->axis[b->rows], &s->axis[b->cols], b->value,
                       (size_t)s->axis[b->cols].count);
        }
    }
}

static void put_products(EqOut* out, const EqSystem* s)
{
    const size_t n = (size_t)s->printed.lcp.n;
    for (int row = 0; s->notation->shows_matrix && row < s->printed.parts; row++) {
        for (int col = 0; col < s->printed.parts; col++) {
            const EqSymbol symbol = s->notation->cell[s->kind[row]][s->kind[col]];
            if (symbol.tex != NULL && s->kind[row] != EQ_L && s->kind[col] != EQ_L) {
                put_matrix(out, symbol.tex, &s->axis[s->kind[row]], &s->axis[s->kind[col]],
                           s->printed.lcp.M + (size_t)s->printed.part[row].start * n +
                               (size_t)s->printed.part[col].start,
                           n);
            }
        }
    }
}

static void put_solution(EqOut* out, const EqSystem* s)
{
    for (int k = 0; k < s->printed.parts; k++) {
        const utPrintedPart* p = &s->printed.part[k];
        const EqKind kind = s->kind[k];
        put_vector(out, s->notation->unknown[kind].tex, s->z + p->start, p->size,
                   plain_unit(ut_eq_unit(s, kind)));
        if (p->start >= s->printed.lcp.free_count) {
            put_vector(out, s->notation->slack[kind].tex, s->w + p->start, p->size,
                       plain_unit(ut_eq_slack_unit(s, kind)));
        }
    }
}

// ---- the document -------------------------------------------------------------------------------

static void put_head(EqOut* out, const EqSystem* s)
{
    const utStepReport* report = &s->step->result.report;
    ut_eq_put(out,
              "\\documentclass[11pt]{article}\n"
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
    put_text(out, s->model);
    ut_eq_put(out, ", step %d, $t = %s$\\,s, $h = %s$\\,s}\n", s->options->step,
              ut_eq_digits(9, report->time).text, ut_eq_digits(9, report->h).text);
    put_text(out, s->notation->paper);
    ut_eq_put(out, ", \\emph{");
    put_text(out, s->notation->title);
    ut_eq_put(out, "}, %s%s\n", s->equation[0] >= '0' && s->equation[0] <= '9' ? "Eq.~" : "",
              s->equation);
}

void ut_eq_print_tex(EqOut* out, const EqSystem* s)
{
    put_head(out, s);
    put_equation(out, s);
    ut_eq_put(out, "\\begin{itemize}\n");
    put_names(out, "velocities", &s->axis[EQ_V]);
    put_names(out, "joint rows", &s->axis[EQ_B]);
    put_names(out, "contacts", &s->axis[EQ_N]);
    ut_eq_put(out, "\\end{itemize}\n\\subsection*{Blocks}\n");
    put_blocks(out, s);
    put_products(out, s);
    ut_eq_put(out, "\\subsection*{Solution}\n");
    put_solution(out, s);
    if (s->rank >= 0) {
        ut_eq_put(out, "\nRank %d of %d, condition $", s->rank, s->printed.lcp.n);
        put_number(out, s->condition, s->condition);
        ut_eq_put(out, "$.\n");
    }
    if (s->readings > 0) {
        ut_eq_put(out, "\\subsection*{Readings of the print}\n\\begin{itemize}\n");
        for (int k = 0; k < s->readings; k++) {
            ut_eq_put(out, "\\item ");
            put_text(out, s->reading[k]);
            ut_eq_put(out, "\n");
        }
        ut_eq_put(out, "\\end{itemize}\n");
    }
    ut_eq_put(out, "\\end{document}\n");
}
