// SPDX-License-Identifier: Apache-2.0
// Side by side: a second engine with one setting changed, in step with the first. Both wait for each other, so that
// equal
// indices are equal times. The difference is the largest distance between bodies of the same place in the list.
import * as frames from './frames.js';
import { argument } from './source.js';

export class Comparison {
    constructor(app, Engine) {
        this.app = app;
        this.Engine = Engine;
        this.on = false;
        this.running = false;
        this.difference = NaN;
    }

    /** Starts: the same source, settings and state, with `options` changed in the second run. */
    async begin(options, words) {
        const { app } = this;
        await app.pause();
        await this.end();
        const engine = new this.Engine({ onFrame: (frame) => this.#onFrame(frame), onState: () => {} });
        try {
            const start = await argument(app.source);
            const description = await engine.load({
                ...start,
                set: app.setList(),
                options: { ...app.settings, ...options },
            });
            this.engine = engine;
            this.description = description;
            this.options = options;
            this.words = words;
            await app.reset();
            this.on = true;
            app.view?.loadOther(description);
            if (this.frame) app.view?.showOther(this.frame);
        } catch (error) {
            engine.close();
            throw error;
        }
        app.emit('compare', this);
    }

    async end() {
        if (!this.on) return;
        this.on = false;
        this.running = false;
        await this.turn;
        this.engine.close();
        this.engine = null;
        this.frame = this.kept = null;
        this.difference = NaN;
        this.app.view?.loadOther(null);
        this.app.emit('compare', this);
        this.app.emit('state', this.app.state);
    }

    #onFrame(frame) {
        this.frame = (this.kept ??= new frames.Kept()).take(frame);
        this.arrived?.();
        if (!this.on) return;
        this.app.view?.showOther(this.frame);
        this.#measure();
    }

    #measure() {
        const a = this.app.frame,
            b = this.frame;
        if (!a || !b) return;
        const count = Math.min(frames.bodies(a), frames.bodies(b));
        let most = 0;
        for (let i = 0; i < count; i++) {
            let square = 0;
            for (let k = 0; k < 3; k++) square += (frames.bodyPosition(a, i, k) - frames.bodyPosition(b, i, k)) ** 2;
            most = Math.max(most, Math.sqrt(square));
        }
        this.difference = most;
    }

    /** Plays both at the pace of the clock, or as fast as they can. */
    async play(on) {
        if (!on || this.running) {
            this.running = false;
            this.app.emit('state', this.app.state);
            return;
        }
        this.running = true;
        this.app.emit('state', this.app.state);
        this.turn = this.#loop();
    }

    async #loop() {
        const { app } = this;
        const h = this.description.dt || 0.002;
        let owed = 0,
            before = performance.now();
        while (this.running && this.on) {
            await new Promise((resolve) => requestAnimationFrame(resolve));
            const now = performance.now();
            const wall = Math.min(0.1, (now - before) / 1000);
            before = now;
            owed = Math.min(owed + wall * (app.state.speed || 20), 0.1 * Math.max(1, app.state.speed || 20));
            const n = Math.min(60, Math.floor(owed / h));
            if (n < 1) continue;
            owed -= n * h;
            if (!(await this.step(n))) break;
        }
        this.running = false;
        app.emit('state', app.state);
    }

    /** n steps of both; false when one of them stopped. */
    async step(n) {
        try {
            await this.#both((engine) => engine.step(n));
            this.app.emit('compared', this);
            return !this.app.state.stopped;
        } catch (error) {
            this.app.trouble(error);
            return false;
        }
    }

    async seek(index) {
        await this.#both((engine) => engine.seek(index));
    }

    // a request to both; then both frames are there, and the difference goes into the newest row
    async #both(request) {
        const second = async () => {
            await request(this.engine);
            await this.#nextFrame();
        };
        await Promise.all([this.app.shown(() => request(this.app.engine)), second()]);
        this.#measure();
        this.app.series.patch('difference', this.difference);
    }

    #nextFrame() {
        return new Promise((resolve) => {
            this.arrived = resolve;
            setTimeout(resolve, document.hidden ? 50 : 5000);
        });
    }

    async reset(keyframe) {
        if (this.on) await this.engine.reset(keyframe);
    }
    async set(path, value) {
        if (this.on) await this.app.ask(() => this.engine.set(path, value));
    }
    async ctrl(values) {
        if (this.on) await this.app.ask(() => this.engine.ctrl(values));
    }
    async hold(spring) {
        if (this.on) await this.app.ask(() => this.engine.hold(spring));
    }
    async release() {
        if (this.on) await this.app.ask(() => this.engine.release());
    }
}
