// SPDX-License-Identifier: Apache-2.0
// The table of elements in docs/models.md is that of the reader. With UPTACK_WRITE_SUPPORT set
// (tools/support-table) the test writes the table into the page first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/io.h>

#include "test.h"

static const char page_path[] = "docs/models.md";
static const char begin[] = "<!-- begin of the table of tools/support-table -->\n";
static const char end[] = "<!-- end of the table of tools/support-table -->";

enum { ROOM = 1 << 17 };

static size_t read_page(char page[ROOM])
{
    FILE* file = fopen(page_path, "r");
    const size_t size = file != NULL ? fread(page, 1, ROOM - 1, file) : 0;
    page[size] = 0;
    if (CHECK(file != NULL)) {
        (void)fclose(file);
    }
    return size;
}

static void write_page(const char* page, const char* from, const char* to, const char* table)
{
    FILE* file = fopen(page_path, "w");
    if (CHECK(file != NULL)) {
        (void)fprintf(file, "%.*s%s%s", (int)(from - page), page, table, to);
        (void)fclose(file);
    }
}

TEST(the_page_has_the_readers_own_table)
{
    static char page[ROOM], table[ROOM];
    const size_t size = ut_mjcf_support(table, sizeof table);
    CHECK(size > 1000 && size < sizeof table);
    (void)read_page(page);
    const char* from = strstr(page, begin);
    const char* to = strstr(page, end);
    if (!CHECK(from != NULL && to != NULL)) {
        return;
    }
    from += strlen(begin);
    if (getenv("UPTACK_WRITE_SUPPORT") != NULL) {
        write_page(page, from, to, table);
    } else if (!CHECK((size_t)(to - from) == size && memcmp(from, table, size) == 0)) {
        test_note("run tools/support-table");
    }
}

TEST(a_table_that_does_not_fit_is_cut_and_its_size_known)
{
    char small[20];
    const size_t size = ut_mjcf_support(NULL, 0);
    CHECK_INT(ut_mjcf_support(small, sizeof small), size);
    CHECK_INT(strlen(small), sizeof small - 1);
}
