// SPDX-License-Identifier: Apache-2.0
// The values of a job's parameters, as a function of the job's number alone.
//
// Jobs are numbered with the first parameter slowest: lists, then samples, then repetitions. Random
// numbers come from a counter-based generator whose stream is made from the job or sample.
#include "sweeps/sweep.h"

#include <math.h>
#include <string.h>

// ---- samples ------------------------------------------------------------------------------------

enum { BITS = 32 };

// Primitive polynomials and first direction numbers of the Sobol sequence in dimensions 2 ... 21.
// Joe, Kuo: Constructing Sobol sequences with better two-dimensional projections. SIAM J. Sci. Comput.
// 30, 2008.
typedef struct Direction {
    int degree;
    uint32_t coefficients;
    uint32_t first[7];
} Direction;

static const Direction directions[SWEEP_MAX_SAMPLED - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

// Direction numbers v[k] = m[k] 2^(31 - k) by the recurrence of the polynomial.
static void make_directions(int dimension, uint32_t v[BITS])
{
    if (dimension == 0) {
        for (int k = 0; k < BITS; k++) {
            v[k] = UINT32_C(1) << (BITS - 1 - k);
        }
        return;
    }
    const Direction* d = &directions[dimension - 1];
    const int s = d->degree;
    for (int k = 0; k < BITS; k++) {
        if (k < s) {
            v[k] = d->first[k] << (BITS - 1 - k);
            continue;
        }
        v[k] = v[k - s] ^ (v[k - s] >> s);
        for (int i = 1; i < s; i++) {
            if (d->coefficients >> (s - 1 - i) & 1) {
                v[k] ^= v[k - i];
            }
        }
    }
}

uint32_t sweep_sobol(int dimension, uint32_t index)
{
    uint32_t v[BITS], x = 0;
    make_directions(dimension, v);
    const uint32_t gray = index ^ index >> 1;
    for (int k = 0; k < BITS; k++) {
        x ^= gray >> k & 1 ? v[k] : 0;
    }
    return x;
}

// Streams of random numbers: what a number is for, and two indices.
typedef enum Purpose {
    FOR_ORDER = 1,
    FOR_SAMPLE,
    FOR_SHIFT,
    FOR_JOB,
    FOR_SEED,
} Purpose;

static utRng stream(const Sweep* sweep, Purpose purpose, long long a, long long b)
{
    const int64_t key[3] = {(int64_t)purpose, a, b};
    return ut_rng(sweep->seed, ut_hash_bytes(UT_HASH_START, key, sizeof key));
}

utStatus sweep_prepare_samples(Sweep* sweep)
{
    if (sweep->sampling != SWEEP_LATIN_HYPERCUBE || sweep->sampled == 0) {
        return UT_OK;
    }
    const size_t samples = (size_t)sweep->samples;
    sweep->order =
        ut_arena_push(&sweep->memory, samples * (size_t)sweep->sampled, sizeof *sweep->order);
    if (sweep->order == NULL) {
        return UT_ERR_MEMORY;
    }
    for (int d = 0; d < sweep->sampled; d++) {
        uint32_t* order = sweep->order + (size_t)d * samples;
        utRng rng = stream(sweep, FOR_ORDER, d, 0);
        for (size_t i = 0; i < samples; i++) {
            const size_t k = (size_t)ut_rng_below(&rng, (int)i + 1); // inside-out shuffle
            order[i] = order[k];
            order[k] = (uint32_t)i;
        }
    }
    return UT_OK;
}

// Where a sample lies in a dimension, in [0, 1).
static double place_sample(const Sweep* sweep, int dimension, long long sample)
{
    if (sweep->sampling == SWEEP_SOBOL) {
        // a digital shift keeps the structure of the sequence and makes it depend on the seed
        utRng rng = stream(sweep, FOR_SHIFT, dimension, 0);
        const uint32_t shift = (uint32_t)ut_rng_u64(&rng);
        return (double)(sweep_sobol(dimension, (uint32_t)sample) ^ shift) * 0x1p-32;
    }
    utRng rng = stream(sweep, FOR_SAMPLE, sample, dimension);
    const double u = ut_rng_uniform(&rng);
    if (sweep->sampling == SWEEP_RANDOM) {
        return u;
    }
    const double n = (double)sweep->samples;
    return (sweep->order[(size_t)dimension * (size_t)sweep->samples + (size_t)sample] + u) / n;
}

// ---- values -------------------------------------------------------------------------------------

static double between(const SweepParameter* p, double u)
{
    const double x = p->is_log ? ut_expression_at(&p->log, u).value : p->lo + (p->hi - p->lo) * u;
    return fmin(fmax(x, p->lo), p->hi);
}

// A normal number within its limits: draw until one is. The limits are checked to be wide enough.
static double draw_normal(const SweepParameter* p, utRng* rng)
{
    enum { TRIES = 10000 };
    double x = p->mean;
    for (int k = 0; k < TRIES; k++) {
        x = p->mean + p->sd * ut_rng_normal(rng);
        if (x >= p->lo && x <= p->hi) {
            return x;
        }
    }
    return fmin(fmax(x, p->lo), p->hi);
}

void sweep_values(const Sweep* sweep, long long job, SweepValues* values)
{
    *values = (SweepValues){.job = job, .repeat = job % sweep->repeat};
    long long rest = job / sweep->repeat;
    if (sweep->samples > 0) {
        values->sample = rest % sweep->samples;
        rest /= sweep->samples;
    }
    utRng seeds = stream(sweep, FOR_SEED, job, 0);
    values->seed = (uint32_t)(ut_rng_u64(&seeds) >> 33);
    for (int i = sweep->parameters - 1; i >= 0; i--) {
        const SweepParameter* p = &sweep->parameter[i];
        utRng rng = stream(sweep, FOR_JOB, job, i);
        double x = 0.0;
        switch (p->kind) {
        case SWEEP_LIST:
        case SWEEP_TEXTS:
            x = p->kind == SWEEP_LIST ? p->number[rest % p->count] : (double)(rest % p->count);
            rest /= p->count;
            break;
        case SWEEP_RANGE:
            x = between(p, place_sample(sweep, p->dimension, values->sample));
            break;
        case SWEEP_UNIFORM:
            x = between(p, ut_rng_uniform(&rng));
            break;
        case SWEEP_NORMAL:
            x = draw_normal(p, &rng);
            break;
        }
        values->number[i] = x;
    }
}

// ---- texts --------------------------------------------------------------------------------------

bool sweep_has_braces(const char* text)
{
    return strpbrk(text, "{}") != NULL;
}

typedef struct Expanded {
    char* text;
    size_t size;
    bool failed; // no room
} Expanded;

static void add(Expanded* out, const char* text, size_t size)
{
    if (out->failed || size >= SWEEP_TEXT - out->size) {
        out->failed = true;
        return;
    }
    memcpy(out->text + out->size, text, size);
    out->size += size;
    out->text[out->size] = '\0';
}

static void add_number(Expanded* out, double x)
{
    char digits[UT_NUMBER_SIZE];
    const int size = ut_number_write_short(x, digits);
    add(out, digits, (size_t)size);
}

static bool is_name(utText name, const char* known)
{
    return strlen(known) == name.size && memcmp(name.data, known, name.size) == 0;
}

// Add the value of a name. @return false when there is no such parameter
static bool add_value(const Sweep* sweep, const SweepValues* values, utText name, Expanded* out)
{
    for (int i = 0; i < sweep->parameters; i++) {
        const SweepParameter* p = &sweep->parameter[i];
        if (is_name(name, p->name)) {
            if (p->kind == SWEEP_TEXTS) {
                const char* text = p->text[(int)values->number[i]];
                add(out, text, strlen(text));
            } else {
                add_number(out, values->number[i]);
            }
            return true;
        }
    }
    const double number = is_name(name, "job")      ? (double)values->job
                          : is_name(name, "seed")   ? (double)values->seed
                          : is_name(name, "repeat") ? (double)values->repeat
                                                    : -1.0;
    if (number >= 0.0) {
        add_number(out, number);
    }
    return number >= 0.0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Write the values of the parameters into an expression, and evaluate it.
static utStatus add_expression(const Sweep* sweep, const SweepValues* values, utText part,
                               Expanded* out, utError* err)
{
    char text[SWEEP_TEXT] = "", memory[4096];
    Expanded formula = {.text = text};
    for (size_t i = 0; i < part.size;) {
        size_t size = 1;
        const bool is_word = is_letter(part.data[i]);
        while (i + size < part.size && (is_word || is_digit(part.data[i])) &&
               (is_letter(part.data[i + size]) || is_digit(part.data[i + size]))) {
            size++;
        }
        const utText word = {part.data + i, size};
        const size_t before = formula.size;
        add(&formula, "(", 1);
        if (is_word && add_value(sweep, values, word, &formula)) {
            add(&formula, ")", 1);
        } else {
            formula.size = before;
            add(&formula, word.data, size);
        }
        i += size;
    }
    utArena keep = ut_arena_on(memory, sizeof memory);
    utExpression expression;
    utError why = {0};
    if (formula.failed ||
        ut_expression_read((utText){text, formula.size}, &keep, &expression, &why) != UT_OK ||
        !ut_expression_is_constant(&expression)) {
        return ut_error_set(
            err, UT_ERR_FORMAT,
            "{%.*s} is no parameter and no expression of parameters; the parameters "
            "are the members of \"parameters\", job, seed and repeat",
            (int)(part.size < 60 ? part.size : 60), part.data);
    }
    const double x = ut_expression_at(&expression, 0.0).value;
    if (!isfinite(x)) {
        return ut_error_set(err, UT_ERR_FORMAT, "{%.*s} is not a finite number in job %lld",
                            (int)(part.size < 60 ? part.size : 60), part.data, values->job);
    }
    add_number(out, x);
    return UT_OK;
}

utStatus sweep_expand(const Sweep* sweep, const SweepValues* values, const char* text,
                      char expanded[SWEEP_TEXT], utError* err)
{
    Expanded out = {.text = expanded};
    expanded[0] = '\0';
    while (*text != '\0') {
        const size_t plain = strcspn(text, "{}");
        add(&out, text, plain);
        text += plain;
        if (*text == '\0') {
            break;
        }
        const size_t inside = *text == '{' ? strcspn(text + 1, "{}") : 0;
        if (*text == '}' || text[1 + inside] != '}') {
            return ut_error_set(err, UT_ERR_FORMAT, "a brace without its other half");
        }
        const utText part = {text + 1, inside};
        if (!add_value(sweep, values, part, &out)) {
            UT_TRY(add_expression(sweep, values, part, &out, err));
        }
        text += inside + 2;
    }
    return out.failed
               ? ut_error_set(err, UT_ERR_FORMAT, "a text is longer than %d bytes with its values",
                              SWEEP_TEXT - 1)
               : UT_OK;
}
