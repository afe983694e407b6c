#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Remakes the figures that our tests compare with, NAME.expect beside NAME.xml
// or NAME.urdf, by MuJoCo:
//
//   tools/deps oracle                                      puts it in build/oracle, the FOLDER below; or
//   npm install --prefix FOLDER @mujoco/mujoco@3.14.0
//   tools/mujoco-oracle.mjs FOLDER                         writes all of them
//   tools/mujoco-oracle.mjs FOLDER MODEL.xml...            some of them
//   tools/mujoco-oracle.mjs FOLDER --check [MODEL.xml...]  writes nothing; says which would change
//
// test/io/models get the compiled model (read by test/io/test_oracle.c), test/oracle/models the
// masses and, in some states, kinematics and dynamics without constraints (test/oracle/motion.c),
// test/oracle/traps what tools/mujoco-traps.mjs says (test/oracle/traps.c), test/oracle/runs a run
// with contacts (test/oracle/belt.c).
// All numbers have 17 digits, so they come back as they were.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { trap } from './mujoco-traps.mjs';

const VERSION = '3.14.0';
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const MODEL = /\.(xml|urdf)$/;
const STATES = 3; // of each model: as it is modelled and at rest, then some at random

function fail(message, code = 1) {
  console.error(`mujoco-oracle: ${message}`);
  process.exit(code);
}

// ---- MuJoCo -------------------------------------------------------------------------------------

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
    fail(`this is MuJoCo ${mujoco.mj_versionString()}; the figures are those of ${VERSION}: ` +
      `npm install --prefix ${folder} @mujoco/mujoco@${VERSION}`);
  }
  return mujoco;
}

// MuJoCo sees files in memory alone: give it all that lie beside the model and below.
function loadModel(mujoco, file) {
  const vfs = new mujoco.MjVFS();
  const beside = path.dirname(file);
  for (const name of fs.readdirSync(beside, { recursive: true })) {
    const at = path.join(beside, name);
    if (MODEL.test(name) && fs.statSync(at).isFile()) {
      vfs.addBuffer(name.split(path.sep).join('/'), new Uint8Array(fs.readFileSync(at)));
    }
  }
  try {
    return mujoco.MjModel.from_xml_path(path.basename(file), vfs);
  } catch (error) {
    fail(`${file}: ${error.message ?? error}`);
  } finally {
    vfs.delete();
  }
}

// ---- numbers ------------------------------------------------------------------------------------

// As C's %.17g, with -0 as 0.
function number(x) {
  if (x === 0) {
    return '0';
  }
  const [, sign, first, rest, power] = /^(-?)(\d)\.?(\d*)e([+-]\d+)$/.exec(x.toExponential(16));
  const e = Number(power);
  const digits = (first + rest).replace(/0+$/, '');
  if (e < -4 || e >= 17) {
    const more = digits.length > 1 ? '.' + digits.slice(1) : '';
    return `${sign}${digits[0]}${more}e${e < 0 ? '-' : '+'}${String(Math.abs(e)).padStart(2, '0')}`;
  }
  if (e < 0) {
    return `${sign}0.${'0'.repeat(-e - 1)}${digits}`;
  }
  const whole = digits.slice(0, e + 1).padEnd(e + 1, '0');
  return sign + whole + (digits.length > e + 1 ? '.' + digits.slice(e + 1) : '');
}

export function line(name, numbers) {
  return [name, ...Array.from(numbers, number)].join(' ') + '\n';
}

// Row i of an array with `width` numbers a row.
export function row(array, i, width) {
  return array.subarray(i * width, (i + 1) * width);
}

// The matrix of a quaternion, by rows. MuJoCo's principal axes are units to some 1e-14 only.
function matrix(q) {
  const norm = Math.hypot(...q);
  const [w, x, y, z] = Array.from(q, (part) => part / norm);
  return [
    [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
  ];
}

// Inertia of a body about its centre of mass along its own axes, R diag R': xx yy zz xy xz yz.
export function inertia(m, body) {
  const R = matrix(row(m.body_iquat, body, 4));
  const moment = row(m.body_inertia, body, 3);
  const at = (i, j) => moment.reduce((sum, I, k) => sum + R[i][k] * I * R[j][k], 0);
  return [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)];
}

// ---- the compiled model -------------------------------------------------------------------------

const FREE = 0, BALL = 1; // of jnt_type, before slide and hinge
const PLANE = 0; // of geom_type

