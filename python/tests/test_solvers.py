# SPDX-License-Identifier: Apache-2.0
"""LCP and friction solvers, laws and impacts, against hand calculations and closed forms."""

import unittest

import numpy as np
import uptack
from uptack import coulomb, law, lcp


class Lcp(unittest.TestCase):
    M, q = [[2, 1], [1, 2]], [-5, -6]  # by hand: z = (4/3, 7/3) makes w = 0

    def test_every_solver_finds_the_answer_by_hand(self) -> None:
        for solver in lcp.SOLVERS:
            with self.subTest(solver=solver):
                result = lcp.solve(self.M, self.q, solver=solver)
                self.assertTrue(result)
                np.testing.assert_allclose(result.z, [4 / 3, 7 / 3], atol=1e-8)
                self.assertLess(lcp.Problem(self.M, self.q).residual(result.z), 1e-10)
        np.testing.assert_allclose(lcp.Problem(self.M, self.q).slack([0, 0]), self.q)

    def test_all_solutions_are_counted(self) -> None:
        # z1 = 0 or w1 = 0 with M = -1, q = 1: z = 0 (w = 1) and z = 1 (w = 0), for each of two unknowns
        found = lcp.all_solutions(-np.eye(2), [1, 1])
        self.assertEqual({tuple(z) for z in found}, {(0, 0), (0, 1), (1, 0), (1, 1)})
        with self.assertRaisesRegex(uptack.ArgumentError, "4 solutions"):
            lcp.all_solutions(-np.eye(2), [1, 1], room=2)

    def test_bounds_and_free_unknowns(self) -> None:
        # w = z - 3 with 0 <= z <= 2: at the upper bound, w = -1
        boxed = lcp.solve([[1]], [-3], lo=[0], hi=[2])
        np.testing.assert_allclose(boxed.z, [2])
        free = lcp.solve([[2]], [4], free=1)
        np.testing.assert_allclose(free.z, [-2])
        # friction: |z_2| <= 0.5 z_1 with z_1 = 2, pulled to -3
        index = lcp.solve(np.eye(2), [-2, 3], lo=[0, -0.5], hi=[np.inf, 0.5], findex=[-1, 0])
        np.testing.assert_allclose(index.z, [2, -1])

    def test_a_problem_without_solution_is_an_answer_with_its_proof(self) -> None:
        result = lcp.solve([[-1]], [-1])
        self.assertFalse(result)
        self.assertIn(result.outcome, ("none", "ray"))
        self.assertEqual(lcp.solve([[0.0]], [-1], solver="enumerate").outcome, "none")

    def test_warm_starts_of_pivoting(self) -> None:
        problem, z, _ = lcp.family("fathi", 8)
        warm = lcp.Warm(8)
        first = lcp.solve(problem, solver="pivot", warm=warm)
        again = lcp.solve(problem, solver="pivot", warm=warm, same_matrix=True)
        np.testing.assert_allclose(first.z, z, atol=1e-9)
        np.testing.assert_allclose(again.z, z, atol=1e-9)
        self.assertLessEqual(again.iterations, first.iterations)
        with self.assertRaises(uptack.ArgumentError):
            lcp.solve([[1]], [-1], solver="pivot", warm=warm)

    def test_files(self) -> None:
        problem = lcp.parse('{"M":[[2,1],[1,2]],"q":[-5,-6]}', "p.json")
        np.testing.assert_allclose(problem.solve().z, [4 / 3, 7 / 3])
        with self.assertRaises(uptack.FormatError) as caught:
            lcp.parse("2\n1 2\n3 x\n5 6\n", "p.lcp", "text")
        self.assertEqual((caught.exception.file, caught.exception.line), ("p.lcp", 3))

    def test_nonlinear_problems(self) -> None:
        # g = z^2 - 4: z = 2
        result = lcp.solve_nonlinear(lambda z: (z**2 - 4, [[2 * z[0]]]), 1, start=[1.0])
        self.assertTrue(result)
        np.testing.assert_allclose(result.z, [2], atol=1e-9)

        def broken(z: np.ndarray) -> tuple[object, object]:
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            lcp.solve_nonlinear(broken, 1)
        with self.assertRaises(uptack.ArgumentError):
            lcp.solve_nonlinear(lambda z: ([1, 2], [[1]]), 1)

    def test_arguments_that_cannot_be(self) -> None:
        with self.assertRaises(uptack.ArgumentError):
            lcp.solve([[1, 2]], [1])
        with self.assertRaises(uptack.ArgumentError):
            lcp.solve([[np.nan]], [1])
        with self.assertRaisesRegex(uptack.ArgumentError, "lemke"):
            lcp.solve([[1]], [1], solver="simplex")


