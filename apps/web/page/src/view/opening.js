// SPDX-License-Identifier: Apache-2.0
// What the first frame of a model says about the drawing: the size of arrows and grids, and a good side to look from.
import { pointOfPose } from './matrices.js';
import { middleOf } from './reach.js';
import { anglesFor } from './rig.js';

/// The size from which arrows, bars and grids take theirs: that of a usual body, and not too little of the whole.
/// @param balls [x, y, z, r, ...] around what should be seen
export function unitOf(balls) {
    const whole = middleOf(balls)[3];
    const sizes = [];
    for (let i = 3; i < balls.length; i += 4) {
        if (balls[i] > 0) {
            sizes.push(balls[i]);
        }
    }
    sizes.sort((a, b) => a - b);
    const usual = sizes.length ? sizes[sizes.length >> 1] : 0.25 * whole;
    // the more bodies, the smaller each may be
    const least = 0.1 * Math.cbrt(Math.min(1, 32 / balls.length)) * whole;
    return Math.max(Math.min(Math.max(usual, least), 0.6 * whole || usual), 1e-9);
}

function extentAlong(balls, axis) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < balls.length; i += 4) {
        const x = balls[i] * axis[0] + balls[i + 1] * axis[1] + balls[i + 2] * axis[2];
        low = Math.min(low, x - balls[i + 3]);
        high = Math.max(high, x + balls[i + 3]);
    }
    return high - low;
}

// normals of planes that are not level, along the rig's east, north and up
function planeNormals(description, blocks, rig) {
    const normals = [];
    description.geoms.forEach((geom, k) => {
        if (geom.kind === 'plane') {
            const p = blocks.geom(k);
            const n = pointOfPose([0, 0, 0], blocks.data, p, 0, 0, 1).map((x, i) => x - blocks.data[p + i]);
            normals.push([rig.east, rig.north, rig.up].map((a) => a[0] * n[0] + a[1] * n[1] + a[2] * n[2]));
        }
    });
    return normals.filter((n) => n[2] < 0.999);
}

/// Turns the camera to a good side.
export function aim(rig, description, blocks, balls) {
    const extent = [extentAlong(balls, rig.east), extentAlong(balls, rig.north)];
    const tall = rig.size.height > 1.25 * rig.size.width;
    Object.assign(rig, anglesFor(extent, planeNormals(description, blocks, rig), tall));
}