function compiledJoint(m, j) {
  const type = m.jnt_type[j];
  const dof = m.jnt_dofadr[j];
  const q = m.jnt_qposadr[j];
  const say = (what, numbers) => line(`joint ${j} ${what}`, numbers);
  let text = say('type', [type]);
  if (type !== FREE) {
    text += say('pos', row(m.jnt_pos, j, 3));
  }
  if (type > BALL) {
    text += say('axis', row(m.jnt_axis, j, 3));
  }
  if (type !== FREE) {
    text += say('range', row(m.jnt_range, j, 2));
  }
  if (type > BALL) {
    text += say('ref', [m.qpos0[q]]) + say('springref', [m.qpos_spring[q]]);
  }
  return text + say('stiffness', [m.jnt_stiffness[j]]) + say('damping', [m.dof_damping[dof]]) +
    say('armature', [m.dof_armature[dof]]) + say('frictionloss', [m.dof_frictionloss[dof]]);
}

function compiledActuator(m, a) {
  const say = (what, numbers) => line(`actuator ${a} ${what}`, numbers);
  const gain = m.actuator_gainprm[a * (m.actuator_gainprm.length / m.nu)];
  const bias = row(m.actuator_biasprm, a, m.actuator_biasprm.length / m.nu);
  const affine = m.actuator_biastype[a] !== 0; // else the numbers are there and not used
  return say('joint', [m.actuator_trnid[2 * a]]) + say('gear', [m.actuator_gear[6 * a]]) +
    say('gains', [gain, affine ? bias[1] : 0, affine ? bias[2] : 0]) +
    say('ctrlrange', row(m.actuator_ctrlrange, a, 2)) +
    say('forcerange', row(m.actuator_forcerange, a, 2));
}

function compiledKey(m, k) {
  const say = (what, numbers) => line(`key ${k} ${what}`, numbers);
  return say('time', [m.key_time[k]]) + say('qpos', row(m.key_qpos, k, m.nq)) +
    say('qvel', row(m.key_qvel, k, m.nv)) + say('ctrl', row(m.key_ctrl, k, m.nu)) +
    say('mpos', row(m.key_mpos, k, 3 * m.nmocap)) + say('mquat', row(m.key_mquat, k, 4 * m.nmocap));
}

function compiledBody(m, b) {
  const say = (what, numbers) => line(`body ${b} ${what}`, numbers);
  const massless = m.body_mass[b] === 0;
  return say('parent', [m.body_parentid[b]]) + say('pos', row(m.body_pos, b, 3)) +
    say('quat', row(m.body_quat, b, 4)) + say('mass', [m.body_mass[b]]) +
    (massless ? '' : say('com', row(m.body_ipos, b, 3)) + say('inertia', inertia(m, b)));
}

function compiledGeom(m, g) {
  const say = (what, numbers) => line(`geom ${g} ${what}`, numbers);
  return say('type', [m.geom_type[g]]) + say('body', [m.geom_bodyid[g]]) +
    (m.geom_type[g] === PLANE ? '' : say('size', row(m.geom_size, g, 3))) +
    say('pos', row(m.geom_pos, g, 3)) +
    say('quat', row(m.geom_quat, g, 4)) + say('friction', [m.geom_friction[3 * g]]) +
    say('margin', [m.geom_margin[g]]) +
    say('masks', [m.geom_contype[g], m.geom_conaffinity[g], m.geom_priority[g], m.geom_group[g]]);
}

function compiled(mujoco, file) {
  const m = loadModel(mujoco, file);
  const each = (count, from, say) =>
    Array.from({ length: count - from }, (_, i) => say(m, i + from)).join('');
  return `# MuJoCo ${VERSION} says of ${path.basename(file)}: its compiled model, inertia about ` +
    "the centre along the body's axes\n" +
    line('model 0 counts', [m.nbody, m.njnt, m.ngeom, m.nu, m.nkey, m.nq, m.nv, m.nmocap,
      m.nexclude]) +
    line('option 0 dt', [m.opt.timestep]) + line('option 0 gravity', m.opt.gravity) +
    each(m.nbody, 1, compiledBody) + each(m.njnt, 0, compiledJoint) +
    each(m.ngeom, 0, compiledGeom) + each(m.nu, 0, compiledActuator) +
    each(m.nkey, 0, compiledKey);
}

// ---- states -------------------------------------------------------------------------------------

// Numbers between -1 and 1, always the same ones (the MINSTD generator).
export function randoms(seed) {
  let x = seed;
  return () => {
    x = (x * 48271) % 2147483647;
    return 2 * (x / 2147483647) - 1;
  };
}