class Friction(unittest.TestCase):
    # one mass of 2 kg on a floor, pushed by its weight and 3 N s along t1: r_n = 4 N s, mu = 0.5
    W, q = np.eye(3) / 2, np.array([-2.0, 1.5, 0.0])

    def test_one_contact_slips_as_by_hand(self) -> None:
        for solver in ("auto", "ipm", "proximal", "newton", "nsgs"):
            with self.subTest(solver=solver):
                result = coulomb.solve(self.W, self.q, 0.5, solver=solver)
                self.assertTrue(result)
                np.testing.assert_allclose(result.r, [4, -2, 0], atol=1e-6)
                np.testing.assert_allclose(result.u, [0, 0.5, 0], atol=1e-6)
                self.assertLess(result.E, 1e-8)

    def test_it_sticks_with_enough_friction(self) -> None:
        result = coulomb.solve(self.W, self.q, mu=[0.8])
        np.testing.assert_allclose(result.r, [4, -3, 0], atol=1e-7)
        problem = coulomb.Problem(W=self.W, q=self.q, mu=0.8, contacts=1)
        report = problem.unique(result.r)
        self.assertEqual(report["status"], ["stick"])
        self.assertEqual(report["redundant"], 0)
        self.assertEqual(report["velocity"], "unique")

    def test_the_judge_measures_impulses_from_anywhere(self) -> None:
        problem = coulomb.Problem(W=self.W, q=self.q, mu=0.5, contacts=1)
        self.assertLess(problem.judge([4, -2, 0]).E, 1e-12)
        self.assertGreater(problem.judge([4, -2.2, 0]).cone, 0.01)
        self.assertGreater(problem.judge([3, -1.5, 0]).E, 0.1)
        self.assertLess(problem.mismatch([4, -2, 0], [0, 0.5, 0]), 1e-12)
        self.assertGreater(problem.mismatch([4, -2, 0], [0, 0.6, 0]), 0.01)

    def test_the_forms_agree(self) -> None:
        one = coulomb.scene("stack", 3)
        other = coulomb.scene("stack", 3, bodies=True)
        self.assertEqual((one.form, other.form), ("global", "bodies"))
        for r in (one.solve().r, other.solve().r):
            self.assertLess(one.judge(r).E, 1e-8)
            self.assertLess(other.judge(r).E, 1e-8)
        W = one.J @ np.linalg.solve(one.M, one.J.T)
        local = coulomb.Problem(W=W, q=one.J @ np.linalg.solve(one.M, one.f) + one.b, mu=one.mu)
        self.assertLess(local.judge(one.solve().r).E, 1e-8)

    def test_texts_read_back(self) -> None:
        problem = coulomb.scene("ramp")
        result = problem.solve()
        again, r = coulomb.parse(problem.text(result.r))
        self.assertIsNotNone(r)
        np.testing.assert_array_equal(r, result.r)
        self.assertLess(again.judge(r).E, 1e-8)
        with self.assertRaises(uptack.FormatError):
            coulomb.parse("fc2 nonsense", "x.fc")

    def test_least_impulses_of_a_table_are_quarters(self) -> None:
        # a box on four corners: each carries a quarter of its weight
        problem = coulomb.scene("stack", 1)
        r, info = problem.least(problem.solve().r)
        self.assertTrue(info["found"])
        normal = r.reshape(-1, 3)[:, 0]
        np.testing.assert_allclose(normal, normal.mean(), atol=1e-9)
        self.assertAlmostEqual(normal.sum(), 9.81 / 60, places=9)

    def test_polygons_are_lcps(self) -> None:
        problem = coulomb.Problem(W=self.W, q=self.q, mu=0.5, contacts=1, sections=[coulomb.section("inscribed", 8)])
        for model in ("force", "acceleration"):
            form = problem.polyhedral(model=model)
            z = lcp.solve(form.problem)
            self.assertTrue(z)
            np.testing.assert_allclose(form.impulses(z.z), [4, -2, 0], atol=1e-9)
        self.assertTrue(problem.solve(solver="lcp", lcp="lemke"))
        with self.assertRaises(uptack.ArgumentError):
            coulomb.Problem(W=self.W, q=self.q, mu=0.5, contacts=1).polyhedral()

    def test_blocks_and_prints_of_the_papers(self) -> None:
        problem = coulomb.scene("stack", 1).with_sections(coulomb.section("inscribed", 4))
        blocks = problem.blocks()
        self.assertEqual(blocks["W_n"].shape, (6, 4))
        np.testing.assert_array_equal(blocks["U"], 0.5 * np.eye(4))
        np.testing.assert_array_equal(blocks["E"].sum(axis=0), [4, 4, 4, 4])
        printed = problem.printed("berard", 1 / 60)
        self.assertEqual(printed["M"].shape, (printed["n"], printed["n"]))
        solved = problem.solve()
        back = problem.printed("igms", 1 / 60, r=solved.r)
        np.testing.assert_allclose(back["r"], solved.r, atol=1e-9)

    def test_a_step_of_a_sim_as_a_problem(self) -> None:
        sim = uptack.Sim("stack:2")
        problem = sim.coulomb()
        result = problem.solve()
        self.assertTrue(result)
        v = np.linalg.solve(problem.M, problem.f + problem.J.T @ result.r)
        sim.step()
        np.testing.assert_allclose(sim.v, v, atol=1e-9)

    def test_arguments_that_cannot_be(self) -> None:
        with self.assertRaises(uptack.ArgumentError):
            coulomb.solve(self.W, self.q)
        with self.assertRaises(uptack.ArgumentError):
            coulomb.solve(self.W, self.q, -1)
        with self.assertRaises(uptack.ArgumentError):
            coulomb.Problem(mu=[1])
        with self.assertRaises(uptack.ArgumentError):
            coulomb.solve(self.W, self.q, 0.5, solver="simplex")


