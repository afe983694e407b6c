# SPDX-License-Identifier: Apache-2.0
"""Calls that no program should make: each raises or works, and none reads or writes foreign memory.

`tools/python-test asan` runs these under the address sanitizer. The cases are functions that the decorator
collects; a case passes when it ends, with or without one of the exceptions that a caller may expect.
"""

import copy
import gc
import pickle
import random
import signal
import sys
import threading
import time
import unittest
from typing import Any, Callable

import numpy as np
import uptack
from uptack import _core, coulomb, law, lcp

EXPECTED = (uptack.Error, TypeError, ValueError, RuntimeError, OverflowError, AttributeError, IndexError, MemoryError, BufferError, KeyError)

CASES: list[Callable[[], Any]] = []


def case(function: Callable[[], Any]) -> Callable[[], Any]:
    """Add a case."""
    CASES.append(function)
    return function


def each(*calls: Callable[[], Any]) -> None:
    """Every call, whatever it raises among the expected exceptions."""
    for call in calls:
        try:
            call()
        except EXPECTED:
            pass


@case
def arrays_outlive_the_sim() -> None:
    arrays = []
    for _ in range(50):
        sim = uptack.Sim("stack:2")
        arrays += [sim.q, sim.v, sim.ctrl, sim.act, sim.force, sim.applied]
        sim.step()
        del sim
    gc.collect()
    for array in arrays:
        array += 1.0


@case
def arrays_outlive_growth_of_the_sim() -> None:
    sim = uptack.Sim("wall:4:4")
    q = sim.q
    views = [memoryview(q)[i:] for i in range(5)]
    for _ in range(30):
        sim.step()
        sim.contacts
    assert np.shares_memory(q, sim.q) and len(views) == 5


@case
def contacts_outlive_the_sim() -> None:
    sim = uptack.Sim("wall:4:4")
    sim.step()
    contacts = sim.contacts
    sim.step(n=10)
    del sim
    gc.collect()
    contacts["impulse"] += 1.0


@case
def memoryviews_of_arrays_survive() -> None:
    sim = uptack.Sim("stack:2")
    view = memoryview(sim.q)
    del sim
    gc.collect()
    view[0] = 3.0


@case
def model_goes_before_the_sim() -> None:
    model = uptack.Model("stack:3")
    sim = uptack.Sim(model)
    body = sim.body("box1")
    del model
    gc.collect()
    sim.step(n=5)
    body.pos


@case
def set_while_sims_live() -> None:
    model = uptack.Model("stack:3")
    sims = []
    for i in range(20):
        sims.append(uptack.Sim(model))
        model.set("option.dt", 0.001 * (i + 1))
    for sim in sims:
        sim.step()
        sim.model.options


@case
def sim_without_init() -> None:
    sim = uptack.Sim.__new__(uptack.Sim)
    each(lambda: sim.q, lambda: sim.step(), lambda: sim.time, lambda: sim.save(), lambda: sim._contacts())
    each(lambda: sim._compiled, lambda: sim._body(0), lambda: sim._hash(), lambda: sim.copy_from(sim), lambda: sim.dt)
    each(lambda: sim._set(0, None, None), lambda: sim._reset(0), lambda: sim.load(b""), lambda: sim._coulomb())
    each(lambda: sim._poses("body", np.zeros(3), np.zeros(4)), lambda: sim._sensors(np.zeros(1)))
    each(lambda: sim._record(None), lambda: setattr(sim, "time", 1.0), lambda: sim._certify(1e-8, None))
    each(lambda: setattr(sim, "q", [1]), lambda: sim.outcome, lambda: sim._ledger(), lambda: sim._mocap_velocity())


@case
def init_twice() -> None:
    sim = uptack.Sim("stack:2")
    q = sim.q
    each(lambda: sim.__init__("stack:3"))  # type: ignore[misc]
    sim.step()
    q[0] = 1.0
    sim.step()


@case
def init_that_fails_and_then_works() -> None:
    sim = uptack.Sim.__new__(uptack.Sim)
    each(lambda: sim.__init__("stack:2", formulation="none"))  # type: ignore[misc]
    each(lambda: sim.__init__("stack:2", dt=-1.0))  # type: ignore[misc]
    each(lambda: sim.step())
    each(lambda: sim.__init__("stack:2"))  # type: ignore[misc]
    each(lambda: sim.step())


