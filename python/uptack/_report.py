# SPDX-License-Identifier: Apache-2.0
"""Certificates and reports of steps as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._arrays import CONTACT, Array, shown


@dataclass(frozen=True)
class Certificate:
    """The result of all tests of a step, recomputed from its impulses apart from the solver.

    Every number is dimensionless unless a unit is stated, and is the largest over all contacts, rows,
    trees and parts. docs/certificate.md defines them.
    """

    passed: bool
    reason: str  #: the first test that failed, '' when passed
    value: float  #: of that test
    limit: float
    E: float  #: error of the contact law over V; passes at the tolerance
    e: float  #: the same, m/s
    V: float  #: velocity scale, m/s
    contact: int  #: the contact with the largest E, or contacts + its row; -1: none
    momentum_contact: int
    part: int
    sleeping: int
    momentum: float
    stored: float
    bilateral: float
    cone: float
    position: float
    geometry: float
    reported: float
    impact: float
    model_gap: float
    energy_gain: float  #: J

    @property
    def parts(self) -> dict[str, float]:
        """The error of every test by its name."""
        names = ("E", "momentum", "stored", "bilateral", "cone", "position", "geometry", "reported", "impact")
        return {name: getattr(self, name) for name in names}

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        if self.passed:
            return f"<Certificate: passed, E = {self.E:.3g}>"
        return f"<Certificate: failed in {self.reason}, {self.value:.3g} above {self.limit:.3g}; E = {self.E:.3g}>"


@dataclass(frozen=True)
class Report:
    """The report of a step: state before, impulses, state after. Everything is a copy."""

    time: float  #: at the step's start, s
    h: float  #: length of the step, s
    integrator: str
    formulation: str
    tier: str
    directions: int
    instant: bool
    q: Array
    v: Array
    v_free: Array
    v_next: Array
    q_next: Array
    force: Array
    actuator_force: Array
    contacts: Array
    laws: Array  #: per contact: slip multiplier (m/s), excess over the cone (N s)
    rows: list[dict[str, Any]]
    islands: list[dict[str, Any]]
    transitions: list[dict[str, Any]]
    parts: list["Report"] = field(repr=False)
    energy: float
    energy_next: float
    kinetic_next: float
    drift: float
    drift_equality: int

    def __repr__(self) -> str:
        return (
            f"<Report: t = {self.time:g} s, h = {self.h:g} s, {len(self.contacts)} contacts, "
            f"{len(self.rows)} rows, {len(self.islands)} islands>"
        )


def make_report(data: dict[str, Any]) -> Report:
    """A Report from the dict of the C module."""
    for name in ("q", "v", "v_free", "v_next", "q_next", "force", "actuator_force"):
        data[name] = shown(data[name])
    data["contacts"] = shown(data["contacts"], dtype=CONTACT)
    data["laws"] = np.array(data["laws"], dtype=float).reshape(-1, 2)
    data["parts"] = [make_report(part) for part in data["parts"]]
    return Report(**data)