class Laws(unittest.TestCase):
    def test_sliding_obeys_the_law(self) -> None:
        contact = law.Law(0.5)
        self.assertEqual(contact.error([1, -0.5, 0], [0, 2, 0]), 0)
        self.assertGreater(contact.error([1, 0.5, 0], [0, 2, 0]), 0.1)
        # the nearest point of K to (0, 1, 0): along the generator (1, 1/2) / |.|, times its product
        np.testing.assert_allclose(contact.project([0, 1, 0]), [0.4, 0.2, 0])
        self.assertEqual(contact.region([0, 1, 0]), "face")
        self.assertEqual(contact.region([2, 0.1, 0]), "inside")
        self.assertEqual(contact.shift([0, 3, 4]), 2.5)
        np.testing.assert_allclose(contact.shifted([0, 3, 4]), [2.5, 3, 4])
        self.assertAlmostEqual(contact.excess([1, 1, 0]), 0.5)
        self.assertAlmostEqual(contact.violation([1, 1, 0], 2, 0.25), 0.5 / 1.0)
        self.assertAlmostEqual(contact.dual_excess([1, 3, 4]), 1.5)
        self.assertAlmostEqual(contact.dual_distance([-1, 0, 0]), 1.0)
        self.assertAlmostEqual(contact.error_degenerate([-1, 0, 0]), 1.0)
        np.testing.assert_allclose(contact.project_dual([1, 0, 0]), [1, 0, 0])
        np.testing.assert_allclose(contact.derivative([2, 0.1, 0]), np.eye(3))

    def test_sections(self) -> None:
        square = law.Law(1.0, ("circumscribed", 4, 0.0))
        self.assertAlmostEqual(square.support([1, 0]), 1.0)
        self.assertAlmostEqual(square.support([1, 1]), 2.0)
        self.assertAlmostEqual(square.gauge([0.5, 0.25]), 0.5)
        np.testing.assert_allclose(np.abs(square.support_point([1, 2])), [1, 1])
        self.assertEqual(law.row_error(1, 0), 0)
        # |1 - clamp(1 - 2, 0, 1)|
        self.assertEqual(law.row_error(1, 2, low=0, high=1), 1)

    def test_an_impact_by_stronges_law(self) -> None:
        # the example of uptack/impact.h: e = 0.5 of 2 m/s, and it sticks
        result = law.impact(np.diag([1, 3.5]), [-2, 1], mu=0.3, e=0.5)
        np.testing.assert_allclose(result["u"], [1, 0], atol=1e-12)
        self.assertAlmostEqual(result["restitution"]["stronge"], 0.5)
        with self.assertRaises(uptack.ArgumentError):
            law.impact(np.eye(2), [-1, 0], e=2)


if __name__ == "__main__":
    unittest.main()
