// SPDX-License-Identifier: Apache-2.0
// Bodies in space: geoms as instanced solids, bars and balls for bodies without geoms.
import { Group, Raycaster } from 'three';
import { bodyColour, colourOrder, geomColour, isMoving } from './colours.js';
import { linear, Many } from './many.js';
import { writeAlong, writeNothing, writePose } from './matrices.js';
import { barsOf, endsOf, leastGroups, meshOf } from './reach.js';
import { ball, box, cylinder, dome, heightField, surface, tube } from './shapes.js';
import { solidMaterial } from './solids.js';

const shapes = { ball, box, cylinder, dome, tube };
const GHOST = 0.34; // opacity of the second sim
const CLEAR = 0.38; // of transparent bodies
const THIN = 0.016; // of half their length: rods of no thickness are drawn so that they are seen
const WALL = 0.18; // of walls around others
const ends = new Float64Array(192);

// The pieces of a geom: [shape, sx, sy, sz, along], where a negative sz turns a dome over.
function piecesOf(geom) {
    const [x, y, z] = geom.size ?? [];
    switch (geom.kind) {
        case 'sphere':
            return [['ball', x, x, x, 0]];
        case 'ellipsoid':
            return [['ball', x, y, z, 0]];
        case 'box':
            return [['box', x, y, z, 0]];
        case 'cylinder':
            return [['cylinder', x, x, y, 0]];
        case 'capsule': {
            const r = Math.max(x, THIN * y);
            return [
                ['tube', r, r, y, 0],
                ['dome', r, r, r, y],
                ['dome', r, -r, -r, -y],
            ];
        }
        case 'heights':
            return [[`heights ${geom.heights}`, 1, 1, 1, 0]];
        case 'mesh':
        case 'hull':
            return [[`mesh ${geom.mesh} ${geom.kind}`, 1, 1, 1, 0]];
        default:
            return []; // planes are grounds
    }
}

function geometryOf(description, geom, shape) {
    if (shape === 'ball') {
        const balls = description.geoms.filter(({ kind }) => kind === 'sphere' || kind === 'ellipsoid').length;
        return ball(balls < 50 ? 16 : balls < 400 ? 9 : 6);
    }
    if (shapes[shape]) {
        return shapes[shape]();
    }
    if (geom.kind === 'heights') {
        return heightField(description.heights[geom.heights]);
    }
    const { vertices, triangles } = meshOf(description, geom);
    return surface(vertices, triangles);
}

/// One kind of solid with the pieces of geoms that are drawn with it.
class Pool {
    constructor(group, geometry, material, order) {
        this.many = new Many(group, geometry, material, { shadow: material.opacity >= 1, order });
        this.geom = [];
        this.scale = [];
    }

    add(geom, [, sx, sy, sz, along]) {
        this.geom.push(geom);
        this.scale.push(sx, sy, sz, along);
        this.many.next();
    }
}

export class Bodies {
    /// @param look {theme, ghost, transparent, shadows, groups}
    constructor(parent, description, look) {
        this.parent = parent;
        this.description = description;
        this.order = colourOrder(description.bodies, false);
        this.bars = barsOf(description);
        this.leastGroup = leastGroups(description);
        this.group = new Group();
        this.group.matrixAutoUpdate = false;
        parent.add(this.group);
        this.pools = [];
        this.geometries = new Map(); // by shape
        this.dress(look);
    }

    /// Makes everything again in another look.
    dress(look) {
        this.look = look;
        this.freePools();
        const byKey = new Map();
        this.description.geoms.forEach((geom, index) => {
            const [colour, alpha] = this.colourOf(geom);
            if (!(alpha > 0.02)) {
                return; // the model hides it
            }
            for (const piece of piecesOf(geom)) {
                const key = `${piece[0]} ${alpha.toFixed(2)}`;
                if (!byKey.has(key)) {
                    byKey.set(key, this.makePool(piece[0], geom, alpha));
                }
                const pool = byKey.get(key);
                pool.add(index, piece);
                pool.many.paint(pool.many.count - 1, linear(colour));
            }
        });
        this.pools = [...byKey.values()];
        for (const pool of this.pools) {
            pool.many.end();
        }
        this.makeBars();
    }

    colourOf(geom) {
        const { theme, ghost, transparent, contained } = this.look,
            moving = isMoving(this.description.bodies[geom.body]);
        const [colour, opacity] = geomColour(geom, this.order, theme, false);
        if (ghost) {
            return [theme.ghost, GHOST];
        }
        const glass = contained && !moving && geom.kind === 'box' ? WALL : transparent && moving ? CLEAR : 1;
        // shapes for collisions alone are often see-through in models; here they stand for the body
        const own = this.leastGroup.get(geom.body) > 2 && opacity > 0.02 ? 1 : Math.min(1, opacity);
        return [colour, own * glass];
    }

    makePool(shape, geom, alpha) {
        const edges = shape in shapes || geom.kind === 'heights';
        const material = solidMaterial({
            edges,
            opacity: alpha,
            thin: geom.kind === 'heights' || geom.kind === 'mesh',
        });
        if (!this.geometries.has(shape)) {
            this.geometries.set(shape, geometryOf(this.description, geom, shape));
        }
        return new Pool(this.group, this.geometries.get(shape), material, alpha < 1 ? 2 : 0);
    }

