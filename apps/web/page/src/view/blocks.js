// SPDX-License-Identifier: Apache-2.0
// A frame that the drawing keeps: its numbers are copied, because the worker takes its buffer back.

export const TIME = 0, STEPS = 1, OUTCOME = 2, CONTACTS = 7, BODIES = 8, GEOMS = 9, JOINTS = 10, SITES = 11,
    NQ = 12, NV = 13, NU = 14, HOLD = 20, HOLD_POINT = 21, HOLD_TARGET = 24, WORST = 27, TENDON_POINTS = 30;

export const HEAD = 32, BODY = 13, GEOM = 7, JOINT = 6, SITE = 3, CONTACT = 24, TENDON_POINT = 4;

// numbers within the record of a contact
export const C_GEOM1 = 0, C_GEOM2 = 1, C_STATE = 2, C_POINT = 4, C_NORMAL = 7, C_T1 = 10, C_T2 = 13,
    C_GAP = 16, C_MU = 17, C_R = 18, C_U = 21;

/// Offsets of the blocks of a frame in `data`.
export class Blocks {
    constructor() {
        this.data = new Float64Array(HEAD);
        this.present = false;
        this.locate();
    }

    /// @param frame a Float64Array laid out as docs/page.md says, or an object with one as `data`
    copy(frame) {
        const source = frame.data ?? frame;
        if (this.data.length < source.length) {
            this.data = new Float64Array(Math.ceil(source.length * 1.25));
        }
        this.data.set(source);
        this.present = true;
        this.locate();
    }

    locate() {
        const d = this.data;
        this.bodies = HEAD;
        this.geoms = this.bodies + BODY * d[BODIES];
        this.joints = this.geoms + GEOM * d[GEOMS];
        this.sites = this.joints + JOINT * d[JOINTS];
        this.contacts = this.sites + SITE * d[SITES];
        this.q = this.contacts + CONTACT * d[CONTACTS];
        this.tendons = this.q + d[NQ] + d[NV] + d[NU];
    }

    body(i) { return this.bodies + BODY * i; }
    geom(i) { return this.geoms + GEOM * i; }
    joint(i) { return this.joints + JOINT * i; }
    site(i) { return this.sites + SITE * i; }
    contact(i) { return this.contacts + CONTACT * i; }
}
