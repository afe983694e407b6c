# SPDX-License-Identifier: Apache-2.0
"""One sliding block under several contact formulations: which of them lift it off the floor?"""

import numpy as np
import uptack

MODEL = """
<mujoco model="slide"><option timestep="0.01"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" friction="0.5"/>
    <body name="block" pos="0 0 0.1"><freejoint/>
      <geom name="block" type="box" size="0.2 0.2 0.1" mass="1" friction="0.5"/></body>
  </worldbody>
</mujoco>"""


def main() -> None:
    model = uptack.Model.from_string(MODEL)
    rise = {}
    for name in ("coulomb", "stewart-trinkle", "anitescu-potra", "peiret", "convex", "hybrid"):
        sim = uptack.Sim(model, formulation=name)
        sim.v[:2] = [3 * np.cos(0.3), 3 * np.sin(0.3)]
        highest = 0.0
        for _ in range(20):
            sim.step()
            highest = max(highest, sim.body("block").pos[2] - 0.1)
        rise[name] = highest
        gap = sim.certificate.model_gap
        print(f"{name:16} speed {np.linalg.norm(sim.v[:2]):.5f} m/s, highest rise {highest * 1e3:.3f} mm, E of the circle {gap:.1e}")
        assert sim.report.formulation == name
    # the convex form separates sliding contacts; Coulomb's law does not
    assert rise["coulomb"] < 1e-9 < 1e-3 < rise["convex"]
    exact = uptack.Sim(model)
    exact.v[:2] = [3 * np.cos(0.3), 3 * np.sin(0.3)]
    exact.step(n=20)
    assert abs(np.linalg.norm(exact.v[:2]) - (3 - 0.5 * 9.81 * 0.2)) < 1e-9


if __name__ == "__main__":
    main()
