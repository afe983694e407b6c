// SPDX-License-Identifier: Apache-2.0
// The page's one controller: what is loaded, with which settings, and where the run is. Panels listen to its events
// (load, frame, state, trouble, settings, compare, theme) and call its methods; only it calls engine and view.
import { Events } from './events.js';
import { Series } from './series.js';
import { Comparison } from './compare.js';
import { argument } from './source.js';
import { sample } from './sample.js';
import { toBase64 } from './share.js';
import * as frames from './frames.js';

export const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 0];

const idle = { running: false, speed: 1, factor: 0, index: 0, count: 0, recording: false, stopped: null };

export class App extends Events {
    /** @param Engine class of the engine's client; @param view the 3D drawing, or null until it is there */
    constructor(Engine) {
        super();
        this.series = new Series();
        this.state = { ...idle };
        this.description = null;
        this.kept = new frames.Kept();
        this.frame = null; // the last frame, copied
        this.source = null; // {scene} | {file} | {name, text, files} | {recording: bytes, name} | {served}
        this.sets = new Map();
        this.settings = {};
        this.view = null;
        this.compare = new Comparison(this, Engine);
        this.engine = new Engine({
            onFrame: (frame) => this.#onFrame(frame),
            onState: (state) => this.#onState(state),
        });
    }

    /** The drawing arrives later than the engine, or earlier: whatever is there is shown. */
    attach(view) {
        this.view = view;
        if (this.description) {
            view.load(this.description);
            this.drawnDescription = this.description;
            if (this.pendingCamera) view.camera(this.pendingCamera);
            if (this.fits()) view.show(this.frame);
        }
        view.onHold = ({ body, point, target }) => {
            if (this.isRecording) return; // what was recorded does not follow
            if (!this.running && !this.holding) this.emit('pulled while paused');
            this.hold(body, point, target);
        };
        view.onRelease = () => this.release();
        view.onSelect = (body, geom, point) => this.select(body, geom, point);
        this.emit('view', view);
    }

    // ---- loading ----

    /**
     * Opens a source with settings; the page keeps what it had when this fails.
     * @param how {play, set: ["box.mass=2"], options, snapshot: Uint8Array, camera, quiet}
     */
    async open(source, how = {}) {
        const ticket = (this.ticket = (this.ticket ?? 0) + 1);
        this.emit('loading', source);
        try {
            if (this.compare.on) await this.compare.end();
            const sets = how.set ?? [];
            const options = how.options ?? {};
            const description = source.recording
                ? await this.engine.openRecording(source.recording.slice(), source.name)
                : await this.engine.load({ ...(await argument(source)), set: sets, options, snapshot: how.snapshot });
            if (ticket !== this.ticket) return null;
            this.source = source;
            this.settings = { ...options };
            this.sets = new Map(
                sets.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
            );
            this.selected = -1;
            this.#described(description, how);
            this.emit('opened', source);
            if (how.play) await this.play(true);
            return description;
        } catch (error) {
            if (ticket === this.ticket) this.trouble(error, source);
            throw error;
        } finally {
            if (ticket === this.ticket) this.emit('loaded', source);
        }
    }

