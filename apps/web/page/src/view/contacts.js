// SPDX-License-Identifier: Apache-2.0
// Contacts: points, normals, impulses and friction cones. A cone's height is the normal impulse, so that the tip of
// the impulse lies on the cone's lid: inside it when the contact sticks, on its rim when it slips.
//
//     open    grey ring                             no cone
//     stick   blue square                           cone with a lid
//     slip    orange triangle                       open cone, and an arrow along the slip
//     impact  vermilion star                        cone with a toothed rim
import { BufferGeometry, Float32BufferAttribute } from 'three';
import {
    C_GAP,
    C_GEOM1,
    C_GEOM2,
    C_MU,
    C_NORMAL,
    C_POINT,
    C_R,
    C_STATE,
    C_T1,
    C_T2,
    C_U,
    CONTACTS,
} from './blocks.js';
import { isMoving, stateColour } from './colours.js';
import { Glyphs } from './glyphs.js';
import { behind, linear, Many } from './many.js';
import { writeAxes } from './matrices.js';
import { Segments } from './segments.js';
import { glassMaterial } from './solids.js';

const STICK = 1,
    SLIP = 2,
    IMPACT = 3;
const ROUND = 40; // sides of a drawn circle
const TEETH = 12;
const MANY = 300; // contacts from which rims of circles, and what bodies hide, are left out
const HIDDEN = 0.55; // strength of what is behind bodies

const sections = {
    coulomb: 'circle',
    convex: 'circle',
    peiret: 'circumscribed',
    'peiret-acceleration': 'circumscribed',
};

/// The section of the friction cones: corners in the plane of t1 and t2 of the unit circle.
/// @return {corners: [[x, y]...], polygon: drawn with edges}
export function sectionOf({ planar, formulation, directions }) {
    if (planar && planar !== 'none') {
        return {
            corners: [
                [1, 0],
                [-1, 0],
            ],
            polygon: true,
        };
    }
    const kind = sections[formulation] ?? 'inscribed';
    const polygon = kind !== 'circle' && directions >= 3;
    const n = polygon ? directions : ROUND;
    const half = kind === 'circumscribed' && polygon ? Math.PI / n : 0;
    const corners = Array.from({ length: n }, (_, k) => {
        const a = (2 * Math.PI * k) / n + half;
        return [Math.cos(a) / Math.cos(half), Math.sin(a) / Math.cos(half)];
    });
    return { corners, polygon };
}

function triangles(points) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(points.flat(), 3));
    geometry.setAttribute(
        'normal',
        new Float32BufferAttribute(
            points.flatMap(() => [0, 0, 1]),
            3,
        ),
    );
    return geometry;
}

// Side and lid of the cone of height 1; of a planar cone the wedge, and a thin strip as its lid.
function coneSide({ corners }) {
    const points = [];
    corners.forEach(([x, y], k) => {
        const [p, q] = corners[(k + 1) % corners.length];
        if (corners.length > 2 || k === 0) {
            points.push([0, 0, 0], [p, q, 1], [x, y, 1]);
        }
    });
    return triangles(points);
}

function coneLid({ corners }) {
    const points = [];
    if (corners.length === 2) {
        points.push([-0.88, 0, 0.88], [0.88, 0, 0.88], [1, 0, 1], [-0.88, 0, 0.88], [1, 0, 1], [-1, 0, 1]);
    }
    for (let k = 1; k + 1 < corners.length; k++) {
        points.push([...corners[0], 1], [...corners[k], 1], [...corners[k + 1], 1]);
    }
    return triangles(points);
}

export class Contacts {
    constructor(parent, description) {
        this.description = description;
        this.section = sectionOf(description);
        this.flat = this.section.corners.length === 2;
        const bodyOf = (side) =>
            description.bodies[
                side < description.geoms.length
                    ? description.geoms[side].body
                    : (description.sites[side - description.geoms.length]?.body ?? 0)
            ];
        const sides = description.geoms.length + (description.sites?.length ?? 0);
        this.moves = Uint8Array.from({ length: sides }, (_, side) =>
            isMoving(bodyOf(side)) && !bodyOf(side).mocap ? 1 : 0,
        );
        const glass = (opacity, order, geometry) =>
            new Many(parent, geometry, glassMaterial(opacity, { depthTest: !this.flat }), {
                order,
                hidden: this.flat ? null : glassMaterial(opacity * HIDDEN, behind(opacity * HIDDEN)),
            });
        // figures have no depth: there, contacts are in front of everything
        const depth = this.flat ? { overlay: true } : { hidden: HIDDEN };
        this.sides = glass(0.2, 10, coneSide(this.section));
        this.lids = glass(0.3, 11, coneLid(this.section));
        this.rims = new Segments(parent, { order: 12, ...depth });
        this.lines = new Segments(parent, { order: 14, bias: 1e-5, ...depth });
        this.marks = new Glyphs(parent, { order: 16, bias: 2e-4, ...depth });
        this.parts = [this.sides, this.lids, this.rims, this.lines, this.marks];
        this.scale = 0;
        this.force = [0, 0, 0];
        this.tip = [0, 0, 0];
        this.rim = new Float64Array(3 * Math.max(this.section.corners.length, 2 * TEETH));
    }

