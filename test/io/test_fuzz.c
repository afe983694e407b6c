// Models with random damage: whatever comes out, the reader answers with a model or with an error
// that has a place, and the sanitizers find nothing. Longer runs: UPTACK_FUZZ_RUNS and
// UPTACK_FUZZ_SEED.
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 9, ROOM = 1 << 14 };

static const char* const seeds[SEEDS] = {"noted",  "joints", "defaults",  "masses", "bounds",
                                         "groups", "radian", "inertials", "planar"};

// Words that numbers and names turn into.
static const char* const words[] = {
    "nan",     "-1",     "0",      "1e308", "1e-320", "-0",    "",          "9999999999",
    "1e400",   "0 0 0",  "1 2 3",  "auto",  "true",   "false", "free",      "plane",
    "capsule", "'",      "\"",     "<",     "/>",     "&#48;", "&lt;",      "<![CDATA[",
    "]]>",     "<!--",   "-->",    "class", "joint",  "<geom", "</body>",   "<body>",
    "\xff",    "ut:run", "xmlns=", "world", "\n",     "\t",    "<default>", "fromto"};
enum { WORDS = sizeof words / sizeof words[0] };

typedef struct Text {
    char data[ROOM];
    int size;
} Text;

// Put `with` in place of `count` bytes at `at`.
static void replace(Text* t, int at, int count, const char* with, int size)
{
    if (t->size - count + size > ROOM) {
        return;
    }
    memmove(t->data + at + size, t->data + at + count, (size_t)(t->size - at - count));
    memcpy(t->data + at, with, (size_t)size);
    t->size += size - count;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// The word around a place: up to the next quote or blank.
static void find_word(const Text* t, int at, int* begin, int* end)
{
    *begin = *end = at;
    while (*begin > 0 && strchr(" \"\n<>=", t->data[*begin - 1]) == NULL) {
        (*begin)--;
    }
    while (*end < t->size && strchr(" \"\n<>=", t->data[*end]) == NULL) {
        (*end)++;
    }
}

static void damage(utRng* rng, const Text* all, Text* t)
{
    if (t->size == 0) {
        return;
    }
    const int at = ut_rng_below(rng, t->size);
    int begin, end;
    find_word(t, at, &begin, &end);
    const char* word = words[ut_rng_below(rng, WORDS)];
    const Text* other = &all[ut_rng_below(rng, SEEDS)];
    const int from = ut_rng_below(rng, other->size);
    const int count = 1 + ut_rng_below(rng, 60);
    switch (ut_rng_below(rng, 7)) {
    case 0:
        t->data[at] = (char)ut_rng_below(rng, 256);
        break;
    case 1:
        replace(t, at, least(count, t->size - at), "", 0);
        break;
    case 2:
        replace(t, at, 0, other->data + from, least(count, other->size - from));
        break;
    case 3:
        replace(t, at, 0, word, (int)strlen(word));
        break;
    case 4:
        t->size = ut_rng_below(rng, 20) == 0 ? at : t->size;
        break;
    default: // a value or a name: what stays well-formed gets deepest
        replace(t, begin, end - begin, word, (int)strlen(word));
        break;
    }
}

// @return whether it loaded
static bool try_text(const Text* t, int run)
{
    utMjcfDef how = ut_mjcf_def();
    how.read = NULL;
    utModelDef* def = NULL;
    utModel* model = NULL;
    utNotes notes = {0};
    utError err = {0};
    if (!CHECK(ut_model_def_create(NULL, &def) == UT_OK)) {
        return false;
    }
    const utText text = {t->data, (size_t)t->size};
    const utStatus status = ut_mjcf_read(text, "fuzz.xml", &how, def, &notes, &err);
    if (status != UT_OK && !CHECK(status == UT_ERR_FORMAT && err.line >= 1 && err.column >= 1 &&
                                  err.message[0] != 0 && strcmp(err.file, "fuzz.xml") == 0)) {
        test_note("run %d: status %d, %d:%d: %s", run, (int)status, err.line, err.column,
                  err.message);
    }
    if (status == UT_OK && ut_model_compile(def, NULL, &model, &err) != UT_OK) {
        CHECK(err.message[0] != 0);
    }
    ut_notes_destroy(&notes);
    ut_model_destroy(model, NULL);
    ut_model_def_destroy(def);
    return status == UT_OK;
}

static int from_environment(const char* name, int otherwise)
{
    const char* text = getenv(name);
    return text != NULL ? atoi(text) : otherwise;
}

TEST(damaged_models_are_read_or_refused)
{
    static Text all[SEEDS];
    for (int i = 0; i < SEEDS; i++) {
        char path[128];
        utArena arena = test_arena();
        utText text;
        utError err;
        snprintf(path, sizeof path, "test/io/models/%s.xml", seeds[i]);
        if (!CHECK(ut_text_read(path, ROOM, &arena, &text, &err) == UT_OK)) {
            return;
        }
        memcpy(all[i].data, text.data, text.size);
        all[i].size = (int)text.size;
    }
    const int runs = from_environment("UPTACK_FUZZ_RUNS", 100000);
    utRng rng = ut_rng((uint64_t)from_environment("UPTACK_FUZZ_SEED", 1), 0);
    int read = 0;
    for (int run = 0; run < runs; run++) {
        static Text t;
        t = all[ut_rng_below(&rng, SEEDS)];
        for (int k = 1 + ut_rng_below(&rng, 3); k > 0; k--) {
            damage(&rng, all, &t);
        }
        read += try_text(&t, run);
    }
    test_note("%d runs, %d of them read as models", runs, read);
    // neither side of the reader is left out
    CHECK(read > runs / 100 && read < runs - runs / 100);
}