    makeBars() {
        const { theme, ghost, transparent } = this.look;
        const opacity = ghost ? GHOST : transparent ? CLEAR : 1;
        const make = (shape) =>
            new Many(this.group, shapes[shape](), solidMaterial({ edges: true, opacity }), {
                shadow: opacity === 1,
                order: opacity < 1 ? 2 : 0,
            });
        this.barPools = this.bars.length ? { tube: make('tube'), ball: make('ball') } : null;
        this.barColours = this.bars.map((bar) =>
            linear(ghost ? theme.ghost : bodyColour(this.order[bar.body], theme, false)),
        );
        this.barBodies = { tube: [], ball: [] };
    }

    /// Moves everything to its place. @param unit m: the size that bars and points take theirs from
    update(blocks, unit) {
        const { description, look } = this,
            d = blocks.data;
        for (const pool of this.pools) {
            const { many, geom, scale } = pool,
                matrix = many.matrix;
            for (let i = 0; i < geom.length; i++) {
                const g = geom[i];
                if (look.groups[description.geoms[g].group ?? 0] === false) {
                    writeNothing(matrix, 16 * i);
                } else {
                    writePose(
                        matrix,
                        16 * i,
                        d,
                        blocks.geom(g),
                        scale[4 * i],
                        scale[4 * i + 1],
                        scale[4 * i + 2],
                        scale[4 * i + 3],
                    );
                }
            }
            many.mesh.castShadow = look.shadows && many.material.opacity >= 1;
            many.end(false);
        }
        if (this.barPools) {
            this.updateBars(blocks, 0.1 * unit);
        }
    }

    updateBars(blocks, radius) {
        const { tube: tubes, ball: balls } = this.barPools,
            d = blocks.data;
        tubes.begin();
        balls.begin();
        this.barBodies.tube.length = this.barBodies.ball.length = 0;
        this.bars.forEach((bar, k) => {
            const n = endsOf(bar, blocks, ends),
                com = blocks.body(bar.body) + 7;
            const middle = n !== 2;
            for (let e = 0; e < n; e++) {
                this.addBall(balls, bar, k, ends, 3 * e, radius);
            }
            for (let e = middle ? 0 : 1; e < n; e++) {
                this.addTube(tubes, bar, k, middle ? d : ends, middle ? com : 0, ends, 3 * e, radius);
            }
            if (n === 0) {
                this.addBall(balls, bar, k, d, com, 1.7 * radius);
            }
        });
        tubes.end();
        balls.end();
        tubes.mesh.castShadow = balls.mesh.castShadow = this.look.shadows && tubes.material.opacity >= 1;
    }

    addBall(balls, bar, k, from, at, r) {
        const i = balls.next(),
            o = 16 * i;
        writeNothing(balls.matrix, o);
        balls.matrix[o] = balls.matrix[o + 5] = balls.matrix[o + 10] = r;
        balls.matrix[o + 12] = from[at];
        balls.matrix[o + 13] = from[at + 1];
        balls.matrix[o + 14] = from[at + 2];
        balls.paint(i, this.barColours[k]);
        this.barBodies.ball.push(bar.body);
    }

    addTube(tubes, bar, k, a, p, b, q, r) {
        const i = tubes.next();
        const half = 0.5 * Math.hypot(b[q] - a[p], b[q + 1] - a[p + 1], b[q + 2] - a[p + 2]);
        writeAlong(
            tubes.matrix,
            16 * i,
            0.5 * (a[p] + b[q]),
            0.5 * (a[p + 1] + b[q + 1]),
            0.5 * (a[p + 2] + b[q + 2]),
            b[q],
            b[q + 1],
            b[q + 2],
            r,
            half,
        );
        tubes.paint(i, this.barColours[k]);
        this.barBodies.tube.push(bar.body);
    }

    /// The nearest thing on a ray. @return {body, geom, point, distance} or null; geom -1: a bar
    raycast(ray) {
        const caster = new Raycaster(ray.origin, ray.direction);
        let best = null;
        const take = (many, find) => {
            many.mesh.boundingSphere = null; // three.js keeps that of an earlier frame
            for (const hit of caster.intersectObject(many.mesh, false)) {
                if (!best || hit.distance < best.distance) {
                    best = { ...find(hit.instanceId), point: hit.point.toArray(), distance: hit.distance };
                }
            }
        };
        for (const { many, geom } of this.pools) {
            take(many, (i) => ({ geom: geom[i], body: this.description.geoms[geom[i]].body }));
        }
        if (this.barPools) {
            for (const shape of ['tube', 'ball']) {
                take(this.barPools[shape], (i) => ({ geom: -1, body: this.barBodies[shape][i] }));
            }
        }
        return best;
    }

    freePools() {
        for (const pool of this.pools) {
            pool.many.dispose();
        }
        this.barPools?.tube.dispose();
        this.barPools?.ball.dispose();
        this.pools = [];
        this.barPools = null;
    }

    dispose() {
        this.freePools();
        this.parent.remove(this.group);
    }
}
