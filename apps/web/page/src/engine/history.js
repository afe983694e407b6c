// SPDX-License-Identifier: Apache-2.0
// The states that a session can return to: a ring of snapshots, each with the input of the step that led to it. Memory
// of old entries is used again, so that a long run does not grow.

const MOST_ENTRIES = 4000;
const MOST_BYTES = 32 << 20;

export class History {
    constructor() {
        this.clear();
    }

    clear() {
        this.slots = [];
        this.first = 0; // slot of the oldest entry
        this.count = 0;
        this.index = -1; // of the present state
    }

    // How many entries there is room for, by the size of one.
    room(size) {
        return Math.max(2, Math.min(MOST_ENTRIES, Math.floor(MOST_BYTES / Math.max(size, 1))));
    }

    slot(i) {
        return this.slots[(this.first + i) % this.slots.length];
    }

    // Keep a state after the present one; entries after it are dropped.
    // @param bytes of the snapshot, copied  @param input {ctrl, hold} of the step, ctrl is copied
    push(bytes, steps, input) {
        this.count = this.index + 1;
        if (this.count >= this.room(bytes.length)) {
            this.first = (this.first + 1) % this.slots.length;
            this.count--;
        }
        if (this.count === this.slots.length) {
            this.grow();
        }
        const slot = this.slot(this.count);
        if (!slot.memory || slot.memory.length < bytes.length || slot.memory.length > 4 * bytes.length) {
            slot.memory = new Uint8Array(Math.ceil(bytes.length * 1.25));
        }
        slot.memory.set(bytes);
        slot.size = bytes.length;
        slot.steps = steps;
        slot.ctrl = input.ctrl.length > 0 ? input.ctrl.slice() : input.ctrl;
        slot.hold = input.hold;
        this.index = this.count++;
    }

    // Room for more entries, the oldest one first again.
    grow() {
        const entries = [];
        for (let i = 0; i < this.count; i++) {
            entries.push(this.slot(i));
        }
        this.first = 0;
        this.slots = entries;
        for (let i = 0, more = Math.max(64, this.count); i < more; i++) {
            this.slots.push({});
        }
    }

    entry(i) {
        const slot = this.slot(i);
        return { bytes: slot.memory.subarray(0, slot.size), steps: slot.steps, ctrl: slot.ctrl, hold: slot.hold };
    }
}