export function putRandom(array, size, next) {
  for (let i = 0; i < array.length; i++) {
    array[i] = size * next();
  }
}

function putQuaternion(array, at, next) {
  const q = [next(), next(), next(), next()];
  const norm = Math.hypot(...q);
  q.forEach((x, i) => (array[at + i] = x / norm));
}

function putPositions(m, d, next) {
  for (let j = 0; j < m.njnt; j++) {
    const q = m.jnt_qposadr[j];
    const type = m.jnt_type[j];
    if (type === FREE) {
      for (let i = 0; i < 3; i++) {
        d.qpos[q + i] = m.qpos0[q + i] + next();
      }
      putQuaternion(d.qpos, q + 3, next);
    } else if (type === BALL) {
      putQuaternion(d.qpos, q, next);
    } else {
      d.qpos[q] = m.qpos0[q] + next();
    }
  }
  for (let i = 0; i < m.nmocap; i++) {
    row(d.mocap_pos, i, 3).forEach((x, k) => (d.mocap_pos[3 * i + k] = x + 0.5 * next()));
    putQuaternion(d.mocap_quat, 4 * i, next);
  }
}

// State 0 is as modelled and at rest, without forces; the others are at random.
export function putState(mujoco, m, d, index) {
  mujoco.mj_resetData(m, d);
  if (index === 0) {
    return;
  }
  const next = randoms(1000 + index);
  putPositions(m, d, next);
  putRandom(d.qvel, 3, next);
  putRandom(d.ctrl, 2, next);
  putRandom(d.qfrc_applied, 2, next);
  putRandom(d.xfrc_applied, 2, next);
  // a wrench acts at the centre of mass, which not all have
  for (let b = 0; b < m.nbody; b++) {
    if (m.body_mass[b] === 0) {
      d.xfrc_applied.fill(0, 6 * b, 6 * b + 6);
    }
  }
}

// ---- motion -------------------------------------------------------------------------------------

// A result of MuJoCo that it writes to a buffer.
export function filled(mujoco, size, fill) {
  const buffer = new mujoco.DoubleBuffer(size);
  fill(buffer);
  const numbers = Array.from(buffer.GetView());
  buffer.delete();
  return numbers;
}

// Rows of the bodies that have mass; MuJoCo's centres of the others are without meaning.
export function massive(m, array, width) {
  return Array.from({ length: m.nbody }, (_, b) => b).filter((b) => m.body_mass[b] > 0)
    .flatMap((b) => Array.from(row(array, b, width)));
}

// Velocity of the origin and angular velocity, world; MuJoCo has the angular one first.
function bodyVelocities(mujoco, m, d) {
  const all = [];
  for (let b = 0; b < m.nbody; b++) {
    const v = filled(mujoco, 6, (buffer) =>
      mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_XBODY.value, b, buffer, 0));
    all.push(...v.slice(3), ...v.slice(0, 3));
  }
  return all;
}

function inputs(d) {
  return line('q', d.qpos) + line('v', d.qvel) + line('ctrl', d.ctrl) +
    line('mocap_pos', d.mocap_pos) + line('mocap_quat', d.mocap_quat) +
    line('force', d.qfrc_applied) + line('wrench', d.xfrc_applied);
}

function state(mujoco, m, d, index) {
  putState(mujoco, m, d, index);
  mujoco.mj_forward(m, d);
  if (d.nefc !== 0 || d.ncon !== 0) {
    fail('there are constraints in what should have none');
  }
  mujoco.mj_energyPos(m, d);
  mujoco.mj_energyVel(m, d);
  let text = `state ${index}\n` + inputs(d) + line('body_pos', d.xpos) +
    line('body_mat', d.xmat) + line('body_com', massive(m, d.xipos, 3)) +
    line('geom_pos', d.geom_xpos) + line('geom_mat', d.geom_xmat) +
    line('velocity', bodyVelocities(mujoco, m, d)) +
    line('M', filled(mujoco, m.nv * m.nv, (M) => mujoco.mj_fullM(m, d, M))) +
    line('bias', d.qfrc_bias) + line('passive', d.qfrc_passive) +
    line('actuator', d.qfrc_actuator) + line('acceleration', d.qacc) +
    line('energy', d.energy);
  // M a + bias without armature, for some other acceleration
  putRandom(d.qacc, 5, randoms(2000 + index));
  text += line('a', d.qacc) +
    line('inverse', filled(mujoco, m.nv, (tau) => mujoco.mj_rne(m, d, 1, tau)));
  return text;
}

