// SPDX-License-Identifier: Apache-2.0
// The box around everything that moves, frame by frame and without making objects.
import { isMoving } from './colours.js';
import { barsOf, endsOf } from './reach.js';

const ends = new Float64Array(192);

export class Extent {
    /// @param radii of the geoms about their origins
    constructor(description, radii) {
        this.radii = radii;
        this.geoms = [];
        description.geoms.forEach((geom, k) => {
            if (isMoving(description.bodies[geom.body]) && radii[k] < Infinity) {
                this.geoms.push(k);
            }
        });
        this.bars = barsOf(description);
        // in a planar world the box is what is seen; in space seldom anything is in its corners
        this.filled = description.planar && description.planar !== 'none' ? 0.5 : 0.42;
        if (!this.geoms.length && !this.bars.length) {
            this.geoms = description.geoms.map((_, k) => k).filter((k) => radii[k] < Infinity);
        }
        this.low = new Float64Array(3);
        this.high = new Float64Array(3);
        this.middle = new Float64Array(3);
        this.radius = 0;
        this.corner = new Float64Array(32);
    }

    update(blocks) {
        this.low.fill(Infinity);
        this.high.fill(-Infinity);
        for (const k of this.geoms) {
            this.take(blocks.data, blocks.geom(k), this.radii[k]);
        }
        for (const bar of this.bars) {
            this.take(blocks.data, blocks.body(bar.body) + 7, 0);
            for (let k = endsOf(bar, blocks, ends) - 1; k >= 0; k--) {
                this.take(ends, 3 * k, 0);
            }
        }
        let size = 0;
        for (let i = 0; i < 3; i++) {
            if (!(this.low[i] <= this.high[i])) {
                this.low[i] = this.high[i] = 0;
            }
            this.middle[i] = 0.5 * (this.low[i] + this.high[i]);
            size += (this.high[i] - this.low[i]) ** 2;
        }
        this.radius = 0.5 * Math.sqrt(size);
    }

    take(d, p, r) {
        for (let i = 0; i < 3; i++) {
            this.low[i] = Math.min(this.low[i], d[p + i] - r);
            this.high[i] = Math.max(this.high[i], d[p + i] + r);
        }
    }

    /// Nearly the box's corners, as balls without radius.
    corners() {
        for (let c = 0; c < 8; c++) {
            for (let i = 0; i < 3; i++) {
                const half = this.filled * (this.high[i] - this.low[i]);
                this.corner[4 * c + i] = this.middle[i] + (c & (1 << i) ? half : -half);
            }
        }
        return this.corner;
    }
}
