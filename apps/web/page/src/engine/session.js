// SPDX-License-Identifier: Apache-2.0
// What the worker does: one model, its sim, the pace of a run, the history. It knows neither messages nor workers, so
// that tests can use it as it is.
import { History } from './history.js';

const MOST_DEBT = 0.1; // s of wall clock that a run may lag behind before it gives up catching up
const BUDGET = 12; // ms of stepping per frame
const NO_INPUT = { ctrl: new Float64Array(0), hold: null };

// A path without "." and "..".
function plainPath(path) {
    const parts = [];
    for (const part of path.split('/')) {
        if (part === '..' && parts.length > 0 && parts[parts.length - 1] !== '..') {
            parts.pop();
        } else if (part !== '.' && part !== '') {
            parts.push(part);
        }
    }
    return parts.join('/');
}

// The files of a model: those that were given, then those below an address.
class Files {
    constructor(given, base, fetchBytes) {
        this.given = new Map();
        for (const [path, bytes] of given || []) {
            this.given.set(plainPath(path), typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
        }
        this.base = base;
        this.fetchBytes = fetchBytes;
    }

    read(path) {
        const plain = plainPath(path);
        const found = this.given.get(plain) || this.sameName(plain);
        if (found || this.base === undefined || this.base === null) {
            return found || null;
        }
        const bytes = this.fetchBytes(this.base + plain.split('/').map(encodeURIComponent).join('/'));
        if (bytes) {
            this.given.set(plain, bytes);
        }
        return bytes;
    }

    // Files that were dropped without their folders: the only one of that name.
    sameName(path) {
        const name = path.slice(path.lastIndexOf('/') + 1);
        const same = [...this.given.keys()].filter((key) => key.slice(key.lastIndexOf('/') + 1) === name);
        return same.length === 1 && this.base === undefined ? this.given.get(same[0]) : undefined;
    }
}

// The options and changes with which a recorded run was started.
function startOf({ started, options: given, changes: listed, formulation, integrator, solver, dt, keepGoing }) {
    const options = { keepGoing };
    if (!started) {
        const [tier, auto] = solver.startsWith('budget:') ? [solver, undefined] : [undefined, solver];
        return { options: { ...options, formulation, integrator, solver: auto, tier, dt }, changes: listed };
    }
    const NAMES = { key: 'keyframe', 'no-self-collision': 'noSelfCollision' };
    const changes = [];
    for (const text of given) {
        const [, name, value] = /^--([^=]*)(?:=([^]*))?$/.exec(text) || [null, '', ''];
        if (name === 'set') {
            changes.push(value);
        } else if (name === 'budget') {
            options.tier = value === undefined ? 'budget' : 'budget:' + value;
        } else if (name !== 'package-path') {
            options[NAMES[name] || name] = value === undefined ? true : value;
        }
    }
    return { options, changes };
}

// The states of a recording that the engine has opened.
class Playback {
    constructor(wasm) {
        this.wasm = wasm;
        this.count = wasm.call('playback_count');
        this.index = 0;
    }

    show(index) {
        this.wasm.check('playback_show', index);
        this.index = index;
    }

    get time() {
        return this.wasm.call('playback_time', this.index);
    }

    // s up to the next state
    due() {
        const next = Math.min(this.index + 1, this.count - 1);
        return Math.max(this.wasm.call('playback_time', next) - this.time, 1e-9);
    }
}

export class Session {
    // @param wasm       a Wasm
    // @param fetchBytes address -> Uint8Array or null, at once
    // @param now        ms
    constructor(wasm, { fetchBytes = () => null, now = () => performance.now() } = {}) {
        this.wasm = wasm;
        this.fetchBytes = fetchBytes;
        this.now = now;
        this.history = new History();
        this.source = null; // what is loaded: {name, files, changes, options}
        this.playback = null;
        this.running = false;
        this.speedFactor = 1;
        this.factor = 0;
        this.stepSeconds = 0;
        this.recording = false;
        this.stopped = null;
        this.holding = null;
        this.changed = () => {}; // called when state() changed
    }

    close() {
        this.wasm.close();
    }

    // ---- loading ----------------------------------------------------------------------------------

    load({ name, text, files, base, scene, set = [], options = {}, snapshot }) {
        this.forbidWhileRecording('load');
        const model = scene || name || 'model.xml';
        const given = new Files(files, base, this.fetchBytes);
        if (text !== undefined && text !== null) {
            given.given.set(plainPath(model), new TextEncoder().encode(text));
        }
        this.apply({ name: model, files: given, changes: [...set], options: { ...options } }, false);
        if (snapshot) {
            this.restore(snapshot);
        }
        return this.describe();
    }

