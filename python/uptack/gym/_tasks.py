# SPDX-License-Identifier: Apache-2.0
"""Tasks: a model, what is observed, what an action does, and what is rewarded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np

from .._arrays import Array
from .._model import Model


@dataclass
class Task:
    """A task for one environment or many: arrays have a row per environment."""

    name: str
    text: str = ""  #: MJCF, or
    scene: str = ""  #: the name of a scene
    substeps: int = 5  #: steps of the engine per step of the environment
    limit: int = 500  #: steps until the episode is truncated
    settings: dict[str, Any] = field(default_factory=dict)  #: of Sim

    def model(self) -> Model:
        """Load the model."""
        return Model.from_string(self.text, name=self.name) if self.text else Model(self.scene)

    def start(self, model: Model, q: Array, v: Array, random: np.random.Generator) -> None:
        """Change the state at the start of an episode: q and v of one environment, in place."""

    def control(self, model: Model, action: Array) -> Array:
        """Controls of actions in [-1, 1]: the middle of each actuator's range, and half of it."""
        ranges = np.array([a.ctrl_range if a.ctrl_limited else (-1.0, 1.0) for a in model.actuators])
        controls: Array = ranges.mean(axis=1) + 0.5 * (ranges[:, 1] - ranges[:, 0]) * np.clip(action, -1, 1)
        return controls

    def observe(self, q: Array, v: Array) -> Array:
        """Observations (rows x n) of states (rows x nq, rows x nv)."""
        seen: Array = np.concatenate([q, v], axis=1)
        return seen

    def reward(self, before: Array, q: Array, v: Array, action: Array, seconds: float) -> Array:
        """Rewards of a step that began at the positions `before`."""
        raise NotImplementedError

    def fallen(self, q: Array) -> Array:
        """Episodes that are over."""
        return np.zeros(len(q), dtype=bool)


def _up(q: Array) -> Array:
    """z component of the body's z axis in the world, of quaternions in q[:, 3:7]."""
    up: Array = 1 - 2 * (q[:, 4] ** 2 + q[:, 5] ** 2)
    return up


class Quadruped(Task):
    """Walk along x: four legs of two hinges each on position servos."""

    def __init__(self) -> None:
        super().__init__("quadruped", text=_quadruped(), substeps=5, limit=400)

    def start(self, model: Model, q: Array, v: Array, random: np.random.Generator) -> None:
        q[7:] += random.uniform(-0.05, 0.05, len(q) - 7)

    def observe(self, q: Array, v: Array) -> Array:
        seen: Array = np.concatenate([q[:, 2:], v], axis=1)  # where it is in the plane is none of its concern
        return seen

    def reward(self, before: Array, q: Array, v: Array, action: Array, seconds: float) -> Array:
        forward: Array = (q[:, 0] - before[:, 0]) / seconds
        reward: Array = forward + 0.2 - 0.02 * np.sum(action**2, axis=1)
        return reward

    def fallen(self, q: Array) -> Array:
        down: Array = (q[:, 2] < 0.12) | (_up(q) < 0.5)
        return down


class ArmPush(Task):
    """Push a box to a goal with a planar arm of two links that sweeps over a table."""

    goal = np.array([0.35, 0.25])

    def __init__(self) -> None:
        super().__init__("arm-push", text=_ARM, substeps=5, limit=300)

    def start(self, model: Model, q: Array, v: Array, random: np.random.Generator) -> None:
        q[2:4] += random.uniform(-0.03, 0.03, 2)  # the box
        q[:2] += random.uniform(-0.1, 0.1, 2)

    def observe(self, q: Array, v: Array) -> Array:
        seen: Array = np.concatenate([np.sin(q[:, :2]), np.cos(q[:, :2]), q[:, 2:4] - self.goal, q[:, 4:], v], axis=1)
        return seen

    def reward(self, before: Array, q: Array, v: Array, action: Array, seconds: float) -> Array:
        distance: Array = np.linalg.norm(q[:, 2:4] - self.goal, axis=1)
        reward: Array = -distance - 0.01 * np.sum(action**2, axis=1)
        return reward

    def fallen(self, q: Array) -> Array:
        there: Array = np.linalg.norm(q[:, 2:4] - self.goal, axis=1) < 0.02
        return there


class Hopper(Task):
    """Hop along x on one leg, in the plane: a torso on a thigh, a shank and a foot."""

    def __init__(self) -> None:
        super().__init__("hopper", text=_HOPPER, substeps=5, limit=400)

    def start(self, model: Model, q: Array, v: Array, random: np.random.Generator) -> None:
        q[:] += random.uniform(-0.005, 0.005, len(q))
        q[1] += 0.01  # above the floor
        v[:] += random.uniform(-0.005, 0.005, len(v))

    def observe(self, q: Array, v: Array) -> Array:
        seen: Array = np.concatenate([q[:, 1:], v], axis=1)
        return seen

    def reward(self, before: Array, q: Array, v: Array, action: Array, seconds: float) -> Array:
        forward: Array = (q[:, 0] - before[:, 0]) / seconds
        reward: Array = forward + 1.0 - 1e-3 * np.sum(action**2, axis=1)
        return reward

    def fallen(self, q: Array) -> Array:
        down: Array = (q[:, 1] < -0.4) | (np.abs(q[:, 2]) > 0.8)
        return down


