// SPDX-License-Identifier: Apache-2.0
// Reading the specification of a sweep. Every mistake is reported with its line and column.
#include "sweeps/sweep_spec.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <uptack/scenes.h>

utStatus sweep_error(const Sweep* sweep, const utJson* at, utError* err, const char* format, ...)
{
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return ut_error_at(err, UT_ERR_FORMAT, sweep->path, at->line, at->column, "%s", message);
}

utStatus sweep_memory_error(const Sweep* sweep, utError* err)
{
    return cli_no_memory(sweep->path, err);
}

// ---- values -------------------------------------------------------------------------------------

static const char* type_name(utJsonType type)
{
    static const char* const names[] = {"null",   "true or false", "a number",
                                        "a text", "a list",        "an object"};
    return names[type];
}

utStatus sweep_expect(const Sweep* sweep, const utJson* value, const char* what, utJsonType type,
                      utError* err)
{
    return value->type == type ? UT_OK
                               : sweep_error(sweep, value, err, "%s must be %s, not %s", what,
                                             type_name(type), type_name(value->type));
}

utStatus sweep_whole(const Sweep* sweep, const utJson* value, const char* what, double lo,
                     double hi, long long* out, utError* err)
{
    UT_TRY(sweep_expect(sweep, value, what, UT_JSON_NUMBER, err));
    if (!(value->number >= lo && value->number <= hi) || value->number != floor(value->number)) {
        return sweep_error(sweep, value, err, "%s must be a whole number from %.0f to %.0f, not %g",
                           what, lo, hi, value->number);
    }
    *out = (long long)value->number;
    return UT_OK;
}

static utStatus read_bool(const Sweep* sweep, const utJson* value, const char* what, bool* out,
                          utError* err)
{
    UT_TRY(sweep_expect(sweep, value, what, UT_JSON_BOOL, err));
    *out = value->boolean;
    return UT_OK;
}

utStatus sweep_unknown(const Sweep* sweep, const utJson* member, const char* where,
                       const char* const* known, utError* err)
{
    const char* nearest = known[0];
    int least = INT_MAX;
    for (int k = 0; known[k] != NULL; k++) {
        const int far = cli_edit_distance(member->key.data, known[k]);
        if (far < least) {
            least = far;
            nearest = known[k];
        }
    }
    return sweep_error(sweep, member, err, "%s has no member '%.60s'; the nearest is '%s'", where,
                       member->key.data, nearest);
}

int sweep_find_word(const char* word, const char* const* known)
{
    for (int k = 0; known[k] != NULL; k++) {
        if (strcmp(word, known[k]) == 0) {
            return k;
        }
    }
    return -1;
}

// ---- texts with braces --------------------------------------------------------------------------

static utStatus add_text(Sweep* sweep, const utJson* value, SweepText* text, utError* err)
{
    char digits[UT_NUMBER_SIZE];
    *text = (SweepText){.name = value->key.data, .at = value};
    if (value->type == UT_JSON_STRING) {
        text->text = value->string.data;
        return UT_OK;
    }
    if (value->type == UT_JSON_BOOL) {
        text->text = value->boolean ? "true" : "false";
        return UT_OK;
    }
    if (value->type != UT_JSON_NUMBER) {
        return sweep_error(sweep, value, err, "this must be a number or a text, not %s",
                           type_name(value->type));
    }
    const int size = ut_number_write_short(value->number, digits);
    char* copy = UT_PUSH(&sweep->memory, char, size + 1);
    if (copy == NULL) {
        return sweep_memory_error(sweep, err);
    }
    memcpy(copy, digits, (size_t)size + 1);
    text->text = copy;
    return UT_OK;
}

// Read the members of a list or an object as texts.
static utStatus read_texts(Sweep* sweep, const utJson* list, int* count, SweepText** texts,
                           utError* err)
{
    *texts = UT_PUSH(&sweep->memory, SweepText, list->count);
    if (*texts == NULL) {
        return sweep_memory_error(sweep, err);
    }
    for (const utJson* value = list->first; value != NULL; value = value->next) {
        UT_TRY(add_text(sweep, value, &(*texts)[(*count)++], err));
    }
    return UT_OK;
}

static utStatus read_sets(Sweep* sweep, const utJson* value, utError* err)
{
    UT_TRY(sweep_expect(sweep, value, "\"set\"", UT_JSON_ARRAY, err));
    UT_TRY(read_texts(sweep, value, &sweep->sets, &sweep->set, err));
    for (int i = 0; i < sweep->sets; i++) {
        const char* text = sweep->set[i].text;
        const char* equals = strchr(text, '=');
        const char* dot = strchr(text, '.');
        if (equals == NULL || dot == NULL || dot > equals || dot == text || equals == dot + 1) {
            return sweep_error(sweep, sweep->set[i].at, err,
                               "\"set\" needs \"NAME.ATTR=VALUE\", not '%.60s'", text);
        }
    }
    return UT_OK;
}