@case
def delete_attributes() -> None:
    sim = uptack.Sim("stack:2")
    for name in ("q", "v", "ctrl", "time", "force", "mocap_pos", "dt"):
        each(lambda: delattr(sim, name))
    sim.step()


@case
def numbers_that_are_none() -> None:
    sim = uptack.Sim("stack:2")
    for value in (np.nan, np.inf, -np.inf, 1e308, -0.0, 5e-324):
        for name in ("q", "v", "force"):
            each(lambda: getattr(sim, name).__setitem__(0, value), lambda: sim.step())
            each(lambda: sim.reset())


@case
def wrong_shapes() -> None:
    sim = uptack.Sim("quad")
    for value in ([], [1], np.zeros(1000), np.zeros((2, 2)), "text", b"bytes", None, 3, {}, object(), [[1]] * sim.model.nu):
        each(lambda: sim.step(value), lambda: setattr(sim, "q", value), lambda: setattr(sim, "applied", value))
        each(lambda: setattr(sim, "ctrl", value), lambda: sim.set_state(q=value), lambda: sim.set_state(v=value))


@case
def arrays_of_other_kinds() -> None:
    sim = uptack.Sim("quad")
    n = sim.model.nu
    for kind in ("f4", "i8", "u1", "c16", "?", "O", "S8", "datetime64[s]", ">f8"):
        each(lambda: sim.step(np.zeros(n).astype(kind)))
    each(lambda: sim.step(np.zeros(2 * n)[::2]), lambda: sim.step(np.zeros((n, 2))[:, 0]))
    each(lambda: sim.step(np.asfortranarray(np.zeros((n, 1)))))


@case
def a_sequence_that_lies() -> None:
    class Liar:
        def __len__(self) -> int:
            return uptack.Model("quad").nu

        def __getitem__(self, i: int) -> float:
            if i > 3:
                raise IndexError("no more")
            return 0.0

    sim = uptack.Sim("quad")
    before = sim.ctrl.copy()
    each(lambda: sim.step(Liar()))
    assert np.array_equal(before, sim.ctrl)


@case
def a_sequence_that_changes_the_sim() -> None:
    sim = uptack.Sim("quad")

    class Meddler:
        def __len__(self) -> int:
            return int(sim.model.nu)

        def __getitem__(self, i: int) -> float:
            sim.step()
            sim.reset()
            return 0.0

    each(lambda: sim.step(Meddler()))


@case
def a_sequence_that_drops_the_sim() -> None:
    holder = {"sim": uptack.Sim("quad")}

    class Dropper:
        def __len__(self) -> int:
            return 12

        def __getitem__(self, i: int) -> float:
            holder.clear()
            gc.collect()
            return 0.0

    each(lambda: holder["sim"].step(Dropper()))


@case
def a_sequence_that_lets_another_thread_in() -> None:
    sim = uptack.Sim("quad")
    inside = threading.Event()

    class Waiter:
        def __len__(self) -> int:
            return int(sim.model.nu)

        def __getitem__(self, i: int) -> float:
            inside.set()
            time.sleep(0.002)
            return 0.0

    def other() -> None:
        inside.wait(5)
        for _ in range(50):
            each(lambda: sim.step(n=20), lambda: sim.reset())

    thread = threading.Thread(target=other)
    thread.start()
    for _ in range(3):
        each(lambda: sim.step(Waiter()), lambda: sim.pick(Waiter(), Waiter()), lambda: setattr(sim, "q", Waiter()))
    inside.set()
    thread.join()


@case
def finalizers_that_step() -> None:
    sim = uptack.Sim("wall:4:4")
    sim.step()

    class Cycle:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            each(lambda: sim.step(), lambda: sim.coulomb(), lambda: sim.contacts)

    threshold = gc.get_threshold()
    gc.set_threshold(50, 2, 2)
    try:
        for _ in range(30):
            Cycle()
            each(lambda: sim.report, lambda: sim.certificate, lambda: sim.result, lambda: sim.model.bodies)
    finally:
        gc.set_threshold(*threshold)


