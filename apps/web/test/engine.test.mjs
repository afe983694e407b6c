// SPDX-License-Identifier: Apache-2.0
// The calls of the engine: history, snapshots, live changes, holds, picks, recordings, messages.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, engine, equal, failure, frameOf, model, native, near, test } from './harness.mjs';

// A box of 0.2 m on a plane that is tilted by an angle (degrees) about y.
function slope(angle, mu) {
    return `<mujoco><option timestep="0.01"/><worldbody>
        <geom name="plane" type="plane" size="5 5 1" euler="0 ${angle} 0" friction="${mu}"/>
        <body name="box" euler="0 ${angle} 0" pos="${0.1 * Math.sin((angle * Math.PI) / 180)} 0 ${0.1 * Math.cos((angle * Math.PI) / 180)}">
            <freejoint name="box"/><geom name="box" type="box" size="0.1 0.1 0.1" mass="2" friction="0.01"/></body>
        </worldbody></mujoco>`;
}

// ---- history ------------------------------------------------------------------------------------------

test('engine: step back returns the earlier hash, and the frame has its contacts', async () => {
    const session = await engine();
    session.load({ scene: 'pile:8:1' });
    const hashes = [session.hash()];
    const frames = [await frameOf(session)];
    for (let i = 0; i < 300; i++) {
        session.step();
        hashes.push(session.hash());
        frames.push((await frameOf(session)).copy());
    }
    for (const i of [299, 250, 100, 1, 0]) {
        session.seek(i);
        equal(session.hash(), hashes[i], `state ${i}`);
        const frame = await frameOf(session);
        equal(frame.index, i, 'index');
        equal(frame.contactCount, frames[i].contactCount, `contacts of state ${i}`);
        check(frame.contacts.every((number, k) => number === frames[i].contacts[k]), `contacts of state ${i} are the same`);
    }
    session.seek(200);
    session.back(3);
    equal(session.hash(), hashes[197], 'three steps back');
    session.step(3);
    equal(session.hash(), hashes[200], 'and forward again');
    equal((await frameOf(session)).count, 201, 'later states are dropped');
    session.close();
});

test('engine: a step back with controls returns their state', async () => {
    const session = await engine();
    const { nu } = session.load({ scene: 'quad' });
    check(nu > 0, 'the quadruped has controls');
    session.step(20);
    const before = session.hash();
    session.ctrl(new Array(nu).fill(0.3));
    session.step(10);
    const after = session.hash();
    session.back(10);
    equal(session.hash(), before, 'before the controls changed');
    session.ctrl(new Array(nu).fill(0.3));
    session.step(10);
    equal(session.hash(), after, 'the same controls give the same state');
    session.close();
});

test('engine: the history is bounded, and old states are dropped first', async () => {
    const { History } = await import('../page/src/engine/history.js');
    const history = new History();
    const most = history.room(1 << 20);
    for (let i = 0; i < 3 * most; i++) {
        history.push(new Uint8Array(1 << 20).fill(i % 256), i, { ctrl: new Float64Array(0), hold: null });
    }
    equal(history.count, most, 'entries');
    equal(history.index, most - 1, 'the present one is the last');
    for (let i = 0; i < most; i++) {
        equal(history.entry(i).steps, 2 * most + i, `entry ${i}`);
        equal(history.entry(i).bytes[7], (2 * most + i) % 256, `bytes of entry ${i}`);
    }
});

// ---- snapshots ------------------------------------------------------------------------------------------

test('engine: a snapshot goes on with the same bits in another engine', async () => {
    const first = await engine();
    first.load({ scene: 'stack:5' });
    first.step(40);
    const bytes = first.snapshot();
    first.step(60);
    const second = await engine();
    second.load({ scene: 'stack:5', snapshot: bytes });
    second.step(60);
    equal(second.hash(), first.hash(), 'hash');
    bytes[bytes.length - 9] ^= 1;
    check((await failure(() => second.restore(bytes))).length > 0, 'damaged bytes are rejected');
    equal(second.hash(), first.hash(), 'and change nothing');
    first.close();
    second.close();
});

// ---- files ------------------------------------------------------------------------------------------------

