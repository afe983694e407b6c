// SPDX-License-Identifier: Apache-2.0
// Bodies of a planar world as figures: filled outlines, bars for rods, points for particles, and planes as lines
// with hatching on their solid side, as textbooks draw them.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Mesh, MeshBasicMaterial } from 'three';
import { bodyColour, colourOrder, geomColour, isMoving } from './colours.js';
import { Glyphs, POINTER } from './glyphs.js';
import { roundLength } from './grounds.js';
import { linear } from './many.js';
import { pointOfPose, vectorInPose } from './matrices.js';
import { barsOf, endsOf, meshOf } from './reach.js';
import { Segments } from './segments.js';

const ROUND = 96; // directions in which outlines are sampled
const OUTLINE = 1.7,
    BAR = 10; // px
const HATCH = 9,
    HATCH_LENGTH = 11; // px
const ends = new Float64Array(192),
    v3 = [0, 0, 0];

function supportOf(description, geom) {
    const [x = 0, y = 0, z = 0] = geom.size ?? [];
    const along = (d, r) => d.map((c) => (c * r) / Math.hypot(...d));
    switch (geom.kind) {
        case 'sphere':
            return (d) => along(d, x);
        case 'ellipsoid':
            return (d) => {
                const n = Math.hypot(x * d[0], y * d[1], z * d[2]);
                return [(x * x * d[0]) / n, (y * y * d[1]) / n, (z * z * d[2]) / n];
            };
        case 'box':
            return (d) => [x, y, z].map((h, k) => (Math.abs(d[k]) < 1e-9 ? 0 : Math.sign(d[k]) * h));
        case 'capsule':
            return (d) => along(d, x).map((c, k) => c + (k === 2 && Math.abs(d[2]) > 1e-9 ? Math.sign(d[2]) * y : 0));
        case 'cylinder':
            return (d) => {
                const n = Math.hypot(d[0], d[1]) || 1;
                return [(x * d[0]) / n, (x * d[1]) / n, Math.abs(d[2]) > 1e-9 ? Math.sign(d[2]) * y : 0];
            };
        default:
            return supportOfMesh(meshOf(description, geom).vertices);
    }
}

function supportOfMesh(vertices) {
    return (d) => {
        let best = -Infinity,
            at = 0;
        for (let i = 0; i < vertices.length; i += 3) {
            const s = d[0] * vertices[i] + d[1] * vertices[i + 1] + d[2] * vertices[i + 2];
            if (s > best) {
                best = s;
                at = i;
            }
        }
        return [...vertices.slice(at, at + 3)];
    };
}

// The outline of a geom in the plane, in its own frame: the support points in all directions of the plane.
function outlineOf(description, geom, d, p, plane) {
    const x = vectorInPose([0, 0, 0], d, p, ...plane.x),
        y = vectorInPose([0, 0, 0], d, p, ...plane.y);
    const support = supportOf(description, geom),
        points = [];
    for (let k = 0; k < ROUND; k++) {
        // the small turn keeps directions away from those along which a box has a whole side
        const a = (2 * Math.PI * k) / ROUND + 1e-4;
        const s = support(x.map((c, i) => c * Math.cos(a) + y[i] * Math.sin(a)));
        const u = s[0] * x[0] + s[1] * x[1] + s[2] * x[2],
            v = s[0] * y[0] + s[1] * y[1] + s[2] * y[2];
        const last = points[points.length - 1];
        if (!last || Math.hypot(u - last[0], v - last[1]) > 1e-7) {
            points.push([u, v]);
        }
    }
    if (points.length > 1 && Math.hypot(points[0][0] - points.at(-1)[0], points[0][1] - points.at(-1)[1]) <= 1e-7) {
        points.pop();
    }
    const round = /sphere|cylinder|ellipsoid/.test(geom.kind) && points.length > ROUND / 2;
    return { x, y, points: new Float64Array(points.flat()), round };
}

