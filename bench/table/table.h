// SPDX-License-Identifier: Apache-2.0
// What the files of the table share: the rows of all benchmarks, read again.
#ifndef UPTACK_BENCH_TABLE_H
#define UPTACK_BENCH_TABLE_H

#include <stdio.h>
#include <uptack/json.h>

enum { ROWS_MAX = 8192 };

/// All rows in the order in which they came (support/rows.h).
typedef struct Book {
    int count;
    const utJson* row[ROWS_MAX];
    const char* machine; ///< processor and date
} Book;

/// A member of a row: "" or NAN when it is missing or null.
const char* row_text_of(const utJson* row, const char* key);
double row_number_of(const utJson* row, const char* key);
bool row_is(const utJson* row, const char* key, const char* text);

void book_markdown(FILE* out, const Book* book);
void book_json(FILE* out, const Book* book);
void book_svg(FILE* out, const Book* book);

#endif
