# SPDX-License-Identifier: Apache-2.0
"""The page of `uptack view`, started for a sim."""

from __future__ import annotations

import json
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

    def __init__(self, process: "subprocess.Popen[str]", folder: "tempfile.TemporaryDirectory[str]", address: str):
        self._process = process
        self._folder = folder
        self.address = address  #: of the page; who has it can read the model

    @property
    def open(self) -> bool:
        """Is the server still running?"""
        return self._process.poll() is None

    def close(self) -> None:
        """End the server."""
        if self.open:
            self._process.terminate()
        self._process.communicate()
        self._folder.cleanup()

    def __repr__(self) -> str:
        return f"<Page at {self.address}{'' if self.open else ', closed'}>"

    def __enter__(self) -> "Page":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def program() -> Optional[str]:
    """The command line: UPTACK_CLI, or uptack on the path."""
    named = os.environ.get("UPTACK_CLI")
    return named if named and os.access(named, os.X_OK) else shutil.which("uptack")


def show(sim: "Sim", *, browser: bool = True, options: tuple[str, ...] = ()) -> Page:
    """Start `uptack view` on the sim's model. browser=False: only the server. options: for the command."""
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
    command = [found, "view", path, "--json", *(() if browser else ("--no-browser",)), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    answer = process.stdout.readline()  # the address, or the end when the server cannot start
    if not answer:
        message = process.communicate()[1].strip()
        folder.cleanup()
        raise Error(message or f"{found} view ended with {process.returncode}")
    return Page(process, folder, str(json.loads(answer)["address"]))
