# SPDX-License-Identifier: Apache-2.0
"""A sweep over throwing angles on two threads, with a plot: where does a ball come down?"""

import os
import sys
import tempfile

import numpy as np
import uptack

MODEL = """
<mujoco model="throw"><option timestep="0.001" integrator="RK4"/>
  <worldbody>
    <body name="ball"><joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
      <geom type="sphere" size="0.05" mass="0.1"/></body>
  </worldbody>
</mujoco>"""
SPEED = 5.0


def main(path: str = "") -> None:
    angles = np.radians(np.linspace(15, 75, 25))
    model = uptack.Model.from_string(MODEL)
    batch = uptack.Batch(model, len(angles), threads=2)
    batch.set(v=SPEED * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    out = batch.step(n=1000, every=1, outputs=("time", "q"))
    assert batch.ok.all()

    # the range is where the height comes back to 0, by interpolation between two steps
    x, z = out["q"][:, :, 0], out["q"][:, :, 1]
    down = np.argmax(z < 0, axis=1)
    rows = np.arange(len(angles))
    part = z[rows, down - 1] / (z[rows, down - 1] - z[rows, down])
    reach = x[rows, down - 1] + part * (x[rows, down] - x[rows, down - 1])
    expected = SPEED**2 * np.sin(2 * angles) / 9.81
    print(f"farthest throw at {np.degrees(angles[np.argmax(reach)]):.1f} degrees: {reach.max():.4f} m")
    assert np.abs(reach - expected).max() < 1e-5

    picture = uptack.plot(
        np.degrees(angles), {"uptack": reach, "v^2 sin(2 a) / g": expected}, xlabel="angle, degrees", ylabel="range, m"
    )
    with tempfile.TemporaryDirectory() as folder:
        picture.save(path or os.path.join(folder, "throw.svg"))


if __name__ == "__main__":
    main(*sys.argv[1:])