test('engine: a bad file gives its file, line and column, as on the command line', async () => {
    const session = await engine();
    const text = '<mujoco>\n <worldbody>\n  <body><geom type="box" size="a"/></body>\n </worldbody></mujoco>';
    const folder = mkdtempSync(join(tmpdir(), 'uptack-page-'));
    const file = join(folder, 'bad.xml');
    writeFileSync(file, text);
    const { err } = await native('check', file);
    rmSync(folder, { recursive: true });
    const message = await failure(() => session.load({ name: 'bad.xml', text }));
    equal(message, err.trim().replace(file, 'bad.xml'), 'the command line says the same');
    check(message.startsWith("bad.xml:3:32: error: size of geom: 'a' is not a number"), message);
    check((await failure(() => session.load({ scene: 'stakc:3' }))).includes("no scene 'stakc:3'"), 'unknown scene');
    check((await failure(() => session.load({ name: 'gone.xml' }))).includes('gone.xml'), 'missing file');
    session.load({ scene: 'stack:2' });
    const hash = session.hash();
    await failure(() => session.load({ name: 'bad.xml', text }));
    session.step(3);
    session.back(3);
    equal(session.hash(), hash, 'the model before stays loaded');
    session.close();
});

test('engine: included files and meshes come from the map, and from the base address', async () => {
    const main = '<mujoco><include file="parts/box.xml"/></mujoco>';
    const part = `<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><body name="box" pos="0 0 1">
        <freejoint/><geom name="g" type="mesh" mesh="m" mass="1"/></body></worldbody></mujoco>`;
    const mesh = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n';
    const files = new Map([['model/parts/box.xml', part], ['model/m.obj', mesh]].map(([path, text]) => [path, new TextEncoder().encode(text)]));
    const session = await engine();
    const given = session.load({ name: 'model/a.xml', text: main, files });
    equal(given.bodies[1].name, 'box', 'the included body');
    equal(given.meshes[0].triangles.length, 12, 'four triangles');
    const asked = [];
    const other = await engine({
        fetchBytes(address) {
            asked.push(address);
            return address === 'files/model/a.xml' ? new TextEncoder().encode(main) : files.get(address.slice('files/'.length)) || null;
        },
    });
    const fetched = other.load({ name: 'model/a.xml', base: 'files/' });
    equal(fetched.bodies[1].mass, given.bodies[1].mass, 'the same model');
    equal(new Set(asked).size, asked.length, 'every file is fetched once');
    session.close();
    other.close();
});

// ---- live changes -----------------------------------------------------------------------------------------

test('engine: a box slips where tan(angle) is above mu, as soon as mu is set there', async () => {
    const session = await engine();
    const speed = async () => Math.hypot(...(await frameOf(session)).body(1).subarray(10, 13));
    session.load({ name: 'slope.xml', text: slope(20, 0.5) });
    session.step(50);
    near(await speed(), 0, 1e-9, 'mu 0.5 holds the box');
    const before = await frameOf(session);
    session.set('plane.friction', 0.3);
    equal((await frameOf(session)).time, before.time, 'the run goes on from its state');
    session.step(100);
    // a = g (sin - mu cos) for 1 s
    const angle = (20 * Math.PI) / 180;
    near(await speed(), 9.81 * (Math.sin(angle) - 0.3 * Math.cos(angle)), 1e-6, 'mu 0.3 lets it slip');
    for (const [mu, slips] of [[Math.tan(angle) - 0.001, true], [Math.tan(angle) + 0.001, false]]) {
        session.load({ name: 'slope.xml', text: slope(20, 0.5) });
        session.set('plane.friction', mu);
        session.step(100);
        equal((await speed()) > 1e-3, slips, `slips with mu = ${mu}`);
    }
    check((await failure(() => session.set('plane.frction', 1))).includes('frction'), 'a wrong name is rejected');
    session.close();
});

test('engine: options change while it runs, and unknown ones are rejected', async () => {
    const session = await engine();
    session.load({ scene: 'stack:3' });
    session.step(10);
    const { formulation, directions } = session.options({ formulation: 'stewart-trinkle', directions: 4 });
    equal(formulation, 'stewart-trinkle', 'formulation');
    equal(directions, 4, 'directions');
    equal(session.wasm.call('steps'), 10, 'steps are counted on');
    session.step(10);
    equal((await frameOf(session)).outcome, 0, 'certified');
    equal(await failure(() => session.options({ formulation: 'coulom' })), "error: formulation cannot be 'coulom'", 'message');
    equal(session.options({}).formulation, 'stewart-trinkle', 'the settings before stay');
    session.close();
});