export class Figures {
    constructor(parent, description, look) {
        this.parent = parent;
        this.description = description;
        this.plane = description.plane;
        this.order = colourOrder(description.bodies, true);
        this.bars = barsOf(description);
        this.group = new Group();
        parent.add(this.group);
        this.lines = new Segments(this.group, { order: look.ghost ? -1 : 1 });
        this.strokes = new Segments(this.group, { order: look.ghost ? -1 : 3 });
        this.pushers = new Glyphs(this.group, { order: look.ghost ? -1 : 4 });
        this.figures = null;
        this.dress(look);
    }

    dress(look) {
        this.look = look;
        this.ink = linear(look.ghost ? look.theme.ghost : look.theme.ink);
        this.faint = linear(look.theme.faint);
        this.paperGrid = linear(look.theme.paperGrid);
        if (this.figures) {
            this.paint();
        }
    }

    /// Builds the outlines; the poses of the first frame say how the geoms stand in the plane.
    build(blocks) {
        const { description, plane } = this,
            d = blocks.data;
        this.figures = [];
        description.geoms.forEach((geom, index) => {
            if (geom.kind !== 'plane' && geom.kind !== 'heights') {
                const layer = isMoving(description.bodies[geom.body]) ? 1 + this.figures.length : 0;
                this.figures.push({
                    geom,
                    index,
                    layer,
                    ...outlineOf(description, geom, d, blocks.geom(index), plane),
                });
            }
        });
        const corners = this.figures.reduce((sum, f) => sum + 3 * Math.max(0, f.points.length / 2 - 2), 0);
        const geometry = new BufferGeometry();
        this.position = new BufferAttribute(new Float32Array(3 * corners), 3).setUsage(DynamicDrawUsage);
        this.tint = new BufferAttribute(new Float32Array(3 * corners), 3);
        geometry.setAttribute('position', this.position);
        geometry.setAttribute('color', this.tint);
        this.fill = new Mesh(geometry, new MeshBasicMaterial({ vertexColors: true }));
        this.fill.frustumCulled = false;
        this.fill.matrixAutoUpdate = false;
        this.group.add(this.fill);
        this.corner = new Float64Array(3 * 2 * ROUND);
        this.paint();
    }

    paint() {
        const { theme, ghost, transparent } = this.look,
            tint = this.tint.array;
        let o = 0;
        for (const figure of this.figures) {
            const rgb = linear(ghost ? theme.ghost : geomColour(figure.geom, this.order, theme, true)[0]);
            for (let k = 0; k < 3 * Math.max(0, figure.points.length / 2 - 2); k++, o += 3) {
                tint.set(rgb, o);
            }
        }
        this.tint.needsUpdate = true;
        const { material } = this.fill;
        material.transparent = ghost || transparent;
        material.opacity = ghost ? 0.22 : transparent ? 0.4 : 1;
        material.depthWrite = material.opacity === 1;
        material.needsUpdate = true;
        this.fill.renderOrder = ghost ? -2 : 0;
        this.barColours = this.bars.map((bar) =>
            linear(ghost ? theme.ghost : bodyColour(this.order[bar.body], theme, true)),
        );
    }

    // A point of the plane on a layer.
    at(out, o, a, b, layer) {
        const { x, y, normal } = this.plane,
            z = layer * this.step;
        for (let k = 0; k < 3; k++) {
            out[o + k] = a * x[k] + b * y[k] + z * normal[k];
        }
    }

    along(d, p) {
        const { x } = this.plane;
        return d[p] * x[0] + d[p + 1] * x[1] + d[p + 2] * x[2];
    }

    above(d, p) {
        const { y } = this.plane;
        return d[p] * y[0] + d[p + 1] * y[1] + d[p + 2] * y[2];
    }

