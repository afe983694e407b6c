#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Runs the robots of test/robots/robots.txt in MuJoCo (docs/robots.md):
//
//   npm install --prefix FOLDER @mujoco/mujoco@3.14.0   (FOLDER outside the repository)
//   tools/mujoco-robots.mjs FOLDER DATA                 5 s on the floor: how deep feet are, how fast bases creep
//   tools/mujoco-robots.mjs FOLDER DATA --free          writes test/robots/free_motion.txt: motion without contact
//   tools/mujoco-robots.mjs FOLDER DATA --load FILE...  CPU time to load models below DATA/models, the best of 5
//
// DATA is the folder that UPTACK_DATA names.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const VERSION = '3.14.0';
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const DURATION = 5, WINDOW = 1, SETTLED = 0.1; // s, as in test/robots/robots_on_floors.c
const SWING = 0.5; // m/s and rad/s: velocities at the start of free motion, with alternating signs
const FREE_STEPS = 25, FINER = 16; // of free motion: steps, and how much shorter the others are

function fail(message, code = 1) {
  console.error(`mujoco-robots: ${message}`);
  process.exit(code);
}

async function loadMujoco(folder) {
  let found;
  try {
    found = createRequire(path.resolve(folder, 'any.js')).resolve('@mujoco/mujoco');
  } catch {
    fail(`no package @mujoco/mujoco in ${folder}; run: ` +
      `npm install --prefix ${folder} @mujoco/mujoco@${VERSION}`);
  }
  const mujoco = await (await import(pathToFileURL(found).href)).default();
  if (mujoco.mj_versionString() !== VERSION) {
    fail(`this is MuJoCo ${mujoco.mj_versionString()}; the figures are those of ${VERSION}`);
  }
  return mujoco;
}

// MuJoCo sees files in memory alone: give it all that lie beside the model and below.
function filesBeside(mujoco, file, folder = '') {
  const vfs = new mujoco.MjVFS();
  const beside = path.dirname(file);
  for (const name of fs.readdirSync(beside, { recursive: true })) {
    const at = path.join(beside, name);
    if (fs.statSync(at).isFile()) {
      vfs.addBuffer(folder + name.split(path.sep).join('/'), new Uint8Array(fs.readFileSync(at)));
    }
  }
  return vfs;
}

function loadModel(mujoco, file) {
  const vfs = filesBeside(mujoco, file);
  const model = mujoco.MjModel.from_xml_path(path.basename(file), vfs);
  vfs.delete();
  return model;
}

function readRobots() {
  return fs.readFileSync(path.join(ROOT, 'test/robots/robots.txt'), 'utf8').split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/\s+/))
    .map(([file, key, free]) => ({ file, key, free }));
}

// The keyframe with its controls, or the modelled pose.
function reset(mujoco, m, d, key) {
  if (key === '-') {
    mujoco.mj_resetData(m, d);
  } else {
    mujoco.mj_resetDataKeyframe(m, d, mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_KEY.value, key));
  }
}

// ---- on the floor -------------------------------------------------------------------------------

// The depth of the deepest contact, m.
function deepest(d) {
  const contacts = d.contact;
  let depth = 0;
  for (let i = 0; i < d.ncon; i++) {
    const contact = contacts.get(i);
    depth = Math.max(depth, -contact.dist);
    contact.delete();
  }
  contacts.delete();
  return depth;
}

function runOnFloor(mujoco, data, { file, key }) {
  const m = loadModel(mujoco, path.join(data, 'models', file));
  const d = new mujoco.MjData(m);
  const base = () => Array.from(d.xpos.subarray(3, 6));
  const figures = { depth: 0, mean: 0, end: 0 };
  let from = [0, 0, 0], settled = 0;
  reset(mujoco, m, d, key);
  const steps = Math.round(DURATION / m.opt.timestep);
  const window = Math.round(WINDOW / m.opt.timestep);
  for (let i = 1; i <= steps; i++) {
    mujoco.mj_step(m, d);
    figures.end = deepest(d);
    if (d.time > SETTLED) {
      figures.depth = Math.max(figures.depth, figures.end);
      figures.mean += (figures.end - figures.mean) / ++settled;
    }
    if (i === steps - window) {
      mujoco.mj_kinematics(m, d);
      from = base();
    }
  }
  mujoco.mj_kinematics(m, d);
  figures.creep = Math.hypot(...base().map((x, k) => x - from[k])) / WINDOW;
  figures.height = base()[2];
  d.delete();
  m.delete();
  return figures;
}

