# SPDX-License-Identifier: Apache-2.0
"""Elements of a model: bodies, joints, geoms and so on, as plain read-only data.

Fields have the meaning and the units of the same fields in uptack/model.h.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Optional

import numpy as np

from ._arrays import Array


@dataclass(frozen=True)
class Element:
    """What every element has."""

    index: int
    name: str

    def __repr__(self) -> str:
        name = f"'{self.name}'" if self.name else f"number {self.index}"
        kind = getattr(self, "kind", "")
        return f"<{type(self).__name__} {name}{', ' + kind if kind else ''}>"


@dataclass(frozen=True, repr=False)
class Body(Element):
    """A rigid body; body 0 is the world."""

    parent: int  #: -1 for the world
    pos: Array  #: in the parent's frame in the modelled pose, m
    quat: Array  #: w x y z
    mass: float  #: kg
    com: Array  #: in the body's frame, m
    inertia: Array  #: 3 x 3, about com, along the body's axes, kg m^2
    joint: int  #: its first joint, -1 for none
    joints: int
    dof: int
    dofs: int
    tree: int
    mocap: int  #: index among mocap bodies, -1 for others
    geom: int
    geoms: int
    gravcomp: float


@dataclass(frozen=True, repr=False)
class Joint(Element):
    """A joint between a body and its parent."""

    kind: str  #: free, ball, hinge, slide, planar or particle
    body: int
    q: int  #: index of its first position
    nq: int
    v: int  #: index of its first velocity
    nv: int
    pos: Array
    axis: Array
    limited: bool
    range: Array
    ref: float
    stiffness: float
    springref: float
    damping: float
    frictionloss: float


@dataclass(frozen=True, repr=False)
class Geom(Element):
    """A shape that is fixed to a body, with its material."""

    body: int
    kind: str
    size: Array
    pos: Array
    quat: Array
    condim: int
    friction: float
    torsional: float
    rolling: float
    kinetic: float
    restitution: float
    margin: float
    priority: int
    contype: int
    conaffinity: int
    group: int
    collides: bool
    radius: float


@dataclass(frozen=True, repr=False)
class Site(Element):
    """A named point of a body."""

    body: int
    pos: Array
    quat: Array


@dataclass(frozen=True, repr=False)
class Spring(Element):
    """A spring and a damper between two sites."""

    site1: int
    site2: int
    stiffness: float
    length: float
    damping: float


@dataclass(frozen=True, repr=False)
class Tendon(Element):
    """A tendon."""

    kind: str
    limited: bool
    range: Array
    stiffness: float
    damping: float
    frictionloss: float
    length0: float


@dataclass(frozen=True, repr=False)
class Actuator(Element):
    """An actuator; `index` is also that of its control in `Sim.ctrl`."""

    kind: str
    dynamics: str
    joint: int
    tendon: int
    site: int
    equality: int
    act: int  #: index of its activation, -1 for none
    gear: Array
    gain: Array
    bias: Array
    ctrl_limited: bool
    ctrl_range: Array
    force_limited: bool
    force_range: Array


@dataclass(frozen=True, repr=False)
class Equality(Element):
    """A constraint between two bodies, joints or tendons."""

    kind: str
    body1: int
    body2: int
    active: bool
    joint: bool


@dataclass(frozen=True, repr=False)
class Keyframe(Element):
    """A named state with controls."""

    time: float
    q: Array
    v: Array
    ctrl: Array
    act: Array
    mocap_pos: Array
    mocap_quat: Array


@dataclass(frozen=True, repr=False)
class Sensor(Element):
    """A sensor; its values are `Sim.sensordata[start:start + dim]`."""

    kind: str
    stage: str  #: position, velocity or acceleration
    start: int
    dim: int
    cutoff: float


CLASSES: dict[str, type[Element]] = {
    "body": Body,
    "joint": Joint,
    "geom": Geom,
    "site": Site,
    "spring": Spring,
    "tendon": Tendon,
    "actuator": Actuator,
    "equality": Equality,
    "keyframe": Keyframe,
    "sensor": Sensor,
}


def make(kind: str, data: dict[str, Any]) -> Any:
    """An element from the dict of the C module."""
    made = CLASSES[kind]
    values: dict[str, Any] = {}
    for field in fields(made):
        value = data[field.name]
        if isinstance(value, (tuple, list)):
            value = np.array(value, dtype=float)
            value.flags.writeable = False
        values[field.name] = value
    return made(**values)


def index_of(names: list[str], kind: str, key: Any) -> int:
    """The index of an element by its name or number, or an error that lists the names."""
    from ._errors import ArgumentError

    found: Optional[int] = None
    if isinstance(key, str):
        if key in names and key:
            found = names.index(key)
    else:
        number = int(key)
        found = number + len(names) if -len(names) <= number < 0 else number
        found = found if 0 <= found < len(names) else None
    if found is None:
        known = ", ".join(name for name in names if name) or "none with a name"
        raise ArgumentError(f"there is no {kind} {key!r}; there are {len(names)}: {known}")
    return found
