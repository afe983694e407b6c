// SPDX-License-Identifier: Apache-2.0
// One row of the plots' series from a frame.
import * as frames from './frames.js';
import { channels } from './series.js';

const length3 = (a, b, c) => Math.sqrt(a * a + b * b + c * c);

/** Sums over contacts; a frame without contacts has no gap. */
export function contactSums(frame) {
    const sums = { gap: NaN, impulse: 0, friction: 0, slipping: 0, slip: 0 };
    const count = frames.contacts(frame);
    for (let i = 0; i < count; i++) {
        const c = frames.contact(frame, i);
        if (!(sums.gap <= c.gap)) sums.gap = c.gap;
        sums.impulse += c.r[0];
        sums.friction += length3(0, c.r[1], c.r[2]);
        if (c.state === 'slip') {
            sums.slipping++;
            sums.slip = Math.max(sums.slip, length3(0, c.u[1], c.u[2]));
        }
    }
    return sums;
}

let row = new Float64Array(0);

/** The row of a frame in the order of the series' columns; the array is used again by the next call. */
export function sample(frame, series, compare) {
    if (row.length !== series.width) row = new Float64Array(series.width);
    const sums = contactSums(frame);
    const head = [
        frames.time(frame),
        frames.E(frame),
        frames.energy(frame),
        frames.kinetic(frame),
        frames.penetration(frame),
        frames.contacts(frame),
        sums.gap,
        sums.impulse,
        sums.friction,
        sums.slipping,
        sums.slip,
        frames.cost(frame),
        compare?.on ? compare.difference : NaN,
    ];
    row.set(head);
    const q = frames.q(frame),
        v = frames.v(frame);
    for (let j = channels.length; j < series.width; j++) {
        const column = series.columns[j];
        row[j] =
            column.body !== undefined
                ? frames.bodyPosition(frame, column.body, column.k)
                : column.q !== undefined
                  ? q[column.q]
                  : v[column.v];
    }
    return row;
}
