# SPDX-License-Identifier: Apache-2.0
"""Many sims of one model on several threads: Batch, rollout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _core
from ._arrays import Array, doubles, integers, shown
from ._errors import ArgumentError
from ._model import Key, Model
from ._sim import Sim

#: How a row is (utBatchRow of uptack/batch.h)
ROW = np.dtype(
    [("status", "i4"), ("outcome", "i4"), ("taken", "i4"), ("contacts", "i4"), ("residual", "f8"), ("max_penetration", "f8")]
)

OUTCOMES = ("certified", "flagged", "budget", "uncertified")
_NOT_TAKEN = 7  # UT_ERR_NOT_TAKEN

_OUTPUTS = ("time", "q", "v", "act", "sensordata", "energy", "body_pos", "body_quat")


class Batch:
    """Many sims of one model, a row each, stepped on several threads.

        batch = uptack.Batch(model, 1000, threads=2)
        out = batch.step(ctrl, n=10)           # ctrl: 1000 x nu
        batch.q                                # 1000 x nq
        batch.ok                               # False for rows that stand still

    Row i has the same bits as a sim of its own. A row whose step is not certified keeps the state before
    that step and stands still until it is set or reset; other rows go on.
    """

    def __init__(self, model: Union[Model, str], rows: int, *, threads: int = 0, key: Optional[Key] = None, **settings: Any):
        """threads: default one per processor. key: as in Sim. settings: those of Sim (dt, formulation ...)."""
        self.model = model if isinstance(model, Model) else Model(model)
        self.settings = settings
        self._batch = _core.batch(self.model._compiled, rows, threads, settings)
        self.rows: int = self._batch.rows
        self.threads: int = self._batch.threads
        self.dt: float = self._batch.dt
        self.reset(key=key)

    def __len__(self) -> int:
        return self.rows

    def _read(self, name: str, *shape: int) -> Array:
        out = np.empty((self.rows, *shape))
        self._batch.read(name, out)
        return out

    @property
    def time(self) -> Array:
        """Time of each row, s."""
        return self._read("time")

    @property
    def q(self) -> Array:
        """Positions, rows x nq (a copy; `set` replaces them)."""
        return self._read("q", self.model.nq)

    @property
    def v(self) -> Array:
        """Velocities, rows x nv."""
        return self._read("v", self.model.nv)

    @property
    def act(self) -> Array:
        """Activations, rows x na."""
        return self._read("act", self.model.na)

    @property
    def mocap_pos(self) -> Array:
        """Positions of mocap bodies, rows x nmocap x 3."""
        return self._read("mocap_pos", self.model.nmocap, 3)

    @property
    def mocap_quat(self) -> Array:
        """Orientations of mocap bodies, rows x nmocap x 4."""
        return self._read("mocap_quat", self.model.nmocap, 4)

    @property
    def results(self) -> Array:
        """How the last call went for each row: status (0: fine), outcome, taken, contacts, residual ..."""
        return shown(self._batch.results(), dtype=ROW)

    @property
    def ok(self) -> Array:
        """Which rows do not stand still."""
        fine: Array = self.results["status"] == 0
        return fine

    def message(self, row: int) -> str:
        """Why a row stands still; '' when it does not."""
        return str(self._batch.message(row))

    @property
    def row_bytes(self) -> int:
        """Bytes of all rows at present, without the workspace of the threads."""
        return int(self._batch.row_bytes)

    def _rows(self, rows: Any) -> tuple[int, Optional[Array]]:
        if rows is None:
            return self.rows, None
        array = np.atleast_1d(np.asarray(rows))
        if array.dtype == np.bool_:
            array = np.flatnonzero(array)
        return len(array), integers(array, len(array), "rows")

    def set(self, *, q: Any = None, v: Any = None, act: Any = None, time: Any = None, rows: Any = None) -> None:
        """Replace states: one row of numbers for all, or one per row of `rows` (indices or a mask)."""
        n, index = self._rows(rows)
        if n == 0:
            return

        def spread(value: Any, width: Optional[int], name: str) -> Any:
            if value is None:
                return None
            shape = (n,) if width is None else (n, width)
            try:
                return doubles(np.broadcast_to(np.asarray(value, dtype=float), shape), shape, name)
            except ValueError as error:
                raise ArgumentError(f"{name} does not fit {shape}: {error}") from None

        m = self.model
        self._batch.set(
            n, index, spread(time, None, "time"), spread(q, m.nq, "q"), spread(v, m.nv, "v"), spread(act, m.na, "act")
        )

    def reset(self, rows: Any = None, key: Optional[Key] = None) -> None:
        """Set rows to a keyframe; as `key` of Sim."""
        n, index = self._rows(rows)
        if key is None:
            frame = self.model._compiled.start_key
        else:
            frame = -1 if key == "" else self.model._index("keyframe", key)
        if n > 0:
            self._batch.reset(n, index, np.full(n, frame, dtype=np.intc))

    def to_sim(self, row: int) -> Sim:
        """A sim with the state of a row."""
        sim = Sim(self.model, **self.settings)
        self._batch.to_sim(row, sim)
        return sim

    def from_sim(self, row: int, sim: Sim) -> None:
        """Give a row the state of a sim."""
        self._batch.from_sim(row, sim)

    def step(
        self,
        ctrl: Any = None,
        n: int = 1,
        *,
        each_step: bool = False,
        force: Any = None,
        applied: Any = None,
        mocap_pos: Any = None,
        mocap_quat: Any = None,
        skip: Any = None,
        every: int = 0,
        outputs: Sequence[str] = (),
    ) -> dict[str, Array]:
        """Take n steps of every row that does not stand still, without the interpreter's lock.

        ctrl: rows x nu, or nu for all rows; with each_step rows x n x nu. force, applied (rows x nbody x 6)
        and mocap poses likewise. skip: a mask of rows that are not stepped. outputs: names among time, q, v,
        act, sensordata, energy, body_pos and body_quat; their values after the last step, or after every
        `every`-th step, are returned: rows (x samples) x numbers.
        """
        m = self.model
        samples = [n // every] if every > 0 else []
        lead = (self.rows, n) if each_step else (self.rows,)

        def spread(value: Any, shape: tuple[int, ...], name: str) -> Any:
            if value is None:
                return None
            array = np.asarray(value, dtype=float)
            if array.shape == lead[:1] + shape and each_step:
                array = array[:, None]
            try:
                return doubles(np.broadcast_to(array, lead + shape), None, name)
            except ValueError as error:
                raise ArgumentError(f"{name} does not fit {lead + shape}: {error}") from None

        unknown = set(outputs) - set(_OUTPUTS)
        if unknown:
            raise ArgumentError(f"there is no output {unknown.pop()!r}; there are {', '.join(_OUTPUTS)}")
        width: dict[str, tuple[int, ...]] = {
            "time": (), "q": (m.nq,), "v": (m.nv,), "act": (m.na,), "sensordata": (m.nsensordata,), "energy": (),
            "body_pos": (m.nbody, 3), "body_quat": (m.nbody, 4),
        }  # fmt: skip
        made = {name: np.empty((self.rows, *samples, *width[name])) for name in outputs}
        inputs = (
            spread(ctrl, (m.nu,), "ctrl"), spread(force, (m.nv,), "force"), spread(applied, (m.nbody, 6), "applied"),
            spread(mocap_pos, (m.nmocap, 3), "mocap_pos"), spread(mocap_quat, (m.nmocap, 4), "mocap_quat"),
        )  # fmt: skip
        mask = None if skip is None else np.ascontiguousarray(np.broadcast_to(skip, (self.rows,)), dtype=np.bool_)
        self._batch.step(n, each_step, every, inputs, mask, tuple(made.get(name) for name in _OUTPUTS))
        return made

    def __repr__(self) -> str:
        stand = int(np.count_nonzero(~self.ok))
        return (
            f"<Batch of {self.rows} x '{self.model.name or self.model.source}' on {self.threads} threads"
            f"{f', {stand} stand still' if stand else ''}>"
        )


@dataclass(frozen=True)
class Rollout:
    """The result of `rollout`: a row per initial state.

    time: rows x steps; q, v and sensordata: rows x steps x numbers, after each step. status: 'ok', or why
    a row ended early; steps: steps that it took; later entries repeat its last state.
    """

    time: Array
    q: Array
    v: Array
    sensordata: Array
    status: list[str]
    steps: Array
    residual: Array  #: largest E of the certificates
    message: list[str]

    @property
    def ok(self) -> Array:
        """Which rows took all steps."""
        return np.array([s == "ok" for s in self.status])

    def __repr__(self) -> str:
        return f"<Rollout: {self.q.shape[0]} rows of {self.q.shape[1]} steps, {int(self.ok.sum())} complete>"


def rollout(
    model: Union[Model, str],
    states: Any,
    controls: Any = None,
    *,
    steps: Optional[int] = None,
    threads: int = 0,
    every: int = 1,
    **settings: Any,
) -> Rollout:
    """Simulate from many states with open-loop controls, on several threads.

    states: rows x (nq + nv), or rows x (1 + nq + nv) with the time first. controls: rows x steps x nu, or
    steps x nu for all rows. every: keep every n-th state. settings: those of Sim.
    """
    model = model if isinstance(model, Model) else Model(model)
    m = model
    state = np.atleast_2d(np.asarray(states, dtype=float))
    ctrl = None if controls is None else np.asarray(controls, dtype=float)
    if ctrl is not None and ctrl.ndim == 2:
        ctrl = ctrl[None]
    if ctrl is not None and (ctrl.ndim != 3 or ctrl.shape[2] != m.nu):
        raise ArgumentError(f"controls have the shape {ctrl.shape}; rows x steps x {m.nu} is needed")
    n = ctrl.shape[1] if ctrl is not None else steps
    if n is None or n < 1:
        raise ArgumentError("give controls, or a number of steps from 1")
    rows = max(len(state), len(ctrl) if ctrl is not None else 1)
    if state.shape[1] not in (m.nq + m.nv, 1 + m.nq + m.nv):
        raise ArgumentError(f"states have {state.shape[1]} numbers; nq + nv = {m.nq + m.nv} are needed, or the time besides")
    timed = state.shape[1] == 1 + m.nq + m.nv
    state = np.broadcast_to(state, (rows, state.shape[1]))
    batch = Batch(model, rows, threads=threads, **settings)
    batch.set(
        time=state[:, 0] if timed else 0.0, q=state[:, timed : timed + m.nq], v=state[:, timed + m.nq :]
    )
    if ctrl is not None:
        ctrl = np.broadcast_to(ctrl, (rows, n, m.nu))
    out = batch.step(ctrl, n, each_step=ctrl is not None, every=every, outputs=("time", "q", "v", "sensordata"))
    results = batch.results
    names: list[str] = _core.names("statuses")
    status = ["ok" if s == 0 else "uncertified" if s == _NOT_TAKEN else names[s] for s in results["status"]]
    return Rollout(
        **out,
        status=status,
        steps=results["taken"].copy(),
        residual=results["residual"].copy(),
        message=[batch.message(row) for row in range(rows)],
    )