    // Load a source. On failure everything stays as it was.
    apply(source, goOn) {
        this.wasm.readFile = (path) => source.files.read(path);
        try {
            this.wasm.check('begin', source.name);
            for (const [option, value] of Object.entries(source.options)) {
                if (value !== undefined && value !== null && value !== '') {
                    this.wasm.check('option', option, String(value));
                }
            }
            source.changes.forEach((change) => this.wasm.check('change', change));
            this.wasm.check('load', goOn ? 1 : 0);
        } catch (error) {
            if (this.source) {
                const files = this.source.files;
                this.wasm.readFile = (path) => files.read(path);
            }
            throw error;
        }
        this.source = source;
        this.playback = null;
        this.stopped = null;
        if (!goOn) {
            this.holding = null;
            this.running = false;
        }
        this.restartClock();
        this.history.clear();
        this.keep(NO_INPUT);
        this.changed();
    }

    describe() {
        this.needModel();
        const description = this.wasm.describe();
        description.format = this.source.format || (/\.urdf$/i.test(this.source.name) ? 'urdf' : 'mjcf');
        return description;
    }

    set(path, value) {
        this.forbidWhileRecording('set');
        this.needSim();
        const text = Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value).join(' ') : String(value);
        const others = this.source.changes.filter((change) => !change.startsWith(path + '='));
        this.apply({ ...this.source, changes: [...others, path + '=' + text] }, true);
        return this.describe();
    }

    options(changes) {
        this.forbidWhileRecording('options');
        this.needSim();
        this.apply({ ...this.source, options: { ...this.source.options, ...changes } }, true);
        return this.describe();
    }

    scenes() {
        return JSON.parse(this.wasm.text('scenes'));
    }

    needModel() {
        if (!this.source) {
            throw new Error('no model is loaded');
        }
    }

    needSim() {
        this.needModel();
        if (this.playback) {
            throw new Error('a recording is shown; load its model to simulate it');
        }
    }

    forbidWhileRecording(call) {
        if (this.recording) {
            throw new Error(`${call}: a recording is running; stop it first`);
        }
    }

    // ---- stepping ---------------------------------------------------------------------------------

    input() {
        const count = this.wasm.call('ctrl_count');
        const ctrl = count > 0 ? this.wasm.doubles(this.wasm.call('ctrl'), count) : NO_INPUT.ctrl;
        return { ctrl, hold: this.holding };
    }

    keep(input) {
        const size = this.wasm.call('save');
        if (size > 0) {
            const bytes = this.wasm.bytes(this.wasm.call('snapshot'), size);
            this.history.push(bytes, this.wasm.call('steps'), input);
        }
    }

    // One step of the run. @return was it taken?
    advance() {
        const outcome = this.wasm.check('step');
        if (outcome === 2) {
            const verdict = JSON.parse(this.wasm.text('verdict'));
            this.stopped = verdict;
            this.running = false;
            this.changed();
            return false;
        }
        this.keep(this.input());
        return true;
    }

    step(n = 1) {
        this.needModel();
        if (this.playback) {
            this.seek(this.playback.index + n);
            return;
        }
        this.running = false;
        this.stopped = null;
        const start = this.now();
        let taken = 0;
        while (taken < n && this.advance()) {
            taken++;
        }
        if (taken > 0) {
            this.stepSeconds = (this.now() - start) / 1000 / taken;
        }
        this.changed();
    }

    run(on = true) {
        this.needModel();
        this.running = Boolean(on);
        this.stopped = this.running ? null : this.stopped;
        this.restartClock();
        this.changed();
    }

    speed(factor) {
        if (!(factor >= 0 && factor < Infinity)) {
            throw new Error('a speed is a number from 0 on');
        }
        this.speedFactor = factor;
        this.restartClock();
        this.changed();
    }

    restartClock() {
        this.clock = this.now();
        this.debt = 0; // s of simulated time that is due
        this.measured = { wall: this.clock, time: this.source ? this.time() : 0 };
        this.factor = 0;
    }

    time() {
        return this.playback ? this.playback.time : this.wasm.call('time');
    }

    // Take the steps of one displayed frame: those that are due by the wall clock, as far as the budget goes.
    // @return ms until the next step is due; 0: now
    tick() {
        const start = this.now();
        const free = this.speedFactor === 0;
        this.debt += Math.min((start - this.clock) / 1000, MOST_DEBT) * this.speedFactor;
        this.debt = Math.min(this.debt, MOST_DEBT * this.speedFactor);
        this.clock = start;
        let taken = 0;
        let spent = 0;
        while (this.running && (free || this.debt >= this.due()) && spent < BUDGET) {
            this.debt -= free ? 0 : this.due();
            if (!this.forward()) {
                break;
            }
            taken++;
            spent = this.now() - start;
        }
        if (taken > 0) {
            this.stepSeconds = spent / 1000 / taken;
        }
        this.measure();
        return free || this.debt >= this.due() ? 0 : ((this.due() - this.debt) / this.speedFactor) * 1000;
    }

