# SPDX-License-Identifier: Apache-2.0
"""One step as the equations of a paper, with names on every row."""

from __future__ import annotations

import json
from typing import Any, Union

import numpy as np

from . import _core, lcp
from ._arrays import Array
from ._errors import ArgumentError
from ._model import Model
from ._sim import Sim

_FORMATS = ("text", "json", "tex", "lcp")


class Equations(dict[str, Any]):
    """The system of a step by the letters of a paper (docs/equations.md, "JSON").

    A and b: w = A z + b, row by row; z, w: the solution; names: of the unknowns; blocks: matrices by name
    as arrays; solved: did the step or an LCP solver solve it?
    """

    def block(self, name: str) -> Array:
        """A block of the system: "M", "N", "B", "W_n" ..."""
        if name not in self["blocks"]:
            raise ArgumentError(f"there is no block {name!r}; there are {', '.join(self['blocks'])}")
        found: Array = self["blocks"][name]["values"]
        return found

    @property
    def problem(self) -> lcp.Problem:
        """The system as an LCP, or a mixed one."""
        return lcp.Problem(self["A"], self["b"], self["free"])

    def __repr__(self) -> str:
        return (
            f"<Equations of {self['paper']}, Eq. {self['equation']}: {self['size']} unknowns, "
            f"blocks {', '.join(self['blocks'])}, {'solved' if self['solved'] else 'not solved'}>"
        )


def notations() -> list[str]:
    """The names of the papers' systems."""
    return [name for name, _ in _core.notations()]


def _sim_of(source: Union[Sim, Model, str], notation: str) -> Sim:
    """The sim itself, or a new one in the coordinates in which the paper's blocks are as printed."""
    if isinstance(source, Sim):
        return source
    model = source if isinstance(source, Model) else Model(source)
    coordinates = dict(_core.notations()).get(notation, "")
    if coordinates and coordinates != model.options["coordinates"]:
        model = model.with_(coordinates=coordinates)
    return Sim(model)


def dump(
    source: Union[Sim, Model, str], notation: str, *, rho: float = -1.0, ranks: bool = False, format: str = ""
) -> Any:
    """The next step of a sim in a paper's order, letters, signs and units, without taking it.

    source: a sim; or a model, file or scene, of which it is the first step. notation: uptack.notations().
    rho: phantom inertia of peiret, kg. ranks: those of all blocks too. format: text, tex or lcp gives a text
    instead of Equations.
    """
    sim = _sim_of(source, notation)
    if format and format not in _FORMATS:
        raise ArgumentError(f"there is no format {format!r}; there are {', '.join(_FORMATS)}")
    name = sim.model.name or sim.model.source
    kind = _FORMATS.index(format or "json")
    text, solved = _core.dump(sim, notation, sim.settings, sim.steps + 1, name, rho, ranks, kind)
    if format:
        return text
    data = json.loads(text)
    data["solved"] = solved
    for part in data["parts"]:
        for key in ("z", "w", "force", "impulse"):
            if key in part:
                part[key] = np.array(part[key], dtype=float)
    for block in data["blocks"].values():
        block["values"] = np.array(block["values"], dtype=float)
    for key in ("A", "b"):
        data[key] = np.array(data[key], dtype=float)
    for key in ("z", "w"):
        data[key] = np.array(data["solution"].get(key) or [], dtype=float)
    data["names"] = [f"{part['unknown']} {row}" for part in data["parts"] for row in part["names"]]
    return Equations(data)
