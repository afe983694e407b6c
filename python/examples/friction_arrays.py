# SPDX-License-Identifier: Apache-2.0
"""A friction problem from arrays: a box on four corners is pushed; no simulator is involved."""

import numpy as np
from uptack import coulomb

MASS, SIDE, HEIGHT, STEP = 2.0, 0.5, 0.2, 0.01


def jacobian() -> np.ndarray:  # type: ignore[type-arg]
    """Rows n, t1, t2 of four corners at the bottom; velocities: of the centre, then angular."""
    rows = []
    for x in (-SIDE / 2, SIDE / 2):
        for y in (-SIDE / 2, SIDE / 2):
            corner = np.array([x, y, -HEIGHT / 2])
            for axis in ([0, 0, 1], [1, 0, 0], [0, 1, 0]):
                # v + w x corner along the axis
                rows.append(np.concatenate([axis, np.cross(corner, axis)]))
    return np.array(rows)


def main() -> None:
    inertia = MASS / 12 * np.array([SIDE**2 + HEIGHT**2, SIDE**2 + HEIGHT**2, 2 * SIDE**2])
    M = np.diag([MASS] * 3 + list(inertia))
    for push, mu in ((1.0, 0.5), (12.0, 0.5)):
        # M v + h (forces): weight and a push along x at the height of the floor's friction
        f = STEP * np.array([push, 0, -MASS * 9.81, 0, -push * HEIGHT / 2, 0])
        problem = coulomb.Problem(M=M, J=jacobian(), f=f, b=np.zeros(12), mu=mu, contacts=4)
        result = problem.solve()
        r = result.r.reshape(-1, 3)
        v = np.linalg.solve(M, f + problem.J.T @ result.r)
        expected = max(0.0, STEP * (push - mu * MASS * 9.81) / MASS)
        print(f"push {push} N: {problem}, {result}; the box moves at {v[0]:.6f} m/s")
        assert result and problem.judge(result.r).E < 1e-8
        assert abs(v[0] - expected) < 1e-9
        assert np.isclose(r[:, 0].sum(), STEP * MASS * 9.81)


if __name__ == "__main__":
    main()
