// SPDX-License-Identifier: Apache-2.0
// MuJoCo (npm: @mujoco/mujoco, compiled to WebAssembly): as bench/engines/mujoco.c drives the native one.
import { conjugate, multiply, rotate, subtract } from './scene.mjs';

const SETTINGS = {
  elliptic: 'cone="elliptic" solver="Newton"',
  pyramidal: 'cone="pyramidal" solver="Newton"',
  cg: 'cone="elliptic" solver="CG"',
};
// its XML reader takes no more levels in a file: deeper trees go on in the next one
const LEVELS = 60;

function geomsOf(world, body) {
  return world.geoms.filter((g) => g.body === body).map((g) => {
    const size = g.kind === 'plane' ? [10, 10, 1] : g.size;
    return `<geom type="${g.kind}" size="${size.join(' ')}" pos="${g.pos.join(' ')}" ` +
      `quat="${g.quat.join(' ')}" friction="${g.mu} 0 0" contype="${g.contype}" ` +
      `conaffinity="${g.conaffinity}" condim="${g.mu > 0 ? 3 : 1}"/>\n`;
  }).join('');
}

function jointOf(body, index) {
  if (!body.hinged) {
    return '<freejoint/>\n';
  }
  const at = rotate(conjugate(body.quat), subtract(body.anchor, body.pos));
  const axis = rotate(conjugate(body.quat), body.axis);
  return `<joint name="j${index}" type="hinge" pos="${at.join(' ')}" axis="${axis.join(' ')}" ` +
    `damping="${body.servo ? body.kd : 0}"/>\n`;
}

function bodyOf(world, index, level, files) {
  const body = world.bodies[index];
  const parent = body.parent >= 0 ? world.bodies[body.parent] : { pos: [0, 0, 0], quat: [1, 0, 0, 0] };
  const pos = rotate(conjugate(parent.quat), subtract(body.pos, parent.pos));
  const quat = multiply(conjugate(parent.quat), body.quat);
  let text = `<body name="b${index}" pos="${pos.join(' ')}" quat="${quat.join(' ')}">\n` +
    `<inertial pos="0 0 0" mass="${body.mass}" diaginertia="${body.inertia.join(' ')}"/>\n` +
    jointOf(body, index) + geomsOf(world, index);
  world.bodies.forEach((child, i) => {
    if (!child.hinged || child.parent !== index) {
      return;
    }
    if (level < LEVELS) {
      text += bodyOf(world, i, level + 1, files);
    } else {
      const name = `part${files.length}.xml`;
      const file = { name, text: '' };
      files.push(file);
      file.text = `<mujocoinclude>\n${bodyOf(world, i, 0, files)}</mujocoinclude>\n`;
      text += `<include file="${name}"/>\n`;
    }
  });
  return `${text}</body>\n`;
}

function filesOf(world, setting) {
  const files = [{ name: 'scene.xml', text: '' }];
  let bodies = '';
  world.bodies.forEach((body, i) => {
    if (body.parent < 0) {
      bodies += bodyOf(world, i, 0, files);
    }
  });
  const servos = world.bodies.map((body, i) =>
    (body.servo ? `<position joint="j${i}" kp="${body.kp}"/>\n` : '')).join('');
  files[0].text = `<mujoco>\n<compiler autolimits="false"/>\n<option timestep="${world.dt}" ` +
    `gravity="${world.gravity.join(' ')}" integrator="Euler" ${SETTINGS[setting]}/>\n<size memory="1G"/>\n` +
    `<worldbody>\n${geomsOf(world, -1)}${bodies}</worldbody>\n<actuator>\n${servos}</actuator>\n</mujoco>\n`;
  return files;
}

function load(M, world, setting) {
  const vfs = new M.MjVFS();
  for (const file of filesOf(world, setting)) {
    vfs.addBuffer(file.name, new TextEncoder().encode(file.text));
  }
  try {
    return M.MjModel.from_xml_path('scene.xml', vfs);
  } finally {
    vfs.delete();
  }
}

// Velocities of free bodies (angular ones in their own frame), targets and constant forces.
function start(world, model, data, ids) {
  world.bodies.forEach((body, i) => {
    const joint = model.body_jntadr[ids[i]];
    if (!body.hinged) {
      data.qvel.set(body.velocity, model.jnt_dofadr[joint]);
      data.qvel.set(rotate(conjugate(body.quat), body.angular), model.jnt_dofadr[joint] + 3);
    }
    data.xfrc_applied.set(body.push, 6 * ids[i]);
  });
  data.ctrl.set(world.bodies.filter((body) => body.servo).map((body) => body.target));
}

// The velocity of a body is given at the centre of mass of its tree.
function readBody(model, data, id, out, at) {
  const p = data.xpos.subarray(3 * id, 3 * id + 3);
  const root = model.body_rootid[id];
  const c = data.subtree_com.subarray(3 * root, 3 * root + 3);
  const [wx, wy, wz, vx, vy, vz] = data.cvel.subarray(6 * id, 6 * id + 6);
  const [rx, ry, rz] = [p[0] - c[0], p[1] - c[1], p[2] - c[2]];
  out.set(p, at);
  out.set(data.xquat.subarray(4 * id, 4 * id + 4), at + 3);
  out.set([vx + wy * rz - wz * ry, vy + wz * rx - wx * rz, vz + wx * ry - wy * rx, wx, wy, wz], at + 7);
}

export async function mujoco(module) {
  const M = await module();
  return (world, setting) => {
    const model = load(M, world, setting);
    const data = new M.MjData(model);
    const BODY = 1; // mjOBJ_BODY
    const ids = world.bodies.map((_, i) => M.mj_name2id(model, BODY, `b${i}`));
    start(world, model, data, ids);
    let steps = 0;
    return {
      step() {
        M.mj_step(model, data);
        steps++;
      },
      read(out) {
        // it starts anew by itself after numbers that are not finite: that is the end of a comparison
        if (Math.abs(data.time - steps * world.dt) > 0.5 * world.dt) {
          out.fill(NaN);
          return;
        }
        // a step leaves the places that it began with
        M.mj_kinematics(model, data);
        M.mj_comPos(model, data);
        M.mj_comVel(model, data);
        ids.forEach((id, i) => readBody(model, data, id, out, 13 * i));
      },
      free() {
        data.delete();
        model.delete();
      },
    };
  };
}
