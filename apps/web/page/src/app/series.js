// SPDX-License-Identifier: Apache-2.0
// What plots show: one row a displayed frame in one buffer of fixed size. When it is full, every second row goes, so
// that
// a run of any length fits; of columns marked `largest` the larger of two neighbours stays, so that no peak is lost.

/** Columns that every scene has; coordinates and body positions follow. */
export const channels = [
    { key: 't', label: 'time', unit: 's' },
    { key: 'E', label: 'E', unit: '', largest: true },
    { key: 'energy', label: 'energy', unit: 'J' },
    { key: 'kinetic', label: 'kinetic energy', unit: 'J' },
    { key: 'penetration', label: 'overlap', unit: 'm', largest: true },
    { key: 'contacts', label: 'contacts', unit: '' },
    { key: 'gap', label: 'smallest gap', unit: 'm' },
    { key: 'impulse', label: 'sum of normal impulses', unit: 'N s', largest: true },
    { key: 'friction', label: 'sum of friction impulses', unit: 'N s', largest: true },
    { key: 'slipping', label: 'slipping contacts', unit: '' },
    { key: 'slip', label: 'largest slip speed', unit: 'm/s', largest: true },
    { key: 'cost', label: 'time of a step', unit: 's' },
    { key: 'difference', label: 'difference to the other run', unit: 'm', largest: true },
];

const BUDGET = 400_000; // numbers in the buffer: 3.2 MB
const MOST_ROWS = 4000;
const LEAST_ROWS = 400;

export class Series {
    constructor() {
        this.begin(null);
    }

    /** Columns of a model: q, v and the positions of moving bodies, as far as they fit. */
    begin(description) {
        const columns = [...channels];
        const room = Math.floor(BUDGET / LEAST_ROWS) - columns.length;
        const wanted = description ? coordinates(description) : [];
        this.columns = [...columns, ...wanted.slice(0, room)];
        this.index = new Map(this.columns.map((column, i) => [column.key, i]));
        this.width = this.columns.length;
        this.room = Math.min(MOST_ROWS, Math.floor(BUDGET / this.width)) & ~1;
        const size = this.room * this.width;
        if (!this.data || this.data.length < size) this.data = new Float64Array(size);
        this.clear();
    }

    clear() {
        this.rows = 0;
        this.stride = 1;
        this.skipped = 0;
        this.version = (this.version ?? 0) + 1;
    }

    get last() {
        return this.rows ? this.data[(this.rows - 1) * this.width] : -Infinity;
    }

    /** Rows at and after this time go: the run went back and takes another way. */
    cut(time) {
        while (this.rows && this.data[(this.rows - 1) * this.width] >= time - 1e-12) this.rows--;
        this.version++;
    }

    /** One row: an array of numbers in the order of `columns`; times must grow. */
    add(row) {
        if (row[0] <= this.last) this.cut(row[0]);
        if (++this.skipped < this.stride && this.rows > 0) {
            this.#merge(row);
            this.version++;
            return;
        }
        this.skipped = 0;
        if (this.rows === this.room) this.#halve();
        this.data.set(row.subarray ? row.subarray(0, this.width) : row.slice(0, this.width), this.rows * this.width);
        this.rows++;
        this.version++;
    }

    /** Sets one number of the newest row. */
    patch(key, value) {
        if (this.rows === 0) return;
        this.data[(this.rows - 1) * this.width + this.index.get(key)] = value;
        this.version++;
    }

    #merge(row) {
        const base = (this.rows - 1) * this.width;
        this.columns.forEach((column, j) => {
            if (column.largest && row[j] > this.data[base + j]) this.data[base + j] = row[j];
        });
    }

    #halve() {
        const { data, width } = this;
        for (let i = 0; i < this.rows / 2; i++) {
            const a = 2 * i * width,
                b = a + width,
                to = i * width;
            for (let j = 0; j < width; j++) {
                data[to + j] = this.columns[j].largest ? Math.max(data[a + j], data[b + j]) : data[a + j];
            }
        }
        this.rows /= 2;
        this.stride *= 2;
    }

    /** One column as an array for a plot. */
    column(key) {
        const j = this.index.get(key);
        const out = new Float64Array(this.rows);
        if (j === undefined) return out.fill(NaN);
        for (let i = 0; i < this.rows; i++) out[i] = this.data[i * this.width + j];
        return out;
    }

    /** The row nearest to a time, -1 without rows. */
    at(time) {
        let low = 0,
            high = this.rows - 1;
        if (high < 0) return -1;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.data[middle * this.width] < time) low = middle + 1;
            else high = middle;
        }
        const here = this.data[low * this.width],
            before = low ? this.data[(low - 1) * this.width] : -Infinity;
        return low && time - before < here - time ? low - 1 : low;
    }

    value(row, key) {
        const j = this.index.get(key);
        return row < 0 || j === undefined ? NaN : this.data[row * this.width + j];
    }
}

const QUAT = ['w', 'x', 'y', 'z'],
    AXES = ['x', 'y', 'z'];

/** Names of one joint's coordinates: q then v. */
function jointNames(joint, size) {
    const name = joint.name || 'joint';
    if (size === 1) return [name];
    if (size === 7) return [...AXES, ...QUAT.map((a) => `q${a}`)].map((a) => `${name}.${a}`);
    if (size === 4) return QUAT.map((a) => `${name}.q${a}`);
    return Array.from({ length: size }, (_, i) => `${name}.${i < 3 && size !== 6 ? AXES[i] : i}`);
}

/** Columns q[i], v[i] and NAME.x y z of moving bodies. */
export function coordinates(description) {
    const out = [];
    const labels = (count, start) => {
        const names = new Array(count).fill('');
        const sorted = [...description.joints].sort((a, b) => a[start] - b[start]);
        sorted.forEach((joint, i) => {
            const from = joint[start],
                to = sorted[i + 1]?.[start] ?? count;
            jointNames(joint, to - from).forEach((name, k) => {
                if (from + k < count) names[from + k] = name;
            });
        });
        return names;
    };
    description.bodies.forEach((body, b) => {
        if (body.fixed || (body.parent < 0 && b === 0 && !body.mass && !body.mocap)) return;
        AXES.forEach((axis, k) =>
            out.push({ key: `body${b}.${axis}`, label: `${body.name || `body ${b}`}.${axis}`, unit: 'm', body: b, k }),
        );
    });
    labels(description.nq, 'q').forEach((name, i) =>
        out.push({ key: `q${i}`, label: `q ${name || i}`, unit: '', q: i }),
    );
    labels(description.nv, 'v').forEach((name, i) =>
        out.push({ key: `v${i}`, label: `v ${name || i}`, unit: '', v: i }),
    );
    return out;
}
