// SPDX-License-Identifier: Apache-2.0
// Rapier (npm: @dimforge/rapier3d-compat, single precision): 4 small steps per step; hinges as
// constraints between bodies ("default") or in generalized coordinates ("multibody").
import { classes, multiply, rotate, subtract } from './scene.mjs';

const vector = ([x, y, z]) => ({ x, y, z });
const rotation = ([w, x, y, z]) => ({ w, x, y, z });
const FIXED = 1, MOVING = 2; // collision groups
const UPRIGHT = [Math.SQRT1_2, Math.SQRT1_2, 0, 0]; // capsules are along y there, along z here

function shapeOf(R, geom) {
  const [a, b, c] = geom.size;
  if (geom.kind === 'sphere') {
    return R.ColliderDesc.ball(a);
  }
  if (geom.kind === 'box') {
    return R.ColliderDesc.cuboid(a, b, c);
  }
  return geom.kind === 'capsule' ? R.ColliderDesc.capsule(b, a) :
    new R.ColliderDesc(new R.HalfSpace(vector(rotate(geom.quat, [0, 0, 1]))));
}

function addGeom(R, scene, geom, turned, meets, parent) {
  const fixed = geom.body < 0;
  const upright = geom.kind === 'capsule' ? multiply(turned, UPRIGHT) : turned;
  const desc = shapeOf(R, geom)
    .setTranslation(...geom.pos)
    .setRotation(rotation(geom.kind === 'plane' ? [1, 0, 0, 0] : upright))
    .setDensity(0)
    .setFriction(geom.mu)
    .setFrictionCombineRule(R.CoefficientCombineRule.Max)
    .setRestitution(0)
    .setCollisionGroups((fixed ? FIXED : MOVING) << 16 | (fixed ? MOVING : meets));
  scene.createCollider(desc, parent);
}

// Bodies begin with the axes of the world, and their shapes and inertias are turned instead, so that a
// hinge has the same axis in both bodies and the angle 0 at the start.
function addBody(R, scene, from) {
  const desc = R.RigidBodyDesc.dynamic()
    .setTranslation(...from.pos)
    .setLinvel(...from.velocity)
    .setAngvel(vector(from.angular))
    .setLinearDamping(0)
    .setAngularDamping(0)
    .setCanSleep(false)
    .setAdditionalMassProperties(from.mass, vector([0, 0, 0]), vector(from.inertia), rotation(from.quat));
  return scene.createRigidBody(desc);
}

function addHinge(R, scene, from, bodies, index, ground, multibody) {
  const parent = from.parent >= 0 ? bodies[from.parent] : ground;
  const origin = from.parent >= 0 ? from.parentPos : [0, 0, 0];
  const joint = R.JointData.revolute(vector(subtract(from.anchor, origin)),
    vector(subtract(from.anchor, from.pos)), vector(from.axis));
  const made = multibody ? scene.createMultibodyJoint(joint, parent, bodies[index], true) :
    scene.createImpulseJoint(joint, parent, bodies[index], true);
  made.setContactsEnabled(false);
  if (from.servo) {
    if (multibody) {
      throw new Error('it has no servos in generalized coordinates');
    }
    made.configureMotorModel(R.MotorModel.ForceBased);
    made.configureMotorPosition(from.target, from.kp, from.kd);
  }
}

export async function rapier(R) {
  await R.init();
  return (world, setting) => {
    const scene = new R.World(vector(world.gravity));
    scene.timestep = world.dt;
    const found = classes(world);
    const bodies = world.bodies.map((from) => addBody(R, scene, from));
    world.geoms.forEach((geom, i) => {
      const fixed = geom.body < 0;
      addGeom(R, scene, geom, fixed ? geom.quat : world.bodies[geom.body].quat, found[i],
        fixed ? undefined : bodies[geom.body]);
    });
    const ground = scene.createRigidBody(R.RigidBodyDesc.fixed());
    world.bodies.forEach((from, i) => {
      if (from.hinged) {
        const parentPos = from.parent >= 0 ? world.bodies[from.parent].pos : null;
        addHinge(R, scene, { ...from, parentPos }, bodies, i, ground, setting === 'multibody');
      }
    });
    // forces stay until they are taken away
    world.bodies.forEach((from, i) => bodies[i].addForce(vector(from.push), true));
    return {
      step() {
        scene.step();
      },
      read(out) {
        bodies.forEach((body, i) => {
          const p = body.translation(), r = body.rotation(), v = body.linvel(), w = body.angvel();
          out.set([p.x, p.y, p.z, ...multiply([r.w, r.x, r.y, r.z], world.bodies[i].quat),
            v.x, v.y, v.z, w.x, w.y, w.z], 13 * i);
        });
      },
      free() {
        scene.free();
      },
    };
  };
}
