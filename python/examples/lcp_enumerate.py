# SPDX-License-Identifier: Apache-2.0
"""Painleve's rod at one instant as an LCP: no, one or two solutions, found by enumeration of all cases."""

import numpy as np
from uptack import lcp


def main() -> None:
    # w = a z + b for one contact that slides: a = normal acceleration by a unit normal force with its friction
    for a, b, count in ((1.0, 1.0, 1), (1.0, -1.0, 1), (-1.0, 1.0, 2), (-1.0, -1.0, 0)):
        found = lcp.all_solutions([[a]], [b])
        result = lcp.solve([[a]], [b], solver="enumerate")
        print(f"a = {a:+}, b = {b:+}: {len(found)} solutions {found.ravel()}, {result.outcome}")
        assert len(found) == count
        assert (result.outcome == "none") == (count == 0)

    # two such contacts that do not know of each other: the numbers multiply
    found = lcp.all_solutions(np.diag([-1.0, -1.0]), [1, 1])
    print(f"two contacts: {len(found)} solutions")
    assert len(found) == 4

    # all solvers agree where the matrix is positive definite
    problem, z, unique = lcp.family("spd", 30, seed=2)
    assert unique and z is not None
    for solver in ("lemke", "pivot", "pgs", "newton"):
        result = lcp.solve(problem, solver=solver, max_iterations=100000)
        print(f"{solver:7}: {result.outcome}, {result.iterations} iterations, error {np.abs(result.z - z).max():.1e}")
        assert result and np.allclose(result.z, z, atol=1e-5)


if __name__ == "__main__":
    main()
