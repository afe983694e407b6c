// Recordings to be plotted.
#include "plot_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- cells of a table ---------------------------------------------------------------------------

// A table being read, cell by cell.
typedef struct Cells {
    const char* file;
    const char* at;
    const char* end;
    const char* line_start;
    int line;
} Cells;

static utStatus cell_error(const Cells* cells, const char* at, const char* what, utError* err)
{
    return ut_error_at(err, UT_ERR_FORMAT, cells->file, cells->line,
                       (int)(at - cells->line_start) + 1, "%s", what);
}

static bool at_line_end(const Cells* cells)
{
    return cells->at == cells->end || *cells->at == '\n' || *cells->at == '\r';
}

// A cell as it is there, with its quotes.
static utStatus next_cell(Cells* cells, utText* cell, utError* err)
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
            return cell_error(cells, begin, "this quote is not closed", err);
        }
        cells->at++;
    } else {
        while (cells->at < cells->end && *cells->at != ',' && !at_line_end(cells)) {
            cells->at++;
        }
    }
    *cell = (utText){begin, (size_t)(cells->at - begin)};
    return UT_OK;
}

// Step over the comma. @return false at the end of the line
static bool next_comma(Cells* cells)
{
    const bool comma = cells->at < cells->end && *cells->at == ',';
    cells->at += comma;
    return comma;
}

static void next_line(Cells* cells)
{
    cells->at += cells->at < cells->end && *cells->at == '\r';
    cells->at += cells->at < cells->end && *cells->at == '\n';
    cells->line_start = cells->at;
    cells->line++;
}

// A copy with a 0 behind it. @return NULL when there is no memory
static char* copied(utText text)
{
    char* copy = malloc(text.size + 1);
    if (copy != NULL) {
        memcpy(copy, text.data, text.size);
        copy[text.size] = 0;
    }
    return copy;
}

// The same without quotes.
static char* unquoted(utText cell)
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

// A number; NaN for the three that are printed as words.
static utStatus cell_number(const Cells* cells, utText cell, double* value, utError* err)
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
    return cell_error(cells, cell.data, "a number was expected here", err);
}

// ---- opening ------------------------------------------------------------------------------------

// @param name is the source's from here on; NULL: there was no memory for it
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

static Cells begin_cells(const PlotSource* source)
{
    const char* at = source->bytes.data;
    const char* end = at + source->bytes.size;
    if (source->bytes.size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) {
        at += 3; // a byte order mark, which spreadsheets write
    }
    return (Cells){cli_file_name(source->path), at, end, at, 1};
}

static utStatus open_table(PlotSource* source, utError* err)
{
    Cells cells = begin_cells(source);
    int room = 0;
    do {
        utText cell = {NULL, 0};
        UT_TRY(next_cell(&cells, &cell, err));
        UT_TRY(add_column(source, &room, unquoted(cell), err));
    } while (next_comma(&cells));
    if (!at_line_end(&cells)) {
        return cell_error(&cells, cells.at, "a comma was expected here", err);
    }
    if (plot_source_column(source, "time") < 0) {
        return ut_error_at(err, UT_ERR_FORMAT, cells.file, 1, 1,
                           "this is no recording: no column is called time; uptack run --record "
                           "FILE and --contacts FILE write them");
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
        UT_TRY(add_column(source, &room, copied(ut_recording_column(r, k)), err));
    }
    source->binary = source->has_states = source->has_contacts = true;
    return UT_OK;
}

utStatus plot_source_open(const char* path, PlotSource* source, utError* err)
{
    *source = (PlotSource){.path = path};
    UT_TRY(cli_read_file(path, &source->bytes, err));
    return ut_recording_is(source->bytes.data, source->bytes.size) ? open_recording(source, err)
                                                                   : open_table(source, err);
}

