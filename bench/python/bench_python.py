# SPDX-License-Identifier: Apache-2.0
"""What Python costs over C: time per step, instructions per call, and threads of rollouts.

    bench_python.py            times, least over many rounds
    bench_python.py --count    instructions per call too, counted by callgrind (a minute)
    bench_python.py --check    ends with 1 when a step costs more than 1 us over C

The C figure is that of build/bench/bench_python, which takes the same steps. Times are CPU times of the
thread, so that a loaded machine disturbs them little. Threads are measured twice: wall time, which needs
an idle machine, and CPU time per step with one and with two threads, whose ratio times two is what an idle
machine with two cores would give.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

import numpy as np
import uptack

ROOT = Path(__file__).resolve().parents[2]
SCENE, STEPS, ROUNDS = "quad", 2000, 30


def least(rounds: int, prepare: Callable[[], object], run: Callable[[], object]) -> float:
    """Least CPU time of the thread over rounds, s."""
    best = float("inf")
    for _ in range(rounds):
        prepare()
        start = time.thread_time()
        run()
        best = min(best, time.thread_time() - start)
    return best


def single_steps(sim: uptack.Sim, n: int) -> None:
    """n calls of one step each."""
    step = sim.step
    for _ in range(n):
        step()


def steps_of_c() -> float:
    """Time per step of the C program, s; NaN when it is not built."""
    program = ROOT / "build" / "bench" / "bench_python"
    if not program.exists():
        return float("nan")
    done = subprocess.run([str(program), SCENE, str(STEPS), str(ROUNDS)], capture_output=True, text=True, check=True)
    print("   C program:", done.stdout.strip())
    return float(done.stdout.split(":")[1].split()[0]) * 1e-6


def overhead() -> float:
    """Cost of a call over C, s: as rounds alternate, both see the same machine."""
    sim = uptack.Sim(SCENE)
    one = many = float("inf")
    for _ in range(ROUNDS):
        one = min(one, least(1, sim.reset, lambda: single_steps(sim, STEPS)))
        many = min(many, least(1, sim.reset, lambda: sim.step(n=STEPS)))
    one, many = one / STEPS, many / STEPS
    c = steps_of_c()
    print(f"   {SCENE}: {one * 1e6:.4f} us per call of step(), {many * 1e6:.4f} us per step of step(n={STEPS}), C {c * 1e6:.4f} us")
    print(f"   a call costs {1e6 * (one - many):.4f} us over the same loop in C, {1e6 * (one - c):.4f} us over the C program")
    return one - many


def count() -> float:
    """Instructions of a call over the same loop in C, counted by callgrind."""
    totals = []
    for code in ("for _ in range(1000): sim.step()", "sim.step(n=1000)"):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out")
            script = f"import uptack\nsim = uptack.Sim({SCENE!r})\n{code}"
            command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", sys.executable, "-c", script]
            env = {**os.environ, "PYTHONHASHSEED": "0"}
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
            totals.append(int(re.findall(r"Collected : (\d+)", done.stderr)[0]))
    per_call = (totals[0] - totals[1]) / 1000
    print(f"   {per_call:.0f} instructions per call over the same loop in C ({totals[0]} and {totals[1]} for 1000 steps)")
    return per_call


def threads() -> None:
    """Rollouts with one and two threads."""
    model = uptack.Model(SCENE)
    figures = {}
    for n in (1, 2):
        batch = uptack.Batch(model, 64, threads=n)
        wall = cpu = float("inf")
        for _ in range(7):
            batch.reset()
            start, used = time.perf_counter(), time.process_time()
            batch.step(n=50)
            wall, cpu = min(wall, time.perf_counter() - start), min(cpu, time.process_time() - used)
        figures[n] = (wall, cpu)
        print(f"   {n} threads: {wall * 1e3:.1f} ms wall, {cpu * 1e3:.1f} ms CPU for 64 x 50 steps; load {os.getloadavg()[0]:.1f}")
    print(f"   wall {figures[1][0] / figures[2][0]:.2f} times, by CPU time {2 * figures[1][1] / figures[2][1]:.2f} times of 2")


def main(words: list[str]) -> int:
    """All figures."""
    print("call overhead")
    cost = overhead()
    if "--count" in words and shutil.which("valgrind"):
        count()
    print("small calls")
    sim = uptack.Sim(SCENE)
    sim.step()
    for name, call in (
        ("sim.q", lambda: sim.q), ("sim.time", lambda: sim.time), ("sim.contacts", lambda: sim.contacts),
        ("sim.certificate", lambda: sim.certificate), ("sim.body(1).pos", lambda: sim.body(1).pos),
        ("sim.copy()", lambda: sim.copy()), ("numpy.asarray(sim.q)", lambda: np.asarray(sim.q)),
    ):  # fmt: skip
        spent = least(20, lambda: None, lambda: [call() for _ in range(100)]) / 100
        print(f"   {name:22} {spent * 1e6:8.3f} us")
    print("threads of a batch")
    threads()
    return 1 if "--check" in words and cost > 1e-6 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
