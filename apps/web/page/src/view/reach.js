// SPDX-License-Identifier: Apache-2.0
// How far things reach: radii of geoms about their origins, the moving set in a frame, and the ends of bars.
import { isMoving } from './colours.js';
import { pointOfPose } from './matrices.js';

function furthest(vertices) {
    let most = 0;
    for (let i = 0; i < vertices.length; i += 3) {
        most = Math.max(most, vertices[i] ** 2 + vertices[i + 1] ** 2 + vertices[i + 2] ** 2);
    }
    return Math.sqrt(most);
}

/// The radius of a ball about a geom's origin that holds it; Infinity for planes.
export function geomRadius(description, geom) {
    const [x = 0, y = 0, z = 0] = geom.size ?? [];
    switch (geom.kind) {
        case 'plane':
            return Infinity;
        case 'sphere':
            return x;
        case 'capsule':
            return x + y;
        case 'cylinder':
            return Math.hypot(x, y);
        case 'box':
            return Math.hypot(x, y, z);
        case 'ellipsoid':
            return Math.max(x, y, z);
        case 'heights': {
            const { size, data } = description.heights[geom.heights];
            return Math.hypot(
                size[0],
                size[1],
                data.reduce((most, h) => Math.max(most, Math.abs(h)), 0),
            );
        }
        default:
            return furthest(meshOf(description, geom).vertices);
    }
}

/// The triangles of a geom of kind "mesh" or "hull".
export function meshOf(description, geom) {
    const mesh = description.meshes?.[geom.mesh];
    return mesh
        ? mesh.triangles
            ? mesh
            : mesh.hull
        : { vertices: new Float32Array(0), triangles: new Uint32Array(0) };
}

/// The lowest group of each body's geoms, by body.
export function leastGroups(description) {
    const least = new Map();
    for (const { body, group = 0 } of description.geoms) {
        least.set(body, Math.min(group, least.get(body) ?? Infinity));
    }
    return least;
}

/// The groups of geoms that are drawn: 0 to 2, and those without which a body would not be seen.
export function defaultGroups(description) {
    const groups = [true, true, true, false, false, false];
    for (const group of leastGroups(description).values()) {
        groups[group] = true;
    }
    return groups;
}

/// Joints, sites and children's joints between which the bars of a body without geoms are drawn.
/// @return [{body, ends: [{joint}|{site}|{at: point in the body}], massive}]
export function barsOf(description) {
    const { bodies, joints, sites, pins = [] } = description;
    const bars = [];
    bodies.forEach((body, index) => {
        if (index === 0 || body.geoms > 0 || !isMoving(body)) {
            return;
        }
        const pinned = (joint) => joint.kind === 'hinge' || joint.kind === 'ball';
        const ends = [];
        joints.forEach((joint, k) => {
            if (pinned(joint) && (joint.body === index || bodies[joint.body].parent === index)) {
                ends.push({ joint: k });
            }
        });
        for (const { body1, body2, point1, point2 } of pins) {
            if (body1 === index || body2 === index) {
                ends.push({ at: body1 === index ? point1 : point2 });
            }
        }
        sites?.forEach((site, k) => {
            if (site.body === index) {
                ends.push({ site: k });
            }
        });
        bars.push({ body: index, ends, massive: body.mass > 0 });
    });
    return bars;
}

const at = [0, 0, 0];

/// The ends of a bar in a frame, without repetitions; a single one is mirrored at the centre of mass.
/// @param out receives x y z of each @return their number, 0: the body is a point
export function endsOf(bar, blocks, out) {
    const d = blocks.data,
        com = blocks.body(bar.body) + 7;
    let n = 0;
    const add = (x, y, z) => {
        for (let k = 0; k < n; k++) {
            if (Math.hypot(out[3 * k] - x, out[3 * k + 1] - y, out[3 * k + 2] - z) < 1e-9) {
                return;
            }
        }
        out[3 * n] = x;
        out[3 * n + 1] = y;
        out[3 * n + 2] = z;
        n++;
    };
    for (const end of bar.ends) {
        if (end.at) {
            pointOfPose(at, d, blocks.body(bar.body), end.at[0], end.at[1], end.at[2]);
            add(at[0], at[1], at[2]);
        } else {
            const p = end.joint !== undefined ? blocks.joint(end.joint) : blocks.site(end.site);
            add(d[p], d[p + 1], d[p + 2]);
        }
    }
    const far = n === 1 ? Math.hypot(d[com] - out[0], d[com + 1] - out[1], d[com + 2] - out[2]) : 1;
    if (n === 1 && far <= 1e-9) {
        return 0;
    }
    if (n === 1 && bar.massive) {
        add(2 * d[com] - out[0], 2 * d[com + 1] - out[1], 2 * d[com + 2] - out[2]);
    }
    return bar.massive ? n : 0;
}