    // s of simulated time up to the next state
    due() {
        return this.playback ? this.playback.due() : this.wasm.call('dt');
    }

    forward() {
        if (!this.playback) {
            return this.advance();
        }
        if (this.playback.index + 1 >= this.playback.count) {
            this.running = false;
            this.changed();
            return false;
        }
        this.playback.show(this.playback.index + 1);
        return true;
    }

    // The real-time factor over half a second.
    measure() {
        const wall = (this.clock - this.measured.wall) / 1000;
        if (wall >= 0.5) {
            const time = this.time();
            this.factor = (time - this.measured.time) / wall;
            this.measured = { wall: this.clock, time };
        }
    }

    // ---- other states -----------------------------------------------------------------------------

    back(n = 1) {
        this.seek((this.playback ? this.playback.index : this.history.index) - n);
    }

    seek(index) {
        this.needModel();
        this.forbidWhileRecording('seek');
        const count = this.playback ? this.playback.count : this.history.count;
        const i = Math.max(0, Math.min(count - 1, Math.round(index)));
        this.running = false;
        this.stopped = null;
        if (this.playback) {
            this.playback.show(i);
        } else {
            this.goTo(i);
        }
        this.restartClock();
        this.changed();
    }

    // Return to an entry of the history: take the step to it again from the entry before, so that its contacts are
    // there, too.
    goTo(i) {
        this.release();
        const entry = this.history.entry(i);
        if (i === 0 || !this.retake(this.history.entry(i - 1), entry)) {
            this.restoreEntry(entry);
        }
        this.setCtrl(entry.ctrl);
        this.history.index = i;
    }

    retake(before, entry) {
        this.restoreEntry(before);
        this.setCtrl(entry.ctrl);
        if (entry.hold) {
            this.callHold(entry.hold);
        }
        const taken = this.wasm.check('step') === 0;
        this.wasm.call('release');
        const size = taken ? this.wasm.call('save') : 0;
        return size === entry.bytes.length && this.wasm.call('steps') === entry.steps &&
            this.wasm.bytes(this.wasm.call('snapshot'), size).every((byte, k) => byte === entry.bytes[k]);
    }

    restoreEntry(entry) {
        this.wasm.withBytes(entry.bytes, (at, size) => this.wasm.check('restore', at, size, entry.steps));
    }

    reset(keyframe) {
        this.needSim();
        this.forbidWhileRecording('reset');
        let key = keyframe === undefined || keyframe === null ? -2 : keyframe;
        if (typeof key === 'string') {
            const name = key;
            key = this.describe().keyframes.indexOf(name);
            if (key < 0) {
                throw new Error(`there is no keyframe '${name}'`);
            }
        }
        this.wasm.check('reset', key);
        this.release();
        this.stopped = null;
        this.restartClock();
        this.history.clear();
        this.keep(NO_INPUT);
        this.changed();
    }

    snapshot() {
        this.needSim();
        const size = this.wasm.call('save');
        return this.wasm.bytes(this.wasm.call('snapshot'), size).slice();
    }

    restore(bytes) {
        this.needSim();
        this.forbidWhileRecording('restore');
        this.wasm.withBytes(bytes, (at, size) => this.wasm.check('restore', at, size, 0));
        this.stopped = null;
        this.restartClock();
        this.history.clear();
        this.keep(NO_INPUT);
        this.changed();
    }

    hash() {
        this.needModel();
        return this.wasm.hash();
    }

    // ---- inputs -----------------------------------------------------------------------------------

    setCtrl(values) {
        const count = this.wasm.call('ctrl_count');
        if (count > 0 && values.length === count) {
            this.wasm.doubles(this.wasm.call('ctrl'), count).set(values);
        }
    }

    ctrl(values) {
        this.needSim();
        const count = this.wasm.call('ctrl_count');
        if (values.length !== count || !Array.from(values).every(Number.isFinite)) {
            throw new Error(`ctrl needs ${count} finite numbers`);
        }
        this.setCtrl(values);
    }

    callHold({ body, point, target }) {
        this.wasm.check('hold', body, this.wasm.put(point, 0), this.wasm.put(target, 3));
    }

    // @param held null: nothing is held
    setHold(held) {
        if (held) {
            this.callHold(held);
        } else {
            this.wasm.call('release');
        }
    }

