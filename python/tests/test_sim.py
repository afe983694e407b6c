# SPDX-License-Identifier: Apache-2.0
"""Sims: state, arrays, steps, named access, snapshots. Numbers come from hand calculations."""

import copy
import math
import pickle
import sys
import threading
import time
import unittest

import numpy as np
import uptack

BALL = """
<mujoco model="ball"><option timestep="0.001"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" friction="0.5"/>
    <body name="ball" pos="0 0 1"><freejoint name="root"/>
      <geom name="ball" type="sphere" size="0.1" mass="2" friction="0.5"/></body>
  </worldbody>
</mujoco>"""

ARM = """
<mujoco model="arm"><option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <body name="arm"><joint name="hip" type="hinge" axis="0 1 0"/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/><site name="tip" pos="1 0 0"/></body>
    <body name="target" mocap="true" pos="0 0 2"/>
  </worldbody>
  <actuator><motor name="motor" joint="hip" gear="2"/></actuator>
  <sensor><jointpos name="angle" joint="hip"/><jointvel name="rate" joint="hip"/></sensor>
  <keyframe><key name="start" qpos="0.25" ctrl="1.5"/><key name="still" qpos="0.5"/></keyframe>
</mujoco>"""


class State(unittest.TestCase):
    def test_free_fall_is_that_of_symplectic_euler(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(BALL))
        sim.step(n=100)
        # v = -g n h, z = 1 - g h^2 n (n + 1) / 2
        self.assertAlmostEqual(sim.v[2], -9.81 * 0.1, places=12)
        self.assertAlmostEqual(sim.q[2], 1 - 9.81e-6 * 100 * 101 / 2, places=12)
        self.assertAlmostEqual(sim.time, 0.1, places=12)
        self.assertEqual(sim.steps, 100)

    def test_a_ball_at_rest_carries_its_weight(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(BALL, set={"ball.pos": (0, 0, 0.1)}))
        self.assertEqual(sim.step(), "certified")
        contact = sim.contacts
        self.assertEqual(len(contact), 1)
        np.testing.assert_allclose(contact["impulse"][0], [0, 0, 2 * 9.81 * 0.001], atol=1e-12)
        np.testing.assert_allclose(contact["normal"][0], [0, 0, 1], atol=1e-12)
        self.assertEqual(contact["state"][0], "stick")
        self.assertEqual(sim.model.side(contact["geom1"][0]), "floor")
        self.assertEqual(len(sim.body("ball").contacts), 1)
        self.assertTrue(sim.certificate)
        self.assertLess(sim.certificate.E, 1e-8)
        self.assertIn("momentum", sim.certificate.parts)

    def test_slip_is_that_of_coulombs_law(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(BALL, set={"ball.pos": (0, 0, 0.1)}))
        sim.v[0] = 3.0
        sim.step()
        contact = sim.contacts[0]
        # sliding friction mu m g h against the slip
        self.assertAlmostEqual(contact["impulse"][0], -0.5 * 2 * 9.81 * 0.001, places=10)
        self.assertEqual(contact["state"], "slip")
        # the ball's inertia is 2/5 m r^2, so the contact point slows down by 7/2 mu g h
        self.assertAlmostEqual(contact["slip"], 3 - 3.5 * 0.5 * 9.81 * 0.001, places=9)

    def test_writing_to_the_arrays_replaces_the_state(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(BALL))
        sim.q[2] = 5.0
        self.assertEqual(sim.body("ball").pos[2], 5.0)
        sim.q[3:7] = [2, 0, 0, 0]  # normalized at the next use
        sim.step()
        np.testing.assert_array_equal(sim.q[3:7], [1, 0, 0, 0])
        sim.q = np.r_[1, 2, 3, 1, 0, 0, 0]
        np.testing.assert_array_equal(sim.body("ball").pos, [1, 2, 3])
        sim.v = [0, 0, 1, 0, 0, 2]
        np.testing.assert_array_equal(sim.body("ball").angular, [0, 0, 2])
        sim.time = 4.5
        self.assertEqual(sim.time, 4.5)

    def test_arrays_are_shared_and_stay_where_they_are(self) -> None:
        sim = uptack.Sim("stack:5")
        q, v = sim.q, np.asarray(sim.v)
        self.assertTrue(np.shares_memory(np.asarray(sim.q), q))
        self.assertTrue(np.shares_memory(memoryview(sim.v), v))
        before = q.copy()
        sim.v[2] = 1.0
        sim.step(n=10)
        self.assertFalse(np.array_equal(q, before))
        np.testing.assert_array_equal(q, sim.q)
        kept = q.copy()
        del sim
        np.testing.assert_array_equal(q, kept)
        q[0] = 7.0  # still memory of its own

    def test_a_state_that_cannot_be_is_refused_and_the_old_one_stays(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(BALL))
        before = sim.hash
        for name, at in (("q", 0), ("v", 3)):
            getattr(sim, name)[at] = math.nan
            with self.assertRaisesRegex(uptack.ArgumentError, rf"{name}\[{at}\]"):
                sim.step()
            self.assertEqual(sim.hash, before)
        with self.assertRaises(uptack.ArgumentError):
            sim.q = [0] * 7  # a quaternion of length 0
        with self.assertRaises(uptack.ArgumentError):
            sim.q = [1, 2]
        with self.assertRaises(TypeError):
            sim.v = ["a"] * 6
        with self.assertRaises(uptack.ArgumentError):
            sim.time = math.inf
        self.assertEqual(sim.hash, before)

    def test_reset_hands_out_the_controls_of_the_keyframe(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(ARM))
        self.assertEqual((sim.q[0], sim.ctrl[0]), (0.25, 1.5))
        sim.force[0] = 3.0
        sim.reset("still")
        self.assertEqual((sim.q[0], sim.ctrl[0], sim.force[0]), (0.5, 0.0, 0.0))
        sim.reset("")
        self.assertEqual((sim.q[0], sim.ctrl[0]), (0.0, 0.0))
        sim.reset(0)
        self.assertEqual(sim.q[0], 0.25)
        with self.assertRaisesRegex(uptack.ArgumentError, "start, still"):
            sim.reset("stop")

    def test_controls_and_forces_move_the_arm(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(ARM), key="")
        sim.step([0.5])
        # gear 2, inertia 0.5: v = 2 * 0.5 / 0.5 h
        self.assertAlmostEqual(sim.v[0], 2.0 * 0.002, places=14)
        self.assertEqual(sim.ctrl[0], 0.5)
        self.assertAlmostEqual(sim.actuator("motor").force, 0.5, places=14)
        sim.reset("")
        sim.joint("hip").force = 0.5
        sim.step()
        self.assertAlmostEqual(sim.v[0], 0.002, places=14)
        sim.reset("")
        sim.body("arm").applied = [0, 0, 0, 0, 0.5, 0]
        sim.step(ctrl=0.0)
        self.assertAlmostEqual(sim.v[0], 0.002, places=14)

    def test_named_access(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(ARM), key="")
        sim.joint("hip").q = 0.3
        self.assertEqual(sim.q[0], 0.3)
        np.testing.assert_allclose(sim.site("tip").pos, [math.cos(0.3), 0, -math.sin(0.3)], atol=1e-15)
        np.testing.assert_allclose(sim.body("arm").quat, [math.cos(0.15), 0, math.sin(0.15), 0], atol=1e-15)
        np.testing.assert_allclose(sim.body("arm").mat @ [1, 0, 0], sim.site("tip").pos, atol=1e-15)
        sim.joint("hip").v = -2.0
        np.testing.assert_allclose(sim.sensor("angle").data, [0.3])
        np.testing.assert_allclose(sim.sensor("rate").data, [-2.0])
        sim.actuator("motor").ctrl = 0.75
        self.assertEqual(sim.ctrl[0], 0.75)
        with self.assertRaisesRegex(uptack.ArgumentError, "no joint 'knee'.*hip"):
            sim.joint("knee")

    def test_mocap_bodies_go_to_what_was_written(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(ARM), key="")
        np.testing.assert_array_equal(sim.mocap_pos, [[0, 0, 2]])
        sim.mocap_pos[0] = [1, 0, 2]
        sim.step()
        np.testing.assert_array_equal(sim.body("target").pos, [1, 0, 2])
        self.assertEqual(sim.mocap_velocity.shape, (1, 6))
        sim.mocap_pos = [[2, 0, 2]]
        sim.step()
        np.testing.assert_array_equal(sim.body("target").pos, [2, 0, 2])


