// SPDX-License-Identifier: Apache-2.0
// The merged table of a sweep, as CSV, NumPy and HDF5. Its bytes depend on the results alone.
#include "sweeps/sweep_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "convert/arrays.h"
#include "output.h"

// ---- read ---------------------------------------------------------------------------------------

static utStatus add_result(void* context, SweepRecordKind kind, long long job,
                           const SweepResult* result, utError* err)
{
    SweepTable* t = context;
    (void)kind;
    if (result == NULL || t->has_result[job]) {
        return UT_OK;
    }
    const size_t columns = (size_t)t->sweep->columns;
    t->has_result[job] = true;
    t->rows++;
    t->status[job] = result->status;
    t->hash[job] = result->hash;
    memcpy(t->number + (size_t)job * columns, result->number, columns * sizeof(double));
    if (result->message[0] != '\0') {
        const size_t size = strlen(result->message) + 1;
        t->message[job] = malloc(size);
        if (t->message[job] == NULL) {
            return cli_no_memory(t->sweep->path, err);
        }
        memcpy(t->message[job], result->message, size);
    }
    return UT_OK;
}

utStatus sweep_read_table(const char* folder, const Sweep* sweep, SweepTable* t, utError* err)
{
    const size_t jobs = (size_t)sweep->jobs;
    *t = (SweepTable){.sweep = sweep};
    t->has_result = calloc(jobs, sizeof *t->has_result);
    t->status = calloc(jobs, sizeof *t->status);
    t->hash = calloc(jobs, sizeof *t->hash);
    t->number = calloc(jobs, (size_t)sweep->columns * sizeof *t->number);
    t->message = calloc(jobs, sizeof(char*));
    if (t->has_result == NULL || t->status == NULL || t->hash == NULL || t->number == NULL ||
        t->message == NULL) {
        return cli_no_memory(folder, err);
    }
    return sweep_scan(folder, sweep, 0, add_result, t, err);
}

void sweep_free_table(SweepTable* t)
{
    for (long long k = 0; t->message != NULL && k < t->sweep->jobs; k++) {
        free(t->message[k]);
    }
    free(t->message);
    free(t->number);
    free(t->hash);
    free(t->status);
    free(t->has_result);
    *t = (SweepTable){0};
}

// ---- columns ------------------------------------------------------------------------------------

enum { NAME = 500 };

// The name of column k of the numbers: a figure, an output, or "name[i]" of a series.
static void name_column(const Sweep* sweep, int k, char name[NAME])
{
    if (k < SWEEP_FIGURES) {
        snprintf(name, NAME, "%s", sweep_figure_name((SweepFigure)k));
        return;
    }
    int i = sweep->outputs - 1;
    while (i > 0 && sweep->output[i].column > k) {
        i--;
    }
    const SweepOutput* o = &sweep->output[i];
    if (o->measure == SWEEP_SERIES) {
        snprintf(name, NAME, "%s[%d]", o->name, k - o->column + 1);
    } else {
        snprintf(name, NAME, "%s", o->name);
    }
}

// ---- CSV ----------------------------------------------------------------------------------------

typedef struct Csv {
    CliOutput output;
    bool is_stdout;
    bool failed;
} Csv;

static void put(Csv* csv, const char* text, size_t size)
{
    if (!csv->failed && csv->is_stdout) {
        csv->failed = fwrite(text, 1, size, stdout) != size;
    } else if (!csv->failed) {
        csv->failed = !cli_output_write(&csv->output, text, size);
    }
}

static void put_text(Csv* csv, const char* text)
{
    put(csv, text, strlen(text));
}

static void put_number(Csv* csv, double x)
{
    char digits[UT_NUMBER_SIZE];
    const int size = ut_number_write_short(x, digits);
    put(csv, ",", 1);
    put(csv, digits, (size_t)size);
}

