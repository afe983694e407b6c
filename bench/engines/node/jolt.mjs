// SPDX-License-Identifier: Apache-2.0
// Jolt (npm: jolt-physics, single precision): sequential impulses with a warm start; settings "it10" and
// "it50" are its velocity iterations, "slop0" allows no remaining penetration.
import { classes, meanFriction } from './scene.mjs';

const FIXED = 0; // object layers: 1 + class of a geom for the others
const LAYERS = 5;
const SETTINGS = {
  it10: { iterations: 10 },
  it50: { iterations: 50 },
  slop0: { iterations: 10, slop: 0 },
};

function layersOf(J) {
  const pairs = new J.ObjectLayerPairFilterTable(LAYERS);
  for (let a = 1; a < LAYERS; a++) {
    if (((a - 1) & 1) !== 0) {
      pairs.EnableCollision(FIXED, a);
    }
    for (let b = a; b < LAYERS; b++) {
      if (((a - 1) & 2) !== 0 && ((b - 1) & 2) !== 0) {
        pairs.EnableCollision(a, b);
      }
    }
  }
  const broad = new J.BroadPhaseLayerInterfaceTable(LAYERS, 2);
  for (let a = 0; a < LAYERS; a++) {
    broad.MapObjectToBroadPhaseLayer(a, new J.BroadPhaseLayer(a === FIXED ? 0 : 1));
  }
  return { pairs, broad, filter: new J.ObjectVsBroadPhaseLayerFilterTable(broad, 2, pairs, LAYERS) };
}

function open(J, world, setting) {
  const settings = new J.JoltSettings();
  const { pairs, broad, filter } = layersOf(J);
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = filter;
  // its limits of 10240 bodies and contacts are enough here, and its memory for a step is fixed
  settings.mMaxWorkerThreads = 0;
  const all = new J.JoltInterface(settings);
  J.destroy(settings);
  const system = all.GetPhysicsSystem();
  const physics = system.GetPhysicsSettings();
  physics.mNumVelocitySteps = SETTINGS[setting].iterations;
  physics.mPenetrationSlop = SETTINGS[setting].slop ?? physics.mPenetrationSlop;
  physics.mAllowSleeping = false;
  system.SetPhysicsSettings(physics);
  system.SetGravity(new J.Vec3(...world.gravity));
  return { all, system };
}

// ---- building -----------------------------------------------------------------------------------

const quat = (J, [w, x, y, z]) => new J.Quat(x, y, z, w);

function shapeOf(J, geom) {
  const [a, b] = geom.size;
  if (geom.kind === 'sphere') {
    return new J.SphereShape(a);
  }
  if (geom.kind === 'box') {
    // its default radius of 5 cm, where a box is large enough
    return new J.BoxShape(new J.Vec3(...geom.size), Math.min(0.05, ...geom.size));
  }
  if (geom.kind === 'capsule') {
    // along y there, along z here
    const upright = new J.Quat(Math.SQRT1_2, 0, 0, Math.SQRT1_2);
    const settings = new J.RotatedTranslatedShapeSettings(new J.Vec3(0, 0, 0), upright,
      new J.CapsuleShapeSettings(b, a));
    return settings.Create().Get();
  }
  return new J.PlaneShape(new J.Plane(new J.Vec3(0, 0, 1), 0), null, 1000);
}

