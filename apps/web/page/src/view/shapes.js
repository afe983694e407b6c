// SPDX-License-Identifier: Apache-2.0
// Surfaces of unit size, and of meshes. `edge` is a coordinate in 0...1 on each face, whose ends are drawn as
// edges; `color` makes quarters of round things a little darker, so that one sees them turn.
import { BufferGeometry, Float32BufferAttribute } from 'three';

const DARKER = 0.84;

class Builder {
    constructor() {
        this.position = [];
        this.normal = [];
        this.edge = [];
        this.shade = [];
        this.index = [];
    }

    point(p, n, e, shade) {
        this.position.push(...p);
        this.normal.push(...n);
        this.edge.push(...e);
        this.shade.push(shade, shade, shade);
        return this.position.length / 3 - 1;
    }

    // a grid of (rows + 1) x (columns + 1) points; at(i, j) adds one
    grid(rows, columns, at) {
        const first = this.position.length / 3;
        for (let i = 0; i <= rows; i++) {
            for (let j = 0; j <= columns; j++) {
                at(i / rows, j / columns);
            }
        }
        for (let i = 0; i < rows; i++) {
            for (let j = 0; j < columns; j++) {
                const a = first + i * (columns + 1) + j,
                    b = a + columns + 1;
                this.index.push(a, a + 1, b + 1, a, b + 1, b);
            }
        }
    }

    build() {
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new Float32BufferAttribute(this.position, 3));
        geometry.setAttribute('normal', new Float32BufferAttribute(this.normal, 3));
        geometry.setAttribute('edge', new Float32BufferAttribute(this.edge, 2));
        geometry.setAttribute('color', new Float32BufferAttribute(this.shade, 3));
        geometry.setIndex(this.index);
        return geometry;
    }
}

function onCircle(turn) {
    return [Math.cos(2 * Math.PI * turn), Math.sin(2 * Math.PI * turn)];
}

/// A ball of radius 1, in eight parts of alternating shade. @param detail squares along a quarter
export function ball(detail = 10) {
    const b = new Builder();
    for (let part = 0; part < 8; part++) {
        const low = part >= 4,
            quarter = part % 4;
        const shade = (quarter + (low ? 1 : 0)) % 2 ? DARKER : 1;
        b.grid(detail, detail, (u, v) => {
            const up = 0.5 * Math.PI * (low ? u - 1 : u);
            const [c, s] = onCircle((quarter + v) / 4);
            const p = [Math.cos(up) * c, Math.cos(up) * s, Math.sin(up)];
            b.point(p, p, [0.5, 0.5], shade);
        });
    }
    return b.build();
}

/// The half z >= 0 of such a ball, in one shade.
export function dome() {
    const b = new Builder();
    b.grid(8, 28, (u, v) => {
        const [c, s] = onCircle(v);
        const p = [Math.cos(0.5 * Math.PI * u) * c, Math.cos(0.5 * Math.PI * u) * s, Math.sin(0.5 * Math.PI * u)];
        b.point(p, p, [0.5, 0.5], 1);
    });
    return b.build();
}

/// The side of a cylinder of radius 1 from z = -1 to 1.
export function tube() {
    const b = new Builder();
    b.grid(28, 1, (u, v) => {
        const [c, s] = onCircle(u);
        b.point([c, s, 1 - 2 * v], [c, s, 0], [0.5, 0.5], 1);
    });
    return b.build();
}

/// A cylinder of radius 1 from z = -1 to 1, in quarters of alternating shade.
export function cylinder() {
    const b = new Builder();
    for (let quarter = 0; quarter < 4; quarter++) {
        const shade = quarter % 2 ? DARKER : 1;
        b.grid(12, 1, (u, v) => {
            const [c, s] = onCircle((quarter + u) / 4);
            b.point([c, s, 1 - 2 * v], [c, s, 0], [0.5, v], shade);
        });
        for (const side of [1, -1]) {
            b.grid(1, 12, (u, v) => {
                const [c, s] = onCircle((quarter + (side > 0 ? v : 1 - v)) / 4);
                b.point([(1 - u) * c, (1 - u) * s, side], [0, 0, side], [1 - 0.5 * u, 0.5], shade);
            });
        }
    }
    return b.build();
}

/// A box with half extents 1.
export function box() {
    const b = new Builder();
    for (let axis = 0; axis < 3; axis++) {
        for (const side of [1, -1]) {
            const n = [0, 0, 0];
            n[axis] = side;
            const s = (axis + 1) % 3,
                t = (axis + 2) % 3;
            b.grid(1, 1, (u, v) => {
                const p = [0, 0, 0];
                p[axis] = side;
                p[s] = side > 0 ? 2 * v - 1 : 1 - 2 * v;
                p[t] = 2 * u - 1;
                b.point(p, n, [u, v], 1);
            });
        }
    }
    return b.build();
}

// ---- meshes -------------------------------------------------------------------------------------

const CREASE = Math.cos((38 * Math.PI) / 180); // faces that meet at a larger angle have an edge

function faceNormals(vertices, triangles) {
    const n = new Float32Array(triangles.length);
    for (let t = 0; t < triangles.length; t += 3) {
        const a = 3 * triangles[t],
            b = 3 * triangles[t + 1],
            c = 3 * triangles[t + 2];
        const ux = vertices[b] - vertices[a],
            uy = vertices[b + 1] - vertices[a + 1],
            uz = vertices[b + 2] - vertices[a + 2];
        const vx = vertices[c] - vertices[a],
            vy = vertices[c + 1] - vertices[a + 1],
            vz = vertices[c + 2] - vertices[a + 2];
        n[t] = uy * vz - uz * vy; // its length is twice the area, the weight in means
        n[t + 1] = uz * vx - ux * vz;
        n[t + 2] = ux * vy - uy * vx;
    }
    return n;
}

