// SPDX-License-Identifier: Apache-2.0
// Tests of the page and its engine. A test file is NAME.test.mjs beside this one; it imports what it needs from here:
//
//     import { test, check, equal, near, engine, native, openPage } from './harness.mjs';
//     test('a box falls', async () => { ... });
//
// run.mjs runs them all. A test that checks nothing fails, and so does a run without tests.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, normalize, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../..');
const pageModules = createRequire(join(root, 'apps/web/page/package.json'));

// ---- tests ------------------------------------------------------------------------------------------

const tests = [];
let checks = 0; // of the test that runs

export function test(name, run) {
    tests.push({ name, run });
}

export function check(condition, what) {
    checks++;
    if (!condition) {
        throw new Error(`not so: ${what}`);
    }
}

export function equal(value, expected, what) {
    checks++;
    if (!Object.is(value, expected)) {
        throw new Error(`${what}: ${value}, expected ${expected}`);
    }
}

export function near(value, expected, tolerance, what) {
    checks++;
    if (!(Math.abs(value - expected) <= tolerance)) {
        throw new Error(`${what}: ${value}, expected ${expected} within ${tolerance}`);
    }
}

// The message with which a call fails.
export async function failure(call) {
    try {
        await call();
    } catch (error) {
        return error.message;
    }
    throw new Error('the call should have failed');
}

// Run the tests whose names contain one of the words; all of them without words.
// @return the exit code
export async function runTests(words) {
    let passed = 0;
    let failed = 0;
    for (const { name, run } of tests) {
        if (words.length > 0 && !words.some((word) => name.includes(word))) {
            continue;
        }
        const start = performance.now();
        checks = 0;
        try {
            await run();
            if (checks === 0) {
                throw new Error('the test checked nothing');
            }
            passed++;
            console.log(`ok      ${name} (${checks} checks, ${((performance.now() - start) / 1000).toFixed(1)} s)`);
        } catch (error) {
            failed++;
            console.log(`FAILED  ${name}: ${error.stack && !/^not so|expected/.test(error.message) ? error.stack : error.message}`);
        }
    }
    await closeBrowser();
    if (passed + failed === 0) {
        console.log('no test ran');
        failed = 1;
    }
    console.log(`${passed} passed, ${failed} failed`);
    return failed > 0 ? 1 : 0;
}

// ---- the engine in Node -----------------------------------------------------------------------------

// A session with an engine of its own, without a worker.
export async function engine(options = {}) {
    const { default: createModule } = await import(join(root, 'build/web/engine.mjs'));
    const { Session } = await import('../page/src/engine/session.js');
    const { Wasm } = await import('../page/src/engine/wasm.js');
    const module = await createModule({ wasmBinary: readFileSync(join(root, 'build/web/engine.wasm')) });
    return new Session(new Wasm(module), options);
}

export async function frameOf(session) {
    const { Frame } = await import('../page/src/engine/frame.js');
    return new Frame(session.frame());
}

// What `load` needs for a model of the repository: a path or the name of a scene.
export function model(name) {
    return name.includes('.') && existsSync(join(root, name))
        ? { name, text: readFileSync(join(root, name), 'utf8') }
        : { scene: name };
}

// ---- the command line -------------------------------------------------------------------------------

const uptack = process.env.UPTACK_CLI || join(root, 'build/uptack');

// Run the command line. @return {code, out, err}
export function native(...args) {
    return new Promise((done) => {
        execFile(uptack, args, { cwd: root, maxBuffer: 1 << 28 }, (error, out, err) => {
            done({ code: error ? error.code ?? 1 : 0, out, err });
        });
    });
}

// ---- the browser ------------------------------------------------------------------------------------

const TYPES = {
    '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css',
    '.wasm': 'application/wasm', '.json': 'application/json', '.svg': 'image/svg+xml', '.png': 'image/png',
    '.jpg': 'image/jpeg', '.xml': 'text/xml', '.webmanifest': 'application/manifest+json',
};

// A static server of one folder on a loopback port. @return {address, close}
export function serve(folder) {
    const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
        const file = join(folder, normalize(path.endsWith('/') ? path + 'index.html' : path));
        if (!file.startsWith(folder) || !existsSync(file)) {
            response.writeHead(404).end();
            return;
        }
        response.writeHead(200, { 'content-type': TYPES[extname(file)] || 'application/octet-stream' });
        response.end(readFileSync(file));
    });
    return new Promise((done) => {
        server.listen(0, '127.0.0.1', () => {
            done({ address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() });
        });
    });
}

function findChromium() {
    const names = ['chromium', 'chromium-browser', 'google-chrome'];
    const folders = (process.env.PATH || '').split(':');
    const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
    if (!found) {
        throw new Error('there is no Chromium; `tools/deps browser` installs it');
    }
    return found;
}

let browser = null;

async function getBrowser() {
    if (!browser) {
        const { chromium } = pageModules('playwright-core');
        browser = await chromium.launch({
            executablePath: findChromium(),
            headless: true,
            args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
                '--enable-precise-memory-info', '--js-flags=--expose-gc'],
        });
    }
    return browser;
}

export async function closeBrowser() {
    if (browser) {
        await browser.close();
        browser = null;
    }
}

// Open a built page. `folder` below build: "page", or "engine-page" for the engine alone.
// @param options of playwright's newContext, for example {viewport, hasTouch}, and `path` behind the address
// @return {page, context, address, errors, close}; `close` fails when the page printed an error to the console or
//         threw one, unless the test has emptied `errors`
export async function openPage(folder = 'page', { path = '', ...options } = {}) {
    const directory = join(root, 'build', folder);
    if (!existsSync(join(directory, 'index.html'))) {
        throw new Error(`build/${folder} has no index.html; \`make page\` builds it`);
    }
    const server = await serve(directory);
    const context = await (await getBrowser()).newContext(options);
    const page = await context.newPage();
    const errors = [];
    page.setDefaultTimeout(30000);
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(server.address + path);
    return {
        page, context, errors, address: server.address,
        async close() {
            await context.close();
            server.close();
            equal(errors.join('\n'), '', 'errors on the console');
        },
    };
}
