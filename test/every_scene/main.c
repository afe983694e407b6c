// SPDX-License-Identifier: Apache-2.0
// The command line: which mode, which scenes, how many steps.
#include "every.h"

#include <stdlib.h>
#include <string.h>

typedef struct Mode {
    const char* name;
    void (*run)(const Options* o, Verdict* verdict);
    int steps, quick_steps;
    double seconds, quick_seconds;
} Mode;

static const Mode modes[] = {
    {"steps", mode_steps, 2000, 100, 0.0, 0.0},
    {"snapshots", mode_snapshots, 500, 40, 0.0, 0.0},
    {"allocations", mode_allocations, 1000, 50, 0.0, 0.0},
    {"creep", mode_creep, 0, 0, 60.0, 0.2},
    {"standing", mode_standing, 0, 0, 10.0, 0.5},
    {"isotropy", mode_isotropy, 0, 0, 0.0, 0.0},
    {"adaptive", mode_adaptive, 0, 0, 1.0, 0.2},
};
enum { MODES = sizeof modes / sizeof *modes };

bool count_case(Verdict* verdict, bool ok)
{
    verdict->passed += ok;
    verdict->failed += !ok;
    return ok;
}

static int usage(void)
{
    fprintf(stderr, "usage: every_scene MODE [--quick] [--scene NAME]... [--skip NAME]... "
                    "[--steps N] [--moments N] [--span N] [--warm-up N] [--seconds S] "
                    "[--problems FOLDER]\nmodes: all");
    for (int i = 0; i < MODES; i++) {
        fprintf(stderr, " %s", modes[i].name);
    }
    fprintf(stderr, " list\n");
    return 2;
}

// What was said on the command line; -1 or NULL where nothing was.
typedef struct Words {
    const char* mode;
    Names scenes, skipped;
    Options o;
} Words;

static bool read_count(const char* text, int* value)
{
    char* end;
    const long x = strtol(text, &end, 10);
    *value = (int)x;
    return end != text && *end == '\0' && x >= 0 && x <= 1000000000;
}

static bool read_option(const char* option, const char* value, Words* w)
{
    if (value == NULL) {
        return false;
    }
    if (strcmp(option, "--scene") == 0) {
        add_name(&w->scenes, value);
        return true;
    }
    if (strcmp(option, "--skip") == 0) {
        add_name(&w->skipped, value);
        return true;
    }
    if (strcmp(option, "--problems") == 0) {
        w->o.problems = value;
        return true;
    }
    if (strcmp(option, "--snapshot") == 0) {
        w->o.snapshot = value;
        return true;
    }
    if (strcmp(option, "--seconds") == 0) {
        char* end;
        w->o.seconds = strtod(value, &end);
        return end != value && *end == '\0' && w->o.seconds > 0.0;
    }
    int* const counts[] = {&w->o.steps, &w->o.moments, &w->o.span, &w->o.warm_up};
    static const char* const names[] = {"--steps", "--moments", "--span", "--warm-up"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(option, names[i]) == 0) {
            return read_count(value, counts[i]);
        }
    }
    return false;
}

static bool read_words(int argc, char** argv, Words* w)
{
    *w = (Words){.o = {.program = argv[0], .steps = -1, .moments = -1, .span = -1, .warm_up = -1}};
    w->o.seconds = -1.0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            w->o.quick = true;
        } else if (strncmp(argv[i], "--", 2) == 0) {
            if (!read_option(argv[i], argv[i + 1], w)) {
                return false;
            }
            i++;
        } else if (w->mode == NULL) {
            w->mode = argv[i];
        } else {
            return false;
        }
    }
    return w->mode != NULL;
}

// The scenes asked for, or all but those that are skipped.
static void choose_scenes(const Words* w, Options* o)
{
    static Names all;
    all.count = 0;
    list_scenes(o->quick, &all);
    const Names* from = w->scenes.count > 0 ? &w->scenes : &all;
    o->scenes.count = 0;
    for (int i = 0; i < from->count; i++) {
        if (!has_name(&w->skipped, from->name[i])) {
            add_name(&o->scenes, from->name[i]);
        }
    }
}

static void run_mode(const Mode* mode, const Options* given, Verdict* verdict)
{
    static Options o;
    o = *given;
    o.steps = o.steps >= 0 ? o.steps : o.quick ? mode->quick_steps : mode->steps;
    o.seconds = o.seconds > 0.0 ? o.seconds : o.quick ? mode->quick_seconds : mode->seconds;
    o.moments = o.moments >= 0 ? o.moments : o.quick ? 2 : 20;
    o.span = o.span > 0 ? o.span : o.quick ? 60 : 1500;
    o.warm_up = o.warm_up >= 0 ? o.warm_up : o.quick ? 20 : 200;
    printf("== %s\n", mode->name);
    mode->run(&o, verdict);
}

int main(int argc, char** argv)
{
    static Words w;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!read_words(argc, argv, &w)) {
        return usage();
    }
    choose_scenes(&w, &w.o);
    if (strcmp(w.mode, "resume") == 0) {
        return mode_resume(&w.o);
    }
    if (strcmp(w.mode, "list") == 0) {
        for (int i = 0; i < w.o.scenes.count; i++) {
            printf("%s\n", w.o.scenes.name[i]);
        }
        return 0;
    }
    Verdict verdict = {0, 0};
    bool known = false;
    for (int i = 0; i < MODES; i++) {
        if (strcmp(w.mode, modes[i].name) == 0 || strcmp(w.mode, "all") == 0) {
            known = true;
            run_mode(&modes[i], &w.o, &verdict);
        }
    }
    if (!known) {
        return usage();
    }
    printf("%d passed, %d failed\n", verdict.passed, verdict.failed);
    // a run in which nothing was tried is not a success
    return verdict.failed > 0 || verdict.passed == 0;
}
