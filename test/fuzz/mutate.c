// SPDX-License-Identifier: Apache-2.0
// A small fuzzer: good inputs with one to four places changed, the same ones on every machine.
//
//   fuzz_NAME                    as many runs as a test may take; UPTACK_FUZZ_RUNS for other
//   numbers,
//                                UPTACK_FUZZ_SEED for other changes
//   fuzz_NAME --run K            one run alone; prints its input
//   fuzz_NAME FILE               the input of a file, for example one that libFuzzer found
//   fuzz_NAME --seeds FOLDER     the good inputs as files, for libFuzzer
#define _XOPEN_SOURCE 700
#include "fuzz.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { MAX_SEEDS = 64 };

// of the processor, for one input; the sanitizers take their time
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(SANITIZED)
enum { SECONDS = 100 };
#else
enum { SECONDS = 10 };
#endif

typedef struct Input {
    uint8_t data[FUZZ_ROOM];
    size_t size;
} Input;

static Input seeds[MAX_SEEDS];
static int seed_count, word_count;
static volatile sig_atomic_t current; // run

// ---- changes
// --------------------------------------------------------------------------------------

static size_t below(utRng* rng, size_t n)
{
    return (size_t)ut_rng_below(rng, (int)n);
}

// Put `with` in place of `count` bytes at `at`.
static void replace(Input* in, size_t at, size_t count, const void* with, size_t size)
{
    if (in->size - count + size > FUZZ_ROOM) {
        return;
    }
    memmove(in->data + at + size, in->data + at + count, in->size - at - count);
    memcpy(in->data + at, with, size);
    in->size += size - count;
}

// The word around a place: up to the next quote or blank.
static void replace_word(Input* in, size_t at, const char* word)
{
    size_t begin = at, end = at;
    while (begin > 0 && strchr(" \"'\n<>=(),", in->data[begin - 1]) == NULL) {
        begin--;
    }
    while (end < in->size && strchr(" \"'\n<>=(),", in->data[end]) == NULL) {
        end++;
    }
    replace(in, begin, end - begin, word, strlen(word));
}

// A number of a binary form becomes an extreme one.
static void replace_number(utRng* rng, Input* in, size_t at)
{
    static const double numbers[] = {0.0,    -0.0,        1.0,      -1.0,     1e-300, 1e-30,
                                     1e-9,   1e9,         -1e30,    1e150,    1e300,  -1e308,
                                     5e-324, (double)NAN, HUGE_VAL, -HUGE_VAL};
    static const int32_t integers[] = {0, 1, -1, 2, 255, 65536, INT32_MAX, INT32_MIN};
    const bool whole = ut_rng_below(rng, 3) == 0;
    const size_t size = whole ? 4 : 8;
    const double number = numbers[below(rng, sizeof numbers / sizeof *numbers)];
    const int32_t integer = integers[below(rng, sizeof integers / sizeof *integers)];
    at -= at % size;
    if (at + size <= in->size) {
        memcpy(in->data + at, whole ? (const void*)&integer : (const void*)&number, size);
    }
}

// The next number of a text becomes another one, so that the text stays well-formed.
static void replace_decimal(utRng* rng, Input* in, size_t at)
{
    // no large ones, because bodies that overlap by 1e9 m take the solver seconds
    static const char* const numbers[] = {"0",    "1",      "-1",  "2",     "3", "0.5", "-0",
                                          "1e-9", "1e-300", "100", "-1e-5", "4", "6",   "0.01"};
    while (at < in->size && (in->data[at] < '0' || in->data[at] > '9')) {
        at++;
    }
    if (at < in->size) {
        replace_word(in, at, numbers[below(rng, sizeof numbers / sizeof *numbers)]);
    }
}

