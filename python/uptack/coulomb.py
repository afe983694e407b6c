# SPDX-License-Identifier: Apache-2.0
"""The frictional contact problem by itself: masses, Jacobians and coefficients as arrays.

    result = uptack.coulomb.solve(W, q, mu)        # u = W r + q and Coulomb's law in each contact
    result.r.reshape(-1, 3)                        # impulses: normal, two tangents

Rows are ordered contact by contact, in each the normal and then the tangents; bilateral rows come after
all contacts. docs/coulomb.md defines everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _core, lcp
from ._arrays import Array, doubles, integers, shown
from ._errors import ArgumentError

SOLVERS: list[str] = _core.names("coulomb_solvers")

#: A friction section: its kind, and for polygons the number of edges and the angle of the first direction.
Section = tuple[str, int, float]

_SPATIAL = {2: ("segment", 0, 0.0), 3: ("circle", 0, 0.0), 4: ("torsional", 0, 0.0), 6: ("rolling", 0, 0.0)}
_DOUBLES = ("low", "high", "mu", "torsional", "rolling", "W", "q", "M", "J", "f", "b")
_INTS = ("vector", "section_of", "W_start", "W_column", "start", "first", "node")


def section(kind: str, edges: int = 0, turn: float = 0.0) -> Section:
    """A friction section: segment, circle, torsional, rolling, or an inscribed or circumscribed polygon."""
    return (kind, edges, turn)


@dataclass(frozen=True)
class Verdict:
    """The errors of impulses, computed from the impulses alone. E, bilateral and cone decide."""

    E: float  #: largest complementarity error over V
    e: float  #: the same, m/s
    contact: int
    V: float  #: velocity scale, m/s
    bilateral: float
    cone: float
    model_gap: float
    relative: float  #: the residual of the public collections


@dataclass(frozen=True)
class Result:
    """Impulses with their velocities and verdict. True when they solve the problem."""

    r: Array  #: N s
    u: Array  #: m/s
    outcome: str  #: solved, iterations, convex or none
    solver: str
    rung: str
    iterations: int
    verdict: Verdict

    @property
    def E(self) -> float:
        """The verdict's E."""
        return self.verdict.E

    def __bool__(self) -> bool:
        return self.outcome == "solved"

    def __repr__(self) -> str:
        return f"<{self.outcome} by {self.solver} in {self.iterations} iterations, E = {self.E:.2g}, {len(self.r)} rows>"