// The number of the first vertex at the same place, so that normals join over copies of vertices.
function weld(vertices) {
    const first = new Map(),
        welded = new Uint32Array(vertices.length / 3);
    let size = 0;
    for (const x of vertices) {
        size = Math.max(size, Math.abs(x));
    }
    const grain = 1e5 / (size || 1);
    for (let i = 0; i < welded.length; i++) {
        const key =
            `${Math.round(vertices[3 * i] * grain)},${Math.round(vertices[3 * i + 1] * grain)},` +
            Math.round(vertices[3 * i + 2] * grain);
        const there = first.get(key);
        welded[i] = there ?? i;
        if (there === undefined) {
            first.set(key, i);
        }
    }
    return welded;
}

// Lists of triangle corners by vertex: corners of vertex i are list[start[i]] ... list[start[i + 1] - 1].
function cornersByVertex(count, triangles, welded) {
    const start = new Uint32Array(count + 1),
        list = new Uint32Array(triangles.length);
    for (const i of triangles) {
        start[welded[i] + 1]++;
    }
    for (let i = 0; i < count; i++) {
        start[i + 1] += start[i];
    }
    const fill = start.slice();
    triangles.forEach((i, corner) => {
        list[fill[welded[i]]++] = corner;
    });
    return { start, list };
}

/// A surface of triangles whose normals are smooth except at creases.
export function surface(vertices, triangles) {
    const faces = faceNormals(vertices, triangles),
        welded = weld(vertices);
    const { start, list } = cornersByVertex(vertices.length / 3, triangles, welded);
    const position = new Float32Array(3 * triangles.length),
        normal = new Float32Array(3 * triangles.length);
    for (let corner = 0; corner < triangles.length; corner++) {
        const f = corner - (corner % 3),
            i = triangles[corner],
            w = welded[i];
        const fl = Math.hypot(faces[f], faces[f + 1], faces[f + 2]) || 1;
        let x = 0,
            y = 0,
            z = 0;
        for (let k = start[w]; k < start[w + 1]; k++) {
            const g = list[k] - (list[k] % 3);
            const gl = Math.hypot(faces[g], faces[g + 1], faces[g + 2]) || 1;
            const cosine =
                (faces[f] * faces[g] + faces[f + 1] * faces[g + 1] + faces[f + 2] * faces[g + 2]) / (fl * gl);
            if (cosine > CREASE) {
                x += faces[g];
                y += faces[g + 1];
                z += faces[g + 2];
            }
        }
        const length = Math.hypot(x, y, z) || 1;
        position.set(vertices.subarray(3 * i, 3 * i + 3), 3 * corner);
        normal[3 * corner] = x / length;
        normal[3 * corner + 1] = y / length;
        normal[3 * corner + 2] = z / length;
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(position, 3));
    geometry.setAttribute('normal', new Float32BufferAttribute(normal, 3));
    return geometry;
}

/// The edges of a surface between faces that are not in one plane, as pairs of points.
export function edgesOf(vertices, triangles) {
    const faces = faceNormals(vertices, triangles),
        welded = weld(vertices),
        seen = new Map(),
        pairs = [];
    const keep = (a, b) => {
        pairs.push(...vertices.subarray(3 * a, 3 * a + 3), ...vertices.subarray(3 * b, 3 * b + 3));
    };
    for (let corner = 0; corner < triangles.length; corner++) {
        const f = corner - (corner % 3);
        const a = welded[triangles[corner]],
            b = welded[triangles[f + ((corner + 1) % 3)]];
        const key = a < b ? `${a},${b}` : `${b},${a}`;
        const g = seen.get(key);
        if (g === undefined) {
            seen.set(key, f);
            continue;
        }
        const scale =
            Math.hypot(faces[f], faces[f + 1], faces[f + 2]) * Math.hypot(faces[g], faces[g + 1], faces[g + 2]);
        const dot = faces[f] * faces[g] + faces[f + 1] * faces[g + 1] + faces[f + 2] * faces[g + 2];
        if (!(dot > 0.999 * scale)) {
            keep(a, b);
        }
        seen.set(key, f);
    }
    return pairs;
}

/// The surface of a height field. size: half extents along x and y; data: heights in m, the row of least y first.
export function heightField({ columns, rows, size, data }) {
    const vertices = new Float32Array(3 * columns * rows),
        triangles = [];
    for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
            const o = 3 * (r * columns + c);
            vertices[o] = size[0] * ((2 * c) / (columns - 1) - 1);
            vertices[o + 1] = size[1] * ((2 * r) / (rows - 1) - 1);
            vertices[o + 2] = data[r * columns + c];
            if (r + 1 < rows && c + 1 < columns) {
                const a = r * columns + c,
                    b = a + columns;
                triangles.push(a, a + 1, b + 1, a, b + 1, b);
            }
        }
    }
    const geometry = surface(vertices, Uint32Array.from(triangles));
    // the cells' sides as edges, because an even grey does not show slopes
    const cell = [0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1];
    const edge = Float32Array.from({ length: 2 * triangles.length }, (_, k) => cell[k % cell.length]);
    geometry.setAttribute('edge', new Float32BufferAttribute(edge, 2));
    geometry.setAttribute('color', new Float32BufferAttribute(new Float32Array(3 * triangles.length).fill(1), 3));
    return geometry;
}
