// SPDX-License-Identifier: Apache-2.0
#include "figures.h"

#include <stdio.h>
#include <string.h>

static int words_of(const char* begin, const char* end)
{
    int words = 1;
    for (const char* at = begin; at < end; at++) {
        words += *at == ' ';
    }
    return words;
}

static bool read_line(const char* begin, const char* end, utArena* keep, Figure* figure)
{
    int used = 0;
    if (sscanf(begin, "%23s%n", figure->name, &used) != 1) {
        return false;
    }
    figure->count = words_of(begin, end) - 1;
    figure->x = UT_PUSH(keep, double, figure->count);
    const char* at = figure->x != NULL ? begin + used : NULL;
    for (int i = 0; i < figure->count && at != NULL; i++) {
        at = at < end && *at == ' ' ? ut_number_read(at + 1, end, &figure->x[i]) : NULL;
    }
    return at == end;
}

static int lines_of(utText text)
{
    int lines = 0;
    for (size_t i = 0; i < text.size; i++) {
        lines += text.data[i] == '\n';
    }
    return lines;
}

static bool read_lines(utText text, utArena* keep, Figures* figures)
{
    figures->figure = UT_PUSH(keep, Figure, lines_of(text));
    int state = FIGURES_OF_MODEL;
    const char* end;
    for (const char* at = text.data; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        Figure* next = &figures->figure[figures->count];
        if (*at == '#') {
            continue;
        }
        if (!read_line(at, end, keep, next)) {
            return false;
        }
        if (strcmp(next->name, "state") == 0) {
            state = figures->states++;
        } else {
            next->state = state;
            figures->count++;
        }
    }
    return figures->count > 0;
}

bool figures_read(const char* path, utArena* keep, Figures* figures)
{
    utText text;
    utError err = {0};
    *figures = (Figures){0};
    if (!CHECK(ut_text_read(path, 0, keep, &text, &err) == UT_OK) ||
        !CHECK(read_lines(text, keep, figures))) {
        test_note("%s cannot be read", path);
        return false;
    }
    return true;
}

Figure figures_find(const Figures* figures, int state, const char* name)
{
    for (int i = 0; i < figures->count; i++) {
        if (figures->figure[i].state == state && strcmp(figures->figure[i].name, name) == 0) {
            return figures->figure[i];
        }
    }
    const bool found = false;
    CHECK(found);
    test_note("no '%s' in state %d", name, state);
    return (Figure){0};
}
