# SPDX-License-Identifier: Apache-2.0
"""State hashes of sims from Python equal those of the command line, on every scene.

UPTACK_CLI names the command line (default build/uptack). Each scene takes UPTACK_STEPS steps (default 50;
the full check is `tools/python-test hashes`). UPTACK_SCENES is a pattern that names must match, default all.
"""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

import uptack

ROOT = Path(__file__).resolve().parents[2]
CLI = os.environ.get("UPTACK_CLI", str(ROOT / "build" / "uptack"))
STEPS = int(os.environ.get("UPTACK_STEPS", "50"))


def scenes() -> list[str]:
    """Every scene by name, and every model file of the folder scenes."""
    files = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "scenes").glob("**/*.xml"))
    wanted = re.compile(os.environ.get("UPTACK_SCENES", ""))
    return [name for name in [name for name, _, _ in uptack.scenes()] + files if wanted.search(name)]


def hash_of_cli(scene: str, seconds: float) -> tuple[str, int]:
    """State hash and number of steps of `uptack run`."""
    command = [CLI, "run", scene, "-t", repr(seconds), "--keep-going", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    summary = json.loads(done.stdout)
    return summary["state_hash"], summary["steps"]


def hash_of_python(scene: str, steps: int) -> tuple[str, float]:
    """The same from Python, and the simulated time that gives as many steps."""
    os.chdir(ROOT)
    model = uptack.Model(scene)
    sim = uptack.Sim(model, on_uncertified="keep")
    sim.step(n=steps)
    return sim.hash, steps * sim.dt


class Hashes(unittest.TestCase):
    @unittest.skipUnless(os.access(CLI, os.X_OK), f"{CLI} is not built")
    def test_every_scene_has_the_hash_of_the_command_line(self) -> None:
        found = scenes()
        self.assertGreater(len(found), 50 if "UPTACK_SCENES" not in os.environ else 0)
        for scene in found:
            with self.subTest(scene=scene):
                ours, seconds = hash_of_python(scene, STEPS)
                theirs, steps = hash_of_cli(scene, seconds)
                self.assertEqual(steps, STEPS)
                self.assertEqual(ours, theirs)
                if STEPS > 200:
                    print(f"{scene}: {ours} after {STEPS} steps", file=sys.stderr, flush=True)


if __name__ == "__main__":
    unittest.main()
