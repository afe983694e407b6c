#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All checks before a change is shared: `make check`, or tools/check.sh STAGE... for some of them.
set -u

cd "$(dirname "$0")/.." || exit 1
mkdir -p build/check

format() {
    tools/format
}

layers() {
    tools/layers && tools/layers --self-test
}

# Everything with all warnings, optimised because flow warnings need it, and with assertions. tools/same-bits
# uses the same objects afterwards.
gcc_warnings() {
    tools/same-bits --build gcc-O3
}

clang_warnings() {
    tools/same-bits --build clang-O3
}

# the command line and both libraries as on a machine without HDF5
without_hdf5() {
    cmake -S . -B build/without-hdf5 -G Ninja -DCMAKE_BUILD_TYPE=Release -DUPTACK_HDF5=OFF \
        -DUPTACK_BUILD_TESTS=OFF -DUPTACK_BUILD_BENCH=OFF && cmake --build build/without-hdf5
}

# each public header by itself, in the oldest and newest supported C and the oldest supported C++
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
    if [ ! -f build/bits/clang-O3/compile_commands.json ]; then
        clang_warnings || return 1
    fi
    # uptack-mpi is built where OpenMPI is
    find src apps examples -name '*.c' | { if command -v mpicc >/dev/null; then cat; else grep -v '^apps/mpi/'; fi; } |
        LC_ALL=C sort |
        xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 2 clang-tidy --quiet -p build/bits/clang-O3
}

# `make test` runs the public models for their full time
dev_tests() {
    cmake --preset dev && cmake --build build/dev &&
        UPTACK_MODEL_SECONDS=0.02 tools/test-summary build/dev
}

if [ $# -eq 0 ]; then
    set -- format layers gcc_warnings clang_warnings without_hdf5 headers tidy dev_tests
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
