#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# printed.sh SOURCE OUT: write every complete C program of README.md and docs/*.md to
# OUT/page_NAME_K.c, the example of uptack/sim.h within a program to OUT/sim_h.c, and the program in
# the opening comment of uptack/uptack.h to OUT/first.c.
set -eu

rm -f "$2"/page_*.c
for page in "$1/README.md" "$1"/docs/*.md; do
    name=$(basename "$page" .md | tr 'A-Z-' 'a-z_')
    awk -v out="$2/page_$name" '
        /^```c$/ { text = ""; inside = 1; next }
        /^```/ && inside {
            if (text ~ /int main\(/) printf "%s", text >(out "_" (++count) ".c")
            inside = 0
        }
        inside { text = text $0 "\n" }
    ' "$page"
done

{
    cat <<'END'
#include <string.h>
#include <uptack/uptack.h>

static utStatus simulate(const utModel* model, utError* err_place)
{
    utError err = {0};
END
    awk '/^\/\/\/     / { sub(/^\/\/\/ /, ""); print; found = 1; next } found { exit }' "$1/include/uptack/sim.h"
    cat <<'END'
    *err_place = err;
    return status;
}

int main(void)
{
    static const char text[] = "<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>";
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err;
    utStatus status = ut_model_def_create(NULL, &def);
    if (status == UT_OK) {
        status = ut_mjcf_read((utText){text, strlen(text)}, "text", NULL, def, NULL, &err);
    }
    if (status == UT_OK) {
        status = ut_model_compile(def, NULL, &model, &err);
    }
    if (status == UT_OK) {
        status = simulate(model, &err);
    }
    ut_model_destroy(model);
    ut_model_def_destroy(def);
    return status == UT_OK ? 0 : 1;
}
END
} >"$2/sim_h.c"

awk '
    /^#ifndef/ { exit }
    /^\/\/\/     / {
        sub(/^\/\/\/     /, "")
        if (/^#include/) inside = 1
        if (inside) print blank $0
        blank = ""
        next
    }
    /^\/\/\/$/ && inside { blank = "\n"; next }
    inside { exit }
' "$1/include/uptack/uptack.h" >"$2/first.c"
