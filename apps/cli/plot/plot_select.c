// SPDX-License-Identifier: Apache-2.0
// Selecting the curves to plot.
#include "plot/plot_select.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---- the recordings -----------------------------------------------------------------------------

// "a" of "runs/a.csv"
static char* short_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    const char* base = slash != NULL ? slash + 1 : path;
    const char* dot = strrchr(base, '.');
    const size_t size = dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base);
    char* name = malloc(size + 1);
    if (name != NULL) {
        memcpy(name, base, size);
        name[size] = 0;
    }
    return name;
}

static char* copy(const char* text)
{
    char* name = malloc(strlen(text) + 1);
    if (name != NULL) {
        memcpy(name, text, strlen(text) + 1);
    }
    return name;
}

// Label recordings by their file name, or by their path where file names are equal.
static utStatus name_sources(Plot* p, utError* err)
{
    for (int s = 0; s < p->sources; s++) {
        const char* path = cli_file_name(p->source[s].path);
        char* name = short_name(path);
        bool twice = false;
        for (int t = 0; t < p->sources && name != NULL; t++) {
            char* other = t != s ? short_name(cli_file_name(p->source[t].path)) : NULL;
            twice = twice || (other != NULL && strcmp(name, other) == 0);
            free(other);
        }
        const bool asked = s < p->options.labels;
        if (asked || twice) {
            free(name);
            name = copy(asked ? p->options.label[s] : path);
        }
        p->source[s].label = name;
        if (name == NULL) {
            return cli_no_memory(path, err);
        }
    }
    return UT_OK;
}

utStatus plot_open(Plot* p, int files, const char* const* file, utError* err)
{
    p->source = calloc((size_t)files, sizeof *p->source);
    if (p->source == NULL) {
        return cli_no_memory(file[0], err);
    }
    for (int s = 0; s < files; s++) {
        p->sources = s + 1;
        UT_TRY(plot_source_open(file[s],
                                p->options.x == PLOT_COLUMN || p->options.table != PLOT_NO_TABLE,
                                &p->source[s], err));
    }
    return name_sources(p, err);
}

static int count_sources(const Plot* p, bool contacts)
{
    int count = 0;
    for (int s = 0; s < p->sources; s++) {
        count += contacts ? p->source[s].has_contacts : p->source[s].has_states;
    }
    return count;
}

// ---- curves -------------------------------------------------------------------------------------

static char* join(const char* a, const char* between, const char* b)
{
    const size_t size = strlen(a) + strlen(between) + strlen(b) + 1;
    char* text = malloc(size);
    if (text != NULL) {
        snprintf(text, size, "%s%s%s", a, between, b);
    }
    return text;
}

// The label that begins a curve's name if several recordings could be meant. @return NULL: none
static const char* leading_label(const Plot* p, const PlotSource* source, bool contacts)
{
    return count_sources(p, contacts) > 1 ? source->label : NULL;
}

// Add a curve named "label: column". @param label NULL: name it "column" @return NULL when there is no memory
static PlotCurve* add_curve(Plot* p, int panel, const char* label, const char* column,
                            const PlotKind* kind)
{
    PlotPanel* to = &p->panel[panel];
    if (to->curves == p->room[panel]) {
        const int room = p->room[panel] > 0 ? 2 * p->room[panel] : 8;
        PlotCurve* larger = realloc(to->curve, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            return NULL;
        }
        to->curve = larger;
        p->room[panel] = room;
    }
    char* name = label != NULL ? join(label, ": ", column) : copy(column);
    if (name == NULL) {
        return NULL;
    }
    PlotCurve* curve = &to->curve[to->curves++];
    *curve = (PlotCurve){.name = name, .label = label, .kind = kind};
    return curve;
}

static const char* column_name(const PlotCurve* curve)
{
    return curve->name + (curve->label != NULL ? strlen(curve->label) + 2 : 0);
}

// If a panel has a title and its curves show the same column, name the curves by recording only.
static void shorten_names(PlotPanel* panel)
{
    bool same = panel->title != NULL && panel->curves > 0;
    for (int k = 0; k < panel->curves; k++) {
        const PlotCurve* curve = &panel->curve[k];
        same = same && curve->label != NULL &&
               strcmp(column_name(curve), column_name(&panel->curve[0])) == 0;
    }
    for (int k = 0; k < panel->curves && same; k++) {
        panel->curve[k].name[strlen(panel->curve[k].label)] = 0;
    }
}