void plot_source_close(PlotSource* source)
{
    for (int k = 0; k < source->columns; k++) {
        free(source->column[k]);
    }
    free(source->column);
    free(source->label);
    cli_free_text(&source->bytes);
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

// A run that was killed: said once.
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

// Go through the rows. @param row takes the cells of one, as many as there are columns
static utStatus for_rows(PlotSource* source,
                         utStatus (*row)(void* context, const Cells* cells, const utText* cell,
                                         utError* err),
                         void* context, utError* err)
{
    Cells cells = begin_cells(source);
    utText* cell = calloc((size_t)source->columns, sizeof *cell);
    utStatus status = cell != NULL ? UT_OK : cli_no_memory(source->path, err);
    bool head = true;
    while (status == UT_OK && cells.at < cells.end) {
        int count = 0;
        bool more = true;
        while (status == UT_OK && more && count < source->columns) {
            status = next_cell(&cells, &cell[count++], err);
            more = next_comma(&cells);
        }
        const size_t left = (size_t)(cells.end - cells.line_start);
        if (cells.at == cells.end && memchr(cells.line_start, '\n', left) == NULL) {
            // an unfinished line, in which even the last number may be half
            warn_cut(source, "the last line is not finished and was left out");
            status = UT_OK;
            break;
        }
        if (status == UT_OK && (count < source->columns || !at_line_end(&cells))) {
            status = ut_error_at(err, UT_ERR_FORMAT, cells.file, cells.line,
                                 (int)(cells.at - cells.line_start) + 1,
                                 "this row has %s cells than the %d names of line 1",
                                 count < source->columns ? "fewer" : "more", source->columns);
        }
        if (status == UT_OK && !head) {
            status = row(context, &cells, cell, err);
        }
        head = false;
        next_line(&cells);
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

static utStatus state_row(void* context, const Cells* cells, const utText* cell, utError* err)
{
    States* s = context;
    double value = (double)s->x->count; // as a step
    if (s->unit == PLOT_TIME) {
        UT_TRY(cell_number(cells, cell[s->time], &value, err));
    }
    bool added = plot_numbers_add(s->x, value);
    for (int k = 0; k < s->count; k++) {
        UT_TRY(cell_number(cells, cell[s->wanted[k]], &value, err));
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

// Go through the records. @param take one of them
static utStatus for_frames(PlotSource* source,
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
    return source->binary ? for_frames(source, take_state, &s, err)
                          : for_rows(source, state_row, &s, err);
}

// ---- pairs --------------------------------------------------------------------------------------

static bool same_text(utText a, utText b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

// The pair of these geoms, new at the end. Contacts come sorted by pair, so the one after the last
// is the best guess. @return NULL when there is no memory
static PlotPair* find_pair(PlotPairs* pairs, utText geom1, utText geom2)
{
    for (int k = 0; k < pairs->count; k++) {
        const int at = (pairs->last + k) % pairs->count;
        PlotPair* pair = &pairs->pair[at];
        if (same_text(pair->geom1, geom1) && same_text(pair->geom2, geom2)) {
            pairs->last = at;
            return pair;
        }
    }
    if (pairs->count == pairs->room) {
        const int room = pairs->room > 0 ? 2 * pairs->room : 16;
        PlotPair* larger = realloc(pairs->pair, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            return NULL;
        }
        pairs->pair = larger;
        pairs->room = room;
    }
    pairs->last = pairs->count;
    PlotPair* pair = &pairs->pair[pairs->count++];
    *pair = (PlotPair){.geom1 = geom1, .geom2 = geom2};
    return pair;
}

void plot_pairs_free(PlotPairs* pairs)
{
    for (int k = 0; k < pairs->count; k++) {
        plot_numbers_free(&pairs->pair[k].x);
        plot_numbers_free(&pairs->pair[k].y);
    }
    free(pairs->pair);
    *pairs = (PlotPairs){0};
}

char* plot_pair_name(const PlotSource* source, const PlotPair* pair)
{
    char* one = source->binary ? copied(pair->geom1) : unquoted(pair->geom1);
    char* two = source->binary ? copied(pair->geom2) : unquoted(pair->geom2);
    const size_t size = one != NULL && two != NULL ? strlen(one) + strlen(two) + 4 : 0;
    char* name = size > 0 ? malloc(size) : NULL;
    if (name != NULL) {
        snprintf(name, size, "%s / %s", one, two);
    }
    free(one);
    free(two);
    return name;
}

// ---- contacts -----------------------------------------------------------------------------------

typedef struct Contacts {
    PlotSource* source;
    const PlotKind* kind;
    PlotX unit;
    int time, geom1, geom2, column; // of a table
    PlotPairs* pairs;
    double begin, end; // of what was recorded
    double step;       // from one step to the next, at the least
} Contacts;

static void combine(const PlotKind* kind, int contacts, double value, double* so_far)
{
    if (kind->impulse) {
        *so_far += value;
    } else if (strcmp(kind->column, "gap") == 0) {
        *so_far = fmin(*so_far, value);
    } else if (strcmp(kind->column, "slip") == 0 || strcmp(kind->column, "e") == 0) {
        *so_far = fmax(*so_far, value);
    } else {
        *so_far += (value - *so_far) / contacts;
    }
}

static utStatus add_contact(Contacts* c, utText geom1, utText geom2, double x, double value,
                            utError* err)
{
    PlotPair* pair = find_pair(c->pairs, geom1, geom2);
    if (pair == NULL) {
        return cli_no_memory(c->source->path, err);
    }
    const size_t n = pair->x.count;
    if (n > 0 && pair->x.at[n - 1] == x) {
        combine(c->kind, ++pair->contacts, value, &pair->y.at[n - 1]);
        return UT_OK;
    }
    pair->contacts = 1;
    return plot_numbers_add(&pair->x, x) && plot_numbers_add(&pair->y, value)
               ? UT_OK
               : cli_no_memory(c->source->path, err);
}

static void pass_time(Contacts* c, double x)
{
    if (x - c->end > 0.0) {
        c->step = fmin(c->step, x - c->end);
    }
    c->begin = fmin(c->begin, x);
    c->end = fmax(c->end, x);
}

static utStatus contact_row(void* context, const Cells* cells, const utText* cell, utError* err)
{
    Contacts* c = context;
    double x;
    double value;
    UT_TRY(cell_number(cells, cell[c->time], &x, err));
    UT_TRY(cell_number(cells, cell[c->column], &value, err));
    pass_time(c, x);
    return add_contact(c, cell[c->geom1], cell[c->geom2], x, value, err);
}

static double recorded_value(const utRecordedContact* c, const char* column)
{
    // the impulse on geom2: r in the contact's frame
    utVec3 p = ut_vec3_zero();
    for (int k = 0; k < 3; k++) {
        p = ut_vec3_add_scaled(p, c->r[k], c->frame[k]);
    }
    const utVec3 n = c->frame[0];
    const struct {
        const char* column;
        double value;
    } values[] = {
        {"x", c->point.x}, {"y", c->point.y}, {"z", c->point.z}, {"nx", n.x},
        {"ny", n.y},       {"nz", n.z},       {"px", p.x},       {"py", p.y},
        {"pz", p.z},       {"pn", c->r[0]},   {"gap", c->gap},   {"slip", hypot(c->u[1], c->u[2])},
        {"e", c->e},
    };
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        if (strcmp(values[k].column, column) == 0) {
            return values[k].value;
        }
    }
    return (double)NAN;
}

static utStatus contact_frame(void* context, const utRecordFrame* frame, utError* err)
{
    Contacts* c = context;
    const utRecording* r = &c->source->recording;
    if (frame->kind != UT_RECORD_STATE && frame->kind != UT_RECORD_CONTACTS) {
        return UT_OK;
    }
    const double x = c->unit == PLOT_TIME ? frame->time : (double)frame->step;
    pass_time(c, x);
    for (int k = 0; k < frame->contacts && frame->kind == UT_RECORD_CONTACTS; k++) {
        const utRecordedContact* contact = &frame->contact[k];
        UT_TRY(add_contact(c, ut_recording_geom(r, contact->geom1),
                           ut_recording_geom(r, contact->geom2), x,
                           recorded_value(contact, c->kind->column), err));
    }
    return UT_OK;
}

// ---- steps without contact ----------------------------------------------------------------------

// Between two steps with contact that are not neighbours: down to 0 and up again, or a gap.
static bool add_pause(const Contacts* c, double from, double to, PlotNumbers* x, PlotNumbers* y)
{
    if (!(to - from > 1.5 * c->step)) {
        return true;
    }
    if (!c->kind->impulse) {
        return plot_numbers_add(x, 0.5 * (from + to)) && plot_numbers_add(y, (double)NAN);
    }
    return plot_numbers_add(x, from + c->step) && plot_numbers_add(y, 0.0) &&
           plot_numbers_add(x, to - c->step) && plot_numbers_add(y, 0.0);
}

static bool add_pauses(const Contacts* c, PlotPair* pair)
{
    PlotNumbers x = {0};
    PlotNumbers y = {0};
    bool added = true;
    const size_t n = pair->x.count;
    if (c->kind->impulse && pair->x.at[0] - c->begin > 1.5 * c->step) {
        added = plot_numbers_add(&x, c->begin) && plot_numbers_add(&y, 0.0) &&
                plot_numbers_add(&x, pair->x.at[0] - c->step) && plot_numbers_add(&y, 0.0);
    }
    for (size_t k = 0; k < n && added; k++) {
        added = plot_numbers_add(&x, pair->x.at[k]) && plot_numbers_add(&y, pair->y.at[k]) &&
                (k + 1 == n || add_pause(c, pair->x.at[k], pair->x.at[k + 1], &x, &y));
    }
    if (c->kind->impulse && c->end - pair->x.at[n - 1] > 0.5 * c->step) {
        added = added && plot_numbers_add(&x, pair->x.at[n - 1] + c->step) &&
                plot_numbers_add(&y, 0.0) && plot_numbers_add(&x, c->end) &&
                plot_numbers_add(&y, 0.0);
    }
    plot_numbers_free(&pair->x);
    plot_numbers_free(&pair->y);
    pair->x = x;
    pair->y = y;
    return added;
}

// A table has times and no steps: as many of the shortest step.
static void count_steps(Contacts* c)
{
    for (int k = 0; k < c->pairs->count; k++) {
        PlotNumbers* x = &c->pairs->pair[k].x;
        for (size_t i = 0; i < x->count; i++) {
            x->at[i] = round(x->at[i] / c->step);
        }
    }
    c->begin = round(c->begin / c->step);
    c->end = round(c->end / c->step);
    c->step = 1.0;
}

utStatus plot_source_contacts(PlotSource* source, PlotX unit, const PlotKind* kind,
                              PlotPairs* pairs, utError* err)
{
    Contacts c = {
        .source = source,
        .kind = kind,
        .unit = unit,
        .time = plot_source_column(source, "time"),
        .geom1 = plot_source_column(source, "geom1"),
        .geom2 = plot_source_column(source, "geom2"),
        .column = plot_source_column(source, kind->column),
        .pairs = pairs,
        .begin = (double)INFINITY,
        .end = -(double)INFINITY,
        .step = (double)INFINITY,
    };
    *pairs = (PlotPairs){0};
    if (!source->binary && c.column < 0) {
        return ut_error_at(err, UT_ERR_FORMAT, cli_file_name(source->path), 1, 1,
                           "this table of contacts has no column '%s'%s", kind->column,
                           strcmp(kind->column, "e") == 0 ? "; uptack run --record F.utr has" : "");
    }
    UT_TRY(source->binary ? for_frames(source, contact_frame, &c, err)
                          : for_rows(source, contact_row, &c, err));
    if (source->binary && (unit == PLOT_STEP || source->recording.dt > 0.0)) {
        c.step = unit == PLOT_STEP ? 1.0 : source->recording.dt;
    } else if (!source->binary && unit == PLOT_STEP && isfinite(c.step)) {
        count_steps(&c);
    }
    for (int k = 0; k < pairs->count; k++) {
        if (!add_pauses(&c, &pairs->pair[k])) {
            return cli_no_memory(source->path, err);
        }
    }
    return UT_OK;
}
