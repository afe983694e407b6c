# SPDX-License-Identifier: Apache-2.0
"""A box falls 0.5 m onto the floor, comes to rest, and carries its weight."""

import numpy as np
import uptack

MODEL = """
<mujoco model="drop">
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="box" pos="0 0 0.6"><freejoint/>
      <geom name="box" type="box" size="0.1 0.1 0.1" mass="2"/></body>
  </worldbody>
</mujoco>"""


def main() -> None:
    sim = uptack.Sim(uptack.Model.from_string(MODEL))
    while sim.time < 1:
        sim.step()  # raises if a step does not pass its certificate
    weight = sim.contacts["impulse"].sum(axis=0) / sim.dt
    print(f"at rest at z = {sim.body('box').pos[2]:.6f} m, carried by {weight[2]:.4f} N, {sim.certificate}")
    assert abs(sim.body("box").pos[2] - 0.1) < 1e-9
    assert np.allclose(weight, [0, 0, 2 * 9.81], atol=1e-8)


if __name__ == "__main__":
    main()
