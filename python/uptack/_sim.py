# SPDX-License-Identifier: Apache-2.0
"""Sims: a model with a state, which steps."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Optional, Union

import numpy as np

from . import _core, _named
from ._arrays import CONTACT, Array, doubles, shown
from ._elements import Geom
from ._model import Key, Model
from ._report import Certificate, Report, make_report

SETTINGS = (
    "dt",
    "tolerance",
    "formulation",
    "solver",
    "directions",
    "integrator",
    "impact",
    "simultaneous",
    "adaptive",
    "budget",
    "sleep",
    "on_uncertified",
    "certify",
)


@dataclass(frozen=True)
class Reaction:
    """What a connection transmitted in a step: on `body`, at its anchor; the opposite acts on the other body."""

    body: int
    equality: int  #: -1: the connection of the body to its parent
    point: Array  #: world, m
    impulse: Array  #: N s
    torque: Array  #: about the point, N m s


@dataclass(frozen=True)
class Pick:
    """Where a ray hits a geom."""

    geom: Geom
    distance: float  #: m
    point: Array  #: world
    normal: Array  #: world, outward


class Sim(_core.Sim):
    """A simulation: a model, a state, a step.

        sim = uptack.Sim(uptack.Model("stack:5"))
        while sim.time < 1:
            sim.step()          # raises UncertifiedStep if the step does not pass its certificate

    `q`, `v`, `act` and `ctrl` are numpy arrays on the sim's memory: they show the present state, and
    writing to them replaces it. A sim belongs to one thread at a time.
    """

    _model: Model
    settings: dict[str, Any]

    def __init__(
        self,
        model: Union[Model, str, "os.PathLike[str]"],
        *,
        key: Optional[Key] = None,
        dt: float = 0.0,
        tolerance: float = 0.0,
        formulation: Optional[str] = None,
        solver: Optional[str] = None,
        directions: int = 0,
        integrator: Optional[str] = None,
        impact: Optional[str] = None,
        simultaneous: Optional[str] = None,
        adaptive: float = 0.0,
        budget: int = 0,
        sleep: bool = False,
        on_uncertified: str = "raise",
        certify: bool = True,
    ):
        """Begin with the keyframe `key` (name or number; "" is the modelled pose; default: the keyframe
        named start, if there is one) and its controls.

        dt (s), tolerance (of E), formulation, solver, directions (edges of friction polygons),
        integrator, impact and simultaneous are the model's unless they are given. adaptive: allowed
        position error per step, m. budget: sweeps per step instead of a solution. sleep: islands at
        rest sleep. on_uncertified: "raise" an UncertifiedStep, "flag" it by the result of step(), or
        "keep" such steps. certify=False computes no certificates.
        """
        model = model if isinstance(model, Model) else Model(model)
        self._model = model
        values = (
            dt, tolerance, formulation, solver, directions, integrator, impact, simultaneous, adaptive, budget,
            sleep, on_uncertified, certify,
        )  # fmt: skip
        self.settings = dict(zip(SETTINGS, values))
        super().__init__(model._compiled, **self.settings)
        self.reset(key)

    # ---- model and state ----

    @property
    def model(self) -> Model:
        """The model as it was when the sim was created."""
        if self._model._compiled is not self._compiled:
            self._model = Model._of(self._compiled)
        return self._model

    def reset(self, key: Optional[Key] = None) -> "Sim":
        """Begin again with a keyframe and its controls; as `key` of Sim(). Forces become 0."""
        if key is None:
            index = self._compiled.start_key
        elif key == "" or (not isinstance(key, str) and int(key) == -1):
            index = -1
        else:
            index = self.model._index("keyframe", key)
        self._reset(index)
        return self

    def set_state(self, q: Any = None, v: Any = None, time: Optional[float] = None) -> "Sim":
        """Replace the state; None keeps a part. Warm starts are forgotten."""
        m = self.model
        self._set(
            self.time if time is None else time,
            None if q is None else doubles(q, (m.nq,), "q"),
            None if v is None else doubles(v, (m.nv,), "v"),
        )
        return self

    @property
    def hash(self) -> str:
        """Hash of time, q, v and act, as `uptack run` prints it: equal states have equal hashes."""
        return f"{self._hash():016x}"

    @property
    def energy(self) -> float:
        """Kinetic and potential energy, J."""
        return float(self._energy())

    @property
    def sleeping(self) -> int:
        """Number of bodies that sleep."""
        return int(self._sleeping())

    @property
    def energy_ledger(self) -> dict[str, Any]:
        """Energy that the numerical scheme added since the reset: gain, scale (J), gained (a warning)."""
        ledger: dict[str, Any] = self._ledger()
        return ledger

    # ---- elements ----

    def body(self, key: Key) -> _named.SimBody:
        """A body by name or number: pos, quat, com, velocity, angular, applied."""
        return _named.SimBody(self, self.model.body(key))

    def joint(self, key: Key) -> _named.SimJoint:
        """A joint by name or number: q, v, force; all three can be written."""
        return _named.SimJoint(self, self.model.joint(key))

    def geom(self, key: Key) -> _named.SimGeom:
        """A geom by name or number: pos, quat."""
        return _named.SimGeom(self, self.model.geom(key))

    def site(self, key: Key) -> _named.SimSite:
        """A site by name or number: pos, quat."""
        return _named.SimSite(self, self.model.site(key))

    def actuator(self, key: Key) -> _named.SimActuator:
        """An actuator by name or number: ctrl, act, force."""
        return _named.SimActuator(self, self.model.actuator(key))

    def sensor(self, key: Key) -> _named.SimSensor:
        """A sensor by name or number: data."""
        return _named.SimSensor(self, self.model.sensor(key))

    def body_poses(self) -> tuple[Array, Array]:
        """Positions (nbody x 3) and quaternions (nbody x 4) of all bodies."""
        return self._all_poses("body", self.model.nbody)

    def geom_poses(self) -> tuple[Array, Array]:
        """Positions (ngeom x 3) and quaternions (ngeom x 4) of all geoms."""
        return self._all_poses("geom", self.model.ngeom)

    def _all_poses(self, kind: str, n: int) -> tuple[Array, Array]:
        pos, quat = np.empty((n, 3)), np.empty((n, 4))
        self._poses(kind, pos, quat)
        return pos, quat

    @property
    def sensordata(self) -> Array:
        """Values of all sensors at the present state (a copy); NaN where a step is needed and none was taken."""
        data = np.full(self.model.nsensordata, np.nan)
        self._sensors(data)
        return data

    @property
    def mocap_velocity(self) -> Array:
        """Twists of mocap bodies (nmocap x 6): linear velocity of the frame, angular velocity, world."""
        return shown(self._mocap_velocity(), (self.model.nmocap, 6))

    # ---- the last step ----

    @property
    def contacts(self) -> Array:
        """The contacts of the last step as a structured array (a copy); empty before the first step.

        Fields: geom1, geom2, body1, body2, point, normal, gap, mu, impulse (on geom2, world, N s),
        slip (m/s), state (open, stick, slip or impact) and those of uptack.CONTACT.
        """
        return shown(self._contacts(), dtype=CONTACT)

    @property
    def certificate(self) -> Certificate:
        """The certificate of the last step, also of one that was not taken."""
        return Certificate(**self._certificate())

    @property
    def report(self) -> Report:
        """The report of the last step: contacts, rows, islands, velocities before and after."""
        return make_report(self._report())

    @property
    def result(self) -> dict[str, Any]:
        """Figures of the last step: outcome, h, contacts, iterations, max_penetration (m) ..."""
        result: dict[str, Any] = self._result()
        return result

    def certify(self, impulses: Any = None, tolerance: Optional[float] = None) -> Certificate:
        """Check the last step again, with its own impulses or with other ones.

        impulses: contacts x 3 in the contacts' frames (`contacts["r"]`), N s.
        """
        limit = tolerance if tolerance is not None else self.settings["tolerance"] or self.model.options["tolerance"]
        others = None if impulses is None else doubles(impulses, (-1, 3), "impulses")
        return Certificate(**self._certify(limit, others))

    def coulomb(self) -> Any:
        """The friction problem of the next step (uptack.coulomb.Problem), without taking the step."""
        from .coulomb import Problem

        return Problem._of(self._coulomb())

    @property
    def reactions(self) -> dict[str, Reaction]:
        """What joints, fixed connections and equalities transmitted in the last step, by name."""
        return {
            name: Reaction(body, equality, np.array(point), np.array(impulse), np.array(torque))
            for name, body, equality, point, impulse, torque in self._reactions()
        }

    # ---- mechanics ----

    @property
    def mass_matrix(self) -> Array:
        """M (nv x nv) at the present state, armature included."""
        M = np.empty((self.model.nv, self.model.nv))
        self._mass(M)
        return M

    def inverse_dynamics(self, a: Any = None) -> Array:
        """Generalized forces M a + c that give the accelerations a (default 0), without contacts and springs."""
        n = self.model.nv
        tau = np.empty(n)
        self._inverse(np.zeros(n) if a is None else doubles(a, (n,), "a"), tau)
        return tau

    def jacobian(self, body: Key, point: Any = None) -> Array:
        """6 x nv: velocity of a body's point, and angular velocity of the body, both world, of unit velocities.

        point: world, m; default the centre of mass.
        """
        index = self.model._index("body", body)
        J = np.empty((6, self.model.nv))
        self._jacobian(index, self.body(index).com if point is None else point, J)
        return J

    def pick(self, start: Any, direction: Any, far: float = float("inf")) -> Optional[Pick]:
        """The geom that a ray hits first; None: none."""
        hit = self._pick(start, direction, far)
        if hit is None:
            return None
        geom, distance, point, normal = hit
        return Pick(self.model.geom(geom), distance, np.array(point), np.array(normal))

    def hold(self, body: Key, point: Any, target: Any, rate: float = 12.0) -> Array:
        """Force and torque of a spring that pulls a point of a body (in its frame) to a target (world).

        Write it to `body(...).applied` before each step. rate: 1/s; explicit forces are stable for rate dt < 1.
        """
        force, torque = self._hold(self.model._index("body", body), point, target, rate)
        return np.array([*force, *torque])

    # ---- running ----

    def run(
        self,
        seconds: float,
        *,
        ctrl: Optional[Callable[["Sim"], Any]] = None,
        every: int = 1,
        progress: bool = False,
    ) -> dict[str, Array]:
        """Simulate for a time and return arrays: time, q, v, energy, E, contacts, outcome.

        ctrl: a function of the sim that gives the controls of the next step, or writes them itself and
        returns None. every: keep the first, every n-th and the last state. progress: show it.
        """
        from ._run import run

        return run(self, seconds, ctrl, every, progress)

    def trajectory(self, seconds: float) -> Iterator["Sim"]:
        """Step for a time: `for sim in sim.trajectory(1): ...` gives the sim after each step."""
        end = self.time + seconds - 1e-9 * self.dt
        while self.time < end:
            before = self.steps
            self.step()
            yield self
            if self.steps == before:
                return  # the step was flagged and not taken: the next one would be the same

    def record(self, path: Union[str, "os.PathLike[str]"], key: str = "") -> Any:
        """Write every step into a .utr file: `with sim.record("run.utr"): sim.step(n=100)`.

        key: name of the keyframe that the sim began with, for `uptack replay`.
        """
        from ._recording import Recorder

        return Recorder(self, path, key)

    # ---- copies ----

    def copy(self) -> "Sim":
        """Another sim with the same state, which goes on with the same bits."""
        other = type(self).__new__(type(self))
        Sim.__init__(other, self.model, **self.settings)
        other.copy_from(self)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Sim":
        return self.copy()

    def __reduce__(self) -> Any:
        m = self.model
        inputs = {"ctrl": self.ctrl.copy(), "force": self.force.copy(), "applied": self.applied.copy()}
        return _unpickle, (type(self), m, self.settings, self.save(), inputs)

    # ---- showing ----

    def plot(self, *bodies: str, seconds: float = 1.0) -> Any:
        """Simulate a copy and draw heights or joints over time; see uptack.plot."""
        from ._plot import plot_sim

        return plot_sim(self, bodies, seconds)

    def show(self, **options: Any) -> Any:
        """Open the page of `uptack view` with this model."""
        from ._show import show

        return show(self, **options)

    def __repr__(self) -> str:
        m = self.model
        outcome = f", {self.outcome}" if self.outcome else ""
        return f"<Sim of '{m.name or m.source}': t = {self.time:g} s, {self.steps} steps{outcome}>"


def _unpickle(cls: type[Sim], model: Model, settings: dict[str, Any], state: bytes, inputs: dict[str, Any]) -> Sim:
    sim = cls.__new__(cls)
    Sim.__init__(sim, model, **settings)
    sim.load(state)
    sim.ctrl[:] = inputs["ctrl"]
    for name in ("force", "applied"):
        if np.any(inputs[name]):
            getattr(sim, name)[:] = inputs[name]
    return sim