    /// @param rig the camera, because hatching and bars have sizes in pixels
    update(blocks, unit, rig) {
        if (!this.figures) {
            this.build(blocks);
        }
        this.step = rig.reach / (this.figures.length + this.bars.length + 8);
        for (const part of [this.lines, this.strokes, this.pushers]) {
            part.begin();
        }
        if (!this.look.ghost) {
            this.addPaper(rig);
            this.addPlanes(blocks, rig);
        }
        this.addFigures(blocks);
        this.addBars(blocks);
        this.position.needsUpdate = true;
        for (const part of [this.lines, this.strokes, this.pushers]) {
            part.end();
        }
    }

    addFigures(blocks) {
        const d = blocks.data,
            out = this.position.array,
            corner = this.corner;
        let o = 0;
        for (const { geom, index, layer, x, y, points, round } of this.figures) {
            const p = blocks.geom(index),
                n = points.length / 2;
            const hidden = this.look.groups[geom.group ?? 0] === false;
            const a = this.along(d, p),
                b = this.above(d, p);
            // the figure's own axes in the plane
            pointOfPose(v3, d, p, x[0], x[1], x[2]);
            const xa = this.along(v3, 0) - a,
                xb = this.above(v3, 0) - b;
            pointOfPose(v3, d, p, y[0], y[1], y[2]);
            const ya = this.along(v3, 0) - a,
                yb = this.above(v3, 0) - b;
            for (let k = 0; k < n; k++) {
                const u = points[2 * k],
                    v = points[2 * k + 1];
                this.at(corner, 3 * k, a + u * xa + v * ya, b + u * xb + v * yb, layer);
            }
            for (let k = 1; k + 1 < n; k++) {
                for (const c of [0, k, k + 1]) {
                    for (let i = 0; i < 3; i++) {
                        out[o++] = hidden ? 0 : corner[3 * c + i];
                    }
                }
            }
            if (!hidden) {
                this.addOutline(n, layer, geom.body === this.look.selected);
                if (round) {
                    this.addSpoke(a, b, layer);
                }
            }
        }
    }

    addOutline(n, layer, selected) {
        const { normal } = this.plane,
            c = this.corner,
            up = 0.5 * this.step;
        const rgb = selected ? linear(this.look.theme.select) : this.ink,
            width = selected ? 2.4 * OUTLINE : OUTLINE;
        for (let k = 0; k < n; k++) {
            const p = 3 * k,
                q = 3 * ((k + 1) % n);
            this.lines.add(
                c[p] + up * normal[0],
                c[p + 1] + up * normal[1],
                c[p + 2] + up * normal[2],
                c[q] + up * normal[0],
                c[q + 1] + up * normal[1],
                c[q + 2] + up * normal[2],
                rgb,
                1,
                width,
            );
        }
    }

    // a radius of a round figure, which shows how it turns
    addSpoke(a, b, layer) {
        const c = this.corner;
        this.at(v3, 0, a, b, layer + 0.4);
        const { normal } = this.plane,
            up = 0.4 * this.step;
        this.lines.add(
            v3[0],
            v3[1],
            v3[2],
            c[0] + up * normal[0],
            c[1] + up * normal[1],
            c[2] + up * normal[2],
            this.ink,
            0.6,
            0.7 * OUTLINE,
        );
    }

    addBars(blocks) {
        const d = blocks.data,
            front = this.figures.length + 2;
        this.bars.forEach((bar, k) => {
            const n = endsOf(bar, blocks, ends),
                com = blocks.body(bar.body) + 7,
                layer = front + k;
            if (n === 0 && !bar.massive) {
                this.addPusher(blocks, bar, layer);
                return;
            }
            const rgb = this.barColours[k],
                selected = bar.body === this.look.selected;
            const edge = selected ? linear(this.look.theme.select) : this.ink;
            for (const inner of [false, true]) {
                const width = BAR + (inner ? 0 : selected ? 2 * OUTLINE + 3 : 2 * OUTLINE);
                this.strokeBar(d, com, n, layer + (inner ? 0.3 : 0), inner ? rgb : edge, width);
            }
        });
    }

