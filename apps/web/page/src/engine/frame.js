// SPDX-License-Identifier: Apache-2.0
// The layout of a frame (docs/page.md). A Frame shows a buffer of numbers without copying them.

// Numbers of the head, in order.
export const HEAD = [
    'time', 'steps', 'outcome', 'E', 'energy', 'kinetic', 'maxPenetration', 'contactCount', 'bodyCount', 'geomCount',
    'jointCount', 'siteCount', 'nq', 'nv', 'nu', 'reason', 'stepSeconds', 'factor', 'index', 'count', 'holding',
    'holdX', 'holdY', 'holdZ', 'targetX', 'targetY', 'targetZ', 'worstContact', 'iterations', 'springCount',
    'tendonPointCount', 'reserved',
];

export const HEAD_SIZE = 32;

// Numbers of one element of a block.
export const SIZES = { body: 13, geom: 7, joint: 6, site: 3, contact: 24, tendonPoint: 4 };

// Offsets within one element.
export const BODY = { position: 0, quaternion: 3, com: 7, velocity: 10 };
export const GEOM = { position: 0, quaternion: 3 };
export const JOINT = { anchor: 0, axis: 3 };
export const CONTACT = {
    geom1: 0, geom2: 1, state: 2, condim: 3, point: 4, normal: 7, t1: 10, t2: 13, gap: 16, mu: 17, impulse: 18,
    velocity: 21,
};
export const TENDON_POINT = { tendon: 0, point: 1 };

export const CONTACT_STATES = ['open', 'stick', 'slip', 'impact'];
export const OUTCOMES = ['certified', 'flagged', 'budget', 'uncertified'];

export class Frame {
    // @param numbers a Float64Array, which the frame keeps
    constructor(numbers) {
        this.numbers = numbers;
        let at = HEAD_SIZE;
        const block = (size) => {
            const view = numbers.subarray(at, at + size);
            at += size;
            return view;
        };
        this.bodies = block(SIZES.body * this.bodyCount);
        this.geoms = block(SIZES.geom * this.geomCount);
        this.joints = block(SIZES.joint * this.jointCount);
        this.sites = block(SIZES.site * this.siteCount);
        this.contacts = block(SIZES.contact * this.contactCount);
        this.q = block(this.nq);
        this.v = block(this.nv);
        this.ctrl = block(this.nu);
        this.tendonPoints = block(SIZES.tendonPoint * this.tendonPointCount);
    }

    get holdPoint() {
        return this.numbers.subarray(21, 24);
    }

    get holdTarget() {
        return this.numbers.subarray(24, 27);
    }

    // 13 numbers of a body; geom, joint, site and contact likewise
    body(i) {
        return this.bodies.subarray(SIZES.body * i, SIZES.body * (i + 1));
    }

    geom(i) {
        return this.geoms.subarray(SIZES.geom * i, SIZES.geom * (i + 1));
    }

    joint(i) {
        return this.joints.subarray(SIZES.joint * i, SIZES.joint * (i + 1));
    }

    site(i) {
        return this.sites.subarray(SIZES.site * i, SIZES.site * (i + 1));
    }

    contact(i) {
        return this.contacts.subarray(SIZES.contact * i, SIZES.contact * (i + 1));
    }

    // A frame of its own memory: the buffer of a shown frame goes back to the worker.
    copy() {
        return new Frame(this.numbers.slice());
    }
}

HEAD.forEach((name, i) => {
    Object.defineProperty(Frame.prototype, name, {
        get() {
            return this.numbers[i];
        },
    });
});