const ends = new Float64Array(192);

/// Balls that hold what should be seen: moving geoms and bars, their feet on planes below, and small fixed geoms
/// near them. @return [x, y, z, r, ...]
export function ballsToSee(description, blocks, radii, up) {
    const d = blocks.data,
        balls = [],
        fixed = [];
    description.geoms.forEach((geom, k) => {
        const p = blocks.geom(k);
        if (radii[k] === Infinity) {
            return;
        }
        (isMoving(description.bodies[geom.body]) ? balls : fixed).push(d[p], d[p + 1], d[p + 2], radii[k]);
    });
    for (const bar of barsOf(description)) {
        const n = endsOf(bar, blocks, ends),
            com = blocks.body(bar.body) + 7;
        for (let k = 0; k < n; k++) {
            balls.push(ends[3 * k], ends[3 * k + 1], ends[3 * k + 2], 0);
        }
        if (n === 0) {
            balls.push(d[com], d[com + 1], d[com + 2], 0);
        }
    }
    return addSurroundings(description, blocks, balls.length ? balls : fixed, balls.length ? fixed : [], up);
}

function addSurroundings(description, blocks, balls, fixed, up) {
    const middle = middleOf(balls),
        d = blocks.data;
    const near = Math.max(3 * middle[3], 0.02);
    for (let i = 0; i < fixed.length; i += 4) {
        const far = Math.hypot(fixed[i] - middle[0], fixed[i + 1] - middle[1], fixed[i + 2] - middle[2]);
        if (fixed[i + 3] < near && far < 2 * near) {
            balls.push(fixed[i], fixed[i + 1], fixed[i + 2], fixed[i + 3]);
        }
    }
    description.geoms.forEach((geom, k) => {
        if (geom.kind !== 'plane') {
            return;
        }
        // the foot of the middle on the plane, along up
        const p = blocks.geom(k),
            n = pointOfPose([0, 0, 0], d, p, 0, 0, 1).map((x, i) => x - d[p + i]);
        const slope = n[0] * up[0] + n[1] * up[1] + n[2] * up[2];
        const above = n[0] * (middle[0] - d[p]) + n[1] * (middle[1] - d[p + 1]) + n[2] * (middle[2] - d[p + 2]);
        const fall = above / slope;
        if (slope > 0.3 && fall > 0 && fall < Math.max(25 * middle[3], 0.1)) {
            balls.push(middle[0] - fall * up[0], middle[1] - fall * up[1], middle[2] - fall * up[2], 0);
        }
    });
    return balls;
}

/// Are fixed boxes around what moves, as the walls of a container? Then they are drawn as glass.
export function holdsAll(description, blocks, radii) {
    const low = [Infinity, Infinity, Infinity],
        high = [-Infinity, -Infinity, -Infinity],
        d = blocks.data;
    const each = (moving, take) =>
        description.geoms.forEach((geom, k) => {
            if (isMoving(description.bodies[geom.body]) === moving && radii[k] < Infinity) {
                take(geom, blocks.geom(k), radii[k]);
            }
        });
    let walls = 0,
        inside = 0,
        all = 0;
    each(false, ({ kind }, p) => {
        if (kind === 'box') {
            walls++;
            for (let i = 0; i < 3; i++) {
                low[i] = Math.min(low[i], d[p + i]);
                high[i] = Math.max(high[i], d[p + i]);
            }
        }
    });
    each(true, (_, p) => {
        all++;
        // across two axes: the third one may be that of the open top
        inside += [0, 1, 2].filter((i) => d[p + i] > low[i] && d[p + i] < high[i]).length >= 2 ? 1 : 0;
    });
    return walls >= 3 && all > 0 && inside >= 0.5 * all;
}

/// The middle of balls and the radius about it that holds them: [x, y, z, r].
export function middleOf(balls) {
    const low = [Infinity, Infinity, Infinity],
        high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < balls.length; i += 4) {
        for (let k = 0; k < 3; k++) {
            low[k] = Math.min(low[k], balls[i + k] - balls[i + 3]);
            high[k] = Math.max(high[k], balls[i + k] + balls[i + 3]);
        }
    }
    if (!balls.length) {
        return [0, 0, 0, 1];
    }
    const middle = low.map((x, k) => 0.5 * (x + high[k]));
    return [...middle, 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2])];
}