class Mechanics(unittest.TestCase):
    def test_mass_matrix_jacobian_and_inverse_dynamics_of_an_arm(self) -> None:
        text = ARM.replace('gravity="0 0 0"', 'gravity="0 0 -10"').replace('inertial pos="0 0 0"', 'inertial pos="1 0 0"')
        sim = uptack.Sim(uptack.Model.from_string(text), key="")
        # by hand: I + m l^2 = 1.5, and the weight 10 N pulls down at 1 m: about y the torque is +10
        np.testing.assert_allclose(sim.mass_matrix, [[1.5]], atol=1e-14)
        np.testing.assert_allclose(sim.inverse_dynamics(), [-10], atol=1e-12)
        np.testing.assert_allclose(sim.inverse_dynamics([2]), [-7], atol=1e-12)
        np.testing.assert_allclose(sim.jacobian("arm").ravel(), [0, 0, -1, 0, 1, 0], atol=1e-14)
        np.testing.assert_allclose(sim.jacobian("arm", [0, 0, 3]).ravel(), [3, 0, 0, 0, 1, 0], atol=1e-14)
        np.testing.assert_array_equal(sim.jacobian("target"), np.zeros((6, 1)))

    def test_a_hinge_carries_the_weight_of_a_hanging_arm(self) -> None:
        text = ARM.replace('gravity="0 0 0"', 'gravity="0 0 -10"').replace('inertial pos="0 0 0"', 'inertial pos="0 0 -1"')
        sim = uptack.Sim(uptack.Model.from_string(text), key="")
        sim.step()
        reaction = sim.reactions["hip"]
        np.testing.assert_allclose(reaction.impulse / 0.002, [0, 0, 10], atol=1e-9)
        np.testing.assert_allclose(reaction.point, [0, 0, 0], atol=1e-14)

    def test_rays_and_springs(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(BALL))
        hit = sim.pick([0, 0, 5], [0, 0, -2])
        assert hit is not None
        self.assertEqual(hit.geom.name, "ball")
        self.assertAlmostEqual(hit.distance, 3.9, places=12)
        np.testing.assert_allclose(hit.normal, [0, 0, 1], atol=1e-12)
        self.assertIsNone(sim.pick([0, 0, 5], [0, 0, 1]))
        # a free ball at rest held at its centre: m rate^2 (target - x)
        np.testing.assert_allclose(sim.hold("ball", [0, 0, 0], [0.1, 0, 1], 10.0), [2 * 100 * 0.1, 0, 0, 0, 0, 0], atol=1e-9)