@case
def signals_that_step() -> None:
    sim = uptack.Sim("stack:3")

    def handler(number: int, frame: Any) -> None:
        each(lambda: sim.step(), lambda: sim.reset(), lambda: sim.save())

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        for _ in range(20):
            each(lambda: sim.step(n=500))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@case
def recorders_closed_by_another_thread() -> None:
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        sim = uptack.Sim("wall:3:3")
        for i in range(10):
            recorder = sim.record(os.path.join(folder, f"{i}.utr"))
            thread = threading.Thread(target=lambda: each(lambda: sim.step(n=100)))
            thread.start()
            each(lambda: recorder._recorder.close(), lambda: recorder.close())
            thread.join()
            each(lambda: recorder.close())


@case
def snapshots_of_garbage() -> None:
    sim = uptack.Sim("stack:2")
    good = sim.save()
    chance = random.Random(1)
    each(lambda: sim.load(b""), lambda: sim.load(b"x" * 10000), lambda: sim.load(good[:-1]), lambda: sim.load(good * 2))
    for _ in range(300):
        bad = bytearray(good)
        for _ in range(chance.randint(1, 5)):
            bad[chance.randrange(len(bad))] = chance.randrange(256)
        each(lambda: sim.load(bad))
    sim.step()


@case
def snapshots_of_another_model() -> None:
    one, other = uptack.Sim("stack:2"), uptack.Sim("wall:3:3")
    one.step()
    each(lambda: other.load(one.save()), lambda: other.copy_from(one), lambda: one.copy_from(one))
    other.step()


@case
def load_while_arrays_are_held() -> None:
    sim = uptack.Sim("stack:4")
    q, saved = sim.q, sim.save()
    for _ in range(20):
        sim.step(n=3)
        sim.load(saved)
        q.sum()


@case
def recordings_of_garbage() -> None:
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.utr")
        sim = uptack.Sim("stack:2")
        with sim.record(path):
            sim.step(n=5)
        with open(path, "rb") as file:
            good = file.read()
        chance = random.Random(2)
        for _ in range(200):
            bad = bytearray(good[: chance.randrange(len(good))] if chance.random() < 0.5 else good)
            if bad:
                bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
            each(lambda: uptack.parse_recording(bytes(bad)))
            each(lambda: _core.recording_certify(bytes(bad), "x", sim._compiled, 1e-8))


@case
def recorder_closed_in_the_middle() -> None:
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.utr")
        sim = uptack.Sim("stack:2")
        recorder = sim.record(path)
        sim.step()
        recorder._recorder.close()
        sim.step(n=3)
        recorder.close()
        recorder.close()
        second = sim.record(path)
        del second, recorder
        gc.collect()
        sim.step()
        del sim
        gc.collect()
        each(lambda: uptack.Sim("stack:2").record("/no/such/folder/x.utr"))


@case
def recorder_of_another_model() -> None:
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        one, other = uptack.Sim("stack:2"), uptack.Sim("stack:3")
        recorder = one.record(os.path.join(folder, "x.utr"))
        each(lambda: other._record(recorder._recorder), lambda: other._record(3))
        other.step()
        recorder.close()


@case
def a_recorder_that_two_sims_share() -> None:
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        model = uptack.Model("stack:2")
        one, two = uptack.Sim(model), uptack.Sim(model)
        recorder = one.record(os.path.join(folder, "x.utr"))
        each(lambda: two._record(recorder._recorder))
        each(lambda: one.step(n=2), lambda: two.step(n=2))
        recorder.close()
        each(lambda: one.step(), lambda: two.step())


@case
def texts_of_garbage() -> None:
    chance = random.Random(3)
    good = uptack.Model("stack:2").mjcf()
    for _ in range(100):
        bad = list(good)
        for _ in range(3):
            bad[chance.randrange(len(bad))] = chr(chance.randrange(1, 0x2FF))
        each(lambda: uptack.Model.from_string("".join(bad)))
    each(lambda: uptack.Model.from_string(""), lambda: uptack.Model.from_string("\0"), lambda: uptack.Model("a\0b"))
    each(lambda: uptack.Model.from_string("<mujoco/>"), lambda: uptack.Model.from_string("\ud800"))