static utStatus add_state_curve(Plot* p, int panel, PlotSource* source, int column, utError* err)
{
    const char* name = source->column[column];
    PlotCurve* curve =
        add_curve(p, panel, leading_label(p, source, false), name, plot_state_kind(name));
    if (curve == NULL) {
        return cli_no_memory(source->path, err);
    }
    if (p->options.x != PLOT_COLUMN) {
        return plot_source_states(source, p->options.x, &column, 1, &curve->x, &curve->y, err);
    }
    // the steps are read and replaced by the numbers of the other column
    const int wanted[2] = {column, plot_source_column(source, p->options.x_column)};
    PlotNumbers steps = {0};
    PlotNumbers two[2] = {0};
    const utStatus status = plot_source_states(source, PLOT_STEP, wanted, 2, &steps, two, err);
    plot_numbers_free(&steps);
    curve->y = two[0];
    curve->x = two[1];
    return status;
}

// ---- a curve per text of a column ----------------------------------------------------------------

typedef struct Groups {
    Plot* plot;
    int panel;
    PlotSource* source;
    const PlotKind* kind;
    int first; // curve of the panel
} Groups;

static utStatus take_text(void* context, utText text, double x, double y, utError* err)
{
    Groups* g = context;
    PlotPanel* panel = &g->plot->panel[g->panel];
    char* name = csv_cell_text(text);
    PlotCurve* curve = NULL;
    for (int k = g->first; k < panel->curves && curve == NULL && name != NULL; k++) {
        curve = strcmp(panel->curve[k].name, name) == 0 ? &panel->curve[k] : NULL;
    }
    if (curve == NULL && name != NULL) {
        curve = add_curve(g->plot, g->panel, NULL, name, g->kind);
    }
    free(name);
    return curve != NULL && plot_numbers_add(&curve->x, x) && plot_numbers_add(&curve->y, y)
               ? UT_OK
               : cli_no_memory(g->source->path, err);
}

static utStatus add_groups(Plot* p, int panel, PlotSource* source, int column, utError* err)
{
    const int by = plot_source_column(source, p->options.by);
    const char* x = p->options.x == PLOT_COLUMN ? p->options.x_column : "time";
    if (by < 0 || source->binary) {
        return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(source->path), 0, 0,
                           "--by %.60s: %s", p->options.by,
                           source->binary ? "only tables have columns of words"
                                          : "the table has no such column");
    }
    Groups g = {p, panel, source, plot_state_kind(source->column[column]), p->panel[panel].curves};
    return plot_source_texts(source, by, plot_source_column(source, x), column, take_text, &g, err);
}

static utStatus add_pair_curves(Plot* p, int panel, PlotSource* source, const PlotKind* kind,
                                PlotPairs* pairs, utError* err)
{
    for (int k = 0; k < pairs->count; k++) {
        PlotPair* pair = &pairs->pair[k];
        char* geoms = plot_pair_name(source, pair);
        char* what = geoms != NULL ? join(kind->column, " ", geoms) : NULL;
        const char* label = leading_label(p, source, true);
        PlotCurve* curve = what != NULL ? add_curve(p, panel, label, what, kind) : NULL;
        free(geoms);
        free(what);
        if (curve == NULL) {
            return cli_no_memory(source->path, err);
        }
        curve->x = pair->x;
        curve->y = pair->y;
        pair->x = pair->y = (PlotNumbers){0};
    }
    return UT_OK;
}

static utStatus add_contact_item(Plot* p, const PlotItem* item, utError* err)
{
    if (count_sources(p, true) == 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "--contacts %s: no recording holds contacts; uptack run --contacts "
                            "FILE.csv and --record FILE.utr write them",
                            item->column);
    }
    for (int s = 0; s < p->sources; s++) {
        PlotSource* source = &p->source[s];
        if (!source->has_contacts) {
            continue;
        }
        PlotPairs pairs;
        utStatus status = plot_source_contacts(source, p->options.x, item->kind, &pairs, err);
        if (status == UT_OK) {
            status = add_pair_curves(p, item->panel, source, item->kind, &pairs, err);
        }
        plot_pairs_free(&pairs);
        UT_TRY(status);
    }
    return UT_OK;
}

// ---- missing columns ----------------------------------------------------------------------------

static const char* nearest_column(const Plot* p, const char* name)
{
    const char* nearest = NULL;
    int least = 0;
    for (int s = 0; s < p->sources; s++) {
        for (int k = 0; k < p->source[s].columns && p->source[s].has_states; k++) {
            const int far = cli_edit_distance(name, p->source[s].column[k]);
            if (nearest == NULL || far < least) {
                nearest = p->source[s].column[k];
                least = far;
            }
        }
    }
    return nearest;
}

static void append(char* room, size_t size, const char* format, ...) UT_PRINTF(3, 4);