class Steps(unittest.TestCase):
    def stuck(self, policy: str) -> uptack.Sim:
        """A sim whose steps cannot be certified: the tolerance is below rounding."""
        sim = uptack.Sim("stack:3", tolerance=1e-300, on_uncertified=policy)
        sim.v[0] = 0.1
        return sim

    def test_a_step_that_is_not_certified_raises(self) -> None:
        sim = self.stuck("raise")
        before = sim.hash
        with self.assertRaises(uptack.UncertifiedStep) as caught:
            while sim.time < 1:
                sim.step()
        self.assertEqual(sim.hash, before)
        self.assertFalse(caught.exception.certificate.passed)
        self.assertEqual(caught.exception.certificate.reason, "complementarity")
        self.assertEqual(caught.exception.time, 0.0)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual(again.certificate, caught.exception.certificate)

    def test_it_flags_when_asked(self) -> None:
        sim = self.stuck("flag")
        self.assertEqual(sim.step(n=10), "uncertified")
        self.assertEqual((sim.steps, sim.time, sim.outcome), (0, 0.0, "uncertified"))
        self.assertFalse(sim.certificate)
        self.assertEqual(len(list(sim.trajectory(1))), 1)
        self.assertEqual(len(sim.run(1)["time"]), 1)

    def test_it_is_kept_when_asked(self) -> None:
        sim = self.stuck("keep")
        self.assertEqual(sim.step(n=10), "uncertified")
        self.assertEqual(sim.steps, 10)

    def test_many_steps_equal_single_ones(self) -> None:
        one, many = uptack.Sim("stack:5"), uptack.Sim("stack:5")
        for _ in range(70):
            one.step()
        many.step(n=70)
        self.assertEqual(one.hash, many.hash)

    def test_arguments_that_cannot_be(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(ARM))
        for bad in ([1, 2], [[1.0]] * 2):
            with self.assertRaises((uptack.ArgumentError, TypeError)):
                sim.step(bad)
        with self.assertRaises(uptack.ArgumentError):
            sim.step(n=-1)
        with self.assertRaises(TypeError):
            sim.step(nn=1)  # type: ignore[call-arg]
        with self.assertRaises(TypeError):
            sim.step("a")
        with self.assertRaisesRegex(uptack.ArgumentError, "ctrl"):
            sim.step(math.nan)
        with self.assertRaisesRegex(uptack.ArgumentError, "there are coulomb"):
            uptack.Sim("stack:2", formulation="newton")
        with self.assertRaises(uptack.ArgumentError):
            uptack.Sim("stack:2", dt=-1)
        with self.assertRaises(TypeError):
            uptack.Sim("stack:2", speed=3)  # type: ignore[call-arg]

    def test_settings_reach_the_step(self) -> None:
        for formulation in ("stewart-trinkle", "anitescu-potra", "convex", "hybrid"):
            sim = uptack.Sim("stack:2", formulation=formulation, dt=0.004)
            sim.step()
            self.assertEqual(sim.report.formulation, formulation)
            self.assertEqual(sim.report.h, 0.004)
        self.assertEqual(uptack.Sim("stack:2", budget=5).step(n=2) in ("certified", "budget", "flagged"), True)
        adaptive = uptack.Sim("stack:2", adaptive=1e-3)
        adaptive.stop_at(0.05)
        while adaptive.time < 0.05 - 1e-12:
            adaptive.step()
        self.assertAlmostEqual(adaptive.time, 0.05, places=12)

    def test_two_threads_on_one_sim_are_refused(self) -> None:
        sim = uptack.Sim("wall:6:6")
        sim.step(n=2)
        refused, ends = [], threading.Event()

        def other() -> None:
            while not ends.is_set():
                try:
                    sim.hash
                except RuntimeError as error:
                    refused.append(str(error))
                    return

        thread = threading.Thread(target=other)
        thread.start()
        for _ in range(2000):
            try:
                sim.step(n=20)
            except RuntimeError:
                pass  # the other thread was in the sim
            if refused:
                break
        ends.set()
        thread.join()
        self.assertTrue(refused)
        self.assertIn("another thread", refused[0])

    def test_the_interpreters_lock_is_released_during_steps(self) -> None:
        sim, count, ends = uptack.Sim("wall:8:8"), [0], threading.Event()

        def work() -> None:
            while not ends.is_set():
                count[0] += 1
                time.sleep(0)  # gives the lock away

        # with this interval a thread keeps the lock until it gives it away: the main thread in step() alone
        interval = sys.getswitchinterval()
        sys.setswitchinterval(100)
        thread = threading.Thread(target=work)
        try:
            thread.start()
            counted = 0
            for _ in range(500):
                before = count[0]
                sim.step(n=5)
                counted += count[0] > before
                if counted >= 3:
                    break
        finally:
            sys.setswitchinterval(interval)
            ends.set()
            thread.join()
        self.assertGreaterEqual(counted, 3)


