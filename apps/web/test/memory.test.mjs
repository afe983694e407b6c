// SPDX-License-Identifier: Apache-2.0
// A long run and many loads do not grow the engine: neither its own memory nor JavaScript's.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { check, engine, model, test } from './harness.mjs';

const MOST_GROWTH = 5e6; // bytes

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

// Memory of buffers is given back some time after a collection, so that the least of several readings counts.
async function memory(session) {
    let script = Infinity;
    for (let i = 0; i < 5; i++) {
        collect();
        await new Promise((done) => setTimeout(done, 50));
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        script = Math.min(script, heapUsed + arrayBuffers);
    }
    return { own: session.wasm.module.HEAPU8.length, script };
}

function run(session, steps) {
    let buffer = null;
    for (let i = 0; i < steps; i += 8) {
        session.step(8);
        buffer = session.frame(buffer).buffer; // as the worker does
    }
}

test('memory: 200 loads and 100,000 steps grow the engine by at most 5 MB', async () => {
    const session = await engine();
    const loaded = ['stack:5', 'scenes/quadruped.xml', 'pile:8:1', 'scenes/seeds/berard-4.5.xml'];
    const cycle = (times) => {
        for (let i = 0; i < times; i++) {
            session.load(model(loaded[i % loaded.length]));
            session.step(5);
        }
    };
    cycle(2 * loaded.length);
    session.load({ scene: 'stack:5' });
    run(session, 8000); // the history is full
    const before = await memory(session);
    cycle(200);
    session.load({ scene: 'stack:5' });
    run(session, 100000);
    const after = await memory(session);
    const own = after.own - before.own;
    const script = after.script - before.script;
    console.log(`        growth: engine ${own} bytes, JavaScript ${Math.round(script)} bytes, ` +
        `of ${(before.own / 1e6).toFixed(1)} and ${(before.script / 1e6).toFixed(1)} MB`);
    check(own + script <= MOST_GROWTH, `${own + script} bytes of growth`);
    session.close();
});
