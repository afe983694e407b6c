// SPDX-License-Identifier: Apache-2.0
#include "exceptions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { LINE = 600 };

// Find the line that begins with two words. @param rest receives what follows them; LINE bytes
static bool find_line(const char* list, const char* first, const char* second, char* rest)
{
    FILE* file = fopen(list, "r");
    char line[LINE], a[LINE], b[LINE];
    bool found = false;
    while (CHECK(file != NULL) && !found && fgets(line, sizeof line, file) != NULL) {
        int used = 0;
        if (line[0] != '#' && sscanf(line, "%599s %599s %n", a, b, &used) == 2) {
            found = strcmp(a, first) == 0 && (strcmp(b, second) == 0 || strcmp(b, "*") == 0);
            memcpy(rest, line + used, strlen(line + used) + 1);
            rest[strcspn(rest, "\n")] = 0;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

bool exception_expected(const char* file, const char* quantity)
{
    char rest[LINE];
    return find_line("test/robots/exceptions.txt", file, quantity, rest);
}

const char* model_expected(const char* path, char* reason)
{
    static const char* const kinds[] = {"refused", "limited"};
    char rest[LINE];
    reason[0] = 0;
    for (int k = 0; k < 2; k++) {
        if (find_line("test/robots/models.txt", path, kinds[k], rest)) {
            (void)snprintf(reason, 200, "%.199s", rest);
            return kinds[k];
        }
    }
    return "runs";
}

bool model_runs_are_short(void)
{
    return getenv("UPTACK_MODEL_SECONDS") != NULL;
}

double model_seconds(const char* path, double standard)
{
    char rest[LINE];
    const char* limit = getenv("UPTACK_MODEL_SECONDS");
    const double most = limit != NULL ? strtod(limit, NULL) : standard;
    const double listed =
        find_line("test/robots/models.txt", path, "slow", rest) ? strtod(rest, NULL) : standard;
    return listed < most ? listed : most;
}
