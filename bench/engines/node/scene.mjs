// SPDX-License-Identifier: Apache-2.0
// Questions about a scene that several drivers ask.

// Quaternions are [w, x, y, z] as in the scene.
export function multiply([aw, ax, ay, az], [bw, bx, by, bz]) {
  return [aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw];
}

export function conjugate([w, x, y, z]) {
  return [w, -x, -y, -z];
}

export function rotate(q, [x, y, z]) {
  return multiply(multiply(q, [0, x, y, z]), conjugate(q)).slice(1);
}

export function subtract(a, b) {
  return a.map((x, k) => x - b[k]);
}

export function collides(a, b) {
  return (a.contype & b.conaffinity) !== 0 || (b.contype & a.conaffinity) !== 0;
}

function linked(world, a, b) {
  const hangs = (child, parent) => world.bodies[child].hinged && world.bodies[child].parent === parent;
  return a.body >= 0 && b.body >= 0 && (hangs(a.body, b.body) || hangs(b.body, a.body));
}

// What a geom meets: 0 nothing, 1 geoms of the world, 2 bodies, 3 both. Engines filter by such classes,
// so a scene with other exceptions, or with a shape off its body's centre, is refused.
export function classes(world) {
  const { geoms } = world;
  const pair = (a, b) => a.body !== b.body && !linked(world, a, b) && collides(a, b);
  const found = geoms.map((g) => (geoms.some((o) => o.body < 0 && pair(g, o)) ? 1 : 0) |
    (geoms.some((o) => o.body >= 0 && pair(g, o)) ? 2 : 0));
  geoms.forEach((a, i) => geoms.forEach((b, j) => {
    if (j <= i || a.body === b.body || linked(world, a, b)) {
      return;
    }
    const meets = (one, other) => (found[one] & (geoms[other].body < 0 ? 1 : 2)) !== 0;
    if ((meets(i, j) && meets(j, i)) !== pair(a, b)) {
      throw new Error('some pairs do not collide in a way that this driver cannot express');
    }
  }));
  if (world.bodies.some((b) => b.hinged) && found.some((c, i) => geoms[i].body >= 0 && (c & 2) !== 0)) {
    throw new Error('bodies on hinges collide with each other');
  }
  if (geoms.some((g) => g.body >= 0 && (Math.hypot(...g.pos) > 1e-12 || Math.abs(g.quat[0]) < 1 - 1e-12))) {
    throw new Error("a shape is off its body's centre");
  }
  return found;
}

// Friction of each geom for an engine that takes the geometric mean of two, where the larger of the two is
// wanted. With several coefficients a scene is a slab on the world with bodies on the slab: the slab's
// follows from the world's, and that of the bodies from the slab's.
export function meanFriction(world) {
  const { geoms } = world;
  if (geoms.every((g) => g.mu === geoms[0].mu)) {
    return geoms.map((g) => g.mu);
  }
  const size = (g) => Math.max(...g.size);
  const ground = geoms.find((g) => g.body < 0);
  const slab = geoms.filter((g) => g.body >= 0).reduce((a, b) => (size(b) > size(a) ? b : a));
  const ofSlab = Math.max(ground.mu, slab.mu) ** 2 / ground.mu;
  const own = (g) => (g.body < 0 ? g.mu : g === slab ? ofSlab : Math.max(g.mu, slab.mu) ** 2 / ofSlab);
  return geoms.map(own);
}
