// SPDX-License-Identifier: Apache-2.0
// The worker and the client in Chromium: messages, pace, acknowledged frames.
import { check, equal, model, near, openPage, test } from './harness.mjs';

// Open the bare page with one engine that keeps count of what arrives.
async function openEngine() {
    const opened = await openPage('engine-page');
    await opened.page.waitForFunction('window.Engine');
    await opened.page.evaluate(() => {
        window.frames = 0;
        window.engine = new window.Engine({
            onFrame: (frame) => {
                window.frames++;
                window.last = frame;
                if (window.slow) {
                    const end = performance.now() + window.slow;
                    while (performance.now() < end);
                }
            },
            onState: (state) => { window.state = state; },
        });
        window.attempt = (call) => call.then(() => 'done', (error) => error.message);
    });
    return opened;
}

test('worker: calls resolve, and reject with the message of the engine', async () => {
    const { page, close } = await openEngine();
    const bad = '<mujoco>\n<worldbody>\n<body><geom size="a"/></body></worldbody></mujoco>';
    check((await page.evaluate(() => window.attempt(window.engine.step(1)))).includes('no model'), 'a step without a model');
    equal(await page.evaluate((text) => window.attempt(window.engine.load({ name: 'b.xml', text })), bad),
        "b.xml:3:19: error: size of geom: 'a' is not a number", 'bad file');
    const description = await page.evaluate((what) => window.engine.load(what), model('scenes/quadruped.xml'));
    equal(description.nu, 12, 'twelve actuators');
    check((await page.evaluate(() => window.attempt(window.engine.ctrl([1])))).includes('12'), 'controls of a wrong size');
    check((await page.evaluate(() => window.attempt(window.engine.call('toString')))).includes('no call'), 'an unknown call');
    equal(await page.evaluate(() => {
        const waiting = window.attempt(window.engine.step(100000));
        window.engine.close();
        return waiting;
    }), 'the engine is closed', 'close rejects what waits');
    await close();
});

test('worker: files come from the base address, and are fetched by the worker', async () => {
    const { page, context, close } = await openEngine();
    const asked = [];
    await context.route('**/files/**', (route) => {
        const path = new URL(route.request().url()).pathname;
        asked.push(path);
        return path.endsWith('/main.xml')
            ? route.fulfill({ body: '<mujoco><include file="part.xml"/></mujoco>' })
            : route.fulfill({ body: '<mujoco><worldbody><body name="b"><freejoint/><geom size="1"/></body></worldbody></mujoco>' });
    });
    const names = await page.evaluate(async () => {
        const base = 'files/'; // of the page, not of the worker
        const { bodies } = await window.engine.load({ name: 'main.xml', base });
        return bodies.map((body) => body.name);
    });
    equal(names.join(), 'world,b', 'bodies');
    check(asked.includes('/files/part.xml'), 'the included file was fetched below the page');
    await close();
});

test('worker: a run shows frames, and a slow page is not flooded', async () => {
    const { page, close } = await openEngine();
    await page.evaluate(() => window.engine.load({ scene: 'stack:3' }));
    await page.waitForFunction('window.frames > 0');
    await page.evaluate(() => window.engine.run(true));
    await page.waitForFunction('window.last.time > 1');
    const { frames, steps } = await page.evaluate(() => ({ frames: window.frames, steps: window.last.steps }));
    check(frames > 5 && frames <= steps + 5, `${frames} frames for ${steps} steps`);
    // a page that takes 200 ms per frame gets a frame at a time
    const most = await page.evaluate(async () => {
        window.slow = 200;
        const before = window.frames;
        const start = performance.now();
        await new Promise((done) => setTimeout(done, 1500));
        window.slow = 0;
        await window.engine.run(false);
        return (window.frames - before) / ((performance.now() - start) / 200);
    });
    check(most <= 1.5, `${most} frames per 200 ms`);
    const stopped = await page.evaluate(async () => {
        const before = await window.engine.hash();
        await new Promise((done) => setTimeout(done, 200));
        return [before === await window.engine.hash(), window.state.running];
    });
    equal(stopped.join(), 'true,false', 'paused');
    await close();
});

test('worker: a run is deterministic whatever the pace', async () => {
    const { page, close } = await openEngine();
    const hashes = await page.evaluate(async () => {
        const at = async (speed) => {
            await window.engine.load({ scene: 'pile:8:1' });
            await window.engine.speed(speed);
            await window.engine.run(true);
            while (window.state.index < 300) {
                await new Promise((done) => setTimeout(done, 5));
                await window.engine.speed(speed);
            }
            await window.engine.run(false);
            await window.engine.seek(300);
            return window.engine.hash();
        };
        return [await at(0), await at(1), await at(3)];
    });
    equal(hashes[1], hashes[0], 'as fast as it can, and in real time');
    equal(hashes[2], hashes[0], 'and three times as fast');
    await close();
});

test('worker: an uncertified step stops the run and says why, and keep_going goes on', async () => {
    const { page, close } = await openEngine();
    await page.evaluate(async () => {
        await window.engine.load({ scene: 'slide', set: ['option.tolerance=1e-30'] });
        await window.engine.run(true);
    });
    await page.waitForFunction('window.state.stopped');
    const { running, stopped } = await page.evaluate(() => window.state);
    equal(running, false, 'the run stopped');
    check(/not certified: complementarity .* more than 1e-30/.test(stopped.message), stopped.message);
    const taken = await page.evaluate(async () => {
        await window.engine.options({ keepGoing: true });
        const before = window.last.steps;
        await window.engine.step(5);
        await new Promise((done) => setTimeout(done, 300));
        return [window.last.steps - before, window.last.outcome];
    });
    equal(taken.join(), '5,3', 'five steps, each uncertified');
    await close();
});

test('worker: a drag moves a box while it runs', async () => {
    const { page, close } = await openEngine();
    await page.evaluate(async () => {
        await window.engine.load({ scene: 'stack:1' });
        await window.engine.speed(0);
        window.worst = 0;
        const { onFrame } = window.engine;
        window.engine.onFrame = (frame) => {
            window.worst = Math.max(window.worst, frame.E);
            onFrame(frame);
        };
        await window.engine.run(true);
        await window.engine.hold({ body: 1, point: [0, 0, 0], target: [0.5, 0, 0.8] });
    });
    await page.waitForFunction('window.last.time > 4');
    const [x, z, E] = await page.evaluate(() => [...window.last.body(1).subarray(0, 3).filter((_, i) => i !== 1), window.worst]);
    near(x, 0.5, 1e-6, 'x');
    near(z, 0.8 - 9.81 / 144, 1e-6, 'z');
    check(E <= 1e-8, `E = ${E}`);
    await close();
});
