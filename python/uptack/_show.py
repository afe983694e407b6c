# SPDX-License-Identifier: Apache-2.0
"""The page of `uptack view`, started for a sim."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any, Optional

from ._errors import Error

if TYPE_CHECKING:
    from ._sim import Sim


class Page:
    """A page that is shown. It ends with `close()`, or with the program."""

    def __init__(self, process: "subprocess.Popen[bytes]", folder: "tempfile.TemporaryDirectory[str]"):
        self._process = process
        self._folder = folder

    @property
    def open(self) -> bool:
        """Is the server still running?"""
        return self._process.poll() is None

    def close(self) -> None:
        """End the server."""
        if self.open:
            self._process.terminate()
            self._process.wait()
        self._folder.cleanup()

    def __enter__(self) -> "Page":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def program() -> Optional[str]:
    """The command line: UPTACK_CLI, or uptack on the path."""
    named = os.environ.get("UPTACK_CLI")
    return named if named and os.access(named, os.X_OK) else shutil.which("uptack")


def show(sim: "Sim", *, options: tuple[str, ...] = ()) -> Page:
    """Start `uptack view` on the sim's model, with `options` for it."""
    found = program()
    if found is None:
        raise Error("the command line uptack is needed to show a model: install it, or name it in UPTACK_CLI")
    help_text = subprocess.run([found, "--help"], capture_output=True, text=True, check=False).stdout
    if " view " not in help_text:
        raise Error(f"{found} has no page: its version has no `uptack view`")
    folder = tempfile.TemporaryDirectory(prefix="uptack-")
    path = os.path.join(folder.name, "model.xml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(sim.model.mjcf())
    return Page(subprocess.Popen([found, "view", path, *options]), folder)