static void append(char* room, size_t size, const char* format, ...)
{
    const size_t n = strlen(room);
    va_list args;
    va_start(args, format);
    vsnprintf(room + n, size - n, format, args);
    va_end(args);
}

// List as many column names as fit.
static void list_columns(const PlotSource* source, char* room, size_t size)
{
    int k = 0;
    room[0] = 0;
    while (k < source->columns && strlen(room) + strlen(source->column[k]) + 24 < size) {
        append(room, size, "%s%s", k > 0 ? ", " : "", source->column[k]);
        k++;
    }
    if (k < source->columns) {
        append(room, size, " and %d more", source->columns - k);
    }
}

static utStatus no_column(const Plot* p, const char* name, utError* err)
{
    const PlotSource* first = NULL;
    for (int s = p->sources - 1; s >= 0; s--) {
        first = p->source[s].has_states ? &p->source[s] : first;
    }
    if (first == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "--column %.60s: no recording holds states, only contacts; --contacts "
                            "pn plots those",
                            name);
    }
    char columns[120];
    list_columns(first, columns, sizeof columns);
    return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(first->path), 0, 0,
                       "there is no column '%.40s'; the nearest is '%.40s'%s; there are %s", name,
                       nearest_column(p, name),
                       plot_contact_kind(name) != NULL ? ", and --contacts plots contacts" : "",
                       columns);
}

