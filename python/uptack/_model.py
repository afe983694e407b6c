# SPDX-License-Identifier: Apache-2.0
"""Models: loading, changing, looking inside."""

from __future__ import annotations

import os
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _core, _elements
from ._arrays import Array, doubles
from ._elements import Actuator, Body, Equality, Geom, Joint, Keyframe, Sensor, Site, Spring, Tendon
from ._errors import Error

Key = Union[str, int]


def _value_text(value: Any) -> str:
    """A value as files write it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return " ".join(repr(float(number)) for number in np.ravel(np.asarray(value, dtype=float)))


class Model:
    """Bodies, joints, geoms and actuators, compiled.

    Load one with `Model("stack:5")`, `Model.from_file("robot.xml")` or `Model.from_string(text)`.
    Sims that were created from a model keep it as it was then: `set` gives later sims another one.
    """

    _compiled: Any
    _names: dict[str, list[str]]
    _tables: dict[str, list[Any]]

    def __init__(
        self,
        path: Union[str, "os.PathLike[str]"],
        *,
        set: Optional[dict[str, Any]] = None,
        strict: bool = False,
        floating: bool = False,
        friction: bool = False,
        self_collision: bool = True,
        packages: Sequence[str] = (),
    ):
        """Load an MJCF or URDF file, or the scene of a name such as "stack:30" (uptack.scenes()).

        set: attributes to change first, {"box.mass": 2, "option.dt": 0.001}. strict: reject files with
        physics that uptack lacks. For URDF: floating frees the root, friction reads Gazebo's and
        Bullet's coefficients, self_collision lets links collide, packages are folders for package://.
        """
        self._load(os.fspath(path), None, set, strict, floating, friction, self_collision, packages)

    def _load(
        self,
        path: str,
        text: Optional[str],
        set: Optional[dict[str, Any]],
        strict: bool = False,
        floating: bool = False,
        friction: bool = False,
        self_collision: bool = True,
        packages: Sequence[str] = (),
    ) -> None:
        changes = [f"{name}={_value_text(value)}" for name, value in (set or {}).items()]
        self._take(
            _core.load(path, text, changes, [os.fspath(p) for p in packages], strict, floating, friction, self_collision)
        )

    def _take(self, compiled: Any) -> None:
        self._compiled = compiled
        self._names = {}
        self._tables = {}
        self._sizes: dict[str, int] = compiled.sizes

    @classmethod
    def _of(cls, compiled: Any) -> "Model":
        model = cls.__new__(cls)
        model._take(compiled)
        return model

    @classmethod
    def from_file(cls, path: Union[str, "os.PathLike[str]"], **settings: Any) -> "Model":
        """Load an MJCF or URDF file; settings as in Model()."""
        return cls(path, **settings)

    @classmethod
    def from_string(
        cls, text: str, *, name: str = "string", set: Optional[dict[str, Any]] = None, **settings: Any
    ) -> "Model":
        """Load an MJCF or URDF text. `name` is for messages; included files are looked for beside it."""
        model = cls.__new__(cls)
        model._load(name, text, set, **settings)
        return model

    @classmethod
    def from_xml(cls, text: str, **settings: Any) -> "Model":
        """The same as from_string."""
        return cls.from_string(text, **settings)

    @classmethod
    def from_scene(cls, name: str, **settings: Any) -> "Model":
        """Build a scene: "stack:30", "slope:20:0.4"; uptack.scenes() lists them."""
        if not _core.scene_is(name):
            from ._errors import ArgumentError

            raise ArgumentError(f"{name!r} is not the name of a scene; uptack.scenes() lists them")
        return cls(name, **settings)

    # ---- changing ----

    def set(self, path: str, value: Any) -> "Model":
        """Change one attribute by name, "box.mass", "floor.friction", "option.dt", and compile again.

        Sims that exist keep the model as it was. Returns the model itself, so that calls can be chained.
        """
        self._take(self._compiled.changed(path, _value_text(value)))
        return self

    def with_(self, changes: Optional[dict[str, Any]] = None, **options: Any) -> "Model":
        """Another model with attributes changed; keywords are options: with_({"box.mass": 2}, dt=0.001)."""
        model = self.copy()
        for path, value in {**(changes or {}), **{f"option.{k}": v for k, v in options.items()}}.items():
            model.set(path, value)
        return model

    def copy(self) -> "Model":
        """A model of its own with the same contents; nothing is compiled again."""
        return type(self)._of(self._compiled)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Model":
        return self.copy()

    def mjcf(self, *, plain: bool = False, folder: Optional[str] = None) -> str:
        """The model as an MJCF text, which reads back to the same bits.

        plain: only what MuJoCo reads; uptack's own attributes go into a custom text. folder: that paths
        of meshes are relative to.
        """
        text: str = self._compiled.mjcf(plain, folder)[0]
        return text

    def __reduce__(self) -> Any:
        text, notes = self._compiled.mjcf(False, None)
        if any(physics for _, _, physics, *_ in notes):
            raise Error(f"the model cannot be written as MJCF, so it cannot be pickled: {notes[0][0]}")
        return _unpickle, (type(self), text, self._compiled.source, self.hash)

    # ---- figures ----

    @property
    def name(self) -> str:
        """The model's name in its file."""
        return str(self._compiled.name)

    @property
    def source(self) -> str:
        """The file or scene that it came from."""
        return str(self._compiled.source)

    @property
    def mass(self) -> float:
        """Mass of all moving bodies, kg."""
        return float(self._compiled.mass)

    @property
    def hash(self) -> int:
        """Hash of the contents: equal models have equal hashes."""
        return int(self._compiled.hash)

    @property
    def options(self) -> dict[str, Any]:
        """Settings of the model as a whole: dt, gravity, formulation, solver ..."""
        options: dict[str, Any] = self._compiled.options
        return options

    @property
    def dt(self) -> float:
        """Step size, s."""
        return float(self.options["dt"])

    @property
    def gravity(self) -> Array:
        """Gravity, m/s^2."""
        return np.array(self.options["gravity"])

    @property
    def notes(self) -> list[str]:
        """The parts of the file that are not supported, one line each."""
        return [
            f"{file}:{line}:{column}: {'warning' if physics else 'note'}: {what}"
            + (f" ({count} times)" if count > 1 else "")
            + f": {why}"
            for what, why, physics, _, count, file, line, column in self._compiled.notes
        ]

    @property
    def missing(self) -> list[str]:
        """Physics of the file that the model lacks; certificates do not cover it."""
        return [f"{what} ({count})" for what, count, *_ in self._compiled.missing]

    def __getattr__(self, name: str) -> int:
        # nq, nv, nu, nbody ...
        sizes = self.__dict__.get("_sizes", {})
        if name in sizes:
            return int(sizes[name])
        raise AttributeError(f"a Model has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._sizes]

    # ---- elements ----

    def _list(self, kind: str) -> list[Any]:
        if kind not in self._tables:
            data = _core.elements(self._compiled, kind)
            self._names[kind] = [d["name"] for d in data]
            self._tables[kind] = [_elements.make(kind, d) for d in data]
        return self._tables[kind]

    def _index(self, kind: str, key: Key) -> int:
        if isinstance(key, str) and kind != "spring":
            found: int = self._compiled.find(kind, key)
            if found >= 0:
                return found
        self._list(kind)
        return _elements.index_of(self._names[kind], kind, key)

    def _element(self, kind: str, key: Key) -> Any:
        return self._list(kind)[self._index(kind, key)]

    def body(self, key: Key) -> Body:
        """A body by name or number."""
        found: Body = self._element("body", key)
        return found

    def joint(self, key: Key) -> Joint:
        """A joint by name or number."""
        found: Joint = self._element("joint", key)
        return found

    def geom(self, key: Key) -> Geom:
        """A geom by name or number."""
        found: Geom = self._element("geom", key)
        return found

    def site(self, key: Key) -> Site:
        """A site by name or number."""
        found: Site = self._element("site", key)
        return found

    def spring(self, key: Key) -> Spring:
        """A spring by name or number."""
        found: Spring = self._element("spring", key)
        return found

    def tendon(self, key: Key) -> Tendon:
        """A tendon by name or number."""
        found: Tendon = self._element("tendon", key)
        return found

    def actuator(self, key: Key) -> Actuator:
        """An actuator by name or number."""
        found: Actuator = self._element("actuator", key)
        return found

    def equality(self, key: Key) -> Equality:
        """An equality by name or number."""
        found: Equality = self._element("equality", key)
        return found

    def keyframe(self, key: Key) -> Keyframe:
        """A keyframe by name or number."""
        found: Keyframe = self._element("keyframe", key)
        return found

    def sensor(self, key: Key) -> Sensor:
        """A sensor by name or number."""
        found: Sensor = self._element("sensor", key)
        return found

    @property
    def bodies(self) -> list[Body]:
        """All bodies; the first one is the world."""
        return list(self._list("body"))

    @property
    def joints(self) -> list[Joint]:
        """All joints."""
        return list(self._list("joint"))

    @property
    def geoms(self) -> list[Geom]:
        """All geoms."""
        return list(self._list("geom"))

    @property
    def sites(self) -> list[Site]:
        """All sites."""
        return list(self._list("site"))

    @property
    def springs(self) -> list[Spring]:
        """All springs between sites."""
        return list(self._list("spring"))

    @property
    def tendons(self) -> list[Tendon]:
        """All tendons."""
        return list(self._list("tendon"))

    @property
    def actuators(self) -> list[Actuator]:
        """All actuators, in the order of the controls."""
        return list(self._list("actuator"))

    @property
    def equalities(self) -> list[Equality]:
        """All equalities."""
        return list(self._list("equality"))

    @property
    def keyframes(self) -> list[Keyframe]:
        """All keyframes."""
        return list(self._list("keyframe"))

    @property
    def sensors(self) -> list[Sensor]:
        """All sensors."""
        return list(self._list("sensor"))

    def side(self, number: int) -> str:
        """The label of a side of a contact (`geom1`, `geom2`): a geom, or ngeom + a site."""
        return str(self._compiled.side(number)[0])

    def pair(self, geom1: Key, geom2: Key) -> dict[str, Any]:
        """How two geoms touch: collides, condim, friction, restitution ..."""
        law: dict[str, Any] = self._compiled.pair_law(self._index("geom", geom1), self._index("geom", geom2))
        return law

    # ---- positions and velocities ----

    def integrate(self, q: Any, v: Any, h: float) -> Array:
        """q moved with constant velocities v for a time h, joint by joint."""
        out = np.empty(self.nq)
        self._compiled.map("integrate", doubles(q, (self.nq,), "q"), doubles(v, (self.nv,), "v"), h, out)
        return out

    def difference(self, start: Any, end: Any) -> Array:
        """The velocities that move one position to another within 1 s."""
        out = np.empty(self.nv)
        self._compiled.map("difference", doubles(start, (self.nq,), "start"), doubles(end, (self.nq,), "end"), 1.0, out)
        return out

    def normalize(self, q: Any) -> Array:
        """q with quaternions of length 1."""
        out = np.empty(self.nq)
        self._compiled.map("normalize", doubles(q, (self.nq,), "q"), None, 1.0, out)
        return out

    def __repr__(self) -> str:
        name = self.name or self.source
        parts = [f"{self.nbody - 1} bodies", f"nq = {self.nq}", f"nv = {self.nv}", f"nu = {self.nu}"]
        lacks = f", lacks {', '.join(self.missing)}" if self.missing else ""
        return f"<Model '{name}': {', '.join(parts)}, {self.ngeom} geoms, {self.mass:g} kg{lacks}>"


def _unpickle(cls: type[Model], text: str, source: str, hash: int) -> Model:
    model = cls.from_string(text, name=source)
    if model.hash != hash:
        raise Error(f"{source}: the model is not the one that was pickled; are its meshes the same?")
    return model
