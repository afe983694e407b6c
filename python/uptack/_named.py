# SPDX-License-Identifier: Apache-2.0
"""Elements of a sim by name: `sim.body("box").pos`, `sim.joint("hip").q = 0.3`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Array
from ._elements import Actuator, Body, Geom, Joint, Sensor, Site

if TYPE_CHECKING:
    from ._sim import Sim


def rotation(quat: Any) -> Array:
    """The rotation matrix of a unit quaternion w x y z."""
    w, x, y, z = np.asarray(quat, dtype=float)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def multiply(p: Any, q: Any) -> Array:
    """The product p q of two quaternions w x y z, which rotates by q first."""
    a, b = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    w = a[0] * b[0] - a[1:] @ b[1:]
    return np.concatenate([[w], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


class Named:
    """An element of a sim. Its attributes are read from the sim each time."""

    def __init__(self, sim: "Sim", element: Any):
        self._sim = sim
        self.element = element

    @property
    def name(self) -> str:
        """Name in the model."""
        return str(self.element.name)

    @property
    def index(self) -> int:
        """Number in the model."""
        return int(self.element.index)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.element!r}>"


class SimBody(Named):
    """A body of a sim: pose and velocity in the world."""

    element: Body

    def _state(self, name: str) -> Array:
        return np.array(self._sim._body(self.element.index)[name])

    @property
    def pos(self) -> Array:
        """Origin of the body's frame, world, m."""
        return self._state("pos")

    @property
    def quat(self) -> Array:
        """Orientation of the body's frame, w x y z."""
        return self._state("quat")

    @property
    def mat(self) -> Array:
        """The same as a rotation matrix."""
        return rotation(self.quat)

    @property
    def com(self) -> Array:
        """Centre of mass, world, m."""
        return self._state("com")

    @property
    def velocity(self) -> Array:
        """Velocity of the centre of mass, world, m/s."""
        return self._state("velocity")

    @property
    def angular(self) -> Array:
        """Angular velocity, world, rad/s."""
        return self._state("angular")

    @property
    def sleeps(self) -> bool:
        """Does the body sleep?"""
        return bool(self._sim._body(self.element.index)["sleeps"])

    @property
    def mass(self) -> float:
        """Mass, kg."""
        return self.element.mass

    @property
    def applied(self) -> Any:
        """Force and torque on the body in the next steps, world, about the centre of mass; writable."""
        return self._sim.applied[self.element.index]

    @applied.setter
    def applied(self, wrench: Any) -> None:
        self._sim.applied[self.element.index] = wrench

    @property
    def contacts(self) -> Array:
        """The contacts of the last step at this body."""
        contacts = self._sim.contacts
        found: Array = contacts[(contacts["body1"] == self.index) | (contacts["body2"] == self.index)]
        return found


class SimJoint(Named):
    """A joint of a sim. A hinge or slide has numbers, others have arrays."""

    element: Joint

    @property
    def q(self) -> Any:
        """Position; writing replaces it."""
        j = self.element
        return float(self._sim.q[j.q]) if j.nq == 1 else self._sim.q[j.q : j.q + j.nq]

    @q.setter
    def q(self, value: Any) -> None:
        j = self.element
        self._sim.q[j.q : j.q + j.nq] = value

    @property
    def v(self) -> Any:
        """Velocity; writing replaces it."""
        j = self.element
        return float(self._sim.v[j.v]) if j.nv == 1 else self._sim.v[j.v : j.v + j.nv]

    @v.setter
    def v(self, value: Any) -> None:
        j = self.element
        self._sim.v[j.v : j.v + j.nv] = value

    @property
    def force(self) -> Any:
        """Generalized force of the next steps, N or N m; writing replaces it."""
        j = self.element
        return float(self._sim.force[j.v]) if j.nv == 1 else self._sim.force[j.v : j.v + j.nv]

    @force.setter
    def force(self, value: Any) -> None:
        j = self.element
        self._sim.force[j.v : j.v + j.nv] = value


class SimGeom(Named):
    """A geom of a sim: its pose in the world."""

    element: Geom

    @property
    def pos(self) -> Array:
        """Origin of the geom's frame, world, m."""
        found: Array = self._sim.geom_poses()[0][self.index]
        return found

    @property
    def quat(self) -> Array:
        """Orientation of the geom's frame, w x y z."""
        found: Array = self._sim.geom_poses()[1][self.index]
        return found


class SimSite(Named):
    """A site of a sim: its pose in the world."""

    element: Site

    @property
    def pos(self) -> Array:
        """Position, world, m."""
        body = self._sim._body(self.element.body)
        moved: Array = np.array(body["pos"]) + rotation(body["quat"]) @ self.element.pos
        return moved

    @property
    def quat(self) -> Array:
        """Orientation, w x y z."""
        return multiply(self._sim._body(self.element.body)["quat"], self.element.quat)


class SimActuator(Named):
    """An actuator of a sim."""

    element: Actuator

    @property
    def ctrl(self) -> float:
        """Control of the next steps; writing replaces it."""
        return float(self._sim.ctrl[self.index])

    @ctrl.setter
    def ctrl(self, value: float) -> None:
        self._sim.ctrl[self.index] = value

    @property
    def act(self) -> float:
        """Activation; NaN for an actuator without one."""
        at = self.element.act
        return float(self._sim.act[at]) if at >= 0 else float("nan")

    @property
    def force(self) -> float:
        """Force of the last step, before the gear, N or N m."""
        return float(self._sim.report.actuator_force[self.index])


class SimSensor(Named):
    """A sensor of a sim."""

    element: Sensor

    @property
    def data(self) -> Array:
        """Its values."""
        start = self.element.start
        return self._sim.sensordata[start : start + self.element.dim]
