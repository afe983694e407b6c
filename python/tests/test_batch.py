# SPDX-License-Identifier: Apache-2.0
"""Batches, rollouts, recordings, runs, plots, equations of papers, and the page."""

import os
import subprocess
import tempfile
import unittest
import urllib.request
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import uptack

ROOT = Path(__file__).resolve().parents[2]
CLI = os.environ.get("UPTACK_CLI", str(ROOT / "build" / "uptack"))
SLIDER = """
<mujoco model="slider"><option timestep="0.01"/>
  <worldbody><body name="cart"><joint name="x" type="slide" axis="1 0 0"/>
    <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body></worldbody>
  <actuator><motor name="push" joint="x"/></actuator>
  <sensor><jointpos name="where" joint="x"/></sensor>
</mujoco>"""


class Batches(unittest.TestCase):
    def test_rows_have_the_bits_of_sims(self) -> None:
        model = uptack.Model("quad")
        batch = uptack.Batch(model, 5, threads=2)
        ctrl = np.linspace(-0.3, 0.3, 5)[:, None] * np.ones(model.nu)
        batch.step(ctrl, 40)
        for row in range(5):
            sim = uptack.Sim(model)
            sim.step(ctrl[row], 40)
            self.assertEqual(batch.to_sim(row).hash, sim.hash)
        np.testing.assert_array_equal(batch.results["taken"], 40)
        self.assertTrue(batch.ok.all())

    def test_controls_of_each_step_by_hand(self) -> None:
        batch = uptack.Batch(uptack.Model.from_string(SLIDER), 3, threads=2)
        force = np.array([[1.0, 2, 3], [0, 0, 0], [-2, 0, 2]])
        out = batch.step(force[:, :, None], 3, each_step=True, every=1, outputs=("time", "q", "v", "sensordata", "energy"))
        v = np.cumsum(force * 0.01 / 2, axis=1)
        x = np.cumsum(v * 0.01, axis=1)
        np.testing.assert_allclose(out["v"][:, :, 0], v, atol=1e-15)
        np.testing.assert_allclose(out["q"][:, :, 0], x, atol=1e-15)
        np.testing.assert_allclose(out["sensordata"][:, :, 0], x, atol=1e-15)
        np.testing.assert_allclose(out["energy"], v**2, atol=1e-15)  # m = 2
        np.testing.assert_allclose(out["time"], np.tile([0.01, 0.02, 0.03], (3, 1)))

    def test_a_row_that_fails_stands_still_and_others_go_on(self) -> None:
        batch = uptack.Batch("stack:2", 3)
        batch.step(n=20)
        self.assertTrue(batch.ok.all())
        with self.assertRaises(uptack.ArgumentError):
            batch.set(q=np.zeros((2, 3)))
        batch.set(q=np.full(batch.model.nq, np.nan), rows=[2])
        self.assertFalse(batch.ok[2])
        self.assertIn("q[", batch.message(2))
        before = batch.time[2]
        batch.step()
        self.assertEqual(batch.time[2], before)
        batch.reset(rows=[2])
        batch.step()
        self.assertTrue(batch.ok[2])

    def test_states_go_to_sims_and_back(self) -> None:
        batch = uptack.Batch("stack:2", 2)
        sim = batch.to_sim(0)
        sim.step(n=7)
        batch.from_sim(1, sim)
        self.assertEqual(batch.to_sim(1).hash, sim.hash)
        self.assertEqual(batch.to_sim(0).time, 0)
        batch.step(skip=[True, False])
        np.testing.assert_allclose(batch.time, [0, 8 * batch.dt])

    def test_rollouts_have_a_status_per_row(self) -> None:
        model = uptack.Model.from_string(SLIDER)
        states = np.array([[0.0, 0.0], [1.0, 0.5], [np.nan, 0.0]])
        result = uptack.rollout(model, states, np.ones((4, 1)), threads=2)
        self.assertEqual(result.q.shape, (3, 4, 1))
        self.assertEqual(result.status[:2], ["ok", "ok"])
        self.assertNotEqual(result.status[2], "ok")
        np.testing.assert_array_equal(result.ok, [True, True, False])
        np.testing.assert_allclose(result.v[1, :, 0], 0.5 + 0.005 * np.arange(1, 5))
        with self.assertRaises(uptack.ArgumentError):
            uptack.rollout(model, states)
        with self.assertRaises(uptack.ArgumentError):
            uptack.rollout(model, np.zeros((2, 7)), steps=3)

    def test_uncertified_rows_say_so(self) -> None:
        model = uptack.Model("stack:3")
        sim = uptack.Sim(model)
        states = np.tile(np.concatenate([sim.q, sim.v]), (2, 1))
        states[1, model.nq] = 0.3
        result = uptack.rollout(model, states, steps=3, tolerance=1e-300)
        self.assertEqual(result.status, ["uncertified", "uncertified"])
        np.testing.assert_array_equal(result.steps, [0, 0])
        self.assertIn("not certified", result.message[0])


