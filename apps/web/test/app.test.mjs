// SPDX-License-Identifier: Apache-2.0
// What the page must do, one check a fact. Each gets a fresh or shared page, the browser and the server's address.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { check, native, near, root, serve, test } from './harness.mjs';
import { openApp, withApp } from './app/page.mjs';

const slope = { file: 'box-on-slope.xml' };
const smoothSlope = ['slope.friction=0', 'box.friction=0.4']; // a contact takes the larger friction: only the box counts
const bad =
    '<mujoco model="bad">\n  <worldbody>\n    <body name="a" pos="0 0 1">\n      <geom type="box" size="0.1 0.1 0.1" mess="1"/>\n    </body>\n  </worldbody>\n</mujoco>\n';

/** [name, how to open the page, check(page, {browser, url})] */
const checks = [
    [
        'the first scene is drawn: many colours, a live context',
        {},
        async (p) => {
            await p.ready();
            await p.page.waitForTimeout(300);
            const [distinct, most] = await p.colours();
            check(distinct >= 100, `${distinct} colours`);
            check(most < 0.9, `one colour covers ${most}`);
            check(
                await p.page.evaluate(() => {
                    const gl = document.querySelector('#canvas').getContext('webgl2');
                    return Boolean(gl) && !gl.isContextLost();
                }),
                'no live WebGL context',
            );
        },
    ],
    [
        'it plays by itself, unless less motion is asked for',
        {},
        async (p) => {
            await p.ready();
            check(!(await p.now()).running, 'it moves although less motion is asked for');
            const q = await openApp({ reduced: false });
            await q.ready();
            await q.until('app.running && app.frame.data[0] > 0.05');
            await q.close();
        },
    ],
    [
        'play runs certified steps, and the mark is green and says E',
        { source: { scene: 'stack:5' } },
        async (p) => {
            await p.page.click('#play');
            await p.until('app.frame.data[0] > 0.1');
            await p.page.click('#play');
            await p.until('!app.running');
            const now = await p.now();
            check(now.outcome === 0 && now.E <= 1e-8 && now.contacts > 0, `outcome ${now.outcome}, E ${now.E}`);
            check(
                await p.page.evaluate(() => document.querySelector('#certificate').classList.contains('good')),
                'the mark is not green',
            );
            check(
                /certified · E \d/.test(await p.page.textContent('#certificate')),
                await p.page.textContent('#certificate'),
            );
        },
    ],
    [
        'the hash after 100 steps is that of the command line',
        { source: { scene: 'stack:5' } },
        async (p) => {
            await p.run('await app.step(100)');
            const printed = JSON.parse((await native('run', 'stack:5', '-t', '0.2', '--json')).out).state_hash;
            check((await p.hash()) === printed, `${await p.hash()} and ${printed}`);
        },
    ],
    [
        'step back returns the earlier hash',
        { source: { scene: 'quad' } },
        async (p) => {
            const before = [];
            for (let i = 0; i < 5; i++) {
                before.push(await p.hash());
                await p.page.click('#step');
                await p.until('app.frame.data[1] === x', i + 1);
            }
            for (let i = 4; i >= 0; i--) {
                await p.page.click('#back');
                await p.until('app.frame.data[1] === x', i);
                check((await p.hash()) === before[i], `step ${i}: another hash`);
            }
        },
    ],
    [
        'the seek bar goes to a state, and going on from there gives the same hash',
        { source: { scene: 'quad' } },
        async (p) => {
            await p.run('await app.step(60)');
            const end = await p.hash();
            await p.slide('seek', 20);
            await p.until('app.frame.data[18] === 20');
            check((await p.hash()) !== end, 'seek changed nothing');
            await p.run('await app.step(40)');
            check((await p.hash()) === end, 'another way from the same state');
        },
    ],
    [
        'reset returns the first hash',
        { source: { scene: 'quad' } },
        async (p) => {
            const first = await p.hash();
            await p.run('await app.step(30)');
            check((await p.hash()) !== first, 'nothing moved');
            await p.page.click('#reset');
            await p.until('app.frame.data[0] === 0');
            check((await p.hash()) === first, 'another start');
        },
    ],
    [
        'speed: at half speed a second takes two',
        { source: { scene: 'stack:1' } },
        async (p) => {
            await p.page.selectOption('#speed', '0.5');
            const [wall, simulated] =
                await p.run(`await app.play(true); const t = app.frame.data[0], w = performance.now(); await new Promise((r) => setTimeout(r, 2000))
      await app.pause(); return [(performance.now() - w) / 1000, app.frame.data[0] - t]`);
            check(simulated > 0 && simulated <= 0.55 * wall + 0.1, `${simulated} s in ${wall} s`);
        },
    ],
    [
        'keyframes are offered, and begin the motion elsewhere',
        { source: { file: 'seeds/pfrommer-bidirectional.xml' } },
        async (p) => {
            const start = (await p.now()).v[0];
            await p.page.selectOption('#keyframe', { label: 'left' });
            await p.until('app.frame.data[app.frame.q + app.frame.data[12]] !== x', start);
            const left = (await p.now()).v[0];
            check(start > 0 && left < 0, `${start} and ${left}`);
        },
    ],
    [
        'a drag with the mouse moves the box, and E stays at most 1e-8',
        { source: { scene: 'stack:1' } },
        async (p) => {
            await p.run('await app.play(true)');
            await p.until('app.frame.data[0] > 0.05');
            const before = (await p.now()).q;
            await p.run(
                'globalThis.worst = 0; globalThis.held = 0; app.on("frame", (f) => { worst = Math.max(worst, ' +
                    'f.data[3]); held += f.data[20] })',
            );
            const up = await p.drag('box1', 260, -120);
            await p.until('app.frame.data[0] > x', (await p.now()).time + 0.6);
            await up();
            await p.run('await app.pause()');
            const after = (await p.now()).q;
            const way = Math.hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2]);
            const [worst, held] = await p.run('return [worst, held]');
            check(held > 3, 'the spring never held');
            check(way > 0.05, `moved by ${way} m`);
            check(worst <= 1e-8 && (await p.now()).outcome === 0, `E ${worst}`);
        },
    ],
    [
        'without Ctrl a drag on a body pulls it while it plays, and turns the camera in a paused run',
        { source: { scene: 'stack:1' } },
        async (p) => {
            const camera = () => p.run('return JSON.stringify(app.view.camera())');
            const first = await camera();
            const up = await p.drag('box1', 60, 20, { ctrl: false });
            await up();
            check((await camera()) !== first, 'the camera stands');
            check((await p.run('return Boolean(app.holding)')) === false, 'a paused body is held');
            await p.run('app.view.fit(); await app.play(true)');
            await p.until('app.frame.data[0] > 0.02 && app.view.options({}).drag');
            const letGo = await p.drag('box1', 60, 0, { ctrl: false });
            await p.until('app.frame.data[20] === 1');
            await letGo();
            await p.until('app.frame.data[20] === 0');
        },
    ],
    [
        'a drag beside the bodies turns the camera and pulls nothing',
        { source: { scene: 'stack:1' } },
        async (p) => {
            const camera = JSON.stringify(await p.run('return app.view.camera()'));
            const box = await p.page.locator('#canvas').boundingBox();
            await p.page.mouse.move(box.x + 20, box.y + box.height - 20);
            await p.page.mouse.down();
            await p.page.mouse.move(box.x + 120, box.y + box.height - 60, { steps: 5 });
            await p.page.mouse.up();
            check(JSON.stringify(await p.run('return app.view.camera()')) !== camera, 'the camera stands');
            check((await p.run('return app.holding')) !== true, 'a body is held');
        },
    ],
    [
        'the slider of μ: the box holds at 0.365 and slips at 0.363, because tan 20° = 0.36397',
        { source: slope, set: smoothSlope },
        async (p) => {
            await p.run('ui.showPanel("controls")');
            const to = async (mu) => {
                await p.slide('set-box.friction', mu);
                await p.until('app.sets.get("box.friction") === String(x)', mu);
                const from = (await p.now()).time;
                await p.run('await app.step(250)');
                const now = await p.now();
                near(now.time, from + 0.5, 1e-6, 'the time went on');
                return Math.hypot(...now.v.slice(0, 3));
            };
            const held = await to(0.365);
            check(held < 1e-9, `at 0.365 it moves with ${held} m/s`);
            const slips = await to(0.363);
            // by hand: a = g (sin 20° - 0.363 cos 20°) for half a second
            near(slips, 9.81 * (Math.sin(Math.PI / 9) - 0.363 * Math.cos(Math.PI / 9)) * 0.5, 1e-5, 'speed at 0.363');
        },
    ],
    [
        'the numbers of a scene are sliders: ten cubes become four',
        { source: { scene: 'stack:10' } },
        async (p) => {
            await p.run('ui.showPanel("controls")');
            await p.slide('number-n', 4);
            await p.until('app.source.scene === "stack:4" && app.description.nv === 24');
        },
    ],
    [
        'motors have sliders, and they act',
        { source: { scene: 'gripper:10' } },
        async (p) => {
            await p.run('ui.showPanel("controls"); await app.step(200)');
            const held = (await p.now()).v;
            check(Math.abs(Math.min(...held)) < 1e-6, 'the box is not held');
            await p.run('await app.ctrl([1, 1]); await app.step(100)');
            check(Math.min(...(await p.now()).v) < -0.5, 'the box does not fall');
            check((await p.page.locator('#motors input[type=range]').count()) === 2, 'not two sliders');
        },
    ],
    [
        'an attribute as text: gravity of the moon halves nothing but the fall',
        { source: { scene: 'pendulum' } },
        async (p) => {
            await p.run('ui.showPanel("controls")');
            await p.page.fill('#set-text', 'option.gravity=0 0 -1.62');
            await p.page.click('#set-apply');
            await p.until('app.description.gravity[2] === -1.62');
            await p.page.fill('#set-text', 'nobody.mass=2');
            await p.page.click('#set-apply');
            await p.page.waitForSelector('.notice.error');
            check(/nobody/.test(await p.page.textContent('.notice.error .message')), 'the message does not name it');
        },
    ],
    [
        'formulation, solver, step and directions change while it runs, and the state goes on',
        { source: { scene: 'slide:30' } },
        async (p) => {
            await p.run('ui.showPanel("controls"); await app.step(50)');
            const before = await p.now();
            await p.page.selectOption('#option-formulation', 'stewart-trinkle');
            await p.until('app.description.formulation === "stewart-trinkle"');
            await p.page.selectOption('#option-impact', 'newton');
            await p.until('app.description.impact === "newton"');
            await p.page.fill('#option-dt', '0.004');
            await p.page.locator('#option-dt').blur();
            await p.until('app.description.dt === 0.004');
            const after = await p.now();
            near(after.time, before.time, 1e-12, 'time');
            near(after.q[0], before.q[0], 1e-12, 'place');
            await p.run('await app.step(10)');
            near((await p.now()).time, before.time + 0.04, 1e-9, 'ten longer steps');
        },
    ],
    [
        'dropping a bad file shows file:line:col, its line, and keeps the scene',
        { source: { scene: 'stack:3' } },
        async (p) => {
            await p.drop([['bad.xml', bad]]);
            await p.page.waitForSelector('.notice.error');
            const message = await p.page.textContent('.notice.error .message');
            check(/^bad\.xml:4:\d+: /.test(message), message);
            check((await p.page.textContent('.notice.error pre')).includes('mess="1"'), 'the line is not shown');
            await p.run('await app.step(3)');
            check(
                (await p.now()).contacts > 0 && (await p.run('return app.source.scene')) === 'stack:3',
                'the scene is gone',
            );
        },
    ],
    [
        'dropping a model with an include and a mesh opens it',
        {},
        async (p) => {
            await p.ready();
            const mesh = 'v 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
            const model =
                '<mujoco model="mine"><include file="parts.xml"/><worldbody><geom name="floor" type="plane" size="1 1 0.1"/><body name="a" pos="0 0 0.5"><freejoint/><geom name="g" type="mesh" mesh="tetra"/></body></worldbody></mujoco>';
            const parts = '<mujoco><asset><mesh name="tetra" file="tetra.obj"/></asset></mujoco>';
            await p.drop([
                ['parts.xml', parts],
                ['mine.xml', model],
                ['tetra.obj', mesh],
            ]);
            await p.until('app.source && app.source.name === "mine.xml"');
            check((await p.run('return app.description.meshes.length')) === 1, 'no mesh');
            await p.run('await app.step(300)');
            check((await p.now()).contacts >= 1, 'it does not lie on the floor');
        },
    ],
    [
        'the text of a model can be changed in the page',
        { source: slope },
        async (p) => {
            await p.run('ui.showPanel("model")');
            await p.page.waitForSelector('#model-text');
            const before = await p.page.inputValue('#model-text');
            await p.page.fill('#model-text', before.replace('mass="1"', 'mass="3"'));
            await p.page.click('#model-apply');
            await p.until('app.source.text && app.description.bodies.some((b) => Math.abs(b.mass - 3) < 1e-12)');
            await p.page.fill('#model-text', before.replace('<freejoint', '<freejiont'));
            await p.page.click('#model-apply');
            await p.page.waitForSelector('.notice.error');
            check((await p.page.locator('.editor .lines b').count()) === 1, 'the wrong line is not marked');
        },
    ],
    [
        'a share link restores the hash, the settings and the camera',
        { source: slope, set: smoothSlope },
        async (p) => {
            await p.run('await app.set("box.friction", 0.2); await app.step(77)');
            const hash = await p.hash();
            const camera = await p.run('const c = app.view.camera(app.view.camera()); return JSON.stringify(c)');
            await p.page.click('#share');
            await p.page.waitForFunction(() => location.hash.startsWith('#s='));
            const link = new URL(p.page.url()).hash;
            const q = await openApp({ hash: link });
            await q.ready();
            check((await q.hash()) === hash, 'another state');
            check((await q.run('return app.sets.get("box.friction")')) === '0.2', 'another friction');
            check((await q.run('return JSON.stringify(app.view.camera())')) === camera, 'another camera');
            await p.run('await app.step(20)');
            await q.run('await app.step(20)');
            check((await q.hash()) === (await p.hash()), 'another future');
            check(q.errors.length === 0, q.errors.join('\n'));
            await q.close();
        },
    ],
    [
        'a share link holds the user’s own model, and a damaged one says so',
        { source: null },
        async (p) => {
            await p.ready();
            const own = readFileSync(join(root, 'scenes/stack-5.xml'), 'utf8');
            await p.drop([['my own.xml', own]]);
            await p.until('app.source.name === "my own.xml"');
            await p.run('await app.step(5)');
            const hash = await p.hash();
            await p.run('await ui.share()');
            const link = new URL(p.page.url()).hash;
            const q = await openApp({ hash: link });
            await q.ready();
            check((await q.hash()) === hash, 'another state');
            await q.close();
            const broken = await openApp({ hash: link.slice(0, -40) });
            await broken.page.waitForSelector('.notice.error');
            check(/damaged/.test(await broken.page.textContent('.notice.error')), 'no word of damage');
            await broken.close();
        },
    ],
    [
        'side by side: two formulations in step, their difference shown and plotted',
        { source: { scene: 'slide:30' } },
        async (p) => {
            await p.run('ui.showPanel("compare")');
            await p.page.selectOption('#ghost-formulation', 'stewart-trinkle');
            await p.page.click('#compare-begin');
            await p.until('app.compare.on');
            await p.page.click('#play');
            await p.until('app.frame.data[0] > 0.3');
            await p.page.click('#play');
            await p.until('!app.running');
            const [a, b, difference] = await p.run(
                'return [app.frame.data[0], app.compare.frame.data[0], app.compare.difference]',
            );
            near(a, b, 1e-12, 'times');
            // uptack compare: with the polygon of 8 directions the box leaves its line by centimetres
            check(difference > 1e-3 && difference < 1, `difference ${difference}`);
            const column = await p.run('return [...app.series.column("difference")].filter(Number.isFinite)');
            check(column.length > 3 && Math.max(...column) > 1e-3, 'no difference in the series');
            await p.page.click('#compare-end');
            await p.until('!app.compare.on');
        },
    ],
    [
        'the difference of a run to itself is 0',
        { source: { scene: 'quad' } },
        async (p) => {
            await p.run('await app.compare.begin({}, "the same")');
            await p.run('await app.step(120)');
            const [difference, time] = await p.run('return [app.compare.difference, app.compare.frame.data[0]]');
            check(difference === 0 && time > 0.2, `difference ${difference} at ${time} s`);
        },
    ],
    [
        'plots have the run’s data and follow seek',
        { source: { scene: 'stack:5' } },
        async (p) => {
            await p.run('ui.showPanel("plots"); for (let i = 0; i < 40; i++) await app.step(1)');
            await p.page.waitForTimeout(300);
            const [t, e] = await p.run('return ui.plots.drawn("E")');
            check(t.length >= 40, `${t.length} points`);
            near(t.at(-1), 40 * 0.002, 1e-12, 'last time');
            check(
                e.every((x) => x > 0 && x <= 1e-8),
                'E outside of (0, 1e-8]',
            );
            const [, total] = await p.run('return ui.plots.drawn("energy")');
            near(total.at(-1), await p.run('return app.frame.data[4]'), 1e-9, 'energy');
            const words = await p.page.textContent('#plot-energy .value');
            await p.run('await app.seek(0)');
            await p.page.waitForTimeout(300);
            check((await p.run('return ui.plots.drawn("E")[0].length')) === t.length, 'seek lost points');
            check((await p.page.textContent('#plot-E .value')) !== '' && words !== '', 'no values');
            const labels = await p.page.evaluate(() => document.querySelectorAll('#plots .uplot canvas').length);
            check(labels >= 4, 'not four plots');
        },
    ],
    [
        'any coordinate can be plotted: the height of a falling block is 1 - g t² / 2',
        { source: { file: 'seeds/pfrommer-falling.xml' } },
        async (p) => {
            await p.run('ui.showPanel("plots"); await app.reset(); for (let i = 0; i < 20; i++) await app.step(1)');
            const key = await p.run('return app.series.columns.find((c) => /block\\.z|q .*z/.test(c.label)).key');
            await p.page.selectOption('#plot-also', key);
            await p.page.waitForTimeout(300);
            const [t, z] = await p.run('return ui.plots.drawn(x)', key);
            check(t.length >= 20, `${t.length} points`);
            // symplectic Euler: z_n = 1 - g h² n (n + 1) / 2
            const h = 0.01,
                n = Math.round(t.at(-1) / h);
            near(z.at(-1) - z[0], (-9.81 * h * h * n * (n + 1)) / 2, 1e-9, 'height');
        },
    ],
    [
        'M, q, z, w obey w = M z + q, z ≥ 0, w ≥ 0, z w = 0',
        { source: { file: 'seeds/pfrommer-sliding.xml' } },
        async (p) => {
            await p.run('await app.step(3)');
            const lcp = await p.run(
                'const a = await app.engine.lcp(); return { M: JSON.parse(JSON.stringify(a.M, (k, v) => ' +
                    'ArrayBuffer.isView(v) ? [...v] : v)), q: [...a.q], z: [...a.z], w: [...a.w] }',
            );
            const n = lcp.q.length;
            check(n >= 1, 'no unknowns');
            const M = Array.isArray(lcp.M[0]) ? lcp.M.flat() : lcp.M;
            for (let i = 0; i < n; i++) {
                const w = lcp.q[i] + lcp.z.reduce((sum, z, j) => sum + M[i * n + j] * z, 0);
                near(w, lcp.w[i], 1e-8 * (1 + Math.abs(lcp.q[i])), `row ${i}`);
            }
            check(
                lcp.z.some((z) => z > 0),
                'z is 0',
            );
            await p.run('ui.showPanel("matrices")');
            await p.page.waitForSelector('#lcp-vectors');
        },
    ],
    [
        'matrices in a paper’s notation equal uptack dump',
        { source: { file: 'seeds/berard-4.3.xml' } },
        async (p) => {
            await p.run('await app.step(5); ui.showPanel("matrices")');
            await p.page.selectOption('#notation', 'berard');
            await p.page.waitForSelector('#matrices .blocks');
            const here = await p.run('return ui.matrices.last');
            const there = JSON.parse(
                (
                    await native(
                        'dump',
                        'scenes/seeds/berard-4.3.xml',
                        '--eq',
                        'berard',
                        '--step',
                        '5',
                        '--format',
                        'json',
                    )
                ).out,
            );
            check(
                here.size === there.size && here.step === there.step,
                `size ${here.size}, step ${here.step}; ${there.size}, ${there.step}`,
            );
            check(
                JSON.stringify(here.A) === JSON.stringify(there.A) &&
                    JSON.stringify(here.b) === JSON.stringify(there.b),
                'other matrices',
            );
            check(JSON.stringify(here.solution.z) === JSON.stringify(there.solution.z), 'another solution');
            const words = await p.page.textContent('#matrices');
            check(words.includes('left/floor') && words.includes('AC.x') && words.includes('ν'), 'names are missing');
        },
    ],
    [
        'a notation that does not apply says why',
        { source: { scene: 'stack:3' } },
        async (p) => {
            await p.run('await app.step(2); ui.showPanel("matrices")');
            await p.page.selectOption('#notation', 'pfrommer');
            await p.page.waitForSelector('#matrix-none');
            check((await p.page.textContent('#matrix-none')).length > 20, 'no reason');
        },
    ],
    [
        'keyboard: Space, arrows, Backspace, +, C, ?',
        { source: { scene: 'stack:3' } },
        async (p) => {
            const { keyboard } = p.page;
            await p.page.click('#canvas', { position: { x: 400, y: 30 } });
            await keyboard.press('ArrowRight');
            await p.until('app.frame.data[1] === 1');
            await keyboard.press('Shift+ArrowRight');
            await p.until('app.frame.data[1] === 11');
            await keyboard.press('ArrowLeft');
            await p.until('app.frame.data[1] === 10');
            await keyboard.press(' ');
            await p.until('app.running');
            await keyboard.press(' ');
            await p.until('!app.running');
            await keyboard.press('-');
            await p.until('app.state.speed === 0.5');
            await keyboard.press('+');
            await p.until('app.state.speed === 1');
            const contacts = await p.run('return app.view.options({}).contacts');
            await keyboard.press('c');
            await p.until('app.view.options({}).contacts !== x', contacts);
            await keyboard.press('Tab');
            await p.until('ui.panel === null || ui.panel === undefined');
            await keyboard.press('Tab');
            await p.until('Boolean(ui.panel)');
            await keyboard.press('Backspace');
            await p.until('app.frame.data[0] === 0');
            await keyboard.press('?');
            await p.page.waitForSelector('#help[open]');
            check((await p.page.textContent('#help')).includes('play and pause'), 'no list');
            await keyboard.press('Escape');
            await p.page.waitForSelector('#help:not([open])', { state: 'attached' });
        },
    ],
    [
        'the gallery has a card for every example, and a card opens its scene',
        {},
        async (p) => {
            await p.ready();
            await p.page.click('#scenes');
            await p.page.waitForSelector('.card');
            const cards = await p.page.locator('.card').count();
            const files =
                readdirSync(join(root, 'scenes/seeds')).length +
                readdirSync(join(root, 'scenes')).filter((f) => f.endsWith('.xml')).length;
            check(cards >= files + 15, `${cards} cards for ${files} files`);
            await p.page.click('.card[data-scene="seeds/berard-4.6.xml"]');
            await p.until('app.source.file === "seeds/berard-4.6.xml"');
            await p.page.waitForSelector('#gallery:not([open])', { state: 'attached' });
        },
    ],
    [
        'every scene of the gallery loads, and its first steps are taken',
        {},
        async (p) => {
            await p.ready();
            const ids = JSON.parse(
                await p.page.evaluate(async () =>
                    JSON.stringify(Object.keys(await (await fetch('pictures.json')).json())),
                ),
            );
            check(ids.length >= 40, `${ids.length} scenes`);
            for (const id of ids) {
                const source = id.endsWith('.xml') ? { file: id } : { scene: id };
                await p.open(source);
                await p.run('await app.step(3)');
                const now = await p.now();
                check(
                    now.steps === 3 && now.outcome <= 1 && now.E <= 1e-8,
                    `${id}: ${JSON.stringify({ steps: now.steps, outcome: now.outcome, E: now.E })}`,
                );
            }
        },
    ],
    [
        'planar worlds are drawn as planar worlds',
        { source: { file: 'seeds/berard-4.4.xml' } },
        async (p) => {
            await p.page.waitForTimeout(300);
            const planar = await p.run('return app.description.planar');
            check(planar === 'xy', planar);
            const [distinct] = await p.colours();
            check(distinct >= 20, `${distinct} colours`);
            // along the plane's normal x goes right and y up on the screen, at the same scale
            const [o, x, y] = await p.run(
                'return [[0, 0, 0], [1, 0, 0], [0, 1, 0]].map((a) => { const s = app.view.worldToScreen(a); ' +
                    'return [s.x, s.y] })',
            );
            near(x[0] - o[0], o[1] - y[1], 1, 'scales');
            near(x[1], o[1], 1, 'the x axis is level');
        },
    ],
    [
        'options of the view change the picture',
        { source: { scene: 'stack:5' } },
        async (p) => {
            await p.run('await app.step(10); ui.showPanel("looks")');
            const before = (await p.page.locator('#canvas').screenshot()).toString('base64');
            await p.page.click('#look-inertia');
            await p.page.click('#look-transparent');
            await p.page.waitForTimeout(400);
            check((await p.page.locator('#canvas').screenshot()).toString('base64') !== before, 'the same picture');
        },
    ],
    [
        'dark and light: by the system, and by the switch',
        { dark: true },
        async (p) => {
            await p.ready();
            const theme = () => p.page.evaluate(() => document.documentElement.dataset.theme);
            check((await theme()) === 'dark', 'not dark');
            await p.page.click('#theme');
            check((await theme()) === 'light', 'the switch does nothing');
            await p.page.reload();
            await p.ready();
            check((await theme()) === 'light', 'forgotten');
        },
    ],
    [
        'phone: no sideways scrolling, all of the bar on the screen, big buttons, panels and gallery work',
        { width: 390, height: 844, touch: true },
        async (p) => {
            await p.ready();
            check(
                await p.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
                'it scrolls sideways',
            );
            for (const id of [
                'play',
                'step',
                'back',
                'reset',
                'seek',
                'speed',
                'scenes',
                'capture',
                'tab-controls',
                'tab-model',
            ]) {
                const box = await p.page.locator(`#${id}`).boundingBox();
                check(
                    box && box.x >= 0 && box.x + box.width <= 391 && box.y >= 0 && box.y + box.height <= 845,
                    `${id} is outside: ${JSON.stringify(box)}`,
                );
                if (id !== 'seek')
                    check(box.height >= 38 && box.width >= 38, `${id} is small: ${box.width} x ${box.height}`);
            }
            const canvas = await p.page.locator('#canvas').boundingBox();
            check(canvas.height > 400, `canvas of ${canvas.height}`);
            await p.page.tap('#tab-plots');
            await p.page.waitForSelector('#plots .uplot');
            check((await p.page.locator('#canvas').boundingBox()).height > 150, 'the panel hides the picture');
            await p.page.tap('#tab-plots');
            await p.page.tap('#scenes');
            await p.page.tap('.card[data-scene="stack:30"]');
            await p.until('app.source.scene === "stack:30"');
        },
    ],
    [
        'touch: a finger on a body pulls it',
        { width: 390, height: 844, touch: true, source: { scene: 'stack:1' } },
        async (p) => {
            await p.run('await app.play(true)');
            const [x, y] = await p.place('box1');
            const client = await p.context.newCDPSession(p.page);
            await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
            for (let i = 1; i <= 8; i++)
                await client.send('Input.dispatchTouchEvent', {
                    type: 'touchMove',
                    touchPoints: [{ x: x + 8 * i, y }],
                });
            await p.until('app.frame.data[20] === 1');
            await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
            await p.until('app.frame.data[20] === 0');
        },
    ],
    [
        'the tour: five stops, each opens its scene, shows its point and knows when it was tried',
        { reduced: false },
        async (p) => {
            await p.ready();
            await p.page.click('#tour-button');
            const scenes = ['box-on-slope.xml', 'stack:30', 'seeds/igms-ball.xml', 'painleve', 'quad'];
            for (const [i, scene] of scenes.entries()) {
                await p.until(
                    'app.source && (app.source.scene ?? app.source.file) === x && app.frame.data[0] > 0',
                    scene,
                );
                check((await p.page.textContent('#tour-title')).startsWith(`${i + 1}. `), 'another stop');
                if (i === 0) {
                    await p.page.click('#tour-show');
                    await p.until('Number(app.sets.get("box.friction")) <= 0.361');
                    await p.until('Math.abs(app.frame.data[app.frame.q + app.frame.data[12]]) > 0.06');
                    await p.run('await app.set("box.friction", 0.5)');
                } else if (i === 1 || i === 4) {
                    await p.page.click('#tour-show');
                } else if (i === 2) {
                    await p.run('await app.set("ball.restitution", 0.95)');
                } else {
                    await p.until('app.state.index > 8');
                    await p.page.keyboard.press(' ');
                    await p.until('!app.running');
                    await p.page.keyboard.press('ArrowLeft');
                }
                await p.page.waitForSelector('#tour-try.done');
                await p.page.click('#tour-next');
            }
            check((await p.page.locator('.tour').count()) === 0, 'it does not end');
        },
    ],
    [
        'a step without a certificate is not taken: the run stops, the mark is red and says why',
        { source: null },
        async (p) => {
            await p.ready();
            // two planes overlap the box between them: Stewart and Trinkle's step has no solution
            const model =
                '<mujoco xmlns:ut="urn:uptack"><ut:contact formulation="stewart-trinkle"/><worldbody><geom name="floor" type="plane" size="1 1 1"/><geom name="roof" type="plane" size="1 1 1" pos="0 0 0.19" zaxis="0 0 -1"/><body name="b" pos="0 0 0.095"><freejoint/><geom name="g" type="box" size="0.1 0.1 0.1" mass="1"/></body></worldbody></mujoco>';
            await p.drop([['squeezed.xml', model]]);
            await p.until('app.source.name === "squeezed.xml"');
            await p.run('await app.play(true)');
            await p.page.waitForSelector('#certificate.bad');
            await p.until('!app.running');
            check((await p.now()).time === 0, 'the state moved');
            const words = await p.page.textContent('#certificate');
            check(words.length > 20, words);
        },
    ],
    [
        'recording: .utr opens here and equals the run; .csv has a row a step',
        { source: { scene: 'stack:3' } },
        async (p) => {
            await p.run('await app.engine.recordStart(); await app.step(50)');
            const [utr, positions] = await p.run(
                'const b = await app.engine.recordStop("utr"); return [[...b], ' +
                    '[...app.frame.data.subarray(app.frame.q, app.frame.q + app.frame.data[12])]]',
            );
            check(utr.length > 1000, `${utr.length} bytes`);
            await p.run('await app.open({ recording: new Uint8Array(x), name: "run.utr" })', utr);
            await p.until('app.isRecording && app.state.count >= 50');
            await p.run('await app.seek(app.state.count - 1)');
            const shown = (await p.now()).q;
            check(
                shown.every((x, i) => x === positions[i]),
                'another state',
            );
            await p.run('await app.open({ scene: "stack:3" }); await app.engine.recordStart(); await app.step(20)');
            const csv = await p.run('return new TextDecoder().decode(await app.engine.recordStop("csv"))');
            check(csv.trim().split('\n').length >= 20, `${csv.trim().split('\n').length} lines`);
        },
    ],
    [
        'pictures are saved: a PNG of the canvas',
        { source: { scene: 'quad' } },
        async (p) => {
            const size = await p.run(
                'const blob = await app.view.screenshot(); const b = await createImageBitmap(blob); return ' +
                    '[b.width, b.height, blob.size, blob.type]',
            );
            check(size[0] > 300 && size[1] > 300 && size[2] > 5000 && size[3] === 'image/png', size.join(' '));
        },
    ],
    [
        'a short video is filmed',
        { source: { scene: 'quad' } },
        async (p) => {
            const download = p.page.waitForEvent('download');
            await p.run('await app.play(true); ui.capture.film(app, ui.notice)');
            await p.until('ui.capture.filmed() > 2000');
            await p.run('ui.capture.film(app, ui.notice)');
            const file = await (await download).path();
            check(statSync(file).size > 2000, `${statSync(file).size} bytes`);
        },
    ],
    [
        'uptack view: view.json opens the model, and a change loads it again',
        {},
        async (p) => {
            const model = readFileSync(join(root, 'scenes/stack-5.xml'), 'utf8');
            let version = 1,
                answers = 0;
            const json = (body) => ({ contentType: 'application/json', body: JSON.stringify(body) });
            await p.page.route('**/view.json', (route) =>
                route.fulfill(
                    json({
                        kind: 'model',
                        name: 'tower.xml',
                        base: 'files/',
                        set: [],
                        options: { dt: 0.004 },
                        version: 1,
                    }),
                ),
            );
            await p.page.route('**/files/tower.xml', (route) =>
                route.fulfill({
                    contentType: 'application/xml',
                    body: version === 1 ? model : model.replace(/mass="1"/g, 'mass="2"'),
                }),
            );
            await p.page.route('**/changes?since=*', async (route) => {
                await new Promise((done) => setTimeout(done, 300));
                if (++answers === 3) {
                    version = 2;
                    return route.fulfill(json({ version })).catch(() => {});
                }
                return route.fulfill({ status: 204, body: '' }).catch(() => {}); // the page may be closed
            });
            const q = p;
            await q.page.reload();
            await q.ready();
            check(
                (await q.run('return [app.description.dt, app.source.name].join()')) === '0.004,tower.xml',
                'not what view.json says',
            );
            await q.page.waitForFunction(() => /changed/.test(document.querySelector('#notices')?.textContent ?? ''));
            check(
                (await q.run('return app.description.bodies.at(-1).mass')) !== 1 ||
                    model.includes('mass="1"') === false,
                'the old model',
            );
        },
    ],
    [
        'accessible: every button and input has a name, and the dialogs close by Escape',
        {},
        async (p) => {
            await p.ready();
            for (const panel of ['controls', 'looks', 'plots', 'matrices', 'compare', 'model']) {
                await p.run('ui.showPanel(x)', panel);
                await p.page.waitForTimeout(100);
                const nameless = await p.page.evaluate(() =>
                    [...document.querySelectorAll('button, input, select, textarea')]
                        .filter((node) => {
                            const own =
                                node.getAttribute('aria-label') ||
                                node.title ||
                                node.textContent.trim() ||
                                [...(node.labels ?? [])].map((l) => l.textContent.trim()).join('');
                            return node.type !== 'file' && !own;
                        })
                        .map((node) => node.outerHTML.slice(0, 120)),
                );
                check(nameless.length === 0, `${panel}: ${nameless.join('\n')}`);
            }
            await p.page.keyboard.press('g');
            await p.page.waitForSelector('#gallery[open]');
            await p.page.keyboard.press('Escape');
            await p.page.waitForSelector('#gallery:not([open])', { state: 'attached' });
        },
    ],
    [
        'the whole bundle has at most 1.5 MB gzipped, and names no other host',
        { skipOpen: true },
        async () => {
            let total = 0;
            const walk = (path) => {
                for (const name of readdirSync(path)) {
                    const file = join(path, name);
                    if (statSync(file).isDirectory()) walk(file);
                    else {
                        const bytes = readFileSync(file);
                        total += gzipSync(bytes).length;
                        if (/\.(html|css)$/.test(name))
                            check(!/https?:\/\/(?!www\.w3\.org)/.test(bytes.toString('utf8')), `${name} names a host`);
                    }
                }
            };
            walk(join(root, 'build/page'));
            console.log(`        ${total} bytes gzipped`);
            check(total > 300_000 && total <= 1_500_000, `${total} bytes`);
        },
    ],
    [
        'any folder of a static host serves it, and nothing is asked of other hosts',
        {},
        async (p) => {
            const server = await serve(join(root, 'build'));
            const asked = [];
            await p.ready();
            await p.page.goto('about:blank'); // the first page asks for nothing any more
            p.page.on('request', (request) => asked.push(request.url()));
            await p.page.goto(`${server.address}page/`);
            await p.ready();
            const other = asked.filter(
                (address) =>
                    !address.startsWith(`${server.address}page/`) &&
                    !address.startsWith('data:') &&
                    !address.startsWith('blob:'),
            );
            check(asked.length > 3 && other.length === 0, other.join(' '));
            server.close();
        },
    ],
];