@case
def names_that_are_none() -> None:
    sim = uptack.Sim("stack:2")
    for key in ("", "no", "b" * 100000, -1, 10**9, -(10**9), 10**30, None, 1.5, b"box1", "\0", "\ud800"):
        each(lambda: sim.body(key), lambda: sim.geom(key), lambda: sim.joint(key), lambda: sim.sensor(key))
        each(lambda: sim.reset(key), lambda: sim.model.set(key, 1), lambda: sim.model.side(key))
        each(lambda: sim._body(key), lambda: sim.model.pair(key, 0))


@case
def set_to_nonsense() -> None:
    model = uptack.Model("stack:2")
    for path in ("box1.mass", "option.dt", "option", ".", "box1.", ".mass", "a.b.c", "box1.pos"):
        for value in ("", "x", np.nan, -1, 1e400, [1] * 1000, [], None, "1 2 3 4 5 6 7", "\0"):
            each(lambda: model.set(path, value))
    uptack.Sim(model).step()


@case
def core_model_functions_with_wrong_sizes() -> None:
    compiled = uptack.Model("stack:2")._compiled
    wrong = (None, np.zeros(0), np.zeros(3), np.zeros(1000), b"", b"x" * 7)
    for a in wrong:
        for b in wrong:
            each(lambda: compiled.map("integrate", a, b, 1.0, np.zeros(14)), lambda: compiled.map("difference", a, b, 1.0, np.zeros(12)))
            each(lambda: compiled.map("normalize", a, None, 1.0, b), lambda: compiled.map("x", a, b, np.nan, a))
    each(lambda: compiled.pair_law(-1, 0), lambda: compiled.pair_law(0, 99), lambda: compiled.side(-1), lambda: compiled.side(10**6))
    each(lambda: compiled.find("x", "y"), lambda: _core.elements(compiled, "x"), lambda: _core.elements(3, "body"))


@case
def core_sim_functions_with_wrong_sizes() -> None:
    sim = uptack.Sim("stack:2")
    for bad in (np.zeros(0), np.zeros(5), b"abc", None, np.zeros(3, dtype="i4"), memoryview(bytearray(8))):
        each(lambda: sim._poses("body", bad, bad), lambda: sim._poses("geom", bad, bad), lambda: sim._sensors(bad))
        each(lambda: sim._set(0.0, bad, bad), lambda: sim._certify(1e-8, bad))
    frozen = np.zeros((3, 3))
    frozen.flags.writeable = False
    each(lambda: sim._poses("body", frozen, np.zeros((3, 4))))
    each(lambda: sim._body(-1), lambda: sim._body(3), lambda: sim._reset(99), lambda: sim._reset(-2))


@case
def core_types_cannot_be_made() -> None:
    for kind in (_core.Block, _core.Compiled, _core.Batch, _core.Recorder):
        each(lambda: kind(), lambda: kind.__new__(kind), lambda: object.__new__(kind))


@case
def base_sim_with_wrong_arguments() -> None:
    each(lambda: _core.Sim(), lambda: _core.Sim(3), lambda: _core.Sim(None), lambda: _core.Sim(uptack.Model("stack:2")))
    compiled = uptack.Model("stack:2")._compiled
    each(lambda: _core.Sim(compiled, dt="x"), lambda: _core.Sim(compiled, budget=-5), lambda: _core.Sim(compiled, directions=-1))
    each(lambda: _core.Sim(compiled, directions=7, formulation="stewart-trinkle").step(), lambda: _core.Sim(compiled, tolerance=np.nan))
    each(lambda: _core.Sim(compiled, solver="x" * 100000), lambda: _core.Sim(compiled, on_uncertified="x" * 10000))
    sim = _core.Sim(compiled)
    sim.step()


