#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Pictures of the built page, made by the page itself in Chromium.
//
//   tools/page-pictures.mjs thumbs    small pictures of all scenes for its gallery, into build/page/thumbs
//   tools/page-pictures.mjs docs      docs/pictures/page-*.jpg
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeBrowser, root } from '../apps/web/test/harness.mjs';
import { openApp } from '../apps/web/test/app/page.mjs';

const page = join(root, 'build/page');

// seconds after which a scene shows what it is about; others 0.3 s
const moments = {
    quad: 0.8, painleve: 0.02, balls: 0.7, 'pile:40:1': 0.9, grasp: 1.2, 'chain:10': 0.6, pendulum2: 0.7, top: 0.4, balls216: 0.2,
    'slide:30': 0.25, 'ball-throw.xml': 0.9, 'double-pendulum.xml': 0.7, 'pendulum.xml': 0.5, 'quadruped.xml': 0.8,
    'thrown-box.xml': 0.5, 'seeds/berard-4.6.xml': 1.2, 'seeds/igms-ball.xml': 1.6, 'seeds/igms-low.xml': 0.9,
    'seeds/igms-linkage.xml': 0.6, 'seeds/berard-4.4-tip.xml': 1.2,
};
// many contacts, or large cones, would hide the bodies
const busy = /^(stack|wall|pyramid|islands|balls|pile|wedge|gripper|grasp|painleve)/;

async function thumbs() {
    const app = await openApp({ width: 640 + 56, height: 400 + 102 });
    await app.ready();
    await app.run('ui.showPanel(null)');
    const ids = await app.run('return ui.scenes.map((entry) => entry.id)');
    mkdirSync(join(page, 'thumbs'), { recursive: true });
    const list = {};
    for (const id of ids) {
        const code = await app.run(
            `await app.open(x.id.endsWith('.xml') ? { file: x.id } : { scene: x.id })
            await app.step(Math.max(1, Math.round(x.time / app.description.dt)))
            app.view.options({ contacts: !x.busy, forces: !x.busy, cones: !x.busy, labels: false})
            app.view.fit()
            await new Promise((done) => setTimeout(done, 700))
            const bitmap = await createImageBitmap(await app.view.screenshot())
            const small = new OffscreenCanvas(288, 180)
            const height = Math.min(bitmap.height, (bitmap.width * 180) / 288), width = (height * 288) / 180
            small.getContext('2d').drawImage(bitmap, (bitmap.width - width) / 2, (bitmap.height - height) / 2, width, height, 0, 0, 288, 180)
            const bytes = new Uint8Array(await (await small.convertToBlob({ type: 'image/webp', quality: 0.72 })).arrayBuffer())
            return btoa(String.fromCharCode(...bytes))`,
            { id, time: moments[id] ?? 0.3, busy: busy.test(id) },
        );
        const file = `thumbs/${id.replaceAll(/[^\w.-]/g, '-')}.webp`;
        writeFileSync(join(page, file), Buffer.from(code, 'base64'));
        list[id] = file;
    }
    writeFileSync(join(page, 'pictures.json'), JSON.stringify(list));
    rmSync(join(page, 'drawings'), { recursive: true, force: true });
    await app.close();
    return ids.length;
}

// [name, size and colours, what happens]: each looks as a reader would see it
const shots = [
    ['quadruped', {}, `await app.open({ scene: 'quad' }); ui.showPanel('controls'); await app.step(1000)`],
    ['slope', {}, `await app.open({ file: 'box-on-slope.xml' }, { set: ['slope.friction=0', 'box.friction=0.36'] }); ui.showPanel('controls'); await app.step(300)`],
    ['stack', { dark: true }, `await app.open({ scene: 'stack:30' }, { options: { dt: 1 / 60 } }); ui.showPanel('plots'); for (let i = 0; i < 60; i++) await app.step(1)`],
    ['pull', {}, `await app.open({ scene: 'wall:6:6' }); ui.showPanel(null); app.view.options({ contacts: false, forces: false, cones: false }); await app.step(5)
        const b = app.description.bodies.findIndex((body) => body.name && !body.fixed) + 15; const at = [0, 1, 2].map((k) => app.frame.data[32 + 13 * b + k])
        for (let i = 1; i <= 10; i++) { await app.hold(b, [0, 0, 0], [at[0], at[1] - 0.07 * i, at[2]]); await app.step(6) }`],
    ['ball', {}, `await app.open({ file: 'seeds/igms-ball.xml' }); ui.showPanel('plots'); app.view.options({ paths: true }); for (let i = 0; i < 120; i++) await app.step(2)`],
    ['painleve', { dark: true }, `await app.open({ scene: 'painleve' }); ui.showPanel('plots'); app.view.options({ paths: true, cones: false }); for (let i = 0; i < 80; i++) await app.step(1)`],
    ['belt', {}, `await app.open({ file: 'seeds/berard-4.6.xml' }); ui.showPanel('plots'); for (let i = 0; i < 150; i++) await app.step(1)`],
    ['equations', {}, `await app.open({ file: 'seeds/berard-4.4.xml' }); await app.step(100); ui.showPanel('matrices'); const s = document.querySelector('#notation'); s.value = 'berard'; s.dispatchEvent(new Event('change'))`],
    ['compare', {}, `await app.open({ scene: 'slide:30' }); ui.showPanel('compare'); await app.compare.begin({ formulation: 'stewart-trinkle' }, 'stewart-trinkle'); for (let i = 0; i < 30; i++) await app.step(8)`],
    ['gallery', {}, `await ui.gallery.open(); await new Promise((done) => setTimeout(done, 1500))`],
    ['phone', { width: 390, height: 844, touch: true, dark: true }, `await app.open({ scene: 'quad' }); await app.step(420)`],
    ['tour', {}, `await ui.tour.start(1); await app.step(40)`],
];

async function docs() {
    for (const [name, how, act] of shots) {
        const app = await openApp({ width: 1280, height: 800, ...how });
        await app.ready();
        await app.run(act);
        await app.run(`for (const note of document.querySelectorAll('.notice')) note.remove()`);
        await app.page.waitForTimeout(1200);
        const file = join(root, `docs/pictures/page-${name}.jpg`);
        for (const quality of [82, 70, 55]) { // at most 120 kB
            const bytes = await app.page.screenshot({ type: 'jpeg', quality, path: file });
            if (bytes.length < 120_000) break;
        }
        console.log(`${file}: ${readFileSync(file).length} bytes`);
        await app.close();
    }
}

const wish = process.argv[2];
if (wish === 'thumbs') {
    console.log(`${await thumbs()} pictures for the gallery`);
} else if (wish === 'docs') {
    await docs();
} else {
    console.error('usage: tools/page-pictures.mjs thumbs|docs');
    process.exitCode = 2;
}
await closeBrowser();
