// SPDX-License-Identifier: Apache-2.0
// Lines between the centres of mass of bodies with one name in two sims.
import { linear } from './many.js';
import { Segments } from './segments.js';

export class Difference {
    constructor(parent, one, other, flat) {
        const index = new Map(other.bodies.map((body, b) => [body.name, b]));
        this.pairs = [];
        one.bodies.forEach((body, b) => {
            // bodies without names go by their number
            const match = body.name ? index.get(body.name) : other.bodies[b] && !other.bodies[b].name ? b : undefined;
            if (b > 0 && match !== undefined) {
                this.pairs.push(b, match);
            }
        });
        this.lines = new Segments(parent, { order: 9, overlay: flat, hidden: flat ? 0 : 0.6 });
    }

    paint(theme) {
        this.rgb = linear(theme.difference);
    }

    update(blocks, others) {
        const d = blocks.data,
            e = others.data;
        this.lines.begin();
        for (let k = 0; k < this.pairs.length; k += 2) {
            const p = blocks.body(this.pairs[k]) + 7,
                q = others.body(this.pairs[k + 1]) + 7;
            if (d[p] !== e[q] || d[p + 1] !== e[q + 1] || d[p + 2] !== e[q + 2]) {
                this.lines.add(d[p], d[p + 1], d[p + 2], e[q], e[q + 1], e[q + 2], this.rgb, 1, 2.2, 0, 1);
            }
        }
        this.lines.end();
    }

    fit(width, height, ratio, rim) {
        this.lines.fit(width, height, ratio, rim);
    }

    dispose() {
        this.lines.dispose();
    }
}
