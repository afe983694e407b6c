// SPDX-License-Identifier: Apache-2.0
// The worker: passes messages to a session and paces its run. Messages in: {id, call, args}, {ack, memory}.
// Messages out: {ready}, {id, result}, {id, error}, {frame}, {state}.
import createModule from '../../../../../build/web/engine.mjs';
import wasmAddress from '../../../../../build/web/engine.wasm?url';
import { Session } from './session.js';
import { Wasm } from './wasm.js';

const CALLS = new Set([
    'load', 'set', 'options', 'run', 'speed', 'step', 'back', 'seek', 'reset', 'ctrl', 'hold', 'release', 'pick',
    'hash', 'snapshot', 'restore', 'system', 'lcp', 'recordStart', 'recordStop', 'openRecording', 'sensors', 'scenes',
]);
// Calls after which there is something new to see.
const SHOWN = new Set(['load', 'set', 'options', 'step', 'back', 'seek', 'reset', 'hold', 'release', 'ctrl', 'restore',
    'openRecording']);

// The bytes at an address; null when there are none.
function fetchBytes(address) {
    const request = new XMLHttpRequest();
    request.open('GET', new URL(address, self.location.href).href, false);
    request.responseType = 'arraybuffer';
    try {
        request.send();
    } catch {
        return null;
    }
    return request.status === 200 ? new Uint8Array(request.response) : null;
}

let session = null;
let waiting = false; // a frame was posted and is not acknowledged
let wanted = false; // a frame is to be posted as soon as the last one is acknowledged
let memory = null; // of an old frame
let timer = null;

function postFrame() {
    if (waiting || !session.source) {
        wanted = true;
        return;
    }
    const numbers = session.frame(memory);
    memory = null;
    waiting = true;
    wanted = false;
    self.postMessage({ frame: numbers }, [numbers.buffer]);
}

// Take the steps that are due and show them; the acknowledgement of the frame calls again.
function play() {
    clearTimeout(timer);
    timer = null;
    if (!session.running || waiting) {
        return;
    }
    const before = session.wasm.call('steps') + (session.playback ? session.playback.index : 0);
    let pause = 0;
    try {
        pause = session.tick();
    } catch (error) {
        session.running = false;
        session.stopped = { message: error.message };
        postState();
    }
    const moved = session.wasm.call('steps') + (session.playback ? session.playback.index : 0) !== before;
    if (moved || !session.running) {
        postFrame();
    } else {
        timer = setTimeout(play, Math.max(1, Math.min(pause, 100)));
    }
}

function postState() {
    self.postMessage({ state: session.state() });
}

function answer({ id, call, args }) {
    try {
        if (!CALLS.has(call)) {
            throw new Error(`there is no call '${call}'`);
        }
        const result = session[call](...args);
        self.postMessage({ id, result });
        if (SHOWN.has(call)) {
            postFrame();
        }
    } catch (error) {
        self.postMessage({ id, error: error.message });
    }
    play();
}

const ready = createModule({ locateFile: () => wasmAddress }).then((module) => {
    session = new Session(new Wasm(module), { fetchBytes });
    session.changed = postState;
    self.postMessage({ ready: true });
}, (error) => {
    self.postMessage({ ready: false, error: `the engine cannot start: ${error.message || error}` });
    throw error;
});

self.onmessage = async ({ data }) => {
    await ready;
    if (data.ack) {
        waiting = false;
        memory = data.memory || memory;
        if (wanted) {
            postFrame();
        }
        play();
    } else {
        answer(data);
    }
};