    paint(theme) {
        this.colours = [0, 1, 2, 3].map((state) => linear(stateColour(state, theme.name)));
        this.ink = linear(theme.ink);
    }

    /// m per N s: as given, or such that the largest impulse of contacts that do not collide is about `unit`;
    /// it changes only when arrows become much too long or too short, so that they do not breathe.
    chooseScale(blocks, given, unit) {
        if (given > 0) {
            return given;
        }
        const d = blocks.data,
            n = d[CONTACTS];
        let most = 0,
            impact = 0;
        for (let k = 0; k < n; k++) {
            const c = blocks.contact(k),
                r = Math.hypot(d[c + C_R], d[c + C_R + 1], d[c + C_R + 2]);
            if (d[c + C_STATE] === IMPACT) {
                impact = Math.max(impact, r);
            } else {
                most = Math.max(most, r);
            }
        }
        const largest = most > 0 ? most : impact;
        if (largest > 0 && !(largest * this.scale > 0.35 * unit && largest * this.scale < 1.7 * unit)) {
            this.scale = unit / largest;
        }
        return this.scale;
    }

    /// @param unit m: length of a usual arrow @param shown {contacts, normals, forces, cones}
    update(blocks, shown, unit, forceScale) {
        for (const part of this.parts) {
            part.begin();
        }
        const n = blocks.present ? blocks.data[CONTACTS] : 0;
        this.unit = unit;
        this.perImpulse = this.chooseScale(blocks, forceScale, unit);
        this.many = n > MANY;
        this.markSize = n > 100 ? 2.8 : n > 30 ? 3.6 : 4.6;
        this.width = n > 100 ? 1.6 : n > 30 ? 2.2 : 2.8;
        for (let k = 0; k < n; k++) {
            this.addContact(blocks.data, blocks.contact(k), shown);
        }
        for (const part of this.parts) {
            part.end(true, n <= MANY);
        }
    }

    // Impulses act on geom2; they are drawn on the side that can move, on geom2 when both can.
    addContact(d, c, shown) {
        const state = d[c + C_STATE],
            rgb = this.colours[state] ?? this.colours[0];
        const side = this.moves[d[c + C_GEOM2]] ? 1 : -1;
        const open = !(state >= STICK);
        if (open && !(d[c + C_GAP] < 0.5 * this.unit)) {
            return;
        }
        if (shown.contacts) {
            this.marks.add(d[c + C_POINT], d[c + C_POINT + 1], d[c + C_POINT + 2], state, rgb, 1, this.markSize);
        }
        if (shown.normals) {
            this.addArrow(d, c + C_POINT, d, c + C_NORMAL, 0.8 * side * this.unit, this.ink, 0.55 * this.width);
        }
        if (open) {
            return;
        }
        const long = this.readForce(d, c, side);
        if (shown.cones && d[c + C_MU] > 0) {
            this.addCone(d, c, side, state, rgb, long);
        }
        if (shown.forces && long > 0) {
            this.addArrow(d, c + C_POINT, this.force, 0, 1, rgb, this.width);
        }
    }

    // The drawn impulse. Lengths above 2 units grow as a logarithm, so that a collision does not fill the picture.
    readForce(d, c, side) {
        const r = Math.hypot(d[c + C_R], d[c + C_R + 1], d[c + C_R + 2]),
            most = 2 * this.unit;
        const length = r * this.perImpulse;
        const drawn = length > most ? most * (1 + Math.log(length / most)) : length;
        const s = r > 0 ? (side * drawn) / r : 0;
        for (let k = 0; k < 3; k++) {
            this.force[k] =
                s *
                (d[c + C_R] * d[c + C_NORMAL + k] +
                    d[c + C_R + 1] * d[c + C_T1 + k] +
                    d[c + C_R + 2] * d[c + C_T2 + k]);
        }
        return drawn;
    }

    addArrow(from, p, v, o, s, rgb, width) {
        const x = from[p],
            y = from[p + 1],
            z = from[p + 2];
        this.lines.add(
            x,
            y,
            z,
            x + s * v[o],
            y + s * v[o + 1],
            z + s * v[o + 2],
            rgb,
            1,
            width,
            3.6 * width + 1.5,
            1,
        );
    }

