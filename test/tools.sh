#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Check the output of tools: test-summary reports a test that exceeds its time limit, demo prints commands that can
# be copied to a shell, man writes a page per verb.
set -eu

failed=0
passed=0
expect() {
    if printf '%s' "$2" | grep -qF -- "$1"; then
        passed=$((passed + 1))
    else
        printf 'failed: no "%s" in\n%s\n' "$1" "$2"
        failed=$((failed + 1))
    fi
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/CTestTestfile.cmake" <<'END'
add_test(slow sleep 20)
set_tests_properties(slow PROPERTIES TIMEOUT 1)
add_test(good echo "3 passed, 0 failed")
END
summary=$(tools/test-summary "$folder" || true)
expect "0 passed, 1 failed, timeout" "$summary"
expect "timeout: slow" "$summary"
expect "3 passed, 1 failed" "$summary"

eval "$(sed -n '/^print_command() {/,/^}/p' tools/demo)"
expect "\$ plot --title 'A block, a rod' --panel=Position" \
    "$(print_command plot --title "A block, a rod" --panel=Position)"
expect "it'\\''s" "$(print_command echo "it's")"

# a man page per verb, with its options and without a warning of mandoc
if [ -n "${UPTACK_CLI:-}" ] && [ -x "$UPTACK_CLI" ]; then
    tools/man "$UPTACK_CLI" "$folder/man"
    for verb in $("$UPTACK_CLI" --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        page=$(cat "$folder/man/uptack-$verb.1")
        expect "uptack\\-$verb \\- " "$page"
        expect '.B \-\-json' "$page"
        expect '.SH EXIT STATUS' "$page"
        expect ".BR uptack\\-$verb (1)" "$(cat "$folder/man/uptack.1")"
    done
    if command -v mandoc >/dev/null 2>&1; then
        expect "mandoc: 0" "mandoc: $(mandoc -T lint "$folder"/man/*.1 | tee "$folder/lint" | wc -l)"
        cat "$folder/lint"
    fi
fi

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