    strokeBar(d, com, n, layer, rgb, width) {
        const two = n === 2,
            s = v3;
        for (let e = two ? 1 : 0; e < Math.max(n, 1); e++) {
            const from = two ? ends : d,
                p = two ? 0 : com,
                to = n === 0 ? d : ends,
                q = n === 0 ? com : 3 * e;
            this.at(s, 0, this.along(from, p), this.above(from, p), layer);
            const x = s[0],
                y = s[1],
                z = s[2];
            this.at(s, 0, this.along(to, q), this.above(to, q), layer);
            this.strokes.add(x, y, z, s[0], s[1], s[2], rgb, 1, n === 0 ? 1.5 * width : width);
        }
    }

    // a prescribed point: a triangle whose tip is the point, turned to what it may push
    addPusher(blocks, bar, layer) {
        const d = blocks.data,
            p = blocks.body(bar.body);
        if (bar.angle === undefined) {
            bar.angle = this.pushAngle(blocks, p);
        }
        this.at(v3, 0, this.along(d, p), this.above(d, p), layer);
        this.pushers.add(v3[0], v3[1], v3[2], POINTER, this.ink, 1, 14, bar.angle);
    }

    pushAngle(blocks, p) {
        const d = blocks.data;
        let a = 0,
            b = 0,
            mass = 0;
        this.description.bodies.forEach((body, index) => {
            if (index > 0 && body.mass > 0 && !body.fixed) {
                const com = blocks.body(index) + 7;
                a += body.mass * (this.along(d, com) - this.along(d, p));
                b += body.mass * (this.above(d, com) - this.above(d, p));
                mass += body.mass;
            }
        });
        return mass === 0 ? 0 : Math.abs(b) > 1.5 * Math.abs(a) ? Math.sign(b) * 0.5 * Math.PI : a < 0 ? Math.PI : 0;
    }

    // ---- planes -----------------------------------------------------------------------------------