class Recordings(unittest.TestCase):
    def record(self, folder: str) -> tuple[str, uptack.Sim]:
        """A recording of 20 steps."""
        path = os.path.join(folder, "run.utr")
        sim = uptack.Sim("quad", dt=0.004)
        with sim.record(path):
            sim.step(0.1 * np.ones(sim.model.nu), 10)
            sim.step(n=10)
        return path, sim

    def test_a_recording_reads_back(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path, sim = self.record(folder)
            self.assertTrue(uptack.is_recording(path))
            recording = uptack.read_recording(path)
            self.assertEqual(len(recording["time"]), 21)
            self.assertEqual(recording["hash"][-1], sim.hash)
            np.testing.assert_array_equal(recording["q"][-1], sim.q)
            np.testing.assert_array_equal(recording["v"][-1], sim.v)
            np.testing.assert_array_equal(recording["ctrl"][0], sim.ctrl)
            self.assertEqual(recording["dt"], 0.004)
            self.assertTrue(recording["complete"])
            name = sim.model.bodies[1].name
            self.assertEqual(recording.column(f"{name}.z")[-1], sim.body(name).com[2])
            certificates = uptack.certify_recording(path, sim.model)
            self.assertEqual(len(certificates), 20)
            self.assertTrue(all(certificates))
            with self.assertRaises(uptack.ArgumentError):
                uptack.certify_recording(path, uptack.Model("stack:2"))
            with open(path, "rb") as file:
                data = file.read()
            self.assertFalse(uptack.parse_recording(data[:-30])["complete"])
            with self.assertRaises(uptack.FormatError):
                uptack.parse_recording(b"nothing")

    @unittest.skipUnless(os.access(CLI, os.X_OK), f"{CLI} is not built")
    def test_the_command_line_replays_and_certifies_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path, _ = self.record(folder)
            for verb, expected in (("replay", "equal in every bit"), ("certify", "all 20 steps certified")):
                done = subprocess.run([CLI, verb, path], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(expected, done.stdout)


class Runs(unittest.TestCase):
    def test_a_run_gives_arrays(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(SLIDER))
        rows = sim.run(1, ctrl=lambda s: [2.0], every=10)
        self.assertEqual(rows["time"].shape, (11,))
        np.testing.assert_allclose(rows["v"][:, 0], rows["time"], atol=1e-12)
        np.testing.assert_allclose(rows["energy"], rows["time"] ** 2, atol=1e-12)

    def test_the_energy_ledger_of_rest_is_empty(self) -> None:
        ledger = uptack.Sim("stack:1").energy_ledger
        self.assertEqual(ledger["gain"], 0)
        self.assertFalse(ledger["gained"])


class Equations(unittest.TestCase):
    def test_the_system_of_a_paper_is_solved_by_its_own_solution(self) -> None:
        system = uptack.dump(str(ROOT / "scenes" / "seeds" / "dart-box.xml"), "dart")
        self.assertTrue(system["solved"])
        self.assertEqual(system["A"].shape, (system["size"], system["size"]))
        self.assertEqual(len(system["names"]), system["size"])
        np.testing.assert_allclose(system["w"], system["A"] @ system["z"] + system["b"], atol=1e-9)
        self.assertTrue(system.problem.solve())
        self.assertIn("documentclass", uptack.dump(str(ROOT / "scenes/seeds/dart-box.xml"), "dart", format="tex"))
        with self.assertRaises(uptack.ArgumentError):
            uptack.dump("stack:2", "newton")

    def test_the_sim_stays_as_it_is(self) -> None:
        sim = uptack.Sim(str(ROOT / "scenes" / "seeds" / "dart-box.xml"))
        sim.step(n=3)
        before = sim.hash
        system = uptack.dump(sim, "dart")
        self.assertEqual((sim.hash, system["step"]), (before, 4))
        self.assertEqual(system.block("M").shape, (6, 6))
        with self.assertRaises(uptack.ArgumentError):
            system.block("none")


class Pictures(unittest.TestCase):
    def test_a_plot_is_an_svg_whose_line_goes_through_its_points(self) -> None:
        picture = uptack.plot([0, 1, 2], {"a": [0, 1, 4], "b": [0, np.nan, 1]}, title="<t>")
        root = ET.fromstring(picture.svg)
        lines = [e.attrib["points"] for e in root.iter() if e.tag.endswith("polyline")]
        self.assertEqual(len(lines), 2)
        points = [tuple(float(x) for x in p.split(",")) for p in lines[0].split()]
        # equal steps along x; heights in the ratio 1 : 3, upwards
        self.assertAlmostEqual(points[1][0] - points[0][0], points[2][0] - points[1][0], delta=0.02)
        self.assertAlmostEqual(3 * (points[0][1] - points[1][1]), points[1][1] - points[2][1], delta=0.1)
        self.assertEqual(len(lines[1].split()), 2)
        with self.assertRaises(uptack.ArgumentError):
            uptack.plot([0, 1], [1, 2, 3])

    def test_a_sim_plots_itself_and_stays(self) -> None:
        sim = uptack.Sim("stack:2")
        before = sim.hash
        self.assertIn("<svg", sim.plot("box1", seconds=0.02)._repr_svg_())
        self.assertEqual(sim.hash, before)

    @unittest.skipUnless(os.access(CLI, os.X_OK), f"{CLI} is not built")
    def test_a_sim_shows_its_model_on_a_page(self) -> None:
        before = os.environ.get("UPTACK_CLI")
        os.environ["UPTACK_CLI"] = CLI
        try:
            with tempfile.TemporaryDirectory() as folder:
                with self.assertRaisesRegex(uptack.Error, "not built|no page|index.html"):
                    uptack.Sim("stack:2").show(browser=False, options=("--page", os.path.join(folder, "none")))
                with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
                    file.write("<html>page</html>")
                with uptack.Sim("stack:2").show(browser=False, options=("--page", folder)) as page:
                    self.assertTrue(page.open)
                    with urllib.request.urlopen(page.address) as answer:
                        self.assertIn(b"page", answer.read())
                self.assertFalse(page.open)
        finally:
            os.environ.pop("UPTACK_CLI")
            if before is not None:
                os.environ["UPTACK_CLI"] = before

    def test_showing_needs_the_command_line(self) -> None:
        path, cli = os.environ.get("PATH", ""), os.environ.pop("UPTACK_CLI", None)
        os.environ["PATH"] = "/nowhere"
        try:
            with self.assertRaisesRegex(uptack.Error, "command line"):
                uptack.Sim("stack:2").show()
        finally:
            os.environ["PATH"] = path
            if cli is not None:
                os.environ["UPTACK_CLI"] = cli


if __name__ == "__main__":
    unittest.main()
