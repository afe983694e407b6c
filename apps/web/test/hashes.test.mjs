// SPDX-License-Identifier: Apache-2.0
// Same input, same bits: the states of WebAssembly in Node and in Chromium are those of the native build.
import { check, engine, equal, model, native, openPage, test } from './harness.mjs';
import { scenes } from './scenes.mjs';

const STEPS = 1000;
const MOST_CONTACTS = 60;
const LEAST_SCENES = 30;

// The native runs of all scenes: {name, dt, steps, hash}; begun once.
let runs = null;

async function nativeRun(session, name) {
    const { dt } = session.load(model(name));
    const { out, err } = await native('run', name, '--json', `--time=${STEPS * dt}`);
    check(out.startsWith('{'), `${name} runs natively: ${err}`);
    const { steps, state_hash: hash, max_contacts: contacts } = JSON.parse(out);
    return { name, steps, hash, contacts };
}

async function nativeRuns() {
    if (!runs) {
        const session = await engine();
        runs = [];
        for (const name of scenes()) {
            runs.push(await nativeRun(session, name));
        }
        session.close();
        runs = runs.filter(({ contacts }) => contacts <= MOST_CONTACTS);
    }
    return runs;
}

test('hashes: in Node every scene has the state hash of the native build', async () => {
    const session = await engine();
    const all = await nativeRuns();
    check(all.length >= LEAST_SCENES, `${all.length} scenes are compared`);
    for (const { name, steps, hash } of all) {
        session.load(model(name));
        session.step(STEPS);
        equal(session.wasm.call('steps'), steps, `${name}: steps`);
        equal(session.hash(), hash, `${name}: hash after ${steps} steps`);
    }
    check(all.filter(({ steps }) => steps === STEPS).length >= LEAST_SCENES, 'most scenes run to the end');
    session.close();
});

test('hashes: in Chromium every scene has the state hash of the native build', async () => {
    const { page, close } = await openPage('engine-page');
    const all = await nativeRuns();
    await page.waitForFunction('window.Engine');
    for (const { name, hash } of all) {
        const found = await page.evaluate(async ([what, steps]) => {
            window.engine ??= new window.Engine();
            await window.engine.load(what);
            await window.engine.step(steps);
            return window.engine.hash();
        }, [model(name), STEPS]);
        equal(found, hash, `${name}: hash`);
    }
    check(all.length >= LEAST_SCENES, `${all.length} scenes are compared`);
    await close();
});