class Copies(unittest.TestCase):
    def test_snapshots_go_on_with_the_same_bits(self) -> None:
        sim = uptack.Sim("quad")
        sim.step(n=20)
        snapshot = sim.save()
        sim.step(n=20)
        end = sim.hash
        sim.load(snapshot)
        sim.step(n=20)
        self.assertEqual(sim.hash, end)
        damaged = bytearray(snapshot)
        damaged[60] ^= 1
        with self.assertRaises(uptack.ArgumentError):
            sim.load(damaged)
        self.assertEqual(sim.hash, end)

    def test_copies_and_pickles_go_on_with_the_same_bits(self) -> None:
        sim = uptack.Sim(uptack.Model.from_string(ARM), dt=0.004)
        sim.force[0] = 0.1
        sim.step(n=20)
        others = [sim.copy(), copy.copy(sim), copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))]
        sim.step(n=20)
        for other in others:
            other.step(n=20)
            self.assertEqual(other.hash, sim.hash)
            self.assertEqual(other.dt, 0.004)

    def test_models_pickle(self) -> None:
        model = uptack.Model("stack:4").set("option.dt", 0.003)
        again = pickle.loads(pickle.dumps(model))
        self.assertEqual(again.hash, model.hash)
        self.assertEqual(again.dt, 0.003)


if __name__ == "__main__":
    unittest.main()
