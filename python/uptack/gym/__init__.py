# SPDX-License-Identifier: Apache-2.0
"""Environments in the shape of gymnasium, which need not be installed.

    env = uptack.gym.make("quadruped")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

A step of the engine that is not certified ends the episode as truncated, and info["uncertified"] says why.
`uptack.gym.make_vec(name, n)` steps n copies on several threads.
"""

from __future__ import annotations

from typing import Any

from ._base import Env, VecEnv
from ._spaces import Box
from ._tasks import TASKS, ArmPush, Hopper, Quadruped, Task


def make(name: str, **settings: Any) -> Env:
    """An environment: quadruped, arm-push or hopper. settings: those of Env."""
    return Env(_task(name), **settings)


def make_vec(name: str, count: int, **settings: Any) -> VecEnv:
    """count environments that are stepped together. settings: those of VecEnv."""
    return VecEnv(_task(name), count, **settings)


def _task(name: str) -> Task:
    from .._errors import ArgumentError

    if name not in TASKS:
        raise ArgumentError(f"there is no environment {name!r}; there are {', '.join(TASKS)}")
    return TASKS[name]()


__all__ = ["ArmPush", "Box", "Env", "Hopper", "Quadruped", "TASKS", "Task", "VecEnv", "make", "make_vec"]
