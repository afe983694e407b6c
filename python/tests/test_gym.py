# SPDX-License-Identifier: Apache-2.0
"""Environments: their shape, seeds, ends, and many at once beside one."""

import unittest

import numpy as np
from uptack import gym

try:
    from gymnasium.utils.env_checker import check_env  # type: ignore[import]
except ImportError:
    check_env = None


class Environments(unittest.TestCase):
    def test_every_environment_has_gymnasiums_shape(self) -> None:
        for name in gym.TASKS:
            with self.subTest(name=name):
                env = gym.make(name, render_mode="svg")
                observation, info = env.reset(seed=1)
                self.assertEqual(observation.shape, env.observation_space.shape)
                self.assertTrue(env.observation_space.contains(observation))
                self.assertIsInstance(info, dict)
                env.action_space.seed(3)
                for _ in range(20):
                    step = env.step(env.action_space.sample())
                    self.assertEqual(len(step), 5)
                    observation, reward, terminated, truncated, info = step
                    self.assertTrue(np.isfinite(observation).all())
                    self.assertIsInstance(reward, float)
                    self.assertIsInstance(terminated, bool)
                    self.assertIsInstance(truncated, bool)
                    self.assertIn(info["outcome"], ("certified", "flagged", "budget", "uncertified"))
                self.assertIn("<svg", env.render())
                env.close()

    @unittest.skipIf(check_env is None, "gymnasium is not installed")
    def test_gymnasiums_own_checker(self) -> None:
        for name in gym.TASKS:
            check_env(gym.make(name), skip_render_check=True)

    def test_a_seed_repeats_an_episode(self) -> None:
        paths = []
        for seed in (5, 5, 6):
            env = gym.make("hopper")
            observations = [env.reset(seed=seed)[0]]
            for _ in range(10):
                observations.append(env.step(0.1 * np.ones(3))[0])
            paths.append(np.array(observations))
        np.testing.assert_array_equal(paths[0], paths[1])
        self.assertFalse(np.array_equal(paths[0], paths[2]))

    def test_many_at_once_have_the_bits_of_one(self) -> None:
        many = gym.make_vec("arm-push", 3, threads=2)
        first, _ = many.reset(seed=7)
        action = np.array([0.3, -0.2])
        for _ in range(15):
            observations, rewards, terminated, truncated, info = many.step(np.tile(action, (3, 1)))
        for i in range(3):
            one = gym.make("arm-push")
            begun, _ = one.reset(seed=7 + i)
            np.testing.assert_array_equal(first[i], begun)
            for _ in range(15):
                observation, reward, *_ = one.step(action)
            np.testing.assert_array_equal(observations[i], observation)
            self.assertEqual(rewards[i], reward)

    def test_episodes_end_and_begin_again(self) -> None:
        many = gym.make_vec("hopper", 2)
        many.task.limit = 4
        many.reset(seed=1)
        ended = []
        for _ in range(5):
            *_, truncated, info = many.step(np.zeros((2, 3)))
            ended.append(bool(truncated.all()))
            self.assertEqual("final_observation" in info, ended[-1])
        self.assertEqual(ended, [False, False, False, True, False])

    def test_a_step_that_is_not_certified_truncates(self) -> None:
        env = gym.make("arm-push", tolerance=1e-300)
        env.reset(seed=1)
        *_, terminated, truncated, info = env.step([0.5, 0.5])
        self.assertTrue(truncated)
        self.assertFalse(terminated)
        self.assertIn("not certified", info["uncertified"])
        many = gym.make_vec("arm-push", 2, tolerance=1e-300)
        many.reset(seed=1)
        *_, ended, info = many.step(np.full((2, 2), 0.5))
        self.assertTrue(ended.all())
        self.assertIn("not certified", info["uncertified"][0])

    def test_the_quadruped_stands_without_action(self) -> None:
        env = gym.make("quadruped")
        env.reset(seed=2)
        for _ in range(50):
            *_, terminated, truncated, _ = env.step(np.zeros(8))
            self.assertFalse(terminated or truncated)


if __name__ == "__main__":
    unittest.main()