    addPlanes(blocks, rig) {
        const d = blocks.data,
            { normal } = this.plane;
        this.description.geoms.forEach((geom, index) => {
            if (geom.kind !== 'plane' || this.look.groups[geom.group ?? 0] === false) {
                return;
            }
            const p = blocks.geom(index);
            pointOfPose(v3, d, p, 0, 0, 1);
            const n = [v3[0] - d[p], v3[1] - d[p + 1], v3[2] - d[p + 2]];
            if (Math.abs(n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2]) < 0.5) {
                this.addPlane(this.along(d, p), this.above(d, p), this.along(n, 0), this.above(n, 0), rig);
            }
        });
    }

    // the line through (a, b) with the normal (na, nb), over the whole picture
    addPlane(a, b, na, nb, rig) {
        const px = rig.perPixel(),
            ta = nb,
            tb = -na; // to the right when the normal points up
        const half = 0.5 * px * Math.hypot(rig.size.width, rig.size.height);
        const s0 = (this.along(rig.target, 0) - a) * ta + (this.above(rig.target, 0) - b) * tb;
        const from = s0 - half,
            to = s0 + half,
            e = [0, 0, 0],
            f = [0, 0, 0];
        const line = (s, out, t, far, rgb, alpha, width) => {
            this.at(e, 0, a + s * ta - out * na, b + s * tb - out * nb, -1);
            this.at(f, 0, a + t * ta - far * na, b + t * tb - far * nb, -1);
            this.lines.add(...e, ...f, rgb, alpha, width);
        };
        const gap = HATCH * px,
            long = HATCH_LENGTH * px * Math.SQRT1_2;
        for (let s = Math.ceil(from / gap) * gap; s < to + gap; s += gap) {
            line(s, 0, s - long, long, this.faint, 0.8, 1.1);
        }
        line(from, 0, to, 0, this.ink, 1, OUTLINE);
    }

    addPaper(rig) {
        if (!this.look.grid) {
            return;
        }
        const px = rig.perPixel(),
            gap = roundLength(110 * px),
            e = [0, 0, 0],
            f = [0, 0, 0];
        const a = this.along(rig.target, 0),
            b = this.above(rig.target, 0);
        const w = 0.5 * rig.size.width * px,
            h = 0.5 * rig.size.height * px;
        for (let u = Math.ceil((a - w) / gap) * gap; u <= a + w; u += gap) {
            this.at(e, 0, u, b - h, -2);
            this.at(f, 0, u, b + h, -2);
            this.lines.add(...e, ...f, this.paperGrid, 1, 1);
        }
        for (let v = Math.ceil((b - h) / gap) * gap; v <= b + h; v += gap) {
            this.at(e, 0, a - w, v, -2);
            this.at(f, 0, a + w, v, -2);
            this.lines.add(...e, ...f, this.paperGrid, 1, 1);
        }
    }

    // ---- picking ----------------------------------------------------------------------------------

    /// The front figure or bar at a ray. @param slack m: how far bars and points may be missed
    raycast(ray, blocks, slack) {
        if (!this.figures) {
            return null;
        }
        const o = [ray.origin.x, ray.origin.y, ray.origin.z],
            d = blocks.data;
        const a = this.along(o, 0),
            b = this.above(o, 0),
            point = [0, 0, 0];
        this.at(point, 0, a, b, 0);
        for (let k = this.bars.length - 1; k >= 0; k--) {
            const bar = this.bars[k],
                n = endsOf(bar, blocks, ends),
                com = blocks.body(bar.body) + 7;
            const two = n === 2;
            for (let e = two ? 1 : 0; e < Math.max(n, 1); e++) {
                const from = two ? ends : d,
                    p = two ? 0 : com,
                    to = n === 0 ? d : ends,
                    q = n === 0 ? com : 3 * e;
                if (this.toBar(a, b, from, p, to, q) < slack) {
                    return { body: bar.body, geom: -1, point, distance: 1 };
                }
            }
        }
        for (let k = this.figures.length - 1; k >= 0; k--) {
            const figure = this.figures[k],
                p = blocks.geom(figure.index);
            if (this.look.groups[figure.geom.group ?? 0] !== false && this.inFigure(figure, d, p, a, b)) {
                return { body: figure.geom.body, geom: figure.index, point, distance: 2 };
            }
        }
        return null;
    }

    toBar(a, b, from, p, to, q) {
        const pa = this.along(from, p),
            pb = this.above(from, p),
            qa = this.along(to, q),
            qb = this.above(to, q);
        const length2 = (qa - pa) ** 2 + (qb - pb) ** 2;
        const s = length2 > 0 ? Math.min(1, Math.max(0, ((a - pa) * (qa - pa) + (b - pb) * (qb - pb)) / length2)) : 0;
        return Math.hypot(a - pa - s * (qa - pa), b - pb - s * (qb - pb));
    }

    inFigure({ x, y, points }, d, p, a, b) {
        const X = pointOfPose([0, 0, 0], d, p, ...x),
            Y = pointOfPose([0, 0, 0], d, p, ...y);
        const ga = this.along(d, p),
            gb = this.above(d, p);
        const u = (a - ga) * (this.along(X, 0) - ga) + (b - gb) * (this.above(X, 0) - gb);
        const v = (a - ga) * (this.along(Y, 0) - ga) + (b - gb) * (this.above(Y, 0) - gb);
        for (let k = 0; k < points.length; k += 2) {
            const j = (k + 2) % points.length;
            const side =
                (points[j] - points[k]) * (v - points[k + 1]) - (points[j + 1] - points[k + 1]) * (u - points[k]);
            if (side < 0) {
                return false;
            }
        }
        return points.length > 4;
    }

    fit(width, height, ratio, rim) {
        for (const part of [this.lines, this.strokes, this.pushers]) {
            part.fit(width, height, ratio, rim);
        }
    }

    dispose() {
        for (const part of [this.lines, this.strokes, this.pushers]) {
            part.dispose();
        }
        this.fill?.geometry.dispose();
        this.fill?.material.dispose();
        this.parent.remove(this.group);
    }
}
