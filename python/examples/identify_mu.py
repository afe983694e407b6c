# SPDX-License-Identifier: Apache-2.0
"""System identification: the friction of a sliding block from its path, by least squares over rollouts."""

import numpy as np
import uptack

MODEL = """
<mujoco model="slide"><option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" friction="0"/>
    <body name="block" pos="0 0 0.05"><freejoint/>
      <geom name="block" type="box" size="0.1 0.1 0.05" mass="1" friction="0.5"/></body>
  </worldbody>
</mujoco>"""
STEPS, EVERY, TRUE = 300, 10, 0.317


def paths(mu: float, speeds: list[float]) -> np.ndarray:  # type: ignore[type-arg]
    """Positions along x of blocks that begin with different speeds, a row each."""
    model = uptack.Model.from_string(MODEL, set={"block.friction": mu})
    start = uptack.Sim(model)
    states = np.tile(np.concatenate([start.q, start.v]), (len(speeds), 1))
    states[:, model.nq] = speeds
    result = uptack.rollout(model, states, steps=STEPS, every=EVERY)
    assert result.ok.all()
    return result.q[:, :, 0]


def main() -> None:
    speeds = [0.5, 1.0, 1.5, 2.0]
    noise = np.random.default_rng(1).normal(0, 1e-3, (len(speeds), STEPS // EVERY))
    measured = paths(TRUE, speeds) + noise

    mu, step = 0.6, 1e-4
    for iteration in range(8):  # Gauss and Newton, with a difference for the derivative
        error = (paths(mu, speeds) - measured).ravel()
        slope = ((paths(mu + step, speeds) - paths(mu - step, speeds)) / (2 * step)).ravel()
        change = -(slope @ error) / (slope @ slope)
        mu = float(np.clip(mu + change, 0.01, 2))
        print(f"iteration {iteration}: mu = {mu:.6f}, error {np.sqrt(np.mean(error**2)) * 1e3:.3f} mm")
        if abs(change) < 1e-6:
            break
    # the noise of 1 mm leaves about 1e-3 / |slope|
    assert abs(mu - TRUE) < 5e-3 / np.linalg.norm(slope)


if __name__ == "__main__":
    main()