static void change(utRng* rng, Input* in)
{
    if (in->size == 0) {
        return;
    }
    const size_t at = below(rng, in->size);
    const Input* other = &seeds[below(rng, (size_t)seed_count)];
    const size_t from = below(rng, other->size);
    const size_t count = 1 + below(rng, 60);
    const char* word = fuzz_words[below(rng, (size_t)word_count)];
    switch (ut_rng_below(rng, 14)) {
    case 0:
        in->data[at] = (uint8_t)ut_rng_below(rng, 256);
        break;
    case 1:
        in->data[at] ^= (uint8_t)(1 << ut_rng_below(rng, 8));
        break;
    case 2:
        replace(in, at, count < in->size - at ? count : in->size - at, "", 0);
        break;
    case 3:
        replace(in, at, 0, other->data + from,
                count < other->size - from ? count : other->size - from);
        break;
    case 4:
        replace(in, at, 0, word, strlen(word));
        break;
    case 5:
        in->size = ut_rng_below(rng, 20) == 0 ? at : in->size;
        break;
    case 6:
    case 7:
        replace_number(rng, in, at);
        break;
    case 8:
    case 9:
    case 10:
    case 11:
        replace_decimal(rng, in, at);
        break;
    default: // what stays well-formed gets deepest
        replace_word(in, at, word);
        break;
    }
}

// Every run by itself, so that one can be repeated.
static void make_input(uint64_t seed, int run, Input* in)
{
    utRng rng = ut_rng(seed, (uint64_t)run);
    *in = seeds[below(&rng, (size_t)seed_count)];
    for (int k = 1 + ut_rng_below(&rng, 4); k > 0; k--) {
        change(&rng, in);
    }
}

// ---- runs
// -------------------------------------------------------------------------------------------

static void say_run(void)
{
    fprintf(stderr, "in run %d; `--run %d` repeats it\n", (int)current, (int)current);
}

static void stop(int signal_number)
{
    if (signal_number == SIGVTALRM) {
        fprintf(stderr, "an input takes more than %d s\n", SECONDS);
    }
    say_run();
    _exit(1);
}

// the sanitizers' own, where they are there
extern void __sanitizer_set_death_callback(void (*call)(void)) __attribute__((weak));

static void watch(void)
{
    signal(SIGVTALRM, stop);
    signal(SIGABRT, stop);
    signal(SIGSEGV, stop);
    if (__sanitizer_set_death_callback != NULL) {
        __sanitizer_set_death_callback(say_run);
    }
}

static void run_one(const Input* in)
{
    // memory of that very size, for the sanitizers
    uint8_t* data = malloc(in->size > 0 ? in->size : 1);
    const struct itimerval most = {.it_value = {.tv_sec = SECONDS}};
    memcpy(data, in->data, in->size);
    setitimer(ITIMER_VIRTUAL, &most, NULL);
    LLVMFuzzerTestOneInput(data, in->size);
    free(data);
}

static int from_environment(const char* name, int otherwise)
{
    const char* text = getenv(name);
    return text != NULL ? atoi(text) : otherwise;
}

static int write_seeds(const char* folder)
{
    for (int k = 0; k < seed_count; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/seed%02d", folder, k);
        FILE* file = fopen(path, "wb");
        if (file == NULL || fwrite(seeds[k].data, 1, seeds[k].size, file) != seeds[k].size ||
            fclose(file) != 0) {
            fprintf(stderr, "%s cannot be written\n", path);
            return 1;
        }
    }
    return 0;
}

int main(int argc, char** argv)
{
    while (seed_count < MAX_SEEDS &&
           (seeds[seed_count].size = fuzz_seed(seed_count, seeds[seed_count].data)) > 0) {
        seed_count++;
    }
    while (fuzz_words[word_count] != NULL) {
        word_count++;
    }
    if (argc == 3 && strcmp(argv[1], "--seeds") == 0) {
        return write_seeds(argv[2]);
    }
    static Input in;
    const uint64_t seed = (uint64_t)from_environment("UPTACK_FUZZ_SEED", 1);
    watch();
    if (argc == 3 && strcmp(argv[1], "--run") == 0) {
        current = atoi(argv[2]);
        make_input(seed, (int)current, &in);
        fwrite(in.data, 1, in.size, stdout);
        fflush(stdout);
        run_one(&in);
        return 0;
    }
    if (argc == 2) {
        in.size = fuzz_file(argv[1], in.data);
        run_one(&in);
        return 0;
    }
    // as they are, good inputs are good
    for (int k = 0; k < seed_count; k++) {
        current = -1 - k;
        run_one(&seeds[k]);
    }
    const int runs = from_environment("UPTACK_FUZZ_RUNS", fuzz_runs);
    for (int run = 0; run < runs; run++) {
        current = run;
        make_input(seed, run, &in);
        run_one(&in);
    }
    printf("note: %d good inputs, %d with changes\n1 passed, 0 failed\n", seed_count, runs);
    return 0;
}
