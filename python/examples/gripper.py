# SPDX-License-Identifier: Apache-2.0
"""Two fingers hold a cube by friction and lift it: it slips out when the grip is below m (g + a) / (2 mu)."""

import uptack

MODEL = """
<mujoco model="gripper"><option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 1"/>
    <body name="cube" pos="0 0 0.05"><freejoint/>
      <geom name="cube" type="box" size="0.05 0.05 0.05" mass="1" friction="0.5"/></body>
    <body name="hand" pos="0 0 0.3"><joint name="lift" type="slide" axis="0 0 1" armature="1"/>
      <geom type="box" size="0.02 0.02 0.02" mass="0.5" contype="0" conaffinity="0"/>
      <body name="left" pos="-0.07 0 -0.25"><joint name="left" type="slide" axis="1 0 0"/>
        <geom type="box" size="0.02 0.03 0.03" mass="0.2" friction="0.5"/></body>
      <body name="right" pos="0.07 0 -0.25"><joint name="right" type="slide" axis="-1 0 0"/>
        <geom type="box" size="0.02 0.03 0.03" mass="0.2" friction="0.5"/></body></body>
  </worldbody>
  <actuator>
    <position name="lift" joint="lift" kp="2000" kv="200"/>
    <motor name="left" joint="left"/><motor name="right" joint="right"/>
  </actuator>
</mujoco>"""


def lifted(grip: float) -> float:
    """Height of the cube after the hand rose by 0.2 m within 2 s."""
    sim = uptack.Sim(uptack.Model.from_string(MODEL))
    for name in ("left", "right"):
        sim.actuator(name).ctrl = grip
    sim.step(n=100)
    while sim.time < 2.2:
        sim.actuator("lift").ctrl = min(0.2, 0.1 * (sim.time - 0.2))
        sim.step()
    return float(sim.body("cube").pos[2] - 0.05)


def main() -> None:
    # the weight of 1 kg needs 9.81 N of friction: 2 * 0.5 * grip
    for grip in (5.0, 9.0, 11.0, 20.0):
        height = lifted(grip)
        print(f"grip {grip:4.1f} N: the cube rose by {height:.3f} m")
        assert (height > 0.15) == (grip > 10.5)


if __name__ == "__main__":
    main()