// ---- pointing and holding ---------------------------------------------------------------------------------

test('engine: a drag moves a box, and every step has E <= 1e-8', async () => {
    const session = await engine();
    session.load({ scene: 'stack:1' });
    session.step(10);
    const hit = session.pick([3, 0, 0.1], [-1, 0, 0]);
    equal(hit.body, 1, 'the box is hit');
    near(hit.point[0], 0.1, 1e-9, 'on its face');
    near(hit.distance, 2.9, 1e-9, 'distance');
    equal(session.pick([3, 0, 5], [0, 0, 1]), null, 'nothing above');
    const drag = async (point, target) => {
        session.hold({ body: 1, point, target });
        for (let i = 0; i < 1000; i++) {
            session.step();
            const frame = await frameOf(session);
            check(frame.E <= 1e-8 && frame.outcome === 0, `step ${i}: E = ${frame.E}`);
            equal(frame.holding, 1, 'held');
        }
        return frameOf(session);
    };
    // at its centre the box hangs still: the spring is stretched by g / rate^2
    let frame = await drag([0, 0, 0], [0.6, 0, 0.6]);
    near(frame.holdPoint[2], 0.6 - 9.81 / 144, 1e-6, 'height of the centre');
    near(frame.holdPoint[0], 0.6, 1e-6, 'below the target');
    // at a corner it swings
    frame = await drag([0.1, 0.1, 0.1], [-0.4, 0.2, 0.5]);
    near(frame.holdPoint[0], -0.4, 0.1, 'x of the corner');
    near(frame.holdPoint[2], 0.5, 0.15, 'height of the corner');
    // and it is pushed over the floor
    session.load({ scene: 'stack:1' });
    frame = await drag([0, 0, 0], [0.5, 0, 0.1]);
    // against friction mu m g: rate^2 x = mu g is left over
    near(frame.holdPoint[0], 0.5 - (0.8 * 9.81) / 144, 1e-6, 'sliding stops at the friction limit');
    session.release();
    session.step(1);
    equal((await frameOf(session)).holding, 0, 'released');
    session.close();
});

// ---- recordings -------------------------------------------------------------------------------------------

test('engine: recordings are byte for byte those of the command line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'uptack-page-'));
    const session = await engine();
    for (const name of ['stack:5', 'scenes/ball-throw.xml', 'quad', 'scenes/seeds/berard-4.5.xml', 'scenes/gripper.xml']) {
        for (const format of ['utr', 'csv']) {
            const { dt } = session.load(model(name));
            session.recordStart();
            session.step(120);
            const bytes = Buffer.from(session.recordStop(format));
            const file = join(folder, `run.${format}`);
            const { code, err } = await native('run', name, `--time=${120 * dt}`, '--record', file);
            check(code === 0, `${name} runs natively: ${err}`);
            const expected = readFileSync(file);
            equal(bytes.length, expected.length, `${name}: bytes of ${format}`);
            check(bytes.equals(expected), `${name}: the ${format} file is the same`);
        }
    }
    session.close();
    rmSync(folder, { recursive: true });
});