function addGeom(J, system, world, index, layer, friction) {
  const geom = world.geoms[index];
  const fixed = geom.body < 0;
  const at = fixed ? geom : world.bodies[geom.body];
  const settings = new J.BodyCreationSettings(shapeOf(J, geom), new J.RVec3(...at.pos), quat(J, at.quat),
    fixed ? J.EMotionType_Static : J.EMotionType_Dynamic, layer);
  settings.mFriction = friction;
  settings.mRestitution = 0;
  settings.mAllowSleeping = false;
  settings.mLinearDamping = 0;
  settings.mAngularDamping = 0;
  settings.mMaxAngularVelocity = 1e6;
  if (!fixed) {
    settings.mLinearVelocity = new J.Vec3(...at.velocity);
    settings.mAngularVelocity = new J.Vec3(...at.angular);
    settings.mOverrideMassProperties = J.EOverrideMassProperties_MassAndInertiaProvided;
    settings.mMassPropertiesOverride.mMass = at.mass;
    settings.mMassPropertiesOverride.mInertia = J.Mat44.prototype.sScaleVec3(new J.Vec3(...at.inertia));
  }
  const body = system.GetBodyInterface().CreateBody(settings);
  system.GetBodyInterface().AddBody(body.GetID(), J.EActivation_Activate);
  J.destroy(settings);
  return body;
}

function perpendicular([x, y, z]) {
  const other = Math.abs(x) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const cross = [y * other[2] - z * other[1], z * other[0] - x * other[2], x * other[1] - y * other[0]];
  const length = Math.hypot(...cross);
  return cross.map((c) => c / length);
}

// The servo is its own position motor: a spring of stiffness kp and damping kd, solved implicitly.
function addHinge(J, all, system, from, parent, child) {
  const settings = new J.HingeConstraintSettings();
  const anchor = new J.RVec3(...from.anchor);
  const axis = new J.Vec3(...from.axis);
  const normal = new J.Vec3(...perpendicular(from.axis));
  settings.mSpace = J.EConstraintSpace_WorldSpace;
  settings.mPoint1 = settings.mPoint2 = anchor;
  settings.mHingeAxis1 = settings.mHingeAxis2 = axis;
  settings.mNormalAxis1 = settings.mNormalAxis2 = normal;
  const made = settings.Create(parent ?? all.sGetFixedToWorldBody(), child);
  const hinge = J.castObject(made, J.HingeConstraint);
  system.AddConstraint(made);
  if (from.servo) {
    const spring = hinge.GetMotorSettings().mSpringSettings;
    spring.mMode = J.ESpringMode_StiffnessAndDamping;
    spring.mStiffness = from.kp;
    spring.mDamping = from.kd;
    hinge.SetMotorState(J.EMotorState_Position);
    hinge.SetTargetAngle(from.target);
  }
}

// ---- the driver ---------------------------------------------------------------------------------

export async function jolt(module) {
  const J = await module();
  return (world, setting) => {
    const { all, system } = open(J, world, setting);
    const found = classes(world);
    const friction = meanFriction(world);
    const body = [];
    world.geoms.forEach((geom, i) => {
      const made = addGeom(J, system, world, i, geom.body < 0 ? FIXED : 1 + found[i], friction[i]);
      if (geom.body >= 0) {
        body[geom.body] = made;
      }
    });
    world.bodies.forEach((from, i) => {
      if (from.hinged) {
        addHinge(J, all, system, from, body[from.parent], body[i]);
      }
    });
    system.OptimizeBroadPhase();
    const pushed = world.bodies.map((from, i) => ({ body: body[i], push: new J.Vec3(...from.push),
      any: from.push.some((x) => x !== 0) })).filter((p) => p.any);
    return {
      step() {
        for (const p of pushed) {
          p.body.AddForce(p.push);
        }
        all.Step(world.dt, 1);
      },
      read(out) {
        body.forEach((b, i) => {
          const p = b.GetCenterOfMassPosition();
          out.set([p.GetX(), p.GetY(), p.GetZ()], 13 * i);
          const q = b.GetRotation();
          out.set([q.GetW(), q.GetX(), q.GetY(), q.GetZ()], 13 * i + 3);
          const v = b.GetLinearVelocity();
          out.set([v.GetX(), v.GetY(), v.GetZ()], 13 * i + 7);
          const w = b.GetAngularVelocity();
          out.set([w.GetX(), w.GetY(), w.GetZ()], 13 * i + 10);
        });
      },
      free() {
        J.destroy(all);
      },
    };
  };
}
