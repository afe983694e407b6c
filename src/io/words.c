// SPDX-License-Identifier: Apache-2.0
// Words: copies, lists of words in one text, and the known word nearest to a misspelt one.
#include "internal.h"

#include <string.h>

#include "base/internal.h"

bool ut_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

char* ut_io_keep_text(utArena* keep, const char* text, size_t size)
{
    char* copy = ut_arena_pack(keep, size + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
        copy[size] = 0;
    }
    return copy;
}

bool ut_word_next(const char** list, utText* word)
{
    const char* at = *list;
    while (ut_is_blank(*at)) {
        at++;
    }
    word->data = at;
    while (*at != 0 && !ut_is_blank(*at)) {
        at++;
    }
    word->size = (size_t)(at - word->data);
    *list = at;
    return word->size > 0;
}

bool ut_word_is(utText word, const char* text)
{
    return strlen(text) == word.size && memcmp(word.data, text, word.size) == 0;
}

bool ut_word_in(const char* list, const char* text)
{
    utText word;
    while (ut_word_next(&list, &word)) {
        if (ut_word_is(word, text)) {
            return true;
        }
    }
    return false;
}

Nearest ut_nearest_to(const char* misspelt)
{
    // accept one wrong letter in words of three letters, two in words of six
    const size_t size = strlen(misspelt);
    const int near = size < 3 ? 0 : size < 6 ? 1 : 2;
    return (Nearest){.to = misspelt, .distance = size < WORD_SIZE ? near + 1 : 0};
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

// The number of letters to insert, remove, replace or swap with their neighbour (optimal string
// alignment).
static int edit_distance(utText a, const char* b, int size)
{
    int row[3][WORD_SIZE + 1] = {{0}};
    int *before = row[0], *last = row[1], *now = row[2];
    for (int j = 0; j <= size; j++) {
        now[j] = j;
    }
    for (int i = 1; i <= (int)a.size; i++) {
        int* oldest = before;
        before = last;
        last = now;
        now = oldest;
        now[0] = i;
        for (int j = 1; j <= size; j++) {
            const char x = a.data[i - 1], y = b[j - 1];
            now[j] = smaller(smaller(last[j], now[j - 1]) + 1, last[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == b[j - 2] && a.data[i - 2] == y) {
                now[j] = smaller(now[j], before[j - 2] + 1);
            }
        }
    }
    return now[size];
}

void ut_nearest_try(Nearest* nearest, utText word)
{
    if (nearest->distance == 0 || word.size >= WORD_SIZE) {
        return;
    }
    const int distance = edit_distance(word, nearest->to, (int)strlen(nearest->to));
    if (distance < nearest->distance) {
        nearest->distance = distance;
        memcpy(nearest->word, word.data, word.size);
        nearest->word[word.size] = 0;
    }
}
