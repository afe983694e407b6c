// SPDX-License-Identifier: Apache-2.0
// The last frame as the panels read it. Its numbers are copied, because the worker takes its buffer back.
import { HEAD, HEAD_SIZE, SIZES, BODY, CONTACT, CONTACT_STATES } from '../engine/frame.js';

/** A copy of one frame in memory that is used again. */
export class Kept {
    /** @param frame a frame of the engine, or its numbers */
    take(frame) {
        const source = frame.numbers ?? frame;
        if (!this.data || this.data.length < source.length)
            this.data = new Float64Array(Math.ceil(source.length * 1.25));
        const d = this.data;
        d.set(source);
        this.contacts =
            HEAD_SIZE +
            SIZES.body * bodies(this) +
            SIZES.geom * geoms(this) +
            SIZES.joint * joints(this) +
            SIZES.site * sites(this);
        this.q = this.contacts + SIZES.contact * contacts(this);
        this.numbers = d.subarray(0, source.length); // as the drawing reads it
        return this;
    }
}

function head(name) {
    const i = HEAD.indexOf(name);
    return (frame) => frame.data[i];
}
export const time = head('time'),
    steps = head('steps'),
    outcome = head('outcome'),
    E = head('E'),
    energy = head('energy');
export const kinetic = head('kinetic'),
    penetration = head('maxPenetration'),
    contacts = head('contactCount');
export const bodies = head('bodyCount'),
    geoms = head('geomCount'),
    joints = head('jointCount'),
    sites = head('siteCount');
export const nq = head('nq'),
    nv = head('nv'),
    nu = head('nu'),
    reason = head('reason'),
    cost = head('stepSeconds');
export const factor = head('factor'),
    index = head('index'),
    count = head('count'),
    held = head('holding'),
    iterations = head('iterations');

export const bodyPosition = (frame, body, k) => frame.data[HEAD_SIZE + SIZES.body * body + BODY.position + k];
export const q = (frame) => frame.data.subarray(frame.q, frame.q + nq(frame));
export const v = (frame) => frame.data.subarray(frame.q + nq(frame), frame.q + nq(frame) + nv(frame));
export const ctrl = (frame) =>
    frame.data.subarray(frame.q + nq(frame) + nv(frame), frame.q + nq(frame) + nv(frame) + nu(frame));

/** A contact's numbers by name; the object is used again by the next call. */
const one = { state: '', gap: 0, mu: 0, geom1: 0, geom2: 0, r: null, u: null };
export function contact(frame, i) {
    const at = frame.contacts + SIZES.contact * i;
    const d = frame.data;
    one.geom1 = d[at + CONTACT.geom1];
    one.geom2 = d[at + CONTACT.geom2];
    one.state = CONTACT_STATES[d[at + CONTACT.state]] ?? 'open';
    one.gap = d[at + CONTACT.gap];
    one.mu = d[at + CONTACT.mu];
    one.r = d.subarray(at + CONTACT.impulse, at + CONTACT.impulse + 3);
    one.u = d.subarray(at + CONTACT.velocity, at + CONTACT.velocity + 3);
    return one;
}
