// SPDX-License-Identifier: Apache-2.0
// A frame that the drawing keeps: its numbers are copied, because the worker takes its buffer back. Numbers are read by
// their place, because a picture of 3,000 contacts should not make 3,000 objects.
import { CONTACT, HEAD, HEAD_SIZE, SIZES } from '../engine/frame.js';

export const {
    point: C_POINT,
    normal: C_NORMAL,
    t1: C_T1,
    t2: C_T2,
    gap: C_GAP,
    mu: C_MU,
    impulse: C_R,
    velocity: C_U,
    geom1: C_GEOM1,
    geom2: C_GEOM2,
    state: C_STATE,
} = CONTACT;

const place = (name) => HEAD.indexOf(name);
export const TIME = place('time'),
    CONTACTS = place('contactCount'),
    HOLD = place('holding'),
    HOLD_POINT = place('holdX'),
    HOLD_TARGET = place('targetX'),
    TENDON_POINTS = place('tendonPointCount'),
    TENDON_POINT = SIZES.tendonPoint;
const BODIES = place('bodyCount'),
    GEOMS = place('geomCount'),
    JOINTS = place('jointCount'),
    SITES = place('siteCount'),
    NQ = place('nq'),
    NV = place('nv'),
    NU = place('nu');

/// Offsets of the blocks of a frame in `data`.
export class Blocks {
    constructor() {
        this.data = new Float64Array(HEAD_SIZE);
        this.present = false;
        this.locate();
    }

    /// @param frame a Frame, or its numbers
    copy(frame) {
        const source = frame.numbers ?? frame;
        if (this.data.length < source.length) {
            this.data = new Float64Array(Math.ceil(source.length * 1.25));
        }
        this.data.set(source);
        this.present = true;
        this.locate();
    }

    locate() {
        const d = this.data;
        this.bodies = HEAD_SIZE;
        this.geoms = this.bodies + SIZES.body * d[BODIES];
        this.joints = this.geoms + SIZES.geom * d[GEOMS];
        this.sites = this.joints + SIZES.joint * d[JOINTS];
        this.contacts = this.sites + SIZES.site * d[SITES];
        this.q = this.contacts + SIZES.contact * d[CONTACTS];
        this.tendons = this.q + d[NQ] + d[NV] + d[NU];
    }

    body(i) {
        return this.bodies + SIZES.body * i;
    }
    geom(i) {
        return this.geoms + SIZES.geom * i;
    }
    joint(i) {
        return this.joints + SIZES.joint * i;
    }
    site(i) {
        return this.sites + SIZES.site * i;
    }
    contact(i) {
        return this.contacts + SIZES.contact * i;
    }
}
