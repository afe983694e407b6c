// SPDX-License-Identifier: Apache-2.0
// Paths of centres of mass over the shown frames. A frame of an earlier time cuts them there.
import { TIME } from './blocks.js';
import { bodyColour, colourOrder, isMoving } from './colours.js';
import { linear } from './many.js';
import { Segments } from './segments.js';

const POINTS = 400; // of a path; then every other one is dropped
const MOST_BODIES = 48;

export class Paths {
    constructor(parent, description, flat) {
        this.lines = new Segments(parent, { order: flat ? 2 : 4, overlay: false });
        this.bodies = [];
        description.bodies.forEach((body, b) => {
            if (b > 0 && isMoving(body) && body.mass > 0 && this.bodies.length < MOST_BODIES) {
                this.bodies.push(b);
            }
        });
        this.order = colourOrder(description.bodies, flat);
        this.at = new Float64Array(3 * POINTS * this.bodies.length);
        this.time = new Float64Array(POINTS);
        this.count = 0;
        this.stride = 0; // s between kept points, 0: every frame
    }

    paint(theme) {
        this.colours = this.bodies.map((b) => {
            const rgb = linear(bodyColour(this.order[b], theme, false));
            const ink = linear(theme.path);
            return rgb.map((c, k) => 0.55 * c + 0.45 * ink[k]);
        });
    }

    clear() {
        this.count = 0;
        this.stride = 0;
    }

    /// Keeps the positions of a frame.
    record(blocks) {
        const now = blocks.data[TIME];
        while (this.count > 0 && this.time[this.count - 1] >= now) {
            this.count--;
        }
        if (this.count > 0 && now - this.time[this.count - 1] < this.stride) {
            return;
        }
        if (this.count === POINTS) {
            this.thin();
        }
        this.time[this.count] = now;
        this.bodies.forEach((b, k) => {
            const c = blocks.body(b) + 7,
                o = 3 * (k * POINTS + this.count);
            for (let i = 0; i < 3; i++) {
                this.at[o + i] = blocks.data[c + i];
            }
        });
        this.count++;
    }

    thin() {
        const half = POINTS / 2;
        for (let j = 0; j < half; j++) {
            this.time[j] = this.time[2 * j];
            for (let k = 0; k < this.bodies.length; k++) {
                this.at.copyWithin(3 * (k * POINTS + j), 3 * (k * POINTS + 2 * j), 3 * (k * POINTS + 2 * j + 1));
            }
        }
        this.count = half;
        this.stride = this.time[half - 1] - this.time[half - 2];
    }

    update(blocks, shown) {
        const { lines, at } = this,
            d = blocks.data;
        lines.begin();
        for (let k = 0; shown && k < this.bodies.length; k++) {
            for (let j = 0; j < this.count; j++) {
                const o = 3 * (k * POINTS + j),
                    last = j + 1 === this.count;
                const e = last ? blocks.body(this.bodies[k]) + 7 : o + 3,
                    next = last ? d : at;
                lines.add(at[o], at[o + 1], at[o + 2], next[e], next[e + 1], next[e + 2], this.colours[k], 0.9, 1.8);
            }
        }
        lines.end();
    }

    fit(width, height, ratio, rim) {
        this.lines.fit(width, height, ratio, rim);
    }

    dispose() {
        this.lines.dispose();
    }
}