    #described(description, { camera, keep } = {}) {
        const sameShape =
            keep &&
            this.description &&
            description.nq === this.description.nq &&
            description.nv === this.description.nv;
        this.description = description;
        if (!sameShape) this.series.begin(description);
        this.fresh = !keep;
        const drawn = keep && sameShapes(this.drawnDescription, description);
        if (this.view && !drawn) {
            const before = keep ? this.view.camera() : camera;
            this.view.load(description);
            this.drawnDescription = description;
            if (this.compare.on) this.view.loadOther(this.compare.description);
            if (before) this.view.camera(before);
            if (this.fits()) this.view.show(this.frame);
        } else if (!this.view) {
            this.pendingCamera = camera;
        }
        if (this.fits()) this.#record(this.frame);
        this.emit('load', description);
    }

    /** The same source again with all settings, from its start. */
    async reload(how = {}) {
        if (!this.source) return null;
        return this.open(this.source, {
            set: this.setList(),
            options: this.settings,
            camera: this.view?.camera(),
            ...how,
        });
    }

    setList() {
        return [...this.sets].map(([path, value]) => `${path}=${value}`);
    }

    // ---- time ----

    async play(on = !this.state.running) {
        if (this.compare.on) return this.compare.play(on);
        // a recording at its end begins again
        if (on && this.isRecording && this.state.index >= this.state.count - 1) await this.engine.seek(0);
        await this.ask(() => this.engine.run(on));
    }

    get running() {
        return this.state.running || this.compare.running;
    }

    get isRecording() {
        return Boolean(this.source?.recording);
    }

    async step(n = 1) {
        await this.pause();
        if (this.isRecording) return this.seek(this.state.index + n);
        return this.ask(() => (this.compare.on ? this.compare.step(n) : this.shown(() => this.engine.step(n))));
    }

    async back(n = 1) {
        await this.pause();
        return this.ask(() =>
            this.compare.on
                ? this.compare.seek(Math.max(0, this.state.index - n))
                : this.shown(() => this.engine.back(n)),
        );
    }

    async seek(index) {
        await this.pause();
        const to = Math.max(0, Math.min(index, this.state.count - 1));
        return this.ask(() => (this.compare.on ? this.compare.seek(to) : this.shown(() => this.engine.seek(to))));
    }

    async pause() {
        if (this.running) await this.play(false);
    }

    async reset(keyframe) {
        this.series.clear();
        if (this.isRecording) return this.seek(0);
        await this.ask(() => this.shown(() => this.engine.reset(keyframe)));
        if (this.compare.on) await this.compare.reset(keyframe);
    }

    async speed(factor) {
        this.state = { ...this.state, speed: factor };
        this.emit('state', this.state);
        await this.ask(() => this.engine.speed(factor));
    }

    /** The next slower or faster of the list. */
    nudgeSpeed(by) {
        const order = speeds.filter((s) => s > 0);
        const here = order.reduce(
            (best, s, i) => (Math.abs(s - this.state.speed) < Math.abs(order[best] - this.state.speed) ? i : best),
            0,
        );
        return this.speed(order[Math.max(0, Math.min(order.length - 1, here + by))]);
    }

    // ---- what can be changed while it runs ----

    async set(path, value) {
        const was = this.sets.get(path);
        this.sets.set(path, String(value));
        const description = await this.ask(() => this.engine.set(path, String(value)));
        if (description) {
            this.#described(description, { keep: true });
            await this.compare.set(path, String(value));
        } else if (was === undefined) this.sets.delete(path);
        else this.sets.set(path, was);
        this.emit('settings', this.settings);
        return description;
    }

    async change(options) {
        if (this.compare.on) await this.compare.end(); // both would no longer be in step
        const description = await this.ask(() => this.engine.options(options));
        if (description) {
            Object.assign(this.settings, options);
            this.#described(description, { keep: true });
        }
        this.emit('settings', this.settings);
        return description;
    }

    async ctrl(values) {
        this.controls = values;
        await this.ask(() => this.engine.ctrl(values));
        await this.compare.ctrl(values);
    }

    async hold(body, point, target) {
        this.holding = true;
        await this.ask(() => this.engine.hold({ body, point, target }));
        await this.compare.hold({ body, point, target });
    }

    async release() {
        this.holding = false;
        await this.ask(() => this.engine.release());
        await this.compare.release();
    }

    select(body, geom, point) {
        this.selected = body ?? -1;
        this.view?.select(this.selected);
        this.emit('select', { body: this.selected, geom, point });
    }

    // ---- state for links ----

    /** Everything that makes this picture again; throws where it does not fit into an address. */
    async shareState({ model = true } = {}) {
        const state = { v: 1, set: this.setList(), options: this.settings, camera: this.view?.camera() };
        if (this.isRecording) throw new Error('A recording does not fit into a link: share its .utr file.');
        if (this.source.served || this.source.base)
            throw new Error('The model lies on your disk; open it with “Open…” to put its text into a link.');
        if (this.source.text !== undefined && model) {
            const size = [...(this.source.files?.values() ?? [])].reduce((sum, bytes) => sum + bytes.length, 0);
            if (size > 400_000)
                throw new Error(`The model with its files has ${Math.round(size / 1000)} kB: too much for a link.`);
            state.source = { name: this.source.name, text: this.source.text };
            const others = [...(this.source.files ?? [])].filter(([path]) => path !== this.source.name);
            if (others.length) state.source.files = others.map(([path, bytes]) => [path, toBase64(bytes)]);
        } else {
            state.source = this.source.scene ? { scene: this.source.scene } : { file: this.source.file };
        }
        state.snapshot = toBase64(await this.engine.snapshot());
        const { drag, theme, ...looks } = this.view?.options({}) ?? {};
        state.view = looks; // the reader's own mouse and colours stay
        return state;
    }

    // ---- what the worker says ----

    #onFrame(frame) {
        this.frame = this.kept.take(frame);
        Object.assign(this.state, {
            index: frames.index(this.frame),
            count: frames.count(this.frame),
            factor: frames.factor(this.frame),
        });
        if (this.fits()) {
            this.#record(this.frame);
            this.view?.show(this.frame);
        }
        this.emit('frame', this.frame);
    }

    // a frame that comes before the description of its model waits for it
    fits() {
        const d = this.description;
        return Boolean(
            d &&
            this.frame &&
            frames.nv(this.frame) === d.nv &&
            frames.nq(this.frame) === d.nq &&
            frames.bodies(this.frame) === d.bodies.length,
        );
    }

    // a frame in the middle of the history is looked at; one at its end is new
    #record(frame) {
        const newest = frames.index(frame) >= frames.count(frame) - 1;
        if (newest && !this.isRecording) this.series.add(sample(frame, this.series, this.compare));
        else if (this.isRecording && frames.time(frame) > this.series.last)
            this.series.add(sample(frame, this.series, this.compare));
    }

    #onState(state) {
        this.state = { ...this.state, ...state };
        this.emit('state', this.state);
    }

    /** Runs a request that changes the state, and waits for the frame that shows it: the worker posts it after its answer. */
    async shown(request) {
        const answer = await request();
        await this.nextFrame();
        return answer;
    }

    /** The next frame; in a hidden tab, where nothing is painted, it does not wait for long. */
    nextFrame() {
        return new Promise((resolve) => {
            const done = () => {
                clearTimeout(timer);
                end();
                resolve();
            };
            const end = this.on('frame', done);
            const timer = setTimeout(done, document.hidden ? 50 : 5000);
        });
    }

    /** Runs a request; trouble is shown, not thrown, and gives undefined. */
    async ask(request) {
        try {
            return await request();
        } catch (error) {
            this.trouble(error);
            return undefined;
        }
    }

    trouble(error, source) {
        this.emit('trouble', { message: String(error?.message ?? error), source: source ?? this.source });
    }
}

// what the drawing builds from a description; other numbers may change without a new drawing
const shapes = (d) =>
    JSON.stringify([
        d.geoms.map(({ friction, ...rest }) => rest),
        d.sites,
        d.springs,
        d.tendons,
        d.joints.map((joint) => [joint.kind, joint.body, joint.axis, joint.range]),
        d.bodies.map((body) => [body.name, body.parent, body.com, body.inertia]),
        d.meshes.map((mesh) => mesh.vertices.length),
        d.heights.length,
        d.plane,
    ]);

function sameShapes(a, b) {
    return Boolean(a && b && shapes(a) === shapes(b));
}
