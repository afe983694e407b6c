// SPDX-License-Identifier: Apache-2.0
// What is drawn beside bodies and contacts: joints, frames, centres of mass, inertia boxes, collision hulls, sites,
// springs, tendons, and the spring to the pointer.
import { HOLD, HOLD_POINT, HOLD_TARGET, TENDON_POINT, TENDON_POINTS } from './blocks.js';
import { isMoving } from './colours.js';
import { DOT, Glyphs, MASS, PIN } from './glyphs.js';
import { linear } from './many.js';
import { pointOfPose } from './matrices.js';
import { meshOf } from './reach.js';
import { Segments } from './segments.js';
import { edgesOf } from './shapes.js';
import { addSpring } from './springs.js';

const CIRCLE = 24;
const p = [0, 0, 0],
    q = [0, 0, 0],
    u = [0, 0, 0],
    v = [0, 0, 0];
const tendonColours = ['#a23b2a', '#8a5a2b', '#7a3f6b', '#3f6b5a'];

export class Marks {
    constructor(parent, description, flat) {
        this.description = description;
        this.flat = flat;
        this.normal = flat ? description.plane.normal : null;
        const depth = flat ? { overlay: true } : {};
        this.solid = new Segments(parent, { order: flat ? 2.5 : 5, ...depth });
        this.notes = new Segments(parent, { order: 7, hidden: flat ? 0 : 0.5, ...depth });
        this.signs = new Glyphs(parent, { order: 8, hidden: flat ? 0 : 0.6, ...depth });
        this.drag = new Segments(parent, { order: 20, overlay: true });
        this.dragSigns = new Glyphs(parent, { order: 21, overlay: true });
        this.parts = [this.solid, this.notes, this.signs, this.drag, this.dragSigns];
        this.hullEdges = null;
        this.pin = new Float64Array(6); // anchor and axis of a joint that is a constraint
    }

    paint(theme) {
        this.theme = theme;
        const names = ['ink', 'faint', 'red', 'green', 'blue', 'axis', 'hold', 'path', 'select', 'text'];
        this.rgb = Object.fromEntries(names.map((name) => [name, linear(theme[name])]));
        this.beltRgb = linear(theme.belt);
        this.tendonRgb = tendonColours.map(linear);
    }

    /// @param hold {point, target} of a drag that the frame does not know yet, or null
    update(blocks, shown, unit, rig, hold) {
        for (const part of this.parts) {
            part.begin();
        }
        this.unit = unit;
        this.rig = rig;
        this.perPixel = rig.perPixel();
        if (blocks.present) {
            this.addAll(blocks, shown);
            this.addHold(blocks, hold);
        }
        for (const part of this.parts) {
            part.end();
        }
    }

    addAll(blocks, shown) {
        if (shown.springs) {
            this.addSprings(blocks);
            this.addTendons(blocks);
            this.addBelts(blocks);
        }
        if (this.flat || shown.joints) {
            this.addJoints(blocks, shown.joints);
        }
        if (shown.frames) {
            this.addFrames(blocks);
        }
        if (shown.inertia) {
            this.addInertia(blocks);
        }
        if (shown.hulls) {
            this.addHulls(blocks);
        }
        if (shown.com) {
            this.addCentres(blocks);
        }
        if (shown.sites) {
            this.addSites(blocks);
        }
    }

    // ---- springs and tendons ------------------------------------------------------------------------

    addSprings(blocks) {
        const pen = { rgb: this.rgb.ink, width: this.flat ? 1.6 : 2.4 };
        const radius = this.flat ? 7 * this.perPixel : 0.16 * this.unit;
        for (const { site1, site2 } of this.description.springs ?? []) {
            addSpring(
                this.solid,
                blocks.data,
                blocks.site(site1),
                blocks.data,
                blocks.site(site2),
                this.normal,
                radius,
                pen,
            );
        }
    }

    addTendons(blocks) {
        const d = blocks.data,
            n = d[TENDON_POINTS];
        for (let k = 0; k + 1 < n; k++) {
            const a = blocks.tendons + TENDON_POINT * k,
                b = a + TENDON_POINT;
            if (d[a] >= 0 && d[a] === d[b]) {
                // -1 stands between branches
                this.solid.add(
                    d[a + 1],
                    d[a + 2],
                    d[a + 3],
                    d[b + 1],
                    d[b + 2],
                    d[b + 3],
                    this.tendonRgb[d[a] % this.tendonRgb.length],
                    1,
                    3,
                );
            }
        }
    }