// Does the name match? A * stands for any number of characters.
static bool matches(const char* pattern, const char* name)
{
    const char* star = NULL; // the last * of the pattern
    const char* from = NULL; // end of the characters that this * matches
    while (*name != 0) {
        if (*pattern == '*') {
            star = pattern++;
            from = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star + 1;
            name = ++from;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == 0;
}

// @param count receives the number of columns added
static utStatus add_matches(Plot* p, const PlotItem* item, PlotSource* source, int* count,
                            utError* err)
{
    *count = 0;
    const int exact = plot_source_column(source, item->column);
    for (int k = 0; k < source->columns && source->has_states; k++) {
        if (exact >= 0 ? k == exact : matches(item->column, source->column[k])) {
            UT_TRY(p->options.by != NULL ? add_groups(p, item->panel, source, k, err)
                                         : add_state_curve(p, item->panel, source, k, err));
            (*count)++;
        }
    }
    return UT_OK;
}

static utStatus add_state_item(Plot* p, const PlotItem* item, utError* err)
{
    int found = 0;
    int lacking = 0;
    for (int s = 0; s < p->sources; s++) {
        int count;
        UT_TRY(add_matches(p, item, &p->source[s], &count, err));
        found += count;
        lacking += p->source[s].has_states && count == 0;
    }
    if (found == 0) {
        return no_column(p, item->column, err);
    }
    if (lacking > 0) {
        cli_print_word(stderr, CLI_YELLOW, "warning:");
        fprintf(stderr, " %d of the recordings ha%s no column '%s'\n", lacking,
                lacking == 1 ? "s" : "ve", item->column);
    }
    return UT_OK;
}

// ---- default curves -----------------------------------------------------------------------------

// The column of the same body with another ending. @return -1 when there is none
static int sibling(const PlotSource* source, int column, const char* ending)
{
    const char* name = source->column[column];
    const size_t stem = strlen(name) - 1;
    for (int k = 0; k < source->columns; k++) {
        const char* other = source->column[k];
        if (strncmp(other, name, stem) == 0 && strcmp(other + stem, ending) == 0) {
            return k;
        }
    }
    return -1;
}

static bool is_constant(const PlotNumbers* y)
{
    for (size_t i = 1; i < y->count; i++) {
        if (y->at[i] != y->at[0]) {
            return false;
        }
    }
    return true;
}

// Is the motion in the plane of x and y? Then no z changes, and some y does.
static utStatus is_flat(PlotSource* source, PlotX unit, const int* z, int bodies, bool* flat,
                        utError* err)
{
    const int count = 2 * bodies;
    int* wanted = calloc((size_t)count, sizeof *wanted);
    PlotNumbers* value = calloc((size_t)count, sizeof *value);
    PlotNumbers x = {0};
    if (wanted == NULL || value == NULL) {
        free(wanted);
        free(value);
        return cli_no_memory(source->path, err);
    }
    for (int k = 0; k < bodies; k++) {
        wanted[k] = z[k];
        wanted[bodies + k] = sibling(source, z[k], "y");
    }
    const utStatus status = plot_source_states(source, unit, wanted, count, &x, value, err);
    *flat = false;
    bool level = true;
    for (int k = 0; k < bodies && status == UT_OK; k++) {
        level = level && is_constant(&value[k]);
        *flat = *flat || !is_constant(&value[bodies + k]);
    }
    *flat = *flat && level;
    for (int k = 0; k < count; k++) {
        plot_numbers_free(&value[k]);
    }
    plot_numbers_free(&x);
    free(wanted);
    free(value);
    return status;
}

// Plot the height of each body, or all columns of a table without bodies.
static utStatus add_default_states(Plot* p, int panel, PlotSource* source, utError* err)
{
    int* z = calloc((size_t)source->columns, sizeof *z);
    if (z == NULL) {
        return cli_no_memory(source->path, err);
    }
    int bodies = 0;
    for (int k = 0; k < source->columns; k++) {
        if (cli_ends_in(source->column[k], ".z") && sibling(source, k, "y") >= 0) {
            z[bodies++] = k;
        }
    }
    bool flat = false;
    utStatus status = bodies > 0 ? is_flat(source, p->options.x, z, bodies, &flat, err) : UT_OK;
    for (int k = 0; k < bodies && status == UT_OK; k++) {
        const int column = flat ? sibling(source, z[k], "y") : z[k];
        status = add_state_curve(p, panel, source, column, err);
    }
    for (int k = 0; k < source->columns && bodies == 0 && status == UT_OK; k++) {
        if (strcmp(source->column[k], "time") != 0) {
            status = add_state_curve(p, panel, source, k, err);
        }
    }
    free(z);
    return status;
}

static utStatus add_defaults(Plot* p, utError* err)
{
    PlotOptions* o = &p->options;
    bool tables = false;
    o->panels = 0; // --panel=TITLE without columns has counted one
    for (int s = 0; s < p->sources; s++) {
        PlotSource* source = &p->source[s];
        tables = tables || !source->has_states;
        if (source->has_states) {
            o->panels = 1;
            UT_TRY(add_default_states(p, 0, source, err));
        }
    }
    // for tables of contacts plot the normal impulses
    if (tables) {
        const PlotItem item = {o->panels++, "pn", plot_contact_kind("pn")};
        return add_contact_item(p, &item, err);
    }
    return UT_OK;
}

// ---- all curves ---------------------------------------------------------------------------------

static bool has_points(const PlotPanel* panel)
{
    for (int k = 0; k < panel->curves; k++) {
        const PlotCurve* c = &panel->curve[k];
        for (size_t i = 0; i < c->x.count; i++) {
            if (plot_is_drawn(c->x.at[i]) && plot_is_drawn(c->y.at[i])) {
                return true;
            }
        }
    }
    return false;
}

// Every recording must have the column of x.
static utStatus check_x(const Plot* p, utError* err)
{
    for (int s = 0; s < p->sources && p->options.x == PLOT_COLUMN; s++) {
        if (!p->source[s].has_states ||
            plot_source_column(&p->source[s], p->options.x_column) < 0) {
            return no_column(p, p->options.x_column, err);
        }
    }
    return UT_OK;
}

utStatus plot_collect(Plot* p, utError* err)
{
    PlotOptions* o = &p->options;
    UT_TRY(check_x(p, err));
    if (o->items == 0) {
        UT_TRY(add_defaults(p, err));
    }
    for (int k = 0; k < o->items; k++) {
        UT_TRY(o->item[k].kind != NULL ? add_contact_item(p, &o->item[k], err)
                                       : add_state_item(p, &o->item[k], err));
    }
    for (int k = 0; k < o->panels; k++) {
        p->panel[k].title = o->panel[k];
        shorten_names(&p->panel[k]);
        if (!has_points(&p->panel[k])) {
            return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(p->source[0].path), 0, 0,
                               "nothing to plot%s: there are no finite numbers, or no contacts",
                               o->panels > 1 ? " in one of the panels" : "");
        }
        plot_take_logarithms(&p->panel[k], o->logarithmic[k]);
        if (o->logarithmic_x) {
            plot_take_logarithms_of_x(&p->panel[k]);
        }
        if (!has_points(&p->panel[k])) {
            return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(p->source[0].path), 0, 0,
                               "nothing to plot: --log-x needs numbers above 0");
        }
        p->panel[k].stems = o->stems[k];
        p->panel[k].points = o->points[k];
    }
    return UT_OK;
}

void plot_close(Plot* p)
{
    for (int k = 0; k < p->options.panels; k++) {
        for (int c = 0; c < p->panel[k].curves; c++) {
            plot_numbers_free(&p->panel[k].curve[c].x);
            plot_numbers_free(&p->panel[k].curve[c].y);
            free(p->panel[k].curve[c].name);
        }
        free(p->panel[k].curve);
    }
    for (int s = 0; s < p->sources; s++) {
        plot_source_close(&p->source[s]);
    }
    free(p->source);
}