@case
def mechanics_with_wrong_arguments() -> None:
    for sim in (uptack.Sim.__new__(uptack.Sim), uptack.Sim("quad")):
        for bad in (None, "x", [1], [np.nan] * 3, np.zeros(0), -1, 10**9, [1e308] * 3):
            each(lambda: sim.pick(bad, [0, 0, 1]), lambda: sim.pick([0, 0, 1], bad), lambda: sim.pick([0, 0, 9], [0, 0, -1], bad))
            each(lambda: sim.hold(1, bad, [0, 0, 1]), lambda: sim.hold(bad, [0, 0, 0], [0, 0, 1]), lambda: sim.jacobian(bad))
            each(lambda: sim.jacobian(0, bad), lambda: sim.inverse_dynamics(bad), lambda: sim._mass(bad), lambda: sim._jacobian(1, [0, 0, 0], bad))
        each(lambda: sim.reactions, lambda: sim.mass_matrix, lambda: sim.step(), lambda: sim.reactions)


@case
def contacts_before_and_after_everything() -> None:
    sim = uptack.Sim("stack:2")
    sim.contacts
    each(lambda: sim.certificate, lambda: sim.report, lambda: sim.result, lambda: sim.problem(), lambda: sim.certify())
    sim.step()
    sim.q[2] += 0.5
    each(lambda: sim.contacts, lambda: sim.certificate, lambda: sim.report)
    sim.step()
    sim.coulomb()
    each(lambda: sim.contacts, lambda: sim.report, lambda: sim.certificate, lambda: sim.problem(), lambda: sim.certify())
    sim.step()
    sim.reset()
    each(lambda: sim.contacts, lambda: sim.report, lambda: sim.problem(), lambda: sim.certify())


@case
def reports_with_parts() -> None:
    sim = uptack.Sim("stack:3", formulation="hybrid")
    sim.q[16] += 0.05
    for _ in range(60):
        each(lambda: sim.step())
        each(lambda: sim.report, lambda: sim.contacts, lambda: sim.certify(), lambda: sim.certify(np.zeros((99, 3))))


@case
def uncertified_steps_and_their_reports() -> None:
    for policy in ("raise", "flag", "keep"):
        sim = uptack.Sim("stack:3", tolerance=1e-300, on_uncertified=policy)
        sim.v[0] = 0.3
        for _ in range(5):
            each(lambda: sim.step(), lambda: sim.report, lambda: sim.contacts, lambda: sim.problem(), lambda: sim.coulomb())


@case
def without_certificates() -> None:
    sim = uptack.Sim("stack:3", certify=False)
    sim.step(n=3)
    each(lambda: sim.certificate, lambda: sim.certify(), lambda: sim.run(0.01), lambda: sim.energy_ledger)


