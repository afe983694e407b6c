// SPDX-License-Identifier: Apache-2.0
// The figures of test/oracle/traps, for tools/mujoco-oracle.mjs: masses, limits and keyframes of a model,
// then frames, forces, lengths, sensors, equalities and contact pairs in two states, constraints on.
import { filled, inertia, line, massive, putRandom, putState, randoms, row } from './mujoco-oracle.mjs';

const FREE = 0, BALL = 1; // of jnt_type
const HINGE_OR_SLIDE = 2; // and above, of jnt_type
const MESH = 7, HFIELD = 1; // of geom_type
const EQUALITY_WELD = 1; // of eq_type
const LIMIT_OF_JOINT = 3; // of efc_type
const STAGE_ACCELERATION = 3; // of sensor_needstage

function each(count, say) {
  return Array.from({ length: count }, (_, i) => say(i)).flat();
}

// Sizes are meant for shapes that have nothing else.
function sizes(m) {
  return each(m.ngeom, (g) => (m.geom_type[g] <= HFIELD || m.geom_type[g] === MESH
    ? [0, 0, 0] : Array.from(row(m.geom_size, g, 3))));
}

function ofModel(m) {
  return line('counts', [m.nbody, m.njnt, m.ngeom, m.nsite, m.nu, m.na, m.nmocap, m.nq, m.nv, m.ntendon,
    m.neq, m.nsensor, m.nkey]) +
    line('mass', m.body_mass.subarray(1)) + line('com', massive(m, m.body_ipos, 3)) +
    line('inertia', each(m.nbody - 1, (b) => inertia(m, b + 1))) + line('geom_size', sizes(m)) +
    line('ctrlrange', m.actuator_ctrlrange) + line('forcerange', m.actuator_forcerange) +
    line('key_q', m.key_qpos) + line('key_v', m.key_qvel) + line('key_ctrl', m.key_ctrl) +
    line('key_pos', m.key_mpos) + line('key_quat', m.key_mquat);
}

// The package cannot read whether a joint has a limit, so turn the joint far beyond its range and look for
// the constraint. Of each joint: 1 and its range, or zeros.
function limits(mujoco, m, d) {
  return each(m.njnt, (j) => {
    const q = m.jnt_qposadr[j];
    const range = Array.from(row(m.jnt_range, j, 2));
    mujoco.mj_resetData(m, d);
    if (m.jnt_type[j] === BALL) {
      d.qpos.set([0, 1, 0, 0], q);
    } else if (m.jnt_type[j] !== FREE) {
      d.qpos[q] = range[1] + 1;
    }
    mujoco.mj_forward(m, d);
    const found = each(d.nefc, (i) => (d.efc_type[i] === LIMIT_OF_JOINT && d.efc_id[i] === j ? [1] : []));
    return found.length > 0 ? [1, ...range] : [0, 0, 0];
  });
}

// These do not depend on the bodies into which others are merged.
function ofJoints(mujoco, m, d) {
  return line('dofs', [m.nq, m.nv]) + line('limits', limits(mujoco, m, d)) +
    line('q0', m.qpos0) + line('armature', m.dof_armature) + line('friction', m.dof_frictionloss);
}

// Pairs of geoms within their margins (MuJoCo lists those within the gap too), each once, with condim and the friction that this condim has.
function pairs(d) {
  const found = new Map();
  for (let i = 0; i < d.ncon; i++) {
    const c = d.contact.get(i);
    if (c.exclude !== 0) {
      continue;
    }
    const [a, b] = [c.geom1, c.geom2].sort((x, y) => x - y);
    const mu = Array.from(c.friction);
    found.set(1e6 * a + b, [a, b, c.dim, c.dim >= 3 ? mu[0] : 0, c.dim >= 4 ? mu[2] : 0,
      c.dim >= 6 ? mu[3] : 0]);
  }
  return [...found.keys()].sort((x, y) => x - y).map((key) => found.get(key));
}

// Errors of the active equalities; of a weld's rotation the sine of half its angle.
function equalities(m, d) {
  return each(m.neq, (e) => {
    const rows = each(d.nefc, (i) => (d.efc_type[i] === 0 && d.efc_id[i] === e ? [d.efc_pos[i]] : []));
    return m.eq_type[e] === EQUALITY_WELD && rows.length === 6
      ? [...rows.slice(0, 3), Math.hypot(...rows.slice(3))] : rows;
  });
}

// Of hinges and slides.
function axes(m, array) {
  return each(m.njnt, (j) => (m.jnt_type[j] >= HINGE_OR_SLIDE ? Array.from(row(array, j, 3)) : []));
}

// Sensors of positions and velocities; the others need a step. Of the two quaternions of a rotation the one
// with w > 0.
function sensors(m, d) {
  return each(m.nsensor, (s) => {
    const at = m.sensor_adr[s];
    const value = Array.from(d.sensordata.subarray(at, at + m.sensor_dim[s]));
    const sign = value.length === 4 && value[0] < 0 ? -1 : 1;
    return m.sensor_needstage[s] >= STAGE_ACCELERATION ? [] : value.map((x) => sign * x);
  });
}

function frames(m, d) {
  return line('body_pos', d.xpos) + line('body_mat', d.xmat) +
    line('body_com', massive(m, d.xipos, 3)) + line('geom_pos', d.geom_xpos) +
    line('geom_mat', d.geom_xmat) + line('site_pos', d.site_xpos) + line('site_mat', d.site_xmat);
}

function state(mujoco, m, d, index, merged) {
  putState(mujoco, m, d, index);
  d.qfrc_applied.fill(0);
  d.xfrc_applied.fill(0);
  putRandom(d.act, index, randoms(3000 + index));
  mujoco.mj_forward(m, d);
  const touching = pairs(d);
  return `state ${index}\n` + line('q', d.qpos) + line('v', d.qvel) + line('ctrl', d.ctrl) +
    line('act', d.act) + line('mocap_pos', d.mocap_pos) + line('mocap_quat', d.mocap_quat) +
    (merged ? '' : frames(m, d)) + line('anchor', axes(m, d.xanchor)) + line('axis', axes(m, d.xaxis)) +
    line('M', filled(mujoco, m.nv * m.nv, (M) => mujoco.mj_fullM(m, d, M))) +
    line('bias', d.qfrc_bias) + line('passive', d.qfrc_passive) +
    line('tendon_length', d.ten_length) + line('actuator_length', d.actuator_length) +
    line('actuator_force', d.actuator_force) + line('actuator', d.qfrc_actuator) +
    line('sensor', sensors(m, d)) + line('equality', equalities(m, d)) +
    line('touching', [touching.length]) + (merged ? '' : line('pairs', touching.flat()));
}

// uptack keeps the bodies and geoms that MuJoCo merges or drops in these.
const MERGED = /\.urdf$|compiler-fusestatic|compiler-discardvisual/;

export function trap(mujoco, m, file) {
  const merged = MERGED.test(file);
  const d = new mujoco.MjData(m);
  const text = (merged ? '' : ofModel(m)) + ofJoints(mujoco, m, d) +
    state(mujoco, m, d, 0, merged) + state(mujoco, m, d, 1, merged);
  d.delete();
  return text;
}