    hold({ body, point, target }) {
        this.needSim();
        const held = { body, point: Array.from(point), target: Array.from(target) };
        this.callHold(held);
        this.holding = held;
    }

    release() {
        if (this.source) {
            this.wasm.call('release');
        }
        this.holding = null;
    }

    pick(origin, direction) {
        this.needModel();
        const out = this.wasm.numbers + 8 * 6;
        if (!this.wasm.call('pick', this.wasm.put(origin, 0), this.wasm.put(direction, 3), out)) {
            return null;
        }
        const [geom, body, x, y, z, nx, ny, nz, distance] = this.wasm.doubles(out, 9);
        return { geom, body, point: [x, y, z], normal: [nx, ny, nz], distance };
    }

    // ---- what it measures -------------------------------------------------------------------------

    sensors() {
        this.needModel();
        return this.wasm.doubles(this.wasm.call('sensors'), this.wasm.call('sensor_count')).slice();
    }

    // The equations of the step that led to the present state; at the first state those of the next step.
    system(notation) {
        this.needSim();
        const i = this.history.index;
        const entry = this.history.entry(i);
        const present = this.input();
        const ctrl = present.ctrl.slice();
        try {
            if (i > 0) {
                this.setCtrl(entry.ctrl);
                this.setHold(entry.hold);
            }
            const { bytes } = i > 0 ? this.history.entry(i - 1) : entry;
            return JSON.parse(this.wasm.withBytes(bytes, (at, size) => this.wasm.text('system', notation, at, size)));
        } finally {
            this.setCtrl(ctrl);
            this.setHold(present.hold);
        }
    }

    // The same step as a standard LCP with friction polygons, by Tan, Siu and Liu's Eq. 14.
    lcp() {
        const { A, b, parts, time, h, step } = this.system('dart');
        const list = (pick) => parts.flatMap((part) => part.names.map((name, i) => pick(part, name, i)));
        return {
            M: A, q: b, z: list((part, name, i) => part.z[i]), w: list((part, name, i) => part.w[i]),
            names: list((part, name) => `${part.unknown} ${name}`), time, h, step,
        };
    }

    // ---- recordings -------------------------------------------------------------------------------

    recordStart() {
        this.needSim();
        this.forbidWhileRecording('recordStart');
        this.wasm.check('record_start');
        this.recording = true;
        this.changed();
    }

    recordStop(format = 'utr') {
        if (!this.recording) {
            throw new Error('no recording is running');
        }
        if (format !== 'utr' && format !== 'csv') {
            throw new Error(`a recording is "utr" or "csv", not "${format}"`);
        }
        const csv = format === 'csv' ? 1 : 0;
        this.recording = false;
        this.changed();
        this.wasm.check('record_stop', csv);
        return this.wasm.bytes(this.wasm.call('record_bytes', csv), this.wasm.call('record_size', csv)).slice();
    }

    // Show a recording: load the model of its run, then its first state.
    openRecording(bytes, name = 'recording.utr') {
        this.forbidWhileRecording('openRecording');
        const run = JSON.parse(this.wasm.withBytes(bytes, (at, size) => this.wasm.text('playback_open', name, at, size)));
        const { options, changes } = startOf(run);
        const files = new Files(null, undefined, this.fetchBytes);
        run.files.filter(({ at }) => at).forEach(({ path, at, size }) => {
            files.given.set(plainPath(path), this.wasm.bytes(at, size).slice());
        });
        this.apply({ name: run.source, files, options, changes }, false);
        this.playback = new Playback(this.wasm);
        this.playback.show(0);
        this.restartClock();
        this.changed();
        return this.describe();
    }

    // ---- frames -----------------------------------------------------------------------------------

    // @param memory an ArrayBuffer that may be used for it  @return a Float64Array
    frame(memory) {
        this.needModel();
        const size = this.wasm.call('frame');
        if (!size) {
            throw new Error('the engine is out of memory');
        }
        const fits = memory && memory.byteLength >= 8 * size && memory.byteLength <= 64 * size;
        const numbers = new Float64Array(fits ? memory : new ArrayBuffer(8 * size), 0, size);
        numbers.set(this.wasm.doubles(this.wasm.call('frame_data'), size));
        numbers[16] = this.stepSeconds;
        numbers[17] = this.factor;
        numbers[18] = this.playback ? this.playback.index : this.history.index;
        numbers[19] = this.playback ? this.playback.count : this.history.count;
        return numbers;
    }

    state() {
        return {
            running: this.running,
            speed: this.speedFactor,
            factor: this.factor,
            index: this.playback ? this.playback.index : this.history.index,
            count: this.playback ? this.playback.count : this.history.count,
            recording: this.recording,
            stopped: this.stopped,
        };
    }
}
