# SPDX-License-Identifier: Apache-2.0
"""The Python programs of the README and of the pages run."""

import contextlib
import io
import os
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/python.md", "docs/from-mujoco.md", "docs/conventions.md")


def programs(page: str) -> list[str]:
    """The fenced programs of a page."""
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)


class Pages(unittest.TestCase):
    def test_every_program_runs(self) -> None:
        before = os.getcwd()
        os.chdir(ROOT)
        try:
            for page in PAGES:
                found = programs(page)
                self.assertTrue(found, f"{page} has no program")
                for number, text in enumerate(found):
                    with self.subTest(page=page, number=number), contextlib.redirect_stdout(io.StringIO()) as printed:
                        exec(compile(text, f"{page}#{number}", "exec"), {"__name__": "page"})
                        if page == "README.md":
                            self.assertIn("certified", printed.getvalue() + text)
        finally:
            os.chdir(before)

    def test_the_error_that_the_page_shows(self) -> None:
        text = next(t for t in programs("docs/python.md") if "FormatError" in t)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(text, {"__name__": "page"})
        shown = re.search(r"# (.*) \.\.\.$", text, re.M)
        assert shown is not None
        self.assertTrue(printed.getvalue().startswith(shown[1]), printed.getvalue())


if __name__ == "__main__":
    unittest.main()