@case
def threads_on_one_sim() -> None:
    sim = uptack.Sim("wall:4:4")
    sim.step()

    def work(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(200):
            call = chance.choice([
                lambda: sim.step(), lambda: sim.q.__setitem__(0, sim.q[0]), lambda: sim.contacts, lambda: sim.save(),
                lambda: sim.reset(), lambda: sim.hash, lambda: sim.report, lambda: sim.ctrl, lambda: sim.coulomb(),
                lambda: sim.force.__setitem__(0, 1e-9), lambda: sim.certificate, lambda: sim.copy(), lambda: sim.problem(),
            ])  # fmt: skip
            each(call)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@case
def threads_on_one_model() -> None:
    model = uptack.Model("wall:3:3")

    def work() -> None:
        for _ in range(10):
            sim = uptack.Sim(model)
            sim.step(n=2)
            model.set("option.dt", 0.002)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@case
def sims_in_cycles() -> None:
    for _ in range(20):
        sim = uptack.Sim("stack:2")
        sim.me = sim  # type: ignore[attr-defined]
        sim.step()
        sim.view = sim.q  # type: ignore[attr-defined]
        del sim
    gc.collect()


@case
def subclasses_with_a_destructor() -> None:
    kept = []

    class Mine(uptack.Sim):
        def __del__(self) -> None:
            kept.append(self)
            each(lambda: self.step())

    for _ in range(5):
        Mine("stack:2").step()
    gc.collect()
    for sim in kept:
        each(lambda: sim.step())


@case
def batches_with_wrong_sizes() -> None:
    batch = uptack.Batch("quad", 3, threads=2)
    nu = batch.model.nu
    for bad in (np.zeros(0), np.zeros(5), np.zeros((4, nu)), "x", [[1]], np.full((3, nu), np.nan), None):
        each(lambda: batch.step(bad), lambda: batch.step(bad, 3, each_step=True), lambda: batch.set(q=bad), lambda: batch.set(v=bad))
    each(lambda: batch.step(n=0), lambda: batch.step(n=-1), lambda: batch.step(n=3, every=-1), lambda: batch.step(every=5))
    each(lambda: batch.set(q=batch.q, rows=[7]), lambda: batch.set(q=batch.q[:1], rows=[-1]), lambda: batch.reset(rows=[99]))
    each(lambda: batch.step(skip=[True]), lambda: batch.step(skip=[True, False]), lambda: batch.message(9), lambda: batch.to_sim(9))
    each(lambda: batch.step(outputs=("x",)), lambda: batch.reset(key="x"), lambda: batch.from_sim(1, uptack.Sim("stack:2")))
    each(lambda: batch.reset(rows=[0, 0, 0, 0, 0]), lambda: batch.set(q=batch.q, rows=[0, 0, 0]))
    batch.reset()
    batch.step(n=2)


@case
def batches_that_are_too_large() -> None:
    each(lambda: uptack.Batch("stack:2", 0), lambda: uptack.Batch("stack:2", -1), lambda: uptack.Batch("stack:2", 2, threads=10**6))
    each(lambda: uptack.Batch("stack:2", 2, threads=-2), lambda: uptack.Batch("stack:2", 2, nonsense=1))
    each(lambda: uptack.Batch("stack:2", 2, formulation="x"))


@case
def core_batch_with_wrong_arguments() -> None:
    batch = uptack.Batch("quad", 2)._batch
    none5, none8 = (None,) * 5, (None,) * 8
    each(lambda: batch.step(1, False, 0, (), None, ()), lambda: batch.step(1, False, 0, none5, b"", none8))
    each(lambda: batch.step(1, False, 0, (b"x",) + none5[1:], None, none8), lambda: batch.step(2**30, True, 0, none5, b"abc", none8))
    each(lambda: batch.step(1, False, 0, none5, None, (bytearray(3),) + none8[1:]), lambda: batch.read("q", bytearray(4)))
    each(lambda: batch.read("x", bytearray(4)), lambda: batch.read("q", b"abc"), lambda: batch.set(10**6, None, None, None, None, None))
    each(lambda: batch.reset(-5, None, None), lambda: batch.set(2, b"abc", None, None, None, None), lambda: batch.to_sim(0, 3))


@case
def batches_with_dead_rows() -> None:
    batch = uptack.Batch("stack:3", 4, tolerance=1e-300)
    v = np.zeros((4, batch.model.nv))
    v[1, 0] = 0.3
    batch.set(v=v)
    for _ in range(3):
        batch.step(n=5, every=1, outputs=("time", "q", "v", "act", "sensordata", "energy", "body_pos", "body_quat"))
        [batch.message(i) for i in range(4)]
    batch.reset(rows=~batch.ok)


@case
def rollouts_with_wrong_sizes() -> None:
    model = uptack.Model("quad")
    state = np.r_[uptack.Sim(model).q, uptack.Sim(model).v]
    for states in (state, state[:-1], np.r_[0, state], np.full((2, len(state)), np.nan), [], [[]]):
        for controls in (None, np.zeros((2, model.nu)), np.zeros((2, 3, model.nu)), np.zeros(3), np.zeros((1, 0, model.nu))):
            each(lambda: uptack.rollout(model, states, controls, steps=2, threads=2))


@case
def lcps_with_wrong_sizes() -> None:
    each(lambda: lcp.solve([[1, 2], [3, 4]], [1]), lambda: lcp.solve([], []), lambda: lcp.solve(np.zeros((0, 0)), []))
    each(lambda: lcp.solve([[1]], [1], findex=[5]), lambda: lcp.solve([[1]], [1], findex=[0]), lambda: lcp.solve([[1]], [1], free=9))
    each(lambda: lcp.solve([[1]], [1], lo=[2], hi=[1]), lambda: lcp.solve([[1]], [1], start=[1, 2]), lambda: lcp.solve([[1]], [1], cover=[0]))
    each(lambda: lcp.all_solutions(np.eye(20), np.ones(20)), lambda: lcp.all_solutions(np.eye(2), [1, 1], room=-1))
    each(lambda: lcp.Warm(0), lambda: lcp.Warm(-5), lambda: lcp.family("fathi", 0), lambda: lcp.family("x", 3), lambda: lcp.family("fathi", 10**9))


@case
def core_lcp_with_wrong_arguments() -> None:
    good = (2, np.eye(2), np.ones(2), 0, None, None, None)
    for bad in ((), (2,), (3, *good[1:]), (-1, *good[1:]), (2**31 - 1, *good[1:]), (2, None, None, 0, None, None, None), (2, *good[1:3], -7, *good[4:])):
        each(lambda: _core.lcp_slack(bad, np.ones(2), np.ones(2)), lambda: _core.lcp_all(bad, 1e-10, 10))
    each(lambda: _core.lcp_slack(good, np.ones(1), np.ones(2)), lambda: _core.lcp_slack(good, np.ones(2), b"0" * 16))
    arguments = ["auto", np.zeros(2), 1e-10, 0, 1.0, False, True, False, None, None, None, False]
    for i in range(len(arguments)):
        for bad_value in (None, "x", -1, np.zeros(1), object()):
            changed = arguments[:i] + [bad_value] + arguments[i + 1 :]
            each(lambda: _core.lcp_solve(good, *changed))


@case
def warm_starts_of_other_kinds() -> None:
    each(lambda: _core.lcp_solve((1, np.eye(1), np.ones(1), 0, None, None, None), "pivot", np.zeros(1), 1e-10, 0, 1.0, False, True, False, None, None, object(), False))
    form = coulomb.scene("ramp").with_sections(("inscribed", 4, 0.0)).polyhedral()
    each(lambda: _core.lcp_solve((1, np.eye(1), np.ones(1), 0, None, None, None), "pivot", np.zeros(1), 1e-10, 0, 1.0, False, True, False, None, None, form._form, False))
    each(lambda: _core.polyhedral_impulses(lcp.Warm(3)._capsule, np.zeros(3), np.zeros(3)), lambda: form.impulses([1]))
    warm = lcp.Warm(4)
    for seed in range(5):
        lcp.solve(*[getattr(lcp.family("spd", 4, seed)[0], k) for k in ("M", "q")], solver="pivot", warm=warm, same_matrix=seed % 2 == 1)


@case
def callbacks_that_misbehave() -> None:
    def grows(z: np.ndarray) -> Any:
        return np.zeros(3), np.zeros((3, 3))

    for function in (lambda z: None, lambda z: (1,), lambda z: (z, z), grows, lambda z: 1 / 0, 3, lambda: 0, lambda z: ([np.nan], [[1]])):
        try:
            lcp.solve_nonlinear(function, 1)  # type: ignore[arg-type]
        except (*EXPECTED, ZeroDivisionError):
            pass


@case
def friction_problems_with_wrong_sizes() -> None:
    good = coulomb.scene("stack", 2, bodies=True)._fields
    for name in list(good):
        for bad in (None, b"", b"1234", np.zeros(1), -1, 10**6, 2**31 - 1, "x", [], np.full(4096, -1, dtype=np.intc), np.full(64, 2**30, dtype=np.intc)):
            fields = {**good, name: bad}
            each(lambda: _core.coulomb_judge(fields, np.zeros(24), None, False), lambda: _core.coulomb_print(fields, None))
            each(lambda: _core.coulomb_solve(fields, "nsgs", np.zeros(24), 1e-8, 3, False, None, False, True, "auto", False, 0.0, 1.0, 0.0, 0.0))
    for name in ("W", "q", "W_start", "W_column", "mu"):
        local = coulomb.Problem(W=np.eye(3), q=np.ones(3), mu=0.5, contacts=1)._fields
        for bad in (None, b"", np.zeros(1), np.full(64, 2**30, dtype=np.intc), np.arange(4, dtype=np.intc), np.full(4, np.nan)):
            fields = {**local, name: bad}
            each(lambda: _core.coulomb_judge(fields, np.zeros(3), np.zeros(3), True), lambda: _core.coulomb_unique(fields, np.zeros(3), 1e-8))


@case
def friction_texts_of_garbage() -> None:
    chance = random.Random(4)
    problem = coulomb.scene("ramp")
    good = problem.text(problem.solve().r)
    for _ in range(200):
        bad = list(good)
        for _ in range(3):
            bad[chance.randrange(len(bad))] = chr(chance.randrange(32, 127))
        each(lambda: coulomb.parse("".join(bad))[0].solve(max_iterations=5))


@case
def laws_of_nonsense() -> None:
    for section in (("circle", 0, 0.0), ("inscribed", 8, 0.1), ("circumscribed", 6, np.nan), ("rolling", 0, 0.0), ("x", 1, 1.0), ("inscribed", 3, 0.0), ("inscribed", 10**6, 0.0)):
        for a in ([1, 2], [1, 2, 3], [np.nan] * 3, [1] * 6, "abc", None, [1e308] * 3):
            contact = law.Law(0.5, section)  # type: ignore[arg-type]
            for name in ("excess", "project", "derivative", "shift", "shifted", "support", "support_point", "gauge", "error_degenerate"):
                each(lambda: getattr(contact, name)(a))
            each(lambda: contact.error(a, a, 0), lambda: contact.error(a, a, np.nan), lambda: law.impact(np.eye(3), a, mu=-1))
    each(lambda: law.impact(np.eye(5), np.ones(5)), lambda: law.impact([[np.nan]], [1]), lambda: _core.law("x", ("circle", 0, 0.0), 1, 0, 0, 0, [1, 2, 3], None, 1, 1))


@case
def copies_of_everything() -> None:
    sim = uptack.Sim("quad")
    sim.step(n=3)
    things = [sim, sim.model, sim.certificate, sim.report, sim.contacts, sim.coulomb(), sim.settings, sim.model.bodies]
    for thing in things:
        copy.copy(thing)
        copy.deepcopy(thing)
        each(lambda: pickle.loads(pickle.dumps(thing)))
    each(lambda: pickle.dumps(sim._compiled), lambda: copy.copy(sim._compiled), lambda: pickle.dumps(_core.Sim(sim._compiled)))


@case
def pickles_of_other_states() -> None:
    sim = uptack.Sim("stack:2")
    function, arguments = sim.__reduce__()
    each(lambda: function(*arguments[:3], b"garbage", arguments[4]), lambda: function(uptack.Sim, uptack.Model("stack:5"), *arguments[2:]))
    each(lambda: function(*arguments[:4], {}))


@case
def showing_reprs_of_everything() -> None:
    sim = uptack.Sim("quad")
    sim.step()
    stack = uptack.Sim("stack:2").coulomb()
    for thing in (sim, sim.model, sim.certificate, sim.report, sim.body(1), sim.joint(0), stack, stack.solve(), uptack.Batch("quad", 2), lcp.solve([[1]], [-1])):
        assert repr(thing)
    dir(sim), dir(sim.model), vars(sim)
    [getattr(sim, name) for name in dir(sim) if not name.startswith("__") and not callable(getattr(type(sim), name, None))]


@case
def many_sims_come_and_go() -> None:
    sims: list[Any] = [None] * 20
    chance = random.Random(5)
    for _ in range(200):
        i = chance.randrange(20)
        sims[i] = uptack.Sim(chance.choice(["stack:2", "stack:3", "quad"])) if sims[i] is None else None
        if sims[i] is not None:
            sims[i].step()


class Abuse(unittest.TestCase):
    def test_there_are_at_least_fifty_cases(self) -> None:
        self.assertGreaterEqual(len(CASES), 50)

    def test_every_case_ends(self) -> None:
        for function in CASES:
            with self.subTest(case=function.__name__):
                if "-v" in sys.argv:
                    print(function.__name__, flush=True)
                function()


if __name__ == "__main__":
    unittest.main()