function motion(mujoco, file) {
  const m = loadModel(mujoco, file);
  m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT.value;
  const d = new mujoco.MjData(m);
  let text = `# MuJoCo ${VERSION} says of ${path.basename(file)}, without constraints; whole ` +
    'arrays, by body, geom, joint velocity\n' +
    line('counts', [m.nbody, m.njnt, m.ngeom, m.nu, m.nmocap, m.nq, m.nv]) +
    line('mass', m.body_mass) + line('com', massive(m, m.body_ipos, 3)) +
    line('inertia', Array.from({ length: m.nbody }, (_, b) => inertia(m, b)).flat());
  for (let i = 0; i < STATES; i++) {
    text += state(mujoco, m, d, i);
  }
  d.delete();
  m.delete();
  return text;
}

// ---- all of it ----------------------------------------------------------------------------------

function trapped(mujoco, file) {
  const m = loadModel(mujoco, file);
  const text = `# MuJoCo ${VERSION} says of ${path.basename(file)}; whole arrays, by body, geom, joint velocity\n` +
    trap(mujoco, m, file);
  m.delete(); // MuJoCo's memory in Node does not hold all models at once
  return text;
}

// A run with contacts: the state every tenth of a second, and the way that a belt slipped under body 1.
const RUN_TIME = 2, RUN_ROWS = 20;

function run(mujoco, file) {
  const m = loadModel(mujoco, file);
  const d = new mujoco.MjData(m);
  const steps = Math.round(RUN_TIME / RUN_ROWS / m.opt.timestep);
  const belt = m.geom_surfacevel[0];
  let text = `# MuJoCo ${VERSION} runs ${path.basename(file)}: times; then positions, velocities, slipped way\n` +
    line('counts', [m.nq, m.nv, RUN_ROWS]);
  let slipped = 0;
  for (let k = 0; k < RUN_ROWS; k++) {
    for (let i = 0; i < steps; i++) {
      mujoco.mj_step(m, d);
      slipped += m.opt.timestep * (belt - d.qvel[0]);
    }
    text += `state ${k}\n` + line('time', [d.time]) + line('qpos', d.qpos) + line('qvel', d.qvel) +
      line('slipped', [slipped]);
  }
  d.delete();
  m.delete();
  return text;
}

const KINDS = [
  { folder: path.join(ROOT, 'test/io/models'), make: compiled, all: false },
  { folder: path.join(ROOT, 'test/oracle/models'), make: motion, all: true },
  { folder: path.join(ROOT, 'test/oracle/traps'), make: trapped, all: true },
  { folder: path.join(ROOT, 'test/oracle/runs'), make: run, all: true },
];

// Models of the folders; in test/io some have other tests, and no .expect.
function everyModel() {
  return KINDS.flatMap(({ folder, all }) => fs.readdirSync(folder).sort()
    .filter((name) => MODEL.test(name))
    .map((name) => path.join(folder, name))
    .filter((file) => all || fs.existsSync(file.replace(MODEL, '.expect'))));
}

function remake(mujoco, file, check) {
  const kind = KINDS.find(({ folder }) => path.dirname(path.resolve(file)) === folder);
  if (kind === undefined) {
    fail(`${file} lies in none of test/io/models, test/oracle/models, test/oracle/traps and test/oracle/runs`, 2);
  }
  const expect = file.replace(MODEL, '.expect');
  const text = kind.make(mujoco, file);
  const same = fs.existsSync(expect) && fs.readFileSync(expect, 'utf8') === text;
  if (!same) {
    console.log(`${path.relative(ROOT, path.resolve(expect))} ${check ? 'differs' : 'written'}`);
  }
  if (!same && !check) {
    fs.writeFileSync(expect, text);
  }
  return same;
}

const words = process.argv.slice(2);
const check = words.includes('--check');
const [folder, ...files] = words.filter((word) => word !== '--check');
if (folder === undefined || words.some((word) => word.startsWith('--') && word !== '--check')) {
  fail('usage: tools/mujoco-oracle.mjs FOLDER [--check] [MODEL.xml...]; FOLDER is where\n' +
    `  npm install --prefix FOLDER @mujoco/mujoco@${VERSION}\nput the package`, 2);
}
const mujoco = await loadMujoco(folder);
const models = files.length > 0 ? files : everyModel();
const same = models.filter((file) => remake(mujoco, file, check)).length;
console.log(`${models.length} models, ${same} unchanged`);
process.exit(check && same < models.length ? 1 : 0);
