#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// One engine of npm on one scene: bench_engines (node.c) starts this program and judges what it writes.
//
//   node FLAGS peers.mjs PACKAGES JOB.json OUT
//
// PACKAGES is the folder of node_modules. JOB.json holds the scene and how to run it (world_json.c).
// OUT.states gets one record of doubles per look of the judge:
//
//   steps so far, CPU seconds of all steps so far, 1 if the state one step earlier follows, else 0,
//   [13 numbers per body: the state one step earlier,] 13 numbers per body: the state
//
// and a body's numbers are position, quaternion (w x y z), velocity of the centre of mass, angular
// velocity, all in the world. OUT.json gets the outcome: { version, why, gave_up, repeats }.
// The flags of node.c keep the compiler and the collector of V8 on this thread, and the first steps of a
// world of their own come first, so that all of the WebAssembly is compiled when the clock starts: the CPU
// time of the process is then the CPU time of the steps.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { jolt } from './jolt.mjs';
import { mujoco } from './mujoco.mjs';
import { rapier } from './rapier.mjs';

const PACKAGES = { jolt: 'jolt-physics', mujoco: '@mujoco/mujoco', rapier: '@dimforge/rapier3d-compat' };
const ENGINES = { jolt, mujoco, rapier };
const NUMBERS = 13; // per body

// Packages with a main file for require and one for import: both work here.
async function load(folder, name) {
  const require = createRequire(path.resolve(folder, 'any.js'));
  const loaded = await import(pathToFileURL(require.resolve(name)).href);
  const version = JSON.parse(
    fs.readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
  return { module: loaded.default ?? loaded, version };
}

function now() {
  const { user, system } = process.cpuUsage();
  return 1e-6 * (user + system);
}

function finite(states) {
  return states.every(Number.isFinite);
}

// ---- the run that is judged ---------------------------------------------------------------------

class Recorder {
  constructor(file, bodies) {
    this.file = fs.openSync(file, 'w');
    this.before = new Float64Array(NUMBERS * bodies);
    this.after = new Float64Array(NUMBERS * bodies);
  }

  add(steps, seconds, pair) {
    fs.writeSync(this.file, new Float64Array([steps, seconds, pair ? 1 : 0]));
    if (pair) {
      fs.writeSync(this.file, this.before);
    }
    fs.writeSync(this.file, this.after);
  }
}

// As judged_run of run.c: looks every `stride` steps, and with some of them the state one step earlier.
function judgedRun(engine, job, recorder, outcome) {
  let seconds = 0;
  let look = 0;
  const advance = (count) => {
    const start = now();
    for (let k = 0; k < count; k++) {
      engine.step();
    }
    seconds += now() - start;
  };
  for (let steps = 0; steps < job.steps && !outcome.gave_up; look++) {
    const count = Math.min(job.stride, job.steps - steps);
    const pair = look % job.pair_every === 0;
    advance(count - 1);
    if (pair) {
      engine.read(recorder.before);
    }
    advance(1);
    steps += count;
    engine.read(recorder.after);
    recorder.add(steps, seconds, pair);
    outcome.gave_up = !finite(recorder.after);
    if (seconds > job.budget && steps < job.steps) {
      return { seconds, steps, whole: false };
    }
  }
  return { seconds, steps: job.steps, whole: !outcome.gave_up };
}

// Steps that do not count: so many that bodies have met, because their code is compiled when they do.
function warmUp(engine, job) {
  const start = now();
  const spent = () => now() - start;
  for (let k = 0; k < job.steps && (k < 100 || spent() < job.warm_up) && spent() < 2; k++) {
    engine.step();
  }
  engine.free();
}

// Seconds of whole runs that nobody looks at.
function repeats(create, job, first) {
  const times = [];
  const count = first.seconds > 1 ? 0 : job.repeats;
  for (let k = 0; k < count; k++) {
    const engine = create();
    const start = now();
    for (let step = 0; step < job.steps; step++) {
      engine.step();
    }
    times.push(now() - start);
    engine.free();
  }
  return times;
}

async function main() {
  const [packages, jobFile, out] = process.argv.slice(2);
  const job = JSON.parse(fs.readFileSync(jobFile, 'utf8'));
  const outcome = { version: '', why: '', gave_up: false, repeats: [] };
  try {
    const { module, version } = await load(packages, PACKAGES[job.engine]);
    outcome.version = version;
    const build = await ENGINES[job.engine](module);
    const create = () => build(job.world, job.setting);
    warmUp(create(), job);
    const engine = create();
    const first = judgedRun(engine, job, new Recorder(`${out}.states`, job.world.bodies.length), outcome);
    engine.free();
    outcome.repeats = first.whole ? repeats(create, job, first) : [];
  } catch (error) {
    outcome.gave_up = true;
    outcome.why = String(error?.message ?? error).split('\n')[0].slice(0, 90);
    if (process.env.UPTACK_BENCH_TRACE) {
      fs.writeFileSync(process.env.UPTACK_BENCH_TRACE, String(error?.stack));
    }
  }
  fs.writeFileSync(`${out}.json`, JSON.stringify(outcome));
  process.exit(0);
}

await main();
