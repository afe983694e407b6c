// SPDX-License-Identifier: Apache-2.0
// Frame budget of the page: node apps/web/test/frames.mjs [SCENE...]. For every scene of the gallery the engine's time
// for the steps of one displayed frame, 1/60 s of simulated time, measured in Chromium's worker over the first second.
import { closeBrowser } from './harness.mjs';
import { openApp } from './app/page.mjs';

const FRAME = 1 / 60; // s
const BUDGET = 0.012; // s: what the worker spends on steps per frame
const WARM_UP = 20; // steps

async function gallery(p) {
    return p.page.evaluate(async () => Object.keys(await (await fetch('pictures.json')).json()));
}

// s of computing per frame, and steps that were taken: a run ends early at a step that is not certified
async function frameTime(p, id) {
    await p.open(id.endsWith('.xml') ? { file: id } : { scene: id });
    return p.run(
        `const dt = app.description.dt, steps = Math.ceil(1 / dt)
         await app.step(x.warm)
         const first = app.frame.data[1], start = performance.now()
         await app.step(steps)
         const taken = app.frame.data[1] - first
         return { dt, taken, share: taken > 0 ? (performance.now() - start) / 1000 / taken / dt : NaN }`,
        { warm: WARM_UP },
    );
}

const p = await openApp({ source: { scene: 'stack:5' } });
const asked = process.argv.slice(2);
const rows = [];
console.log('scene                               dt, ms   steps   ms per frame   share of real time');
for (const id of asked.length > 0 ? asked : await gallery(p)) {
    const { dt, taken, share } = await frameTime(p, id);
    rows.push(share);
    console.log(
        id.padEnd(36) +
            (1000 * dt).toFixed(1).padStart(6) +
            String(taken).padStart(8) +
            (1000 * share * FRAME).toFixed(2).padStart(15) +
            share.toFixed(3).padStart(21),
    );
}
const within = rows.filter((share) => share * FRAME <= BUDGET).length;
const sorted = [...rows].sort((a, b) => a - b);
console.log(
    `${within} of ${rows.length} scenes run in real time within ${1000 * BUDGET} ms per frame; ` +
        `median ${(1000 * FRAME * sorted[sorted.length >> 1]).toFixed(2)} ms, ` +
        `largest ${(1000 * FRAME * sorted[sorted.length - 1]).toFixed(2)} ms`,
);
await p.close();
await closeBrowser();