function printFloors(mujoco, data, robots) {
  console.log(`MuJoCo ${VERSION}: depth of contacts after ${SETTLED} s, m; mean speed of the base ` +
    `over the last ${WINDOW} s, mm/s; its height at the end, m`);
  for (const robot of robots) {
    const f = runOnFloor(mujoco, data, robot);
    console.log(`${robot.file.padEnd(56)} depth ${f.depth.toExponential(1)} mean ` +
      `${f.mean.toExponential(1)} end ${f.end.toExponential(1)} creep ` +
      `${(1000 * f.creep).toExponential(1)} mm/s height ${f.height.toFixed(4)}`);
  }
}

// ---- free motion --------------------------------------------------------------------------------

// Positions after FREE_STEPS time steps of the model, made of `finer` steps each.
function moveFreely(mujoco, m, robot, finer) {
  const d = new mujoco.MjData(m);
  const dt = m.opt.timestep;
  reset(mujoco, m, d, robot.key);
  if (robot.free === 'lifted') {
    d.qpos[2] += 1;
  }
  d.qvel.forEach((_, i) => (d.qvel[i] = i % 2 === 0 ? SWING : -SWING));
  m.dof_frictionloss.fill(0); // because it is soft
  m.opt.timestep = dt / finer;
  for (let i = 0; i < FREE_STEPS * finer; i++) {
    mujoco.mj_step(m, d);
    if (d.ncon > 0) {
      console.error(`${robot.file}: a contact at ${d.time} s`);
      break;
    }
  }
  m.opt.timestep = dt;
  const q = Array.from(d.qpos);
  d.delete();
  return q;
}

function writeFree(mujoco, data, robots) {
  let text = `# Made by tools/mujoco-robots.mjs: MuJoCo ${VERSION} gives these positions after ${FREE_STEPS} time\n` +
    `# steps of the model, and after as long with steps ${FINER} times shorter. A robot, its keyframe and whether\n` +
    `# it is lifted by 1 m; its velocities begin with ${SWING}, -${SWING}, ${SWING} ...; then two lines of positions.\n`;
  for (const robot of robots.filter(({ free }) => free !== '-')) {
    const m = loadModel(mujoco, path.join(data, 'models', robot.file));
    text += `${robot.file} ${robot.key} ${robot.free}\n`;
    for (const finer of [1, FINER]) {
      text += moveFreely(mujoco, m, robot, finer).map((x) => x.toPrecision(15)).join(' ') + '\n';
    }
    m.delete();
  }
  fs.writeFileSync(path.join(ROOT, 'test/robots/free_motion.txt'), text);
}

// ---- loading ------------------------------------------------------------------------------------

// Seconds of CPU, all threads, to compile a model whose files are in memory: the best of 5. Each
// load has a folder of its own, because MuJoCo keeps decoded files by name.
function printLoads(mujoco, data, files) {
  for (const file of files) {
    const at = path.join(data, 'models', file);
    let best = Infinity;
    for (let i = 0; i < 5; i++) {
      const vfs = filesBeside(mujoco, at, `load${i}/`);
      const start = process.cpuUsage();
      mujoco.MjModel.from_xml_path(`load${i}/${path.basename(at)}`, vfs).delete();
      const used = process.cpuUsage(start);
      best = Math.min(best, (used.user + used.system) / 1e6);
      vfs.delete();
    }
    console.log(`${file.padEnd(56)} ${best.toFixed(4)}`);
  }
}

const words = process.argv.slice(2);
const [folder, data, mode, ...files] = words;
if (data === undefined || (mode !== undefined && mode !== '--free' && mode !== '--load')) {
  fail('usage: tools/mujoco-robots.mjs FOLDER DATA [--free | --load FILE...]; FOLDER is where\n' +
    `  npm install --prefix FOLDER @mujoco/mujoco@${VERSION}\nput the package`, 2);
}
const mujoco = await loadMujoco(folder);
if (mode === '--load') {
  printLoads(mujoco, data, files);
} else {
  (mode === '--free' ? writeFree : printFloors)(mujoco, data, readRobots());
}
