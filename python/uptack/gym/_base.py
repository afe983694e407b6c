# SPDX-License-Identifier: Apache-2.0
"""One environment on a Sim, and many on a Batch."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .._arrays import Array
from .._batch import OUTCOMES, Batch
from .._errors import ArgumentError, UncertifiedStep
from .._sim import Sim
from ._spaces import Box, EnvBase
from ._tasks import Task


def _spaces(task: Task, nu: int, nq: int, nv: int) -> tuple[Any, Any]:
    """Spaces of actions and observations."""
    n = task.observe(np.zeros((1, nq)), np.zeros((1, nv))).shape[1]
    return Box(-np.ones(nu), np.ones(nu)), Box(np.full(n, -np.inf), np.full(n, np.inf))


class Env(EnvBase):  # type: ignore[misc]
    """One environment: reset(seed=, options=), step(action), render(), close()."""

    metadata: dict[str, Any] = {"render_modes": ["svg"], "render_fps": 50}
    spec: Any = None

    def __init__(self, task: Task, *, render_mode: Optional[str] = None, **settings: Any):
        """settings: those of Sim, besides the task's."""
        if render_mode not in (None, "svg"):
            raise ArgumentError(f"there is no render mode {render_mode!r}; there is svg")
        self.task = task
        self.render_mode = render_mode
        self.model = task.model()
        self.sim = Sim(self.model, **{**task.settings, **settings})
        m = self.model
        self.action_space, self.observation_space = _spaces(task, m.nu, m.nq, m.nv)
        self.dt = task.substeps * self.sim.dt
        self._random = np.random.default_rng()
        self._count = 0
        self._heights: list[float] = []

    def _observe(self) -> Array:
        seen: Array = self.task.observe(self.sim.q[None], self.sim.v[None])[0]
        return seen

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Array, dict[str, Any]]:
        """Begin an episode. options: {"key": name of a keyframe}."""
        if EnvBase is not object:
            super().reset(seed=seed)
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.sim.reset((options or {}).get("key"))
        self.task.start(self.model, self.sim.q, self.sim.v, self._random)
        self._count = 0
        self._heights = []
        return self._observe(), {"time": self.sim.time}

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Take the task's number of steps with the controls of an action in [-1, 1]."""
        act = np.asarray(action, dtype=float).reshape(self.action_space.shape)
        before = self.sim.q.copy()[None]
        info: dict[str, Any] = {}
        uncertified = False
        try:
            info["outcome"] = self.sim.step(self.task.control(self.model, act), self.task.substeps)
        except UncertifiedStep as error:
            info["outcome"] = "uncertified"
            info["uncertified"] = str(error)
            uncertified = True
        q, v = self.sim.q[None], self.sim.v[None]
        reward = float(self.task.reward(before, q, v, act[None], self.dt)[0])
        self._count += 1
        self._heights.append(float(self.sim.q[2]) if self.model.nq > 2 else 0.0)
        info["time"] = self.sim.time
        uncertified = uncertified or info["outcome"] == "uncertified"
        return self._observe(), reward, bool(self.task.fallen(q)[0]), uncertified or self._count >= self.task.limit, info

    def render(self) -> Any:
        """The third position over the episode as SVG, in the mode svg."""
        if self.render_mode is None:
            return None
        from .._plot import plot

        time = self.dt * np.arange(1, len(self._heights) + 1)
        return plot(time, self._heights, title=self.task.name, ylabel="q[2]").svg

    def close(self) -> None:
        """Nothing is left open."""

    @property
    def unwrapped(self) -> "Env":
        """The environment itself."""
        return self

    def __repr__(self) -> str:
        return f"<Env '{self.task.name}': {self.model!r}>"


class VecEnv:
    """Many environments that are stepped together on several threads.

    step(actions) takes rows of actions and gives rows of observations, rewards, terminated and truncated. An
    episode that ended begins again in the same call: info["final_observation"] has its last observation and
    info["ended"] says which ended.
    """

    def __init__(self, task: Task, count: int, *, threads: int = 0, seed: Optional[int] = None, **settings: Any):
        """settings: those of Sim, besides the task's."""
        self.task = task
        self.model = task.model()
        self.batch = Batch(self.model, count, threads=threads, **{**task.settings, **settings})
        self.num_envs = count
        m = self.model
        self.single_action_space, self.single_observation_space = _spaces(task, m.nu, m.nq, m.nv)
        low, high = self.single_action_space.low, self.single_action_space.high
        self.action_space = Box(np.tile(low, (count, 1)), np.tile(high, (count, 1)))
        low, high = self.single_observation_space.low, self.single_observation_space.high
        self.observation_space = Box(np.tile(low, (count, 1)), np.tile(high, (count, 1)))
        self.dt = task.substeps * self.batch.dt
        self._random = [np.random.default_rng(None if seed is None else seed + i) for i in range(count)]
        self._counts = np.zeros(count, dtype=int)

    def _begin(self, rows: Array) -> None:
        """Begin the episodes of a mask of rows."""
        if not rows.any():
            return
        self.batch.reset(rows=rows)
        q, v = self.batch.q[rows], self.batch.v[rows]
        for i, row in enumerate(np.flatnonzero(rows)):
            self.task.start(self.model, q[i], v[i], self._random[row])
        self.batch.set(q=q, v=v, rows=rows)
        self._counts[rows] = 0

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Array, dict[str, Any]]:
        """Begin all episodes; environment i takes the seed `seed` + i."""
        if seed is not None:
            self._random = [np.random.default_rng(seed + i) for i in range(self.num_envs)]
        self._begin(np.ones(self.num_envs, dtype=bool))
        return self.task.observe(self.batch.q, self.batch.v), {}

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Step all environments."""
        act = np.asarray(actions, dtype=float).reshape(self.num_envs, -1)
        before = self.batch.q
        self.batch.step(self.task.control(self.model, act), self.task.substeps)
        q, v, results = self.batch.q, self.batch.v, self.batch.results
        observations = self.task.observe(q, v)
        rewards = self.task.reward(before, q, v, act, self.dt)
        self._counts += 1
        terminated = self.task.fallen(q)
        stands = results["status"] != 0
        truncated = stands | (self._counts >= self.task.limit)
        ended = terminated | truncated
        info: dict[str, Any] = {
            "ended": ended,
            "outcome": [OUTCOMES[k] for k in results["outcome"]],
            "uncertified": {int(i): self.batch.message(int(i)) for i in np.flatnonzero(stands)},
        }
        if ended.any():
            info["final_observation"] = observations.copy()
            self._begin(ended)
            observations = self.task.observe(self.batch.q, self.batch.v)
        return observations, rewards, terminated, truncated, info

    def close(self) -> None:
        """Nothing is left open."""

    def __repr__(self) -> str:
        return f"<VecEnv of {self.num_envs} x '{self.task.name}'>"