    // ---- belts --------------------------------------------------------------------------------------

    // Arrows along moving surfaces: below the line of a planar world's plane, on a plane, or at a geom's middle.
    addBelts(blocks) {
        const d = blocks.data,
            { geoms } = this.description;
        for (let g = 0; g < geoms.length; g++) {
            const belt = geoms[g].belt,
                at = blocks.geom(g);
            const speed = belt ? Math.hypot(belt[0], belt[1], belt[2]) : 0;
            if (!(speed > 0)) {
                continue;
            }
            pointOfPose(u, d, at, belt[0] / speed, belt[1] / speed, belt[2] / speed);
            pointOfPose(v, d, at, 0, 0, 1);
            for (let k = 0; k < 3; k++) {
                u[k] -= d[at + k]; // along the belt
                v[k] -= d[at + k]; // normal of a plane
            }
            if (geoms[g].kind === 'plane') {
                this.addBeltArrows(d, at);
            } else {
                this.addBeltArrow(d[at], d[at + 1], d[at + 2], this.unit);
            }
        }
    }

    addBeltArrows(d, at) {
        const { target, size } = this.rig,
            s = this.perPixel,
            gap = 110 * s,
            half = 0.6 * s * size.width;
        // the point of the plane nearest to what is looked at, and how far along the belt it is
        let above = 0,
            along = 0;
        for (let k = 0; k < 3; k++) {
            above += (target[k] - d[at + k]) * v[k];
            along += (target[k] - d[at + k]) * u[k];
        }
        const lift = this.flat ? -20 * s : 0.01 * this.unit;
        for (let a = Math.ceil((along - half) / gap) * gap; a < along + half; a += gap) {
            for (let k = 0; k < 3; k++) {
                p[k] = target[k] + (lift - above) * v[k] + (a - along) * u[k];
            }
            this.addBeltArrow(p[0], p[1], p[2], 32 * s);
        }
    }

    addBeltArrow(x, y, z, length) {
        this.notes.add(x, y, z, x + length * u[0], y + length * u[1], z + length * u[2], this.beltRgb, 1, 1.8, 8, 1);
    }

    // ---- joints -------------------------------------------------------------------------------------

    addJoints(blocks, shown) {
        this.description.joints.forEach((joint, k) => {
            this.addJoint(
                blocks.data,
                blocks.joint(k),
                joint.kind,
                this.description.bodies[joint.body].parent,
                shown,
            );
        });
        const { bodies } = this.description;
        for (const { kind, body1, body2, point1, axis } of this.description.pins ?? []) {
            const at = blocks.body(body1);
            pointOfPose(u, blocks.data, at, point1[0], point1[1], point1[2]);
            pointOfPose(v, blocks.data, at, axis[0], axis[1], axis[2]);
            for (let k = 0; k < 3; k++) {
                this.pin[k] = u[k];
                this.pin[3 + k] = v[k] - blocks.data[at + k];
            }
            this.addJoint(this.pin, 0, kind, isMoving(bodies[body2]) ? body1 : body2, shown);
        }
    }

    // @param d has the anchor at j and the axis behind it @param parent body
    addJoint(d, j, kind, parent, shown) {
        const round = kind === 'hinge' || kind === 'ball';
        if (this.flat) {
            if (round || shown) {
                this.addPin(d, j, kind, parent);
            }
            return;
        }
        const half = 0.75 * this.unit;
        if (kind === 'hinge') {
            this.addLine(d, j, d, j + 3, -half, half, this.rgb.axis, 1.8, 0, 5);
            this.addCircle(d, j, 0.32 * this.unit, this.rgb.axis);
        } else if (kind === 'slide') {
            this.addLine(d, j, d, j + 3, 0, half, this.rgb.axis, 2, 9, 0);
            this.addLine(d, j, d, j + 3, 0, -half, this.rgb.axis, 2, 9, 0);
        } else if (kind === 'ball') {
            this.signs.add(d[j], d[j + 1], d[j + 2], DOT, this.rgb.axis, 1, 5);
        }
    }