class Problem:
    """A friction problem in one of three forms.

    local: W (N x N) and q, u = W r + q.  global: M, f, J and b, M v = f + J'r and u = J v + b.
    by bodies: start, M, first, node, J, f and b, as utCoulombBlocks in uptack/coulomb.h.
    """

    def __init__(
        self,
        *,
        mu: Any,
        dimension: int = 3,
        bilaterals: int = 0,
        low: Any = None,
        high: Any = None,
        vector: Any = None,
        torsional: Any = None,
        rolling: Any = None,
        sections: Optional[Sequence[Section]] = None,
        section_of: Any = None,
        speed: float = 0.0,
        W: Any = None,
        q: Any = None,
        M: Any = None,
        J: Any = None,
        f: Any = None,
        b: Any = None,
        contacts: Optional[int] = None,
    ):
        """mu: one per contact, or one number with `contacts`. sections: default the circle (or segment,
        or the sections with torsional and rolling friction of dimension 4 and 6)."""
        count = contacts if contacts is not None else len(np.atleast_1d(mu))
        rows = dimension * count + bilaterals
        fields: dict[str, Any] = {"dimension": dimension, "contacts": count, "bilaterals": bilaterals, "speed": speed}
        fields["mu"] = doubles(np.broadcast_to(mu, (count,)), (count,), "mu")
        for name, value in (("torsional", torsional), ("rolling", rolling)):
            fields[name] = None if value is None else doubles(np.broadcast_to(value, (count,)), (count,), name)
        for name, value in (("low", low), ("high", high)):
            fields[name] = None if value is None else doubles(value, (bilaterals,), name)
        fields["vector"] = None if vector is None else integers(vector, bilaterals, "vector")
        fields["section_of"] = None if section_of is None else integers(section_of, count, "section_of")
        if dimension not in _SPATIAL:
            raise ArgumentError(f"a contact has 2, 3, 4 or 6 rows, not {dimension}")
        fields["sections"] = [section(*s) for s in sections] if sections else [_SPATIAL[dimension]]
        if W is not None:
            fields["W"] = doubles(W, (rows, rows), "W")
            fields["q"] = doubles(q, (rows,), "q")
        else:
            if M is None or J is None or f is None:
                raise ArgumentError("a problem needs W and q, or M, J and f")
            fields["f"] = doubles(f, (-1,), "f")
            dof = len(fields["f"])
            fields["dof"] = dof
            fields["M"] = doubles(M, (dof, dof), "M")
            fields["J"] = doubles(J, (rows, dof), "J")
            fields["b"] = doubles(np.zeros(rows) if b is None else b, (rows,), "b")
        self._fields = fields

    @classmethod
    def _of(cls, data: dict[str, Any]) -> "Problem":
        """A problem from the dict of the C module."""
        problem = cls.__new__(cls)
        for name in _DOUBLES:
            if data.get(name) is not None:
                data[name] = shown(data[name])
        for name in _INTS:
            if data.get(name) is not None:
                data[name] = shown(data[name], dtype=np.intc)
        rows = data["dimension"] * data["contacts"] + data["bilaterals"]
        if data.get("W") is not None and data.get("W_start") is None:
            data["W"] = data["W"].reshape(rows, rows)
        if data.get("M") is not None and data.get("start") is None:
            data["M"] = data["M"].reshape(data["dof"], data["dof"])
            data["J"] = data["J"].reshape(rows, data["dof"])
        problem._fields = data
        return problem

    # ---- what it is ----

    @property
    def rows(self) -> int:
        """Number of rows N = dimension contacts + bilaterals."""
        return int(self.dimension * self.contacts + self.bilaterals)

    @property
    def form(self) -> str:
        """local, global or bodies."""
        return "local" if self.q is not None else "bodies" if self.start is not None else "global"

    def __getattr__(self, name: str) -> Any:
        fields = self.__dict__.get("_fields", {})
        if name in fields:
            return fields[name]
        if name in _DOUBLES or name in _INTS or name in ("dof", "nodes"):
            return None
        raise AttributeError(f"a friction problem has no attribute {name!r}")

    def with_sections(self, *sections: Section) -> "Problem":
        """The same problem with other friction sections, for all contacts the first one."""
        other = Problem.__new__(Problem)
        other._fields = {**self._fields, "sections": list(sections)}
        return other

    def __repr__(self) -> str:
        return (
            f"<friction problem: {self.contacts} contacts, {self.bilaterals} bilateral rows, {self.form} form, "
            f"section {self.sections[0][0]}>"
        )

    # ---- judging and solving ----

    def judge(self, r: Any, convex: bool = False) -> Verdict:
        """The errors of impulses from anywhere."""
        return Verdict(**_core.coulomb_judge(self._fields, doubles(r, (self.rows,), "r"), None, convex))

    def velocities(self, r: Any) -> Array:
        """u of impulses r."""
        u = np.empty(self.rows)
        _core.coulomb_judge(self._fields, doubles(r, (self.rows,), "r"), u, False)
        return u

    def mismatch(self, r: Any, u: Any) -> float:
        """The largest difference of stored velocities u from those of the impulses r, over V."""
        return float(_core.coulomb_mismatch(self._fields, doubles(r, (self.rows,), "r"), doubles(u, (self.rows,), "u")))

    def solve(
        self,
        *,
        solver: str = "auto",
        tolerance: float = 1e-8,
        max_iterations: int = 0,
        start: Any = None,
        v_start: Any = None,
        convex: bool = False,
        fallback: bool = True,
        lcp: str = "auto",
        mixed: bool = False,
        rho: float = 0.0,
        scale: float = 1.0,
        regularization: float = 0.0,
        relaxation: float = 0.0,
    ) -> Result:
        """Solve the problem.

        solver: auto, ipm, proximal, newton, nsgs or lcp (polygons only; `lcp` names its solver). start:
        impulses to start from. fallback=False: do not solve the convex form when all else fails.
        """
        r = np.zeros(self.rows) if start is None else doubles(start, (self.rows,), "start").copy()
        v = None if v_start is None else doubles(v_start, (-1,), "v_start")
        info = _core.coulomb_solve(
            self._fields, solver, r, tolerance, max_iterations, start is not None, v, convex, not fallback,
            lcp, mixed, rho, scale, regularization, relaxation,
        )  # fmt: skip
        verdict = Verdict(**info.pop("verdict"))
        return Result(r, self.velocities(r), verdict=verdict, **info)

    def unique(self, r: Any, tolerance: float = 1e-8) -> dict[str, Any]:
        """Is the answer the only one? Status of each contact, rank, redundant directions, claim on velocities."""
        report: dict[str, Any] = _core.coulomb_unique(self._fields, doubles(r, (self.rows,), "r"), tolerance)
        for name in ("degenerate", "unique"):
            report[name] = shown(report[name], dtype=np.bool_)
        report["null"] = shown(report["null"], (report["redundant"], self.rows))
        return report

    def least(self, r: Any, tolerance: float = 1e-8) -> tuple[Array, dict[str, Any]]:
        """Among impulses with the same effect those of least norm, and how they were found."""
        found = doubles(r, (self.rows,), "r").copy()
        info: dict[str, Any] = _core.coulomb_least(self._fields, found, tolerance)
        info["verdict"] = Verdict(**info["verdict"])
        return found, info

    # ---- as an LCP ----

    def polyhedral(
        self,
        *,
        model: str = "force",
        level: str = "mixed",
        directions_first: bool = False,
        convex: bool = False,
        rho: Any = None,
        slip: Any = None,
        mu_kinetic: Any = None,
        relaxation: float = 0.0,
        regularization: float = 0.0,
        scale: float = 1.0,
    ) -> "Polyhedral":
        """The problem as a linear complementarity problem; its sections must be polygons."""
        n = self.contacts

        def each(value: Any, name: str) -> Any:
            return None if value is None else doubles(np.broadcast_to(value, (n,)), (n,), name)

        made = _core.polyhedral(
            self._fields, model, level, directions_first, convex, each(rho, "rho"),
            None if slip is None else doubles(slip, (n, self.dimension - 1), "slip"),
            each(mu_kinetic, "mu_kinetic"), relaxation, regularization, scale,
        )  # fmt: skip
        return Polyhedral(made, self.rows)

    def blocks(self, only_rough: bool = False) -> dict[str, Any]:
        """The matrices M, W_b, W_n, W_f, E, U of a step by the names of the papers (uptack/blocks.h)."""
        d: dict[str, Any] = _core.blocks(self._fields, only_rough)
        m, nb, p, rough, nd = (d[k] for k in ("velocities", "bilaterals", "contacts", "rough", "directions"))
        shapes = {
            "M": (m, m), "W_b": (m, nb), "W_n": (m, p), "W_f": (m, nd), "E": (nd, rough), "U": (rough, p),
            "b_b": (nb,), "b_n": (p,), "b_f": (nd,), "tau": (m,),
        }  # fmt: skip
        for name, shape in shapes.items():
            d[name] = shown(d[name], shape)
        d["first"] = shown(d["first"], dtype=np.intc)
        return d

    def printed(self, notation: str, h: float, *, v: Any = None, r: Any = None) -> dict[str, Any]:
        """The system as a paper prints it: berard, dart, igms, pfrommer or peiret. With impulses r, its
        unknowns z too."""
        d: dict[str, Any] = _core.printed(
            self._fields, notation, h, None if v is None else doubles(v, (-1,), "v"),
            None if r is None else doubles(r, (self.rows,), "r"),
        )  # fmt: skip
        d["M"] = shown(d["M"], (d["n"], d["n"]))
        for name in ("q", "z", "r"):
            if name in d:
                d[name] = shown(d[name])
        return d

    # ---- files ----

    def text(self, r: Any = None) -> str:
        """The problem as a .fc text, with impulses r."""
        return str(_core.coulomb_print(self._fields, None if r is None else doubles(r, (self.rows,), "r")))


