# SPDX-License-Identifier: Apache-2.0
"""Every public function of the headers is called by the extension module, or listed here with the reason.

So a new function of the library fails this test until it is bound or its absence is explained. Names of
the package that lead to the functions are looked up too.
"""

import re
import unittest
from pathlib import Path

import uptack

ROOT = Path(__file__).resolve().parents[2]

#: Functions without a binding, by pattern, and the reason.
UNBOUND = {
    r"ut_arena_(on|push|failed|peak)|ut_text_read|ut_error_format": "memory, files and messages are Python's",
    r"ut_number_.*|ut_hash_(bytes|doubles)|ut_philox|ut_rng.*|ut_json_.*": "numbers, hashes, random numbers and JSON are Python's",
    r"ut_pool_.*|ut_processors": "threads are those of Batch and rollout",
    r"ut_sin|ut_cos|ut_sincos|ut_matrix_.*": "numpy has them",
    r"ut_sim_model|ut_batch_model": "Sim.model and Batch.model",
    r"ut_load|ut_load_with|ut_scene_build|ut_model_def_assign": "Model() describes with ut_describe and compiles",
    r"ut_(mjcf|urdf|file)_(def|read|load)|ut_limits|ut_notes_print": "Model() reads files by ut_describe, with its limits",
    r"ut_formulation_find": "names are looked up in the list of formulations",
    r"ut_coulomb_read": "ut_coulomb_read_impulses does the same and more",
    r"ut_coulomb_(read|has)_fclib.*": "needs HDF5, which the package does not link: uptack convert, or h5py",
    r"ut_friction_sample|ut_contact_(lcp|scene)_.*": "settings of the library's own tests",
    r"ut_csv_.*": "tables of recordings come as arrays; uptack convert writes CSV",
    r"ut_recorder_flush": "Recorder.close ends the file",
    r"ut_sensors_read": "Sim.sensordata",
    r"ut_(body|joint|mesh|heights|geom|site|point|motion|spring|actuator|tendon|equality|pair|sensor)_def|ut_options":
        "models are described in MJCF, URDF or by scenes, and changed by Model.set",
    r"ut_model_def_(parts|body|joint|mesh|heights|geom|site|point|motion|spring|tendon|actuator|equality|pair|keyframe|sensor|exclude|options|name|missing)":
        "as above",
    r"ut_face_name|ut_mesh_inertia_name|ut_principal_axes|ut_model_inertia_box": "of descriptions, as above",
    r"ut_model_(surface|surface_spin|motion|carry|to_com|from_com)": "steps of the engine and of writers",
    r"ut_expression_.*": "expressions live in model files",
    r"ut_(collide|gap|gap_within|ray|time_of_impact)|ut_broad_.*|ut_flat_.*": "shapes are not objects of the package: Sim.pick, Sim.contacts and distance sensors",
    r"ut_shape_.*|ut_(hull|mesh|heights)_build": "as above",
    r"ut_(kinematics|mass|dyn|tendon|coupling|actuator|smooth|equality|geom|site|point|dof|terms|contact|angular)_.*":
        "dynamics of trees: Sim.mass_matrix, inverse_dynamics, jacobian, energy, reactions and coulomb() are bound",
}

#: Headers of the simulator, the LCP solvers and the friction solver: next to nothing may be missing there.
CORE = (
    "sim.h", "sim_coulomb.h", "report.h", "certificate.h", "formulation.h", "sensor.h", "batch.h", "lcp.h", "ncp.h",
    "coulomb.h", "polyhedral.h", "blocks.h", "notation.h", "uniqueness.h", "law.h", "impact.h", "equations.h", "load.h",
    "scenes.h",
)  # fmt: skip
CORE_UNBOUND = {"ut_sim_model", "ut_batch_model", "ut_formulation_find", "ut_load", "ut_load_with", "ut_scene_build", "ut_sensors_read"}


def functions(header: Path) -> list[str]:
    """The names after UT_API in a header."""
    text = re.sub(r"//.*", "", header.read_text())
    return re.findall(r"UT_API\b[^;{]*?\b(ut_\w+)\s*\(", text)


def called() -> set[str]:
    """The names that the extension's sources use, without their comments."""
    sources = "".join(p.read_text() for p in (ROOT / "python" / "src").glob("*.c"))
    return set(re.findall(r"\but_\w+", re.sub(r"//.*", "", sources)))


class Coverage(unittest.TestCase):
    def test_every_public_function_is_bound_or_explained(self) -> None:
        bound, count = called(), 0
        for header in sorted((ROOT / "include" / "uptack").glob("*.h")):
            for name in functions(header):
                count += 1
                explained = [p for p in UNBOUND if re.fullmatch(p, name)]
                if name not in bound:
                    self.assertTrue(explained, f"{header.name}: {name} is neither bound nor explained")
        self.assertGreater(count, 300)

    def test_the_simulator_and_the_solvers_are_bound_completely(self) -> None:
        bound = called()
        missing = {n for h in CORE for n in functions(ROOT / "include" / "uptack" / h) if n not in bound}
        self.assertEqual(missing, CORE_UNBOUND)

    def test_no_explanation_is_out_of_date(self) -> None:
        names = {n for h in (ROOT / "include" / "uptack").glob("*.h") for n in functions(h)} - called()
        for pattern in UNBOUND:
            self.assertTrue(any(re.fullmatch(pattern, n) for n in names), f"{pattern} explains nothing")

    def test_every_function_of_the_module_is_used_by_the_package(self) -> None:
        package = "".join(p.read_text() for p in (ROOT / "python" / "uptack").glob("**/*.py"))
        for source in (ROOT / "python" / "src").glob("*.c"):
            for name in re.findall(r'^    \{"(\w+)", \w+, METH', source.read_text(), re.M):
                public = source.name.startswith(("sim", "recorder")) and not name.startswith("_")
                used = re.search(rf"\b{name}\(", package) is not None
                self.assertTrue(used or public, f"{source.name}: nothing calls {name}")

    def test_everything_public_has_a_docstring(self) -> None:
        seen = [getattr(uptack, name) for name in uptack.__all__]
        for thing in seen:
            if isinstance(thing, type) or callable(thing):
                self.assertTrue(thing.__doc__, repr(thing))
            if isinstance(thing, type):
                for name, member in vars(thing).items():
                    if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                        self.assertTrue(member.__doc__, f"{thing.__name__}.{name}")


if __name__ == "__main__":
    unittest.main()
