# SPDX-License-Identifier: Apache-2.0
"""Run the tests of the package, or those whose names contain a word: run.py [WORD...]

The last line is `N passed, N failed`. A skipped test says why and counts as neither.
"""

import sys
import unittest
from pathlib import Path
from typing import Iterator

HERE = Path(__file__).resolve().parent


def all_tests(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    """The tests of nested suites."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from all_tests(test)
        else:
            yield test


def main(words: list[str]) -> int:
    """Run and count."""
    sys.path.insert(0, str(HERE))
    found = all_tests(unittest.defaultTestLoader.discover(str(HERE)))
    suite = unittest.TestSuite(t for t in found if not words or any(w in t.id() for w in words))
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    for test, reason in result.skipped:
        print(f"skipped {test.id()}: {reason}")
    failed = len({test.id().split(" ")[0] for test, _ in result.failures + result.errors})
    failed += len(result.unexpectedSuccesses)
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
    return 1 if failed or result.testsRun == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
