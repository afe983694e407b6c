// SPDX-License-Identifier: Apache-2.0
// The engine as the page sees it: every call is a promise, and frames arrive at a callback. docs/page.md lists the
// calls. This is the only file that posts messages to the worker.
import { Frame } from './frame.js';

const nextPaint = typeof requestAnimationFrame === 'function' ? requestAnimationFrame : (call) => setTimeout(call, 0);

export class Engine {
    // @param onFrame receives a Frame, whose numbers stay until the next one arrives; frame.copy() keeps them
    // @param onState receives {running, speed, factor, index, count, recording, stopped}
    constructor({ onFrame = () => {}, onState = () => {} } = {}) {
        this.onFrame = onFrame;
        this.onState = onState;
        this.pending = new Map();
        this.lastId = 0;
        this.shown = null; // numbers of the last frame
        this.worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
        this.worker.onmessage = ({ data }) => this.receive(data);
        this.worker.onerror = (event) => this.fail(event.message || 'the worker cannot start');
    }

    close() {
        this.worker.terminate();
        this.fail('the engine is closed');
    }

    // Reject every call that waits, and every later one.
    fail(message) {
        this.failed = message;
        this.pending.forEach(({ reject }) => reject(new Error(message)));
        this.pending.clear();
    }

    receive(data) {
        if (data.frame) {
            this.receiveFrame(data.frame);
        } else if (data.state) {
            this.onState(data.state);
        } else if (data.ready === false) {
            this.fail(data.error);
        } else if (data.id !== undefined) {
            const { resolve, reject } = this.pending.get(data.id);
            this.pending.delete(data.id);
            if (data.error !== undefined) {
                reject(new Error(data.error));
            } else {
                resolve(data.result);
            }
        }
    }

    // Show a frame. The worker goes on after the next paint, and gets the memory of the frame before.
    receiveFrame(numbers) {
        const old = this.shown;
        this.shown = numbers;
        nextPaint(() => {
            const memory = old ? old.buffer : null;
            this.worker.postMessage({ ack: true, memory }, memory ? [memory] : []);
        });
        this.onFrame(new Frame(numbers));
    }

    call(call, ...args) {
        if (this.failed) {
            return Promise.reject(new Error(this.failed));
        }
        return new Promise((resolve, reject) => {
            const id = ++this.lastId;
            this.pending.set(id, { resolve, reject });
            this.worker.postMessage({ id, call, args });
        });
    }

    load(what) {
        // the worker lies in another folder than the page
        const base = typeof what.base === 'string' ? new URL(what.base, document.baseURI).href : what.base;
        return this.call('load', { ...what, base });
    }

    set(path, value) { return this.call('set', path, value); }
    options(changes) { return this.call('options', changes); }
    run(on = true) { return this.call('run', on); }
    speed(factor) { return this.call('speed', factor); }
    step(n = 1) { return this.call('step', n); }
    back(n = 1) { return this.call('back', n); }
    seek(index) { return this.call('seek', index); }
    reset(keyframe) { return this.call('reset', keyframe); }
    ctrl(values) { return this.call('ctrl', values); }
    hold(what) { return this.call('hold', what); }
    release() { return this.call('release'); }
    pick(origin, direction) { return this.call('pick', origin, direction); }
    hash() { return this.call('hash'); }
    snapshot() { return this.call('snapshot'); }
    restore(bytes) { return this.call('restore', bytes); }
    system(eq) { return this.call('system', eq); }
    lcp() { return this.call('lcp'); }
    recordStart() { return this.call('recordStart'); }
    recordStop(format) { return this.call('recordStop', format); }
    openRecording(bytes, name) { return this.call('openRecording', bytes, name); }
    sensors() { return this.call('sensors'); }
    scenes() { return this.call('scenes'); }
}
