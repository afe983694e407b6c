# SPDX-License-Identifier: Apache-2.0
"""The examples run, and their own checks of closed forms hold."""

import contextlib
import io
import runpy
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "examples"


class Examples(unittest.TestCase):
    def test_there_are_ten(self) -> None:
        self.assertGreaterEqual(len(list(FOLDER.glob("*.py"))), 10)

    def test_every_example_runs(self) -> None:
        for path in sorted(FOLDER.glob("*.py")):
            with self.subTest(example=path.name), contextlib.redirect_stdout(io.StringIO()) as printed:
                runpy.run_path(str(path), run_name="example")["main"]()
                self.assertTrue(printed.getvalue().strip())


if __name__ == "__main__":
    unittest.main()