// ten minutes of the page: memory that grows by a little every frame shows here
checks.push([
    'ten minutes of simulated time as fast as it can: the heap grows by at most 5 MB',
    { source: { scene: 'quad' }, width: 500, height: 300 },
    async (p) => {
        const session = await p.context.newCDPSession(p.page);
        const heap = async () => {
            await session.send('HeapProfiler.collectGarbage');
            return (await session.send('Runtime.getHeapUsage')).usedSize;
        };
        await p.run(
            'ui.showPanel("plots"); globalThis.shown = 0; app.on("frame", () => shown++); await app.speed(0); ' +
                'await app.play(true)',
        );
        await p.until('app.frame.data[0] >= 20');
        const before = await heap();
        await p.page.waitForFunction(() => uptackPage.app.frame.data[0] >= 620, null, {
            timeout: 400_000,
            polling: 500,
        });
        const growth = (await heap()) - before;
        const frames = await p.run('await app.pause(); return shown');
        console.log(`        heap ${(growth / 1e6).toFixed(2)} MB larger after ${frames} frames`);
        check(frames >= 100, `${frames} frames`);
        check(growth <= 5e6, `${growth} bytes`);
        check((await p.now()).outcome <= 1, 'not certified');
    },
]);

check(checks.length >= 30, `${checks.length} checks of the page`);
for (const [name, how, act] of checks) {
    test(`page: ${name}`, () => (how.skipOpen ? act() : withApp(how, act)));
}