static void put_cell(Csv* csv, const char* text)
{
    put(csv, ",", 1);
    if (strpbrk(text, ",\"\n\r") == NULL) {
        put_text(csv, text);
        return;
    }
    put(csv, "\"", 1);
    for (; *text != '\0'; text++) {
        put(csv, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    }
    put(csv, "\"", 1);
}

static void put_head(const Sweep* sweep, Csv* csv)
{
    put_text(csv, "job");
    if (sweep->repeat > 1) {
        put_text(csv, ",repeat");
    }
    for (int i = 0; i < sweep->parameters; i++) {
        put_cell(csv, sweep->parameter[i].name);
    }
    put_text(csv, ",status,message,state_hash");
    for (int k = 0; k < sweep->columns; k++) {
        char name[NAME];
        name_column(sweep, k, name);
        put_cell(csv, name);
    }
    put_text(csv, "\n");
}

static void put_row(const SweepTable* t, long long job, Csv* csv)
{
    const Sweep* sweep = t->sweep;
    char text[64];
    SweepValues values;
    sweep_values(sweep, job, &values);
    snprintf(text, sizeof text, "%lld", job);
    put_text(csv, text);
    if (sweep->repeat > 1) {
        snprintf(text, sizeof text, ",%lld", values.repeat);
        put_text(csv, text);
    }
    for (int i = 0; i < sweep->parameters; i++) {
        const SweepParameter* p = &sweep->parameter[i];
        if (p->kind == SWEEP_TEXTS) {
            put_cell(csv, p->text[(int)values.number[i]]);
        } else {
            put_number(csv, values.number[i]);
        }
    }
    put_cell(csv, sweep_status_name(t->status[job]));
    put_cell(csv, t->message[job] != NULL ? t->message[job] : "");
    snprintf(text, sizeof text, ",%016llx", (unsigned long long)t->hash[job]);
    put_text(csv, text);
    for (int k = 0; k < sweep->columns; k++) {
        put_number(csv, t->number[(size_t)job * (size_t)sweep->columns + (size_t)k]);
    }
    put_text(csv, "\n");
}

utStatus sweep_write_csv(const SweepTable* t, const char* path, utError* err)
{
    Csv csv = {.is_stdout = path == NULL};
    if (path != NULL) {
        UT_TRY(cli_output_open(path, &csv.output, err));
    }
    put_head(t->sweep, &csv);
    for (long long job = 0; job < t->sweep->jobs; job++) {
        if (t->has_result[job]) {
            put_row(t, job, &csv);
        }
    }
    if (csv.is_stdout) {
        return csv.failed ? ut_error_set(err, UT_ERR_IO, "standard output cannot be written")
                          : UT_OK;
    }
    return cli_output_close(&csv.output, !csv.failed, UT_OK, err);
}

// ---- arrays -------------------------------------------------------------------------------------

// The rows that there are, in one array after the other.
typedef struct Arrays {
    const SweepTable* table;
    CliArraySink* sink;
    void* context;
    void* data;
} Arrays;

static utStatus emit(const Arrays* a, const char* name, CliNumber number, size_t width, size_t rows,
                     size_t columns, utError* err)
{
    const CliArray array = {.name = name,
                            .number = number,
                            .width = width,
                            .axes = columns > 0 ? 2 : 1,
                            .size = {rows, columns},
                            .data = a->data,
                            .bytes = width * rows * (columns > 0 ? columns : 1)};
    return a->sink(a->context, &array, err);
}

static utStatus emit_jobs(const Arrays* a, utError* err)
{
    const SweepTable* t = a->table;
    int64_t* to = a->data;
    for (long long job = 0; job < t->sweep->jobs; job++) {
        if (t->has_result[job]) {
            *to++ = job;
        }
    }
    return emit(a, "job", CLI_INT64, 8, (size_t)t->rows, 0, err);
}

static utStatus emit_status(const Arrays* a, utError* err)
{
    const SweepTable* t = a->table;
    int32_t* to = a->data;
    for (long long job = 0; job < t->sweep->jobs; job++) {
        if (t->has_result[job]) {
            *to++ = t->status[job];
        }
    }
    return emit(a, "status", CLI_INT32, 4, (size_t)t->rows, 0, err);
}

static utStatus emit_hashes(const Arrays* a, utError* err)
{
    const SweepTable* t = a->table;
    uint64_t* to = a->data;
    for (long long job = 0; job < t->sweep->jobs; job++) {
        if (t->has_result[job]) {
            *to++ = t->hash[job];
        }
    }
    return emit(a, "state_hash", CLI_UINT64, 8, (size_t)t->rows, 0, err);
}

static utStatus emit_messages(const Arrays* a, utError* err)
{
    const SweepTable* t = a->table;
    char* to = a->data;
    for (long long job = 0; job < t->sweep->jobs; job++) {
        if (t->has_result[job]) {
            memset(to, 0, SWEEP_MESSAGE);
            if (t->message[job] != NULL) {
                memcpy(to, t->message[job], strlen(t->message[job]));
            }
            to += SWEEP_MESSAGE;
        }
    }
    return emit(a, "message", CLI_BYTES, SWEEP_MESSAGE, (size_t)t->rows, 0, err);
}

static utStatus emit_parameters(const Arrays* a, utError* err)
{
    const SweepTable* t = a->table;
    double* to = a->data;
    for (long long job = 0; job < t->sweep->jobs; job++) {
        SweepValues values;
        sweep_values(t->sweep, job, &values);
        for (int i = 0; t->has_result[job] && i < t->sweep->parameters; i++) {
            *to++ = values.number[i];
        }
    }
    return emit(a, "parameters", CLI_DOUBLE, 8, (size_t)t->rows, (size_t)t->sweep->parameters, err);
}

static utStatus emit_numbers(const Arrays* a, utError* err)
{
    const SweepTable* t = a->table;
    const size_t columns = (size_t)t->sweep->columns;
    double* to = a->data;
    for (long long job = 0; job < t->sweep->jobs; job++) {
        if (t->has_result[job]) {
            memcpy(to, t->number + (size_t)job * columns, columns * sizeof *to);
            to += columns;
        }
    }
    return emit(a, "table", CLI_DOUBLE, 8, (size_t)t->rows, columns, err);
}

static utStatus emit_column_names(const Arrays* a, utError* err)
{
    const Sweep* sweep = a->table->sweep;
    char* to = a->data;
    memset(to, 0, (size_t)sweep->columns * NAME);
    for (int k = 0; k < sweep->columns; k++) {
        name_column(sweep, k, to + (size_t)k * NAME);
    }
    return emit(a, "columns", CLI_BYTES, NAME, (size_t)sweep->columns, 0, err);
}

static utStatus emit_texts(const Arrays* a, const char* name, int count, const char* const* texts,
                           utError* err)
{
    enum { WIDTH = 128 };
    char* to = a->data;
    memset(to, 0, (size_t)count * WIDTH);
    for (int k = 0; k < count; k++) {
        snprintf(to + (size_t)k * WIDTH, WIDTH, "%s", texts[k]);
    }
    return emit(a, name, CLI_BYTES, WIDTH, (size_t)count, 0, err);
}

// Names of the parameters, of the statuses, and the texts of parameters that are texts.
static utStatus emit_names(const Arrays* a, utError* err)
{
    const Sweep* sweep = a->table->sweep;
    const char* names[SWEEP_MAX_PARAMETERS];
    const char* statuses[SWEEP_STATUSES];
    for (int i = 0; i < sweep->parameters; i++) {
        names[i] = sweep->parameter[i].name;
    }
    for (int k = 0; k < SWEEP_STATUSES; k++) {
        statuses[k] = sweep_status_name(k);
    }
    UT_TRY(emit_texts(a, "parameter_names", sweep->parameters, names, err));
    UT_TRY(emit_texts(a, "status_names", SWEEP_STATUSES, statuses, err));
    for (int i = 0; i < sweep->parameters; i++) {
        const SweepParameter* p = &sweep->parameter[i];
        char name[48];
        snprintf(name, sizeof name, "texts_%.36s", p->name);
        if (p->kind == SWEEP_TEXTS) {
            UT_TRY(emit_texts(a, name, p->count, p->text, err));
        }
    }
    return UT_OK;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static utStatus write_arrays(void* context, CliArraySink* sink, void* sink_context, utError* err)
{
    const SweepTable* t = context;
    const Sweep* sweep = t->sweep;
    const size_t columns = larger((size_t)sweep->columns, SWEEP_MAX_PARAMETERS);
    size_t room = larger((size_t)t->rows * larger(columns * 8, SWEEP_MESSAGE), columns * NAME);
    for (int i = 0; i < sweep->parameters; i++) {
        room = larger(room, (size_t)sweep->parameter[i].count * 128);
    }
    Arrays a = {.table = t, .sink = sink, .context = sink_context, .data = malloc(room)};
    if (a.data == NULL) {
        return cli_no_memory(sweep->path, err);
    }
    utStatus status = emit_jobs(&a, err);
    status = status == UT_OK && sweep->parameters > 0 ? emit_parameters(&a, err) : status;
    status = status == UT_OK ? emit_status(&a, err) : status;
    status = status == UT_OK ? emit_hashes(&a, err) : status;
    status = status == UT_OK ? emit_numbers(&a, err) : status;
    status = status == UT_OK ? emit_column_names(&a, err) : status;
    status = status == UT_OK ? emit_names(&a, err) : status;
    status = status == UT_OK ? emit_messages(&a, err) : status;
    free(a.data);
    return status;
}

utStatus sweep_write_npz(const SweepTable* table, const char* path, utError* err)
{
    return cli_write_npz_of(write_arrays, (void*)table, path, err);
}

utStatus sweep_write_hdf5(const SweepTable* table, const char* path, utError* err)
{
    return cli_write_hdf5_of(write_arrays, (void*)table, path, err);
}
