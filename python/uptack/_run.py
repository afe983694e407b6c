# SPDX-License-Identifier: Apache-2.0
"""A run with its arrays, and a line of progress."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, Callable, Optional

import numpy as np

from ._arrays import Array

if TYPE_CHECKING:
    from ._sim import Sim


class Progress:
    """A line on standard error, twice a second, when it is a terminal or a notebook asked for it."""

    def __init__(self, wanted: bool, seconds: float):
        self.wanted = wanted
        self.seconds = seconds
        self.start = self.shown = time.monotonic()
        self.length = 0

    def show(self, sim: "Sim", begun: float) -> None:
        now = time.monotonic()
        if not self.wanted or now - self.shown < 0.5:
            return
        self.shown = now
        done = (sim.time - begun) / self.seconds if self.seconds > 0 else 1.0
        left = (now - self.start) * (1 - done) / done if done > 0 else float("inf")
        text = f"t = {sim.time:.3g} s, {sim.steps} steps, {left:.0f} s left"
        sys.stderr.write("\r" + text.ljust(self.length))
        sys.stderr.flush()
        self.length = len(text)

    def end(self) -> None:
        if self.wanted and self.length:
            sys.stderr.write("\r" + " " * self.length + "\r")


def run(
    sim: "Sim", seconds: float, ctrl: Optional[Callable[["Sim"], Any]], every: int, progress: bool
) -> dict[str, Array]:
    """Sim.run: step and keep arrays."""
    rows: dict[str, list[Any]] = {name: [] for name in ("time", "q", "v", "energy", "E", "contacts", "outcome")}

    def keep(E: float, contacts: int) -> None:
        values = (sim.time, sim.q.copy(), sim.v.copy(), sim.energy, E, contacts, sim.outcome)
        for name, value in zip(rows, values):
            rows[name].append(value)

    begun = sim.time
    end = begun + seconds - 1e-9 * sim.dt
    line = Progress(progress, seconds)
    keep(float("nan"), 0)
    count, worst, last = 0, 0.0, sim.steps
    while sim.time < end:
        sim.step(None if ctrl is None else ctrl(sim))
        if sim.steps == last:
            break  # flagged and not taken: the next step would be the same
        last = sim.steps
        count += 1
        result = sim.result
        if sim.settings["certify"]:
            worst = max(worst, sim.certificate.E)
        if count % every == 0 or not sim.time < end:
            keep(worst, result["contacts"])
            worst = 0.0
        line.show(sim, begun)
    line.end()
    return {name: np.array(values) for name, values in rows.items()}
