# SPDX-License-Identifier: Apache-2.0
"""uptack: rigid and articulated bodies in hard contact with Coulomb friction; every step is certified.

    import uptack

    sim = uptack.Sim("stack:5")         # or "robot.xml"
    while sim.time < 1:
        sim.step()
    print(sim.certificate, sim.body("box5").pos)

The page docs/python.md of the project has the reference.
"""

from __future__ import annotations

from . import _core, coulomb, law, lcp
from ._arrays import CONTACT
from ._batch import Batch, Rollout, rollout
from ._dump import Equations, dump, notations
from ._errors import ArgumentError, Error, FileError, FormatError, UncertifiedStep
from ._model import Model
from ._plot import Plot, plot
from ._recording import Recorder, Recording, certify_recording, is_recording, parse_recording, read_recording
from ._report import Certificate, Report
from ._sim import Sim

__version__: str = _core.version
#: The version as one number: 10000 major + 100 minor + patch.
VERSION: int = _core.version_number()


def scenes() -> list[tuple[str, str, str]]:
    """The scenes that Model() builds by name: name, usage with default numbers, one line of help."""
    found: list[tuple[str, str, str]] = _core.scenes()
    return found


def formulations() -> list[dict[str, object]]:
    """The contact formulations with their properties."""
    found: list[dict[str, object]] = _core.traits()
    return found


def mjcf_support() -> str:
    """The elements and attributes of MJCF that are read, lacking or soft, as a table in Markdown."""
    return str(_core.mjcf_support())


__all__ = [
    "ArgumentError",
    "Batch",
    "CONTACT",
    "Certificate",
    "Equations",
    "Error",
    "FileError",
    "FormatError",
    "Model",
    "Plot",
    "Recorder",
    "Recording",
    "Report",
    "Rollout",
    "Sim",
    "UncertifiedStep",
    "certify_recording",
    "coulomb",
    "dump",
    "formulations",
    "is_recording",
    "law",
    "lcp",
    "mjcf_support",
    "notations",
    "parse_recording",
    "plot",
    "read_recording",
    "rollout",
    "scenes",
]