def _quadruped() -> str:
    """A trunk on four legs that bend like > seen from the right."""
    legs = []
    motors = []
    for name, x, y in (("fl", 0.2, 0.12), ("fr", 0.2, -0.12), ("rl", -0.2, 0.12), ("rr", -0.2, -0.12)):
        legs.append(
            f'<body name="{name}_thigh" pos="{x} {y} 0"><joint name="{name}_hip" axis="0 1 0" range="-1.2 1.2" damping="0.5"/>'
            '<geom type="capsule" fromto="0 0 0 -0.1 0 -0.14" size="0.02" mass="0.5" contype="0" conaffinity="0"/>'
            f'<body name="{name}_shank" pos="-0.1 0 -0.14"><joint name="{name}_knee" axis="0 1 0" range="-1.2 1.2" damping="0.5"/>'
            '<geom type="capsule" fromto="0 0 0 0.1 0 -0.14" size="0.015" mass="0.2" contype="0" conaffinity="0"/>'
            f'<geom name="{name}_foot" type="sphere" pos="0.1 0 -0.14" size="0.025" mass="0.05" friction="0.9"/></body></body>'
        )
        for joint in ("hip", "knee"):
            motors.append(
                f'<position name="{name}_{joint}" joint="{name}_{joint}" kp="40" ctrlrange="-0.6 0.6" forcerange="-25 25"/>'
            )
    return (
        '<mujoco model="quadruped"><compiler angle="radian"/><option timestep="0.004"/><worldbody>'
        '<geom name="floor" type="plane" size="20 20 1" friction="0.9"/>'
        '<body name="trunk" pos="0 0 0.306"><freejoint/>'
        '<geom name="trunk" type="box" size="0.25 0.1 0.05" mass="6"/>' + "".join(legs) + "</body></worldbody>"
        "<actuator>" + "".join(motors) + "</actuator></mujoco>"
    )


_ARM = """
<mujoco model="arm-push"><compiler angle="radian"/><option timestep="0.004"/>
  <worldbody>
    <geom name="table" type="plane" size="2 2 1" friction="0.4"/>
    <body name="upper" pos="0 0 0.06"><joint name="shoulder" axis="0 0 1" range="-2.5 2.5" damping="0.2"/>
      <geom type="capsule" fromto="0 0 0 0.25 0 0" size="0.02" mass="1" contype="0" conaffinity="0"/>
      <body name="lower" pos="0.25 0 0"><joint name="elbow" axis="0 0 1" range="-2.5 2.5" damping="0.2"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02" mass="0.6" contype="0" conaffinity="0"/>
        <geom name="finger" type="sphere" pos="0.2 0 0" size="0.025" mass="0.1" friction="0.4"/></body></body>
    <body name="box" pos="0.4 0.12 0.05"><freejoint/>
      <geom name="box" type="box" size="0.05 0.05 0.05" mass="0.5" friction="0.4"/></body>
  </worldbody>
  <actuator>
    <motor name="shoulder" joint="shoulder" ctrlrange="-4 4"/><motor name="elbow" joint="elbow" ctrlrange="-2 2"/>
  </actuator>
  <keyframe><key name="start" qpos="-0.3 0.3  0.4 0.12 0.05 1 0 0 0"/></keyframe>
</mujoco>"""

_HOPPER = """
<mujoco model="hopper"><compiler angle="radian"/><option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="50 50 1" friction="1"/>
    <body name="torso" pos="0 0 1.1">
      <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
      <joint name="pitch" type="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 0.4" size="0.05" mass="3.5" contype="0" conaffinity="0"/>
      <body name="thigh"><joint name="hip" axis="0 1 0" range="-1.5 1.5" damping="1"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.45" size="0.05" mass="3.9" contype="0" conaffinity="0"/>
        <body name="shank" pos="0 0 -0.45"><joint name="knee" axis="0 1 0" range="-0.2 2" damping="1"/>
          <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.04" mass="2.7" contype="0" conaffinity="0"/>
          <body name="foot" pos="0 0 -0.5"><joint name="ankle" axis="0 1 0" range="-0.8 0.8" damping="1"/>
            <geom name="foot" type="capsule" fromto="-0.13 0 -0.09 0.26 0 -0.09" size="0.06" mass="5" friction="1"/>
          </body></body></body></body>
  </worldbody>
  <actuator>
    <motor name="hip" joint="hip" gear="200" ctrlrange="-1 1"/><motor name="knee" joint="knee" gear="200" ctrlrange="-1 1"/>
    <motor name="ankle" joint="ankle" gear="100" ctrlrange="-1 1"/>
  </actuator>
</mujoco>"""

TASKS: dict[str, Callable[[], Task]] = {"quadruped": Quadruped, "arm-push": ArmPush, "hopper": Hopper}
