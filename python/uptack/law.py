# SPDX-License-Identifier: Apache-2.0
"""The friction law of one contact, and one impact.

    law = uptack.law.Law(mu=0.5)
    law.error(r=[1, -0.5, 0], u=[0, 2, 0])      # 0: sliding along t1 with friction mu r_n against it

Vectors are (n, t1, t2) in space and (n, t) in the plane; docs/theory and uptack/law.h define K and K*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._arrays import Array, shown
from ._errors import ArgumentError
from .coulomb import Section

_DIMENSION = {"segment": 2, "torsional": 4, "rolling": 6}
IMPACT_LAWS: list[str] = _core.names("impact_laws")


@dataclass(frozen=True)
class Law:
    """The law of a contact: K contains r, K* contains u + s e_n, and both are orthogonal."""

    mu: float
    section: Section = ("circle", 0, 0.0)
    convex: bool = False
    torsional: float = 0.0
    rolling: float = 0.0

    def _call(self, what: str, a: Any, b: Any = None, m: float = 1.0, V: float = 1.0) -> Any:
        return _core.law(what, self.section, self.mu, self.convex, self.torsional, self.rolling, a, b, m, V)

    def excess(self, r: Any) -> float:
        """How far r is outside of K, N s."""
        return float(self._call("excess", r))

    def violation(self, r: Any, m: float, V: float) -> float:
        """The certificate's relative excess, for an effective mass m (kg) and a velocity scale V (m/s)."""
        return float(self._call("violation", r, None, m, V))

    def dual_excess(self, u: Any) -> float:
        """How far u is outside of K* in normal velocity, m/s."""
        return float(self._call("dual_excess", u))

    def dual_distance(self, u: Any) -> float:
        """Distance of u from K*, m/s."""
        return float(self._call("dual_distance", u))

    def shift(self, u: Any) -> float:
        """s = mu h_P(-u_t), m/s."""
        return float(self._call("shift", u))

    def shifted(self, u: Any) -> Array:
        """u + s e_n."""
        return shown(self._call("shifted", u))

    def project(self, r: Any) -> Array:
        """The point of K nearest to r."""
        return shown(self._call("project", r)[1])

    def region(self, r: Any) -> str:
        """Where that point lies: inside (stick), face or edge (slip), open."""
        return str(self._call("project", r)[0])

    def project_dual(self, u: Any) -> Array:
        """The point of K* nearest to u."""
        return shown(self._call("project_dual", u)[1])

    def derivative(self, r: Any) -> Array:
        """An element of the projection's generalized Jacobian."""
        n = _DIMENSION.get(self.section[0], 3)
        return shown(self._call("derivative", r)[2], (n, n))

    def error(self, r: Any, u: Any, m: float = 1.0) -> float:
        """e = |r - P_K(r - m u_hat)| / m, m/s: 0 exactly when r and u obey the law."""
        return float(self._call("error", r, u, m))

    def error_degenerate(self, u: Any) -> float:
        """The error of a contact that no impulse can move, m/s."""
        return float(self._call("error_degenerate", u))

    def support(self, x: Any) -> float:
        """h_P(x): the largest p.x over the unit section."""
        return float(self._call("support", x))

    def support_point(self, x: Any) -> Array:
        """The point of the unit section with p.x = h_P(x)."""
        return shown(self._call("support_point", x))

    def gauge(self, x: Any) -> float:
        """The least t >= 0 with x in t P."""
        return float(self._call("gauge", x))


def row_error(r: float, u: float, *, low: float = 0.0, high: float = float("inf"), m: float = 1.0) -> float:
    """Error of a scalar row with bounds of its impulse, in the unit of u."""
    return float(_core.row_error(m, low, high, r, u))


def impact(K: Any, u: Any, *, mu: float = 0.0, e: float = 0.0, law: str = "stronge") -> dict[str, Any]:
    """Follow one impact from closing to opening: impulse r, velocity u, works, spans of slip and stick.

    K: inverse inertia of the contact (2 x 2 or 3 x 3, 1/kg). u: velocity before (m/s). e: coefficient of
    restitution by `law` (newton, poisson or stronge).
    """
    if law not in IMPACT_LAWS:
        raise ArgumentError(f"there is no impact law {law!r}; there are {', '.join(IMPACT_LAWS)}")
    u = np.asarray(u, dtype=float)
    n = len(u)
    K = np.asarray(K, dtype=float)
    if K.shape != (n, n):
        raise ArgumentError(f"K has the shape {K.shape}; ({n}, {n}) is needed")
    d: dict[str, Any] = _core.impact(n, np.ascontiguousarray(K).ravel(), u, mu, e, IMPACT_LAWS.index(law))
    for name in ("r", "u", "r_compression", "u_compression"):
        d[name] = np.array(d[name])[:n]
    d["restitution"] = dict(zip(IMPACT_LAWS, d["restitution"]))
    return d