test('engine: a recording of the command line is shown with its states, contacts and E', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'uptack-page-'));
    const file = join(folder, 'run.utr');
    for (const [name, ...more] of [['scenes/ball-throw.xml'], ['stack:3', '--set=box1.friction=0.3', '--no-reports'], ['quad'], ['scenes/seeds/berard-4.5.xml']]) {
        const { code, err } = await native('run', name, '--time=0.4', '--record', file, ...more);
        check(code === 0, `${name} is recorded: ${err}`);
        const live = await engine();
        const changes = more.filter((word) => word.startsWith('--set=')).map((word) => word.slice(6));
        live.load({ ...model(name), set: changes });
        const shown = await engine();
        shown.openRecording(readFileSync(file), 'run.utr');
        const { count } = shown.state();
        check(count > 10, `${name}: ${count} states`);
        for (let i = 0; i < count; i++) {
            shown.seek(i);
            equal(shown.hash(), live.hash(), `${name}: hash of state ${i}`);
            const [a, b] = [await frameOf(shown), await frameOf(live)];
            equal(a.contactCount, b.contactCount, `${name}: contacts of state ${i}`);
            check(a.contacts.every((number, k) => number === b.contacts[k]), `${name}: contacts of state ${i} are the same`);
            check(a.bodies.every((number, k) => number === b.bodies[k]), `${name}: bodies of state ${i}`);
            if (!more.includes('--no-reports')) {
                equal(a.E, b.E, `${name}: E of state ${i}`);
            }
            live.step();
        }
        equal((await frameOf(shown)).index, count - 1, 'index');
        check((await failure(() => shown.step.call(shown, 1) ?? shown.set('option.dt', 1))).includes('recording'), 'a recording cannot be changed');
        live.close();
        shown.close();
    }
    const broken = readFileSync(file);
    broken[broken.length >> 1] ^= 4;
    const session = await engine();
    session.load({ scene: 'stack:2' });
    const message = await failure(() => session.openRecording(broken, 'broken.utr'));
    check(/^broken\.utr.*error: .*byte [0-9]+/.test(message), message);
    equal(session.describe().name, 'stack:2', 'the model before stays');
    check((await failure(() => session.openRecording(new Uint8Array(64), 'x.utr'))).includes('x.utr'), 'no recording');
    session.close();
    rmSync(folder, { recursive: true });
});

// ---- equations --------------------------------------------------------------------------------------------

test('engine: the equations of the last step are those of uptack dump', async () => {
    const session = await engine();
    const name = 'scenes/seeds/dart-arm-box.xml';
    session.load(model(name));
    session.step(3);
    const hash = session.hash();
    const found = session.system('dart');
    const { out } = await native('dump', name, '--eq', 'dart', '--step', '3', '--format', 'json');
    const expected = JSON.parse(out);
    equal(JSON.stringify(found.A), JSON.stringify(expected.A), 'A');
    equal(JSON.stringify(found.b), JSON.stringify(expected.b), 'b');
    equal(JSON.stringify(found.parts), JSON.stringify(expected.parts), 'names and solution');
    equal(session.hash(), hash, 'the state stays');
    const { M, q, z, w, names } = session.lcp();
    equal(names.length, q.length, 'a name for each unknown');
    for (let i = 0; i < q.length; i++) {
        const row = M[i].reduce((sum, entry, j) => sum + entry * z[j], q[i]);
        near(w[i], row, 1e-9, `w = M z + q in row ${i}`);
        check(z[i] >= -1e-9 && w[i] >= -1e-9 && Math.abs(z[i] * w[i]) < 1e-9, `row ${i} is complementary`);
    }
    check((await failure(() => session.system('dirt'))).includes('dirt'), 'an unknown notation is rejected');
    session.close();
});

// ---- frames -----------------------------------------------------------------------------------------------

test('engine: a frame has the path of a tendon around a geom, and colours are in the description', async () => {
    const text = `<mujoco><worldbody><site name="a" pos="-.2 0 0"/><geom name="c" type="cylinder" size=".1 1" rgba="1 0 0 1"/>
        <body pos=".2 0 0"><joint type="slide" axis="0 0 1"/><geom size=".01"/><site name="b"/></body></worldbody>
        <tendon><spatial><site site="a"/><geom geom="c"/><site site="b"/><pulley divisor="2"/><site site="b"/><site site="a"/></spatial>
        </tendon></mujoco>`;
    const session = await engine();
    const description = session.load({ name: 'tendon.xml', text });
    equal(description.geoms[0].rgba.join(), '1,0,0,1', 'colour');
    const { tendonPoints, tendonPointCount } = await frameOf(session);
    const points = Array.from({ length: tendonPointCount }, (_, k) => tendonPoints.slice(4 * k, 4 * k + 4));
    const gap = points.findIndex(([tendon]) => tendon === -1);
    check(gap > 4, 'a row between the branches');
    points.slice(1, gap - 1).forEach(([, x, y]) => near(Math.hypot(x, y), 0.1, 1e-12, 'on the cylinder'));
    equal(points[gap + 1][1], 0.2, 'the second branch begins at b');
    equal(points.length, gap + 3, 'and is straight');
    session.close();
});