    // a pin is a white circle; one on the fixed world has a support with hatching
    addPin(d, j, kind, parent) {
        const body = this.description.bodies[parent];
        if (kind !== 'slide') {
            if (body && !isMoving(body)) {
                this.addSupport(d, j, this.perPixel);
            }
            this.signs.add(d[j], d[j + 1], d[j + 2], PIN, this.rgb.ink, 1, 5);
        } else {
            this.addLine(d, j, d, j + 3, 0, 0.6 * this.unit, this.rgb.axis, 1.6, 8, 0);
        }
    }

    addSupport(d, j, s) {
        const { x, y } = this.description.plane;
        const at = (out, a, b) => {
            for (let k = 0; k < 3; k++) {
                out[k] = d[j + k] + s * (a * x[k] + b * y[k]);
            }
            return out;
        };
        const line = (a, b, c, e, rgb, width) => {
            at(p, a, b);
            at(q, c, e);
            this.notes.add(p[0], p[1], p[2], q[0], q[1], q[2], rgb, 1, width);
        };
        line(0, 0, -11, 19, this.rgb.ink, 1.5);
        line(0, 0, 11, 19, this.rgb.ink, 1.5);
        line(-20, 19, 20, 19, this.rgb.ink, 1.7);
        for (let a = -18; a <= 18; a += 6) {
            line(a, 19, a + 6, 26, this.rgb.faint, 1.1);
        }
    }

    addLine(a, i, axis, k, from, to, rgb, width, head, dash) {
        const x = axis[k],
            y = axis[k + 1],
            z = axis[k + 2];
        this.notes.add(
            a[i] + from * x,
            a[i + 1] + from * y,
            a[i + 2] + from * z,
            a[i] + to * x,
            a[i + 1] + to * y,
            a[i + 2] + to * z,
            rgb,
            1,
            width,
            head,
            head ? 1 : 0,
            dash,
        );
    }

    // a circle about a joint's axis
    addCircle(d, j, r, rgb) {
        const ax = d[j + 3],
            ay = d[j + 4],
            az = d[j + 5],
            flat = Math.abs(az) < 0.9;
        const n = flat ? Math.hypot(ax, ay) : Math.hypot(ay, az);
        u[0] = flat ? -ay / n : 0;
        u[1] = flat ? ax / n : -az / n;
        u[2] = flat ? 0 : ay / n;
        v[0] = ay * u[2] - az * u[1];
        v[1] = az * u[0] - ax * u[2];
        v[2] = ax * u[1] - ay * u[0];
        for (let k = 0; k < CIRCLE; k++) {
            const a = (2 * Math.PI * k) / CIRCLE,
                b = (2 * Math.PI * (k + 1)) / CIRCLE;
            for (let i = 0; i < 3; i++) {
                p[i] = d[j + i] + r * (Math.cos(a) * u[i] + Math.sin(a) * v[i]);
                q[i] = d[j + i] + r * (Math.cos(b) * u[i] + Math.sin(b) * v[i]);
            }
            this.notes.add(p[0], p[1], p[2], q[0], q[1], q[2], rgb, 1, 1.6);
        }
    }

    // ---- bodies -------------------------------------------------------------------------------------

    addFrames(blocks) {
        const d = blocks.data,
            { red, green, blue } = this.rgb,
            length = 0.7 * this.unit;
        for (let b = 0; b < this.description.bodies.length; b++) {
            const at = blocks.body(b);
            for (let k = 0; k < 3; k++) {
                pointOfPose(p, d, at, k === 0 ? length : 0, k === 1 ? length : 0, k === 2 ? length : 0);
                this.notes.add(
                    d[at],
                    d[at + 1],
                    d[at + 2],
                    p[0],
                    p[1],
                    p[2],
                    k === 0 ? red : k === 1 ? green : blue,
                    1,
                    2,
                    8,
                    1,
                );
            }
        }
    }

    addCentres(blocks) {
        const d = blocks.data;
        this.description.bodies.forEach((body, b) => {
            const c = blocks.body(b) + 7;
            if (b > 0 && body.mass > 0) {
                this.signs.add(d[c], d[c + 1], d[c + 2], MASS, this.rgb.ink, 1, 6.5);
            }
        });
    }

