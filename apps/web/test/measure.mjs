// SPDX-License-Identifier: Apache-2.0
// Computing time of a step in WebAssembly (Node) beside the native build, and sizes: node apps/web/test/measure.mjs
// [SCENE...]. CPU times, because other programs may run beside; each is the least of three runs.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { engine, model, root } from './harness.mjs';
import { scenes } from './scenes.mjs';

const LEAST_TIME = 0.2; // s of a measured run
const MOST_STEPS = 20000;
const RUNS = 3;
const WARM_UP = 400; // steps
const LARGER = ['stack:30', 'chain:30', 'wall:6:6', 'pile:40:1'];

const uptack = process.env.UPTACK_CLI || join(root, 'build/uptack');

const least = (measure) => Math.min(...Array.from({ length: RUNS }, measure));

// s of CPU time of a command
function commandTime(args) {
    const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1';
    const out = execFileSync('bash', ['-c', `{ ${script}; } 2>&1`, 'time', uptack, ...args], { cwd: root, encoding: 'utf8' });
    return out.trim().split(/\s+/).slice(-2).reduce((sum, number) => sum + Number(number), 0);
}

// s per step, without the time to start
function nativeTime(name, dt, steps) {
    const run = (count) => least(() => commandTime(['run', name, `--time=${count * dt}`]));
    return (run(steps) - run(1)) / (steps - 1);
}

function wasmTime(session, name, steps) {
    return least(() => {
        session.load(model(name));
        const start = process.cpuUsage();
        let taken = 0;
        while (taken < steps && session.wasm.check('step') === 0) {
            taken++;
        }
        const { user, system } = process.cpuUsage(start);
        return (user + system) / 1e6 / Math.max(taken, 1);
    });
}

async function measureScenes(names) {
    const session = await engine();
    const ratios = [];
    // compiles all code before anything is measured
    for (const name of names) {
        session.load(model(name));
        session.step(WARM_UP);
    }
    console.log('scene                            dt, ms   native, us   wasm, us   ratio   wasm / dt');
    for (const name of names) {
        const { dt } = session.load(model(name));
        const rough = wasmTime(session, name, 100);
        const steps = Math.round(Math.min(MOST_STEPS, Math.max(1000, LEAST_TIME / rough)));
        const wasm = wasmTime(session, name, steps);
        const native = nativeTime(name, dt, steps);
        ratios.push({ name, ratio: wasm / native, share: wasm / dt });
        const column = (value, width, digits) => value.toFixed(digits).padStart(width);
        console.log(name.padEnd(32) + column(1000 * dt, 7, 1) + column(1e6 * native, 13, 1) + column(1e6 * wasm, 11, 1) +
            column(wasm / native, 8, 2) + column(wasm / dt, 12, 3));
    }
    session.close();
    const sorted = ratios.map(({ ratio }) => ratio).sort((a, b) => a - b);
    const inTime = ratios.filter(({ share }) => share < 1).length;
    console.log(`median ratio ${sorted[sorted.length >> 1].toFixed(2)}, largest ${sorted[sorted.length - 1].toFixed(2)}; ` +
        `${inTime} of ${ratios.length} scenes are faster than real time`);
}

function files(folder) {
    return readdirSync(folder).flatMap((name) => {
        const path = join(folder, name);
        return statSync(path).isDirectory() ? files(path) : [path];
    });
}

function measureSizes() {
    const folder = join(root, 'build/page');
    const paths = [join(root, 'build/web/engine.wasm'), ...(existsSync(folder) ? files(folder).filter((path) => /\.(js|css|wasm|html)$/.test(path)) : [])];
    console.log('\nfile                                          bytes   gzipped');
    for (const path of paths) {
        const bytes = readFileSync(path);
        console.log(path.slice(root.length + 1).padEnd(42) + String(bytes.length).padStart(9) + String(gzipSync(bytes, { level: 9 }).length).padStart(10));
    }
}

const asked = process.argv.slice(2);
await measureScenes(asked.length > 0 ? asked : [...scenes(), ...LARGER]);
measureSizes();
