// SPDX-License-Identifier: Apache-2.0
// The table of `make bench`: reads the rows that the benchmarks left in results/ beside this program,
// prints the table and writes it as bench.md, bench.json and bench.svg to the same folder.
//
//   bench_table [FOLDER]
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/bench.h"
#include "table.h"

// ---- rows ---------------------------------------------------------------------------------------

const char* row_text_of(const utJson* row, const char* key)
{
    const utJson* member = ut_json_member(row, key);
    return member != NULL && member->type == UT_JSON_STRING ? member->string.data : "";
}

double row_number_of(const utJson* row, const char* key)
{
    const utJson* member = ut_json_member(row, key);
    if (member != NULL && member->type == UT_JSON_BOOL) {
        return member->boolean ? 1.0 : 0.0;
    }
    return member != NULL && member->type == UT_JSON_NUMBER ? member->number : (double)NAN;
}

bool row_is(const utJson* row, const char* key, const char* text)
{
    return strcmp(row_text_of(row, key), text) == 0;
}

// A line that was cut off in the middle, because a run was interrupted, is left out.
static void read_lines(Book* book, const char* path, utArena* keep)
{
    utText text;
    utError err = {0};
    if (ut_text_read(path, 0, keep, &text, &err) != UT_OK) {
        return;
    }
    for (const char* at = text.data; at < text.data + text.size && book->count < ROWS_MAX;) {
        const char* end = memchr(at, '\n', (size_t)(text.data + text.size - at));
        const utText line = {at, (size_t)((end != NULL ? end : text.data + text.size) - at)};
        const utJson* row = NULL;
        if (line.size > 0 && ut_json_read(line, path, keep, &row, &err) == UT_OK) {
            book->row[book->count++] = row;
        }
        at = line.data + line.size + 1;
    }
}

// ---- the machine --------------------------------------------------------------------------------

static const char* processor(char* text, size_t size)
{
    FILE* file = fopen("/proc/cpuinfo", "r");
    char line[256];
    snprintf(text, size, "unknown processor");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char* colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(text, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static const char* machine(char* text, size_t size)
{
    char cpu[128], day[32];
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(day, sizeof day, "%Y-%m-%d %H:%M UTC", &utc);
    snprintf(text, size, "%s, %s", processor(cpu, sizeof cpu), day);
    return text;
}

// ---- files --------------------------------------------------------------------------------------

typedef void Writer(FILE* out, const Book* book);

static bool write_file(const char* folder, const char* name, Writer* writer, const Book* book)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        return false;
    }
    writer(file, book);
    if (fclose(file) != 0) {
        perror(path);
        return false;
    }
    printf("%s\n", path);
    return true;
}

int main(int argc, char** argv)
{
    static const char* const parts[] = {"engines", "lcp", "coulomb", "growth"};
    static Book book;
    char folder[PATH_MAX], path[PATH_MAX], text[256];
    utArena arena;
    if (argc > 2 || ut_arena_create(0, NULL, &arena) != UT_OK) {
        fputs("usage: bench_table [FOLDER]\n", stderr);
        return 2;
    }
    bench_results_path(argv[0], "", folder, sizeof folder);
    folder[strlen(folder) - 1] = '\0'; // the slash before no name
    if (argc == 2) {
        snprintf(folder, sizeof folder, "%s", argv[1]);
    }
    utArena keep = arena;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const int length = snprintf(path, sizeof path, "%s/%s.jsonl", folder, parts[i]);
        if (length < (int)sizeof path) {
            read_lines(&book, path, &keep);
        }
    }
    book.machine = machine(text, sizeof text);
    book_markdown(stdout, &book);
    printf("\n");
    const bool written = write_file(folder, "bench.md", book_markdown, &book) &&
                         write_file(folder, "bench.json", book_json, &book) &&
                         write_file(folder, "bench.svg", book_svg, &book);
    ut_arena_destroy(&arena);
    return written ? 0 : 1;
}