    // the box of equal mass and inertia
    addInertia(blocks) {
        const d = blocks.data,
            pose = new Float64Array(7);
        this.description.bodies.forEach((body, b) => {
            const half = body.inertia?.half;
            if (!(body.mass > 0) || !half) {
                return;
            }
            const at = blocks.body(b);
            pose.set(d.subarray(at + 7, at + 10));
            multiply(pose, 3, d, at + 3, body.inertia.quat);
            this.addBox(pose, half, this.rgb.select, 1.6);
        });
    }

    addBox(pose, half, rgb, width) {
        for (let axis = 0; axis < 3; axis++) {
            for (let corner = 0; corner < 4; corner++) {
                const s = [0, 0, 0],
                    t = [0, 0, 0];
                for (let k = 0; k < 3; k++) {
                    const sign = k === axis ? 1 : (corner >> ((k - axis + 2) % 3)) & 1 ? 1 : -1;
                    s[k] = k === axis ? -half[k] : sign * half[k];
                    t[k] = k === axis ? half[k] : sign * half[k];
                }
                pointOfPose(p, pose, 0, s[0], s[1], s[2]);
                pointOfPose(q, pose, 0, t[0], t[1], t[2]);
                this.notes.add(p[0], p[1], p[2], q[0], q[1], q[2], rgb, 1, width);
            }
        }
    }

    // edges of the hulls with which meshes collide
    addHulls(blocks) {
        this.hullEdges ??= this.description.geoms.map((geom) => {
            const hull =
                geom.kind === 'mesh' || geom.kind === 'hull' ? this.description.meshes[geom.mesh]?.hull : null;
            return hull ? edgesOf(hull.vertices, hull.triangles) : null;
        });
        this.hullEdges.forEach((edges, g) => {
            const at = blocks.geom(g);
            for (let i = 0; edges && i < edges.length; i += 6) {
                pointOfPose(p, blocks.data, at, edges[i], edges[i + 1], edges[i + 2]);
                pointOfPose(q, blocks.data, at, edges[i + 3], edges[i + 4], edges[i + 5]);
                this.notes.add(p[0], p[1], p[2], q[0], q[1], q[2], this.rgb.green, 0.8, 1);
            }
        });
    }

    addSites(blocks) {
        const d = blocks.data;
        this.description.sites?.forEach((site, k) => {
            const s = blocks.site(k);
            this.signs.add(d[s], d[s + 1], d[s + 2], DOT, this.rgb.axis, 1, 3.2);
        });
    }

    // ---- the pointer --------------------------------------------------------------------------------

    addHold(blocks, hold) {
        const d = blocks.data,
            known = d[HOLD] > 0;
        if (!known && !hold) {
            return;
        }
        const from = hold?.point ?? d,
            i = hold ? 0 : HOLD_POINT,
            to = hold?.target ?? d,
            j = hold ? 0 : HOLD_TARGET;
        addSpring(this.drag, from, i, to, j, this.normal, (this.flat ? 6 : 5) * this.perPixel, {
            rgb: this.rgb.hold,
            width: 2.2,
            rim: 1,
        });
        this.dragSigns.add(from[i], from[i + 1], from[i + 2], DOT, this.rgb.hold, 1, 4.5);
        this.dragSigns.add(to[j], to[j + 1], to[j + 2], PIN, this.rgb.hold, 1, 6);
    }

    fit(width, height, ratio, rim) {
        for (const part of this.parts) {
            part.fit(width, height, ratio, rim);
        }
    }

    dispose() {
        for (const part of this.parts) {
            part.dispose();
        }
    }
}

// out[o...] = the quaternion a[i...] times b
function multiply(out, o, a, i, b) {
    const w = a[i],
        x = a[i + 1],
        y = a[i + 2],
        z = a[i + 3];
    out[o] = w * b[0] - x * b[1] - y * b[2] - z * b[3];
    out[o + 1] = w * b[1] + x * b[0] + y * b[3] - z * b[2];
    out[o + 2] = w * b[2] - x * b[3] + y * b[0] + z * b[1];
    out[o + 3] = w * b[3] + x * b[2] - y * b[1] + z * b[0];
}
