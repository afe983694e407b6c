# SPDX-License-Identifier: Apache-2.0
"""A block on a slope whose friction passes the tangent of its angle: it sticks, or slides as by hand."""

import math

import numpy as np
import uptack

ANGLE = math.radians(20)


def model(mu: float) -> uptack.Model:
    """The slope lies along x, and gravity is turned instead."""
    g = 9.81 * np.array([math.sin(ANGLE), 0, -math.cos(ANGLE)])
    text = f"""
    <mujoco model="slope"><option timestep="0.002" gravity="{g[0]!r} 0 {g[2]!r}"/>
      <worldbody>
        <geom name="slope" type="plane" size="5 5 1" friction="{mu}"/>
        <body name="block" pos="0 0 0.05"><freejoint/>
          <geom name="block" type="box" size="0.1 0.1 0.05" mass="1" friction="{mu}"/></body>
      </worldbody></mujoco>"""
    return uptack.Model.from_string(text)


def main() -> None:
    for mu in (0.2, 0.36, 0.37, 0.5):
        sim = uptack.Sim(model(mu))
        start = sim.body("block").pos[0]
        sim.step(n=500)
        moved = sim.body("block").pos[0] - start
        acceleration = max(0.0, 9.81 * (math.sin(ANGLE) - mu * math.cos(ANGLE)))
        # symplectic Euler: a h^2 n (n + 1) / 2
        expected = acceleration * 0.002**2 * 500 * 501 / 2
        states = set(sim.contacts["state"])
        print(f"mu = {mu}: moved {moved:.9f} m, by hand {expected:.9f} m, contacts {', '.join(sorted(states))}")
        assert abs(moved - expected) < 1e-8
        assert states == ({"slip"} if acceleration > 0 else {"stick"})


if __name__ == "__main__":
    main()