static utStatus read_run(Sweep* sweep, const utJson* value, utError* err)
{
    UT_TRY(sweep_expect(sweep, value, "\"run\"", UT_JSON_OBJECT, err));
    for (const utJson* m = value->first; m != NULL; m = m->next) {
        if (sweep_find_word(m->key.data, sweep_run_names) < 0) {
            return sweep_unknown(sweep, m, "\"run\"", sweep_run_names, err);
        }
    }
    return read_texts(sweep, value, &sweep->runs, &sweep->run, err);
}

static utStatus read_object(Sweep* sweep, const utJson* value, const char* what, int* count,
                            SweepText** texts, utError* err)
{
    UT_TRY(sweep_expect(sweep, value, what, UT_JSON_OBJECT, err));
    return read_texts(sweep, value, count, texts, err);
}

static utStatus read_urdf(Sweep* sweep, const utJson* value, utError* err)
{
    static const char* const names[] = {"floating", "friction", "self_collision", NULL};
    bool* const flags[] = {&sweep->floating, &sweep->friction, &sweep->self_collision};
    UT_TRY(sweep_expect(sweep, value, "\"urdf\"", UT_JSON_OBJECT, err));
    for (const utJson* m = value->first; m != NULL; m = m->next) {
        const int k = sweep_find_word(m->key.data, names);
        if (k < 0) {
            return sweep_unknown(sweep, m, "\"urdf\"", names, err);
        }
        UT_TRY(read_bool(sweep, m, names[k], flags[k], err));
    }
    return UT_OK;
}

// ---- the model ----------------------------------------------------------------------------------

// A file is looked for beside the specification, a scene is a name.
static utStatus read_model(Sweep* sweep, const utJson* value, utError* err)
{
    UT_TRY(sweep_expect(sweep, value, "\"model\"", UT_JSON_STRING, err));
    const char* name = value->string.data;
    sweep->model_at = value;
    sweep->model = name;
    if (name[0] == '\0') {
        return sweep_error(sweep, value, err, "\"model\" is empty; it names a file or a scene");
    }
    const char* slash = strrchr(sweep->path, '/');
    if (ut_scene_is(name) || name[0] == '/' || slash == NULL) {
        return UT_OK;
    }
    const size_t folder = (size_t)(slash + 1 - sweep->path), size = strlen(name) + 1;
    char* path = UT_PUSH(&sweep->memory, char, folder + size);
    if (path == NULL) {
        return sweep_memory_error(sweep, err);
    }
    memcpy(path, sweep->path, folder);
    memcpy(path + folder, name, size);
    sweep->model = path;
    return UT_OK;
}

// ---- everything ---------------------------------------------------------------------------------

static utStatus read_sampling(Sweep* sweep, const utJson* value, utError* err)
{
    static const char* const names[] = {"latin-hypercube", "sobol", "random", NULL};
    UT_TRY(sweep_expect(sweep, value, "\"sampling\"", UT_JSON_STRING, err));
    const int k = sweep_find_word(value->string.data, names);
    sweep->sampling = (SweepSampling)k;
    return k >= 0 ? UT_OK
                  : sweep_error(
                        sweep, value, err,
                        "there is no sampling '%.40s'; there are latin-hypercube, sobol, random",
                        value->string.data);
}

static utStatus read_member(Sweep* sweep, const utJson* m, utError* err)
{
    static const char* const names[] = {
        "model", "seed", "repeat",     "samples", "sampling", "run",         "set", "ctrl",
        "start", "urdf", "parameters", "outputs", "stop",     "description", NULL};
    long long seed = 0;
    switch (sweep_find_word(m->key.data, names)) {
    case 0:
        return read_model(sweep, m, err);
    case 1:
        UT_TRY(sweep_whole(sweep, m, "\"seed\"", 0, 9007199254740992.0, &seed, err));
        sweep->seed = (uint64_t)seed;
        return UT_OK;
    case 2:
        return sweep_whole(sweep, m, "\"repeat\"", 1, SWEEP_MAX_JOBS, &sweep->repeat, err);
    case 3:
        return sweep_whole(sweep, m, "\"samples\"", 1, SWEEP_MAX_JOBS, &sweep->samples, err);
    case 4:
        return read_sampling(sweep, m, err);
    case 5:
        return read_run(sweep, m, err);
    case 6:
        return read_sets(sweep, m, err);
    case 7:
        return read_object(sweep, m, "\"ctrl\"", &sweep->ctrls, &sweep->ctrl, err);
    case 8:
        return read_object(sweep, m, "\"start\"", &sweep->starts, &sweep->start, err);
    case 9:
        return read_urdf(sweep, m, err);
    case 10:
        return sweep_read_parameters(sweep, m, err);
    case 11:
        return sweep_read_outputs(sweep, m, err);
    case 12:
        return sweep_read_stops(sweep, m, err);
    case 13:
        return sweep_expect(sweep, m, "\"description\"", UT_JSON_STRING, err);
    default:
        return sweep_unknown(sweep, m, "the specification", names, err);
    }
}