class Polyhedral:
    """A friction problem as an LCP: `problem`, and the first unknown of each kind (-1: none)."""

    def __init__(self, made: dict[str, Any], rows: int):
        n = made["n"]
        self._form = made.pop("form")
        self._rows = rows
        self.problem = lcp.Problem(shown(made.pop("M"), (n, n)), shown(made.pop("q")), made.pop("free"))
        self.first: dict[str, int] = {k: v for k, v in made.items() if k != "n"}

    def impulses(self, z: Any) -> Array:
        """The impulses of a solution z."""
        r = np.empty(self._rows)
        _core.polyhedral_impulses(self._form, doubles(z, (self.problem.n,), "z"), r)
        return r


def solve(
    W: Union[Problem, Any],
    q: Any = None,
    mu: Any = None,
    *,
    dimension: int = 3,
    bilaterals: int = 0,
    low: Any = None,
    high: Any = None,
    sections: Optional[Sequence[Section]] = None,
    **settings: Any,
) -> Result:
    """Solve a friction problem: solve(W, q, mu), or solve(problem); settings of Problem.solve."""
    if isinstance(W, Problem):
        return W.solve(**settings)
    if mu is None:
        raise ArgumentError("coefficients of friction mu are needed")
    contacts = (len(np.atleast_1d(np.asarray(q, dtype=float))) - bilaterals) // dimension
    problem = Problem(
        W=W, q=q, mu=mu, dimension=dimension, bilaterals=bilaterals, low=low, high=high, sections=sections,
        contacts=contacts,
    )  # fmt: skip
    return problem.solve(**settings)


def read(path: Any) -> tuple[Problem, Optional[Array]]:
    """Read a .fc file: the problem, and impulses where the file has some."""
    with open(path, encoding="utf-8") as file:
        return parse(file.read(), str(path))


def parse(text: str, name: str = "text") -> tuple[Problem, Optional[Array]]:
    """Read a problem from a .fc text."""
    data, r = _core.coulomb_read(text, name)
    return Problem._of(data), None if r is None else shown(r)


def scene(name: str, count: int = 5, *, ratio: float = 1.0, mu: float = 0.5, seed: int = 0, bodies: bool = False) -> Problem:
    """A generated problem: stack, wall, wedge, grasp, pile, table, ramp or chain (uptack/coulomb_problems.h)."""
    return Problem._of(_core.friction_scene(name, count, ratio, mu, seed, bodies))
