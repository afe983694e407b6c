# SPDX-License-Identifier: Apache-2.0
"""A quadruped stands by proportional-derivative control of its joints, and returns to its pose after a push."""

import numpy as np
import uptack
from uptack import gym


def main() -> None:
    env = gym.make("quadruped")
    sim = env.sim
    env.reset(seed=1)
    stand = np.zeros(env.action_space.shape)
    for _ in range(50):
        env.step(stand)
    height = sim.body("trunk").pos[2]

    # 60 N sideways for 0.1 s
    sim.body("trunk").applied = [0, 60, 0, 0, 0, 0]
    for _ in range(5):
        env.step(stand)
    pushed = sim.body("trunk").velocity[1]
    sim.applied[:] = 0
    for _ in range(300):
        env.step(stand)

    trunk = sim.body("trunk")
    load = sim.contacts["impulse"][:, 2].sum() / sim.dt
    print(f"pushed to {pushed:.2f} m/s; stands at {trunk.pos[2]:.4f} m (before {height:.4f} m) on {load:.2f} N")
    assert pushed > 0.05
    assert abs(trunk.pos[2] - height) < 0.01
    assert np.linalg.norm(trunk.velocity) < 1e-2
    assert abs(load - 9.81 * sim.model.mass) < 2.0


if __name__ == "__main__":
    main()