// The number of jobs: lists x samples x repeat.
static utStatus count_jobs(Sweep* sweep, const utJson* root, utError* err)
{
    bool is_sampled = false;
    double jobs = (double)sweep->repeat;
    for (int i = 0; i < sweep->parameters; i++) {
        const SweepParameter* p = &sweep->parameter[i];
        const bool is_list = p->kind == SWEEP_LIST || p->kind == SWEEP_TEXTS;
        is_sampled = is_sampled || !is_list;
        jobs *= is_list ? p->count : 1;
        if (!is_list && sweep->samples == 0) {
            return sweep_error(sweep, p->at, err,
                               "parameter '%.40s' is sampled; \"samples\" must say how often",
                               p->name);
        }
    }
    if (sweep->samples > 0 && !is_sampled) {
        return sweep_error(
            sweep, ut_json_member(root, "samples"), err,
            "no parameter has a range or a distribution; \"repeat\" repeats each job");
    }
    jobs *= sweep->samples > 0 ? (double)sweep->samples : 1.0;
    if (!(jobs <= SWEEP_MAX_JOBS)) {
        return sweep_error(sweep, root, err, "these are %.4g jobs; a sweep has at most %.0f", jobs,
                           SWEEP_MAX_JOBS);
    }
    sweep->jobs = (long long)jobs;
    return UT_OK;
}

// Is a parameter used by a text?
static bool uses(const SweepText* texts, int count, const char* name)
{
    const size_t size = strlen(name);
    for (int i = 0; i < count; i++) {
        bool inside = false;
        for (const char* c = texts[i].text; *c != '\0'; c++) {
            inside = *c == '{' || (inside && *c != '}');
            if (inside && strncmp(c, name, size) == 0) {
                return true;
            }
        }
    }
    return false;
}

static utStatus check_uses(const Sweep* sweep, utError* err)
{
    for (int i = 0; i < sweep->parameters; i++) {
        const SweepParameter* p = &sweep->parameter[i];
        if (!uses(sweep->set, sweep->sets, p->name) && !uses(sweep->run, sweep->runs, p->name) &&
            !uses(sweep->ctrl, sweep->ctrls, p->name) &&
            !uses(sweep->start, sweep->starts, p->name)) {
            return sweep_error(sweep, p->at, err,
                               "nothing uses parameter '%.40s'; write {%.40s} in \"set\", \"run\", "
                               "\"ctrl\" or \"start\"",
                               p->name, p->name);
        }
    }
    return UT_OK;
}

static utStatus read_root(Sweep* sweep, const utJson* root, utError* err)
{
    UT_TRY(sweep_expect(sweep, root, "the specification", UT_JSON_OBJECT, err));
    for (const utJson* m = root->first; m != NULL; m = m->next) {
        UT_TRY(read_member(sweep, m, err));
    }
    if (sweep->model == NULL) {
        return sweep_error(sweep, root, err, "\"model\" is missing; it names a file or a scene");
    }
    UT_TRY(count_jobs(sweep, root, err));
    return check_uses(sweep, err);
}

utStatus sweep_open(const char* path, Sweep* sweep, utError* err)
{
    enum { LARGEST = 64 << 20 };
    const utJson* root = NULL;
    *sweep = (Sweep){
        .path = cli_file_name(path), .repeat = 1, .self_collision = true, .columns = SWEEP_FIGURES};
    if (ut_arena_create(0, NULL, &sweep->memory) != UT_OK) {
        return sweep_memory_error(sweep, err);
    }
    UT_TRY(ut_text_read(path, LARGEST, &sweep->memory, &sweep->text, err));
    sweep->hash = ut_hash_bytes(UT_HASH_START, sweep->text.data, sweep->text.size);
    const utStatus status = ut_json_read(sweep->text, sweep->path, &sweep->memory, &root, err);
    if (status == UT_ERR_CAPACITY) {
        return sweep_memory_error(sweep, err);
    }
    UT_TRY(status);
    UT_TRY(read_root(sweep, root, err));
    return sweep_prepare_samples(sweep) == UT_OK ? UT_OK : sweep_memory_error(sweep, err);
}

void sweep_close(Sweep* sweep)
{
    ut_arena_destroy(&sweep->memory);
    *sweep = (Sweep){0};
}