    addCone(d, c, side, state, rgb, long) {
        const n = c + C_NORMAL,
            f = this.force;
        const along = side * (f[0] * d[n] + f[1] * d[n + 1] + f[2] * d[n + 2]),
            mu = d[c + C_MU];
        // wide cones are cut lower, because their rim says less than it hides
        const h = Math.min(
            Math.max(along, 0.3 * this.unit),
            ((along > 0.3 * this.unit ? 1.3 : 0.6) * this.unit) / mu,
        );
        this.place(this.sides, d, c, side, mu * h, h, rgb);
        if (state === STICK) {
            this.place(this.lids, d, c, side, mu * h, h, rgb);
        }
        if (!this.many || this.section.polygon) {
            this.addRim(d, c, side, state, rgb, mu * h, h);
        }
        if (state === SLIP && long > 0) {
            this.addSlip(d, c, rgb);
        }
    }

    place(many, d, c, side, radius, height, rgb) {
        const i = many.next();
        writeAxes(
            many.matrix,
            16 * i,
            d,
            c + C_T1,
            c + C_T2,
            c + C_NORMAL,
            c + C_POINT,
            radius,
            radius,
            side * height,
        );
        many.paint(i, rgb);
    }

    addRim(d, c, side, state, rgb, radius, height) {
        const { corners, polygon } = this.section,
            toothed = state === IMPACT && !this.flat;
        const count = toothed ? 2 * TEETH : corners.length,
            rim = this.rim,
            width = 0.45 * this.width;
        for (let k = 0; k < count; k++) {
            const turn = (Math.PI * k) / TEETH,
                tooth = k % 2 ? 1.18 : 0.92;
            const x = radius * (toothed ? tooth * Math.cos(turn) : corners[k][0]);
            const y = radius * (toothed ? tooth * Math.sin(turn) : corners[k][1]);
            for (let i = 0; i < 3; i++) {
                rim[3 * k + i] =
                    d[c + C_POINT + i] +
                    side * height * d[c + C_NORMAL + i] +
                    x * d[c + C_T1 + i] +
                    y * d[c + C_T2 + i];
            }
        }
        const closed = !this.flat || state === STICK;
        for (let k = 0; k < count; k++) {
            const p = 3 * k,
                q = 3 * ((k + 1) % count);
            if (closed && !(this.flat && k > 0)) {
                this.rims.add(rim[p], rim[p + 1], rim[p + 2], rim[q], rim[q + 1], rim[q + 2], rgb, 0.9, width);
            }
            if (polygon && !toothed && count <= 16) {
                this.rims.add(
                    d[c + C_POINT],
                    d[c + C_POINT + 1],
                    d[c + C_POINT + 2],
                    rim[p],
                    rim[p + 1],
                    rim[p + 2],
                    rgb,
                    0.7,
                    0.8 * width,
                );
            }
        }
        if (this.flat && state === IMPACT) {
            this.addTeeth(rim, d, c, side, height, rgb, width);
        }
    }

    // the toothed end of a wedge
    addTeeth(rim, d, c, side, height, rgb, width) {
        const n = c + C_NORMAL,
            count = 6;
        for (let k = 0; k < count; k++) {
            for (let i = 0; i < 3; i++) {
                const at = (s) =>
                    rim[i] + (rim[3 + i] - rim[i]) * (s / count) + (s % 2 ? 0.14 * side * height * d[n + i] : 0);
                this.force[i] = at(k);
                this.tip[i] = at(k + 1);
            }
            this.rims.add(...this.force, ...this.tip, rgb, 0.9, width);
        }
        this.readForce(d, c, side);
    }

    // the direction of the slip of geom2 over geom1
    addSlip(d, c, rgb) {
        const a = d[c + C_U + 1],
            b = d[c + C_U + 2],
            speed = Math.hypot(a, b);
        if (!(speed > 0)) {
            return;
        }
        const side = this.moves[d[c + C_GEOM2]] ? 1 : -1;
        const s = (side * 0.8 * this.unit) / speed;
        for (let k = 0; k < 3; k++) {
            this.tip[k] = s * (a * d[c + C_T1 + k] + b * d[c + C_T2 + k]);
        }
        const p = c + C_POINT;
        this.lines.add(
            d[p],
            d[p + 1],
            d[p + 2],
            d[p] + this.tip[0],
            d[p + 1] + this.tip[1],
            d[p + 2] + this.tip[2],
            rgb,
            1,
            0.6 * this.width,
            3 * this.width,
            1,
        );
    }

    fit(width, height, ratio, rim) {
        for (const part of [this.rims, this.lines, this.marks]) {
            part.fit(width, height, ratio, rim);
        }
    }

    dispose() {
        for (const part of this.parts) {
            part.dispose();
        }
    }
}
