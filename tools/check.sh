#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What has to hold before a change is shared: `make check`, or tools/check.sh STAGE... for some of it.
set -u

cd "$(dirname "$0")/.." || exit 1
mkdir -p build/check

format() {
    tools/format
}

layers() {
    tools/layers && tools/layers --self-test
}

# warnings COMPILER: everything, optimised so that flow warnings work, with the assertions in
warnings() {
    cmake -S . -B "build/check/$1" -G Ninja -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE=-O2 && cmake --build "build/check/$1"
}

gcc_warnings() {
    warnings gcc
}

clang_warnings() {
    warnings clang
}

# each public header by itself, as the oldest C and as the C++ that users may compile it with
headers() {
    for header in include/uptack/*.h; do
        for language in 'c -std=c99' 'c -std=c17' 'c++ -std=c++11'; do
            # shellcheck disable=SC2086 # a language and its standard
            echo "#include <${header#include/}>" |
                clang -fsyntax-only -Wall -Wextra -Wpedantic -Werror -Iinclude -x $language - ||
                return 1
        done
    done
}

tidy() {
    if [ ! -f build/check/clang/compile_commands.json ]; then
        clang_warnings || return 1
    fi
    find src apps examples -name '*.c' | LC_ALL=C sort |
        xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 4 clang-tidy --quiet -p build/check/clang
}

dev_tests() {
    cmake --preset dev && cmake --build build/dev && tools/test-summary build/dev
}

if [ $# -eq 0 ]; then
    set -- format layers gcc_warnings clang_warnings headers tidy dev_tests
fi
passed=0
failed=0
for stage in "$@"; do
    start=$(date +%s)
    if "$stage" >"build/check/$stage.log" 2>&1; then
        verdict=ok
        passed=$((passed + 1))
    else
        verdict=FAIL
        failed=$((failed + 1))
        cat "build/check/$stage.log"
    fi
    printf '%-4s %-16s %4d s  %s\n' "$verdict" "$stage" $(($(date +%s) - start)) \
        "$(grep -E '^[0-9]+ passed, [0-9]+ failed' "build/check/$stage.log" | tail -n 1)"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
