# SPDX-License-Identifier: Apache-2.0
"""Recordings: writing .utr files while a sim steps, and reading them as arrays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _core
from ._arrays import Array, shown
from ._model import Model
from ._report import Certificate

if TYPE_CHECKING:
    from ._sim import Sim

#: A contact of a recording (utRecordedContact of uptack/record.h)
RECORDED = np.dtype(
    [
        ("geom1", "i4"),
        ("geom2", "i4"),
        ("feature", "u8"),
        ("island", "i4"),
        ("state", "i4"),  # 0 open, 1 stick, 2 slip, 3 impact
        ("point", "f8", 3),
        ("frame", "f8", (3, 3)),
        ("gap", "f8"),
        ("mu", "f8"),
        ("b", "f8", 3),
        ("r", "f8", 3),
        ("u", "f8", 3),
        ("e", "f8"),
    ]
)

#: A change of a contact's mode (utTransition of uptack/report.h)
TRANSITION = np.dtype(
    {
        "names": ["time", "geom1", "geom2", "feature", "from", "to", "speed"],
        "formats": ["f8", "i4", "i4", "u8", "i4", "i4", "f8"],
        "offsets": [0, 8, 12, 16, 24, 28, 32],
        "itemsize": 40,
    }
)


def _options(sim: "Sim", key: str) -> list[str]:
    """The settings as options of `uptack run`, from which `uptack replay` starts again."""
    s = sim.settings
    texts = [f"--set={change}" for change in sim._compiled.changes]
    for name in ("dt", "formulation", "solver", "directions", "integrator", "impact", "simultaneous", "adaptive"):
        if s[name] and name != "adaptive":
            texts.append(f"--{name}={s[name]!r}" if name == "dt" else f"--{name}={s[name]}")
    if s["budget"]:
        texts.append(f"--budget={s['budget']}")
    if s["sleep"]:
        texts.append("--sleep")
    if key:
        texts.append(f"--key={key}")
    return texts


class Recorder:
    """A recording that is being written: every step of the sim goes into it until it is closed.

    Use it with `with sim.record("run.utr"):`. The file has states, inputs, contacts and what certificates
    read; `uptack replay`, `uptack certify`, `uptack plot` and `uptack.read_recording` take it.
    """

    def __init__(self, sim: "Sim", path: Union[str, "os.PathLike[str]"], key: str = ""):
        options, s = sim.model.options, sim.settings
        self._sim = sim
        self.path = os.fspath(path)
        self._recorder = _core.recorder(
            self.path, sim._compiled, sim.model.source, s["formulation"] or options["formulation"],
            s["solver"] or options["solver"], s["integrator"] or options["integrator"], sim.dt,
            s["tolerance"] or options["tolerance"], s["directions"] or options["directions"],
            s["on_uncertified"] == "keep", s["adaptive"], sim._compiled.changes, _options(sim, key),
        )  # fmt: skip
        sim._record(self._recorder)

    @property
    def steps(self) -> int:
        """Steps recorded so far."""
        return int(self._recorder.steps)

    def close(self) -> None:
        """End the recording and close its file."""
        self._sim._record(None)
        self._recorder.close()

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Recorder of '{self.path}': {self.steps} steps>"


class Recording(dict[str, Any]):
    """A recording as arrays by name.

    time, q, v, act: a row per state; step: its number; hash: of each state. columns: the names of the
    table of states, and `column(name)` its numbers. contacts: all contacts (RECORDED) with contact_step and
    contact_time. ctrl and ctrl_step: controls that act from that step on. transitions: changes of modes.
    source, formulation, solver, dt and so on describe the run; complete: was the file closed?
    """

    def column(self, name: str) -> Array:
        """A column of the table of states, such as "box.z" or "hip.q"."""
        from ._errors import ArgumentError

        if name not in self["columns"]:
            raise ArgumentError(f"there is no column {name!r}; there are {', '.join(self['columns'])}")
        found: Array = self["states"][:, self["column_values"][self["columns"].index(name)]]
        return found

    def __repr__(self) -> str:
        return (
            f"<Recording of '{self['source']}': {len(self['step'])} states to t = {self['time'][-1]:g} s, "
            f"{len(self['contacts'])} contacts{'' if self['complete'] else ', cut off'}>"
        )


def read_recording(path: Union[str, "os.PathLike[str]"]) -> Recording:
    """Read a .utr file."""
    with open(path, "rb") as file:
        return parse_recording(file.read(), os.fspath(path))


def parse_recording(data: bytes, name: str = "recording") -> Recording:
    """Read a recording from its bytes."""
    d: dict[str, Any] = _core.recording_read(data, name)
    nq, nv, values = d["nq"], d["nv"], d["values"]
    states = shown(d.pop("states"), (-1, values)) if values else np.empty((0, 0))
    d["states"] = states
    d["time"] = states[:, 0]
    d["q"] = states[:, 1 : 1 + nq]
    d["v"] = states[:, 1 + nq : 1 + nq + nv]
    d["act"] = states[:, values - d["na"] :]
    d["step"] = shown(d.pop("state_steps"), dtype="u8")
    d["hash"] = [f"{h:016x}" for h in shown(d.pop("state_hashes"), dtype="u8")]
    d["contacts"] = shown(d["contacts"], dtype=RECORDED)
    d["contact_step"] = shown(d.pop("contact_steps"), dtype="u8")
    d["contact_time"] = shown(d.pop("contact_times"))
    d["ctrl_step"] = shown(d.pop("input_steps"), dtype="u8")
    d["ctrl"] = shown(d.pop("inputs"), (len(d["ctrl_step"]), d["nu"]))
    d["transitions"] = shown(d["transitions"], dtype=TRANSITION)
    return Recording(d)


def is_recording(path: Union[str, "os.PathLike[str]"]) -> bool:
    """Does the file begin as a recording?"""
    with open(path, "rb") as file:
        return bool(_core.recording_is(file.read(64)))


def certify_recording(path: Union[str, "os.PathLike[str]"], model: Model, tolerance: float = 0.0) -> list[Certificate]:
    """Certify every step of a recording again. tolerance: default the model's."""
    limit = tolerance or model.options["tolerance"]
    with open(path, "rb") as file:
        made = _core.recording_certify(file.read(), os.fspath(path), model._compiled, limit)
    return [Certificate(**c) for c in made]
