# SPDX-License-Identifier: Apache-2.0
"""Linear and nonlinear complementarity problems.

    z = uptack.lcp.solve([[2, 1], [1, 2]], [-5, -6]).z      # (4/3, 7/3)

Find z with w = M z + q such that for every i: z_i >= 0, w_i >= 0, z_i w_i = 0. The first `free` unknowns
have w_i = 0 instead; with bounds lo_i <= z_i <= hi_i, w_i >= 0 at lo_i, w_i <= 0 at hi_i and w_i = 0 in
between; a friction index findex_i = k >= 0 multiplies the finite bounds of i by z_k.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

import numpy as np

from . import _core
from ._arrays import Array, doubles, integers, shown
from ._errors import ArgumentError

SOLVERS: list[str] = _core.names("lcp_solvers")
FAMILIES: list[str] = _core.lcp_families()


@dataclass(frozen=True)
class Problem:
    """A problem. `lo`, `hi` and `findex` may be None."""

    M: Array
    q: Array
    free: int = 0
    lo: Optional[Array] = None
    hi: Optional[Array] = None
    findex: Optional[Array] = None

    def __post_init__(self) -> None:
        q = doubles(self.q, (-1,), "q")
        n = len(q)
        object.__setattr__(self, "q", q)
        object.__setattr__(self, "M", doubles(self.M, (n, n), "M"))
        for name in ("lo", "hi"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, doubles(np.broadcast_to(value, (n,)), (n,), name))
        if self.findex is not None:
            object.__setattr__(self, "findex", integers(self.findex, n, "findex"))

    @property
    def n(self) -> int:
        """Number of unknowns."""
        return len(self.q)

    def _parts(self) -> tuple[Any, ...]:
        return (self.n, self.M, self.q, self.free, self.lo, self.hi, self.findex)

    def slack(self, z: Any) -> Array:
        """w = M z + q, accumulated in twice the working precision."""
        w = np.empty(self.n)
        _core.lcp_slack(self._parts(), doubles(z, (self.n,), "z"), w)
        return w

    def residual(self, z: Any) -> float:
        """The scaled residual of an answer from anywhere (docs/lcp.md)."""
        return float(_core.lcp_slack(self._parts(), doubles(z, (self.n,), "z"), np.empty(self.n)))

    def solve(self, **settings: Any) -> "Result":
        """Solve it; settings of `solve`."""
        return solve(self, **settings)

    def __repr__(self) -> str:
        kind = "boxed " if self.hi is not None or self.lo is not None else "mixed " if self.free else ""
        return f"<{kind}LCP of {self.n} unknowns>"


@dataclass(frozen=True)
class Result:
    """An answer with its statistics. True when it is solved."""

    z: Array
    outcome: str  #: solved, ray, iterations or none
    solver: str  #: the solver that found the answer
    iterations: int
    factorizations: int
    residual: float
    ray: Optional[Array] = None  #: direction of a ray, or the proof that there is no solution

    def __bool__(self) -> bool:
        return self.outcome == "solved"

    def __repr__(self) -> str:
        return f"<{self.outcome} by {self.solver} in {self.iterations} iterations, residual {self.residual:.2g}: {self.z}>"


class Warm:
    """The end of a pivoting solve, for the next one of a problem of the same size and kind."""

    def __init__(self, n: int):
        self.n = n
        self._capsule = _core.lcp_warm(n)


def solve(
    M: Any,
    q: Any = None,
    *,
    free: int = 0,
    lo: Any = None,
    hi: Any = None,
    findex: Any = None,
    solver: str = "auto",
    tolerance: float = 1e-10,
    max_iterations: int = 0,
    relaxation: float = 1.0,
    start: Any = None,
    equilibrate: bool = True,
    eliminate_free: bool = False,
    cover: Any = None,
    warm: Optional[Warm] = None,
    same_matrix: bool = False,
) -> Result:
    """Solve a problem: solve(M, q), or solve(problem).

    solver: auto, lemke, pivot, pgs, newton or enumerate (all cases, at most 16 unknowns). start: first
    z of pgs and newton. relaxation: of pgs. cover: covering vector of lemke. warm: a Warm, which pivoting
    solvers read and rewrite; same_matrix says that M and the bounds did not change since.
    """
    p = M if isinstance(M, Problem) else Problem(M, q, free, lo, hi, findex)
    z = np.zeros(p.n) if start is None else doubles(start, (p.n,), "start").copy()
    ray = np.full(p.n, np.nan)
    info = _core.lcp_solve(
        p._parts(), solver, z, tolerance, max_iterations, relaxation, start is not None, equilibrate, eliminate_free,
        None if cover is None else doubles(cover, (p.n,), "cover"), ray,
        None if warm is None else warm._capsule, same_matrix,
    )  # fmt: skip
    return Result(z, ray=None if np.isnan(ray).any() else ray, **info)


def all_solutions(M: Any, q: Any = None, *, tolerance: float = 1e-10, room: int = 1024, **parts: Any) -> Array:
    """All basic solutions of a problem with at most 16 unknowns, one per row."""
    p = M if isinstance(M, Problem) else Problem(M, q, **parts)
    count, Z = _core.lcp_all(p._parts(), tolerance, room)
    if count > room:
        raise ArgumentError(f"there are {count} solutions; room={count} keeps them all")
    return shown(Z, (-1, p.n))


def family(name: str, n: int, seed: int = 0) -> tuple[Problem, Optional[Array], bool]:
    """A problem of a known family: the problem, a solution where one is known, and is it the only one?"""
    made, z, unique = _core.lcp_family(name, n, seed)
    return _problem(made), shown(z) if len(z) else None, bool(unique)


def _problem(d: dict[str, Any]) -> Problem:
    n = d["n"]
    return Problem(
        shown(d["M"], (n, n)),
        shown(d["q"]),
        d["free"],
        shown(d["lo"]) if len(d["lo"]) else None,
        shown(d["hi"]) if len(d["hi"]) else None,
        shown(d["findex"], dtype=np.intc) if len(d["findex"]) else None,
    )


def read(path: Any, format: str = "auto") -> Problem:
    """Read a problem file: text, JSON, or .dat of Siconos (format "dat" or "dat-mixed")."""
    with open(path, encoding="utf-8") as file:
        return parse(file.read(), str(path), format)


def parse(text: str, name: str = "text", format: str = "auto") -> Problem:
    """Read a problem from a text."""
    formats = ("auto", "text", "json", "dat", "dat-mixed")
    if format not in formats:
        raise ArgumentError(f"there is no format {format!r}; there are {', '.join(formats)}")
    return _problem(_core.lcp_read(text, name, formats.index(format)))


@dataclass(frozen=True)
class NonlinearResult:
    """The answer to a nonlinear problem. True when it is solved."""

    z: Array
    outcome: str
    iterations: int
    residual: float
    history: Array  #: residual of each iterate

    def __bool__(self) -> bool:
        return self.outcome == "solved"


def solve_nonlinear(
    function: Callable[[Array], tuple[Any, Any]],
    n: int,
    *,
    free: int = 0,
    start: Any = None,
    solver: str = "auto",
    tolerance: float = 1e-10,
    max_iterations: int = 50,
) -> NonlinearResult:
    """Find z >= 0 with g(z) >= 0 and z.g(z) = 0 by the method of Josephy and Newton.

    function(z) gives g (n numbers) and its derivative (n x n). The first `free` unknowns are free:
    g_i(z) = 0.
    """
    z = np.zeros(n) if start is None else doubles(start, (n,), "start").copy()
    history = np.full(max_iterations + 1, np.nan)

    def call(raw: bytes) -> tuple[Array, Array]:
        g, J = function(np.frombuffer(raw, dtype=float).copy())
        return doubles(g, (n,), "g"), doubles(J, (n, n), "J")

    info = _core.ncp_solve(call, n, free, solver, z, tolerance, max_iterations, start is not None, history)
    return NonlinearResult(z, history=history[~np.isnan(history)], **info)
