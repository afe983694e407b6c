# SPDX-License-Identifier: Apache-2.0
"""Models: loading, errors with their place, changing, elements."""

import os
import tempfile
import unittest

import numpy as np
import uptack

TEXT = """<mujoco model="m">
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" friction="0.3"/>
    <body name="box" pos="0 0 1"><freejoint/><inertial pos="0 0 0" mass="3" diaginertia="1 2 3"/>
      <geom name="cube" type="box" size="0.1 0.2 0.3" friction="0.6"/></body>
  </worldbody>
</mujoco>"""


class Loading(unittest.TestCase):
    def test_errors_have_file_line_and_column(self) -> None:
        with self.assertRaises(uptack.FormatError) as caught:
            uptack.Model.from_string(TEXT.replace("freejoint", "freejont"), name="bad.xml")
        error = caught.exception
        self.assertEqual((error.file, error.line), ("bad.xml", 4))
        self.assertEqual(error.column, 1 + TEXT.splitlines()[3].index("<freejoint"))
        self.assertIn("bad.xml:4:", str(error))
        self.assertIsInstance(error, ValueError)
        with self.assertRaises(uptack.FileError) as missing:
            uptack.Model("no/such.xml")
        self.assertIsInstance(missing.exception, OSError)
        self.assertEqual(missing.exception.file, "no/such.xml")

    def test_files_scenes_and_texts_load(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.xml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(TEXT)
            one = uptack.Model.from_file(path)
        two = uptack.Model.from_xml(TEXT)
        self.assertEqual(one.hash, two.hash)
        self.assertEqual(uptack.Model.from_scene("stack:3").nbody, 4)
        with self.assertRaises(uptack.ArgumentError):
            uptack.Model.from_scene("stack.xml")
        with self.assertRaisesRegex(uptack.ArgumentError, "stack"):
            uptack.Model("nothing:3")

    def test_unsupported_parts_are_listed(self) -> None:
        text = TEXT.replace("</mujoco>", '<option wind="1 0 0"/></mujoco>')
        self.assertTrue(any("wind" in line for line in uptack.Model.from_string(text).notes))
        with self.assertRaises(uptack.Error):
            uptack.Model.from_string(text, strict=True)


class Changing(unittest.TestCase):
    def test_set_changes_later_sims_alone(self) -> None:
        model = uptack.Model.from_string(TEXT)
        sim = uptack.Sim(model)
        self.assertEqual(model.body("box").mass, 3)
        model.set("box.mass", 2)
        self.assertEqual(model.body("box").mass, 2)
        self.assertEqual(sim.model.body("box").mass, 3)
        self.assertEqual(uptack.Sim(model).model.body("box").mass, 2)
        other = model.with_({"cube.friction": 0.1}, dt=0.01, gravity=(0, 0, -1))
        self.assertEqual((other.geom("cube").friction, other.dt), (0.1, 0.01))
        np.testing.assert_array_equal(other.gravity, [0, 0, -1])
        self.assertEqual(model.geom("cube").friction, 0.6)
        with self.assertRaisesRegex(uptack.ArgumentError, "box9"):
            model.set("box9.mass", 1)

    def test_elements_have_the_numbers_of_the_file(self) -> None:
        model = uptack.Model.from_string(TEXT)
        np.testing.assert_array_equal(model.geom("cube").size, [0.1, 0.2, 0.3])
        np.testing.assert_array_equal(model.body("box").inertia, np.diag([1.0, 2.0, 3.0]))
        self.assertEqual((model.nq, model.nv, model.nu, model.nbody), (7, 6, 0, 2))
        self.assertEqual(model.joint(0).kind, "free")
        self.assertEqual(len(model.bodies), 2)
        # the larger friction of two geoms counts
        law = model.pair("floor", "cube")
        self.assertEqual((law["friction"], law["condim"], law["collides"]), (0.6, 3, True))
        with self.assertRaises(AttributeError):
            model.nothing
        with self.assertRaises(uptack.ArgumentError):
            model.body(2)

    def test_positions_move_and_differ(self) -> None:
        model = uptack.Model.from_string(TEXT)
        q = np.array([0, 0, 1, 1, 0, 0, 0.0])
        v = np.array([1, 0, 0, 0, 0, np.pi])
        moved = model.integrate(q, v, 0.5)
        np.testing.assert_allclose(moved, [0.5, 0, 1, np.sqrt(0.5), 0, 0, np.sqrt(0.5)], atol=1e-15)
        np.testing.assert_allclose(model.difference(q, moved), v / 2, atol=1e-15)
        np.testing.assert_array_equal(model.normalize([0, 0, 0, 0, 3, 0, 0]), [0, 0, 0, 0, 1, 0, 0])
        with self.assertRaises(uptack.ArgumentError):
            model.normalize(np.zeros(7))

    def test_mjcf_reads_back(self) -> None:
        model = uptack.Model("stack:3")
        self.assertEqual(uptack.Model.from_string(model.mjcf()).hash, model.hash)
        self.assertIn("<mujoco", model.mjcf(plain=True))

    def test_lists_of_names(self) -> None:
        self.assertIn("stack", [name for name, _, _ in uptack.scenes()])
        self.assertEqual(uptack.formulations()[0]["name"], "coulomb")
        self.assertIn("| ", uptack.mjcf_support())
        self.assertIn("stack:3", repr(uptack.Model("stack:3")))


if __name__ == "__main__":
    unittest.main()
